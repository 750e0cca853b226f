"""The audit's distinct analytic proofs, each as a theorem of its own that Coq accepts or refuses.

Proofs of guarantees, orders and sums come down to statements of analysis (`symdp.formal.pieces`); those that occur
twice are asked about once. Every refuted claim with a witness of numbers is asked about as well, and with --lemmas
every lemma of the kernel. Coq is asked about many of them in one run, at whose end `Print Assumptions` names the
axioms behind all that it accepted. What it said stands in OUT/results.json, under a digest of the theorem with its
proof and of what it needs of the library, so that a run that was stopped goes on where it was, and only what changed
is asked again. They are asked in the order of their digests, so that a part of them is a random one.

    symdp audit --out build/certificates
    python benchmarks/formal.py build/certificates --out build/pieces --jobs 2 --lemmas
    python benchmarks/formal.py build/certificates --out build/pieces --report      what is known so far
    python benchmarks/formal.py build/certificates --out build/pieces --only thm-3.4
    python benchmarks/formal.py build/certificates --out build/pieces --derivations
    python benchmarks/formal.py build/certificates --out build/pieces --whole build/formal

With --derivations also the lines of those derivations that have no certificate of a claim, since what they show is
said in words: their certificates are written to OUT/derivations, once for each derivation. With --whole, the folder
of `symdp formal --check`, what is shown inside of a theorem that Coq accepted as a whole is not asked about again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from symdp.arguments.derivations.checking import check_derivation
from symdp.audit.seal import seal_of_claim
from symdp.formal.compiling import (
    LIBRARY,
    axioms_of,
    is_allowed,
    library_digest,
    need_coq,
    said_before,
)
from symdp.formal.export import HEADER, exported, theorem_of
from symdp.formal.pieces import pieces, speaks
from symdp.formal.refusals import NotExportable
from symdp.formal.session import TOO_LONG, Asking, error_in, without_prompts
from symdp.kernel.__main__ import files_of, in_order, name_of
from symdp.kernel.certificate import BadCertificate, Reader, read_document
from symdp.kernel.goals import Goal
from symdp.kernel.lemmas import documents as lemmas
from symdp.kernel.lemmas import proved
from symdp.kernel.proof import Step
from symdp.kernel.terms import variable
from symdp.numbers.domain import DomainError
from symdp.search.certificates import document_of, write_document
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import DerivationError
from symdp.sources.registry import claim as claim_of_id
from symdp.sources.registry import claims

#: How many theorems one run of Coq is asked about, before the axioms behind them are named.
BATCH = 120
#: Between the id of a claim and the number of a line of its derivation.
LINE = " line "


@dataclass(frozen=True)
class Asked:
    """A theorem to be asked about: a goal with its proof, or with the point at which it fails."""

    key: str
    claim: str
    goal: Goal
    step: Step | None
    witness: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return f"{'refuted' if self.step is None else 'piece'}_{self.key}"

    @property
    def rules(self) -> list[str]:
        found, stack = set(), [self.step] if self.step else []
        while stack:
            current = stack.pop()
            found.add(current.rule)
            stack += current.premises
        return sorted(found) or ["witness"]


@dataclass
class Answer:
    """What became of a theorem."""

    claim: str
    rules: list[str]
    became: str
    message: str = ""
    seconds: float = 0.0
    digest: str = ""
    #: the seconds that Coq was given
    budget: float = 0.0

    def stands(self, budget: float) -> bool:
        return self.became == "accepted" or (self.became == "refused" and (
            self.budget >= budget or TOO_LONG not in self.message))


def collected(paths: list[str], with_lemmas: bool) -> Iterator[Asked]:
    """The theorems in the certificates of these folders, and in those of the lemmas; some occur twice."""
    files = {path: document for path in files_of(paths) if "terms" in (document := read_document(path))}
    if with_lemmas:
        yield from map(_lemma, lemmas())
    known: dict[str, Goal] = {}
    for layer in in_order(files):
        for path in layer:
            try:
                yield from _of(files[path], known)
            except BadCertificate as reason:
                print(f"{path.name}: {reason}", file=sys.stderr)


def derivations_in(paths: list[str], out: Path, jobs: int) -> list[str]:
    """Folders with certificates of the lines of derivations: of those whose claim has no certificate itself."""
    there = {name_of(read_document(path)) for path in files_of(paths)}
    lines = partial(_lines_of, out / "derivations")
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:  # which has all imports already
        return list(pool.map(lines, [c.id for c in claims() if c.derivation is not None and c.id not in there]))


def _lines_of(out: Path, id: str) -> str:
    """The folder with certificates of the lines of the derivation of a claim, as they are today."""
    claim, folder = claim_of_id(id), out / "".join(c if c.isalnum() else "_" for c in id)
    assert claim.derivation is not None  # only those are asked for
    sealed = folder / "claim.seal"
    if sealed.exists() and sealed.read_text(encoding="utf-8") == seal_of_claim(claim):
        return str(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with hard_deadline(60):
            lines = check_derivation(claim.derivation, budget=5)
    except (TimeIsUp, DerivationError, DomainError) as reason:
        print(f"{id}: {str(reason) or 'the time was up'}", file=sys.stderr)
    else:
        proofs = {"whole": lines.proof} if lines.proof is not None else {
            line.number: line.proofs[-1] for line in lines.walk() if line.proofs}
        for number, proof in proofs.items():
            write_document(document_of(proof, f"{id}{LINE}{number}"), folder / f"{number}.json")
    sealed.write_text(seal_of_claim(claim), encoding="utf-8")
    return str(folder)


def accepted_whole(paths: list[str], folder: Path, jobs: int) -> set[str]:
    """Claims whose certificate, as it is today, Coq has accepted as one theorem."""
    known = partial(_accepted_whole, folder, library_digest())
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:  # which has all imports already
        return {claim for claim in pool.map(known, files_of(paths)) if claim is not None}


def _accepted_whole(folder: Path, library: str, path: Path) -> str | None:
    try:
        whole = exported(path)
    except BadCertificate:
        return None
    said = None if whole.text is None else said_before(whole, folder, library)
    return whole.claim if said is not None and said.accepted else None


def _lemma(name: str) -> Asked:
    """A lemma of the kernel, from the theorem of that name in the Coq library."""
    goal = proved(name).goal
    at = {v: variable(v) for v in goal.variables}
    step = Step("lemma", {"name": name, "at": at}, (Step("assumption"),) * (len(goal.hypotheses) + 1))
    return Asked(f"lemma_{name.replace('-', '_')}", f"lemma/{name}", goal, step)


def _of(document: Mapping[str, Any], known: dict[str, Goal]) -> Iterator[Asked]:
    goal = Reader(document["terms"]).goal(document["goal"])
    if "witness" in document:
        if speaks(goal.claim) and not goal.families:
            key = hashlib.sha256(f"{goal}{json.dumps(document['witness'])}".encode()).hexdigest()[:16]
            yield Asked(key, name_of(document), goal, None, document["witness"])
        return
    known[name_of(document)] = goal
    for piece in pieces(document, known):
        yield Asked(piece.key, piece.claim, piece.goal, piece.step)


def library_of(text: str) -> str:
    """What the library says in the files that a theorem needs."""
    return _library_of(tuple(line for line in text.splitlines() if line.startswith("From ")))


@cache
def _library_of(further: tuple[str, ...]) -> str:
    return library_digest("\n".join([HEADER, *further]))


class Campaign:
    """The theorems, the answers that are known, and the runs of Coq that find the others."""

    def __init__(self, out: Path, budget: float) -> None:
        self.out, self.budget = out, budget
        self._file, self._lock = out / "results.json", threading.Lock()
        out.mkdir(parents=True, exist_ok=True)
        found = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        self.answers = {key: Answer(**row) for key, row in found.items()}

    def saved(self, answers: Mapping[str, Answer]) -> None:
        with self._lock:
            self.answers.update(answers)
            rows = {key: asdict(a) for key, a in self.answers.items()}
            self._file.write_text(json.dumps(rows, indent=1), encoding="utf-8")

    def waiting(self, asked: list[Asked]) -> list[Asked]:
        """Those whose answer is not known, written to files; what cannot be written is answered here. What ran out of
        time is asked again where it is given more."""
        found, refused = [], {}
        for a in asked:
            try:
                text = theorem_of(a.name, a.goal, a.step, a.witness)
            except (NotExportable, RecursionError) as reason:
                message = str(reason) if isinstance(reason, NotExportable) else "size: nested too deeply"
                refused[a.key] = Answer(a.claim, a.rules, "not exported", message)
                continue
            digest = hashlib.sha256(f"{library_of(text)}{text}".encode()).hexdigest()
            known = self.answers.get(a.key)
            if known is not None and known.digest == digest and known.stands(self.budget):
                continue
            (self.out / f"{a.name}.v").write_text(text, encoding="utf-8")
            refused[a.key] = Answer(a.claim, a.rules, "not asked", digest=digest)
            found.append(a)
        self.saved(refused)
        return found

    def batch(self, asked: list[Asked]) -> None:
        """One run of Coq for all; at its end it is asked for the axioms behind what it accepted. Where it ended
        before that, they are asked about again in the next; so the longest come first."""
        coq, held = Asking(HEADER, LIBRARY / "theories", self.out, self.budget), []
        left, tried = sorted(asked, key=lambda a: -(self.out / f"{a.name}.v").stat().st_size), Counter[str]()
        try:
            while left:
                a = left.pop(0)
                tried[a.key] += 1
                error, self.answers[a.key].seconds = coq.load(f"{a.name}.v")
                if error:
                    self.saved({a.key: self._became(a, "refused", error)})
                else:
                    held.append(a)
                if not coq.running:
                    left, held = [*(h for h in held if tried[h.key] < 3), *left], []
            if held and (wrong := self._axioms(coq, [a.name for a in held])):  # then by whom?
                for a in held:
                    wrong = self._axioms(coq, [a.name])
                    self.saved({a.key: self._became(a, "refused" if wrong else "accepted", wrong)})
            else:
                self.saved({a.key: self._became(a, "accepted") for a in held})
        finally:
            coq.end()

    def _axioms(self, coq: Asking, names: list[str]) -> str:
        """What is wrong with the axioms behind theorems that Coq has just accepted, if something is."""
        total = names[0]
        for name in names[1:]:  # which Coq would refuse if one of them were not there
            total = f"(conj {total} {name})"
        all_of_them = f"all_of_{names[0]}"
        answer = coq.asked(f"Definition {all_of_them} := {total}.\nPrint Assumptions {all_of_them}.", 600)
        if error := error_in(answer):
            return f"with others: {error}"
        axioms = axioms_of(without_prompts(answer))
        if axioms is None:
            return "Coq does not say what it assumes"
        return ", ".join(a for a in axioms if not is_allowed(a))

    def _became(self, a: Asked, became: str, message: str = "") -> Answer:
        known = self.answers[a.key]
        return Answer(a.claim, a.rules, became, message, known.seconds, known.digest, self.budget)


def of_derivations(asked: list[Asked], answers: Mapping[str, Answer]) -> None:
    """How many derivations have all of their analytic parts accepted, and which are the others."""
    parts: dict[str, set[str]] = defaultdict(set)
    for a in asked:
        parts[a.claim.partition(LINE)[0]].add(a.key)
    with_one = [c.id for c in claims() if c.derivation is not None and c.id in parts]
    lacking = {c: n for c in with_one
               if (n := sum(k not in answers or answers[k].became != "accepted" for k in parts[c]))}
    whole = len(with_one) - len(lacking)
    print(f"\n{len(with_one)} derivations with analytic parts: {whole} with all of them accepted")
    for claim, n in lacking.items():
        print(f"  {claim}: {n} of {len(parts[claim])} not accepted")


def report(asked: list[Asked], answers: Mapping[str, Answer]) -> bool:
    """Counts by rule, and the reasons; whether everything was accepted."""
    rows = [answers[a.key] for a in asked if a.key in answers]
    total, became = Counter(r for a in rows for r in a.rules), Counter(a.became for a in rows)
    good = Counter(r for a in rows if a.became == "accepted" for r in a.rules)
    print(f"\n{len(asked)} distinct: " + ", ".join(f"{n} {word}" for word, n in became.most_common()))
    if rows:
        seconds = sum(a.seconds for a in rows)
        print(f"accepted: {became['accepted'] / len(asked):.1%}, {seconds:.0f} s of the processor")
    print("\naccepted of those that use a rule")
    for rule, n in total.most_common():
        print(f"  {rule:16} {good[rule]:5} / {n}")
    for word in ("refused", "not exported", "not asked"):
        reasons = Counter(a.message[:100] for a in rows if a.became == word)
        if reasons:
            print(f"\n{word}")
        for reason, n in reasons.most_common(40):
            first = next(a.claim for a in rows if a.became == word and a.message[:100] == reason)
            print(f"  {n:5}  {reason}  ({first})")
    return became["accepted"] == len(asked)


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("paths", nargs="+", help="certificates, or folders of them")
    words.add_argument("--out", type=Path, default=Path("build/pieces"))
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--budget", type=float, default=60.0, help="seconds of the processor for one theorem")
    words.add_argument("--lemmas", action="store_true", help="ask about the lemmas of the kernel as well")
    words.add_argument("--only", default="", help="claims whose id has this in it")
    words.add_argument("--report", action="store_true", help="say what is known, and ask nothing")
    words.add_argument("--whole", type=Path, help="a folder of symdp formal --check, for what is inside of those")
    words.add_argument("--derivations", action="store_true", help="also the lines of other derivations")
    given = words.parse_args()
    if not given.report:
        need_coq()
    further = derivations_in(given.paths, given.out, given.jobs) if given.derivations else []
    everything = [a for a in collected([*given.paths, *further], given.lemmas) if given.only in a.claim]
    asked = list({a.key: a for a in reversed(everything)}.values())[::-1]
    if not asked:
        print("there is no analytic proof; write certificates with: symdp audit --out DIR", file=sys.stderr)
        return 2
    campaign = Campaign(given.out, given.budget)
    wholes = accepted_whole(given.paths, given.whole, given.jobs) if given.whole else set()
    inside = {a.key: a for a in everything if a.claim in wholes}
    if not given.report:
        waiting = sorted(campaign.waiting([a for a in asked if a.key not in inside]), key=lambda a: a.key)
        batches = [waiting[i:i + BATCH] for i in range(0, len(waiting), BATCH)]
        with ThreadPoolExecutor(given.jobs) as pool:
            for done, _ in enumerate(pool.map(campaign.batch, batches), 1):
                print(f"{done} of {len(batches)} batches", file=sys.stderr, flush=True)
    answers = dict(campaign.answers)
    for key, a in inside.items():
        if key not in answers or answers[key].became != "accepted":
            answers[key] = Answer(a.claim, a.rules, "accepted")
    good = report(asked, answers)
    if inside:
        print(f"\n{len(inside)} of them are inside of theorems that Coq accepted as wholes")
    of_derivations(everything, answers)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
