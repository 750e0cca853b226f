r"""A notebook written anew from what may be shown: words, formulas, code, plain outputs and pictures.

An exporter puts much of a notebook into its page or paper as it is: HTML and scripts of outputs, tags and other
metadata, raw cells, raw TeX in Markdown. Here a notebook is copied part by part, and what is not on the list is left
behind; a formula is mathematics (:mod:`symdp.typeset.mathematics`), or it is shown as code.

>>> print(purified_words(r"see \input{x} and $\write18{x}$ and $\frac12$"))
see \\input{x} and `\write18{x}` and $\frac12$
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
#: A block of code, a span of code, a formula on lines of its own or in a line; what is between them is words.
_PARTS = re.compile(r"(^(?P<fence>```+|~~~+)[^\n]*\n.*?^(?P=fence)[ \t]*$|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
                    r"|\$\$(?P<block>.+?)\$\$|(?<!\\)\$(?P<line>[^$]+?)(?<!\\)\$)", re.DOTALL | re.MULTILINE)


def purified(notebook: Any) -> Any:
    """A new notebook with the cells and outputs of this one, as far as they may be shown."""
    v4: Any = nbformat.v4
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cells.append(v4.new_markdown_cell(purified_words(str(cell.source)), metadata=_metadata(cell)))
        elif cell.cell_type == "code":
            count = cell.get("execution_count")
            cells.append(v4.new_code_cell(
                str(cell.source), metadata=_metadata(cell), execution_count=count if type(count) is int else None,
                outputs=[made for made in map(_output, cell.get("outputs", ())) if made is not None]))
    for cell, id in zip(cells, cell_ids(c.source for c in cells), strict=True):
        cell["id"] = id
    return v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})


def purified_words(text: str) -> str:
    """Markdown in which formulas are mathematics and nothing else is TeX."""
    made, at = "", 0
    for part in _PARTS.finditer(text):
        made += _words(text[at:part.start()])
        tex = part["block"] or part["line"]
        if tex is None:
            made += part.group().replace("{=", "{ =")
        else:
            made += part.group() if is_mathematics(tex) else f"`{tex.replace('`', chr(39)).strip()}`"
        at = part.end()
    return made + _words(text[at:])


def _words(text: str) -> str:
    """No command of TeX, no raw piece of another format, no tag."""
    def escaped(run: re.Match[str]) -> str:
        """An odd number of backslashes would begin a command, an even one before a bracket a formula."""
        command = run.group(2) not in "(["
        return run.group() if (len(run.group(1)) % 2 == 0) == command else f"\\{run.group()}"

    text = re.sub(r"(\\+)([(\[A-Za-z@])", escaped, text)
    return re.sub(r"<(?=[A-Za-z/!?])", r"\\<", text).replace("\\\\<", "\\<").replace("{=", "{ =")


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
    if kind == "text/plain":
        return text
    if kind == "text/markdown":
        return purified_words(text)
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
