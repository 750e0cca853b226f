"""The figures of the sources, by the name of the claim that prints them.

>>> known_figures()
()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: name of a figure -> a function that draws it into new axes, or into those that are given
FIGURES: dict[str, Callable[..., Any]] = {}


def known_figures() -> tuple[str, ...]:
    return tuple(sorted(FIGURES))
