r"""How claims were settled, as LaTeX: proofs with numbered goals, derivations as align, witnesses.

>>> from symdp.search.prove import check
>>> print(proof_latex(check("exp(x) >= 1 + x").proof))
\begin{proof}
\noindent\textbf{1.} $1+x \le e^{x}$ for $x\in\mathbb{R}$: the lemma exp-tangent.\par
\end{proof}
>>> piece = settled_piece("an-id", check("exp(x) <= 1 + x"))
>>> print(piece.body)
\paragraph{\texttt{an-id}: refuted.}
It fails at $x = 1$ by $0.718282$: the left side is $2.71828$, the right side $2$.
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from symdp.formulas.relation import Relation
from symdp.report.paper.documents import Piece
from symdp.report.paper.latex import displayed
from symdp.search.explanation import phrase
from symdp.search.verdict import Evidence, Verdict
from symdp.search.view.goals import RULES, Counterexample, Move, Sketch, Target
from symdp.typeset.line_breaks import LINE, break_lines, width
from symdp.typeset.prose import quantifier, sentence, text_latex
from symdp.typeset.typesetting import StyleOptions, latex

MOST_LINES = 200


def settled_piece(id: str, verdict: Verdict, **style: Unpack[StyleOptions]) -> Piece:
    """The verdict on a claim and what it rests on."""
    head = rf"\paragraph{{\texttt{{{text_latex(id)}}}: {verdict.status.value}.}}"
    rest = verdict.trust if verdict.proof is not None or verdict.words else None
    trust = f"{text_latex(sentence(str(rest)))}\n" if rest else ""
    return Piece("\n".join([head, *_grounds(verdict, style), trust]))


def _grounds(verdict: Verdict, style: StyleOptions) -> Iterator[str]:
    proof, witness = verdict.proof, verdict.witness
    if isinstance(proof, Sketch):
        yield proof_latex(proof, **style)
    elif isinstance(proof, Evidence):
        lines = proof.explanation()[:MOST_LINES] or [verdict.method]
        yield "\\\\\n".join(text_latex(line.strip()) for line in lines)
    elif isinstance(witness, Counterexample):
        yield text_latex(sentence(verdict.reason()))
    else:
        yield text_latex(sentence(verdict.method or "nothing more is known"))


def proof_latex(proof: Sketch, **style: Unpack[StyleOptions]) -> str:
    """The proof as a `proof` environment of amsthm; a goal that is wide stands on lines of its own."""
    lines = [r"\begin{proof}"]
    for number, goal, step in _numbered(proof.goal, proof.step):
        if len(lines) > MOST_LINES:
            lines.append(rf"\noindent And so on, {proof.boxes} leaves in all.\par")
            break
        claim = latex(Relation(goal.left, goal.op, goal.right), **style)  # type: ignore[arg-type]
        scope = f" for {quantifier(goal.domain, **style)}" if goal.domain.variables else ""
        why = f"{text_latex(phrase(step))}.\\par"
        if width(claim) <= LINE // 2:
            lines.append(rf"\noindent\textbf{{{number}.}} ${claim}${scope}: {why}")
        else:
            shown = displayed(break_lines(claim, LINE))
            where = f"{scope.strip()}: " if scope else ""
            lines.append(f"\\noindent\\textbf{{{number}.}}\n{shown}\n\\noindent {where}{why}")
    lines.append(r"\end{proof}")
    return "\n".join(lines)


def _numbered(goal: Target, step: Move, number: str = "1") -> Iterator[tuple[str, Target, Move]]:
    yield number, goal, step
    premises = RULES[step.rule](goal, step.parameters)
    for i, (premise, below) in enumerate(zip(premises, step.premises, strict=True), start=1):
        yield from _numbered(premise, below, f"{number}.{i}")
