r"""The Gaussian mechanism: composition by Renyi divergences against advanced composition."""

from sympy import Expr, Integer, Rational, log, sqrt

from symdp.formulas.notation import delta, eps, eps_total, k, slack, symbol
from symdp.formulas.relation import lt
from symdp.literature.note import note
from symdp.numbers.domain import Interval
from symdp.privacy.accounting import bounds
from symdp.privacy.mechanisms.every import Gaussian
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Comparison,
    Space,
    Statement,
    positive,
    positive_integer,
    unit_open,
)

#: the sensitivity in deviations of the noise, 1/sigma
mu = symbol("mu")
up_to_one = Space(Interval(Integer(0), Integer(1), lower_open=True))
up_to_half = Space(Interval(Integer(0), Rational(1, 2), lower_open=True))

#: the delta of one step at eps, exactly
step = Gaussian(variance=1, sensitivity=mu).closed_form("delta").subs(eps_total, eps)
advanced = bounds.advanced.closed_form()  # k eps (e^eps - 1) + eps sqrt(2k log(1/slack))


def by_renyi(total: Expr) -> Expr:
    """The epsilon of k steps at that delta, from all Renyi orders at once."""
    return k * mu**2 / 2 + mu * sqrt(2 * k * log(1 / total))


log_delta = log(5 / (4 * delta))
total = k * delta + slack
calibrated = k * eps**2 / (4 * log_delta) + eps * sqrt(k * log(1 / total) / log_delta)

comparison = (
    Derivation("Renyi divergences against advanced composition", integer=["k"],
               where=["0 < eps <= 1", "0 < delta <= 1/2", "0 < slack < 1", "k >= 1",
                      "k*delta + slack < 1"])
    .let("A", log_delta).let("L", log(1 / slack)).let("T", log(1 / total))
    .lemma("root", "eps*sqrt(k*log(1/(x + y))/w) < eps*sqrt(2*k*log(1/y))",
           where=["eps > 0", "k > 0", "w >= 9/10", "x > 0", "y > 0", "x + y < 1"])
    .lemma("mean", "k*eps^2/(4*w) <= k*eps*(exp(eps) - 1)", where=["eps > 0", "k > 0", "w >= 9/10"])
    .state("eps*sqrt(k*T/A) < eps*sqrt(2*k*L)", by=use("root", x="k*delta", y="slack", w="A"),
           label="roots")
    .state("k*eps^2/(4*A) <= k*eps*(exp(eps) - 1)", by=use("mean", w="A"), label="means")
    .conclude(lt(calibrated, advanced), by=["roots", "means"])
)

gaussian_mechanism = Statement(
    place=note.at("cor-3", "Corollary 3 in Mironov"),
    title="The Gaussian mechanism, by Renyi divergences",
    hypotheses=(
        r"Each of $k$ steps has Gaussian noise of deviation $\sigma=1/\mu$ and sensitivity 1, of Renyi "
        r"divergence $\alpha\mu^2/2$ at every order $\alpha$. The total $\delta$ is the same for both."
    ),
    variables={
        eps: positive, mu: positive, delta: unit_open, slack: unit_open, k: positive_integer,
    },
    formulas={"epsilon, by Renyi divergences": by_renyi(delta), "advanced": advanced},
    claims=(
        Comparison(
            "gaussian",
            r"the bound from Renyi divergences is less than advanced composition of the "
            r"$(\varepsilon,\delta)$ that the steps have, whichever $\varepsilon$ is chosen for them",
            lt(by_renyi(k * step + slack), advanced),
            where=(lt(k * step + slack, 1),),
        ),
        Comparison(
            "gaussian.corrected",
            r"the same where the noise was calibrated by $\sigma^2=2\log(5/4\delta)/\varepsilon^2$ "
            r"with $\varepsilon\le1$ and $\delta\le1/2$",
            lt(calibrated, advanced),
            variables={eps: up_to_one, delta: up_to_half},
            where=(lt(total, 1),),
            role="corrected",
            improves="gaussian",
            because=(
                r"a condition is missing: where the total $\delta$ is large enough for a small "
                r"$\varepsilon$ in each step, advanced composition is less; with the usual "
                r"calibration the statement holds for every $k$"
            ),
            derivation=comparison,
        ),
    ),
    cites=("mironov2017renyi", "dwork2014foundations"),
)
