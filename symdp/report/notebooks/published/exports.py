r"""Executed notebooks as pages and as papers, through nbconvert and without a network.

A page is one HTML file whose formulas are MathML, so that it needs no script and nothing is fetched; none would run.
A paper is LaTeX, set by xelatex. In both, what is folded in the notebook stays out of sight.

>>> wanted("html,pdf"), wanted("html")
((<Kind.HTML: 'html'>, <Kind.PDF: 'pdf'>), (<Kind.HTML: 'html'>,))
>>> wanted("docx")
Traceback (most recent call last):
...
symdp.report.notebooks.published.exports.NoExport: 'docx' is no form of a notebook; there are html and pdf
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from copy import deepcopy
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import nbformat
from jinja2 import FileSystemLoader, pass_context
from nbconvert.exporters import HTMLExporter, PDFExporter
from nbconvert.exporters.pdf import LatexFailed
from traitlets.config import Config

from symdp.formulas.notation import aliases, symbol_latex
from symdp.report.notebooks.published.on_pages import markdown_html
from symdp.report.notebooks.published.on_paper import NotSet, markdown_latex
from symdp.report.notebooks.published.purified import purified


class Kind(StrEnum):
    HTML = "html"
    PDF = "pdf"


#: TeX runs no other program, does not wait for an answer, and stops at the first fault.
_XELATEX = ["xelatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "{filename}"]


class NoExport(ValueError):
    """There is no such form, or this machine cannot make it; says what is missing."""


#: The program that a paper needs -> what brings it.
PROGRAMS = {
    "pandoc": "install pandoc (on Debian: apt-get install pandoc)",
    "xelatex": "install TeX (on Debian: apt-get install texlive-xetex texlive-latex-extra "
               "texlive-fonts-recommended)",
}


def wanted(text: str) -> tuple[Kind, ...]:
    """The kinds that a list names, with commas between them."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in list(Kind):
            known = " and ".join(Kind)
            raise NoExport(f"{name[:40]!r} is no form of a notebook; there are {known}")
    if not names:
        raise NoExport("--to names no form; write --to html,pdf")
    return tuple(Kind(name) for name in dict.fromkeys(names))


def able(kinds: tuple[Kind, ...]) -> None:
    """Raise NoExport, with the cure, where this machine cannot make one of the kinds."""
    if find_spec("nbconvert") is None:
        raise NoExport("an export needs nbconvert: pip install nbconvert")
    if Kind.PDF in kinds:
        for program, cure in PROGRAMS.items():
            if shutil.which(program) is None:
                raise NoExport(f"a PDF needs {program}, which is not there: {cure}")


def exported(notebook: str, kind: Kind) -> bytes:
    r"""The notebook, given as the text of an executed .ipynb file, as a page or as a paper.

    >>> from symdp.report.notebooks.execution import executed
    >>> page = exported(executed("# %% [markdown]\n# # Sums\n# $x^2$\n", "sums"), Kind.HTML).decode()
    >>> "<title>Sums</title>" in page, "<msup><mi>x</mi><mn>2</mn></msup>" in page
    (True, True)
    """
    read: Any = nbformat.reads
    made = purified(read(notebook, as_version=4))
    if kind is Kind.HTML:
        made.metadata["title"] = _title(made)
        body, _ = _page().from_notebook_node(made)
        return str(body).encode()
    try:
        body, _ = _paper().from_notebook_node(_with_title_page(made))
    except LatexFailed as reason:
        raise NoExport(f"xelatex stopped: {_complaint(str(reason.output))}") from reason
    except NotSet as reason:
        raise NoExport(str(reason)) from reason
    return bytes(body)


def _complaint(log: str) -> str:
    r"""The line on which TeX says what is wrong.

    >>> _complaint("This is XeTeX\n! LaTeX Error: File `tcolorbox.sty' not found.\n")
    "LaTeX Error: File `tcolorbox.sty' not found."
    """
    found = re.search(r"^! *(.+)$", log, re.MULTILINE)
    return found[1] if found else " ".join(log.split())[-200:]


def _title(notebook: Any) -> str:
    first = next((c.source for c in notebook.cells if c.cell_type == "markdown"), "")
    found = re.match(r"# (.+)", first)
    return found[1].strip() if found else "Notebook"


# --- a page ---------------------------------------------------------------------------------------


@cache
def _page() -> Any:
    class Page(HTMLExporter):
        @pass_context
        def markdown2html(self, context: Any, source: str) -> str:
            return markdown_html(source)

    made: Any = Page
    try:
        return made(template_name="lab", template_file="page.html.j2", extra_loaders=[_templates()])
    except ValueError as reason:  # packages that were moved or copied without their data
        raise NoExport("nbconvert lacks its templates: pip install --force-reinstall nbconvert") from reason


# --- a paper --------------------------------------------------------------------------------------


def _with_title_page(notebook: Any) -> Any:
    """The first heading becomes the title, the others move up by one."""
    made = deepcopy(notebook)
    made.metadata["title"] = _title(made)
    texts = [c for c in made.cells if c.cell_type == "markdown"]
    if texts:
        texts[0].source = re.sub(r"\A# .+\n*", "", texts[0].source)
    for cell in texts:
        cell.source = _raised(cell.source)
    for cell in made.cells:
        for output in cell.get("outputs", ()):
            shown = output.get("data", {})
            if "text/markdown" in shown:
                shown["text/markdown"] = _raised(shown["text/markdown"])
                shown.pop("text/latex", None)  # the same thing for a line of text
    return made


def _raised(text: str) -> str:
    return re.sub(r"^#(#+ )", r"\1", text, flags=re.MULTILINE)


def signs() -> Iterator[tuple[str, str]]:
    r"""What the fonts of TeX have no glyph for, and what is set instead.

    >>> dict(signs())["✓"], dict(signs())["ε"]
    ('\\ding{51}', '\\ensuremath{\\varepsilon}')
    """
    yield from {"✓": r"\ding{51}", "✗": r"\ding{55}", "≤": r"\ensuremath{\le}",
                "≥": r"\ensuremath{\ge}", "∞": r"\ensuremath{\infty}", "→": r"\ensuremath{\to}",
                "√": r"\ensuremath{\surd}"}.items()
    for letter, name in aliases.items():
        if len(letter) == 1 and not letter.isascii():
            yield letter, rf"\ensuremath{{{symbol_latex(name)}}}"


@cache
def _paper() -> Any:
    class Paper(PDFExporter):
        def run_bib(self, filename: str, raise_on_failure: object = False) -> bool:
            """The references are in the text."""
            return False

    kind: Any = Paper
    made = kind(
        template_name="latex", template_file="paper.tex.j2", extra_loaders=[_templates()],
        latex_count=2, latex_command=_XELATEX, filters={"markdown_latex": markdown_latex},
        exclude_input_prompt=True, exclude_output_prompt=True,
        config=Config({"TagRemovePreprocessor": {"enabled": True, "remove_input_tags": {"hide-input"}}}),
    )
    made.log.setLevel(logging.CRITICAL)  # xelatex's own words follow in the exception
    made.environment.globals["signs"] = list(signs())
    return made


def _templates() -> Any:
    return FileSystemLoader(str(files("symdp.report.notebooks") / "templates"))
