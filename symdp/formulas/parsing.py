r"""Text -> SymPy through a grammar of its own, and back.

The text comes from strangers, so it is never handed to ``eval`` or ``sympify``: a tokenizer and a
recursive descent over three levels of precedence read it. What is read is exact.

>>> parse_expression("eps*tanh(ε/2) + 0.1")
eps*tanh(eps/2) + 1/10
>>> parse_expression("e^(2*x)")
exp(2*x)
>>> str(parse_relation("cosh(x) <= exp(x^2/2)"))
'cosh(x) <= exp(x^2/2)'
>>> [str(c) for c in parse_conditions("0 < d <= 1")]
['0 < d', 'd <= 1']
>>> parse_expression("2 + foo(x)")
Traceback (most recent call last):
...
symdp.formulas.parsing.ParseError: column 5: unknown function 'foo'; known functions: abs, acos, acosh, asin, asinh,
atan, atanh, binomial, cos, cosh, digamma, erf, erfc, exp, expm1, floor, gamma, log, log1p, loggamma, max, min, Phi,
sin, sinh, sqrt, tan, tanh, trigamma, uppergamma; for a product write foo*(...)

SymPy evaluates while it builds: ``10^10^10`` would fill the memory before anybody could look at
it. So every step goes through :mod:`symdp.formulas.building`, which weighs it before it is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeVar

from sympy import Expr, Rational, S, Symbol

from symdp.formulas.balls import Refused
from symdp.formulas.building import Builder
from symdp.formulas.functions import is_partial
from symdp.formulas.notation import aliases, symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Op, Relation
from symdp.formulas.vocabulary import (
    CONSTANTS,
    FUNCTIONS,
    KNOWN,
    MAX_DIGITS,
    MAX_TEXT,
    NAME,
    not_a_variable,
    strange,
)
from symdp.kernel import terms as kernel
from symdp.kernel.goals import Relation as Formula
from symdp.kernel.terms import Term

__all__ = [
    "MAX_DEPTH", "MAX_TEXT", "ParseError", "parse_conditions", "parse_definition",
    "parse_expression", "parse_name", "parse_relation", "parse_term", "to_text",
]

MAX_DEPTH = 100
MAX_EXPONENT = 1_000

T = TypeVar("T")

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>{NAME})"
    r"|(?P<sign>\*\*|<=|>=|==|[-+*/^()<>=,≤≥])"
    r"|(?P<end>\Z)"
)
_SPACE = re.compile(r"[ \t\r\n]*")
_RELATIONS: dict[str, Op] = {
    "<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "==", "≤": "<=", "≥": ">=",
}


class ParseError(ValueError):
    """What is wrong with a text, and at which column, counted from 1.

    >>> error = ParseError("2x", 2, "write 2*x")
    >>> str(error), error.column
    ('column 2: write 2*x', 2)
    """

    def __init__(self, text: str, column: int, reason: str) -> None:
        super().__init__(text, column, reason)  # all three, so that it can be pickled
        self.text, self.column, self.reason = text, column, reason

    def __str__(self) -> str:
        return f"column {self.column}: {self.reason}"


def parse_expression(text: str) -> Expr:
    """The expression that a text writes down.

    >>> parse_expression("-x^2/1e3")
    -x**2/1000
    >>> parse_expression("10^10^10")
    Traceback (most recent call last):
    ...
    symdp.formulas.parsing.ParseError: column 3: the number is too large to be written out
    """
    return _Parser(text).whole(_Parser.sum).expr


def parse_term(text: str) -> Term:
    """The term that a text writes down: every operation as it stands there.

    >>> print(parse_term("0*log(x) + x/x"))
    0*log(x) + x/x
    """
    return _Parser(text).whole(_Parser.sum).term


def parse_relation(text: str) -> Relation:
    """One relation, both sides as written.

    >>> str(parse_relation("x ≥ y"))
    'x >= y'
    """
    parser = _Parser(text)
    sides, links = parser.whole(_Parser.chain)
    if len(links) > 1:
        parser.fail("a chain of relations; write exactly one here", links[1].column)
    lost = (p for p in dict.fromkeys(parser.needed) if not any(s.expr.has(p) for s in sides))
    return _related(sides[0], links[0], sides[1], tuple(lost))


def parse_conditions(text: str) -> tuple[Relation, ...]:
    """The relations of a chain, one for each sign; or those that say in which interval something lies.

    >>> [str(c) for c in parse_conditions("x > y")]
    ['x > y']
    >>> [str(c) for c in parse_conditions("x in (0, pi/2]")]
    ['x > 0', 'x <= pi/2']
    >>> [str(c) for c in parse_conditions("x in [1, oo)")]
    ['x >= 1']
    """
    sides, links = _Parser(text).whole(_Parser.condition)
    others = [sides[0]] * len(links) if links[0].kind == "in" else sides
    return tuple(
        _related(left, link, right)
        for left, link, right in zip(others, links, sides[1:], strict=False)
    )


def _related(left: Written, link: _Token, right: Written, lost: tuple[Expr, ...] = ()) -> Relation:
    op = _RELATIONS[link.text]
    return Relation(left.expr, op, right.expr, lost, Formula(left.term, op, right.term))


class Definition(NamedTuple):
    """A name and what it stands for."""

    name: Symbol
    expr: Expr
    term: Term


def parse_definition(text: str) -> Definition:
    """A name and what it stands for.

    >>> parse_definition("m = eps/2")[:2]
    (m, eps/2)
    """
    return _Parser(text).whole(_Parser.definition)


def parse_name(text: str) -> Symbol:
    """A variable.

    >>> parse_name("ε")
    eps
    """
    return _Parser(text).whole(_Parser.name)


# --- reading ---------------------------------------------------------------------------------


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


class Written(NamedTuple):
    """A piece of text as the term that stands there, and as SymPy sees it."""

    expr: Expr
    term: Term


class _Parser:
    """Reads a sum of products of factors, where factor = [-] operand [^ factor]."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.builder = Builder()
        #: parts that can be undefined, in case SymPy simplifies them away
        self.needed: list[Expr] = []
        #: whether "in" may follow; whether an interval is being read, the one place for square brackets
        self.may_lie = self.brackets = False
        if len(text) > MAX_TEXT:
            self.fail(f"the text is longer than {MAX_TEXT} characters", MAX_TEXT + 1)
        self.token = self.scan(0)

    def fail(self, reason: str, column: int | None = None) -> NoReturn:
        raise ParseError(self.text, self.token.column if column is None else column, reason)

    def scan(self, position: int) -> _Token:
        space = _SPACE.match(self.text, position)
        start = space.end() if space else position
        if self.brackets and self.text[start:start + 1] in ("[", "]"):
            self.position = start + 1
            return _Token("sign", self.text[start], start + 1)
        match = _TOKEN.match(self.text, start)
        if match is None or match.lastgroup is None:
            character = self.text[start]
            cure = "; use round brackets" if character in "[]{}" else ""
            self.fail(strange(character) or f"unexpected character {_quote(character)}{cure}", start + 1)
        self.position = match.end()
        return _Token(match.lastgroup, match.group(), start + 1)

    def advance(self) -> _Token:
        token, self.token = self.token, self.scan(self.position)
        return token

    def at(self, *signs: str) -> bool:
        return self.token.kind == "sign" and self.token.text in signs

    def whole(self, rule: Callable[[_Parser], T]) -> T:
        """What the rule reads, which must be all there is."""
        try:
            result = rule(self)
        except RecursionError:  # the caller left us little of the stack, or SymPy took much
            self.fail("nested too deeply")
        if self.token.kind != "end":
            self.unexpected()
        return result

    def unexpected(self) -> NoReturn:
        if self.token.kind == "end":
            self.fail("the text ends where an expression is missing" if self.text.strip()
                      else "the text is empty")
        if self.at("="):
            self.fail("unexpected '='; the relations are <= < >= > ==")
        if self.token.text in _RELATIONS:
            self.fail(f"unexpected relation '{self.token.text}'")
        if self.at(")"):
            self.fail("unexpected ')'")
        self.fail(f"unexpected {_quote(self.token.text)}")

    def nested(self, rule: Callable[[], Written], column: int) -> Written:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep", column)
        result = rule()
        self.depth -= 1
        return result

    def build(self, column: int, term: Term, step: Callable[..., Expr], *arguments: Any) -> Written:
        try:
            result = step(*arguments)
            if result.free_symbols and _may_be_undefined(result):
                self.needed.append(result)
            return Written(result, term)
        except Refused as refused:
            self.fail(str(refused), column)
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            # SymPy gives up on some constants in ways of its own, such as mpmath's OverflowError.
            self.fail("SymPy cannot evaluate this", column)

    def chain(self, first: Written | None = None) -> tuple[list[Written], list[_Token]]:
        sides, links = [self.sum() if first is None else first], []
        while self.token.text in _RELATIONS:
            links.append(self.advance())
            sides.append(self.sum())
        if not links and self.token.kind == "end":
            self.fail("a relation is missing; write one of <= < >= > ==")
        if not links:
            self.unexpected()
        return sides, links

    def condition(self) -> tuple[list[Written], list[_Token]]:
        """A chain of relations, or ``x in [a, b]``: x and the finite ends, with a token for the sign of each."""
        self.may_lie = True
        first = self.sum()
        self.may_lie = False
        if not self.at_in():
            return self.chain(first)
        self.brackets = True
        word = self.advance()
        opening = self.token
        if not self.at("(", "["):
            self.fail("an interval is missing behind 'in': [0, 1], (0, 1] or [0, oo)")
        self.advance()
        low = self.end("-")
        if not self.at(","):
            self.fail("an interval has two ends with a comma between them: [0, 1]")
        self.advance()
        high = self.end("+")
        if not self.at(")", "]"):
            self.fail("the interval is not closed; write ) or ] behind its upper end")
        closing = self.token
        self.brackets = False
        self.advance()
        sides, links = [first], []
        for end, sign in ((low, ">=" if opening.text == "[" else ">"), (high, "<=" if closing.text == "]" else "<")):
            if end is not None:
                sides.append(end)
                links.append(_Token("in", sign, word.column))
            elif (opening if end is low and sign[0] == ">" else closing).text in "[]":
                self.fail("an infinite end is open: write (-oo, ...) and (..., oo)", opening.column)
        if not links:
            self.fail("every real number lies in (-oo, oo); leave this condition out", word.column)
        return sides, links

    def end(self, sign: str) -> Written | None:
        """An end of an interval; None for the infinite one of that sign."""
        before = self.position, self.token
        if self.at("-", "+") and self.advance().text != sign:
            self.position, self.token = before
            return self.sum()
        if self.token.text in ("oo", "inf", "infinity"):
            if sign == "-" and before[1].text != "-":
                self.fail("an interval cannot begin at infinity")
            self.advance()
            return None
        self.position, self.token = before
        return self.sum()

    def at_in(self) -> bool:
        return self.token.kind == "name" and self.token.text == "in"

    def definition(self) -> Definition:
        name = self.name()
        if not self.at("="):
            self.fail(f"write '{name} = ...' with a single =")
        self.advance()
        return Definition(name, *self.sum())

    def name(self) -> Symbol:
        if self.token.kind != "name":
            self.fail("a variable's name is missing")
        return self.variable(self.advance())

    def sum(self) -> Written:
        start, terms = self.token.column, []
        written: Term | None = None
        negative = self.at("-") and bool(self.advance())
        while True:
            part = self.product()
            if written is None:
                written = -part.term if negative else part.term
            else:
                written = written - part.term if negative else written + part.term
            terms.append(self.build(start, part.term, self.builder.negate, part.expr).expr
                         if negative else part.expr)
            if not self.at("+", "-"):
                break
            negative = self.advance().text == "-"
        return Written(terms[0], written) if len(terms) == 1 else self.build(
            start, written, self.builder.add, terms)

    def product(self) -> Written:
        start = self.token.column
        first = self.factor()
        factors, written = [first.expr], first.term
        while self.at("*", "/"):
            operator = self.advance()
            factor = self.factor()
            expr = factor.expr
            if operator.text == "/":
                if expr.is_zero:
                    self.fail("division by zero: not a real number", operator.column)
                written = written / factor.term
                expr = self.build(operator.column, written, self.builder.power, expr, S.NegativeOne).expr
            else:
                written = written * factor.term
            factors.append(expr)
        if (self.token.kind in ("number", "name") or self.at("(")) and not (self.may_lie and self.at_in()):
            self.juxtaposed()
        return Written(factors[0], written) if len(factors) == 1 else self.build(
            start, written, self.builder.multiply, factors)

    def juxtaposed(self) -> NoReturn:
        """2x and (a)(b): a product without its sign."""
        here = self.token.column - 1
        left = re.search(r"[^\s()]*\s*\Z", self.text[:here])
        first = (left.group() if left else "").strip() or "(...)"
        first = re.split(r"[-+*/^<>=,≤≥]", first)[-1] or "(...)"
        second = "(...)" if self.at("(") else self.token.text
        if len(first) + len(second) > 30:
            first, second = "a", "b"
        self.fail(f"an operator is missing; for a product write {first}*{second}")

    def factor(self) -> Written:
        if self.at("-", "+"):
            sign = self.advance()
            value = self.nested(self.factor, sign.column)
            if sign.text == "+":
                return value
            return self.build(sign.column, -value.term, self.builder.negate, value.expr)
        base = self.operand()
        if not self.at("^", "**"):
            return base
        sign = self.advance()
        exponent = self.nested(self.factor, sign.column)
        # e^u is how some write exp(u)
        written = (kernel.apply("exp", exponent.term) if base.term.head == "e"
                   else base.term**exponent.term)
        return self.build(sign.column, written, self.builder.power, base.expr, exponent.expr)

    def operand(self) -> Written:
        if self.token.kind == "number":
            value = self.number(self.advance())
            return Written(value, kernel.number(int(value.p), int(value.q)))
        if self.token.kind == "name":
            name = self.advance()
            return self.call(name) if self.at("(") else self.named(name)
        if not self.at("("):
            self.unexpected()
        opening = self.advance()
        value = self.nested(self.sum, opening.column)
        self.close(opening)
        return value

    def close(self, opening: _Token) -> None:
        if self.token.kind == "end":
            self.fail("this '(' is never closed", opening.column)
        if not self.at(")"):
            self.unexpected()
        self.advance()

    def number(self, token: _Token) -> Rational:
        if sum(character.isdigit() for character in token.text) > MAX_DIGITS:
            self.fail(f"a number of more than {MAX_DIGITS} digits", token.column)
        mantissa, _, exponent = token.text.lower().partition("e")
        if abs(int(exponent or "0")) > MAX_EXPONENT:
            self.fail(f"a decimal exponent beyond {MAX_EXPONENT}", token.column)
        whole, _, decimals = mantissa.partition(".")
        power = int(exponent or "0") - len(decimals)
        digits = int(whole + decimals)
        return Rational(digits * 10 ** max(power, 0), 10 ** max(-power, 0))

    def named(self, token: _Token) -> Written:
        constant = CONSTANTS.get(token.text)
        if constant is not None:
            return Written(constant, kernel.constant("e" if constant is S.Exp1 else "pi"))
        found = self.variable(token)
        self.needed.append(found)  # it may be the name of something that is not always defined
        return Written(found, kernel.variable(str(found.name)))

    def variable(self, token: _Token) -> Symbol:
        if reason := not_a_variable(token.text):
            self.fail(reason, token.column)
        first, rest = token.text[0], token.text[1:]
        return symbol(aliases[first] + rest if rest and first in aliases else token.text)

    def call(self, name: _Token) -> Written:
        function = "Phi" if name.text == "Φ" else name.text
        if function not in FUNCTIONS:
            short = _quote(name.text)
            self.fail(f"unknown function {short}; known functions: {KNOWN}; "
                      f"for a product write {short[1:-1]}*(...)", name.column)
        opening = self.advance()
        arguments = [self.nested(self.sum, opening.column)]
        while self.at(","):
            self.advance()
            arguments.append(self.nested(self.sum, opening.column))
        self.close(opening)
        kernel_name, least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self.fail(f"{function} takes {wanted} argument{'s' * (most > 1)}, "
                      f"not {len(arguments)}", name.column)
        written = kernel.apply(kernel_name, *(a.term for a in arguments))
        return self.build(name.column, written, self.builder.call, kernel_name, [a.expr for a in arguments])


def _may_be_undefined(expr: Expr) -> bool:
    if expr.is_Pow:
        return not (expr.exp.is_Integer and expr.exp > 0)
    return is_partial(expr)


def _quote(piece: str) -> str:
    """A short piece of the user's text, fit to be shown on one line."""
    short = piece if len(piece) <= 20 else piece[:17] + "..."
    return "'" + "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in short) + "'"
