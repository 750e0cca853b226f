"""Conversions between notions of privacy: each is proved, and would not be if it said a little more."""

from dataclasses import replace

import pytest
from in_words import named
from sympy import Rational

from symdp.audit.settling.dispatch import settle
from symdp.formulas.relation import le
from symdp.sources.registry import claim, select


@pytest.mark.parametrize("id", [
    "notions/renyi.pointwise", "notions/renyi.by-slope", "notions/renyi.by-slope.vanishes",
    "notions/renyi.never-worse", "notions/pure.tight.slope", "notions/zcdp.best-order", "notions/pure.order-two",
    "notions/sampling.helps", "notions/sampling.directions", "notions/gdp.sharper-than-zcdp"])
def test_a_conversion_is_proved_and_cannot_be_a_tenth_better(id):
    one = claim(id)
    assert named(settle(one, budget=10)) == "proved"
    stronger = le(one.relation.left, one.relation.right * Rational(1, 10))
    assert named(settle(replace(one, relation=stronger), budget=5)) == "refuted"


def test_they_are_a_source_of_their_own():
    assert len(select(["notions"])) == 35
