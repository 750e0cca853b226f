"""The reference page of the commands: what each says of itself.

>>> print(commands_page().splitlines()[0])
# Every command
"""

from __future__ import annotations

from symdp.cli.app import COMMANDS
from symdp.cli.pages import run


def commands_page() -> str:
    """Markdown: a section for each command, with its help as a terminal shows it."""
    parts = ["# Every command", "", "What each command says of itself with `--help`.", ""]
    for command in COMMANDS:
        parts += [f"## symdp {command.name}", "", "```text", run(f"symdp {command.name} --help"), "```", ""]
    return "\n".join(parts)
