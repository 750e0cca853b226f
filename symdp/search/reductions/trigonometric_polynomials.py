r"""Polynomials in the sine and cosine of angles: multiples of one angle are written out, and the circle is used.

The laws of addition turn $\cos(2x)$ and $\sin(x+y)$ into polynomials in the sines and cosines of the least angles;
$\sin^2 = 1-\cos^2$ makes every equation between such polynomials one of algebra. What is left of an inequality is
tried for any number in [-1, 1] in the place of the cosine; and if a sine stays, with half the angle, as a form of
even degree for any two numbers.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import number, variable
>>> x = variable("x")
>>> law = Relation(number(3) + number(4) * cos(x) + cos(number(2) * x), ">=", number(0))
>>> for found in reductions(Goal((("x", REAL),), (), law)): print(found.premises[0])
0 <= 2*cos(x)^2 + 4*cos(x) + 2 for every real x
0 <= 2*c^2 + 4*c + 2 for every real c with -1 <= c, c <= 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain as joined

import sympy
from sympy import Expr, Integer, Rational, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    fresh,
    mul,
    number,
    replace_part,
    substitute,
    variable,
)
from symdp.search.elaboration.circle import cos, sin
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of

WAVES = frozenset({"sin", "cos"})
_TWO, _ASSUMED, _SAME = number(2), Step("assumption"), Step("identity")
#: Larger multiples are not written out.
MOST_UNITS = 12
_S, _C, _W = sympy.symbols("sine_ cosine_ square_")

#: An angle as a sum of least angles and their negatives.
Units = tuple[tuple[Term, int], ...]


def reductions(goal: Goal) -> Iterator[Detour]:
    """The claim in the least angles; for any cosine; in half the angle, for any two numbers."""
    waves = parts_of(goal, WAVES) if isinstance(goal.claim, Relation) else []
    if not waves:
        return
    for share in (1, 2):
        try:
            angles = _angles([w.args[0] for w in waves], share)
            if angles is None or max(map(len, angles.values())) > MOST_UNITS:
                return
            written = _written_out(goal, waves, angles)
            least = list(dict.fromkeys(a for units in angles.values() for a, _ in units))
            if share == 1:
                stays = _without_squares(written, least)
                if written.goal != goal:
                    yield written.reduced(Reason.of("multiples of angles written out"))
                if goal.relation.op != "==":
                    yield from _for_any_numbers(written, least)
                if not stays:
                    return
            elif goal.relation.op != "==":
                yield from _as_a_form(written, least)
        except (Rejected, ArithmeticError, NotATerm, sympy.PolynomialError):
            return


# --- angles ---------------------------------------------------------------------------------------


def _angles(arguments: Sequence[Term], share: int) -> dict[Term, Units] | None:
    """Each argument as a sum of least angles; None if one of them is no combination of such."""
    found: dict[Term, dict[Expr, Expr]] = {}
    for u in dict.fromkeys(arguments):
        found[u] = sympy.expand(expr_of(u)).as_coefficients_dict()
        if any(not c.is_Rational or not m.free_symbols for m, c in found[u].items()):
            return None
    least: dict[Expr, Rational] = {}
    for m, c in joined.from_iterable(f.items() for f in found.values()):
        least[m] = _common(least[m], c) if m in least else abs(c)
    units: dict[Term, Units] = {}
    for u, parts in found.items():
        counts = [(term_of(least[m] / share * m), int(share * c / least[m])) for m, c in parts.items()]
        units[u] = tuple((a, 1 if k > 0 else -1) for a, k in counts for _ in range(min(abs(k), MOST_UNITS + 1)))
    return units


def _common(a: Rational, b: Rational) -> Rational:
    return Rational(sympy.igcd(a.p * b.q, b.p * a.q), a.q * b.q)


def _sum_of(units: Units) -> Term:
    signed = [a if k > 0 else -a for a, k in units]
    total = signed[0]
    for a in signed[1:]:
        total = total + a
    return total


def _wave(head: str, units: Units) -> tuple[Term, Step]:
    """The sine or cosine of a sum in those of its units, and a step that shows them to be equal."""
    if len(units) == 1:
        ((a, k),) = units
        return (cos(a) if head == "cos" else sin(a) if k > 0 else -sin(a)), _SAME
    middle = len(units) // 2
    first, second = units[:middle], units[middle:]
    x, y = _sum_of(first), _sum_of(second)
    if head == "sin":
        name, law = "sine-of-sum", sin(x) * cos(y) + cos(x) * sin(y)
    else:
        name, law = "cosine-of-sum", cos(x) * cos(y) - sin(x) * sin(y)
    value, replaced = law, []
    for part, (of, inside) in {sin(x): ("sin", first), cos(y): ("cos", second),
                               cos(x): ("cos", first), sin(y): ("sin", second)}.items():
        by, equal = _wave(of, inside)
        if by is not part:
            replaced.append((value, part, by, equal))
            value = replace_part(value, part, by)
    step = _SAME
    for before, part, by, equal in reversed(replaced):
        form = Relation(replace_part(before, part, variable("hole")), "==", value)
        step = Step("replace", {"name": "hole", "form": form, "part": part, "by": by}, (equal, step))
    by_law = Step("lemma", {"name": name, "at": {"x": x, "y": y}}, (_ASSUMED,))
    return value, Step("transitivity", {"middle": law}, (by_law, step))


def _written_out(goal: Goal, waves: Sequence[Term], angles: dict[Term, Units]) -> Descent:
    """The claim with multiples of the least angles written out."""
    written = Descent(goal)
    for wave in sorted(waves, key=lambda w: -w.size):
        value, equal = _wave(wave.head, angles[wave.args[0]])
        if value is not wave:
            written.put(wave, value, equal)
    return written


# --- the circle -----------------------------------------------------------------------------------


def _polynomial(gap: Expr, angle: Expr) -> Expr | None:
    """The gap with names for the sine and cosine of an angle, if it is a polynomial in these."""
    named = gap.subs({sympy.sin(angle): _S, sympy.cos(angle): _C})
    if named.has(sympy.sin(angle), sympy.cos(angle)) or not named.is_polynomial(_S, _C):
        return None
    return sympy.expand(named)


def _circle(angle: Term) -> Step:
    return Step("lemma", {"name": "circle", "at": {"x": angle}}, (_ASSUMED,))


def _without_squares(written: Descent, least: Sequence[Term]) -> bool:
    """Put 1 - cos^2 for sin^2, angle by angle; whether a sine stays."""
    stays = False
    for a in least:
        angle = expr_of(a)
        gap = _polynomial(expr_of(written.goal.relation.gap), angle)
        if gap is None:
            stays = True
            continue
        powers = sympy.Poly(gap, _S).as_dict() if gap.has(_S) else {}
        stays = stays or any(k % 2 for (k,) in powers)
        if not any(k > 1 for (k,) in powers):
            continue
        split = sum((c * _S ** (k % 2) * _W ** (k // 2) for (k,), c in powers.items()), Integer(0))
        hole = fresh("hole", written.goal.taken)
        back = {_S: sympy.sin(angle), _C: sympy.cos(angle), _W: Symbol(hole)}
        form = term_of(sympy.expand(split).subs(back))
        square, by = sin(a) ** _TWO, ONE - cos(a) ** _TWO
        written.rewrite(ZERO, substitute(form, {hole: square}))
        written.put_in(Relation(ZERO, written.goal.relation.op, form), hole, square, by, _circle(a))
        reduced = sympy.expand(split.subs({_W: 1 - _C**2}).subs(back))
        written.rewrite(ZERO, term_of(reduced))
    return stays


def _for_any_numbers(written: Descent, least: Sequence[Term]) -> Iterator[Detour]:
    """For any numbers in [-1, 1] in the place of the cosines, and of sines with them on the circle."""
    general = Descent(written.goal)
    parts: list[tuple[Term, str]] = []
    kept: list[Relation] = []
    for a in least:
        for wave, stem in ((cos(a), "c"), (sin(a), "s")):
            if wave in parts_of(general.goal, WAVES):
                parts.append((wave, fresh(stem, general.goal.taken | {n for _, n in parts})))
                for fact in (Relation(number(-1), "<=", wave), Relation(wave, "<=", ONE)):
                    general.know(fact, Step("enclosure"))
                    kept.append(fact)
        if sin(a) in dict(parts) and cos(a) in dict(parts):
            fact = Relation(sin(a) ** _TWO + cos(a) ** _TWO, "==", ONE)
            general.know(fact, _circle(a))
            kept.append(fact)
    if not parts:
        return
    angles = set().union(*(a.variables for a in least))
    general.generalise(parts)
    if general.goal.claim.variables & angles:
        return

    def named(t: Term) -> Term:
        for part, name in parts:
            t = replace_part(t, part, variable(name))
        return t

    own = {f.map(named) for f in kept}
    general.weaken([h for h in general.goal.hypotheses if h in own or not h.variables & angles])
    yield Detour((general.goal,), lambda steps: written.around(general.around(steps[0])),
                    Reason.of("for any number in the place of the cosine"))


def _as_a_form(written: Descent, least: Sequence[Term]) -> Iterator[Detour]:
    """A polynomial of even degree in the sine and cosine of half the angle, with powers of sin^2 + cos^2 = 1 that
    make it a form, for any two numbers."""
    (a,) = least if len(least) == 1 else (None,)
    gap = None if a is None else _polynomial(expr_of(written.goal.relation.gap), expr_of(a))
    if a is None or gap is None or gap.free_symbols - {_S, _C}:
        return
    terms = sympy.Poly(gap, _S, _C).terms()
    degree = max(i + j for (i, j), _ in terms)
    if any((degree - i - j) % 2 for (i, j), _ in terms):
        return
    hole = fresh("hole", written.goal.taken)
    summands = []
    for (i, j), c in terms:
        missing = variable(hole) ** number((degree - i - j) // 2)
        summands.append(mul(term_of(c), sin(a) ** number(i), cos(a) ** number(j), missing))
    form = summands[0]
    for t in summands[1:]:
        form = form + t
    square = sin(a) ** _TWO + cos(a) ** _TWO
    written.rewrite(ZERO, substitute(form, {hole: ONE}))
    written.put_in(Relation(ZERO, written.goal.relation.op, form), hole, ONE, square, _circle(a))
    names = [(sin(a), fresh("s", written.goal.taken)), (cos(a), fresh("c", written.goal.taken))]
    even = sympy.expand(sum(c * _S**i * _C**j * (_S**2 + _C**2) ** ((degree - i - j) // 2) for (i, j), c in terms))
    angle = expr_of(a)
    written.rewrite(ZERO, term_of(even.subs({_S: sympy.sin(angle), _C: sympy.cos(angle)})))
    written.generalise(names)
    written.weaken([])
    yield written.reduced(Reason.of("a form in the sine and cosine of half the angle"))
