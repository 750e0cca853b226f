"""Texts of strangers on their way out: to a terminal, TeX, a page, a notebook. Each goes out as text."""

import ast
import json
import re
from dataclasses import replace

import jupytext
import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from symdp.audit.record import Record
from symdp.cli.app import main
from symdp.report.errata import Erratum
from symdp.report.notebooks.own_claims import narrative_of
from symdp.report.notebooks.published.exports import Kind, exported
from symdp.report.notebooks.published.purified import purified
from symdp.report.notebooks.weaving import weave
from symdp.report.notebooks.writing import _already_run, _as_run
from symdp.report.page.mathml import RawFormula, formula, mathml, prose
from symdp.report.page.page import page
from symdp.report.paper.documents import document, fragment
from symdp.report.paper.errata import errata_piece
from symdp.report.paper.latex import Author
from symdp.report.terminal.verdicts import print_verdicts
from symdp.sources.bibliography import _bibitem, bibtex, reference_latex
from symdp.sources.bibtex import read_bibtex
from symdp.sources.contents import listed
from symdp.sources.problems import Problem
from symdp.sources.registry import claim, statement
from symdp.typeset.mathematics import _ARITY, _WORDS, is_mathematics
from symdp.typeset.prose import formula_lines, markdown, text_latex
from symdp.typeset.visible import visible

# --- TeX -------------------------------------------------------------------------------------------

#: Between dollar signs: none of this may reach TeX, or leave the formula it stands in.
NO_MATHEMATICS = [
    r"\input{/etc/passwd}", r"\include x", r"\openout7=x", r"\immediate\write18{rm -rf x}", r"\read16 to\x",
    r"\catcode`\@=11", r"\csname input\endcsname", r"\def\x{y}", r"\newcommand{\le}{\ge}", r"\let\le\ge",
    r"\expandafter\input", "^^5cinput{x}", "^^\x1c", r"\end{document}", r"\begin{verbatim}x\end{verbatim}",
    r"\begin{aligned}x\end{document}", r"\verb|x|", r"\tag{1}", r"\label{x}", r"\ref{x}", r"\href{http://x}{y}",
    r"\url{x}", r"\special{x}", r"\includegraphics{x}", r"\usepackage{x}", r"\loop\repeat", r"\char92", r"\string x",
    r"\halign{#}", r"x}", r"{x", r"}{", r"x % y", "x # y", r"\left( x", r"x \right)", r"\frac{1}", r"\sqrt", "x^",
    "_", "x^1^2", r"x\\", "a & b", "\\", r"\text{a_b}", r"\text{\input{x}}", r"\mathrm{\input{x}}", "~", "", " ",
    r"\text{" + "{" * 60 + "}" * 60 + "}", "{" * 60 + "}" * 60, "x" * 30_000, "x\x00y", "x\x1b[2Jy", "\u202ex",
    r"\begin{array}{c}x\end{array}", r"\hspace{-99cm}", r"\raise99cm\hbox{x}", r"\color{white}", r"\middle|",
    r"\operatorname{\input}", r"\begin{aligned}" * 50, r"\unicode{60}", r"\style{x}{y}", r"\class{x}{y}", r"\over",
]
MATHEMATICS = [
    r"e^{\varepsilon}-1", r"\tilde\delta", r"\left(\frac12\right)^{k}", r"\sqrt[3]{x}", r"x'_1",
    r"\text{ if } x\le 1",
    r"\begin{cases}0,&x<0\\1,&x\ge0\end{cases}", r"\operatorname{Var}[X]", r"\bigl|x\bigr|", r"\{1,\dots,k\}",
    r"\lfloor x\rfloor", r"\left\|x\right\|", r"\sum_{i=1}^{n}x_i^2", "x < y", r"\mathbb{N},\ k\ge 1", "ε ≤ 1",
]
#: What the escaping of words itself writes.
_OURS = {"textbackslash", "textasciitilde", "textasciicircum", "texttt", "dots"}


@pytest.mark.parametrize("tex", NO_MATHEMATICS)
def test_what_is_no_mathematics_is_words(tex):
    assert not is_mathematics(tex)
    made = text_latex(f"before ${tex}$ after")
    assert set(re.findall(r"\\([A-Za-z]+)", made)) <= _OURS
    assert made.count(r"\$") == 2
    assert not re.search(r"(?<!\\)[$%#]", re.sub(r"\$[<>|]\$", "", made))
    assert "^^" not in made
    words = markdown(f"before ${tex}$ after")
    assert not re.search(r"(?<!\\)\$", words)
    assert not any("input" in line and r"\input" in line for line in formula_lines(f"x ${tex}$", 40))


@pytest.mark.parametrize("tex", MATHEMATICS)
def test_mathematics_stays_what_it_is(tex):
    assert is_mathematics(tex)
    if tex.isascii():
        assert text_latex(f"for ${tex}$.") == f"for ${tex}$."
    assert "<math" in formula(tex)


PARTS = ["$", "\\", "{", "}", "^^5c", "^", "_", "&", "%", "#", "~", "\n\n", " ", "x", "input", "\\input", "\\frac",
         "\\text", "\\left", "\\right", "(", ")", "\\begin{aligned}", "\\end{aligned}", "\\\\", "[", "]", "ε", "\x1b",
         "<", "`", "'"]


@given(st.lists(st.sampled_from(PARTS), max_size=25).map("".join))
def test_no_text_becomes_a_command(text):
    made = text_latex(text)
    known = {*_ARITY, *_WORDS, *_OURS, "left", "right", "begin", "end"}
    assert set(re.findall(r"\\([A-Za-z]+)", made)) <= known
    outside = re.sub(r"\\[{}\\]", "", made)
    depth = 0
    for sign in outside:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert "^^" not in made
    assert "\n\n" not in made
    assert len(re.findall(r"(?<!\\)\$", made)) % 2 == 0


EVIL = r"a $\input{/etc/passwd}$ \input{x} 100% [x] {" + "\n\n" + r"\end{document}"


def test_every_field_of_a_statement_goes_to_tex_as_text():
    home = statement("kov/sec-7.mgf-bound")
    evil = [replace(c, says=EVIL, because=EVIL, printed_at=EVIL) for c in home.claims[:2]]
    hostile = replace(home, title=EVIL, hypotheses=EVIL, cites=(r"x}\input{y",), claims=tuple(evil),
                      place=replace(home.place, label=EVIL, source=replace(home.source, cite=r"x}\input{y")))
    record = Record("id", evil[0].id, EVIL, EVIL, {"verdict": "refuted", "method": EVIL, "witness": {}})
    told = listed(hostile)
    erratum = Erratum(told, replace(told.claims[0], corrected=evil[1].id), record)
    set_in_tex = fragment([errata_piece([erratum], home=lambda id: hostile)])
    for made in (Author("log", "varepsilon").environment(hostile, None), set_in_tex):
        assert "passwd" in made
        assert not re.search(r"\\(input|end\{document\})", made)
        assert r"\textbackslash{}input" in made


HOSTILE_BIB = r"""
@misc{evil, author = {\input{/etc/passwd} and {R}{\'e}nyi}, title = {A \write18{x} $\openout1=x$},
  year = {20\end{document}26}}
@misc{braces, title = {a \{b\} c}, note = {\input x}, year = 2026}
@misc{good, author = {R{\'e}nyi, Alfr{\'e}d}, title = {On $\varepsilon$ \& {M}ore}, year = 1961}
"""


def test_an_entry_of_bibtex_goes_out_as_a_reference(monkeypatch):
    from symdp.sources import bibliography

    found = read_bibtex(HOSTILE_BIB)
    monkeypatch.setattr(bibliography, "_read", lambda files: found)
    made = bibtex(["evil", "braces", "good"]) + _bibitem("evil", "") + _bibitem("braces", "")
    assert not re.search(r"\\(input|write|openout|end)(?![a-z])", made)
    assert "title = {On $\\varepsilon$ \\& {M}ore}" in made
    again = read_bibtex(bibtex(["evil", "good"]))
    assert set(again) == {"evil", "good"}
    assert reference_latex(r"\'e \c{c} \o{} \emph{x} $\frac12$") == r"\'e \c{c} \o{} \emph{x} $\frac12$"


# --- pages -----------------------------------------------------------------------------------------

TAGS = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</math><script>alert(1)</script>",
        "\"'><svg onload=alert(1)>"]


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("around", [
    "{}", "${}$", r"$\text{{{}}}$", r"$\tag{{{}}}$", r"$\href{{javascript:alert(1)}}{{{}}}$", r"$\mathrm{{{}}}$",
    r"$x_{{{}}}$", r"$\operatorname{{{}}}$"])
def test_no_tag_comes_out_of_a_formula(tag, around):
    made = str(prose(around.format(tag)))
    assert not re.search(r"<(?!/?(math|m[a-z]+|code|span)\b)", made)
    assert not re.search(r"<[^>]*(onerror|onload|href|javascript)", made)


def test_only_elements_and_attributes_of_mathml_are_written(monkeypatch):
    from xml.etree.ElementTree import Element, SubElement

    from symdp.report.page import mathml as room

    def made(tag, attributes, text=""):
        root = Element("math")
        SubElement(root, tag, attributes).text = text
        return lambda tex, display: root

    for tag, attributes in [("script", {}), ("img", {}), ("mi", {"mathvariant": 'x" onload="alert(1)'}),
                            ("semantics", {}), ("annotation-xml", {}), ("maction", {}), ("mglyph", {})]:
        monkeypatch.setattr(room, "convert_to_element", made(tag, attributes))
        mathml.cache_clear()
        with pytest.raises(RawFormula):
            mathml("x")
    monkeypatch.setattr(room, "convert_to_element", made("mi", {"onclick": "alert(1)", "href": "x"}, "<b>&#x3c;"))
    mathml.cache_clear()
    assert "<mi>&lt;b&gt;&#x3c;</mi>" in mathml("x")
    mathml.cache_clear()


def test_every_field_of_the_page_is_escaped(monkeypatch):
    tag = TAGS[1]
    home = statement("kov/sec-7.mgf-bound")
    first = replace(claim("kov/sec-7.mgf-bound"), says=tag, because=tag, printed_at=tag)
    hostile = replace(home, title=tag, hypotheses=tag, claims=(first,))
    data = {"verdict": "undecided", "method": tag, "witness": {tag: tag}, "trust": [tag], "rules": [tag],
            "certificate": None}
    record = Record("id", first.id, tag, tag, data, explanation=(tag,))
    monkeypatch.setattr("symdp.report.page.page.statements", lambda: (hostile,))
    made = page([record])
    assert made.count("<script>") == 1
    assert made.count("alert(1)") > 8


def test_html_is_trusted_in_five_places_only():
    """Autoescaping does the rest: no template marks anything as safe."""
    for path in (ROOT / "symdp").rglob("*.j2"):
        assert not re.search(r"\|\s*safe", path.read_text()), path
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / "symdp").rglob("*.py")
             if re.search(r"\bMarkup\(", path.read_text(encoding="utf-8"))}
    assert found == {"symdp/report/linting/page.py",  # its own style sheet
                     "symdp/report/page/steps.py",  # its own tags, around what is escaped
                     *(f"symdp/report/page/{name}.py" for name in ("mathml", "page", "page_figures"))}
    marked = re.findall(r"Markup\((.*?)\)", (ROOT / "symdp/report/page/steps.py").read_text(encoding="utf-8"))
    assert set(marked) <= {'""', '"<code>{}</code>"', '"{}{}"', "'the lemma exp-tangent'"}


# --- notebooks -------------------------------------------------------------------------------------


def hostile_notebook():
    v4 = nbformat.v4
    evil = TAGS[1]
    cell = v4.new_code_cell(f"1  # {evil}", execution_count=1, metadata={
        "tags": [f'"{evil}'], "nbgrader": {"solution": evil}, "transient": evil}, outputs=[
        v4.new_output("display_data", data={"text/html": evil}),
        v4.new_output("display_data", data={"application/javascript": "alert(1)"}),
        v4.new_output("display_data", data={"image/svg+xml": f"<svg>{evil}</svg>"}),
        v4.new_output("display_data", data={"image/png": f'x">{evil}'}),
        v4.new_output("display_data", data={"image/png": "iVBORw0KGgo="},
                      metadata={"image/png": {"width": "1 onload=alert(1)"}, "filenames": {"image/png": "http://x"}}),
        v4.new_output("display_data", data={"text/latex": r"\input{/etc/passwd}"}),
        v4.new_output("display_data", data={"text/latex": "$x^2$"}),
        v4.new_output("display_data", data={"text/vnd.mermaid": f"</pre>{evil}"}),
        v4.new_output("display_data", data={
            "text/markdown": f"{evil} [x](javascript:alert(1)) $\\href{{javascript:x}}{{y}}$"}),
        v4.new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {"x": evil}}),
        v4.new_output("stream", name="stdout", text=f"{evil}\x1b[31m"),
        v4.new_output("error", ename=evil, evalue=evil, traceback=[evil]),
    ])
    words = v4.new_markdown_cell(f"# {evil}\n\n{evil} <b onclick=alert(1)>x</b>\n\n[x](javascript:alert(1)) "
                                 "![y](http://z/y.png)\n\n"
                                 "`\\input{x}`{=latex} \\input{x} $\\input{x}$ \\\\(\\input{x}\\\\)")
    return v4.new_notebook(cells=[words, v4.new_raw_cell(evil, metadata={"raw_mimetype": "text/html"}), cell],
                           metadata={"widgets": {"application/vnd.jupyter.widget-state+json": evil}, "title": evil})


def test_a_notebook_is_exported_without_its_scripts():
    made = exported(nbformat.writes(hostile_notebook()), Kind.HTML).decode()
    assert "<script" not in made
    assert not re.search(r"<[^>]+\s(on\w+=|href=[\"']?javascript)", made)
    assert "Content-Security-Policy" in made
    assert "<svg" not in made
    assert "<msup>" in made
    assert "(left out: an output of the kind text/html)" in made


def test_outputs_of_a_notebook_have_no_tex_but_mathematics():
    clean = purified(hostile_notebook())
    nbformat.validate(clean)
    assert [o.data for o in clean.cells[1].outputs if "text/latex" in o.get("data", ())] == [{"text/latex": "$x^2$"}]
    assert all(c.cell_type != "raw" for c in clean.cells)


def test_a_stored_output_is_used_only_if_we_ran_it(tmp_path, monkeypatch):
    """Once edited outputs with equal sources were shown as they were."""
    from symdp.report.notebooks.execution import executed
    from symdp.users_mark import keep

    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    text = "# %%\n6 * 7\n"
    made, path = executed(text, "answer"), tmp_path / "answer.ipynb"
    path.write_text(made)
    assert _already_run(text, path) is None
    keep("notebooks", _as_run(made))
    assert _already_run(text, path) == made
    path.write_text(made.replace("42", "43"))
    assert _already_run(text, path) is None
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text(made)
    assert _already_run(text, path) is None


NAMES = ['"); import os; os.abort() #', "'''", '"""', "\n# %%\nimport os", "```\n```python\nimport os",
         "<!-- setup -->",
         "\u2028import os", "{x}", "%run x", "!rm x", "[x](javascript:y)", "$\\input{x}$"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_no_code_of_a_notebook(name):
    for title in ("draft", name):
        made = jupytext.reads(weave(narrative_of(title, [Problem(name, "exp(x) >= 1+x")])), fmt="py:percent")
        (shown,) = [c for c in made.cells if "ledger.show" in c.source]
        call = ast.parse(shown.source).body
        assert len(call) == 1
        assert ast.literal_eval(call[0].value.args[0].args[0]) == name
        ours = weave(narrative_of("draft", [Problem("tangent", "exp(x) >= 1+x")]))
        assert len(made.cells) == len(jupytext.reads(ours, fmt="py:percent").cells)


# --- terminals -------------------------------------------------------------------------------------

SPEAKING = ["\x1b[2J", "\x1b]8;;http://x\x07y", "\x9b2J", "\x07", "\r", "\b", "\u202e", "\u2066", "\u200f", "\u2028",
            "\x00", "\ufeff", "\U000e0041", "a" + "\u0301" * 50, "\udc80"]
MARKUP = ["[/x]", "[/]", "[bold]x", "[link=http://x]y[/link]", "\\[/x]", "[", "[x", "\\", ":smile:", "[@click=x]y[/]"]


@pytest.mark.parametrize("text", SPEAKING)
def test_nothing_speaks_to_the_terminal(text):
    made = visible(f"a{text}b")
    assert made.isprintable()
    assert made.encode()
    assert len(made) < 30


@pytest.mark.parametrize("text", [*SPEAKING, *MARKUP])
def test_a_name_is_printed_as_it_is(text, capsys):
    from symdp.search.verdict import Status, Verdict

    verdict = Verdict(Status.UNDECIDED, f"because {text} is {text}")
    print_verdicts([Record.of("name", f"<{text}>", "x <= 1", "", verdict)])
    shown = capsys.readouterr().out
    assert visible(f"<{text}>") in shown
    assert all(line.isprintable() for line in shown.splitlines())


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code, capsys.readouterr()


@pytest.mark.parametrize("name", ["[/x]", "\x1b]0;owned\x07", "\u202eevil"])
@pytest.mark.parametrize("format", ["text", "json"])
def test_a_hostile_name_loses_no_verdict(tmp_path, capsys, name, format):
    path = tmp_path / "problems.toml"
    path.write_text(f"[[problem]]\nname = {json.dumps(name)}\nclaim = 'exp(x) >= 1 + x'\n"
                    f"[[problem]]\nname = 'broken'\nclaim = {json.dumps(name)}\n")
    code, told = run(capsys, "check", "--file", str(path), "--format", format)
    assert code == 2
    assert "proved" in told.out
    assert all(line.isprintable() for line in told.out.splitlines())
    if format == "json":
        assert json.loads(told.out)["claims"][0]["name"] == name


def test_errors_and_file_names_are_one_printable_line(tmp_path, capsys):
    for arguments in (["check", "--file", f"{tmp_path}/\x1b[2J[/x].toml"], ["recheck", f"{tmp_path}/\u202e.json"],
                      ["show", "\x1b]0;x\x07"], ["derive", "\x1b[1m"], ["figure", "\x1b[1m", "-o", "x.pdf"],
                      ["check", "exp(\x1b) >= 1"], ["\x1b[1m"], ["list", "--source", "[/x]\x07"]):
        code, told = run(capsys, *arguments)
        assert code == 2
        assert len(told.err.splitlines()) == 1
        assert told.err.strip().isprintable()


def test_a_derivation_of_a_stranger_is_printed_and_typeset(tmp_path, capsys):
    path = tmp_path / "x.tex"
    path.write_text("\x1b[2J [/x] $\\input{y}$ we show\n"
                    "\\begin{align*}1+x&\\le e^{x}&&\\text{[/x] \\input{z}}\\end{align*}\n")
    for more in ([], ["--latex"], ["--format", "json"]):
        code, told = run(capsys, "derive", str(path), *more)
        assert code in (0, 1, 2)
        assert all(line.isprintable() for line in (told.out + told.err).splitlines())
        if more == ["--latex"]:
            assert not re.search(r"(?<!\\)\\input", told.out)


def calls(name):
    """The modules that call something of that name; only those in which the word stands are parsed."""
    for path in sorted((ROOT / "symdp").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "kernel" not in path.parts and name in text:
            for node in ast.walk(ast.parse(text)):
                called = getattr(node, "func", None)
                if isinstance(node, ast.Call) and name in (getattr(called, "id", ""), getattr(called, "attr", "")):
                    yield path.relative_to(ROOT).as_posix()


def test_one_module_each_prints():
    """Consoles know no markup, and text goes out through `visible`: only these modules could do otherwise."""
    assert set(calls("Console")) == {"symdp/report/terminal/screen.py", "symdp/cli/progress.py"}
    assert set(calls("echo")) == {"symdp/cli/console.py"}
    assert set(calls("print")) <= {"symdp/report/terminal/screen.py", "symdp/cli/pages.py",
                                   "symdp/search/tactics/lemma_proofs.py",
                                   # JSON, to a process of ours at the other end of a pipe
                                   "symdp/editor/worker.py", "symdp/privacy/accountants/peers/asking.py"}
    for path in (ROOT / "symdp").rglob("*.py"):
        if re.search(r"^(from|import) rich", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert path.name in ("screen.py", "progress.py"), path
    screen = (ROOT / "symdp/report/terminal/screen.py").read_text()
    assert "markup=False" in screen
    assert "from_markup" not in screen


# --- certificates ----------------------------------------------------------------------------------


def test_recheck_says_which_and_goes_on(tmp_path, capsys):
    """Once it said "accepted cosh(x) <= 2" of a certificate of the contrary."""
    for text in ("cosh(x) <= 2", "exp(x) >= 1 + x"):
        run(capsys, "check", text, "--out", str(tmp_path / text[:3]), "--format", "json")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "worse.json").write_bytes(b"\xff\x00")
    odd = tmp_path / "[x]\x1b[2J.json"
    odd.write_text('{"format": 4}')
    code, told = run(capsys, "recheck", str(tmp_path))
    assert code == 2
    assert re.search(r"refuted +cosh\(x\) <= 2", told.out)
    assert re.search(r"proved +exp\(x\) >= 1 \+ x", told.out)
    assert "5 certificates: 1 proved, 1 refuted, 3 rejected" in told.out
    code, told = run(capsys, "recheck", str(tmp_path), "--format", "json")
    found = json.loads(told.out)
    assert code == 2
    assert found["summary"] == {"total": 5, "accepted": 2, "proved": 1, "refuted": 1, "rejected": 3}
    assert {(row["verdict"], row["claim"].split(" for ")[0]) for row in found["certificates"] if row["accepted"]} == {
        ("refuted", "cosh(x) <= 2"), ("proved", "exp(x) >= 1 + x")}
    for name in ("bad.json", "worse.json"):
        (tmp_path / name).unlink()
    assert run(capsys, "recheck", str(tmp_path))[0] == 1
    odd.unlink()
    assert run(capsys, "recheck", str(tmp_path))[0] == 0


def test_a_hostile_document_compiles(tmp_path):
    """With TeX at hand: every refused formula in one document, which compiles and reads nothing."""
    import shutil

    from symdp.report.paper.documents import Piece, typeset

    if shutil.which("pdflatex") is None:
        pytest.skip("there is no TeX here")
    body = "\n\n".join(text_latex(f"before ${tex[:200]}$ after {tex[:200]}")
                       for tex in [*NO_MATHEMATICS, *MATHEMATICS])
    made = typeset(document([Piece(body)]), tmp_path)
    assert made.exists()
    assert "root:" not in (tmp_path / "page.log").read_text(errors="replace")
