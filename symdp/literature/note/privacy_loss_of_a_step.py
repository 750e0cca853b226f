r"""The privacy loss of one $\varepsilon$-DP step: at most $\varepsilon$, and in the mean far less."""

from sympy import Abs, Expr, IndexedBase, Integer, Sum, exp, log

from symdp.formulas.notation import eps, symbol
from symdp.formulas.relation import Relation, eq, ge, le
from symdp.literature.note import note
from symdp.numbers.domain import Interval
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Identity,
    Inequality,
    Space,
    Statement,
    nonnegative,
    positive,
    positive_integer,
)

r, u = symbol("r"), symbol("u")
part = Space(Interval(Integer(-1), Integer(1)))

#: the loss is u times eps, and the ratio of the likelihoods its exponential
ratio, loss = exp(eps * u), eps * u
mean = eps * (exp(eps) - 1)
centred = eps * (exp(eps) - 1) / (exp(eps) + 1)
slope = eps * (exp(2 * eps) + 1) / (exp(2 * eps) - 1)

#: all finite laws: outcome x has the mass Q_x under the second law, and the loss eps v_x
Q, v, n, x = IndexedBase("Q"), IndexedBase("v"), symbol("n"), symbol("x")
a_step = (ge(Q[x], 0), le(v[x], 1), ge(v[x], -1))


def over(term: Expr) -> Expr:
    return Sum(term, (x, 1, n))


def at_an_outcome(level: Expr, chord: Expr) -> Relation:
    """The loss at one outcome, below a level and a bracket whose mean is 0."""
    return le(ratio * loss, level + chord * (ratio - 1))


def in_the_mean(level: Expr, chord: Expr) -> Relation:
    """The mean of the loss: the bracket is the difference of the masses of both laws, which are 1."""
    first = exp(eps * v[x]) * Q[x]
    return le(over(first * (eps * v[x])), level * over(Q[x]) + chord * (over(first) - over(Q[x])))


def averaged(title: str, level: Expr, chord: Expr, low: str) -> Derivation:
    summed = in_the_mean(level, chord)
    return (
        Derivation(title, where=[low, "n >= 1", *a_step], integer=["n"])
        .lemma("outcome", at_an_outcome(level, chord), [low, "u >= -1", "u <= 1"])
        .start(summed.left)
        .le(over((level + chord * (exp(eps * v[x]) - 1)) * Q[x]), "outcome by outcome", by=use("outcome", u=v[x]))
        .eq(summed.right, "the masses, added up")
        .conclude(summed)
    )


mean_of_the_loss = averaged("The mean of a loss", mean, Integer(1), "eps >= 0")
centred_mean = averaged("The mean of a loss, by a chord", centred, slope, "eps > 0")

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
    variables={eps: nonnegative, r: positive, u: part, n: positive_integer},
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
            r"for all finite laws: outcome $x$ has the mass $Q_x$ under one law, $e^{\varepsilon v_x}Q_x$ under the "
            r"other and so the loss $\varepsilon v_x$, with $|v_x|\le1$; the masses add up to 1, so that the mean of "
            r"the loss is at most $\varepsilon(e^\varepsilon-1)$",
            in_the_mean(mean, Integer(1)),
            each=a_step,
            derivation=mean_of_the_loss,
            printed_at="Fourth paragraph",
        ),
        Inequality(
            "expectation.outcome",
            r"so it is at every outcome, for the ratio $e^{\varepsilon u}$ with $|u|\le1$, up to a bracket",
            at_an_outcome(mean, Integer(1)),
            role="sharper",
            improves="expectation",
            because="it is the inequality that is averaged",
        ),
        Inequality(
            "expectation.centred",
            r"the same with $\varepsilon\tanh(\varepsilon/2)$: below the chord of a convex function",
            in_the_mean(centred, slope),
            each=a_step,
            variables={eps: positive},
            derivation=centred_mean,
            role="sharper",
            improves="expectation",
            because=r"$\varepsilon(e^\varepsilon-1)$ is more than twice too large for every "
                    r"$\varepsilon>0$, as `kov/thm-3.2.centring-helps` says",
        ),
        Inequality(
            "expectation.chord",
            r"at every outcome, below that chord",
            at_an_outcome(centred, slope),
            variables={eps: positive},
            role="sharper",
            improves="expectation",
            because="it is the inequality that is averaged there",
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
