r"""The region of a symmetric pair is what the lines with the slopes of its likelihood ratios leave."""

from sympy import Expr, IndexedBase, Integer, Max, Rational, Sum, exp

from symdp.formulas.notation import eps_total, lam, symbol, t, x
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Inequality,
    Statement,
    Structural,
    nonnegative,
    positive_integer,
    real,
    unit,
)

zero, one = Integer(0), Integer(1)

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
#: the same of one outcome, which is z above its threshold
member, surplus = symbol("v"), symbol("z")
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

other_slope = symbol("w")
#: no outcome has a ratio between two slopes u and w of E
no_ratio_between = ge((first[x] - slope * second[x]) * (first[x] - other_slope * second[x]), zero)


def shift_at(slope: Expr) -> Expr:
    return Sum(Max(0, first[x] - slope * second[x]), (x, 1, n))


def mean_of(here: Expr, there: Expr) -> Expr:
    return lam * here + (1 - lam) * there


mean_of_shifts = eq(shift_at(mean_of(slope, other_slope)), mean_of(shift_at(slope), shift_at(other_slope)))
mean_of_two_shifts = (
    Derivation("Between two slopes, added up", integer=["n"],
               where=["n >= 1", "0 <= lam <= 1", "u >= 0", "w >= 0", "a*b >= 0", no_ratio_between])
    .cases(mean_of_two, (["a >= 0", "b >= 0"], None), (["a <= 0", "b <= 0"], None), label="one outcome",
           because="an outcome that is a and b above its threshold at the two slopes")
    .start(shift_at(mean_of(slope, other_slope)))
    .eq(Sum(mean_of(Max(0, first[x] - slope * second[x]), Max(0, first[x] - other_slope * second[x])), (x, 1, n)),
        "outcome by outcome",
        by=use("one outcome", a=first[x] - slope * second[x], b=first[x] - other_slope * second[x]))
    .eq(mean_of(shift_at(slope), shift_at(other_slope)))
    .conclude(mean_of_shifts)
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


#: a set, or a rule that takes outcomes in part, has at most the shift d, the sum of the positive parts
positive_parts = Sum(Max(0, first[x] - exp(eps_total) * second[x]), (x, 1, n))
mass_taken, other_mass_taken = Sum(taken[x] * first[x], (x, 1, n)), Sum(taken[x] * second[x], (x, 1, n))
gained = taken[x] * (first[x] - exp(eps_total) * second[x])
above_the_line = ge(1 - mass_taken, -exp(eps_total) * other_mass_taken + 1 - positive_parts)
touching_the_line = eq(1 - mass_taken, -exp(eps_total) * other_mass_taken + 1 - positive_parts)
a_set = (ge(taken[x], zero), le(taken[x], one))
the_best_set = (ge(gained, zero), le((1 - taken[x]) * (first[x] - exp(eps_total) * second[x]), zero), *a_set)

every_set_above = (
    Derivation("Every set lies above the line", integer=["n"], where=["n >= 1", *a_set])
    .start(Sum(gained, (x, 1, n)))
    .le(positive_parts, "outcome by outcome: taken, left, or taken in part")
    .conclude(le(Sum(gained, (x, 1, n)), positive_parts), label="sets")
    .start(1 - mass_taken)
    .eq(-exp(eps_total) * other_mass_taken + 1 - Sum(gained, (x, 1, n)), "P_FA is 1 less the mass of S")
    .ge(-exp(eps_total) * other_mass_taken + 1 - positive_parts, by="sets")
    .conclude(above_the_line)
)
best_set_touches = (
    Derivation("The best set touches the line", integer=["n"], where=["n >= 1", *the_best_set])
    .lemma("best", eq(member * surplus, Max(0, surplus)), where=[
        ge(member * surplus, zero), le((1 - member) * surplus, zero), "0 <= v", "v <= 1"])
    .start(Sum(gained, (x, 1, n)))
    .eq(positive_parts, "what is taken adds its positive part, and what is left has none",
        by=use("best", v=taken[x], z=first[x] - exp(eps_total) * second[x]))
    .conclude(eq(Sum(gained, (x, 1, n)), positive_parts), label="best")
    .start(1 - mass_taken)
    .eq(-exp(eps_total) * other_mass_taken + 1 - Sum(gained, (x, 1, n)), "P_FA is 1 less the mass of S")
    .eq(-exp(eps_total) * other_mass_taken + 1 - positive_parts, by="best")
    .conclude(touching_the_line)
)


def lines_and_sets(what: str, name: str) -> tuple[Identity, Inequality]:
    """The lowest line of a slope has the largest shift of a set: the best set touches it, the others are above."""
    return (
        Identity(
            name,
            rf"the line of slope $-e^{{\tilde\varepsilon}}$ with the shift $d=\max_S\{{P_0(S)-e^{{\tilde\varepsilon}}"
            rf"P_1(S)\}}$ passes through a point of {what}, so that no smaller shift will do: that of the set of all "
            r"outcomes with $P_0(x)\ge e^{\tilde\varepsilon}P_1(x)$, for which $d$ is the sum of the positive parts",
            touching_the_line,
            each=the_best_set,
            derivation=best_set_touches,
        ),
        Inequality(
            f"{name}.above",
            rf"every point of {what} lies on or above that line, for sets $S$ and for rules that take outcomes in "
            rf"part",
            above_the_line,
            each=a_set,
            derivation=every_set_above,
            role="sharper",
            improves=name,
            because="it is the other half of the sentence: the line lies below the region, and touches it",
        ),
    )


any_laws = (
    r"$P$ and $Q$ are the masses of the $n$ outcomes under the two laws, and $s_x$ is 1 for the outcomes of $S$ and "
    r"0 "
    r"for the others, or between for a rule that takes them in part; $S$ is the complement of a rejection set, so "
    r"that "
    r"$P_{\mathrm{FA}}=1-P_0(S)$ and $P_{\mathrm{MD}}=P_1(S)$."
)

equation_19 = Statement(
    place=kov.equation("19"),
    title="The lowest line of a slope",
    hypotheses=any_laws,
    variables={eps_total: real, n: positive_integer},
    claims=lines_and_sets("the region", "shift"),
)

remark_6_1 = Statement(
    place=kov.remark("6.1"),
    title="A symmetric region is a meeting of simple ones",
    beyond=LAWS,
    hypotheses=(
        r"$E$ has the $\tilde\varepsilon\ge0$ with $P_0(x)=e^{\tilde\varepsilon}P_1(x)$ for some $x$."
    ),
    variables={p: unit, q: unit, r: unit, eps_total: nonnegative, lam: unit},
    claims=(
        Identity(
            "",
            r"if $P_0(x)=P_1(\pi(x))$ for a permutation, the region is the meeting of "
            r"$\mathcal{R}(\tilde\varepsilon,d_{\tilde\varepsilon})$ over $E$. These are symmetric, so the "
            r"pair and the exchanged pair must have the same shifts; here for a cyclic renaming of three "
            r"masses",
            eq(advantage((p, q, r), (q, r, p)), advantage((q, r, p), (p, q, r))),
            where=(eq(p + q + r, one),),
            fails_at={p: Rational(1, 2), q: Rational(1, 3), r: Rational(1, 6), eps_total: Rational(1, 2)},
            examples=(Example("renaming-is-enough", {"pair": cyclic, "permutation": (2, 0, 1)}),),
        ),
        Structural(
            "corrected",
            r"if $\pi$ also turns $P_1$ into $P_0$, the region has the lower boundary of that meeting",
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
        Identity(
            "between",
            r"for all finite laws: a line whose slope is a mean of two neighbouring slopes $u$ and $w$ of $E$, with "
            r"no "
            r"ratio of an outcome between them, has the mean of their shifts",
            mean_of_shifts,
            each=(no_ratio_between,),
            variables={slope: nonnegative, other_slope: nonnegative, n: positive_integer},
            derivation=mean_of_two_shifts,
            role="sharper",
            improves="corrected",
            because="it is the formula behind the remark: a point above two neighbouring lines is above all between",
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
