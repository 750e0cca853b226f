r"""Lemmas that may be used by name, each proved by the kernel when it is first needed.

>>> from symdp.proving.lemmas import library
>>> print(library()["exp-tangent"].goal)
z + 1 <= exp(z) for z real
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from sympy import Expr, Integer, Rational, sqrt

from symdp.domain import Domain
from symdp.notation import symbol
from symdp.parsing import parse_conditions, parse_relation
from symdp.proving.certificate import steps_from
from symdp.proving.kernel import LEMMAS, Goal, Proof, Step, verify

_z = symbol("z")
_box, _same = Step("enclosure"), Step("identity")


def _rising(*premises: Step) -> Step:
    """The gap grows from the lower end of z on."""
    return Step("monotone", {"variable": _z, "end": "lower"}, premises)


def _convex_at(at: int, *premises: Step) -> Step:
    return Step("convex", {"variable": _z, "at": Integer(at)}, premises)


def _product(coefficient: Rational, *factors: tuple[Expr, int, str]) -> Step:
    """The gap is that product, and the signs of its factors are seen at once."""
    signed = sum(1 for _, _, sign in factors if sign)
    return Step("combine", {"terms": [(coefficient, list(factors))]}, (_box,) * signed)


#: name -> (claim, where, the step that proves it)
_STATED: dict[str, tuple[str, tuple[str, ...], Step]] = {
    "exp-tangent": ("exp(z) >= 1 + z", (), _convex_at(0, _box, _same)),
    "exp-quadratic": (
        "exp(z) >= 1 + z + z^2/2",
        ("z >= 0",),
        _rising(_rising(_box, _same), _same),
    ),
    "log-tangent": ("log(z) <= z - 1", ("z > 0",), _convex_at(1, _box, _same)),
    "log-chord": (
        "log(z) >= 2*(z - 1)/(z + 1)",
        ("z >= 1",),
        _rising(_product(Integer(1), (_z - 1, 2, ""), (_z, -1, ">"), (_z + 1, -2, ">")), _same),
    ),
    "log-root": (
        "log(z) <= (z - 1)/sqrt(z)",
        ("z >= 1",),
        _rising(_product(Rational(1, 2), (sqrt(_z) - 1, 2, ""), (sqrt(_z), -3, ">")), _same),
    ),
}


#: Proofs that the search found, kept beside this file; `make lemmas` writes them anew.
FOUND = "lemmas.json"


@cache
def _found() -> dict[str, Any]:
    text = files("symdp.proving").joinpath(FOUND).read_text(encoding="utf-8")
    return dict(json.loads(text))


def names() -> tuple[str, ...]:
    return (*_STATED, *_found())


def goal_of(claim: str, where: Iterable[str]) -> Goal:
    relation = parse_relation(claim)
    conditions = [c for text in where for c in parse_conditions(text)]
    return Goal.of(relation, Domain.of(conditions, variables=relation.symbols))


def proved(name: str) -> Proof:
    """The proof of a lemma, verified when it is first asked for; KeyError if there is none."""
    if name not in LEMMAS:
        if name in _STATED:
            claim, where, step = _STATED[name]
        else:
            entry = _found()[name]
            claim, where, step = entry["claim"], entry["where"], steps_from(entry["steps"])
        LEMMAS[name] = verify(goal_of(claim, where), step)
    return LEMMAS[name]


def library() -> dict[str, Proof]:
    """All lemmas with their proofs."""
    return {name: proved(name) for name in names()}
