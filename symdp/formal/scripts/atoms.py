r"""Equalities between terms with sums, products, members of families and binomial coefficients.

Such a part is an atom for algebra, once it is brought to its normal form as the kernel has it: a sum becomes a
combination of sums of monomials, a product one of products. That is shown by the laws of
``formal/theories/Ranges.v``; then a variable is put for each atom, and what is left is an equality of real numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from flint import fmpq

from symdp.formal.printing import argument, coq, name_of
from symdp.formal.refusals import NotExportable
from symdp.kernel.algebra.normal_form import Algebra
from symdp.kernel.algebra.polynomial import Monomial, join, raised
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    add,
    apply,
    binder,
    falling,
    fresh,
    instantiate,
    member,
    mul,
    number,
    transform,
    variable,
)
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.index_range import Span

Equal = Callable[[Term, Term, Goal, Iterable[Term]], Iterator[str]]
#: Rules that end in tactics, which have to know the signs of sums and of members.
LEAVES = frozenset("enclosure combine rewrite weaken paving cases monotone".split())


def is_opaque(t: Term) -> bool:
    return t.head in BINDERS or t.head == "member" or (t.head == "binomial" and falling(*t.args) is None)


def opaque_parts(*terms: Term) -> list[Term]:
    """The sums, products, members and binomial coefficients that stand in no other one."""
    found: dict[Term, None] = {}
    stack, seen = list(reversed(terms)), set()
    while stack:
        t = stack.pop()
        if t in seen:
            continue
        seen.add(t)
        if is_opaque(t):
            found.setdefault(t)
        else:
            stack += reversed(t.args)
    return list(found)


def facts_for(goal: Goal, step: Step) -> list[str]:
    """What tactics have to know about the opaque parts of a goal."""
    claim = goal.claim
    if step.rule in LEAVES and isinstance(claim, Relation) and opaque_parts(*claim.terms()):
        return ["ranges_here."]
    return []


def over_atoms(a: Term, b: Term, goal: Goal, positive: Iterable[Term], equal: Equal) -> Iterator[str]:
    """Lines that show ``a = b`` with the opaque parts of both as variables."""
    positive = [p for p in positive if isinstance(p, Term)]
    try:
        seen = [p for p in opaque_parts(a, b, *positive) if _is_positive(p, goal)]
        algebra = Algebra([*positive, *seen, *_positive_variables(a, b, goal)], goal.whole)
        forms: dict[Term, Term] = {}
        for t in opaque_parts(a, b):
            forms[t] = _canonical(t, algebra)
            if forms[t] is not t:
                yield f"replace ({coq(t)}) with ({coq(forms[t])})."
                yield "2: { symmetry. " + " ".join(_shown(t, forms[t], algebra, goal, positive, equal)) + " }"
    except ArithmeticError as reason:
        raise NotExportable("identity", str(reason)) from reason
    a, b = (_with(t, forms) for t in (a, b))
    if a is b:
        yield "reflexivity."
        return
    atoms, numbers = opaque_parts(a, b), count(1)
    taken = goal.taken
    names: dict[Term, Term] = {}
    hypotheses: list[Formula] = []
    for t in atoms:
        name = fresh(f"atom{next(numbers)}", taken)
        names[t] = variable(name)
        if _is_positive(t, goal):
            hypotheses.append(Relation(ZERO, "<", names[t]))
            yield f"try assert (0 < {coq(t)}) by (ranges_here; first [lra | positive])."
    for t in atoms:
        yield f"set ({coq(names[t])} := {coq(t)}) in *."
    if atoms:
        yield f"clearbody {' '.join(coq(names[t]) for t in atoms)}."
    kept = [h for h in goal.hypotheses if isinstance(h, Relation) and not opaque_parts(
        *(_with(t, names) for t in h.terms()))]
    inside = Goal((*goal.sorts, *((v.value, REAL) for v in names.values())),
                  tuple(dict.fromkeys([*(Relation(_with(h.left, names), h.op, _with(h.right, names)) for h in kept),
                                       *hypotheses])), Relation(_with(a, names), "==", _with(b, names)))
    signs = [p for p in (_with(p, names) for p in positive) if not opaque_parts(p)]
    yield from equal(_with(a, names), _with(b, names), inside, signs)


def _with(term: Term, values: dict[Term, Term]) -> Term:
    return transform(term, lambda t, _: values.get(t))


def _is_positive(t: Term, goal: Goal) -> bool:
    try:
        return bool(range_on(t, goal).is_positive())
    except ArithmeticError:
        return False


def _positive_variables(a: Term, b: Term, goal: Goal) -> list[Term]:
    return [v for v in map(variable, sorted(a.variables | b.variables)) if _is_positive(v, goal)]


# --- normal forms -------------------------------------------------------------------------------


def _canonical(t: Term, algebra: Algebra) -> Term:
    """The normal form of an opaque part, as a term."""
    if t.head == "member":
        return member(t.value, _tidy(t.args[0], algebra))
    if t.head == "binomial":
        return apply("binomial", *(_tidy(a, algebra) for a in t.args))
    return algebra.term_of(algebra.normal(t))


def _tidy(t: Term, algebra: Algebra) -> Term:
    return algebra.term_of(algebra.normal(t))


def _shown(t: Term, form: Term, algebra: Algebra, goal: Goal, positive: list[Term], equal: Equal) -> Iterator[str]:
    """Lines that show that an opaque part equals its normal form."""
    if t.head == "member":
        yield "apply f_equal."
        yield from equal(t.args[0], form.args[0], goal, positive)
        return
    if t.head == "binomial":
        yield "apply f_equal2."
        for old, new in zip(t.args, form.args, strict=True):
            yield "{"
            yield from equal(old, new, goal, positive)
            yield "}"
        return
    low, high, body = t.args
    bounds = [_tidy(low, algebra), _tidy(high, algebra)]
    span = Span(algebra, algebra.normal(low), algebra.normal(high))
    parts: SumParts | ProductParts = (SumParts if t.head == "sum" else ProductParts).of(body, span, algebra)
    inside = parts.inside
    i = fresh("i", frozenset(goal.taken) | inside.variables | inside.families | body.variables | body.families)
    ends = " ".join(map(argument, bounds))
    word = "sum" if t.head == "sum" else "product"
    fun = f"fun {name_of(i)} =>"
    wanted = instantiate(inside, variable(i))
    yield f"transitivity ({word}_from {ends} ({fun} {coq(wanted)}))."
    yield "{"
    for old, new in zip((low, high), bounds, strict=True):
        if old is not new:
            yield f"replace ({coq(old)}) with ({coq(new)}) by lra."
    yield f"apply {word}_ext; [whole|whole|]. intros {name_of(i)} ? ? ?."
    within = goal.with_variable(i, INTEGER).claiming(
        goal.claim, Relation(bounds[0], "<=", variable(i)), Relation(variable(i), "<=", bounds[1]))
    yield from equal(instantiate(body, variable(i)), wanted, within, positive)
    yield "}"
    yield from parts.lines(ends, fun, variable(i))
    summands = parts.term(bounds[0], bounds[1])
    if summands is form:
        yield "reflexivity."
    else:
        yield from equal(summands, form, goal, positive)


def _power(base: str, n: int) -> str:
    return base if n == 1 else f"{base} ^ {n}" if n > 0 else f"/ {base} ^ {-n}"


@dataclass(frozen=True)
class SumParts:
    """A sum taken apart: a coefficient that leaves it, what stays inside, and whether that is only counted."""

    parts: tuple[tuple[Term, Term, bool], ...]

    @classmethod
    def of(cls, body: Term, span: Span, algebra: Algebra) -> SumParts:
        """As the kernel does it (:mod:`symdp.kernel.values.index_range`)."""
        found = []
        for m, c in algebra.normal(body).items():
            out: Monomial = ()
            for b, group in algebra.groups(m).items():
                out = join(out, span._leaving(b, group))
            left = join(m, raised(out, -1))
            outside = tuple(sorted((algebra.atom(instantiate(algebra.atoms[g], ZERO)), e) for g, e in out))
            rest = algebra.term_of({left: fmpq(1)})
            found.append((algebra.term_of({outside: c}), rest, not left and span.counted))
        if not found:
            raise NotExportable("identity", "a sum of nothing")
        return cls(tuple(found))

    @property
    def inside(self) -> Term:
        return _added([f if c is ONE else c * f for c, f, _ in self.parts])

    def lines(self, ends: str, fun: str, i: Term) -> Iterator[str]:
        bodies = [f"({coq(instantiate(f, i))})" for _, f, _ in self.parts]
        summands = [b if c is ONE else f"({coq(c)}) * {b}" for (c, _, _), b in zip(self.parts, bodies, strict=True)]
        for n in range(len(bodies) - 1, 0, -1):
            yield f"rewrite (sum_of_plus {ends} ({fun} {' + '.join(summands[:n])}) ({fun} {summands[n]}))."
        for (c, _, counted), b in zip(self.parts, bodies, strict=True):
            if c is not ONE:
                yield f"rewrite (sum_of_scaled {ends} ({coq(c)}) ({fun} {b}))."
            if counted:
                yield f"rewrite (sum_of_constant {ends} ltac:(whole) ltac:(whole) {b}) by settle."

    def term(self, low: Term, high: Term) -> Term:
        """What the laws make of it."""
        sums = [(c, (high - low + ONE) * instantiate(f, ZERO) if counted else binder("sum", low, high, f))
                for c, f, counted in self.parts]
        return _added([s if c is ONE else c * s for c, s in sums])


@dataclass(frozen=True)
class ProductParts:
    """A product taken apart: bases, and whole exponents of them."""

    parts: tuple[tuple[Term, int], ...]

    @classmethod
    def of(cls, body: Term, span: Span, algebra: Algebra) -> ProductParts:
        p, found = algebra.normal(body), []
        if not p:
            raise NotExportable("identity", "a product of zeros")
        for b, group in algebra.groups(algebra.factored(p, True)).items():
            whole = algebra.is_plain(group) and group[0][1].denominator == 1
            found.append((b, int(group[0][1])) if whole else (algebra.term_of({group: fmpq(1)}), 1))
        return cls(tuple(found) or ((ONE, 1),))

    @property
    def inside(self) -> Term:
        powers = [f if n == 1 else f ** number(n) for f, n in self.parts]
        return mul(*powers) if len(powers) > 1 else powers[0]

    def lines(self, ends: str, fun: str, i: Term) -> Iterator[str]:
        bodies = [f"({coq(instantiate(f, i))})" for f, _ in self.parts]
        powers = [f"({_power(b, n)})" for b, (_, n) in zip(bodies, self.parts, strict=True)]
        for n in range(len(bodies) - 1, 0, -1):
            yield f"rewrite (product_of_mult {ends} ({fun} {' * '.join(powers[:n])}) ({fun} {powers[n]}))."
        for b, (_, n) in zip(bodies, self.parts, strict=True):
            if n < 0:
                yield f"rewrite (product_of_inv {ends} ({fun} {b} ^ {-n}))."
            if n != 1:
                yield f"rewrite (product_of_pow {ends} ({fun} {b}) {abs(n)})."

    def term(self, low: Term, high: Term) -> Term:
        products = [binder("product", low, high, f) for f, _ in self.parts]
        powers = [q if n == 1 else q ** number(n) for q, (_, n) in zip(products, self.parts, strict=True)]
        return mul(*powers) if len(powers) > 1 else powers[0]


def _added(summands: list[Term]) -> Term:
    return add(*summands) if len(summands) > 1 else summands[0]
