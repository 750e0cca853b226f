r"""The place in a row of tokens, and what every reader of LaTeX needs: errors, limits, placeholders.

Sums and families are held as placeholders while a formula is read: the builder knows neither, and a
placeholder weighs as much as a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from sympy import Expr, Indexed, IndexedBase, S, Symbol

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.formulas.balls import Refused
from symdp.formulas.building import Builder
from symdp.formulas.functions import is_partial
from symdp.formulas.notation import symbol
from symdp.formulas.relation import Op
from symdp.formulas.vocabulary import MAX_TEXT
from symdp.sources.derivations.expressions import lost
from symdp.sources.derivations.lines import Distribution

MAX_DEPTH = 60

RELATIONS: dict[str, Op] = {
    r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", "<": "<", r"\lt": "<", r"\ge": ">=",
    r"\geq": ">=", r"\geqslant": ">=", ">": ">", r"\gt": ">", "=": "==",
}
TIMES = (r"\cdot", r"\times", "*")
CLOSING = {"(": ")", "[": "]", r"\{": r"\}", "|": "|", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
            r"\vert": r"\vert", "{": "}"}
#: Commands that cannot begin a factor; everything else that is unknown is said to be.
NOT_FACTORS = {*RELATIONS, *TIMES, r"\right", r"\}", r"\rvert", r"\rfloor", r"\rceil", r"\Rightarrow", r"\implies",
                r"\Longrightarrow", r"\iff", r"\Leftrightarrow", r"\Longleftrightarrow", r"\in", r"\choose", r"\over"}


class Cursor:
    """Goes through tokens from left to right."""

    def __init__(
        self,
        text: str,
        found: Sequence[Token],
        *,
        known: Iterable[Symbol | str] = (),
        indices: Iterable[Symbol | str] = (),
        laws: Mapping[str, Distribution] | None = None,
        spellings: dict[Symbol, str] | None = None,
    ) -> None:
        self.text, self.tokens, self.place = text, list(found), 0
        self.depth = 0
        self.builder = Builder()
        self.known = {symbol(v) if isinstance(v, str) else v for v in known}
        self.indices = {symbol(v) if isinstance(v, str) else v for v in indices}
        self.laws = dict(laws or {})
        #: the distributions over which a mean was written out, so that their masses must be those of a law
        self.averaged: set[str] = set()
        #: names with a meaning of their own
        self.named: set[Symbol] = set()
        #: how each name was first written; the readers of one text share this
        self.spellings = {} if spellings is None else spellings
        self.held: dict[Symbol, Expr] = {}
        self.needed: list[Expr] = []
        #: brackets of the same sign at both ends that are open, such as |x|
        self.bars: list[str] = []
        if self.tokens[-1].at - self.tokens[0].at > MAX_TEXT:
            self.fail(f"a formula of more than {MAX_TEXT} characters", self.tokens[0])

    # --- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def at(self, *texts: str) -> bool:
        return self.token.kind not in ("end", "words") and self.token.text in texts

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def fail(self, reason: str, token: Token | None = None) -> NoReturn:
        raise LatexError(self.text, (token or self.token).at, reason)

    def unexpected(self) -> NoReturn:
        token = self.token
        if token.kind == "end":
            self.fail("the formula ends where an expression is missing")
        if token.kind == "words":
            self.fail(f"words ({token.text}) inside of a formula")
        if token.kind == "command" and token.text not in NOT_FACTORS:
            self.fail(f"the command {token.text} is not understood")
        if token.kind == "gap":
            self.fail(f"{token.text} inside of a formula; for the number of an equation write \\tag{{...}}")
        if token.text == ":":
            self.fail("a definition stands on a line of its own: 'let: m = ...'")
        if token.kind == "begin":
            self.fail(f"{token.text} inside of a formula")
        self.fail(f"unexpected {token.text!r}")

    def expect(self, text: str, opening: Token) -> None:
        if self.token.kind == "end":
            self.fail(f"this {opening.text!r} is never closed", opening)
        if not self.at(text):
            self.fail(f"unexpected {self.token.text!r}; {text!r} is missing, which closes the "
                      f"{opening.text!r} before")
        self.advance()

    def whole(self, rule: Callable[[], Any]) -> Any:
        """What a rule reads, which must be all there is."""
        try:
            result = rule()
        except RecursionError:
            self.fail("nested too deeply")
        if self.token.kind != "end":
            self.unexpected()
        return result

    def build(self, token: Token, step: Callable[..., Expr], *arguments: Any) -> Expr:
        try:
            result = step(*arguments)
        except Refused as refused:
            self.fail(str(refused), token)
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            self.fail("SymPy cannot evaluate this", token)
        if result.free_symbols and _may_be_undefined(result):
            self.needed.append(result)
        return result

    # --- what is held back

    def hold(self, expr: Expr) -> Symbol:
        for name, other in self.held.items():
            if other == expr:
                return name
        name = Symbol(f"held {len(self.held)}")
        self.held[name] = expr
        return name

    def mention(self, name: Symbol) -> Symbol:
        """A variable, or what is held back, which must have a value even where it cancels."""
        self.needed.append(name)
        return name

    def released(self, expr: Expr) -> Expr:
        """The expression with sums and members of families in their places."""
        while expr.free_symbols & self.held.keys():
            expr = expr.xreplace({h: self.held[h] for h in expr.free_symbols & self.held.keys()})
        return expr

    def lost(self, *exprs: Expr) -> tuple[Expr, ...]:
        """Parts that were written and that SymPy has cancelled: they must still be defined.

        Among them are variables, which may be names of something, and sums, which need a range.
        """
        parts = [self.released(p) for p in self.needed]
        self.needed = []
        return lost(parts, *exprs)

    def refuse_lost(self, expr: Expr, token: Token) -> None:
        """An error where a part has cancelled, and nobody would ask whether it is defined."""
        for part in sorted(self.lost(expr), key=lambda part: part.is_Symbol):
            self.fail(f"{part} cancels here; write what is left", token)

    def nested(self, rule: Callable[[], Expr], token: Token) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep", token)
        result = rule()
        self.depth -= 1
        return result

    def family(self, base: Symbol, places: Sequence[Expr]) -> Expr:
        return self.mention(self.hold(Indexed(IndexedBase(base), *(self.released(p) for p in places))))

    # --- what the readers above this one know how to read

    def sum(self) -> Expr:
        raise NotImplementedError

    def product(self) -> Expr:
        raise NotImplementedError

    def factor(self) -> Expr:
        raise NotImplementedError

    def script(self) -> Expr:
        raise NotImplementedError

    def group(self) -> Expr:
        raise NotImplementedError

    def bracketed(self) -> Expr:
        raise NotImplementedError

    def begins_factor(self) -> bool:
        raise NotImplementedError


def _may_be_undefined(expr: Expr) -> bool:
    if expr.is_Pow:
        return not (expr.exp.is_Integer and expr.exp > 0) and expr.base is not S.Exp1
    return is_partial(expr)
