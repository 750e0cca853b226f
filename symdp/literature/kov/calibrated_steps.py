r"""Calibrated steps: how private each of $k$ steps must be for $(\varepsilon,\delta)$-DP in total."""

from sympy import E, Expr, Integer, Rational, exp, log, sqrt

from symdp.derivation import Derivation, use
from symdp.example import Example
from symdp.literature.kov import kov
from symdp.notation import delta, eps, k, symbol
from symdp.relation import eq, le
from symdp.statement import Guarantee, Statement, positive, positive_integer, unit_positive
from symdp.subject import AnyPrivate

level = symbol("l")
logarithm = log(E + eps / delta)
step_epsilon = sqrt(eps**2 / (4 * k * logarithm))
step_delta = delta / (2 * k)
#: For c = 4 and c = 8: eps/4 <= l/2 + eps^2/(32 l), and 0.43 eps <= 3 l + eps^2/(64 l).
FOUR, EIGHT = (Rational(1, 4), Rational(1, 2)), (Rational("0.43"), Integer(3))
small = le(eps, Rational("0.9"))


def moments_suffice(
    title: str, variance: Expr, factor: int, share: Expr, most: int, means: tuple[Expr, Expr]
) -> Derivation:
    r"""That losses with this variance, and half of it as mean, need at most this share of $\delta$.

    With $\ell=\log(e+\varepsilon/\delta)$ the variance is $v=\varepsilon^2/(c\,\ell)$ and
    $\delta=\varepsilon/(e^\ell-e)$; the moment bound is written in $\varepsilon$ and $\ell$, and
    $\delta\le1$ becomes $\ell\ge\log(e+\varepsilon)$. ``means`` says how the inequality of the two
    means is used: $p\varepsilon\le\theta\ell+\varepsilon^2/(8c\ell)$.
    """
    c, v, (slope, part) = Integer(factor), eps**2 / (factor * level), means
    excess, square = eps - v / 2, eps**2 / (8 * c * level)
    where = [f"0 < eps <= {most}", "l >= log(e + eps)"]
    rest = (c / 2 - 1 - part) * level + log(eps / 2 + c * level)
    return (
        Derivation(title, where=[*where, "0 < delta <= 1", "k >= 1", "Delta > 0"], integer=["k"])
        .state(eq(variance, v.subs(level, logarithm)), "the variance of the loss in total")
        .cite(
            "if the moments of the loss are at most those of a normal law with mean v/2 and variance v, "
            "the share of delta that it needs is at most exp(-u^2/(2v))/(1 + u/v), u = eps - v/2 >= 0",
            "kov/sec-7.pointwise and kov/sec-7.alon-spencer",
        )
        .lemma("two-means", le(slope * eps, part * level + square), ["eps > 0", "l >= 1"])
        .lemma("rest", le(eps / 2 - slope * eps - log(share), rest), where)
        .state(le(v / 2, eps), "u is not negative")
        .start(-(excess**2) / (2 * v) - log(1 + excess / v))
        .eq(eps / 2 - c * level / 2 - square + log(eps) - log(eps / 2 + c * level))
        .le(log(share) + log(eps) - level,
            by=(use("two-means", eps=eps, l=level), use("rest", eps=eps, l=level)))
        .state(le(share * eps * exp(-level), share * eps / (exp(level) - E)),
               "which is the share of delta = eps/(exp(l) - e)")
    )


def steps_suffice(most: int) -> Derivation:
    """For the steps of the corollary: half of delta is for the loss, half for what the steps leak."""
    return moments_suffice(
        "Steps with that epsilon", k * step_epsilon**2, 4, Rational(1, 2), most, FOUR
    ).lemma(  # the mean of one loss is at most half its variance
        "mean", "x*(exp(x) - 1)/(exp(x) + 1) <= x^2/2", ["x > 0"]
    ).state("1 - (1 - delta/(2*k))^k*(1 - delta/2) <= delta", "what the steps leak, and that share")


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
            derivation=steps_suffice(1),
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
            derivation=steps_suffice(12),
            role="sharper",
            improves="",
            because=(
                r"the mean of the loss is half of what the paper takes for it, and a factor that its "
                r"last step drops is kept; 0.9 belongs to the simplification in Theorem 3.4, not here"
            ),
        ),
    ),
)
