r"""The references: BibTeX is their only source.

>>> print(reference("dwork2010boosting"))
Dwork, Cynthia and Rothblum, Guy N. and Vadhan, Salil: Boosting and Differential Privacy (2010)
>>> print(reference("nobody2026book"))
nobody2026book
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

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
