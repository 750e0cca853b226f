"""The answers of accountants as a page of its own, without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symdp.privacy.accountants.asking import VERDICTS, PeerAnswer, summary

STYLE = """body{font-family:sans-serif;max-width:80em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3em .6em;text-align:left;
vertical-align:top}.sound{color:#176117}.loose{color:#8a5a00}.unsound{color:#b00020;font-weight:bold}.fails{color:#b00020}
code{font-size:85%;overflow-wrap:anywhere}"""
HEADINGS = ("composition", "the truth is between", "accountant", "returned", "verdict", "call")


def page(answers: Sequence[PeerAnswer]) -> str:
    """All answers as one HTML document."""
    rows = "\n".join(_row(answer) for answer in answers)
    counts = "\n".join(f"<tr><td>{escape(name)}</td>{''.join(f'<td>{row[v]}</td>' for v in VERDICTS)}</tr>"
                       for name, row in summary(answers).items())
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Accountants beside enclosures</title><style>{STYLE}</style></head>
<body><h1>Accountants beside enclosures</h1>
<p>What accountants return as the smallest epsilon, beside two numbers between which it certainly lies. A bound below
the truth is unsound; one that is above by more than a hundredth is loose.</p>
<table><thead><tr><th>accountant</th>{''.join(f'<th>{v}</th>' for v in VERDICTS)}</tr></thead>
<tbody>{counts}</tbody></table>
<h2>All answers</h2>
<table><thead><tr>{''.join(f'<th>{name}</th>' for name in HEADINGS)}</tr></thead>
<tbody>{rows}</tbody></table></body></html>
"""


def _row(answer: PeerAnswer) -> str:
    by = f" by {float(answer.by):.3g}" if answer.by and answer.verdict in ("loose", "unsound") else ""
    cells = (escape(answer.case), f"{escape(answer.lower)}<br>{escape(answer.upper)}",
             escape(f"{answer.accountant} {answer.version}, {answer.way}"), escape(answer.returned),
             f'<span class="{answer.verdict}">{answer.verdict}{by}</span>', f"<code>{escape(answer.call)}</code>")
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
