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
# # The geometric mechanism
#
# Counts are whole numbers, and their noise should be as well. Geometric noise is the discrete sister of
# Laplace noise, with a remarkable property: under composition it is exactly as private as randomised response, no
# more and no less.
#
# **You will learn** its distribution, why two of its answers tell everything, and what is missing in the
# printed theorem on its optimality.

# %% [markdown]
# **Made from** Section 4.2 and Theorem 4.4 of *The Composition Theorem for Differential Privacy*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2013)

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
# ## The noise

# %% [markdown]
# In Section 4.2, $\varepsilon>0$.

# %%
lookup("kov/sec-4.2")

# %%
from symdp import Geometric, Laplace, PrivacyRegion, compose


def show(eps):
    from matplotlib import pyplot
    import math
    a = math.exp(-float(Rational(eps)))
    values = range(-8, 9)
    ax = pyplot.subplots(figsize=(6, 3.2), layout="constrained")[1]
    heights = [(1 - a) / (1 + a) * a ** abs(n) for n in values]
    ax.bar(values, heights, color="#0072B2", width=0.6)
    ax.set_xlabel("noise")
    ax.set_ylabel("probability")
    ax.set_title(f"$\\varepsilon = {eps}$", fontsize="medium")


explore(show, eps=["0.2", "0.5", "1", "2"])

# %% [markdown]
# ## Two outcomes tell everything
#
# On two counts that differ by one, every answer on one side has the same likelihood ratio. So the observer need
# only know the side: what is left is a coin.

# %%
pair = Geometric(epsilon="log(3)").finite_pair()
assert pair.p == (Rational("3/4"), Rational("1/4"))
assert PrivacyRegion.of(pair).corners == PrivacyRegion.guarantee("log(3)").corners
pair

# %% [markdown]
# Laplace noise with the same $\varepsilon$ is more private than that, but its variance is larger.

# %%
ours, theirs = Geometric(1).variance(digits=10), Laplace.private(1).variance(digits=10)
assert ours.upper < theirs.lower
Markdown(f"variance of geometric noise {ours}, of Laplace noise {theirs}")

# %% [markdown]
# ## Under composition

# %%
counts = compose(Geometric("0.1"), 100).epsilon(delta="1e-6", digits=12)
reals = compose(Laplace.private("0.1"), 100).epsilon(delta="1e-6", digits=12)
assert reals.upper < counts.lower
Markdown(f"100 counts: {counts}\n\n100 Laplace answers: {reals}")

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
ledger.settle("kov/sec-4.2.geometric-pmf")

# %%
ledger.settle("kov/sec-4.2.composed-region")

# %%
ledger.settle("kov/thm-4.4")

# %% [markdown]
# A corrected form of `kov/thm-4.4`: a missing condition: on two databases on which a query has the same answer the noisy answer tells nothing, while an $(\varepsilon,0)$-DP mechanism that looks at the database itself may; the theorem's proof speaks of the queries that differ.

# %%
ledger.settle("kov/thm-4.4.corrected")

# %% [markdown]
# The printed theorem speaks of any two databases. If both have the same answer, the noise tells nothing, while
# another mechanism may tell them apart. With mechanisms that see only the answer, the theorem holds.

# %%
assert ledger["kov/thm-4.4"] == "refuted"
assert ledger["kov/thm-4.4.corrected"] == "proved"

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "geometric-at-zero-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### No noise at all
#
# Geometric noise takes the value $n$ with probability proportional to $e^{-\varepsilon|n|}$. With which
# probability is it 0? A formula in `eps`.
#
# *Check with* `exercise("geometric-at-zero").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "geometric-at-zero-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1-exp(-eps))/(1+exp(-eps))"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "geometric-at-zero-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("geometric-at-zero").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "geometric-variance-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Its variance
#
# What is the variance of that noise, as a formula in `eps`?
#
# *Check with* `exercise("geometric-variance").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "geometric-variance-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2*exp(-eps)/(1-exp(-eps))^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "geometric-variance-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("geometric-variance").check(answer)
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
