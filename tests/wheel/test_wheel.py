"""What others install: the wheel holds every file of the package, and works where there is nothing else.

`make wheel` builds it and runs this; elsewhere it is skipped, because an empty environment takes a minute to fill.
"""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from places import ROOT

import symdp

pytestmark = pytest.mark.skipif(not os.environ.get("SYMDP_WHEEL"), reason="`make wheel` runs this")

DIST = ROOT / "dist"
#: An environment in which neither this checkout nor the user's own packages are found.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def source_files() -> set[str]:
    """The files of the package as they stand in the checkout."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "symdp").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}


def only(pattern: str) -> Path:
    """The one file of that name in dist."""
    (found,) = DIST.glob(pattern)
    return found


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory) -> Path:
    """The programs of an environment that has the wheel and what it asks for, nothing else."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, env=ENVIRONMENT)
    subprocess.run([str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "-c", str(ROOT / "constraints.txt"), str(only("*.whl"))], check=True, env=ENVIRONMENT)
    return place / "bin"


def run(program: Path, *arguments: str, cwd: Path, code: int = 0) -> str:
    done = subprocess.run([str(program), *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=600, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


# --- the files --------------------------------------------------------------------------------------


def test_the_wheel_holds_the_files_of_the_package_and_no_others():
    with zipfile.ZipFile(only("*.whl")) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    ours = {name for name in names if ".dist-info/" not in name}
    assert ours == source_files()


def test_the_source_archive_holds_them_too():
    with tarfile.open(only("*.tar.gz")) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    assert source_files() <= names
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names


def test_the_bytes_are_those_of_the_checkout():
    with zipfile.ZipFile(only("*.whl")) as wheel:
        assert [name for name in sorted(source_files()) if wheel.read(name) != (ROOT / name).read_bytes()] == []


def test_it_says_its_version_its_licence_and_its_command():
    with zipfile.ZipFile(only("*.whl")) as wheel:
        about = {Path(name).name: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}
    assert f"\nVersion: {symdp.__version__}\n" in about["METADATA"]
    assert "License-Expression: BSD-3-Clause" in about["METADATA"]
    assert "symdp = symdp.cli.app:guarded" in about["entry_points.txt"]


# --- at work ----------------------------------------------------------------------------------------


def test_what_runs_is_what_was_installed(empty_environment, tmp_path):
    where = run(empty_environment / "python", "-c", "import symdp; print(symdp.__file__, symdp.__version__)",
                cwd=tmp_path)
    assert str(empty_environment.parent) in where
    assert symdp.__version__ in where


def test_help_names_the_commands(empty_environment, tmp_path):
    shown = run(empty_environment / "symdp", "--help", cwd=tmp_path)
    assert {"check", "audit", "recheck", "compose"} <= set(shown.split())


def test_the_literature_came_along(empty_environment, tmp_path):
    listed = json.loads(run(empty_environment / "symdp", "list", "--format", "json", cwd=tmp_path))
    assert {s["id"].partition("/")[0] for s in listed["statements"]} >= {"kov", "icml", "note", "blog"}
    shown = run(empty_environment / "symdp", "show", "kov/thm-3.4", cwd=tmp_path)
    assert "Kairouz" in shown  # from the bibliography


def test_a_claim_is_proved_and_the_checker_alone_agrees(empty_environment, tmp_path):
    said = json.loads(run(empty_environment / "symdp", "check", "exp(x) >= 1+x", "--out", "certificates",
                          "--format", "json", cwd=tmp_path))
    assert said["verdict"] == "proved"
    assert "proved" in run(empty_environment / "python", "-m", "symdp.kernel", "certificates", cwd=tmp_path)
    refuted = json.loads(run(empty_environment / "symdp", "check", "exp(x) <= 1+x", "--format", "json",
                             cwd=tmp_path, code=1))
    assert refuted["verdict"] == "refuted"


def test_bad_input_is_told_in_a_line(empty_environment, tmp_path):
    run(empty_environment / "symdp", "check", "exp(x >=", cwd=tmp_path, code=2)


def test_numbers_latex_figures_pages_and_notebooks_have_their_parts(empty_environment, tmp_path):
    program = empty_environment / "symdp"
    assert "epsilon" in run(program, "compose", "--epsilon", "0.1", "--delta", "0.001", "--count", "30",
                            "--target-delta", "0.05", "--format", "json", cwd=tmp_path)
    assert r"\begin{document}" in run(program, "latex", "kov/thm-3.4", "--document", cwd=tmp_path)
    run(program, "figure", "fig-1.region", "-o", "region.png", cwd=tmp_path)
    run(program, "report", "kov/thm-3.1", "-o", "page.html", cwd=tmp_path)
    run(program, "notebook", "01_privacy_as_hypothesis_testing", "--out", "notebooks", cwd=tmp_path)
    assert (tmp_path / "region.png").stat().st_size > 1000
    assert "<style>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert any((tmp_path / "notebooks").iterdir())
