r"""Find the proofs of the kernel's lemmas, and keep them as certificates.

``python -m symdp.search.tactics.lemma_proofs`` writes the kernel's ``lemmas.json`` anew. The kernel verifies
each proof again whenever the lemma is used; nothing here is trusted.
"""

from __future__ import annotations

import json
from pathlib import Path

from symdp.formulas.relation import Relation
from symdp.kernel import lemmas as library
from symdp.kernel.proof import Proof
from symdp.numbers.domain import goal_of
from symdp.search.certificates import document_of
from symdp.search.deadline import clock
from symdp.search.elaboration import (
    chords_of_loggamma,
    circle,
    increasing_functions,
    integer_powers,
    stirling,
)
from symdp.search.elaboration.derived_rules import verify as verified
from symdp.search.elaboration.steps import prove
from symdp.search.prove import check
from symdp.search.tactics.proof_search import ProofSearch
from symdp.search.view import rules
from symdp.search.view.goals import sketch


def main() -> None:
    path = Path(library.__file__).with_name(library.FILE)
    by_hand = (increasing_functions, integer_powers, circle, chords_of_loggamma)
    found: list[object] = [document_of(verified(goal, step), name)
                           for module in by_hand for name, goal, step in module.lemmas()]
    for name, (claim, where) in rules.LEMMAS.items():
        _keep(path, found)
        goal = rules.target_of(claim, where)
        search = ProofSearch(clock() + 60)
        step = search.run(goal)
        if step is None:
            raise SystemExit(f"no proof was found for {name}")
        step = search.relieved(goal, step)
        sketch(goal, step)
        relation = Relation(goal.left, goal.op, goal.right)  # type: ignore[arg-type]
        proof = prove(goal_of(relation, goal.domain), relation, goal.domain, step)
        found.append(document_of(proof, name))
        print(f"{name}: {proof.goal}")
    # What the whole prover finds, and what follows from that.
    for name, (claim, where) in stirling.FOUND.items():
        _keep(path, found)
        formal = check(claim, where).formal
        if not isinstance(formal, Proof):
            raise SystemExit(f"no proof was found for {name}")
        found.append(document_of(formal, name))
    _keep(path, found)
    for name, formal_goal, formal_step in stirling.lemmas():
        found.append(document_of(verified(formal_goal, formal_step), name))
        _keep(path, found)


def _keep(path: Path, found: list[object]) -> None:
    """What was found so far, for the proofs that use it."""
    path.write_text(json.dumps(found, indent=None) + "\n", encoding="utf-8")
    library.documents.cache_clear()  # a lemma may use those before it, and never itself
    library.proved.cache_clear()


if __name__ == "__main__":
    main()
