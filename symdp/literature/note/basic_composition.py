r"""Basic composition, as the note recalls it: the parameters add up."""

from symdp.formulas.notation import delta, eps, k
from symdp.literature.note import note
from symdp.sources.statement import Guarantee, Statement, nonnegative, positive_integer, unit
from symdp.sources.subject import AnyPrivate

basic_composition = Statement(
    place=note.theorem("3.16"),
    title="Basic composition",
    hypotheses=r"Each of $k$ mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={eps: nonnegative, delta: unit, k: positive_integer},
    formulas={"epsilon in total": k * eps, "delta in total": k * delta},
    claims=(
        Guarantee(
            "basic",
            r"the composition is $(k\varepsilon,k\delta)$-DP",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=k * eps,
            delta=k * delta,
        ),
        Guarantee(
            "basic.product",
            r"the probabilities $1-\delta$ that nothing leaks multiply",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=k * eps,
            delta=1 - (1 - delta) ** k,
            role="sharper",
            improves="basic",
            because=r"$1-(1-\delta)^k$ is at most $k\delta$",
        ),
    ),
    cites=("dwork2006ourdata",),
)
