r"""The references: BibTeX is their only source.

>>> print(reference("dwork2010boosting"))
Dwork, Cynthia and Rothblum, Guy N. and Vadhan, Salil: Boosting and Differential Privacy (2010)
>>> print(reference("nobody2026book"))
nobody2026book
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from symdp.typeset.prose import listed, text_latex

_ENTRY = re.compile(r"@(\w+)\{([^,\s]+),(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", re.MULTILINE)


@cache
def entries() -> dict[str, str]:
    """Key -> the BibTeX entry, as it stands in the file."""
    text = files("symdp.literature").joinpath("references.bib").read_text(encoding="utf-8")
    return {m.group(2): m.group(0) for m in _ENTRY.finditer(text)}


def fields(key: str) -> dict[str, str]:
    """The fields of an entry; none if there is no entry, as for a source of somebody else's.

    >>> fields("dwork2010boosting")["year"], fields("nobody2026book")
    ('2010', {})
    """
    return dict(_FIELD.findall(entries().get(key, "")))


def reference(key: str) -> str:
    """Authors, title and year in one line; the key itself if it is not in the file."""
    found = fields(key)
    return f"{found['author']}: {found['title']} ({found['year']})" if found else key


def bibtex(keys: Iterable[str]) -> str:
    """The entries of these keys, and no others, as a file for BibTeX.

    >>> bibtex(["dwork2010boosting", "nobody2026book"]).count("@")
    1
    """
    return "\n\n".join(entries()[key] for key in keys if key in entries()) + "\n"


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
    items = "\n".join(f"\\bibitem{{{key}}}\n{_bibitem(key, titles.get(key, key))}" for key in keys)
    widest = "9" * len(str(len(keys)))
    return f"\\begin{{thebibliography}}{{{widest}}}\n{items}\n\\end{{thebibliography}}"


def _bibitem(key: str, title: str) -> str:
    found = fields(key)
    if not found:
        return f"{text_latex(title)}."
    names = [" ".join(reversed(name.split(", "))) for name in found["author"].split(" and ")]
    where = [found.get(field, "") for field in ("journal", "booktitle", "publisher")]
    pages = f"pages {found['pages']}" if "pages" in found else ""
    rest = ", ".join(filter(None, [*where, pages, found["year"]]))
    return f"{listed(names)}.\n{found['title']}.\n{rest}."
