"""The words that a formula in plain text may use: functions, constants, and names of variables.

Reading (:mod:`symdp.formulas.parsing`) and writing (:mod:`symdp.formulas.printing`) share them, so that what one of
them writes the other can read.

>>> is_variable("eps_0"), is_variable("sqrt"), is_variable("2x")
(True, False, False)
"""

from __future__ import annotations

import re
import unicodedata

from sympy import Expr, S

from symdp.formulas.functions import BY_TEXT
from symdp.formulas.notation import aliases
from symdp.kernel.terms import FUNCTIONS as RECORDS

MAX_TEXT = 10_000
MAX_DIGITS = 1_000
MAX_ARGUMENTS = 32

#: Name -> the kernel's function, and how many arguments it takes at least and at most.
FUNCTIONS: dict[str, tuple[str, int, int]] = {
    word: (name, RECORDS[name].arity or 2, RECORDS[name].arity or MAX_ARGUMENTS) for word, name in BY_TEXT.items()}
KNOWN = ", ".join(sorted(RECORDS, key=str.lower))
CONSTANTS: dict[str, Expr] = {"e": S.Exp1, "pi": S.Pi, "π": S.Pi}

#: Without the omicron, which everybody reads as o.
_GREEK = "".join(name for name in aliases if len(name) == 1 and not name.isascii() and name != "ο")
# Classes are spelled out: \d and \w would let in the digits and letters of all scripts.
NAME = rf"[A-Za-z_][A-Za-z0-9_]*|Φ|[{_GREEK}](?:[0-9_][A-Za-z0-9_]*)?"
_NOT_NUMBERS = frozenset({"oo", "zoo", "inf", "infinity", "nan"})


#: Letters of other scripts that look like one of these.
_LOOK = dict(zip("аеорсухіјѕһԁԛԝҮАВЕКМНОРСТУХІЈЅ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
                 "aeopcyxijshdqwYABEKMHOPCTYXIJS" "ABEZHIKMNOPTYXo", strict=True))
_LOOK |= {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", "∕": "/"}


def strange(character: str) -> str:
    """What is to be said of a sign that the grammar does not have: its name, and what to write instead.

    >>> strange("а")
    "unexpected character 'а' (U+0430, CYRILLIC SMALL LETTER A); write the letter 'a' instead"
    >>> strange("[")
    ''
    """
    if character.isascii():
        return ""
    quoted = f" '{character}'" if character.isprintable() else ""
    text = f"unexpected character{quoted} (U+{ord(character):04X}, {unicodedata.name(character, 'without a name')})"
    plain = unicodedata.normalize("NFKC", character)
    raised = {"<super>": "^", "<sub>": "_"}.get(unicodedata.decomposition(character).partition(" ")[0], "")
    meant = _LOOK.get(character, "")
    known = len(plain) == 1 and ((plain.isalnum() and plain.isascii()) or plain in aliases)
    if not meant and plain != character and known:
        meant = raised + plain
    if meant:
        return f"{text}; write {'the letter ' if meant.isalpha() else ''}'{meant}' instead"
    if unicodedata.category(character) in ("Cf", "Mn", "Zs", "Cc"):
        return f"{text}; leave it out"
    return f"{text}; write it with letters a to z, as in 'eps'" if character.isalpha() else text


def not_a_variable(name: str) -> str:
    """Why a word of the grammar cannot name a variable; empty if it can.

    >>> not_a_variable("pi"), not_a_variable("gamma")
    ("'pi' is a constant, not a variable", '')
    """
    if name in CONSTANTS:
        return f"'{name}' is a constant, not a variable"
    # A bare gamma is a variable, gamma( is the function.
    if name == "Φ" or (name in FUNCTIONS and name != "gamma"):
        return f"'{name}' is a function; write {name}(...)"
    if name.lower() in _NOT_NUMBERS:
        return f"'{name}' is not a real number"
    return ""


def is_variable(name: str) -> bool:
    """Whether a text is a variable's name, and can be read as one."""
    short = len(name) <= MAX_TEXT
    return short and re.fullmatch(NAME, name) is not None and not not_a_variable(name)
