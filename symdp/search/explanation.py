r"""A proof in words: one line for a table, and the whole of it as a person would write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symdp.formulas.parsing import to_text
from symdp.search.view.goals import RULES, Goal, Step

_Words = Callable[[Step], str]


def _monotone(step: Step) -> str:
    v = step.parameters["variable"]
    if step.parameters["end"] == "lower":
        return f"the gap grows with {v} from its lower end on"
    return f"the gap shrinks as {v} grows, down to its value at the upper end"


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
    "split": lambda s: f"cases at {s.parameters['variable']} = {to_text(s.parameters['at'])}",
    "weaken": lambda s: "a larger domain",
    "point": lambda s: f"the single value of {s.parameters['variable']}",
    "cases": lambda s: f"the cases of {to_text(s.parameters['node'])}",
    "every": lambda s: "each entry of the minimum or maximum",
    "some": lambda s: f"the entry {to_text(s.parameters['entry'])}",
    "substitute": lambda s: (
        f"the substitution {s.parameters['variable']} = {to_text(s.parameters['forward'])}"
    ),
    "cut": lambda s: f"the fact {s.parameters['fact']}",
    "transitivity": lambda s: f"through {to_text(s.parameters['middle'])}",
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
        f"the gap is least at {s.parameters['variable']} = {to_text(s.parameters['at'])}, where its "
        "slope changes sign"
    ),
    "concave": lambda s: f"the gap is least at an end of {s.parameters['variable']}",
}
_LEAVES = ("enclosure", "identity", "mean-value")


def phrase(step: Step) -> str:
    return _PHRASES[step.rule](step) if step.rule in _PHRASES else step.rule


def summary(step: Step) -> str:
    """The moves that carry the proof, in one line.

    >>> summary(Step("enclosure"))
    'one enclosure of both sides'
    """
    leaves = step.size()
    if step.rule == "paving":
        return phrase(step)
    if step.rule == "split" and all(s.rule in ("split", *_LEAVES) for s in walk(step)):
        return f"enclosures on {leaves} boxes"
    phrases = [
        phrase(s) for s in walk(step)
        if s.rule not in (*_LEAVES, "weaken", "assumption", "split", "infeasible")
    ]
    found = list(dict.fromkeys(phrases)) or [phrase(step)]
    text = "; ".join(found[:4]) + ("; ..." if len(found) > 4 else "")
    return f"{text} ({leaves} leaves)" if leaves > 6 else text


def walk(step: Step) -> Iterator[Step]:
    stack = [step]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.premises))


def explain(goal: Goal, step: Step, most: int = 60) -> list[str]:
    """The proof line by line, indented, each goal with the move that settles it."""
    lines: list[str] = []
    _explain(goal, step, 0, lines, most)
    if len(lines) >= most:
        lines.append(f"... and so on, {step.size()} leaves in all")
    return lines


def _explain(goal: Goal, step: Step, depth: int, lines: list[str], most: int) -> None:
    if len(lines) >= most:
        return
    # Asking the rule again gives the goals that it leaves open; nothing is verified here.
    lines.append(f"{'  ' * depth}{goal}")
    lines.append(f"{'  ' * depth}  because: {phrase(step)}")
    for premise, below in zip(RULES[step.rule](goal, step.parameters), step.premises, strict=True):
        _explain(premise, below, depth + 1, lines, most)
