r"""Laws of finite sums and products, and the binomial theorem. **Trusted.**

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

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

from symdp.kernel import terms
from symdp.kernel.goals import Each, Formula, Goal, Relation
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.terms import BINDERS, ONE, ZERO, Term, add, apply, binder, is_total, mul, number
from symdp.kernel.terms import instantiate as at

#: More terms than this are not written out, nor is anything of more nodes.
MOST_TERMS, MOST_NODES, MOST_EXPONENT = 300, 100_000, 1000
INDEX = terms.bound(0)
#: What an instance asks for, and what it says.
Instance = tuple[list[Formula], Relation]
LAWS: dict[str, Callable[[Parameters], Instance]] = {}


@rule()
def sum_law(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The conditions of a law of this module, then the claim with the instance of the law known."""
    conditions, instance = conditions_of(parameters["name"], parameters)
    if "exponent" in parameters:  # which no sum has as a bound
        goal.whole.need(parameters["exponent"])
    return [*(goal.claiming(c) for c in conditions), goal.claiming(goal.claim, instance)]


def conditions_of(name: str, parameters: Parameters) -> Instance:
    """What an instance of a law asks for, and what it says."""
    Rejected.unless(name in LAWS, f"there is no law of sums called {str(name)[:40]!r}")
    conditions, instance = LAWS[name](parameters)
    return list(dict.fromkeys(conditions)), instance


def defined(*terms: Term) -> list[Formula]:
    """That these are defined, where it is not plain."""
    return [Relation(t, "==", t) for t in terms if not is_total(t)]


# --- reading parameters -------------------------------------------------------------------------


class Span(NamedTuple):
    """The integers from low to high."""

    low: Term
    high: Term

    def over(self, head: str, body: Term) -> Term:
        return binder(head, *self, body)

    def each(self, left: Term, op: str, right: Term) -> Formula:
        return Each(*self, Relation(left, op, right))

    def filled(self, op: str) -> list[Formula]:
        """A strict relation between sums needs a term."""
        return [Relation(self.low, "<=", self.high)] if op in ("<", ">") else []


def _term(value: Any, loose: int = 0) -> Term:
    if not isinstance(value, Term) or value.loose > loose:
        raise Rejected("a law of sums is about terms, without indices from outside")
    Rejected.unless(value.size <= MOST_NODES, "a term is too large")
    return value


def _body(value: Any) -> Term:
    """A term with one index, ``bound(0)``."""
    return _term(value, 1)


#: How a parameter of a law is read; whatever is not named here is a term without an index. Which words there
#: are for ``head`` and ``op``, binders and relations see to themselves.
_READ: dict[str, Callable[[Any], Any]] = {"body": _body, "closed": _body, "inner": _body, "head": str, "op": str,
    "left": lambda value: None if value is None else _body(value),
    "other": lambda value: [_term(value[0]), _term(value[1]), *map(_body, value[2:])],
    "parts": lambda value: [(c, f) for c, f in value], "reverse": bool}


def _parameter(name: str, given: Parameters) -> Any:
    if name == "span":
        return Span(_term(given["low"]), _term(given["high"]))
    return _READ[name](given[name]) if name in _READ else _term(given[name])


def _law(function: Callable[..., Instance]) -> Callable[..., Instance]:
    names = list(signature(function).parameters)

    def read(given: Parameters) -> Instance:
        return function(*(_parameter(n, {"left": None, "reverse": False, **given}) for n in names))

    LAWS[function.__name__.replace("_", "-")] = read
    return function


def _together(head: str, *parts: Term) -> Term:
    return add(*parts) if head == "sum" else mul(*parts)


# --- comparing term by term ---------------------------------------------------------------------


@_law
def termwise(head: str, span: Span, body: Term, op: str, other: list[Term], reverse: bool) -> Instance:
    """Two sums, or two products, with as many terms, compared term by term.

    ``other`` is [low, high, body]; its terms are met in the same order or, with ``reverse``, from the last
    to the first. Where factors are compared, the smaller ones are not negative. A product of ones is
    written as 1, so that this also compares a product with 1; and that the terms are equal to themselves
    says that a sum of them is defined.
    """
    start, end, second = other
    if reverse:
        partner = at(second, end + span.low - INDEX)
    else:
        partner = second if start is span.low else at(second, INDEX + (start - span.low))
    conditions = [span.each(body, op, partner)]
    if span == (start, end):
        conditions += defined(*span)
    else:
        conditions.append(Relation(start + span.high, "==", end + span.low))
    if head == "product" and op != "==":
        conditions.append(span.each(ZERO, "<=", body if op in ("<=", "<") else partner))
    right = ONE if head == "product" and second is ONE else binder(head, start, end, second)
    return conditions + span.filled(op), Relation(span.over(head, body), op, right)


@_law
def combination(span: Span, op: str, parts: list[tuple[Any, Any]], left: Term | None) -> Instance:
    """``0 op sum of c f`` for each term gives ``0 op sum of c sum(f)``; with ``left``, that body for 0.

    ``parts`` are [c, f], where c has no index, or None for 1. This is linearity, and the sign of a sum.
    """
    Rejected.unless(parts, "a combination of nothing")
    known = [(None if c is None else _term(c), _body(f)) for c, f in parts]
    inside = add(*(f if c is None else c * f for c, f in known))
    outside = add(*(span.over("sum", f) if c is None else c * span.over("sum", f) for c, f in known))
    conditions = [span.each(ZERO if left is None else left, op, inside),
                  *defined(*span, *(c for c, _ in known if c is not None)), *span.filled(op)]
    return conditions, Relation(ZERO if left is None else span.over("sum", left), op, outside)


@_law
def product_sign(span: Span, body: Term, op: str) -> Instance:
    """A product of factors that are not negative, or positive, is so."""
    Rejected.unless(op in ("<=", "<"), "a product is compared with 0 from above")
    return [span.each(ZERO, op, body), *defined(*span)], Relation(ZERO, op, span.over("product", body))


# --- ranges ---------------------------------------------------------------------------------------


@_law
def parted(head: str, span: Span, body: Term, middle: Term, after: Term) -> Instance:
    """A range in two: up to ``middle``, and from ``after`` on. Either may be empty, no more. If the first
    ends where it begins, it is written as its only term, and so is the second."""
    whole, (low, high) = span.over(head, body), span
    parts = (at(body, begin) if begin is end else binder(head, begin, end, body)
             for begin, end in ((low, middle), (after, high)))
    return ([Relation(after, "==", middle + ONE), Relation(low, "<=", after), Relation(middle, "<=", high),
             *defined(whole)], Relation(whole, "==", _together(head, *parts)))


@_law
def written_out(head: str, span: Span, body: Term) -> Instance:
    """A range between two numbers, term by term."""
    Rejected.unless(all(t.head == "number" and t.value.q == 1 for t in span), "the range has no two integers as ends")
    begin, end = (int(t.value.p) for t in span)
    Rejected.unless(end - begin < MOST_TERMS and (end - begin + 1) * body.size <= MOST_NODES, "too many terms")
    values = [at(body, number(i)) for i in range(begin, end + 1)]
    whole = _together(head, *values) if values else ZERO if head == "sum" else ONE
    return defined(whole), Relation(span.over(head, body), "==", whole)


@_law
def constant(head: str, span: Span, value: Term) -> Instance:
    """The same term, as often as there are integers in the range: that number must not be negative."""
    count = span.high - span.low + ONE
    whole = count * value if head == "sum" else value ** count
    return [Relation(ZERO, "<=", count), *defined(value)], Relation(span.over(head, value), "==", whole)


@_law
def exchange(sum: Term) -> Instance:
    """The order of a double sum or product: over a rectangle, or one of two triangles."""
    Rejected.unless(sum.head in BINDERS and sum.args[2].head == sum.head, "there are no two sums to be exchanged")
    low, high, (start, end, body) = *sum.args[:2], sum.args[2].args
    conditions, outer = defined(sum), (low, high)
    if not start.loose and not end.loose:
        conditions, outer, within = [*conditions, *defined(start, end)], (start, end), (low, high)
    elif start is low and end is INDEX:
        within = (INDEX, high)
    elif start is INDEX and end is high:
        within = (low, INDEX)
    else:
        raise Rejected("the inner range is neither fixed nor one side of a triangle")
    i = terms.fresh("i", body.variables)
    j = terms.fresh("j", body.variables | {i})
    named = at(at(body, terms.variable(j)), terms.variable(i))
    turned = terms.close(terms.close(named, j), i)  # now i is the inner index
    return conditions, Relation(sum, "==", binder(sum.head, *outer, binder(sum.head, *within, turned)))


@_law
def telescope(span: Span, body: Term, closed: Term, op: str) -> Instance:
    """Terms that compare with the steps of ``closed``: their sum compares with its rise."""
    top, bottom = at(closed, span.high), at(closed, span.low - ONE)
    return ([Relation(span.low, "<=", span.high + ONE), span.each(body, op, closed - at(closed, INDEX - ONE)),
             *defined(top, bottom), *span.filled(op)], Relation(span.over("sum", body), op, top - bottom))


# --- products, exponentials and logarithms ---------------------------------------------------------


@_law
def factors(span: Span, body: Term, parts: list[tuple[Any, Any]]) -> Instance:
    """Factors that are products of powers; ``parts`` are [body, exponent] with integers other than 0."""
    if not parts or any(type(n) is not int or not 0 < abs(n) <= MOST_EXPONENT for _, n in parts):
        raise Rejected("a product of powers has integers other than 0 as exponents")
    known = [(_body(f), n) for f, n in parts]
    inside = mul(*(_power(f, n) for f, n in known))
    outside = mul(*(_power(span.over("product", f), n) for f, n in known))
    return ([span.each(body, "==", inside), *defined(*span)], Relation(span.over("product", body), "==", outside))


def _power(base: Term, n: int) -> Term:
    return base if n == 1 else base ** number(n)


@_law
def product_of_exponentials(span: Span, body: Term, inner: Term) -> Instance:
    """A product of exp(f) is exp of the sum of f."""
    return ([span.each(body, "==", apply("exp", inner)), *defined(*span)],
            Relation(span.over("product", body), "==", apply("exp", span.over("sum", inner))))


@_law
def log_of_product(span: Span, body: Term) -> Instance:
    """The logarithm of a product of positive factors."""
    whole, logs = span.over("product", body), span.over("sum", apply("log", body))
    return [span.each(ZERO, "<", body), *defined(*span)], Relation(apply("log", whole), "==", logs)


# --- powers -----------------------------------------------------------------------------------------


@_law
def binomial_theorem(exponent: Term, x: Term, y: Term) -> Instance:
    """(x + y)^n, written out in powers of x and y; for all real x and y, with 0^0 = 1."""
    body = apply("binomial", exponent, INDEX) * x ** INDEX * y ** (exponent - INDEX)
    return ([Relation(ZERO, "<=", exponent), *defined(x, y)],
            Relation((x + y) ** exponent, "==", binder("sum", ZERO, exponent, body)))
