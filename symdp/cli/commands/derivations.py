"""symdp derive: a derivation, or a proof of the sources, checked line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from symdp.arguments.derivations.certificates import write_certificates
from symdp.arguments.derivations.report import Report
from symdp.arguments.reading.text_file import read_derivation
from symdp.cli.console import BadInput, Format, FormatOption, Memory, emit, tell, writable, wrote
from symdp.cli.progress import progress
from symdp.report.paper.derivations import derivation_latex, print_proof, print_report, proof_latex
from symdp.report.terminal.claims import print_proofs
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.registry import UnknownId, proof, proofs

#: Seconds in which the text of a derivation must have become formulas.
READING = 10.0


def derive(
    what: Annotated[str | None, typer.Argument(
        help="a file with formulas in LaTeX, or the id of a proof such as kov/sec-7")] = None,
    budget: Annotated[float, typer.Option(help="seconds for each relation", min=0.01)] = 10.0,
    sharpen: Annotated[bool, typer.Option("--sharpen", help="certify the factors lost")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="print LaTeX with a mark per line")] = False,
    document: Annotated[bool, typer.Option("--document", help="a whole LaTeX file")] = False,
    memory: Memory = 2.0,
    out: Annotated[Path | None, typer.Option(help="a folder for certificates")] = None,
    list_: Annotated[bool, typer.Option("--list", help="the proofs of the sources")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """Check a derivation line by line, or a proof of the sources: as printed, then repaired.

    A line, and the whole, is proved where the kernel has a proof of it; argued where it rests on words, or only the
    line check finds it right, which is never counted as proved; supported where only a search agrees.
    """
    if latex and format is Format.JSON:
        raise BadInput("--latex does not go with --format json")
    if list_:
        if what is not None:
            raise BadInput("--list shows all proofs; leave out the file or id")
        _list(format)
        return
    if what is None:
        raise BadInput("give a file or the id of a proof; --list shows the proofs")

    def check(derivation: Derivation, advance: Callable[[str, int, int], None]) -> Report:
        return derivation.check(budget=budget, sharpen=sharpen, advance=advance)

    found = _found(what)
    if out is not None:
        writable(out)
    if isinstance(found, SourceProof):
        with progress() as advance:
            reports = {part: check(part, advance) for part in dict.fromkeys(found.derivations)}
        _show_proof(found, reports, latex=latex, document=document, out=out, format=format)
        decisive = found.repaired or found.printed
        raise typer.Exit(0 if all(reports[part] for part in decisive) else 1)
    with progress() as advance:
        report = check(found, advance)
    _show(report, latex=latex, document=document, out=out, format=format)
    raise typer.Exit(0 if report else 1)


def _found(what: str) -> Derivation | SourceProof:
    """The derivation in a file, or the proof of that id where there is no such file."""
    path = Path(what)
    try:
        is_there = path.exists()
    except (OSError, ValueError):  # a name that no file can have
        is_there = False
    if is_there:
        try:
            with hard_deadline(READING):
                return read_derivation(path)
        except TimeIsUp:
            raise BadInput(f"{what[:80]}: not read within {READING:g} s") from None
    try:
        return proof(what)
    except UnknownId as reason:
        raise BadInput(f"there is no file {what[:80]!r}, and {reason}") from reason


def _list(format: Format) -> None:
    if format is Format.JSON:
        emit({"proofs": [
            {"id": p.id, "title": p.title, "where": p.place.label, "printed": len(p.printed),
             "repaired": len(p.repaired), "lines": p.number_of_lines, "supports": list(p.supports)}
            for p in proofs()]})
    else:
        print_proofs(proofs())


def _show(report: Report, *, latex: bool, document: bool, out: Path | None, format: Format) -> None:
    if out is not None:
        _certificates([report], [out])
    if format is Format.JSON:
        emit(report.as_json())
    elif latex or document:
        tell(derivation_latex(report, document=document))
    else:
        print_report(report)


def _certificates(reports: Sequence[Report], folders: Sequence[Path]) -> None:
    for report, folder in zip(reports, folders, strict=True):
        if many := len(write_certificates(report, folder)):
            wrote(folder, f"{many} certificate{'s' * (many > 1)}")


def _show_proof(
    proof: SourceProof, reports: dict[Derivation, Report], *,
    latex: bool, document: bool, out: Path | None, format: Format,
) -> None:
    if out is not None:
        _certificates([*reports.values()], [out / f"part-{i}" for i in range(1, len(reports) + 1)])
    printed = [reports[part] for part in proof.printed]
    repaired = [reports[part] for part in proof.repaired]
    if format is Format.JSON:
        emit({"id": proof.id, "title": proof.title, "where": proof.place.label,
              "supports": list(proof.supports), "printed": [r.as_json() for r in printed],
              "repaired": [r.as_json() for r in repaired]})
    elif latex or document:
        tell(proof_latex(proof, printed, repaired, document=document))
    else:
        print_proof(proof, printed, repaired)
