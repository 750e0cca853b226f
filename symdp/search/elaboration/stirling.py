r"""Lemmas of the kernel's library about loggamma far out: Stirling's formula, with an error that vanishes.

Let s(x) be loggamma(x) less $(x-\frac12)\log x-x+\frac12\log2\pi$. By digamma's bounds s falls, and less 1/(12x) it
grows. By Legendre's law of duplication $s(y+\frac12)$ is $s(2y)-s(y)$ and something elementary: so it is near 0. The
prover finds :data:`FOUND` by itself; from these the others follow by addition.

>>> from symdp.search.elaboration.derived_rules import verify
>>> for name, goal, step in _near(): print(f"{name}: {verify(goal, step).goal.claim}")
stirling-near-lower: (x - 1/2)*log(x) - x + log(2*pi)/2 - 1/(24*(x + 1/2)) <= loggamma(x)
stirling-near-upper: loggamma(x) <= (x - 1/2)*log(x) - x + log(2*pi)/2 + 1/(8*(x + 1/2)) + 1/(12*x*(x + 1))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.lemmas import proved
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, constant, number, variable
from symdp.search.elaboration.chords_of_loggamma import law

#: name -> (claim, where); a proof may use those before it
FOUND: dict[str, tuple[str, tuple[str, ...]]] = {
    "digamma-half": ("digamma(x) <= log(x) - 1/(2*x)", ("x > 0",)),
    "digamma-twelfth": ("log(x) - 1/(2*x) - 1/(12*x^2) <= digamma(x)", ("x > 0",)),
    "duplication-lower": (
        "log(pi)/2 <= loggamma(x) + loggamma(x+1/2) - loggamma(2*x) + (2*x-1)*log(2)", ("x >= 1/2",)),
    "duplication-upper": (
        "loggamma(x) + loggamma(x+1/2) - loggamma(2*x) + (2*x-1)*log(2) <= log(pi)/2", ("x >= 1/2",)),
    "half-step-lower": ("log((x+1/2)/x) <= 1/(2*x)", ("x > 0",)),
    "half-step-upper": ("1/2 - x*log((x+1/2)/x) <= 1/(8*x)", ("x > 0",)),
    "step-lower": ("0 <= (x+1/2)*log((x+1)/x) - 1", ("x > 0",)),
    "step-upper": ("(x+1/2)*log((x+1)/x) - 1 <= 1/(12*x*(x+1))", ("x > 0",)),
}
_ASSUMED, _SEEN, _HALF = Step("assumption"), Step("enclosure"), number(1, 2)


def _log(t: Term) -> Term:
    return apply("log", t)


def _curve(x: Term) -> Term:
    """What loggamma is near to, but for a constant."""
    return (x - _HALF) * _log(x) - x


def lemmas() -> Iterator[tuple[str, Goal, Step]]:
    """The name, the goal and the proof of each."""
    yield from _slopes()
    yield from _near()


def _slopes() -> Iterator[tuple[str, Goal, Step]]:
    """The distance from the curve falls; less 1/(12x) it grows."""
    x, t = variable("x"), variable("t")
    u, given = x + t, (Relation(ZERO, "<", x), Relation(ZERO, "<=", t))

    def distance(at: Term, share: Term) -> Term:
        return apply("loggamma", at) - _curve(at) - share / at

    for name, lemma, share in (("stirling-falls", "digamma-half", ZERO),
                               ("stirling-grows", "digamma-twelfth", number(1, 12))):
        psi, first = apply("digamma", u), _log(u) - ONE / (number(2) * u)
        falls = share is ZERO
        slope = first - psi if falls else psi - (first - ONE / (number(12) * u ** number(2)))
        shown = Step("combine", {"terms": [[ONE, [[slope, 1, ">="]]]], "positive": [u]}, (
            Step("lemma", {"name": lemma, "at": {"x": u}}, (_SEEN, _ASSUMED)),))
        sides = (distance(u, share), distance(x, share))
        claim = Relation(sides[0], "<=", sides[1]) if falls else Relation(sides[1], "<=", sides[0])
        yield name, Goal((("x", REAL), ("t", REAL)), given, claim), Step(
            "monotone", {"variable": "t", "end": "lower"}, (shown, Step("identity")))


def _near() -> Iterator[tuple[str, Goal, Step]]:
    """Near to the curve from both sides: by duplication at y = x + 1/2, and from x + 1 to x."""
    x = variable("x")
    y, far = x + _HALF, (Relation(ZERO, "<", x),)
    limit = _log(number(2) * constant("pi")) / number(2)
    below = _curve(x) + limit - ONE / (number(24) * y)
    above = _curve(x) + limit + ONE / (number(8) * y) + ONE / (number(12) * x * (x + ONE))
    here, hole, names = apply("loggamma", x), variable("hole"), (("x", REAL),)
    yield "stirling-near-lower", Goal(names, far, Relation(below, "<=", here)), _sum(x, Relation(below, "<=", hole), [
        ("duplication-lower", {"x": y}), ("stirling-grows", {"x": y, "t": y}), ("half-step-lower", {"x": y}),
        ("step-lower", {"x": x})])
    yield "stirling-near-upper", Goal(names, far, Relation(here, "<=", above)), _sum(x, Relation(hole, "<=", above), [
        ("duplication-upper", {"x": y}), ("stirling-falls", {"x": y, "t": y}), ("half-step-upper", {"x": y}),
        ("step-upper", {"x": x})])


def _sum(x: Term, form: Relation, parts: Sequence[tuple[str, dict[str, Term]]]) -> Step:
    """The gap, with loggamma(x) by that at x + 1, is the sum of the gaps of these lemmas."""
    terms, shown = [], []
    for name, at in parts:
        known = proved(name).goal
        gap = known.relation.substitute(at).gap
        # The first of the bounds on logarithms is over y.
        weight = [[at["x"], 1, ">"]] if name == "half-step-lower" else []
        terms.append([ONE, [*weight, [gap, 1, ">="]]])
        shown += [_SEEN] * len(weight)
        shown.append(Step("lemma", {"name": name, "at": at}, (*[_SEEN] * len(known.hypotheses), _ASSUMED)))
    recurrence, holds = law("loggamma", x)
    # By the law of recurrence, which is known from left to right.
    replaced = Step("replace", {"name": "hole", "form": form, "part": apply("loggamma", x),
                                "by": recurrence.left - _log(x)}, (
        _ASSUMED, Step("combine", {"terms": terms, "positive": [x, x + ONE, x + _HALF]}, tuple(shown))))
    return Step("cut", {"fact": recurrence}, (holds, replaced))
