r"""Basic composition of pure privacy: the $\varepsilon_j$ of independent algorithms add up."""

from sympy import Expr, IndexedBase, Integer, Product, Sum, exp

from symdp.formulas.notation import eps, k, symbol, x, y
from symdp.formulas.relation import ge, gt, le
from symdp.literature.blog import blog
from symdp.sources.derivations.derivation import Condition, Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import Guarantee, Inequality, Statement, positive, real
from symdp.sources.subject import AnySequence, loss_sum

S, j = symbol("S"), symbol("j")
#: step j is private up to bound[j]; the probabilities of its part of y under x and under x'
bound, here, there = IndexedBase("eps"), IndexedBase("P"), IndexedBase("Q")
all_bounds = Sum(bound[j], (j, 1, k))
each_is_private: list[Condition] = [
    "k >= 1", gt(bound[j], 0), gt(here[j], 0), gt(there[j], 0),
    le(here[j], exp(bound[j]) * there[j]), ge(here[j], exp(-bound[j]) * there[j]),
]


def of_all(factor: Expr) -> Expr:
    return Product(factor, (j, 1, k))


upper = (
    Derivation("The likelihood ratio of all steps, from above", where=each_is_private, integer=["k"])
    .start(of_all(here[j]) / of_all(there[j]))
    .eq(of_all(here[j] / there[j]), "the steps are independent, so both probabilities are products")
    .le(of_all(exp(bound[j])), "each step is private")
    .eq(exp(all_bounds))
    .suppose("x > 0", "y > 0", "x <= exp(S)", "y <= exp(eps)")
    .state(le(x * y, exp(S + eps)), "the same for one more factor")
)
lower = (
    Derivation("The likelihood ratio of all steps, from below", where=each_is_private, integer=["k"])
    .start(of_all(here[j] / there[j]))
    .ge(of_all(exp(-bound[j])), "each step is private in the other direction as well")
    .eq(exp(-all_bounds))
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

proof = SourceProof(
    blog.at("thm-basic", "Theorem (Basic Composition)"), "The proof of basic composition", (upper, lower),
    supports=("blog/thm-basic.upper", "blog/thm-basic.lower"))
