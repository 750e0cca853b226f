r"""Whether hypotheses can hold together; from those that cannot, all would follow.

>>> from symdp.formulas.parsing import parse_relation
>>> low, high = parse_relation("x <= 1"), parse_relation("x > 1")
>>> consistent([low], [high]), opposed([low, high]), consistent([low], [parse_relation("x > 0")])
(False, True, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sympy import Symbol

from symdp.formulas.relation import Op, Relation
from symdp.numbers.domain import DomainError, Interval, bounds_one_variable, find_point
from symdp.papers.formulas.conditions import Condition
from symdp.papers.sentences.context import contradict
from symdp.papers.sentences.elsewhere import is_bound
from symdp.papers.verdicts.question import TROUBLE, LinkQuestion
from symdp.sources.derivations.expressions import has_sums, relation_variables
from symdp.sources.derivations.scope import Scope, related

CONTRADICT = "the hypotheses contradict each other"
OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
#: Of hypotheses that tie names to each other, how many are looked at for a contradiction.
_LOOKED_AT = 3


def consistent(known: Iterable[Relation], more: Iterable[Relation]) -> bool:
    """Whether bounds leave something, as far as bounds of one name tell."""
    every = tuple(dict.fromkeys((*known, *more)))
    return not any(contradict(Condition(every[:i]), Condition((r,))) for i, r in enumerate(every))


def opposed(relations: Iterable[Relation]) -> bool:
    """Whether one of them is the opposite of another: t <= v/c and t > v/c."""
    every = list(relations)
    return any(Relation(r.left, OPPOSITE[r.op], r.right) in every for r in every if r.op in OPPOSITE)


def inhabited(q: LinkQuestion) -> bool:
    """Whether the hypotheses near a relation can hold together, as far as it is seen."""
    scope = q.scope
    if not _each_alone(scope):
        return False
    near = [r for r in related(scope.where, q.names) if not has_sums(r.left, r.right)]
    tied = [r for r in near if not is_bound(r)]
    if not tied:
        return True
    names = frozenset().union(*(relation_variables(r) for r in near))
    try:
        if find_point(scope.domain(names)) is not None:
            return True
    except TROUBLE:
        pass
    for r in [r for r in tied if r.op in OPPOSITE][:_LOOKED_AT]:
        others = replace(scope, where=tuple(s for s in scope.where if s != r))
        if q.is_proved(Relation(r.left, OPPOSITE[r.op], r.right), others, part=0.5):
            return False
    return True


def _each_alone(scope: Scope) -> bool:
    """Whether the bounds of each name leave something, and an integer of integers."""
    left: dict[Symbol, Interval] = {}
    for r in scope.where:
        try:
            found = bounds_one_variable(r)
        except DomainError:
            continue
        if found is not None:
            name, interval = found
            left[name] = left[name].meet(interval) if name in left else interval
    return not any(
        (interval.to_integers() if name in scope.integers else interval).is_empty() for name, interval in left.items()
    )
