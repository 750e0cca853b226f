r"""A careful subset of LaTeX -> SymPy. What is not understood is an error that points at the token.

Nothing is guessed. The rules where LaTeX is loose:

* factors side by side are a product: ``k\varepsilon(1-p)``, ``2xy``; a letter is one symbol;
* a letter right before a bracket is a product only if the letter is known as a variable; else
  ``f(x)`` might be a function, and is an error;
* ``a/b`` divides by the one factor behind the stroke, and ``1/2x`` is an error; ``e^{-u^2/2\sigma^2}`` has one
  reading that is used, u^2/(2 \sigma^2) in the exponent;
* ``\log x`` takes one factor, ``\log 2x`` is an error; ``\log(x)^2`` is one, too, and so are
  ``\Phi^{-1}(x)``, which is not 1/Phi(x), ``x^{(2)}``, ``exp(x)`` without its backslash, and ``2\frac12``;
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
symdp.arguments.reading.latex_tokens.LatexError: line 1, column 5: f(...) is no function that is known here;
if f is a variable and this is a product, declare f or write f \cdot (...)

As in :mod:`symdp.formulas.parsing`, every step is weighed by :mod:`symdp.formulas.building` before SymPy takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import sympy
from sympy import Expr, Rational, S, Symbol

from symdp.arguments.reading.latex_cursor import CLOSING, NOT_FACTORS, RELATIONS, TIMES
from symdp.arguments.reading.latex_operators import OperatorReader
from symdp.arguments.reading.latex_tokens import LatexError, Token, tokens
from symdp.formulas.functions import BY_TEXT, COMMANDS
from symdp.formulas.notation import GREEK
from symdp.formulas.relation import Relation
from symdp.formulas.vocabulary import MAX_DIGITS


def read_expression(
    text: str, *, known: Iterable[Symbol | str] = (), indices: Iterable[Symbol | str] = ()
) -> Expr:
    """The expression that a formula writes down.

    ``known`` are variables, which may stand before a bracket; ``indices`` run through families.
    """
    reader = LatexReader(text, tokens(text), known=known, indices=indices)
    return reader.whole(reader.expression)


def read_relation(
    text: str, *, known: Iterable[Symbol | str] = (), indices: Iterable[Symbol | str] = ()
) -> Relation:
    r"""One relation.

    >>> str(read_relation(r"\tilde\delta \leq 1"))
    'slack <= 1'
    """
    reader = LatexReader(text, tokens(text), known=known, indices=indices)
    found: list[Relation] = reader.whole(reader.conditions)
    if len(found) != 1:
        raise LatexError(text, 0, "write exactly one relation here")
    return found[0]


def read_conditions(text: str, *, known: Iterable[Symbol | str] = ()) -> list[Relation]:
    r"""Relations, chains of them, and intervals.

    >>> [str(r) for r in read_conditions(r"0 < \delta \le 1, x \in [0, \infty)")]
    ['0 < delta', 'delta <= 1', 'x >= 0']
    """
    reader = LatexReader(text, tokens(text), known=known)
    found: list[Relation] = reader.whole(reader.conditions)
    return found


#: Words that are often written without their backslash: functions, letters, and what others may know.
_SPELT = (*(word for word in BY_TEXT if word.isalpha()), *(word for word in (*GREEK, "eps") if len(word) > 2),
          "ceil", "sup", "inf", "arg", "Pr", "cot", "sec", "csc", "sgn", "sign", "mod", "lim", "Gamma")
#: Words that join formulas, and are products of letters to TeX: with "1 if y" a condition would speak of i, f and y.
_JOINS = frozenset(
    "and or not if iff for unless when whenever where while then else otherwise with such that all any each every "
    "some implies only except but nor xor even odd given since because hence thus let assume suppose provided until "
    "without are has have does holds".split())
#: The same between two factors; alone they may be products.
_JOINS_BETWEEN = frozenset("in as at by be to of on we it is so do".split())


class LatexReader(OperatorReader):
    """Reads a sum of products of factors."""

    def expression(self) -> Expr:
        return self.released(self.sum())

    def conditions(self) -> list[Relation]:
        """Relations: chains such as 0 < x \\le 1, separated by commas."""
        found: list[Relation] = []
        while True:
            left = self.expression()
            if self.at(r"\in"):
                found += self.interval(left)
            elif self.token.text not in RELATIONS:
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

    def interval(self, inside: Expr) -> list[Relation]:
        r"""x \in (0,1], x \in [0,\infty): the relations that say so."""
        self.advance()
        if self.at(r"\mathbb"):
            self.fail(r"sets of numbers are not read here; write 'integer: k' on a line of its own")
        opening = self.advance()
        if opening.text not in ("(", "["):
            self.fail(r"an interval is missing behind \in: (a, b), [a, b], (a, b] or [a, b)", opening)
        found: list[Relation] = []
        low = self.end_of_interval()
        if low is not None:
            found.append(Relation(inside, ">=" if opening.text == "[" else ">", low, self.lost(low)))
        if not self.at(","):
            self.fail("an interval has two ends, with a comma between them")
        self.advance()
        high = self.end_of_interval()
        closing = self.advance()
        if closing.text not in (")", "]"):
            self.fail(f"this {opening.text!r} is never closed", opening)
        if high is not None:
            found.append(Relation(inside, "<=" if closing.text == "]" else "<", high, self.lost(high)))
        return found

    def end_of_interval(self) -> Expr | None:
        """None for an infinite end."""
        signs = [t.text for t in self.tokens[self.place:self.place + 2]]
        if r"\infty" in signs[:1] or (signs[:1] in (["-"], ["+"]) and signs[1:] == [r"\infty"]):
            self.place += 1 if signs[0] == r"\infty" else 2
            return None
        return self.expression()

    # --- sums and products

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
        return token.kind == "command" and token.text not in NOT_FACTORS

    def product(self) -> Expr:
        first, begin, factors = self.token, self.place, [self.factor()]
        while True:
            self.skip_empty_group()
            if self.at(*TIMES):
                self.advance()
                factors.append(self.factor())
            elif self.at("/"):
                stroke = self.advance()
                factor = self.factor()
                if factor.is_zero:
                    self.fail("division by zero: not a real number", stroke)
                factors.append(self.build(stroke, self.builder.power, factor, S.NegativeOne))
                if self.begins_factor():
                    factors += self.behind_divisor(begin, self.tokens.index(stroke, begin))
            elif self.begins_factor():
                if self.token.kind == "number" and self.tokens[self.place - 1].kind == "number":
                    self.fail(r"two numbers side by side; write 2 \cdot 3 for a product")
                here, mixed = self.token, factors[-1].is_Integer and self.at(r"\frac", r"\tfrac", r"\dfrac")
                factors.append(self.factor())
                if mixed and factors[-1].is_Rational:
                    self.fail(r"a number before a fraction may be a sum, as in two and a half; write 2 + \frac12 "
                              r"or 2 \cdot \frac12", here)
            else:
                break
        return factors[0] if len(factors) == 1 else self.build(first, self.builder.multiply, factors)

    def behind_divisor(self, begin: int, stroke: int) -> list[Expr]:
        r"""What stands side by side with the divisor of a stroke, as factors of the product that begins there.

        In the exponent of a normal tail, ``e^{-u^2/2\sigma^2}``, nobody means anything but u^2/(2 \sigma^2); anywhere
        else 1/2x has two readings.
        """
        here, end = self.token, self.end_of_product(self.place)
        if self.is_tail(begin, stroke, end):
            divisors = []
            while self.place < end:
                factor = self.factor()
                divisors.append(self.build(here, self.builder.power, factor, S.NegativeOne))
            return divisors
        above, below, beside = (self.as_typed(a, b) for a, b in ((begin, stroke), (stroke + 1, self.place),
                                                                 (self.place, end)))
        self.fail(f"it is not clear what the stroke before divides by; write {above}/({below}{beside}) or "
                  f"\\frac{{{above}}}{{{below}}} \\cdot {beside}")

    def end_of_product(self, place: int) -> int:
        """Where the product goes no further: at a sign of its level, or where its brackets close."""
        depth = 0
        while self.tokens[place].kind != "end":
            token = self.tokens[place]
            opens = token.text in ("(", "[", "{", r"\{", r"\lvert", r"\lfloor", r"\lceil", r"\left")
            closes = token.text in (")", "]", "}", r"\}", r"\rvert", r"\rfloor", r"\rceil", r"\right")
            if depth == 0 and (closes or token.text in ("+", "-", ",", ";", "/", *RELATIONS, *TIMES)):
                return place
            sized = self.tokens[place - 1].text in (r"\left", r"\right")
            depth += 0 if sized else opens - closes
            place += 1
        return place

    def is_tail(self, begin: int, stroke: int, end: int) -> bool:
        r"""Whether a product is the whole exponent of a normal tail: minus, a square above, a number and names below.

        A name alone above is not enough: e^{-n/2\varepsilon^2} may be meant for n \varepsilon^2/2.
        """
        before = [t.text for t in self.tokens[max(0, begin - 4):begin]]
        opened = before == ["e", "^", "{", "-"] or before[-3:] in ([r"\exp", "(", "-"], [r"\exp", "[", "-"])
        opened = opened or (before[:2] == [r"\exp", r"\left"] and before[-1:] == ["-"])
        if not opened or self.tokens[end].text not in ("}", ")", "]", r"\}", r"\right"):
            return False
        above, below = self.tokens[begin:stroke], self.tokens[stroke + 1:end]
        if any(t.text == "/" for t in above):
            return False
        if [t.text for t in above[-2:]] != ["^", "2"] and [t.text for t in above[-4:]] != ["^", "{", "2", "}"]:
            return False
        if below[0].kind != "number" or not below[1].glued or not self.is_plain_name(below[1]):
            return False
        scripts = ("^", "_", "{", "}")
        return all(
            t.text in scripts or self.is_plain_name(t) or (t.kind == "number" and last.text in ("^", "_", "{"))
            for last, t in pairwise(below)
        )

    def is_plain_name(self, token: Token) -> bool:
        return token.kind == "letter" or (token.kind == "command" and self.is_name(token))

    def as_typed(self, start: int, stop: int) -> str:
        """Tokens as they would be typed, a command apart from the letter behind it."""
        typed = ""
        for token in self.tokens[start:stop]:
            part = f"\\text{{{token.words}}}" if token.kind == "words" else token.text
            typed += f" {part}" if re.search(r"\\[A-Za-z]+$", typed) and part[:1].isalpha() else part
        return typed

    def factor(self) -> Expr:
        token = self.token
        base = self.base()
        if self.at("!"):
            self.fail("factorials are not understood; write \\Gamma(n+1)")
        if not self.at("^"):
            return base
        if isinstance(base, Symbol):
            self.refuse_label(token)
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

    def unseen(self) -> Expr:
        """A group in braces, which do not show: {x+1}^2 is printed as x + 1^2."""
        opening, begin = self.token, self.place + 1
        infix = self.infix()
        if infix is not None:
            return infix
        value, depth = self.group(), 0
        inside = self.tokens[begin:self.place - 1]
        for t in inside:
            depth += (t.text in ("(", "[", "{", r"\{", r"\lvert", r"\lfloor", r"\lceil")) - (
                t.text in (")", "]", "}", r"\}", r"\rvert", r"\rfloor", r"\rceil"))
            if depth == 0 and t.text in ("+", "-"):
                self.fail("braces do not show in print; write round brackets around a sum", opening)
        whole = isinstance(value, Symbol) or value.is_Number or inside[0].text in ("(", "[", r"\left", r"\frac")
        if self.at("^") and not whole:
            self.fail("braces do not show in print; write round brackets around what is raised to a power", opening)
        return value

    def infix(self) -> Expr | None:
        r"""{n \choose k} and {a \over b}, as plain TeX writes them; None where the braces hold neither."""
        depth, middle = 0, 0
        for place in range(self.place, len(self.tokens)):
            text = self.tokens[place].text
            depth += {"{": 1, "}": -1}.get(text, 0) if self.tokens[place].kind == "sign" else 0
            if depth == 1 and text in (r"\choose", r"\over"):
                if middle:
                    self.fail(f"a second {text} in one group", self.tokens[place])
                middle = place
            if depth == 0:
                break
        if not middle:
            return None
        opening, command = self.advance(), self.tokens[middle]
        bars, self.bars = self.bars, []
        above = self.nested(self.sum, opening)
        if self.place != middle:
            self.unexpected()
        self.advance()
        below = self.nested(self.sum, opening)
        self.bars = bars
        self.expect("}", opening)
        if command.text == r"\choose":
            return self.build(command, self.builder.call, "binomial", [above, below])
        if below.is_zero:
            self.fail("division by zero: not a real number", command)
        inverse = self.build(command, self.builder.power, below, S.NegativeOne)
        return self.build(command, self.builder.multiply, [above, inverse])

    # --- factors

    def base(self, *, bare: bool = False) -> Expr:
        token = self.token
        if token.kind == "number":
            return self.number(self.advance())
        if token.kind == "letter" or (token.kind == "command" and self.is_name(token)):
            if not bare:
                self.refuse_word(token)
                self.refuse_change(token)
            return self.symbol_or_constant(bare=bare)
        if token.kind == "sign" and token.text == "{":
            return self.unseen()
        if self.at("(", "[", r"\{", "|", r"\lvert", r"\lfloor", r"\vert", r"\left"):
            return self.bracketed()
        if token.kind != "command":
            self.unexpected()
        if token.text in COMMANDS or token.text in (r"\min", r"\max", r"\operatorname", r"\mathrm"):
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

    def refuse_word(self, token: Token) -> None:
        r"""exp(x) without its backslash, which would be the product of e, x, p and (x)."""
        near = self.tokens[max(0, self.place - 1):self.place + 3]
        around = "".join(t.text if t.glued else f" {t.text}" for t in near)
        if re.match(r" ?[0-9.]+e[-+]?[0-9]", around):
            self.fail(r"1e-6 is read as a product and a difference here; write 10^{-6} for the number, and spaces "
                      "around e for the product", token)
        run = token.text
        for after in self.tokens[self.place + 1:]:
            if after.kind != "letter" or not after.glued:
                break
            run += after.text
        beyond = self.tokens[self.place + 1 + len(run) - len(token.text)]
        if run in ("arc", "ar") and beyond.text in COMMANDS:
            self.fail(f"{run}{beyond.text} is read as a product here; write the inverse function in one word, as in "
                      "\\arctan or \\operatorname{artanh}", token)
        before = self.tokens[self.place - 1] if self.place else None
        begins = before is None or before.kind != "letter" or not token.glued
        between = before is not None and before.kind in ("letter", "number") and beyond.kind in ("letter", "number")
        if begins and (run in _JOINS or (run in _JOINS_BETWEEN and between)):
            self.fail(f"{run} is read as a product of letters here; words do not stand in a formula: write another "
                      "line for another condition, and spaces between the letters for the product", token)
        for word in _SPELT:
            if run.startswith(word):
                self.fail(f"{word} is read as a product of letters here; write \\{word} or \\operatorname{{{word}}} "
                          "for the word, and spaces between the letters for the product", token)

    def refuse_change(self, token: Token) -> None:
        r"""\Delta f, which is a product to TeX and one quantity to most authors."""
        after = self.tokens[self.place + 1]
        if token.text == r"\Delta" and after.kind == "letter":
            raised = self.tokens[self.place + 2].text == "^"
            both = f"(\\Delta {after.text})^2 or \\Delta({after.text}^2)" if raised else (
                f"one quantity, or \\Delta times {after.text}")
            self.fail(f"\\Delta {after.text} has two readings: {both}; write \\Delta_{after.text} for the quantity, "
                      f"\\Delta \\cdot {after.text} for the product", token)

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
        closing = CLOSING.get(opening.text)
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

    def refuse_derivative(self, token: Token) -> None:
        r"""\frac{d}{dx} and \frac{df}{dx}, which would be fractions of products with a number d."""
        above = [t.text for t in self.tokens[self.place:self.place + 4]]
        if above[0] != "{" or above[1] not in ("d", r"\partial"):
            return
        depth, place = 0, self.place
        while self.tokens[place].kind != "end":
            depth += {"{": 1, "}": -1}.get(self.tokens[place].text, 0)
            place += 1
            if depth == 0:
                break
        below = [t.text for t in self.tokens[place:place + 3]]
        if below[:2] == ["{", above[1]] and len(below) == 3 and below[2] not in ("}", "^", "_", "'"):
            self.fail(f"this fraction has two readings: a derivative, or a quotient of products with "
                      f"{above[1]}; write the derivative itself, or another letter", token)

    def fraction(self) -> Expr:
        token = self.advance()
        self.refuse_derivative(token)
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
