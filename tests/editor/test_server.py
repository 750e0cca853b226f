"""The editor server, as an editor sees it: a real client speaks to a real process."""

import asyncio
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

PAPER = r"""\documentclass{article}
\begin{document}
Let $x > 0$. Then
\begin{align}
  1 + x &\le e^{x}, \\
  x + 1 &\le x .
\end{align}
\end{document}
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "symdp", "lsp"]))
async def client(lsp_client: LanguageClient):
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=types.ClientCapabilities(), root_uri="file:///nowhere"))
    yield
    await lsp_client.shutdown_session()


async def settled(client, uri, wanted):
    """Wait until the diagnostics of a document are as wanted; what they are then, or after a minute."""
    for _ in range(600):
        found = client.diagnostics.get(uri)
        if found is not None and wanted(found):
            return found
        await asyncio.sleep(0.1)
    return client.diagnostics.get(uri)


def opened(client, uri, text):
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=uri, language_id="latex", version=1, text=text)))


def refuted(found):
    return [d for d in found if d.severity == types.DiagnosticSeverity.Error]


@pytest.mark.asyncio
async def test_a_wrong_line_is_an_error_at_its_place_and_goes_when_it_is_mended(client, tmp_path):
    uri = (tmp_path / "paper.tex").as_uri()
    opened(client, uri, PAPER)
    (error,) = refuted(await settled(client, uri, refuted))
    assert error.source == "symdp"
    assert error.code == "refuted"
    assert error.range.start.line == 5
    assert error.range.start.character == 2

    told = await client.text_document_hover_async(types.HoverParams(
        text_document=types.TextDocumentIdentifier(uri), position=types.Position(5, 8)))
    assert "**refuted**" in told.contents.value
    assert "x \\> 0" in told.contents.value or "x > 0" in told.contents.value  # the hypothesis, with its line
    assert "(line 3)" in told.contents.value
    told = await client.text_document_hover_async(types.HoverParams(
        text_document=types.TextDocumentIdentifier(uri), position=types.Position(4, 4)))
    assert "**proved**" in told.contents.value

    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(version=2, uri=uri),
        content_changes=[types.TextDocumentContentChangeEvent_Type2(
            text=PAPER.replace(r"x + 1 &\le x", r"x &\le x + 1"))]))
    assert refuted(await settled(client, uri, lambda found: not refuted(found))) == []


@pytest.mark.asyncio
async def test_nothing_is_said_where_nothing_is(client, tmp_path):
    uri = (tmp_path / "empty.tex").as_uri()
    opened(client, uri, "Only prose.\n")
    assert await settled(client, uri, lambda found: True) == []
    told = await client.text_document_hover_async(types.HoverParams(
        text_document=types.TextDocumentIdentifier(uri), position=types.Position(0, 3)))
    assert told is None
