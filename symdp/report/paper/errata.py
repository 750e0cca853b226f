r"""The refuted claims of a source as LaTeX, ready for an author."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symdp.report.errata import Erratum
from symdp.report.failures import why_false
from symdp.report.paper.documents import Piece
from symdp.report.paper.latex import Manner, set_apart
from symdp.search.status import Status
from symdp.sources import registry
from symdp.sources.statement import Statement
from symdp.typeset.prose import label_latex, listed, pieces, sentence, words_latex


def breakable(text: str) -> str:
    r"""Words as LaTeX in which a long one, such as a formula in plain text, may be broken.

    >>> print(breakable("at kov/sec-7"), breakable("x" * 20 + "/y"))
    at kov/sec-7 xxxxxxxxxxxxxxxxxxxx/\allowbreak y
    """
    def broken(word: str) -> str:
        return re.sub(r"([*/),=+-])(?=\S)", r"\1\\allowbreak ", word) if len(word) > 18 else word

    return "".join(f"${piece}$" if math else "".join(
        broken(words_latex(part)) for part in re.split(r"(\s+)", piece)) for piece, math in pieces(text))


def errata_piece(found: Sequence[Erratum], manner: Manner | None = None, *,
                 home: Callable[[str], Statement] = registry.statement) -> Piece:
    """What does not hold as printed, and what holds instead, in the letters of a manner: a letter to each author."""
    lines = [] if found else ["Nothing was refuted."]
    sources = {e.statement.cite: e.statement.source_title for e in found}
    for cite, title in sources.items():
        mine = [e for e in found if e.statement.cite == cite]
        lines += [rf"\section*{{Errata: {words_latex(title)}}}",
                  rf"\noindent {_introduction(mine)} Places are numbered as in \cite{{{label_latex(cite)}}}.\par"]
        for number, e in enumerate(mine, 1):
            lines += _item(number, e, home(e.statement.id), manner or Manner())
    # Formulas in running text leave few places to break; wide spaces are better than a wide line.
    body = "\n".join([r"{\emergencystretch=7em", *lines, r"\par}", ""])
    return Piece(body, keys=tuple(sources), titles=sources)


def _introduction(found: Sequence[Erratum]) -> str:
    refuted = sum(e.record.status is Status.REFUTED for e in found)
    parts = [f"{refuted} refuted at a point, or along a path, that can be checked by hand"] if refuted else []
    parts += [f"{len(found) - refuted} argued against, by a construction or in words"] if refuted < len(found) else []
    what = "statement does" if len(found) == 1 else "statements do"
    return f"{len(found)} {what} not hold as printed: {listed(parts)}. Below each stands what holds instead."


def _item(number: int, e: Erratum, statement: Statement, manner: Manner) -> list[str]:
    claims = {c.id: c for c in statement.claims}
    author = manner.author(statement.source)
    lines = [rf"\paragraph{{{number}. {author.words(e.claim.where)}.}}",
             rf"\emph{{Printed:}} {author.words(sentence(e.claim.says.tex))}", *author.assertion(claims[e.claim.id]),
             set_apart(rf"\emph{{This does not hold:}} {breakable(why_false(e.record.data))}.")]
    if e.slip.provenance == "extraction":
        lines.append("The text may have lost this on its way from the page; the likely original follows.")
    if e.slip.meant:
        lines.append(rf"\emph{{As meant it holds:}} {breakable(e.slip.meant)}.")
    if (correction := e.correction) is None:
        return [*lines, "No correction is known.", _id(e)]
    because = author.words(sentence(correction.because.tex)) if correction.because.tex else ""
    lines.append(rf"\par\noindent\emph{{Instead:}} {author.words(sentence(correction.says.tex))} {because}".rstrip())
    return [*lines, *author.assertion(claims[correction.id]), _id(e)]


def _id(e: Erratum) -> str:
    """By which `symdp show` knows it."""
    return rf"{{\small[\texttt{{{breakable(e.claim.id)}}}]}}"
