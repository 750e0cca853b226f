r"""For which values of a variable a claim holds: intervals, each with a proof, on both sides.

Of an interval on which the claim is said to hold there is a kernel proof in which the variable ranges over the
whole interval. Of an interval on which it is said to fail there is a kernel proof that for *every* value in it the
claim is false at some point, which is stated as a term in the variable. About the rest nothing is said. Where to
look is guessed in floating point (:mod:`symdp.search.thresholds`); nothing is concluded from that.

>>> found = sharpest_value("eps*tanh(eps/2) <= c*eps^2", "c", ["eps > 0"])
>>> found.closed_form, found.holds, found.fails, found.certain
('1/2', ['c >= 1/2'], ['c < 1/2'], True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from time import process_time
from typing import Any

import mpmath
import sympy
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.formulas.parsing import parse_name, to_text
from symdp.formulas.relation import Op, Relation
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.failing import FailsFor
from symdp.kernel.terms import ZERO, fresh, variable
from symdp.numbers.domain import Domain, DomainError, Interval, goal_of
from symdp.numbers.simple_rationals import diagonal
from symdp.search.deadline import clock, is_past
from symdp.search.elaboration.derived_rules import RULES, verify
from symdp.search.elaboration.steps_for_goals import FAILURES, at_once, show, show_all
from symdp.search.prove import NotDefined, decide_relation, pose
from symdp.search.thresholds import ClaimAlongVariable, TruthChange, recognise
from symdp.search.verdict import Status

#: Of more changes than this only those near 0 are looked at.
MOST_BREAKS = 8
#: All together takes at most so many times what one proof may take.
TOTAL = 12
HAIR = Rational(1, 10**12)
#: Values at which no point was found are asked about, so many of them.
MOST_BARE = 3
CONTRARY: dict[str, Op] = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


class NoThreshold(ValueError):
    """There is nothing to be made sharp: the variable does not occur, or nothing changes with it."""


@dataclass(frozen=True)
class ProvedInterval:
    """An interval, and the kernel's proof of what happens on it."""

    interval: Interval
    proof: Proof
    #: whether the claim holds there, or fails for every value
    holds: bool

    def as_json(self, over: str) -> dict[str, Any]:
        return {"values": shown(self.interval, over), "verdict": "holds" if self.holds else "fails",
                "statement": str(self.proof.goal), "at": self.where(), "rules": sorted(self.proof.rules),
                "trust": sorted(self.proof.trust)}

    def where(self) -> dict[str, str] | None:
        """Where it fails, as terms in the variable."""
        return None if self.holds else {n: str(t) for n, t in self.proof.step.parameters["at"].items()}


@dataclass(frozen=True, repr=False)
class Sharpest:
    """What is proved about a claim along one variable, from below; and where nothing is."""

    over: str
    interval: Interval
    pieces: tuple[ProvedInterval, ...]
    seconds: float = 0.0

    def __str__(self) -> str:
        parts = (("holds for", self.holds), ("fails for", self.fails), ("unknown for", self.unknown))
        return "; ".join(f"{word} {' and '.join(where)}" for word, where in parts if where)

    def __repr__(self) -> str:
        return f"<Sharpest {self}>"

    @property
    def holds(self) -> list[str]:
        return [shown(i, self.over) for i in self.intervals(True)]

    @property
    def fails(self) -> list[str]:
        return [shown(i, self.over) for i in self.intervals(False)]

    @property
    def unknown(self) -> list[str]:
        return [shown(i, self.over) for i in self.gaps()]

    def intervals(self, holds: bool) -> list[Interval]:
        """Intervals on which the claim is proved to hold, or to fail; neighbours are put together."""
        found: list[Interval] = []
        for piece in self.pieces:
            if piece.holds is not holds:
                continue
            i = piece.interval
            if found and found[-1].upper == i.lower and not (found[-1].upper_open and i.lower_open):
                i = Interval(found[-1].lower, i.upper, found[-1].lower_open, i.upper_open)
                found.pop()
            found.append(i)
        return found

    def gaps(self) -> list[Interval]:
        """Where nothing is proved."""
        found: list[Interval] = []
        end, is_open = self.interval.lower, self.interval.lower_open
        for piece in self.pieces:
            i = piece.interval
            if end != i.lower or (i.lower_open and not is_open):
                found.append(Interval(end, i.lower, is_open, not i.lower_open))
            end, is_open = i.upper, not i.upper_open
        last = self.interval
        if end != last.upper or (is_open is False and not last.upper_open):
            found.append(Interval(end, last.upper, is_open, last.upper_open))
        return [i for i in found if not i.is_empty()]

    @property
    def certain(self) -> bool:
        """Both happen, and all that is not known is thinner than a hair."""
        thin = all(_is_thin(i) for i in self.gaps())
        return thin and bool(self.intervals(True)) and bool(self.intervals(False))

    @property
    def threshold(self) -> tuple[Expr, Expr] | None:
        """The only place at which the claim begins to hold or to fail, between two numbers."""
        good, bad = self.intervals(True), self.intervals(False)
        if len(good) != 1 or len(bad) != 1:
            return None
        (a, b) = (good[0], bad[0]) if self.pieces[0].holds else (bad[0], good[0])
        return a.upper, b.lower

    @property
    def closed_form(self) -> str | None:
        found = self.threshold
        return to_text(found[0]) if found is not None and found[0] == found[1] else None

    def as_json(self) -> dict[str, Any]:
        ends = self.threshold
        return {
            "over": self.over, "holds": self.holds, "fails": self.fails, "unknown": self.unknown,
            "certain": self.certain, "closed_form": self.closed_form,
            "lower": None if ends is None else _decimal(ends[0], upwards=False),
            "upper": None if ends is None else _decimal(ends[1], upwards=True),
            "pieces": [p.as_json(self.over) for p in self.pieces], "seconds": round(self.seconds, 4),
        }


def _is_thin(i: Interval) -> bool:
    if i.lower == -oo or i.upper == oo:
        return False
    width = i.upper - i.lower
    return bool(width <= HAIR * (1 + abs(i.lower)))


def _decimal(e: Expr, upwards: bool) -> str:
    """A constant as a decimal number that is not beyond it: rounded up or down.

    >>> _decimal(Rational(1, 3), True), _decimal(Rational(1, 2), False)
    ('0.3333333333333333334', '0.5')
    """
    scale = Integer(10) ** 19
    if e.is_Rational:
        ball = Rational(e) * scale
        whole = sympy.ceiling(ball) if upwards else sympy.floor(ball)
    else:
        near = Integer(sympy.floor((e * scale).evalf(60)))
        whole = near + 1 if upwards else near  # of a number that is no integer
    sign, digits = "-" if whole < 0 else "", str(abs(int(whole))).rjust(20, "0")
    return f"{sign}{digits[:-19]}.{digits[-19:]}".rstrip("0").rstrip(".")


def shown(i: Interval, over: str) -> str:
    """An interval as a condition on the variable.

    >>> shown(Interval(sympy.Integer(0), oo, lower_open=True), "c"), shown(Interval(), "c")
    ('c > 0', 'every c')
    """
    if i.lower == i.upper:
        return f"{over} == {to_text(i.lower)}"
    low, high = "<" if i.lower_open else "<=", "<" if i.upper_open else "<="
    if i.lower == -oo:
        return f"every {over}" if i.upper == oo else f"{over} {high} {to_text(i.upper)}"
    if i.upper == oo:
        return f"{over} {'>' if i.lower_open else '>='} {to_text(i.lower)}"
    return f"{to_text(i.lower)} {low} {over} {high} {to_text(i.upper)}"


def sharpest_value(
    claim: str,
    over: str,
    where: Iterable[str] = (),
    *,
    let: Iterable[str] = (),
    integer: Iterable[str] = (),
    budget: float = 20.0,
) -> Sharpest:
    """For which values of ``over`` the claim holds, and for which it does not."""
    relation, domain, goal = pose(claim, where, let=let, integer=integer)
    return sharpest_of(relation, domain, parse_name(over), formal=goal, budget=budget)


def sharpest_of(
    relation: Relation, domain: Domain, v: Symbol, *, formal: Goal | None = None, budget: float = 20.0
) -> Sharpest:
    """For which values of a variable a relation on a domain holds, and for which it does not.

    ``formal`` is the goal as it was written, where that is known."""
    begun = process_time()
    if v not in relation.symbols:
        raise NoThreshold(f"{v} does not occur in the claim")
    if v in domain.integers:
        raise NoThreshold(f"{v} is an integer; intervals are for real variables")
    search = _Search(relation, domain, v, goal_of(relation, domain) if formal is None else formal, budget)
    search.refuse_empty()
    return Sharpest(str(v), domain.intervals[v], tuple(search.pieces()), process_time() - begun)


class _Search:
    def __init__(self, relation: Relation, domain: Domain, v: Symbol, goal: Goal, budget: float) -> None:
        self.relation, self.domain, self.v = relation, domain, v
        self.goal, self.budget = goal, budget
        self.end = clock() + TOTAL * budget
        self.axis = ClaimAlongVariable(relation, domain, v)
        #: a change -> the point at which the claim is tight there
        self.near: dict[Expr, tuple[mpmath.mpf, ...] | None] = {}
        self.others = self.axis.others

    def refuse_empty(self) -> None:
        """Raise if for some value of the variable there is no point at all, where every claim would hold."""
        if not any(self.v in c.symbols for c in self.domain.conditions):
            return
        for c in sorted(filter(self.axis.is_bare, self.axis.grid), key=abs)[:MOST_BARE]:
            here = self.domain.replace_interval(self.v, Interval(c, c))
            if any(self._contradicts(r, here) for r in here.conditions):
                said = " and ".join(map(str, self.domain.relations()))
                raise NoThreshold(f"the domain is empty for {self.v} = {to_text(c)}, where nothing satisfies {said}; "
                                  f"say with a condition for which {self.v} the claim is meant")

    def _contradicts(self, condition: Relation, domain: Domain) -> bool:
        """Whether the other conditions show that this one fails."""
        if condition.op == "==":
            return False
        rest = replace(domain, conditions=tuple(c for c in domain.conditions if c != condition))
        opposite = Relation(condition.left, CONTRARY[condition.op], condition.right)
        try:
            return decide_relation(opposite, rest, budget=min(self.budget, 2.0)).status is Status.PROVED
        except (NotDefined, DomainError, ArithmeticError):
            return False

    def pieces(self) -> Iterator[ProvedInterval]:
        """Proved intervals, from below."""
        whole = self.domain.intervals[self.v]
        everywhere = self._fails(whole, solved_only=True)
        if everywhere is not None:
            yield everywhere
            return
        breaks = self._breaks()
        cells = list(zip([None, *breaks], [*breaks, None], strict=True))
        statuses = [self._status(*cell) for cell in cells]
        for n, (before, after) in enumerate(cells):
            holds = statuses[n]
            lower, lower_open = whole.lower, whole.lower_open
            upper, upper_open = whole.upper, whole.upper_open
            if before is not None:
                lower, lower_open = before.high, self._leaves_out(before, statuses[n - 1], holds)
                if before.is_exact and statuses[n - 1] is holds:
                    yield from self._point(before.low)
            if after is not None:
                upper, upper_open = after.low, self._leaves_out(after, statuses[n + 1], holds)
            yield from self._interval(Interval(lower, upper, lower_open, upper_open), holds)

    def _breaks(self) -> list[TruthChange]:
        """The changes nearest to 0, from below."""
        found = sorted(self.axis.breaks, key=lambda b: abs(b.low.evalf()))[:MOST_BREAKS]
        self.near = {e: b.point for b in found for e in (b.low, b.high)}
        return sorted(found, key=lambda b: b.low.evalf())

    def _leaves_out(self, at: TruthChange, other: bool, holds: bool) -> bool:
        """Whether the change itself is not counted to this side, as far as one can guess: at an exact change a
        relation that is not strict holds, a strict one fails."""
        return at.is_exact and (other is holds or holds is self.relation.strict)

    def _status(self, before: TruthChange | None, after: TruthChange | None) -> bool:
        """What the values that were tried say of the values between two changes."""
        inside = [h for c, h in self.axis.tried.items()
                  if (before is None or c > before.high) and (after is None or c < after.low)]
        if inside:
            return 2 * sum(inside) > len(inside)
        low = before.high if before else self.domain.intervals[self.v].lower
        high = after.low if after else self.domain.intervals[self.v].upper
        return self.axis.holds(float((low + high) / 2)) if low != -oo and high != oo else False

    # what is proved

    def _interval(self, i: Interval, holds: bool) -> Iterator[ProvedInterval]:
        if i.is_empty():
            return
        if not holds:
            yield from self._covered(i)
            return
        found = self._holds(i)
        if found is None and not (i.lower_open and i.upper_open) and i.lower != i.upper:
            found = self._holds(Interval(i.lower, i.upper, True, True))
        if found is None and (inner := self._inner(i)) is not None:
            found = self._holds(inner)
        if found is not None:
            yield found

    def _inner(self, i: Interval) -> Interval | None:
        """A part that keeps away from the ends at which the truth changes."""
        inside = [c for c in self.axis.grid if i.contains(c) and c not in (i.lower, i.upper)]
        whole = self.domain.intervals[self.v]
        if len(inside) < 2:
            return None
        low, low_open = (i.lower, i.lower_open) if i.lower == whole.lower else (inside[0], False)
        high, high_open = (i.upper, i.upper_open) if i.upper == whole.upper else (inside[-1], False)
        return Interval(low, high, low_open, high_open)

    def _point(self, at: Expr) -> Iterator[ProvedInterval]:
        i = Interval(at, at)
        found = self._holds(i) if self.axis.holds(float(at)) else self._fails(i)
        if found is not None:
            yield found

    def _holds(self, i: Interval) -> ProvedInterval | None:
        """The claim for every value of the interval, by the kernel."""
        if is_past(self.end):
            return None
        goal = self.goal.claiming(self.goal.claim, *self._bounds(i))
        step = show(goal, self.budget)
        return None if step is None else ProvedInterval(i, verify(goal, step), True)

    def _bounds(self, i: Interval) -> tuple[KernelRelation, ...]:
        """The interval as conditions on the variable."""
        bounds = Domain({self.v: i}).relations()
        return tuple(KernelRelation(term_of(r.left), r.op, term_of(r.right)) for r in bounds)

    def _covered(self, i: Interval) -> Iterator[ProvedInterval]:
        """Pieces of an interval on which the claim fails for every value, from below."""
        found = self._fails(i)
        if found is not None:
            yield found
            return
        # One point may do away from the change, another near to it.
        for at in self._between(i):
            far, near = (Interval(i.lower, at, i.lower_open, False), Interval(at, i.upper, True, i.upper_open))
            parts = [self._fails(far), self._fails(near)]
            if all(p is not None for p in parts):
                yield from (p for p in parts if p is not None)
                return
        inner = self._inner(i)
        found = None if inner is None else self._fails(inner)
        if found is not None:
            yield found
            return
        for at in self._between(i):
            for part in (Interval(i.lower, at, i.lower_open, False), Interval(at, i.upper, False, i.upper_open)):
                found = self._fails(part)
                if found is not None:
                    yield found
                    return

    def _between(self, i: Interval) -> list[Rational]:
        """Simple values inside, near the ends that are finite."""
        inside = [c for c in self.axis.grid if i.contains(c) and c not in (i.lower, i.upper)]
        ends = [e.evalf() for e in (i.lower, i.upper) if e not in (oo, -oo)]
        return sorted(inside, key=lambda c: min((abs(c - e) for e in ends), default=0))[:6:2]

    def _fails(self, i: Interval, solved_only: bool = False) -> ProvedInterval | None:
        """That for every value of the interval the claim is false somewhere, by the kernel."""
        claim = Goal((), (), FailsFor(self.goal, (str(self.v),), self._bounds(i)))
        for at in islice(self._candidates(i, solved_only), 6):
            if is_past(self.end):
                return None
            for op in ("<", ">") if self.relation.op == "==" else (None,):
                parameters: dict[str, Any] = {"at": {str(u): term_of(e) for u, e in at.items()}}
                if op is not None:
                    parameters["op"] = op
                try:
                    needed = RULES["fails-for"](claim, parameters)
                except (Rejected, ArithmeticError, ValueError):
                    continue
                steps = self._shown(needed, at)
                if steps is not None:
                    return ProvedInterval(i, verify(claim, Step("fails-for", parameters, steps)), False)
        return None

    def _shown(self, needed: list[Goal], at: dict[Symbol, Expr]) -> tuple[Step, ...] | None:
        """Steps for what is to be shown; where a root of the distance to the change occurs, in terms of it."""
        distance = next((b for e in at.values() for b in sorted(e.atoms(sympy.Pow), key=sympy.default_sort_key)
                         if b.exp == Rational(1, 2) and b.base.free_symbols == {self.v}
                         and sympy.diff(b.base, self.v) in (1, -1)), None)
        if distance is None:
            return show_all(needed, self.budget / 2)
        steps = []
        for goal in needed:
            step = at_once(goal) or self._by_distance(goal, distance) or show(goal, self.budget / 8)
            if step is None:
                return None
            steps.append(step)
        return tuple(steps)

    def _by_distance(self, goal: Goal, root: Expr) -> Step | None:
        """The variable written as the change minus the square of a new one."""
        name = fresh("s", goal.taken)
        s = sympy.Symbol(name)
        forward = sympy.expand(self.v + (s**2 - root.base) / sympy.diff(root.base, self.v))
        parameters = {"variable": str(self.v), "new": name, "forward": term_of(forward), "inverse": term_of(root),
                      "where": [KernelRelation(ZERO, "<", variable(name))]}
        try:
            (moved,) = RULES["change"](goal, parameters)
            r = moved.claim
            if not isinstance(r, KernelRelation):
                return None
            sides = [term_of(sympy.powdenest(expr_of(side), force=True)) for side in (r.normal.left, r.normal.right)]
            rewrite = {"left": sides[0], "right": sides[1], "positive": [variable(name)]}
            (plain,) = RULES["rewrite"](moved, rewrite)
            # the prover needs to know no more than that the new variable is positive
            here = {"hypotheses": parameters["where"], "variables": [name]}
            (alone,) = RULES["weaken"](plain, here)
        except (*FAILURES, ValueError):
            return None
        inner = show(alone, self.budget / 2)
        if inner is None:
            return None
        return Step("change", parameters, (Step("rewrite", rewrite, (Step("weaken", here, (inner,)),)),))

    # where it fails

    def _candidates(self, i: Interval, solved_only: bool) -> Iterator[dict[Symbol, Expr]]:
        """Points at which the claim may fail for every value of an interval, as terms in the variable."""
        values = self._samples(i)
        options = self._solved() if solved_only else self._ways(i)
        for at in options:
            if all(self._fails_at(c, at) for c in values) and self._fails_up_to_ends(i, at):
                yield at

    def _fails_up_to_ends(self, i: Interval, at: dict[Symbol, Expr]) -> bool:
        """A point that does not move must not be one at which the claim holds at an end: then it holds near it."""
        if any(e.free_symbols for e in at.values()):
            return True
        ends = [e for e in (i.lower, i.upper) if e not in (oo, -oo)]
        return not any(self.axis.holds_clearly(e, [at[u] for u in self.others]) for e in ends)

    def _fails_at(self, c: float, at: dict[Symbol, Expr]) -> bool:
        point = []
        for u in self.others:
            try:
                value = float(at[u].subs(self.v, Rational(repr(c))).evalf())
            except (TypeError, ValueError):
                return False
            if not _in_floats(self.domain.intervals[u], value):
                return False
            point.append(value)
        m = self.axis.margin(c, point)  # nan where floats overflow, which says nothing
        return not m >= 0 or (self.relation.strict and m == 0)

    def _samples(self, i: Interval) -> list[float]:
        """Values of the interval, many of them close to its ends."""
        low = float(i.lower.evalf()) if i.lower != -oo else None
        high = float(i.upper.evalf()) if i.upper != oo else None
        steps = [10.0**-e for e in (1, 2, 3, 5)] + [0.5, 1.0, 3.0, 10.0, 1e3, 1e5]
        found: list[float] = []
        if low is None and high is None:
            return [-1e5, -1e3, -10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0, 1e3, 1e5]
        if low == high and low is not None:
            return [low]
        for step in steps:
            if low is not None:
                found.append(low + step * (1 if high is None else min(1.0, high - low)))
            if high is not None:
                found.append(high - step * (1 if low is None else min(1.0, high - low)))
        inside = [c for c in found if (low is None or c > low) and (high is None or c < high)]
        return inside + ([low] if low is not None and not i.lower_open else []) + (
            [high] if high is not None and not i.upper_open else [])

    def _solved(self) -> Iterator[dict[Symbol, Expr]]:
        """Where the claim is linear in another variable, it may be solved for it."""
        gap = self.relation.gap
        for u in self.others:
            slope = sympy.diff(gap, u)
            if slope == 0 or u in slope.free_symbols or slope.free_symbols - {self.v} or u in self.domain.integers:
                continue
            rest = [w for w in self.others if w != u]
            for simple in islice(self._constants(rest), 3):
                yield {**simple, u: sympy.expand(u - (gap + 1) / slope).subs(simple)}

    def _ways(self, i: Interval) -> Iterator[dict[Symbol, Expr]]:
        if not self.others:
            yield {}
            return
        yield from (dict(zip(self.others, p, strict=True)) for p in self.axis.points[:300])
        recognised = self._at_the_change(i)
        if recognised is not None:
            yield recognised
        yield from self._solved()
        yield from self._towards_change(i)

    def _constants(self, names: Sequence[Symbol]) -> Iterator[dict[Symbol, Expr]]:
        places = [self.others.index(u) for u in names]
        for p in self.axis.points:
            yield {u: p[j] for u, j in zip(names, places, strict=True)}

    def _at_the_change(self, i: Interval) -> dict[Symbol, Expr] | None:
        """The point at which the claim is tight at the change, where its coordinates are recognised."""
        here = next((p for e, p in self.near.items() if e in (i.lower, i.upper) and p is not None), None)
        if here is None:
            return None
        found = {u: recognise(x) for u, x in zip(self.others, here, strict=True)}
        return None if any(e is None for e in found.values()) else {u: e for u, e in found.items() if e is not None}

    def _towards_change(self, i: Interval) -> Iterator[dict[Symbol, Expr]]:
        """Points that move to an end of their interval as the variable comes to the change."""
        for end, sign in ((i.upper, 1), (i.lower, -1)):
            if end in (oo, -oo):
                continue
            s = sign * (end - self.v)
            choices: list[list[Expr]] = []
            for u in self.others:
                simple: list[Expr] = list(dict.fromkeys(
                    q[self.others.index(u)] for q in self.axis.points))[:3]
                inside = self.domain.intervals[u]
                if u not in self.domain.integers:
                    for k in (1, 2, Rational(1, 2), 4):
                        for power in (Rational(1, 2), 1):
                            if inside.lower != -oo:
                                simple.append(inside.lower + k * s**power)
                            if inside.upper != oo:
                                simple.append(inside.upper - k * s**power)
                            if inside.upper == oo:
                                simple.append(k / s**power)
                choices.append(simple)
            for ways in islice(diagonal(choices), 400):
                if any(e.free_symbols for e in ways):
                    yield dict(zip(self.others, ways, strict=True))


def _in_floats(i: Interval, value: float) -> bool:
    low = -float("inf") if i.lower == -oo else float(i.lower.evalf())
    high = float("inf") if i.upper == oo else float(i.upper.evalf())
    return (low < value if i.lower_open else low <= value) and (value < high if i.upper_open else value <= high)
