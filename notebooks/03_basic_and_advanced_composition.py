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
# ## Adding up

# %%
lookup("kov/thm-3.1")

# %% [markdown]
# In Theorem 3.1, $\varepsilon>0$, $0\le\delta\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %% [markdown]
# Why? Each answer multiplies the likelihood ratio of the two databases by at most $e^\varepsilon$. After $k$ answers it is
# at most $e^{k\varepsilon}$, and with each answer something may go wrong with probability $\delta$.

# %% [markdown]
# ## Cancelling

# %%
lookup("kov/thm-3.2")

# %% [markdown]
# In Theorem 3.2, $\varepsilon>0$, $0\le\delta\le 1$, $0<\tilde{\delta}\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %% [markdown]
# Why? The logarithm of the likelihood ratio is a random walk: $k$ steps, each between $-\varepsilon$ and $\varepsilon$. The
# first term is how far such a walk strays, except with probability $\tilde\delta$. The second is its drift.

# %% [markdown]
# The figure shows $\varepsilon$ in total against $k$, with the other variables held fixed. At each point the lowest curve is the best of the bounds.
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
ax = plot_bounds(bounds, symbol("k"), values, at, quantity="$\\varepsilon$ in total")

# %% [markdown]
# For few questions the straight line wins; for many, the root. Where do they cross? That depends on $\varepsilon$.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
from symdp.privacy.accounting.bounds import by_name


def compare(eps):
    counts = [round(10 ** (i / 8)) for i in range(33)]
    totals = {name: [by_name(name).epsilon([(eps, 0, k)], delta="1e-6", digits=8) for k in counts]
              for name in ("basic", "advanced")}
    pairs = zip(counts, totals["basic"], totals["advanced"])
    first = next((k for k, basic, advanced in pairs if advanced.upper < basic.lower), None)
    fig, ax = pyplot.subplots()
    for (name, values), dash in zip(totals.items(), ("--", "-")):
        ax.loglog(counts, [float(v) for v in values], dash, label=name)
    if first:
        ax.axvline(first, color="grey", linestyle=":", linewidth=1)
    ax.set_xlabel("$k$")
    ax.set_ylabel("$\\varepsilon$ in total")
    ax.set_title(f"each $\\varepsilon = {eps}$, total $\\delta = 10^{{-6}}$")
    ax.legend()


explore(compare, eps=["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"])

# %% [markdown]
# The dotted line is the first count in the figure at which the advanced bound is the lower one. With $\varepsilon=1$ there
# is none: the drift $k\varepsilon(e^\varepsilon-1)$ alone is more than $k\varepsilon$.

# %% [markdown]
# ## Where the root begins to win
#
# With Steinke's form of the bound, $\varepsilon\sqrt{2k\log(1/\delta)}+k\varepsilon^2/2$, the threshold has a
# closed form. Both directions are claims, and the prover settles them for all $k$, $\varepsilon$ and $\delta$ at once.

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("blog/sec-advanced.neither")

# %% [markdown]
# **Sharper.** It tells which of the two is the better one.

# %%
ledger.show("blog/sec-advanced.neither.threshold")

# %% [markdown]
# **Sharper.** The threshold is exact.

# %%
ledger.show("blog/sec-advanced.neither.converse")

# %%
assert ledger["blog/sec-advanced.neither.threshold"] == "proved"
assert ledger["blog/sec-advanced.neither.converse"] == "proved"

# %% [markdown]
# ## The theorems, settled

# %%
ledger.show("kov/thm-3.1")

# %% [markdown]
# **Sharper.** The third entry of Theorem 3.4 replaces $e^{\varepsilon}-1$ by $\tanh(\varepsilon/2)$.

# %%
ledger.show("kov/thm-3.2.centring-helps")

# %% [markdown]
# The mean of the loss is $\varepsilon\tanh(\varepsilon/2)$, at most half of what the theorem allows for it.

# %%
ledger.show("blog/thm-advanced")

# %% [markdown]
# **Sharper.** The mean $\varepsilon_j\tanh(\varepsilon_j/2)$ is less than $\varepsilon_j^2/2$.

# %%
ledger.show("blog/thm-advanced.centred")

# %% [markdown]
# The printed theorem is stated for every $\delta>0$. From $\delta=1$ on nothing is promised, so that the
# logarithm, negative beyond 1, does no harm.

# %%
assert ledger["blog/thm-advanced"] == "proved"
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
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "when-advanced-wins-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### From how many questions on
#
# Take $\varepsilon\,\sqrt{2k\log(1/\tilde\delta)}+k\varepsilon^2/2$ as the advanced bound, with
# $\varepsilon=0.1$ and $\tilde\delta=10^{-6}$, and $k\varepsilon$ as the basic one. At which real $k$ are
# they equal?
#
# Check your answer with `exercise("when-advanced-wins").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "when-advanced-wins-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2*log(10^6)/(1-0.1/2)^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "when-advanced-wins-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("when-advanced-wins").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "sum-of-deltas-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Leaks add up
#
# Each of two mechanisms gives the data away with probability `d`. Together they do so with probability
# $1-(1-d)^2$. Give a bound on that of the form $c\,d$, with the smallest constant $c$ that holds for all
# $0\le d\le1$.
#
# Check your answer with `exercise("sum-of-deltas").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "sum-of-deltas-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "sum-of-deltas-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("sum-of-deltas").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-3.1`, `symdp audit kov/thm-3.2`, `symdp audit blog/sec-advanced` and `symdp audit blog/thm-advanced` settle them all.

# %%
assert ledger.holds()
ledger
