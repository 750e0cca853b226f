r"""Notebooks made from the statements: text beside the executed file, the same bytes every time.

>>> from symdp.registry import statement
>>> text = notebook_of(statement("kov/thm-3.1"))
>>> print(text[text.index("# %% [markdown]"):].splitlines()[1])
# # Basic composition
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sympy import Expr, Rational, Symbol

from symdp.domain import find_point, holds_at, simple_points
from symdp.proving.verdict import MARKS, Status, Verdict
from symdp.registry import UnknownId, statement, statements
from symdp.relation import Op, Relation
from symdp.reporting.latex import domain_latex
from symdp.reporting.references import entries, reference
from symdp.statement import Claim, Statement, domain_over
from symdp.typesetting import latex

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager

Advance = Callable[[str, int, int], None]

#: Seconds for each claim in a notebook: a class waits for it.
BUDGET = 2


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

_FORMATS = "ipynb,py:percent"
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_METADATA = {
    "kernelspec": _KERNEL,
    "jupytext": {
        "formats": _FORMATS,
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
    beside = f" Beside it stand {_listed(labels)}." if companions else ""
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
from symdp.proving import settle
from symdp.registry import statement
from symdp.reporting.figures import plot_bounds
from symdp.reporting.notebook import Ledger

budget = {BUDGET}  # seconds for each claim; give the prover more time for harder ones
ledger = Ledger()
""".replace("\n# %config", "\n%config")


def _statement_cells(s: Statement, names: Mapping[str, str], heading: str) -> Iterator[Cell]:
    lives = [f"${part}$" for part in domain_latex(domain_over(s.variables), s.variables)]
    words = [f"## {heading}"] if heading else []
    words.append(f"In {s.place.label}, {_listed(lives)}." if lives else f"{s.place.label}.")
    yield "words", "\n\n".join(words)
    yield "code", f'{names[s.id]} = statement("{s.id}")\n{names[s.id]}'


def cited(s: Statement) -> str:
    """The source in one line; its title where there is no BibTeX entry.

    >>> cited(statement("kov/thm-3.4"))[:32]
    'Kairouz, Peter and Oh, Sewoong a'
    """
    return reference(s.source.cite) if s.source.cite in entries() else s.source.title


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


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
        yield "words", heading + _about(s, claim)
        # The claim without a name is the statement itself.
        call = f'claim("{claim.name}")' if claim.name else f"claims[{i}]"
        yield "code", (f"claim = {name}.{call}\ndisplay(claim)\n"
                       "ledger.enter(claim, settle(claim, budget=budget))")


def _about(s: Statement, claim: Claim) -> str:
    """Where the claim stands, on which domain, and what it improves."""
    parts = []
    if claim.improves is not None:
        old = s.claim(claim.improves).name or s.id
        parts.append(f"A {claim.role} form of `{old}`: {claim.because.rstrip('.')}.")
    elif claim.printed_at:
        parts.append(f"Printed in {claim.printed_at}.")
    lives = [f"${part}$" for part in domain_latex(claim.domain, s.variables)]
    # No full stop: a browser may put a sign that follows a formula on a line of its own.
    parts.append(f"For {_listed(lives)}" if lives else "In words:")
    return "\n\n".join(parts)


_CONTRARY: dict[Op, tuple[Op, ...]] = {
    "<=": (">",), "<": (">", "=="), ">=": ("<",), ">": ("<", "=="), "==": ("<", ">"),
}


def fails_at(relation: Relation, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a relation is certainly false at a point.

    >>> from symdp.notation import x
    >>> fails_at(Relation(x, "<", Rational(1)), {x: Rational(1)})
    True
    """
    contraries = (Relation(relation.left, op, relation.right) for op in _CONTRARY[relation.op])
    return any(holds_at(contrary, point) for contrary in contraries)


@dataclass
class Ledger:
    """The claims that a notebook has shown, with their verdicts.

    >>> from symdp.registry import claim
    >>> ledger = Ledger()
    >>> shown = ledger.enter(claim("kov/thm-3.1"), Verdict(Status.UNDECIDED, "not tried"))
    >>> print(ledger._repr_markdown_())
    | claim | verdict |
    |:--|:--|
    | `kov/thm-3.1` | ? undecided |
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def enter(self, claim: Claim, verdict: Verdict) -> Verdict:
        """Keep a verdict that stands up to a second look, and give it back for display."""
        stand_up(claim, verdict)
        self.claims[claim.id] = claim
        self.verdicts[claim.id] = verdict
        return steady(verdict)

    def holds(self) -> bool:
        """Whether every verdict stands up to a second look."""
        for id, verdict in self.verdicts.items():
            stand_up(self.claims[id], verdict)
        return True

    def _repr_markdown_(self) -> str:
        rows = [f"| `{id}` | {MARKS[verdict.status]} {verdict.status.value} |"
                for id, verdict in self.verdicts.items()]
        return "\n".join(["| claim | verdict |", "|:--|:--|", *rows])


def stand_up(claim: Claim, verdict: Verdict) -> None:
    """Raise AssertionError for a verdict that is an error or that its own claim contradicts."""
    assert verdict.status is not Status.ERROR, f"{claim.id}: {verdict}"
    relation = getattr(claim, "relation", None)
    if verdict.witness is not None:
        point = verdict.witness.point
        assert claim.domain.contains(point), f"{claim.id}: the witness is outside of the domain"
        assert relation is None or fails_at(relation, point), f"{claim.id} holds at its witness"
    if verdict.status is Status.PROVED and relation is not None:
        somewhere = find_point(claim.domain)
        assert somewhere is None or not fails_at(relation, somewhere), f"{claim.id} fails"


def steady(verdict: Verdict) -> Verdict:
    """The verdict without what depends on the clock.

    Where an unsuccessful search stood when its time was up differs from run to run; a reason that
    needed no search does not.
    """
    searched = verdict.status is Status.UNDECIDED and verdict.boxes > 0
    return replace(verdict, seconds=0.0, boxes=0, method="" if searched else verdict.method)


# --- running --------------------------------------------------------------------------------------


def executed(text: str, name: str, advance: Advance = lambda what, done, total: None) -> str:
    """The notebook with its output, as the text of an .ipynb file."""
    import jupytext
    import nbformat
    from nbclient import NotebookClient

    format: Any = nbformat

    notebook = jupytext.reads(text, fmt="py:percent")
    total = len(notebook.cells)

    def executed_cell(cell: Any, cell_index: int, **_: object) -> None:
        advance(name, cell_index + 1, total)

    client = NotebookClient(
        notebook, kernel_manager_class=_kernel_manager(), timeout=180, record_timing=False,
        on_cell_complete=executed_cell,
    )
    with TemporaryDirectory() as settings:
        client.execute(env=_environment(settings))
    for cell, id in zip(notebook.cells, cell_ids(c.source for c in notebook.cells), strict=True):
        cell["id"] = id
        cell["metadata"] = {}
        for output in cell.get("outputs", ()):
            _keep_rich(output)
    notebook["metadata"] = {
        "kernelspec": _KERNEL,
        "language_info": {"name": "python"},
        "jupytext": {"formats": _FORMATS},
    }
    format.validate(notebook)
    return str(format.writes(notebook)) + "\n"


def _keep_rich(output: Any) -> None:
    """The plain text beside a rich display is the inside of an object; no reader wants it."""
    if "text/markdown" in output.get("data", ()):
        output["data"].pop("text/plain", None)


def cell_ids(sources: Iterable[str]) -> list[str]:
    """Ids from what the cells say, so that a new cell leaves those of the others alone.

    >>> cell_ids(["a", "b", "a"])
    ['ca978112ca1b', '3e23e8160039', 'ca978112ca1b-2']
    """
    seen: Counter[str] = Counter()
    ids = []
    for source in sources:
        digest = hashlib.sha256(source.encode()).hexdigest()[:12]
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _environment(settings: str) -> dict[str, str]:
    """The user's own start-up files and matplotlib style must not leak into the notebook."""
    return {
        **os.environ,
        "IPYTHONDIR": settings,
        "MPLCONFIGDIR": settings,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONHASHSEED": "0",
    }


def _kernel_manager() -> type[AsyncKernelManager]:
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisInterpreter(AsyncKernelManager):
        """A kernel spec that is installed on the machine may belong to another environment."""

        @property
        def kernel_spec(self) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}",
                       "--log-level=ERROR"]
            return KernelSpec(argv=command, display_name="Python 3", language="python")

    return ThisInterpreter
