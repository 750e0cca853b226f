"""Markdown of strangers on pages and on paper: two readers of one text may differ, so what was read is looked at."""

import base64
import json
import re
import shutil
import struct
import zlib

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import NOTEBOOKS, ROOT

from symdp.report.notebooks import stored, writing
from symdp.report.notebooks.published.exports import Kind, exported
from symdp.report.notebooks.published.on_pages import markdown_html
from symdp.report.notebooks.published.on_paper import markdown_latex, purified_block

needs_pandoc = pytest.mark.skipif(shutil.which("pandoc") is None, reason="there is no pandoc here")
T = r"\input{SECRET}"
#: Once the first dozen of them came to TeX as commands.
WORDS = {
    "a span over paragraphs": f"a ` b\n\n{T}\n\n c ` d",
    "a fence inside a paragraph": f"text\n~~~\n{T}\n~~~\n",
    "dollar signs that pair otherwise": "$5 and $^^5cinput{SECRET}$ b",
    "another pairing": r"$5 and $\\^^5cinput{SECRET}$ b",
    "a formula over paragraphs": f"$x\n\n{T}$",
    "a raw span": f"`{T}`{{=latex}} `{T}`{{ =latex}}",
    "a raw block": f"```{{=latex}}\n{T}\n```\n\n~~~ {{ =latex }}\n{T}\n~~~",
    "ticks that are none": f"\\`{T}\\`",
    "a footnote": f"x[^1] y^[` {T}]\n\n[^1]: ` {T}\n\n`",
    "a quotation": f"> ` a\n{T}\n\n`",
    "the end of verbatim": f"- a\n\n    ```\n    \\end{{verbatim}}\\end{{Verbatim}}{T}\n    ```\n",
    "a picture": "![x](SECRET.png) ![y](SECRET){width=1}\n\n![z](SECRET)",
    "settings": f"---\nheader-includes: {T}\ntitle: x\n---\n\nx",
    "links": f"[x]({T}) [y](file://SECRET) [z](http://a/{T}) <file://SECRET>\n\n[q]: {T}",
    "a heading": f"## x {{#a{T}}}\n\n## {T}",
    "a table": f"| a | b |\n|---|---|\n| {T} | `|` {T} `|` |\n\n: {T}",
    "macros": f"\\newcommand{{\\le}}{{{T}}}\n\n$\\le$",
    "an environment": f"\\begin{{equation}}{T}\\end{{equation}}",
    "lists": f"1) {T}\n\na\n:   b {T}\n\n| {T}\n| b",
    "a citation": f"[@a{T}] <cite data-cite=\"{T}\">x</cite>",
    "brackets": f"\\\\({T}\\\\) \\\\[{T}\\\\] \\({T}\\)",
}


def commands(tex):
    """What TeX would take for commands, in a text in which every other sign is escaped."""
    return set(re.findall(r"\\([A-Za-z]+)", tex))


@needs_pandoc
@pytest.mark.parametrize("words", WORDS.values(), ids=list(WORDS))
def test_no_word_of_a_notebook_is_a_command_of_tex(words):
    made = markdown_latex(words.replace("SECRET", "/etc/passwd"))
    assert not commands(made) & {"input", "includegraphics", "newcommand", "end{document}", "openout", "write"}
    assert "^^" not in made
    assert made.count(r"\end{verbatim}") == 0
    assert made.count(r"\begin{Verbatim}") == made.count(r"\end{Verbatim}")
    assert "href{file" not in made


@needs_pandoc
@pytest.mark.skipif(shutil.which("xelatex") is None, reason="there is no xelatex here")
def test_a_paper_of_hostile_words_reads_nothing(tmp_path, monkeypatch):
    (tmp_path / "secret.tex").write_text(r"\errmessage{the secret was read}")
    (tmp_path / "secret").write_text(r"\errmessage{the secret was read}")
    v4 = nbformat.v4
    words = [w.replace("SECRET", str(tmp_path / "secret")) for w in WORDS.values()]
    outputs = [v4.new_output("display_data", data={"text/markdown": w}) for w in words]
    outputs += [v4.new_output("stream", name="stdout", text="\n".join(words)),
                v4.new_output("display_data", data={"text/plain": "\n".join(words)}),
                v4.new_output("error", ename=words[0], evalue=words[1], traceback=words)]
    cells = [v4.new_markdown_cell("# " + words[0].split("\n")[0]), *map(v4.new_markdown_cell, words),
             v4.new_code_cell("\n".join(words), outputs=outputs)]
    made = exported(json.dumps(v4.new_notebook(cells=cells)), Kind.PDF)
    assert made.startswith(b"%PDF")


@needs_pandoc
def test_our_own_formulas_stay_formulas_on_paper():
    for path in sorted(NOTEBOOKS.glob("*.ipynb"))[:2]:
        words = "\n\n".join(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown")
        plain = re.sub(r"`[^`]*`", "", words)
        formulas = len(re.findall(r"(?s)\$\$.+?\$\$|(?<!\\)\$.+?(?<!\\)\$", plain))
        made = markdown_latex(words)
        assert formulas == len(re.findall(r"\\\(|(?<!\\)\\\[", made)), path.name


# --- the tree, where there is no pandoc -----------------------------------------------------------------

NOTHING = ["id", ["class"], [["width", r"\input{x}"]]]
RAW = {"t": "RawInline", "c": ["tex", r"\input{x}"]}
ALLOWED = {"Para", "Plain", "BlockQuote", "BulletList", "OrderedList", "Header", "Table", "HorizontalRule",
           "RawBlock", "Str", "Space", "SoftBreak",
           "LineBreak", "Emph", "Strong", "Strikeout", "Superscript", "Subscript",
           "SmallCaps", "Underline", "Quoted", "Math", "Code", "Link", "Span", "Note",
           "InlineMath", "DisplayMath", "SingleQuote", "DoubleQuote", "Decimal", "Period"}


def kinds(node):
    if isinstance(node, dict):
        yield node["t"]
        yield from kinds(node.get("c"))
    elif isinstance(node, list):
        for part in node:
            yield from kinds(part)


INLINES = st.recursive(
    st.sampled_from([{"t": "Str", "c": "x"}, {"t": "Space"}, RAW, {"t": "Code", "c": [NOTHING, "x"]},
                     {"t": "Math", "c": [{"t": "InlineMath"}, r"\input{x}"]}, {"t": "Unheard", "c": [RAW]}]),
    lambda inner: st.builds(lambda kind, inside: {"t": kind, "c": inside}, st.sampled_from(["Emph", "Strong"]),
                            st.lists(inner, max_size=3))
    | st.builds(lambda kind, inside, to: {"t": kind, "c": [NOTHING, inside, [to, r"\input{x}"]]},
                st.sampled_from(["Link", "Image"]), st.lists(inner, max_size=3),
                st.sampled_from(["http://x", "javascript:x", "/etc/passwd", r"http://x/\input{y}"]))
    | st.builds(lambda inside: {"t": "Cite", "c": [[], inside]}, st.lists(inner, max_size=3)), max_leaves=12)
BLOCKS = st.recursive(
    st.builds(lambda inside: {"t": "Para", "c": inside}, st.lists(INLINES, max_size=3))
    | st.sampled_from([{"t": "RawBlock", "c": ["latex", r"\input{x}"]},
                       {"t": "CodeBlock", "c": [NOTHING, r"\end{Verbatim}"]}, {"t": "HorizontalRule"},
                       {"t": "Null"}]),
    lambda inner: st.builds(lambda inside: {"t": "BlockQuote", "c": inside}, st.lists(inner, max_size=3))
    | st.builds(lambda inside: {"t": "Div", "c": [NOTHING, inside]}, st.lists(inner, max_size=3))
    | st.builds(lambda inside: {"t": "BulletList", "c": [inside]}, st.lists(inner, max_size=3)), max_leaves=12)


@given(BLOCKS)
def test_a_tree_is_made_anew_from_what_is_on_the_list(block):
    made = purified_block(block)
    assert set(kinds(made)) <= ALLOWED
    text = json.dumps(made)
    assert "width" not in text
    assert "/etc/passwd" not in text
    for raw in re.findall(r'"RawBlock", "c": \["latex", ("(?:[^"\\]|\\.)*")', text):
        assert commands(json.loads(raw)) <= {"begin", "end", "textbackslash"}
        assert json.loads(raw).count(r"\end{") == 1


# --- pages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    *WORDS.values(), "```mermaid\n<img src=x onerror=alert(1)>\n```", "\\begin{x}<script>alert(1)</script>\\end{x}",
    "![<b onclick=x>](http://x/y.png \"t\")", "[x](data:text/html,y) [x](vbscript:y) [x](JaVaScRiPt:y)",
    "[x](http://y\"onclick=alert(1))", "$$\n<img src=x onerror=alert(1)>\n$$",
    "~~~html\n<script>alert(1)</script>\n~~~"])
def test_a_page_fetches_nothing_and_runs_nothing(words):
    made = markdown_html(words)
    assert not re.search(r"<(?!/?(?:p|a|em|strong|code|pre|h[1-6]|ul|ol|li|table|thead|tbody|tr|t[hd]|blockquote"
                         r"|hr|br|math|m[a-z]+|del|section|sup|dl|dt|dd|input)\b)", made), made
    assert not re.search(r"<[^>]*\s(?:src|on\w+)=", made)
    assert all(re.match(r"https?://|#", url) for url in re.findall(r'href="([^"]*)"', made))


def test_the_places_where_markdown_is_read_are_two():
    """Whoever converts Markdown elsewhere has to say there what may be in it."""
    found = {p.name for p in (ROOT / "symdp").rglob("*.py")
             if re.search(r"mistune|convert_pandoc|\"pandoc\", \"", p.read_text(encoding="utf-8"))}
    assert found == {"on_pages.py", "on_paper.py"}


# --- pictures that are compared ----------------------------------------------------------------------


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(width: int, height: int, data: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


DOT, OTHER = _png(1, 1, zlib.compress(b"\0\0")), "the cell 'x' shows something else"


def _with_picture(png: bytes | str) -> str:
    text = png if isinstance(png, str) else base64.b64encode(png).decode()
    output = {"data": {"image/png": text}, "metadata": {}}
    return json.dumps({"cells": [{"cell_type": "code", "source": ["x"], "outputs": [output]}]})


@pytest.mark.parametrize("png", [
    "!!!!", b"not a picture", b"\x89PNG\r\n\x1a\n\0\0\0\0zzzz", _png(1, 1, b""), _png(1, 1, zlib.compress(b"")[:4]),
    b"II*\0\x08\0\0\0",
], ids=["text", "words", "broken", "empty", "cut", "tiff"])
def test_a_stored_picture_that_is_none_is_another_one(png):
    assert list(stored.differences(_with_picture(png), _with_picture(DOT))) == [OTHER]


def test_a_stored_picture_is_not_unpacked_if_it_has_another_size(monkeypatch):
    """It would take gigabytes, out of a kilobyte."""
    monkeypatch.setattr(stored, "imread", None)
    bomb = _png(60_000, 60_000, zlib.compress(bytes(1000)))
    assert list(stored.differences(_with_picture(bomb), _with_picture(DOT))) == [OTHER]


@pytest.mark.parametrize("kind", ["bytes", "link"])
def test_a_stored_notebook_that_is_no_text_is_said_to_be_none(tmp_path, kind):
    plan = writing.plans(["01"])[0]
    (tmp_path / f"{plan.name}.py").write_text("x")
    stranger = tmp_path / f"{plan.name}.ipynb"
    if kind == "bytes":
        stranger.write_bytes(b"\xff\xfe")
    else:
        (tmp_path / "elsewhere").write_text("{}")
        stranger.symlink_to(tmp_path / "elsewhere")
    assert list(writing.check_notebooks(["01"], tmp_path)) == [(plan.name, ["it cannot be read as a notebook"])]
