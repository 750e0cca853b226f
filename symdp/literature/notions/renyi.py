r"""Renyi privacy, and what it says of $(\varepsilon, \delta)$: three published conversions.

The order is $\alpha = 1 + a$ with $a > 0$, and the divergence of that order is at most $r$.
"""

from sympy import Rational, cosh, exp, log, sqrt, tanh

from symdp.formulas.notation import delta, eps, symbol, x
from symdp.formulas.relation import eq, le
from symdp.literature.notions import notions
from symdp.sources.statement import Comparison, Identity, Inequality, Statement, positive, unit_open

a, r, L, rho = symbol("a"), symbol("r"), symbol("L"), symbol("rho")
order = 1 + a
mironov = r + log(1 / delta) / a
sharper = r + log(a / order) + (log(1 / delta) - log(order)) / a
by_slope = log(1 + (exp(a * r) - 1) / (order * delta)) / a
responses = cosh((a + Rational(1, 2)) * eps) / cosh(eps / 2)
concentrated = rho + 2 * sqrt(rho * L)

renyi_to_approximate = Statement(
    place=notions.at("renyi", "From Renyi to approximate privacy"),
    title="From Renyi divergences to epsilon and delta",
    hypotheses=r"The Renyi divergence of order $1+a$ of the two laws is at most $r$, in both directions.",
    variables={a: positive, r: positive, delta: unit_open, x: positive, eps: positive},
    formulas={"Mironov": mironov, "Balle and others; Canonne, Kamath and Steinke": sharper,
              "Asoodeh and others": by_slope},
    claims=(
        Inequality(
            "indicator",
            r"at every loss $x$, what counts towards $\delta$ is at most $e^{ax}$: hence Mironov's conversion, "
            r"by Markov's inequality",
            le(1 - exp(-x), exp(a * x)),
        ),
        Inequality(
            "pointwise",
            r"the maximum of $(1-e^{-x})e^{-ax}$ is $a^a/(1+a)^{1+a}$: hence the conversion of Balle and others "
            r"and of Canonne, Kamath and Steinke, whose $\delta$ is $E(1-e^{\varepsilon-L})^+$",
            le((1 - exp(-x)) * exp(-a * x), exp(a * log(a / order)) / order),
        ),
        Inequality(
            "by-slope",
            r"with $e^{\varepsilon+x}$ the ratio of the laws, $(1+a)(e^{a\varepsilon}-1)$ times what counts towards "
            r"$\delta$ is at most what counts towards the divergence beyond 1, which is never negative: hence the "
            r"conversion of Asoodeh and others, $\varepsilon=\log(1+(e^{ar}-1)/((1+a)\delta))/a$",
            le(order * (exp(a * eps) - 1) * (exp(eps + x) - exp(eps)),
               exp(order * (eps + x)) - 1 - order * (exp(eps + x) - 1)),
        ),
        Inequality(
            "by-slope.vanishes",
            r"this one vanishes with the divergence: it is at most $(e^{ar}-1)/(a(1+a)\delta)$, where the other two "
            r"are not",
            le(by_slope, (exp(a * r) - 1) / (a * order * delta)),
        ),
        Comparison(
            "never-worse",
            "the later conversion is never worse than Mironov's",
            le(sharper, mironov),
        ),
    ),
    cites=("mironov2017renyi", "balle2020hypothesis", "canonne2020discrete", "asoodeh2021three"),
)

concentrated_to_approximate = Statement(
    place=notions.at("zcdp", "From concentrated to approximate privacy"),
    title="From zero-concentrated privacy to epsilon and delta",
    hypotheses=r"The Renyi divergence of every order $\alpha>1$ is at most $\rho\alpha$, and $L=\log(1/\delta)$.",
    variables={rho: positive, L: positive, a: positive, r: positive},
    formulas={"epsilon": concentrated},
    claims=(
        Comparison(
            "best-order",
            r"no order gives less than $\rho+2\sqrt{\rho\log(1/\delta)}$ by Mironov's conversion: "
            r"Bun and Steinke's",
            le(concentrated, rho * order + L / a),
        ),
        Inequality(
            "best-order.attained",
            r"the order $1+\sqrt{L/\rho}$ attains it, $L=\rho r^2$ written with $r$",
            le(rho * (1 + r) + rho * r**2 / r, rho + 2 * rho * r),
        ),
    ),
    cites=("bun2016concentrated", "mironov2017renyi"),
)

pure_to_renyi = Statement(
    place=notions.at("pure", "From pure to Renyi and concentrated privacy"),
    title="Pure privacy is concentrated",
    hypotheses=r"A mechanism is $\varepsilon$-DP; the worst pair is randomised response.",
    variables={eps: positive, a: positive},
    formulas={"order 1": eps * tanh(eps / 2), "order 2": log(2 * cosh(eps) - 1), "rho": eps**2 / 2,
              "smallest rho": eps * tanh(eps / 2),
              "order 1 + a": log(responses) / a},
    claims=(
        Inequality(
            "order-one",
            r"the divergence of order 1 of randomised response is at most $\varepsilon^2/2$",
            le(eps * tanh(eps / 2), eps**2 / 2),
        ),
        Inequality(
            "order-two",
            r"that of order 2 is at most $2\cdot\varepsilon^2/2$",
            le(log(2 * cosh(eps) - 1), eps**2),
        ),
        Identity(
            "every-order.moment",
            r"the moment $\sum P^{1+a}Q^{-a}$ of randomised response is "
            r"$\cosh((a+1/2)\varepsilon)/\cosh(\varepsilon/2)$",
            eq((exp((1 + a) * eps) + exp(-a * eps)) / (1 + exp(eps)), responses),
        ),
        Inequality(
            "every-order",
            r"its divergence of every order $1+a$ is at most $(1+a)\varepsilon^2/2$: pure privacy is "
            r"$\varepsilon^2/2$-concentrated",
            le(log(responses), a * (1 + a) * eps**2 / 2),
        ),
        Inequality(
            "every-order.bounded",
            r"and at most $\varepsilon$, which is less for large orders",
            le(log(responses), a * eps),
        ),
        Inequality(
            "tight.slope",
            r"the slope in $a$ of $\log(\cosh((a+1/2)\varepsilon)/\cosh(\varepsilon/2))$, over $\varepsilon$, is at "
            r"most $(1+2a)\tanh(\varepsilon/2)$: hence, from 0 to $a$, the divergence of order $1+a$ is at most "
            r"$(1+a)\varepsilon\tanh(\varepsilon/2)$, and pure privacy is "
            r"$\varepsilon\tanh(\varepsilon/2)$-concentrated; no less, since that is the divergence of order 1",
            le(tanh((a + Rational(1, 2)) * eps), (1 + 2 * a) * tanh(eps / 2)),
        ),
    ),
    cites=("bun2016concentrated", "steinke2024tight"),
)
