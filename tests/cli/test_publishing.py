"""`symdp latex`, `figure`, `errata`, `report`: files, choices, one line for mistakes."""

import re

import pytest

from symdp.cli.app import main
from symdp.report.figures.source_figures import known_figures
from symdp.report.paper import documents
from symdp.sources.drawings import DRAWINGS


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_the_help_names_every_figure_and_without_a_name_they_are_listed(capsys):
    assert set(DRAWINGS) == set(known_figures())
    code, out, _ = run(capsys, "figure")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == {*known_figures(), "ID"}


@pytest.mark.parametrize("name", ["fig-1", "kov/fig-4.network"])
@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_figures_become_files_that_are_the_same_each_time(capsys, tmp_path, name, ending):
    paths = [tmp_path / f"{i}.{ending}" for i in range(2)]
    for path in paths:
        assert run(capsys, "figure", name, "-o", path)[0] == 0
    assert paths[0].stat().st_size > 1000
    if ending != "svg":  # whose inner names are drawn by lot
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_claim_and_a_comparison_become_figures(capsys, tmp_path):
    path = tmp_path / "figure.svg"
    assert run(capsys, "figure", "kov/sec-7.mgf-bound", "-o", path)[0] == 0
    assert "refuted" in path.read_text() or path.stat().st_size > 5000
    assert run(capsys, "figure", "comparison", "--bound", "basic,exact", "--bound", "kov/thm-3.2",
               "--against", "eps", "--at", "k = 10", "--from", "0.1", "--to", "1", "-o", path)[0] == 0


def test_a_document_and_its_references_are_written(capsys, tmp_path):
    code, out, err = run(capsys, "latex", "kov/thm-3.2", "-o", tmp_path / "paper.tex")
    assert (code, out) == (0, "")
    assert re.findall(r"[\w.]+$", err, re.MULTILINE) == ["paper.tex", "references.bib", "paper.bbl"]
    code, out, _ = run(capsys, "latex", "kov/thm-3.2", "--document")
    assert out.startswith("\\documentclass[11pt]{article}")


def test_tables_errata_and_proofs_are_pieces(capsys):
    code, out, _ = run(capsys, "latex", "--table", "basic", "exact", "--at", "eps=0.1", "--at", "k=2,3",
                       "--at", "slack=0.01")
    assert code == 0
    assert r"\toprule" in out
    code, out, _ = run(capsys, "latex", "--errata", "kov/sec-7.mgf-bound")
    assert "This does not hold" in out
    code, out, _ = run(capsys, "latex", "--proof", "kov/sec-7.alon-spencer", "--document")
    assert code == 0
    assert r"\begin{proof}" in out


MISTAKES = [
    (["latex", "kov/thm-99"], "there is no statement or claim 'kov/thm-99'"),
    (["latex"], "name a statement or claim"),
    (["latex", "kov/thm-3.1", "-o", "{tmp}/no/paper.tex"], "there is no folder"),
    (["latex", "kov/thm-3.1", "-o", "{tmp}/paper.doc"], "must end in .tex or .pdf"),
    (["latex", "kov/thm-3.1", "--at", "eps"], "is not of the form"),
    (["latex", "--table", "basic"], "a table needs numbers"),
    (["latex", "--table", "--proof", "kov/thm-3.1"], "one at a time"),
    (["figure", "fig-9", "-o", "{tmp}/f.pdf"], "there is no figure 'fig-9'"),
    (["figure", "kov/thm-99", "-o", "{tmp}/f.pdf"], "there is no statement or claim"),
    (["figure", "fig-1"], "say where to write the figure"),
    (["figure", "fig-1", "-o", "{tmp}/f.gif"], "must end in .pdf or .svg or .png"),
    (["figure", "fig-1", "-o", "{tmp}/no/f.pdf"], "there is no folder"),
    (["figure", "fig-1", "--against", "k", "-o", "{tmp}/f.pdf"], "is drawn as its source draws it"),
    (["figure", "fig-1", "--bound", "basic", "-o", "{tmp}/f.pdf"], "go with the name comparison"),
    (["figure", "comparison", "--bound", "bosic", "-o", "{tmp}/f.pdf"], "there is no bound 'bosic'"),
    (["figure", "comparison", "--against", "k,eps", "-o", "{tmp}/f.pdf"], "against one variable"),
    (["figure", "comparison", "--from", "3", "--to", "2", "-o", "{tmp}/f.pdf"], "there is nothing to draw"),
    (["figure", "kov/thm-3.4", "-o", "{tmp}/f.pdf"], "draw one of its claims"),
    (["figure", "kov/eq-9.definition", "-o", "{tmp}/f.pdf"], "without a formula"),
    (["report", "-o", "{tmp}/no/audit.html"], "there is no folder"),
    (["report", "-o", "{tmp}/audit.pdf"], "must end in .html"),
    (["report", "-o", "{tmp}/audit.html", "kov/thm-99", "--out", "{tmp}"], "there is no statement"),
    (["errata", "kov/thm-99"], "there is no statement or claim"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[" ".join(a)[:40] for a, _ in MISTAKES])
def test_a_mistake_is_one_line_and_nothing_is_written(capsys, tmp_path, arguments, words):
    code, out, err = run(capsys, *(a.format(tmp=tmp_path) for a in arguments))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = run(capsys, "report", "-o", tmp_path / "file" / "audit.html")
    assert code == 2
    assert err.count("\n") == 1


def test_without_tex_there_is_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(documents.shutil, "which", lambda name: None)
    code, _, err = run(capsys, "latex", "kov/thm-3.1", "-o", tmp_path / "paper.pdf")
    assert code == 2
    assert err.startswith("symdp: there is no pdflatex on this machine")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
