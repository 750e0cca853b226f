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
# # Heterogeneous mechanisms
#
# Real systems ask different questions: a few that cost much, many that cost little. The theorems of the last
# notebooks have all mechanisms alike. This one lets each have its own $\varepsilon_\ell$ and $\delta_\ell$.
#
# **You will learn** what takes the place of $k\varepsilon$ and $k\varepsilon^2$, how to compute the exact total
# for a list of mechanisms, and how to share a budget between questions.

# %% [markdown]
# **Made from** Theorem 3.5 of *The Composition Theorem for Differential Privacy*; Theorem 3.16 of *A note on Theorem 3.20, advanced composition*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)
# - Cynthia Dwork and Aaron Roth: *The Algorithmic Foundations of Differential Privacy* (2014)

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
lookup("kov/thm-3.5")

# %% [markdown]
# In Theorem 3.5, $0\le\tilde{\delta}\le 1$.

# %% [markdown]
# Sums take the places of products: the losses add up, and so do their squares. The proof is that of the last notebook,
# word for word. The moment generating functions of independent losses multiply, so their exponents
# $\lambda^2\varepsilon_\ell^2/2$ add up.

# %% [markdown]
# ## The exact total of a list
#
# Each entry is $(\varepsilon,\delta)$ or $(\varepsilon,\delta,\text{count})$.

# %%
from symdp import compose
from symdp.privacy.accounting.bounds import by_name

parts = [("0.1", "1e-8", 100), ("0.25", 0, 4), ("0.5", 0)]
exact = compose(parts).epsilon(delta="1e-5", digits=10)
bound = by_name("simplified").epsilon(parts, delta="1e-5", digits=10)
basic = by_name("basic").epsilon(parts, delta="1e-5", digits=10)
assert exact.upper < bound.lower < basic.lower
Markdown("| | $\\varepsilon$ in total |\n|:--|--:|\n"
         f"| exact | {exact} |\n| Theorem 3.5 | {bound} |\n| basic | {basic} |")

# %% [markdown]
# The order of the questions does not matter: the worst case is the same, to the last digit.

# %%
assert compose(parts[::-1]).epsilon(delta="1e-5", digits=10).middle == exact.middle


# %% [markdown]
# ## Sharing a budget
#
# Two groups of questions share a total loss of 4: 20 questions get a share, 20 others the rest. Is it cheaper
# to treat them alike?

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def share(delta):
    first = [Rational(i, 100) for i in range(1, 20, 2)]
    totals = []
    for e in first:
        groups = compose([(e, 0, 20), (Rational(1, 5) - e, 0, 20)])
        totals.append(float(groups.epsilon(delta=delta, digits=6)))
    assert min(totals) in totals[4:6], "the cheapest are in the middle"
    fig, ax = pyplot.subplots()
    ax.plot([float(e) for e in first], totals, "o-")
    ax.axvline(0.1, color="grey", linestyle=":", linewidth=1)
    ax.set_xlabel("$\\varepsilon$ of each question in the first group")
    ax.set_ylabel("$\\varepsilon$ in total")
    ax.set_title(f"$\\delta = ${delta}; dotted: equal shares")


explore(share, delta=["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"])

# %% [markdown]
# Equal shares are the cheapest: for a given sum, the sum of squares is least when all are alike.

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/thm-3.5.linear-branch")

# %%
ledger.show("kov/thm-3.5.classic-branch")

# %%
assert ledger["kov/thm-3.5.linear-branch"] == "proved"
assert ledger["kov/thm-3.5.classic-branch"] == "proved"

# %% [markdown]
# The rest of $\delta$ is a product: nothing leaks exactly if no mechanism leaks. That is never more than the sum,
# which is what an earlier bound used.

# %%
ledger.show("note/thm-3.16.basic")

# %% [markdown]
# **Sharper.** $1-(1-\delta)^k$ is at most $k\delta$.

# %%
ledger.show("note/thm-3.16.basic.product")

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "two-different-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Two different responses
#
# Two randomised responses have $\varepsilon=a$ and $\varepsilon=b$. The mean of the sum of their losses is a
# formula in `a` and `b`: which?
#
# Check your answer with `exercise("two-different").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "two-different-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "a*tanh(a/2) + b*tanh(b/2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "two-different-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("two-different").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "squares-are-least-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Equal shares are cheapest
#
# Two losses $a$ and $b$ have a given sum. The advanced bound depends on $a^2+b^2$. Give the largest constant
# $c$ with $a^2+b^2\ge c\,(a+b)^2$ for all $a,b\ge0$.
#
# Check your answer with `exercise("squares-are-least").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "squares-are-least-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "squares-are-least-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("squares-are-least").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-3.5` settles them all.

# %%
assert ledger.holds()
ledger
