"""The figures of the sources, compared with reference images that were looked at.

    python tests/report/test_source_figures.py     draws the reference images anew
"""

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot
from matplotlib.testing.compare import compare_images
from sympy import Rational

from symdp.formulas.notation import symbol
from symdp.privacy.regions.region import PrivacyRegion
from symdp.report.figures.claim_figures import plot_claim
from symdp.report.figures.source_figures import UnknownFigure, draw, known_figures
from symdp.sources.registry import claim

BASELINE = Path(__file__).parent / "baseline"
#: Root mean square of the difference: fonts may be hinted otherwise, lines may not move.
TOLERANCE = 6.0


#: One claim of each kind of figure, with the point at which it is known to fail.
CLAIMS = {
    "claim-map": ("kov/app-b.less", {"Delta": 1, "delta": Rational(1, 10), "k": 1, "sigma": 1}),
    "claim-curve": ("kov/thm-3.2.centring-helps", None),
    "claim-guarantee": ("kov/thm-4.3", {"Delta": 1, "delta": Rational(1, 2), "eps": 100, "k": 1}),
    "claim-identity": ("kov/sec-3.1.equality-set", None),
}


def drawn(name: str):
    if name not in CLAIMS:
        return draw(name)
    id, point = CLAIMS[name]
    witness = {symbol(v): Rational(u) for v, u in point.items()} if point else None
    return plot_claim(claim(id), witness=witness).get_figure(root=True)


def save(name: str, folder: Path) -> Path:
    path = folder / f"{name}.png"
    with mpl.rc_context(mpl.rcParamsDefault):
        made = drawn(name)
        made.savefig(path, dpi=60)
        pyplot.close(made)
    return path


@pytest.mark.long
@pytest.mark.parametrize("name", [*known_figures(), *CLAIMS])
def test_a_figure_looks_as_it_did(name, tmp_path):
    reference = BASELINE / f"{name}.png"
    assert compare_images(str(reference), str(save(name, tmp_path)), TOLERANCE) is None


def test_another_figure_would_be_noticed(tmp_path):
    other = save("fig-2.regions", tmp_path)
    assert compare_images(str(BASELINE / "fig-3.comparison.png"), str(other), TOLERANCE) is not None


def test_names_may_be_short_and_unknown_ones_are_told():
    assert draw("kov/fig-4") is not None
    with pytest.raises(UnknownFigure, match=r"fig-1\.region"):
        draw("fig-9")
    pyplot.close("all")


def test_the_drawn_regions_are_nested_as_the_paper_draws_them():
    regions = [PrivacyRegion.composed("0.4", "0.1", k) for k in range(1, 6)]
    assert all(inner <= outer for inner, outer in pairwise(regions))


if __name__ == "__main__":
    for figure in (*known_figures(), *CLAIMS):
        print(save(figure, BASELINE), file=sys.stderr)
