"""What comes in, what is written, and work that is watched: the rules themselves."""

import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from difficult_work import once_killed
from kills import session

from symdp import outgoing
from symdp.audit.campaign import Options, audit_all
from symdp.audit.record import path_of
from symdp.cli.app import main
from symdp.incoming import NotRead, bytes_of, text_of
from symdp.outgoing import MARK, NotOurs, by_name, marked, sweep, write
from symdp.sources.problems import ProblemFileError, problems_from, told_apart
from symdp.watched import GIGABYTE, OutOfBounds, memory_of, watched
from symdp.workers.processes import each

# --- what comes in


def test_only_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, reason in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "a folder"),
                         (tmp_path / "absent", "No such file"), (Path("a\0b"), "this name")):
        with pytest.raises(NotRead, match=reason):
            bytes_of(path, 10)


def test_a_link_is_followed_only_where_that_is_meant(tmp_path):
    (tmp_path / "file").write_text("here")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert bytes_of(tmp_path / "link", 10) == b"here"
    with pytest.raises(NotRead, match="a link"):
        bytes_of(tmp_path / "link", 10, links=False)


def test_a_file_that_says_nothing_of_its_size_is_bounded():
    with pytest.raises(NotRead, match="larger than 10 bytes"):
        bytes_of(Path("/proc/self/status"), 10)


def test_text_has_lines_of_a_bounded_length(tmp_path):
    (tmp_path / "long").write_text("short\n" + "x" * 200_000)
    with pytest.raises(NotRead, match="line 2"):
        text_of(tmp_path / "long", 10**6)


def test_problems_of_one_name_are_told_apart():
    found = problems_from('[[problem]]\nname="p"\nclaim="x>=0"\n' * 2 + '[[problem]]\nname="p (2)"\nclaim="x>=0"\n')
    assert [p.name for p in told_apart(found)] == ["p", "p (3)", "p (2)"]


@pytest.mark.parametrize("text", ["a" + ".b" * 20 + " = 1", "x = {" + '"a".' * 20 + "b = 1}", "a = " + "9" * 5000])
def test_keys_and_numbers_of_toml_are_bounded(text):
    with pytest.raises(ProblemFileError):
        problems_from(text)


# --- what is written


def test_what_is_not_ours_is_not_replaced(tmp_path):
    path = tmp_path / "references.bib"
    path.write_text("the work of years")
    with pytest.raises(NotOurs):
        write(path, marked("new", "%"))
    assert path.read_text() == "the work of years"
    write(path, marked("new", "%"), force=True)
    write(path, marked("newer", "%"))
    assert path.read_text() == f"% {MARK}\nnewer"
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_through_a_link(tmp_path, force):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text(marked("old", "%"))
    link.symlink_to(target)
    if force:
        write(link, "new", force=True)
        assert not link.is_symlink()
    else:
        with pytest.raises(NotOurs, match="link"):
            write(link, "new", ours=by_name)
    assert target.read_text() == marked("old", "%")


def test_the_other_name_of_a_file_keeps_its_content(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(marked("old", "%"))
    os.link(one, other)
    write(one, marked("new", "%"))
    assert other.read_text() == marked("old", "%")


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    write(path, marked("old", "%"))

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(outgoing.os, "fsync", full)
    with pytest.raises(OSError, match="No space") as reason:
        write(path, marked("new", "%"))
    assert reason.value.filename == str(path)
    assert path.read_text() == marked("old", "%")
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_what_a_killed_writer_left_is_swept_up_after_a_while(tmp_path):
    old, new, other = (tmp_path / n for n in (".symdp-" + "0" * 32, ".symdp-" + "1" * 32, ".symdp-notes"))
    for path in (old, new, other):
        path.touch()
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([new, other])


def test_two_writers_do_not_mix(tmp_path):
    path = tmp_path / "record"
    writers = [multiprocessing.get_context("fork").Process(target=_write_often, args=(path, c)) for c in "ab"]
    for writer in writers:
        writer.start()
    seen = set()
    while any(w.is_alive() for w in writers):
        if path.exists():
            seen.add(path.read_text())
    assert seen <= {"a" * 200_000, "b" * 200_000}
    assert [w.exitcode for w in writers] == [0, 0]


def _write_often(path, letter):
    for _ in range(30):
        write(path, letter * 200_000, ours=by_name)


NAMES = ["α", "β", "a b", "a_b", "a+b", "a/b", "A/b", "audit", ".hidden", "..", "../x", "", "x" * 300, "x" * 301,
         "a\nb"]


def test_no_two_names_have_one_certificate(tmp_path):
    paths = [path_of(tmp_path, name) for name in NAMES]
    assert len({p.name.lower() for p in paths}) == len(NAMES)
    assert all(p.parent == tmp_path and not p.name.startswith(".") and p.name != "audit.json" for p in paths)


def test_problems_with_greek_names_keep_their_certificates(tmp_path):
    text = "".join(f'[[problem]]\nname = "for {n}"\nclaim = "exp(x) >= {c}"\n' for n, c in (("α", "1+x"), ("β", "x")))
    records = audit_all(problems_from(text), Options(out=tmp_path))
    statements = [json.loads(Path(r.data["certificate"]).read_text())["statement"] for r in records]
    assert statements == ["exp(x) >= 1 + x for every real x", "exp(x) >= x for every real x"]


def test_a_paper_does_not_replace_the_references_of_its_author(tmp_path, capsys):
    (tmp_path / "references.bib").write_text("@misc{mine}")
    with pytest.raises(SystemExit) as stop:
        main(["latex", "kov/thm-3.1", "-o", str(tmp_path / "paper.tex")])
    assert stop.value.code == 2
    assert "references.bib is there already" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["references.bib"]


def test_a_new_notebook_replaces_nothing(tmp_path, capsys):
    (tmp_path / "claims.toml").write_text('[[problem]]\nclaim = "x >= x"\n')
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "mine.py").symlink_to(victim)
    for path in (None, tmp_path / "mine.py"):
        if path:
            path.unlink()
            path.write_text("# my own work")
        with pytest.raises(SystemExit) as stop:
            main(["notebook", "new", "mine", "--claims", str(tmp_path / "claims.toml"), "--out", str(tmp_path)])
        assert stop.value.code == 2
    assert (victim.read_text(), (tmp_path / "mine.py").read_text()) == ("precious", "# my own work")


# --- work that is watched


def _fill() -> int:
    return len([bytearray(2**20) for _ in range(4000)])


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _refuse() -> None:
    raise ValueError("no")


def test_work_that_takes_too_much_is_ended():
    begun = memory_of(os.getpid())
    with pytest.raises(OutOfBounds, match="of memory"):
        watched(_fill, seconds=60, memory=begun + GIGABYTE // 4)
    with pytest.raises(OutOfBounds, match=r"after 0\.5 s"):
        watched(pow, 7, 10**9, seconds=0.5, memory=None)  # C code that listens to nobody
    with pytest.raises(OutOfBounds, match="SIGKILL"):
        watched(_die, seconds=60, memory=None)
    with pytest.raises(ValueError, match="no"):
        watched(_refuse, seconds=60, memory=None)


def test_a_claim_that_takes_too_much_is_undecided_and_the_others_go_on(monkeypatch):
    problems = problems_from('[[problem]]\nclaim = "exp(x) >= 1+x"\n' * 2)
    options = Options(memory=2 * GIGABYTE)
    monkeypatch.setattr("symdp.audit.campaign._audit_problem", lambda problem, options: _fill())
    monkeypatch.setattr(Options, "patience", 30.0)
    (record, _) = audit_all(problems, Options(memory=GIGABYTE // 2))
    assert record.verdict == "undecided"
    assert "memory" in record.data["method"]
    monkeypatch.undo()
    assert [r.verdict for r in audit_all(problems, options)] == ["proved", "proved"]


@pytest.mark.long
def test_a_killed_worker_takes_no_other_claim_with_it(tmp_path):
    items = [(str(tmp_path / "mark"), text) for text in ("once", "never", "always", "never")]
    found = dict(each(once_killed, items, 2))
    assert [found[i] for i in (0, 1, 3)] == ["once", "never", "never"]
    assert isinstance(found[2], OutOfBounds)


def test_many_short_tasks_come_to_an_end():
    """An executor that makes a process for each task has been seen to wait for ever."""
    assert sorted(place for place, _ in each(abs, [(-i,) for i in range(40)], 2)) == list(range(40))


_BUSY = """
import time
from symdp.workers.processes import each
answers = each(time.sleep, [(0,), (600,)], 2)
print(next(answers), flush=True)
next(answers)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_worker_ends_with_the_one_who_asked():
    process = subprocess.Popen([sys.executable, "-c", _BUSY], start_new_session=True, stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(1)  # the other one is at work
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while (left := session(process.pid)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_command_that_is_ended_leaves_nothing_behind(tmp_path, number, code):
    command = [sys.executable, "-m", "symdp", "audit", "kov", "--jobs", "2", "--out", str(tmp_path), "--budget", "1"]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + 120
    while not list(tmp_path.glob("*.settled")) and time.monotonic() < end:
        time.sleep(0.1)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert b"Traceback" not in err
    end = time.monotonic() + 30
    while (left := session(process.pid)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left
    for path in tmp_path.glob("*.json"):
        json.loads(path.read_text())
    assert list(tmp_path.glob("*.settled"))


@pytest.mark.parametrize(("force", "cure"), [(None, "move it away"), (False, "--force replaces it")])
def test_the_cure_is_an_option_only_where_the_command_has_it(tmp_path, force, cure):
    theirs = tmp_path / "theirs.txt"
    theirs.write_text("years of work")
    for path in (theirs, tmp_path / "link"):
        if path.name == "link":
            path.symlink_to(theirs)
        with pytest.raises(NotOurs, match=cure):
            write(path, "ours", force=force)
    assert theirs.read_text() == "years of work"
