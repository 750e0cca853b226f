"""The post on composition: all its claims are there, and their verdicts follow the formulas."""

from dataclasses import replace

import pytest
from in_words import at_best, named
from sympy import Rational, log, sqrt

from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import eq, le
from symdp.privacy.mechanisms.every import Laplace
from symdp.sources.registry import claim, select
from symdp.sources.subject import loss_sum, square_sum

PRINTED = """thm-basic thm-basic.upper thm-basic.lower sec-basic.laplace sec-basic.laplace-scaled
sec-optimal.variance sec-optimal.ratio sec-optimal.optimal sec-optimal.l1-sensitivity sec-optimal.rare
sec-optimal.high-probability thm-advanced fn-1.approximate sec-advanced.norms sec-advanced.neither
sec-advanced.asymptotic sec-advanced.rho sec-advanced.sqrt-noise sec-advanced.linear-noise fn-2.epsilon-j
fn-2.inequality""".split()


def verdict(c, **change):
    return named(settle(replace(c, **change), budget=10))


def test_all_claims_of_the_post_are_there():
    assert {c.id for c in select(["blog"]) if c.role == "printed"} == {f"blog/{n}" for n in PRINTED}


def test_whatever_is_corrected_says_what_was_wrong():
    for c in select(["blog"]):
        assert bool(c.because) == (c.role != "printed")


@pytest.mark.long
@pytest.mark.parametrize(
    ("id", "expected", "change"),
    [
        ("blog/thm-basic", "proved", {}),
        ("blog/thm-basic", "refuted", {"epsilon": loss_sum * Rational(9, 10)}),
        ("blog/sec-basic.laplace", "proved", {}),
        ("blog/sec-basic.laplace", "refuted", {"subject": Laplace(scale=Rational(9, 10) / eps)}),
        ("blog/thm-advanced", "proved", {}),
        ("blog/thm-advanced", "refuted",
         {"epsilon": square_sum / 4 + sqrt(log(1 / delta) * square_sum) / 2}),
        ("blog/sec-advanced.neither", "proved", {}),
        ("blog/sec-advanced.sqrt-noise", "proved", {}),
        ("blog/sec-advanced.sqrt-noise", "refuted", {"right": k}),
        ("blog/sec-advanced.linear-noise", "refuted", {"right": sqrt(k)}),
        ("blog/fn-2.inequality", "proved", {}),
        ("blog/fn-2.inequality.largest", "proved", {}),
        ("blog/sec-optimal.rare", "proved", {}),
        ("blog/sec-optimal.optimal", "argued", {}),  # a statement in words
    ],
)
def test_verdicts_follow_the_formulas(id, expected, change):
    assert verdict(claim(id), **change) in (at_best(claim(id), expected), expected)


def test_a_slightly_larger_rho_spends_too_much():
    c = claim("blog/fn-2.inequality")
    more = Rational(3, 2) * eps**2 / (4 * log(1 / delta) + 4 * eps)
    assert verdict(c, relation=le(more + sqrt(4 * more * log(1 / delta)), eps)) == "refuted"


def test_a_derivation_that_ends_elsewhere_does_not_save_what_is_false():
    c = claim("blog/sec-optimal.rare")
    assert verdict(c, relation=eq(Rational(1, 2) ** k, 3 ** (-k))) == "refuted"
    c = claim("blog/sec-optimal.variance")
    assert verdict(c, relation=eq(c.relation.left, k / eps)) in ("undecided", "refuted")
