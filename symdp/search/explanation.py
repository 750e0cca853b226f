r"""A proof in words: one line for a table, and the whole of it as a person would write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symdp.kernel.proof import Rejected
from symdp.kernel.values.ranges import Undefined, Unsupported
from symdp.search.reasons import Piece, Reason
from symdp.search.view.goals import RULES, Move, Target

_Words = Callable[[Move], str | tuple[Piece, ...]]


def _monotone(step: Move) -> tuple[Piece, ...]:
    v = step.parameters["variable"]
    if step.parameters["end"] == "lower":
        return "the gap grows with ", v, " from its lower end on"
    return "the gap shrinks as ", v, " grows, down to its value at the upper end"


#: What a step does, as a phrase; nothing for steps that only prepare others.
_PHRASES: dict[str, _Words] = {
    "enclosure": lambda s: "one enclosure of both sides",
    "mean-value": lambda s: "a mean-value enclosure",
    "paving": lambda s: f"enclosures on {s.size()} boxes",
    "identity": lambda s: "both sides are the same by algebra",
    "algebraic": lambda s: (
        "algebra, with " + " and ".join(dict.fromkeys(name for name, _ in s.parameters["facts"]))
        if s.parameters.get("facts")
        else "algebra"
    ),
    "assumption": lambda s: "it is a condition of the domain",
    "infeasible": lambda s: "the domain has no point there",
    "split": lambda s: ("cases at ", {s.parameters["variable"]: s.parameters["at"]}),
    "weaken": lambda s: "a larger domain",
    "point": lambda s: ("the single value of ", s.parameters["variable"]),
    "cases": lambda s: ("the cases of ", s.parameters["node"]),
    "every": lambda s: "each entry of the minimum or maximum",
    "some": lambda s: ("the entry ", s.parameters["entry"]),
    "substitute": lambda s: ("the substitution ", {s.parameters["variable"]: s.parameters["forward"]}),
    "cut": lambda s: ("the fact ", s.parameters["fact"]),
    "transitivity": lambda s: ("through ", s.parameters["middle"]),
    "lemma": lambda s: f"the lemma {s.parameters['name']}",
    "otherwise": lambda s: "by contradiction",
    "combine": lambda s: "factors of known sign",
    "increasing": lambda s: {
        "log": "logarithms of both sides",
        "exp": "exponentials of both sides",
        "square": "squares of both sides",
        "sqrt": "roots of both sides",
    }[s.parameters["function"]],
    "monotone": _monotone,
    "convex": lambda s: (
        "the gap is least at ", {s.parameters["variable"]: s.parameters["at"]}, ", where its slope changes sign"),
    "concave": lambda s: ("the gap is least at an end of ", s.parameters["variable"]),
}
_LEAVES = ("enclosure", "identity", "mean-value")


def phrase(step: Move) -> Reason:
    found = _PHRASES[step.rule](step) if step.rule in _PHRASES else step.rule
    return Reason.of(found) if isinstance(found, str) else Reason.of(*found)


def summary(step: Move) -> Reason:
    """The moves that carry the proof, in one line.

    >>> summary(Move("enclosure"))
    'one enclosure of both sides'
    """
    leaves = step.size()
    if step.rule == "paving":
        return phrase(step)
    if step.rule == "split" and all(s.rule in ("split", *_LEAVES) for s in walk(step)):
        return Reason.of(f"enclosures on {leaves} boxes")
    phrases = [
        phrase(s) for s in walk(step)
        if s.rule not in (*_LEAVES, "weaken", "assumption", "split", "infeasible")
    ]
    found = list(dict.fromkeys(phrases)) or [phrase(step)]
    said = Reason.joined([*found[:4], *(["..."] if len(found) > 4 else [])])
    return Reason((*said.phrases[:-1], (*said.phrases[-1], f" ({leaves} leaves)"))) if leaves > 6 else said


def walk(step: Move) -> Iterator[Move]:
    stack = [step]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.premises))


def explain(goal: Target, step: Move, most: int = 60) -> list[str]:
    """The proof line by line, indented, each goal with the move that settles it."""
    lines: list[str] = []
    _explain(goal, step, 0, lines, most)
    if len(lines) >= most:
        lines.append(f"... and so on, {step.size()} leaves in all")
    return lines


def _explain(goal: Target, step: Move, depth: int, lines: list[str], most: int) -> None:
    if len(lines) >= most:
        return
    lines.append(f"{'  ' * depth}{goal}")
    lines.append(f"{'  ' * depth}  because: {phrase(step)}")
    # Asking the rule again gives the goals that it leaves open; nothing is verified here. SymPy's view may not see
    # what the kernel saw when it accepted the proof, and then only the certificate has the rest.
    try:
        premises = RULES[step.rule](goal, step.parameters)
    except (Rejected, Undefined, Unsupported):
        lines.append(f"{'  ' * depth}  (its {step.size()} leaves are in the certificate)")
        return
    for premise, below in zip(premises, step.premises, strict=True):
        _explain(premise, below, depth + 1, lines, most)
