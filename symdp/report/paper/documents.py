r"""Whole LaTeX files: pieces of text, what they need, their references, and the press.

A file written with its references compiles with pdflatex alone, because the list of references lies
beside it as BibTeX would make it; and ``references.bib`` has the keys that are used, and no others.

>>> print(fragment([Piece("Text.", kinds=("lemma",), packages=("booktabs",))]))
% Needs amsmath, amsthm, amssymb and booktabs, and \newtheorem{lemma}{Lemma}.
Text.
>>> document([Piece("Text.")]).splitlines()[:2]
['\\documentclass[11pt]{article}', '\\usepackage{amsmath,amsthm,amssymb}']
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from symdp.outgoing import FORCE, MARK, marked, replaceable, write
from symdp.sources.bibliography import bibliography, bibtex
from symdp.typeset.prose import listed

try:
    import resource
except ImportError:  # not on POSIX
    resource = None  # type: ignore[assignment]

#: Seconds after which a run of TeX is given up.
PATIENCE = 300
#: Bytes of the largest file that it may write.
LARGEST_OUTPUT = 200_000_000


class NoPress(RuntimeError):
    """TeX is missing, or refused the text; the message is one line."""


@dataclass(frozen=True)
class Piece:
    """Some LaTeX, and what it needs around it."""

    body: str
    #: environments of amsthm
    kinds: tuple[str, ...] = ()
    #: packages besides amsmath, amsthm and amssymb
    packages: tuple[str, ...] = ()
    #: keys of ``references.bib`` that are cited
    keys: tuple[str, ...] = ()
    #: titles of sources that have no entry there
    titles: Mapping[str, str] = field(default_factory=dict)


def fragment(pieces: Sequence[Piece]) -> str:
    """To be pasted into a paper; a comment says what it needs there."""
    packages = listed(["amsmath", "amsthm", "amssymb", *_packages(pieces)])
    kinds = _kinds(pieces)
    needs = f", and {_newtheorems(kinds, ' ')}" if kinds else ""
    body = "\n".join(p.body for p in pieces)
    return f"% Needs {packages}{needs}.\n{body}"


def document(pieces: Sequence[Piece], *, bib: str | None = None) -> str:
    """A file that compiles; with ``bib``, its references come from the BibTeX file of that name."""
    preamble = [r"\documentclass[11pt]{article}", r"\usepackage{amsmath,amsthm,amssymb}",
                *(rf"\usepackage{{{name}}}" for name in _packages(pieces)),
                r"\theoremstyle{definition}", r"\emergencystretch=3em"]
    kinds = _kinds(pieces)
    parts = ["\n".join(preamble), *([f"{_newtheorems(kinds)}\n"] if kinds else []),
             "\\begin{document}\n", *(p.body for p in pieces)]
    keys = keys_of(pieces)
    if keys:
        parts.append(f"\\bibliographystyle{{plain}}\n\\bibliography{{{bib}}}" if bib
                     else bibliography(keys, _titles(pieces)))
    return "\n".join([*parts, "\\end{document}\n"])


def keys_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for p in pieces for key in p.keys))


def _titles(pieces: Iterable[Piece]) -> dict[str, str]:
    return {key: title for p in pieces for key, title in p.titles.items()}


def _packages(pieces: Iterable[Piece]) -> list[str]:
    return list(dict.fromkeys(name for p in pieces for name in p.packages))


def _kinds(pieces: Iterable[Piece]) -> list[str]:
    return list(dict.fromkeys(kind for p in pieces for kind in p.kinds))


def _newtheorems(kinds: Iterable[str], between: str = "\n") -> str:
    """One counter for all, so that numbers in a short document run on."""
    first, *others = kinds
    return between.join([f"\\newtheorem{{{first}}}{{{first.capitalize()}}}",
                         *(f"\\newtheorem{{{o}}}[{first}]{{{o.capitalize()}}}" for o in others)])


# --- files ----------------------------------------------------------------------------------------


def write_document(pieces: Sequence[Piece], path: Path, *, force: bool = False) -> list[Path]:
    """The file, and beside it ``references.bib`` and the list that BibTeX would make of it.

    What is there already is replaced if it was written here, or with ``force``; else nothing is written at all.
    """
    keys = keys_of(pieces)
    texts = {path: document(pieces, bib="references")}
    if keys:
        texts[path.with_name("references.bib")] = bibtex(keys)
        texts[path.with_suffix(".bbl")] = bibliography(keys, _titles(pieces)) + "\n"
    for place in () if force else texts:
        replaceable(place, cure=FORCE)
    for place, text in texts.items():
        write(place, marked(text, "%"), force=force)
    return list(texts)


def write_pdf(pieces: Sequence[Piece], path: Path, *, force: bool = False) -> None:
    """The pages, where there is a pdflatex to make them."""
    with tempfile.TemporaryDirectory(prefix="symdp-") as folder:
        made = typeset(document(pieces), Path(folder))
        write(path, made.read_bytes() + f"% {MARK}\n".encode(), force=force)


def typeset(text: str, folder: Path, name: str = "page") -> Path:
    """The PDF of a text, made in the folder; twice, so that references are known. NoPress if not."""
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    for _ in range(2):
        press(folder, name)
    return folder / f"{name}.pdf"


def press(folder: Path, name: str) -> None:
    """One run of pdflatex over a file of the folder; NoPress if it stops, or there is none.

    A text of a stranger's is a program. It runs no commands, reads and writes nothing but what lies in the folder or
    belongs to TeX, and has an end to its time and to what it writes.
    """
    found = shutil.which("pdflatex")
    if found is None:
        raise NoPress("there is no pdflatex on this machine: install TeX (Debian: apt install "
                      "texlive-latex-recommended), or write a .tex file and compile it elsewhere")
    command = [found, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    paranoid = {"openin_any": "p", "openout_any": "p", "TEXMFOUTPUT": str(folder), "shell_escape": "f"}
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=PATIENCE,
                              check=False, env={**os.environ, **paranoid}, stdin=subprocess.DEVNULL,
                              preexec_fn=_bounded if resource else None)
    except subprocess.TimeoutExpired as reason:
        raise NoPress(f"pdflatex did not end within {PATIENCE} seconds") from reason
    if done.returncode != 0:
        reasons = [line.lstrip("! ") for line in done.stdout.splitlines() if line.startswith("!")]
        raise NoPress(f"pdflatex stopped: {(reasons or ['it gave no reason'])[0]}")


def _bounded() -> None:
    """In the process that becomes pdflatex: no file of it grows without end."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_OUTPUT, LARGEST_OUTPUT))
