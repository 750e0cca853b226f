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
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)
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
# ## An expansion that keeps its promise
#
# A computer algebra system gives terms and an $O(\cdot)$. Here the remainder has a constant and a neighbourhood,
# and both are proved.

# %%
from symdp import expand

mean = expand("eps*tanh(eps/2)", "eps", 0, 4, where=["eps > 0"])
assert mean.constant > 0 and mean.radius > 0
mean


# %% [markdown]
# The next figure shows the terms, the truth, and the band that the remainder is proved to stay in.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def show(order):
    expand("eps*tanh(eps/2)", "eps", 0, order, where=["eps > 0"]).plot()


explore(show, order=[3, 4, 6])

# %% [markdown]
# The band holds the truth on the whole neighbourhood, and shrinks with the order.

# %% [markdown]
# ## A map of regimes
#
# Which branch of Theorem 3.4 is best depends on $k$ and $\varepsilon$. Colours say which; lines say by what factor
# even the best one exceeds the exact value.

# %%
from symdp.arguments.orders.crossovers import BRANCHES, crossover
from symdp.report.figures.regimes import plot_regimes, regimes

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
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/sec-1.drv-order")

# %% [markdown]
# **Corrected.** The bound (4) holds $k\varepsilon(e^\varepsilon-1)$, which is of the order of $k\varepsilon^2$ for bounded $\varepsilon$ only; a missing condition, which later sections have as $\varepsilon\le 0.9$.

# %%
ledger.show("kov/sec-1.drv-order.corrected")

# %% [markdown]
# The order of an earlier bound is printed with no range. For $\varepsilon\to\infty$ the ratio of the two sides
# grows without limit; for $\varepsilon\le1$ it is proved.

# %%
assert ledger["kov/sec-1.drv-order"] == "refuted"
assert ledger["kov/sec-1.drv-order.corrected"] == "proved"

# %% [markdown]
# **Sharper.** The third entry is always below (4); the regime only says where the second one gains a logarithm.

# %%
ledger.show("kov/sec-3.2.improves.sharper")

# %%
ledger.show("blog/sec-advanced.sqrt-noise")

# %%
ledger.show("blog/sec-advanced.linear-noise")

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "small-epsilon-mean-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The first term
#
# What is the first term of the expansion of $\varepsilon\,(e^\varepsilon-1)/(e^\varepsilon+1)$ at
# $\varepsilon=0$? A formula in `eps`.
#
# Check your answer with `exercise("small-epsilon-mean").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "small-epsilon-mean-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "eps^2/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "small-epsilon-mean-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("small-epsilon-mean").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "twice-the-questions-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Twice the questions
#
# For many questions and small losses, $\varepsilon_{\mathrm{total}}\approx
# \varepsilon\sqrt{2k\log(1/\tilde\delta)}$. By which factor does it grow if twice as many are asked?
#
# Check your answer with `exercise("twice-the-questions").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "twice-the-questions-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "sqrt(2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "twice-the-questions-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("twice-the-questions").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/sec-1`, `symdp audit kov/sec-3.2` and `symdp audit blog/sec-advanced` settle them all.

# %%
assert ledger.holds()
ledger
