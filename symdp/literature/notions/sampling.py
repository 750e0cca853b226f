r"""Amplification by sampling: on a random part of the data a mechanism is more private, by about the rate $q$."""

from sympy import exp, log

from symdp.formulas.notation import eps, symbol
from symdp.formulas.relation import le
from symdp.literature.notions import notions
from symdp.sources.statement import Comparison, Inequality, Statement, positive, unit_open

q = symbol("q")
amplified = log(1 + q * (exp(eps) - 1))
added = -log(1 - q + q * exp(-eps))

amplification = Statement(
    place=notions.at("sampling", "Amplification by sampling"),
    title="Amplification by sampling",
    hypotheses=r"An $\varepsilon$-DP mechanism sees a random part of the records, each with probability $q$ "
               r"(add or remove one), or a part of fixed size (substitute one).",
    variables={eps: positive, q: unit_open},
    formulas={"epsilon of the sample": amplified, "epsilon where a record is added": added},
    claims=(
        Inequality("helps", "a sample is never less private than all of the data", le(amplified, eps)),
        Inequality("rate", r"it costs at most $q(e^\varepsilon-1)$", le(amplified, q * (exp(eps) - 1))),
        Inequality("no-better", r"and never less than $q\varepsilon$: the rate is all that is gained",
                   le(q * eps, amplified)),
        Inequality("small", r"for $\varepsilon\le1$ the bound is at most $2q\varepsilon$",
                   le(q * (exp(eps) - 1), 2 * q * eps), where=(le(eps, 1),)),
        Comparison("directions", "to add a record costs no more than to remove one", le(added, amplified)),
    ),
    cites=("balle2018privacy", "zhu2022optimal"),
)
