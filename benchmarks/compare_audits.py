"""What changed between two audits: one row for each claim whose verdict did.

    python benchmarks/compare_audits.py BEFORE/audit.json AFTER/audit.json

Two audits of the same code must not differ at all, however busy the machine was; the exit code says whether they do.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

LONGEST = 220


def main(before: Path, after: Path) -> int:
    old, new = ({c["id"]: c for c in json.loads(path.read_text())["claims"]} for path in (before, after))
    changed = [id for id in new if id in old and old[id]["verdict"] != new[id]["verdict"]]
    for name, audit in (("before", old), ("after", new)):
        counts = Counter(c["verdict"] for c in audit.values())
        print(f"{name}: {len(audit)} claims: " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    print(f"\n{len(changed)} verdicts changed; {len(new.keys() - old.keys())} claims are new, "
          f"{len(old.keys() - new.keys())} are gone\n")
    if changed:
        print("| claim | before | after | why |\n|---|---|---|---|")
    for id in sorted(changed, key=lambda id: (old[id]["verdict"], new[id]["verdict"], id)):
        print(f"| {id} | {old[id]['verdict']} | {new[id]['verdict']} | {_why(new[id])} |")
    return int(bool(changed))


def _why(claim: dict[str, object]) -> str:
    words = claim.get("words") or [claim.get("method", "")]
    text = "; ".join(str(w) for w in words) if isinstance(words, list) else str(words)
    text = " ".join(text.replace("|", "\\|").split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
