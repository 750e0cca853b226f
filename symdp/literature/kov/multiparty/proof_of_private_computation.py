r"""Appendix D: simulating every protocol from randomised responses, and the step at which it fails."""

from typing import ClassVar

from sympy import Integer, Rational

from symdp.formulas.notation import delta, eps, eps_total
from symdp.formulas.relation import eq
from symdp.literature.kov import kov
from symdp.literature.kov.multiparty.counted_and_simulated import (
    for_the_next_bit,
    forgotten_bits,
    guessing_through_the_map,
    one_map_after_the_other,
    private_for_one_bit,
)
from symdp.literature.kov.multiparty.private_computation import only_pure, response, setting, two
from symdp.literature.kov.multiparty.simulation_without_delta import made_from_responses
from symdp.literature.kov.optimal_composition.randomised_response import (
    corners,
    from_below,
    letters,
)
from symdp.sources.beyond import MAPS, PROTOCOLS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Statement,
    Structural,
    nonnegative,
    unit,
)

not_given_the_response = (
    r"privacy holds on average over the response $\tilde{x}_1$, not given it: where the coin says that "
    r"the truth is told, the second bit is given away with certainty"
)

# --- Appendix D, line by line ----------------------------------------------------------------------------

for_the_first_bit = (
    private_for_one_bit("(37): privacy and the region of the first bit, the other bits fixed")
    .cite("so the region of the transcript for the first bit lies in R(eps_1, delta_1)", "kov/cor-2.3")
)
first_simulated = (
    Derivation("(34): the first response", where=["eps >= 0", "0 <= delta <= 1"])
    .cite("by (37) and (38), for each value of the other bits there is a stochastic map from the first response to "
          "the "
          "transcript", "kov/thm-2.5")
    .lemma("Bayes", "w*h == w*g", ["h == g"])
)
#: With probability delta a coin that all see lets both bits be told; the other transcripts, of probabilities h and g
#: for the two values of the second bit, are those of pure responses.
given_the_response = (
    Derivation("(39) to (42): the induction step, for a coin that all see", where=["eps >= 0", "0 < delta < 1"])
    .lemma("private on average", "delta*1 + (1 - delta)*h <= exp(eps)*(delta*0 + (1 - delta)*g) + delta",
           ["h >= 0", "g >= 0", "0 <= delta", "delta <= 1", "h <= exp(eps)*g"])
    .state("1 <= exp(eps)*0 + delta",
           "(40), given a response that only the telling of the truth can lead to: the second bit is told with "
           "certainty")
)

proof = SourceProof(
    kov.appendix("D"), "The proof that randomised response is optimal",
    # (37), (38), (34), the step that fails, and what would follow from it: (41), (42), (43), (39), (36), the theorem
    (for_the_first_bit, from_below, first_simulated, given_the_response, forgotten_bits, for_the_next_bit, from_below,
     one_map_after_the_other, guessing_through_the_map), (made_from_responses,),
    supports=("kov/thm-d.1.corrected", "kov/eq-38.equality.corrected", "kov/eq-39.step.corrected",
              "kov/eq-37.inclusion", "kov/eq-34.base", "kov/eq-41.from-40", "kov/eq-36.chaining",
              "kov/app-d.reduction"))

reduction = Statement(
    place=kov.appendix("D"),
    title="From simulation to optimality",
    beyond=PROTOCOLS,
    hypotheses=setting,
    claims=(
        Structural(
            "reduction",
            "if every protocol can be simulated from randomised responses, these are optimal: whoever "
            "has them can make a transcript and guess from it",
            examples=(Example("simulation-suffices", {"parties": two, "function": "sum"}),),
            derivation=guessing_through_the_map,
        ),
    ),
)

simulation = Statement(
    place=kov.at("thm-d.1", "Theorem D.1"),
    title="Simulation from randomised responses",
    beyond=PROTOCOLS,
    hypotheses=setting,
    claims=(
        Structural(
            "",
            "for every protocol a stochastic map makes the transcript from the randomised responses, the "
            "same for all bits",
            examples=(Example("simulation-of-the-coin", {"parties": two}),),
        ),
        Structural(
            "corrected",
            r"with $\delta_i=0$, a stochastic map makes every transcript from the responses",
            derivation=made_from_responses,
            role="corrected",
            improves="",
            because=only_pure,
        ),
    ),
)


def step(number: str, title: str, *claims: Structural | Identity) -> Statement:
    """One line of the proof."""
    return Statement(
        place=kov.equation(number), title=title, hypotheses=setting, claims=claims,
        variables={eps: nonnegative, delta: unit}, beyond=MAPS,
    )


base = step("34", "The first party", Structural(
    "base",
    r"the transcript can be made from $\tilde{x}_1$ and the other bits",
    examples=(Example("first-step-exists", {"parties": two}),),
    derivation=first_simulated,
))
first_inclusion = step("37", "The region for the first bit", Structural(
    "inclusion",
    "with the other bits fixed, the region of the transcript for the first bit lies in that of its level",
    examples=(Example("regions-given-the-others", {"parties": two}),),
    derivation=for_the_first_bit,
))


def outer_bound(number: str, whose: str) -> Statement:
    """The response reaches the boundary: as printed, and as it must be read."""
    return step(
        number, f"The region of the response of {whose}",
        Identity(
            "equality",
            r"the region (3) of the response is the region (2): then the largest $P_{\mathrm{MD}}+"
            r"P_{\mathrm{FA}}$ of a test would be $2$, the corner of the unit square, which (2) contains",
            eq(1 + response.closed_form("total_variation"), 2),
            fails_at={eps: Integer(1), delta: Rational(1, 10)},
        ),
        Identity(
            "equality.corrected",
            r"the lower boundaries agree: at each slope of -1 or steeper the lowest line has the same shift for the "
            r"symbols as for the corners of $\mathcal{R}(\varepsilon,\delta)$, and both are symmetric",
            eq(letters, corners),
            variables={eps_total: nonnegative},
            derivation=from_below,
            role="corrected",
            improves="equality",
            because="(3) is bounded and symmetric, (2) is not; only the lower boundary is used",
        ),
    )


outer_bound_of_first = outer_bound("38", "the first party")
outer_bound_of_next = outer_bound("43", "the next party")
chaining = step("36", "All parties", Structural(
    "chaining",
    "given (42) at every step, Theorem 2.5 leads from (34) to (36)",
    examples=(Example("chained-maps", {"parties": two}),),
    derivation=one_map_after_the_other,
    printed_at="Equations (35), (36), (39)",
))

induction_step = step(
    "39", "One party after the other",
    Structural(
        "step",
        "a map that is private for the next party can be made from its response",
        examples=(Example("simulation-of-the-coin", {"parties": two}),),
    ),
    Structural(
        "step.corrected",
        r"with $\delta_i=0$, what is made from the responses so far can be made from one response more",
        derivation=made_from_responses,
        role="corrected",
        improves="step",
        because=not_given_the_response,
    ),
)
class Condition(Structural):
    """An inequality between probabilities of a protocol, for all sets, bits and responses: in words here."""

    kind: ClassVar[str] = "inequality"


condition = Statement(
    place=kov.equation("40"),
    title="Privacy given the response",
    beyond=MAPS,
    hypotheses=setting,
    claims=(
        Condition(
            "dp",
            r"if a map is $(\varepsilon_{\ell+1},\delta_{\ell+1})$-DP for the bit $x_{\ell+1}$, it is so given the "
            r"responses so far, for all values of these and of the other bits and for every set of transcripts",
            examples=(Example("induction-step-of-the-coin", {"parties": two}),),
        ),
        Structural(
            "dp.corrected",
            r"with $\delta_i=0$, given the responses so far the map is private for the next bit",
            derivation=made_from_responses,
            role="corrected",
            improves="dp",
            because=not_given_the_response,
        ),
    ),
)
independence_step = step("41", "Without the first bits", Structural(
    "from-40",
    "(41) follows from (40), because the map is independent of the first bits given the responses",
    examples=(Example("maps-forget-the-bits", {"parties": two}),),
    derivation=forgotten_bits,
))
inclusion = step(
    "42", "The region given the response",
    Structural(
        "inclusion",
        "given the responses so far, the region of the map for the next bit lies in that of its level",
        examples=(Example("induction-step-of-the-coin", {"parties": two}),),
    ),
    Structural(
        "inclusion.corrected",
        r"with $\delta_i=0$, given the responses so far the region of the map lies in that of its level",
        derivation=made_from_responses,
        role="corrected",
        improves="inclusion",
        because=not_given_the_response,
    ),
)
