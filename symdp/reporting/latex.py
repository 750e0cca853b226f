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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from symdp.layout import LINE, break_lines, width
from symdp.quantifiers import quantifier
from symdp.registry import UnknownId, claim, statement, statements
from symdp.reporting.references import fields
from symdp.statement import Claim, Place, Statement, domain_over
from symdp.typesetting import Epsilon, Log, Options, Style, latex
from symdp.words import listed, sentence, text_latex

#: Signs in a line beyond which a display would leave the page.
TOO_WIDE = 52


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


# --- environments ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Author:
    """Writes environments in one style."""

    log: Log
    epsilon: Epsilon

    @classmethod
    def with_style(cls, log: str, epsilon: str) -> Author:
        Style(log=cast(Log, log), epsilon=cast(Epsilon, epsilon))  # refuses what is not a choice
        return cls(cast(Log, log), cast(Epsilon, epsilon))

    @property
    def style(self) -> Options:
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
        lives = quantifier(domain_over(spaces), s.variables, **self.style)
        parts = [f"\nIts formulas, for {lives}:"] if lives else []
        for name, expr in s.formulas.items():
            formula = break_lines(latex(expr, **self.style), LINE)
            parts += [f"\n\\noindent {self.words(name)}:", _display(formula)]
        return parts

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
            lines.append(self.words(sentence(c.says)))
        if c.printed_at:
            lines.append(f"({self.words(c.printed_at)}.)")
        if c.because:
            lines.append(self.words(sentence(c.because)))
        return "\n".join([*lines, *self.assertion(c)])

    def mention(self, s: Statement, name: str, known: set[str]) -> str:
        """A reference to another claim, by number where it is typeset beside this one."""
        id = s.claim(name).id
        if name and name in known:
            return f"item~\\ref{{symdp:{id}}}"
        return f"\\texttt{{{text_latex(id)}}}"

    def assertion(self, c: Claim) -> list[str]:
        """What a claim asserts, as lines: where, and the formula."""
        words, formula = c.display(LINE, **self.style)
        if not formula:
            return []
        return [*filter(None, [c.leading(self.words(words), **self.style)]), _display(formula)]


def _display(tex: str) -> str:
    shown = f"\\[\n{tex}\n\\]"
    widest = max(width(line) for line in tex.splitlines() if "begin{" not in line or "&" in line)
    # What cannot be broken any further is set smaller, rather than into the margin.
    size = "footnotesize" if widest < 62 else "scriptsize" if widest < 70 else "tiny"
    return f"{{\\{size}\n{shown}}}" if widest > TOO_WIDE else shown


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
    found = fields(key)
    if not found:
        return f"{text_latex(title)}."
    names = [" ".join(reversed(name.split(", "))) for name in found["author"].split(" and ")]
    where = [found.get(field, "") for field in ("journal", "booktitle", "publisher")]
    pages = f"pages {found['pages']}" if "pages" in found else ""
    rest = ", ".join(filter(None, [*where, pages, found["year"]]))
    return f"{listed(names)}.\n{found['title']}.\n{rest}."
