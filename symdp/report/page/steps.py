r"""A proof as a reader wants it: each goal with its formula set, where it holds only if that is new, and why.

>>> steps = proof_steps(["x <= exp(x) for x >= 0", "  because: the lemma exp-tangent"])
>>> steps[0].depth, steps[0].why
(0, Markup('the lemma exp-tangent'))

A proof that comes as the names of its rules alone is counted.

>>> rule_words(["cut", "  enclosure", "  enclosure"])
'3 steps of the kernel: enclosure (2), cut (1)'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from symdp.report.page.mathml import formula, prose
from symdp.typeset.line_breaks import SCREEN, break_lines
from symdp.typeset.prose import lettered
from symdp.typeset.written import expression_latex, relation_latex, scope_told

_BECAUSE = "because: "
_RULE = re.compile(r"\s*[a-z][a-z-]*")
#: Words before a formula in a reason.
_BEFORE = re.compile(r"(the (?:entry|fact|factor|cut) )(.*)")


@dataclass(frozen=True)
class ProofStep:
    depth: int
    goal: Markup
    #: where it holds, if that is not said already above
    where: Markup
    why: Markup


def proof_steps(lines: Sequence[str]) -> list[ProofStep]:
    """The goals of an explanation in their order; each with the reason that stands below it."""
    found: list[ProofStep] = []
    said: list[str] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith(_BECAUSE):
            continue
        goal, _, scope = text.partition(" for ")
        below = lines[number + 1].strip() if number + 1 < len(lines) else ""
        depth = (len(line) - len(line.lstrip())) // 2
        del said[depth:]
        new = scope if scope not in said else ""
        said += [scope] * (depth + 1 - len(said))
        found.append(ProofStep(depth, _goal(goal), prose(scope_told(new)) if new else Markup(""),
                               _reason(below.removeprefix(_BECAUSE)) if below.startswith(_BECAUSE) else Markup("")))
    return found


def is_rules(lines: Sequence[str]) -> bool:
    """Whether these are only names of rules."""
    return all(_RULE.fullmatch(line) for line in lines)


def rule_words(lines: Sequence[str]) -> str:
    counted = Counter(line.strip() for line in lines)
    return f"{len(lines)} steps of the kernel: " + ", ".join(f"{name} ({n})" for name, n in counted.most_common())


def _goal(text: str) -> Markup:
    tex = relation_latex(text)
    return formula(break_lines(tex, SCREEN)) if tex is not None else Markup("<code>{}</code>").format(text)


def _reason(text: str) -> Markup:
    """The words of a reason, with the formula at their end set."""
    found = _BEFORE.fullmatch(text)
    tex = found and (relation_latex(found[2]) or expression_latex(found[2]))
    if found is None or tex is None:
        return prose(lettered(text))
    return Markup("{}{}").format(found[1], formula(tex))
