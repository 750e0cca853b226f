"""Notebooks that are run from a clean kernel, with the same bytes every time.

>>> "42" in executed("# %%\\n6 * 7\\n", "answer")
True
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import jupytext
import matplotlib.font_manager  # noqa: F401
import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from symdp.report.notebooks.sliders import STILL

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager

#: Told after each cell: which notebook, how many cells are done, how many there are.
Advance = Callable[[str, int, int], None]

FORMATS = "ipynb,py:percent"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class Stopped(RuntimeError):
    """A cell failed: what the notebook shows there is not so. Says which cell, and why."""

    def __init__(self, name: str, cell: str, error: str, traceback: str) -> None:
        first = next((line for line in cell.splitlines() if line.strip()), "")
        super().__init__(f"the notebook {name} stops at the cell {first[:60]!r}: {error}")
        self.error, self.traceback = error, traceback


def executed(text: str, name: str, advance: Advance = lambda what, done, total: None) -> str:
    """The notebook with its output, as the text of an .ipynb file."""
    notebook = jupytext.reads(text, fmt="py:percent")
    total = len(notebook.cells)
    # nbclient and the kernel write into the metadata; what the text says is kept.
    metadata = [dict(cell.metadata) for cell in notebook.cells]

    def executed_cell(cell: Any, cell_index: int, **_: object) -> None:
        advance(name, cell_index + 1, total)

    client = NotebookClient(
        notebook, kernel_manager_class=_kernel_manager(), timeout=180, record_timing=False,
        on_cell_complete=executed_cell,
    )
    with TemporaryDirectory() as settings:
        _prepare_fonts()
        try:
            client.execute(env=_environment(settings))
        except CellExecutionError as reason:
            at = next((c.source for c in notebook.cells if any(
                o.output_type == "error" for o in c.get("outputs", ()))), "")
            error = f"{reason.ename}: {reason.evalue}".rstrip(": ")
            raise Stopped(name, at, error, reason.traceback) from reason
    for cell, kept in zip(notebook.cells, metadata, strict=True):
        cell["metadata"] = kept
        for output in cell.get("outputs", ()):
            _keep_rich(output)
    return _as_file(notebook)


def not_run(text: str) -> str:
    """The notebook without any output, as the text of an .ipynb file: Jupyter opens it as it is.

    >>> "42" in not_run("# %%\\n6 * 7\\n"), "6 * 7" in not_run("# %%\\n6 * 7\\n")
    (False, True)
    """
    return _as_file(jupytext.reads(text, fmt="py:percent"))


def _as_file(notebook: Any) -> str:
    format: Any = nbformat

    for cell, id in zip(notebook.cells, cell_ids(c.source for c in notebook.cells), strict=True):
        cell["id"] = id
    notebook["metadata"] = {
        "kernelspec": KERNEL,
        "language_info": {"name": "python"},
        "jupytext": {"formats": FORMATS},
    }
    format.validate(notebook)
    return str(format.writes(notebook)) + "\n"


def _keep_rich(output: Any) -> None:
    """Beside Markdown, the plain text is the inside of an object, and LaTeX the same in one line.

    Where a reader's program prefers one of these, it would show less than it could.
    """
    if "text/markdown" in output.get("data", ()):
        output["data"].pop("text/plain", None)
        output["data"].pop("text/latex", None)


def cell_ids(sources: Iterable[str]) -> list[str]:
    """Ids from what the cells say, so that a new cell leaves those of the others alone.

    >>> cell_ids(["a", "b", "a"])
    ['ca978112ca1b', '3e23e8160039', 'ca978112ca1b-2']
    """
    seen: Counter[str] = Counter()
    ids = []
    for source in sources:
        digest = hashlib.sha256(source.encode()).hexdigest()[:12]
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _prepare_fonts() -> None:
    """Let matplotlib list the fonts of the machine now: in a slow kernel it would say that it does."""

def _environment(settings: str) -> dict[str, str]:
    """The user's own start-up files and matplotlib style must not leak into the notebook."""
    style = Path(settings) / "matplotlibrc"
    style.touch()
    return {
        **os.environ,
        "IPYTHONDIR": settings,
        "MATPLOTLIBRC": str(style),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONHASHSEED": "0",
        STILL: "1",
    }


def _kernel_manager() -> type[AsyncKernelManager]:
    class ThisInterpreter(AsyncKernelManager):
        """A kernel spec that is installed on the machine may belong to another environment."""

        @property
        def kernel_spec(self) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}",
                       "--log-level=ERROR"]
            return KernelSpec(argv=command, display_name="Python 3", language="python")

    return ThisInterpreter
