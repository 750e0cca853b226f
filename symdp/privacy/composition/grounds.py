"""What a number of a composition rests on: for whom the laws speak, by which theorem, what is exact, what is rounded.

>>> from symdp.privacy.composition.compose import compose
>>> from symdp.privacy.mechanisms.every import Laplace
>>> found = compose(Laplace(10), 100).epsilon("1e-6")
>>> for line in grounds(found, [(Laplace(10), 100)], 17).lines():
...     print(line)
by Laplace noise composed exactly, by residues of its moment generating function
laws: Laplace noise, at the distance of the sensitivity; smaller distances reveal less, as it is log-concave
composed: steps may be chosen adaptively, as each is dominated by its pair (Zhu, Dong and Wang)
exact: laws, losses and their composition; what is computed in between is balls whose radii count
rounded: the two ends, outward
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition.heterogeneous import Part
from symdp.privacy.pairs.pair import Mechanism

#: For whom (epsilon, delta) speaks.
ANY_PRIVATE = "any mechanisms that are so private, also chosen adaptively: none is worse than randomised response"
#: Why the losses of several may be added.
DOMINATING = "steps may be chosen adaptively, as each is dominated by its pair (Zhu, Dong and Wang)"


@dataclass(frozen=True)
class Grounds:
    """Of one number."""

    theorem: str
    #: for whom the two laws of each kind of mechanism speak
    laws: tuple[str, ...]
    #: why several of them compose; empty for one alone, and where the theorem says it
    composed: str
    exact: str
    rounded: str

    def lines(self) -> list[str]:
        found = [f"by {self.theorem}", *(f"laws: {law}" for law in self.laws)]
        found += [f"composed: {self.composed}"] if self.composed else []
        return [*found, f"exact: {self.exact}", f"rounded: {self.rounded}"]

    def as_json(self) -> dict[str, object]:
        return {"theorem": self.theorem, "laws": list(self.laws), "composed": self.composed, "exact": self.exact,
                "rounded": self.rounded}


def grounds(found: Enclosure, entries: Sequence[Part | tuple[Mechanism, int]], digits: int) -> Grounds:
    """What a number rests on; ``digits`` is how many were asked for."""
    kinds = [entry[0].simplified() for entry in entries if not isinstance(entry, Part)]
    private = len(kinds) < len(entries) or any(kind.as_private() is not None for kind in kinds)
    laws = [kind.speaks_for for kind in kinds if kind.as_private() is None]
    many = sum(entry.many if isinstance(entry, Part) else entry[1] for entry in entries)
    own = [kind.composes_by for kind in kinds if kind.as_private() is None]
    composed = "" if many == 1 or not own else "; ".join(dict.fromkeys(text or DOMINATING for text in own))
    exact, rounded = _exactness(found, digits)
    return Grounds(found.theorem, tuple(dict.fromkeys([*laws, *([ANY_PRIVATE] if private else [])])), composed,
                   exact, rounded)


def _exactness(found: Enclosure, digits: int) -> tuple[str, str]:
    if found.lower == found.upper:
        return "the number itself", "nothing"
    if found.rounded:
        return "the laws; the composition of the rounded losses, each end on its own side", (
            f"{found.rounded}; then the two ends, outward")
    fewer = f"; {found.digits} digits are certain, not the {digits} asked for" if found.digits < digits else ""
    return ("laws, losses and their composition; what is computed in between is balls whose radii count",
            f"the two ends, outward{fewer}")
