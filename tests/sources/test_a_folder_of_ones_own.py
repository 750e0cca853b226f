"""A folder of one's own: it is read like ours, and what is broken in it is one line."""

import json
import re

import pytest

from symdp.audit.seal import seal_of_claim
from symdp.sources import registry
from symdp.sources.bibliography import bibliography, bibtex, reference

SOURCE = '''
from symdp.sources.statement import Source
mine = Source("mine", "My draft", "me2026draft")
'''
TANGENT = '''
from sympy import exp
{imports}
from symdp.formulas.notation import x
from symdp.formulas.relation import ge
from symdp.sources.statement import Inequality, Statement, real

{name} = Statement(
    place=mine.lemma("{number}"), title="The tangent", variables={variables}, formulas={{"tangent": 1 + x}},
    claims=(Inequality("above", "exp lies above its tangent", ge(exp(x), 1 + x)),),
    cites={cites},
)
'''
BIB = '@misc{me2026draft, author = "Me, My", title = {A {Draft}}, year = 2026}\n'


def tangent(number="1", *, imports="from .definitions import mine", variables="{x: real}", cites="()",
            name="tangent"):
    return TANGENT.format(number=number, imports=imports, variables=variables, cites=cites, name=name)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "definitions.py").write_text(SOURCE)
    (tmp_path / "references.bib").write_text(BIB)
    (tmp_path / "tangent.py").write_text(tangent())
    monkeypatch.setenv("SYMDP_LITERATURE", str(tmp_path))
    return tmp_path


def test_its_claims_are_listed_audited_and_typeset_like_ours(folder, symdp, tmp_path):
    code, out, err = symdp("list", "--source", "mine", "--format", "json")
    assert (code, err) == (0, "")
    assert [c["id"] for c in json.loads(out)["claims"]] == ["mine/lem-1.above"]
    code, out, _ = symdp("audit", "mine", "--format", "json")
    assert code == 0
    assert [c["verdict"] for c in json.loads(out)["claims"]] == ["proved"]
    assert r"\cite[Lemma 1]{me2026draft}" in symdp("latex", "mine/lem-1")[1]
    assert "Me, My: A {Draft} (2026)" in symdp("show", "mine/lem-1")[1]
    assert symdp("errata", "mine")[0] == 0


@pytest.mark.long
def test_it_reaches_the_page_the_notebook_and_the_figures(folder, symdp, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    assert symdp("report", "mine", "-o", out / "a.html", "--out", out)[0] == 0
    assert "xp lies above its tangent" in (out / "a.html").read_text()  # a sentence begins with a capital
    assert symdp("notebook", "mine/lem-1", "--out", out)[0] == 0
    assert "mine/lem-1" in (out / "mine_lem-1.py").read_text()
    assert symdp("figure", "mine/lem-1.above", "-o", out / "f.svg")[0] == 0
    assert (out / "f.svg").stat().st_size > 1000
    # The notebook lies in the folder now, as text that looks like Python: it is no statement.
    registry._known.cache_clear()
    code, _, err = symdp("list", "--source", "mine")
    assert (code, err) == (0, "")


def test_it_reads_its_own_bibtex(folder):
    assert reference("me2026draft") == "Me, My: A {Draft} (2026)"
    assert bibtex(["me2026draft"]) == BIB
    assert "My Me.\nA {Draft}.\n2026." in bibliography(["me2026draft"], {})


@pytest.mark.parametrize("imports", [
    "from .definitions import mine", "from definitions import mine",
    "import definitions\nmine = definitions.mine", "from . import definitions\nmine = definitions.mine"])
def test_siblings_are_imported_relatively_or_by_name_and_are_one_module(folder, imports):
    (folder / "again.py").write_text(tangent("2", imports=f"{imports}\nfrom tangent import tangent", name="again"))
    found = {s.id: s for s in registry.statements() if s.source.key == "mine"}
    assert set(found) == {"mine/lem-1", "mine/lem-2"}
    assert found["mine/lem-1"].source is found["mine/lem-2"].source
    assert not registry.broken()


def test_two_folders_may_have_files_of_the_same_name(folder, tmp_path_factory, monkeypatch):
    other = tmp_path_factory.mktemp("other")
    (other / "definitions.py").write_text(SOURCE.replace('"mine"', '"theirs"'))
    (other / "tangent.py").write_text(tangent(imports="from definitions import mine"))
    monkeypatch.setenv("SYMDP_LITERATURE", f"{folder}:{other}")
    assert {"mine/lem-1", "theirs/lem-1"} <= {s.id for s in registry.statements()}


BROKEN = {
    "syntax": ("x = (1,\n", r"broken.py:1: '\(' was never closed; mend that line"),
    "exception": ("a = 1\nb = a / 0\n", "broken.py:2: ZeroDivisionError: division by zero; mend that line"),
    "exit": ("import sys\nsys.exit(3)\n", "broken.py:2: SystemExit: 3; mend that line"),
    "missing": ("import nowhere_to_be_had\n", "broken.py:1: No module named 'nowhere_to_be_had'; install it"),
    "sibling": ("from .worse import a\n", "broken.py:1: it needs worse.py, which is broken; mend worse.py"),
    "duplicate": (tangent("1"), "tangent.py:8: mine/lem-1 is known already, from .*broken.py; give it"),
    "ours": (tangent("1").replace("mine.lemma", "Source('kov', 'x', 'me2026draft').theorem")
             .replace('("1")', '("3.4")').replace("import Inequality", "import Source, Inequality"),
             "broken.py:8: kov/thm-3.4 is known already, from the literature of symdp; give it"),
    "citation": (tangent("3", cites="('nobody2026',)"),
                 "broken.py:8: mine/lem-3 cites 'nobody2026', which no BibTeX file has; write its entry into .*bib"),
    "domain": (tangent("3", variables="{}"),
               r"broken.py:8: above: nothing says where x lives; say it in variables=\{x: positive\} .*"),
    "float": (tangent("3").replace("1 + x)", "1 + 0.1*x)"), "broken.py:10: .*0.1.*Rational.*"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_one_line_with_its_cure_and_the_others_go_on(kind, folder, symdp):
    text, line = BROKEN[kind]
    (folder / "broken.py").write_text(text)
    if kind == "sibling":
        (folder / "worse.py").write_text("(\n")
    code, out, err = symdp("show", "mine/lem-1")
    assert code == 0
    assert "✓ proved  mine/lem-1.above" in out
    assert len(err.splitlines()) == (2 if kind == "sibling" else 1)
    assert re.search(f"^symdp: warning: .*{line}", err), err
    assert "Traceback" not in err


def test_what_needs_the_broken_file_ends_with_two(folder, symdp):
    (folder / "broken.py").write_text(tangent("3", variables="{}"))
    code, out, err = symdp("show", "mine/lem-3")
    assert (code, out) == (2, "")
    warned, failed = err.splitlines()
    assert "broken.py:8:" in warned
    assert failed.startswith("symdp: there is no statement or claim 'mine/lem-3'")
    assert failed.endswith("files that could not be read were left out")


def test_a_broken_bibliography_is_one_line(folder, symdp):
    (folder / "more.bib").write_text("% mine\n@book{open,\n title = {An open end\n")
    code, _, err = symdp("show", "mine/lem-1")
    assert code == 0
    assert err.count("\n") == 1
    assert "more.bib:2: the entry open does not end; close its braces" in err


def test_a_folder_that_is_none_is_one_line(tmp_path, symdp):
    code, _, err = symdp("--literature", tmp_path / "nowhere", "list")
    assert code == 2
    assert err.startswith(f"symdp: {tmp_path / 'nowhere'} is not a folder")
    assert err.count("\n") == 1


def test_a_verdict_is_not_used_again_when_the_law_of_a_mechanism_changed(folder):
    """A mechanism is shown by its parameters; the file that says what it does counts as well."""
    (folder / "noise.py").write_text(
        "from symdp.privacy.mechanisms.finite_laws.finite import FinitePair\n"
        "from symdp.sources.statement import Guarantee, Statement\nfrom sympy import Integer\n"
        "from .definitions import mine\n\nclass Coin(FinitePair):\n    def __init__(self, bias='1/4'):\n"
        "        super().__init__([bias, '3/4'], ['3/4', bias])\n\n"
        "coin = Statement(place=mine.lemma('9'), title='A coin', claims=(\n"
        "    Guarantee('', 'it is private', Coin(), Integer(2), Integer(0)),))\n")
    before = seal_of_claim(registry.claim("mine/lem-9"))
    (folder / "noise.py").write_text((folder / "noise.py").read_text() + "# another law\n")
    assert seal_of_claim(registry.claim("mine/lem-9")) != before
