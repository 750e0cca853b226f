r"""Guarantees, shown or refuted, and their certificates. **Trusted.**

An :class:`Argument` is a guarantee together with a route (:mod:`symdp.proving.reduction`) and a
proof by the kernel of every relation that the route leaves open. A :class:`Violation` is an exact point
at which the exact composition of the worst mechanisms needs a larger delta than the guarantee gives.
Nothing else makes either of them.

>>> from symdp.notation import delta, eps, k
>>> from symdp.parsing import parse_conditions
>>> from sympy import Integer
>>> from symdp.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> half = Promise(AnyPrivate(eps, delta), k, k * eps / 2, k * delta, Domain.of(where, [k]))
>>> point = {eps: Integer(1), delta: Integer(0), k: Integer(1)}
>>> print(violate(half, point).exact)
0.28764913664497
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol, oo

from symdp.balls import Refused, ball
from symdp.domain import Domain, DomainError, Interval
from symdp.parsing import ParseError, parse_relation, to_text
from symdp.privacy.enclosure import Enclosure, NotReached, enclose
from symdp.privacy.gaussian import Gaussian
from symdp.privacy.geometric import Geometric
from symdp.privacy.homogeneous import Homogeneous
from symdp.privacy.laplace import Laplace
from symdp.privacy.pair import Mechanism
from symdp.privacy.quantity import BadQuantity, quantity, sign
from symdp.privacy.staircase import Staircase
from symdp.proving.certificate import (
    FORMAT,
    BadCertificate,
    decode,
    encode,
    name_of,
    point_from,
    rows_of,
    steps_from,
    versions,
)
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Rejected, Step, range_on, verify
from symdp.proving.limits import limit
from symdp.proving.reduction import Route, sums_domain
from symdp.subject import (
    AnyPrivate,
    AnySequence,
    Subject,
    delta_sum,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
)
from symdp.text import said

NOISE: dict[str, type[Mechanism]] = {
    c.__name__: c for c in (Gaussian, Laplace, Geometric, Staircase)
}
MOST_FOLD = 10**6
#: Sums with more terms are not written out.
MOST_TERMS = 1000
#: the expressions that belong to a route
ROUTE = ("share", "enough", "size", "excess", "bound", "turn", "at")
Parameters = tuple[tuple[Rational, Rational], ...]


@dataclass(frozen=True)
class Promise:
    """What a guarantee says, and where."""

    subject: Subject
    fold: Expr
    epsilon: Expr
    delta: Expr
    domain: Domain

    @property
    def whole_domain(self) -> Domain:
        """With the sums of a sequence, if it speaks of one."""
        if isinstance(self.subject, AnySequence):
            return sums_domain(self.domain, self.subject.pure)
        return self.domain

    def __str__(self) -> str:
        fold = "" if self.fold == 1 else f"{to_text(self.fold)}-fold composition of "
        return (f"{fold}{self.subject} is ({said(self.epsilon)}, {said(self.delta)})-DP"
                f" for {self.domain}")


_SEAL = object()


class Argument(Evidence):
    """A guarantee that holds. Made by :func:`argue` alone."""

    def __init__(self, promise: Promise, route: Route, parts: tuple[Proof, ...],
                 opened: tuple[Symbol, ...], void: tuple[Symbol, ...], seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `argue` makes an Argument")
        self.promise, self.route, self.parts = promise, route, parts
        self.opened, self.void = opened, void
        trust = route.trust(promise.subject, promise.fold).union(*(p.trust for p in parts))
        self.trust = trust | reading_of(opened, void)
        self.boxes = sum(p.boxes for p in parts)

    def certificate(self, name: str) -> dict[str, Any]:
        return certificate_of_guarantee(self, name)

    @property
    def goal(self) -> Promise:
        return self.promise

    def __reduce__(self) -> tuple[Callable[..., Argument], tuple[Any, ...]]:
        steps = tuple(p.step for p in self.parts)
        return argue, (self.promise, self.route, steps, self.opened, self.void)


def reading_of(opened: Sequence[Symbol], void: Sequence[Symbol]) -> frozenset[str]:
    """How the guarantee is read where these variables promise nothing, in words."""
    found = set()
    if opened:
        found.add(f"the formula read as infinity at the closed end of {', '.join(map(str, opened))}")
    if void:
        found.add(f"a delta of 1 or more promises nothing, so {', '.join(map(str, void))} is at most 1")
    return frozenset(found)


def argue(
    promise: Promise, route: Route, steps: Sequence[Step], opened: Sequence[Symbol] = (),
    void: Sequence[Symbol] = (),
) -> Argument:
    """The argument that steps for the relations of a route make, or Rejected.

    ``opened`` are variables at whose lower end epsilon grows without limit: there the formula, read as
    its limit, promises nothing. ``void`` are variables from whose value 1 on delta is at least 1: that is
    no promise either, whatever epsilon is. The rest of the domain is what has to be shown.
    """
    domain = domain_to_show(promise, opened, void)
    goals = route.goals(promise.subject, promise.fold, promise.epsilon, promise.delta, domain)
    if len(goals) != len(steps):
        raise Rejected(f"{route.name} leaves {len(goals)} relations, and {len(steps)} were shown")
    parts = tuple(
        verify(Goal.of(relation, where), step)
        for (relation, where), step in zip(goals, steps, strict=True)
    )
    return Argument(promise, route, parts, tuple(opened), tuple(void), _SEAL)


def domain_to_show(promise: Promise, opened: Sequence[Symbol], void: Sequence[Symbol]) -> Domain:
    """The domain without the parts in which nothing is promised; Rejected where that is not seen."""
    domain = promise.whole_domain
    for v in void:
        domain = _up_to_one(promise.delta, v, domain)
    for v in opened:
        domain = where_finite(promise.epsilon, v, domain)
    return domain


def _up_to_one(delta: Expr, v: Symbol, domain: Domain) -> Domain:
    """The domain with the variable at most 1; beyond, delta must be seen to be at least 1."""
    interval = domain.intervals.get(v)
    one = sympy.Integer(1)
    if interval is None or v in domain.integers or not interval.contains(one) or interval.upper == one:
        raise Rejected(f"the domain of {v} does not go beyond 1")
    beyond = domain.replace_interval(v, Interval(one, interval.upper, False, interval.upper_open))
    if not range_on(delta, beyond).lo >= 1:
        raise Rejected(f"delta was not seen to be at least 1 where {v} is")
    return domain.replace_interval(v, Interval(interval.lower, one, interval.lower_open, False))


def where_finite(epsilon: Expr, v: Symbol, domain: Domain) -> Domain:
    """The domain without the lower end of a variable, at which epsilon is infinite."""
    interval = domain.intervals.get(v)
    if interval is None or interval.lower == -oo or v in domain.integers:
        raise Rejected(f"{v} has no lower end to leave out")
    inside = domain.replace_interval(
        v, Interval(interval.lower, interval.upper, True, interval.upper_open)
    )
    if limit(epsilon, v, interval.lower, "+", inside) != oo:
        raise Rejected(f"epsilon was not seen to grow without limit as {v} goes to {interval.lower}")
    return inside


# --- violations -------------------------------------------------------------------------------------


class Violation(Evidence):
    """An exact point at which a guarantee fails. Made by :func:`violate` alone."""

    trust = frozenset({"Arb"})
    supports = False

    def __init__(self, promise: Promise, point: Mapping[Symbol, Expr], sequence: Parameters,
                 exact: Enclosure, claimed: Enclosure, seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `violate` makes a Violation")
        self.promise, self.point, self.sequence = promise, dict(point), sequence
        self.exact, self.claimed = exact, claimed

    def certificate(self, name: str) -> dict[str, Any]:
        return certificate_of_guarantee(self, name)

    def as_json(self) -> dict[str, Any]:
        row = {str(v): to_text(value) for v, value in self.point.items()}
        if self.sequence:
            row["sequence"] = " ".join(f"({e}, {d})" for e, d in self.sequence)
        least = self.exact.lower - self.claimed.upper
        return {**row, "left": str(self.exact), "right": str(self.claimed),
                "violation": f"{least:.6g}"}

    @property
    def goal(self) -> Promise:
        return self.promise

    def __reduce__(self) -> tuple[Callable[..., Violation], tuple[Any, ...]]:
        return violate, (self.promise, self.point, self.sequence)


def violate(
    promise: Promise, point: Mapping[Symbol, Expr], sequence: Parameters = (), digits: int = 12
) -> Violation:
    """The violation at a point (for a sequence: with those parameters), or Rejected."""
    sums = _sums(promise.subject, sequence)
    # The domain may speak of the sums; what counts there is what they are for this sequence.
    point = {v: sums.get(v, point[v]) for v in promise.domain.variables}
    if any(not value.is_Rational for value in point.values()) or not promise.domain.contains(point):
        raise Rejected("the point was not seen to lie in the domain")
    values = {**point, **sums}
    try:
        claimed = _number(written_out(promise.delta.subs(values)), digits)
        epsilon = quantity(written_out(promise.epsilon.subs(values)), "epsilon")
        # Below 0 the curve only rises, so its value at 0 is a lower bound there.
        at = epsilon if sign(epsilon) >= 0 else sympy.S.Zero
        exact = exact_delta(promise, values, sequence, at, digits)
    except (BadQuantity, Refused, NotReached, ArithmeticError, TypeError) as reason:
        raise Rejected(f"the guarantee has no value there: {reason}") from reason
    if not exact.lower > claimed.upper:
        raise Rejected(f"the worst case needs {exact}, the guarantee gives {claimed}")
    return Violation(promise, point, sequence, exact, claimed, _SEAL)


def exact_delta(
    promise: Promise, values: Mapping[Symbol, Expr], sequence: Parameters, epsilon: Expr, digits: int
) -> Enclosure:
    """The delta that the worst mechanisms of the subject really need at that epsilon."""
    subject, fold = promise.subject, promise.fold.subs(values)
    if isinstance(subject, AnySequence):
        from symdp.privacy.heterogeneous import Heterogeneous

        return Heterogeneous(sequence).delta(epsilon, digits)
    if not fold.is_Integer or not 1 <= fold <= MOST_FOLD:
        raise BadQuantity(f"{fold} is no number of times that is computed here")
    if isinstance(subject, AnyPrivate):
        each = subject.epsilon.subs(values), subject.delta.subs(values)
        return Homogeneous(*each, int(fold)).delta(epsilon, digits)
    numeric = subject.at({v: values[v] for v in subject.free_symbols})
    if isinstance(numeric, Gaussian):
        distance = numeric.sensitivity * sympy.sqrt(fold)
        return Gaussian(numeric.noise_variance, distance).delta(epsilon, digits=digits)
    if fold != 1:
        from symdp.privacy.composition import compose

        return compose(numeric, int(fold)).delta(epsilon)
    return numeric.delta(epsilon, digits=digits)


def written_out(expr: Expr) -> Expr:
    """The expression with its sums written out, where their bounds are numbers; empty sums are 0.

    >>> l = sympy.Symbol("l")
    >>> written_out(2 * sympy.Sum(l**2, (l, 0, 2))), written_out(sympy.Sum(l, (l, 0, -1)))
    (10, 0)
    """
    found = {}
    for part in expr.atoms(sympy.Sum):
        ((index, low, high),) = part.limits
        if not (low.is_Integer and high.is_Integer and high - low <= MOST_TERMS):
            raise BadQuantity(f"the number of terms of {part} is unknown or too large")
        terms = (part.function.subs(index, n) for n in range(int(low), int(high) + 1))
        found[part] = sympy.Add(*terms)
    return expr.xreplace(found)


def _number(expr: Expr, digits: int) -> Enclosure:
    if expr.is_Rational:
        below = Decimal(int(expr.p)) / Decimal(int(expr.q))
        if below * int(expr.q) == int(expr.p):
            return Enclosure.exactly(below)
    return enclose(lambda: ball(expr), digits)


def _sums(subject: Subject, sequence: Parameters) -> dict[Symbol, Expr]:
    if not isinstance(subject, AnySequence):
        if sequence:
            raise Rejected("only a guarantee about a sequence has one")
        return {}
    if not 1 <= len(sequence) <= 100 or any(
        not (e.is_Rational and d.is_Rational and e > 0 and 0 <= d <= 1) for e, d in sequence
    ) or (subject.pure and any(d != 0 for _, d in sequence)):
        raise Rejected("the sequence is not one that the guarantee speaks about")
    epsilons = [e for e, _ in sequence]
    return {
        loss_sum: sympy.Add(*epsilons),
        mean_sum: sympy.Add(*(e * (sympy.exp(e) - 1) / (sympy.exp(e) + 1) for e in epsilons)),
        square_sum: sympy.Add(*(e**2 for e in epsilons)),
        delta_sum: sympy.Add(*(d for _, d in sequence)),
        survival: sympy.Mul(*(1 - d for _, d in sequence)),
    }


# --- certificates -----------------------------------------------------------------------------------


def certificate_of_guarantee(found: Argument | Violation, name: str = "") -> dict[str, Any]:
    """The certificate of an argument or a violation, as a JSON document."""
    statement = _statement(found.promise)
    document: dict[str, Any] = {"format": FORMAT, "kind": "guarantee", "name": name, **statement,
                                "digest": _digest(statement), "versions": versions()}
    if isinstance(found, Violation):
        document["trust"] = ["Arb"]
        document["witness"] = {str(v): to_text(u) for v, u in found.point.items()}
        if found.sequence:
            document["sequence"] = [[encode(e), encode(d)] for e, d in found.sequence]
        return document
    route = found.route
    written = {key: getattr(route, key) for key in ROUTE}
    document["trust"] = sorted(found.trust)
    document["route"] = {"name": route.name, "half": route.half,
                         **({"concentrated": True} if route.concentrated else {}),
                         **{key: encode(e) for key, e in written.items() if e is not None}}
    document["opened"] = [str(v) for v in found.opened]
    document["void"] = [str(v) for v in found.void]
    document["parts"] = [rows_of(part.step) for part in found.parts]
    return document


def _statement(promise: Promise) -> dict[str, Any]:
    subject: dict[str, Any]
    if isinstance(promise.subject, AnyPrivate):
        subject = {"any": [encode(promise.subject.epsilon), encode(promise.subject.delta)]}
    elif isinstance(promise.subject, AnySequence):
        subject = {"sequence": "pure" if promise.subject.pure else "approximate"}
    else:
        parameters = {n: encode(e) for n, e in promise.subject.parameters.items()
                      if isinstance(e, Expr)}
        subject = {"noise": type(promise.subject).__name__, "parameters": parameters}
    return {
        "subject": subject,
        "claim": str(promise),
        "fold": encode(promise.fold),
        "epsilon": encode(promise.epsilon),
        "delta": encode(promise.delta),
        "where": [str(r) for r in promise.domain.relations()],
        "variables": [str(v) for v in promise.domain.variables],
        "integer": sorted(str(v) for v in promise.domain.integers),
    }


_STATED = ("subject", "fold", "epsilon", "delta", "where", "variables", "integer")


def _digest(statement: Mapping[str, Any]) -> str:
    text = json.dumps({key: statement[key] for key in _STATED}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def recheck_guarantee(document: Mapping[str, Any]) -> Argument | Violation:
    """The argument or violation of a certificate, made anew; BadCertificate otherwise."""
    try:
        if document.get("format") != FORMAT or ("parts" in document) == ("witness" in document):
            raise BadCertificate(f"this is no certificate of format {FORMAT}")
        if document.get("digest") != _digest(document):
            raise BadCertificate("the digest does not belong to this guarantee and domain")
        promise = _promise(document)
        if "witness" in document:
            rows = document.get("sequence", [])
            if not isinstance(rows, list) or len(rows) > 100:
                raise BadCertificate("the sequence is malformed")
            sequence = tuple((_rational(e), _rational(d)) for e, d in rows)
            return violate(promise, point_from(document["witness"]), sequence)
        written = dict(document["route"])
        parts = {key: _expression(written[key]) for key in ROUTE if key in written}
        flags = {key: written.get(key) is True for key in ("half", "concentrated")}
        route = Route(str(written["name"]), **flags, **parts)
        steps = [steps_from(rows) for rows in document["parts"]]
        opened, void = ([name_of(v) for v in document[key]] for key in ("opened", "void"))
        return argue(promise, route, steps, opened, void)
    except BadCertificate:
        raise
    except (ParseError, DomainError, Rejected, BadQuantity) as reason:
        raise BadCertificate(str(reason)) from reason
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as reason:
        raise BadCertificate(f"malformed: {type(reason).__name__}: {str(reason)[:120]}") from reason


def _expression(written: Any) -> Expr:
    value = decode(written)
    if not isinstance(value, Expr):
        raise BadCertificate("an expression is malformed")
    return value


def _rational(text: Any) -> Rational:
    value = _expression(text)
    if not value.is_Rational:
        raise BadCertificate("a parameter of the sequence is not rational")
    return value


def _promise(document: Mapping[str, Any]) -> Promise:
    conditions = [parse_relation(text) for text in document["where"]]
    names = [name_of(v) for v in document["variables"]]
    integers = [name_of(v) for v in document["integer"]]
    fold, epsilon, delta = (_expression(document[k]) for k in ("fold", "epsilon", "delta"))
    domain = Domain.of(conditions, integers, names)
    return Promise(_subject(document["subject"]), fold, epsilon, delta, domain)


def _subject(written: Mapping[str, Any]) -> Subject:
    if set(written) == {"any"}:
        return AnyPrivate(*(_expression(text) for text in written["any"]))
    if set(written) == {"sequence"} and written["sequence"] in ("pure", "approximate"):
        return AnySequence(pure=written["sequence"] == "pure")
    if set(written) == {"noise", "parameters"} and written["noise"] in NOISE:
        parameters = {str(n): _expression(t) for n, t in written["parameters"].items()}
        return NOISE[written["noise"]](**parameters)
    raise BadCertificate("the subject is malformed")
