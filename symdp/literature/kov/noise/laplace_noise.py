r"""Laplacian noise under composition: variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$."""

from sympy import Expr, Integer, Rational, sqrt

from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.relation import le
from symdp.literature.kov import kov
from symdp.literature.kov.noise.calibrated_steps import Budget, logarithm, small, steps_suffice
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import (
    Guarantee,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)

Delta = symbol("Delta")
variance = 8 * k * Delta**2 * logarithm / eps**2
noise = Laplace(scale=sqrt(variance / 2), sensitivity=Delta)


half_the_noise = Laplace(scale=sqrt(variance / 4), sensitivity=Delta)


def noise_suffices(title: str, noise: Laplace, factor: int, most: Expr | int) -> Derivation:
    """Noise of scale b has the loss Delta/b at most, so that it is one of the steps of Corollary 4.1."""
    loss = noise.closed_form("max_divergence")
    return steps_suffice(title, loss, Integer(0), Budget(factor, Integer(1)), most, "Delta > 0")


up_to_20 = noise_suffices("Corollary 4.2, up to 20", noise, 4, 20)


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
            derivation=noise_suffices("Corollary 4.2", noise, 4, Rational("0.9")),
        ),
        calibrated(
            "range",
            r"the largest $E$ such that this holds for all $\varepsilon<E$, every $k$ and $\delta$ lies between $20$ "
            r"and $37$",
            task="derive",
            over=eps,
            up_to=Integer(20),
            fails_at={eps: Integer(37), delta: Rational("0.29"), k: Integer(5000), Delta: Integer(1)},
            derivation=up_to_20,
        ),
        calibrated(
            "sharper",
            r"noise of that variance is enough for $\varepsilon\le20$ too",
            where=(le(eps, 20),),
            derivation=up_to_20,
            role="sharper",
            improves="",
            because=(
                r"the steps leak nothing, so that the loss may have all of $\delta$; its mean is half of "
                r"what the paper takes for it"
            ),
        ),
        Guarantee(
            "half-the-noise",
            r"noise of half that variance, $4k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$, is enough "
            r"for $\varepsilon\le3$",
            epsilon=eps, delta=delta, subject=half_the_noise, fold=k,
            where=(le(eps, 3),),
            derivation=noise_suffices("Corollary 4.2, with half the noise", half_the_noise, 2, 3),
            role="sharper",
            improves="",
            because=r"the 8 may be 4: the proof gives half of the variance away, and 0.9 is not needed",
        ),
    ),
)
