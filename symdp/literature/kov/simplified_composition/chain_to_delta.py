r"""From the moment bound to $\tilde\delta$: the chain of Section 7, line by line."""

from sympy import E, Expr, Rational, exp, log, sqrt

from symdp.formulas.notation import eps, eps_total, k, lam, slack
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import Relation, eq, gt, le, lt
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    entropy,
    exponent,
    mgf,
    moment,
)
from symdp.privacy.accounting import bounds
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Claim,
    Identity,
    Inequality,
    positive,
    unit_open,
    unit_positive,
)

ratio = (exp(eps) - 1) / (exp(eps) + 1)
mean = bounds.classic.mean()  # k eps (e^eps - 1)/(e^eps + 1)
size = k * eps**2
logarithm = log(E + sqrt(size) / slack)

#: the choice of lambda, read as the epsilon for which it is the choice
choice = (eps_total - mean) / size
chosen = mean + size * lam


def inserted(expr: Expr, epsilon: Expr) -> Expr:
    """The line with that epsilon for the whole composition."""
    return expr.subs(eps_total, epsilon)


first_exponent = ratio * lam * eps * k + Rational(1, 2) * lam**2 * eps**2 * k - lam * eps_total + entropy


def squared(sign: int) -> Expr:
    """The exponent of the second line, with that sign before the completed square."""
    return (
        sign * size / 2 * (lam - (eps_total - k * eps * ratio) / size) ** 2
        - (eps_total - mean) ** 2 / (2 * size)
        + lam * log(lam / (lam + 1)) - log(lam + 1)
    )


printed_square, true_square = squared(-1), squared(1)
dropped = -((eps_total - k * eps * ratio) ** 2) / (2 * size) - log(lam + 1)
fraction = exp(-((eps_total - k * eps * ratio) ** 2) / (2 * size)) / (1 + choice)


def fourth(sign: str) -> Relation:
    """The third and the fourth line as they are written, where the epsilon exceeds the mean by k eps^2 lam."""
    exponent = "-(k*eps^2*lam)^2/(2*(k*eps^2))"
    return parse_relation(f"exp({exponent} - log(lam + 1)) {sign} exp({exponent})/(1 + k*eps^2*lam/(k*eps^2))")


logarithmic, classic = bounds.logarithmic.closed_form(), bounds.classic.closed_form()
fifth = 1 / (1 + sqrt(2 * size * logarithm) / size) * (1 / (E + sqrt(size) / slack))
sixth = 1 / (sqrt(size) + sqrt(2 * logarithm)) * (slack / (E * slack / sqrt(size) + 1))

#: the largest value of (1 - exp(1 - y))/sqrt(2*y), rounded up in the fourth place
best = Rational("0.3532")

usual = ["eps > 0", "k >= 1", "lam > 0"]

substitution = (
    Derivation("The moment bound is inserted", where=usual, integer=["k"])
    .lemma("two-point", "p*exp(x) + (1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", where=["0 <= p <= 1"])
    .state(le(mgf(eps), exp(exponent(eps))), "the two atoms of the loss", label="one step",
           by=use("two-point", p=exp(eps) / (exp(eps) + 1), x=lam * eps))
    .lemma("powers", "x^k*y <= z^k*y", where=["x > 0", "z >= x", "y > 0", "k >= 1"], integer=["k"])
    .start(moment)
    .le(exp(exponent(eps)) ** k * exp(entropy - lam * eps_total), "the steps are independent",
        by=["one step", use("powers", x=mgf(eps), z=exp(exponent(eps)), y=exp(entropy - lam * eps_total))])
    .eq(exp(first_exponent))
)

sharper_constant = (
    Derivation("How far the last line is below the target", where=["eps > 0", "k >= 1", "0 < slack <= 1"],
               integer=["k"])
    .lemma("peak", "(1 - exp(1 - y))/sqrt(2*y) <= 0.3532", where=["y >= 1"])
    .start(sixth)
    .eq(slack * (1 - exp(1 - logarithm)) / (sqrt(size) + sqrt(2 * logarithm)))
    .le(slack * ((1 - exp(1 - logarithm)) / sqrt(2 * logarithm)), "the first root is dropped")
    .le(best * slack, by=use("peak", y=logarithm))
)

chain: tuple[Claim, ...] = (
    Inequality(
        "chain-substitution",
        r"the right-hand side of (25) is at most the first line, for every $\lambda>0$ and so for the "
        r"chosen one",
        le(moment, exp(first_exponent)),
        printed_at="Section 7, chain, first line",
        derivation=substitution,
    ),
    Identity(
        "square-free",
        r"the exponents of the first two lines agree as functions of $\lambda$",
        eq(first_exponent, printed_square),
        printed_at="Section 7, chain, second line, lambda free",
    ),
    Identity(
        "square-free.corrected",
        r"they agree with a plus sign before the completed square",
        eq(first_exponent, true_square),
        role="corrected",
        improves="square-free",
        because=(
            r"the sign of the completed square is reversed: $+\lambda^2 k\varepsilon^2/2$ in the first "
            r"line cannot become $-\lambda^2k\varepsilon^2/2$; the square vanishes at the chosen "
            r"$\lambda$, so the theorem survives"
        ),
    ),
    Identity(
        "square-chosen",
        r"they agree at the chosen $\lambda$, that is at $\tilde\varepsilon=m+k\varepsilon^2\lambda$ "
        r"with $m$ the mean of the loss",
        eq(inserted(first_exponent, chosen), inserted(printed_square, chosen)),
        printed_at="Section 7, chain, second line, at the chosen lambda",
    ),
    Inequality(
        "chain-drop",
        r"without a negative term and a square that is 0 the third line is larger, at the chosen $\lambda$",
        le(exp(inserted(printed_square, chosen)), exp(inserted(dropped, chosen))),
        printed_at="Section 7, chain, third line",
    ),
    Inequality(
        "chain-fraction",
        r"the logarithm becomes a factor, at the chosen $\lambda$",
        fourth("<="),
        printed_at="Section 7, chain, fourth line",
    ),
    Inequality(
        "chain-fraction.sharper",
        r"the two lines are equal",
        fourth("=="),
        role="sharper",
        improves="chain-fraction",
        because=r"$e^{-\log(1+\lambda)}=1/(1+\lambda)$; nothing is lost where $\le$ is printed",
    ),
    Identity(
        "chain-insert",
        r"the chosen $\tilde\varepsilon$ gives the fifth line",
        eq(inserted(fraction, logarithmic), fifth),
        printed_at="Section 7, chain, fifth line",
    ),
    Inequality(
        "chain-final",
        r"the fifth line is at most the sixth",
        le(fifth, sixth),
        printed_at="Section 7, chain, sixth line",
    ),
    Inequality(
        "chain-final.sharper",
        r"the two lines are equal",
        eq(fifth, sixth),
        role="sharper",
        improves="chain-final",
        because=r"both factors are multiplied out, by $\sqrt{k\varepsilon^2}$ above and below",
    ),
    Inequality(
        "less-log",
        r"the sixth line is less than $\tilde\delta$, wherever $\tilde\delta>0$ and the choice exists",
        lt(sixth, slack),
        printed_at="Section 7, sentence after the chain",
    ),
    Inequality(
        "less-log.sharper",
        r"the sixth line is at most $0.3532\,\tilde\delta$",
        le(sixth, best * slack),
        role="sharper",
        improves="less-log",
        because=(
            r"$(1-e^{1-y})/\sqrt{2y}$, with $y$ for the logarithm, is below that: the chain gives away a factor of "
            r"nearly three"
        ),
        derivation=sharper_constant,
    ),
    Inequality(
        "less-log.peak",
        r"that function of the logarithm is more than $0.3531$ at $y=2.93$",
        gt((1 - exp(1 - Rational("2.93"))) / sqrt(2 * Rational("2.93")), Rational("0.3531")),
        role="sharper",
        improves="less-log",
        because="so the factor $0.3532$ is right in its first three places",
    ),
    Inequality(
        "less-classic",
        r"with the logarithm of $1/\tilde\delta$ the fourth line is less than $\tilde\delta$",
        lt(inserted(fraction, classic), slack),
        printed_at="Section 7, last paragraph",
    ),
    Inequality(
        "less-classic.corrected",
        r"the same for $\tilde\delta<1$",
        lt(inserted(fraction, classic), slack),
        variables={slack: unit_open},
        role="corrected",
        improves="less-classic",
        because=(
            r"at $\tilde\delta=1$ both sides are 1, so that the bound holds but is not strict; "
            r"the theorem needs no strict sign"
        ),
    ),
)

spaces = {lam: positive, slack: unit_positive}
