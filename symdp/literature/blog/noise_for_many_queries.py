r"""What advanced composition saves: noise of order $\sqrt k$ instead of $k$ on each of $k$ answers."""

from sympy import Rational, Sum, log, oo, sqrt

from symdp.derivation import Derivation
from symdp.literature.blog import blog
from symdp.literature.blog.advanced_composition import scaling
from symdp.notation import delta, eps, k, symbol
from symdp.privacy.mechanism import Laplace
from symdp.regime import Regime
from symdp.relation import eq, ge, le, lt
from symdp.statement import (
    Asymptotic,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)

j, rho = symbol("j"), symbol("rho")

basic = k * eps
advanced = k * eps**2 / 2 + sqrt(2 * log(1 / delta) * (k * eps**2))
gap = advanced - basic

#: the concentrated privacy that is spent, and the most that may be
spent = eps**2 / (4 * log(1 / delta) + 4 * eps)
roots = sqrt(log(1 / delta) + eps) + sqrt(log(1 / delta))
most = eps**2 / roots**2
scale = sqrt(k / (2 * spent))
basic_scale = k / eps
queries = 2 * log(1 / delta) + 2 * eps

fixed = Regime(moving={k: oo}, fixed=frozenset({eps, delta}))
for_fixed_epsilon = Regime(moving={k: oo}, fixed=frozenset({eps}))

needs_less = (
    Derivation("From how many queries on", where=["eps > 0", "0 < delta <= 1", "k >= 1"], integer=["k"])
    .start(k / (2 * spent)).eq(k * queries / eps**2, "the square of the scale", label="square")
    .suppose(ge(k, queries))
    .state(le(k * queries / eps**2, basic_scale**2), "it is at most the square of k/eps")
)
needs_more = (
    Derivation("Up to how many queries", where=["eps > 0", "0 < delta <= 1", "k >= 1"], integer=["k"])
    .suppose(lt(k, queries))
    .state(lt(basic_scale**2, k / (2 * spent)), "below, basic composition needs less noise")
)

noise_for_many_queries = Statement(
    place=blog.at("sec-advanced", "Preview: Advanced Composition"),
    title="The noise that many queries need",
    hypotheses=(
        r"$k$ queries of sensitivity 1 are answered with independent Laplace noise, and in total "
        r"$(\varepsilon,\delta)$-DP is wanted."
    ),
    variables={eps: positive, delta: positive, k: positive_integer},
    formulas={"rho": spent, "scale, advanced": scale, "scale, basic": basic_scale},
    claims=(
        scaling,
        Comparison(
            "neither",
            r"for one step of $\varepsilon=1$ basic composition is less, for ten thousand of "
            r"$\varepsilon=1/100$ advanced composition, both at $\delta=10^{-6}$: the differences "
            r"have opposite signs",
            lt(
                gap.subs({k: 1, eps: 1, delta: Rational(1, 10**6)})
                * gap.subs({k: 10**4, eps: Rational(1, 100), delta: Rational(1, 10**6)}),
                0,
            ),
        ),
        Comparison(
            "neither.threshold",
            r"for equal $\varepsilon_j=\varepsilon$ advanced composition is at most basic composition if "
            r"$\sqrt{2\log(1/\delta)}\le\sqrt k\,(1-\varepsilon/2)$",
            le(k * eps**2 / 2 + eps * sqrt(2 * log(1 / delta)) * sqrt(k), basic),
            variables={delta: unit_positive},
            where=(le(sqrt(2 * log(1 / delta)), sqrt(k) * (1 - eps / 2)),),
            role="sharper",
            improves="neither",
            because="it tells which of the two is the better one",
        ),
        Comparison(
            "neither.converse",
            "and otherwise it is not",
            lt(basic, k * eps**2 / 2 + eps * sqrt(2 * log(1 / delta)) * sqrt(k)),
            variables={delta: unit_positive},
            where=(lt(sqrt(k) * (1 - eps / 2), sqrt(2 * log(1 / delta))),),
            role="sharper",
            improves="neither",
            because="the threshold is exact",
        ),
        Asymptotic(
            "asymptotic",
            r"for fixed $\varepsilon$ and $\delta$ advanced composition needs less noise from "
            r"$k=2\log(1/\delta)+2\varepsilon$ on, and less by any factor in the end",
            scale, "o", basic_scale, fixed,
            variables={delta: unit_positive},
            task="derive",
            derivation=needs_less,
        ),
        Inequality(
            "asymptotic.converse",
            r"below $k=2\log(1/\delta)+2\varepsilon$ queries basic composition needs less noise",
            lt(basic_scale**2, k / (2 * spent)),
            variables={delta: unit_positive},
            where=(lt(k, queries),),
            role="sharper",
            improves="asymptotic",
            because="the number of queries from which on less noise is needed is exact",
            derivation=needs_more,
        ),
        Guarantee(
            "rho",
            r"noise of scale $\sqrt{k/2\rho}$ on each answer gives $(\varepsilon,\delta)$-DP in total",
            subject=Laplace(scale=scale),
            fold=k,
            epsilon=eps,
            delta=delta,
        ),
        Asymptotic(
            "sqrt-noise",
            r"for fixed $\varepsilon$ and $\delta$ the noise of advanced composition grows like $\sqrt k$",
            scale, "Theta", sqrt(k), fixed,
            variables={delta: unit_positive},
        ),
        Asymptotic(
            "linear-noise",
            r"for fixed $\varepsilon$ the noise of basic composition grows like $k$",
            basic_scale, "Theta", k, for_fixed_epsilon,
        ),
    ),
    cites=("dwork2010boosting", "steinke2022composition"),
)

step = sqrt(2 * rho / k)
squares = (
    Derivation("The epsilon of each step", where=["rho > 0", "k >= 1"], integer=["k"])
    .state(eq(Laplace(scale=sqrt(k / (2 * rho))).epsilon_0, step), "one over the scale")
    .start(Sum(step**2, (j, 1, k))).eq(2 * rho, "k equal squares")
)

choice_of_rho = Statement(
    place=blog.at("fn-2", "Footnote 2"),
    title="Why this rho is enough",
    hypotheses=(
        r"Each of $k$ answers has Laplace noise of scale $\sqrt{k/2\rho}$; $\delta$ is a privacy "
        r"parameter, at most 1."
    ),
    variables={
        eps: positive, delta: unit_positive, k: positive_integer, rho: positive, j: positive_integer,
    },
    formulas={"epsilon of a step": step, "rho": spent, "largest rho": most},
    claims=(
        Identity(
            "epsilon-j",
            r"each step is $\sqrt{2\rho/k}$-DP, and the squares of these sum to $2\rho$",
            eq(Sum(step**2, (j, 1, k)), 2 * rho),
            derivation=squares,
        ),
        Inequality(
            "inequality",
            r"with that $\rho$ advanced composition gives at most $\varepsilon$",
            le(spent + sqrt(4 * spent * log(1 / delta)), eps),
        ),
        Identity(
            "inequality.largest",
            r"with $\rho=(\sqrt{\log(1/\delta)+\varepsilon}-\sqrt{\log(1/\delta)})^2$ it gives "
            r"$\varepsilon$ exactly; the root of $\rho$ is $\varepsilon$ over the sum of the two roots",
            eq(most + 2 * (eps / roots) * sqrt(log(1 / delta)), eps),
            variables={delta: unit_positive},
            role="sharper",
            improves="inequality",
            because="the printed choice leaves something unspent for every $\\delta$",
        ),
        Inequality(
            "inequality.unspent",
            r"the printed $\rho$ is smaller than that, so the noise is larger than it has to be",
            lt(spent, most),
            variables={delta: unit_positive},
            role="sharper",
            improves="inequality",
            because="less noise is enough",
        ),
    ),
    cites=("bun2016concentrated",),
)

