r"""Terms as a rational factor times one thing, plus a rational offset. **Trusted.**

>>> from symdp.kernel.terms import number, variable
>>> x, y = variable("x"), variable("y")
>>> one, other = canonical(number(2) * (x - y) + number(1)), canonical((y - x) / number(3))
>>> one[0] == other[0], one[1] / other[1], one[2] - other[2]
(True, -6, 1)
"""

from __future__ import annotations

from collections.abc import Hashable

from flint import fmpq

from symdp.kernel.terms import Term

_Form = tuple[dict[Term, fmpq], fmpq]
_MOST_ATOMS = 50
_LONGEST = 2000
_HEADS = ("+", "-", "neg", "*", "/")


def canonical(term: Term) -> tuple[Hashable, fmpq, fmpq] | None:
    """(key, factor, offset): wherever the term is defined it is factor * thing(key) + offset, where
    equal keys mean equal things, and the factor is not 0. None if there is no such form."""
    form = _linear(term)
    if form is None or not form[0]:
        return None
    atoms, offset = form
    # Any atom may lead, if it is the same one for equal terms.
    factor = atoms[min(atoms, key=id)]
    return frozenset((a, c / factor) for a, c in atoms.items()), factor, offset


def constant_of(term: Term) -> fmpq | None:
    """The number that a term is wherever it is defined, if its atoms cancel.

    >>> from symdp.kernel.terms import number, variable
    >>> constant_of(variable("k") + number(1) - variable("k"))
    1
    """
    form = _linear(term) if term.size <= 500 else None
    return form[1] if form is not None and not form[0] else None


def _linear(term: Term) -> _Form | None:
    forms: dict[Term, _Form] = {}
    stack = [term]
    while stack:
        part = stack[-1]
        if part in forms:
            stack.pop()
            continue
        missing = [a for a in part.args if a not in forms] if part.head in _HEADS else []
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        forms[part] = _form(part, [forms[a] for a in part.args] if part.head in _HEADS else [])
        atoms, offset = forms[part]
        if len(atoms) > _MOST_ATOMS or any(c.height_bits() > _LONGEST for c in (*atoms.values(), offset)):
            return None
    return forms[term]


def _form(part: Term, args: list[_Form]) -> _Form:
    head = part.head
    if head == "number":
        return {}, part.value
    if head in ("+", "-", "neg"):
        atoms: dict[Term, fmpq] = {}
        offset = fmpq(0)
        for place, (more, constant) in enumerate(args):
            sign = -1 if head == "neg" or (head == "-" and place == 1) else 1
            offset += sign * constant
            for a, c in more.items():
                atoms[a] = atoms.get(a, fmpq(0)) + sign * c
        return {a: c for a, c in atoms.items() if c != 0}, offset
    if head == "*":
        factor = fmpq(1)
        kept: _Form | None = None
        for form in args:
            if not form[0]:
                factor *= form[1]
            elif kept is None:
                kept = form
            else:
                return {part: fmpq(1)}, fmpq(0)
        return _scaled(kept or ({}, fmpq(1)), factor)
    if head == "/" and not args[1][0] and args[1][1] != 0:
        return _scaled(args[0], 1 / args[1][1])
    return {part: fmpq(1)}, fmpq(0)


def _scaled(form: _Form, factor: fmpq) -> _Form:
    return ({a: factor * c for a, c in form[0].items()} if factor != 0 else {}), factor * form[1]
