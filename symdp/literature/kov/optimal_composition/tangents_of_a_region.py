r"""The region of a symmetric pair is what the lines with the slopes of its likelihood ratios leave."""

from sympy import Expr, IndexedBase, Integer, Max, Sum, exp

from symdp.formulas.notation import eps_total, lam, symbol, t, x
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.statement import Identity, Statement, Structural, nonnegative, real, unit

zero, one = Integer(0), Integer(1)

#: the masses of the complement of a rejection set
inside, outside = symbol("a"), symbol("b")
#: how far an outcome is above its threshold at two slopes
above, below = symbol("a"), symbol("b")
mean_of_two = eq(Max(0, lam * above + (1 - lam) * below),
                 lam * Max(0, above) + (1 - lam) * Max(0, below))

#: the masses of all outcomes under the two laws
first, second, n = IndexedBase("P"), IndexedBase("Q"), symbol("n")
#: beyond the largest ratio u the shift 1 - c stays, and the line adds nothing; x is P_MD, y is P_FA
steeper = ("y + t*x >= c", ["x >= 0", "t >= u", "y + u*x >= c"])

between_slopes = (
    Derivation("A line between two slopes of E; a and b are p - u q and p - w q of an outcome",
               where=["0 <= lam <= 1", "a*b >= 0", "n >= 1", "t > 0"], integer=["n"])
    .state("max(0, -z) == -z + max(0, z)",
           "with z = q - t p of an outcome: on the left is t times what it adds at slope 1/t, on the right "
           "what it adds at t with the laws exchanged")
    .state(eq(Sum(Max(0, t * first[x] - second[x]), (x, 1, n)),
              t * Sum(first[x], (x, 1, n)) - Sum(second[x], (x, 1, n))
              + Sum(Max(0, second[x] - t * first[x]), (x, 1, n))),
           "added up over all outcomes, whose masses sum to 1: t times the shift at 1/t is t - 1 + d, with "
           "d the shift at t of the exchanged pair; if a renaming exchanges the two laws, d is that of the "
           "pair itself, and the line is the other one of R(log t, d)")
    .lemma("steeper", *steeper)
    .cases(mean_of_two, (["a >= 0", "b >= 0"], None), (["a <= 0", "b <= 0"], None),
           because="with no outcome between two neighbouring slopes, the line between is a mean of two")
)

#: a rule takes the part s_x of each outcome; the errors are 1 less the sum of s P, and the sum of s Q
taken, slope = IndexedBase("s"), symbol("u")
best_rule = (
    Derivation("The best set of a slope, for any two laws", integer=["n"], where=[
        "n >= 1", "u >= 0", ge(taken[x], zero), le(taken[x], one)])
    .start(Sum(taken[x] * (first[x] - slope * second[x]), (x, 1, n)))
    .le(Sum(Max(0, first[x] - slope * second[x]), (x, 1, n)),
        "outcome by outcome: no rule has a larger shift than the sum of the positive parts")
    .lemma("taken", "1*(p - u*q) == max(0, p - u*q)", ["p >= u*q"])
    .lemma("left", "0*(p - u*q) == max(0, p - u*q)", ["p <= u*q"])
)

any_pair = (
    Derivation("All ratios, below 1 as well", where=["0 <= lam <= 1", "a*b >= 0"])
    .cases(mean_of_two, (["a >= 0", "b >= 0"], None), (["a <= 0", "b <= 0"], None),
           because="between two neighbouring ratios the line is a mean of two")
    .lemma("steeper", *steeper)
    .lemma("flatter", "y + t*x >= t*c", ["y >= 0", "0 < t", "t <= u", "y + u*x >= u*c"])
    .lemma("beyond the largest ratio", "max(0, p - t*q) == 0", ["q >= 0", "p <= u*q", "t >= u"])
    .lemma("infinite ratio", "max(0, p - t*q) == p", ["p >= 0", "q == 0"])
    .lemma("below the smallest ratio", "max(0, p - t*q) == p - t*q", ["q >= 0", "p >= u*q", "t <= u"])
    # So beyond the largest ratio the shift stays, since only outcomes of infinite ratio add to it; and
    # below the smallest of those that are not 0 the lines pass through one point of the axis.
)

symmetric_pairs = tuple(
    Example("slopes-describe", {"pair": pair})
    for pair in (
        (("1/2", "1/3", "1/6"), ("1/6", "1/3", "1/2")),
        (("1/10", "3/5", "3/10", "0"), ("0", "3/10", "3/5", "1/10")),
        (("1", "0"), ("0", "1")),
        (("1/4", "3/4"), ("3/4", "1/4")),
    )
)
cyclic = (("1/2", "1/3", "1/6"), ("1/3", "1/6", "1/2"))
p, q, r = symbol("p"), symbol("q"), symbol("r")


def advantage(first: tuple[Expr, ...], second: tuple[Expr, ...]) -> Expr:
    """The shift of a pair of laws, at slope e^eps_total."""
    return sum((Max(0, a - exp(eps_total) * b) for a, b in zip(first, second, strict=True)), zero)


equation_19 = Statement(
    place=kov.equation("19"),
    title="The lowest line of a slope",
    hypotheses=(
        r"$S$ is the complement of a rejection set, with masses $a=P_0(S)$ and $b=P_1(S)$, so that "
        r"$P_{\mathrm{FA}}=1-a$ and $P_{\mathrm{MD}}=b$."
    ),
    variables={inside: unit, outside: unit, eps_total: real},
    claims=(
        Identity(
            "shift",
            r"the line (19) through the point of $S$ has the shift $P_0(S)-e^{\tilde\varepsilon}P_1(S)$; "
            r"the smallest shift that is enough for all sets is the largest of these. The equation of the "
            r"line is divided by $e^{\tilde\varepsilon}$",
            eq(exp(-eps_total) * (1 - inside),
               -outside + exp(-eps_total) * (1 - (inside - exp(eps_total) * outside))),
            printed_at="Equation (19) and the definition of d",
        ),
    ),
)

remark_6_1 = Statement(
    place=kov.remark("6.1"),
    title="A symmetric region is a meeting of simple ones",
    beyond=LAWS,
    hypotheses=(
        r"$E$ has the $\tilde\varepsilon\ge0$ with $P_0(x)=e^{\tilde\varepsilon}P_1(x)$ for some $x$."
    ),
    variables={p: unit, q: unit, r: unit, eps_total: nonnegative, above: real, below: real, lam: unit},
    claims=(
        Identity(
            "",
            r"if $P_0(x)=P_1(\pi(x))$ for a permutation, the region is the meeting of "
            r"$\mathcal{R}(\tilde\varepsilon,d_{\tilde\varepsilon})$ over $E$. These are symmetric, so the "
            r"pair and the exchanged pair must have the same shifts; here for a cyclic renaming of three "
            r"masses",
            eq(advantage((p, q, r), (q, r, p)), advantage((q, r, p), (p, q, r))),
            where=(eq(p + q + r, one),),
            examples=(Example("renaming-is-enough", {"pair": cyclic, "permutation": (2, 0, 1)}),),
        ),
        Identity(
            "corrected",
            r"if $\pi$ also turns $P_1$ into $P_0$, the region has the lower boundary of that meeting: a "
            r"line whose slope is a mean of two neighbouring slopes of $E$, or of the smallest and its "
            r"reciprocal, has the mean of their shifts. So it is for each outcome, with $a$ and $b$ what "
            r"it adds at the two slopes, if its own ratio is not between them",
            mean_of_two,
            where=(ge(above * below, zero),),
            examples=symmetric_pairs,
            derivation=between_slopes,
            role="corrected",
            improves="",
            because=(
                r"a missing condition: one of two equations is not enough, as a cyclic renaming of "
                r"$(1/2,1/3,1/6)$ shows; the text before the remark has both. And (2) has no bounds from "
                r"above, so that (1, 1) is in it and in no region (3): equal are the lower boundaries. "
                r"Theorem 3.3 speaks of symmetric pairs and of lower bounds only, and survives"
            ),
        ),
        Structural(
            "sharper",
            r"for every pair, symmetric or not, the lines with the slopes $-P_0(x)/P_1(x)$ of all outcomes "
            r"that both laws show, and the axes, describe the lower boundary",
            examples=tuple(Example("lines-describe", {"pair": pair}) for pair in (
                cyclic, (("1/2", "1/2"), ("1/4", "3/4")), (("1", "0"), ("1/2", "1/2")))),
            derivation=any_pair,
            role="sharper",
            improves="corrected",
            because=(
                r"no permutation is needed if ratios below 1 are kept; that the analysis extends to other "
                r"pairs is said after the remark, and here is how"
            ),
        ),
    ),
)
