"""``symdp new`` writes templates that pass as they are, and replaces nothing."""

import json
import subprocess
import sys

import pytest

from symdp import folders


@pytest.fixture(autouse=True)
def _here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(folders.FOLDERS, "")


@pytest.mark.long
def test_a_new_theorem_is_proved_as_it_stands(symdp, tmp_path):
    folder = tmp_path / "mine"
    code, out, _ = symdp("new", "theorem", "tail-bound", "--folder", folder)
    assert code == 0
    assert [line.rsplit("/")[-1] for line in out.splitlines()] == [
        "tail_bound.py", "tail_bound.bib", "test_tail_bound.py"]
    code, out, err = symdp("--literature", folder, "audit", "tail-bound", "--format", "json")
    assert (code, err) == (0, "")
    claims = json.loads(out)["claims"]
    assert {c["verdict"] for c in claims} == {"proved"}
    assert len(claims) == 3
    assert symdp("--literature", folder, "latex", "tail-bound/thm-1", "-o", folder / "p.tex")[0] == 0
    assert "Your name" in (folder / "references.bib").read_text()


def test_a_new_mechanism_composes_as_it_stands(symdp, tmp_path):
    folder = tmp_path / "mine"
    assert symdp("new", "mechanism", "silent-coin", "--folder", folder)[0] == 0
    code, out, err = symdp("--literature", folder, "compose", "--mechanism",
                           "silent-coin epsilon=log(3) silence=1/2 count=2", "--target-epsilon", "0", "--format",
                           "json")
    assert (code, err) == (0, "")
    # Of two coins with losses log 3, 0, -log 3 and masses 3/8, 1/2, 1/8: the total variation is 3/8.
    found = json.loads(out)["delta"]
    assert float(found["lower"]) <= 3 / 8 <= float(found["upper"]) < 3 / 8 + 1e-12


@pytest.mark.long
def test_the_tests_that_come_with_a_template_pass(symdp, tmp_path):
    assert symdp("new", "theorem", "tail-bound")[0] == 0
    assert symdp("new", "mechanism", "silent-coin")[0] == 0
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "literature"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    written = {p.name for p in (tmp_path / "literature").glob("test_*.py")}
    assert written == {"test_tail_bound.py", "test_silent_coin.py"}


@pytest.mark.parametrize("kind", ["theorem", "mechanism"])
def test_nothing_is_replaced(symdp, tmp_path, kind):
    (tmp_path / "literature").mkdir()
    mine = tmp_path / "literature" / "test_tail_bound.py"
    mine.write_text("# mine\n")
    code, out, err = symdp("new", kind, "tail-bound")
    assert (code, out) == (2, "")
    assert err == ("symdp: literature/test_tail_bound.py exists, and is not replaced; take another name or folder\n")
    assert [p.name for p in mine.parent.iterdir()] == [mine.name]
    assert mine.read_text() == "# mine\n"


@pytest.mark.parametrize(("kind", "name", "says"), [
    ("theorem", "3x", "no name for a file"), ("theorem", "../up", "no name for a file"),
    ("theorem", "kov", "there is a source 'kov' already"), ("mechanism", "import", "a word of Python's own"),
    ("mechanism", "laplace", "there is a mechanism 'laplace' already")])
def test_a_name_that_cannot_be_is_one_line(symdp, tmp_path, kind, name, says):
    code, out, err = symdp("new", kind, name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not list(tmp_path.iterdir())
