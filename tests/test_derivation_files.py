"""Proofs of the sources, line by line as in print: what each is expected to come to stands in its head."""

from functools import cache
from pathlib import Path

import pytest

from symdp.derivation.report import Standing
from symdp.derivation.text_file import read_derivation

FILES = sorted((Path(__file__).parent / "derivations").glob("*.tex"))


@cache
def checked(path):
    return read_derivation(path).check(budget=20)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_proof_of_the_sources(path):
    expected = path.read_text().splitlines()[0].removeprefix("% expected: ")
    report = checked(path)
    standing, _, where = expected.partition(" at ")
    assert report.standing is Standing(standing), str(report)
    if where:
        assert report.first_wrong.step.label == where
        assert [line for line in report.walk() if line.blamed] == [report.first_wrong]


def test_a_step_that_is_an_equality_in_print():
    """Section 7 prints an inequality where both sides are the same."""
    path = next(p for p in FILES if p.stem == "kov-section-7-tail")
    report = checked(path)
    assert report.lines[-1].notes == ("it is an equality",)
