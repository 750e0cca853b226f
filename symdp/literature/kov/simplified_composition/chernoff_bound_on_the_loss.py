r"""Chernoff's bound on the privacy loss: $\mathbb{E}(1-e^{\tilde\varepsilon-Z})_+$ is at most a moment."""

from sympy import Expr, IndexedBase, Integer, Rational, Sum, binomial, exp, log

from symdp.formulas.notation import eps, eps_total, k, lam, symbol, x
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.sources import worst_case
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Identity,
    Inequality,
    Space,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    real,
)

i, j, n = symbol("i"), symbol("j"), symbol("n")

#: what stands in the exponent besides the loss; the best constant for each lambda
entropy = lam * log(lam) - (lam + 1) * log(lam + 1)


def excess(loss: Expr, threshold: Expr = eps_total) -> Expr:
    """What one outcome adds to delta, relative to its mass: the indicator is in the maximum."""
    return worst_case.excess(loss, threshold)


def tilted(loss: Expr, threshold: Expr = eps_total) -> Expr:
    """The exponential above it."""
    return exp(lam * (loss - threshold) + entropy)


def two_point(mass: Expr, at: Expr) -> Expr:
    """The mean of the exponential of a variable that is +at or -at."""
    return mass * exp(at) + (1 - mass) * exp(-at)


def mgf(loss: Expr) -> Expr:
    """The moment generating function of the privacy loss of randomised response."""
    return exp(loss) / (exp(loss) + 1) * exp(lam * loss) + exp(-lam * loss) / (exp(loss) + 1)


def exponent(loss: Expr) -> Expr:
    return (exp(loss) - 1) / (exp(loss) + 1) * lam * loss + Rational(1, 2) * lam**2 * loss**2


# --- the laws of k randomised responses, by the number j of answers against the truth ----------------

loss = (k - 2 * j) * eps
weight = binomial(k, j) * exp(eps * (k - j))
against = binomial(k, j) * exp(eps * j)
normaliser = (1 + exp(eps)) ** k

first_law = Sum(weight, (j, 0, i)) / normaliser
second_law = Sum(against, (j, 0, i)) / normaliser
one_mean = Sum(weight * (1 - exp(eps_total) * (exp(eps * j) / exp(eps * (k - j)))), (j, 0, i)) / normaliser

#: the part of delta that is left when no delta strikes, exactly
pure_part = worst_case.pure_part(eps, k, eps_total)
mean_of_tilted = exp(entropy - lam * eps_total) * Sum(weight * exp(lam * loss), (j, 0, k)) / normaliser
moment = mgf(eps) ** k * exp(entropy - lam * eps_total)

change_of_measure = (
    Derivation("The two equalities of (25)", where=["eps > 0", "k >= 1", "0 <= i", "i <= k"],
               integer=["k", "i"])
    .start(first_law - exp(eps_total) * second_law)
    .eq(one_mean, "both laws as expectations under the first, which add up")
)

mass, value = IndexedBase("w"), IndexedBase("z")


def averaged(where: str) -> Derivation:
    """The last line of (25), with lambda where it is said to live."""
    return (
        Derivation("The last line of (25)", where=["eps > 0", "k >= 1", where], integer=["k"])
        .lemma("centred", le(excess(x, Integer(0)), tilted(x, Integer(0))), where=[where])
        .start(pure_part)
        .le(mean_of_tilted, "the lemma at each value of the loss less its threshold",
            by=use("centred", x=loss - eps_total))
        .eq(moment, "the binomial theorem")
        .conclude(le(pure_part, moment))
    )


#: For any finite law with losses z_x and masses w_x, adding up is adding up term by term.
any_finite_law = (
    Derivation("Chernoff's bound for any finite law",
               where=["n >= 1", "lam > 0", ge(mass[x], Integer(0))], integer=["n"])
    .start(Sum(mass[x] * excess(value[x]), (x, 1, n)))
    .le(Sum(mass[x] * tilted(value[x]), (x, 1, n)), "outcome by outcome")
)

count = Space(nonnegative.interval, integer=True)

equation_25 = Statement(
    place=kov.equation("25"),
    title="The pure part is bounded by a moment of the loss",
    hypotheses=(
        r"Under the first law the loss of $k$ randomised responses is $(k-2j)\varepsilon$ with "
        r"probability $\binom{k}{j}e^{(k-j)\varepsilon}/(1+e^\varepsilon)^k$; $B_1$ has the "
        r"outcomes with $j\le i$."
    ),
    variables={eps: positive, eps_total: real, k: positive_integer, i: count, lam: nonnegative},
    formulas={"pure part": pure_part, "its bound": moment},
    claims=(
        Identity(
            "identity",
            r"the difference of the two laws of $B_1$ is an expectation under the first law alone, "
            r"summed over the number $j$ of untrue answers",
            eq(first_law - exp(eps_total) * second_law, one_mean),
            where=(le(i, k),),
            printed_at="Equation (25), the two equalities",
            derivation=change_of_measure,
        ),
        Inequality(
            "chernoff",
            r"the expectation, with the indicator as a maximum with 0, is at most the exponential "
            r"moment, which is a $k$-th power",
            le(pure_part, moment),
            printed_at="Equation (25), last line",
            limit_at=eq(lam, 0),
            derivation=averaged("lam > 0"),
        ),
    ),
)
