"""What an exported theorem says: the claim as written, with everything that makes it defined."""

import pytest

from symdp.formal.printing import conditions, coq, name_of
from symdp.formal.refusals import NotExportable
from symdp.formal.statements import negation, proposition
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.rules.privacy import AnyPrivate, Finite, Gaussian, Private, Sequence
from symdp.kernel.terms import apply, bound, constant, member, number, sum_over, variable

x, y, k = variable("x"), variable("y"), variable("k")
one, two = number(1), number(2)


def log(t):
    return apply("log", t)


@pytest.mark.parametrize(("term", "text"), [
    (-(x ** two), "- x ^ 2"),
    ((-x) ** two, "(- x) ^ 2"),
    (x - (y - one), "x - (y - 1)"),
    (x / (y * two), "x / (y * 2)"),
    (x * (one / y), "x * (1 / y)"),
    (x ** number(-2), "/ x ^ 2"),
    (number(-1, 2) * x, "(-1) / 2 * x"),
    (x ** number(1, 2), "sqrt x"),
    (x ** number(-3, 2), "/ sqrt x ^ 3"),
    (x ** number(1, 3), "power x (1 / 3)"),
    (constant("e") ** x, "exp x"),
    (apply("max", x, y, one), "Rmax (Rmax x y) 1"),
    (apply("expm1", x), "exp x - 1"),
    (apply("exp", apply("sqrt", x + y)), "exp (sqrt (x + y))"),
])
def test_terms_are_printed_with_the_parentheses_they_need(term, text):
    assert coq(term) == text


@pytest.mark.parametrize(("term", "needed"), [
    (x / x, ["x <> 0"]),
    (x / two, []),
    (number(0) * log(x), ["0 < x"]),
    (apply("sqrt", x / y), ["0 <= x / y", "y <> 0"]),
    (apply("log1p", x), ["0 < 1 + x"]),
    (x ** number(-2), ["x <> 0"]),
    (x ** y, ["has_power x y"]),
    (two ** y, []),
    (x ** number(1, 2), ["has_power x (1 / 2)"]),
])
def test_what_makes_a_term_defined_is_read_off_as_written(term, needed):
    assert conditions(term) == needed


def test_definedness_of_both_sides_is_a_part_of_the_theorem():
    goal = Goal((("x", REAL),), (Relation(x, ">", number(0)),), Relation(x / x, "==", one))
    assert proposition(goal) == "forall x : R,\n  x > 0 ->\n  x <> 0 /\\ x / x = 1"


def test_a_hypothesis_holds_only_where_it_is_defined():
    goal = Goal((("x", REAL),), (Relation(log(x), "<=", one),), Relation(x, ">", number(0)))
    assert proposition(goal) == "forall x : R,\n  0 < x ->\n  ln x <= 1 ->\n  x > 0"


def test_that_a_power_in_a_hypothesis_means_what_it_says_is_concluded_from_the_others():
    goal = Goal((("x", REAL), ("k", INTEGER)), (Relation(x ** k, "<=", one), Relation(x, ">=", number(0))),
                Relation(x, "<=", two))
    assert proposition(goal) == (
        "forall x k : R,\n  integer k ->\n  x >= 0 ->\n  has_power x k /\\ (\n  power x k <= 1 ->\n  x <= 2)")


def test_that_a_binomial_coefficient_in_a_hypothesis_means_what_it_says_is_concluded_from_the_others():
    goal = Goal((("k", INTEGER),), (Relation(apply("binomial", k, k), "<=", one), Relation(k, ">=", number(0))),
                Relation(k, "<=", two))
    assert proposition(goal) == (
        "forall k : R,\n  integer k ->\n  k >= 0 ->\n  has_binomial k /\\ (\n  binomial k k <= 1 ->\n  k <= 2)")


def test_the_logarithm_of_gamma_is_asked_for_at_positive_numbers():
    goal = Goal((("x", REAL),), (), Relation(apply("digamma", x), "<=", apply("loggamma", x)))
    assert proposition(goal) == "forall x : R,\n  0 < x /\\ Gamma.digamma x <= Gamma.loggamma x"


def test_integers_are_said_to_be_integers():
    goal = Goal((("k", INTEGER),), (Relation(k, ">=", one),), Relation(k, "<=", k * k))
    assert proposition(goal) == "forall k : R,\n  integer k ->\n  k >= 1 ->\n  k <= k * k"


def test_a_refuted_claim_is_its_negation_at_a_point_where_it_is_defined():
    goal = Goal((("x", REAL),), (Relation(x, ">=", number(0)),), Relation(log(one + x), "<=", x / two))
    assert negation(goal) == "exists x : R,\n  x >= 0 /\\ 0 < 1 + x /\\ ~ (ln (1 + x) <= x / 2)"


def test_names_of_coq_are_not_taken_by_variables():
    assert name_of("ln") == "ln_"
    assert name_of("h1") == "h1_"
    taken = Goal((("h1", REAL), ("h1_", REAL)), (), Relation(variable("h1"), "<=", variable("h1_")))
    with pytest.raises(NotExportable, match="one name"):
        proposition(taken)


def test_a_sum_is_defined_where_each_of_its_terms_is():
    total = sum_over("i", one, k, one / member("a", variable("i")))
    positive = Each(one, k, Relation(number(0), "<", member("a", bound(0))))
    goal = Goal((("k", INTEGER),), (positive,), Relation(number(0), "<=", total), (("a", REAL),))
    inside = "(forall i : R, integer i -> 1 <= i -> i <= k -> "
    assert proposition(goal) == (
        "forall k : R,\n  forall a : R -> R,\n  integer k ->\n  " + inside + "0 < a i) ->\n  "
        + inside + "a i <> 0) /\\ 0 <= sum_from 1 k (fun i => 1 / a i)")


def test_an_index_does_not_take_the_name_of_a_variable():
    i = variable("i")
    total = sum_over("j", one, k, i * variable("j"))
    assert coq(total) == "sum_from 1 k (fun i_1 => i * i_1)"


def test_what_is_said_of_every_index_is_not_bounded_by_itself():
    i = variable("i")
    total = sum_over("j", number(0), i, apply("binomial", k, variable("j")))
    goal = Goal((("i", INTEGER), ("k", INTEGER)), (), Relation(total, ">=", number(0)))
    assert "(forall i_1 : R, integer i_1 -> 0 <= i_1 -> i_1 <= i -> has_binomial i_1)" in proposition(goal)


def test_a_condition_inside_of_a_sum_is_not_asked_for_where_the_range_is_empty():
    goal = Goal((("x", REAL), ("k", INTEGER)), (Relation(sum_over("i", one, k, one / x), "<=", one),),
                Relation(x, "<=", x))
    assert "(forall i : R, integer i -> 1 <= i -> i <= k -> x <> 0) ->" in proposition(goal)


def test_a_guarantee_says_that_its_parameters_are_those_of_mechanisms():
    claim = Private(AnyPrivate(x, y), k, k * x, one / y)
    goal = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), (), claim)
    meaning = "1 <= k /\\ 0 <= x /\\ 0 <= y /\\ y <= 1"
    fold = "private_fold k x y (k * x) (1 / y)"
    assert proposition(goal).endswith(f"integer k ->\n  y <> 0 /\\ {meaning} /\\ {fold}")
    assert proposition(goal, promises=False).endswith(
        f"integer k ->\n  y <> 0 /\\ (1 <= 1 / y \\/ y <> 0 /\\ {meaning} /\\ {fold})")


def test_a_sequence_of_mechanisms_has_parameters_for_each_step():
    sequence = Sequence(member("a", bound(0)), number(0), k)
    sorts = (("k", INTEGER), ("x", REAL), ("y", REAL))
    goal = Goal(sorts, (), Private(sequence, one, x, y), (("a", REAL),))
    assert proposition(goal).endswith(
        "1 <= k /\\ (forall l : R, integer l -> 1 <= l -> l <= k -> 0 <= a l) /\\ "
        "private_sequence k (fun l => a l) (fun l => 0) x y")


def test_a_point_at_which_epsilon_is_read_as_infinity_is_left_out_in_plain_sight():
    claim = Private(AnyPrivate(one, number(0)), one, log(one / x), number(0), ((x, number(0)),))
    goal = Goal((("x", REAL),), (Relation(x, ">=", number(0)),), claim)
    assert "x >= 0 ->\n  x <> 0 ->\n" in proposition(goal)


def test_two_laws_are_written_out():
    claim = Private(Finite((x, one - x), (one - x, x)), one, y, number(0))
    goal = Goal((("x", REAL), ("y", REAL)), (), claim)
    assert proposition(goal).endswith("private_laws (x :: (1 - x) :: nil) ((1 - x) :: x :: nil) y 0")


@pytest.mark.parametrize(("goal", "rule"), [
    (Goal((("x", REAL),), (), Relation(apply("gamma", x), "<=", x)), "gamma"),
    (Goal((("x", REAL),), (), Private(Gaussian(x, one), one, one, one)), "private"),
    (Goal((("k", INTEGER),), (Relation(sum_over("i", one, k, apply("binomial", k, variable("i"))), "<=", one),),
          Relation(k, "<=", one)), "binomial"),
    (Goal((("x", REAL),), (Private(AnyPrivate(x, x), one, x, x),), Relation(x, "<=", one)), "private"),
])
def test_what_has_no_words_in_coq_is_refused_with_its_kind(goal, rule):
    with pytest.raises(NotExportable, match=rf"^{rule}: "):
        proposition(goal)
