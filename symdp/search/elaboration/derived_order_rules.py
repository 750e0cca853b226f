r"""Order relations by the limit of the ratio of the two sides, made of rules of the kernel.

If left/right is a ratio q, then $|left|\le|q|\,|right|$: a factor that has a limit wherever q has one. And along a
path $(|q|-1/t)\,|right|<|left|$. Both follow by algebra once it is said which terms are not negative. Nothing here
is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdp.kernel import proof as kernel
from symdp.kernel.goals import INTEGER, Goal, IllFormed, Relation
from symdp.kernel.proof import Parameters, Rejected, Step
from symdp.kernel.rules.logic import need_term
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    apply,
    fresh,
    mul,
    number,
    replace_part,
    substitute,
    subterms,
    variable,
)
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.limits import PLUS_INFINITY, limit
from symdp.kernel.values.ranges import Vacuous
from symdp.search.elaboration.derived_rules import Finish, derived, point

_TWO = number(2)
_LEAVES = (Step("assumption"), Step("enclosure"), Step("enclosure", {"gap": ZERO}))


def _order(goal: Goal) -> Order:
    claim = goal.claim.order if isinstance(goal.claim, Fails) else goal.claim
    if not isinstance(claim, Order):
        raise Rejected("the claim is no order relation")
    return claim


def _size(term: Term, places: Sequence[Goal]) -> Term:
    """The absolute value, without the bars where enclosures show the sign."""
    try:
        found = [range_on(term, place) for place in places]
    except ArithmeticError:
        return apply("abs", term)
    if all(r.is_nonnegative() for r in found):
        return term
    return -term if all(r.is_nonpositive() for r in found) else apply("abs", term)


@derived
def order_limit(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """The ratio of the two sides has a limit, for each value of the fixed variables."""
    order, ratio = _order(goal), need_term(parameters["ratio"])
    if len(order.moving) != 1:
        raise Rejected("a limit is taken in one variable")
    walk = {k: v for k, v in parameters.items() if k != "ratio"}
    count, quotient = 2 if order.kind == "Theta" else 1, order.left / order.right
    ((name, _),) = order.moving
    if not ratio.variables <= {name, *order.fixed}:
        raise Rejected(f"the ratio {ratio} depends on more than it may")
    whole = {**walk, "factors": [ZERO] * count}
    near = [g for g in kernel.RULES["order-bounded"](goal, whole) if _is_bound(g)][::count]
    factor = _size(ratio - ONE if order.kind == "~" else ratio, near)
    whole = {**walk, "factors": [factor, ONE / factor][:count]}
    needed = kernel.RULES["order-bounded"](goal, whole)
    others, bounds = needed[:len(needed) - count * len(near)], needed[len(needed) - count * len(near):]
    same = Relation(quotient, "==", ratio)

    def finish(steps: Sequence[Step]) -> Step:
        by_place = [s for s in steps[len(others):] for _ in range(count)]
        return Step("order-bounded", whole, (*steps[:len(others)], *(
            _by_ratio(g, same, s) for g, s in zip(bounds, by_place, strict=True))))

    return [*others, *(g.claiming(same) for g in bounds[::count])], finish


def _is_bound(goal: Goal) -> bool:
    """Whether it is one of the inequalities with a factor of 0."""
    r = goal.claim
    return isinstance(r, Relation) and r.op == "<=" and r.right.head == "*" and r.right.args[0] is ZERO


@derived
def departure_limit(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """Along a path the ratio of the two sides is defined and tends to what the order excludes."""
    order, ratio, start = _order(goal), need_term(parameters["ratio"]), parameters["start"]
    walk = {k: v for k, v in parameters.items() if k != "ratio"}
    t, largest = variable(parameters["parameter"]), kernel.RULES["departure-bounded"]
    if type(start) is not int or start < 1:
        raise Rejected("the path begins at 1 or later")
    if not ratio.variables <= {parameters["parameter"]}:
        raise Rejected(f"the ratio {ratio} depends on more than it may")
    there = largest(goal, {**walk, "growth": t if order.kind in ("O", "Theta") else ONE})[-1]
    reverse = order.kind == "Theta" and limit(ratio, str(t), PLUS_INFINITY, there) is not PLUS_INFINITY
    size = _size(ratio - ONE if order.kind == "~" else ratio, [there])
    growth = ONE / (size + ONE / t) if reverse else size - ONE / t
    whole = {**walk, "growth": growth, "reverse": reverse}
    *others, bound = largest(goal, whole)
    path = {n: parameters["path"][n] for n in dict(order.sorts)}
    left, right = Relation(order.left, "==", order.right).substitute(path).terms()
    same = Relation(left / right, "==", ratio)
    return [*others, there.claiming(same)], lambda steps: Step(
        "departure-bounded", whole, (*steps[:-1], _by_ratio(bound, same, steps[-1])))


@derived
def order_follow(goal: Goal, parameters: Parameters) -> tuple[list[Goal], Finish]:
    """A free variable that a hypothesis ties to a term in the others is replaced by it.

    The steps for what is left are made with the variable: on a path it goes where the term goes, and where an
    inequality is left open, it is replaced in that.
    """
    order, name = _order(goal), parameters["variable"]
    v, sorts = variable(name), dict(order.sorts)
    meaning = next((b for h in order.hypotheses if h.op == "==" for a, b in ((h.left, h.right), (h.right, h.left))
                    if a is v and name not in b.variables), None)
    if meaning is None or name in order.fixed or name in dict(order.moving):
        raise Rejected(f"{str(name)[:40]} is no free variable that follows others")
    if sorts[name] == INTEGER and not order.points.whole(meaning):
        raise Rejected(f"{meaning} was not seen to be an integer")
    values = {name: meaning}
    without = Order(substitute(order.left, values), order.kind, substitute(order.right, values), order.moving,
                    order.fixed, tuple((n, s) for n, s in order.sorts if n != name),
                    tuple(dict.fromkeys(h.substitute(values) for h in order.hypotheses)))

    def carried(current: Goal, step: Step) -> Step:
        given = dict(step.parameters)
        if "path" in given:
            given["path"] = {**given["path"], name: substitute(meaning, given["path"])}
        made, left_open = [], kernel.RULES[step.rule](current, given)
        if len(left_open) != len(step.premises):
            raise Rejected(f"{step.rule} leaves something else open where {name} is not replaced")
        for g, below in zip(left_open, step.premises, strict=True):
            if isinstance(g.claim, Order):
                made.append(carried(g, below))
            else:
                made.append(point(g, values_of)[1]([below]) if name in g.variables else below)
        return Step(step.rule, given, tuple(made))

    values_of = {"variable": name}
    return [goal.claiming(without)], lambda steps: carried(goal, steps[0])


def ratio_in(step: Step) -> Term | None:
    """The ratio of the two sides, if a step for an order, or for its failure, goes by that."""
    if step.rule not in ("order-bounded", "departure-bounded") or step.premises[-1].rule != "cut":
        return None
    fact = step.premises[-1].parameters["fact"]
    return fact.right if isinstance(fact, Relation) and fact.op == "==" and fact.left.head == "/" else None


def _by_ratio(goal: Goal, same: Relation, step: Step) -> Step:
    """An inequality between the two sides that has their ratio in its factor, with a step for what the ratio is."""
    (quotient, ratio), claim = same.terms(), goal.claim
    if not isinstance(claim, Relation):
        raise Rejected("the two sides are compared by no inequality")
    hole = fresh("ratio", goal.taken)
    # Only the factor was made from the ratio.
    product = claim.right if claim.op == "<=" else claim.left
    factor, *sizes = product.args
    factor = _with_hole(factor, ratio, variable(hole))
    changed = mul(factor, *sizes)
    form = Relation(claim.left, "<=", changed) if claim.op == "<=" else Relation(changed, "<", claim.right)
    known = goal.knowing(same)
    inner = known.claiming(form.substitute({hole: quotient}))
    exchange = Step("replace", {"name": hole, "form": form, "part": ratio, "by": quotient},
                    (Step("assumption"), _by_signs(inner, same)))
    return Step("cut", {"fact": same}, (step, exchange))


def _with_hole(factor: Term, ratio: Term, hole: Term) -> Term:
    """A factor that was made from the ratio, with a hole in the place of that."""
    if factor is ratio:
        return hole
    if factor.head in ("abs", "neg") or (factor.head == "/" and factor.args[0] is ONE):
        inner = _with_hole(factor.args[-1], ratio, hole)
        return ONE / inner if factor.head == "/" else apply(factor.head, inner)
    if factor.head in ("-", "+"):  # ratio - 1, size - 1/t, size + 1/t
        first, second = factor.args
        return apply(factor.head, _with_hole(first, ratio, hole), second)
    raise Rejected("the factor is not made from the ratio")


def _by_signs(goal: Goal, same: Relation) -> Step:
    """Each absolute value is one of two terms; then the gap is a product of terms that are not negative."""
    node = next((u for side in goal.claim.terms() for u in subterms(side) if u.head == "abs"), None)
    if node is not None:
        given = {"node": node}
        return Step("branches", given, tuple(_by_signs(g, same) for g in kernel.RULES["branches"](goal, given)))
    claim = goal.relation
    if claim.op == "<=":
        factor, *sizes = claim.right.args
        return _closed(goal, same, [[], [[_TWO, [[factor, 1, ">="], [mul(*sizes), 1, ">="]]]]])
    factor, *sizes = claim.left.args
    small = mul(*sizes)
    if factor.head == "/":  # 1/(q + 1/t), with the sides exchanged
        below = factor.args[1]
        return _closed(goal, same, [[[ONE, [[claim.right, 1, ">"], [below.args[1], 1, ">"], [below, -1, ">"]]]]])
    one = [ONE, [[factor.args[1], 1, ">"], [small, 1, ">"]]]
    return _closed(goal, same, [[one], [[_TWO, [[claim.right, 1, ">="]]], one]])


def _closed(goal: Goal, same: Relation, ways: Sequence[list[object]]) -> Step:
    """The first way to write the gap, as the rule ``combine`` has it, that is right.

    Where signs contradict each other no enclosure is made; then the last of them is left out.
    """
    if _is_vacuous(goal):
        fewer = goal.hypotheses[:-1]
        return Step("weaken", {"hypotheses": list(fewer)}, (_closed(goal.under(fewer), same, ways),))
    for terms in ways:
        parameters = {"terms": terms}
        try:
            needed = kernel.RULES["combine"](goal, parameters)
        except (Rejected, ArithmeticError):
            continue
        steps = [_leaf(g) or _leaf_after_exchange(g, same) for g in needed]
        if None not in steps:
            return Step("combine", parameters, tuple(s for s in steps if s is not None))
    return _leaf(goal) or Step("contradiction")


def _is_vacuous(goal: Goal) -> bool:
    try:
        range_on(goal.relation.gap, goal)
    except Vacuous:
        return True
    except ArithmeticError:
        return False
    return False


def _leaf(goal: Goal) -> Step | None:
    for step in _LEAVES:
        try:
            kernel.RULES[step.rule](goal, step.parameters)
        except (Rejected, IllFormed, ArithmeticError):
            continue
        return step
    return None


def _leaf_after_exchange(goal: Goal, same: Relation) -> Step | None:
    """Signs are seen of the ratio more often than of the quotient."""
    hole = fresh("ratio", goal.taken)
    form = goal.claim.map(lambda u: replace_part(u, same.left, variable(hole)))
    step = _leaf(goal.claiming(form.substitute({hole: same.right})))
    return step and Step("replace", {"name": hole, "form": form, "part": same.left, "by": same.right},
                         (Step("assumption"), step))
