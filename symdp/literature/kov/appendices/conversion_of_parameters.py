r"""Conversion: what follows from $(\varepsilon,\delta)$, and how far apart two outputs can be."""

from sympy import Integer, Max, exp

from symdp.formulas.notation import delta, eps, eps_total, slack, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import (
    Guarantee,
    Identity,
    Inequality,
    Statement,
    Structural,
    nonnegative,
    unit,
)
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import needed_delta

#: the masses of a set under two neighbouring databases; the errors of a test
a, b, missed, false_alarm = symbol("a"), symbol("b"), symbol("P_MD"), symbol("P_FA")

conditions = (
    ge(slack, delta),
    ge((1 - delta) / (1 + exp(eps)), (1 - slack) / (1 + exp(eps_total))),
)
#: the smallest delta for which every (eps, delta)-DP mechanism is (eps_total, delta)-DP
least_delta = delta + (1 - delta) * Max(0, (exp(eps) - exp(eps_total)) / (1 + exp(eps)))

distance = 1 - 2 * (1 - delta) / (1 + exp(eps))
distance_in_the_proof = delta + (1 - delta) * (exp(eps) - 1) / (exp(eps) + 1)
private = (le(a, exp(eps) * b + delta), le(1 - b, exp(eps) * (1 - a) + delta))

parameters = ["eps >= 0", "0 <= delta <= 1"]
errors = ["0 <= P_MD <= 1", "0 <= P_FA <= 1"]
first_side = ge(false_alarm + exp(eps) * missed, 1 - delta)
second_side = ge(exp(eps) * false_alarm + missed, 1 - delta)
in_the_region = (first_side, second_side)

inclusion = (
    Derivation("One region inside of the other", where=[
        *parameters, *errors, "eps_total >= 0", "0 <= slack <= 1", *conditions, *in_the_region])
    .cases(
        ge(false_alarm + exp(eps_total) * missed, 1 - slack),
        ("eps_total <= eps", None),
        ("eps_total > eps", None),
        because="the first side of the larger region",
    )
    .cases(
        ge(exp(eps_total) * false_alarm + missed, 1 - slack),
        ("eps_total <= eps", None),
        ("eps_total > eps", None),
        because="its second side",
    )
)

#: the delta that one randomised response needs at the other epsilon; letter 2 adds nothing to it
needed = needed_delta(AnyPrivate(eps, delta), Integer(1), eps_total)
letter_1, letter_2 = 1 - exp(eps_total - eps), 1 - exp(eps_total + eps)
by_letters = 1 - (1 - delta) * (1 - Max(0, letter_1) * exp(eps) / (1 + exp(eps)))
of_the_worst_case = (
    Derivation("Remark A.1(a), from the worst case", where=[
        *parameters, "eps_total >= 0", "0 <= slack <= 1", *conditions])
    .lemma("none", "max(0, z) == 0", ["z <= 0"])
    .lemma("some", "max(0, z) == z", ["z >= 0"])
    .state(eq(Max(0, letter_2), 0), by=use("none", z=letter_2), label="letter 2")
    .state(eq(needed, by_letters), "letter 0 adds delta, and letter 1 what is positive", by="letter 2",
           label="letters")
    .cases(
        le(by_letters, slack),
        ("eps_total <= eps", lambda c: c.state(
            le(by_letters, slack), "the second condition", by=use("some", z=letter_1))),
        ("eps_total > eps", lambda c: c.state(
            le(by_letters, slack), "the first condition", by=use("none", z=letter_1))),
        label="both",
    )
    .conclude(le(needed, slack), by=["letters", "both"])
)

total_variation = (
    Derivation("The total variation distance", where=[
        *parameters, "0 <= a <= 1", "0 <= b <= 1", *private])
    .state(le((1 + exp(eps)) * (a - b), exp(eps) - 1 + 2 * delta), "both conditions added up", label="sum")
    .state(le(a - b, distance), by="sum")
)

#: (28): S is a rejection set with mass a where the alternative holds and b where it does not
optimisation = (
    Derivation("The distance as an optimisation over tests", where=[
        *parameters, "0 <= a <= 1", "0 <= b <= 1", *private])
    .let("P_MD", "1 - a")
    .let("P_FA", "b")
    .start("a - b")
    .eq("1 - P_MD - P_FA", "S rejects, so that P_FA = b and P_MD = 1 - a")
    .state("P_FA + exp(eps)*P_MD >= 1 - delta", "privacy, for the complement of S", label="first")
    .state("exp(eps)*P_FA + P_MD >= 1 - delta", "privacy, for S", label="second")
    .state("1 - P_MD - P_FA <= delta + (1 - delta)*(exp(eps) - 1)/(exp(eps) + 1)",
           "the two sides of the region meet where both errors are equal", by=["first", "second"])
    .state(eq(distance_in_the_proof, distance), "which is the bound of (b)")
)

conversion_of_parameters = Statement(
    place=kov.at("rem-a.1", "Remark A.1"),
    title="Conversion of privacy parameters",
    hypotheses=(
        r"The mechanism is $(\varepsilon,\delta)$-DP; a set of outputs has the masses $a$ and $b$ on two "
        r"neighbouring databases."
    ),
    variables={
        eps: nonnegative, eps_total: nonnegative, delta: unit, slack: unit, a: unit, b: unit,
    },
    formulas={"least delta": least_delta, "distance": distance},
    claims=(
        Guarantee(
            "conversion",
            r"a smaller $\varepsilon$ may be bought with a larger $\delta$",
            epsilon=eps_total,
            delta=slack,
            subject=AnyPrivate(eps, delta),
            where=conditions,
            derivation=of_the_worst_case,
            printed_at="Remark A.1(a)",
        ),
        Inequality(
            "conversion.sharper",
            r"the condition holds for every $\tilde\delta$ that is enough for the worst pair",
            conditions[1],
            where=(ge(slack, least_delta),),
            role="sharper",
            improves="conversion",
            because=(
                r"what the worst pair needs satisfies the two conditions as well"
            ),
        ),
        Inequality(
            "total-variation",
            r"no set tells the two databases apart by more than the bound",
            le(a - b, distance),
            where=private,
            printed_at="Remark A.1(b)",
            derivation=total_variation,
        ),
        Inequality(
            "total-variation.sharper",
            r"the letters 0 and 1 of the worst pair have this distance",
            eq((delta + (1 - delta) * exp(eps) / (1 + exp(eps))) - (1 - delta) / (1 + exp(eps)), distance),
            role="sharper",
            improves="total-variation",
            because=r"the supremum is a maximum and equals the bound",
        ),
    ),
)

proof_of_the_conversion = Statement(
    place=kov.appendix("A"),
    title="The proof of Remark A.1",
    beyond=LAWS,
    hypotheses=r"Regions are those of (2).",
    variables={eps: nonnegative, delta: unit},
    claims=(
        Structural(
            "inclusion",
            r"$\mathcal{R}(\varepsilon,\delta)\subseteq\mathcal{R}(\tilde\varepsilon,\tilde\delta)$ under "
            r"the conditions of (a)",
            printed_at="Appendix A, proof of (a)",
            derivation=inclusion,
        ),
        Identity(
            "tv-form",
            r"the bound at the end of the proof is that of (b)",
            eq(distance_in_the_proof, distance),
            printed_at="Appendix A, proof of (b), last sentence",
        ),
    ),
)

equation_28 = Statement(
    place=kov.equation("28"),
    title="The total variation distance as an optimisation",
    beyond=LAWS,
    hypotheses=r"$S$ is a rejection set.",
    claims=(
        Structural(
            "problem",
            r"$P(M(D')\in S)-P(M(D)\in S)$ is $1-P_{\mathrm{MD}}(S)-P_{\mathrm{FA}}(S)$, and privacy says "
            r"that the errors of every $S$ lie in the region",
            derivation=optimisation,
        ),
    ),
)

proof = SourceProof(
    kov.appendix("A"), "The proof of Remark A.1", (inclusion, optimisation),
    (inclusion, of_the_worst_case, total_variation),
    supports=("kov/rem-a.1.conversion", "kov/rem-a.1.total-variation", "kov/app-a.inclusion",
              "kov/eq-28.problem"))
