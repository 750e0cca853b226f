r"""Basic composition for Laplace noise: $k$ answers, scale $1/\varepsilon$ or $k/\varepsilon$."""

from sympy import Integer

from symdp.formulas.notation import eps, k
from symdp.literature.blog import blog
from symdp.privacy.mechanisms.every import Laplace
from symdp.sources.statement import Guarantee, Statement, positive, positive_integer

laplace_noise = Statement(
    place=blog.at("sec-basic", "After the proof of Basic Composition"),
    title="Laplace noise under basic composition",
    hypotheses=r"$k$ functions of sensitivity 1, each released with independent Laplace noise.",
    variables={eps: positive, k: positive_integer},
    claims=(
        Guarantee(
            "laplace",
            r"noise of scale $1/\varepsilon$ on each of $k$ values is $k\varepsilon$-DP; with $k=1$, "
            r"on one value $\varepsilon$-DP",
            subject=Laplace(scale=1 / eps),
            fold=k,
            epsilon=k * eps,
            delta=Integer(0),
        ),
        Guarantee(
            "laplace-scaled",
            r"noise of scale $k/\varepsilon$ on each of $k$ values is $\varepsilon$-DP in total",
            subject=Laplace(scale=k / eps),
            fold=k,
            epsilon=eps,
            delta=Integer(0),
        ),
    ),
    cites=("dwork2006calibrating",),
)
