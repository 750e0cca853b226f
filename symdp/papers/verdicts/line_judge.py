"""The judge of derivations, as papers need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Expr

from symdp.arguments.derivations.judge import Judge
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import CheckedLine
from symdp.sources.derivations.lines import Start
from symdp.sources.derivations.scope import Scope


@dataclass
class PaperJudge(Judge):
    """The judge of derivations, without what a derivation shows besides its verdicts."""

    def appraised(self, checked: CheckedLine) -> CheckedLine:
        return checked


def first_line(scope: Scope, budget: float, left: Expr, needs: Sequence[Expr], number: int = 0) -> PaperJudge:
    """A judge who has seen the left side of a relation."""
    judge = PaperJudge(Reducer(budget), scope)
    judge.number = str(number)
    judge.start(Start(left, needs=tuple(needs)))
    return judge
