r"""Expand an expression at a point: chooses how many terms, and on which neighbourhood.

>>> from symdp.formulas.notation import eps
>>> print(expand("eps*tanh(eps/2)", eps, 0, 6))
eps*tanh(eps/2) = eps^2/2 - eps^4/24 + R, |R| <= 1/185*eps^6 for 0 < |eps| <= 1
>>> expand("sin(1/x)", "x", 0, 3)
Traceback (most recent call last):
...
symdp.arguments.series.neighbourhood.NoExpansion: sin oscillates: its argument tends to infinity
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

import sympy
from flint import arb
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.arguments.series.evaluation import Evaluation
from symdp.arguments.series.expansion import Expansion
from symdp.arguments.series.neighbourhood import (
    BITS,
    Deeper,
    Narrower,
    NoExpansion,
    NotReal,
    Setting,
)
from symdp.arguments.series.truncation import Truncation, truncated
from symdp.formulas.notation import exact
from symdp.formulas.parsing import parse_conditions, parse_expression, parse_name
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.values.ranges import Undefined, Unsupported, precision
from symdp.numbers.domain import Domain
from symdp.numbers.simple_rationals import simplest_between
from symdp.search.view.identity import identical

MOST_ORDER = 40
#: No more powers than this are carried, however much cancels.
MOST_DEPTH = 80
#: Neighbourhoods small enough for the constant to be nearly that of the next term.
SMALL = tuple(Rational(1, 2**n) for n in (10, 20, 40, 80, 160))
#: The largest neighbourhood is taken on which the constant is at most this much larger.
GENEROSITY = 2

Text: TypeAlias = "str | Expr | int"


def expand(
    expr: Text,
    variable: str | Symbol,
    at: Text = 0,
    order: int = 4,
    *,
    side: str | None = None,
    where: Iterable[str | Relation] = (),
    along: Mapping[str | Symbol, Text] | None = None,
) -> Expansion:
    """The terms below the power ``order`` of the distance to ``at`` (of 1/variable at infinity),
    at least one, and a remainder with a proved constant on a proved neighbourhood.

    ``where`` says in which domain the parameters live; the remainder is uniform over it. Parameters
    without a domain are allowed where they can be split off as factors: then they stand in the
    constant. ``along`` substitutes first: a path such as ``{"eps": "c/sqrt(k)"}``. In the scale of
    logarithms or of exponentials alone, ``order`` counts terms.

    >>> print(expand("sqrt(x)*log(1+x)", "x", 0, 3))
    sqrt(x)*log(x + 1) = x^(3/2) - x^(5/2)/2 + R, |R| <= 7/13*x^(7/2) for 0 < x <= 1/2
    >>> print(expand("k*(exp(eps)-1)", "eps", 0, 2))
    k*(exp(eps) - 1) = eps*k + R, |R| <= 11*abs(k)/15*eps^2 for 0 < |eps| <= 1
    """
    v = parse_name(variable) if isinstance(variable, str) else variable
    f, point = _read(expr), _read(at)
    for name, meaning in (along or {}).items():
        u = parse_name(name) if isinstance(name, str) else name
        if u == v:
            raise NoExpansion(f"{v} is what moves; the path says how the others follow it")
        if u not in f.free_symbols:
            raise NoExpansion(f"the variable {u} of the path does not occur in {to_text(f)}")
        f = f.subs(u, _read(meaning))
    check_question(f, v, point, order, side)
    relations = [r for w in where for r in (parse_conditions(w) if isinstance(w, str) else [w])]
    own = [r for r in relations if v in r.symbols]
    side = side or _side_from(own, v, point)
    parameters = Domain.of([r for r in relations if v not in r.symbols])
    unbounded = f.free_symbols - {v} - set(parameters.variables)
    if unbounded:
        return _by_factors(f, v, point, order, side, parameters, unbounded)
    with precision(BITS):
        return _sided(f, v, point, order, side, parameters)


def check_question(f: Expr, v: Symbol, at: Expr, order: int, side: str | None) -> None:
    """Refuse what makes no sense, in one line."""
    if v not in f.free_symbols:
        raise NoExpansion(f"the variable {v} does not occur in {to_text(f)}")
    if at.free_symbols:
        raise NoExpansion(f"the point {to_text(at)} is not a constant")
    if order < 1:
        raise NoExpansion(f"the order {order} leaves no term; ask for 1 or more")
    if order > MOST_ORDER:
        raise NoExpansion(f"the order {order} is above the limit of {MOST_ORDER}")
    if side not in (None, "+", "-"):
        raise NoExpansion(f"the side is + or -, not {side}")


def _read(given: Text) -> Expr:
    if isinstance(given, str):
        if given.strip() in ("oo", "inf", "infinity", "+oo", "-oo", "-inf", "-infinity", "∞", "-∞"):
            return -oo if given.strip().startswith("-") else oo
        return parse_expression(given)
    return exact(given)


def _side_from(relations: list[Relation], v: Symbol, at: Expr) -> str | None:
    """The side on which the variable lives, if conditions on it alone say so."""
    for r in relations:
        if r.symbols != {v}:
            raise NoExpansion(f"the condition {r} ties {v} to parameters; substitute a path instead")
    if not relations or at in (oo, -oo):
        return None
    interval = Domain.of(relations).intervals[v]
    if interval.lower == at:
        return "+"
    if interval.upper == at:
        return "-"
    if not interval.contains(at):
        raise NoExpansion(f"{v} = {to_text(at)} is not at the edge of {interval} nor inside it")
    return None


# --- one side and two -----------------------------------------------------------------------------


def _sided(
    f: Expr, v: Symbol, at: Expr, order: int, side: str | None, parameters: Domain
) -> Expansion:
    if at in (oo, -oo):
        return _one_side(f, v, at, order, "+", parameters)
    if side is not None:
        return _one_side(f, v, at, order, side, parameters)
    right: Expansion | NotReal
    try:
        right = _one_side(f, v, at, order, "+", parameters)
    except NotReal as reason:
        right = reason
    try:
        left = _one_side(f, v, at, order, "-", parameters)
    except NotReal:
        if isinstance(right, NotReal):
            raise right from None
        return right
    if isinstance(right, NotReal):
        return left
    return _both(right, left)


def _both(right: Expansion, left: Expansion) -> Expansion:
    """One expansion for both sides, if they are the same."""
    at, v = to_text(right.at), right.variable
    for one in (right, left):
        if one.sum.has(sympy.exp) and any(
            v in e.free_symbols for e in one.sum.atoms(sympy.exp)
        ):
            raise NoExpansion(
                f"{v} = {at} is an essential singularity of {to_text(right.expr)}; from one side "
                "there may be an expansion in exponentials (give the side, + or -)"
            )
    same = len(right.terms) == len(left.terms) and identical(right.sum, left.sum)
    if not same:
        raise NoExpansion(f"the expansions on both sides of {v} = {at} differ; give the side, + or -")
    if right.is_exact and left.is_exact:
        return replace(right, side="+-", radius=min(right.radius, left.radius))
    power = power_of_distance(right)
    if power is None or power != power_of_distance(left):
        raise NoExpansion(f"the remainders on both sides of {v} = {at} differ; give the side, + or -")
    distance = v - right.at if power % 2 == 0 else sympy.Abs(v - right.at)
    return replace(
        right, side="+-", scale=distance**power, constant=max(right.constant, left.constant),
        radius=min(right.radius, left.radius),
    )


def power_of_distance(part: Expansion) -> Expr | None:
    """p where the scale is the distance to the point (1/|variable| at infinity) to the power p."""
    v, at = part.variable, part.at
    _, scale = part.scale.as_coeff_Mul()
    base, exponent = scale.as_base_exp()
    if at in (oo, -oo):
        return -exponent if base == v else None
    return exponent if base in (v - at, at - v, sympy.Abs(v - at)) else None


def _one_side(
    f: Expr, v: Symbol, at: Expr, order: int, side: str, parameters: Domain
) -> Expansion:
    found, depth = _first_outcome(f, v, at, order, side, parameters)
    radius, best = found
    limit = GENEROSITY * best.bound
    n = 0
    while Rational(1, 2**n) > radius:  # the largest neighbourhood with a constant of that size
        wider = Rational(1, 2**n)
        n += 1
        try:
            tried = _outcome(f, v, at, order, side, Setting(
                wider, parameters, depth=depth, exponentials=depth - 2))
        except (Narrower, Deeper):
            continue
        if tried.bound <= limit and _same(tried, best):
            radius, best = wider, tried
            break
    terms = tuple(t.written(v, at, side) for t in best.terms)
    if best.scale is None:
        return Expansion(f, v, at, side, order, terms, Integer(0), Integer(0), radius, parameters)
    return Expansion(f, v, at, side, order, terms, best.scale.written(v, at, side, positive=True),
                     simple_above(best.bound), radius, parameters)


def _same(a: Truncation, b: Truncation) -> bool:
    return a.terms == b.terms and a.scale == b.scale


def _first_outcome(
    f: Expr, v: Symbol, at: Expr, order: int, side: str, parameters: Domain
) -> tuple[tuple[Rational, Truncation], int]:
    """An outcome on some small neighbourhood, with a depth at which the next term is seen."""
    depth, fallback, reason = order + 3, None, "no neighbourhood was found on which bounds close"
    places = list(SMALL)
    while depth <= MOST_DEPTH:
        try:
            found = _outcome(f, v, at, order, side, Setting(
                places[0], parameters, depth=depth, exponentials=depth - 2))
        except Narrower as narrower:
            reason = str(narrower)
            places.pop(0)
            if not places:
                break
            continue
        except Deeper as deeper:
            reason = str(deeper)
            depth += max(4, depth // 2)
            continue
        if found.sharp:
            return (places[0], found), depth
        if fallback is not None:
            break
        fallback = (places[0], found), depth
        depth += 4
    if fallback is not None:
        return fallback
    raise NoExpansion(f"{to_text(f)} was not expanded at {v} = {to_text(at) if at.is_finite else at}: "
                      f"{reason}")


def _outcome(f: Expr, v: Symbol, at: Expr, order: int, side: str, setting: Setting) -> Truncation:
    try:
        return truncated(Evaluation(setting, v, at, side)(f), order)
    except Deeper as deeper:
        raise NoExpansion(setting.ends_early) if setting.ends_early else deeper from None
    except Undefined as reason:
        raise NotReal(str(reason)) from None
    except Unsupported as reason:
        raise NoExpansion(str(reason)) from None


def simple_above(bound: arb) -> Rational:
    """A simple rational number at most a few percent above a positive bound.

    >>> simple_above(arb(1) / 3)
    17/50
    """
    low = _rational(bound.upper())
    return simplest_between(low, low * Rational(51, 50))


def _rational(end: arb) -> Rational:
    mantissa, exponent = end.man_exp()
    return Rational(int(mantissa)) * Rational(2) ** int(exponent)


# --- parameters without a domain ------------------------------------------------------------------


def _by_factors(
    f: Expr, v: Symbol, at: Expr, order: int, side: str | None, parameters: Domain,
    unbounded: frozenset[Symbol],
) -> Expansion:
    """A sum of factors free of v times functions of v alone: each function is expanded by itself,
    and the factors stand, in absolute value, in the constant."""
    pieces: dict[Expr, Expr] = {}
    for part in sympy.Add.make_args(sympy.expand_mul(f)):
        factor, function = part.as_independent(v, as_Add=False)
        if function.free_symbols & unbounded:
            names = ", ".join(sorted(str(u) for u in function.free_symbols & unbounded))
            raise NoExpansion(
                f"nothing says where {names} lives, and it cannot be split off {to_text(function)}; "
                f"give its domain, as in where=['1 <= {names.split(', ')[0]} <= 10']"
            )
        pieces[function] = pieces.get(function, Integer(0)) + factor
    terms: dict[Expr, Expr] = {}  # the function of v -> its coefficient
    rests: list[tuple[Expr, Expansion]] = []
    sides, radius = set(), Rational(1)
    for function, factor in pieces.items():
        if v not in function.free_symbols:
            terms[function] = terms.get(function, Integer(0)) + factor
            continue
        with precision(BITS):
            part = _sided(function, v, at, order, side, parameters)
        sides.add(part.side)
        radius = min(radius, part.radius)
        for t in part.terms:
            c, power = t.as_independent(v, as_Add=False)
            terms[power] = sympy.expand(terms.get(power, Integer(0)) + c * factor)
        if not part.is_exact:
            rests.append((factor, part))
    shown = [c * power for power, c in terms.items() if c != 0]
    if {"+", "-"} <= sides:
        raise NotReal(f"the parts of {to_text(f)} are real on different sides of {v} = {to_text(at)}")
    seen = next((s for s in ("+", "-") if s in sides), "+-")
    return _put_together(f, v, at, order, seen, shown, rests, radius, parameters)


def _put_together(
    f: Expr, v: Symbol, at: Expr, order: int, side: str, terms: list[Expr],
    rests: list[tuple[Expr, Expansion]], radius: Rational, parameters: Domain,
) -> Expansion:
    if not rests:
        return Expansion(f, v, at, side, order, tuple(terms), Integer(0), Integer(0), radius,
                         parameters)
    powers = [power_of_distance(part) for _, part in rests]
    known = [p for p in powers if p is not None]
    scales = {part.scale for _, part in rests}
    if len(scales) == 1:
        weights, scale = [Integer(1)] * len(rests), scales.pop()
    elif len(known) == len(rests):  # s^p <= r^(p-q) s^q
        least = min(known)
        weights = [radius ** (p - least) for p in known]
        scale = rests[known.index(least)][1].scale
    else:
        raise NoExpansion(
            "the parts of the sum have remainders of different kinds ("
            + ", ".join(sorted(to_text(s) for s in scales)) + "); give the domains of the parameters"
        )
    constant = sympy.Add(*(
        w * part.constant * sympy.Abs(factor) for w, (factor, part) in zip(weights, rests, strict=True)
    ))
    return Expansion(f, v, at, side, order, tuple(terms), scale, constant, radius, parameters)
