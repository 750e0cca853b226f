"""Every function of the table keeps what its record promises; a new file is tried without a line here."""

import shutil
import subprocess
import sys
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from symdp.arguments.reading.latex_reader import read_expression
from symdp.formulas.functions import NAMES, SYMPY, expr_of, unfolded
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import parse_expression, parse_term
from symdp.formulas.printing import to_text
from symdp.formulas.translation import term_of
from symdp.kernel.algebra.identity import identical
from symdp.kernel.functions.record import PLUS_INFINITY, Infinity
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, apply, number, substitute, variable
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.limits import limit
from symdp.kernel.values.points import Point, value_at
from symdp.kernel.values.ranges import Undefined, Unsupported
from symdp.numbers.floating import function, precise
from symdp.typeset.typesetting import latex


def arity(name):
    return FUNCTIONS[name].arity or 2


NAMES_OF_ALL = sorted(FUNCTIONS)
SMOOTH = [n for n in NAMES_OF_ALL if FUNCTIONS[n].slopes or FUNCTIONS[n].by_others(*map(variable, "xy"[:arity(n)]))]
rationals = st.fractions(-4, 4, max_denominator=12)


def arguments(name):
    return [variable(v) for v in ("x", "y")[:arity(name)]]


def at(name, *values, bits=128):
    """The value at a point; None where it may be undefined."""
    point = Point({v: fmpq(u.numerator, u.denominator) for v, u in zip(("x", "y"), values, strict=False)})
    try:
        return value_at(apply(name, *arguments(name)), point, bits)
    except (Undefined, Unsupported):
        return None


def box(ends):
    """The hypotheses that put x, and y, between two rationals each."""
    found = []
    for v, (low, high) in zip(("x", "y"), ends, strict=False):
        found += [Relation(number(fmpq(low.numerator, low.denominator)), "<=", variable(v)),
                  Relation(variable(v), "<=", number(fmpq(high.numerator, high.denominator)))]
    sorts = tuple((v, REAL) for v, _ in zip(("x", "y"), ends, strict=False))
    return Goal(sorts, tuple(found), Relation(ZERO, "<=", ZERO))


@pytest.mark.parametrize("name", NAMES_OF_ALL)
@given(data=st.data())
def test_a_range_contains_the_values(name, data):
    sides = [sorted(data.draw(st.tuples(rationals, rationals))) for _ in range(arity(name))]
    shares = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)])
    inside = [low + (high - low) * data.draw(shares) for low, high in sides]
    try:
        whole = range_on(apply(name, *arguments(name)), box(sides))
    except (Undefined, Unsupported):
        return
    value = at(name, *inside)
    assert value is not None, "a function that is defined on a box is defined at its points"
    assert not value.lo > whole.hi
    assert not value.hi < whole.lo


@pytest.mark.parametrize("name", NAMES_OF_ALL)
@given(data=st.data())
def test_floats_and_many_digits_agree_with_balls(name, data):
    values = [data.draw(rationals) for _ in range(arity(name))]
    value = at(name, *values)
    if value is None or not value.is_finite():
        return
    symbols = [symbol(v) for v in ("x", "y")[:arity(name)]]
    expr = SYMPY[name](*symbols)
    middle = float(value.lo)
    assert function(expr, symbols)([float(v) for v in values]) == pytest.approx(middle, rel=1e-9, abs=1e-12)
    with mpmath.workdps(25):
        fine = precise(expr, symbols)([mpmath.mpf(v.numerator) / v.denominator for v in values])
        assert fine is not None
        assert abs(fine - mpmath.mpf(value.lo.mid().str(30, radius=False))) <= mpmath.mpf(10) ** -18 * (1 + abs(fine))


@pytest.mark.long
@pytest.mark.parametrize("name", SMOOTH)
@given(data=st.data())
def test_the_derivative_is_the_limit_of_difference_quotients(name, data):
    """The mean value theorem: a difference quotient is a value of the derivative in between."""
    values = [data.draw(rationals) for _ in range(arity(name))]
    moved = ("x", "y")[arity(name) - 1]
    step = Fraction(1, 1 << 20)
    sides = [(v, v) for v in values[:-1]] + [(values[-1], values[-1] + step)]
    goal = box(sides)
    term = apply(name, *arguments(name))
    try:
        need_smooth(term, moved, goal)
        slope = range_on(derivative(term, moved), goal, 128)
    except (Undefined, Unsupported, Rejected):
        return
    first, second = at(name, *values, bits=256), at(name, *values[:-1], values[-1] + step, bits=256)
    quotient = (second.lo - first.lo) * (1 << 20)
    slack = 1e-30
    assert quotient >= slope.lo - slack
    assert quotient <= slope.hi + slack


@pytest.mark.parametrize("name", [n for n in NAMES_OF_ALL if FUNCTIONS[n].slopes and arity(n) == 1
                                  and None not in FUNCTIONS[n].ends])
@pytest.mark.parametrize("end", [0, 1])
def test_limits_are_those_of_the_values(name, end):
    f = FUNCTIONS[name]
    wanted, edge, sign = f.ends[end], (f.domain.lo, f.domain.hi)[end], 1 if end else -1
    place = int(edge.unique_fmpz()) if edge.is_finite() else None
    near = Fraction(sign * 10**6) if place is None else place - sign * Fraction(1, 10**6)
    value = at(name, near)
    if value is None or not value.is_finite():  # exp(10^6) and the like
        assert isinstance(wanted, Infinity)
        return
    if isinstance(wanted, Infinity):
        assert (value.lo > 1) if wanted is PLUS_INFINITY else (value.hi < -1)
    else:
        there = range_on(wanted, Goal((), (), Relation(ZERO, "<=", ZERO)))
        assert abs(float(value.lo) - float(there.lo)) < 3e-3
    x = variable("x")
    if place is None:
        to, near_it = Infinity(sign), [Relation(x, ">", ONE) if sign > 0 else Relation(x, "<", -ONE)]
    else:
        to, further = number(place), number(place - sign)
        low, high = (further, to) if sign > 0 else (to, further)
        near_it = [Relation(low, "<", x), Relation(x, "<", high)]
    goal = Goal((("x", REAL),), tuple(near_it), Relation(ZERO, "<=", ZERO))
    found = limit(apply(name, x), "x", to, goal, from_above=sign < 0)
    assert found is wanted or identical(found, wanted)


@pytest.mark.parametrize("name", NAMES_OF_ALL)
def test_reflections_and_other_forms_are_the_same_function(name):
    f, args = FUNCTIONS[name], arguments(name)
    if f.reflected is not None:
        a, b = f.reflected
        assert identical(apply(name, -args[0]), number(a) * apply(name, args[0]) + number(b))
    same = f.by_others(*args)
    for value in (Fraction(1, 3), Fraction(3, 2), Fraction(-1, 2)):
        for f_term in ([] if same is None else [same]):
            direct = at(name, *([value] * arity(name)))
            if direct is not None:
                point = Point({"x": fmpq(value.numerator, value.denominator)})
                other = value_at(substitute(f_term, {"y": args[0]}), point, 128)
                assert not direct.lo > other.hi
                assert not direct.hi < other.lo


@pytest.mark.parametrize("name", [n for n in NAMES_OF_ALL if FUNCTIONS[n].positive])
@given(data=st.data())
def test_what_is_called_positive_is(name, data):
    value = at(name, *(data.draw(rationals) for _ in range(arity(name))))
    assert value is None or value.is_positive()


@pytest.mark.parametrize(("text", "undefined"), [
    ("asin(x)", "2"), ("acos(x)", "-3/2"), ("acosh(x)", "1/2"), ("acosh(x)", "-2"), ("atanh(x)", "1"),
    ("atanh(x)", "-1"),
    ("log1p(x)", "-1"), ("digamma(x)", "0"), ("trigamma(x)", "-3"), ("uppergamma(0, x)", "0"), ("log(x)", "0")])
def test_undefined_points_are_undefined(text, undefined):
    with pytest.raises(Undefined) as caught:
        value_at(parse_term(text), Point({"x": fmpq(*map(int, undefined.split("/")))}))
    assert caught.value.certain


@pytest.mark.parametrize("text", ["digamma(x)", "trigamma(x)", "uppergamma(2, x)"])
def test_what_is_not_supported_is_not_called_undefined(text):
    with pytest.raises(Undefined) as caught:
        value_at(parse_term(text), Point({"x": fmpq(-1, 2)}))
    assert not caught.value.certain


@pytest.mark.parametrize("name", [n for n in SMOOTH if FUNCTIONS[n].slopes and not FUNCTIONS[n].domain.lo_open])
def test_there_is_no_slope_at_an_end_of_the_domain(name):
    end, moved = Fraction(int(FUNCTIONS[name].domain.lo.unique_fmpz())), ("x", "y")[arity(name) - 1]
    goal = box([(Fraction(1), Fraction(1))] * (arity(name) - 1) + [(end, end + Fraction(1, 2))])
    with pytest.raises(Rejected):
        need_smooth(apply(name, *arguments(name)), moved, goal)


@pytest.mark.parametrize("name", NAMES_OF_ALL)
def test_text_and_sympy_and_latex_come_back(name):
    term = apply(name, *arguments(name))
    for word in (name, *FUNCTIONS[name].aliases):
        assert parse_term(f"{word}({', '.join(a.value for a in term.args)})") is term
    expr = parse_expression(str(term))
    if name != "sqrt":
        assert term_of(expr) is term
        assert NAMES[expr.func] == name
    assert term_of(expr_of(term)) is (term_of(expr))
    assert parse_expression(to_text(expr)) == expr
    tex = latex(expr)
    read = read_expression(tex)
    assert identical(term_of(read), term), tex


def test_functions_that_are_only_others_are_written_out_for_the_search():
    x = symbol("x")
    assert unfolded(SYMPY["log1p"](x) + SYMPY["expm1"](x)) == sympy.log(1 + x) + sympy.exp(x) - 1


FILE = '''"""The secant."""

from symdp.kernel.functions.record import Function
from symdp.kernel.terms import ONE, apply

SECANT = Function("secant", by_others=lambda u: ONE / apply("cos", u), partial=True)
'''


@pytest.mark.long
def test_a_function_is_added_by_one_file(tmp_path):
    """From its text to a proof and to a certificate that the checker accepts."""
    shutil.copytree(ROOT / "symdp", tmp_path / "symdp", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "symdp" / "kernel" / "functions" / "secant.py").write_text(FILE)

    def run(*arguments):
        return subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True,
                              timeout=300)

    true = run("symdp", "check", "secant(x) >= 1", "--where", "-1 <= x <= 1", "--out", "certificates")
    assert "proved" in true.stdout, true.stdout + true.stderr
    assert run("symdp.kernel", "certificates").returncode == 0
    false = run("symdp", "check", "secant(x) <= 1", "--where", "-1 <= x <= 1")
    assert "refuted" in false.stdout
