r"""The proof of Gaussian composition: the curve of $k$ normal noises against a moment of their loss."""

from sympy import E, Expr, IndexedBase, Integer, Max, Sum, exp, log, sqrt

from symdp.derivation import Derivation, use
from symdp.literature.kov import kov
from symdp.literature.kov.chernoff_bound_on_the_loss import at_zero, convention, entropy
from symdp.notation import Phi, delta, eps, k, lam, symbol
from symdp.privacy.gaussian import Gaussian
from symdp.regime import Regime
from symdp.relation import eq, ge, gt, le, lt
from symdp.statement import (
    Asymptotic,
    Claim,
    Guarantee,
    Inequality,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit_positive,
)

Delta, sigma, distance = symbol("Delta"), symbol("sigma"), symbol("m")
p, q, member, x = symbol("p"), symbol("q"), symbol("s"), symbol("x")

#: the squared distance of the k-fold product, in units of the noise
size = k * Delta**2 / sigma**2


def curve(apart: Expr, epsilon: Expr = eps) -> Expr:
    """The mass of the best set less that under the other law, for two normal laws so far apart."""
    return Phi(apart / 2 - epsilon / apart) - exp(epsilon) * Phi(-apart / 2 - epsilon / apart)


moment = exp(distance**2 / 2 * lam**2 + distance**2 / 2 * lam - lam * eps + entropy)
tail_printed = exp(-(sigma**2) / (2 * k * Delta**2) * (eps - size / 2) ** 2) / (
    1 + sigma**2 / (k * Delta**2) * (eps - size / 2))
choice = sigma**2 / (k * Delta**2) * (eps - size / 2)

logarithm = log(E + 1 / delta * sqrt(size))
third = 1 / (1 + sqrt(2 * sigma**2 / (k * Delta**2) * logarithm)) * (1 / (E + 1 / delta * sqrt(size)))
fourth_printed = 1 / sqrt(size + sqrt(2 * logarithm)) * (
    delta / (E * delta * sqrt(sigma**2 / (k * Delta**2) + 1)))
fourth = 1 / (sqrt(size) + sqrt(2 * logarithm)) * (
    delta / (E * delta * sqrt(sigma**2 / (k * Delta**2)) + 1))
enough = size / 2 + sqrt(2 * k * Delta**2 / sigma**2 * logarithm)

target = log(E + eps / delta)
by_the_root = 4 * k * Delta**2 / eps**2 * target
by_the_mean, by_the_mean_repaired = k * Delta**2 / (4 * eps), 2 * k * Delta**2 / eps
sharpest_mean = (1 + 1 / sqrt(2)) * k * Delta**2 / eps
theorem_variance = 8 * k * Delta**2 * target / eps**2

usual = ["sigma > 0", "Delta > 0", "k >= 1", "eps > 0"]
advantage = p - exp(eps) * q

best_set = (
    Derivation("The set of large likelihood ratio", where=["p >= 0", "q >= 0", "0 <= s <= 1"])
    .state(le(member * advantage, Max(0, advantage)), "an outcome is taken, left, or taken in part")
    .lemma("inside of B", eq(Max(0, advantage), advantage), where=["p >= exp(eps)*q"])
    .lemma("outside of B", eq(Max(0, advantage), 0), where=["p < exp(eps)*q"])
    .cite("integrated over the outcomes, no set has more than B", "integration is monotone")
    .cite("a convex region is what its tangents leave", "kov/rem-6.1")
)

shift = IndexedBase("t")
full_shifts = (
    Derivation("Full shifts are the worst", where=[
        "k >= 1", "Delta > 0", le(shift[x], Delta), ge(shift[x], -Delta)], integer=["k"])
    .start(Sum(shift[x] ** 2, (x, 1, k)))
    .le(Sum(Delta**2, (x, 1, k)), "each query moves by at most its sensitivity")
    .eq(k * Delta**2)
    .lemma("farther", le(curve(p), curve(q)), where=["p > 0", "q >= p", "eps >= 0"])
    .cite("k normal laws with shifts t_i are one with the root of the sum of their squares; given the "
          "answers before it, an adaptive query is a fixed one", "rotation of the normal law")
)

averaged = (
    Derivation("The last line of (29)", where=["lam > 0", "m > 0"])
    .lemma("centred", "max(0, 1 - exp(-y)) <= exp(lam*y + lam*log(lam) - (lam+1)*log(lam+1))",
           where=["lam > 0"])
    .state("exp(-x^2/2)*(1 - exp(eps - (m^2/2 - m*x))) == exp(-x^2/2) - exp(eps)*exp(-(x-m)^2/2)",
           "the loss at x is m^2/2 - m*x")
    .state("exp(-x^2/2)*exp(lam*(m^2/2 - m*x)) == exp(lam*m^2/2 + lam^2*m^2/2)*exp(-(x+lam*m)^2/2)",
           "completing the square")
    .cite("the lemma, integrated against the normal density", "integration is monotone",
          claim=le(curve(distance), moment))
)

#: where the loss is epsilon, under either law, in standard deviations from its mean
below, above = (eps - size / 2) / sqrt(size), (eps + size / 2) / sqrt(size)
mills = (
    Derivation("The first two lines", where=[*usual, gt(eps, size / 2)], integer=["k"])
    .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/y", where=["x > 0", "y > x"])
    .start(curve(sqrt(size)))
    .eq(exp(-(below**2) / 2) * (exp(below**2 / 2) * Phi(-below) - exp(above**2 / 2) * Phi(-above)))
    .le(exp(-(below**2) / 2) * ((above - below) / above), by=use("mills", x=below, y=above))
    .eq(tail_printed)
)

third_line = (
    Derivation("The third line", where=[*usual, "0 < delta <= 1", ge(eps, enough)], integer=["k"])
    .lemma("beyond", "exp(-u^2/(2*v))/(1 + u/v) <= 1/(1 + sqrt(2*y/v))*exp(-y)",
           where=["v > 0", "y >= 1", "u >= sqrt(2*v*y)"])
    .start(tail_printed)
    .le(1 / (1 + sqrt(2 * logarithm / size)) * exp(-logarithm),
        by=use("beyond", u=eps - size / 2, v=size, y=logarithm))
    .eq(third)
)


def both_conditions(mean: Expr, title: str) -> Derivation:
    """Two conditions on the variance give the condition on epsilon; the second is this one."""
    return (
        Derivation(title, where=[
            *usual, "0 < delta <= 1", ge(sigma**2, by_the_root), ge(sigma**2, mean)], integer=["k"])
        .lemma("root", "sqrt(2*v*y) <= eps/sqrt(2)",
               where=["v > 0", "y >= 1", "z >= y", "eps > 0", "v <= eps^2/(4*z)"])
        .lemma("logarithms", "log(e + sqrt(v)/delta) <= log(e + eps/delta)",
               where=["v > 0", "0 < delta <= 1", "eps > 0", "v <= eps^2"])
        .state(le(size, eps**2 / (4 * target)), "the first condition", label="first")
        .state(le(size, eps**2), by="first", label="square")
        .state(le(logarithm, target), by=["square", use("logarithms", v=size)], label="logarithm")
        .state(le(sqrt(2 * size * logarithm), eps / sqrt(2)), by=[
            "first", "logarithm", use("root", v=size, y=logarithm, z=target)], label="deviation")
        .state(le(size / 2, (1 - 1 / sqrt(2)) * eps), "the second condition", label="mean")
        .state(ge(eps, enough), by=["mean", "deviation"])
    )


#: Theorem 4.3 where it is true. Its variance puts the laws eps/w apart, with w^2/8 for the logarithm.
w = symbol("w")
near, far = w - eps / (2 * w), w + eps / (2 * w)
root = sqrt(8 * target)
theorem = (
    Derivation("Theorem 4.3, for epsilon up to 8 log(e + epsilon/delta)", where=[
        "eps > 0", "0 < delta <= 1", "eps <= 8*log(e + eps/delta)", "w > 0", "w^2 >= 8", "eps <= w^2"])
    .cite("k normal noises are one, and full shifts the worst", "kov/app-b.wlog")
    .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/y", where=["x > 0", "y > x"])
    .start(curve(eps / w))
    .eq(exp(-(near**2) / 2) * (exp(near**2 / 2) * Phi(-near) - exp(far**2 / 2) * Phi(-far)))
    .le(exp(-(near**2) / 2) * ((far - near) / far), by=use("mills", x=near, y=far))
    .le(exp(-(w**2) / 8) * ((far - near) / far), "the mean takes at most half of epsilon")
    .le(exp(-(w**2) / 8) / (1 + w**2 / (2 * eps)))
    .conclude(le(curve(eps / w), exp(-(w**2) / 8) / (1 + w**2 / (2 * eps))), label="general")
    .start(curve(eps / root))
    .le(exp(-target) / (1 + 4 * target / eps), "the variance of the theorem", by=use("general", w=root))
    .eq(1 / (E + eps / delta) / (1 + 4 * target / eps))
    .lt(delta, "the two denominators multiply to more than 1/delta")
    .conclude(lt(curve(eps / root), delta))
)

claims: tuple[Claim, ...] = (
    Structural(
        "pairs",
        r"the composed region is described by the pairs $(\varepsilon,\delta)$ in which $\delta$ is the "
        r"advantage of the best set",
        printed_at="Appendix B, first display",
        derivation=best_set,
    ),
    Structural(
        "wlog",
        r"queries that all move by exactly $\Delta$ are the worst",
        printed_at="Appendix B, reduction",
        derivation=full_shifts,
    ),
    Inequality(
        "mgf",
        r"the moment of the loss of one normal noise, with $\mathbb{E}\,e^{tX}=e^{\sigma^2t^2/2}$",
        le(exp(sigma**2 / 2 * (-lam * Delta / sigma**2) ** 2) * exp(lam * Delta**2 / (2 * sigma**2)),
           exp(Delta**2 / (2 * sigma**2) * lam**2 + Delta**2 / (2 * sigma**2) * lam)),
        variables={lam: nonnegative},
        printed_at="Appendix B, moment generating function",
    ),
    Inequality(
        "mgf.sharper",
        r"the two are equal, for every real $\lambda$",
        eq(exp(sigma**2 / 2 * (-lam * Delta / sigma**2) ** 2) * exp(lam * Delta**2 / (2 * sigma**2)),
           exp(Delta**2 / (2 * sigma**2) * lam**2 + Delta**2 / (2 * sigma**2) * lam)),
        variables={lam: real},
        role="sharper",
        improves="mgf",
        because=r"the loss of a normal noise is itself normal; neither $\le$ nor $\lambda\ge0$ is needed",
    ),
    Inequality(
        "lambda",
        r"the chosen $\lambda$ is positive where $\varepsilon$ exceeds the mean of the loss",
        gt(choice, 0),
        where=(gt(eps, size / 2),),
        printed_at="Appendix B, choice of lambda",
    ),
    Inequality(
        "chain-first",
        r"the exact $\delta$ of $k$ normal noises is at most the second line",
        le(curve(sqrt(size)), tail_printed),
        where=(gt(eps, size / 2),),
        printed_at="Appendix B, chain, first and second lines",
        derivation=mills,
    ),
    Inequality(
        "chain-third",
        r"the second line is at most the third, under the displayed condition on $\varepsilon$",
        le(tail_printed, third),
        where=(ge(eps, enough),),
        printed_at="Appendix B, chain, third line",
        derivation=third_line,
    ),
    Inequality(
        "chain-fourth",
        r"the third line is at most the fourth, whose roots reach over sums",
        le(third, fourth_printed),
        printed_at="Appendix B, chain, fourth line",
    ),
    Inequality(
        "chain-fourth.corrected",
        r"with the roots over their first terms alone the two lines are equal",
        eq(third, fourth),
        role="corrected",
        improves="chain-fourth",
        because=(
            r"two roots reach too far; the same line in Section 7 has them right, and with them it is an "
            r"equality"
        ),
    ),
    Inequality(
        "less",
        r"the fourth line as printed is less than $\delta$",
        lt(fourth_printed, delta),
        printed_at="Appendix B, sentence after the chain",
    ),
    Inequality(
        "less.corrected",
        r"the fourth line with its roots repaired is less than $\delta$",
        lt(fourth, delta),
        role="corrected",
        improves="less",
        because=(
            r"in the printed line $\delta$ cancels, so it cannot be small with $\delta$; with the roots "
            r"of Section 7 the sentence holds"
        ),
    ),
    Inequality(
        "sufficient",
        r"the two printed conditions on $\sigma^2$ give the condition on $\varepsilon$",
        ge(eps, enough),
        where=(ge(sigma**2, by_the_root), ge(sigma**2, by_the_mean)),
        printed_at="Appendix B, last paragraph, two conditions on sigma^2",
    ),
    Inequality(
        "sufficient.corrected",
        r"with $\sigma^2\ge2k\Delta^2/\varepsilon$ as the second condition they do",
        ge(eps, enough),
        where=(ge(sigma**2, by_the_root), ge(sigma**2, by_the_mean_repaired)),
        role="corrected",
        improves="sufficient",
        because=(
            r"$k\Delta^2/(4\varepsilon)$ is eight times too small: it lets the mean of the loss be "
            r"$2\varepsilon$; for large $\varepsilon$ Theorem 4.3 falls with it"
        ),
        derivation=both_conditions(by_the_mean_repaired, "Two conditions on the variance"),
    ),
    Inequality(
        "sufficient.sharper",
        r"the factor 2 may be $1+1/\sqrt2$",
        ge(eps, enough),
        where=(ge(sigma**2, by_the_root), ge(sigma**2, sharpest_mean)),
        role="sharper",
        improves="sufficient",
        because=(
            r"the deviation takes at most $\varepsilon/\sqrt2$, and what is left is exactly what the mean "
            r"then takes"
        ),
        derivation=both_conditions(sharpest_mean, "The second condition, as weak as the proof allows"),
    ),
    Asymptotic(
        "only-need",
        r"the variance that the two conditions ask for has the order of the first of them",
        Max(by_the_root, by_the_mean),
        "O",
        k * Delta**2 / eps**2 * target,
        Regime(),
        printed_at="Appendix B, last sentence",
    ),
    Asymptotic(
        "only-need.corrected",
        r"the same, with the repaired condition, where $\varepsilon\le1$",
        Max(by_the_root, by_the_mean_repaired),
        "O",
        k * Delta**2 / eps**2 * target,
        Regime(),
        where=(le(eps, Integer(1)),),
        role="corrected",
        improves="only-need",
        because=(
            r"for large $\varepsilon$ the second condition has the larger order, $k\Delta^2/\varepsilon$; "
            r"it is the first that counts where $\varepsilon$ is bounded, which the text does not say"
        ),
    ),
    Guarantee(
        "only-need.sharper",
        r"with the variance of Theorem 4.3 the composition is private as long as "
        r"$\varepsilon\le8\log(e+\varepsilon/\delta)$",
        subject=Gaussian(variance=theorem_variance, sensitivity=Delta),
        epsilon=eps,
        delta=delta,
        fold=k,
        where=(le(eps, 8 * target),),
        derivation=theorem,
        role="sharper",
        improves="only-need",
        because=(
            r"then the mean and the deviation of the loss take at most half of $\varepsilon$ each; for "
            r"larger $\varepsilon$ the theorem fails"
        ),
    ),
)

proof_of_gaussian_composition = Statement(
    place=kov.appendix("B"),
    title="The proof of Gaussian composition",
    hypotheses=r"Noise of variance $\sigma^2$ is added to $k$ queries of sensitivity $\Delta$.",
    variables={
        eps: positive, delta: unit_positive, k: positive_integer, Delta: positive, sigma: positive,
        lam: positive,
    },
    formulas={"squared distance": size, "condition on epsilon": enough},
    claims=claims,
)

equation_29 = Statement(
    place=kov.equation("29"),
    title="The curve of a normal noise is bounded by a moment of its loss",
    hypotheses=(
        r"Two normal laws of unit variance are $m=\sqrt{k}\Delta/\sigma$ apart; their loss is normal with "
        r"mean $m^2/2$ and variance $m^2$."
    ),
    variables={distance: positive, eps: positive, lam: nonnegative},
    claims=(
        Inequality(
            "chernoff",
            r"the advantage of the best set, in closed form, is at most the exponential moment",
            le(curve(distance), moment),
            examples=(at_zero,),
            derivation=averaged,
        ),
        Inequality(
            "chernoff.corrected",
            r"the same for $\lambda>0$",
            le(curve(distance), moment),
            variables={lam: positive},
            role="corrected",
            improves="chernoff",
            because=convention,
            derivation=averaged,
        ),
    ),
)
