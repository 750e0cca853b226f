"""An audit of what has not changed is told from its folder, and of nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from symdp.audit import campaign
from symdp.audit import unchanged as module
from symdp.audit.campaign import Options, audit_all, in_groups
from symdp.audit.memory import record_document
from symdp.audit.record import PURPOSE, path_of
from symdp.audit.settling import derived_claims
from symdp.audit.settling.derived_claims import establish, formalised
from symdp.audit.unchanged import unchanged
from symdp.search.verdict import Status
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.registry import claim
from symdp.sources.statement import Structural
from symdp.users_mark import marked
from symdp.watched import OutOfBounds

PROVED, REFUTED, CITED = "blog/sec-optimal.rare", "kov/sec-6.1.example-set", "kov/eq-2.definition"
IDS = (PROVED, REFUTED, CITED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    audit_all([claim(id) for id in IDS], Options(out=tmp_path, fresh=False))
    return tmp_path


def change(folder: Path, id: str, **fields: object) -> None:
    """Write a record anew, with our mark on it."""
    path = path_of(folder, id)
    path.with_suffix(".settled").write_text(marked(PURPOSE, {**(record_document(path) or {}), **fields}))


def test_it_tells_what_an_audit_finds(folder):
    again = audit_all([claim(id) for id in IDS], Options(out=folder, fresh=False))
    told = unchanged(IDS, folder, 10)
    assert told is not None
    assert [r.as_json() for r in told] == [r.as_json() for r in again]
    assert [r.verdict for r in told] == ["proved", "refuted", "cited"]


def test_the_explanation_is_told_when_it_is_asked_for(folder):
    (short,), (long,) = unchanged([PROVED], folder, 10), unchanged([PROVED], folder, 10, explain=True)
    assert not short.explanation
    assert long.explanation


@pytest.mark.parametrize("fields", [
    {"toolkit": "of yesterday"}, {"literature": "of yesterday"}, {"certificate": "of another"},
    {"data": {"verdict": "error"}}, {"data": {"verdict": "undecided"}, "budget": 5, "certificate": None},
])
def test_what_has_changed_is_not_told(folder, fields):
    change(folder, PROVED, **fields)
    assert unchanged(IDS, folder, 10) is None
    assert unchanged([CITED], folder, 10) is not None


def test_a_record_without_our_mark_is_not_told(folder):
    settled = path_of(folder, PROVED).with_suffix(".settled")
    settled.write_text(settled.read_text().replace("proved", "refuted"))
    assert unchanged([PROVED], folder, 10) is None


def test_another_certificate_is_not_told(folder):
    path = path_of(folder, PROVED)
    path.write_text(json.dumps({**json.loads(path.read_text()), "name": "another"}))
    assert unchanged([PROVED], folder, 10) is None


def test_an_empty_folder_and_an_unknown_id_are_no_answer(folder, tmp_path_factory):
    assert unchanged(IDS, tmp_path_factory.mktemp("empty"), 10) is None
    assert unchanged(["kov/no-such-claim"], folder, 10) is None


def test_literature_that_differs_from_its_table_is_no_answer(folder, monkeypatch):
    monkeypatch.setattr(module.contents, "kept", lambda: None)
    assert unchanged(IDS, folder, 10) is None


# --- claims that rest on one derivation ---------------------------------------------------------

TANGENT = Derivation("A tangent", where=["x >= 0"]).start("1 + x").le("exp(x)")


def test_claims_with_the_same_derivation_are_settled_together():
    one, other = (Structural("", says, derivation=TANGENT) for says in ("the tangent", "it touches"))
    longer = Structural("", "more", derivation=TANGENT.le("2*exp(x)"))
    plain = Structural("", "by itself")
    assert in_groups(range(5), [plain, one, longer, other, plain]) == [[2], [1, 3], [0], [4]]
    routes = claim("kov/thm-3.1")  # which may take as long as a long derivation
    assert in_groups(range(4), [plain, one, routes, longer]) == [[2], [3], [1], [0]]


def test_a_derivation_is_checked_once_for_all_claims(monkeypatch):
    seen = []
    check = derived_claims.check_derivation
    monkeypatch.setattr(derived_claims, "_SHOWN", {})
    monkeypatch.setattr(derived_claims, "check_derivation", lambda d, **given: seen.append(d) or check(d, **given))
    verdicts = [establish(Structural("", says, derivation=TANGENT), 5) for says in ("the tangent", "it touches")]
    assert [v.status for v in verdicts] == [Status.ARGUED] * 2
    assert len(seen) == 1
    assert verdicts[0].words[0] != verdicts[1].words[0]


def test_what_did_not_succeed_is_tried_again_for_the_next_claim(monkeypatch):
    wrong = Derivation("Wrong", where=["x >= 0"]).start("1 + x").ge("exp(x)")
    tried = []
    prove = derived_claims.formalise
    monkeypatch.setattr(derived_claims, "_SHOWN", {})
    monkeypatch.setattr(derived_claims, "formalise", lambda *args, **named: tried.append(1) or prove(*args, **named))
    assert formalised(wrong, 1.0, None).proof is None
    assert formalised(wrong, 1.0, None).proof is None
    assert len(tried) == 2


def test_a_group_that_comes_to_no_end_is_settled_one_by_one(monkeypatch):
    def ended(work, *given, **bounds):
        if work is campaign._all_here:
            raise OutOfBounds("stopped at 2 GB of memory")
        return work(*given)

    monkeypatch.setattr(campaign, "watched", ended)
    records = campaign.audit_together([PROVED, REFUTED], replace(Options(), memory=2**31))
    assert [r.verdict for r in records] == ["proved", "refuted"]


def test_what_was_derived_stays_derived_when_its_proof_is_replayed(folder):
    """A proof of what was found is no less than what was found, and the words of the record still hold."""
    data = {**(record_document(path_of(folder, PROVED)) or {})["data"], "verdict": "derived", "method": "found so"}
    change(folder, PROVED, toolkit="of yesterday", data=data)
    (again,) = audit_all([claim(PROVED)], Options(out=folder, fresh=False))
    assert (again.verdict, again.data["method"]) == ("derived", "found so")


def test_what_is_refuted_was_not_derived(folder):
    data = {**(record_document(path_of(folder, REFUTED)) or {})["data"], "verdict": "derived"}
    change(folder, REFUTED, toolkit="of yesterday", data=data)
    (again,) = audit_all([claim(REFUTED)], Options(out=folder, fresh=False))
    assert again.verdict == "refuted"


def test_no_folder_is_made_for_claims_that_there_are_not(tmp_path, symdp):
    code, _, err = symdp("audit", "nonsense", "--out", tmp_path / "new")
    assert code == 2
    assert "no statement or claim 'nonsense'" in err
    assert not (tmp_path / "new").exists()
