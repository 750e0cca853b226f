"""Proving: a small trusted kernel, and untrusted tactics that propose to it.

>>> from symdp.proving import check
>>> check("cosh(x) <= exp(0.499*x^2)").status.value
'refuted'
"""

from __future__ import annotations

from typing import Any

__all__ = ["check"]


def __getattr__(name: str) -> Any:
    # Loaded when used: `symdp.domain` needs the enclosures of this package, but no search.
    if name in __all__:
        from symdp.proving import settling

        return getattr(settling, name)
    raise AttributeError(f"module 'symdp.proving' has no attribute {name!r}")
