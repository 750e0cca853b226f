"""The figure under a claim of the audit page: as SVG, with a caption that says how to read it."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib import pyplot

from symdp.audit.record import Record
from symdp.audit.seal import bytes_of, seal, seal_of_claim, seal_of_code
from symdp.outgoing import by_name, write
from symdp.report.figures.claim_figures import plot_claim, witness_of
from symdp.report.figures.inline_svg import inline_svg
from symdp.report.figures.slices import NoFigure
from symdp.report.figures.source_figures import FIGURES, draw
from symdp.report.page.mathml import prose
from symdp.search.verdict import Status
from symdp.sources.statement import Asymptotic, Claim, Guarantee
from symdp.users_mark import is_ours, mark


@dataclass(frozen=True)
class Shown:
    """An SVG element and its caption, as HTML; both are ours."""

    svg: Markup
    caption: Markup
    #: whether a reader wants it without unfolding anything
    open: bool = False


#: What the mark of this user is put on.
_PURPOSE = "figure of a page"


def figure_of(claim: Claim, record: Record, name: str, folder: Path | None = None) -> Shown | None:
    """The figure for a claim; none where a picture would say nothing.

    In the folder of an audit it is kept, and taken from there as long as it carries the mark of this user, and the
    claim, its verdict and the code that draws are the same. What anybody else put there is drawn anew.
    """
    if folder is None:
        return _drawn(claim, record, name)
    path = folder / f"{name}.figure"
    key = _key(claim, record)
    try:
        kept = json.loads(bytes_of(path))
        shown = kept["shown"]
        if is_ours(_PURPOSE, json.dumps([key, shown]), kept["mark"]):
            return None if shown is None else Shown(Markup(shown[0]), Markup(shown[1]), bool(shown[2]))
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        pass
    found = _drawn(claim, record, name)
    shown = None if found is None else [str(found.svg), str(found.caption), found.open]
    marked = {"shown": shown, "mark": mark(_PURPOSE, json.dumps([key, shown]))}
    write(path, json.dumps(marked), ours=by_name)
    return found


def _key(claim: Claim, record: Record) -> str:
    """The seal of the claim, of what became of it, and of the code that draws it."""
    return seal(seal_of_code(), seal_of_code("report"), seal_of_claim(claim), record.verdict,
                json.dumps(record.data.get("witness")))


def _drawn(claim: Claim, record: Record, name: str) -> Shown | None:
    mpl.use("agg")
    made: Any
    try:
        known = claim.id.rpartition("/")[2]
        if known in FIGURES:
            made = draw(known)
            words = (FIGURES[known].draw.__doc__ or claim.says).splitlines()[0]
            return Shown(_svg(made, name, words), Markup.escape(words), open=True)
        if not _says_something(claim, record):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of contours without a line, and the like
            made = plot_claim(claim, witness=witness_of(claim, record)).get_figure(root=True)
            return Shown(_svg(made, name, f"figure for {claim.id}"), prose(_caption(claim, record)))
    except NoFigure:
        return None
    finally:
        pyplot.close("all")


def _svg(made: Any, name: str, label: str) -> Markup:
    return Markup(inline_svg(made, name, re.sub(r"\s+", " ", label)))  # matplotlib's elements, written by us


def _says_something(claim: Claim, record: Record) -> bool:
    relation = getattr(claim, "relation", None)
    if relation is not None and relation.op == "==":
        return record.status is Status.REFUTED  # two curves that coincide are one curve
    return record.status in (Status.PROVED, Status.REFUTED, Status.DERIVED, Status.UNDECIDED)


def _caption(claim: Claim, record: Record) -> str:
    refuted = record.status is Status.REFUTED
    if isinstance(claim, Guarantee):
        words = r"The $\delta$ that is needed at the promised $\varepsilon$, and the $\delta$ promised"
        return words + ("; where it is larger, the guarantee fails." if refuted else ".")
    if isinstance(claim, Asymptotic):
        return "The ratio of the two sides along the regime."
    if claim.relation.op == "==":  # type: ignore[attr-defined]
        return "The two sides, which should be the same curve."
    words = "The margin is the distance of the two sides, divided by the sum of their sizes. "
    if refuted:
        return words + "It is negative, and hatched, where the claim fails."
    return words + "Where it is small, the claim is nearly tight."
