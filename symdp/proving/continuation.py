r"""A relation at an end of its domain where a formula has no value but a limit. **Trusted.**

Papers print $\lambda\log\lambda$ for $\lambda\ge0$ and $\log(1/\delta)$ for $0\le\delta\le1$; at 0
everybody reads the limit. A :class:`Continued` says that a relation holds on a domain in this reading: a
proof by the kernel without that end, and for both sides the knowledge that they have no value there but
a limit, finite or not. A relation that is not strict passes to the limit by itself, so nothing else is
left to show.

>>> from sympy import Integer
>>> from symdp.domain import Domain
>>> from symdp.notation import x
>>> from symdp.parsing import parse_conditions, parse_relation
>>> from symdp.proving.settling import settle_relation
>>> relation, domain = parse_relation("x*log(x) >= x - 1"), Domain.of(parse_conditions("0 <= x <= 1"))
>>> proof = settle_relation(relation, without_end(domain, x, Integer(0))).proof
>>> found = continued(Goal.of(relation, domain), x, Integer(0), proof.step)
>>> sorted(found.trust)[-1]
'the formulas read as their limits at x = 0'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr, Max, Min, Symbol

from symdp.domain import Domain, Interval
from symdp.insertion import inserted
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.parsing import parse_expression, to_text
from symdp.proving.certificate import FORMAT, BadCertificate, certificate_of, name_of, recheck
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Rejected, Step, range_on, verify
from symdp.proving.limits import limit

_SEAL = object()


class Continued(Evidence):
    """A relation on a domain, with one end read as a limit. Made by :func:`continued` alone."""

    def __init__(self, goal: Goal, v: Symbol, at: Expr, inside: Proof, seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `continued` makes this")
        self.goal, self.v, self.at, self.inside = goal, v, at, inside
        self.trust = inside.trust | {reading(v, at)}
        self.boxes = inside.boxes

    def certificate(self, name: str) -> dict[str, Any]:
        return {"format": FORMAT, "kind": "continued", "name": name, "claim": str(self.goal),
                "trust": sorted(self.trust), "end": {"variable": str(self.v), "at": to_text(self.at)},
                "inside": certificate_of(self.inside, name)}

    def __reduce__(self) -> tuple[Callable[..., Continued], tuple[Any, ...]]:
        return continued, (self.goal, self.v, self.at, self.inside.step)


def reading(v: Symbol, at: Expr) -> str:
    return f"the formulas read as their limits at {v} = {to_text(at)}"


def without_end(domain: Domain, v: Symbol, at: Expr) -> Domain:
    """The domain with that end of the variable left out."""
    interval = domain.intervals.get(v)
    if interval is None or v in domain.integers:
        raise Rejected(f"{v} is no real variable of the domain")
    if any(v in c.symbols for c in domain.conditions):
        raise Rejected(f"a condition ties {v} to other variables, so its end cannot be left out alone")
    if at == interval.lower and not interval.lower_open and interval.lower != interval.upper:
        return domain.replace_interval(v, Interval(at, interval.upper, True, interval.upper_open))
    if at == interval.upper and not interval.upper_open and interval.lower != interval.upper:
        return domain.replace_interval(v, Interval(interval.lower, at, interval.lower_open, True))
    raise Rejected(f"{v} = {at} is no closed end of the domain")


def continued(goal: Goal, v: Symbol, at: Expr, step: Step) -> Continued:
    """The goal with that end read as a limit, if the step proves it elsewhere; or Rejected."""
    inside = without_end(goal.domain, v, at)
    need_limits(goal, v, at)
    return Continued(goal, v, at, verify(goal.on(inside), step), _SEAL)


def need_limits(goal: Goal, v: Symbol, at: Expr) -> None:
    """Rejected unless both sides are seen to have a limit at that end, and the relation survives it."""
    if goal.strict:
        raise Rejected("a strict relation does not pass to a limit")
    inside = without_end(goal.domain, v, at)
    at_end = goal.domain.replace_interval(v, Interval(at, at))
    moving = [side for side in (goal.left, goal.right) if v in side.free_symbols]
    missing = [side for side in moving if _is_undefined(side, at_end)]
    if not missing:
        raise Rejected(f"both sides may have values at {v} = {to_text(at)}")
    for side in moving:
        if side in missing:
            _need_limit(side, v, at, inside)
        elif _limit(side, v, at, inside) != inserted(side, {v: at}):
            raise Rejected(f"{to_text(side)} was not seen to be continuous at {v} = {to_text(at)}")


def _is_undefined(expr: Expr, domain: Domain) -> bool:
    """Whether the expression certainly has no value anywhere there, so that it may be read otherwise."""
    try:
        range_on(expr, domain)
    except Undefined as reason:
        return reason.certain
    except Unsupported:
        return False
    return False


def _need_limit(expr: Expr, v: Symbol, at: Expr, inside: Domain) -> None:
    if isinstance(expr, Min | Max):  # the least of functions that have limits has one
        for part in expr.args:
            _need_limit(part, v, at, inside)
        return
    _limit(expr, v, at, inside)


def _limit(expr: Expr, v: Symbol, at: Expr, inside: Domain) -> Expr:
    try:
        return limit(expr, v, at, "+" if at == inside.intervals[v].lower else "-", inside)
    except (Undefined, Unsupported) as reason:
        raise Rejected(str(reason)) from reason


def recheck_continued(document: dict[str, Any]) -> Continued:
    """What a certificate of this kind stands for, made anew; BadCertificate otherwise."""
    try:
        inside = recheck(document["inside"])
        if not isinstance(inside, Proof):
            raise BadCertificate("what lies inside is no proof")
        v, at = name_of(document["end"]["variable"]), parse_expression(document["end"]["at"])
        interval = inside.goal.domain.intervals[v]
        lower_open, upper_open = (open and end != at for end, open in (
            (interval.lower, interval.lower_open), (interval.upper, interval.upper_open)))
        closed = Interval(interval.lower, interval.upper, lower_open, upper_open)
        goal = inside.goal.on(inside.goal.domain.replace_interval(v, closed))
        return continued(goal, v, at, inside.step)
    except Rejected as reason:
        raise BadCertificate(str(reason)) from reason
    except (KeyError, TypeError, ValueError, AttributeError) as reason:
        raise BadCertificate(f"malformed: {type(reason).__name__}: {str(reason)[:120]}") from reason
