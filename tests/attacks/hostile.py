r"""Fifty files that somebody might send in bad faith, and what a command must make of each.

They are made anew for each test, in a folder that has a secret beside it. ``CANARY`` stands for a file that only
code from one of them could make, ``SECRET`` for one that only a reader led astray would open.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CODE = "__import__('os').system('touch CANARY')"
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mproved\x1b[0m\u202e\u2028"
Make = Callable[[Path], object]


@dataclass(frozen=True)
class Hostile:
    """A file, how it is made, the command that meets it, and the exit codes that are right."""

    name: str
    make: Make
    #: FILE stands for the file, HERE for the folder it is in
    command: tuple[str, ...]
    codes: tuple[int, ...] = (2,)
    #: what one of the lines says
    says: str = ""
    #: nothing in it is proved
    false: bool = True
    #: cheap enough for every day
    quick: bool = field(default=False)


CHECK = ("check", "--file", "FILE", "--budget", "0.3")
RECHECK = ("recheck", "FILE", "--budget", "1")
DERIVE = ("derive", "FILE", "--budget", "0.3")
COMPOSE = ("compose", "--file", "FILE", "--target-delta", "1e-6")
NOTEBOOK = ("notebook", "new", "mine", "--claims", "FILE", "--out", "HERE/made")


def text(content: str) -> Make:
    return lambda path: path.write_text(content, encoding="utf-8")


def raw(content: bytes) -> Make:
    return lambda path: path.write_bytes(content)


def problem(claim: str, **further: Any) -> Make:
    lines = ["[[problem]]", f"claim = {json.dumps(claim)}",
             *(f"{key} = {json.dumps(value)}" for key, value in further.items())]
    return text("\n".join(lines) + "\n")


def lets(first: str, each: str, last: str, many: int) -> Make:
    """Names that stand for names: what the last one stands for is twice as large with every line."""
    return problem(last.format(many), let=[first, *(each.format(i, i - 1, i - 1) for i in range(1, many + 1))])


def link_to(target: str) -> Make:
    return lambda path: path.symlink_to(target.replace("HERE", str(path.parent)))


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as here:
        before = os.getcwd()
        os.chdir(path.parent)  # the name of a socket has to be short
        try:
            here.bind(path.name)
        finally:
            os.chdir(before)


def sparse(size: int) -> Make:
    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)
    return make


def certificate(**changes: Any) -> Make:
    """A certificate of format 4 for exp(x) >= 1 + x, with something else in it."""
    document = {"format": 4, "name": "x", "statement": "exp(x) >= 1 + x for every real x", "digest": "0" * 64,
                "goal": {"variables": [["x", "real"]], "families": [], "hypotheses": [],
                         "claim": {"is": "relation", "left": 1, "op": ">=", "right": 3}},
                "steps": [["lemma", {"name": "exp-tangent"}, []]], "uses": {},
                "terms": [["variable", "x"], ["exp", 0], ["number", "1/1"], ["+", 2, 0]]}
    return text(json.dumps({**document, **changes}))


def doubled(rows: int) -> list[list[Any]]:
    return [["variable", "x"], *(["+", i, i] for i in range(rows))]


def folder_of(**files: Make) -> Make:
    def make(path: Path) -> None:
        path.mkdir()
        for name, made in files.items():
            made(path / name.replace("__", "."))
    return make


def _derivation(*lines: str) -> Make:
    return text("\n".join(["assume: x \\ge 0", *lines]) + "\n")


FILES = (
    # --- no files at all
    Hostile("pipe.toml", os.mkfifo, CHECK, says="it is a pipe", quick=True),
    Hostile("pipe.json", os.mkfifo, RECHECK, says="it is a pipe", quick=True),
    Hostile("pipe.txt", os.mkfifo, DERIVE, says="it is a pipe", quick=True),
    Hostile("pipe.parts", os.mkfifo, COMPOSE, says="it is a pipe"),
    Hostile("zero.toml", link_to("/dev/zero"), CHECK, says="it is a device", quick=True),
    Hostile("zero.json", link_to("/dev/zero"), RECHECK, says="it is a device, not a file"),
    Hostile("zero.txt", link_to("/dev/zero"), DERIVE, says="it is a device"),
    Hostile("terminal.toml", link_to("/dev/tty"), CHECK, says="it is a device"),
    Hostile("socket.toml", listening, CHECK, says="it is a socket"),
    Hostile("folder.toml", Path.mkdir, CHECK, says="it is a folder", quick=True),
    Hostile("loop.toml", link_to("HERE/loop.toml"), CHECK, says="cannot be read"),
    Hostile("dangling.json", link_to("HERE/absent"), RECHECK, says="does not exist"),
    Hostile("secret.json", link_to("SECRET"), RECHECK, says="not JSON"),
    Hostile("large.toml", sparse(2**40), CHECK, says="larger than"),
    Hostile("large.json", sparse(2**40), RECHECK, says="it is larger than"),
    Hostile("endless.txt", link_to("/proc/self/environ"), DERIVE, says=""),
    # --- text that is none
    Hostile("latin.toml", raw(b'[[problem]]\nclaim = "\xff\xfe"\n'), CHECK, says="not UTF-8"),
    Hostile("nul.toml", raw(b'[[problem]]\nclaim = "x\0 >= 0"\n'), CHECK, says="", quick=True),
    Hostile("nul.txt", raw(b"state: x\0 \\ge 0\n"), DERIVE),
    Hostile("utf16.json", raw("{}".encode("utf-16")), RECHECK, (1,), says="no certificate"),
    Hostile("surrogate.json", text('{"format": 4, "name": "\\ud800", "statement": "\\udfff"}'), RECHECK, (1,)),
    Hostile("escapes.toml", text(f'[[problem]]\nname = {json.dumps("n" + ESCAPES)}\nclaim = "x >= {CODE}"\n'), CHECK),
    Hostile("line.toml", text('[[problem]]\nclaim = "' + "x+" * 200_000 + 'x >= 0"\n'), CHECK,
            says="line 2 has more"),
    Hostile("line.txt", text("state: " + "x+" * 200_000 + "x \\ge 0"), DERIVE, says="line 1 has more"),
    # --- depth
    Hostile("nested.toml", text("x = " + "[" * 50_000), CHECK, says="nested too deeply"),
    Hostile("nested.json", text("[" * 5_000_000), RECHECK, says="not JSON"),
    Hostile("objects.json", text('{"a":' * 100_000), RECHECK, says="not JSON"),
    Hostile("brackets.toml", problem("(" * 4000 + "x" + ")" * 4000 + " >= 0"), CHECK),
    Hostile("braces.txt", _derivation("state: " + "{" * 20_000 + "x" + "}" * 20_000 + " \\ge 0"), DERIVE),
    Hostile("powers.txt", _derivation("state: " + "x^{" * 3000 + "x" + "}" * 3000 + " \\ge 0"), DERIVE),
    Hostile("dotted.toml", text("a" + ".a" * 40_000 + " = 1\n"), CHECK, says="parts", quick=True),
    Hostile("dotted_inside.toml", text("".join("x" + ".a" * 9 + f" = {{{'b.' * 20_000}b = 1}}\n" for _ in range(3))),
            CHECK),
    Hostile("doubled.json", certificate(terms=doubled(190)), RECHECK, (1,)),
    # --- numbers
    Hostile("digits.toml", text("x = " + "9" * 90_000 + '\n[[problem]]\nclaim = "x>=0"\n'), CHECK,
            says="too many digits", quick=True),
    Hostile("digits.json", text("[" + "9" * 4_000_000 + "]"), RECHECK, says="not JSON"),
    Hostile("digits_in_claim.toml", problem("x >= " + "9" * 9000), CHECK),
    Hostile("tower.toml", problem("10^10^10^10 <= x"), CHECK, says="too large"),
    Hostile("root.toml", problem("2 + x^(1/10^20) <= 1 + x", where=["x >= 0"]), CHECK, (0, 1)),
    Hostile("degree.toml", problem("(1+x)^1000000 <= 1+1000000*x", where=["x >= 0"]), CHECK, (1,)),
    Hostile("exponent.parts", text("1e999999999 0 1\n"), COMPOSE),
    Hostile("count.parts", text("0.1 0 " + "9" * 80_000 + "\n"), COMPOSE),
    Hostile("row.json", certificate(terms=[["number", "9" * 3999 + "/" + "7" * 1000]]), RECHECK, (1,)),
    # --- what grows
    Hostile("laughs.toml", lets("a0 = x + 1", "a{} = a{} + exp(a{})", "a{} <= 0", 30), CHECK, says="grow too",
            quick=True),
    Hostile("laughs.txt", _derivation("let: a_0 = x + x^2", *(f"let: a_{{{i}}} = a_{{{i - 1}}} e^{{a_{{{i - 1}}}}}"
                                                           for i in range(1, 30)), "state: a_{29} < 0"),
            DERIVE, says="too large"),
    Hostile("conditions.toml", problem("x1 < 0", where=[f"x{i} >= {i}" for i in range(1000)]), CHECK,
            says="more than"),
    Hostile("chain.toml", problem("x1 < 0", where=[" < ".join(f"x{i}" for i in range(1000))]), CHECK,
            says="more than"),
    Hostile("sum.txt", _derivation("state: \\sum_{i=1}^{1000000000} i^2 x^i < 0"), DERIVE, (1, 2)),
    Hostile("factorial.txt", _derivation("state: 1000000! < x"), DERIVE),
    Hostile("variables.toml", problem(" + ".join(f"x{i}*x{i + 1}" for i in range(300)) + " >= 0"), CHECK, (1, 2)),
    Hostile("many.toml", text('[[problem]]\nclaim = "x"\n' * 10_001), CHECK, says="more than 10000 problems"),
    # --- code, and ways out of the folder
    Hostile("code.toml", problem(CODE), CHECK, quick=True),
    Hostile("code.txt", _derivation(r"state: \input{SECRET} x \ge \write18{touch CANARY}"), DERIVE),
    Hostile("name.toml", text(f'[[problem]]\nname = "../../{"n" * 300}"\nclaim = "x < x"\n'),
            (*CHECK, "--out", "HERE/made"), (1,)),
    Hostile("cells.toml", problem("x < 0", name=f'"""\n# %%\n{CODE}\n"""'), NOTEBOOK, (0, 2)),
    Hostile("mixed", folder_of(a__json=text("{"), b__json=os.mkfifo, c__json=link_to("SECRET"),
                               d__json=certificate(), e__json=Path.mkdir), RECHECK, says="not JSON"),
    Hostile("strings.bib", folder_of(a__bib=text('@string{a = "aaaaaaaaaaaaaaaa"}\n' + "\n".join(
        f"@string{{a{i} = a{i - 1 if i else ''} # a{i - 1 if i else ''}}}" for i in range(60)))),
        ("--literature", "FILE", "latex", "kov/thm-3.1", "--document"), (0,), says="too long", false=False),
    Hostile("pipe.bib", folder_of(a__bib=os.mkfifo, b__bib=link_to("/dev/zero"), c__bib=raw(b"\xff")),
            ("--literature", "FILE", "latex", "kov/thm-3.1", "--document"), (0,), says="it is a pipe", false=False),
)
