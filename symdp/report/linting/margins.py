r"""A linted paper as pages: a copy of the author's source, with a mark at each relation and a note in the margin.

The copy is made in a private folder, with the files beside the paper that TeX may need, and pressed three times as
any text of a stranger's is (:func:`symdp.report.paper.documents.press`). In the first runs each mark says on which
page and at which height it came to stand; then the notes are laid out beside the page, which is made wider for them,
so that no line of the paper moves.

>>> print(_marked("one\n$x$ two\n", [(2, 1, 7, "refuted")]))
one
\symdpmark{7}{refuted}$x$ two
<BLANKLINE>
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from symdp.incoming import NotRead, bytes_of
from symdp.outgoing import MARK, write
from symdp.papers.finding import Finding
from symdp.report.linting.lines import said
from symdp.report.paper.documents import NoPress, press
from symdp.typeset.prose import words_latex

#: What may be copied beside a paper: sources, styles, lists of references, pictures.
_KINDS = frozenset(".tex .sty .cls .bbl .bib .bst .def .cfg .clo .ltx .pdf .png .jpg .jpeg .eps".split())
_LARGEST, _MOST_FILES, _MOST_BYTES = 20_000_000, 2000, 100_000_000
#: What is shown in a note; the terminal and the page say it all.
_LONGEST_NOTE = 160
#: The paper writes to the same file, and may write anything.
_PLACE = re.compile(r"^\\symdpat\{(\d{1,6})\}\{(\d{1,6})\}\{(-?\d{1,10})\}\{(-?\d{1,10})\}$", re.MULTILINE)
#: The name of a paper is a word of the command line of TeX, which would take other signs for commands.
_NAME = re.compile(r"\w[\w.+-]*")
#: Scaled points: the height of one line of a note, and how many signs it has.
_LINE, _SIGNS = 589_824, 46

PACKAGE = r"""\NeedsTeXFormat{LaTeX2e}[2020/10/01]
\ProvidesPackage{symdpmargins}
\RequirePackage{color}
\definecolor{symdpproved}{rgb}{0.10,0.50,0.22}
\definecolor{symdpargued}{rgb}{0.04,0.45,0.52}
\definecolor{symdprefuted}{rgb}{0.76,0.07,0.12}
\definecolor{symdpgap}{rgb}{0.54,0.17,0.89}
\definecolor{symdpundecided}{rgb}{0.60,0.40,0.00}
\definecolor{symdpunread}{rgb}{0.60,0.40,0.00}
\definecolor{symdpdefinition}{rgb}{0.45,0.45,0.45}
\definecolor{symdpassumption}{rgb}{0.45,0.45,0.45}
\definecolor{symdpasymptotic}{rgb}{0.45,0.45,0.45}
\newcount\symdppage
\DeclareRobustCommand\symdpmark[2]{\pdfsavepos
  \write\@auxout{\string\symdpat{#1}{\the\symdppage}{\the\pdflastypos}{\number\pdfpageheight}}%
  \ifvmode\else\llap{\smash{\hbox{\color{symdp#2}\normalfont\fontsize{5}{5}\selectfont#1\kern1pt}}}\fi}
\newcommand\symdpat[4]{}
\newdimen\symdpleft
\AddToHook{begindocument/end}{\symdpleft=\pdfpagewidth\advance\symdpleft by 2mm \advance\pdfpagewidth by 62mm }
\newcommand\symdpnote[5]{% page, height from above in sp, number, verdict, text
  \AddToHook{shipout/foreground}{\ifnum\symdppage=#1
    \put(\strip@pt\symdpleft,-\strip@pt\dimexpr#2sp\relax){\makebox(0,0)[tl]{\parbox[t]{57mm}{\raggedright
      \normalfont\fontsize{7}{9}\selectfont\color{symdp#4}\textbf{#3 #4}\color{black}\ #5\par}}}\fi}}
\AddToHook{shipout/before}{\global\advance\symdppage by 1 }
"""


def write_margins(paper: Path, findings: Sequence[Finding], path: Path, *, force: bool = False) -> None:
    """Write the pages; NoPress, in one line, where TeX is missing or the paper does not compile."""
    with tempfile.TemporaryDirectory(prefix="symdp-") as made:
        folder, name = Path(made), paper.stem
        if not _NAME.fullmatch(name):
            raise NoPress(f"{paper}: TeX would read this name as something else; give the file a name of letters, "
                          "digits, ., _ and -")
        _copy(paper, folder)
        (folder / f"{name}.tex").write_bytes(_plain_bytes(paper))
        for file in {f.file for f in findings}:
            _mark_file(folder, paper, Path(file), [(f.line, f.column, number, f.verdict)
                                                   for number, f in enumerate(findings, start=1) if f.file == file])
        (folder / "symdpmargins.sty").write_text(PACKAGE, encoding="utf-8")
        (folder / "symdpnotes.tex").write_text("", encoding="utf-8")
        source = folder / f"{name}.tex"
        text = source.read_bytes()
        begin = re.search(rb"(?<!%)\\begin\s*\{document\}", text)
        if begin is None:
            raise NoPress(f"{paper}: there is no \\begin{{document}}, so that it is no paper by itself; "
                          "give --pdf the file that has it")
        load = b"\\usepackage{symdpmargins}\\input{symdpnotes}"
        source.write_bytes(text[:begin.start()] + load + text[begin.start():])
        try:
            press(folder, name)
            press(folder, name)
        except NoPress as reason:
            raise NoPress(f"{paper}: {reason}; the paper must compile with pdflatex for --pdf, --html needs no TeX") \
                from reason
        (folder / "symdpnotes.tex").write_text(
            "".join(_notes(findings, _places(folder / f"{name}.aux", len(findings)))), encoding="utf-8")
        press(folder, name)
        write(path, (folder / f"{name}.pdf").read_bytes() + f"% {MARK}\n".encode(), force=force)


# --- the copy -----------------------------------------------------------------------------------------


def _copy(paper: Path, folder: Path) -> None:
    """The files beside the paper that TeX may need; plain ones only, and not without end."""
    above = paper.resolve().parent
    count = size = 0
    for here, folders, names in os.walk(above):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not Path(here, f).is_symlink())
        for name in sorted(names):
            source = Path(here, name)
            if source.suffix.lower() not in _KINDS or name.startswith("."):
                continue
            found = source.lstat()
            count, size = count + 1, size + found.st_size
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                continue
            if count > _MOST_FILES or size > _MOST_BYTES:
                raise NoPress(f"{paper}: there is too much beside it to copy; put the paper into a folder of its own")
            target = folder / source.relative_to(above)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target, follow_symlinks=False)


def _plain_bytes(paper: Path) -> bytes:
    try:
        return bytes_of(paper, _LARGEST)
    except NotRead as reason:
        raise NoPress(f"{paper}: {reason}") from reason


def _mark_file(folder: Path, paper: Path, file: Path, marks: Iterable[tuple[int, int, int, str]]) -> None:
    above = paper.resolve().parent
    target = folder / file.resolve().relative_to(above)
    text = target.read_bytes().decode("utf-8", errors="surrogateescape")
    target.write_bytes(_marked(text, marks).encode("utf-8", errors="surrogateescape"))


def _marked(text: str, marks: Iterable[tuple[int, int, int, str]]) -> str:
    """The source with its marks: line, column, number and verdict of each."""
    lines = text.split("\n")
    for line, column, number, verdict in sorted(marks, reverse=True):
        if 1 <= line <= len(lines):
            row, at = lines[line - 1], column - 1
            lines[line - 1] = f"{row[:at]}\\symdpmark{{{number}}}{{{verdict}}}{row[at:]}"
    return "\n".join(lines)


# --- the notes -----------------------------------------------------------------------------------------


def _places(aux: Path, marks: int) -> dict[int, tuple[int, int]]:
    """Page and height from above, in scaled points, of each mark."""
    text = aux.read_text(encoding="utf-8", errors="replace")
    return {int(number): (int(page), int(height) - int(y)) for number, page, y, height in _PLACE.findall(text)
            if 1 <= int(number) <= marks}


def _notes(findings: Sequence[Finding], places: dict[int, tuple[int, int]]) -> Iterable[str]:
    """Notes beside their marks, each below the one before; those that need no look are short."""
    lowest: dict[int, int] = {}
    for number, (page, height) in sorted(places.items(), key=lambda item: (item[1], item[0])):
        finding = findings[number - 1]
        text = "" if finding.verdict in ("proved", "definition", "assumption", "asymptotic") else said(finding)
        if len(text) > _LONGEST_NOTE:
            text = text[:_LONGEST_NOTE].rsplit(" ", 1)[0] + " ..."
        y = max(height - _LINE // 2, lowest.get(page, 0))
        lowest[page] = y + _LINE * (1 + (len(text) + len(finding.verdict) + 4) // _SIGNS)
        yield f"\\symdpnote{{{page}}}{{{y}}}{{{number}}}{{{finding.verdict}}}{{{words_latex(text)}}}\n"
