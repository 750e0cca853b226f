r"""Proofs of ten lines with one wrong step: is the step found, and is no correct one blamed?

Correct chains are mutated in one place: a number, a sign, a term, a function or a relation. Whether
the mutant is wrong, and where, is decided without the prover, by sampling both neighbours of the
mutated line with 800 digits. If the step into the line fails, that step is to be found; if only the step
out of it does, that one. A mutant in which both still hold must blame nobody.

    python benchmarks/derivation_mutations.py --count 200
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import mpmath
import sympy
from sympy import Expr, Integer, Product, Rational, Sum, Symbol

from symdp.arguments.derivations.report import Report
from symdp.arguments.reading.latex_reader import read_expression
from symdp.arguments.sums.laws import written_out
from symdp.formulas.relation import Op
from symdp.numbers.domain import Domain, simple_points
from symdp.numbers.floating import precise
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import insert
from symdp.sources.derivations.lines import Link, Start

#: Sides may be as large as exp(800), and differ by 1.
DIGITS = 800
OPS: dict[str, Op] = {"=": "==", "<=": "<=", ">=": ">=", "<": "<", ">": ">"}


def chain(title: str, where: list[str], lines: str, integer: tuple[str, ...] = ()) -> Derivation:
    r"""A chain from lines such as ``<= x + 1``; formulas with a backslash are LaTeX."""
    derivation = Derivation(title, where, integer)
    for i, line in enumerate(text.strip() for text in lines.strip().splitlines()):
        sign, _, formula = ("", "", line) if i == 0 else line.partition(" ")
        expr = read_expression(formula, known=["k"]) if "\\" in formula else formula
        derivation = derivation.start(expr) if i == 0 else derivation.link(OPS[sign], expr)
    return derivation


def proofs() -> list[Derivation]:
    """Correct chains: a first expression and ten steps."""
    return [
        chain("cosh", ["x >= 0"], """
            cosh(x)
            = (exp(x) + exp(-x))/2
            <= exp(x^2/2)
            <= exp(x^2)
            < 2*exp(x^2)
            <= 2*exp(x^2 + x)
            = 2*exp(x)*exp(x^2)
            <= 2*exp(x)*exp(2*x^2)
            = 2*exp(x + 2*x^2)
            <= 2*exp(x + 2*x^2) + x
            < 1 + x + 2*exp(x + 2*x^2)
        """),
        chain("mean of the loss", ["eps > 0", "k >= 1"], """
            k*eps*tanh(eps/2)
            = k*eps*(exp(eps) - 1)/(exp(eps) + 1)
            <= k*eps*(exp(eps) - 1)/2
            <= k*eps*(exp(eps) - 1)
            = k*eps*exp(eps) - k*eps
            < k*eps*exp(eps)
            <= k*eps*exp(2*eps)
            = k*eps*exp(eps)^2
            <= k^2*eps*exp(2*eps)
            < k^2*exp(3*eps)
            = (k*exp(3*eps/2))^2
        """),
        chain("variance", ["0 < p < 1"], """
            p*(1 - p)
            = p - p^2
            = 1/4 - (p - 1/2)^2
            <= 1/4
            < 1/2
            <= 1 - p + p^2/2
            = (1 - p)^2/2 + 1/2
            < 1 + (1 - p)^2
            = p^2 - 2*p + 2
            < 2
            < 2 + p
        """),
        chain("going down", ["x > 0", "y > 0"], """
            (x + y)^3
            = x^3 + 3*x^2*y + 3*x*y^2 + y^3
            >= x^3 + 3*x^2*y + y^3
            > x^3 + y^3
            = (x + y)*(x^2 - x*y + y^2)
            >= (x + y)*x*y
            = x^2*y + x*y^2
            > x^2*y
            > x^2*y - y
            = y*(x^2 - 1)
            >= y*(2*x - 2)
        """),
        chain("slack", ["0 < d < 1", "eps > 0"], """
            sqrt(2*eps^2*log(1/d))
            = eps*sqrt(2*log(1/d))
            <= eps*(1 + 2*log(1/d))/2
            = eps/2 - eps*log(d)
            < eps - eps*log(d)
            = eps*(1 - log(d))
            <= eps/d
            < 2*eps/d
            <= (1 + eps^2)/d
            = 1/d + eps^2/d
            < 2/d + eps^2/d
        """),
        chain("binomial sums", ["k >= 2", "eps > 0"], r"""
            \sum_{\ell=0}^{k} \binom{k}{\ell} e^{\varepsilon \ell}
            = (1 + e^{\varepsilon})^{k}
            < (1 + e^{\varepsilon})^{k} + k
            <= (1 + e^{\varepsilon})^{k} + \sum_{\ell=1}^{k} \ell
            = (1 + e^{\varepsilon})^{k} + \frac{k(k+1)}{2}
            <= (1 + e^{\varepsilon})^{k} + k^2
            < (1 + e^{\varepsilon})^{k} + k^3
            = k^3 + \sum_{\ell=0}^{k} \binom{k}{\ell} e^{\varepsilon \ell}
            < k^3 + 1 + \sum_{\ell=0}^{k} \binom{k}{\ell} e^{\varepsilon \ell}
            <= 2 k^3 + (1 + e^{\varepsilon})^{k}
            < 2 k^3 + (1 + e^{\varepsilon})^{k} + \sum_{\ell=1}^{k} \ell^2
        """, ("k",)),
    ]


# --- mutations ----------------------------------------------------------------------------------

_SWAPS = {sympy.exp: sympy.cosh, sympy.tanh: sympy.sinh, sympy.cosh: sympy.exp, sympy.sinh: sympy.tanh,
          sympy.log: lambda u: u - 1}
_OTHER: dict[Op, tuple[Op, ...]] = {
    "<=": (">=", "==", ">"), "<": (">", ">=", "=="), ">=": ("<=", "==", "<"), ">": ("<", "<=", "=="),
    "==": ("<", ">"),
}


def mutations(expr: Expr) -> Iterator[Expr]:
    """The expression with one place changed."""
    if isinstance(expr, Sum | Product):
        ((index, low, high),) = expr.limits
        yield from (expr.func(body, (index, low, high)) for body in mutations(expr.function))
        yield expr.func(expr.function, (index, low + 1, high))
        yield expr.func(expr.function, (index, low, high - 1))
        return
    if isinstance(expr, Rational):
        yield expr + 1
        if expr not in (0, 1, -1):
            yield expr / 2
            yield -expr
        return
    if isinstance(expr, Symbol):
        yield 2 * expr
        return
    if type(expr) in _SWAPS:
        yield _SWAPS[type(expr)](expr.args[0])
    if expr.is_Add and len(expr.args) > 1:
        for i, term in enumerate(expr.args):
            yield expr - 2 * term
            yield sympy.Add(*(t for j, t in enumerate(expr.args) if j != i))
    for i, argument in enumerate(expr.args):
        for other in mutations(argument):
            yield expr.func(*(other if j == i else a for j, a in enumerate(expr.args)))


@dataclass(frozen=True)
class Mutant:
    """A derivation with one line changed, and the number of the step that is wrong, if one is."""

    derivation: Derivation
    line: int  # counted from 1
    change: str
    wrong: int | None


def mutants(rng: random.Random) -> Iterator[Mutant]:
    """Mutants without end, evenly over the proofs and their lines."""
    originals = [(d, points(d, random.Random(1))) for d in proofs()]
    while True:
        derivation, sample = rng.choice(originals)
        steps = list(derivation.steps)
        place = rng.randrange(1, len(steps))
        step = steps[place]
        assert isinstance(step, Link)
        if rng.random() < 0.25:
            changed = replace(step, op=rng.choice(_OTHER[step.op]))
            change = f"{step.op} becomes {changed.op}"
        else:
            found = [e for e in dict.fromkeys(mutations(step.expr)) if e != step.expr
                     and not e.has(sympy.I, sympy.zoo, sympy.nan, sympy.oo)]
            changed = replace(step, expr=rng.choice(found))
            change = f"{step.expr} becomes {changed.expr}"
        steps[place] = changed
        held = [holds(steps, j, sample) for j in (place, place + 1) if j < len(steps)]
        if None in held:
            continue  # the sample cannot tell, or the mutant is not defined everywhere
        wrong = place + 1 if held[0] is False else place + 2 if False in held[1:] else None
        mutant = Derivation(derivation.title, derivation.where, derivation.integers, steps)
        yield Mutant(mutant, place + 1, change, wrong)


# --- the truth, by sampling -----------------------------------------------------------------------


def points(derivation: Derivation, rng: random.Random, count: int = 120) -> list[dict[Symbol, Rational]]:
    """Points of the domain, of all magnitudes."""
    domain = Domain.of(derivation.where, derivation.integers)
    choices = {v: [p for p in simple_points(i, v in domain.integers) if p <= 20]
               for v, i in domain.intervals.items()}
    return [{v: rng.choice(places) for v, places in choices.items()} for _ in range(count)]


def holds(steps: list[object], place: int, sample: list[dict[Symbol, Rational]]) -> bool | None:
    """Whether the step into that place holds at all points of the sample; None if that is unclear."""
    before, step = steps[place - 1], steps[place]
    assert isinstance(before, Start | Link)
    assert isinstance(step, Link)
    answer: bool | None = True
    with mpmath.workdps(DIGITS):
        for point in sample:
            values = [value(e, point) for e in (before.expr, step.expr)]
            if None in values:
                return None
            left, right = values
            size = (abs(left) + abs(right)) * mpmath.mpf(10) ** -(DIGITS - 50)
            close = abs(left - right) <= size + mpmath.mpf(10) ** -300
            fine = {"==": close, "<=": close or left < right, ">=": close or left > right,
                    "<": left < right and not close, ">": left > right and not close}[step.op]
            if not fine:
                answer = False
    return answer


def value(expr: Expr, point: dict[Symbol, Rational]) -> mpmath.mpf | None:
    here = written_out(insert(expr, dict(point)))
    try:
        return precise(here + Integer(0) * Symbol("x"), [])([])
    except (TypeError, ValueError):
        return None


# --- the campaign ---------------------------------------------------------------------------------


def outcome(mutant: Mutant, report: Report) -> str:
    """``found``, ``missed`` (nobody blamed), ``misplaced``, or for a harmless mutant ``quiet``."""
    blamed = [int(line.number) for line in report.lines if line.blamed]
    if mutant.wrong is None:
        # The sample saw nothing wrong; an exact witness beside the mutated line knows better.
        near = set(blamed) <= {mutant.line, mutant.line + 1}
        return "quiet" if not blamed else "found beyond the sample" if near else "misplaced"
    if not blamed:
        return "missed"
    return "found" if blamed == [mutant.wrong] else "misplaced"


def campaign(count: int, seed: int, budget: float) -> Counter[str]:
    tally: Counter[str] = Counter()
    wrong = 0
    for mutant in mutants(random.Random(seed)):
        begin = time.monotonic()
        report = mutant.derivation.check(budget=budget)
        said = outcome(mutant, report)
        tally[said] += 1
        wrong += mutant.wrong is not None
        if said in ("missed", "misplaced"):
            blamed = [line.number for line in report.lines if line.blamed]
            print(f"{said}: {mutant.derivation.title}, line {mutant.line}: {mutant.change}; "
                  f"wrong {mutant.wrong}, blamed {blamed}")
        print(f"{wrong}/{count} {said} {time.monotonic() - begin:.1f} s", file=sys.stderr)
        if wrong >= count:
            return tally
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="wrong mutants to make")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for each step")
    options = parser.parse_args()
    for derivation in proofs():
        report = derivation.check(budget=options.budget)
        standings = Counter(line.standing.value for line in report.lines)
        print(f"{derivation.title}: {report.standing.value}, {dict(standings)}, {report.seconds:.1f} s")
    tally = campaign(options.count, options.seed, options.budget)
    print(", ".join(f"{n} {what}" for what, n in sorted(tally.items())))


if __name__ == "__main__":
    main()
