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
# # Data processing and simulation
#
# What is computed from a private answer stays private: whoever processes it learns nothing new. The converse
# is deeper. If one mechanism is never easier to test than another, it can be *made* from the other by adding
# noise afterwards.
#
# **You will learn** to process a mechanism, to build the map that makes one mechanism from another, and to
# read the reason where there is none.

# %% [markdown]
# **Made from** Equation (16) and Appendix A of *The Composition Theorem for Differential Privacy*.
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
# ## Processing never helps
#
# A mechanism with finitely many answers is a pair of distributions, one for each database. A stochastic map
# turns each answer into a random new one.

# %%
from symdp import FinitePair, PrivacyRegion, StochasticMap, post_process, simulate
from symdp.report.figures.regions import plot_regions

coin = FinitePair(["3/4", "1/4"], ["1/4", "3/4"])
noisy = post_process(coin, StochasticMap.of([["9/10", "1/10"], ["1/10", "9/10"]]))
assert PrivacyRegion.of(noisy) <= PrivacyRegion.of(coin)
noisy


# %% [markdown]
# The region shrinks towards the diagonal. It never grows, whatever the map: a test of the new answer *is* a test
# of the old one, with some coins tossed on the way, and those were allowed before.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def show(flip):
    q = Rational(flip)
    flipped = post_process(coin, StochasticMap.of([[1 - q, q], [q, 1 - q]]))
    assert PrivacyRegion.of(flipped) <= PrivacyRegion.of(coin)
    plot_regions({"the coin": coin, f"flipped with probability {flip}": flipped})


explore(show, flip=["0", "0.02", "0.05", "0.07", "0.1", "0.15", "0.2", "0.3", "0.5"])

# %% [markdown]
# ## Simulation: the converse
#
# Here is a die with three answers. Its region lies inside that of the coin.

# %%
die = FinitePair(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])
assert PrivacyRegion.of(die) <= PrivacyRegion.of(coin)
ax = plot_regions({"the coin": coin, "the die": die})

# %% [markdown]
# So there must be a map that makes the die from the coin. The toolkit finds it, in fractions: row by row, what becomes of
# each side of the coin.

# %%
made = simulate(coin, die)
again = post_process(coin, made)
assert (again.p, again.q) == (die.p, die.q)
made

# %% [markdown]
# In the other direction there is none, and the toolkit says why: an error pair that the coin achieves and the
# die does not.

# %%
reason = simulate(die, coin)
assert not isinstance(reason, StochasticMap)
reason

# %% [markdown]
# ## Why randomised response is the worst
#
# Every $(\varepsilon,\delta)$-private pair has a region inside that of the guarantee, which is that of
# randomised response. So each such mechanism is a processed randomised response.

# %%
from symdp import RandomisedResponse

worst = RandomisedResponse("log(3)", "1/10")
private = FinitePair(["2/5", "2/5", "1/5"], ["1/5", "2/5", "2/5"])
assert PrivacyRegion.of(private) <= PrivacyRegion.of(worst)
made = simulate(worst, private)
assert isinstance(made, StochasticMap)
made

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
lookup("kov/eq-16")

# %% [markdown]
# In Equation (16), $\varepsilon\ge 0$ and $0\le\delta\le 1$.
#
# It says: The symbol is $(\varepsilon,\delta)$-DP for the bit.

# %%
ledger.show("kov/eq-16.dp")

# %%
ledger.show("kov/eq-16.region")

# %% [markdown]
# **Corrected.** (3) is symmetric about the middle of the square and (2) is not bounded above; they agree below the diagonal, which is all that is used.

# %%
ledger.show("kov/eq-16.region.corrected")

# %% [markdown]
# The printed claim speaks of the whole region; the response reaches only its lower boundary. Already at
# $\varepsilon=\delta=0$ the two differ, and the corrected form is proved.

# %%
assert ledger["kov/eq-16.region"] == "refuted"
assert ledger["kov/eq-16.region.corrected"] == ledger["kov/eq-16.dp"] == "proved"

# %% [markdown]
# The paper's appendix does the simulation for randomised response step by step.

# %% [markdown]
# Printed in Appendix A, proof of (b), last sentence.

# %%
ledger.show("kov/app-a.tv-form")

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "flipped-twice-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### A response that is flipped again
#
# A randomised response tells the truth with probability $p$. Somebody flips its answer with probability
# $q$. With which probability is the result the truth? A formula in `p` and `q`.
#
# Check your answer with `exercise("flipped-twice").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "flipped-twice-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "p*(1-q) + (1-p)*q"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "flipped-twice-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("flipped-twice").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "weaker-guarantee-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### What follows from pure privacy
#
# A mechanism is $(\varepsilon,0)$-private. For which smallest $\delta$ is it certainly
# $(\varepsilon/2,\delta)$-private? A formula in `eps`.
#
# Check your answer with `exercise("weaker-guarantee").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "weaker-guarantee-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(exp(eps)-exp(eps/2))/(exp(eps)+1)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "weaker-guarantee-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("weaker-guarantee").check(answer)
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
