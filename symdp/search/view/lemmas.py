r"""What the lemmas say, on SymPy's side; the kernel's library holds their proofs.

>>> print(stated("exp-tangent"))
z + 1 <= exp(z) for z real
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from symdp.formulas.parsing import parse_conditions, parse_relation
from symdp.kernel import lemmas as library
from symdp.numbers.domain import Domain
from symdp.search.view.goals import Target

#: name -> (claim, where); a proof may use those before it
STATED: dict[str, tuple[str, tuple[str, ...]]] = {
    "exp-tangent": ("exp(z) >= 1 + z", ()),
    "exp-quadratic": ("exp(z) >= 1 + z + z^2/2", ("z >= 0",)),
    "log-tangent": ("log(z) <= z - 1", ("z > 0",)),
    "log-chord": ("log(z) >= 2*(z - 1)/(z + 1)", ("z >= 1",)),
    "log-root": ("log(z) <= (z - 1)/sqrt(z)", ("z >= 1",)),
    "erfc-chernoff": ("erfc(z) <= exp(-z^2)", ("z >= 0",)),
    "mills-upper": ("erfc(z) <= exp(-z^2)/(sqrt(pi)*z)", ("z > 0",)),
    "mills-lower": ("erfc(z) >= 2*z*exp(-z^2)/(sqrt(pi)*(2*z^2 + 1))", ("z >= 0",)),
    "mills-birnbaum": ("erfc(z) >= 2*exp(-z^2)/(sqrt(pi)*(z + sqrt(z^2 + 2)))", ("z >= 0",)),
    "normal-chernoff": ("Phi(-z) <= exp(-z^2/2)/2", ("z >= 0",)),
    "normal-mills": ("Phi(-z) <= exp(-z^2/2)/(sqrt(2*pi)*z)", ("z > 0",)),
    "cosh-gauss": ("cosh(z) <= exp(z^2/2)", ()),
    "log-concave": (
        "w*log(x) + (1-w)*log(y) <= log(w*x + (1-w)*y)", ("x > 0", "y > 0", "0 <= w <= 1"),
    ),
    "exp-convex": ("exp(w*x + (1-w)*y) <= w*exp(x) + (1-w)*exp(y)", ("0 <= w <= 1",)),
}


def goal_of(claim: str, where: Iterable[str]) -> Target:
    relation = parse_relation(claim)
    conditions = [c for text in where for c in parse_conditions(text)]
    return Target.of(relation, Domain.of(conditions, variables=relation.symbols))


@lru_cache
def _read(name: str) -> Target:
    return goal_of(*STATED[name])


def stated(name: str) -> Target:
    """What a lemma of the kernel's library says; KeyError if there is none of that name."""
    if name not in library.documents():
        raise KeyError(name)
    return _read(name)
