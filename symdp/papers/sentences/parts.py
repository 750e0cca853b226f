r"""A formula in its sentence: the words around it, and the part that it plays there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sympy import Symbol

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.papers.formulas.conditions import condition_of
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.papers.sentences.context import Hypothesis, Meaning
from symdp.papers.sentences.roles import declared, describes, goes_on, role_of
from symdp.papers.sentences.survey import LARGEST
from symdp.papers.text.chains import Display, chains_of, is_simple
from symdp.papers.text.rows import (
    COMPARED,
    DEFINES,
    tokens_of,
)
from symdp.papers.text.source_text import Text
from symdp.papers.text.walking import (
    Math,
    Prose,
)

#: What is said with these holds from there to the end.
EVERYWHERE = re.compile(
    r"\b(?:throughout|from here on|in what follows|always|from now on|in the sequel)\b", re.IGNORECASE
)

_NAME = re.compile(r"\s*\\?[A-Za-z]+\s*(?:_\s*(?:\w|\\[A-Za-z]+|\{[^{}]*\}))?'*\s*")
_IN_ALL = re.compile(
    r"\bin (?:all|both|either|any|every|each|these|the two|most) (?:[a-z]+ )?cases?\s*,?\s*$", re.IGNORECASE
)
#: ..., for $e^x \\ge 1 + x$: because
_FOR = re.compile(r"[,;]\s*for\s*$", re.IGNORECASE)
_QUANTIFIER = re.compile(r"\b(?:for|every|any|each|all|forall)(?:\s+[a-z-]+)?\s*$", re.IGNORECASE)

#: Surprisingly, $x > 1$: a word that speaks of what is claimed, and is no noun of which it could be a condition.
_REMARKS = re.compile(
    r"(?:\b[a-z]+ly|\b(?:now|here|fact|again|still|already|even|too|course|words|addition|particular|sum|total"
    r"|turn|then"
    r"|however|nevertheless|nonetheless|otherwise|else|but|yet|also|always|often|never|not|note|evidently|fortunately"
    r"|sometimes|perhaps|maybe|occasionally|that|hand|end|result|summary|short|passing|contrast|view|account"
    r"|thing|last|first|next|after all|in all)"
    r"|\b(?:remarkable|surprising|amusing|interesting|obvious|clear|evident|plain|known|true"
    r"|false))\s*[,:;]?\s*(?:that\s*)?$",
    re.IGNORECASE,
)


#: Names as authors write them.
_NAMES = re.compile(
    r"\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon"
    r"|phi|chi|psi|omega)(?![A-Za-z])|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])"
)


@dataclass
class Phrase:
    """A formula in its sentence."""

    formula: Math
    before: str
    after: str
    display: Display | None
    role: str = "claim"
    broken: str = ""
    condition: Hypothesis | None = None
    #: of a definition: the name and what it stands for
    defined: tuple[Symbol, Meaning] | None = None
    text: Text | None = None
    #: no formula of the sentence stands before it
    first: bool = False
    #: of a condition: it stands behind *unless*, and was turned around
    excepted: bool = False
    #: it belongs to what the sentence lets or supposes: let p, q > 0 with p + q = 1
    of_let: bool = False
    #: it stands behind a comma and a formula that is no relation
    beside: bool = False
    #: the formula before it is a name, of which it may say something
    named: bool = False
    #: the words of its sentence before it
    said: str = ""


def is_bound(part: Phrase) -> bool:
    """x > 0, 0 < p < 1, x in a set."""
    d = part.display
    if d is None or part.text is None or len(d.chains) + len(d.asides) > 3:
        return False
    if d.unread or any(a.kind == "doubt" for a in d.asides):
        return False
    with suppress(LatexError):
        given = [t for t in tokens_of(part.text) if t.kind != "gap"]
        return is_simple(given) or (
            len(d.chains) > 1
            and all(
                is_simple([t for s in c.sides for t in [*s.found, Token("sign", "=", 0)]][:-1]) for c in d.chains
            )
        )
    return False


def says(part: Phrase) -> bool:
    """Whether a formula has a relation in it, or puts something into a set."""
    d = part.display
    return d is not None and bool(
        d.asides
        or d.unread
        or any(c.links or any(t.text == r"\in" for s in c.sides for t in s.found) for c in d.chains)
    )


def bounds_one_name(part: Phrase, book: Quantities) -> bool:
    """C > 0, and not a, b, c > 0."""
    if part.text is None or not is_bound(part) or not says(part):
        return False
    with suppress(LatexError, IndexError, RecursionError):
        return len(condition_of(part.text.signs, book).names) == 1
    return False


def has_bare_side(part: Phrase) -> bool:
    """a > -n, which has a name alone on one side."""
    d = part.display
    return d is not None and any(
        len(side.found) == 1 and side.found[0].kind in ("letter", "command") for c in d.chains for side in c.sides
    )


def begins_with_name(part: Phrase) -> bool:
    """a >= b + c, of which a may be spoken."""
    d = part.display
    return d is not None and any(
        len(c.sides[0].found) == 1 and c.sides[0].found[0].kind in ("letter", "command") for c in d.chains
    )


def is_between(part: Phrase) -> bool:
    """1/k <= p < 1, which has a name alone in the middle."""
    d = part.display
    if d is None or len(d.chains) != 1 or len(d.chains[0].sides) != 3 or is_equation(part):
        return False
    middle = d.chains[0].sides[1].found
    return len(middle) == 1 and middle[0].kind in ("letter", "command")


def is_short(part: Phrase) -> bool:
    return part.text is not None and len(part.text.signs) < 60


def is_equation(part: Phrase) -> bool:
    """name = ..., perhaps a chain of it."""
    d = part.display
    if d is None or len(d.chains) != 1 or not d.chains[0].links:
        return False
    sign = d.chains[0].links[0].sign
    return (COMPARED.get(sign) == "==" or sign in DEFINES) and 0 < len(d.chains[0].sides[0].found) <= 14


def is_bare(part: Phrase, book: Quantities) -> bool:
    """Names alone, perhaps several."""
    if part.text is None or says(part):
        return False
    try:
        for piece in part.text.signs.strip(" ()").split(","):
            reader = PaperReader.of(piece, book)
            reader.whole(reader.name)
    except (LatexError, IndexError, RecursionError):
        return False
    return True


def part_of(item: Math, text: Text | str, before: str, after: str) -> Phrase:
    """A formula, expanded, between words; one that is too long or too deep is broken."""
    if isinstance(text, str) or len(text) > LARGEST:
        why = text if isinstance(text, str) else f"a formula of more than {LARGEST} signs"
        return Phrase(item, before, after, None, broken=why)
    try:
        return Phrase(item, before, after, chains_of(item.environment, text), text=text)
    except RecursionError:
        return Phrase(item, before, after, None, broken="nested too deeply")


def parts_of(items: Sequence[Prose | Math], expand: Callable[[Math], Text | str], supposes: bool) -> Iterator[Phrase]:
    """The formulas of a sentence with their roles; where everything ``supposes``, nothing is claimed."""
    before, said, listed, previous, so_are, noun, name = "", "", "", "", False, False, False
    for place, item in enumerate(items):
        if isinstance(item, Prose):
            before += " " + item.text
            continue
        behind = items[place + 1] if place + 1 < len(items) else None
        part = part_of(item, expand(item), before.strip(), behind.text if isinstance(behind, Prose) else "")
        role = _spoken_role(part, before, listed, previous)
        role = _role_of_display(part, before, role)
        role = _role_of_shape(part, role)
        if role == "claim" and supposes and says(part) and not is_equation(part):
            role = "suppose"
        if role == "claim" and item.inline and is_bound(part) and (
            declared(part.before, part.after) is not None or so_are or EVERYWHERE.search(before)
        ):
            role = "suppose"  # n >= 2 is an integer: what it says of n besides is said of n, too
        so_are = re.search(r"\bso (?:is|are)\s*$", before) is not None or (so_are and role_of(before) is None)
        part.role = role
        part.first = not previous
        said = f"{said} {before}"
        part.named, part.said = name, said
        name = part.text is not None and _NAME.fullmatch(part.text.signs) is not None
        part.beside = noun and item.inline and re.fullmatch(r"\s*[,(]\s*", before) is not None
        noun = not says(part)
        if says(part) or role != "claim":
            listed = role
        previous, before = role, ""
        yield part


def of_known_names(parts: Sequence[Phrase]) -> Iterator[Phrase]:
    r"""The relations of a list that speak only of names that stand before them in it."""
    known: set[str] = set()
    for part in parts:
        names = set(_NAMES.findall(part.text.signs)) if part.text is not None else set()
        if known and names <= known and says(part) and role_of(part.before) is None:
            yield part
        known |= names


def _spoken_role(part: Phrase, before: str, listed: str, previous: str) -> str:
    """The role that the words before a formula give it, or that of the formula whose list it goes on with."""
    inline, related = part.formula.inline, says(part)
    role = role_of(before)
    if listed in ("let", "suppose", "where", "noun") and inline and (goes_on(before) or describes(before)):
        role = None if is_bound(part) or is_between(part) else role
    if role is None and listed in ("for", "if", "case") and re.fullmatch(r"\s*:\s*", before):
        return "claim"  # for all $a > 0$: $a + 1 > 1$
    if role is None:
        role = listed or "claim"
        joined = re.search(r"\b(?:and|or)\b", before) is not None
        if listed in ("let", "suppose", "require") and related and not inline and not joined:
            role = "claim"
        if listed in ("for", "if", "where", "since", "noun", "case", "define") and related:
            if not joined and not (inline and is_bound(part)):
                role = "claim"
            elif listed == "define" and not is_equation(part):
                role = "where"
    if re.search(r"\bcase\b[^.,]*$", before, re.IGNORECASE) and role in ("if", "plain"):
        role = "case"
    if inline and is_bound(part) and re.search(r"\b(?:cases|choices?|values?|settings?)\s*$", before, re.IGNORECASE):
        role = "claim" if _IN_ALL.search(before) else "if"
    if role == "for" and inline and related and not is_bound(part) and not has_bare_side(part):
        # for two vectors we have $|u + v| \\le |u| + |v|$; it holds, for $e^x \\ge 1 + x$
        role = "claim" if not _QUANTIFIER.search(before) else "since" if _FOR.search(before) else role
    if role == "plain":
        # a parameter q in (0,1): the noun before a simple bound makes it a condition
        noun = inline and is_bound(part) and not previous.startswith("claim") and not _REMARKS.search(before)
        role = "noun" if noun else "claim"
    return role


def _role_of_display(part: Phrase, before: str, role: str) -> str:
    """A display is what is claimed, unless the word right before it says otherwise."""
    if part.formula.inline or role not in ("where", "since", "for", "noun", "if"):
        return role
    immediate = re.search(
        r"\b(?:if|when|whenever|where|such that|satisfying|provided(?: that)?)\s*$", before, re.IGNORECASE
    )
    if immediate or (role == "where" and is_equation(part) and re.search(r"\bwith\s*$", before)):
        bound = is_bound(part) or re.search(r"\b(?:if|when|whenever|such that|satisfying|that)\s*$", before)
        return "define" if is_equation(part) else role if bound else "claim"
    return "claim"


def _role_of_shape(part: Phrase, role: str) -> str:
    """Only an equation with a name defines; what is long is no passing condition."""
    if role in ("let", "require") and is_equation(part):
        role = "define" if role == "let" else "claim"
    if role == "where" and is_equation(part) and part.formula.inline and _begins_with_sum(part):
        return role  # weights with $\\sum_i w_i = 1$
    if role in ("where", "noun") and is_equation(part) and not is_bound(part):
        role = "define" if role == "where" else "claim"
    if role == "define" and not is_equation(part):
        role = "let" if part.formula.inline or is_bound(part) else "claim"
    if role == "since" and not (part.formula.inline and (is_bound(part) or is_short(part))):
        role = "claim" if not part.formula.inline else "since"
    return role


def _begins_with_sum(part: Phrase) -> bool:
    d = part.display
    return d is not None and bool(d.chains) and d.chains[0].sides[0].found[0].text in (r"\sum", r"\prod")
