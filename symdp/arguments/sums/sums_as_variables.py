r"""Sums become variables; what is known of them term by term becomes conditions for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import TYPE_CHECKING
from zlib import crc32

from sympy import Expr, Indexed, Integer, Mul, Product, Rational, Sum, Symbol, binomial

from symdp.arguments.derivations.report import Obligation, Reduction
from symdp.arguments.sums.laws import Laws, Range, hinted
from symdp.arguments.sums.mean_inequalities import mean_inequalities
from symdp.formulas.relation import Op, Relation
from symdp.numbers.domain import DomainError
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    fresh,
    has_sums,
    insert,
    insert_into,
    relation_variables,
    show,
    terms,
    variables_of,
)
from symdp.sources.derivations.scope import Scope

if TYPE_CHECKING:
    from symdp.arguments.derivations.obligations import Reducer

#: relations that hold for every value of a variable, with that variable
Each = Sequence[tuple[Symbol, Relation]]
_STRICT: tuple[Op, ...] = (">", "<")
_WEAK: tuple[Op, ...] = ("<=", ">=")
#: Sums that are compared with each other term by term.
_MOST_ATOMS = 6


@dataclass
class Abstraction:
    """Sums become variables; what is known of them term by term becomes conditions."""

    reducer: Reducer
    scope: Scope
    #: premises that hold for every value of an index: the index, and the premise
    each: Each = ()
    #: whether the laws may evaluate sums
    evaluate: bool = True
    proved: list[Obligation] = field(default_factory=list)
    laws: Laws = field(init=False)
    atoms: dict[Expr, Symbol] = field(default_factory=dict)
    asked: dict[tuple[Relation, tuple[Range, ...]], bool] = field(default_factory=dict)
    #: variables of the claim and its premises, with which no new one may be confused
    taken: frozenset[Symbol] = frozenset()

    def __post_init__(self) -> None:
        self.laws = Laws(self.prove)

    def prove(self, relation: Relation, ranges: tuple[Range, ...] = (), *, patient: bool = False) -> bool:
        """Whether the kernel proves a condition; if so, it is kept as an obligation."""
        if (relation, ranges) not in self.asked:
            self.asked[relation, ranges] = self._prove(relation, ranges, patient)
        return self.asked[relation, ranges]

    def _prove(self, relation: Relation, ranges: tuple[Range, ...], patient: bool) -> bool:
        scope, role = self.scope, "a law of sums applies"
        new: dict[Symbol, Expr] = {}
        for i, low, high in ranges:
            # The index is a new variable, whatever it is called elsewhere.
            other = fresh(str(i.name), [v for r in scope.where for v in relation_variables(r)])
            low, high = insert(low, new), insert(high, new)
            new[i] = other
            scope = replace(
                scope.supposing((Relation(other, ">=", low), Relation(other, "<=", high))),
                integers=scope.integers | {other})
            role = "term by term"
        relation = insert_into(relation, new)
        reducer = self.reducer if patient else self.reducer.hurried(2.0)
        # A premise with a sum in it helps where that sum occurs; elsewhere it would bring it in anew.
        near = [(free, premise) for free, premise in self.each if sums_in(premise) <= sums_in(relation)]
        each = [insert_into(premise, {free: index}) for index in new.values() for free, premise in near]
        universal = tuple(dict.fromkeys(premise for _, premise in near))
        outcome = reducer.reduce(relation, scope, each, role, refute=False, universal=universal)
        if outcome.status is Status.PROVED:
            self.proved += outcome.obligations
            for law in outcome.laws:
                self.laws.note(law)
        return outcome.status is Status.PROVED

    def reduce(self, relation: Relation, premises: Sequence[Relation], role: str) -> Reduction:
        self.taken = relation_variables(relation).union(*(relation_variables(p) for p in premises))
        try:
            left, right = (self.simplified(s) for s in (relation.left, relation.right))
            known = [Relation(self.simplified(p.left), p.op, self.simplified(p.right))
                     for p in premises]
            left, right, *flat = self.unified([left, right, *(s for p in known for s in (p.left, p.right))])
            known = [Relation(flat[2 * i], p.op, flat[2 * i + 1]) for i, p in enumerate(known)]
        except (OverflowError, TypeError, ValueError, NotImplementedError) as reason:
            return Reduction((), stuck=f"the sums were not understood: {reason}")
        if left == right and left.has(Sum, Product) and relation.op in ("==", "<=", ">="):
            self.laws.note("both sides are the same sum")
        # What the parts with sums in them need is asked apart, in `sums`.
        claim = Relation(self.hidden(left), relation.op, self.hidden(right),
                         tuple(part for part in relation.needs if not has_sums(part)))
        conditions = [Relation(self.hidden(p.left), p.op, self.hidden(p.right)) for p in known]
        together = self.combined(claim)
        if not together and not self.evaluate:
            together = self.compared_products()
        if together and claim.left == claim.right and self.evaluate:
            conditions += self.known_of_atoms()  # all that is asked is whether it is defined
        elif together:
            conditions += [*together, *self.known_of_members()]
        elif self.evaluate:
            conditions += self.known_of_atoms()
            if claim.op != "==":
                conditions += mean_inequalities(self)
        elif left != right:
            return Reduction((), stuck="the sums do not compare term by term")
        wanted = relation_variables(claim).union(*(relation_variables(r) for r in conditions))
        try:
            domain = self.scope.domain(wanted, conditions)
        except DomainError as reason:
            return Reduction((), stuck=str(reason))
        found = self.reducer.on(claim, domain, role)
        laws = tuple(self.laws.used)
        if found.status is Status.REFUTED and self.atoms:
            open_ = ", ".join(show(a) for a in self.atoms)
            return Reduction((), laws, stuck=f"no law was found that settles {open_}")
        return Reduction((*self.proved, *found.obligations), laws)

    # --- a common form

    def simplified(self, expr: Expr) -> Expr:
        return self.laws.simplified(expr) if self.evaluate else expr

    def unified(self, sides: list[Expr]) -> list[Expr]:
        """Sums of the same terms to different ends: the longer is the shorter and its last terms."""
        atoms = sorted({a for s in sides for a in s.atoms(Sum, Product)}, key=str)
        for whole, head, tail in permutations(atoms, 3):
            if self.is_cut(whole, head, tail):
                self.laws.note("cutting the range")
                parts = head + tail if isinstance(whole, Sum) else head * tail
                return self.unified([s.xreplace({whole: parts}) for s in sides])
        for longer in atoms:
            for shorter in atoms:
                if longer.func is not shorter.func or longer == shorter:
                    continue
                split = self.split_off(longer, shorter)
                if split is not None:
                    self.laws.note("splitting off terms")
                    return self.unified([s.xreplace({longer: split}) for s in sides])
        return sides

    def is_cut(self, whole: Expr, head: Expr, tail: Expr) -> bool:
        """Whether a sum is cut into two: they meet, and neither range ends before it begins.

        A range may be empty, with its end one before its beginning; were it less than that, the two
        parts would overlap or leave a hole.
        """
        if not (whole.func is head.func is tail.func):
            return False
        body, i, low, high = terms(whole)
        first, m, start, middle = terms(head)
        second, n, after, end = terms(tail)
        if any((one - other).expand() != 0
               for one, other in ((low, start), (after, middle + 1), (high, end))):
            return False
        if not (insert(first, {m: i}) == body == insert(second, {n: i})):
            return False
        return (self.prove(Relation(middle - low + 1, ">=", Integer(0)))
                and self.prove(Relation(high - middle, ">=", Integer(0))))

    def split_off(self, longer: Expr, shorter: Expr) -> Expr | None:
        body, i, low, high = terms(longer)
        other, m, start, end = terms(shorter)
        more = (high - end).expand()
        if not (more.is_Integer and 0 < more <= 10) or (low - start).expand() != 0:
            return None
        if insert(other, {m: i}) != body:
            return None
        if not self.prove(Relation(end - start + 1, ">=", Integer(0))):
            return None
        last = [insert(body, {i: (end + n).expand()}) for n in range(1, int(more) + 1)]
        result = shorter
        for term in last:
            result = result + term if isinstance(longer, Sum) else result * term
        return result

    def hidden(self, expr: Expr) -> Expr:
        """The expression with a variable in the place of each sum and each member of a family."""
        if isinstance(expr, Sum | Product | Indexed) or self.is_coefficient(expr):
            if expr not in self.atoms:
                same = next((a for a in self.atoms if self.same(a, expr)), None)
                if same is not None:
                    return self.atoms[same]
                stem = {Sum: "sum", Product: "product", binomial: "choose"}.get(expr.func) \
                    or str(expr.base.label)
                taken = [*self.atoms.values(), *self.taken, *self.scope.integers,
                         *(v for r in self.scope.where for v in relation_variables(r))]
                self.atoms[expr] = fresh(f"{stem}_1", taken)
            return self.atoms[expr]
        if not expr.has(Sum, Product, Indexed, binomial):
            return expr
        arguments = [self.hidden(a) for a in expr.args]
        return expr.func(*arguments)

    def is_coefficient(self, expr: Expr) -> bool:
        """A binomial coefficient n over m with integers 0 <= m <= n; it is at least 1."""
        if not isinstance(expr, binomial) or not variables_of(expr):
            return False
        n, m = expr.args
        whole = variables_of(n, m) <= self.scope.integers and all(
            e.is_polynomial() and all(c.is_Integer for c in e.atoms(Rational)) for e in (n, m))
        if whole and self.prove(Relation(m, ">=", Integer(0))) \
                and self.prove(Relation(n - m, ">=", Integer(0))):
            self.laws.note("binomial coefficients are at least 1")
            return True
        return False

    def same(self, one: Expr, other: Expr) -> bool:
        """Whether two sums have the same terms, perhaps after a shift or in reverse order.

        Of two coefficients n over m and n over n - m it is known; that both m lie between 0 and n, it was
        seen when they were given names.
        """
        if one.func is not other.func:
            return False
        if isinstance(one, binomial):
            (n, m), (above, below) = one.args, other.args
            return bool((n - above).expand() == 0 and (m + below - n).expand() == 0)
        if not isinstance(one, Sum | Product):
            return False
        one, other = _absorbed(one), _absorbed(other)
        turned = exchanged(other)
        ways = _alignments(one, other)
        if turned is not None:
            law = "exchanging the order of summation"
            ways += [(aligned, law) for aligned, _ in _alignments(one, turned)]
        for aligned, law in ways:
            body, i, low, high = terms(one)
            if not self.visibly_differ(body, aligned) \
                    and self.prove(Relation(body, "==", aligned), ((i, low, high),)):
                self.laws.note(law)
                return True
        return False

    def visibly_differ(self, one: Expr, other: Expr) -> bool:
        """Whether two terms differ at some point, so that asking the kernel is a waste of time.

        Assumptions might make them equal all the same: then nothing is said.
        """
        if self.each or any(part.has(Sum, Product) for part in (one, other)) \
                or any(r.op == "==" and not self.is_of_one_member(r) for r in self.scope.where):
            return False
        variables = sorted(variables_of(one, other), key=str)
        at = {v: Rational(7 + 2 * place, 3) for place, v in enumerate(variables)}

        def value(expr: Expr) -> float:
            there = insert(expr, at)
            members = {m: Rational(crc32(str(m).encode()) % 97 + 1, 50) for m in there.atoms(Indexed)}
            return float(there.xreplace(members).evalf(15))

        def differs() -> Expr:
            first, second = value(one), value(other)
            return Integer(int(abs(first - second) > 1e-6 * (1 + abs(first))))

        return hinted(differs, 0.5) == 1

    def is_of_one_member(self, relation: Relation) -> bool:
        """Whether an assumption is about members such as A[0] or A[n] alone."""
        known = self.scope.integers | self.scope.variables
        members = {*relation.left.atoms(Indexed), *relation.right.atoms(Indexed)}
        return bool(members) and all(variables_of(*m.indices) <= known for m in members)

    def combined(self, claim: Relation) -> list[Relation]:
        """The sums of both sides as one for each range, whose terms all have the sign that is wanted."""
        sums = {name: atom for atom, name in self.atoms.items() if isinstance(atom, Sum)}
        gap = hinted(claim.gap.expand) if sums else None
        if gap is None:
            return []
        names = {name: atom for name, atom in sums.items() if name in variables_of(gap)}
        ranges: list[tuple[Expr, Expr, Expr]] = []  # a sum, all terms of its range, and their sums
        for name, atom in names.items():
            factor = gap.coeff(name)
            if variables_of(factor) & set(names):
                return []
            for place, (first, total, whole) in enumerate(ranges):
                if aligned := _alignments(first, atom):
                    ranges[place] = (first, total + factor * aligned[0][0], whole + factor * name)
                    break
            else:
                ranges.append((atom, factor * terms(atom)[0], factor * name))
        rest = (gap - sum((whole for *_, whole in ranges), Integer(0))).expand()
        if variables_of(rest) & set(names):
            return []
        op: Op = "==" if claim.op == "==" else ">="
        zero, found = Integer(0), []
        if len(ranges) == 1 and not claim.strict and not rest.is_zero:
            shared = self.shared_out(*ranges[0], rest, op)
            if shared is not None:
                return [shared]
        for first, total, whole in ranges:
            index, low, high = terms(first)[1:]
            here = op
            if claim.strict and self.prove(Relation(high - low, ">=", zero)) \
                    and self.prove(Relation(total, ">", zero), ((index, low, high),)):
                here = ">"
            elif not self.prove(Relation(total, op, zero), ((index, low, high),), patient=True):
                return []
            found.append(Relation(whole, here, zero))
        self.laws.note("term by term")
        # Where all sums cancel, nothing has to be known of any of them.
        return found or [Relation(zero, "==", zero)]

    def shared_out(self, first: Expr, total: Expr, whole: Expr, rest: Expr, op: Op) -> Relation | None:
        """What is no sum, shared out among the terms: that each term is at most 1 bounds a sum by their number."""
        index, low, high = terms(first)[1:]
        count = high - low + 1
        if variables_of(rest) & {index} or not self.prove(Relation(count, ">=", Integer(1))):
            return None
        members = {name: atom for atom, name in self.atoms.items() if isinstance(atom, Indexed)}
        if not self.prove(Relation(total + rest.xreplace(members) / count, op, Integer(0)), ((index, low, high),)):
            return None
        self.laws.note("term by term")
        return Relation(whole + rest, op, Integer(0))

    def compared_products(self) -> list[Relation]:
        """Which of two products is the larger, factor by factor."""
        products = [a for a in self.atoms if isinstance(a, Product)]
        if len(products) != 2:
            return []
        return self.compared(*products, patient=True)

    def known_of_atoms(self) -> list[Relation]:
        found: list[Relation] = []
        for atom, name in self.atoms.items():
            if isinstance(atom, Sum | Product) and (known := self.signs(atom, name)):
                self.laws.note("the sign of a sum or product from its terms")
                found += known
        found += self.known_of_members()
        big = [a for a in self.atoms if isinstance(a, Sum | Product)][:_MOST_ATOMS]
        for place, one in enumerate(big):
            for other in big[place + 1:]:
                if one.func is other.func:
                    found += self.compared(one, other)
        return found

    def known_of_members(self) -> list[Relation]:
        """What is known of members of families, and that binomial coefficients are at least 1."""
        found = [Relation(name, ">=", Integer(1)) for atom, name in self.atoms.items()
                 if isinstance(atom, binomial)]
        done: set[Relation] = set()
        # An assumption may bring in members of other families, of which more is known.
        while new := self.said_of_members() - done:
            done |= new
            found += [Relation(self.hidden(r.left), r.op, self.hidden(r.right))
                      for r in sorted(new, key=str)]
        return found

    def said_of_members(self) -> set[Relation]:
        """The assumptions on families, for the members that occur."""
        occurring = [a for a in self.atoms if isinstance(a, Indexed)]
        found = set()
        for relation in self.scope.families:
            parts = {*relation.left.atoms(Indexed), *relation.right.atoms(Indexed)}
            places = {part.indices for part in parts}
            if relation.left.has(Sum, Product) or relation.right.has(Sum, Product) or len(places) != 1:
                continue
            (place,) = places
            for atom in occurring:
                if any(part.base == atom.base for part in parts) \
                        and self.scope.speaks_of(place, atom.indices):
                    at = {i: j for i, j in zip(place, atom.indices, strict=True) if isinstance(i, Symbol)}
                    found.add(insert_into(relation, at))
        return found

    def signs(self, atom: Expr, name: Symbol) -> list[Relation]:
        """The sign of a sum or product whose terms all have it; products of fractions."""
        body, i, low, high = terms(atom)
        zero, one, index = Integer(0), Integer(1), (i, low, high)
        if isinstance(atom, Sum):
            filled = self.prove(Relation(high - low, ">=", zero))
            for op in _STRICT:
                if filled and self.prove(Relation(body, op, zero), (index,)):
                    return [Relation(name, op, zero)]
            if self.prove(Relation(body, ">=", zero), (index,)):
                return [Relation(name, ">=", zero)]
            return []
        found = []
        if self.prove(Relation(body, ">", zero), (index,)):
            found.append(Relation(name, ">", zero))
        elif self.prove(Relation(body, ">=", zero), (index,)):
            found.append(Relation(name, ">=", zero))
        if found and self.prove(Relation(body, "<=", one), (index,)):
            found.append(Relation(name, "<=", one))
        elif found and self.prove(Relation(body, ">=", one), (index,)):
            found.append(Relation(name, ">=", one))
        return found

    def compared(self, one: Expr, other: Expr, *, patient: bool = False) -> list[Relation]:
        """Which of two sums with as many terms is the larger, term by term."""
        body, i, low, high = terms(one)
        index, zero = (i, low, high), Integer(0)
        for aligned, law in _alignments(one, other)[:1]:
            if isinstance(one, Product) and not (
                    self.prove(Relation(body, ">=", zero), (index,))
                    and self.prove(Relation(aligned, ">=", zero), (index,))):
                return []
            for op in _WEAK:
                if self.prove(Relation(body, op, aligned), (index,), patient=patient):
                    self.laws.note("term by term")
                    if law != "term by term":
                        self.laws.note(law)
                    return [Relation(self.atoms[one], op, self.atoms[other])]
        return []


def sums_in(relation: Relation) -> set[Expr]:
    """The sums and products of a relation, outer and inner."""
    return {*relation.left.atoms(Sum, Product), *relation.right.atoms(Sum, Product)}


def _alignments(one: Expr, other: Expr) -> list[tuple[Expr, str]]:
    """The terms of the other sum, in the index of the first: after a shift, or in reverse."""
    _, i, low, high = terms(one)
    body, m, start, end = terms(other)
    shift = (start - low).expand()
    if (end - high).expand() != shift:
        return []
    law = "term by term" if shift == 0 else "shifting the index"
    return [(insert(body, {m: i + shift}), law),
            (insert(body, {m: (end + low - i).expand()}), "reversing the order")]


def _absorbed(expr: Expr) -> Expr:
    """A sum of products with one sum in them, with the other factors taken into that sum."""
    if not isinstance(expr, Sum):
        return expr
    body, i, low, high = terms(expr)
    inner = [f for f in Mul.make_args(body) if isinstance(f, Sum)]
    if len(inner) != 1 or body == inner[0]:
        return expr
    rest = Mul(*(f for f in Mul.make_args(body) if f != inner[0]))
    term, j, start, end = terms(inner[0])
    if j in variables_of(rest):
        return expr
    return Sum(Sum(rest * term, (j, start, end)), (i, low, high))


def exchanged(expr: Expr) -> Expr | None:
    """A double sum or product with its two outermost indices in the other order.

    >>> from sympy import Sum, symbols
    >>> i, j, k = symbols("i j k")
    >>> exchanged(Sum(Sum(i * j, (j, 1, i)), (i, 1, k)))
    Sum(i*j, (i, j, k), (j, 1, k))
    """
    if len(expr.limits) < 2:
        return None
    *rest, (j, start, end), (i, low, high) = expr.limits
    if i not in variables_of(start, end):
        swapped = (i, low, high), (j, start, end)
    elif (start, end) == (low, i):
        swapped = (i, j, high), (j, low, high)
    elif (start, end) == (i, high):
        swapped = (i, low, j), (j, low, high)
    else:
        return None
    if j in variables_of(low, high) or any({i, j} & variables_of(*limit[1:]) for limit in rest):
        return None
    return expr.func(expr.function, *rest, *swapped)
