r"""Derivatives of terms, and when there are any. **Trusted.**

:func:`derivative` is right wherever the term is smooth in the variable and the result is defined. It is
used together with :func:`need_smooth`, which shows the first. Zeros and ones are left out of the result,
and with them parts of the term that may be undefined: those were defined where the term was.

>>> from symdp.kernel.terms import number, variable
>>> x, y = variable("x"), variable("y")
>>> print(derivative(apply("log", y) * x ** number(3) + apply("exp", y / x), "x"))
log(y)*3*x^2 + exp(y/x)*(-y/x^2)
>>> print(derivative(apply("abs", y) * x ** y, "x"))
abs(y)*y*x^(y - 1)
>>> derivative(apply("abs", x), "x")
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: no derivative of abs(x) is known
"""

from collections.abc import Callable
from contextlib import suppress

from symdp.kernel import terms
from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import BINDERS, FUNCTIONS, ONE, ZERO, Term, apply, number
from symdp.kernel.values.enclosure import need_defined, range_on
from symdp.kernel.values.ranges import POSITIVE, Range, Vacuous

#: Derivatives grow with each step; longer ones are refused, and so are parts that stand deeper.
MOST_SIZE, MOST_DEPTH, TWO = 20_000, 150, number(2)
Derivation = Callable[[Term], Term]
#: The derivatives of an operation in each of its arguments, from its value and these; sums and products stand apart,
#: and functions have their own.
_PARTIAL: dict[str, tuple[Callable[..., Term], ...]] = {"-": (lambda t, a, b: ONE, lambda t, a, b: number(-1)),
    "neg": (lambda t, u: number(-1),), "/": (lambda t, a, b: ONE / b, lambda t, a, b: -(a / b**TWO)),
    "^": (lambda t, a, b: _product([b, _lowered(a, b)]), lambda t, a, b: t * apply("log", a))}


def derivative(term: Term, name: str) -> Term:
    """The derivative in the variable of that name; Rejected where none is known."""
    done: dict[Term, Term] = {}

    def of(t: Term) -> Term:
        if name not in t.variables:
            return ZERO
        if t not in done:
            found = ONE if t.head == "variable" else _rule(t)
            Rejected.unless(found.size <= MOST_SIZE, "the derivative is too long")
            done[t] = found
        return done[t]

    def _rule(t: Term) -> Term:
        head, args = t.head, t.args
        if head in BINDERS:
            return _over_range(t, name, of)
        if (product := _written_out(t)) is not None:
            return of(product)
        moving = [place for place, a in enumerate(args) if name in a.variables]
        Rejected.unless(head != "*" or len(moving) * len(args) <= MOST_SIZE, "the derivative is too long")
        return _sum([_product([*_slope_along(t, place), of(args[place])]) for place in moving])

    Rejected.unless(term.depth <= MOST_DEPTH and term.size <= MOST_SIZE, "the term is too large to differentiate")
    return of(term)


def _sum(parts: list[Term]) -> Term:
    left = [p for p in parts if p is not ZERO]
    return terms.add(*left) if left else ZERO


def _product(factors: list[Term]) -> Term:
    if any(f is ZERO for f in factors):
        return ZERO
    left = [g for f in factors for g in (f.args if f.head == "*" else (f,)) if g is not ONE]
    return terms.mul(*left) if left else ONE


def _slope_along(t: Term, place: int) -> list[Term]:
    """The factors of the derivative of an operation in one of its arguments."""
    if t.head == "+":
        return []
    if t.head == "*":
        return [*t.args[:place], *t.args[place + 1:]]
    slopes = FUNCTIONS[t.head].slopes if t.head in FUNCTIONS else _PARTIAL.get(t.head, ())
    slope = slopes[place] if slopes else None
    if slope is None:
        raise Rejected(f"no derivative of {str(t)[:80]} is known")
    return [slope(t, *t.args)]


def _written_out(t: Term) -> Term | None:
    """A function that has no derivatives of its own, such as a binomial, by others that do."""
    return FUNCTIONS[t.head].by_others(*t.args) if t.head in FUNCTIONS and not FUNCTIONS[t.head].slopes else None


def _lowered(base: Term, exponent: Term) -> Term:
    """The power with an exponent that is less by 1."""
    if exponent.head != "number":
        return base ** (exponent - ONE)
    less = exponent.value - 1
    return ONE if less == 0 else base if less == 1 else base ** number(less)


def _over_range(t: Term, name: str, of: Derivation) -> Term:
    low, high, body = t.args
    if name in low.variables | high.variables:
        raise Rejected(f"the bounds of {str(t)[:80]} depend on the variable")
    slope = of(body)
    if slope is ZERO:
        return ZERO
    if t.head == "sum":
        return terms.binder("sum", low, high, slope, t.hint)
    return _product([t, terms.binder("sum", low, high, slope / body, t.hint)])


# --- where there are derivatives --------------------------------------------------------------


def need_smooth(term: Term, name: str, goal: Goal) -> None:
    """Every part that depends on the variable is infinitely differentiable in it, wherever the hypotheses
    of the goal hold; Rejected, or an ArithmeticError that says what may be undefined, otherwise.

    >>> x = terms.variable("x")
    >>> goal = Goal((("x", REAL),), (Relation(x, ">=", ZERO),), Relation(x, "==", x))
    >>> need_smooth(apply("log", ONE + x) * x ** TWO, "x", goal)
    >>> need_smooth(apply("sqrt", x), "x", goal)
    Traceback (most recent call last):
    ...
    symdp.kernel.proof.Rejected: sqrt(x) may not be smooth: x ranges over [0, oo)
    """
    Rejected.unless(dict(goal.sorts).get(name) == REAL, f"{name} is no real variable of the goal")
    Rejected.unless(not term.loose, "an index is used outside of its sum")
    Rejected.unless(term.depth <= MOST_DEPTH and term.size <= MOST_SIZE, "the term is too large to differentiate")
    need_defined([term], goal)
    _need_smooth_parts(term, name, goal, set())


def _need_smooth_parts(t: Term, name: str, goal: Goal, seen: set[Term]) -> None:
    if name not in t.variables or t in seen:
        return
    seen.add(t)
    head, args = t.head, t.args
    if head in BINDERS:
        low, high, body = args
        if name in low.variables | high.variables:
            raise Rejected(f"the bounds of {str(t)[:80]} depend on the variable")
        # The body at an index of the range, which is a new integer.
        index = terms.fresh(t.hint or "i", goal.taken | t.variables | t.families)
        i, inner = terms.variable(index), goal.with_variable(index, INTEGER)
        inner = inner.under((*inner.hypotheses, Relation(low, "<=", i), Relation(i, "<=", high)))
        with suppress(Vacuous):  # the range is empty everywhere, and nothing has to be smooth
            _need_smooth_parts(terms.instantiate(body, i), name, inner, set())
        return
    if (product := _written_out(t)) is not None:
        return _need_smooth_parts(product, name, goal, seen)
    if head == "^":
        base, exponent = args
        # To a fixed integer, a power is a polynomial or the inverse of one.
        fixed = name not in exponent.variables and goal.whole(exponent)
        if not fixed:
            _need_inside(base, POSITIVE, t, goal)
    elif head in FUNCTIONS and FUNCTIONS[head].slopes:
        domain = FUNCTIONS[head].domain
        if not (domain.lo_open and domain.hi_open):  # there is no derivative at an end
            _need_inside(args[-1], Range(domain.lo, domain.hi, True, True), t, goal)
    elif head not in ("variable", "+", "*", "-", "neg", "/"):
        raise Rejected(f"{str(t)[:80]} is not known to be differentiable")
    for a in args:
        _need_smooth_parts(a, name, goal, seen)


def _need_inside(part: Term, inside: Range, within: Term, goal: Goal) -> None:
    values = range_on(part, goal)
    if not values.lies_in(inside):
        raise Rejected(f"{str(within)[:80]} may not be smooth: {str(part)[:80]} ranges over {values}")
