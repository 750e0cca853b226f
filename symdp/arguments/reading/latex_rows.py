r"""The rows of an ``align`` block -> steps of a derivation.

A row is an expression and relations behind it, or begins with a relation and continues the chain.
``\text{...}`` at its end is the reason, ``\tag{...}`` or ``\label{...}`` the label; a reason *by NAME*,
where NAME is the label of an earlier line or a lemma, uses that; *by NAME with $p = ..., x = ...$*
uses it at these values.

>>> from symdp.arguments.reading.latex_rows import Context, read_rows
>>> text = r"a &= a+1-1 \\ &\leq a+2 \text{since } "
>>> [type(step).__name__ for step in read_rows(text, 0, len(text), Context())]
['Start', 'Link', 'Link']
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr, Symbol

from symdp.arguments.reading.latex_cursor import RELATIONS, TIMES
from symdp.arguments.reading.latex_reader import LatexReader
from symdp.arguments.reading.latex_tokens import LatexError, Token, tokens
from symdp.formulas.relation import Relation
from symdp.sources.derivations.lines import Distribution, Implies, Line, Link, Start, Use

_INNER = re.compile(r"\\(begin|end)\{(aligned|split|gathered|alignedat|equation\*?|align\*?)\}")
_WRAPPED = re.compile(r"\\(?:text|mbox|textrm|textit)\s*\{([^{}]*)\}")
#: Behind these words a formula is a reason; behind others (and, if, for all) it would be a part of the claim.
_REASONS = {"since", "because", "as", "by", "using", "from", "due", "recall", "see", "cf"}
_ONE_WAY = (r"\Rightarrow", r"\implies", r"\Longrightarrow")
_BOTH_WAYS = (r"\iff", r"\Leftrightarrow", r"\Longleftrightarrow")
#: With these a row goes on behind an &; behind those, too.
_SIGNS = {*RELATIONS, *_ONE_WAY, *_BOTH_WAYS, ",", ".", ";"}
_CONTINUE = {"+", "-", *TIMES}
_GOES_ON = {*_SIGNS, *TIMES, "+", "-", "/"} - {",", ".", ";"}


@dataclass
class Context:
    """What a reader of a file knows at a line: variables, indices, distributions, labels."""

    known: set[Symbol] = field(default_factory=set)
    indices: set[Symbol] = field(default_factory=set)
    laws: dict[str, Distribution] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    spellings: dict[Symbol, str] = field(default_factory=dict)
    averaged: set[str] = field(default_factory=set)
    #: names that were given a meaning, which no index and no random variable may take
    named: set[Symbol] = field(default_factory=set)

    def reader(self, text: str, found: list[Token]) -> LatexReader:
        reader = LatexReader(text, found, indices=self.indices, laws=self.laws, spellings=self.spellings)
        reader.known = self.known  # a variable of one line is one in the next
        reader.averaged = self.averaged
        reader.named = self.named
        return reader


@dataclass(frozen=True)
class Row:
    """The formula of a row, and what stands beside it."""

    formula: list[Token]
    reason: str = ""
    label: str = ""
    uses: tuple[Use, ...] = ()


def read_rows(text: str, start: int, stop: int, context: Context) -> list[Line]:
    """The steps in a part of a text."""
    steps: list[Line] = []
    for found in _split(text, tokens(text, start, stop)):
        row = _row(text, found, context)
        if len(row.formula) == 1:
            if row.reason or row.label:
                raise LatexError(text, found[0].at, "words without a formula")
            continue
        steps += _steps(text, row, context, begun=any(isinstance(s, Start) for s in steps))
    return steps


def _split(text: str, found: list[Token]) -> list[list[Token]]:
    """Rows, each with a token that marks its end; a row that begins with {}+ continues the last."""
    rows: list[list[Token]] = [[]]
    hanging: set[int] = set()  # rows that begin behind an &
    column = False  # whether a formula has ended at an & before
    for token in found:
        if token.kind == "begin" and _INNER.fullmatch(token.text):
            continue
        if token.kind == "sign" and token.text == "&":
            if not rows[-1]:
                hanging.add(len(rows) - 1)
            column = "".join(t.text for t in rows[-1]) not in ("", "{}") and rows[-1][-1].text not in _GOES_ON
            continue
        if column and token.kind not in ("break", "end", "words", "gap") and token.text not in _SIGNS:
            raise LatexError(text, token.at, "a second formula in one row, which would be read as a part of the "
                             "first; write it on a row of its own")
        column = column and token.kind == "gap"
        if token.kind in ("break", "end"):
            rows[-1].append(Token("end", "", token.at))
            rows.append([])
        elif token.text != r"\intertext" and token.text != r"\shortintertext":
            rows[-1].append(token)
    joined: list[list[Token]] = []
    for place, row in enumerate(rows):
        signs = [t.text for t in row[:3]]
        if joined and place in hanging and signs[:1] and signs[0] in _CONTINUE:
            joined[-1] = [*joined[-1][:-1], *row]
            continue
        alone = len(row) > 1 and not any(t.text in _SIGNS - {",", ".", ";"} for t in row if t.kind != "words")
        plain = place in hanging and alone and row[0].kind not in ("words", "begin")
        if joined and plain and signs[:2] != ["{", "}"]:
            raise LatexError(text, row[0].at, "this row has two readings: a factor of the row before, or a formula "
                             r"by itself; begin it with \cdot, + or - where it goes on, else leave out the &")
        if joined and signs[:2] == ["{", "}"] and signs[2:] in (["+"], ["-"]):
            joined[-1] = [*joined[-1][:-1], *row[2:]]
        elif row and not (len(row) == 1 and row[0].kind == "end"):
            joined.append(row)
    return joined


def _row(text: str, found: list[Token], context: Context) -> Row:
    """Words are taken from the end of a row; the full stop or comma of a sentence is dropped."""
    marks = [t for t in found if t.kind == "words" and t.text in (r"\label", r"\tag")]
    formula = [t for t in found if t not in marks]  # which may stand anywhere in a row
    end = formula.pop()
    reason, label = "", ""
    for mark in marks:
        label = mark.words if mark.text == r"\tag" or not label else label
    mixed = _reason_with_formulas(formula)
    if mixed is not None:
        # \text{since } m \le x: from its first word on, the rest of the row is said, not claimed
        first = formula[mixed]
        word = re.sub(r"[^a-z]", " ", first.words.lower()).split()[:1]
        if any(t.text in RELATIONS for t in formula[mixed:]) and not {*word} & _REASONS:
            raise LatexError(text, first.at, f"what stands behind {first.words.strip()!r} is not read, and may be "
                             "more than a reason; write it on a line of its own, a condition behind 'assume:'")
        rest = text[formula[mixed].at:end.at]
        formula, reason = formula[:mixed], _spoken(rest)
    uses: tuple[Use, ...] = ()
    while formula and (formula[-1].kind == "words" or formula[-1].text in (",", ".", ";")):
        token = formula.pop()
        if token.kind == "words" and token.words.strip(" .,;"):
            reason = f"{token.words} {reason}".strip()
            uses = (*used(text, token, context), *uses)
    return Row([*formula, Token("end", "", formula[-1].at + 1 if formula else end.at)],
               reason, label, uses)


def _reason_with_formulas(formula: list[Token]) -> int | None:
    """Where a reason begins that has formulas behind its first words; None if there is no such."""
    depth = 0
    for place, token in enumerate(formula):
        if token.kind == "sign":
            depth += {"{": 1, "}": -1}.get(token.text, 0)
        elif token.kind == "words" and place and depth == 0 and formula[place - 1].text not in ("_", "^"):
            after = [t for t in formula[place:] if t.kind != "words" and t.text not in (",", ".", ";")]
            return place if after else None
    return None


def _spoken(source: str) -> str:
    """Words as they are, formulas between dollar signs."""
    parts = _WRAPPED.split(source)  # formulas and words in turn
    spoken = [part.strip() if i % 2 else f"${part.strip(' .,;&')}$"
              for i, part in enumerate(" ".join(p.split()) for p in parts) if part.strip(" .,;&")]
    return " ".join(spoken)


def used(text: str, token: Token, context: Context) -> tuple[Use, ...]:
    """The line or lemma that a reason names: *by NAME*, *by (NAME) with $x = ...$*."""
    match = re.fullmatch(r"\(?by\s+\(?([^\s()]+)\)?(?:\s+with\s+\$(.+)\$)?[\s.,;)]*", token.words)
    if match is None or match.group(1) not in context.labels:
        return ()
    if match.group(2) is None:
        return (Use(match.group(1)),)
    begin = text.index(token.words, token.at) + match.start(2)
    return (Use(match.group(1), assignments(text, begin, begin + len(match.group(2)), context)),)


def assignments(text: str, start: int, stop: int, context: Context) -> Mapping[Symbol, Expr]:
    """x = ..., y = ..."""
    reader = context.reader(text, tokens(text, start, stop))
    found: dict[Symbol, Expr] = {}
    while True:
        name = reader.name()
        if not reader.at("="):
            reader.fail(f"write {name} = ...")
        reader.advance()
        first = reader.token
        found[name] = reader.expression()
        reader.refuse_lost(found[name], first)
        if not reader.at(",", ";"):
            break
        reader.advance()
    if reader.token.kind != "end":
        reader.unexpected()
    return found


def _steps(text: str, row: Row, context: Context, *, begun: bool) -> list[Line]:
    reader = context.reader(text, row.formula)
    first = reader.token
    line = text.count("\n", 0, first.at) + 1
    steps: list[Line] = []
    if reader.at(*_ONE_WAY, *_BOTH_WAYS):
        both = reader.advance().text in _BOTH_WAYS
        relations: list[Relation] = reader.whole(reader.conditions)
        if len(relations) != 1:
            raise LatexError(text, first.at, "an implication states one relation")
        steps.append(Implies(relations[0], both, line=line))
    else:
        if reader.token.text in RELATIONS:
            if not begun:
                reader.fail(f"'{reader.token.text}' continues a chain, but no expression is before it")
        elif reader.at("+") and begun:
            reader.fail("a row that begins with a plus; if it continues the row before, write {}+")
        else:
            expr = reader.expression()
            steps.append(Start(expr, line=line, needs=reader.lost(expr)))
        while reader.token.text in RELATIONS and reader.token.kind != "end":
            op = RELATIONS[reader.advance().text]
            expr = reader.expression()
            steps.append(Link(op, expr, line=line, needs=reader.lost(expr)))
        if reader.token.kind != "end":
            reader.unexpected()
    if row.label:
        context.labels.add(row.label)
    steps[-1] = replace(steps[-1], reason=row.reason, label=row.label, uses=row.uses)
    return steps


def read_line(
    text: str, start: int, stop: int, context: Context
) -> tuple[Relation, Row]:
    """One relation on a line, with its reason and label."""
    found = tokens(text, start, stop)
    row = _row(text, found, context)
    reader = context.reader(text, row.formula)
    relations: list[Relation] = reader.whole(reader.conditions)
    if len(relations) != 1:
        raise LatexError(text, start, "write exactly one relation here")
    return relations[0], row
