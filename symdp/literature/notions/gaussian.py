r"""Gaussian privacy: as hard to tell apart as two normal laws; and the trade-off of pure privacy."""

from sympy import exp, tanh

from symdp.formulas.notation import Phi, eps, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.literature.notions import notions
from symdp.sources.statement import Comparison, Identity, Inequality, Statement, positive

mu = symbol("mu")
profile = Phi(mu / 2 - eps / mu) - exp(eps) * Phi(-mu / 2 - eps / mu)
tail = exp(-((eps - mu**2 / 2) ** 2) / (2 * mu**2))

gaussian_privacy = Statement(
    place=notions.at("gdp", "Gaussian privacy"),
    title="Gaussian privacy and its profile",
    hypotheses=r"A mechanism is $\mu$-GDP: its trade-off of errors is at least that of $N(0,1)$ against $N(\mu,1)$.",
    variables={mu: positive, eps: positive},
    formulas={"delta": profile, "delta by concentrated privacy": tail},
    claims=(
        Comparison(
            "sharper-than-zcdp",
            r"the profile is never above what its $\rho=\mu^2/2$ gives by the best order of Mironov's conversion",
            le(profile, tail),
            where=(ge(eps, mu**2 / 2),),
        ),
        Inequality("below-its-tail", "the profile is at most the probability that the loss is large",
                   le(profile, Phi(mu / 2 - eps / mu))),
    ),
    cites=("dong2022gaussian", "bun2016concentrated"),
)

tradeoff_of_pure_privacy = Statement(
    place=notions.at("fdp", "The trade-off of pure privacy"),
    title="What pure privacy is in the language of tests",
    hypotheses=r"A mechanism is $\varepsilon$-DP.",
    variables={eps: positive},
    formulas={"total variation": tanh(eps / 2)},
    claims=(
        Identity("total-variation", r"the two laws differ by at most $\tanh(\varepsilon/2)$ on every set",
                 eq((exp(eps) - 1) / (exp(eps) + 1), tanh(eps / 2))),
        Inequality("linear", r"which is at most $\varepsilon/2$", le(tanh(eps / 2), eps / 2)),
    ),
    cites=("dong2022gaussian",),
)
