r"""Advanced composition: $k$ adaptive mechanisms cost about $\sqrt k$, not $k$."""

from sympy import exp, tanh

from symdp.formulas.notation import delta, eps, k, slack
from symdp.formulas.relation import le
from symdp.literature.kov import kov
from symdp.privacy.accounting import bounds
from symdp.sources.statement import (
    Guarantee,
    Inequality,
    Statement,
    positive,
    positive_integer,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate

deviation = bounds.advanced.deviation()  # eps sqrt(2k log(1/slack))
printed = bounds.advanced.closed_form()  # k eps (e^eps - 1) + deviation
centred = k * eps * tanh(eps / 2) + deviation

advanced_composition = Statement(
    place=kov.theorem("3.2"),
    title="Advanced composition",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={
        eps: positive, delta: unit, slack: unit_positive, k: positive_integer,
    },
    formulas={"epsilon in total": printed, "delta in total": k * delta + slack},
    claims=(
        Guarantee(
            "",
            r"with a slack in $\delta$, $\varepsilon$ grows like $\sqrt{k}$",
            epsilon=printed,
            delta=k * delta + slack,
            subject=AnyPrivate(eps, delta),
            fold=k,
        ),
        Inequality(
            "centring-helps",
            "the mean of the privacy loss is at most half of what the theorem allows for it",
            le(2 * tanh(eps / 2), exp(eps) - 1),
            role="sharper",
            improves="",
            because=(
                r"the third entry of Theorem 3.4 replaces $e^{\varepsilon}-1$ by "
                r"$\tanh(\varepsilon/2)$"
            ),
        ),
    ),
    cites=("dwork2010boosting",),
)
