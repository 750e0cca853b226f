r"""The remainder of an expansion as goals of the kernel.

The driver computes a constant and a neighbourhood in ball arithmetic, by code that the kernel does not check. What
it finds are two relations near the point, ``-C scale <= f - terms <= C scale``, and as such goals like any other.

>>> from symdp.arguments.series.expanding import expand
>>> found = remainder(expand("exp(x)", "x", 0, 2, where=["x > 0"]))
>>> found.verdict, [str(p.goal.claim) for p in found.proofs]
('proved', ['exp(x) - (1 + x) <= 11/15*x^2', '-11/15*x^2 <= exp(x) - (1 + x)'])
>>> remainder(expand("sin(x)/x", "x", 0, 2, where=["x > 0"]), budget=0.01).verdict
'argued'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sympy import Abs

from symdp.arguments.series.expansion import Expansion
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.goals import Goal, IllFormed
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Proof
from symdp.kernel.terms import add, mul
from symdp.kernel.values.ranges import Unsupported
from symdp.numbers.domain import Domain, DomainError, hypotheses_of, sorts_of
from symdp.search.prove import NotDefined, decide_relation
from symdp.search.reasons import Trust

#: What is said of a bound that the kernel has not proved.
WORDS = "the code that computes the remainder in ball arithmetic, which the kernel does not check"


@dataclass(frozen=True)
class Remainder:
    """The bound of a remainder, and what the kernel has of it: proofs for all sides of the point, or none."""

    proofs: tuple[Proof, ...]

    @property
    def verdict(self) -> str:
        return "proved" if self.proofs else "argued"

    @property
    def trust(self) -> Trust:
        if not self.proofs:
            return Trust.of(words=[WORDS])
        return Trust.of(theorems=frozenset().union(*(p.trust for p in self.proofs)),
                        rules=frozenset().union(*(p.rules for p in self.proofs)))

    def as_json(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "goals": [str(p.goal) for p in self.proofs], **self.trust.as_json()}


def goals(found: Expansion) -> Iterator[tuple[Relation, Domain, Goal]]:
    """The bound from above and from below, on each side of the point: as SymPy sees it, and as the kernel does."""
    sides = [replace(found, side=side) for side in "+-"] if found.side == "+-" else [found]
    for one in sides:
        variables = {one.variable, *one.expr.free_symbols, *one.sum.free_symbols, *one.constant.free_symbols}
        domain = Domain.of([*one.where(), *one.parameters.relations()], one.parameters.integers, variables)
        if one.is_exact:
            claim = Formal(term_of(one.expr), "==", term_of(one.sum))
            yield Relation(one.expr, "==", one.sum, written=claim), domain, _goal(domain, claim)
            continue
        distance = one.variable - one.at
        scale = one.scale.xreplace({Abs(distance): distance if one.side == "+" else -distance})
        bound = one.constant * scale
        rest = term_of(one.expr) - add(*map(term_of, one.terms)) if one.terms else term_of(one.expr)
        limit = mul(term_of(one.constant), term_of(scale))
        for seen, claim in ((Relation(one.expr - one.sum, "<=", bound), Formal(rest, "<=", limit)),
                            (Relation(-bound, "<=", one.expr - one.sum), Formal(-limit, "<=", rest))):
            yield replace(seen, written=claim), domain, _goal(domain, claim)


def _goal(domain: Domain, claim: Formal) -> Goal:
    return Goal(sorts_of(domain), hypotheses_of(domain), claim)


def remainder(found: Expansion, budget: float = 5.0) -> Remainder:
    """What the kernel has of the bound; proved only if it has all sides."""
    proofs: list[Proof] = []
    try:
        for relation, domain, goal in goals(found):
            verdict = decide_relation(relation, domain, formal=goal, budget=budget)
            if not isinstance(verdict.formal, Proof) or verdict.formal.goal != goal:
                return Remainder(())
            proofs.append(verdict.formal)
    except (NotATerm, NotDefined, DomainError, IllFormed, Unsupported, ValueError, ArithmeticError):
        return Remainder(())
    return Remainder(tuple(proofs))
