"""Checked by Coq is said only where we saw it ourselves, of what lies there now."""

import json
from dataclasses import replace

import pytest

from symdp.audit import coq_verdicts
from symdp.audit.campaign import Options, audit_one
from symdp.audit.coq_verdicts import keep, place_of
from symdp.audit.record import path_of
from symdp.formal.compiling import Checked, file_of
from symdp.formal.compiling import written as write_theorem
from symdp.formal.export import exported
from symdp.report.page.summary import campaign_as_json
from symdp.search.reasons import Trust
from symdp.users_mark import STATE

CLAIM = "kov/thm-3.1.product"
CITED = "kairouz2015composition, Section 6: a composition of private mechanisms is a function of randomised responses"


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The certificate of a claim, settled once."""
    folder = tmp_path_factory.mktemp("audited")
    assert audit_one(CLAIM, Options(out=folder)).verdict == "proved"
    return path_of(folder, CLAIM).read_bytes()


@pytest.fixture
def place(audited, tmp_path, monkeypatch):
    """A folder with that certificate, and what would be written if Coq had accepted its theorem."""
    monkeypatch.setenv(STATE, str(tmp_path / "state"))
    folder = tmp_path / "certificates"
    folder.mkdir()
    path = path_of(folder, CLAIM)
    path.write_bytes(audited)
    found = exported(path)
    write_theorem(found, tmp_path / "coq")
    said = Checked(str(path), CLAIM, "proved", found.statement, True, ("Classical_Prop.classic",), message="accepted")
    keep(found, said, tmp_path / "coq")
    return path


def record(path):
    return audit_one(CLAIM, Options(out=path.parent, fresh=False))


@pytest.mark.long
def test_a_verdict_says_that_coq_checked_it_and_no_longer_cites_domination(place):
    found = record(place)
    assert found.by_coq
    assert found.data["coq"]["axioms"] == ["Classical_Prop.classic"]
    assert CITED not in found.data["trust"]
    assert str(Trust.read(found.data)).startswith("checked by Coq: claim_kov_thm_3_1_product")
    assert campaign_as_json([found])["summary"] == {"total": 1, "proved": 1, "checked by Coq": 1}


def test_without_coq_domination_is_cited(place):
    place_of(place).unlink()
    found = record(place)
    assert not found.by_coq
    assert CITED in found.data["trust"]
    assert "checked by Coq" not in campaign_as_json([found])["summary"]


def changed_certificate(place, tmp_path):
    document = json.loads(place.read_bytes())
    place.write_text(json.dumps(document, indent=1))


def changed_theorem(place, tmp_path):
    path = file_of(exported(place), tmp_path / "coq")
    path.write_text(path.read_text() + "(* nothing *)\n")


def no_theorem(place, tmp_path):
    file_of(exported(place), tmp_path / "coq").unlink()


def changed_words_of_coq(place, tmp_path):
    document = json.loads(place_of(place).read_text())
    document["coq"]["axioms"] = []
    place_of(place).write_text(json.dumps(document))


def other_goal(place, tmp_path):
    document = json.loads(place_of(place).read_text())
    document["goal"] = "0" * 64
    place_of(place).write_text(json.dumps(document))


@pytest.mark.parametrize(
    "change", [changed_certificate, changed_theorem, no_theorem, changed_words_of_coq, other_goal])
def test_changing_any_part_breaks_the_seal(place, tmp_path, change):
    change(place, tmp_path)
    found = record(place)
    assert found.verdict == "proved"
    assert not found.by_coq


@pytest.mark.parametrize("part", ["library_digest", "seal_of_code"])
def test_another_library_or_exporter_breaks_the_seal(place, monkeypatch, part):
    monkeypatch.setattr(coq_verdicts, part, lambda *_: "another")
    assert not record(place).by_coq


def test_a_strangers_folder_cannot_claim_it(place, tmp_path, monkeypatch):
    assert record(place).by_coq
    monkeypatch.setenv(STATE, str(tmp_path / "another user"))
    found = record(place)
    assert found.verdict == "proved"
    assert not found.by_coq


def test_a_folder_without_a_mark_cannot_claim_it(place):
    document = json.loads(place_of(place).read_text())
    document.pop("mark")
    place_of(place).write_text(json.dumps(document))
    assert not record(place).by_coq


def test_what_coq_refused_is_not_said_any_longer(place, tmp_path):
    found = exported(place)
    refused = Checked(str(place), CLAIM, "proved", found.statement, False, (), 1.0, "line 7: No such goal.")
    keep(found, refused, tmp_path / "coq")
    assert not place_of(place).exists()
    assert not record(place).by_coq


def test_the_verdict_must_be_the_same(place, tmp_path):
    said = Checked(str(place), CLAIM, "refuted", "", True)
    keep(replace(exported(place), verdict="refuted"), said, tmp_path / "coq")
    assert not record(place).by_coq
