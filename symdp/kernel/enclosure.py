r"""Enclosures: the set of values of a term where the hypotheses of a goal hold. **Trusted.**

>>> from symdp.kernel.goals import INTEGER, REAL, Relation
>>> from symdp.kernel.terms import apply, number, variable
>>> x, y, k = variable("x"), variable("y"), variable("k")
>>> given = (Relation(number(0), "<", x), Relation(x, "<", y), Relation(k, ">", number(1, 2)))
>>> goal = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), given, Relation(x, "<", y))
>>> print(range_on(k * apply("exp", -x), goal))
(0, oo)

A hypothesis that is a bound of a variable shapes the box; any other says the sign of its gap, and where
that gap occurs in a term, up to a rational factor and offset, its range is met with what is known.

>>> print(range_on(apply("log", number(1) + (y - x) / number(2)), goal))
(0, oo)
>>> range_on(x / (y - number(2) * x), goal)
Traceback (most recent call last):
...
symdp.kernel.ranges.Undefined: x/(y - 2*x) may be undefined: an operand ranges over (-oo, oo)

A :class:`Tape` is a term folded once into a list of steps, then run on many boxes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

from symdp.kernel import ranges
from symdp.kernel.effort import Effort
from symdp.kernel.goals import Each, Formula, Goal, Relation, Whole
from symdp.kernel.identity import canonical
from symdp.kernel.operations import Image, count_of, indices, operation
from symdp.kernel.ranges import EVERYTHING, Interval, Range, Undefined, Unsupported, Vacuous, mul
from symdp.kernel.terms import BINDERS, Term, bound, fresh, instantiate, variable

DEFAULT_BITS = 64
#: Sums with constant bounds are added up term by term, if that takes no more steps than this.
MOST_WORK = 200_000
#: How deep sums may stand in sums, and hypotheses about members in bounds of members.
DEEPEST, DEEPEST_BODY = 6, 300
#: Longer sums are not compared with the hypotheses.
LONGEST = 500
#: Sums up to this size are seen to be constant.
SHORT = 40

Step = Callable[[list[Range]], Range]


@lru_cache(maxsize=5000)
def constant_of(term: Term) -> fmpq | None:
    """The number that a term is wherever it is defined, if everything else cancels: from k to k + 3 there
    are four integers.

    >>> from symdp.kernel.terms import number, variable
    >>> constant_of(variable("k") + number(1) - variable("k"))
    1
    """
    if term.size > LONGEST:
        return None
    other = variable(fresh("#", term.variables))
    alone, beside = canonical(other), canonical(term + other)
    return beside[2] if alone and beside and beside[:2] == alone[:2] and alone[2] == 0 else None


# --- what is known ----------------------------------------------------------------------------


@dataclass
class Knowledge:
    """The variables in their order, and what the hypotheses say besides bounds of variables."""

    names: tuple[str, ...]
    whole: Whole
    #: the range of a thing, by its canonical key
    facts: dict[Hashable, Interval] = field(default_factory=dict)
    #: the variables and families of each fact, and the terms it was stated with
    marks: list[tuple[frozenset[str], frozenset[str]]] = field(default_factory=list)
    stated: set[Term] = field(default_factory=set)
    #: what holds for every member of a family
    each: tuple[Each, ...] = ()
    depth: int = 0
    #: at a point, the members of every family; then every value is sharpened
    members: Mapping[str, Any] | None = None
    tapes: OrderedDict[Term, Tape] = field(default_factory=OrderedDict)
    boxes: dict[int, dict[str, Range]] = field(default_factory=dict)
    below: Knowledge | None = None

    def learn(self, known: Relation) -> None:
        """The sign of the gap of a relation."""
        gap = known.gap
        if gap.size > LONGEST:
            return
        form = canonical(gap)
        if form is None:
            return
        key, factor, offset = form
        sign = Interval(fmpq(0), None, known.strict) if known.op != "==" else Interval(fmpq(0), fmpq(0))
        if known.strict and self.is_whole(gap):
            sign = Interval(fmpq(1), None)
        value = sign.moved(1 / factor, -offset / factor)
        self.facts[key] = self.facts[key].meet(value) if key in self.facts else value
        self.marks.append((gap.variables, gap.families))
        for side in known.terms():
            self.stated |= {side, *side.args}

    def is_whole(self, part: Term) -> bool:
        """Whether a part is seen to be an integer; long parts are not looked at."""
        return part.size <= LONGEST and part.depth <= 100 and self.whole(part)

    def about(self, part: Term) -> Interval | None:
        """What the facts say of a part."""
        if not self.facts or part.size > LONGEST:
            return None
        if part.head not in ("+", "-", "neg", "*", "/", "variable") and part not in self.stated:
            return None
        if not any(v <= part.variables and f <= part.families for v, f in self.marks):
            return None
        form = canonical(part)
        if form is None or form[0] not in self.facts:
            return None
        return self.facts[form[0]].moved(form[1], form[2])

    def tape(self, term: Term) -> Tape:
        found = self.tapes.get(term)
        if found is None:
            found = self.tapes[term] = Tape(term, self)
            if len(self.tapes) > 256:
                self.tapes.popitem(last=False)
        return found

    def inside(self, name: str, low: Term, high: Term) -> Knowledge:
        """The same with an index that runs from low to high."""
        if self.depth >= DEEPEST:
            raise Unsupported("sums stand too deep in sums")
        inner = Knowledge(
            (*self.names, name), Whole(self.whole.integers | {name}, self.whole.families),
            dict(self.facts), list(self.marks), set(self.stated), self.each, self.depth + 1, self.members)
        if not (low.is_closed and high.is_closed) and self.members is None:
            inner.learn(Relation(low, "<=", variable(name)))
            inner.learn(Relation(variable(name), "<=", high))
        return inner

    def deeper(self) -> Knowledge:
        """The same for the bounds of members, which may again speak of members, but not for ever."""
        if self.below is None:
            self.below = Knowledge(self.names, self.whole, self.facts, self.marks, self.stated,
                                   self.each if self.depth < 2 else (), self.depth + 1)
        return self.below


_known: OrderedDict[Hashable, Knowledge] = OrderedDict()


def knowledge_of(goal: Goal) -> Knowledge:
    """What the hypotheses of a goal say; kept for goals that were seen lately."""
    key = (goal.sorts, goal.hypotheses, goal.families)
    found = _known.get(key)
    if found is None:
        each = tuple(h for h in goal.hypotheses if isinstance(h, Each) and isinstance(h.body, Relation))
        found = Knowledge(goal.variables, goal.whole, each=each)
        for h in goal.hypotheses:
            if isinstance(h, Relation) and bound_of(h) is None:
                found.learn(h)
        _known[key] = found
        if len(_known) > 64:
            _known.popitem(last=False)
    return found


def bound_of(h: Formula) -> Relation | None:
    """A hypothesis that compares a variable with a constant, as ``variable op constant``."""
    for r in (h, h.mirrored) if isinstance(h, Relation) else ():
        if r.left.head == "variable" and r.right.is_closed:
            return r
    return None


def _half(op: str, limit: Range) -> Range:
    """Where a value lies that is in this relation to one in the range."""
    if op == "==":
        return limit
    strict = op in ("<", ">")
    if op in ("<", "<="):
        return Range(ranges.NEG_INF, limit.hi, True, strict or limit.hi_open)
    return Range(limit.lo, ranges.POS_INF, strict or limit.lo_open, True)


def box_of(goal: Goal, bits: int = DEFAULT_BITS) -> dict[str, Range]:
    """A range for every variable that holds its values wherever the hypotheses hold; Vacuous if the
    bounds contradict each other."""
    known = knowledge_of(goal)
    if bits not in known.boxes:
        with ranges.precision(bits):
            known.boxes[bits] = _box(goal, known)
    return dict(known.boxes[bits])


def _box(goal: Goal, known: Knowledge) -> dict[str, Range]:
    exact = {name: known.about(variable(name)) or Interval() for name in goal.variables}
    ranges = dict.fromkeys(goal.variables, EVERYTHING)
    for h in goal.hypotheses:
        r = bound_of(h)
        if r is None:
            continue
        name, op = r.left.value, r.op
        try:
            value = constant_value(r.right)
        except (Undefined, Unsupported):
            continue
        q, strict = value.exact, op in ("<", ">")
        if q is None:
            ranges[name] = ranges[name].meet(_half(op, value))
        else:
            exact[name] = exact[name].meet(Interval(
                q if op in (">", ">=", "==") else None, q if op in ("<", "<=", "==") else None, strict, strict))
    for name, interval in exact.items():
        if interval.is_empty():
            raise Vacuous(f"the bounds of {name} contradict each other")
        ranges[name] = _rounded(ranges[name].meet(interval.range()), variable(name), known)
    # Bounds by other variables: 1 <= y and y <= x bound x as well.
    for _ in range(2):
        for h in goal.hypotheses:
            if isinstance(h, Relation) and bound_of(h) is None:
                for r in (h, h.mirrored):
                    if r.left.head == "variable" and r.left.value not in r.right.variables:
                        try:
                            value = known.tape(r.right)(list(ranges.values()))
                        except (Undefined, Unsupported):
                            continue
                        name = r.left.value
                        ranges[name] = _rounded(ranges[name].meet(_half(r.op, value)), r.left, known)
    return ranges


def _rounded(value: Range, part: Term, known: Knowledge) -> Range:
    return value.integers() if known.is_whole(part) else value


def is_empty(goal: Goal, bits: int = DEFAULT_BITS) -> bool:
    """Whether the bounds of the variables contradict each other for certain, so that no point is left."""
    try:
        box_of(goal, bits)
    except Vacuous:
        return True
    return False


# --- tapes ------------------------------------------------------------------------------------


def operands_first(term: Term, whole: Whole) -> list[tuple[Term, tuple[Term, ...], Image | None]]:
    """Every part that is computed, its operands before it; bodies of sums are left to their sums."""
    done: set[Term] = set()
    found: dict[Term, tuple[tuple[Term, ...], Image | None]] = {}
    order: list[tuple[Term, tuple[Term, ...], Image | None]] = []
    stack = [term]
    while stack:
        part = stack[-1]
        if part in done:
            stack.pop()
            continue
        if part not in found:
            if not part.args:
                found[part] = (), None
            elif part.head == "member":
                found[part] = part.args, None
            elif part.head in BINDERS:
                low, high, _ = part.args
                found[part] = (low, high, high - low), None
            else:
                found[part] = operation(part, whole)
        operands, image = found[part]
        missing = [t for t in operands if t not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done.add(part)
        order.append((part, operands, image))
    return order


class Tape:
    """A term, folded once, that can be run on any box of the variables, in the order of ``names``.

    The box may be any part of the box of the goal; Vacuous then says that no point of it is left.
    """

    def __init__(self, term: Term, known: Knowledge) -> None:
        if term.loose:
            raise Unsupported("an index is used outside of its sum")
        self.term, self.names, self._known = term, known.names, known
        #: every part that is computed and its place among the values; the variables come first
        self.places: dict[Term, int] = {variable(n): i for i, n in enumerate(known.names)}
        #: how many steps a run may take to add up sums term by term, and how many it takes at least
        self.allowance, self.weight = MOST_WORK, 0
        #: the steps that do not depend on the box come first, so that they are taken only once
        self._closed: list[Step] = []
        self._steps: list[Step] = []
        self._intervals: list[Interval] = []
        self._met: list[Range] = []
        #: the constants, and the ranges of the facts, at each precision
        self._computed: dict[int, tuple[list[Range], list[Range]]] = {}
        order = operands_first(term, known.whole)
        for part, operands, image in sorted(order, key=lambda row: not row[0].is_closed):
            if part in self.places:
                continue
            if part.head == "variable":
                raise Unsupported(f"nothing says what {part.value} is")
            step = self._sharpened(self._step(part, operands, image)) if part.is_closed or known.members is not None \
                else self._with_fact(part, self._step(part, operands, image))
            self.places[part] = len(self.places)
            (self._closed if part.is_closed else self._steps).append(step)
        self.weight += len(self._steps)
        Effort.steps += 5 * len(self._steps)
        self.root = self.places[term]

    def __call__(self, box: Sequence[Range]) -> Range:
        return self.values(box)[self.root]

    def values(self, box: Sequence[Range]) -> list[Range]:
        """The range of every part, in the order of ``places``."""
        bits = ctx.prec
        if bits not in self._computed:
            values = [EVERYTHING] * len(self.names)
            for step in self._closed:
                values.append(step(values))
            self._computed[bits] = values[len(self.names):], [i.range() for i in self._intervals]
        constants, self._met = self._computed[bits]
        values = [*box, *constants]
        Effort.steps += len(self._steps)
        for step in self._steps:
            values.append(step(values))
        return values

    @staticmethod
    def _sharpened(step: Step) -> Step:
        return lambda values: step(values).sharp()

    def _with_fact(self, part: Term, step: Step) -> Step:
        fact = self._known.about(part)
        if fact is None and part.head in ("+", "-") and part.size <= SHORT and part.variables:
            # Where everything cancels, as in p*exp(0) + (1 - p)*exp(0), ranges alone would not see it.
            value = constant_of(part)
            fact = None if value is None else Interval(value, value)
        whole = part.head != "floor" and self._known.is_whole(part)
        if fact is None:
            return (lambda values: step(values).integers()) if whole else step
        if fact.is_empty():
            raise Vacuous("the hypotheses contradict each other")
        place = len(self._intervals)
        self._intervals.append(fact)
        if whole:
            return lambda values: step(values).meet(self._met[place]).integers()
        return lambda values: step(values).meet(self._met[place])

    def _step(self, part: Term, operands: tuple[Term, ...], image: Image | None) -> Step:
        if part.head == "member":
            return self._member(part)
        if part.head in BINDERS:
            return self._binder(part)
        if part.head == "number":
            return lambda _: Range.of(part.value)
        if image is None:
            return lambda _: Range.of_ball(arb.const_e() if part.head == "e" else arb.pi())
        places = tuple(self.places[t] for t in operands)
        if len(places) == 1:
            (i,) = places
            return lambda values: image(values[i])
        if len(places) == 2:
            i, j = places
            return lambda values: image(values[i], values[j])
        return lambda values: image(*[values[i] for i in places])

    def _member(self, part: Term) -> Step:
        """A member: what the hypotheses say of every member, if its index lies in their range."""
        count, index = len(self.names), part.args[0]
        if self._known.members is not None:
            return self._given(part.value, self.places[index], self._known.members)
        rules: list[tuple[list[Tape], str, Tape]] = []
        for each in self._known.each[:10]:
            for op, limit in _bounds_of_members(each, part.value):
                deeper = self._known.deeper()
                ends = [] if each.low is None else [index - each.low]
                ends += [] if each.high is None else [each.high - index]
                constant = [constant_of(t) for t in ends]
                if any(c is not None and c < 0 for c in constant):
                    continue
                try:
                    inside = [deeper.tape(t) for t, c in zip(ends, constant, strict=True) if c is None]
                    rules.append((inside, op, deeper.tape(instantiate(limit, index))))
                except Unsupported:
                    continue

        def step(values: list[Range]) -> Range:
            box, found = values[:count], EVERYTHING
            for inside, op, limit in rules:
                try:
                    if all(tape(box).is_nonnegative() for tape in inside):
                        found = found.meet(_half(op, limit(box)))
                except (Undefined, Unsupported):
                    continue
            return found

        self.weight += sum(len(inside) + limit.weight for inside, _, limit in rules)
        return step

    @staticmethod
    def _given(family: str, place: int, members: Mapping[str, Any]) -> Step:
        """A member at a point, which has a value if its index is known."""
        def step(values: list[Range]) -> Range:
            index = values[place].integer()
            if index is None or family not in members:
                raise Unsupported("an index is not known exactly, or a family has no values")
            return Range.of(members[family][index])

        return step

    def _binder(self, part: Term) -> Step:
        low, high, body = part.args
        if body.depth > DEEPEST_BODY:
            raise Unsupported("the body of a sum is too deep")
        places = [self.places[t] for t in (low, high, high - low)]
        name = fresh("#", part.variables | set(self.names))
        count, is_sum = len(self.names), part.head == "sum"
        none = Range.of(0 if is_sum else 1)
        try:
            inner = Tape(instantiate(body, variable(name)), self._known.inside(name, low, high))
        except Vacuous:
            return lambda _: none  # there is no index at any point
        self.weight += inner.weight
        fixed = constant_of(high - low)

        def step(values: list[Range]) -> Range:
            first, last, span = (values[i] for i in places)
            if fixed is not None:
                span = Range.of(fixed)
            index = indices(first, last)
            if index is None or span.hi < 0:
                return none
            box = values[:count]
            one, other = first.integer(), last.integer()
            if one is not None and other is not None:
                terms = other - one + 1
                if terms * (inner.weight + 1) <= self.allowance:
                    inner.allowance = self.allowance // max(1, terms)
                    total = none
                    for i in range(one, other + 1):
                        total = (ranges.add if is_sum else mul)(total, inner([*box, Range.of(i)]))
                    return total
            inner.allowance = self.allowance
            try:
                each = inner([*box, index])
            except Undefined as reason:
                certain = reason.certain and span.is_nonnegative()
                raise Undefined(reason.part, reason.operand, certain) from None
            except Vacuous:
                if span.is_nonnegative():
                    raise
                return none  # there is no index at any point of the box
            number = count_of(span)
            return mul(number, each) if is_sum else ranges.repeated_product(number, each, part)

        return step


def _bounds_of_members(each: Each, family: str) -> list[tuple[str, Term]]:
    """What a hypothesis about every i says of ``family[i]``, as op and limit; both refer to i."""
    body = each.body
    if not isinstance(body, Relation):
        return []
    return [(r.op, r.right) for r in (body, body.mirrored)
            if r.left.head == "member" and r.left.value == family and r.left.args[0] is bound(0)]


# --- ranges under the hypotheses of a goal ----------------------------------------------------


def constant_value(term: Term) -> Range:
    """The value of a term without variables, exact where it is seen to be rational."""
    return Tape(term, Knowledge((), Whole(frozenset()), members={}))([])


def range_on(term: Term, goal: Goal, bits: int = DEFAULT_BITS,
             box: Mapping[str, Range] | None = None) -> Range:
    """The values of a term where the hypotheses hold, or on a part of that box.

    Undefined if the term may be undefined there, Vacuous if there is no point.
    """
    tape = knowledge_of(goal).tape(term)
    found = box_of(goal, bits) if box is None else box
    with ranges.precision(bits):
        return tape([found[name] for name in tape.names])


def need_defined(terms: Iterable[Term], goal: Goal, bits: int = DEFAULT_BITS) -> None:
    """Undefined, unless each of the terms is defined wherever the hypotheses hold."""
    for term in terms:
        range_on(term, goal, bits)
