r"""Section 7 line by line: as printed, and repaired from the laws of randomised response to Theorem 3.4."""

from sympy import Expr, Integer, Max, exp, log

from symdp.derivation import Derivation, use
from symdp.literature.kov import kov
from symdp.literature.kov.chain_to_delta import (
    choice,
    chosen,
    classic,
    dropped,
    fifth,
    first_exponent,
    fraction,
    inserted,
    logarithmic,
    printed_square,
    sixth,
    true_square,
)
from symdp.literature.kov.chernoff_bound_on_the_loss import (
    entropy,
    excess,
    exponent,
    loss,
    mean_of_tilted,
    mgf,
    moment,
    pure_part,
    tilted,
    two_point,
)
from symdp.notation import delta, eps, eps_total, k, lam, p, slack, x, y
from symdp.relation import eq, le, lt
from symdp.source_proof import SourceProof

usual = ["eps > 0", "k >= 1", "0 < slack <= 1"]
touching = eps_total + log((lam + 1) / lam)
gap = tilted(x) + exp(eps_total - x) - 1

def at_choice(expr: Expr) -> Expr:
    """A line at the epsilon for which lambda is the choice."""
    return inserted(expr, chosen)


#: every displayed line after (25), in the order of the print
printed = (
    Derivation("Section 7, as printed", where=[*usual, "lam > 0"], integer=["k"])
    .state(le(excess(x), tilted(x)), "the inequality behind (25)")
    .state(eq(gap.subs(x, touching), 0), "f vanishes at x*")
    .state(eq(gap.diff(x).subs(x, touching), 0), "and so does its slope")
    .state(eq(mgf(eps), mgf(eps_total)), "the moment generating function, printed with a tilde")
    .state(le(mgf(eps_total), exponent(eps_total)), "its bound, printed without an exponential")
    .lemma("two-point", le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)), where=["0 <= p <= 1"])
    .start(exp(first_exponent))
    .eq(exp(printed_square), "the completed square, lambda free")
    .start(exp(at_choice(first_exponent)))
    .eq(exp(at_choice(printed_square)), "the same at the chosen lambda")
    .le(exp(at_choice(dropped)))
    .le(at_choice(fraction))
    .start(inserted(fraction, logarithmic))
    .eq(fifth, "the chosen epsilon")
    .le(sixth)
    .lt(slack, "the right-hand side is always less")
)

#: from the exact laws to the bound, with the sign, the tilde and the exponential repaired
bound = (
    Derivation("The moment bound", where=[*usual, "lam > 0"], integer=["k"])
    .cite("every composition of (eps, delta)-DP mechanisms is dominated by randomised responses that fail "
          "with probability delta", "kov/thm-3.3")
    .lemma("centred", le(Max(0, 1 - exp(-y)), exp(lam * y + entropy)), where=["lam > 0"])
    .lemma("two-point", le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)), where=["0 <= p <= 1"])
    .lemma("powers", "x^k*y <= z^k*y", where=["x > 0", "z >= x", "y > 0", "k >= 1"], integer=["k"])
    .state(le(mgf(eps), exp(exponent(eps))), "one step", label="one step",
           by=use("two-point", p=exp(eps) / (exp(eps) + 1), x=lam * eps))
    .start(at_choice(pure_part))
    .le(at_choice(mean_of_tilted), "the lemma at each value of the loss less its threshold",
        by=use("centred", y=loss - chosen))
    .eq(at_choice(moment), "the binomial theorem")
    .le(exp(exponent(eps)) ** k * exp(at_choice(entropy - lam * eps_total)), "the steps are independent",
        by=["one step", use("powers", x=mgf(eps), z=exp(exponent(eps)),
                            y=exp(at_choice(entropy - lam * eps_total)))])
    .eq(exp(at_choice(first_exponent)))
    .eq(exp(at_choice(true_square)), "the completed square")
    .le(exp(at_choice(dropped)))
    .eq(at_choice(fraction))
    .conclude(le(at_choice(pure_part), at_choice(fraction)), label="bound")
)


def finished(title: str) -> Derivation:
    """The same steps under another title, to be continued."""
    return Derivation(title, bound.where, bound.integers, bound.steps)


#: the second entry of the minimum
repaired = (
    finished("Theorem 3.4, second entry")
    .start(inserted(pure_part, logarithmic))
    .le(inserted(fraction, logarithmic), "the chosen lambda",
        by=use("bound", lam=inserted(choice, logarithmic)))
    .eq(fifth)
    .eq(sixth)
    .lt(slack)
    .conclude(lt(inserted(pure_part, logarithmic), slack))
)

#: the third entry; at a slack of 1 there is nothing to show
repaired_classic = (
    finished("Theorem 3.4, third entry")
    .suppose("slack < 1")
    .start(inserted(pure_part, classic))
    .le(inserted(fraction, classic), "the chosen lambda", by=use("bound", lam=inserted(choice, classic)))
    .lt(slack)
    .conclude(lt(inserted(pure_part, classic), slack))
)

#: the first entry: no outcome has a larger loss
losses_add_up = (
    Derivation("Theorem 3.4, first entry", where=["eps > 0", "k >= 1"], integer=["k"])
    .start(inserted(pure_part, k * eps))
    .eq(Integer(0), "every term is 0")
)

#: how the pure part and the probability that some delta strikes make up the delta of the theorem
total = (
    Derivation("The delta of Theorem 3.4", where=["0 <= delta <= 1", "k >= 1", "0 <= x", "x <= slack"],
               integer=["k"])
    .start(1 - (1 - delta) ** k + (1 - delta) ** k * x)
    .le(1 - (1 - delta) ** k * (1 - slack), "the pure part x is at most the slack")
)

proof = SourceProof(
    kov.section("7"), "The proof of simplified composition", (printed,),
    (repaired, repaired_classic, losses_add_up, total), supports=("kov/sec-7.chain-substitution.sharper",))
