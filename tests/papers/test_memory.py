"""What was judged before is kept for this user: the same is not asked again, and nobody else is believed."""

import json

import pytest

from symdp.audit import kept_findings
from symdp.audit.kept_findings import KeptFindings
from symdp.papers import elsewhere
from symdp.papers.lint import lint
from symdp.users_mark import state_folder

PAPER = r"""Let $x > 0$. Then
\begin{align}
  x &\le x + 1 \\
  &< x .
\end{align}
Moreover $x^2 \ge 0$.
"""


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.setenv("SYMDP_STATE", str(tmp_path / "state"))
    path = tmp_path / "paper.tex"
    path.write_text(PAPER)
    return path


def plain(findings):
    return [(f.line, f.column, f.verdict, f.message, f.reading, f.hypotheses) for f in findings]


def asked(monkeypatch):
    """The chains that the judge is asked for from now on."""
    seen, judge = [], elsewhere.judge

    def watched_judge(work, budget, out):
        seen.append(work)
        return judge(work, budget, out)

    monkeypatch.setattr(elsewhere, "judge", watched_judge)
    return seen


def run(path, **options):
    return plain(lint([path], memory=None, kept=KeptFindings(), **options))


def test_a_second_run_asks_for_nothing_and_says_the_same(paper, monkeypatch):
    first = run(paper)
    assert [verdict for _, _, verdict, *_ in first] == ["assumption", "proved", "refuted", "proved"]
    seen = asked(monkeypatch)
    assert run(paper) == first
    assert seen == []


def test_what_changed_is_asked_for_and_places_move_with_the_text(paper, monkeypatch):
    first = run(paper)
    paper.write_text("A sentence.\n\n" + PAPER.replace("x^2", "x^4"))
    seen = asked(monkeypatch)
    second = run(paper)
    assert len(seen) == 1
    assert [line for line, *_ in second] == [line + 2 for line, *_ in first]
    assert second[2][-1] == tuple((text, line + 2) for text, line in first[2][-1])


@pytest.mark.parametrize("room", [None, "papers"])
def test_another_judge_is_asked_again(paper, monkeypatch, room):
    """The code that judges papers is no part of what settles claims; what it said once is not shown when mended."""
    run(paper)
    seal = kept_findings.seal_of_code
    monkeypatch.setattr(kept_findings, "seal_of_code", lambda of=None: "mended" if of == room else seal(of))
    seen = asked(monkeypatch)
    run(paper)
    assert len(seen) == 2


def test_another_hypothesis_is_another_question(paper, monkeypatch):
    run(paper)
    paper.write_text(PAPER.replace("x > 0", "x > 1"))
    seen = asked(monkeypatch)
    run(paper)
    assert len(seen) == 2


def test_what_is_open_is_asked_again_where_there_is_more_time(paper, monkeypatch):
    paper.write_text("Then $y \\le 2$.\n")
    (before,) = run(paper, budget=0.5)
    assert before[2] == "undecided"
    seen = asked(monkeypatch)
    run(paper, budget=0.5)
    assert seen == []
    run(paper, budget=0.6)
    assert len(seen) == 1


def test_what_somebody_else_put_there_is_not_believed(paper, monkeypatch):
    first = run(paper)
    for path in (state_folder() / "papers").iterdir():
        found = json.loads(path.read_text())
        found["said"] = found["said"].replace('"refuted"', '"proved"')
        path.write_text(json.dumps(found))
    assert run(paper) == first
    for path in (state_folder() / "papers").iterdir():
        path.write_text("{" * 1000)
    assert run(paper) == first


def test_the_text_in_an_editor_counts_for_files_that_are_put_in_too(paper):
    paper.write_text("\\input{more}")
    more = paper.with_name("more.tex")
    more.write_text("Let $x > 0$.")
    changed = {more.resolve(): "Let $x > 0$. Then $x < x$."}
    assert [f.verdict for f in lint([paper], memory=None)] == ["assumption"]
    assert [f.verdict for f in lint([paper], memory=None, texts=changed)] == ["assumption", "refuted"]
