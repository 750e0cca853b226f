"""Certificates survive the journey; whatever is changed on the way is noticed."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from campaign import tries
from flint import fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import ROOT

from symdp.audit.rechecking import certificates_in, recheck_all, recheck_file
from symdp.kernel.certificate import BadCertificate, Reader, digest_of, read_document, recheck
from symdp.kernel.goals import Each, Goal, Relation
from symdp.kernel.proof import Proof, Step, verify
from symdp.kernel.rules.readings import Continued
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, sum_over, variable
from symdp.kernel.values.points import Members, Point
from symdp.kernel.witness import Witness, refute
from symdp.search.certificates import document_of, write_document
from symdp.search.elaboration.derived_rules import DERIVED
from symdp.search.prove import check

#: Claims whose proofs use the rules that the search uses, by name of the rule looked for.
CLAIMS = {
    "enclosure": ("exp(-x) > 0", []),
    "cases": ("exp(-x)*sin(x) <= 2/5", ["x >= 0"]),
    "paving": ("x*exp(-x) <= 2/5", ["1/10 <= x <= 3"]),
    "identity": ("(x+y)^5 == x^5+5*x^4*y+10*x^3*y^2+10*x^2*y^3+5*x*y^4+y^5", []),
    "lemma": ("exp(x) >= 1 + x", []),
    "combine": ("eps*tanh(eps/2) <= eps^2/2", ["eps >= 0"]),
    "rewrite": ("cosh(x) <= exp(x^2/2)", []),
    "convex": ("(1+x)^r >= 1+r*x", ["x >= -1", "r >= 1"]),
    "concave": ("tanh(x/2) >= 0.4621*x", ["0 <= x <= 1"]),
    "monotone": ("log(x/y)/2 > (x-y)/(x+y)", ["y > 0", "x > y"]),
    "change": ("log(x/y)/2 > (x-y)/(x+y)", ["y > 0", "x > y"]),
    "cut": ("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ["0 <= p <= 1"]),
    "branches": ("abs(log(1+x)-x) <= x^2", ["x >= 0"]),
    "assumption": ("x - 1 <= min(x, x + y^2)", []),
    "transitivity": ("min(x, y) <= x + 1", []),
    "weaken": ("1-(1-d)^k <= k*d", ["0 <= d <= 1", "k >= 1"]),
}


@pytest.fixture(scope="module")
def documents():
    made = {}
    for rule, (claim, where) in CLAIMS.items():
        verdict = check(claim, where, integer=["k"] if rule == "weaken" else [], budget=20)
        assert verdict, (claim, str(verdict))
        made[rule] = json.loads(json.dumps(document_of(verdict.formal, rule)))
    return made


X = variable("x")


def tangent_goal():
    return Goal((("x", "real"),), (), Relation(ONE + X, "<=", apply("exp", X)))


@pytest.fixture(scope="module")
def tangent():
    return json.loads(json.dumps(document_of(check("exp(x) >= 1+x").formal, "tangent")))


def test_every_certificate_is_accepted(documents):
    for document in documents.values():
        assert isinstance(recheck(document), Proof)


def test_the_proofs_use_the_rules_that_they_stand_for(documents):
    used = {row[0] for document in documents.values() for row in document["steps"]}
    assert used >= set(CLAIMS) - set(DERIVED) | {"replace", "aside"}
    for document in documents.values():
        assert document["trust"]["rules"] == sorted({row[0] for row in document["steps"]})


def rejected(document) -> bool:
    try:
        recheck(document)
    except BadCertificate as reason:
        assert "\n" not in str(reason)
        return True
    return False


# --- counterexamples ----------------------------------------------------------------------------


@pytest.mark.parametrize("change", [
    lambda trust: trust["rules"].pop(), lambda trust: trust["cites"].append("a theorem that it does not use"),
    lambda trust: trust.clear(), lambda trust: trust.update(words=[])])
def test_a_file_that_claims_another_trust_is_rejected(documents, change):
    document = copy.deepcopy(documents["combine"])
    change(document["trust"])
    with pytest.raises(BadCertificate, match="what it says it relies on"):
        recheck(document)


def test_a_name_that_looks_like_another_is_rejected(documents):
    text = json.dumps(documents["monotone"]).replace('"y"', '"\\u0443"')  # which is Cyrillic
    with pytest.raises(BadCertificate, match=r"U\+0443"):
        recheck(json.loads(text))


def test_a_witness_is_accepted_and_a_changed_one_is_not():
    verdict = check("exp(x) <= 1+x+x^2/2", ["x >= 0"])
    document = json.loads(json.dumps(document_of(verdict.formal)))
    assert isinstance(recheck(document), Witness)
    # 0 is a point of equality and -1 lies outside; the others are no rational numbers
    for value in ("0/1", "-1/1", "1/0", "pi", "2^", 3, None, "1/2/3", "", "-", "0x1", "1e3", " 1", "١"):
        assert rejected({**document, "witness": {**document["witness"], "values": {"x": value}}}), value
    for values in ({}, {"y": "1/1"}, {"x": "1/1", "y": "1/1"}, [["x", "1/1"]], None):
        assert rejected({**document, "witness": {**document["witness"], "values": values}}), values
    assert rejected({**document, "witness": {**document["witness"], "indices": [1]}})
    assert rejected({**document, "witness": {**document["witness"], "families": {"a": {}}}})
    assert rejected({**document, "steps": [["enclosure", {}, []]]})  # both a proof and a witness


def test_a_witness_with_a_family_and_an_index_makes_the_journey():
    k = variable("k")
    positive = Each(ONE, k, Relation(member("a", bound(0)), "<=", number(2)), "i")
    goal = Goal((("k", "integer"),), (Relation(k, ">=", ONE),), positive, (("a", "real"),))
    found = refute(goal, Point({"k": fmpq(3)}, {"a": Members({2: fmpq(5)}, fmpq(1))}, indices=(2,)))
    document = json.loads(json.dumps(document_of(found)))
    assert isinstance(recheck(document), Witness)
    for indices in ([1], [4], [0], [], [2, 2], ["2"], [True], [2.0]):
        assert rejected({**document, "witness": {**document["witness"], "indices": indices}}), indices


# --- the statement ------------------------------------------------------------------------------


def with_goal(document, change):
    """As a forger would do it: the statement and the digest are made to fit the changed goal."""
    document = copy.deepcopy(document)
    change(document)
    goal = Reader(document["terms"]).goal(document["goal"])
    return {**document, "statement": str(goal), "digest": digest_of(goal)}


def turned(document):
    claim = document["goal"]["claim"]
    claim["left"], claim["right"] = claim["right"], claim["left"]


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_a_changed_statement_is_rejected(documents, rule):
    document = documents[rule]
    assert rejected({**document, "statement": document["statement"].replace("for every", "for some")})
    assert rejected({**document, "statement": None})
    assert rejected({**document, "digest": "0" * 64})
    assert rejected({k: v for k, v in document.items() if k != "digest"})
    assert rejected({k: v for k, v in document.items() if k != "statement"})
    silent = copy.deepcopy(document)
    turned(silent)
    assert rejected(silent)


@pytest.mark.parametrize("rule", [r for r in CLAIMS if r != "identity"])
def test_a_false_statement_with_a_digest_of_its_own_is_rejected(documents, rule):
    assert rejected(with_goal(documents[rule], turned))


@pytest.mark.parametrize("rule", ["cases", "paving", "convex", "concave", "monotone", "cut",
                                  "branches", "weaken"])
def test_a_statement_with_fewer_hypotheses_is_rejected(documents, rule):
    def freed(document):
        document["goal"]["hypotheses"] = []

    assert rejected(with_goal(documents[rule], freed))


def test_integers_are_not_taken_for_reals(documents):
    """(k-1)(k-2) >= 0 holds for integers alone."""
    verdict = check("(k-1)*(k-2) >= 0", ["1 <= k <= 3"], integer=["k"])
    document = json.loads(json.dumps(document_of(verdict.formal)))
    assert not rejected(document)

    def real(d):
        d["goal"]["variables"] = [["k", "real"]]

    assert rejected(with_goal(document, real))


def test_a_goal_that_says_nothing_is_rejected(tangent):
    changes = [
        ("variables", []), ("variables", [["x", "complex"]]), ("variables", [["x", "real"], ["x", "real"]]),
        ("variables", [["pi", "real"], ["x", "real"]]), ("variables", [["x y", "real"]]), ("variables", 3),
        ("variables", [["x"]]), ("families", [["x", "real"]]), ("hypotheses", [3]),
        ("claim", {"is": "relation"}), ("claim", {"is": "wish"}), ("claim", None), ("claim", []),
        ("claim", {**tangent["goal"]["claim"], "op": "!="}), ("claim", {**tangent["goal"]["claim"], "op": None}),
        ("claim", {**tangent["goal"]["claim"], "left": -1}),
        ("claim", {**tangent["goal"]["claim"], "left": len(tangent["terms"])}),
        ("claim", {**tangent["goal"]["claim"], "left": True}),
    ]
    for key, value in changes:
        assert rejected({**tangent, "goal": {**tangent["goal"], key: value}}), (key, value)


# --- the steps ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_a_dropped_leaf_is_rejected(documents, rule):
    document = copy.deepcopy(documents[rule])
    if len(document["steps"]) == 1:
        document["steps"] = []
    else:
        parent = next(s for s in document["steps"] if s[2])
        parent[2] = parent[2][:-1]
    assert rejected(document)


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_a_truncated_certificate_is_rejected(documents, rule):
    document = documents[rule]
    for steps in (document["steps"][:-1], document["steps"][1:], []):
        try:  # the last step may have been a mere change of form; then the others show the same
            assert recheck({**document, "steps": steps}).goal == recheck(document).goal
        except BadCertificate:
            continue
        assert steps == document["steps"][:-1]
    assert rejected({**document, "terms": document["terms"][:-1]})
    for key in ("steps", "terms", "goal", "format"):
        assert rejected({k: v for k, v in document.items() if k != key})


def test_a_dropped_piece_of_a_paving_is_rejected(documents):
    document = copy.deepcopy(documents["paving"])
    cuts = next(s[1] for s in document["steps"] if s[0] == "paving")["cuts"]
    assert cuts.count(-1) > 2
    del cuts[cuts.index(-1)]
    assert rejected(document)


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_rules_and_lemmas_that_do_not_exist_are_rejected(documents, rule):
    for step in (["lemma", {"name": "wishful", "at": {"map": []}}, []], ["no-such-rule", {}, []],
                 ["claim", {"id": "kov/thm-3.1"}, []], [None, {}, []], [["enclosure"], {}, []]):
        assert rejected({**documents[rule], "steps": [step]})


def mutate(document, old, new):
    """Replace text inside the parameters of the steps."""
    text = json.dumps(document["steps"])
    assert old in text
    return {**document, "steps": json.loads(text.replace(old, new))}


def by_factors():
    """x*(exp(x) - 1) >= 0 on x >= 0, as a product of two factors."""
    rest = apply("exp", X) - ONE
    goal = Goal((("x", "real"),), (Relation(X, ">=", ZERO),), Relation(X * rest, ">=", ZERO))
    terms = [[ONE, [[X, 1, ">="], [rest, 1, ">="]]]]
    step = Step("combine", {"terms": terms}, (Step("enclosure"), Step("enclosure")))
    return json.loads(json.dumps(document_of(verify(goal, step))))


def test_a_swapped_sign_is_rejected(documents):
    product = by_factors()
    assert not rejected(product)
    assert rejected(mutate(product, '">="', '""'))
    place = product["terms"].index(["number", "1/1"])
    minus = [*product["terms"], ["number", "-1/1"]]
    assert rejected({**mutate(product, f'[[{{"term": {place}}}', f'[[{{"term": {len(minus) - 1}}}'),
                     "terms": minus})
    assert rejected(mutate(documents["rewrite"], '"by-log"', '"by-exp"'))
    assert rejected(mutate(documents["monotone"], '"lower"', '"upper"'))


def test_a_wider_box_is_rejected(documents):
    """The digest is that of the wider goal; the pieces do not cover it."""
    def widened(document):
        place = document["terms"].index(["number", "3/1"])
        document["terms"][place] = ["number", "1000/1"]
        claim = document["goal"]["claim"]
        bound = document["terms"].index(["number", "2/5"]) if ["number", "2/5"] in document["terms"] else None
        assert claim["op"] == "<="
        if bound is not None:
            document["terms"][bound] = ["number", "1/5"]

    assert rejected(with_goal(documents["paving"], widened))


@pytest.mark.parametrize("premises", [[0, 0], [-1], [1], ["0"], [0.0], [True], [None], {}, None, "0"])
def test_premises_are_earlier_steps_each_used_once(premises):
    document = by_factors()
    assert [s[2] for s in document["steps"]] == [[], [], [0, 1]]
    document["steps"][-1][2] = premises
    assert rejected(document)


def test_a_step_that_supports_nothing_is_rejected(tangent):
    assert rejected({**tangent, "steps": [["enclosure", {}, []], *tangent["steps"]]})


@settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_damage_never_crashes_and_never_changes_what_is_proved(documents, rng):
    """Whatever is still accepted after damage to the steps or the terms proves the same statement."""
    document = copy.deepcopy(documents[rng.choice(sorted(documents))])
    target = rng.choice(document["steps"])
    kind = rng.randrange(7)
    if kind == 0:
        target[0] = rng.choice(sorted(CLAIMS))
    elif kind == 1 and target[1]:
        key = rng.choice(sorted(target[1]))
        target[1][key] = rng.choice([None, -1, "x", [], {}, {"term": 0}, {"term": 10**9}, 10**30, {"map": [1]}])
    elif kind == 2:
        target[2] = [rng.randrange(-2, len(document["steps"]) + 2)]
    elif kind == 3:
        rng.shuffle(document["steps"])
    elif kind == 4:
        rng.shuffle(document["terms"])
    elif kind == 5:
        row = rng.choice(document["terms"])
        row[rng.randrange(len(row))] = rng.choice([None, 0, -1, "x", "number", "1/0", [], 10**30])
    else:
        del target[rng.randrange(3)]
    try:
        found = recheck(document)
    except BadCertificate:
        return
    assert str(found.goal) == documents[document["name"]]["statement"]
    assert found.goal == recheck(documents[document["name"]]).goal


# --- what is no certificate ---------------------------------------------------------------------


@pytest.mark.parametrize("document", [
    None, [], {}, "2", 2, {"format": 4}, {"format": 4, "steps": []}, {"format": 4, "steps": [], "witness": {}},
    {"format": 5, "steps": []}, {"format": "4", "steps": []}, {"format": 4, "steps": [], "terms": 3},
    {"format": 4, "witness": {}, "terms": [], "goal": {}}, {"format": 4, "witness": [], "terms": []},
])
def test_what_is_no_certificate_is_rejected(document):
    assert rejected(document)


def test_an_old_certificate_is_refused_with_a_clear_line(tmp_path):
    old = {"format": 1, "name": "", "claim": "exp(x) >= 1 + x", "where": [], "variables": ["x"], "integer": [],
           "steps": [{"rule": "lemma", "parameters": {"name": "exp-tangent", "at": []}, "premises": []}],
           "digest": "0" * 64}
    with pytest.raises(BadCertificate) as caught:
        recheck(old)
    assert str(caught.value) == "this is no certificate of format 4; write it anew with this version"
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    row = recheck_file(path)
    assert not row.accepted
    assert "format 4" in row.reason


DEEP = [["variable", "x"], *(["neg", i] for i in range(500))]


@pytest.mark.parametrize(("rows", "why"), [
    (DEEP, "nested too deeply"),
    ([["number", "1" * 5000 + "/1"]], "number is malformed"),
    ([["number", 1]], "number is malformed"), ([["number", "1/0"]], "number is malformed"),
    ([["number", "NaN"]], "number is malformed"), ([["number", 0.5]], "number is malformed"),
    ([["variable", "x" * 300]], "no name"), ([["variable", "x); import os"]], "no name"),
    ([["variable", "pi"]], "something else"), ([["variable", 3]], "no name"),
    ([["__import__", 0]], "no operation"), ([["eval"]], "no operation"), ([[]], "malformed"), ([3], "malformed"),
    ([["+", 0]], "not stand above"), ([["number", "1/1"], ["+", 0, 2]], "not stand above"),
    ([["number", "1/1"], ["+", 0, -1]], "not stand above"), ([["bound", -1]], "index is malformed"),
    ([["bound", "0"]], "index is malformed"), ([["bound", 10**9]], "index is malformed"), (None, "no list"),
    ("terms", "no list"),
], ids=lambda value: str(value)[:30])
def test_a_table_of_terms_that_is_none_is_refused(rows, why):
    with pytest.raises(BadCertificate, match=why):
        Reader(rows)


def test_an_operation_with_the_wrong_number_of_arguments_is_refused(tangent):
    for row in (["log", 0, 0], ["/", 0], ["binomial", 0], ["min"], ["member", "a", 0, 0], ["sum", "i", 0, 0]):
        assert rejected({**tangent, "terms": [*tangent["terms"], row]}), row


def huge(head, *args):
    """A claim with a term that would not fit into the memory, and the easiest of steps."""
    rows = [["number", "0/1"], ["number", "1000000000/1"], ["number", "1/2"], ["number", "10/1"],
            ["+", 1, 2], ["^", 3, 1], [head, *args]]
    goal = {"variables": [], "families": [], "hypotheses": [],
            "claim": {"is": "relation", "left": 0, "op": "<=", "right": len(rows) - 1}}
    document = {"format": 4, "name": "", "terms": rows, "goal": goal, "steps": [["enclosure", {}, []]]}
    return with_goal(document, lambda d: None)


@pytest.mark.parametrize("args", [("exp", 1), ("^", 3, 1), ("^", 5, 5), ("gamma", 4), ("binomial", 1, 4),
                                  ("exp", 5), ("sum", "i", 0, 1, 0), ("product", "i", 0, 5, 3)])
@pytest.mark.parametrize("other", [{}, {"gap": {"term": 0}}])
def test_numbers_that_would_not_fit_into_the_memory_do_no_harm(args, other):
    """Whatever the answer, it comes at once: a bounded enclosure may well see that exp(10^9) > 0."""
    document = {**huge(*args), "steps": [["enclosure", other, []]]}
    try:
        assert isinstance(recheck(document), Proof)
    except BadCertificate as reason:
        assert "\n" not in str(reason)


def test_a_term_that_repeats_itself_does_not_explode(tangent):
    """Sixty rows stand for a term with 2^60 leaves."""
    rows = [*tangent["terms"], ["variable", "x"]]
    for _ in range(60):
        rows.append(["+", len(rows) - 1, len(rows) - 1])
    goal = {**tangent["goal"], "claim": {"is": "relation", "left": len(rows) - 1, "op": "<=",
                                         "right": len(rows) - 1}}
    assert rejected({**tangent, "terms": rows, "goal": goal})


# --- files --------------------------------------------------------------------------------------


def test_files_are_rechecked_and_bad_ones_named(tmp_path, documents):
    (tmp_path / "good.json").write_text(json.dumps(documents["cases"]))
    bad = {**documents["cases"], "statement": "x*exp(-x) <= 1/5"}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    accepted = {p.name: recheck_file(p).accepted for p in certificates_in([tmp_path])}
    assert accepted == {"good.json": True, "bad.json": False}
    (tmp_path / "noise.json").write_text("{" * 100_000)
    rows = {Path(r.path).name: r for r in recheck_all(certificates_in([tmp_path]))}  # one bad file spoils no other
    assert {name: r.accepted for name, r in rows.items()} == {**accepted, "noise.json": False}
    assert "not JSON" in rows["noise.json"].reason
    with pytest.raises(BadCertificate, match="does not exist"):
        certificates_in([tmp_path / "absent.json"])


def test_links_and_pipes_in_a_folder_are_named_and_not_followed(tmp_path, documents):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere.json"
    folder.mkdir()
    elsewhere.write_text(json.dumps(documents["cases"]))
    (folder / "good.json").write_text(json.dumps(documents["cases"]))
    (folder / "link.json").symlink_to(elsewhere)
    (folder / "endless.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.json")
    rows = {Path(r.path).name: r for r in recheck_all(certificates_in([folder]))}
    assert {name: r.accepted for name, r in rows.items()} == {
        "good.json": True, "link.json": False, "endless.json": False, "pipe.json": False}
    assert "it is a link" in rows["link.json"].reason
    assert "it is a pipe" in rows["pipe.json"].reason
    (alone,) = recheck_all(certificates_in([folder / "link.json"]))  # who names it means it
    assert alone.accepted
    assert alone.path == str(elsewhere)


def test_a_claim_of_the_literature_that_changed_makes_its_certificate_out_of_date(tmp_path, documents):
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**documents["combine"], "name": "kov/sec-7.alon-spencer"}))
    row = recheck_file(path)
    assert not row.accepted
    assert "out of date" in row.reason


def test_a_key_that_is_given_twice_is_refused(tmp_path, tangent):
    path = tmp_path / "twice.json"
    path.write_text('{"statement": "2 + x <= exp(x) for every real x", ' + json.dumps(tangent)[1:])
    with pytest.raises(BadCertificate, match="given twice"):
        read_document(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(BadCertificate, match="no file, or one too large"):
        read_document(path)


@pytest.mark.parametrize("poison", ["NaN", "Infinity", "1e400", "9" * 5000])
def test_numbers_that_are_none_are_refused(tmp_path, tangent, poison):
    path = tmp_path / "poison.json"
    text = json.dumps({**tangent, "steps": [[*s[:2], ["POISON"]] for s in tangent["steps"]]})
    path.write_text(text.replace('"POISON"', poison))
    with pytest.raises(BadCertificate):
        recheck(read_document(path))


def test_nothing_half_written_is_seen(tmp_path, tangent):
    path = tmp_path / "tangent.json"
    write_document(tangent, path)
    assert [p.name for p in tmp_path.iterdir()] == ["tangent.json"]
    assert read_document(path) == tangent


# --- claims that use each other -----------------------------------------------------------------


def using(name, other, goal=None, digest=None):
    """A certificate of exp(x) >= 1 + x that rests on another claim alone."""
    proof = verify(tangent_goal(), Step("claim", {"id": other, "at": {"x": X}}, (Step("assumption"),)),
                   {other: goal or tangent_goal()})
    document = json.loads(json.dumps(document_of(proof, name)))
    return document if digest is None else {**document, "uses": {other: digest}}


def rechecked(folder, *documents):
    paths = []
    for i, document in enumerate(documents):
        paths.append(folder / f"{i}.json")
        paths[-1].write_text(json.dumps(document))
    return recheck_all(paths)


def test_a_claim_is_used_where_it_is_proved_itself(tmp_path, tangent):
    tangent = json.loads(json.dumps(document_of(
        verify(tangent_goal(), Step("lemma", {"name": "exp-tangent", "at": {"z": X}}, (Step("assumption"),))),
        "tangent")))
    user = using("user", "tangent")
    assert [r.accepted for r in rechecked(tmp_path, user, tangent)] == [True, True]
    alone, = rechecked(tmp_path, user)
    assert not alone.accepted
    assert "not among those that are proved" in alone.reason


def test_claims_that_use_each_other_in_a_circle_are_refused(tmp_path):
    itself, = rechecked(tmp_path, using("a", "a"))
    assert not itself.accepted
    assert "circle" in itself.reason
    rows = rechecked(tmp_path, using("a", "b"), using("b", "c"), using("c", "a"))
    assert [r.accepted for r in rows] == [False, False, False]
    assert all("circle" in r.reason for r in rows)


def test_a_used_claim_that_says_something_else_is_refused(tmp_path, tangent):
    other = {**json.loads(json.dumps(document_of(check("x^2 >= 0").formal, "tangent")))}
    _, row = rechecked(tmp_path, other, using("user", "tangent"))
    assert not row.accepted
    assert "says something else" in row.reason
    # the digest of what is really there does not help: then the step does not fit
    goal = recheck(other).goal
    _, row = rechecked(tmp_path, other, using("user", "tangent", digest=digest_of(goal)))
    assert not row.accepted


def test_a_claim_that_is_refuted_cannot_be_used(tmp_path):
    false = check("exp(x) >= 2 + x")
    document = json.loads(json.dumps(document_of(false.formal, "tangent")))
    first, second = rechecked(tmp_path, document, using("user", "tangent"))
    assert first.verdict == "refuted"
    assert not second.accepted


# --- every kind of formula, and the checker alone -----------------------------------------------


def some_of_every_kind():
    """Proofs of a sum, of a statement about every index, of a limit, of an order relation, of a guarantee."""
    from symdp.audit.settling.dispatch import settle
    from symdp.sources.registry import claim

    k = variable("k")
    squares = sum_over("i", ONE, k, member("a", variable("i")) ** number(2))
    families = (("a", "real"),)
    yield verify(Goal((("k", "integer"),), (), Relation(ZERO, "<=", squares), families), Step("enclosure"))
    each = Each(ONE, k, Relation(ZERO, "<=", member("a", bound(0)) ** number(2)), "i")
    yield verify(Goal((("k", "integer"),), (), each, families), Step("each", {"name": "i"}, (Step("enclosure"),)))
    inside = Relation(ONE / X, ">=", ZERO)
    yield verify(Goal((), (), Continued(inside, "x", ZERO, (("x", "real"),), (Relation(X, ">=", ZERO),))),
                 Step("continued", {}, (Step("enclosure"),)))
    for id in ("kov/thm-3.1", "kov/sec-1.drv-order", "kov/sec-1.drv-order.corrected"):
        yield settle(claim(id)).formal


@pytest.mark.long
def test_the_checker_alone_reads_every_kind_of_certificate(tmp_path):
    """In a process of its own, so that nothing else has registered what it needs."""
    found = list(some_of_every_kind())
    for i, proof in enumerate(found):
        write_document(document_of(proof, f"kind {i}"), tmp_path / f"{i}.json")
    refutation = check("exp(x) <= 1+x+x^2/2", ["x >= 0"]).formal
    write_document(document_of(refutation, "false"), tmp_path / "false.json")
    done = run_checker(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["proved"] * len(found) + ["refuted"]
    assert "it is not so that" in done.stdout


def run_checker(*arguments):
    return subprocess.run([sys.executable, "-m", "symdp.kernel", *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, check=False, timeout=120)


def test_the_checker_alone_says_what_it_refuses(tmp_path, tangent):
    (tmp_path / "good.json").write_text(json.dumps(tangent))
    (tmp_path / "forged.json").write_text(json.dumps({**tangent, "statement": "0 == 1"}))
    (tmp_path / "noise.json").write_text("noise")
    done = run_checker(tmp_path, tmp_path / "absent.json")
    assert done.returncode == 1
    words = {line.split()[1].rstrip(":"): line.split()[0] for line in done.stdout.splitlines()}
    assert words == {"good.json": "proved", "forged.json": "rejected", "noise.json": "rejected",
                     "absent.json": "rejected"}
    assert not done.stderr
    assert run_checker().returncode == 2
    assert run_checker(tmp_path / "good.json").returncode == 0


def test_names_of_strangers_do_not_speak_to_the_terminal(tmp_path, tangent):
    poisoned = {**tangent, "steps": [["\x1b[31mproved", {}, []]]}
    (tmp_path / "red.json").write_text(json.dumps(poisoned))
    assert "\x1b" not in run_checker(tmp_path).stdout
