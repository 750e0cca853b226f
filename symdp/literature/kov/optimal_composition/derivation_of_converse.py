r"""Section 6.2 line by line: the joint law of letters and answers, as printed and repaired."""

from sympy import IndexedBase, Product, Sum

from symdp.formulas.notation import k, symbol
from symdp.formulas.relation import gt
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.converse import (
    all_seen,
    answer_given_choice,
    answers_from_letters,
    bayes,
    before_its_answer,
    by_steps,
    coin,
    fresh_letter,
    g_0,
    in_three_ways,
    joint,
    letters_known,
    made_from_letters,
    prior,
    to_regions,
    up_to_the_last,
    weak_union,
    with_the_coin,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof

i = symbol("i")
#: the probability of the i-th letter given b, and of the i-th answer given its letter, R and the past
letter, answer = IndexedBase("A"), IndexedBase("B")


def first(family: IndexedBase, last: object) -> Product:
    return Product(family[i], (i, 1, last))


before = prior * coin * first(letter, k) * first(answer, k)
printed_steps = (
    Derivation("Section 6.2, as printed: one step more", integer=["k"], where=[
        "k >= 1", "0 < w <= 1", "0 < rho <= 1", gt(letter[i], 0), gt(answer[i], 0)])
    .start(prior * coin * first(letter, k + 1) * first(answer, k + 1))
    .eq(prior * coin * first(letter, k + 1) * first(answer, k) * answer[k + 1], "by (20)")
    .eq(before * letter[k + 1] * answer[k + 1], "by (21)")
)
printed_law = (
    Derivation("Section 6.2, as printed: the joint law; g and h are the products over the steps", where=[
        "0 < w < 1", "0 < rho <= 1", "g_0 > 0", "g_1 > 0", "0 < h", "h <= 1"])
    .start(joint)
    .eq(prior * coin * g_0 * (all_seen / letters_known), "of b, R and the letters, times of the answers")
    .eq(in_three_ways, "of b given R and the letters, times of all that is seen")
    .start(prior * coin * g_0 / letters_known)
    .eq("w*g_0/(w*g_0 + (1 - w)*g_1)", "R is independent of b and the letters")
    .start("w*g_0*h/(w*g_0*h + (1 - w)*g_1*h)")
    .eq("w*g_0/(w*g_0 + (1 - w)*g_1)", "(22): b given letters and answers is b given the letters")
)
of_coin, of_answers, r, n = IndexedBase("rho"), IndexedBase("H"), symbol("r"), symbol("n")
printed_marginal = (
    Derivation("Section 6.2, as printed: without R; given r, the answers have probability H_r",
               where=["n >= 1", "0 < w < 1", "g_0 > 0", gt(of_coin[r], 0), gt(of_answers[r], 0)],
               integer=["n"])
    .start(Sum(prior * of_coin[r] * g_0 * of_answers[r], (r, 1, n)))
    .eq(prior * g_0 * Sum(of_coin[r] * of_answers[r], (r, 1, n)),
        "of b and the letters, times of the answers given the letters")
)
printed_direction = (
    Derivation("Section 6.2, as printed: which of the two dominates", where=[
        "0 < g_0 < 1", "0 < g_1 < 1", "0 < h <= 1", "0 < c <= 1"])
    .state("g_0*h/(g_0*h + (1 - g_0)*c) == g_1*h/(g_1*h + (1 - g_1)*c)",
           "the answers dominate the letters: of two letters that lead to an answer with probabilities h "
           "and c, the first has the same probability given the answer, whatever b")
)

proof = SourceProof(
    kov.section("6.2"), "The proof of the converse",
    (made_from_letters, weak_union, up_to_the_last, printed_steps, printed_law, printed_marginal,
     printed_direction, to_regions),
    (made_from_letters, weak_union, before_its_answer, answer_given_choice, fresh_letter, by_steps, bayes,
     with_the_coin, answers_from_letters, to_regions),
    supports=("kov/sec-6.2.simulator", "kov/sec-6.2.weak-union", "kov/sec-6.2.history",
              "kov/sec-6.2.history.sharper", "kov/eq-20.markov", "kov/eq-21.markov",
              "kov/sec-6.2.factorisation", "kov/eq-22.markov", "kov/eq-22.markov.sharper",
              "kov/sec-6.2.domination.corrected", "kov/sec-6.2.inclusion"))
