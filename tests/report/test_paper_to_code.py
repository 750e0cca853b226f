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


def test_every_numbered_equation_of_the_paper_is_an_item():
    assert {f"({n})" for n in range(1, 44)} <= items()["kov"].keys()


@pytest.mark.parametrize("source", SOURCES)
def test_a_line_of_the_code_names_the_claim(source):
    for row in rows(source):
        lines = (ROOT / row.file).read_text(encoding="utf-8").splitlines()
        assert 1 <= row.line <= len(lines), row
        name = row.claim[len(row.statement) + 1:]
        if name and row.line > 1 and f'"{name}"' in "\n".join(lines):
            assert f'"{name}"' in lines[row.line - 1], row
