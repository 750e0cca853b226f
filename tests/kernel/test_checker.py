"""The checker on its own: what it prints of each file, in which order, and how it ends."""

import json
import runpy
import sys

import pytest
from flint import fmpq

from symdp.kernel.__main__ import main
from symdp.kernel.certificate import BadCertificate, digest_of, read_document, recheck
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Step, verify
from symdp.kernel.terms import ONE, ZERO, apply, number, variable
from symdp.kernel.values.points import Point
from symdp.kernel.witness import refute
from symdp.search.certificates import document_of

x = variable("x")
SQUARE = Goal((("x", REAL),), (), Relation(ZERO, "<=", x ** number(2)))
SHIFTED = Goal((("x", REAL),), (), Relation(ZERO, "<=", (x - ONE) ** number(2)))


def square(name="square"):
    return document_of(verify(SQUARE, Step("enclosure")), name)


def user(name, other):
    """0 <= (x - 1)^2, from a claim of that name that says 0 <= x^2."""
    step = Step("claim", {"id": other, "at": {"x": x - ONE}}, (Step("assumption"),))
    return document_of(verify(SHIFTED, step, {other: SQUARE}), name)


def false():
    return document_of(refute(Goal((("x", REAL),), (), Relation(ONE, "<=", x)), Point({"x": fmpq(0)})), "false")


@pytest.fixture
def run(tmp_path, capsys):
    def checked(**documents):
        for name, document in documents.items():
            (tmp_path / f"{name}.json").write_text(document if isinstance(document, str) else json.dumps(document))
        code = main([str(tmp_path)])
        return code, capsys.readouterr().out.splitlines()

    return checked


def test_proofs_and_counterexamples_are_both_accepted(run):
    assert run(a=square(), b=false()) == (0, [
        "proved    a.json: 0 <= x^2 for every real x",
        "refuted   b.json: 1 <= x for every real x"])


def test_a_file_is_checked_after_those_that_it_uses(run):
    code, lines = run(a=user("user", "square"), b=square())
    assert code == 0
    assert [line.split()[:2] for line in lines] == [["proved", "b.json:"], ["proved", "a.json:"]]


def test_without_what_it_uses_a_file_is_rejected(run):
    assert run(a=user("user", "square")) == (
        1, ["rejected  a.json: the claim 'square' is not among those that are proved"])


def test_what_was_refused_is_of_no_use_to_others(run):
    code, lines = run(a=user("user", "square"), b={**square(), "statement": "0 < x^2 for every real x"})
    assert code == 1
    assert lines == ["rejected  b.json: the statement or the digest is not that of its goal",
                     "rejected  a.json: the claim 'square' is not among those that are proved"]


def test_a_claim_of_that_name_that_says_something_else_is_of_no_use(run):
    code, lines = run(a=user("user", "square"), b=document_of(verify(SHIFTED, Step("enclosure")), "square"))
    assert code == 1
    assert lines[1] == "rejected  a.json: square says something else now"


def test_a_circle_is_rejected(run):
    code, lines = run(a=user("one", "other"), b=user("other", "one"), c=square())
    assert code == 1
    assert lines == ["proved    c.json: 0 <= x^2 for every real x",
                     "rejected  a.json: it uses claims that use each other in a circle",
                     "rejected  b.json: it uses claims that use each other in a circle"]


@pytest.mark.parametrize("document", ["[]", "3", '"text"', '{"format": 4, "uses": 3}', "noise"])
def test_what_is_no_certificate_is_rejected(run, document):
    code, (line,) = run(a=document)
    assert code == 1
    assert line.startswith("rejected  a.json: ")


def test_a_file_that_is_not_there_is_rejected(tmp_path, capsys):
    assert main([str(tmp_path / "absent.json")]) == 1
    assert capsys.readouterr().out == "rejected  absent.json: cannot be read: No such file or directory\n"
    with pytest.raises(BadCertificate, match="no file, or one too large"):
        read_document(tmp_path)


def test_without_a_file_it_says_how_it_is_called(capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m symdp.kernel FILE-OR-FOLDER...\n"


def test_it_runs_as_a_program(tmp_path, capsys, monkeypatch):
    path = tmp_path / "square.json"
    path.write_text(json.dumps(square()))
    monkeypatch.setattr(sys, "argv", ["symdp.kernel", str(path)])
    monkeypatch.delitem(sys.modules, "symdp.kernel.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("symdp.kernel", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == "proved    square.json: 0 <= x^2 for every real x\n"


def test_what_a_name_holds_does_not_speak_to_the_terminal(run):
    forged = {**square(), "steps": [["\x1b[31mgreen", {}, []]]}
    assert run(a=forged) == (1, ["rejected  a.json: there is no rule called '\\x1b[31mgreen'"])
    assert run(a={**square(), "uses": {"\x1b[31m": ""}, "steps": [["claim", {"id": "\u202e"}, []]]})[0] == 1


# --- what a file may hold -----------------------------------------------------------------------


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(("changes", "why"), [
    ({"uses": ["square"]}, "what is used is malformed"),
    ({"steps": [["enclosure", {}]]}, "step 0 is malformed"),
    ({"steps": [["enclosure", [], []]]}, "step 0 is malformed"),
    ({"steps": ["enclosure"]}, "step 0 is malformed"),
    ({"steps": []}, "not 1 to 500000 steps"),
    ({"steps": [["enclosure", {}, [0]]]}, "step 0 names a premise that is not an earlier step"),
    ({"steps": [["enclosure", {}, []], ["enclosure", {}, []]]}, "a step supports nothing"),
    ({"steps": [["enclosure", {"gap": nested(300)}, []]]}, "a parameter is nested too deeply"),
    ({"steps": [["enclosure", {"gap": 0.5}, []]]}, "a parameter is malformed"),
    ({"steps": [["enclosure", {"gap": {"term": 0, "formula": 0}}, []]]}, "a parameter is malformed"),
    ({"steps": [["enclosure", {"gap": {"python": "1"}}, []]]}, "a parameter is malformed"),
    ({"steps": [["enclosure", {"gap": {"formula": {"is": "relation"}}}, []]]}, "other parts than its kind"),
    ({"statement": "0"}, "the statement or the digest"),
    ({"statement": None}, "the statement does not show all of its goal"),
    ({"trust": {"rules": ["enclosure"], "cites": ["a theorem"]}}, "what it says it relies on"),
])
def test_a_document_with_a_part_that_is_none_is_refused(changes, why):
    recheck(square())
    with pytest.raises(BadCertificate, match=why):
        recheck({**square(), **changes})


def test_a_parameter_may_be_a_term_a_formula_a_list_or_a_map():
    step = Step("cut", {"fact": Relation(ZERO, "<=", apply("exp", x))}, (
        Step("enclosure", {"bits": 64}),
        Step("lemma", {"name": "exp-tangent", "at": {"z": x}}, (Step("enclosure", {"gap": x ** number(2)}),))))
    written = json.loads(json.dumps(document_of(verify(SQUARE, step))))
    assert recheck(written).rules == {"cut", "enclosure", "lemma"}
    assert written["digest"] == digest_of(SQUARE)
