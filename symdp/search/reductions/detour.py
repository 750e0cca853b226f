r"""A goal that follows from others: what is left to show, and the kernel's steps around it. Not trusted.

An idea proposes; :mod:`symdp.search.prove` settles what is left, and the kernel verifies the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sympy

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ZERO, Term, fresh, replace_part, subterms, variable
from symdp.kernel.values.conditions import shown
from symdp.kernel.values.enclosure import bound_of
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import is_plain
from symdp.search.reasons import Reason


@dataclass(frozen=True)
class Detour:
    """What is left to show, how the goal follows from it, and what was done, in words."""

    premises: tuple[Goal, ...]
    finish: Callable[[Sequence[Step]], Step]
    words: Reason
    #: what is left is what was asked, in another form or chosen by samples: it is worth most of the time
    sure: bool = False

    def then(self, further: Detour) -> Detour:
        """Another detour for the last of what is left."""
        *before, _ = self.premises
        return Detour((*before, *further.premises), lambda steps: self.finish(
            [*steps[:len(before)], further.finish(steps[len(before):])]), self.words + further.words, self.sure)


class Descent:
    """Steps one below the other, each of which leaves one goal that carries the difficulty.

    >>> from symdp.kernel.goals import REAL, Relation
    >>> from symdp.kernel.terms import number
    >>> x, zero = variable("x"), number(0)
    >>> chain = Descent(Goal((("x", REAL),), (), Relation(zero, "<=", x ** number(2) + x ** number(2))))
    >>> chain.rewrite(zero, number(2) * x ** number(2))
    >>> print(chain.goal.claim, "by", chain.around(Step("enclosure")).rule)
    0 <= 2*x^2 by rewrite
    """

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self._layers: list[Callable[[Step], Step]] = []

    def around(self, step: Step) -> Step:
        """The step for the first goal, from one for the goal at hand."""
        for layer in reversed(self._layers):
            step = layer(step)
        return step

    def reduced(self, words: Reason, sure: bool = False) -> Detour:
        return Detour((self.goal,), lambda steps: self.around(steps[0]), words, sure)

    def _down(self, rule: str, parameters: dict[str, object], before: Sequence[Step] = ()) -> None:
        """The rule with steps for all that it leaves open but the last."""
        *_, self.goal = RULES[rule](self.goal, parameters)
        self._layers.append(lambda step: Step(rule, parameters, (*before, step)))

    def rewrite(self, left: Term, right: Term, positive: Sequence[Term] = ()) -> None:
        self._down("rewrite", {"left": left, "right": right, **({"positive": list(positive)} if positive else {})})

    def know(self, fact: Formula, shown: Step) -> None:
        """A fact, and a step for it."""
        if fact not in self.goal.hypotheses:
            self._down("cut", {"fact": fact}, (shown,))

    def put(self, part: Term, by: Term, equal: Step) -> None:
        """Equals for equals, wherever the part stands in the claim."""
        hole = fresh("hole", self.goal.taken)
        form = self.goal.claim.map(lambda t: replace_part(t, part, variable(hole)))
        self.put_in(form, hole, part, by, equal)

    def put_in(self, form: Formula, hole: str, part: Term, by: Term, equal: Step) -> None:
        """Equals for equals, at the places where the form has a hole."""
        self._down("replace", {"name": hole, "form": form, "part": part, "by": by}, (equal,))

    def lemma(self, name: str, at: dict[str, Term], needed: Sequence[Step] = ()) -> None:
        self._down("lemma", {"name": name, "at": at}, needed)

    def generalise(self, parts: Sequence[tuple[Term, str]]) -> None:
        self._down("generalise", {"parts": [[t, n] for t, n in parts]})

    def change(self, name: str, new: str, forward: Term, inverse: Term, where: Sequence[Formula],
               shown: Sequence[Step], positive: Sequence[Term] = ()) -> None:
        """A variable as a function of a new one; what is known of that, and steps for it."""
        self._down("change", {"variable": name, "new": new, "forward": forward, "inverse": inverse,
                              "where": list(where), "shown": list(shown), "positive": list(positive)})

    def weaken(self, hypotheses: Sequence[Formula]) -> None:
        """With these hypotheses alone, and with the variables that are left in them and in the claim."""
        left = set(self.goal.claim.variables).union(*(h.variables for h in hypotheses))
        names = [n for n in self.goal.variables if n in left]
        self._down("weaken", {"hypotheses": list(hypotheses), "variables": names})


def without_what_follows(chain: Descent) -> None:
    """Without the hypotheses that seem to follow from the others, so that a variable is free of them."""
    kept = list(chain.goal.hypotheses)
    for h in sorted(kept, key=lambda h: -len(h.variables)):
        rest = [k for k in kept if k is not h]
        if h.variables and isinstance(h, Relation) and is_plain(h) and bound_of(h) is None:
            # Factors show it, or the sum as it was written: p + (1 - p)*t has no factors.
            gap = Relation(ZERO, h.normal.op, term_of(sympy.factor(expr_of(h.normal.gap))))
            if h.op != "==" and any(shown(g, chain.goal.under(tuple(rest))) for g in (gap, h)):
                kept = rest
    if len(kept) < len(chain.goal.hypotheses):
        chain.weaken(kept)


def parts_of(goal: Goal, heads: frozenset[str]) -> list[Term]:
    """The parts of the claim that are such functions of variables, each once."""
    found = (t for side in goal.claim.terms() for t in subterms(side))
    return list(dict.fromkeys(t for t in found if t.head in heads and t.variables and not t.loose))


Idea = Callable[[Goal], Iterator[Detour]]
