"""Texts that nobody would write, to every reader: no traceback, no hang, bounded memory.

Each reader has seeds, which are changed at random: pieces are doubled, cut, moved, swapped with those of another
text, and replaced by what has made trouble elsewhere. A text that is read for longer than any other of its reader,
or that ends in a refusal not seen before, joins the corpus, from which later texts are made; it lies in a folder and
grows from run to run. A text whose reader raises anything but its own refusal, or does not end, is a finding, is
written to ``findings``, and makes the campaign fail.

    python benchmarks/fuzz.py --seconds 600 --corpus build/fuzz
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from symdp.arguments.reading.text_file import derivation_from, read_derivation
from symdp.audit.campaign import Options, audit_one
from symdp.audit.rechecking import recheck_file
from symdp.formal.export import exported
from symdp.incoming import NotRead, text_of
from symdp.kernel.certificate import BadCertificate
from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import NoPaper, document
from symdp.papers.work import Work
from symdp.search.certificates import document_of, write_document
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.prove import check, pose
from symdp.search.repairs import suggest
from symdp.sources.bibtex import BadBibTeX, read_bibtex
from symdp.sources.derivations.expressions import DerivationError
from symdp.sources.problems import ProblemFileError, read_problems
from symdp.watched import GIGABYTE, OutOfBounds, watched

#: Seconds for one text; readers of formulas keep to a budget of their own within it.
LONGEST = 60.0
BUDGET = 0.2
#: Seconds in which a paper of a few pages is read.
READING = 6.0
TROUBLE = [
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", "\u202e\u2028".encode(), b"9" * 5000, b"(" * 300, b"[" * 3000, b"{" * 3000,
    b"}" * 10, b'"""', b"'''", b"^" * 50, b"a." * 200, b"1e999999999", b"-", b"\\frac", b"\\begin{align}",
    b"\\sum_{i=1}^{", b"\\left(", b"\\input{/etc/passwd}", b"%", b"#", b"@string{a = a # a}", b"let: ", b"use: ",
    b"\n", b"\r", b"\x1b[2J", b"10^10^10", b"x^(1/10^20)", b"gamma(", b"binomial(", b"floor(x)", b"max(", b"null",
    b"true", b"NaN", b"1/0", b"\\\\", b"induction k from 1: ", b"cases: ", b"case: ", b"end\n", b"[[problem]]\n",
    b"where = [", b"let = [", b"integer = [", b"\\newcommand{\\a}[1]{\\a{#1}\\a{#1}} \\a{x}", b"\\def\\b{\\b\\b}\\b",
    b"\\input{text}", b"\\input{../secret}", b"\\write18{touch escaped}", b"\\begin{verbatim}", b"\\end{document}",
    b"$", b"$$", b"\\[", b"\\]", b"&", b"\\text{for } x", b"\\intertext{and}", b"\\begin{cases}", b"% symdp: assume ",
    b"\\csname x\\endcsname", b"\\catcode`\\%=12 ", b"\\Pr[", b"\\|x\\|", b"Let $", b"\\let\\le=\\ge ",
]
PROBLEM = b"""[[problem]]
name = "tangent"
claim = "exp(x) >= 1 + x^2/y"
where = ["0 < y <= 1", "x >= 0"]
let = ["m = x/2"]
integer = ["k"]
"""
DERIVATION = rb"""title: A first bound
assume: x \ge 0, 0 < \delta \le 1
integer: k
let: m = x/2
\begin{align}
  1 + x &\le e^{x}   \text{tangent} \\
        &<   2 e^{x} \cdot \frac{1}{\delta}
\end{align}
lemma L: e^{u} \ge 1 + u where u \ge 0
use: L with u = x
state: \sum_{i=1}^{k} x^i \ge 0
cases: x^2 \ge 0
case: x < 1
state: x^2 \ge 0
case: x \ge 1
state: x^2 \ge 0
end
conclude: 1 + x < 2 e^{x}
"""
PAPER = rb"""\documentclass{article}
\usepackage{amsmath}
\newcommand{\eps}{\varepsilon} \newcommand{\half}[1][2]{\frac{1}{#1}}
\def\be{\begin{equation}} \def\ee{\end{equation}}
\DeclareMathOperator{\E}{E} \newtheorem{lemma}{Lemma}
\begin{document}
\section{First} Throughout, $\eps > 0$ and $n \ge 1$ is an integer. % a remark
\begin{lemma} For every $x \in (0,1)$ we have $\ln(1+x) \le x$. \end{lemma}
\begin{proof} Since $x \le 1$,
\begin{align} \Pr[X > x] &\le 1 + x \\ &\le e^{x} && \text{for } x \le 1
\intertext{and} b &:= \half[3] \eps^2 . \end{align}
\be \sum_{i=1}^{n} i = \frac{n(n+1)}{2} \label{a} \ee $$ 1/2\sigma^2 \le \|x\|, \quad f(x) = x^2 $$
\begin{eqnarray*} a &=& b \\ &<& c \end{eqnarray*} \[ \max_i x_i = O(n) \] \end{proof}
Let $a_1, \dots, a_n \ge 0$ and $w_i = 1/n$ for all $i$. Then $(a_1 + \dots + a_n)^2 \le n \sum_{i=1}^n a_i^2$,
$1 + 2 + \dots + n \le n \max_{i \in [n]} a_i$, ${n \choose k} \le {2^n \over 1}$ and
$\sum_{k=0}^{\infty} 2^{-k} = 2$.
\begin{verbatim} $1 = 2$ \end{verbatim} \end{document}
"""
BIBTEX = rb"""@string{focs = "Foundations" # { of Computer Science}}
@InProceedings{dwork2010boosting, author = {Dwork, Cynthia and others},
  title = "Boosting and {D}ifferential Privacy", booktitle = focs # { (FOCS)}, year = 2010}
@comment{nothing}
@book(smith, title = {An open end})
"""


@dataclass(frozen=True)
class Reader:
    """What reads a file, and how it refuses one."""

    read: Callable[[Path], object]
    refusals: tuple[type[BaseException], ...]
    seeds: tuple[bytes, ...]


def _toml(path: Path) -> str:
    said = {audit_one(p, Options(budget=BUDGET)).verdict for p in read_problems(path)[:3]}
    return " ".join(sorted(said))


def _formula(path: Path) -> str:
    with hard_deadline(1.0):
        pose(text_of(path, 100_000))
    return "posed"


def _certificate(path: Path) -> str:
    found = recheck_file(path, 2.0)
    return re.sub(r"[0-9]+|'.*'|\".*\"", "", found.reason) or found.verdict


def _derivation(path: Path) -> str:
    with hard_deadline(3.0):
        derivation = read_derivation(path)
    report = derivation.check(budget=BUDGET)
    return str(report.as_json()["verdict"]) if "verdict" in report.as_json() else "checked"


def _latex(path: Path) -> str:
    with hard_deadline(3.0):
        derivation_from(f"state: {text_of(path, 100_000)}")
    return "read"


def _paper(path: Path) -> str:
    """All of a paper is read; of what is to be judged, the first chains are."""
    with hard_deadline(READING):
        entries = read_document(*document(path))
    chains = [entry for entry in entries if isinstance(entry, Work)]
    found = [f.verdict for work in chains[:3] for f in judge(work, BUDGET / 4, None)]
    if any(path.parent.rglob("escaped*")):
        raise RuntimeError("a paper ran a command")
    return " ".join(sorted({f.verdict for f in entries if isinstance(f, Finding)} | set(found)))


def _suggest(path: Path) -> str:
    with hard_deadline(LONGEST / 2):
        found = suggest(text_of(path, 100_000), budget=BUDGET / 4)
    return f"{found.verdict.status.value} {sorted({r.kind for r in found.repairs})}"


def _coq(path: Path) -> str:
    """What is written for Coq is one theorem, whatever a certificate says."""
    found = exported(path)
    if found.text is None:
        return f"{found.rule}: {found.message}"
    if len(re.findall(r"^(Theorem|Proof|Qed|Print)\b", found.text, re.MULTILINE)) != 4:
        raise RuntimeError("a certificate wrote a sentence of Coq")
    return "written"


def _bibtex(path: Path) -> str:
    return str(len(read_bibtex(text_of(path, 4_000_000))))


def readers(folder: Path) -> dict[str, Reader]:
    certificates = []
    for claim in ("exp(x) >= 1 + x", "x^4 + 1 >= x^2", "exp(x) >= 1 + x + x^2"):
        write_document(document_of(check(claim).formal, "seed"), folder / "seed.json")
        certificates.append((folder / "seed.json").read_bytes())
    formulas = (b"eps*tanh(eps/2) <= eps^2", b"(1+x)^k >= 1 + k*x", b"max(x, y) - floor(z)/2 < 3e5")
    latex = (rb"1 + x \le \frac{e^{x}}{2} \cdot \sqrt{x_i + 1}",
             rb"\sum_{i=1}^{k} \varepsilon_i^2 \ge \log(1/\delta)")
    bad = (NotRead, TimeIsUp)
    return {
        "toml": Reader(_toml, (*bad, ProblemFileError), (PROBLEM,)),
        "formula": Reader(_formula, (*bad, ValueError), formulas),
        "suggest": Reader(_suggest, (*bad, ValueError), formulas),
        "json": Reader(_certificate, bad, tuple(certificates)),
        "coq": Reader(_coq, (*bad, BadCertificate), tuple(certificates)),
        "derivation": Reader(_derivation, (*bad, DerivationError), (DERIVATION,)),
        "latex": Reader(_latex, (*bad, DerivationError, ValueError), latex),
        "paper": Reader(_paper, (*bad, NoPaper), (PAPER,)),
        "bibtex": Reader(_bibtex, (*bad, BadBibTeX), (BIBTEX,)),
    }


def changed(text: bytes, others: list[bytes], chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        other = chance.choice(others)
        a, b = sorted(chance.randrange(len(other) + 1) for _ in range(2))
        text = chance.choice((
            text[:at] + text[to:], text[:to] + text[at:to] * chance.choice((1, 2, 50)) + text[to:],
            text[:at] + chance.choice(TROUBLE) + text[at:], text[:at] + chance.choice(TROUBLE) + text[to:],
            text[:at] + other[a:b] + text[to:], text[:at] + bytes([chance.randrange(256)]) + text[at + 1:],
        ))[:400_000]
    return text


def tried(reader: Reader, path: Path) -> str:
    """What became of a text: how it was read or refused, in the words of the reader but without its numbers."""
    try:
        return f"read: {reader.read(path)}"
    except reader.refusals as reason:
        return f"{type(reason).__name__}: " + re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"|/\S*", "", str(reason))[:60]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--only", action="append", help="a reader; may be repeated")
    parser.add_argument("--seed", type=int, default=None, help="by itself another one every time")
    given = parser.parse_args()
    chance, end = random.Random(given.seed), time.monotonic() + given.seconds
    work = Path(tempfile.mkdtemp(prefix="symdp-fuzz-"))
    known, findings = readers(work), 0
    if given.only:
        known = {name: known[name] for name in given.only}
    corpus: dict[str, list[bytes]] = {}
    for name, reader in known.items():
        folder = given.corpus / name
        folder.mkdir(parents=True, exist_ok=True)
        corpus[name] = [*reader.seeds, *(p.read_bytes() for p in sorted(folder.iterdir()))]
    seen: set[tuple[str, str]] = set()
    count: Counter[str] = Counter()
    slowest: dict[str, float] = dict.fromkeys(known, 0.0)
    path = work / "text"
    while time.monotonic() < end:
        name = chance.choice(list(known))
        text = changed(chance.choice(corpus[name]), [t for texts in corpus.values() for t in texts], chance)
        path.write_bytes(text)
        begun, problem = time.monotonic(), ""
        try:
            said = watched(tried, known[name], path, seconds=LONGEST, memory=2 * GIGABYTE)
        except OutOfBounds as reason:
            problem = str(reason)
        except Exception as reason:
            problem = f"{type(reason).__name__}: {reason}"
        took = time.monotonic() - begun
        count[name] += 1
        digest = hashlib.sha256(text).hexdigest()[:16]
        if problem:
            findings += 1
            (given.corpus / "findings").mkdir(exist_ok=True)
            (given.corpus / "findings" / f"{name}-{digest}").write_bytes(text)
            print(f"{name} {digest}: {problem[:300]}", flush=True)
        elif (name, said) not in seen:
            seen.add((name, said))
            corpus[name].append(text)
            (given.corpus / name / digest).write_bytes(text)
        slowest[name] = max(slowest[name], took)
    print(", ".join(f"{name} {count[name]} texts, slowest {slowest[name]:.1f} s, corpus {len(corpus[name])}"
                    for name in known))
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
