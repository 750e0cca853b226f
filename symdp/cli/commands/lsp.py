"""symdp lsp: papers linted live in an editor."""

from __future__ import annotations

from symdp.cli.console import BadInput


def lsp() -> None:
    """Lint papers live in an editor: a language server on standard input and output.

    Editors start it by this command; it needs the extra "editor" (pip install 'symdp[editor]').
    """
    try:
        from symdp.editor.server import server  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as reason:
        raise BadInput(f"the server needs {reason.name}: pip install 'symdp[editor]'") from reason
    server().start_io()
