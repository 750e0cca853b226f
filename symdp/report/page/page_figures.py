"""The figure under a claim of the audit page: as SVG, with a caption that says how to read it."""

from __future__ import annotations

import hashlib
import html
import json
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from symdp.audit.memory import toolkit
from symdp.audit.record import Record, digest_of
from symdp.report.figures.claim_figures import plot_claim, witness_of
from symdp.report.figures.inline_svg import inline_svg
from symdp.report.figures.slices import NoFigure
from symdp.report.figures.source_figures import FIGURES, draw
from symdp.report.page.mathml import prose
from symdp.search.verdict import Status
from symdp.sources.statement import Asymptotic, Claim, Guarantee


@dataclass(frozen=True)
class Shown:
    """An SVG element and its caption, as HTML."""

    svg: str
    caption: str
    #: whether a reader wants it without unfolding anything
    open: bool = False


def figure_of(claim: Claim, record: Record, name: str, folder: Path | None = None) -> Shown | None:
    """The figure for a claim; none where a picture would say nothing.

    In the folder of an audit it is kept, and taken from there as long as the claim, its verdict and the
    code that draws are the same.
    """
    if folder is None:
        return _drawn(claim, record, name)
    path = folder / f"{name}.figure"
    key = _key(claim, record)
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] == key:
            shown = kept["shown"]
            return None if shown is None else Shown(str(shown[0]), str(shown[1]), bool(shown[2]))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        pass
    found = _drawn(claim, record, name)
    shown = None if found is None else [found.svg, found.caption, found.open]
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps({"key": key, "shown": shown}), encoding="utf-8")
    partial.replace(path)
    return found


def _key(claim: Claim, record: Record) -> str:
    parts = [_code(), digest_of(claim), record.verdict, json.dumps(record.data.get("witness"))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def _code() -> str:
    """A digest of the code that draws, and of what it draws with."""
    found = hashlib.sha256(toolkit().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def _drawn(claim: Claim, record: Record, name: str) -> Shown | None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    made: Any
    try:
        known = claim.id.rpartition("/")[2]
        if known in FIGURES:
            made = draw(known)
            words = (FIGURES[known].drawing.__doc__ or claim.says).splitlines()[0]
            return Shown(_svg(made, name, words), html.escape(words), open=True)
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


def _svg(made: Any, name: str, label: str) -> str:
    return inline_svg(made, name, re.sub(r"\s+", " ", label))


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
