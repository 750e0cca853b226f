"""Guarantees as formulas of the kernel: what the routes leave open, what they refuse, and where they fail."""

import json
import pickle
from fractions import Fraction
from itertools import product
from math import comb, exp

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from symdp.kernel.certificate import BadCertificate, recheck
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, TRUST, Rejected, Step, verify
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.privacy import (
    DOMINATION,
    AnyPrivate,
    Finite,
    Gaussian,
    Laplace,
    Private,
    Sequence,
    TwoVariances,
)
from symdp.kernel.terms import ONE, ZERO, apply, binder, bound, member, number, variable
from symdp.kernel.values.points import Members, Point
from symdp.kernel.witness import refute
from symdp.search.certificates import document_of

e, d, s, k = (variable(n) for n in ("u", "d", "s", "k"))
a, b = member("a", bound(0)), member("b", bound(0))
TWO, HALF, TINY = number(2), number(1, 2), number(1, 10_000)
SORTS = (("u", REAL), ("d", REAL), ("s", REAL), ("k", INTEGER))
USUAL = (Relation(ZERO, "<", e), Relation(ZERO, "<=", d), Relation(d, "<=", ONE), Relation(ONE, "<=", k),
         Relation(ZERO, "<", s), Relation(s, "<=", ONE))
STEPS = (Relation(ONE, "<=", k), Each(ONE, k, Relation(ZERO, "<", a)), Each(ONE, k, Relation(ZERO, "<=", b)),
         Each(ONE, k, Relation(b, "<=", ONE)))
FAMILIES = (("a", REAL), ("b", REAL))
ENCLOSED = Step("enclosure")


def goal(claim, hypotheses=USUAL, sorts=SORTS):
    return Goal(sorts, hypotheses, claim)


def of_steps(epsilon, delta, hypotheses=STEPS):
    return Goal((("k", INTEGER),), hypotheses, Private(Sequence(a, b, k), ONE, epsilon, delta), FAMILIES)


def sum_of(body):
    return binder("sum", ONE, k, body, "l")


def shown(claim, rule, parameters=None, leaf=None, **places):
    """The step of a rule whose premises are enclosed, but for those that are given by place."""
    premises = RULES[rule](claim, parameters or {})
    steps = [places.get(f"at_{i}", leaf or ENCLOSED) for i in range(len(premises))]
    return Step(rule, parameters or {}, tuple(steps))


BASIC = goal(Private(AnyPrivate(e, d), k, k * e, k * d))
IDENTITY = Step("enclosure", {"gap": ZERO})
SHOWN_BASIC = shown(BASIC, "linear", {"union": True}, at_4=IDENTITY, at_5=IDENTITY)


# --- what holds -----------------------------------------------------------------------------------


def test_the_losses_add_up():
    proof = verify(BASIC, SHOWN_BASIC)
    assert any("randomised responses" in line for line in proof.trust)


def test_every_route_names_what_it_rests_on():
    keys = {rule: {cited.key for cited in TRUST[rule]} for rule in (
        "linear", "moments", "concentrated", "tilted", "one-step", "gaussian-curve", "laplace-curve", "worst-case",
        "void", "opened")}
    assert all(keys.values())
    assert "kov/sec-7.mgf-bound.sharper" in keys["concentrated"]
    assert "kov/sec-7.mgf-bound.variance" in keys["tilted"]
    assert TRUST["certain"] == TRUST["relax"] == TRUST["finite-laws"] == frozenset()


def test_a_sequence_is_made_of_sums():
    claim = of_steps(sum_of(a), sum_of(b))
    premises = RULES["linear"](claim, {"union": True})
    assert [str(p.claim) for p in premises] == [
        "1 <= k", "0 <= a[i] for every integer 1 <= i <= k", "0 <= b[i] for every integer 1 <= i <= k",
        "b[i] <= 1 for every integer 1 <= i <= k", "sum(a[i], i = 1..k) <= sum(a[i], i = 1..k)",
        "sum(b[i], i = 1..k) <= sum(b[i], i = 1..k)"]
    each = Step("each", {"name": "i"}, (ENCLOSED,))
    assumed = Step("assumption")
    verify(claim, Step("linear", {"union": True}, (ENCLOSED, each, assumed, assumed, IDENTITY, IDENTITY)))


def test_one_step_and_its_curve():
    same = goal(Private(AnyPrivate(e, d), ONE, e, d))
    premises = RULES["one-step"](same, {})
    assert str(premises[-1].claim) == "d + (1 - d)*max(0, (exp(u) - exp(u))/(1 + exp(u))) <= d"


def test_the_symbol_of_randomised_response_by_its_laws():
    likely, unlikely = (ONE - d) * apply("exp", e) / (ONE + apply("exp", e)), (ONE - d) / (ONE + apply("exp", e))
    laws = Finite((d, likely, unlikely, ZERO), (ZERO, unlikely, likely, d))
    premises = RULES["finite-laws"](goal(Private(laws, ONE, e, d)), {})
    # six masses that are not 0, two totals, epsilon has a value, and either way
    assert len(premises) == 11
    assert str(premises[-1].claim).startswith("max(0, (1 - d)/(1 + exp(u)) - exp(u)*")


def test_a_guarantee_survives_certificates_and_processes():
    proof = verify(BASIC, SHOWN_BASIC)
    document = json.loads(json.dumps(document_of(proof, "mine")))
    assert recheck(document).goal == BASIC
    assert pickle.loads(pickle.dumps(proof)).goal == BASIC
    with pytest.raises(BadCertificate):
        recheck({**document, "statement": document["statement"].replace("k*u", "u")})


@pytest.mark.parametrize("claim", [
    Private(Gaussian(e, ONE), k, e, d), Private(Laplace(e, s), k, e, d), Private(TwoVariances(ONE + e), ONE, e, d),
    Private(Finite((d, ONE - d), (ONE - d, d)), ONE, e, d), Private(AnyPrivate(e, d), k, e, d, ((s, ZERO),)),
], ids=str)
def test_every_subject_is_written_and_read(claim):
    from symdp.kernel.certificate import Reader
    from symdp.search.certificates import Writer

    writer = Writer()
    row = json.loads(json.dumps(writer.stated(claim)))
    assert Reader(writer.rows).stated(row) == claim


# --- what a formula may be ------------------------------------------------------------------------


@pytest.mark.parametrize("claim", [
    lambda: Private(AnyPrivate(e, d), k / TWO, e, d),
    lambda: Private(AnyPrivate(e, d), s, e, d),
    lambda: Private(AnyPrivate(e, d), HALF, e, d),
    lambda: Private(AnyPrivate(bound(0), d), k, e, d),
    lambda: Private(AnyPrivate(e, d), k, bound(0), d),
    lambda: Private(Sequence(a, b, k), TWO, e, d),
    lambda: Private(Sequence(a, b, s), ONE, e, d),
    lambda: Private(Sequence(member("a", bound(1)), b, k), ONE, e, d),
    lambda: Private(AnyPrivate(variable("x"), d), k, e, d),
    lambda: Private(AnyPrivate(1, d), k, e, d),
    lambda: Private("anything", k, e, d),
    lambda: Private(Finite((ONE,), (ONE,)), ONE, e, d),
    lambda: Private(Finite((HALF, HALF), (HALF, HALF)), TWO, e, d),
    lambda: Private(AnyPrivate(e, d), k, e, d, ((e + d, ZERO),)),
    lambda: Private(AnyPrivate(e, d), k, e, d, ((s, e),)),
])
def test_nonsense_is_no_formula(claim):
    with pytest.raises(IllFormed):
        Goal(SORTS, USUAL, claim(), FAMILIES)


def test_substitution_captures_nothing():
    """A variable called as an index, or as one of our own symbols, stays what it is."""
    claim = Private(Sequence(a * s, b, k), ONE, s, ZERO)
    moved = claim.substitute({"s": variable("i")})
    assert moved.variables == {"i", "k"}
    assert str(moved).startswith("the composition of (a[i_1]*i, b[i_1])-DP")
    changed = claim.substitute_family("a", bound(0) + s)
    assert changed.subject.epsilon == (bound(0) + s) * s


@pytest.mark.parametrize("names", list(product(("eps_total", "square_sum", "k", "l", "h"), repeat=2)))
def test_names_do_not_matter(names):
    one, other = names
    if one == other:
        return
    x, y = variable(one), variable(other)
    renamed = Goal(((one, REAL), (other, INTEGER)), (Relation(ZERO, "<", x), Relation(ONE, "<=", y)),
                   Private(AnyPrivate(x, ZERO), y, y * x / TWO, ZERO))
    premises = RULES["linear"](renamed, {})
    assert str(premises[-2].claim) == f"{other}*{one} <= {other}*{one}/2"
    with pytest.raises(Rejected):
        verify(renamed, shown(renamed, "linear"))


# --- attacks ----------------------------------------------------------------------------------------


def no(claim, step):
    with pytest.raises(Rejected):
        verify(claim, step)


def test_a_hundred_mechanisms_are_not_nearly_nothing():
    """Once: a route with an excess of its own proved that 100 (1, 0)-DP mechanisms are (0, 1e-4)-DP."""
    claim = goal(Private(AnyPrivate(ONE, ZERO), number(100), ZERO, TINY), (), ())
    for rule, parameters in (
        ("moments", {"share": TINY}), ("moments", {"share": TINY, "half": True}),
        ("concentrated", {"share": TINY}), ("tilted", {"share": TINY}), ("moments", {"share": ONE}), ("linear", {}),
        ("certain", {}), ("worst-case", {}),
    ):
        no(claim, shown(claim, rule, parameters))
    for further in ({"excess": number(1000)}, {"size": "v"}, {"bound": ONE}, {"mean": ZERO}, {"enough": ONE}):
        with pytest.raises(Rejected, match="no parameter"):
            verify(claim, Step("moments", {"share": TINY, **further}, (ENCLOSED,) * 6))
    assert refute(claim, Point()).left.lo > 0.99


@pytest.mark.parametrize("parameters", [
    {}, {"share": 1}, {"share": "1"}, {"share": None}, {"share": bound(0)}, {"share": variable("unknown")},
    {"share": TINY, "half": "yes"}, {"share": TINY, "union": 1}, {"share": -TINY}, {"share": s / ZERO},
])
def test_a_share_is_a_term_and_its_use_is_shown(parameters):
    claim = goal(Private(AnyPrivate(e, d), k, k * e, k * d))
    no(claim, Step("moments", parameters, (ENCLOSED,) * 7))


def test_the_share_is_paid_from_delta():
    """A share of 1 is enough for every bound, and delta has no room for it."""
    claim = goal(Private(AnyPrivate(e, ZERO), k, k * e, HALF))
    premises = RULES["moments"](claim, {"share": ONE})
    assert Relation(ONE, "<=", HALF) in [p.claim for p in premises]
    no(claim, shown(claim, "moments", {"share": ONE}))


@pytest.mark.parametrize(("subject", "fold", "missing"), [
    (AnyPrivate(e - ONE, d), k, "0 <= u - 1"),  # an epsilon below 0
    (AnyPrivate(e, TWO * d), k, "2*d <= 1"),  # a delta above 1
    (AnyPrivate(e, d - ONE), k, "0 <= d - 1"),
    (AnyPrivate(e, number(3)), k, "3 <= 1"),
    (AnyPrivate(e, d), k - ONE, "1 <= k - 1"),  # perhaps no mechanism at all
    (AnyPrivate(e, d), -k, "1 <= -k"),
    (AnyPrivate(e / (s - s), d), k, "0 <= u/(s - s)"),  # no number
])
@pytest.mark.parametrize("rule", ["linear", "certain", "worst-case"])
def test_parameters_are_those_of_a_mechanism(subject, fold, missing, rule):
    claim = goal(Private(subject, fold, number(10**6), TWO))
    wanted = [p for p in RULES[rule](claim, {}) if str(p.claim) == missing]
    assert len(wanted) == 1
    no(wanted[0], ENCLOSED)
    no(claim, shown(claim, rule))


def test_noise_has_a_size():
    for subject in (Gaussian(e - ONE, ONE), Gaussian(e, d), Gaussian(ZERO, ONE)):
        claim = goal(Private(subject, k, e, TWO))
        no(claim, shown(claim, "certain"))
    for subject in (Laplace(-e, ONE), Laplace(e, ZERO), Laplace(s - s, ONE)):
        claim = goal(Private(subject, k, e, TWO))
        no(claim, shown(claim, "certain"))


def test_a_sequence_with_a_negative_epsilon():
    """Without the hypothesis that each epsilon is positive, or with it for one step alone, nothing is shown."""
    each = Step("each", {"name": "i"}, (ENCLOSED,))
    assumed = Step("assumption")
    total, leak = sum_of(a), sum_of(b)
    one = Relation(ZERO, "<", member("a", ONE))
    short = Each(ONE, k - ONE, Relation(ZERO, "<", a))
    shifted = Each(ONE, k, Relation(ZERO, "<", member("a", bound(0) + ONE)))
    for weaker in ((), (one,), (short,), (shifted,), (Each(ONE, k, Relation(-ONE, "<", a)),)):
        claim = of_steps(total, leak, (STEPS[0], *weaker, *STEPS[2:]))
        for first in (each, assumed):
            no(claim, Step("linear", {"union": True}, (ENCLOSED, first, assumed, assumed, IDENTITY, IDENTITY)))


def test_a_sequence_may_be_empty_unless_somebody_says_so():
    claim = of_steps(sum_of(a), sum_of(b), STEPS[1:])
    each, assumed = Step("each", {"name": "i"}, (ENCLOSED,)), Step("assumption")
    no(claim, Step("linear", {"union": True}, (ENCLOSED, each, assumed, assumed, IDENTITY, IDENTITY)))


def test_a_curve_is_one_of_its_own_mechanism():
    twice = goal(Private(AnyPrivate(e, d), TWO, e, d))
    for rule, claim in (
        ("one-step", twice), ("one-step", goal(Private(Laplace(e, ONE), ONE, e, d))),
        ("laplace-curve", goal(Private(Laplace(e, ONE), TWO, e, d))), ("gaussian-curve", twice),
        ("gaussian-moments", twice), ("finite-laws", twice), ("two-variances", twice), ("pure-noise", twice),
        ("pure-noise", goal(Private(Gaussian(e, ONE), ONE, e, d))),
        ("linear", goal(Private(Gaussian(e, ONE), ONE, e, d))),
        ("concentrated", goal(Private(Gaussian(e, ONE), ONE, e, d))),
        ("worst-case", of_steps(ONE, ONE)), ("linear", goal(Relation(ZERO, "<=", ONE))),
    ):
        with pytest.raises(Rejected):
            RULES[rule](claim, {"share": s} if rule == "concentrated" else {})


def test_a_curve_of_laplace_noise_starts_at_zero():
    """Below 0 the curve of one step and that of Laplace noise have another form: epsilon is asked for."""
    for subject, rule in ((AnyPrivate(e, d), "one-step"), (Laplace(e, ONE), "laplace-curve"),
                          (TwoVariances(ONE + e), "two-variances")):
        claim = goal(Private(subject, ONE, -e, TWO))
        assert any(str(p.claim) == "0 <= -u" for p in RULES[rule](claim, {}))
        no(claim, shown(claim, rule))


def test_relaxing_goes_one_way():
    claim = goal(Private(AnyPrivate(e, d), ONE, e / TWO, d))
    proved = shown(goal(Private(AnyPrivate(e, d), ONE, e, d)), "one-step")
    no(claim, Step("relax", {"epsilon": e, "delta": d}, (ENCLOSED, ENCLOSED, proved)))
    with pytest.raises(Rejected):
        verify(claim, Step("relax", {"fold": ONE}, (ENCLOSED,) * 3))


def test_an_empty_domain_says_nothing_about_others():
    """Under hypotheses that contradict each other everything holds, and weakening does not carry it away."""
    empty = (*USUAL, Relation(e, "<", ZERO))
    claim = Private(AnyPrivate(e, d), k, ZERO, ZERO)
    verify(goal(claim, empty), Step("contradiction"))
    no(goal(claim), Step("weaken", {"hypotheses": list(empty)}, (Step("contradiction"),)))
    no(goal(claim), Step("contradiction"))


# --- where nothing is promised ----------------------------------------------------------------------

ROOT = e * apply("sqrt", TWO * k * apply("log", ONE / s))
CLOSED = (*USUAL[:4], Relation(ZERO, "<=", s), Relation(s, "<=", ONE))


def test_nothing_is_promised_from_a_delta_of_one_on():
    beyond = (*USUAL[:4], Relation(ONE, "<", s))
    claim = Private(AnyPrivate(e, d), k, ROOT, s)
    proof = verify(goal(claim, beyond), Step("void", {}, (ENCLOSED,)))
    assert any("promises nothing" in line for line in proof.trust)
    no(goal(claim, beyond), shown(goal(claim, beyond), "certain"))  # epsilon has no value there
    no(goal(Private(AnyPrivate(e, d), k, ROOT, s / TWO), beyond), Step("void", {}, (ENCLOSED,)))
    no(goal(claim), Step("void", {}, (ENCLOSED,)))
    no(goal(Private(AnyPrivate(e, d), k, e, s / (d - d)), beyond), Step("void", {}, (ENCLOSED,)))


def test_an_end_is_left_out_where_epsilon_is_infinite():
    claim = goal(Private(AnyPrivate(e, d), k, ROOT, s, ((s, ZERO),)), CLOSED)
    assert "read as infinity at s = 0" in str(claim)
    (inside,) = RULES["opened"](claim, {})
    assert Relation(ZERO, "<", s) in inside.hypotheses
    assert not inside.claim.ends


@pytest.mark.parametrize(("epsilon", "end", "hypotheses"), [
    (e, (s, ZERO), CLOSED),  # epsilon is finite
    (e / s, (d, ZERO), CLOSED),  # another end
    (ROOT, (s, HALF), CLOSED),  # no end
    (-ROOT, (s, ZERO), CLOSED),  # towards minus infinity
    (s ** apply("floor", -s), (s, ZERO), CLOSED),  # grows without limit, and has the value 1 at the end
    (ROOT, (s, ZERO), USUAL[:4]),  # it may lie beyond
    (e / (s * s), (s, number(-1)), CLOSED),
    (d / s, (s, ZERO), CLOSED),  # not where d = 0
])
def test_other_ends_are_not_left_out(epsilon, end, hypotheses):
    claim = goal(Private(AnyPrivate(e, d), k, epsilon, s, (end,)), hypotheses)
    with pytest.raises((Rejected, ArithmeticError)):
        RULES["opened"](claim, {})


def test_an_end_is_only_left_out_where_the_formula_says_so():
    with pytest.raises(Rejected, match="names no end"):
        RULES["opened"](goal(Private(AnyPrivate(e, d), k, ROOT, s), CLOSED), {})
    with pytest.raises(IllFormed):  # no longer an end, after a substitution
        Private(AnyPrivate(e, d), k, ROOT, s, ((s, ZERO),)).substitute({"s": e + d})


# --- points ---------------------------------------------------------------------------------------------


def at(**values):
    return Point({n: fmpq(v.numerator, v.denominator) for n, v in values.items()})


def fails(claim, point):
    return refute(goal(claim), point)


ONE_POINT = {"u": Fraction(1), "d": Fraction(0), "s": Fraction(1), "k": Fraction(1)}


def needed_by_hand(epsilon, delta, n, threshold):
    pure = sum(comb(n, j) * exp((n - j) * epsilon) * max(0.0, 1 - exp(threshold - (n - 2 * j) * epsilon))
               for j in range(n + 1)) / (1 + exp(epsilon)) ** n
    return 1 - (1 - delta) ** n * (1 - pure)


@given(st.integers(1, 12), st.integers(1, 20), st.integers(0, 9), st.integers(-10, 40))
def test_what_k_responses_need(n, tenths, leak, threshold):
    claim = Private(AnyPrivate(e, d), k, number(threshold, 10), number(-1))
    found = fails(claim, at(u=Fraction(tenths, 10), d=Fraction(leak, 10), s=Fraction(1), k=Fraction(n)))
    wanted = needed_by_hand(tenths / 10, leak / 10, n, threshold / 10)
    assert float(found.left.lo) == pytest.approx(wanted, abs=1e-12)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 9)), min_size=1, max_size=6), st.integers(-5, 30))
def test_what_a_sequence_needs(steps, threshold):
    claim = of_steps(number(threshold, 10), number(-1))
    tables = [Members({i: fmpq(pair[place], 10) for i, pair in enumerate(steps, 1)}) for place in (0, 1)]
    found = refute(claim, Point({"k": fmpq(len(steps))}, {"a": tables[0], "b": tables[1]}))
    pure, kept = 0.0, 1.0
    for signs in product((1, -1), repeat=len(steps)):
        mass, loss = 1.0, 0.0
        for sign, (tenths, _) in zip(signs, steps, strict=True):
            mass *= 1 / (1 + exp(-sign * tenths / 10))
            loss += sign * tenths / 10
        pure += mass * max(0.0, 1 - exp(threshold / 10 - loss))
    for _, leak in steps:
        kept *= 1 - leak / 10
    assert float(found.left.lo) == pytest.approx(1 - kept * (1 - pure), abs=1e-12)


@pytest.mark.parametrize(("subject", "wanted"), [
    (Gaussian(number(4), ONE), 0.006829594983114575),
    (Laplace(number(1, 2), ONE), 1 - exp(-0.5)),
])
def test_what_noise_needs(subject, wanted):
    found = fails(Private(subject, ONE, ONE, ZERO), at(**ONE_POINT))
    assert float(found.left.lo) == pytest.approx(wanted, abs=1e-15)


def test_many_laplace_noises_need_nearly_what_is_known():
    found = fails(Private(Laplace(number(10), ONE), number(20), HALF, ZERO), at(**ONE_POINT))
    assert 0.0357 < float(found.left.lo) <= 0.03572376475289768


@pytest.mark.long
def test_very_many_responses():
    claim = Private(AnyPrivate(e, ZERO), k, number(1, 10), number(1, 1000))
    found = fails(claim, at(u=Fraction(1, 10**4), d=Fraction(0), s=Fraction(1), k=Fraction(10**6)))
    assert float(found.left.lo) == pytest.approx(0.00875175967188, abs=1e-13)


@pytest.mark.parametrize("point", [
    {**ONE_POINT, "u": Fraction(-1)}, {**ONE_POINT, "k": Fraction(1, 2)}, {**ONE_POINT, "k": Fraction(0)},
    {**ONE_POINT, "d": Fraction(2)}, {**ONE_POINT, "k": Fraction(10**12)},
    {n: v for n, v in ONE_POINT.items() if n != "u"}, {**ONE_POINT, "x": Fraction(1)},
])
def test_a_point_outside_is_no_counterexample(point):
    with pytest.raises(Rejected):
        fails(Private(AnyPrivate(e, d), k, k * e / TWO, ZERO), at(**point))


@pytest.mark.parametrize("claim", [
    Private(AnyPrivate(e, d), k, k * e, k * d),  # true
    Private(AnyPrivate(e, d), k, e / (d * s), ZERO),  # epsilon has no value
    Private(AnyPrivate(e, d), k, ZERO, e / d),
    Private(AnyPrivate(e - TWO, d), k, ZERO, ZERO),  # no such mechanism
    Private(AnyPrivate(e, d), k, -e, ONE),  # nothing is promised
])
def test_what_does_not_fail_is_not_refuted(claim):
    with pytest.raises(Rejected):
        fails(claim, at(**ONE_POINT))


def test_delta_is_compared_exactly():
    """4/7 is no decimal: nothing is rounded on the way."""
    claim = Private(Finite((number(4, 7), number(3, 7)), (ZERO, ONE)), ONE, ZERO, number(4, 7))
    with pytest.raises(Rejected):
        fails(claim, at(**ONE_POINT))
    less = number(fmpq(4, 7) - fmpq(1, 10**40))
    assert fails(Private(claim.subject, ONE, ZERO, less), at(**ONE_POINT)).violation.lo > 0


def test_a_counterexample_survives_certificates():
    found = fails(Private(AnyPrivate(e, d), k, k * e / TWO, ZERO), at(**ONE_POINT))
    document = json.loads(json.dumps(document_of(found, "half")))
    assert recheck(document).left.lo > 0.28
    document["witness"]["values"]["u"] = "-1/1"
    with pytest.raises(BadCertificate):
        recheck(document)
    assert pickle.loads(pickle.dumps(found)).goal == found.goal


def test_what_is_cited_exists():
    """A BibTeX key, the id of a claim, or a reading that the statement shows."""
    from pathlib import Path

    import symdp.literature
    from symdp.sources.registry import claims

    bib = (Path(symdp.literature.__file__).parent / "references.bib").read_text()
    ids = {c.id for c in claims()}
    for cited in {c for rule in TRUST.values() for c in rule if hasattr(c, "key")}:
        key = cited.key.partition(",")[0]
        assert f"{{{key}," in bib or key in ids or key in ("reading", "symdp/kernel/rules/privacy.py"), key


def test_a_citation_survives_processes():
    again = pickle.loads(pickle.dumps(DOMINATION))
    assert again == DOMINATION
    assert again.key == DOMINATION.key == "kairouz2015composition, Section 6"


def test_an_end_at_which_epsilon_may_have_a_value_is_not_left_out():
    """1/s^3 + s^(s/2) has no value at 0. But s^(s/2) might have one there, so that this is not seen."""
    end = ((s, ZERO),)
    assert RULES["opened"](goal(Private(AnyPrivate(e, d), k, ONE / s + e, d, end), CLOSED), {})
    with pytest.raises(Rejected, match="epsilon may have a value at s = 0"):
        RULES["opened"](goal(Private(AnyPrivate(e, d), k, ONE / (s * (s * s)) + s ** (s / TWO), d, end), CLOSED), {})


# --- what different steps need, and when nobody computes it ------------------------------------------


def sequence(*steps):
    """Steps of that epsilon and delta, in tenths."""
    tables = [Members({i: fmpq(pair[place], 10) for i, pair in enumerate(steps, 1)}) for place in (0, 1)]
    return Point({"k": fmpq(len(steps))}, {"a": tables[0], "b": tables[1]})


def test_a_sequence_of_equal_steps_needs_what_their_composition_does():
    for threshold in (-5, 0, 3, 10):
        found = refute(of_steps(number(threshold, 10), number(-1)), sequence((4, 1), (4, 1), (4, 1)))
        assert float(found.left.lo) == pytest.approx(needed_by_hand(0.4, 0.1, 3, threshold / 10), abs=1e-12)


def test_a_sequence_of_two_different_steps():
    """Losses 0.9 + 0.2 with mass p q, and 0.9 - 0.2 with mass p (1 - q), lie above 0.5."""
    p, q = 1 / (1 + exp(-0.9)), 1 / (1 + exp(-0.2))
    wanted = p * q * (1 - exp(0.5 - 1.1)) + p * (1 - q) * (1 - exp(0.5 - 0.7))
    found = refute(of_steps(HALF, ZERO), sequence((9, 0), (2, 0)))
    assert float(found.left.lo) == pytest.approx(wanted, abs=1e-12)
    with pytest.raises(Rejected, match="the claimed delta is not seen to be too small there"):
        refute(of_steps(number(11, 10), ZERO), sequence((9, 0), (2, 0)))


@pytest.mark.parametrize(("epsilon", "count", "why"), [
    (apply("exp", bound(0)), 2, "a step has parameters that are not rational"),
    (TWO ** bound(0), 16, "the steps have too many outcomes"),
    (bound(0), 201, "a number of times from 1 to 200 is needed"),
])
def test_steps_that_nobody_adds_up_refute_nothing(epsilon, count, why):
    claim = Goal((("k", INTEGER),), STEPS[:1], Private(Sequence(epsilon, ZERO, k), ONE, ZERO, ZERO))
    with pytest.raises(Rejected, match=f"the worst case is not computed there: {why}"):
        refute(claim, Point({"k": fmpq(count)}))


def test_too_many_noises_and_numbers_beyond_all_bounds_refute_nothing():
    with pytest.raises(Rejected, match="there are too many outcomes"):
        fails(Private(Laplace(number(10), ONE), number(20_000), HALF, ZERO), at(**ONE_POINT))
    beyond = apply("exp", apply("exp", number(10**40)))
    with pytest.raises(Rejected, match="a parameter is not enclosed"):
        fails(Private(AnyPrivate(e, d), k, beyond, ZERO), at(**ONE_POINT))
