r"""Appendix C.1 line by line: the box, Lemma 1 and the two choices, as printed and repaired."""

from symdp.formulas.relation import eq, lt
from symdp.literature.kov import kov
from symdp.literature.kov.noise.johnson_lindenstrauss import (
    answer_of_identity,
    new_derivation,
    old_derivation,
    old_total,
    order_of_new,
    order_of_old,
    q,
    where_larger,
)
from symdp.literature.kov.noise.proof_of_lemma_1 import private, private_with_half, useful
from symdp.privacy.johnson_lindenstrauss.parameters import (
    delta_0,
    eps_0,
    lemma_noise,
    new_choice,
    noise,
    old_choice,
    printed_box,
    rows_needed,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof

usual = ["eps > 0", "0 < delta <= 1", "r >= 1"]

printed_box_lines = (
    Derivation("Appendix C.1, as printed: the box", where=[
        *usual, "0 < nu < 1", "0 < eta <= 1", "n >= 3", "s >= 1", "s < n", "0 < w", "w < n", "q > 0"],
        integer=["r", "n", "s"])
    .state(eq(printed_box["r"], rows_needed), "the number of rows, in the box and in Lemma 1")
    .state(eq(printed_box["w"], noise("old")), "the weight, in the box and by Lemma 1 for (31)")
    .state(eq(answer_of_identity, q), "for an identity matrix the query returns the cut")
    .state("eta*(w*s*(n - s)/(n - w)) <= 2*s*eta*w", "the additive error of Lemma 1, for all w below n")
)
printed_choices = (
    Derivation("Appendix C.1, as printed: the choices", where=["0 < eps < 1", *usual[1:]], integer=["r"])
    .start(old_total)
    .le("eps", "the choice for (31), in Theorem 3.2")
    .state(lt(old_choice[0], new_choice[0]), "the new level need not be as small")
)
printed_new = (
    Derivation("Appendix C.1, as printed: the noise", where=usual, integer=["r"])
    .start(lemma_noise.subs({eps_0: new_choice[0], delta_0: new_choice[1]}))
    .le("4*sqrt(4*r*log(e + 2*eps/delta))*log(4*r/delta)/eps", "the noise of the choice for (32)")
)

proof = SourceProof(
    kov.at("app-c.1", "Appendix C.1"), "Cut queries of a graph",
    (private, printed_box_lines, printed_choices, new_derivation, printed_new, order_of_old, order_of_new),
    (private, private_with_half, useful, old_derivation, where_larger,
     new_derivation, order_of_old, order_of_new),
    supports=("kov/app-c.1.box-r.corrected", "kov/app-c.1.old-choice-derivation.corrected",
              "kov/app-c.1.not-as-small.corrected", "kov/lem-1.privacy",
              "kov/lem-1.privacy.sharper", "kov/lem-1.utility.corrected", "kov/eq-31.order",
              "kov/eq-32.order"))
