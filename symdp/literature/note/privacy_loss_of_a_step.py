r"""The privacy loss of one $\varepsilon$-DP step: at most $\varepsilon$, and in the mean far less."""

from sympy import Abs, Integer, exp, log

from symdp.formulas.notation import eps, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.literature.note import note
from symdp.numbers.domain import Interval
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import Identity, Inequality, Space, Statement, nonnegative, positive

r, u = symbol("r"), symbol("u")
part = Space(Interval(Integer(-1), Integer(1)))

#: the loss is u times eps, and the ratio of the likelihoods its exponential
ratio, loss = exp(eps * u), eps * u
mean = eps * (exp(eps) - 1)
centred = eps * (exp(eps) - 1) / (exp(eps) + 1)
slope = eps * (exp(2 * eps) + 1) / (exp(2 * eps) - 1)

bounded = (
    Derivation("The loss of a step", where=["eps >= 0", "r > 0", "r >= exp(-eps)", "r <= exp(eps)"])
    .lemma("logarithm", "log(x) <= y", where=["x > 0", "x <= exp(y)"])
    .state("log(r) <= eps", "one direction of the privacy of the step",
           by=use("logarithm", x="r", y="eps"), label="above")
    .state("log(r) >= -eps", "the other", label="below")
    .conclude("abs(log(r)) <= eps", by=["above", "below"])
)

privacy_loss_of_a_step = Statement(
    place=note.lemma("3.18"),
    title="The privacy loss of one step",
    hypotheses=(
        r"$P$ and $Q$ are the laws of a step of an $\varepsilon$-DP mechanism, given what came before; "
        r"the loss is $c_i=\log(P/Q)$ under $P$."
    ),
    variables={eps: nonnegative, r: positive, u: part},
    formulas={"mean of the loss, at most": mean, "at most, and attained": centred},
    claims=(
        Inequality(
            "bounded",
            r"the logarithm of a likelihood ratio $r$ between $e^{-\varepsilon}$ and "
            r"$e^{\varepsilon}$ is at most $\varepsilon$ in size",
            le(Abs(log(r)), eps),
            where=(ge(r, exp(-eps)), le(r, exp(eps))),
            derivation=bounded,
            printed_at="Fourth paragraph",
        ),
        Inequality(
            "expectation",
            r"at every outcome, for the ratio $e^{\varepsilon u}$ with $|u|\le1$; the mean of the last "
            r"bracket under $Q$ is 0, so that the mean of the loss is at most "
            r"$\varepsilon(e^\varepsilon-1)$",
            le(ratio * loss, mean + (ratio - 1)),
            printed_at="Fourth paragraph",
        ),
        Inequality(
            "expectation.centred",
            r"the same with $\varepsilon\tanh(\varepsilon/2)$: below the chord of a convex function",
            le(ratio * loss, centred + slope * (ratio - 1)),
            variables={eps: positive},
            role="sharper",
            improves="expectation",
            because=r"$\varepsilon(e^\varepsilon-1)$ is more than twice too large for every "
                    r"$\varepsilon>0$",
        ),
        Identity(
            "expectation.attained",
            r"randomised response has this mean",
            eq(exp(eps) / (exp(eps) + 1) * eps + 1 / (exp(eps) + 1) * (-eps), centred),
            role="sharper",
            improves="expectation",
            because="the centred bound is reached by a mechanism",
        ),
    ),
    cites=("dwork2010boosting",),
)
