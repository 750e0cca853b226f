r"""Definition 1.1, the region $\mathcal{R}(M)$ and *dominates*: what the words mean, and where they are computed."""

from symdp.literature.kov import kov
from symdp.sources.statement import Statement

differential_privacy = Statement(
    place=kov.at("def-1.1", "Definition 1.1"),
    title="Differential privacy",
    hypotheses=(
        r"$M$ is $(\varepsilon,\delta)$-DP if $\mathbb{P}(M(D)\in S)\le e^\varepsilon\,\mathbb{P}(M(D')\in "
        r"S)+\delta$ for "
        r"all neighbours $D$, $D'$ and all sets $S$."
    ),
    cites=("dwork2006calibrating", "dwork2006ourdata"),
)

region_of_a_mechanism = Statement(
    place=kov.at("def-region", "Section 2, R(M)"),
    title="The region of a mechanism",
    hypotheses=r"$\mathcal{R}(M)$ is the union of the regions (3) over all pairs of neighbours.",
)

dominating = Statement(
    place=kov.at("def-dominates", "Section 2, dominates"),
    title="What it is to dominate",
    hypotheses=(
        r"$M$ dominates $M'$ if $D-X-Y$ is a Markov chain for $X=M(D)$ and $Y=M'(D)$: a stochastic map, the same "
        r"for all "
        r"databases, makes the output of $M'$ from that of $M$."
    ),
)
