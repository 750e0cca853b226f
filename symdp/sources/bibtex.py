r"""BibTeX, read: entries with their fields, as people write them.

Values may stand in braces, in quotation marks or bare, joined by ``#``; ``@string`` gives them names.

>>> text = '''
... @string{focs = "Foundations of Computer Science"}
... @InProceedings{dwork2010boosting, author = {Dwork, Cynthia and others},
...   title = "Boosting and {D}ifferential Privacy", booktitle = focs # { (FOCS)}, year = 2010}
... '''
>>> entry = read_bibtex(text)["dwork2010boosting"]
>>> entry.fields["title"], entry.fields["booktitle"], entry.fields["year"]
('Boosting and {D}ifferential Privacy', 'Foundations of Computer Science (FOCS)', '2010')
>>> read_bibtex("@book{smith,\n title = {An open end\n}")
Traceback (most recent call last):
...
symdp.sources.bibtex.BadBibTeX: line 1: the entry smith does not end; close its braces
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST_KEY, LONGEST_VALUE = 200, 100_000
_START = re.compile(r"@\s*(\w+)\s*[{(]")
_NAME = re.compile(r"\s*([^\s=,#{}\"]+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"]+")


class BadBibTeX(ValueError):
    """The file cannot be read: in which line, why, and what mends it."""

    def __init__(self, line: int, what: str, cure: str) -> None:
        super().__init__(f"line {line}: {what}; {cure}")
        self.line, self.what, self.cure = line, what, cure


@dataclass(frozen=True)
class BibtexEntry:
    """An entry as it stands in its file, its kind and its fields."""

    kind: str
    text: str = field(compare=False)
    line: int = field(compare=False)
    fields: dict[str, str] = field(hash=False)


def read_bibtex(text: str) -> dict[str, BibtexEntry]:
    """The entries of a file by their keys."""
    found: dict[str, BibtexEntry] = {}
    names: dict[str, str] = {}
    at, line, counted = 0, 1, 0
    while start := _START.search(text, at):
        kind, line = start.group(1).lower(), line + text.count("\n", counted, start.start())
        counted = start.start()
        key = text[start.end():start.end() + LONGEST_KEY].partition(",")[0].strip().splitlines()[:1]
        called = key[0] if key else kind
        end = _closing(text, start.end() - 1)
        if end is None:
            raise BadBibTeX(line, f"the entry {called} does not end", "close its braces")
        inside, at = text[start.end():end], end + 1
        if kind in ("comment", "preamble"):
            continue
        if kind == "string":
            names |= dict(_fields(inside, names, line, called))
            continue
        key_text, comma, rest = inside.partition(",")
        if not comma or not key_text.strip() or re.search(r"[\s={}]", key_text.strip()):
            raise BadBibTeX(line, f"@{start.group(1)} has no key", "write @article{key, ...}")
        if key_text.strip() in found:
            raise BadBibTeX(line, f"the key {key_text.strip()} is used twice", "give one of them another key")
        fields = dict(_fields(rest, names, line, called))
        found[key_text.strip()] = BibtexEntry(kind, text[start.start():at], line, fields)
    return found


def _closing(text: str, opening: int) -> int | None:
    """Where the brace or parenthesis at that place is closed; BibTeX counts braces behind a backslash too."""
    depth, close = 0, "}" if text[opening] == "{" else ")"
    for at in range(opening + 1, len(text)):
        if text[at] == close and depth == 0:
            return at
        depth += {"{": 1, "}": -1}.get(text[at], 0)
    return None


def _fields(text: str, names: dict[str, str], line: int, called: str) -> Iterator[tuple[str, str]]:
    at = 0
    while name := _NAME.match(text, at):
        value, at = "", name.end()
        while True:
            part, at = _part(text, at, names)
            if part is None:
                raise BadBibTeX(line + text.count("\n", 0, at), f"{name.group(1)} of {called} has no value",
                                f"write {name.group(1)} = {{...}}")
            value += part
            if len(value) > LONGEST_VALUE:  # names that stand for names double it each time
                raise BadBibTeX(line + text.count("\n", 0, at), f"{name.group(1)} of {called} is too long",
                                f"at most {LONGEST_VALUE} signs")
            joined = re.compile(r"\s*#\s*").match(text, at)
            if joined is None:
                break
            at = joined.end()
        yield name.group(1).lower(), " ".join(value.split())
        comma = re.compile(r"\s*,?").match(text, at)
        at = comma.end() if comma else at
    if text[at:].strip():
        rest = text[at:].strip().splitlines()[0]
        raise BadBibTeX(line + text.count("\n", 0, at), f"{rest[:40]!r} in {called} is no field",
                        "fields are written name = {value}, with commas between them")


def _part(text: str, at: int, names: dict[str, str]) -> tuple[str | None, int]:
    if text[at:at + 1] == "{":
        end = _closing(text, at)
        return (None, at) if end is None else (text[at + 1:end], end + 1)
    if text[at:at + 1] == '"':
        depth = 0
        for end in range(at + 1, len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if text[end] == '"' and depth == 0:
                return text[at + 1:end], end + 1
        return None, at
    bare = _BARE.match(text, at)
    return (names.get(bare.group().lower(), bare.group()), bare.end()) if bare else (None, at)
