"""What ``symdp compose`` and ``symdp calibrate`` print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting.bounds import BOUNDS
from symdp.privacy.accounting.calibration import Calibration
from symdp.privacy.composition.composed import Corner
from symdp.privacy.composition.heterogeneous import Part


@dataclass
class Account:
    """The numbers of one composition."""

    theorem: str
    epsilon: Enclosure | None = None
    delta: Enclosure | None = None
    corners: Sequence[Corner] | None = None
    bounds: list[dict[str, Any]] = field(default_factory=list)

    def add_bounds(self, parts: Sequence[Part], target_delta: str | None,
                   target_epsilon: str | None, digits: int) -> None:
        """The closed-form bounds of the sources for the same mechanisms."""
        for bound in BOUNDS:
            row: dict[str, Any] = {"bound": bound.name}
            try:
                if target_delta is not None:
                    row["epsilon"] = bound.epsilon(parts, target_delta, digits)
                if target_epsilon is not None:
                    row["delta"] = bound.delta(parts, target_epsilon, digits)
            except BadQuantity as reason:
                self.bounds.append({"bound": bound.name, "reason": str(reason)})
                continue
            self.bounds.append({**row, "theorem": bound.theorem})

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"theorem": self.theorem}
        for name in ("epsilon", "delta"):
            found: Enclosure | None = getattr(self, name)
            if found is not None:
                document[name] = found.as_json()
                if found.note:
                    document["note"] = found.note
        if self.corners is not None:
            document["corners"] = [corner.as_json() for corner in self.corners]
        if self.bounds:
            document["bounds"] = [
                {name: value.as_json() if isinstance(value, Enclosure) else value
                 for name, value in row.items()}
                for row in self.bounds
            ]
        return document


def print_account(account: Account) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for name in ("epsilon", "delta"):
        found: Enclosure | None = getattr(account, name)
        if found is None:
            continue
        console.print(f"{name} = [bold]{found}[/]")
        if found.note:
            console.print(f"  {escape(found.note)}")
        elif found.lower != found.upper:
            console.print(f"  between {found.lower}\n      and {found.upper}")
    if account.corners is not None:
        table = _table("epsilon", "delta")
        for corner in account.corners:
            table.add_row(str(corner.epsilon), str(corner.delta))
        console.print(table)
    console.print(f"  by {escape(account.theorem)}")
    if account.bounds:
        numbers = [name for name in ("epsilon", "delta") if getattr(account, name) is not None]
        table = _table("bound", *numbers, "of")
        for row in account.bounds:
            shown = [str(row.get(name, "-")) for name in numbers]
            table.add_row(row["bound"], *shown, escape(str(row.get("theorem", row.get("reason")))))
        console.print(table)


def print_calibration(found: Calibration) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"variance of {found.mechanism} noise = [bold]{found.variance}[/]")
    console.print(f"  {found.variance.upper} is certainly enough")
    if found.epsilon_0.lower.is_finite():
        console.print(f"  each query is (epsilon_0, 0)-private, epsilon_0 = {found.epsilon_0}")
    console.print(f"  by {escape(found.variance.theorem)}")
    if found.prescribed is not None:
        said = f", but {found.prescribed.outside}" if found.prescribed.outside else ""
        console.print(f"{escape(found.prescribed.theorem)} prescribes {found.prescribed.variance}{said}")
        console.print(f"  which is {found.ratio} times as much")


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
