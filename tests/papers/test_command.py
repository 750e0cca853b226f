"""symdp lint as a command: what it prints, writes and ends with."""

import json

import pytest

from symdp.cli.app import main

PAPER = r"""Let $x > 0$. Then
\[ x \le x + 1 . \]
"""


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["lint", *map(str, arguments)])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "paper.tex"
    path.write_text(PAPER)
    return path


def test_the_exit_code_says_whether_something_is_refuted(capsys, paper):
    code, out, _ = run(capsys, paper)
    assert code == 0
    assert f"{paper}:2:4: proved: " in out
    paper.write_text(PAPER.replace("x + 1", "x - 1"))
    code, out, _ = run(capsys, paper, "--show", "refuted")
    assert code == 1
    assert f"{paper}:2:4: refuted: it fails at x = " in out
    assert "assumption:" not in out
    paper.write_text("We have $y \\le 1$.\n")
    assert run(capsys, paper)[0] == 0
    assert run(capsys, paper, "--strict")[0] == 1


def test_one_document_on_standard_output(capsys, paper):
    found = json.loads(run(capsys, paper, "--format", "json")[1])
    assert set(found["relations"][1]) == {
        "file", "line", "column", "tex", "reading", "verdict", "hypotheses", "missing", "message", "witness",
        "certificate", "seconds"}
    assert found["summary"]["relations"] == len(found["relations"]) == 2
    assert found["relations"][1]["hypotheses"] == [{"text": "x > 0", "line": 1}]
    found = json.loads(run(capsys, paper, "--format", "sarif")[1])
    assert [r["ruleId"] for r in found["runs"][0]["results"]] == ["assumption", "proved"]


def test_a_page_is_written_and_what_is_not_ours_is_not_replaced(capsys, paper, tmp_path):
    place = tmp_path / "page.html"
    assert run(capsys, paper, "--html", place)[0] == 0
    assert "<math" in place.read_text()
    assert run(capsys, paper, "--html", place)[0] == 0
    place.write_text("the work of years")
    code, _, err = run(capsys, paper, "--html", place)
    assert code == 2
    assert "--force" in err


@pytest.mark.parametrize(("arguments", "said"), [
    (["nowhere.tex"], "nowhere.tex"),
    (["PAPER", "--show", "wrong"], "'wrong' is no verdict"),
    (["PAPER", "--html", "page.txt"], ".html"),
    (["PAPER", "PAPER", "--pdf", "page.pdf"], "one paper at a time"),
    (["PAPER", "--watch", "--format", "json"], "--watch"),
])
def test_bad_input_is_one_line_and_exit_code_two(capsys, paper, arguments, said):
    code, out, err = run(capsys, *(paper if a == "PAPER" else a for a in arguments))
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
