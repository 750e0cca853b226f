r"""Figures as SVG inside of a page: no file, no request, the ink of the page, names that do not collide.

What matplotlib writes is made small: hundreds of figures go into one page. Paths are written with
steps instead of places, groups that group nothing and fonts that the page has anyway are left out.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from matplotlib import pyplot
>>> made, ax = pyplot.subplots()
>>> text = inline_svg(made, "a-claim", "a curve")
>>> text[:4], 'aria-label="a curve"' in text, "<?xml" in text, "metadata" in text
('<svg', True, False, False)
>>> pyplot.close(made)
>>> in_steps("M 10 20.04 L 13.5 20 L 10 21 z")
'M10 20l3.5 0-3.5 1z'
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What a picture of ours is made of.
_ELEMENTS = frozenset(("svg", "g", "defs", "path", "use", "clipPath", "rect", "pattern", "text", "tspan"))
_ATTRIBUTES = frozenset((
    "role", "aria-label", "viewBox", "fill", "id", "d", "style", "href", "clip-path", "transform", "x", "y", "width",
    "height", "patternUnits"))
_SPACE = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NAME = re.compile(r"(?<=#)[^\")]+(?=\)|$)")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
#: Said once by the style of the page, not again by every word.
_FONT = re.compile(r"font-family: [^;]*;?\s*|font-size: 10px;?\s*|font: (?=10px)[^;]*;?\s*")


def inline_svg(figure: Figure, name: str, label: str) -> str:
    """The figure as an element for a page; ``name`` keeps its inner names apart from those of others."""
    for ax in figure.axes:
        ax.minorticks_off()
    target = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(target, format="svg", transparent=True, metadata={"Date": None})
    text = target.getvalue()
    root = ElementTree.fromstring(text[text.index("<svg"):])
    view = root.get("viewBox", "")
    _tidy(root)
    _rename(root, name)
    root.attrib.clear()
    # Text without a colour of its own is black by default, which no dark page could show.
    root.attrib.update({"role": "img", "aria-label": label, "viewBox": view, "fill": "currentColor"})
    made = ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)
    return re.sub(r"\s*\n\s*", " ", made).replace("> <", "><").replace(" />", "/>").strip()


def is_picture(text: str) -> bool:
    """Whether a text is an SVG element of the kind that is made here: no script, no link out of it, nothing else.

    >>> is_picture('<svg><path d="M0 0l1 1z" style="fill:none"/></svg>')
    True
    >>> [is_picture(t) for t in ('<svg><script/></svg>', '<svg onload="x"/>', '<svg><use href="//x"/></svg>')]
    [False, False, False]
    >>> is_picture('<svg><path style="fill: url(https://example.org)"/></svg>')
    False
    """
    if re.search(r"<[!?]", text):
        return False  # no entities, no other documents
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    return root.tag == "svg" and all(
        node.tag in _ELEMENTS and all(
            name in _ATTRIBUTES and (name != "href" or value.startswith("#"))
            and (name == "aria-label" or not re.search(r"url\((?!#)|[\\@]", value))
            for name, value in node.attrib.items())
        for node in root.iter())


def _tidy(parent: ElementTree.Element) -> None:
    kept: list[ElementTree.Element] = []
    for child in parent:
        child.tag = child.tag.removeprefix(_SPACE)
        if child.tag in ("metadata", "style"):
            continue
        _tidy(child)
        _attributes(child)
        child.tail = None
        if child.tag in ("g", "defs") and not len(child):
            continue
        kept += list(child) if child.tag == "g" and not set(child.attrib) - {"id"} else [child]
    parent.tag = parent.tag.removeprefix(_SPACE)
    if parent.tag not in ("text", "tspan"):
        parent.text = None
    parent[:] = kept


def _attributes(node: ElementTree.Element) -> None:
    for key, value in list(node.attrib.items()):
        if key == "d":
            node.set(key, in_steps(value))
        elif key == "style":
            node.set(key, _short_style(value))
            if not node.get("style"):
                del node.attrib["style"]
        elif key == _LINK:
            node.set("href", value)
            del node.attrib[key]
        elif key != "id":
            node.set(key, _NUMBER.sub(lambda found: _short(float(found.group())), value))


def _short_style(style: str) -> str:
    style = _FONT.sub("", style)
    shorter = {"#000000": "currentColor", "#ffffff": "var(--paper,#fff)", ": ": ":", "; ": ";"}
    for long, short in shorter.items():
        style = style.replace(long, short)
    return style.strip(" ;")


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0").replace("-0.", "-.").removeprefix("0") or "0"


def in_steps(path: str) -> str:
    """A path of straight lines with steps instead of places, rounded to a tenth of a point.

    Whatever else is in a path is only rounded.
    """
    if re.search(r"[^MLz\d\s.+e-]", path):
        return re.sub(r"\s+", " ", _NUMBER.sub(lambda found: _short(float(found.group())), path)).strip()
    made, here, first = [], (0, 0), True
    for command, x, y in re.findall(r"([MLz])(?:\s+(\S+)\s+(\S+))?", path):
        if command == "z":
            made.append("z")
            first = True
            continue
        place = round(float(x) * 10), round(float(y) * 10)
        if command == "M":
            made.append(f"M{_short(place[0] / 10)} {_short(place[1] / 10)}")
            first = True
        elif place != here or first:
            across, up = (_short((b - a) / 10) for a, b in zip(here, place, strict=True))
            made.append(("l" if first else "" if across[0] == "-" else " ") + across
                        + ("" if up[0] == "-" else " ") + up)
            first = False
        here = place
    return "".join(made)


def _rename(root: ElementTree.Element, name: str) -> None:
    """Only names that are referred to stay, short, and begin with the name of the figure."""
    text = ElementTree.tostring(root, encoding="unicode")
    used = {old: f"{name}-{i}" for i, old in enumerate(dict.fromkeys(
        re.findall(r'(?:href="#|url\(#)([^")]+)', text)))}
    for node in root.iter():
        if "id" in node.attrib:
            if node.get("id") in used:
                node.set("id", used[node.attrib["id"]])
            else:
                del node.attrib["id"]
        for key, value in node.attrib.items():
            if "#" in value:
                node.set(key, _NAME.sub(lambda m: used.get(m.group(), m.group()), value))
