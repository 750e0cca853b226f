r"""How a line of a derivation stands after the check, from proved to false.

A line is

* **proved**: the kernel has a Proof of what the line says, for the whole domain in force: its relation, from the
  assumptions and the lines it names;
* **argued**: only the line logic of this folder finds it right, or it rests on free text; what was checked and the
  words are both listed, and it is never counted as proved;
* **supported**: a search agrees, without a proof;
* **false**: an exact point of the domain contradicts the line;
* **gap**: an exact point shows that the line does not follow as written, and yet the line is true:
  it follows from the start of its chain, or from the assumptions alone;
* **undecided**: the search ended;
* **cited**: a result from elsewhere, with the id of a claim or a key of the bibliography;
* **given**: it asserts nothing: a first expression, a name, an assumption.

A line that uses a wrong line is not itself wrong: it is judged as an implication.

The whole is proved only if each line is, and the kernel has one Proof of the statement in its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Standing(StrEnum):
    PROVED = "proved"
    FALSE = "false"
    GAP = "gap"
    ARGUED = "argued"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    CITED = "cited"
    GIVEN = "given"


#: Only what is proved is green.
COLOURS = {
    Standing.PROVED: "green", Standing.FALSE: "red", Standing.GAP: "magenta",
    Standing.ARGUED: "cyan", Standing.SUPPORTED: "yellow",
    Standing.UNDECIDED: "yellow", Standing.CITED: "blue", Standing.GIVEN: "default",
}
MARKS = {
    Standing.PROVED: "✓", Standing.FALSE: "✗", Standing.GAP: "∤", Standing.UNDECIDED: "?",
    Standing.ARGUED: "∴", Standing.SUPPORTED: "≈",
    Standing.CITED: "❝", Standing.GIVEN: " ",
}
#: From bad to good: a whole stands as its worst part does.
WORST_FIRST = (Standing.FALSE, Standing.GAP, Standing.UNDECIDED, Standing.SUPPORTED, Standing.ARGUED,
          Standing.CITED, Standing.PROVED, Standing.GIVEN)

#: Nothing is wrong or open; the whole still needs a proof.
RIGHT = (Standing.PROVED, Standing.CITED)


def worst(standings: Iterable[Standing]) -> Standing:
    """The standing of a whole.

    >>> worst([Standing.PROVED, Standing.CITED, Standing.GIVEN]).value
    'cited'
    """
    return min(standings, key=WORST_FIRST.index, default=Standing.GIVEN)
