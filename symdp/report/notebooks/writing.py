"""Write notebooks, as text and executed, the same bytes every time.

>>> [plan.name for plan in series()][:2]
['01_privacy_as_hypothesis_testing', '02_data_processing_and_simulation']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path

from symdp import folders
from symdp.audit.seal import bytes_of, seal, seal_of_code
from symdp.outgoing import MARK, write
from symdp.report.notebooks.execution import Advance, executed, not_run
from symdp.report.notebooks.own_claims import narrative_of
from symdp.report.notebooks.published.exports import Kind, exported
from symdp.report.notebooks.readers import Audience
from symdp.report.notebooks.stored import differences, same_sources
from symdp.report.notebooks.weaving import notebook_of, weave
from symdp.sources.problems import ProblemFileError, read_problems
from symdp.sources.registry import UnknownId, statement, statements
from symdp.typeset.prose import listed
from symdp.users_mark import is_kept, keep


@dataclass(frozen=True)
class Plan:
    """A notebook: its name, and the narrative or the statement that it is made from."""

    name: str
    narrative: str = ""
    statement: str = ""

    def text(self, reader: Audience = Audience.ANYBODY) -> str:
        return weave(self.narrative, reader) if self.narrative else notebook_of(statement(self.statement), reader)


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
    symdp.sources.registry.UnknownId: there is no notebook 'simple'; there are 01 to 14, and one for every
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
    reader: Audience = Audience.ANYBODY,
    advance: Advance = lambda what, done, total: None,
    force: bool = False,
) -> Iterator[Path]:
    """Write notebooks as text and, if asked, run them and keep their output; yield the paths.

    A name is one of the series or the id of a statement; no name means the whole series. An export
    is made from the notebook that is there already if this user ran it, and nothing has changed since. An
    unknown name is an error at once, before anything is written.
    """
    chosen = plans(names)
    return chain.from_iterable(
        _write(plan.text(reader), f"{plan.name}{reader.suffix}", out, execute, to, advance, _is_woven, force,
               handed_out=reader is not Audience.ANYBODY)
        for plan in chosen)


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
    try:
        source, notebook = (bytes_of(stored[ending]).decode() for ending in ("py", "ipynb"))
    except (OSError, ValueError):  # a link, too large, no text
        yield "it cannot be read as a notebook"
        return
    if source != text:
        yield "its text is not what is woven from narrative and statements"
    made = executed(text, plan.name, advance)
    yield from differences(notebook, made)


def write_own(
    name: str,
    claims: Path,
    out: Path,
    *,
    execute: bool = False,
    to: Sequence[Kind] = (),
    advance: Advance = lambda what, done, total: None,
    force: bool = False,
) -> Iterator[Path]:
    """Write a notebook for the claims of a file of problems, which is read at once.

    Another notebook of that name is not replaced, unless with ``force``: somebody may have worked on it.
    """
    if not re.fullmatch(r"\w[\w .-]*", name):
        raise ProblemFileError(f"{name[:80]!r} is no name for a notebook; use letters, digits, - and _")
    try:
        narrative = narrative_of(name, read_problems(claims))
    except ValueError as reason:
        if isinstance(reason, ProblemFileError):
            raise
        raise ProblemFileError(f"{claims}: {reason}") from reason
    text = weave(narrative)
    begin = text.encode()[:4000]
    return _write(text, name, out, execute, to, advance, lambda content: content.startswith(begin), force)


def _write(
    text: str, name: str, out: Path, execute: bool, to: Sequence[Kind], advance: Advance,
    ours: Callable[[bytes], bool], force: bool, handed_out: bool = False,
) -> Iterator[Path]:
    path = out / f"{name}.py"
    write(path, text, ours=ours, force=force)
    yield path
    path = out / f"{name}.ipynb"
    if not (execute or to):
        if handed_out:  # to a class, which runs it itself
            write(path, not_run(text), ours=_is_woven, force=force)
            yield path
        return
    made = None if execute else _already_run(text, path)
    if made is None:
        made = executed(text, name, advance)
        write(path, made, ours=_is_woven, force=force)
        keep(_PURPOSE, _as_run(made))
        yield path
    for kind in to:
        path = out / f"{name}.{kind.value}"
        mark = f"<!-- {MARK} -->\n" if kind is Kind.HTML else f"% {MARK}\n"
        write(path, exported(made, kind) + mark.encode(), force=force)
        yield path


def _is_woven(content: bytes) -> bool:
    """Whether it is a notebook, or its text, with the header that is written here."""
    return b"formats: ipynb,py:percent" in content or b'"formats": "ipynb,py:percent"' in content


def _already_run(text: str, path: Path) -> str | None:
    """The executed notebook on disk, if it is the one of this text, and this user ran it with this toolkit.

    Whatever else lies there may show anything: it is run anew.
    """
    try:
        stored = bytes_of(path).decode()
    except (OSError, ValueError):
        return None
    return stored if is_kept(_PURPOSE, _as_run(stored)) and same_sources(stored, text) else None


#: What the mark of this user is kept for; the notebook itself has the same bytes for everyone.
_PURPOSE = "notebooks"


def _as_run(notebook: str) -> str:
    """An executed notebook, and the code that it was run with."""
    own = (path.read_bytes().hex() for folder in folders.own() for path in sorted(folder.rglob("*.py")))
    return seal(notebook, seal_of_code(), *map(seal_of_code, ("literature", "report")), *own)
