r"""Achievability: randomised responses reach the region of the optimal composition theorem."""

from sympy import IndexedBase, Integer, Product, Rational, exp

from symdp.formulas.notation import delta, eps, eps_total, k, symbol
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.derivation_of_achievability import (
    best_set,
    exact_shift,
    in_total,
    printed_shift,
)
from symdp.literature.kov.optimal_composition.randomised_response import (
    high,
    low,
    not_always,
    one_response,
    setting,
    small,
)
from symdp.literature.kov.optimal_composition.theorem import delta_i, i, j, natural, total_delta
from symdp.sources.beyond import ADAPTIVE, MAPS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Statement,
    Structural,
    nonnegative,
    positive_integer,
    unit,
)

mass = IndexedBase("P")
n = symbol("n")
independent = (
    Derivation("Letters drawn one by one", where=["n >= 1"], integer=["n"])
    .cite("each letter is drawn by the law of b, whatever was drawn, asked and answered before: the "
          "probability of one more letter is multiplied in", "the construction of the experiment")
    .state(eq(Product(mass[j], (j, 1, n + 1)), Product(mass[j], (j, 1, n)) * mass[n + 1]),
           "so from n letters to n + 1 the product rule is kept")
    .state(eq(Product(mass[j], (j, 1, 1)), mass[1]), "and for one letter it is the law itself")
)

achievability = Statement(
    place=kov.section("6.1"),
    title="Achievability",
    beyond=MAPS,
    hypotheses=setting,
    variables={eps: nonnegative, delta: unit, eps_total: nonnegative, k: positive_integer, i: natural,
               j: natural},
    formulas={"delta of the responses": delta_i, "delta in total": total_delta},
    claims=(
        *one_response,
        Structural(
            "k-fold-law",
            r"the letters of $k$ steps have the product law, whatever the adversary asks",
            beyond=ADAPTIVE,
            printed_at="Section 6.1, k-fold composition",
            examples=(Example("letters-are-independent", {"steps": 2}),),
            derivation=independent,
        ),
        Identity(
            "k-fold-set",
            r"the set $E$ of $k$ responses has the elements $e^{(k-2i)\varepsilon}$; by its definition "
            r"they are the $(k-2i)\varepsilon$",
            eq(exp((k - 2 * i) * eps), (k - 2 * i) * eps),
            where=(le(2 * i, k),),
            printed_at="Section 6.1, E for the k-fold pair",
            fails_at={eps: Integer(1), k: Integer(3), i: Integer(1)},
        ),
        Identity(
            "k-fold-set.corrected",
            r"an outcome with $j$ letters 2 and no letter 0 or 3 has the ratio $e^{(k-2j)\varepsilon}$; so "
            r"$E$ has the elements $(k-2i)\varepsilon$ with $0\le i\le k/2$",
            eq(high ** (k - j) * low**j, exp((k - 2 * j) * eps) * (low ** (k - j) * high**j)),
            variables={delta: not_always},
            where=(le(j, k),),
            examples=(Example("counted-slopes", {**small, "k": 3}),
                      Example("counted-slopes", {**small, "k": 4})),
            role="corrected",
            improves="k-fold-set",
            because=(
                r"a misprint: $E$ is a set of $\tilde\varepsilon$, and the exponents are its elements, as "
                r"the next display has it; outcomes that neither law shows are left out"
            ),
        ),
        Identity(
            "k-fold-shift",
            r"the closed form of the shift of $k$ responses at $(k-2i)\varepsilon$; on the left are the "
            r"masses of its best set, all outcomes with a letter 0 and those with fewer than $i$ letters 2",
            eq(exact_shift, printed_shift),
            where=(le(2 * i, k),),
            printed_at="Section 6.1, display for d",
            derivation=best_set,
        ),
        Identity(
            "k-fold-region",
            r"the region of $k$ responses is the meeting with the $\delta_i$ of (6): so these are its "
            r"shifts",
            eq(exact_shift, delta_i),
            where=(le(2 * i, k),),
            printed_at="Section 6.1, last paragraph",
            fails_at={eps: Integer(1), delta: Rational(1, 10), k: Integer(2), i: Integer(1)},
            examples=(Example("deltas-of-six", {**small, "k": 2}),),
        ),
        Identity(
            "k-fold-region.corrected",
            r"its shifts at these slopes are $1-(1-\delta)^k(1-\delta_i)$, as in (5); that no other slopes are "
            r"needed is `kov/thm-3.3.index-set.corrected`",
            eq(exact_shift, total_delta),
            where=(le(2 * i, k),),
            examples=tuple(Example("corners-are-the-region", {**small, "k": m}) for m in (1, 2, 3)),
            derivation=in_total,
            role="corrected",
            improves="k-fold-region",
            because=(
                r"$\delta_i$ of (6) leaves out the probability $1-(1-\delta)^k$ that some letter gives the "
                r"database away: it is right for $\delta=0$ only; (5) has it right, and with it Theorem 3.3"
            ),
        ),
    ),
)

