r"""Markdown of others on paper: LaTeX in which nothing is a command but what is written here.

Two programs that read one text of Markdown read it differently: where a span of code ends, which dollar signs belong
together, what is TeX as it stands. So no text is looked at before pandoc reads it; what pandoc has read is a tree,
and the tree is made anew from a list of the nodes that may be in it. A formula is mathematics
(:mod:`symdp.typeset.mathematics`), or it is shown as code. A picture would be a file of this machine: its words stand
in its place. A link leads to the web. Attributes, raw pieces of other formats, and whatever pandoc may invent later,
are left behind.

>>> raw = {"t": "RawInline", "c": ["tex", r"\input{x}"]}
>>> formula = {"t": "Math", "c": [{"t": "InlineMath"}, r"\write18{x}"]}
>>> picture = {"t": "Image", "c": [["", [], []], [{"t": "Str", "c": "a map"}], ["x", ""]]}
>>> for part in purified_block({"t": "Para", "c": [raw, formula, picture]})["c"]:
...     print(part)
{'t': 'Code', 'c': [['', [], []], '\\input{x}']}
{'t': 'Code', 'c': [['', [], []], '\\write18{x}']}
{'t': 'Span', 'c': [['', [], []], [{'t': 'Str', 'c': 'a map'}]]}
"""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

from nbconvert.filters.latex import escape_latex

from symdp.report.notebooks.published.on_pages import COLOUR
from symdp.typeset.mathematics import is_mathematics
from symdp.typeset.visible import visible_lines

Node = dict[str, Any]
#: Pandoc's Markdown without what is TeX, HTML or a setting; dollar signs and tables are kept.
_MARKDOWN = "markdown+lists_without_preceding_blankline" + "".join(f"-{extension}" for extension in (
    "raw_tex raw_html raw_attribute latex_macros native_divs native_spans citations yaml_metadata_block "
    "pandoc_title_block markdown_in_html_blocks fenced_divs bracketed_spans header_attributes link_attributes "
    "fenced_code_attributes inline_code_attributes implicit_figures").split())
#: A text of Markdown on which pandoc takes longer, or more memory, was not written for readers.
_SECONDS, _MEMORY = 120, "-M1g"
_NOTHING = ["", [], []]
_WEB = re.compile(r"(?:https?://|mailto:)[A-Za-z0-9./:?=&@+,;!()~*_'-]*(?:#[A-Za-z0-9._-]*)?")
#: Blocks whose content is a list of inlines, of blocks, of lists of blocks; inlines whose content is inlines.
_OF_INLINES, _OF_BLOCKS, _OF_LISTS = ("Para", "Plain"), ("BlockQuote",), ("BulletList",)
_INLINES = ("Emph", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps", "Underline")
_SIGNS = ("Space", "SoftBreak", "LineBreak")


class NotSet(ValueError):
    """Pandoc does not read a text; says why."""


def markdown_latex(text: str) -> str:
    """A text of Markdown as LaTeX."""
    tree = json.loads(_pandoc(COLOUR.sub("", text), _MARKDOWN, "json"))  # on paper the marks are enough
    tree["blocks"] = [purified_block(block) for block in tree["blocks"]]
    tree["meta"] = {}
    return _pandoc(json.dumps(tree), "json", "latex").rstrip("\n")


def _pandoc(text: str, given: str, wanted: str) -> str:
    command = ["pandoc", "+RTS", _MEMORY, "-RTS", "-f", given, "-t", wanted, "--wrap=preserve"]
    try:
        done = subprocess.run(command, input=text.encode("utf-8", "replace"), capture_output=True,
                              timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as reason:
        raise NotSet(f"pandoc did not end within {_SECONDS} s on {text[:40]!r}") from reason
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").split("\n")[0]
        raise NotSet(f"pandoc stopped on {text[:40]!r}: {said[:200]}")
    return done.stdout.decode("utf-8")


# --- the tree -----------------------------------------------------------------------------------------


def purified_block(node: Node) -> Node:
    """A block made anew; one that is not on the list becomes the words that are in it."""
    kind: str = node["t"]
    content: Any = node.get("c")
    if kind in _OF_INLINES:
        return {"t": kind, "c": _inlines(content)}
    if kind in _OF_BLOCKS:
        return {"t": kind, "c": _blocks(content)}
    if kind in _OF_LISTS:
        return {"t": kind, "c": [_blocks(item) for item in content]}
    if kind == "OrderedList":
        start = content[0][0] if type(content[0][0]) is int else 1
        return {"t": kind, "c": [[start, {"t": "Decimal"}, {"t": "Period"}], [_blocks(item) for item in content[1]]]}
    if kind == "Header":
        return {"t": kind, "c": [content[0], _NOTHING, _inlines(content[2])]}
    if kind == "Table":
        return {"t": kind, "c": _table(content)}
    if kind == "HorizontalRule":
        return {"t": kind}
    if kind in ("CodeBlock", "RawBlock"):
        return _code(content[1])
    return {"t": "Para", "c": [{"t": "Str", "c": text} for text in _texts(content)]}


def _blocks(nodes: list[Node]) -> list[Node]:
    return [purified_block(node) for node in nodes]


def _inlines(nodes: list[Node]) -> list[Node]:
    return [_inline(node) for node in nodes]


def _inline(node: Node) -> Node:
    kind: str = node["t"]
    content: Any = node.get("c")
    if kind == "Str":
        return {"t": kind, "c": content}
    if kind in _SIGNS:
        return {"t": kind}
    if kind in _INLINES:
        return {"t": kind, "c": _inlines(content)}
    if kind == "Quoted":
        return {"t": kind, "c": [{"t": content[0]["t"]}, _inlines(content[1])]}
    if kind == "Math":
        mode, tex = content
        good = is_mathematics(tex) and "\n\n" not in tex
        return {"t": kind, "c": [{"t": mode["t"]}, tex]} if good else _code_span(tex)
    if kind in ("Code", "RawInline"):
        return _code_span(content[1])
    if kind == "Link":
        _, inside, (target, _title) = content
        if _WEB.fullmatch(target):
            return {"t": kind, "c": [_NOTHING, _inlines(inside), [target, ""]]}
        return _span(inside)
    if kind in ("Image", "Span"):
        return _span(content[1])
    if kind == "Note":
        return {"t": kind, "c": _blocks(content)}
    return {"t": "Span", "c": [_NOTHING, [{"t": "Str", "c": text} for text in _texts(content)]]}


def _span(inside: list[Node]) -> Node:
    return {"t": "Span", "c": [_NOTHING, _inlines(inside)]}


def _code_span(text: str) -> Node:
    return {"t": "Code", "c": [_NOTHING, text]}


def _code(text: str) -> Node:
    r"""Code on lines of its own. Pandoc's own verbatim ends where the code says ``\end{verbatim}``."""
    escaped: Any = escape_latex
    lines = str(escaped(visible_lines(text)))
    begin, end = r"\begin{Verbatim}[commandchars=\\\{\}]", r"\end{Verbatim}"
    return {"t": "RawBlock", "c": ["latex", f"{begin}\n{lines}\n{end}"]}


def _table(content: Any) -> Any:
    """A table, whose shape is pandoc's and whose cells are made anew."""
    _, (_, caption), columns, (_, head), bodies, (_, foot) = content

    def rows(given: Any) -> Any:
        return [[_NOTHING, [[_NOTHING, {"t": align["t"]}, down, across, _blocks(inside)]
                            for _, align, down, across, inside in cells]] for _, cells in given]

    return [_NOTHING, [None, _blocks(caption)], [[{"t": align["t"]}, width] for align, width in columns],
            [_NOTHING, rows(head)], [[_NOTHING, columns_of_head, rows(above), rows(below)]
                                     for _, columns_of_head, above, below in bodies], [_NOTHING, rows(foot)]]


def _texts(node: Any) -> list[str]:
    """The words in a part of the tree, whatever it is."""
    if isinstance(node, dict):
        return [node["c"]] if node.get("t") == "Str" else _texts(node.get("c"))
    return [text for part in node for text in _texts(part)] if isinstance(node, list) else []
