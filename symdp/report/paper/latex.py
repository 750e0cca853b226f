r"""Statements in LaTeX, for a paper: theorem environments with what their claims assert.

No verdict is computed here; a claim is typeset as its source printed it. The text needs amsmath,
amsthm and amssymb, and a formula too long for a line is broken where a typesetter would break it.

>>> print(render(["kov/thm-3.2.centring-helps"], log="ln", epsilon="epsilon"))
% Needs amsmath, amsthm and amssymb, and \newtheorem{theorem}{Theorem}.
\begin{theorem}[{Advanced composition \cite[Theorem 3.2]{kairouz2013composition}}]
\label{symdp:kov/thm-3.2.centring-helps}
Each of $k$ adaptively chosen mechanisms is $(\epsilon,\delta)$-DP.
<BLANKLINE>
Sharper form of \texttt{kov/thm-3.2}:
the mean of the privacy loss is at most half of what the theorem allows for it.
The third entry of Theorem 3.4 replaces $e^{\epsilon}-1$ by $\tanh(\epsilon/2)$.
For $\epsilon>0$,
\[
2\tanh(\epsilon/2) \le e^{\epsilon}-1
\]
See also \cite{dwork2010boosting}.
\end{theorem}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sympy import Expr, Rational

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.report.figures.given_numbers import Several, combinations_of, value_at
from symdp.report.paper.documents import Piece, document, fragment
from symdp.sources import registry
from symdp.sources.registry import UnknownId, claim
from symdp.sources.statement import Claim, Guarantee, Place, Source, Statement, domain_over
from symdp.typeset.line_breaks import LINE, aligned, break_lines, broken_width, widest_piece
from symdp.typeset.numerals import decimal_latex, number_latex
from symdp.typeset.prose import label_latex, listed, quantifier, sentence, text_latex
from symdp.typeset.typesetting import Epsilon, Log, Names, Style, StyleOptions, latex

#: Signs in a line beyond which a display would leave the page.
TOO_WIDE = 47
#: Signs that a sentence can carry in one piece; a longer one would leave the page, since TeX does not break it.
TOO_LONG = LINE // 2
#: Digits of a value in the text.
DIGITS = 6


@dataclass(frozen=True)
class Manner:
    """The choices on which papers differ, and numbers to put into the formulas.

    Where ``log`` is not said, it is the source's own with the symbols of the paper, else ``log``.
    """

    log: str | None = None
    epsilon: str = "varepsilon"
    symbols: str = "house"
    #: a whole statement as one theorem, without what else is said of it
    theorem: bool = False
    numbers: Several = field(default_factory=dict, hash=False)

    @property
    def style(self) -> StyleOptions:
        """For what is of no source in particular."""
        return {"log": cast(Log, self.log or "log"), "epsilon": cast(Epsilon, self.epsilon)}

    def author(self, source: Source) -> Author:
        paper = self.symbols == "paper"
        log = self.log or (source.log if paper else "log")
        Style(log=cast(Log, log), epsilon=cast(Epsilon, self.epsilon))  # refuses what is not a choice
        names = dict(source.symbols) if paper else {}
        return Author(cast(Log, log), cast(Epsilon, self.epsilon), names, self.numbers)


def render(ids: Iterable[str], *, document: bool = False, **manner: Any) -> str:
    """The LaTeX of statements, single claims or whole sources, in the order given.

    >>> print(render(["kov/thm-3.1"]).splitlines()[1])
    \\begin{theorem}[{Basic composition \\cite[Theorem 3.1]{kairouz2013composition}}]
    """
    piece = statements_piece(ids, Manner(**manner))
    return (_document if document else fragment)([piece])


_document = document


def statements_piece(ids: Iterable[str], manner: Manner | None = None) -> Piece:
    """Statements, single claims or whole sources, in the order given."""
    manner = manner or Manner()
    chosen = _chosen(ids)
    body = "\n".join(manner.author(s.source).theorem(s) if manner.theorem and claims is None else
                     manner.author(s.source).environment(s, claims) for s, claims in chosen)
    if manner.numbers and _AT not in body:
        missing = [sorted(str(v) for v in e.free_symbols - set(manner.numbers))
                   for s, claims in chosen for e in _formulas_of(s, claims) if e.free_symbols]
        raise BadQuantity("no formula has all its variables given by --at; give also "
                          f"{' and '.join(min((len(m), m) for m in missing)[1])}" if missing else
                          "there is no formula with variables, so that --at has nothing to fill in")
    keys = dict.fromkeys(key for s, _ in chosen for key in (s.source.cite, *s.cites))
    return Piece(body, kinds=tuple(dict.fromkeys(environment_of(s.place) for s, _ in chosen)),
                 keys=tuple(keys), titles={s.source.cite: s.source.title for s, _ in chosen})


def bare_formulas(ids: Iterable[str], manner: Manner | None = None) -> str:
    r"""The formulas and nothing around them, one a line, to be pasted between dollar signs; a comment says which.

    >>> print(bare_formulas(["kov/thm-3.1"]).splitlines()[1])
    \varepsilon_{\mathrm{total}} = k\varepsilon
    """
    manner, lines = manner or Manner(), []
    for s, claims in _chosen(ids):
        author = manner.author(s.source)
        if claims is None and s.formulas:
            named = [(f"{s.id}, {name}", author.equation(name, e)) for name, e in s.formulas.items()]
        else:
            named = [(c.id, c.formula(**author.style)) for c in (s.claims if claims is None else claims)]
        lines += [f"% {name}\n{tex}" for name, tex in named if tex]
    if not lines:
        raise BadQuantity("there is no formula in this; it is a statement in words")
    return "\n".join(lines) + "\n"


def _formulas_of(s: Statement, claims: Sequence[Claim] | None) -> list[Expr]:
    found = list(s.formulas.values()) if claims is None else []
    return found + [e for c in (s.claims if claims is None else claims) for _, e in _named(c)]


def _named(c: Claim) -> list[tuple[str, Expr]]:
    """The expressions of a claim that have a value, each with what it is."""
    if isinstance(c, Guarantee):
        return [("epsilon", c.epsilon), ("delta", c.delta)]
    relation = getattr(c, "relation", None)
    return [("left", relation.left), ("right", relation.right)] if relation is not None else []


Chosen = tuple[Statement, tuple[Claim, ...] | None]


def _chosen(ids: Iterable[str]) -> list[Chosen]:
    """What to typeset; claims are None for a whole statement, and nothing comes twice."""
    ids = tuple(dict.fromkeys(ids))
    found_by = {id: registry.named(id) for id in ids}
    # A claim that is named beside its whole statement would only repeat it, label and all.
    whole = {s.id for id, of_id in found_by.items() for s in of_id if id in (s.id, s.source.key)}
    found: dict[str, Chosen] = {}
    for id, of_id in found_by.items():
        for s in of_id:
            if s.id in whole:
                found.setdefault(s.id, (s, None))
            else:
                found.setdefault(id, (s, (claim(id),)))
    if not found:
        raise UnknownId("no statement was named; `symdp list` shows what there is")
    return list(found.values())


_KINDS = {"thm": "theorem", "lem": "lemma", "cor": "corollary", "rem": "remark"}


def environment_of(place: Place) -> str:
    """The environment for a place; what is no theorem in its source is not called one.

    >>> from symdp.sources.statement import Source
    >>> book = Source("book", "A book", "nobody2026book")
    >>> environment_of(book.lemma("1")), environment_of(book.section("2"))
    ('lemma', 'statement')
    """
    return _KINDS.get(place.slug.split("-")[0], "statement")


#: The formulas that are what a theorem on composition promises, and of which letter.
_TOTALS = {"epsilon in total": "epsilon", "delta in total": "delta"}
#: How a value at given numbers begins.
_AT = "At "

# --- environments ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Author:
    """Writes environments in one style."""

    log: Log
    epsilon: Epsilon
    names: Names = field(default_factory=dict, hash=False)
    numbers: Several = field(default_factory=dict, hash=False)

    @property
    def style(self) -> StyleOptions:
        return {"log": self.log, "epsilon": self.epsilon, "names": self.names}

    def environment(self, s: Statement, only: tuple[Claim, ...] | None) -> str:
        """A whole statement, or only some of its claims."""
        kind = environment_of(s.place)
        label = s.id if only is None else only[0].id
        note = f"{self.words(s.title)} \\cite[{self.words(s.place.label)}]{{{label_latex(s.source.cite)}}}"
        parts = [f"\\begin{{{kind}}}[{{{note}}}]\n\\label{{symdp:{label_latex(label)}}}"]
        if s.hypotheses:
            parts.append(set_apart(self.words(s.hypotheses)))
        if only is None:
            parts.extend(self.formulas(s))
        parts.extend(self.claims(s, s.claims if only is None else only))
        if s.cites:
            parts.append(f"See also \\cite{{{','.join(map(label_latex, s.cites))}}}.")
        return "\n".join([*parts, f"\\end{{{kind}}}\n"])

    def theorem(self, s: Statement) -> str:
        """A statement as its paper would state it: one theorem, with its totals in one display.

        Where it has no totals, what it claims as printed, without the forms that correct or sharpen it.
        """
        kind, printed = environment_of(s.place), [c for c in s.claims if c.role == "printed"]
        note = f"{self.words(s.title)} \\cite[{self.words(s.place.label)}]{{{label_latex(s.source.cite)}}}"
        parts = [f"\\begin{{{kind}}}[{{{note}}}]\n\\label{{symdp:{label_latex(s.id)}}}"]
        if s.hypotheses:
            parts.append(set_apart(self.words(s.hypotheses)))
        totals = {name: s.formulas[name] for name in _TOTALS if name in s.formulas}
        if len(totals) == len(_TOTALS):
            symbols = frozenset().union(*(e.free_symbols for e in totals.values()))
            spaces = {v: space for v, space in s.variables.items() if v in symbols}
            lives = quantifier(domain_over(spaces), s.variables, **self.style)
            rows = [f"{self.total(word)} &= {break_lines(latex(totals[name], **self.style), LINE - 8)}"
                    for name, word in _TOTALS.items()]
            pair = ",".join(map(self.total, _TOTALS.values()))
            parts += [set_apart(f"For {lives}, their composition is $({pair})$-DP with" if lives else
                                f"Their composition is $({pair})$-DP with"),
                      displayed(aligned([f"{rows[0]},", f"{rows[1]}."], mark=""))]
        elif len(printed) == 1:
            parts += self.asserted(printed[0])
        else:
            parts += [r"\begin{enumerate}", *("\n".join([r"\item", *self.asserted(c)]) for c in printed),
                      r"\end{enumerate}"] if printed else []
        return "\n".join([*parts, f"\\end{{{kind}}}\n"])

    def asserted(self, c: Claim) -> list[str]:
        return [set_apart(self.words(sentence(c.says))), *self.assertion(c)]

    def total(self, word: str) -> str:
        """The letter of a total."""
        letter = self.epsilon if word == "epsilon" else "delta"
        return self.names.get(f"total {word}", rf"\{letter}_{{\mathrm{{total}}}}")

    def equation(self, name: str, expr: Expr) -> str:
        """A named formula; a total with the letter of it before."""
        made = latex(expr, **self.style)
        return f"{self.total(_TOTALS[name])} = {made}" if name in _TOTALS else made

    def named(self, name: str) -> str:
        """The name of a formula, with the letter of a total where it speaks of one."""
        for total, word in _TOTALS.items():
            name = name.replace(total, f"${self.total(word)}$")
        return name

    def words(self, text: str) -> str:
        return text_latex(text, self.restyled)

    def restyled(self, math: str) -> str:
        """Math that came as LaTeX, with the letters of this style."""
        if "slack" in self.names:
            math = re.sub(r"\\tilde\s*(?:\{\s*\\delta\s*\}|\\delta(?![A-Za-z]))",
                          lambda _: self.names["slack"], math)
        math = re.sub(r"\\(?:var)?epsilon(?![A-Za-z])", rf"\\{self.epsilon}", math)
        return re.sub(r"\\(?:log|ln)(?![A-Za-z])", rf"\\{self.log}", math)

    def formulas(self, s: Statement) -> list[str]:
        if not s.formulas:
            return []
        symbols = frozenset().union(*(e.free_symbols for e in s.formulas.values()))
        spaces = {v: space for v, space in s.variables.items() if v in symbols}
        lives = quantifier(domain_over(spaces), s.variables, **self.style)
        parts = [f"\nIts formulas, for {lives}:"] if lives else []
        for name, expr in s.formulas.items():
            formula = break_lines(self.equation(name, expr), LINE)
            parts += [] if name in _TOTALS else [f"\n\\noindent {self.words(self.named(name))}:"]
            parts.append(displayed(formula))
            parts += self.at_numbers([("", expr)])
        return parts

    def at_numbers(self, named: Sequence[tuple[str, Expr]]) -> list[str]:
        """The values of expressions at the numbers that were given, where those are enough."""
        named = [(name, e) for name, e in named if e.free_symbols <= set(self.numbers)]
        used = frozenset().union(*(e.free_symbols for _, e in named)) if named else frozenset()
        if not used:
            return []
        lines = []
        for at in combinations_of({v: s for v, s in self.numbers.items() if v in used}):
            where = ", ".join(f"${latex(v, **self.style)} = {number_latex(u)}$" for v, u in at.items())
            try:
                values = [self.told(name, value_at(e, at, DIGITS, "it")) for name, e in named]
            except BadQuantity:
                values = ["there is no value"]
            lines.append(f"{_AT}{where}, {listed(values)}.")
        return [f"\\noindent {line}\\par" for line in lines]

    def told(self, name: str, found: Enclosure) -> str:
        """A value in the text: exact where it is, else to so many digits."""
        exact = found.lower == found.upper and len(str(found.lower)) <= 2 * DIGITS
        value = number_latex(Rational(str(found.lower))) if exact else \
            decimal_latex(f"{found.upper:.{DIGITS}g}")
        if name in ("epsilon", "delta"):
            sign = "=" if exact else r"\approx"
            return f"${self.total(name)} {sign} {value}$"
        what = {"left": "the left side is", "right": "the right side is"}.get(name, "it is")
        return f"{what}{'' if exact else ' about'} ${value}$"

    def claims(self, s: Statement, claims: Sequence[Claim]) -> list[str]:
        known = {c.name for c in claims}
        if len(claims) < 2:
            return [f"\n{self.claim(s, c, known)}" for c in claims]
        # The claim without a name has the id of its statement, which is labelled already.
        labels = [f"\\label{{symdp:{label_latex(c.id)}}}" if c.name else "" for c in claims]
        items = [f"\\item{label}\n{self.claim(s, c, known)}"
                 for label, c in zip(labels, claims, strict=True)]
        return ["\nIt is claimed that:", "\\begin{enumerate}", *items, "\\end{enumerate}"]

    def claim(self, s: Statement, c: Claim, known: set[str]) -> str:
        lines = []
        if c.improves is not None:
            role = {"corrected": "Corrected form", "sharper": "Sharper form"}.get(c.role, "Form")
            lines.append(f"{role} of {self.mention(s, c.improves, known)}:")
            lines.append(set_apart(f"{self.words(c.says.rstrip('.'))}."))
        else:
            lines.append(set_apart(self.words(sentence(c.says))))
        if c.printed_at:
            lines.append(f"({self.words(c.printed_at)}.)")
        if c.because:
            lines.append(set_apart(self.words(sentence(c.because))))
        return "\n".join([*lines, *self.assertion(c)])

    def mention(self, s: Statement, name: str, known: set[str]) -> str:
        """A reference to another claim, by number where it is typeset beside this one."""
        id = s.claim(name).id
        if name and name in known:
            return f"item~\\ref{{symdp:{label_latex(id)}}}"
        return f"\\texttt{{{text_latex(id)}}}"

    def assertion(self, c: Claim) -> list[str]:
        """What a claim asserts, as lines: where, and the formula."""
        words, formula = c.display(LINE, **self.style)
        if not formula:
            return []
        leading = set_apart(c.leading(self.words(words), **self.style))
        return [*filter(None, [leading]), displayed(formula),
                *self.at_numbers(_named(c))]


_INLINE = re.compile(r"\s*(?<!\\)\$((?:[^$\\]|\\.)+)\$([,.;:]?)\s*")


def set_apart(text: str) -> str:
    r"""The text with every formula on lines of its own that has a piece too long for a sentence.

    >>> print(set_apart(r"For $x>0$ and $\left(aaaa+bbbb+cccc+dddd+eeee\right) \le 1$, it holds."))
    For $x>0$ and
    \[
    \left(aaaa+bbbb+cccc+dddd+eeee\right) \le 1,
    \]
    it holds.
    """
    def put(found: re.Match[str]) -> str:
        tex, mark = found.groups()
        if widest_piece(tex) <= TOO_LONG or text.startswith("-", found.end(1) + 1):  # "-DP" belongs to its pair
            return found.group()
        return f"\n{displayed(break_lines(tex + mark, LINE))}\n"

    return _INLINE.sub(put, text).strip("\n")


def displayed(tex: str) -> str:
    """On lines of its own; what cannot be broken any further is set smaller, not into the margin."""
    shown = f"\\[\n{tex}\n\\]"
    widest = broken_width(tex)
    size = "footnotesize" if widest < 58 else "scriptsize" if widest < 64 else "tiny"
    return f"{{\\{size}\n{shown}}}" if widest > TOO_WIDE else shown
