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
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)
# - Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2015)

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
# ## What privacy promises
#
# A mechanism $M$ is $(\varepsilon,\delta)$-private if for any two neighbours $D_0$, $D_1$ and every set $S$ of answers
#
# $$\Pr[M(D_1)\in S]\ \le\ e^{\varepsilon}\,\Pr[M(D_0)\in S]+\delta .$$
#
# Think of $S$ as the answers on which the observer says "it was $D_1$". If it was $D_0$, that is a false alarm, and its
# probability $P_{\mathrm{FA}}$ stands on the right. If it was $D_1$ it is no error, so on the left stands
# $1-P_{\mathrm{MD}}$. Move one term, and privacy has become a line in the plane of the two errors:
#
# $$P_{\mathrm{MD}}+e^{\varepsilon}P_{\mathrm{FA}}\ \ge\ 1-\delta .$$
#
# Exchange the two databases for the second line.

# %% [markdown]
# ## The theorem

# %%
lookup("kov/thm-2.1")

# %% [markdown]
# In Theorem 2.1, $\varepsilon\ge 0$ and $0\le\delta\le 1$.
#
# It says: A mechanism is $(\varepsilon,\delta)$-DP if and only if, for all neighbours and all rejection sets, $P_{\mathrm{FA}}+e^\varepsilon P_{\mathrm{MD}}\ge1-\delta$ and $e^\varepsilon P_{\mathrm{FA}}+P_{\mathrm{MD}}\ge1-\delta$.

# %% [markdown]
# The two conditions cut two corners off the square of errors. What is left is the region of the guarantee. Here are
# its corners for $\varepsilon=1$ and $\delta=1/10$, exactly.

# %%
from symdp import PrivacyRegion
from symdp.report.figures.regions import plot_regions

region = PrivacyRegion.guarantee("1", "1/10")
assert len(region.corners) == 5
region


# %% [markdown]
# Only tests below the diagonal are better than a coin, so only that half is drawn. The lower left corner
# is where an observer would like to be. Privacy keeps everybody away from it.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def show(eps, delta):
    name = f"$\\varepsilon = {eps},\\ \\delta = {delta}$"
    ax = plot_regions({name: PrivacyRegion.guarantee(eps, delta)})
    ax.plot([0, 1], [1, 0], ":", color="grey", linewidth=1)
    ax.text(0.53, 0.53, "as good as a coin", rotation=-45, ha="center", va="center", color="grey")
    ax.text(0.04, 0.05, "out of reach", color="#D55E00")


explore(show, eps=["0.1", "0.2", "0.35", "0.5", "1", "1.5", "2", "3", "4"],
        delta=["0", "0.01", "0.02", "0.05", "0.1", "0.15", "0.2"])

# %% [markdown]
# Move the sliders (in a running notebook). A smaller $\varepsilon$ pushes the corner towards the diagonal, where a test is as good as a coin. A larger
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
# The curve of a mechanism answers every question: for each $\varepsilon$ there is a smallest $\delta$. Gaussian noise of
# variance 4 is not $(1,0)$-private, but it is $(1,\delta)$-private with this $\delta$, and all printed digits are certain.

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
# - **argued**: a part of the argument is in words, or was computed by code that the kernel does not check; it is
#   never counted as proved;
# - **supported**: a search agrees, without a proof;
# - **undecided**: the search ended without an answer, which says nothing about the truth;
# - **cited**: known from elsewhere, with its reference.
#
# A claim is settled as it was printed. Where the printed form fails, look for a corrected one
# beside it.

# %%
ledger.show("kov/thm-2.1")

# %% [markdown]
# **Sharper.** The second condition for $(D_0,D_1,S)$ is the first for $(D_1,D_0,\bar S)$, and the ranges of $\varepsilon$ and $\delta$ are not used.

# %%
ledger.show("kov/thm-2.1.sharper")

# %%
ledger.show("kov/cor-2.3")

# %%
ledger.show("icml/fig-1.corner")

# %% [markdown]
# The last of these is read off a figure of the paper: the corner and the intercepts of the region, as labelled there.
#
# A notebook must not say what is not so. Cells such as the next one make it stop if a verdict ever changes.

# %%
assert ledger["kov/thm-2.1.sharper"] == "argued"
assert ledger["icml/fig-1.corner"] == "proved"

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "best-advantage-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### How much better than a coin
#
# A database holds one bit, each value equally likely. A mechanism is $(\varepsilon,0)$-private. The best
# test guesses the bit with some probability of success $s$; its *advantage* is $2s-1$. How large can the
# advantage be, as a formula in `eps`?
#
# Check your answer with `exercise("best-advantage").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "best-advantage-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "tanh(eps/2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "best-advantage-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("best-advantage").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "corner-with-delta-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The corner of a region
#
# The region of $(\varepsilon,\delta)$-privacy has a corner at which both errors are the same $P$. How large is the
# advantage $1-2P$ of the test there? A formula in `eps` and `delta`.
#
# Check your answer with `exercise("corner-with-delta").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "corner-with-delta-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(exp(eps)-1+2*delta)/(exp(eps)+1)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "corner-with-delta-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("corner-with-delta").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "small-epsilon-error-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### A bound on the advantage
#
# Find the smallest constant $c$ with $\tanh(\varepsilon/2)\le c\,\varepsilon$ for all $\varepsilon\ge0$.
#
# Check your answer with `exercise("small-epsilon-error").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "small-epsilon-error-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "small-epsilon-error-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("small-epsilon-error").check(answer)
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
