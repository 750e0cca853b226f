r"""The text of a document, each sign of it with the place in the file where it was typed.

Files that are put in with ``\input`` and macros that are replaced by what they stand for change the text, and never
the places: what came from a macro has the place of its call. This is why no general parser of LaTeX is used here: it
would tell places in the text after the changes, or leave the macros to us all the same.

>>> sources = Sources()
>>> text = sources.add("paper.tex", "first\nsecond")
>>> sources.place(text[6:].origins[0])
SourcePlace(file='paper.tex', line=2, column=1)
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from symdp.incoming import NotRead, text_of

#: Bytes of one file, and of all files of a document; files within files.
LARGEST_FILE, LARGEST_DOCUMENT, DEEPEST = 4_000_000, 16_000_000, 12
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*(?:\{([^{}\n]*)\}|[ \t]+([^\s{}\\]+))")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")


class NoPaper(ValueError):
    """A document cannot be read at all; the message is one line."""


class SourcePlace(NamedTuple):
    """A place in a source file; lines and columns are counted from 1."""

    file: str
    line: int
    column: int


class Text:
    """Signs, and where each of them was typed."""

    __slots__ = ("origins", "signs")

    def __init__(self, signs: str, origins: array[int]) -> None:
        self.signs, self.origins = signs, origins

    def __len__(self) -> int:
        return len(self.signs)

    def __getitem__(self, part: slice) -> Text:
        return Text(self.signs[part], self.origins[part])

    @staticmethod
    def joined(parts: Iterable[Text]) -> Text:
        parts = list(parts)
        origins: array[int] = array("L")
        for part in parts:
            origins.extend(part.origins)
        return Text("".join(part.signs for part in parts), origins)

    def at(self, offset: int) -> int:
        """The origin of a sign; of the end, that behind the last one."""
        if offset < len(self.origins):
            return self.origins[max(offset, 0)]
        return self.origins[-1] + 1 if self.origins else 0

    def stripped(self) -> Text:
        left = len(self.signs) - len(self.signs.lstrip())
        return self[left : len(self.signs.rstrip())] if self.signs.strip() else self[0:0]

    def blanked(self, start: int, stop: int) -> Text:
        """The same with spaces in place of a part; its line breaks stay."""
        hidden = "".join("\n" if sign == "\n" else " " for sign in self.signs[start:stop])
        return Text(self.signs[:start] + hidden + self.signs[stop:], self.origins)


class Sources:
    """The files of a document, one behind the other, so that a number tells file and place."""

    def __init__(self, texts: Mapping[Path, str] = MappingProxyType({})) -> None:
        #: what an editor has in place of files, by their resolved paths
        self.texts = texts
        self.names: list[str] = []
        self.contents: list[str] = []
        self.starts: list[int] = []
        self._lines: list[list[int]] = []
        self.size = 0
        #: what could not be put in: the origin of the command, and why
        self.refused: list[tuple[int, str]] = []

    def content(self, path: Path, real: Path, *, links: bool = True) -> str:
        """What is in a file; in an editor, what will be."""
        return self.texts[real] if real in self.texts else text_of(path, LARGEST_FILE, links=links)

    def add(self, name: str, content: str) -> Text:
        start = self.size
        self.names.append(name)
        self.contents.append(content)
        self.starts.append(start)
        self._lines.append([0, *(m.end() for m in re.finditer("\n", content))])
        self.size += len(content) + 1
        return Text(content, array("L", range(start, start + len(content))))

    def place(self, origin: int) -> SourcePlace:
        number = bisect_right(self.starts, origin) - 1
        offset = origin - self.starts[number]
        line = bisect_right(self._lines[number], offset)
        return SourcePlace(self.names[number], line, offset - self._lines[number][line - 1] + 1)

    def typed(self, first: int, last: int) -> str:
        """What stands in a file from one origin to another, which must be in the same file."""
        number = bisect_right(self.starts, first) - 1
        start = self.starts[number]
        if last < first or last - start > len(self.contents[number]):
            return ""
        return self.contents[number][first - start : last - start]

    def macro_at(self, first: int, last: int) -> str:
        """The same up to the end of the macro that begins with the last sign, its arguments included."""
        number = bisect_right(self.starts, first) - 1
        content, start = self.contents[number], self.starts[number]
        call = re.compile(r"[A-Za-z]*(?:\{[^{}]*\})*").match(content, last - start)
        return content[first - start : call.end() if call else last - start]


def document(path: Path, texts: Mapping[Path, str] = MappingProxyType({})) -> tuple[Sources, Text]:
    """A file with all that it puts in, if that lies in its folder or below; NoPaper where there is no such file.

    ``texts`` are what an editor has in place of files, by their resolved paths.
    """
    sources = Sources(texts)
    try:
        content = sources.content(path, path.resolve())
    except NotRead as reason:
        raise NoPaper(f"{path}: {reason}") from reason
    return sources, _with_inputs(sources, path.parent, sources.add(str(path), content), (path.resolve(),))


def _with_inputs(sources: Sources, folder: Path, text: Text, above: tuple[Path, ...]) -> Text:
    visible = _COMMENT.sub(lambda m: m[1] + " " * (len(m[0]) - len(m[1])), text.signs)
    parts, last = [], 0
    for found in _INPUT.finditer(visible):
        parts.append(text[last : found.start()])
        last = found.end()
        inner = _put_in(sources, folder, (found[1] or found[2]).strip(), above)
        if isinstance(inner, str):
            sources.refused.append((text.at(found.start()), inner))
        else:
            parts.append(inner)
    return Text.joined([*parts, text[last:]])


def _put_in(sources: Sources, folder: Path, name: str, above: tuple[Path, ...]) -> Text | str:
    """The text of another file, or why it is left out."""
    if len(above) > DEEPEST:
        return f"{name}: files within files more than {DEEPEST} deep"
    if not name or "\0" in name:
        return "a file name is missing"
    path = folder / name
    tried = [path] if path.suffix == ".tex" else [path.with_name(f"{path.name}.tex"), path]
    home = folder.resolve()
    for path in tried:
        try:
            real = path.resolve()
            if not real.is_relative_to(home):
                return f"{name}: it lies outside of the folder of the document, and is not read"
            if not real.exists():
                continue
        except (OSError, RuntimeError, ValueError):
            return f"{name}: no file can have this name"
        if real in above:
            return f"{name}: it puts itself in"
        try:
            content = sources.content(real, real, links=False)
        except NotRead as reason:
            return f"{name}: {reason}"
        if sources.size + len(content) > LARGEST_DOCUMENT:
            return f"{name}: the document would have more than {LARGEST_DOCUMENT} signs"
        shown = str(Path(sources.names[0]).parent / real.relative_to(home))
        return _with_inputs(sources, folder, sources.add(shown, content), (*above, real))
    return f"{name}: there is no such file"
