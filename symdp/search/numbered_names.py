r"""A search that cannot see names: variables are numbered in the order in which a goal mentions them.

SymPy sorts by name, so that a search on the names of a paper finds one thing with ``eps`` and another with
``x``. Here the names are taken away before the search and given back to what it found; the kernel then checks
that on the goal as it was written. A name that the search made up makes way for one of the paper's.

>>> from symdp.numbers.domain import goal_of
>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_relation
>>> relation = parse_relation("y*exp(x) <= y + 1")
>>> naming = Naming.of(goal_of(relation, Domain.of([], variables=relation.symbols)))
>>> print(naming.hide(relation))
v01_*exp(v02_) <= v01_ + 1
>>> naming.show("v01_ has no value")
'y has no value'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import Basic, Symbol

from symdp.formulas.relation import Relation
from symdp.kernel.goals import Formula, Goal
from symdp.kernel.proof import Step
from symdp.kernel.terms import Term, fresh, substitute, variable
from symdp.numbers.domain import Domain
from symdp.search.reasons import Reason
from symdp.search.view.goals import Move

_NUMBERED = re.compile(r"v\d\d+_")


class Naming:
    """Names, and the numbers that the search sees instead of them."""

    def __init__(self, names: list[str], taken: frozenset[str]) -> None:
        self.numbers = {name: f"v{i:02d}_" for i, name in enumerate(names, 1)}
        self.names = {number: name for name, number in self.numbers.items()}
        self.taken = taken

    @classmethod
    def of(cls, goal: Goal) -> Naming:
        """In the order of the claim and then of the hypotheses, as they are written."""
        found: dict[str, None] = {}
        for formula in (goal.claim, *goal.hypotheses):
            for side in formula.terms():
                found.update(dict.fromkeys(_mentioned(side)))
        declared = [name for name, _ in goal.sorts]
        return cls([n for n in found if n in declared] + [n for n in declared if n not in found], goal.taken)

    def hide(self, thing: Any) -> Any:
        return renamed(thing, self.numbers)

    def show(self, thing: Any) -> Any:
        """What the search found, in the names of the goal; a text may come from an error, which names variables."""
        if isinstance(thing, Reason):
            return thing.mapped(self.show)
        if isinstance(thing, str):
            return _NUMBERED.sub(lambda m: self.names.get(m[0], m[0]), thing)
        own = _names_in(thing) - self.names.keys()
        names = dict(self.names)
        for name in sorted(own & self.taken):
            names[name] = fresh(name, self.taken | own | set(names.values()))
        return renamed(thing, names)


def _mentioned(term: Term) -> Iterator[str]:
    """The variables from left to right."""
    seen, stack = set(), [term]
    while stack:
        t = stack.pop()
        if t not in seen:
            seen.add(t)
            stack.extend(reversed(t.args))
            if t.head == "variable":
                yield t.value


def renamed(thing: Any, names: Mapping[str, str]) -> Any:
    """The same with other names for variables, all at once; a text is a name or a word that is none."""
    def within(part: Any) -> Any:
        return renamed(part, names)

    match thing:
        case str():
            return names.get(thing, thing)
        case Term():
            inside = thing.variables & names.keys()
            return substitute(thing, {n: variable(names[n]) for n in inside}) if inside else thing
        case Formula():
            return thing.substitute({n: variable(names[n]) for n in thing.variables & names.keys()})
        case Goal():
            sorts = tuple(sorted((names.get(n, n), sort) for n, sort in thing.sorts))
            return replace(thing, sorts=sorts, hypotheses=within(thing.hypotheses), claim=within(thing.claim),
                           facts=within(thing.facts))
        case Basic():
            return thing.xreplace({v: Symbol(names[v.name]) for v in thing.free_symbols if v.name in names})
        case Relation():
            return Relation(within(thing.left), thing.op, within(thing.right), within(thing.needs),
                            within(thing.written))
        case Domain():
            return Domain(within(thing.intervals), within(thing.integers), within(thing.conditions),
                          within(thing.facts))
        case Move() if thing.rule == "lemma":  # whose own variables are none of the goal's
            at = tuple((v, within(e)) for v, e in thing.parameters["at"])
            return Move(thing.rule, {**thing.parameters, "at": at}, within(thing.premises))
        case Step() if thing.rule == "aside":  # whose values belong to names that change with the rest
            values = {within(n): within(value) for n, value in thing.parameters["at"].items()}
            return Step(thing.rule, {**within(thing.parameters), "at": values}, within(thing.premises))
        case Move() | Step():
            return type(thing)(thing.rule, within(thing.parameters), within(thing.premises))
        case Mapping():
            return {within(k) if isinstance(k, Symbol) else k: within(v) for k, v in thing.items()}
        case tuple() | list() | frozenset():
            return type(thing)(map(within, thing))
        case _:
            return thing


def _names_in(thing: Any) -> set[str]:
    match thing:
        case Term() | Formula():
            return set(thing.variables)
        case Basic():
            return {v.name for v in thing.free_symbols}
        case Relation():
            return {v.name for v in thing.symbols}
        case Move() if thing.rule == "lemma":
            return _names_in(([e for _, e in thing.parameters["at"]], thing.premises))
        case Move() | Step():
            return _names_in((thing.parameters, thing.premises))
        case Mapping():
            return _names_in((*thing.keys(), *thing.values()))
        case tuple() | list() | frozenset():
            return set().union(*map(_names_in, thing))
        case _:
            return set()
