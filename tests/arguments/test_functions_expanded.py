"""Every function of the table has Taylor coefficients and bounds from its record, and `expand` knows it."""

from dataclasses import replace

import mpmath
import pytest
from sympy import Integer, Rational, oo

from symdp.arguments.series.derivatives import exact_coefficients, largest_coefficient
from symdp.arguments.series.expanding import expand
from symdp.arguments.series.neighbourhood import NoExpansion, NotReal
from symdp.arguments.series.taylor import taylor
from symdp.formulas.functions import SYMPY
from symdp.formulas.notation import x
from symdp.formulas.parsing import parse_expression
from symdp.kernel.terms import FUNCTIONS, ONE, mul, number, variable
from symdp.kernel.values.ranges import Range
from symdp.numbers.floating import precise
from symdp.numbers.ranges import exactly
from symdp.search.view.identity import identical

#: Those that have no derivative everywhere in their domain, or are no functions of real numbers.
BROKEN = {"abs", "floor", "min", "max", "binomial"}
SMOOTH = sorted(FUNCTIONS.keys() - BROKEN)
#: 3/2 lies in the domain of acosh, and outside of that of asin
CENTRES = {name: Rational(1, 3) for name in SMOOTH} | {"acosh": Rational(3, 2)}
#: The argument before the one that moves
FIXED = {"uppergamma": [Rational(5, 3)]}


def values(name):
    """The function along its last argument in many digits."""
    expr = SYMPY[name](*FIXED.get(name, []), x)
    return lambda at: precise(expr, [x])([at])


def test_what_is_smooth_is_all_but_these():
    for name in BROKEN:
        assert not FUNCTIONS[name].slopes
    for name in SMOOTH:
        args = [variable(v) for v in "xy"[:FUNCTIONS[name].arity]]
        assert FUNCTIONS[name].slopes or FUNCTIONS[name].by_others(*args) is not None


@pytest.mark.parametrize("name", SMOOTH)
def test_taylor_coefficients_are_those_of_the_values(name):
    centre = CENTRES[name]
    found = exact_coefficients(name, [*FIXED.get(name, []), centre], 5)
    assert len(found) == {"gamma": 3, "loggamma": 3, "digamma": 2, "trigamma": 1}.get(name, 5)
    with mpmath.workdps(60):
        wanted = mpmath.taylor(values(name), mpmath.mpf(centre.p) / centre.q, len(found) - 1)
        for mine, theirs in zip(found, wanted, strict=True):
            assert abs(mpmath.mpf(str(mine.evalf(30))) - theirs) < mpmath.mpf(10) ** -12 * (1 + abs(theirs))


@pytest.mark.parametrize("name", [n for n in SMOOTH if n != "gamma"])  # that is the exponential of its logarithm
def test_a_taylor_bound_is_one_and_not_a_bad_one(name):
    """On a sixth to both sides of the centre."""
    centre, reach = CENTRES[name], Rational(1, 6)
    on = Range.between(exactly(centre - reach), exactly(centre + reach))
    fixed = [(s, Range.of(exactly(s))) for s in FIXED.get(name, [])]
    coefficients, last = taylor(SYMPY[name], centre, 4, on, *fixed) if name != "sqrt" else (
        [0] * 4, largest_coefficient("sqrt", [on], 4))
    n = len(coefficients)
    with mpmath.workdps(60):
        sizes = [abs(mpmath.taylor(values(name), mpmath.mpf((centre + reach * share / 4).p)
                                   / (centre + reach * share / 4).q, n)[n]) for share in range(-4, 5)]
    assert max(sizes) <= float(last) * (1 + 1e-12)
    assert float(last) <= 40 * max(sizes)


@pytest.mark.parametrize(("text", "at", "order", "terms"), [
    ("atan(x)", 0, 6, "x - x^3/3 + x^5/5"),
    ("atan(x)", "oo", 4, "pi/2 - 1/x + 1/(3*x^3)"),
    ("atan(x)", "-oo", 4, "-pi/2 - 1/x + 1/(3*x^3)"),
    ("atan(x)", 1, 3, "atan(1) + (x-1)/2 - (x-1)^2/4"),
    ("asin(x)", 0, 6, "x + x^3/6 + 3*x^5/40"),
    ("asin(x)", 1, 1, "pi/2 - sqrt(2)*sqrt(1-x)"),
    ("asin(x)", -1, 1, "-pi/2 + sqrt(2)*sqrt(1+x)"),
    ("acos(x)", 0, 4, "pi/2 - x - x^3/6"),
    ("acos(x)", 1, 1, "sqrt(2)*sqrt(1-x)"),
    ("tan(x)", 0, 6, "x + x^3/3 + 2*x^5/15"),
    ("tan(x)", "pi/2", 2, "-1/(x-pi/2) + (x-pi/2)/3"),
    ("atanh(x)", 0, 4, "x + x^3/3"),
    ("atanh(x)", 1, 1, "-log(1-x)/2 + log(2)/2"),
    ("asinh(x)", 0, 4, "x - x^3/6"),
    ("asinh(x)", "oo", 3, "log(x) + log(2) + 1/(4*x^2)"),
    ("asinh(x)", "-oo", 3, "-log(-x) - log(2) - 1/(4*x^2)"),
    ("acosh(x)", 1, 1, "sqrt(2)*sqrt(x-1)"),
    ("acosh(x)", "oo", 3, "log(x) + log(2) - 1/(4*x^2)"),
    ("digamma(x)", "oo", 5, "log(x) - 1/(2*x) - 1/(12*x^2) + 1/(120*x^4)"),
    ("digamma(x)", 1, 2, "digamma(1) + (x-1)*trigamma(1)"),
    ("digamma(x)", 0, 1, "-1/x + digamma(1)"),
    ("trigamma(x)", "oo", 5, "1/x + 1/(2*x^2) + 1/(6*x^3)"),
    ("trigamma(x)", 0, 1, "1/x^2 + trigamma(1)"),
    ("loggamma(x)", 1, 2, "digamma(1)*(x-1)"),
    ("gamma(x)", 0, 1, "1/x + digamma(1)"),
    ("uppergamma(1/2, x)", "oo", 2, "exp(-x)/sqrt(x) - exp(-x)/(2*x^(3/2))"),
    ("uppergamma(4, x)", "oo", 1, "exp(-x)*(x^3 + 3*x^2 + 6*x + 6)"),
    ("uppergamma(1/3, x)", 0, 2, "gamma(1/3) - 3*x^(1/3) + 3*x^(4/3)/4"),
    ("uppergamma(3, x)", 1, 3, "uppergamma(3, 1) - exp(-1)*(x-1) - exp(-1)*(x-1)^2/2"),
    ("log1p(x)", 0, 4, "x - x^2/2 + x^3/3"),
    ("expm1(x)", 0, 4, "x + x^2/2 + x^3/6"),
])
def test_a_new_function_is_expanded_and_the_remainder_holds(text, at, order, terms):
    found = expand(text, x, at, order)
    assert identical(found.sum, parse_expression(terms)) or found.sum.equals(parse_expression(terms))
    side = -1 if found.side == "-" else 1
    if found.at in (oo, -oo):
        places = [(1 if found.at == oo else -1) / (found.radius * Rational(1, n)) for n in (1, 2, 7, 50)]
    else:
        places = [found.at + side * found.radius * Rational(1, n) for n in (1, 2, 7, 50)]
    found.check_at(places)
    if found.side == "+-":
        found.check_at([2 * found.at - place for place in places])


@pytest.mark.parametrize(("text", "at", "error", "says"), [
    ("tan(x)", "oo", NoExpansion, "tan oscillates"),
    ("asin(x)", 2, NotReal, "undefined"),
    ("trigamma(x)", "-oo", NotReal, "tends to -oo"),
    ("uppergamma(-1, x)", 0, NoExpansion, "only for a positive first argument"),
    ("uppergamma(x, 1)", 1, NoExpansion, "only along its last argument"),
    ("atan(exp(x))", "-oo", NoExpansion, "outside the scale"),
    ("asin(x)", "oo", NoExpansion, "not defined"),
    ("digamma(x + 1)", 0, NoExpansion, "the first 1 derivatives of digamma and no further one"),
])
def test_where_there_is_no_expansion_one_line_says_why(text, at, error, says):
    with pytest.raises(error, match=says):
        expand(text, x, at, 3)


def test_a_function_that_is_defined_on_one_side_is_expanded_on_that_side():
    for text in ("digamma(x)", "trigamma(x)", "loggamma(x)", "uppergamma(3, x)"):
        assert expand(text, x, 0, 1).side == "+"
    for text in ("asin(x)", "acos(x)"):
        assert expand(text, x, 1, 1).side == "-"


def test_a_parameter_stands_in_the_terms_and_the_remainder_holds_for_all_of_it():
    a = parse_expression("a")
    found = expand("atan(a*x)", x, 0, 4, where=["1 <= a <= 2"])
    assert found.sum == a * x - a**3 * x**3 / 3
    upper = expand("uppergamma(a, x)", x, 1, 2, where=["1 <= a <= 2"])
    assert identical(upper.sum, parse_expression("uppergamma(a, 1) - exp(-1)*(x-1)"))


def test_the_new_functions_are_drawn():
    import matplotlib

    matplotlib.use("agg")
    for text in ("atan(x)", "uppergamma(1/3, x)", "digamma(x)"):
        ax = expand(text, x, 1, 2).plot()
        assert len(ax.lines) == 2
        for line in ax.lines:
            assert all(map(mpmath.isfinite, map(float, line.get_ydata())))


def test_a_coefficient_of_an_point_is_exact():
    assert exact_coefficients("atan", [Integer(0)], 4) == [0, 1, 0, Rational(-1, 3)]


def test_a_derivative_may_be_a_product_of_three(monkeypatch):
    """With f' = 2 u (1 + u), f is u^2 + 2 u^3/3 and what f(0) is."""
    def slope(_, u):
        return mul(number(2), u, ONE + u)

    monkeypatch.setitem(FUNCTIONS, "atan", replace(FUNCTIONS["atan"], slopes=(slope,)))
    assert exact_coefficients("atan", [Integer(0)], 5) == [0, 0, 1, Rational(2, 3), 0]
