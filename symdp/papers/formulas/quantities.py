r"""Formulas of papers: what the reader of LaTeX reads, and quantities that have a name and nothing more.

They are probabilities, means, norms, divergences, values of functions that nobody has defined.

The same text, up to spaces, is the same quantity; a probability lies between 0 and 1, a norm is not negative.

>>> book = Quantities()
>>> reader = PaperReader.of(r"e^{\varepsilon} \Pr[M(x) \in S] + \|v\|_2", book)
>>> reader.whole(reader.expression)
Pr1*exp(eps) + norm2
>>> book.tex["Pr1"], [str(r) for r in book.facts["Pr1"]]
('\\Pr[M(x)\\in S]', ['Pr1 >= 0', 'Pr1 <= 1'])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sympy import Abs, Expr, Integer, Max, Min, Pow, Product, S, Sum, Symbol, floor, oo

from symdp.arguments.reading.latex_reader import LatexReader
from symdp.arguments.reading.latex_tokens import LatexError, Token, tokens
from symdp.formulas.functions import OPERATORS
from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.formulas.vocabulary import is_variable
from symdp.papers.formulas.closed_forms import infinite_sum, integral
from symdp.papers.formulas.dots import continued
from symdp.sources.derivations.expressions import as_written, insert, lost, partial_parts

_FONTS = {
    r"\mathbb",
    r"\mathbf",
    r"\mathcal",
    r"\mathrm",
    r"\mathsf",
    r"\mathscr",
    r"\mathfrak",
    r"\operatorname",
    r"\boldsymbol",
    r"\bm",
    r"\mathtt",
    r"\operatorname*",
    r"\mathds",
    r"\bold",
}
_PROBABILITIES = {"Pr", "P", "Prob", "prob", "PP"}
_MEANS = {"E", "EE", "Ex", "Exp"}
_NOT_NEGATIVE = {"Var", "var", "Std", "std", "KL", "TV", "SD", "sd", "Cost", "dist", "MSE", "mse", "H"}
_BIG = {r"\max", r"\min", r"\sup", r"\inf", r"\limsup", r"\liminf", r"\lim", r"\argmax", r"\argmin"}
_FRACTIONS = (r"\frac", r"\tfrac", r"\dfrac")
_DOTS = (r"\dots", r"\ldots", r"\cdots", r"\dotsb")
_ENDS = {"(": ")", "[": "]", r"\{": r"\}", r"\langle": r"\rangle", r"\lbrace": r"\rbrace"}
_NORMS = {r"\|": r"\|", r"\lVert": r"\rVert", r"\Vert": r"\Vert"}


@dataclass(frozen=True)
class Extreme:
    r"""\max_{1 \le i \le n} a_i: the word, what it is taken of, and what stands below."""

    word: str
    body: Expr
    over: str


@dataclass
class Quantities:
    """The quantities of a document: their names here, what is known of them, and functions that it defines."""

    names: dict[str, Symbol] = field(default_factory=dict)
    #: name -> how it was typed
    tex: dict[str, str] = field(default_factory=dict)
    facts: dict[str, tuple[Relation, ...]] = field(default_factory=dict)
    #: names that stand alone as numbers somewhere in the document, and those that are applied to arguments
    numbers: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    #: names that stand as numbers with an index: of C_1 and C_2 it is C
    with_scripts: set[str] = field(default_factory=set)
    #: e and pi, where the document has names of its own for them: whether these are numbers
    taken: dict[str, bool] = field(default_factory=dict)
    #: what the document says is no number: name -> what it is
    kinds: dict[str, str] = field(default_factory=dict)
    #: f(x) = ...: name -> its variables and its value
    functions: dict[str, tuple[tuple[Symbol, ...], Expr]] = field(default_factory=dict)
    #: f(x) = ... for x > 0: what has a value where f is defined
    domains: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    spellings: dict[Symbol, str] = field(default_factory=dict)
    #: largest and smallest members, by their names here
    extremes: dict[str, Extreme] = field(default_factory=dict)
    binary_logarithms: bool = False
    #: the text speaks of derivatives, so that f' is one
    differentiates: bool = False
    #: names that are positive, and names between 0 and 1, where a formula is read; what was computed from that
    positive: set[Symbol] = field(default_factory=set)
    unit: set[Symbol] = field(default_factory=set)
    computed: set[str] = field(default_factory=set)
    #: of processor time, in which formulas were read
    seconds: float = 0.0
    #: \Delta f is one quantity: it is always written so
    changes: set[str] = field(default_factory=set)

    def named(self, head: str, text: str, *, low: int | None = None, high: int | None = None) -> Symbol:
        """The quantity that is typed so."""
        key = re.sub(r"\s+", "", text)
        if key not in self.names:
            name = symbol(f"{head}{len(self.names) + 1}")
            self.names[key] = name
            self.tex[str(name)] = text
            facts = [] if low is None else [Relation(name, ">=", Integer(low))]
            self.facts[str(name)] = (*facts, *([] if high is None else [Relation(name, "<=", Integer(high))]))
        return self.names[key]


class PaperReader(LatexReader):
    """Reads formulas of papers; what it cannot read with certainty is an error."""

    book: Quantities

    @classmethod
    def of(
        cls, text: str, book: Quantities, found: Sequence[Token] | None = None, indices: Iterable[Symbol] = ()
    ) -> PaperReader:
        given = list(tokens(text)) if found is None else list(found)
        if not given or given[-1].kind != "end":
            given.append(Token("end", "", given[-1].at + len(given[-1].text) if given else 0))
        reader = cls(
            text,
            given,
            known=[symbol(n) for n in book.numbers if is_variable(n)],
            indices=indices,
            spellings=book.spellings,
        )
        reader.book = book
        return reader

    # --- what has two readings

    def refuse_constant(self, token: Token) -> None:
        r"""e and \pi, where the document uses them as names of its own; e^x is the exponential of any other text."""
        name = token.text.lstrip("\\")
        if name not in self.book.taken or token.kind not in ("letter", "command"):
            return
        after, before = self.tokens[self.place + 1].text, self.tokens[self.place - 1].text if self.place else ""
        if after in ("_", "'") or (name == "pi" and before == "2"):
            return
        if name == "e" and after == "^" and not self.book.taken[name]:
            return
        constant = "the base of exponentials" if name == "e" else "the constant"
        self.fail(f"{token.text} is a name of this text, and may be {constant}; write another letter", token)

    def refuse_brackets(self, token: Token) -> None:
        r"""[x] and \{x\} around one thing group nothing: an integer part, a fractional part, a set?"""
        place = self.place + (token.text == r"\left")
        if self.tokens[place].text not in ("[", r"\{", r"\lbrace"):
            return
        opening, end = self.tokens[place].text, self.brackets(self.place)
        inside = [t for t in self.tokens[place + 1 : end - 1] if t.text != r"\right"]
        single = len(inside) == 1 or (len(inside) > 1 and self.behind_scripts(place + 2) >= end - 1)
        nested = any(t.text in ("(", "[", r"\left", r"\frac", r"\sum", r"\prod", r"\bigl", r"\big") for t in inside)
        if single or (opening != "[" and not nested):
            shown = "the integer part" if opening == "[" else "the fractional part"
            self.fail(f"these brackets may group, or stand for {shown} or a set; write ( ) to group", token)

    # --- quantities with a name

    def base(self, *, bare: bool = False) -> Expr:
        token = self.token
        self.refuse_constant(token)
        self.refuse_brackets(token)
        if token.text in (r"\Pr", r"\P", r"\Prob"):
            self.advance()
            return self.quantity("Pr", self.place - 1, low=0, high=1)
        if token.text in _FONTS and token.kind == "command":
            found = self.in_font(token)
            if found is not None:
                return found
        if token.text in _NORMS and token.kind == "command":
            return self.norm(token)
        if token.text == r"\left" and self.tokens[self.place + 1].text in _NORMS:
            return self.norm(token)
        if token.text == r"\lceil" or (token.text == r"\left" and self.tokens[self.place + 1].text == r"\lceil"):
            return self.ceiling()
        if token.text in ("|", r"\lvert", r"\vert") or (
            token.text == r"\left" and self.tokens[self.place + 1].text in ("|", r"\lvert", r"\vert")
        ):
            found = self.size_of_set(token)
            if found is not None:
                return found
        if (
            token.text in _BIG
            and token.kind == "command"
            and (token.text not in (r"\max", r"\min") or self.tokens[self.place + 1].text == "_")
        ):
            return self.extreme(token)
        if token.text in (r"\int", r"\iint", r"\oint"):
            return self.integral(token)
        if token.text in (r"\sum", r"\prod") and not self.is_finite_sum():
            return self.sum_without_range(token)
        if token.text in _DOTS:
            self.fail(f"{token.text} stands for terms that are not written; write a sum: \\sum_{{i=1}}^{{n}} ...")
        if token.text == r"\Delta" and token.kind == "command":
            return self.change(token)
        if token.text == r"\langle":
            self.fail(r"a product of vectors, \langle ... \rangle, is not read")
        if token.text in (r"\nabla", r"\partial"):
            self.fail(f"{token.text} takes a derivative, which is not read; write the derivative itself")
        return super().base(bare=bare)

    def sum(self) -> Expr:
        stop = self.dots_in_sum()
        return super().sum() if stop is None else self.sum_with_dots(stop)

    def dots_in_sum(self) -> int | None:
        r"""The place of + \dots + within the sum that begins here."""
        depth, place = 0, self.place
        while self.tokens[place].kind != "end":
            token = self.tokens[place]
            if token.kind != "words":
                depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(token.text, 0)
                if depth < 0:
                    return None
                if depth == 0 and token.text in _DOTS and self.tokens[place - 1].text == "+":
                    return place if self.tokens[place + 1].text == "+" else None
            place += 1
        return None

    def sum_with_dots(self, stop: int) -> Expr:
        dots, needed, leading = self.tokens[stop], len(self.needed), []
        while self.place < stop:
            leading.append(self.released(self.product()))
            if not self.at("+"):
                self.fail(rf"{dots.text} is read between plus signs only; write a sum: \sum_{{i=1}}^{{n}} ...", dots)
            self.advance()
        self.advance()
        self.advance()
        last = self.released(self.product())
        if self.at("+", "-"):
            self.fail(
                f"it is not clear which term is the last one behind {dots.text}; write brackets around the sum, or "
                r"\sum_{i=1}^{n} ...",
                dots,
            )
        found = continued(leading, last)
        if found is None:
            self.fail(
                f"which terms {dots.text} stands for is not plain from those that are written; write a sum: "
                r"\sum_{i=1}^{n} ...",
                dots,
            )
        del self.needed[needed:]  # its terms have to be defined, and they are all in the sum
        return self.mention(self.hold(found))

    def brackets(self, start: int) -> int:
        """The place behind the brackets that begin there; the same place if none do."""
        place = start
        sized = self.tokens[place].text == r"\left"
        if sized:
            place += 1
        opening = self.tokens[place]
        if opening.kind == "words" or opening.text not in _ENDS:
            return start
        depth = 0
        while place < len(self.tokens) and self.tokens[place].kind != "end":
            token = self.tokens[place]
            before = self.tokens[place - 1].text
            if token.kind != "words":
                if before == r"\left" or (before != r"\right" and token.text in {*_ENDS, "{"}):
                    depth += 1
                elif before == r"\right" or token.text in {*_ENDS.values(), "}"}:
                    depth -= 1
                    if depth == 0:
                        return place + 1
            place += 1
        self.fail(f"this {opening.text!r} is never closed", opening)

    def written(self, start: int, stop: int) -> str:
        parts: list[str] = []
        for token in self.tokens[start:stop]:
            if token.text in (r"\left", r"\right"):
                continue
            text = f"\\text{{{token.words}}}" if token.kind == "words" else token.text
            if parts and text[:1].isalpha() and re.search(r"\\[A-Za-z]+$", parts[-1]):
                text = f" {text}"
            parts.append(text)
        return "".join(parts)

    def quantity(self, head: str, start: int, *, low: int | None = None, high: int | None = None) -> Expr:
        """A head with scripts, such as E_{x}, and the brackets behind it."""
        self.place = self.behind_scripts(self.place)
        end = self.brackets(self.place)
        if end == self.place and self.tokens[self.place].text not in _ENDS:
            if head in ("Pr", "E") and self.begins_factor():
                self.fail(
                    f"it is not clear where the argument of {self.tokens[start].text} ends; write brackets around it",
                    self.tokens[start],
                )
            self.fail(f"{self.written(start, self.place)} has no argument in brackets", self.tokens[start])
        self.place = end
        return self.kept(head, start, low=low, high=high)

    def behind_scripts(self, place: int) -> int:
        while self.tokens[place].text in ("_", "^", "'") and self.tokens[place].kind != "words":
            if self.tokens[place].text == "^" and self.tokens[place + 1].text not in ("*", r"\star", r"\prime", "{"):
                return place
            if self.tokens[place].text == "^" and self.tokens[place + 1].text == "{":
                inside = self.tokens[place + 2].text
                if inside not in ("*", r"\star", r"\prime"):
                    return place
            if self.tokens[place].text == "'":
                place += 1
                continue
            place += 1
            if self.tokens[place].text == "{":
                depth = 0
                while self.tokens[place].kind != "end":
                    depth += (
                        {"{": 1, "}": -1}.get(self.tokens[place].text, 0)
                        if (self.tokens[place].kind == "sign")
                        else 0
                    )
                    place += 1
                    if depth == 0:
                        break
            else:
                place += 1
        return place

    def kept(self, head: str, start: int, *, low: int | None = None, high: int | None = None) -> Expr:
        """The quantity that the tokens from there to here write down; with an index in it, a member of a family."""
        text = self.written(start, self.place)
        head = re.sub(r"[^A-Za-z]", "", head) or "q"
        inside = {t.text.lstrip("\\") for t in self.tokens[start : self.place] if t.kind in ("letter", "command")}
        running = [i for i in self.indices if str(i) in inside or (str(i) == "ell" and "ell" in inside)]
        base = self.book.named(head, text, low=None if running else low, high=None if running else high)
        if running:
            return self.family(base, sorted(running, key=str))
        return base

    def in_font(self, token: Token) -> Expr | None:
        """A letter or word in a font: a mean, a probability, an operator with an argument, a named number."""
        start = self.place
        if self.tokens[start + 1].text != "{":
            if token.text in (r"\mathbb", r"\mathbf") and self.tokens[start + 1].kind == "letter":
                word, after = self.tokens[start + 1].text, start + 2
            else:
                return None
        else:
            word, after = "", start + 2
            while self.tokens[after].kind in ("letter", "number") or self.tokens[after].text in ("-", "*"):
                word += self.tokens[after].text
                after += 1
            if self.tokens[after].text != "}" or not word:
                self.fail(f"what stands in {token.text} is not understood", token)
            after += 1
        if token.text in (r"\operatorname", r"\mathrm", r"\operatorname*") and (word in OPERATORS or word == "e"):
            return None
        if token.text == r"\mathrm" and word in ("d", "Gamma"):
            self.fail(r"\mathrm{d} belongs to an integral or a derivative, which are not read here", token)
        applied = self.behind_scripts(after)
        if (
            self.tokens[applied].text in _ENDS
            or self.tokens[applied].text == r"\left"
            or (self.tokens[applied].text == r"\bigl")
        ):
            self.place = after
            if word in _MEANS:
                if self.laws:
                    self.place = start
                    return None
                return self.quantity("E", start, low=0 if self.is_size(self.behind_scripts(after)) else None)
            if word in _PROBABILITIES:
                return self.quantity("Pr", start, low=0, high=1)
            if token.text in (r"\mathbb", r"\mathbf", r"\mathds") and word in ("1", "I"):
                return self.quantity("one", start, low=0, high=1)
            return self.quantity(
                word if word[:1].isalpha() else "q",
                start,
                low=0 if word in _NOT_NEGATIVE and self.not_a_name(word) else None,
            )
        if word in _MEANS and token.text != r"\mathsf" and self.tokens[applied].kind in ("letter", "command"):
            self.fail(
                f"it is not clear where the argument of {token.text}{{{word}}} ends; write brackets around it", token
            )
        if (
            token.text in (r"\mathrm", r"\mathsf", r"\mathtt", r"\operatorname")
            and is_variable(word)
            and len(word) > 1
        ):
            self.place = self.behind_scripts(after)
            return self.kept(word, start)
        self.fail(
            f"{token.text}{{{word}}} may be a vector, a matrix or a set; only what stands for a number is read", token
        )

    def is_size(self, place: int) -> bool:
        """Whether the brackets there hold one norm, or a power of it: its mean is not negative."""
        inside = self.tokens[place : self.brackets(place)]
        signs = [t.text for t in inside if t.text not in (r"\left", r"\right", "{", "}")][1:-1]
        norms = [at for at, sign in enumerate(signs) if sign in {*_NORMS, *_NORMS.values()}]
        return len(norms) == 2 and norms[0] == 0 and signs[norms[1] + 1 :] in ([], ["^", "2"], ["_", "2", "^", "2"])

    def not_a_name(self, word: str) -> bool:
        return word not in self.book.numbers

    def norm(self, token: Token) -> Expr:
        start = self.place
        sized = token.text == r"\left"
        place = start + (2 if sized else 1)
        closing = _NORMS[self.tokens[place - 1].text]
        depth = 0
        while self.tokens[place].kind != "end":
            text = self.tokens[place].text
            if depth == 0 and text == closing and self.tokens[place].kind == "command":
                break
            depth += (
                {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(text, 0)
                if (self.tokens[place].kind == "sign")
                else 0
            )
            place += 1
        else:
            self.fail("this norm is never closed", token)
        if place == start + 1:
            self.fail("an empty norm", token)
        self.place = self.behind_scripts(place + 1)
        return self.kept("norm", start, low=0)

    def ceiling(self) -> Expr:
        sized = self.at(r"\left")
        if sized:
            self.advance()
        opening = self.advance()
        value = self.nested(self.sum, opening)
        if sized:
            self.expect(r"\right", opening)
        self.expect(r"\rceil", opening)
        minus = self.build(opening, self.builder.negate, value)
        low = self.build(opening, self.builder.call, "floor", [minus])
        return self.build(opening, self.builder.negate, low)

    def size_of_set(self, token: Token) -> Expr | None:
        """|S| of something that is no number; None where the bars are an absolute value."""
        start = self.place
        place = start + (2 if token.text == r"\left" else 1)
        first = self.tokens[place]
        content_end = place
        while self.tokens[content_end].kind != "end" and self.tokens[content_end].text not in (
            "|",
            r"\rvert",
            r"\vert",
            r"\right",
        ):
            content_end += 1
        inside = self.tokens[place:content_end]
        capital = (
            len(inside) == 1
            and first.kind == "letter"
            and first.text.isupper()
            and (first.text not in self.book.numbers)
        )
        if not capital and first.text not in (r"\mathcal", r"\mathbf", r"\mathscr"):
            return None
        if self.tokens[content_end].kind == "end":
            return None
        self.place = content_end + (2 if self.tokens[content_end].text == r"\right" else 1)
        return self.kept("size", start, low=0)

    def extreme(self, token: Token) -> Expr:
        """max over an index: a quantity with the text of its argument."""
        start = self.place
        self.advance()
        inside: set[Symbol] = set()
        over = ""
        if self.at("_"):
            stop = self.behind_scripts(self.place)
            inside = {symbol(t.text.lstrip("\\")) for t in self.tokens[self.place : stop] if t.kind == "letter"}
            over = self.written(self.place + 1, stop)
            self.place = stop
        fresh = inside - self.indices
        self.indices |= fresh
        needed = len(self.needed)
        try:
            body = self.released(self.nested(self.factor, token))
        finally:
            self.indices -= fresh
        del self.needed[needed:]
        if self.begins_factor():
            self.fail(f"it is not clear where the argument of {token.text} ends; write brackets around it", token)
        found = self.kept(token.text.lstrip("\\"), start)
        if isinstance(found, Symbol) and str(found) in self.book.tex:
            below = over.removeprefix("{").removesuffix("}")
            self.book.extremes[str(found)] = Extreme(token.text.lstrip("\\"), body, below)
        return found

    def integral(self, token: Token) -> Expr:
        """An integral up to its dx: its value where that is certain, else a quantity with that text."""
        start = self.place
        place, depth = start + 1, 0
        while self.tokens[place].kind != "end":
            t = self.tokens[place]
            if t.kind != "words":
                depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(t.text, 0)
                after = self.tokens[place + 1]
                if depth == 0 and t.text == "d" and (after.kind == "letter" or after.text.startswith("\\")):
                    return self.integrated(start, place, place + 2)
                if depth == 0 and t.text == r"\mathrm" and self.tokens[place + 2].text == "d":
                    return self.integrated(start, place, place + 5)
                if depth == 0 and t.text in _FRACTIONS and after.text == "{":
                    self.take_out_of_numerator(place)
            place += 1
        self.fail("the dx of this integral is missing", token)

    def take_out_of_numerator(self, place: int) -> None:
        r"""\frac{dx}{x^2} of an integral as \frac{1}{x^2} dx; another fraction stays as it is."""
        over = self.group_end(place + 1)
        under = self.group_end(over) if self.tokens[over].text == "{" else over
        above = [t for t in self.tokens[place + 2 : over - 1] if t.kind != "gap"]
        size = 5 if [t.text for t in above[-5:-1]] == [r"\mathrm", "{", "d", "}"] else 2
        if under == over or above[-size:][0].text not in ("d", r"\mathrm") or above[-1].kind == "sign":
            return
        before = above[:-size] or [Token("number", "1", above[0].at)]
        opening, close = self.tokens[place + 1], self.tokens[over - 1]
        self.tokens[place + 1 : under] = [opening, *before, close, *self.tokens[over:under], *above[-size:]]

    def group_end(self, place: int) -> int:
        """The place behind the braces that begin there."""
        depth = 0
        while self.tokens[place].kind != "end":
            depth += {"{": 1, "}": -1}.get(self.tokens[place].text, 0) if self.tokens[place].kind == "sign" else 0
            place += 1
            if depth == 0:
                break
        return place

    def integrated(self, start: int, stop: int, end: int) -> Expr:
        """What stands from the sign to the d, and to behind the variable."""
        needed, numbered = len(self.needed), len(self.book.names)
        value = None
        with suppress(LatexError, IndexError):
            value = self.value_of_integral(start, stop, end)
        self.place = end
        if value is not None and len(self.book.names) == numbered:
            self.book.computed.add(self.written(start, end))
            return self.hold(value) if value.free_symbols else value
        del self.needed[needed:]
        if self.at("(", "["):
            self.place = self.brackets(self.place)
        return self.kept("integral", start)

    def value_of_integral(self, start: int, stop: int, end: int) -> Expr | None:
        self.place = start + 1
        ends: dict[str, Expr] = {}
        while self.at("_", "^"):
            which = self.advance().text
            inside = [t.text for t in self.tokens[self.place : self.place + 4]]
            if inside[:1] == [r"\infty"] or inside[:3] == ["{", r"\infty", "}"]:
                self.place += 1 if inside[0] == r"\infty" else 3
                ends[which] = oo
            elif inside == ["{", "-", r"\infty", "}"]:
                self.place += 4
                ends[which] = -oo
            else:
                ends[which] = self.script()
        if set(ends) != {"_", "^"}:
            return None
        inner = PaperReader.of(self.text, self.book, self.tokens[self.place : stop], self.indices)
        value: Expr = inner.released(inner.whole(inner.expression))
        variable = symbol(self.tokens[end - 1].text.lstrip("\\"))
        if variable in self.indices or self.indices & value.free_symbols or value.has(Sum, Product):
            return None
        if not self.keep_needed([inner.released(part) for part in inner.needed], value, variable):
            return None
        return integral(value, variable, ends["_"], ends["^"], frozenset(self.book.positive))

    def is_finite_sum(self) -> bool:
        r"""Whether a sum has a first and a last index: \sum_{i=1}^{n}, or i \in [n] below."""
        if self.tokens[self.place + 1].text != "_":
            return False
        stop = self.behind_scripts(self.place + 1)
        below = [t.text for t in self.tokens[self.place + 1 : stop]]
        if r"\in" in below:
            return below[-2:-1] == ["]"] and "[" in below
        if "=" not in below or self.tokens[stop].text != "^":
            return False
        above = [t.text for t in self.tokens[stop + 1 : stop + 4]]
        return r"\infty" not in above[:2]

    def sum_without_range(self, token: Token) -> Expr:
        """An infinite sum, or one over a set: a quantity with the text of its terms."""
        start = self.place
        self.advance()
        inside: set[Symbol] = set()
        while self.at("_", "^"):
            self.advance()
            first = self.place
            if self.at("{"):
                depth = 0
                while self.token.kind != "end":
                    depth += {"{": 1, "}": -1}.get(self.token.text, 0) if self.token.kind == "sign" else 0
                    self.place += 1
                    if depth == 0:
                        break
            else:
                self.advance()
            inside |= {symbol(t.text.lstrip("\\")) for t in self.tokens[first : self.place] if t.kind == "letter"}
        fresh = inside - self.indices
        self.indices |= fresh
        needed = len(self.needed)
        try:
            term = self.nested(self.product, token)
        finally:
            self.indices -= fresh
        parts = [self.released(part) for part in self.needed[needed:]]
        del self.needed[needed:]  # of the terms, for values of the index that are not its own
        value = self.value_of_sum(start, self.released(term), parts) if token.text == r"\sum" else None
        if value is not None:
            self.book.computed.add(self.written(start, self.place))
            return self.hold(value) if value.free_symbols else value
        return self.kept("sum" if token.text == r"\sum" else "product", start)

    def keep_needed(self, parts: Sequence[Expr], inside: Expr, variable: Symbol) -> bool:
        """What an integrand or a term mentions must have a value, also where its integral or sum has lost it; whether
        nothing has cancelled that depends on the variable."""
        self.needed += [part for part in parts if variable not in part.free_symbols]
        partial = [p for part in parts for p in partial_parts(part)
                   if variable in p.free_symbols and not (isinstance(p, Pow) and p.base.is_positive)]
        return not lost(partial, inside)

    def value_of_sum(self, start: int, term: Expr, parts: Sequence[Expr]) -> Expr | None:
        r"""\sum_{k=a}^{\infty}, where its value is certain."""
        stop = self.behind_scripts(start + 1)
        below = self.tokens[start + 2 : stop]
        above = [t.text for t in self.tokens[stop : stop + 4]]
        if above[:2] != ["^", r"\infty"] and above != ["^", "{", r"\infty", "}"]:
            return None
        signs = [t.text for t in below]
        if signs[:1] != ["{"] or len(signs) < 5 or signs[2] != "=" or self.indices:
            return None
        if any(str(v) in self.book.tex for v in term.free_symbols):
            return None
        reader = PaperReader.of(self.text, self.book, below[3:-1])
        first: Expr = reader.released(reader.whole(reader.expression))
        if not first.free_symbols <= self.book.positive:  # an index below 0 may meet a term without a value
            return None
        if not isinstance(term, Expr) or term.has(Sum, Product):
            return None
        index = symbol(signs[1].lstrip("\\"))
        if not self.keep_needed(parts, term, index):
            return None
        return infinite_sum(term, index, first, frozenset(self.book.positive), frozenset(self.book.unit))

    def change(self, token: Token) -> Expr:
        r"""\Delta f, which is one quantity or a product."""
        after = self.tokens[self.place + 1]
        if after.kind == "letter" or (after.kind == "command" and self.is_name(after)):
            pair = f"\\Delta {after.text}"
            beyond = self.tokens[self.place + 2]
            if pair in self.book.changes and not (beyond.text == "^" and beyond.kind == "sign"):
                start = self.place
                self.place += 2
                self.place = self.behind_scripts(self.place)
                return self.kept("Delta", start)
            self.refuse_change(token)
        if after.text == "(":
            return self.applied_or_product()
        return LatexReader.base(self)

    # --- names

    def symbol_or_constant(self, *, bare: bool, in_name: bool = False) -> Expr:
        token = self.token
        if not bare and not in_name:
            kind = self.book.kinds.get(token.text)
            if kind is not None:
                after = self.behind_scripts(self.place + 1)
                if self.tokens[after].text not in ("(", "["):
                    self.fail(f"{token.text} is {kind}, not a number", token)
            found = self.applied_or_product() if self.is_applied() else None
            if found is not None:
                return found
            found = self.shifted()
            if found is not None:
                return found
        return super().symbol_or_constant(bare=bare, in_name=in_name)

    def shifted(self) -> Expr | None:
        """x_{n+1}: a quantity of its own, unless an index runs through it."""
        if self.token.kind != "letter" and not self.is_name(self.token):
            return None
        if self.tokens[self.place + 1].text != "_" or self.tokens[self.place + 2].text != "{":
            return None
        stop = self.behind_scripts(self.place + 1)
        inside = self.tokens[self.place + 3 : stop - 1]
        letters = {symbol(t.text.lstrip("\\")) for t in inside if t.kind in ("letter", "command")}
        if not any(t.text in ("+", "-") and t.kind == "sign" for t in inside) or letters & self.indices:
            return None
        start = self.place
        self.place = stop
        return self.kept(self.tokens[start].text.lstrip("\\"), start)

    def is_applied(self) -> bool:
        after = self.behind_scripts(self.place + 1)
        nearby = self.tokens[after]
        return nearby.text in ("(", "[") or (nearby.text == r"\left" and self.tokens[after + 1].text in ("(", "["))

    def applied_or_product(self) -> Expr | None:
        """f(x): a function where f never stands alone as a number, else a product, or two readings."""
        start = self.place
        name = self.token.text.lstrip("\\")
        after = self.behind_scripts(start + 1)
        end = self.brackets(after)
        opening = after + (1 if self.tokens[after].text == r"\left" else 0)
        inside = [t for t in self.tokens[opening + 1 : end - 1] if t.text != r"\right"]
        scripts = self.written(start, after)
        if name in ("e", "pi") and after == start + 1:
            return None
        if self.tokens[opening].text == "[" and not any(
            t.kind == "words" or t.text in (r"\in", r"\mid", "=") for t in inside
        ):
            return None  # square brackets group
        divided = any(t.text in (r"\|", r"\mid", r"\Vert", ";", ",") for t in inside)
        if scripts in self.book.functions and len(self.book.functions[scripts][0]) == 1 and not divided:
            self.place = opening
            sized = self.tokens[after].text == r"\left"
            self.place = after
            argument = self.released(self.bracketed())
            del sized
            variables, value = self.book.functions[scripts]
            if not value.free_symbols and scripts not in self.book.domains:
                return value
            at = {variables[0]: argument}
            # what cancels in f(x) - f(x) must have a value, too
            self.needed += [self.hold(as_written(part, at)) for part in partial_parts(value)]
            self.needed += [self.hold(as_written(part, at)) for part in self.book.domains.get(scripts, ())]
            return self.hold(insert(value, at))
        of = scripts.rstrip("'")
        if of != scripts and of in self.book.functions and not divided:
            return self.derivative(of, len(scripts) - len(of), start, after)
        number = scripts in self.book.numbers or (
            # of C(P) nothing is known from C_1; p_1(1 - q) is a product where p_2 is a number
            after > start + 1 and (name in self.book.numbers or name in self.book.with_scripts)
        )
        plain = len(inside) == 1 and inside[0].kind in ("letter", "command", "number")
        if number and not divided:
            known = scripts in self.book.applied or self.book.kinds.get(name) == "a function"
            if known or (plain and inside[0].kind == "number"):
                typed = self.written(opening + 1, end - 1) if inside else ""
                times = typed if plain else f"({typed})"
                self.fail(
                    f"{scripts}({typed}) has two readings: the value of {scripts} at {typed}, or the product; "
                    f"write {scripts} \\cdot {times} for the product, or give the function another name",
                    self.tokens[start],
                )
            return None
        self.place = end
        low, high = None, None
        if name == "D" and any(t.text in (r"\|", r"\Vert") for t in inside):
            low = 0
        return self.kept(name if name.isalpha() else "f", start, low=low, high=high)

    def derivative(self, of: str, times: int, start: int, after: int) -> Expr:
        """f'(x) of a function with a formula: its derivative, in a text that speaks of derivatives."""
        (variable, *others), value = self.book.functions[of]
        smooth = not value.has(Sum, Product, floor, Abs, Min, Max)
        if not self.book.differentiates or others or not smooth:
            self.fail(
                f"{self.written(start, after)} may be a derivative of {of}, or another function; say that it is the "
                "derivative, or define it",
                self.tokens[start],
            )
        self.place = after
        at = {variable: self.released(self.bracketed())}
        self.book.computed.add(self.written(start, after))
        self.needed += [self.hold(as_written(part, at)) for part in partial_parts(value)]
        self.needed += [self.hold(as_written(part, at)) for part in self.book.domains.get(of, ())]
        return self.hold(insert(value.diff(variable, times), at))

    # --- what papers write in their own ways

    def factor(self) -> Expr:
        token = self.token
        base = self.base()
        if self.at("!"):
            self.advance()
            if self.at("!"):
                self.fail("a double factorial is not read", token)
            one_more = self.build(token, self.builder.add, [base, S.One])
            base = self.build(token, self.builder.call, "gamma", [one_more])
        if not self.at("^"):
            return base
        if isinstance(base, Symbol):
            self.refuse_label(token)
            self.refuse_power_of_function(token)
        if self.tokens[self.place + 1].text in (r"\top", r"\intercal", r"\dagger", r"\circ", r"\perp"):
            self.fail(f"^{self.tokens[self.place + 1].text} is no power of a number", token)
        self.advance()
        exponent = self.script()
        if self.at("^"):
            self.fail("a second exponent; use braces")
        return self.build(token, self.builder.power, base, exponent)

    def refuse_power_of_function(self, token: Token) -> None:
        """f^2(x): the square of the value, f applied twice, or a product, of an f that is a function elsewhere."""
        name = token.text.lstrip("\\")
        function = name in self.book.functions or self.book.kinds.get(name) == "a function"
        if not function and (name in self.book.numbers or name not in self.book.applied):
            return
        depth, place = 0, self.place + 1
        while self.tokens[place].kind != "end":
            depth += {"{": 1, "}": -1}.get(self.tokens[place].text, 0)
            place += 1
            if depth == 0:
                break
        if self.tokens[place].text == r"\left":
            place += 1
        if self.tokens[place].text in ("(", "["):
            self.fail(
                f"{name}^{{...}}(...) has three readings: a power of the value of {name}, {name} applied again and "
                f"again, and a product; write ({name}(...))^2 for the power",
                token,
            )

    def function(self) -> Expr:
        token = self.token
        if token.text in (r"\log", r"\lg") and self.tokens[self.place + 1].text == "_":
            self.advance()
            self.advance()
            base = self.script()
            if not base.is_Rational or base <= 0 or base == 1:
                self.fail("the base of a logarithm is a number here", token)
            if self.at("^"):
                self.fail(r"a power of a logarithm with a base; write (\log_2 x)^2", token)
            value = self.build(token, self.builder.call, "log", [self.argument(token)])
            below = self.build(token, self.builder.call, "log", [base])
            inverse = self.build(token, self.builder.power, below, S.NegativeOne)
            return self.build(token, self.builder.multiply, [value, inverse])
        if token.text == r"\lg":
            self.fail(r"\lg is the logarithm to the base 2 for some and 10 for others; write \log_2 or \ln", token)
        value = super().function()
        if token.text == r"\log" and self.book.binary_logarithms:
            two = self.build(token, self.builder.call, "log", [Integer(2)])
            inverse = self.build(token, self.builder.power, two, S.NegativeOne)
            return self.build(token, self.builder.multiply, [value, inverse])
        return value


