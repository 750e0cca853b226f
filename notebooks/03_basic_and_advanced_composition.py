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
# # Basic and advanced composition
#
# Ask a private database $k$ questions, and the privacy losses pile up. How large is the total?
#
# Adding the losses is safe and pessimistic. Losses of random sign partly cancel, and their sum strays from
# its mean only like $\sqrt k$. A small probability of failure, the *slack* $\tilde\delta$, buys that
# improvement.
#
# **You will learn** the two classic theorems, where each is the better one, and that a theorem printed for
# "any $\delta>0$" may say more than it can keep.

# %% [markdown]
# **Made from** Theorem 3.1 and Theorem 3.2 of *The Composition Theorem for Differential Privacy*; Preview: Advanced Composition and Theorem (Advanced Composition Starting from Pure DP) of *Composition (DifferentialPrivacy.org)*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2013)
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
# ## Adding up

# %% [markdown]
# In Theorem 3.1, $\varepsilon>0$, $0\le\delta\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %%
lookup("kov/thm-3.1")

# %% [markdown]
# The losses of adaptively chosen mechanisms add up in the worst case, and so do the probabilities of failure.

# %% [markdown]
# ## Cancelling

# %% [markdown]
# In Theorem 3.2, $\varepsilon>0$, $0\le\delta\le 1$, $0<\tilde{\delta}\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %%
lookup("kov/thm-3.2")

# %% [markdown]
# The first term is the spread of a random walk of $k$ steps, cut where it has probability $\tilde\delta$. The
# second is its drift.

# %% [markdown]
# The figure shows *epsilon in total* against $k$, with the other variables held fixed. At each point the lowest curve is the best of the bounds.
#
# Change the values in `at` and run the cell again to see how the picture moves.

# %%
bounds = {
    "Advanced composition (Theorem 3.2)": statement("kov/thm-3.2").formulas["epsilon in total"],
    "Basic composition (Theorem 3.1)": statement("kov/thm-3.1").formulas["epsilon in total"],
}
at = {
    symbol("eps"): Rational("1/10"),
    symbol("slack"): Rational("1/1000000"),
}
values = range(1, 201)
ax = plot_bounds(bounds, symbol("k"), values, at, quantity="epsilon in total")

# %% [markdown]
# For few questions the straight line wins; for many, the root.

# %%
from symdp.privacy.bounds import by_name


def compare(k, eps):
    parts = [(eps, 0, k)]
    basic = by_name("basic").epsilon(parts, delta="1e-6", digits=8)
    advanced = by_name("advanced").epsilon(parts, delta="1e-6", digits=8)
    better = "advanced" if advanced.upper < basic.lower else "basic"
    display(Markdown(f"| | $k={k},\\ \\varepsilon={eps}$ |\n|:--|--:|\n"
                     f"| basic | {basic} |\n"
                     f"| advanced | {advanced} |\n| **better** | {better} |"))


explore(compare, k=[1, 10, 30, 100, 1000, 10000], eps=["0.01", "0.1", "1"])

# %% [markdown]
# ## What a verdict says

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
# ## Where the root begins to win
#
# With Steinke's form of the bound, $\varepsilon\sqrt{2k\log(1/\delta)}+k\varepsilon^2/2$, the threshold has a
# closed form. Both directions are claims, and the prover settles them for all $k$, $\varepsilon$ and $\delta$ at once.

# %%
ledger.settle("blog/sec-advanced.neither")

# %% [markdown]
# A sharper form of `neither`: it tells which of the two is the better one.

# %%
ledger.settle("blog/sec-advanced.neither.threshold")

# %% [markdown]
# A sharper form of `neither`: the threshold is exact.

# %%
ledger.settle("blog/sec-advanced.neither.converse")

# %% [markdown]
# Preview: Advanced Composition has further claims; `symdp audit blog/sec-advanced` gives each its verdict.

# %%
assert ledger["blog/sec-advanced.neither.threshold"] == "proved"
assert ledger["blog/sec-advanced.neither.converse"] == "proved"

# %% [markdown]
# ## The theorems, settled

# %%
ledger.settle("kov/thm-3.1")

# %% [markdown]
# A sharper form of `kov/thm-3.2`: the third entry of Theorem 3.4 replaces $e^{\varepsilon}-1$ by $\tanh(\varepsilon/2)$.

# %%
ledger.settle("kov/thm-3.2.centring-helps")

# %% [markdown]
# Theorem 3.2 has further claims; `symdp audit kov/thm-3.2` gives each its verdict.

# %% [markdown]
# The mean of the loss is $\varepsilon\tanh(\varepsilon/2)$, at most half of what the theorem allows for it.

# %%
ledger.settle("blog/thm-advanced")

# %% [markdown]
# A corrected form of `blog/thm-advanced`: the printed domain has no upper end, and for $\delta>1$ the root of a negative number is taken; nothing is lost, for a $\delta$ of 1 or more promises nothing.

# %%
ledger.settle("blog/thm-advanced.corrected")

# %% [markdown]
# A sharper form of `blog/thm-advanced`: the mean $\varepsilon_j\tanh(\varepsilon_j/2)$ is less than $\varepsilon_j^2/2$.

# %%
ledger.settle("blog/thm-advanced.centred")

# %% [markdown]
# The printed theorem is stated for every $\delta>0$. Beyond 1 its logarithm is negative, and the root has
# no real value. For $\delta\le1$ all is well.

# %%
assert ledger["blog/thm-advanced"] == "refuted"
assert ledger["blog/thm-advanced.corrected"] == "proved"
assert ledger["kov/thm-3.1"] == "proved"

# %% [markdown]
# ## A question of your own
#
# `check` settles any inequality that you can write down. Is the drift really smaller than the square?

# %%
from symdp import check

verdict = check("eps*(exp(eps)-1)/(exp(eps)+1) <= eps^2/2", where=["eps > 0"])
assert verdict
verdict

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "when-advanced-wins-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### From how many questions on
#
# Take $\varepsilon\,\sqrt{2k\log(1/\tilde\delta)}+k\varepsilon^2/2$ as the advanced bound, with
# $\varepsilon=0.1$ and $\tilde\delta=10^{-6}$, and $k\varepsilon$ as the basic one. At which real $k$ are
# they equal?
#
# *Check with* `exercise("when-advanced-wins").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "when-advanced-wins-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2*log(10^6)/(1-0.1/2)^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "when-advanced-wins-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("when-advanced-wins").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "sum-of-deltas-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Leaks add up
#
# Each of two mechanisms gives the data away with probability `d`. Together they do so with probability
# $1-(1-d)^2$. Give a bound on that of the form $c\,d$, with the smallest constant $c$ that holds for all
# $0\le d\le1$.
#
# *Check with* `exercise("sum-of-deltas").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "sum-of-deltas-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "sum-of-deltas-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("sum-of-deltas").check(answer)
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
