r"""Notebooks made from the statements: text beside the executed file, the same bytes every time.

>>> from symdp.registry import statement
>>> text = notebook_of(statement("kov/thm-3.1"))
>>> print(text[text.index("# %% [markdown]"):].splitlines()[1])
# # Basic composition
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sympy import Expr, Rational, Symbol

from symdp.domain import simple_points
from symdp.quantifiers import quantifier
from symdp.registry import UnknownId, statement, statements
from symdp.reporting.execution import FORMATS, KERNEL, Advance, executed
from symdp.reporting.references import fields, reference
from symdp.statement import Claim, Statement, domain_over
from symdp.typesetting import latex
from symdp.words import listed, markdown

#: Seconds for each claim in a notebook: a class waits for it, and no verdict may hang on the clock.
BUDGET = 10


@dataclass(frozen=True)
class Plan:
    """A notebook of the series: which statements it is made from, and what it says first."""

    name: str
    statement: str
    companions: tuple[str, ...] = ()
    #: what a reader learns, in short paragraphs
    teaches: str = ""


SERIES = (
    Plan(
        "simplified_composition",
        "kov/thm-3.4",
        ("kov/thm-3.1", "kov/thm-3.2", "kov/sec-7"),
        r"""Ask a private database $k$ questions, and the privacy losses pile up. How large is
the total?

Adding the losses is safe and pessimistic: losses of random sign partly cancel, and their sum
strays from its mean only like $\sqrt k$. A small probability of failure, the *slack*
$\tilde{\delta}$, buys that improvement. The theorem of this notebook packs it into a formula
that fits on one line.

You will see the formula beside two older ones, draw all three, and ask a prover what it makes of
each claim, down to the step of the proof that bounds a moment generating function.""",
    ),
)


# --- writing --------------------------------------------------------------------------------------


def write_notebooks(
    names: Iterable[str],
    out: Path,
    *,
    execute: bool = False,
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Path]:
    """Write notebooks as text and, if asked, run them and keep their output; yield the paths.

    A name is one of the series or the id of a statement; no name means the whole series.
    """
    for plan in plans(names):
        companions = [statement(id) for id in plan.companions]
        text = notebook_of(statement(plan.statement), companions, teaches=plan.teaches)
        path = out / f"{plan.name}.py"
        path.write_text(text, encoding="utf-8", newline="\n")
        yield path
        if execute:
            path = path.with_suffix(".ipynb")
            path.write_text(executed(text, plan.name, advance), encoding="utf-8", newline="\n")
            yield path


def plans(names: Iterable[str]) -> tuple[Plan, ...]:
    """The plans of these names.

    >>> [plan.name for plan in plans([])]
    ['simplified_composition']
    >>> plans(["kov/thm-3.1"])[0].name
    'kov_thm-3.1'
    >>> plans(["simple"])
    Traceback (most recent call last):
    ...
    symdp.registry.UnknownId: there is no notebook 'simple'; there are simplified_composition,
    and one for every statement, such as kov/thm-3.2
    """
    known = {plan.name: plan for plan in SERIES}
    known |= {s.id: Plan(re.sub(r"[^\w.-]", "_", s.id), s.id) for s in statements()}
    names = tuple(names) or tuple(plan.name for plan in SERIES)
    for name in names:
        if name not in known:
            series = ", ".join(plan.name for plan in SERIES)
            raise UnknownId(f"there is no notebook {name[:80]!r}; there are {series}, "
                            f"and one for every statement, such as {statements()[0].id}")
    return tuple(known[name] for name in dict.fromkeys(names))


# --- the text -------------------------------------------------------------------------------------

_METADATA = {
    "kernelspec": KERNEL,
    "jupytext": {
        "formats": FORMATS,
        # The version of jupytext would change the file without a change of the statement.
        "notebook_metadata_filter":
            "kernelspec,jupytext,-jupytext.text_representation.jupytext_version",
        "text_representation": {"extension": ".py", "format_name": "percent"},
    },
}


def notebook_of(
    theorem: Statement, companions: Sequence[Statement] = (), *, teaches: str = ""
) -> str:
    """The notebook of a statement and those beside it, as jupytext percent text."""
    import jupytext
    import nbformat

    v4: Any = nbformat.v4
    make = {"words": v4.new_markdown_cell, "code": v4.new_code_cell}
    cells = [make[kind](source.strip()) for kind, source in _cells(theorem, companions, teaches)]
    notebook = v4.new_notebook(cells=cells, metadata=_METADATA)
    return str(jupytext.writes(notebook, fmt="py:percent")).rstrip("\n") + "\n"


Cell = tuple[str, str]


def _cells(theorem: Statement, companions: Sequence[Statement], teaches: str) -> Iterator[Cell]:
    everything = (theorem, *companions)
    names = variable_names(everything)
    yield "words", _opening(theorem, companions, teaches)
    yield "code", _SETUP
    yield from _statement_cells(theorem, names, "The statement")
    for i, s in enumerate(companions):
        yield from _statement_cells(s, names, "" if i else "Beside it")
    yield from _plot_cells(theorem, companions, names)
    yield "words", _VERDICTS
    for s in everything:
        yield from _claim_cells(s, names[s.id])
    yield "words", _CLOSING.format(id=theorem.id)
    yield "code", "assert ledger.holds()\nledger"


def variable_names(chosen: Sequence[Statement]) -> dict[str, str]:
    """Id -> the name of the Python variable that holds the statement.

    >>> variable_names([statement("kov/thm-3.4"), statement("kov/sec-7")])
    {'kov/thm-3.4': 'theorem_3_4', 'kov/sec-7': 'section_7'}
    """
    short = {s.id: re.sub(r"\W+", "_", s.place.label.lower()).strip("_") for s in chosen}
    shared = {name for name, count in Counter(short.values()).items() if count > 1}
    return {s.id: f"{s.source.key}_{short[s.id]}" if short[s.id] in shared else short[s.id]
            for s in chosen}


def _opening(theorem: Statement, companions: Sequence[Statement], teaches: str) -> str:
    labels = [s.place.label for s in companions]
    beside = f" Beside it stand {listed(labels)}." if companions else ""
    sources = "\n".join(f"- {line}" for line in dict.fromkeys(map(cited, (theorem, *companions))))
    return f"""# {theorem.title}

{teaches or "Read the theorem, look at its formulas, and ask the prover about its claims."}

**Made from** {theorem.place.label} of *{theorem.source.title}*.{beside}

**Needs** only the package `symdp`. Run the cells from top to bottom.

**Read more** in

{sources}"""


_SETUP = f"""
# %config InlineBackend.figure_formats = ["retina"]
from IPython.display import display
from sympy import Rational

from symdp.notation import symbol
from symdp.auditing.settling import settle
from symdp.registry import statement
from symdp.reporting.figures import plot_bounds
from symdp.reporting.ledger import Ledger

budget = {BUDGET}  # seconds for each claim; give the prover more time for harder ones
ledger = Ledger()
""".replace("\n# %config", "\n%config")


def _statement_cells(s: Statement, names: Mapping[str, str], heading: str) -> Iterator[Cell]:
    lives = quantifier(domain_over(s.variables), s.variables)
    words = [f"## {heading}"] if heading else []
    words.append(f"In {s.place.label}, {lives}." if lives else f"{s.place.label}.")
    yield "words", "\n\n".join(words)
    yield "code", f'{names[s.id]} = statement("{s.id}")\n{names[s.id]}'


def cited(s: Statement) -> str:
    """The source in one line; its title where there is no BibTeX entry.

    >>> cited(statement("kov/thm-3.4"))[:32]
    'Kairouz, Peter and Oh, Sewoong a'
    """
    return reference(s.source.cite) if fields(s.source.cite) else s.source.title


# --- the figure -----------------------------------------------------------------------------------

#: Values that make a readable figure, for the variables that statements of the field share.
USUAL = {"eps": Rational(1, 10), "delta": Rational(1, 10**6), "slack": Rational(1, 10**6)}


def bounds_beside(
    theorem: Statement, companions: Sequence[Statement]
) -> tuple[str, list[Statement]]:
    """The quantity that a statement bounds first, and all statements with a formula for it.

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


def _plot_cells(
    theorem: Statement, companions: Sequence[Statement], names: Mapping[str, str]
) -> Iterator[Cell]:
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
    name = json.dumps(quantity)
    labels = {s.id: json.dumps(f"{s.title} ({s.place.label})") for s in who}
    bounds = "".join(f"    {labels[s.id]}: {names[s.id]}.formulas[{name}],\n" for s in who)
    at = "".join(f'    symbol("{v}"): Rational("{value}"),\n' for v, value in fixed.items())
    compare = " At each point the lowest curve is the best of the bounds." if len(who) > 1 else ""
    yield "words", f"""## The formulas, drawn

The figure shows *{quantity}* against ${latex(axis)}$, with the other variables held fixed.{compare}

Change the values in `at` and run the cell again to see how the picture moves."""
    yield "code", (f"bounds = {{\n{bounds}}}\nat = {{\n{at}}}\nvalues = {values}\n"
                   f'ax = plot_bounds(bounds, symbol("{axis}"), values, at, quantity={name})')


# --- the claims -----------------------------------------------------------------------------------

_VERDICTS = """## What is claimed, and what becomes of it

A claim says one thing, on a domain. The prover answers with a verdict:

- **proved**: true at every point of the domain, also at open and infinite ends;
- **refuted**: false at the point that is given, which you can check by hand;
- **undecided**: the search ended without an answer, which says nothing about the truth;
- **cited**: known from elsewhere, with its reference.

A claim is settled as it was printed. Where the printed form fails, look for a corrected one
beside it."""

_CLOSING = """## All verdicts

The table collects what the cells above found when they ran. Each refutation was checked again
when it was entered; had one not held, the notebook would have stopped there.

`symdp show {id}` prints the same in a terminal, with more time for each claim if you give it
`--budget`."""


def _claim_cells(s: Statement, name: str) -> Iterator[Cell]:
    for i, claim in enumerate(s.claims):
        heading = "" if i else f"### {s.place.label}: {s.title}\n\n"
        if words := heading + _about(s, claim):
            yield "words", words
        # The claim without a name is the statement itself.
        call = f'claim("{claim.name}")' if claim.name else f"claims[{i}]"
        yield "code", (f"claim = {name}.{call}\ndisplay(claim)\n"
                       "ledger.enter(claim, settle(claim, budget=budget))")


def _about(s: Statement, claim: Claim) -> str:
    """Where the claim stands, and what it improves."""
    if claim.improves is not None:
        old = s.claim(claim.improves).name or s.id
        return f"A {claim.role} form of `{old}`: {markdown(claim.because.rstrip('.'))}."
    return f"Printed in {claim.printed_at}." if claim.printed_at else ""
