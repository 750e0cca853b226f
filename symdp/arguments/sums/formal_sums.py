r"""A search for kernel proofs of goals with sums, products and members of families. Nothing is trusted.

In this order: a relation between sums is shown **term by term**, as one combination of the sums over each
range; or its sums are **evaluated** by the laws of :mod:`symdp.kernel.rules.sums` as far as they can be, the rest
become variables of which the signs and comparisons of their terms are known, and what is left has no
sums in it. SymPy suggests closed forms and coefficients; the kernel has them proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Product, Sum, Symbol, binomial

from symdp.arguments.derivations.formal_exchange import by_exchange
from symdp.arguments.derivations.formal_plain import (
    Unproved,
    is_plain,
    leaf,
    plain_step,
    premises_of,
)
from symdp.arguments.sums.powers import _groups, _put
from symdp.arguments.sums.sum_laws import _closed_form, _flattened, _ratio, _separated, hinted
from symdp.formulas.notation import symbol
from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Each, Formula, Goal, Relation
from symdp.kernel.proof import Parameters, Step
from symdp.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    binder,
    bound,
    close,
    fresh,
    instantiate,
    replace_part,
    subterms,
    variable,
)
from symdp.search.elaboration import increasing
from symdp.search.elaboration.entries import comparisons, each_entry
from symdp.search.elaboration.showing import identity_with_signs
from symdp.search.remembering import memory
from symdp.sources.scope import insert, variables_of

#: Sums that are compared with each other.
_MOST_ATOMS = 6
#: How deep a condition of a law may lead to further laws.
_DEEPEST = 6
_I = bound(0)


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


def _choices(relation: Relation) -> list[Term]:
    """The minima, maxima and absolute values in a relation."""
    return list(dict.fromkeys(t for side in relation.terms() for t in subterms(side)
                              if t.head in ("min", "max", "abs") and not t.loose))


def _multiples(claimed: Relation, known: Relation) -> Iterator[Expr]:
    """What a known gap may have to be multiplied with to be the one that is claimed.

    It is seen by the factor of a minimum, maximum or absolute value that both have. Of an equation, which says more
    than one sign, the quotient of the gaps is worth a longer look.
    """
    for node in _choices(known):
        there = symbol("node_")
        above, below = (expr_of(replace_part(r.gap, node, variable(str(there)))).diff(there)
                        for r in (claimed, known))
        if above != 0 and below != 0 and not (above.has(there) or below.has(there)):
            yield above / below
    if known.op == "==" and is_plain(known) and is_plain(claimed) and known.variables >= claimed.variables:
        quotient = hinted(lambda: sympy.factor(expr_of(claimed.gap) / expr_of(known.gap)), 1.0)
        if quotient is not None and not quotient.has(sympy.zoo, sympy.nan):
            yield quotient


def _relations(formulas: Iterable[Formula]) -> list[Relation]:
    return [f for f in formulas if isinstance(f, Relation)]


@dataclass
class Context:
    """A goal on its way: rules that leave one goal open beside their conditions, one after the other."""

    prover: Prover
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
        assert found is None or isinstance(found, Relation)
        return found

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
class Prover:
    """Finds steps for goals; what was found, or not, is remembered."""

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

    def hurried(self, most: float) -> Prover:
        return Prover(min(self.budget, most), self.depth + 1)

    def under(self, goal: Goal, hypotheses: Sequence[Formula], *, patient: bool = False) -> Step:
        """A step that uses these of the hypotheses only."""
        if self.depth >= _DEEPEST:
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

    def _prove(self, goal: Goal) -> Step:
        claim = goal.claim
        if claim in goal.hypotheses:
            return Step("assumption")
        if isinstance(claim, Each):
            parameters = {"name": fresh(claim.hint or "i", goal.taken | claim.variables)}
            (inside,) = premises_of(goal, "each", parameters)
            ctx = Context(self, inside, inside.hypotheses)
            self.said_of_each(ctx, variable(str(parameters["name"])))
            return Step("each", parameters, (ctx.closed(self.prove(ctx.goal)),))
        if not isinstance(claim, Relation):
            raise Unproved("the claim is of a kind that is not known here")
        found = leaf(goal, "assumption", "enclosure", "identity", "contradiction") or identity_with_signs(goal)
        if found is not None:
            return found
        quick: tuple[Callable[[Goal], Step], ...] = (
            self.by_entries, self.by_factors, self.by_exponents, self.by_multiple, self.by_known_entry)
        for way in quick:
            try:
                return way(goal)
            except Unproved:
                continue
        atoms = atoms_of(claim.left, claim.right)
        about = [h for h in _relations(goal.hypotheses) if atoms_of(h.left, h.right)]
        if not atoms and not about:
            for way in (self.by_values, self.by_powers):
                try:
                    return way(goal)
                except Unproved:
                    continue
            return plain_step(goal, self.budget)
        reasons = []
        ways: list[Callable[[Goal], Step]] = [self.by_members]
        if any(a.head in BINDERS or is_coefficient(a) for a in atoms_of(
                claim.left, claim.right, *(s for h in about for s in h.terms()))):
            ways = [self.same_terms, self.by_equal_sums, lambda g: by_exchange(self, g), self.by_terms,
                    self.evaluated]
            if about:  # a premise may say all that there is to be known of the sums
                ways.insert(1, self.by_members)
        elif not atoms:
            ways = [lambda g: plain_step(g, self.budget), self.by_members]
        for way in ways:
            try:
                return way(goal)
            except Unproved as reason:
                reasons.append(str(reason))
        raise Unproved(reasons[-1])

    def said_of_each(self, ctx: Context, index: Term) -> None:
        """What hypotheses without members say of every integer, said of this one."""
        for place, h in enumerate(ctx.goal.hypotheses):
            if isinstance(h, Each) and isinstance(h.body, Relation) and not any(
                    t.head == "member" for s in h.body.terms() for t in subterms(s)):
                try:
                    ctx.step("instance", {"hypothesis": place, "at": index})
                except Unproved:
                    continue

    # --- ways ---------------------------------------------------------------------------------

    def begin(self, goal: Goal) -> Context:
        return Context(self, goal, goal.hypotheses)

    def same_terms(self, goal: Goal) -> Step:
        """Two sums or two products and nothing else, compared term by term."""
        r = goal.relation
        if r.left is r.right and r.left.head in BINDERS:
            ctx = self.begin(goal)
            low, high, body = r.left.args
            ctx.law("termwise", head=r.left.head, low=low, high=high, body=body, op="==", other=[low, high, body])
            return ctx.closed(Step("assumption"))
        if not (r.left.head in BINDERS and r.left.head == r.right.head):
            raise Unproved("the sides are no two sums")
        for reverse in (False, True):
            ctx = self.begin(goal)
            if self.aligned(ctx, r.left, r.right, r.op, reverse, patient=not reverse) is not None:
                return ctx.closed(Step("assumption"))
        raise Unproved("the sums do not compare term by term")

    def by_equal_sums(self, goal: Goal) -> Step:
        """A sum of the claim that is by algebra one of a hypothesis is put in its place."""
        ctx, found = self.begin(goal), False
        known = [a for h in _relations(goal.hypotheses) for a in atoms_of(h.left, h.right) if a.head in BINDERS]
        for a in atoms_of(*goal.relation.terms()):
            for b in known if a.head in BINDERS and a not in known else ():
                if a.head != b.head or a.args[:2] != b.args[:2]:
                    continue
                same = Relation(a, "==", b)
                step = identity_with_signs(ctx.goal.claiming(same))
                if step is not None:
                    ctx.frames.append(("cut", {"fact": same}, (step,)))
                    ctx.goal, found = ctx.goal.claiming(ctx.goal.claim, same), True
                    ctx.put(a, b)
                    break
        if not found:
            raise Unproved("no sum is one of a hypothesis")
        return ctx.closed(self.prove(ctx.goal))

    def aligned(self, ctx: Context, one: Term, other: Term, op: str, reverse: bool, *,
                patient: bool = False) -> Relation | None:
        low, high, body = one.args
        if one.head != other.head or not same_length(one, other):
            return None
        return ctx.attempt("termwise", patient=patient, head=one.head, low=low, high=high, body=body, op=op,
                           other=list(other.args), reverse=reverse)

    def by_terms(self, goal: Goal) -> Step:
        """The gap as one combination of sums for each range, whose terms all have the wanted sign."""
        r, ctx = goal.relation, self.begin(goal)
        sums = [a for a in atoms_of(r.left, r.right) if a.head == "sum"]
        if not sums:
            raise Unproved("there are no sums")
        names = {s: symbol(f"sum_{place}_") for place, s in enumerate(sums)}
        gap = hinted(lambda: sympy.expand(expr_of(_named(r.right - r.left, names))))
        if gap is None:
            raise Unproved("the gap was not understood")
        groups: list[tuple[Term, list[tuple[Expr, Term]]]] = []
        rest = gap
        for s, name in names.items():
            factor = gap.coeff(name)
            rest = sympy.expand(rest - factor * name)
            if factor.free_symbols & set(names.values()) or rest.has(name):
                raise Unproved("the sums do not stand side by side")
            if factor == 0:
                continue
            for first, parts in groups:
                if same_length(first, s):
                    parts.append((factor, s))
                    break
            else:
                groups.append((s, [(factor, s)]))
        if not groups:
            raise Unproved("all sums cancel")
        op = r.op
        for first, parts in groups:
            low, high, _ = first.args
            given = []
            for factor, s in parts:
                coefficient = _unnamed(term_of(factor), names)
                start, end, body = s.args
                if start is not low or end is not high:
                    body = instantiate(body, _I + (start - low))
                    shifted = binder("sum", low, high, body)
                    ctx.law("termwise", head="sum", low=start, high=end, body=s.args[2], op="==",
                            other=[low, high, body], reverse=False)
                    ctx.put(s, shifted)
                given.append([None if coefficient is ONE else coefficient, body])
            found = None
            if op == "<":
                found = ctx.attempt("combination", low=low, high=high, op="<", parts=given)
            if found is None:
                ctx.law("combination", patient=True, low=low, high=high, op="==" if op == "==" else "<=",
                        parts=given)
        return self.finish(ctx, facts=False)

    def by_members(self, goal: Goal) -> Step:
        return self.finish(self.begin(goal), facts=False)

    def by_factors(self, goal: Goal) -> Step:
        """The sign of a product from the signs of its factors."""
        r = goal.relation
        gap = expr_of(r.right - r.left)
        if not isinstance(gap, Mul) and gap.is_polynomial() and gap.count_ops() < 60:
            gap = hinted(lambda: sympy.factor(gap), 1.0) or gap
        number_, factors = gap.as_coeff_mul()
        if r.op == "==" or len(factors) < 2 or not number_.is_Rational or self.depth >= _DEEPEST:
            raise Unproved("the gap is no product")
        strict, positive = r.op == "<", bool(number_ > 0)
        parts: list[list[Any]] = []
        facts: list[Relation] = []

        def signed(base: Expr, n: int, turned: bool) -> bool:
            op = "<" if strict or n < 0 else "<="
            u = term_of(-base if turned else base)
            known = Relation(term_of(base), op, ZERO) if turned else Relation(ZERO, op, u)
            if not self.proves(goal, known, goal.hypotheses):
                return False
            facts.append(known)
            parts.append([u, n, ">" if op == "<" else ">="])
            return True

        odd: list[tuple[Expr, int, bool]] = []
        for f in factors:
            base, n = f.as_base_exp() if isinstance(f, Pow) and isinstance(f.exp, Integer) else (f, 1)
            if n % 2 == 0 and n > 0 and not strict:
                parts.append([term_of(base), int(n), ""])
                continue
            turned = next((turned for turned in (False, True) if signed(base, int(n), turned)), None)
            if turned is None:
                raise Unproved(f"{base} has no known sign")
            if n % 2:
                odd.append((base, int(n), turned))
                positive ^= turned
        if not positive:  # a factor that is 0 has either sign
            for base, n, turned in odd:
                kept = [part for part in parts if part[0] is not term_of(-base if turned else base)]
                if not strict and n > 0 and signed(base, n, not turned):
                    parts = [*kept, parts[-1]]
                    break
            else:
                raise Unproved("the product has the other sign")
        ctx = self.begin(goal)
        for known in facts:
            if known not in ctx.goal.hypotheses:
                ctx.step("cut", {"fact": known})
        parameters = {"terms": [[term_of(abs(number_)), parts]]}
        proofs = [leaf(p, "assumption", "enclosure") for p in premises_of(ctx.goal, "combine", parameters)]
        if any(p is None for p in proofs):
            raise Unproved("the signs of the factors were not seen again")
        return ctx.closed(Step("combine", parameters, tuple(p for p in proofs if p is not None)))

    def by_entries(self, goal: Goal) -> Step:
        """Below a minimum is below each entry, above a maximum above each."""
        wanted = comparisons(goal.relation)
        if not wanted:
            raise Unproved("the right side is no minimum and the left side no maximum")
        return each_entry(goal.relation, [self.prove(goal.claiming(r)) for r in wanted])

    def by_multiple(self, goal: Goal) -> Step:
        """What is claimed is what is known, times something of known sign."""
        if goal.relation.op == "==":
            sides = premises_of(goal, "both", {})
            return Step("both", {}, tuple(self.by_multiple(side) for side in sides))
        for h in _relations(goal.hypotheses):
            for factor in _multiples(goal.relation.normal, h.normal):
                for sign in (1, -1) if h.op == "==" else (1,):
                    parts = [[term_of(sign * factor), 1, ">="],
                             [h.normal.gap if sign == 1 else -h.normal.gap, 1, ">="]]
                    try:
                        premises = premises_of(goal, "combine", {"terms": [[ONE, parts]]})
                    except Unproved:
                        continue
                    proofs = [leaf(p, "assumption", "enclosure") for p in premises]
                    if all(p is not None for p in proofs):
                        return Step("combine", {"terms": [[ONE, parts]]}, tuple(p for p in proofs if p is not None))
        raise Unproved("it is no multiple of a hypothesis")

    def by_known_entry(self, goal: Goal) -> Step:
        """A minimum or maximum of which one entry is known to be the least or largest is that entry."""
        nodes = _choices(goal.relation)
        for node in nodes:
            op = "<=" if node.head == "min" else ">="
            entries = [(entry, [Relation(entry, op, a) for a in node.args if a is not entry])
                       for entry in node.args]
            if node.head == "abs":
                (u,) = node.args
                entries = [(u, [Relation(ZERO, "<=", u)]), (-u, [Relation(u, "<=", ZERO)])]
            for entry, others in entries:
                if not all(self.proves(goal, other, goal.hypotheses) for other in others):
                    continue
                ctx = self.begin(goal)
                for other in others:
                    if other not in ctx.goal.hypotheses:
                        ctx.step("cut", {"fact": other})
                same = Relation(node, "==", entry)
                open_goals = premises_of(ctx.goal.claiming(same), "branches", {"node": node})
                proofs = []
                for g in open_goals:  # a == b, where a <= b and b <= a
                    sides = premises_of(g, "both", {})
                    found = leaf(g, "identity", "assumption", "contradiction")
                    pair = [leaf(side, "assumption", "identity", "enclosure") for side in sides]
                    if found is None and any(p is None for p in pair):
                        raise Unproved(f"{node} was not seen to be {entry}")
                    proofs.append(found or Step("both", {}, tuple(p for p in pair if p is not None)))
                ctx.frames.append(("cut", {"fact": same}, (Step("branches", {"node": node}, tuple(proofs)),)))
                ctx.goal = ctx.goal.claiming(ctx.goal.claim, same)
                ctx.put(node, entry)
                return ctx.closed(self.prove(ctx.goal))
        if 0 < len(nodes) <= 2 and self.depth < _DEEPEST and is_plain(goal.claim):
            (node, *_) = nodes
            premises = premises_of(goal, "branches", {"node": node})
            return Step("branches", {"node": node}, tuple(self.hurried(2.0).prove(p) for p in premises))
        raise Unproved("no entry of a minimum or maximum is known to be it")

    def by_exponents(self, goal: Goal) -> Step:
        """Two exponentials, or one and 1, compare as their exponents do."""
        r = goal.relation
        gap = sympy.expand(expr_of(r.right - r.left), deep=False)
        parts = Add.make_args(gap)
        signs = [part.as_coeff_Mul() for part in parts]
        if r.op == "==" or len(parts) != 2 or self.depth >= _DEEPEST or any(
                abs(c) != 1 or not (e == 1 or isinstance(e, sympy.exp)) for c, e in signs):
            raise Unproved("there are no two exponentials")
        (above,), (below,) = ([e for c, e in signs if c == sign] or [None] for sign in (1, -1))
        if above is None or below is None:
            raise Unproved("there are no two exponentials")
        images = [term_of(e.exp if isinstance(e, sympy.exp) else Integer(0)) for e in (below, above)]
        parameters = {"function": "log", "lower": term_of(below), "upper": term_of(above), "images": images}
        premises = increasing.premises(goal, parameters)
        return increasing.step(r, parameters, [self.hurried(2.0).prove(p) for p in premises])

    def by_values(self, goal: Goal) -> Step:
        """A variable that a hypothesis says the value of is replaced by it."""
        for h in _relations(goal.hypotheses):
            if h.op == "==" and any(
                    a.head == "variable" and a.value not in b.variables
                    for a, b in ((h.left, h.right), (h.right, h.left))):
                name = str(next(a.value for a, b in ((h.left, h.right), (h.right, h.left))
                                if a.head == "variable" and a.value not in b.variables))
                (there,) = premises_of(goal, "point", {"variable": name})
                return Step("point", {"variable": name}, (self.prove(there),))
        raise Unproved("no hypothesis says a value")

    def by_powers(self, goal: Goal) -> Step:
        """The lowest power of each base with a symbolic integer as exponent becomes a variable."""
        relations = [goal.relation, *_relations(goal.hypotheses)]
        integers = frozenset(symbol(n) for n in goal.whole.integers)
        groups = _groups([expr_of(s) for r in relations for s in r.terms()], integers)
        if not groups:
            raise Unproved("there are no powers of one base")
        ctx, taken = self.begin(goal), set(goal.taken)
        names: dict[Expr, Expr] = {}
        parts: list[list[Any]] = []
        for base, lowest, powers in groups:
            name = fresh("power_1", taken)
            taken.add(name)
            b, n = term_of(base), term_of(lowest)
            parts.append([b ** n, name])
            names |= {p: symbol(name) ** q * base ** m for p, (q, m) in powers.items()}
            positive = Relation(ZERO, "<", b ** n)
            if leaf(ctx.goal.claiming(positive), "enclosure") is not None:
                ctx.step("cut", {"fact": positive})
            else:
                ctx.lemma("power-sign", x=b, n=n)
            if not ctx.lemma("power-of-fraction", x=b, n=n):
                ctx.lemma("power-of-large", x=b, n=n)

        def written(r: Relation) -> Relation:
            sides = [term_of(_put(expr_of(s), names)) for s in r.normal.terms()]
            for part, name in parts:
                sides = [replace_part(s, variable(name), part) for s in sides]
            return Relation(sides[0], r.normal.op, sides[1])

        old = []
        for h in _relations(goal.hypotheses):
            new = written(h)
            if any(p in names for s in h.terms() for p in expr_of(s).atoms(Pow)):
                old.append(h)
                if new != h and leaf(ctx.goal.claiming(new), "assumption") is not None:
                    ctx.step("cut", {"fact": new})
        claim = written(goal.relation)
        if claim != goal.relation:
            ctx.step("rewrite", {"left": claim.left, "right": claim.right})
        ctx.step("generalise", {"parts": parts})
        still = {h for h in ctx.goal.hypotheses if isinstance(h, Relation) and any(
            p in names for s in h.terms() for p in expr_of(s).atoms(Pow))}
        ctx.step("weaken", {"hypotheses": [h for h in ctx.goal.hypotheses if h not in still]})
        return ctx.closed(plain_step(ctx.goal, self.budget))

    def evaluated(self, goal: Goal) -> Step:
        """Sums in closed form where there is one, then what is known of the others."""
        ctx = self.begin(goal)
        for _ in range(12):  # each round takes one sum or product apart
            if not self.evaluate_one(ctx):
                break
        self.normalise(ctx)
        self.unify(ctx)
        if not atoms_of(*(s for f in (ctx.goal.claim, *ctx.goal.hypotheses) if isinstance(f, Relation)
                          for s in f.terms())):
            return ctx.closed(self.prove(ctx.goal))
        try:
            trial = Context(self, ctx.goal, ctx.base, list(ctx.frames))
            return self.finish(trial, facts=False)
        except Unproved:
            return self.finish(ctx, facts=True)

    def normalise(self, ctx: Context) -> None:
        """Atoms as SymPy writes them, so that a[n + 1 - 1] and a[n] are one."""
        relations = [ctx.goal.relation, *_relations(ctx.goal.hypotheses)]
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

    # --- the end: no sums are left -------------------------------------------------------------

    def finish(self, ctx: Context, *, facts: bool) -> Step:
        """Add what is known of the atoms, then let each be a variable."""
        if facts:
            self.known_of_sums(ctx)
        self.normalise(ctx)
        self.known_of_members(ctx)
        goal = ctx.goal
        relations = [goal.relation, *_relations(goal.hypotheses)]
        atoms = atoms_of(*(s for r in relations for s in r.terms()))
        wanted = _near(goal, atoms)
        drop = [h for h in goal.hypotheses if not isinstance(h, Relation) or (
            not set(atoms_of(h.left, h.right)) <= wanted)]
        parts: list[tuple[Term, str]] = []
        taken, whole = set(goal.taken), []
        for a in sorted((a for a in atoms if a in wanted), key=lambda a: -a.size):
            stem = {"sum": "sum_1", "product": "product_1", "binomial": "choose_1"}.get(a.head, f"{a.value}_1")
            name = fresh(stem, taken)
            taken.add(name)
            parts.append((a, name))
            if goal.whole(a):
                whole.append(name)
        for a, _ in parts:
            for fact in (Relation(ZERO, "<", a), Relation(ZERO, "<=", a), Relation(a, "<=", ZERO)):
                if fact in ctx.goal.hypotheses:
                    break
                if a.head in BINDERS and leaf(ctx.goal.claiming(fact), "enclosure") is not None:
                    ctx.step("cut", {"fact": fact})
                    break
        # What says that a sum is defined may be an Each, so these are dropped only afterwards.
        if parts:
            ctx.step("generalise", {"parts": parts, **({"integer": whole} if whole else {})})
        changed = set(drop)
        kept = [h for h in ctx.goal.hypotheses if isinstance(h, Relation)
                and not atoms_of(h.left, h.right) and h not in changed]
        ctx.step("weaken", {"hypotheses": kept, "families": []})
        return ctx.closed(self.prove(ctx.goal))

    def known_of_members(self, ctx: Context) -> None:
        """What is said of every member, said of those that occur; coefficients are at least 1."""
        done: set[tuple[Any, Term]] = set()
        for _ in range(4):  # what is said of one member may bring in others
            relations = [ctx.goal.relation, *_relations(ctx.goal.hypotheses)]
            atoms = atoms_of(*(s for r in relations for s in r.terms()))
            new = False
            for a in atoms:
                if is_coefficient(a) and (ONE, a) not in done and ctx.goal.whole(a.args[0]) \
                        and ctx.goal.whole(a.args[1]):
                    done.add((ONE, a))
                    ctx.lemma("choose-positive", n=a.args[0], m=a.args[1])
                if a.head != "member":
                    continue
                for place, h in enumerate(ctx.goal.hypotheses):
                    if isinstance(h, Each) and isinstance(h.body, Relation) and (h, a.args[0]) not in done \
                            and any(t.head == "member" and t.value == a.value and t.args[0] is _I
                                    for s in h.body.terms() for t in subterms(s)):
                        done.add((h, a.args[0]))
                        try:
                            ctx.step("instance", {"hypothesis": place, "at": a.args[0]})
                            new = True
                        except Unproved:
                            continue
            if not new:
                return

    def known_of_sums(self, ctx: Context) -> None:
        """Signs of sums and products from their terms, and comparisons of two."""
        atoms = [a for a in atoms_of(*ctx.goal.relation.terms(), *(
            s for h in _relations(ctx.base) for s in h.terms())) if a.head in BINDERS]
        for a in atoms:
            low, high, body = a.args
            if a.head == "sum":
                for op in ("<", ">", "<=", ">="):
                    if ctx.attempt("combination", low=low, high=high, op=op, parts=[[None, body]]):
                        break
                continue
            if any(ctx.attempt("product-sign", low=low, high=high, body=body, op=op) for op in ("<", "<=")):
                any(ctx.attempt("termwise", head="product", low=low, high=high, body=body, op=op,
                                other=[low, high, ONE]) for op in ("<=", ">="))
        for place, one in enumerate(atoms[:_MOST_ATOMS]):
            for other in atoms[place + 1:_MOST_ATOMS]:
                any(self.aligned(ctx, one, other, op, False) for op in ("==", "<=", ">="))

    # --- evaluation ----------------------------------------------------------------------------

    def evaluate_one(self, ctx: Context) -> bool:
        """One law that takes a sum or product of the claim or of a premise apart."""
        relations = [ctx.goal.relation, *(h for h in _relations(ctx.goal.hypotheses))]
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

    def apart(self, ctx: Context, a: Term) -> Relation | None:
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

    def simpler_inside(self, ctx: Context, a: Term, name: str) -> Relation | None:
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
        trial = Context(self.hurried(2.0), goal, goal.hypotheses)
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

    def closed_form(self, ctx: Context, a: Term, view: Expr, index: Symbol) -> Relation | None:
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

    def binomial_sum(self, ctx: Context, a: Term, rest: Expr, index: Symbol) -> Relation | None:
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

    def product_apart(self, ctx: Context, a: Term, view: Expr, index: Symbol) -> Relation | None:
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

    # --- ranges -------------------------------------------------------------------------------

    def unify(self, ctx: Context) -> None:
        """Sums of the same terms to different ends: the longer is the shorter and its last terms."""
        for _ in range(24):
            if not self.unify_once(ctx):
                return

    def unify_once(self, ctx: Context) -> bool:
        relations = [ctx.goal.relation, *_relations(ctx.goal.hypotheses)]
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


# --- small things -------------------------------------------------------------------------------


def same_length(one: Term, other: Term) -> bool:
    (low, high, _), (start, end, _) = one.args, other.args
    return (low is start and high is end) or _same(high - low, end - start)


def _same(one: Term, other: Term) -> bool:
    return one is other or hinted(lambda: sympy.expand(expr_of(one) - expr_of(other)), 0.5) == 0


def _named(term: Term, names: dict[Term, Symbol]) -> Term:
    for part in sorted(names, key=lambda p: -p.size):
        term = replace_part(term, part, variable(str(names[part].name)))
    return term


def _unnamed(term: Term, names: dict[Term, Symbol]) -> Term:
    for part, name in names.items():
        term = replace_part(term, variable(str(name.name)), part)
    return term


def _near(goal: Goal, atoms: Sequence[Term]) -> set[Term]:
    """The atoms that matter for the claim: those in it, and those that hypotheses tie to them."""
    near = set(atoms_of(*goal.relation.terms()))
    names = set(goal.claim.variables)
    while True:
        before = len(near)
        for h in _relations(goal.hypotheses):
            here = set(atoms_of(h.left, h.right))
            if here and (here & near or (h.variables & names and not near)):
                near |= here
        if len(near) == before:
            return near or set(atoms)


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
