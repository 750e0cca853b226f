"""What a notebook needs in order to run, said in one line where it is missing.

It imports nothing but the standard library, so that it can speak when everything else is missing.

>>> ready()
>>> ready({"no_such_module": "no-such-package"})
Traceback (most recent call last):
...
symdp.report.notebooks.requirements.Missing: this notebook needs no-such-package: run
`pip install no-such-package` and restart the kernel
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

#: Module -> the package that brings it.
NEEDS = {"flint": "python-flint", "sympy": "sympy", "z3": "z3-solver", "matplotlib": "matplotlib"}


class Missing(ImportError):
    """A package that the notebook needs is not installed."""

    def _render_traceback_(self) -> list[str]:
        """IPython asks for this instead of a traceback: one line is all that a reader needs."""
        return [f"Missing: {self}"]


def ready(needs: Mapping[str, str] = NEEDS) -> None:
    """Say in one line what is missing, if anything is."""
    absent = [package for module, package in needs.items() if find_spec(module) is None]
    if absent:
        names = " ".join(absent)
        raise Missing(f"this notebook needs {', '.join(absent)}: run `pip install {names}` "
                      "and restart the kernel")
