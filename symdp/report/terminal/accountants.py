"""What ``symdp accountants`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdp.privacy.accountants.asking import VERDICTS, PeerAnswer
from symdp.report.terminal.screen import Screen, styled

STYLES = {"sound": "green", "loose": "yellow", "unsound": "bold red", "fails": "red"}
#: A returned number is shown as it is; a long complaint is cut.
LONG = 40


def print_answers(answers: Sequence[PeerAnswer], counts: Mapping[str, Mapping[str, int]]) -> None:
    """By case, with the truth first; then how often which verdict was reached, and the calls that are unsound."""
    screen = Screen()
    before = ""
    for answer in answers:
        if answer.case != before:
            screen.say(styled(answer.case, "bold"))
            screen.say(f"  between {answer.lower}\n      and {answer.upper}")
            before = answer.case
        by = f" by {float(answer.by):.3g}" if answer.by and answer.verdict in ("loose", "unsound") else ""
        screen.say("  ", styled(f"{answer.verdict}{by}", STYLES[answer.verdict]),
                   f"  {answer.accountant} {answer.version}, {answer.way}: {answer.returned[:LONG]}")
    screen.say()
    screen.table(("accountant", *VERDICTS), [(name, *(row[v] for v in VERDICTS)) for name, row in counts.items()])
    unsound = [answer for answer in answers if answer.verdict == "unsound"]
    if unsound:
        screen.say()
        screen.say("returned less than the truth:")
        for answer in unsound:
            screen.say(f"  {answer.accountant}: {answer.call}")
