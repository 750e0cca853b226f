r"""Simplified composition: a closed form just outside the exact region of $k$-fold composition."""

from sympy import Expr, Rational

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.simplified_composition import entries_of_the_minimum as entries
from symdp.literature.kov.simplified_composition import variance_of_the_loss
from symdp.literature.kov.simplified_composition.concentrated_loss import (
    classic_share,
    concentrated_classic,
    concentrated_logarithmic,
)
from symdp.literature.kov.simplified_composition.moment_bound import equal_steps
from symdp.literature.kov.simplified_composition.variance_of_the_loss import steps_by_variance
from symdp.privacy.accounting import bounds
from symdp.sources.derivations.derivation import Derivation
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

c = symbol("c")

#: The closed forms are those that `symdp compose --bounds` computes.
linear = bounds.linear.closed_form()  # k eps
mean = bounds.classic.mean()  # k eps (e^eps - 1)/(e^eps + 1)
log_deviation = bounds.logarithmic.deviation()  # eps sqrt(2k log(e + sqrt(k eps^2)/slack))
logarithmic = bounds.logarithmic.closed_form()  # mean + log_deviation
classic = bounds.classic.closed_form()  # mean + eps sqrt(2k log(1/slack))
bound = bounds.simplified.closed_form()  # the least of the three

simple_mean = bounds.small_classic.mean()  # k eps^2
simple_bound = bounds.simplified_for_small_epsilon.closed_form()  # the least, with the simple mean

total_delta = bounds.PRODUCT.closed_form  # 1 - (1 - delta)^k (1 - slack)

first_entry = entries.linear(equal_steps, "Theorem 3.4, first entry", linear)
second_entry = entries.logarithmic(equal_steps, "Theorem 3.4, second entry", logarithmic)
third_entry = entries.classic(equal_steps, "Theorem 3.4, third entry", classic)


def branch(name: str, says: str, epsilon: Expr, proof: Derivation) -> Guarantee:
    """One entry of the minimum is a guarantee by itself."""
    return Guarantee(name, says, epsilon=epsilon, delta=total_delta, subject=AnyPrivate(eps, delta), fold=k,
                     derivation=proof)


simplified_composition = Statement(
    place=kov.theorem("3.4"),
    title="Simplified composition",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={eps: positive, delta: unit, slack: unit, k: positive_integer, c: positive},
    formulas={
        "epsilon in total": bound,
        "epsilon in total, simplified": simple_bound,
        "delta in total": total_delta,
    },
    claims=(
        branch("linear-branch", r"the sum $k\varepsilon$ is enough", linear, first_entry),
        branch(
            "log-branch",
            r"a deviation with the logarithm of $e+\sqrt{k\varepsilon^2}/\tilde{\delta}$ is enough",
            logarithmic,
            second_entry,
        ),
        branch(
            "classic-branch",
            r"a deviation with the logarithm of $1/\tilde{\delta}$ is enough",
            classic,
            third_entry,
        ),
        Inequality(
            "simplified",
            r"for $\varepsilon\le 0.9$ the mean may be replaced by $k\varepsilon^2$",
            le(bound, simple_bound),
            where=(le(eps, Rational("0.9")),),
            printed_at="Theorem 3.4, second display",
            limit_at=eq(slack, 0),
        ),
        Inequality(
            "range",
            r"the best coefficient $c$ for which the mean is at most $ck\varepsilon^2$ for every "
            r"$\varepsilon>0$; from it the set of $\varepsilon$ on which $c=1$ is enough: all of them",
            le(mean, c * simple_mean),
            task="derive",
            over=c,
            printed_at="Theorem 3.4, condition of the second display",
        ),
        Inequality(
            "simplified.sharper",
            r"the mean is at most $k\varepsilon^2/2$, for every $\varepsilon$",
            le(mean, simple_mean / 2),
            role="sharper",
            improves="simplified",
            because=(
                r"the mean is $k\varepsilon\tanh(\varepsilon/2)$, and $\tanh(x)\le x$; "
                r"neither 0.9 nor the factor 1 is needed"
            ),
        ),
        Guarantee(
            "classic-branch.sharper",
            r"the variance $k\varepsilon^2/\cosh^2(\varepsilon/2)$ of the loss is enough in the deviation for "
            r"$k\varepsilon^2$, and a part of $\tilde{\delta}$ for all of it",
            epsilon=variance_of_the_loss.classic,
            delta=1 - (1 - delta) ** k * (1 - variance_of_the_loss.share),
            subject=AnyPrivate(eps, delta),
            fold=k,
            variables={slack: unit_positive},
            derivation=variance_of_the_loss.within_the_share(steps_by_variance),
            role="sharper",
            improves="classic-branch",
            because=(
                r"the tilted variance only falls, and what Section 7 drops in its last line is kept; the variance is "
                r"less than twice the mean, and less than $k\varepsilon^2$"
            ),
        ),
        Guarantee(
            "classic-branch.concentrated",
            r"twice the mean $m$ of the loss takes the place of $k\varepsilon^2$",
            epsilon=concentrated_classic(mean),
            delta=1 - (1 - delta) ** k * (1 - classic_share(mean)),
            subject=AnyPrivate(eps, delta),
            fold=k,
            variables={slack: unit_positive},
            role="sharper",
            improves="classic-branch",
            because=r"$2m=2k\varepsilon\tanh(\varepsilon/2)$; it holds for moments of negative order as well",
        ),
        Guarantee(
            "log-branch.sharper",
            r"the variance $k\varepsilon^2/\cosh^2(\varepsilon/2)$ of the loss is enough in the deviation for "
            r"$k\varepsilon^2$",
            epsilon=variance_of_the_loss.logarithmic,
            delta=total_delta,
            subject=AnyPrivate(eps, delta),
            fold=k,
            derivation=variance_of_the_loss.below_the_slack(steps_by_variance),
            role="sharper",
            improves="log-branch",
            because=r"the tilted variance only falls here too",
        ),
        Guarantee(
            "log-branch.concentrated",
            r"twice the mean $m$ of the loss takes the place of $k\varepsilon^2$",
            epsilon=concentrated_logarithmic(mean),
            delta=total_delta,
            subject=AnyPrivate(eps, delta),
            fold=k,
            role="sharper",
            improves="log-branch",
            because=r"$2m=2k\varepsilon\tanh(\varepsilon/2)$ takes the place of $k\varepsilon^2$ here too",
        ),
    ),
    cites=("dwork2010boosting",),
)
