"""The ideas, in the order in which they are tried."""

from symdp.search.reductions import (
    curves,
    equalities,
    gamma_products,
    homogeneity,
    jensen,
    logarithms,
    means,
    orderings,
    other_forms,
    pieces,
    roots,
    slopes,
    tangents,
    telescoping,
    towers,
    trigonometric_polynomials,
)
from symdp.search.reductions.detour import Idea

IDEAS: tuple[Idea, ...] = (
    trigonometric_polynomials.reductions, gamma_products.relaxed, gamma_products.reductions, telescoping.reductions,
    slopes.reductions,
)
#: Those that samples choose, so that they seldom fail: where a goal comes from another one they are the first.
FITTING: tuple[Idea, ...] = (jensen.reductions, logarithms.reductions, curves.valleys, curves.distances)
#: Those for which the search is asked first, for some of its time.
LATER: tuple[Idea, ...] = (
    curves.bounds, homogeneity.reductions, slopes.along_ties, curves.given_curves, means.reductions, roots.reductions,
    curves.diagonals, orderings.reductions, equalities.reductions,
)
#: Those that search on their own, after some of the time of the search.
PATIENT: tuple[Idea, ...] = (
    tangents.reductions, pieces.reductions, other_forms.reductions, towers.reductions,
)
#: Those for claims of which a solver says that they hold, and no proof was found.
WITHOUT_Z3: tuple[Idea, ...] = (orderings.reductions, pieces.reductions, towers.reductions)
