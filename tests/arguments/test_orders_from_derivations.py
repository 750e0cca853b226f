"""An order may rest on a derivation: it says with which constants, and the kernel checks that these do."""

import pytest
from campaign import in_full
from sympy import Integer, Rational, exp

from symdp.audit.settling.derived_claims import establish
from symdp.formulas.notation import symbol, x
from symdp.formulas.relation import gt
from symdp.kernel.certificate import recheck
from symdp.numbers.domain import Domain
from symdp.search.certificates import document_of
from symdp.search.verdict import Status
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.regime import Regime
from symdp.sources.registry import claim
from symdp.sources.statement import Asymptotic

a = symbol("a")
NEAR_ZERO = Regime(moving={x: Integer(0)})


def order(left, kind, right, constants, derivation, regime=NEAR_ZERO):
    where = [gt(v, 0) for v in left.free_symbols | right.free_symbols]
    return Asymptotic("an-order", "", left, kind, right, regime=regime, constants=constants, derivation=derivation,
                      domain=Domain.of(where))


def chain(where, *lines):
    d = Derivation("", where=where)
    for left, right in lines:
        d = d.start(left).le(right)
    return d


def test_one_constant_and_one_chain():
    verdict = establish(order(x + x**2, "O", x, (Integer(2),), chain(["0 < x <= 1"], ("x + x^2", "2*x"))), 5)
    assert verdict.status is Status.PROVED
    assert recheck(document_of(verdict.proof, "order"))


def test_theta_needs_both():
    both = chain(["0 < x <= 1"], ("x + x^2", "2*x"), ("x", "x + x^2"))
    assert establish(order(x + x**2, "Theta", x, (Integer(2), Integer(1)), both), 5).status is Status.PROVED
    one = order(x + x**2, "Theta", x, (Integer(2),), both)
    assert establish(one, 5).status is not Status.PROVED


@pytest.mark.parametrize("constant", [Integer(1), Rational(1, 2), Integer(-1), Integer(0), 1 + x**2])
def test_a_constant_that_is_too_small_or_moves_the_wrong_way(constant):
    wrong = order(x + x**2, "O", x, (constant,), chain(["0 < x <= 1"], ("x + x^2", "2*x")))
    assert establish(wrong, 2).status is not Status.PROVED


def test_a_derivation_that_holds_elsewhere_shows_nothing():
    far = order(exp(1 / x), "O", 1 / x, (Integer(4),), chain(["1/2 <= x <= 1"], ("exp(1/x)", "4/x")))
    assert establish(far, 2).status is not Status.PROVED


def test_a_constant_may_grow_with_what_is_fixed_and_with_nothing_else():
    where, steps = ["a > 0", "0 < x <= 1"], ("a*x + x^2", "(a + 1)*x")
    fixed = Regime(moving={x: Integer(0)}, fixed=frozenset({a}))
    found = order(a * x + x**2, "O", x, (a + 1,), chain(where, steps), fixed)
    assert establish(found, 5).status is Status.PROVED
    free = order(a * x + x**2, "O", x, (a + 1,), chain(where, steps))
    assert establish(free, 2).status is not Status.PROVED


@in_full
@pytest.mark.parametrize("id", ["kov/sec-1.log-gain.corrected", "kov/sec-4.1.staircase-composed"])
def test_the_sources(id):
    verdict = establish(claim(id), 20)
    assert verdict.status is Status.PROVED
    assert recheck(document_of(verdict.proof, id))
