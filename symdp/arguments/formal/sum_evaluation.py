r"""Sums and products in a goal, brought into closed form or told apart, by laws that the kernel checks.

Nothing is trusted: what comes out is a step, and the kernel verifies it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, Self

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Product, Sum, Symbol, binomial

from symdp.arguments.formal.plain_goals import (
    Unproved,
    leaf,
    premises_of,
)
from symdp.arguments.sums.laws import _closed_form, _flattened, _ratio, _separated, hinted
from symdp.formulas.notation import symbol
from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Formula, Goal, Relation
from symdp.kernel.proof import Parameters, Step
from symdp.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    close,
    fresh,
    instantiate,
    replace_part,
    subterms,
    variable,
)
from symdp.search.memories import memory
from symdp.sources.derivations.expressions import insert, variables_of

#: How deep a condition of a law may lead to further laws.
DEEPEST = 6


def is_coefficient(term: Term) -> bool:
    """A binomial coefficient with a variable below."""
    return term.head == "binomial" and term.args[1].head != "number"


def is_atom(term: Term) -> bool:
    return term.head in BINDERS or term.head == "member" or is_coefficient(term)


def atoms_of(*terms: Term) -> list[Term]:
    """The sums, products, members and coefficients that no other is around, each once."""
    found: dict[Term, None] = {}

    def walk(t: Term) -> None:
        if is_atom(t):
            found.setdefault(t)
            return
        for a in t.args:
            walk(a)

    for t in terms:
        walk(t)
    return list(found)


def relations_in(formulas: Iterable[Formula]) -> list[Relation]:
    return [f for f in formulas if isinstance(f, Relation)]


@dataclass
class OpenGoal:
    """A goal on its way: rules that leave one goal open beside their conditions, one after the other."""

    prover: SumEvaluation
    goal: Goal
    #: what conditions are shown from: the hypotheses at the beginning
    base: tuple[Formula, ...]
    frames: list[tuple[str, Parameters, tuple[Step, ...]]] = field(default_factory=list)

    def step(self, rule: str, parameters: Parameters, *, patient: bool = False) -> Formula | None:
        """Go through a rule; what it adds to the hypotheses is returned."""
        *conditions, rest = premises_of(self.goal, rule, parameters)
        proofs = tuple(self.prover.under(c, self.base, patient=patient) for c in conditions)
        self.frames.append((rule, parameters, proofs))
        before, self.goal = self.goal, rest
        new = [h for h in rest.hypotheses if h not in before.hypotheses]
        return new[0] if new else None

    def law(self, name: str, *, patient: bool = False, **parameters: Any) -> Relation | None:
        found = self.step("sum-law", {"name": name, **parameters}, patient=patient)
        return found if isinstance(found, Relation) else None

    def attempt(self, name: str, *, patient: bool = False, **parameters: Any) -> Relation | None:
        """A law, if its conditions are proved."""
        try:
            return self.law(name, patient=patient, **parameters)
        except Unproved:
            return None

    def lemma(self, name: str, **at: Term) -> bool:
        """A lemma of the kernel's library, if it is seen to apply."""
        try:
            self.step("lemma", {"name": name, "at": at})
        except Unproved:
            return False
        return True

    def put(self, old: Term, new: Term) -> None:
        """Equals for equals everywhere, by a hypothesis ``old == new``."""
        name = fresh("value_1", self.goal.taken)
        self.step("generalise", {"parts": [[old, name]]})
        self.step("point", {"variable": name})

    def closed(self, last: Step) -> Step:
        for rule, parameters, proofs in reversed(self.frames):
            last = Step(rule, parameters, (*proofs, last))
        return last


@dataclass(frozen=True)
class _Failure:
    """With which budget, and how deep in conditions of laws, nothing was found."""

    budget: float
    depth: int
    reason: str


#: goal -> the step that shows it, or why there is none
_FOUND = memory()


@dataclass
class SumEvaluation(ABC):
    """What is found is remembered; the laws by which sums are evaluated, and told to be the same."""

    budget: float = 5.0
    depth: int = 0

    def prove(self, goal: Goal) -> Step:
        """A step for the goal, or Unproved."""
        found: Step | _Failure | None = _FOUND.get(goal)
        if isinstance(found, Step):
            return found
        if found is not None and found.budget >= self.budget and found.depth <= self.depth:
            raise Unproved(found.reason)
        try:
            step = self._prove(goal)
        except (Unproved, NotATerm, OverflowError, RecursionError) as reason:
            text = str(reason) if isinstance(reason, Unproved) else f"{type(reason).__name__}: {reason}"
            _FOUND[goal] = _Failure(self.budget, self.depth, text)
            raise Unproved(text) from reason
        _FOUND[goal] = step
        return step

    @abstractmethod
    def _prove(self, goal: Goal) -> Step:
        """A step for the goal, which was not tried before; or Unproved."""

    def hurried(self, most: float) -> Self:
        return replace(self, budget=min(self.budget, most), depth=self.depth + 1)

    def under(self, goal: Goal, hypotheses: Sequence[Formula], *, patient: bool = False) -> Step:
        """A step that uses these of the hypotheses only."""
        if self.depth >= DEEPEST:
            raise Unproved("laws of sums lead on and on")
        kept = [h for h in hypotheses if h in goal.hypotheses]
        inner = self.hurried(self.budget if patient else 2.0).prove(goal.under(tuple(kept)))
        return inner if len(kept) == len(goal.hypotheses) else Step("weaken", {"hypotheses": kept}, (inner,))

    def proves(self, goal: Goal, claim: Formula, hypotheses: Sequence[Formula]) -> bool:
        try:
            self.under(goal.claiming(claim), hypotheses)
        except Unproved:
            return False
        return True

    def aligned(self, ctx: OpenGoal, one: Term, other: Term, op: str, reverse: bool, *,
                patient: bool = False) -> Relation | None:
        low, high, body = one.args
        if one.head != other.head or not same_length(one, other):
            return None
        return ctx.attempt("termwise", patient=patient, head=one.head, low=low, high=high, body=body, op=op,
                           other=list(other.args), reverse=reverse)

    def normalise(self, ctx: OpenGoal) -> None:
        """Atoms as SymPy writes them, so that a[n + 1 - 1] and a[n] are one."""
        relations = [ctx.goal.relation, *relations_in(ctx.goal.hypotheses)]
        for a in atoms_of(*(s for r in relations for s in r.terms())):
            tidy = term_of(expr_of(a))
            if tidy is a:
                continue
            same = Relation(a, "==", tidy)
            frames, goal = list(ctx.frames), ctx.goal
            try:
                if leaf(ctx.goal.claiming(same), "identity") is None:
                    continue
                ctx.step("cut", {"fact": same})
                ctx.put(a, tidy)
            except Unproved:
                ctx.frames, ctx.goal = frames, goal

    def evaluate_one(self, ctx: OpenGoal) -> bool:
        """One law that takes a sum or product of the claim or of a premise apart."""
        relations = [ctx.goal.relation, *(h for h in relations_in(ctx.goal.hypotheses))]
        for r in relations:
            for side in r.terms():
                for t in subterms(side):
                    if t.head == "log" and t.args[0].head == "product" and not t.loose:
                        low, high, body = t.args[0].args
                        found = ctx.attempt("log-of-product", low=low, high=high, body=body)
                        if found is not None:
                            ctx.put(found.left, found.right)
                            return True
        seen: dict[Term, None] = {}
        for r in relations:
            for a in atoms_of(r.left, r.right):
                if a.head in BINDERS and not a.loose:
                    seen.setdefault(a)
        for a in seen:
            frames, goal = list(ctx.frames), ctx.goal
            try:
                found = self.apart(ctx, a)
                if found is not None:
                    ctx.put(found.left, found.right)
                    return True
            except Unproved:
                pass
            ctx.frames, ctx.goal = frames, goal
        return False

    def apart(self, ctx: OpenGoal, a: Term) -> Relation | None:
        """An equality for a sum or product by one law (or a few), or None."""
        low, high, body = a.args
        span: dict[str, Any] = {"low": low, "high": high, "body": body}
        if low.head == high.head == "number" and high.value - low.value < 100:
            return ctx.attempt("written-out", head=a.head, **span)
        name = fresh(a.hint or "i", ctx.goal.taken | a.variables)
        inside = self.simpler_inside(ctx, a, name)
        if inside is not None:
            return inside
        if not body.loose:
            return ctx.attempt("constant", head=a.head, low=low, high=high, value=body)
        view = expr_of(instantiate(body, variable(name)))
        index = symbol(name)
        if a.head == "product":
            return self.product_apart(ctx, a, view, index)
        flat = hinted(lambda: _flattened(view)) or view
        parts = [_separated(part, index) for part in Add.make_args(flat)]
        if len(parts) == 1:
            (outer, inner), = parts
            found = self.closed_form(ctx, a, view, index)
            if found is not None or outer == 1:
                return found
        given: list[list[Term | None]] = []
        for outer, inner in parts:
            body_ = close(term_of(inner), name)
            given.append([None if outer == 1 else term_of(outer), body_])
        if len(given) == 1 and given[0] == [None, body]:
            return None
        return ctx.attempt("combination", low=low, high=high, op="==", left=body, parts=given)

    def simpler_inside(self, ctx: OpenGoal, a: Term, name: str) -> Relation | None:
        """The same sum with the sums in its terms evaluated."""
        low, high, body = a.args
        here = instantiate(body, variable(name))
        inner = [t for t in atoms_of(here) if t.head in BINDERS]
        if not inner:
            return None
        goal = ctx.goal.with_variable(name, "integer")
        between = (Relation(low, "<=", variable(name)), Relation(variable(name), "<=", high))
        goal = goal.claiming(Relation(here, "==", here), *between)
        goal = goal.under((*(h for h in ctx.base if h in goal.hypotheses), *between))
        trial = OpenGoal(self.hurried(2.0), goal, goal.hypotheses)
        changed = False
        for _ in range(6):
            if not self.evaluate_one(trial):
                break
            changed = True
        if not changed:
            return None
        result = trial.goal.relation.right
        if not result.variables <= {*ctx.goal.variables, name}:
            return None
        return ctx.attempt("termwise", head=a.head, low=low, high=high, body=body, op="==",
                           other=[low, high, close(result, name)], reverse=False)

    def closed_form(self, ctx: OpenGoal, a: Term, view: Expr, index: Symbol) -> Relation | None:
        """The binomial theorem, or a closed form that telescopes."""
        low, high, body = a.args
        if view.has(Sum, Product, Indexed):
            return None
        top = expr_of(high)
        chosen = [f for f in Mul.make_args(view) if f == binomial(top, index)]
        if chosen and low is ZERO:
            return self.binomial_sum(ctx, a, Mul(*(f for f in Mul.make_args(view) if f != chosen[0])), index)
        if view.has(binomial):
            return None
        outer, inner = _separated(view, index)
        candidates: list[Expr | None] = [hinted(lambda: _closed_form(inner, index, expr_of(low)))]
        candidates[0] = None if candidates[0] is None else outer * candidates[0]

        def difference() -> Expr | None:
            ratio = _ratio(inner, index)
            if ratio is None or ratio == 1:
                return None
            scale = sympy.cancel(outer / (ratio - 1))
            return scale * insert(inner, {index: index + 1}) if sympy.denom(scale).is_Number else None

        if outer != 1:
            candidates.append(hinted(difference))
        for closed in candidates:
            if closed is None or closed.has(Sum, Product):
                continue
            found = ctx.attempt("telescope", low=low, high=high, body=body, op="==",
                                closed=close(term_of(closed), str(index.name)))
            if found is not None:
                return found
        return None

    def binomial_sum(self, ctx: OpenGoal, a: Term, rest: Expr, index: Symbol) -> Relation | None:
        """Σ C(n,l) g(l) with g(l) = c x^l y^(n-l)."""
        low, high, body = a.args
        n = expr_of(high)
        for scale, x, y in _powers(rest, index, n):
            left, right = term_of(x), term_of(y)
            frames, goal = list(ctx.frames), ctx.goal
            theorem = ctx.attempt("binomial-theorem", exponent=high, x=left, y=right)
            if theorem is not None:
                found = ctx.attempt("combination", low=low, high=high, op="==", left=body,
                                    parts=[[None if scale == 1 else term_of(scale), theorem.right.args[2]]])
                if found is not None:
                    ctx.put(theorem.right, theorem.left)
                    return Relation(a, "==", replace_part(found.right, theorem.right, theorem.left))
            ctx.frames, ctx.goal = frames, goal
        return None

    def product_apart(self, ctx: OpenGoal, a: Term, view: Expr, index: Symbol) -> Relation | None:
        low, high, body = a.args
        span: dict[str, Any] = {"low": low, "high": high, "body": body}
        name = str(index.name)
        if isinstance(view, sympy.exp):
            return ctx.attempt("product-of-exponentials", **span, inner=close(term_of(view.exp), name))
        if isinstance(view, Mul):
            parts = [(f.base, int(f.exp)) if isinstance(f, Pow) and isinstance(f.exp, Integer) else (f, 1)
                     for f in view.args]
            return ctx.attempt("factors", **span, parts=[[close(term_of(f), name), n] for f, n in parts])
        if isinstance(view, Pow) and isinstance(view.exp, Integer) and abs(view.exp) < 100:
            return ctx.attempt("factors", **span, parts=[[close(term_of(view.base), name), int(view.exp)]])
        return None

    def unify(self, ctx: OpenGoal) -> None:
        """Sums of the same terms to different ends: the longer is the shorter and its last terms."""
        for _ in range(24):
            if not self.unify_once(ctx):
                return

    def unify_once(self, ctx: OpenGoal) -> bool:
        relations = [ctx.goal.relation, *relations_in(ctx.goal.hypotheses)]
        atoms = [a for a in atoms_of(*(s for r in relations for s in r.terms())) if a.head in BINDERS]
        for whole, first, tail in permutations(atoms, 3) if len(atoms) <= 8 else ():
            if whole.head == first.head == tail.head and whole.args[2] is first.args[2] is tail.args[2] \
                    and _same(whole.args[0], first.args[0]) and _same(whole.args[1], tail.args[1]) \
                    and _same(tail.args[0], first.args[1] + ONE):
                low, high, body = whole.args
                found = ctx.attempt("parted", head=whole.head, low=low, high=high, body=body,
                                    middle=first.args[1], after=tail.args[0])
                if found is not None:
                    ctx.put(found.left, found.right)
                    return True
        for longer, shorter in permutations(atoms, 2):
            if longer.head != shorter.head or longer.args[2] is not shorter.args[2]:
                continue
            (low, high, body), (start, end, _) = longer.args, shorter.args
            more = hinted(lambda: sympy.expand(expr_of(high) - expr_of(end)))  # noqa: B023
            if _same(low, start) and isinstance(more, Integer) and 0 < more <= 10:
                before = end if more == 1 else term_of(sympy.expand(expr_of(high) - 1))
                found = ctx.attempt("parted", head=longer.head, low=low, high=high, body=body,
                                    middle=before, after=high)
                if found is not None:
                    ctx.put(found.left, found.right)
                    return True
            less = hinted(lambda: sympy.expand(expr_of(start) - expr_of(low)))  # noqa: B023
            if _same(high, end) and isinstance(less, Integer) and 0 < less <= 10:
                after = start if less == 1 else term_of(sympy.expand(expr_of(low) + 1))
                found = ctx.attempt("parted", head=longer.head, low=low, high=high, body=body,
                                    middle=low, after=after)
                if found is not None:
                    ctx.put(found.left, found.right)
                    return True
        return False


def same_length(one: Term, other: Term) -> bool:
    (low, high, _), (start, end, _) = one.args, other.args
    return (low is start and high is end) or _same(high - low, end - start)


def _same(one: Term, other: Term) -> bool:
    return one is other or hinted(lambda: sympy.expand(expr_of(one) - expr_of(other)), 0.5) == 0


def _powers(rest: Expr, index: Symbol, n: Expr) -> Iterator[tuple[Expr, Expr, Expr]]:
    """Guesses at c, x and y with rest = c x^l y^(n-l)."""
    scale, x, y = Integer(1), Integer(1), Integer(1)
    for f in Mul.make_args(rest):
        base, exponent = (sympy.E, f.exp) if isinstance(f, sympy.exp) else f.as_base_exp()
        if index not in variables_of(f):
            scale *= f
            continue
        slope = sympy.diff(exponent, index)
        if index in variables_of(slope, base):
            return
        # a + b l = (a/n + b) l + (a/n) (n - l), if that has no denominator
        share = sympy.cancel(insert(exponent, {index: Integer(0)}) / n)
        if variables_of(sympy.denom(share)):
            share = Integer(0)
        scale *= base**sympy.expand(insert(exponent, {index: Integer(0)}) - share * n)
        x *= base**sympy.expand(share + slope)
        y *= base**share
    yield scale, x, y
    ratio = hinted(lambda: _ratio(rest, index))
    if ratio is not None:
        yield insert(rest, {index: Integer(0)}), ratio, Integer(1)
