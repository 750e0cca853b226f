r"""The mechanism on graphs: sketch the Laplacian, answer cut queries; and its exact neighbours.

Weights lie in [0, 1]. Every pair of nodes gets $w/n + (1-w/n)\,w_{ij}$; the sketch is r normal vectors
whose covariance is the Laplacian of that graph. Drawing one number for each of the $n(n-1)/2$ pairs, as
the box says, is not needed: what the pairs share has the law of $\sqrt w (z - \bar z)$ with normal
z, and only the edges need a number of their own.

The samples are floating-point numbers from a seed, for experiments; the privacy of a pair of graphs is
computed exactly.

>>> triangle = Graph(4, {(0, 1): 1, (1, 2): 1, (0, 2): "1/2"})
>>> triangle.cut({0, 3})
Fraction(3, 2)
>>> triangle.effective_resistance(0, 1, w=2)  # at most 2/w
Fraction(25, 42)
>>> triangle.spread((2, 3), w=2)  # at most 1 + 2/w
Fraction(121, 84)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from symdp.numbers.quantity import BadQuantity, Quantity, count, quantity

Edge = tuple[int, int]
#: Systems with more unknowns than that are not solved in fractions.
MOST_NODES = 300


@dataclass(frozen=True)
class Graph:
    """n nodes, and weights between 0 and 1 for some pairs of them."""

    n: int
    weights: Mapping[Edge, Quantity]

    def __post_init__(self) -> None:
        count(self.n, "n", least=2)
        read: dict[Edge, Fraction] = {}
        for (i, j), value in self.weights.items():
            if not (0 <= i < self.n and 0 <= j < self.n) or i == j:
                raise BadQuantity(f"the edge {(i, j)} does not join two of the {self.n} nodes")
            edge = min(i, j), max(i, j)
            if edge in read:
                raise BadQuantity(f"the edge {edge} is given twice")
            weight = _rational(value, f"the weight of {edge}")
            if not 0 <= weight <= 1:
                raise BadQuantity(f"the weight of {edge} must lie in [0, 1], not {weight}")
            read[edge] = weight
        object.__setattr__(self, "weights", read)

    @classmethod
    def of_networkx(cls, graph: Any) -> Graph:
        """From a networkx graph; edges without a weight have weight one.

        >>> import networkx
        >>> Graph.of_networkx(networkx.path_graph(3)).weights
        {(0, 1): Fraction(1, 1), (1, 2): Fraction(1, 1)}
        """
        if graph.is_directed():
            raise BadQuantity("the graph must be undirected")
        at = {node: i for i, node in enumerate(graph.nodes)}
        return cls(len(at), {(at[a], at[b]): data.get("weight", 1)
                             for a, b, data in graph.edges(data=True)})

    def cut(self, side: Collection[int]) -> Fraction:
        """The weight of the edges between a set of nodes and the rest."""
        inside = self._side(side)
        return sum((_fraction(v) for (i, j), v in self.weights.items()
                    if (i in inside) != (j in inside)), Fraction(0))

    def _side(self, side: Collection[int]) -> set[int]:
        inside = set(side)
        if not inside or not inside < set(range(self.n)):
            raise BadQuantity(f"a cut has some but not all of the {self.n} nodes on a side, "
                              f"not {sorted(inside)[:8]}")
        return inside

    # --- privacy, exactly ---

    def reweighted(self, w: Quantity) -> dict[Edge, Fraction]:
        """Every pair of nodes with its weight in line 2 of the box."""
        share = self._share(w)
        return {(i, j): share + (1 - share) * _fraction(self.weights.get((i, j), 0))
                for i in range(self.n) for j in range(i + 1, self.n)}

    def _share(self, w: Quantity) -> Fraction:
        wide = _rational(w, "w")
        if not 0 < wide < self.n:
            raise BadQuantity(f"w must lie between 0 and the number n of nodes, {self.n}, not {wide}")
        return wide / self.n

    def effective_resistance(self, i: int, j: int, w: Quantity) -> Fraction:
        """Between two nodes of the reweighted graph; at most 2/w."""
        if self.n > MOST_NODES:
            raise BadQuantity(f"n must be at most {MOST_NODES} for an exact resistance, not {self.n}")
        kept = [node for node in range(self.n) if node != j]  # node j is earthed
        at = {node: row for row, node in enumerate(kept)}
        table = [[fmpq(0)] * len(kept) for _ in kept]
        for (a, b), weight in self.reweighted(w).items():
            value = fmpq(weight.numerator, weight.denominator)
            for one, other in ((a, b), (b, a)):
                if one in at:
                    table[at[one]][at[one]] += value
                    if other in at:
                        table[at[one]][at[other]] -= value
        current = fmpq_mat([[fmpq(int(node == i))] for node in kept])
        found = fmpq_mat(table).solve(current)[at[i], 0]
        return Fraction(int(found.p), int(found.q))

    def spread(self, edge: Edge, w: Quantity, change: Quantity | None = None) -> Fraction:
        """The variance ratio of a row between this graph and the one with that edge heavier.

        Without ``change``, the weight of the edge goes up to one.
        """
        i, j = min(edge), max(edge)
        room = 1 - _fraction(self.weights.get((i, j), 0))
        more = room if change is None else _rational(change, "change")
        if not 0 <= more <= room:
            raise BadQuantity(f"the weight of {(i, j)} can grow by at most {room}, not {more}")
        return 1 + (1 - self._share(w)) * more * self.effective_resistance(i, j, w)

    # --- sampling ---

    def sketch(self, w: float, rows: int, generator: Any) -> Any:
        """r rows of N E_G, as an array with one column for each node; in law as in the box."""
        import numpy as np  # noqa: PLC0415 - start-up: the literature imports this, and draws nothing

        if not 0 < w < self.n:
            raise BadQuantity(f"w must lie between 0 and the number n of nodes, {self.n}, not {w}")
        common = generator.standard_normal((rows, self.n))
        found = np.sqrt(w) * (common - common.mean(axis=1, keepdims=True))
        edges = np.array(list(self.weights), dtype=np.intp).reshape(-1, 2)
        scale = np.sqrt((1 - w / self.n) * np.array([float(_fraction(v)) for v in self.weights.values()]))
        for row in found:  # one at a time: there may be many edges
            own = generator.standard_normal(len(edges)) * scale
            row += np.bincount(edges[:, 0], own, self.n) - np.bincount(edges[:, 1], own, self.n)
        return found

    def sketch_by_pairs(self, w: float, rows: int, generator: Any) -> Any:
        """The same, drawn as the box says: one normal number for each pair of nodes."""
        import numpy as np  # noqa: PLC0415 - start-up: the literature imports this, and draws nothing

        pairs = [(i, j) for i in range(self.n) for j in range(i + 1, self.n)]
        weights = [w / self.n + (1 - w / self.n) * float(_fraction(self.weights.get(p, 0)))
                   for p in pairs]
        incidence = np.zeros((len(pairs), self.n))
        for row, ((i, j), weight) in enumerate(zip(pairs, weights, strict=True)):
            incidence[row, i], incidence[row, j] = np.sqrt(weight), -np.sqrt(weight)
        return generator.standard_normal((rows, len(pairs))) @ incidence


def answer(sketch: Any, side: Collection[int], w: float) -> float:
    """The cut that the sketch says: its energy, less what the added weight contributes."""
    rows, n = sketch.shape
    inside = sorted(set(side))
    energy = float((sketch[:, inside].sum(axis=1) ** 2).sum() / rows)
    return float((energy - w * len(inside) * (n - len(inside)) / n) / (1 - w / n))


def identity_answer(graph: Graph, side: Collection[int], w: Quantity, *, printed: bool) -> Fraction:
    """The answer if N were the identity, with the factor 1/r of line 4 (printed) or without it.

    >>> path = Graph(3, {(0, 1): 1, (1, 2): 1})
    >>> path.cut({0}), *(identity_answer(path, {0}, 1, printed=p) for p in (False, True))
    (Fraction(1, 1), Fraction(1, 1), Fraction(-1, 3))
    """
    share, inside, n = graph._share(w), graph._side(side), graph.n
    energy = sum((v for (i, j), v in graph.reweighted(w).items() if (i in inside) != (j in inside)),
                 Fraction(0))
    if printed:  # an identity matrix has as many rows as there are pairs
        energy /= n * (n - 1) // 2
    return (energy - share * len(inside) * (n - len(inside))) / (1 - share)


def sketch_matrix(matrix: Any, w: float, rows: int, generator: Any) -> Any:
    """Variance queries: r normal vectors with covariance A^T A + w^2."""
    return (generator.standard_normal((rows, matrix.shape[0])) @ matrix
            + w * generator.standard_normal((rows, matrix.shape[1])))


def variance_answer(sketch: Any, direction: Any, w: float) -> float:
    """The variance in a direction that the sketch says; it is off by at most eta (v + w^2)."""
    energy = float(((sketch @ direction) ** 2).sum() / sketch.shape[0])
    return energy - w**2 * float(direction @ direction)


def _rational(value: Any, name: str) -> Fraction:
    found = quantity(value, name)
    if not found.is_Rational:
        raise BadQuantity(f"{name} must be rational, not {found}")
    return Fraction(int(found.p), int(found.q))


def _fraction(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(value)
