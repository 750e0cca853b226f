r"""Basic composition of pure privacy: the $\varepsilon_j$ of independent algorithms add up."""

from sympy import IndexedBase, Integer, Product, Sum, exp

from symdp.derivation import Derivation
from symdp.literature.blog import blog
from symdp.notation import eps, k, symbol, x, y
from symdp.relation import ge, gt, le
from symdp.statement import Guarantee, Inequality, Statement, positive, real
from symdp.subject import AnySequence, loss_sum

S, j = symbol("S"), symbol("j")
#: step j is private up to bound[j]; its loss, the log of the ratio, is a part of it, up to the sign
bound, part = IndexedBase("eps"), IndexedBase("u")
all_losses, all_bounds = Sum(part[j] * bound[j], (j, 1, k)), Sum(bound[j], (j, 1, k))
each_is_private = ["k >= 1", gt(bound[j], 0), le(part[j], 1), ge(part[j], -1)]

upper = (
    Derivation("The likelihood ratio of all steps, from above", where=each_is_private, integer=["k"])
    .start(Product(exp(part[j] * bound[j]), (j, 1, k)))
    .eq(exp(all_losses), "the product of the ratios, by independence")
    .le(exp(all_bounds), "each step is private")
    .suppose("x > 0", "y > 0", "x <= exp(S)", "y <= exp(eps)")
    .state(le(x * y, exp(S + eps)), "the same for one more factor")
)
lower = (
    Derivation("The likelihood ratio of all steps, from below", where=each_is_private, integer=["k"])
    .state(ge(all_losses, -all_bounds), "each step is private", label="losses")
    .start(Product(exp(part[j] * bound[j]), (j, 1, k)))
    .eq(exp(all_losses), "the product of the ratios, by independence")
    .ge(exp(-all_bounds), by="losses")
    .suppose("x >= exp(-S)", "y >= exp(-eps)")
    .state(ge(x * y, exp(-S - eps)), "the same for one more factor")
)

basic_composition = Statement(
    place=blog.at("thm-basic", "Theorem (Basic Composition)"),
    title="Basic composition",
    hypotheses=r"$M_1,\dots,M_k$ run independently, and $M_j$ is $\varepsilon_j$-DP.",
    variables={loss_sum: positive, S: real, eps: positive, x: positive, y: positive},
    formulas={"epsilon in total": loss_sum},
    claims=(
        Guarantee(
            "",
            r"the composition is $\varepsilon$-DP for the sum of the $\varepsilon_j$",
            epsilon=loss_sum,
            delta=Integer(0),
            subject=AnySequence(pure=True),
        ),
        Inequality(
            "upper",
            r"ratios of at most $e^{S}$ for all factors so far and $e^{\varepsilon_j}$ for the next "
            r"multiply to at most $e^{S+\varepsilon_j}$: the printed chain, one factor at a time",
            le(x * y, exp(S + eps)),
            where=(le(x, exp(S)), le(y, exp(eps))),
            derivation=upper,
            printed_at="Proof of Basic Composition, displayed chain",
        ),
        Inequality(
            "lower",
            r"ratios of at least $e^{-S}$ and $e^{-\varepsilon_j}$ multiply to at least "
            r"$e^{-S-\varepsilon_j}$",
            ge(x * y, exp(-S - eps)),
            where=(ge(x, exp(-S)), ge(y, exp(-eps))),
            derivation=lower,
            printed_at="Proof of Basic Composition, last sentence",
        ),
    ),
    cites=("dwork2006calibrating",),
)
