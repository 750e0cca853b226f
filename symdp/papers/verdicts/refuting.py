r"""A relation that fails at a point -> *refuted* where a referee would sign it, and *undecided* where not.

Every name of the relation is declared in the text, no hypothesis about it was left unread, the point also satisfies
what the author may have in mind besides, and no quantity of which only the name is known decides it.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Symbol, together

from symdp.arguments.derivations.report import CheckedLine
from symdp.formulas.relation import Op, Relation
from symdp.papers.finding import Finding
from symdp.papers.sentences.context import differs
from symdp.papers.verdicts.certificates import certificate
from symdp.papers.verdicts.inductions import inducted
from symdp.papers.verdicts.points import as_written, point, values, witness_of
from symdp.papers.verdicts.question import LinkQuestion
from symdp.papers.verdicts.ranges import range_of, where_it_holds
from symdp.papers.verdicts.said import UNREAD
from symdp.papers.verdicts.together import OPPOSITE, consistent, inhabited, opposed
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import has_sums, relation_variables, variables_of
from symdp.sources.derivations.scope import Scope

#: Letters that most authors keep for integers, said or not.
_COUNTERS = frozenset({"n", "m", "k", "N", "M", "K", "T", "d", "r", "l", "ell", "j", "i"})


def refuted(q: LinkQuestion, checked: CheckedLine, missing: tuple[str, ...]) -> Finding:
    """The finding on a relation that the judge has found false."""
    witness = as_written(witness_of(q, checked), q.relation.op)
    at = point(witness)
    undecided = replace(q.finding, verdict="undecided", missing=missing)
    printed = q.relation
    if checked.relation is not None and checked.relation != q.expanded:
        q = replace(q, relation=checked.relation)
    if missing and not (all(m.startswith(UNREAD) for m in missing) and _fails_everywhere(q)):
        return replace(undecided, message=where_it_holds(q, at))
    if q.opaque and not homogeneous(q):
        why = f"it rests on what {q.named} is; as unknown numbers they contradict it at {at}"
        return replace(undecided, message=why)
    if q.work.denied:
        return replace(undecided, message=f"it fails at {at}, and the sentence may say so")
    anew = [r for r in q.context.perhaps if set(differs(r, q.context.meanings)) & relation_variables(printed)]
    if anew:
        return replace(undecided, missing=(str(anew[0]),),
                       message=f"it fails, and the text also says {anew[0]}: say which of them is meant here")
    softer = with_more(q)
    if softer:
        return replace(undecided, missing=(softer,),
                       message=f"it fails at {at}, but not where {softer}: say on which of them")
    whole = _if_integers(q, witness)
    if whole:
        return replace(undecided, missing=(f"whether {whole} are integers",),
                       message=f"it fails at {at}, and not where {whole} are integers: say what they are")
    if _is_condition(q) and (not q.work.explicit or _may_be_a_case(q)):
        why = (f"it reads as a condition: nothing ties its left side to the right (it fails at {at}); if it is one, "
               "write 'assume' before it")
        return replace(undecided, message=why)
    sides = ""
    if witness and "left" in witness:
        sides = f": the left side is {witness['left']}, the right side {witness['right']}"
    message = f"it fails at {at}{sides}{range_of(q)}"
    if q.finding.expected:
        message = f"{message} (a comment says so)"
    failed = checked.outcome.refuted
    document = failed.verdict.formal if failed is not None else None
    return replace(q.finding, verdict="refuted", message=message, witness=witness,
                   certificate=certificate(q, document))


def _fails_everywhere(q: LinkQuestion) -> bool:
    """Whether the opposite is proved wherever the hypotheses hold: then no further one could help."""
    opposite: tuple[Op, ...] = ("<", ">") if q.relation.op == "==" else (OPPOSITE[q.relation.op],)
    if not inhabited(q):
        return False
    for op in opposite:
        denied = Relation(q.expanded.left, op, q.expanded.right, q.expanded.needs)
        if q.is_proved(denied, part=0.5):
            return True
        if has_sums(q.expanded.left, q.expanded.right) and inducted(q, denied) is not None:
            return True
    return False


def homogeneous(q: LinkQuestion) -> bool:
    """Whether a single quantity, which is not negative, is a factor of the difference of the sides."""
    if len(q.opaque) != 1:
        return False
    (name,) = q.opaque
    v = next(v for v in relation_variables(q.relation) if str(v) == name)
    if not all(v in variables_of(side) for side in (q.relation.left, q.relation.right)):
        return False  # that it is zero says something of the quantity, and may well be so
    signed = any(r.left == v and r.op == ">=" and r.right == 0 for r in q.work.facts)
    if not signed and q.relation.op != "==":
        return False
    ratio = together((q.relation.gap / v).expand())
    return v not in ratio.free_symbols


def with_more(q: LinkQuestion) -> str:
    """What the author may have in mind besides, where the relation is not refuted with it."""
    near = [r for r in q.context.perhaps if relation_variables(r) & q.names]
    if not near:
        return ""
    near = _without_new_names(near, q.scope, q.names)
    at_once = consistent(q.scope.where, near) and not opposed(near)
    for group in [near] if at_once else [[r] for r in near if consistent(q.scope.where, [r])]:
        narrowed = q.scope.supposing(tuple(r for r in group if r not in q.scope.where))
        if q.status(q.expanded, narrowed) is not Status.REFUTED:
            return ", ".join(map(str, group))
    return ""


def _without_new_names(near: list[Relation], scope: Scope, names: frozenset[Symbol]) -> list[Relation]:
    """lam = ln(1 + x) says nothing of x but what is said of lam."""
    for r in [r for r in near if r.op == "=="]:
        for one, other in ((r.left, r.right), (r.right, r.left)):
            if isinstance(one, Symbol) and one not in names and one not in variables_of(other):
                said = [*(s for s in near if s != r), *(s for s in scope.where if one in relation_variables(s))]
                value = {one: other}
                near = [Relation(s.left.xreplace(value), s.op, s.right.xreplace(value)) for s in said]
                near = [s for s in near if relation_variables(s)]
                break
    return near


def _if_integers(q: LinkQuestion, witness: dict[str, str] | None) -> str:
    """Letters that most authors keep for integers, where the relation fails at others only."""
    at = values(witness)
    odd = [v for v in q.names if str(v) in _COUNTERS and not at.get(str(v), "0").lstrip("-").isdigit()]
    if not odd:
        return ""
    whole = replace(q.scope, integers=q.scope.integers | frozenset(odd))
    return "" if q.status(q.expanded, whole) is Status.REFUTED else ", ".join(sorted(map(str, odd)))


def _is_condition(q: LinkQuestion) -> bool:
    """A free name on one side that nothing in force ties to the other side."""
    for one, other in ((q.expanded.left, q.expanded.right), (q.expanded.right, q.expanded.left)):
        if isinstance(one, Symbol) and one not in variables_of(other):
            ties = [r for r in q.scope.where if one in relation_variables(r) and len(relation_variables(r)) > 1]
            if not ties:
                return True
    return False


def _may_be_a_case(q: LinkQuestion) -> bool:
    """x <= 1 of a free x, which nothing in force contradicts: the sentence may speak of those x only."""
    plain = all(isinstance(side, Symbol) or side.is_number for side in (q.expanded.left, q.expanded.right))
    return plain and consistent(q.scope.where, [q.expanded])
