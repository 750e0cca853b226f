"""symdp derive: a derivation, or a proof of the sources, checked line by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from symdp.cli.console import BadInput, Format, FormatOption, emit, progress, writable

if TYPE_CHECKING:
    from symdp.arguments.derivations.report import Report
    from symdp.sources.derivation import Derivation
    from symdp.sources.source_proof import SourceProof


def register(app: typer.Typer) -> None:
    app.command()(derive)


def derive(
    what: Annotated[str | None, typer.Argument(
        help="a file with formulas in LaTeX, or the id of a proof such as kov/sec-7")] = None,
    budget: Annotated[float, typer.Option(help="seconds for each relation", min=0.01)] = 10.0,
    sharpen: Annotated[bool, typer.Option("--sharpen", help="certify the factors lost")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="print LaTeX with a mark per line")] = False,
    document: Annotated[bool, typer.Option("--document", help="a whole LaTeX file")] = False,
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

    derivation, proof = _found(what)
    if out is not None:
        writable(out)
    if proof is not None:
        with progress() as advance:
            reports = {part: check(part, advance) for part in dict.fromkeys(proof.derivations)}
        _show_proof(proof, reports, latex=latex, document=document, out=out, format=format)
        decisive = proof.repaired or proof.printed
        raise typer.Exit(0 if all(reports[part] for part in decisive) else 1)
    assert derivation is not None
    with progress() as advance:
        report = check(derivation, advance)
    _show(report, latex=latex, document=document, out=out, format=format)
    raise typer.Exit(0 if report else 1)


def _found(what: str) -> tuple[Derivation | None, SourceProof | None]:
    """The derivation in a file, or the proof of that id where there is no such file."""
    from symdp.arguments.reading.text_file import read_derivation
    from symdp.sources.registry import UnknownId, proof

    path = Path(what)
    try:
        is_there = path.exists()
    except (OSError, ValueError):  # a name that no file can have
        is_there = False
    if is_there:
        return read_derivation(path), None
    try:
        return None, proof(what)
    except UnknownId as reason:
        raise BadInput(f"there is no file {what[:80]!r}, and {reason}") from reason


def _list(format: Format) -> None:
    from symdp.report.terminal.terminal import print_proofs
    from symdp.sources.registry import proofs

    if format is Format.JSON:
        emit({"proofs": [
            {"id": p.id, "title": p.title, "where": p.place.label, "printed": len(p.printed),
             "repaired": len(p.repaired), "lines": p.number_of_lines, "supports": list(p.supports)}
            for p in proofs()]})
    else:
        print_proofs(proofs())


def _show(report: Report, *, latex: bool, document: bool, out: Path | None, format: Format) -> None:
    from symdp.arguments.derivations.certificates import write_certificates
    from symdp.report.paper.derivations import derivation_latex, print_report

    if out is not None:
        write_certificates(report, out)
    if format is Format.JSON:
        emit(report.as_json())
    elif latex or document:
        typer.echo(derivation_latex(report, document=document))
    else:
        print_report(report)


def _show_proof(
    proof: SourceProof, reports: dict[Derivation, Report], *,
    latex: bool, document: bool, out: Path | None, format: Format,
) -> None:
    from symdp.arguments.derivations.certificates import write_certificates
    from symdp.report.paper.derivations import print_proof, proof_latex

    if out is not None:
        for i, report in enumerate(reports.values(), start=1):
            write_certificates(report, out / f"part-{i}")
    printed = [reports[part] for part in proof.printed]
    repaired = [reports[part] for part in proof.repaired]
    if format is Format.JSON:
        emit({"id": proof.id, "title": proof.title, "where": proof.place.label,
              "supports": list(proof.supports), "printed": [r.as_json() for r in printed],
              "repaired": [r.as_json() for r in repaired]})
    elif latex or document:
        typer.echo(proof_latex(proof, printed, repaired, document=document))
    else:
        print_proof(proof, printed, repaired)
