"""A notebook written anew from what may be shown: words, formulas, code, plain outputs and pictures.

An exporter puts much of a notebook into its page or paper as it is: HTML and scripts of outputs, tags and other
metadata, raw cells. Here a notebook is copied part by part, and what is not on the list is left behind. Markdown
stays as it is: what may be in it is said where it is read (:mod:`~symdp.report.notebooks.published.on_pages`,
:mod:`~symdp.report.notebooks.published.on_paper`).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

import nbformat

from symdp.report.notebooks.execution import KERNEL, cell_ids
from symdp.typeset.mathematics import is_mathematics

#: The tags of cells that mean something to our templates.
_TAGS = ("hide-input",)
_PNG = b"\x89PNG\r\n\x1a\n"


def purified(notebook: Any) -> Any:
    """A new notebook with the cells and outputs of this one, as far as they may be shown."""
    v4: Any = nbformat.v4
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cells.append(v4.new_markdown_cell(str(cell.source), metadata=_metadata(cell)))
        elif cell.cell_type == "code":
            count = cell.get("execution_count")
            cells.append(v4.new_code_cell(
                str(cell.source), metadata=_metadata(cell), execution_count=count if type(count) is int else None,
                outputs=[made for made in map(_output, cell.get("outputs", ())) if made is not None]))
    for cell, id in zip(cells, cell_ids(c.source for c in cells), strict=True):
        cell["id"] = id
    return v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})


def _metadata(cell: Any) -> dict[str, Any]:
    given = cell.get("metadata", {})
    tags = given.get("tags", [])
    made: dict[str, Any] = {"tags": [tag for tag in _TAGS if tag in tags]} if isinstance(tags, list) else {}
    grading = given.get("nbgrader", {})
    if isinstance(grading, Mapping) and grading.get("solution") is True:
        made["nbgrader"] = {"solution": True}
    return made


def _output(given: Any) -> Any:
    v4: Any = nbformat.v4
    kind = given.get("output_type")
    if kind == "stream":
        name = "stderr" if given.get("name") == "stderr" else "stdout"
        return v4.new_output("stream", name=name, text=str(given.get("text", "")))
    if kind == "error":
        return v4.new_output("error", ename=str(given.get("ename")), evalue=str(given.get("evalue")),
                             traceback=[str(line) for line in given.get("traceback", ())])
    if kind not in ("execute_result", "display_data"):
        return None
    shown = {name: made for name, value in given.get("data", {}).items() if (made := _shown(name, value))}
    if not shown:
        left_out = ", ".join(sorted(map(str, given.get("data", {}))))
        shown = {"text/plain": f"(left out: an output of the kind {left_out[:80]})"}
    return v4.new_output("display_data", data=shown, metadata=_sizes(given.get("metadata", {})))


def _shown(kind: str, value: Any) -> str | None:
    text = "".join(value) if isinstance(value, list) else str(value)
    if kind in ("text/plain", "text/markdown"):
        return text
    if kind == "text/latex":
        formula = re.fullmatch(r"\s*(\$\$?)(.+?)\1\s*", text, re.DOTALL)
        return text if formula and is_mathematics(formula[2]) else None
    if kind == "image/png":
        try:
            return text if base64.b64decode("".join(text.split()), validate=True).startswith(_PNG) else None
        except (binascii.Error, ValueError):
            return None
    return None


def _sizes(metadata: Any) -> dict[str, Any]:
    given = metadata.get("image/png", {}) if isinstance(metadata, Mapping) else {}
    sizes = {name: given[name] for name in ("width", "height")
             if isinstance(given, Mapping) and type(given.get(name)) is int}
    return {"image/png": sizes} if sizes else {}
