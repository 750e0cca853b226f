r"""The references: BibTeX is their only source.

>>> print(reference("dwork2010boosting"))
Dwork, Cynthia and Rothblum, Guy N. and Vadhan, Salil: Boosting and Differential Privacy (2010)
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


def reference(key: str) -> str:
    """Authors, title and year in one line."""
    found = dict(_FIELD.findall(entries()[key]))
    return f"{found['author']}: {found['title']} ({found['year']})"
