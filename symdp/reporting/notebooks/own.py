r"""A notebook for claims of a user's own, from a file of problems.

>>> claim = own("tangent", "exp(x) >= 1+x")
>>> claim.id, claim.text()
('tangent', 'exp(x) >= x + 1')
>>> print(narrative_of("draft", [Problem("tangent", "exp(x) >= 1+x")]).splitlines()[0])
# draft
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from symdp.problems import Problem
from symdp.proving.settling import pose
from symdp.statement import Identity, Inequality


def own(
    name: str, claim: str, where: Iterable[str] = (), *, let: Iterable[str] = (),
    integer: Iterable[str] = (), says: str = "",
) -> Inequality | Identity:
    """A claim in text, as a claim that shows itself and that a ledger settles."""
    relation, domain = pose(claim, where, let=let, integer=integer)
    kind = Identity if relation.op == "==" else Inequality
    return kind(name, says or "a claim of one's own", relation, id=name, domain=domain)


def narrative_of(title: str, problems: Sequence[Problem]) -> str:
    """The narrative of the notebook; a malformed problem is a ValueError that names it."""
    parts = [f"""# {title}

Each claim of this draft, typeset, with what the prover makes of it. Change a claim and run its cell
again; add words wherever you like.

**Needs** only the package `symdp`. Run the cells from top to bottom.

<!-- setup -->

```python
from symdp.reporting.notebooks.own import own
```

## What becomes of the claims

<!-- verdicts -->
"""]
    for problem in problems:
        if problem.malformed:
            raise ValueError(f"{problem.name}: {problem.malformed}")
        try:
            own(problem.name, problem.claim, problem.where, let=problem.let, integer=problem.integer)
        except ValueError as reason:
            raise ValueError(f"{problem.name}: {reason}") from reason
        parts.append(f"### {_words(problem.name)}\n\n```python\n{_call(problem)}\n```\n")
    return "\n".join([*parts, "<!-- ledger -->\n"])


def _call(problem: Problem) -> str:
    lists = {"where": problem.where, "let": problem.let, "integer": problem.integer}
    options = "".join(f"    {key}={json.dumps(list(value), ensure_ascii=False)},\n"
                      for key, value in lists.items() if value)
    texts = ", ".join(json.dumps(t, ensure_ascii=False) for t in (problem.name, problem.claim))
    return f"ledger.settle(own(\n    {texts},\n{options}))"


def _words(name: str) -> str:
    """A name on one line, which starts no block of Markdown and ends none."""
    return " ".join(name.replace("`", "'").replace("<", "(").split())[:80]
