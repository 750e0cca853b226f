r"""Lemmas of the kernel's library about digamma, proved by hand: loggamma and its chord from x to x + 1.

The chord has the slope $\log x$ by the law of recurrence, and loggamma is convex: so $\psi(x)\le\log x\le\psi(x+1)$.
Between them lie the slopes of all chords, which bounds differences of loggamma by logarithms.

>>> from symdp.search.elaboration.derived_rules import verify
>>> for name, goal, step in lemmas(): print(f"{name}: {verify(goal, step).goal}")
digamma-upper: digamma(x) <= log(x) for every real x with 0 < x
digamma-lower: log(x) - 1/x <= digamma(x) for every real x with 0 < x
loggamma-rise-lower: loggamma(x) + s*(log(x) - 1/x) <= loggamma(x + s) for every real x, s with 0 < x, 0 <= s
loggamma-rise-upper: loggamma(x + s) <= loggamma(x) + s*log(x + s) for every real x, s with 0 < x, 0 <= s
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, Term, apply, replace_part, variable

_ASSUMED, _SEEN = Step("assumption"), Step("enclosure")


def law(name: str, u: Term) -> tuple[Relation, Step]:
    """The recurrence of a function at a place, and the step for it where the place is seen to be positive."""
    onward = FUNCTIONS[name].onward
    if onward is None:
        raise ValueError(f"{name} has no law of recurrence")
    relation = Relation(apply(name, u + ONE), "==", onward(apply(name, u), u))
    return relation, Step("recurrence", {"function": name, "at": u}, (_SEEN,))


def lemmas() -> Iterator[tuple[str, Goal, Step]]:
    """The name, the goal and the proof of each."""
    x, t = variable("x"), variable("t")
    positive = (Relation(ZERO, "<", x),)
    between = (*positive, Relation(ZERO, "<=", t), Relation(t, "<=", ONE))
    curve = apply("loggamma", x + t)
    for name, claim, touching, end in (
        ("digamma-upper", Relation(apply("digamma", x), "<=", apply("log", x)), x, "lower"),
        ("digamma-lower", Relation(apply("log", x) - ONE / x, "<=", apply("digamma", x)), x + ONE, "upper"),
    ):
        # The line through the point over x, with the slope of the curve at one end of the chord.
        line = apply("loggamma", x) + t * apply("digamma", touching)
        lower, upper = (line, curve) if end == "lower" else (curve, line)
        aside = Relation(lower, "<=", upper)
        bend = apply("digamma", x + t) - apply("digamma", touching)
        # The slope of the difference grows from the end where it is 0.
        slope = Step("monotone", {"variable": "t", "end": end}, (_SEEN, Step("identity")))
        slope = Step("rewrite", {"left": ZERO, "right": bend if end == "lower" else -bend}, (slope,))
        shown = Step("monotone", {"variable": "t", "end": "lower"}, (slope, Step("identity")))
        at_one = aside.substitute({"t": ONE})
        laws = [law("loggamma", x), law("digamma", x)]
        last = _by_laws(at_one, laws[:1] if end == "lower" else laws)
        yield name, Goal((("x", REAL),), positive, claim), Step("aside", {
            "sorts": [["x", REAL], ["t", REAL]], "given": [], "hypotheses": list(between), "claim": aside,
            "at": {"x": x, "t": ONE}, "families": {},
        }, (shown, _SEEN, _SEEN, _SEEN, last))
    yield from rises()


def rises() -> Iterator[tuple[str, Goal, Step]]:
    """How far loggamma rises from x to x + s, from below and from above."""
    x, s = variable("x"), variable("s")
    given = (Relation(ZERO, "<", x), Relation(ZERO, "<=", s))
    there, least = apply("loggamma", x + s), apply("log", x) - ONE / x
    by_digamma = Step("lemma", {"name": "digamma-lower", "at": {"x": x}}, (_SEEN, _ASSUMED))
    steeper = Step("monotone", {"variable": "s", "end": "lower"}, (
        _SEEN, Step("rewrite", {"left": least, "right": apply("digamma", x)}, (by_digamma,))))
    lower = Step("monotone", {"variable": "s", "end": "lower"}, (
        Step("rewrite", {"left": least, "right": apply("digamma", x + s)}, (steeper,)), Step("identity")))
    yield "loggamma-rise-lower", Goal((("x", REAL), ("s", REAL)), given, Relation(
        apply("loggamma", x) + s * least, "<=", there)), lower
    less = apply("log", x + s) - apply("digamma", x + s)
    flatter = Step("combine", {"terms": [[ONE, [[less, 1, ">="]]], [ONE, [[s, 1, ">="], [x + s, -1, ">"]]]]}, (
        Step("lemma", {"name": "digamma-upper", "at": {"x": x + s}}, (_SEEN, _ASSUMED)), _SEEN, _SEEN))
    upper = Step("monotone", {"variable": "s", "end": "lower"}, (flatter, Step("identity")))
    yield "loggamma-rise-upper", Goal((("x", REAL), ("s", REAL)), given, Relation(
        there, "<=", apply("loggamma", x) + s * apply("log", x + s))), upper


def _by_laws(known: Relation, laws: Sequence[tuple[Relation, Step]]) -> Step:
    """From a known relation the same with the right sides of equations in the place of the left ones."""
    if not laws:
        return _ASSUMED
    (equal, shown), *others = laws
    form = known.map(lambda side: replace_part(side, equal.left, variable("hole")))
    fact = form.substitute({"hole": equal.right})
    back = Step("cut", {"fact": equal}, (shown, _ASSUMED))
    exchanged = Step("replace", {"name": "hole", "form": form, "part": equal.right, "by": equal.left},
                     (back, _ASSUMED))
    return Step("cut", {"fact": fact}, (exchanged, _by_laws(fact, others)))
