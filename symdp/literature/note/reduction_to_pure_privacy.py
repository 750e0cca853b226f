r"""From approximate to pure privacy: a pair that is $(\varepsilon,\delta)$-close is near a pure one."""

from sympy import exp

from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import eq, le
from symdp.literature.note import note
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import (
    Inequality,
    Statement,
    Structural,
    nonnegative,
    positive_integer,
    unit,
)

likely = (1 - delta) * exp(eps) / (1 + exp(eps))
unlikely = (1 - delta) / (1 + exp(eps))
#: the mass that is moved from the outcome that gives the database away to its counterpart
moved = delta / (1 + exp(eps))

reduction = (
    Derivation("A pure pair beside every approximate one",
               where=["eps >= 0", "0 <= delta <= 1", "h >= 0", "h <= 1", "k >= 1"], integer=["k"])
    .cite("every (eps, delta)-DP pair is made from the randomised response with the masses "
          "(delta, likely, unlikely, 0) and the same in reverse", "Blackwell, by the privacy regions")
    .state(eq(delta + likely + unlikely, 1), "these are masses")
    .state(eq(delta - moved, exp(eps) * moved),
           "with that mass moved, the first outcome has the ratio exp(eps), and the last its inverse")
    .state(eq(likely, exp(eps) * unlikely), "as the two others have had before")
    .state(le(moved, delta), "the distance moved is delta/(1 + exp(eps))")
    .cite("neither the distance nor the largest ratio grows when both laws are processed alike",
          "data processing")
    .state("1 - (1 - delta)^k <= k*delta", "the union bound", label="leaks")
    .start("1 - (1 - delta)^k*(1 - h)")
    .eq("(1 - (1 - delta)^k)*(1 - h) + h")
    .le("(1 - (1 - delta)^k) + h")
    .le("k*delta + h", "so k steps fail with the pure ones, h, or because one of them leaks", by="leaks")
)

reduction_to_pure_privacy = Statement(
    place=note.lemma("3.17"),
    title="From approximate to pure privacy",
    beyond=LAWS,
    hypotheses=r"Two laws satisfy the conditions of $(\varepsilon,\delta)$-DP in both directions.",
    variables={eps: nonnegative, delta: unit, k: positive_integer},
    formulas={"distance to a pure pair": moved},
    claims=(
        Structural(
            "reduction",
            r"within a distance of $\delta/(1+e^\varepsilon)$ of both laws there is a pair that is "
            r"$\varepsilon$-DP, so that composition costs $k\delta$ more than in the pure case",
            derivation=reduction,
        ),
        Inequality(
            "reduction.half",
            r"the distance to the pure pair is at most half of $\delta$",
            le(moved, delta / 2),
            role="sharper",
            improves="reduction",
            because=r"the distance is $\delta/(1+e^\varepsilon)$, and not only $\delta$",
        ),
    ),
    cites=("dwork2010boosting", "kairouz2013composition"),
)
