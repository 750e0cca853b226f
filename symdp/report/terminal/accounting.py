"""What ``symdp compose`` and ``symdp calibrate`` print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting.bounds import BOUNDS
from symdp.privacy.accounting.calibration import Calibration
from symdp.privacy.composition.composed import Corner
from symdp.privacy.composition.grounds import Grounds
from symdp.privacy.composition.heterogeneous import Part
from symdp.report.terminal.screen import Screen, styled


@dataclass
class Account:
    """The numbers of one composition."""

    theorem: str
    epsilon: Enclosure | None = None
    delta: Enclosure | None = None
    corners: Sequence[Corner] | None = None
    bounds: list[dict[str, Any]] = field(default_factory=list)
    #: files of one's own, whose word on a mechanism is taken
    rests_on: Sequence[str] = ()
    #: what epsilon and delta rest on, by their names
    grounds: dict[str, Grounds] = field(default_factory=dict)

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
        if self.rests_on:
            document["rests_on"] = list(self.rests_on)
        for name in ("epsilon", "delta"):
            found: Enclosure | None = getattr(self, name)
            if found is not None:
                document[name] = found.as_json()
                if found.note:
                    document["note"] = found.note
        if self.grounds:
            document["grounds"] = {name: one.as_json() for name, one in self.grounds.items()}
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
    screen = Screen(whole=True)
    for name in ("epsilon", "delta"):
        found: Enclosure | None = getattr(account, name)
        if found is None:
            continue
        screen.say(f"{name} = ", styled(found, "bold"))
        if found.lower != found.upper:
            screen.say(f"  between {found.lower}")
            screen.say(f"      and {found.upper}")
        if found.note:
            screen.say("  ", found.note)
        if name in account.grounds:
            for line in account.grounds[name].lines():
                screen.say(f"  {line}")
    if account.corners is not None:
        screen.table(("epsilon", "delta"), [(corner.epsilon, corner.delta) for corner in account.corners])
    if account.corners is not None or not account.grounds:
        screen.say(f"  by {account.theorem}")
    _say_what_it_rests_on(screen, account.rests_on)
    if account.bounds:
        numbers = [name for name in ("epsilon", "delta") if getattr(account, name) is not None]
        screen.table(("bound", *numbers, "of"),
                     [(row["bound"], *(row.get(name, "-") for name in numbers), row.get("theorem", row.get("reason")))
                      for row in account.bounds], unbroken=("bound", *numbers))


def _say_what_it_rests_on(screen: Screen, files: Sequence[str]) -> None:
    if files:
        screen.say(f"  if the mechanism is as {' and '.join(files)} says, which nothing here checks")


def print_calibration(found: Calibration, rests_on: Sequence[str] = ()) -> None:
    screen = Screen(whole=True)
    screen.say(f"variance of {found.mechanism} noise = ", styled(found.variance, "bold"))
    screen.say(f"  {found.variance.upper} is certainly enough")
    if found.epsilon_0.lower.is_finite():
        screen.say(f"  each query is (epsilon_0, 0)-private, epsilon_0 = {found.epsilon_0}")
    screen.say(f"  by {found.variance.theorem}")
    _say_what_it_rests_on(screen, rests_on)
    if found.prescribed is not None:
        said = f", but {found.prescribed.outside}" if found.prescribed.outside else ""
        screen.say(f"{found.prescribed.theorem} prescribes {found.prescribed.variance}{said}")
        screen.say(f"  which is {found.ratio} times as much")
