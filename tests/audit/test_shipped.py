"""The verdicts that come with the package are those of its claims, and nothing else is shown for them."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from symdp.audit import memory, shipped
from symdp.audit.campaign import Options, audit_all
from symdp.audit.memory import recall, record_document
from symdp.audit.record import SUFFIX, path_of
from symdp.audit.seal import seal_of_claim
from symdp.audit.settling.formal_goals import formal_goal
from symdp.audit.shipped import Damaged, laid_out, told
from symdp.cli.complaints import complaint
from symdp.kernel.certificate import digest_of
from symdp.kernel.goals import Goal
from symdp.kernel.rules.orders import Fails, Order
from symdp.report.page.page import anchor
from symdp.report.page.page_figures import figure_of
from symdp.report.page.shipping import ship
from symdp.sources.registry import claims, select


@pytest.fixture(scope="module")
def small_audit(tmp_path_factory):
    """A small audit, and the archive that is made of it."""
    chosen, folder = select(["kov/thm-3.1"]), tmp_path_factory.mktemp("audit")
    audit_all(chosen, Options(out=folder))
    archive = tmp_path_factory.mktemp("packed") / "verdicts.zip"
    assert ship(folder, chosen, archive) is None
    return folder, archive


@pytest.fixture
def audited(small_audit, tmp_path, monkeypatch):
    """A small audit, packed; the state of a user who has seen nothing yet."""
    chosen = select(["kov/thm-3.1"])
    folder, archive = small_audit
    shutil.copytree(folder, tmp_path / "audit")
    monkeypatch.setattr(shipped, "ARCHIVE", Path(shutil.copy(archive, tmp_path / "verdicts.zip")))
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    laid_out.cache_clear()
    yield chosen
    laid_out.cache_clear()


def recalled(claim):
    folder = laid_out()
    return recall(claim, 10.0, path_of(folder, claim.id), lambda id: path_of(folder, id))


def test_what_is_packed_is_laid_out_and_used(audited, monkeypatch):
    monkeypatch.setattr(memory, "replayed", lambda *_: pytest.fail("nothing has changed"))
    assert [recalled(claim).verdict for claim in audited] == [
        r.verdict for r in audit_all(audited, Options())]
    first = laid_out()
    laid_out.cache_clear()
    assert laid_out() == first


def test_with_other_code_the_kernel_replays_it(audited, monkeypatch):
    laid_out()
    monkeypatch.setattr(memory, "seal_of_code", lambda: "another")
    seen = []
    replay = memory.replayed
    monkeypatch.setattr(memory, "replayed", lambda *a: seen.append(a[0].id) or replay(*a))
    assert {recalled(claim).verdict for claim in audited} <= {"proved", "refuted"}
    assert seen == [claim.id for claim in audited]


def test_a_record_of_another_claim_is_not_shown(audited, monkeypatch):
    laid_out()
    monkeypatch.setattr(memory, "seal_of_claim", lambda claim: "says something else")
    monkeypatch.setattr(memory, "replayed", lambda *_: (_ for _ in ()).throw(ValueError))
    assert [recalled(claim) for claim in audited] == [None] * len(audited)


def test_an_audit_with_a_gap_is_not_packed(tmp_path):
    assert "has no record of today's code" in ship(tmp_path, select(["kov/thm-3.1"]), tmp_path / "verdicts.zip")


def test_every_claim_has_a_shipped_verdict():
    """If this fails, claims have changed: `make shipped` settles and packs them."""
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        there = {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(SUFFIX)}
    stale = [c.id for c in claims()
             if there.get(f"{path_of(shipped.ARCHIVE.parent, c.id).stem}{SUFFIX}", {}).get("claim")
             != seal_of_claim(c)]
    assert not stale


def test_every_shipped_verdict_has_the_certificate_of_its_claim():
    """`make recheck` replays the certificates; here each is about the goal of its claim, and says the verdict."""
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        for claim in claims():
            path = path_of(shipped.ARCHIVE.parent, claim.id)
            record = json.loads(archive.read(path.with_suffix(SUFFIX).name))
            if record["data"]["verdict"] not in ("proved", "refuted"):
                continue
            found = archive.read(path.name)
            assert record["certificate"] == hashlib.sha256(found).hexdigest(), claim.id
            goal = formal_goal(claim)
            goals = [goal, Goal((), (), Fails(goal.claim))] if isinstance(goal.claim, Order) else [goal]
            assert json.loads(found)["digest"] in map(digest_of, goals), claim.id
            refuting = "witness" in json.loads(found) or json.loads(found)["digest"] != digest_of(goal)
            assert refuting is (record["data"]["verdict"] == "refuted"), claim.id


def test_a_record_without_our_mark_is_no_record(audited):
    path = path_of(laid_out(), audited[0].id).with_suffix(SUFFIX)
    path.write_text(path.read_text().replace('"proved"', '"refuted"'))
    assert record_document(path) is None


@pytest.mark.long
def test_what_is_told_is_what_the_audit_said(audited):
    rows = told(["kov/thm-3.1"], 10.0)
    records = audit_all(audited, Options())
    for (home, claim, record), other in zip(rows, records, strict=True):
        assert home.id == "kov/thm-3.1"
        assert claim.id == record.name
        assert {**record.as_json(), "seconds": 0} == {**other.as_json(), "seconds": 0}


@pytest.mark.parametrize("change", ["code", "contents", "literature"])
def test_nothing_is_told_by_other_code_or_of_other_claims(audited, monkeypatch, change):
    assert told([audited[0].id], 10.0) is not None
    if change == "code":
        monkeypatch.setattr(shipped, "seal_of_code", lambda: "another")
    elif change == "contents":
        monkeypatch.setattr(shipped.contents, "digest", lambda: "another")
    else:
        monkeypatch.setenv("SYMDP_LITERATURE", "somewhere")
    assert told([audited[0].id], 10.0) is None


def test_a_damaged_file_is_not_told(audited):
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    forged = {name: content.replace(b'"proved"', b'"refuted"') if name.endswith(SUFFIX) else content
              for name, content in entries.items()}
    with zipfile.ZipFile(shipped.ARCHIVE, "w") as archive:
        for name, content in forged.items():
            archive.writestr(name, content)
    with pytest.raises(Damaged, match="is not what was packed"):
        told([audited[0].id], 10.0)
    laid_out.cache_clear()
    with pytest.raises(Damaged):
        laid_out()


DAMAGED = {
    "empty": b"", "cut": None, "no archive": b"x" * 1000, "no list": {}, "a list that is none": {"list": b"{"},
    "a list of other things": {"list": b"[1]"}, "a list without digests": {"list": b'{"from": 1}'},
    "a list that is deep": {"list": b"[" * 100_000}, "a list that is no text": {"list": b"\xff"},
}


@pytest.fixture
def packed(tmp_path, monkeypatch):
    """A file that came with the package, with nothing of worth in it."""
    monkeypatch.setattr(shipped, "ARCHIVE", tmp_path / "verdicts.zip")
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    shipped.pack({"a.json": b"{}" * 1000}, shipped.ARCHIVE)
    laid_out.cache_clear()
    yield
    laid_out.cache_clear()


@pytest.mark.parametrize("content", DAMAGED.values(), ids=list(DAMAGED))
def test_whatever_is_wrong_with_the_file_is_one_line(packed, content):
    if isinstance(content, dict):
        with zipfile.ZipFile(shipped.ARCHIVE, "w") as archive:
            for name, text in content.items():
                archive.writestr(name, text)
    else:
        shipped.ARCHIVE.write_bytes(shipped.ARCHIVE.read_bytes()[:-200] if content is None else content)
    laid_out.cache_clear()
    for use in (lambda: told(["kov/thm-3.1"], 10.0), laid_out):
        try:
            use()  # without a list, nothing was shipped
        except Damaged as reason:
            assert complaint(reason) == str(reason)
    assert not list(shipped.state_folder().glob("verdicts-????????"))


def test_an_entry_that_unpacks_without_end_is_not_unpacked(packed):
    with zipfile.ZipFile(shipped.ARCHIVE, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list", b" " * (shipped._LARGEST + 1))
    with pytest.raises(Damaged, match="larger than"):
        told(["kov/thm-3.1"], 10.0)


@pytest.mark.parametrize("name", ["../outside.json", "/tmp/outside.json", "a/../../outside.json", "..\\outside.json"])
def test_an_entry_stays_in_its_folder(packed, name):
    content = b"{}"
    listed = {"from": shipped.made_from(), "files": {name: hashlib.sha256(content).hexdigest()}}
    with zipfile.ZipFile(shipped.ARCHIVE, "w") as archive:
        archive.writestr("list", json.dumps(listed))
        archive.writestr(name, content)
    laid_out.cache_clear()
    place = laid_out()
    assert [path.parent for path in place.iterdir()] == [place]
    assert not list(place.parent.glob("*outside.json"))


def test_a_figure_is_packed_and_not_drawn_again(audited, monkeypatch):
    (record,) = (r for r in audit_all(audited[:1], Options()))
    drawn = figure_of(audited[0], record, anchor(audited[0].id), laid_out())
    monkeypatch.setattr("symdp.report.page.page_figures._drawn", lambda *given: pytest.fail("it was packed"))
    assert drawn is not None
    assert figure_of(audited[0], record, anchor(audited[0].id), laid_out()) == drawn


def test_show_and_errata_are_told_without_the_prover(tmp_path):
    """Where the file is of today's code; else there is nothing to see here. In a folder that Coq said nothing in."""
    if told(["kov/thm-3.4"], 10.0) is None:
        pytest.skip("the code has changed since the file was packed")
    code = ("import sys; from symdp.cli.app import main\ntry: main([*sys.argv[1:]])\n"
            "finally: print([m for m in ('sympy', 'flint', 'z3', 'matplotlib') if m in sys.modules])")
    for command, shown in ((["show", "kov/thm-3.4"], "kov/thm-3.4"), (["errata"], "refuted as printed")):
        done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True,
                              cwd=tmp_path)
        assert shown in done.stdout
        assert done.stdout.strip().endswith("[]")
