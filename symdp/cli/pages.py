r"""The README and the pages in docs: their outputs and counts are written by running what they show.

In a block of kind ``console`` each line that begins with ``$`` is a command, and what follows is what it prints; a
line ``...`` stands for lines that are left out. Blocks of kind ``python`` with ``>>>`` are doctests. Between two
marks, ``<!-- counts -->`` and ``<!-- end -->``, stand the counts of claims and verdicts; between
``<!-- findings: ID ID ... -->`` and ``<!-- end -->`` a table of these claims, each with its verdict; between
``<!-- map: SOURCE -->`` and ``<!-- end -->`` the map from that source to the code; between ``<!-- slips: GROUP -->``
and ``<!-- end -->`` the slips of a group; between ``<!-- accountants: FILE -->`` and ``<!-- end -->`` how often other
accountants were sound, from FILE in docs, which ``symdp accountants --format json`` printed.

>>> page = "```console\n$ symdp check 'x <= x + 1'\nx <= x + 1   for x real\n...\n  kernel rules: ...; 0.10 s\n```"
>>> [command.text for command in commands(page)]
["symdp check 'x <= x + 1'"]
>>> matches("one\n...\n  kernel; 0.10 s", "one\ntwo\nthree\n  kernel; 7.25 s")
True
>>> matches("one\n...\nfour", "one\ntwo\nthree")
False

``python -m symdp.cli.pages`` rewrites what differs, with ``--check`` it only says so.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from symdp import folders
from symdp.audit.coq_verdicts import with_coq
from symdp.audit.memory import recall_marked
from symdp.audit.record import path_of
from symdp.cli.app import main as symdp
from symdp.incoming import text_of
from symdp.privacy.accountants.asking import VERDICTS
from symdp.privacy.mechanisms import registry as kinds
from symdp.report.paper_to_code import as_markdown
from symdp.sources import bibliography, registry
from symdp.sources.registry import claim, claims, statement, statements
from symdp.sources.slips import slips

ROOT = Path(__file__).resolve().parents[2]
AUDIT = ROOT / "build" / "certificates"
WIDTH = "110"
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COUNTS = re.compile(r"(<!-- counts[^>]*-->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_FINDINGS = re.compile(r"(<!-- findings: ([^>]*?) -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_MAP = re.compile(r"(<!-- map: (\w+) -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_SLIPS = re.compile(r"(<!-- slips: (\w+) -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_ACCOUNTANTS = re.compile(r"(<!-- accountants: ([\w.-]+) -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_SECONDS = re.compile(r"\b\d+(\.\d+)? s\b|(?<=  )\d+\.\d\d(?=$|  )")
#: A run of accountants of more bytes is not read.
LARGEST_RUN = 1_000_000
#: The words for verdicts, in the order in which they are told.
_VERDICTS = ("proved", "refuted", "argued", "supported", "cited", "drawn", "derived", "undecided", "error")


@dataclass(frozen=True)
class Command:
    """A command of a page, what it is shown to print, and where that stands."""

    text: str
    shown: str
    start: int
    end: int


def pages() -> list[Path]:
    """The README and what it points to."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(p for p in (ROOT / "docs").rglob("*.md")
                                                                          if "generated" not in p.parts)]


def commands(text: str) -> Iterator[Command]:
    """The commands of a page."""
    for block in _BLOCK.finditer(text):
        if block.group(1) == "console":
            lines = block.group(2).splitlines(keepends=True)
            starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
            for i, after in zip(starts, [*starts[1:], len(lines)], strict=True):
                start = block.start(2) + sum(map(len, lines[:i + 1]))
                shown = "".join(lines[i + 1:after])
                yield Command(lines[i][2:].strip(), shown, start, start + len(shown))


def run(command: str, folder: Path | None = None) -> str:
    """What a command of ours prints, in that folder or in this one, on a terminal of a fixed width."""
    name, *arguments = shlex.split(command)
    if name != "symdp":
        raise ValueError(f"{command!r} is not run here; show it in a block of another kind")
    for found in (folders.read, bibliography._read, registry._known, kinds._known):
        found.cache_clear()  # an earlier command may have written a file
    printed, before, environment = io.StringIO(), Path.cwd(), dict(os.environ)
    folder = folder or before
    os.chdir(folder)
    os.environ["COLUMNS"] = WIDTH
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            symdp(arguments)
    except SystemExit:
        pass
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)
    told = printed.getvalue().replace(f"{folder.resolve()}/", "").replace(f"{folder}/", "")
    return "\n".join(line.rstrip() for line in told.splitlines())


def matches(shown: str, printed: str) -> bool:
    """Whether it is what is shown, times and what is left out aside."""
    def plain(text: str) -> list[str]:
        return [re.sub(r" +…", " …", _SECONDS.sub("…", line.rstrip())) for line in text.strip("\n").splitlines()]

    pattern = r"\n".join(
        r"(?:.*\n)*?.*" if line == "..." else r".*".join(map(re.escape, line.split("...")))
        for line in plain(shown))
    return re.fullmatch(pattern, "\n".join(plain(printed))) is not None


@contextlib.contextmanager
def somewhere() -> Iterator[Path]:
    """A folder to run commands in, with the examples that the pages speak of."""
    with tempfile.TemporaryDirectory() as folder:
        if (ROOT / "docs").is_dir():
            shutil.copytree(ROOT / "docs", Path(folder) / "docs")
        yield Path(folder)


def rewritten(text: str) -> str:
    """The page, with what its commands print now and with today's counts."""
    with somewhere() as folder:
        printed_by = [(command, run(command.text, folder)) for command in commands(text)]
        for command, printed in reversed(printed_by):  # from the end, so that places stay what they are
            if not matches(command.shown, printed):
                text = text[:command.start] + printed + "\n" * bool(printed) + text[command.end:]
    text = _FINDINGS.sub(lambda found: found[1] + findings(found[2].split(), found[3]) + found[4], text)
    text = _MAP.sub(lambda found: found[1] + mapped(found[2], found[3]) + found[4], text)
    text = _SLIPS.sub(lambda found: found[1] + told_slips(found[2]) + found[4], text)
    text = _ACCOUNTANTS.sub(lambda found: found[1] + told_accountants(found[2]) + found[4], text)
    return _COUNTS.sub(lambda found: found.group(1) + counted(found.group(2)) + found.group(3), text)


def findings(ids: Sequence[str], shown: str) -> str:
    """A table of claims: what each says, and its verdict in the last audit, or else the one that is shown.

    >>> print(findings(["kov/thm-3.1"], "| `kov/thm-3.1` | | | proved |").splitlines()[-1])
    | `kov/thm-3.1` | Theorem 3.1 | the parameters add up under adaptive composition | proved |
    """
    earlier = dict(re.findall(r"^\| `([^`]+)` \|.* \| ([\w ]+) \|$", shown, re.MULTILINE))
    known = {**earlier, **_verdicts()}
    rows = (f"| `{id}` | {statement(id).place.label} | {claim(id).says.replace('|', '&#124;')} "
            f"| {known.get(id, 'not settled yet')} |" for id in ids)
    return "\n".join(["| claim | where | what it says | verdict |", "|---|---|---|---|", *rows])


def mapped(source: str, shown: str) -> str:
    """The map of a source to the code, with the verdicts of the last audit, or else those that are shown."""
    earlier = dict(re.findall(r"\| `([^`]+)` \| ([\w ]+) \|", shown))
    return as_markdown(source, {**earlier, **_verdicts()})


def told_accountants(name: str) -> str:
    """How often which verdict was reached, by accountant, in a run that is kept in docs."""
    kept = json.loads(text_of(ROOT / "docs" / name, LARGEST_RUN))
    rows = [f"| {who} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |"
            for who, counts in kept["summary"].items()]
    return "\n".join(["| accountant | " + " | ".join(VERDICTS) + " |", "|---|" + "---|" * len(VERDICTS), *rows])


def told_slips(group: str) -> str:
    """The slips of a group (findings, meant or extraction), each with the claims that fall with it.

    >>> told_slips("extraction").splitlines()[0]
    '| slip | what is wrong | claims that fall with it |'
    """
    chosen = [s for s in slips() if group == (
        "findings" if s.counts else "extraction" if s.provenance == "extraction" else "meant")]
    meant = group == "meant"
    rows = ["| slip | what is wrong | " + ("as meant | " if meant else "") + "claims that fall with it |",
            "|---|---|" + ("---|" if meant else "") + "---|"]
    rows += [f"| {s.name} | {s.says} | " + (f"{s.meant} | " if meant else "")
             + ", ".join(f"`{id}`" for id in s.claims) + " |" for s in chosen]
    return "\n".join(rows)


def counted(shown: str) -> str:
    """The sentences with the counts; the verdicts are those of the last audit, or stay as they are shown."""
    roles = Counter(claim.role for claim in claims())
    sources = len({s.source.key for s in statements()})
    known = (f"The {sources} sources are {len(statements())} statements with {roles['printed']} claims as printed; "
             f"{roles['corrected']} corrected and {roles['sharper']} sharper forms stand beside them.")
    earlier, _, by_coq = shown.partition("audit:")[2].partition("Checked by Coq")
    verdicts = _audited() or {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", earlier)}
    said = ", ".join(f"{verdicts[word]} {word}" for word in _VERDICTS if verdicts.get(word))
    number = _checked_by_coq() if _audited() else int((re.findall(r"(\d+)", by_coq) or ["0"])[0])
    also = f"\nChecked by Coq as well: {number} of those proved or refuted." if number else ""
    return f"{known}\nThe last audit: {said}.{also}"


def _checked_by_coq() -> int:
    """How many verdicts of the last audit have a theorem of Coq behind them."""
    found = [(claim, path_of(AUDIT, claim.id)) for claim in claims()]
    records = [(recall_marked(claim, 0, path), claim, path) for claim, path in found]
    return sum(with_coq(record, claim, path).by_coq for record, claim, path in records if record is not None)


def _audited() -> dict[str, int] | None:
    """How often each verdict was given, if an audit of all claims lies there."""
    verdicts = _verdicts()
    return Counter(verdicts.values()) if len(verdicts) == len(claims()) else None


def _verdicts() -> dict[str, str]:
    """The verdicts of the last audit, by the ids of the claims, as far as this user made it with this toolkit."""
    if not AUDIT.is_dir():
        return {}
    records = (recall_marked(claim, 0, path_of(AUDIT, claim.id)) for claim in claims())
    return {record.name: record.verdict for record in records if record is not None}


def complaints(text: str, name: str = "the page") -> list[str]:
    """What a page shows that is not so: commands, doctests and counts."""
    found = []
    with somewhere() as folder:
        for command in commands(text):
            printed = run(command.text, folder)
            if not matches(command.shown, printed):
                difference = difflib.unified_diff(command.shown.splitlines(), printed.splitlines(), "shown",
                                                  "printed", lineterm="")
                found.append("\n".join([f"$ {command.text}", *difference]))
    examples = "\n".join(block.group(2) for block in _BLOCK.finditer(text) if block.group(1) == "python")
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(examples, {}, name, name, 0)
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test, out=said.write)
    found += [said.getvalue()] if said.getvalue() else []
    for block in _FINDINGS.finditer(text):
        if block[3] != (today := findings(block[2].split(), block[3])):
            found.append("\n".join(difflib.unified_diff(block[3].splitlines(), today.splitlines(), "shown", "today",
                                                        lineterm="")))
        if "not settled yet" in block[3]:
            found.append("findings: a claim has no verdict; run make audit, then make readme")
    for block in (*_MAP.finditer(text), *_SLIPS.finditer(text)):
        today = mapped(block[2], block[3]) if "<!-- map" in block[1] else told_slips(block[2])
        if block[3] != today:
            found.append("\n".join(difflib.unified_diff(block[3].splitlines(), today.splitlines(), "shown", "today",
                                                        lineterm="")))
    for block in _ACCOUNTANTS.finditer(text):
        if block[3] != told_accountants(block[2]):
            found.append(f"accountants: the table is not what docs/{block[2]} says; run make readme")
    for block in _COUNTS.finditer(text):
        verdicts = [int(n) for n, _ in re.findall(
            r"(\d+) (\w+)", block.group(2).partition("audit:")[2].partition("Checked by Coq")[0])]
        if block.group(2) != counted(block.group(2)):
            found.append(f"counts: {block.group(2)!r} should be {counted(block.group(2))!r}")
        if sum(verdicts) != len(claims()):
            found.append(f"counts: the audit has {sum(verdicts)} verdicts, and there are {len(claims())} claims; "
                         "run make audit, then make readme")
    return found


def main(arguments: Sequence[str]) -> int:
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order within a set is that of the page, everywhere
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "symdp.cli.pages", *arguments])
    check = "--check" in arguments
    wrong = 0
    for path in [Path(a) for a in arguments if a != "--check"] or pages():
        shown = path.read_text(encoding="utf-8")
        if check:
            for complaint in complaints(shown, path.name):
                print(f"{path.name}: {complaint}")
                wrong += 1
        else:
            text = rewritten(shown)
            if text != shown:
                path.write_text(text, encoding="utf-8")
                print(f"{path.name} was rewritten")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
