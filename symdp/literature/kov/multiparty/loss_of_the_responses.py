r"""How much randomised response can lose for $\delta>0$, whatever the function and the measure.

Let all inputs be equally likely, and let $p_i$ be the probability that the bit of party $i$ is 1, given what was
said. A message of party $i$ moves $p_i$, its mean unchanged, and no other. With $\eta=1/(1+e^\varepsilon)$, what a
party gives away in a transcript is $\max(0,p-(1-\eta),\eta-p)/\eta$, and by (15) its mean is at most $\delta$.

The value of pure responses is affine in each $p_i$ between $\eta$ and $1-\eta$, with a slope $s$ of at most 1 in
size. Beyond, it is continued by its value at the end, less the distance to that end: then it is concave in each
$p_i$, so that no message raises its mean. And a guess is worth at most that, and twice the distance for each party.
"""

from sympy import Expr, IndexedBase, Max, Min, Rational, Sum

from symdp.formulas.notation import symbol, x
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov.multiparty.simulation_without_delta import MULTIPLY
from symdp.numbers.domain import Interval
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Identity, Optimality, Space, unit

eta, j, m, n, s = (symbol(name) for name in ("eta", "j", "m", "n", "s"))
#: of party j: what it gives away on average, its delta, and eta
given, allowed, etas = IndexedBase("L"), IndexedBase("d"), IndexedBase("h")


def cut(at: Expr) -> Expr:
    """What pure privacy leaves of a probability."""
    return Max(eta, Min(1 - eta, at))


def outside(at: Expr) -> Expr:
    """How far it lies beyond: eta times what is given away."""
    return Max(0, at - (1 - eta), eta - at)


continued = s * cut(x) - m * outside(x)
three_lines = Min(s * eta - m * (eta - x), s * x, s * (1 - eta) - m * (x - (1 - eta)))
in_the_square = ("0 <= eta", "eta <= 1/2", "0 <= x", "x <= 1", "m >= 0", "-m <= s", "s <= m")


least_of_three = (
    Derivation("The least of three lines", where=in_the_square)
    .cases(
        eq(continued, three_lines),
        (le(x, eta), lambda d: d.start(continued).eq(s * eta - m * (eta - x)).eq(three_lines)),
        ([ge(x, eta), le(x, 1 - eta)], lambda d: d.start(continued).eq(s * x).eq(three_lines)),
        (ge(x, 1 - eta), lambda d: d.start(continued).eq(s * (1 - eta) - m * (x - (1 - eta))).eq(three_lines)),
    )
)


def no_message_helps(title: str, *where: str) -> Derivation:
    """The lines that both measures share; a guess is worth between 0 and m more at one bit than at the other."""
    return (
        Derivation(title, where=[*in_the_square, "r >= 1", "g >= 0", "h >= 0", "g + h > 0", "n >= 1",
                                 ge(etas[j], 0), ge(given[j], 0), le(given[j], allowed[j]), *where], integer=["n"])
        .cite(*MULTIPLY)
        .cite("so a message of a party moves the probability of its own bit alone, and the mean of that stays",
              "Bayes' rule")
        .state("(g - r*h)/(g + h) == (g/(g + h) - (1 - 1/(1 + r)))/(1/(1 + r))",
               "what is given away, in terms of the probability p = g/(g + h)")
        .lemma("chord", "a + b*((1 - u)*eta + u*(1 - eta)) <= (1 - u)*v + u*w",
               ["0 <= u", "u <= 1", "a + b*eta <= v", "a + b*(1 - eta) <= w"])
        .lemma("slope", "a + b*(1 - eta) <= v + m*(1 - 2*eta)", ["eta <= 1/2", "a + b*eta <= v", "b <= m"])
        .lemma("leaving", "a + b*x <= a + b*y + m*z", ["-m <= b", "b <= m", "x - y <= z", "y - x <= z"])
        .cite("the value of the responses in one coordinate, continued, is the least of three affine functions, "
              "so that it "
              "is concave and no message raises its mean", "kov/thm-5.1.simultaneous.loss-step")
    )


on_average = (
    no_message_helps("What a conversation gains, on average", "m == 1")
    .cite("inside, a guess is worth at most the value of the responses: it is affine in each p, and no chord is "
          "above it; "
          "outside, at most that and the distance, party by party; the continued value is less by that distance "
          "again", "the lemmas above, one coordinate after the other")
    .start(Sum(2 * etas[j] * given[j], (j, 1, n)))
    .le(Sum(2 * etas[j] * allowed[j], (j, 1, n)), "what is given away has a mean of at most delta")
)
in_the_worst_case = (
    no_message_helps("What a conversation gains, for any prior")
    .lemma("larger", le(cut(x), Max(x, eta)), ["0 < eta", "eta <= 1/2"])
    .lemma("convex", "max(x, eta) <= x + eta*(1 - x)", ["0 <= x", "x <= 1", "0 <= eta", "eta <= 1"])
    .cite("for a prior, the accuracy is that for equal inputs with the weights 2^k pi(x), so that m is the mean "
          "of the "
          "larger of the two weights over the other bits, where each probability p may be taken as max(p, eta): "
          "it is "
          "larger than p and than what is cut, and convex, so that the continued value stays concave in each "
          "coordinate",
          "the definition (11), and the minimax theorem for finite tables")
    .state("2*eta*2*1 == 4*eta", "the larger weights add up to at most 2^k, the other bits are one of 2^(k-1)")
    .cite("by the lemma each other party costs a factor of 1 + eta", "(15) for each value of the other bits")
    .start(Sum(4 * etas[j] * given[j], (j, 1, n)))
    .le(Sum(4 * etas[j] * allowed[j], (j, 1, n)), "what is given away has a mean of at most delta")
)

slope_space = Space(Interval())
loss = (
    Optimality(
        "simultaneous.loss",
        r"for every function, every measure with values in $[0,1]$ and every number of parties, no conversation "
        r"has an "
        r"average accuracy that is better than that of (16) without $\delta$ by more than "
        r"$\sum_i2\delta_i/(1+e^{\varepsilon_i})$; so (16) itself never loses more than that; for a party the "
        r"sum is over "
        r"the others",
        derivation=on_average,
        role="sharper",
        improves="simultaneous",
        because=(
            r"it is what is left of the theorem for $\delta>0$ and all functions: each party costs less than its "
            r"$\delta_i$"
        ),
    ),
    Optimality(
        "simultaneous.loss-worst",
        r"in the worst case the same holds with $\sum_i4\delta_i\eta_i\prod_{j\ne i}(1+\eta_j)$, where "
        r"$\eta_i=1/(1+e^{\varepsilon_i})$",
        derivation=in_the_worst_case,
        role="sharper",
        improves="simultaneous",
        because="the inputs need not be equally likely, which costs a factor",
    ),
    Identity(
        "simultaneous.loss-step",
        r"the value $s\,p$ of the responses in one coordinate, continued beyond $[\eta,1-\eta]$ by its value at "
        r"the end "
        r"less $m$ times the distance, is the least of three affine functions, if $|s|\le m$",
        eq(continued, three_lines),
        variables={eta: unit, s: slope_space, m: slope_space, x: unit},
        where=(le(eta, Rational(1, 2)), ge(m, 0), le(-m, s), le(s, m)),
        role="sharper",
        improves="simultaneous",
        because="it is why no message raises its mean, in `simultaneous.loss`",
        derivation=least_of_three,
    ),
)
