"""The soundness campaign sees what it is there to see, and goes on where it stopped."""

from random import Random

import mutated_certificates as of
import pytest
import soundness
from mpmath import mpf

from symdp.kernel.goals import Each, Goal, Relation
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, sum_over, variable

x, k = variable("x"), variable("k")
BOX = (Relation(ZERO, "<=", x), Relation(x, "<=", ONE))


def goal(claim, *hypotheses, sorts=(("x", "real"),), families=()):
    return Goal(sorts, hypotheses, claim, families)


def test_mutants_of_certificates_prove_nothing_false():
    tally = of.piece(60, 11)
    assert tally.wrong == []
    assert sum(tally.counts.values()) == 60
    assert any("refused" in what for what in tally.counts)


def test_a_kernel_that_accepts_everything_is_found_out(monkeypatch):
    monkeypatch.setattr(of, "verify", lambda *_: None)
    assert any(of.piece(60, seed).wrong for seed in range(3))


def test_the_same_seed_makes_the_same_mutants(monkeypatch):
    monkeypatch.setattr(of, "PATIENCE", 600.0)  # how fast the machine is has no part in it
    assert of.piece(20, 5).counts == of.piece(20, 5).counts


@pytest.mark.parametrize("false", [
    goal(Relation(apply("exp", x), "<=", ONE + x), *BOX),
    goal(Relation(x / x, "==", number(2)), Relation(ZERO, "<", x), Relation(x, "<", ONE)),
    goal(Relation(sum_over("i", ONE, k, variable("i")), "<=", k), Relation(ONE, "<=", k), sorts=(("k", "integer"),)),
    goal(Relation(member("a", ONE), "<=", ZERO), sorts=(), families=(("a", "real"),)),
    goal(Each(ONE, k, Relation(bound(0), "<", k)), Relation(ONE, "<=", k), sorts=(("k", "integer"),)),
], ids=str)
def test_what_is_false_is_seen(false):
    assert of.falsehood(false, Random(1))


@pytest.mark.parametrize("true", [
    goal(Relation(ONE + x, "<=", apply("exp", x)), *BOX),
    goal(Relation(apply("exp", x), "<=", ONE + x), Relation(ONE, "<=", x), Relation(x, "<=", ZERO)),  # of no point
    goal(Relation(x, "<=", x), *BOX),
], ids=str)
def test_what_is_true_is_not_called_false(true):
    assert not of.falsehood(true, Random(1))


def test_what_has_no_value_is_no_evidence():
    with pytest.raises(of.NoValue):
        of.value(apply("log", x), of.Place({"x": mpf(-1)}, {}))
    with pytest.raises(of.NoValue):
        of.value(ONE / x, of.Place({"x": mpf(0)}, {}))


def test_pieces_are_kept_and_told(tmp_path, capsys):
    found = {"kind": "claims", "seed": 3, "seconds": 1.0, "counts": {"false: undecided": 50}, "rules": {"cut": 2},
             "wrong": [], "slowest": [[0.5, "x <= x"]]}
    soundness.keep(tmp_path, soundness.Piece("claims", 3), found)
    text, wrong = soundness.report(tmp_path)
    assert "claims: 50 of 90,000 mutants, 1 pieces" in text
    assert not wrong
    soundness.keep(tmp_path, soundness.Piece("claims", 4), {**found, "seed": 4, "wrong": ["1 <= 0: proved"]})
    text, wrong = soundness.report(tmp_path)
    assert "claims-4: 1 <= 0: proved" in text
    assert wrong
    assert soundness.main(["--out", str(tmp_path), "--report"]) == 1
    assert soundness.main(["--out", str(tmp_path), "--piece", "claims-x"]) == 2
    assert "claims-17" in capsys.readouterr().err


def test_a_campaign_goes_on_where_it_stopped(tmp_path, monkeypatch):
    asked = []

    def some(out, chosen, jobs, executor, minutes):
        asked.append([p.name for p in chosen])
        found = {"seconds": 0.0, "counts": {}, "rules": {}, "wrong": [], "slowest": []}
        for piece in chosen[:2]:
            soundness.keep(out, piece, {"kind": piece.kind, "seed": piece.seed, **found})

    monkeypatch.setattr(soundness, "run", some)
    monkeypatch.setattr(soundness, "WHOLE", {"certificates": 3000, "claims": 100, "derivations": 10, "guarantees": 5})
    for _ in range(4):
        assert soundness.main(["--out", str(tmp_path)]) == 0
    assert [len(names) for names in asked] == [7, 5, 3, 1]
    assert sorted(p.stem for p in tmp_path.glob("*.json")) == sorted(p.name for p in soundness.pieces())
