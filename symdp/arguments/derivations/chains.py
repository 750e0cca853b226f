r"""The algebra of signs: what a chain of relations says about its two ends.

>>> composed(["==", "<=", "<"]), composed([">=", "=="]), composed(["<=", ">="])
('<', '>=', None)
"""

from __future__ import annotations

from collections.abc import Iterable

from symdp.formulas.relation import Op

_DIRECTION: dict[Op, int] = {"<=": 1, "<": 1, ">=": -1, ">": -1, "==": 0}


def composed(ops: Iterable[Op]) -> Op | None:
    """The strongest sign between the ends of a chain; None where the signs point both ways."""
    ops = list(ops)
    directions = {_DIRECTION[op] for op in ops} - {0}
    if len(directions) > 1:
        return None
    if not directions:
        return "=="
    strict = any(op in ("<", ">") for op in ops)
    if directions == {1}:
        return "<" if strict else "<="
    return ">" if strict else ">="


def sign_implies(known: Op, wanted: Op) -> bool:
    """Whether ``a known b`` gives ``a wanted b``.

    >>> sign_implies("<", "<="), sign_implies("<=", "<"), sign_implies("==", ">=")
    (True, False, True)
    """
    if known == wanted:
        return True
    if known == "==":
        return wanted in ("<=", ">=")
    return (known, wanted) in (("<", "<="), (">", ">="))
