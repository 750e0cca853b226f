"""The words for verdicts, and how they are shown; without SymPy, for whoever only tells them."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    ARGUED = "argued"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    #: a certificate lies there, and neither it nor a search came to an end in the time
    NOT_RECHECKED = "not rechecked"
    CITED = "cited"
    DERIVED = "derived"
    DRAWN = "drawn"
    ERROR = "error"


#: How a verdict is shown. Only what is proved is green.
COLOURS = {
    Status.PROVED: "green",
    Status.REFUTED: "red",
    Status.ARGUED: "cyan",
    Status.SUPPORTED: "yellow",
    Status.UNDECIDED: "yellow",
    Status.NOT_RECHECKED: "bright_black",
    Status.CITED: "blue",
    Status.DERIVED: "green",
    Status.DRAWN: "green",
    Status.ERROR: "magenta",
}
MARKS = {
    Status.PROVED: "✓",
    Status.REFUTED: "✗",
    Status.ARGUED: "∴",
    Status.SUPPORTED: "≈",
    Status.UNDECIDED: "?",
    Status.NOT_RECHECKED: "-",
    Status.CITED: "❝",
    Status.DERIVED: "✓",
    Status.DRAWN: "✓",
    Status.ERROR: "!",
}
