r"""Basic composition of pure privacy: the $\varepsilon_j$ of independent algorithms add up."""

from sympy import Expr, IndexedBase, Integer, Product, Sum, exp

from symdp.formulas.notation import k, symbol
from symdp.formulas.relation import ge, gt, le
from symdp.literature.blog import blog
from symdp.sources.derivations.derivation import Condition, Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import Guarantee, Inequality, Statement, positive, positive_integer
from symdp.sources.subject import AnySequence, loss_sum

j = symbol("j")
#: step j is private up to bound[j]; the probabilities of its part of y under x and under x'
bound, here, there = IndexedBase("eps"), IndexedBase("P"), IndexedBase("Q")
all_bounds = Sum(bound[j], (j, 1, k))
a_step = (gt(bound[j], 0), gt(here[j], 0), gt(there[j], 0),
          le(here[j], exp(bound[j]) * there[j]), ge(here[j], exp(-bound[j]) * there[j]))
each_is_private: list[Condition] = ["k >= 1", *a_step]


def of_all(factor: Expr) -> Expr:
    return Product(factor, (j, 1, k))


at_most = le(of_all(here[j]) / of_all(there[j]), exp(all_bounds))
at_least = ge(of_all(here[j] / there[j]), exp(-all_bounds))

upper = (
    Derivation("The likelihood ratio of all steps, from above", where=each_is_private, integer=["k"])
    .start(of_all(here[j]) / of_all(there[j]))
    .eq(of_all(here[j] / there[j]), "the steps are independent, so both probabilities are products")
    .le(of_all(exp(bound[j])), "each step is private")
    .eq(exp(all_bounds))
    .conclude(at_most)
)
lower = (
    Derivation("The likelihood ratio of all steps, from below", where=each_is_private, integer=["k"])
    .start(of_all(here[j] / there[j]))
    .ge(of_all(exp(-bound[j])), "each step is private in the other direction as well")
    .eq(exp(-all_bounds))
    .conclude(at_least)
)

basic_composition = Statement(
    place=blog.at("thm-basic", "Theorem (Basic Composition)"),
    title="Basic composition",
    hypotheses=r"$M_1,\dots,M_k$ run independently, and $M_j$ is $\varepsilon_j$-DP.",
    variables={loss_sum: positive, k: positive_integer},
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
            r"the likelihood ratio of all steps, of which each has one between $e^{-\varepsilon_j}$ and "
            r"$e^{\varepsilon_j}$, is at most $e^{\sum\varepsilon_j}$: the printed chain, for every $k$",
            at_most,
            each=a_step,
            derivation=upper,
            printed_at="Proof of Basic Composition, displayed chain",
        ),
        Inequality(
            "lower",
            r"the product of the ratios is at least $e^{-\sum\varepsilon_j}$",
            at_least,
            each=a_step,
            derivation=lower,
            printed_at="Proof of Basic Composition, last sentence",
        ),
    ),
    cites=("dwork2006calibrating",),
)

proof = SourceProof(
    blog.at("thm-basic", "Theorem (Basic Composition)"), "The proof of basic composition", (upper, lower),
    supports=("blog/thm-basic.upper", "blog/thm-basic.lower"))
