r"""What becomes of a chain below and above a point: x is not 0 in the text, or 1 - q is divided by.

What differs is smaller or larger: proved is what both cases prove, refuted what one of them refutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sympy import Expr, Pow, degree, roots

from symdp.formulas.relation import Op, Relation
from symdp.papers.finding import Finding
from symdp.papers.verdicts.ends_left_out import NOT_DEFINED
from symdp.papers.verdicts.together import CONTRADICT
from symdp.papers.work import Work
from symdp.sources.derivations.expressions import relation_variables, variables_of

#: From the best that may become of a relation to what is reported.
_BADNESS = ("proved", "argued", "gap", "undecided", "refuted")
Judged = Callable[[Work], tuple[Finding, ...]]


def pair_that_differs(work: Work) -> tuple[Expr, Expr] | None:
    """x and 0, where the text says that x is not 0 and the chain speaks of x."""
    names = frozenset().union(*map(variables_of, _expressions(work)))
    for context in work.contexts:
        for one, other in context.unequal:
            if relation_variables(Relation(one, "<", other)) & names:
                return one, other
    return None


def in_two_cases(work: Work, pair: tuple[Expr, Expr], judged: Judged) -> tuple[Finding, ...]:
    """The findings where the text says that the pair differs."""
    return tuple(_worse(below, above, pair) for below, above in zip(*_cases(work, pair, judged), strict=True))


def beside_a_pole(work: Work, found: tuple[Finding, ...], judged: Judged) -> tuple[Finding, ...]:
    """What becomes of (1 - q^n)/(1 - q) for q > 0: that q is not 1 goes without saying; the message says it."""
    lacking = [f.verdict == "undecided" and NOT_DEFINED in f.message for f in found]
    poles = _poles(work) if any(lacking) else frozenset()
    if len(poles) != 1:
        return found
    (pair,) = poles
    said = f"{pair[0]} != {pair[1]}"
    beside = []
    in_mind = any(pair[0] in relation_variables(r) for context in work.contexts for r in context.perhaps)
    for at_all, lacks, below, above in zip(found, lacking, *_cases(work, pair, judged), strict=True):
        inside = _worse(below, above, pair)
        if inside.verdict in ("proved", "argued"):
            why = f"where it is defined, that is for {said}, which the text does not say"
            inside = replace(inside, verdict="argued", certificate=None, missing=(said,), message=why)
        elif in_mind and {below.verdict, above.verdict} != {"refuted"}:
            inside = at_all  # the author may mean one of the two cases
        beside.append(inside if lacks and inside.verdict in ("argued", "refuted") else at_all)
    return tuple(beside)


def _expressions(work: Work) -> list[Expr]:
    return [e for e in (*work.sides, *(e for needs in work.needs for e in needs)) if e is not None]


def _poles(work: Work) -> frozenset[tuple[Expr, Expr]]:
    """The names that a chain divides by their differences to a number, with that number; the text declares them."""
    declared = frozenset.intersection(*(c.declared for c in work.contexts))
    looked_at = {(r.left, r.right) for c in work.contexts for r in c.relations if r.op in ("<", ">")}
    found = set()
    for power in {p for e in _expressions(work) for p in e.atoms(Pow)}:
        names = list(power.base.free_symbols)
        if not (power.exp.is_Integer and power.exp < 0) or len(names) != 1 or names[0] not in declared:
            continue
        linear = power.base.is_polynomial(names[0]) and degree(power.base, names[0]) == 1
        zeros = roots(power.base, names[0]) if linear else ()
        found |= {(names[0], zero) for zero in zeros if zero.is_Rational and (names[0], zero) not in looked_at}
    return frozenset(found)


def _cases(work: Work, pair: tuple[Expr, Expr], judged: Judged) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    def where(op: Op) -> tuple[Finding, ...]:
        supposed = tuple(c.supposing(Relation(pair[0], op, pair[1])) for c in work.contexts)
        return judged(replace(work, contexts=supposed))

    return where("<"), where(">")


def _worse(below: Finding, above: Finding, pair: tuple[Expr, Expr]) -> Finding:
    """Of a relation in two cases, the verdict that it has in all."""
    there = [f for f in (below, above) if f.message != CONTRADICT] or [below]  # x < 0 is no case where x >= 0
    worst = max(there, key=lambda f: _BADNESS.index(f.verdict) if f.verdict in _BADNESS else -1)
    if worst.verdict == "proved":
        worst = replace(worst, message=f"in the two cases {pair[0]} < {pair[1]} and {pair[0]} > {pair[1]}")
    said = tuple(h for h in worst.hypotheses if h[1])
    return replace(worst, hypotheses=said, seconds=below.seconds + above.seconds)
