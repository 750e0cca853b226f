r"""The laws of sums: each instance is true wherever its conditions are, and nothing is taken for granted.

Terms are evaluated here by a second, naive reader in exact fractions (and floats for exp and log), as the
kernel says that they mean: at random families and ranges, empty ones and bodies with holes included.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Rejected
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.sums import LAWS, conditions_of
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    apply,
    binder,
    bound,
    instantiate,
    is_total,
    member,
    number,
    sum_over,
    variable,
)

INDEX, X, K, N, M = bound(0), variable("x"), variable("k"), variable("n"), variable("m")
TWO = number(2)


class Undefined(Exception):
    pass


def value(term: Term, at: Mapping[str, Any], indices: tuple[int, ...] = ()) -> Any:
    """What a term is worth; families are functions in ``at``."""
    head, args = term.head, term.args

    def sub(t: Term) -> Any:
        return value(t, at, indices)

    if head == "number":
        return Fraction(int(term.value.p), int(term.value.q))
    if head == "variable":
        return Fraction(at[term.value])
    if head == "bound":
        return Fraction(indices[term.value])
    if head == "member":
        return at[term.value](int(sub(args[0])))
    if head in ("sum", "product"):
        total = Fraction(0 if head == "sum" else 1)
        for i in range(int(sub(args[0])), int(sub(args[1])) + 1):
            term_i = value(args[2], at, (i, *indices))
            total = total + term_i if head == "sum" else total * term_i
        return total
    values = [sub(a) for a in args]
    if head == "+":
        return sum(values)
    if head == "*":
        return math.prod(values)
    if head == "-":
        return values[0] - values[1]
    if head == "neg":
        return -values[0]
    if head == "/":
        if values[1] == 0:
            raise Undefined
        return values[0] / values[1]
    if head == "^":
        base, exponent = values
        if exponent.denominator != 1:
            raise NotImplementedError
        if base == 0 and exponent < 0:
            raise Undefined
        return base ** int(exponent)
    if head == "exp":
        return math.exp(values[0])
    if head == "log":
        if values[0] <= 0:
            raise Undefined
        return math.log(values[0])
    if head == "floor":
        return Fraction(math.floor(values[0]))
    if head == "binomial":
        n, m = values
        if m.denominator == 1 and m >= 0:
            return Fraction(math.prod(n - j for j in range(int(m)))) / math.factorial(int(m))
        if min(n + 1, m + 1, n - m + 1) <= 0:
            raise Undefined
        return math.gamma(n + 1) / math.gamma(m + 1) / math.gamma(n - m + 1)
    raise NotImplementedError(head)


def holds(formula: Formula, at: Mapping[str, Any], indices: tuple[int, ...] = ()) -> bool:
    try:
        if isinstance(formula, Each):
            assert formula.low is not None
            assert formula.high is not None
            low, high = (int(value(t, at, indices)) for t in (formula.low, formula.high))
            return all(holds(formula.body, at, (i, *indices)) for i in range(low, high + 1))
        assert isinstance(formula, Relation)
        left, right = (value(t, at, indices) for t in formula.terms())
    except Undefined:
        return False
    close = isinstance(left - right, float) and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)
    return {"<=": left <= right or close, "<": left < right, "==": left == right or close,
            ">=": left >= right or close, ">": left > right}[formula.op]


A, B = member("a", INDEX), member("b", INDEX)
#: bodies with and without holes
BODIES = (A, B, INDEX, A * B, ONE / (INDEX - TWO), A / INDEX, X * A, X ** INDEX, ONE, A * A)


def family(rng: random.Random, kind: str) -> Any:
    values: dict[int, Fraction] = {}
    low, high = {"any": (-3, 3), "fraction": (0, 1), "positive": (0, 3), "large": (1, 3)}[kind]

    def at(i: int) -> Fraction:
        if i not in values:
            values[i] = Fraction(rng.randint(4 * low, 4 * high), 4)
        return values[i]

    return at


def proposals(rng: random.Random) -> dict[str, dict[str, Any]]:
    """A random instance of every law."""
    low, high = (rng.choice([number(n) for n in range(-1, 4)] + [K, K + ONE]) for _ in range(2))
    start, end = (rng.choice([low, high, low + ONE, high + ONE, K, ZERO]) for _ in range(2))
    body, other = rng.choice(BODIES), rng.choice(BODIES)
    op = rng.choice(["<=", "<", "==", ">=", ">"])
    span = {"head": rng.choice(["sum", "product"]), "low": low, "high": high, "body": body, "op": op}
    reverse = rng.random() < 0.3
    if rng.random() < 0.5:
        start, end = rng.choice([(low, high), (low + ONE, high + ONE), (low + K, high + K)])
    if rng.random() < 0.4:
        other = instantiate(body, (end + low - INDEX) if reverse else INDEX + (low - start))
        if reverse:
            other = instantiate(body, low + end - INDEX)
    inner = rng.choice([(ZERO, K), (low, INDEX), (INDEX, high), (ONE, TWO)])
    double = binder(span["head"], low, high, binder(span["head"], *inner, rng.choice(
        [A * member("b", bound(1)), INDEX - TWO * bound(1), A / bound(1), ONE / (INDEX - bound(1))])))
    coefficient = rng.choice([None, X, number(-2), ONE / X])
    parts = [[coefficient, body], [None, other]]
    closed = rng.choice([INDEX * (INDEX + ONE) / TWO, A, INDEX * INDEX, ONE / INDEX, ZERO])
    step = closed - instantiate(closed, INDEX - ONE)
    return {
        "termwise": {**span, "reverse": reverse, "other": rng.choice(
            [[start, end, other], [start, end, other], [low, high, ONE], [low, high, body]])},
        "combination": {**span, "parts": parts,
                        "left": rng.choice([None, A, (body if coefficient is None else coefficient * body) + other])},
        "product-sign": {**span, "op": rng.choice(["<", "<="])},
        "parted": {**span, **rng.choice([
            {"middle": start, "after": rng.choice([start + ONE, end])},
            {"middle": low, "after": rng.choice([low + ONE, K])},  # the first term by itself
            {"middle": rng.choice([high - ONE, K]), "after": high}])},  # the last
        "written-out": {**span, "low": number(rng.randint(-1, 2)), "high": number(rng.randint(-1, 4))},
        "constant": {**span, "value": rng.choice([X, ONE / X, ZERO, number(-1, 2)])},
        "exchange": {"sum": double},
        "telescope": {**span, "body": rng.choice([step, body]), "closed": closed},
        "factors": {**span, "body": rng.choice([A * B ** number(-2), body]),
                    "parts": rng.choice([[[A, 1], [B, -2]], [[A, 2]], [[A, 1], [B, 1]]])},
        "product-of-exponentials": {**span, "body": rng.choice([apply("exp", A), body]), "inner": A},
        "log-of-product": span,
        "binomial-theorem": {"exponent": rng.choice([K, number(3), K - TWO]), "x": rng.choice([X, ZERO, -X]),
                             "y": rng.choice([X, ONE, ONE / X, ONE - X])},
    }


def point(rng: random.Random) -> dict[str, Any]:
    kinds = [rng.choice(["any", "fraction", "positive", "large"]) for _ in range(2)]
    return {"a": family(rng, kinds[0]), "b": family(rng, kinds[1]), "k": rng.randint(-1, 4),
            "n": rng.randint(-1, 5), "m": rng.randint(-1, 5), "x": Fraction(rng.randint(-4, 8), 4)}


def test_every_law_is_among_the_proposals() -> None:
    assert proposals(random.Random(1)).keys() == LAWS.keys()


@pytest.mark.parametrize("name", sorted(LAWS))
def test_an_instance_holds_wherever_its_conditions_do(name: str) -> None:
    rng = random.Random(name)
    used = 0
    for _ in range(3000):
        conditions, instance = conditions_of(name, proposals(rng)[name])
        at = point(rng)
        if all(holds(c, at) for c in conditions):
            used += 1
            assert holds(instance, at), f"{instance} fails at {at}"
        if used == 150:
            break
    assert used >= 20, f"{name} was hardly tried: {used}"


def goal_of(claim: Formula, *hypotheses: Formula) -> Goal:
    sorts = (("x", REAL), ("k", INTEGER), ("n", INTEGER), ("m", INTEGER))
    return Goal(sorts, hypotheses, claim, (("a", REAL), ("b", REAL)))


def premises(name: str, **parameters: Any) -> list[Goal]:
    return RULES["sum-law"](goal_of(Relation(ZERO, "<=", X)), {"name": name, **parameters})


def test_the_rule_leaves_the_conditions_and_then_the_claim_with_the_instance() -> None:
    found = premises("combination", low=ONE, high=K, op="<=", parts=[[None, A]])
    assert [str(g.claim) for g in found] == ["0 <= a[i] for every integer 1 <= i <= k", "0 <= x"]
    assert [str(h) for h in found[-1].hypotheses] == ["0 <= sum(a[i], i = 1..k)"]


def test_a_strict_comparison_asks_for_a_term() -> None:
    assert Relation(ONE, "<=", K) in [g.claim for g in premises(
        "combination", low=ONE, high=K, op="<", parts=[[None, A]])]
    assert Relation(ONE, "<=", K) not in [g.claim for g in premises(
        "product-sign", low=ONE, high=K, op="<", body=A)]  # an empty product is 1, which is positive


def test_a_count_that_may_be_negative_is_asked_for() -> None:
    asked, *_ = premises("constant", head="sum", low=ONE, high=K, value=X)
    assert asked.claim == Relation(ZERO, "<=", K - ONE + ONE)


def test_a_body_with_a_hole_is_asked_to_be_defined() -> None:
    whole = binder("sum", ZERO, K, ONE / INDEX)
    for middle, after in ((ZERO, ONE), (K - ONE, K), (N, N + ONE)):
        assert Relation(whole, "==", whole) in [g.claim for g in premises(
            "parted", head="sum", low=ZERO, high=K, body=ONE / INDEX, middle=middle, after=after)]


def test_one_member_is_not_each_member() -> None:
    """A condition on terms is about every one; that some member is known is no help."""
    one = member("a", M)
    goal = goal_of(Relation(ZERO, "<=", sum_over("i", ONE, K, member("a", variable("i")))),
                   Relation(ZERO, "<=", one))
    asked, _ = RULES["sum-law"](goal, {"name": "combination", "low": ONE, "high": K, "op": "<=",
                                       "parts": [[None, A]]})
    assert isinstance(asked.claim, Each)
    assert asked.claim not in goal.hypotheses


def test_an_index_is_not_captured() -> None:
    """What is closed may have a variable called like the index; it stays that variable."""
    i = variable("i")
    _, instance = conditions_of("combination", {"low": ONE, "high": K, "op": "==", "left": i * A,
                                                "parts": [[i, A]]})
    assert instance.variables == {"i", "k"}
    _, turned = conditions_of("exchange", {"sum": binder("sum", ONE, K, binder(
        "sum", ONE, N, A * member("b", bound(1)) * variable("i") * variable("j")))})
    at = {**point(random.Random(3)), "i": 2, "j": 5, "k": 2, "n": 3}
    assert turned.variables == {"i", "j", "k", "n"}
    assert holds(turned, at)


@pytest.mark.parametrize(("name", "parameters"), [
    ("no such law", {}),
    ("combination", {"low": ONE, "high": K, "op": "<=", "parts": []}),
    ("combination", {"low": ONE, "high": K, "op": "=>", "parts": [[None, A]]}),
    ("combination", {"low": ONE, "high": INDEX, "op": "<=", "parts": [[None, A]]}),  # an index from outside
    ("combination", {"low": ONE, "high": K, "op": "<=", "parts": [[A, A]]}),  # a coefficient with an index
    ("constant", {"head": "sum", "low": ONE, "high": K, "value": A}),
    ("termwise", {"head": "integral", "low": ONE, "high": K, "op": "<=", "body": A, "other": [ONE, K, A]}),
    ("written-out", {"head": "sum", "low": ONE, "high": K, "body": A}),
    ("written-out", {"head": "sum", "low": ONE, "high": number(10 ** 9), "body": A}),
    ("factors", {"low": ONE, "high": K, "body": A, "parts": [[A, 0]]}),
    ("factors", {"low": ONE, "high": K, "body": A, "parts": [[A, 10 ** 9]]}),
    ("product-sign", {"low": ONE, "high": K, "body": A, "op": ">="}),
    ("exchange", {"sum": binder("sum", ONE, K, binder("sum", ONE, INDEX + INDEX, A))}),
    ("exchange", {"sum": binder("sum", ONE, K, binder("product", ONE, N, A))}),
])
def test_what_is_no_instance_is_refused(name: str, parameters: dict[str, Any]) -> None:
    with pytest.raises((Rejected, IllFormed, ValueError)):  # all of which a proof is rejected for
        premises(name, **parameters)


def test_integers_are_visibly_integers() -> None:
    with pytest.raises(IllFormed):
        premises("binomial-theorem", exponent=X, x=X, y=X)
    goal = Goal((("x", REAL), ("n", INTEGER)), (), Relation(ZERO, "<=", X))
    with pytest.raises(Rejected):
        RULES["lemma"](goal, {"name": "power-sign", "at": {"x": X, "n": X}})
    with pytest.raises(IllFormed):
        premises("constant", head="sum", low=ONE, high=X, value=ONE)
    with pytest.raises(IllFormed):
        premises("parted", head="sum", low=ONE, high=K, body=A, middle=X, after=X + ONE)


def test_a_partial_bound_is_asked_for() -> None:
    high = apply("floor", apply("log", X))
    assert Relation(high, "==", high) in [g.claim for g in premises(
        "combination", low=ONE, high=high, op="<=", parts=[[None, A]])]


def test_what_is_total() -> None:
    assert is_total(apply("exp", X) * X ** TWO + apply("binomial", X, TWO) + binder("sum", ONE, K, A))
    for partial in (ONE / X, X / ZERO, X ** K, X ** number(-1), X ** number(1, 2), apply("log", X),
                    apply("sqrt", X), apply("gamma", X), apply("binomial", N, M),
                    apply("binomial", N, number(-1)), binder("sum", ONE, K, ONE / INDEX)):
        assert not is_total(partial), partial


def test_a_term_that_is_too_large_makes_no_instance():
    large = variable("x")
    for _ in range(17):
        large = large + large
    with pytest.raises(Rejected, match="a term is too large"):
        conditions_of("constant", {"head": "sum", "low": number(1), "high": number(2), "value": large})
