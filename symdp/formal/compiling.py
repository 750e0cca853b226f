r"""What Coq says of exported files: accepted or refused, and the axioms behind each theorem.

A file is accepted if coqc compiles it, nothing in it is admitted, and every axiom that ``Print Assumptions`` names is
one of Coq's own libraries: those of ``formal/allowed_axioms.txt``, and the specification of primitive integers, with
which ``interval`` computes. Beside each file stands a seal, which ties together the certificate, the file, what Coq
made of it and the library; what did not change is not compiled again.
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

from symdp.formal.export import Exported, theorem_name

LIBRARY = Path(__file__).parents[2] / "formal"
#: Bytes of memory for one run of Coq.
MEMORY = 6_000_000_000
#: Words by which a proof could be left out.
LEFT_OUT = re.compile(r"\b(Admitted|admit|give_up|Axiom|Axioms|Parameter|Parameters|Conjecture|bypass_check)\b")
#: The modules in which Coq specifies its primitive 63-bit integers.
INTEGERS = ("PrimInt63.", "Uint63.", "Int63.")
Advance = Callable[[str, int, int], None]


class NoCoq(Exception):
    """Coq, or the compiled library, is not there."""


@dataclass(frozen=True)
class Checked:
    """What became of a certificate."""

    file: str
    claim: str
    verdict: str
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
    if exported.text is not None:
        out.mkdir(parents=True, exist_ok=True)
        path = file_of(exported, out)
        if not path.exists() or path.read_text(encoding="utf-8") != exported.text:
            path.write_text(exported.text, encoding="utf-8")
        return Checked(str(exported.file), exported.claim, exported.verdict, False, message="exported, not checked")
    return Checked(str(exported.file), exported.claim, exported.verdict, False,
                   message=f"not exported: {exported.rule}: {exported.message}", rule=exported.rule)


def check_all(files: Sequence[Exported], out: Path, *, jobs: int = 1, budget: float = 300.0,
              advance: Advance = lambda what, done, total: None) -> list[Checked]:
    """Everything exported compiled, in the order of the certificates."""
    need_coq()
    library = library_digest()
    done = 0

    def one(exported: Exported) -> Checked:
        nonlocal done
        found = written(exported, out)
        if exported.text is not None:
            found = check(exported, out, library, budget)
        done += 1
        advance(exported.claim, done, len(files))
        return found

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, files))


def check(exported: Exported, out: Path, library: str, budget: float) -> Checked:
    """What Coq says of one file; read from its seal if nothing changed."""
    path = file_of(exported, out)
    seal = path.with_suffix(".seal")
    tied = {"certificate": digest(exported.file), "theorem": digest(path), "library": library}
    if seal.exists():
        known = json.loads(seal.read_text(encoding="utf-8"))
        tied_now = {**tied, "compiled": digest(path.with_suffix(".vo"))}
        if all(known.get(k) == v for k, v in tied_now.items()):
            r = known["result"]
            return Checked(str(exported.file), exported.claim, exported.verdict, r["accepted"], tuple(r["axioms"]),
                           r["seconds"], r["message"])
    found = _compiled(exported, path, budget)
    result = {"accepted": found.accepted, "axioms": list(found.axioms), "seconds": found.seconds,
              "message": found.message}
    if "seconds" not in found.message:  # what ran out of time may do better on another day
        seal.write_text(json.dumps({**tied, "compiled": digest(path.with_suffix(".vo")), "result": result}, indent=1),
                        encoding="utf-8")
    return found


def _compiled(exported: Exported, path: Path, budget: float) -> Checked:
    start = time.monotonic()
    path.with_suffix(".vo").unlink(missing_ok=True)
    code, output, errors = _run(["coqc", "-q", "-w", "none", "-Q", str(LIBRARY / "theories"), "SymDP", path.name],
                                path.parent, budget)
    seconds = round(time.monotonic() - start, 2)

    def verdict(accepted: bool, message: str, axioms: Sequence[str] = ()) -> Checked:
        return Checked(
            str(exported.file), exported.claim, exported.verdict, accepted, tuple(axioms), seconds, message)

    if code is None:
        return verdict(False, f"Coq did not end within {budget:g} seconds")
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
    try:
        output, errors = process.communicate(timeout=budget)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", ""
    return process.returncode, output, errors


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
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def library_digest() -> str:
    """What the library says, all of it."""
    found = hashlib.sha256()
    for path in sorted((LIBRARY / "theories").glob("*.v")):
        found.update(path.read_bytes())
    return found.hexdigest()
