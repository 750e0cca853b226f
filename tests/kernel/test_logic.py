"""The rules of logic: what each concludes, and the reason for which it refuses what lies beside that."""

import pytest
from kernel_terms import eq, le, log, lt

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.rules.privacy import AnyPrivate, Private
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, sum_over, variable

x, y, k, m, i = (variable(n) for n in "xykmi")
TWO, HALF = number(2), number(1, 2)
a_0 = member("a", bound(0))
ENCLOSED, ASSUMED, ABSURD = Step("enclosure"), Step("assumption"), Step("contradiction")
SORTS = (("x", REAL), ("y", REAL), ("k", INTEGER), ("m", INTEGER))


def goal(claim, *hypotheses, families=(("a", REAL),)):
    return Goal(SORTS, hypotheses, claim, families)


def refused(goal, step, why, claims=None):
    with pytest.raises(Rejected, match=why):
        verify(goal, step, claims)


# --- hypotheses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("known", "claim"), [
    (lt(x, y), le(x, y)), (eq(x, y), le(y, x)), (eq(x, y), eq(y, x)), (Relation(y, ">", x), lt(x, y)),
    (le(x - y, ONE), le(x, y + ONE)), (Each(ONE, k, le(a_0, x)), Each(ONE, k, le(a_0, x))),
])
def test_a_hypothesis_says_what_it_says_and_less(known, claim):
    assert verify(goal(claim, known), ASSUMED)


@pytest.mark.parametrize(("known", "claim"), [
    (le(x, y), lt(x, y)), (le(x, y), eq(x, y)), (le(x, y), le(y, x)), (lt(x, y), eq(x, y)),
    (eq(x, y), lt(x, y)), (le(x, y + ONE), le(x, y)),
])
def test_a_hypothesis_does_not_say_more(known, claim):
    refused(goal(claim, known), ASSUMED, "no hypothesis says this")


def test_a_claim_in_other_words_must_be_defined():
    """From 0 <= x it does not follow that 0 <= x + log(y) - log(y), which may be undefined."""
    refused(goal(le(ZERO, x + (log(y) - log(y))), le(ZERO, x)), ASSUMED, "may be undefined")
    assert verify(goal(le(ZERO, x + (log(y) - log(y))), le(ZERO, x), lt(ZERO, y)), ASSUMED)


def test_under_hypotheses_of_which_one_fails_there_is_nothing_to_show():
    for hypotheses in ((lt(x, ZERO), lt(ONE, x)), (lt(apply("exp", x), ZERO),), (eq(x ** TWO, number(-1)),),
                       (lt(ZERO, k), lt(k, ONE)), (le(ONE, x), le(log(x), number(-1)))):
        assert verify(goal(le(ONE, ZERO), *hypotheses), ABSURD)
    for hypotheses in ((le(x, ZERO), le(ZERO, x)), (le(k, ONE), lt(ZERO, k)), (le(x, y),),
                       (Each(ONE, k, lt(a_0, a_0)),)):
        refused(goal(le(ONE, ZERO), *hypotheses), ABSURD, "every hypothesis may hold somewhere")


def test_a_fact_is_a_formula_that_is_shown_first():
    step = Step("cut", {"fact": lt(ZERO, x)}, (ENCLOSED, ENCLOSED))
    assert verify(goal(lt(ONE, x + ONE), le(ONE, x)), step)
    refused(goal(lt(ONE, x + ONE)), step, "x - 0 ranges over")
    refused(goal(lt(ONE, x + ONE)), Step("cut", {"fact": x}), "the fact is no formula")


def test_a_hypothesis_that_is_new_follows_from_the_old_ones():
    assert verify(goal(lt(ZERO, x), le(ONE, x)), Step("weaken", {"hypotheses": [le(HALF, x)]}, (ENCLOSED,)))
    refused(goal(lt(ZERO, x), le(ONE, x)), Step("weaken", {"hypotheses": [le(TWO, x)]}),
            "2 <= x was not seen to follow")
    refused(goal(lt(ZERO, x)), Step("weaken", {"hypotheses": [Each(None, None, lt(ZERO, x))]}), "to follow")


# --- cases and quantifiers ----------------------------------------------------------------------


def test_cases_are_those_of_a_relation_between_two_values():
    claim = le(ZERO, apply("max", x, -x))
    assert verify(goal(claim), Step("cases", {"relation": le(x, ZERO)}, (ENCLOSED, ENCLOSED)))
    assert verify(goal(claim), Step("cases", {"relation": eq(x, ZERO)}, (ENCLOSED,) * 3))
    refused(goal(claim), Step("cases", {"relation": eq(x, ZERO)}, (ENCLOSED, ENCLOSED)), "leaves 3 goals open")
    refused(goal(claim), Step("cases", {"relation": le(log(x), ZERO)}, (ENCLOSED, ENCLOSED)), "may be undefined")
    refused(goal(claim), Step("cases", {"relation": Each(ONE, k, le(x, ZERO))}), "a parameter is no relation")


def test_what_holds_for_every_integer_is_shown_for_a_new_one():
    each = Each(ONE, k, le(ONE, bound(0)))
    assert verify(goal(each), Step("each", {"name": "i"}, (ENCLOSED,)))
    for name in ("x", "a", "exp", "", 3):  # which are taken, or none
        refused(goal(each), Step("each", {"name": name}, (ENCLOSED,)), "is no new name")
    refused(goal(le(x, x)), Step("each", {"name": "i"}, (ENCLOSED,)), "does not speak of every integer")
    meaningless = Each(ONE, apply("floor", log(x)), le(ONE, bound(0)))
    refused(goal(meaningless), Step("each", {"name": "i"}, (ENCLOSED,)), "may be undefined")


def test_what_is_known_of_every_integer_is_known_of_one_in_the_range():
    every = Each(ONE, m, le(ZERO, a_0))
    there = (every, le(ONE, k), le(k, m))
    claim = le(ZERO, member("a", k))
    step = Step("instance", {"hypothesis": 0, "at": k}, (ASSUMED, ASSUMED, ASSUMED))
    assert verify(goal(claim, *there), step)
    refused(goal(claim, *there[:2]), step, "no hypothesis says this")
    for hypothesis, at in ((1, k), (0, x), (0, HALF)):
        refused(goal(claim, *there), Step("instance", {"hypothesis": hypothesis, "at": at}),
                "does not speak of every integer, or this is none")
    boundless = Each(None, None, le(ZERO, a_0))
    assert verify(goal(claim, boundless), Step("instance", {"hypothesis": 0, "at": k}, (ASSUMED,)))
    undefined = apply("floor", log(y))
    refused(goal(le(ZERO, member("a", undefined)), boundless),
            Step("instance", {"hypothesis": 0, "at": undefined}, (ASSUMED,)), "may be undefined")


# --- what is proved elsewhere -------------------------------------------------------------------

SQUARE = Goal((("u", REAL),), (), le(ZERO, variable("u") ** TWO))
ODD = Goal((("n", INTEGER),), (), le(ZERO, (variable("n") - HALF) ** TWO - HALF ** TWO))


def test_a_claim_is_used_at_values_that_are_defined():
    used = verify(goal(le(ZERO, (x - y) ** TWO)), Step("claim", {"id": "square", "at": {"u": x - y}}, (ASSUMED,)),
                  {"square": SQUARE})
    assert used.uses == {"square": SQUARE}
    refused(goal(le(ZERO, log(x) ** TWO)), Step("claim", {"id": "square", "at": {"u": log(x)}}, (ASSUMED,)),
            "may be undefined", {"square": SQUARE})


@pytest.mark.parametrize("at", [{}, {"x": x}, {"u": x, "v": x}])
def test_a_claim_is_used_at_all_of_its_variables_and_no_others(at):
    refused(goal(le(ZERO, x ** TWO)), Step("claim", {"id": "square", "at": at}, (ASSUMED,)),
            "values are given for other variables than it has", {"square": SQUARE})


def test_the_claim_that_is_used_is_the_one_that_is_proved_and_not_the_one_in_the_step():
    false = Goal((("u", REAL),), (), le(ONE, variable("u")))
    step = Step("claim", {"id": "square", "goal": false, "at": {"u": x}}, (ASSUMED,))
    refused(goal(le(ONE, x)), step, "no hypothesis says this", {"square": SQUARE})
    refused(goal(le(ONE, x)), step, "the claim 'square' is not among those that are proved")


def test_a_claim_about_integers_is_used_at_integers():
    step = Step("claim", {"id": "odd", "at": {"n": k + m}}, (ASSUMED,))
    assert verify(goal(le(ZERO, (k + m - HALF) ** TWO - HALF ** TWO)), step, {"odd": ODD})
    refused(goal(le(ZERO, (x - HALF) ** TWO - HALF ** TWO)), Step("claim", {"id": "odd", "at": {"n": x}}, (ASSUMED,)),
            "x was not seen to be an integer", {"odd": ODD})


def test_a_claim_about_families_is_used_at_formulas_with_a_value_at_every_integer():
    def known(sort):
        every = Goal((("k", INTEGER),), (), le(ZERO, sum_over("i", ONE, k, member("b", i) ** TWO)), (("b", sort),))
        return {"squares": every}

    def use(body):
        return Step("claim", {"id": "squares", "at": {"k": m}, "families": {"b": body}}, (ASSUMED,))

    claim = le(ZERO, sum_over("i", ONE, m, (x * i) ** TWO))
    assert verify(goal(claim), use(x * bound(0)), known(REAL))
    refused(goal(claim), use(x * bound(0)), "was not seen to be an integer", known(INTEGER))
    refused(goal(claim), use(x / bound(0)), "may be undefined", known(REAL))
    for body in (x * bound(1), "x", None):
        refused(goal(claim), use(body), "a family is given by a term in one index", known(REAL))
    squared = le(ZERO, sum_over("i", ONE, m, (m * i) ** TWO))
    assert verify(goal(squared), use(m * bound(0)), known(INTEGER))


def test_what_is_shown_aside_is_made_of_formulas():
    parameters = {"sorts": [["u", REAL]], "given": [], "hypotheses": [], "claim": SQUARE.claim, "at": {"u": x}}
    assert verify(goal(le(ZERO, x ** TWO)), Step("aside", parameters, (ENCLOSED, ASSUMED)))
    for spoilt in ({**parameters, "claim": x}, {**parameters, "hypotheses": [x]}):
        refused(goal(le(ZERO, x ** TWO)), Step("aside", spoilt, (ENCLOSED, ASSUMED)), "is made of formulas")


# --- induction ----------------------------------------------------------------------------------


def test_induction_begins_where_the_integers_begin():
    claim, from_one = le(ONE, k), le(ONE, k)
    step = Step("induction", {"variable": "k", "first": 1}, (ENCLOSED, ENCLOSED))
    assert verify(goal(claim, from_one), step)
    for at, where in (({"variable": "k", "first": 2}, (from_one,)), ({"variable": "x", "first": 1}, (le(ONE, x),)),
                      ({"variable": "k", "first": 1}, ()), ({"variable": "q", "first": 1}, (from_one,))):
        refused(goal(claim, *where), Step("induction", at, (ENCLOSED, ENCLOSED)),
                "was not seen to be an integer from")


def test_a_hypothesis_that_may_fail_for_the_integer_before_is_left_to_show():
    """That the next member is not negative does not say so of this one."""
    every = le(ZERO, member("a", k))
    step = Step("induction", {"variable": "k", "first": 0}, (ASSUMED, ASSUMED, ASSUMED))
    refused(goal(le(ZERO, member("a", k) + ONE), le(ZERO, k), every), step, "no hypothesis says this")


# --- equals -------------------------------------------------------------------------------------


def test_equals_are_put_for_equals_where_the_form_says():
    s = variable("s")
    claim, known = le(x + y, ONE), (eq(x, y), le(x + x, ONE))
    assert verify(goal(claim, *known), Step("replace", {"name": "s", "form": le(x + s, ONE), "part": y, "by": x},
                                           (ASSUMED, ASSUMED)))
    for form in (le(y + s, ONE), lt(x + s, ONE), x + s, None):
        refused(goal(claim, *known), Step("replace", {"name": "s", "form": form, "part": y, "by": x}),
                "not of that form")
    refused(goal(claim, *known), Step("replace", {"name": "s", "form": le(x + s, ONE), "part": bound(0), "by": x}),
            "a parameter is no term, or refers to an index around it")


def test_other_sides_have_the_same_difference():
    assert verify(goal(le(x + y, y + ONE), le(x, ONE)), Step("rewrite", {"left": x, "right": ONE}, (ASSUMED,)))
    refused(goal(le(x + y, y + TWO), le(x, ONE)), Step("rewrite", {"left": x, "right": ONE}, (ASSUMED,)),
            "were not seen to be the same")
    refused(goal(le(x + log(y), log(y) + ONE), le(x, ONE)), Step("rewrite", {"left": x, "right": ONE}, (ASSUMED,)),
            "may be undefined")


def test_algebra_with_logarithms_uses_only_what_is_seen_to_be_positive():
    claim = eq(log(x * y), log(x) + log(y))
    step = Step("rewrite", {"left": ZERO, "right": ZERO, "positive": [x, y]}, (ENCLOSED,))
    assert verify(goal(claim, lt(ZERO, x), lt(ZERO, y)), step)
    refused(goal(claim, lt(x, ZERO), lt(y, ZERO)), step, "is undefined")
    given = (lt(ZERO, x * y),)
    refused(goal(eq(log(x * y) - log(x * y), ZERO), *given), step, "x was not seen to be positive")
    refused(goal(le(x, y)), Step("rewrite", {"left": x, "right": y, "positive": ["x"]}),
            "x was not seen to be positive")


def test_through_the_middle_a_strict_claim_is_strict_once():
    hypotheses = (le(x, y), lt(y, k))
    assert verify(goal(lt(x, k), *hypotheses), Step("transitivity", {"middle": y}, (ASSUMED, ASSUMED)))
    refused(goal(lt(x, k), *hypotheses), Step("transitivity", {"middle": y, "strict_first": True},
                                              (ASSUMED, ASSUMED)), "no hypothesis says this")
    assert verify(goal(lt(k, x), lt(k, y), le(y, x)), Step("transitivity", {"middle": y, "strict_first": True},
                                                          (ASSUMED, ASSUMED)))


def test_an_equality_is_two_inequalities():
    assert verify(goal(eq(x, y), le(x, y), le(y, x)), Step("both", {}, (ASSUMED, ASSUMED)))
    refused(goal(le(x, y), le(x, y), le(y, x)), Step("both", {}, (ASSUMED, ASSUMED)), "the claim is no equality")


def test_rules_for_relations_do_not_take_other_claims():
    promise = Private(AnyPrivate(ONE, ZERO), ONE, ONE, ZERO)
    for rule in ("enclosure", "both", "assumption"):
        refused(goal(promise), Step(rule), f"{rule}: the claim is no relation")
