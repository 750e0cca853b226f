r"""The process that lints for an editor: requests come in as lines of JSON, findings go out as lines of JSON.

It stands apart from the server, so that the server answers at once whatever a proof takes. Of several requests for
one document only the newest counts: work on an older one is left as soon as a newer one is there.

A request is ``{"id", "path", "texts": {path: text}}`` with the texts of all files that are open in the editor; an
answer is ``{"id", "finding"}``, then ``{"id", "done": true}``, or before that ``{"id", "problem"}``.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from symdp.audit.kept_findings import KeptFindings
from symdp.papers.lint import NoPaper, lint

Requests = queue.Queue[dict[str, Any] | None]


def main(source: TextIO, target: TextIO) -> None:
    requests: Requests = queue.Queue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    waiting: dict[str, dict[str, Any]] = {}
    while _take(requests, waiting, wait=not waiting):
        path = next(iter(waiting))
        request = waiting.pop(path)
        for answer in _answers(request):
            if not _take(requests, waiting, wait=False):
                return
            if path in waiting:  # there is a newer text: nobody wants to know about this one
                break
            print(json.dumps({"id": request["id"], **answer}), file=target, flush=True)


def _listen(source: TextIO, requests: Requests) -> None:
    for line in source:
        with contextlib.suppress(ValueError):
            requests.put(json.loads(line))
    requests.put(None)


def _take(requests: Requests, waiting: dict[str, dict[str, Any]], *, wait: bool) -> bool:
    """Take what has come; False when nothing more will."""
    while True:
        try:
            request = requests.get(block=wait)
        except queue.Empty:
            return True
        if request is None:
            return False
        waiting[request["path"]] = request
        wait = False


def _answers(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    texts = {Path(path).resolve(): text for path, text in request["texts"].items()}
    jobs = max(1, (os.cpu_count() or 2) // 2)
    try:
        for finding in lint([Path(request["path"])], texts=texts, kept=KeptFindings(), jobs=jobs):
            yield {"finding": {**finding.data, "end_line": finding.end_line, "end_column": finding.end_column}}
    except NoPaper as reason:
        yield {"problem": str(reason)}
    except Exception as reason:  # a bug of ours must not be silent, and must not end the editor's session
        yield {"problem": f"{type(reason).__name__}: {reason}"}
    yield {"done": True}


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
