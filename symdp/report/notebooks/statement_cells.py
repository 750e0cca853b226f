r"""The cells that come from the statements: what is stated, drawn, claimed and asked.

>>> from symdp.sources.registry import statement
>>> for cell in statement_cells(statement("kov/thm-3.1")):
...     print(cell.source)
lookup("kov/thm-3.1")
In Theorem 3.1, $\varepsilon>0$, $0\le\delta\le 1$ and $k\in\mathbb{N},\ k\ge 1$.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

from sympy import Expr, Rational, Symbol

from symdp.numbers.domain import simple_points
from symdp.report.exercises import Exercise
from symdp.report.notebooks.cells import Cell, literal
from symdp.report.notebooks.readers import Audience
from symdp.sources.bibliography import fields
from symdp.sources.statement import Claim, Statement, domain_over
from symdp.typeset.prose import label_latex, lettered, listed, markdown, quantifier, sentence
from symdp.typeset.typesetting import latex

#: Seconds for each claim. Those of the series need one or two: no verdict may hang on the clock.
BUDGET = 60
#: Claims over which the search takes minutes, without an answer yet; `symdp show ID` tries them.
TOO_LONG = frozenset({"kov/app-a.inclusion", "kov/sec-3.2.order", "kov/eq-32.gain", "kov/lem-1.privacy",
                      "kov/lem-1.privacy.sharper", "kov/lem-1.utility.corrected"})


# --- the beginning --------------------------------------------------------------------------------


def source_cells(about: Sequence[Statement]) -> Iterator[Cell]:
    """What the notebook is made from and what it needs."""
    by_source: dict[str, list[str]] = {}
    for s in about:
        by_source.setdefault(markdown(s.source.title), []).append(markdown(s.place.label))
    made = "; ".join(f"{listed(list(dict.fromkeys(labels)))} of *{title}*"
                     for title, labels in by_source.items())
    lines = "\n".join(f"- {line}" for line in dict.fromkeys(map(cited, about)))
    yield Cell("words", f"""**Made from** {made}.

**Needs** only the package `symdp`. Run the cells from top to bottom.

**Read more** in

{lines}""")


def cited(s: Statement) -> str:
    """Authors, title and year of the source; its title alone where there is no BibTeX entry.

    >>> from symdp.sources.registry import statement
    >>> print(cited(statement("kov/thm-3.4")))
    Peter Kairouz, Sewoong Oh and Pramod Viswanath: *The Composition Theorem for Differential Privacy* (2013)
    """
    found = fields(s.source.cite)
    if not found:
        return markdown(s.source.title)
    names = [" ".join(reversed(name.split(", "))) for name in found["author"].split(" and ")]
    return f"{markdown(listed(names))}: *{markdown(found['title'])}* ({markdown(found['year'])})"


_INSTALL = """
# @title Set-up: installs symdp where it is missing
SOURCE = ".."  # @param {type:"string"}
# ".." is the clone that this notebook is in; elsewhere, any address that pip understands.
from importlib.util import find_spec
from pathlib import Path

if find_spec("symdp") is None:
    if SOURCE == ".." and not Path("../pyproject.toml").exists():
        raise ModuleNotFoundError("symdp is missing: open this in a clone of its repository, "
                                  "or write an address for pip into SOURCE")
    %pip install --quiet {SOURCE}
    __import__("importlib").invalidate_caches()

from symdp.report.notebooks.requirements import ready

ready()
"""

_SETUP = f"""
# @title Set-up: what this notebook works with
%config InlineBackend.figure_formats = ["retina"]
from IPython.display import Markdown, display
from matplotlib import pyplot
from sympy import Rational

from symdp import lookup, statements
from symdp.report.exercises import exercise
from symdp.formulas.notation import symbol
from symdp.sources.registry import statement
from symdp.report.figures.curves import plot_bounds
from symdp.audit.ledger import Ledger
from symdp.report.notebooks.sliders import explore
from symdp.report.notebooks.style import STYLE

pyplot.rcParams.update(STYLE)
ledger = Ledger(budget={BUDGET})  # seconds that a claim may take
"""

#: Folded in JupyterLab and VS Code, a form in Colab, left out of pages and papers.
FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}


def setup_cells() -> Iterator[Cell]:
    for source in (_INSTALL, _SETUP):
        yield Cell("code", source.strip(), {**FOLDED, "cellView": "form"})


# --- statements and their formulas ----------------------------------------------------------------


def statement_cells(s: Statement) -> Iterator[Cell]:
    """Where the variables live, what is said in words alone, and the typeset formulas."""
    used = {v for f in s.formulas.values() for v in f.free_symbols}
    spaces = {v: space for v, space in s.variables.items() if not used or v in used}
    lives = quantifier(domain_over(spaces), spaces)
    place = markdown(s.place.label)
    words = [f"In {place}, {lives}." if lives else f"{place}."]
    printed = next((c for c in s.claims if c.role == "printed"), None)
    if not s.formulas and printed is not None:
        words.append(f"It says: {sentence(markdown(printed.says))}")
    yield Cell("code", f"lookup({literal(s.id)})")
    yield Cell("words", "\n\n".join(words))


#: Values that make a readable figure, for the variables that statements of the field share.
USUAL = {"eps": Rational(1, 10), "delta": Rational(1, 10**6), "slack": Rational(1, 10**6)}


def bounds_beside(
    theorem: Statement, companions: Sequence[Statement]
) -> tuple[str, list[Statement]]:
    """The quantity that a statement bounds first, and all statements with a formula for it.

    >>> from symdp.sources.registry import statement
    >>> quantity, who = bounds_beside(statement("kov/thm-3.4"), [statement("kov/thm-3.1")])
    >>> quantity, [s.place.label for s in who]
    ('epsilon in total', ['Theorem 3.4', 'Theorem 3.1'])
    """
    quantity = next(iter(theorem.formulas), "")
    return quantity, [s for s in (theorem, *companions) if quantity in s.formulas]


def axis_of(theorem: Statement, bound: Expr) -> Symbol | None:
    """The variable to draw against: a count if there is one."""
    here = [v for v in theorem.variables if v in bound.free_symbols]
    return next((v for v in here if theorem.variables[v].integer), here[0] if here else None)


def bounds_cells(theorem: Statement, companions: Sequence[Statement] = ()) -> Iterator[Cell]:
    """A figure of the first formula of a statement, with those of its companions."""
    quantity, who = bounds_beside(theorem, companions)
    axis = axis_of(theorem, theorem.formulas[quantity]) if quantity else None
    if axis is None:
        return
    spaces = {v: space for s in who for v, space in s.variables.items()}
    used = {v for s in who for v in s.formulas[quantity].free_symbols}
    fixed = {v: USUAL.get(v.name) or simple_points(spaces[v].interval, spaces[v].integer)[0]
             for v in spaces if v in used and v != axis}
    whole = spaces[axis].integer
    values = "range(1, 201)" if whole else "[Rational(i, 100) for i in range(1, 101)]"
    name, label = literal(quantity), literal(lettered(quantity))
    labels = {s.id: literal(f"{s.title} ({s.place.label})") for s in who}
    bounds = "".join(f"    {labels[s.id]}: statement({literal(s.id)}).formulas[{name}],\n" for s in who)
    at = "".join(f"    symbol({literal(v)}): Rational({literal(value)}),\n" for v, value in fixed.items())
    compare = " At each point the lowest curve is the best of the bounds." if len(who) > 1 else ""
    yield Cell("words", f"""The figure shows {markdown(lettered(quantity))} against ${latex(axis)}$, with the other \
variables held fixed.{compare}

Change the values in `at` and run the cell again to see how the picture moves.""")
    yield Cell("code", f"bounds = {{\n{bounds}}}\nat = {{\n{at}}}\nvalues = {values}\n"
                       f"ax = plot_bounds(bounds, symbol({literal(axis)}), values, at, quantity={label})")


# --- claims ---------------------------------------------------------------------------------------

_VERDICTS = """A claim says one thing, on a domain. The prover answers with a verdict:

- **proved**: true at every point of the domain, also at open and infinite ends;
- **refuted**: false at the point that is given, which you can check by hand;
- **argued**: a part of the argument is in words, or was computed by code that the kernel does not check; it is
  never counted as proved;
- **supported**: a search agrees, without a proof;
- **undecided**: the search ended without an answer, which says nothing about the truth;
- **cited**: known from elsewhere, with its reference.

A claim is settled as it was printed. Where the printed form fails, look for a corrected one
beside it."""

_BRIEFLY = """Each claim below stands as it was printed, and the prover answers. ✓ **proved** means at every
point of the domain; ✗ **refuted** means false at the point shown, which you can check by hand; ∴ **argued** means
that a part of the argument is in words, and is never counted as proved."""


def verdict_cells(briefly: bool = False) -> Iterator[Cell]:
    yield Cell("words", _BRIEFLY if briefly else _VERDICTS)


def claim_cells(chosen: Sequence[Claim]) -> Iterator[Cell]:
    """One cell for each claim, with a word before it on where it stands or what it improves."""
    for claim in chosen:
        if claim.id in TOO_LONG:
            continue
        if words := _about(claim):
            yield Cell("words", words)
        yield Cell("code", f"ledger.show({literal(claim.id)})")


def _about(claim: Claim) -> str:
    """Where the claim is printed, or what it improves."""
    if claim.improves is not None:
        return f"**{claim.role.capitalize()}.** {sentence(markdown(claim.because))}"
    return f"Printed in {markdown(claim.printed_at.rstrip('.'))}." if claim.printed_at else ""


def ledger_cells(about: Sequence[Statement] = (), shown: Collection[str] = ()) -> Iterator[Cell]:
    """The verdicts in one table, and which statements have claims that were not shown."""
    more = [s for s in about if not {c.id for c in s.claims} <= set(shown)]
    commands = listed([f"`symdp audit {label_latex(s.id)}`" for s in more])
    further = f"""

There are more claims than are shown here: {commands} {"settle" if len(more) > 1 else "settles"} \
them all.""" if more else ""
    yield Cell("words", f"""## All verdicts

What the cells above found when they ran. Every refutation was checked a second time, without the
search, when it was entered here; had one not held, the notebook would have stopped there.{further}""")
    yield Cell("code", "assert ledger.holds()\nledger")


# --- exercises ------------------------------------------------------------------------------------


def exercise_cells(exercises: Sequence[Exercise], reader: Audience = Audience.ANYBODY) -> Iterator[Cell]:
    """Question, answer, check: three cells each, as nbgrader assigns and grades them; the answer is folded, missing
    or in sight, as the reader wants it."""
    below = {
        Audience.ANYBODY: "Try each in a cell of your own before you unfold the solution below it.",
        Audience.STUDENT: "Write each answer between the quotation marks, and run the cell below it.",
        Audience.INSTRUCTOR: "This is the version for instructors: each question is followed by its solution.",
    }
    yield Cell("words", f"""## Exercises

Your turn. `exercise("NAME").check("your answer")` takes a formula or a number. It knows a right formula in
any form, and answers a wrong one with a counterexample.

{below[reader]}""")
    for e in exercises:
        yield Cell("words", f"### {e.title}\n\n{e.question}\n\n"
                            f'Check your answer with `exercise("{e.name}").check(...)`.',
                   _grading(e.name, "question", locked=True))
        yield _answer_cell(e, reader)
        if reader is Audience.STUDENT:
            yield Cell("code", f'exercise("{e.name}").check(answer)',
                       _grading(e.name, "check", locked=True, grade=True))
            continue
        yield Cell("code", f'feedback = exercise("{e.name}").check(answer)\n'
                           "assert feedback, feedback\ndisplay(feedback)",
                   _grading(e.name, "check", locked=True, grade=True))
        if reader is Audience.INSTRUCTOR and e.why:
            yield Cell("words", f"**Why.** {' '.join(e.why.split())}")


def _answer_cell(e: Exercise, reader: Audience) -> Cell:
    grading = _grading(e.name, "answer", solution=True)
    if reader is Audience.STUDENT:
        return Cell("code", 'answer = ""  # your answer, between the quotation marks', grading)
    solved = '# Your answer, as text: answer = "..."\n' \
        f"### BEGIN SOLUTION\nanswer = {json.dumps(e.solution)}\n### END SOLUTION"
    return Cell("code", solved, grading if reader is Audience.INSTRUCTOR else {**grading, **FOLDED})


def _grading(name: str, part: str, *, locked: bool = False, solution: bool = False,
             grade: bool = False) -> dict[str, object]:
    """Metadata by which nbgrader knows what is asked, what is answered and what is graded."""
    rule: dict[str, object] = {
        "grade": grade, "grade_id": f"{name}-{part}", "locked": locked, "schema_version": 3,
        "solution": solution, "task": False,
    }
    return {"nbgrader": {**rule, "points": 1} if grade else rule}
