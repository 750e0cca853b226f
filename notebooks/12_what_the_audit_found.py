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
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2013)
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2015)
# - Steinke, Thomas: Composition (2022)

# %%
# Installs symdp where it is missing, from the repository that this notebook came with.
from importlib.util import find_spec
from pathlib import Path

if find_spec("symdp") is None:
    if not Path("../pyproject.toml").exists():
        raise ModuleNotFoundError("symdp is missing: open this in a clone of its repository")
    get_ipython().run_line_magic("pip", "install --quiet ..")

from symdp.reporting.notebooks.needs import ready

ready()

# %%
# %config InlineBackend.figure_formats = ["retina"]
from IPython.display import Markdown, display
from sympy import Rational

from symdp import lookup, statements
from symdp.notation import symbol
from symdp.registry import statement
from symdp.reporting.figures import plot_bounds
from symdp.reporting.ledger import Ledger
from symdp.reporting.notebooks.exploring import explore

ledger = Ledger(budget=60)  # seconds that a claim may take

# %% [markdown]
# ## The claims, counted

# %%
from collections import Counter

from symdp.registry import claims

roles = Counter(c.role for c in claims())
kinds = Counter(c.kind for c in claims())
assert roles["printed"] > roles["corrected"] > 0
counts = ", ".join(f"{roles[role]} {role}" for role in ("printed", "corrected", "sharper"))
Markdown("\n".join([f"{len(statements())} statements, {sum(roles.values())} claims: {counts}.",
                    "", "| kind | claims |", "|:--|--:|",
                    *(f"| {kind} | {number} |" for kind, number in sorted(kinds.items()))]))


# %%
def counted(role):
    from matplotlib import pyplot
    per_source = Counter(c.id.partition("/")[0] for c in claims() if c.role == role)
    names = sorted(per_source)
    ax = pyplot.subplots(figsize=(6, 2.6), layout="constrained")[1]
    ax.barh(names, [per_source[n] for n in names], color="#0072B2")
    ax.set_xlabel(f"claims ({role})")


explore(counted, role=["corrected", "printed", "sharper"])

# %% [markdown]
# ## A lost exponential

# %% [markdown]
# A claim says one thing, on a domain. The prover answers with a verdict:
#
# - **proved**: true at every point of the domain, also at open and infinite ends;
# - **refuted**: false at the point that is given, which you can check by hand;
# - **undecided**: the search ended without an answer, which says nothing about the truth;
# - **cited**: known from elsewhere, with its reference.
#
# A claim is settled as it was printed. Where the printed form fails, look for a corrected one
# beside it.

# %% [markdown]
# Printed in Section 7, moment generating function, second line.

# %%
ledger.settle("kov/sec-7.mgf-bound")

# %% [markdown]
# A corrected form of `mgf-bound`: the exponential was left out in print, and the tilde is a misprint.

# %%
ledger.settle("kov/sec-7.mgf-bound.corrected")

# %% [markdown]
# Section 7 has further claims; `symdp audit kov/sec-7` gives each its verdict.

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
ledger.settle("kov/sec-7.square-free")

# %% [markdown]
# A corrected form of `square-free`: the sign of the completed square is reversed: $+\lambda^2 k\varepsilon^2/2$ in the first line cannot become $-\lambda^2k\varepsilon^2/2$; the square vanishes at the chosen $\lambda$, so the theorem survives.

# %%
ledger.settle("kov/sec-7.square-free.corrected")

# %% [markdown]
# Section 7 has further claims; `symdp audit kov/sec-7` gives each its verdict.

# %% [markdown]
# ## An epsilon that is missing

# %% [markdown]
# Printed in Section 1, composition of k queries.

# %%
ledger.settle("icml/sec-1.basic")

# %% [markdown]
# A corrected form of `basic`: a misprint: $\varepsilon$ was dropped; Theorem 3.1 of the same text has it.

# %%
ledger.settle("icml/sec-1.basic.corrected")

# %% [markdown]
# Section 1 has further claims; `symdp audit icml/sec-1` gives each its verdict.

# %% [markdown]
# ## A domain that is too wide

# %%
ledger.settle("blog/fn-2.inequality")

# %% [markdown]
# A corrected form of `inequality`: $\varepsilon,\delta>0$ is all that is asked, and from $\delta=e^{\varepsilon}$ on $\rho$ is no longer positive; a $\delta$ of 1 or more promises nothing anyway.

# %%
ledger.settle("blog/fn-2.inequality.corrected")

# %% [markdown]
# A sharper form of `inequality`: the printed choice leaves something unspent for every $\delta$.

# %%
ledger.settle("blog/fn-2.inequality.largest")

# %% [markdown]
# Footnote 2 has further claims; `symdp audit blog/fn-2` gives each its verdict.

# %% [markdown]
# The last one is sharper than the source: the largest possible value in closed form.

# %% [markdown]
# ## A theorem that needs a hypothesis

# %%
ledger.settle("kov/thm-5.1.observer-average")

# %% [markdown]
# A corrected form of `observer-average`: (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.settle("kov/thm-5.1.observer-average.corrected")

# %% [markdown]
# Theorem 5.1 has further claims; `symdp audit kov/thm-5.1` gives each its verdict.

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
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "repair-the-slack-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Repair a domain
#
# A theorem is printed for "any $\delta>0$" and takes the root of $\log(1/\delta)$. Give the largest $D$ such
# that $\log(1/\delta)\ge0$ for all $0<\delta\le D$.
#
# *Check with* `exercise("repair-the-slack").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "repair-the-slack-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "repair-the-slack-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("repair-the-slack").check(answer)
assert feedback, feedback
feedback

# %% [markdown]
# ## All verdicts
#
# The table collects what the cells above found when they ran. Each refutation was checked again
# when it was entered; had one not held, the notebook would have stopped there.
#
# `symdp show ID` prints the same in a terminal, with more time for each claim if you give it
# `--budget`.

# %%
assert ledger.holds()
ledger
