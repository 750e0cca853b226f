r"""Converse: what any adversary sees can be made from randomised responses drawn beforehand."""

from sympy import IndexedBase, Integer, Product, Sum, exp

from symdp.formulas.notation import delta, eps, eps_total, symbol
from symdp.formulas.relation import eq, ge
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.randomised_response import high, low, private_pairs
from symdp.sources.beyond import GRAPHS, MAPS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Statement,
    Structural,
    positive,
    unit,
    unit_positive,
)

setting = (
    r"A bit $b$ and the adversary's coin $R$ are drawn independently. In step $i$ the adversary chooses "
    r"from $R$ and the answers so far; a letter $X^{i,b}$ is drawn by the law (17) or (18) of $b$, "
    r"independently of everything else, and the answer $Y^{i,b}$ is made from it by the map $T_i$ of the "
    r"choice."
)

n, x, i = symbol("n"), symbol("x"), symbol("i")
P = IndexedBase("P")
#: the probability of the middle of a chain and of b, for both bits; and of what comes after
zero_bit, one_bit, after = symbol("m_0"), symbol("m_1"), symbol("c")

#: P(b, m, a) P(m) = P(b, m) P(m, a), where a is drawn given m alone
chain = eq(zero_bit * after * (zero_bit + one_bit), zero_bit * ((zero_bit + one_bit) * after))
masses = ["m_0 >= 0", "m_1 >= 0", "c >= 0"]


def chained(title: str, says: str, reference: str) -> Derivation:
    """A Markov chain from the way in which the last part is drawn."""
    return (
        Derivation(title, where=masses)
        .cite(says, reference)
        .state("(m_0 + m_1)*c == m_0*c + m_1*c",
               "c given the middle, whatever b: the probability of the middle and of what comes after")
        .state(chain, "so the joint probability of all three is that of b and the middle, times that of "
               "the middle and what comes after, divided by that of the middle")
    )


made_from_letters = (
    Derivation("A private mechanism from a letter",
               where=["eps >= 0", "0 <= delta <= 1", "eps_total >= 0"])
    .cite("given what was chosen, the region of M_i on the two databases lies in R(eps, delta)",
          "kov/cor-2.3")
    .state(eq(delta + high - exp(eps_total) * low,
              1 - (1 + exp(eps_total)) * (1 - delta) / (1 + exp(eps))),
           "whose lower boundary is that of one letter")
    .cite("so there is a map that makes the answer from the letter, the same for both bits", "kov/thm-2.5")
)

weak_union = (
    Derivation("Weak union; P_x is the probability of x, y, z, and c that of w given z", integer=["n"],
               where=["n >= 1", "c >= 0", ge(P[x], Integer(0))])
    .start(Sum(P[x] * after, (x, 1, n)))
    .eq(after * Sum(P[x], (x, 1, n)),
        "if w is drawn given z alone, then y, z and w have c times the probability of y and z: given y and "
        "z, w has probability c, as it has given x, y and z")
)

up_to_the_last = (
    Derivation("The requests are functions of what was seen", where=["i >= 1", "l <= i - 1"],
               integer=["i", "l"])
    .cite("the adversary requests the i-th databases, query and mechanism after the answers 1, ..., i - 1, "
          "knowing these and R", "the definition of the experiment")
    .state("l <= i", "all of these answers are among the first i")
)

#: r and the letters as given; the answers as drawn
g_0, g_1, h, prior, coin = (symbol(name) for name in ("g_0", "g_1", "h", "w", "rho"))
A, B = IndexedBase("A"), IndexedBase("B")
joint = prior * coin * g_0 * h
#: over both values of b: R and the letters; R, the letters and the answers
letters_known = prior * coin * g_0 + (1 - prior) * coin * g_1
all_seen = prior * coin * g_0 * h + (1 - prior) * coin * g_1 * h
in_three_ways = prior * coin * g_0 / letters_known * all_seen
same_map = "w*g_0*h/(w*g_0) == (1 - w)*g_1*h/((1 - w)*g_1)"

by_steps = (
    Derivation("One step multiplies two probabilities", integer=["n"],
               where=["n >= 1", "0 < w <= 1", "0 < rho <= 1", "g_0 > 0", "g_1 > 0", "0 <= h <= 1"])
    .cite("given b, R and the past, a letter is drawn by the law of b, and then the answer given the "
          "letter, R and the past", "kov/eq-20.markov and kov/eq-21.markov")
    .state(eq(Product(A[i], (i, 1, n + 1)) * Product(B[i], (i, 1, n + 1)),
              Product(A[i], (i, 1, n)) * Product(B[i], (i, 1, n)) * (A[n + 1] * B[n + 1])),
           "so the product rule goes from n steps to n + 1")
    .start(joint)
    .eq(prior * coin * g_0 * (all_seen / letters_known),
        "g_0 and h being the two products: the probability of the answers given R and the letters is h")
    .eq(in_three_ways, "Bayes' rule, for the probability of b given R and the letters")
)

bayes = (
    Derivation("The posterior of b", where=["0 < w", "w < 1", "g_0 >= 0", "g_1 >= 0", "h > 0",
                                            "w*g_0 + (1 - w)*g_1 > 0"])
    .cite("b, the letters and the answers have the probability w g_b h, with h the mean over R of the "
          "product of the probabilities of the answers, which is the same for both bits",
          "kov/sec-6.2.factorisation")
    .start("w*g_0*h/(w*g_0*h + (1 - w)*g_1*h)")
    .eq("w*g_0/(w*g_0 + (1 - w)*g_1)", "given the letters, the answers say nothing about b")
)

answers_from_letters = (
    Derivation("A map from letters to answers",
               where=["0 < w", "w < 1", "g_0 > 0", "g_1 > 0", "h >= 0"])
    .cite("b, the letters and the answers have the probability w g_0 h or (1 - w) g_1 h: given the "
          "letters, the answers do not depend on b", "kov/eq-22.markov")
    .state(same_map, "the probability of the answers, given the letters, is a map that knows no b: by "
           "definition, the letters dominate the answers")
)

before_its_answer = (
    Derivation("The last answer is not needed", where=["i >= 1", "l <= i - 1"],
               integer=["i", "l"])
    .cite("the request of step i is made before its answer is seen",
          "the definition of the experiment")
    .state("l < i", "the answers that are known are earlier ones")
)

to_regions = (
    Derivation("From letters to regions",
               where=["0 < w", "w < 1", "g_0 > 0", "g_1 > 0", "h >= 0"])
    .cite("given the letters, the coin and the answers do not depend on b",
          "kov/eq-22.markov.sharper")
    .state(same_map, "so a map that knows no b makes the view from the letters")
    .cite("and a map makes no region larger", "kov/thm-2.4")
)

answer_given_choice = chained(
    "The answer given letter and choice",
    "the answer is drawn by the map of the choice at the letter, and R and the earlier answers "
    "determine the choice", "kov/sec-6.2.history.sharper")

fresh_letter = (
    Derivation("A fresh letter", where=["m >= 0", "c >= 0", "z > 0"])
    .cite("given b, the letter is drawn with probability c, independently of all that happened "
          "before", "the construction of the experiment")
    .state("(m*c)*z == (c*z)*m",
           "b and the past having probability m, b alone z: the joint probability times that "
           "of b is the product of those of b with the letter and of b with the past")
)

with_the_coin = (
    Derivation("The same with R", where=["0 < w", "w < 1", "g_0 >= 0", "g_1 >= 0", "h > 0",
                                         "0 < rho", "w*g_0 + (1 - w)*g_1 > 0"])
    .cite("b, R, the letters and the answers have the probability w rho g_b h",
          "kov/sec-6.2.factorisation")
    .start("w*rho*g_0*h/(w*rho*g_0*h + (1 - w)*rho*g_1*h)")
    .eq("w*g_0/(w*g_0 + (1 - w)*g_1)", "given the letters, R and the answers say nothing "
        "about b")
)

section_6_2_chain = {"steps": 2, "left": ("b",)}
letters, answers = ("x1", "x2"), ("y1", "y2")

converse = Statement(
    place=kov.section("6.2"),
    title="Converse",
    beyond=MAPS,
    hypotheses=setting,
    variables={prior: unit_positive, coin: unit_positive, g_0: positive, g_1: positive, h: unit},
    claims=(
        Structural(
            "simulator",
            r"for every $(\varepsilon,\delta)$-DP mechanism $M_i$ there is a map $T_i$ that makes from "
            r"$X^{i,b}$ an output with the law of $M_i(D^{i,b},q_i)$, for both $b$",
            examples=private_pairs,
            derivation=made_from_letters,
        ),
        Structural(
            "history",
            r"the choices of step $i$ are specified by $R$ and the answers $Y^{\ell,b}$ with $\ell\le i$",
            printed_at="Section 6.2, before (20)",
            examples=(Example("choices-are-determined", {"steps": 3, "answers_until": 0}),),
            derivation=up_to_the_last,
        ),
        Structural(
            "history.sharper",
            r"the choices of step $i$ are specified by $R$ and the answers $Y^{\ell,b}$ with $\ell\le i-1$",
            examples=(Example("choices-are-determined", {"steps": 3, "answers_until": -1}),),
            derivation=before_its_answer,
            role="sharper",
            improves="history",
            because=(
                r"the $i$-th answer comes after the choice; and (20), which has only the earlier ones, "
                r"needs it this way"
            ),
        ),
        Structural(
            "weak-union",
            r"$(X,Y)-Z-W$ implies $X-(Y,Z)-W$, which gives the chain displayed before (20)",
            printed_at="Section 6.2, before (20)",
            examples=(
                Example("markov-chain", {"steps": 2, "left": ("b", "r", "x1", "m1"),
                                         "middle": ("x2", "m2"), "right": ("y2",)}),
                Example("markov-chain", {**section_6_2_chain, "middle": ("r", "x1", "m1", "x2", "m2"),
                                         "right": ("y2",)}),
            ),
            derivation=weak_union,
        ),
        Identity(
            "factorisation",
            r"the joint law is the product of $P(b,r)$, the probabilities $g_b$ of the letters and $h$ of "
            r"the answers; and it is $P(b\mid r,x)\,P(y,r,x)$. Here for $b=0$, with $w$ its probability "
            r"and $\rho$ that of $r$, where the letters have positive probability",
            eq(joint, in_three_ways),
            printed_at="Section 6.2, decomposition by induction",
            examples=(Example("law-factorises", {"steps": 2}),),
            derivation=by_steps,
        ),
        Structural(
            "domination",
            r"by (22), $(M_1,\dots,M_k)$ dominates $(\tilde M_1,\dots,\tilde M_k)$",
            printed_at="Section 6.2, after (22)",
            examples=(
                Example("dominates", {"first": (("1",), ("1",)),
                                      "second": (("2/3", "1/3"), ("1/3", "2/3"))}),
            ),
        ),
        Structural(
            "domination.corrected",
            r"by (22), it is dominated: whatever $(M_1,\dots,M_k)$ shows can be made from the output of "
            r"$(\tilde M_1,\dots,\tilde M_k)$",
            examples=(
                Example("markov-chain", {**section_6_2_chain, "middle": letters, "right": answers}),
            ),
            derivation=answers_from_letters,
            role="corrected",
            improves="domination",
            because=(
                r"the direction is reversed: (22) has the letters in the middle, and a mechanism that says "
                r"nothing does not dominate randomised response; the inclusion of regions that follows is "
                r"stated the right way round"
            ),
        ),
        Structural(
            "inclusion",
            r"the region of any $k$-fold adaptive composition lies in that of the proposed mechanisms",
            printed_at="Section 6.2, final display",
            examples=(Example("view-is-inside", {"steps": 1}), Example("view-is-inside", {"steps": 2}),
                      Example("view-is-inside", {"steps": 3})),
            derivation=to_regions,
        ),
    ),
)

equation_20 = Statement(
    place=kov.equation("20"),
    title="An answer knows of b by its letter alone",
    beyond=GRAPHS,
    hypotheses=setting,
    claims=(
        Structural(
            "markov",
            r"$b-(R,X^{i,b},\{X^{\ell,b},Y^{\ell,b}\}_{\ell\in[i-1]})-Y^{i,b}$ is a Markov chain",
            examples=(
                Example("markov-chain", {**section_6_2_chain, "middle": ("r", "x2", "x1", "y1"),
                                         "right": ("y2",)}),
            ),
            derivation=answer_given_choice,
        ),
    ),
)

equation_21 = Statement(
    place=kov.equation("21"),
    title="A letter knows of the past by b alone",
    beyond=GRAPHS,
    hypotheses=setting,
    claims=(
        Structural(
            "markov",
            r"$X^{i,b}-b-(R,\{X^{\ell,b},Y^{\ell,b}\}_{\ell\in[i-1]})$ is a Markov chain",
            examples=(
                Example("markov-chain", {"steps": 2, "left": ("x2",), "middle": ("b",),
                                         "right": ("r", "x1", "y1")}),
            ),
            derivation=fresh_letter,
        ),
    ),
)

equation_22 = Statement(
    place=kov.equation("22"),
    title="The answers know of b by the letters alone",
    beyond=GRAPHS,
    hypotheses=setting,
    claims=(
        Structural(
            "markov",
            r"$b-(X^{1,b},\dots,X^{k,b})-(Y^{1,b},\dots,Y^{k,b})$ is a Markov chain",
            examples=(
                Example("markov-chain", {**section_6_2_chain, "middle": letters, "right": answers}),
            ),
            derivation=bayes,
        ),
        Structural(
            "markov.sharper",
            r"$b-(X^{1,b},\dots,X^{k,b})-(R,Y^{1,b},\dots,Y^{k,b})$ is a Markov chain",
            examples=(
                Example("markov-chain", {**section_6_2_chain, "middle": letters, "right": ("r", *answers)}),
            ),
            derivation=with_the_coin,
            role="sharper",
            improves="markov",
            because="the view of the adversary has its coin as well, and that is what the theorem is about",
        ),
    ),
    cites=("lauritzen1996graphical",),
)
