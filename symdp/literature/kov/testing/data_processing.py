r"""Data processing: what is made from an output alone tells no more, and the converse."""

from dataclasses import dataclass
from typing import ClassVar

from sympy import Expr, IndexedBase, Integer, Max, Sum, exp

from symdp.formulas.notation import delta, eps, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.sources.beyond import MAPS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import Claim, Statement, Structural, nonnegative, unit

x, y, n, m, entry = (symbol(name) for name in ("x", "y", "n", "m", "i"))
#: masses of the outcomes x under the two databases; a row of the map; what a rule does with y
A, B, T, g = IndexedBase("A"), IndexedBase("B"), IndexedBase("T"), IndexedBase("g")
zero, one = Integer(0), Integer(1)

two_answers = (("3/4", "1/4"), ("1/4", "3/4"))
three_answers = (("1/2", "1/4", "1/4"), ("1/4", "1/4", "1/2"))
lopsided = (("1/2", "1/3", "1/6"), ("1/3", "1/6", "1/2"))
blurring = (("9/10", "1/10"), ("1/5", "4/5"))

def over_x(term: Expr) -> Expr:
    return Sum(term, (x, 1, n))


def over_y(term: Expr) -> Expr:
    return Sum(term, (y, 1, m))


#: M[m x + y] is the probability that x becomes y: the matrix, row by row; a rule for Y rejects at y with
#: probability g[y]
M = IndexedBase("M")
becomes = M[m * x + y]
made = over_y(becomes * g[y])

run_the_map = (
    Derivation("A rule for Y is a rule for X: run the map first", integer=["n", "m", "x"],
               where=["n >= 1", "m >= 1", ge(M[entry], zero), ge(g[y], zero), le(g[y], one)])
    .start(made)
    .le(over_y(becomes), "the probability of rejecting at x is at most that of any y, which is 1")
    .state(ge(made, zero), "and it is not negative, so this is a rule for X")
    .start(over_x(A[x] * made))
    .eq(over_y(g[y] * over_x(A[x] * becomes)), "its false alarms are those of the rule for Y")
    .start(over_x(B[x] * (over_y(becomes) - made)))
    .eq(over_y((1 - g[y]) * over_x(B[x] * becomes)), "and so are its missed detections")
    .cite("the errors of a rule for X lie in the region of M", "kov/rem-2.2")
)

processing = (
    Example("processed-region", {"source": two_answers, "rows": blurring}),
    Example("processed-region", {"source": lopsided,
                                 "rows": (("1", "0"), ("1/3", "2/3"), ("0", "1"))}),
)

theorem_2_4 = Statement(
    place=kov.theorem("2.4"),
    title="Data processing",
    beyond=MAPS,
    hypotheses=(
        r"$M$ dominates $M'$: given $X=M(D)$, the output $Y=M'(D)$ does not depend on $D$; so it is made "
        r"from $X$ by a stochastic map."
    ),
    claims=(
        Structural(
            "",
            r"the region of $M'$ lies in that of $M$, for all neighbours",
            examples=processing,
            derivation=run_the_map,
        ),
    ),
)

kept = (
    Derivation("Privacy with delta survives a map; T_x is the probability that x leads into a given set",
               where=["n >= 1", "eps >= 0", ge(T[x], zero), le(T[x], one)], integer=["n"])
    .start(over_x(T[x] * A[x]) - exp(eps) * over_x(T[x] * B[x]))
    .le(over_x(Max(0, A[x] - exp(eps) * B[x])),
        "outcome by outcome: the last sum is the excess of the set of outcomes where it is positive, so at "
        "most delta")
)


@dataclass(frozen=True)
class Kept(Claim):
    """A guarantee that what is made from an output inherits."""

    kind: ClassVar[str] = "guarantee"


section_2 = Statement(
    place=kov.section("2"),
    title="Processing keeps privacy",
    beyond=MAPS,
    hypotheses=r"$M$ dominates $M'$.",
    variables={eps: nonnegative, delta: unit},
    claims=(
        Kept(
            "post-processing",
            r"what is made from the output of an $(\varepsilon,0)$-DP mechanism is $(\varepsilon,0)$-DP; "
            r"of one outcome as of any set",
            printed_at="Section 2, after Theorem 2.4",
            derivation=(
                Derivation("Pure privacy survives a map", integer=["n"],
                           where=["n >= 1", "eps >= 0", ge(T[x], zero), le(A[x], exp(eps) * B[x])])
                .start(Sum(T[x] * A[x], (x, 1, n)))
                .le(exp(eps) * Sum(T[x] * B[x], (x, 1, n)), "outcome by outcome")
            ),
        ),
        Structural(
            "post-processing.sharper",
            r"what is made from the output of an $(\varepsilon,\delta)$-DP mechanism is "
            r"$(\varepsilon,\delta)$-DP, for every $\delta$",
            derivation=kept,
            role="sharper",
            improves="post-processing",
            because=r"$\delta=0$ is not needed, as Theorem 2.4 says in the language of regions",
        ),
    ),
    cites=("wasserman2010framework",),
)

by_convex_order = (
    Derivation("Regions as convex order; a and b are the masses of an outcome, t > 0 the slope",
               where=["t > 0", "a >= 0", "b >= 0", "a + b > 0", "n >= 1"], integer=["n"])
    .state("max(0, a - t*b) == (1 + t)*(a + b)*max(0, a/(a + b) - t/(1 + t))",
           "the shift of a line is, outcome by outcome, a mean of positive parts of the share a/(a + b)")
    .cite("so the region of M' is inside exactly if the share under M' is smaller in convex order than "
          "that under M, with the weights (a + b)/2; then there is a kernel from X to Y under which the "
          "share of Y is the mean of the shares of X",
          "Strassen, The existence of probability measures with given marginals, 1965, Theorem 8")
    .state(eq(Sum((A[x] + B[x]) * T[x], (x, 1, n)) - Sum(A[x] * T[x], (x, 1, n)),
              Sum(B[x] * T[x], (x, 1, n))),
           "T_x being the probability that x becomes y: the kernel keeps the sums a + b and the shares, so "
           "it makes both laws of Y from those of X")
)

theorem_2_5 = Statement(
    place=kov.theorem("2.5"),
    title="The converse of data processing",
    beyond=MAPS,
    hypotheses=r"Two databases are fixed; $X$ and $Y$ are the outputs of $M$ and $M'$.",
    claims=(
        Structural(
            "",
            r"if the region of $M'$ lies in that of $M$, then $X$ and $Y$ can be coupled so that "
            r"$D-X-Y$ is a Markov chain",
            examples=tuple(
                Example("one-from-the-other", {"source": source, "target": target})
                for source, target in (
                    (two_answers, three_answers), (three_answers, two_answers),
                    (two_answers, (("1/2", "1/2"), ("1/4", "3/4"))), (lopsided, lopsided),
                    ((("1", "0"), ("0", "1")), lopsided),
                )
            ),
            derivation=by_convex_order,
        ),
    ),
    cites=("blackwell1953equivalent", "strassen1965existence"),
)

proof_of_theorem_2_4 = Statement(
    place=kov.section("9.1"),
    title="Who sees X can simulate Y",
    beyond=MAPS,
    hypotheses=r"$D-X-Y$ is a Markov chain.",
    claims=(
        Structural(
            "simulation",
            r"who sees $X$ can draw $Y$ given $X$, and so reach all that a rule for $Y$ reaches",
            printed_at="Section 9.1",
            examples=(
                Example("decision-before-the-map",
                        {"source": lopsided, "rows": (("1", "0"), ("1/3", "2/3"), ("0", "1")),
                         "reject": ("1/5", "1")}),
            ),
            derivation=run_the_map,
        ),
    ),
)

proof = SourceProof(
    kov.section("9.1"), "The proof of data processing", (run_the_map,),
    supports=("kov/thm-2.4", "kov/sec-9.1.simulation"))
