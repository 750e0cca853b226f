"""Write notebooks, as text and executed, the same bytes every time.

>>> [plan.name for plan in series()][:2]
['01_privacy_as_hypothesis_testing', '02_data_processing_and_simulation']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path

from symdp.sources.problems import ProblemFileError, read_problems
from symdp.sources.registry import UnknownId, statement, statements
from symdp.report.terminal.execution import Advance, executed
from symdp.report.notebooks.comparing import differences, same_sources
from symdp.report.notebooks.exporting import Kind, exported
from symdp.report.notebooks.own import narrative_of
from symdp.report.notebooks.weaving import notebook_of, weave
from symdp.typeset.prose import listed


@dataclass(frozen=True)
class Plan:
    """A notebook: its name, and the narrative or the statement that it is made from."""

    name: str
    narrative: str = ""
    statement: str = ""

    def text(self) -> str:
        return weave(self.narrative) if self.narrative else notebook_of(statement(self.statement))


@cache
def series() -> tuple[Plan, ...]:
    """The narratives, found by scanning their folder, in the order of their numbers."""
    folder = files("symdp.report.notebooks") / "narrative"
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".md")), key=lambda f: f.name)
    return tuple(Plan(f.name.removesuffix(".md"), f.read_text(encoding="utf-8")) for f in found)


def plans(names: Iterable[str]) -> tuple[Plan, ...]:
    """The plans of these names; the number of a notebook of the series is enough.

    >>> plans(["kov/thm-3.1"])[0].name, plans(["02"])[0].name
    ('kov_thm-3.1', '02_data_processing_and_simulation')
    >>> plans(["simple"])
    Traceback (most recent call last):
    ...
    symdp.sources.registry.UnknownId: there is no notebook 'simple'; there are 01 to 12, and one for every
    statement, such as kov/sec-1
    """
    known = {plan.name: plan for plan in series()}
    known |= {plan.name.partition("_")[0]: plan for plan in series()}
    known |= {s.id: Plan(re.sub(r"[^\w.-]", "_", s.id), statement=s.id) for s in statements()}
    names = tuple(names) or tuple(plan.name for plan in series())
    for name in names:
        if name not in known:
            numbers = [plan.name.partition("_")[0] for plan in series()]
            raise UnknownId(f"there is no notebook {name[:80]!r}; there are {numbers[0]} to "
                            f"{numbers[-1]}, and one for every statement, such as {statements()[0].id}")
    return tuple(known[name] for name in dict.fromkeys(names))


def write_notebooks(
    names: Iterable[str],
    out: Path,
    *,
    execute: bool = False,
    to: Sequence[Kind] = (),
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Path]:
    """Write notebooks as text and, if asked, run them and keep their output; yield the paths.

    A name is one of the series or the id of a statement; no name means the whole series. An export
    is made from the notebook that is there already, unless its text has changed since it ran. An
    unknown name is an error at once, before anything is written.
    """
    chosen = plans(names)
    return chain.from_iterable(
        _write(plan.text(), plan.name, out, execute, to, advance) for plan in chosen)


def check_notebooks(
    names: Iterable[str], folder: Path, *, advance: Advance = lambda what, done, total: None
) -> Iterator[tuple[str, list[str]]]:
    """Run notebooks from clean kernels; yield each name, and where the stored one differs."""
    for plan in plans(names):
        yield plan.name, list(_differences(plan, folder, advance))


def _differences(plan: Plan, folder: Path, advance: Advance) -> Iterator[str]:
    text = plan.text()
    stored = {ending: folder / f"{plan.name}.{ending}" for ending in ("py", "ipynb")}
    missing = [path.name for path in stored.values() if not path.is_file()]
    if missing:
        yield f"{listed(missing)} missing"
        return
    if stored["py"].read_text(encoding="utf-8") != text:
        yield "its text is not what is woven from narrative and statements"
    made = executed(text, plan.name, advance)
    yield from differences(stored["ipynb"].read_text(encoding="utf-8"), made)


def write_own(
    name: str,
    claims: Path,
    out: Path,
    *,
    execute: bool = False,
    to: Sequence[Kind] = (),
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Path]:
    """Write a notebook for the claims of a file of problems, which is read at once."""
    if not re.fullmatch(r"\w[\w .-]*", name):
        raise ProblemFileError(f"{name[:80]!r} is no name for a notebook; use letters, digits, - and _")
    try:
        narrative = narrative_of(name, read_problems(claims))
    except ValueError as reason:
        if isinstance(reason, ProblemFileError):
            raise
        raise ProblemFileError(f"{claims}: {reason}") from reason
    return _write(weave(narrative), name, out, execute, to, advance)


def _write(
    text: str, name: str, out: Path, execute: bool, to: Sequence[Kind], advance: Advance
) -> Iterator[Path]:
    path = out / f"{name}.py"
    path.write_text(text, encoding="utf-8", newline="\n")
    yield path
    if not (execute or to):
        return
    path = out / f"{name}.ipynb"
    made = None if execute else _already_run(text, path)
    if made is None:
        made = executed(text, name, advance)
        path.write_text(made, encoding="utf-8", newline="\n")
        yield path
    for kind in to:
        path = out / f"{name}.{kind.value}"
        path.write_bytes(exported(made, kind))
        yield path


def _already_run(text: str, path: Path) -> str | None:
    """The executed notebook on disk, if it is the one of this text."""
    try:
        stored = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return stored if same_sources(stored, text) else None
