"""The command line: the names of the commands, each in a module that is imported when it is called."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from symdp import __version__
from symdp.cli.console import BadInput, tell
from symdp.folders import FOLDERS, BrokenFile
from symdp.watched import GIGABYTE, MEMORY, bounded

#: By whatever name it was started: completion is asked for by this one.
PROGRAM = "symdp"
#: The exit code of a command that was interrupted.
INTERRUPTED = 130


class Deferred(TyperCommand):
    """A command that is not imported yet: the help page needs its name and one line only."""

    def __init__(self, name: str, module: str, line: str) -> None:
        super().__init__(name, help=line)
        self.module = f"symdp.cli.commands.{module}"

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return self.command.make_context(info_name, args, parent, **extra)

    @property
    def command(self) -> Any:
        """The command itself, which is the function of its name in its module, or a group of them."""
        module = vars(import_module(self.module))
        group = module.get(str(self.name))
        if isinstance(group, typer.Typer):
            return get_command(group)
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        alone.command(self.name)(module.get(f"{self.name}_command") or module[str(self.name)])
        return get_command(alone)


#: What people come for, and the commands for it, in the order of the help page.
TASKS: dict[str, tuple[Deferred, ...]] = {
    "Settle a claim of your own": (
        Deferred("check", "claims", "Settle a claim of your own, or a file of them."),
        Deferred("suggest", "claims", "The weakest simple repairs of a claim that fails, each proved."),
        Deferred("sharpest", "claims", "The best constant, or the exact threshold, for which a claim holds."),
        Deferred("expand", "expansions", "An expansion, with a constant and a neighbourhood for its remainder."),
        Deferred("derive", "derivations",
                 "Check a derivation line by line, or a proof of the sources: as printed, then repaired."),
    ),
    "Check a paper": (
        Deferred("lint", "lint", "A verdict for every relation of a LaTeX document, at its place."),
        Deferred("lsp", "lsp", "Lint papers live in an editor: a language server on standard input and output."),
    ),
    "Count privacy": (
        Deferred("compose", "accounting",
                 "The exact privacy of a composition, as numbers with their digits certain."),
        Deferred("calibrate", "accounting", "The noise that is really enough, beside what the theorems prescribe."),
        Deferred("accountants", "accountants",
                 "What other accountants return for the same compositions, and whether it is a bound."),
    ),
    "Look up the literature": (
        Deferred("list", "listing", "The statements and claims."),
        Deferred("show", "known", "A statement: formulas, hypotheses, claims with verdicts, reference."),
        Deferred("errata", "known", "The refuted claims, each with its witness and its correction."),
        Deferred("audit", "auditing", "Settle the claims of the literature, and write their certificates."),
    ),
    "Trust nobody": (
        Deferred("recheck", "certificates", "Replay certificates, without the search."),
        Deferred("formal", "formal",
                 "Write certificates as Coq files, one theorem each; with --check, Coq accepts or refuses them."),
    ),
    "Write and teach": (
        Deferred("latex", "papers",
                 "Statements, tables of bounds, proofs and errata as LaTeX that compiles with pdflatex."),
        Deferred("figure", "figures",
                 "Draw a figure of the sources, compare bounds, or show where a claim holds and fails."),
        Deferred("notebook", "notebooks",
                 "Write the notebooks from the statements, and run them; or one for claims of your own."),
        Deferred("report", "page", "The audit as one self-contained page."),
        Deferred("new", "new", "Begin a theorem or a mechanism of your own: a template that passes."),
    ),
}
COMMANDS = tuple(command for commands in TASKS.values() for command in commands)


class Front(TyperGroup):
    """The program: its help page has the commands by what people come for, each with its whole line."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        column = max(len(str(command.name)) for command in COMMANDS)
        for task, commands in TASKS.items():
            with formatter.section(task):
                formatter.write_dl([(f"{command.name:{column}}", str(command.help)) for command in commands])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write("\nTry:\n")
        for example in EXAMPLES:
            formatter.write(f"  {example}\n")
        formatter.write("\n`symdp COMMAND --help` says what a command takes.\n"
                        "`symdp --install-completion` teaches the commands, options and ids to this shell.\n")


#: What a first reader can type at once.
EXAMPLES = ("symdp check 'log(1+x) <= x' --where 'x > -1'",
            "symdp show kov/thm-3.4",
            "symdp compose --epsilon 0.1 --delta 0.001 --count 30 --target-delta 0.05",
            "symdp lint paper.tex")

front = typer.Typer(name="symdp", cls=Front, pretty_exceptions_enable=False, rich_markup_mode=None)


def _version(asked: bool) -> None:
    if asked:
        tell(f"symdp {__version__}")
        raise typer.Exit


@front.callback()
def common(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                          help="print the version, and leave")] = False,
    literature: Annotated[list[Path] | None, typer.Option(
        metavar="DIR", help="a folder of statements and mechanisms of your own; may be repeated")] = None,
) -> None:
    """The composition theorems of differential privacy, executable."""
    if literature:
        os.environ[FOLDERS] = os.pathsep.join(
            [*map(str, literature), *filter(None, [os.environ.get(FOLDERS, "")])])


app: Any = get_command(front)
app.commands = {command.name: command for command in COMMANDS}


def main(arguments: list[str] | None = None) -> None:
    """Run, and turn every kind of bad input into one line and exit code 2."""
    before = os.environ.get(FOLDERS, "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", BrokenFile)
            warnings.showwarning = _show
            code = app((sys.argv[1:] if arguments is None else arguments) or ["--help"], standalone_mode=False,
                       prog_name=PROGRAM)
    except BadInput as reason:
        _fail(str(reason))
    except (typer.Abort, KeyboardInterrupt):
        _fail("stopped; what was written before is whole", INTERRUPTED)
    except typer.TyperException as reason:
        _fail(str(reason.format_message()))
    except Exception as reason:
        from symdp.cli.complaints import complaint  # noqa: PLC0415 - start-up: it knows the errors of all rooms

        message = complaint(reason)
        if message is None:
            raise
        _fail(message)
    finally:
        os.environ[FOLDERS] = before  # --literature is for this command alone
    sys.exit(code if isinstance(code, int) else 0)


def _show(message: Warning | str, category: type[Warning], filename: str, lineno: int,
          file: TextIO | None = None, line: str | None = None) -> None:
    """A broken file of the user's is one line; other warnings are shown as Python shows them."""
    if isinstance(message, BrokenFile):
        tell(f"symdp: warning: {' '.join(str(message).split())}", err=True)
    else:
        tell(warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False)


def _fail(message: str, code: int = 2) -> NoReturn:
    line = " ".join(message.split())
    tell(f"symdp: {line}", err=True)
    sys.exit(code)


def guarded() -> None:
    """The program itself: the command in a process whose memory is bounded, whatever it does and in whatever code.

    A claim or a certificate has a process of its own within it, with the same bound, and is given up alone.
    """
    if not hasattr(os, "fork"):
        main()
    code = bounded(main, _memory(sys.argv[1:]))
    if code is None:
        _fail("the command was stopped: it took all of its memory; --memory allows more, in gigabytes")
    sys.exit(code)


def _memory(arguments: list[str]) -> int:
    """The bound in bytes, looked for before anything is read: what is malformed the command itself will refuse."""
    words = [word for argument in arguments for word in argument.split("=", 1)]
    for option, value in pairwise(words):
        if option == "--memory":
            with suppress(ValueError, OverflowError):
                return max(MEMORY // 8, int(float(value) * GIGABYTE))
    return MEMORY
