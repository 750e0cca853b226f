r"""Geometric noise on a count that differs by one is randomised response in disguise."""

from sympy import Abs, Expr, Sum, exp

from symdp.formulas.notation import eps, k, symbol
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.theorem import (
    delta_i,
    epsilon_i,
    i,
    j,
    likely,
    natural,
    unlikely,
)
from symdp.sources.beyond import MAPS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import (
    Identity,
    Optimality,
    Space,
    Statement,
    Structural,
    positive,
    positive_integer,
    real,
)

m, n = symbol("m"), symbol("n")
integer = Space(real.interval, integer=True)
low_weight, high_weight = symbol("w_0"), symbol("w_1")
scale = (1 - exp(-eps)) / (1 + exp(-eps))


def noisy(answer: Expr, count: Expr) -> Expr:
    """The probability of an answer where the count is the true one."""
    return scale * exp(-eps * Abs(answer - count))


#: an answer m below the first count, and one m above the second; both equations, with free weights
ratios = eq(
    low_weight * noisy(n - m, n) + high_weight * (exp(eps) * noisy(n + 1 + m, n)),
    low_weight * (exp(eps) * noisy(n - m, n + 1)) + high_weight * noisy(n + 1 + m, n + 1),
)

far = scale * exp(-eps * m)
signs = (
    Derivation("Below the first count, and above the second", where=["eps > 0", "m >= 0"], integer=["m"])
    .state("abs(m) == m", label="near")
    .state("abs(m + 1) == m + 1", label="far")
    .start(ratios.left)
    .eq(low_weight * far + high_weight * (exp(eps) * (scale * exp(-eps * (m + 1)))), by=["near", "far"])
    .eq(low_weight * (exp(eps) * (scale * exp(-eps * (m + 1)))) + high_weight * far)
    .eq(ratios.right, by=["near", "far"])
)

printed = (
    Derivation("Appendix C, as printed: the ratios", where=["eps > 0", "m >= 0"], integer=["m", "n"])
    .state(eq(scale, (exp(eps) - 1) / (exp(eps) + 1)), "the law of the noise, as Section 4.2 writes it")
    .state("abs(m) == m", label="near")
    .state("abs(m + 1) == m + 1", label="far")
    .start(noisy(n - m, n))
    .eq(exp(eps) * noisy(n - m, n + 1), "an answer of at most q(D_0), m below it", by=["near", "far"])
    .start(exp(eps) * noisy(n + 1 + m, n))
    .eq(noisy(n + 1 + m, n + 1), "an answer of more than q(D_0), m above q(D_1)", by=["near", "far"])
)

#: a = e^{-eps}; the letters 1 and 2 of randomised response have masses 1/(1 + a) and a/(1 + a)
both_ways = (
    Derivation("Maps in both directions; a is e^(-eps), and m counts from the nearer of the two counts",
               where=["0 < a", "a < 1", "m >= 0"], integer=["m"])
    .state("(1/(1 + a))*((1 - a)*a^m) == (1 - a)/(1 + a)*a^m",
           "from the letter 1, the answer q(D_0) - m with probability (1 - a) a^m: its law under D_0")
    .state("(a/(1 + a))*((1 - a)*a^m) == (1 - a)/(1 + a)*a^(m + 1)",
           "and under D_1; from the letter 2 the same upwards from q(D_1), with the laws exchanged")
    .state(eq(Sum((1 - symbol("a")) * symbol("a") ** j, (j, 0, m)), 1 - symbol("a") ** (m + 1)),
           "these probabilities add up to 1: up to m they lack a^(m + 1), which tends to 0")
    .state("(1 - a)/(1 + a)*(1 - a^(m + 1))/(1 - a) == 1/(1 + a) - a^(m + 1)/(1 + a)",
           "back: the answers up to q(D_0) together have the mass of the letter 1 under D_0, in the limit")
    .cite("a map in each direction: neither region is larger than the other", "kov/thm-2.4")
)

exact = Sum(likely, (j, 0, i - 1)) - exp(epsilon_i) * Sum(unlikely, (j, 0, i - 1))
composed = (
    Derivation("k geometric mechanisms", where=["eps > 0", "k >= 1", "i >= 0", "2*i <= k"],
               integer=["k", "i"])
    .cite("each step can be exchanged for a randomised response without delta, and back",
          "kov/app-c.equivalence")
    .start(exact)
    .eq(delta_i, "the shifts of k responses at (k - 2i) eps")
)

largest = (
    Derivation("Nothing is larger", where=["eps > 0", "k >= 1", "i >= 0", "2*i <= k"], integer=["k", "i"])
    .cite("k adaptive (eps, 0)-DP mechanisms are ((k - 2i) eps, delta_i)-DP for all i up to k/2: their "
          "region lies in (5)", "kov/thm-3.3.guarantee")
    .cite("and k randomised responses reach it", "kov/thm-3.3.achievable")
    .start(exact)
    .eq(delta_i, "with equality at each of the slopes")
)

geometric_noise = Statement(
    place=kov.appendix("C"),
    title="Geometric noise on counting queries",
    beyond=MAPS,
    hypotheses=(
        r"$q(D_0)=n$ and $q(D_1)=n+1$; the noise $z$ has probability "
        r"$\frac{1-e^{-\varepsilon}}{1+e^{-\varepsilon}}e^{-\varepsilon|z|}$."
    ),
    variables={eps: positive, k: positive_integer, i: natural, m: natural, n: integer,
               low_weight: real, high_weight: real},
    claims=(
        Identity(
            "ratios",
            r"$P_0(x)=e^\varepsilon P_1(x)$ for $x\le q(D_0)$ and $e^\varepsilon P_0(x)=P_1(x)$ for "
            r"$x>q(D_0)$; here with $x=n-m$ and $x=n+1+m$, and free weights for the two equations",
            ratios,
            derivation=signs,
        ),
        Structural(
            "equivalence",
            r"the region is that of the pair (17), (18) with $\delta=0$: there are maps in both directions",
            examples=(Example("geometric-region", {"exponential": "2", "k": 1}),),
            derivation=both_ways,
        ),
        Identity(
            "k-fold",
            r"for $k$ queries that all differ by one, the region is (5) with $\delta=0$: its shifts are "
            r"the $\delta_i$; on the left are the masses of the best sets",
            eq(exact, delta_i),
            where=(le(2 * i, k),),
            printed_at="Appendix C, second paragraph",
            examples=tuple(Example("geometric-region", {"exponential": "2", "k": c}) for c in (2, 3)),
            derivation=composed,
        ),
        Optimality(
            "largest",
            r"(5) with $\delta=0$ is the largest region that $k$ $(\varepsilon,0)$-DP mechanisms have",
            printed_at="Appendix C, second paragraph",
            examples=tuple(Example("corners-are-the-region", {"exponential": "2", "delta": "0", "k": c})
                           for c in (1, 2, 3)),
            derivation=largest,
        ),
    ),
    cites=("ghosh2012universally",),
)

proof = SourceProof(
    kov.appendix("C"), "The analysis of the geometric mechanism", (printed, both_ways, composed, largest),
    (signs, both_ways, composed, largest),
    supports=("kov/app-c.ratios", "kov/app-c.equivalence", "kov/app-c.k-fold", "kov/app-c.largest"))
