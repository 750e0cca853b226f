r"""A server for editors: findings appear as diagnostics while a paper is written, and a hover tells their reasons.

``symdp lsp`` speaks the Language Server Protocol on standard input and output, with any client that knows it. What is
refuted is an error, a gap a warning, what is undecided or unread an information; everything that was settled is told
where the pointer rests on it. A file that another one inputs says so in the way that editors know:
``% !TeX root = paper.tex``.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from symdp import __version__
from symdp.editor.places import covers, end_of, place
from symdp.incoming import NotRead, text_of
from symdp.papers.text.source_text import LARGEST_FILE
from symdp.typeset.prose import markdown

#: Seconds without a change after which a text is linted, and between two reports of a long run.
PAUSE, REPORT = 0.4, 1.0
#: Bytes of a line that the worker may answer with.
_LONGEST = 4_000_000
_ROOT = re.compile(r"^[ \t]*%[ \t]*!TeX[ \t]+root[ \t]*=(.*)$", re.IGNORECASE | re.MULTILINE)
_SEVERITY = {
    "refuted": types.DiagnosticSeverity.Error, "gap": types.DiagnosticSeverity.Warning,
    "undecided": types.DiagnosticSeverity.Information, "unread": types.DiagnosticSeverity.Information,
}
Found = dict[str, Any]


class PaperServer(LanguageServer):
    """One for each editor; the work is done by a process of its own."""

    def __init__(self) -> None:
        super().__init__("symdp", __version__)
        self._worker: asyncio.subprocess.Process | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._number = 0
        self._asked: dict[int, str] = {}
        self._found: dict[int, list[Found]] = {}
        self._reported: dict[int, float] = {}
        self._running: set[asyncio.Task[None]] = set()
        #: what is known of each document, by its path; and which files each one spoke of
        self.findings: dict[str, list[Found]] = {}

    # --- asking -------------------------------------------------------------------------------------

    def changed(self, uri: str, pause: float = PAUSE) -> None:
        """Lint the document after a pause without changes."""
        if uri in self._timers:
            self._timers.pop(uri).cancel()
        self._timers[uri] = asyncio.get_running_loop().call_later(pause, self._start, uri)

    def _start(self, uri: str) -> None:
        self._timers.pop(uri, None)
        task = asyncio.get_running_loop().create_task(self._ask(uri))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _ask(self, uri: str) -> None:
        path = to_fs_path(uri)
        if path is None:
            return
        texts = {p: d.source for d in self.workspace.text_documents.values() if (p := to_fs_path(d.uri)) is not None}
        path = root_of(path, texts.get(path, ""))
        if self._worker is None or self._worker.returncode is not None:
            self._worker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "symdp.editor.worker", stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, limit=_LONGEST)
            task = asyncio.get_running_loop().create_task(self._listen(self._worker))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        self._number += 1
        self._asked = {n: p for n, p in self._asked.items() if p != path} | {self._number: path}
        request = json.dumps({"id": self._number, "path": path, "texts": texts}) + "\n"
        if self._worker.stdin is not None:
            self._worker.stdin.write(request.encode())
            await self._worker.stdin.drain()

    def stop(self) -> None:
        if self._worker is not None and self._worker.returncode is None:
            self._worker.kill()

    # --- hearing ------------------------------------------------------------------------------------

    async def _listen(self, worker: asyncio.subprocess.Process) -> None:
        while worker.stdout is not None and (line := await worker.stdout.readline()):
            answer = json.loads(line)
            number = answer["id"]
            if number not in self._asked:  # about a text that has changed since
                self._found.pop(number, None)
                continue
            found = self._found.setdefault(number, [])
            if "finding" in answer:
                found.append(answer["finding"])
                now = asyncio.get_running_loop().time()
                if now - self._reported.setdefault(number, now) > REPORT:
                    self._reported[number] = now
                    self._publish(self._asked[number], found, whole=False)
            elif "problem" in answer:
                self.show_message_log(f"symdp: {answer['problem']}", types.MessageType.Warning)
            else:
                self._publish(self._asked.pop(number), self._found.pop(number, []), whole=True)
                self._reported.pop(number, None)

    def _publish(self, path: str, found: list[Found], *, whole: bool) -> None:
        """Show what was found; until all is known, what was known before stands where the work has not come to."""
        before = self.findings.get(path, [])
        known = list(found) if whole else [*found, *before[len(found):]]
        self.findings[path] = known
        for file in dict.fromkeys([path, *(f["file"] for f in [*before, *known])]):
            uri = from_fs_path(str(Path(file).resolve()))
            text = self._text(file)
            if uri is not None:
                self.publish_diagnostics(uri, [_diagnostic(f, text) for f in known
                                               if f["file"] == file and f["verdict"] in _SEVERITY])

    def _text(self, file: str, uri: str | None = None) -> str:
        """What the editor has in place of a file, or else what is in it; nothing where it is none to be read."""
        for known in (uri, from_fs_path(file), from_fs_path(str(Path(file).resolve()))):
            if known is not None and known in self.workspace.text_documents:
                return str(self.workspace.text_documents[known].source)
        try:
            return text_of(Path(file), LARGEST_FILE)
        except NotRead:
            return ""

    def at(self, uri: str, position: types.Position) -> list[Found]:
        """What was found at a place."""
        path = Path(to_fs_path(uri) or "").resolve()
        text = self._text(str(path), uri)
        return [f for found in self.findings.values() for f in found if Path(f["file"]).resolve() == path
                and covers(text, (f["line"], f["column"]), (f["end_line"], f["end_column"]),
                           (position.line, position.character))]


def root_of(path: str, text: str) -> str:
    r"""The document that a file is a part of, as its text says; the file itself where it says nothing that can be.

    A document puts in what lies in its folder or below. A name that leads anywhere else is not followed.

    >>> root_of("/paper/parts/first.tex", "% !TeX root = ../paper.tex"), root_of("/paper/a.tex", "% !TeX root = b\0")
    ('/paper/paper.tex', '/paper/a.tex')
    >>> root_of("/paper/a.tex", "% !TeX root = /etc/passwd"), root_of("/paper/a.tex", "% !TeX root = x/b.tex")
    ('/paper/a.tex', '/paper/a.tex')
    """
    named = _ROOT.search(text)
    name = named.group(1).strip() if named else ""
    try:
        root, here = (Path(path).parent / name).resolve(), Path(path).resolve()
    except (OSError, RuntimeError, ValueError):  # no file can have this name
        return path
    return str(root) if name and here.is_relative_to(root.parent) else path


def _range(found: Found, text: str) -> types.Range:
    start = place(text, found["line"], found["column"])
    end = end_of(text, found["line"], found["column"], found["end_line"], found["end_column"])
    return types.Range(types.Position(*start), types.Position(*end))


def _diagnostic(found: Found, text: str) -> types.Diagnostic:
    said = found["message"] or found["reading"] or found["tex"]
    return types.Diagnostic(range=_range(found, text), severity=_SEVERITY[found["verdict"]], source="symdp",
                            code=found["verdict"], message=f"{found['verdict']}: {said}")


def told(found: Found) -> str:
    """What a hover tells, as Markdown in which nothing of the paper is markup."""
    lines = [f"**{found['verdict']}** {markdown(found['message'])}".rstrip()]
    if found["reading"]:
        lines.append(f"read as: {markdown(found['reading'])}")
    if found["witness"]:
        lines.append("at " + markdown(", ".join(f"{name} = {value}" for name, value in found["witness"].items())))
    if found["missing"]:
        lines.append("missing: " + markdown("; ".join(found["missing"])))
    if found["hypotheses"]:
        lines += ["given:", *(f"- {markdown(h['text'])} (line {h['line']})" for h in found["hypotheses"])]
    return "\n\n".join(lines[:4]) + "".join(f"\n{line}" for line in lines[4:])


def server() -> PaperServer:
    """A server with what an editor may ask of it."""
    made = PaperServer()

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: PaperServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, 0.0)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: PaperServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: PaperServer, params: types.DidSaveTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, 0.0)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: PaperServer, params: types.DidCloseTextDocumentParams) -> None:
        path = to_fs_path(params.text_document.uri)
        ls.findings.pop(path or "", None)
        ls.publish_diagnostics(params.text_document.uri, [])

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: PaperServer, params: types.HoverParams) -> types.Hover | None:
        found = ls.at(params.text_document.uri, params.position)
        if not found:
            return None
        text = "\n\n---\n\n".join(map(told, found))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @made.feature(types.SHUTDOWN)
    def ended(ls: PaperServer, params: object) -> None:
        ls.stop()

    return made
