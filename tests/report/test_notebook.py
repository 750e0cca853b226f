r"""What `symdp notebook` promises: narrative and statements in one text, the same bytes every time."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest
from places import NOTEBOOKS
from sympy import exp

from symdp.audit.ledger import Ledger, stand_up, steady
from symdp.audit.settling.dispatch import settle
from symdp.cli.app import main
from symdp.formulas.notation import x
from symdp.formulas.parsing import parse_expression
from symdp.formulas.relation import ge, le
from symdp.numbers.domain import Domain
from symdp.report.exercises import exercise, exercises
from symdp.report.notebooks.cells import Cell, Mark, NarrativeError, read_narrative
from symdp.report.notebooks.execution import Stopped, cell_ids, executed
from symdp.report.notebooks.own_claims import narrative_of
from symdp.report.notebooks.readers import Audience
from symdp.report.notebooks.sliders import STILL, explore
from symdp.report.notebooks.weaving import notebook_of, weave
from symdp.report.notebooks.writing import plans, series, write_notebooks
from symdp.search.verdict import Status, Verdict
from symdp.sources.problems import Problem
from symdp.sources.registry import UnknownId, claim, statement, statements
from symdp.sources.statement import Inequality, Source, Statement, real
from symdp.typeset.typesetting import latex

BOOK = Source("book", "A book", "nobody2026book")
TANGENT = Statement(
    place=BOOK.lemma("1"),
    title="The tangent of the exponential",
    variables={x: real},
    formulas={"the gap": exp(x) - 1 - x},
    claims=(
        Inequality("", "exp lies above its tangent", ge(exp(x), 1 + x)),
        Inequality("false", "exp lies below its tangent", le(exp(x), 1 + x)),
    ),
)


# --- the text -------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", statements()[::7], ids=lambda s: s.id)
def test_every_statement_has_a_notebook_that_survives_a_round_trip(s: Statement) -> None:
    text = notebook_of(s)
    notebook = jupytext.reads(text, fmt="py:percent")
    nbformat.validate(notebook)
    assert jupytext.writes(notebook, fmt="py:percent").rstrip("\n") == text.rstrip("\n")
    source = "\n".join(c.source for c in notebook.cells)
    assert s.title in source
    assert source.count("ledger.show(") == len(s.claims)


def test_a_narrative_is_kept_word_for_word_around_what_is_generated() -> None:
    text = weave("# Mine\n\nBefore.\n\n<!-- statement kov/thm-3.1 -->\n\nAfter.\n")
    cells = jupytext.reads(text, fmt="py:percent").cells
    assert cells[0].source == "# Mine\n\nBefore."
    assert cells[-1].source == "After."
    assert any(c.source == 'lookup("kov/thm-3.1")' for c in cells)


def test_a_narrative_that_cannot_be_read_says_the_line() -> None:
    for text, line in [("\n<!-- nonsense here -->", 2), ("<!-- claims kov/thm-77 -->", 1),
                       ("a\n```python\n1\n", 2), ("\n\n<!-- exercises nothing -->", 3)]:
        with pytest.raises(NarrativeError, match=f"line {line}:"):
            weave(text)


def test_the_three_bounds_are_drawn_together() -> None:
    text = weave("<!-- bounds kov/thm-3.4 kov/thm-3.1 kov/thm-3.2 -->")
    cell = next(c.source for c in jupytext.reads(text, fmt="py:percent").cells
                if "plot_bounds(" in c.source)
    assert cell.count('.formulas["epsilon in total"]') == 3
    assert 'symbol("k")' in cell
    assert r'quantity="$\\varepsilon$ in total"' in cell


def test_a_theorem_in_words_is_stated_in_words() -> None:
    text = weave("<!-- statement kov/thm-2.1 -->")
    assert "It says: A mechanism is $(\\varepsilon,\\delta)$-DP if and only if" in text


def test_what_is_left_out_is_said() -> None:
    some, whole = (weave(f"<!-- {mark} -->\n<!-- ledger -->") for mark in
                   ("claims kov/thm-3.4.linear-branch", "all-claims kov/thm-3.4"))
    assert "more claims than are shown here: `symdp audit kov/thm-3.4`" in some
    assert "more claims" not in whole


def test_the_text_has_no_version_and_no_date() -> None:
    text = notebook_of(statement("kov/thm-3.1"))
    assert "jupytext_version:" not in text.split("# ---")[1]
    assert text == notebook_of(statement("kov/thm-3.1"))


def test_cell_ids_are_stable_and_unique() -> None:
    before, after = cell_ids(["a", "b", "a"]), cell_ids(["new", "a", "b", "a"])
    assert after[1:] == before
    assert len(set(after)) == len(after)


# --- the series -----------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", series(), ids=lambda p: p.name)
def test_the_stored_notebooks_are_what_the_statements_and_narratives_give(plan) -> None:
    """A changed statement changes the notebook: then `make notebooks` is due."""
    text = plan.text()
    assert (NOTEBOOKS / f"{plan.name}.py").read_text(encoding="utf-8") == text
    stored = nbformat.read(NOTEBOOKS / f"{plan.name}.ipynb", as_version=4)
    sources = [c.source for c in jupytext.reads(text, fmt="py:percent").cells]
    assert [c.source for c in stored.cells] == sources
    nbformat.validate(stored)


@pytest.mark.parametrize("plan", series(), ids=lambda p: p.name)
def test_a_stored_notebook_ran_from_top_to_bottom_without_a_warning(plan) -> None:
    stored = nbformat.read(NOTEBOOKS / f"{plan.name}.ipynb", as_version=4)
    code = [c for c in stored.cells if c.cell_type == "code"]
    outputs = [o for c in code for o in c.outputs]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not any(o.output_type in ("stream", "error") for o in outputs), "no warnings, no prints"
    assert any("image/png" in o.data for o in outputs)
    for output in outputs:
        if "text/html" in output.data:
            assert {"text/markdown", "text/latex", "image/png"} & set(output.data), "no HTML alone"
    assert "? undecided" not in outputs[-1].data["text/markdown"], "a verdict may hang on the clock"


def test_each_notebook_of_the_series_teaches_draws_explores_asserts_and_asks() -> None:
    for plan in series():
        parts = list(read_narrative(plan.narrative))
        marks = [p.what for p in parts if isinstance(p, Mark)]
        code = "\n".join(p.source for p in parts if isinstance(p, Cell) and p.kind == "code")
        assert "**You will learn**" in plan.narrative, plan.name
        for mark in ("sources", "setup", "exercises", "ledger"):
            assert mark in marks, (plan.name, mark)
        assert "explore(" in code, plan.name
        assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(code))), plan.name


def test_the_table_of_contents_names_every_notebook() -> None:
    contents = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    for plan in series():
        title = plan.narrative.splitlines()[0].removeprefix("# ")
        assert contents.count(f"[{title}]({plan.name}.ipynb)") == 1, plan.name


def test_every_exercise_is_asked_once() -> None:
    asked = [name for plan in series() for p in read_narrative(plan.narrative)
             if isinstance(p, Mark) and p.what == "exercises" for name in p.about]
    assert sorted(asked) == sorted(e.name for e in exercises())


def test_no_answer_stands_above_its_exercise() -> None:
    """A formula that is asked for is in no statement, claim or sentence before the question."""
    def bare(tex: str) -> str:
        return re.sub(r"\\left|\\right|\\,|[\s{}]", "", tex)

    for plan in series():
        seen = ""
        for part in read_narrative(plan.narrative):
            if isinstance(part, Cell):
                seen += part.source
            elif part.what in ("statement", "bounds", "all-claims"):
                for id in part.about:
                    seen += " ".join(map(latex, statement(id).formulas.values()))
                    seen += " ".join(c.formula() for c in statement(id).claims if part.what == "all-claims")
            elif part.what == "claims":
                seen += " ".join(claim(id).formula() for id in part.about)
            elif part.what == "exercises":
                for name in part.about:
                    asked = exercise(name)
                    if asked.kind == "formula":
                        assert bare(latex(parse_expression(asked.solution))) not in bare(seen), (plan.name, name)


def test_what_is_handed_out_to_a_class_is_a_notebook_that_jupyter_opens(tmp_path: Path) -> None:
    written = [path.name for path in write_notebooks(["01"], tmp_path, reader=Audience.STUDENT)]
    name = "01_privacy_as_hypothesis_testing_student"
    assert written == [f"{name}.py", f"{name}.ipynb"]
    notebook = json.loads((tmp_path / written[1]).read_text(encoding="utf-8"))
    assert not any(cell.get("outputs") for cell in notebook["cells"])
    assert any("exercise(" in "".join(cell["source"]) for cell in notebook["cells"])


def test_students_get_no_solution_and_instructors_all_of_them() -> None:
    asked = "<!-- exercises best-advantage -->"
    solution = exercise("best-advantage").solution
    assert solution not in weave(asked, Audience.STUDENT)
    assert "SOLUTION" not in weave(asked, Audience.STUDENT)
    shown = jupytext.reads(weave(asked, Audience.INSTRUCTOR), fmt="py:percent").cells
    answer = next(c for c in shown if "BEGIN SOLUTION" in c.source)
    assert solution in answer.source
    assert "jupyter" not in answer.metadata  # unfolded
    assert any(c.source.startswith("**Why.**") for c in shown)


def test_code_that_draws_is_folded() -> None:
    for plan in series():
        for cell in jupytext.reads(plan.text(), fmt="py:percent").cells:
            if cell.cell_type == "code" and ("pyplot.subplots" in cell.source or "explore(" in cell.source):
                assert cell.metadata["jupyter"] == {"source_hidden": True}, cell.source


def test_an_exercise_is_marked_as_nbgrader_wants_it() -> None:
    cells = jupytext.reads(weave("<!-- exercises best-advantage -->"), fmt="py:percent").cells
    question, answer, test = [c for c in cells if "nbgrader" in c.metadata]
    assert answer.metadata["jupyter"]["source_hidden"]
    assert answer.metadata.nbgrader["solution"]
    assert "### BEGIN SOLUTION" in answer.source
    assert "### END SOLUTION" in answer.source
    assert test.metadata.nbgrader["grade"]
    assert test.metadata.nbgrader["points"] == 1
    assert test.metadata.nbgrader["locked"]
    assert question.metadata.nbgrader["locked"]
    ids = {c.metadata.nbgrader["grade_id"] for c in (question, answer, test)}
    assert len(ids) == 3
    assert test.source.endswith("display(feedback)"), "a result would be read as the number of points"


def test_the_conventions_of_other_programs_are_kept() -> None:
    notebook = jupytext.reads(series()[0].text(), fmt="py:percent")
    assert notebook.metadata.kernelspec.name == "python3"
    install, setup = [c for c in notebook.cells if c.cell_type == "code"][:2]
    for cell in (install, setup):
        assert cell.source.startswith("# @title Set-up")  # Colab
        assert cell.metadata["cellView"] == "form"
        assert cell.metadata["jupyter"]["source_hidden"]  # JupyterLab and VS Code
    assert "\n    %pip install --quiet {SOURCE}\n" in install.source, "only where it is missing"


# --- names and files ------------------------------------------------------------------------------


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownId, match="there are 01 to"):
        list(write_notebooks(["nothing"], tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_statement_without_a_narrative_is_known_by_its_id(tmp_path: Path) -> None:
    (path,) = write_notebooks(["kov/thm-3.1"], tmp_path)
    assert path.name == "kov_thm-3.1.py"
    assert path.read_text() == notebook_of(statement("kov/thm-3.1"))
    assert [p.name for p in plans(())] == [p.name for p in series()]


# --- one's own claims -----------------------------------------------------------------------------

DRAFT = """
[[problem]]
name = "tangent"
claim = "exp(x) >= 1+x"

[[problem]]
name = "too good"
claim = "cosh(x) <= exp(c*x^2)"
where = ["c == 49/100"]
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "symdp", "notebook", *arguments],
                          capture_output=True, text=True, timeout=170)


def run_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The same without a process of its own, in which all the literature would be read anew."""
    with pytest.raises(SystemExit) as stop:
        main(["notebook", *arguments])
    return int(stop.value.code or 0), capsys.readouterr().err


@pytest.mark.long
def test_a_draft_becomes_a_notebook_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "draft.toml").write_text(DRAFT.replace('where = ["c == 49/100"]', "").replace(
        "c*x^2", "0.49*x^2"))
    code, err = run_here(capsys, "new", "mydraft", "--claims", str(tmp_path / "draft.toml"), "--execute",
                         "--out", str(tmp_path))
    assert code == 0, err
    made = nbformat.read(tmp_path / "mydraft.ipynb", as_version=4)
    table = made.cells[-1].outputs[0].data["text/markdown"]
    assert "| `tangent` | <span style=\"color:#0a6b45\">✓ proved</span> |" in table
    assert "| `too good` | <span style=\"color:#a8220c\">✗ refuted</span> |" in table


@pytest.mark.parametrize(("arguments", "says"), [
    (("new", "mydraft"), "symdp notebook new NAME --claims FILE.toml"),
    (("01", "--claims", "x.toml"), "--claims goes with `new NAME`"),
    (("new", "mydraft", "--claims", "nowhere.toml"), "nowhere.toml"),
    (("new", "../evil", "--claims", "DRAFT"), "is no name for a notebook"),
    (("new", "mydraft", "--claims", "BROKEN"), "tangent: column"),
    (("new", "mydraft", "--claims", "TWICE"), "two problems are called 'tangent'"),
    (("01", "--to", "docx"), "'docx' is no form of a notebook; there are html and pdf"),
    (("01", "--to", ","), "--to names no form"),
    (("01", "--check", "--to", "html"), "--check writes nothing"),
    (("nothing",), "there is no notebook 'nothing'"),
])
def test_bad_input_is_one_line(
    arguments: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "DRAFT").write_text(DRAFT)
    (tmp_path / "BROKEN").write_text(DRAFT.replace("exp(x)", "exp(x"))
    (tmp_path / "TWICE").write_text(DRAFT.replace("too good", "tangent"))
    given = [str(tmp_path / a) if a in ("DRAFT", "BROKEN", "TWICE") else a for a in arguments]
    code, err = run_here(capsys, *given, "--out", str(tmp_path / "new"))
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "new").exists(), "nothing is half-written"


def test_a_name_cannot_become_code_or_markup() -> None:
    """Signs that end a line in the eyes of some programs; what would follow them is a stranger's."""
    for end in ("\n", "\u2028", "\x85", "\x0c", "\r"):
        evil = f"x{end}```{end}```python{end}stolen(){end}```{end}# %%{end}stolen() <b> \\input{{x}} $y$"
        text = weave(narrative_of("draft", [Problem(evil, "exp(x) >= 1+x")]))
        cells = jupytext.reads(text, fmt="py:percent").cells
        for cell in cells:
            if cell.cell_type == "code" and "stolen" in cell.source:
                call = ast.parse(cell.source).body[0].value
                assert call.args[0].args[0].value == evil, "the name is a text, and nothing else"
        (heading,) = [c.source for c in cells if c.source.startswith("### x")]
        assert r"\<b\> \\input\{x\} \$y\$" in heading


# --- honesty --------------------------------------------------------------------------------------


def test_an_error_is_not_shown() -> None:
    with pytest.raises(AssertionError):
        stand_up(TANGENT.claims[0], Verdict(Status.ERROR, "broken"))


def test_a_witness_is_checked_again() -> None:
    false = TANGENT.claim("false")
    verdict = settle(false)
    assert verdict.status is Status.REFUTED
    stand_up(false, verdict)
    with pytest.raises(AssertionError, match="holds at its witness"):
        stand_up(TANGENT.claims[0], verdict)


def test_a_witness_outside_of_the_domain_is_noticed() -> None:
    verdict = settle(TANGENT.claim("false"))
    (value,) = verdict.witness.point.values()
    elsewhere = Inequality("", "", le(exp(x), 1 + x), domain=Domain.of((ge(x, value + 1),)))
    with pytest.raises(AssertionError, match="outside of the domain"):
        stand_up(elsewhere, verdict)


def test_what_depends_on_the_clock_is_not_shown() -> None:
    stuck = Verdict(Status.UNDECIDED, "the time was up at 3/7", seconds=2.1, boxes=900)
    assert steady(stuck) == Verdict(Status.UNDECIDED)
    reason = Verdict(Status.UNDECIDED, "there is no tactic yet", seconds=0.1)
    assert steady(reason).method == reason.method


def test_the_ledger_lists_what_was_entered() -> None:
    ledger = Ledger()
    for c in TANGENT.claims:
        ledger.show(c)
    assert ledger.holds()
    assert (ledger["book/lem-1"], ledger["book/lem-1.false"]) == ("proved", "refuted")
    assert ledger._repr_markdown_().count("book/lem-1") == 2


def test_a_claim_that_is_shown_as_refuted_fails_at_its_witness() -> None:
    refuted = claim("kov/sec-7.mgf-bound")
    entry = Ledger().show(refuted)
    assert entry.verdict.status is Status.REFUTED
    assert "refuted" in entry._repr_markdown_()
    assert entry._repr_markdown_().startswith("The printed bound on the moment generating function")
    assert all(v.is_Rational for v in entry.verdict.witness.point.values())


# --- running --------------------------------------------------------------------------------------


def test_a_notebook_that_shows_something_false_fails() -> None:
    with pytest.raises(Stopped, match=r"the notebook false stops at the cell 'assert 1 \+ 1 == 3'"):
        executed('# %%\nassert 1 + 1 == 3\n', "false")


@pytest.mark.parametrize(("module", "says"), [
    ("flint", "this notebook needs python-flint: run `pip install python-flint`"),
    ("symdp", "symdp is missing: open this in a clone of its repository"),
])
def test_what_is_missing_is_said_in_one_line(
    module: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first cell as a reader sees it, in a kernel in which a module cannot be found."""
    setup = jupytext.reads(weave("<!-- setup -->"), fmt="py:percent").cells[0].source
    hide = "import importlib.util as u\nfind = u.find_spec\n" \
           f"u.find_spec = lambda name, *a: None if name == {module!r} else find(name, *a)\n"
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Stopped) as stopped:
        executed(f"# %%\n{hide}\n# %%\n{setup}\n", "bare")
    assert says in stopped.value.error
    assert len(stopped.value.error.splitlines()) == 1
    if module != "symdp":
        assert "File " not in stopped.value.traceback, "one line in the place of a traceback"


def test_code_fits_on_a_screen() -> None:
    for plan in series():
        cells = jupytext.reads(plan.text(), fmt="py:percent").cells
        long = [line for c in cells if c.cell_type == "code" for line in c.source.splitlines()
                if len(line) > 100]
        assert not long, (plan.name, long)


def test_the_kernel_is_this_interpreter_whatever_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kernels = tmp_path / "kernels" / "python3"
    kernels.mkdir(parents=True)
    spec = {"argv": ["/nowhere/python"], "display_name": "another", "language": "python"}
    (kernels / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    assert sys.executable in executed("# %%\nimport sys\nsys.executable\n", "kernel")


def test_sliders_are_there_with_a_kernel_and_a_figure_without(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setenv(STILL, "1")
    explore(lambda k: seen.append(k), k=[1, 5, 9])
    assert seen == [5]
    monkeypatch.delenv(STILL)
    made: list[object] = []
    monkeypatch.setattr("symdp.report.notebooks.sliders.interact", lambda draw, **sliders: made.append(sliders))
    explore(lambda k: None, k=[1, 5, 9])
    assert made[0]["k"].value == 5


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """Run in a process of its own, as a user would run it, and once more from this one; each has its own kernel."""
    folders = [tmp_path_factory.mktemp("run") for _ in range(2)]
    done = run("icml/cor-4.2", "--execute", "--out", str(folders[0]))
    assert done.returncode == 0, done.stderr
    assert len(list(write_notebooks(["icml/cor-4.2"], folders[1], execute=True))) == 2
    return [{p.name: p.read_bytes() for p in f.iterdir()} for f in folders]


@pytest.mark.long
def test_running_twice_gives_the_same_bytes(twice: list[dict[str, bytes]]) -> None:
    assert set(twice[0]) == {"icml_cor-4.2.py", "icml_cor-4.2.ipynb"}
    assert twice[0] == twice[1]


@pytest.mark.long
def test_the_executed_notebook_shows_everything(twice: list[dict[str, bytes]]) -> None:
    notebook = nbformat.reads(twice[0]["icml_cor-4.2.ipynb"].decode(), as_version=4)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    outputs = [o for c in code for o in c.outputs]
    assert not any(o.output_type in ("stream", "error") for o in outputs), "no warnings, no prints"
    assert sum("image/png" in o.data for o in outputs) == 1
    assert "execution" not in json.dumps([c.metadata for c in code])
    assert "`icml/cor-4.2.mse`" in outputs[-1].data["text/markdown"]
