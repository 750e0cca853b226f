"""How hard it is to compose mechanisms of different privacy optimally: exactly hard, nearly easy."""

from symdp.literature.notions import notions
from symdp.sources.statement import Statement, Structural

heterogeneous_composition = Statement(
    place=notions.at("hardness", "Composing different mechanisms optimally"),
    title="How hard it is to compose different mechanisms optimally",
    hypotheses=r"Given are rational $\delta$ and $(\varepsilon_1,\delta_1),\dots,(\varepsilon_k,\delta_k)$; "
               r"$\varepsilon^*(\delta)$ is the smallest $\varepsilon$ for which every composition of mechanisms "
               r"that are so private is $(\varepsilon,\delta)$-DP.",
    claims=(
        Structural(
            "sharp-p-complete",
            r"to compute $\varepsilon^*(\delta)$ exactly is complete for the class of counting problems, sharp P, "
            r"even for pure mechanisms",
            task="cite",
        ),
        Structural(
            "approximation",
            r"for every $\eta>0$ a number between $\varepsilon^*(\delta)$ and "
            r"$\varepsilon^*(e^{-\eta/2}\delta)+\eta$ is computed in time polynomial in $k$, $1/\eta$, the largest "
            r"$\varepsilon_i$ and the lengths of the inputs",
            task="cite",
        ),
    ),
    cites=("murtagh2016complexity",),
)
