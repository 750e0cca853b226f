"""A figure as a file, which says who drew it and not when, so that it is the same every time.

Letters are embedded as TrueType, which journals ask for, and a figure may be as wide as a column.

>>> inches("3.3"), round(inches("84mm"), 2), round(inches("8.4 cm"), 2)
(3.3, 3.31, 3.31)
>>> inches("wide")
Traceback (most recent call last):
...
ValueError: 'wide' is no width; write inches such as 3.3, or 84mm, 8.4cm
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.text import Text

from symdp.outgoing import MARK, write

_METADATA: dict[str, dict[str, str | None]] = {
    ".pdf": {"CreationDate": None, "Creator": MARK},
    ".svg": {"Date": None, "Creator": MARK},
    ".png": {"Software": MARK},
}
#: The endings of a file that a figure can be.
KINDS = tuple(_METADATA)
#: TrueType in a PDF; in an SVG letters are paths, which look the same everywhere.
_FONTS: Any = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "path"}
#: A column narrower than this gets letters of eight points, and its legend below.
NARROW = 4.5
#: Inches from an axis to the legend below it, in which its numbers and its name stand.
BELOW = 0.42
#: Inches that a figure may be wide.
LEAST, MOST = 1.5, 30.0
_UNITS = {"": 1.0, "in": 1.0, "mm": 1 / 25.4, "cm": 1 / 2.54, "pt": 1 / 72.27}


def inches(text: str) -> float:
    """A width as text; ValueError if it is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(in|mm|cm|pt|)", text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no width; write inches such as 3.3, or 84mm, 8.4cm")
    width = float(found[1]) * _UNITS[found[2]]
    if not LEAST <= width <= MOST:
        raise ValueError(f"a figure is between {LEAST:g} and {MOST:g} inches wide, and not {width:.3g}")
    return width


def fitted(figure: Any, *, width: float | None = None, title: bool = True) -> None:
    """Make the figure as wide as a column; without its title, where the caption says that."""
    if not title:
        for axes in figure.axes:
            axes.set_title("")
        if figure.get_suptitle():
            figure.suptitle("")
    if width is None:
        return
    before, height = figure.get_size_inches()
    narrow = width < NARROW
    # A narrow figure is a little higher for its width: its letters do not shrink with it.
    figure.set_size_inches(width, width * height / before * (1.15 if narrow else 1.0))
    if narrow:
        for text in figure.findobj(Text):
            text.set_fontsize(min(text.get_fontsize(), 8))
        figure.draw_without_rendering()  # only then is it known how high the axes are
        several = sum(axes.get_legend() is not None for axes in figure.axes) > 1
        for axes in figure.axes:
            if axes.get_legend() is not None:
                _legend_below(axes, BELOW / (axes.get_position().height * figure.get_size_inches()[1]), several)


def _legend_below(axes: Any, away: float, several: bool) -> None:
    legend = axes.get_legend()
    handles, names = list(legend.legend_handles), [text.get_text() for text in legend.get_texts()]
    legend.remove()
    axes.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, -away), frameon=False, fontsize=7,
                ncols=1 if several else min(2, len(names)), columnspacing=1.2, handlelength=2.2)


def save(figure: Any, path: Path, *, dpi: int = 200, force: bool = False) -> None:
    """Write the figure; ValueError if the name of the file does not say what it is."""
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise ValueError(f"cannot write {path}: its name must end in {' or '.join(KINDS)}")
    drawn = BytesIO()
    with mpl.rc_context(_FONTS):
        figure.savefig(drawn, format=kind[1:], metadata=_METADATA[kind], dpi=dpi)
    write(path, drawn.getvalue(), force=force)
