r"""The Johnson-Lindenstrauss mechanism in numbers: exact failure probabilities and divergences.

>>> lemma_1_utility(n=100, w="90", side=10, eta="1/2", nu="1/20").holds
False
>>> lemma_1_utility(n=100, w="50", side=10, eta="1/2", nu="1/20").holds
True
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, ceiling, exp, log, symbols

from symdp.constructions import Finding, construction
from symdp.privacy import quantity
from symdp.privacy.johnson_lindenstrauss import parameters, utility

CHERNOFF = "P(chi^2_r >= r(1+eta)) <= exp(-r(eta - log(1+eta))/2), and likewise below"


@construction
def lemma_1_utility(n: int, w: str, side: int, eta: str, nu: str) -> Finding:
    """For a graph without edges: how often does the answer miss tau = 2|S| eta w?"""
    rows = utility.rows_for(eta, nu)
    found = utility.cut_failure(n, w, side, 0, eta, rows)
    return Finding(bool(found.upper <= Fraction(nu)),
                   f"the answer to an empty cut is off by more than 2|S| eta w with probability {found}, "
                   f"where {nu} is allowed",
                   {"n": n, "w": w, "|S|": side, "eta": eta, "nu": nu, "rows": rows},
                   trust=frozenset({"Arb"}))


@construction
def lemma_1_utility_with_conditions() -> Finding:
    r"""With $w \le n/2$ and $\eta \le 3/2$: the error is $(q+B)|\chi^2_r/r - 1|$, and $B \le 2|S|w$.

    The tail bound needs $\eta - \log(1+\eta) \ge \eta^2/4$. The quotient of the two sides falls: its slope
    has the sign of $h = 2\log(1+\eta) - 2\eta + \eta^2/(1+\eta)$, which is 0 at 0 and has the derivative
    $-\eta^2/(1+\eta)^2$. So the value at 3/2 decides.
    """
    at = Rational(3, 2)
    tail = quantity.sign(at - log(1 + at) - at**2 / 4) > 0
    x = symbols("x", positive=True)
    h = 2 * log(1 + x) - 2 * x + x**2 / (1 + x)
    falls = h.subs(x, 0) == 0 and sympy.simplify(sympy.diff(h, x) + x**2 / (1 + x) ** 2) == 0
    same = sympy.simplify(sympy.diff((x - log(1 + x)) / x**2, x) * x**3 - h) == 0
    n, s, w = symbols("n s w", positive=True)
    added = w * s * (n - s) / (n - w)
    gap = sympy.factor((2 * s * w - added) * (n - w) / (s * w)) - (n - 2 * w + s)
    instances = all(lemma_1_utility(n_, w_, side, eta, nu).holds for n_, w_, side, eta, nu in (
        (100, "50", 1, "1/2", "1/20"), (10, "5", 5, "3/2", "1/2"), (40, "20", 20, "1/4", "1/100")))
    return Finding(tail and falls and same and sympy.simplify(gap) == 0 and instances,
                   "the added weight blurs a cut by at most 2|S|w if w <= n/2, and the tails of "
                   "chi-squared are small enough if eta <= 3/2", covers_all=True,
                   trust=frozenset({"Arb", "SymPy's simplify", CHERNOFF}))


@construction
def lemma_1_privacy() -> Finding:
    r"""One row: $d \le \mathrm{erfc}\sqrt{\varepsilon_0/(s-1)}$ with $s - 1 \le 2/w$, which is tiny.

    With Lemma 1's w the argument is $2\log(2/\delta_0)$ below the root, so that the divergence is at most
    $(\delta_0/2)^2 \le \delta_0$. The other way round it is zero: $\log s \le 2/w \le 2\varepsilon_0$.
    """
    e, d = symbols("e d", positive=True)
    w = 4 / e * log(2 / d)
    below = sympy.simplify(exp(-e * w / 2) - d**2 / 4) == 0
    instances = all(
        parameters.row_delta(parameters.lemma_noise.subs({parameters.eps_0: Rational(a),
                                                          parameters.delta_0: Rational(b)}), a).upper
        <= Fraction(b) ** 2 / 4 for a, b in (("1/10", "1e-3"), ("1", "1/2"), ("20", "1")))
    return Finding(below and instances, "the divergence of a row is at most erfc(sqrt(2 log(2/delta_0))), "
                   "below (delta_0/2)^2, for every epsilon_0", covers_all=True,
                   trust=frozenset({"Arb", "SymPy's simplify", "erfc(x) <= exp(-x^2) for x >= 0",
                                    "log(1 + x) <= x", "resistances fall when edges are added"}))


@construction
def half_the_noise() -> Finding:
    r"""With $w = (2/\varepsilon_0)\log(1/\delta_0)$ the same argument gives $\delta_0$ itself.

    The other way: $2/w = \varepsilon_0/\log(1/\delta_0) \le 2\varepsilon_0$ for $\delta_0 \le e^{-1/2}$.
    """
    e, d = symbols("e d", positive=True)
    w = 2 / e * log(1 / d)
    below = sympy.simplify(exp(-e * w / 2) - d) == 0
    back = sympy.simplify(2 / w - e / log(1 / d)) == 0
    instances = all(
        parameters.row_delta(parameters.sharper_noise.subs({parameters.eps_0: Rational(a),
                                                            parameters.delta_0: Rational(b)}), a).upper
        <= Fraction(b) for a, b in (("1/10", "1e-3"), ("1", "1/2"), ("20", "3/5")))
    return Finding(below and back and instances, "the divergence of a row is at most "
                   "erfc(sqrt(log(1/delta_0))), below delta_0, for every epsilon_0", covers_all=True,
                   trust=frozenset({"Arb", "SymPy's simplify", "erfc(x) <= exp(-x^2) for x >= 0",
                                    "log(1 + x) <= x", "resistances fall when edges are added"}))


@construction
def printed_rows(eta: str, nu: str) -> Finding:
    """The number of rows in the box, with nu where eta should be: is it enough?"""
    rows = int(ceiling(parameters.printed_box["r"].subs(parameters.nu, Rational(nu))))
    found = utility.failure(rows, eta)
    return Finding(bool(found.upper <= Fraction(nu)),
                   f"{rows} rows miss a factor of 1 +- {eta} with probability {found}; {nu} is allowed",
                   {"eta": eta, "nu": nu, "rows": rows}, trust=frozenset({"Arb"}))


@construction
def union_bound(queries: int, nu: str) -> Finding:
    """k queries that fail with probability nu/k each fail together with probability nu at most."""
    each = Fraction(nu) / queries
    return Finding(each * queries <= Fraction(nu), "the failures of the queries add up to nu at most",
                   covers_all=True, trust=frozenset({"exact arithmetic", "the union bound"}))
