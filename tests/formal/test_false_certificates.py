"""For every rule of analysis a false proof, which our kernel is told to accept: Coq refuses each of them."""

import shutil

import pytest

from symdp.formal.compiling import LIBRARY
from symdp.formal.export import HEADER, theorem_of
from symdp.formal.session import Asking
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.rules import analysis, logic, paving
from symdp.kernel.terms import ONE, ZERO, apply, number, variable

HAS_COQ = shutil.which("coqtop") is not None and (LIBRARY / "theories" / "Certificates.vo").exists()
needs_coq = pytest.mark.skipif(not HAS_COQ, reason="coqtop or the compiled library is missing: make formal")

x, y, u = variable("x"), variable("y"), variable("u")
TWO, HALF = number(2), number(1, 2)
LEAF = Step("enclosure")


def le(a, b):
    return Relation(a, "<=", b)


def lt(a, b):
    return Relation(a, "<", b)


def about_x(claim, *hypotheses):
    return Goal((("x", REAL),), hypotheses, claim)


def about_both(claim, *hypotheses):
    return Goal((("x", REAL), ("y", REAL)), hypotheses, claim)


EXP = apply("exp", x)
FROM_0, UNIT = le(ZERO, x), (le(ZERO, x), le(x, ONE))
#: rule -> a goal that is false, with a proof of it that has one flaw
FALSE = {
    "enclosure of what is false": (about_x(le(EXP, ONE + x), FROM_0), LEAF),
    "enclosure of another gap": (about_x(le(EXP, ONE + x), FROM_0), Step("enclosure", {"gap": x})),
    "undefined": (about_x(Relation(x / x, "==", ONE)), LEAF),
    "undefined in a part": (about_x(le(ZERO * apply("log", x), ONE)), LEAF),
    "paving": (about_x(le(x * x, x * HALF), *UNIT), Step("paving", {"cuts": [0, -1, -1]})),
    "assumption": (about_x(le(TWO, x), le(ONE, x)), Step("assumption")),
    "cut": (about_x(le(EXP, x)), Step("cut", {"fact": le(EXP, x)}, (LEAF, Step("assumption")))),
    "weaken": (about_x(lt(ZERO, x), FROM_0), Step("weaken", {"hypotheses": [le(ONE, x)]}, (LEAF,))),
    "contradiction": (about_x(le(x, ZERO), FROM_0), Step("contradiction")),
    "cases": (about_x(le(x, TWO)), Step("cases", {"relation": le(x, ONE)}, (LEAF, Step("assumption")))),
    "transitivity": (about_both(le(x, y), le(x, ONE)), Step("transitivity", {"middle": ONE}, (
        Step("assumption"), LEAF))),
    "both": (about_x(Relation(x, "==", ONE), le(x, ONE)), Step("both", {}, (Step("assumption"), LEAF))),
    "replace": (about_both(le(x + y, TWO), le(x + x, TWO)), Step(
        "replace", {"name": "s", "form": le(x + variable("s"), TWO), "part": y, "by": x},
        (LEAF, Step("assumption")))),
    "rewrite": (about_x(le(x, ONE), le(x, TWO)), Step("rewrite", {"left": x, "right": TWO}, (Step("assumption"),))),
    "lemma": (about_x(le(x + number(3), EXP)), Step(
        "lemma", {"name": "exp-tangent", "at": {"z": x + TWO}}, (Step("assumption"),))),
    "aside": (about_x(le(x, ZERO)), Step(
        "aside", {"sorts": [["u", REAL]], "given": [], "hypotheses": [], "claim": le(u, ZERO), "at": {"u": x},
                  "families": {}}, (LEAF, Step("assumption")))),
    "branches": (about_both(le(apply("max", x, y), x)), Step(
        "branches", {"node": apply("max", x, y)}, (LEAF, Step("assumption")))),
    "combine with another sum": (about_x(le(ONE, x), FROM_0), Step(
        "combine", {"terms": [[ONE, [[x, 1, ">="]]]]}, (Step("assumption"),))),
    "combine without a sign": (about_x(le(ZERO, x)), Step("combine", {"terms": [[ONE, [[x, 1, ">="]]]]}, (LEAF,))),
    "monotone with another slope": (about_x(le(ZERO, ONE - x), FROM_0), Step(
        "monotone", {"variable": "x", "end": "lower", "slope": x * x}, (LEAF, LEAF))),
    "monotone over a jump": (about_x(le(ZERO, ONE / x + TWO), le(number(-1), x)), Step(
        "monotone", {"variable": "x", "end": "lower", "slope": ONE / x ** TWO}, (LEAF, LEAF))),
    "convex at another point": (about_x(le(ONE, x * x)), Step(
        "convex", {"variable": "x", "at": ONE, "weight": ONE, "core": x - ONE}, (LEAF, LEAF, LEAF))),
    "concave with another core": (about_x(le(ZERO, x * x - x), *UNIT), Step(
        "concave", {"variable": "x", "weight": ONE, "core": ONE - TWO * x}, (LEAF, LEAF, LEAF, LEAF))),
}
TRUE = {
    "monotone": (about_x(le(ZERO, EXP - ONE), FROM_0), Step(
        "monotone", {"variable": "x", "end": "lower"}, (LEAF, LEAF))),
    "combine": (about_both(le(TWO * x * y, x * x + y * y)), Step("combine", {"terms": [[ONE, [[x - y, 2, ""]]]]})),
}


@pytest.fixture
def credulous(monkeypatch):
    """A kernel that looks at nothing: every side condition is waved through."""
    monkeypatch.setattr(Rejected, "unless", classmethod(lambda cls, condition, message: None))
    for module in (analysis, logic, analysis.conditions, paving):
        for name in dir(module):
            if name.startswith("need_") and name not in ("need_term", "need_relation", "need_fresh"):
                monkeypatch.setattr(module, name, lambda *given, **named: None)
            elif name in ("shown", "fits", "same_gap"):
                monkeypatch.setattr(module, name, lambda *given, **named: True)
    monkeypatch.setattr(logic, "is_empty", lambda goal: True)
    monkeypatch.setattr(paving.Gradient, "settles", lambda self, piece: True)


@pytest.mark.parametrize("name", FALSE)
def test_the_kernel_itself_refuses_each(name):
    with pytest.raises(Rejected):
        verify(*FALSE[name])


@pytest.mark.parametrize("name", FALSE)
def test_each_is_exported_by_a_kernel_that_looks_at_nothing(name, credulous):
    goal, step = FALSE[name]
    assert verify(goal, step).goal == goal
    assert theorem_of("false_claim", goal, step).startswith(f"(** {goal}".replace("*)", "* )"))


@needs_coq
def test_coq_refuses_every_false_proof_and_accepts_true_ones(tmp_path, credulous):
    coq = Asking(HEADER, LIBRARY / "theories", tmp_path, 60.0)
    said = {}
    try:
        for place, (name, (goal, step)) in enumerate({**FALSE, **TRUE}.items()):
            file = f"theorem_{place}.v"
            (tmp_path / file).write_text(theorem_of(f"theorem_{place}", goal, step), encoding="utf-8")
            said[name], _ = coq.load(file)
    finally:
        coq.end()
    assert [name for name in FALSE if not said[name]] == []
    assert [said[name] for name in TRUE] == ["", ""]


@needs_coq
@pytest.mark.long
def test_coq_refuses_a_counterexample_to_what_is_true(tmp_path):
    goal = about_x(le(ONE + x, EXP))
    coq = Asking(HEADER, LIBRARY / "theories", tmp_path, 60.0)
    try:
        (tmp_path / "a.v").write_text(theorem_of("a", goal, None, {"values": {"x": "1/1"}}), encoding="utf-8")
        assert coq.load("a.v")[0]
    finally:
        coq.end()


def test_the_flaws_are_the_only_ones():
    """The true proofs among them are accepted by the kernel as it is."""
    for goal, step in TRUE.values():
        assert verify(goal, step).goal == goal
