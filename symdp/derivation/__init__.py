r"""Derivations: a proof as a mathematician writes it, checked line by line.

>>> from symdp.derivation import Derivation
>>> proof = Derivation("A tail", where=["x >= 0"]).start("1 + x").le("exp(x)").lt("2*exp(x)")
>>> report = proof.check()
>>> report.standing.value, report.shown
('proved', 'x + 1 < 2*exp(x)')
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "Derivation": "symdp.derivation.derivation",
    "use": "symdp.derivation.derivation",
    "Distribution": "symdp.derivation.steps",
    "Report": "symdp.derivation.report",
    "Standing": "symdp.derivation.report",
    "check_derivation": "symdp.derivation.checking",
    "read_expression": "symdp.derivation.latex_reader",
    "read_derivation": "symdp.derivation.text_file",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'symdp.derivation' has no attribute {name!r}")
