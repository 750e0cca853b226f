r"""Remark A.1: which guarantees a guarantee implies, and which imply it.

For $\varepsilon, \tilde\varepsilon \ge 0$, every $(\varepsilon,\delta)$-private mechanism is
$(\tilde\varepsilon,\tilde\delta)$-private if $\tilde\delta \ge \delta$ and
$(1-\delta)/(1+e^\varepsilon) \ge (1-\tilde\delta)/(1+e^{\tilde\varepsilon})$, as the remark says; and
only if, which it does not say: otherwise randomised response is a counterexample.

>>> implies(("log(3)", 0), ("log(2)", "1/4")), implies(("log(3)", 0), ("log(2)", "1/5"))
(True, False)
>>> least_delta(("log(3)", 0), epsilon="log(2)")
1/4
>>> print(counterexample(("log(3)", 0), ("log(2)", "1/5")))
P_MD = 1/4, P_FA = 1/4 is achieved, and violates P_FA + 2*P_MD >= 1 - 1/5 by 1/20
"""

from __future__ import annotations

from typing import TypeAlias

import sympy
from sympy import Expr, Max, Min, exp, log

from symdp.formulas.notation import delta as delta_symbol
from symdp.formulas.notation import delta_total, eps, eps_total
from symdp.numbers import quantity
from symdp.numbers.exact import Number, expression, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.regions.region import PrivacyRegion
from symdp.privacy.regions.tangent import SeparatingLine

#: Epsilon and delta.
Parameters: TypeAlias = tuple[Quantity, Quantity]

#: The least delta that is implied at eps_total, and the largest that implies it, as formulas.
least_delta_form: Expr = Max(
    delta_symbol, 1 - (1 - delta_symbol) * (1 + exp(eps_total)) / (1 + exp(eps)))
largest_delta_form: Expr = Min(
    delta_total, 1 - (1 - delta_total) * (1 + exp(eps)) / (1 + exp(eps_total)))
#: Part (b): the largest total variation of an (eps, delta)-private mechanism; it is attained.
total_variation_form: Expr = 1 - 2 * (1 - delta_symbol) / (1 + exp(eps))


def implies(given: Parameters, wanted: Parameters) -> bool:
    """Whether every mechanism with the first guarantee has the second."""
    (e, d), (f, g) = _read(given), _read(wanted)
    return sign(g - d) >= 0 and sign((1 - d) * (1 + f) - (1 - g) * (1 + e)) >= 0


def counterexample(given: Parameters, wanted: Parameters) -> SeparatingLine | None:
    """What randomised response with the first guarantee does against the second, if it does."""
    return PrivacyRegion.guarantee(*wanted).separation(PrivacyRegion.guarantee(*given))


def least_delta(given: Parameters, epsilon: Quantity) -> Expr:
    """The smallest delta that the guarantee implies at another epsilon, exactly."""
    (e, d), f = _read(given), number(exp(quantity.epsilon(epsilon)))
    other = 1 - (1 - d) * (1 + f) / (1 + e)
    return expression(other if sign(other - d) > 0 else d)


def least_epsilon(given: Parameters, delta: Quantity) -> Expr:
    """The smallest epsilon >= 0 that the guarantee implies at another delta; infinite if none.

    >>> least_epsilon(("log(3)", 0), delta="1/4"), least_epsilon((1, "1/10"), delta="1/20")
    (log(2), oo)
    """
    (e, d), g = _read(given), number(quantity.probability(delta))
    if sign(g - d) < 0:
        return sympy.oo
    if sign(1 - d) == 0:
        return sympy.Integer(0)
    ratio = (1 - g) * (1 + e) / (1 - d) - 1
    return log(expression(ratio)) if sign(ratio - 1) > 0 else sympy.Integer(0)


def largest_delta(wanted: Parameters, epsilon: Quantity) -> Expr:
    """The converse: the largest delta with which that epsilon is enough for the wanted guarantee.

    >>> largest_delta(("log(2)", "1/4"), epsilon="log(3)")
    0
    >>> largest_delta(("log(2)", "1/4"), epsilon=2)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: no delta is enough at epsilon 2: it must be at most log(3)
    """
    (f, g), at = _read(wanted), quantity.epsilon(epsilon)
    other = 1 - (1 - g) * (1 + number(exp(at))) / (1 + f)
    if sign(other) < 0:
        most = sympy.log(expression((1 + f) / (1 - g) - 1))
        raise BadQuantity(f"no delta is enough at epsilon {at}: it must be at most {most}")
    return expression(g if sign(other - g) > 0 else other)


def _read(given: Parameters) -> tuple[Number, Number]:
    epsilon, delta = given
    return number(exp(quantity.epsilon(epsilon))), number(quantity.probability(delta))
