r"""The worst case of a guarantee, in closed form: the delta that is needed at an epsilon.

What is private is dominated by randomised responses, each of which gives the database away with
probability $\delta$ and otherwise tells the truth with odds $e^\varepsilon$. So the smallest delta of
$k$ of them at $E$ is $1-(1-\delta)^k(1-h)$, where $h=\sum_j\binom kj e^{(k-j)\varepsilon}
(1-e^{E-(k-2j)\varepsilon})_+/(1+e^\varepsilon)^k$. A derivation supports a guarantee if it ends in: this
is at most the delta that is promised.

>>> from symdp.formulas.notation import delta, eps, k
>>> from sympy import Integer, Rational, log
>>> at_one_half = {eps: log(3), delta: Rational(1, 10)}
>>> needed_delta(AnyPrivate(eps, delta), Integer(1), Integer(0)).subs(at_one_half).doit()
11/20
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Max, Product, S, Sum, Symbol, binomial, cosh, exp

from symdp.formulas.notation import k, symbol, x
from symdp.formulas.relation import Relation, ge, gt, le
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.sources.subject import (
    AnyPrivate,
    AnySequence,
    Subject,
    delta_sum,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
    symbols_of,
    variance_sum,
)

j, l_, n = symbol("j"), symbol("l"), symbol("n")
#: the parameters of the steps of a sequence, and the masses and losses of its outcomes x = 1, ..., n
epsilons, deltas = IndexedBase("eps"), IndexedBase("delta")
mass, value = IndexedBase("w"), IndexedBase("z")

#: what the sums in a guarantee about a sequence stand for
MEANING: Mapping[Symbol, Expr] = {
    loss_sum: Sum(epsilons[l_], (l_, 1, k)),
    mean_sum: Sum(epsilons[l_] * (exp(epsilons[l_]) - 1) / (exp(epsilons[l_]) + 1), (l_, 1, k)),
    square_sum: Sum(epsilons[l_] ** 2, (l_, 1, k)),
    variance_sum: Sum(epsilons[l_] ** 2 / cosh(epsilons[l_] / 2) ** 2, (l_, 1, k)),
    delta_sum: Sum(deltas[l_], (l_, 1, k)),
    survival: Product(1 - deltas[l_], (l_, 1, k)),
}


def of_the_steps(expr: Expr) -> Expr:
    """The expression with the sums of a guarantee about a sequence written as sums over its steps.

    >>> of_the_steps(2 * loss_sum)
    2*Sum(eps[l], (l, 1, k))
    """
    return expr.xreplace(dict(MEANING))


def setting_of(subject: Subject) -> tuple[Relation, ...]:
    """What holds of the steps of a sequence and of its outcomes; other subjects have variables for it."""
    if not isinstance(subject, AnySequence):
        return ()
    leaks = () if subject.pure else (ge(deltas[l_], S.Zero), le(deltas[l_], S.One))
    return (ge(k, S.One), ge(n, S.One), gt(epsilons[l_], S.Zero), ge(mass[x], S.Zero), *leaks)


class NoClosedForm(ValueError):
    """The worst case of this composition has no closed form here."""


def excess(loss: Expr, threshold: Expr) -> Expr:
    """What an outcome of that loss adds to delta, relative to its mass: $(1-e^{E-z})_+$."""
    return Max(0, 1 - exp(threshold - loss))


def pure_part(epsilon: Expr, fold: Expr, threshold: Expr) -> Expr:
    """The delta of that many randomised responses that never give the database away."""
    told = binomial(fold, j) * exp(epsilon * (fold - j))
    above = Sum(told * excess((fold - 2 * j) * epsilon, threshold), (j, 0, fold))
    return above / (1 + exp(epsilon)) ** fold


def pure_part_of_sequence(threshold: Expr) -> Expr:
    """The same for different responses, over the outcomes of their product."""
    return Sum(mass[x] * excess(value[x], threshold), (x, 1, n))


def needed_delta(subject: Subject, fold: Expr, epsilon: Expr) -> Expr:
    """The smallest delta at epsilon of the worst mechanisms of the subject, composed."""
    own = {x, n} if isinstance(subject, AnySequence) else {j}
    if taken := own & (symbols_of(subject) | fold.free_symbols | epsilon.free_symbols):
        raise NoClosedForm(f"{min(map(str, taken))} counts outcomes in the worst case, and is no parameter")
    if isinstance(subject, AnySequence):
        kept = S.One if subject.pure else survival
        return 1 - kept * (1 - pure_part_of_sequence(epsilon))
    if isinstance(subject, AnyPrivate):
        return 1 - (1 - subject.delta) ** fold * (1 - pure_part(subject.epsilon, fold, epsilon))
    if isinstance(subject, Gaussian):
        # All that matters is the variance in units of the squared distance of the k-fold product.
        whole = Gaussian(subject.noise_variance / (fold * subject.sensitivity**2))
        return whole.delta_at(epsilon)
    largest = subject.closed_form("max_divergence")
    if largest.is_finite is False:
        raise NoClosedForm(f"the composition of {subject} has no closed form")
    return pure_part(largest, fold, epsilon)
