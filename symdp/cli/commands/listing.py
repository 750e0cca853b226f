"""``symdp list``: what the sources say."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from symdp.cli.console import BadInput, Format, FormatOption, emit, tell
from symdp.report.paper_to_code import SOURCES, rows
from symdp.report.terminal.listing import print_list
from symdp.sources.contents import contents


def list_command(
    source: Annotated[str | None, typer.Option(help="only this source, such as kov")] = None,
    kind: Annotated[str | None, typer.Option(help="only this kind, such as inequality")] = None,
    map: Annotated[bool, typer.Option("--map", help="from paper to code: every numbered item")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """The statements and claims."""
    table = contents()
    sources = sorted({s.source for s in table.statements})
    if source is not None and source not in sources:
        raise BadInput(f"there is no source {source!r}; there are {', '.join(sources)}")
    if kind is not None and kind not in table.kinds:
        raise BadInput(f"there is no kind {kind!r}; there are {', '.join(table.kinds)}")
    if map:
        _print_map([s for s in SOURCES if source in (None, s)], format)
        return
    chosen = [replace(s, claims=tuple(c for c in s.claims if kind in (None, c.kind)))
              for s in table.statements if source in (None, s.source)]
    chosen = [s for s in chosen if s.claims or kind is None]
    if format is Format.TEXT:
        print_list(chosen)
        return
    emit({
        "statements": [{"id": s.id, "title": s.title, "source": s.source, "where": s.where} for s in chosen],
        "claims": [{"id": c.id, "statement": s.id, "kind": c.kind, "task": c.task, "role": c.role, "where": c.where,
                    "page": c.page, "provenance": c.provenance}
                   for s in chosen for c in s.claims],
    })


def _print_map(sources: list[str], format: Format) -> None:
    """The map from paper to code; the documentation has it with the verdicts."""
    found = [row for source in sources for row in rows(source)]
    if format is Format.JSON:
        emit({"map": [asdict(row) for row in found]})
        return
    for row in found:
        page = f"p. {row.page}" if row.page else ""
        tell(f"{row.item:<22} {page:<8} {row.claim or 'see ' + row.statement:<44} {row.file}:{row.line}")
