"""Certificates become Coq files, and Coq alone decides: a false one is refused, whatever our kernel was told."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from symdp.audit.shipped import ARCHIVE
from symdp.formal import compiling
from symdp.formal.compiling import LIBRARY, NoCoq, check_all, is_allowed, written
from symdp.formal.export import exported
from symdp.kernel.certificate import BadCertificate
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import apply, bound, number, sum_over, variable
from symdp.search.certificates import Writer

x, one = variable("x"), number(1)

HAS_COQ = shutil.which("coqc") is not None and (LIBRARY / "theories" / "Certificates.vo").exists()
needs_coq = pytest.mark.skipif(not HAS_COQ, reason="coqc or the compiled library is missing: make formal")


def document(goal: Goal, *, step: Step | None = None, at: dict[str, str] | None = None) -> dict:
    """A certificate that nobody has checked."""
    writer = Writer()
    found = {"format": 4, "name": "a/claim", "statement": str(goal), "goal": writer.goal(goal)}
    if step is not None:
        found["steps"] = writer.steps(step)
    else:
        found["witness"] = {"values": at or {}, "families": {}, "indices": []}
    return {**found, "terms": writer.rows}


def saved(folder: Path, doc: dict) -> Path:
    path = folder / "a.json"
    path.write_text(json.dumps(doc))
    return path


TANGENT = Goal((("x", REAL),), (), Relation(x + one, "<=", apply("exp", x)))
BY_LEMMA = Step("lemma", {"name": "exp-tangent", "at": {"z": x}}, (Step("assumption"),))


def with_sums(most: int) -> Goal:
    """Of every i up to k/2, that binomial coefficients add up to little; from which k >= 3 is claimed."""
    k = variable("k")
    inside = sum_over("j", number(0), bound(0), apply("binomial", k, variable("j")))
    each = Each(one, apply("floor", k / number(2)), Relation(inside, "<=", number(most)), "i")
    return Goal((("k", INTEGER),), (Relation(k, ">=", one), each), Relation(k, ">=", number(3)))


FALSE = Goal((("x", REAL),), (Relation(x, ">=", number(0)),), Relation(apply("exp", x), "<=", one + x))


def test_a_certificate_becomes_the_same_file_whatever_the_order_of_sets(tmp_path):
    with zipfile.ZipFile(ARCHIVE) as shipped:
        path = Path(shipped.extract("kov_cor-4.1.json", tmp_path))
    script = ("import sys; from pathlib import Path; from symdp.formal.export import exported; "
              "print(exported(Path(sys.argv[1])).text)")
    texts = {subprocess.run([sys.executable, "-c", script, str(path)], env={**os.environ, "PYTHONHASHSEED": seed},
                            capture_output=True, text=True, check=True).stdout for seed in "0123"}
    assert len(texts) == 1
    assert "Theorem claim_kov_cor_4_1" in texts.pop()


def test_a_proof_becomes_one_theorem_with_its_assumptions_printed(tmp_path):
    found = exported(saved(tmp_path, document(TANGENT, step=BY_LEMMA)))
    assert (found.verdict, found.claim) == ("proved", "a/claim")
    assert "Theorem claim_a_claim :\n  forall x : R,\n  x + 1 <= exp x." in found.text
    assert "(** a/claim: x + 1 <= exp(x) for every real x *)" in found.text
    assert found.text.rstrip().endswith("Print Assumptions claim_a_claim.")
    assert "Admitted" not in found.text


def test_a_claim_cannot_end_the_comment_it_stands_in(tmp_path):
    doc = document(TANGENT, step=BY_LEMMA) | {"name": 'x *) Axiom cheat : False. (* "'}
    text = exported(saved(tmp_path, doc)).text
    words = text.partition("\n")[2]  # below the line that says who wrote it
    assert words.index("*)") > words.index("for every real x")


def test_what_is_not_exported_is_listed_with_its_rule(tmp_path):
    found = exported(saved(tmp_path, document(TANGENT, step=Step("claim", {"id": "b"}, ()))))
    row = written(found, tmp_path / "out")
    assert found.text is None
    assert (row.accepted, row.rule) == (False, "claim")
    assert row.message.startswith("not exported: claim: ")
    assert not (tmp_path / "out").exists()


def test_no_certificate_is_one_clear_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"format": 1}')
    with pytest.raises(BadCertificate, match="no certificate of format"):
        exported(path)
    with pytest.raises(BadCertificate, match="malformed"):
        exported(saved(tmp_path, document(TANGENT, step=BY_LEMMA) | {"goal": {"variables": 7}}))


def test_without_coq_the_cure_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(compiling.shutil, "which", lambda _: None)
    with pytest.raises(NoCoq, match="make formal"):
        check_all([], tmp_path)


def test_only_axioms_of_coqs_own_libraries_are_allowed():
    assert is_allowed("Classical_Prop.classic")
    assert is_allowed("Uint63.add_spec")
    assert not is_allowed("cheat")


@needs_coq
@pytest.mark.long
def test_coq_accepts_a_lemma_and_a_counterexample_and_says_what_they_assume(tmp_path):
    (row,) = check_all([exported(saved(tmp_path, document(TANGENT, step=BY_LEMMA)))], tmp_path / "out")
    assert row.accepted, row.message
    assert "Classical_Prop.classic" in row.axioms
    (row,) = check_all([exported(saved(tmp_path, document(FALSE, at={"x": "1/1"})))], tmp_path / "out")
    assert row.accepted, row.message
    assert any(a.startswith("Uint63.") for a in row.axioms)


@needs_coq
@pytest.mark.long
def test_at_a_point_sums_are_written_out_and_each_index_is_looked_at(tmp_path):
    found = exported(saved(tmp_path, document(with_sums(3), at={"k": "2/1"})))
    assert "i <= floor (k / 2) -> sum_from 0 i (fun i_1 => binomial k i_1) <= 3" in found.text
    (row,) = check_all([found], tmp_path / "out")
    assert row.accepted, row.message
    k = variable("k")
    half = apply("floor", k / number(2))
    halves = Goal((("k", INTEGER),), (Relation(k, ">=", one),), Relation(half + one, "==", k))
    (row,) = check_all([exported(saved(tmp_path, document(halves, at={"k": "3/1"})))], tmp_path / "out")
    assert row.accepted, row.message


@needs_coq
@pytest.mark.parametrize("doc", [
    # a step that our kernel would refuse: an enclosure of what is false, another lemma, a hypothesis that is none
    document(FALSE, step=Step("enclosure")),
    document(FALSE, step=Step("assumption")),
    document(TANGENT, at={"x": "1/1"}),
    document(with_sums(2), at={"k": "2/1"}),
    document(Goal((("x", REAL),), (), Relation(x / x, "==", one)), step=Step("enclosure")),
], ids=["enclosure", "assumption", "witness", "sums", "undefined"])
@pytest.mark.long
def test_coq_refuses_what_is_false_though_nobody_else_looked(doc, tmp_path):
    found = exported(saved(tmp_path, doc))
    assert found.text is not None  # it is Coq that refuses
    (row,) = check_all([found], tmp_path / "out", budget=120)
    assert not row.accepted
    assert row.message.startswith("line ")


@needs_coq
@pytest.mark.long
def test_what_did_not_change_is_not_compiled_again_and_a_changed_file_breaks_its_seal(tmp_path, monkeypatch):
    found = exported(saved(tmp_path, document(TANGENT, step=BY_LEMMA)))
    first = check_all([found], tmp_path / "out")
    calls = []
    run = compiling._run
    monkeypatch.setattr(compiling, "_run", lambda *given: calls.append(given) or run(*given))
    assert check_all([found], tmp_path / "out") == first
    assert not calls
    # a certificate that was written anew, with the same theorem and proof: nothing to compile, but another seal
    sealed = (tmp_path / "out" / "claim_a_claim.seal").read_text()
    again = saved(tmp_path, document(TANGENT, step=BY_LEMMA) | {"versions": {"symdp": "of another day"}})
    assert check_all([exported(again)], tmp_path / "out") == first
    assert not calls
    assert (tmp_path / "out" / "claim_a_claim.seal").read_text() != sealed
    (tmp_path / "out" / "claim_a_claim.vo").write_bytes(b"something else")
    assert check_all([found], tmp_path / "out")[0].accepted
    assert len(calls) == 1
