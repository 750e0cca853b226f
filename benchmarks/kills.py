"""Kill -9 at a random moment, over and over: no broken file, no process left behind, and the next run goes on.

Each round starts a command in a session of its own and kills the process that the user would see (or, in every third
round, one of those under it) after a random time. Then every process of the session must be gone, every file under
its final name must be whole, and at the end each command, run to its end over what all the kills have left, must
succeed and leave what an undisturbed run leaves.

    python benchmarks/kills.py --rounds 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

CLAIMS = ["kov/thm-3.1", "kov/thm-3.2", "kov/sec-7"]
PROBLEMS = "".join(f'[[problem]]\nname = "p {i}"\nclaim = "exp({i}*x) >= 1+{i}*x"\n' for i in range(1, 30))
#: Seconds within which what belongs to a killed command must be gone.
GRACE = 20.0


def commands(folder: Path) -> dict[str, list[str]]:
    out = folder / "certificates"
    return {
        "audit": ["audit", *CLAIMS, "--jobs", "2", "--budget", "2", "--out", str(out)],
        "check": ["check", "--file", str(folder / "problems.toml"), "--jobs", "2", "--out", str(folder / "checked")],
        "report": ["report", *CLAIMS, "--budget", "2", "--out", str(out), "-o", str(folder / "page.html")],
        "notebook": ["notebook", "new", "mine", "--claims", str(folder / "few.toml"), "--out", str(folder / "books"),
                     "--to", "html"],
    }


def session(leader: int) -> list[int]:
    """The processes that are left of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def broken(folder: Path) -> list[str]:
    """What is not whole under its final name."""
    found = []
    for path in folder.rglob("*"):
        if not path.is_file() or re.fullmatch(r"\.symdp-[0-9a-f]{32}", path.name):
            continue
        text = path.read_text(encoding="utf-8")
        try:
            if path.suffix in (".json", ".settled", ".figure", ".ipynb"):
                json.loads(text)
            elif path.suffix == ".html":
                assert text.rstrip().endswith("-->"), "it does not end"
            elif path.suffix == ".py":
                compile(text, path.name, "exec")
        except (ValueError, SyntaxError, AssertionError) as reason:
            found.append(f"{path.name}: {reason}")
    return found


def run(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "symdp", *words], start_new_session=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, default=20.0, help="seconds after which it is killed at the latest")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="symdp-kills-"))
    (folder / "problems.toml").write_text(PROBLEMS)
    (folder / "few.toml").write_text("".join(PROBLEMS.partition('[[problem]]\nname = "p 4"')[:1]))
    wrong: list[str] = []
    told = 0
    count: Counter[str] = Counter()
    for number in range(given.rounds):
        name, words = chance.choice(list(commands(folder).items()))
        process = run(words)
        time.sleep(chance.uniform(0.0, given.longest))
        inner = number % 3 == 2
        there = [p for p in session(process.pid) if p != process.pid] if inner else []
        victim = chance.choice(there) if there else process.pid
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            count["had ended"] += 1
        if there:  # one below died: the command has to come to its end by itself, or is killed in turn
            try:
                process.wait(timeout=given.longest)
            except subprocess.TimeoutExpired:
                process.kill()
        _, err = process.communicate()
        if b"Traceback" in err:
            wrong.append(f"round {number}: {name} ended with a traceback: {err.decode()[-300:]}")
        end = time.monotonic() + GRACE
        while (left := session(process.pid)) and time.monotonic() < end:
            time.sleep(0.05)
        wrong += [f"round {number}: {name} left the process {p}" for p in left]
        for p in left:
            os.kill(p, signal.SIGKILL)
        wrong += [f"round {number}: {name} left {what}" for what in broken(folder)]
        count[name] += 1
        count["a process below" if there else "the command"] += 1
        print(*("\n" + line for line in wrong[told:]), sep="", end="", file=sys.stderr)
        told = len(wrong)
        print(f"\r{number + 1} of {given.rounds}, {told} wrong", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name, words in commands(folder).items():  # the next run goes on
        process = run(words)
        _, err = process.communicate()
        if process.returncode != 0:
            wrong.append(f"afterwards {name} ended with {process.returncode}: {err.decode()[-300:]}")
    wrong += [f"at the end: {what}" for what in broken(folder)]
    print(dict(count))
    print("\n".join(wrong) or "nothing broken, nothing left behind, and every command goes on")
    shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
