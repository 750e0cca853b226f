"""The soundness campaign: a million mutated certificates, claims, derivations and guarantees, in pieces.

Each piece has a kind and a seed, is done in a process of its own (or by the executor of a cluster), and leaves one
file in the folder of the campaign. Whoever starts it again goes on with the pieces that are missing; a piece can be
done again alone, by its name. The report says at any time what was seen: counts by kind and by rule, the slowest, and
anything suspicious with the seed that makes it again. Exit code 1 if anything is wrong.

    python benchmarks/soundness.py --out build/campaign --jobs 2              a million, in pieces
    python benchmarks/soundness.py --out build/campaign --minutes 30          as far as it comes
    python benchmarks/soundness.py --out build/campaign --report              what was seen so far
    python benchmarks/soundness.py --out build/campaign --piece claims-17     one piece again
    python benchmarks/soundness.py --out build/campaign --executor dask://localhost:8786
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from symdp.watched import OutOfBounds
from symdp.workers.cluster import NoCluster, each_on, executor_of
from symdp.workers.processes import each

#: What a piece of each kind holds, and how many mutants the whole campaign has.
SIZES = {"certificates": 1000, "claims": 50, "derivations": 10, "guarantees": 5}
WHOLE = {"certificates": 900_000, "claims": 90_000, "derivations": 8_000, "guarantees": 2_000}
#: Seconds of work for a claim, a line of a derivation, a guarantee.
BUDGET = {"claims": 0.5, "derivations": 1.0, "guarantees": 2.0}
SLOWEST = 5


@dataclass(frozen=True)
class Piece:
    kind: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.seed}"


def pieces() -> Iterator[Piece]:
    """All of them, the kinds side by side from the first on, so that a part of the campaign has a part of each."""
    ends = {kind: WHOLE[kind] // SIZES[kind] for kind in SIZES}
    most = max(ends.values())
    order = sorted((seed * most / ends[kind], kind, seed) for kind in SIZES for seed in range(ends[kind]))
    return (Piece(kind, seed) for _, kind, seed in order)


# --- one piece ---------------------------------------------------------------------------------------


def done(kind: str, seed: int) -> dict[str, Any]:
    """What became of one piece: plain data, the same for the same seed wherever it is done."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    begun = time.process_time()
    found = {"certificates": _certificates, "claims": _claims, "derivations": _derivations,
             "guarantees": _guarantees}[kind](SIZES[kind], seed)
    return {"kind": kind, "seed": seed, "seconds": round(time.process_time() - begun, 1), **found}


def _certificates(count: int, seed: int) -> dict[str, Any]:
    import mutated_certificates  # noqa: PLC0415 - a piece of another kind does not need it

    tally = mutated_certificates.piece(count, seed)
    return {"counts": dict(tally.counts), "rules": dict(tally.rules), "wrong": tally.wrong,
            "slowest": [list(tally.slowest)]}


def _claims(count: int, seed: int) -> dict[str, Any]:
    import mutations  # noqa: PLC0415 - as above

    outcomes = mutations.batch(count, seed, BUDGET["claims"])
    rules = Counter(rule for o in outcomes if o.status == "proved" for rule in [o.detail.split("(")[0].split()[0]])
    return {"counts": dict(Counter(f"{'true' if o.mutant.is_true else 'false'}: {o.status}" for o in outcomes)),
            "rules": dict(rules), "wrong": [f"{o.mutant}: {o.status}" for o in outcomes if o.is_violation],
            "slowest": sorted(([round(o.seconds, 2), str(o.mutant)] for o in outcomes), reverse=True)[:SLOWEST]}


def _derivations(count: int, seed: int) -> dict[str, Any]:
    import derivation_mutations  # noqa: PLC0415 - as above

    counts: Counter[str] = Counter()
    wrong, slowest = [], []
    for mutant in islice(derivation_mutations.mutants(Random(seed)), count):
        begun = time.process_time()
        said = derivation_mutations.outcome(mutant, mutant.derivation.check(budget=BUDGET["derivations"]))
        counts[said] += 1
        slowest.append([round(time.process_time() - begun, 2), f"{mutant.derivation.title}, {mutant.change}"])
        if said in ("missed", "misplaced"):
            wrong.append(f"{said}: {mutant.derivation.title}, line {mutant.line}: {mutant.change}")
    return {"counts": dict(counts), "rules": {}, "wrong": wrong, "slowest": sorted(slowest, reverse=True)[:SLOWEST]}


def _guarantees(count: int, seed: int) -> dict[str, Any]:
    import guarantee_mutations as of  # noqa: PLC0415 - as above

    counts: Counter[str] = Counter()
    wrong, slowest = [], []
    for mutant in islice(of.mutants(seed), count):
        begun = time.process_time()
        false = mutant.false_at is not None
        said = of.decide_guarantee(mutant.guarantee, budget=BUDGET["guarantees"], refute=not false).status.value
        counts[f"{'false' if false else 'weaker'}: {said}"] += 1
        slowest.append([round(time.process_time() - begun, 2), mutant.name])
        if said == ("proved" if false else "refuted"):
            wrong.append(f"{mutant.name}: {said}")
    return {"counts": dict(counts), "rules": {}, "wrong": wrong, "slowest": sorted(slowest, reverse=True)[:SLOWEST]}


# --- all of them -------------------------------------------------------------------------------------


def run(out: Path, chosen: Sequence[Piece], jobs: int, executor: str | None, minutes: float | None) -> None:
    """Do the pieces, a few at a time, and keep each as soon as it is known."""
    end = time.monotonic() + 60 * minutes if minutes else None
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(executor_of(executor)) if executor else None
        # Of a round nothing is lost if the next one is never begun.
        size = 4 * jobs if cluster is None else 200
        for begin in range(0, len(chosen), size):
            if end is not None and time.monotonic() > end:
                return
            batch = chosen[begin:begin + size]
            work = [(p.kind, p.seed) for p in batch]
            answers = each(done, work, jobs) if cluster is None else each_on(cluster, done, dict(enumerate(work)))
            for place, found in answers:
                if isinstance(found, OutOfBounds):
                    found = {"kind": batch[place].kind, "seed": batch[place].seed, "seconds": 0.0, "rules": {},
                             "counts": {"given up": 1}, "wrong": [], "slowest": [], "reason": str(found)}
                keep(out, batch[place], found)
                print(f"{batch[place].name}: {found['seconds']:g} s, {len(found['wrong'])} wrong"
                      + (f", {found['reason']}" if "reason" in found else ""), file=sys.stderr, flush=True)


def keep(out: Path, piece: Piece, found: dict[str, Any]) -> None:
    """A whole file or none."""
    private = out / f".{piece.name}.{os.getpid()}"
    private.write_text(json.dumps(found, indent=1), encoding="utf-8")
    private.replace(out / f"{piece.name}.json")


def kept(out: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(out.glob("*-*.json"))]


def report(out: Path) -> tuple[str, bool]:
    """What was seen so far, and whether anything is wrong."""
    found, text = kept(out), io.StringIO()
    for kind in SIZES:
        mine = [f for f in found if f["kind"] == kind]
        counts, rules = (sum((Counter(f[key]) for f in mine), Counter[str]()) for key in ("counts", "rules"))
        print(f"{kind}: {sum(counts.values()):,} of {WHOLE[kind]:,} mutants, {len(mine)} pieces, "
              f"{sum(f['seconds'] for f in mine) / 60:.1f} processor minutes", file=text)
        for what, n in sorted(counts.items()):
            print(f"  {n:9,} {what}", file=text)
        if rules:
            print("  accepted or proved, by the first rule: "
                  + ", ".join(f"{rule} {n:,}" for rule, n in rules.most_common()), file=text)
        for seconds, name in sorted((s for f in mine for s in f["slowest"]), reverse=True)[:SLOWEST]:
            print(f"  slow: {seconds:g} s, {name[:160]}", file=text)
    wrong = [f"{f['kind']}-{f['seed']}: {line}" for f in found for line in f["wrong"]]
    print(f"wrong: {len(wrong)}", *wrong, sep="\n", file=text)
    return text.getvalue(), bool(wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/campaign"), help="the folder that it goes on from")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--executor", help="such as dask://localhost:8786")
    parser.add_argument("--minutes", type=float, help="begin nothing after that time")
    parser.add_argument("--kind", choices=sorted(SIZES), action="append", help="only pieces of that kind")
    parser.add_argument("--piece", action="append", default=[], help="such as claims-17: again, by itself")
    parser.add_argument("--report", action="store_true", help="only say what was seen so far")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.report:
        every = {p.name: p for p in pieces() if not options.kind or p.kind in options.kind}
        unknown = [name for name in options.piece if name not in every]
        if unknown:
            print(f"there is no piece {unknown[0]!r}; pieces are called like claims-17", file=sys.stderr)
            return 2
        there = {path.stem for path in options.out.glob("*-*.json")}
        chosen = [every[name] for name in options.piece] or [p for name, p in every.items() if name not in there]
        try:
            run(options.out, chosen, options.jobs, options.executor, options.minutes)
        except NoCluster as reason:
            print(reason, file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("interrupted; the next run goes on from here", file=sys.stderr)
            return 130
    text, wrong = report(options.out)
    print(text, end="")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
