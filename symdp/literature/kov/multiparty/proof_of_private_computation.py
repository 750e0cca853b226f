r"""Appendix D: simulating every protocol from randomised responses, and the step at which it fails."""

from sympy import Integer, exp

from symdp.formulas.notation import delta, eps
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.multiparty.private_computation import only_pure, response, setting, two
from symdp.literature.kov.multiparty.simulation_without_delta import made_from_responses
from symdp.sources.beyond import MAPS, PROTOCOLS
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Inequality,
    Statement,
    Structural,
    nonnegative,
    unit,
    unit_open,
)

#: The shared coin, after a response that the first party gives only with one bit: the second bit is told
#: with certainty, so that a set of transcripts has these probabilities for its two values.
likely, unlikely = Integer(1), Integer(0)

not_given_the_response = (
    r"privacy holds on average over the response $\tilde{x}_1$, not given it: where the coin says that "
    r"the truth is told, the second bit is given away with certainty"
)

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


def step(number: str, title: str, *claims: Structural | Identity | Inequality) -> Statement:
    """One line of the proof."""
    return Statement(
        place=kov.equation(number), title=title, hypotheses=setting, claims=claims,
        variables={eps: nonnegative, delta: unit}, beyond=MAPS,
    )


base = step("34", "The first party", Structural(
    "base",
    r"the transcript can be made from $\tilde{x}_1$ and the other bits",
    examples=(Example("first-step-exists", {"parties": two}),),
))
first_inclusion = step("37", "The region for the first bit", Structural(
    "inclusion",
    "with the other bits fixed, the region of the transcript for the first bit lies in that of its level",
    examples=(Example("regions-given-the-others", {"parties": two}),),
))


def outer_bound(number: str, whose: str) -> Statement:
    """The response reaches the boundary: as printed, and as it must be read."""
    total_variation = response.closed_form("total_variation")
    return step(
        number, f"The region of the response of {whose}",
        Identity(
            "equality",
            r"the region (3) of the response is the region (2): then the largest $P_{\mathrm{MD}}+"
            r"P_{\mathrm{FA}}$ of a test would be $2$, the corner of the unit square, which (2) contains",
            eq(1 + total_variation, 2),
        ),
        Identity(
            "equality.corrected",
            r"the lower boundaries agree; their corner on the diagonal is $(1-\delta)/(1+e^\varepsilon)$",
            eq(1 - total_variation, 2 * (1 - delta) / (1 + exp(eps))),
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
condition = Statement(
    place=kov.equation("40"),
    title="Privacy given the response",
    beyond=MAPS,
    hypotheses=setting,
    variables={eps: nonnegative, delta: unit_open},
    claims=(
        Inequality(
            "dp",
            r"given the responses so far, the map is $(\varepsilon,\delta)$-DP for the next bit; here for "
            r"the shared coin, after a response that gives the first bit away",
            le(likely, exp(eps) * unlikely + delta),
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
