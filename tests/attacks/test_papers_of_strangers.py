r"""``symdp lint``, ``symdp lsp`` and what is made of a paper: its name and its TeX are a stranger's."""

import json
import os
import shutil
import time

import pytest

from symdp.cli.app import main
from symdp.cli.commands import claims as claim_commands
from symdp.editor.server import PaperServer, root_of
from symdp.papers import lint as linting
from symdp.papers.finding import Finding, PaperReport
from symdp.report.linting import margins
from symdp.report.linting.sarif import sarif
from symdp.report.paper.documents import NoPress

FALSE = "Let $x > 0$. Then $x < x$.\n"
WHOLE = r"\documentclass{article}\begin{document}" + FALSE + r"\end{document}"


def run(*words):
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    return stop.value.code


# --- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [b"a\xff.tex", b"a\xed\xa0\x80.tex", b"a\x1b[2J.tex", b"a\n.tex", b"<b>&.tex",
                                  b"[x](y).tex"])
def test_a_file_of_any_name_is_told_of_in_every_format(tmp_path, monkeypatch, capsys, name):
    """Bytes that are no text ended the command with a traceback, in SARIF and on the page."""
    monkeypatch.chdir(tmp_path)
    path = os.fsdecode(name)
    with open(name, "w", encoding="utf-8") as file:
        file.write(FALSE)
    assert run("lint", path, "--html", "out.html") == 1
    for format in ("json", "sarif"):
        capsys.readouterr()
        assert run("lint", path, "--format", format) == 1
        said = capsys.readouterr().out
        assert json.loads(said)
        assert not {s for s in said if not s.isprintable()} - {"\n"}
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "refuted" in page
    assert "<b>" not in page


@pytest.mark.parametrize("name", ["-shell-escape", "--help", r"\input", "a b", "$(touch x)", "a|b", "~a", "&latex"])
def test_a_name_is_no_word_of_tex(tmp_path, name):
    """It stood on the command line of pdflatex, which takes a name with a backslash or a dash for something else."""
    paper = tmp_path / f"{name}.tex"
    paper.write_text(WHOLE)
    with pytest.raises(NoPress, match="TeX would read this name"):
        margins.write_margins(paper, (), tmp_path / "out.pdf")
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.parametrize("name", ["paper", "v1.2", "a_b-c+d", "Über"])
def test_names_that_people_give_are_names(name):
    assert margins._NAME.fullmatch(name)


def test_a_message_of_sarif_has_no_link_of_the_paper():
    """In SARIF [words](address) is a link in plain text as well."""
    finding = Finding("p.tex", 1, 1, "x", "x", "unread", message="no such file [proved](http://127.0.0.1/)")
    text = sarif(PaperReport((finding,)))["runs"][0]["results"][0]["message"]["text"]
    assert "](" not in text


# --- what the paper writes where we read ----------------------------------------------------------------


@pytest.mark.parametrize("line", [
    r"\symdpat{999}{1}{1}{1}", r"\symdpat{0}{1}{1}{1}", r"\symdpat{1}{" + "9" * 5000 + "}{1}{1}",
    r"\symdpat{" + "9" * 5000 + "}{1}{1}{1}", r"\symdpat{-1}{1}{1}{1}", r"\symdpat{1}{1}{1}",
])
def test_a_place_that_the_paper_made_up_is_left_out(tmp_path, line):
    """A paper writes to the same file as our marks; a number of no finding was an error of ours."""
    (tmp_path / "p.aux").write_text("\\symdpat{1}{2}{30}{100}\n" + line + "\n")
    finding = Finding("p.tex", 1, 1, "x", "x", "refuted", message="it fails")
    places = margins._places(tmp_path / "p.aux", 1)
    assert places == {1: (2, 70)}
    assert len(list(margins._notes((finding,), places))) == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX")
def test_a_paper_with_places_of_its_own_is_pressed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.tex").write_text(WHOLE.replace(
        "Let", r"\makeatletter\write\@auxout{\string\symdpat{999}{1}{1}{1}}\makeatother Let"))
    assert run("lint", "p.tex", "--pdf", "out.pdf") == 1
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


# --- time --------------------------------------------------------------------------------------------


def test_the_reading_of_a_paper_has_an_end(tmp_path, monkeypatch, capsys):
    """Only what is settled had one: a text that is read for ever was read for ever."""
    (tmp_path / "p.tex").write_text(FALSE)
    monkeypatch.setattr(linting, "READING", 0.3)
    monkeypatch.setattr(linting, "read_document", lambda *given: time.sleep(120))
    begun = time.monotonic()
    assert run("lint", str(tmp_path / "p.tex")) == 2
    assert time.monotonic() - begun < 60
    said = capsys.readouterr().err
    assert "stopped after 0.3 s" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(("command", "search"), [
    (("suggest", "x <= 1"), "suggestion_for"), (("sharpest", "x <= c", "--over", "c"), "sharpest_value")])
def test_a_search_of_many_proofs_has_an_end(monkeypatch, capsys, command, search):
    """(1+x)^1000000 <= 1+1000000*x was repaired for ten minutes, with a budget of one second."""
    monkeypatch.setattr(claim_commands, "SLACK", 0.3)
    monkeypatch.setattr(claim_commands, search, lambda *given, **named: time.sleep(120))
    begun = time.monotonic()
    assert run(*command, "--budget", "0.01") == 1
    assert time.monotonic() - begun < 60
    assert "stopped after" in capsys.readouterr().err


# --- the editor -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["/etc/passwd", "/dev/zero", "../../other/paper.tex", "below/paper.tex", "a\0b", "",
                                  "x" * 5000, "~root/x.tex"])
def test_a_root_that_is_no_document_of_the_file_is_not_followed(tmp_path, name):
    here = str(tmp_path / "folder" / "part.tex")
    found = root_of(here, f"% !TeX root = {name}\n")
    assert found == here or os.path.dirname(found) == os.path.dirname(here)


@pytest.mark.parametrize("text", ["\n" * 400_000, "% !TeX root = a" + " " * 400_000 + "b", "%" * 400_000,
                                  " " * 400_000, "% !TeX root\n" * 40_000])
def test_a_text_of_many_lines_is_looked_through_at_once(text):
    begun = time.process_time()
    root_of("/paper/a.tex", text)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "nothing", "large"])
def test_what_the_editor_has_not_opened_is_read_as_any_file(tmp_path, monkeypatch, kind):
    """A root that was a pipe stopped the server for ever, a device filled the memory."""
    path = tmp_path / "root.tex"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(2**40)
    monkeypatch.setattr(PaperServer, "workspace", type("Workspace", (), {"text_documents": {}})())
    assert PaperServer()._text(str(path)) == ""
