r"""Heterogeneous composition: with parameters of their own, $\varepsilon_\ell$ and its square add up."""

from sympy import E, Expr, Min, log, sqrt

from symdp.formulas.notation import k, lam, slack
from symdp.formulas.relation import gt
from symdp.literature.kov import kov
from symdp.literature.kov.simplified_composition import entries_of_the_minimum as entries
from symdp.literature.kov.simplified_composition.concentrated_loss import (
    classic_share,
    concentrated_classic,
    concentrated_logarithmic,
)
from symdp.literature.kov.simplified_composition.moment_bound import different_steps
from symdp.literature.kov.simplified_composition.variance_of_the_loss import (
    classic_by,
    logarithmic_by,
    moments_of_all,
    own,
    product_of_moments,
    share_by,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import (
    Guarantee,
    Inequality,
    Statement,
    Structural,
    nonnegative,
    positive_integer,
    unit,
    unit_positive,
)
from symdp.sources.subject import (
    AnySequence,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
    variance_sum,
)
from symdp.sources.worst_case import of_the_steps

linear = loss_sum
logarithmic = mean_sum + sqrt(2 * square_sum * log(E + sqrt(square_sum) / slack))
classic = mean_sum + sqrt(2 * square_sum * log(1 / slack))
total_delta = 1 - (1 - slack) * survival

first_entry = entries.linear(different_steps, "Theorem 3.5, first entry", of_the_steps(linear))
second_entry = entries.logarithmic(different_steps, "Theorem 3.5, second entry", of_the_steps(logarithmic))
third_entry = entries.classic(different_steps, "Theorem 3.5, third entry", of_the_steps(classic))


def branch(name: str, says: str, epsilon: Expr, proof: Derivation) -> Guarantee:
    """One entry of the minimum is a guarantee by itself."""
    return Guarantee(name, says, epsilon=epsilon, delta=total_delta, subject=AnySequence(),
                     derivation=proof)


heterogeneous_composition = Statement(
    place=kov.theorem("3.5"),
    title="Heterogeneous composition",
    hypotheses=(
        r"The $\ell$-th of $k$ adaptively chosen mechanisms is $(\varepsilon_\ell,\delta_\ell)$-DP."
    ),
    variables={slack: unit},
    formulas={"epsilon in total": Min(linear, logarithmic, classic), "delta in total": total_delta},
    claims=(
        branch("linear-branch", r"the sum of the $\varepsilon_\ell$ is enough", linear, first_entry),
        branch(
            "log-branch",
            r"a deviation with the logarithm of $e+\sqrt{\sum\varepsilon_\ell^2}/\tilde{\delta}$ is enough",
            logarithmic,
            second_entry,
        ),
        branch(
            "classic-branch",
            r"a deviation with the logarithm of $1/\tilde{\delta}$ is enough",
            classic,
            third_entry,
        ),
        Guarantee(
            "classic-branch.sharper",
            r"twice the mean of the loss is enough in the deviation for the sum of squares, and a part of "
            r"$\tilde{\delta}$ for all of it",
            epsilon=concentrated_classic(mean_sum),
            delta=1 - (1 - classic_share(mean_sum)) * survival,
            subject=AnySequence(),
            variables={slack: unit_positive},
            role="sharper",
            improves="classic-branch",
            because=(
                r"$2\varepsilon_\ell\tanh(\varepsilon_\ell/2)$ takes the place of $\varepsilon_\ell^2$, "
                r"and what the proof drops in its last line is kept"
            ),
        ),
        Guarantee(
            "log-branch.sharper",
            r"twice the mean of the loss is enough in the deviation for the sum of squares",
            epsilon=concentrated_logarithmic(mean_sum),
            delta=total_delta,
            subject=AnySequence(),
            role="sharper",
            improves="log-branch",
            because=r"twice the mean takes the place of the sum of squares here too",
        ),
        Inequality(
            "log-branch.moments",
            r"for $\lambda\ge0$ the product of the moments of all steps is at most that of a normal law with the "
            r"sum of the "
            r"means and the sum of the variances $\varepsilon_\ell^2/\cosh^2(\varepsilon_\ell/2)$",
            moments_of_all,
            each=(gt(own, 0),),
            variables={lam: nonnegative, k: positive_integer},
            derivation=product_of_moments,
            role="sharper",
            improves="log-branch",
            because="the tilted variance only falls, step by step, for all families of parameters",
        ),
        Guarantee(
            "log-branch.variance",
            r"the sum of the variances $\varepsilon_\ell^2/\cosh^2(\varepsilon_\ell/2)$ of the losses takes the "
            r"place of the sum of squares",
            epsilon=logarithmic_by(mean_sum, variance_sum),
            delta=total_delta,
            subject=AnySequence(),
            role="sharper",
            improves="log-branch",
            because="it is less than twice the sum of the means",
        ),
        Guarantee(
            "classic-branch.variance",
            r"the same in the last entry, where not all of $\tilde{\delta}$ is needed",
            epsilon=classic_by(mean_sum, variance_sum),
            delta=1 - (1 - share_by(variance_sum)) * survival,
            subject=AnySequence(),
            variables={slack: unit_positive},
            role="sharper",
            improves="classic-branch",
            because="the tilted variance only falls, and what the proof drops in its last line is kept",
        ),
    ),
)

substitution = Statement(
    place=kov.section("3.3"),
    title="From equal parameters to different ones",
    claims=(
        Structural(
            "substitution",
            r"the bound (8) is (7) with sums in the places of $k\varepsilon$ and $k\varepsilon^2$",
            task="cite",
        ),
    ),
)
