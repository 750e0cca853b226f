"""The distribution function of the normal law, and the error functions."""

from symdp.kernel.functions.record import MINUS_ONE, PI, TWO, Function, exp, sqrt
from symdp.kernel.terms import ONE, ZERO, Term, apply
from symdp.kernel.values import ranges


def _density(t: Term, u: Term) -> Term:
    return TWO / sqrt(PI) * exp(-(u**TWO))


def _by_erfc(u: Term) -> Term:
    return apply("erfc", -u / sqrt(TWO)) / TWO


ERF = Function("erf", (MINUS_ONE, ONE), slopes=(_density,), by_others=lambda u: ONE - apply("erfc", u))
ERFC = Function("erfc", (TWO, ZERO), (None, lambda u: exp(-(u**TWO)) / (sqrt(PI) * u)),
                (lambda t, u: -_density(t, u),), reflected=(-1, 2), positive=True)
PHI = Function("Phi", (ZERO, ONE), (_by_erfc, _by_erfc), (lambda t, u: exp(-(u**TWO) / TWO) / sqrt(TWO * PI),),
               by_others=_by_erfc, ball=lambda u: (-u / ranges.TWO.sqrt()).erfc() / 2, positive=True, tex=r"\Phi")
