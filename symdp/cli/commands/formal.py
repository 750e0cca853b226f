"""``symdp formal``: certificates as Coq files, and what Coq says of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.coq_verdicts import keep_all
from symdp.audit.rechecking import certificates_in
from symdp.cli.console import (
    Format,
    FormatOption,
    Memory,
    emit,
    in_bytes,
    leave,
    tell,
    writable,
    wrote,
)
from symdp.cli.progress import progress
from symdp.formal.compiling import Advance, Checked, check_all, need_coq, written_all
from symdp.formal.export import Exported, exported
from symdp.incoming import NotRead, require_file
from symdp.kernel.certificate import LARGEST_FILE, BadCertificate
from symdp.watched import OutOfBounds, watched
from symdp.workers.processes import each

#: Seconds for reading one certificate and writing it for Coq; and the kind of a file that is none.
_PATIENCE, _MALFORMED = 60.0, "certificate"


def formal(
    paths: Annotated[list[Path], typer.Argument(help="certificates, or folders of them")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the Coq files go")],
    check: Annotated[bool, typer.Option("--check", help="compile them with coqc")] = False,
    jobs: Annotated[int, typer.Option(help="how many run side by side", min=1)] = 1,
    budget: Annotated[float, typer.Option(help="seconds for Coq on each file", min=1)] = 300.0,
    memory: Memory = 2.0,
    format: FormatOption = Format.TEXT,
) -> None:
    """Write certificates as Coq files, one theorem each; with --check, Coq accepts or refuses them."""
    if check:
        need_coq()
    writable(out)
    files = certificates_in(paths)
    with progress() as advance:
        found = _exported_all(files, in_bytes(memory), jobs, advance)
        rows = check_all(found, out, jobs=jobs, budget=budget, advance=advance) if check else written_all(
            found, out)
    if check:
        keep_all(found, rows, out)
    wrote(out, f"{len(rows)} certificates as Coq files" if len(rows) != 1 else "one certificate as a Coq file")
    summary = summary_of(rows, check)
    if format is Format.JSON:
        emit({"certificates": [r.as_json() for r in rows], "summary": summary})
    else:
        for r in rows:
            became = "exported" if not check else "accepted" if r.accepted else "refused"
            mark = "-" if r.rule else became
            word = r.verdict if r.accepted else f"said to be {r.verdict}"
            said = f"{word}: {r.statement} " if r.statement else ""
            tell(f"{mark:9} {r.claim}  {said}({r.message})")
        tell(", ".join(f"{k}: {v}" for k, v in summary.items()))
    good = all(r.accepted for r in rows) or (not check and not any(r.rule for r in rows))
    leave(2 if any(r.rule == _MALFORMED for r in rows) else 0 if good else 1)


def _exported_all(files: list[Path], memory: int, jobs: int, advance: Advance) -> list[Exported]:
    found: dict[int, Exported] = {}
    for place, one in each(_exported, [(path, memory) for path in files], jobs, _exported.__module__):
        found[place] = _malformed(files[place], one) if isinstance(one, OutOfBounds) else one
        advance(files[place].name, len(found), len(files))
    return [found[place] for place in range(len(files))]


def _exported(path: Path, memory: int) -> Exported:
    """One certificate, in a process of its own: a bad one spoils no other."""
    try:
        require_file(path, LARGEST_FILE)
        return watched(exported, path, seconds=_PATIENCE, memory=memory)
    except (BadCertificate, NotRead, OutOfBounds) as reason:
        return _malformed(path, reason)


def _malformed(path: Path, reason: Exception) -> Exported:
    return Exported(path, path.name, "", "", None, _MALFORMED, str(reason))


def summary_of(rows: list[Checked], check: bool) -> dict[str, object]:
    """Counts, and what is not exported by rule."""
    missing = Counter(r.rule for r in rows if r.rule)
    accepted = sum(r.accepted for r in rows)
    found: dict[str, object] = {"total": len(rows), "exported": len(rows) - missing.total()}
    if check:
        found |= {"accepted": accepted, "refused": len(rows) - missing.total() - accepted}
    return {**found, "not exported": dict(missing.most_common())}
