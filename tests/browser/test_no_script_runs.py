"""Strangers try to run a script through every field of the audit page, of a paper and of a notebook, in chromium.

The policy that both pages carry is taken out first: escaping alone must be enough. Then it is tried by itself.
"""

import json
import re
import shutil
from dataclasses import replace

import nbformat
import pytest

from symdp.audit.campaign import Options, audit_one
from symdp.audit.record import Record
from symdp.cli.app import main
from symdp.papers.finding import Finding, PaperReport
from symdp.report.linting.page import page as paper_page
from symdp.report.notebooks.published.exports import Kind, exported
from symdp.report.page.page import anchor, page
from symdp.report.page.page_figures import Shown
from symdp.sources.contents import Contents, listed
from symdp.sources.registry import claim, statement

pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]

#: ways to run a script; each says where it came from
PAYLOADS = [
    "<script>ran('@')</script>", "<img src=x onerror=ran('@')>", "<svg onload=ran('@')></svg>",
    "\"'><body onload=ran('@')>", "</script></style></title></textarea><script>ran('@')</script>",
    "<iframe srcdoc=\"<script>parent.ran('@')</script>\"></iframe>", "<a href=\"javascript:ran('@')\">x</a>",
    "<details open ontoggle=ran('@')>", "<math><mtext><script>ran('@')</script></mtext></math>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=ran('@')></annotation-xml></math>",
    "<form action=\"javascript:ran('@')\"><button>x</button></form>", "<style>*{background:url(x)}</style>",
    "{{ ran('@') }}", "${ran('@')}", "&lt;script&gt;ran('@')&lt;/script&gt;", "<!--><img src=x onerror=ran('@')>-->",
    "]]><script>ran('@')</script>", "\u0000<script>ran('@')</script>",
]
IN_TEX = [r"$\href{javascript:ran('@')}{x}$", r"$\tag{<img src=x onerror=ran('@')>}$",
          r"$\text{<img src=x onerror=ran('@')>}$",
          r"$\mathrm{<script>ran('@')</script>}$", r"$\style{x:y}{z}\class{onload}{x}\cssId{x}{y}$",
          r"$</math><img src=x onerror=ran('@')>$", r"$\unicode{60}img$", r"$x&lt;img src=x onerror=ran('@')&gt;$"]
RAN = "window.came = []; window.ran = where => window.came.push(where);"


def everything(where):
    return " ".join([*PAYLOADS, *IN_TEX]).replace("@", where)


def looked_at(browser, text, folder, *, policy):
    """What ran in the page, what it asked for, and what it is made of, after everything in it was touched."""
    if not policy:
        text = re.sub(r'<meta[^>]*content-security-policy[^>]*>', "", text, flags=re.IGNORECASE)
        assert "default-src" not in text
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8", errors="replace")
    tab = browser.new_page()
    requests = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("dialog", lambda dialog: dialog.dismiss())
    tab.add_init_script(RAN)
    tab.goto(path.as_uri())
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    tab.evaluate("""document.querySelectorAll('a, button').forEach(a => {
        if (!(a.getAttribute('href') || '').startsWith('data:')) a.click(); })""")
    tab.wait_for_timeout(300)
    made = tab.evaluate("""({
        came: window.came,
        scripts: document.querySelectorAll('script').length,
        handlers: [...document.querySelectorAll('*')].flatMap(n => [...n.attributes]).filter(
            a => a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value)).map(a => a.name + '=' + a.value),
        foreign: [...new Set([...document.querySelectorAll('iframe, object, embed, form:not(.filters), base, image')]
            .map(n => n.tagName))],
    })""")
    made["requests"] = [url for url in requests if not url.startswith(("data:", path.as_uri()))]
    tab.close()
    return made


def nothing_ran(found, scripts):
    assert found["came"] == []
    assert found["handlers"] == []
    assert found["foreign"] == []
    assert found["requests"] == []
    assert found["scripts"] == scripts


# --- the audit page --------------------------------------------------------------------------------


@pytest.fixture
def hostile(monkeypatch, tmp_path):
    """A page in which every field is hostile; its folder has a forged figure and a forged record."""
    home, id = statement("kov/sec-7.mgf-bound"), "kov/sec-7.mgf-bound"
    source = replace(home.place.source, key="<script>ran('key')</script>", title=everything("source title"))
    place = replace(home.place, label=everything("label"), source=source)
    shown = audit_one(id, Options(budget=5, out=tmp_path, fresh=False))
    first = replace(claim(id), says=everything("says"), because=everything("because"),
                    printed_at=everything("printed at"))
    second = replace(first, name="<img src=x onerror=ran('id')>", improves=first.name)
    statements = (replace(home, place=place, title=everything("title"), hypotheses=everything("hypotheses"),
                          claims=(first, second)),)
    first, second = statements[0].claims
    monkeypatch.setattr("symdp.report.page.page.statements", lambda: statements)
    table = Contents((first.kind,), (listed(statements[0]),))
    monkeypatch.setattr("symdp.report.page.page.contents", lambda: table)
    monkeypatch.setattr("symdp.report.page.page.registry.claim",
                        lambda name: first if name == first.id else second)
    monkeypatch.setattr("symdp.report.page.page.render", lambda ids: everything("LaTeX"))
    evil = everything("data")
    data = {**shown.data, "method": everything("method"), "trust": [everything("trust")],
            "rules": [everything("rules")],
            "witness": {**shown.data["witness"], everything("witness name"): everything("witness"), "left": evil}}
    held = {**data, "verdict": "proved", "witness": None}  # whose method is shown; of what is refuted, the point
    records = [Record("id", c.id, evil, evil, said, corrected=evil, message=everything("message"),
                      explanation=(everything("explanation"),), beyond=evil)
               for c, said in ((first, data), (second, held))]
    (tmp_path / f"{anchor(first.id)}.figure").write_text(json.dumps({
        "key": "x", "mark": "x", "shown": ["<svg><script>ran('svg')</script></svg>", everything("caption"), True]}))
    return records, tmp_path


@pytest.mark.parametrize("policy", [False, True], ids=["escaping alone", "with the policy"])
def test_nothing_runs_in_the_audit_page(browser, hostile, policy):
    records, folder = hostile
    text = page(records, folder=folder)
    for where in ("title", "label", "hypotheses", "says", "because", "method", "trust", "explanation", "id"):
        assert f"ran('{where}')" in text or f"ran(&#39;{where}&#39;)" in text, where
    nothing_ran(looked_at(browser, text, folder, policy=policy), scripts=1)


def test_the_policy_alone_stops_a_script_that_came_in(browser, hostile, monkeypatch):
    """If escaping failed one day: the page runs its own script and no other. Without the policy this one runs."""
    from markupsafe import Markup

    records, folder = hostile
    evil = Markup("<img src=x onerror=ran('svg')><script>ran('svg')</script>")
    monkeypatch.setattr("symdp.report.page.page.figure_of", lambda *given: Shown(evil, evil, True))
    text = page(records)
    assert looked_at(browser, text, folder, policy=False)["came"] != []
    assert looked_at(browser, text, folder, policy=True)["came"] == []


def test_the_script_of_the_page_itself_runs(browser, hostile):
    records, folder = hostile
    (folder / "page.html").write_text(page(records), encoding="utf-8", errors="replace")
    tab = browser.new_page()
    tab.goto((folder / "page.html").as_uri())
    assert tab.locator("#filters").is_visible()
    tab.close()


# --- the page of a paper -----------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [False, True], ids=["escaping alone", "with the policy"])
def test_nothing_runs_in_the_page_of_a_paper(browser, tmp_path, policy):
    """Everything on it is a stranger's: the source, the names of its files, and what is said of its relations."""
    file = everything("file")
    finding = Finding(
        file, 1, 1, everything("tex"), everything("reading"), "refuted", 1, 2,
        hypotheses=((everything("hypothesis"), 1),), missing=(everything("missing"),), message=everything("finding"),
        witness={everything("name"): everything("value")})
    text = paper_page(PaperReport((finding,)), {file: everything("source")})
    for where in ("file", "source", "reading", "hypothesis", "missing", "finding", "value"):
        assert f"ran('{where}')" in text or f"ran(&#39;{where}&#39;)" in text, where
    nothing_ran(looked_at(browser, text, tmp_path, policy=policy), scripts=0)


@pytest.mark.parametrize("policy", [False, True], ids=["escaping alone", "with the policy"])
def test_nothing_runs_in_the_page_of_a_paper_that_was_really_read(browser, tmp_path, monkeypatch, policy):
    """The command itself, on a file whose name, words, macros, names, comments and formulas are all hostile."""
    folder = tmp_path / "paper"
    folder.mkdir()
    monkeypatch.chdir(folder)
    name = "<img src=x onerror=ran('name')>.tex"
    inside = [p.replace("@", "formula") for p in (*PAYLOADS, *(t.strip("$") for t in IN_TEX)) if "$" not in p]
    (folder / name).write_text("\n".join([
        r"\documentclass{article}", everything("preamble").replace("$", ""),
        r"\newcommand{\evil}{" + PAYLOADS[0] + "}",
        r"\begin{document}", everything("words").replace("$", ""), "% " + everything("comment"), "Let $x > 0$.",
        *(f"Then $x \\le x + 1 {p}$ and $$x < {p}$$ and $x_{{{p}}} < 1$.\n" for p in inside),
        r"\begin{<script>ran('environment')</script>}", r"Then $\evil < x$ and $x < x$.",
        r"\label{" + PAYLOADS[1] + "}", r"\input{" + PAYLOADS[1] + "}", r"\end{document}"]), encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["lint", name, "--budget", "0.1", "--fresh", "--html", "out.html"])
    assert stop.value.code == 1  # x < x is refuted
    text = (folder / "out.html").read_text(encoding="utf-8")
    assert "refuted" in text
    for where in ("words", "comment", "@", "environment"):
        assert f"ran(&#39;{where}&#39;)" in text, where
    nothing_ran(looked_at(browser, text, tmp_path, policy=policy), scripts=0)


# --- an exported notebook --------------------------------------------------------------------------


def notebook():
    v4 = nbformat.v4
    kinds = ["text/html", "application/javascript", "image/svg+xml", "image/png", "image/jpeg", "text/markdown",
             "text/latex", "text/plain", "text/vnd.mermaid", "application/json",
             "application/vnd.jupyter.widget-view+json", "application/x-unknown"]
    outputs = [v4.new_output("display_data", data={kind: everything(kind)}, metadata={
        kind: {"width": everything("width")}, "filenames": {kind: everything("file name")}}) for kind in kinds]
    outputs += [v4.new_output("stream", name="stdout", text=everything("stdout")),
                v4.new_output("stream", name="stderr", text=everything("stderr")),
                v4.new_output("error", ename=everything("ename"), evalue="x", traceback=[everything("traceback")])]
    evil = everything("metadata")
    cells = [v4.new_markdown_cell(f"# {everything('heading')}"), v4.new_markdown_cell(everything("words")),
             v4.new_markdown_cell("[x](javascript:ran('a')) ![y](javascript:ran('b')) <javascript:ran('c')>"),
             v4.new_markdown_cell("[a]: javascript:ran('reference')\n\n[a] ```<script>ran('code')</script>```"),
             v4.new_markdown_cell(f"```mermaid\n{everything('diagram')}\n```\n\n![a](http://127.0.0.1:9/pixel)"
                                  " ![b](x.png)"),
             v4.new_markdown_cell(f"\\begin{{x}}{everything('environment')}\\end{{x}} ` b\n\n\\begin{{x}}<script>"
                                  "ran('hidden')</script>\\end{x}\n\n`"),
             v4.new_raw_cell(everything("raw"), metadata={"raw_mimetype": "text/html"}),
             v4.new_code_cell(everything("code"), metadata={"tags": ["hide-input", "evil"], "odd": evil},
                              outputs=outputs),
             v4.new_code_cell(f"# @title {everything('folded')}", metadata={"tags": ["hide-input"]})]
    made = v4.new_notebook(cells=cells, metadata={
        "title": evil, "widgets": {"application/vnd.jupyter.widget-state+json": {"x": evil}},
        "language_info": {"name": evil, "pygments_lexer": evil}, "kernelspec": {"name": evil, "display_name": evil}})
    return json.dumps(made)


@pytest.mark.parametrize("policy", [False, True], ids=["escaping alone", "with the policy"])
def test_nothing_runs_in_an_exported_notebook(browser, tmp_path, policy):
    text = exported(notebook(), Kind.HTML).decode()
    assert "ran(" in text
    nothing_ran(looked_at(browser, text, tmp_path, policy=policy), scripts=0)
