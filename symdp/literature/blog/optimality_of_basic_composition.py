r"""Is basic composition optimal? For Laplace noise yes, but at outcomes of probability $2^{-k}$."""

from typing import ClassVar

from sympy import Abs, Expr, IndexedBase, Integer, Product, Rational, Sum, exp, log, sqrt, tanh

from symdp.formulas.notation import delta, eps, k, symbol, t, x
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import eq, ge, le, lt
from symdp.literature.blog import blog
from symdp.privacy.mechanisms.every import Laplace
from symdp.sources.beyond import SOME
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import (
    Guarantee,
    Identity,
    Inequality,
    Optimality,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit_open,
)
from symdp.sources.subject import AnySequence, loss_sum

b, smaller = symbol("b"), symbol("eps_star")

noise = Laplace(scale=k / eps)
most_mean = eps * (exp(eps / k) - 1) / (exp(eps / k) + 1)
concentrated = most_mean + 2 * sqrt(most_mean * log(1 / delta))
deviation = sqrt(2) * k / eps

# The integrals over the half line x > 0 are differences of these two.
density = exp(-x / b) / (2 * b)
mass_above = -exp(-x / b) / 2
square_above = -(x**2 + 2 * b * x + 2 * b**2) * exp(-x / b) / 2

variance = (
    Derivation("The variance of Laplace noise", where=["b > 0", "x >= 0", "eps > 0", "k >= 1"],
               integer=["k"])
    .state(eq(square_above.diff(x), x**2 * density), "an antiderivative of x^2 times the density")
    .cite("the antiderivative tends to 0 at infinity, and both half lines give the same",
          "fundamental theorem of calculus")
    .start(-2 * square_above.subs(x, 0)).eq(2 * b**2, "twice the integral over x > 0")
    .state(eq((2 * b**2).subs(b, k / eps), 2 * k**2 / eps**2), "for the scale k/eps")
    .start(sqrt(noise.closed_form("variance"))).eq(deviation, "its root")
)

#: how far a is above f_j(x); the factors do not depend on anything else
loss_of_a_factor = eps / k * Abs(t + 1) - eps / k * Abs(t)
ratio = (
    Derivation("The ratio where all noise is positive", where=["eps > 0", "k >= 1", "t >= 0"],
               integer=["k"])
    .state("abs(t) == t", label="noise").state("abs(t + 1) == t + 1", label="shifted")
    .start(exp(k * loss_of_a_factor))
    .eq("exp(k*(eps/k*(t + 1) - eps/k*t))", "a is at least f_j(x) and f_j(x')",
        by=["noise", "shifted"])
    .eq(exp(eps))
)

#: f_j(x) and f_j(x'), which is one less; y_j = a is at least both
own, other, a, j = IndexedBase("f"), IndexedBase("g"), symbol("a"), symbol("j")


def of_all(factor: Expr) -> Expr:
    return Product(factor, (j, 1, k))


def in_all(term: Expr) -> Expr:
    return Sum(term, (j, 1, k))


def away(value: Expr) -> Expr:
    return Abs(a - value, evaluate=False)


def likelihood(value: Expr) -> Expr:
    """The density at a of the noise around a value."""
    return eps / (2 * k) * exp(-eps / k * away(value))


whole_ratio = eq(of_all(likelihood(own[j])) / of_all(likelihood(other[j])), exp(eps))
loss_of_all = in_all(eps / k * away(other[j]) - eps / k * away(own[j]))
differ_by_one = (eq(own[j], other[j] + 1), ge(a, own[j]))
without_signs = of_all(exp(-eps / k * (a - own[j])) / exp(-eps / k * (a - other[j])))


factors = (
    Derivation("The logarithms of the factors", where=["eps > 0", "k >= 1", *differ_by_one], integer=["k"])
    .start(loss_of_all)
    .eq(in_all(eps / k), "a is at least both values, which differ by one")
    .eq(eps)
    .conclude(eq(loss_of_all, eps))
)
displayed = (
    Derivation("The displayed ratio", where=["eps > 0", "k >= 1", *differ_by_one], integer=["k"])
    .state(eq(in_all(away(other[j])) - in_all(away(own[j])), in_all(own[j]) - in_all(other[j])),
           "a is at least f_j(x) and f_j(x')", label="signs")
    .start(in_all(own[j] - other[j]))
    .eq(in_all(Integer(1)), "the values differ by one")
    .eq(k)
    .conclude(eq(in_all(own[j] - other[j]), k), label="apart")
    .start(of_all(likelihood(own[j])) / of_all(likelihood(other[j])))
    .eq(of_all(likelihood(own[j]) / likelihood(other[j])), "the samples are independent")
    .eq(exp(eps / k * (in_all(away(other[j])) - in_all(away(own[j])))), "in the exponent")
    .eq(exp(eps / k * (in_all(own[j]) - in_all(other[j]))), "without absolute values", by="signs")
    .eq(without_signs, "which is what is displayed")
    .eq(of_all(exp(eps / k * (own[j] - other[j]))))
    .eq(exp(eps / k * in_all(own[j] - other[j])))
    .eq(exp(eps), by="apart")
    .conclude(whole_ratio)
)

all_positive = Rational(1, 2) ** k
beyond_one = (exp(-eps / k) / 2) ** k
best = (
    Derivation("Where all noise is positive, the loss is eps",
               where=["eps > 0", "k >= 1", "eps_star >= 0", "eps_star < eps"], integer=["k"])
    .start(beyond_one)
    .eq(all_positive * exp(-eps), "the same set under x': each noise exceeds 1")
    .lt(all_positive * exp(-smaller), "eps_star is smaller than eps", label="smaller")
    .state(lt(exp(smaller) * beyond_one, all_positive), "so no smaller epsilon allows this set")
    .start(k * (eps / k)).eq(eps, "and eps itself is enough: the losses add up")
)

half = (
    Derivation("All noise is positive", where=["b > 0", "x >= 0", "k >= 1"], integer=["k"])
    .state(eq(mass_above.diff(x), density), "an antiderivative of the density")
    .cite("the antiderivative tends to 0 at infinity", "fundamental theorem of calculus")
    .start(-mass_above.subs(x, 0)).eq(Rational(1, 2), "the mass above 0")
    .start((-mass_above.subs(x, 0)) ** k).eq(2 ** (-k), "for k independent samples")
)

too_rare = (
    half.suppose("delta > 0", lt(delta, all_positive))
    .state(lt(1 - all_positive, 1 - delta), "below eps the loss stays too rarely")
)

#: in each step eps/k, so the squares sum to eps^2/k
mean = eps**2 / (2 * k)
likely = mean + eps * sqrt(2 * log(1 / delta) / k)
chernoff = exp(-((likely - mean) ** 2) / (2 * eps**2 / k))
tail = (
    Derivation("The loss, with high probability", where=["eps > 0", "k >= 1", "0 < delta < 1"],
               integer=["k"])
    .state(le(k * (eps / k) * tanh(eps / k / 2), mean), "the mean of the loss is at most this")
    .lemma("two-point", "p*exp(x) + (1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", where=["0 <= p <= 1"])
    .cite("the moment E e^(lam L) of the loss of an (eps/k)-DP step, a convex function of the likelihood ratio, is "
          "largest for randomised response, which has these two points", "kov/thm-2.5")
    .cite("a sum of k independent losses exceeds this by s with probability at most e^(-lam s) times their "
          "moments, which is exp(-s^2 k/(2 eps^2)) at the best lam", "Markov's inequality")
    .start(chernoff).le(delta)
)
less_than_basic = (lt(eps / (2 * k) + sqrt(2 * log(1 / delta) / k), 1),)

class WithProbability(Structural):
    """A bound on the likelihood ratio of an output, with a probability: more than a guarantee, and in words."""

    kind: ClassVar[str] = "guarantee"


optimality_of_basic_composition = Statement(
    place=blog.at("sec-optimal", "Is Basic Composition Optimal?"),
    title="Whether basic composition is optimal",
    beyond=SOME,
    hypotheses=(
        r"$k$ values of sensitivity 1 with independent Laplace noise of scale $k/\varepsilon$; "
        r"$f_j(x)=f_j(x')+1$ for every $j$."
    ),
    variables={
        eps: positive, k: positive_integer, delta: unit_open, loss_sum: positive,
    },
    formulas={"variance": noise.closed_form("variance"), "epsilon, with high probability": likely},
    claims=(
        Identity(
            "variance",
            r"the standard deviation of the noise, the root of the variance $2k^2/\varepsilon^2$",
            eq(sqrt(noise.closed_form("variance")), deviation),
            derivation=variance,
        ),
        Identity(
            "ratio",
            r"at $y=(a,\dots,a)$, where $a\ge f_j(x)=f_j(x')+1$ for every $j$, the logarithms of the $k$ factors of "
            r"the likelihood ratio add up to $\varepsilon$; here $g_j$ is $f_j(x')$",
            eq(loss_of_all, eps),
            each=differ_by_one,
            variables={a: real},
            derivation=factors,
        ),
        Identity(
            "ratio.factor",
            r"each of the $k$ factors has the same logarithm, whatever $t=a-f_j(x)\ge0$ is",
            eq(exp(k * loss_of_a_factor), exp(eps)),
            variables={t: nonnegative},
            derivation=ratio,
            role="sharper",
            improves="ratio",
            because="it is why nothing else about the values matters",
        ),
        Optimality(
            "optimal",
            r"for this example no $\varepsilon_*<\varepsilon$ will do, and $\varepsilon$ does",
            derivation=best,
        ),
        Guarantee(
            "l1-sensitivity",
            r"with noise of scale $\Delta_1/\varepsilon$ the losses $|f_j(x)-f_j(x')|\,"
            r"\varepsilon/\Delta_1$ of the coordinates add up to at most $\varepsilon$, "
            r"and that is enough",
            subject=AnySequence(pure=True),
            epsilon=eps,
            delta=Integer(0),
            where=(le(loss_sum, eps),),
        ),
        Identity(
            "rare",
            r"all $k$ samples of the noise are positive with probability $2^{-k}$",
            eq(Rational(1, 2) ** k, 2 ** (-k)),
            derivation=half,
        ),
        WithProbability(
            "high-probability",
            r"for $Y$ drawn from $M(x)$ the likelihood ratio is at most $e^{\varepsilon_*}$ with probability at "
            r"least "
            r"$1-\delta$, for $\varepsilon_*=\varepsilon^2/2k+\varepsilon\sqrt{2\log(1/\delta)/k}$, which is less "
            r"than "
            r"$\varepsilon$ for large $k$",
            derivation=tail,
        ),
        Guarantee(
            "high-probability.private",
            r"the composition is $(\varepsilon_*,\delta)$-DP, wherever that $\varepsilon_*$ is less than "
            r"$\varepsilon$",
            subject=noise,
            fold=k,
            epsilon=likely,
            delta=delta,
            where=less_than_basic,
            role="sharper",
            improves="high-probability",
            because="it follows from the bound on the ratio, and is what the kernel has as a guarantee",
        ),
        Inequality(
            "high-probability.tail",
            r"Chernoff's bound on the probability of a larger loss, from the moments of the loss, is at most "
            r"$\delta$ at that "
            r"$\varepsilon_*$",
            parse_relation("exp(-((eps^2/(2*k) + eps*sqrt(2*log(1/delta)/k) - eps^2/(2*k))^2)/(2*eps^2/k)) <= delta"),
            where=less_than_basic,
            derivation=tail,
            role="sharper",
            improves="high-probability",
            because="it is the formula in the argument for the bound on the likelihood ratio",
        ),
        Inequality(
            "high-probability.limit",
            r"with $\delta<2^{-k}$ there is none: the loss is $\varepsilon$ with probability $2^{-k}$",
            lt(1 - all_positive, 1 - delta),
            where=(lt(delta, all_positive),),
            role="sharper",
            improves="high-probability",
            because="how small $\\delta$ may be depends on $k$; the text leaves it open",
            derivation=too_rare,
        ),
        Guarantee(
            "high-probability.concentrated",
            r"with the mean of the loss in the place of $\varepsilon^2/2k$, in the root as well, and "
            r"whether it is less than $\varepsilon$ or not",
            subject=noise,
            fold=k,
            epsilon=concentrated,
            delta=delta,
            role="sharper",
            improves="high-probability",
            because=(
                r"each loss has a mean of at most $(\varepsilon/k)\tanh(\varepsilon/2k)$ and is "
                r"concentrated; the condition only says where the bound beats the sum"
            ),
        ),
    ),
    cites=("dwork2006calibrating",),
)

proof = SourceProof(
    blog.at("sec-optimal", "Is Basic Composition Optimal?"), "The proof that basic composition is optimal",
    (variance, displayed, half), (factors, ratio, best, half, tail, too_rare),
    supports=("blog/sec-optimal.variance", "blog/sec-optimal.ratio", "blog/sec-optimal.ratio.factor",
              "blog/sec-optimal.optimal", "blog/sec-optimal.rare", "blog/sec-optimal.high-probability.tail",
              "blog/sec-optimal.high-probability.limit"))
