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
# # Privacy as hypothesis testing
#
# A database is one of two neighbours: with you in it, or without. A mechanism answers a question about it,
# with noise. An observer sees the answer and has to guess which of the two databases it was.
#
# The observer can be wrong in two ways: a *false alarm* and a *missed detection*. Differential privacy
# says that no test makes both errors rare. In this notebook privacy becomes a picture: a region in the
# plane of the two errors.
#
# **You will learn** what $(\varepsilon,\delta)$-privacy forbids, how to draw it, how to read a
# mechanism's privacy off its region, and why one condition is enough where the paper states two.

# %% [markdown]
# **Made from** Theorem 2.1 and Corollary 2.3 of *The Composition Theorem for Differential Privacy*; Figure 1 of *The Composition Theorem for Differential Privacy (ICML)*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2013)
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2015)

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
# ## The theorem

# %% [markdown]
# In Theorem 2.1, $\varepsilon\ge 0$ and $0\le\delta\le 1$.

# %%
lookup("kov/thm-2.1")

# %% [markdown]
# The two conditions cut two corners off the square of errors. What is left is the region of the guarantee.

# %%
from symdp import PrivacyRegion
from symdp.reporting.regions import plot_regions

region = PrivacyRegion.guarantee("1", "1/10")
assert len(region.corners) == 5
region


# %% [markdown]
# Only tests below the diagonal are better than a coin, so only that half is drawn. The lower left corner
# is where an observer would like to be. Privacy keeps everybody away from it.

# %%
def show(eps, delta):
    name = f"$\\varepsilon = {eps},\\ \\delta = {delta}$"
    plot_regions({name: PrivacyRegion.guarantee(eps, delta)})


explore(show, eps=["0.1", "0.5", "1", "2", "4"], delta=["0", "0.05", "0.2"])

# %% [markdown]
# A smaller $\varepsilon$ pushes the corner towards the diagonal, where a test is as good as a coin. A larger
# $\delta$ lets the region reach the axes: with probability $\delta$ anything may happen.

# %% [markdown]
# ## A mechanism has a region, too
#
# Randomised response tells the truth with probability $e^\varepsilon/(1+e^\varepsilon)$. It uses up all that
# the guarantee allows: its region *is* the region of the guarantee.

# %%
from symdp import RandomisedResponse

response = RandomisedResponse("log(3)")
its_region = PrivacyRegion.of(response)
assert its_region.corners == PrivacyRegion.guarantee("log(3)").corners
its_region

# %% [markdown]
# Other mechanisms stay strictly inside, or fit no single guarantee at all. Gaussian noise has a curved
# boundary; Laplace noise touches both lines, and is curved between them.

# %%
from symdp import Gaussian, Laplace

ax = plot_regions({
    "guarantee, $\\varepsilon = 1$": PrivacyRegion.guarantee("1"),
    "Laplace noise, $\\varepsilon = 1$": Laplace.private(1),
    "Gaussian noise, variance 4": Gaussian(variance=4),
})

# %% [markdown]
# The curve of a mechanism answers every question: for each $\varepsilon$ there is a smallest $\delta$, and
# all printed digits are certain.

# %%
needed = Gaussian(variance=4).delta(epsilon=1, digits=12)
assert needed.lower > 0 and needed.upper < Rational("0.02")
needed

# %% [markdown]
# ## What is claimed, and what becomes of it

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

# %%
ledger.settle("kov/thm-2.1")

# %% [markdown]
# A sharper form of `kov/thm-2.1`: the second condition for $(D_0,D_1,S)$ is the first for $(D_1,D_0,\bar S)$, and the ranges of $\varepsilon$ and $\delta$ are not used.

# %%
ledger.settle("kov/thm-2.1.sharper")

# %%
ledger.settle("kov/cor-2.3")

# %%
ledger.settle("icml/fig-1.corner")

# %% [markdown]
# The last of these is read off a figure: the corner and the intercepts of the region, as labelled.

# %%
assert ledger["kov/thm-2.1.sharper"] == "proved"
assert ledger["icml/fig-1.corner"] == "proved"

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "best-advantage-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### How much better than a coin
#
# A database holds one bit, each value equally likely. A mechanism is $(\varepsilon,0)$-private. The best
# test guesses the bit with some probability of success $s$; its *advantage* is $2s-1$. How large can the
# advantage be, as a formula in `eps`?
#
# *Check with* `exercise("best-advantage").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "best-advantage-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "tanh(eps/2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "best-advantage-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("best-advantage").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "corner-with-delta-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The corner of a region
#
# The region of $(\varepsilon,\delta)$-privacy has a corner at which both errors are equal. Give that error
# as a formula in `eps` and `delta`.
#
# *Check with* `exercise("corner-with-delta").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "corner-with-delta-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1-delta)/(1+exp(eps))"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "corner-with-delta-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("corner-with-delta").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "small-epsilon-error-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### A bound on the advantage
#
# Find the smallest constant $c$ with $\tanh(\varepsilon/2)\le c\,\varepsilon$ for all $\varepsilon\ge0$.
#
# *Check with* `exercise("small-epsilon-error").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "small-epsilon-error-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "small-epsilon-error-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("small-epsilon-error").check(answer)
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
