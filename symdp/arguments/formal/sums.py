r"""A search for kernel proofs of goals with sums, products and members of families. Nothing is trusted.

In this order: a relation between sums is shown **term by term**, as one combination of the sums over each
range; or its sums are **evaluated** by the laws of :mod:`symdp.kernel.rules.sums` as far as they can be, the rest
become variables of which the signs and comparisons of their terms are known, and what is left has no
sums in it. SymPy suggests closed forms and coefficients; the kernel has them proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Symbol

from symdp.arguments.formal.exchanged_sums import by_exchange
from symdp.arguments.formal.plain_goals import (
    Unproved,
    is_plain,
    leaf,
    plain_step,
    premises_of,
)
from symdp.arguments.formal.sum_evaluation import (
    DEEPEST,
    OpenGoal,
    SumEvaluation,
    atoms_of,
    is_coefficient,
    relations_in,
    same_length,
)
from symdp.arguments.formal.telescopes import by_telescope
from symdp.arguments.sums.laws import hinted
from symdp.arguments.sums.powers import _groups, _put
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Each, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    binder,
    bound,
    fresh,
    instantiate,
    replace_part,
    subterms,
    variable,
)
from symdp.search.elaboration import increasing_functions
from symdp.search.elaboration.minima import comparisons, each_entry
from symdp.search.elaboration.steps_for_goals import identity_with_signs

#: Sums that are compared with each other.
_MOST_ATOMS = 6
_I = bound(0)


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


class Prover(SumEvaluation):
    """Finds steps for goals; what was found, or not, is remembered."""

    def _prove(self, goal: Goal) -> Step:
        claim = goal.claim
        if claim in goal.hypotheses:
            return Step("assumption")
        if isinstance(claim, Each):
            parameters = {"name": fresh(claim.hint or "i", goal.taken | claim.variables)}
            (inside,) = premises_of(goal, "each", parameters)
            ctx = OpenGoal(self, inside, inside.hypotheses)
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
        about = [h for h in relations_in(goal.hypotheses) if atoms_of(h.left, h.right)]
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
                    lambda g: by_telescope(self, g), self.evaluated]
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

    def said_of_each(self, ctx: OpenGoal, index: Term) -> None:
        """What hypotheses without members say of every integer, said of this one."""
        for place, h in enumerate(ctx.goal.hypotheses):
            if isinstance(h, Each) and isinstance(h.body, Relation) and not any(
                    t.head == "member" for s in h.body.terms() for t in subterms(s)):
                try:
                    ctx.step("instance", {"hypothesis": place, "at": index})
                except Unproved:
                    continue

    def begin(self, goal: Goal) -> OpenGoal:
        return OpenGoal(self, goal, goal.hypotheses)

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
        known = [a for h in relations_in(goal.hypotheses) for a in atoms_of(h.left, h.right) if a.head in BINDERS]
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
        if r.op == "==" or len(factors) < 2 or not number_.is_Rational or self.depth >= DEEPEST:
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
        for h in relations_in(goal.hypotheses):
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
        if 0 < len(nodes) <= 2 and self.depth < DEEPEST and is_plain(goal.claim):
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
        if r.op == "==" or len(parts) != 2 or self.depth >= DEEPEST or any(
                abs(c) != 1 or not (e == 1 or isinstance(e, sympy.exp)) for c, e in signs):
            raise Unproved("there are no two exponentials")
        (above,), (below,) = ([e for c, e in signs if c == sign] or [None] for sign in (1, -1))
        if above is None or below is None:
            raise Unproved("there are no two exponentials")
        images = [term_of(e.exp if isinstance(e, sympy.exp) else Integer(0)) for e in (below, above)]
        parameters = {"function": "log", "lower": term_of(below), "upper": term_of(above), "images": images}
        premises = increasing_functions.premises(goal, parameters)
        return increasing_functions.step(r, parameters, [self.hurried(2.0).prove(p) for p in premises])

    def by_values(self, goal: Goal) -> Step:
        """A variable that a hypothesis says the value of is replaced by it."""
        for h in relations_in(goal.hypotheses):
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
        relations = [goal.relation, *relations_in(goal.hypotheses)]
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
        for h in relations_in(goal.hypotheses):
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
            trial = OpenGoal(self, ctx.goal, ctx.base, list(ctx.frames))
            return self.finish(trial, facts=False)
        except Unproved:
            return self.finish(ctx, facts=True)

    def finish(self, ctx: OpenGoal, *, facts: bool) -> Step:
        """Add what is known of the atoms, then let each be a variable."""
        if facts:
            self.known_of_sums(ctx)
        self.normalise(ctx)
        self.known_of_members(ctx)
        goal = ctx.goal
        relations = [goal.relation, *relations_in(goal.hypotheses)]
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

    def known_of_members(self, ctx: OpenGoal) -> None:
        """What is said of every member, said of those that occur; coefficients are at least 1."""
        done: set[tuple[Any, Term]] = set()
        for _ in range(4):  # what is said of one member may bring in others
            relations = [ctx.goal.relation, *relations_in(ctx.goal.hypotheses)]
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

    def known_of_sums(self, ctx: OpenGoal) -> None:
        """Signs of sums and products from their terms, and comparisons of two."""
        atoms = [a for a in atoms_of(*ctx.goal.relation.terms(), *(
            s for h in relations_in(ctx.base) for s in h.terms())) if a.head in BINDERS]
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
        for h in relations_in(goal.hypotheses):
            here = set(atoms_of(h.left, h.right))
            if here and (here & near or (h.variables & names and not near)):
                near |= here
        if len(near) == before:
            return near or set(atoms)
