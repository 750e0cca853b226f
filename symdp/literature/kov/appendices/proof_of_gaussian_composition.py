r"""The proof of Gaussian composition: the curve of $k$ normal noises against a moment of their loss."""

from typing import ClassVar

from sympy import Integer, Max, Rational, sqrt

from symdp.formulas.notation import delta, eps, k, lam
from symdp.formulas.relation import eq, ge, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.appendices.derivation_of_gaussian_composition import (
    Delta,
    averaged,
    best_set,
    both_conditions,
    by_the_mean,
    by_the_mean_repaired,
    by_the_root,
    choice,
    curve,
    enough,
    first_to_second,
    fourth,
    fourth_printed,
    full_shifts,
    inserted,
    mills,
    noise,
    normal_bound,
    normal_moment,
    sharpest_mean,
    sigma,
    size,
    tail_printed,
    target,
    theorem,
    third,
    third_line,
)
from symdp.literature.kov.appendices.half_of_the_tail import sharper_tail
from symdp.sources.beyond import LAWS
from symdp.sources.regime import Regime
from symdp.sources.statement import (
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
        le(normal_moment, normal_bound),
        variables={lam: nonnegative},
        printed_at="Appendix B, moment generating function",
    ),
    Inequality(
        "mgf.sharper",
        r"the two are equal, for every real $\lambda$",
        eq(normal_moment, normal_bound),
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
        r"the first line, (29) with the moments inserted, is at most the second at the chosen $\lambda$, that is at "
        r"$\varepsilon=k\Delta^2/2\sigma^2+\lambda k\Delta^2/\sigma^2$",
        first_to_second,
        printed_at="Appendix B, chain, first and second lines",
        derivation=inserted,
    ),
    Inequality(
        "chain-first.exact",
        r"the exact $\delta$ of $k$ normal noises is at most the second line",
        le(curve(sqrt(size)), tail_printed),
        where=(gt(eps, size / 2),),
        derivation=mills,
        role="sharper",
        improves="chain-first",
        because="it needs no moment and so not (29), whose integral is argued in words",
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
        fails_at={Delta: Integer(1), delta: Rational(1, 2), k: Integer(10), sigma: Rational(1, 10)},
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
        fails_at={
            Delta: Integer(1), delta: Rational(1, 2), eps: Integer(20), k: Integer(1), sigma: Rational(97, 500)},
    ),
    Inequality(
        "sufficient.corrected",
        r"with $\sigma^2\ge2k\Delta^2/\varepsilon$ as the second condition they do",
        ge(eps, enough),
        where=(ge(sigma**2, by_the_root), ge(sigma**2, by_the_mean_repaired)),
        role="corrected",
        improves="sufficient",
        because=(
            r"$k\Delta^2/(4\varepsilon)$ is too small: it lets the mean of the loss be "
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
            r"the deviation takes at most $\varepsilon/\sqrt2$, and what is left is enough for the mean"
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
        subject=noise,
        epsilon=eps,
        delta=delta,
        fold=k,
        where=(le(eps, 8 * target),),
        derivation=theorem,
        role="sharper",
        improves="only-need",
        because=(
            r"then the mean and the deviation of the loss take at most half of $\varepsilon$ each; it may hold for "
            r"larger $\varepsilon$ too, as `kov/thm-4.3.corrected` says, and not for all, as `kov/thm-4.3.range` does"
        ),
    ),
    *sharper_tail,
)

proof_of_gaussian_composition = Statement(
    place=kov.appendix("B"),
    title="The proof of Gaussian composition",
    beyond=LAWS,
    hypotheses=r"Noise of variance $\sigma^2$ is added to $k$ queries of sensitivity $\Delta$.",
    variables={
        eps: positive, delta: unit_positive, k: positive_integer, Delta: positive, sigma: positive,
        lam: positive,
    },
    formulas={"squared distance": size, "condition on epsilon": enough},
    claims=claims,
)

class Integrated(Structural):
    """An inequality between integrals, which the kernel does not have: in words here."""

    kind: ClassVar[str] = "inequality"


equation_29 = Statement(
    place=kov.equation("29"),
    title="The curve of a normal noise is bounded by a moment of its loss",
    beyond=LAWS,
    hypotheses=(
        r"Two normal laws of unit variance are $m=\sqrt{k}\Delta/\sigma$ apart; their loss is normal with "
        r"mean $m^2/2$ and variance $m^2$."
    ),
    claims=(
        Integrated(
            "chernoff",
            r"the advantage of the best set, $\Phi(m/2-\varepsilon/m)-e^\varepsilon\Phi(-m/2-\varepsilon/m)$, is at "
            r"most "
            r"the exponential moment, for every $\lambda>0$",
            derivation=averaged,
        ),
    ),
)
