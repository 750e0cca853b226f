r"""What part a formula plays, once it is known what is in force where it stands.

The words before a formula say most of it (``parts``); the rest depends on its names: *by a factor* $\theta = \sqrt a$
defines a name that is new, *the sample size is* $n \ge 2$ supposes it, and $k = 8 \ln(1/\beta)$ *groups suffice*
chooses a value for a name that is free.
"""

from __future__ import annotations

import re
from contextlib import suppress

from sympy import Pow, Symbol

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.papers.formulas.conditions import condition_of
from symdp.papers.formulas.quantities import Quantities
from symdp.papers.formulas.sides import read_side
from symdp.papers.sentences.context import InForce
from symdp.papers.sentences.parts import (
    Phrase,
    begins_with_name,
    is_between,
    is_bound,
    is_equation,
    says,
)
from symdp.papers.sentences.roles import CLAIMS, THINGS, VERBS
from symdp.papers.text.rows import DEFINES

#: The sample size is $n \ge 2$.
_IS = re.compile(
    r"\b(?:the|an?|our|its|whose|every|each)\s+(?:[a-z-]+\s+){1,6}(?:is|are|be|equals?)\s*$", re.IGNORECASE
)
#: $k = 3m$ groups suffice.
_SUFFICES = re.compile(
    r"^[\s,]*(?:[a-z-]+\s+){0,4}?(?:suffices?|is enough|are enough|works?|will do|is sufficient|are sufficient"
    r"|iterations|steps|samples|rounds|groups|queries|repetitions|trials|times)\b",
    re.IGNORECASE,
)
#: The choice $\sigma^2 = 2v$ gives; noise of variance $\sigma^2 = 2v$, of which nothing was said before.
_CHOICE = re.compile(r"\bchoice(?: of)?\s*$", re.IGNORECASE)
_VARIANCE = re.compile(r"\b(?:of|with|has) variance\s*$", re.IGNORECASE)
_SATISFIES = re.compile(r"\bsatisf(?:y|ies)\s*$", re.IGNORECASE)
#: Every x that satisfies; suppose that the rates satisfy: it is supposed of them.
_OF_SUCH = re.compile(
    r"\b(?:let|suppos\w*|assum\w*|any|every|each|all|if|that|which|who|such|where|for|when|whenever|provided|given"
    r"|consider|fix|take|whose|must|should|require\w*)\b", re.IGNORECASE
)
_WITH = re.compile(r"\W*(?:(?:and|so|now|then|but|also)\W+)?(?:with|under|given)", re.IGNORECASE)
_IS_THE = re.compile(r"\s*(?:is|are|denotes?|stands? for|be)\s+(?:the|an?|our|its|their)\s+[a-z]", re.IGNORECASE)
#: and a horizon $T \\ge K$
_AND_A = re.compile(r"\b(?:and|with|has|have)\s+(?:an?|the)\s+(?:[a-z-]+\s+){0,2}[a-z-]+\s*$", re.IGNORECASE)
_RECALLS = re.compile(r"\brecall\b", re.IGNORECASE)
_QUANTIFIES = re.compile(r"\b(?:every|any|all|each|arbitrary|forall)\b[^,.;]*$", re.IGNORECASE)


def second_look(
    part: Phrase, context: InForce, seen: set[Symbol], book: Quantities, begun: set[Symbol]
) -> str:
    """The role of a formula, given what is in force before it, which names were used and which it began."""
    role, d = part.role, part.display
    if d is None or part.broken or part.text is None or not part.formula.inline or not says(part):
        return role
    if len(d.chains) == 1 and d.chains[0].links and d.chains[0].links[0].sign in DEFINES and is_equation(part):
        return "define"
    if role in ("claim", "noun", "where") and is_equation(part) and (
        _CHOICE.search(part.before) or (_VARIANCE.search(part.before) and _is_new_square(part, context, seen, book))
    ):
        return "define"
    left = left_name(part, book)
    if is_equation(part) and left is not None and left not in context.declared:
        if role in ("since", "noun") and left not in seen:
            return "define"
        if role == "claim" and left not in context.meanings and _SUFFICES.match(part.after):
            return "define"
    if is_equation(part) and left is not None and left not in context.meanings and role == "claim":
        if _SUFFICES.match(part.after):
            return "define"
        if is_bound(part) and not CLAIMS.search(part.before):
            return "if"
    if role in ("since", "claim") and is_bound(part) and not is_equation(part):
        names = _names(part, book)
        told = _RECALLS.search(part.before) if role == "since" else (
            _IS.search(part.before) and not names & seen and not CLAIMS.search(part.before)
        )
        if told and names and not names & context.declared:
            return "suppose"
    if role == "claim" and is_bound(part) and not is_equation(part) and _bare(part, book) - context.declared - seen:
        # there are $K \\ge 2$ arms and a horizon $T \\ge K$: of names that are new
        things = THINGS.match(part.after)
        described = _IS_THE.match(part.after) and not CLAIMS.search(part.before)  # $\\sigma > 0$ is the deviation
        if (things and things[1] not in VERBS) or described or (
            _AND_A.search(part.before) and not CLAIMS.search(part.before)
        ):
            return "suppose"
    if role == "claim" and part.beside and is_bound(part) and not is_equation(part):
        names = _names(part, book)
        if names and not names & context.declared:
            return "where"  # the density $e^{-x/b}$, $b > 0$
    if role == "where" and part.first and _WITH.fullmatch(part.before) and is_bound(part) and not is_equation(part):
        names = _names(part, book)
        if names and names <= context.declared:
            return "if"  # with $x \\ge 1$ we get: a condition of this sentence, on a name that has its domain
    if role == "where" and not part.named and _SATISFIES.search(part.before) and not _OF_SUCH.search(part.said):
        names = _names(part, book)
        about = (is_bound(part) and not names <= context.declared) or begins_with_name(part) or is_between(part)
        if names and not about and not any(str(v) in book.tex for v in names):
            return "claim"  # the central coefficient satisfies $\\binom{2n}{n} \\le 4^n$
    if role == "where" and not is_equation(part) and _SATISFIES.search(part.before):
        names = _spoken_of(part, book)
        if names and names <= context.meanings.keys() | begun:
            return "claim"
    if role == "for" and not _QUANTIFIES.search(part.before) and _names(part, book) & context.meanings.keys():
        return "if"  # for $z < 2$, where z has a meaning: it keeps it
    return role


def left_name(part: Phrase, book: Quantities) -> Symbol | None:
    if part.display is None or len(part.display.chains) != 1:
        return None
    if any(t.text in ("(", "[", r"\left", r"\mid") for t in part.display.chains[0].sides[0].found):
        return None  # f(x), which is for those who read definitions
    with suppress(LatexError, RecursionError):
        found, _ = read_side(part.display.chains[0].sides[0], book)
        return found if isinstance(found, Symbol) and str(found) not in book.tex else None
    return None


def _is_new_square(part: Phrase, context: InForce, seen: set[Symbol], book: Quantities) -> bool:
    """Whether an equation begins with the square of a name that nobody has used."""
    with suppress(LatexError, RecursionError):
        found, _ = read_side(part.display.chains[0].sides[0], book) if part.display is not None else (None, ())
        return isinstance(found, Pow) and found.exp == 2 and found.base not in context.declared | seen
    return False


def _spoken_of(part: Phrase, book: Quantities) -> frozenset[Symbol]:
    """Of lam < 1/c: lam."""
    with suppress(LatexError, RecursionError, IndexError):
        return condition_of(part.text.signs, book).spoken_of if part.text is not None else frozenset()
    return frozenset()


def _bare(part: Phrase, book: Quantities) -> frozenset[Symbol]:
    """Names that are a side of a bound; of none but one they may be the subject."""
    return frozenset(v for v in _spoken_of(part, book) if str(v) not in book.tex)


def _names(part: Phrase, book: Quantities) -> frozenset[Symbol]:
    with suppress(LatexError, RecursionError, IndexError):
        return condition_of(part.text.signs, book).names if part.text is not None else frozenset()
    return frozenset()
