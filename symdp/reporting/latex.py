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
The third entry of Theorem 3.4 replaces exp(eps) - 1 by tanh(eps/2).
For $\epsilon>0$,
\[
2\tanh(\epsilon/2) \le e^{\epsilon}-1
\]
See also \cite{dwork2010boosting}.
\end{theorem}
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import cast

from sympy import Expr, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.notation import aliases
from symdp.registry import UnknownId, claim, statement, statements
from symdp.reporting.references import entries
from symdp.statement import Asymptotic, Claim, Guarantee, Place, Statement, domain_over
from symdp.typesetting import Epsilon, Log, Options, Style, latex, symbol_latex

#: About how many signs fit on a line of an article in 11 points, inside a list.
LINE = 46


def render(
    ids: Iterable[str], *, document: bool = False, log: str = "log", epsilon: str = "varepsilon"
) -> str:
    """The LaTeX of statements, single claims or whole sources, in the order given.

    >>> print(render(["kov/thm-3.1"]).splitlines()[1])
    \\begin{theorem}[{Basic composition \\cite[Theorem 3.1]{kairouz2013composition}}]
    """
    author = Author.with_style(log, epsilon)
    chosen = _chosen(ids)
    body = "\n".join(author.environment(s, claims) for s, claims in chosen)
    kinds = dict.fromkeys(environment_of(s.place) for s, _ in chosen)
    if not document:
        return f"% Needs amsmath, amsthm and amssymb, and {_newtheorems(kinds, ' ')}.\n{body}"
    keys = dict.fromkeys(key for s, _ in chosen for key in (s.source.cite, *s.cites))
    titles = {s.source.cite: s.source.title for s, _ in chosen}
    parts = [_PREAMBLE, f"{_newtheorems(kinds)}\n", "\\begin{document}\n", body]
    return "\n".join([*parts, bibliography(keys, titles), "\\end{document}\n"])


Chosen = tuple[Statement, tuple[Claim, ...] | None]


def _chosen(ids: Iterable[str]) -> list[Chosen]:
    """What to typeset; claims are None for a whole statement, and nothing comes twice."""
    ids = tuple(dict.fromkeys(ids))
    named = {id: [s for s in statements() if id == s.source.key] or [statement(id)] for id in ids}
    # A claim that is named beside its whole statement would only repeat it, label and all.
    whole = {s.id for id, of_id in named.items() for s in of_id if id in (s.id, s.source.key)}
    found: dict[str, Chosen] = {}
    for id, of_id in named.items():
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

    >>> from symdp.statement import Source
    >>> book = Source("book", "A book", "nobody2026book")
    >>> environment_of(book.lemma("1")), environment_of(book.section("2"))
    ('lemma', 'statement')
    """
    return _KINDS.get(place.slug.split("-")[0], "statement")


def _newtheorems(kinds: Iterable[str], between: str = "\n") -> str:
    """One counter for all, so that numbers in a short document run on."""
    first, *others = kinds
    return between.join([f"\\newtheorem{{{first}}}{{{first.capitalize()}}}",
                         *(f"\\newtheorem{{{o}}}[{first}]{{{o.capitalize()}}}" for o in others)])


_PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage{amsmath,amsthm,amssymb}
\theoremstyle{definition}
\emergencystretch=1em"""


# --- words ----------------------------------------------------------------------------------------

_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{sign: f"\\{sign}" for sign in "&%$#_{}"}}
_SIGNS = {"≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "≈": r"$\approx$", "∞": r"$\infty$",
          "→": r"$\to$", "∈": r"$\in$", "×": r"$\times$", "·": r"$\cdot$", "−": "$-$",
          "√": r"$\surd$", "±": r"$\pm$", "′": "$'$", "…": r"\dots{}", "\u00a0": "~",
          # in the default font encoding these three print as other signs
          "<": "$<$", ">": "$>$", "|": "$|$"}


def text_latex(text: str, math: Callable[[str], str] = lambda tex: tex) -> str:
    r"""Plain words as LaTeX: special signs escaped, what stands between dollar signs kept as math.

    >>> print(text_latex(r"50% of $e^\varepsilon$ & a_b, for ε ≤ 1"))
    50\% of $e^\varepsilon$ \& a\_b, for $\varepsilon$ $\le$ 1
    >>> print(text_latex("costs $5"))
    costs \$5
    """
    pieces = re.split(r"(?<!\\)\$", text)
    if len(pieces) % 2 == 0:  # a lone dollar sign is money, not math
        return "".join(map(_sign_latex, text))
    return "".join(f"${math(piece)}$" if i % 2 else "".join(map(_sign_latex, piece))
                   for i, piece in enumerate(pieces))


def _sign_latex(sign: str) -> str:
    if sign in _SPECIAL or sign in _SIGNS:
        return _SPECIAL.get(sign) or _SIGNS[sign]
    if sign in aliases:
        return f"${symbol_latex(aliases[sign])}$"
    # pdflatex stops at letters beyond Latin; a visible code is better than no document.
    known = ord(sign) < 128 or unicodedata.name(sign, "").startswith("LATIN") or sign in "–—‘’“”"
    return sign if known else f"\\texttt{{U+{ord(sign):04X}}}"


def _sentence(text: str) -> str:
    """Begins with a capital, unless with a formula, and ends with a full stop."""
    text = text.strip()
    if re.match(r"[a-z]+[ ,]", text):
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")


# --- formulas -------------------------------------------------------------------------------------


_TOKEN = re.compile(
    r"\\(?:left|right)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|.)"  # a delimiter is one token
    r"|\\(?:begin|end)\{\w+\*?\}|\\[A-Za-z]+|\\.|.",
    re.DOTALL,
)
_OPENS = re.compile(r"\\left(?![A-Za-z])|\\begin|\\\{$|[({\[]$|\\l(?:floor|ceil)$")
_CLOSES = re.compile(r"\\right(?![A-Za-z])|\\end|\\\}$|[)}\]]$|\\r(?:floor|ceil)$")
_RELATIONS = {r"\le", r"\ge", r"\ne", r"\sim", "<", ">", "="}


def _tokens(tex: str) -> list[tuple[str, int]]:
    """The tokens with the depth of brackets at which each stands."""
    depth, found = 0, []
    for token in _TOKEN.findall(tex):
        depth -= bool(_CLOSES.match(token))
        found.append((token, depth))
        depth += bool(_OPENS.match(token))
    return found


def _cut(tex: str, before: Callable[[str, str], bool]) -> list[str]:
    """Pieces of a formula, cut at the outermost level before the tokens that are asked for."""
    pieces, last = [""], ""
    for token, depth in _tokens(tex):
        if depth == 0 and before(token, last):
            pieces.append("")
        pieces[-1] += token
        last = last if token.isspace() else token
    return [piece.strip() for piece in pieces if piece.strip()]


def _starts_term(token: str, last: str) -> bool:
    return token in "+-" and last not in ("", *_RELATIONS) and last not in ("^", "_", r"\cdot")


def width(tex: str) -> int:
    r"""About how many signs wide a formula is; of a fraction the wider side counts.

    >>> width(r"\frac{e^{x}-1}{e^{x}+1}"), width(r"k\varepsilon \le 1")
    (5, 5)
    """
    total, i, tokens = 0, 0, [t for t, _ in _tokens(tex) if not t.isspace()]
    while i < len(tokens):
        token = tokens[i]
        i += 1
        if token == r"\frac":
            sides = []
            for _ in range(2):
                i, inside = _group(tokens, i)
                sides.append(width(inside))
            total += max(sides)
        elif token in (r"\text", r"\mathrm"):
            i, inside = _group(tokens, i)
            total += len(inside)
        elif token in _RELATIONS or (token in "+-"):
            total += 2  # with the air around it
        elif token in _COMMANDS:
            total += len(token) - 1
        elif token not in _INVISIBLE:
            total += 1
    return total - _small(tex)


_COMMANDS = {r"\log", r"\ln", r"\exp", r"\min", r"\max", r"\tanh", r"\sinh", r"\cosh"}
_INVISIBLE = {"{", "}", "^", "_", "&", r"\,", r"\;", r"\ ", r"\tilde", r"\hat", r"\bar"}


def _small(tex: str) -> int:
    """Exponents and indices are set in smaller type."""
    scripts = re.findall(r"[\^_]\{([^{}]*)\}", tex)
    return sum(len(re.sub(r"\\[A-Za-z]+", "x", script)) // 2 for script in scripts)


def _group(tokens: Sequence[str], i: int) -> tuple[int, str]:
    """The index after the braced group that starts at i, and its inside."""
    depth, start = 0, i
    while i < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[i], 0)
        i += 1
        if depth == 0:
            break
    return i, " ".join(tokens[start + 1:i - 1]) if i - start > 1 else tokens[start]


def break_lines(tex: str, room: int = LINE) -> str:
    r"""The formula over several lines where it is too wide for one.

    A relation is broken before its sign, a minimum has one entry on each line, a sum is broken
    before a plus or a minus.

    >>> print(break_lines("a+b \\le c+d"))
    a+b \le c+d
    >>> print(break_lines(r"\min\{aaaa, bbbb\} \le cccc+dddd", room=8))
    \begin{aligned}
    &\min\left\{\begin{aligned}
    &aaaa,\\
    &bbbb
    \end{aligned}\right\}\\
    &\quad {}\le \begin{aligned}[t]
    &cccc\\
    &\quad {}+dddd
    \end{aligned}
    \end{aligned}
    """
    if width(tex) <= room:
        return tex
    sides = _cut(tex, lambda token, last: token in _RELATIONS)
    if len(sides) > 1:
        first, *others = [_break_side(side, room) for side in sides]
        return _aligned([first, *(f"\\quad {{}}{other}" for other in others)])
    return _break_sum(tex, room)


def _break_side(side: str, room: int) -> str:
    sign = next((r for r in _RELATIONS if side.startswith(r)), "")
    rest = side[len(sign):].strip()
    broken = _break_sum(rest, room - 3)
    if sign and broken.startswith(r"\begin{aligned}"):
        broken = broken.replace(r"\begin{aligned}", r"\begin{aligned}[t]", 1)
    return f"{sign} {broken}".strip()


def _break_sum(tex: str, room: int) -> str:
    if width(tex) <= room:
        return tex
    extremum = re.fullmatch(r"\\(min|max)\s*(?:\\left)?\\\{(.*?)(?:\\right)?\\\}", tex, re.DOTALL)
    if extremum and len(_cut(tex, lambda token, last: last in (r"\}", r"\right\}"))) == 1:
        return _break_extremum(extremum.group(1), extremum.group(2), room)
    lines: list[str] = []
    for term in _cut(tex, _starts_term):
        if lines and width(lines[-1] + term) <= room:
            lines[-1] += term
        else:
            lines.append(term)
    if len(lines) == 1:
        return tex
    return _aligned([lines[0], *(f"\\quad {{}}{line}" for line in lines[1:])])


def _break_extremum(name: str, inside: str, room: int) -> str:
    entries = [e.removeprefix(",").removeprefix(r"\;").strip()
               for e in _cut(inside, lambda token, last: token == ",")]
    lines = [_break_sum(e, room - 6) for e in entries]
    return f"\\{name}\\left\\{{{_aligned([*(f'{e},' for e in lines[:-1]), lines[-1]])}\\right\\}}"


def _aligned(lines: Sequence[str]) -> str:
    body = "\\\\\n".join(f"&{line}" for line in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def domain_latex(
    domain: Domain, order: Iterable[Symbol] = (), *, log: str = "log", epsilon: str = "varepsilon"
) -> list[str]:
    r"""A domain as formulas, one for each variable and each condition, without dollar signs.

    >>> from symdp.parsing import parse_conditions
    >>> where = parse_conditions("0 < eps <= 0.9") + parse_conditions("k >= 1")
    >>> print(*domain_latex(Domain.of(where, integers=["k"])))
    0<\varepsilon\le\frac{9}{10} k\in\mathbb{N},\ k\ge 1
    >>> print(*domain_latex(Domain.of(parse_conditions("x > y"))))
    x\in\mathbb{R} y\in\mathbb{R} x > y
    """
    options = _options(log, epsilon)
    first = [v for v in order if v in domain.intervals]
    variables = [*first, *(v for v in domain.variables if v not in first)]
    parts = [_where(v, domain.intervals[v], v in domain.integers, options) for v in variables]
    return [*parts, *(latex(c, **options) for c in domain.conditions)]


def _where(v: Symbol, i: Interval, integer: bool, options: Options) -> str:
    name = latex(v, **options)
    if i.lower == i.upper:
        return f"{name}={latex(i.lower, **options)}"
    bounds = _bounds(name, i, options)
    if not integer:
        return bounds or f"{name}\\in\\mathbb{{R}}"
    natural = i.lower != -oo and i.lower >= 0
    return ",\\ ".join(filter(None, [f"{name}\\in\\mathbb{{{'N' if natural else 'Z'}}}", bounds]))


def _bounds(name: str, i: Interval, options: Options) -> str:
    def end(value: Expr) -> str:
        return latex(value, **options)

    def joined(left: str, sign: str, right: str) -> str:
        # A command needs no space before another command, but one before a letter or digit.
        return f"{left}{sign}{right if right.startswith(chr(92)) or sign in '<>' else ' ' + right}"

    below, above = "<" if i.upper_open else r"\le", ">" if i.lower_open else r"\ge"
    if i.lower == -oo:
        return "" if i.upper == oo else joined(name, below, end(i.upper))
    if i.upper == oo:
        return joined(name, above, end(i.lower))
    return joined(joined(end(i.lower), "<" if i.lower_open else r"\le", name), below, end(i.upper))


def _options(log: str, epsilon: str) -> Options:
    Style(log=cast(Log, log), epsilon=cast(Epsilon, epsilon))  # refuses what is not a choice
    return {"log": cast(Log, log), "epsilon": cast(Epsilon, epsilon)}


# --- environments ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Author:
    """Writes environments in one style."""

    log: str
    epsilon: str

    @classmethod
    def with_style(cls, log: str, epsilon: str) -> Author:
        _options(log, epsilon)
        return cls(log, epsilon)

    @property
    def style(self) -> dict[str, str]:
        return {"log": self.log, "epsilon": self.epsilon}

    def environment(self, s: Statement, only: tuple[Claim, ...] | None) -> str:
        """A whole statement, or only some of its claims."""
        kind = environment_of(s.place)
        label = s.id if only is None else only[0].id
        note = f"{self.words(s.title)} \\cite[{self.words(s.place.label)}]{{{s.source.cite}}}"
        parts = [f"\\begin{{{kind}}}[{{{note}}}]\n\\label{{symdp:{label}}}"]
        if s.hypotheses:
            parts.append(self.words(s.hypotheses))
        if only is None:
            parts.extend(self.formulas(s))
        parts.extend(self.claims(s, s.claims if only is None else only))
        if s.cites:
            parts.append(f"See also \\cite{{{','.join(s.cites)}}}.")
        return "\n".join([*parts, f"\\end{{{kind}}}\n"])

    def words(self, text: str) -> str:
        return text_latex(text, self.restyled)

    def restyled(self, math: str) -> str:
        """Math that came as LaTeX, with the letters of this style."""
        math = re.sub(r"\\(?:var)?epsilon(?![A-Za-z])", rf"\\{self.epsilon}", math)
        return re.sub(r"\\(?:log|ln)(?![A-Za-z])", rf"\\{self.log}", math)

    def formulas(self, s: Statement) -> list[str]:
        if not s.formulas:
            return []
        symbols = frozenset().union(*(e.free_symbols for e in s.formulas.values()))
        spaces = {v: space for v, space in s.variables.items() if v in symbols}
        parts = [f"\nIts formulas, for {self.where(domain_over(spaces), s)}:"] if spaces else []
        for name, expr in s.formulas.items():
            parts += [f"\n\\noindent {self.words(name)}:", _display(self.formula(expr))]
        return parts

    def formula(self, expr: Expr) -> str:
        return latex(expr, **_options(self.log, self.epsilon))

    def where(self, domain: Domain, s: Statement) -> str:
        """The domain in a sentence: separate formulas, between which a line may end."""
        parts = [f"${part}$" for part in domain_latex(domain, s.variables, **self.style)]
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

    def claims(self, s: Statement, claims: Sequence[Claim]) -> list[str]:
        known = {c.name for c in claims}
        if len(claims) < 2:
            return [f"\n{self.claim(s, c, known)}" for c in claims]
        # The claim without a name has the id of its statement, which is labelled already.
        labels = [f"\\label{{symdp:{c.id}}}" if c.name else "" for c in claims]
        items = [f"\\item{label}\n{self.claim(s, c, known)}"
                 for label, c in zip(labels, claims, strict=True)]
        return ["\nIt is claimed that:", "\\begin{enumerate}", *items, "\\end{enumerate}"]

    def claim(self, s: Statement, c: Claim, known: set[str]) -> str:
        lines = []
        if c.improves is not None:
            role = {"corrected": "Corrected form", "sharper": "Sharper form"}.get(c.role, "Form")
            lines.append(f"{role} of {self.mention(s, c.improves, known)}:")
            lines.append(f"{self.words(c.says.rstrip('.'))}.")
        else:
            lines.append(self.words(_sentence(c.says)))
        if c.printed_at:
            lines.append(f"({self.words(c.printed_at)}.)")
        if c.because:
            lines.append(self.words(_sentence(c.because)))
        return "\n".join([*lines, *self.assertion(c, s)])

    def mention(self, s: Statement, name: str, known: set[str]) -> str:
        """A reference to another claim, by number where it is typeset beside this one."""
        id = s.claim(name).id
        if name and name in known:
            return f"item~\\ref{{symdp:{id}}}"
        return f"\\texttt{{{text_latex(id)}}}"

    @singledispatchmethod
    def assertion(self, c: Claim, s: Statement) -> list[str]:
        """What a claim asserts, as lines: where, and the formula."""
        formula = c.formula(**self.style)
        if not formula:
            return []
        return [*self.leading(c, s), _display(break_lines(formula))]

    def leading(self, c: Claim, s: Statement) -> list[str]:
        return [f"For {self.where(c.domain, s)},"] if c.domain.intervals else []

    @assertion.register
    def _(self, c: Guarantee, s: Statement) -> list[str]:
        # In one line, the two pairs of a guarantee would be too wide for a page.
        each = ",".join(map(self.formula, c.each))
        epsilon = self.restyled(r"\varepsilon")
        total = [rf"{epsilon}_{{\mathrm{{total}}}}", r"\delta_{\mathrm{total}}"]
        values = [break_lines(self.formula(e), LINE - 8) for e in (c.epsilon, c.delta)]
        rows = [f"{name} &= {value}" for name, value in zip(total, values, strict=True)]
        body = ",\\\\\n".join(rows)
        return [
            *self.leading(c, s),
            f"the ${self.formula(c.fold)}$-fold composition of $({each})$-DP mechanisms is "
            f"$({','.join(total)})$-DP with",
            f"\\begin{{align*}}\n{body}\n\\end{{align*}}",
        ]

    @assertion.register
    def _(self, c: Asymptotic, s: Statement) -> list[str]:
        regime = [f"in the regime {self.words(c.regime)},"] if c.regime else []
        return [*self.leading(c, s), *regime, _display(break_lines(c.formula(**self.style)))]


def _display(tex: str) -> str:
    return f"\\[\n{break_lines(tex) if 'begin{aligned}' not in tex else tex}\n\\]"


# --- references -----------------------------------------------------------------------------------


def bibliography(keys: Iterable[str], titles: Mapping[str, str]) -> str:
    r"""A list of references that compiles without BibTeX; ``titles`` serve keys it does not know.

    >>> print(bibliography(["dwork2010boosting"], {}))
    \begin{thebibliography}{9}
    \bibitem{dwork2010boosting}
    Cynthia Dwork, Guy N. Rothblum and Salil Vadhan.
    Boosting and Differential Privacy.
    Foundations of Computer Science (FOCS), pages 51--60, 2010.
    \end{thebibliography}
    """
    keys = tuple(keys)
    items = "\n".join(f"\\bibitem{{{key}}}\n{_bibitem(key, titles.get(key, key))}" for key in keys)
    widest = "9" * len(str(len(keys)))
    return f"\\begin{{thebibliography}}{{{widest}}}\n{items}\n\\end{{thebibliography}}"


def _bibitem(key: str, title: str) -> str:
    if key not in entries():
        return f"{text_latex(title)}."
    found = dict(re.findall(r"(\w+)\s*=\s*\{(.*)\}", entries()[key]))
    names = [" ".join(reversed(name.split(", "))) for name in found["author"].split(" and ")]
    authors = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    where = [found.get(field, "") for field in ("journal", "booktitle", "publisher")]
    pages = f"pages {found['pages']}" if "pages" in found else ""
    rest = ", ".join(filter(None, [*where, pages, found["year"]]))
    return f"{authors}.\n{found['title']}.\n{rest}."
