r"""Relations of which the kernel proves a part, and a law that it does not know says the rest: argued at best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symdp.papers.finding import Finding
from symdp.papers.formulas.power_facts import with_power_facts
from symdp.papers.formulas.whole_parts import with_whole_parts
from symdp.papers.verdicts.inductions import inducted
from symdp.papers.verdicts.question import TROUBLE, LinkQuestion, PlaceInChain
from symdp.papers.verdicts.said import used
from symdp.papers.verdicts.together import inhabited
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import has_sums
from symdp.sources.derivations.scope import related

_UNIONS = "by the union bound, outside of the kernel"
#: What is tried of a question: the law by which it holds, in words.
Way = Callable[[LinkQuestion], str | None]


def beside_the_kernel(place: PlaceInChain) -> Finding | None:
    """What whole parts, inductions and powers say, where the search has found nothing."""
    return (_argued(place, _by_whole_parts, 2 * place.budget)
            or _argued(place, _by_induction, 3 * place.budget)
            or _argued(place, _by_powers, 2 * place.budget))


def by_unions(place: PlaceInChain) -> Finding | None:
    """What the union bound says of events, of which the kernel knows nothing."""
    relation, unions = place.relation, place.work.unions
    if any((r.left, r.op, r.right) == (relation.left, relation.op, relation.right) for r in unions):
        return replace(place.finding, verdict="argued", message=_UNIONS)
    return _argued(place, _by_unions, place.budget + 1)


def _argued(place: PlaceInChain, way: Way, seconds: float) -> Finding | None:
    try:
        with hard_deadline(seconds):
            q = place.question()
            law = way(q)
            if law is None or not inhabited(q):
                return None
    except (TimeIsUp, *TROUBLE):
        return None
    return replace(place.finding, verdict="argued", hypotheses=used(q), message=law)


def _by_whole_parts(q: LinkQuestion) -> str | None:
    put = with_whole_parts((q.expanded, *related(q.scope.where, q.names)))
    if put is None:
        return None
    (hidden, *known), facts, names = put
    within = replace(q.scope, where=(*known, *facts), integers=q.scope.integers | names)
    law = "by x - 1 < floor(x) <= x, outside of the kernel; the rest is proved"
    return law if q.is_proved(hidden, within) else None


def _by_powers(q: LinkQuestion) -> str | None:
    if has_sums(q.expanded.left, q.expanded.right):
        return None
    found = with_power_facts(q.expanded, lambda r: q.is_proved(r, part=0.25))
    if found is None:
        return None
    hidden, facts = found
    law = "by 1 + t <= e^t for each power, outside of the kernel; the rest is proved"
    return law if q.is_proved(hidden, q.scope.supposing(facts)) else None


def _by_induction(q: LinkQuestion) -> str | None:
    found = inducted(q, q.expanded)
    if found is None:
        return None
    return f"by induction on {found.n}, outside of the kernel; the first case and the step are proved"


def _by_unions(q: LinkQuestion) -> str | None:
    plain = tuple(r for r in q.work.unions if not has_sums(r.left, r.right))
    if has_sums(q.relation.left, q.relation.right) or not plain:
        return None
    return _UNIONS if q.is_proved(q.expanded, q.scope.supposing(plain)) else None
