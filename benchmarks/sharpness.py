"""Can the proved claims be sharper? Every hypothesis dropped, every constant made a little better.

    python benchmarks/sharpness.py [--budget 3] [--out sharpness.jsonl] [IDS ...]

One line of JSON for each claim as it is done; a claim that is in the file already, and says what it said
then, is not asked about again. The table at the end counts what was found.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from symdp.audit.seal import seal_of_claim
from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.sharpness import DEFAULT_BUDGET, sharpness
from symdp.search.verdict import Status
from symdp.sources import registry
from symdp.sources.statement import Claim, Comparison, Guarantee, Inequality

Row = dict[str, Any]


def known(path: Path) -> dict[tuple[str, str], Row]:
    """What the file has already, by the claim and what it said."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["id"], row["digest"]): row for row in rows}


def asked(claim: Claim, budget: float) -> Row:
    row: Row = {"id": claim.id, "digest": seal_of_claim(claim), "role": claim.role, "kind": claim.kind}
    verdict = settle(claim, budget=10)
    if verdict.status is not Status.PROVED:
        return {**row, "verdict": verdict.status.value}
    found = sharpness(claim, budget=budget)
    return {**row, "verdict": "proved", **found.as_json(), "text": str(found)}


def companions(claim: Claim) -> list[str]:
    """The sharper claims beside this one."""
    statement = registry.statement(claim.id)
    return [c.id for c in statement.claims if c.improves == claim.name and c.role == "sharper"]


def table(rows: list[Row]) -> str:
    proved = [row for row in rows if row["verdict"] == "proved"]
    findings = Counter((a["topic"], a["finding"]) for row in proved for a in row["answers"])
    lines = [f"{len(proved)} proved claims, {sum(row['best'] for row in proved)} with nothing to gain",
             "| question | finding | answers |", "|---|---|---|"]
    lines += [f"| {topic} | {finding} | {n} |" for (topic, finding), n in sorted(findings.items())]
    for row in proved:
        if not row["best"]:
            beside = companions(registry.claim(row["id"]))
            lines += ["", row["text"], f"  sharper beside it: {', '.join(beside) or 'none'}"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", nargs="*", help="claims, statements or sources; all if none is named")
    parser.add_argument("--budget", type=float, default=DEFAULT_BUDGET, help="seconds for one question")
    parser.add_argument("--out", type=Path, default=Path("sharpness.jsonl"))
    arguments = parser.parse_args()
    claims = [c for c in registry.select(arguments.ids)
              if isinstance(c, Inequality | Comparison | Guarantee) and c.task == "decide"
              and (isinstance(c, Guarantee) or c.text() != c.says)]
    done, rows = known(arguments.out), []
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=len(claims))
        for claim in claims:
            progress.update(bar, description=claim.id)
            row = done.get((claim.id, seal_of_claim(claim)))
            if row is None:
                row = asked(claim, arguments.budget)
                with arguments.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            rows.append(row)
            progress.advance(bar)
    print(table(rows))


if __name__ == "__main__":
    main()
