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
#: The same colours where a reader has paper: dark enough for white, told apart with the marks.
INKS = {
    Status.PROVED: "#0a6b45", Status.DERIVED: "#0a6b45", Status.DRAWN: "#0a6b45",
    Status.REFUTED: "#a8220c", Status.ERROR: "#8a1f7a",
    Status.ARGUED: "#00697a", Status.CITED: "#2f5d9b",
    Status.SUPPORTED: "#7a5600", Status.UNDECIDED: "#7a5600", Status.NOT_RECHECKED: "#5c5c5c",
}


def inked(text: str, ink: str) -> str:
    """Markdown in a colour, in the one form that pages and papers of notebooks know.

    >>> inked("**right**", INKS[Status.PROVED])
    '<span style="color:#0a6b45">**right**</span>'
    """
    return f'<span style="color:{ink}">{text}</span>'
