r"""The lines of a derivation's text: keywords, comments, and where everything stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from symdp.arguments.reading.latex_tokens import LatexError

_KEYWORD = re.compile(r"[ \t]*([a-z]+)(?:[ \t]+([^:\n\\]+?))?[ \t]*:(?!=)[ \t]*([^\n]*)")
_END = re.compile(r"[ \t]*end\b[ \t]*(?:cases|induction)?[ \t]*")
_IDLE = re.compile(r"[ \t]*(?:[%#][^\n]*)?(?:\n|\Z)")


@dataclass(frozen=True)
class TextLine:
    """A keyword, its name, and where its content stands in the text."""

    keyword: str
    name: str
    start: int
    stop: int
    at: int


class TextLines:
    """A text, and the place in it."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        raise LatexError(self.text, self.position if at is None else at, reason)

    def number(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def skip(self) -> None:
        """Empty lines and comments."""
        while match := _IDLE.match(self.text, self.position):
            if match.end() == self.position:
                return
            self.position = match.end()

    def at_end(self) -> bool:
        self.skip()
        return self.position >= len(self.text)

    def peek(self) -> TextLine | None:
        """The keyword on the line at which we are, if it has one."""
        self.skip()
        match = _KEYWORD.match(self.text, self.position)
        if match is None:
            return None
        stop = match.end()
        comment = re.search(r"(?<!\\)%", match.group(3))
        if comment:
            stop = match.start(3) + comment.start()
        return TextLine(match.group(1), (match.group(2) or "").strip(), match.start(3), stop,
                     match.start(1))

    def advance(self) -> None:
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end + 1

    def line_end(self) -> int:
        end = self.text.find("\n", self.position)
        return len(self.text) if end < 0 else end

    def at_block_end(self) -> bool:
        """Whether the line says ``end``."""
        return _END.fullmatch(self.text, self.position, self.line_end()) is not None
