r"""A figure for a claim: its margin where it holds, the part of the domain where it fails.

A relation in one variable is a curve, in two a map; with more, the others are fixed: at the witness
where there is one. An identity shows both sides, a guarantee the delta that the worst case really
needs beside the one that is promised, an order the ratio that should stay bounded.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from symdp.sources.registry import claim
>>> ax = plot_claim(claim("kov/thm-3.2.centring-helps"))
>>> ax.get_xlabel(), ax.get_yscale()
('$\\varepsilon$', 'log')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from matplotlib import pyplot
from matplotlib.colors import LogNorm
from matplotlib.patches import Patch
from sympy import Expr, Rational, Symbol, oo

from symdp.arguments.guarantees.findings import exact_delta, written_out
from symdp.formulas.balls import Refused
from symdp.formulas.parsing import ParseError, parse_expression
from symdp.numbers.decimals import NotReached
from symdp.numbers.quantity import BadQuantity, quantity, sign
from symdp.report.figures.curves import COLOURS, dress, new_axes
from symdp.report.figures.margins import chart, curve, lengths, values_along
from symdp.report.figures.slices import Axis, NoFigure, Point, Slice, slice_of, variables_in_order
from symdp.sources.statement import Asymptotic, Claim, Guarantee
from symdp.sources.subject import AnySequence
from symdp.typeset.typesetting import inline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from symdp.audit.record import Record

#: Points of a curve, of a side of a map, and of a curve whose values need exact composition.
CURVE, MAP, EXACT = 241, 49, 41
GOOD, BAD, INK = COLOURS[0], COLOURS[1], COLOURS[-1]
#: Lines of a map, on both sides of nothing.
LEVELS = (0.01, 0.03, 0.1, 0.3, 1.0)
#: From orange, where a claim fails, to purple: told apart by readers of every kind of colour vision.
BOTH_SIDES = ("#b35806", "#d6781b", "#f1a340", "#fdc98a", "#fee8cd",
              "#e4e1ef", "#c3bcdc", "#998ec3", "#7561a8", "#542788")


def plot_claim(
    claim: Claim, ax: Axes | None = None, *, witness: Point | None = None,
    against: Iterable[Symbol] = (), at: Point | None = None,
) -> Axes:
    """Draw a claim; ``against`` names the axes, ``at`` fixes variables, ``witness`` is marked."""
    against = tuple(against)
    if len(against) > 2:
        raise NoFigure("a figure has at most two axes")
    if isinstance(claim, Guarantee):
        draw, most = _guarantee, 1
    elif isinstance(claim, Asymptotic):
        draw, most = _order, 1
    elif hasattr(claim, "relation") and claim.relation.op == "==":
        draw, most = _identity, 1
    elif hasattr(claim, "relation"):
        draw, most = _relation, len(against) or 2
    else:
        raise NoFigure(f"{claim.id} ({claim.kind}) is a claim without a formula; there is nothing to draw")
    if most == 1 and len(against) > 1:
        raise NoFigure(f"{claim.id} ({claim.kind}) is drawn against one variable")
    if isinstance(claim, Asymptotic):
        flat = _towards_the_limit(claim, against, at)
        return _drawn(draw, claim, flat, ax)
    reason: NoFigure | None = None
    for shown in [against] if against else _choices(claim, most, at or {}):
        try:
            flat = slice_of(claim, most=most, witness=witness, against=shown, at=at, short=_short(claim))
            return _drawn(draw, claim, flat, ax)
        except Empty as empty:  # a condition may leave nothing of one slice, and enough of another
            reason = reason or empty
    raise reason or NoFigure(f"{claim.id} has no variable to draw it against")


class Empty(NoFigure):
    """The slice has no point with a value in it."""


def _choices(claim: Claim, most: int, given: Point) -> list[tuple[Symbol, ...]]:
    free = [v for v in variables_in_order(claim) if v not in given]
    return list(combinations(free, min(most, len(free))))[:8] if free else []


def _short(claim: Claim) -> frozenset[Symbol]:
    relation = getattr(claim, "relation", None)
    return lengths([relation.left, relation.right]) if relation is not None else frozenset()


def _drawn(draw: Callable[..., None], claim: Claim, flat: Slice, ax: Axes | None) -> Axes:
    axes = new_axes() if ax is None else ax
    try:
        draw(claim, flat, axes)
    except NoFigure:
        if ax is None:
            _close(axes)
        raise
    _label(axes, flat)
    return axes


def _close(ax: Axes) -> None:
    whole = ax.get_figure(root=True)
    if whole is not None:
        pyplot.close(whole)


def _label(ax: Axes, flat: Slice) -> None:
    first, *rest = flat.axes
    ax.set_xlabel(inline(first.variable))
    if rest:
        ax.set_ylabel(inline(rest[0].variable))
    if flat.caption:
        ax.set_title(flat.caption, fontsize="medium")


def _scales(ax: Axes, axes: Sequence[Axis]) -> None:
    for axis, name in zip(axes, "xy", strict=False):
        scale = "log" if axis.logarithmic else "linear"
        ax.set(**{f"{name}scale": scale, f"{name}lim": (axis.low, axis.high)})


# --- relations ------------------------------------------------------------------------------------


def _relation(claim: Any, flat: Slice, ax: Axes) -> None:
    (_map if len(flat.axes) == 2 else _curve)(claim, flat, ax)


def _margin(claim: Any) -> str:
    """What is drawn: positive where the claim holds, whichever side is to be the larger one."""
    gap = "L-R" if claim.relation.op in (">=", ">") else "R-L"
    return rf"margin $({gap})/(|L|+|R|)$"


def _curve(claim: Any, flat: Slice, ax: Axes) -> None:
    points = curve(claim.relation, flat, CURVE)
    across, up = [float(u) for u, _ in points], [m for _, m in points]
    finite = [m for m in up if math.isfinite(m)]
    if not finite:
        raise Empty(f"{claim.id} has no value on the part of the domain that would be drawn")
    fails = [m < 0 for m in up]
    style = {"marker": ".", "linestyle": "none"} if flat.axes[0].integer and len(across) < 40 else {}
    ax.plot(across, up, color=GOOD, linewidth=1.8, **style)  # type: ignore[arg-type]
    _scales(ax, flat.axes)
    positive = [m for m in finite if m > 0]
    if not any(fails) and len(positive) == len(finite) and max(positive) > 100 * min(positive):
        ax.set_yscale("log")
    else:
        ax.axhline(0, color=INK, linewidth=0.8)
    if any(fails):
        ax.fill_between(across, up, 0, where=fails, color=BAD, alpha=0.3, hatch="///", edgecolor=BAD,
                        linewidth=0, label="fails")
    if flat.focus is not None:
        at = float(flat.focus[flat.axes[0].variable])
        ax.axvline(at, color=INK, linestyle=":", linewidth=1.2, label="witness")
    ax.set_ylabel(_margin(claim))
    dress(ax)
    _legend(ax)


def _map(claim: Any, flat: Slice, ax: Axes) -> None:
    across, up, rows = chart(claim.relation, flat, MAP)
    finite = [m for row in rows for m in row if math.isfinite(m)]
    if not finite or len(across) < 2 or len(up) < 2:
        raise Empty(f"{claim.id} has no value on the part of the domain that would be drawn")
    x, y = [float(u) for u in across], [float(v) for v in up]
    ax.set_facecolor("#9993")
    handles: list[Any] = []
    if max(finite) - min(finite) < 1e-9:
        _uniform(ax, x, y, rows, finite[0])
        _scales(ax, flat.axes)
        return
    if min(finite) < 0:
        shown = [[max(-1.0, min(1.0, m)) for m in row] for row in rows]
        levels = [-a for a in reversed(LEVELS)] + [0.0, *LEVELS]
        filled = ax.contourf(x, y, shown, levels=levels, colors=BOTH_SIDES)
        below = [[-1.0 if m < 0 else 1.0 if m >= 0 else math.nan for m in row] for row in rows]
        hatched = ax.contourf(x, y, below, levels=[-2, 0], colors="none", hatches=["///"])
        hatched.set_edgecolor("white")
        hatched.set_linewidth(0)
        ax.contour(x, y, rows, levels=[0.0], colors=INK, linewidths=1.2)
        handles.append(Patch(facecolor=BOTH_SIDES[1], hatch="///", edgecolor="white", linewidth=0,
                             label="fails"))
    elif _wide(finite):
        low = math.floor(math.log10(max(_least(finite), max(finite) * 1e-8)))
        levels = [10.0**e for e in range(low, 1)]
        shown = [[max(levels[0], m) for m in row] for row in rows]
        filled = ax.contourf(x, y, shown, levels=levels, cmap="cividis", norm=LogNorm(levels[0], 1))
    else:
        filled = ax.contourf(x, y, rows, levels=_even(min(finite), max(finite)), cmap="cividis")
    bar = ax.figure.colorbar(filled, ax=ax, format=None if min(finite) >= 0 and _wide(finite) else "%.2g")
    bar.set_label(_margin(claim))
    bar.outline.set_linewidth(0.4)
    _scales(ax, flat.axes)
    if any(math.isnan(m) for row in rows for m in row) and flat.domain.conditions:
        handles.append(Patch(facecolor="#9993", label="outside of the domain"))
    if flat.focus is not None:
        at = [float(flat.focus[axis.variable]) for axis in flat.axes]
        handles += ax.plot(at[:1], at[1:], "o", color="white", markeredgecolor="black", markersize=6,
                           label="witness", linestyle="none", clip_on=False)
    if handles:
        ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=len(handles),
                  frameon=False)


def _uniform(ax: Axes, x: list[float], y: list[float], rows: list[list[float]], margin: float) -> None:
    """The same margin everywhere: a colour, and a word for it."""
    colour = BAD if margin < 0 else GOOD
    ax.contourf(x, y, rows, levels=[margin - 1, margin + 1], colors=[colour], alpha=0.25)
    words = "both sides are equal" if abs(margin) < 1e-9 else f"margin {margin:.3g} everywhere"
    ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center", va="center")


def _least(margins: list[float]) -> float:
    """A margin of nothing is drawn as the smallest there is."""
    return min((abs(m) for m in margins if m), default=1.0)


def _wide(margins: list[float]) -> bool:
    return max(margins) > 30 * _least(margins)


def _even(low: float, high: float, many: int = 8) -> list[float]:
    return [low + (high - low) * i / many for i in range(many + 1)]


def _identity(claim: Any, flat: Slice, ax: Axes) -> None:
    _pair(ax, flat, {"left side": values_along(claim.relation.left, flat, CURVE),
                     "right side": values_along(claim.relation.right, flat, CURVE)}, claim.id)
    ax.set_ylabel("both sides")


def _pair(ax: Axes, flat: Slice, sides: dict[str, list[tuple[Rational, float]]], id: str,
          *, above: bool = False) -> None:
    """Two curves; they part where the claim fails. With ``above``: where the first exceeds the other."""
    drawn = {}
    for (name, points), colour, dash in zip(sides.items(), (GOOD, BAD), ("-", "--"), strict=True):
        drawn[name] = [u for _, u in points]
        ax.plot([float(u) for u, _ in points], drawn[name], dash, color=colour, linewidth=1.8, label=name)
    across = [float(u) for u, _ in next(iter(sides.values()))]
    left, right = drawn.values()
    finite = [u for u in (*left, *right) if math.isfinite(u)]
    if not finite:
        raise Empty(f"{id} has no value on the part of the domain that would be drawn")
    apart = [a > b * (1 + 1e-6) if above else abs(a - b) > 1e-6 * (abs(a) + abs(b))
             for a, b in zip(left, right, strict=True)]
    if any(apart):
        ax.fill_between(across, left, right, where=apart, color=BAD, alpha=0.2, hatch="///",
                        edgecolor=BAD, linewidth=0, label="fails" if above else "difference")
    _scales(ax, flat.axes)
    if min(finite) > 0 and max(finite) > 100 * min(finite):
        ax.set_yscale("log")
    elif max(finite) - min(finite) <= 1e-3 * max(map(abs, finite)):  # rounding is not to be magnified
        middle = (max(finite) + min(finite)) / 2
        room = abs(middle) / 2 or 1.0
        ax.set_ylim(middle - room, middle + room)
    if flat.focus is not None:
        ax.axvline(float(flat.focus[flat.axes[0].variable]), color=INK, linestyle=":", linewidth=1.2,
                   label="witness")
    dress(ax)
    _legend(ax)


def _legend(ax: Axes) -> None:
    handles, names = ax.get_legend_handles_labels()
    chosen = [(h, n) for h, n in zip(handles, names, strict=True) if not n.startswith("_")]
    if chosen:
        ax.legend([h for h, _ in chosen], [n for _, n in chosen], frameon=False)
    elif ax.get_legend() is not None:
        ax.get_legend().remove()  # type: ignore[union-attr]


# --- guarantees and orders ------------------------------------------------------------------------


def _guarantee(claim: Any, flat: Slice, ax: Axes) -> None:
    """The delta that is promised, and the one that the worst case needs at the promised epsilon."""
    if isinstance(claim.subject, AnySequence):
        raise NoFigure(f"{claim.id} speaks of any sequence of mechanisms, which no axis can show")
    inside = flat.inside()
    (places,) = flat.grid([EXACT])
    needed, promised = [], []
    for u in places:
        pair = _deltas(claim, {**flat.fixed, flat.axes[0].variable: u}) if inside([float(u)]) else None
        needed.append((u, pair[0] if pair else math.nan))
        promised.append((u, pair[1] if pair else math.nan))
    _pair(ax, flat, {"needed by the worst case": needed, "promised": promised}, claim.id, above=True)
    ax.set_ylabel(r"$\delta_{\mathrm{total}}$ at the promised $\varepsilon_{\mathrm{total}}$")


def _deltas(guarantee: Guarantee, values: dict[Symbol, Expr]) -> tuple[float, float] | None:
    try:
        promised = float(written_out(guarantee.delta.subs(values)))
        epsilon = quantity(written_out(guarantee.epsilon.subs(values)), "epsilon")
        at = epsilon if sign(epsilon) >= 0 else Rational(0)
        return float(exact_delta(guarantee, values, (), at, 6).upper), promised
    except (BadQuantity, Refused, NotReached, ArithmeticError, TypeError):
        return None


def _towards_the_limit(claim: Asymptotic, against: Sequence[Symbol], at: Point | None) -> Slice:
    """One axis, along which the regime moves; what follows others is put in later."""
    regime = claim.regime
    if isinstance(regime, str):
        raise NoFigure(f"{claim.id} has its regime in words alone; there is no path to draw along")
    moving = [v for v in (*regime.moving, *sorted(claim.symbols, key=str)) if v not in regime.following]
    flat = slice_of(claim, most=1, against=against or [moving[0]] if regime.moving else against, at=at)
    (axis,) = flat.axes
    limit = regime.moving.get(axis.variable)
    if limit == 0:
        axis = Axis(axis.variable, 1e-6, min(1.0, axis.high), True)
    elif limit == oo:
        axis = Axis(axis.variable, max(1.0, axis.low), 1e8, True, axis.integer)
    fixed = {v: e for v, e in flat.fixed.items() if v not in regime.following}
    return Slice((axis,), fixed, flat.domain)


def _order(claim: Any, flat: Slice, ax: Axes) -> None:
    """The ratio of the two sides: bounded for O, also from below for Theta, to 1 for ~, to 0 for o."""
    follow = dict(claim.regime.following)
    ratio = (claim.left / claim.right).subs(follow)
    free = Slice(flat.axes, flat.fixed, type(flat.domain)(flat.domain.intervals, flat.domain.integers))
    points = values_along(ratio, free, CURVE)
    up = [u for _, u in points]
    finite = [u for u in up if math.isfinite(u)]
    if not finite:
        raise NoFigure(f"{claim.id} has no value along its regime that could be drawn")
    ax.plot([float(u) for u, _ in points], up, color=GOOD, linewidth=1.8)
    _scales(ax, flat.axes)
    if min(finite) > 0 and max(finite) > 30 * min(finite):
        ax.set_yscale("log")
    elif min(finite) >= 0:
        ax.set_ylim(bottom=0)
    if claim.order == "~":
        ax.axhline(1, color=INK, linewidth=0.8)
    name = {"O": "O", "Theta": r"\Theta", "o": "o", "~": r"\sim"}[claim.order]
    ax.set_ylabel(rf"left side / right side of ${name}$")
    dress(ax)
    _legend(ax)


def witness_of(claim: Claim, record: Record) -> dict[Symbol, Expr] | None:
    """The point at which a claim was seen to fail, if its record has one for every variable."""
    row = record.data.get("witness") or {}
    try:
        point = {v: parse_expression(str(row[str(v)])) for v in claim.domain.variables}
    except (KeyError, ParseError):
        return None
    exact = all(value.is_Rational for value in point.values())  # a path is no point
    return point if point and exact and claim.domain.contains(point) else None
