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

# %% [markdown]
# In Lemma 1, $\varepsilon_{0}>0$ and $0<\delta_{0}\le 1$.

# %%
lookup("kov/lem-1")

# %%
from symdp.privacy.johnson_lindenstrauss.parameters import row_delta


def rows(epsilon):
    lines = ["| $w$ | $\\delta$ of a row |", "|--:|--:|"]
    before = None
    for w in (10, 20, 40, 80):
        one = row_delta(w, epsilon)
        assert before is None or one.upper <= before.upper, "more noise, more privacy"
        before = one
        lines.append(f"| {w} | {float(one):.3e} |")
    display(Markdown("\n".join(lines)))


explore(rows, epsilon=["0.2", "0.5", "1"])

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
ledger.settle("kov/lem-1.privacy")

# %% [markdown]
# A sharper form of `privacy`: the row that Lemma 1 makes is $(\varepsilon_0,\delta_0^2/4)$-DP.

# %%
ledger.settle("kov/lem-1.privacy.sharper")

# %%
ledger.settle("kov/lem-1.utility")

# %% [markdown]
# A corrected form of `utility`: missing conditions: the added weight blurs a cut by $w|S|(n-|S|)/(n-w)$, which is at most $2w|S|$ only for $w\le(n+|S|)/2$; and $r$ must be an integer.

# %%
ledger.settle("kov/lem-1.utility.corrected")

# %% [markdown]
# The printed lemma promises its accuracy without a condition on $w$ and $n$; an empty cut shows that one is needed.
# And the noise can be less than half as large.

# %%
assert ledger["kov/lem-1.utility"] == "refuted"
assert ledger["kov/lem-1.privacy.sharper"] == "proved"
assert ledger["kov/lem-1.utility.corrected"] == "proved"

# %%
ledger.settle("kov/eq-32.gain")

# %% [markdown]
# Equation (32) has further claims; `symdp audit kov/eq-32` gives each its verdict.

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "rank-one-update-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### One edge more
#
# Adding an edge multiplies one variance by at most $1+2/w$. Give the smallest constant $c$ with
# $\log(1+2/w)\le c/w$ for all $w>0$.
#
# *Check with* `exercise("rank-one-update").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "rank-one-update-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "rank-one-update-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("rank-one-update").check(answer)
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
