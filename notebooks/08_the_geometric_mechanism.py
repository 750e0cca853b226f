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
# ## The noise

# %%
lookup("kov/sec-4.2")

# %% [markdown]
# In Section 4.2, $\varepsilon>0$.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
from symdp import Geometric, Laplace, PrivacyRegion, compose


def show(eps):
    from math import exp
    a = exp(-float(eps))
    values = range(-8, 10)
    fig, ax = pyplot.subplots()
    for count, shift in ((0, -0.2), (1, 0.2)):
        heights = [(1 - a) / (1 + a) * a ** abs(n - count) for n in values]
        ax.bar([n + shift for n in values], heights, width=0.4, label=f"the count is {count}")
    ax.set_xticks(range(-8, 10, 2))
    ax.set_xlabel("answer")
    ax.set_ylabel("probability")
    ax.set_title(f"$\\varepsilon = {eps}$")
    ax.legend()


explore(show, eps=["0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2"])

# %% [markdown]
# ## Two outcomes tell everything
#
# Compare the two colours. For every answer up to 0 the blue bar is higher, and for every answer from 1 on the orange one:
# always by the same factor $e^{\varepsilon}$. So the observer need only know the side, and what is left is a coin.

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
#
# A coin with that bias *is* randomised response. So a hundred counts cost exactly what the optimal composition theorem allows
# in the worst case, and a hundred Laplace answers a little less.

# %%
counts = compose(Geometric("0.1"), 100).epsilon(delta="1e-6", digits=12)
reals = compose(Laplace.private("0.1"), 100).epsilon(delta="1e-6", digits=12)
assert reals.upper < counts.lower
Markdown(f"100 counts: {counts}\n\n100 Laplace answers: {reals}")

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/sec-4.2.geometric-pmf")

# %%
ledger.show("kov/sec-4.2.composed-region")

# %% [markdown]
# **Sharper.** It is the formula behind it; otherwise the loss is $-\varepsilon$.

# %%
ledger.show("kov/sec-4.2.composed-region.loss")

# %%
ledger.show("kov/thm-4.4")

# %% [markdown]
# **Corrected.** A missing condition: on two databases on which a query has the same answer the noisy answer tells nothing, while an $(\varepsilon,0)$-DP mechanism that looks at the database itself may; the theorem's proof speaks of the queries that differ.

# %%
ledger.show("kov/thm-4.4.corrected")

# %% [markdown]
# The printed theorem speaks of any two databases. If both have the same answer, the noise tells nothing, while
# another mechanism may tell them apart. With mechanisms that see only the answer, the theorem holds.

# %%
assert ledger["kov/thm-4.4"] == "argued"
assert ledger["kov/thm-4.4.corrected"] == "argued"

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "geometric-at-zero-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### No noise at all
#
# Geometric noise takes the value $n$ with probability proportional to $e^{-\varepsilon|n|}$. With which
# probability is it 0? A formula in `eps`.
#
# Check your answer with `exercise("geometric-at-zero").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "geometric-at-zero-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1-exp(-eps))/(1+exp(-eps))"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "geometric-at-zero-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("geometric-at-zero").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "geometric-variance-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Its variance
#
# What is the variance of that noise, as a formula in `eps`?
#
# Check your answer with `exercise("geometric-variance").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "geometric-variance-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2*exp(-eps)/(1-exp(-eps))^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "geometric-variance-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("geometric-variance").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.

# %%
assert ledger.holds()
ledger
