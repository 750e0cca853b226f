r"""A derivation and its report for people: plain lines for a terminal, Markdown for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from symdp.arguments.derivations.standing import COLOURS, MARKS, Standing
from symdp.formulas.relation import Relation
from symdp.sources.derivations.lines import Cite, Lemma, Let, Line, Link, Start, Suppose, With
from symdp.typeset.prose import markdown, sentence
from symdp.typeset.typesetting import latex

if TYPE_CHECKING:
    from symdp.arguments.derivations.report import CheckedLine, Report
    from symdp.sources.derivations.derivation import Derivation
    from symdp.sources.derivations.source_proof import SourceProof

OPERATORS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "="}


def remarks(line: CheckedLine) -> str:
    """What there is to say beside a line: why it fails, which words it rests on, or what it gives away."""
    parts = list(line.notes)
    if line.standing is Standing.ARGUED:
        parts = [f"argued: {text}" for text in line.words if text != line.text] + parts
    elif line.standing is Standing.CITED and line.citation is not None:
        parts.insert(0, f"cited: {line.citation}")
    elif line.standing not in (Standing.PROVED, Standing.GIVEN) and line.why:
        parts.insert(0, line.why)
    if line.loss is not None:
        parts.append(str(line.loss))
    return "; ".join(parts)


def numbered(lines: Iterable[CheckedLine], depth: int = 0) -> Iterator[tuple[CheckedLine, int]]:
    """Every line with the depth at which it stands."""
    for line in lines:
        yield line, depth
        yield from numbered(line.lines, depth + 1)


def report_lines(report: Report) -> list[str]:
    """The report as plain lines."""
    rows = [f"{report.derivation.title or 'derivation'}: {report.standing.value}"]
    widest = max((len(line.number) for line, _ in numbered(report.lines)), default=1)
    for line, depth in numbered(report.lines):
        reason = f"   [{line.step.reason}]" if line.step.reason else ""
        text = f"  {line.number:>{widest}} {MARKS[line.standing]}  {'  ' * depth}{line.text}{reason}"
        said = remarks(line)
        rows.append(f"{text}; {said}" if said else text)
    if report.shown:
        scope = f", for {report.domain}" if report.domain else ""
        word = {Standing.PROVED: "proved", Standing.ARGUED: "argued"}.get(report.standing, "claimed")
        rows.append(f"{word}: {report.shown}{scope}")
    trust = str(report.trust)
    return [*rows, trust] if trust else rows


# --- formulas ---------------------------------------------------------------------------------


def step_latex(step: Line, relation: Relation | None = None) -> str:
    r"""The formula of a step, without words around it.

    >>> from symdp.formulas.notation import eps
    >>> print(step_latex(Link("<=", eps**2)))
    \le \varepsilon^{2}
    """
    if isinstance(step, Start):
        return latex(step.expr)
    if isinstance(step, Link):
        return f"{OPERATORS[step.op]} {latex(step.expr)}"
    if isinstance(step, Let | With):
        return f"{latex(step.name)} = {latex(step.expr)}"
    if isinstance(step, Suppose):
        return r",\ ".join(latex(r) for r in step.relations)
    said = getattr(step, "relation", None) or (None if isinstance(step, Cite) else relation)
    scope = r",\ ".join(latex(r) for r in step.where) if isinstance(step, Lemma) else ""
    scope = r"\quad\text{for }" + scope if scope else ""
    return f"{latex(said)}{scope}" if said is not None else ""


WORDS = {"let": "Let", "with": "With", "suppose": "Suppose", "implies": "Hence", "lemma": "Lemma",
         "cases": "By cases:", "induction": "By induction:", "expect": "On average:",
         "conclude": "So", "state": ""}


def step_words(step: Line) -> str:
    """The words before the formula."""
    if isinstance(step, Cite):
        return f"{step.says} [{step.reference}]" if step.reference else step.says
    if getattr(step, "both_ways", False):
        return "Equivalently"
    word = WORDS.get(step.kind, "")
    return f"{word} ({step.label})" if step.kind == "lemma" else word


# --- Markdown ---------------------------------------------------------------------------------


def derivation_markdown(derivation: Derivation) -> str:
    """A derivation before it is checked."""
    rows = [f"**{markdown(derivation.title or 'Derivation')}**", "", *_assumptions(derivation),
            "| | line | reason |", "|---|---|---|"]
    for i, step in enumerate(derivation.steps, start=1):
        rows.append(f"| {i} | {_cell(step, None)} | {_safe(step.reason)} |")
    return "\n".join(rows)


def proof_markdown(proof: SourceProof) -> str:
    """A proof of a source before it is checked: its printed parts, then those that repair it."""
    rows = [f"### {markdown(proof.title)} ({proof.place.label})"]
    for heading, parts in (("As printed", proof.printed), ("Repaired", proof.repaired)):
        if parts:
            rows += [f"#### {heading}", *(derivation_markdown(part) for part in parts)]
    return "\n\n".join(rows)


def report_markdown(report: Report) -> str:
    """Every line with its verdict beside the formula, and what is on trust below."""
    title = markdown(report.derivation.title or "Derivation")
    rows = [f"**{title}**: {report.standing.value}", "", *_assumptions(report.derivation),
            "| | | line | reason | |", "|---|---|---|---|---|"]
    for line, depth in numbered(report.lines):
        mark = f'<span style="color:{COLOURS[line.standing]}">{MARKS[line.standing]}</span>' \
            if line.standing is not Standing.GIVEN else ""
        shift = "&emsp;" * depth
        rows.append(f"| {line.number} | {mark} | {shift}{_cell(line.step, line.relation)} | "
                    f"{_safe(line.step.reason)} | {_safe(remarks(line))} |")
    if trust := str(report.trust):
        rows += ["", markdown(sentence(trust))]
    return "\n".join(rows)


def _assumptions(derivation: Derivation) -> list[str]:
    if not derivation.where and not derivation.integers:
        return []
    parts = [f"${latex(r)}$" for r in derivation.where]
    parts += [f"${latex(v)}\\in\\mathbb{{Z}}$" for v in sorted(derivation.integers, key=str)]
    return [f"For {', '.join(parts)}:", ""]


def _cell(step: Line, relation: Relation | None) -> str:
    formula = step_latex(step, relation)
    words = markdown(step_words(step)).replace("|", "\\|")
    # A bar inside a formula would end the cell of a Markdown table.
    shown = formula.replace("\\left|", "\\left\\vert ").replace("\\right|", "\\right\\vert ")
    shown = shown.replace("|", "\\vert ")
    return f"{words} $\\displaystyle {shown}$".strip() if formula else words


def _safe(text: str) -> str:
    return markdown(text).replace("|", "\\|").replace("\\\\|", "\\|")


__all__ = ["derivation_markdown", "numbered", "proof_markdown", "remarks", "report_lines",
           "report_markdown", "step_latex", "step_words"]
