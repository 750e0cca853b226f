"""The reference pages that are generated: the commands, their JSON, and what is in a certificate.

>>> print(commands_page().splitlines()[0])
# Every command
>>> print(certificates_page().splitlines()[0])
# What is in a certificate
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symdp.cli.app import COMMANDS
from symdp.cli.pages import ROOT, run
from symdp.kernel.certificate import FORMAT
from symdp.kernel.lemmas import documents
from symdp.kernel.proof import RULES, TRUST
from symdp.kernel.rules import every_rule

#: For each command that prints JSON, one that shows all of its keys and takes no time.
SHOWN = {
    "check": "symdp check 'exp(x) <= 2' --where 'x >= 0' --format json",
    "suggest": "symdp suggest 'exp(x) <= 3' --where 'x >= 0' --format json",
    "sharpest": "symdp sharpest 'x^2 <= c' --over c --where '0 <= x <= 1' --format json",
    "expand": "symdp expand 'log(1+x)' --variable x --order 3 --format json",
    "derive": "symdp derive docs/examples/tail-bound.txt --format json",
    "lint": "symdp lint docs/examples/paper/draft.tex --format json",
    "compose": "symdp compose --epsilon 0.1 --delta 0.001 --count 30 --target-delta 0.05 --format json",
    "calibrate": "symdp calibrate --epsilon 0.9 --delta 1e-6 --count 100 --mechanism laplace --format json",
    "list": "symdp list --source note --format json",
    "show": "symdp show kov/thm-3.4.simplified --format json",
    "errata": "symdp errata kov/sec-3.1.slack-smaller --format json",
    "recheck": "symdp recheck certificates --format json",
}


def commands_page() -> str:
    """Markdown: a section for each command, with its help as a terminal shows it."""
    parts = ["# Every command", "", "What each command says of itself with `--help`.", ""]
    for command in COMMANDS:
        parts += [f"## symdp {command.name}", "", "```text", run(f"symdp {command.name} --help"), "```", ""]
    return "\n".join(parts)


def json_page() -> str:
    """Markdown: for each command, the keys of a document that it has just printed."""
    parts = ["# The keys of every document", "",
             "Written from what these commands print; `[]` stands for the entries of a list.", ""]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "docs").symlink_to(ROOT / "docs")
        run("symdp check 'exp(x) >= 1 + x' --out certificates", folder)
        for name, command in SHOWN.items():
            told = run(command, folder)
            document = json.loads(told[told.index("{"):told.rindex("}") + 1])
            parts += [f"## symdp {name}", "", "```text", f"$ {command}", "```", "",
                      "| key | kind | here |", "|---|---|---|",
                      *(f"| `{key}` | {kind} | {shown} |"
                        for key, (kind, shown) in sorted(keys_of(document).items())), ""]
    return "\n".join(parts)


def certificates_page() -> str:
    """Markdown: the rules of the kernel, and its lemmas."""
    registered = sorted(name for name in RULES if RULES[name].__module__.rpartition(".")[2] in every_rule.__all__)
    rules = [f"| `{name}` | {_first(RULES[name].__doc__)} | {', '.join(sorted(TRUST[name])) or 'nothing'} |"
             for name in registered]
    lemmas = [f"| `{name}` | {document['statement']} |".replace("*", "\\*")
              for name, document in sorted(documents().items())]
    return "\n".join([
        "# What is in a certificate", "",
        f"The format is number {FORMAT}. A step of a proof is the name of a rule, its parameters, and the steps that "
        "it rests on. The checker knows these rules and no others:", "",
        "| rule | what it shows | cites |", "|---|---|---|", *rules, "",
        "These lemmas may be used by name; each has a proof by the rules above, which the checker replays:", "",
        "| lemma | says |", "|---|---|", *lemmas, ""])


def keys_of(document: Any, at: str = "") -> dict[str, tuple[str, str]]:
    """Each key of a document, with the kind of its value and one such value.

    >>> keys_of({"a": 1, "b": [{"c": "x"}]})
    {'a': ('number', '1'), 'b': ('list', ''), 'b[].c': ('text', '`x`')}
    """
    return dict(_keys(document, at))


def _keys(document: Any, at: str) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(document, dict):
        for key, value in document.items():
            path = f"{at}.{key}" if at else str(key)
            yield path, (_kind(value), _shown(value))
            yield from _keys(value, path)
    elif isinstance(document, list):
        for value in reversed(document):  # so that the first of them is the one that is shown
            yield from _keys(value, f"{at}[]")


def _kind(value: Any) -> str:
    kinds = {dict: "object", list: "list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "number")


def _shown(value: Any) -> str:
    if isinstance(value, dict | list) or value is None or value == "":
        return ""
    text = " ".join(str(value).split()).replace("|", "\\|")
    if isinstance(value, bool | int | float):
        return str(value).lower()
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def _first(doc: str | None) -> str:
    """The first sentence of a docstring, for a cell of a table."""
    text = " ".join((doc or "").strip().split("\n\n")[0].split())
    return text.replace("|", "\\|").replace("``", "`").replace(":func:", "")
