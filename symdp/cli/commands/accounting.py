"""``symdp compose`` and ``symdp calibrate``: numbers with their digits certain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from symdp.cli.console import BadInput, Format, FormatOption, emit
from symdp.cli.progress import progress
from symdp.incoming import NotRead, text_of
from symdp.numbers.quantity import BadQuantity, digits_wanted
from symdp.privacy.accounting.calibration import calibrate as calibration
from symdp.privacy.composition.compose import compose as composition
from symdp.privacy.composition.grounds import grounds
from symdp.privacy.composition.heterogeneous import Part
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.mechanisms.registry import mechanism as kind_of
from symdp.privacy.mechanisms.registry import read_mechanism, stated_in
from symdp.privacy.pairs.pair import Mechanism
from symdp.report.terminal.accounting import Account, print_account, print_calibration

LARGEST_FILE = 1_000_000
#: Numbers arrive as text, so that 0.1 is one tenth.
Digits = Annotated[str, typer.Option(help="how many digits must be certain")]
Resolution = Annotated[str | None, typer.Option(
    help="the lattice to round losses to, where there is no exact way")]


def compose(
    epsilon: Annotated[str | None, typer.Option(help="of each mechanism, such as 0.1")] = None,
    delta: Annotated[str | None, typer.Option(help="of each mechanism")] = None,
    count: Annotated[str | None, typer.Option(help="how many mechanisms, such as 10^6")] = None,
    part: Annotated[list[str] | None, typer.Option(
        help="mechanisms of one kind: 'EPSILON [DELTA [COUNT]]'; may be repeated")] = None,
    mechanism: Annotated[list[str] | None, typer.Option(
        help="such as 'laplace scale=10 count=5'; an unknown name lists all; may be repeated")] = None,
    file: Annotated[Path | None, typer.Option(help="a file with one such part in each line")] = None,
    target_delta: Annotated[str | None, typer.Option(
        help="the total delta: prints the smallest epsilon")] = None,
    target_epsilon: Annotated[str | None, typer.Option(
        help="the total epsilon: prints the smallest delta")] = None,
    corners: Annotated[bool, typer.Option("--corners", help="all corners of the region")] = False,
    bounds: Annotated[bool, typer.Option("--bounds", help="the closed-form bounds beside")] = False,
    digits: Digits = "17",
    resolution: Resolution = None,
    format: FormatOption = Format.TEXT,
) -> None:
    """The exact privacy of a composition, as numbers with their digits certain."""
    if target_delta is None and target_epsilon is None and not corners:
        raise BadInput("say what to compute: --target-delta, --target-epsilon or --corners")
    if bounds and target_delta is None and target_epsilon is None:
        raise BadInput("--bounds goes with --target-delta or --target-epsilon")
    wanted = digits_wanted(digits)
    noises = [read_mechanism(text) for text in mechanism or ()]
    parts = _parts(epsilon, delta, count, part, file, alone=not noises)
    if noises and (bounds or corners):
        raise BadInput("--bounds and --corners go with (epsilon, delta), not with --mechanism")
    with progress() as advance:
        if len(noises) == 1 and not parts:
            composed = composition(*noises[0], resolution=resolution, advance=advance)
        elif noises or len(parts) > 1 or resolution is not None:
            composed = composition([*parts, *noises], resolution=resolution, advance=advance)
        else:
            composed = _homogeneous(parts[0])
        account = Account(composed.theorem, rests_on=_own_files(type(m) for m, _ in noises))
        if target_delta is not None:
            account.epsilon = composed.epsilon(target_delta, digits=wanted)
        if target_epsilon is not None:
            account.delta = composed.delta(target_epsilon, digits=wanted)
        # A number says itself what it rests on; two of them may rest on different things.
        stated = [found.theorem for found in (account.epsilon, account.delta) if found is not None and found.theorem]
        account.theorem = "; ".join(dict.fromkeys(stated)) or composed.theorem
        account.grounds = {name: grounds(found, [*parts, *noises], wanted)
                           for name in ("epsilon", "delta") if (found := getattr(account, name)) is not None}
        if corners:
            account.corners = composed.corners(digits=wanted)
    if bounds:
        account.add_bounds(parts, target_delta, target_epsilon, wanted)
    if format is Format.JSON:
        emit(account.as_json())
    else:
        print_account(account)


def calibrate(
    epsilon: Annotated[str, typer.Option(help="the total epsilon")],
    delta: Annotated[str, typer.Option(help="the total delta")],
    count: Annotated[str, typer.Option(help="how many queries")],
    mechanism: Annotated[str, typer.Option(
        help="such as laplace; an unknown name lists all")] = "laplace",
    sensitivity: Annotated[str, typer.Option(help="of each query")] = "1",
    digits: Digits = "17",
    format: FormatOption = Format.TEXT,
) -> None:
    """The noise that is really enough, beside what the theorems prescribe."""
    wanted = digits_wanted(digits)
    with progress() as advance:
        advance(f"calibrating {mechanism} noise", 0, 1)
        found = calibration(epsilon, delta, count, mechanism, sensitivity, wanted)
    rests_on = _own_files([kind_of(mechanism)])
    if format is Format.JSON:
        emit(found.as_json() | ({"rests_on": rests_on} if rests_on else {}))
    else:
        print_calibration(found, rests_on)


def _own_files(kinds: Iterable[type[Mechanism]]) -> list[str]:
    """The files of the user's own that say what these mechanisms are."""
    return sorted({file for kind in kinds if (file := stated_in(kind))})


def _homogeneous(part: Part) -> Any:
    return Homogeneous(part.epsilon, part.delta, part.many)


def _parts(epsilon: str | None, delta: str | None, count: str | None, texts: list[str] | None,
           file: Path | None, alone: bool = True) -> list[Part]:
    """The mechanisms that are given by (epsilon, delta); ``alone`` if there are no others."""
    parts = []
    if epsilon is not None:
        parts.append(Part.read(epsilon, delta or "0", count or "1"))
    elif delta is not None or count is not None:
        raise BadInput("--delta and --count go with --epsilon")
    parts += [_part(text, f"--part {text!r}") for text in texts or ()]
    if file is not None:
        try:
            lines = text_of(file, LARGEST_FILE).splitlines()
        except NotRead as reason:
            raise BadInput(f"{file}: {reason}") from reason
        for number, line in enumerate(lines, 1):
            text = line.partition("#")[0].strip()
            if text:
                parts.append(_part(text, f"{file}, line {number}"))
        if not parts:
            raise BadInput(f"{file} has no mechanism in it")
    if not parts and alone:
        raise BadInput("give --epsilon (with --delta and --count), --part, --mechanism or --file")
    return parts


def _part(text: str, where: str) -> Part:
    numbers = text.replace(",", " ").split()
    if not 1 <= len(numbers) <= 3:
        raise BadInput(f"{where}: a part is 'EPSILON [DELTA [COUNT]]'")
    try:
        return Part.read(*numbers)
    except BadQuantity as reason:
        raise BadInput(f"{where}: {reason}") from reason
