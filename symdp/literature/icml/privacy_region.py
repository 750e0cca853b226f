r"""The privacy region in the conference version: the labels of its figure, and its composition."""

from sympy import Integer, Rational, exp

from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import eq, ge, le
from symdp.literature.icml import icml
from symdp.literature.kov.optimal_composition.theorem import (
    delta_i,
    exactly,
    i,
    natural,
    needed,
    total_delta,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Identity, Statement, nonnegative, positive_integer, unit

corner = (1 - delta) / (1 + exp(eps))

labels = (
    Derivation("The labelled points", where=["eps >= 0", "0 <= delta <= 1"])
    .state(eq((1 - delta) + exp(eps) * 0, 1 - delta),
           "(0, 1 - delta) lies on the line P_FA + exp(eps)*P_MD = 1 - delta")
    .state(eq(2 * (1 - delta) / (1 + exp(eps)) + 0, corner + corner),
           "the third point has the same sum as the corner, and no missed detections")
    .state(eq(exp(eps) * corner + corner, 1 - delta), "the corner lies on one line")
    .start(corner + exp(eps) * corner).eq(1 - delta, "and on the other")
)

figure_of_the_region = Statement(
    place=icml.figure("1"),
    title="The labels of the privacy region",
    hypotheses=r"Points are $(P_{\mathrm{MD}},P_{\mathrm{FA}})$.",
    variables={eps: nonnegative, delta: unit},
    formulas={"corner": corner, "intercept through the corner": 2 * corner},
    claims=(
        Identity(
            "corner",
            r"the corner lies on both lines of the region; $(0,1-\delta)$ is where one of them meets the "
            r"axis, and $(0,2(1-\delta)/(1+e^\varepsilon))$ is on the line of slope $-1$ through it",
            eq(corner + exp(eps) * corner, 1 - delta),
            derivation=labels,
        ),
    ),
    cites=("wasserman2010framework",),
)

region_of_composition = Statement(
    place=icml.theorem("3.3"),
    title="The region of a composition",
    hypotheses=(
        r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP, and $\delta_i$ is the sum in (6). "
        r"$k$ randomised responses are the worst case."
    ),
    variables={eps: nonnegative, delta: unit, k: positive_integer, i: natural},
    claims=(
        Identity(
            "region",
            r"the region is the intersection of those of $((k-2i)\varepsilon,\delta_i)$: so what $k$ randomised "
            r"responses "
            r"need at $(k-2i)\varepsilon$ is the $\delta_i$ of (6)",
            eq(needed, delta_i),
            where=(ge(i, 0), le(2 * i, k)),
            printed_at="Theorem 3.3, sentence after (6)",
            fails_at={eps: Integer(1), delta: Rational(1, 10), k: Integer(2), i: Integer(1)},
        ),
        Identity(
            "region.corrected",
            r"it is the intersection of those of $((k-2i)\varepsilon,1-(1-\delta)^k(1-\delta_i))$: this is what the "
            r"responses need there",
            eq(needed, total_delta),
            where=(ge(i, 0), le(2 * i, k)),
            role="corrected",
            improves="region",
            because=(
                r"a misprint: it holds for $\delta=0$ alone; (5) just above it has the right value, and "
                r"so has the long version"
            ),
            derivation=exactly,
        ),
    ),
    cites=("kairouz2013composition",),
)
