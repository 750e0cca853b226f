r"""The figures: what is drawn, and what the captions say."""

from sympy import Integer, Rational, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, slack
from symdp.formulas.relation import eq, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.composition.advanced_composition import printed as advanced
from symdp.literature.kov.optimal_composition.derivation_of_achievability import (
    exact_shift,
    in_total,
)
from symdp.literature.kov.optimal_composition.randomised_response import parameters, small
from symdp.literature.kov.optimal_composition.theorem import delta_i, i, natural, total_delta
from symdp.literature.kov.simplified_composition.entries_of_the_minimum import pure_within_slack
from symdp.literature.kov.simplified_composition.moment_bound import equal_steps
from symdp.sources.beyond import GRAPHS, LAWS
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.statement import (
    Comparison,
    Figure,
    Identity,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import needed_delta, pure_part

corner = (1 - delta) / (1 + exp(eps))
largest_variation = delta + (1 - delta) * (exp(eps) - 1) / (exp(eps) + 1)

#: the region cut at its turned image and at the unit square: x is P_MD, y is P_FA
square = ["0 <= x <= 1", "0 <= y <= 1"]
cut = ["y + exp(eps)*x >= 1 - delta", "exp(eps)*y + x >= 1 - delta",
       "(1 - y) + exp(eps)*(1 - x) >= 1 - delta", "exp(eps)*(1 - y) + (1 - x) >= 1 - delta"]
#: the same at the mirror image u = 1 - y, v = 1 - x
image = ["v + exp(eps)*u >= 1 - delta", "exp(eps)*v + u >= 1 - delta",
         "(1 - v) + exp(eps)*(1 - u) >= 1 - delta", "exp(eps)*(1 - v) + (1 - u) >= 1 - delta"]

mirrored = Derivation("The mirror image in the line P_FA + P_MD = 1", where=[*parameters, *square, *cut])
for number, bound in enumerate([*image, "u >= 0", "u <= 1", "v >= 0", "v <= 1"], 1):
    mirrored = mirrored.lemma(f"bound {number}", bound, [*square, *cut, "u == 1 - y", "v == 1 - x"])

dotted = (
    Derivation("The least sum of the errors; x is P_MD, y is P_FA", where=parameters)
    .lemma("sum", "(1 + exp(eps))*(x + y) >= 2*(1 - delta)", cut[:2])
    .state("(1 - delta)/(1 + exp(eps)) + exp(eps)*((1 - delta)/(1 + exp(eps))) >= 1 - delta",
           "equality is reached: the corner with both errors (1 - delta)/(1 + e^eps) is in the region")
    .start(1 - corner - corner)
    .eq(largest_variation, "what is left of 1 there is the maximum of (28)")
)

figure_1 = Statement(
    place=kov.figure("1"),
    title="The region of a guarantee",
    beyond=LAWS,
    variables={eps: nonnegative, delta: unit},
    claims=(
        Figure("region", r"the region (2) below the line $P_{\mathrm{FA}}+P_{\mathrm{MD}}=1$, with the "
               r"dotted line of problem (28)", task="draw"),
        Structural(
            "symmetry",
            r"the whole region (2) is symmetric about the line $P_{\mathrm{FA}}+P_{\mathrm{MD}}=1$",
            printed_at="Figure 1, caption",
            examples=(Example("mirror-in-the-line", small),),
        ),
        Structural(
            "symmetry.corrected",
            r"the region (2) in the unit square, cut at its image under $(x,y)\mapsto(1-x,1-y)$, which is the "
            r"region (3) "
            r"of randomised response, is symmetric about that line",
            derivation=mirrored,
            role="corrected",
            improves="symmetry",
            because=(
                r"(2) has no bounds from above: it contains (1, 1) and not the mirror image (0, 0), unless "
                r"$\delta=1$; the unit square, in which errors live, and the bounds that a test can always be turned "
                r"round have to be added. Only the part below the line is ever used"
            ),
        ),
        Identity(
            "dotted-line",
            r"the dotted line passes through the corner of the region, and its level is the maximum of "
            r"(28), $\delta+(1-\delta)(e^\varepsilon-1)/(e^\varepsilon+1)$",
            eq(1 - corner - corner, largest_variation),
            printed_at="Figure 1, caption",
            derivation=dotted,
        ),
    ),
)

figure_2 = Statement(
    place=kov.figure("2"),
    title="Regions under composition",
    hypotheses=r"Drawn for $k=1,\dots,5$ and $\varepsilon=0.4$, with $\delta=0$ and $\delta=0.1$.",
    variables={eps: nonnegative, delta: unit, k: positive_integer, i: natural},
    claims=(
        Figure("regions", r"the regions of $k$-fold composition, without and with $\delta$", task="draw"),
        Identity(
            "caption",
            r"the region with the $\delta_i$ of (6) is that of $(\varepsilon,\delta)$-DP mechanisms: so "
            r"these are its shifts, which are on the left",
            eq(exact_shift, delta_i),
            where=(le(2 * i, k),),
            printed_at="Figure 2, caption",
            fails_at={eps: Integer(1), delta: Rational(1, 10), k: Integer(2), i: Integer(1)},
            examples=tuple(Example("deltas-of-six", {**small, "k": m}) for m in (1, 5)),
        ),
        Identity(
            "caption.corrected",
            r"the shifts of the region are $1-(1-\delta)^k(1-\delta_i)$",
            eq(exact_shift, total_delta),
            where=(le(2 * i, k),),
            derivation=in_total,
            role="corrected",
            improves="caption",
            because=(
                r"the caption leaves out $1-(1-\delta)^k$, the probability that the database is given "
                r"away; it is right for the left half, where $\delta=0$, and Theorem 3.3 has both"
            ),
        ),
    ),
)

#: what k randomised responses need at the epsilons of Theorems 3.1 and 3.2
needed_at_the_sum = needed_delta(AnyPrivate(eps, delta), k, k * eps)
needed_at_advanced = needed_delta(AnyPrivate(eps, delta), k, advanced)
bernoulli = le(1 - (1 - delta) ** k, k * delta)
bernoulli_with_slack = le(1 - (1 - delta) ** k * (1 - slack), k * delta + slack)
inside_basic = (
    Derivation("The region of Theorem 3.1", where=["eps > 0", "0 <= delta", "delta <= 1", "k >= 1"], integer=["k"])
    .induction("k", bernoulli, label="bernoulli")
    .state(le(pure_part(eps, k, k * eps), 0), "no loss is above the sum", label="nothing above")
    .start(needed_at_the_sum)
    .le(1 - (1 - delta) ** k, by="nothing above")
    .le(k * delta, by="bernoulli")
    .conclude(le(needed_at_the_sum, k * delta))
)
centred = equal_steps.mean + sqrt(2 * equal_steps.square * log(1 / slack))
inside_advanced = (
    pure_within_slack(equal_steps, "The region of Theorem 3.2")
    .induction("k", bernoulli_with_slack, label="bernoulli")
    .start(pure_part(eps, k, advanced))
    .le(pure_part(eps, k, centred), "the mean of a loss is less than eps (e^eps - 1)",
        by=use("falling", eps_total=centred, t=advanced - centred))
    .le(slack, by="pure part")
    .conclude(le(pure_part(eps, k, advanced), slack), label="at advanced")
    .start(needed_at_advanced)
    .le(1 - (1 - delta) ** k * (1 - slack), "the pure part, where no delta strikes", by="at advanced")
    .le(k * delta + slack, by="bernoulli")
    .conclude(le(needed_at_advanced, k * delta + slack))
)

figure_3 = Statement(
    place=kov.figure("3"),
    title="Three theorems compared, and tangent lines",
    beyond=LAWS,
    hypotheses=r"Drawn for 30 mechanisms that are $(0.1,0.001)$-DP.",
    variables={eps: nonnegative, delta: unit, k: positive_integer},
    claims=(
        Figure("comparison", "the regions that Theorems 3.1, 3.2 and 3.3 promise", task="draw"),
        Comparison(
            "tightest",
            r"Theorem 3.3 is at least as good as Theorem 3.2: at the $\tilde\varepsilon$ of (4), for every slack, "
            r"what $k$ "
            r"randomised responses need, which is what Theorem 3.3 says exactly, is at most $k\delta+\tilde\delta$",
            le(needed_at_advanced, k * delta + slack),
            printed_at="Figure 3, caption (left)",
            variables={eps: positive, slack: unit_positive},
            derivation=inside_advanced,
        ),
        Comparison(
            "tightest.basic",
            r"and as Theorem 3.1: at $k\varepsilon$ the responses need at most $k\delta$",
            le(needed_at_the_sum, k * delta),
            variables={eps: positive},
            derivation=inside_basic,
            role="sharper",
            improves="tightest",
            because="it is the other half of the caption",
        ),
        Comparison(
            "tightest.sharper",
            r"from two mechanisms on, and for $\delta>0$, it is strictly better than Theorem 3.1",
            lt(1 - (1 - delta) ** k, k * delta),
            variables={delta: unit_positive},
            where=(le(Integer(2), k),),
            derivation=Derivation("Bernoulli's inequality, strict", where=["0 < delta <= 1", "k >= 2"],
                                  integer=["k"])
            .induction("k", lt(1 - (1 - delta) ** k, k * delta), first=2),
            role="sharper",
            improves="tightest",
            because="it says where the difference is",
        ),
        Structural(
            "tangent-lines",
            r"the region of a mechanism is described by its tangent lines of slopes "
            r"$-e^{\tilde\varepsilon}$, $\tilde\varepsilon$ real, with the shifts "
            r"$d_{\tilde\varepsilon}(P_0,P_1)$",
            printed_at="Figure 3, caption (right)",
            examples=(
                Example("lines-describe", {"pair": (("1/2", "1/3", "1/6"), ("1/3", "1/6", "1/2"))}),
                Example("lines-describe", {"pair": (("1", "0"), ("1/2", "1/2"))}),
            ),
            derivation=(
                Derivation("Lines and tests; a and b are the masses outside of a rejection set",
                           where=["0 <= a <= 1", "0 <= b <= 1", "t > 0"])
                .lemma("above", "P_FA >= -t*P_MD + 1 - d", ["P_FA == 1 - a", "P_MD == b", "d >= a - t*b"])
                .cite("the lower boundary of a convex set is the supremum of its supporting lines; from "
                      "(0, 1) to (1, 0) it falls, so their slopes are negative, or limits of such",
                      "Rockafellar, Convex Analysis, Theorem 18.8")
                .lemma("turned", "u + v == 2 - (x + y)", ["u == 1 - x", "v == 1 - y"])
                .cite("a rule and its opposite have errors that add up to 1, so the upper boundary is the "
                      "lower one turned about (1/2, 1/2)", "the definition (3)")
            ),
        ),
    ),
)

figure_4 = Statement(
    place=kov.figure("4"),
    title="The experiment as a Bayesian network",
    beyond=GRAPHS,
    hypotheses=(
        r"Four steps: each letter depends on $b$, each answer on its letter, on $R$ and on the earlier "
        r"answers."
    ),
    claims=(
        Structural(
            "d-separation",
            r"$X^{1,b},\dots,X^{4,b}$ d-separate $b$ from all other nodes",
            examples=(Example("letters-separate", {"k": 4}),),
        ),
        Figure("network", "the network for four steps", task="draw"),
    ),
    cites=("lauritzen1996graphical",),
)
