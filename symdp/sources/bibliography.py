r"""The references: BibTeX is their only source.

>>> print(reference("dwork2010boosting"))
Dwork, Cynthia and Rothblum, Guy N. and Vadhan, Salil: Boosting and Differential Privacy (2010)
>>> print(reference("nobody2026book"))
nobody2026book
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from symdp import folders
from symdp.folders import BrokenFile
from symdp.incoming import NotRead, text_of
from symdp.sources.bibtex import BadBibTeX, BibtexEntry, read_bibtex
from symdp.typeset.mathematics import is_mathematics
from symdp.typeset.prose import label_latex, listed, text_latex, words_latex

LARGEST_FILE = 4_000_000
#: In the order in which an author is looked for, and what stands for an entry without any.
_AUTHORS = ("author", "editor", "organization", "institution", "key")


def entries() -> dict[str, str]:
    """Key -> the BibTeX entry, as it stands in the file; those of the user's own folders as well."""
    return {key: entry.text for key, entry in _read(_files()).items()}


def fields(key: str) -> dict[str, str]:
    """The fields of an entry; none if there is no entry, as for a source of somebody else's.

    >>> fields("dwork2010boosting")["year"], fields("nobody2026book")
    ('2010', {})
    """
    found = _read(_files()).get(key)
    return dict(found.fields) if found is not None else {}


def _files() -> tuple[Path, ...]:
    """The file of the house, those of packages that bring statements, those of the user's folders."""
    house = Path(str(files("symdp.literature").joinpath("references.bib")))
    packages = [Path(at) for entry in entry_points(group="symdp.literature")
                if (spec := find_spec(entry.value)) for at in spec.submodule_search_locations or ()]
    return house, *(path for folder in (*packages, *folders.own()) for path in sorted(folder.rglob("*.bib")))


@cache
def _read(paths: tuple[Path, ...]) -> dict[str, BibtexEntry]:
    """All entries; the first one of a key counts, and another one is a fault of its file."""
    found: dict[str, BibtexEntry] = {}
    where: dict[str, Path] = {}
    for path in paths:
        try:
            read = read_bibtex(text_of(path, LARGEST_FILE))
        except NotRead as reason:
            warnings.warn(BrokenFile(path, 1, str(reason), "give a file of BibTeX in UTF-8"), stacklevel=2)
            continue
        except BadBibTeX as reason:
            warnings.warn(BrokenFile(path, reason.line, reason.what, reason.cure), stacklevel=2)
            continue
        for key, entry in read.items():
            known = found.setdefault(key, entry)
            if known.fields != entry.fields:
                warnings.warn(BrokenFile(path, entry.line, f"{key} is another entry in {where[key]}, which counts",
                                         "give it another key"), stacklevel=2)
            where.setdefault(key, path)
    return found


def reference(key: str) -> str:
    """Authors, title and year in one line; the key itself if it is not in the file."""
    found = fields(key)
    if not found:
        return key
    year = _year(found)
    return f"{_authors(found, key)}: {found.get('title', key)}" + (f" ({year})" if year else "")


def _authors(found: Mapping[str, str], key: str) -> str:
    return next((found[field] for field in _AUTHORS if field in found), key)


def _year(found: Mapping[str, str]) -> str:
    return found.get("year") or found.get("date", "")[:4]


def bibtex(keys: Iterable[str]) -> str:
    """The entries of these keys, and no others, as a file for BibTeX.

    >>> bibtex(["dwork2010boosting", "nobody2026book"]).count("@")
    1
    """
    known = _read(_files())
    return "\n\n".join(_written(key, known[key]) for key in keys if key in known) + "\n"


def _written(key: str, entry: BibtexEntry) -> str:
    r"""An entry as it stands in its file; written anew where something in it is more than a reference.

    >>> print(_written("x", BibtexEntry("misc", "", 1, {"title": r"\input{x}", "year": "2026"})))
    @misc{x,
      title = {\textbackslash{}inputx},
      year = {2026},
    }
    """
    if all(map(is_reference, entry.fields.values())) and label_latex(key) == key:
        return entry.text
    named = [(name, reference_latex(value)) for name, value in entry.fields.items() if re.fullmatch(r"[a-z-]+", name)]
    # BibTeX counts braces that TeX shows: as words they are none
    rows = "".join(f"  {name} = {{{value}}},\n" for name, value in named if not re.search(r"\\[{}]", value))
    return f"@{entry.kind}{{{label_latex(key)},\n{rows}}}"


def bibliography(keys: Iterable[str], titles: Mapping[str, str]) -> str:
    r"""A list of references that compiles without BibTeX; ``titles`` serve keys it does not know.

    >>> print(bibliography(["dwork2010boosting"], {}))
    \begin{thebibliography}{9}
    \bibitem{dwork2010boosting}
    Cynthia Dwork, Guy N. Rothblum and Salil Vadhan.
    Boosting and Differential Privacy.
    Foundations of Computer Science (FOCS), pages 51--60, 2010.
    \end{thebibliography}
    """
    keys = tuple(keys)
    items = "\n".join(f"\\bibitem{{{label_latex(key)}}}\n{_bibitem(key, titles.get(key, key))}" for key in keys)
    widest = "9" * len(str(len(keys)))
    return f"\\begin{{thebibliography}}{{{widest}}}\n{items}\n\\end{{thebibliography}}"


def _bibitem(key: str, title: str) -> str:
    found = fields(key)
    if not found:
        return f"{text_latex(title)}."
    names = [" ".join(reversed(name.split(", "))) for name in _authors(found, key).split(" and ")]
    where = [found.get(field, "") for field in ("journal", "journaltitle", "booktitle", "publisher")]
    pages = f"pages {found['pages']}" if "pages" in found else ""
    rest = ", ".join(reference_latex(part) for part in [*where, pages, _year(found)] if part)
    note = f" {reference_latex(found['note'])}." if "note" in found else ""
    authors, called = listed([reference_latex(name) for name in names]), reference_latex(found.get("title", title))
    return f"{authors}.\n{called}.\n{rest}.{note}"


# --- a field of an entry as LaTeX: accents, letters, emphasis and formulas; everything else is words ---

_LETTER = r"(?:[A-Za-z]|\\[ij](?![A-Za-z]))"
_KNOWN = re.compile("|".join((
    r"[^\\{}$%#&^_\x00-\x1f\x7f]",
    r"\\[&%_#$ ,/-]",
    rf"\\['\"`^=.~]\s*(?:{_LETTER}|\{{{_LETTER}?\}})",
    rf"\\[cvuHkrbdt](?:\s+{_LETTER}|\s*\{{{_LETTER}?\}})",
    r"\\(?:ss|ae|oe|o|l|i|j|aa|AE|OE|O|L|AA|LaTeX|TeX|dots|ldots)(?![A-Za-z])",
    r"\\(?:emph|textit|textbf|textsc|textrm|texttt|mbox)(?=\{)",
    r"\$(?P<math>[^$]+)\$",
    r"(?P<brace>[{}])",
)))


def is_reference(value: str) -> bool:
    """Whether a field has nothing in it but what references are made of, with every brace closed."""
    at = depth = 0
    while at < len(value):
        found = _KNOWN.match(value, at)
        if found is None or (found["math"] and not is_mathematics(found["math"])):
            return False
        if len(found.group()) == 1 and not _is_set(found.group()):
            return False
        depth += {"{": 1, "}": -1}.get(found["brace"] or "", 0)
        if depth < 0:
            return False
        at = found.end()
    return depth == 0


def _is_set(sign: str) -> bool:
    """Whether pdflatex has a letter for it."""
    return sign.isascii() or unicodedata.name(sign, "").startswith("LATIN") or sign in "–—‘’“”"


def reference_latex(value: str) -> str:
    r"""The field as it stands if it is one, else its words, without the braces.

    >>> print(reference_latex(r"R{\'e}nyi \& {D}ifferential $\varepsilon$"))
    R{\'e}nyi \& {D}ifferential $\varepsilon$
    >>> print(reference_latex(r"A title\input{/etc/passwd}"))
    A title\textbackslash{}input/etc/passwd
    """
    return value if is_reference(value) else words_latex(re.sub(r"[{}]", "", value))
