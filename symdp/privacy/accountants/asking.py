r"""Asks accountants, each in the environment in which it is installed, and judges what they return.

What is returned is meant as a bound from above. *unsound*: it is below the lower end of our enclosure, by so much.
*loose*: it is above the upper end by more than one part in a hundred. *sound*: neither. *fails*: no finite number.

>>> truth = Enclosure(Decimal("4.775"), Decimal("4.776"))
>>> [judged(value, truth) for value in ("4.8", "5", "4.7", "inf", "-1")]
[('sound', '0.024'), ('loose', '0.224'), ('unsound', '0.075'), ('fails', ''), ('unsound', '5.775')]
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accountants import peers
from symdp.privacy.accountants.cases import Case

#: Packages of others register a file such as those in ``peers`` here: a name, and a module with the path FILE.
GROUP = "symdp.accountants"
PEERS = Path(peers.__file__).parent
#: Above the upper end by more than this part of it, a bound is called loose.
LOOSE = Decimal("0.01")
#: Seconds for a single answer.
SECONDS = 60
VERDICTS = ("sound", "loose", "unsound", "fails")

#: ``advance(what, done, total)``
Advance = Callable[[str, int, int], None]


@dataclass(frozen=True)
class PeerAnswer:
    """What one accountant returned for one case, in one of its ways, and what is to be said of it."""

    case: str
    accountant: str
    version: str
    way: str
    call: str
    returned: str
    lower: str
    upper: str
    verdict: str
    by: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def adapters() -> dict[str, Path]:
    """The files that know how to ask, by the name of the accountant.

    >>> sorted(adapters())[:3]
    ['autodp', 'diffprivlib', 'dp-accounting']
    """
    ours = {path.stem.removeprefix("with_").replace("_", "-"): path for path in sorted(PEERS.glob("with_*.py"))}
    others = {entry.name: Path(entry.load()) for entry in entry_points(group=GROUP)}
    return ours | others


def chosen(names: Sequence[str]) -> dict[str, Path]:
    """Those of that name, or all."""
    known = adapters()
    for name in names:
        if name not in known:
            raise BadQuantity(f"there is no accountant {name[:40]!r}; there are {', '.join(sorted(known))}")
    return {name: path for name, path in known.items() if not names or name in names}


def python_of(name: str, given: Mapping[str, Path], environments: Path | None) -> Path:
    """The interpreter that an accountant is asked with: as given, of the environment of its name, or this one."""
    if name in given:
        return given[name]
    if environments is not None:
        for place in ("bin/python", "Scripts/python.exe"):
            if (environments / name / place).exists():
                return environments / name / place
    return Path(sys.executable)


def ask(name: str, adapter: Path, python: Path, cases: Sequence[Case], truths: Mapping[str, Enclosure],
        advance: Advance | None = None, seconds: int = SECONDS) -> Iterator[PeerAnswer]:
    """Its answers, one after the other; none if it is not installed there."""
    question = json.dumps({"seconds": seconds, "cases": [case.as_json() for case in cases]})
    try:
        process = subprocess.Popen([python, str(PEERS / "asking.py"), str(adapter)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError as reason:
        raise BadQuantity(f"{python} cannot be run: {reason.strerror}") from reason
    with process:
        if process.stdin is None or process.stdout is None:
            raise BadQuantity(f"{python} cannot be asked")
        try:
            process.stdin.write(question)
            process.stdin.close()
        except BrokenPipeError:  # it is not installed there, and has said so
            pass
        version, done = "", 0
        for line in process.stdout:
            row = json.loads(line)
            if "version" in row:
                if row["version"] is None:
                    return
                version = str(row["version"])
            elif "done" in row:
                done += 1
                if advance is not None:
                    advance(f"asking {name}", done, len(cases))
            else:
                truth = truths[row["case"]]
                returned = str(row.get("returned") or row["error"])
                verdict, by = judged(returned, truth)
                yield PeerAnswer(row["case"], name, version, str(row["way"]), str(row["call"]), returned,
                             str(truth.lower), str(truth.upper), verdict, by, round(float(row["seconds"]), 4))


def judged(returned: str, truth: Enclosure) -> tuple[str, str]:
    """The verdict on a number that is meant as a bound from above, and by how much it is off."""
    try:
        value = Decimal(returned)
    except InvalidOperation:
        return "fails", ""
    if not value.is_finite():
        return ("sound", "0") if truth.lower == value else ("fails", "")
    if value < truth.lower:
        return "unsound", str(truth.lower - value)
    over = max(value - truth.upper, Decimal(0))
    return ("loose" if over > LOOSE * truth.upper else "sound"), str(over)


def summary(answers: Sequence[PeerAnswer]) -> dict[str, dict[str, int]]:
    """How often each verdict was reached, by accountant."""
    found: dict[str, dict[str, int]] = {}
    for answer in answers:
        counts = found.setdefault(f"{answer.accountant} {answer.version}", dict.fromkeys(VERDICTS, 0))
        counts[answer.verdict] += 1
    return found
