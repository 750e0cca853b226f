r"""Whether a stored notebook still is what its text gives: every word, and the pictures to the eye.

Pictures are compared by their pixels and not by their bytes: another processor rounds a curve
differently, and no reader sees it.

>>> from symdp.report.notebooks.execution import executed
>>> before, after = (executed(f"# %%\n6 * {n}\n", "product") for n in (7, 7))
>>> list(differences(before, after))
[]
>>> list(differences(before, before.replace("42", "43")))
["the cell '6 * 7' shows something else"]
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import jupytext
import nbformat
import numpy
from matplotlib.image import imread

#: The root of the mean square of the differences between two pictures, of 1 for white and black. A
#: curve that is elsewhere gives ten times as much, the edges of letters a tenth.
TOLERANCE = 0.01
_PICTURE = "image/png"
#: Bytes of a PNG that say what it is: its signature, its width and height, and how colours are written.
_HEAD = 29


def differences(stored: str, made: str) -> Iterator[str]:
    """Where two executed notebooks differ, in words; both are texts of .ipynb files."""
    try:
        old, new = json.loads(stored), json.loads(made)
        cells = list(zip(old["cells"], new["cells"], strict=False))
        if [c["source"] for c in old["cells"]] != [c["source"] for c in new["cells"]]:
            yield "its cells are not those that are woven"
            return
        for before, after in cells:
            if not _alike(before, after):
                yield f"the cell {_first_line(after)!r} shows something else"
        if {**old, "cells": []} != {**new, "cells": []}:
            yield "its metadata differ"
    except (ValueError, KeyError, TypeError, AttributeError):
        yield "it cannot be read as a notebook"


def same_sources(stored: str, text: str) -> bool:
    """Whether an executed notebook has the cells of a jupytext text, and all of them were run."""
    format: Any = nbformat
    try:
        notebook = format.reads(stored, as_version=4)
    except Exception:  # nbformat raises what its validators raise
        return False
    sources = [c.source for c in jupytext.reads(text, fmt="py:percent").cells]
    ran = all(c.get("execution_count") for c in notebook.cells if c.cell_type == "code")
    return ran and [c.source for c in notebook.cells] == sources


def _first_line(cell: Any) -> str:
    return next((line.strip() for line in cell["source"] if line.strip()), "")[:60]


def _alike(before: Any, after: Any) -> bool:
    """The same cell with the same outputs, but for the pixels of a picture that no eye tells apart."""
    olds, news = before.pop("outputs", []), after.pop("outputs", [])
    if before != after or len(olds) != len(news):
        return False
    for old, new in zip(olds, news, strict=True):
        pictures = [output.get("data", {}).pop(_PICTURE, "") for output in (old, new)]
        sizes = [output.get("metadata", {}).pop(_PICTURE, None) for output in (old, new)]
        if old != new or sizes[0] != sizes[1] or not _look_alike(*pictures):
            return False
    return True


def _look_alike(before: str, after: str) -> bool:
    if before == after:
        return True
    if not (before and after):
        return False
    given = [base64.b64decode("".join(text)) for text in (before, after)]
    if given[0][:_HEAD] != given[1][:_HEAD]:  # seen before it is unpacked: it may say that it is as large as a house
        return False
    try:
        old, new = (imread(BytesIO(png)) for png in given)
    except (SyntaxError, OSError):  # what the reader of PNG raises where a file is none, or broken
        return False
    return bool(old.shape == new.shape and numpy.sqrt(numpy.mean((old - new) ** 2)) <= TOLERANCE)
