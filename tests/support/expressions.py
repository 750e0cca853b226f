"""Random expressions and boxes, for property tests."""

import sympy
from hypothesis import reject
from hypothesis import strategies as st
from sympy import Integer, Rational

from symdp.formulas.notation import Phi, p, x

small = st.fractions(min_value=-4, max_value=4, max_denominator=9).map(
    lambda f: Rational(f.numerator, f.denominator)
)
FUNCTIONS = [
    sympy.exp, sympy.log, sympy.sqrt, sympy.sinh, sympy.cosh, sympy.tanh, sympy.sin, sympy.cos,
    sympy.erf, sympy.erfc, Phi, sympy.gamma, sympy.loggamma, sympy.floor,
    lambda u: sympy.Abs(u), lambda u: u**2, lambda u: u**3, lambda u: 1 / u,
    lambda u: u ** Rational(2, 3), lambda u: sympy.Max(u, Integer(0)), lambda u: sympy.Min(u, x),
]


def _apply(function, *arguments):
    """The value of a function; a pole inside a minimum is SymPy's refusal, not a property's failure."""
    try:
        return function(*arguments)
    except ValueError as e:
        if "not comparable" in str(e):
            reject()
        raise


def _extend(children):
    unary = st.tuples(st.sampled_from(FUNCTIONS), children).map(lambda t: _apply(*t))
    binary = st.tuples(
        st.sampled_from([lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b,
                         lambda a, b: a / b if b != 0 else a]),
        children, children,
    ).map(lambda t: t[0](t[1], t[2]))
    power = st.tuples(children, children).map(lambda t: sympy.Abs(t[0]) ** t[1])
    return st.one_of(unary, binary, power)


def _is_real(e):
    return not e.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I, sympy.AccumBounds)


expressions = st.recursive(st.one_of(st.sampled_from([x, p]), small), _extend, max_leaves=6).filter(
    _is_real
)
