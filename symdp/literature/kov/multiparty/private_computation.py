r"""Private multi-party computation: is randomised response optimal for every function?"""

from sympy import Integer, Rational, exp

from symdp.formulas.notation import delta, eps, eps_total, k
from symdp.formulas.relation import eq, lt
from symdp.literature.kov import kov
from symdp.literature.kov.multiparty import two_pure_parties
from symdp.literature.kov.multiparty.best_guesses import linear_in_the_rule, mean_of_answers
from symdp.literature.kov.multiparty.counted_and_simulated import (
    no_prior,
    one_other_bit,
    products_of_the_rule,
    rows_of_the_program,
    symbols_of_the_responses,
)
from symdp.literature.kov.multiparty.leaks_together import xor
from symdp.literature.kov.multiparty.loss_of_the_responses import loss
from symdp.literature.kov.multiparty.simulation_without_delta import (
    as_accurate,
    only_the_responses,
    xor_of_the_likelier_bits,
)
from symdp.literature.kov.multiparty.where_the_responses_are_optimal import exactly_where, two_coins
from symdp.literature.kov.optimal_composition.randomised_response import (
    corners,
    from_below,
    is_private,
    letters,
)
from symdp.privacy.mechanisms.every import RandomisedResponse
from symdp.sources.beyond import COST, PROTOCOLS
from symdp.sources.example import Example
from symdp.sources.statement import (
    Claim,
    Guarantee,
    Identity,
    Inequality,
    Optimality,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    unit,
    unit_open,
)

#: e^eps = 2 and delta = 1/10, for two and for three parties; and the same without delta.
two, three = (("log(2)", "1/10"),) * 2, (("log(2)", "1/10"),) * 3
pure_two = (("log(2)", "0"),) * 2
setting = (
    r"Each of $k$ parties has a bit; they broadcast messages so that the protocol is "
    r"$(\varepsilon_i,\delta_i)$-DP for the $i$-th party in the sense of (15)."
)
#: For XOR, how far an observer is ahead of guessing: with a coin that all see, and without.
tilt = (exp(eps) - 1) / (exp(eps) + 1)
with_coin = delta + (1 - delta) * tilt**2
without_coin = (delta + (1 - delta) * tilt) ** 2

only_pure = (
    r"(15) bounds the probability that a bit is given away on average over the transcripts; a coin that "
    r"all see lets the parties give their bits away together, which independent responses cannot; "
    r"without $\delta$ each transcript by itself obeys (15), and the theorem holds"
)


def pure(name: str, says: str, improves: str, because: str = only_pure) -> Claim:
    """The same without delta."""
    return Optimality(
        name, says, derivation=as_accurate, role="corrected", improves=improves, because=because,
    )


prior_work = Statement(
    place=kov.section("5"),
    title="Private multi-party computation",
    hypotheses=setting,
    claims=(
        Structural(
            "prior-work",
            r"earlier work treats two parties with AND and XOR, or $\delta=0$ with other techniques",
            task="cite",
        ),
        *two_pure_parties.claims,
    ),
    cites=("goyal2013accuracy", "kairouz2015secure"),
)

problem = Statement(
    place=kov.section("5.1"),
    title="What the parties want to know",
    beyond=PROTOCOLS,
    hypotheses=setting,
    variables={k: positive_integer},
    claims=(
        Structural(
            "independence",
            "without independent bits each party learns about the others, which violates differential "
            "privacy even if nothing is said",
            examples=(Example("silence-is-private", {"k": 2}),),
        ),
        Structural(
            "independence.corrected",
            "condition (15) speaks of the protocol given the bits, whatever their distribution",
            examples=(Example("privacy-has-no-prior", {"k": 2}),),
            derivation=no_prior,
            role="corrected",
            improves="independence",
            because=(
                "(15) compares probabilities given the bits; dependent bits change what can be inferred "
                "from them, not whether (15) holds; nothing later rests on it"
            ),
        ),
        Structural(
            "observer-function",
            r"the observer's function takes all $k$ bits; the text that was read has $\{0,1\}$, and may have lost "
            r"the exponent $k$",
            task="cite",
            provenance="extraction",
        ),
        Structural(
            "cost-unavoidable",
            "the table of the protocol alone is as large as the cost of the rule (10)",
            task="cite",
        ),
        Structural(
            "transcripts",
            r"the optimal protocol, which is said to be (16), needs $2^k$ transcripts",
            beyond=COST,
            examples=(Example("size-of-responses", {"parties": two, "per_party": 2}),),
        ),
        Structural(
            "transcripts.corrected",
            r"for $\varepsilon_i>0$, (16) has $2^k$ transcripts if all $\delta_i$ are zero, and $4^k$ if "
            r"all lie between 0 and 1",
            beyond=COST,
            examples=(Example("two-symbols-without-delta"),),
            derivation=symbols_of_the_responses,
            role="corrected",
            improves="transcripts",
            because=r"with $\delta_i>0$ there are four symbols, not two",
        ),
        Structural(
            "cost-general",
            r"for the optimal protocol the rule (10) costs $2^{2k}$",
            beyond=COST,
            examples=(Example("size-of-responses", {"parties": two, "per_party": 2}),),
        ),
        Structural(
            "cost-general.corrected",
            r"for $\varepsilon_i>0$, the table of (16) has $2^{2k}$ entries if all $\delta_i$ are zero, "
            r"and $2^{3k}$ if all lie between 0 and 1",
            beyond=COST,
            examples=(Example("two-symbols-without-delta"),),
            derivation=symbols_of_the_responses,
            role="corrected",
            improves="cost-general",
            because=r"there are $4^k$ transcripts, each with $2^k$ inputs, when $\delta_i>0$",
        ),
        Optimality(
            "xor-average",
            "for XOR the rule (10) is the XOR of the received bits, in $O(k)$ operations, whatever the accuracy "
            "measure",
            examples=(Example("timid-reward", {"parties": pure_two, "measure": "average"}),),
        ),
        Optimality(
            "xor-average.corrected",
            "for XOR, if accuracy is the probability of being right, (10) is the XOR of the likelier bits, which "
            "takes "
            "$k-1$ operations on two bits",
            derivation=xor_of_the_likelier_bits,
            role="corrected",
            improves="xor-average",
            because="a measure that punishes one error more than the other leads to another rule",
        ),
        Optimality(
            "no-randomising",
            "a rule that tosses coins gains nothing in average accuracy",
            examples=(Example("guesses-are-linear", {
                "parties": two, "function": "sum", "measure": "average", "viewer": None}),),
            derivation=mean_of_answers,
        ),
        Optimality(
            "xor-worst",
            "for XOR the best rule in the worst case is the XOR of the received bits, in $O(k)$ operations, whatever "
            "the accuracy measure",
            examples=(Example("timid-reward", {"parties": pure_two, "measure": "worst"}),),
        ),
        Optimality(
            "xor-worst.corrected",
            "for XOR, if accuracy is the probability of being right, the XOR of the likelier bits, which takes $k-1$ "
            "operations on two bits, is best in the worst case",
            derivation=xor_of_the_likelier_bits,
            role="corrected",
            improves="xor-worst",
            because="a measure that punishes one error more than the other leads to another rule",
        ),
    ),
)


def best_rule(number: str, who: str, measure: str, viewer: int | None, *more: Claim) -> Statement:
    """One of the four rules of guessing."""
    kind = "average" if measure == "average" else "worst-case"
    return Statement(
        place=kov.equation(number),
        title=f"The best guess of {who}, {kind}",
        beyond=PROTOCOLS,
        hypotheses="A protocol is given by its table.",
        claims=(
            *more,
            Optimality(
                "rule",
                f"the rule has the best {kind} accuracy of {who} for the given protocol",
                examples=(Example("guesses-are-linear", {
                    "parties": two, "function": "AND", "measure": measure, "viewer": viewer}),),
                derivation=mean_of_answers if measure == "average" else linear_in_the_rule,
            ),
        ),
    )


rule_of_party = best_rule(
    "10", "a party", "average", 0,
    Structural(
        "cost",
        r"the rule takes $2^k|\mathcal{T}|$ operations",
        beyond=COST,
        examples=(Example("terms-of-the-rule", {
            "parties": pure_two, "function": "sum", "per_entry": 1}),),
    ),
    Structural(
        "cost.corrected",
        r"the rule adds up $2^k|\mathcal{T}||\mathcal{Y}|$ products",
        beyond=COST,
        examples=(Example("terms-of-the-rule", {
            "parties": pure_two, "function": "sum", "per_entry": 3}),),
        derivation=products_of_the_rule,
        role="corrected",
        improves="cost",
        because=r"there is a sum for each guess $y$; for a fixed $\mathcal{Y}$ the order is right",
    ),
)
rule_of_party_worst = best_rule(
    "12", "a party", "worst", 0,
    Structural(
        "size",
        r"a linear program with $|\mathcal{T}||\mathcal{Y}|$ variables and $2^k+|\mathcal{T}|$ constraints",
        beyond=COST,
        examples=(Example("size-of-the-program", {
            "parties": pure_two, "function": "XOR", "viewer": 0, "variables": 8, "constraints": 8}),),
    ),
    Structural(
        "size.corrected",
        r"one more variable, for the minimum, and $2^{k-1}+|\mathcal{T}|$ constraints besides signs",
        beyond=COST,
        examples=(Example("size-of-the-program", {
            "parties": pure_two, "function": "XOR", "viewer": 0, "variables": 9, "constraints": 6}),),
        derivation=rows_of_the_program,
        role="corrected",
        improves="size",
        because=r"the party knows its bit, so that $2^{k-1}$ inputs are left; the minimum needs a variable",
    ),
)
rule_of_observer = best_rule("13", "the observer", "average", None)
rule_of_observer_worst = best_rule("14", "the observer", "worst", None)
average_accuracy = Statement(
    place=kov.equation("9"),
    title="Average accuracy",
    claims=(Structural("definition", "the mean of the accuracy over all inputs", task="cite"),),
)

worst_case_accuracy = Statement(
    place=kov.equation("11"),
    title="Worst-case accuracy",
    claims=(Structural("definition", "the least accuracy over all inputs", task="cite"),),
)
privacy_of_protocols = Statement(
    place=kov.equation("15"),
    title="Privacy of a protocol",
    claims=(Structural("definition", "each party's bit is hidden from all the others", task="cite"),),
)

response = RandomisedResponse(eps, delta)
randomised_response = Statement(
    place=kov.equation("16"),
    title="Randomised response with four symbols",
    hypotheses="Each party broadcasts a symbol that depends on its bit alone.",
    variables={eps: nonnegative, delta: unit},
    claims=(
        Guarantee(
            "dp",
            r"the symbol is $(\varepsilon,\delta)$-DP for the bit",
            subject=response,
            epsilon=eps,
            delta=delta,
            derivation=is_private,
        ),
        Identity(
            "region",
            r"the region (3) of the symbol is the region (2): then the largest $P_{\mathrm{MD}}+"
            r"P_{\mathrm{FA}}$ of a test would be $2$, the corner of the unit square, which (2) contains",
            eq(1 + response.closed_form("total_variation"), 2),
            fails_at={eps: Integer(1), delta: Rational(1, 10)},
        ),
        Identity(
            "region.corrected",
            r"the lower boundaries agree: at each slope of -1 or steeper the lowest line has the same shift for the "
            r"symbols as for the corners of $\mathcal{R}(\varepsilon,\delta)$, and both are symmetric",
            eq(letters, corners),
            variables={eps_total: nonnegative},
            derivation=from_below,
            role="corrected",
            improves="region",
            because=(
                "(3) is symmetric about the middle of the square and (2) is not bounded above; they agree "
                "below the diagonal, which is all that is used"
            ),
        ),
    ),
    cites=("warner1965randomized",),
)

uniqueness = Statement(
    place=kov.section("5.2"),
    title="The optimal protocol",
    beyond=PROTOCOLS,
    hypotheses=setting,
    claims=(
        Optimality(
            "unique",
            "randomised response is the only optimal protocol",
            examples=(Example("silence-is-as-good", {"parties": pure_two, "function": "AND"}),),
        ),
        pure("unique.corrected", r"with $\delta_i=0$ it is optimal, but not the only one", "unique",
             "for AND at moderate privacy saying nothing is as good on average"),
        Optimality(
            "unique.sharper",
            r"with $\delta_i=0$ and $\varepsilon_i>0$ it is the only one for XOR and an observer, up to "
            r"the names of transcripts and to coins that all see",
            derivation=only_the_responses,
            role="sharper",
            improves="unique",
            because="each transcript of an optimal protocol for XOR is one of the responses",
        ),
    ),
)

randomised_response_is_optimal = Statement(
    place=kov.theorem("5.1"),
    title="Randomised response and every other protocol",
    beyond=PROTOCOLS,
    hypotheses=setting,
    variables={eps: positive, delta: unit_open},
    formulas={"advantage for XOR with a shared coin": with_coin,
              "advantage for XOR with randomised response": without_coin},
    claims=(
        Optimality(
            "party-average",
            r"among all interactive protocols and rules, (16) with (10) has the best average accuracy of "
            r"a party, for any $(\varepsilon_i,\delta_i)$, function and measure",
            examples=(Example("coin-against-responses", {
                "parties": three, "function": "XOR", "measure": "average", "viewer": 0}),),
        ),
        pure("party-average.corrected",
             r"with $\delta_i=0$, (16) has the best average accuracy of each party", "party-average"),
        Optimality(
            "party-average.sharper",
            r"of two parties, each has the best average accuracy with (16), whatever $\delta_i$",
            examples=(Example("one-other-party", {
                "parties": two, "function": "AND", "measure": "average"}),),
            derivation=one_other_bit,
            role="sharper",
            improves="party-average",
            because="a party that knows its own bit asks about one other bit only, where Theorem 2.5 helps",
        ),
        Optimality(
            "party-worst",
            "among all interactive protocols and rules, (16) with (12) has the best worst-case accuracy of "
            "a party",
            examples=(Example("coin-against-responses", {
                "parties": three, "function": "XOR", "measure": "worst", "viewer": 0}),),
        ),
        pure("party-worst.corrected",
             r"with $\delta_i=0$, (16) has the best worst-case accuracy of each party", "party-worst"),
        Optimality(
            "party-worst.sharper",
            r"of two parties, each has the best worst-case accuracy with (16), whatever $\delta_i$",
            examples=(Example("one-other-party", {
                "parties": two, "function": "AND", "measure": "worst"}),),
            derivation=one_other_bit,
            role="sharper",
            improves="party-worst",
            because="a party that knows its own bit asks about one other bit only, where Theorem 2.5 helps",
        ),
        Optimality(
            "observer-average",
            "among all interactive protocols and rules, (16) with (13) has the best average accuracy of "
            "the observer",
            examples=(Example("coin-against-responses", {
                "parties": two, "function": "XOR", "measure": "average"}),),
        ),
        pure("observer-average.corrected",
             r"with $\delta_i=0$, (16) has the best average accuracy of the observer", "observer-average"),
        Inequality(
            "observer-average.sharper",
            r"for XOR of two bits and an observer the shared coin is better at every $\varepsilon$ and "
            r"every $0<\delta<1$",
            lt(without_coin, with_coin),
            role="sharper",
            improves="observer-average",
            because=r"the difference is positive, as `observer-average.loss` says",
        ),
        Identity(
            "observer-average.loss",
            r"the responses lose $\delta(1-\delta)(1-t)^2$ of the advantage against that coin, with "
            r"$t=\tanh(\varepsilon/2)$",
            eq(with_coin - without_coin, delta * (1 - delta) * (1 - tilt) ** 2),
            role="sharper",
            improves="observer-average",
            because=r"so they lose little where $\varepsilon$ is large or $\delta$ small; no conversation beats "
                    r"that coin, "
                    r"as `observer-average.xor` says",
        ),
        *xor,
        Optimality(
            "observer-worst",
            "among all interactive protocols and rules, (16) with (14) has the best worst-case accuracy of "
            "the observer",
            examples=(Example("coin-against-responses", {
                "parties": two, "function": "XOR", "measure": "worst"}),),
        ),
        pure("observer-worst.corrected",
             r"with $\delta_i=0$, (16) has the best worst-case accuracy of the observer", "observer-worst"),
        two_coins,
        Optimality(
            "simultaneous",
            "every party and the observer are at their best at the same time",
            examples=(
                Example("best-conversation", {
                    "parties": two, "function": "AND", "measure": "average"}),
            ),
        ),
        pure("simultaneous.corrected", r"with $\delta_i=0$ all of them are at their best with (16)",
             "simultaneous"),
        exactly_where,
        *loss,
    ),
)

