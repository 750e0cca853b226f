"""How far a claim travels: the modules and types of symdp between `settle` and its row on the page.

A module counts if at least one of its functions is called while the claim is settled, recorded and put on the page
without its figure; a type if one of its objects is made on the way. What is only imported does not count, and neither
do the literature, which is what the claim itself is made of, nor the modules of a claim that came before it: every
claim travels in a process of its own. Run it with `python benchmarks/claim_trace.py`, or with ids of claims.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import symdp
from symdp.audit.campaign import Options, audit_one
from symdp.report.page import page
from symdp.sources.registry import claim, claims, statement

#: A relation, a guarantee, an order, and a claim with a derivation.
CLAIMS = ("kov/sec-7.alon-spencer", "kov/thm-3.1", "kov/sec-3.2.order", "kov/thm-3.4.classic-branch")


class Trace:
    """The modules whose functions were called, and the types whose objects were made."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.modules: set[str] = set()
        self.types: set[str] = set()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code.co_name in ("__init__", "__post_init__", "__new__"):
            made = frame.f_locals.get("self", frame.f_locals.get("cls"))
            kind = made if isinstance(made, type) else type(made)
            if kind.__module__.startswith("symdp."):
                self.types.add(f"{kind.__module__}.{kind.__qualname__}")
        if code.co_filename.startswith(self.root) and code.co_name != "<module>":
            path = code.co_filename.removeprefix(self.root).strip("/").removesuffix(".py")
            self.modules.add(path.replace("/", "."))


def trace(id: str) -> Trace:
    """What one claim meets on its way."""
    claims()  # reading the literature is not a part of the way
    chosen = claim(id)
    found = Trace(Path(symdp.__file__).parent)
    sys.setprofile(found)
    try:
        record = audit_one(id, Options(budget=20.0))
        page._claim(chosen, statement(id), {id: record}, None)
    finally:
        sys.setprofile(None)
    found.modules = {m for m in found.modules if not m.startswith("literature")}
    return found


def main(ids: list[str]) -> None:
    if len(ids) == 1:
        found = trace(ids[0])
        rooms = Counter(m.partition(".")[0] for m in found.modules)
        print(f"{ids[0]}: {len(found.modules)} modules, {len(found.types)} types  ("
              f"{', '.join(f'{room} {number}' for room, number in sorted(rooms.items()))})")
        if "--names" in sys.argv:
            print("\n".join(f"  {name}" for name in (*sorted(found.modules), *sorted(found.types))))
        return
    for id in ids or CLAIMS:
        extra = [a for a in sys.argv[1:] if a.startswith("--")]
        subprocess.run([sys.executable, __file__, id, *extra], check=True)


if __name__ == "__main__":
    main([a for a in sys.argv[1:] if not a.startswith("--")])
