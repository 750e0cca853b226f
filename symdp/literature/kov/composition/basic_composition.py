r"""Basic composition: $k$ steps, each $(\varepsilon,\delta)$-DP, cost $(k\varepsilon,k\delta)$."""

from symdp.formulas.notation import delta, eps, k
from symdp.literature.kov import kov
from symdp.sources.statement import (
    Guarantee,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    unit,
)
from symdp.sources.subject import AnyPrivate

basic = k * eps

basic_composition = Statement(
    place=kov.theorem("3.1"),
    title="Basic composition",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={eps: positive, delta: unit, k: positive_integer},
    formulas={"epsilon in total": basic, "delta in total": k * delta},
    claims=(
        Guarantee(
            "",
            "the parameters add up under adaptive composition",
            epsilon=basic,
            delta=k * delta,
            subject=AnyPrivate(eps, delta),
            fold=k,
        ),
        Guarantee(
            "product",
            r"the probabilities $1-\delta$ that nothing leaks multiply, and $k\varepsilon=0$ is allowed",
            epsilon=basic,
            delta=1 - (1 - delta) ** k,
            subject=AnyPrivate(eps, delta),
            fold=k,
            variables={eps: nonnegative},
            role="sharper",
            improves="",
            because=(
                r"$1-(1-\delta)^k\le k\delta$"
            ),
        ),
    ),
    cites=("dwork2006calibrating", "dwork2006ourdata", "dwork2009robust", "dwork2010boosting"),
)
