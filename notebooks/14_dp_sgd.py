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
# # DP-SGD: closed forms, accountants, and the truth
#
# A model is trained by ten thousand noisy steps, each on a random part of the data. How private is it? There are formulas
# for that, there are programs, and there is one number that is true.
#
# **You will learn** what the true $\varepsilon$ of a training run is, how far formulas are above it, why a limit theorem
# may be below it, and what the accountants that are installed on your machine say.

# %% [markdown]
# **Made from** Amplification by sampling, From Renyi to approximate privacy and The central limit of composition of *Notions of privacy and conversions in use*.
#
# **Needs** only the package `symdp`. Run the cells from top to bottom.
#
# **Read more** in
#
# - Cl\\'ement L. Canonne, Gautam Kamath and Thomas Steinke: *The Discrete {G}aussian for Differential Privacy* (2020)

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
# ## The run
#
# Every record is taken with probability $q=0.01$ in each of $k=10^4$ steps, the noise has the deviation $\sigma=1$ of one
# record's clipped gradient, and $\delta=10^{-6}$.

# %%
from symdp import compose
from symdp.privacy.composition.grounds import grounds
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian

step, k, delta = SubsampledGaussian(variance=1, rate="0.01"), 10_000, "1e-6"
truth = compose(step, k).epsilon(delta)
told = "\n".join(f"- {line}" for line in grounds(truth, [(step, k)], 17).lines())
Markdown(f"$\\varepsilon = {truth}$\n\n{told}")

# %% [markdown]
# All digits are certain: the true number lies between two ends that agree in them. Everything below is held against it.

# %% [markdown]
# ## What sampling gains

# %%
lookup("notions/sampling")

# %% [markdown]
# In Amplification by sampling, $\varepsilon>0$ and $0<q<1$.

# %% [markdown]
# A step on everything would be a Gaussian with $\mu=1$; ten thousand of them are one with $\mu=100$.

# %%
from symdp.privacy.mechanisms.every import Gaussian

unsampled = compose(Gaussian(1), k).epsilon(delta, digits=8)
assert unsampled.lower > 500 * truth.upper
Markdown(f"without sampling: $\\varepsilon = {unsampled}$")

# %% [markdown]
# ## Closed forms
#
# **Step by step.** A Gaussian step is $(\varepsilon_0,\delta_0)$-private, on a sample
# $(\log(1+q(e^{\varepsilon_0}-1)),q\delta_0)$-private, and ten thousand such steps compose by a theorem. We are free in
# $\delta_0$ and take the best of a few.

# %%
from sympy import Rational, exp, log

from symdp.privacy.accounting import bounds

q = Rational(1, 100)
closed = {}
for bound in (bounds.basic, bounds.advanced, bounds.simplified):
    found = []
    for power in (9, 10, 11):
        each = Gaussian(1).epsilon(f"1e-{power}", digits=12).upper
        amplified = log(1 + q * (exp(Rational(str(each))) - 1))
        part = (amplified, q * Rational(10) ** -power, k)
        found.append(bound.epsilon([part], delta, digits=6))
    closed[f"{bound.name} composition of amplified steps"] = min(one.upper for one in found)
assert all(value > truth.upper for value in closed.values()), "bounds are above the truth"
Markdown("\n".join(["| closed form | epsilon |", "|:--|--:|",
                    *(f"| {name} | {value:.6g} |" for name, value in closed.items())]))

# %% [markdown]
# Each of them is true, and none is of any use: what a step may give away with probability $\delta_0$ has to be paid ten
# thousand times.
#
# **Through Renyi divergences.** For an integer order the moment of a sampled Gaussian is a finite sum, moments multiply,
# and one of the published conversions makes an $\varepsilon$ of it.

# %%
lookup("notions/renyi")

# %% [markdown]
# In From Renyi to approximate privacy, $a>0$, $r>0$ and $0<\delta<1$.

# %%
import math


def renyi(order, rate=0.01, deviation=1.0):
    """The divergence of one step, for an integer order: a sum of binomial terms."""
    logs = [math.log(math.comb(order, j)) + (order - j) * math.log1p(-rate) + j * math.log(rate)
            + j * (j - 1) / (2 * deviation**2) for j in range(order + 1)]
    top = max(logs)
    return (top + math.log(sum(math.exp(x - top) for x in logs))) / (order - 1)


def converted(order, sharp):
    a = order - 1
    if sharp:
        return (k * renyi(order) + math.log(a / order)
                + (math.log(1e6) - math.log(order)) / a)
    return k * renyi(order) + math.log(1e6) / a


through = {"Mironov's conversion": min(converted(n, False) for n in range(2, 60)),
           "the sharper conversion": min(converted(n, True) for n in range(2, 60))}
assert float(truth.upper) < through["the sharper conversion"] < through["Mironov's conversion"]
Markdown("\n".join(["| through Renyi divergences | epsilon |", "|:--|--:|",
                    *(f"| {name} | {value:.6g} |" for name, value in through.items())]))

# %% [markdown]
# These are floating point, and meant for the eye; the order between the two conversions is proved in the end.

# %% [markdown]
# ## A limit that is below the truth

# %%
lookup("notions/clt")

# %% [markdown]
# In The central limit of composition, $\varepsilon>0$ and $k\in\mathbb{N},\ k\ge 1$.

# %% [markdown]
# For many steps with a small rate, $\mu\approx q\sqrt{k(e^{1/\sigma^2}-1)}$ is what a central limit gives. It is a limit
# and not a bound.

# %%
mu_squared = q**2 * k * (exp(1) - 1)
limit = Gaussian(1 / mu_squared).epsilon(delta, digits=8)
assert limit.upper < truth.lower, "a limit is no bound"
short = truth.lower - limit.upper
Markdown(f"the limit says $\\varepsilon = {limit}$: below the truth by {short:.3g}")

# %% [markdown]
# Whoever reports that number promises more privacy than there is. The error that the theorem allows is at least
# $0.56/\sqrt k$, and for ten thousand steps that is far above any $\delta$ of interest.

# %% [markdown]
# ## The accountants that are here
#
# Each is asked in a process of its own, which takes a while and depends on what is installed: set `ASK` to `True` to ask
# those that you have. Whatever is missing is said.

# %%
ASK = False  # @param {type:"boolean"}
import sys
from pathlib import Path

from symdp.privacy.accountants.asking import adapters, ask
from symdp.privacy.accountants.cases import Case, CasePart


def asked(run):
    rows, missing = ["| accountant | epsilon | verdict |", "|:--|--:|:--|"], []
    for name, adapter in adapters().items():
        said = list(ask(name, adapter, Path(sys.executable), [run], {run.name: truth}, seconds=15))
        missing += [] if said else [name]
        for one in said:
            shown = one.returned if one.verdict == "fails" else f"{float(one.returned):.6g}"
            rows.append(f"| {one.accountant} {one.version}, {one.way} | {shown} | {one.verdict} |")
    nobody = ", ".join(missing) or "none"
    return "\n".join(rows) + f"\n\nNot installed, or without an answer: {nobody}."


run = Case((CasePart("subsampled-gaussian", k, {"deviation": "1", "rate": "0.01"}),), delta)
Markdown(asked(run) if ASK else f"`ASK` is off: nobody was asked about {run.name}.")


# %% [markdown]
# *Sound* is at or above the truth by no more than one part in a hundred, *loose* is above by more, *unsound* is below.
# `symdp accountants` asks about a whole grid of compositions, and `--environments` says where others are installed; the
# documentation has a table of what they said, with their versions.

# %% [markdown]
# ## All of them, as the run goes on

# %% jupyter={"source_hidden": true} tags=["hide-input"]
def least_renyi(n, delta):
    return min(n * renyi(m) + math.log((m - 1) / m)
               - (math.log(float(delta)) + math.log(m)) / (m - 1) for m in range(2, 60))


def limiting(n, delta):
    return float(Gaussian(1 / (q**2 * n * (exp(1) - 1))).epsilon(delta, digits=5))


def along(delta):
    steps = [100, 300, 1000, 3000, 10_000]
    true = [float(compose(step, n).epsilon(delta, digits=3)) for n in steps]
    least = [least_renyi(n, delta) for n in steps]
    assert all(low < high for low, high in zip(true, least, strict=True))
    fig, ax = pyplot.subplots()
    ax.loglog(steps, least, "s--", label="Renyi, sharper conversion")
    ax.loglog(steps, true, "o-", label="the truth")
    ax.loglog(steps, [limiting(n, delta) for n in steps], "^:", label="central limit")
    ax.set_xlabel("steps")
    ax.set_ylabel("$\\varepsilon$")
    ax.set_title(f"DP-SGD, $q = 0.01$, $\\sigma = 1$, $\\delta$ = {delta}")
    ax.legend()


explore(along, delta=["1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3"])

# %% [markdown]
# ## What is claimed, and what becomes of it

# %% [markdown]
# Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
# point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
# that a part of the argument is in words, and is never counted as proved.

# %%
ledger.show("notions/renyi.never-worse")

# %%
ledger.show("notions/sampling.helps")

# %%
ledger.show("notions/sampling.rate")

# %%
ledger.show("notions/clt.error-floor")

# %%
assert ledger["notions/renyi.never-worse"] == "proved"
assert ledger["notions/clt.error-floor"] == "proved"

# %% [markdown]
# ## Exercises
#
# Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
# any form, and answers a wrong one with a counterexample.
#
# Try each in a cell of your own before you unfold the solution below it.

# %% [markdown] nbgrader={"grade": false, "grade_id": "sampled-step-question", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### A step on a part of the data
#
# A step with $\varepsilon=1$ is taken on a random part of the data, at the rate $q$. What it loses is at most $c\,q$, at
# every rate. Give the smallest such $c$.
#
# Check your answer with `exercise("sampled-step").check(...)`.

# %% nbgrader={"grade": false, "grade_id": "sampled-step-answer", "locked": false, "schema_version": 3, "solution": true, "task": false} jupyter={"source_hidden": true} tags=["hide-input"]
# Your answer, as text: answer = "..."
### BEGIN SOLUTION
answer = "e - 1"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "sampled-step-check", "locked": true, "schema_version": 3, "solution": false, "task": false, "points": 1}
feedback = exercise("sampled-step").check(answer)
assert feedback, feedback
display(feedback)

# %% [markdown]
# ## All verdicts
#
# What the cells above found when they ran. Every refutation was checked a second time, without the
# search, when it was entered here; had one not held, the notebook would have stopped there.
#
# There are more claims than are shown here: `symdp audit notions/sampling`, `symdp audit notions/renyi` and `symdp audit notions/clt` settle them all.

# %%
assert ledger.holds()
ledger
