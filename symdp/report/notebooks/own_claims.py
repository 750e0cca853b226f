r"""A notebook for claims of a user's own, from a file of problems.

>>> claim = own("tangent", "exp(x) >= 1+x")
>>> claim.id, claim.text()
('tangent', 'exp(x) >= x + 1')
>>> print(narrative_of("draft", [Problem("tangent", "exp(x) >= 1+x")]).splitlines()[0])
# draft
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from symdp.report.notebooks.cells import literal
from symdp.search.prove import pose
from symdp.sources.problems import Problem
from symdp.sources.statement import Identity, Inequality


def own(
    name: str, claim: str, where: Iterable[str] = (), *, let: Iterable[str] = (),
    integer: Iterable[str] = (), says: str = "",
) -> Inequality | Identity:
    """A claim in text, as a claim that shows itself and that a ledger keeps."""
    relation, domain, _ = pose(claim, where, let=let, integer=integer)
    kind = Identity if relation.op == "==" else Inequality
    return kind(name, says, relation, id=name, domain=domain)


def narrative_of(title: str, problems: Sequence[Problem]) -> str:
    """The narrative of the notebook; a malformed problem is a ValueError that names it."""
    parts = [f"""# {_words(title)}

Each claim of this draft, typeset, with what the prover makes of it. Change a claim and run its cell
again; add words wherever you like.

**Needs** only the package `symdp`. Run the cells from top to bottom.

<!-- setup -->

```python
from symdp.report.notebooks.own_claims import own
```

## What becomes of the claims

<!-- verdicts -->
"""]
    seen = set()
    for problem in problems:
        if problem.malformed:
            raise ValueError(f"{problem.name}: {problem.malformed}")
        if problem.name in seen:  # the ledger keeps one verdict for each name
            raise ValueError(f"two problems are called {problem.name[:80]!r}")
        seen.add(problem.name)
        try:
            own(problem.name, problem.claim, problem.where, let=problem.let, integer=problem.integer)
        except ValueError as reason:
            raise ValueError(f"{problem.name}: {reason}") from reason
        parts.append(f"### {_words(problem.name)}\n\n```python\n{_call(problem)}\n```\n")
    return "\n".join([*parts, "<!-- ledger -->\n"])


def _call(problem: Problem) -> str:
    lists = {"where": problem.where, "let": problem.let, "integer": problem.integer}
    options = "".join(f"    {key}=[{', '.join(map(literal, value))}],\n"
                      for key, value in lists.items() if value)
    texts = ", ".join(map(literal, (problem.name, problem.claim)))
    return f"ledger.show(own(\n    {texts},\n{options}))"


def _words(name: str) -> str:
    r"""A name on one line, in which nothing is Markdown, HTML or TeX.

    >>> print(_words("a_1 <b>\n# \\input{x} $y$"))
    a\_1 \<b\> \# \\input\{x\} \$y\$
    """
    return re.sub(r"([\\`*_\[\]{}<>|$#~^])", r"\\\1", " ".join(name.split())[:80])
