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
symdp.parsing.ParseError: column 5: unknown function 'foo'; known functions: abs, binomial, cos,
cosh, erf, erfc, exp, floor, gamma, ln, log, loggamma, max, min, Phi, sin, sinh, sqrt, tanh;
for a product write foo*(...)

SymPy evaluates while it builds: ``10^10^10`` would fill the memory before anybody could look at
it. So every step is weighed *before* it is taken (see :class:`_Builder`).

``abs``, ``min``, ``max`` and ``floor`` of a variable stay as written; SymPy's own rewriting of them
expands and compares, without any bound on the time.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeVar

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, Symbol

from symdp.notation import Phi, aliases, symbol
from symdp.relation import Op, Relation, exact

MAX_TEXT = 10_000
MAX_DEPTH = 100
MAX_DIGITS = 1_000
MAX_EXPONENT = 1_000
#: Bits of all rational numbers of an expression; constants lie between 2^-MAX_BITS and 2^MAX_BITS.
MAX_BITS = 20_000
#: Bits under a root: SymPy looks for factors and perfect powers there.
MAX_RADICAND = 2_000
#: Arguments of gamma, and the indices of binomial: SymPy multiplies factorials out.
MAX_FACTORIAL = 1_000
MAX_ARGUMENTS = 32
#: Terms of a base split into real and imaginary part, as SymPy does under some exponents.
MAX_SPLIT = 100
#: Numbers inside of what is split in this way, and constant arguments of erf and Phi.
MAX_COEFFICIENT = 10_000
#: Degree of an algebraic number next to 0 or 1: SymPy looks for its minimal polynomial.
MAX_DEGREE = 8
#: Visits of SymPy to the nodes of a tree, in one text; a unit is some tenths of a millisecond.
MAX_WORK = 2_500
PRECISION = 512

T = TypeVar("T")

FUNCTIONS: dict[str, tuple[Callable[..., Expr], int, int]] = {
    "exp": (sympy.exp, 1, 1),
    "log": (sympy.log, 1, 1),
    "ln": (sympy.log, 1, 1),
    "sqrt": (sympy.sqrt, 1, 1),
    "abs": (sympy.Abs, 1, 1),
    "min": (sympy.Min, 2, MAX_ARGUMENTS),
    "max": (sympy.Max, 2, MAX_ARGUMENTS),
    "sinh": (sympy.sinh, 1, 1),
    "cosh": (sympy.cosh, 1, 1),
    "tanh": (sympy.tanh, 1, 1),
    "sin": (sympy.sin, 1, 1),
    "cos": (sympy.cos, 1, 1),
    "erf": (sympy.erf, 1, 1),
    "erfc": (sympy.erfc, 1, 1),
    "Phi": (Phi, 1, 1),
    "gamma": (sympy.gamma, 1, 1),
    "loggamma": (sympy.loggamma, 1, 1),
    "binomial": (sympy.binomial, 2, 2),
    "floor": (sympy.floor, 1, 1),
}
CONSTANTS: dict[str, Expr] = {"e": S.Exp1, "pi": S.Pi, "π": S.Pi}
NOT_NUMBERS = frozenset({"oo", "zoo", "inf", "infinity", "nan"})
#: Names that cannot be variables; a bare gamma is one, gamma( is the function.
RESERVED = (FUNCTIONS.keys() | CONSTANTS.keys()) - {"gamma"}
KNOWN = ", ".join(sorted(FUNCTIONS, key=str.lower))

_GREEK = "".join(name for name in aliases if len(name) == 1 and not name.isascii())
# Classes are spelled out: \d and \w would let in the digits and letters of all scripts.
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>[A-Za-z_][A-Za-z0-9_]*|Φ|[{_GREEK}](?:[0-9_][A-Za-z0-9_]*)?)"
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
    symdp.parsing.ParseError: column 3: the number is too large to be written out
    """
    return _Parser(text).whole(_Parser.sum)


def parse_relation(text: str) -> Relation:
    """One relation, both sides as written.

    >>> str(parse_relation("x ≥ y"))
    'x >= y'
    """
    parser = _Parser(text)
    sides, links = parser.whole(_Parser.chain)
    if len(links) > 1:
        parser.fail("a chain of relations; write exactly one here", links[1].column)
    return Relation(sides[0], _RELATIONS[links[0].text], sides[1])


def parse_conditions(text: str) -> tuple[Relation, ...]:
    """The relations of a chain, one for each sign.

    >>> [str(c) for c in parse_conditions("x > y")]
    ['x > y']
    """
    sides, links = _Parser(text).whole(_Parser.chain)
    return tuple(
        Relation(left, _RELATIONS[link.text], right)
        for left, link, right in zip(sides, links, sides[1:], strict=False)
    )


def parse_definition(text: str) -> tuple[Symbol, Expr]:
    """A name and what it stands for.

    >>> parse_definition("m = eps/2")
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


class _Parser:
    """Reads a sum of products of factors, where factor = [-] operand [^ factor]."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.builder = _Builder()
        if len(text) > MAX_TEXT:
            self.fail(f"the text is longer than {MAX_TEXT} characters", MAX_TEXT + 1)
        self.token = self.scan(0)

    def fail(self, reason: str, column: int | None = None) -> NoReturn:
        raise ParseError(self.text, self.token.column if column is None else column, reason)

    def scan(self, position: int) -> _Token:
        space = _SPACE.match(self.text, position)
        start = space.end() if space else position
        match = _TOKEN.match(self.text, start)
        if match is None or match.lastgroup is None:
            character = self.text[start]
            cure = "; use round brackets" if character in "[]{}" else ""
            self.fail(f"unexpected character {_quote(character)}{cure}", start + 1)
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

    def nested(self, rule: Callable[[], Expr], column: int) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep", column)
        result = rule()
        self.depth -= 1
        return result

    def build(self, column: int, step: Callable[..., Expr], *arguments: Any) -> Expr:
        try:
            return step(*arguments)
        except _RefusedError as refused:
            self.fail(str(refused), column)
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            # SymPy gives up on some constants in ways of its own, such as mpmath's OverflowError.
            self.fail("SymPy cannot evaluate this", column)

    def chain(self) -> tuple[list[Expr], list[_Token]]:
        sides, links = [self.sum()], []
        while self.token.text in _RELATIONS:
            links.append(self.advance())
            sides.append(self.sum())
        if not links and self.token.kind == "end":
            self.fail("a relation is missing; write one of <= < >= > ==")
        if not links:
            self.unexpected()
        return sides, links

    def definition(self) -> tuple[Symbol, Expr]:
        name = self.name()
        if not self.at("="):
            self.fail(f"write '{name} = ...' with a single =")
        self.advance()
        return name, self.sum()

    def name(self) -> Symbol:
        if self.token.kind != "name":
            self.fail("a variable's name is missing")
        return self.variable(self.advance())

    def sum(self) -> Expr:
        start, terms = self.token.column, []
        negative = self.at("-") and bool(self.advance())
        while True:
            term = self.product()
            terms.append(self.build(start, self.builder.negate, term) if negative else term)
            if not self.at("+", "-"):
                break
            negative = self.advance().text == "-"
        return terms[0] if len(terms) == 1 else self.build(start, self.builder.add, terms)

    def product(self) -> Expr:
        start, factors = self.token.column, [self.factor()]
        while self.at("*", "/"):
            operator = self.advance()
            factor = self.factor()
            if operator.text == "/":
                if factor.is_zero:
                    self.fail("division by zero: not a real number", operator.column)
                factor = self.build(operator.column, self.builder.power, factor, S.NegativeOne)
            factors.append(factor)
        if self.token.kind in ("number", "name") or self.at("("):
            self.juxtaposed()
        return factors[0] if len(factors) == 1 else self.build(
            start, self.builder.multiply, factors
        )

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

    def factor(self) -> Expr:
        if self.at("-", "+"):
            sign = self.advance()
            value = self.nested(self.factor, sign.column)
            if sign.text == "+":
                return value
            return self.build(sign.column, self.builder.negate, value)
        base = self.operand()
        if not self.at("^", "**"):
            return base
        sign = self.advance()
        exponent = self.nested(self.factor, sign.column)
        return self.build(sign.column, self.builder.power, base, exponent)

    def operand(self) -> Expr:
        if self.token.kind == "number":
            return self.number(self.advance())
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

    def number(self, token: _Token) -> Expr:
        if sum(character.isdigit() for character in token.text) > MAX_DIGITS:
            self.fail(f"a number of more than {MAX_DIGITS} digits", token.column)
        mantissa, _, exponent = token.text.lower().partition("e")
        if abs(int(exponent or "0")) > MAX_EXPONENT:
            self.fail(f"a decimal exponent beyond {MAX_EXPONENT}", token.column)
        whole, _, decimals = mantissa.partition(".")
        power = int(exponent or "0") - len(decimals)
        digits = int(whole + decimals)
        return Rational(digits * 10 ** max(power, 0), 10 ** max(-power, 0))

    def named(self, token: _Token) -> Expr:
        constant = CONSTANTS.get(token.text)
        return self.variable(token) if constant is None else constant

    def variable(self, token: _Token) -> Symbol:
        if token.text in CONSTANTS:
            self.fail(f"'{token.text}' is a constant, not a variable", token.column)
        if token.text in RESERVED or token.text == "Φ":
            self.fail(f"'{token.text}' is a function; write {token.text}(...)", token.column)
        if token.text.lower() in NOT_NUMBERS:
            self.fail(f"'{token.text}' is not a real number", token.column)
        first, rest = token.text[0], token.text[1:]
        return symbol(aliases[first] + rest if rest and first in aliases else token.text)

    def call(self, name: _Token) -> Expr:
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
        _, least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self.fail(f"{function} takes {wanted} argument{'s' * (most > 1)}, "
                      f"not {len(arguments)}", name.column)
        return self.build(name.column, self.builder.call, function, arguments)


def _quote(piece: str) -> str:
    """A short piece of the user's text, fit to be shown on one line."""
    short = piece if len(piece) <= 20 else piece[:17] + "..."
    return "'" + "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in short) + "'"


# --- building, weighed -----------------------------------------------------------------------


class _RefusedError(Exception):
    """A step that would not end in a real number, or not soon."""


_TOO_LARGE = "the number is too large to be written out"
_TOO_INVOLVED = "the expression is too involved to be built"
_NOT_REAL = "not a real number"
#: SymPy multiplies out the real and imaginary part of their arguments.
_EXPANDED = (sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh)


class _Weight(NamedTuple):
    """What an expression may cost once SymPy builds something around it."""

    nodes: int = 1
    #: Bits of all its rational numbers.
    bits: int = 0
    #: Bits of its rational factors: an outer power multiplies them.
    growth: int = 0
    #: Bits under its roots: a product of roots becomes the root of a product.
    radicand: int = 0
    #: Bits that appear if c*log(a) becomes log(a^c), as SymPy does inside exp.
    logs: int = 0
    #: Terms of its real and imaginary part, multiplied out.
    split: int = 2
    #: A bound on its degree, if it is built from rational numbers and roots; else 0.
    degree: int = 0
    #: An Arb ball around its value; None if it has variables.
    ball: Any = None


class _Builder:
    """Does what SymPy's constructors do, but looks first."""

    def __init__(self) -> None:
        self.work = 0
        self.weights: dict[Expr, _Weight] = {}

    def spend(self, units: int) -> None:
        self.work += units
        if self.work > MAX_WORK:
            raise _RefusedError(_TOO_INVOLVED)

    def weigh(self, expr: Expr) -> _Weight:
        """The weight of what was built; refused if it is no real number, or a gigantic one."""
        known = self.weights.get(expr)
        if known is None:
            known = self.weights[expr] = self._weigh(expr)
            _limit(known.bits, MAX_BITS)
        return known

    def _weigh(self, expr: Expr) -> _Weight:
        if isinstance(expr, Rational):
            bits = 0 if abs(expr.p) <= expr.q == 1 else _bits(expr)
            return _Weight(bits=bits, growth=bits, split=1, degree=1,
                           ball=_ball(_fraction, expr.p, expr.q))
        if isinstance(expr, Symbol):
            return _Weight()
        if expr in (S.Exp1, S.Pi):
            return _Weight(split=1, ball=_ball(_constant, expr))
        if expr.func not in _BALLS:  # I, zoo, oo, nan, accumulation bounds
            raise _RefusedError(_NOT_REAL)
        parts = [self.weigh(argument) for argument in expr.args]
        growth, logs = 0, sum(part.logs for part in parts)
        radicand = sum(part.radicand for part in parts)
        split = _product([part.split for part in parts])
        if isinstance(expr, Add):
            split = sum(part.split for part in parts)
        elif isinstance(expr, Mul):
            growth = sum(part.growth for part in parts)
            logs *= _ceil(expr.args[0])
        elif isinstance(expr, Pow):
            growth = parts[0].growth * _magnitude(expr.exp) + parts[1].logs
            if isinstance(expr.exp, Integer):
                split = _power_terms(parts[0].split, int(expr.exp))
            else:
                radicand += parts[0].growth
                if isinstance(expr.exp, Rational):
                    small = expr.exp.q <= MAX_SPLIT
                    split = 2 * _power_terms(split, _ceil(expr.exp) if small else MAX_SPLIT + 1)
        else:
            split = 2 + sum(part.split for part in parts)
            if isinstance(expr, _EXPANDED):
                split = min(split * split, MAX_SPLIT + 1)
            growth = logs if isinstance(expr, sympy.exp) else 0
            logs += parts[0].growth if isinstance(expr, sympy.log) else 0
        ball, degree = None, 0
        if all(part.ball is not None for part in parts):
            ball, split = _ball(_BALLS[expr.func], *(part.ball for part in parts)), 1
            if isinstance(expr, Pow) and isinstance(expr.exp, Rational):
                degree = parts[0].degree * int(expr.exp.q)
            elif isinstance(expr, Add | Mul):
                degree = math.prod(part.degree for part in parts)
            if degree > MAX_DEGREE and any(abs(ball - n).abs_lower() < 1e-50 for n in (-1, 0, 1)):
                raise _RefusedError("cannot tell this constant from a whole number")
        return _Weight(1 + sum(part.nodes for part in parts), sum(part.bits for part in parts),
                       growth, radicand, logs, split, degree, ball)

    def checked(self, expr: Expr) -> Expr:
        self.weigh(expr)
        return expr

    def add(self, terms: list[Expr]) -> Expr:
        _limit(sum(self.weigh(term).bits for term in terms), 2 * MAX_BITS)
        self.spend(sum(len(Add.make_args(term)) for term in terms) // 10)
        return self.checked(Add(*terms))

    def negate(self, term: Expr) -> Expr:
        self.spend(len(Add.make_args(term)) // 4)
        return self.checked(-term)

    def multiply(self, factors: list[Expr]) -> Expr:
        weights = [self.weigh(factor) for factor in factors]
        # A number is multiplied into the terms of a sum.
        terms = max(len(Add.make_args(factor)) for factor in factors)
        _limit(terms * sum(weight.growth for weight in weights)
               + sum(weight.bits for weight in weights), 2 * MAX_BITS)
        _limit(sum(weight.radicand for weight in weights), MAX_RADICAND)
        parts = [part for factor in factors for part in Mul.make_args(factor)]
        # Roots of numbers are compared pair by pair, and their exponents are added.
        roots = [part for part in parts if isinstance(part, Pow) and part.base.is_Integer
                 and isinstance(part.exp, Rational)]
        self.spend(len(parts) // 10 + terms // 2 * (terms > 1) + len(roots) ** 2 // 50)
        if len({root.exp for root in roots}) > 1:
            common = math.lcm(*(int(root.exp.q) for root in roots))
            _limit(max(common * _bits(root.base) for root in roots), MAX_BITS, _TOO_INVOLVED)
        return self.settled(Mul(*factors))

    def settled(self, expr: Expr) -> Expr:
        """SymPy sometimes needs a second look at a product to collect all of its powers."""
        while (again := Add(*(Mul(*term.args) if term.is_Mul else term
                              for term in Add.make_args(expr)))) != expr:
            self.spend(len(Add.make_args(expr)))
            expr = again
        return self.checked(expr)

    def power(self, base: Expr, exponent: Expr) -> Expr:
        below, above = self.weigh(base), self.weigh(exponent)
        _limit(below.growth * _magnitude(exponent) + above.logs, MAX_BITS)
        if base is S.One:  # SymPy would ask for the absolute value of the exponent
            return base
        for part in exponent.atoms(Pow):  # and takes the numbers out of the sums in an exponent
            _limit(self.weigh(part.base).bits * _ceil(part.exp), MAX_BITS)
        self.spend(len(Mul.make_args(base)) // 2)
        if not isinstance(exponent, Integer):
            _limit(below.growth + below.radicand, MAX_RADICAND)
            self.spend(below.growth // 10 + (above.nodes if exponent.args else 0))
            if base is S.Exp1:
                return self.exponential(exponent)
            if _splits(base, exponent):
                self.splittable(base)
            if isinstance(base, Rational):  # for its numerator 1, SymPy asks for abs(exponent)
                _limit(above.split, MAX_SPLIT, _TOO_INVOLVED)
            if isinstance(exponent, Rational):
                for number in (part for part in Mul.make_args(base) if part.is_Rational):
                    _limit(_root_bits(number, exponent), MAX_RADICAND)
        elif base.is_zero and exponent.is_negative:
            raise _RefusedError(f"division by zero: {_NOT_REAL}")
        self.constant(_power_ball, base, exponent)
        return self.settled(Pow(base, exponent))

    def exponential(self, argument: Expr) -> Expr:
        weight = self.weigh(argument)
        _limit(weight.logs, MAX_RADICAND)
        if not isinstance(argument, Rational | Symbol):
            self.spend(weight.nodes)
        self.constant(_BALLS[sympy.exp], argument)
        return self.checked(sympy.exp(argument))

    def call(self, name: str, arguments: list[Expr]) -> Expr:
        function = FUNCTIONS[name][0]
        if name == "sqrt":
            return self.power(arguments[0], S.Half)
        if name == "exp":
            return self.exponential(arguments[0])
        if name in ("abs", "min", "max", "floor"):
            return self.piecewise(name, arguments)
        if name == "loggamma" and not arguments[0].is_Rational:  # it would ask for abs
            self.constant(_BALLS[function], *arguments)
            return self.checked(function(*arguments, evaluate=False))
        if name in ("erf", "erfc", "Phi"):  # beyond, mpmath's erfc overflows
            ball = self.weigh(arguments[0]).ball
            _limit(0 if ball is None or abs(ball) < MAX_COEFFICIENT else 1, 0)
        if name in ("sinh", "cosh", "tanh"):
            self.splittable(arguments[0])
        if name in ("gamma", "loggamma", "binomial"):
            self.factorials(arguments)
        if name != "binomial" or not arguments[1].is_Integer:
            self.constant(_BALLS[function], *arguments)
        self.spend(len(Add.make_args(arguments[0])) // 10)
        return self.checked(function(*arguments))

    def splittable(self, expr: Expr) -> None:
        """Refused if SymPy cannot quickly split it into real and imaginary part.

        It does that to see whether a hyperbolic function is real. Large numbers are a trap there:
        exp(x - 10^300) has the factor exp(-10^300).
        """
        _limit(self.weigh(expr).split, MAX_SPLIT, _TOO_INVOLVED)
        if self.weigh(expr).ball is None and any(
            isinstance(part, sympy.Function) or not part.exp.is_Integer
            for part in expr.atoms(Pow, sympy.Function)
        ):
            for number in expr.atoms(Rational):
                _limit(max(_ceil(number), int(number.q)), MAX_COEFFICIENT, _TOO_INVOLVED)

    def constant(self, function: Callable[..., Any], *arguments: Expr) -> None:
        """Look at a constant through Arb before SymPy computes its digits."""
        weights = [self.weigh(argument) for argument in arguments]
        if all(weight.ball is not None for weight in weights):
            _ball(function, *(weight.ball for weight in weights))
            if not all(argument.is_Rational for argument in arguments):
                self.spend(2 * sum(weight.nodes for weight in weights))

    def factorials(self, arguments: list[Expr]) -> None:
        """gamma and binomial of numbers are multiplied out; of n over k, SymPy does k steps."""
        numbers = [argument for argument in arguments if self.weigh(argument).ball is not None]
        if len(arguments) == 2 and len(numbers) == 2:
            n, k = arguments
            if k.is_Integer and n.is_Rational:
                steps = min(k, n - k) if n.is_Integer and n >= 0 else k
                _limit(int(steps) * (_bits(n) + 1), MAX_BITS)
                return
            if k.is_Integer:
                _limit(int(k), 20, _TOO_INVOLVED)
            elif not (k.is_Rational and n.is_Rational):
                raise _RefusedError("cannot decide this binomial of irrational constants")
        for number in numbers:
            if number.is_Rational and abs(number) > MAX_FACTORIAL:
                raise _RefusedError(_TOO_LARGE)

    def piecewise(self, name: str, arguments: list[Expr]) -> Expr:
        """abs, min, max and floor: decided by Arb for constants, as written for the others."""
        balls = [self.weigh(argument).ball for argument in arguments]
        if any(ball is None for ball in balls):
            function = FUNCTIONS[name][0]
            return self.checked(function(*arguments, evaluate=False))
        if name == "floor":
            if arguments[0].is_Rational:
                return Integer(arguments[0].p // arguments[0].q)
            whole = _ball(_BALLS[sympy.floor], balls[0]).unique_fmpz()
            if whole is None:
                raise _RefusedError("cannot decide the floor of this constant")
            return self.checked(Integer(int(whole)))
        if name == "abs":
            sign = self.compare(arguments[0], S.Zero)
            return self.negate(arguments[0]) if sign < 0 else arguments[0]
        best = arguments[0]
        for argument in arguments[1:]:
            if self.compare(argument, best) * (1 if name == "max" else -1) > 0:
                best = argument
        return best

    def compare(self, left: Expr, right: Expr) -> int:
        if left == right:
            return 0
        if left.is_Rational and right.is_Rational:
            return 1 if left > right else -1
        one, other = self.weigh(left).ball, self.weigh(right).ball
        if one > other:
            return 1
        if one < other:
            return -1
        raise _RefusedError("cannot decide which of two constants is larger")


def _limit(size: int, most: int, reason: str = _TOO_LARGE) -> None:
    if size > most:
        raise _RefusedError(reason)


def _bits(number: Rational) -> int:
    return int(number.p).bit_length() + (int(number.q).bit_length() if number.q != 1 else 0)


def _root_bits(base: Rational, exponent: Rational) -> int:
    """Bits of the radicand that SymPy computes for a root of a number.

    12^(3/5) = 2^(6/5) * 3^(3/5) becomes 2 * (2*3^3)^(1/5): the exponents of the primes wrap around
    at q, and where q has many digits, so has the radicand.
    """
    size, q = 0, int(exponent.q)
    for number in (abs(int(base.p)), int(base.q)):
        multiplicities = Integer(number).factors(limit=2**15) if number > 1 else {}
        for p in (int(exponent.p), -int(exponent.p)):
            left = {prime: times * p % q for prime, times in multiplicities.items()}
            shared = math.gcd(*left.values()) or 1
            size = max(size, sum(m // shared * int(f).bit_length() for f, m in left.items()))
    return size


def _product(sizes: list[int]) -> int:
    result = 1
    for size in sizes:
        result = min(result * size, MAX_SPLIT + 1)
    return result


def _power_terms(terms: int, exponent: int) -> int:
    """The terms of a power of a sum, multiplied out; twice as many for an inverse."""
    size = abs(exponent)
    if size > MAX_SPLIT or terms > MAX_SPLIT:
        return MAX_SPLIT + 1
    return math.comb(size + terms - 1, size) * (2 if exponent < 0 else 1)


def _ceil(expr: Expr) -> int:
    return max(1, -(-abs(int(expr.p)) // int(expr.q))) if isinstance(expr, Rational) else 1


def _magnitude(exponent: Expr) -> int:
    """How large a number may be left of an exponent once its variables cancel."""
    return sum(_ceil(Mul.make_args(term)[0]) for term in Add.make_args(exponent))


def _splits(base: Expr, exponent: Expr) -> bool:
    """Whether SymPy will ask for the real part of the base, which it multiplies out for that.

    It does so under an exponent with a sum in its denominator, and for a power of a power.
    """
    if base.is_Atom:
        return False
    if any(power.base.is_Add for power in exponent.atoms(Pow)):
        return True
    if not isinstance(base, Pow) or base.base.is_Atom:
        return False
    return not (isinstance(base.exp, Rational) and abs(base.exp) <= 1)


# --- constants, in balls ---------------------------------------------------------------------


def _ball(function: Callable[..., Any], *arguments: Any) -> Any:
    """The value in Arb; refused if it is not a real number of a writable size."""
    import flint

    with flint.ctx.workprec(PRECISION):
        value = function(*arguments)
        if not value.is_finite():
            raise _RefusedError(_NOT_REAL)
        size = value.abs_upper()
        if function is not _fraction and size > flint.arb(2) ** MAX_BITS:
            raise _RefusedError(_TOO_LARGE)
        if function is not _fraction and 0 < size < flint.arb(2) ** -MAX_BITS:
            raise _RefusedError("the number is too small to be told from zero")
    return value


def _fraction(p: int, q: int) -> Any:
    import flint

    return flint.arb(int(p)) if q == 1 else flint.arb(int(p)) / int(q)


def _constant(expr: Expr) -> Any:
    import flint

    return flint.arb.pi() if expr is S.Pi else flint.arb(1).exp()


def _power_ball(base: Any, exponent: Any) -> Any:
    import flint

    if exponent == flint.arb(1) / 2:
        return base.sqrt()
    whole = exponent.unique_fmpz() if exponent.is_exact() else None
    if whole is None and not base > 0:  # (-8)^(1/3) is not real; of 0 SymPy takes care
        return base if base == 0 and exponent > 0 else flint.arb.nan()
    return base**exponent


def _binomial_ball(n: Any, k: Any) -> Any:
    whole = k.unique_fmpz() if k.is_exact() else None
    if whole is not None and whole >= 0:
        return n.bin(int(whole))
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()


_BALLS: dict[Any, Callable[..., Any]] = {
    Add: lambda *terms: sum(terms[1:], terms[0]),
    Mul: lambda *factors: math.prod(factors[1:], start=factors[0]),
    Pow: _power_ball,
    sympy.exp: lambda x: x.exp(),
    sympy.log: lambda x: x.log(),
    sympy.sinh: lambda x: x.sinh(),
    sympy.cosh: lambda x: x.cosh(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.sin: lambda x: x.sin(),
    sympy.cos: lambda x: x.cos(),
    sympy.erf: lambda x: x.erf(),
    sympy.erfc: lambda x: x.erfc(),
    Phi: lambda x: (-x / (x * 0 + 2).sqrt()).erfc() / 2,
    sympy.gamma: lambda x: x.gamma(),
    sympy.loggamma: lambda x: x.lgamma(),
    sympy.binomial: _binomial_ball,
    sympy.floor: lambda x: x.floor(),
    sympy.Abs: abs,
    sympy.Max: lambda *values: functools.reduce(lambda x, y: x.max(y), values),
    sympy.Min: lambda *values: functools.reduce(lambda x, y: x.min(y), values),
}


# --- printing --------------------------------------------------------------------------------

_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_NAMES = {function: name for name, (function, _, _) in FUNCTIONS.items()
          if name not in ("ln", "sqrt")}


def to_text(expr: Expr) -> str:
    """The expression in the grammar of this module; reading it gives the same expression.

    Only SymPy's own loose ends are tidied on the way: it leaves -(1/4)^x/3 - 1 as it is after a
    division by 3, but writes -4^(-x)/3 - 1 when asked again.

    >>> from sympy import exp, sqrt
    >>> from symdp.notation import eps, k, x
    >>> to_text(eps * sqrt(2 * k) - (exp(x) - 1) ** 2 / 3)
    'eps*sqrt(2)*sqrt(k) - (exp(x) - 1)^2/3'
    >>> to_text(0.1)
    Traceback (most recent call last):
    ...
    TypeError: 0.1 is a float; write Rational('0.1')
    """
    return _print(exact(expr), _SUM)


def _print(expr: Expr, level: int) -> str:
    """The text of an expression, in brackets where the place binds tighter than it does."""
    text, own = _printed(expr)
    return text if own >= level else f"({text})"


def _printed(expr: Expr) -> tuple[str, int]:
    for constant, name in ((S.Exp1, "e"), (S.Pi, "pi")):
        if expr is constant:
            return name, _ATOM
    if isinstance(expr, Symbol):
        return _symbol_name(expr), _ATOM
    if isinstance(expr, Add):
        return _sum_text(expr), _SUM
    if isinstance(expr, Rational | Mul) or _is_inverse(expr):
        negative, text, level = _product_text(expr)
        return ("-" + text, _SUM) if negative else (text, level)
    if expr.func in _NAMES:
        arguments = ", ".join(_print(argument, _SUM) for argument in expr.args)
        return f"{_NAMES[expr.func]}({arguments})", _ATOM
    if isinstance(expr, Pow):
        return _power_text(expr.base, expr.exp)
    kind = type(expr).__name__
    raise TypeError(f"{kind} is outside the grammar; known functions: {KNOWN}")


def _symbol_name(expr: Symbol) -> str:
    name = str(expr.name)
    try:
        known = parse_name(name)
    except ParseError:
        known = None
    if known != expr:
        raise TypeError(f"the symbol {name!r} cannot be written down; "
                        "make symbols by symdp.notation.symbol")
    return name


def _sum_text(expr: Add) -> str:
    """Terms in SymPy's order, but the number last and a positive term first."""
    terms = sorted(expr.args, key=lambda term: bool(term.is_Rational))
    printed = [_product_text(term) for term in terms]
    first = next((i for i, (negative, _, _) in enumerate(printed) if not negative), 0)
    printed.insert(0, printed.pop(first))
    text = ""
    for negative, term, level in printed:
        text += (" - " if text else "-") if negative else (" + " if text else "")
        text += term if level > _SUM else f"({term})"
    return text


def _is_inverse(expr: Expr) -> bool:
    """x^-2, which is written 1/x^2; exp(-2) stays."""
    return (isinstance(expr, Pow) and expr.base is not S.Exp1
            and isinstance(expr.exp, Rational) and expr.exp.is_negative)


def _product_text(expr: Expr) -> tuple[bool, str, int]:
    """Sign, text without the sign, and how tightly it binds."""
    number, above, below = S.One, [], []
    factors = Mul.make_args(expr)
    for factor in factors:
        if isinstance(factor, Rational) and factor is factors[0]:
            number = factor
        elif _is_inverse(factor):
            below.append(_power_text(factor.base, -factor.exp))
        else:
            above.append(_printed(factor))
    if abs(number.p) != 1 or not above:
        above.insert(0, (_integer_text(abs(number.p)), _ATOM))
    divisors = [_joined(below)] if below else []
    if number.q != 1:
        divisors.append((_integer_text(number.q), _ATOM))
    # x/(a + b)/2 and not x/(2*(a + b)): SymPy would multiply the 2 into the sum.
    if len(divisors) == 2 and divisors[0][1] > _SUM:
        divisors = [_joined([divisors[1], *below])]
    text, level = _joined(above)
    if divisors:
        text, level = text if level > _SUM else f"({text})", _PRODUCT
    for divisor, tightness in divisors:
        text += f"/{divisor}" if tightness > _PRODUCT else f"/({divisor})"
    return bool(number.is_negative), text, level


def _joined(factors: list[tuple[str, int]]) -> tuple[str, int]:
    if len(factors) == 1:
        return factors[0]
    return "*".join(text if level > _PRODUCT else f"({text})" for text, level in factors), _PRODUCT


def _power_text(base: Expr, exponent: Expr) -> tuple[str, int]:
    if exponent is S.One:
        return _printed(base)
    if exponent is S.Half:
        return f"sqrt({_print(base, _SUM)})", _ATOM
    return f"{_print(base, _ATOM)}^{_print(exponent, _ATOM)}", _POWER


def _integer_text(number: int) -> str:
    """Digits; beyond what the grammar reads as one number, in pieces."""
    high, low = divmod(int(number), 10**MAX_DIGITS)
    return f"({_integer_text(high)}*10^{MAX_DIGITS} + {low})" if high else str(low)
