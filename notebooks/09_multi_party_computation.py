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
# # Private multi-party computation
#
# There is no trusted curator now. Each party holds one bit, and they talk: what one says may depend on all that
# was said before. Everything is public. How much can anybody learn about a function of the bits, if each bit
# has to stay private?
#
# **You will learn** the theorem that says "publish a randomised response and be silent", why it is true for pure
# privacy, and how a coin that everybody sees beats it as soon as $\delta>0$.

# %% [markdown]
# **Made from** Theorem 5.1 and Section 5.2 of *The Composition Theorem for Differential Privacy*.
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
# ## Two parties and their parity
#
# Each party publishes its bit, flipped with probability $1/(1+e^\varepsilon)$. The best guess of the exclusive or
# is right a little more often than a coin.

# %%
from symdp.privacy.multiparty.accuracy import average
from symdp.privacy.multiparty.closed_forms import xor_accuracy
from symdp.privacy.multiparty.functions import AND, XOR, majority
from symdp.privacy.multiparty.parties import alike
from symdp.privacy.multiparty.protocol import randomised_response

bits = randomised_response(alike(2, "log(3)"))
guess = average(bits, XOR(2))
assert guess.value == Rational(5, 8) == xor_accuracy([("log(3)", 0)] * 2)
Markdown(f"right with probability ${guess.value}$")


# %% [markdown]
# Why $5/8$? Call *advantage* the probability of being right minus that of being wrong. One response has the advantage
# $\tanh(\varepsilon/2)$, here $1/2$. The parity of two guesses is right if both are right or both are wrong, so advantages
# multiply: $1/4$ is left, and $(1+1/4)/2=5/8$.

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def accuracies(parties):
    from math import log
    ratios = [1, "5/4", "3/2", 2, 3, 4, 6, 9, 14, 20]
    fig, ax = pyplot.subplots()
    for f, name, dash in ((XOR, "XOR", "-"), (AND, "AND", "--"), (majority, "majority", "-.")):
        values = [average(randomised_response(alike(parties, f"log({r})")), f(parties)).value
                  for r in ratios]
        assert values == sorted(values), "less privacy, better guesses"
        ax.plot([log(Rational(r)) for r in ratios], [float(v) for v in values], dash, label=name)
    ax.set_xlabel("$\\varepsilon$")
    ax.set_ylabel("guess is right with probability")
    ax.set_title(f"{parties} parties, all inputs equally likely")
    ax.set_ylim(0.48, 1)
    ax.legend()


explore(accuracies, parties=[2, 3, 4])

# %% [markdown]
# The parity is hard, and harder with every party. A majority of three is easier. The AND is nearly always 0, so that a
# constant guess is good already.

# %%
three = randomised_response(alike(3, "log(3)"))
assert average(three, majority(3)).value > average(three, XOR(3)).value

# %% [markdown]
# ## The theorem

# %%
lookup("kov/thm-5.1")

# %% [markdown]
# In Theorem 5.1, $\varepsilon>0$ and $0<\delta<1$.

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("kov/thm-5.1.observer-average")

# %% [markdown]
# **Corrected.** (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.show("kov/thm-5.1.observer-average.corrected")

# %% [markdown]
# **Sharper.** The difference is positive, as \`observer-average.loss\` says.

# %%
ledger.show("kov/thm-5.1.observer-average.sharper")

# %% [markdown]
# As printed, for every $\delta$, it is refuted. The refutation is a protocol of one line: toss a coin in public,
# and with probability $\delta$ everybody tells the truth *together*.

# %%
from symdp.privacy.multiparty.shared_coin import against_responses

found = against_responses(alike(2, "log(2)", "1/10"), XOR(2))
assert found.with_coin == Rational(3, 5) > found.with_responses == Rational(29, 50)
assert found.problems() == []
Markdown(f"with the coin ${found.with_coin}$, "
         f"with randomised response ${found.with_responses}$")

# %% [markdown]
# The coin gives each bit away as rarely as the responses do, but both bits at once, when it helps.

# %%
from symdp.privacy.multiparty.shared_coin import (
    advantage_with_coin,
    advantage_with_responses,
)

ax = plot_bounds(
    {"shared coin": advantage_with_coin, "randomised response": advantage_with_responses},
    symbol("delta"), [Rational(i, 50) for i in range(51)],
    {symbol("eps"): 1, symbol("k"): 3},
    quantity="advantage for XOR",
)

# %% [markdown]
# With $\delta=0$ the theorem holds, for every function and every reward: no conversation, however long, beats
# the responses. A party among two does best with them, too.

# %%
ledger.show("kov/thm-5.1.party-average")

# %% [markdown]
# **Corrected.** (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.show("kov/thm-5.1.party-average.corrected")

# %% [markdown]
# **Sharper.** A party that knows its own bit asks about one other bit only, where Theorem 2.5 helps.

# %%
ledger.show("kov/thm-5.1.party-average.sharper")

# %%
ledger.show("kov/thm-5.1.simultaneous")

# %% [markdown]
# **Corrected.** (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.show("kov/thm-5.1.simultaneous.corrected")

# %%
assert ledger["kov/thm-5.1.observer-average"] == "argued"
assert ledger["kov/thm-5.1.simultaneous"] == "argued"
assert ledger["kov/thm-5.1.observer-average.corrected"] == "argued"

# %% [markdown]
# ## The best of all conversations
#
# A linear program over all protocols, solved in fractions, brackets what talk can do.

# %%
from symdp.privacy.multiparty.optimum import best

two = alike(2, "log(2)", "1/10")
values = {among: best(two, XOR(2), among=among).value
          for among in ("responses", "conversations", "curators")}
assert values["responses"] < values["conversations"] < values["curators"]
Markdown("\n".join(["| among | best accuracy |", "|:--|--:|",
                    *(f"| {name} | ${value}$ |" for name, value in values.items())]))

# %%
ledger.show("kov/sec-5.2.unique")

# %% [markdown]
# **Corrected.** For AND at moderate privacy saying nothing is as good on average.

# %%
ledger.show("kov/sec-5.2.unique.corrected")

# %% [markdown]
# **Sharper.** Each transcript of an optimal protocol for XOR is one of the responses.

# %%
ledger.show("kov/sec-5.2.unique.sharper")

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "xor-accuracy-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The parity of two bits
#
# Two parties publish randomised responses with the same $\varepsilon$. An observer guesses the exclusive or
# of their bits by that of the responses. With which probability is the guess right? A formula in `eps`.
#
# Check your answer with `exercise("xor-accuracy").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "xor-accuracy-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1+exp(2*eps))/(1+exp(eps))^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "xor-accuracy-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("xor-accuracy").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown] nbgrader={"grade": false, "grade_id": "xor-of-many-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The parity of k bits
#
# And for the exclusive or of the bits of `k` parties? A formula in `eps` and `k`.
#
# Check your answer with `exercise("xor-of-many").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "xor-of-many-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1+tanh(eps/2)^k)/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "xor-of-many-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("xor-of-many").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit kov/thm-5.1` settles them all.

# %%
assert ledger.holds()
ledger
