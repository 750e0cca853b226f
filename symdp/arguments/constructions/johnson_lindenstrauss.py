r"""The Johnson-Lindenstrauss mechanism in numbers: exact failure probabilities and divergences.

>>> lemma_1_utility(n=100, w="90", side=10, eta="1/2", nu="1/20").holds
False
>>> lemma_1_utility(n=100, w="50", side=10, eta="1/2", nu="1/20").holds
True
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Rational, ceiling

from symdp.arguments.constructions import Observation, construction
from symdp.privacy.johnson_lindenstrauss import parameters, utility


@construction
def lemma_1_utility(n: int, w: str, side: int, eta: str, nu: str) -> Observation:
    """For a graph without edges: how often does the answer miss tau = 2|S| eta w?"""
    rows = utility.rows_for(eta, nu)
    found = utility.cut_failure(n, w, side, 0, eta, rows)
    return Observation(bool(found.upper <= Fraction(nu)),
                   f"the answer to an empty cut is off by more than 2|S| eta w with probability {found}, "
                   f"where {nu} is allowed",
                   {"n": n, "w": w, "|S|": side, "eta": eta, "nu": nu, "rows": rows},
                   trust=frozenset({"Arb"}))


@construction
def printed_rows(eta: str, nu: str) -> Observation:
    """The number of rows in the box, with nu where eta should be: is it enough?"""
    rows = int(ceiling(parameters.printed_box["r"].subs(parameters.nu, Rational(nu))))
    found = utility.failure(rows, eta)
    return Observation(bool(found.upper <= Fraction(nu)),
                   f"{rows} rows miss a factor of 1 +- {eta} with probability {found}; {nu} is allowed",
                   {"eta": eta, "nu": nu, "rows": rows}, trust=frozenset({"Arb"}))


@construction
def union_bound(queries: int, nu: str) -> Observation:
    """k queries that fail with probability nu/k each fail together with probability nu at most."""
    each = Fraction(nu) / queries
    return Observation(each * queries <= Fraction(nu), "the failures of the queries add up to nu at most",
                   trust=frozenset({"exact arithmetic", "the union bound"}))
