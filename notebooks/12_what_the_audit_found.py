# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: kernelspec,jupytext,-jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What the audit found
#
# The claims of four sources were written down as formulas and given to a machine. Many hold as printed. Some do
# not, and this notebook shows how a printed claim fails, what repairs it, and where a claim can be made sharper.
#
# Errors in print are ordinary: a lost exponential, an index that begins too late, a domain that is a little too
# wide. They matter to whoever copies a formula into code. The last one below is of another kind: a theorem that needs
# one more hypothesis.
#
# **You will learn** to read a refutation, to check it by hand, and to look for the correction.

# %% [markdown]
# **Made from** Section 7 and Theorem 5.1 of *The Composition Theorem for Differential Privacy*; Section 1 of *The Composition Theorem for Differential Privacy (ICML)*; Footnote 2 of *Composition (DifferentialPrivacy.org)*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2015)
# - Thomas Steinke: *Composition* (2022)

# %% jupyter={"source_hidden": true} tags=["hide-input"] cellView="form"
# @title Set-up: installs symdp where it is missing
SOURCE = ".."  # @param {type:"string"}
# ".." is the clone that this notebook is in; elsewhere, any address that pip understands.
from importlib.util import find_spec
from pathlib import Path

if find_spec("symdp") is None:
    if SOURCE == ".." and not Path("../pyproject.toml").exists():
        raise ModuleNotFoundError("symdp is missing: open this in a clone of its repository, "
                                  "or write an address for pip into SOURCE")
    # %pip install --quiet {SOURCE}
    __import__("importlib").invalidate_caches()

from symdp.report.notebooks.requirements import ready

ready()

# %% jupyter={"source_hidden": true} tags=["hide-input"] cellView="form"
# @title Set-up: what this notebook works with
# %config InlineBackend.figure_formats = ["retina"]
from IPython.display import Markdown, display
from matplotlib import pyplot
from sympy import Rational

from symdp import lookup, statements
from symdp.report.exercises import exercise
from symdp.formulas.notation import symbol
from symdp.sources.registry import statement
from symdp.report.figures.curves import plot_bounds
from symdp.audit.ledger import Ledger
from symdp.report.notebooks.sliders import explore
from symdp.report.notebooks.style import STYLE

pyplot.rcParams.update(STYLE)
ledger = Ledger(budget=60)  # seconds that a claim may take

# %% [markdown]
# ## The claims, counted

# %%
from collections import Counter

from symdp.sources.registry import claims

roles = Counter(c.role for c in claims())
kinds = Counter(c.kind for c in claims())
assert roles["printed"] > roles["corrected"] > 0
counts = ", ".join(f"{roles[role]} {role}" for role in ("printed", "corrected", "sharper"))
Markdown("\n".join([f"{len(statements())} statements, {sum(roles.values())} claims: {counts}.",
                    "", "| kind | claims |", "|:--|--:|",
                    *(f"| {kind} | {number} |" for kind, number in sorted(kinds.items()))]))


# %% jupyter={"source_hidden": true} tags=["hide-input"]
def counted(role):
    per_source = Counter(c.id.partition("/")[0] for c in claims() if c.role == role)
    names = sorted(per_source)
    fig, ax = pyplot.subplots(figsize=(6.4, 2.4))
    bars = ax.barh(names, [per_source[n] for n in names], height=0.6)
    ax.bar_label(bars, padding=4)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(f"claims ({role})")


explore(counted, role=["corrected", "printed", "sharper"])

# %% [markdown]
# ## A lost exponential

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %% [markdown]
# Printed in Section 7, moment generating function, second line.

# %%
ledger.show("kov/sec-7.mgf-bound")

# %% [markdown]
# **Corrected.** The exponential was left out in print, and the tilde is a misprint.

# %%
ledger.show("kov/sec-7.mgf-bound.corrected")

# %% [markdown]
# Check it by hand: put the point into both sides. That is all a refutation is.

# %%
witness = ledger.verdicts["kov/sec-7.mgf-bound"].witness
relation = lookup("kov/sec-7.mgf-bound").relation
left, right = (side.subs(witness.point) for side in (relation.left, relation.right))
assert left.evalf(30) > right.evalf(30)
Markdown(f"left $\\approx {left.evalf(8)}$, right $\\approx {right.evalf(8)}$")

# %% [markdown]
# ## A sign in a completed square

# %% [markdown]
# Printed in Section 7, chain, second line, lambda free.

# %%
ledger.show("kov/sec-7.square-free")

# %% [markdown]
# **Corrected.** The sign of the completed square is reversed: $+\lambda^2 k\varepsilon^2/2$ in the first line cannot become $-\lambda^2k\varepsilon^2/2$; the square vanishes at the chosen $\lambda$, so the theorem survives.

# %%
ledger.show("kov/sec-7.square-free.corrected")

# %% [markdown]
# ## An epsilon that is missing

# %% [markdown]
# Printed in Section 1, composition of k queries.

# %%
ledger.show("icml/sec-1.basic")

# %% [markdown]
# **Corrected.** A misprint: $\varepsilon$ was dropped; Theorem 3.1 of the same text has it.

# %%
ledger.show("icml/sec-1.basic.corrected")

# %% [markdown]
# ## A choice that leaves something unspent

# %%
ledger.show("blog/fn-2.inequality")

# %% [markdown]
# **Sharper.** The printed choice leaves something unspent for every $\delta$.

# %%
ledger.show("blog/fn-2.inequality.largest")

# %% [markdown]
# **Sharper.** Less noise is enough.

# %%
ledger.show("blog/fn-2.inequality.unspent")

# %% [markdown]
# The last two are sharper than the source: the largest possible value in closed form.

# %% [markdown]
# ## A theorem that needs a hypothesis

# %%
ledger.show("kov/thm-5.1.observer-average")

# %% [markdown]
# **Corrected.** (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.show("kov/thm-5.1.observer-average.corrected")

# %% [markdown]
# ## Each refutation has a correction beside it

# %%
for id, verdict in ledger.verdicts.items():
    if verdict.status == "refuted":
        corrected = statement(id).improvement_of(lookup(id), "corrected")
        assert corrected is not None and ledger[corrected.id] == "proved"

# %% [markdown]
# The cell above fails if one of them had none. `symdp errata` prints the whole list, `symdp audit` settles
# everything, and `symdp recheck` replays the proofs without the search.

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "repair-the-slack-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Repair a domain
#
# A theorem is printed for "any $\delta>0$" and takes the root of $\log(1/\delta)$. Give the largest $D$ such
# that $\log(1/\delta)\ge0$ for all $0<\delta\le D$.
#
# Check your answer with `exercise("repair-the-slack").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "repair-the-slack-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "repair-the-slack-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("repair-the-slack").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/sec-7`, `symdp audit icml/sec-1`, `symdp audit blog/fn-2` and `symdp audit kov/thm-5.1` settle them all.

# %%
assert ledger.holds()
ledger
