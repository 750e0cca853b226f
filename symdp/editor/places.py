r"""Places in a text: findings count letters from 1, an editor counts from 0, and in units of UTF-16.

>>> place("a\n𝜀 x", 2, 3)
(1, 3)
>>> covers("a\n𝜀 x", (2, 1), (2, 2), (1, 1)), covers("a\n𝜀 x", (2, 1), (2, 2), (1, 3))
(True, False)
"""

from __future__ import annotations


def place(text: str, line: int, column: int) -> tuple[int, int]:
    """Line and letter as an editor counts them."""
    lines = text.split("\n")
    row = lines[line - 1] if 0 < line <= len(lines) else ""
    return max(0, line - 1), len(row[:max(0, column - 1)].encode("utf-16-le")) // 2


def end_of(text: str, line: int, column: int, end_line: int, end_column: int) -> tuple[int, int]:
    """Behind the last letter of what begins there; the rest of its line, where nothing says so."""
    if (end_line, end_column) > (line, column):
        return place(text, end_line, end_column)
    lines = text.split("\n")
    return place(text, line, len(lines[line - 1].rstrip()) + 1 if 0 < line <= len(lines) else column)


def covers(text: str, start: tuple[int, int], end: tuple[int, int], at: tuple[int, int]) -> bool:
    """Whether the place, as an editor counts, lies within what begins and ends at these."""
    return place(text, *start) <= at <= end_of(text, *start, *end)
