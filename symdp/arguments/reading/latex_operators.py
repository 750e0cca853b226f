r"""Functions, and sums and products over an index, in LaTeX.

>>> from symdp.arguments.reading.latex_reader import read_expression
>>> read_expression(r"\min\{1, \log^2 x\}"), read_expression(r"\prod_{i=1}^{k} (1 - \delta_i)")
(Min(1, log(x)**2), Product(1 - delta[i], (i, 1, k)))
"""

from __future__ import annotations

from sympy import Expr, Product, S, Sum, Symbol

from symdp.arguments.reading.latex_cursor import CLOSING, TIMES
from symdp.arguments.reading.latex_names import NameReader
from symdp.arguments.reading.latex_tokens import Token
from symdp.formulas.functions import COMMANDS, OPERATORS, always_bracketed
from symdp.kernel.terms import FUNCTIONS
from symdp.sources.derivations.expressions import (
    as_written,
    is_partial,
    lost,
    partial_parts,
    variables_of,
)

#: Behind an argument without brackets, a function of the same family begins the next factor.
_FAMILIES = (
    frozenset({r"\sin", r"\cos", r"\tan", r"\sinh", r"\cosh", r"\tanh"}),
    frozenset({r"\ln", r"\log"}),
)


class OperatorReader(NameReader):
    """The part of the reader that knows functions and big operators."""

    # --- functions

    def refuse_label(self, token: Token) -> None:
        r"""x^{(2)}, x^{[2]} and \log^{(2)} x are rarely powers: the second one, or the logarithm taken twice."""
        inside = [t.text for t in self.tokens[self.place + 1:self.place + 4] if t.text != r"\left"]
        if inside[:1] != ["{"] or inside[1:2] not in (["("], ["["], [r"\{"]):
            return
        depth = 0
        for place in range(self.place + 2, len(self.tokens) - 1):
            if self.tokens[place].text in (r"\left", r"\right"):
                continue
            depth += {"(": 1, "[": 1, r"\{": 1, ")": -1, "]": -1, r"\}": -1}.get(self.tokens[place].text, 0)
            if depth == 0:
                if self.tokens[place + 1].text == "}":
                    self.fail(f"{token.text}^{{(...)}} may be a label or an iteration; for a power leave out the "
                              "brackets", token)
                return

    def function(self) -> Expr:
        token = self.advance()
        by_count = COMMANDS.get(token.text, {1: token.text.lstrip("\\")})
        if token.text in (r"\operatorname", r"\mathrm"):
            word = self.word_in_braces(token)
            if token.text == r"\mathrm" and word == "e":
                return S.Exp1
            if word not in OPERATORS:
                self.fail(f"the function {word!r} is not understood; known are "
                          f"{', '.join(sorted(OPERATORS))}", token)
            by_count = {FUNCTIONS[OPERATORS[word]].arity or 1: OPERATORS[word]}
        if by_count.get(1) in ("min", "max"):
            return self.extremum(by_count[1], token)
        power: Expr | None = None
        if self.at("_"):
            self.fail(f"{token.text} with a base is not understood; write \\frac{{\\ln x}}{{\\ln 2}}")
        if self.at("^"):
            self.refuse_label(token)
            self.advance()
            power = self.script()
            if power == -1:
                self.fail(f"{token.text}^{{-1}} may be the inverse function; write 1/{token.text}(...) for the "
                          "quotient", token)
        arguments = self.listed() if set(by_count) != {1} and self.at("(", r"\left") else [self.argument(token)]
        if len(arguments) not in by_count:
            self.fail(f"{token.text} does not take {len(arguments)} argument{'s' * (len(arguments) > 1)}", token)
        name = by_count[len(arguments)]
        if self.at("^") and not always_bracketed(name):
            shown = f"\\{name}"
            self.fail(f"{shown}(...)^n may be read in two ways; write {shown}^n(...) or "
                      f"({shown}(...))^n")
        value = self.build(token, self.builder.call, name, arguments)
        if power is not None and self.at("^"):
            self.fail("a second exponent; use braces")
        return value if power is None else self.build(token, self.builder.power, value, power)

    def argument(self, token: Token) -> Expr:
        if self.at("{") and self.tokens[self.place + 1].text in ("(", "[", r"\{", r"\left"):
            return self.group()
        if self.at("(", "[", r"\{", r"\left"):
            return self.bracketed()
        if token.text in (r"\Phi", r"\Gamma"):
            self.fail(f"{token.text} is a function here; write {token.text}(...)", token)
        if not self.begins_factor():
            self.unexpected()
        argument = self.nested(self.factor, token)
        # \\sin x \\cos x and \\ln n \\ln\\ln n are products for everybody; \\ln x \\exp y is not
        if self.begins_factor() and not any(token.text in f and self.token.text in f for f in _FAMILIES):
            self.fail(f"it is not clear where the argument of {token.text} ends; use brackets")
        if self.at("/"):
            self.fail(f"it is not clear whether {token.text} is of the quotient; use brackets")
        return argument

    def extremum(self, name: str, token: Token) -> Expr:
        arguments = self.listed(f"\\{name} is followed by a list in brackets: \\{name}\\{{a, b\\}}")
        if not 2 <= len(arguments) <= 32:
            self.fail(f"\\{name} takes 2 to 32 entries", token)
        return self.build(token, self.builder.call, name, arguments)

    def listed(self, missing: str = "a list in brackets is missing") -> list[Expr]:
        """What stands in brackets, with commas between."""
        sized = self.at(r"\left")
        if sized:
            self.advance()
        if not self.at("(", r"\{", "["):
            self.fail(missing)
        opening = self.advance()
        arguments = [self.nested(self.sum, opening)]
        while self.at(",", ";"):
            self.advance()
            arguments.append(self.nested(self.sum, opening))
        if sized:
            self.expect(r"\right", opening)
        self.expect(CLOSING[opening.text], opening)
        return arguments

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
        body = self.released(body)
        low, high = self.released(low), self.released(high)
        # What cancels in a term must be defined in every term.
        parts = lost((self.released(part) for part in self.needed[held_before:]), body, index)
        self.needed[held_before:] = [self.hold(Sum(part, (index, low, high))) for part in parts]
        kind = Sum if token.text == r"\sum" else Product
        return self.mention(self.hold(kind(body, (index, low, high))))

    def big_body(self, token: Token, index: Symbol) -> Expr:
        if token.text == r"\sum":
            return self.nested(self.product, token)
        factors = [self.nested(self.factor, token)]
        while self.begins_factor() or self.at(*TIMES, "/"):
            here = self.token
            if self.at("/"):
                self.fail(r"it is not clear whether the quotient is inside of \prod; use brackets")
            if self.at(*TIMES):
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
        if name in self.named:
            self.fail(f"{name} has a meaning already; take another index", opening)
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
        before = len(self.needed)
        inside = self.released(self.bracketed())
        (law,) = chosen
        self.averaged.add(str(law.variable))
        # What is averaged must be defined at every atom, even where the mass is 0 or it cancels.
        parts = [*(self.released(part) for part in self.needed[before:]), *partial_parts(inside), law.variable]
        self.needed[before:] = [self.hold(part) for value, mass in law.atoms
                                for part in (*(as_written(p, {law.variable: value}) for p in parts), mass)
                                if variables_of(part) or is_partial(part)]
        return self.hold(law.mean(inside))
