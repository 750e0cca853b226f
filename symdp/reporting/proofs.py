r"""A proof as LaTeX: numbered claims, each with the move that settles it.

>>> from symdp.proving import check
>>> print(proof_latex(check("exp(x) >= 1 + x").proof))
\begin{proof}
\noindent\textbf{1.} $1+x \le e^{x}$ for $x\in\mathbb{R}$: the lemma exp-tangent.\par
\end{proof}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from symdp.proving.explanation import phrase
from symdp.proving.kernel import RULES, Goal, Proof, Step
from symdp.quantifiers import quantifier
from symdp.relation import Relation
from symdp.typesetting import Options, latex
from symdp.words import text_latex

MOST_LINES = 200


def proof_latex(proof: Proof, **style: Unpack[Options]) -> str:
    """The proof as a `proof` environment of amsthm."""
    lines = [r"\begin{proof}"]
    for number, goal, step in _numbered(proof.goal, proof.step):
        if len(lines) > MOST_LINES:
            lines.append(rf"\noindent And so on, {proof.boxes} leaves in all.\par")
            break
        claim = latex(Relation(goal.left, goal.op, goal.right), **style)  # type: ignore[arg-type]
        scope = f" for {quantifier(goal.domain, **style)}" if goal.domain.variables else ""
        lines.append(
            rf"\noindent\textbf{{{number}.}} ${claim}${scope}: {text_latex(phrase(step))}.\par"
        )
    lines.append(r"\end{proof}")
    return "\n".join(lines)


def _numbered(goal: Goal, step: Step, number: str = "1") -> Iterator[tuple[str, Goal, Step]]:
    yield number, goal, step
    premises = RULES[step.rule](goal, step.parameters)
    for i, (premise, below) in enumerate(zip(premises, step.premises, strict=True), start=1):
        yield from _numbered(premise, below, f"{number}.{i}")
