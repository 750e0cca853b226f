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
symdp.kernel.values.ranges.Undefined: x/(y - 2*x) may be undefined: an operand ranges over (-oo, oo)

A :class:`Tape` is a term folded once into a list of steps, then run on many boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial, reduce
from operator import itemgetter
from typing import Any

from flint import arb, ctx, fmpq

from symdp.kernel import terms
from symdp.kernel.algebra.identity import canonical
from symdp.kernel.effort import Effort
from symdp.kernel.functions.record import Image
from symdp.kernel.goals import Each, Formula, Goal, Relation, Whole
from symdp.kernel.terms import BINDERS, CONSTANTS, Term, bound, fresh, instantiate, member, variable
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import EVERYTHING, Interval, Range, Undefined, Unsupported, Vacuous

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
    other = variable(fresh("#", term.variables))
    alone, beside = canonical(other), canonical(term + other)
    return beside[2] if alone and beside and beside[:2] == alone[:2] and alone[2] == 0 else None


# --- what is known ----------------------------------------------------------------------------


class Facts:
    """What relations say of the values of terms: the sign of the gap of each."""

    def __init__(self, relations: Iterable[Relation], whole: Whole) -> None:
        #: the range of a thing, by its canonical key
        self._known: dict[Hashable, Interval] = {}
        #: the names in each fact, and the terms it was stated with
        self._marks: list[tuple[frozenset[str], frozenset[str]]] = []
        self._stated: set[Term] = set()
        for r in relations:
            gap = r.gap
            form = canonical(gap) if gap.size <= LONGEST else None
            if form is None:
                continue
            key, factor, offset = form
            one_step = r.strict and is_whole(gap, whole)
            sign = Interval(fmpq(one_step), fmpq(0) if r.op == "==" else None, r.strict and not one_step)
            value = sign.moved(1 / factor, -offset / factor)
            self._known[key] = self._known.get(key, Interval()).meet(value)
            self._marks.append((gap.variables, gap.families))
            for side in r.terms():
                self._stated |= {side, *side.args}

    def about(self, part: Term) -> Interval | None:
        """What they say of a part."""
        if part.size > LONGEST or not any(v <= part.variables and f <= part.families for v, f in self._marks):
            return None
        if part.head not in ("+", "-", "neg", "*", "/", "variable") and part not in self._stated:
            return None
        form = canonical(part)
        if form is None or form[0] not in self._known:
            return None
        return self._known[form[0]].moved(form[1], form[2])


class Knowledge:
    """The variables in their order, and what the hypotheses say; Vacuous where they contradict each other.

    At a point, the members of every family are given; then every value is sharpened.
    """

    def __init__(self, names: tuple[str, ...], whole: Whole, hypotheses: tuple[Formula, ...] = (),
                 members: Mapping[str, Any] | None = None, depth: int = 0) -> None:
        self.names, self.whole, self.hypotheses = names, whole, hypotheses
        self.members, self.depth = members, depth
        self.relations = [h for h in hypotheses if isinstance(h, Relation)]
        #: what they say besides bounds of variables by rationals, which shape the box; and of all members of a family
        self.facts = Facts([r for r in self.relations if (b := bound_of(r)) is None or canonical(b.right)], whole)
        self.each = [(h, h.body) for h in hypotheses if isinstance(h, Each) and isinstance(h.body, Relation)]

    @lru_cache(maxsize=4096)  # noqa: B019 - only those that were asked for lately are kept
    def tape(self, term: Term) -> Tape:
        return Tape(term, self)

    def inside(self, name: str, low: Term, high: Term) -> Knowledge:
        """The same with an index that runs from low to high."""
        if self.depth >= DEEPEST:
            raise Unsupported("sums stand too deep in sums")
        index = variable(name)
        further = (Relation(low, "<=", index), Relation(index, "<=", high)) if self.members is None else ()
        return Knowledge((*self.names, name), Whole(self.whole.integers | {name}, self.whole.families),
                         (*self.hypotheses, *further), self.members, self.depth + 1)

    @cached_property
    def deeper(self) -> Knowledge:
        """The same for the bounds of members, which may again speak of members, but not for ever."""
        kept = self.hypotheses if self.depth < 2 else tuple(self.relations)
        return Knowledge(self.names, self.whole, kept, depth=self.depth + 1)


_knowledge = lru_cache(maxsize=64)(Knowledge)


def knowledge_of(goal: Goal) -> Knowledge:
    """What the hypotheses of a goal say; kept for goals that were seen lately."""
    return _knowledge(goal.variables, goal.whole, goal.hypotheses)


def bound_of(h: Formula) -> Relation | None:
    """A hypothesis that compares a variable with a constant, as ``variable op constant``."""
    for r in (h, h.mirrored) if isinstance(h, Relation) else ():
        if r.left.head == "variable" and r.right.is_closed:
            return r
    return None


def is_whole(part: Term, whole: Whole) -> bool:
    """Whether a part is seen to be an integer; long parts are not looked at."""
    return part.size <= LONGEST and part.depth <= 100 and whole(part)


def _rounded(value: Range, part: Term, whole: Whole) -> Range:
    return value.integers() if is_whole(part, whole) else value


def _half(op: str, limit: Range) -> Range:
    """Where a value lies that is in this relation to one in the range."""
    if op == "==":
        return limit
    strict = op in ("<", ">")
    if op in ("<", "<="):
        return Range(ranges.NEG_INF, limit.hi, True, strict or limit.hi_open)
    return Range(limit.lo, ranges.POS_INF, strict or limit.lo_open, True)


@lru_cache(maxsize=64)
def _box(known: Knowledge, bits: int) -> list[Range]:
    with ranges.precision(bits):
        box, bounds = [], Facts((r for r in known.relations if bound_of(r)), known.whole)
        for v in map(variable, known.names):
            exact = (bounds.about(v) or Interval()).meet(known.facts.about(v) or Interval())
            box.append(_rounded(Range.between(*exact), v, known.whole))
        # Bounds by constants that are not rational, and by other variables: 1 <= y and y <= x bound x as well.
        for h in known.relations * 2:
            for r in (h, h.mirrored):
                if r.left.head == "variable" and r.left.value not in r.right.variables and r.right.head != "number":
                    place = known.names.index(r.left.value)
                    try:
                        limit = known.tape(r.right)(box)
                    except (Undefined, Unsupported):
                        continue
                    box[place] = _rounded(box[place].meet(_half(r.op, limit)), r.left, known.whole)
    return box


def box_of(goal: Goal, bits: int = DEFAULT_BITS) -> dict[str, Range]:
    """A range for every variable that holds its values wherever the hypotheses hold; Vacuous if the
    bounds contradict each other."""
    known = knowledge_of(goal)
    return dict(zip(known.names, _box(known, bits), strict=True))


def is_empty(goal: Goal, bits: int = DEFAULT_BITS) -> bool:
    """Whether the bounds of the variables contradict each other for certain, so that no point is left."""
    try:
        box_of(goal, bits)
    except Vacuous:
        return True
    return False


# --- tapes ------------------------------------------------------------------------------------


def operands_first(term: Term, whole: Whole) -> list[tuple[Term, tuple[tuple[Term, ...], Image | None]]]:
    """Every part that is computed, its operands before it, and constants before the others; bodies of sums
    are left to their sums."""
    found: dict[Term, tuple[tuple[Term, ...], Image | None]] = {}
    order: list[Term] = []
    stack = [(term, False)]
    while stack:
        part, seen = stack.pop()
        if seen:
            order.append(part)
        elif part not in found:
            if part.head in BINDERS:
                low, high, _ = part.args
                found[part] = (low, high, high - low), None
            elif part.args and part.head != "member":
                found[part] = operation(part, whole)
            else:
                found[part] = part.args, None
            stack += [(part, True), *((t, False) for t in found[part][0])]
    return [(part, found[part]) for part in sorted(order, key=lambda part: not part.is_closed)]


class Tape:
    """A term, folded once, that can be run on any box of the variables, in the order of ``names``.

    The box may be any part of the box of the goal; Vacuous then says that no point of it is left.
    """

    def __init__(self, term: Term, known: Knowledge) -> None:
        if term.loose:
            raise Unsupported("an index is used outside of its sum")
        self.names, self._known = known.names, known
        #: every part that is computed and its place among the values; the variables come first
        self.places: dict[Term, int] = {variable(n): i for i, n in enumerate(known.names)}
        #: how many steps a run may take to add up sums term by term, and how many it takes at least
        self.allowance, self.weight = MOST_WORK, 0
        #: the steps that do not depend on the box come first: they are taken once for each precision
        self._closed: list[Step] = []
        self._steps: list[Step] = []
        self._constants: dict[int, list[Range]] = {}
        for part, (operands, image) in operands_first(term, known.whole):
            if part in self.places:
                continue
            step = self._sharper(part, self._step(part, operands, image))
            self.places[part] = len(self.places)
            (self._closed if part.is_closed else self._steps).append(step)
        self.weight += len(self._steps)
        Effort.steps += 5 * len(self._steps)
        self.root = self.places[term]

    def __call__(self, box: Sequence[Range]) -> Range:
        return self.values(box)[self.root]

    def values(self, box: Sequence[Range]) -> list[Range]:
        """The range of every part, in the order of ``places``."""
        if ctx.prec not in self._constants:
            values = [EVERYTHING] * len(self.names)
            for step in self._closed:
                values.append(step(values))
            self._constants[ctx.prec] = values[len(self.names):]
        values = [*box, *self._constants[ctx.prec]]
        Effort.steps += len(self._steps)
        for step in self._steps:
            values.append(step(values))
        return values

    def _sharper(self, part: Term, step: Step) -> Step:
        """The step, with what is known of its value besides."""
        if part.is_closed or self._known.members is not None:
            return lambda values: step(values).sharp()
        fact = self._known.facts.about(part)
        if fact is None and part.head in ("+", "-") and part.size <= SHORT and part.variables:
            # Where everything cancels, as in p*exp(0) + (1 - p)*exp(0), ranges alone would not see it.
            value = constant_of(part)
            fact = None if value is None else Interval(value, value)
        met = step if fact is None else lambda values: step(values).meet(Range.between(*fact))
        whole = part.head != "floor" and is_whole(part, self._known.whole)
        return (lambda values: met(values).integers()) if whole else met

    def _step(self, part: Term, operands: tuple[Term, ...], image: Image | None) -> Step:
        places = [self.places[t] for t in operands]
        if image is not None and len(places) == 1:
            (i,) = places
            return lambda values: image(values[i])
        if image is not None:
            chosen = itemgetter(*places)
            return lambda values: image(*chosen(values))
        if part.head == "number":
            return lambda _: Range.of(part.value)
        if part.head in CONSTANTS:
            return lambda _: Range.of_ball(arb.const_e() if part.head == "e" else arb.pi())
        if part.head == "variable":
            raise Unsupported(f"nothing says what {part.value} is")
        on_box, count = self._member(part) if part.head == "member" else self._binder(part), len(self.names)
        return lambda values: on_box(values[:count], *[values[i] for i in places])

    def _member(self, part: Term) -> Callable[..., Range]:
        """A member: what the hypotheses say of every member, if its index lies in their range."""
        family, index, known = part.value, part.args[0], self._known
        if known.members is not None:
            return partial(_given, known.members.get(family))
        rules: list[tuple[str, list[Tape]]] = []
        for each, body in known.each[:10]:
            ends = [] if each.low is None else [index - each.low]
            ends += [] if each.high is None else [each.high - index]
            for r in (body, body.mirrored):
                if r.left is member(family, bound(0)):
                    try:
                        tapes = [known.deeper.tape(t) for t in (*ends, instantiate(r.right, index))]
                    except Unsupported:
                        continue
                    rules.append((r.op, tapes))
        self.weight += sum(tape.weight for _, tapes in rules for tape in tapes)

        def image(box: list[Range], _: Range) -> Range:
            found = EVERYTHING
            for op, (*inside, limit) in rules:
                try:
                    if all(tape(box).is_nonnegative() for tape in inside):
                        found = found.meet(_half(op, limit(box)))
                except (Undefined, Unsupported):
                    continue
            return found

        return image

    def _binder(self, part: Term) -> Callable[..., Range]:
        low, high, body = part.args
        if body.depth > DEEPEST_BODY:
            raise Unsupported("the body of a sum is too deep")
        name = fresh("#", part.variables | set(self.names))
        add, none = (ranges.add, Range.of(0)) if part.head == "sum" else (ranges.mul, Range.of(1))
        try:
            inner = Tape(instantiate(body, variable(name)), self._known.inside(name, low, high))
        except Vacuous:
            return lambda *_: none  # there is no index at any point
        self.weight += inner.weight

        def image(box: list[Range], first: Range, last: Range, span: Range) -> Range:
            index = indices(first, last)
            if index is None or span.hi < 0:
                return none
            one, other = first.integer(), last.integer()
            if one is not None and other is not None:
                terms = other - one + 1
                if terms * (inner.weight + 1) <= self.allowance:
                    inner.allowance = self.allowance // terms
                    return reduce(add, (inner([*box, Range.of(i)]) for i in range(one, other + 1)), none)
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
            times = ranges.mul if part.head == "sum" else partial(ranges.repeated_product, part=part)
            return times(ranges.greatest(Range.of(0), ranges.add(span, Range.of(1))), each)

        return image


def _given(members: Any, _: list[Range], index: Range) -> Range:
    """A member at a point, which has a value if its index is known."""
    place = index.integer()
    if place is None or members is None:
        raise Unsupported("an index is not known exactly, or a family has no values")
    return Range.of(members[place])


# --- ranges under the hypotheses of a goal ----------------------------------------------------


def constant_value(term: Term) -> Range:
    """The value of a term without variables, exact where it is seen to be rational."""
    return Tape(term, Knowledge((), Whole(frozenset()), members={}))([])


def range_on(term: Term, goal: Goal, bits: int = DEFAULT_BITS) -> Range:
    """The values of a term where the hypotheses hold.

    Undefined if the term may be undefined there, Vacuous if there is no point.
    """
    known = knowledge_of(goal)
    tape, box = known.tape(term), _box(known, bits)
    with ranges.precision(bits):
        return tape(box)


def need_defined(terms: Iterable[Term], goal: Goal, bits: int = DEFAULT_BITS) -> None:
    """Undefined, unless each of the terms is defined wherever the hypotheses hold."""
    for term in terms:
        range_on(term, goal, bits)


# --- what every head of a term does to ranges, and where it is defined -------------------------------

_MANY: dict[str, Callable[[Range, Range], Range]] = {"+": ranges.add, "*": ranges.mul}


def operation(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    """The operands of a part, and how the range of its values follows from theirs.

    An operand may be a term that is not written in the part: for ``binomial(n, m)`` also ``n - m``, of which more may
    be known than the ranges of n and m tell.

    >>> from symdp.kernel.terms import apply, variable
    >>> operands, image = operation(apply("log", variable("x")), Whole(frozenset()))
    >>> operands, image(Range.between(0, 1, lower_open=True))
    ((Term(x),), (-oo, 0])
    """
    head, args = part.head, part.args
    if head in _MANY:
        many = _MANY[head]
        return args, many if len(args) == 2 else lambda *parts: reduce(many, parts)
    if head == "-":  # equal terms have equal values, if they have any
        return args, ranges.sub if args[0] is not args[1] else lambda a, _: Range.of(0)
    if head == "/":
        return args, lambda a, b: ranges.mul(a, ranges.inverse(b, part))
    if head == "neg":
        return args, ranges.neg
    return _power(part, whole) if head == "^" else terms.FUNCTIONS[head].of(part, whole)


def _power(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    base, exponent = part.args
    if exponent.head == "number" and max(abs(exponent.value.p), exponent.value.q) <= ranges.LARGEST_POWER:
        p, q = int(exponent.value.p), int(exponent.value.q)
        return (base,), lambda a: ranges.rational_power(a, p, q, part)
    # Whether the exponent is an integer is part of what the power means: it must not be guessed.
    if exponent.size > 500 or exponent.depth > 100:
        raise Unsupported("an exponent is too long")
    integer = whole(exponent)
    if base.head == "e" and not integer:
        return (exponent,), ranges.exponential
    return (base, exponent), lambda a, b: ranges.power(a, b, part, integer)


def indices(low: Range, high: Range) -> Range | None:
    """Where the index of a sum from low to high may lie; None if the sum is empty for certain."""
    lo, hi = low.integers(), high.integers()
    low_open, high_open = bool(lo.lo == ranges.NEG_INF), bool(hi.hi == ranges.POS_INF)
    return None if lo.lo > hi.hi else Range(lo.lo, hi.hi, low_open, high_open)
