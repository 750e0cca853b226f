"""symdp: the composition theorems of differential privacy, executable.

Names are loaded when first used, so that ``import symdp`` costs nothing. This is the one place that knows every room:
data that is checked or shown where it stands (``Derivation().check()``) asks here, and imports no prover.

>>> import symdp
>>> symdp.check("eps*tanh(eps/2) <= eps^2", where=["1/100 <= eps <= 9/10"]).status.value
'proved'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# isort: off
if TYPE_CHECKING:  # for editors and type checkers; at run time a name is loaded at its first use
    from symdp.arguments.orders.decision import order_of as order_of
    from symdp.arguments.series.expansion import Expansion as Expansion
    from symdp.audit.settling.dispatch import settle as settle
    from symdp.formulas.parsing import (
        parse_expression as parse_expression,
        parse_relation as parse_relation,
    )
    from symdp.formulas.relation import Relation as Relation
    from symdp.numbers.domain import Domain as Domain, Interval as Interval
    from symdp.privacy.accounting.calibration import (
        calibrate as calibrate,
        largest_epsilon as largest_epsilon,
    )
    from symdp.privacy.accounting.experiment import Experiment as Experiment
    from symdp.privacy.composition.compose import compose as compose
    from symdp.privacy.mechanisms.every import (
        FinitePair as FinitePair,
        Gaussian as Gaussian,
        Geometric as Geometric,
        Laplace as Laplace,
        RandomisedResponse as RandomisedResponse,
        Staircase as Staircase,
    )
    from symdp.privacy.mechanisms.registry import mechanism as mechanism, mechanisms as mechanisms
    from symdp.privacy.regions.processing import (
        StochasticMap as StochasticMap,
        post_process as post_process,
        simulate as simulate,
    )
    from symdp.privacy.regions.region import PrivacyRegion as PrivacyRegion
    from symdp.prompt import (
        check as check,
        derive as derive,
        exercise as exercise,
        expand as expand,
        figure as figure,
        latex as latex,
        lint as lint,
        sharpest as sharpest,
        suggest as suggest,
    )
    from symdp.search.verdict import Verdict as Verdict
    from symdp.sources.derivations.derivation import Derivation as Derivation, use as use
    from symdp.sources.derivations.source_proof import SourceProof as SourceProof
    from symdp.sources.regime import Regime as Regime
    from symdp.sources.registry import (
        lookup as lookup,
        proof as proof,
        proofs as proofs,
        statements as statements,
    )
    from symdp.sources.statement import (
        Asymptotic as Asymptotic,
        Claim as Claim,
        Comparison as Comparison,
        Figure as Figure,
        Guarantee as Guarantee,
        Identity as Identity,
        Inequality as Inequality,
        Optimality as Optimality,
        Source as Source,
        Statement as Statement,
        Structural as Structural,
    )
# isort: on

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
    "check": "symdp.prompt",
    "derive": "symdp.prompt",
    "exercise": "symdp.prompt",
    "figure": "symdp.prompt",
    "lint": "symdp.prompt",
    "sharpest": "symdp.prompt",
    "suggest": "symdp.prompt",
    "settle": "symdp.audit.settling.dispatch",
    "statements": "symdp.sources.registry",
    "lookup": "symdp.sources.registry",
    "proof": "symdp.sources.registry",
    "proofs": "symdp.sources.registry",
    "latex": "symdp.prompt",
    "compose": "symdp.privacy.composition.compose",
    "calibrate": "symdp.privacy.accounting.calibration",
    "largest_epsilon": "symdp.privacy.accounting.calibration",
    "Experiment": "symdp.privacy.accounting.experiment",
    "expand": "symdp.prompt",
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
    "ship": "symdp.report.page.shipping",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name) or _BEHIND_METHODS.get(name)
    if home is not None:
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'symdp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext symdp`` in Jupyter gives ``%check`` and ``%%derive``."""
    import_module("symdp.magics").load(shell)
