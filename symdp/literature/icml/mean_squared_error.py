r"""The mean squared error of $k$ answers with Laplace or Gaussian noise of the stated variance."""

from sympy import E, Rational, log

from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import le
from symdp.literature.icml import icml
from symdp.sources.statement import (
    Asymptotic,
    Identity,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)

Delta = symbol("Delta")

variance = 8 * k * Delta**2 * log(E + eps / delta) / eps**2
#: over all k answers
error = k * variance
order = k**2 * Delta**2 * log(E + eps / delta) / eps**2

everywhere = {eps: positive, delta: unit_positive, Delta: positive, k: positive_integer}


def constant(improves: str) -> Identity:
    """The constant in the order, which is exact."""
    return Identity(
        f"{improves}.constant",
        "the squared error over the $k$ answers is 8 times the printed order",
        parse_relation("k*(8*k*Delta^2*log(e + eps/delta)/eps^2) == 8*(k^2*Delta^2*log(e + eps/delta)/eps^2)"),
        role="sharper",
        improves=improves,
        because="the constant is known; for one answer the error is smaller by the factor $k$",
    )


laplace = Statement(
    place=icml.corollary("4.2"),
    title="Laplace noise under composition",
    hypotheses=r"Each of $k$ answers has Laplace noise of the variance below; $\varepsilon\le0.9$.",
    variables=everywhere,
    formulas={"variance": variance},
    claims=(
        Asymptotic(
            "mse",
            r"the squared error over the $k$ answers is of the stated order",
            error, "O", order,
            where=(le(eps, Rational("0.9")),),
        ),
        constant("mse"),
    ),
    cites=("dwork2006calibrating",),
)

gaussian = Statement(
    place=icml.theorem("4.3"),
    title="Gaussian noise under composition",
    hypotheses=r"Each of $k$ answers has Gaussian noise of the variance below.",
    variables=everywhere,
    formulas={"variance": variance},
    claims=(
        Asymptotic(
            "mse",
            r"the squared error over the $k$ answers is of the stated order",
            error, "O", order,
        ),
        constant("mse"),
    ),
)
