r"""The best moments of a loss: that of one step is $\varepsilon\tanh(\varepsilon/2)$-concentrated.

$\log\cosh\sqrt{s}$ is concave in $s$, and so lies below its tangent at $s=(\varepsilon/2)^2$. Read at
$s=\varepsilon^2(\lambda+\frac12)^2$, that bounds the logarithm of the moments by
$\lambda(1+\lambda)\,\varepsilon\tanh(\varepsilon/2)$, with equality at $\lambda=0$ and $\lambda=-1$: twice
the mean takes the place of $\varepsilon^2$.
"""

from sympy import E, Expr, Rational, cosh, exp, log, sqrt, tanh

from symdp.formulas.notation import eps, lam, p, slack, x
from symdp.formulas.relation import eq, le
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import mgf, two_point
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import Inequality, real

half = Rational(1, 2)
mean_exponent = lam * (1 + lam) * eps * (exp(eps) - 1) / (exp(eps) + 1)
bend = ((eps * (lam + half)) ** 2 - (eps / 2) ** 2) * tanh(eps / 2) / eps
bent = le(log(cosh(eps * (lam + half))) - log(cosh(eps / 2)), bend)


def concentrated_classic(mean: Expr) -> Expr:
    """The epsilon that losses with this mean in total need, up to a share of the slack."""
    return mean + 2 * sqrt(mean * log(1 / slack))


def classic_share(mean: Expr) -> Expr:
    """The part of the slack that they need at that epsilon."""
    return slack / (1 + sqrt(log(1 / slack) / mean))


def concentrated_logarithmic(mean: Expr) -> Expr:
    """The same with the logarithm of Theorem 3.4."""
    return mean + 2 * sqrt(mean * log(E + sqrt(2 * mean) / slack))


below_the_tangent = (
    Derivation("A tangent of log cosh, as a function of the square", where=["eps > 0"])
    .lemma("tangent", "log(cosh(u)) - log(cosh(a)) <= (u^2 - a^2)*tanh(a)/(2*a)", ["a > 0", "u >= 0"])
    .cases(
        bent,
        ("lam >= -1/2", lambda d: d.conclude(bent, by=use("tangent", u="eps*(lam + 1/2)", a="eps/2"))),
        ("lam <= -1/2", lambda d: d.conclude(bent, by=use("tangent", u="-eps*(lam + 1/2)", a="eps/2"))),
        because="cosh is even", label="bent",
    )
    .state(eq(bend, mean_exponent), label="exponent")
    .lemma("grows", "exp(y) <= exp(z)", ["y <= z"])
    .lemma("quotients", "x/y <= exp(z)", ["x > 0", "y > 0", "log(x) - log(y) <= z"])
    .start(mgf(eps))
    .eq("cosh(eps*(lam + 1/2))/cosh(eps/2)")
    .le(exp(bend), by=["bent", use("quotients", x=cosh(eps * (lam + half)), y=cosh(eps / 2), z=bend)])
    .le(exp(mean_exponent), by=["exponent", use("grows", y=bend, z=mean_exponent)])
)

sharper_moments = (
    Inequality(
        "alon-spencer.sharper",
        r"the bound on two points holds for every real $p$",
        le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)),
        variables={p: real},
        role="sharper",
        improves="alon-spencer",
        because=r"that $p$ is a probability is not needed: $\cosh x\le e^{x^2/2}$ and the tangent of the "
                r"exponential are enough",
    ),
    Inequality(
        "mgf-bound.sharper",
        r"the loss of one step is concentrated, with its mean as the parameter: twice that mean takes the "
        r"place of $\varepsilon^2$",
        le(mgf(eps), exp(mean_exponent)),
        variables={lam: real},
        derivation=below_the_tangent,
        role="sharper",
        improves="mgf-bound",
        because=r"$\tanh(\varepsilon/2)\le\varepsilon/2$",
    ),
)
