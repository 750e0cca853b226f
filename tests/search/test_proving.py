"""Verdicts come from the kernel: nothing false is proved, nothing true is refuted."""

import pickle
from dataclasses import replace

import pytest
from campaign import heavy, in_full
from sympy import Integer, Rational

from symdp.formulas.notation import k, x
from symdp.formulas.parsing import ParseError, parse_conditions, parse_relation
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Proof, Rejected
from symdp.kernel.witness import Witness
from symdp.numbers.domain import Domain, DomainError
from symdp.search.prove import NotDefined, check, decide_relation
from symdp.search.tactics.bisection import bisect
from symdp.search.tactics.refutation import refute_at
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import Move, Sketch, Target, sketch

#: Claims that are false by a hair, each with conditions; equality, strictness, ends, integers.
FALSE = [
    ("tanh(x/2) >= 0.4622*x", ["0 <= x <= 1"], []),
    ("cosh(x) <= exp(0.499*x^2)", [], []),
    ("exp(x) <= 1+x+x^2/2", ["x >= 0"], []),
    ("exp(x) <= 1+x+x^2/2", ["0 <= x <= 1/1000"], []),
    ("log(1+x) <= x^(1/3)", ["x >= 0"], []),
    ("exp(x) > 1+x", [], []),
    ("x^2 > 0", ["-1 <= x <= 1"], []),
    ("x < 1", ["0 <= x <= 1"], []),
    ("x*(1-x) < 1/4", ["0 <= x <= 1"], []),
    ("k*(d/(2*k)) + d/sqrt(2) <= d", ["0 < d <= 1", "k >= 1"], ["k"]),
    ("(1+1/k)^k < 2.718", ["k >= 1"], ["k"]),
    ("p*exp(x)+(1-p)*exp(-x) <= (2*p-1)*x + x^2/2", ["1/2 <= p <= 1"], []),
    ("x*y <= 1", ["x > y", "0 <= y <= 1"], []),
    ("exp(x) == 1+x", ["0 <= x <= 1"], []),
    ("abs(x) <= x", ["-1/1000 <= x <= 1"], []),
    ("max(x, 1-x) > 1/2", ["0 <= x <= 1"], []),
    ("sin(x) >= 0", ["0 <= x <= 3.1416"], []),
    ("exp(-x) >= 1/1000000000", ["0 <= x <= 21"], []),
    ("floor(x) >= x - 999/1000", ["0 <= x <= 3"], []),
    ("erfc(x) <= exp(-1.001*x^2)", ["x >= 0"], []),
]


@pytest.mark.parametrize(("claim", "where", "integer"), FALSE)
def test_a_false_claim_is_refuted_and_its_witness_is_a_point_of_the_domain(claim, where, integer):
    verdict = check(claim, where, integer=integer, budget=5)
    assert verdict.status is Status.REFUTED
    assert verdict.witness.goal.domain.contains(verdict.witness.point)


@pytest.mark.parametrize(("claim", "where", "integer"),
                         [heavy(*case) if case[1] == ["0 <= x <= 1/1000"] else case for case in FALSE])
def test_no_false_claim_is_proved_when_only_the_kernel_stands_in_the_way(claim, where, integer):
    conditions = [r for text in where for r in parse_conditions(text)]
    relation = parse_relation(claim)
    domain = Domain.of(conditions, integer, relation.symbols)
    verdict = decide_relation(relation, domain, budget=0.7, may_refute=False)
    assert verdict.status is not Status.PROVED


TRUE_ON_BOXES = [
    ("eps*tanh(eps/2) <= eps^2", ["1/100 <= eps <= 0.9"]),
    ("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ["0 <= p <= 1", "3/2 <= x <= 2"]),
    ("x*y < x + y", ["1/2 <= x <= 1", "1/2 <= y <= 1"]),
    ("exp(-x) > 0", []),
    ("x + 1 > x", []),
    ("x*exp(x) > 0", ["x > 0"]),
    ("min(x, y) <= max(x, y)", ["0 <= x <= 1", "2 <= y <= 3"]),
    ("sqrt(x - y) >= 0", ["x > y", "0 <= y <= 1"]),
    ("2^k >= k", ["1 <= k <= 40"]),
]


@pytest.mark.parametrize(("claim", "where"), TRUE_ON_BOXES)
def test_what_enclosures_can_settle_is_proved(claim, where):
    assert check(claim, where, budget=10).status is Status.PROVED


def test_identities_are_proved_by_algebra():
    assert check("tanh(x/2) == (exp(x)-1)/(exp(x)+1)")
    assert check("(x+y)^2 == x^2+2*x*y+y^2")


@pytest.mark.long
def test_undecided_says_where_it_is_proved_and_where_it_got_stuck():
    relation = parse_relation("sin(n^2) < 1")  # false, but only where n^2 is a multiple of pi
    verdict = decide_relation(relation, Domain.of(parse_conditions("1 <= n <= 4")), budget=3)
    assert verdict.status is Status.UNDECIDED
    assert "proved for n in [1, " in verdict.method
    assert "stuck on" in verdict.method


def test_what_sympy_cancels_must_still_be_defined():
    for claim in ("x/x <= 2", "exp(log(x)) >= x", "sqrt(x)^2 <= x", "1/x - 1/x <= 0"):
        with pytest.raises(NotDefined):
            check(claim, ["-1 <= x <= 1"])
        assert check(claim, ["x > 0"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("claim", "where"),
    [
        ("(sinh(x)/x)^3 > cosh(x)", ["x > 0"]),
        ("x*y <= x^p/p + (p-1)/p*y^(p/(p-1))", ["x > 0", "y > 0", "p > 1"]),
        ("(x-y)/log(x/y) > sqrt(x*y)", ["y > 0", "x > y"]),
        pytest.param("-p*log(p)-(1-p)*log(1-p) >= 4*p*(1-p)*log(2)", ["0 < p < 1"], marks=[in_full, pytest.mark.xfail(
            reason="z3 decides a leaf of it of which no certificate was found, so that it is only supported")]),
        ("log(e+x*y) <= log(e+x)+log(e+y)", ["x >= 0", "y >= 0"]),
        ("x*y <= exp(x-1) + y*log(y)", ["y > 0"]),
        ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2*(p-q)^2", ["0 < p < 1", "0 < q < 1"]),
    ],
)
def test_classical_inequalities_are_proved_on_their_whole_domain(claim, where):
    assert check(claim, where, budget=40).status is Status.PROVED


def test_only_the_kernel_makes_proofs_and_witnesses():
    with pytest.raises(TypeError, match="only the kernel makes a Proof"):
        Proof(None, None, {}, frozenset(), frozenset())
    with pytest.raises(TypeError, match="only the kernel makes a Witness"):
        Witness(None, None, None, None, None)
    wished = Sketch(Target.of(parse_relation("1 <= 0"), Domain({})), Move("enclosure"))
    for status in (Status.PROVED, Status.REFUTED):
        for found in ({}, {"proof": "trust me"}, {"witness": "trust me"}, {"proof": object(), "witness": object()},
                      {"proof": wished}, {"proof": replace(wished, formal="trust me")}):
            with pytest.raises(TypeError, match="from the kernel"):
                Verdict(status, "trust me", **found)


def test_what_the_search_accepts_is_not_yet_a_proof():
    """Its own model of the kernel is fast and not trusted: the kernel on terms has the last word."""
    accepted = sketch(goal("x^2 + 1 >= x", "2 <= x <= 3"), Move("enclosure"))
    assert isinstance(accepted, Sketch)
    with pytest.raises(TypeError, match="from the kernel"):
        Verdict(Status.PROVED, "the search says so", proof=accepted)
    proved = check("x^2 + 1 >= x", ["2 <= x <= 3"])
    refuted = check("x <= 1", ["2 <= x <= 3"])
    assert isinstance(proved.formal, Proof)
    assert isinstance(refuted.formal, Witness)
    with pytest.raises(TypeError, match="from the kernel"):  # a proof refutes nothing
        Verdict(Status.REFUTED, "no", proof=proved.proof)
    with pytest.raises(TypeError, match="from the kernel"):
        Verdict(Status.PROVED, "no", proof=refuted.witness.formal)


def test_what_is_argued_says_which_part_is_in_words():
    with pytest.raises(TypeError, match="in words"):
        Verdict(Status.ARGUED, "somehow")
    argued = Verdict(Status.ARGUED, "somehow", words=("that this shows it",), checked=("0 <= 1",))
    assert not argued
    assert argued.trust.lines[0] == "that this shows it"  # words come first


def test_a_proof_is_verified_again_when_it_arrives_elsewhere():
    verdict = check("exp(x) >= 1 + x", ["x >= -1"])
    arrived = pickle.loads(pickle.dumps(verdict))
    assert isinstance(arrived.formal, Proof)
    assert arrived.formal.goal == verdict.formal.goal
    assert arrived.formal is not verdict.formal
    refuted = pickle.loads(pickle.dumps(check("x^2 <= x")))
    assert isinstance(refuted.formal, Witness)


def test_a_forged_proof_does_not_arrive():
    """Whoever changes what travels gets it verified, and rejected."""
    proof = check("x^2 + 1 >= x", ["2 <= x <= 3"]).formal
    make, (goal, step, uses) = proof.__reduce__()
    false = goal.claiming(Formal(goal.claim.left, "<", goal.claim.right))
    with pytest.raises(Rejected):
        make(false, step, uses)


def goal(text, *where, integers=()):
    relation = parse_relation(text)
    conditions = [r for w in where for r in parse_conditions(w)]
    return Target.of(relation, Domain.of(conditions, integers, relation.symbols))


@pytest.mark.parametrize(
    "step",
    [
        Move("enclosure"),
        Move("no such rule"),
        Move("split", {"variable": x, "at": Integer(7)}, (Move("enclosure"),) * 2),
        Move("split", {"variable": x, "at": Integer(0)}, (Move("enclosure"),) * 2),
        Move("split", {"variable": k, "at": Integer(1)}, (Move("enclosure"),) * 2),
        Move("split", {"variable": x, "at": Rational(1, 2)}, (Move("enclosure"),)),
        Move("split", {"variable": x, "at": Rational(1, 2)}, ()),
        Move("split", {}, ()),
        Move("split", {"variable": "x", "at": "1/2"}, (Move("enclosure"),) * 2),
        Move("infeasible"),
        Move("identity"),
        Move("enclosure", {"bits": 10**9}),
        Move("enclosure", {}, (Move("enclosure"),)),
    ],
)
def test_a_wrong_step_is_rejected(step):
    with pytest.raises(Rejected):
        sketch(goal("x^2 >= x", "0 <= x <= 1"), step)


def test_a_witness_outside_of_the_domain_is_rejected():
    g = goal("x <= 1", "0 <= x <= 1")
    with pytest.raises(Rejected):
        refute_at(g, {x: Integer(2)})
    with pytest.raises(Rejected):
        refute_at(goal("k <= 1", "1 <= k <= 3", integers=["k"]), {k: Rational(3, 2)})


def test_an_integer_claim_splits_between_integers():
    assert check("(k-1)*(k-2) >= 0", ["1 <= k <= 3"], integer=["k"])
    assert check("(k-1)*(k-2) >= 0", ["1 <= k <= 3"]).status is Status.REFUTED


@pytest.mark.parametrize("claim", ["log(x) <= x", "1/x < 2", "sqrt(x) >= 0", "x^x >= 0"])
def test_a_claim_that_is_undefined_on_its_domain_gets_a_clear_answer(claim):
    with pytest.raises(NotDefined, match="not defined at x ="):
        check(claim)


def test_an_empty_domain_gets_a_clear_answer():
    with pytest.raises(DomainError, match="no point"):
        check("x <= 1", ["x > 1", "x < 0"])


def test_malformed_text_gets_a_clear_answer():
    with pytest.raises(ParseError, match="column"):
        check("x <= ")


def test_definitions_may_build_on_each_other():
    assert check("n <= 1", ["0 <= eps <= 1"], let=["m = eps/2", "n = 2*m"])
    with pytest.raises(ValueError, match="defined by itself"):
        check("m <= 1", let=["m = m + 1"])


def test_deadlines_nest():
    from symdp.search.deadline import TimeIsUp, clock, hard_deadline

    start = clock()
    with pytest.raises(TimeIsUp), hard_deadline(0.4):
        with hard_deadline(30):
            sum(range(1000))
        while clock() - start < 5:
            sum(range(1000))
    assert clock() - start < 3


@pytest.mark.parametrize(("claim", "where"), [
    ("x <= 0.9999999999999", ["0 < x < 1"]),
    ("x*y <= 1 - 1/10^17", ["0 < x < 1", "0 < y < 1"]),
    ("x < log(2) - 1/10^15", ["0 < x < log(2)"]),
    ("x/(1+x) <= 1 - 1/10^15", ["x > 0"]),
])
def test_a_violation_nearer_to_an_end_than_floats_can_see_is_found(claim, where):
    assert check(claim, where=where).status is Status.REFUTED


def test_a_witness_far_out_is_a_power_of_ten():
    assert check("log(1/x) <= 80", where=["0 < x < 1"]).witness.point == {x: Rational(1, 10**40)}


@pytest.mark.parametrize(("claim", "where", "answer"), [
    ("1/(x-1/3) >= -10^9", "0 <= x <= 1", r"1/\(x - 1/3\) is not defined at x = 1/3"),
    ("1/(x^2-2) >= -10^9", "0 <= x <= 2", r"not defined between x = 0 and x = 2, where x\^2 - 2 changes"),
    ("log(x-1/7) <= 1", "1/7 <= x <= 1", r"not defined at x = 1/7"),
    ("(-2)^x <= 3", "0 <= x <= 1", r"not defined at x = 1/2"),
    ("(-1/3)^x <= 3", "0 <= x <= 1", r"not defined at x = 1/2"),
])
def test_a_pole_inside_the_domain_is_named(claim, where, answer):
    with pytest.raises(NotDefined, match=answer):
        check(claim, [where])


def test_a_denominator_that_keeps_its_sign_is_no_pole():
    assert check("1/(x^2-2) >= 0", ["x >= 3/2"]).status is Status.PROVED


@pytest.mark.parametrize(("where", "integer", "answer"), [
    (["x > y", "y > x"], [], "no point was found that satisfies x > y and y > x"),
    (["x == 1/2"], ["x"], "no integer x is 1/2"),
    (["1/3 <= x <= 2/3"], ["x"], r"no integer x lies in \[1/3, 2/3\]"),
    (["x^2 == 2"], [], "x\\^2 == 2; solve an equality for one of its variables"),
])
def test_a_domain_without_points_says_why(where, integer, answer):
    with pytest.raises(DomainError, match=answer):
        check("x <= 1", where, integer=integer)


@pytest.mark.parametrize(("claim", "where"), [
    ("x*log(x)+y*log(y) >= -log(2)", ["x + y == 1", "x > 0", "y > 0"]),
    ("x^2+y^2 >= 1/2", ["x + y == 1"]),
    ("x + y >= 2", ["x*y == 1", "x > 0", "y > 0"]),
    ("exp(x)+exp(y) >= 2", ["x + y == 0"]),
    ("x*log(x/y)+(1-x)*log((1-x)/(1-y)) >= 2*(x-y)^2", ["x == 2*y", "0 < x < 1", "0 < y < 1"]),
])
def test_an_equality_between_variables_is_a_condition_like_any_other(claim, where):
    assert check(claim, where).status is Status.PROVED


def test_an_equality_between_variables_does_not_hide_a_counterexample():
    assert check("x*log(x)+y*log(y) >= -0.693", ["x + y == 1", "x > 0", "y > 0"]).status is Status.REFUTED


@pytest.mark.parametrize(("claim", "where", "integer"), [
    heavy("-x*log(x)-y*log(y)-(1-x-y)*log(1-x-y) <= log(3)", ["x > 0", "y > 0", "x+y < 1"], []),
    ("(1-x/n)^n <= exp(-x)", ["0 <= x", "x <= n", "n >= 1"], ["n"]),
    heavy("(x-y)/log(x/y) <= (2*sqrt(x*y)+(x+y)/2)/3", ["x > y", "y > 0"], []),
    ("log(cosh(x)) >= abs(x)-log(2)", [], []),
])
def test_conditions_become_shares_and_products_come_out_of_roots(claim, where, integer):
    assert check(claim, where, integer=integer, budget=30).status is Status.PROVED


def test_a_variable_without_use_does_no_harm():
    assert check("1 <= 2", ["y > 0"]).status is Status.PROVED
    assert check("x <= x+1", ["z > 3"]).status is Status.PROVED


def test_the_queue_is_bounded():
    square = [*parse_conditions("-1 <= x <= 1"), *parse_conditions("-1 <= y <= 1")]
    within, touching = (
        Target.of(parse_relation(text), Domain.of(square))
        for text in ("x^2*y^2 >= 0", "x^2 - 2*x*y + y^2 >= 0")
    )
    assert bisect(within, float("inf"), 64, most_boxes=50).step is not None
    outcome = bisect(touching, float("inf"), 64, most_boxes=50)
    assert outcome.step is None
    assert outcome.boxes <= 52
    assert "boxes were not enough" in outcome.reason


@pytest.mark.parametrize(("claim", "where"), [
    ("z <= 0", ["z^2 <= 0"]),
    ("x <= y", ["(x - y)^2 <= 0"]),
    ("x <= y", ["x >= 1", "y >= 1", "(y - x)*(1 - x*y) == 0"]),
])
def test_what_follows_by_contradiction_is_proved_without_a_solver(claim, where):
    verdict = check(claim, where)
    assert verdict.status is Status.PROVED, verdict


@pytest.mark.parametrize(("claim", "where"), [
    ("x <= y", ["x >= 0", "y >= 0", "(y - x)*(1 - x*y) == 0"]),
    ("z < 0", ["z^2 <= 0"]),
])
def test_what_does_not_follow_is_refuted(claim, where):
    assert check(claim, where).status is Status.REFUTED
