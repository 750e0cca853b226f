r"""A privacy loss distribution of one's own: losses with their probabilities under P, as exact numbers or as a file.

Each line of the file is ``LOSS PROBABILITY``; the loss ``inf`` is giving the database away. The
probabilities add up to one, and those under Q, $p\,e^{-loss}$, to at most one; what they lack is
what only the other database can give.

>>> known = LossDistribution([("log(2)", "1/2"), (0, "1/4"), ("-log(2)", "1/4")])
>>> known.p, known.q
((1/2, 1/4, 1/4, 0), (1/4, 1/4, 1/2, 0))
>>> print(known.delta(epsilon=0))
0.25
>>> LossDistribution([(-1, 1)])
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: these losses have the probability e under the other database, more than 1
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sympy import Expr, S, exp

from symdp.formulas.printing import to_text
from symdp.incoming import NotRead, text_of
from symdp.numbers import exact
from symdp.numbers.exact import ball, number
from symdp.numbers.quantity import BadQuantity, Quantity, probability, quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs import sampling

#: A file of more bytes, or a list of more losses, is not read.
LARGEST_FILE, MOST_LOSSES = 1_000_000, 10_000


class LossDistribution(FinitePair):
    """Finitely many losses with their probabilities, as pairs or as the path of a file."""

    name = "a given loss distribution"
    names = ("losses",)

    def __init__(self, file: str | Path | Iterable[Sequence[Quantity]]) -> None:
        self.origin = str(file) if isinstance(file, str | Path) else ""
        rows = _rows(Path(file)) if isinstance(file, str | Path) else [tuple(row) for row in file]
        if not rows:
            raise BadQuantity("a loss distribution must have at least one loss")
        if len(rows) > MOST_LOSSES:
            raise BadQuantity(f"a loss distribution may have {MOST_LOSSES} losses, not {len(rows)}")
        p: list[Expr] = []
        q: list[Expr] = []
        for row in rows:
            if len(row) != 2:
                raise BadQuantity(f"a loss comes with its probability, not as {len(row)} numbers")
            loss, mass = row
            p.append(probability(mass, "the probability of a loss"))
            q.append(S.Zero if _is_infinite(loss) else p[-1] * exp(-quantity(loss, "a loss")))
        lacking = 1 - sum(map(number, q), number(0))
        if exact.sign(lacking) < 0:
            total = to_text(exact.expression(1 - lacking))
            raise BadQuantity(f"these losses have the probability {total} under the other database, more than 1")
        super().__init__([*p, S.Zero], [*q, exact.expression(lacking)])

    @property
    def parameters(self) -> dict[str, Any]:
        return {"p": self.p, "q": self.q}

    def __repr__(self) -> str:
        return f"LossDistribution({self.origin!r})" if self.origin else f"LossDistribution({len(self.p) - 1} losses)"

    def sample(self, coins: random.Random | None = None, other: bool = False) -> int:
        """The index of an outcome, exactly."""
        masses = self.q if other else self.p
        return sampling.choice(lambda: [ball(mass) for mass in masses[:-1]], coins)


def _is_infinite(loss: Quantity) -> bool:
    return str(loss).strip() in ("inf", "infinity", "oo")


def _rows(path: Path) -> list[tuple[str, ...]]:
    try:
        lines = text_of(path, LARGEST_FILE).splitlines()
    except NotRead as reason:
        raise BadQuantity(f"{path}: {reason}") from reason
    kept = [line.partition("#")[0].replace(",", " ").split() for line in lines]
    return [tuple(words) for words in kept if words]
