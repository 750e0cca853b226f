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
# # Check your own paper
#
# You have a draft. Somewhere in it is an inequality that was true in an earlier version, and a bound that holds only for
# small $\varepsilon$. Here you let the machine read it, before a referee does.
#
# **You will learn** to read the verdicts on a LaTeX text, to turn a refutation into a repair that is proved, to find the
# best constant, and to check an argument line by line.

# %% [markdown]
# **Made from** Theorem 3.2 of *The Composition Theorem for Differential Privacy*.
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
# ## A page of a draft
#
# It is LaTeX as authors write it: macros, a lemma, a chain of relations, hypotheses in words. Nothing is marked up.
# Change it, or put a page of your own in its place.

# %%
from pathlib import Path
from tempfile import mkdtemp

draft = Path(mkdtemp()) / "draft.tex"
draft.write_text(r"""\documentclass{article}
\usepackage{amsmath,amsthm}
\newtheorem{lemma}{Lemma}
\newcommand{\eps}{\varepsilon}
\begin{document}
Throughout, $\eps > 0$. A person tells the truth with probability
\[
  p := \frac{e^{\eps}}{1 + e^{\eps}} .
\]
\begin{lemma}
The variance of the estimate is
\begin{align}
  \frac{p (1 - p)}{(2p - 1)^{2}} &= \frac{e^{\eps}}{(e^{\eps} - 1)^{2}} \\
  &\le \frac{1}{2 \eps^{2}} .
\end{align}
\end{lemma}
If $0 \le x \le 1$ then $e^{x} \le 1 + x + x^{2}$.
\end{document}
""", encoding="utf-8");

# %% [markdown]
# ## What is read, and what becomes of it
#
# Each relation gets a verdict at its place. A hypothesis and a definition are not claims; they are what the claims are
# judged under.

# %%
from symdp import lint

findings = lint(draft, budget=10)
findings

# %% [markdown]
# The equality in the lemma holds. The inequality below it does not: the machine names a value of $\varepsilon$ at which
# the left side is the larger one.

# %%
wrong = [f for f in findings if f.verdict == "refuted"]
assert len(wrong) == 1
wrong[0].message

# %% [markdown]
# On the command line the same is `symdp lint draft.tex`; with `--html page.html` the notes stand in the margin, and
# `symdp lsp` shows them in an editor while you write.

# %% [markdown]
# ## From a refutation to a repair
#
# What did the author mean? Perhaps another constant. Draw both sides, multiplied by $\varepsilon^2$: where the curve is
# above the line, the lemma fails.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
from math import exp


def sides(constant):
    places = [i / 50 for i in range(1, 251)]
    fig, ax = pyplot.subplots()
    ax.plot(places, [exp(e) * e**2 / (exp(e) - 1) ** 2 for e in places], label="left side")
    ax.axhline(float(constant), color="#D55E00", linestyle="--",
               label=f"right side with {constant}")
    ax.set_ylim(0, 1.6)
    ax.set_xlabel("$\\varepsilon$")
    ax.set_ylabel("times $\\varepsilon^2$")
    ax.legend()


explore(sides, constant=["0.25", "0.5", "0.75", "0.9", "1", "1.25", "1.5"])

# %% [markdown]
# The slider begins below the truth. A picture suggests a constant; now ask for the best one, with a proof.

# %%
from symdp import sharpest

best = sharpest("exp(eps)/(exp(eps) - 1)^2 <= c/eps^2", over="c", where="eps > 0")
best

# %% [markdown]
# So the lemma holds with $1$ in the place of $1/2$, and with nothing less. Settle that, for every $\varepsilon$ at once:

# %%
from symdp import check

repaired = check("exp(eps)/(exp(eps) - 1)^2 <= 1/eps^2", where="eps > 0")
assert repaired
repaired

# %% [markdown]
# ## An argument, line by line
#
# A proof in a draft is a chain. The first line that does not follow is where to look.

# %%
from symdp import Derivation

report = (Derivation(where=["x > 0"], title="A logarithm between two means")
          .start("log(1 + x)")
          .le("x", "tangent at 0")
          .le("x + x^2/2", "a square is added")).check()
report

# %%
slip = (Derivation(where=["x > 0"])
        .start("log(1 + x)")
        .le("x", "tangent at 0")
        .le("x - x^2/2", "the wrong sign")).check()
assert slip.first_wrong.number == "3"
slip.first_wrong.text

# %% [markdown]
# ## What others have printed
#
# The formula that you are about to cite may be one that was settled already.

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %% [markdown]
# **Sharper.** The third entry of Theorem 3.4 replaces $e^{\varepsilon}-1$ by $\tanh(\varepsilon/2)$.

# %%
ledger.show("kov/thm-3.2.centring-helps")

# %% [markdown]
# `symdp list` has all of them, and `symdp errata` those that do not hold as printed.

# %% [markdown]
# ## Before you submit
#
# 1. `symdp lint paper.tex` until nothing is refuted.
# 2. Read what is *undecided* and *unread*: often a hypothesis is missing in the text, for the reader too.
# 3. `symdp suggest` and `symdp sharpest` for what fails; `--out DIR` keeps a certificate of each verdict.
# 4. `symdp recheck DIR` lets a co-author check the certificates, without the search.

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "repair-the-lemma-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Repair a lemma
#
# A draft says that $e^x\le1+x+c\,x^2$ for $0\le x\le1$, with $c=\tfrac12$. That fails. Give the smallest $c$ with which
# it holds.
#
# Check your answer with `exercise("repair-the-lemma").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "repair-the-lemma-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "e - 2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "repair-the-lemma-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("repair-the-lemma").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-3.2` settles them all.

# %%
assert ledger.holds()
ledger
