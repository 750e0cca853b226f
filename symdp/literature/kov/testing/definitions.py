r"""Definition 1.1, $\mathcal{R}(M)$, *dominates* and the experiment: what the words mean."""

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

composition_experiment = Statement(
    place=kov.section("3"),
    title="The composition experiment",
    hypotheses=(
        r"COMPOSE: for $i=1,\dots,k$ the adversary requests two neighbouring databases $D^{i,0}$, $D^{i,1}$, a query "
        r"$q_i$ and a mechanism $M_i$ of the family, knowing its coin $R$ and all answers so far, and receives "
        r"$Y_i^b=M_i(D^{i,b},q_i)$ for a hidden bit $b$. Its view is $V^b=(R,Y_1^b,\dots,Y_k^b)$."
    ),
    cites=("dwork2010boosting",),
)
