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


# %%
def accuracies(eps):
    rows = ["| parties | XOR | AND | majority |", "|--:|--:|--:|--:|"]
    for k in (2, 3):
        protocol = randomised_response(alike(k, eps))
        values = [average(protocol, f(k)).value for f in (XOR, AND, majority)]
        assert all(v >= Rational(1, 2) for v in values)
        rows.append(f"| {k} | " + " | ".join(str(v) for v in values) + " |")
    display(Markdown("\n".join(rows)))


explore(accuracies, eps=["log(2)", "log(3)", "log(5)"])

# %% [markdown]
# The parity is hard: advantages multiply. A majority of three is easier.

# %%
three = randomised_response(alike(3, "log(3)"))
assert average(three, majority(3)).value > average(three, XOR(3)).value

# %% [markdown]
# ## The theorem

# %% [markdown]
# In Theorem 5.1, $\varepsilon>0$ and $0<\delta<1$.

# %%
lookup("kov/thm-5.1")

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
ledger.settle("kov/thm-5.1.observer-average")

# %% [markdown]
# A corrected form of `observer-average`: (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.settle("kov/thm-5.1.observer-average.corrected")

# %% [markdown]
# A sharper form of `observer-average`: the difference is $\delta(1-\delta)(1-t)^2$ with $t=\tanh(\varepsilon/2)$.

# %%
ledger.settle("kov/thm-5.1.observer-average.sharper")

# %% [markdown]
# Theorem 5.1 has further claims; `symdp audit kov/thm-5.1` gives each its verdict.

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
ledger.settle("kov/thm-5.1.party-average")

# %% [markdown]
# A corrected form of `party-average`: (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.settle("kov/thm-5.1.party-average.corrected")

# %% [markdown]
# A sharper form of `party-average`: a party that knows its own bit asks about one other bit only, where Theorem 2.5 helps.

# %%
ledger.settle("kov/thm-5.1.party-average.sharper")

# %%
ledger.settle("kov/thm-5.1.simultaneous")

# %% [markdown]
# A corrected form of `simultaneous`: (15) bounds the probability that a bit is given away on average over the transcripts; a coin that all see lets the parties give their bits away together, which independent responses cannot; without $\delta$ each transcript by itself obeys (15), and the theorem holds.

# %%
ledger.settle("kov/thm-5.1.simultaneous.corrected")

# %% [markdown]
# Theorem 5.1 has further claims; `symdp audit kov/thm-5.1` gives each its verdict.

# %%
assert ledger["kov/thm-5.1.observer-average"] == "refuted"
assert ledger["kov/thm-5.1.simultaneous"] == "refuted"
assert ledger["kov/thm-5.1.observer-average.corrected"] == "proved"

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
ledger.settle("kov/sec-5.2.unique")

# %% [markdown]
# A corrected form of `unique`: for AND at moderate privacy saying nothing is as good on average; only a protocol that is optimal for every function at once must tell as much as randomised response.

# %%
ledger.settle("kov/sec-5.2.unique.corrected")

# %% [markdown]
# ## Exercises
#
# Try an answer in a cell of your own: `exercise("NAME").check("your answer")` tells a right formula in
# any form from a wrong one, and shows a counterexample where there is one. The folded
# cells below hold the solutions; `nbgrader` empties them for an assignment.

# %%
from symdp.exercises import exercise

# %% [markdown] nbgrader={"grade": false, "grade_id": "xor-accuracy-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The parity of two bits
#
# Two parties publish randomised responses with the same $\varepsilon$. An observer guesses the exclusive or
# of their bits by that of the responses. With which probability is the guess right? A formula in `eps`.
#
# *Check with* `exercise("xor-accuracy").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "xor-accuracy-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1+exp(2*eps))/(1+exp(eps))^2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "xor-accuracy-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("xor-accuracy").check(answer)
assert feedback, feedback
feedback

# %% [markdown] nbgrader={"grade": false, "grade_id": "xor-of-many-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### The parity of k bits
#
# And for the exclusive or of the bits of `k` parties? A formula in `eps` and `k`.
#
# *Check with* `exercise("xor-of-many").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "xor-of-many-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "(1+tanh(eps/2)^k)/2"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "xor-of-many-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("xor-of-many").check(answer)
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
