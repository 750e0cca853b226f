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
# # Asymptotics and regimes
#
# "Of the order of $\sqrt{k\log(1/\delta)}$" is the way in which theorems are compared. But in which regime? A
# statement about orders without a range can be false although the theorem behind it is true.
#
# **You will learn** expansions whose remainder is proved, a map of where each bound is best, and two claims on
# orders that fail outside of the range their authors had in mind.

# %% [markdown]
# **Made from** Section 1 and Section 3.2 of *The Composition Theorem for Differential Privacy*; Preview: Advanced Composition of *Composition (DifferentialPrivacy.org)*.
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
# ## An expansion that keeps its promise
#
# A computer algebra system gives terms and an $O(\cdot)$. Here the remainder has a constant and a neighbourhood,
# and both are proved.

# %%
from symdp import expand

mean = expand("eps*tanh(eps/2)", "eps", 0, 4, where=["eps > 0"])
assert mean.constant > 0 and mean.radius > 0
mean


# %%
def show(order):
    expand("eps*tanh(eps/2)", "eps", 0, order, where=["eps > 0"]).plot()


explore(show, order=[3, 4, 6])

# %% [markdown]
# The band holds the truth on the whole neighbourhood, and shrinks with the order.

# %% [markdown]
# ## A map of regimes
#
# Which branch of Theorem 3.4 is best depends on $k$ and $\varepsilon$. Colours say which; lines say by what factor
# it exceeds the exact value.

# %%
from symdp.expansions.crossovers import BRANCHES, crossover
from symdp.reporting.regimes import plot_regimes, regimes

chart = regimes(BRANCHES, "1e-6", counts=[round(10 ** (i / 4)) for i in range(17)],
                epsilons=[f"{10 ** (i / 4 - 3):.4g}" for i in range(13)])
factors = [f for row in chart.factor for f in row if f == f]
assert min(factors) > 0.999, "no bound is below the truth"
ax = plot_regimes(chart)

# %% [markdown]
# Where two branches meet is enclosed, too.

# %%
at = {symbol("eps"): Rational(1, 10), symbol("slack"): Rational(1, 10**6)}
found = crossover(BRANCHES["linear"], BRANCHES["logarithmic"], symbol("k"), 1, 1000, at,
                  digits=6)
Markdown(f"the straight line is overtaken at $k = {found}$")

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
ledger.settle("kov/sec-1.drv-order")

# %% [markdown]
# A corrected form of `drv-order`: the bound (4) holds $k\varepsilon(e^\varepsilon-1)$, which is of the order of $k\varepsilon^2$ for bounded $\varepsilon$ only; a missing condition, which later sections have as $\varepsilon\le 0.9$.

# %%
ledger.settle("kov/sec-1.drv-order.corrected")

# %% [markdown]
# Section 1 has further claims; `symdp audit kov/sec-1` gives each its verdict.

# %%
ledger.settle("kov/sec-3.2.order")

# %% [markdown]
# Section 3.2 has further claims; `symdp audit kov/sec-3.2` gives each its verdict.

# %% [markdown]
# The order of an earlier bound is printed with no range. For $\varepsilon\to\infty$ the ratio of the two sides
# grows without limit; for $\varepsilon\le1$ it is proved.

# %%
assert ledger["kov/sec-1.drv-order"] == ledger["kov/sec-3.2.order"] == "refuted"
assert ledger["kov/sec-1.drv-order.corrected"] == "proved"

# %% [markdown]
# A sharper form of `improves`: the third entry is always below (4); the regime only says where the second one gains a logarithm.

# %%
ledger.settle("kov/sec-3.2.improves.sharper")

# %% [markdown]
# Section 3.2 has further claims; `symdp audit kov/sec-3.2` gives each its verdict.

# %%
ledger.settle("blog/sec-advanced.sqrt-noise")

# %%
ledger.settle("blog/sec-advanced.linear-noise")

# %% [markdown]
# Preview: Advanced Composition has further claims; `symdp audit blog/sec-advanced` gives each its verdict.

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "small-epsilon-mean-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The first term
#
# What is the first term of the expansion of $\varepsilon\,(e^\varepsilon-1)/(e^\varepsilon+1)$ at
# $\varepsilon=0$? A formula in `eps`.
#
# *Check with* `exercise("small-epsilon-mean").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "small-epsilon-mean-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "eps^2/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "small-epsilon-mean-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("small-epsilon-mean").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "twice-the-questions-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Twice the questions
#
# For many questions and small losses, $\varepsilon_{\mathrm{total}}\approx
# \varepsilon\sqrt{2k\log(1/\tilde\delta)}$. By which factor does it grow if twice as many are asked?
#
# *Check with* `exercise("twice-the-questions").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "twice-the-questions-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "sqrt(2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "twice-the-questions-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("twice-the-questions").check(answer)
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
