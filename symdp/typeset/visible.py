r"""Text of others for a terminal: what is printed can be seen, and nothing in it speaks to the terminal.

Names, titles, reasons and file names come from strangers. A terminal obeys some signs: they move the cursor, rewrite
what stands above, set the title, make links, turn the direction of reading. Such signs are shown by their codes.

>>> print(visible("a\x1b[2Kb\u202e c\nd"))
a\x1b[2Kb\u202e c d
"""

from __future__ import annotations

import re
import unicodedata

_BLANKS = re.compile(r"[\t\n\v\f\r \u0085\u2028\u2029]+")
#: More marks than anybody writes on one letter would cover the lines above and below.
_MARKS = re.compile(r"([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})"
                    r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


def visible(text: object) -> str:
    """The text on one line, in which every sign is printable."""
    line = _BLANKS.sub(lambda run: run.group() if set(run.group()) == {" "} else " ", str(text))
    if line.isascii() and line.isprintable():
        return line
    return "".join(map(_seen, _MARKS.sub(r"\1", line)))


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(visible, text.split("\n")))


def _seen(sign: str) -> str:
    if sign.isprintable():
        return sign
    if unicodedata.category(sign) == "Zs":
        return " "
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
