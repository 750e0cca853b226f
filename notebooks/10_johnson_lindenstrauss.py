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
# # The Johnson-Lindenstrauss mechanism
#
# A graph of friendships is to be published so that everybody can ask how many edges cross a cut, and nobody can
# tell whether a single edge is there. The trick: multiply the graph by a random matrix. Each row of the product is
# one private answer, and composition says what all rows cost.
#
# **You will learn** the mechanism, what one row costs, how the new composition theorem changes the noise, and that
# less than half of the printed noise is enough.

# %% [markdown]
# **Made from** Lemma 1 and Equation (32) of *The Composition Theorem for Differential Privacy*.
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
# ## The mechanism on a small graph
#
# Every pair of nodes gets a little weight first, so that no edge stands out.

# %%
from symdp.privacy.johnson_lindenstrauss.graphs import Graph

ring = Graph(12, {(i, (i + 1) % 12): 1 for i in range(12)})
assert ring.cut({0, 1, 2}) == 2
assert ring.spread((0, 6), w=2) <= 1 + Rational(2, 2)
Markdown(f"the cut around three neighbours has weight ${ring.cut({0, 1, 2})}$; "
         f"one more edge, across the ring, multiplies a variance by ${ring.spread((0, 6), w=2)}$")

# %% [markdown]
# ## What one row costs

# %%
lookup("kov/lem-1")

# %% [markdown]
# In Lemma 1, $\varepsilon_{0}>0$ and $0<\delta_{0}\le 1$.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
from symdp.privacy.johnson_lindenstrauss.parameters import row_delta


def rows(epsilon):
    weights = [5, 10, 20, 30, 40, 60, 80]
    found = [row_delta(w, epsilon) for w in weights]
    assert all(b.upper < a.lower for a, b in zip(found, found[1:])), "more noise, more privacy"
    fig, ax = pyplot.subplots()
    ax.semilogy(weights, [float(d) for d in found], "o-")
    ax.set_xlabel("weight $w$")
    ax.set_ylabel("$\\delta$ of one row")
    ax.set_title(f"$\\varepsilon = {epsilon}$ for each row")


explore(rows, epsilon=["0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "1"])

# %% [markdown]
# A row of the product is a normal vector, and one more edge changes its variance by a factor of at most $1+2/w$. More
# weight, less change: $\delta$ falls exponentially in $w$.

# %% [markdown]
# ## All rows together
#
# The old analysis uses Theorem 3.2, the new one Theorem 3.4.

# %%
from symdp.privacy.johnson_lindenstrauss.parameters import total

old, new = total("old", "3.2", "1/2", "1e-6", 100), total("new", "3.4", "1/2", "1e-6", 100)
assert new.upper < old.lower < Rational(1, 2)
Markdown(f"for a target of $1/2$: the old choice reaches {old}, the new one {new}")

# %%
from symdp.privacy.johnson_lindenstrauss.parameters import noise

eps, delta, r = symbol("eps"), symbol("delta"), symbol("r")
bounds = {"old analysis": noise("old"), "new analysis": noise("new")}
ax = plot_bounds(bounds, eps, [Rational(2**i, 10**6) for i in range(21)],
                 {delta: Rational(1, 10**6), r: 100}, quantity="noise $w$",
                 log_x=True, log_y=True)

# %% [markdown]
# Where $\varepsilon$ is not much larger than $\delta$, the new analysis needs a third of the noise. Near
# $\varepsilon=1$ the two meet, and the prover knows on which side: the new logarithm is the smaller one as long as
# $\varepsilon\le1-e\,\delta/2$.

# %%
from symdp import check

verdict = check("e + 2*eps/delta <= 2/delta",
                where=["0 < delta <= 1/2", "0 < eps", "eps <= 1 - e*delta/2"])
assert verdict
verdict

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %% [markdown]
# **Sharper.** It is the formula behind the lemma; that this pair is the worst is said in words.

# %%
ledger.show("kov/lem-1.privacy.two-variances")

# %%
ledger.show("kov/lem-1.utility")

# %% [markdown]
# The printed lemma promises its accuracy without a condition on $w$ and $n$; an empty cut shows that one is needed.
# And the noise can be less than half as large.

# %%
assert ledger["kov/lem-1.utility"] == "argued"

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "rank-one-update-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### One edge more
#
# Adding an edge multiplies one variance by at most $1+2/w$. Give the smallest constant $c$ with
# $\log(1+2/w)\le c/w$ for all $w>0$.
#
# Check your answer with `exercise("rank-one-update").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "rank-one-update-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "rank-one-update-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("rank-one-update").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/eq-32` settles them all.

# %%
assert ledger.holds()
ledger
