r"""A careful subset of LaTeX -> SymPy. What is not understood is an error that points at the token.

Nothing is guessed. The rules where LaTeX is loose:

* factors side by side are a product: ``k\varepsilon(1-p)``, ``2xy``; a letter is one symbol;
* a letter right before a bracket is a product only if the letter is known as a variable; else
  ``f(x)`` might be a function, and is an error;
* ``a/b`` divides by the one factor behind the stroke, and ``1/2x`` is an error;
* ``\log x`` takes one factor, ``\log 2x`` is an error; ``\log(x)^2`` is one, too;
* a sum extends over the product behind it, to the next plus or minus at its level;
* ``e`` is Euler's number and ``\pi`` is pi; ``\Phi(x)`` is the normal distribution function;
* a subscript is part of a name, ``\varepsilon_0``; with the index of a sum in it, ``\varepsilon_\ell``
  is a member of a family.

>>> read_expression(r"\frac{e^\varepsilon-1}{e^{\varepsilon}+1} k\varepsilon")
eps*k*(exp(eps) - 1)/(exp(eps) + 1)
>>> read_expression(r"\sum_{\ell=0}^{i-1} \binom{k}{\ell} e^{\varepsilon\ell}")
Sum(exp(ell*eps)*binomial(k, ell), (ell, 0, i - 1))
>>> read_expression(r"1 + f(x)")
Traceback (most recent call last):
...
symdp.derivation.latex_tokens.LatexError: line 1, column 5: f(...) is no function that is known here;
if f is a variable and this is a product, declare f or write f \cdot (...)

As in :mod:`symdp.parsing`, every step is weighed by :mod:`symdp.building` before SymPy takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import sympy
from sympy import Expr, Indexed, IndexedBase, Product, Rational, S, Sum, Symbol

from symdp.balls import Refused
from symdp.building import Builder
from symdp.derivation.latex_names import NameReader
from symdp.derivation.latex_tokens import LatexError, Token, tokens
from symdp.derivation.steps import Distribution
from symdp.notation import symbol
from symdp.relation import Op, Relation
from symdp.vocabulary import MAX_DIGITS, MAX_TEXT

MAX_DEPTH = 60

RELATIONS: dict[str, Op] = {
    r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", "<": "<", r"\lt": "<", r"\ge": ">=",
    r"\geq": ">=", r"\geqslant": ">=", ">": ">", r"\gt": ">", "=": "==",
}
_FUNCTIONS = {r"\exp": "exp", r"\log": "log", r"\ln": "log", r"\sinh": "sinh", r"\cosh": "cosh",
              r"\tanh": "tanh", r"\sin": "sin", r"\cos": "cos", r"\Phi": "Phi", r"\Gamma": "gamma"}
_OPERATORS = {"erf": "erf", "erfc": "erfc", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh",
              "log": "log", "ln": "log", "exp": "exp", "min": "min", "max": "max"}
_TIMES = (r"\cdot", r"\times", "*")
_CLOSING = {"(": ")", "[": "]", r"\{": r"\}", "|": "|", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
            r"\vert": r"\vert", "{": "}"}
#: Commands that cannot begin a factor; everything else that is unknown is said to be.
_NOT_FACTORS = {*RELATIONS, *_TIMES, r"\right", r"\}", r"\rvert", r"\rfloor", r"\Rightarrow", r"\implies",
                r"\Longrightarrow", r"\iff", r"\Leftrightarrow", r"\Longleftrightarrow", r"\in"}


def read_expression(
    text: str, *, known: Iterable[Symbol | str] = (), indices: Iterable[Symbol | str] = ()
) -> Expr:
    """The expression that a formula writes down.

    ``known`` are variables, which may stand before a bracket; ``indices`` run through families.
    """
    reader = Reader(text, tokens(text), known=known, indices=indices)
    return reader.whole(reader.expression)


def read_relation(
    text: str, *, known: Iterable[Symbol | str] = (), indices: Iterable[Symbol | str] = ()
) -> Relation:
    r"""One relation.

    >>> str(read_relation(r"\tilde\delta \leq 1"))
    'slack <= 1'
    """
    reader = Reader(text, tokens(text), known=known, indices=indices)
    found: list[Relation] = reader.whole(reader.conditions)
    if len(found) != 1:
        raise LatexError(text, 0, "write exactly one relation here")
    return found[0]


class Reader(NameReader):
    """Reads tokens from left to right; sums and families are held as placeholders on the way.

    The builder knows neither, and a placeholder weighs as much as a variable.
    """

    def __init__(
        self,
        text: str,
        found: Sequence[Token],
        *,
        known: Iterable[Symbol | str] = (),
        indices: Iterable[Symbol | str] = (),
        laws: Mapping[str, Distribution] | None = None,
    ) -> None:
        self.text, self.tokens, self.place = text, list(found), 0
        self.depth = 0
        self.builder = Builder()
        self.known = {symbol(v) if isinstance(v, str) else v for v in known}
        self.indices = {symbol(v) if isinstance(v, str) else v for v in indices}
        self.laws = dict(laws or {})
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
        if token.kind == "command" and token.text not in _NOT_FACTORS:
            self.fail(f"the command {token.text} is not understood")
        if token.kind == "gap":
            self.fail(f"{token.text} inside of a formula; for the number of an equation write \\tag{{...}}")
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

    def released(self, expr: Expr) -> Expr:
        """The expression with sums and members of families in their places."""
        while expr.free_symbols & self.held.keys():
            expr = expr.xreplace({h: self.held[h] for h in expr.free_symbols & self.held.keys()})
        return expr

    def expression(self) -> Expr:
        return self.released(self.sum())

    def lost(self, *exprs: Expr) -> tuple[Expr, ...]:
        """Parts that were written and that SymPy has cancelled; they must still be defined."""
        parts = dict.fromkeys(self.released(p) for p in self.needed)
        self.needed = []
        return tuple(p for p in parts if not any(e.has(p) for e in exprs)
                     and not p.has(Sum, Product, Indexed))

    def conditions(self) -> list[Relation]:
        """Relations: chains such as 0 < x \\le 1, separated by commas."""
        found: list[Relation] = []
        while True:
            left = self.expression()
            if self.token.text not in RELATIONS:
                self.fail(r"a relation is missing; write one of \le < \ge > =") \
                    if self.token.kind == "end" else self.unexpected()
            while self.token.text in RELATIONS:
                op = RELATIONS[self.advance().text]
                right = self.expression()
                found.append(Relation(left, op, right, self.lost(left, right)))
                left = right
            if not self.at(",", ";"):
                return found
            self.advance()

    # --- sums and products

    def nested(self, rule: Callable[[], Expr], token: Token) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep", token)
        result = rule()
        self.depth -= 1
        return result

    def sum(self) -> Expr:
        self.skip_empty_group()
        first, terms = self.token, []
        negative = self.at("-", "+") and self.advance().text == "-"
        while True:
            term = self.product()
            terms.append(self.build(first, self.builder.negate, term) if negative else term)
            if not self.at("+", "-"):
                break
            negative = self.advance().text == "-"
            # {} before or behind a sign is how TeX is told that the sign is binary
            self.skip_empty_group()
        return terms[0] if len(terms) == 1 else self.build(first, self.builder.add, terms)

    def skip_empty_group(self) -> None:
        while self.at("{") and self.tokens[self.place + 1].text == "}":
            self.place += 2

    def begins_factor(self) -> bool:
        token = self.token
        if token.kind in ("number", "letter"):
            return True
        if token.kind == "sign":
            return token.text in "({[" or (token.text == "|" and "|" not in self.bars)
        if token.text == r"\vert":
            return r"\vert" not in self.bars
        return token.kind == "command" and token.text not in _NOT_FACTORS

    def product(self) -> Expr:
        first, factors = self.token, [self.factor()]
        while True:
            self.skip_empty_group()
            if self.at(*_TIMES):
                self.advance()
                factors.append(self.factor())
            elif self.at("/"):
                stroke = self.advance()
                factor = self.factor()
                if factor.is_zero:
                    self.fail("division by zero: not a real number", stroke)
                factors.append(self.build(stroke, self.builder.power, factor, S.NegativeOne))
                if self.begins_factor():
                    self.fail(r"it is not clear what the stroke before divides by; write a/(bc), "
                              r"\frac{a}{b}c or a/b \cdot c")
            elif self.begins_factor():
                if self.token.kind == "number" and self.tokens[self.place - 1].kind == "number":
                    self.fail(r"two numbers side by side; write 2 \cdot 3 for a product")
                factors.append(self.factor())
            else:
                break
        return factors[0] if len(factors) == 1 else self.build(first, self.builder.multiply, factors)

    def factor(self) -> Expr:
        token = self.token
        base = self.base()
        if self.at("!"):
            self.fail("factorials are not understood; write \\Gamma(n+1)")
        if not self.at("^"):
            return base
        self.advance()
        exponent = self.script()
        if self.at("^"):
            self.fail("a second exponent; use braces")
        return self.build(token, self.builder.power, base, exponent)

    def script(self) -> Expr:
        """What stands behind ^ or \\frac: one sign, or a group in braces."""
        token = self.token
        if self.at("{"):
            return self.group()
        if token.kind == "number" and len(token.text) > 1:
            self.fail(f"TeX takes only the first digit of {token.text} here; write {{{token.text}}}")
        if token.kind in ("number", "letter") or (token.kind == "command" and self.is_name(token)):
            return self.nested(lambda: self.base(bare=True), token)
        if token.text in (r"\frac", r"\tfrac", r"\dfrac", r"\sqrt", r"\tilde", r"\hat", r"\bar"):
            return self.nested(lambda: self.base(bare=True), token)
        self.unexpected()

    def group(self) -> Expr:
        opening = self.advance()
        bars, self.bars = self.bars, []
        value = self.nested(self.sum, opening)
        self.bars = bars
        self.expect("}", opening)
        return value

    # --- factors

    def base(self, *, bare: bool = False) -> Expr:
        token = self.token
        if token.kind == "number":
            return self.number(self.advance())
        if token.kind == "letter" or (token.kind == "command" and self.is_name(token)):
            return self.symbol_or_constant(bare=bare)
        if token.kind == "sign" and token.text == "{":
            return self.group()
        if self.at("(", "[", r"\{", "|", r"\lvert", r"\lfloor", r"\vert", r"\left"):
            return self.bracketed()
        if token.kind != "command":
            self.unexpected()
        if token.text in _FUNCTIONS or token.text in (r"\min", r"\max", r"\operatorname", r"\mathrm"):
            return self.function()
        if token.text in (r"\frac", r"\tfrac", r"\dfrac"):
            return self.fraction()
        if token.text in (r"\binom", r"\dbinom", r"\tbinom"):
            self.advance()
            return self.build(token, self.builder.call, "binomial", [self.script(), self.script()])
        if token.text == r"\sqrt":
            return self.root()
        if token.text in (r"\sum", r"\prod"):
            return self.big()
        if token.text == r"\mathbb":
            return self.mean()
        self.unexpected()

    def number(self, token: Token) -> Expr:
        if len(token.text) > MAX_DIGITS:
            self.fail(f"a number of more than {MAX_DIGITS} digits", token)
        return Rational(token.text)

    def bracketed(self) -> Expr:
        """Round, square and curly brackets group; bars are absolute values."""
        sized = self.at(r"\left")
        opening = self.advance()
        if sized:
            opening = self.advance()
        closing = _CLOSING.get(opening.text)
        if closing is None or opening.text == "{":
            self.fail(f"{opening.text!r} is no opening bracket", opening)
        outer = self.bars
        self.bars = [opening.text] if opening.text in ("|", r"\vert") else []
        value = self.nested(self.sum, opening)
        self.bars = outer
        if self.at(","):
            self.fail("a list in brackets is not a number")
        if sized:
            self.expect(r"\right", opening)
        self.expect(closing, opening)
        if opening.text in ("|", r"\vert", r"\lvert"):
            return self.build(opening, self.builder.call, "abs", [value])
        if opening.text == r"\lfloor":
            return self.build(opening, self.builder.call, "floor", [value])
        return value

    def fraction(self) -> Expr:
        token = self.advance()
        if self.token.kind == "number" and len(self.token.text) == 2 and self.token.text.isdigit():
            both = self.advance().text
            above, below = Rational(both[0]), Rational(both[1])
        else:
            above, below = self.script(), self.script()
        if below.is_zero:
            self.fail("division by zero: not a real number", token)
        inverse = self.build(token, self.builder.power, below, S.NegativeOne)
        return self.build(token, self.builder.multiply, [above, inverse])

    def root(self) -> Expr:
        token = self.advance()
        degree: Expr = sympy.Integer(2)
        if self.at("["):
            opening = self.advance()
            degree = self.nested(self.sum, opening)
            self.expect("]", opening)
            if degree.is_zero:
                self.fail("a root of degree zero", opening)
        exponent = self.build(token, self.builder.power, degree, S.NegativeOne)
        return self.build(token, self.builder.power, self.script(), exponent)

    # --- functions

    def function(self) -> Expr:
        token = self.advance()
        name = _FUNCTIONS.get(token.text, token.text.lstrip("\\"))
        if token.text in (r"\operatorname", r"\mathrm"):
            word = self.word_in_braces(token)
            if token.text == r"\mathrm" and word == "e":
                return S.Exp1
            if word not in _OPERATORS:
                self.fail(f"the function {word!r} is not understood; known are "
                          f"{', '.join(sorted(_OPERATORS))}", token)
            name = _OPERATORS[word]
        if name in ("min", "max"):
            return self.extremum(name, token)
        power: Expr | None = None
        if self.at("^"):
            self.advance()
            power = self.script()
        argument = self.argument(token)
        if self.at("^"):
            shown = token.text
            self.fail(f"{shown}(...)^n may be read in two ways; write {shown}^n(...) or "
                      f"({shown}(...))^n")
        value = self.build(token, self.builder.call, name, [argument])
        return value if power is None else self.build(token, self.builder.power, value, power)

    def argument(self, token: Token) -> Expr:
        if self.at("(", "[", r"\{", r"\left", "{"):
            return self.group() if self.at("{") else self.bracketed()
        if token.text in (r"\Phi", r"\Gamma"):
            self.fail(f"{token.text} is a function here; write {token.text}(...)", token)
        if not self.begins_factor():
            self.unexpected()
        argument = self.nested(self.factor, token)
        if self.begins_factor():
            self.fail(f"it is not clear where the argument of {token.text} ends; use brackets")
        if self.at("/"):
            self.fail(f"it is not clear whether {token.text} is of the quotient; use brackets")
        return argument

    def extremum(self, name: str, token: Token) -> Expr:
        sized = self.at(r"\left")
        if sized:
            self.advance()
        if not self.at("(", r"\{", "["):
            self.fail(f"\\{name} is followed by a list in brackets: \\{name}\\{{a, b\\}}")
        opening = self.advance()
        arguments = [self.nested(self.sum, opening)]
        while self.at(",", ";"):
            self.advance()
            arguments.append(self.nested(self.sum, opening))
        if sized:
            self.expect(r"\right", opening)
        self.expect(_CLOSING[opening.text], opening)
        if not 2 <= len(arguments) <= 32:
            self.fail(f"\\{name} takes 2 to 32 entries", token)
        return self.build(token, self.builder.call, name, arguments)

    # --- sums over an index

    def big(self) -> Expr:
        r"""\sum_{i=a}^{b} and \prod_{i=a}^{b}, or with i \in [k] below, which is i=1, ..., k."""
        token = self.advance()
        index, low, high = self.limits(token)
        fresh_index = index not in self.indices
        self.indices.add(index)
        self.known.add(index)
        held_before = len(self.needed)
        body = self.big_body(token, index)
        if fresh_index:
            self.indices.discard(index)
        del self.needed[held_before:]  # inside of a sum, the index is bound
        body = self.released(body)
        low, high = self.released(low), self.released(high)
        kind = Sum if token.text == r"\sum" else Product
        return self.hold(kind(body, (index, low, high)))

    def big_body(self, token: Token, index: Symbol) -> Expr:
        if token.text == r"\sum":
            return self.nested(self.product, token)
        factors = [self.nested(self.factor, token)]
        while self.begins_factor() or self.at(*_TIMES, "/"):
            here = self.token
            if self.at("/"):
                self.fail(r"it is not clear whether the quotient is inside of \prod; use brackets")
            if self.at(*_TIMES):
                self.advance()
            factor = self.factor()
            if index not in self.released(factor).atoms(Symbol):
                self.fail(r"it is not clear whether this belongs to the \prod before; use brackets",
                          here)
            factors.append(factor)
        return self.build(token, self.builder.multiply, factors)

    def limits(self, token: Token) -> tuple[Symbol, Expr, Expr]:
        if not self.at("_"):
            self.fail(f"{token.text} needs its index below: {token.text}_{{i=1}}^{{k}}", token)
        self.advance()
        if not self.at("{"):
            self.fail(f"write {token.text}_{{i=1}}^{{k}}, with braces")
        opening = self.advance()
        name = self.name()
        if self.at(r"\in"):
            self.advance()
            bracket = self.token
            if not self.at("["):
                self.fail(r"an index runs through [k], or from =1 to k")
            self.advance()
            high = self.nested(self.sum, bracket)
            self.expect("]", bracket)
            self.expect("}", opening)
            return name, S.One, high
        if not self.at("="):
            self.fail(f"write {token.text}_{{{name}=1}}^{{k}}: the index, =, and where it starts")
        self.advance()
        low = self.nested(self.sum, opening)
        self.expect("}", opening)
        if not self.at("^"):
            self.fail(f"{token.text} needs its last index above: {token.text}_{{i=1}}^{{k}}", token)
        self.advance()
        return name, low, self.script()

    def mean(self) -> Expr:
        r"""\mathbb{E}[...] over a declared distribution, written out."""
        token = self.advance()
        if self.word_in_braces(token) != "E":
            self.fail(r"only \mathbb{E} is understood", token)
        chosen = list(self.laws.values())
        if self.at("_"):
            self.advance()
            opening = self.token
            named = self.name_in_braces() if self.at("{") else self.name()
            chosen = [law for law in chosen if law.variable == named]
            if not chosen:
                self.fail(f"there is no distribution of {named}; declare one", opening)
        if len(chosen) != 1:
            self.fail("there is no distribution to take expectations over; declare one" if not chosen
                      else r"say over which variable: \mathbb{E}_{Z}[...]", token)
        if not self.at("[", "(", r"\left"):
            self.fail(r"write \mathbb{E}[...]")
        inside = self.released(self.bracketed())
        return self.hold(chosen[0].mean(inside))

    def family(self, base: Symbol, places: Sequence[Expr]) -> Expr:
        return self.hold(Indexed(IndexedBase(base), *(self.released(p) for p in places)))


def _may_be_undefined(expr: Expr) -> bool:
    if expr.is_Pow:
        return not (expr.exp.is_Integer and expr.exp > 0) and expr.base is not S.Exp1
    return isinstance(expr, sympy.log | sympy.gamma | sympy.loggamma)
