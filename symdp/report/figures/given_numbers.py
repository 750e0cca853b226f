r"""Numbers that a person gives for variables: ``eps = 0.1``, ``k = 10, 100, 1000``.

>>> numbers = read_numbers(["eps = 0.1", "k = 10, 10^3"])
>>> {str(v): list(map(str, several)) for v, several in numbers.items()}
{'eps': ['1/10'], 'k': ['10', '1000']}
>>> [{str(v): str(u) for v, u in at.items()} for at in combinations_of(numbers)]
[{'eps': '1/10', 'k': '10'}, {'eps': '1/10', 'k': '1000'}]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product

from sympy import Expr, Symbol

from symdp.formulas.balls import Refused, ball
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import ParseError, parse_expression
from symdp.numbers.decimals import Enclosure, NotReached, enclose
from symdp.numbers.quantity import BadQuantity, MissingQuantity
from symdp.privacy.composition.composed import enclose_exactly

Numbers = Mapping[Symbol, Expr]
Several = Mapping[Symbol, tuple[Expr, ...]]
#: More rows than this are no table, and more lines no display.
MOST = 200


def read_numbers(texts: Iterable[str]) -> dict[Symbol, tuple[Expr, ...]]:
    """What ``--at`` says; each text is a name, an equals sign and one or several numbers."""
    found: dict[Symbol, tuple[Expr, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not re.fullmatch(r"\w+'*", name.strip()):
            raise BadQuantity(f"--at {text[:60]!r} is not of the form 'eps = 0.1' or 'k = 10, 100'")
        v = symbol(name.strip())
        if v in found:
            raise BadQuantity(f"--at gives {v} twice; several values are written '{v} = 1, 2'")
        found[v] = tuple(_number(value, str(v)) for value in values.split(","))
    total = 1
    for several in found.values():
        total *= len(several)
    if total > MOST:
        raise BadQuantity(f"--at gives {total} combinations, and at most {MOST} are shown")
    return found


def _number(text: str, name: str) -> Expr:
    try:
        value = parse_expression(text)
    except ParseError as reason:
        raise BadQuantity(f"--at {name}: {reason}") from reason
    if value.free_symbols:
        raise BadQuantity(f"--at {name} = {text.strip()[:40]} is not a number")
    return value


def combinations_of(numbers: Several) -> list[dict[Symbol, Expr]]:
    """One value for each variable, in all ways; the last variable moves first."""
    return [dict(zip(numbers, values, strict=True)) for values in product(*numbers.values())]


def value_at(expr: Expr, at: Numbers, digits: int, what: str) -> Enclosure:
    """The expression at these numbers, with that many certain digits.

    >>> from symdp.formulas.notation import eps, k
    >>> print(value_at(k * eps, {k: symbol("k") * 0 + 3, eps: symbol("k") * 0 + 2}, 5, "the sum"))
    6
    """
    missing = sorted(expr.free_symbols - set(at), key=str)
    if missing:
        names = ", ".join(map(str, missing))
        raise MissingQuantity(f"{what} needs a value of {names}; write --at '{missing[0]} = ...'")
    try:
        value = expr.subs(at)
        if value.is_Rational:
            return enclose_exactly(value, digits, "", "")
        return enclose(lambda: ball(value), digits)
    except (Refused, NotReached, ArithmeticError, TypeError, ValueError) as reason:
        raise BadQuantity(f"{what} has no value there: {reason}") from reason
