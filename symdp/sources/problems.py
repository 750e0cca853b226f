r"""Files of problems: claims of a user's own, in TOML.

A file comes from a stranger: nothing in it is run, and its size is bounded. A malformed problem
does not spoil the others; it keeps its place, with the reason.

>>> [p.claim for p in problems_from('''
... [[problem]]
... name = "tangent"
... claim = "exp(x) >= 1+x"
... ''')]
['exp(x) >= 1+x']
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symdp.incoming import NotRead, text_of

LARGEST_FILE = 4_000_000
MOST_PROBLEMS = 10_000
#: Conditions, definitions and integers of one problem, each.
MOST_CONDITIONS = 100
MOST_PARTS = 10
_DOTTED = re.compile(rf"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}""")


class ProblemFileError(ValueError):
    """The file as a whole cannot be read."""


@dataclass(frozen=True)
class Problem:
    """A claim in text, with its conditions; ``malformed`` says what is wrong with its entry."""

    name: str
    claim: str
    where: tuple[str, ...] = ()
    let: tuple[str, ...] = ()
    integer: tuple[str, ...] = ()
    malformed: str = ""


def read_problems(path: Path) -> list[Problem]:
    try:
        return problems_from(text_of(path, LARGEST_FILE))
    except (NotRead, ProblemFileError) as reason:
        raise ProblemFileError(f"{path}: {reason}") from reason


def problems_from(text: str) -> list[Problem]:
    _bounded(text)
    try:
        document = tomllib.loads(text)
    except RecursionError as reason:
        raise ProblemFileError("it is nested too deeply") from reason
    except tomllib.TOMLDecodeError as reason:
        raise ProblemFileError(str(reason)) from reason
    except ValueError as reason:  # Python's own bound on the digits of a number
        raise ProblemFileError("there is a number in it that has too many digits") from reason
    entries = document.get("problem")
    if not isinstance(entries, list) or not entries:
        raise ProblemFileError("there is no [[problem]] in it")
    if len(entries) > MOST_PROBLEMS:
        raise ProblemFileError(f"more than {MOST_PROBLEMS} problems")
    return [_problem(entry, i) for i, entry in enumerate(entries, start=1)]


def _bounded(text: str) -> None:
    """A parser of TOML walks through all parts of a key for each of them; a file of problems has none with a dot."""
    found = _DOTTED.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise ProblemFileError(f"line {line}: a key of more than {MOST_PARTS} parts")


def told_apart(problems: Sequence[Problem]) -> list[Problem]:
    """The second of a name has its number added: each has a certificate of its own."""
    taken: set[str] = {p.name for p in problems}
    seen: set[str] = set()
    found = []
    for problem in problems:
        name, number = problem.name, 2
        while name in seen or (name != problem.name and name in taken):
            name, number = f"{problem.name} ({number})", number + 1
        seen.add(name)
        found.append(replace(problem, name=name))
    return found


def _problem(entry: Any, number: int) -> Problem:
    fallback = f"problem {number}"
    if not isinstance(entry, dict):
        return Problem(fallback, "", malformed="a problem is a table")
    name = entry.get("name", fallback)
    if not isinstance(name, str):
        return Problem(fallback, "", malformed="its name is not text")
    claim = entry.get("claim")
    if not isinstance(claim, str):
        return Problem(name, "", malformed="it has no claim, or one that is not text")
    lists: dict[str, tuple[str, ...]] = {}
    for key in ("where", "let", "integer"):
        value = entry.get(key, [])
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            return Problem(name, claim, malformed=f"its {key!r} is not a list of texts")
        if len(value) > MOST_CONDITIONS:
            return Problem(name, claim, malformed=f"its {key!r} has more than {MOST_CONDITIONS} entries")
        lists[key] = tuple(value)
    return Problem(name, claim, lists["where"], lists["let"], lists["integer"])
