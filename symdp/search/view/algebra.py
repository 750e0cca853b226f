r"""Questions about polynomials, put to the solver z3. Not trusted.

The gap is a quotient of sums of monomials over atoms (see :mod:`symdp.kernel.algebra.normal_form`). Each
generator becomes an unknown real number about which only this is said: the enclosure of what it
stands for on the domain, and, if it is a root, which power of it is which polynomial. If no values
of the unknowns make the gap negative, none of the true ones do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import z3
from flint import arb, fmpq

from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.numbers.domain import Domain
from symdp.numbers.ranges import NEG_INF, POS_INF, Undefined, Unsupported
from symdp.search.deadline import spend
from symdp.search.view.goals import Target, range_on
from symdp.search.view.identity import ONE, AlgebraOfExpressions, Exponent, Monomial, Poly, Quotient

#: z3's own count of its work, which unlike seconds does not depend on the machine.
LARGEST_EFFORT = 100_000_000
MOST_MONOMIALS = 400
#: Powers and roots of a higher order are not written out for z3.
FINEST = 24
#: The work that a question counts for: few take longer.
A_QUESTION = 0.005
#: Seconds after which a single question is given up, however little work z3 has counted.
MOST_PATIENCE = 60.0
#: Milliseconds after which a question is put anew.
SOON = 500
_patience = MOST_PATIENCE


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Give up each question after that time, as a search must; a check of a proof need not."""
    global _patience
    before, _patience = _patience, min(MOST_PATIENCE, max(0.01, seconds))
    try:
        yield
    finally:
        _patience = before


class Satisfiable(Rejected):
    """There are values of the atoms at which the goal fails, and all that was said of them holds."""


def unsatisfiable(
    goal: Target, facts: Iterable[Relation] = (), effort: int = LARGEST_EFFORT
) -> bool:
    """Whether z3 shows that the goal cannot fail on its domain, given the facts."""
    return bool(answer_to(goal, facts, effort) == z3.unsat)


def shown_by_z3(goal: Target, facts: Iterable[Relation], effort: int) -> None:
    """Raise Rejected unless z3 shows it; Satisfiable where less than these facts cannot show it either."""
    answer = answer_to(goal, facts, effort)
    if answer == z3.sat:
        raise Satisfiable("z3 has values at which it fails")
    if answer != z3.unsat:
        raise Rejected("z3 did not show that the negation is impossible")


def answer_to(goal: Target, facts: Iterable[Relation], effort: int) -> z3.CheckSatResult:
    """What z3 says of the question whether the goal can fail."""
    if not 0 < effort <= LARGEST_EFFORT:
        raise Rejected(f"the effort of z3 must lie between 1 and {LARGEST_EFFORT}")
    algebra = AlgebraOfExpressions()
    question = [(algebra.normal(goal.gap), "<=" if goal.strict else "<")]
    known = [
        (algebra.normal(c.gap), {"==": "==", ">": ">", "<": ">"}.get(c.op, ">="))
        for c in (*goal.domain.conditions, *goal.domain.facts, *facts)
    ]
    spend(A_QUESTION)
    # seconds on the wall: many times as many, so that on a busy machine the effort still decides
    longest = int(5_000 * _patience)
    answer, why = _asked(algebra, goal.domain, [*question, *known], z3.main_ctx(), effort, min(SOON, longest))
    if answer == z3.unknown and longest > SOON and "resource" not in why:
        # What z3 does depends on all that its context has seen: rarely it is lost in a question that it
        # answers at once in a context of its own. Those are not made for each one: they take longer.
        answer, _ = _asked(algebra, goal.domain, [*question, *known], z3.Context(), effort, longest)
    return answer


def _asked(algebra: AlgebraOfExpressions, domain: Domain, constraints: Sequence[tuple[Quotient, str]],
           context: z3.Context, effort: int, milliseconds: int) -> tuple[z3.CheckSatResult, str]:
    """Whether all of the constraints can hold, and the reason if that is not known."""
    translation = _Translation(algebra, domain, [q for q, _ in constraints], context)
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", effort)
    solver.set("timeout", milliseconds)
    for quotient, op in constraints:
        solver.add(translation.compare(quotient, op))
    solver.add(*translation.background())
    answer = solver.check()
    return answer, solver.reason_unknown() if answer == z3.unknown else ""


class _Translation:
    """Generators as z3 variables; a generator with fractional powers stands for its smallest root."""

    def __init__(self, algebra: AlgebraOfExpressions, domain: Domain, quotients: Iterable[Quotient],
                 context: z3.Context) -> None:
        self.algebra, self.domain, self.context = algebra, domain, context
        #: how fine a root of each generator the unknown stands for
        self.fineness: dict[int, int] = {}
        self._survey([p for q in quotients for p in q])
        self.unknown = {g: z3.Real(f"g{g}", self.context) for g in self.fineness}

    def compare(self, quotient: Quotient, op: str) -> z3.BoolRef:
        n, d = self.poly(quotient[0]), self.poly(quotient[1])
        if quotient[1] == ONE:
            return {"<": n < 0, "<=": n <= 0, ">": n > 0, ">=": n >= 0, "==": n == 0}[op]
        above = {"<": n < 0, "<=": n <= 0, ">": n > 0, ">=": n >= 0, "==": n == 0}[op]
        below = {"<": n > 0, "<=": n >= 0, ">": n < 0, ">=": n <= 0, "==": n == 0}[op]
        return z3.Or(z3.And(d > 0, above), z3.And(d < 0, below))

    def _survey(self, polys: list[Poly]) -> None:
        """See which powers occur, also in what the roots are roots of."""
        while polys:
            for m in polys.pop():
                for g, e in m:
                    if g not in self.fineness:
                        polys.extend(self.algebra.root_of(g) or ())
                    self.fineness[g] = math.lcm(self.fineness.get(g, 1), e.denominator)

    def poly(self, p: Poly) -> z3.ArithRef:
        if len(p) > MOST_MONOMIALS:
            raise Rejected("too many monomials for the algebraic leaf")
        return z3.Sum([self._monomial(m, c) for m, c in p.items()] or [z3.RealVal(0, self.context)])

    def _monomial(self, m: Monomial, c: fmpq) -> z3.ArithRef:
        term = z3.Q(int(c.p), int(c.q), self.context)
        for g, e in m:
            term = term * self._power(g, e)
        return term

    def _power(self, g: int, e: Exponent) -> z3.ArithRef:
        """Each generator is one unknown u with g = u^q for a fixed q; u is positive if q > 1."""
        n = int(self.fineness[g] * e)
        if abs(n) > FINEST:
            raise Rejected(f"the exponent {n} is too large for the algebraic leaf")
        power = _repeated(self.unknown[g], abs(n))
        return power if n >= 0 else 1 / power

    def background(self) -> list[z3.BoolRef]:
        """What is known of the unknowns: their ranges, and what roots are roots of."""
        known: list[z3.BoolRef] = []
        if max(self.fineness.values(), default=1) > FINEST:
            raise Rejected(f"a root of order {max(self.fineness.values())} is too fine for the algebraic leaf")
        for g, u in self.unknown.items():
            whole = _repeated(u, self.fineness[g])
            if self.fineness[g] > 1:
                known.append(u >= 0)
            inside = self.algebra.root_of(g)
            if inside is not None:
                n, d = inside
                known.append(whole * self.poly(d) == self.poly(n))
            known += self._range(g, whole)
        return known

    def _range(self, g: int, value: z3.ArithRef) -> list[z3.BoolRef]:
        try:
            r = range_on(self.algebra.meaning[g], self.domain)
        except (Undefined, Unsupported):
            return []
        known: list[z3.BoolRef] = []
        if r.lo > NEG_INF:
            low = _rational(r.lo, self.context)
            known.append(value > low if r.lo_open else value >= low)
        if r.hi < POS_INF:
            high = _rational(r.hi, self.context)
            known.append(value < high if r.hi_open else value <= high)
        return known


def _repeated(u: z3.ArithRef, n: int) -> z3.ArithRef:
    power = u if n else z3.RealVal(1, u.ctx)
    for _ in range(n - 1):
        power = power * u
    return power


def _rational(end: arb, context: z3.Context) -> z3.RatNumRef:
    """An exact Arb number as a rational: its mantissa times a power of two."""
    mantissa, exponent = end.mid().man_exp()
    m, e = int(mantissa), int(exponent)
    if abs(e) > 4000:
        raise Rejected("a range is too extreme for the algebraic leaf")
    return z3.Q(m * 2**e, 1, context) if e >= 0 else z3.Q(m, 2**-e, context)
