r"""Derivations on paper and in a terminal.

In LaTeX a derivation is a sequence of ``align*`` blocks with the reason beside each line and a mark
for its verdict at the end of it; only amsmath is needed.

>>> from symdp.sources.derivations.derivation import Derivation
>>> proof = Derivation(where=["x >= 0"]).start("1 + x").le("exp(x)", "tangent at 0")
>>> print(derivation_latex(proof.check()))
% Needs amsmath.
\noindent For $x \ge 0$:\par
\begin{align*}
& 1+x\\
&\le e^{x} && \text{tangent at 0} \tag*{$\surd$}
\end{align*}
\noindent Proved: $1+x \le e^{x}$. Kernel rules: assumption, cut, lemma, weaken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symdp.arguments.derivations.display import OPERATORS, numbered, remarks, step_latex, step_words
from symdp.arguments.derivations.report import CheckedLine, Report
from symdp.arguments.derivations.standing import COLOURS, MARKS, Standing
from symdp.report.paper.documents import Piece
from symdp.report.paper.documents import document as whole_document
from symdp.report.terminal.screen import Screen, styled
from symdp.sources.derivations.lines import Cases, Induction, Link, Start
from symdp.typeset.line_breaks import LINE, break_lines, broken_width, width
from symdp.typeset.prose import plain, sentence, text_latex
from symdp.typeset.typesetting import latex

if TYPE_CHECKING:
    from symdp.sources.derivations.source_proof import SourceProof

# --- LaTeX --------------------------------------------------------------------------------------

_MARKS = {
    Standing.PROVED: r"\surd", Standing.FALSE: r"\times", Standing.GAP: r"\not\Rightarrow",
    Standing.UNDECIDED: "?", Standing.CITED: r"\dagger", Standing.GIVEN: "",
    Standing.ARGUED: r"\sim", Standing.SUPPORTED: r"\approx",
}


def derivation_latex(report: Report, *, document: bool = False) -> str:
    r"""The derivation with a mark for each verdict; with ``document``, a whole file."""
    body = derivation_body(report)
    if not document:
        return f"% Needs amsmath.\n{body}"
    return whole_document([Piece(body)])


def proof_latex(
    proof: SourceProof, printed: Sequence[Report], repaired: Sequence[Report], *, document: bool = False
) -> str:
    r"""A proof of a source: its printed parts with a mark per line, then those that repair it."""
    rows = [rf"\section*{{{text_latex(proof.title)} ({text_latex(proof.place.label)})}}"]
    for heading, reports in (("As printed", printed), ("Repaired", repaired)):
        if reports:
            rows += [rf"\subsection*{{{heading}}}", *(f"{derivation_body(r)}\n" for r in reports)]
    body = "\n".join(rows)
    return whole_document([Piece(body)]) if document else f"% Needs amsmath.\n{body}"


def derivation_body(report: Report) -> str:
    """Where it holds, its lines, and what is shown."""
    return "\n".join(filter(None, [_head(report), *_blocks(report.lines), _foot(report)]))


def _head(report: Report) -> str:
    derivation = report.derivation
    title = rf"\paragraph{{{text_latex(derivation.title)}.}}" if derivation.title else ""
    parts = [f"${latex(r)}$" for r in derivation.where]
    parts += [rf"${latex(v)}$ an integer" for v in sorted(derivation.integers, key=str)]
    scope = f"For {', '.join(parts)}:" if parts else ""
    head = f"{title} {scope}".strip() if title else rf"\noindent {scope}" if scope else ""
    return rf"{head}\par" if head else ""


def _blocks(lines: Sequence[CheckedLine]) -> list[str]:
    """Links of one chain share an align; other steps stand on lines of their own."""
    found: list[str] = []
    chain: list[CheckedLine] = []

    def flush() -> None:
        if chain:
            found.append(_align(chain))
            chain.clear()

    for line in lines:
        if isinstance(line.step, Start):
            flush()
        if isinstance(line.step, Start | Link):
            chain.append(line)
        else:
            flush()
            found.append(_paragraph(line))
            found += _inner(line)
    flush()
    return found


def _align(chain: Sequence[CheckedLine]) -> str:
    """One chain; where a formula is wide the reasons stand below the lines, and the type is smaller."""
    formulas = [_broken(latex(line.step.expr)) for line in chain]  # type: ignore[attr-defined]
    widest = max(broken_width(formula) for formula in formulas)
    words = max(len(plain(line.step.reason)) for line in chain)
    rows = [_row(line, formula, beside=widest + words <= LINE)
            for line, formula in zip(chain, formulas, strict=True)]
    body = "\\\\\n".join(rows)
    return _sized(f"\\begin{{align*}}\n{body}\n\\end{{align*}}", widest)


#: Smaller type, and how much more of it goes on a line.
_SIZES = ((1.0, ""), (1.08, r"\small"), (1.2, r"\footnotesize"), (1.45, r"\scriptsize"), (9.0, r"\tiny"))


def _sized(block: str, wide: int) -> str:
    """A display in type so small that a formula of that width has room."""
    size = next(name for more, name in _SIZES if wide <= more * LINE or more == _SIZES[-1][0])
    return f"{{{size}\n{block}\\par}}" if size else block


def _row(line: CheckedLine, formula: str, *, beside: bool) -> str:
    step = line.step
    if not isinstance(step, Link):
        return f"& {formula}"
    reason = rf"\text{{{text_latex(step.reason)}}}" if step.reason else ""
    mark = rf"\tag*{{${_MARKS[line.standing]}$}}"
    if reason and not beside:
        return f"&{OPERATORS[step.op]} {formula} {mark}\\\\\n&\\qquad {reason}"
    column = f" && {reason}" if reason else ""
    return f"&{OPERATORS[step.op]} {formula}{column} {mark}"


def _broken(tex: str) -> str:
    """Over several lines where it is too wide; the first of them is the line of the row."""
    return break_lines(tex, LINE).replace(r"\begin{aligned}", r"\begin{aligned}[t]", 1)


def _paragraph(line: CheckedLine) -> str:
    words = text_latex(step_words(line.step))
    formula = step_latex(line.step, line.relation)
    label = f" ({text_latex(line.step.label)})" if line.step.label and line.step.kind != "lemma" else ""
    reason = f" ({text_latex(line.step.reason)})" if line.step.reason else ""
    mark = _MARKS[line.standing]
    ending = rf" \hfill ${mark}$" if mark else ""
    if width(formula) > LINE and r"\text" not in formula:
        broken = break_lines(formula, LINE)
        shown = _sized(f"\\begin{{align*}}\n{broken} \\tag*{{${mark}$}}\n\\end{{align*}}",
                       broken_width(broken))
        return rf"\noindent {words}{label}{reason}:\par".replace("  ", " ") + f"\n{shown}"
    shown = f" ${formula}$" if formula else ""
    return rf"\noindent {words}{shown}{label}{reason}.{ending}\par".replace("  ", " ")


def _inner(line: CheckedLine) -> list[str]:
    """The lines of a block, case by case."""
    if not line.lines:
        return []
    found = [r"\begin{quote}"]
    if isinstance(line.step, Cases):
        for i, branch in enumerate(line.step.branches, start=1):
            inside = [c for c in line.lines if c.number.startswith(f"{line.number}.{i}.")]
            where = r",\ ".join(latex(r) for r in branch.where)
            found += [rf"\noindent Case ${where}$.\par", *_blocks(inside)]
    elif isinstance(line.step, Induction):
        for part, words in (("base", "Base."), ("step", "Step.")):
            inside = [c for c in line.lines if c.number.startswith(f"{line.number}.{part}.")]
            found += [rf"\noindent {words}\par", *_blocks(inside)]
    return [*found, r"\end{quote}"]


def _foot(report: Report) -> str:
    word = {Standing.PROVED: "Proved", Standing.CITED: "Shown, if what is cited holds",
            Standing.ARGUED: "Argued, not proved"}.get(report.standing, f"Not shown ({report.standing.value})")
    shown = _conclusion(report)
    wrong = report.first_wrong
    blame = ""
    if wrong is not None:
        blame = rf" The first wrong line is {wrong.number}: {text_latex(wrong.why)}."
    ending = "" if shown.endswith("\n") else ". "
    trust = str(report.trust)
    trusting = text_latex(sentence(trust)) if trust else ""
    return rf"\noindent {word}{shown}{ending}{trusting}{blame}".rstrip()


def _conclusion(report: Report) -> str:
    if report.conclusion is None:
        return ""
    tex = latex(report.conclusion)
    names = ", ".join(f"${latex(name)} = {latex(value)}$" for name, value in report.names)
    where = f" where {names}" if names else ""
    if width(tex) <= LINE:
        return f": ${tex}${where}"
    broken = break_lines(tex, LINE)
    shown = _sized(f"\\[\n{broken}\n\\]", broken_width(broken))
    return f":\n{shown}\n" + (f"{where.strip()}" if where else "")


# --- the terminal -------------------------------------------------------------------------------


def print_proof(proof: SourceProof, printed: Sequence[Report], repaired: Sequence[Report]) -> None:
    """The printed parts with their verdicts, then the repaired ones."""
    screen = Screen()
    screen.say(styled(f"{proof.id}  {plain(proof.title)}", "bold"))
    for heading, reports in (("as printed", printed), ("repaired", repaired)):
        for i, report in enumerate(reports, start=1):
            screen.say()
            screen.say(styled(f"{heading}, part {i} of {len(reports)}", "bold"))
            print_report(report)
    if proof.supports:
        screen.say()
        screen.say(f"it supports: {', '.join(proof.supports)}")


def print_report(report: Report) -> None:
    """The lines with their verdicts, then what is on trust."""
    screen = Screen()
    standing = report.standing
    title = report.derivation.title or "derivation"
    screen.say(styled(plain(title), "bold"), ": ", styled(standing.value, COLOURS[standing]))
    if report.domain:
        screen.say(f"for {report.domain}")
    widest = max((len(line.number) for line, _ in numbered(report.lines)), default=1)
    for line, depth in numbered(report.lines):
        colour = COLOURS[line.standing]
        said_why = plain(line.step.reason).removeprefix("(").removesuffix(")") \
            if line.step.reason.startswith("(") else plain(line.step.reason)
        reason = f"   ({said_why})" if said_why else ""
        screen.say(f"{line.number:>{widest}} ", styled(MARKS[line.standing], colour),
                   f" {'  ' * depth}{line.text}{reason}")
        if said := remarks(line):
            screen.say(f"{' ' * (widest + 3)}{'  ' * depth}", styled(said, colour))
    wrong = report.first_wrong
    if wrong is not None:
        place = f"line {wrong.step.line}" if wrong.step.line else f"step {wrong.number}"
        screen.say(f"the first wrong step is {wrong.number} ({place})")
    elif report.shown:
        words = {Standing.PROVED: "proved", Standing.CITED: "shown, if what is cited holds",
                 Standing.ARGUED: "argued, not proved"}
        screen.say(f"{words.get(standing, 'not yet shown')}: {report.shown}")
    elif report.turned:
        screen.say("the signs of the last chain point both ways: nothing is shown of its ends")
    if trust := str(report.trust):
        screen.say(trust)
    if report.goal is not None:
        screen.say(f"the kernel has one proof of: {report.goal}")
