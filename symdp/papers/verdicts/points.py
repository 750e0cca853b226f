r"""Points at which a relation fails, as a person reads them.

>>> point({"x": "2", "left": "4", "right": "3"})
'x = 2'
>>> as_written({"left": "1", "right": "2"}, ">")
{'left': '1', 'right': '2'}
>>> as_written({"left": "1", "right": "2"}, "<")
{'left': '2', 'right': '1'}
"""

from __future__ import annotations

import re

from sympy import Rational

from symdp.arguments.derivations.report import CheckedLine
from symdp.papers.verdicts.question import LinkQuestion
from symdp.search.verdict import witness_as_json
from symdp.sources.derivations.expressions import relation_variables

_SIDES = ("left", "right", "violation")


def witness_of(q: LinkQuestion, checked: CheckedLine) -> dict[str, str] | None:
    """The point by the variables of the relation and of what its names stand for; that of a sum has its length only
    in words."""
    names = frozenset(map(str, relation_variables(q.relation) | q.names))
    failed = checked.outcome.refuted
    if failed is None or failed.verdict.witness is None:
        return None
    found = {name: str(value) for name, value in witness_as_json(failed.verdict.witness).items()}
    told = re.search(r"it fails at ([^;]*); left", checked.why)
    place = dict(pair.split(" = ", 1) for pair in told[1].split(", ") if " = " in pair) if told else {}
    kept = {name: value for name, value in sorted({**place, **values(found)}.items()) if name in names}
    return {**kept, **{n: v for n, v in found.items() if n in _SIDES}}


def as_written(witness: dict[str, str] | None, op: str) -> dict[str, str] | None:
    """The sides of a witness as the relation was written, where the search has turned a >= around."""
    if witness is None or not {"left", "right"} <= witness.keys():
        return witness
    try:
        left, right = Rational(witness["left"]), Rational(witness["right"])
    except (ValueError, TypeError):
        return witness
    if (op in ("<", "<=") and left < right) or (op in (">", ">=") and left > right):
        return {**witness, "left": witness["right"], "right": witness["left"]}
    return witness


def values(witness: dict[str, str] | None) -> dict[str, str]:
    return {n: v for n, v in (witness or {}).items() if n not in _SIDES}


def point(witness: dict[str, str] | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values(witness).items()) or "a point"
