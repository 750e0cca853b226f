r"""A relation that has no value at an end of its domain, on the rest of it.

log(x) <= x - 1 for x >= 0: that x is not 0 goes without saying for its author, and is said in the message.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Pow, log

from symdp.formulas.relation import Relation
from symdp.papers.finding import Finding
from symdp.papers.verdicts.line_judge import first_line
from symdp.papers.verdicts.question import TROUBLE, LinkQuestion, PlaceInChain
from symdp.papers.verdicts.settling import settled
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import partial_parts, variables_of
from symdp.sources.derivations.lines import Link

#: What the judge says of a relation without a value somewhere.
NOT_DEFINED = "is not defined at"


def where_defined(place: PlaceInChain, *, by_rules: bool) -> Finding | None:
    """What becomes of the relation where it is defined; None if that is not plain."""
    try:
        with hard_deadline(2 * place.budget + 1):
            q = replace(place.question(), by_rules=by_rules)
            inside = _ends_left_out(q)
            if not inside:
                return None
            q = replace(q, scope=q.scope.supposing(inside))
            judge = first_line(q.scope, q.budget, q.relation.left, q.relation.needs)
            judge.number = "1"
            found = settled(q, judge.link(Link(q.relation.op, q.relation.right)))
    except (TimeIsUp, *TROUBLE):
        return None
    said = ", ".join(map(str, inside))
    if found.verdict in ("proved", "argued"):
        return replace(found, verdict="argued", certificate=None, missing=(said,),
                       message=f"where it is defined, that is for {said}, which the text does not say")
    return found if found.verdict == "refuted" else None


def _ends_left_out(q: LinkQuestion) -> tuple[Relation, ...]:
    """Bounds that a relation needs to be defined, and that the text has with equality; none if it lacks one."""
    zero = Integer(0)
    found: list[Relation] = []
    bare = frozenset(variables_of(q.expanded.left, q.expanded.right)) - q.context.declared
    said = (q.expanded.left, q.expanded.right, *q.expanded.needs)
    for part in dict.fromkeys(p for side in said for p in partial_parts(side)):
        if isinstance(part, log):
            inside = part.args[0]
        elif isinstance(part, Pow) and (part.exp.is_Rational and part.exp > 0):
            continue  # of a root nothing is left out
        elif isinstance(part, Pow):
            inside = part.base
        else:
            return ()
        if q.is_proved(Relation(inside, ">", zero), q.scope.supposing(found), part=0.25):
            continue
        for sign in ((">=", ">"), ("<=", "<")):
            if q.is_proved(Relation(inside, sign[0], zero), q.scope.supposing(found), part=0.25):
                found.append(Relation(inside, sign[1], zero))
                break
        else:
            # of names that nobody has declared, what goes without saying; 1/x may be meant for x < 0, too
            if not variables_of(inside) <= bare or (isinstance(part, Pow) and part.exp.is_Integer):
                return ()
            found.append(Relation(inside, ">", zero))
        if isinstance(part, log) and found[-1].op == "<":
            return ()
    return tuple(found)
