r"""What Coq says of exported files: accepted or refused, and the axioms behind each theorem.

A file is accepted if coqc compiles it, nothing in it is admitted, and every axiom that ``Print Assumptions`` names is
one of Coq's own libraries: those of ``formal/allowed_axioms.txt``, and the specification of primitive integers, with
which ``interval`` computes. Beside each file stands a seal, which ties together the certificate, the file, what Coq
made of it and the library, under the mark of this user; what did not change is not compiled again. Where an audit
wrote a certificate anew and its theorem with its proof is the same, the seal is put on anew, and nothing compiled. A
seal without that mark is a stranger's, and says nothing. Coq works in a folder of its own: what it writes beside a
file, it would write through a link.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from symdp.formal.export import Exported, theorem_name
from symdp.formal.session import PATIENCE, TOO_LONG, seconds_of, too_long
from symdp.incoming import NotRead, bytes_of
from symdp.outgoing import NotOurs, by_name, write
from symdp.users_mark import is_ours, mark

LIBRARY = Path(__file__).parents[2] / "formal"
#: Bytes of memory for one run of Coq.
MEMORY = 6_000_000_000
#: Words by which a proof could be left out.
LEFT_OUT = re.compile(r"\b(Admitted|admit|give_up|Axiom|Axioms|Parameter|Parameters|Conjecture|bypass_check)\b")
#: The modules in which Coq specifies its primitive 63-bit integers.
INTEGERS = ("PrimInt63.", "Uint63.", "Int63.")
Advance = Callable[[str, int, int], None]
#: What the mark of this user is put on.
_PURPOSE = "what Coq said"
#: Bytes of a file that Coq made.
_LARGEST = 200_000_000


class NoCoq(Exception):
    """Coq, or the compiled library, is not there."""


@dataclass(frozen=True)
class Checked:
    """What became of a certificate."""

    file: str
    claim: str
    verdict: str
    #: what is proved or refuted, in words: the name alone could be any
    statement: str
    accepted: bool
    axioms: tuple[str, ...] = ()
    seconds: float = 0.0
    message: str = ""
    #: the rule or kind of formula that is not exported
    rule: str = ""

    def as_json(self) -> dict[str, object]:
        return {k: list(v) if k == "axioms" else v for k, v in asdict(self).items() if k != "rule"}


def need_coq() -> None:
    if shutil.which("coqc") is None:
        raise NoCoq("coqc is not installed: run `make formal` once, which installs it and compiles the library")
    if not (LIBRARY / "theories" / "Certificates.vo").exists():
        raise NoCoq("the Coq library is not compiled: run `make formal` once")


def file_of(exported: Exported, out: Path) -> Path:
    return out / f"{theorem_name(exported.claim)}.v"


def written(exported: Exported, out: Path) -> Checked:
    """The Coq file on disk, not yet checked."""
    if exported.text is None:
        return _row(exported, f"not exported: {exported.rule}: {exported.message}", rule=exported.rule)
    out.mkdir(parents=True, exist_ok=True)
    try:
        write(file_of(exported, out), exported.text)
    except (NotOurs, OSError) as reason:
        return _row(exported, f"not written: {reason}", rule="file")
    return _row(exported, "exported, not checked")


def written_all(files: Sequence[Exported], out: Path) -> list[Checked]:
    """Each in a file of its own: of two names that are one for Coq, the first has it."""
    taken: set[Path] = set()
    rows = []
    for exported in files:
        path = file_of(exported, out)
        if exported.text is not None and path in taken:
            rows.append(_row(exported, f"not exported: name: {path.name} belongs to another certificate here",
                             rule="name"))
        else:
            taken.add(path)
            rows.append(written(exported, out))
    return rows


def _row(exported: Exported, message: str, *, rule: str = "") -> Checked:
    return Checked(str(exported.file), exported.claim, exported.verdict, exported.statement, False, message=message,
                   rule=rule)


def check_all(files: Sequence[Exported], out: Path, *, jobs: int = 1, budget: float = 300.0,
              advance: Advance = lambda what, done, total: None) -> list[Checked]:
    """Everything exported compiled, in the order of the certificates."""
    need_coq()
    library = library_digest()
    done = 0

    def one(exported: Exported, row: Checked) -> Checked:
        nonlocal done
        found = row if row.rule else check(exported, out, library, budget)
        done += 1
        advance(exported.claim, done, len(files))
        return found

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, files, written_all(files, out)))


def said_before(exported: Exported, out: Path, library: str) -> Checked | None:
    """What Coq said of a file, if nothing changed since we put its seal there."""
    known = _sealed(file_of(exported, out), _tied(exported, library))
    return None if known is None else Checked(
        str(exported.file), exported.claim, exported.verdict, exported.statement, known["accepted"],
        tuple(known["axioms"]), known["seconds"], known["message"])


def _tied(exported: Exported, library: str) -> dict[str, str]:
    return {"certificate": digest(exported.file), "theorem": _digest_of((exported.text or "").encode()),
            "library": library}


def check(exported: Exported, out: Path, library: str, budget: float) -> Checked:
    """What Coq says of one file; read from its seal if nothing changed since we put it there."""
    known = said_before(exported, out, library)
    if known is not None:
        return known
    path, tied = file_of(exported, out), _tied(exported, library)
    with TemporaryDirectory(prefix="symdp-coq-") as folder:
        inside = Path(folder) / path.name
        inside.write_text(exported.text or "", encoding="utf-8")
        found = _compiled(exported, inside, budget)
        made = inside.with_suffix(".vo").read_bytes() if inside.with_suffix(".vo").exists() else b""
    try:
        write(path.with_suffix(".vo"), made, ours=by_name)
        if TOO_LONG not in found.message:  # what ran out of time may do better on another day
            _put_seal(path, {**tied, "compiled": _digest_of(made), "result": {
                "accepted": found.accepted, "axioms": list(found.axioms), "seconds": found.seconds,
                "message": found.message}})
    except (NotOurs, OSError):
        pass  # then it is compiled anew the next time
    return found


def _put_seal(path: Path, said: dict[str, Any]) -> None:
    text = json.dumps({**said, "mark": mark(_PURPOSE, json.dumps(said, sort_keys=True))}, indent=1)
    write(path.with_suffix(".seal"), text, ours=by_name)


def _sealed(path: Path, tied: dict[str, str]) -> dict[str, Any] | None:
    """What Coq said before of the same file, if it was we who wrote that down. If the file was made from another
    certificate, it is sealed for this one."""
    try:
        said = json.loads(bytes_of(path.with_suffix(".seal"), 100_000, links=False))
        given = said.pop("mark", None)
        now = {**tied, "compiled": _digest_of(bytes_of(path.with_suffix(".vo"), _LARGEST, links=False))}
    except (NotRead, ValueError, RecursionError, AttributeError, TypeError):
        return None
    if not is_ours(_PURPOSE, json.dumps(said, sort_keys=True), given):
        return None
    result: dict[str, Any] = said["result"]
    if any(said.get(name) != value for name, value in now.items() if name != "certificate"):
        return None
    if said.get("certificate") != now["certificate"]:
        try:
            _put_seal(path, {**now, "result": result})
        except (NotOurs, OSError):
            return None
    return result


def _compiled(exported: Exported, path: Path, budget: float) -> Checked:
    start = time.monotonic()
    code, output, errors = _run(["coqc", "-q", "-w", "none", "-Q", str(LIBRARY / "theories"), "SymDP", path.name],
                                path.parent, budget)
    seconds = round(time.monotonic() - start, 2)

    def verdict(accepted: bool, message: str, axioms: Sequence[str] = ()) -> Checked:
        return Checked(
            str(exported.file), exported.claim, exported.verdict, exported.statement, accepted, tuple(axioms),
            seconds, message)

    if code is None:
        return verdict(False, too_long(budget))
    if code != 0:
        return verdict(False, refusal_of(errors))
    if LEFT_OUT.search(exported.text or ""):
        return verdict(False, "a proof was left out")
    axioms = axioms_of(output)
    if axioms is None:
        return verdict(False, "Coq does not say what the theorem assumes")
    strange = [a for a in axioms if not is_allowed(a)]
    return verdict(not strange, f"not allowed: {', '.join(strange)}" if strange else "accepted by Coq", axioms)


def _run(command: list[str], folder: Path, budget: float) -> tuple[int | None, str, str]:
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    end, used = time.monotonic() + PATIENCE * budget, seconds_of(process.pid)
    while True:
        try:
            output, errors = process.communicate(timeout=1.0)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            if time.monotonic() < end and seconds_of(process.pid) - used < budget:
                continue
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", ""


def refusal_of(errors: str) -> str:
    r"""Where Coq stopped and why, as one line.

    >>> refusal_of('File "./x.v", line 7, characters 2-9:\nError: No such goal.\n')
    'line 7: No such goal.'
    """
    place = re.search(r"line (\d+)", errors)
    reason = errors.split("Error:", 1)[-1]
    text = " ".join(reason.split())[:200]
    return f"line {place[1]}: {text}" if place else text or "Coq ended with an error"


def axioms_of(output: str) -> list[str] | None:
    r"""The axioms that ``Print Assumptions`` shows; None if it shows nothing.

    >>> axioms_of("Axioms:\nClassical_Prop.classic : forall P : Prop, P or not P\n")
    ['Classical_Prop.classic']
    >>> axioms_of("Closed under the global context\n")
    []
    """
    if "Closed under the global context" in output:
        return []
    if "Axioms:" not in output:
        return None
    lines = output.split("Axioms:", 1)[1].splitlines()
    return sorted({line.split()[0] for line in lines if line and not line[0].isspace()})


def allowed_axioms() -> frozenset[str]:
    return frozenset((LIBRARY / "allowed_axioms.txt").read_text(encoding="utf-8").split())


def is_allowed(axiom: str) -> bool:
    return axiom in allowed_axioms() or axiom.startswith(INTEGERS)


def digest(path: Path) -> str:
    return _digest_of(bytes_of(path, _LARGEST))


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def library_digest(text: str | None = None) -> str:
    """What the library says: all of it, or the files that a text needs, and those that they need."""
    found, there = hashlib.sha256(), LIBRARY / "theories"
    wanted = {path.stem for path in there.glob("*.v")} if text is None else _required(text)
    known: dict[str, bytes] = {}
    while wanted:
        name = wanted.pop()
        if name not in known and (path := there / f"{name}.v").exists():
            known[name] = path.read_bytes()
            wanted |= _required(known[name].decode())
    for name in sorted(known):
        found.update(known[name])
    return found.hexdigest()


def _required(text: str) -> set[str]:
    r"""The files of the library that a text asks for.

    >>> sorted(_required("From Coq Require Reals. From SymDP Require Import Sums\n Laws. From SymDP Require Lemmas."))
    ['Laws', 'Lemmas', 'Sums']
    """
    return {name for names in re.findall(r"From SymDP Require (?:Import |Export )?([^.]*)\.", text)
            for name in names.split()}
