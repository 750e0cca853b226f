r"""Names in LaTeX -> the symbols of :mod:`symdp.formulas.notation`: letters, Greek, accents, primes, subscripts.

>>> from symdp.arguments.reading.latex_reader import read_expression
>>> [str(read_expression(t)) for t in (r"\varepsilon_0", r"\tilde{\delta}", r"\hat x'", r"P_{\text{FA}}")]
['eps_0', 'slack', 'x_hat_prime', 'P_FA']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sympy import Expr, S, Symbol

from symdp.arguments.reading.latex_cursor import Cursor
from symdp.arguments.reading.latex_tokens import Token
from symdp.formulas.notation import GREEK, symbol
from symdp.formulas.vocabulary import is_variable

_CAPITALS = ("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Psi Omega").split()
_LETTERS = {f"\\{name}": name for name in (*GREEK, "varepsilon", "ell")}
_LETTERS |= {f"\\{name}": name for name in _CAPITALS if name != "Gamma"}
_LETTERS |= {r"\vartheta": "theta", r"\varphi": "phi", r"\varrho": "rho"}
_ACCENTS = {r"\tilde": "tilde", r"\widetilde": "tilde", r"\hat": "hat", r"\widehat": "hat",
            r"\bar": "bar", r"\overline": "bar"}
_WORDS = (r"\mathrm", r"\mathit", r"\mathsf")
_SAME = {r"\widetilde": r"\tilde", r"\widehat": r"\hat", r"\overline": r"\bar", r"\prime": "'",
         r"\star": "*"}
#: The LaTeX of the house's own names, so that what it prints it can read.
_HOUSE = {"delta_tilde": "slack", "eps_tilde": "eps_total"}


class NameReader(Cursor):
    """The part of the reader that knows names."""

    def is_name(self, token: Token) -> bool:
        return token.text in _LETTERS or token.text in _ACCENTS or (
            token.text == r"\mathit" and self.tokens[self.place + 1].text == "{")

    def name(self) -> Symbol:
        """A variable, with its accents, primes and subscripts."""
        token = self.token
        found = self.symbol_or_constant(bare=False, in_name=True)
        if not isinstance(found, Symbol):
            self.fail("a variable's name is missing", token)
        return found

    def name_in_braces(self) -> Symbol:
        opening = self.advance()
        found = self.name()
        self.expect("}", opening)
        return found

    def symbol_or_constant(self, *, bare: bool, in_name: bool = False) -> Expr:
        """A symbol; ``bare`` where it is an exponent without braces, which takes no scripts."""
        first, begin = self.token, self.place
        stem = self.stem()
        if stem == "e" and not self.at("_", "'"):
            return S.Exp1
        if stem == "pi" and not self.at("_", "'"):
            return S.Pi
        places: list[Expr] = []
        if not bare:
            stem, places = self.scripts(stem, first)
        base = symbol(_HOUSE.get(stem, stem))
        if stem.startswith(("delta_tilde_", "eps_tilde_")):
            base = symbol(stem)
        if not places:
            self.refuse_confusion(base, self.tokens[begin:self.place])
        if not is_variable(str(base.name)):
            self.fail(f"{base} cannot be the name of a variable", first)
        if places:
            return self.family(base, places)
        glued = self.at("(", "[") or (self.at(r"\left") and self.tokens[self.place + 1].text in "([")
        if glued and not in_name and not bare and base not in self.known:
            self.fail(f"{first.text}(...) is no function that is known here; if {first.text} is a "
                      f"variable and this is a product, declare {first.text} or write "
                      f"{first.text} \\cdot (...)", first)
        if not glued:
            self.known.add(base)  # so that n(n+1) is a product where n was a variable before
        return base if in_name else self.mention(base)

    def refuse_confusion(self, base: Symbol, name: Sequence[Token]) -> None:
        r"""An error where two names, such as \epsilon and \varepsilon, would become one variable."""
        written = "".join(t.words if t.kind == "words" else t.text for t in name)
        before = self.spellings.setdefault(base, written)
        if _signs(before) != _signs(written):
            self.fail(f"{written} and {before} (further above) would be the same variable {base} here; "
                      "write it in one way, or give one of them another name", name[0])

    def stem(self) -> str:
        """A letter, perhaps under an accent."""
        token = self.token
        if token.kind == "letter":
            self.advance()
            return token.text
        if token.text in _LETTERS:
            self.advance()
            return str(symbol(_LETTERS[token.text]).name)
        if token.text in _ACCENTS:
            self.advance()
            if self.at("{"):
                opening = self.advance()
                inside = self.stem()
                inside, places = self.scripts(inside, token)
                if places:
                    self.fail("an index under an accent; write \\tilde{x}_i", token)
                self.expect("}", opening)
            else:
                inside = self.stem()
            return f"{inside}_{_ACCENTS[token.text]}"
        if token.text in _WORDS:
            self.advance()
            return self.word_in_braces(token)
        self.fail("a variable's name is missing")

    def scripts(self, stem: str, first: Token) -> tuple[str, list[Expr]]:
        """Primes, stars and subscripts; the places, where the subscript holds an index."""
        below, accents = "", ""
        places: list[Expr] = []
        while True:
            if self.at("'"):
                self.advance()
                accents += "_prime"
            elif self.at("^") and self.is_accent():
                accents += self.raised_accent()
            elif self.at("_"):
                if below or places:
                    self.fail("a second subscript")
                self.advance()
                below, places = self.subscript()
            else:
                return f"{stem}{accents}{below}", places

    def is_accent(self) -> bool:
        after = [t.text for t in self.tokens[self.place + 1:self.place + 4]]
        return after[:1] in (["*"], [r"\star"], [r"\prime"]) or (
            after[0] == "{" and after[1] in ("*", r"\star", r"\prime") and after[2] == "}")

    def raised_accent(self) -> str:
        self.advance()
        braces = self.at("{")
        if braces:
            self.advance()
        word = "_prime" if self.advance().text == r"\prime" else "_star"
        if braces:
            self.advance()
        return word

    def subscript(self) -> tuple[str, list[Expr]]:
        """Names and numbers become part of the name; an index makes it a member of a family."""
        token = self.token
        if not self.at("{"):
            if token.kind == "number" and len(token.text) > 1:
                self.fail(f"TeX takes only the first digit of {token.text} here; write "
                          f"{{{token.text}}}")
            if token.kind == "words":
                return f"_{_plain(self.advance().words)}", []
            if token.kind == "number":
                return f"_{self.advance().text}", []
            if token.kind == "letter" or self.is_name(token):
                stem = self.stem()
                return ("", [symbol(stem)]) if symbol(stem) in self.indices else (f"_{stem}", [])
            self.unexpected()
        opening = self.advance()
        start = self.place
        if self.has_index():
            self.place = start
            place = self.nested(self.sum, opening)
            self.expect("}", opening)
            return "", [place]
        parts: list[str] = []
        while not self.at("}"):
            token = self.token
            if token.kind == "words":
                parts.append(_plain(self.advance().words))
            elif token.kind == "number":
                parts.append(self.advance().text)
            elif token.kind == "letter" or self.is_name(token) or token.text in _WORDS:
                parts.append(self.stem())
            elif self.at(",", "'"):
                self.advance()
            elif token.kind == "end":
                self.fail("this '{' is never closed", opening)
            else:
                self.fail("a subscript is a name or a number, or has the index of a sum in it")
        self.advance()
        if not parts:
            self.fail("an empty subscript", opening)
        # P_{FA} is one word, x_{i,j} are two
        word = "".join(parts) if all(len(p) == 1 and p.isalpha() and p.isupper() for p in parts) \
            else "_".join(parts)
        return f"_{word}", []

    def has_index(self) -> bool:
        """Whether an index occurs before the brace that closes."""
        depth = 1
        for token in self.tokens[self.place:]:
            depth += {"{": 1, "}": -1}.get(token.text, 0) if token.kind == "sign" else 0
            if depth == 0 or token.kind == "end":
                return False
            name = _LETTERS.get(token.text, token.text)
            if token.kind in ("letter", "command") and symbol(name) in self.indices:
                return True
        return False

    def word_in_braces(self, command: Token) -> str:
        """The letters between the braces behind \\mathrm and the like."""
        if not self.at("{"):
            self.fail(f"{command.text} is followed by a word in braces", command)
        opening = self.advance()
        word = ""
        while self.token.kind in ("letter", "number"):
            word += self.advance().text
        self.expect("}", opening)
        if not word:
            self.fail("an empty word", opening)
        return word


def _signs(written: str) -> list[str]:
    """What a name is made of, without what does not show: braces, fonts, the order of its scripts."""
    parts = re.findall(r"\\[A-Za-z]+|[^\s{}_^,]", written)
    return sorted(_SAME.get(part, part) for part in parts if part not in _WORDS)


def _plain(words: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in words) or "_"
