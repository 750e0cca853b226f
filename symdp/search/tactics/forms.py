r"""Other forms of one goal: factored, in logarithms, with one term isolated, over an exponential.

A form is a step with one premise that carries the difficulty (``main``); the other premises are easy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Expr, Integer, Rational

from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.search.tactics.factoring import factored, multiplied_out
from symdp.search.tactics.sample_points import seems_nonnegative, seems_nonpositive, signs
from symdp.search.view.goals import Target, range_on

LARGEST = 250


@dataclass(frozen=True)
class Proposal:
    """A rule with its parameters, and what it costs to think about it."""

    rule: str
    parameters: dict[str, Any]
    cost: float = 0.0
    #: it only makes the goal easier: if it does not lead to a proof, nothing else is tried there
    commits: bool = False


@lru_cache(maxsize=4000)
def is_positive_on(expr: Expr, domain: Domain) -> bool:
    try:
        return range_on(expr, domain).is_positive()
    except (Undefined, Unsupported):
        return False


@lru_cache(maxsize=2000)
def known_positive(exprs: tuple[Expr, ...], domain: Domain) -> tuple[Expr, ...]:
    """What algebra may take for positive: variables, bases of powers, factors inside logarithms."""
    candidates: set[Expr] = set()
    for expr in exprs:
        candidates |= expr.free_symbols
        for part in sympy.preorder_traversal(expr):
            if isinstance(part, sympy.log):
                inside = part.args[0]
                candidates.add(inside)
                candidates |= {b for f in sympy.Mul.make_args(inside) for b in (f.as_base_exp()[0],)}
                candidates |= set(sympy.fraction(sympy.together(inside)))
            elif part.is_Pow and not part.exp.is_Integer:
                candidates |= {part.base, *sympy.Mul.make_args(part.base)}
    found = [c for c in candidates if not c.is_Number and is_positive_on(c, domain)]
    return tuple(sorted(found, key=sympy.default_sort_key))


def factor_forms(goal: Target) -> Iterator[Proposal]:
    """The gap as a product of factors of one sign each, as it stands or with more of them seen.

    Where roots and logarithms of products are taken apart, a condition that speaks of them whole is no
    longer recognised: so both ways are worth a try.
    """
    if goal.gap.count_ops() > LARGEST:
        return
    plain = factored(goal.gap)
    told = plain is not None and _tells(plain[1], goal.gap)
    if plain is not None and told:
        yield from _product_of_signs(goal, plain, ())
    if not told or _hides_factors(goal.gap):
        positive = known_positive((goal.left, goal.right), goal.domain)
        deeper = factored(goal.gap, positive)
        if deeper is not None and deeper != plain:
            yield from _product_of_signs(goal, deeper, positive)
        elif plain is not None and not told:
            yield from _product_of_signs(goal, plain, positive)


def _product_of_signs(
    goal: Target, result: tuple[Rational, list[tuple[Expr, int]]], positive: tuple[Expr, ...]
) -> Iterator[Proposal]:
    coefficient, factors = result
    if len(factors) == 1 and factors[0][1] == 1 and factors[0][0] in (goal.gap, -goal.gap):
        return
    signed = []
    for f, e in factors:
        if not f.free_symbols:
            if not is_positive_on(f, goal.domain):
                f = -f
                coefficient *= (-1) ** e
            signed.append((f, e, ">"))
            continue
        up, down = seems_nonnegative(f, goal.domain), seems_nonpositive(f, goal.domain)
        if not up and down:
            f = -f
            coefficient *= (-1) ** e
        elif not up and (e % 2 or e < 0):
            return
        strict = e < 0 or goal.strict or is_positive_on(f, goal.domain)
        needs_sign = bool(e % 2) or e < 0 or goal.strict
        signed.append((f, e, "" if not needs_sign else ">" if strict else ">="))
    if not signed or coefficient <= 0:
        return
    yield Proposal("combine", {"terms": [(coefficient, signed)], "positive": list(positive)})


def _tells(factors: list[tuple[Expr, int]], gap: Expr) -> bool:
    return len(factors) > 1 or (len(factors) == 1 and factors[0][1] != 1)


def _hides_factors(gap: Expr) -> bool:
    """A root or logarithm of a product: once its factors are known to be positive, some come out."""
    return any(
        part.args[0].is_Mul and len(part.free_symbols) > 1
        for part in gap.atoms(sympy.Pow, sympy.log)
        if isinstance(part, sympy.log) or not part.exp.is_Integer
    )


def log_of(expr: Expr) -> Expr:
    """The logarithm, written out over products, powers and exponentials."""
    if expr.is_Mul:
        return sympy.Add(*(log_of(a) for a in expr.args))
    if isinstance(expr, sympy.exp):
        return expr.args[0]
    if expr.is_Pow and expr.base is not sympy.E:
        return expr.exp * log_of(expr.base)
    return sympy.log(expr)


def sides(goal: Target) -> Iterator[tuple[Expr, Expr]]:
    """Pairs of positive expressions whose difference is the gap."""
    seen = set()
    terms = sympy.Add.make_args(goal.gap)
    spread = sympy.Add.make_args(multiplied_out(goal.gap)) if goal.gap.count_ops() < 80 else terms
    for pieces in (None, terms, spread):
        if pieces is None:
            lower, upper = goal.left, goal.right
        else:
            minus = [t for t in pieces if seems_nonpositive(t, goal.domain)]
            plus = [t for t in pieces if t not in minus]
            lower, upper = -sympy.Add(*minus), sympy.Add(*plus)
        if lower == 0 or upper == 0 or (lower, upper) in seen:
            continue
        seen.add((lower, upper))
        if is_positive_on(lower, goal.domain) and is_positive_on(upper, goal.domain):
            yield lower, upper


def unseen_positive(goal: Target) -> Iterator[Relation]:
    """Sums on a side that seem positive, although their enclosure does not show it."""
    if goal.op == "==":
        return
    for side in (goal.left, goal.right, -goal.gap + goal.right):
        if side.is_Add and side.free_symbols and not is_positive_on(side, goal.domain):
            found = signs(side, goal.domain)
            if found and all(s == 1 for s in found):
                yield Relation(side, ">", Integer(0))


def log_forms(goal: Target) -> Iterator[Proposal]:
    """Logarithms of both sides."""
    for lower, upper in sides(goal):
        if not any(s.has(sympy.exp, sympy.cosh, sympy.erfc) or s.is_Mul or s.is_Pow
                   for s in (lower, upper)):
            continue
        pairs = dict.fromkeys([(lower, upper), (_product(lower), _product(upper))])
        for low, high in pairs:
            positive = known_positive((low, high, sympy.log(low), sympy.log(high)), goal.domain)
            yield Proposal(
                "increasing",
                {
                    "function": "log",
                    "lower": lower,
                    "upper": upper,
                    "images": (log_of(low), log_of(high)),
                    "positive": list(positive),
                },
                cost=2,
            )


def _product(expr: Expr) -> Expr:
    """As a product where factoring finds one."""
    if not expr.is_Add or expr.count_ops() > 60:
        return expr
    result = factored(expr)
    if result is None or len(result[1]) < 2:
        return expr
    return sympy.Mul(result[0], *(f**e for f, e in result[1]))


def exp_forms(goal: Target, mixed: bool = False) -> Iterator[Proposal]:
    """Undo logarithms where the sides are sums of them with rational coefficients; ``mixed`` also
    where something else stands beside them."""
    images = [_exponential_of(side, mixed) for side in (goal.left, goal.right)]
    if None in images or not any(_logs_of(side) for side in (goal.left, goal.right)):
        return
    positive = known_positive((goal.left, goal.right), goal.domain)
    yield Proposal(
        "increasing",
        {"function": "exp", "lower": goal.left, "upper": goal.right, "images": tuple(images),
         "positive": list(positive)},
        cost=1,
    )


def _logs_of(side: Expr) -> list[Expr]:
    """The terms of a sum that are rational multiples of logarithms."""
    return [t for t in sympy.Add.make_args(side) if isinstance(t.as_coeff_Mul()[1], sympy.log)]


def _exponential_of(side: Expr, mixed: bool) -> Expr | None:
    """exp of a sum of logarithms and constants, without these logarithms; None for anything else."""
    product: Expr = Integer(1)
    for term in sympy.Add.make_args(side):
        coefficient, rest = term.as_coeff_Mul()
        if isinstance(rest, sympy.log):
            product *= rest.args[0] ** coefficient
        elif mixed or not term.free_symbols:
            product *= sympy.exp(term)
        else:
            return None
    return product


def root_forms(goal: Target) -> Iterator[Proposal]:
    """Square both sides when one of them is a single square root."""
    for lower, upper in sides(goal):
        if any(_is_root(s) for s in (lower, upper)):
            yield Proposal(
                "increasing",
                {"function": "square", "lower": lower, "upper": upper,
                 "images": (lower**2, upper**2)},
                cost=2,
            )


def _is_root(expr: Expr) -> bool:
    return any(f.is_Pow and f.exp == sympy.Rational(1, 2) for f in sympy.Mul.make_args(expr))


def isolated_forms(goal: Target) -> Iterator[Proposal]:
    """A term that occurs linearly, over its coefficient: A*T + B becomes T + B/A."""
    atoms = [a for a in goal.gap.atoms(sympy.Function, sympy.Pow)
             if a.free_symbols and not (a.is_Pow and a.exp.is_Integer)]
    expanded = multiplied_out(goal.gap) if goal.gap.count_ops() < 120 else goal.gap
    for atom in sorted(atoms, key=sympy.default_sort_key)[:8]:
        coefficient = expanded.coeff(atom, 1)
        rest = multiplied_out(expanded - coefficient * atom)
        if coefficient == 0 or rest == 0 or rest.has(atom) or coefficient.is_Rational:
            continue
        yield from _divided(goal, coefficient, multiplied_out(rest), atom)


def _divided(goal: Target, coefficient: Expr, rest: Expr, atom: Expr) -> Iterator[Proposal]:
    if seems_nonnegative(coefficient, goal.domain):
        factor, new = coefficient, atom + sympy.Add(*(t / coefficient for t in sympy.Add.make_args(rest)))
    elif seems_nonpositive(coefficient, goal.domain):
        factor, new = -coefficient, -atom - sympy.Add(
            *(t / coefficient for t in sympy.Add.make_args(rest))
        )
    else:
        return
    positive = known_positive((goal.left, goal.right, coefficient), goal.domain)
    yield Proposal(
        "combine",
        {"terms": [(Integer(1), [(factor, 1, ">"), (new, 1, ">" if goal.strict else ">=")])],
         "positive": list(positive)},
        cost=3,
    )


def exponential_forms(goal: Target) -> Iterator[Proposal]:
    """Divide by an exponential that occurs in a term."""
    expanded = sympy.powsimp(multiplied_out(goal.gap)) if goal.gap.count_ops() < 100 else goal.gap
    terms = sympy.Add.make_args(expanded)
    seen = set()
    for term in terms:
        for f in sympy.Mul.make_args(term):
            if isinstance(f, sympy.exp) and f not in seen and f.free_symbols:
                seen.add(f)
                new = sympy.Add(*(sympy.powsimp(t / f) for t in terms))
                yield Proposal(
                    "combine",
                    {"terms": [(Integer(1), [(f, 1, ">"), (new, 1, ">" if goal.strict else ">=")])]},
                    cost=4,
                )


def without_a_term(goal: Target) -> Iterator[Proposal]:
    """Leave a term out that only helps, where the rest seems to be enough."""
    terms = sympy.Add.make_args(goal.gap)
    if goal.op == "==" or not 3 <= len(terms) <= 6:
        return
    for term in terms:
        if not term.free_symbols or not seems_nonnegative(term, goal.domain):
            continue
        rest = goal.gap - term
        found = signs(rest, goal.domain)
        if found and all(s == 1 for s in found):
            sign = ">" if goal.strict else ">="
            yield Proposal(
                "combine",
                {"terms": [(Integer(1), [(term, 1, ">=")]), (Integer(1), [(rest, 1, sign)])]},
            )


def between_exponentials(goal: Target) -> bool:
    return bool(goal.left.has(sympy.exp) and goal.right.has(sympy.exp))


def all_forms(goal: Target) -> Iterator[Proposal]:
    if goal.op == "==":
        return
    yield from exp_forms(goal)
    yield from factor_forms(goal)
    yield from log_forms(goal)
    yield from root_forms(goal)
    yield from isolated_forms(goal)
    yield from exponential_forms(goal)
    yield from exp_forms(goal, mixed=True)
