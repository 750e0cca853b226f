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
# ## What the paper prescribes

# %% [markdown]
# In Corollary 4.2, $\varepsilon>0$, $0<\delta\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $\Delta>0$.

# %%
lookup("kov/cor-4.2")

# %% [markdown]
# In Theorem 4.3, $\varepsilon>0$, $0<\delta\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $\Delta>0$.

# %%
lookup("kov/thm-4.3")

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
# The prescription is safe there, and wasteful: more than six times the variance that is needed.

# %%
def waste(k):
    rows = ["| $\\varepsilon$ | needed | prescribed | ratio |", "|--:|--:|--:|--:|"]
    for eps in ("0.1", "0.3", "0.9"):
        one = calibrate(eps, "1e-6", k, mechanism="gaussian", digits=6)
        assert one.ratio.lower > 1
        rows.append(f"| {eps} | {one.variance} | {one.prescribed.variance} | {one.ratio} |")
    display(Markdown("\n".join(rows)))


explore(waste, k=[1, 10, 100, 1000])

# %% [markdown]
# ## Which noise is best?
#
# For the same target, three kinds of noise side by side.

# %%
from matplotlib import pyplot

counts = [1, 2, 5, 10, 20, 50]
ax = pyplot.subplots(figsize=(6, 3.6), layout="constrained")[1]
variances = {}
for name, style in (("laplace", "o-"), ("gaussian", "s--"), ("geometric", "^:")):
    needed = [float(calibrate("0.5", "1e-6", k, mechanism=name, digits=5).variance)
              for k in counts]
    assert needed == sorted(needed), "more questions need more noise"
    variances[name] = needed
    ax.loglog(counts, needed, style, label=name)
ax.set_xlabel("$k$")
ax.set_ylabel("variance needed")
ax.legend(frameon=False)
ax.grid(alpha=0.25)

# %% [markdown]
# For one question Laplace noise needs an eighth of the variance. For fifty, Gaussian noise needs about half.

# %%
assert 8 * variances["laplace"][0] < variances["gaussian"][0]
assert 1.8 * variances["gaussian"][-1] < variances["laplace"][-1]

# %% [markdown]
# ## What is claimed, and what becomes of it
#
# The prescription for Gaussian noise is printed for every $\varepsilon$. Does it hold for a large one?

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
ledger.settle("kov/thm-4.3")

# %% [markdown]
# Theorem 4.3 has further claims; `symdp audit kov/thm-4.3` gives each its verdict.

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
ledger.settle("icml/cor-4.2.mse")

# %% [markdown]
# A sharper form of `mse`: the constant is known; for one answer the error is smaller by the factor $k$.

# %%
ledger.settle("icml/cor-4.2.mse.constant")

# %%
ledger.settle("icml/thm-4.3.mse")

# %% [markdown]
# A sharper form of `mse`: the constant is known; for one answer the error is smaller by the factor $k$.

# %%
ledger.settle("icml/thm-4.3.mse.constant")

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "laplace-variance-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The price of a question
#
# Laplace noise on a query of sensitivity 1 is $(\varepsilon,0)$-private. What is its variance, as a formula
# in `eps`?
#
# *Check with* `exercise("laplace-variance").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "laplace-variance-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2/eps^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "laplace-variance-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("laplace-variance").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "gaussian-composed-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Many Gaussians are one
#
# Gaussian noise of variance `v` is added to each of `k` answers of sensitivity 1. One Gaussian answer of
# sensitivity 1 is exactly as private as all of them together. What is its variance?
#
# *Check with* `exercise("gaussian-composed").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "gaussian-composed-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "v/k"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "gaussian-composed-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("gaussian-composed").check(answer)
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
