r"""What was judged of papers before, kept in this user's state folder: a second run costs what has changed.

A chain is known again by all that its judgement depends on: its formulas, the hypotheses and definitions in force,
how far above they stand, and the code that judges. Where it has moved down the page with them, so do the places in
what is kept. What is kept carries the mark of this user (:mod:`symdp.users_mark`); what has no such mark was put
there by somebody else, and is not looked at. What was left open is asked again where there is more time for it.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from symdp.audit.seal import seal, seal_of_code, written
from symdp.incoming import NotRead, text_of
from symdp.outgoing import by_name, write
from symdp.papers.finding import Finding
from symdp.papers.work import Work
from symdp.users_mark import is_ours, mark, state_folder

_PURPOSE = "judgement of a relation of a paper"
_FOLDER = "papers"
_LARGEST = 400_000
#: What more time may change.
_OPEN = ("undecided", "gap")
#: Days after which what nobody asked for is forgotten.
_DAYS = 60
_LINE = re.compile(r"\bline (\d+)\b")


class KeptFindings:
    """Judgements of chains. Where nothing can be kept, nothing is recalled, and all goes on."""

    def __init__(self) -> None:
        self._folder = state_folder() / _FOLDER
        self._tidied = False

    def recall(self, work: Work, budget: float) -> tuple[Finding, ...] | None:
        """The findings that were kept for a chain, if this user got them from this code and they still count."""
        path = self._path(question_of(work))
        with suppress(NotRead, ValueError, KeyError, TypeError):
            found = json.loads(text_of(path, _LARGEST, links=False))
            if not is_ours(_PURPOSE, found["said"], found["mark"]):
                return None
            said = json.loads(found["said"])
            if said["question"] != path.stem:
                return None
            answers = [_finding(data) for data in said["findings"]]
            if any(f.verdict in _OPEN for f in answers) and budget > said["budget"]:
                return None
            with suppress(OSError):
                path.touch()
            return tuple(_moved(f, here) for f, here in zip(answers, work.findings, strict=True))
        return None

    def remember(self, work: Work, budget: float, findings: tuple[Finding, ...]) -> None:
        path = self._path(question_of(work))
        said = json.dumps({"question": path.stem, "budget": budget, "findings": [asdict(f) for f in findings]})
        given = mark(_PURPOSE, said)
        if given is None or len(said) > _LARGEST // 3:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._tidy()
            write(path, json.dumps({"said": said, "mark": given}), ours=by_name, force=True)

    def _path(self, question: str) -> Path:
        # the judge of papers has no part in the verdicts of an audit, and so none in the seal of their code
        return self._folder / f"{seal(question, seal_of_code(), seal_of_code('papers'))}.kept"

    def _tidy(self) -> None:
        """Once in a run: what was not asked for in a long time goes."""
        if not self._tidied:
            self._tidied = True
            oldest = time.time() - _DAYS * 86400
            for path in self._folder.glob("*.kept"):
                with suppress(OSError):
                    if path.lstat().st_mtime < oldest:
                        path.unlink()


def question_of(work: Work) -> str:
    """All that the judgement of a chain depends on, as a text; lines are counted from that of the chain."""
    first = work.findings[0].line if work.findings else 0
    contexts = tuple(
        replace(c, hypotheses=tuple(replace(h, line=h.line - first) for h in c.hypotheses),
                vague=tuple(replace(h, line=h.line - first) for h in c.vague)) for c in work.contexts)
    findings = tuple(
        replace(f, file="", line=f.line - first, end_line=f.end_line - first, message=_said(f.message, -first),
                hypotheses=_shifted(f.hypotheses, -first), seconds=0.0) for f in work.findings)
    return written(replace(work, contexts=contexts, findings=findings))


def _moved(kept: Finding, here: Finding) -> Finding:
    """A finding as it was kept, at the place where its relation stands now."""
    by = here.line - kept.line
    return replace(kept, file=here.file, line=here.line, column=here.column, end_line=here.end_line,
                   end_column=here.end_column, hypotheses=_shifted(kept.hypotheses, by),
                   message=_said(kept.message, by), missing=tuple(_said(m, by) for m in kept.missing), seconds=0.0)


def _shifted(hypotheses: tuple[tuple[str, int], ...], by: int) -> tuple[tuple[str, int], ...]:
    return tuple((text, line + by) for text, line in hypotheses)


def _said(message: str, by: int) -> str:
    """A message, in which lines of the paper are named by their numbers.

    >>> _said("it follows from line 12", 3)
    'it follows from line 15'
    """
    return _LINE.sub(lambda m: f"line {int(m[1]) + by}", message)


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(**{**data, "hypotheses": tuple((str(t), int(n)) for t, n in data["hypotheses"]),
                      "missing": tuple(data["missing"])})
