r"""Increasing functions applied to both sides, in steps of the kernel.

To see that $a\le b$ it is enough to see that $f(a)\le f(b)$, if f increases: by a lemma of the kernel's library
for each function. These lemmas are proved here, by hand.

>>> from symdp.search.elaboration.derived_rules import verify
>>> x, y = variable("x"), variable("y")
>>> known = (Relation(apply("log", x), "<=", apply("log", y)), Relation(ZERO, "<", x), Relation(ZERO, "<", y))
>>> goal = Goal((("x", REAL), ("y", REAL)), known, Relation(x, "<=", y))
>>> how = {"function": "log", "lower": x, "upper": y, "images": [apply("log", x), apply("log", y)]}
>>> for premise in premises(goal, how): print(premise.claim)
0 < x
0 < y
log(x) <= log(y)
>>> print(verify(goal, step(goal.relation, how, [Step("assumption")] * 3)).goal.claim)
x <= y
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, number, variable

Parameters = Mapping[str, Any]

#: function -> the signs that the smaller and the larger argument need
FUNCTIONS = {"log": ("<", "<"), "exp": ("", ""), "sqrt": ("<=", "<="), "square": ("", "<=")}
_ASSUMED = Step("assumption")


def _image(name: str, t: Term) -> Term:
    return t ** number(2) if name == "square" else apply(name, t)


def _signs(name: str, *sides: Term) -> list[Relation]:
    return [Relation(ZERO, op, t) for t, op in zip(sides, FUNCTIONS[name], strict=True) if op]


def _relations(op: str, parameters: Parameters) -> list[Relation]:
    factor = parameters.get("factor", ONE)
    positive = [] if factor is ONE else [Relation(ZERO, "<", factor)]
    lower, upper = parameters["images"]
    signs = _signs(parameters["function"], parameters["lower"], parameters["upper"])
    return list(dict.fromkeys([*signs, *positive, Relation(lower, op, upper)]))


def premises(goal: Goal, parameters: Parameters) -> list[Goal]:
    """What is enough: the signs of the sides and of the factor, and the relation between the images."""
    return [goal.claiming(r) for r in _relations(goal.relation.op, parameters)]


def step(claim: Relation, parameters: Parameters, steps: Sequence[Step]) -> Step:
    """The claim, whose gap is a positive factor times the difference of the sides, from its premises."""
    op = claim.normal.op
    shown = dict(zip(_relations(op, parameters), steps, strict=True))
    lower, upper, factor = parameters["lower"], parameters["upper"], parameters.get("factor", ONE)
    positive = {"positive": parameters["positive"]} if parameters.get("positive") else {}
    images = Relation(parameters["images"][0], op, parameters["images"][1])
    by_images = Step("rewrite", {"left": images.left, "right": images.right, **positive}, (shown[images],))
    name = parameters["function"]
    signs = _signs(name, lower, upper)
    last = Step("lemma", {"name": lemma_for(name, op), "at": {"x": lower, "y": upper}},
                (*(_ASSUMED for _ in signs), by_images, _ASSUMED))
    if factor is ONE:
        last = Step("rewrite", {"left": lower, "right": upper, **positive}, (last,))
    else:
        strict = ">" if op == "<" else ">="
        product = Step("combine", {"terms": [[ONE, [[factor, 1, ">"], [upper - lower, 1, strict]]]], **positive},
                       (shown[Relation(ZERO, "<", factor)], _ASSUMED))
        last = Step("cut", {"fact": Relation(lower, op, upper)}, (last, product))
    for fact in dict.fromkeys(reversed(signs)):
        last = Step("cut", {"fact": fact}, (shown[fact], last))
    return last


def lemma_for(function: str, op: str) -> str:
    return f"by-{function}" + ("-strictly" if op == "<" else "")


# --- the lemmas ---------------------------------------------------------------------------------


def lemmas() -> Iterator[tuple[str, Goal, Step]]:
    """For each function, f(x) op f(y) gives x op y, with the signs it needs; and exp increases."""
    x, y = variable("x"), variable("y")
    leaves = (Step("enclosure"), Step("enclosure"))
    for op, sign, opposite, back in (("<=", ">=", "<", ">"), ("<", ">", "<=", ">=")):
        less = Relation(x, op, y)

        def rising(a: Term, b: Term, sign: str = sign) -> Step:
            return _product(apply("exp", a), ">", apply("exp", b - a) - ONE, sign, leaves)

        yield f"exp-increasing{'-strictly' if op == '<' else ''}", _goal((less,), Relation(
            apply("exp", x), op, apply("exp", y))), rising(x, y)
        (logs, exps, roots, squares) = ([_image(f, x), _image(f, y)] for f in FUNCTIONS)
        shown = Relation(apply("exp", logs[0]), op, apply("exp", logs[1]))
        positive = Step("transitivity", {"middle": roots[0]}, (Step("enclosure"), _ASSUMED))
        factors = _product(roots[1] - roots[0], sign, roots[1] + roots[0], sign, leaves)
        if op == "<":
            factors = Step("cut", {"fact": Relation(ZERO, "<", roots[1])}, (positive, factors))
        more = Step("cut", {"fact": Relation(squares[1], opposite, squares[0])}, (
            _product(x - y, back, x + y, back, leaves), Step("contradiction")))
        for name, proof in (
            ("log", Step("cut", {"fact": shown}, (rising(logs[0], logs[1]), _ASSUMED))),
            ("exp", Step("enclosure", {"gap": apply("log", ONE + (exps[1] - exps[0]) / exps[0])})),
            ("sqrt", factors),
            ("square", Step("cases", {"relation": less}, (_ASSUMED, more))),
        ):
            known = (*_signs(name, x, y), Relation(_image(name, x), op, _image(name, y)))
            yield lemma_for(name, op), _goal(known, less), proof


def _goal(known: tuple[Relation, ...], claim: Relation) -> Goal:
    return Goal((("x", REAL), ("y", REAL)), known, claim)


def _product(a: Term, a_sign: str, b: Term, b_sign: str, leaves: tuple[Step, ...]) -> Step:
    """The gap is a product of two factors of known sign."""
    return Step("combine", {"terms": [[ONE, [[a, 1, a_sign], [b, 1, b_sign]]]]}, leaves)
