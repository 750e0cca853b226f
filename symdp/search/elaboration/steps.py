r"""From what the search found to a proof that the kernel accepts.

The search works on SymPy's view of a goal and proposes steps there. Here each of them becomes a step of the
kernel on terms: what SymPy computed on the way (a derivative, a gap in another form) is written into the
step, and the kernel sees for itself that it is what it should be. Nothing here is trusted.

>>> from symdp.numbers.domain import goal_of
>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> from symdp.search.view.goals import Move
>>> relation, domain = parse_relation("x^2 + 1 >= x"), Domain.of(parse_conditions("2 <= x <= 3"))
>>> proof = prove(goal_of(relation, domain), relation, domain, Move("enclosure"))
>>> print(proof.goal)
x^2 + 1 >= x for every real x with x >= 2, x <= 3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy
from sympy import Expr, Symbol, oo

from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm, formula_of, number_of, term_of
from symdp.kernel.goals import Formula, Goal, IllFormed
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.terms import ONE
from symdp.kernel.values.conditions import shown
from symdp.numbers.domain import Domain, Interval, hypotheses_of, sorts_of
from symdp.search.elaboration import increasing_functions
from symdp.search.elaboration.derived_rules import RULES as KERNEL_RULES
from symdp.search.elaboration.derived_rules import verify
from symdp.search.elaboration.minima import comparisons, each_entry, one_entry
from symdp.search.view.goals import RULES, Move, Target
from symdp.search.view.side_conditions import (
    derivative,
    inserted_into,
    need_defined,
    restrict,
    section,
)

Parameters = dict[str, Any]


class NotElaborated(Exception):
    """A step of the search has no counterpart in the kernel: z3 decided it, or a term is unknown there."""


def prove(target: Goal, relation: Relation, domain: Domain, proposal: Move) -> Proof:
    """The kernel's proof of a goal whose view on SymPy's side is that relation on that domain.

    Raises NotElaborated or Rejected.
    """
    reason: Exception = Rejected("there is no step")
    for step in forms_of(target, step_for(target, relation, domain, proposal)):
        try:
            return verify(target, step)
        except Rejected as why:
            reason = why
    raise reason


def forms_of(target: Goal, step: Step) -> Iterator[Step]:
    """The step, and the same with its changes of form where they apply."""
    yield step
    yield placed(target, step)


def placed(goal: Goal, step: Step) -> Step:
    """The same steps, with each change of form among those facts that show its sides to be defined, and where the
    kernel sees that there is no point, that."""
    try:
        step = _rewritten_where_defined(goal, step)
        premises = KERNEL_RULES[step.rule](goal, step.parameters)
    except (Rejected, IllFormed, ArithmeticError):
        # There may be no point to speak of; else the kernel will say what is wrong.
        return Step("contradiction") if _applies(goal, Step("contradiction")) else step
    if len(premises) != len(step.premises):
        return step
    return Step(step.rule, step.parameters, tuple(placed(g, s) for g, s in zip(premises, step.premises, strict=True)))


def _rewritten_where_defined(goal: Goal, step: Step) -> Step:
    """A rewriting among cuts and weakenings, which do not look at the claim, may stand anywhere among them."""
    goals, carriers, rewriting = [goal], [], None
    while step.rule in ("cut", "weaken") or (step.rule == "rewrite" and rewriting is None):
        if step.rule == "rewrite":
            if _applies(goals[-1], step):
                break
            rewriting = step
        else:
            goals.append(KERNEL_RULES[step.rule](goals[-1], step.parameters)[-1])
            carriers.append(step)
        step = step.premises[-1]
    if rewriting is not None:
        place = next((i for i, g in enumerate(goals) if _applies(g, rewriting)), len(carriers))
    for i in reversed(range(len(carriers) + 1)):
        if i < len(carriers):
            step = Step(carriers[i].rule, carriers[i].parameters, (*carriers[i].premises[:-1], step))
        if rewriting is not None and i == place:
            step = Step("rewrite", rewriting.parameters, (step,))
    return step


def _applies(goal: Goal, step: Step) -> bool:
    try:
        KERNEL_RULES[step.rule](goal, step.parameters)
    except (Rejected, ArithmeticError):
        return False
    return True


def step_for(target: Goal, relation: Relation, domain: Domain, proposal: Move) -> Step:
    try:
        view = Target.of(relation, domain)
        inner = elaborate(view, proposal)
        return _onto_view(target, view, inner)
    except NotATerm as reason:
        raise NotElaborated(str(reason)) from reason


def _onto_view(target: Goal, view: Target, inner: Step) -> Step:
    """The goal as it was written leads to its view: other hypotheses are shown, sides are rewritten."""
    claim = KernelRelation(term_of(view.left), view.op, term_of(view.right))
    wanted = hypotheses_of(view.domain)
    step = inner
    if target.claim != claim:
        step = Step("rewrite", {"left": claim.left, "right": claim.right}, (step,))
    if target.hypotheses != wanted or target.sorts != sorts_of(view.domain):
        kept = [str(v.name) for v in view.domain.variables]
        step = Step("weaken", {"hypotheses": list(wanted), "variables": kept, "families": []}, (step,))
    known = target
    cuts = []
    for h in wanted:
        if h not in known.hypotheses:
            leaf = "enclosure" if isinstance(h, KernelRelation) and shown(h, known) else "assumption"
            cuts.append((h, leaf))
            known = known.claiming(known.claim, h)
    for h, leaf in reversed(cuts):
        step = Step("cut", {"fact": h}, (Step(leaf), step))
    return step


# --- one rule after the other -------------------------------------------------------------------


def elaborate(goal: Target, proposal: Move) -> Step:
    """The kernel's step for a goal of the search, whose hypotheses are those of its domain."""
    made = _TRANSLATED.get(proposal.rule)
    if made is None:
        raise NotElaborated(f"the rule {proposal.rule} is the search's own")
    premises = RULES[proposal.rule](goal, proposal.parameters)
    inner = [elaborate(g, s) for g, s in zip(premises, proposal.premises, strict=True)]
    return made(goal, dict(proposal.parameters), premises, inner)


Made = Callable[[Target, Parameters, list[Target], list[Step]], Step]


def _as_stated(premise: Target, step: Step) -> Step:
    """A premise whose claim the kernel writes in its own way, brought to the form of the search."""
    return Step("rewrite", {"left": term_of(premise.left), "right": term_of(premise.right)}, (step,))


def _positive(parameters: Parameters, goal: Target) -> Parameters:
    known = [e for e in parameters.get("positive", ()) if e.free_symbols <= set(goal.domain.variables)]
    return {"positive": [term_of(e) for e in known]} if known else {}


def _bits(parameters: Parameters) -> Parameters:
    return {"bits": parameters["bits"]} if "bits" in parameters else {}


def _enclosure(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return Step("enclosure", {**_bits(parameters), "gap": term_of(goal.gap)})


def _identity(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return Step("identity", _positive(parameters, goal))


def _same_name(rule: str) -> Made:
    def made(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
        return Step(rule, {}, tuple(steps))

    return made


def _split(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    below, above = (_narrowed(g, s) for g, s in zip(premises, steps, strict=True))
    v, half = term_of(parameters["variable"]), premises[1].domain.intervals[parameters["variable"]]
    if half.lower == parameters["at"]:
        # The kernel says v > at; rounded enclosures would not see what the search says.
        fact = KernelRelation(v, ">" if half.lower_open else ">=", number_of(half.lower))
        above = Step("cut", {"fact": fact}, (Step("assumption"), above))
    return Step("cases", {"relation": KernelRelation(v, "<=", number_of(parameters["at"]))}, (below, above))


def _narrowed(premise: Target, step: Step) -> Step:
    """The hypotheses of a premise as the search writes them: bounds met with each other."""
    wanted = list(hypotheses_of(premise.domain))
    kept = [str(v.name) for v in premise.domain.variables]
    whole = {str(v.name) for v in premise.domain.integers}
    real = [n for n in kept if n not in whole]
    return Step("weaken", {"hypotheses": wanted, "variables": kept, "real": real}, (step,))


def _weaken(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return _narrowed(premises[0], steps[0])


def _point(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    inner = _narrowed_after_value(goal, parameters["variable"], premises[0], _as_stated(premises[0], steps[0]))
    return Step("point", {"variable": str(parameters["variable"])}, (inner,))


def _narrowed_after_value(goal: Target, v: Symbol, premise: Target, step: Step) -> Step:
    wanted = list(hypotheses_of(premise.domain))
    kept = [str(u.name) for u in premise.domain.variables]
    step = Step("weaken", {"hypotheses": wanted, "variables": kept}, (step,))
    # what a condition becomes with the value in it may be written in another way
    for h in reversed(wanted):
        if h not in hypotheses_of(goal.domain):
            step = Step("cut", {"fact": h}, (_from_hypotheses(h), step))
    return step


def _branches(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    node = parameters["node"]
    if isinstance(node, sympy.Abs):
        u = node.args[0]
        found = [[Relation(u, ">=", sympy.S.Zero)], [Relation(u, "<=", sympy.S.Zero)]]
    else:
        op = "<=" if isinstance(node, sympy.Min) else ">="
        found = [[Relation(a, op, b) for b in node.args if b != a] for a in node.args]  # type: ignore[arg-type]
    waiting = list(zip(premises, steps, strict=True))
    made: list[Step] = []
    for conditions in found:
        domain: Domain | None = goal.domain
        for c in conditions:
            if domain is not None and c.symbols:
                domain = restrict(domain, c)
        if domain is None:
            made.append(Step("contradiction"))
        else:
            premise, step = waiting.pop(0)
            made.append(_through_facts(goal, premise, _as_stated(premise, step)))
    return Step("branches", {"node": term_of(node)}, tuple(made))


def _from_hypotheses(h: Formula) -> Step:
    """What a hypothesis says in another form; two bounds make an equality."""
    leaf = Step("assumption")
    return Step("both", {}, (leaf, leaf)) if isinstance(h, KernelRelation) and h.op == "==" else leaf


def _through_facts(goal: Target, premise: Target, step: Step) -> Step:
    """What the search made of a further condition (a bound, say) is shown from it, then used."""
    before, wanted = set(hypotheses_of(goal.domain)), list(hypotheses_of(premise.domain))
    step = Step("weaken", {"hypotheses": wanted}, (step,))
    for h in reversed(wanted):
        if h not in before:
            step = Step("cut", {"fact": h}, (_from_hypotheses(h), step))
    return step


def _some(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return one_entry(_claim(goal), term_of(parameters["entry"]), *steps)


def _every(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    found = {_claim(p): s for p, s in zip(premises, steps, strict=True)}
    wanted = comparisons(_claim(goal))
    return each_entry(_claim(goal), [found.get(r, s) for r, s in zip(wanted, steps, strict=True)])


def _claim(goal: Target) -> KernelRelation:
    return KernelRelation(term_of(goal.left), goal.op, term_of(goal.right))


def _change(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    v, new, interval = parameters["variable"], parameters["new"], parameters["interval"]
    forward, inverse = parameters["forward"], parameters["inverse"]
    where = [formula_of(r) for r in Domain({new: interval}).relations()]
    if not premises:
        inner = Step("contradiction")
    else:
        premise = premises[0]
        moved = {formula_of(inserted_into(r, {v: forward})) for r in goal.domain.relations()}
        inner = _as_stated(premise, steps[0])
        wanted = list(hypotheses_of(premise.domain))
        given = tuple(h for h in wanted if h in where or h in moved)
        alone = Goal(sorts_of(premise.domain), given, KernelRelation(ONE, "<=", ONE))
        # What follows from the others is shown after them, so that it stays a fact.
        facts = [h for h in wanted if h not in given and isinstance(h, KernelRelation) and shown(h, alone)]
        for fact in reversed(facts):
            inner = Step("cut", {"fact": fact}, (Step("enclosure"), inner))
        wanted = [h for h in wanted if h not in facts]
        inner = Step("weaken", {"hypotheses": wanted, "variables": [str(u.name) for u in premise.domain.variables]},
                     (inner,))
        for h in reversed(wanted):
            if h not in given:
                inner = Step("cut", {"fact": h}, (_from_hypotheses(h), inner))
    return Step("change", {"variable": str(v), "new": str(new), "forward": term_of(forward),
                           "inverse": term_of(inverse), "where": where, **_positive(parameters, goal)}, (inner,))


def _cut(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    fact = parameters["fact"]
    return Step("cut", {"fact": KernelRelation(term_of(fact.left), fact.op, term_of(fact.right))},
                (steps[0], _narrowed(premises[1], steps[1])))


def _otherwise(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return Step("cases", {"relation": _claim(goal)}, (Step("assumption"), _narrowed(premises[0], steps[0])))


def _transitivity(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    return Step("transitivity", {"middle": term_of(parameters["middle"]),
                                 "strict_first": bool(parameters.get("strict_first", False))}, tuple(steps))


def _lemma(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    at = {str(v.name): term_of(e) for v, e in dict(parameters["at"]).items()}
    shown_here = [_as_stated(g, s) for g, s in zip(premises, steps, strict=True)]
    return Step("lemma", {"name": parameters["name"], "at": at}, (*shown_here, Step("assumption")))


def _combine(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    terms = [[number_of(c), [[term_of(e), int(n), sign] for e, n, sign in factors]]
             for c, factors in parameters["terms"]]
    return Step("combine", {"terms": terms, **_positive(parameters, goal)}, tuple(steps))


def _increasing(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    given: Parameters = {
        "function": parameters["function"], "lower": term_of(parameters["lower"]),
        "upper": term_of(parameters["upper"]), "images": [term_of(e) for e in parameters["images"]],
    }
    factor = term_of(sympy.sympify(parameters.get("factor", 1)))
    if factor is not ONE:
        given["factor"] = factor
    return increasing_functions.step(_claim(goal), {**given, **_positive(parameters, goal)}, steps)


def _slopes(goal: Target, v: Symbol) -> Parameters:
    return {"variable": str(v), "gap": term_of(goal.gap)}


def _monotone(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    v, end = parameters["variable"], parameters["end"]
    given = {**_slopes(goal, v), "end": end, "slope": term_of(derivative(goal.gap, v)),
             **({"strict_slope": True} if parameters.get("strict_slope") else {}), **_limits(goal, v, (end,))}
    return Step("monotone", given, (steps[0], *_at_ends(premises[1:], steps[1:])))


def _limits(goal: Target, v: Symbol, ends: tuple[str, ...]) -> Parameters:
    """At an open end where the gap has no value, its limit is asked for."""
    found = {}
    for end in ends:
        interval = goal.domain.intervals[v]
        at = interval.lower if end == "lower" else interval.upper
        is_open = interval.lower_open if end == "lower" else interval.upper_open
        if at not in (oo, -oo) and is_open and not _has_value(goal, v, at):
            found[f"limit_{end}"] = True
    return found


def _has_value(goal: Target, v: Symbol, at: Expr) -> bool:
    rest = section(goal.domain, v, at)
    try:
        need_defined([goal.gap], Domain({**rest.intervals, v: Interval(at, at)}, rest.integers,
                                        rest.conditions, rest.facts))
    except ArithmeticError:
        return False
    return True


def _at_ends(premises: list[Target], steps: list[Step]) -> list[Step]:
    return [_as_stated(g, s) for g, s in zip(premises, steps, strict=True)]


def _curved(goal: Target, parameters: Parameters) -> Parameters:
    """The slope as a weight times a core; the weight is 1 where the search names none."""
    v, weighted = parameters["variable"], _is_weighted(parameters)
    core = parameters["core"] if weighted else derivative(goal.gap, v)
    return {**_slopes(goal, v), "weight": term_of(parameters["weight"]) if weighted else ONE, "core": term_of(core),
            "bend": term_of(derivative(core, v)), **_positive(parameters, goal)}


def _is_weighted(parameters: Parameters) -> bool:
    return parameters.get("weight") is not None


def _convex(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    given = {**_curved(goal, parameters), "at": term_of(parameters["at"])}
    positive = steps[1] if _is_weighted(parameters) else Step("enclosure")
    return Step("convex", given, (steps[0], positive, _as_stated(premises[-1], steps[-1])))


def _concave(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    weighted = _is_weighted(parameters)
    given = {**_curved(goal, parameters), **({"strict_bend": True} if parameters.get("strict_bend") else {}),
             **_limits(goal, parameters["variable"], ("lower", "upper"))}
    positive, first = steps[1] if weighted else Step("enclosure"), 1 + weighted
    return Step("concave", given, (steps[0], positive, *_at_ends(premises[first:], steps[first:])))


def _paving(goal: Target, parameters: Parameters, premises: list[Target], steps: list[Step]) -> Step:
    order = parameters.get("along", goal.domain.variables)
    old, gap = [str(v.name) for v in order], term_of(goal.gap)
    new = [n for n in old if n in gap.variables]
    cuts = parameters.get("cuts", [-1])
    if any(c >= 0 and old[c] not in new for c in cuts):
        raise NotElaborated("a coordinate that does not occur is cut")
    slopes = [term_of(derivative(goal.gap, v)) for v in order if str(v.name) in new]
    return Step("paving", {**_bits(parameters), "gap": gap, "along": new, "slopes": slopes,
                           "cuts": [new.index(old[c]) if c >= 0 else c for c in cuts]})




_TRANSLATED: dict[str, Made] = {
    "enclosure": _enclosure, "infeasible": _same_name("contradiction"), "identity": _identity,
    "assumption": _same_name("assumption"), "split": _split, "weaken": _weaken, "point": _point,
    "cases": _branches, "every": _every, "some": _some, "substitute": _change, "cut": _cut,
    "otherwise": _otherwise, "transitivity": _transitivity, "lemma": _lemma, "combine": _combine,
    "increasing": _increasing, "monotone": _monotone, "convex": _convex, "concave": _concave,
    "mean-value": _paving, "paving": _paving,
}
