r"""Section 7 line by line: as printed, and repaired from the laws of randomised response to Theorem 3.4."""

from sympy import Expr, exp, log

from symdp.formulas.notation import eps, eps_total, lam, p, slack, x
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.tangents_of_a_region import (
    best_set_touches,
    every_set_above,
)
from symdp.literature.kov.simplified_composition.chain_to_delta import (
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
    substitution,
)
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    averaged,
    change_of_measure,
    excess,
    exponent,
    mgf,
    tilted,
    two_point,
)
from symdp.literature.kov.simplified_composition.entries_of_the_minimum import pure_below_slack
from symdp.literature.kov.simplified_composition.moment_bound import equal_steps
from symdp.literature.kov.simplified_composition.theorem import (
    first_entry,
    second_entry,
    third_entry,
)
from symdp.literature.kov.simplified_composition.worst_case_pair_composed import (
    largest_set,
    split_by_words,
    three_identities,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof

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

#: the other choice of epsilon, and how (24) leads to the theorem; h is the pure part
last_paragraph = (
    Derivation("Section 7, the last paragraph as printed", where=[*usual, "0 <= delta <= 1", "0 <= h <= slack"],
               integer=["k"])
    .start(inserted(fraction, classic))
    .lt(slack, "similarly, with the logarithm of 1/slack")
    .start("1 - (1 - delta)^k + (1 - delta)^k*h")
    .le("1 - (1 - delta)^k*(1 - slack)", "(24): the composition is private with that delta")
)

#: the second entry of the minimum, up to the pure part; the whole of it is with Theorem 3.4
repaired = pure_below_slack(equal_steps, "The chain of Section 7, from the laws", logarithmic)

proof = SourceProof(
    kov.section("7"), "The proof of simplified composition",
    # (23), the set B, its two parts, (24), (25), the moments inserted, and every line after that
    (every_set_above, best_set_touches, largest_set, three_identities, split_by_words, change_of_measure,
     averaged("lam > 0"), substitution, printed, last_paragraph),
    (repaired, first_entry, second_entry, third_entry),
    supports=("kov/sec-7.chain-substitution", "kov/sec-7.chain-substitution.sharper", "kov/thm-3.4.linear-branch",
              "kov/thm-3.4.log-branch", "kov/thm-3.4.classic-branch"))
