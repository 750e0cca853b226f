r"""The variance of a loss is enough: $\varepsilon^2/\cosh^2(\varepsilon/2)$ takes the place of $\varepsilon^2$.

The logarithm of the moments of one step is $\log\cosh(\varepsilon(\lambda+\frac12))-\log\cosh(\varepsilon/2)$. Its
slope at 0 is the mean $\varepsilon\tanh(\varepsilon/2)$, its second derivative the variance of the loss, tilted by
$\lambda$, and that only falls as $\lambda$ grows. So for $\lambda\ge0$ it lies below the parabola with the variance
at 0, and no smaller variance will do for small $\lambda$.
"""

from dataclasses import replace

from sympy import E, Expr, Integer, Product, Sum, cosh, exp, log, sqrt, tanh

from symdp.formulas.notation import eps, eps_total, k, lam, slack
from symdp.formulas.relation import ge, gt, le, lt
from symdp.literature.kov.simplified_composition.chain_to_delta import mean, ratio
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    entropy,
    loss,
    mean_of_tilted,
    mgf,
    moment,
)
from symdp.literature.kov.simplified_composition.moment_bound import (
    Steps,
    below_the_exponential,
    equal_steps,
    falling,
)
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import Claim, Comparison, Inequality, nonnegative, positive
from symdp.sources.worst_case import epsilons, l_

#: the variance of the loss of one step, and of k
variance = eps**2 / cosh(eps / 2) ** 2
spread = k * variance

#: the logarithm of the moments, up to the second order
parabola = ratio * lam * eps + lam**2 / 2 * variance
bend = eps * lam * tanh(eps / 2) + (eps * lam) ** 2 / (2 * cosh(eps / 2) ** 2)
tilted_cosh = cosh(eps / 2 + eps * lam)


def one_step(proof: Derivation) -> Derivation:
    """The moments of one step lie below the parabola, for every lambda that is not negative."""
    return (
        proof
        .lemma("falling variance", "log(cosh(a + u)) - log(cosh(a)) <= u*tanh(a) + u^2/(2*cosh(a)^2)",
               ["a >= 0", "u >= 0"])
        .lemma("quotients", "x/y <= exp(z)", ["x > 0", "y > 0", "log(x) - log(y) <= z"])
        .start(mgf(eps))
        .eq(tilted_cosh / cosh(eps / 2))
        .le(exp(bend), "the tilted variance only falls",
            by=[use("falling variance", a=eps / 2, u=eps * lam),
                use("quotients", x=tilted_cosh, y=cosh(eps / 2), z=bend)])
        .eq(exp(parabola))
        .conclude(le(mgf(eps), exp(parabola)), label="one step")
    )


below_the_parabola = one_step(Derivation("The moments of one step", where=["eps > 0", "lam >= 0"]))
nearly = exp(-2 * eps * lam)
above_a_parabola = (
    Derivation("The moments of one step, from below", where=["eps > 0", "lam >= 0"])
    .lemma("slowly", "log(cosh(a + u)) - log(cosh(a)) >= u*tanh(a) + u^2*exp(-2*u)/(2*cosh(a)^2)",
           ["a >= 0", "u >= 0"])
    .lemma("quotients", "x/y >= exp(z)", ["x > 0", "y > 0", "log(x) - log(y) >= z"])
    .start(mgf(eps))
    .eq(tilted_cosh / cosh(eps / 2))
    .ge(exp(eps * lam * tanh(eps / 2) + (eps * lam) ** 2 * nearly / (2 * cosh(eps / 2) ** 2)),
        "the variance falls slowly",
        by=[use("slowly", a=eps / 2, u=eps * lam),
            use("quotients", x=tilted_cosh, y=cosh(eps / 2),
                z=eps * lam * tanh(eps / 2) + (eps * lam) ** 2 * nearly / (2 * cosh(eps / 2) ** 2))])
    .eq(exp(ratio * lam * eps + nearly * (lam**2 / 2 * variance)))
    .conclude(ge(mgf(eps), exp(ratio * lam * eps + nearly * (lam**2 / 2 * variance))))
)

inserted = mean * lam + lam**2 / 2 * spread - lam * eps_total + entropy
at, tilt = mean + spread * lam, exp(entropy - lam * eps_total)
decay = exp(-spread * lam**2 / 2) / (1 + lam)
pure = equal_steps.pure
bounded = falling(
    one_step(Derivation("The moment bound with the variance",
                        where=["eps > 0", "k >= 1", "lam > 0", "t >= 0"], integer=["k"])
             .cite("every composition of (eps, delta)-DP mechanisms is dominated by randomised responses that fail "
                   "with probability delta", "kov/thm-3.3")
             .lemma("centred", below_the_exponential, where=["lam > 0"])
             .lemma("powers", "x^k*y <= z^k*y", where=["x > 0", "z >= x", "y > 0", "k >= 1"], integer=["k"]))
    .start(pure(eps_total))
    .le(mean_of_tilted, "the lemma at each value of the loss less its threshold",
        by=use("centred", y=loss - eps_total))
    .eq(moment, "the binomial theorem")
    .le(exp(parabola) ** k * tilt, "the steps are independent",
        by=["one step", use("powers", x=mgf(eps), z=exp(parabola), y=tilt)])
    .eq(exp(inserted))
    .conclude(le(pure(eps_total), exp(inserted)), label="chernoff")
    .start(pure(at))
    .le(exp(inserted.subs(eps_total, at)), by=use("chernoff", eps_total=at))
    .eq(exp(-spread * lam**2 / 2 + lam * log(lam / (lam + 1)) - log(lam + 1)), "the completed square")
    .le(decay, "a negative term is dropped")
    .conclude(le(pure(at), decay), label="bound"),
    pure, loss)

# --- steps with parameters of their own -------------------------------------------------------------

own = epsilons[l_]
own_variance = own**2 / cosh(own / 2) ** 2
own_bend = own * lam * tanh(own / 2) + (own * lam) ** 2 / (2 * cosh(own / 2) ** 2)
own_parabola = lam * (own * (exp(own) - 1) / (exp(own) + 1)) + lam**2 / 2 * own_variance
moments = Product(mgf(own), (l_, 1, k))
raised = exp(lam * Sum(own * (exp(own) - 1) / (exp(own) + 1), (l_, 1, k))
             + lam**2 / 2 * Sum(own_variance, (l_, 1, k)))
moments_of_all = le(moments, raised)
product_of_moments = (
    Derivation("The moments of different steps", integer=["k"], where=["k >= 1", "lam >= 0", gt(own, Integer(0))])
    .lemma("falling variance", "log(cosh(a + u)) - log(cosh(a)) <= u*tanh(a) + u^2/(2*cosh(a)^2)",
           ["a >= 0", "u >= 0"])
    .lemma("quotients", "x/y <= exp(z)", ["x > 0", "y > 0", "log(x) - log(y) <= z"])
    .start(moments)
    .eq(Product(cosh(own / 2 + own * lam) / cosh(own / 2), (l_, 1, k)))
    .le(Product(exp(own_bend), (l_, 1, k)), "the tilted variance only falls", by=[
        use("falling variance", a=own / 2, u=own * lam),
        use("quotients", x=cosh(own / 2 + own * lam), y=cosh(own / 2), z=own_bend)])
    .eq(Product(exp(own_parabola), (l_, 1, k)))
    .eq(exp(Sum(own_parabola, (l_, 1, k))))
    .eq(raised)
    .conclude(moments_of_all)
)
#: k equal steps, with their variance in the place of k eps^2
steps_by_variance: Steps = replace(equal_steps, square=spread, bounded=bounded)


def classic_by(mean: Expr, spread: Expr) -> Expr:
    """The epsilon with the logarithm of 1/slack."""
    return mean + sqrt(2 * spread * log(1 / slack))


def logarithmic_by(mean: Expr, spread: Expr) -> Expr:
    """The epsilon with the logarithm of Theorem 3.4."""
    return mean + sqrt(2 * spread * log(E + sqrt(spread) / slack))


def share_by(spread: Expr) -> Expr:
    """The part of the slack that is needed at the first of these."""
    return slack / (1 + sqrt(2 * log(1 / slack) / spread))


classic, logarithmic, share = classic_by(mean, spread), logarithmic_by(mean, spread), share_by(spread)


def within_the_share(steps: Steps) -> Derivation:
    """With the logarithm of 1/slack the pure part is at most that share of the slack; at a slack of 1 it is 1."""
    classic, share = classic_by(steps.mean, steps.square), share_by(steps.square)
    found, logarithm = steps.pure(classic), log(1 / slack)
    needed, total = steps.needed(classic), 1 - steps.kept * (1 - share)

    def below(proof: Derivation) -> Derivation:
        return steps.tail(proof, classic, logarithm).eq(share).conclude(le(found, share))

    def at_one(proof: Derivation) -> Derivation:
        return (proof.state(le(found, 1), by=use("at most 1", eps_total=classic), label="one")
                .state(ge(share, 1), label="share").conclude(le(found, share), by=["one", "share"]))

    return (
        steps.at_most_one(steps.continued("The variance and a share of the slack", gt(slack, 0), le(slack, 1)))
        .cases(le(found, share), (lt(slack, 1), below), (ge(slack, 1), at_one), label="pure part")
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="pure part")
        .conclude(le(needed, total))
    )


def below_the_slack(steps: Steps) -> Derivation:
    """With the logarithm of e + sqrt(v)/slack the pure part is less than the slack; v is any variance in a lemma."""
    logarithmic = logarithmic_by(steps.mean, steps.square)
    found, logarithm = steps.pure(logarithmic), log(E + sqrt(steps.square) / slack)
    needed, total = steps.needed(logarithmic), 1 - steps.kept * (1 - slack)
    return (
        steps.tail(
            steps.continued("The second entry with the variance", "0 < slack <= 1")
            .lemma("denominators", "exp(-log(e + sqrt(v)/slack))/(1 + sqrt(2*log(e + sqrt(v)/slack)/v)) < slack",
                   ["v > 0", "0 < slack", "slack <= 1"]),
            logarithmic, logarithm)
        .lt(slack, "the denominators multiply to more than 1/slack", by=use("denominators", v=steps.square))
        .conclude(lt(found, slack), label="pure part")
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="pure part")
        .conclude(le(needed, total))
    )


moments_by_variance: tuple[Claim, ...] = (
    Inequality(
        "mgf-bound.variance",
        r"for $\lambda\ge0$ the moments of one step are at most those of a normal law with the mean and the variance "
        r"$\varepsilon^2/\cosh^2(\varepsilon/2)$ of the loss",
        le(mgf(eps), exp(parabola)),
        variables={lam: nonnegative},
        derivation=below_the_parabola,
        role="sharper",
        improves="mgf-bound",
        because=r"the variance of the loss, tilted by $\lambda$, only falls as $\lambda$ grows",
    ),
    Inequality(
        "mgf-bound.variance.from-below",
        r"they are at least those with $e^{-2\varepsilon\lambda}$ times that variance: so for every $\varepsilon$ "
        r"and "
        r"every factor below 1 there is a $\lambda>0$, namely each with $e^{-2\varepsilon\lambda}$ above the "
        r"factor, at "
        r"which that part of the variance is not enough",
        ge(mgf(eps), exp(ratio * lam * eps + nearly * (lam**2 / 2 * variance))),
        variables={lam: nonnegative},
        derivation=above_a_parabola,
        role="sharper",
        improves="mgf-bound",
        because="it shows that the method of moments has no use for less than the variance",
    ),
    Comparison(
        "mgf-bound.variance.smaller",
        r"the variance is less than twice the mean, which is at most $\varepsilon^2$",
        lt(variance, 2 * eps * ratio),
        variables={eps: positive},
        role="sharper",
        improves="mgf-bound",
        because=r"$\varepsilon<\sinh\varepsilon$",
    ),
)

__all__ = ["below_the_slack", "classic", "classic_by", "logarithmic", "logarithmic_by", "moments_by_variance",
           "moments_of_all", "own", "product_of_moments", "share", "share_by", "spread", "steps_by_variance",
           "variance", "within_the_share"]
