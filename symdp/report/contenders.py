r"""Bounds side by side: what is compared, and the epsilon that each gives at given numbers.

A bound is named as `symdp compose --bounds` names it (`basic`, `advanced`, `simplified`, ...), by the
id of a statement or a claim that has it (`kov/thm-3.4`), or is `exact`: the smallest epsilon of all,
by Theorem 3.3, at the total delta 1 - (1-delta)^k (1-slack) that Theorem 3.4 allows.

>>> from symdp.report.figures.given_numbers import combinations_of, read_numbers
>>> (at,) = combinations_of(read_numbers(["eps = 0.1", "k = 100", "slack = 1e-6"]))
>>> for one in contenders(["basic", "kov/thm-3.4", "exact"]):
...     print(one.name, one.epsilon(at, digits=6))
basic 10
kov/thm-3.4 5.7561055
exact 4.7745676
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr, Integer, Symbol

from symdp.formulas.notation import delta, eps, k, slack
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, MissingQuantity
from symdp.privacy.accounting.bounds import BOUNDS, BRANCHES, PRODUCT, Bound, by_name
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.report.figures.given_numbers import Numbers, value_at
from symdp.sources.registry import UnknownId, lookup, statement
from symdp.sources.statement import Guarantee, Statement

EXACT = "exact"
#: What is compared where nobody says what.
USUAL = ("basic", "advanced", "simplified", EXACT)

_KOV, _NOTE, _POST = "kairouz2013composition", "dwork2014foundations", "steinke2022post"
#: A heading for a column and the reference, for bounds that are named and not found by an id.
_PLACES = {
    "basic": ("Theorem 3.1", _KOV), "advanced": ("Theorem 3.2", _KOV), "simplified": ("Theorem 3.4", _KOV),
    "simplified-for-small-epsilon": ("Theorem 3.4, simplified", _KOV), "note": ("the note", _NOTE),
    "blog": ("the post", _POST), "zcdp": ("concentrated", _POST), "renyi": ("Renyi", "mironov2017renyi"),
    "linear": ("Theorem 3.4, branch 1", _KOV), "logarithmic": ("Theorem 3.4, branch 2", _KOV),
    "classic": ("Theorem 3.4, branch 3", _KOV),
    "logarithmic-for-small-epsilon": ("Theorem 3.4, simplified, 2", _KOV),
    "classic-for-small-epsilon": ("Theorem 3.4, simplified, 3", _KOV), EXACT: ("exact", _KOV),
}


@dataclass(frozen=True)
class Contender:
    """A bound on the epsilon in total, or the exact one."""

    name: str
    heading: str
    #: a key of ``references.bib``
    cite: str
    #: None where there is no formula to put numbers into
    formula: Expr | None = None
    bound: Bound | None = None

    @property
    def symbols(self) -> frozenset[Symbol]:
        """What has to be known for a number to come out."""
        if self.formula is None:
            return frozenset({eps, k, slack})
        return frozenset(self.formula.free_symbols)

    def epsilon(self, at: Numbers, digits: int) -> Enclosure:
        """The epsilon in total at these numbers; BadQuantity says what is missing."""
        if self.formula is not None:
            return value_at(self.formula, at, digits, self.name)
        missing = sorted(self.symbols - set(at), key=str)
        if missing:
            names = ", ".join(map(str, missing))
            raise MissingQuantity(f"{self.name} needs a value of {names}; write --at '{missing[0]} = ...'")
        values = {delta: Integer(0), **at}
        each, leak, many = values[eps], values[delta], values[k]
        if not many.is_Integer:
            raise MissingQuantity(f"{self.name} is for a whole number of mechanisms, not k = {many}")
        total = PRODUCT.closed_form.subs(values)
        if self.bound is not None:
            return self.bound.epsilon([(each, leak, int(many))], total, digits)
        return Homogeneous(each, leak, int(many)).epsilon(total, digits)


def contenders(names: Iterable[str]) -> list[Contender]:
    """The bounds of these names or ids, each once."""
    return [_contender(name) for name in dict.fromkeys(names)]


def known_bounds() -> tuple[str, ...]:
    return (*(b.name for b in BOUNDS + BRANCHES), EXACT)


def _contender(name: str) -> Contender:
    if name == EXACT:
        return Contender(name, *_PLACES[name])
    if name in known_bounds():
        bound = by_name(name)
        heading, cite = _PLACES[name]
        if name == "renyi":  # its order is chosen for the numbers, so that no formula says it all
            return Contender(name, heading, cite, bound=bound)
        return Contender(name, heading, cite, bound.closed_form())
    if "/" not in name:
        raise UnknownId(f"there is no bound {name[:60]!r}; there are {', '.join(known_bounds())}, "
                        "and the ids of statements that have a formula")
    return _of_the_literature(name)


def _of_the_literature(id: str) -> Contender:
    found, home = lookup(id), statement(id)
    if isinstance(found, Statement):
        formula = found.formulas.get("epsilon in total", next(iter(found.formulas.values()), None))
    else:
        formula = found.epsilon if isinstance(found, Guarantee) else None
    if formula is None:
        raise BadQuantity(f"{id} has no closed form that could be compared")
    heading = home.place.label if isinstance(found, Statement) or not found.name else \
        f"{home.place.label}, {found.name}"
    return Contender(id, heading, home.source.cite, formula)
