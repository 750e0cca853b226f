r"""What a person at a Python prompt calls; ``import symdp`` has these names at the top.

A formula is a text (``"exp(x) >= 1 + x"``), LaTeX (``r"e^x \ge 1 + x"``), or an object of SymPy's. A text with a
backslash is LaTeX. Where variables live is said by ``where``: one condition or a list of them, each a text, LaTeX or
a relation of SymPy's; assumptions of SymPy's symbols (``positive=True``) count as conditions.

>>> import sympy
>>> x = sympy.Symbol("x", positive=True)
>>> check(r"e^{x} \ge 1+x"), check(sympy.sinh(x) < x)
(<Verdict proved: the lemma exp-tangent>, <Verdict refuted: it fails at x = 1; left 1.17520119364, right 1>)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from sympy import Basic, Expr, Symbol

from symdp.arguments.derivations.report import Report
from symdp.arguments.reading.latex_reader import read_conditions, read_expression, read_relation
from symdp.arguments.reading.text_file import derivation_from, read_derivation
from symdp.arguments.series.expanding import expand as _expand
from symdp.arguments.series.expansion import Expansion
from symdp.formulas.given import listed
from symdp.formulas.parsing import parse_expression, parse_name, parse_relation
from symdp.formulas.relation import Relation
from symdp.papers.finding import PaperReport
from symdp.papers.lint import BUDGET
from symdp.papers.lint import lint as _lint
from symdp.report.exercises import Exercise
from symdp.report.exercises import exercise as _exercise
from symdp.search import prove
from symdp.search.prove import DEFAULT_BUDGET, Claimed
from symdp.search.repairs import Suggestion, suggest_for
from symdp.search.sharpening import Sharpest, sharpest_of
from symdp.search.verdict import Verdict
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.registry import claim as claim_of
from symdp.sources.registry import proof as proof_of
from symdp.typeset.typesetting import StyleOptions
from symdp.typeset.typesetting import latex as _latex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check", "derive", "exercise", "expand", "figure", "latex", "lint", "sharpest", "suggest"]


def check(
    claim: Claimed,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
    budget: float = DEFAULT_BUDGET,
    bits: int = 128,
) -> Verdict:
    r"""Settle a claim of one's own: proved on its whole domain, refuted at a point of it, or undecided.

    claim: a relation, as text, as LaTeX, or as SymPy has it.
    where: where its variables live, one condition or a list: ``"x >= 0"``, ``"x in [0, 1]"``, ``x > 0``.
    let: names with a meaning, ``"m = eps/2"``; a later one may use an earlier one.
    integer: the variables that are integers.
    budget: how much work the search may do, in seconds.
    bits: the precision with which the search begins.

    A verdict is true if the claim is proved, and shows itself in a notebook.

    >>> check("log(1 + x) <= x", where="x >= 0")
    <Verdict proved: the lemma log-tangent>
    >>> bool(check("log(x) <= x/2", where="x in [1, 2]"))
    True
    >>> check("floor(x) == x", where="0 <= x <= 1").witness.point
    {x: 1/2}
    """
    return prove.check(_claimed(claim), _conditions(where), let=let, integer=integer, budget=budget, bits=bits)


def sharpest(
    claim: Claimed,
    over: str | Symbol,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
    budget: float = 20.0,
) -> Sharpest:
    """For which values of ``over`` a claim holds, and for which it fails, both proved.

    claim, where, let, integer: as for :func:`check`.
    over: the constant or variable to make sharp.
    budget: seconds for each proof.

    >>> sharpest("eps*tanh(eps/2) <= c*eps^2", over="c", where="eps > 0")
    <Sharpest holds for c >= 1/2; fails for c < 1/2>
    """
    posed = prove.pose(_claimed(claim), _conditions(where), let=let, integer=integer)
    v = parse_name(over) if isinstance(over, str) else parse_name(str(over.name))
    return sharpest_of(posed.relation, posed.domain, v, formal=posed.goal, budget=budget)


def suggest(
    claim: Claimed,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
    budget: float = 5.0,
) -> Suggestion:
    """The weakest simple repairs of a claim that is refuted or undecided, each with its proof.

    claim, where, let, integer: as for :func:`check`.
    budget: seconds for each proof.

    A repair is a smaller domain, an added factor or another constant; ``weakest`` says that beyond it the claim is
    proved to fail.

    >>> suggest("exp(x) >= 1 + x")
    <Suggestion the claim holds as it is>
    """
    return suggest_for(prove.pose(_claimed(claim), _conditions(where), let=let, integer=integer), budget)


def derive(what: str | Path | Derivation, *, budget: float = 10.0, sharpen: bool = False) -> Report | list[Report]:
    r"""Check a derivation line by line.

    what: the text of a derivation (formulas in LaTeX), the path of a file with one, a Derivation, or the id of a
    proof of the sources such as ``"kov/sec-7"``, which has a report for each of its parts.
    budget: seconds for each relation.
    sharpen: certify how much each line gives away.

    >>> report = derive('''assume: x > 0
    ... \\begin{align}
    ...   \\log(1+x) &\\le x \\\\
    ...   &\\le e^x
    ... \\end{align}''')
    >>> print(report.shown, bool(report))
    log(x + 1) <= exp(x) True
    """
    if isinstance(what, Derivation):
        parts: list[Derivation] = [what]
    elif isinstance(what, Path):
        parts = [read_derivation(what)]
    elif "\n" in what or "\\" in what:
        parts = [derivation_from(what)]
    elif Path(what).is_file():
        parts = [read_derivation(Path(what))]
    else:
        found = proof_of(what)
        return [part.check(budget=budget, sharpen=sharpen) for part in found.derivations]
    return parts[0].check(budget=budget, sharpen=sharpen)


def lint(
    what: str | Path | Iterable[str | Path], *, budget: float = BUDGET, jobs: int = 1, out: str | Path | None = None
) -> PaperReport:
    r"""A verdict for every relation of a LaTeX document, at its place.

    what: the path of a document, a list of such paths, or the text of one.
    budget: seconds for each relation.
    jobs: how many are settled side by side.
    out: a folder for certificates.

    The report has a finding for each relation, is true if nothing is left open, and shows itself in a notebook.

    >>> print(lint(r"Let $x > 0$. Then $\log(1+x) \le x < x^2$."))
    text:1:6: assumption: x > 0
    text:1:20: proved: log(x + 1) <= x
    text:1:20: refuted: it fails at x = 1: the left side is 1, the right side 1; it holds for x > 1
    3 relations: 1 proved, 1 refuted, 1 assumption
    """
    paths, texts = _documents(what)
    folder = None if out is None else Path(out)
    return PaperReport(tuple(_lint(paths, budget=budget, jobs=jobs, out=folder, texts=texts)))


def expand(
    expr: str | Basic,
    variable: str | Symbol,
    at: str | int | Basic = 0,
    order: int = 4,
    *,
    side: str | None = None,
    where: Claimed | Iterable[Claimed] = (),
    along: dict[str | Symbol, Any] | None = None,
) -> Expansion:
    r"""An expansion whose remainder has a proved constant on a proved neighbourhood.

    expr: an expression, as text, LaTeX or SymPy has it.
    variable: what tends to a point.
    at: the point, a number or ``"oo"``; ``side`` is ``"+"`` or ``"-"`` where one of the two is meant.
    order: terms below this power of the distance are kept.
    where: where the parameters live.
    along: a path, ``{"eps": "c/sqrt(k)"}``.

    >>> print(expand(r"\log(1+x)", "x", order=3))
    log(x + 1) = x - x^2/2 + R, |R| <= 7/13*abs(x)^3 for 0 < |x| <= 1/4
    """
    given: Any = read_expression(expr) if isinstance(expr, str) and "\\" in expr else expr
    return _expand(given, variable, at, order, side=side, where=_conditions(where), along=along)


def figure(name: str, *, against: str | Iterable[str] = (), at: dict[str, Any] | None = None) -> Figure:
    """A figure of the sources, or of a claim: its margin, or where it fails.

    name: such as ``"fig-1"``, or the id of a claim.
    against: the variable along the axis, or two of them for a map.
    at: variables that are fixed, with their values.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> figure("kov/sec-7.mgf-bound", against="lam", at={"eps_total": "3/4"}).axes[0].get_xlabel()
    '$\\\\lambda$'
    """
    # Matplotlib takes half a second to load, which `check` does not need.
    from symdp.report.figures.claim_figures import plot_claim  # noqa: PLC0415 - start-up: matplotlib
    from symdp.report.figures.curves import whole_figure  # noqa: PLC0415 - start-up: matplotlib
    from symdp.report.figures.given_numbers import read_numbers  # noqa: PLC0415 - start-up: matplotlib
    from symdp.report.figures.source_figures import UnknownFigure, draw  # noqa: PLC0415 - start-up: matplotlib

    try:
        return draw(name)
    except UnknownFigure:
        if "/" not in name:
            raise
    given = read_numbers([f"{v} = {value}" for v, value in (at or {}).items()])
    fixed = {v: values[0] for v, values in given.items()}
    axes = [parse_name(str(v)) for v in listed(against)]
    return whole_figure(plot_claim(claim_of(name), against=axes, at=fixed))


def latex(formula: object, **options: Unpack[StyleOptions]) -> str:
    r"""The LaTeX of an expression or a relation as a mathematician writes it, without dollar signs.

    formula: as text, LaTeX or SymPy has it.
    options: ``log="ln"``, ``epsilon="epsilon"``, ``names={"x": r"\xi"}``.

    >>> print(latex("eps*sqrt(2*k*log(1/slack)) + k*eps*(exp(eps) - 1)"))
    k\varepsilon(e^{\varepsilon}-1)+\varepsilon\sqrt{2k\log(1/\tilde{\delta})}
    >>> print(latex("log(1 + x) <= x", log="ln"))
    \ln(1+x) \le x
    """
    if isinstance(formula, str):
        relates = re.search(r"[<>=≤≥]|\\(?:le|ge|leq|geq|lt|gt)(?![A-Za-z])", formula)
        reader = (read_relation if relates else read_expression) if "\\" in formula else (
            parse_relation if relates else parse_expression)
        return _latex(reader(formula), **options)
    return _latex(formula, **options)


def exercise(name: str) -> Exercise:
    """An exercise of the course; ``.check(answer)`` says whether an answer is right, ``.solve()`` shows the solution.

    >>> exercise("best-advantage").check("tanh(eps/2)").right
    True
    """
    return _exercise(name)


def _documents(what: str | Path | Iterable[str | Path]) -> tuple[list[Path], dict[Path, str]]:
    """Paths of documents; a text is one that lies here, and in no file."""
    if isinstance(what, str) and ("\n" in what or "\\" in what or "$" in what):
        return [Path("text")], {Path("text").resolve(): what}
    return [Path(what)] if isinstance(what, str | Path) else [Path(one) for one in what], {}


def _claimed(claim: Claimed) -> Claimed:
    return read_relation(claim) if isinstance(claim, str) and "\\" in claim else claim


def _conditions(where: Claimed | Iterable[Claimed]) -> list[Any]:
    found: list[str | Relation | Expr] = []
    for one in listed(where):
        found.extend(read_conditions(one) if isinstance(one, str) and "\\" in one else [one])
    return found
