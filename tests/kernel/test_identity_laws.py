"""No two terms are seen to be the same that differ at a point where both are defined as written.

Terms are made at random, with zeros and negative bases, empty ranges and exponents that are no numbers,
and evaluated by a program of its own.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import mpmath
import pytest
from campaign import tries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mpf

from symdp.kernel.algebra.identity import Algebra, NowhereDefined, TooLarge, canonical, identical
from symdp.kernel.goals import Whole
from symdp.kernel.terms import BINDERS, Term, apply, binder, bound, member, number, variable

WHOLE = Whole(frozenset(["m", "k"]))
x, y, m, k = (variable(v) for v in "xymk")
one, two = number(1), number(2)
DIGITS = 50
TINY = mpf(10) ** -35
FAMILIES = {"a": (0, -1, 2, 1, -2), "b": (1, 3, 0, -1, 2)}


class Undefined(Exception):
    """The term has no value at the point, or one that is too large to compare."""


def sign(v: mpf) -> int:
    return 0 if abs(v) < TINY else 1 if v > 0 else -1


def whole_power(b: mpf, n: int) -> mpf:
    if sign(b) == 0:
        if n < 0:
            raise Undefined
        return mpf(n == 0)
    return b**n


def power(t: Term, b: mpf, e: mpf) -> mpf:
    exponent = t.args[1]
    if exponent.head == "number":
        if exponent.value.q == 1:
            return whole_power(b, int(exponent.value.p))
        if sign(b) < 0 or (sign(b) == 0 and e < 0):
            raise Undefined
        return b**e if sign(b) else mpf(0)
    if WHOLE(exponent):
        return whole_power(b, int(mpmath.nint(e)))
    if sign(b) > 0:
        return b**e
    if sign(b) == 0 and sign(e) > 0:
        return mpf(0)
    raise Undefined


def binomial(t: Term, n: mpf, lower: mpf) -> mpf:
    literal = t.args[1]
    if literal.head == "number" and literal.value.q == 1 and literal.value >= 0:
        return mpmath.fprod((n - j) / (j + 1) for j in range(int(literal.value.p)))
    if min(sign(n + 1), sign(lower + 1), sign(n - lower + 1)) <= 0:
        raise Undefined
    return mpmath.gamma(n + 1) / mpmath.gamma(lower + 1) / mpmath.gamma(n - lower + 1)


def value(t: Term, point: dict[str, Fraction], indices: tuple[int, ...] = ()) -> mpf:
    """The value of a term as it is written; Undefined where it has none."""
    head, args = t.head, t.args
    if head == "number":
        return mpf(int(t.value.p)) / int(t.value.q)
    if head == "variable":
        return mpf(point[t.value].numerator) / point[t.value].denominator
    if head == "bound":
        return mpf(indices[-1 - t.value])
    if head in ("pi", "e"):
        return +getattr(mpmath, head)
    if head in BINDERS:
        low, high = (int(mpmath.nint(value(a, point, indices))) for a in args[:2])
        if high - low > 50:
            raise Undefined
        parts = [value(args[2], point, (*indices, i)) for i in range(low, high + 1)]
        return mpmath.fsum(parts) if head == "sum" else mpmath.fprod(parts)
    v = [value(a, point, indices) for a in args]
    if any(abs(u) > 10**12 for u in v):
        raise Undefined
    if head == "member":
        return mpf(FAMILIES[t.value][int(mpmath.nint(v[0])) % 5])
    if head == "^":
        return power(t, *v)
    if head == "binomial":
        return binomial(t, *v)
    if (head == "/" and sign(v[1]) == 0) or (head == "sqrt" and sign(v[0]) < 0) or (
        head in ("log", "gamma", "loggamma") and sign(v[0]) <= 0
    ):
        raise Undefined
    operations = {
        "+": lambda *u: mpmath.fsum(u), "*": lambda *u: mpmath.fprod(u), "-": lambda a, b: a - b,
        "neg": lambda a: -a, "/": lambda a, b: a / b, "abs": abs, "min": min, "max": max,
        "floor": lambda a: mpmath.floor(a + TINY), "Phi": mpmath.ncdf,
        "sqrt": lambda a: mpmath.sqrt(abs(a)),
    }
    return operations.get(head, getattr(mpmath, head, None))(*v)


def integer(r: random.Random, depth: int) -> Term:
    """Something that is visibly an integer."""
    kind = r.randrange(10)
    if kind < 4:
        return m
    if kind < 6:
        return k
    if kind < 7:
        return number(r.choice([-1, 1, 2, 3]))
    if kind < 8 and depth:
        return bound(r.randrange(depth))
    join = r.choice([lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: -a])
    return join(integer(r, depth), integer(r, depth))


def leaf(r: random.Random, depth: int) -> Term:
    kind = r.randrange(10)
    if kind < 6:
        return (x, x, x, y, m, k)[kind]
    if kind == 6 and depth:
        return bound(r.randrange(depth))
    if kind == 7:
        return member(r.choice("ab"), integer(r, depth))
    return number(r.choice([-2, -1, 0, 1, 1, 2, 3, 4]), r.choice([1, 1, 2]))


FUNCTIONS = ("exp", "log", "sqrt", "abs", "exp", "log", "sqrt", "tanh", "cosh", "erf", "floor", "sin",
             "Phi", "gamma", "loggamma")


def term(r: random.Random, size: int, depth: int = 0) -> Term:
    if size <= 1:
        return leaf(r, depth)
    kind, first = r.random(), r.randint(1, size - 1)

    def part(n: int) -> Term:
        return term(r, n, depth)

    if kind < 0.56:
        operation = r.choice(["+", "+", "-", "*", "*", "/", "/", "^", "min", "max"])
        return apply(operation, part(first), part(size - first))
    if kind < 0.66:
        return part(size - 1) ** integer(r, depth)
    if kind < 0.74:
        return part(size - 1) ** number(r.choice([-2, -1, 0, 1, 2, 3]), r.choice([1, 1, 2]))
    if kind < 0.88:
        return apply(r.choice(FUNCTIONS), part(size - 1))
    if kind < 0.9:
        return apply("binomial", part(size - 1), r.choice([two, integer(r, depth)]))
    if kind < 0.91 or depth >= 2:
        return -part(size - 1)
    low = r.choice([one, number(0), number(-1), m, integer(r, depth)])
    high = r.choice([k, two, number(0), k + one, integer(r, depth)])
    return binder(r.choice(BINDERS), low, high, term(r, size - 1, depth + 1))


def rewritten(r: random.Random, t: Term) -> Term:
    """Something that is the same as t at times, or nearly so."""
    s = term(r, r.randint(1, 2))
    log, exp, sqrt = ((lambda u, name=name: apply(name, u)) for name in ("log", "exp", "sqrt"))
    return r.choice([
        lambda: t * s / s, lambda: (t + s) - s, lambda: log(exp(t)), lambda: exp(log(t)),
        lambda: sqrt(t * t), lambda: sqrt(t) * sqrt(t), lambda: (t**two) ** number(1, 2),
        lambda: t ** (m + one) / t**m,
        lambda: (t * s) ** m / s**m, lambda: apply("abs", t), lambda: t**m * t ** (one - m),
        lambda: exp(m * log(t)), lambda: (t**m) ** k, lambda: t ** (m * k), lambda: t**m,
        lambda: binder("sum", one, k, t), lambda: binder("product", one, k, t), lambda: t * k, lambda: t**k,
        lambda: binder("sum", number(0), k, t * bound(0)),
        lambda: t * binder("sum", number(0), k, bound(0)),
        lambda: sqrt(t * s), lambda: sqrt(t) * sqrt(s), lambda: log(t * s), lambda: log(t) + log(s),
        lambda: t**s, lambda: (t**two) ** s, lambda: t ** (two * s), lambda: t + one,
    ])()


POINTS = [
    {"x": Fraction(a), "y": Fraction(b), "m": Fraction(c), "k": Fraction(d)}
    for a in (0, -1, 1, "-2", "1/2", 3) for b in (0, -1, 1, "1/2")
    for c in (-2, -1, 0, 1, 3) for d in (-1, 0, 1, 2)
]


def agree(r: random.Random, left: Term, right: Term, facts: tuple[Term, ...] = ()) -> None:
    with mpmath.workdps(DIGITS):
        for point in r.sample(POINTS, 25):
            try:
                if any(sign(value(f, point)) <= 0 for f in facts):
                    continue
                a, b = value(left, point), value(right, point)
            except (Undefined, OverflowError):
                continue
            assert abs(a - b) <= mpf(10) ** -15 * (1 + abs(a)), f"{left} and {right} at {point}"


LAWS = settings(max_examples=tries(80), deadline=None, suppress_health_check=list(HealthCheck))
FACTS = st.sampled_from([(), (x,), (k,), (x, k), (x * x,), (one - y,), (x * y,), (k + one, x + one)])
SEEDS = st.integers(0, 2**40)


@LAWS
@given(SEEDS, FACTS)
def test_a_normal_form_has_the_value_of_its_term(seed, facts):
    r = random.Random(seed)
    t = term(r, r.randint(1, 6))
    try:
        algebra = Algebra(facts, WHOLE)
        normal = algebra.term_of(algebra.normal(t))
    except (TooLarge, NowhereDefined):
        return
    agree(r, t, normal, facts)
    assert identical(t, normal, facts, WHOLE) or t.size > 12


@LAWS
@given(SEEDS, FACTS)
def test_what_is_identical_has_equal_values(seed, facts):
    r = random.Random(seed)
    t = term(r, r.randint(1, 4))
    forms = [t, *(rewritten(r, t) for _ in range(5))]
    for left, right in itertools.combinations(forms, 2):
        if left is not right and identical(left, right, facts, WHOLE):
            agree(r, left, right, facts)


@LAWS
@given(SEEDS)
def test_one_key_means_one_thing(seed):
    r = random.Random(seed)
    t = term(r, r.randint(1, 4))
    first = canonical(t, WHOLE)
    for other in (rewritten(r, t), number(3) - number(1, 2) * rewritten(r, t), number(5) * t + two):
        second = canonical(other, WHOLE)
        if first is not None and second is not None and first[0] == second[0]:
            ratio = number(second[1] / first[1])
            agree(r, other, ratio * (t - number(first[2])) + number(second[2]))


def test_the_judge_can_tell_wrong_from_right():
    with pytest.raises(AssertionError):
        agree(random.Random(0), apply("sqrt", x * x), x)
    with pytest.raises(AssertionError):
        agree(random.Random(0), binder("sum", one, k, one), k)
