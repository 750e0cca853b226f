r"""The note's proof line by line: as printed, and repaired from the masses of a step to the total loss.

A step has the masses $P_x$ under the first database and the loss $\varepsilon u_x$ with $|u_x|\le1$, so
the masses $P_xe^{-\varepsilon u_x}$ under the second.
"""

from sympy import Expr, IndexedBase, Integer, Max, Product, Sum, exp, log, sinh, sqrt, tanh

from symdp.formulas.notation import eps, k, lam, p, slack, symbol, x
from symdp.formulas.relation import ge, gt, le
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    mgf,
    normaliser,
    two_point,
    weight,
)
from symdp.literature.kov.testing.figures import inside_advanced
from symdp.literature.note import note
from symdp.literature.note.privacy_loss_of_a_step import bounded
from symdp.literature.note.reduction_to_pure_privacy import reduction
from symdp.literature.note.tightness import mean
from symdp.literature.note.tightness import printed as printed_total
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.source_proof import SourceProof

zero, one = Integer(0), Integer(1)
i, n = symbol("i"), symbol("n")
mass, part, ratio = IndexedBase("P"), IndexedBase("u"), IndexedBase("r")
#: how far the loss of an outcome is above a threshold, and the part of the outcome that a set has
above, taken = IndexedBase("w"), IndexedBase("s")
a_step = [ge(mass[x], zero), le(part[x], one), ge(part[x], -one)]


def over(term: Expr) -> Expr:
    return Sum(term, (x, 1, n))


deviation = sqrt(2 * k * log(1 / slack) * eps)
#: the deviation in the unit eps*sqrt(k) of Azuma's inequality
z_printed = deviation / (eps * sqrt(k))

printed_losses = (
    Derivation("As printed: the loss of k steps", where=["k >= 1", gt(ratio[i], zero)], integer=["k"])
    .start(log(Product(ratio[i], (i, 1, k))))
    .eq(Sum(log(ratio[i]), (i, 1, k)), "the logarithm of the ratio is the sum of the losses of the steps")
)
printed_mean = (
    Derivation("As printed: the mean of a loss", where=["eps >= 0", "n >= 1", *a_step], integer=["n"])
    .start(over(mass[x] * (eps * part[x])))
    .le((eps * (exp(eps) - 1) - 1) * over(mass[x] * exp(-eps * part[x])) + over(mass[x]),
        "Lemma 3.18: both laws have mass 1, so the mean is at most eps(e^eps - 1)")
)
printed_tail = (
    Derivation("As printed: the tail", where=["eps > 0", "0 < slack <= 1", "k >= 1"], integer=["k"])
    .cite("given all that came before, each loss is at most eps in absolute value, and its mean at most "
          "eps(e^eps - 1): then the sum of the losses exceeds k eps(e^eps - 1) by z eps sqrt(k) with probability at "
          "most exp(-z^2/2)", "Azuma's inequality, for differences of a supermartingale")
    .start(exp(-(z_printed**2) / 2))
    .eq(slack, "for the deviation in the printed epsilon")
)

#: under the first law the mean of e^(lam times the loss) is at most that of a randomised response
adaptive = (
    Derivation("Whatever is chosen next", integer=["k", "n"], where=[
        "eps > 0", "lam >= 0", "k >= 1", "n >= 1", *a_step])
    .lemma("chord", "sinh(eps)*exp(lam*eps*u) + sinh(lam*eps)*exp(-eps*u) <= sinh((lam + 1)*eps)",
           ["eps > 0", "lam >= 0", "-1 <= u", "u <= 1"])
    .lemma("two-point", "p*exp(y) + (1 - p)*exp(-y) <= exp((2*p - 1)*y + y^2/2)", ["0 <= p <= 1"])
    .start(sinh(eps) * over(mass[x] * exp(lam * eps * part[x]))
           + sinh(lam * eps) * over(mass[x] * exp(-eps * part[x])))
    .le(sinh((lam + 1) * eps) * over(mass[x]),
        "given the past, the next mechanism is some eps-DP one, whichever rule chose it: outcome by "
        "outcome its moments lie below a chord", by=use("chord", u=part[x]))
    .start("(sinh((lam + 1)*eps) - sinh(lam*eps))/sinh(eps)")
    .eq("exp(eps)/(exp(eps) + 1)*exp(lam*eps) + (1 - exp(eps)/(exp(eps) + 1))*exp(-lam*eps)",
        "both laws have mass 1: so the moment is at most that of a randomised response")
    .le("exp(lam*eps*(exp(eps) - 1)/(exp(eps) + 1) + (lam*eps)^2/2)",
        by=use("two-point", p="exp(eps)/(exp(eps) + 1)", y="lam*eps"))
    .lemma("one more step", "y <= b^(k + 1)", ["b > 0", "k >= 1", "x <= b^k", "y <= b*x"], integer=["k"])
    .cite("the bound does not depend on the past, so each step multiplies the moment by no more than it",
          "conditional expectations, one step after the other")
)

chernoff = (
    Derivation("From moments to the tail", integer=["n"], where=[
        "lam >= 0", "n >= 1", ge(mass[x], zero), ge(taken[x], zero), le(taken[x], one),
        ge(taken[x] * above[x], zero)])
    .start(over(mass[x] * taken[x]))
    .le(over(mass[x] * exp(lam * above[x])),
        "the outcomes whose loss exceeds a threshold, by w: Markov's inequality")
)
best_exponent = (
    Derivation("The threshold, y above k times the mean m", where=[
        "eps > 0", "lam >= 0", "k >= 1", "y >= 0", "0 < slack <= 1"], integer=["k"])
    .start("-lam*(k*m + y) + k*(lam*m + lam^2*eps^2/2)")
    .eq("-lam*y + k*lam^2*eps^2/2", "k steps")
    .choose("lam", "y/(k*eps^2)", "the best one")
    .eq("-y^2/(2*k*eps^2)")
    .lemma("enough", "exp(-y^2/(2*k*eps^2)) <= slack",
           ["eps > 0", "k >= 1", "0 < slack", "slack <= 1", "y >= eps*sqrt(2*k*log(1/slack))"])
)
from_the_tail = (
    Derivation("From the tail to privacy; h is the probability of a loss beyond E", integer=["n"], where=[
        "n >= 1", ge(mass[x], zero), ge(taken[x], zero), le(taken[x], one)])
    .lemma("likely", "a*(1 - exp(-w)) <= 0", ["a >= 0", "w <= 0"])
    .lemma("unlikely", "a*(1 - exp(-w)) <= a", ["a >= 0"])
    .start(over(mass[x] * (taken[x] * (1 - exp(-above[x])))))
    .le(over(mass[x] * taken[x]),
        "of any set, outcomes up to the threshold gain nothing, and the others at most their mass: "
        "P(S) - e^E Q(S) is at most the mass of the others, h")
)

j, m = symbol("j"), symbol("m")
#: the mass of at most m answers against their favour: that of the losses from (k - 2m) eps on
tail = Sum(weight, (j, 0, m)) / normaliser
smallest = (k - 2 * m) * eps
tilted = exp(2 * lam * eps * (m - j))
#: with a maximum that changes nothing, so that the sum is cut before it is added up
lifted = weight * Max(0, tilted)
one_moment, exponent = mgf(eps), lam**2 * eps**2 / 2 + lam * eps * tanh(eps / 2)
chernoff_bound = exp(k * lam**2 * eps**2 / 2 + lam * (mean - smallest))
beyond_the_mean = printed_total - mean
best = beyond_the_mean / (k * eps**2)
textbook = eps * sqrt(2 * k * log(1 / slack))


def up_to_one(proof: Derivation) -> Derivation:
    """Up to eps = 1 the printed deviation is at least that of the textbook."""
    return (
        proof
        .state("tanh(eps/2) <= exp(eps) - 1", label="means")
        .lemma("roots", "x*sqrt(y) <= sqrt(x*y)", where=["0 <= x <= 1", "y >= 0"])
        .state("0 <= log(1/slack)", label="logarithm")
        .state(le(textbook, sqrt(eps * (2 * k * log(1 / slack)))),
               by=["logarithm", use("roots", x=eps, y=2 * k * log(1 / slack))], label="deviations")
        .state(ge(beyond_the_mean, textbook), by=["means", "deviations"], label="far")
        .state(ge(best, 0), by="far", label="lambda")
        .lemma("enough", "exp(-y^2/(2*k*eps^2)) <= slack",
               ["eps > 0", "k >= 1", "0 < slack", "slack <= 1", "y >= eps*sqrt(2*k*log(1/slack))"])
        .lemma("further", "exp(c + y*(z - b)) <= exp(c + y*(z - a))", ["y >= 0", "a <= b"])
        .start(tail)
        .le(chernoff_bound.subs(lam, best), by=["lambda", use("chernoff", lam=best)])
        .le(exp(k * best**2 * eps**2 / 2 + best * (mean - printed_total)), by=["lambda", use(
            "further", y=best, z=mean, a=printed_total, b=smallest, c=k * best**2 * eps**2 / 2)])
        .eq(exp(-(beyond_the_mean**2) / (2 * k * eps**2)))
        .le(slack, by=["far", use("enough", y=beyond_the_mean)])
    )


def beyond_one(proof: Derivation) -> Derivation:
    """Beyond, no loss is more than k eps, and that is less than the printed epsilon."""
    return (
        proof
        .state("0 <= log(1/slack)", label="logarithm")
        .state("eps <= eps*(exp(eps) - 1)", label="one")
        .state(le(k * eps, printed_total), by=["logarithm", "one"], label="all")
        .state(le(smallest, k * eps))
        .state(le(tail, slack), by="all")
    )


survives = (
    Derivation("With the printed deviation", integer=["k", "m"], where=[
        "eps > 0", "0 < slack <= 1", "k >= 1", "0 <= m", "m <= k", "lam >= 0", gt(smallest, printed_total)])
    .lemma("two-point", le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)), where=["0 <= p <= 1"])
    .lemma("powers", "x^k*y <= z^k*y", where=["x > 0", "z >= x", "y > 0", "k >= 1"], integer=["k"])
    .start(one_moment)
    .le(exp((2 * (exp(eps) / (exp(eps) + 1)) - 1) * (lam * eps) + (lam * eps) ** 2 / 2),
        by=use("two-point", p=exp(eps) / (exp(eps) + 1), x=lam * eps))
    .eq(exp(exponent))
    .conclude(le(one_moment, exp(exponent)), label="one step")
    .state(ge(Sum(lifted, (j, m + 1, k)), 0), label="others")
    .start(tail)
    .le(Sum(lifted, (j, 0, m)) / normaliser, "outcome by outcome")
    .le(Sum(lifted, (j, 0, m)) / normaliser + Sum(lifted, (j, m + 1, k)) / normaliser, "more outcomes", by="others")
    .eq(Sum(lifted, (j, 0, k)) / normaliser, "all of them")
    .eq(Sum(weight * tilted, (j, 0, k)) / normaliser, "an exponential is positive")
    .eq(one_moment**k * exp(-lam * smallest), "the binomial theorem")
    .le(exp(exponent) ** k * exp(-lam * smallest),
        by=["one step", use("powers", x=one_moment, z=exp(exponent), y=exp(-lam * smallest))])
    .eq(chernoff_bound)
    .conclude(le(tail, chernoff_bound), label="chernoff")
    .cases(le(tail, slack), ("eps <= 1", up_to_one), ("eps > 1", beyond_one))
)

proof = SourceProof(
    note.theorem("3.20"), "The proof of advanced composition",
    (printed_losses, bounded, printed_mean, printed_tail, reduction),
    # and its end: the textbook's theorem itself, for the worst case of all mechanisms
    (bounded, adaptive, chernoff, best_exponent, from_the_tail, survives, reduction, inside_advanced),
    supports=("note/lem-3.18.bounded", "note/lem-3.17.reduction", "note/thm-3.20.tail.survives"))
