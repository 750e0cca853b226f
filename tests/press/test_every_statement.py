"""Every statement through pdflatex, and its pages as images, to be looked at in build/pages.

`make latex` installs TeX and poppler from Debian's packages and runs this; elsewhere it is skipped, because
a hundred runs of TeX take minutes.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from places import ROOT

from symdp.audit.record import Record
from symdp.audit.settling.dispatch import settle
from symdp.report.errata import Erratum
from symdp.report.figures.given_numbers import read_numbers
from symdp.report.paper.documents import document, keys_of, typeset, write_document
from symdp.report.paper.errata import errata_piece
from symdp.report.paper.latex import Manner, statements_piece
from symdp.report.paper.proofs import settled_piece
from symdp.report.paper.tables import bounds_table
from symdp.sources.contents import contents
from symdp.sources.registry import claim, statements

pytestmark = pytest.mark.skipif(not os.environ.get("SYMDP_PRESS"), reason="`make latex` runs this")

PAGES = ROOT / "build" / "pages"
#: Points by which a line may stick out.
LARGEST = 5.0
EVERY = [s.id for s in statements()]
TABLE = ["eps = 0.1, 1", "k = 10, 100, 10^6", "slack = 1e-6"]


def overfull(log: str) -> list[float]:
    return [float(size) for size in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", log)]


def press(pieces, folder: Path, name: str = "page") -> str:
    """The log of a run without errors, in which nothing is undefined; its pages become images."""
    made = typeset(document(pieces), folder, name)
    log = made.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log
    assert "multiply" not in log
    PAGES.mkdir(parents=True, exist_ok=True)
    subprocess.run(["pdftoppm", "-r", "60", "-png", str(made), str(PAGES / name)], check=True, timeout=300)
    return log


@pytest.mark.parametrize("id", EVERY)
def test_a_statement_compiles_alone(id, tmp_path):
    log = press([statements_piece([id])], tmp_path, id.replace("/", "-").replace(".", "-"))
    assert max(overfull(log), default=0.0) <= LARGEST


@pytest.mark.parametrize("manner", [
    Manner(), Manner(log="ln", epsilon="epsilon"), Manner(symbols="paper"),
    Manner(numbers=read_numbers(["eps = 0.1", "k = 30, 1000", "delta = 0.001", "slack = 1e-6"])),
], ids=["house", "ln-epsilon", "paper", "numbers"])
def test_all_of_them_compile_together(manner, tmp_path):
    log = press([statements_piece(EVERY, manner)], tmp_path, "all")
    assert max(overfull(log), default=0.0) <= LARGEST


@pytest.mark.parametrize("bounds", [
    ["basic", "advanced", "simplified", "exact"],
    ["basic", "advanced", "simplified", "simplified-for-small-epsilon", "note", "blog", "zcdp", "renyi",
     "exact"],
], ids=["few", "many"])
def test_tables_fit_the_page(bounds, tmp_path):
    log = press([bounds_table(bounds, read_numbers(TABLE))], tmp_path, f"table-{len(bounds)}")
    assert max(overfull(log), default=0.0) <= LARGEST


def test_errata_fit_the_page(tmp_path):
    """Whatever has a correction, as if it were refuted: what is seen here is how it is set."""
    found = []
    for s in contents().statements:
        for c in s.claims:
            if c.corrected is not None:
                record = Record("id", c.id, c.text, c.domain, {"verdict": "refuted", "method": f"{c.text} fails"})
                found.append(Erratum(s, c, record))
    log = press([errata_piece(found)], tmp_path, "errata")
    assert len(found) > 50
    assert max(overfull(log), default=0.0) <= LARGEST


def test_proofs_derivations_and_witnesses_compile(tmp_path):
    ids = ["kov/sec-7.alon-spencer", "kov/sec-7.mgf-bound", "kov/thm-3.1", "kov/sec-9.3.abel",
           "kov/eq-9.definition"]
    pieces = [settled_piece(id, settle(claim(id), budget=5)) for id in ids]
    log = press(pieces, tmp_path, "proofs")
    assert max(overfull(log), default=0.0) <= LARGEST


def test_the_references_are_found_with_and_without_bibtex(tmp_path):
    pieces = [statements_piece(["kov/thm-3.4", "note/thm-3.20"])]
    write_document(pieces, tmp_path / "paper.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=99, check=True)
    assert "undefined" not in done.stdout
    if shutil.which("bibtex"):
        done = subprocess.run(["bibtex", "paper"], cwd=tmp_path, capture_output=True, text=True,
                              timeout=60, check=False)
        assert "error" not in done.stdout.lower()
    kept = (tmp_path / "references.bib").read_text(encoding="utf-8")
    assert set(re.findall(r"@\w+\{([^,]+),", kept)) == set(keys_of(pieces))
