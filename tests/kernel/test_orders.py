"""Order relations as goals of the kernel: what may be proved, and what must not be."""

import json

import pytest
from kernel_terms import exp, le, log, lt

from symdp.kernel.certificate import BadCertificate, recheck
from symdp.kernel.goals import INTEGER, REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.terms import ONE, ZERO, apply, constant, number, variable
from symdp.search.certificates import document_of
from symdp.search.elaboration.derived_rules import RULES, verify

x, y, k, c, t = (variable(n) for n in "xykct")
#: Gaps in a form whose sign an enclosure shows.
GAPS = (x, number(2) * x, x * (ONE - x), (k - ONE) * x, t * t / number(2))
SHOW = (Step("enclosure"), Step("enclosure", {"gap": ZERO}), Step("assumption"), Step("contradiction"),
        *(Step("enclosure", {"gap": gap}) for gap in GAPS))


def real(*names):
    return tuple((n, REAL) for n in names)


ONE_REAL, POSITIVE = real("x"), (lt(ZERO, x),)


def order(left, kind, right, moving=(), fixed=(), sorts=ONE_REAL, where=POSITIVE):
    return Order(left, kind, right, tuple(moving), tuple(fixed), sorts, tuple(where))


def shown(goal):
    """A leaf of the kernel that closes the goal."""
    for step in SHOW:
        try:
            verify(goal, step)
        except Rejected:
            continue
        return step
    raise Rejected(f"no leaf shows {goal}")


def prove(claim, rule, **parameters):
    """The order by one rule, what it leaves open by leaves."""
    goal = Goal((), (), claim)
    try:
        needed = RULES[rule](goal, parameters)
    except ArithmeticError as reason:
        raise Rejected(str(reason)) from reason
    steps = tuple(shown(g) for g in needed)
    return verify(goal, Step(rule, parameters, steps))


def to_zero(**further):
    return {"path": {"x": ONE / t, **further}, "parameter": "t", "start": 1}


def to_infinity(**further):
    return {"path": {"x": t, **further}, "parameter": "t", "start": 1}


NEAR = {"closeness": {"x": ONE}}
ZERO_PLUS = (("x", ZERO),)
INFINITY = (("x", None),)


# --- what holds ---------------------------------------------------------------------------------


def test_a_bounded_order_is_an_inequality_on_a_neighbourhood():
    claim = order(number(3) * x, "O", x, ZERO_PLUS)
    found = prove(claim, "order-bounded", **to_zero(), **NEAR, factors=[number(3)])
    assert isinstance(found, Proof)
    both = order(number(3) * x, "Theta", x, ZERO_PLUS)
    assert prove(both, "order-bounded", **to_zero(), **NEAR, factors=[number(3), ONE])


def test_little_o_needs_a_factor_that_vanishes():
    claim = order(x * x, "o", x, ZERO_PLUS)
    assert prove(claim, "order-bounded", **to_zero(), **NEAR, factors=[x])
    with pytest.raises(Rejected, match="vanish"):
        prove(claim, "order-bounded", **to_zero(), **NEAR, factors=[ONE])
    with pytest.raises(Rejected):
        prove(claim, "order-bounded", **to_zero(), **NEAR, factors=[x + ONE])


@pytest.mark.parametrize(("left", "kind", "right", "ratio"), [
    (x * x, "o", x, x),
    (x + x * x, "~", x, ONE + x),
    (number(2) * x + x * x, "Theta", x, number(2) + x),
    (number(2) * x + x * x, "O", x, number(2) + x),
])
def test_by_the_limit_of_the_ratio(left, kind, right, ratio):
    assert prove(order(left, kind, right, ZERO_PLUS), "order-limit", **to_zero(), **NEAR, ratio=ratio)


@pytest.mark.parametrize(("left", "kind", "right", "ratio"), [
    (x, "o", number(2) * x, number(1, 2) * x / x),
    (x, "~", number(2) * x, number(1, 2) * x / x),
    (x * x, "Theta", x, x),
    (x, "O", x * x, ONE / x),
    (x, "~", x, number(2)),  # not the ratio
])
def test_a_ratio_with_another_limit_proves_nothing(left, kind, right, ratio):
    with pytest.raises(Rejected):
        prove(order(left, kind, right, ZERO_PLUS), "order-limit", **to_zero(), **NEAR, ratio=ratio)


def test_orders_build_on_orders():
    claim = order(x + x * x, "O", x, ZERO_PLUS)
    leaf = {**to_zero(), **NEAR, "factors": [ONE]}
    goal = Goal((), (), claim)
    first, second = RULES["order-sum"](goal, {})
    parts = []
    for part in (first, second):
        steps = tuple(shown(g) for g in RULES["order-bounded"](part, leaf))
        parts.append(Step("order-bounded", leaf, steps))
    found = verify(goal, Step("order-sum", {}, tuple(parts)))
    assert {"order-sum", "order-bounded"} <= found.rules
    chain = {"middle": x * x, "kinds": ["o", "O"]}
    assert len(RULES["order-chain"](Goal((), (), order(x, "o", x, ZERO_PLUS)), chain)) == 2
    with pytest.raises(Rejected):
        RULES["order-chain"](Goal((), (), order(x, "o", x, ZERO_PLUS)), {**chain, "kinds": ["O", "Theta"]})
    with pytest.raises(Rejected):
        RULES["order-chain"](Goal((), (), order(x, "~", x, ZERO_PLUS)), {**chain, "kinds": ["~", "Theta"]})
    with pytest.raises(Rejected):
        RULES["order-sum"](Goal((), (), order(x + x, "Theta", x, ZERO_PLUS)), {})
    with pytest.raises(Rejected):
        RULES["order-product"](Goal((), (), order(x * x, "o", x * x, ZERO_PLUS)), {})


def test_a_variable_that_follows_is_replaced():
    claim = order(y, "O", x, ZERO_PLUS, sorts=real("x", "y"), where=(lt(ZERO, x), Relation(y, "==", x + x)))
    (rest,) = RULES["order-follow"](Goal((), (), claim), {"variable": "y"})
    assert rest.claim.left == x + x
    assert [n for n, _ in rest.claim.sorts] == ["x"]
    with pytest.raises(Rejected):
        RULES["order-follow"](Goal((), (), claim), {"variable": "x"})
    # An integer follows only what is an integer.
    claim = order(y, "O", x, ZERO_PLUS, sorts=(("x", REAL), ("y", INTEGER)),
                  where=(lt(ZERO, x), Relation(y, "==", x + x)))
    with pytest.raises(Rejected, match="integer"):
        RULES["order-follow"](Goal((), (), claim), {"variable": "y"})


# --- attacks ------------------------------------------------------------------------------------


def test_a_regime_is_data():
    with pytest.raises((IllFormed, AttributeError, TypeError, ValueError)):
        Order(exp(x), "O", x, "as x grows", (), real("x"), ())  # words
    with pytest.raises(IllFormed):
        order(exp(x), "O", x, (("x", y),))
    with pytest.raises(IllFormed):
        order(exp(x), "O", x, ZERO_PLUS, ("x",))
    with pytest.raises(IllFormed):
        order(exp(x), "O", x, (("z", ZERO),))
    with pytest.raises(IllFormed):
        order(exp(x), "o(1)", x)
    with pytest.raises(IllFormed):
        order(exp(y), "O", x)


def test_an_empty_neighbourhood_proves_nothing():
    """exp(x) = O(x) for x <= 1 as x -> oo: nothing comes close to the limit."""
    claim = order(exp(x), "O", x, INFINITY, where=(lt(ZERO, x), le(x, ONE)))
    near = {"closeness": {"x": number(5)}, "factors": [ONE]}
    for walk in (to_infinity(), to_zero(), {"path": {"x": ONE}, "parameter": "t", "start": 1}):
        with pytest.raises(Rejected):
            prove(claim, "order-bounded", **walk, **near)


def test_hypotheses_that_contradict_each_other_prove_nothing():
    claim = order(exp(x), "O", x, (), where=(lt(ONE, x), lt(x, ZERO)))
    walk = {"path": {"x": ONE}, "parameter": "t", "start": 1}
    with pytest.raises(Rejected):  # the path is what fails: the inequality is vacuous, and may be shown
        prove(claim, "order-bounded", **walk, closeness={}, factors=[ONE])


def test_constants_depend_on_what_is_fixed_and_on_nothing_else():
    where = (lt(ZERO, x), le(ONE, k))
    fixed = order(k * x, "O", x, ZERO_PLUS, ("k",), real("x", "k"), where)
    free = order(k * x, "O", x, ZERO_PLUS, (), real("x", "k"), where)
    how = {**to_zero(k=ONE), **NEAR, "factors": [k]}
    assert prove(fixed, "order-bounded", **how)
    with pytest.raises(Rejected, match="depends on more"):
        prove(free, "order-bounded", **how)
    with pytest.raises(Rejected, match="depends on more"):
        prove(free, "order-limit", **to_zero(k=ONE), **NEAR, ratio=k)
    with pytest.raises(Rejected, match="depends on more"):
        prove(free, "order-bounded", **to_zero(k=ONE), closeness={"x": ONE / k}, factors=[ONE])
    with pytest.raises(Rejected, match="does not tend to a number"):  # nor on what moves, if that grows
        prove(order(ONE, "O", x, ZERO_PLUS), "order-bounded", **to_zero(), **NEAR, factors=[ONE / x])
    with pytest.raises(Rejected):  # a factor that vanishes for each free k, but not uniformly
        prove(order(k * x * x, "o", x, ZERO_PLUS, (), real("x", "k"), where), "order-bounded",
              **to_zero(k=ONE), **NEAR, factors=[k * x])


def test_a_closeness_is_positive_and_defined():
    claim = order(exp(x), "O", x, ZERO_PLUS, ("c",), real("x", "c"), (lt(ZERO, x),))
    for closeness in (ZERO, -ONE, number(-1), log(c), ONE / c - ONE / c):
        with pytest.raises(Rejected):
            prove(claim, "order-bounded", **to_zero(c=ONE), closeness={"x": closeness}, factors=[ONE])
    with pytest.raises(Rejected):
        prove(claim, "order-bounded", **to_zero(c=ONE), closeness={}, factors=[ONE])


def test_a_right_side_that_is_zero():
    with pytest.raises(Rejected):
        prove(order(x, "O", ZERO * x, ZERO_PLUS), "order-bounded", **to_zero(), **NEAR, factors=[number(10**6)])
    with pytest.raises(Rejected):
        prove(order(ZERO * x, "o", ZERO * x, ZERO_PLUS), "order-limit", **to_zero(), **NEAR, ratio=ZERO)
    # 0 = O(0) is true, and may be proved
    assert prove(order(ZERO * x, "O", ZERO * x, ZERO_PLUS), "order-bounded", **to_zero(), **NEAR, factors=[ONE])


def test_sides_must_be_defined_near_the_limit():
    for left in (log(-x), x / (x - x), ZERO * log(-x)):
        with pytest.raises(Rejected):
            prove(order(left, "O", ONE, ZERO_PLUS), "order-bounded", **to_zero(), **NEAR, factors=[number(100)])
        with pytest.raises(Rejected):
            prove(order(left, "O", ONE, ZERO_PLUS), "order-limit", **to_zero(), **NEAR, ratio=left)
    claim = order(x / x, "O", ONE, (), where=(le(ZERO, x),))
    with pytest.raises(Rejected):  # x/x is 1 only where it is defined: here x may be 0
        prove(claim, "order-bounded", path={"x": ONE}, parameter="t", start=1, closeness={}, factors=[ONE])


def test_a_limit_from_both_sides_is_shown_on_both():
    both = order(apply("abs", x), "O", x, ZERO_PLUS, where=(lt(-ONE, x),))
    needed = RULES["order-bounded"](Goal((), (), both), {**to_zero(), **NEAR, "factors": [ONE]})
    assert len(needed) == 2
    # |x| ~ x holds from above only
    claim = order(apply("abs", x), "~", x, ZERO_PLUS, where=(lt(-ONE, x),))
    with pytest.raises(Rejected):
        prove(claim, "order-limit", **to_zero(), **NEAR, ratio=ONE)
    with pytest.raises(Rejected):  # a path from the wrong side leaves the domain
        prove(order(x, "O", x, ZERO_PLUS), "order-bounded", path={"x": -ONE / t}, parameter="t", start=1,
              **NEAR, factors=[ONE])


def test_the_limit_itself_is_not_meant_and_a_path_does_not_stand_on_it():
    claim = order(ONE / x, "O", ONE / x, ZERO_PLUS, where=(le(ZERO, x),))
    assert prove(claim, "order-bounded", **to_zero(), **NEAR, factors=[ONE])
    with pytest.raises(Rejected, match="itself"):
        prove(claim, "order-bounded", path={"x": ZERO}, parameter="t", start=1, **NEAR, factors=[ONE])


def test_names_are_not_captured():
    claim = order(t, "O", t, (("t", ZERO),), sorts=real("t"), where=(lt(ZERO, t),))
    with pytest.raises(Rejected, match="new name"):
        prove(claim, "order-bounded", path={"t": ONE / t}, parameter="t", start=1, closeness={"t": ONE},
              factors=[ONE])
    # the variables of an order are its own: nothing from outside gets in
    closed = order(x, "O", x, ZERO_PLUS)
    assert closed.substitute({"x": number(7)}) == closed
    assert closed.variables == frozenset()
    outside = Goal(real("x"), (le(x, number(-1)),), closed)
    needed = RULES["order-bounded"](outside, {**to_zero(), **NEAR, "factors": [ONE]})
    assert all(le(x, number(-1)) not in g.hypotheses for g in needed)


def test_integers_on_a_path_are_integers():
    whole = order(exp(x), "O", x, INFINITY, sorts=(("x", INTEGER),), where=(le(ONE, x),))
    path = {"path": {"x": t + number(1, 2)}, "parameter": "t", "start": 1}
    with pytest.raises(Rejected, match="integer"):
        RULES["departure-limit"](Goal((), (), Fails(whole)), {**path, "ratio": exp(t) / t})


# --- what fails ---------------------------------------------------------------------------------


def test_an_order_fails_along_a_path():
    claim = Fails(order(exp(x), "O", x, INFINITY))
    found = prove(claim, "departure-limit", **to_infinity(), ratio=exp(t) / t)
    assert str(found.goal.claim).startswith("it is not so that exp(x) = O(x) as x -> oo")
    assert prove(Fails(order(x * x, "O", x)), "departure-bounded", path={"x": t}, parameter="t", start=2,
                 growth=t / number(2))


@pytest.mark.parametrize(("left", "kind", "right", "walk", "ratio"), [
    (x, "O", x, to_infinity(), ONE),  # what holds is not refuted
    (x, "Theta", x, to_infinity(), ONE),
    (x, "~", x, to_infinity(), ONE),
    (ONE / x, "o", ONE, to_infinity(), ONE / t),
    (exp(x), "O", x, to_zero(), exp(t) / t),  # not the ratio along the path
])
def test_what_does_not_fail_is_not_refuted(left, kind, right, walk, ratio):
    with pytest.raises(Rejected):
        prove(Fails(order(left, kind, right)), "departure-limit", **walk, ratio=ratio)


def test_a_path_obeys_the_regime():
    claim = Fails(order(exp(x), "O", x, ZERO_PLUS))
    with pytest.raises(Rejected, match="tend"):
        prove(claim, "departure-limit", **to_infinity(), ratio=exp(t) / t)
    fixed = Fails(order(exp(x), "O", x, (), ("x",)))
    with pytest.raises(Rejected, match="depends on more"):
        prove(fixed, "departure-limit", **to_infinity(), ratio=exp(t) / t)
    inside = Fails(order(exp(x), "O", x, (), where=(lt(ZERO, x), le(x, ONE))))
    with pytest.raises(Rejected):
        prove(inside, "departure-limit", **to_infinity(), ratio=exp(t) / t)


def test_both_sides_zero_contradict_nothing():
    with pytest.raises(Rejected):
        prove(Fails(order(ZERO * x, "O", ZERO * x)), "departure-bounded", path={"x": t}, parameter="t", start=1,
              growth=t)


# --- certificates -------------------------------------------------------------------------------


def test_a_certificate_survives_the_trip_and_no_change():
    found = prove(order(number(3) * x, "O", x, ZERO_PLUS, ("c",), real("x", "c")), "order-bounded",
                  **to_zero(c=constant("e")), **NEAR, factors=[number(3)])
    document = json.loads(json.dumps(document_of(found, "mine")))
    assert recheck(document).goal == found.goal
    for change in ({"kind": "o"}, {"moving": []}, {"moving": [["x", None]]}, {"fixed": ["x"]}, {"fixed": 3}):
        changed = json.loads(json.dumps(document))
        changed["goal"]["claim"].update(change)
        with pytest.raises(BadCertificate):
            recheck(changed)
    failed = prove(Fails(order(exp(x), "O", x, INFINITY)), "departure-limit", **to_infinity(), ratio=exp(t) / t)
    assert recheck(json.loads(json.dumps(document_of(failed)))).goal == failed.goal


# --- what is said before anything is looked at ----------------------------------------------------


def test_the_hypotheses_of_an_order_are_relations():
    from symdp.kernel.goals import Each
    from symdp.kernel.terms import bound

    with pytest.raises(IllFormed, match="the hypotheses of an order are relations"):
        order(x, "O", x, ZERO_PLUS, where=(Each(ONE, None, lt(ZERO, bound(0))),))


def test_only_theta_has_two_directions():
    with pytest.raises(Rejected, match="only Theta has two directions"):
        prove(order(x, "O", x, ZERO_PLUS), "order-both")


@pytest.mark.parametrize("change", [
    {"start": "1"}, {"start": True}, {"path": {}}, {"path": {"x": ONE / t, "y": t}},
])
def test_a_path_gives_every_variable_from_some_integer_on(change):
    claim = order(number(3) * x, "O", x, ZERO_PLUS)
    with pytest.raises(Rejected, match="a path gives every variable"):
        prove(claim, "order-bounded", **{**to_zero(), **change}, **NEAR, factors=[number(3)])


def test_at_most_four_variables_move_at_once():
    def moving(*names):
        variables = [variable(n) for n in names]
        where = [lt(ZERO, v) for v in variables]
        claim = order(variables[0], "O", variables[0], [(n, ZERO) for n in names], (), real(*names), where)
        return prove(claim, "order-bounded", path=dict.fromkeys(names, ONE / t), parameter="t", start=1,
                     closeness=dict.fromkeys(names, ONE), factors=[ONE])

    assert moving("x", "y", "u", "v")
    with pytest.raises(Rejected, match="too many variables move"):
        moving("x", "y", "u", "v", "w")


def test_each_part_of_a_factor_moves_with_one_variable():
    """x + y is bounded near (0, 0), each part by itself; of x*y the rule says nothing."""
    both = [("x", ZERO), ("y", ZERO)]
    claim = order(x, "O", x, both, (), real("x", "y"), (lt(ZERO, x), lt(ZERO, y)))
    near = {"path": {"x": ONE / t, "y": ONE / t}, "parameter": "t", "start": 1, "closeness": {"x": ONE, "y": ONE}}
    assert prove(claim, "order-bounded", **near, factors=[ONE])
    with pytest.raises(Rejected, match="moves with more than one variable"):
        prove(claim, "order-bounded", **near, factors=[ONE + x * y])
    with pytest.raises(Rejected, match="does not tend to a number"):
        prove(claim, "order-bounded", **near, factors=[ONE + ONE / y])
