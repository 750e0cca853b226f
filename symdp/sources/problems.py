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

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST_FILE = 4_000_000
MOST_PROBLEMS = 10_000


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
        if path.stat().st_size > LARGEST_FILE:
            raise ProblemFileError(f"{path} is larger than {LARGEST_FILE} bytes")
        text = path.read_bytes().decode("utf-8")
    except OSError as reason:
        raise ProblemFileError(f"cannot read {path}: {reason.strerror}") from reason
    except UnicodeDecodeError as reason:
        raise ProblemFileError(f"{path} is not UTF-8 text (byte {reason.start})") from reason
    try:
        return problems_from(text)
    except ProblemFileError as reason:
        raise ProblemFileError(f"{path}: {reason}") from reason


def problems_from(text: str) -> list[Problem]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as reason:
        raise ProblemFileError(str(reason) or "nested too deeply") from reason
    entries = document.get("problem")
    if not isinstance(entries, list) or not entries:
        raise ProblemFileError("there is no [[problem]] in it")
    if len(entries) > MOST_PROBLEMS:
        raise ProblemFileError(f"more than {MOST_PROBLEMS} problems")
    return [_problem(entry, i) for i, entry in enumerate(entries, start=1)]


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
        lists[key] = tuple(value)
    return Problem(name, claim, lists["where"], lists["let"], lists["integer"])
