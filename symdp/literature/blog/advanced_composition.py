r"""Advanced composition from pure privacy: the squares of the $\varepsilon_j$ add up."""

from dataclasses import replace

from sympy import IndexedBase, Integer, Sum, log, sqrt

from symdp.formulas.notation import delta, k, slack, symbol
from symdp.formulas.relation import eq, ge, gt, le
from symdp.literature.blog import blog
from symdp.literature.kov.simplified_composition import entries_of_the_minimum as entries
from symdp.literature.kov.simplified_composition.moment_bound import different_steps
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import (
    Guarantee,
    Statement,
    Structural,
    nonnegative,
    positive,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnySequence, delta_sum, mean_sum, square_sum, survival
from symdp.sources.worst_case import MEANING, of_the_steps

printed = square_sum / 2 + sqrt(2 * log(1 / delta) * square_sum)
centred = mean_sum + sqrt(2 * log(1 / delta) * square_sum)
concentrated = mean_sum + sqrt(4 * log(1 / delta) * mean_sum)

pure_steps = replace(different_steps, kept=Integer(1), leaks=())
from_pure_privacy = entries.classic_with_half_the_squares(
    pure_steps, "Advanced composition, from pure privacy", of_the_steps(printed), delta)
with_the_mean = entries.classic(
    pure_steps, "Advanced composition, with the mean of the loss", of_the_steps(centred), delta)

advanced_composition = Statement(
    place=blog.at("thm-advanced", "Theorem (Advanced Composition Starting from Pure DP)"),
    title="Advanced composition, starting from pure privacy",
    hypotheses=r"$M_1,\dots,M_k$ run independently, and $M_j$ is $\varepsilon_j$-DP.",
    variables={delta: positive, square_sum: positive, mean_sum: positive},
    formulas={"epsilon in total": printed},
    claims=(
        Guarantee(
            "",
            r"for any $\delta>0$ the composition is $(\varepsilon,\delta)$-DP",
            subject=AnySequence(pure=True),
            epsilon=printed,
            delta=delta,
            derivation=from_pure_privacy,
        ),
        Guarantee(
            "centred",
            r"with the mean of the loss in the place of half the sum of squares",
            subject=AnySequence(pure=True),
            epsilon=centred,
            delta=delta,
            derivation=with_the_mean,
            variables={delta: unit_positive},
            role="sharper",
            improves="",
            because=r"the mean $\varepsilon_j\tanh(\varepsilon_j/2)$ is less than $\varepsilon_j^2/2$",
        ),
        Guarantee(
            "concentrated",
            r"with the mean of the loss in the place of half the sum of squares, in the root as well",
            subject=AnySequence(pure=True),
            epsilon=concentrated,
            delta=delta,
            variables={delta: unit_positive},
            role="sharper",
            improves="",
            because=(
                r"an $\varepsilon$-DP mechanism is $\varepsilon\tanh(\varepsilon/2)$-concentrated, not "
                r"only $\varepsilon^2/2$-concentrated"
            ),
        ),
    ),
    cites=("dwork2010boosting", "steinke2022composition"),
)

with_slack = printed.subs(delta, slack)
all_kept, leaks = MEANING[survival], MEANING[delta_sum]
needed = different_steps.needed(of_the_steps(with_slack))
from_approximate_privacy = (
    entries.classic_with_half_the_squares(different_steps, "Advanced composition, from approximate privacy",
                                          of_the_steps(with_slack))
    .induction("k", ge(all_kept, 1 - leaks), because="the union bound", label="union")
    .start(needed)
    .le(1 - all_kept * (1 - slack), by="in total")
    .le(slack + leaks, by="union")
    .conclude(le(needed, slack + leaks))
)
probabilities_multiply = entries.classic(different_steps, "The probabilities that nothing leaks multiply",
                                         of_the_steps(centred.subs(delta, slack)))

approximate = Statement(
    place=blog.at("fn-1", "Footnote 1"),
    title="Advanced composition, starting from approximate privacy",
    hypotheses=r"$M_j$ is $(\varepsilon_j,\delta_j)$-DP; $\tilde{\delta}$ is the $\delta$ of the theorem.",
    variables={
        slack: positive, square_sum: positive, mean_sum: positive, delta_sum: nonnegative, survival: unit,
    },
    formulas={"epsilon in total": with_slack, "delta in total": slack + delta_sum},
    claims=(
        Guarantee(
            "approximate",
            r"the $\delta_j$ add up and join the $\delta$ of the theorem",
            subject=AnySequence(),
            epsilon=with_slack,
            delta=slack + delta_sum,
            derivation=from_approximate_privacy,
        ),
        Guarantee(
            "approximate.product",
            r"the probabilities that nothing leaks multiply",
            subject=AnySequence(),
            epsilon=mean_sum + sqrt(2 * log(1 / slack) * square_sum),
            delta=1 - (1 - slack) * survival,
            derivation=probabilities_multiply,
            variables={slack: unit_positive},
            role="sharper",
            improves="approximate",
            because=r"$1-(1-\delta)\prod(1-\delta_j)$ is less than the sum, and the mean less than half "
                    r"the squares",
        ),
        Guarantee(
            "approximate.concentrated",
            r"the same with the mean of the loss in the root as well",
            subject=AnySequence(),
            epsilon=concentrated.subs(delta, slack),
            delta=1 - (1 - slack) * survival,
            variables={slack: unit_positive},
            role="sharper",
            improves="approximate",
            because=r"each loss is $\varepsilon_j\tanh(\varepsilon_j/2)$-concentrated up to its $\delta_j$",
        ),
    ),
    cites=("dwork2010boosting",),
)

c, j = symbol("c"), symbol("j")
each = IndexedBase("eps")
one_norm, two_norm = Sum(each[j], (j, 1, k)), sqrt(Sum(each[j] ** 2, (j, 1, k)))
scaled_one = Sum(c * each[j], (j, 1, k))
scaled_two = sqrt(Sum((c * each[j]) ** 2, (j, 1, k)))

norms = (
    Derivation("How the two bounds scale", integer=["k"],
               where=["k >= 1", "c > 0", "0 < delta <= 1", "n > 0", gt(each[j], 0)])
    .state(eq(scaled_one, c * one_norm), "basic composition is the 1-norm, so c times as much")
    .state(eq(Sum((c * each[j]) ** 2, (j, 1, k)), c**2 * Sum(each[j] ** 2, (j, 1, k))),
           "the squared 2-norm")
    .start("(c*n)^2/2 + sqrt(2*log(1/delta)*(c*n)^2)")
    .eq("c^2*(n^2/2) + c*sqrt(2*log(1/delta))*n",
        "advanced composition, with n the 2-norm: one term with its square, one with itself")
)

scaling = Structural(
    "norms",
    r"basic composition is the 1-norm of $(\varepsilon_1,\dots,\varepsilon_k)$; advanced composition is "
    r"$\|\cdot\|_2^2/2+\sqrt{2\log(1/\delta)}\,\|\cdot\|_2$",
    derivation=norms,
)

