r"""Lemmas that may be used by name, each proved by the kernel when this module is first needed.

>>> from symdp.proving.lemmas import library
>>> print(library()["exp-tangent"].goal)
z + 1 <= exp(z) for z real
"""

from __future__ import annotations

from functools import cache

from sympy import Integer, Rational

from symdp.domain import Domain
from symdp.notation import symbol
from symdp.parsing import parse_conditions, parse_relation
from symdp.proving.kernel import LEMMAS, Goal, Proof, Step, verify

_z = symbol("z")
_box, _same, _algebra = Step("enclosure"), Step("identity"), Step("algebraic")


def _rising(*premises: Step) -> Step:
    """The gap grows from the lower end of z on."""
    return Step("monotone", {"variable": _z, "end": "lower"}, premises)


def _convex_at(at: int, *premises: Step) -> Step:
    return Step("convex", {"variable": _z, "at": Integer(at)}, premises)


def _sum(*terms: tuple[Rational, list[tuple[object, int, str]]]) -> dict[str, object]:
    return {"terms": list(terms)}


#: name -> (claim, where, the step that proves it)
_STATED: dict[str, tuple[str, tuple[str, ...], Step]] = {
    "exp-tangent": ("exp(z) >= 1 + z", (), _convex_at(0, _box, _same)),
    "exp-quadratic": (
        "exp(z) >= 1 + z + z^2/2",
        ("z >= 0",),
        _rising(_rising(_algebra, _same), _same),
    ),
    "log-tangent": ("log(z) <= z - 1", ("z > 0",), _convex_at(1, _box, _same)),
    "log-chord": (
        "log(z) >= 2*(z - 1)/(z + 1)",
        ("z >= 1",),
        _rising(_algebra, _same),
    ),
    "log-root": (
        "log(z) <= (z - 1)/sqrt(z)",
        ("z >= 1",),
        _rising(_algebra, _same),
    ),
}


@cache
def library() -> dict[str, Proof]:
    """All lemmas with their proofs."""
    proofs = {}
    for name, (claim, where, step) in _STATED.items():
        conditions = [c for text in where for c in parse_conditions(text)]
        goal = Goal.of(parse_relation(claim), Domain.of(conditions, variables=[_z]))
        proofs[name] = verify(goal, step)
    LEMMAS.update(proofs)
    return proofs
