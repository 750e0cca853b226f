r"""How much noise, how many rows: the choices of Appendix C.1, and what each theorem makes of them.

The mechanism has two numbers, the weight w that every pair of nodes receives and the number r of rows.
Lemma 1 gives them from a level $(\varepsilon_0, \delta_0)$ for one row; a composition theorem gives the
level of one row from that of all. As printed, the box of the algorithm has $r = 8\log(2/\nu)/\nu^2$
where Lemma 1 has $\eta^2$ below the bar, and its w is smaller than Lemma 1's by $\sqrt 2$:

>>> sympy.simplify(printed_box["w"] / lemma_noise.subs({eps_0: old_choice[0], delta_0: old_choice[1]}))
sqrt(2)/2
>>> printed_box["r"] / rows_needed
eta**2/nu**2

Both bounds are $2|S|\eta w$, and the new one is to the old one as the roots of the logarithms:

>>> new_to_old
sqrt(log(E + 2*eps/delta))/sqrt(log(2/delta))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx
from sympy import E, Expr, Integer, Min, Rational, exp, log, sqrt

from symdp.formulas.balls import ball
from symdp.formulas.notation import delta, eps, k, symbol
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, Quantity, count, digits_wanted
from symdp.privacy.johnson_lindenstrauss.two_variances import TwoVariances

eps_0, delta_0, r = symbol("eps_0"), symbol("delta_0"), symbol("r")
eta, nu, size = symbol("eta"), symbol("nu"), symbol("S")

# --- Lemma 1 and the box ---

lemma_noise: Expr = 4 / eps_0 * log(2 / delta_0)
rows_needed: Expr = 8 * log(2 / nu) / eta**2
additive_error: Expr = 2 * size * eta * symbol("w")
#: what the row needs in truth: half of it, for delta_0 <= exp(-1/2)
sharper_noise: Expr = 2 / eps_0 * log(1 / delta_0)

printed_box: dict[str, Expr] = {
    "r": 8 * log(2 / nu) / nu**2,
    "w": sqrt(32 * r * log(2 / delta)) * log(4 * r / delta) / eps,
}

# --- the level of one row, for the level of all ---

old_choice: tuple[Expr, Expr] = (eps / sqrt(4 * r * log(2 / delta)), delta / (2 * r))
new_choice: tuple[Expr, Expr] = (eps / sqrt(4 * r * log(E + 2 * eps / delta)), delta / (2 * r))
CHOICES = {"old": old_choice, "new": new_choice}


def noise(choice: str) -> Expr:
    """Lemma 1's w for one of the choices.

    >>> noise("new")
    8*sqrt(r*log(E + 2*eps/delta))*log(4*r/delta)/eps
    """
    epsilon, leak = CHOICES[choice]
    return 4 / epsilon * log(2 / leak)


def error_bound(choice: str) -> Expr:
    r"""The additive error over k queries that Lemma 1 delivers, explicitly: (31) for "old", (32) for
    "new". The union bound over the queries divides nu by k.

    >>> error_bound("new")
    32*sqrt(2)*S*sqrt(log(2*k/nu)*log(E + 2*eps/delta))*log(32*log(2*k/nu)/(delta*eta**2))/eps
    """
    # eta sqrt(r) is free of eta; SymPy would not see that, because it does not know that eta > 0
    rows = rows_needed.subs(nu, nu / k)
    logarithm = log(2 / delta) if choice == "old" else log(E + 2 * eps / delta)
    return 2 * size * 8 * sqrt(rows * eta**2 * logarithm) * log(4 * rows / delta) / eps


#: Free of everything but epsilon and delta.
new_to_old: Expr = sqrt(log(E + 2 * eps / delta)) / sqrt(log(2 / delta))
#: The new bound is smaller exactly where 2 eps/delta + e < 2/delta.
new_is_smaller: Expr = 1 - E * delta / 2 - eps


# --- are the rows private together? --------------------------------------------------------------

_slack = delta / 2
_mean = r * eps_0 * (exp(eps_0) - 1) / (exp(eps_0) + 1)
#: The epsilon in total that each theorem gives, with a slack of delta/2 besides r delta_0 = delta/2.
TOTALS: dict[str, Expr] = {
    "3.2": r * eps_0 * (exp(eps_0) - 1) + eps_0 * sqrt(2 * r * log(1 / _slack)),
    "3.4": Min(r * eps_0, _mean + eps_0 * sqrt(2 * r * log(E + sqrt(r * eps_0**2) / _slack)),
               _mean + eps_0 * sqrt(2 * r * log(1 / _slack)), evaluate=False),
}


def total(choice: str, theorem: str, epsilon: Quantity, delta_: Quantity, rows: Quantity,
          digits: int = 12) -> Enclosure:
    """The epsilon of r rows by a theorem, if each has the level of the choice.

    >>> print(total("old", "3.2", "1/2", "1e-6", 100))
    0.35787533102853
    >>> print(total("new", "3.4", "1/2", "1e-6", 100))
    0.32914094107202
    """
    at = {eps: quantity.within(epsilon, "epsilon", 0, None, open_below=True),
          delta: quantity.within(delta_, "delta", 0, 1, open_below=True),
          r: Integer(count(rows, "rows"))}
    if choice not in CHOICES or theorem not in TOTALS:
        raise BadQuantity(f"the choices are {', '.join(CHOICES)}, the theorems "
                          f"{', '.join(TOTALS)}; not {choice!r} and {theorem!r}")
    level = CHOICES[choice][0].subs(at)
    value = TOTALS[theorem].subs({eps_0: level}).subs(at)
    with ctx.workprec(int(3.4 * digits_wanted(digits)) + 64):
        return Enclosure.of_ball(ball(value), digits, f"Theorem {theorem}")


def is_enough(choice: str, theorem: str, epsilon: Quantity, delta_: Quantity, rows: Quantity) -> bool:
    """Whether the theorem shows that the rows together are (epsilon, delta)-private.

    >>> is_enough("old", "3.2", "99/100", "1e-6", 100), is_enough("old", "3.2", 30, "1e-6", 100)
    (True, False)
    """
    wanted = quantity.quantity(epsilon, "epsilon")
    found = total(choice, theorem, wanted, delta_, rows, digits=20)
    return quantity.sign(wanted - Rational(str(found.upper)), "epsilon") >= 0


@dataclass(frozen=True)
class Cutoff:
    """The theorem is enough at ``last`` and not at ``first_not``, which are close together."""

    last: Fraction
    first_not: Fraction


def range_of_epsilon(choice: str, theorem: str, delta_: Quantity, rows: Quantity,
                     steps: int = 24) -> Cutoff:
    """How large epsilon may be for the theorem to be enough, found by doubling from 1/64 and bisection.

    Only the two ends are certified. If the theorem is not even enough at 1/64, ``last`` is zero; the new
    choice with Theorem 3.2 is like that for moderate delta, and enough again for larger epsilon.

    >>> found = range_of_epsilon("old", "3.2", "1e-6", 100)
    >>> 15 < found.last < found.first_not < 16
    True
    """
    low, high = Fraction(1, 64), Fraction(1, 32)
    if not is_enough(choice, theorem, low, delta_, rows):
        return Cutoff(Fraction(0), low)
    while is_enough(choice, theorem, high, delta_, rows):
        low, high = high, 2 * high
        if high > 2**20:
            raise BadQuantity(f"Theorem {theorem} is enough for every epsilon up to {low}")
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if is_enough(choice, theorem, middle, delta_, rows) else (low, middle)
    return Cutoff(low, high)


# --- what is really needed -----------------------------------------------------------------------


def spread_bound(w: Expr) -> Expr:
    """The largest variance ratio between neighbours: the complete graph with weights w/n has the
    effective resistance 2/w between any two nodes, and every other edge makes it smaller."""
    return 1 + 2 / w


def row_delta(w: Quantity, epsilon: Quantity, rows: Quantity = 1, digits: int = 12) -> Enclosure:
    """The exact delta of so many rows with that w, over all graphs and neighbours of any size n.

    >>> from sympy import log
    >>> w = 4 / Rational(1, 10) * log(2 / Rational("1e-6"))  # Lemma 1 for (1/10, 1e-6)
    >>> print(row_delta(w, "1/10"))  # the promise was 1e-6
    5.2421179873253E-17
    """
    wide = quantity.within(w, "w", 0, None, open_below=True)
    return TwoVariances(spread_bound(wide), rows).delta(epsilon, digits=digits)


def variance_delta(w: Quantity, epsilon: Quantity, rows: Quantity = 1, digits: int = 12) -> Enclosure:
    r"""The exact delta of so many rows for variance queries, over all data sets.

    A neighbour has one row more, of length at most 1: the covariance $\Sigma = A^TA + w^2$ becomes
    $\Sigma + vv^T$, which differs in one direction only, by the ratio $1 + v^T\Sigma^{-1}v$. It is at most
    $1 + 1/w^2$, and for A = 0 it is reached.

    >>> print(variance_delta(10, 1, rows=100))
    1.2725375720222E-23
    """
    wide = quantity.within(w, "w", 0, None, open_below=True)
    return TwoVariances(1 + 1 / wide**2, rows).delta(epsilon, digits=digits)


def smallest_noise(epsilon: Quantity, delta_: Quantity, rows: Quantity, digits: int = 8) -> Enclosure:
    """The smallest w for which so many rows are (epsilon, delta)-private, for graphs of any size.

    The divergence falls when w grows, so bisection finds it; both ends are certified.

    >>> print(smallest_noise(1, "1e-6", 100))
    71.080344
    """
    at = quantity.within(epsilon, "epsilon", 0, None, open_below=True)
    leak = quantity.within(delta_, "delta", 0, 1, open_below=True)
    repeat = count(rows, "rows")
    with ctx.workprec(int(7 * digits) + 128 + 4 * repeat.bit_length()):
        target, argument = ball(leak), ball(at)
        low, high = Fraction(0), Fraction(1)
        while not _private(high, argument, target, repeat):
            low, high = high, 2 * high
        for _ in range(int(3.4 * digits) + 2):
            middle = (low + high) / 2
            private = _private(middle, argument, target, repeat)
            low, high = (low, middle) if private else (middle, high)
        return Enclosure.between(_arb(low), _arb(high), digits, "exact divergence of the rows")


def _private(w: Fraction, epsilon: Any, target: Any, rows: int) -> bool:
    pair = TwoVariances(Rational(1) + 2 / Rational(w.numerator, w.denominator), rows)
    if not pair.height(epsilon) <= target:
        return False
    bounded = epsilon >= ball(pair.largest_reverse_loss)
    return bool(bounded or pair.height(epsilon, reverse=True) <= target)


def _arb(value: Fraction) -> Any:
    return arb(value.numerator) / value.denominator


def conditions(n: int, w: Expr, *, small_side: int | None = None, eta_: Quantity | None = None,
               ) -> list[str]:
    r"""What Lemma 1 needs besides what it says, and does not have here; empty if all is well.

    Privacy: $0 < w < n$, or the weights of the edges would not be kept; edges have weights in [0, 1].
    Utility: moreover $w \le (n + |S|)/2$, because the error is $\eta w |S| (n - |S|)/(n - w)$ and not
    $2\eta w|S|$; and $\eta$ up to about 1.6, where $\eta - \log(1+\eta) \ge \eta^2/4$ ends.

    >>> conditions(100, Integer(60), small_side=10, eta_="1/2")
    ['w must be at most (n + |S|)/2 = 55 for an error of 2 |S| eta w, not 60']
    >>> conditions(100, Integer(160))
    ['w must be below the number n of nodes, 100, not 160']
    """
    unmet = []
    shown = sympy.N(w, 6) if not isinstance(w, Rational) else w
    if quantity.sign(w) <= 0:
        unmet.append(f"w must be positive, not {shown}")
    if quantity.sign(w - n) >= 0:
        return [*unmet, f"w must be below the number n of nodes, {n}, not {shown}"]
    if small_side is not None and quantity.sign(w - Rational(n + small_side, 2)) > 0:
        unmet.append(f"w must be at most (n + |S|)/2 = {Rational(n + small_side, 2)} for an error of "
                     f"2 |S| eta w, not {shown}")
    if eta_ is not None:
        width = quantity.within(eta_, "eta", 0, None, open_below=True)
        if quantity.sign(width - log(1 + width) - width**2 / 4) < 0:
            unmet.append(f"eta = {width} is too large for the tail of a chi-squared variable: "
                         "eta - log(1 + eta) must be at least eta^2/4")
    return unmet
