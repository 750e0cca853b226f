r"""Taylor coefficients of any function of the table, from its derivative there.

A record says what $f'$ is in terms of $f$ and its argument. With $u = c + s$ that determines the
coefficients of $f(u)$ in powers of $s$ one after another, by the rules for sums, products, quotients
and powers of series. Where $c$ is an exact expression, so are they. Where $c$ is a ball, they hold
$f^{(j)}(\xi)/j!$ for every $\xi$ in it, which bounds a remainder by Taylor's theorem.

>>> import sympy
>>> exact_coefficients("asin", [sympy.Integer(0)], 6)
[0, 1, 0, 1/6, 0, 3/40]
>>> exact_coefficients("loggamma", [sympy.Integer(1)], 6)  # digamma and trigamma have names; no further one does
[0, digamma(1), trigamma(1)/2]
>>> print(largest_coefficient("atan", [Range.between(-1, 1)], 3).str(2, radius=False))  # it is 1/3
0.33
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import sympy
from flint import arb
from sympy import Expr, Rational

from symdp.arguments.series.neighbourhood import Narrower, larger, tidy
from symdp.formulas.functions import SYMPY, ball_function
from symdp.kernel.terms import FUNCTIONS, ONE, Term, apply, mul, number, variable
from symdp.kernel.values.ranges import Range

#: A bound is the largest of those on so many pieces of a range, since a wide ball knows little.
PIECES = 64
#: The argument that moves, and the names of those that do not.
MOVING, FIXED = "#", "#{}"


class Nameless(ArithmeticError):
    """A derivative exists, but is no term."""


class _Coefficients:
    """Those of terms in s, where the moving argument is c + s; numbers are SymPy's or Arb's."""

    def __init__(self, given: dict[str, Any], number_of: Callable[[Any], Any],
                 value_of: Callable[..., Any], tidied: Callable[[Any], Any]) -> None:
        self.given, self.number_of, self.value_of, self.tidied = given, number_of, value_of, tidied
        self._known: dict[tuple[Term, int], Any] = {}

    def __call__(self, term: Term, j: int) -> Any:
        if (term, j) not in self._known:
            self._known[term, j] = self.tidied(self._made(term, j))
        return self._known[term, j]

    def _made(self, term: Term, j: int) -> Any:
        head, args = term.head, term.args
        if j > 0 and (not args or MOVING not in term.variables):
            return self.number_of(int(j == 1 and head == "variable" and term.value == MOVING))
        if not args:
            return self.given[term.value] if head == "variable" else (
                self.number_of(term.value) if head == "number" else self.value_of(head))
        if head in ("+", "-"):
            first, *others = (self(a, j) for a in args)
            return sum(others, first) if head == "+" else first - others[0]
        if head == "neg":
            return -self(args[0], j)
        if head == "*":
            rest = mul(*args[1:])
            return self._sum(self(args[0], i) * self(rest, j - i) for i in range(j + 1))
        if head == "/":
            known = self._sum(self(term, i) * self(args[1], j - i) for i in range(j))
            return (self(args[0], j) - known) / self(args[1], 0)
        return self._power(term, j) if head == "^" else self._function(term, j)

    def _sum(self, parts: Any) -> Any:
        return sum(parts, self.number_of(0))

    def _power(self, term: Term, j: int) -> Any:
        """With r = b^p, b r' = p b' r."""
        base, exponent = term.args
        if MOVING in exponent.variables:
            return self(apply("exp", exponent * apply("log", base)), j)
        if exponent.head == "number" and exponent.value.q == 1 and exponent.value > 0:
            return self(base if exponent is ONE else base * base ** number(exponent.value - 1), j)
        p, lead = self(exponent, 0), self(base, 0)
        if j == 0:
            return lead**p
        return self._sum((i * p - (j - i)) * self(base, i) * self(term, j - i) for i in range(1, j + 1)) / (j * lead)

    def _function(self, term: Term, j: int) -> Any:
        """With h = f(g), h' = f'(g) g'."""
        *fixed, inside = term.args
        if j == 0:
            return self.value_of(term.head, *(self(a, 0) for a in term.args))
        record = FUNCTIONS[term.head]
        if any(MOVING in a.variables for a in fixed):
            raise Nameless(f"{term.head} is known along its last argument alone")
        if not record.slopes and (same := record.by_others(*term.args)) is not None:
            return self(same, j)
        slope = record.slopes[-1] if record.slopes else None
        if slope is None:
            raise Nameless(f"the derivative of {term.head} has no name")
        along = slope(term, *term.args)
        return self._sum(i * self(inside, i) * self(along, j - i) for i in range(1, j + 1)) / j


def _term(name: str, count: int) -> Term:
    return apply(name, *(variable(FIXED.format(i)) for i in range(count - 1)), variable(MOVING))


def _given(arguments: Sequence[Any]) -> dict[str, Any]:
    *fixed, moving = arguments
    return {MOVING: moving, **{FIXED.format(i): a for i, a in enumerate(fixed)}}


def exact_coefficients(name: str, arguments: Sequence[Expr], n: int) -> list[Expr]:
    """f^(j)/j! along the last argument for j < n: fewer, where a derivative has no name."""
    def value(head: str, *args: Expr) -> Expr:
        return SYMPY[head](*args) if head in SYMPY else {"e": sympy.E, "pi": sympy.pi}[head]

    def exact(value: Any) -> Rational:
        return Rational(int(value.p), int(value.q)) if hasattr(value, "p") else Rational(value)

    series, found = _Coefficients(_given(arguments), exact, value, tidy), []
    for j in range(n):
        try:
            found.append(series(_term(name, len(arguments)), j))
        except Nameless:
            break
    return found


def largest_coefficient(name: str, ranges: Sequence[Range], n: int) -> arb:
    """A bound of |f^(n)/n!| along the last argument on its range, the others anywhere in theirs."""
    def value(head: str, *args: arb) -> arb:
        return ball_function(head)(*args) if head in FUNCTIONS else {"e": arb.const_e(), "pi": arb.pi()}[head]

    *fixed, on = ranges
    around = [r.lo.union(r.hi) for r in fixed]
    ends = [on.lo + (on.hi - on.lo) * i / PIECES for i in range(PIECES)] + [on.hi]
    most = arb(0)
    for low, high in pairwise(ends):
        series = _Coefficients(_given([*around, low.union(high)]), arb, value, lambda ball: ball)
        size = abs(series(_term(name, len(ranges)), n))
        if not size.is_finite():
            raise Narrower(f"the derivatives of {name} are not bounded")
        most = larger(most, size.upper())
    return most
