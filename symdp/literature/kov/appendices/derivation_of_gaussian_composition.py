r"""Appendix B line by line: as printed, and repaired to Theorem 4.3 where it is true."""

from sympy import E, Expr, IndexedBase, Max, Rational, Sum, exp, log, pi, sqrt

from symdp.formulas.notation import Phi, delta, eps, k, lam, symbol
from symdp.formulas.relation import eq, ge, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import entropy
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.sources.derivations.derivation import Condition, Derivation, use
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.worst_case import needed_delta

Delta, sigma, distance = symbol("Delta"), symbol("sigma"), symbol("m")
p, q, member, x = symbol("p"), symbol("q"), symbol("s"), symbol("x")

#: the squared distance of the k-fold product, in units of the noise
size = k * Delta**2 / sigma**2


def curve(apart: Expr, epsilon: Expr = eps) -> Expr:
    """The mass of the best set less that under the other law, for two normal laws so far apart."""
    return Phi(apart / 2 - epsilon / apart) - exp(epsilon) * Phi(-apart / 2 - epsilon / apart)


moment = exp(distance**2 / 2 * lam**2 + distance**2 / 2 * lam - lam * eps + entropy)
tail_printed = exp(-(sigma**2) / (2 * k * Delta**2) * (eps - size / 2) ** 2) / (
    1 + sigma**2 / (k * Delta**2) * (eps - size / 2))
choice = sigma**2 / (k * Delta**2) * (eps - size / 2)
#: the first line of the chain, at any lambda
first_line = exp(size / 2 * lam**2 + size / 2 * lam - eps * lam + entropy)

#: E exp(-lam*Delta*X/sigma^2), for X normal of variance sigma^2, times the constant part of the loss
normal_moment = exp(sigma**2 / 2 * (-lam * Delta / sigma**2) ** 2) * exp(lam * Delta**2 / (2 * sigma**2))
normal_bound = exp(Delta**2 / (2 * sigma**2) * lam**2 + Delta**2 / (2 * sigma**2) * lam)

logarithm = log(E + 1 / delta * sqrt(size))
third = 1 / (1 + sqrt(2 * sigma**2 / (k * Delta**2) * logarithm)) * (1 / (E + 1 / delta * sqrt(size)))
fourth_printed = 1 / sqrt(size + sqrt(2 * logarithm)) * (
    delta / (E * delta * sqrt(sigma**2 / (k * Delta**2) + 1)))
fourth = 1 / (sqrt(size) + sqrt(2 * logarithm)) * (
    delta / (E * delta * sqrt(sigma**2 / (k * Delta**2)) + 1))
enough = size / 2 + sqrt(2 * k * Delta**2 / sigma**2 * logarithm)

target = log(E + eps / delta)
by_the_root = 4 * k * Delta**2 / eps**2 * target
by_the_mean, by_the_mean_repaired = k * Delta**2 / (4 * eps), 2 * k * Delta**2 / eps
sharpest_mean = (1 + 1 / sqrt(2)) * k * Delta**2 / eps
theorem_variance = 8 * k * Delta**2 * target / eps**2

usual = ["sigma > 0", "Delta > 0", "k >= 1", "eps > 0"]
advantage = p - exp(eps) * q

best_set = (
    Derivation("The set of large likelihood ratio", where=["p >= 0", "q >= 0", "0 <= s <= 1"])
    .state(le(member * advantage, Max(0, advantage)), "an outcome is taken, left, or taken in part")
    .lemma("inside of B", eq(Max(0, advantage), advantage), where=["p >= exp(eps)*q"])
    .lemma("outside of B", eq(Max(0, advantage), 0), where=["p < exp(eps)*q"])
    .cite("integrated over the outcomes, no set has more than B", "integration is monotone")
    .cite("a convex region is what its tangents leave", "kov/rem-6.1")
)

shift = IndexedBase("t")
full_shifts = (
    Derivation("Full shifts are the worst", where=[
        "k >= 1", "Delta > 0", le(shift[x], Delta), ge(shift[x], -Delta)], integer=["k"])
    .start(Sum(shift[x] ** 2, (x, 1, k)))
    .le(Sum(Delta**2, (x, 1, k)), "each query moves by at most its sensitivity")
    .eq(k * Delta**2)
    .conclude(le(Sum(shift[x] ** 2, (x, 1, k)), k * Delta**2), "so it is for shifts that are fixed in advance")
    .lemma("farther", le(curve(p), curve(q)), where=["p > 0", "q >= p", "eps >= 0"])
    .cite("given the answers before it, a step shows a normal law that is moved by at most Delta, whatever was "
          "chosen; "
          "at each slope its curve is below that of a law moved by Delta, so that a stochastic map makes its answer "
          "from "
          "such a law", "kov/thm-2.5, step by step")
    .cite("the maps of the steps, one after the other, make the whole view from k independent laws that are moved by "
          "Delta each; no rotation is needed, which would not cover shifts that depend on answers",
          "kov/eq-22.markov.sharper")
    .cite("k independent normal laws that are moved by Delta are one that is moved by sqrt(k) Delta",
          "rotation of the normal law, for fixed shifts")
)

averaged = (
    Derivation("The last line of (29)", where=["lam > 0", "m > 0"])
    .lemma("centred", "max(0, 1 - exp(-y)) <= exp(lam*y + lam*log(lam) - (lam+1)*log(lam+1))",
           where=["lam > 0"])
    .state("exp(-x^2/2)*(1 - exp(eps - (m^2/2 - m*x))) == exp(-x^2/2) - exp(eps)*exp(-(x-m)^2/2)",
           "the loss at x is m^2/2 - m*x")
    .state("exp(-x^2/2)*exp(lam*(m^2/2 - m*x)) == exp(lam*m^2/2 + lam^2*m^2/2)*exp(-(x+lam*m)^2/2)",
           "completing the square")
    .cite("the lemma at the loss of x, integrated against the normal density: on the left is the curve, on the "
          "right the "
          "moment, since a normal density has the integral 1 wherever its mean is", "integration is monotone")
)

#: where the loss is epsilon, under either law, in standard deviations from its mean
below, above = (eps - size / 2) / sqrt(size), (eps + size / 2) / sqrt(size)
factored = exp(-(below**2) / 2) * (exp(below**2 / 2) * Phi(-below) - exp(above**2 / 2) * Phi(-above))
mills = (
    Derivation("The first two lines", where=[*usual, gt(eps, size / 2)], integer=["k"])
    .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/y", where=["x > 0", "y > x"])
    .start(curve(sqrt(size)))
    .eq(factored)
    .le(exp(-(below**2) / 2) * ((above - below) / above), by=use("mills", x=below, y=above))
    .eq(tail_printed)
)

#: lambda is the choice where epsilon is k Delta^2/(2 sigma^2) + lambda k Delta^2/sigma^2
at_the_choice = size / 2 + size * lam
first_to_second = le(first_line.subs(eps, at_the_choice), exp(-size * lam**2 / 2) / (1 + lam))
inserted = (
    Derivation("The first line at the chosen "
               "lambda", where=["sigma > 0", "Delta > 0", "k >= 1", "lam > 0"], integer=["k"])
    .lemma("dropped", "lam*log(lam) - (lam + 1)*log(lam + 1) <= -log(1 + lam)", where=["lam > 0"])
    .start(first_line.subs(eps, at_the_choice))
    .eq(exp(-size * lam**2 / 2) * exp(entropy), "the completed square")
    .le(exp(-size * lam**2 / 2) / (1 + lam), "lam log(lam/(lam + 1)) is negative", by="dropped")
    .conclude(first_to_second)
)

third_line = (
    Derivation("The third line", where=[*usual, "0 < delta <= 1", ge(eps, enough)], integer=["k"])
    .lemma("beyond", "exp(-u^2/(2*v))/(1 + u/v) <= 1/(1 + sqrt(2*y/v))*exp(-y)",
           where=["v > 0", "y >= 1", "u >= sqrt(2*v*y)"])
    .state(ge(eps - size / 2, 0), "the deviation of the loss is not negative", label="sign")
    .start(tail_printed)
    .le(1 / (1 + sqrt(2 * logarithm / size)) * exp(-logarithm),
        by=["sign", use("beyond", u=eps - size / 2, v=size, y=logarithm)])
    .eq(third)
)


def both_conditions(mean: Expr, title: str) -> Derivation:
    """Two conditions on the variance give the condition on epsilon; the second is this one."""
    return (
        Derivation(title, where=[
            *usual, "0 < delta <= 1", ge(sigma**2, by_the_root), ge(sigma**2, mean)], integer=["k"])
        .lemma("product", "v*y <= eps^2/4", where=["v > 0", "z >= 1", "y <= z", "v*z <= eps^2/4"])
        .lemma("root", "sqrt(2*t) <= eps/sqrt(2)", where=["eps > 0", "t >= 0", "t <= eps^2/4"])
        .lemma("logarithms", "log(e + sqrt(v)/delta) <= log(e + eps/delta)",
               where=["v > 0", "0 < delta <= 1", "eps > 0", "v <= eps^2"])
        .state(le(size, eps**2 / (4 * target)), "the first condition", label="first")
        .state(le(size, eps**2), by="first", label="square")
        .state(le(logarithm, target), by=["square", use("logarithms", v=size)], label="logarithm")
        .state(le(size * target, eps**2 / 4), by="first", label="multiplied")
        .state(le(size * logarithm, eps**2 / 4), by=[
            "multiplied", "logarithm", use("product", v=size, y=logarithm, z=target)], label="under the root")
        .state(le(sqrt(2 * size * logarithm), eps / sqrt(2)), by=[
            "under the root", use("root", t=size * logarithm)], label="deviation")
        .state(le(size / 2, (1 - 1 / sqrt(2)) * eps), "the second condition", label="mean")
        .state(ge(eps, enough), by=["mean", "deviation"])
    )


#: Normal noise puts the laws eps/w apart: then these are the distances of the loss from epsilon, and this
#: is its delta, in units of the density there.
w = symbol("w")


def near(w: Expr) -> Expr:
    return w - eps / (2 * w)


def far(w: Expr) -> Expr:
    return w + eps / (2 * w)


def apart(w: Expr) -> Expr:
    return Phi(-near(w)) - exp(eps) * Phi(-far(w))


def density(w: Expr) -> Expr:
    return exp(-(near(w) ** 2) / 2)


def exponent(w: Expr) -> Expr:
    """The logarithm of exp(w^2/8) times the density."""
    return w**2 / 8 - near(w) ** 2 / 2


def ratio(x: Expr) -> Expr:
    """Mills' ratio, but for a constant: the tail of the normal law in units of its density."""
    return exp(x**2 / 2) * Phi(-x)


def in_units(w: Expr) -> Expr:
    return density(w) * (ratio(near(w)) - ratio(far(w)))


def from_below(x: Expr) -> Expr:
    return x / ((1 + x**2) * sqrt(2 * pi))


def lowered(w: Expr) -> Expr:
    """The delta with a lower bound in the place of its second term."""
    return Phi(-near(w)) - density(w) * from_below(far(w))


def normal_noise(title: str, where: list[Condition], needed: Expr, root: Expr) -> Derivation:
    """The delta of normal noise, written with w; the lemmas that bound it."""
    return (
        Derivation(title, where=where, integer=["k"])
        .cite("k Gaussian noises act as one, and shifts by all of Delta are the worst", "kov/app-b.wlog")
        .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/y", where=["x > 0", "y > x"])
        .lemma("from below", ge(ratio(x), from_below(x)), where=["x > 0"])
        .lemma("times", "x*y <= x*z", where=["x >= 0", "y <= z"])
        .lemma("divided", "x*y/z <= u",
               where=["z > 0", "u > 0", "x >= 0", "y >= 0", "c >= 0", "(c + y/u)*x <= z"])
        .lemma("in units", eq(apart(w), in_units(w)), where=["w > 0"])
        .state(eq(needed, apart(root)), "the laws are eps/w apart", label="apart")
    )


def by_mills(
    proof: Derivation, root: Expr, lemma: str, constant: Expr = E, label: str = "", power: bool = False
) -> Derivation:
    """That the delta is small enough, by Mills' ratio and a lemma on (c + eps/delta) exp(-near^2/2).

    ``power``: the lemma is about its logarithm.
    """
    tail = [use("power", x=exponent(root), y=root**2 + eps / 2)] if power else []
    bracket, quotient = ratio(near(root)) - ratio(far(root)), (far(root) - near(root)) / far(root)
    return (
        proof.state(gt(near(root), 0), "the mean of the loss is below epsilon", label="positive")
        .start(apart(root))
        .le(in_units(root), by=use("in units", w=root))
        .le(density(root) * quotient, by=[
            "positive", use("mills", x=near(root), y=far(root)),
            use("times", x=density(root), y=bracket, z=quotient)])
        .eq(density(root) * eps / (root**2 + eps / 2))
        .le(delta, "the two denominators multiply to at least 1/delta", by=[
            use(lemma, w=root), *tail,
            use("divided", x=density(root), y=eps, z=root**2 + eps / 2, u=delta, c=constant)])
        .conclude(le(apart(root), delta), label=label)
    )


def by_enclosure(proof: Derivation, root: Expr, lemma: str) -> Derivation:
    """The same where the loss may well be above epsilon; the lemma has been seen box by box."""
    bracket = ratio(near(root)) - ratio(far(root))
    less = ratio(near(root)) - from_below(far(root))
    return (
        proof.start(apart(root))
        .le(in_units(root), by=use("in units", w=root))
        .le(density(root) * less, by=[
            use("from below", x=far(root)), use("times", x=density(root), y=bracket, z=less)])
        .eq(lowered(root))
        .le(delta, by=["delta", use(lemma, w=root)])
        .conclude(le(apart(root), delta))
    )


root = sqrt(8 * target)
noise = Gaussian(variance=theorem_variance, sensitivity=Delta)
needed = needed_delta(noise, k, eps)
#: what is left to show: exp(w^2/8) is e + eps/delta
tail = le(exp(w**2 / 8) * density(w), w**2 + eps / 2)
least = eps / (exp(w**2 / 8) - E)

#: Theorem 4.3 where the mean and the deviation of the loss take half of epsilon each
theorem = (
    by_mills(
        normal_noise("Theorem 4.3, for epsilon up to 8 log(e + epsilon/delta)", [
            "eps > 0", "0 < delta <= 1", "k >= 1", "Delta > 0", le(eps, 8 * target)], needed, root)
        .lemma("half each", tail, where=["eps > 0", "w > 0", "w^2 >= 8", "eps <= w^2"]),
        root, "half each", label="small enough")
    .start(needed).eq(apart(root), by="apart").le(delta, by="small enough")
    .conclude(le(needed, delta))
)

#: for one pair: whatever k and Delta are, what is needed is the curve at that distance
one_pair = (
    normal_noise("Theorem 4.3, pair by pair", [
        "eps > 0", "0 < delta <= 1", "k >= 1", "Delta > 0", le(apart(root), delta)], needed, root)
    .start(needed).eq(apart(root), by="apart").le(delta)
    .conclude(le(needed, delta))
)

#: and where epsilon is at most 83.04, whatever delta is; at 83.05 it fails for some delta
large = "45 <= eps <= 83.04"
up_to_83 = (
    normal_noise("Theorem 4.3, for epsilon up to 83.04", [
        "0 < eps <= 83.04", "0 < delta <= 1", "k >= 1", "Delta > 0"], needed, root)
    .lemma("small epsilon", tail, where=["0 < eps <= 45", "2 <= w <= 8", "w^2/8 >= log(e + eps)"])
    .lemma("power", "exp(x) <= y", where=["y > 0", "x <= log(y)"])
    .lemma("small delta", le(exponent(w), log(w**2 + eps / 2)), where=["0 < eps <= 83.04", "w >= 8"])
    .lemma("large epsilon", le(lowered(w), least), where=[large, "6 <= w <= 8"])
    .lemma("both large", le(lowered(w), least), where=[large, "5.5 <= w <= 6", "w^2/8 >= log(e + eps)"])
    .state(eq(least.subs(w, root), delta), "what the logarithm is for", label="delta")
    .cases(
        le(apart(root), delta),
        (ge(target, 8), lambda proof: by_mills(proof, root, "small delta", power=True)),
        ([lt(target, 8), "eps <= 45"], lambda proof: by_mills(proof, root, "small epsilon")),
        ([lt(target, 8), ge(target, Rational("4.5")), "eps > 45"],
         lambda proof: by_enclosure(proof, root, "large epsilon")),
        ([lt(target, Rational("4.5")), "eps > 45"], lambda proof: by_enclosure(proof, root, "both large")),
        label="small enough",
    )
    .start(needed).eq(apart(root), by="apart").le(delta, by="small enough")
    .conclude(le(needed, delta))
)

#: Appendix B as printed, for a variance with which epsilon is large enough
printed = (
    Derivation("Appendix B, as printed", where=[*usual, "0 < delta <= 1", "lam > 0", ge(eps, enough)],
               integer=["k"])
    .state("max(0, 1 - exp(eps - x)) <= exp(lam*(x - eps) + lam*log(lam) - (lam+1)*log(lam+1))",
           "the inequality behind (29)")
    .start(normal_moment)
    .le(normal_bound, "its moment")
    .state(gt(choice, 0), "the chosen lambda is positive")
    .lemma("mills", "exp(x^2/2)*Phi(-x) - exp(y^2/2)*Phi(-y) <= (y - x)/y", where=["x > 0", "y > x"])
    .lemma("beyond", "exp(-u^2/(2*v))/(1 + u/v) <= 1/(1 + sqrt(2*y/v))*exp(-y)",
           where=["v > 0", "y >= 1", "u >= sqrt(2*v*y)"])
    .start(curve(sqrt(size)))
    .eq(factored)
    .le(exp(-(below**2) / 2) * ((above - below) / above), by=use("mills", x=below, y=above))
    .eq(tail_printed, "the second line; the first, (29) at this lambda, lies between")
    .le(third, "the third line", by=use("beyond", u=eps - size / 2, v=size, y=logarithm))
    .le(fourth_printed, "the fourth line")
    .lt(delta, "always less than delta")
)
printed_conditions = (
    Derivation("Appendix B, the conditions on the variance as printed", where=[
        *usual, "0 < delta <= 1", ge(sigma**2, by_the_root), ge(sigma**2, by_the_mean)], integer=["k"])
    .state(ge(eps, enough), "the two conditions together")
)

proof = SourceProof(
    kov.appendix("B"), "The proof of Gaussian composition",
    (best_set, full_shifts, averaged, inserted, printed, printed_conditions),
    (theorem, up_to_83), supports=("kov/app-b.only-need.sharper", "kov/thm-4.3.corrected"))
