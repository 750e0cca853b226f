"""The literature is data: found by scanning, complete in itself, and free of results."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from places import SHARED

import symdp
from symdp.audit.settling.dispatch import settle
from symdp.sources import registry
from symdp.sources.bibliography import entries
from symdp.sources.registry import claim, claims, select, statements
from symdp.sources.statement import (
    KINDS,
    Asymptotic,
    Comparison,
    Figure,
    Guarantee,
    Identity,
    Inequality,
    Optimality,
    Statement,
    Structural,
)

CATALOGUE = SHARED / "claims.toml"

DROPPED = '''
r"""The tangent: the exponential lies above its tangent at 0."""
from sympy import exp
from symdp.formulas.notation import x
from symdp.formulas.relation import ge
from symdp.sources.statement import Inequality, Source, Statement, real, Space
from symdp.numbers.domain import Interval
from sympy import Integer

book = Source("book", "A book", "kairouz2013composition")
tangent = Statement(
    place=book.lemma("1"),
    title="The tangent of the exponential",
    variables={x: Space(Interval(Integer(1), Integer(2)))},
    formulas={"tangent": 1 + x},
    claims=(Inequality("above", "exp lies above its tangent", ge(exp(x), 1 + x)),),
)
'''


END = "--- the end of a command ---"
ONE_AFTER_ANOTHER = f"""
import json, sys
from symdp.cli.app import main
for command in json.loads(sys.argv[1]):
    try:
        main(command)
    except SystemExit as stop:
        assert not stop.code, command
    print({END!r}, flush=True)
"""


@pytest.fixture
def with_a_new_file(tmp_path):
    (tmp_path / "tangent.py").write_text(DROPPED)

    def run(*commands):
        """What each prints; all in one new process, which reads the literature once."""
        done = subprocess.run(
            [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
            env={"SYMDP_LITERATURE": str(tmp_path), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split(END)[:-1]

    return run


@pytest.mark.long
def test_adding_a_statement_means_one_new_file(with_a_new_file):
    listed, audited, typeset = with_a_new_file(
        ["list", "--format", "json"], ["audit", "book", "--format", "json"], ["latex", "book/lem-1"])
    assert "book/lem-1.above" in {c["id"] for c in json.loads(listed)["claims"]}
    found = [(c["id"], c["verdict"]) for c in json.loads(audited)["claims"]]
    assert found == [("book/lem-1.above", "proved")]
    assert "The tangent of the exponential" in typeset


def test_other_packages_bring_statements_by_an_entry_point(tmp_path, monkeypatch):
    package = tmp_path / "somebodys_theorems"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tangent.py").write_text(DROPPED)
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("somebody", "somebodys_theorems", registry.ENTRY_POINT)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    registry._known.cache_clear()
    try:
        assert "book/lem-1.above" in {c.id for c in registry.claims()}
    finally:
        registry._known.cache_clear()


def test_every_kind_of_claim_has_its_class():
    classes = (
        Inequality, Identity, Guarantee, Comparison, Asymptotic, Optimality, Figure, Structural,
    )
    assert tuple(sorted(c.kind for c in classes)) == tuple(sorted(KINDS))


def test_ids_are_unique_and_begin_with_their_statement():
    seen = [c.id for c in claims()]
    assert len(seen) == len(set(seen))
    for s in statements():
        for c in s.claims:
            assert c.id == s.id or c.id.startswith(f"{s.id}.")


def test_every_reference_is_in_the_bibliography():
    for s in statements():
        assert {s.source.cite, *s.cites} <= set(entries())


@pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue is not beside this checkout")
def test_printed_claims_are_those_of_the_catalogue():
    catalogue = {c["id"]: c for c in tomllib.loads(CATALOGUE.read_text())["claim"]}
    for c in claims():
        if c.id.startswith("notions/"):
            continue  # conversions in use today, which none of the four sources prints
        if c.role == "printed":
            assert c.id in catalogue
            assert (c.kind, c.task) == (catalogue[c.id]["kind"], catalogue[c.id]["task"])
        else:
            assert c.id not in catalogue


def test_theorem_3_4_is_complete():
    assert {c.name for c in select(["kov/thm-3.4"])} >= {
        "linear-branch", "log-branch", "classic-branch", "simplified", "range",
    }


def test_statement_files_hold_no_results():
    words = re.compile(r"\b(proved|refuted|undecided|supported|Verdict|Status)\b")
    for path in Path("symdp/literature").rglob("*.py"):
        assert not words.search(path.read_text()), path


def test_the_printed_moment_bound_is_refuted_by_the_prover_not_by_hand():
    assert settle(claim("kov/sec-7.mgf-bound")).status.value == "refuted"
    assert settle(claim("kov/sec-7.mgf-identity")).status.value == "refuted"
    assert settle(claim("kov/sec-7.mgf-identity.corrected")).status.value == "proved"


def test_a_variable_that_lives_nowhere_is_an_error():
    from symdp.formulas.notation import x
    from symdp.formulas.relation import le
    from symdp.literature.kov import kov

    with pytest.raises(ValueError, match="nothing says where x lives"):
        Statement(kov.lemma("0"), "none", claims=(Inequality("a", "b", le(x, 1)),))


def test_two_claims_of_one_name_are_an_error():
    from symdp.literature.kov import kov

    with pytest.raises(ValueError, match="two claims"):
        Statement(kov.lemma("0"), "none", claims=(Structural("a", "b"), Structural("a", "c")))


@pytest.mark.long
def test_statements_claims_and_verdicts_show_themselves_in_a_notebook():
    for s in statements():
        assert s._repr_markdown_().startswith("### ")
        assert s._repr_latex_() is None or s._repr_latex_().startswith("$")
        for c in s.claims:
            assert c.id in c._repr_markdown_()
    verdict = settle(claim("kov/sec-7.mgf-bound"))
    assert "refuted" in verdict._repr_markdown_()
    assert "refuted" in verdict._repr_latex_()


def test_no_room_is_called_like_a_name_of_the_package():
    rooms = {path.parent.name for path in Path("symdp").glob("*/__init__.py")}
    assert "kernel" in rooms
    assert not rooms & set(symdp.__all__)
