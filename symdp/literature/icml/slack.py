r"""How much slack a bound without logarithm needs: of order $\sqrt{k\varepsilon^2}$, or a constant."""

from sympy import E, exp, log, sqrt

from symdp.formulas.notation import eps, k, symbol
from symdp.formulas.relation import gt, lt
from symdp.literature.icml import icml
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Comparison, Statement, positive, positive_integer

#: the deviation that is wanted is c times sqrt(k eps^2)
c, s = symbol("c"), sqrt(k * eps**2)
new = s / (exp(c**2 / 2) - E)
old = exp(-(c**2) / 2)

needed = (
    Derivation("The slack for a deviation of c sqrt(k eps^2)", integer=["k"],
               where=["eps > 0", "k >= 1", "c > 0", "c^2 > 2", lt(s, 1 - exp(1 - c**2 / 2))])
    .start(eps * sqrt(2 * k * log(E + s / new))).eq(c * s, "by Theorem 3.4", label="new")
    .start(eps * sqrt(2 * k * log(1 / old))).eq(c * s, "by Theorem 3.2", label="old")
    .state(lt(new, old), "what the former needs is less")
)

slack = Statement(
    place=icml.section("3.2"),
    title="The slack that is needed",
    hypotheses=(
        r"A total of $k\varepsilon^2+c\sqrt{k\varepsilon^2}$ is wanted, with a constant $c>\sqrt2$, in the "
        r"regime of small $\sqrt{k\varepsilon^2}$."
    ),
    variables={eps: positive, k: positive_integer, c: positive},
    formulas={"slack, by Theorem 3.4": new, "slack, by Theorem 3.2": old},
    claims=(
        Comparison(
            "slack-instead",
            r"Theorem 3.4 needs a slack proportional to $\sqrt{k\varepsilon^2}$, Theorem 3.2 a constant "
            r"one, and the former is less where $\sqrt{k\varepsilon^2}<1-e^{1-c^2/2}$",
            lt(new, old),
            where=(gt(c**2, 2), lt(s, 1 - exp(1 - c**2 / 2))),
            derivation=needed,
            printed_at="Section 3.2, after Theorem 3.4",
        ),
    ),
    cites=("dwork2010boosting",),
)

