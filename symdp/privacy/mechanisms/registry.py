r"""Finds the mechanisms: in this folder, and in folders of one's own.

A mechanism is one file with a class in it: its law, its formulas, how it composes, and its ``names`` for the
command line. Nothing else has to be touched.

>>> mechanism("staircase")
<class 'symdp.privacy.mechanisms.noise.staircase.Staircase'>
>>> mechanism("stairs")  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: there is no mechanism 'stairs'; there are bounded-range, ...
>>> read_mechanism("laplace scale=2 sensitivity=1/2 count=10")
(Laplace(scale=2, sensitivity=1/2), 10)
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from symdp import folders
from symdp.folders import BrokenFile, File
from symdp.numbers.quantity import BadQuantity, count, times
from symdp.privacy import mechanisms as here
from symdp.privacy.pairs.pair import Mechanism


def mechanisms() -> dict[str, type[Mechanism]]:
    """The kinds of mechanisms by their names, those of one's own folders after ours."""
    return dict(_known(folders.own()))


def mechanism(name: str) -> type[Mechanism]:
    """The kind of that name."""
    known = _known(folders.own())
    if name not in known:
        raise BadQuantity(f"there is no mechanism {name[:40]!r}; there are {', '.join(known)}")
    return known[name]


def parameters(kind: type[Mechanism]) -> tuple[str, ...]:
    """What it is made with.

    >>> parameters(mechanism("laplace"))
    ('scale', 'sensitivity')
    """
    return tuple(inspect.signature(kind).parameters)


def stated_in(kind: type[Mechanism]) -> str:
    """The file of one's own whose word on a mechanism is taken; empty for ours.

    >>> stated_in(mechanism("laplace"))
    ''
    """
    return "" if kind.__module__.startswith("symdp.privacy.") else Path(inspect.getfile(kind)).name


def read_mechanism(text: str) -> tuple[Mechanism, int]:
    """A mechanism as it is written in a line, and how many of them: 'NAME PARAMETER=VALUE ... [count=N]'.

    Noise that has no parameter epsilon may be asked for by the privacy that it gives; ``group=m``
    is for neighbours that differ in m records.

    >>> read_mechanism("laplace epsilon=1/2")
    (Laplace(scale=2, sensitivity=1), 1)
    >>> read_mechanism("laplace sale=2")
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: laplace has no parameter 'sale'; write laplace scale=... sensitivity=...
    """
    name, *settings = text.replace(",", " ").split() or [""]
    kind = mechanism(name)
    values: dict[str, str] = {}
    known = parameters(kind)
    for setting in settings:
        left, equals, right = setting.partition("=")
        if equals and not right and left in (*known, "count", "group"):
            raise BadQuantity(f"{name}: {left} has no value; write {left}=...")
        if not equals or not right or (left not in known and left not in ("count", "group", "epsilon")):
            raise BadQuantity(f"{name} has no parameter {left!r}; write {name} {' '.join(f'{p}=...' for p in known)}")
        values[left] = right
    many, group = times(values.pop("count", "1"), "count"), count(values.pop("group", "1"), "group")
    make = kind
    if "epsilon" in values and "epsilon" not in known:
        make = getattr(kind, "private", kind)
    try:
        made: Mechanism = make(**values)
    except TypeError as reason:
        raise BadQuantity(f"{name} needs more parameters; write {name} "
                          f"{' '.join(f'{p}=...' for p in known)}") from reason
    return (made.for_group(group) if group > 1 else made), many


@cache
def _known(own: tuple[Path, ...]) -> dict[str, type[Mechanism]]:
    found: dict[str, type[Mechanism]] = {}
    for info in sorted(walk_packages(here.__path__, f"{here.__name__}."), key=lambda i: i.name):
        module = import_module(info.name)
        for kind in vars(module).values():
            if _is_kind(kind) and kind.__module__ == module.__name__:
                found |= dict.fromkeys(kind.names, kind)
    ours = sorted(found.items())
    others = dict(ours)
    for folder in own:
        for file in folders.read(folder).files:
            for fault in _add(file, others):
                warnings.warn(fault, stacklevel=2)
    return others


def _is_kind(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Mechanism) and "names" in vars(value)


def _add(file: File, known: dict[str, type[Mechanism]]) -> Iterator[BrokenFile]:
    """Put in the mechanisms of a file of the user's; yield what is wrong with one."""
    for kind in vars(file.module).values():
        if not _is_kind(kind) or kind.__module__ != file.module.__name__:
            continue
        line = file.line_of(kind.__name__) or 1
        taken = [name for name in kind.names if name in known]
        open_ = sorted(getattr(kind, "__abstractmethods__", ()))
        if taken:
            yield BrokenFile(file.path, line, f"there is a mechanism {taken[0]} already", "give it another name")
        elif open_:
            yield BrokenFile(file.path, line, f"{kind.__name__} does not say its {', '.join(open_)}",
                             "define them, as the files in symdp/privacy/mechanisms do")
        else:
            known |= dict.fromkeys(kind.names, kind)
