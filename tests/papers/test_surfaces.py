"""Where findings are read: lines, JSON, SARIF, a page, the paper with notes in its margin."""

import json
import shutil
import subprocess
from contextlib import suppress

import pytest
from html5 import elements_of

from symdp.papers.finding import VERDICTS, Finding, PaperReport
from symdp.report.linting.lines import print_finding
from symdp.report.linting.margins import write_margins
from symdp.report.linting.page import page
from symdp.report.linting.sarif import sarif
from symdp.report.paper.documents import NoPress
from symdp.report.terminal.screen import Screen

PAPER = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
Let $x > 0$. Then
\begin{align}
  1 + x &\le e^{x} \\
  &\le 1 .
\end{align}
\input{more}
\end{document}
"""
MORE = r"And $x \le x + 1$, which is $2 \ne 3$."
HOSTILE = '<script>alert(1)</script>" \\input{/etc/passwd} \x1b[2J & % # _ ^ ~ $'


def findings(folder):
    main, more = str(folder / "paper.tex"), str(folder / "more.tex")
    return (
        Finding(main, 4, 5, "x > 0", "x > 0", "assumption"),
        Finding(main, 6, 3, r"1 + x \le e^{x}", "1 + x <= exp(x)", "proved", hypotheses=(("x > 0", 4),)),
        Finding(main, 7, 3, r"e^{x} \le 1", "exp(x) <= 1", "refuted", end_line=7, end_column=10,
                message="fails at x = 1", witness={"x": "1", "left": "2.718", "right": "1"}),
        Finding(more, 1, 5, r"x \le x + 1", "", "unread", message=HOSTILE, missing=(HOSTILE,)),
    )


@pytest.fixture
def paper(tmp_path):
    (tmp_path / "paper.tex").write_text(PAPER)
    (tmp_path / "more.tex").write_text(MORE)
    return tmp_path / "paper.tex"


def test_in_a_notebook_no_sign_of_a_stranger_has_a_meaning(tmp_path):
    shown = PaperReport(findings(tmp_path))._repr_markdown_()
    assert r"\<script\>alert(1)\</script\>" in shown
    assert r"\$" in shown
    assert r"\\input" in shown
    assert shown.splitlines()[4].endswith(r"| exp(x) \<= 1 | fails at x = 1 |")


def test_a_report_is_true_if_nothing_is_open(tmp_path):
    every = findings(tmp_path)
    assert PaperReport(every[:2])
    assert not PaperReport(every[:3])
    assert not PaperReport(every[3:])
    assert list(PaperReport(every)) == list(every)


def test_a_line_is_what_editors_parse_and_says_nothing_to_the_terminal(capsys, tmp_path):
    for finding in findings(tmp_path):
        print_finding(Screen(whole=True), finding)
    Screen(whole=True).say(PaperReport(findings(tmp_path)).counts)
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == f"{tmp_path}/paper.tex:7:3: refuted: fails at x = 1"
    assert lines[-1] == "4 relations: 1 proved, 1 refuted, 1 unread, 1 assumption"
    assert "\x1b" not in "".join(lines)


def test_the_exit_code_is_that_of_what_is_refuted_or_with_strict_open():
    def code(*verdicts, strict=False):
        return PaperReport(tuple(Finding("p.tex", 1, 1, "", "", v) for v in verdicts)).exit_code(strict=strict)

    assert code() == code("proved", "undecided", "unread", "gap") == code("proved", "argued", strict=True) == 0
    assert code("proved", "refuted") == code("undecided", strict=True) == code("unread", strict=True) == 1


def test_sarif_has_what_its_schema_requires(tmp_path):
    """The properties that SARIF 2.1.0 requires, the values it allows, and indices that lead where they should."""
    document = json.loads(json.dumps(sarif(PaperReport(findings(tmp_path)))))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "symdp"
    rules = [rule["id"] for rule in driver["rules"]]
    assert rules == list(VERDICTS)
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len(run["results"]) == 4
    for result in run["results"]:
        assert result["message"]["text"]
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["kind"] in ("pass", "open", "informational", "notApplicable", "review", "fail")
        assert result["kind"] == "fail" or result["level"] == "none"  # section 3.27.10 of the standard
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"].startswith("file:///")
        assert " " not in place["artifactLocation"]["uri"]
        assert place["region"]["startLine"] >= 1
        assert place["region"]["startColumn"] >= 1
        assert place["region"].get("endLine", 10**9) >= place["region"]["startLine"]
    assert [r["level"] for r in run["results"]] == ["none", "none", "error", "none"]


def test_the_page_shows_the_source_and_runs_nothing(paper):
    report = PaperReport(findings(paper.parent))
    texts = {str(paper): PAPER + HOSTILE, str(paper.parent / "more.tex"): MORE}
    made = page(report, texts)
    found = elements_of(made)
    assert not found & {"script", "iframe", "img", "object", "link", "form"}
    assert {"math", "aside"} <= found
    assert "default-src 'none'" in made
    assert "&lt;script&gt;alert(1)" in made
    assert "fails at x = 1" in made
    assert "(line 4)" in made


def text_of(pdf):
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout


needs_tex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")


@needs_tex
def test_the_pages_have_a_note_beside_each_relation(paper, tmp_path):
    write_margins(paper, findings(paper.parent), tmp_path / "notes.pdf")
    if shutil.which("pdftotext"):
        said = text_of(tmp_path / "notes.pdf")
        for words in ("1 assumption", "2 proved", "3 refuted", "fails at x = 1", "4 unread", "alert(1)"):
            assert words in said


@needs_tex
def test_a_paper_that_does_not_compile_is_one_line(tmp_path):
    paper = tmp_path / "broken.tex"
    paper.write_text("\\documentclass{article}\\begin{document}\\nonsense\\end{document}")
    with pytest.raises(NoPress, match="Undefined control sequence"):
        write_margins(paper, (), tmp_path / "notes.pdf")
    paper.write_text("only a part of a paper")
    with pytest.raises(NoPress, match="no paper by itself"):
        write_margins(paper, (), tmp_path / "notes.pdf")


def test_where_there_is_no_tex_that_is_said(paper, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NoPress, match="there is no pdflatex"):
        write_margins(paper, (), tmp_path / "notes.pdf")


@needs_tex
@pytest.mark.parametrize("attack", [
    r"\immediate\write18{touch FOLDER/escaped}",
    r"\newwrite\w\immediate\openout\w=FOLDER/escaped\immediate\write\w{x}\immediate\closeout\w",
    r"\newwrite\w\immediate\openout\w=../escaped\immediate\write\w{x}\immediate\closeout\w",
    r"\input{FOLDER/secret}",
    r"\input{../secret}",
    r"\newread\r\openin\r=FOLDER/secret.tex \ifeof\r\else\read\r to\line\line\fi",
])
def test_a_paper_runs_no_command_and_reaches_nothing_outside(tmp_path, attack):
    """Neither does it write there, nor is what it may not read on its pages."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.tex").write_text("SECRET")
    paper = inside / "paper.tex"
    body = attack.replace("FOLDER", str(tmp_path))
    paper.write_text(f"\\documentclass{{article}}\\begin{{document}}hello {body}\\end{{document}}")
    with suppress(NoPress):
        write_margins(paper, (), tmp_path / "notes.pdf")
    assert not list(tmp_path.rglob("escaped*"))
    if (tmp_path / "notes.pdf").exists() and shutil.which("pdftotext"):
        assert "SECRET" not in text_of(tmp_path / "notes.pdf")
