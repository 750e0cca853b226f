r"""Minima and maxima by their entries, in steps of the kernel.

>>> from symdp.kernel.goals import REAL, Goal, Relation
>>> from symdp.search.elaboration.derived_rules import verify
>>> from symdp.kernel.terms import apply, variable
>>> x, y = variable("x"), variable("y")
>>> below = Relation(apply("min", x, y), "<=", x)
>>> goal = Goal((("x", REAL), ("y", REAL)), (), below)
>>> print(verify(goal, one_entry(below, x, Step("enclosure", {"gap": ZERO}))).goal)
min(x, y) <= x for every real x, y
"""

from __future__ import annotations

from collections.abc import Sequence

from symdp.kernel.goals import Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ZERO, Term


def comparisons(claim: Relation) -> list[Relation]:
    """What below a minimum, or above a maximum, means: below or above each entry; nothing if it is neither."""
    r = claim.normal
    if r.op != "==" and r.right.head == "min":
        return [Relation(r.left, r.op, a) for a in r.right.args]
    if r.op != "==" and r.left.head == "max":
        return [Relation(a, r.op, r.right) for a in r.left.args]
    return []


def each_entry(claim: Relation, steps: Sequence[Step]) -> Step:
    """From a step for each of the comparisons."""
    r = claim.normal
    node = r.right if r.right.head == "min" else r.left
    step = Step("branches", {"node": node}, tuple(Step("assumption") for _ in node.args))
    for fact, shows in zip(reversed(comparisons(claim)), reversed(steps), strict=True):
        step = Step("cut", {"fact": fact}, (shows, step))
    return step


def one_entry(claim: Relation, entry: Term, shows: Step) -> Step:
    """A minimum is below as soon as one entry is, a maximum above."""
    r = claim.normal
    node = r.left if r.left.head == "min" and entry in r.left.args else r.right
    itself = Step("enclosure", {"gap": ZERO})
    chosen = Step("branches", {"node": node}, tuple(
        itself if a is entry else Step("assumption") for a in node.args))
    if node is r.left:
        return Step("transitivity", {"middle": entry}, (chosen, shows))
    return Step("transitivity", {"middle": entry, "strict_first": r.op == "<"}, (shows, chosen))
