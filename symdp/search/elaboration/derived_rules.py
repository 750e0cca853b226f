r"""Rules that the kernel does not have, made of those that it has.

A proposal may use a derived rule by its name as if it were one of the kernel's. Before the kernel sees a proposal,
:func:`expanded` writes the steps that the rule stands for in its place. Nothing here is trusted: if the
composition were wrong, the kernel would reject it.

>>> from symdp.kernel.goals import REAL, Relation
>>> x, y = variable("x"), variable("y")
>>> goal = Goal((("x", REAL), ("y", REAL)), (Relation(x, "==", y),), Relation(x * x, "<=", y * x))
>>> print(verify(goal, Step("point", {"variable": "x"}, (Step("identity"),))).goal)
x*x <= y*x for every real x, y with x == y
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence

from symdp.kernel import proof as kernel
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import Parameters, Proof, Rejected, Rule, Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.logic import need_fresh, need_term
from symdp.kernel.terms import ZERO, Term, bound, fresh, member, replace_part, substitute, variable
from symdp.kernel.values.conditions import need_real
from symdp.kernel.values.enclosure import need_defined

#: From steps for what a derived rule leaves open, the step that it stands for.
Finish = Callable[[Sequence[Step]], Step]
Derived = Callable[[Goal, Parameters], tuple[list[Goal], Finish]]
DERIVED: dict[str, Derived] = {}
_LEFT_OPEN: dict[str, Rule] = {}
#: What each rule, the kernel's or a derived one, leaves open.
RULES: Mapping[str, Rule] = ChainMap(_LEFT_OPEN, kernel.RULES)
_ASSUMED = Step("assumption")


def derived(made: Derived) -> Derived:
    """Register a derived rule under its name."""
    name = made.__name__.replace("_", "-")
    DERIVED[name] = made
    _LEFT_OPEN[name] = lambda goal, parameters: made(goal, parameters)[0]
    return made


# --- proposals --------------------------------------------------------------------------------------


def verify(goal: Goal, step: Step, claims: Mapping[str, Goal] | None = None) -> Proof:
    """The kernel's proof from a proposal that may use derived rules; Rejected with the reason."""
    return kernel.verify(goal, expanded(goal, step, claims), claims)


def followed(goal: Goal, step: Step, claims: Mapping[str, Goal] | None = None) -> None:
    """Rejected unless nothing is left open in the end."""
    kernel.followed(goal, expanded(goal, step, claims), claims)


def expanded(goal: Goal, step: Step, claims: Mapping[str, Goal] | None = None) -> Step:
    """The same in steps of the kernel."""
    marked = _with_derived_parts(step)

    def walk(current: Goal, s: Step) -> Step:
        if id(s) not in marked:
            return s
        parameters = s.parameters
        if s.rule == "claim" and claims and parameters.get("id") in claims:
            parameters = {**parameters, "goal": claims[parameters["id"]]}
        try:
            if s.rule in DERIVED:
                premises, finish = DERIVED[s.rule](current, parameters)
            else:
                premises = kernel.RULES[s.rule](current, parameters)
                finish = lambda steps: Step(s.rule, s.parameters, tuple(steps))  # noqa: E731
        except (ArithmeticError, IllFormed, KeyError, AttributeError, TypeError, ValueError, IndexError) as reason:
            raise Rejected(f"{s.rule}: {reason}") from reason
        if len(premises) != len(s.premises):
            raise Rejected(f"{s.rule} leaves {len(premises)} goals open, and {len(s.premises)} steps were given")
        return finish([walk(g, below) for g, below in zip(premises, s.premises, strict=True)])

    try:
        return walk(goal, step)
    except RecursionError as reason:
        raise Rejected("the steps are nested too deeply") from reason


def _with_derived_parts(step: Step) -> set[int]:
    """Which steps, by their identity, use a derived rule somewhere."""
    order, stack = [], [step]
    while stack:
        s = stack.pop()
        order.append(s)
        stack.extend(s.premises)
    marked: set[int] = set()
    for s in reversed(order):
        if s.rule in DERIVED or any(id(p) in marked for p in s.premises):
            marked.add(id(s))
    return marked


# --- what they are made of --------------------------------------------------------------------------


def _identity(positive: Sequence[Term] = ()) -> Step:
    return Step("enclosure", {"gap": ZERO, **({"positive": list(positive)} if positive else {})})


def _aside(known: Goal, at: Mapping[str, Term], shown: Step, needed: Sequence[Step], last: Step) -> Step:
    """A goal with the same families is shown first, then used at these values."""
    return Step("aside", {
        "sorts": [list(p) for p in known.sorts], "given": [list(p) for p in known.families],
        "hypotheses": list(known.hypotheses), "claim": known.claim,
        "at": {n: at.get(n, variable(n)) for n in known.variables},
        "families": {n: member(n, bound(0)) for n, _ in known.families},
    }, (shown, *needed, last))


def _exchanged(goal: Goal, formula: Formula, name: str, old: Term, new: Term, equal: Step, step: Step) -> Step:
    """For a formula with ``old`` in the place of a variable, from the same with ``new`` in its place."""
    if name not in formula.variables:
        return step
    hole = fresh("value", goal.taken)
    form = formula.substitute({name: variable(hole)})
    return Step("replace", {"name": hole, "form": form, "part": old, "by": new}, (equal, step))


# --- the rules --------------------------------------------------------------------------------------


@derived
def identity(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """Both sides are the same by the laws of algebra, of exp and log, and of finite sums: the gap is 0."""
    step = _identity(parameters.get("positive", ()))
    return kernel.RULES["enclosure"](goal, step.parameters), lambda _: step


@derived
def generalise(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """Show it for every number in the place of a term that has a value: aside, and then used at the terms."""
    claim, hypotheses, sorts = goal.claim, goal.hypotheses, list(goal.sorts)
    integers, at = {str(n) for n in parameters.get("integer", ())}, {}
    for part, name in parameters["parts"]:
        need_defined([need_term(part)], goal)
        if name in at:
            raise Rejected(f"{name!r} is no new name")
        at[need_fresh(name, goal)] = part
        sorts.append((name, INTEGER if name in integers else REAL))

        def put(t: Term, part: Term = part, name: str = name) -> Term:
            return replace_part(t, part, variable(name))

        claim, hypotheses = claim.map(put), tuple(h.map(put) for h in hypotheses)
    known = Goal(tuple(sorts), tuple(dict.fromkeys(hypotheses)), claim, goal.families)
    return [known], lambda steps: _aside(known, at, steps[0], [_ASSUMED] * len(known.hypotheses), _ASSUMED)


@derived
def point(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """A variable that the hypotheses tie to one value is replaced by it, and then there is no such variable."""
    name = parameters["variable"]
    if name not in goal.variables:
        raise Rejected(f"{str(name)[:40]} is no variable of the goal")
    value, equal = _value_of(name, goal)
    images = {h.substitute({name: value}): h for h in goal.hypotheses}
    known = Goal(tuple((n, s) for n, s in goal.sorts if n != name), tuple(images),
                 goal.claim.substitute({name: value}), goal.families)
    needed = [_ASSUMED if image in goal.hypotheses
              else _exchanged(goal, h, name, value, variable(name), equal, _ASSUMED) for image, h in images.items()]
    return [known], lambda steps: _exchanged(
        goal, goal.claim, name, variable(name), value, equal, _aside(known, {}, steps[0], needed, _ASSUMED))


def _value_of(name: str, goal: Goal) -> tuple[Term, Step]:
    """The only value that the hypotheses leave to a variable, and a step for their being equal."""
    v = variable(name)
    bounds: dict[Term, set[str]] = {}
    for h in goal.hypotheses:
        if isinstance(h, Relation):
            for r in (h, h.mirrored):
                if r.left is v and name not in r.right.variables and r.op in ("<=", ">=", "=="):
                    bounds.setdefault(r.right, set()).add(r.op)
    for value, ops in bounds.items():
        if "==" in ops:
            return value, _ASSUMED
        if {"<=", ">="} <= ops:
            return value, Step("both", {}, (_ASSUMED, _ASSUMED))
    raise Rejected(f"{name} may have more than one value")


@derived
def change(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """Write a variable as a function of a new one that reaches every value it has.

    ``inverse`` is the value of the new variable that belongs to a point; ``where`` is what is known of it, seen by
    enclosures or by the steps of ``shown``.
    """
    name, new = parameters["variable"], need_fresh(parameters["new"], goal)
    need_real(name, goal)
    forward, inverse = need_term(parameters["forward"]), need_term(parameters["inverse"])
    if name in forward.variables:
        raise Rejected("the old variable is a function of the new one")
    back, there = substitute(forward, {new: inverse}), {name: forward}
    same, where = _identity(parameters.get("positive", ())), list(parameters.get("where", ()))
    kernel.RULES["enclosure"](goal.claiming(Relation(back, "==", variable(name))), same.parameters)
    by = list(parameters.get("shown", [Step("enclosure")] * len(where)))
    for h, step in zip(where, by, strict=True):
        followed(goal.claiming(h.substitute({new: inverse})), step)
    images = {h.substitute(there): _exchanged(goal, h, name, back, variable(name), same, _ASSUMED)
              for h in goal.hypotheses} | dict(zip(where, by, strict=True))
    hypotheses = dict.fromkeys((*where, *images))
    known = Goal(tuple((new, REAL) if n == name else (n, s) for n, s in goal.sorts), tuple(hypotheses),
                 goal.claim.substitute(there), goal.families)
    last = _exchanged(goal, goal.claim, name, variable(name), back, same, _ASSUMED)
    return [known], lambda steps: _aside(known, {new: inverse}, steps[0], [images[h] for h in hypotheses], last)
