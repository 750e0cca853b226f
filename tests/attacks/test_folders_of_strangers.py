"""Nothing stored is believed: what lies in a folder is ours by the mark of this user, or it is checked again."""

import json
import os
import stat

import pytest

from symdp import users_mark
from symdp.audit import campaign, memory
from symdp.audit.campaign import Options, audit_one
from symdp.audit.memory import NotRechecked
from symdp.audit.record import SUFFIX, path_of
from symdp.audit.seal import seal_of_claim, seal_of_code
from symdp.report.page.page import anchor, page
from symdp.report.page.page_figures import figure_of
from symdp.report.page.summary import campaign_as_json, is_settled
from symdp.search.verdict import Status, Verdict
from symdp.sources.registry import claim

REFUTED, PROVED = "kov/sec-7.mgf-bound", "kov/thm-3.2.centring-helps"


def options(folder, **more):
    return Options(budget=5, out=folder, fresh=False, explain=True, **more)


@pytest.fixture
def stranger(tmp_path, monkeypatch):
    """A folder that somebody else made with the same toolkit, under a key of their own."""
    folder = tmp_path / "audit"
    folder.mkdir()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("SYMDP_STATE", str(tmp_path / "theirs"))
        for id in (REFUTED, PROVED):
            audit_one(id, options(folder))
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "ours"))
    return folder


def settled(folder, id):
    return path_of(folder, id).with_suffix(SUFFIX)


def forge(folder, id, **data):
    path = settled(folder, id)
    kept = json.loads(path.read_text())
    kept["data"].update(data)
    path.write_text(json.dumps(kept))
    return kept


def test_a_forged_verdict_is_not_shown(stranger):
    forge(stranger, REFUTED, verdict="proved", method="trust me", witness=None)
    shown = audit_one(REFUTED, options(stranger))
    assert shown.verdict == "refuted"
    assert "trust me" not in json.dumps(shown.as_json())


@pytest.mark.parametrize("mark", [None, "", "0" * 64, 7, ["x"], "same"])
def test_a_forged_verdict_with_the_digests_of_today_and_any_mark_is_not_shown(stranger, mark):
    given = {} if mark == "same" else {"mark": mark}
    kept = forge(stranger, REFUTED, verdict="proved", witness=None)
    settled(stranger, REFUTED).write_text(json.dumps({
        **kept, "claim": seal_of_claim(claim(REFUTED)), "toolkit": seal_of_code(), "certificate": None, **given}))
    path_of(stranger, REFUTED).unlink()
    assert audit_one(REFUTED, options(stranger)).verdict == "refuted"


def test_what_the_kernel_replays_is_shown_as_the_kernel_has_it(stranger):
    for id in (REFUTED, PROVED):
        forge(stranger, id, method="<script>alert(1)</script>", trust=["nothing at all"], rules=[])
    refuted, proved = (audit_one(id, options(stranger)) for id in (REFUTED, PROVED))
    assert (refuted.verdict, proved.verdict) == ("refuted", "proved")
    assert "which the kernel replayed" in proved.data["method"]
    assert proved.data["rules"]
    assert {"left", "right", "violation"} < set(refuted.data["witness"])
    assert "script" not in json.dumps([refuted.as_json(), proved.as_json()])
    # it is ours from now on: nothing is replayed or settled again
    with pytest.MonkeyPatch.context() as closed:
        closed.setattr(memory, "recheck", None)
        closed.setattr(campaign, "settle", None)
        assert audit_one(PROVED, options(stranger)) == proved


def test_a_certificate_of_another_claim_shows_nothing(stranger):
    """The proof is right; it is of something else."""
    other = path_of(stranger, PROVED).read_text()
    path_of(stranger, REFUTED).write_text(other.replace(PROVED, REFUTED))
    assert audit_one(REFUTED, options(stranger)).verdict == "refuted"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "garbage", "deep"])
def test_what_is_no_plain_file_is_not_read(stranger, tmp_path, kind):
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    for path in (settled(stranger, PROVED), path_of(stranger, PROVED)):
        path.unlink(missing_ok=True)
        if kind == "link":
            path.symlink_to(secret)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder" and path.suffix != ".json":
            path.mkdir()
        else:
            path.write_text("[" * 100_000 if kind == "deep" else '{"data": {"verdict": "proved"}, "claim": []}')
    verdict = memory.recall(claim(PROVED), 5, path_of(stranger, PROVED),
                            lambda id: path_of(stranger, id))
    assert verdict is None


def test_the_path_of_a_certificate_follows_from_the_id(stranger, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('"hunter2"')
    audit_one(PROVED, options(stranger))
    forge(stranger, PROVED, certificate=str(secret))
    assert audit_one(PROVED, options(stranger)).data["certificate"] == str(path_of(stranger, PROVED))


def test_a_figure_of_a_stranger_is_drawn_anew(stranger):
    records = [audit_one(id, options(stranger)) for id in (REFUTED, PROVED)]
    first = page(records, folder=stranger)
    path = stranger / f"{anchor(PROVED)}.figure"
    kept = json.loads(path.read_text())
    evil = ["<svg><script>alert(1)</script></svg>", "<img src=x onerror=alert(2)>", True]
    for forged in ({**kept, "shown": evil}, {"shown": evil}, {"key": "x", "shown": evil, "mark": None}):
        path.write_text(json.dumps(forged))
        again = page(records, folder=stranger)
        assert "alert(" not in again
        assert again == first
    # and ours is used again
    with pytest.MonkeyPatch.context() as closed:
        closed.setattr("symdp.report.page.page_figures._drawn", None)
        assert figure_of(claim(PROVED), records[1], anchor(PROVED), stranger) is not None


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_a_figure_that_cannot_be_kept_keeps_no_page_from_being_made(stranger, tmp_path, kind):
    record = audit_one(PROVED, options(stranger))
    path, secret = stranger / f"{anchor(PROVED)}.figure", tmp_path / "secret"
    secret.write_text("hunter2")
    {"link": lambda: path.symlink_to(secret), "folder": path.mkdir, "pipe": lambda: os.mkfifo(path)}[kind]()
    assert "<svg" in page([record], folder=stranger)
    assert secret.read_text() == "hunter2"


def test_what_was_not_replayed_in_the_time_is_not_counted(stranger, monkeypatch):
    def too_long(*_):
        raise NotRechecked("its certificate was not replayed within 1 s")

    monkeypatch.setattr(memory, "replayed", too_long)
    with monkeypatch.context() as slow:
        slow.setattr(campaign, "settle", lambda *_, **__: Verdict(Status.UNDECIDED, "the time is up"))
        shown = audit_one(PROVED, options(stranger))
    assert shown.verdict == "not rechecked"
    assert "not replayed" in shown.data["method"]
    assert campaign_as_json([shown])["summary"] == {"total": 1, "not rechecked": 1}
    assert not is_settled(shown, [shown])
    made = page([shown])
    assert 'class="badge not-rechecked"' in made
    assert 'class="badge proved"' not in made
    # where the search settles it, that is the verdict
    assert audit_one(PROVED, options(stranger)).verdict == "proved"


def test_a_certificate_that_takes_too_long_is_not_rechecked(stranger, monkeypatch):
    from symdp.search.deadline import TimeIsUp

    def endless(*_):
        raise TimeIsUp

    monkeypatch.setattr(memory, "recheck", endless)
    with pytest.raises(NotRechecked, match="not replayed within"):
        memory.recall(claim(PROVED), 5, path_of(stranger, PROVED),
                      lambda id: path_of(stranger, id))


# --- the key ---------------------------------------------------------------------------------------


def test_the_key_is_for_its_user_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    assert users_mark.mark("a", "b") is not None
    key = tmp_path / "state" / "key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert len(key.read_bytes()) == 32
    assert [path.name for path in key.parent.iterdir()] == ["key"]


@pytest.mark.parametrize("fault", ["readable", "link", "short", "pipe", "open folder"])
def test_a_key_that_others_could_know_is_none(tmp_path, monkeypatch, fault):
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    key = folder / "key"
    if fault == "link":
        (tmp_path / "real").write_bytes(bytes(32))
        (tmp_path / "real").chmod(0o600)
        key.symlink_to(tmp_path / "real")
    elif fault == "pipe":
        os.mkfifo(key, 0o600)
    else:
        key.write_bytes(bytes(3 if fault == "short" else 32))
        key.chmod(0o644 if fault == "readable" else 0o600)
    if fault == "open folder":
        folder.chmod(0o777)
    monkeypatch.setenv("SYMDP_STATE", str(folder))
    assert users_mark.mark("a", "b") is None
    assert not users_mark.is_ours("a", "b", None)


def test_without_a_key_everything_is_checked_again(stranger, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "file" / "state"))
    assert audit_one(PROVED, options(stranger)).verdict == "proved"
    kept = json.loads(settled(stranger, PROVED).read_text())
    assert kept["mark"] is None
    forge(stranger, PROVED, verdict="refuted")
    assert audit_one(PROVED, options(stranger)).verdict == "proved"
