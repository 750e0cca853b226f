r"""Optimal composition: the exact region of $k$ adaptive mechanisms, as a meeting of simple ones."""

from collections.abc import Callable
from typing import ClassVar

from sympy import Expr, Integer, Rational, Sum, binomial, exp, floor, oo

from symdp.formulas.notation import delta, eps, eps_total, k, symbol
from symdp.formulas.relation import ForEvery, Relation, eq, ge, gt, le, lt
from symdp.literature.kov import kov
from symdp.numbers.domain import Interval
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Guarantee,
    Identity,
    Inequality,
    Space,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit,
)
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import excess, needed_delta, pure_part

i, j = symbol("i"), symbol("j")
#: the errors of a test between two neighbouring databases
false_alarm, missed = symbol("x"), symbol("y")
natural = Space(Interval(Integer(0), oo), integer=True)

term = binomial(k, j) * (exp((k - j) * eps) - exp((k - 2 * i + j) * eps))
delta_i = Sum(term, (j, 0, i - 1)) / (1 + exp(eps)) ** k
epsilon_i = (k - 2 * i) * eps
total_delta = 1 - (1 - delta) ** k * (1 - delta_i)

#: Of k randomised responses, j answer against their favour: the probabilities under both hypotheses.
likely = binomial(k, j) * exp((k - j) * eps) / (1 + exp(eps)) ** k
unlikely = binomial(k, j) * exp(j * eps) / (1 + exp(eps)) ** k

where = ["eps >= 0", "k >= 1", "i >= 0", "2*i <= k"]

told = binomial(k, j) * exp(eps * (k - j))
normaliser = (1 + exp(eps)) ** k
#: what the words with j answers against their favour add at (k - 2i) eps, up to the normaliser
added, gained = told * excess((k - 2 * j) * eps, epsilon_i), told * (1 - exp(epsilon_i - (k - 2 * j) * eps))
pure, needed = pure_part(eps, k, epsilon_i), needed_delta(AnyPrivate(eps, delta), k, epsilon_i)



def cut_at_i(proof: Derivation, related: Callable[..., Relation], follow: Callable[..., Derivation]) -> Derivation:
    """What the responses need at (k - 2i) eps: at most this delta, or exactly."""
    proof = (
        proof
        .state(related(Sum(added, (j, i, k)), 0), "words with at least i answers against their favour add nothing",
               label="rest")
        .state(eq(Sum(added, (j, 0, i - 1)), Sum(gained, (j, 0, i - 1))), "the others add what they gain",
               label="best set")
        .start(pure)
        .eq(Sum(added, (j, 0, i - 1)) / normaliser + Sum(added, (j, i, k)) / normaliser, "cut at i")
    )
    proof = (
        follow(proof, Sum(added, (j, 0, i - 1)) / normaliser, by="rest")
        .eq(Sum(gained, (j, 0, i - 1)) / normaliser, by="best set")
        .eq(delta_i, "term by term")
        .conclude(related(pure, delta_i), label="pure part")
        .start(needed)
    )
    return (
        follow(proof, total_delta, "the pure part, where no delta strikes", by="pure part")
        .conclude(related(needed, total_delta))
    )


responses = [*where, "0 <= delta <= 1"]
worst_case = cut_at_i(
    Derivation("The worst case: k randomised responses", where=responses, integer=["k", "i"])
    .cite(
        "whatever k adaptively chosen mechanisms show can be made from k independent randomised "
        "responses, each of which gives the database away with probability delta",
        "kov, Section 6.2, from Theorem 2.5",
    ),
    le, Derivation.le,
)
exactly = cut_at_i(
    Derivation("What k randomised responses need, exactly", where=responses, integer=["k", "i"]),
    eq, Derivation.eq,
)

#: the masses of at most i answers against their favour, under both hypotheses
mass, other_mass = Sum(told, (j, 0, i)) / normaliser, Sum(binomial(k, j) * exp(eps * j), (j, 0, i)) / normaliser
pure_total, added_total = pure_part(eps, k, eps_total), told * excess((k - 2 * j) * eps, eps_total)
gained_total = told * (1 - exp(eps_total - (k - 2 * j) * eps))
linear = mass - exp(eps_total) * other_mass
between_two = (ge(eps_total, (k - 2 * i - 2) * eps), le(eps_total, (k - 2 * i) * eps))
between = (
    Derivation("Between two losses", where=["eps >= 0", "k >= 1", "i >= 0", "i + 1 <= k", *between_two],
               integer=["k", "i"])
    .state(eq(Sum(added_total, (j, i + 1, k)), 0), "words with more answers against their favour add nothing",
           label="rest")
    .state(eq(Sum(added_total, (j, 0, i)), Sum(gained_total, (j, 0, i))), "the others add what they gain",
           label="best set")
    .start(pure_total)
    .eq(Sum(added_total, (j, 0, i)) / normaliser + Sum(added_total, (j, i + 1, k)) / normaliser, "cut behind i")
    .eq(Sum(added_total, (j, 0, i)) / normaliser, by="rest")
    .eq(Sum(gained_total, (j, 0, i)) / normaliser, by="best set")
    .eq(linear, "term by term")
    .conclude(eq(pure_total, linear))
)


#: a pair of errors lies in the region of one i, or of any loss
in_region = ge(false_alarm + exp(epsilon_i) * missed, 1 - total_delta)
in_any_region = ge(false_alarm + exp(eps_total) * missed, 1 - needed_delta(AnyPrivate(eps, delta), k, eps_total))
kept, slope, lower_slope = (1 - delta) ** k, exp((k - 2 * i) * eps), exp((k - 2 * i - 2) * eps)
#: on the line of one loss between two neighbours
on_the_line = ge(false_alarm + exp(eps_total) * missed, kept * (1 - linear))


def line_at(slope: Expr) -> Relation:
    return ge(false_alarm + slope * missed, kept * (1 - (mass - slope * other_mass)))


def from_the_end(lemma: str, slope: Expr, *lines: str) -> Callable[[Derivation], Derivation]:
    """The relation at a loss from that at one end, where the other side moves the right way."""
    at_end = use(lemma, x=false_alarm, y=missed, s=exp(eps_total), a=slope, c=kept, u=mass, v=other_mass)
    return lambda proof: proof.state(on_the_line, by=[*lines, at_end])


two_neighbours = (
    Derivation("Two neighbours are enough", where=["eps > 0", "0 <= delta <= 1", "k >= 1", "i >= 0", "2*i + 2 <= k",
                                                   *between_two], integer=["k", "i"])
    .lemma("rising", "x + s*y >= c*(1 - (u - s*v))", ["y >= c*v", "s >= a", "x + a*y >= c*(1 - (u - a*v))"])
    .lemma("falling", "x + s*y >= c*(1 - (u - s*v))", ["y <= c*v", "s <= a", "x + a*y >= c*(1 - (u - a*v))"])
    .suppose(in_region, in_region.subs({i: i + 1}))
    .state(eq(Sum(added_total, (j, i + 1, k)), 0), "words with more answers against their favour add nothing",
           label="rest")
    .state(eq(Sum(added_total, (j, 0, i)), Sum(gained_total, (j, 0, i))), "the others add what they gain",
           label="best set")
    .start(pure_total)
    .eq(Sum(added_total, (j, 0, i)) / normaliser + Sum(added_total, (j, i + 1, k)) / normaliser, "cut behind i")
    .eq(Sum(added_total, (j, 0, i)) / normaliser, by="rest")
    .eq(Sum(gained_total, (j, 0, i)) / normaliser, by="best set")
    .eq(linear, "term by term")
    .conclude(eq(pure_total, linear), label="between")
    .state(eq(delta_i.subs(i, i + 1), mass - lower_slope * other_mass), label="next")
    .start(delta_i)
    .eq(Sum(term, (j, 0, i)) / normaliser, "the last term is 0")
    .eq(mass - slope * other_mass)
    .conclude(eq(delta_i, mass - slope * other_mass), label="this")
    .state(le(lower_slope, exp(eps_total)), label="from")
    .state(le(exp(eps_total), slope), label="to")
    .state(line_at(lower_slope), by="next", label="low")
    .state(line_at(slope), by="this", label="high")
    .cases(on_the_line, (ge(missed, kept * other_mass), from_the_end("rising", lower_slope, "low", "from")),
           (le(missed, kept * other_mass), from_the_end("falling", slope, "high", "to")), label="line")
    .conclude(in_any_region, by=["line", "between"])
)


upper_slope, demand = exp((k - 2 * i + 2) * eps), 1 - total_delta
#: the same masses without those of exactly i answers against their favour
mass_before = Sum(told, (j, 0, i - 1)) / normaliser
other_before = Sum(binomial(k, j) * exp(eps * j), (j, 0, i - 1)) / normaliser
delta_before, added_mass = delta_i.subs(i, i - 1), binomial(k, i) * exp(eps * i) / normaliser

none_between_two = (
    Derivation("None between two others can be left out", integer=["k", "i"],
               where=["eps > 0", "0 <= delta < 1", "k >= 1", "i >= 1", "2*i + 2 <= k"])
    .lemma("steeper", "c*(q*u)*p < c*(p*v)*q", where=["c > 0", "p > 0", "q > 0", "u < v"])
    .state(eq(delta_i.subs(i, i + 1), mass - lower_slope * other_mass), label="next")
    .start(delta_i)
    .eq(Sum(term, (j, 0, i)) / normaliser, "the last term is 0")
    .eq(mass - slope * other_mass)
    .conclude(eq(delta_i, mass - slope * other_mass), label="this")
    .state(eq(delta_i, mass_before - slope * other_before), label="again")
    .start(delta_before)
    .eq(Sum(term.subs(i, i - 1), (j, 0, i - 1)) / normaliser, "the last term is 0")
    .eq(mass_before - upper_slope * other_before)
    .conclude(eq(delta_before, mass_before - upper_slope * other_before), label="before")
    .state(eq(other_mass, other_before + added_mass), label="split")
    .state(gt(added_mass, 0), label="last")
    .state(lt(other_before, other_mass), by=["split", "last"], label="more")
    .state(gt(kept, 0), label="kept")
    .state(gt(slope - lower_slope, 0), label="low")
    .state(gt(upper_slope - slope, 0), label="high")
    .start((demand.subs(i, i - 1) - demand) * (slope - lower_slope))
    .eq(kept * ((upper_slope - slope) * other_before) * (slope - lower_slope), by=["before", "again"])
    .lt(kept * ((slope - lower_slope) * other_mass) * (upper_slope - slope),
        by=["more", "kept", "low", "high", use("steeper", c=kept, p=slope - lower_slope, q=upper_slope - slope,
                                               u=other_before, v=other_mass)])
    .eq((demand - demand.subs(i, i + 1)) * (upper_slope - slope), by=["this", "next"])
    .conclude(lt((demand.subs(i, i - 1) - demand) * (slope - lower_slope),
                 (demand - demand.subs(i, i + 1)) * (upper_slope - slope)))
)


class Counted(Identity):
    """How many there are."""

    kind: ClassVar[str] = "structural"


class Meeting(Inequality):
    """That what some regions allow lies in another one: both meetings are the same."""

    kind: ClassVar[str] = "structural"


class Attained(Identity):
    """A bound that some mechanisms reach: they need exactly that much."""

    kind: ClassVar[str] = "optimality"


optimal_composition = Statement(
    place=kov.theorem("3.3"),
    title="Optimal composition",
    beyond=LAWS,
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={eps: nonnegative, delta: unit, k: positive_integer, i: natural},
    formulas={"epsilon for one $i$": epsilon_i, "delta of the responses": delta_i,
              "delta in total": total_delta},
    claims=(
        Guarantee(
            "guarantee",
            r"for each $i$ up to $k/2$ the composition is $((k-2i)\varepsilon, "
            r"1-(1-\delta)^k(1-\delta_i))$-DP",
            epsilon=epsilon_i,
            delta=total_delta,
            subject=AnyPrivate(eps, delta),
            fold=k,
            where=(ge(i, 0), le(2 * i, k)),
            derivation=worst_case,
        ),
        Attained(
            "achievable",
            r"randomised responses, not even chosen adaptively, need exactly this $\delta$ at each of the losses "
            r"$(k-2i)\varepsilon$ of (5)",
            eq(needed, total_delta),
            where=(ge(i, 0), le(2 * i, k)),
            derivation=exactly,
        ),
        Counted(
            "k-regions",
            r"the regions that meet, one for each $i=0,1,\dots,\lfloor k/2\rfloor$ of (5), are $k$",
            eq(floor(k / 2) + 1, k),
            fails_at={k: Integer(3)},
        ),
        Meeting(
            "k-regions.corrected",
            r"the regions that meet are those of $i=0,1,\dots,\lfloor k/2\rfloor$, and for $\varepsilon>0$ and "
            r"$\delta<1$ none between two others can be left out: its line lies strictly above the point in which "
            r"those of its neighbours meet, since what is demanded rises more steeply behind it than before",
            lt((demand.subs(i, i - 1) - demand) * (slope - lower_slope),
               (demand - demand.subs(i, i + 1)) * (upper_slope - slope)),
            variables={eps: positive, delta: Space(Interval(Integer(0), Integer(1), upper_open=True))},
            where=(ge(i, 1), le(2 * i + 2, k)),
            derivation=none_between_two,
            role="corrected",
            improves="k-regions",
            because=(
                r"$i$ runs from 0 to $\lfloor k/2\rfloor$, as (5) says itself: that is $k$ only for "
                r"$k\le2$; nothing rests on the number"
            ),
        ),
        Identity(
            "k-regions.between",
            r"between two neighbouring losses, $(k-2i-2)\varepsilon\le\tilde\varepsilon\le(k-2i)\varepsilon$, the "
            r"$\delta$ that $k$ randomised responses need is a linear function of $e^{\tilde\varepsilon}$: the mass "
            r"of the words with at most $i$ answers against their favour, less $e^{\tilde\varepsilon}$ times that "
            r"under the other hypothesis",
            eq(pure_total, linear),
            variables={eps_total: real},
            where=(le(i + 1, k), *between_two),
            derivation=between,
            role="sharper",
            improves="k-regions",
            because=r"so a point on the right sides of the lines of two neighbouring losses is on that of every "
                    r"line between them, which is why no other region is needed",
        ),
        Meeting(
            "index-set",
            r"the family of regions that meet is indexed by $[k/2]$, where $[k]=\{1,\dots,k\}$: a pair of errors "
            r"that the regions of $i=1,\dots,\lfloor k/2\rfloor$ allow, either way, is in the region of $i=0$, with "
            r"which the meeting on the right begins",
            ge(false_alarm + exp(k * eps) * missed, (1 - delta) ** k),  # no term is left of delta_0
            variables={false_alarm: unit, missed: unit},
            where=(ge(k, 2),),  # for k = 1 the family would be empty
            fails_at={false_alarm: Rational(1, 2), missed: Integer(0), eps: Integer(2), delta: Integer(0),
                      k: Integer(2)},
            members=tuple(ForEvery(ge(one + exp(epsilon_i) * other, 1 - total_delta), i, Integer(1), floor(k / 2))
                          for one, other in ((false_alarm, missed), (missed, false_alarm))),
        ),
        Meeting(
            "index-set.corrected",
            r"the family is indexed by $0,1,\dots,\lfloor k/2\rfloor$, and no other loss is needed: a pair of errors "
            r"that two neighbours $i$, $i+1$ of this family allow is in the region of every loss between theirs, "
            r"with the $\delta$ that the composition needs there",
            in_any_region,
            variables={false_alarm: unit, missed: unit, eps: positive, eps_total: real},
            where=(le(2 * i + 2, k), *between_two),
            members=(in_region, in_region.subs({i: i + 1})),
            derivation=two_neighbours,
            role="corrected",
            improves="index-set",
            because=(
                r"with $[k]=\{1,\dots,k\}$ the set $[k/2]$ leaves out $i=0$, without which more is "
                r"allowed; the meeting on the right of the same line starts at 0"
            ),
        ),
    ),
)
