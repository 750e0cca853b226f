r"""What the kernel sees by an enclosure, as a proof for Coq: bounds of every part, each from those of its operands.

Coq's own tactics are asked first, and see most of it at once. Where they do not, each part of a term gets the bounds
that the kernel found for it, as assertions, inner parts first. Each of them is about one operation on numbers with
known bounds.

>>> from symdp.kernel.goals import REAL, Goal, Relation
>>> from symdp.kernel.terms import apply, number, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(x, ">", number(1)),), Relation(number(0), "<", apply("log", x) * x))
>>> print(seen(goal.relation, goal).replace("; ", ";\n"))
first [at_once | solve [bound (1 < x) (1 <= x) q9001;
bound (0 < ln x) (0 <= ln x) q9002;
bound_of_one (0 < ln x * x) (0 <= ln x * x) q9003 (ln x);
bound_of_one (0 < ln x * x - 0) (0 <= ln x * x - 0) q9004 (ln x * x);
lra] | settle]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from flint import arb, fmpq, fmpz

from symdp.formal.printing import condition, coq, whole_exponent
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.atoms import is_opaque
from symdp.kernel.goals import Formula, Goal, Relation
from symdp.kernel.terms import ZERO, Term, number, subterms
from symdp.kernel.values.enclosure import (
    DEFAULT_BITS,
    box_of,
    knowledge_of,
    operands_first,
    range_on,
)
from symdp.kernel.values.ranges import NEG_INF, POS_INF, Range, precision

#: Longer terms are left to Coq's own tactics.
MOST_PARTS = 30
#: Binary digits of a bound: of a variable, less with each operation, at least; and the largest exponent of one.
DIGITS, LESS, LEAST, FURTHEST = 60, 4, 16, 300
#: Functions that Coq has to integrate.
INTEGRALS = ("erf", "erfc", "Phi")


def seen(r: Relation, goal: Goal, bits: int = DEFAULT_BITS) -> str:
    """A tactic for a relation that the kernel sees by an enclosure on the hypotheses of the goal."""
    try:
        lines = [*_bounds(r.normal.gap, goal, bits), "lra"]
    except (ArithmeticError, NotExportable, RecursionError):
        return "settle"
    return f"first [at_once | solve [{'; '.join(lines)}] | settle]" if len(lines) <= 2 * MOST_PARTS else "settle"


def defined(text: str, claim: Formula, goal: Goal) -> str:
    """A tactic for a condition under which the claim has a value."""
    if isinstance(claim, Relation):
        for part in (s for t in claim.terms() for s in subterms(t)):
            if condition(part) == text and (r := _sign_of(part, goal)) is not None:
                how = seen(r, goal)
                if part.head in ("/", "^"):
                    how = f"apply {'Rgt_not_eq' if r.left is ZERO else 'Rlt_not_eq'}; {how}"
                return f"first [at_once | {how} | well_defined]"
    return "first [defined | well_defined]"


def _sign_of(part: Term, goal: Goal) -> Relation | None:
    """The sign that makes a part defined."""
    if part.head in ("log", "sqrt"):
        return Relation(ZERO, "<" if part.head == "log" else "<=", part.args[0])
    below = part.args[1] if part.head == "/" else part.args[0]
    if part.head == "^" and whole_exponent(part) is None:
        return None
    try:
        found = range_on(below, goal)
    except ArithmeticError:
        return None
    return Relation(ZERO, "<", below) if found.is_positive() else (
        Relation(below, "<", ZERO) if found.is_negative() else None)


def _bounds(term: Term, goal: Goal, bits: int) -> Iterator[str]:
    known, names = knowledge_of(goal), count(9001)
    tape, box = known.tape(term), list(box_of(goal, bits).values())
    with precision(bits):
        values = tape.values(box)
    parts = operands_first(term, goal.whole)
    if len(parts) > MOST_PARTS:
        raise NotExportable("enclosure", "too many parts")
    for part, (operands, _) in parts:
        if part.head == "number" or is_opaque(part):
            continue
        text = coq(part)
        moving = sorted(dict.fromkeys(a for a in operands if a.head not in ("number", "variable")),
                        key=lambda a: -a.size)  # of two that are alike, the first first: a file is the same each time
        inner = " ".join(f"({coq(a)})" for a in moving[:2])
        word = {0: "bound", 1: "bound_of_one", 2: "bound_of_two"}.get(len(moving), "bound")
        value = values[tape.places[part]].sharp().exact
        if value is not None and part.head == "variable" and goal.whole(part):
            yield _whole_value(text, int(value.p), f"q{next(names)}")
            continue
        if value is not None and not part.is_closed:
            yield f"valued ({text} = {coq(number(value))}) q{next(names)}"
            continue
        for below, end, is_open in _ends(values[tape.places[part]], _digits(part)):
            c = coq(number(end))
            sides = (c, text) if below else (text, c)
            strict, weak = (f"({sides[0]} {op} {sides[1]})" for op in ("<", "<="))
            about = f" {inner}" if word != "bound" else ""
            yield f"{word} {strict if is_open else weak} {weak} q{next(names)}{about}"


def _whole_value(text: str, n: int, name: str) -> str:
    """That an integer between two others has one value."""
    beyond = [f"first [lra | apply (integer_{word} {text} ({m})); [assumption|lra]]"
              for word, m in (("below", n + 1), ("above", n - 1))]
    return f"first [assert ({name} : {text} = {n}) by (apply Rle_antisym; [{' | '.join(beyond)}]) | idtac]"


def _digits(part: Term) -> int:
    """How exact a bound has to be: those of operands are more exact, so that this one follows from them."""
    if part.head in INTEGRALS:
        return LEAST + LESS
    integrals = any(s.head in INTEGRALS for s in subterms(part))
    return LEAST - LESS if integrals else max(DIGITS - LESS * part.depth, LEAST)


def _ends(found: Range, digits: int) -> Iterator[tuple[bool, fmpq, bool]]:
    """The finite ends of a range, rounded outward: whether it is the lower one, and whether it is left out."""
    for end, below, is_open in ((found.lo, True, found.lo_open), (found.hi, False, found.hi_open)):
        if end not in (POS_INF, NEG_INF):
            at = _rounded(end, below, digits)
            if at is not None:
                yield below, at, is_open


def _rounded(end: arb, below: bool, digits: int) -> fmpq | None:
    mantissa, exponent = (int(n) for n in end.man_exp())
    further = max(mantissa.bit_length() - digits, 0)
    if abs(exponent + further) > FURTHEST:
        return fmpq(0) if exponent < 0 and (mantissa > 0) == below else None
    if further:
        mantissa = mantissa >> further if below else -((-mantissa) >> further)
    value, power = fmpq(fmpz(mantissa)), exponent + further
    return value * fmpq(fmpz(2) ** power) if power >= 0 else value / fmpq(fmpz(2) ** -power)
