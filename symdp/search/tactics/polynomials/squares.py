r"""Squares of short sums as candidates for the terms of a representation. Nothing here is trusted.

Two monomials of the target around a third one suggest the square of a difference. Where those are not
enough, the prices of a linear program say which square would help most: it is an eigenvector of the
matrix of prices, rounded to simple fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from flint import fmpq

from symdp.search.tactics.polynomials.handelman import GivenUp, Known, Question
from symdp.search.tactics.polynomials.weights import Exponents, Poly, times

MOST_SQUARES = 300
LARGEST_BASIS = 15
MOST_WEIGHTS = 8
#: Denominators to which the entries of an eigenvector are rounded.
ROUNDINGS = (1, 2, 6, 60, 5040)


def square(question: Question, root: Poly, weight: Known) -> Known | None:
    """The square of a sum, times something of known sign."""
    try:
        poly = question.reduced(times(times(root, root), weight.poly))
    except GivenUp:
        return None
    return Known(((question.expression(root), 2, ""), *weight.factors), poly, False)


def simple_squares(question: Question, targets: Sequence[Known]) -> list[Known]:
    """common * (a - r b)^2 where a^2, b^2 and a b, times the common part, occur in the target."""
    found: dict[object, Known] = {}
    for t in targets[:6]:
        target = question.reduced(times(t.poly, question.target))
        support = list(target)
        for i, s1 in enumerate(support):
            for s2 in support[i + 1 :]:
                if any((a - b) % 2 for a, b in zip(s1, s2, strict=True)):
                    continue
                middle = tuple((a + b) // 2 for a, b in zip(s1, s2, strict=True))
                common = tuple(map(min, s1, s2))
                weight = question.monomial(common)
                if weight is None:
                    # an odd power of unknown sign may belong to both roots
                    common = tuple(c - c % 2 for c in common)
                    weight = question.monomial(common)
                    if weight is None or any((a - b) % 2 for a, b in zip(s1, common, strict=True)):
                        continue
                a, b = (
                    tuple((p - q) // 2 for p, q in zip(s, common, strict=True)) for s in (s1, s2)
                )
                for r in _ratios(target, s1, middle, s2):
                    key = (common, a, b, (int(r.p), int(r.q)))
                    if key not in found:
                        made = square(question, {a: fmpq(1), b: -r}, weight)
                        if made is not None:
                            found[key] = made
                if len(found) > MOST_SQUARES:
                    return list(found.values())
    return list(found.values())


def _ratios(target: Poly, s1: Exponents, middle: Exponents, s2: Exponents) -> Iterable[fmpq]:
    ratios = [fmpq(1), fmpq(-1)]
    c1, c, c2 = (target.get(m, fmpq(0)) for m in (s1, middle, s2))
    if c != 0:
        for r in ((-c / (2 * c1)), (-2 * c2 / c)):
            if r != 0:
                ratios.append(r)
    if c1 != 0 and c2 / c1 > 0:
        root = Fraction(float(c2 / c1) ** 0.5).limit_denominator(50)
        ratios += [fmpq(root.numerator, root.denominator), -fmpq(root.numerator, root.denominator)]
    seen = {(int(r.p), int(r.q)): r for r in ratios if r != 0}
    return seen.values()


def square_rows(question: Question) -> list[Exponents]:
    """The monomials of all squares that :func:`better_squares` may propose."""
    found: dict[Exponents, None] = {}
    basis = _basis(question)
    for weight in _weights(question):
        for i, a in enumerate(basis):
            for b in basis[: i + 1]:
                m = tuple(map(int.__add__, a, b))
                found.update(dict.fromkeys(question.reduced(times({m: fmpq(1)}, weight.poly))))
    return list(found)


def _weights(question: Question) -> list[Known]:
    """What a square may be multiplied with."""
    weights = [Known((), {question.one: fmpq(1)}, True)]
    for i, atom in enumerate(question.atoms):
        if atom.sign:
            made = question.monomial((*question.one[:i], 1, *question.one[i + 1 :]))
            if made is not None:
                weights.append(made)
    return [*weights, *question.known][:MOST_WEIGHTS]


def better_squares(question: Question, prices: Mapping[Exponents, float]) -> list[Known]:
    """Squares that the prices of a linear program ask for."""
    import numpy as np  # noqa: PLC0415 - start-up: a sixth of the prover's, and most proofs need none

    basis = _basis(question)
    size = len(basis)
    if size < 2:
        return []
    found: list[Known] = []
    for weight in _weights(question):
        matrix = np.zeros((size, size))
        for i in range(size):
            for j in range(i + 1):
                m = tuple(map(int.__add__, basis[i], basis[j]))
                poly = question.reduced(times({m: fmpq(1)}, weight.poly))
                matrix[i, j] = sum(float(c) * prices.get(place, 0.0) for place, c in poly.items())
                matrix[j, i] = matrix[i, j]
        values, vectors = np.linalg.eigh(matrix)
        for value, vector in zip(values[::-1][:2], vectors.T[::-1][:2], strict=True):
            if value <= 1e-7:
                continue
            for denominator in ROUNDINGS:
                root = _rounded(vector, denominator, basis)
                if len(root) > 1:
                    made = square(question, root, weight)
                    if made is not None:
                        found.append(made)
    return found


def _basis(question: Question) -> list[Exponents]:
    """Monomials whose squares lie between the monomials of the target."""
    support = list(question.target)
    highest = [max(m[i] for m in support) for i in range(len(question.one))]
    most = max(sum(m) for m in support)
    found: list[Exponents] = [()]
    for h in highest:
        found = [(*m, e) for m in found for e in range((h + 1) // 2 + 1)
                 if 2 * (sum(m) + e) <= most + 1]
        if len(found) > 2000:
            return []
    return sorted(found, key=sum)[:LARGEST_BASIS]


def _rounded(vector: Sequence[float], denominator: int, basis: Sequence[Exponents]) -> Poly:
    largest = max(vector, key=abs)
    root: Poly = {}
    for v, m in zip(vector, basis, strict=True):
        n = round(v / largest * denominator)
        if n:
            root[m] = fmpq(n, denominator)
    return root
