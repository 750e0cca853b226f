r"""What `symdp notebook` promises: text that runs from a clean kernel, the same bytes every time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest
from sympy import Integer, exp

from symdp.domain import Domain
from symdp.notation import x
from symdp.auditing.settling import settle
from symdp.proving.verdict import Status, Verdict
from symdp.registry import UnknownId, claim, statement, statements
from symdp.relation import ge, le
from symdp.reporting.execution import cell_ids, executed
from symdp.reporting.ledger import Ledger, stand_up, steady
from symdp.reporting.notebook import SERIES, notebook_of, plans, variable_names, write_notebooks
from symdp.statement import Inequality, Source, Statement, real

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


@pytest.mark.parametrize("s", [*statements(), TANGENT], ids=lambda s: s.id)
def test_every_statement_has_a_notebook_that_survives_a_round_trip(s: Statement) -> None:
    text = notebook_of(s)
    notebook = jupytext.reads(text, fmt="py:percent")
    nbformat.validate(notebook)
    assert jupytext.writes(notebook, fmt="py:percent").rstrip("\n") == text.rstrip("\n")
    source = "\n".join(c.source for c in notebook.cells)
    assert s.title in source
    assert source.count("ledger.enter(") == len(s.claims)


def test_the_series_shows_every_claim_of_its_statements() -> None:
    for plan in SERIES:
        chosen = [statement(id) for id in (plan.statement, *plan.companions)]
        text = notebook_of(chosen[0], chosen[1:], teaches=plan.teaches)
        assert text.count("ledger.enter(") == sum(len(s.claims) for s in chosen)
        for s in chosen:
            assert f'statement("{s.id}")' in text


def test_the_three_bounds_are_drawn_together() -> None:
    names = ("kov/thm-3.4", "kov/thm-3.1", "kov/thm-3.2", "kov/sec-7")
    text = notebook_of(statement(names[0]), [statement(n) for n in names[1:]])
    cell = next(c.source for c in jupytext.reads(text, fmt="py:percent").cells
                if "plot_bounds(" in c.source)
    assert cell.count('.formulas["epsilon in total"]') == 3
    assert 'symbol("k")' in cell


def test_the_text_says_nothing_about_results() -> None:
    """Verdicts come from the prover when the notebook runs; the text explains only the words."""
    text = notebook_of(TANGENT)
    assert text.count("**proved**") == text.count("**refuted**") == 1


def test_the_text_has_no_version_and_no_date() -> None:
    header = notebook_of(TANGENT).split("# ---")[1]
    assert "jupytext_version:" not in header
    assert notebook_of(TANGENT) == notebook_of(TANGENT)


def test_statements_of_two_sources_get_two_names() -> None:
    other = Source("note", "A note", "nobody2027note")
    twin = Statement(place=other.lemma("1"), title="Another")
    assert variable_names([TANGENT, twin]) == {
        "book/lem-1": "book_lemma_1", "note/lem-1": "note_lemma_1",
    }


def test_cell_ids_are_stable_and_unique() -> None:
    before, after = cell_ids(["a", "b", "a"]), cell_ids(["new", "a", "b", "a"])
    assert after[1:] == before
    assert len(set(after)) == len(after)


# --- names and files ------------------------------------------------------------------------------


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownId, match="there are simplified_composition"):
        list(write_notebooks(["nothing"], tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_statement_without_a_plan_is_known_by_its_id(tmp_path: Path) -> None:
    (path,) = write_notebooks(["kov/thm-3.1"], tmp_path)
    assert path.name == "kov_thm-3.1.py"
    assert path.read_text() == notebook_of(statement("kov/thm-3.1"))
    assert [p.name for p in plans(())] == [p.name for p in SERIES]


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
        ledger.enter(c, Verdict(Status.UNDECIDED))
    assert ledger.holds()
    assert ledger._repr_markdown_().count("undecided") == 2


# --- running --------------------------------------------------------------------------------------


def test_a_notebook_that_shows_something_false_fails() -> None:
    from nbclient.exceptions import CellExecutionError

    text = '# %%\nassert 1 + 1 == 3\n'
    with pytest.raises(CellExecutionError):
        executed(text, "false")


def test_the_kernel_is_this_interpreter_whatever_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kernels = tmp_path / "kernels" / "python3"
    kernels.mkdir(parents=True)
    spec = {"argv": ["/nowhere/python"], "display_name": "another", "language": "python"}
    (kernels / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    assert sys.executable in executed("# %%\nimport sys\nsys.executable\n", "kernel")


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """Run side by side in processes of their own, as a user would run it twice."""
    folders = [tmp_path_factory.mktemp("run") for _ in range(2)]
    command = [sys.executable, "-m", "symdp", "notebook", "--execute", "--out"]
    runs = [subprocess.Popen([*command, str(f)], stderr=subprocess.PIPE) for f in folders]
    for run in runs:
        message = run.communicate(timeout=170)[1].decode()
        assert run.returncode == 0, message
    return [{p.name: p.read_bytes() for p in f.iterdir()} for f in folders]


def test_running_twice_gives_the_same_bytes(twice: list[dict[str, bytes]]) -> None:
    assert set(twice[0]) == {f"{plan.name}{end}" for plan in SERIES for end in (".py", ".ipynb")}
    assert twice[0] == twice[1]


def test_the_executed_notebook_shows_everything(twice: list[dict[str, bytes]]) -> None:
    notebook = nbformat.reads(twice[0]["simplified_composition.ipynb"].decode(), as_version=4)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    outputs = [o for c in code for o in c.outputs]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not any(o.output_type in ("stream", "error") for o in outputs), "no warnings, no prints"
    assert sum("image/png" in o.data for o in outputs) == 1
    assert all("text/markdown" in o.data for o in outputs if "image/png" not in o.data)
    assert "execution" not in json.dumps([c.metadata for c in code])
    table = outputs[-1].data["text/markdown"]
    for id in ("kov/thm-3.4.simplified", "kov/sec-7.mgf-bound"):
        assert f"`{id}`" in table


def test_a_claim_that_is_shown_as_refuted_fails_at_its_witness() -> None:
    refuted = claim("kov/sec-7.mgf-bound")
    verdict = settle(refuted)
    assert verdict.status is Status.REFUTED
    Ledger().enter(refuted, verdict)
    assert all(v == Integer(v) or v.is_Rational for v in verdict.witness.point.values())
