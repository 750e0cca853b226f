"""The figure under a claim of the audit page: as SVG, with a caption that says how to read it."""

from __future__ import annotations

import json
import math
import re
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib import pyplot

from symdp.audit.record import Record
from symdp.audit.seal import bytes_of, seal, seal_of_claim, seal_of_code
from symdp.audit.shipped import FIGURE, FIGURE_PURPOSE
from symdp.outgoing import NotOurs, by_name, write
from symdp.report.figures.claim_figures import plot_claim, witness_of
from symdp.report.figures.inline_svg import inline_svg, is_picture
from symdp.report.figures.slices import NoFigure
from symdp.report.figures.source_figures import FIGURES, draw
from symdp.report.page.mathml import prose
from symdp.search.verdict import Status
from symdp.sources.statement import Asymptotic, Claim, Guarantee
from symdp.users_mark import marked, recognised

#: Curves that are nowhere further apart than this, for their size, are one line to the eye.
SAME = 0.005


@dataclass(frozen=True)
class Shown:
    """An SVG element and its caption, as HTML; both are ours."""

    svg: Markup
    caption: Markup
    #: whether a reader wants it without unfolding anything
    open: bool = False


def figure_of(claim: Claim, record: Record, name: str, folder: Path | None = None) -> Shown | None:
    """The figure for a claim; none where a picture would say nothing.

    In the folder of an audit its SVG is kept, and taken from there as long as it carries the mark of this user, is
    no more than a picture, and the claim, its verdict and the code that draws are the same. Else it is drawn anew.
    """
    svg = _drawn(claim, record, name) if folder is None else _kept(claim, record, name, folder)
    if svg is None:
        return None
    known = FIGURES.get(_known(claim))
    if known is not None:
        return Shown(Markup(svg), Markup.escape(_words(claim)), open=True)
    return Shown(Markup(svg), prose(_caption(claim, record)))


def _kept(claim: Claim, record: Record, name: str, folder: Path) -> str | None:
    path, key = folder / f"{name}{FIGURE}", _key(claim, record)
    with suppress(OSError, ValueError):
        kept = recognised(FIGURE_PURPOSE, bytes_of(path))
        if kept is not None and kept["key"] == key and (kept["svg"] is None or is_picture(kept["svg"])):
            return kept["svg"] and str(kept["svg"])
    svg = _drawn(claim, record, name)
    with suppress(NotOurs, OSError):  # a link, or a folder: it is drawn anew the next time, and the page is made
        write(path, marked(FIGURE_PURPOSE, {"key": key, "svg": svg}), ours=by_name)
    return svg


def _key(claim: Claim, record: Record) -> str:
    """The seal of the claim, of what became of it, and of the code that draws it."""
    return seal(seal_of_code(), seal_of_code("report"), seal_of_claim(claim), record.verdict,
                json.dumps(record.data.get("witness")))


def _known(claim: Claim) -> str:
    """The name that a figure of the sources would have."""
    return claim.id.rpartition("/")[2]


def _words(claim: Claim) -> str:
    return (FIGURES[_known(claim)].draw.__doc__ or claim.says).splitlines()[0]


def _drawn(claim: Claim, record: Record, name: str) -> str | None:
    mpl.use("agg")
    made: Any
    try:
        if _known(claim) in FIGURES:
            made, label = draw(_known(claim)), _words(claim)
        elif not _says_something(claim, record):
            return None
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of contours without a line, and the like
                axes = plot_claim(claim, witness=witness_of(claim, record))
            if coincide(axes):
                return None
            made = axes.get_figure(root=True)
            label = f"figure for {claim.id}"
        return inline_svg(made, name, re.sub(r"\s+", " ", label))
    except NoFigure:
        return None
    finally:
        pyplot.close("all")


def _says_something(claim: Claim, record: Record) -> bool:
    relation = getattr(claim, "relation", None)
    if relation is not None and relation.op == "==":
        return record.status is Status.REFUTED  # two curves that coincide are one curve
    return record.status in (Status.PROVED, Status.REFUTED, Status.DERIVED, Status.UNDECIDED)


def coincide(axes: Any) -> bool:
    """Whether all the curves of a figure lie on each other, so that it shows nothing.

    >>> ax = pyplot.figure().add_subplot()
    >>> _ = ax.plot([1, 2, 3], [1, 2, 3]), ax.plot([1, 2, 3], [1, 2, 3.001])
    >>> coincide(ax)
    True
    >>> _ = ax.plot([1, 2, 3], [3, 2, 1])
    >>> coincide(ax)
    False
    >>> pyplot.close("all")
    """
    curves = [line.get_ydata() for line in axes.lines if len(line.get_ydata()) > 2]
    if len(curves) < 2 or len({len(curve) for curve in curves}) > 1:
        return False
    points = [[float(y) for y in ys] for ys in zip(*curves, strict=True)]
    known = [ys for ys in points if all(map(math.isfinite, ys))]
    return bool(known) and all(max(ys) - min(ys) <= SAME * max(map(abs, ys)) for ys in known)


def _caption(claim: Claim, record: Record) -> str:
    refuted = record.status is Status.REFUTED
    if isinstance(claim, Guarantee):
        words = r"The $\delta$ that is needed at the promised $\varepsilon$, and the $\delta$ promised"
        return words + ("; where it is larger, the guarantee fails." if refuted else ".")
    if isinstance(claim, Asymptotic):
        return "The ratio of the two sides along the regime."
    relation = getattr(claim, "relation", None)
    if relation is not None and relation.op == "==":
        return "The two sides, which should be the same curve."
    words = "The margin is the distance of the two sides, divided by the sum of their sizes. "
    if refuted:
        return words + "It is negative, and hatched, where the claim fails."
    return words + "Where it is small, the claim is nearly tight."
