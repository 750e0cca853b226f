"""A claim goes to the tool that settles it, and no tool is taken in by a claim."""

import json

import pytest
from symdp.proving.certificate import write_document

from symdp.auditing.campaign import Options, settle_all, settle_one
from symdp.auditing.established import Established, establish
from symdp.auditing.instances import Instance, settle_examples
from symdp.auditing.memory import SUFFIX
from symdp.auditing.rechecking import document_of, recheck_file
from symdp.auditing.record import digest_of
from symdp.auditing.settling import settle
from symdp.constructions import names, run
from symdp.derivation import Derivation
from symdp.example import Example
from symdp.notation import x
from symdp.parsing import parse_relation
from symdp.registry import claim, select
from symdp.relation import le
from symdp.statement import Inequality, Source, Statement, Structural, nonnegative, positive, real

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
    verdict = settle(relation(nonnegative))
    assert verdict
    assert isinstance(verdict.proof, Established)


def test_a_derivation_on_less_than_the_domain_settles_nothing():
    verdict = establish(relation(real), budget=5)
    assert verdict.status.value == "undecided"
    assert "x >= 0" in verdict.method


def test_an_assumption_on_the_way_is_noticed():
    proof = Derivation("", where=["x >= 0"]).suppose("x <= 1").start("x").le("1")
    claim = stated(Inequality("", "too much", parse_relation("x <= 1"), derivation=proof), {x: nonnegative})
    assert establish(claim, budget=5).status.value == "undecided"


def test_integers_of_the_derivation_must_be_integers_of_the_claim():
    proof = Derivation("", where=["x >= 1"], integer=["x"]).start("1").le("x^2")
    claim = stated(Inequality("", "whole numbers", parse_relation("1 <= x^2"), derivation=proof,
                              where=(parse_relation("x >= 1"),)))
    assert establish(claim, budget=5).status.value == "undecided"


def test_a_derivation_of_something_else_settles_nothing():
    claim = stated(Inequality("", "another", parse_relation("2 + x <= exp(x)"), derivation=tangent()),
                   {x: nonnegative})
    assert establish(claim, budget=5).status.value == "undecided"


def test_a_wrong_line_and_lines_that_only_cite_settle_nothing():
    wrong = Structural("", "wrong", derivation=tangent(end="1 + x/2"))
    assert establish(wrong, budget=5).status.value == "undecided"
    cited = Structural("", "cited", derivation=Derivation("").cite("somebody says so", "a book"))
    assert establish(cited, budget=5).status.value == "undecided"


def test_only_the_checkers_make_evidence():
    with pytest.raises(TypeError, match="only"):
        Established(relation(real), None)
    coin = Example("fair-coin", {"sides": 2})
    with pytest.raises(TypeError, match="only"):
        Instance(relation(real), coin, run(coin))


@pytest.mark.parametrize(("quantifier", "expected"), [("all", "undecided"), ("some", "proved")])
def test_an_instance_proves_that_something_exists_and_no_more(quantifier, expected):
    claim = Structural("", "coins", examples=(Example("fair-coin", {"sides": 3}),), quantifier=quantifier)
    assert settle_examples(claim).status.value == expected


def test_constructions_have_names():
    assert "fair-coin" in names()
    with pytest.raises(LookupError):
        run(Example("no-such-thing"))


def test_an_audit_goes_on_where_the_last_one_stopped(tmp_path):
    options = Options(budget=5, out=tmp_path, fresh=False)
    first = settle_all(select(["kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound"]), options)
    again = settle_all(select(["kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound"]), options)
    assert [r.as_json() for r in again] == [r.as_json() for r in first]
    # What was changed behind its back is settled anew.
    path = next(p for p in tmp_path.glob("*.json") if "centring" in p.name)
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "steps": document["steps"][:1]}))
    assert settle_one("kov/thm-3.2.centring-helps", options).verdict == "proved"
    assert json.loads(path.read_text())["steps"] == document["steps"]


def test_a_record_of_another_toolkit_is_replayed(tmp_path):
    options = Options(budget=5, out=tmp_path, fresh=False)
    settle_one("kov/sec-7.mgf-bound", options)
    (memory,) = tmp_path.glob(f"*{SUFFIX}")
    kept = json.loads(memory.read_text())
    memory.write_text(json.dumps({**kept, "toolkit": "an older one"}))
    assert settle_one("kov/sec-7.mgf-bound", options).verdict == "refuted"
    assert json.loads(memory.read_text()) == kept  # it is known to hold with today's tools
    memory.write_text(json.dumps({**kept, "claim": "another"}))
    assert settle_one("kov/sec-7.mgf-bound", options).verdict == "refuted"
    memory.write_text("not JSON")
    assert settle_one("kov/sec-7.mgf-bound", options).verdict == "refuted"


def test_a_digest_follows_every_part_of_a_claim():
    one = stated(Inequality("", "less", le(x, x + 1)))
    changed = [
        stated(Inequality("", "less", le(x, x + 2))),
        stated(Inequality("", "less", le(x, x + 1)), {x: positive}),
        stated(Inequality("", "less", le(x, x + 1), derivation=tangent())),
        stated(Inequality("", "less", le(x, x + 1), examples=(Example("fair-coin", {"sides": 2}),))),
    ]
    assert len({digest_of(c) for c in (one, *changed)}) == 5


def test_the_certificate_of_a_best_constant_is_about_the_claim_at_that_constant(tmp_path):
    path = tmp_path / "range.json"
    verdict = settle(claim("kov/thm-3.4.range"))
    write_document(document_of(verdict.proof, "kov/thm-3.4.range"), path)
    assert recheck_file(path).accepted
    # what holds of another claim is no evidence for this one
    other = settle(claim("kov/thm-3.4.simplified.sharper"))
    write_document(document_of(other.proof, "kov/sec-7.alon-spencer"), path)
    assert "out of date" in recheck_file(path).reason
