r"""One run of Coq that is asked about many theorems, one after the other.

Loading the libraries takes Coq longer than most proofs. Here they are loaded once; each theorem is told sentence by
sentence, until its end or its first error. (A file that Coq is told to ``Load`` is no way to do that: what a tactic
proves aside in it is an axiom for ``Print Assumptions``.) A theorem that takes too long is interrupted; where Coq
does not hear that, the run ends, and the next theorem starts another. Time is the processor's where the system tells
it, so that a busy machine refuses no more.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

#: Bytes of memory for one run of Coq.
MEMORY = 6_000_000_000
#: How much longer than the processor's time an answer may take.
PATIENCE = 12
#: Seconds in which Coq has to answer an interrupt, before it is ended.
GRACE = 10


TOO_LONG = "Coq did not end within"


def too_long(budget: float) -> str:
    return f"{TOO_LONG} {budget:g} seconds"


class CoqTookTooLong(Exception):
    """Coq did not answer in time."""


class CoqEnded(Exception):
    """Coq ended by itself, out of memory perhaps."""


class CoqRun:
    """``coqtop`` with a header loaded, to be asked."""

    def __init__(self, header: str, library: Path, folder: Path) -> None:
        self.folder, self._asked = folder, 0
        self._process = subprocess.Popen(
            ["coqtop", "-q", "-w", "none", "-Q", str(library), "SymDP"], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=_limited)
        self._stdin, self._stdout = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        if error := error_in(self.ask(f"{header}\nSet Silent.", 300)):  # all that follows would be refused
            self.end()
            raise CoqEnded(f"the library is not as it was compiled, run `make formal`: {error}")

    def __enter__(self) -> CoqRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()

    def told(self, text: str, budget: float) -> str:
        """The first error in sentences that are told one after the other, or nothing; a proof that stays open is
        given up."""
        until = self.seconds() + budget
        for sentence in sentences(text):
            answer = self.ask(sentence, max(until - self.seconds(), 0.0), shown=budget)
            if error := error_in(answer):
                self.ask("Abort All.", GRACE)
                return error
        self.ask("Abort All.", GRACE)
        return ""

    def ask(self, text: str, budget: float, *, shown: float | None = None) -> str:
        """What Coq answers to some sentences, a proof may stay open; ``shown`` is the time that a message names."""
        self._asked += 1
        mark = f"The reference answered_{self._asked}"
        sent = f"{text}\nCheck answered_{self._asked}.\n"  # that there is no such thing, it says in any case
        try:
            self._stdin.write(sent.encode())
            self._stdin.flush()
        except OSError as reason:
            raise CoqEnded("Coq ended") from reason
        started, used, answer, told = time.monotonic(), self.seconds(), b"", False
        while mark.encode() not in answer:
            spent, passed = self.seconds() - used, time.monotonic() - started
            late = spent > budget or passed > PATIENCE * budget
            if late and not told:  # an interrupt is an error for Coq, and leaves what it knows
                told = True
                os.kill(self._process.pid, signal.SIGINT)
            if spent > budget + GRACE or passed > PATIENCE * (budget + GRACE):
                raise CoqTookTooLong(too_long(shown or budget))
            if select.select([self._stdout], [], [], 0.5)[0]:
                more = os.read(self._stdout.fileno(), 65536)
                if not more:
                    raise CoqEnded("Coq ended")
                answer += more
        # that it was interrupted comes first: what Coq says of that may be any error
        said = _ANSWERED.split(answer.decode(errors="replace"))[0]
        return (f"Error: {too_long(shown or budget)}\nCoq < " if told else "") + said

    def seconds(self) -> float:
        return seconds_of(self._process.pid)


def seconds_of(process: int) -> float:
    """The processor's time that a process has taken; where the system does not tell, the time that has passed."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return time.monotonic()


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Asking:
    """Sessions, one after the other, for theorems in files."""

    def __init__(self, header: str, library: Path, folder: Path, budget: float) -> None:
        self._new: Callable[[], CoqRun] = lambda: CoqRun(header, library, folder)
        self._session: CoqRun | None = None
        self._folder, self.budget = folder, budget

    def load(self, file: str) -> tuple[str, float]:
        """The first error of a file, or nothing if Coq accepts all of it; and the seconds that this took."""
        if self._session is None:
            self._session = self._new()  # CoqEnded where the library does not load: that says nothing about the file
        before = self._session.seconds()
        try:
            error = self._session.told((self._folder / file).read_text(encoding="utf-8"), self.budget)
        except (CoqTookTooLong, CoqEnded) as reason:
            self.end()
            return str(reason), self.budget
        return error, round(self._session.seconds() - before, 2)

    @property
    def running(self) -> bool:
        """Whether what was loaded so far is known to Coq."""
        return self._session is not None

    def asked(self, text: str, budget: float) -> str:
        """What Coq answers to some sentences about what was loaded."""
        if self._session is None:
            raise CoqEnded("Coq ended")
        return self._session.ask(f"Unset Silent.\n{text}\nSet Silent.", budget)

    def end(self) -> None:
        if self._session is not None:
            self._session.end()
            self._session = None


def sentences(text: str) -> list[str]:
    r"""The sentences of a text, without its comments; a brace stays with the sentence beside it.

    >>> sentences("(** 1. x *)\nTheorem a : 1 / 2 = 0.5.\nProof.\n  { lra. }\nQed.\n")
    ['Theorem a : 1 / 2 = 0.5.', 'Proof.', '{ lra.', '}\nQed.']
    """
    return [s for part in re.split(r"(?<=\.)\s+", _COMMENT.sub("", text)) if (s := part.strip())]


#: A comment has no other inside of it: the exporter takes its marks out of what it quotes.
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


def without_prompts(answer: str) -> str:
    r"""What Coq answered, without its prompts.

    >>> without_prompts("Coq < Axioms:\nclassic : x\n\nCoq < ")
    'Axioms:\nclassic : x\n\n'
    """
    return answer.replace("Coq < ", "")


#: Where the last question begins, by which one knows that Coq has answered the others.
_ANSWERED = re.compile(r"Toplevel input, characters [0-9-]+:\s+> Check answered_")


def error_in(answer: str) -> str:
    r"""The first error in what Coq printed, as one line.

    >>> error_in('Coq < Toplevel input, characters 0-9:\n> Load "a".\n> ^^^\nError: No such goal.\n\nCoq < ')
    'No such goal.'
    """
    _, found, after = answer.partition("Error:")
    after = after.split("Coq <")[0].split("< Toplevel")[0]
    return (" ".join(after.split())[:300] or "an error") if found else ""
