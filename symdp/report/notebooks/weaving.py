"""Narrative and statements woven into one notebook, as jupytext percent text.

>>> text = weave("# A title\\n\\n<!-- statement kov/thm-3.1 -->\\n")
>>> print(text[text.index("# %%"):].splitlines()[1])
# # A title
>>> weave("<!-- poem kov/thm-3.1 -->")
Traceback (most recent call last):
...
symdp.report.notebooks.cells.NarrativeError: line 1: nothing is generated for 'poem'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import jupytext
import nbformat

from symdp.report.exercises import UnknownExercise, exercise
from symdp.report.notebooks import statement_cells
from symdp.report.notebooks.cells import Cell, Mark, NarrativeError, read_narrative
from symdp.report.notebooks.execution import FORMATS, KERNEL
from symdp.report.notebooks.readers import Audience
from symdp.sources.registry import UnknownId, claim, statement
from symdp.sources.statement import Statement
from symdp.typeset.prose import label_latex, markdown

_METADATA = {
    "kernelspec": KERNEL,
    "jupytext": {
        "formats": FORMATS,
        # The version of jupytext would change the file without a change of the statement.
        "notebook_metadata_filter":
            "kernelspec,jupytext,-jupytext.text_representation.jupytext_version",
        "text_representation": {"extension": ".py", "format_name": "percent"},
    },
}

#: A notebook for a statement that has no narrative of its own.
PLAIN = """# {title}

Read the theorem, look at its formulas, and ask the prover about its claims.

<!-- sources -->
<!-- setup -->

## The statement

<!-- statement {id} -->
<!-- bounds {id} -->

## What is claimed, and what becomes of it

<!-- verdicts -->
<!-- all-claims {id} -->
<!-- ledger -->
"""


def weave(narrative: str, reader: Audience = Audience.ANYBODY) -> str:
    """The text of the notebook; for students without solutions, for instructors with all of them in sight."""
    return as_text(cells_of(narrative, reader))


def notebook_of(theorem: Statement, reader: Audience = Audience.ANYBODY) -> str:
    """The notebook of a statement alone."""
    return weave(PLAIN.format(title=" ".join(markdown(theorem.title).split()), id=label_latex(theorem.id)), reader)


#: What makes a cell one that draws: a reader wants its figure, and unfolds its code to change it.
_DRAWS = re.compile(r"\bpyplot\.|\bexplore\(")


def _folded(cell: Cell) -> Cell:
    """A cell that draws, with its code folded.

    >>> _folded(Cell("code", "pyplot.plot([1])")).metadata["tags"], _folded(Cell("code", "1 + 1")).metadata
    (['hide-input'], {})
    """
    draws = cell.kind == "code" and _DRAWS.search(cell.source)
    return Cell(cell.kind, cell.source, {**statement_cells.FOLDED, **cell.metadata}) if draws else cell


def cells_of(narrative: str, reader: Audience = Audience.ANYBODY) -> Iterator[Cell]:
    parts = list(read_narrative(narrative))
    marks = [part for part in parts if isinstance(part, Mark)]
    about = statements_in(marks)
    shown = {id for mark in marks for id in _shown(mark)}
    for part in parts:
        if isinstance(part, Cell):
            yield _folded(part)
            continue
        try:
            yield from _generated(part, about, shown, reader)
        except (UnknownId, UnknownExercise) as reason:
            raise NarrativeError(f"line {part.line}: {reason}") from reason


def statements_in(marks: Sequence[Mark]) -> list[Statement]:
    """The statements that the marks speak of, in order."""
    found: dict[str, Statement] = {}
    for mark in marks:
        if mark.what in ("statement", "bounds", "claims", "all-claims"):
            for id in mark.about:
                try:
                    home = statement(id)
                except UnknownId as reason:
                    raise NarrativeError(f"line {mark.line}: {reason}") from reason
                found.setdefault(home.id, home)
    return list(found.values())


def _shown(mark: Mark) -> Iterator[str]:
    """The claims that a mark shows."""
    if mark.what == "claims":
        yield from mark.about
    elif mark.what == "all-claims":
        yield from (c.id for id in mark.about for c in statement(id).claims)


def _generated(mark: Mark, about: Sequence[Statement], shown: Collection[str], reader: Audience) -> Iterator[Cell]:
    match mark.what:
        case "sources":
            yield from statement_cells.source_cells(about)
        case "setup":
            yield from statement_cells.setup_cells()
        case "statement":
            for id in mark.about:
                yield from statement_cells.statement_cells(statement(id))
        case "bounds":
            first, *rest = [statement(id) for id in mark.about]
            yield from statement_cells.bounds_cells(first, rest)
        case "verdicts":
            yield from statement_cells.verdict_cells(briefly="briefly" in mark.about)
        case "claims":
            yield from statement_cells.claim_cells([claim(id) for id in mark.about])
        case "all-claims":
            yield from statement_cells.claim_cells([c for id in mark.about for c in statement(id).claims])
        case "ledger":
            settled = [s for s in about if any(c.id in shown for c in s.claims)]
            yield from statement_cells.ledger_cells(settled, shown)
        case "exercises":
            yield from statement_cells.exercise_cells([exercise(name) for name in mark.about], reader)
        case _:
            raise NarrativeError(f"line {mark.line}: nothing is generated for {mark.what[:40]!r}")


def as_text(cells: Iterator[Cell]) -> str:
    """Cells as jupytext percent text."""
    v4: Any = nbformat.v4
    make = {"words": v4.new_markdown_cell, "code": v4.new_code_cell}
    made = [make[cell.kind](cell.source, metadata=cell.metadata) for cell in cells]
    notebook = v4.new_notebook(cells=made, metadata=_METADATA)
    return str(jupytext.writes(notebook, fmt="py:percent")).rstrip("\n") + "\n"
