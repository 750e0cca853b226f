"""Identities: what is seen to be the same, what must never be, and what ends quickly."""

from __future__ import annotations

import sys
import time

import pytest
from flint import fmpq
from products import product_over

from symdp.kernel.algebra.identity import Algebra, TooLarge, canonical, identical
from symdp.kernel.goals import Whole
from symdp.kernel.terms import (
    Term,
    apply,
    constant,
    member,
    number,
    sum_over,
    variable,
)

x, y, z, k, m, n, i, j = (variable(v) for v in "xyzkmnij")
zero, one, two, half = number(0), number(1), number(2), number(1, 2)
WHOLE = Whole(frozenset("kmnij"))


def f(name: str):
    return lambda *args: apply(name, *args)


exp, log, sqrt, tanh, cosh, sinh = map(f, ("exp", "log", "sqrt", "tanh", "cosh", "sinh"))
erf, erfc, phi, gamma, floor, absolute = map(f, ("erf", "erfc", "Phi", "gamma", "floor", "abs"))


def a(index: Term) -> Term:
    return member("a", index)


def total(body: Term, low: Term = one, high: Term = k) -> Term:
    return sum_over("i", low, high, body)


def product(body: Term, low: Term = one, high: Term = k) -> Term:
    return product_over("i", low, high, body)


SAME = [
    # exponentials, hyperbolic functions
    (tanh(x / two), (exp(x) - one) / (exp(x) + one)),
    (cosh(x) ** two - sinh(x) ** two, one),
    (exp(x) * exp(-x / two), exp(x / two)),
    (exp(x + one), constant("e") * exp(x)),
    (exp(x / (x - one)), exp(one + one / (x - one))),
    (exp(log(x) * y), x**y),
    (exp(number(3) * log(x)), x * x * x),
    (exp(m * log(one - x)), (one - x) ** m),
    (two**m * two, two ** (m + one)),
    (number(6) ** x, two**x * number(3) ** x),
    # logarithms
    (log(two * x), log(two) + log(x)),
    (log(number(12)), two * log(two) + log(number(3))),
    (log(exp(x)), x),
    (log(x ** number(3)), number(3) * log(x)),
    (log(sqrt(x)), log(x) / two),
    (log(one / x), -log(x)),
    (apply("loggamma", x), log(gamma(x))),
    # roots
    (sqrt(number(8)), two * sqrt(two)),
    (sqrt(x) ** two, x),
    (sqrt(one + x) * sqrt(one + x), one + x),
    (one / sqrt(one + x), sqrt(one + x) / (one + x)),
    (log(sqrt(one + x) ** two + y), log(one + x + y)),
    (sqrt(two + two * x), sqrt(two) * sqrt(one + x)),
    (sqrt(two) ** number(100), number(2**50)),
    (one / sqrt(two), sqrt(two) / two),
    ((sqrt(x) + sqrt(y)) * (sqrt(x) - sqrt(y)), x - y),
    # quotients
    ((x**two - one) / (x - one), x + one),
    (log((x * x - one) / (x - one)), log(one + x)),
    (one / (one + one / x), x / (x + one)),
    # the normal law, even and odd functions
    (erf(x), one - erfc(x)),
    (phi(x) + phi(-x), one),
    (f("sin")(-x), -f("sin")(x)),
    (f("cos")(x - y), f("cos")(y - x)),
    (absolute(-two * x), two * absolute(x)),
    (f("min")(x, y), f("min")(y, x)),
    (f("max")(x + x, two * x), two * x),
    (f("binomial")(x, two), x * (x - one) / two),
    (floor(two * m), m + m),
    (gamma(x + y), gamma(y + x)),
    (a(m + one), a(one + m)),
    # powers with exponents that are no numbers
    (x ** (m + one), x**m * x),
    (x ** (two * m), (x**m) ** two),
    ((x * y) ** m, x**m * y**m),
    ((x / y) ** m, x**m / y**m),
    ((x**m) ** k, x ** (m * k)),
    (x**m * x ** (-m), one),
    ((one - x) ** (m + one), (one - x) ** m * (one - x)),
    ((one - x) ** (m - one) * (one - x) ** two, (one - x) ** (m + one)),
    ((-x) ** m, number(-1) ** m * x**m),
    (number(-1) ** (m + one), -(number(-1) ** m)),
    ((two + two * x) ** m, two**m * (one + x) ** m),
    ((x**two) ** y * (x**two), (x**two) ** (y + one)),
    ((one + x) ** number(1000) / (one + x) ** number(1000), one),
    (x ** number(10**9) * x, x ** number(10**9 + 1)),
    # exponents over one denominator, and beside it
    (exp(y + x / (exp(y) + one)) ** k * exp(y * log(y)), exp(y * log(y) + k * x / (exp(y) + one)) * exp(k * y)),
    (exp(x / (x - one)) * exp(y), exp(y + one) * exp(one / (x - one))),
    # sums and products
    (total(a(i) + two * x * i), total(a(i)) + two * x * total(i)),
    (sum_over("i", one, k, a(i)), sum_over("j", one, k, a(j))),
    (total(a(i), one, number(3)), a(one) + a(two) + a(number(3))),
    (total(one / x, one, zero), zero),
    (product(one / (x - x), one, zero), one),
    (product(a(i) * i), product(a(i)) * product(i)),
    (product(two * a(i)), product(two) * product(a(i))),
    (sum_over("j", one, m, sum_over("i", one, k, a(i) * member("b", j))),
     sum_over("i", one, k, a(i)) * sum_over("i", one, m, member("b", i))),
    (total(exp(i * x + y)), exp(y) * total(exp(i * x))),
    (total(a(i), one, k + one - one), total(a(i))),
]


@pytest.mark.parametrize(("left", "right"), SAME, ids=lambda t: str(t)[:50])
def test_seen_to_be_the_same(left, right):
    assert identical(left, right, whole=WHOLE)
    assert identical(right, left, whole=WHOLE)


WITH_SIGNS = [
    (log(exp(x) / (one + y)), x - log(one + y), [one + y]),
    (log(x / (y - one)), log(x) - log(y - one), [y - one]),
    (sqrt(x * y), sqrt(x) * sqrt(y), [x]),
    (sqrt(x**two), x, [x]),
    (absolute(x), x, [x]),
    (log(x * y), log(x) + log(y), [x * x * x]),
    (x**y * x**z, x ** (y + z), [x]),
    ((x * y) ** z, x**z * y**z, [x, y]),
    (log(x / (one - y)), log(x) - log(one - y), [two - two * y]),
    (total(one), k, [k]),
    (total(one), k, [k + one]),
    (total(x / y), k * x / y, [k]),
    (total(a(i) / y), total(a(i)) / y, [y]),
    (total(a(i) / (one + y)), total(a(i)) / (one + y), [y]),
]


@pytest.mark.parametrize(("left", "right", "positive"), WITH_SIGNS, ids=lambda t: str(t)[:50])
def test_the_same_where_something_is_positive(left, right, positive):
    assert identical(left, right, positive, WHOLE)


DIFFERENT = [
    (sqrt(x**two), x),
    (log(x * y), log(x) + log(-y)),
    ((x**two) ** half, x),
    (number(-1) ** x, one),
    (number(-1) ** (two * x), one),
    (total(one), k),
    (total(x), k * x),
    (product(x), x**k),
    (product(zero), zero),
    (total(a(i)), total(a(i), one, k + one)),
    (total(a(i) * i), total(a(i)) * total(i)),
    (total(a(i) * member("b", i)), total(a(i)) * total(member("b", i))),
    (sum_over("i", one, k, sum_over("j", one, k, a(i))),
     sum_over("i", one, k, sum_over("j", one, k, a(j))) + one),
    (floor(x), x),
    (floor(tanh(number(500))), one),
    (absolute(x), x),
    (f("min")(x, y), f("max")(x, y)),
    (gamma(x + one), x * gamma(x) + one),
    (x / x, two),
    (a(one), a(two)),
    (a(one), member("b", one)),
    (erfc(x), erfc(-x)),
    (exp(x + y), exp(x) + exp(y)),
    ((x + y) ** m, x**m + y**m),
    (zero**m, zero),
    (x**zero, zero),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=lambda t: str(t)[:50])
def test_never_the_same(left, right):
    assert not identical(left, right, whole=WHOLE)


def test_what_is_undefined_everywhere_is_identical_to_nothing():
    assert not identical(one / (x - x), one / (x - x) + one)
    assert not identical(log(zero), log(zero) + one)


def test_canonical_matches_up_to_scaling_and_shifting():
    key, factor, offset = canonical(number(3) - two * x / (one + x))
    other, factor2, offset2 = canonical(x / (x + one) + half)
    assert key == other
    # 3 - 2t = (factor/factor2)*(t + 1/2 - offset2) + offset with t = x/(x+1)
    ratio = factor / factor2
    assert ratio == -2
    assert offset + ratio * (fmpq(1, 2) - offset2) == 3
    assert canonical(number(5)) is None
    assert canonical(x - x + two) is None
    assert canonical(log(two * x))[0] == canonical(log(x) + log(two))[0]
    assert canonical(x) != canonical(y)


def test_polynomial_in():
    algebra = Algebra()
    assert algebra.polynomial_in((x + y) ** two, "x") == [y**two, number(2) * y, one]
    assert algebra.polynomial_in(x / y, "x") == [zero, y ** number(-1)]
    for other in (exp(x), one / x, sqrt(x), x**y):
        assert algebra.polynomial_in(other, "x") is None


def _deep(depth: int) -> Term:
    t = x
    for _ in range(depth):
        t = sqrt(t + one)
    return t


def _doubled(times: int) -> Term:
    t = x
    for _ in range(times):
        t = t + t
    return t


HOSTILE = {
    "power": lambda: x ** number(10**9),
    "power of a sum": lambda: (x + y) ** number(10**9),
    "tower": lambda: number(9) ** number(9) ** number(10**9),
    "number to a large power": lambda: number(3) ** number(10**9),
    "huge exponent": lambda: x ** number(10**5000),
    "huge number": lambda: number(10**20000) * x,
    "semiprime": lambda: sqrt(number((10**40 + 121) * (10**41 + 609) + 2)),
    "deep": lambda: _deep(500),
    "deep but allowed": lambda: _deep(50),
    "doubled": lambda: _doubled(300),
    "thousands of terms": lambda: apply("+", *(variable(f"v{v}") for v in range(3000))),
    "square of many": lambda: apply("+", *(variable(f"v{v}") for v in range(1000))) ** two,
    "many quotients": lambda: apply("+", *(one / (one + variable(f"v{v}")) for v in range(40))),
    "product of sums": lambda: apply("*", *(one + variable(f"v{v}") for v in range(60))),
    "sparse gcd": lambda: (x ** number(10**9) - one) / (x ** number(10**6) - one),
    "nested sums": lambda: sum_over("i", one, number(40), sum_over("j", one, number(40), sum_over(
        "n", one, number(40), exp(i * x) / (j + n * y)))),
    "long sum": lambda: total(one / (x + i), one, number(40)),
    "falling": lambda: f("binomial")(x + y + z, number(20)),
    "nested roots": lambda: apply("+", *(sqrt(one + variable(f"v{v}")) for v in range(12))) ** number(6),
    "power of power": lambda: ((((x + y) ** m) ** k + one) ** m + y) ** number(40),
    "huge literal range": lambda: total(i, one, number(10**30)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_ends_quickly(name):
    term = HOSTILE[name]()
    start = time.process_time()
    assert not identical(term, y + number(17), whole=WHOLE)
    canonical(term)
    assert time.process_time() - start < (5 if sys.gettrace() is None else 20)  # coverage looks at every line


def test_too_large_is_said():
    with pytest.raises(TooLarge):
        Algebra().normal(_doubled(300))


def test_powers_of_zero():
    zero = x - x
    assert identical(zero ** number(1, 2), number(0))
    assert not identical(zero ** number(-1, 2), number(0))
    assert canonical(zero ** number(-1, 2) + y) is None  # nowhere defined
    assert not identical(zero ** number(1, 2), y)


def test_a_fact_that_cannot_be_is_no_help():
    """0 is not positive: nothing is learnt from it, and in particular not that y is."""
    assert not identical(f("log")(x * y), f("log")(x) + f("log")(y), positive=[x - x])
    assert not identical(sqrt(y ** two), y, positive=[y - y])


def test_a_function_without_a_value_stays_as_it_is():
    gamma = f("gamma")
    assert identical(gamma(-one) + x, x + gamma(-one))
    assert not identical(gamma(-one), number(0))
    assert identical(gamma(number(5)), number(24))


def test_a_term_that_is_too_deep_is_too_large():
    deep = x
    for _ in range(110):
        deep = f("tanh")(deep)
    with pytest.raises(TooLarge, match="too deep"):
        Algebra().normal(deep)
    assert not identical(deep, x)
    assert canonical(deep) is None
