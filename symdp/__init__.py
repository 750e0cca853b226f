"""symdp: the composition theorems of differential privacy, executable.

Names are loaded when first used, so that ``import symdp`` costs nothing.

>>> import symdp
>>> symdp.check("eps*tanh(eps/2) <= eps^2", where=["1/100 <= eps <= 9/10"]).status.value
'proved'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Domain": "symdp.domain",
    "Interval": "symdp.domain",
    "Relation": "symdp.relation",
    "parse_expression": "symdp.parsing",
    "parse_relation": "symdp.parsing",
    "Statement": "symdp.statement",
    "Source": "symdp.statement",
    "Claim": "symdp.statement",
    "Inequality": "symdp.statement",
    "Identity": "symdp.statement",
    "Guarantee": "symdp.statement",
    "Comparison": "symdp.statement",
    "Asymptotic": "symdp.statement",
    "Optimality": "symdp.statement",
    "Figure": "symdp.statement",
    "Structural": "symdp.statement",
    "Derivation": "symdp.derivation.derivation",
    "SourceProof": "symdp.source_proof",
    "FinitePair": "symdp.privacy.mechanism",
    "Gaussian": "symdp.privacy.mechanism",
    "Geometric": "symdp.privacy.mechanism",
    "Laplace": "symdp.privacy.mechanism",
    "RandomisedResponse": "symdp.privacy.mechanism",
    "Staircase": "symdp.privacy.mechanism",
    "PrivacyRegion": "symdp.privacy.region",
    "StochasticMap": "symdp.privacy.processing",
    "post_process": "symdp.privacy.processing",
    "simulate": "symdp.privacy.processing",
    "Verdict": "symdp.proving.verdict",
    "check": "symdp.proving",
    "settle": "symdp.auditing.settling",
    "statements": "symdp.registry",
    "lookup": "symdp.registry",
    "proof": "symdp.registry",
    "proofs": "symdp.registry",
    "latex": "symdp.typesetting",
    "compose": "symdp.privacy.composition",
    "calibrate": "symdp.privacy.calibration",
    "largest_epsilon": "symdp.privacy.calibration",
    "Experiment": "symdp.privacy.experiment",
    "expand": "symdp.expansions",
    "Expansion": "symdp.expansions",
    "Regime": "symdp.regime",
    "order_of": "symdp.expansions",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'symdp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
