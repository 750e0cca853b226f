"""A file that is not Python comes along in the wheel only if pyproject.toml names its kind."""

import tomllib

from places import ROOT

SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE = ROOT / "symdp"


def files(pattern: str) -> set:
    return {path for path in PACKAGE.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}


def test_every_file_is_a_module_or_named():
    named = set().union(*map(files, SETUP["tool"]["setuptools"]["package-data"]["symdp"]))
    assert files("**/*") - files("**/*.py") - named == set()


def test_every_folder_of_modules_is_a_package():
    assert [p for p in files("**/*.py") if not (p.parent / "__init__.py").exists()] == []
