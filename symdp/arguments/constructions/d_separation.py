r"""Which variables of a Bayesian network separate which, by Lauritzen's moral graph.

>>> separated([("a", "c"), ("b", "c")], {"a"}, {"b"}, set())
True
>>> separated([("a", "c"), ("b", "c")], {"a"}, {"b"}, {"c"})  # a common effect links its causes
False
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from symdp.arguments.constructions import Observation, construction

Edge = tuple[str, str]


def separated(edges: Iterable[Edge], one: set[str], other: set[str], by: set[str]) -> bool:
    """Whether every path between the two sets is blocked: in the moral graph of their ancestors."""
    edges = list(edges)
    parents: dict[str, set[str]] = {}
    for cause, effect in edges:
        parents.setdefault(effect, set()).add(cause)
        parents.setdefault(cause, set())
    kept, waiting = set(), [*one, *other, *by]
    while waiting:
        node = waiting.pop()
        if node not in kept:
            kept.add(node)
            waiting += parents.get(node, set())
    links: set[frozenset[str]] = set()
    for node in kept:
        links |= {frozenset((node, parent)) for parent in parents.get(node, set())}
        links |= {frozenset(pair) for pair in combinations(parents.get(node, set()), 2)}
    reached, waiting = set(), list(one - by)
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += [v for link in links if node in link for v in link if v not in by]
    return not reached & other


def experiment(k: int) -> list[Edge]:
    """The network of Figure 4: a letter depends on b; an answer on its letter, R and earlier answers.

    >>> experiment(1)
    [('b', 'X1'), ('R', 'Y1'), ('X1', 'Y1')]
    """
    edges = [("b", f"X{i}") for i in range(1, k + 1)]
    for i in range(1, k + 1):
        edges += [("R", f"Y{i}"), (f"X{i}", f"Y{i}"), *((f"Y{j}", f"Y{i}") for j in range(1, i))]
    return edges


@construction
def letters_separate(k: int, without: int | None = None) -> Observation:
    """Whether the letters X_1, ..., X_k d-separate b from the rest, if none or one is left out."""
    edges = experiment(k)
    letters = {f"X{i}" for i in range(1, k + 1) if i != without}
    rest = {node for edge in edges for node in edge} - letters - {"b"}
    good = separated(edges, {"b"}, rest, letters)
    verb = "d-separate" if good else "do not d-separate"
    return Observation(good, f"{', '.join(sorted(letters))} {verb} b from {', '.join(sorted(rest))}",
                   {"edges": len(edges)}, covers_all=without is None and k == 4,  # the network drawn
                   trust=frozenset({"exact arithmetic", "d-separation by moral graphs (Lauritzen)"}))
