r"""The rules of logic: hypotheses, cuts, cases, quantifiers, induction, equals for equals. **Trusted.**

A rule takes a goal and parameters and returns the goals that are left open: if those hold, the goal holds.
Read each as an inference from what it returns to what it was given.
"""

from collections.abc import Mapping
from typing import Any

from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, Relation
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.terms import ONE, Term, bound, fresh, instantiate, member, number, variable
from symdp.kernel.values.conditions import need_defined, need_same, same_gap, shown
from symdp.kernel.values.enclosure import is_empty

NEGATION = {"<=": (">",), "<": (">=",), ">=": ("<",), ">": ("<=",), "==": ("<", ">")}
#: A relation with this sign gives each of these.
GIVES = {"<=": {"<="}, "<": {"<", "<="}, "==": {"==", "<="}}


def need_fresh(name: Any, goal: Goal) -> str:
    Rejected.unless(isinstance(name, str) and name and (name not in goal.taken), f"{str(name)[:40]!r} is no new name")
    return str(name)


def need_term(value: Any) -> Term:
    if not isinstance(value, Term) or value.loose:
        raise Rejected("a parameter is no term, or refers to an index around it")
    return value


# --- hypotheses ---------------------------------------------------------------------------------


@rule()
def assumption(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The claim is one of the hypotheses, or a relation that says no more than one of them."""
    if goal.claim in goal.hypotheses:
        return []
    wanted, known = goal.relation, [h.normal for h in goal.hypotheses if isinstance(h, Relation)]
    known = [r for h in known for r in ((h, h.mirrored) if h.op == "==" else (h,)) if wanted.op in GIVES[r.op]]
    if any((r.left, r.right) == (wanted.left, wanted.right) for r in known):
        return []
    # What is left may be written differently; then the sides of the claim must be seen to be defined.
    need_defined((wanted.left, wanted.right), goal)
    if any(same_gap(r, wanted, goal) for r in known):
        return []
    raise Rejected("no hypothesis says this")


@rule()
def cut(goal: Goal, parameters: Parameters) -> list[Goal]:
    """First show a fact, then use it."""
    fact = parameters["fact"]
    Rejected.unless(isinstance(fact, Formula), "the fact is no formula")
    return [goal.claiming(fact), goal.knowing(fact)]


@rule()
def weaken(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Show it under fewer hypotheses, or wider bounds; for reals where integers would do.

    A hypothesis that is new must be seen, by an enclosure, to follow from the old ones. Facts stay facts
    only if no point has come in: if each old hypothesis follows from the new ones, and no integer became real.
    """
    hypotheses = tuple(parameters["hypotheses"])
    for h in hypotheses:
        if h not in goal.hypotheses and not (isinstance(h, Relation) and shown(h, goal)):
            raise Rejected(f"{h} was not seen to follow from the hypotheses")
    names = {str(v) for v in parameters.get("variables", goal.variables)}
    relaxed = {str(v) for v in parameters.get("real", ())}
    sorts = tuple((n, REAL if n in relaxed else s) for n, s in goal.sorts if n in names)
    kept = {str(f) for f in parameters.get("families", [n for n, _ in goal.families])}
    families = tuple((n, s) for n, s in goal.families if n in kept)
    weaker, facts = Goal(sorts, hypotheses, goal.claim, families), goal.facts & set(hypotheses)
    if facts and set(sorts) <= set(goal.sorts):
        assumed = weaker.under(tuple(h for h in hypotheses if h not in facts))
        old = (h for h in goal.hypotheses if h not in goal.facts and h not in assumed.hypotheses)
        if all(isinstance(h, Relation) and shown(h, assumed) for h in old):
            return [weaker.under(hypotheses, facts)]
    return [weaker]


@rule()
def contradiction(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Under the other hypotheses, one of them is defined and fails: there is no point to speak of."""
    if is_empty(goal):
        return []
    for place, h in enumerate(goal.hypotheses):
        if isinstance(h, Relation):
            rest = goal.under((*goal.hypotheses[:place], *goal.hypotheses[place + 1:]))
            if any(shown(Relation(h.left, op, h.right), rest) for op in NEGATION[h.op]):
                return []
    raise Rejected("every hypothesis may hold somewhere")


# --- cases --------------------------------------------------------------------------------------


@rule()
def cases(goal: Goal, parameters: Parameters) -> list[Goal]:
    """A relation between two terms that are defined holds, or its negation does."""
    r = parameters["relation"]
    if not isinstance(r, Relation):
        raise Rejected("a parameter is no relation")
    need_defined((r.left, r.right), goal)
    branches = [r, *(Relation(r.left, op, r.right) for op in NEGATION[r.op])]
    return [goal.claiming(goal.claim, branch) for branch in branches]


# --- quantifiers --------------------------------------------------------------------------------


@rule()
def each(goal: Goal, parameters: Parameters) -> list[Goal]:
    """What holds for every integer of a range, which has a meaning, is shown for one that is not further known."""
    claim, name = goal.claim, need_fresh(parameters["name"], goal)
    if not isinstance(claim, Each):
        raise Rejected("the claim does not speak of every integer")
    need_defined([t for t in (claim.low, claim.high) if t is not None], goal)
    i = variable(name)
    between = [Relation(claim.low, "<=", i)] if claim.low is not None else []
    between += [Relation(i, "<=", claim.high)] if claim.high is not None else []
    return [goal.with_variable(name, INTEGER).claiming(claim.at(i), *between)]


@rule()
def instance(goal: Goal, parameters: Parameters) -> list[Goal]:
    """What a hypothesis says of every integer of a range, it says of this one."""
    known, at = goal.hypotheses[int(parameters["hypothesis"])], need_term(parameters["at"])
    if not isinstance(known, Each) or not goal.whole(at):
        raise Rejected("that hypothesis does not speak of every integer, or this is none")
    need_defined([at], goal)
    premises = [goal.claiming(Relation(known.low, "<=", at))] if known.low is not None else []
    premises += [goal.claiming(Relation(at, "<=", known.high))] if known.high is not None else []
    return [*premises, goal.knowing(known.at(at))]


def applied(goal: Goal, known: Goal, parameters: Parameters) -> list[Goal]:
    """A goal that holds, at values for its variables and families: what it needs, then what it gives."""
    at: Mapping[str, Any] = parameters.get("at", {})
    bodies: Mapping[str, Any] = parameters.get("families", {})
    if set(at) != set(known.variables) or set(bodies) != {n for n, _ in known.families}:
        raise Rejected("values are given for other variables than it has")
    values = {name: need_term(at[name]) for name in at}
    for name, sort in known.sorts:
        if sort == INTEGER and not goal.whole(values[name]):
            raise Rejected(f"{values[name]} was not seen to be an integer")
    need_defined(values.values(), goal)
    for name, sort in known.families:
        _need_family(bodies[name], sort, goal)

    def here(formula: Formula) -> Formula:
        # Families first: what is put for variables may have members of families of the goal itself.
        taken = {*known.taken, *goal.taken}
        renamed = {n: fresh(f"{n}\0", taken) for n in bodies}
        for n, mark in renamed.items():
            formula = formula.substitute_family(n, member(mark, bound(0)))
        formula = formula.substitute(values)
        for n, mark in renamed.items():
            formula = formula.substitute_family(mark, bodies[n])
        return formula

    premises = [goal.claiming(here(h)) for h in known.hypotheses]
    return [*premises, goal.knowing(here(known.claim))]


def _need_family(body: Any, sort: str, goal: Goal) -> None:
    """A formula for a family has a value at every integer."""
    Rejected.unless(isinstance(body, Term) and body.loose <= 1, "a family is given by a term in one index")
    name = fresh("i", goal.taken)
    inside, at = goal.with_variable(name, INTEGER), instantiate(body, variable(name))
    need_defined([at], inside)
    if sort == INTEGER and not inside.whole(at):
        raise Rejected(f"{at} was not seen to be an integer")


@rule()
def claim(goal: Goal, parameters: Parameters) -> list[Goal]:
    """A claim that is proved elsewhere, by its id (:func:`symdp.kernel.proof.verify` looks it up)."""
    return applied(goal, parameters["goal"], parameters)


@rule()
def lemma(goal: Goal, parameters: Parameters) -> list[Goal]:
    """A lemma of the kernel's own library, proved when it is first used."""
    from symdp.kernel.lemmas import proved  # their proofs use these rules

    return applied(goal, proved(str(parameters["name"])).goal, parameters)


@rule()
def aside(goal: Goal, parameters: Parameters) -> list[Goal]:
    """A goal with variables of its own is shown first, then used at these values."""
    sorts, families = (tuple((str(n), str(s)) for n, s in parameters[key]) for key in ("sorts", "given"))
    hypotheses, claim = tuple(parameters["hypotheses"]), parameters["claim"]
    Rejected.unless(all(isinstance(f, Formula) for f in (*hypotheses, claim)), "what is aside is made of formulas")
    known = Goal(sorts, hypotheses, claim, families)
    return [known, *applied(goal, known, parameters)]


@rule()
def induction(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The claim for the first integer; and from each integer to the next.

    Hypotheses may mention the integer. Then the step is made where they hold of the next one, and they must
    follow for this one: each that an enclosure does not show is a premise, between the base and the step.
    """
    name, first = parameters["variable"], number(int(parameters["first"]))
    n = variable(name)
    if dict(goal.sorts).get(name) != INTEGER or not shown(Relation(first, "<=", n), goal):
        raise Rejected(f"{str(name)[:40]} was not seen to be an integer from {first} on")
    about = [h for h in goal.hypotheses if name in h.variables]
    rest = [h for h in goal.hypotheses if name not in h.variables]
    sorts = tuple((v, s) for v, s in goal.sorts if v != name)
    base = Goal(sorts, tuple(dict.fromkeys([*rest, *(h.substitute({name: first}) for h in about)])),
                goal.claim.substitute({name: first}), goal.families)
    following = {name: n + ONE}
    after = goal.under((*rest, Relation(first, "<=", n), *(h.substitute(following) for h in about)))
    missing = [h for h in about if not (isinstance(h, Relation) and (
        h.normal == Relation(first, "<=", n) or shown(h, after)))]
    step = after.claiming(goal.claim.substitute(following), goal.claim)
    return [base, *(after.claiming(h) for h in missing), step]


# --- names and equals ---------------------------------------------------------------------------


@rule()
def replace(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Equals for equals: ``form`` is the claim with a new variable at the places where the part is replaced."""
    name, form = need_fresh(parameters["name"], goal), parameters["form"]
    part, by = need_term(parameters["part"]), need_term(parameters["by"])
    Rejected.unless(isinstance(form, Formula) and form.substitute({name: part}) == goal.claim, "not of that form")
    return [goal.claiming(Relation(part, "==", by)), goal.claiming(form.substitute({name: by}))]


@rule()
def rewrite(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Other sides whose difference is the same by exact algebra."""
    old = goal.relation
    new = Relation(need_term(parameters["left"]), old.op, need_term(parameters["right"]))
    need_defined((old.left, old.right), goal)
    need_same(new.gap, old.gap, goal, parameters.get("positive", ()))
    return [goal.claiming(new)]


@rule()
def transitivity(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Through a term in the middle."""
    r, middle = goal.relation, need_term(parameters["middle"])
    first, second = r.op, r.op
    if r.op == "<":
        first, second = ("<", "<=") if parameters.get("strict_first", False) else ("<=", "<")
    return [goal.claiming(Relation(r.left, first, middle)), goal.claiming(Relation(middle, second, r.right))]


@rule()
def both(goal: Goal, parameters: Parameters) -> list[Goal]:
    """An equality from two inequalities."""
    r = goal.relation
    Rejected.unless(r.op == "==", "the claim is no equality")
    return [goal.claiming(Relation(r.left, "<=", r.right)), goal.claiming(Relation(r.right, "<=", r.left))]
