"""The verdicts that come with the package are those of its claims, and nothing else is shown for them."""

import json
import zipfile

import pytest

from symdp.audit import memory, shipped
from symdp.audit.campaign import Options, audit_all, path_of
from symdp.audit.memory import recall, record_document
from symdp.audit.seal import seal_of_claim
from symdp.audit.shipped import NotShipped, laid_out, pack
from symdp.sources.registry import claims, select


@pytest.fixture
def audited(tmp_path, monkeypatch):
    """A small audit, packed; the state of a user who has seen nothing yet."""
    chosen = select(["kov/thm-3.1"])
    folder = tmp_path / "audit"
    folder.mkdir()
    audit_all(chosen, Options(out=folder))
    monkeypatch.setattr(shipped, "ARCHIVE", tmp_path / "verdicts.zip")
    pack(folder, shipped.ARCHIVE, chosen)
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    laid_out.cache_clear()
    yield chosen
    laid_out.cache_clear()


def recalled(claim):
    folder = laid_out()
    return recall(claim, 10.0, path_of(folder, claim.id), lambda id: path_of(folder, id))


def test_what_is_packed_is_laid_out_and_used(audited, monkeypatch):
    monkeypatch.setattr(memory, "_replayed", lambda *_: pytest.fail("nothing has changed"))
    assert [recalled(claim).verdict for claim in audited] == [
        r.verdict for r in audit_all(audited, Options())]
    first = laid_out()
    laid_out.cache_clear()
    assert laid_out() == first


def test_with_other_code_the_kernel_replays_it(audited, monkeypatch):
    laid_out()
    monkeypatch.setattr(memory, "seal_of_code", lambda: "another")
    seen = []
    replay = memory._replayed
    monkeypatch.setattr(memory, "_replayed", lambda *a: seen.append(a[0].id) or replay(*a))
    assert {recalled(claim).verdict for claim in audited} <= {"proved", "refuted"}
    assert seen == [claim.id for claim in audited]


def test_a_record_of_another_claim_is_not_shown(audited, monkeypatch):
    laid_out()
    monkeypatch.setattr(memory, "seal_of_claim", lambda claim: "says something else")
    monkeypatch.setattr(memory, "_replayed", lambda *_: (_ for _ in ()).throw(ValueError))
    assert [recalled(claim) for claim in audited] == [None] * len(audited)


def test_an_audit_with_a_gap_is_not_packed(tmp_path):
    with pytest.raises(NotShipped, match="has no record of today's code"):
        pack(tmp_path, tmp_path / "verdicts.zip", select(["kov/thm-3.1"]))


def test_every_claim_has_a_shipped_verdict():
    """If this fails, claims have changed: `make shipped` settles and packs them."""
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        there = {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(memory.SUFFIX)}
    stale = [c.id for c in claims()
             if there.get(f"{path_of(shipped.ARCHIVE.parent, c.id).stem}{memory.SUFFIX}", {}).get("claim")
             != seal_of_claim(c)]
    assert not stale


def test_a_record_without_our_mark_is_no_record(audited):
    path = path_of(laid_out(), audited[0].id).with_suffix(memory.SUFFIX)
    path.write_text(path.read_text().replace('"proved"', '"refuted"'))
    assert record_document(path) is None
