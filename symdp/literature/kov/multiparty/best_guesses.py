r"""Why the rules of guessing are best: a guess is a mean of answers, accuracy is linear in the rule."""

from sympy import IndexedBase, Integer, Sum

from symdp.formulas.notation import symbol
from symdp.formulas.relation import ge, le
from symdp.sources.derivations.derivation import Derivation

#: For one transcript and one own bit: y is guessed with probability q_y and worth s_y; M is the best.
q, s, other = IndexedBase("q"), IndexedBase("s"), IndexedBase("g")
y, m, best, t = symbol("y"), symbol("m"), symbol("M"), symbol("t")

mean_of_answers = (
    Derivation("A guess is a mean of answers", integer=["m"],
               where=["m >= 1", ge(q[y], Integer(0)), le(s[y], best)])
    .cite("with s_y the sum over the possible inputs of P w(f, y), the average accuracy is the sum "
          "over transcripts and own bits of the means of s_y, divided by the number of inputs",
          "the definition (9), its finite sums in another order")
    .start(Sum(q[y] * s[y], (y, 1, m)))
    .le(Sum(q[y] * best, (y, 1, m)), "no answer is worth more than the best")
    .eq(best * Sum(q[y], (y, 1, m)), "and the probabilities of the guesses add up to 1: the best answer "
        "alone is worth as much as any mean")
)
linear_in_the_rule = (
    Derivation("The accuracy at an input is linear in the rule", integer=["m"], where=["m >= 1"])
    .cite("a rule is a table of probabilities Q of the guesses given the transcript (and the own bit), and "
          "its worst-case accuracy is by (11) the least over the inputs of the sums of P w Q",
          "the definition (11)")
    .start(Sum((t * q[y] + (1 - t) * other[y]) * s[y], (y, 1, m)))
    .eq(t * Sum(q[y] * s[y], (y, 1, m)) + (1 - t) * Sum(other[y] * s[y], (y, 1, m)),
        "so its least value is concave, and the program maximises it over all rules")
    .lemma("own bits", "min(u, v) <= min(x, z)", ["u <= x", "v <= z"])  # each own bit has its own table
)
