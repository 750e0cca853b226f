r"""The moment generating function of the privacy loss, in the proof of simplified composition."""

from sympy import Expr, Rational, exp

from symdp.literature.kov import kov
from symdp.notation import eps, eps_total, lam, p, x
from symdp.relation import eq, le
from symdp.statement import Identity, Inequality, Statement, nonnegative, positive, real, unit


def two_point(mass: Expr, at: Expr) -> Expr:
    """The mean of the exponential of a variable that is +at or -at."""
    return mass * exp(at) + (1 - mass) * exp(-at)


def mgf(loss: Expr) -> Expr:
    """The moment generating function of the privacy loss of randomised response."""
    return exp(loss) / (exp(loss) + 1) * exp(lam * loss) + exp(-lam * loss) / (exp(loss) + 1)


def exponent(loss: Expr) -> Expr:
    return (exp(loss) - 1) / (exp(loss) + 1) * lam * loss + Rational(1, 2) * lam**2 * loss**2


proof_of_simplified_composition = Statement(
    place=kov.section("7"),
    title="The moment generating function of the privacy loss",
    hypotheses=(
        r"The privacy loss of randomised response is $\varepsilon$ with probability "
        r"$e^\varepsilon/(e^\varepsilon+1)$ and $-\varepsilon$ otherwise."
    ),
    variables={
        eps: positive, eps_total: positive, lam: nonnegative, p: unit, x: real,
    },
    formulas={"moment generating function": mgf(eps), "its bound": exp(exponent(eps))},
    claims=(
        Identity(
            "mgf-identity",
            r"the value of the moment generating function, printed with $\tilde{\varepsilon}$",
            eq(mgf(eps), mgf(eps_total)),
            printed_at="Section 7, moment generating function, first line",
        ),
        Identity(
            "mgf-identity.corrected",
            r"the value with $\varepsilon$, that of a single step: two atoms, weighted by their masses",
            eq(
                two_point(exp(eps) / (exp(eps) + 1), lam * eps),
                mgf(eps),
            ),
            variables={lam: real},
            role="corrected",
            improves="mgf-identity",
            because=(
                r"the printed $\tilde{\varepsilon}$ is that of the whole composition, where "
                r"$\varepsilon$ of one step belongs"
            ),
        ),
        Inequality(
            "mgf-bound",
            r"the printed bound on the moment generating function, for any $\lambda$",
            le(mgf(eps_total), exponent(eps_total)),
            variables={lam: real},
            printed_at="Section 7, moment generating function, second line",
        ),
        Inequality(
            "mgf-bound.corrected",
            r"the bound with its exponential, at $\varepsilon$, that of a single step",
            le(mgf(eps), exp(exponent(eps))),
            variables={lam: real},
            role="corrected",
            improves="mgf-bound",
            because="the exponential was left out in print, and the tilde is a misprint",
        ),
        Inequality(
            "alon-spencer",
            "the two-point exponential inequality behind the bound",
            le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)),
            printed_at="Section 7, [AS04, Lemma A.1.5]",
        ),
    ),
    cites=("alon2004probabilistic",),
)
