r"""Randomised response: the worst private mechanism, from which all others can be made."""

from sympy import Integer, Max, Rational, exp

from symdp.formulas.notation import delta, eps, eps_total
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.tangents_of_a_region import (
    between_slopes,
    symmetric_pairs,
)
from symdp.numbers.domain import Interval
from symdp.privacy.mechanisms.every import RandomisedResponse
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.statement import (
    Claim,
    Guarantee,
    Identity,
    Space,
    Statement,
    Structural,
    nonnegative,
    unit,
)

zero, one = Integer(0), Integer(1)
low = (1 - delta) / (1 + exp(eps))
high = (1 - delta) * exp(eps) / (1 + exp(eps))
parameters = ["eps >= 0", "0 <= delta <= 1"]
not_always = Space(Interval(zero, one, upper_open=True))
small = {"exponential": "2", "delta": "1/10"}

setting = (
    r"$\tilde P_0$ and $\tilde P_1$ are the laws (17) and (18) of randomised response with parameters "
    r"$\varepsilon\ge0$ and $0\le\delta\le1$."
)

#: the largest P_0(S) - e^eps P_1(S), letter by letter, is delta
letter_by_letter = (
    Derivation("Letter by letter", where=parameters)
    .lemma("none", "max(0, z) == 0", ["z <= 0"])
    .state(eq(Max(0, -exp(eps) * delta), zero), label="letter 3",
           by=use("none", z=-exp(eps) * delta))
    .state(eq(Max(0, low - exp(eps) * high), zero), label="letter 2",
           by=use("none", z=low - exp(eps) * high))
    .start(delta + Max(0, high - exp(eps) * low) + Max(0, low - exp(eps) * high)
           + Max(0, -exp(eps) * delta))
    .eq(delta, by=["letter 2", "letter 3"])
)
is_private = (
    Derivation("A pair of laws, and private", where=parameters)
    .state(eq(delta + high + low, one), "the masses of each law add up to 1")
    .state(le(high, exp(eps) * low), "letter 1 adds nothing")
    .state(le(low, exp(eps) * high), "nor does letter 2")
    .state(le(zero, exp(eps) * delta), "nor letter 3; letter 0 adds delta, and so it is with the laws "
           "exchanged, by symmetry")
)

equation_17 = Statement(
    place=kov.equation("17"),
    title="Randomised response",
    hypotheses=setting,
    variables={eps: nonnegative, delta: unit},
    claims=(
        Guarantee(
            "dp",
            r"the pair (17), (18) is a pair of laws, and $(\varepsilon,\delta)$-DP",
            subject=RandomisedResponse(eps, delta),
            epsilon=eps,
            delta=delta,
            printed_at="Equations (17) and (18)",
            derivation=is_private,
        ),
    ),
)

#: the largest P_0(S) - e^eps_total P_1(S), letter by letter, and over the corners of R(eps, delta)
letters = delta + Max(0, high - exp(eps_total) * low) + Max(0, low - exp(eps_total) * high)
corners = Max(delta, 1 - (1 + exp(eps_total)) * (1 - delta) / (1 + exp(eps)))

from_below = (
    Derivation("Where the lowest line of each slope touches", where=[*parameters, "eps_total >= 0"])
    .lemma("shift", "d + max(0, z) == max(d, d + z)")
    .lemma("none", "max(0, z) == 0", ["z <= 0"])
    .state(le(low - exp(eps_total) * high, zero), label="letter 2")
    .state(eq(Max(0, low - exp(eps_total) * high), zero), label="no gain",
           by=[use("none", z=low - exp(eps_total) * high), "letter 2"])
    .start(letters)
    .eq(delta + Max(0, high - exp(eps_total) * low), "letters 2 and 3 speak for the other law",
        by="no gain")
    .eq(Max(delta, delta + high - exp(eps_total) * low),
        by=use("shift", d=delta, z=high - exp(eps_total) * low))
    .eq(corners, "at the corners (0, 1 - delta) and (1 - delta, 1 - delta)/(1 + e^eps)")
)

everything_from_responses = (
    Derivation("All private mechanisms come from randomised response",
               where=[*parameters, "eps_total >= 0"])
    .cite("the region of a private mechanism lies in R(eps, delta)", "kov/cor-2.3")
    .state(eq(delta + high - exp(eps_total) * low,
              1 - (1 + exp(eps_total)) * (1 - delta) / (1 + exp(eps))),
           "the lower boundary of R(eps, delta) is that of randomised response: its lines touch at the "
           "same corners")
    .cite("so there is a stochastic map from the letters to the outputs", "kov/thm-2.5")
)

private_pairs = tuple(
    Example("made-from-responses", {"exponential": "2", "delta": "1/10", "target": target})
    for target in (
        (("1/2", "1/4", "1/4"), ("1/4", "1/4", "1/2")),
        (("1/10", "9/10"), ("0", "1")),
        (("11/20", "9/20"), ("1/4", "3/4")),
    )
)

one_letter_zero = delta**2 * (high - exp(eps_total) * low) * (low - exp(eps_total) * high)
one_ratio = (high - exp(eps_total) * low) * (low - exp(eps_total) * high)

ratios_of_letters = (
    Derivation("Ratios of the letters 1 and 2",
               where=["eps >= 0", "0 <= delta", "delta < 1", "eps_total >= 0", eq(one_ratio, zero)])
    .lemma("one of two", "x == y", ["x >= 1", "y >= 1", "(y - x)*(1 - x*y) == 0"])
    .state("(exp(eps) - exp(eps_total))*(1 - exp(eps_total)*exp(eps)) == 0",
           "without the factor ((1 - delta)/(1 + e^eps))^2, which is positive", label="ratios")
    .state("exp(eps_total) == exp(eps)",
           by=[use("one of two", x="exp(eps_total)", y="exp(eps)"), "ratios"])
)

#: what Section 6.1 says of one response
one_response: tuple[Claim, ...] = (
    Identity(
        "single-region",
        r"the region (3) of one response is the region (2): so the largest $P_{\mathrm{FA}}+"
        r"P_{\mathrm{MD}}$ in the unit square is the same, which is 2 in (2), and in (3) what turning "
        r"the best test round gives",
        eq(Integer(2), 1 + delta + (1 - delta) * (exp(eps) - 1) / (exp(eps) + 1)),
        printed_at="Section 6.1, after (18)",
        fails_at={eps: Integer(1), delta: Rational(1, 10)},
        examples=(Example("response-region", {**small, "reading": "as printed"}),),
    ),
    Identity(
        "single-region.corrected",
        r"the lower boundaries are the same: at each slope of -1 or steeper the lowest line has the "
        r"same shift for the letters as for the corners of $\mathcal{R}(\varepsilon,\delta)$; both are "
        r"symmetric",
        eq(letters, corners),
        examples=(Example("response-region", {**small, "reading": "lower boundary"}),),
        derivation=from_below,
        role="corrected",
        improves="single-region",
        because=(
            r"(2) has no bounds from above and so contains (1, 1), which no test reaches unless "
            r"$\delta=1$; cut at its mirror image it is the region. Inclusion in (2) is not touched, "
            r"and so neither is any theorem"
        ),
    ),
    Structural(
        "dominates",
        r"every $(\varepsilon,\delta)$-DP mechanism is dominated by randomised response",
        printed_at="Section 6.1, after (18)",
        examples=private_pairs,
        derivation=everything_from_responses,
    ),
    Structural(
        "slopes",
        r"the region of a symmetric pair is described by the slopes in $E$ and their shifts; other "
        r"slopes add nothing to its lower boundary",
        printed_at="Section 6.1, definition of E",
        examples=symmetric_pairs,
        derivation=between_slopes,
    ),
    Identity(
        "example-set",
        r"for one response $E=\{\varepsilon\}$: if $P_0(x)=e^{\tilde\varepsilon}P_1(x)$ for one of the "
        r"four letters, that is if the product of the four differences is 0, then "
        r"$\tilde\varepsilon=\varepsilon$",
        eq(eps_total, eps),
        where=(eq(one_letter_zero, zero),),
        printed_at="Section 6.1, example",
    ),
    Identity(
        "example-set.corrected",
        r"of the letters that both laws show, for $\delta<1$, each with $P_0(x)=e^{\tilde\varepsilon}"
        r"P_1(x)$ has $e^{\tilde\varepsilon}=e^{\varepsilon}$",
        eq(exp(eps_total), exp(eps)),
        variables={delta: not_always},
        where=(eq(one_ratio, zero),),
        derivation=ratios_of_letters,
        role="corrected",
        improves="example-set",
        because=(
            r"a letter that neither law shows satisfies $P_0(x)=e^{\tilde\varepsilon}P_1(x)$ for all "
            r"$\tilde\varepsilon$, and there are such letters at $\delta=0$ and at $\delta=1$; they "
            r"have to be left out of $\mathcal{X}$, which changes no region"
        ),
    ),
    Identity(
        "example-shift",
        r"for one response the shift at $\varepsilon$ is $\delta$",
        eq(delta + Max(0, high - exp(eps) * low) + Max(0, low - exp(eps) * high)
           + Max(0, -exp(eps) * delta), delta),
        printed_at="Section 6.1, example",
        derivation=letter_by_letter,
    ),
)
