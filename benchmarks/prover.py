"""The prover, side by side with its peers in one run: problems, mpmath.iv, codac, the classics.

    python benchmarks/prover.py                   the practice problems and the peers
    python benchmarks/prover.py --skip-peers      the practice problems alone
    python benchmarks/prover.py --classics        also the three corpora of classical inequalities
    python benchmarks/prover.py --json FILE       the raw numbers as well

Every time is a tool's own work: imports and the start of processes are left out. symdp settles each
problem in a process of its own, forked from one that has imported everything and settled nothing, so
that no cache of another problem helps it; its certificate is rechecked in yet another one. The
numbers are for people: no test asserts them. The exit code is 1 only if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import sympy
import z3
from mpmath import iv
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from sympy import Expr, Symbol, oo

from symdp.kernel.certificate import BadCertificate, recheck
from symdp.search.certificates import document_of
from symdp.search.prove import DEFAULT_BUDGET, check, pose

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PROBLEMS = ROOT.parent / "shared" / "problems.toml"
CORPORA = tuple(HERE / f"{name}.toml" for name in ("classics", "classics_extra", "classics_third"))
CODAC_ENVIRONMENT = ROOT / "build" / "peers" / "codac"
CODAC = "codac==2.1.2"

#: Where the peers stop; a table says so when they did.
MOST_BOXES = 600_000
IV_SECONDS = 120.0
CODAC_SECONDS = 20.0
#: codac gives up a box whose sides are all below this.
CODAC_SMALLEST = 1e-9
#: Half-lines are cut here for codac.
FAR = 100

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """A claim in text, and the verdict that it deserves."""

    name: str
    claim: str
    where: tuple[str, ...] = ()
    let: tuple[str, ...] = ()
    integer: tuple[str, ...] = ()
    expected: str = "proved"


def tasks_in(path: Path) -> list[Task]:
    """The problems of a file, in their order."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["problem"]
    return [
        Task(e["name"], e["claim"], tuple(e.get("where", ())), tuple(e.get("let", ())),
             tuple(e.get("integer", ())), e["verdict"])
        for e in entries
    ]


# --- symdp ------------------------------------------------------------------------------------------


def apart(work: Callable[..., Row], *arguments: Any, limit: float) -> Row:
    """The answer of a function that runs in a forked process, which is ended at the limit."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_deliver, args=(there, work, arguments))
    process.start()
    there.close()
    try:
        return dict(here.recv()) if here.poll(limit) else {"failure": f"no answer in {limit:g} s"}
    except EOFError:
        process.join()
        return {"failure": f"the process ended with {process.exitcode}"}
    finally:
        if process.is_alive():
            process.join(1)
        if process.is_alive():
            process.kill()
        process.join()
        here.close()


def _deliver(out: Connection, work: Callable[..., Row], arguments: tuple[Any, ...]) -> None:
    out.send(work(*arguments))
    out.close()


def settled(task: Task, budget: float) -> Row:
    """What symdp says of a task, with its certificate as text; for a process of its own."""
    processor = time.process_time()
    try:
        verdict = check(task.claim, task.where, let=task.let, integer=task.integer, budget=budget)
    except ValueError as reason:
        return {"verdict": "error", "seconds": 0.0, "method": str(reason), "certificate": None}
    processor = time.process_time() - processor
    found = verdict.formal
    return {
        "verdict": verdict.status.value,
        "seconds": verdict.seconds,
        "processor_seconds": processor,
        "leaves": getattr(verdict.proof, "boxes", 1) if verdict.proof else None,
        "boxes": verdict.boxes,
        "method": verdict.method,
        "certificate": json.dumps(document_of(found, task.name)) if found else None,
    }


def rechecked(text: str) -> Row:
    """Whether a certificate is accepted, and in what time; for a process of its own."""
    document = json.loads(text)
    start = time.perf_counter()
    try:
        recheck(document)
    except BadCertificate as reason:
        return {"accepted": False, "recheck_seconds": None, "reason": str(reason)}
    return {"accepted": True, "recheck_seconds": time.perf_counter() - start}


def measured(task: Task, budget: float) -> Row:
    """Settle a task and recheck its certificate, each apart."""
    limit = 20 * budget + 60  # by the clock on the wall; the budget itself is processor time
    row = apart(settled, task, budget, limit=limit)
    if "failure" in row:
        row = {"verdict": "undecided", "seconds": limit, "method": row["failure"]}
    text = row.pop("certificate", None)
    if text is not None:
        row |= apart(rechecked, text, limit=120)
        row.setdefault("accepted", False)
    wrong = {row["verdict"], task.expected} == {"proved", "refuted"}
    return {"name": task.name, "expected": task.expected, "as_expected": row["verdict"] == task.expected,
            "wrong": wrong, **row}


def measured_all(tasks: Sequence[Task], budget: float, title: str) -> list[Row]:
    """All tasks, one after the other, under a progress bar on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    rows = []
    # Without a thread of its own, so that nothing else runs when a process is forked.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        bar = progress.add_task(title, total=len(tasks))
        for task in tasks:
            progress.update(bar, description=f"{title}: {task.name}", refresh=True)
            rows.append(measured(task, budget))
            progress.advance(bar)
    return rows


# --- bisection with mpmath.iv -----------------------------------------------------------------------


@dataclass(frozen=True)
class Bisected:
    """A claim with its gap in interval arithmetic, and the box in whole hundredths."""

    task: Task
    gap: Callable[..., Any]
    box: tuple[tuple[int, int], ...]


def _tanh_half_gap(eps: Any) -> Any:
    # mpmath.iv has no tanh; in this form eps occurs once in it, so nothing is lost.
    return eps**2 / 2 - eps * (1 - 2 / (iv.exp(eps) + 1))


def _mgf_gap(x: Any, p: Any) -> Any:
    return iv.exp((2 * p - 1) * x + x**2 / 2) - p * iv.exp(x) - (1 - p) * iv.exp(-x)


BISECTED = (
    Bisected(
        Task("tanh-half", "eps*tanh(eps/2) <= eps^2/2", ("0.01 <= eps <= 0.9",)),
        _tanh_half_gap, ((1, 90),),
    ),
    Bisected(
        Task("mgf", "p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ("0.5 <= x <= 4", "0 <= p <= 1")),
        _mgf_gap, ((50, 400), (0, 100)),
    ),
)


def bisected(problem: Bisected) -> Row:
    """Plain branch and bound, depth first: evaluate the gap, cut the widest side in two.

    Every evaluated box counts, not only the leaves.
    """
    start, processor = time.perf_counter(), time.process_time()
    box = []
    for low, high in problem.box:
        ends = (iv.mpf(low) / 100, iv.mpf(high) / 100)
        box.append(iv.mpf([ends[0].a, ends[1].b]))
    boxes, open_boxes, capped = 0, [box], ""
    while open_boxes and not capped:
        current = open_boxes.pop()
        boxes += 1
        if not problem.gap(*current).a >= 0:
            widths = [float(side.delta.b) for side in current]
            i = widths.index(max(widths))
            middle = current[i].mid
            for half in (iv.mpf([current[i].a, middle.b]), iv.mpf([middle.a, current[i].b])):
                open_boxes.append([*current[:i], half, *current[i + 1 :]])
        if boxes >= MOST_BOXES:
            capped = f"{MOST_BOXES:,} boxes"
        elif time.perf_counter() - start > IV_SECONDS:
            capped = f"{IV_SECONDS:g} s"
    return {"boxes": boxes, "seconds": time.perf_counter() - start,
            "processor_seconds": time.process_time() - processor, "decided": not open_boxes,
            "capped": capped if open_boxes else "", "open": len(open_boxes)}


def against_bisection(stated: Mapping[str, Row], budget: float) -> list[Row]:
    """mpmath.iv and symdp on the same statements; beside them, symdp on the whole domain."""
    rows = []
    for problem in BISECTED:
        peer = apart(bisected, problem, limit=2 * IV_SECONDS + 60)
        own = measured(problem.task, budget)
        whole = stated.get(problem.task.name)
        rows.append({"name": problem.task.name, "where": problem.task.where, "iv": peer, "symdp": own,
                     "whole": whole, "ratio": ratio(peer, own), "whole_ratio": ratio(peer, whole)})
    return rows


def ratio(peer: Row, own: Row | None) -> float | None:
    """How many times faster symdp is; nothing if it did not decide, or if the peer has no time."""
    if own is None or not own["as_expected"] or "seconds" not in peer:
        return None
    return float(peer["seconds"] / own["seconds"])


# --- codac ------------------------------------------------------------------------------------------

#: The same claims on boxes that stay away from equality and from the edges at which both sides
#: vanish or something is undefined: where codac has a chance.
AWAY: dict[str, tuple[str, ...]] = {
    "tanh-half": ("0.01 <= eps <= 100",),
    "regime-0.9": ("0.01 <= eps <= 0.9",),
    "regime-all": ("0.01 <= eps <= 100",),
    "mgf": ("0.5 <= x <= 10", "0 <= p <= 1"),
    "chernoff-step": ("0.1 <= lam <= 10", "3 <= u <= 10"),
    "final-factor": ("0.01 <= s <= 100", "0.01 <= d <= 1"),
    "calibration": ("0.01 <= eps <= 0.9", "0.01 <= d <= 1"),
    "zcdp-budget": ("0.01 <= eps <= 100", "0.01 <= l <= 100"),
}


def tree_of(expr: Expr, variables: Sequence[Symbol]) -> list[Any]:
    """An expression as the nested lists that `peers/codac_paving.py` reads."""
    if expr.is_Symbol:
        return ["var", variables.index(expr)]
    if expr.is_Rational:
        return ["number", f"{expr.p}/{expr.q}"]
    if expr in (sympy.E, sympy.pi):
        return ["e" if expr is sympy.E else "pi"]
    if expr.could_extract_minus_sign() and (expr.is_Mul or expr.is_Number):
        return ["neg", tree_of(-expr, variables)]
    if expr.is_Add:
        terms = [tree_of(a, variables) for a in expr.as_ordered_terms()]
        terms.sort(key=lambda t: t[0] == "neg")
        return ["add", *terms]
    if expr.is_Mul:
        return _product_tree(expr, variables)
    if expr.is_Pow:
        if expr.exp.is_Rational:
            return ["power", tree_of(expr.base, variables), f"{expr.exp.p}/{expr.exp.q}"]
        return ["a power with a variable exponent"]
    name = type(expr).__name__.lower()
    return [name, *(tree_of(a, variables) for a in expr.args)]


def _product_tree(expr: Expr, variables: Sequence[Symbol]) -> list[Any]:
    above: list[list[Any]] = []
    below: list[list[Any]] = []
    for factor in expr.args:
        if factor.is_Rational and factor.q != 1:
            below.append(["number", str(factor.q)])
            if factor.p != 1:
                above.append(["number", str(factor.p)])
        elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            below.append(tree_of(1 / factor, variables))
        else:
            above.append(tree_of(factor, variables))
    top: list[Any] = ["mul", *above] if above else ["number", "1"]
    return ["div", top, ["mul", *below]] if below else top


def as_codac_problem(task: Task, domain_name: str) -> Row:
    """The claim as a gap on a bounded box."""
    relation, domain, _ = pose(task.claim, task.where, let=task.let, integer=task.integer)
    variables = list(domain.variables)
    left, right = (tree_of(side, variables) for side in (relation.left, relation.right))
    big, small = (right, left) if relation.op in ("<=", "<") else (left, right)
    box = []
    for v in variables:
        interval = domain.intervals[v]
        lower = -FAR if interval.lower == -oo else interval.lower
        upper = FAR if interval.upper == oo else interval.upper
        box.append([str(lower), str(upper)])
    return {"name": task.name, "domain": domain_name, "box": box, "gap": ["add", big, ["neg", small]]}


def codac_python(console: Console) -> Path | None:
    """The Python of an environment with codac in it, made on first use."""
    python = CODAC_ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    quiet = ("--quiet", "--disable-pip-version-check")
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(CODAC_ENVIRONMENT)], check=True)
        known = subprocess.run([str(python), "-c", "import codac"], capture_output=True)
        if known.returncode:
            subprocess.run([str(python), "-m", "pip", "install", *quiet, CODAC], check=True,
                           stdout=sys.stderr)
    except (subprocess.CalledProcessError, OSError) as reason:
        console.print(f"codac is left out, its environment could not be made: {reason}", markup=False)
        return None
    return python


def against_codac(tasks: Sequence[Task], stated: Mapping[str, Row], budget: float,
                  console: Console) -> list[Row] | None:
    """codac and symdp: on the stated domains, and away from what is tight."""
    python = codac_python(console)
    if python is None:
        return None
    pairs = [(task, "stated") for task in tasks]
    pairs += [(replace(task, where=AWAY[task.name]), "away") for task in tasks if task.name in AWAY]
    problems = [apart(as_codac_problem, task, name, limit=60) for task, name in pairs]
    request = {"most_boxes": MOST_BOXES, "seconds": CODAC_SECONDS, "smallest": CODAC_SMALLEST,
               "problems": problems}
    answer = subprocess.run([str(python), str(HERE / "peers" / "codac_paving.py")], text=True,
                            input=json.dumps(request), capture_output=True)
    if answer.returncode:
        console.print(f"codac failed: {answer.stderr.strip()[-300:]}", markup=False)
        return None
    rows = []
    for (task, name), peer in zip(pairs, json.loads(answer.stdout)["results"], strict=True):
        own = stated[task.name] if name == "stated" else measured(task, budget)
        rows.append({"name": task.name, "domain": name, "where": task.where, "codac": peer, "symdp": own})
    return rows


def best_seconds(peer: Row) -> float:
    """codac's time: the loop in Python or its own in C++, whichever is faster."""
    return float(min(s for s in (peer["seconds"], peer.get("native_seconds")) if s is not None))


# --- tables -----------------------------------------------------------------------------------------


def shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.{3 if seconds >= 0.01 else 5}f}"


def verdict_cell(row: Row) -> str:
    colour = "red" if row["wrong"] else "green" if row["as_expected"] else "yellow"
    return f"[{colour}]{row['verdict']}[/]"


def problem_table(rows: Sequence[Row], title: str) -> Table:
    table = Table("problem", "verdict", "expected", title=title)
    for heading in ("seconds", "of processor", "leaves", "recheck"):
        table.add_column(heading, justify="right")
    for row in rows:
        again = shown(row.get("recheck_seconds"))
        if row.get("accepted") is False:
            again = "[red]rejected[/]"
        leaves = row.get("leaves")
        table.add_row(row["name"], verdict_cell(row), row["expected"] if not row["as_expected"] else "yes",
                      shown(row["seconds"]), shown(row.get("processor_seconds")),
                      "" if leaves is None else str(leaves), again)
    good = sum(row["as_expected"] for row in rows)
    for name, of in (("median", statistics.median), ("maximum", max)):
        columns = [[row[k] for row in rows if row.get(k) is not None]
                   for k in ("seconds", "processor_seconds", "leaves", "recheck_seconds")]
        a, b, leaves_of, c = (of(column) if column else None for column in columns)
        table.add_row(name, f"{good} of {len(rows)}" if name == "median" else "", "", shown(a), shown(b),
                      "" if leaves_of is None else f"{leaves_of:g}", shown(c), style="bold")
    return table


def bisection_table(rows: Sequence[Row]) -> Table:
    limits = f"at most {MOST_BOXES:,} boxes or {IV_SECONDS:g} s"
    table = Table("statement", "where", "mpmath.iv",
                  title=f"against bisection with mpmath.iv (plain branch and bound, {limits})")
    for heading in ("boxes", "seconds", "symdp", "leaves", "seconds", "times faster", "whole domain s",
                    "times faster"):
        table.add_column(heading, justify="right")
    for row in rows:
        peer, own, whole = row["iv"], row["symdp"], row["whole"]
        if "failure" in peer:
            table.add_row(row["name"], ", ".join(row["where"]), f"[yellow]{peer['failure']}[/]")
            continue
        state = "decided"
        if not peer["decided"]:
            state = f"[yellow]stopped at {peer['capped']}, {peer['open']:,} open[/]"
        more = "" if peer["decided"] else "> "
        ratios = ["" if r is None else f"{more}{r:.1f}" for r in (row["ratio"], row["whole_ratio"])]
        table.add_row(row["name"], ", ".join(row["where"]), state, f"{peer['boxes']:,}",
                      shown(peer["seconds"]), verdict_cell(own), str(own.get("leaves") or ""),
                      shown(own["seconds"]), ratios[0], shown(whole["seconds"]) if whole else "", ratios[1])
    return table


def codac_table(rows: Sequence[Row]) -> Table:
    table = Table("problem", "codac's box", "codac", title="against codac (half-lines cut at "
                  f"{FAR} for codac; symdp on the whole domain where it is the stated one)")
    for heading in ("boxes", "seconds", "symdp", "seconds"):
        table.add_column(heading, justify="right" if heading != "symdp" else "left")
    table.add_column("not slower")
    for row in rows:
        peer, own = row["codac"], row["symdp"]
        name = "stated, cut" if row["domain"] == "stated" else ", ".join(row["where"])
        if "unsupported" in peer:
            table.add_row(row["name"], name, f"[yellow]cannot express {peer['unsupported']}[/]", "", "",
                          verdict_cell(own), shown(own["seconds"]), "codac undecided")
            continue
        if peer["decided"]:
            state = "decided"
            faster = own["as_expected"] and own["seconds"] <= best_seconds(peer)
            mark = "[green]yes[/]" if faster else "[yellow]no[/]"
        else:
            left = f"{peer['given_up']:,} boxes given up"
            if peer["capped"]:
                left = f"stopped at {peer['capped']}"
            state, mark = f"[yellow]undecided, {left}[/]", "codac undecided"
        table.add_row(row["name"], name, state, f"{peer['boxes']:,}", shown(best_seconds(peer)),
                      verdict_cell(own), shown(own["seconds"]), mark)
    return table


def codac_score(rows: Sequence[Row], domain: str) -> str:
    """One line: what codac decides, and how symdp compares there."""
    chosen = [row for row in rows if row["domain"] == domain]
    decided = [row for row in chosen if row["codac"]["decided"]]
    matched = [row for row in decided if row["symdp"]["as_expected"]
               and row["symdp"]["seconds"] <= best_seconds(row["codac"])]
    own = sum(row["symdp"]["as_expected"] for row in chosen)
    name = "on the stated domains (cut for codac)" if domain == "stated" else "away from tight parts"
    return (f"{name}: codac decides {len(decided)} of {len(chosen)}, symdp {own}; "
            f"symdp is not slower on {len(matched)} of the {len(decided)} that codac decides")


def classics_table(rows: Sequence[Row], budget: float) -> Table:
    table = Table("corpus", title=f"classical inequalities, {budget:g} s each")
    for heading in ("problems", "as labelled", "undecided", "wrong", "rejected", "median s", "maximum s"):
        table.add_column(heading, justify="right")
    for corpus in [*dict.fromkeys(row["corpus"] for row in rows), "all"]:
        chosen = [row for row in rows if corpus in (row["corpus"], "all")]
        seconds = [row["seconds"] for row in chosen]
        wrong = sum(row["wrong"] for row in chosen)
        table.add_row(
            corpus, str(len(chosen)), str(sum(row["as_expected"] for row in chosen)),
            str(sum(not row["as_expected"] and not row["wrong"] for row in chosen)),
            f"[{'red' if wrong else 'green'}]{wrong}[/]",
            str(sum(row.get("accepted") is False for row in chosen)),
            shown(statistics.median(seconds)), shown(max(seconds)),
            style="bold" if corpus == "all" else "",
        )
    return table


def surroundings() -> Row:
    """Where the numbers were taken."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    packages = ("symdp", "sympy", "python-flint", "z3-solver", "mpmath")
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count(),
            "load": load, "versions": {p: version(p) for p in packages}, "revision": revision()}


def revision() -> str:
    """The commit that is measured, with a mark if the tree differs from it."""
    command = ["git", "describe", "--always", "--dirty"]
    try:
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def import_the_rest() -> None:
    """What is imported when it is first used: SymPy's tensors with the first sum, z3 with its context."""
    _ = Symbol("x") + 1
    z3.main_ctx()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=Path, default=PROBLEMS, help="the practice problems (TOML)")
    parser.add_argument("--budget", type=float, default=DEFAULT_BUDGET, help="seconds for a problem")
    parser.add_argument("--skip-peers", action="store_true", help="neither mpmath.iv nor codac")
    parser.add_argument("--classics", action="store_true", help="also the three corpora; takes long")
    parser.add_argument("--classics-budget", type=float, default=6.0, help="seconds for a classic")
    parser.add_argument("--json", type=Path, help="write the raw numbers there")
    options = parser.parse_args(arguments)
    import_the_rest()
    # A table that goes to a file is not squeezed into 80 columns.
    console = Console() if sys.stdout.isatty() else Console(width=150)
    raw: dict[str, Any] = {"surroundings": surroundings()}
    around = raw["surroundings"]
    load = "unknown" if around["load"] is None else f"{around['load']:.1f}"
    console.print("Times are own work: without imports and the start of processes. One core is used; "
                  f"the machine has {around['cores']}, and its load at the start is {load}. "
                  f"Revision {around['revision']}.", highlight=False)
    if options.problems.exists():
        tasks = tasks_in(options.problems)
        raw["problems"] = measured_all(tasks, options.budget, "problems")
        console.print(problem_table(raw["problems"], f"the problems of {options.problems.name}"))
    else:
        tasks = []
        console.print(f"{options.problems} is absent: its problems, and codac, are left out")
    if not options.skip_peers:
        stated = {row["name"]: row for row in raw.get("problems", ())}
        raw["bisection"] = against_bisection(stated, options.budget)
        console.print(bisection_table(raw["bisection"]))
        if tasks:
            raw["codac"] = against_codac(tasks[:8], stated, options.budget, console)
            if raw["codac"] is not None:
                console.print(codac_table(raw["codac"]))
                for domain in ("stated", "away"):
                    console.print(codac_score(raw["codac"], domain), highlight=False)
    if options.classics:
        raw["classics"] = []
        for path in (p for p in CORPORA if p.exists()):
            found = measured_all(tasks_in(path), options.classics_budget, path.stem)
            raw["classics"] += [{"corpus": path.stem, **row} for row in found]
        if raw["classics"]:
            console.print(classics_table(raw["classics"], options.classics_budget))
            lost = [row["name"] for row in raw["classics"] if not row["as_expected"]]
            console.print(f"not as labelled: {', '.join(lost) or 'none'}", highlight=False)
    if options.json:
        options.json.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")
    return report_wrong(raw, console)


def report_wrong(raw: Mapping[str, Any], console: Console) -> int:
    """Name every verdict that contradicts the truth; the exit code."""
    rows = [*raw.get("problems", ()), *raw.get("classics", ())]
    rows += [row["symdp"] for key in ("bisection", "codac") for row in raw.get(key) or ()]
    wrong = {f"{row['name']} is {row['expected']}, not {row['verdict']}" for row in rows if row["wrong"]}
    for line in sorted(wrong):
        console.print(f"wrong verdict: {line}", style="red", highlight=False)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
