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
# # Simplified composition
#
# Ask a private database $k$ questions, and the privacy losses pile up. How large is
# the total?
#
# Adding the losses is safe and pessimistic: losses of random sign partly cancel, and their sum
# strays from its mean only like $\sqrt k$. A small probability of failure, the *slack*
# $\tilde{\delta}$, buys that improvement. The theorem of this notebook packs it into a formula
# that fits on one line.
#
# You will see the formula beside two older ones, draw all three, and ask a prover what it makes of
# each claim, down to the step of the proof that bounds a moment generating function.
#
# **Made from** Theorem 3.4 of *The Composition Theorem for Differential Privacy*. Beside it stand Theorem 3.1, Theorem 3.2 and Section 7.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod: The Composition Theorem for Differential Privacy (2013)

# %%
# %config InlineBackend.figure_formats = ["retina"]
from IPython.display import display
from sympy import Rational

from symdp.notation import symbol
from symdp.proving import settle
from symdp.registry import statement
from symdp.reporting.figures import plot_bounds
from symdp.reporting.ledger import Ledger

budget = 10  # seconds for each claim; give the prover more time for harder ones
ledger = Ledger()

# %% [markdown]
# ## The statement
#
# In Theorem 3.4, $\varepsilon>0$, $0\le\delta\le 1$, $0\le\tilde{\delta}\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %%
theorem_3_4 = statement("kov/thm-3.4")
theorem_3_4

# %% [markdown]
# ## Beside it
#
# In Theorem 3.1, $\varepsilon>0$, $0\le\delta\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %%
theorem_3_1 = statement("kov/thm-3.1")
theorem_3_1

# %% [markdown]
# In Theorem 3.2, $\varepsilon>0$, $0\le\delta\le 1$, $0<\tilde{\delta}\le 1$ and $k\in\mathbb{N},\ k\ge 1$.

# %%
theorem_3_2 = statement("kov/thm-3.2")
theorem_3_2

# %% [markdown]
# In Section 7, $\varepsilon>0$, $\tilde{\varepsilon}>0$, $\lambda\ge 0$, $0\le p\le 1$ and $x\in\mathbb{R}$.

# %%
section_7 = statement("kov/sec-7")
section_7

# %% [markdown]
# ## The formulas, drawn
#
# The figure shows *epsilon in total* against $k$, with the other variables held fixed. At each point the lowest curve is the best of the bounds.
#
# Change the values in `at` and run the cell again to see how the picture moves.

# %%
bounds = {
    "Simplified composition (Theorem 3.4)": theorem_3_4.formulas["epsilon in total"],
    "Basic composition (Theorem 3.1)": theorem_3_1.formulas["epsilon in total"],
    "Advanced composition (Theorem 3.2)": theorem_3_2.formulas["epsilon in total"],
}
at = {
    symbol("eps"): Rational("1/10"),
    symbol("slack"): Rational("1/1000000"),
}
values = range(1, 201)
ax = plot_bounds(bounds, symbol("k"), values, at, quantity="epsilon in total")

# %% [markdown]
# ## What is claimed, and what becomes of it
#
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
# ### Theorem 3.4: Simplified composition

# %%
claim = theorem_3_4.claim("linear-branch")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %%
claim = theorem_3_4.claim("log-branch")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %%
claim = theorem_3_4.claim("classic-branch")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# Printed in Theorem 3.4, second display.

# %%
claim = theorem_3_4.claim("simplified")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# A corrected form of `simplified`: the printed domain includes $\tilde{\delta}=0$, at which $1/\tilde{\delta}$ is undefined.

# %%
claim = theorem_3_4.claim("simplified.corrected")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# Printed in Theorem 3.4, condition of the second display.

# %%
claim = theorem_3_4.claim("range")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# A sharper form of `simplified`: the mean is $k\varepsilon\tanh(\varepsilon/2)$, and $\tanh(x)\le x$; neither 0.9 nor the factor 1 is needed.

# %%
claim = theorem_3_4.claim("simplified.sharper")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# ### Theorem 3.1: Basic composition

# %%
claim = theorem_3_1.claims[0]
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# ### Theorem 3.2: Advanced composition

# %%
claim = theorem_3_2.claims[0]
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# A sharper form of `kov/thm-3.2`: the third entry of Theorem 3.4 replaces $e^{\varepsilon}-1$ by $\tanh(\varepsilon/2)$.

# %%
claim = theorem_3_2.claim("centring-helps")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# ### Section 7: The moment generating function of the privacy loss
#
# Printed in Section 7, moment generating function, first line.

# %%
claim = section_7.claim("mgf-identity")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# A corrected form of `mgf-identity`: the printed $\tilde{\varepsilon}$ is that of the whole composition, where $\varepsilon$ of one step belongs.

# %%
claim = section_7.claim("mgf-identity.corrected")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# Printed in Section 7, moment generating function, second line.

# %%
claim = section_7.claim("mgf-bound")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# A corrected form of `mgf-bound`: the exponential was left out in print, and the tilde is a misprint.

# %%
claim = section_7.claim("mgf-bound.corrected")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# Printed in Section 7, [AS04, Lemma A.1.5].

# %%
claim = section_7.claim("alon-spencer")
display(claim)
ledger.enter(claim, settle(claim, budget=budget))

# %% [markdown]
# ## All verdicts
#
# The table collects what the cells above found when they ran. Each refutation was checked again
# when it was entered; had one not held, the notebook would have stopped there.
#
# `symdp show kov/thm-3.4` prints the same in a terminal, with more time for each claim if you give it
# `--budget`.

# %%
assert ledger.holds()
ledger
