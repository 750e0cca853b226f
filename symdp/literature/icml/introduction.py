r"""The introduction of the conference version: basic composition, and the tools of earlier work."""

from symdp.formulas.notation import delta, eps, k
from symdp.literature.icml import icml
from symdp.sources.statement import (
    Guarantee,
    Statement,
    Structural,
    nonnegative,
    positive_integer,
    unit,
)
from symdp.sources.subject import AnyPrivate

introduction = Statement(
    place=icml.section("1"),
    title="Composition before the optimal theorem",
    hypotheses=r"Each of $k$ queries is $(\varepsilon,\delta)$-DP.",
    variables={eps: nonnegative, delta: unit, k: positive_integer},
    claims=(
        Guarantee(
            "basic",
            r"the composition is $(k,k\delta)$-DP, with no $\varepsilon$ in it",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=k,
            delta=k * delta,
            printed_at="Section 1, composition of k queries",
        ),
        Guarantee(
            "basic.corrected",
            r"the composition is $(k\varepsilon,k\delta)$-DP",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=k * eps,
            delta=k * delta,
            role="corrected",
            improves="basic",
            because=r"a misprint: $\varepsilon$ was dropped; Theorem 3.1 of the same text has it",
        ),
        Structural(
            "techniques",
            "earlier work used sophisticated results, where elementary techniques are enough",
            task="cite",
            printed_at="Section 1, first bullet",
        ),
    ),
    cites=("dwork2010boosting", "reingold2008dense", "tao2008primes", "green2008primes"),
)
