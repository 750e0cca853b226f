"""What `make -C formal` looks at: every theorem of the library, and no axiom that is not Coq's own."""

import re
import shutil
import subprocess

import pytest

from symdp.formal.compiling import LIBRARY, allowed_axioms

THEORIES = sorted((LIBRARY / "theories").glob("*.v"))


@pytest.fixture(scope="module")
def every_theorem() -> str:
    if shutil.which("make") is None:
        pytest.skip("make is missing")
    subprocess.run(["make", "-s", "-B", "-C", str(LIBRARY), "EveryTheorem.v"], check=True)
    return (LIBRARY / "EveryTheorem.v").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", THEORIES, ids=lambda p: p.stem)
def test_every_proof_of_the_library_is_asked_for_its_axioms(path, every_theorem):
    proved = len(re.findall(r"\b(?:Qed|Defined)\.", path.read_text(encoding="utf-8")))
    asked = re.findall(rf"let _ := @{path.stem}\.(\S+) in", every_theorem)
    assert len(asked) == len(set(asked)) >= proved > 0


def test_the_build_asks_for_the_axioms_of_all_of_them_and_of_the_main_theorems(every_theorem):
    assert every_theorem.rstrip().endswith("Print Assumptions every_theorem.")
    rule = (LIBRARY / "Makefile").read_text(encoding="utf-8").split("\naxioms.txt:")[1]
    assert "coqc -w none -Q theories SymDP EveryTheorem.v" in rule
    assert "coqc -Q theories SymDP Assumptions.v" in rule


def test_the_main_theorems_rest_on_four_axioms_of_coqs_library():
    assert {a.split(".")[0] for a in allowed_axioms()} == {
        "ClassicalDedekindReals", "Classical_Prop", "FunctionalExtensionality"}
    assert len(allowed_axioms()) == 4


def test_every_file_is_compiled_by_the_build():
    project = (LIBRARY / "_CoqProject").read_text(encoding="utf-8").split()
    assert {f"theories/{p.name}" for p in THEORIES} <= set(project)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")
def test_axioms_are_taken_from_what_coq_printed(tmp_path):
    """The list was once made of whatever stood on standard input, and the build ended on Coq's own axioms."""
    (tmp_path / "coq.out").write_text(
        "Axioms:\nClassical_Prop.classic\n  : forall P : Prop, P \\/ ~ P\nevil : False\nevil : False\n"
        "Closed under the global context\n")
    (tmp_path / "Makefile").write_text(f"include {LIBRARY / 'Makefile'}\nshown:\n\t@$(AXIOMS) < coq.out\n")
    said = subprocess.run(["make", "-s", "-C", str(tmp_path), "--no-print-directory", "shown"], text=True, check=True,
                          stdin=subprocess.DEVNULL, capture_output=True).stdout
    assert said.split() == ["Classical_Prop.classic", "evil"]
