r"""Geometric noise under composition: on counting queries that differ it is randomised response."""

from dataclasses import dataclass
from typing import ClassVar

from sympy import exp

from symdp.formulas.notation import eps
from symdp.formulas.relation import eq
from symdp.literature.kov import kov
from symdp.sources.beyond import LAWS, SOME
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.statement import Identity, Optimality, Statement, Structural, positive

height = (exp(eps) - 1) / (exp(eps) + 1)
#: The sums of the geometric series from 1 and from 0 on.
tail, half = exp(-eps) / (1 - exp(-eps)), 1 / (1 - exp(-eps))

is_randomised_response = (
    Derivation("The loss of geometric noise, moved by one", where=["eps > 0"])
    .cite("with d the distance to the nearer of the two answers, an output below both has the "
          "probabilities p(d) and p(d + 1), so that its loss is eps; one above both has the loss -eps")
    .cite("the region of a composition is that of the law of its loss", "the lemma of Neyman and Pearson")
    .start(height * half)
    .eq(exp(eps) / (1 + exp(eps)), "the outputs of loss eps have the probability of the likely answer")
)


@dataclass(frozen=True)
class RegionInWords(Structural):
    """That two regions are equal: sets of points, of which the formulas here have the boundary alone."""

    kind: ClassVar[str] = "identity"


geometric_noise = Statement(
    place=kov.section("4.2"),
    title="Geometric noise",
    beyond=LAWS,
    hypotheses=r"Counting queries; the noise $z$ has probability proportional to $e^{-\varepsilon|z|}$.",
    variables={eps: positive},
    formulas={"probability of 0": height},
    claims=(
        Identity(
            "geometric-pmf",
            r"the probabilities add up to 1: that of 0, and twice a geometric series",
            eq(height * (1 + 2 * tail), 1),
        ),
        RegionInWords(
            "composed-region",
            r"on $k$ queries that differ by one, the region of the geometric mechanism is that of (5)",
            examples=tuple(Example("geometric-region", {"exponential": "3", "k": n}) for n in (1, 2, 3)),
            derivation=is_randomised_response,
        ),
        Identity(
            "composed-region.loss",
            r"the noise has the loss $\varepsilon$ with the probability that randomised response has it",
            eq(height * half, exp(eps) / (1 + exp(eps))),
            role="sharper",
            improves="composed-region",
            because=r"it is the formula behind it; otherwise the loss is $-\varepsilon$",
        ),
    ),
    cites=("ghosh2012universally",),
)

geometric_is_optimal = Statement(
    place=kov.theorem("4.4"),
    title="Geometric noise is optimal under composition",
    beyond=SOME,
    hypotheses=r"$k$ counting queries, asked of two neighbouring databases.",
    variables={eps: positive},
    claims=(
        Optimality(
            "",
            r"no $(\varepsilon,0)$-DP mechanisms have a larger region, whatever the two databases are",
            examples=(Example("geometric-on-equal-answers", {"exponential": "2"}),),
        ),
        Optimality(
            "corrected",
            r"no $(\varepsilon,0)$-DP mechanisms that see a database through the answer to the query alone "
            r"have a larger region, whatever the two databases are",
            examples=tuple(Example("geometric-region", {"exponential": "3", "k": n}) for n in (1, 2, 3)),
            derivation=is_randomised_response.cite(
                "where the answers are equal, such a mechanism tells nothing; the others are k of "
                "(eps, 0)-DP mechanisms, whose region lies in that of k randomised responses",
                "kov/thm-3.3.guarantee"),
            role="corrected",
            improves="",
            because=(
                r"a missing condition: on two databases on which a query has the same answer the noisy "
                r"answer tells nothing, while an $(\varepsilon,0)$-DP mechanism that looks at the database "
                r"itself may; the theorem's proof speaks of the queries that differ"
            ),
        ),
    ),
    cites=("ghosh2012universally",),
)
