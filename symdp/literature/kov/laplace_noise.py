r"""Laplacian noise under composition: variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$."""

from sympy import Integer, sqrt

from symdp.derivation import Derivation
from symdp.example import Example
from symdp.literature.kov import kov
from symdp.literature.kov.calibrated_steps import (
    FOUR,
    logarithm,
    moments_suffice,
    small,
    step_epsilon,
)
from symdp.notation import delta, eps, k, symbol
from symdp.privacy.laplace import Laplace
from symdp.relation import eq, le
from symdp.statement import Guarantee, Statement, positive, positive_integer, unit_positive

Delta = symbol("Delta")
variance = 8 * k * Delta**2 * logarithm / eps**2
noise = Laplace(scale=sqrt(variance / 2), sensitivity=Delta)


def noise_suffices(most: int) -> Derivation:
    return moments_suffice(
        "Laplacian noise of that variance", k * (Delta**2 / (variance / 2)), 4, Integer(1), most, FOUR
    ).lemma(  # the mean of one loss is at most half its variance
        "mean", "x*(exp(x) - 1)/(exp(x) + 1) <= x^2/2", ["x > 0"]
    )


def calibrated(name: str, says: str, **more: object) -> Guarantee:
    return Guarantee(name, says, epsilon=eps, delta=delta, subject=noise, fold=k,
                     **more)  # type: ignore[arg-type]


laplace_noise = Statement(
    place=kov.corollary("4.2"),
    title="Laplacian noise under composition",
    hypotheses=r"Each of $k$ adaptively chosen real queries has sensitivity $\Delta$.",
    variables={eps: positive, delta: unit_positive, k: positive_integer, Delta: positive},
    formulas={"variance": variance},
    claims=(
        calibrated(
            "",
            r"for $\varepsilon\le0.9$ noise of that variance is enough",
            where=(small,),
            derivation=Derivation(
                "Through the steps of Corollary 4.1",
                where=["0 < eps <= 0.9", "0 < delta <= 1", "k >= 1", "Delta > 0"], integer=["k"])
            .state(eq(Delta**2 / (variance / 2), step_epsilon**2),
                   "noise of scale b is (Delta/b, 0)-DP, and its variance is 2b^2")
            .cite("such steps compose to (eps, delta)-DP, even where each leaks delta/(2k)",
                  "kov/cor-4.1"),
        ),
        calibrated(
            "range",
            r"the largest $E$ such that this holds for all $\varepsilon<E$, all $k$ and all $\delta$",
            task="derive",
            examples=(Example("calibration-range", {"mechanism": "laplace"}),),
        ),
        calibrated(
            "sharper",
            r"noise of that variance is enough for $\varepsilon\le16$ too",
            where=(le(eps, 16),),
            derivation=noise_suffices(16),
            role="sharper",
            improves="",
            because=(
                r"the steps leak nothing, so that the loss may have all of $\delta$; its mean is half of "
                r"what the paper takes for it"
            ),
        ),
    ),
)
