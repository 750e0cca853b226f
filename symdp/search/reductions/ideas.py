"""The ideas, in the order in which they are tried."""

from symdp.search.reductions import (
    curves,
    homogeneity,
    roots,
    slopes,
    telescoping,
    trigonometric_polynomials,
)
from symdp.search.reductions.detour import Idea

IDEAS: tuple[Idea, ...] = (trigonometric_polynomials.reductions, telescoping.reductions, slopes.reductions)
#: Those for which the search is asked first, for some of its time.
LATER: tuple[Idea, ...] = (
    curves.bounds, homogeneity.reductions, slopes.along_ties, curves.given_curves, roots.reductions, curves.diagonals,
)
