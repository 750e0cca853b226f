"""Proofs of the sources, line by line as in print: what each is expected to come to stands in its head."""

import json
from functools import cache
from pathlib import Path

import pytest
from campaign import heavy, in_full

from symdp.arguments.derivations.standing import Standing
from symdp.arguments.reading.text_file import read_derivation
from symdp.cli.app import main

FILES = sorted((Path(__file__).parent / "derivations").glob("*.tex"))


@cache
def checked(path):
    return read_derivation(path).check(budget=20)


@pytest.mark.parametrize("path", [heavy(path, id=path.stem) if path.stem == "kov-section-7-tail" else path
                                  for path in FILES], ids=lambda path: path.stem)
def test_a_proof_of_the_sources(path):
    expected = path.read_text().splitlines()[0].removeprefix("% expected: ")
    report = checked(path)
    standing, _, where = expected.partition(" at ")
    assert report.standing is Standing(standing), str(report)
    if where:
        assert report.first_wrong.step.label == where
        assert [line for line in report.walk() if line.blamed] == [report.first_wrong]


@in_full
def test_a_step_that_is_an_equality_in_print():
    """Section 7 prints an inequality where both sides are the same."""
    path = next(p for p in FILES if p.stem == "kov-section-7-tail")
    report = checked(path)
    assert report.lines[-1].notes == ("it is an equality",)


# --- proofs of the sources by their ids ----------------------------------------------------------


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_a_proof_is_derived_by_its_id(capsys):
    code, out, _ = run(capsys, "derive", "blog/fn-2")
    assert code == 0
    assert out.index("as printed, part 1 of 1") < out.index("repaired, part 1 of 1")
    assert "it supports: blog/fn-2.epsilon-j" in out


def test_a_proof_that_rests_on_a_citation_is_not_proved(capsys, tmp_path):
    code, out, _ = run(capsys, "derive", "kov/sec-9.1", "--format", "json", "--out", str(tmp_path))
    assert code == 1
    document = json.loads(out)
    assert [part["standing"] for part in document["printed"]] == ["cited"]
    assert document["repaired"] == []
    assert list((tmp_path / "part-1").glob("*.json"))


def test_a_proof_in_latex(capsys):
    code, out, _ = run(capsys, "derive", "kov/sec-9.2", "--latex")
    assert code == 0
    assert out.index(r"\subsection*{As printed}") < out.index(r"\subsection*{Repaired}")
    assert r"\surd" in out
    code, out, _ = run(capsys, "derive", "blog/fn-2", "--document")
    assert code == 0
    assert out.count(r"\begin{document}") == out.count(r"\end{document}") == 1


def test_the_list_of_proofs(capsys):
    code, out, _ = run(capsys, "derive", "--list")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["id", "title", "parts", "lines"]
    assert {"kov/sec-6.1", "kov/sec-7", "note/thm-3.20", "blog/thm-basic"} <= {row[0] for row in rows}
    code, out, _ = run(capsys, "derive", "--list", "--format", "json")
    assert code == 0
    listed = {p["id"]: p for p in json.loads(out)["proofs"]}
    assert listed["blog/fn-2"]["printed"] == 1


@pytest.mark.parametrize("arguments", [
    ("kov/sec-99",), ("nothing.tex",), (), ("--list", "blog/fn-2"), ("\0",),
    ("blog/fn-2", "--latex", "--format", "json"),
])
def test_what_is_neither_a_file_nor_a_proof(capsys, arguments):
    code, out, err = run(capsys, "derive", *arguments)
    assert code == 2
    assert not out
    assert len(err.splitlines()) == 1
