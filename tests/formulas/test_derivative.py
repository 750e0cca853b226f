"""Derivatives are SymPy's own, written as SymPy writes them."""

import random

import pytest
import sympy
from sympy import (
    Abs,
    Function,
    Max,
    Rational,
    binomial,
    cosh,
    erfc,
    exp,
    floor,
    gamma,
    log,
    loggamma,
    sqrt,
    tanh,
)

from symdp.formulas.derivative import derivative
from symdp.formulas.functions import SYMPY
from symdp.formulas.notation import Phi, eps, k, slack, x

KINDS = (exp, log, sqrt, tanh, cosh, erfc, Phi, loggamma, gamma, *SYMPY.values())


def expression(chance: random.Random, depth: int) -> sympy.Expr:
    if depth == 0:
        return chance.choice([x, eps, k, slack, Rational(2, 3), sympy.Integer(-2), sympy.pi, 1 + x, 1 / eps])
    one, other = expression(chance, depth - 1), expression(chance, chance.randrange(depth))
    return chance.choice([
        lambda: one + other, lambda: one - other, lambda: one * other, lambda: one / (2 + other**2),
        lambda: (1 + one**2) ** Rational(chance.choice([1, -1, 2, 3]), 2), lambda: (1 + exp(one)) ** other,
        lambda: chance.choice(KINDS[:8])(one), lambda: Max(one, other), lambda: Abs(one),
        lambda: 3 * (one + other)])()


@pytest.mark.parametrize("seed", range(60))
def test_a_derivative_is_the_one_that_sympy_writes(seed):
    chance = random.Random(seed)
    found = expression(chance, 3)
    for _ in range(2):
        assert derivative(found, x) == sympy.diff(found, x)
        found = sympy.diff(found, x)
        if found.has(sympy.Derivative, sympy.Subs) or found.count_ops() > 400:
            break


@pytest.mark.parametrize("kind", [kind for kind in SYMPY.values() if isinstance(kind, type)])
def test_every_function_has_the_derivative_that_sympy_says(kind):
    count = next((n for n in (1, 2, 3) if kind.nargs is None or n in kind.nargs), 1)
    inside = [1 + x**2, 2 + x, 3 * x][:count]
    assert derivative(kind(*inside), x) == sympy.diff(kind(*inside), x)


def test_what_has_no_derivative_is_left_open_as_by_sympy():
    for found in (floor(x), binomial(x, k), SYMPY["trigamma"](1 + x), Function("f")(2 * x)):
        assert derivative(found, x) == sympy.diff(found, x)
    assert derivative(slack, x) == 0
    assert derivative(x, x) == 1
