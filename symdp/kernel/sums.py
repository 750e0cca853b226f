r"""Laws of finite sums and products, powers and binomial coefficients. **Trusted.**

The rule ``sum-law`` has the name of a law and the terms of one instance of it. What it leaves open is, in
this order, the conditions of the law, each as a goal under the same hypotheses, and then the claim with the
instance as one more hypothesis. The instance is made here, from the terms; nothing in it can be chosen
freely. A condition on the terms of a sum is an :class:`Each` over its range: it speaks of every term, and
of nothing outside of the range, so that a body may be undefined there.

>>> from symdp.kernel.terms import bound, member, number, variable
>>> conditions, instance = conditions_of("termwise", {
...     "head": "sum", "low": number(1), "high": variable("k"), "body": bound(0), "op": "<=",
...     "other": [number(1), variable("k"), member("a", bound(0))]})
>>> for formula in (*conditions, instance): print(formula)
i <= a[i] for every integer 1 <= i <= k
sum(i, i = 1..k) <= sum(a[i], i = 1..k)

The sum over an empty range is 0 and the product 1; a range is empty where its end is less than its
beginning, and then the body need not be defined. Since a relation holds only where both of its sides are
defined, each law also asks for what its instance needs to be defined: as a condition ``t == t``, left out
where no operation of ``t`` is partial. So it is with bounds such as ``floor(log(x))``: an ``Each`` over a
range without a meaning is not relied upon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symdp.kernel.goals import Each, Formula, Goal, Relation
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    add,
    apply,
    binder,
    bound,
    instantiate,
    mul,
    number,
    subterms,
)

#: More terms than this are not written out, nor is anything of more nodes.
MOST_TERMS, MOST_NODES = 300, 100_000
MOST_EXPONENT = 1000
_STRICT = ("<", ">")
#: Operations that are defined wherever their arguments are.
_TOTAL = frozenset(["number", "variable", "bound", "pi", "e", "member", "+", "-", "*", "neg", "exp", "abs",
                    "min", "max", "sinh", "cosh", "tanh", "sin", "cos", "erf", "erfc", "Phi", "floor",
                    *BINDERS])
Law = Callable[[Parameters], tuple[list[Formula], Relation]]
LAWS: dict[str, Law] = {}


@rule()
def sum_law(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The conditions of a law of this module, then the claim with the instance of the law known."""
    conditions, instance = conditions_of(parameters["name"], parameters)
    for whole in _integers_of(parameters):
        goal.whole.need(whole)
    return [*(goal.claiming(c) for c in conditions), goal.claiming(goal.claim, instance)]


def conditions_of(name: str, parameters: Parameters) -> tuple[list[Formula], Relation]:
    """What an instance of a law asks for, and what it says."""
    if name not in LAWS:
        raise Rejected(f"there is no law of sums called {str(name)[:40]!r}")
    conditions, instance = LAWS[name](parameters)
    return list(dict.fromkeys(conditions)), instance


def _law(function: Law) -> Law:
    LAWS[function.__name__.strip("_").replace("_", "-")] = function
    return function


def is_total(term: Term) -> bool:
    """Whether it is defined at every point, seen from its operations alone.

    >>> from symdp.kernel.terms import variable
    >>> x = variable("x")
    >>> is_total(x * x - number(1)), is_total(x / x), is_total(x / number(2))
    (True, False, True)
    """
    for t in subterms(term):
        literal = t.args[1].value if len(t.args) == 2 and t.args[1].head == "number" else None
        if t.head in ("^", "binomial"):
            if literal is None or literal.q != 1 or literal < 0:
                return False
        elif t.head == "/":
            if literal is None or literal == 0:
                return False
        elif t.head not in _TOTAL:
            return False
    return True


def defined(*terms: Term) -> list[Formula]:
    """That these are defined, where it is not plain."""
    return [Relation(t, "==", t) for t in terms if not is_total(t)]


# --- reading parameters -------------------------------------------------------------------------


def _term(parameters: Parameters, name: str) -> Term:
    return _read(parameters[name], 0)


def _body(parameters: Parameters, name: str = "body") -> Term:
    """A term with one index, ``bound(0)``."""
    return _read(parameters[name], 1)


def _read(value: Any, loose: int) -> Term:
    if not isinstance(value, Term) or value.loose > loose:
        raise Rejected("a law of sums is about terms, without indices from outside")
    if value.size > MOST_NODES:
        raise Rejected("a term is too large")
    return value


def _range(parameters: Parameters) -> tuple[Term, Term]:
    return _term(parameters, "low"), _term(parameters, "high")


def _head(parameters: Parameters) -> str:
    head = parameters["head"]
    if head not in BINDERS:
        raise Rejected("a law is about sums or products")
    return str(head)


def _op(parameters: Parameters) -> str:
    op = parameters["op"]
    if op not in ("<=", "<", "==", ">=", ">"):
        raise Rejected(f"{str(op)[:20]!r} is no relation")
    return str(op)


def _integers_of(parameters: Parameters) -> list[Term]:
    """What must visibly be an integer although no sum has it as a bound."""
    return [_term(parameters, name) for name in ("above", "below", "exponent") if name in parameters]


def _at(body: Term, index: Term) -> Term:
    return instantiate(body, index)


def _each(low: Term, high: Term, left: Term, op: str, right: Term) -> Each:
    return Each(low, high, Relation(left, op, right))


def _together(head: str, *parts: Term) -> Term:
    return add(*parts) if head == "sum" else mul(*parts)


def _filled(op: str, low: Term, high: Term) -> list[Formula]:
    """A strict relation between sums needs a term."""
    return [Relation(low, "<=", high)] if op in _STRICT else []


_I = bound(0)


# --- comparing term by term ---------------------------------------------------------------------


@_law
def termwise(p: Parameters) -> tuple[list[Formula], Relation]:
    """Two sums, or two products, with as many terms, compared term by term.

    ``other`` is [low, high, body]; its terms are met in the same order or, with ``reverse``, from the last
    to the first. Where factors are compared, the smaller ones are not negative.
    """
    head, (low, high), body, op = _head(p), _range(p), _body(p), _op(p)
    start, end, second = p["other"]
    start, end, second = _read(start, 0), _read(end, 0), _read(second, 1)
    if p.get("reverse", False):
        partner = _at(second, end + low - _I)
    else:
        partner = second if start is low else _at(second, _I + (start - low))
    conditions: list[Formula] = [_each(low, high, body, op, partner)]
    if start is low and end is high:
        conditions += defined(low, high)
    else:
        conditions.append(Relation(start + high, "==", end + low))
    if head == "product" and op != "==":
        smaller = body if op in ("<=", "<") else partner
        conditions.append(_each(low, high, ZERO, "<=", smaller))
    conditions += _filled(op, low, high)
    return conditions, Relation(binder(head, low, high, body), op, binder(head, start, end, second))


@_law
def combination(p: Parameters) -> tuple[list[Formula], Relation]:
    """``0 op sum of c f`` for each term gives ``0 op sum of c sum(f)``; with ``left``, that body for 0.

    ``parts`` are [c, f], where c has no index, or None for 1. This is linearity, and the sign of a sum.
    """
    (low, high), op = _range(p), _op(p)
    left = _body(p, "left") if p.get("left") is not None else None
    parts = [(None if c is None else _read(c, 0), _read(f, 1)) for c, f in p["parts"]]
    if not parts:
        raise Rejected("a combination of nothing")
    inside = add(*(f if c is None else c * f for c, f in parts))
    sums = ((c, binder("sum", low, high, f)) for c, f in parts)
    outside = add(*(s if c is None else c * s for c, s in sums))
    conditions = [_each(low, high, ZERO if left is None else left, op, inside),
                  *defined(low, high, *(c for c, _ in parts if c is not None)), *_filled(op, low, high)]
    whole = ZERO if left is None else binder("sum", low, high, left)
    return conditions, Relation(whole, op, outside)


@_law
def product_sign(p: Parameters) -> tuple[list[Formula], Relation]:
    """A product of factors that are not negative, or positive, is so."""
    (low, high), body, op = _range(p), _body(p), _op(p)
    if op not in ("<=", "<"):
        raise Rejected("a product is compared with 0 from above")
    return ([_each(low, high, ZERO, op, body), *defined(low, high)],
            Relation(ZERO, op, binder("product", low, high, body)))


@_law
def product_one(p: Parameters) -> tuple[list[Formula], Relation]:
    """A product of factors on one side of 1 is there, too; below 1, they must not be negative."""
    (low, high), body, op = _range(p), _body(p), _op(p)
    conditions: list[Formula] = [_each(low, high, body, op, ONE), *defined(low, high)]
    if op in ("<=", "<"):
        conditions.append(_each(low, high, ZERO, "<=", body))
    return conditions + _filled(op, low, high), Relation(binder("product", low, high, body), op, ONE)


@_law
def defined_terms(p: Parameters) -> tuple[list[Formula], Relation]:
    """A sum or product is defined if its terms are."""
    head, (low, high), body = _head(p), _range(p), _body(p)
    whole = binder(head, low, high, body)
    return [_each(low, high, body, "==", body), *defined(low, high)], Relation(whole, "==", whole)


# --- ranges ---------------------------------------------------------------------------------------


@_law
def first(p: Parameters) -> tuple[list[Formula], Relation]:
    """The first term split off; the others begin at ``next``."""
    head, (low, high), body, after = _head(p), _range(p), _body(p), _term(p, "next")
    whole = binder(head, low, high, body)
    return ([Relation(after, "==", low + ONE), Relation(low, "<=", high), *defined(whole)],
            Relation(whole, "==", _together(head, _at(body, low), binder(head, after, high, body))))


@_law
def last(p: Parameters) -> tuple[list[Formula], Relation]:
    """The last term split off; the others end at ``before``."""
    head, (low, high), body, before = _head(p), _range(p), _body(p), _term(p, "before")
    whole = binder(head, low, high, body)
    return ([Relation(high, "==", before + ONE), Relation(low, "<=", high), *defined(whole)],
            Relation(whole, "==", _together(head, binder(head, low, before, body), _at(body, high))))


@_law
def parted(p: Parameters) -> tuple[list[Formula], Relation]:
    """A range in two: up to ``middle``, and from ``next`` on. Either may be empty, no more."""
    head, (low, high), body = _head(p), _range(p), _body(p)
    middle, after = _term(p, "middle"), _term(p, "next")
    whole = binder(head, low, high, body)
    return ([Relation(after, "==", middle + ONE), Relation(low, "<=", after), Relation(middle, "<=", high),
             *defined(whole)],
            Relation(whole, "==", _together(
                head, binder(head, low, middle, body), binder(head, after, high, body))))


@_law
def written_out(p: Parameters) -> tuple[list[Formula], Relation]:
    """A range between two numbers, term by term."""
    head, (low, high), body = _head(p), _range(p), _body(p)
    if not (low.head == high.head == "number" and low.value.q == high.value.q == 1):
        raise Rejected("only a range between two integers is written out")
    begin, end = int(low.value.p), int(high.value.p)
    if end - begin >= MOST_TERMS or (end - begin + 1) * body.size > MOST_NODES:
        raise Rejected("there are too many terms to write them out")
    values = [_at(body, number(i)) for i in range(begin, end + 1)]
    whole = _together(head, *values) if values else ZERO if head == "sum" else ONE
    return defined(whole), Relation(binder(head, low, high, body), "==", whole)


@_law
def constant(p: Parameters) -> tuple[list[Formula], Relation]:
    """The same term, as often as there are integers in the range: that number must not be negative."""
    head, (low, high), value = _head(p), _range(p), _term(p, "value")
    count = high - low + ONE
    whole = count * value if head == "sum" else value ** count
    return ([Relation(ZERO, "<=", count), *defined(value)],
            Relation(binder(head, low, high, value), "==", whole))


@_law
def telescope(p: Parameters) -> tuple[list[Formula], Relation]:
    """Terms that compare with the steps of ``closed``: their sum compares with its rise."""
    (low, high), body, closed, op = _range(p), _body(p), _body(p, "closed"), _op(p)
    top, bottom = _at(closed, high), _at(closed, low - ONE)
    conditions = [Relation(low, "<=", high + ONE),
                  _each(low, high, body, op, closed - _at(closed, _I - ONE)),
                  *defined(top, bottom), *_filled(op, low, high)]
    return conditions, Relation(binder("sum", low, high, body), op, top - bottom)


# --- products, exponentials and logarithms ---------------------------------------------------------


@_law
def factors(p: Parameters) -> tuple[list[Formula], Relation]:
    """Factors that are products of powers; ``parts`` are [body, exponent] with integers other than 0."""
    (low, high), body = _range(p), _body(p)
    parts = [(_read(f, 1), n) for f, n in p["parts"]]
    if not parts or any(type(n) is not int or not 0 < abs(n) <= MOST_EXPONENT for _, n in parts):
        raise Rejected("a product of powers has integers other than 0 as exponents")
    inside = mul(*(_power(f, n) for f, n in parts))
    outside = mul(*(_power(binder("product", low, high, f), n) for f, n in parts))
    return ([_each(low, high, body, "==", inside), *defined(low, high)],
            Relation(binder("product", low, high, body), "==", outside))


def _power(base: Term, n: int) -> Term:
    return base if n == 1 else base ** number(n)


@_law
def product_of_exponentials(p: Parameters) -> tuple[list[Formula], Relation]:
    """A product of exp(f) is exp of the sum of f."""
    (low, high), body, inner = _range(p), _body(p), _body(p, "inner")
    total = binder("sum", low, high, inner)
    return ([_each(low, high, body, "==", apply("exp", inner)), *defined(low, high)],
            Relation(binder("product", low, high, body), "==", apply("exp", total)))


@_law
def log_of_product(p: Parameters) -> tuple[list[Formula], Relation]:
    """The logarithm of a product of positive factors."""
    (low, high), body = _range(p), _body(p)
    return ([_each(low, high, ZERO, "<", body), *defined(low, high)],
            Relation(apply("log", binder("product", low, high, body)), "==",
                     binder("sum", low, high, apply("log", body))))


# --- theorems -------------------------------------------------------------------------------------


@_law
def binomial_theorem(p: Parameters) -> tuple[list[Formula], Relation]:
    """(x + y)^n, written out in powers of x and y; for all real x and y, with 0^0 = 1."""
    n, x, y = _term(p, "exponent"), _term(p, "left"), _term(p, "right")
    body = apply("binomial", n, _I) * x ** _I * y ** (n - _I)
    return ([Relation(ZERO, "<=", n), *defined(x, y)],
            Relation((x + y) ** n, "==", binder("sum", ZERO, n, body)))


@_law
def choose_positive(p: Parameters) -> tuple[list[Formula], Relation]:
    """A binomial coefficient of integers 0 <= m <= n is at least 1."""
    n, m = _term(p, "above"), _term(p, "below")
    return [Relation(ZERO, "<=", m), Relation(m, "<=", n)], Relation(ONE, "<=", apply("binomial", n, m))


@_law
def power_of_fraction(p: Parameters) -> tuple[list[Formula], Relation]:
    """A power with a positive integer as exponent of a base between 0 and 1 is at most the base."""
    base, n = _term(p, "base"), _term(p, "exponent")
    return ([Relation(ONE, "<=", n), Relation(ZERO, "<=", base), Relation(base, "<=", ONE)],
            Relation(base ** n, "<=", base))


@_law
def power_of_large(p: Parameters) -> tuple[list[Formula], Relation]:
    """A power with a positive integer as exponent of a base of at least 1 is at least the base."""
    base, n = _term(p, "base"), _term(p, "exponent")
    return [Relation(ONE, "<=", n), Relation(ONE, "<=", base)], Relation(base, "<=", base ** n)


@_law
def power_sign(p: Parameters) -> tuple[list[Formula], Relation]:
    """A power of a base that is not negative, with an integer that is not negative, is not negative."""
    base, n = _term(p, "base"), _term(p, "exponent")
    return [Relation(ZERO, "<=", n), Relation(ZERO, "<=", base)], Relation(ZERO, "<=", base ** n)


def names() -> Sequence[str]:
    """The laws there are."""
    return sorted(LAWS)
