r"""Order relations (O, Theta, o, ~): what they mean, how one is shown, how one is shown to fail. **Trusted.**

An :class:`Order` is a closed statement: it brings its variables and its hypotheses with it, and no other rule
looks inside. Some of its variables are *moving*, each towards a constant or to infinity, some are *fixed*,
and the others are free. D is the set of points at which all hypotheses hold. For a value f of the fixed
variables and r > 0, N(f, r) is the set of points of D with that value of the fixed variables at which every
moving variable v is close to its limit L: 0 < |v - L| <= r, or v >= 1/r where L is infinite. (The limit itself
is not meant.) A value f *counts* if no N(f, r) is empty. The statement says:

some f counts, and for every f that counts

    O      there are r > 0 and C > 0 with |left| <= C |right| at every point of N(f, r);
    Theta  there are r > 0 and C > 0 with |left| <= C |right| and |right| <= C |left| at every point of N(f, r);
    o      for every c > 0 there is r > 0 with |left| <= c |right| at every point of N(f, r);
    ~      for every c > 0 there is r > 0 with |left - right| <= c |right| at every point of N(f, r);

where a relation between two terms includes that both are defined there. So r and C may depend on the fixed
variables and on nothing else. If nothing moves, N(f, r) is all of D at f. If the moving variables cannot come
close to their limits within the hypotheses, the statement is false.

>>> from symdp.kernel.goals import REAL
>>> x = variable("x")
>>> print(Order(apply("exp", x), "O", x, (("x", None),), (), (("x", REAL),), (Relation(ZERO, "<", x),)))
exp(x) = O(x) as x -> oo, for real x with 0 < x
>>> Order(x, "O", x, (("x", x),), (), (("x", REAL),), ())
Traceback (most recent call last):
...
symdp.kernel.goals.IllFormed: x does not move to a constant or to infinity

:class:`Fails` is the negation of an order.

A *path* shows that some f counts, and where an order fails: every variable as a term in a new integer variable t,
the fixed ones constant, such that from some t on all hypotheses hold, and the moving variables tend to their
limits without being there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import INTEGER, Formula, Goal, IllFormed, Relation, Whole
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.rules.logic import need_fresh, need_term
from symdp.kernel.terms import ZERO, Term, add, apply, number, substitute, variable
from symdp.kernel.values.conditions import need_same, shown
from symdp.kernel.values.enclosure import need_defined, range_on
from symdp.kernel.values.limits import PLUS_INFINITY, Limit, limit

KINDS = ("O", "Theta", "o", "~")
_TRUE = Relation(ZERO, "<=", ZERO)


class Closed(Formula):
    """A statement that brings its variables with it: from outside there is no term in it to see or change."""

    has_domain = True

    def terms(self) -> Iterator[Term]:
        return iter(())

    def map(self, change: Callable[[Term], Term]) -> Formula:
        return self

    def check(self, whole: Whole) -> None:
        """Nothing from outside is in it; it was checked when it was made."""


@dataclass(frozen=True)
class Order(Closed):
    """``left = kind(right)`` as the moving variables tend to their limits within the hypotheses."""

    left: Term
    kind: str
    right: Term
    #: variable -> the constant it tends to, None for infinity
    moving: tuple[tuple[str, Term | None], ...]
    fixed: tuple[str, ...]
    sorts: tuple[tuple[str, str], ...]
    hypotheses: tuple[Relation, ...]

    def __post_init__(self) -> None:
        names = [v for v, _ in self.moving]
        IllFormed.unless(self.kind in KINDS, f"{str(self.kind)[:20]!r} is no order")
        if len({*names, *self.fixed}) < len(names) + len(self.fixed):
            raise IllFormed("a variable moves in two ways, or moves and is fixed")
        for name in sorted({*names, *self.fixed} - {n for n, _ in self.sorts}):
            raise IllFormed(f"nothing says what {name} is")
        for name, at in self.moving:
            IllFormed.unless(at is None or at.is_closed, f"{name} does not move to a constant or to infinity")
        if not all(isinstance(h, Relation) for h in self.hypotheses):
            raise IllFormed("the hypotheses of an order are relations")
        _ = self.points

    def inside(self, claim: Formula, *further: Formula) -> Goal:
        """A claim about each point of D."""
        within = Goal(self.sorts, self.hypotheses, Relation(self.left, "<=", self.right))
        return within.claiming(claim, *further)

    @property
    def points(self) -> Goal:
        """The points of D, with nothing claimed about them."""
        return self.inside(_TRUE)

    def between(self, left: Term, kind: str, right: Term) -> Order:
        """Another order in the same regime."""
        return Order(left, kind, right, self.moving, self.fixed, self.sorts, self.hypotheses)

    def __str__(self) -> str:
        text = f"{self.left} ~ {self.right}" if self.kind == "~" else f"{self.left} = {self.kind}({self.right})"
        if self.moving:
            text += " as " + ", ".join(f"{v} -> {'oo' if at is None else at}" for v, at in self.moving)
        if self.fixed:
            text += f", for each fixed {', '.join(self.fixed)}"
        where = str(self.points).removeprefix(f"{_TRUE} for every ").removeprefix(str(_TRUE))
        return f"{text}, for {where}" if where else text


@dataclass(frozen=True)
class Fails(Closed):
    """An order relation that does not hold."""

    order: Order

    def __str__(self) -> str:
        return f"it is not so that {self.order}"


def _order(goal: Goal) -> Order:
    if not isinstance(goal.claim, Order):
        raise Rejected("the claim is no order relation")
    return goal.claim


def _only(term: Term, names: frozenset[str] | set[str], what: str) -> Term:
    if not need_term(term).variables <= names or term.families:
        raise Rejected(f"{what} {term} depends on more than it may")
    return term


def size(term: Term, goal: Goal) -> Term:
    """|term|, without the bars where an enclosure shows the sign."""
    try:
        r = range_on(term, goal)
    except ArithmeticError:
        return apply("abs", term)
    return term if r.is_nonnegative() else -term if r.is_nonpositive() else apply("abs", term)


# --- neighbourhoods and paths -------------------------------------------------------------------


def _neighbourhoods(order: Order, parameters: Parameters) -> tuple[list[Goal], list[Goal]]:
    """What is left to show of a neighbourhood, and for each side from which the moving variables may come
    a goal whose points are those near the limit.

    ``closeness`` gives for each moving variable a term c in the fixed ones, shown to be positive:
    |v - L| <= c, or v >= c where L is infinite.
    """
    closeness, premises = parameters["closeness"], []
    Rejected.unless(set(closeness) == {v for v, _ in order.moving}, "a closeness is for each moving variable")
    ways: list[list[tuple[Relation, ...]]] = []
    for name, at in order.moving:
        v, c = variable(name), _only(closeness[name], set(order.fixed), "the closeness")
        if not (c.head == "number" and c.value > 0):
            premises.append(order.inside(Relation(ZERO, "<", c)))
        if at is None:
            ways.append([(Relation(c, "<=", v),)])
            continue
        above = (Relation(at, "<", v), Relation(v, "<=", _sum(at, c)))
        below = (Relation(_sum(at, -c if c.head != "number" else number(-c.value)), "<=", v), Relation(v, "<", at))
        need_defined([at], order.points)
        off_below, off_above = (shown(Relation(at, op, v), order.points) for op in ("<=", ">="))
        ways.append([above] if off_below else [below] if off_above else [above, below])
    Rejected.unless(len(ways) <= 4, "too many variables move")
    return premises, [order.inside(_TRUE, *(r for side in choice for r in side)) for choice in product(*ways)]


def _sum(a: Term, b: Term) -> Term:
    return number(a.value + b.value) if a.head == b.head == "number" else add(a, b)


def _along(order: Order, parameters: Parameters) -> tuple[Goal, dict[str, Term], list[Goal]]:
    """A path: the goal in t alone, the terms of the variables, and what is left to show of it."""
    domain, path, start = order.points, parameters["path"], parameters["start"]
    name = need_fresh(parameters["parameter"], domain)
    Rejected.unless(type(start) is int and set(path) == set(domain.variables), "a path gives every variable")
    t = variable(name)
    there = Goal(((name, INTEGER),), (Relation(number(start), "<=", t),), _TRUE)
    for v, sort in order.sorts:
        e = _only(path[v], set() if v in order.fixed else {name}, "on the path, the value")
        need_defined([e], there)
        if sort == INTEGER and not there.whole(e):
            raise Rejected(f"{v} = {e} was not seen to be an integer")
    for v, at in order.moving:
        value = limit(path[v], name, PLUS_INFINITY, there)
        if at is None and value is PLUS_INFINITY:
            continue
        if at is None or not isinstance(value, Term):
            raise Rejected(f"{v} = {path[v]} does not tend to {at or 'oo'}")
        need_defined([value, at], there)
        need_same(value, at, there)
        if not any(shown(Relation(path[v], op, at), there) for op in ("<", ">")):
            raise Rejected(f"{v} = {path[v]} may be {at} itself")
    values = {v: path[v] for v in domain.variables}
    held = dict.fromkeys(h.substitute(values) for h in order.hypotheses)
    return there, values, [there.claiming(h) for h in held if not shown(h, there)]


def _need_tame(order: Order, factor: Term, near: list[Goal], vanishing: bool) -> None:
    """A sum of terms in the fixed variables, and each in one moving one at most, as which moves it tends to a number;
    to 0 if the factor is to vanish."""
    moving = dict(order.moving)
    for part in factor.args if factor.head == "+" else (factor,):
        names = part.variables & moving.keys()
        _only(part, names | set(order.fixed), "the factor")
        if len(names) > 1:
            raise Rejected(f"{part} moves with more than one variable")
        for place in near if names or vanishing else ():
            value: Limit = part
            for name in names:
                at = moving[name] or PLUS_INFINITY
                above = isinstance(at, Term) and Relation(at, "<", variable(name)) in place.hypotheses
                value = limit(part, name, at, place, from_above=above)
            if not isinstance(value, Term):
                raise Rejected(f"{part} does not tend to a number")
            need_defined([value], place)
            if vanishing and not identical(value, ZERO, whole=place.whole):
                raise Rejected(f"{part} was not seen to vanish: it tends to {value}")


# --- orders that hold ---------------------------------------------------------------------------


@rule()
def order_bounded(goal: Goal, parameters: Parameters) -> list[Goal]:
    """That some f counts, by a path; and inequalities on a neighbourhood, with factors that are bounded there for O
    and Theta, and vanish for o and ~."""
    order = _order(goal)
    premises, near = _neighbourhoods(order, parameters)
    left, right, factors = order.left, order.right, [need_term(f) for f in parameters["factors"]]
    pairs = {"O": [(left, right)], "Theta": [(left, right), (right, left)], "o": [(left, right)],
             "~": [(left - right, right)]}[order.kind]
    for factor in factors:
        _need_tame(order, factor, near, vanishing=order.kind in ("o", "~"))
    for place in near:
        premises += [place.claiming(Relation(size(a, place), "<=", factor * size(b, place)))
                     for (a, b), factor in zip(pairs, factors, strict=True)]
    return [*_along(order, parameters)[2], *premises]


# What follows builds orders from orders in the same regime: constants add up or multiply, and of finitely many
# neighbourhoods the smallest is one.


@rule()
def order_sum(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Each term of a sum on the left is of that order (O or o)."""
    order = _order(goal)
    Rejected.unless(order.kind in ("O", "o") and order.left.head in ("+", "-"), "term by term a sum is O or o")
    return [goal.claiming(order.between(a, order.kind, order.right)) for a in order.left.args]


@rule()
def order_product(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Each factor on the left is of the order of its factor on the right (O, Theta or ~)."""
    order = _order(goal)
    a, b = order.left, order.right
    if order.kind == "o" or not a.head == b.head == "*" or len(a.args) != len(b.args):
        raise Rejected("factor by factor two products with as many factors are compared")
    return [goal.claiming(order.between(u, order.kind, v)) for u, v in zip(a.args, b.args, strict=True)]


#: Which pairs of orders, left to middle and middle to right, give an order of each kind.
_CHAINS: dict[str, Callable[[str, str], bool]] = {"O": lambda a, b: True, "~": lambda a, b: a == b == "~",
    "Theta": lambda a, b: a in ("Theta", "~") and b in ("Theta", "~"), "o": lambda a, b: "o" in (a, b)}


@rule()
def order_chain(goal: Goal, parameters: Parameters) -> list[Goal]:
    """From left to right by way of something between them."""
    order, middle = _order(goal), need_term(parameters["middle"])
    first, second = parameters["kinds"]
    if first not in KINDS or second not in KINDS or not _CHAINS[order.kind](first, second):
        raise Rejected(f"{str(first)[:9]} and {str(second)[:9]} do not make {order.kind}")
    return [goal.claiming(order.between(order.left, first, middle)),
            goal.claiming(order.between(middle, second, order.right))]


@rule()
def order_both(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Theta is O in both directions."""
    order = _order(goal)
    Rejected.unless(order.kind == "Theta", "only Theta has two directions")
    return [goal.claiming(order.between(order.left, "O", order.right)),
            goal.claiming(order.between(order.right, "O", order.left))]


@rule()
def order_equal(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Both sides replaced by terms that are equal to them wherever the hypotheses hold."""
    order, left, right = _order(goal), need_term(parameters["left"]), need_term(parameters["right"])
    changed = [(a, b) for a, b in ((order.left, left), (order.right, right)) if a is not b]
    return [*(order.inside(Relation(a, "==", b)) for a, b in changed),
            goal.claiming(order.between(left, order.kind, right))]


# --- orders that fail ---------------------------------------------------------------------------


@rule()
def departure_bounded(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Along a path one side is larger than a multiple of the other, by a factor that grows without bound (O, Theta),
    or tends to something positive at least (o, ~); ``reverse`` for Theta from the other side."""
    if not isinstance(goal.claim, Fails):
        raise Rejected("the claim is not that an order fails")
    order = goal.claim.order
    there, values, premises = _along(order, parameters)
    left, right = substitute(order.left, values), substitute(order.right, values)
    growth, (name,) = need_term(parameters["growth"]), there.variables
    small, large = (right, left - right) if order.kind == "~" else (right, left)
    if order.kind == "Theta" and parameters.get("reverse", False):
        small, large = left, right
    value = limit(growth, name, PLUS_INFINITY, there)
    if value is not PLUS_INFINITY and (order.kind in ("O", "Theta") or not isinstance(value, Term)
                                       or not range_on(value, there).is_positive()):
        raise Rejected(f"{growth} does not grow without bound, nor tend to something positive where that is enough")
    return [*premises, there.claiming(Relation(growth * size(small, there), "<", size(large, there)))]
