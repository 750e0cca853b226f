"""A claim goes to the tool that settles it, and no tool is taken in by a claim."""

import json

import pytest

from symdp.arguments.constructions import Observation, names, run
from symdp.audit import memory as audit_memory
from symdp.audit.campaign import Options, audit_all, audit_one
from symdp.audit.rechecking import certificate_of, recheck_file
from symdp.audit.record import SUFFIX
from symdp.audit.seal import seal_of_claim
from symdp.audit.settling.derived_claims import establish
from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal
from symdp.audit.settling.instances import argue_from_examples
from symdp.formulas.notation import x
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import le
from symdp.kernel.certificate import recheck
from symdp.kernel.proof import Proof
from symdp.search.certificates import write_document
from symdp.search.prove import check
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.registry import claim, select
from symdp.sources.statement import (
    Inequality,
    Source,
    Statement,
    Structural,
    nonnegative,
    positive,
    real,
)

BOOK = Source("book", "A book", "nobody2026book")


def stated(claim, variables=None):
    lemma = Statement(BOOK.lemma("1"), "A lemma", variables=variables or {x: real}, claims=(claim,))
    return lemma.claims[0]


def tangent(where=("x >= 0",), op="<=", end="exp(x)"):
    return Derivation("A tangent", where=list(where)).start("1 + x").link(op, end)


def relation(space):
    claim = Inequality("", "the tangent", parse_relation("1 + x <= exp(x)"), derivation=tangent())
    return stated(claim, {x: space})


def test_a_derivation_settles_its_claim():
    stated = relation(nonnegative)
    for verdict in (settle(stated), establish(stated, budget=5)):
        assert verdict
        assert isinstance(verdict.formal, Proof)
        assert verdict.formal.goal == formal_goal(stated)


def argued_at_most(claim, *words):
    """The derivation shows something, or nothing; that it shows the claim would be words, and it says so."""
    verdict = establish(claim, budget=5)
    assert verdict.status.value in ("argued", "undecided")
    assert verdict.formal is None
    assert not verdict
    if verdict.status.value == "argued":
        assert verdict.words[0] == f"that this shows: {claim.says}"
    for word in words:
        assert word in verdict.method
    return verdict


def test_a_derivation_on_less_than_the_domain_does_not_prove_the_claim():
    argued_at_most(relation(real), "x >= 0")


def test_an_assumption_on_the_way_is_noticed():
    proof = Derivation("", where=["x >= 0"]).suppose("x <= 1").start("x").le("1")
    claim = stated(Inequality("", "too much", parse_relation("x <= 1"), derivation=proof), {x: nonnegative})
    argued_at_most(claim)
    # what is false is refuted, whatever a derivation says
    assert settle(claim, budget=5).status.value == "refuted"


def test_integers_of_the_derivation_must_be_integers_of_the_claim():
    proof = Derivation("", where=["1 <= x <= 2"], integer=["x"]).start("0").le("(x-1)*(x-2)")
    claim = stated(Inequality("", "whole numbers", parse_relation("0 <= (x-1)*(x-2)"), derivation=proof,
                              where=(parse_relation("x >= 1"), parse_relation("x <= 2"))))
    argued_at_most(claim)


def test_a_derivation_of_something_else_does_not_prove_the_claim():
    claim = stated(Inequality("", "another", parse_relation("2 + x <= exp(x)"), derivation=tangent()),
                   {x: nonnegative})
    argued_at_most(claim)
    assert settle(claim, budget=5).status.value == "refuted"


def test_a_wrong_line_and_lines_that_only_cite_settle_nothing():
    wrong = Structural("", "wrong", derivation=tangent(end="1 + x/2"))
    assert establish(wrong, budget=5).status.value == "undecided"
    cited = Structural("", "cited", derivation=Derivation("").cite("somebody says so", "a book"))
    assert establish(cited, budget=5).status.value == "undecided"


def test_a_statement_in_words_is_argued_at_best():
    goldbach = Structural("", "every even number above 2 is a sum of two primes", derivation=tangent())
    verdict = settle(goldbach, budget=5)
    assert verdict.status.value == "argued"
    assert verdict.words[0] == "that this shows: every even number above 2 is a sum of two primes"
    assert verdict.checked == ("x + 1 <= exp(x) for every real x with x >= 0",)
    assert not verdict.against
    row = verdict.as_json()
    assert (row["words"], row["checked"], row["against"]) == (
        list(verdict.words), list(verdict.checked), False)


def test_a_proof_of_another_goal_is_an_argument(monkeypatch):
    """A tool that comes with a proof of something else does not get the claim proved."""
    from symdp.audit.settling import dispatch

    other = check("1 + x <= exp(x)", ["x >= 5"])
    monkeypatch.setattr(dispatch, "decide_relation", lambda *a, **k: other)
    verdict = settle(relation(real))
    assert verdict.status.value == "argued"
    assert verdict.checked == (str(other.formal.goal),)
    false = check("2 + x <= exp(x)")
    monkeypatch.setattr(dispatch, "decide_relation", lambda *a, **k: false)
    verdict = settle(relation(real))
    assert (verdict.status.value, verdict.against) == ("argued", True)


@pytest.mark.parametrize(("quantifier", "expected"), [("all", "undecided"), ("some", "argued")])
def test_an_instance_argues_that_something_exists_and_no_more(quantifier, expected):
    """It was *proved* once; but a construction is code that the kernel does not check."""
    claim = Structural("", "coins", examples=(Example("fair-coin", {"sides": 3}),), quantifier=quantifier)
    verdict = argue_from_examples(claim)
    assert verdict.status.value == expected
    assert not verdict.against
    if expected == "argued":
        assert any("which the kernel does not check" in w for w in verdict.words)


def test_an_instance_that_fails_argues_against_a_claim_about_all(monkeypatch):
    """It was *refuted* once; only the kernel's own witness refutes."""
    from symdp.audit.settling import instances

    monkeypatch.setattr(instances, "run", lambda example: Observation(False, "it fails"))
    claim = Structural("", "coins", examples=(Example("fair-coin", {"sides": 3}),))
    verdict = argue_from_examples(claim)
    assert (verdict.status.value, verdict.against) == ("argued", True)
    assert verdict.witness is None


def test_constructions_have_names():
    assert "fair-coin" in names()
    with pytest.raises(LookupError):
        run(Example("no-such-thing"))


def test_an_audit_goes_on_where_the_last_one_stopped(tmp_path):
    options = Options(budget=5, out=tmp_path, fresh=False)
    first = audit_all(select(["kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound"]), options)
    again = audit_all(select(["kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound"]), options)
    assert [r.as_json() for r in again] == [r.as_json() for r in first]
    # What was changed behind its back is settled anew.
    path = next(p for p in tmp_path.glob("*.json") if "centring" in p.name)
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "steps": document["steps"][:1]}))
    assert audit_one("kov/thm-3.2.centring-helps", options).verdict == "proved"
    assert json.loads(path.read_text())["steps"] == document["steps"]


def test_a_record_of_another_toolkit_is_replayed(tmp_path, monkeypatch):
    options = Options(budget=5, out=tmp_path, fresh=False)
    first = audit_one("kov/sec-7.mgf-bound", options)
    (memory,) = tmp_path.glob(f"*{SUFFIX}")
    kept = json.loads(memory.read_text())
    replays = []
    monkeypatch.setattr(audit_memory, "recheck", lambda *given: replays.append(given) or recheck(*given))
    with monkeypatch.context() as older:
        older.setattr(audit_memory, "seal_of_code", lambda: "an older one")
        assert audit_one("kov/sec-7.mgf-bound", options) == first
        assert json.loads(memory.read_text())["toolkit"] == "an older one"
    assert audit_one("kov/sec-7.mgf-bound", options) == first
    assert json.loads(memory.read_text()) == kept  # it is known to hold with today's tools
    assert len(replays) == 2
    assert audit_one("kov/sec-7.mgf-bound", options) == first
    assert len(replays) == 2
    memory.write_text(json.dumps({**kept, "claim": "another"}))
    assert audit_one("kov/sec-7.mgf-bound", options).verdict == "refuted"
    memory.write_text("not JSON")
    assert audit_one("kov/sec-7.mgf-bound", options).verdict == "refuted"


def test_a_digest_follows_every_part_of_a_claim():
    one = stated(Inequality("", "less", le(x, x + 1)))
    changed = [
        stated(Inequality("", "less", le(x, x + 2))),
        stated(Inequality("", "less", le(x, x + 1)), {x: positive}),
        stated(Inequality("", "less", le(x, x + 1), derivation=tangent())),
        stated(Inequality("", "less", le(x, x + 1), examples=(Example("fair-coin", {"sides": 2}),))),
    ]
    assert len({seal_of_claim(c) for c in (one, *changed)}) == 5


@pytest.mark.long
def test_the_certificate_of_a_best_constant_is_about_the_claim_at_that_constant(tmp_path):
    path = tmp_path / "range.json"
    verdict = settle(claim("kov/thm-3.4.range"))
    write_document(certificate_of(verdict, "kov/thm-3.4.range"), path)
    row = recheck_file(path)
    assert row.accepted
    assert row.claim == str(verdict.formal.goal)
    # what holds of another claim is no evidence for this one
    other = settle(claim("kov/thm-3.4.simplified.sharper"))
    write_document(certificate_of(other, "kov/sec-7.alon-spencer"), path)
    assert "out of date" in recheck_file(path).reason
