r"""Lemma 1 from the normal law of a row: privacy by one tail, utility by the tails of $\chi^2_r$."""

from sympy import Expr, erfc, exp, log, sqrt

from symdp.formulas.notation import eps_total, symbol
from symdp.formulas.relation import ge, le
from symdp.privacy.johnson_lindenstrauss.parameters import (
    delta_0,
    eps_0,
    lemma_noise,
    sharper_noise,
    spread_bound,
)
from symdp.privacy.johnson_lindenstrauss.two_variances import TwoVariances
from symdp.sources.derivations.derivation import Condition, Derivation, use

rows, eta, nu, x = (symbol(name) for name in ("r", "eta", "nu", "x"))
ratio = symbol("s")
exact = TwoVariances(ratio).closed_form("hockey_stick").subs(eps_total, eps_0)


def of_a_row(noise: Expr, reached: Expr, *where: Condition) -> Derivation:
    """The divergence of one row with that w: what is exact, what is below it, and the promise."""
    return (
        Derivation("One row of the sketch", where=["eps_0 > 0", "0 < delta_0 <= 1", "s > 1", *where])
        .cite("the graph with w/n on each pair has the resistance 2/w between any two nodes, and other "
              "edges make it smaller: the ratio s of the two variances is at most 1 + 2/w",
              "Rayleigh's monotonicity")
        .lemma("chernoff", "erfc(x) <= exp(-x^2)", ["x >= 0"])
        .start(exact)
        .le(erfc(sqrt((eps_0 + log(ratio) / 2) / (ratio - 1))), "the second term is negative")
        .le(exp(-(eps_0 + log(ratio) / 2) / (ratio - 1)),
            by=use("chernoff", x=sqrt((eps_0 + log(ratio) / 2) / (ratio - 1))))
        .le(exp(-eps_0 / (ratio - 1)), "s > 1")
        .suppose(le((ratio - 1) * noise, 2))
        .start(exp(-eps_0 / (ratio - 1)))
        .le(reached, "the largest ratio")
        .le(delta_0)
        .state(le(log(spread_bound(noise)) / 2, eps_0), "the other way round no loss exceeds log(s)/2")
    )


private = of_a_row(lemma_noise, delta_0**2 / 4)
private_with_half = of_a_row(sharper_noise, delta_0, "delta_0 <= exp(-1/2)")

above = eta - log(1 + eta)
useful = (
    Derivation("One query", where=[
        "w > 0", "w <= n/2", "S > 0", "S < n", "q >= 0", "0 < eta <= 3/2", "0 < nu < 1", "r >= 1",
        ge(rows, 8 * log(2 / nu) / eta**2)], integer=["r"])
    .cite("the answer is q + (q + B)(X/r - 1) with B = w|S|(n-|S|)/(n-w), where X is a chi-squared "
          "variable with r degrees of freedom", "the law of a normal vector")
    .state("w*S*(n - S)/(n - w) <= 2*S*w", "the added weight")
    .state("(q + w*S*(n - S)/(n - w))*eta <= eta*q + 2*S*eta*w",
           "so (30) holds where X/r is within eta of 1")
    .cite("P(X >= r(1 + eta)) is at most the moment exp(-lam r (1 + eta)) (1 - 2 lam)^(-r/2) for each lam "
          "between 0 and 1/2, and below r likewise with -lam", "Markov's inequality; the moments of X")
    .start(exp(-eta / (2 * (1 + eta)) * rows * (1 + eta)) * exp(rows * log(1 + eta) / 2))
    .eq(exp(-rows * above / 2), "lam = eta/(2(1 + eta))")
    .le(exp(-rows * eta**2 / 8), "eta - log(1 + eta) >= eta^2/4 up to 3/2")
    .le(nu / 2, "r is large enough")
    .lemma("below", "x + log(1 - x) <= -x^2/2", ["0 <= x", "x < 1"])
    .lemma("tail below", "r*(x + log(1 - x))/2 <= -r*x^2/8", ["0 <= x", "x < 1", "r >= 0"])
    .state(le(exp(-rows * eta**2 / 8) + exp(-rows * eta**2 / 8), nu),
           "for eta < 1 the lower tail is exp(r(eta + log(1 - eta))/2), not larger; both together are nu")
)
