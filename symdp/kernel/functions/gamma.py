r"""The Gamma function for positive arguments, its logarithm and the derivatives of that, binomial coefficients, and
$\Gamma(s,x)=\int_x^\infty t^{s-1}e^{-t}\,dt$ for x > 0, and for x = 0 if s > 0."""

from functools import partial

from flint import arb

from symdp.kernel import terms
from symdp.kernel.functions import record
from symdp.kernel.functions.record import PI, TWO, UP, WHOLE_LINE, Function, exp, log, sqrt
from symdp.kernel.goals import Whole
from symdp.kernel.terms import ONE, ZERO, Term, apply, falling, number
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import NOT_NEGATIVE, POS_INF, POSITIVE, Range, Undefined, down, up

HALF = number(1, 2)


def _at_a_pole(a: Range) -> bool:
    return a.exact is not None and a.exact.q == 1 and a.exact <= 0


def _next(name: str, u: Term) -> Term | None:
    """The value at a small number from that at the number before; and those that are known."""
    if u.head != "number" or not 1 < u.value <= 20:
        return _KNOWN.get((name, u))
    return terms.FUNCTIONS[name].onward(apply(name, _less(u)), _less(u))  # type: ignore[misc]


_KNOWN = {("gamma", HALF): sqrt(PI), ("trigamma", HALF): PI**TWO / TWO, ("trigamma", ONE): PI**TWO / number(6)}
GAMMA = Function("gamma", (UP, UP), (lambda u: ONE / u, None), (lambda t, u: t * apply("digamma", u),), POSITIVE,
                 partial(_next, "gamma"), None, ranges.gamma, onward=lambda t, u: u * t, positive=True, tex=r"\Gamma")
LOGGAMMA = Function("loggamma", (UP, UP), (lambda u: -log(u), lambda u: u * log(u)),
                    (lambda t, u: apply("digamma", u),), POSITIVE, lambda u: log(apply("gamma", u)), arb.lgamma,
                    ranges.log_gamma, onward=lambda t, u: t + log(u), aliases=("lgamma",))
DIGAMMA = Function("digamma", WHOLE_LINE, (lambda u: -(ONE / u), log), (lambda t, u: apply("trigamma", u),), POSITIVE,
                   partial(_next, "digamma"), onward=lambda t, u: t + ONE / u, nowhere=_at_a_pole)
TRIGAMMA = Function("trigamma", (UP, ZERO), (lambda u: ONE / u**TWO, lambda u: ONE / u), (None,), POSITIVE,
                    partial(_next, "trigamma"), arb(2).zeta, onward=lambda t, u: t - ONE / u**TWO,
                    nowhere=_at_a_pole, positive=True)


# --- the upper incomplete one ---------------------------------------------------------------------


def _upper_range(s: Range, x: Range, part: Term) -> Range:
    """It falls in x. In s it is convex; the integral from 1 on grows, and that from x < 1 to 1 falls."""
    if not (x.is_positive() or (x.is_nonnegative() and s.is_positive())):
        raise Undefined(part, x, certain=x.is_zero() and s.is_nonpositive())
    high, low, one = POS_INF, ranges.ZERO, ranges.ONE
    if x.lo > 0 or s.lo > 0:
        high = max(up(x.lo.gamma_upper(end)) for end in ((s.hi,) if x.lo >= 1 else (s.lo, s.hi)))
    if x.hi < 1 and s.lo < s.hi:
        low = down(one.gamma_upper(s.lo) + x.hi.gamma_upper(s.hi) - one.gamma_upper(s.hi))
    elif x.hi < POS_INF:
        low = down(x.hi.gamma_upper(s.lo))
    return Range(low, high, x.hi_open, x.lo_open).meet(POSITIVE)


def _less(s: Term) -> Term:
    return number(s.value - 1) if s.head == "number" else s - ONE


def _integrand(s: Term, x: Term) -> Term:
    return x ** _less(s) * exp(-x)


def _written_out(s: Term, x: Term) -> Term | None:
    """Of a small half of an integer, by the recurrence from s = 1 or s = 1/2 on."""
    if s.head != "number" or s.value.q > 2 or not 0 < s.value <= 20:
        return None
    if s.value > 1:
        return _less(s) * apply("uppergamma", _less(s), x) + _integrand(s, x)
    return exp(-x) if s is ONE else sqrt(PI) * apply("erfc", sqrt(x))


UPPERGAMMA = Function("uppergamma", (None, ZERO), (None, _integrand), (None, lambda t, s, x: -_integrand(s, x)),
                      NOT_NEGATIVE, _written_out, lambda s, x: x.gamma_upper(s), _upper_range, arity=2, positive=True,
                      tex=r"\Gamma")


# --- binomial coefficients ------------------------------------------------------------------------


def _binomial(part: Term, whole: Whole) -> record.Operation:
    n, m = part.args
    if m.head == "number" and m.value.q == 1 and m.value >= 0:
        factors = int(m.value)
        return (n,), lambda a: ranges.falling(a, factors)
    integers = max(n.size, m.size) <= 500 and max(n.depth, m.depth) <= 100 and whole(n) and whole(m)

    def image(a: Range, b: Range, rest: Range) -> Range:
        if integers:
            a, b, rest = a.integers(), b.integers(), rest.integers()
            if b.is_nonnegative() and not rest.is_nonnegative():
                # n(n-1)...(n-m+1)/m!, which is 0 for 0 <= n < m; of other n nothing is said
                return NOT_NEGATIVE if a.is_nonnegative() else ranges.EVERYTHING
        value = ranges.binomial(a, b, rest, part)
        return value.meet(Range(ranges.ONE, POS_INF, False, True)) if integers else value

    return (n, m, n - m), image


BINOMIAL = Function("binomial", by_others=falling, operation=_binomial, arity=2, partial=True)
