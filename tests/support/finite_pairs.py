"""Random pairs of laws on finitely many outputs, for property tests."""

from fractions import Fraction

from hypothesis import strategies as st

from symdp.privacy.mechanisms.finite_laws.finite import FinitePair


@st.composite
def pairs(draw, most: int = 6):
    size = draw(st.integers(1, most))
    weights = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    p, q = draw(weights), draw(weights)
    return FinitePair([Fraction(v, sum(p)) for v in p], [Fraction(v, sum(q)) for v in q])
