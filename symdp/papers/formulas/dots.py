r"""$1 + 2 + \dots + n$: terms that are not written, where those that are leave one reading.

The last term, with a variable of it running, has to give the first ones in their order; members of a family count
as such by one of them, other terms by two. If two variables would do, or none, nothing is read.

>>> from symdp.formulas.notation import symbol
>>> n, q = symbol("n"), symbol("q")
>>> continued([Integer(1), Integer(2)], n)
Sum(i, (i, 1, n))
>>> continued([Integer(1), q, q**2], q ** (n - 1))
Sum(q**(i - 1), (i, 1, n))
>>> continued([symbol("a_1")], symbol("a_n"))
Sum(a[i], (i, 1, n))
>>> continued([Integer(1), Integer(4)], n) is None, continued([Integer(1)], n) is None
(True, True)
>>> continued([Integer(1), Integer(4)], n**2)
Sum(i**2, (i, 1, n))
>>> continued([Integer(1), Integer(2)], 2**n) is None, continued([Integer(1), Integer(2), Integer(4)], 2**n)
(True, Sum(2**i, (i, 0, n)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sympy import Expr, Indexed, IndexedBase, Integer, Sum, Symbol

from symdp.formulas.notation import symbol
from symdp.formulas.vocabulary import is_variable

#: With which value the running variable may begin.
_BEGINNINGS = (1, 0, 2, 3, -1)
_INDICES = ("i", "j", "l", "m", "s", "r")


def continued(leading: Sequence[Expr], last: Expr) -> Sum | None:
    """The sum of the leading terms, those between, and the last; None where its terms are not plain."""
    taken = {str(v) for term in (*leading, last) for v in term.free_symbols}
    taken |= {part for name in taken for part in name.split("_")}
    index = next((symbol(name) for name in _INDICES if name not in taken), None)
    if index is None or not leading:
        return None
    found = []
    for v, members in _running(last):
        if len(leading) < (1 if members else 2):
            continue
        body = last.xreplace({**{name: IndexedBase(base)[index] for name, base in members.items()}, v: index})
        for begin in _BEGINNINGS:
            if all(_at(body, index, begin + place) == term for place, term in enumerate(leading)):
                if len(leading) == 2 and not members and not _is_even(body, index, leading):
                    return None
                found.append(Sum(body, (index, Integer(begin), v)))
                break
    return found[0] if len(found) == 1 else None


def _running(last: Expr) -> Iterable[tuple[Symbol, dict[Symbol, Symbol]]]:
    """The variables that may run in the last term, each with the members of families at that place."""
    ends = {str(v).rpartition("_")[2] for v in last.free_symbols if "_" in str(v)}
    names = {*(str(v) for v in last.free_symbols), *(end for end in ends if end.isalpha())}
    for name in sorted(n for n in names if is_variable(n)):
        v = symbol(name)
        members = {u: symbol(str(u)[: -len(name) - 1]) for u in last.free_symbols if str(u).endswith(f"_{name}")}
        yield v, members


def _is_even(body: Expr, index: Symbol, leading: Sequence[Expr]) -> bool:
    """Whether two terms are enough: 1 + 2 + ... may go on with 3 or with 4, where n does not tell and 2^n may."""
    first, second = leading
    if first.is_zero or not (second / first).is_Rational:
        return True
    for terms, one, two in ((body, first, second), (1 / body, 1 / first, 1 / second)):
        if terms.is_polynomial(index) and terms.as_poly(index).degree() == 1:
            return True
        # the last term may also be one of those with equal steps: 2^n is among 1, 2, 3, ...
        steps = [((terms.xreplace({index: Integer(i)}) - one) / (two - one)).simplify() for i in range(2, 9)]
        if all(step.is_Integer for step in steps):
            return False
    return True


def _at(body: Expr, index: Symbol, value: int) -> Expr:
    there = body.xreplace({index: Integer(value)})
    named = {m: symbol(f"{m.base.label}_{value}") for m in there.atoms(Indexed)}
    return there.xreplace(named)
