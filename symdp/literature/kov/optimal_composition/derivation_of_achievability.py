r"""Section 6.1 line by line: as printed, and repaired from the laws of a letter to the region of $k$."""

from sympy import Expr, IndexedBase, Integer, Max, Product, Sum, binomial, exp

from symdp.formulas.notation import delta, eps, eps_total, k, symbol, t
from symdp.formulas.relation import eq, ge, gt, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.randomised_response import (
    everything_from_responses,
    from_below,
    high,
    is_private,
    letter_by_letter,
    letters,
    low,
    one_ratio,
    parameters,
    ratios_of_letters,
)
from symdp.literature.kov.optimal_composition.tangents_of_a_region import (
    advantage,
    any_pair,
    best_rule,
    between_slopes,
    mean_of_two,
)
from symdp.literature.kov.optimal_composition.theorem import (
    delta_i,
    epsilon_i,
    i,
    j,
    likely,
    total_delta,
    unlikely,
)
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.source_proof import SourceProof

zero, one = Integer(0), Integer(1)
struck = 1 - (1 - delta) ** k
exact_shift = struck + (1 - delta) ** k * (
    Sum(likely, (j, 0, i - 1)) - exp(epsilon_i) * Sum(unlikely, (j, 0, i - 1)))
printed_shift = struck + (1 - delta) ** k * delta_i
steps = ["eps >= 0", "k >= 1"]
where = [*steps, "i >= 0", "2*i <= k"]

mass, n = IndexedBase("P"), symbol("n")
#: a rule takes this part of the words with j letters 2 and otherwise letters 1
taken = IndexedBase("s")
a_rule = [ge(taken[j], zero), le(taken[j], one)]
#: what it takes of the words with a letter 0, and of those with a letter 3
given_away, other_way = symbol("a_0"), symbol("b_3")
scale = (1 + exp(eps)) ** k


def gain(slope: Expr) -> Expr:
    """What the words with j letters 2 add to the shift at a slope, up to the scale."""
    return binomial(k, j) * (exp((k - j) * eps) - slope * exp(j * eps))


def over(term: Expr, first: Expr, last: Expr) -> Expr:
    return Sum(term, (j, first, last))


at_i = binomial(k, j) * (exp((k - j) * eps) - exp((k - 2 * i + j) * eps))

# --- as printed ---------------------------------------------------------------------------------------

a, b, missed, false_alarm = symbol("a"), symbol("b"), symbol("P_MD"), symbol("P_FA")
p, q, r = symbol("p"), symbol("q"), symbol("r")

printed_mechanism = (
    Derivation("Section 6.1, as printed: the mechanism", where=[*parameters, "eps_total >= 0"])
    .state(eq(delta + high + low + 0, one), "(17) is a law")
    .state(eq(0 + low + high + delta, one), "(18) is a law")
    .state(eq(Integer(2), 1 + delta + (1 - delta) * (exp(eps) - 1) / (exp(eps) + 1)),
           "the region of one letter is R(eps, delta): so the largest P_FA + P_MD is the same in the unit "
           "square")
    .cite("all private mechanisms are dominated by this one", "kov/thm-2.5")
)

printed_boundary = (
    Derivation("Section 6.1, as printed: the boundary", where=[
        *parameters, "eps_total >= 0", "0 <= a <= 1", "0 <= b <= 1", "0 <= lam <= 1", "x*y >= 0",
        "0 <= p <= 1", "0 <= q <= 1", "0 <= r <= 1", "p + q + r == 1"])
    .let(false_alarm, "1 - a")
    .let(missed, "b")
    .state(ge(false_alarm, -exp(eps_total) * missed + 1 - (a - exp(eps_total) * b)),
           "(19) for one rejection set, whose complement has the masses a and b: its own shift is enough")
    .state(eq(mean_of_two.left.subs({a: symbol("x"), b: symbol("y")}, simultaneous=True),
              mean_of_two.right.subs({a: symbol("x"), b: symbol("y")}, simultaneous=True)),
           "other slopes add nothing: an outcome with the advantages x and y at two neighbouring slopes "
           "has the mean of what it adds there")
    .lemma("none", "max(0, z) == 0", ["z <= 0"])
    .state(eq(letters.subs(eps_total, eps) + Max(0, -exp(eps) * delta), delta),
           "d_eps of one letter is delta",
           by=[use("none", z=-exp(eps) * delta), use("none", z=low - exp(eps) * high)])
    .state(eq(advantage((p, q, r), (q, r, p)), advantage((q, r, p), (p, q, r))),
           "Remark 6.1, if one law is a renaming of the other: then the two orders have the same shifts")
)
printed_ratios = (
    Derivation("Section 6.1, as printed: the set E of one letter", where=[
        *parameters, "eps_total >= 0", eq(delta**2 * one_ratio, zero)])
    .state(eq(eps_total, eps), "E has one element")
)

printed_k_fold = (
    Derivation("Section 6.1, as printed: k letters", where=[*where, "0 <= delta <= 1", gt(mass[j], zero)],
               integer=["k", "i"])
    .state(eq(Product(mass[j], (j, 1, k + 1)), Product(mass[j], (j, 1, k)) * mass[k + 1]),
           "the law of the outcomes is the product, one letter at a time")
    .state(eq(exp(epsilon_i), epsilon_i), "the elements of E, by the display and by the definition of E")
    .start(exact_shift)
    .eq(printed_shift, "after some algebra")
    .start(exact_shift)
    .eq(delta_i, "the region has the shifts of (6)")
)

# --- repaired -----------------------------------------------------------------------------------------

words = (
    Derivation("The laws of k letters", where=[*steps, "0 <= delta", "delta < 1", "j >= 0", "j <= k"],
               integer=["k", "j"])
    .start(high ** (k - j) * low**j)
    .eq((1 - delta) ** k * exp((k - j) * eps) / scale,
        "a word with j letters 2 and otherwise letters 1, under the first law", label="first law")
    .start(low ** (k - j) * high**j)
    .eq((1 - delta) ** k * exp(j * eps) / scale, "under the second", label="second law")
    .start(high ** (k - j) * low**j)
    .eq(exp((k - 2 * j) * eps) * ((1 - delta) ** k * exp(j * eps) / scale),
        "so its ratio is e^((k - 2j) eps), and E has these elements: those of at least 0 have 2j <= k")
)
all_words = (
    Derivation("All words", where=[*steps, "0 <= delta <= 1"], integer=["k"])
    .cite("binomial(k, j) words have j letters 2 and k - j letters 1", "the definition of the coefficient")
    .state(eq(over((1 - delta) ** k * likely, zero, k), (1 - delta) ** k),
           "by the binomial theorem all words of letters 1 and 2 have this mass under the first law, which "
           "never shows a 3: the words with a 0 have the rest, and the second law shows none of them")
    .state(eq(over((1 - delta) ** k * unlikely, zero, k), (1 - delta) ** k),
           "and under the second law, which never shows a 0")
)

#: no set, and no rule that takes outcomes in part, has a larger shift than the best set
no_rule_is_better = (
    Derivation("No rule has more than the best set", where=[*where, *a_rule], integer=["k", "i"])
    .start(over(taken[j] * likely, zero, k) - exp(epsilon_i) * over(taken[j] * unlikely, zero, k))
    .eq(over(taken[j] * at_i, zero, k) / scale, "what a rule gains, word by word")
    .eq((over(taken[j] * at_i, zero, i - 1) + over(taken[j] * at_i, i, k)) / scale, "cut at i")
    .le(over(taken[j] * at_i, zero, i - 1) / scale, "from i on no word adds anything")
    .le(delta_i, "before i every word does, so it is best to take all of them")
)
where_delta_strikes = (
    Derivation("The words with a letter 0 or 3; x is what a rule gains on the others, h at most", where=[
        "0 <= delta <= 1", "k >= 1", "0 <= a_0", "a_0 <= 1 - (1 - delta)^k", "b_3 >= 0", "x <= h"],
        integer=["k"])
    .start(given_away + (1 - delta) ** k * symbol("x") - exp(eps_total) * other_way)
    .le(struck + (1 - delta) ** k * symbol("h"),
        "those with a 0 add all that they have, and are taken; those with a 3 add nothing")
    .eq(1 - (1 - delta) ** k * (1 - symbol("h")))
)

best_set = (
    Derivation("The best set of outcomes at the slope (k - 2i) eps", where=[*where, "0 <= delta <= 1"],
               integer=["k", "i"])
    .lemma("gain", "exp((k - j)*eps) >= exp((k - 2*i + j)*eps)", ["eps >= 0", "j <= i"])
    .lemma("loss", "exp((k - j)*eps) <= exp((k - 2*i + j)*eps)", ["eps >= 0", "j >= i"])
    # So outcomes with j < i unlikely letters belong to it, those with j > i do not, and j = i is free.
    .start(exact_shift)
    .eq(printed_shift, "the two sums, term by term")
)

in_total = (
    Derivation("What is left of the shift", where=[*where, "0 <= delta <= 1"], integer=["k", "i"])
    .start(exact_shift)
    .eq(printed_shift, "the two sums, term by term")
    .eq(total_delta)
)

next_slope = exp((k - 2 * (i + 1)) * eps)
between = t * exp(epsilon_i) + (1 - t) * next_slope
u = symbol("u")

#: which lines bound the region: those at the slopes of E, and their mirror images
only_the_slopes = (
    Derivation("Other slopes add nothing", where=[
        *steps, "i >= 0", "2*i + 2 <= k", "0 <= t <= 1", *a_rule], integer=["k", "i"])
    .state(eq(over(at_i, zero, i) / scale, delta_i),
           "at the slope of i the words with j = i may be taken or left, so the best set of i + 1 is one "
           "of the best for i as well")
    .start(over(gain(between), zero, i) / scale)
    .eq((t * over(gain(exp(epsilon_i)), zero, i) + (1 - t) * over(gain(next_slope), zero, i)) / scale,
        "between these two slopes its shift is the mean of the two shifts")
    .start(over(taken[j] * gain(between), zero, k) / scale)
    .eq((t * over(taken[j] * gain(exp(epsilon_i)), zero, k)
         + (1 - t) * over(taken[j] * gain(next_slope), zero, k)) / scale,
        "and so it is for every rule: none has more than the mean")
    .lemma("mean", "y + (t*u + (1 - t)*w)*x >= 1 - (t*c + (1 - t)*d)",
           ["0 <= t <= 1", "y + u*x >= 1 - c", "y + w*x >= 1 - d"])
)
steeper = (
    Derivation("Steeper lines", where=[*steps, "u >= exp(k*eps)", *a_rule], integer=["k"])
    .state(le(over(taken[j] * gain(u), zero, k) / scale, zero),
           "beyond k eps no word of letters 1 and 2 adds anything: the shift stays that of i = 0")
    .lemma("steeper", "y + u*x >= c", ["x >= 0", "u >= w", "y + w*x >= c"])
)
mirrored = (
    Derivation("Flatter lines", where=[*steps, *a_rule], integer=["k"])
    .state(eq(over(taken[j] * likely, zero, k), over(taken[k - j] * unlikely, zero, k)),
           "with 1 and 2 exchanged, and 0 and 3, the two laws change places")
    .start(1 - over((1 - taken[k - j]) * likely, zero, k))
    .eq(over(taken[j] * unlikely, zero, k),
        "so the rule that decides the other way about the exchanged word has the two errors exchanged: the "
        "region is its own mirror image")
    .cite("a closed convex set is what its supporting lines leave; those of slopes flatter than -1 are the "
          "mirror images of the others, and between the last of these and its image the line is a mean of "
          "the two", "Rockafellar, Convex Analysis, Theorem 18.8")
)

proof = SourceProof(
    kov.section("6.1"), "The proof of achievability",
    (printed_mechanism, printed_boundary, printed_ratios, printed_k_fold),
    (is_private, letter_by_letter, ratios_of_letters, from_below, everything_from_responses, best_rule,
     between_slopes, any_pair, words, all_words, no_rule_is_better, where_delta_strikes, best_set, in_total,
     only_the_slopes, steeper, mirrored),
    supports=("kov/eq-17.dp", "kov/sec-6.1.example-shift", "kov/sec-6.1.example-set.corrected",
              "kov/sec-6.1.single-region.corrected", "kov/sec-6.1.dominates", "kov/sec-6.1.slopes",
              "kov/rem-6.1.corrected", "kov/rem-6.1.sharper",
              "kov/sec-6.1.k-fold-shift", "kov/sec-6.1.k-fold-region.corrected"))

__all__ = ["best_set", "exact_shift", "in_total", "printed_shift", "proof"]
