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
# # Noise and calibration
#
# A theorem on composition says how private $k$ noisy answers are together. Turned around, it says how much noise
# to add. Too little is a breach; too much is a useless answer.
#
# **You will learn** what the paper prescribes for Laplace and Gaussian noise, how much is *really* enough, and for
# which $\varepsilon$ the printed prescription fails.

# %% [markdown]
# **Made from** Corollary 4.2 and Theorem 4.3 of *The Composition Theorem for Differential Privacy*; Corollary 4.2 and Theorem 4.3 of *The Composition Theorem for Differential Privacy (ICML)*.
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
# ## What the paper prescribes

# %%
lookup("kov/cor-4.2")

# %% [markdown]
# In Corollary 4.2, $\varepsilon>0$, $0<\delta\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $\Delta>0$.

# %%
lookup("kov/thm-4.3")

# %% [markdown]
# In Theorem 4.3, $\varepsilon>0$, $0<\delta\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $\Delta>0$.

# %% [markdown]
# ## What is really enough
#
# `calibrate` finds the smallest variance by exact composition. Its upper end is certainly enough.

# %%
from symdp import calibrate

found = calibrate("0.5", "1e-6", 100, mechanism="gaussian", digits=8)
assert found.ratio.lower > 6
Markdown(f"| | variance |\n|:--|--:|\n| needed | {found.variance} |\n"
         f"| prescribed | {found.prescribed.variance} |\n| **ratio** | {found.ratio} |")


# %% [markdown]
# The prescription is safe there, and wasteful: more than six times the variance that is needed. The number of questions
# plays no role in that ratio. $k$ Gaussian answers are exactly as private as one answer with a $k$-th of
# the variance, so both variances grow like $k$.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def waste(delta):
    epsilons = ["1", "2", "5", "10", "20", "40", "60", "80", "100", "150", "200"]
    ratios = [float(calibrate(eps, delta, 1, mechanism="gaussian", digits=5).ratio)
              for eps in epsilons]
    assert ratios[0] > 1 > ratios[-1], "safe on the left, not private on the right"
    fig, ax = pyplot.subplots()
    ax.loglog([float(eps) for eps in epsilons], ratios, "o-")
    ax.axhline(1, color="#D55E00", linestyle="--", linewidth=1.2)
    ax.text(1, 0.93, "below this line the prescription is not private", va="top", color="#D55E00")
    ax.set_xlabel("$\\varepsilon$")
    ax.set_ylabel("prescribed / needed")
    ax.set_title(f"Gaussian noise, $\\delta$ = {delta}")


explore(waste, delta=["1e-6", "1e-4", "1e-3", "0.01", "0.1", "0.3", "0.5", "0.7", "0.9"])

# %% [markdown]
# Follow the curve to the right. For each $\delta$ on the slider it ends up below the line, where the prescribed noise is
# too little. We come back to that.

# %% [markdown]
# ## Which noise is best?
#
# For the same target, three kinds of noise side by side.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
counts = [1, 2, 5, 10, 20, 50]
fig, ax = pyplot.subplots()
variances = {}
styles = {"laplace": {"marker": "o"}, "gaussian": {"marker": "s", "linestyle": "--"},
          "geometric": {"marker": "o", "linestyle": ":", "ms": 11, "mfc": "none"}}
for name, style in styles.items():
    needed = [float(calibrate("0.5", "1e-6", k, mechanism=name, digits=5).variance)
              for k in counts]
    assert needed == sorted(needed), "more questions need more noise"
    variances[name] = needed
    ax.loglog(counts, needed, label=name, **style)
ax.set_xlabel("$k$")
ax.set_ylabel("variance needed")
ax.set_title("$\\varepsilon = 0.5$ and $\\delta = 10^{-6}$ in total")
legend = ax.legend()

# %% [markdown]
# For one question Laplace noise needs an eighth of the variance. For fifty, Gaussian noise needs about half. Geometric
# noise, on whole numbers, goes with Laplace noise all the way.

# %%
assert 8 * variances["laplace"][0] < variances["gaussian"][0]
assert 1.8 * variances["gaussian"][-1] < variances["laplace"][-1]

# %% [markdown]
# ## What is claimed, and what becomes of it
#
# The prescription for Gaussian noise is printed for every $\varepsilon$. The figure above suggests that this is too much.

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/thm-4.3")

# %%
assert ledger["kov/thm-4.3"] == "refuted"

# %% [markdown]
# See it with your own eyes: the variance prescribed at $\varepsilon=100$, and the $\delta$ that it really needs.

# %%
from sympy import E, log

from symdp import Gaussian

prescribed = 8 * log(E + 100 / Rational(1, 2)) / 100**2
needs = Gaussian(variance=prescribed).delta(epsilon=100, digits=10)
assert needs.lower > Rational(1, 2)
needs

# %% [markdown]
# The theorem promises $\delta=1/2$, and that is exceeded. The squared errors in the conference version are
# of the stated order, and the constant is known.

# %%
ledger.show("icml/cor-4.2.mse")

# %% [markdown]
# **Sharper.** The constant is known; for one answer the error is smaller by the factor $k$.

# %%
ledger.show("icml/cor-4.2.mse.constant")

# %%
ledger.show("icml/thm-4.3.mse")

# %% [markdown]
# **Sharper.** The constant is known; for one answer the error is smaller by the factor $k$.

# %%
ledger.show("icml/thm-4.3.mse.constant")

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "laplace-variance-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The price of a question
#
# Laplace noise on a query of sensitivity 1 is $(\varepsilon,0)$-private. What is its variance, as a formula
# in `eps`?
#
# Check your answer with `exercise("laplace-variance").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "laplace-variance-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2/eps^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "laplace-variance-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("laplace-variance").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "gaussian-composed-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Many Gaussians are one
#
# Gaussian noise of variance `v` is added to each of `k` answers of sensitivity 1. One Gaussian answer of
# sensitivity 1 is exactly as private as all of them together. What is its variance?
#
# Check your answer with `exercise("gaussian-composed").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "gaussian-composed-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "v/k"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "gaussian-composed-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("gaussian-composed").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-4.3` settles them all.

# %%
assert ledger.holds()
ledger
