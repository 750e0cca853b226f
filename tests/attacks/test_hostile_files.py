"""Files in bad faith: no code runs, nothing outside is read or written, nothing false is shown, one line says why."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaign import heavy
from places import ROOT

sys.path.insert(0, str(Path(__file__).parent))  # the files are made by a module beside this one
from hostile import FILES, Hostile

SECRET = "the-secret-of-another-folder"
#: Bytes
MEMORY = 2 * 2**30


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("hostile", [h if h.quick else heavy(h, id=h.name) for h in FILES],
                         ids=lambda h: h.name)
def test_a_hostile_file_does_no_harm(hostile: Hostile, tmp_path: Path, monkeypatch):
    outside, here = tmp_path / "outside", tmp_path / "here"
    outside.mkdir()
    here.mkdir()
    secret, canary = outside / "secret", outside / "canary"
    secret.write_text(SECRET)
    (outside / "secret.tex").write_text(SECRET)
    monkeypatch.chdir(here)
    path = here / hostile.name
    _make(hostile, path, secret, canary)
    before = tree(outside)
    words = [w.replace("FILE", str(path)).replace("HERE", str(here)) for w in hostile.command]
    environment = {**os.environ, "HOME": str(outside), "TMPDIR": str(outside), "PYTHONPATH": str(ROOT),
                   "MPLCONFIGDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "SECRET": SECRET}
    begun = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "symdp", *words], cwd=here, env=environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=600)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode in hostile.codes, (out, err)
    assert "Traceback" not in out + err
    assert hostile.says in out + err
    assert SECRET not in out + err
    assert not canary.exists()
    assert not hostile.false or "✓ proved" not in out
    assert tree(outside) == before
    assert used.ru_maxrss * 1024 < MEMORY
    lines = err.splitlines()
    assert all(line.startswith("symdp: ") for line in lines), err
    assert len(lines) <= 4
    assert time.monotonic() - begun < 600


def _make(hostile: Hostile, path: Path, secret: Path, canary: Path) -> None:
    """The file, with what it reaches for in place of the names in it."""
    hostile.make(path)
    inside = sorted(path.iterdir()) if path.is_dir() and not path.is_symlink() else [path]
    for made in inside:
        if made.is_symlink():
            if os.readlink(made) == "SECRET":
                made.unlink()
                made.symlink_to(secret)
        elif made.is_file() and made.stat().st_size < 2**20:
            content = made.read_bytes().replace(b"SECRET", str(secret).encode())
            made.write_bytes(content.replace(b"CANARY", str(canary).encode()))


def test_there_are_fifty_of_them():
    assert len({h.name for h in FILES}) == len(FILES) >= 50
