"""symdp: the composition theorems of differential privacy, executable.

Names are loaded when first used, so that ``import symdp`` costs nothing. This is the one place that knows every room:
data that is checked or shown where it stands (``Derivation().check()``) asks here, and imports no prover.

>>> import symdp
>>> symdp.check("eps*tanh(eps/2) <= eps^2", where=["1/100 <= eps <= 9/10"]).status.value
'proved'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Domain": "symdp.numbers.domain",
    "Interval": "symdp.numbers.domain",
    "Relation": "symdp.formulas.relation",
    "parse_expression": "symdp.formulas.parsing",
    "parse_relation": "symdp.formulas.parsing",
    "Statement": "symdp.sources.statement",
    "Source": "symdp.sources.statement",
    "Claim": "symdp.sources.statement",
    "Inequality": "symdp.sources.statement",
    "Identity": "symdp.sources.statement",
    "Guarantee": "symdp.sources.statement",
    "Comparison": "symdp.sources.statement",
    "Asymptotic": "symdp.sources.statement",
    "Optimality": "symdp.sources.statement",
    "Figure": "symdp.sources.statement",
    "Structural": "symdp.sources.statement",
    "Derivation": "symdp.sources.derivations.derivation",
    "use": "symdp.sources.derivations.derivation",
    "SourceProof": "symdp.sources.derivations.source_proof",
    "FinitePair": "symdp.privacy.mechanisms.every",
    "Gaussian": "symdp.privacy.mechanisms.every",
    "Geometric": "symdp.privacy.mechanisms.every",
    "Laplace": "symdp.privacy.mechanisms.every",
    "RandomisedResponse": "symdp.privacy.mechanisms.every",
    "Staircase": "symdp.privacy.mechanisms.every",
    "mechanism": "symdp.privacy.mechanisms.registry",
    "mechanisms": "symdp.privacy.mechanisms.registry",
    "PrivacyRegion": "symdp.privacy.regions.region",
    "StochasticMap": "symdp.privacy.regions.processing",
    "post_process": "symdp.privacy.regions.processing",
    "simulate": "symdp.privacy.regions.processing",
    "Verdict": "symdp.search.verdict",
    "check": "symdp.search.prove",
    "settle": "symdp.audit.dispatch",
    "statements": "symdp.sources.registry",
    "lookup": "symdp.sources.registry",
    "proof": "symdp.sources.registry",
    "proofs": "symdp.sources.registry",
    "latex": "symdp.typeset.typesetting",
    "compose": "symdp.privacy.composition.compose",
    "calibrate": "symdp.privacy.accounting.calibration",
    "largest_epsilon": "symdp.privacy.accounting.calibration",
    "Experiment": "symdp.privacy.accounting.experiment",
    "expand": "symdp.arguments.series.expanding",
    "Expansion": "symdp.arguments.series.expansion",
    "Regime": "symdp.sources.regime",
    "order_of": "symdp.arguments.orders.decision",
}

#: What methods of data ask for, since it stands in a later room.
_BEHIND_METHODS = {
    "check_derivation": "symdp.arguments.derivations.checking",
    "derivation_markdown": "symdp.arguments.derivations.display",
    "proof_markdown": "symdp.arguments.derivations.display",
    "plot_expansion": "symdp.report.figures.expansions",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name) or _BEHIND_METHODS.get(name)
    if home is not None:
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'symdp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
