"""A chain of a paper with all that its verdict depends on: what the reader hands to the judge."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp.formulas.relation import Op, Relation
from symdp.papers.finding import Finding
from symdp.papers.sentences.context import InForce


@dataclass(frozen=True)
class Work:
    """A chain for the judge: its sides (None where one is not read), its signs, and a finding for each of them."""

    findings: tuple[Finding, ...]
    sides: tuple[Expr | None, ...]
    needs: tuple[tuple[Expr, ...], ...]
    ops: tuple[Op | None, ...]
    contexts: tuple[InForce, ...]
    #: what is known of quantities with a name, and how they are typed
    facts: tuple[Relation, ...] = ()
    typed: tuple[tuple[str, str], ...] = ()
    #: the words before it say that it is claimed; the sentence may deny it; a step from a premise
    explicit: bool = False
    denied: bool = False
    premise: tuple[Relation, ...] = ()
    #: integrals and infinite sums whose values were computed, by code that is not the kernel's
    computed: tuple[str, ...] = ()
    #: what it is where nothing is found for or against it: a reason that is given counts as assumed
    otherwise: str = ""
    #: a word by which its sentence says something else than the relation under its conditions
    beyond: str = ""
    #: it stands behind an arrow in both directions
    both_ways: bool = False
    #: what the union bound says of its probabilities
    unions: tuple[Relation, ...] = ()

    @property
    def claimed(self) -> frozenset[Relation]:
        """What it claims itself, which is no reason for it."""
        return frozenset(
            Relation(left, op, right)
            for left, op, right in zip(self.sides, self.ops, self.sides[1:], strict=False)
            if op is not None and left is not None and right is not None
        )


Entry = Finding | Work
