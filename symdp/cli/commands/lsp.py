"""symdp lsp: papers linted live in an editor."""

from __future__ import annotations

from symdp.cli.console import BadInput

try:
    from symdp.editor.server import server
except ModuleNotFoundError as reason:  # an optional extra
    if (reason.name or "").startswith("symdp"):
        raise
    MISSING = reason.name
else:
    MISSING = None


def lsp() -> None:
    """Lint papers live in an editor: a language server on standard input and output.

    Editors start it by this command; it needs the extra "editor" (pip install 'symdp[editor]').
    """
    if MISSING is not None:
        raise BadInput(f"the server needs {MISSING}: pip install 'symdp[editor]'")
    server().start_io()
