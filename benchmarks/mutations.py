"""Mutated claims of known truth against the prover, with the refuter and all pruning switched off.

A mutant comes from a problem of the corpora. It counts as false only if a rational point of its
domain was found at which mpmath with 60 digits sees a clear violation (or at which a strict claim is
an exact equality, and the kernel's own `refute` agrees); as true only if it is weaker than a problem
that is true: a constant in its favour, a smaller domain, < replaced by <=. All others are dropped.

A false mutant is put to the prover alone (`may_refute=False`), so that only the kernel stands between
it and *proved*; a true one to the whole, so that a wrong refutation would be seen.

    python benchmarks/mutations.py --full --jobs 2       some 2,400 mutants
    python benchmarks/mutations.py --count 100 --seed 5
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path

import mpmath
import sympy
from containment import NoValue, evaluate, rational
from rich.console import Console
from rich.table import Table
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.formulas.parsing import ParseError, to_text
from symdp.formulas.relation import MIRROR, Relation
from symdp.kernel.proof import Rejected
from symdp.numbers import floating
from symdp.numbers.domain import Domain, DomainError, Interval, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.prove import NotDefined, decide_relation, pose
from symdp.search.tactics.refutation import refute_at
from symdp.search.verdict import Status
from symdp.search.view.goals import Target

HERE = Path(__file__).resolve().parent
CORPORA = (
    HERE / "classics.toml",
    HERE / "classics_extra.toml",
    HERE.parents[1] / "shared" / "problems.toml",
)
FULL = 2400
#: A campaign goes in batches, each with a seed of its own, so that one sees how far it is.
BATCH = 50
#: How clear a violation must be, relative to the sides.
MARGIN = mpmath.mpf(10) ** -30


@dataclass(frozen=True)
class Base:
    """A problem of the corpora."""

    name: str
    claim: str
    where: tuple[str, ...]
    let: tuple[str, ...]
    integer: tuple[str, ...]
    is_true: bool


@dataclass(frozen=True)
class Draft:
    """A mutated claim before its truth is known."""

    relation: Relation
    domain: Domain


@dataclass(frozen=True)
class Mutant:
    """A mutated claim as text, with its truth and the reason for it."""

    base: str
    kind: str
    claim: str
    where: tuple[str, ...]
    integer: tuple[str, ...]
    is_true: bool
    reason: str

    def __str__(self) -> str:
        integers = f", integer {' '.join(self.integer)}" if self.integer else ""
        return f"{self.claim}  for {', '.join(self.where) or 'all reals'}{integers}  " \
               f"[{self.base}, {self.kind}: {self.reason}]"


@dataclass(frozen=True)
class Outcome:
    """What the prover made of a mutant."""

    mutant: Mutant
    status: str
    seconds: float
    detail: str = ""

    @property
    def is_violation(self) -> bool:
        wrong = Status.REFUTED if self.mutant.is_true else Status.PROVED
        return self.status == wrong.value


# --- the corpora -------------------------------------------------------------------------------------


@cache
def corpus() -> tuple[Base, ...]:
    """Every problem with a verdict of its own, from the files that are there."""
    found = []
    for path in CORPORA:
        if not path.exists():
            continue
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["problem"]:
            if entry.get("verdict") in ("proved", "refuted"):
                lists = (tuple(entry.get(key, ())) for key in ("where", "let", "integer"))
                found.append(Base(entry["name"], entry["claim"], *lists, entry["verdict"] == "proved"))
    return tuple(found)


def draft_of(base: Base) -> Draft:
    relation, domain, _ = pose(base.claim, base.where, let=base.let, integer=base.integer)
    return Draft(relation, domain)


# --- mutations that may make a claim false -----------------------------------------------------------

Mutation = Callable[[Draft, random.Random], Draft | None]


def _numbers(expr: Expr) -> list[tuple[int, ...]]:
    """Where the rational numbers stand in an expression, as paths of argument places."""
    found: list[tuple[int, ...]] = []

    def walk(part: Expr, path: tuple[int, ...]) -> None:
        if part.is_Rational:
            found.append(path)
        for i, a in enumerate(part.args):
            walk(a, (*path, i))

    walk(expr, ())
    return found


def _replaced(expr: Expr, path: Sequence[int], change: Callable[[Expr], Expr]) -> Expr:
    if not path:
        return change(expr)
    args = list(expr.args)
    args[path[0]] = _replaced(args[path[0]], path[1:], change)
    return expr.func(*args)


def _with_side(draft: Draft, rng: random.Random, change: Callable[[Expr], Expr | None]) -> Draft | None:
    """Change one side, the left or the right."""
    r = draft.relation
    sides = [r.left, r.right]
    i = rng.randrange(2)
    changed = change(sides[i])
    if changed is None or changed == sides[i] or changed.has(sympy.zoo, sympy.nan, oo, -oo, sympy.I):
        return None
    sides[i] = changed
    return Draft(Relation(sides[0], r.op, sides[1]), draft.domain)


def nudge_constant(draft: Draft, rng: random.Random) -> Draft | None:
    """A number grows or shrinks by one part in two, in a hundred, or in a million."""
    step = Rational(rng.choice((1, -1)), rng.choice((2, 10, 100, 1000, 10**6)))

    def change(side: Expr) -> Expr | None:
        places = _numbers(side)
        if not places:
            return side * (1 + step)
        return _replaced(side, rng.choice(places), lambda c: c * (1 + step) if c else step)

    return _with_side(draft, rng, change)


def flip_sign(draft: Draft, rng: random.Random) -> Draft | None:
    """One term of a sum, one factor or one argument changes its sign."""

    def change(side: Expr) -> Expr | None:
        parts = [p for p in sympy.preorder_traversal(side) if p.is_Add or p.is_Function]
        if not parts:
            return -side
        part = rng.choice(parts)
        args = list(part.args)
        i = rng.randrange(len(args))
        args[i] = -args[i]
        return side.xreplace({part: part.func(*args)})

    return _with_side(draft, rng, change)


def change_exponent(draft: Draft, rng: random.Random) -> Draft | None:
    """A power grows by one, by a half, or is inverted."""

    def change(side: Expr) -> Expr | None:
        powers = [p for p in sympy.preorder_traversal(side) if p.is_Pow and not isinstance(p, sympy.exp)]
        symbols = sorted(side.free_symbols, key=str)
        if not powers and not symbols:
            return None
        if not powers or rng.random() < 0.3:
            v = rng.choice(symbols) if symbols else powers[0]
            return side.xreplace({v: v ** rng.choice((2, 3, Rational(1, 2)))})
        part = rng.choice(powers)
        exponent = rng.choice((part.exp + 1, part.exp - 1, part.exp + Rational(1, 2), -part.exp))
        return side.xreplace({part: part.base**exponent})

    return _with_side(draft, rng, change)


_PARTNERS: dict[type, type] = {
    sympy.Min: sympy.Max, sympy.Max: sympy.Min, sympy.sinh: sympy.cosh, sympy.cosh: sympy.sinh,
    sympy.sin: sympy.cos, sympy.cos: sympy.sin, sympy.erf: sympy.erfc, sympy.erfc: sympy.erf,
    sympy.tanh: sympy.sinh, sympy.exp: sympy.cosh, sympy.Abs: sympy.floor,
    sympy.gamma: sympy.loggamma, sympy.loggamma: sympy.gamma,
}


def swap_function(draft: Draft, rng: random.Random) -> Draft | None:
    """A minimum becomes a maximum, a hyperbolic sine a cosine, ..."""

    def change(side: Expr) -> Expr | None:
        parts = [p for p in sympy.preorder_traversal(side) if type(p) in _PARTNERS]
        if not parts:
            return None
        part = rng.choice(parts)
        return side.xreplace({part: _PARTNERS[type(part)](*part.args)})

    return _with_side(draft, rng, change)


def change_relation(draft: Draft, rng: random.Random) -> Draft | None:
    """<= becomes <, or ==, or is turned round."""
    r = draft.relation
    op = rng.choice(("<", ">", "==", MIRROR[r.op]))
    return None if op == r.op else Draft(Relation(r.left, op, r.right), draft.domain)


def make_strict(draft: Draft, rng: random.Random) -> Draft | None:
    r = draft.relation
    stricter = {"<=": "<", ">=": ">"}.get(r.op)
    return stricter and Draft(Relation(r.left, stricter, r.right), draft.domain)  # type: ignore[return-value, arg-type]


def tighten(draft: Draft, rng: random.Random) -> Draft | None:
    """The smaller side grows by a constant or by a small multiple of something positive."""
    r = draft.relation
    if r.op == "==":
        return None
    extra: Expr = Rational(1, rng.choice((2, 10, 1000, 10**6)))
    if r.symbols and rng.random() < 0.5:
        v = rng.choice(sorted(r.symbols, key=str))
        extra *= rng.choice((v**2, v**2 / (1 + v**2), sympy.exp(-(v**2))))
    if r.op in ("<=", "<"):
        return Draft(Relation(r.left + extra, r.op, r.right), draft.domain)
    return Draft(Relation(r.left, r.op, r.right + extra), draft.domain)


def widen_domain(draft: Draft, rng: random.Random) -> Draft | None:
    """An end moves outward, becomes closed or infinite, or a condition is dropped."""
    domain = draft.domain
    if domain.conditions and rng.random() < 0.3:
        kept = list(domain.conditions)
        kept.pop(rng.randrange(len(kept)))
        return Draft(draft.relation, Domain(domain.intervals, domain.integers, tuple(kept)))
    bounded = [v for v, i in domain.intervals.items() if i != Interval()]
    if not bounded:
        return None
    v = rng.choice(bounded)
    return Draft(draft.relation, domain.replace_interval(v, _wider(domain.intervals[v], rng)))


def _wider(i: Interval, rng: random.Random) -> Interval:
    step = Rational(1, rng.choice((1000, 10, 2, 1)))
    return rng.choice((
        Interval(i.lower - step, i.upper, i.lower_open, i.upper_open),
        Interval(i.lower, i.upper + step, i.lower_open, i.upper_open),
        Interval(i.lower, i.upper),
        Interval(-oo, i.upper, True, i.upper_open),
        Interval(i.lower, oo, i.lower_open, True),
    ))


def relax_integer(draft: Draft, rng: random.Random) -> Draft | None:
    domain = draft.domain
    if not domain.integers:
        return None
    return Draft(draft.relation, Domain(domain.intervals, frozenset(), domain.conditions))


HARMFUL: tuple[Mutation, ...] = (
    nudge_constant, nudge_constant, flip_sign, change_exponent, swap_function, change_relation,
    make_strict, tighten, tighten, widen_domain, widen_domain, relax_integer,
)

# --- mutations that keep a true claim true -----------------------------------------------------------


def _favour(r: Relation, extra: Expr) -> Relation:
    """The larger side plus something positive."""
    if r.op in ("<=", "<"):
        return Relation(r.left, r.op, r.right + extra)
    return Relation(r.left + extra, r.op, r.right)


def loosen(draft: Draft, rng: random.Random) -> Draft | None:
    """A positive constant on the larger side; then even strictly."""
    r = draft.relation
    if r.op == "==":
        return None
    looser = _favour(r, Rational(1, rng.choice((1, 10, 1000))))
    op = {"<=": "<", ">=": ">"}.get(r.op, r.op) if rng.random() < 0.5 else r.op
    return Draft(Relation(looser.left, op, looser.right), draft.domain)  # type: ignore[arg-type]


def loosen_by_square(draft: Draft, rng: random.Random) -> Draft | None:
    """A square of a variable on the larger side."""
    r = draft.relation
    if r.op == "==" or not r.symbols:
        return None
    return Draft(_favour(r, rng.choice(sorted(r.symbols, key=str)) ** 2), draft.domain)


def make_lax(draft: Draft, rng: random.Random) -> Draft | None:
    r = draft.relation
    laxer = {"<": "<=", ">": ">="}.get(r.op)
    return laxer and Draft(Relation(r.left, laxer, r.right), draft.domain)  # type: ignore[return-value, arg-type]


def shrink_domain(draft: Draft, rng: random.Random) -> Draft | None:
    """A smaller interval for one variable."""
    domain = draft.domain
    if not domain.intervals:
        return None
    v = rng.choice(domain.variables)
    i = domain.intervals[v]
    points = sorted(rng.sample(p, 2)) if len(p := simple_points(i, v in domain.integers)) > 2 else p
    if len(points) < 2:
        return None
    low, high = points
    part = rng.choice((
        Interval(low, high),
        Interval(low, high, True, True),
        Interval(low, i.upper, True, i.upper_open),
        Interval(i.lower, high, i.lower_open, False),
    ))
    return Draft(draft.relation, domain.replace_interval(v, part))


def make_integer(draft: Draft, rng: random.Random) -> Draft | None:
    """A real variable becomes an integer: fewer points."""
    domain = draft.domain
    real = [v for v in domain.variables if v not in domain.integers]
    if not real:
        return None
    return Draft(draft.relation, Domain(domain.intervals, domain.integers | {rng.choice(real)},
                                        domain.conditions))


def rewrite(draft: Draft, rng: random.Random) -> Draft | None:
    """The same claim, scaled, shifted or read from right to left."""
    r = draft.relation
    factor = Rational(rng.randint(1, 9), rng.randint(1, 9))
    shift = Rational(rng.randint(-9, 9), rng.randint(1, 9))
    changed = Relation(factor * (r.left + shift), r.op, factor * (r.right + shift))
    return Draft(changed.mirrored() if rng.random() < 0.5 else changed, draft.domain)


def larger_maximum(draft: Draft, rng: random.Random) -> Draft | None:
    """The larger side becomes the maximum of itself and a constant."""
    r = draft.relation
    constant = Rational(rng.randint(-3, 3), rng.randint(1, 3))
    if r.op in ("<=", "<"):
        return Draft(Relation(r.left, r.op, sympy.Max(r.right, constant, evaluate=False)), draft.domain)
    if r.op in (">=", ">"):
        return Draft(Relation(sympy.Max(r.left, constant, evaluate=False), r.op, r.right), draft.domain)
    return None


HARMLESS: tuple[Mutation, ...] = (
    loosen, loosen_by_square, make_lax, shrink_domain, shrink_domain, make_integer, rewrite,
    larger_maximum,
)

# --- the truth of a mutant ---------------------------------------------------------------------------


def candidates(domain: Domain, rng: random.Random) -> Iterator[dict[Symbol, Rational]]:
    """Rational points of the box: simple ones, and random ones."""
    variables = domain.variables
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in variables]
    if not all(choices):
        return
    for values in islice(diagonal(choices), 1500):
        yield dict(zip(variables, values, strict=True))
    for _ in range(500):
        values = [_between(rng, rng.choice(c), rng.choice(c), v in domain.integers)
                  for v, c in zip(variables, choices, strict=True)]
        yield dict(zip(variables, values, strict=True))


def _between(rng: random.Random, a: Rational, b: Rational, integer: bool) -> Rational:
    value = a + (b - a) * Rational(rng.randint(0, 64), 64)
    return Integer(math.floor(value)) if integer else value


def suspicious_points(draft: Draft, rng: random.Random) -> Iterator[dict[Symbol, Rational]]:
    """Points at which machine floats see a violation or an equality; a hint and no more."""
    goal = Target.of(draft.relation, draft.domain)
    variables = draft.domain.variables
    gap = floating.function(goal.gap, variables)
    found = []
    for point in candidates(draft.domain, rng):
        value = gap([float(u) for u in point.values()])
        if value < 0 or (goal.op == "==" and value > 0) or (goal.strict and abs(value) < 1e-12):
            found.append((-abs(value), len(found), point))
    found.sort(key=lambda item: item[:2])
    yield from (point for _, _, point in [*found[:4], *found[-2:]])


def inside(domain: Domain, point: dict[Symbol, Rational]) -> bool:
    """Whether a point lies in the domain, by exact fractions and 60 digits of mpmath."""
    for v, i in domain.intervals.items():
        if v in domain.integers and not point[v].is_Integer:
            return False
        for gap, is_open in ((point[v] - i.lower, i.lower_open), (i.upper - point[v], i.upper_open)):
            if gap == oo:
                continue
            value, error = evaluate(gap, {})
            if gap.is_Rational and gap == 0 and not is_open:
                continue
            if not value > error:
                return False
    at = as_fractions(point)
    return all(_holds(c, at) for c in domain.conditions)


def _holds(condition: Relation, at: dict[Symbol, Fraction]) -> bool:
    value, error = evaluate(condition.gap, at)
    return condition.op != "==" and bool(value > error)


def as_fractions(point: dict[Symbol, Rational]) -> dict[Symbol, Fraction]:
    return {v: Fraction(int(u.p), int(u.q)) for v, u in point.items()}


def violation_at(draft: Draft, point: dict[Symbol, Rational]) -> str:
    """Why the claim is false at that point of its domain; empty if that is not certain."""
    goal = Target.of(draft.relation, draft.domain)
    at = as_fractions(point)
    try:
        if not inside(draft.domain, point):
            return ""
        (left, error), (right, error2) = evaluate(goal.left, at), evaluate(goal.right, at)
    except NoValue:
        return ""
    gap, slack = right - left, error + error2 + MARGIN * (1 + abs(left) + abs(right))
    where = ", ".join(f"{v} = {u}" for v, u in point.items())
    if gap < -slack or (goal.op == "==" and gap > slack):
        return f"off by {mpmath.nstr(abs(gap), 5)} at {where}"
    if goal.strict and abs(gap) <= slack and _is_equality(goal, point):
        return f"an equality at {where}"
    return ""


def _is_equality(goal: Target, point: dict[Symbol, Rational]) -> bool:
    try:
        refute_at(goal, point)
    except (Rejected, ArithmeticError, TypeError, ValueError):
        return False
    return True


def reason_for_falsehood(draft: Draft, rng: random.Random) -> str:
    """A certain violation, or empty."""
    for point in suspicious_points(draft, rng):
        reason = violation_at(draft, point)
        if reason:
            return reason
    return ""


# --- making mutants ----------------------------------------------------------------------------------


def as_text(base: Base, kind: str, draft: Draft, is_true: bool, reason: str) -> Mutant:
    r = draft.relation
    return Mutant(
        base.name, kind, f"{to_text(r.left)} {r.op} {to_text(r.right)}",
        tuple(str(c) for c in draft.domain.relations()),
        tuple(sorted(str(v) for v in draft.domain.integers)), is_true, reason,
    )


def mutate(base: Base, rng: random.Random) -> Mutant | None:
    """One mutant of a problem, or None if its truth is not certain."""
    draft: Draft | None = draft_of(base)
    harmless = base.is_true and rng.random() < 0.35
    table = HARMLESS if harmless else HARMFUL
    names = []
    for _ in range(rng.choice((1, 1, 1, 2, 3) if harmless else (1, 1, 1, 2))):
        mutation = rng.choice(table)
        draft = draft and mutation(draft, rng)
        names.append(mutation.__name__)
    if draft is None or draft.relation.gap == 0:
        return None
    kind = "+".join(names)
    if harmless:
        return read_back(as_text(base, kind, draft, True, "weaker than a true claim"))
    reason = reason_for_falsehood(draft, rng)
    return read_back(as_text(base, kind, draft, False, reason)) if reason else None


def read_back(mutant: Mutant) -> Mutant | None:
    """The mutant, if its text can be read at all."""
    try:
        pose(mutant.claim, mutant.where, integer=mutant.integer)
    except (ParseError, DomainError):
        return None
    return mutant


def mutants(count: int, seed: int, bases: Sequence[Base] | None = None) -> Iterator[Mutant]:
    """Distinct mutants, problem after problem, until there are enough of them."""
    bases = list(bases or corpus())
    rng = random.Random(seed)
    rng.shuffle(bases)
    seen: set[tuple[object, ...]] = set()
    for attempt in range(40 * count):
        try:
            mutant = mutate(bases[attempt % len(bases)], rng)
        except (ParseError, DomainError, ArithmeticError, TypeError, ValueError, RecursionError):
            continue  # the mutation made nonsense
        if mutant is None or (key := (mutant.claim, mutant.where, mutant.integer)) in seen:
            continue
        seen.add(key)
        yield mutant
        if len(seen) == count:
            return


# --- the prover's turn -------------------------------------------------------------------------------


def put(mutant: Mutant, seconds: float) -> Outcome:
    """What the prover says; a false claim gets no refuter and no samples that could save the day.

    For half of the false ones samples do not even choose between moves, so that every rule is tried.
    """
    start = time.monotonic()
    status, detail = "error", ""
    try:
        relation, domain, formal = pose(mutant.claim, mutant.where, integer=mutant.integer)
        blind = not mutant.is_true and zlib.crc32(mutant.claim.encode()) % 2 == 0
        verdict = decide_relation(
            relation, domain, formal=formal, budget=seconds, may_refute=mutant.is_true, blind=blind
        )
        status, detail = verdict.status.value, verdict.method
        if verdict.proof is not None:
            detail = str(verdict.proof.step)
        elif verdict.witness is not None:
            detail = str(verdict.witness.point)
    except NotDefined as reason:
        status, detail = "undefined", str(reason)
    except Exception as reason:  # a crash is reported, and is no proof
        detail = f"{type(reason).__name__}: {reason}"
    return Outcome(mutant, status, time.monotonic() - start, detail)


def run(chosen: Iterable[Mutant], seconds: float) -> list[Outcome]:
    """The outcomes, in the order of the mutants."""
    return [put(mutant, seconds) for mutant in chosen]


def batch(count: int, seed: int, seconds: float) -> list[Outcome]:
    """Make mutants and put them to the prover, in a process of its own."""
    return run(mutants(count, seed), seconds)


def table_of(outcomes: Sequence[Outcome]) -> Table:
    table = Table("mutants", "all", "proved", "refuted", "undecided", "undefined", "error", "violations",
                  title="mutations")
    for truth, name in ((False, "false"), (True, "true")):
        mine = [o for o in outcomes if o.mutant.is_true == truth]
        count = Counter(o.status for o in mine)
        wrong = sum(o.is_violation for o in mine)
        table.add_row(
            name, str(len(mine)),
            *(str(count[s]) for s in ("proved", "refuted", "undecided", "undefined", "error")),
            f"[{'red' if wrong else 'green'}]{wrong}[/]",
        )
    return table


def report(outcomes: Sequence[Outcome], console: Console) -> int:
    console.print(table_of(outcomes))
    decided = sum(o.status in ("proved", "refuted") for o in outcomes)
    slowest = max((o.seconds for o in outcomes), default=0.0)
    console.print(f"{decided} of {len(outcomes)} decided; slowest {slowest:.1f} s")
    for o in outcomes:
        if o.status == "error":
            console.print(f"error: {o.mutant}\n  {o.detail[:300]}", style="yellow", markup=False)
    violations = [o for o in outcomes if o.is_violation]
    for o in violations:
        truth = "TRUE" if o.mutant.is_true else "FALSE"
        console.print(f"{truth} but {o.status}: {o.mutant}\n  {o.detail[:4000]}", style="red", markup=False)
    return 1 if violations else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help=f"{FULL} mutants")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5, help="time per claim")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    count = FULL if options.full else options.count
    start = time.monotonic()
    outcomes: list[Outcome] = []
    sizes = [min(BATCH, count - done) for done in range(0, count, BATCH)]
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(batch, size, options.seed + i, options.seconds)
                   for i, size in enumerate(sizes)]
        for future in as_completed(futures):
            outcomes += future.result()
            wrong = sum(o.is_violation for o in outcomes)
            print(f"{len(outcomes)} of {count} mutants, {wrong} violations, "
                  f"{time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return report(outcomes, Console())


__all__ = ["corpus", "mutants", "rational", "run"]

if __name__ == "__main__":
    sys.exit(main())
