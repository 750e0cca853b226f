r"""Appendix B, sharper: half of the second line is enough, and little more than a third of the last."""

from sympy import Rational, exp, sqrt

from symdp.formulas.notation import delta, eps
from symdp.formulas.relation import gt, le
from symdp.literature.kov.appendices.derivation_of_gaussian_composition import (
    above,
    below,
    curve,
    factored,
    fourth,
    logarithm,
    size,
    tail_printed,
    usual,
)
from symdp.literature.kov.simplified_composition.chain_to_delta import best
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import Inequality

half = Rational(1, 2)

half_of_the_second_line = (
    Derivation("The first two lines, with a factor of one half", where=[*usual, gt(eps, size / 2)],
               integer=["k"])
    .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/(2*y)", where=["x > 0", "y > x"])
    .start(curve(sqrt(size)))
    .eq(factored)
    .le(exp(-(below**2) / 2) * ((above - below) / (2 * above)), by=use("mills", x=below, y=above))
    .eq(half * tail_printed)
)

third_of_the_target = (
    Derivation("How far the last line is below the target", where=[*usual[:3], "0 < delta <= 1"],
               integer=["k"])
    .lemma("peak", "(1 - exp(1 - y))/sqrt(2*y) <= 0.3532", where=["y >= 1"])
    .start(fourth)
    .eq(delta * (1 - exp(1 - logarithm)) / (sqrt(size) + sqrt(2 * logarithm)))
    .le(delta * ((1 - exp(1 - logarithm)) / sqrt(2 * logarithm)), "the first root is dropped")
    .le(best * delta, by=use("peak", y=logarithm))
)

sharper_tail = (
    Inequality(
        "chain-first.sharper",
        r"the exact $\delta$ of $k$ normal noises is at most half of the second line",
        le(curve(sqrt(size)), half * tail_printed),
        where=(gt(eps, size / 2),),
        derivation=half_of_the_second_line,
        role="sharper",
        improves="chain-first",
        because=(
            r"no normal law has more than half its mass beyond its mean"
        ),
    ),
    Inequality(
        "less.sharper",
        r"the fourth line with its roots repaired is at most $0.3532\,\delta$",
        le(fourth, best * delta),
        derivation=third_of_the_target,
        role="sharper",
        improves="less",
        because=(
            r"$(1-e^{1-y})/\sqrt{2y}$, with $y$ for the logarithm, is below that, as in Section 7; with half of the "
            r"second line, half of that part of $\delta$ is needed"
        ),
    ),
)
