"""A derivation supports a guarantee only if it ends in what the worst case needs, and assumes no more."""


import pytest
from sympy import Integer, Rational, exp

from symdp.arguments.guarantees.findings import written_out
from symdp.audit.settling.derived_claims import conclusion, establish
from symdp.audit.settling.formal_goals import formal_goal
from symdp.formulas.notation import Phi, delta, eps, k, symbol
from symdp.formulas.parsing import parse_relation
from symdp.kernel.rules.privacy import Private
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.heterogeneous import Heterogeneous
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Guarantee, Source, Statement, nonnegative
from symdp.sources.subject import AnyPrivate, AnySequence
from symdp.sources.worst_case import NoClosedForm, mass, n, needed_delta, value

BOOK = Source("book", "A book", "nobody2026book")
UNIT_NOISE = Gaussian(variance=1)
#: the worst case of unit noise, and its first term, which is larger
NEEDED = needed_delta(UNIT_NOISE, Integer(1), eps)
FIRST = Phi(Rational(1, 2) - eps)


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


def stated(claim, **variables):
    lemma = Statement(BOOK.lemma("1"), "A lemma", variables={eps: nonnegative, **variables}, claims=(claim,))
    return lemma.claims[0]


def by_its_first_term(*assumed, **changed):
    """Unit noise is (eps, Phi(1/2 - eps))-private: the worst case without the term that is taken off."""
    proof = Derivation("the first term", ["eps >= 0", *assumed]).start(NEEDED).le(FIRST)
    given = {"subject": UNIT_NOISE, "epsilon": eps, "delta": FIRST, "derivation": proof, **changed}
    return stated(Guarantee("", "unit noise", **given))


def not_proved(claim):
    """The derivation is of no use: that it shows the guarantee would be words."""
    verdict = establish(claim, 5)
    assert verdict.status.value in ("argued", "undecided")
    assert verdict.formal is None
    return verdict


def test_a_guarantee_rests_on_the_worst_case():
    claim = by_its_first_term()
    verdict = establish(claim, 5)
    assert verdict.status.value == "proved"
    assert verdict.formal.goal == formal_goal(claim)
    assert isinstance(verdict.formal.goal.claim, Private)
    assert any("Gaussian" in cited for cited in verdict.formal.trust)


@pytest.mark.parametrize("changed", [
    {"epsilon": eps / 2}, {"delta": FIRST / 2}, {"subject": Gaussian(variance=Rational(1, 2))},
    {"subject": Gaussian(variance=1, sensitivity=2)}, {"fold": Integer(2)},
], ids=str)
def test_another_formula_or_other_mechanisms_are_not_supported(changed):
    not_proved(by_its_first_term(**changed))


#: what unit noise keeps for eps <= 1 and not at eps = 2
SHARPER = FIRST - Rational(1, 10)


def sharper(proof, *where):
    return stated(Guarantee("", "unit noise", subject=UNIT_NOISE, epsilon=eps, delta=SHARPER,
                            derivation=proof, where=tuple(map(parse_relation, where))))


def up_to_one(*assumed):
    return Derivation("up to 1", ["eps >= 0", *assumed]).start(NEEDED).le(SHARPER)


def test_a_derivation_that_assumes_more_than_the_guarantee_does_not_support_it():
    assert establish(sharper(up_to_one("eps <= 1"), "eps <= 1"), 5).status.value == "proved"
    not_proved(sharper(up_to_one("eps <= 1")))
    not_proved(sharper(up_to_one("eps <= 1"), "eps <= 2"))
    not_proved(sharper(up_to_one("eps <= slack", "slack <= 1")))
    # of a variable of its own it may assume what holds for some value
    own = up_to_one("eps <= 1", "slack > 1/3", "slack < 2/3")
    assert establish(sharper(own, "eps <= 1"), 5).status.value == "proved"


def test_what_is_supposed_on_the_way_is_noticed():
    proof = Derivation("supposed", ["eps >= 0"]).suppose("eps <= 1").start(NEEDED).le(SHARPER)
    not_proved(sharper(proof))


def test_what_a_derivation_has_to_end_in():
    assert conclusion(by_its_first_term()).op == "<="
    assert conclusion(by_its_first_term()).right == FIRST
    not_proved(sharper(Derivation(where=["eps >= 0"]).start("eps").le("2*eps")))
    not_proved(sharper(Derivation(where=["eps >= 0"]).start(NEEDED).le(FIRST)))


def test_a_guarantee_is_not_supported_by_citing_it():
    wanted = conclusion(sharper(None))
    cited = (Derivation("cited", ["eps >= 0"])
             .cite("as everybody knows", "folklore", wanted, "known")
             .state("eps >= 0", "something is proved")
             .conclude(wanted, by="known"))
    not_proved(sharper(cited))


def test_what_has_no_closed_form_says_so():
    with pytest.raises(NoClosedForm, match="j counts outcomes"):
        needed_delta(AnyPrivate(symbol("j"), delta), k, k * symbol("j"))
