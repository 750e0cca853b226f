"""What `symdp lint` makes of papers: of those whose truth is written beside them, and of those of other people.

    python benchmarks/papers.py --documents tests/papers/open
    python benchmarks/papers.py FOLDER... [--seconds 600] [--show refuted]

A document of the first kind has a file of the same name that ends in ``.toml``: for each relation the line where its
row begins, the text on that line, and what is right. Counted are false alarms (*refuted*, where nothing is wrong),
wrong proofs (*proved*, where it is false), planted errors that were found on their line, and the share of the
relations with a truth that were settled.

Of a folder of somebody else's nothing is known: counted are displays, relations, those read, settled and refuted, and
the seconds. Each *refuted* is shown, to be looked at by hand. Only main files are linted (those with a
``\\documentclass``, or all where there is none); what they input comes with them.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symdp.papers.finding import Finding
from symdp.papers.lint import lint

#: The verdicts that settle a relation of this truth.
SETTLES = {
    "true": {"proved", "argued", "definition", "assumption"},
    "false": {"refuted"},
    "definition": {"definition", "assumption", "proved", "argued"},
    "assumption": {"assumption", "definition", "proved", "argued"},
    "needs-condition": {"undecided"},
    "not checkable": set(),
}
#: Truths that a machine can be asked for.
CHECKABLE = ("true", "false", "needs-condition")
_DISPLAY = re.compile(
    r"\\\[|\\begin\{(?:equation|align|alignat|gather|multline|eqnarray|flalign|IEEEeqnarray|displaymath)\*?\}"
    r"|(?<!\$)\$\$(?!\$)")


@dataclass(frozen=True)
class Truth:
    """What is right of one relation."""

    file: str
    line: int
    row: str
    truth: str
    planted: str = ""


@dataclass
class Score:
    """What became of the relations of a document."""

    checkable: int = 0
    settled: int = 0
    planted: int = 0
    found: int = 0
    stated: int = 0
    taken: int = 0
    false_alarms: list[str] = field(default_factory=list)
    wrong_proofs: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.settled / self.checkable if self.checkable else 1.0

    def add(self, other: Score) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self) -> str:
        return (f"{self.settled} of {self.checkable} checkable relations settled ({100 * self.share:.0f} %), "
                f"{self.found} of {self.planted} planted errors found, {len(self.false_alarms)} false alarms, "
                f"{len(self.wrong_proofs)} wrong proofs, "
                f"{self.taken} of {self.stated} hypotheses and definitions taken")


def truths(document: Path) -> list[Truth]:
    """The truth beside a document; ValueError where it speaks of a line that says something else."""
    with document.with_suffix(".toml").open("rb") as file:
        rows = tomllib.load(file)["relation"]
    found = [Truth(r.get("file", document.name), r["line"], r["row"], r["truth"], r.get("planted", "")) for r in rows]
    for truth in found:
        line = (document.parent / truth.file).read_text(encoding="utf-8").split("\n")[truth.line - 1]
        if line.strip() != truth.row:
            raise ValueError(f"{truth.file}:{truth.line}: the truth is of {truth.row!r}, and there stands {line!r}")
        if truth.truth not in SETTLES:
            raise ValueError(f"{truth.file}:{truth.line}: {truth.truth!r} is no truth")
    return found


def score(document: Path, findings: Iterable[Finding], known: Sequence[Truth]) -> Score:
    """Findings against the truth, line by line: on one line, each finding is about the relation it fits best."""
    by_line: dict[tuple[str, int], list[str]] = {}
    said: dict[tuple[str, int], list[str]] = {}
    for finding in findings:
        place = (_within(document, finding.file), finding.line)
        by_line.setdefault(place, []).append(finding.verdict)
        said.setdefault(place, []).append(f"{finding.verdict}: {finding.tex}: {finding.message}")
    result = Score()
    for place in dict.fromkeys([*((t.file, t.line) for t in known), *by_line]):
        there = [t for t in known if (t.file, t.line) == place]
        _score_line(result, f"{place[0]}:{place[1]}", there, by_line.get(place, []), said.get(place, []))
    return result


def _score_line(result: Score, at: str, known: list[Truth], verdicts: list[str], said: list[str]) -> None:
    left = list(verdicts)
    explained = " | ".join(said) or "nothing was said"
    for truth in sorted(known, key=lambda t: ["false", "needs-condition", "true"].index(t.truth)
                        if t.truth in CHECKABLE else 3):
        verdict = next((v for v in left if v in SETTLES[truth.truth]), None)
        if verdict is not None:
            left.remove(verdict)
        if truth.truth in CHECKABLE:
            result.checkable += 1
            result.settled += verdict is not None
        elif truth.truth != "not checkable":
            result.stated += 1
            result.taken += verdict is not None
        if truth.truth == "false":
            result.planted += 1
            result.found += verdict is not None
            if verdict is None:
                result.missed.append(f"{at}: {truth.planted}: {truth.row} [{explained}]")
        elif verdict is None and truth.truth in CHECKABLE:
            result.open.append(f"{at}: {truth.truth}: {truth.row} [{explained}]")
    false = [t for t in known if t.truth in ("false", "needs-condition")]
    unproved = len([t for t in known if t.truth == "false"]) - verdicts.count("refuted")
    result.false_alarms.extend(f"{at}: {explained}" for v in left if v == "refuted")
    if false and unproved > 0 and "proved" in left:
        result.wrong_proofs.append(f"{at}: {explained}")


def _within(document: Path, file: str | Path) -> str:
    """The name of a file as the truth has it: relative to the document's folder."""
    path = Path(file)
    for name in (path, path.resolve()):
        for folder in (document.parent, document.parent.resolve()):
            if name.is_relative_to(folder):
                return name.relative_to(folder).as_posix()
    return path.as_posix()


def documents(folder: Path) -> list[Path]:
    """The documents of a folder that have a truth beside them."""
    return sorted(path for path in folder.glob("*.tex") if path.with_suffix(".toml").exists())


def main_files(folder: Path) -> list[Path]:
    """The files of a folder that are documents; all of its files where none says so."""
    if folder.is_file():
        return [folder]
    files = sorted(folder.rglob("*.tex"))
    return [f for f in files if "\\documentclass" in _text(f)] or files


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def strangers(folder: Path, options: dict[str, Any], end: float) -> Iterator[tuple[Path, list[Finding], float]]:
    for path in main_files(folder):
        begun = time.monotonic()
        if begun > end:
            return
        yield path, list(lint([path], **options)), time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--documents", type=Path, action="append", default=[], help="a folder with truths")
    parser.add_argument("--budget", type=float, default=None, help="seconds for each relation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3600.0, help="no new file after that")
    parser.add_argument("--show", action="append", default=[], help="a verdict whose findings are shown")
    parser.add_argument("--share", type=float, default=0.85, help="of the checkable relations, that must be settled")
    given = parser.parse_args()
    options: dict[str, Any] = {"jobs": given.jobs, **({"budget": given.budget} if given.budget else {})}
    good = True
    for folder in given.documents:
        total = Score()
        for document in documents(folder):
            begun = time.monotonic()
            one = score(document, lint([document], **options), truths(document))
            print(f"{document}: {one}; {time.monotonic() - begun:.0f} s", flush=True)
            total.add(one)
        for title in ("wrong_proofs", "false_alarms", "missed", "open"):
            for line in getattr(total, title):
                print(f"  {title.replace('_', ' ')}: {line}")
        print(f"{folder}: {total}", flush=True)
        good &= (not total.false_alarms and not total.wrong_proofs and not total.missed
                 and total.share >= given.share)
    show, end = {"refuted", *given.show}, time.monotonic() + given.seconds
    for folder in given.folders:
        counts: Counter[str] = Counter()
        displays, spent, seen = 0, 0.0, set[tuple[str, int, int, str]]()
        for path, findings, seconds in strangers(folder, options, end):
            fresh = [f for f in findings if (str(f.file), f.line, f.column, f.tex) not in seen]
            seen.update((str(f.file), f.line, f.column, f.tex) for f in fresh)
            files = {str(path), *(str(f.file) for f in findings)}
            displays += sum(len(_DISPLAY.findall(_text(Path(name)))) for name in files)
            counts.update(f.verdict for f in fresh)
            spent += seconds
            for f in fresh:
                if f.verdict in show:
                    print(f"  {f.file}:{f.line}:{f.column}: {f.verdict}: {f.tex}: {f.message}", flush=True)
        relations = counts.total()
        print(f"{folder}: {displays} displays, {relations} relations, {relations - counts['unread']} read, "
              f"{relations - counts['unread'] - counts['undecided']} settled, {counts['refuted']} refuted; "
              f"{', '.join(f'{n} {v}' for v, n in counts.most_common())}; {spent:.0f} s", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
