r"""Laplacian noise under composition: variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$."""

from sympy import Expr, Integer, Rational, sqrt

from symdp.derivation import Derivation
from symdp.example import Example
from symdp.literature.kov import kov
from symdp.literature.kov.calibrated_steps import logarithm, small, steps_suffice
from symdp.notation import delta, eps, k, symbol
from symdp.privacy.laplace import Laplace
from symdp.relation import le
from symdp.statement import Guarantee, Statement, positive, positive_integer, unit_positive

Delta = symbol("Delta")
variance = 8 * k * Delta**2 * logarithm / eps**2
noise = Laplace(scale=sqrt(variance / 2), sensitivity=Delta)


def noise_suffices(title: str, most: Expr | int) -> Derivation:
    """Noise of scale b has the loss Delta/b at most, so that it is one of the steps of Corollary 4.1."""
    return steps_suffice(
        title, noise.closed_form("max_divergence"), Integer(0), Integer(1), most, "Delta > 0"
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
            derivation=noise_suffices("Corollary 4.2", Rational("0.9")),
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
            derivation=noise_suffices("Corollary 4.2, up to 16", 16),
            role="sharper",
            improves="",
            because=(
                r"the steps leak nothing, so that the loss may have all of $\delta$; its mean is half of "
                r"what the paper takes for it"
            ),
        ),
    ),
)
