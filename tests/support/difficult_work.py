"""Work that kills its own process, or raises. It has a file that every process can import, whatever pytest calls its
tests."""

import os
import signal
from pathlib import Path


def once_killed(path: str, text: str) -> str:
    """Kills itself the first time, or always."""
    mark = Path(path)
    if text == "always" or (text == "once" and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return text


def raises(text: str) -> str:
    if text == "bad":
        raise ZeroDivisionError("over\nand out")
    return text
