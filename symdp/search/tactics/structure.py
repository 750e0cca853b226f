r"""Take a goal apart by its structure: minima, conditions, integers, definedness.

Each function proposes steps that the kernel will judge; none of them looks at derivatives.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from flint import arb
from sympy import Expr, Symbol, oo

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.formulas.translation import expr_of
from symdp.kernel.terms import Term
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.search.tactics.factoring import factored
from symdp.search.tactics.forms import Proposal, is_positive_on
from symdp.search.tactics.sample_points import (
    has_counterexample,
    points_of,
    seems_nonnegative,
    seems_nonpositive,
    signs,
)
from symdp.search.view.goals import Target, range_of, range_on


def simplifications(goal: Target, depth: int) -> Iterator[Proposal]:
    domain = goal.domain
    used = goal.left.free_symbols | goal.right.free_symbols
    needed = used | set().union(*(c.symbols for c in domain.conditions))
    if set(domain.variables) - needed:
        smaller = Domain(
            {v: i for v, i in domain.intervals.items() if v in needed},
            domain.integers & needed,
            domain.conditions,
        )
        yield Proposal("weaken", {"domain": smaller}, commits=True)
    for v, interval in domain.intervals.items():
        if interval.lower == interval.upper:
            yield Proposal("point", {"variable": v}, commits=True)
    yield from equalities(goal)
    yield from without_conditions(goal)
    yield from narrowings(goal)
    yield from obligations(goal)
    yield from touching_points(goal, depth)
    if isinstance(goal.right, sympy.Min) or isinstance(goal.left, sympy.Max):
        yield Proposal("every", {}, commits=True)
    for side, kind in ((goal.left, sympy.Min), (goal.right, sympy.Max)):
        if isinstance(side, kind):
            for entry in side.args:
                yield Proposal("some", {"entry": entry})
    nodes = goal.left.atoms(sympy.Abs, sympy.Min, sympy.Max) | goal.right.atoms(
        sympy.Abs, sympy.Min, sympy.Max
    )
    for node in sorted(nodes, key=lambda n: -n.count_ops()):  # from the outside in
        yield Proposal("cases", {"node": node}, commits=True)
    yield from shifts(goal)
    if depth >= 1 and not domain.conditions:
        yield from sign_cases(goal)
    if depth == 1:
        yield from widenings(goal)
    if domain.integers:
        relaxed = Domain(domain.intervals, frozenset(), domain.conditions)
        yield Proposal("weaken", {"domain": relaxed})
        if depth >= 2 or has_counterexample(goal.on(relaxed)):
            yield from integer_cases(goal)


def widenings(goal: Target) -> Iterator[Proposal]:
    """A claim on a part of the line is often easier on the whole of it."""
    domain = goal.domain
    if domain.conditions or domain.facts:
        return
    wide = dict(domain.intervals)
    for v in sorted(goal.gap.free_symbols - domain.integers, key=str):
        for wider in (Interval(), Interval(sympy.Integer(0), oo), Interval(sympy.Integer(0), oo, True)):
            if not wider.covers(wide[v]) or wider == wide[v]:
                continue
            larger = goal.on(Domain({**wide, v: wider}, domain.integers))
            if None not in signs(goal.gap, larger.domain) and not has_counterexample(larger):
                wide[v] = wider
                break
    if wide != dict(domain.intervals):
        yield Proposal("weaken", {"domain": Domain(wide, domain.integers)})


def without_conditions(goal: Target) -> Iterator[Proposal]:
    """A claim that also seems true without its conditions is easier without them."""
    domain = goal.domain
    if not domain.conditions:
        return
    relaxed = Domain(domain.intervals, domain.integers)
    # An unknown sign: the sides are too close there, or one of them is undefined.
    if not has_counterexample(goal.on(relaxed)) and (
        None not in signs(goal.gap, relaxed) or is_defined_on(goal, relaxed)
    ):
        yield Proposal("weaken", {"domain": relaxed}, commits=len(goal.gap.free_symbols) == 1)


def is_defined_on(goal: Target, domain: Domain) -> bool:
    try:
        range_on(goal.left, domain)
        range_on(goal.right, domain)
    except (Undefined, Unsupported):
        return False
    return True


def obligations(goal: Target) -> Iterator[Proposal]:
    """Where an enclosure cannot tell that a side is defined, prove first what it takes."""
    for side in (goal.left, goal.right):
        try:
            range_on(side, goal.domain)
        except Undefined as reason:
            inside = in_question(reason.part, goal.domain)
            found = signs(inside, goal.domain)
            if found and all(s == 1 for s in found):
                fact = Relation(inside, ">", sympy.Integer(0))
            elif found and all(s == -1 for s in found):
                fact = Relation(-inside, ">", sympy.Integer(0))
            elif found and -1 not in found and reason.part.head == "sqrt":
                fact = Relation(inside, ">=", sympy.Integer(0))
            else:
                return
            if inside.free_symbols and fact not in goal.domain.facts:
                yield Proposal("cut", {"fact": fact}, commits=True)
            return
        except Unsupported:
            return


def in_question(part: Term, domain: Domain) -> Expr:
    """The operand of a part that must have a sign for the part to be defined: of a product, one factor."""
    operand = part.args[1] if part.head == "/" else part.args[0]
    factors = [expr_of(f) for f in (operand.args if operand.head == "*" else (operand,))]
    for factor in factors:
        try:
            r = range_on(factor, domain)
        except (Undefined, Unsupported):
            return factor
        if not (r.is_positive() or r.is_negative()):
            return factor
    return expr_of(operand)


def touching_points(goal: Target, depth: int) -> Iterator[Proposal]:
    """Cut an interval at a simple point inside at which the sides touch."""
    free = goal.gap.free_symbols
    if depth < 2 or goal.domain.conditions or goal.domain.integers or len(free) != 1:
        return
    (v,) = free
    interval = goal.domain.intervals[v]
    for (at,), sign in zip(
        points_of(Domain({v: interval})), signs(goal.gap, Domain({v: interval})), strict=False
    ):
        if sign == 0 and at not in (interval.lower, interval.upper):
            yield Proposal("split", {"variable": v, "at": at})
            return


def sign_cases(goal: Target) -> Iterator[Proposal]:
    """A simple factor of two variables that has both signs: look at each of them."""
    result = factored(goal.gap) if goal.gap.count_ops() <= 120 else None
    for f, e in result[1] if result else ():
        if (
            e % 2
            and len(f.free_symbols) > 1
            and f.count_ops() <= 4
            and not seems_nonnegative(f, goal.domain)
            and not seems_nonpositive(f, goal.domain)
        ):
            yield Proposal("cases", {"node": sympy.Abs(f, evaluate=False)})
            return


def narrowings(goal: Target) -> Iterator[Proposal]:
    """A condition may bound a variable by a number: x > y and y > 0 give x > 0."""
    box = Domain(goal.domain.intervals, goal.domain.integers)
    for c in goal.domain.conditions:
        for v in sorted(c.symbols, key=str):
            slope = c.gap.diff(v)
            if c.op == "==" or slope not in (1, -1):
                continue
            bound = sympy.expand(v - slope * c.gap)
            try:
                r = range_on(bound, box)
            except (Undefined, Unsupported):
                continue
            interval = box.intervals[v]
            if slope == 1 and r.lo > range_of(interval).lo:
                strict = c.strict or r.lo_open
                fact = Relation(v, ">" if strict else ">=", exact_end(r.lo))
                yield Proposal("cut", {"fact": fact}, commits=True)
            if slope == -1 and r.hi < range_of(interval).hi:
                strict = c.strict or r.hi_open
                fact = Relation(v, "<" if strict else "<=", exact_end(r.hi))
                yield Proposal("cut", {"fact": fact}, commits=True)


def shifts(goal: Target) -> Iterator[Proposal]:
    """A condition x > y is a new variable x/y > 1 or x - y > 0."""
    domain = goal.domain
    t = fresh(domain)
    for c in domain.conditions:
        yield from scalings(goal, c, t)
    for c in domain.conditions:
        yield from shares(goal, c, t)
    for c in domain.conditions:
        if c.op == "==":
            continue
        slopes = {v: c.gap.diff(v) for v in sorted(c.symbols - domain.integers, key=str)}
        chosen = [v for v, s in slopes.items() if s == 1] or [
            v for v, s in slopes.items() if s == -1
        ]
        for v in chosen[:1]:
            slope = slopes[v]
            rest = sympy.expand(c.gap - slope * v)
            forward = slope * (t - rest)
            interval = Interval(sympy.Integer(0), oo, lower_open=c.strict)
            yield Proposal(
                "substitute",
                {"variable": v, "new": t, "forward": sympy.expand(forward), "inverse": c.gap,
                 "interval": interval},
            )
    if domain.conditions and not any(c.symbols & goal.gap.free_symbols for c in domain.conditions):
        yield Proposal("weaken", {"domain": Domain(domain.intervals, domain.integers)})


def scalings(goal: Target, c: Relation, t: Symbol) -> Iterator[Proposal]:
    """A condition x > y between positive variables is a new variable x/y > 1."""
    if c.op == "==" or not (c.left.is_Symbol and c.right.is_Symbol):
        return
    large, small = (c.left, c.right) if c.op in (">", ">=") else (c.right, c.left)
    if large in goal.domain.integers or not is_positive_on(small, goal.domain):
        return
    ratio = large / small
    fact = Relation(ratio, ">" if c.strict else ">=", sympy.Integer(1))
    if fact not in goal.domain.facts:
        yield Proposal("cut", {"fact": fact})
    else:
        yield Proposal(
            "substitute",
            {"variable": large, "new": t, "forward": small * t, "inverse": ratio,
             "interval": Interval(sympy.Integer(1), oo, lower_open=c.strict)},
        )


def equalities(goal: Target) -> Iterator[Proposal]:
    """A condition A == 0 that is linear in a variable is solved for it: A itself is a new variable,
    whose only value is 0."""
    domain = goal.domain
    box = Domain(domain.intervals, domain.integers)
    for c in domain.conditions:
        for v in sorted(c.symbols - domain.integers, key=str) if c.op == "==" else ():
            slope = sympy.expand(c.gap.diff(v))
            if slope.has(v) or not (is_positive_on(slope, box) or is_positive_on(-slope, box)):
                continue
            t = fresh(domain)
            rest = sympy.expand(c.gap - slope * v)
            zero = Interval(sympy.Integer(0), sympy.Integer(0))
            yield Proposal(
                "substitute",
                {"variable": v, "new": t, "forward": sympy.expand((t - rest) / slope),
                 "inverse": c.gap, "interval": zero},
                commits=True,
            )
            return


def shares(goal: Target, c: Relation, t: Symbol) -> Iterator[Proposal]:
    """A condition 0 <= y <= B, with B in the other variables, is a new variable y/B between 0 and 1."""
    if c.op == "==":
        return
    for v in sorted(c.symbols - goal.domain.integers, key=str):
        slope, interval = c.gap.diff(v), goal.domain.intervals[v]
        if not slope.is_Rational or slope >= 0 or interval.lower != 0:
            continue
        most = sympy.factor_terms(sympy.expand(v - c.gap / slope))
        if most.is_Symbol and most not in goal.domain.integers and interval.lower_open:
            continue  # one of `scalings`
        if not is_positive_on(most, goal.domain):
            continue
        share = v / most
        fact = Relation(share, "<" if c.strict else "<=", sympy.Integer(1))
        if fact not in goal.domain.facts:
            yield Proposal("cut", {"fact": fact}, commits=True)
        else:
            yield Proposal(
                "substitute",
                {"variable": v, "new": t, "forward": most * t, "inverse": share,
                 "interval": Interval(sympy.Integer(0), sympy.Integer(1), interval.lower_open, c.strict)},
                commits=True,
            )
        return


def integer_cases(goal: Target) -> Iterator[Proposal]:
    """Split off the smallest value."""
    for v in sorted(goal.domain.integers, key=str):
        interval = goal.domain.intervals[v]
        if interval.lower != -oo and interval.lower != interval.upper and interval.lower < 12:
            yield Proposal("split", {"variable": v, "at": interval.lower})


def exact_end(end: arb) -> sympy.Rational:
    """An exact Arb number as a rational."""
    mantissa, exponent = end.mid().man_exp()
    return sympy.Rational(int(mantissa)) * sympy.Integer(2) ** int(exponent)


def fresh(domain: Domain) -> Symbol:
    """A variable that the domain does not have."""
    i = 1
    while symbol(f"t{i}") in domain.intervals:
        i += 1
    return symbol(f"t{i}")


