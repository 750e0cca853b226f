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
# # The optimal composition theorem
#
# The classic theorems give bounds. What is the *exact* privacy of $k$ mechanisms, each $(\varepsilon,\delta)$-private,
# in the worst case?
#
# The answer of Kairouz, Oh and Viswanath: nothing is worse than randomised response. So the composition of $k$
# responses, which can be computed, is the exact answer for all mechanisms.
#
# **You will learn** the theorem, its region with finitely many corners, exact numbers with every digit certain,
# and how far the bounds of the last notebook are from the truth.

# %% [markdown]
# **Made from** Theorem 3.3 and Remark A.1 of *The Composition Theorem for Differential Privacy*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)

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
# ## The theorem

# %%
lookup("kov/thm-3.3")

# %% [markdown]
# In Theorem 3.3, $\varepsilon\ge 0$, $0\le\delta\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $i\in\mathbb{N},\ i\ge 0$.

# %% [markdown]
# Where does this come from? Let $k$ parties answer by randomised response. All that matters is how many of them told the
# truth: if $k-j$ did, the likelihood ratio is $e^{(k-2j)\varepsilon}$. For a threshold $(k-2i)\varepsilon$, add up by how much
# the larger ratios exceed it. That is the sum above.
#
# Each $i$ gives one pair $\bigl((k-2i)\varepsilon,\ \delta_i\bigr)$. Together they are a polygon, and its corners are
# exact.

# %%
from symdp import PrivacyRegion, RandomisedResponse, compose
from symdp.report.figures.regions import plot_regions

two = PrivacyRegion.composed("log(2)", "1/10", 2)
assert two.corners[2] == (Rational("9/100"), Rational("9/20"))
two


# %% [markdown]
# Draw it for one question, two questions, and so on.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def show(k, delta):
    plot_regions({f"$k = {i}$": PrivacyRegion.composed("0.4", delta, i)
                  for i in range(1, k + 1)})


explore(show, k=[1, 2, 3, 5, 8, 12], delta=["0", "0.1"])

# %% [markdown]
# With every further question the region grows, and the corner where an observer makes few errors of both
# kinds comes closer.

# %% [markdown]
# ## Exact numbers
#
# The smallest $\varepsilon$ for a total $\delta$, with as many digits as you ask for.

# %%
thirty = compose(RandomisedResponse("0.1", "0.001"), 30)
total = thirty.epsilon(delta="0.05", digits=30)
assert total.digits >= 30 and total.theorem.startswith("Theorem 3.3")
total

# %% [markdown]
# The two ends of an answer enclose the truth; they are rounded outward.

# %%
assert total.lower < total.upper
Markdown(f"between `{total.lower}`\n\nand `{total.upper}`")

# %% [markdown]
# Even a trillion questions are no trouble.

# %%
from symdp.privacy.accounting.bounds import by_name

rows = ["| $k$ | exact | simplified bound | advanced bound |", "|--:|--:|--:|--:|"]
for power in (2, 4, 6, 12):
    eps = Rational(1, 10 ** (power // 2))
    exact = compose(RandomisedResponse(eps), 10**power).epsilon(delta="1e-6", digits=8)
    bounds = [by_name(n).epsilon([(eps, 0, 10**power)], delta="1e-6", digits=8)
              for n in ("simplified", "advanced")]
    assert all(exact.upper <= bound.upper for bound in bounds)
    rows.append(f"| $10^{{{power}}}$ | {exact} | {bounds[0]} | {bounds[1]} |")
Markdown("\n".join(rows))

# %% [markdown]
# Here $\varepsilon=1/\sqrt k$ for each question. The exact values come close to that of one Gaussian answer.

# %%
from symdp import Gaussian

limit = Gaussian(variance=1).epsilon(delta="1e-6", digits=12)
assert abs(float(limit) - float(exact)) < 1e-7
limit

# %% [markdown]
# ## Where the classic theorems stand
#
# How much of the square does each theorem leave to the observer, for thirty questions that are $(0.1, 0.001)$-private each?

# %%
from symdp.report.figures.source_figures import draw

figure = draw("fig-3.comparison")

# %% [markdown]
# The figure is that of the paper, drawn anew: a smaller region is a better guarantee, and the exact one is the
# smallest.

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/thm-3.3.k-regions")

# %%
ledger.show("kov/thm-3.3.index-set")

# %% [markdown]
# The paper counts $k$ regions and indexes them from 1. Already for $k=3$ two are enough, and for $k=1$ there
# would be none: the index has to begin at 0.

# %%
assert ledger["kov/thm-3.3.k-regions"] == ledger["kov/thm-3.3.index-set"] == "refuted"

# %% [markdown]
# A guarantee can be converted into another one exactly as far as its region allows.

# %% [markdown]
# Printed in Remark A.1(a).

# %%
ledger.show("kov/rem-a.1.conversion")

# %% [markdown]
# **Sharper.** What the worst pair needs satisfies the two conditions as well.

# %%
ledger.show("kov/rem-a.1.conversion.sharper")

# %% [markdown]
# Printed in Remark A.1(b).

# %%
ledger.show("kov/rem-a.1.total-variation")

# %% [markdown]
# **Sharper.** The supremum is a maximum and equals the bound.

# %%
ledger.show("kov/rem-a.1.total-variation.sharper")

# %%
assert all(ledger[c.id] == "proved" for c in statement("kov/rem-a.1").claims)

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "delta-at-zero-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Two responses, no epsilon
#
# Two randomised responses with the same $\varepsilon$ are seen together. For which smallest $\delta$ are they
# $(0,\delta)$-private? Look at the four pairs of answers; a formula in `eps`.
#
# Check your answer with `exercise("delta-at-zero").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "delta-at-zero-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(exp(2*eps)-1)/(1+exp(eps))^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "delta-at-zero-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("delta-at-zero").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "leaks-of-many-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### When one of them leaks
#
# Each of $k$ mechanisms gives the database away with probability `delta`, independently. With which
# probability does exactly one of them? A formula in `delta` and `k`.
#
# Check your answer with `exercise("leaks-of-many").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "leaks-of-many-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "k*delta*(1-delta)^(k-1)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "leaks-of-many-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("leaks-of-many").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-3.3` settles them all.

# %%
assert ledger.holds()
ledger
