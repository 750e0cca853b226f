r"""A document from its beginning to its end: words, formulas, theorems and proofs, in the order of reading.

What is no text for a reader (comments, listings, tables, figures, the preamble) is left out.

>>> from symdp.papers.text.source_text import Sources
>>> body = Sources().add("paper.tex", r"Let $x>0$. \begin{lemma} Then \[x \le 2x.\]\end{lemma}")
>>> [type(item).__name__ for item in walk(body).items]
['Prose', 'Math', 'Prose', 'Opened', 'Prose', 'Math', 'EnvironmentEnd']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from symdp.papers.text.macros import EndlessMacro, Macros, closing, definitions
from symdp.papers.text.source_text import Text

DISPLAYS = {
    "equation",
    "align",
    "gather",
    "multline",
    "eqnarray",
    "alignat",
    "flalign",
    "IEEEeqnarray",
    "displaymath",
    "math",
    "dmath",
    "xalignat",
    "subequations",
}
#: What stands behind the beginning of some displays is about columns, and no formula: {2}, [t]{rCl}.
_COLUMNS = {
    "alignat": re.compile(r"\s*\{[^{}]*\}"),
    "xalignat": re.compile(r"\s*\{[^{}]*\}"),
    "IEEEeqnarray": re.compile(r"\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}"),
}
_HIDDEN = (
    r"verbatim|Verbatim|lstlisting|minted|comment|tikzpicture|tabular|tabularx|longtable|algorithm|algorithm2e"
    r"|algorithmic|pseudocode|thebibliography|filecontents|picture|figure|table|wrapfigure|axis|python|code"
    r"|titlepage|tikzcd|forest"
)
_HIDE = re.compile(rf"\\begin\s*\{{((?:{_HIDDEN})\*?)\}}.*?\\end\s*\{{\1\}}", re.DOTALL)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^\sA-Za-z{*])[^\n]*?\1|\\iffalse\b.*?\\fi\b", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)(%[^\n]*)")
_DIRECTIVE = re.compile(r"%+\s*symdp:\s*(.*)")
_THEOREMS = {
    "theorem",
    "thm",
    "lemma",
    "lem",
    "proposition",
    "prop",
    "corollary",
    "cor",
    "claim",
    "fact",
    "definition",
    "defn",
    "remark",
    "example",
    "observation",
    "conjecture",
    "assumption",
    "exercise",
    "problem",
    "question",
    "proposition*",
    "theorem*",
    "lemma*",
    "corollary*",
    "restatable",
    "property",
    "notation",
    "hypothesis",
}
_PROOFS = {"pf", "prf", "solution", "beweis", "preuve", "dimostrazione", "demostracion", "demonstration"}
_LEVELS = {
    "part": 0,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
    "appendix": 1,
}
_MARK = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}]*)\}|\\end\s*\{(?P<end>[^{}]*)\}|(?P<double>\$\$)|(?P<dollar>\$)|(?P<open>\\\[)"
    r"|(?P<round>\\\()|(?P<heading>\\(?:part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?\s*"
    r"(?:\[[^\]]*\])?\s*(?=\{)|\\appendix\b)|(?P<note>\\footnote(?:text)?\s*(?:\[[^\]]*\])?\s*(?=\{))|(?P<item>\\item\b)"
    r"|(?P<label>\\label\s*\{[^{}]*\})|(?P<escaped>\\.)|(?P<paragraph>\n[ \t]*\n\s*)",
    re.DOTALL,
)
_REF = re.compile(r"\\(?:eq|auto|c|C|name|v|th|lem)?ref\*?\s*\{([^{}]*)\}")


@dataclass(frozen=True)
class Prose:
    """Words between formulas, without commands."""

    text: str
    origin: int
    #: labels that are referred to
    refs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Math:
    """A formula in its environment: ``$`` for those in a line, else the name of the display."""

    environment: str
    body: Text

    @property
    def inline(self) -> bool:
        return self.environment == "$"


@dataclass(frozen=True)
class Opened:
    """A theorem, a proof, a section or anything else that begins."""

    kind: str  # theorem, proof, section, item, other
    name: str = ""
    level: int = 9
    refs: tuple[str, ...] = ()
    title: str = ""
    origin: int = 0


@dataclass(frozen=True)
class EnvironmentEnd:
    kind: str


@dataclass(frozen=True)
class Label:
    name: str


@dataclass(frozen=True)
class Paragraph:
    """An empty line."""


@dataclass(frozen=True)
class Directive:
    """What a comment ``% symdp: ...`` asks for."""

    text: str
    origin: int


Item = Prose | Math | Opened | EnvironmentEnd | Label | Paragraph | Directive


@dataclass
class DocumentWalk:
    """What was met on the way, and the macros of the document."""

    items: list[Item]
    macros: Macros
    directives: list[Directive] = field(default_factory=list)
    #: the same text without formulas, for what is said of the whole document
    words: str = ""


def walk(text: Text) -> DocumentWalk:
    """Everything in the text, in its order."""
    text, directives = _without_comments(text)
    for pattern in (_HIDE, _VERB):
        for found in pattern.finditer(text.signs):
            text = text.blanked(*found.span())
    end = text.signs.find(r"\end{document}")
    if end >= 0:
        text = text[:end]
    macros, text = definitions(text)
    begun = re.search(r"\\begin\s*\{document\}", text.signs)
    if begun is not None:
        text = text[begun.end() :]
    structural = {
        name: macro
        for name, macro in macros.known.items()
        if re.search(r"\\begin\s*\{|\\end\s*\{|\\\[|\\\]|\$\$", macro.body)
    }
    if structural:
        with suppress(EndlessMacro):  # of which the formulas themselves will speak
            text = Macros(structural).expand(text)
    found_items = list(_Walker(text, macros).items())
    items = sorted_in(found_items, directives)
    words = " ".join(item.text for item in items if isinstance(item, Prose))
    return DocumentWalk(items, macros, directives, words)


def sorted_in(items: list[Item], directives: list[Directive]) -> list[Item]:
    """The items with each directive before the first one that stands behind it."""
    found: list[Item] = []
    left = list(directives)
    for item in items:
        at = (
            item.origin or None
            if isinstance(item, Prose | Opened)
            else item.body.at(0)
            if isinstance(item, Math)
            else None
        )
        while left and at is not None and left[0].origin < at:
            found.append(left.pop(0))
        found.append(item)
    return [*found, *left]


def _without_comments(text: Text) -> tuple[Text, list[Directive]]:
    directives, signs = [], list(text.signs)
    for found in _COMMENT.finditer(text.signs):
        asked = _DIRECTIVE.match(found[2])
        if asked:
            directives.append(Directive(asked[1].strip(), text.at(found.start(2))))
        start, stop = found.span(2)
        signs[start:stop] = " " * (stop - start)
        # a line of comment alone is no empty line, which would end a paragraph
        line = text.signs.rfind("\n", 0, start) + 1
        if not text.signs[line:start].strip() and stop < len(signs):
            signs[stop] = " " if signs[stop] == "\n" else signs[stop]
    return Text("".join(signs), text.origins), directives


class _Walker:
    def __init__(self, text: Text, macros: Macros) -> None:
        self.text, self.macros = text, macros
        self.notes: list[Text] = []

    def items(self) -> Iterator[Item]:
        signs, at, last = self.text.signs, 0, 0
        while True:
            found = _MARK.search(signs, at)
            if found is None:
                break
            if found["escaped"]:
                at = found.end()
                continue
            yield from self.words(last, found.start())
            end = found.end()
            if found["dollar"] or found["double"] or found["open"] or found["round"]:
                formula, end = self.delimited(found)
                yield formula
            elif found["begin"] is not None:
                name = found["begin"].strip()
                plain = name.rstrip("*")
                if plain in DISPLAYS and plain != "subequations":
                    close = re.compile(rf"\\end\s*\{{{re.escape(name)}\}}").search(signs, end)
                    stop = close.start() if close else len(signs)
                    columns = _COLUMNS[plain].match(signs, end, stop) if plain in _COLUMNS else None
                    yield Math(plain, self.text[columns.end() if columns else end:stop])
                    end = close.end() if close else stop
                else:
                    opened, end = self.opened(name, end, self.text.at(found.start()))
                    yield opened
            elif found["end"] is not None:
                yield from self.pending()
                yield EnvironmentEnd(self.kind_of(found["end"].strip()))
            elif found["heading"]:
                name = re.sub(r"[^a-z]", "", found["heading"].split("[")[0])
                stop = closing(signs, end) if signs[end : end + 1] == "{" else end
                title = signs[end + 1 : stop]
                yield from self.pending()
                yield Opened("section", name, _LEVELS[name], title=title, origin=self.text.at(found.start()))
                end = stop + 1 if signs[end : end + 1] == "{" else end
            elif found["note"]:
                stop = closing(signs, end)
                self.notes.append(self.text[end + 1 : stop])
                end = stop + 1
            elif found["item"]:
                yield Opened("item")
            elif found["label"]:
                yield Label(found["label"].partition("{")[2].rstrip("}").strip())
            else:
                yield Paragraph()
                yield from self.pending()
            at = last = end
        yield from self.words(last, len(signs))
        yield from self.pending()

    def pending(self) -> Iterator[Item]:
        """Footnotes, behind the paragraph in which they were called."""
        notes, self.notes = self.notes, []
        for note in notes:
            yield Opened("other", "footnote")
            yield from _Walker(note, self.macros).items()
            yield EnvironmentEnd("other")

    def words(self, start: int, stop: int) -> Iterator[Item]:
        piece = self.text.signs[start:stop]
        if not piece.strip():
            return
        lead = len(piece) - len(piece.lstrip())
        yield Prose(
            spoken(piece),
            self.text.at(start + lead),
            tuple(ref.strip() for found in _REF.findall(piece) for ref in found.split(",")),
        )

    def delimited(self, found: re.Match[str]) -> tuple[Math, int]:
        signs, start = self.text.signs, found.end()
        close = {"$$": r"\$\$", "$": r"\$", "\\[": r"\\\]", "\\(": r"\\\)"}[found.group()]
        # a formula in a line ends with its paragraph, whatever was forgotten
        pattern = re.compile(
            rf"\\[^\])]|\\(?=[\])])(?!{close[2:] if close[:2] == chr(92) * 2 else '.'})|({close})"
            + (r"|(\n[ \t]*\n)" if found.group() in ("$", "\\(") else "")
        )
        at = start
        while True:
            end = pattern.search(signs, at)
            if end is None:
                return Math("$" if found.group() in ("$", "\\(") else "display", self.text[start:]), len(signs)
            if end.lastindex is None:
                at = end.end()
                continue
            kind = "$" if found.group() in ("$", "\\(") else "display"
            return Math(kind, self.text[start : end.start()]), end.end()

    def kind_of(self, name: str) -> str:
        plain = name.rstrip("*").lower()
        if plain in _PROOFS or "proof" in plain or name in self.macros.proofs:
            return "proof"
        if name in _THEOREMS or name in self.macros.theorems or name.rstrip("*") in self.macros.theorems:
            return "theorem"
        return "other"

    def opened(self, name: str, end: int, origin: int) -> tuple[Opened, int]:
        signs, kind, title = self.text.signs, self.kind_of(name), ""
        after = re.compile(r"\s*\[").match(signs, end)
        if after is not None and kind != "other":
            stop = closing(signs, after.end() - 1, "[", "]")
            title = signs[after.end() : stop]
            end = stop + 1
        refs = tuple(ref.strip() for found in _REF.findall(title) for ref in found.split(","))
        return Opened(kind, name, refs=refs, title=title, origin=origin), end


def spoken(piece: str) -> str:
    r"""Words without commands.

    >>> spoken(r"by \emph{Lemma}~\ref{a} \cite{b}")
    'by Lemma REF'
    """
    piece = _REF.sub(" REF ", piece)
    piece = re.sub(
        r"\\(?:[Cc]ite\w*|label|vspace|hspace|index|url|pageref|includegraphics)\*?\s*(?:\[[^\]]*\])*\s*"
        r"\{[^{}]*\}",
        " ",
        piece,
    )
    piece = re.sub(r"\\[A-Za-z]+\*?|\\.|[{}~]", " ", piece)
    return re.sub(r"\s+", " ", piece).strip() if piece.strip() else " "
