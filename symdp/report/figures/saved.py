"""A figure as a file, which says who drew it and not when, so that it is the same every time."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from symdp.outgoing import MARK, write

_METADATA: dict[str, dict[str, str | None]] = {
    ".pdf": {"CreationDate": None, "Creator": MARK},
    ".svg": {"Date": None, "Creator": MARK},
    ".png": {"Software": MARK},
}
#: The endings of a file that a figure can be.
KINDS = tuple(_METADATA)


def save(figure: Any, path: Path, *, dpi: int = 200, force: bool = False) -> None:
    """Write the figure; ValueError if the name of the file does not say what it is."""
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise ValueError(f"cannot write {path}: its name must end in {' or '.join(KINDS)}")
    drawn = BytesIO()
    figure.savefig(drawn, format=kind[1:], metadata=_METADATA[kind], dpi=dpi)
    write(path, drawn.getvalue(), force=force)
