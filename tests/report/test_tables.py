"""Tables of bounds, numbers in formulas, files with their references."""

import re
from decimal import Decimal

import pytest
from campaign import tries
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.report.contenders import contenders, known_bounds
from symdp.report.figures.given_numbers import combinations_of, read_numbers
from symdp.report.paper import documents
from symdp.report.paper.documents import NoPress, Piece, typeset, write_document
from symdp.report.paper.latex import Manner, render, statements_piece
from symdp.report.paper.tables import bounds_table, rounded_up
from symdp.sources.registry import UnknownId

NUMBERS = ["eps = 0.1", "slack = 1e-6", "k = 10, 100"]


@settings(max_examples=tries(60))
@given(st.decimals(min_value="1e-9", max_value="1e9", allow_nan=False, allow_infinity=False))
def test_a_number_in_a_table_is_never_below_the_bound(value):
    text = rounded_up(Enclosure(value, value, "", ""), 5)
    bare = re.sub(r"^10(?=\^)", r"1\\cdot 10", text.strip("$"))
    shown = Decimal(re.sub(r"\\cdot 10\^\{(-?\d+)\}", r"E\1", bare))
    assert value <= shown <= value * Decimal("1.0002")


def test_every_bound_has_a_column():
    body = bounds_table(known_bounds(), read_numbers(NUMBERS)).body
    assert body.count(r"\midrule") == body.count(r"\begin{tabular}") == 1
    assert body.count(r"\\") >= len(known_bounds())


def test_exact_is_the_smallest_of_all():
    (at,) = combinations_of(read_numbers(["eps = 0.1", "slack = 1e-6", "k = 50", "delta = 1e-4"]))
    chosen = contenders(["advanced", "simplified", "renyi", "exact"])
    values = {c.name: c.epsilon(at, 8).upper for c in chosen}
    assert values["exact"] == min(values.values())


def test_what_a_bound_is_not_stated_for_is_left_out():
    body = bounds_table(["simplified-for-small-epsilon", "renyi"],
                        read_numbers(["eps = 2", "k = 3", "slack = 0.01"])).body
    assert "Theorem 3.4" in body


@pytest.mark.parametrize(("texts", "words"), [
    (["eps"], "is not of the form"), (["eps = x"], "is not a number"), (["eps = 1", "eps = 2"], "twice"),
    (["eps = )"], "--at eps"), (["k = " + ",".join("1" * 300)], "at most 200"),
    (["a b = 1"], "is not of the form"),
])
def test_numbers_that_cannot_be_read_are_named(texts, words):
    with pytest.raises(BadQuantity, match=words):
        read_numbers(texts)


def test_a_missing_number_names_the_cure():
    with pytest.raises(BadQuantity, match="write --at 'slack = "):
        bounds_table(["advanced"], read_numbers(["eps = 1", "k = 2"]))
    with pytest.raises(BadQuantity, match="no formula has all its variables"):
        statements_piece(["kov/thm-3.4.log-branch"], Manner(numbers=read_numbers(["eps = 1"])))
    with pytest.raises(UnknownId, match="no bound 'bosic'"):
        bounds_table(["bosic"], read_numbers(NUMBERS))
    with pytest.raises(UnknownId, match="did you mean kov/thm-"):
        bounds_table(["kov/thm-3"], read_numbers(NUMBERS))


def test_numbers_stand_under_the_formulas():
    numbers = read_numbers(["eps = 0.1", "k = 3", "delta = 1/7"])
    tex = statements_piece(["kov/thm-3.1"], Manner(numbers=numbers)).body
    assert r"At $\varepsilon = 0.1$, $k = 3$, it is $0.3$." in tex
    assert r"it is about $0.428571" in tex


def test_the_symbols_are_those_of_the_paper_on_request():
    house, paper = (render(["note/thm-3.20"], symbols=symbols) for symbols in ("house", "paper"))
    assert r"\tilde{\delta}" in house
    assert r"\log" in house
    assert r"\tilde{\delta}" not in paper
    assert r"\delta'" in paper
    assert r"\ln" in paper
    assert r"\ln" not in render(["note/thm-3.20"], symbols="paper", log="log")


def test_a_file_has_the_references_it_uses_and_no_others(tmp_path):
    pieces = [statements_piece(["kov/thm-3.2"])]
    names = {path.name for path in write_document(pieces, tmp_path / "paper.tex")}
    assert names == {"paper.tex", "references.bib", "paper.bbl"}
    entries = re.findall(r"@\w+\{([^,]+),", (tmp_path / "references.bib").read_text())
    cited = re.findall(r"\\cite(?:\[[^\]]*\])?\{([^}]*)\}", (tmp_path / "paper.tex").read_text())
    assert set(entries) == {key for keys in cited for key in keys.split(",")}
    assert set(re.findall(r"\\bibitem\{([^}]*)\}", (tmp_path / "paper.bbl").read_text())) == set(entries)


def test_without_tex_there_is_one_line_that_names_the_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(documents.shutil, "which", lambda name: None)
    with pytest.raises(NoPress, match=r"there is no pdflatex on this machine: install TeX"):
        typeset(documents.document([Piece("x")]), tmp_path)
