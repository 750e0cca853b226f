r"""What advanced composition saves: noise of order $\sqrt k$ instead of $k$ on each of $k$ answers."""

from sympy import IndexedBase, Product, Rational, Sum, exp, log, oo, sqrt

from symdp.formulas.notation import delta, eps, k, lam, symbol
from symdp.formulas.relation import eq, ge, gt, le, lt
from symdp.literature.blog import blog
from symdp.literature.blog.advanced_composition import norms, scaling
from symdp.privacy.mechanisms.every import Laplace
from symdp.sources.beyond import NAMES
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.regime import Regime
from symdp.sources.statement import (
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
    .state(le(k * queries / eps**2, basic_scale**2), "it is at most the square of k/eps", label="squares")
    .lemma("roots", "sqrt(x) <= y", where=["x >= 0", "y >= 0", "x <= y^2"])
    .state(le(scale, basic_scale), by=["square", "squares", use("roots", x=k / (2 * spent), y=basic_scale)])
)
needs_more = (
    Derivation("Up to how many queries", where=["eps > 0", "0 < delta <= 1", "k >= 1"], integer=["k"])
    .suppose(lt(k, queries))
    .state(lt(basic_scale**2, k / (2 * spent)), "below, basic composition needs less noise")
)

noise_for_many_queries = Statement(
    place=blog.at("sec-advanced", "Preview: Advanced Composition"),
    title="The noise that many queries need",
    beyond=NAMES,
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
            r"for fixed $\varepsilon$ and $\delta$ advanced composition needs less noise by any factor, from some "
            r"$k$ on",
            scale, "o", basic_scale, fixed,
            variables={delta: unit_positive},
            task="derive",
        ),
        Inequality(
            "asymptotic.from",
            r"from $k=2\log(1/\delta)+2\varepsilon$ on advanced composition needs no more noise",
            le(scale, basic_scale),
            variables={delta: unit_positive},
            where=(ge(k, queries),),
            role="sharper",
            improves="asymptotic",
            because="it names the number of queries",
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

#: the footnote as printed: two sums, and what the choice of rho makes of the total
footnote = (
    Derivation("Footnote 2, as printed", where=["eps > 0", "0 < delta <= 1", "rho > 0", "k >= 1"],
               integer=["k"])
    .state(eq(Laplace(scale=sqrt(k / (2 * rho))).epsilon_0, step), "the epsilon of a step")
    .start(Sum(step**2, (j, 1, k)))
    .eq(2 * rho, "the sum of the squares")
    .start(2 * rho / 2 + sqrt(2 * log(1 / delta) * (2 * rho)))
    .eq(rho + sqrt(4 * rho * log(1 / delta)), "the epsilon of the theorem")
    .choose(rho, spent, "the rho of the text")
    .le(eps)
)

#: the theorem from the moments of each loss; V stands for the sum of the squares
each, V = IndexedBase("eps"), symbol("V")
moment = lam * each[j] * (exp(each[j]) - 1) / (exp(each[j]) + 1) + (lam * each[j]) ** 2 / 2
squared = Sum(each[j] ** 2, (j, 1, k))
by_moments = (
    Derivation("The moments of all losses", where=["k >= 1", "lam >= 0", gt(each[j], 0)], integer=["k"])
    .cite("the mean of e^(lam c) over the loss c of an eps_j-DP step is at most e^(lam eps_j "
          "tanh(eps_j/2) + lam^2 eps_j^2/2), and for independent steps these multiply",
          "note/thm-3.20.adaptive")
    .lemma("half of the square", "lam*x*(exp(x) - 1)/(exp(x) + 1) + (lam*x)^2/2 <= (lam + lam^2)/2*x^2",
           ["x > 0", "lam >= 0"])
    .start(Product(exp(moment), (j, 1, k)))
    .eq(exp(Sum(moment, (j, 1, k))), "the exponents add up")
    .state(le(Sum(moment, (j, 1, k)), (lam + lam**2) / 2 * squared),
           "the mean of each loss is at most half of its square", by=use("half of the square", x=each[j]))
)
best_exponent = (
    Derivation("The best exponent; the total is V/2 + y", where=["V > 0", "lam >= 0", "y >= 0",
                                                                "0 < delta <= 1"])
    .lemma("outcome", "a*(1 - exp(-w)) <= exp(lam*w)", ["0 <= a", "a <= 1", "lam >= 0"])
    .start("-lam*(V/2 + y) + (lam + lam^2)/2*V")
    .eq("-lam*y + lam^2*V/2", "an outcome with a loss of w above the total adds at most e^(lam w)")
    .choose("lam", "y/V")
    .eq("-y^2/(2*V)")
    .lemma("enough", "exp(-y^2/(2*V)) <= delta",
           ["V > 0", "0 < delta", "delta <= 1", "y >= sqrt(2*log(1/delta)*V)"])
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

preview_proof = SourceProof(
    blog.at("sec-advanced", "Preview: Advanced Composition"), "A preview of advanced composition",
    (norms, needs_less), (norms, by_moments, best_exponent, needs_less, needs_more),
    supports=("blog/sec-advanced.norms", "blog/sec-advanced.asymptotic.from",
              "blog/sec-advanced.asymptotic.converse"))

footnote_proof = SourceProof(
    blog.at("fn-2", "Footnote 2"), "Why this rho is enough", (footnote,), (squares,),
    supports=("blog/fn-2.epsilon-j",))
