r"""Calibrated steps: how private each of $k$ steps must be for $(\varepsilon,\delta)$-DP in total."""

from sympy import E, Expr, Rational, exp, log, sqrt

from symdp.derivation import Derivation, use
from symdp.derivation.derivation import Condition
from symdp.example import Example
from symdp.literature.kov import kov
from symdp.literature.kov.moment_bound import equal_steps, with_half_the_squares
from symdp.notation import delta, eps, k, symbol
from symdp.relation import eq, gt, le
from symdp.statement import Guarantee, Statement, positive, positive_integer, unit_positive
from symdp.subject import AnyPrivate
from symdp.worst_case import needed_delta, pure_part

level = symbol("l")
logarithm = log(E + eps / delta)
step_epsilon = sqrt(eps**2 / (4 * k * logarithm))
step_delta = delta / (2 * k)
#: eps/4 <= l/2 + eps^2/(32 l): how the inequality of the two means is used
SLOPE, PART = Rational(1, 4), Rational(1, 2)
small = le(eps, Rational("0.9"))


def steps_suffice(
    title: str, epsilon: Expr, leak: Expr, share: Expr, most: Expr | int, *where: Condition
) -> Derivation:
    r"""That $k$ steps with this epsilon, whose squares add up to $\varepsilon^2/4\ell$, need at most delta.

    Here $\ell=\log(e+\varepsilon/\delta)$, which is at least $\log(e+\varepsilon)$. The steps leak with
    probability ``leak`` each, and the pure part gets this ``share`` of delta.
    """
    pure, needed = pure_part(epsilon, k, eps), needed_delta(AnyPrivate(epsilon, leak), k, eps)

    def squares(level: Expr) -> Expr:
        return eps**2 / (4 * level)

    def above(level: Expr) -> Expr:
        return eps - squares(level) / 2

    def bound(level: Expr) -> Expr:
        v, u = squares(level), above(level)
        return exp(-(u**2) / (2 * v)) / (1 + u / v)

    def rate(level: Expr) -> Expr:
        return eps / 2 - 2 * level - eps**2 / (32 * level)

    def steepness(level: Expr) -> Expr:
        return eps / 2 + 4 * level

    def formed(level: Expr) -> Expr:
        return exp(rate(level)) * eps / steepness(level)

    total = 1 - (1 - leak) ** k * (1 - share * delta)
    inside: list[Condition] = [f"0 < eps <= {most}", "l >= log(e + eps)"]
    return (
        with_half_the_squares(equal_steps, title, f"0 < eps <= {most}", "0 < delta <= 1", *where)
        .lemma("two means", le(SLOPE * eps, PART * level + eps**2 / (32 * level)), ["eps > 0", "l >= 1"])
        .lemma("rest", le(eps / 2 - SLOPE * eps - log(share), PART * level + log(steepness(level))), inside)
        .lemma("formed", le(bound(level), formed(level)), ["eps > 0", "l >= 1", gt(above(level), 0)])
        .lemma("in logarithms", "exp(a)*x/b <= s*x*exp(-l)",
               ["b > 0", "x > 0", "s > 0", "a - log(b) <= log(s) - l"])
        .state(eq(k * epsilon**2, squares(logarithm)), "the squares of the steps", label="squares")
        .state(gt(above(logarithm), 0), "the mean of the loss is below epsilon", label="above")
        .start(pure)
        .le(bound(logarithm), "the moment bound", by=[
            "squares", "above", use("half", eps=epsilon, lam=above(logarithm) / squares(logarithm))])
        .le(formed(logarithm), by=["above", use("formed", l=logarithm)])
        .le(share * eps * exp(-logarithm), by=[
            use("two means", l=logarithm), use("rest", l=logarithm),
            use("in logarithms", a=rate(logarithm), b=steepness(logarithm), s=share, l=logarithm, x=eps)])
        .le(share * delta, "what the logarithm is for")
        .conclude(le(pure, share * delta), label="pure part")
        .state(le(total, delta), "what the steps leak, and that share", label="total")
        .start(needed)
        .le(total, by="pure part")
        .le(delta, by="total")
        .conclude(le(needed, delta))
    )


HALF = Rational(1, 2)


def calibrated(name: str, says: str, **more: object) -> Guarantee:
    return Guarantee(
        name, says, epsilon=eps, delta=delta, subject=AnyPrivate(step_epsilon, step_delta), fold=k,
        **more,  # type: ignore[arg-type]
    )


calibrated_steps = Statement(
    place=kov.corollary("4.1"),
    title="Calibrated steps",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon_0,\delta/2k)$-DP.",
    variables={eps: positive, delta: unit_positive, k: positive_integer},
    formulas={"epsilon of a step": step_epsilon, "delta of a step": step_delta},
    claims=(
        calibrated(
            "",
            r"for $\varepsilon\le0.9$ the steps compose to $(\varepsilon,\delta)$-DP",
            where=(small,),
            derivation=steps_suffice("Corollary 4.1", step_epsilon, step_delta, HALF, Rational("0.9")),
        ),
        calibrated(
            "range",
            r"the largest $E$ such that this holds for all $\varepsilon<E$, all $k$ and all $\delta$",
            task="derive",
            examples=(Example("calibration-range", {"mechanism": "any"}),),
        ),
        calibrated(
            "sharper",
            r"the steps compose to $(\varepsilon,\delta)$-DP for $\varepsilon\le12$ too",
            where=(le(eps, 12),),
            derivation=steps_suffice("Corollary 4.1, up to 12", step_epsilon, step_delta, HALF, 12),
            role="sharper",
            improves="",
            because=(
                r"the mean of the loss is half of what the paper takes for it, and a factor that its "
                r"last step drops is kept; 0.9 belongs to the simplification in Theorem 3.4, not here"
            ),
        ),
    ),
)
