r"""Points: exact values for variables and families, and what holds there for certain. **Trusted.**

A term is evaluated exactly where rational arithmetic can do that, and in ball arithmetic elsewhere; a
ball that is a single number is exact again, so that ``exp(0) - 1`` is seen to be 0.

>>> from symdp.kernel.terms import apply, number, variable
>>> x = variable("x")
>>> at = Point({"x": fmpq(1, 3)})
>>> print(value_at(apply("log", x), at))
[-1.0986123, -1.0986123]
>>> sign_at(x * number(3) - number(1), at), sign_at(apply("log", x) / (x - x), at)
(0, None)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flint import arb, fmpq, fmpz

from symdp.kernel.goals import INTEGER, Each, Formula, Goal, IllFormed, Relation, Whole
from symdp.kernel.operations import Image, operation
from symdp.kernel.ranges import Range, Undefined, Unsupported, add, mul, precision
from symdp.kernel.terms import BINDERS, Term, fresh, instantiate, number, subterms, variable

#: Longer numbers are rounded, longer sums and ranges of integers refused.
MOST_DIGITS = 20_000
MOST_TERMS = 10_000
#: How many operations one evaluation may take.
MOST_WORK = 200_000
MOST_BITS = 1024


@dataclass(frozen=True)
class Members:
    """A family of numbers: a table for some integers, and one value for all others."""

    table: Mapping[int, fmpq] = field(default_factory=dict)
    default: fmpq = field(default_factory=lambda: fmpq(0))

    def __getitem__(self, index: int) -> fmpq:
        return self.table.get(index, self.default)

    def values(self) -> Iterator[fmpq]:
        yield from self.table.values()
        yield self.default


@dataclass(frozen=True)
class Point:
    """Exact values for variables and for families, and which of them are declared as integers."""

    values: Mapping[str, fmpq] = field(default_factory=dict)
    families: Mapping[str, Members] = field(default_factory=dict)
    whole: Whole = field(default_factory=lambda: Whole(frozenset()))
    #: integers at which a claim about every integer is looked at
    indices: tuple[int, ...] = ()

    @classmethod
    def of(cls, goal: Goal, values: Mapping[str, fmpq],
           families: Mapping[str, Members] | None = None, indices: tuple[int, ...] = ()) -> Point:
        """A point at which every name of the goal has a value of its sort; IllFormed otherwise."""
        given = {n: fmpq(v) for n, v in values.items()}
        members = {n: Members({_plain(i): fmpq(v) for i, v in m.table.items()}, fmpq(m.default))
                   for n, m in (families or {}).items()}
        if given.keys() != dict(goal.sorts).keys() or members.keys() != dict(goal.families).keys():
            raise IllFormed("a point gives a value to every variable and family, and to nothing else")
        for name, sort in goal.sorts:
            if sort == INTEGER and given[name].q != 1:
                raise IllFormed(f"{name} is an integer")
        for name, sort in goal.families:
            if sort == INTEGER and any(v.q != 1 for v in members[name].values()):
                raise IllFormed(f"{name} is a family of integers")
        return cls(given, members, goal.whole, tuple(indices))


def _plain(index: int) -> int:
    if type(index) is not int:
        raise IllFormed("the members of a family are numbered by integers")
    return index


NOWHERE = Point()
Value = fmpq | Range


def _range(value: Value) -> Range:
    return value if isinstance(value, Range) else Range.between(value, value)


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


class _Evaluation:
    """The evaluation of terms at one point, with a limit to the work."""

    def __init__(self, point: Point) -> None:
        self.point, self.work = point, MOST_WORK
        self.variables: dict[str, Value] = dict(point.values)

    def __call__(self, term: Term, whole: Whole) -> Value:
        if term.loose:
            raise Unsupported("an index is used outside of its sum")
        return self._run(operands_first(term, whole), whole)

    def _run(self, order: list[tuple[Term, tuple[Term, ...], Image | None]], whole: Whole) -> Value:
        self.work -= len(order)
        if self.work < 0:
            raise Unsupported("the evaluation at a point takes too long")
        values: dict[Term, Value] = {}
        for part, operands, image in order:
            args = [values[t] for t in operands]
            if image is None:
                values[part] = self._special(part, args, whole)
            else:
                values[part] = _applied(part, args, image, whole)
        return values[order[-1][0]]

    def _special(self, part: Term, args: list[Value], whole: Whole) -> Value:
        head = part.head
        if head == "number":
            return part.value  # type: ignore[no-any-return]
        if head == "variable":
            if part.value not in self.variables:
                raise Unsupported(f"the variable {part.value} has no value")
            return self.variables[part.value]
        if head == "member":
            if part.value not in self.point.families:
                raise Unsupported(f"the family {part.value} has no values")
            return self.point.families[part.value][_integer(args[0])]
        if head in BINDERS:
            return self._repeated(part, _integer(args[0]), _integer(args[1]), whole)
        return Range.of_ball(arb.const_e() if head == "e" else arb.pi())

    def _repeated(self, part: Term, low: int, high: int, whole: Whole) -> Value:
        if high - low >= MOST_TERMS:
            raise Unsupported("a sum has too many terms")
        if part.depth > 300:
            raise Unsupported("the body of a sum is too deep")
        name = fresh("#", part.variables | self.variables.keys())
        inside = Whole(whole.integers | {name}, whole.families)
        order = operands_first(instantiate(part.args[2], variable(name)), inside)
        is_sum = part.head == "sum"
        total: Value = fmpq(0) if is_sum else fmpq(1)
        try:
            for i in range(low, high + 1):
                self.variables[name] = fmpq(i)
                value = self._run(order, inside)
                if isinstance(total, Range) or isinstance(value, Range) or not _short(total, value):
                    total = (add if is_sum else mul)(_range(total), _range(value))
                else:
                    total = total + value if is_sum else total * value
        finally:
            self.variables.pop(name, None)
        return total


def _integer(value: Value) -> int:
    if isinstance(value, Range):
        found = value.integer()
        if found is None:
            raise Unsupported("an index is not known exactly")
        return found
    if value.q != 1:
        raise Unsupported("an index is no integer")
    return int(value.p)


def _applied(part: Term, args: list[Value], image: Image, whole: Whole) -> Value:
    exact = [a for a in args if not isinstance(a, Range)]
    if len(exact) == len(args) and _short(*exact):
        found = _exactly(part, exact, whole)
        if found is not None:
            return found
    # Equal terms have equal values, if they have any.
    value = image(*map(_range, args))
    if part.head == "-" and part.args[0] is part.args[1]:
        return fmpq(0)
    known = value.rational()
    return value if known is None else known


def _short(*values: fmpq) -> bool:
    return all(v.height_bits() <= MOST_DIGITS for v in values)


def _exactly(part: Term, args: list[fmpq], whole: Whole) -> fmpq | None:
    """The exact value of a part at rational operands, where that is rational and soon found; None says
    nothing, not even that the part is defined."""
    head, a = part.head, args[0]
    if head in ("+", "*"):
        total = a
        for b in args[1:]:
            total = total + b if head == "+" else total * b
            if not _short(total):
                return None
        return total
    if head in ("-", "neg", "abs", "floor", "min", "max"):
        if head == "floor":
            return fmpq(a.floor())
        if head == "abs":
            return -a if a < 0 else a
        if head == "neg":
            return -a
        return a - args[1] if head == "-" else min(args) if head == "min" else max(args)
    if head == "/":
        return a / args[1] if args[1] != 0 else None
    if head == "sqrt":
        return _rooted(a, fmpq(1, 2))
    if head == "^":
        exponent = part.args[1]
        literal = exponent.head == "number"
        if not literal and part.args[0].head == "e":
            return None
        b = exponent.value if literal else args[1]
        if b.q == 1 and (literal or whole(exponent) or a > 0):
            n = int(b.p)
            if (n < 0 and a == 0) or abs(n) * a.height_bits() > MOST_DIGITS:
                return None
            return fmpq(1) if n == 0 else a**n
        return _rooted(a, b)
    if head == "binomial":
        return _chosen(part, args)
    return None


def _chosen(part: Term, args: list[fmpq]) -> fmpq | None:
    """A binomial: with a literal m there is one operand, else n, m and n - m."""
    a = args[0]
    if len(args) == 3:
        if any(v.q != 1 or v < 0 for v in args) or a > MOST_TERMS:
            return None
        return fmpq(fmpz.bin_uiui(int(a.p), int(args[1].p)))
    if part.args[1].value > 50:
        return None
    total = fmpq(1)
    for i in range(int(part.args[1].value)):
        total *= (a - i) / (i + 1)
    return total


def _rooted(a: fmpq, exponent: fmpq) -> fmpq | None:
    """a^(p/q) if a has an exact q-th root."""
    p, q = int(exponent.p), int(exponent.q)
    if a < 0 or q > 64 or abs(p) > 64 or (a == 0 and p <= 0):
        return None
    top, bottom = a.p.root(q), a.q.root(q)
    if top**q != a.p or bottom**q != a.q:
        return None
    found = fmpq(top, bottom) ** p
    return found if _short(found) else None


# --- what holds at a point --------------------------------------------------------------------


def exact_or_range(term: Term, point: Point, bits: int = 64) -> Value:
    with precision(bits):
        return _Evaluation(point)(term, point.whole)


def value_at(term: Term, point: Point, bits: int = 64) -> Range:
    """The value of a term at a point; Undefined where it is, or may be, undefined."""
    with precision(bits):
        return _range(_Evaluation(point)(term, point.whole))


def sign_at(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    """-1, 0 or 1, certain; None if that many bits do not tell, or the term is undefined there."""
    try:
        return _sign(term, point, most_bits)
    except (Undefined, Unsupported):
        return None


def _sign(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    bits = 64
    while True:
        try:
            value = exact_or_range(term, point, bits)
        except Undefined as reason:
            if reason.certain or 2 * bits > most_bits:
                raise
        except Unsupported:
            # An index may become known with more bits; a limit of work will not.
            if 2 * bits > most_bits:
                raise
        else:
            if not isinstance(value, Range):
                return 1 if value > 0 else -1 if value < 0 else 0
            if value.is_positive():
                return 1
            if value.is_negative():
                return -1
            if 2 * bits > most_bits:
                return None
        bits *= 2


def holds_at(formula: Formula, point: Point) -> bool | None:
    """Whether a formula holds at a point, certain; None if that is not found out."""
    return _holds(formula, point, MOST_TERMS)


def _holds(formula: Formula, point: Point, most: int) -> bool | None:
    if isinstance(formula, Relation):
        try:
            sign = _sign(formula.gap, point)
        except Undefined as reason:
            return False if reason.certain else None
        except Unsupported:
            return None
        if sign is None:
            return None
        return sign == 0 if formula.op == "==" else sign > 0 if formula.strict else sign >= 0
    if not isinstance(formula, Each):
        return None
    chosen = _indices(formula, point, most)
    if chosen is None:
        return None
    answer: bool | None = True
    for i in chosen:
        found = _holds(formula.at(number(i)), point, most // max(1, len(chosen)))
        if found is False:
            return False
        answer = answer and found
    return answer


def _indices(formula: Each, point: Point, most: int) -> list[int] | None:
    """The integers at which the body is to be looked at, so that it holds at these only if at all."""
    ends: list[int | None] = []
    for end in (formula.low, formula.high):
        try:
            ends.append(None if end is None else _integer(exact_or_range(end, point)))
        except (Undefined, Unsupported):
            return None
    low, high = ends
    if low is not None and high is not None and high - low < most:
        return list(range(low, high + 1))
    if not _through_members_alone(formula):
        return None
    # The body tells integers apart by the tables only: all that are in no table are alike.
    families = formula.families
    known = {i for name in families if name in point.families for i in point.families[name].table}
    inside = sorted(i for i in known if (low is None or low <= i) and (high is None or i <= high))
    if len(inside) >= most:
        return None
    other = low if low is not None else high if high is not None else 0
    while other in known:
        other += 1 if low is not None or high is None else -1
    if low is not None and high is not None and other > high:
        return inside
    return [*inside, other]


def _through_members_alone(formula: Each) -> bool:
    """Whether the body has its index only as the index of a member, a[i] and not a[i + 1]."""
    name = fresh("#", formula.variables)
    index = variable(name)
    for t in formula.at(index).terms():
        if t is index:
            return False
        for part in subterms(t):
            if part.head != "member" and index in part.args:
                return False
    return True
