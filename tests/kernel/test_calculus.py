"""Derivatives agree with numerical ones, and are given only where there are any."""

from __future__ import annotations

import mpmath
import pytest
from products import product_over

from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import Term, apply, member, number, sum_over, variable
from symdp.kernel.values.calculus import derivative, need_smooth

x, y, k, i = (variable(v) for v in "xyki")
zero, one, two, half = number(0), number(1), number(2), number(1, 2)


def f(name: str):
    return lambda *args: apply(name, *args)


exp, log, sqrt, absolute, floor = map(f, ("exp", "log", "sqrt", "abs", "floor"))


def value(t: Term, at: dict[str, object], indices: tuple[int, ...] = ()) -> mpmath.mpf:
    """A term in high precision, written without a look at the kernel's own evaluation."""
    head, args = t.head, t.args
    if head == "number":
        return mpmath.mpf(int(t.value.p)) / int(t.value.q)
    if head == "variable":
        return at[t.value]
    if head == "bound":
        return mpmath.mpf(indices[-1 - t.value])
    if head == "pi":
        return +mpmath.pi
    if head in ("sum", "product"):
        low, high = (int(value(a, at, indices)) for a in args[:2])
        parts = [value(args[2], at, (*indices, j)) for j in range(low, high + 1)]
        return mpmath.fsum(parts) if head == "sum" else mpmath.fprod(parts)
    v = [value(a, at, indices) for a in args]
    if head == "member":
        return mpmath.mpf(1) / (int(v[0]) + 3)
    if head == "+":
        return mpmath.fsum(v)
    if head == "*":
        return mpmath.fprod(v)
    operations = {
        "-": lambda a, b: a - b, "neg": lambda a: -a, "/": lambda a, b: a / b, "^": lambda a, b: a**b,
        "Phi": mpmath.ncdf, "abs": abs, "binomial": mpmath.binomial,
    }
    return operations.get(head, getattr(mpmath, head, None))(*v)


SMOOTH = [
    x ** number(5), x ** number(-3), x ** number(7, 2), x**y, y**x, x**x, exp(x * y), log(x + y),
    sqrt(x * y),
    f("sinh")(x * x), f("cosh")(x / y), f("tanh")(x), f("sin")(x * y), f("cos")(y - x), f("erf")(x),
    f("erfc")(x * two), f("Phi")(log(x)), (x + y) / (x * x + one), one / (one + exp(-x)), -(x - y) * x * x,
    f("binomial")(x, number(4)), sum_over("i", one, k, x**i * member("a", i)),
    sum_over("i", zero, number(3), exp(i * x) / (x + i)), product_over("i", one, k, x + i),
    (one - x * half) ** k, absolute(y) * x + floor(y), x**zero * y, (x * x + one) ** (x - y),
]


@pytest.mark.parametrize("term", SMOOTH, ids=str)
def test_derivatives_agree_with_numerical_ones(term):
    slope = derivative(term, "x")
    with mpmath.workdps(40):
        for at_x, at_y in ((0.625, 1.25), (1.5, 0.375)):
            point = {"y": mpmath.mpf(at_y), "k": mpmath.mpf(3)}
            wanted = mpmath.diff(lambda u, p=point: value(term, {**p, "x": u}), mpmath.mpf(at_x))
            found = value(slope, {**point, "x": mpmath.mpf(at_x)})
            assert abs(wanted - found) < 1e-12 * (1 + abs(wanted))


@pytest.mark.parametrize("term", SMOOTH, ids=str)
def test_they_are_smooth_where_everything_is_positive(term):
    given = (Relation(zero, "<", x), Relation(zero, "<", y), Relation(x, "<", two), Relation(k, ">=", one))
    goal = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), given, Relation(x, "==", x), (("a", REAL),))
    need_smooth(term, "x", goal)


@pytest.mark.parametrize("term", [absolute(x), floor(x), f("min")(x, y), f("max")(x, y), f("trigamma")(x),
                                  f("binomial")(x, y), f("binomial")(y, x), sum_over("i", one, floor(x), i),
                                  f("uppergamma")(x, y), exp(absolute(x))], ids=str)
def test_refused(term):
    with pytest.raises(Rejected):
        derivative(term, "x")


def real_line(*given: Relation) -> Goal:
    return Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), given, Relation(x, "==", x))


@pytest.mark.parametrize("term", [
    sqrt(x), x**half, x ** number(7, 2), log(x), one / x, x**y, absolute(x), floor(x), f("min")(x, y),
    sqrt(x**two), sum_over("i", zero, k, sqrt(x * i)), sum_over("i", one, k, absolute(x)),
    f("binomial")(x + two, x + one), y + absolute(x * x + one), x ** number(-1),
], ids=str)
def test_not_smooth_at_zero(term):
    at_zero = Relation(x, ">=", zero), Relation(y, ">=", one), Relation(k, ">=", one)
    with pytest.raises((Rejected, ArithmeticError)):
        need_smooth(term, "x", real_line(*at_zero))


def test_smooth_at_zero_where_a_power_is_whole():
    need_smooth(x ** number(3) + x**k, "x", real_line(Relation(x, ">=", zero), Relation(k, ">=", one)))
    need_smooth(absolute(y) * x, "x", real_line(Relation(x, ">=", zero)))
    # Nothing is in the range, so nothing has to be smooth.
    need_smooth(sum_over("i", two, one, sqrt(x - i)) + x, "x", real_line(Relation(x, ">=", zero)))


def test_integers_have_no_derivative():
    with pytest.raises(Rejected, match="no real variable"):
        need_smooth(exp(k), "k", real_line())


def test_indices_are_not_confused_with_variables():
    i_real = Goal((("i", REAL), ("k", INTEGER)), (Relation(i, ">", zero), Relation(k, ">=", one)),
                  Relation(i, "==", i))
    body = sum_over("j", one, k, variable("j") * i)
    assert derivative(body, "i") == sum_over("j", one, k, variable("j"))
    need_smooth(sum_over("j", one, k, sqrt(variable("j") * i)), "i", i_real)


def test_hostile_terms_end_quickly():
    deep = x
    for _ in range(400):
        deep = sqrt(deep + one)
    wide = apply("*", *(x + number(j) for j in range(2000)))
    tower = x
    for _ in range(100):
        tower = tower * tower
    for term in (deep, wide, tower):
        with pytest.raises(Rejected):
            derivative(term, "x")
        with pytest.raises((Rejected, ArithmeticError)):
            need_smooth(term / (x - x), "x", real_line())


def test_what_does_not_move_has_the_slope_0():
    assert derivative(y, "x") is zero
    assert derivative(sum_over("i", one, k, x ** zero), "x") is zero


def test_a_derivative_that_grows_too_long_is_refused():
    factors = apply("*", *(x + y + number(j) for j in range(100)))
    with pytest.raises(Rejected, match="the derivative is too long"):
        derivative(factors, "x")


def test_an_index_without_its_sum_is_not_smooth():
    from symdp.kernel.terms import bound

    with pytest.raises(Rejected, match="an index is used outside of its sum"):
        need_smooth(x * bound(0), "x", real_line())
