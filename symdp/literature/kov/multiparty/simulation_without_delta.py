r"""Without $\delta$ every transcript is a mixture of randomised responses, for any number of parties.

Given a transcript, $g$ and $h$ are the likelihoods of the two bits of a party, $P$ that of all other
parties, and $r=e^\varepsilon$. The likelihoods of the parties multiply, so the parties are taken in one
after the other: $R_y$ is the probability of the $y$-th vector of responses so far, $M_y$ its weight in
the mixture. At the end $M_{t,y}$ is how the transcript $t$ is made from the responses $y$.
"""

from sympy import Abs, Expr, IndexedBase, Product, Sum

from symdp.formulas.notation import symbol
from symdp.formulas.relation import ge, le
from symdp.sources.derivations.derivation import Derivation

M, R, W = IndexedBase("M"), IndexedBase("R"), IndexedBase("W")
#: the weights M of all transcripts as a table, row by row: V[n t + y] is that of the responses y in transcript t
V = IndexedBase("V")
#: the two likelihoods of party i, and 2q - 1 for its level
G, H, C = IndexedBase("G"), IndexedBase("H"), IndexedBase("C")
a, b, g, h, q, r, z = (symbol(name) for name in "abghqrz")
c_0, c_1 = symbol("c_0"), symbol("c_1")
i, n, t, transcripts, y = (symbol(name) for name in "intTy")


MULTIPLY = ("given the transcript, the likelihood of all bits is a product over the parties",
            "the definition of a conversation: each message depends on the bit of its speaker")


def over_responses(term: Expr) -> Expr:
    return Sum(term, (y, 1, n))


def weights(title: str) -> Derivation:
    """From (15) for one transcript to the weights of the two responses of one party."""
    return (
        Derivation(title, where=["r > 1", "g >= 0", "h >= 0", "P > 0", "n >= 1", "T >= 1", ge(M[y], 0)],
                   integer=["n", "T"])
        .cite(*MULTIPLY)
        .suppose("P*g <= r*(P*h)", "P*h <= r*(P*g)")
        .state("g <= r*h", "(15) for this transcript alone; the likelihood of the others cancels")
        .state("h <= r*g", "and with the bits exchanged")
        .let(q, r / (1 + r))
        .let(a, (r * g - h) / (r - 1))
        .let(b, (r * h - g) / (r - 1))
        .state("a >= 0", "the weight of the response 0")
        .state("b >= 0", "the weight of the response 1")
        .state("a*q + b*(1 - q) == g", "the mixture has the likelihood of bit 0")
        .state("a*(1 - q) + b*q == h", "and that of bit 1")
    )


def mixture(title: str) -> Derivation:
    """The same for all parties: weights that are not negative and add up."""
    return (
        weights(title)
        .state(le(M[y] * g, r * (M[y] * h)),
               "so what is made from the responses so far is private for the next bit, given them")
        .state("g*q + g*(1 - q) == g", "where r = 1, (15) says g = h, and both weights may be g")
        .start(over_responses(M[y] * R[y]) * (c_0 * z + c_1 * (1 - z)))
        .eq(over_responses(M[y] * c_0 * (R[y] * z) + M[y] * c_1 * (R[y] * (1 - z))),
            "one more party: each vector of responses goes on with 0 or with 1, whose weights a and b are "
            "written c_0 and c_1; z is q if the bit is 0, and 1 - q if it is 1")
        .state(ge(M[y] * a, 0), "the new weights are not negative either")
        .state(ge(M[y] * b, 0))
        .state("(2*q - 1)*(u - 1) == q*(q*u + (1-q)*v - 1) - (1-q)*((1-q)*u + q*v - 1)",
               "all transcripts together have probability 1 for both bits: with u and v the weights that "
               "go on with 0 and with 1, both brackets on the right are 0")
        .state("2*q - 1 > 0", "so u = 1, and v = 1 in the same way: the weights of each vector of "
               "responses add up to 1, one party after the other")
    )


#: Theorem D.1 without delta
made_from_responses = mixture("Every transcript is made from the responses")

#: Theorem 5.1 without delta: W_t is what the guess from transcript t is worth for an input
as_accurate = (
    mixture("Guessing from the responses")
    .start(Sum(over_responses(V[n * t + y] * R[y]) * W[t], (t, 1, transcripts)))
    .eq(over_responses(R[y] * Sum(V[n * t + y] * W[t], (t, 1, transcripts))),
        "for each input, a transcript made from the responses is worth as much as the transcript; so "
        "for each measure, on average and in the worst case, for whoever sees the responses")
)

#: a transcript adds |g - h| to the advantage for XOR; the responses would add t (g + h), t = 2q - 1
only_the_responses = (
    weights("What an optimal protocol for XOR says")
    .start("abs(g - h)")
    .eq("(2*q - 1)*abs(a - b)", "one party, given the transcript")
    .le("(2*q - 1)*(a + b)", "weights are not negative")
    .eq("(2*q - 1)*(g + h)", "what the responses would get from it")
    .state("(a + b)^2 - (a - b)^2 == 4*a*b",
           "so nothing is lost only where a or b is 0: where the transcript is one of the responses")
    .suppose(le(Abs(G[i] - H[i]), C[i] * (G[i] + H[i])), ge(C[i], 0), ge(G[i], 0), ge(H[i], 0))
    .start(Product(Abs(G[i] - H[i]), (i, 1, n)))
    .le(Product(C[i] * (G[i] + H[i]), (i, 1, n)), "and so for all parties: party by party")
)

#: The XOR of the likelier bits. L_x is the likelihood of the first bits x, S_x is 1 or -1 as their XOR is
#: 0 or 1; v and c are the chances that the XOR of the parties so far and the bit of the next are guessed.
S, L = IndexedBase("S"), IndexedBase("L")
xor_of_the_likelier_bits = (
    Derivation("The XOR of the likelier bits", where=["n >= 1", "g >= 0", "h >= 0"], integer=["n"])
    .cite(*MULTIPLY)
    .start(over_responses(S[y] * L[y]) * (g - h))
    .eq(over_responses(S[y] * (L[y] * g) - S[y] * (L[y] * h)),
        "one more party: its bit 1 turns the sign; so the difference of the likelihoods of XOR = 0 and "
        "XOR = 1 is a product over the parties")
    .state("(D*(g - h))^2 == D^2*(g - h)^2")
    .state("(D*(g - h))*(D*(g - h)) >= 0", "its sign is the product of the signs, and each sign tells the "
           "likelier bit: the likelier XOR is the XOR of the likelier bits")
    .state("2*(v*c + (1 - v)*(1 - c)) - 1 == (2*v - 1)*(2*c - 1)",
           "it is right if both or none are right; by (16), c is the same for both bits, so the XOR is "
           "guessed equally well for every input: its worst case is its average, which no rule exceeds")
    .cite("the likelier bit of a symbol is read off from a table of four, and k bits have k - 1 signs between them: "
          "the rule takes O(k) operations", "the definition of XOR")
)
