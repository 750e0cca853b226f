"""Random terms, boxes and points, for property tests."""

from flint import fmpq
from hypothesis import strategies as st
from products import product_over

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.terms import (
    ONE,
    ZERO,
    apply,
    constant,
    number,
    subterms,
    sum_over,
    variable,
)
from symdp.kernel.values.points import holds_at

x, y, k = variable("x"), variable("y"), variable("k")
small = st.fractions(min_value=-4, max_value=4, max_denominator=9).map(
    lambda f: fmpq(f.numerator, f.denominator))
UNARY = ("exp log sqrt abs sinh cosh tanh sin cos erf erfc Phi gamma loggamma floor neg").split()


def _extend(children):
    unary = st.tuples(st.sampled_from(UNARY), children).map(lambda t: apply(*t))
    binary = st.tuples(st.sampled_from("+ - * / ^ min max binomial".split()), children, children).map(
        lambda t: apply(*t))
    powers = st.tuples(children, st.sampled_from([-3, -2, -1, 0, 2, 3, fmpq(2, 3), fmpq(-1, 2)])).map(
        lambda t: t[0] ** number(fmpq(t[1])))
    whole = children.map(lambda t: t**k)
    chosen = st.tuples(children, st.integers(0, 4)).map(lambda t: apply("binomial", t[0], number(t[1])))
    sums = st.tuples(st.sampled_from([sum_over, product_over]), children, st.integers(-1, 2),
                     st.sampled_from([k, number(3), k + k, number(-2)])).map(
        lambda t: t[0]("i", number(t[2]), t[3], t[1] * variable("i") + number(1, 2)))
    return st.one_of(unary, unary, binary, binary, powers, whole, chosen, sums)


leaves = st.one_of(st.sampled_from([x, y, k, constant("e"), constant("pi")]), small.map(number))
terms = st.recursive(leaves, _extend, max_leaves=6)


@st.composite
def ends(draw):
    """Bounds of one variable: lower, upper (None is infinite) and whether they are open."""
    low, high = sorted((draw(small), draw(small)))
    if low == high:
        return low, high, False, False
    lower = draw(st.sampled_from([low, low, low, None]))
    upper = draw(st.sampled_from([high, high, high, None]))
    return lower, upper, draw(st.booleans()), draw(st.booleans())


def bounds(v, end):
    lower, upper, lower_open, upper_open = end
    if lower is not None:
        yield Relation(v, ">" if lower_open else ">=", number(lower))
    if upper is not None:
        yield Relation(number(upper), ">" if upper_open else ">=", v)


def goal_on(*box):
    """A goal in x, y (real) and k (an integer) with these bounds."""
    names = (("x", REAL), ("y", REAL), ("k", INTEGER))
    given = [h for (name, _), end in zip(names, box, strict=False) for h in bounds(variable(name), end)]
    return Goal(names, tuple(given), Relation(ZERO, "<=", ONE))


def inside(end, rng, whole=False, rational=fmpq):
    """A point between the ends, in FLINT's rational numbers or others."""
    lower, upper, lower_open, upper_open = end
    if whole:
        low = -5 if lower is None else int(lower.floor()) + (lower_open or lower.q != 1)
        high = low + 6 if upper is None else int(upper.ceil()) - (upper_open or upper.q != 1)
        return None if low > high else fmpq(rng.randint(low, high))
    if lower is None and upper is None:
        return rational(rng.randint(-900, 900), rng.randint(1, 30))
    if lower is None:
        return upper - rational(rng.randint(1, 900), rng.randint(1, 30))
    if upper is None:
        return lower + rational(rng.randint(1, 900), rng.randint(1, 30))
    t = rational(rng.randint(0, 64), 64)
    if (t == 0 and lower_open) or (t == 1 and upper_open):
        t = rational(1, 1000)
    return lower + (upper - lower) * t


def holds(formula, point):
    """What holds at a point, also for a claim about every integer of a range without an end: if the index
    only says which member is meant, all integers that are in no table are alike."""
    if isinstance(formula, Each) and (formula.low is None or formula.high is None):
        index = variable("#")
        parts = [part for t in formula.at(index).terms() for part in subterms(t) if t is not index]
        if index in formula.at(index).terms() or any(p.head != "member" and index in p.args for p in parts):
            return None
        known = {i for family in point.families.values() for i in family.table} | {0}
        first, last = number(min(known) - 1), number(max(known) + 1)
        low = formula.low or (first if formula.high is None else apply("min", formula.high, first))
        high = formula.high or (last if formula.low is None else apply("max", formula.low, last))
        formula = Each(low, high, formula.body)
    return holds_at(formula, point)
