r"""The refuted claims of a source as LaTeX, ready for an author."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symdp.report.errata import Erratum
from symdp.report.paper.documents import Piece
from symdp.report.paper.latex import Manner
from symdp.sources import registry
from symdp.sources.statement import Statement
from symdp.typeset.prose import label_latex, pieces, sentence, words_latex


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
    """What does not hold as printed, and what holds instead, in the letters of a manner."""
    lines = [] if found else ["Nothing was refuted."]
    for e in found:
        statement = home(e.statement.id)
        claims = {c.id: c for c in statement.claims}
        author = (manner or Manner()).author(statement.source)
        lines.append(rf"\paragraph{{{author.words(e.claim.where)}}} \cite{{{label_latex(e.statement.cite)}}} "
                     rf"(\texttt{{{breakable(e.claim.id)}}}). {author.words(sentence(e.claim.says.tex))}")
        lines += author.assertion(claims[e.claim.id])
        lines.append(f"This does not hold: {breakable(e.says)}.")
        if (correction := e.correction) is not None:
            because = author.words(sentence(correction.because.tex)) if correction.because.tex else ""
            lines.append(f"Instead: {author.words(sentence(correction.says.tex))} {because}".rstrip())
            lines += author.assertion(claims[correction.id])
    titles = {e.statement.cite: e.statement.source_title for e in found}
    # Formulas in running text leave few places to break; wide spaces are better than a wide line.
    body = "\n".join([r"{\emergencystretch=7em", *lines, r"\par}", ""])
    return Piece(body, keys=tuple(titles), titles=titles)
