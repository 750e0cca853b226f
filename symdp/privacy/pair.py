"""A mechanism seen through a pair of neighbours: two distributions of its output."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable

import sympy
from sympy import Expr

from symdp.privacy.quantity import Quantity, within


class Mechanism(ABC):  # noqa: B024
    """A pair of distributions: P under one database, Q under its neighbour."""


def parameter(value: Quantity, name: str, read: Callable[[Quantity, str], Expr]) -> Expr:
    """A parameter of a mechanism: an expression with variables as it is, a number if it reads."""
    if isinstance(value, Expr) and value.free_symbols:
        if value.atoms(sympy.Float):
            raise TypeError(f"{name} has a floating-point number in it; write Rational('0.1')")
        return value
    return read(value, name)


def positive(value: Quantity, name: str) -> Expr:
    """A number greater than zero."""
    return within(value, name, 0, None, open_below=True)
