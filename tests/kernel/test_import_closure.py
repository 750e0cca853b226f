"""The checker is a stranger's program: its imports are the standard library and python-flint."""

import os
import subprocess
import sys
from pathlib import Path

from places import ROOT

import symdp.kernel

#: without the folders that other tests add, whose files are called like modules of others
PATH = [str(ROOT), *(p for p in sys.path if Path(p).name not in ("benchmarks", "support"))]
KERNEL = Path(symdp.kernel.__path__[0])
MODULES = sorted(".".join(p.relative_to(KERNEL).with_suffix("").parts) for p in KERNEL.rglob("*.py"))
#: Every module of the folder by itself, then all that they brought along; cython_runtime is a part of flint.
PROGRAM = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
for name in sorted(sys.modules):
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names and not top.startswith("_") and top not in ("flint", "cython_runtime"):
        print(name)
"""


def loaded(*names):
    """What importing these brings along besides the standard library and python-flint."""
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:] = {PATH!r}\n{PROGRAM}",
                           *names], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_the_kernel_imports_the_standard_library_and_flint_alone():
    assert "__main__" in MODULES
    assert "rules.every_rule" in MODULES
    names = [f"symdp.kernel.{m}".removesuffix(".__init__") for m in MODULES]
    found = loaded(*names)
    assert found == {"symdp", *names}


def test_the_test_sees_what_does_not_belong():
    assert "sympy" in loaded("symdp.formulas.translation")
    assert "symdp.formulas.translation" in loaded("symdp.formulas.translation")


def test_the_checker_runs_where_nothing_else_is_installed(tmp_path):
    """With a SymPy, a z3 and a NumPy that refuse to be imported, certificates of every rule are replayed."""
    for name in ("sympy", "z3", "mpmath", "numpy", "matplotlib"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the checker does without')\n")
    lemmas = ROOT / "symdp" / "kernel" / "lemmas.json"
    program = ("import json, sys, symdp.kernel.certificate as c\n"
               "for d in json.load(open(sys.argv[1])): c.recheck(d)\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run([sys.executable, "-c", program, str(lemmas)], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr


def test_the_names_of_the_package_are_found_when_asked_for():
    import symdp

    for name in symdp.__all__:
        assert getattr(symdp, name) is not None
