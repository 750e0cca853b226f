r"""Lemmas of the kernel's library about digamma, proved by hand: loggamma and its chord from x to x + 1.

The chord has the slope $\log x$ by the law of recurrence, and loggamma is convex: so $\psi(x)\le\log x\le\psi(x+1)$.

>>> from symdp.search.elaboration.derived_rules import verify
>>> for name, goal, step in lemmas(): print(f"{name}: {verify(goal, step).goal}")
digamma-upper: digamma(x) <= log(x) for every real x with 0 < x
digamma-lower: log(x) - 1/x <= digamma(x) for every real x with 0 < x
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
