r"""The proof of heterogeneous composition: the same chain, with sums over the steps."""

from sympy import E, Expr, IndexedBase, Integer, Max, Product, Rational, Sum, exp, log, sqrt

from symdp.formulas.notation import eps_total, k, lam, slack, symbol, x
from symdp.formulas.relation import eq, ge, gt, le
from symdp.literature.kov import kov
from symdp.literature.kov.composition.heterogeneous_composition import (
    first_entry,
    second_entry,
    third_entry,
)
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    entropy,
    excess,
    exponent,
    mgf,
    tilted,
)
from symdp.sources.beyond import NAMES
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import (
    Guarantee,
    Identity,
    Inequality,
    Statement,
    Structural,
    positive,
    positive_integer,
    real,
    unit,
)
from symdp.sources.subject import AnySequence, mean_sum, square_sum, survival

eps_l, eps_1, eps_2 = symbol("eps_l"), symbol("eps_1"), symbol("eps_2")
earlier = symbol("M")
z, l_, c, y = symbol("z"), symbol("l"), symbol("c"), symbol("y")

total_delta = 1 - (1 - slack) * survival
printed_root = mean_sum + sqrt(2 * square_sum * log(E + sqrt(square_sum / slack)))
logarithmic = mean_sum + sqrt(2 * square_sum * log(E + sqrt(square_sum) / slack))
classic = mean_sum + sqrt(2 * square_sum * log(1 / slack))

choice = (eps_total - mean_sum) / square_sum
chosen = mean_sum + square_sum * lam
inserted_moment = exp(
    mean_sum * lam + Rational(1, 2) * lam**2 * square_sum - lam * eps_total + entropy
)
last = exp(-((eps_total - mean_sum) ** 2) / (2 * square_sum)) / (1 + choice)


def one_more(loss: Expr) -> Expr:
    """The moment after one more step: the earlier one, tilted by either answer."""
    return (exp(loss) * (earlier * exp(lam * loss)) + earlier * exp(-lam * loss)) / (1 + exp(loss))


epsilon = IndexedBase("eps")
#: the product over the steps, which is where the sums of the theorem come from
moments_of_all_steps = (
    Derivation("The moments of all steps", where=["k >= 1", "lam > 0", gt(epsilon[l_], Integer(0))],
               integer=["k"])
    .start(Product(mgf(epsilon[l_]), (l_, 1, k)))
    .le(Product(exp(exponent(epsilon[l_])), (l_, 1, k)), "step by step")
    .eq(exp(Sum(exponent(epsilon[l_]), (l_, 1, k))))
)

logarithm = log(E + sqrt(square_sum) / slack)
fifth = 1 / (1 + sqrt(2 * square_sum * logarithm) / square_sum) * (1 / (E + sqrt(square_sum) / slack))

#: Section 8 as printed, after (27)
printed = (
    Derivation("Section 8, as printed", where=[
        "lam > 0", "eps_1 > 0", "eps_2 > 0", "eps_l > 0", "square_sum > 0", "mean_sum > 0",
        "0 < slack <= 1"])
    .state(le(excess(z), tilted(z)), "the last line of (27), at a loss z")
    .state(eq(mgf(eps_1) * mgf(eps_2), mgf(eps_1) ** 2), "the moment of two steps as a power")
    .state(le(mgf(eps_l), exp(exponent(eps_l))), "the moment of one step")
    .start(inserted_moment.subs(eps_total, chosen))
    .le(last.subs(eps_total, chosen), "the chosen lambda")
    .start(last.subs(eps_total, printed_root))
    .le(slack, "the printed epsilon is substituted")
    .start(last.subs(eps_total, classic))
    .le(slack, "the other epsilon")
)

#: outcomes x of the responses, given that no delta strikes: their masses under the first law, and their losses
weight, loss_of, n = IndexedBase("w"), IndexedBase("z"), symbol("n")
not_negative = ge(weight[x], Integer(0))


def over_outcomes(term: Expr) -> Expr:
    return Sum(term, (x, 1, n))


#: Under the first law an outcome of B_1 has the mass survival*w, under the second that times exp(-z); those of
#: B_0 are shown by the first law alone.
shift_of_outcomes = 1 - survival + over_outcomes(
    Max(0, survival * weight[x] - exp(eps_total) * (survival * weight[x] * exp(-loss_of[x]))))
split_shift = 1 - survival + over_outcomes(weight[x] * excess(loss_of[x])) * survival
split_by_outcomes = (
    Derivation("The shift of all outcomes", integer=["n"],
               where=["n >= 1", "0 <= survival", "survival <= 1", not_negative])
    .lemma("one outcome", eq(Max(0, survival * c - exp(eps_total) * (survival * c * exp(-y))),
                             c * excess(y) * survival),
           where=["0 <= survival", "c >= 0"])
    .start(shift_of_outcomes)
    .eq(1 - survival + over_outcomes(weight[x] * excess(loss_of[x]) * survival), "outcome by outcome",
        by=use("one outcome", c=weight[x], y=loss_of[x]))
    .eq(split_shift)
    .conclude(eq(shift_of_outcomes, split_shift))
)
chernoff_of_outcomes = le(
    over_outcomes(weight[x] * excess(loss_of[x])), over_outcomes(weight[x] * tilted(loss_of[x])))
added_up = (
    Derivation("The expectation, outcome by outcome", where=["n >= 1", "lam > 0", not_negative], integer=["n"])
    .start(over_outcomes(weight[x] * excess(loss_of[x])))
    .le(over_outcomes(weight[x] * tilted(loss_of[x])), "outcome by outcome")
    .conclude(chernoff_of_outcomes)
)
outcomes = (
    r"Given that no $\delta_\ell$ strikes, the $n=2^k$ outcomes $x$ of the randomised responses have the masses "
    r"$w_x$ "
    r"under the first law and the losses $z_x$, so that $w_xe^{-z_x}$ are those under the second."
)

equation_26 = Statement(
    place=kov.equation("26"),
    title="The shift splits, with a product in the place of a power",
    hypotheses=outcomes + r" None strikes with probability $\prod_\ell(1-\delta_\ell)$.",
    variables={survival: unit, eps_total: real, n: positive_integer},
    claims=(
        Identity(
            "split",
            r"the sum of the positive parts over all outcomes is $1-\prod_\ell(1-\delta_\ell)$, of those that the "
            r"first law alone shows, and $\prod_\ell(1-\delta_\ell)$ times the same for the responses; for all "
            r"masses "
            r"and losses",
            eq(shift_of_outcomes, split_shift),
            each=(not_negative,),
            derivation=split_by_outcomes,
        ),
    ),
)

equation_27 = Statement(
    place=kov.equation("27"),
    title="The pure part is bounded by a moment of the loss",
    hypotheses=outcomes + r" $Z$ takes the value $z_x$ with probability $w_x$.",
    variables={eps_total: real, lam: positive, n: positive_integer},
    claims=(
        Inequality(
            "chernoff",
            r"the expectation, with the indicator as a maximum with 0, is at most the exponential moment, for all "
            r"masses "
            r"and losses and every $\lambda>0$",
            chernoff_of_outcomes,
            each=(not_negative,),
            derivation=added_up,
        ),
        Inequality(
            "chernoff.at-zero",
            r"and at $\lambda=0$, where the exponential is 1",
            le(over_outcomes(weight[x] * excess(loss_of[x])), over_outcomes(weight[x])),
            each=(not_negative,),
            derivation=Derivation("No outcome adds more than its mass", where=["n >= 1", not_negative], integer=["n"])
            .start(over_outcomes(weight[x] * excess(loss_of[x])))
            .le(over_outcomes(weight[x]), "outcome by outcome")
            .conclude(le(over_outcomes(weight[x] * excess(loss_of[x])), over_outcomes(weight[x]))),
            role="sharper",
            improves="chernoff",
            because=r"the formula has no value at $\lambda=0$, which the text allows; it is read as its limit",
        ),
    ),
)

proof_of_heterogeneous_composition = Statement(
    place=kov.section("8"),
    title="The proof of heterogeneous composition",
    beyond=NAMES,
    hypotheses=(
        r"Step $\ell$ is a randomised response with $\varepsilon_\ell$, and fails with probability "
        r"$\delta_\ell$."
    ),
    variables={
        eps_l: positive, eps_1: positive, eps_2: positive, eps_total: real, lam: positive,
        mean_sum: positive, square_sum: positive, slack: unit, earlier: positive,
    },
    formulas={"epsilon in total": logarithmic, "delta in total": total_delta},
    claims=(
        Structural(
            "pmf",
            r"the masses of the $\ell$-th pair have the ratio $e^{\varepsilon\ell}$, with $\ell$ beside "
            r"$\varepsilon$ and not below it; looked at where all $\varepsilon_\ell$ are one $\varepsilon$",
            printed_at="Section 8, heterogeneous pair",
            examples=(
                Example("pair-is-worst", {"ratio": 2, "exponential": 2, "delta": Rational(1, 10)}),
                Example("pair-is-worst", {"ratio": 4, "exponential": 2, "delta": Rational(1, 10)}),
            ),
        ),
        Structural(
            "pmf.corrected",
            r"with the ratio $e^{\varepsilon_\ell}$ it is exactly $(\varepsilon_\ell,\delta_\ell)$-DP",
            role="corrected",
            improves="pmf",
            because=(
                r"the index slipped from below $\varepsilon$ to its side, a misprint that the rest of "
                r"the section does not repeat"
            ),
            examples=(Example("pair-is-worst"),),
        ),
        Identity(
            "mgf-power",
            r"the moment of the whole loss is the $k$-th power of that of step $\ell$; at $k=2$, $\ell=1$",
            eq(mgf(eps_1) * mgf(eps_2), mgf(eps_1) ** 2),
            printed_at="Section 8, moment generating function of Z",
        ),
        Identity(
            "mgf-power.corrected",
            r"each step multiplies the moment $M$ of the steps before it by its own, so that by induction the whole "
            r"is the product over $\ell$",
            eq(one_more(eps_l), earlier * mgf(eps_l)),
            variables={lam: real},
            role="corrected",
            improves="mgf-power",
            because=(
                r"the steps have different laws, and so different moments: a product, not a power; the "
                r"sums that follow are those of the product, and the theorem survives"
            ),
        ),
        Guarantee(
            "target",
            r"the printed $\tilde\varepsilon$, with $\tilde\delta$ inside of the root, is enough",
            epsilon=printed_root,
            delta=total_delta,
            subject=AnySequence(),
            printed_at="Section 8, choice of epsilon-tilde",
        ),
        Guarantee(
            "target.corrected",
            r"with $\tilde\delta$ outside of the root it is enough",
            epsilon=logarithmic,
            delta=total_delta,
            subject=AnySequence(),
            derivation=second_entry,
            role="corrected",
            improves="target",
            because=(
                r"the root reaches too far: Theorem 3.5 has $\sqrt{\sum\varepsilon_\ell^2}/\tilde\delta$, "
                r"and that is what the proof gives"
            ),
        ),
        Inequality(
            "single-mgf",
            r"the moment of step $\ell$ is at most that of a normal law, for every real $\lambda$",
            le(mgf(eps_l), exp(exponent(eps_l))),
            variables={lam: real},
            printed_at="Section 8, single-letter moment bound",
        ),
        Inequality(
            "final",
            r"the inserted moment is at most the displayed bound at the chosen $\lambda$, that is at "
            r"$\tilde\varepsilon=m+\lambda\sum\varepsilon_\ell^2$ with $m$ the mean of the loss",
            le(inserted_moment.subs(eps_total, chosen), last.subs(eps_total, chosen)),
            printed_at="Section 8, last display",
        ),
        Guarantee(
            "classic",
            r"with the logarithm of $1/\tilde\delta$ the bound holds as well",
            epsilon=classic,
            delta=total_delta,
            subject=AnySequence(),
            derivation=third_entry,
            printed_at="Section 8, last sentence",
        ),
    ),
)

proof = SourceProof(
    kov.section("8"), "The proof of heterogeneous composition",
    (split_by_outcomes, added_up, moments_of_all_steps, printed),  # (26), (27), the moments, and what follows
    (first_entry, second_entry, third_entry),
    supports=("kov/thm-3.5.linear-branch", "kov/thm-3.5.log-branch", "kov/thm-3.5.classic-branch",
              "kov/sec-8.target.corrected", "kov/sec-8.classic"))
