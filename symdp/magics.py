r"""``%load_ext symdp``: claims and derivations in a cell of their own.

``%check exp(x) >= 1 + x --where 'x > 0'`` settles a claim, with the options of ``symdp check``; ``%%derive`` takes
the rest of its cell as a derivation, which is checked line by line. Both return what the functions of these names
return, so that it can be given a name and looked at.
"""

from __future__ import annotations

import argparse
import shlex
from typing import Any, NoReturn

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from symdp import prompt
from symdp.arguments.derivations.report import Report
from symdp.search.verdict import Verdict


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


def _options(prog: str) -> _Options:
    made = _Options(prog=prog, add_help=False, allow_abbrev=False)
    made.add_argument("--budget", type=float, default=10.0)
    return made


@magics_class
class SymdpMagics(Magics):
    """The two magics."""

    @line_magic("check")  # type: ignore[arg-type]
    def check(self, line: str) -> Verdict:
        """Settle a claim: %check L <= R [--where COND] [--let NAME=EXPR] [--integer NAME] [--budget SECONDS]"""
        parser = _options("%check")
        for name in ("--where", "--let", "--integer"):
            parser.add_argument(name, action="append", default=[])
        claim, dashes, rest = line.partition(" --")
        if not claim.strip():
            raise UsageError("%check: give a claim, such as %check exp(x) >= 1 + x --where 'x > 0'")
        given = parser.parse_args(shlex.split(dashes + rest))
        return prompt.check(claim.strip(), given.where, let=given.let, integer=given.integer, budget=given.budget)

    @cell_magic("derive")  # type: ignore[arg-type]
    def derive(self, line: str, cell: str) -> Report | list[Report]:
        """Check the derivation in this cell line by line: %%derive [--budget SECONDS] [--sharpen]"""
        parser = _options("%%derive")
        parser.add_argument("--sharpen", action="store_true")
        given = parser.parse_args(shlex.split(line))
        return prompt.derive(cell, budget=given.budget, sharpen=given.sharpen)


def load(shell: Any) -> None:
    shell.register_magics(SymdpMagics)
