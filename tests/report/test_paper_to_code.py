"""The map from paper to code: nothing of a source is left out, and each line leads to what it says."""

from pathlib import Path

import pytest

from symdp.report.paper_to_code import SOURCES, items, rows
from symdp.sources.registry import claims, statements

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("source", SOURCES)
def test_every_statement_and_claim_of_a_source_is_on_its_map(source):
    found = list(rows(source))
    assert {s.id for s in statements() if s.source.key == source} <= {row.statement for row in found}
    told = [row.claim for row in found if row.claim]
    assert sorted(told) == sorted(c.id for c in claims() if c.id.startswith(f"{source}/"))


#: What is numbered in the two papers, read off the print.
NUMBERED = {
    "kov": [
        "Definition 1.1", "Theorem 2.1", "Remark 2.2", "Corollary 2.3", "Theorem 2.4", "Theorem 2.5",
        *(f"Theorem 3.{n}" for n in range(1, 6)), "Corollary 4.1", "Corollary 4.2", "Theorem 4.3", "Theorem 4.4",
        "Theorem 5.1", "Remark 6.1", "Remark A.1", "Lemma 1", "Theorem D.1", "Footnote 1",
        *(f"Figure {n}" for n in range(1, 5)), *(f"({n})" for n in range(1, 44)),
        *(f"Section {n}" for n in ("1 2 3 3.1 3.2 3.3 4 4.1 4.2 5 5.1 5.2 6 6.1 6.2 7 8 9 9.1 9.2 9.3").split()),
        *(f"Appendix {n}" for n in ("A", "B", "C", "C.1", "D")),
    ],
    "icml": [
        "Definition 1.1", "Theorem 2.1", "Remark 2.2", "Corollary 2.3", "Theorem 2.4", "Theorem 2.5",
        *(f"Theorem 3.{n}" for n in range(1, 6)), "Corollary 4.1", "Corollary 4.2", "Theorem 4.3", "Theorem 4.4",
        *(f"Figure {n}" for n in range(1, 4)), *(f"({n})" for n in range(1, 12)), "Footnote 1",
        *(f"Section {n}" for n in "1 2 3 3.1 3.2 3.3 4 4.1 4.2 4.3".split()),
    ],
    "note": ["Theorem 3.20", "Theorem 3.16", "Lemma 3.18", "Lemma 3.17", "Corollary 3 in Mironov"],
    "blog": ["Theorem (Basic Composition)", "Theorem (Advanced Composition)", "Footnote 1", "Footnote 2"],
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_numbered_item_is_on_the_map(source):
    assert [item for item in NUMBERED[source] if item not in items()[source]] == []
    assert {row.item for row in rows(source)} == set(items()[source])


def test_a_section_of_sections_points_to_them_and_takes_nothing_from_them():
    told = {row.claim: row.item for row in rows("kov") if row.claim}
    assert told["kov/sec-6.1.slopes"] == "Section 6.1"
    assert told["kov/sec-9.3.abel"] == "Section 9.3"
    assert [row.statement for row in rows("kov") if row.item == "Section 6"] == ["kov/sec-6.1", "kov/sec-6.2"]


def test_what_the_conference_version_shares_points_to_the_long_one():
    shared = {row.item: row.statement for row in rows("icml") if not row.claim}
    assert shared["(9)"] == "kov/eq-30"
    assert shared["Section 4.3"] == "kov/sec-4.2"


@pytest.mark.parametrize("source", SOURCES)
def test_a_line_of_the_code_names_the_claim(source):
    for row in rows(source):
        lines = (ROOT / row.file).read_text(encoding="utf-8").splitlines()
        assert 1 <= row.line <= len(lines), row
        name = row.claim[len(row.statement) + 1:]
        if name and row.line > 1 and f'"{name}"' in "\n".join(lines):
            assert f'"{name}"' in lines[row.line - 1], row
