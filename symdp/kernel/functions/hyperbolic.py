"""The hyperbolic functions by the exponential, and their inverses by the logarithm."""

from flint import arb

from symdp.kernel.functions.record import MINUS_ONE, TWO, UP, WHOLE_LINE, Function, exp, log, sqrt
from symdp.kernel.terms import ONE, Term, apply
from symdp.kernel.values.ranges import NOT_NEGATIVE, POS_INF, magnitude, monotone


def _sinh(u: Term) -> Term:
    return (exp(u) - exp(-u)) / TWO


def _cosh(u: Term) -> Term:
    return (exp(u) + exp(-u)) / TWO


_rising = monotone(arb.cosh, arb(1), POS_INF, NOT_NEGATIVE)
SINH = Function("sinh", WHOLE_LINE, (_sinh, _sinh), (lambda t, u: apply("cosh", u),), by_others=_sinh, tex=r"\sinh")
COSH = Function("cosh", (UP, UP), (_cosh, _cosh), (lambda t, u: apply("sinh", u),),
                by_others=_cosh, image=lambda a, part: _rising(magnitude(a), part), positive=True, tex=r"\cosh")
TANH = Function("tanh", (MINUS_ONE, ONE), slopes=(lambda t, u: ONE - t**TWO,), tex=r"\tanh",
                by_others=lambda u: (exp(TWO * u) - ONE) / (exp(TWO * u) + ONE))
ASINH = Function("asinh", WHOLE_LINE, (lambda u: -log(-(TWO * u)), lambda u: log(TWO * u)),
                 (lambda t, u: ONE / sqrt(ONE + u**TWO),), by_others=lambda u: log(u + sqrt(ONE + u**TWO)),
                 aliases=("arsinh", "arcsinh"))
ACOSH = Function("acosh", by_others=lambda u: log(u + sqrt(u**TWO - ONE)), partial=True,
                 aliases=("arcosh", "arccosh"))
ATANH = Function("atanh", by_others=lambda u: (log(ONE + u) - log(ONE - u)) / TWO, partial=True,
                 aliases=("artanh", "arctanh"))
