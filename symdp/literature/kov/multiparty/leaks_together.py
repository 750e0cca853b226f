r"""With $\delta>0$ and XOR: which protocol is best, for any number of parties and any parameters.

Each party may give its bit away with probability $\delta_i$. For XOR a bit that is known is worth more the more other
bits are known, so that the bits should be given away together: one public number $u$ in $[0,1]$ is drawn, and party
$i$ tells its bit if $u<\delta_i$ and answers by pure randomised response otherwise. No conversation is better.

For a transcript, $g$ and $h$ are the likelihoods of the two bits of a party and $r=e^\varepsilon$; the party has
$z=(\max(0,g-rh)+\max(0,h-rg))/(g+h)$ given away. $M_y$ is the probability of the $y$-th transcript when all inputs
are equally likely, and $F_y$ how far ahead of guessing it is for the XOR of the parties so far.
"""

from sympy import Abs, Expr, IndexedBase, Max, Sum

from symdp.formulas.notation import delta, k, symbol
from symdp.formulas.relation import ge, le
from symdp.literature.kov.multiparty.simulation_without_delta import MULTIPLY
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Inequality, Optimality, positive_integer, unit, unit_open

M, F, Z = IndexedBase("M"), IndexedBase("F"), IndexedBase("z")
g, h, n, r, t, y = (symbol(name) for name in "ghnrty")


def over_transcripts(term: Expr) -> Sum:
    return Sum(term, (y, 1, n))


one_party_more = le(
    over_transcripts(M[y] * F[y] * (t + (1 - t) * Z[y])),
    t * over_transcripts(M[y] * F[y]) + (1 - t) * over_transcripts(M[y] * Z[y]))
on_average = (ge(M[y], 0), ge(F[y], 0), le(F[y], 1), ge(Z[y], 0))
taken_in = (
    Derivation("One party more", where=["n >= 1", "0 <= t", "t <= 1", *on_average], integer=["n"])
    .start(one_party_more.left)
    .le(over_transcripts(t * (M[y] * F[y]) + (1 - t) * (M[y] * Z[y])),
        "what is given away is worth at most itself")
    .eq(one_party_more.right)
    .conclude(one_party_more)
)

leaks = Max(0, g - r * h) + Max(0, h - r * g)
by_one_number = (
    Derivation("The XOR of bits that are given away together", where=[
        "r > 1", "g >= 0", "h >= 0", "n >= 1", "0 <= delta", "delta <= 1", "0 <= x", "x <= 1", *on_average],
        integer=["n"])
    .cite(*MULTIPLY)
    .let(t, "(r - 1)/(r + 1)")
    .state(le(Abs(g - h), t * (g + h) + (1 - t) * leaks),
           "how far one party is ahead in a transcript: by t, and by all of what is given away")
    .cite("(15) holds for each value of the other bits, and so on their average: what a party gives away in a "
          "transcript has a mean of at most delta", "kov/eq-15.definition")
    .start(over_transcripts(M[y] * F[y] * (t + (1 - t) * Z[y])))
    .le(over_transcripts(t * (M[y] * F[y]) + (1 - t) * (M[y] * Z[y])), "one party more: it is ahead of guessing "
                                                                       "by at "
        "most t + (1 - t)z in each transcript, and the others by F, which is at most 1")
    .eq(t * over_transcripts(M[y] * F[y]) + (1 - t) * over_transcripts(M[y] * Z[y]),
        "so X becomes at most t X + (1 - t) delta, in whatever order the parties are taken in")
    .state("delta*1 + (x - delta)*t + (1 - x)*0 == t*x + (1 - t)*delta",
           "with one public number and the parties by falling delta, the same number below delta, between delta "
           "and the "
           "last delta, and so on: of the x that they are ahead, delta is where the next bit is told too, and "
           "of the rest it keeps the share t")
    .cite("so it reaches the bound; it is equally good for every input, since an answer is as often true for "
          "each bit, "
          "and no protocol is better in its worst case than on average", "the definitions (9) and (11)")
)

for_xor = Optimality(
    "observer-average.xor",
    r"for the XOR of the bits of any number of parties, with any $\varepsilon_i$ and $\delta_i$, no conversation is "
    r"better for an observer, on average or in the worst case, than this one: a public number $u$ is drawn from "
    r"$[0,1]$, "
    r"party $i$ tells its bit if $u<\delta_i$, and answers by randomised response without $\delta$ otherwise. "
    r"With the "
    r"parties by falling $\delta_i$ it is ahead of guessing by $X_k$, where $X_0=1$, "
    r"$X_i=t_iX_{i-1}+(1-t_i)\delta_i$ and $t_i=\tanh(\varepsilon_i/2)$",
    derivation=by_one_number,
    role="sharper",
    improves="observer-average",
    because=(
        r"it takes the place of (16) for $\delta>0$; for a party that knows its own bit it is the same with the "
        r"others"
    ),
)

step = Inequality(
    "observer-average.xor-step",
    r"for all finite laws $M$ of transcripts: if the parties so far are ahead by $0\le F_y\le1$, and one more "
    r"by at most "
    r"$t+(1-t)z_y$ where it gives $z_y\ge0$ away, all together are ahead by at most $t$ times the mean of $F$ "
    r"and $1-t$ "
    r"times that of $z$",
    one_party_more,
    each=on_average,
    variables={n: positive_integer, t: unit},
    derivation=taken_in,
    role="sharper",
    improves="observer-average",
    because="it is the step from each party to the next in `observer-average.xor`",
)

alike = Inequality(
    "observer-average.xor-alike",
    r"with $k$ parties alike, the responses (16) are ahead of guessing by $(\delta+(1-\delta)t)^k$, which is at "
    r"most what "
    r"they reach together, $\delta+(1-\delta)t^k$",
    le((delta + (1 - delta) * t) ** k, delta + (1 - delta) * t**k),
    variables={delta: unit, t: unit_open, k: positive_integer},
    derivation=(
        Derivation("Powers of a mean", where=["0 <= delta <= 1", "0 < t < 1", "k >= 1"], integer=["k"])
        .induction("k", le((delta + (1 - delta) * t) ** k, delta + (1 - delta) * t**k),
                   because="a product of two means is at most the mean of the products, if both fall or both grow")
    ),
    role="sharper",
    improves="observer-average",
    because="so `observer-average.loss` is what two parties lose, and this the same for any number",
)
xor = (for_xor, step, alike)
