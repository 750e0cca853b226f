"""``symdp accountants``: the numbers of other accountants beside our enclosures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.cli.console import (
    BadInput,
    Force,
    Format,
    FormatOption,
    emit,
    tell,
    writable_file,
    wrote,
)
from symdp.cli.progress import progress
from symdp.outgoing import MARK, write
from symdp.privacy.accountants.asking import (
    SECONDS,
    PeerAnswer,
    adapters,
    ask,
    chosen,
    python_of,
    summary,
)
from symdp.privacy.accountants.cases import CASES, Case
from symdp.report.page.accountants import page
from symdp.report.terminal.accountants import print_answers


def accountants(
    names: Annotated[list[str] | None, typer.Argument(help="such as dp-accounting; or all that there are")] = None,
    python: Annotated[list[str] | None, typer.Option(
        metavar="NAME=PATH", help="the interpreter in whose environment an accountant is; may be repeated")] = None,
    environments: Annotated[Path | None, typer.Option(
        metavar="DIR", help="a folder of virtual environments, each with the name of its accountant")] = None,
    case: Annotated[list[str] | None, typer.Option(
        help="only the cases whose name has this in it; may be repeated")] = None,
    seconds: Annotated[int, typer.Option(help="for a single answer", min=1)] = SECONDS,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="write a page as well")] = None,
    force: Force = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """What other accountants return for the same compositions, and whether it is a bound."""
    wanted = chosen(names or ())
    given = dict(_python(text) for text in python or ())
    cases = [one for one in CASES if not case or any(text in one.name for text in case)]
    if not cases:
        raise BadInput(f"no case has {case[0]!r} in its name; there are: {'; '.join(c.name for c in CASES)}"
                       if case else "there are no cases")
    if output is not None:
        writable_file(output, (".html", ".htm"), force=force)
    answers: list[PeerAnswer] = []
    missing = []
    with progress() as advance:
        truths = {}
        for n, one in enumerate(cases):
            advance("our enclosures", n, len(cases))
            truths[one.name] = one.truth()
        for name, adapter in wanted.items():
            found = list(ask(name, adapter, python_of(name, given, environments), cases, truths, advance, seconds))
            if not found:
                missing.append(name)
            answers += found
    for name in missing:
        tell(f"symdp: {name} is not installed here, or answers none of these; "
             f"--python {name}=PATH says where it is", err=True)
    if not answers:
        raise BadInput("no accountant was asked; install one, or say where it is with --environments or --python")
    answers.sort(key=lambda answer: _place(cases, answer))
    if output is not None:
        write(output, page(answers) + f"<!-- {MARK} -->\n", force=force)
        wrote(output)
    if format is Format.JSON:
        emit({"cases": [answer.as_json() for answer in answers], "summary": summary(answers)})
    else:
        print_answers(answers, summary(answers))


def _place(cases: list[Case], answer: PeerAnswer) -> tuple[int, str, str]:
    return [one.name for one in cases].index(answer.case), answer.accountant, answer.way


def _python(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals or not path:
        raise BadInput(f"--python {text!r}: write NAME=PATH, such as dp-accounting=venv/bin/python")
    if name not in adapters():
        raise BadInput(f"--python {text!r}: there is no accountant of that name; there are "
                       f"{', '.join(sorted(adapters()))}")
    return name, Path(path)
