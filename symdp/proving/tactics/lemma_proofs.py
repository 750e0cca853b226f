r"""Find the proofs of the lemmas that are too long to write by hand, and keep them.

``python -m symdp.proving.tactics.lemma_proofs`` writes ``lemmas.json`` anew. The kernel verifies each
proof again whenever the lemma is used; nothing here is trusted.
"""

from __future__ import annotations

import json
from pathlib import Path

from symdp.proving import lemmas
from symdp.proving.certificate import rows_of
from symdp.proving.deadline import clock
from symdp.proving.kernel import verify
from symdp.proving.tactics.search import Search

WANTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "erfc-chernoff": ("erfc(z) <= exp(-z^2)", ("z >= 0",)),
    "mills-upper": ("erfc(z) <= exp(-z^2)/(sqrt(pi)*z)", ("z > 0",)),
    "mills-lower": ("erfc(z) >= 2*z*exp(-z^2)/(sqrt(pi)*(2*z^2 + 1))", ("z >= 0",)),
    "mills-birnbaum": ("erfc(z) >= 2*exp(-z^2)/(sqrt(pi)*(z + sqrt(z^2 + 2)))", ("z >= 0",)),
    "normal-chernoff": ("Phi(-z) <= exp(-z^2/2)/2", ("z >= 0",)),
    "normal-mills": ("Phi(-z) <= exp(-z^2/2)/(sqrt(2*pi)*z)", ("z > 0",)),
    "cosh-gauss": ("cosh(z) <= exp(z^2/2)", ()),
    "log-concave": (
        "w*log(x) + (1-w)*log(y) <= log(w*x + (1-w)*y)", ("x > 0", "y > 0", "0 <= w <= 1"),
    ),
    "exp-convex": ("exp(w*x + (1-w)*y) <= w*exp(x) + (1-w)*exp(y)", ("0 <= w <= 1",)),
}


def main() -> None:
    path = Path(lemmas.__file__).with_name(lemmas.FOUND)
    path.write_text("{}\n", encoding="utf-8")  # so that no lemma is proved by itself
    found = {}
    for name, (claim, where) in WANTED.items():
        goal = lemmas.goal_of(claim, where)
        search = Search(clock() + 60)
        step = search.run(goal)
        if step is None:
            raise SystemExit(f"no proof was found for {name}")
        step = search.relieved(goal, step)
        verify(goal, step)
        found[name] = {"claim": claim, "where": list(where), "steps": rows_of(step)}
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
