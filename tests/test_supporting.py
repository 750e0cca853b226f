"""A derivation supports a guarantee only if it ends in what the worst case needs, and assumes no more."""

from dataclasses import replace

import pytest
from sympy import Integer, Rational, exp

from symdp.auditing.established import establish
from symdp.auditing.supporting import conclusion, need_support
from symdp.derivation import Derivation
from symdp.domain import Domain, Interval
from symdp.literature.kov.simplified_composition import first_entry
from symdp.notation import delta, eps, k, symbol
from symdp.privacy.composition import compose
from symdp.privacy.gaussian import Gaussian
from symdp.privacy.heterogeneous import Heterogeneous
from symdp.privacy.homogeneous import Homogeneous
from symdp.proving.argument import written_out
from symdp.proving.kernel import Rejected
from symdp.registry import claim
from symdp.relation import gt, le
from symdp.subject import AnyPrivate, AnySequence
from symdp.worst_case import NoClosedForm, epsilons, l_, mass, n, needed_delta, value, x

LINEAR = "kov/thm-3.4.linear-branch"


@pytest.mark.parametrize(("each", "fold", "total"), [
    (("1/2", "1/10"), 3, "1/4"), (("1", "0"), 2, "1"), (("1/10", "1/1000"), 5, "1/5"), (("2", "1"), 1, "0"),
    (("1", "1/10"), 4, "-1/2"), (("0", "1/7"), 2, "0"),
])
def test_the_formula_of_the_worst_case_is_the_exact_composition(each, fold, total):
    values = dict(zip((eps, delta), map(Rational, each), strict=True))
    formula = needed_delta(AnyPrivate(eps, delta), Integer(fold), Rational(total))
    number = float(written_out(formula.subs(values)).evalf(20))
    if Rational(total) >= 0:
        exact = Homogeneous(*values.values(), fold).delta(Rational(total), digits=12)
        assert float(exact.lower) - 1e-11 <= number <= float(exact.upper) + 1e-11
    else:  # below 0 the curve goes on as that of the complement
        assert 0 <= number <= 1


def test_the_worst_case_of_a_sequence_is_that_of_its_outcomes():
    """Two different steps: four outcomes with their masses and losses, written down by hand."""
    first, second = Rational(1, 2), Rational(1)

    def told(e, truly):
        return exp(e) / (1 + exp(e)) if truly else 1 / (1 + exp(e))

    atoms = [(told(first, a) * told(second, b), (2 * a - 1) * first + (2 * b - 1) * second)
             for a in (0, 1) for b in (0, 1)]
    formula = needed_delta(AnySequence(pure=True), Integer(2), Rational(1, 4)).subs(n, 4).doit()
    number = formula.subs({mass[i + 1]: m for i, (m, _) in enumerate(atoms)}).subs(
        {value[i + 1]: z for i, (_, z) in enumerate(atoms)})
    exact = Heterogeneous([(first, Integer(0)), (second, Integer(0))]).delta(Rational(1, 4), 12)
    assert abs(float(number.evalf(20)) - float(exact.lower)) < 1e-11


def test_the_worst_case_of_gaussian_noise_is_its_own_curve():
    formula = needed_delta(Gaussian(variance=4, sensitivity=3), Integer(5), Rational(2))
    exact = compose(Gaussian(variance=4, sensitivity=3), 5).delta(2)
    assert abs(float(formula.evalf(20)) - float(exact.lower)) < 1e-11


def test_another_formula_another_domain_or_other_mechanisms_are_not_supported():
    linear = claim(LINEAR)
    assert establish(linear, 10).status.value == "proved"
    for changed in (
        replace(linear, epsilon=linear.epsilon / 2),
        replace(linear, delta=linear.delta / 2),
        replace(linear, subject=AnyPrivate(2 * eps, delta)),
        replace(linear, fold=k + 1),
    ):
        assert "it ends in" in establish(changed, 10).method


def test_a_derivation_that_assumes_more_than_the_guarantee_does_not_support_it():
    linear = claim(LINEAR)
    steps = first_entry.steps
    for more in (["eps <= 1"], ["delta < 1"], ["slack > 0"], ["eps <= lam"], [gt(epsilons[l_], Integer(1))],
                 ["b > 0", "b < a", "a < 1/2"]):
        narrowed = Derivation("narrowed", [*first_entry.where, *more], first_entry.integers, steps)
        assert "it assumes" in establish(replace(linear, derivation=narrowed), 10).method
    supposed = Derivation("supposed", first_entry.where, first_entry.integers, steps).suppose("k >= 2")
    assert "k >= 2" in establish(replace(linear, derivation=supposed), 10).method
    bounded = Derivation("bounded", [*first_entry.where, "b > 0", "b < 1"], first_entry.integers, steps)
    assert establish(replace(linear, derivation=bounded), 10).status.value == "proved"


def test_a_sequence_gives_its_own_setting_and_no_more():
    linear = claim("kov/thm-3.5.linear-branch")
    proof = linear.derivation
    more = Derivation("more", [*proof.where, le(epsilons[l_], Integer(1))], proof.integers, proof.steps)
    assert "it assumes eps[l] <= 1" in establish(replace(linear, derivation=more), 10).method
    masses = Derivation("masses", [*proof.where, le(mass[x], Rational(1, 2))], proof.integers, proof.steps)
    assert "it assumes" in establish(replace(linear, derivation=masses), 10).method


def test_what_a_derivation_has_to_end_in():
    linear = claim(LINEAR)
    assert conclusion(linear).op == "<="
    with pytest.raises(Rejected, match="it ends in"):
        need_support(linear, Derivation(where=["eps > 0"]).start("eps").le("2*eps").check())


def test_a_guarantee_is_not_supported_by_citing_it():
    linear = claim(LINEAR)
    wanted = conclusion(linear)
    cited = (Derivation("cited", first_entry.where, first_entry.integers)
             .suppose("0 <= delta <= 1", "0 <= slack <= 1")
             .cite("as everybody knows", "folklore", wanted, "known")
             .state("eps*k >= 0", "something is proved")
             .conclude(wanted, by="known"))
    assert "it cites what it has to show" in establish(replace(linear, derivation=cited), 10).method


def test_parameters_that_no_mechanism_has_are_not_supported():
    linear = claim(LINEAR)
    wider = {**linear.domain.intervals, delta: Interval(Integer(0), Integer(2))}
    beyond = Domain(wider, linear.domain.integers)
    assert "sensible parameters" in establish(replace(linear, domain=beyond), 10).method
    halves = Domain(linear.domain.intervals, frozenset())
    assert "number of times" in establish(replace(linear, domain=halves), 10).method
    with pytest.raises(NoClosedForm, match="j counts outcomes"):
        needed_delta(AnyPrivate(symbol("j"), delta), k, k * symbol("j"))
