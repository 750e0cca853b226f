r"""What Coq says of exported files: accepted or refused, and the axioms behind each theorem.

A file is accepted if coqc compiles it, nothing in it is admitted, and every axiom that ``Print Assumptions`` names is
one of Coq's own libraries: those of ``formal/allowed_axioms.txt``, and the specification of primitive integers, with
which ``interval`` computes. To name axioms, Coq walks through its libraries, which takes longer than most proofs; so
it is asked once for a group of theorems, and each is said to rest on what the group rests on. Beside each file stands
a seal, which ties together the certificate, the file, what Coq made of it and the library; what did not change is not
compiled again.
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
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from symdp.formal.export import Exported, theorem_name
from symdp.formal.session import MEMORY, PATIENCE

LIBRARY = Path(__file__).parents[2] / "formal"
#: Theorems whose axioms are named at once.
GROUP = 24
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
    library, done = library_digest(), 0
    found: dict[int, Checked] = {}
    waiting: list[int] = []
    for place, exported in enumerate(files):
        found[place] = written(exported, out)
        if exported.text is not None:
            known = sealed(exported, out, library)
            if known is None:
                waiting.append(place)
            else:
                found[place] = known
    done = len(files) - len(waiting)

    def one(place: int) -> Checked:
        nonlocal done
        result = _compiled(files[place], out, budget)
        done += 1
        advance(files[place].claim, done, len(files))
        return result

    with ThreadPoolExecutor(jobs) as pool:
        for first in range(0, len(waiting), GROUP):
            group = waiting[first:first + GROUP]
            rows = dict(zip(group, pool.map(one, group), strict=True))
            rows |= _with_axioms({p: r for p, r in rows.items() if r.accepted}, files, out, budget)
            for place, row in rows.items():
                found[place] = row
                seal(files[place], row, out, library)
    return [found[place] for place in range(len(files))]


def seal_of(path: Path) -> Path:
    return path.with_suffix(".seal")


def _tied(exported: Exported, out: Path, library: str) -> dict[str, str]:
    """The digests of everything that a result speaks of."""
    path = file_of(exported, out)
    return {"certificate": digest(exported.file), "theorem": digest(path), "library": library,
            "compiled": digest(path.with_suffix(".vo"))}


def sealed(exported: Exported, out: Path, library: str) -> Checked | None:
    """What Coq said of a file, if nothing changed since."""
    try:
        known = json.loads(seal_of(file_of(exported, out)).read_text(encoding="utf-8"))
        r = known["result"]
        if any(known.get(k) != v for k, v in _tied(exported, out, library).items()):
            return None
        return Checked(str(exported.file), exported.claim, exported.verdict, r["accepted"], tuple(r["axioms"]),
                       r["seconds"], r["message"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def seal(exported: Exported, found: Checked, out: Path, library: str) -> None:
    if "seconds" in found.message:  # what ran out of time may do better on another day
        return
    result = {"accepted": found.accepted, "axioms": list(found.axioms), "seconds": found.seconds,
              "message": found.message}
    text = json.dumps({**_tied(exported, out, library), "result": result}, indent=1)
    seal_of(file_of(exported, out)).write_text(text, encoding="utf-8")


def _compiled(exported: Exported, out: Path, budget: float) -> Checked:
    """What coqc says of a file; the axioms come later."""
    start, path = time.monotonic(), file_of(exported, out)
    path.with_suffix(".vo").unlink(missing_ok=True)
    code, _, errors = _coqc(path, budget)
    if code is None:
        accepted, message = False, f"Coq did not end within {budget:g} seconds"
    elif code != 0:
        accepted, message = False, refusal_of(errors)
    elif LEFT_OUT.search(exported.text or ""):
        accepted, message = False, "a proof was left out"
    else:
        accepted, message = True, "accepted by Coq"
    return Checked(str(exported.file), exported.claim, exported.verdict, accepted, (),
                   round(time.monotonic() - start, 2), message)


def _with_axioms(rows: Mapping[int, Checked], files: Sequence[Exported], out: Path, budget: float
) -> dict[int, Checked]:
    """Compiled theorems with the axioms behind them; if one is not allowed, each is asked about by itself."""
    if not rows:
        return {}
    axioms = assumed([theorem_name(files[p].claim) for p in rows], out, budget)
    strange = ["Coq does not say what it assumes"] if axioms is None else [a for a in axioms if not is_allowed(a)]
    if strange and len(rows) > 1:
        return {p: alone for place, row in rows.items()
                for p, alone in _with_axioms({place: row}, files, out, budget).items()}
    if strange:
        return {p: replace(r, accepted=False, message=f"not allowed: {', '.join(strange)}") for p, r in rows.items()}
    return {p: replace(r, axioms=tuple(axioms or ())) for p, r in rows.items()}


def assumed(names: Sequence[str], out: Path, budget: float) -> list[str] | None:
    """The axioms behind theorems that are compiled; None if Coq does not say."""
    total = names[0] + "." + names[0]
    for name in names[1:]:
        total = f"(conj {total} {name}.{name})"
    text = "".join(f"From Claims Require {name}.\n" for name in names)
    text += f"Definition all_of_them := {total}.\nPrint Assumptions all_of_them.\n"
    path = out / f"Assumptions_{hashlib.sha256(text.encode()).hexdigest()[:12]}.v"
    path.write_text(text, encoding="utf-8")
    code, output, _ = _coqc(path, budget)
    return axioms_of(output) if code == 0 else None


def _coqc(path: Path, budget: float) -> tuple[int | None, str, str]:
    folders = ["-Q", str(LIBRARY / "theories"), "SymDP", "-Q", ".", "Claims"]
    return _run(["coqc", "-q", "-w", "none", *folders, path.name], path.parent, budget)


def _run(command: list[str], folder: Path, budget: float) -> tuple[int | None, str, str]:
    """Code, output and errors of a command; no code where it used up its time (the processor's, or far more)."""
    seconds = max(1, int(budget))

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=limited)
    try:
        output, errors = process.communicate(timeout=PATIENCE * budget)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", ""
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
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
