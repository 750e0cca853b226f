r"""Gaussian noise under composition: variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$."""

from sympy import Integer, Rational

from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import le
from symdp.literature.kov import kov
from symdp.literature.kov.appendices.derivation_of_gaussian_composition import (
    apart,
    noise,
    one_pair,
    root,
    up_to_83,
)
from symdp.literature.kov.noise.laplace_noise import Delta, variance
from symdp.sources.statement import (
    Guarantee,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)


def calibrated(name: str, says: str, **more: object) -> Guarantee:
    return Guarantee(name, says, epsilon=eps, delta=delta, subject=noise, fold=k,
                     **more)  # type: ignore[arg-type]


gaussian_noise = Statement(
    place=kov.theorem("4.3"),
    title="Gaussian noise under composition",
    hypotheses=r"Each of $k$ adaptively chosen real queries has sensitivity $\Delta$.",
    variables={eps: positive, delta: unit_positive, k: positive_integer, Delta: positive},
    formulas={"variance": variance},
    claims=(
        calibrated("", r"noise of that variance is enough, for every $\varepsilon$"),
        calibrated(
            "corrected",
            r"noise of that variance is enough for $\varepsilon\le83.04$",
            where=(le(eps, Rational("83.04")),),
            derivation=up_to_83,
            role="corrected",
            improves="",
            because=(
                r"a missing condition: the mean of the loss, "
                r"$\varepsilon^2/(16\log(e+\varepsilon/\delta))$, passes $\varepsilon$ when "
                r"$\varepsilon$ is large, and Appendix B needs "
                r"$\sigma^2\ge k\Delta^2/(4\varepsilon)$ besides; for all usual $\varepsilon$ the theorem "
                r"survives; at 83.05 it fails for some $\delta$"
            ),
        ),
        calibrated(
            "range",
            r"the largest $E$ such that this holds for all $\varepsilon<E$ and all $\delta$ lies between $83.04$ and "
            r"$83.05$",
            task="derive",
            over=eps,
            up_to=Rational("83.04"),
            fails_at={eps: Rational("83.05"), delta: Rational("0.495"), k: Integer(1), Delta: Integer(1)},
            derivation=up_to_83,
        ),
        calibrated(
            "range.pairs",
            r"for one pair it holds where "
            r"$\Phi(\mu/2-\varepsilon/\mu)-e^\varepsilon\Phi(-\mu/2-\varepsilon/\mu)\le\delta$ "
            r"with $\mu^2=\varepsilon^2/(8\log(e+\varepsilon/\delta))$, whatever $k$ and $\Delta$ are",
            where=(le(apart(root), delta),),
            derivation=one_pair,
            role="sharper",
            improves="range",
            because=r"the curve of Gaussian noise decides each pair, also beyond $83.05$",
        ),
    ),
)
