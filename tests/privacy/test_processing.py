r"""Theorems 2.4 and 2.5: post-processing shrinks, and whatever is smaller is a post-processing."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from finite_pairs import pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Matrix, log, sqrt

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.geometric import Geometric
from symdp.privacy.mechanisms.noise.staircase import Staircase
from symdp.privacy.regions.processing import StochasticMap, post_process, simulate
from symdp.privacy.regions.region import PrivacyRegion
from symdp.privacy.regions.tangent import SeparatingLine


@st.composite
def maps(draw, size: int):
    outcomes = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 6), min_size=outcomes, max_size=outcomes).filter(any)
    rows = [draw(row) for _ in range(size)]
    return StochasticMap.of([[Fraction(v, sum(r)) for v in r] for r in rows])


def makes(found: StochasticMap, source: FinitePair, target: FinitePair) -> bool:
    """By SymPy's own matrices, not by the package's multiplication."""
    table = found.matrix
    return (all(v >= 0 for v in table) and all(sum(table.row(i)) == 1 for i in range(table.rows))
            and list(Matrix([source.p]) * table) == list(target.p)
            and list(Matrix([source.q]) * table) == list(target.q))


@given(st.data())
def test_processing_shrinks_the_region_and_can_be_found_again(data) -> None:
    source = data.draw(pairs())
    by = data.draw(maps(len(source)))
    target = post_process(source, by)
    assert PrivacyRegion.of(target) <= PrivacyRegion.of(source)
    found = simulate(source, target)
    assert isinstance(found, StochasticMap)
    assert makes(found, source, target)


@given(pairs(), pairs())
def test_a_map_exists_exactly_where_the_region_is_inside(source, target) -> None:
    found = simulate(source, target)
    inside = PrivacyRegion.of(target) <= PrivacyRegion.of(source)
    assert isinstance(found, StochasticMap) == inside
    if isinstance(found, StochasticMap):
        assert makes(found, source, target)
    else:
        assert found.point in PrivacyRegion.of(target)
        assert found.point not in PrivacyRegion.of(source)


@given(pairs(), pairs())
def test_the_pair_of_the_intersection_comes_from_both(one, other) -> None:
    """A target that touches the source's region along edges: no slack anywhere."""
    meet = (PrivacyRegion.of(one) & PrivacyRegion.of(other)).pair()
    for source in (one, other):
        found = simulate(source, meet)
        assert isinstance(found, StochasticMap)
        assert makes(found, source, meet)


@settings(max_examples=30)
@given(pairs())
def test_randomised_response_makes_every_private_pair(pair) -> None:
    """Section 6: it dominates all mechanisms with its guarantee."""
    delta = PrivacyRegion.of(pair).delta(log(2))
    assert isinstance(simulate(RandomisedResponse(log(2), delta), pair), StochasticMap)


@pytest.mark.parametrize("loss", ["1/2", 1, 1 / sqrt(30)])
def test_exact_with_exponentials(loss) -> None:
    response = RandomisedResponse(loss, "1/10")
    for target in (RandomisedResponse(loss), RandomisedResponse(0, "1/10"),
                   Geometric(loss, 3).finite_pair(), Staircase(loss, 1, "1/3").finite_pair()):
        found = simulate(response, target)
        assert isinstance(found, StochasticMap)
        assert found.turns(response, target)
        assert isinstance(simulate(target, response), SeparatingLine)


def test_geometric_noise_and_randomised_response_make_each_other() -> None:
    """Appendix C: the two are equivalent, both ways."""
    noise, response = Geometric(2).finite_pair(), RandomisedResponse(2)
    assert simulate(noise, response)
    assert simulate(response, noise)


def test_fifty_outcomes() -> None:
    rng = random.Random(7)

    def law(size: int, most: int) -> list[Fraction]:
        weights = [rng.randrange(1, most) for _ in range(size)]
        return [Fraction(w, sum(weights)) for w in weights]

    source = FinitePair(law(50, 1000), law(50, 1000))
    by = StochasticMap.of([law(50, 20) for _ in range(50)])
    found = simulate(source, post_process(source, by))
    assert isinstance(found, StochasticMap)
    assert isinstance(simulate(post_process(source, by), source), SeparatingLine)


def test_outcomes_without_mass_are_harmless() -> None:
    source = FinitePair([1, 0, 0], ["1/2", "1/2", 0])
    target = FinitePair([0, 1], [0, 1])
    found = simulate(source, target)
    assert isinstance(found, StochasticMap)
    assert makes(found, source, target)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StochasticMap.of([]), "at least one row"),
        (lambda: StochasticMap.of([["1/2", "1/2"], [1]]), "row 1 of the map must have 2 entries, not 1"),
        (lambda: StochasticMap.of([["3/2", "-1/2"]]), "row 0, column 0 of the map must be at most 1"),
        (lambda: StochasticMap.of([["1/3", "1/3"]]), "row 0 of the map must sum to 1, not 2/3"),
        (lambda: post_process(FinitePair([1], [1]), StochasticMap.of([[1], [1]])),
         "the map takes 2 outcomes, not 1"),
    ],
)
def test_nonsense_is_refused_in_one_line(make, message) -> None:
    with pytest.raises(BadQuantity, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)
