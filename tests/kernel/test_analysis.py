"""Calculus along one variable: what a rule asks for at the ends, on the way there, and of another form of the gap."""

import pytest
from kernel_terms import exp, le, log, lt

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.terms import ONE, ZERO, apply, bound, constant, number, sum_over, variable
from symdp.kernel.values.calculus import derivative

x, y, k, n = (variable(v) for v in "xykn")
TWO, HALF = number(2), number(1, 2)
pi = constant("pi")
ENCLOSED, ASSUMED = Step("enclosure"), Step("assumption")
SORTS = (("x", REAL), ("y", REAL), ("k", INTEGER))


def goal(claim, *hypotheses):
    return Goal(SORTS, hypotheses, claim)


def refused(goal, step, why):
    with pytest.raises(Rejected, match=why):
        verify(goal, step)


UNIT = (le(ZERO, x), le(x, ONE))


# --- sums of products of known sign -------------------------------------------------------------


def combine(*terms):
    signs = sum(bool(sign) for _, factors in terms for *_, sign in factors)
    return Step("combine", {"terms": [[c, [list(f) for f in factors]] for c, factors in terms]}, (ENCLOSED,) * signs)


def test_a_sum_of_squares_and_of_products_of_known_sign():
    assert verify(goal(le(TWO * x * y, x * x + y * y)), combine((ONE, [(x - y, 2, "")])))
    assert verify(goal(lt(ZERO, exp(x) / y), lt(ZERO, y)), combine((ONE, [(exp(x), 1, ">"), (y, -1, ">")])))


@pytest.mark.parametrize(("terms", "why"), [
    ([(-ONE, [(x, 2, "")])], r"the coefficient -1 is not a positive rational number"),
    ([(ZERO, [(x, 2, "")])], "the coefficient 0 is not a positive"),
    ([(y, [(x, 2, "")])], "the coefficient y is not a positive"),
    ([(ONE, [(x, 0, "")])], "a wrong exponent"),
    ([(ONE, [(x, True, "")])], "a wrong exponent"),
    ([(ONE, [(x, 2000, "")])], "a wrong exponent"),
    ([(ONE, [(x, 1, "")])], "x to the power 1 has no known sign"),
    ([(ONE, [(x, -1, ">=")])], "x to the power -1 has no known sign"),
    ([(ONE, [(x, -2, "")])], "x to the power -2 has no known sign"),
    ([(ONE, [(x, 2, "<")])], "has no known sign"),
    ([(ONE, [(log(x), 2, "")])], "may be undefined"),
    ([(ONE, [(x - y, 2, "")])], "were not seen to be the same"),
])
def test_a_sum_of_anything_else_shows_nothing(terms, why):
    refused(goal(le(ZERO, x * x)), combine(*terms), why)


def test_only_a_term_that_is_strictly_positive_makes_a_sum_positive():
    refused(goal(lt(ZERO, x * x)), combine((ONE, [(x, 2, "")])), "no term is strictly positive")
    refused(goal(Relation(ZERO, "==", x * x)), combine((ONE, [(x, 2, "")])), "no term is strictly positive")
    assert verify(goal(lt(ZERO, x * x + ONE)), combine((ONE, [(x, 2, "")]), (ONE, [])))
    assert verify(goal(le(x, x)), combine())


# --- growing away from an end -------------------------------------------------------------------


def monotone(*premises, end="lower", variable="x", **further):
    return Step("monotone", {"variable": variable, "end": end, **further}, premises or (ENCLOSED, ENCLOSED))


def test_a_gap_that_grows_from_a_closed_end():
    assert verify(goal(le(ONE + x, exp(x)), le(ZERO, x)), monotone(monotone(), ENCLOSED))
    assert verify(goal(le(x, ONE), le(x, ONE)), monotone(end="upper"))
    refused(goal(le(ONE, x), le(ONE, x), le(x, TWO)), monotone(end="upper"), "ranges over")
    for at in ("middle", None):
        refused(goal(le(x, ONE), le(x, ONE)), monotone(end=at), "is no end of an interval")
    refused(goal(Relation(x, "==", ONE), le(x, ONE)), monotone(), "is no end of an interval")
    refused(goal(le(ONE, k), le(ONE, k)), monotone(variable="k"), "k is no real variable")


def test_strict_at_an_open_end_by_the_slope_and_at_a_closed_end_by_the_value():
    claim = lt(ZERO, exp(x) - ONE)
    assert verify(goal(claim, lt(ZERO, x)), monotone(strict_slope=True))
    refused(goal(claim, le(ZERO, x)), monotone(strict_slope=True), "the claim must be strict at an end")
    refused(goal(claim, lt(ZERO, x)), monotone(), "ranges over")  # the gap is 0 at the end


def test_at_an_end_that_is_left_out_or_infinite_the_limit_counts():
    positive = lt(ZERO, x)
    assert verify(goal(lt(ZERO, exp(-x))), monotone(end="upper", strict_slope=True))  # it falls, and tends to 0
    assert verify(goal(le(-ONE, x * log(x)), lt(ONE, x)), monotone(limit_lower=True))
    assert verify(goal(le(x, TWO), positive, lt(x, ONE)), monotone(end="upper", limit_upper=True))
    # x log(x) has no value at 0, and the limit 0 there
    near = goal(le(ZERO, TWO - x * log(x)), positive, lt(x, number(1, 3)))
    refused(near, monotone(slope=-ONE - log(x)), "undefined")
    assert verify(near, monotone(slope=-ONE - log(x), limit_lower=True))


def test_where_the_gap_tends_to_infinity_nothing_is_left_to_show_there():
    """1/x + 1/x^2 falls; towards infinity it tends to 0, and towards 0 it grows without bound."""
    assert verify(goal(le(x, ZERO), le(x, ZERO)), monotone(end="upper"))
    assert verify(goal(le(x, ONE), le(x, ONE)), Step("monotone", {"variable": "x", "end": "upper"}, (ENCLOSED,) * 2))
    refused(goal(le(x, ONE), le(x, ONE)), monotone(ENCLOSED), "ranges over")  # the gap falls all the way
    refused(goal(le(number(-5), -(ONE / x)), lt(ZERO, x)), monotone(ENCLOSED, limit_lower=True),
            "the gap tends to -oo at the lower end of x")


def test_a_variable_with_one_value_has_no_interval():
    refused(goal(le(x, ONE), Relation(x, "==", ONE)), monotone(), "x has one value only")


def test_of_bounds_by_constants_the_stricter_one_must_be_known():
    for other in (number(3), pi - ONE):
        assert verify(goal(le(ZERO, x), le(pi, x), le(other, x)), monotone())
    same = exp(log(pi))
    refused(goal(le(ZERO, x), le(pi, x), le(same, x)), monotone(),
            "it is not certain which of .* is the stricter bound")
    # of a closed and an open bound at the same place the open one counts
    refused(goal(lt(ZERO, x), le(ZERO, x), lt(ZERO, x)), monotone(), "ranges over")
    assert verify(goal(lt(ZERO, x), le(ZERO, x), lt(ZERO, x)), monotone(strict_slope=True))


def test_hypotheses_that_tie_the_variable_to_others_stay_true_on_the_way():
    claim = le(ZERO, x ** TWO + y)
    assert verify(goal(claim, le(ZERO, x), le(x, y)), monotone())
    refused(goal(claim, le(ZERO, x), le(y, x)), monotone(), "y <= x may fail on the way to the lower end of x")
    refused(goal(claim, le(ZERO, x), Relation(y, "==", x)), monotone(), "may fail on the way")
    every = Each(ONE, k, le(x, bound(0)))
    refused(goal(claim, le(ZERO, x), every), monotone(), "may fail on the way")
    assert verify(goal(le(x, y + ONE), le(x, ONE), le(ZERO, y), le(-x, y)), monotone(end="upper"))


def test_what_ties_the_variable_is_known_at_the_end_only_if_it_has_a_value_there():
    """x <= y says 0 <= y at the end x = 0; 1 <= y/x says nothing there, though it gets truer on the way."""
    assert verify(goal(le(ZERO, x + y), le(ZERO, x), le(x, y)), monotone())
    within = (lt(ZERO, x), lt(ZERO, y), le(ONE, y / x))
    assert verify(goal(le(ZERO, x + y), *within), monotone())
    refused(goal(le(ONE, x + y), *within), monotone(), "ranges over")


def test_another_form_of_the_gap_or_of_the_slope_is_the_same_and_defined():
    claim, where = le(ONE, exp(x)), le(ZERO, x)
    assert verify(goal(claim, where), monotone(gap=exp(x) - ONE, slope=exp(x)))
    refused(goal(claim, where), monotone(gap=exp(x)), "were not seen to be the same")
    refused(goal(claim, where), monotone(slope=TWO * exp(x)), "were not seen to be the same")
    refused(goal(claim, where), monotone(slope=exp(x) * (log(y) / log(y))), "undefined")


# --- powers at an end ---------------------------------------------------------------------------


def test_a_power_whose_exponent_may_be_0_is_not_taken_for_continuous_where_its_base_is_0():
    """x^y is 0 at x = 0 for y > 0 and 1 for y = 0."""
    within = (le(ZERO, x), le(x, ONE))
    assert verify(goal(le(ZERO, x ** y), *within, le(ONE, y)), monotone())
    refused(goal(le(ZERO, x ** (x + y)), *within, le(ONE, y)), monotone(), "continuous at the end of x")
    refused(goal(le(ZERO, (x + ONE - y) ** k), *within, le(ONE, y), le(y, ONE), le(ZERO, k)), monotone(),
            "continuous at the end of x")
    assert verify(goal(le(ONE, (x + ONE) ** k), *within, le(ONE, k)), monotone())
    assert verify(goal(le(ONE, TWO ** x), *within), monotone())


def test_a_power_inside_of_a_sum_is_not_looked_at():
    powers = sum_over("n", ONE, number(3), (x + ONE) ** n)
    refused(goal(le(ZERO, powers), *UNIT), monotone(), "a power inside of a sum may not be continuous")


# --- the bend of a gap --------------------------------------------------------------------------


def bent(rule, *premises, **further):
    return Step(rule, {"variable": "x", "weight": ONE, **further}, premises or (ENCLOSED,) * (
        3 if rule == "convex" else 4))


def test_a_convex_gap_is_least_where_its_slope_vanishes():
    claim = le(ONE + x, exp(x))
    core = exp(x) - ONE
    assert verify(goal(claim), bent("convex", at=ZERO, core=core))
    refused(goal(lt(ONE + x, exp(x))), bent("convex", at=ZERO, core=core), "ranges over")
    refused(goal(claim), bent("convex", at=ONE, core=core), "were not seen to be the same")
    refused(goal(claim), bent("convex", at=x, core=core), "may depend on other variables only")
    refused(goal(claim, le(ONE, x)), bent("convex", at=ZERO, core=core), "0 was not seen to lie inside")
    refused(goal(claim, lt(x, -ONE)), bent("convex", at=ZERO, core=core), "0 was not seen to lie inside")
    refused(goal(claim, le(x, y)), bent("convex", at=ZERO, core=core), "x is tied to others")
    refused(goal(Relation(ONE + x, "==", exp(x))), bent("convex", at=ZERO, core=core), "an equality, or x is tied")
    refused(goal(claim), bent("convex", at=ZERO, core=TWO * core), "were not seen to be the same")


def test_a_convex_gap_whose_slope_vanishes_at_an_end():
    """(x - y)^2 at an end, where everything is continuous: and the minimum may depend on the other variables."""
    square, core = le(ZERO, (x - y) ** TWO), TWO * (x - y)
    assert verify(goal(le(ZERO, x ** TWO), *UNIT), bent("convex", at=ZERO, core=TWO * x))
    assert verify(goal(le(ZERO, (x - ONE) ** TWO), *UNIT), bent("convex", at=ONE, core=TWO * (x - ONE)))
    assert verify(goal(square, *UNIT, lt(ZERO, y), lt(y, ONE)), bent("convex", at=y, core=core))
    refused(goal(square, *UNIT, le(ZERO, y), lt(y, ONE)), bent("convex", at=y, core=core),
            "y was not seen to lie inside")
    refused(goal(le(ZERO, x ** y), *UNIT, lt(TWO, y)), bent("convex", at=ZERO, core=y * x ** (y - ONE)),
            "were not seen to be the same")


def test_a_concave_gap_is_least_at_an_end():
    claim, core = le(ZERO, x * (ONE - x)), ONE - TWO * x
    assert verify(goal(claim, *UNIT), bent("concave", core=core))
    refused(goal(le(HALF, x * (ONE - x)), *UNIT), bent("concave", core=core), "ranges over")
    refused(goal(claim, le(ZERO, x)), bent("concave", ENCLOSED, ENCLOSED, ENCLOSED, core=core),
            "the gap tends to -oo at the upper end of x")


def test_a_concave_gap_is_positive_between_ends_that_are_left_out():
    strict, core = lt(ZERO, x * (ONE - x)), ONE - TWO * x
    inside = (lt(ZERO, x), lt(x, ONE))
    assert verify(goal(strict, *inside), bent("concave", core=core, strict_bend=True))
    refused(goal(strict, *inside), bent("concave", core=core), "ranges over")
    refused(goal(strict, *UNIT), bent("concave", core=core, strict_bend=True), "an end belongs to the domain")


# --- absolute values ----------------------------------------------------------------------------


def test_a_minimum_is_one_of_its_arguments():
    small = apply("min", x, y)
    assert verify(goal(le(small, x)), Step("branches", {"node": small}, (ENCLOSED, ASSUMED)))
    refused(goal(le(small, x)), Step("branches", {"node": x + y}), "is no absolute value, minimum or maximum")
    partial = apply("min", x, log(y))
    refused(goal(le(partial, x)), Step("branches", {"node": partial}), "may be undefined")


# --- paving -------------------------------------------------------------------------------------


def paving(*cuts, **further):
    return Step("paving", {"cuts": list(cuts), **further})


PARABOLA = goal(le(x * x, x + HALF), *UNIT)


def test_pieces_cover_the_box_and_each_is_settled():
    assert verify(PARABOLA, paving(0, -1, -1))
    hill = goal(le(x * exp(-x), number(2, 5)), le(number(1, 10), x), le(x, number(3)))
    refused(hill, paving(-1), "a piece of the paving is not settled")
    assert verify(hill, paving(*_halved(5)))


@pytest.mark.parametrize(("cuts", "why"), [
    ([0, -1], "1 pieces of the paving are left open"), ([0, -1, -1, -1], "there are more cuts than pieces"),
    ([1, -1, -1], "'1' is no coordinate"), ([True, -1, -1], "'True' is no coordinate"), ([-2], "is no coordinate"),
    (["0"], "is no coordinate"), ([], "1 pieces of the paving are left open"),
])
def test_a_list_of_cuts_that_leaves_something_out_is_refused(cuts, why):
    refused(PARABOLA, paving(*cuts), why)


def test_the_cuts_are_a_list_that_is_not_too_long():
    for cuts in ((0, -1, -1), "0", [-1] * 200_001):
        refused(PARABOLA, Step("paving", {"cuts": cuts}), "no list of at most")


def test_a_box_is_finite_and_its_sides_are_the_variables_of_the_gap():
    refused(goal(le(x * x, x + HALF), le(ZERO, x)), paving(-1), "needs a finite box")
    for along in (["y"], [], ["x", "x"], ["x", "y"]):
        refused(PARABOLA, paving(0, -1, -1, along=along), "the coordinates are not the variables of the gap")
    refused(goal(Relation(x * x, "==", x), *UNIT), paving(-1), "an equality is shown by identity")


def test_where_no_slope_keeps_its_sign_the_mean_value_theorem_starts_in_the_middle():
    """x (1 - x) <= 1/4 + 1/100 on all of [0, 1]: around the middle the slope is both positive and negative."""
    hump = goal(le(x * (ONE - x), number(13, 50)), *UNIT)
    assert verify(hump, paving(*_halved(5)))
    refused(goal(le(x * (ONE - x), number(6, 25)), *UNIT), paving(*_halved(5)), "is not settled")


def _halved(times):
    return [-1] if times == 0 else [0, *_halved(times - 1), *_halved(times - 1)]


def test_a_slope_that_has_no_value_on_a_piece_settles_nothing():
    """The slope of sqrt(x) has no value at 0; a piece that begins there is settled by the gap, or stays open."""
    smooth = goal(le(x ** number(3, 2), TWO - x), lt(ZERO, x), le(x, ONE))
    assert derivative(x ** number(3, 2), "x") is number(3, 2) * x ** HALF
    assert verify(smooth, paving(0, -1, -1))
    root = goal(le(apply("sqrt", x), number(9, 8)), lt(ZERO, x), le(x, ONE))
    assert verify(root, paving(0, -1, -1))
    hump = goal(le(apply("sqrt", x) - x, number(13, 50)), lt(ZERO, x), le(x, ONE))
    refused(hump, paving(0, -1, -1), r"is not settled: \[0, 0.5\]")
