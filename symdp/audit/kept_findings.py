r"""What was judged of papers before, kept in this user's state folder: a second run costs what has changed.

A judgement is kept under a digest of the question, which says everything that it depends on, and of the code that
answered it. It carries the mark of this user (:mod:`symdp.audit.users_mark`); what has no such mark was put there by
somebody else, and is not looked at. What was left open is asked again where there is more time for it than there was.

>>> import os, tempfile
>>> from symdp.audit.users_mark import STATE
>>> before = os.environ.get(STATE)
>>> os.environ[STATE] = tempfile.mkdtemp()
>>> kept = KeptFindings()
>>> kept.remember("x <= x + 1", 2.0, {"verdict": "proved"})
>>> kept.recall("x <= x + 1", 2.0), kept.recall("x <= x", 2.0)
({'verdict': 'proved'}, None)
>>> kept.remember("x <= y", 2.0, {"verdict": "undecided"})
>>> kept.recall("x <= y", 1.0), kept.recall("x <= y", 3.0)
({'verdict': 'undecided'}, None)
>>> _ = os.environ.pop(STATE) if before is None else os.environ.update({STATE: before})
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from symdp.audit.seal import seal, seal_of_code
from symdp.audit.users_mark import is_ours, mark, state_folder
from symdp.incoming import NotRead, text_of
from symdp.outgoing import by_name, write

_PURPOSE = "judgement of a relation of a paper"
_FOLDER = "papers"
_LARGEST = 200_000
#: What more time may change.
_OPEN = ("undecided", "gap")
#: Days after which what nobody asked for is forgotten.
_DAYS = 60


class KeptFindings:
    """Judgements by their questions. Where nothing can be kept, nothing is recalled, and all goes on."""

    def __init__(self) -> None:
        self._folder = state_folder() / _FOLDER
        self._tidied = False

    def recall(self, question: str, budget: float) -> dict[str, Any] | None:
        """The answer that was kept for a question, if this user got it from this code and it still counts."""
        path = self._path(question)
        with suppress(NotRead, ValueError, KeyError, TypeError):
            found = json.loads(text_of(path, _LARGEST, links=False))
            said = found["said"]
            if is_ours(_PURPOSE, said, found["mark"]):
                kept = json.loads(said)
                answer = kept["answer"]
                if kept["question"] == seal(question, seal_of_code()) and (
                        answer.get("verdict") not in _OPEN or budget <= kept["budget"]):
                    with suppress(OSError):
                        path.touch()
                    return dict(answer)
        return None

    def remember(self, question: str, budget: float, answer: dict[str, Any]) -> None:
        said = json.dumps({"question": seal(question, seal_of_code()), "budget": budget, "answer": answer})
        given = mark(_PURPOSE, said)
        if given is None or len(said) > _LARGEST // 2:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._tidy()
            write(self._path(question), json.dumps({"said": said, "mark": given}), ours=by_name, force=True)

    def _path(self, question: str) -> Path:
        return self._folder / f"{seal(question, seal_of_code())}.kept"

    def _tidy(self) -> None:
        """Once in a run: what was not asked for in a long time goes."""
        if not self._tidied:
            self._tidied = True
            oldest = time.time() - _DAYS * 86400
            for path in self._folder.glob("*.kept"):
                with suppress(OSError):
                    if path.lstat().st_mtime < oldest:
                        path.unlink()
