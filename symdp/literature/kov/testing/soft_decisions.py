r"""A randomised decision is a mixture of deterministic ones, by summation by parts."""

from sympy import IndexedBase, Integer, Sum

from symdp.formulas.notation import symbol
from symdp.formulas.relation import eq
from symdp.literature.kov import kov
from symdp.sources.derivations.derivation import Condition, Derivation, use
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import Identity, Statement, positive_integer, real

#: p[i] is the probability of the decision on S_i; A[i], B[i] are the masses of the first i sets
p, A, B = IndexedBase("p"), IndexedBase("A"), IndexedBase("B")
i, n, w = symbol("i"), symbol("n"), symbol("w")
zero, one = Integer(0), Integer(1)

chosen = Sum(p[i] * (A[i] - A[i - 1]), (i, 1, n))
rejected = Sum((1 - p[i]) * (A[i] - A[i - 1]), (i, 1, n))
missed = Sum((1 - p[i]) * (B[i] - B[i - 1]), (i, 1, n))
step = p[i - 1] - p[i]
by_parts = p[n] + Sum(step * A[i - 1], (i, 2, n))
missed_by_parts = (1 - p[1]) + Sum(step * (1 - B[i - 1]), (i, 2, n))
#: a hard rule that rejects on the first i - 1 sets; the two errors are told apart by the weight w
hard = w * (1 - B[i - 1]) + A[i - 1]
last = w * (1 - B[n]) + A[n]
mixture = Sum(step * hard, (i, 1, n + 1))

masses = eq(A[0], zero), eq(A[n], one), eq(B[0], zero), eq(B[n], one)
starts: list[Condition] = ["n >= 1", eq(A[0], zero), eq(B[0], zero)]

abel = (
    Derivation("Summation by parts", where=starts, integer=["n"])
    .induction("n", eq(chosen, p[n] * A[n] + Sum(step * A[i - 1], (i, 2, n))), label="parts")
    .suppose(eq(A[n], one))
    .start(chosen)
    .eq(p[n] * A[n] + Sum(step * A[i - 1], (i, 2, n)), by="parts")
    .eq(by_parts, "the sets are all there is")
)

of_missed = (
    Derivation("The other error by parts", where=starts, integer=["n"])
    .induction("n", eq(missed, B[n] - p[n] * B[n] - Sum(step * B[i - 1], (i, 2, n))), label="parts")
    .induction("n", eq(Sum(step, (i, 2, n)), p[1] - p[n]), label="steps")
    .suppose(eq(B[n], one))
    .start(missed)
    .eq(B[n] - p[n] * B[n] - Sum(step * B[i - 1], (i, 2, n)), by="parts")
    .eq(missed_by_parts, by="steps")
)

of_both = (
    Derivation("Both errors, with weight 1 and w", where=[*starts, eq(p[0], one)], integer=["n"])
    .induction("n", eq(chosen + w * missed,
                       Sum(step * hard, (i, 1, n)) + p[n] * last - w * (1 - B[n])), label="parts")
    .suppose(eq(A[n], one), eq(B[n], one), eq(p[n + 1], zero))
    .lemma("rejecting always", "v*(w*(1 - z) + y) - w*(1 - z) == (v - u)*(w*(1 - z) + y)",
           ["u == 0", "z == 1"])
    .state(eq(p[n] * last - w * (1 - B[n]), (p[n] - p[n + 1]) * last), label="last",
           by=use("rejecting always", v=p[n], u=p[n + 1], w=w, y=A[n], z=B[n]))
    .start(chosen + w * missed)
    .eq(Sum(step * hard, (i, 1, n)) + (p[n] - p[n + 1]) * last, by=["parts", "last"])
    .eq(mixture)
)

accepting_or_not = (
    Derivation("Accepting or not", where=starts, integer=["n"])
    .induction("n", eq(rejected + chosen, A[n]), label="total")
    .suppose(eq(A[n], one))
    .start(1 - rejected)
    .eq(chosen, by="total")
)

#: the words say "accept"; from the second equality on p has to be read as the probability of rejecting
printed = (
    Derivation("Section 9.3, as printed: accepting on the i-th set with probability p_i",
               where=[*starts, eq(A[n], one)], integer=["n"])
    .start(rejected)
    .eq(chosen, "the probability of false alarm, first equality")
)

coin = {"masses": ("1/3", "2/3"), "probabilities": ("1", "1/2")}

soft_decisions = Statement(
    place=kov.section("9.3"),
    title="Soft decisions are mixtures",
    hypotheses=(
        r"The outcomes are cut into sets $S_1,\dots,S_n$, with $1\ge p_1\ge\dots\ge p_n\ge0$. The first "
        r"$i$ sets together have mass $A_i$ under $D_0$ and $B_i$ under $D_1$: so $A_0=B_0=0$ and "
        r"$A_n=B_n=1$."
    ),
    variables={n: positive_integer, w: real},
    formulas={"false alarm": chosen, "missed detection": missed},
    claims=(
        Identity(
            "accept",
            r"the rule that accepts on $S_i$ with probability $p_i$ has the false alarm probability "
            r"$\sum p_i\,P(M(D_0)\in S_i)$; on the left is what it has by definition",
            eq(rejected, chosen),
            printed_at="Section 9.3, first equality",
            examples=(Example("accepting-rule", {**coin, "counts": "accept"}),),
        ),
        Identity(
            "accept.corrected",
            r"accepting with probability $p_i$ on $S_i$, the sum is $1-P_{\mathrm{FA}}$; it is "
            r"$P_{\mathrm{FA}}$ where $p_i$ is the probability of rejecting",
            eq(1 - rejected, chosen),
            members=masses,
            derivation=accepting_or_not,
            role="corrected",
            improves="accept",
            because=(
                "a slip in a word: the probabilities are those of rejecting, the opposite of what the "
                "proof and Section 2 say; with that reading all that follows is right, and Remark 2.2 holds"
            ),
        ),
        Identity(
            "abel",
            r"summation by parts, for sets that are all there is",
            eq(chosen, by_parts),
            members=masses,
            printed_at="Section 9.3, second equality",
            derivation=abel,
        ),
        Identity(
            "missed",
            r"the missed detection probability of the rule that rejects on $S_i$ with probability $p_i$",
            eq(missed, missed_by_parts),
            members=masses,
            printed_at="Section 9.3, missed detection",
            derivation=of_missed,
        ),
        Identity(
            "convex",
            r"for the same rule the pair of errors is the convex combination of hard rules that is "
            r"displayed, with $p_0=1$ and $p_{n+1}=0$; the two coordinates are added with weights 1 and "
            r"$w$, which is free",
            eq(chosen + w * missed, mixture),
            members=(*masses, eq(p[0], one), eq(p[n + 1], zero)),
            printed_at="Section 9.3, last display",
            derivation=of_both,
        ),
    ),
)

proof = SourceProof(
    kov.section("9.3"), "The proof that soft decisions are mixtures",
    (printed, abel, of_missed, of_both), (accepting_or_not, abel, of_missed, of_both),
    supports=("kov/sec-9.3.accept.corrected", "kov/sec-9.3.abel", "kov/sec-9.3.missed",
              "kov/sec-9.3.convex"))
