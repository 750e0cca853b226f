"""What is installed is what was looked at: the lock has the versions of constraints.txt, each with digests."""

import importlib.util
import re

import pytest
from places import ROOT


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_what_is_locked_is_what_the_constraints_say(capsys):
    """A new pin comes into the lock by ``make lock``."""
    assert script("lock").check() == 0, capsys.readouterr().out


@pytest.mark.parametrize("change", [
    lambda text: re.sub(r"(?m)^numpy==\S+", "numpy==0.1", text),
    lambda text: re.sub(r"(?m)^numpy==[^\n]*\\\n(?:    --hash[^\n]*\n)+", "", text),
    lambda text: re.sub(r"(?m)^(numpy==\S+) \\\n(?:    --hash[^\n]*\n)+", r"\1\n", text),
    lambda text: text + "stranger==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n",
], ids=["another version", "missing", "no digest", "one more"])
def test_a_lock_out_of_step_is_seen(tmp_path, monkeypatch, change):
    lock = script("lock")
    before = lock.LOCK.read_text()
    assert change(before) != before
    (tmp_path / "constraints").write_text("".join(f"{n}=={v}\n" for n, v in lock.pinned(lock.LOCK).items()))
    monkeypatch.setattr(lock, "CONSTRAINTS", tmp_path / "constraints")
    assert lock.check() == 0
    (tmp_path / "lock").write_text(change(before))
    monkeypatch.setattr(lock, "LOCK", tmp_path / "lock")
    assert lock.check() == 1


PINS = "a==1.0 \\\n    --hash=sha256:0\nb==2.0 \\\n    --hash=sha256:1\n"
KNOWN = {"id": "PYSEC-1", "summary": "it leaks", "fixed_in": ["1.1"]}


@pytest.mark.parametrize(("answers", "code", "said"), [
    ({"a": {"vulnerabilities": []}, "b": {"vulnerabilities": []}}, 0, "2 of 2 packages answered for, 0"),
    ({"a": {"vulnerabilities": [KNOWN]}, "b": {}}, 1, "a 1.0: PYSEC-1 it leaks (mended in 1.1)"),
    ({"a": {"vulnerabilities": []}, "b": {}}, 2, "1 of 2 packages answered for"),
    ({}, 2, "0 of 2 packages answered for"),
    ({"a": {"vulnerabilities": [{**KNOWN, "withdrawn": "2026"}]}, "b": {"vulnerabilities": []}}, 0, "0 vulnerab"),
])
def test_no_data_is_not_no_vulnerability(capsys, answers, code, said):
    def ask(name, version):
        if name not in answers:
            raise OSError("no network")
        return answers[name]

    assert script("vulnerabilities").main(PINS, ask) == code
    assert said in capsys.readouterr().out
