r"""Advanced composition from pure privacy: the squares of the $\varepsilon_j$ add up."""

from sympy import IndexedBase, Sum, log, sqrt

from symdp.derivation import Derivation
from symdp.literature.blog import blog
from symdp.notation import delta, k, slack, symbol
from symdp.relation import eq, gt
from symdp.statement import (
    Guarantee,
    Statement,
    Structural,
    nonnegative,
    positive,
    unit,
    unit_positive,
)
from symdp.subject import AnySequence, delta_sum, mean_sum, square_sum, survival

printed = square_sum / 2 + sqrt(2 * log(1 / delta) * square_sum)
centred = mean_sum + sqrt(2 * log(1 / delta) * square_sum)

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
        ),
        Guarantee(
            "centred",
            r"with the mean of the loss in the place of half the sum of squares",
            subject=AnySequence(pure=True),
            epsilon=centred,
            delta=delta,
            variables={delta: unit_positive},
            role="sharper",
            improves="",
            because=r"the mean $\varepsilon_j\tanh(\varepsilon_j/2)$ is less than $\varepsilon_j^2/2$",
        ),
    ),
    cites=("dwork2010boosting", "steinke2022composition"),
)

with_slack = printed.subs(delta, slack)

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
        ),
        Guarantee(
            "approximate.product",
            r"the probabilities that nothing leaks multiply",
            subject=AnySequence(),
            epsilon=mean_sum + sqrt(2 * log(1 / slack) * square_sum),
            delta=1 - (1 - slack) * survival,
            variables={slack: unit_positive},
            role="sharper",
            improves="approximate",
            because=r"$1-(1-\delta)\prod(1-\delta_j)$ is less than the sum, and the mean less than half "
                    r"the squares",
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

