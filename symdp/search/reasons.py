r"""Why a verdict is what it is, and what it relies on.

A :class:`Reason` is a sentence that keeps the formulas it was made from. Whoever shows a verdict asks its reason how
it reads, in plain text or with formulas as LaTeX; nobody looks for formulas in a sentence.

>>> from symdp.formulas.notation import eps, k
>>> from sympy import Integer
>>> reason = Reason.of("the gap is least at ", {eps: Integer(0)}) + Reason.of("the entry ", eps*k)
>>> print(reason)
the gap is least at eps = 0; the entry eps*k
>>> print(reason.typeset())
the gap is least at $\varepsilon = 0$; the entry $k\varepsilon$
>>> print(reason.told())
the gap is least at $\varepsilon = 0$

A :class:`Trust` lists what is relied on, always in one order: words, what is cited, the kernel's rules.

>>> trust = Trust.of(words=["that the coin is fair"], cited=["kov/thm-2.5"], rules=["cut", "enclosure"])
>>> trust.lines
('that the coin is fair', 'cited: kov/thm-2.5')
>>> print(trust)
on trust: that the coin is fair; cited: kov/thm-2.5; kernel rules: cut, enclosure
>>> print(Trust())
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from sympy import Expr, Symbol

from symdp.formulas.notation import symbol_latex
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.formulas.translation import expr_of
from symdp.kernel.terms import Term
from symdp.typeset.typesetting import latex

#: Words, a formula, or the values of variables.
Piece: TypeAlias = str | Expr | Relation | Term | Mapping[Any, Any]


class Reason(str):
    """Phrases, each of words and formulas in turn; as a text, the phrases with semicolons between them."""

    __slots__ = ("phrases",)

    phrases: tuple[tuple[Piece, ...], ...]

    def __new__(cls, phrases: tuple[tuple[Piece, ...], ...] = ()) -> Self:
        made = super().__new__(cls, "; ".join("".join(map(_plain, phrase)) for phrase in phrases))
        made.phrases = phrases
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.phrases,)

    @classmethod
    def of(cls, *pieces: Piece) -> Self:
        """One phrase."""
        return cls((pieces,))

    @classmethod
    def joined(cls, reasons: list[str]) -> Self:
        """The phrases of several reasons; what is only text is one of words."""
        return cls(tuple(phrase for reason in reasons for phrase in phrases_of(reason)))

    def __add__(self, other: str) -> Reason:
        return Reason((*self.phrases, *phrases_of(other)))

    def typeset(self) -> str:
        """The sentence with formulas between dollar signs."""
        return "; ".join("".join(map(_typeset, phrase)) for phrase in self.phrases)

    def told(self) -> str:
        """The sentence as one would tell it: without phrases of long formulas, unless nothing else is said."""
        short = tuple(phrase for phrase in self.phrases if not any(map(_is_long, phrase)))
        return Reason(short).typeset() if short else self.typeset()

    def mapped(self, change: Callable[[Any], Any]) -> Reason:
        """The same sentence about other formulas."""
        return Reason(tuple(tuple(p if isinstance(p, str) else change(p) for p in phrase) for phrase in self.phrases))


def phrases_of(text: str) -> tuple[tuple[Piece, ...], ...]:
    return text.phrases if isinstance(text, Reason) else ((text,),) if text else ()


def typeset(text: str) -> str:
    """A sentence with its formulas between dollar signs; what is only text has none."""
    return text.typeset() if isinstance(text, Reason) else text


def told(text: str) -> str:
    return text.told() if isinstance(text, Reason) else text


def _plain(piece: Piece) -> str:
    if isinstance(piece, Mapping):
        return ", ".join(f"{v} = {_plain(value)}" for v, value in piece.items()) or "the only point"
    return to_text(piece) if isinstance(piece, Expr) else str(piece)


def _typeset(piece: Piece) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Mapping):
        return ", ".join(f"${symbol_latex(str(v))} = {_value(value)}$" for v, value in piece.items()) \
            or "the only point"
    return f"${_formula(piece)}$"


def _value(value: Any) -> str:
    formula = expr_of(value) if isinstance(value, Term) else value
    return str(formula) if getattr(formula, "is_Rational", True) else latex(formula)


def _formula(piece: Expr | Relation | Term) -> str:
    return latex(expr_of(piece) if isinstance(piece, Term) else piece)


def _is_long(piece: Piece) -> bool:
    """Whether a formula is more than a name or a number."""
    if isinstance(piece, Mapping):
        return any(map(_is_long, piece.values()))
    if isinstance(piece, str | Symbol):
        return False
    if isinstance(piece, Relation):
        return _is_long(piece.left) or _is_long(piece.right)
    return piece.head not in ("number", "variable") if isinstance(piece, Term) else not piece.is_Rational


@dataclass(frozen=True)
class Trust:
    """What is in words, what is cited, theorems that rules rest on and claims used, a line each; and the rules."""

    lines: tuple[str, ...] = ()
    #: the rules of the kernel
    rules: tuple[str, ...] = ()
    #: the theorem of Coq that says the same, where Coq accepted one
    coq: str = ""

    @classmethod
    def of(
        cls,
        *,
        words: Iterable[str] = (),
        cited: Iterable[str] = (),
        theorems: Iterable[str] = (),
        claims: Iterable[str] = (),
        rules: Iterable[str] = (),
    ) -> Trust:
        lines = (*words, *(f"cited: {text}" for text in cited), *sorted(theorems),
                 *(f"claim {id}" for id in sorted(claims)))
        return cls(tuple(dict.fromkeys(lines)), tuple(sorted(rules)))

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Trust:
        """Trust that was written with :meth:`as_json`."""
        return cls(tuple(row["trust"]), tuple(row["rules"]), str((row.get("coq") or {}).get("theorem", "")))

    def as_json(self) -> dict[str, list[str]]:
        return {"trust": list(self.lines), "rules": list(self.rules)}

    def __bool__(self) -> bool:
        return bool(self.lines or self.rules or self.coq)

    def __str__(self) -> str:
        """Trust as one line of text; empty where there is nothing to trust."""
        parts = [f"checked by Coq: {self.coq}"] if self.coq else []
        parts += [f"on trust: {'; '.join(self.lines)}"] if self.lines else []
        if self.rules:
            parts.append(f"kernel rules: {', '.join(self.rules)}")
        return "; ".join(parts)
