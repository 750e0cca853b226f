r"""Section 5 and Appendix D, what holds for all numbers of parties: what there is to count, and how maps are used.

An instance speaks against such a claim, and never for it. Here are the arguments, in formulas as far as they go: $T$
and $Y$ are the numbers of transcripts and of answers, $h$ and $g$ probabilities of a set of transcripts.
"""

from sympy import IndexedBase, Sum

from symdp.formulas.notation import symbol
from symdp.literature.kov.multiparty.simulation_without_delta import R, V, W, over_responses
from symdp.sources.derivations.derivation import Derivation

w, r = IndexedBase("w"), IndexedBase("r")
h, n, t, x, y, transcripts = (symbol(name) for name in "hntxyT")

#: what a guess from transcript t is worth is W_t; the map makes t from the response y with probability V[n t + y]
made_then_guessed = Sum(over_responses(V[n * t + y] * R[y]) * W[t], (t, 1, transcripts))
guessed_from_responses = over_responses(R[y] * Sum(V[n * t + y] * W[t], (t, 1, transcripts)))

# --- Section 5.1 -----------------------------------------------------------------------------------------

no_prior = (
    Derivation("(15) has no distribution of the bits", where=["eps >= 0", "0 <= delta <= 1"])
    .cite("(15) compares the probabilities of a set of transcripts given two values of a bit, for every value of the "
          "other bits: entries of the table of the protocol", "the definition (15)")
    .lemma("weighted", "w*h <= exp(eps)*(w*g) + w*delta", ["w >= 0", "h <= exp(eps)*g + delta"])
    # So whatever weight w a distribution gives to the bits, (15) holds before it and after.
)
symbols_of_the_responses = (
    Derivation("The symbols of (16), and their tuples",
               where=["eps > 0", "0 < delta < 1", "k >= 1"], integer=["k"])
    .state("(1 - delta)*exp(eps)/(1 + exp(eps)) > 0", "the symbols 1 and 2 are possible for both bits")
    .state("(1 - delta)/(1 + exp(eps)) > 0")
    .cite("the symbols 0 and 3 have the probability delta for one bit and 0 for the other: they are possible if "
          "delta is positive, and so a party has four symbols, or two where delta is 0", "the definition (16)")
    .cite("a transcript is one symbol of each party: there are 4^k, or 2^k", "the responses are independent")
    .state("2^k*2^k == 2^(2*k)", "each with an entry for each of the 2^k inputs: without delta")
    .state("2^k*4^k == 2^(3*k)", "and with it")
)
products_of_the_rule = (
    Derivation("The products that (10) adds up", where=["T >= 1", "Y >= 1", "k >= 1"], integer=["k", "T", "Y"])
    .cite("for each transcript, each own bit and each answer, (10) has one product for each value of the k - 1 other "
          "bits", "the definition (10)")
    .state("T*2*Y*2^(k - 1) == 2^k*T*Y")
)
rows_of_the_program = (
    Derivation("The program (12) for one own bit", where=["T >= 1", "Y >= 1", "k >= 1"], integer=["k", "T", "Y"])
    .cite("its unknowns are a probability for each transcript and each answer, and the least accuracy m; its rows "
          "say that the probabilities of each transcript add up to 1, and that m is at most the accuracy at each of "
          "the 2^(k - 1) values of the other bits", "the definition (12)")
    .lemma("least", "m <= min(u, v)", ["m <= u", "m <= v"])  # so the largest such m is the least accuracy
    .state("2^(k - 1) + T <= 2^k + T", "fewer rows than were named")
)

# --- Theorem 5.1 and Appendix D --------------------------------------------------------------------------


def private_for_one_bit(title: str) -> Derivation:
    """(15) for one bit, the others fixed, as the two conditions of (2)."""
    return (
        Derivation(title, where=["eps >= 0", "0 <= delta <= 1", "n >= 1", "T >= 1"], integer=["n", "T"])
        .lemma("first condition", "P_FA + exp(eps)*P_MD >= 1 - delta",
               ["a <= exp(eps)*b + delta", "P_FA == 1 - a", "P_MD == b"])
        .lemma("second condition", "exp(eps)*P_FA + P_MD >= 1 - delta",
               ["c <= exp(eps)*d + delta", "P_FA == d", "P_MD == 1 - c"])
    )


guessing_through_the_map = (
    Derivation("Guessing through the map", where=["n >= 1", "T >= 1"], integer=["n", "T"])
    .cite("whoever has the responses makes a transcript by the map and guesses from it",
          "Theorem D.1, which is supposed here")
    .start(made_then_guessed)
    .eq(guessed_from_responses,
        "for each input that is worth as much as the transcript, and it is a rule for the responses: so for each "
        "measure, on average and in the worst case")
)
one_other_bit = (
    private_for_one_bit("One other bit")
    .cite("given one's own bit, the transcript has two laws, one for each bit of the other party, whose region lies "
          "in R(eps, delta) by (15)", "kov/cor-2.3")
    .cite("so for each own bit a stochastic map makes the transcript from the response of the other party",
          "kov/thm-2.5")
    .start(made_then_guessed)
    .eq(guessed_from_responses,
        "for each input, guessing from what the map makes is worth as much as guessing from the transcript: so for "
        "each measure, on average and in the worst case")
)
forgotten_bits = (
    Derivation("(41): without the first bits", where=["eps >= 0", "0 <= delta <= 1", "n >= 1"], integer=["n"])
    .cite("the map reads the responses so far and the later bits, not the bits behind the responses: given these, a "
          "set of transcripts has a probability h whatever those bits are", "the definition of a map T_l")
    .start(Sum(w[x] * r[x] * h, (x, 1, n)))
    .eq(h * Sum(w[x] * r[x], (x, 1, n)),
        "summed over the bits x behind the responses, of weight w, that have led to these with probability r: given "
        "the responses alone, the probability is h too, and (40) says (41)")
)
for_the_next_bit = (
    private_for_one_bit("(42): privacy and the region of the next bit, given the responses")
    .cite("so, if (41) holds, the region of the map for the next bit lies in R(eps, delta)", "kov/cor-2.3")
)
one_map_after_the_other = (
    Derivation("(39) and (36): one response after the other")
    .cite("given (42), for each value of the responses so far and of the later bits there is a stochastic map that "
          "makes what T_l makes from the next response", "kov/thm-2.5")
    .lemma("averaged", "w*h == w*g", ["h == g"])  # over the responses so far: (39), by Bayes' rule
    .cite("so T_1, which (34) gives, leads to T_2, and after k - 1 such steps to T_k, which reads responses alone",
          "induction over the parties")
)
