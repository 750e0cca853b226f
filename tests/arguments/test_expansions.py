"""Expansions: terms are exact, remainders are proved, and nonsense gets a clear answer."""

import random
from fractions import Fraction

import pytest
import sympy
from campaign import heavy, tries
from expansions import composed, points, question
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, exp, log, oo, pi, sqrt, tanh

from symdp.arguments.series.expanding import expand
from symdp.arguments.series.expansion import Expansion
from symdp.arguments.series.neighbourhood import NoExpansion
from symdp.formulas.notation import eps, k, slack, symbol, x

c_ = symbol("c")
NEAR = [Rational(1, n) for n in (1, 2, 3, 7, 20, 1000)]


def near(found: Expansion) -> list:
    if found.at == oo:
        return [1 / (found.radius * s) for s in NEAR]
    return [found.at + found.radius * s for s in NEAR]


# --- terms -------------------------------------------------------------------------------------

TERMS = [
    ("eps*tanh(eps/2)", "eps", 0, 6, "eps^2/2 - eps^4/24"),
    ("(exp(x)-1-x)/x^2", "x", 0, 3, "1/2 + x/6 + x^2/24"),
    ("1/sin(x) - 1/x", "x", 0, 4, "x/6 + 7*x^3/360"),
    ("log(x)/x + x^(1/3)", "x", 0, 1, "log(x)/x + x^(1/3)"),
    ("x^x", "x", 0, 2, "1 + x*log(x)"),
    ("log(x)", "x", 1, 3, "(x-1) - (x-1)^2/2"),
    ("log(1+exp(x))", "x", "oo", 2, "x + exp(-x)"),
    ("tanh(x)", "x", "oo", 2, "1 - 2*exp(-2*x)"),
    ("tanh(x)", "x", "-oo", 2, "-1 + 2*exp(2*x)"),
    ("erfc(x)", "x", "oo", 4, "exp(-x^2)*(1/x - 1/(2*x^3))/sqrt(pi)"),
    ("loggamma(x)", "x", "oo", 2, "x*log(x) - x - log(x)/2 + log(2*pi)/2 + 1/(12*x)"),
    ("sqrt(x^2+x) - x", "x", "oo", 2, "1/2 - 1/(8*x)"),
    ("(1+1/x)^x", "x", "oo", 2, "e - e/(2*x)"),
    ("x^2 + log(erfc(x))", "x", "oo", 1, "-log(x) - log(pi)/2"),
    ("min(x, x^2)", "x", "oo", 3, "x"),
    ("sqrt(1+log(1/x))", "x", 0, 2, "sqrt(log(1/x)) + 1/(2*sqrt(log(1/x)))"),
    ("binomial(x, 3)", "x", "oo", 1, "x^3/6 - x^2/2 + x/3"),
    ("abs(sin(x)-x)", "x", 0, 4, "x^3/6"),
]


@pytest.mark.parametrize(("text", "v", "at", "order", "terms"), TERMS)
def test_terms_are_the_known_ones_and_the_remainder_holds(text, v, at, order, terms):
    from symdp.formulas.parsing import parse_expression
    from symdp.search.view.identity import identical

    side = "+" if at in (0,) else None
    found = expand(text, v, at, order, side=side)
    known = parse_expression(terms)
    assert identical(found.sum, known, positive=[found.variable]) or found.sum.equals(known)
    if at != "-oo":
        found.check_at(near(found))


def test_both_sides_of_a_point_are_meant_unless_one_has_no_values():
    assert expand("exp(x)", x, 0, 2).side == "+-"
    assert expand("sqrt(x)*exp(x)", x, 0, 2).side == "+"
    assert expand("sqrt(1-x)", x, 1, 2).side == "-"
    both = expand("1/x^2 + cos(x)/x", x, 0, 2)
    both.check_at([s * both.radius * n for n in NEAR for s in (1, -1)])


def test_a_wrong_term_or_a_bound_too_small_is_caught():
    good = expand("exp(x)", x, 0, 3)
    wrong = Expansion(good.expr, x, good.at, "+", 3, (Integer(1), x, x**2 / 3), good.scale,
                      good.constant, good.radius)
    with pytest.raises(AssertionError, match="the remainder is"):
        wrong.check_at([Rational(1, 10)])
    small = Expansion(good.expr, x, good.at, "+", 3, good.terms, good.scale, Rational(1, 7),
                      good.radius)
    with pytest.raises(AssertionError, match="the remainder is"):
        small.check_at([Rational(1, 10)])


def test_the_constant_is_close_to_the_next_coefficient():
    found = expand("eps*tanh(eps/2)", eps, 0, 6)
    assert found.scale == eps**6
    assert Rational(1, 240) <= found.constant <= Rational(2, 240)
    assert found.radius >= Rational(1, 2)


def test_a_bound_that_is_attained_is_checked_and_printed_with_brackets():
    found = expand(2 * x + 1, x, 1, 1, side="+")
    assert str(found) == "2*x + 1 = 3 + R, |R| <= 2*(x - 1) for 0 < x - 1 <= 1"
    found.check_at([Rational(8, 7), 2])
    assert r"\le 2\,(" in found.latex()


# --- random ones ---------------------------------------------------------------------------------


@settings(max_examples=tries(30))
@given(st.integers(0, 10**6))
def test_remainders_of_random_composed_functions_hold(seed):
    rng = random.Random(seed)
    f, at, order = question(rng)
    if x not in f.free_symbols:
        return
    try:
        found = expand(f, x, at, order, where=["x > 0"])
    except NoExpansion:
        return
    found.check_at(points(found, 8, rng), bits=800)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_a_higher_order_only_adds_terms(seed):
    f = composed(random.Random(seed), 1)
    try:
        low, high = (expand(f, x, 0, n, side="+") for n in (2, 4))
    except NoExpansion:
        return
    assert high.terms[: len(low.terms)] == low.terms


# --- where SymPy is wrong ------------------------------------------------------------------------


def test_logarithm_of_a_gaussian_tail_falls():
    """SymPy 1.14 has limit(x^2 + log(erfc(x)), x, oo) = oo; it is -oo."""
    found = expand("x^2 + log(erfc(x))", x, "oo", 1)
    assert found.terms[0] == -log(x)
    assert sympy.limit(x**2 + log(sympy.erfc(x)), x, oo) == oo  # still wrong, so the test is alive


def test_logarithms_of_logarithms_at_infinity():
    """SymPy 1.14 answers with a symbol of its own, which is no expansion at all."""
    positive = sympy.Symbol("x", positive=True)
    theirs = sympy.series(log(1 + 1 / log(positive)), positive, oo, 4)
    assert theirs.free_symbols - {positive}
    found = expand(log(1 + 1 / log(x)), x, oo, 2)
    assert found.terms == (1 / log(x), -1 / (2 * log(x) ** 2))
    found.check_at(near(found))
    with pytest.raises(NoExpansion, match="iterated logarithm"):
        expand(log(1 + log(1 / x)), x, 0, 3, side="+")


@pytest.mark.parametrize("f", [
    tanh(x), log(sympy.cosh(x)), log(tanh(x)), tanh(x) ** x, sympy.Min(x, x**2),
    sympy.gamma(x + Rational(1, 2)) / sympy.gamma(x), sympy.erf(sqrt(x)) / sqrt(x),
])
def test_where_sympy_has_no_answer_there_is_one(f):
    with pytest.raises((sympy.PoleError, NotImplementedError)):
        sympy.series(f, x, oo, 3)
    found = expand(f, x, oo, 3)
    found.check_at([(1 + n) / found.radius for n in range(5)])


# --- parameters and paths ------------------------------------------------------------------------


def test_parameters_stay_in_the_constant_where_they_are_factors():
    found = expand(k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / slack)), eps, 0, 3)
    assert found.constant.free_symbols == {k}
    assert (found.sum - (eps * sqrt(2) * sqrt(k * log(1 / slack)) + k * eps**2)).expand() == 0
    found.check_at([Rational(1, 3)], {k: Integer(17), slack: Rational(1, 100)})


def test_a_path_and_a_parameter_in_a_box():
    found = expand(k * eps * tanh(eps / 2), k, oo, 2, along={"eps": c_ / sqrt(k)},
                   where=["0 < c <= 3"])
    assert found.terms == (c_**2 / 2, -c_**4 / (24 * k))
    for value in (Rational(1, 10), Integer(3)):
        found.check_at([1 / found.radius, 10**4], {c_: value})


# --- nonsense --------------------------------------------------------------------------------------

NONSENSE = [
    (("exp(1/x)", "x", 0, 3), "essential singularity"),
    (("sin(1/x)", "x", 0, 3), "oscillates"),
    (("exp(x)", "y", 0, 3), "does not occur"),
    (("exp(x)", "x", 0, 0), "order 0"),
    (("exp(x)", "x", 0, 200), "limit of 40"),
    (("log(x-1)", "x", 0, 3), "negative"),
    (("floor(x)", "x", 0, 3), "floor"),
    (("abs(x)", "x", 0, 3), "differ"),
    (("x^pi", "x", 0, 3), "not a rational"),
    (("log(log(x))", "x", "oo", 3), "iterated logarithm"),
    (("gamma(x)", "x", 1, 4), "no further one; ask for a lower order"),
    (("exp(x*y)", "x", 0, 3), "where y lives"),
    (("sqrt(x)/(x-x)", "x", 0, 3), None),
]


@pytest.mark.parametrize(("arguments", "says"), NONSENSE)
def test_nonsense_gets_one_clear_line(arguments, says):
    with pytest.raises((ValueError, ArithmeticError)) as caught:
        expand(*arguments)
    assert "\n" not in str(caught.value)
    assert says is None or says in str(caught.value)


# --- display ---------------------------------------------------------------------------------------


def test_latex_is_what_a_paper_prints():
    found = expand("eps*tanh(eps/2)", eps, 0, 6, where=["eps > 0"])
    tex = found._repr_latex_()
    assert r"\frac{\varepsilon^{2}}{2}-\frac{\varepsilon^{4}}{24}+R" in tex
    assert r"|R| \le" in tex
    assert r"0<\varepsilon\le 1" in tex


def test_the_picture_shows_truth_terms_and_band():
    import matplotlib

    matplotlib.use("agg")
    for at, order in ((0, 4), (pi / 2, 3), (oo, 2)):
        ax = expand("tanh(x)", x, at, order).plot()
        assert len(ax.lines) == 2
        assert len(ax.collections) == 1
    assert len(expand("tanh(x)", x, 0, 4).plot(log=True).lines) == 2


# --- expansions of the composition bounds --------------------------------------------------------


@pytest.mark.parametrize("chance", [Rational(1, 2), Integer(1), Integer(2)])
@pytest.mark.parametrize("total", [Rational(1, 3), Rational(3, 2)])
def test_edgeworth_corrections_agree_with_exact_composition(chance, total):
    """The errors fall like 1/k, k^(-3/2) and 1/k^2 from k = 10^2 to 10^6."""
    from flint import arb, ctx

    from symdp.arguments.series.gaussian_limit import approximate
    from symdp.privacy.composition.homogeneous import Homogeneous

    scaled = {0: [], 1: [], 2: []}
    for n in (10**2, 10**3, 10**4, 10**5, 10**6):
        exact = Homogeneous(chance / sqrt(n), 0, n).delta(epsilon=total, digits=28)
        with ctx.workprec(128):
            truth = arb(str(exact.lower)).union(arb(str(exact.upper)))
            for order, found in scaled.items():
                error = abs(truth - approximate(chance, total, n, order))
                found.append(float((error * arb(n) ** (1 + order * arb("0.5"))).mid()))
    assert max(scaled[0]) < 0.5
    assert max(scaled[1]) < 0.2
    assert max(scaled[2]) < 0.1  # of 1/k^2: at k = 10^6 that is 13 digits of delta
    assert max(scaled[0]) > 0.001  # and the corrections are really needed


@settings(max_examples=25, deadline=None)
@given(chance=st.fractions(Fraction(1, 10), 6, max_denominator=16),
       total=st.fractions(0, 8, max_denominator=10),
       many=st.sampled_from([1, 2, 3, 10, 100, 10**3, 10**4, 10**5, 10**6]), order=st.sampled_from([1, 2]))
def test_the_edgeworth_remainder_is_a_bound(chance, total, many, order):
    from flint import arb, ctx

    from symdp.arguments.series.gaussian_limit import enclosed
    from symdp.privacy.composition.homogeneous import Homogeneous

    chance, total = (Rational(v.numerator, v.denominator) for v in (chance, total))
    exact = Homogeneous(chance / sqrt(many), 0, many).delta(epsilon=total, digits=30)
    found = enclosed(chance, total, many, order)
    with ctx.workprec(256):
        assert found.contains(arb(str(exact.lower)).union(arb(str(exact.upper))))


def test_one_constant_serves_for_every_larger_count():
    from flint import ctx

    from symdp.arguments.series.gaussian_limit import c, expansion, remainder
    from symdp.formulas.balls import ball
    from symdp.formulas.notation import eps_total

    found = expansion(Integer(1), Rational(1, 2), least=50)
    with ctx.workprec(128):
        for many in (50, 51, 1000, 10**12):
            bound = remainder(2).subs({c: Integer(1), eps_total: Rational(1, 2), k: Integer(many)})
            assert ball(bound * many**2) <= ball(found.constant)
    assert r"\frac{E_1(\theta)}{k}" in found._repr_latex_()


@pytest.mark.parametrize("claim", [
    heavy("log(cosh(x)) <= x^2/2 - x^4/12 + x^6/45"), "x^2/2 - x^4/12 <= log(cosh(x))"])
def test_what_the_edgeworth_remainder_rests_on_is_proved(claim):
    import symdp

    assert symdp.check(claim, where=["x >= 0"]).status.value == "proved"


def test_small_epsilon_expansions_of_the_bounds_are_certified():
    from symdp.literature.kov.simplified_composition.theorem import classic, logarithmic

    for bound in (classic, logarithmic):
        found = expand(bound, eps, 0, 3, where=["eps > 0", "1 <= k <= 100", "1/1000 <= slack <= 1/10"])
        found.check_at([found.radius, found.radius / 7], {k: Integer(30), slack: Rational(1, 50)})
    assert found.terms[0] == sqrt(2) * eps * sqrt(k)


@pytest.mark.parametrize("name", ["small epsilon", "large epsilon", "many mechanisms",
                                  "many small mechanisms", "small slack", "slack in proportion"])
def test_every_pair_of_bounds_has_its_ratio_in_every_regime(name):
    """All 28 are found; and far out in the regime the quotient is what they say, in 60 digits."""
    from symdp.arguments.orders.regimes import CLOSED_FORMS, REGIMES

    regime = REGIMES[name]
    found = regime.ratios()
    assert len(found) == 28
    far = Integer(10) ** 400 if regime.at == oo else Rational(1, 10**400)
    if regime.variable == eps and regime.at == oo:
        far = Integer(10**5)  # exp(eps) is still a number
    values = {k: Integer(50), eps: Rational(3, 10), slack: Rational(1, 10**5), c_: Rational(3, 2)}
    if name == "large epsilon":  # where a root of a logarithm must overtake k
        values |= {k: Integer(1), slack: Rational(1, 10)}
    del values[regime.variable]
    for pair in found:
        quotient = CLOSED_FORMS[pair.upper] / CLOSED_FORMS[pair.lower]
        here = quotient.subs(regime.along).subs(values).subs(regime.variable, far) / pair.growth.subs(
            values).subs(regime.variable, far)
        slow = 0.6 if pair.growth.has(log) or name in ("small slack", "large epsilon") else 1e-3
        assert abs(float(sympy.N(here, 60)) - 1) < slow, pair


def test_a_table_of_ratios_says_what_moves():
    from symdp.arguments.orders.regimes import REGIMES

    table = REGIMES["many small mechanisms"].table(["linear", "note"])
    assert r"$k \to \infty$, $\varepsilon = \frac{c}{\sqrt{k}}$" in table
    assert table.count("\n") == 4


def value_of(form, at):
    return form.subs(at, simultaneous=True)


@pytest.mark.long
@pytest.mark.parametrize("variable", [slack, k])
def test_where_any_two_bounds_meet(variable):
    """At a closed form the difference changes its sign; what never meets is ordered by a proof."""
    from itertools import combinations

    import symdp
    from symdp.arguments.orders.crossovers import CLOSED_FORMS, crossover, meeting

    points = [{eps: Rational(1, 20), k: Integer(50)}, {eps: Rational(3, 2), k: Integer(9)},
              {eps: Rational(1, 10), k: Integer(9)}, {eps: Rational(3, 5), k: Integer(7)}]
    if variable == k:
        points = [{eps: at[eps], slack: Rational(1, 10**n)} for n, at in enumerate(points, 1)]
    seen, reasons = set(), set()
    for one, two in combinations(CLOSED_FORMS, 2):
        found = meeting(one, two, variable)
        if found.because is not None:
            reasons.add(found.because)
        if found.value is None or found.variable != variable:
            continue
        for at in points:
            value = sympy.N(value_of(found.value, at), 30)
            least = value_of(found.provided.left - found.provided.right, at)
            holds = least < 0 if found.provided.op == "<" else least > 0
            if not holds or not 0 < value < (Rational(999, 1000) if variable == slack else 10**9):
                continue
            low, high = (Rational(str(value * Rational(f))) for f in ("0.999", "1.001"))
            near = crossover(CLOSED_FORMS[found.one], CLOSED_FORMS[found.two], variable, low, high, at, 25)
            slightly = Rational(1, 10**20)
            assert near.lower - slightly < Rational(str(value)) < near.upper + slightly
            seen.add((one, two))
    assert len(seen) == (12 if variable == slack else 10)
    assert len(reasons) == 6
    for relation in reasons:
        assert symdp.check(relation, where=["eps > 0"]).status.value == "proved"


def test_what_has_no_closed_form_is_enclosed():
    from symdp.arguments.orders.crossovers import CLOSED_FORMS, crossings, meeting

    at = {eps: Rational(1, 10), k: Integer(10)}
    assert meeting("blog", "logarithmic").value is None
    (found,) = crossings("blog", "logarithmic", at, digits=20)
    gap = (CLOSED_FORMS["blog"] - CLOSED_FORMS["logarithmic"]).subs(at)
    low, high = (sympy.N(gap.subs(slack, end), 40) for end in (found.lower, found.upper))
    assert low * high < 0
    assert found.upper - found.lower < Rational(1, 10**20)
    assert crossings("classic", "advanced", at) == []
    with pytest.raises(ValueError, match="no closed form 'nobody'"):
        meeting("nobody", "classic")


def test_the_map_of_regimes_names_the_best_bound():
    import matplotlib

    from symdp.arguments.orders.crossovers import BRANCHES
    from symdp.report.figures.regimes import plot_regimes, regimes

    matplotlib.use("agg")
    chart = regimes(BRANCHES, "1e-6", counts=[1, 10, 1000], epsilons=["0.001", "0.1", "1"])
    assert chart.best[0][0] == 0
    assert chart.best[0][2] == 1
    assert chart.best[1][2] == 2
    known = [f for row in chart.factor for f in row if f == f]
    assert min(known) >= 1  # no bound is below the exact value
    plot_regimes(chart)


def test_the_number_of_queries_from_which_advanced_composition_needs_less_noise():
    from symdp.arguments.orders.crossovers import NOISE, crossover, queries_where_equal
    from symdp.formulas.notation import delta

    at = {eps: Integer(1), delta: Rational(1, 10**6)}
    found = crossover(NOISE["basic"], NOISE["advanced"], k, 1, 1000, at, digits=20)
    assert found.sign == -1
    value = queries_where_equal.subs(at)
    assert found.lower - value <= 0 <= found.upper - value


# --- the command line ------------------------------------------------------------------------------


def run(*arguments):
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    from symdp.cli.app import main

    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        main(["expand", *arguments])
    return left.value.code, out.getvalue(), err.getvalue()


@pytest.mark.long
def test_symdp_expand_prints_terms_constant_and_radius():
    import json

    question = ("eps*tanh(eps/2)", "--variable", "eps", "--at", "0", "--order", "6")
    code, out, err = run(*question)
    assert (code, err) == (0, "")
    assert "eps^2/2 - eps^4/24 + R" in out
    assert "C = 1/185, r = 1" in out
    code, out, _ = run(*question, "--format", "json")
    document = json.loads(out)
    assert document["terms"] == ["eps^2/2", "-eps^4/24"]
    assert (document["constant"], document["radius"], document["scale"]) == ("1/185", "1", "eps^6")


@pytest.mark.parametrize(("arguments", "says"), [
    (("exp(1/x)", "--variable", "x"), "essential singularity"),
    (("exp(x)", "--variable", "y"), "does not occur"),
    (("exp(x)", "--variable", "x", "--order", "0"), "leaves no term"),
    (("exp(x)", "--variable", "x", "--order", "200"), "limit of 40"),
    (("exp(x)", "--variable", "x", "--at", "y"), "not a constant"),
    (("exp(x", "--variable", "x"), ""),
    (("exp(x)", "--variable", "x", "--side", "left"), "+ or -"),
    (("exp(k*x)", "--variable", "x"), "where k lives"),
    (("exp(x)", "--variable", "x", "--along", "x = k"), "what moves"),
])
def test_bad_questions_end_with_one_line_and_code_2(arguments, says):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("symdp: ")
    assert err.count("\n") == 1
    assert says in err
