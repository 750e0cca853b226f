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
# # The simplified bound and its proof
#
# The exact composition is a list of numbers. For the back of an envelope one wants a formula that fits on one
# line, and Theorem 3.4 is that formula.
#
# **You will learn** the formula and its three branches, the step of the proof that bounds a moment generating
# function, what is misprinted in that step, and that its constant can be halved.

# %% [markdown]
# **Made from** Theorem 3.4, Theorem 3.1, Theorem 3.2 and Section 7 of *The Composition Theorem for Differential Privacy*.
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
# ## The formula

# %% [markdown]
# In Theorem 3.4, $\varepsilon>0$, $0\le\delta\le 1$, $0\le\tilde{\delta}\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $c>0$.

# %%
lookup("kov/thm-3.4")

# %% [markdown]
# The figure shows *epsilon in total* against $k$, with the other variables held fixed. At each point the lowest curve is the best of the bounds.
#
# Change the values in `at` and run the cell again to see how the picture moves.

# %%
bounds = {
    "Simplified composition (Theorem 3.4)": statement("kov/thm-3.4").formulas["epsilon in total"],
    "Basic composition (Theorem 3.1)": statement("kov/thm-3.1").formulas["epsilon in total"],
    "Advanced composition (Theorem 3.2)": statement("kov/thm-3.2").formulas["epsilon in total"],
}
at = {
    symbol("eps"): Rational("1/10"),
    symbol("slack"): Rational("1/1000000"),
}
values = range(1, 201)
ax = plot_bounds(bounds, symbol("k"), values, at, quantity="epsilon in total")

# %% [markdown]
# ## How far from the truth
#
# The exact value is at hand (notebook 04), so we can see what the simplicity costs.

# %%
from symdp import RandomisedResponse, compose
from symdp.privacy.bounds import by_name


def cost(eps, slack):
    counts = [1, 3, 10, 30, 100, 300, 1000]
    ratios = []
    for k in counts:
        exact = compose(RandomisedResponse(eps), k).epsilon(delta=slack, digits=8)
        bound = by_name("simplified").epsilon([(eps, 0, k)], delta=slack, digits=8)
        assert exact.lower <= bound.upper, "a bound is never below the truth"
        ratios.append(float(bound) / float(exact))
    from matplotlib import pyplot
    ax = pyplot.subplots(figsize=(6, 3.2), layout="constrained")[1]
    ax.semilogx(counts, ratios, "o-", color="#0072B2")
    ax.set_xlabel("$k$")
    ax.set_ylabel("simplified bound / exact")
    ax.set_title(f"$\\varepsilon = {eps}$, slack {slack}", fontsize="medium")
    ax.grid(alpha=0.25)


explore(cost, eps=["0.01", "0.1", "0.5"], slack=["1e-9", "1e-6", "1e-3"])

# %% [markdown]
# For few questions the bound is the straight line, and nearly exact. It costs most where the branches meet, and for
# many questions less again.

# %% [markdown]
# ## The proof: a moment of the loss

# %% [markdown]
# In Section 7, $\varepsilon>0$, $\tilde{\varepsilon}>0$, $\lambda>0$, $0\le p\le 1$, $x\in\mathbb{R}$, $0\le\delta\le 1$, $0<\tilde{\delta}\le 1$, $k\in\mathbb{N},\ k\ge 1$ and $y\in\mathbb{R}$.

# %%
lookup("kov/sec-7")

# %% [markdown]
# The loss of randomised response is $\pm\varepsilon$. Its moment generating function is bounded by that of a
# normal variable, through an inequality in two variables:
#
# $$p\,e^{x}+(1-p)\,e^{-x}\ \le\ e^{(2p-1)x+x^2/2}.$$
#
# It touches: at $x=0$ both sides are 1 for every $p$, so no grid of numbers can prove it. The prover does.

# %%
from symdp import check

verdict = check("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", where=["0 <= p <= 1"])
assert verdict
verdict

# %% [markdown]
# In print, one line of that step has lost its exponential. The toolkit finds a point at which it fails.

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
# Printed in Section 7, [AS04, Lemma A.1.5].

# %%
ledger.settle("kov/sec-7.alon-spencer")

# %% [markdown]
# Printed in Section 7, moment generating function, second line.

# %%
ledger.settle("kov/sec-7.mgf-bound")

# %% [markdown]
# A corrected form of `mgf-bound`: the exponential was left out in print, and the tilde is a misprint.

# %%
ledger.settle("kov/sec-7.mgf-bound.corrected")

# %% [markdown]
# Printed in Section 7, moment generating function, first line.

# %%
ledger.settle("kov/sec-7.mgf-identity")

# %% [markdown]
# A corrected form of `mgf-identity`: the printed $\tilde{\varepsilon}$ is that of the whole composition, where $\varepsilon$ of one step belongs.

# %%
ledger.settle("kov/sec-7.mgf-identity.corrected")

# %% [markdown]
# Section 7 has further claims; `symdp audit kov/sec-7` gives each its verdict.

# %%
assert ledger["kov/sec-7.mgf-bound"] == ledger["kov/sec-7.mgf-identity"] == "refuted"
assert ledger["kov/sec-7.mgf-bound.corrected"] == "proved"
assert ledger["kov/sec-7.mgf-identity.corrected"] == "proved"

# %% [markdown]
# ## The theorem itself, and a better one

# %%
ledger.settle("kov/thm-3.4.linear-branch")

# %% [markdown]
# A corrected form of `simplified`: the printed domain includes $\tilde{\delta}=0$, at which $1/\tilde{\delta}$ is undefined.

# %%
ledger.settle("kov/thm-3.4.simplified.corrected")

# %% [markdown]
# A sharper form of `simplified`: the mean is $k\varepsilon\tanh(\varepsilon/2)$, and $\tanh(x)\le x$; neither 0.9 nor the factor 1 is needed.

# %%
ledger.settle("kov/thm-3.4.simplified.sharper")

# %% [markdown]
# Theorem 3.4 has further claims; `symdp audit kov/thm-3.4` gives each its verdict.

# %% [markdown]
# The paper asks for $\varepsilon\le0.9$ and replaces the mean of the loss by $k\varepsilon^2$. Half of that is
# enough, for every $\varepsilon$: that is what a machine notices and a reader in a hurry does not.

# %%
assert ledger["kov/thm-3.4.simplified.sharper"] == "proved"
verdict = check("eps*tanh(eps/2) <= 49/100*eps^2", where=["eps > 0"])
assert verdict.status == "refuted"
verdict

# %% [markdown]
# The constant $1/2$ is the best: with anything less the inequality fails, here at the point shown.

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "mean-of-the-loss-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The mean of the privacy loss
#
# The loss of a randomised response is $\varepsilon$ with probability $e^\varepsilon/(1+e^\varepsilon)$ and
# $-\varepsilon$ otherwise. What is its mean? A formula in `eps`.
#
# *Check with* `exercise("mean-of-the-loss").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "mean-of-the-loss-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "eps*tanh(eps/2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "mean-of-the-loss-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("mean-of-the-loss").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "best-mean-constant-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### A better constant
#
# The paper replaces the mean $\varepsilon\tanh(\varepsilon/2)$ by $\varepsilon^2$. Which is the smallest
# constant $c$ with $\varepsilon\tanh(\varepsilon/2)\le c\,\varepsilon^2$ for all $\varepsilon>0$?
#
# *Check with* `exercise("best-mean-constant").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "best-mean-constant-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "1/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "best-mean-constant-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("best-mean-constant").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "hoeffding-cosh-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The step behind Hoeffding's lemma
#
# Complete the inequality `cosh(x) <= ...` with an exponential of a multiple of $x^2$, so that it holds for all
# real $x$. You may answer with the right side or with the whole inequality.
#
# *Check with* `exercise("hoeffding-cosh").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "hoeffding-cosh-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "exp(x^2/2)"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "hoeffding-cosh-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("hoeffding-cosh").check(answer)
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
