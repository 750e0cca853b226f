r"""The variance of noise under composition: which noise, how much of it, and since when that is known."""

from typing import ClassVar

from sympy import E, Expr, Integer, Min, Rational, cosh, exp, log, pi, sinh, sqrt

from symdp.formulas.notation import Phi, delta, eps, k, slack, symbol, x, y
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import eq, ge, gt, le
from symdp.literature.kov import kov
from symdp.literature.kov.noise.calibrated_steps import (
    Budget,
    logarithm,
    step_epsilon,
    steps_suffice,
)
from symdp.literature.kov.noise.enough_noise import (
    composed_steps,
    delta_0,
    eps_0,
    four_times_the_known,
    known_variance,
    repaired_epsilon,
    squares,
)
from symdp.literature.kov.noise.laplace_noise import Delta, noise_suffices
from symdp.literature.kov.noise.laplace_noise import noise as laplace_noise
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.mechanisms.noise.staircase import Staircase
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Claim,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
    Statement,
    positive,
    positive_integer,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import needed_delta

c, sigma, z = symbol("c"), symbol("sigma"), symbol("z")
half, nine_tenths = Rational(1, 2), Rational("0.9")

composed_epsilon = squares + sqrt(2 * squares * log(E + sqrt(squares / slack)))
chosen_slack = delta / sqrt(2)
chosen_squares = eps**2 / (4 * logarithm)
chosen_epsilon = chosen_squares + sqrt(
    2 * chosen_squares * log(E + sqrt(chosen_squares / chosen_slack)))
right_epsilon = chosen_squares + sqrt(2 * chosen_squares * log(E + sqrt(chosen_squares) / (delta / 2)))

laplace_variance = 2 * Delta**2 / eps_0**2
composed_staircase_variance = Staircase(step_epsilon, Delta).variance_form
new_variance = k * Delta**2 * logarithm / eps**2
gaussian_single_variance = 2 * Delta**2 * log(2 / delta_0) / eps_0**2
#: The single variance at the steps of Corollary 4.1, with delta_0 = delta/(2k).
via_corollary = 2 * Delta**2 * log(4 * k / delta) / (eps**2 / (4 * k * logarithm))

enough_room = (
    Derivation("The chosen epsilon of a step", where=["0 < eps <= 0.9", "0 < delta <= 1"])
    .lemma("room", "eps^2/(4*l) + eps*sqrt(m/(2*l)) <= eps", ["0 < eps <= 0.9", "l >= 1", "0 <= m <= l"])
)

#: With l for the logarithm, delta is eps/(exp(l) - e).
inner = log(E + eps / (delta * sqrt(logarithm)))
all_the_room = (
    Derivation("The chosen epsilon of a step, as large as it may be",
               where=["0 < eps <= 1.915", "0 < delta <= 1"])
    .lemma("near", "eps/(4*l) + sqrt(log(e + (exp(l) - e)/sqrt(l))/(2*l)) <= 1",
           ["0 < eps <= 1.915", "l >= log(e + eps)", "1 <= l <= 4"])
    .lemma("far", "eps^2/(4*l) + eps*sqrt(m/(2*l)) <= eps", ["0 < eps <= 1.915", "l >= 4", "0 <= m <= l"])
    .lemma("out", "sqrt(eps^2*m/l) == eps*sqrt(m/l)", ["eps > 0", "l > 0", "m >= 0"])
    .lemma("grows", "c + sqrt(2*c*log(e + y)) <= c + sqrt(2*c*log(e + z))", ["c >= 0", "0 <= y <= z"])
    .state(le(sqrt(chosen_squares) / (delta / 2), eps / delta), label="smaller")
    .state(le(sqrt(chosen_squares) / (delta / 2), eps / (delta * sqrt(logarithm))), label="inner",
           by=use("out", eps=eps, l=logarithm, m=1))
    .cases(
        le(right_epsilon, eps),
        (le(logarithm, 4), lambda d: d.start(right_epsilon)
         .le(chosen_squares + sqrt(2 * chosen_squares * inner), by=["inner", use(
             "grows", c=chosen_squares, y=sqrt(chosen_squares) / (delta / 2),
             z=eps / (delta * sqrt(logarithm)))])
         .eq(eps * (eps / (4 * logarithm) + sqrt(inner / (2 * logarithm))),
             by=use("out", eps=eps, l=logarithm, m=inner))
         .le(eps, by=use("near", eps=eps, l=logarithm)).conclude(le(right_epsilon, eps))),
        (ge(logarithm, 4), lambda d: d.conclude(le(right_epsilon, eps), by=["smaller", use(
            "far", eps=eps, l=logarithm, m=log(E + sqrt(chosen_squares) / (delta / 2)))])),
    )
)


def curve_of_gaussian_noise(
    noise: Gaussian, fold: Expr, root: Expr, most: str, times: int, where: list[str]
) -> Derivation:
    r"""That this noise needs no more than the delta, from its curve itself.

    At the distance $\mu=\varepsilon/x$ it needs
    $\Phi(\varepsilon/2x-x)-e^\varepsilon\Phi(-\varepsilon/2x-x)$, to be at most ``times`` $e^{-x^2/2}$,
    which is the delta at ``root``.
    """
    epsilon, total = (eps, delta) if root.has(delta) else (eps_0, delta_0)
    needed = needed_delta(noise, fold, epsilon)

    def spread(at: Expr) -> Expr:
        return Phi(epsilon / (2 * at) - at) - exp(epsilon) * Phi(-epsilon / (2 * at) - at)

    def share(at: Expr) -> Expr:
        return times * exp(-(at**2) / 2)

    def tail(at: Expr) -> Expr:
        return exp(-(at**2) / 2) / (sqrt(2 * pi) * at)

    largest = Rational(most)
    below = le(spread(root), share(root))
    return (
        Derivation("The curve of Gaussian noise itself", where=where, integer=["k"])
        .cite("k Gaussian noises act as one, and shifts by all of Delta are the worst", "kov/app-b.wlog")
        .lemma("near", le(spread(x), share(x)),
               [gt(epsilon, 0), le(epsilon, largest), "1.17 <= x", "x <= 5"])
        .lemma("tail", le(Phi(-z), tail(z)), ["z > 0"])
        .lemma("room", gt(x - largest / (2 * x), 0), ["x >= 5"])
        .lemma("far", le(tail(x - largest / (2 * x)), share(x)), ["x >= 5"])
        .lemma("grows", le(Phi(epsilon / (2 * x) - x), Phi(largest / (2 * x) - x)),
               [gt(epsilon, 0), le(epsilon, largest), "x > 0"])
        .state(ge(root, Rational("1.17")), label="large")
        .cases(
            below,
            (le(root, 5), lambda d: d.conclude(below, by=["large", use("near", x=root, **{
                str(epsilon): epsilon})])),
            (ge(root, 5), lambda d: d.start(spread(root)).le(Phi(epsilon / (2 * root) - root))
             .le(Phi(largest / (2 * root) - root), by=use("grows", x=root, **{str(epsilon): epsilon}))
             .le(tail(root - largest / (2 * root)),
                 by=[use("room", x=root), use("tail", z=root - largest / (2 * root))])
             .le(share(root), by=use("far", x=root)).conclude(below)),
            label="below",
        )
        .state(eq(needed, spread(root)), "the laws are eps/x apart", label="apart")
        .start(needed).eq(spread(root), by="apart").le(share(root), by="below").eq(total)
        .conclude(le(needed, total))
    )


#: With eps_0 = 2y and b = exp(-eps_0), for sensitivity one; the last line is that it is at most 2/eps_0^2.
below_laplacian_noise = (
    Derivation("Staircase noise, for eps_0 = 2y", where=["0 < y <= 1", "0 < eps_0 <= 2", "k >= 1",
                                                         "0 < delta <= 1", "0 < eps <= 0.9", "Delta > 0"],
               integer=["k"])
    .lemma("root", "(b*(1 + b)/2)^(2/3) <= (sqrt(b)*(1 + b) + b)/3", ["0 < b <= 1"])
    .lemma("sine", "sinh(y) >= y + y^3/6", ["y >= 0"])
    .lemma("cosine", "cosh(y) <= 1 + y^2/2 + y^4/12", ["0 <= y <= 1"])
    .lemma("polynomials", "y^2*(p + 2) <= 3*s^2",
           ["0 < y <= 1", "s >= y + y^3/6", "p <= 1 + y^2/2 + y^4/12"])
    .start(Staircase(2 * y).variance_form)
    .le(((exp(-y) * (1 + exp(-2 * y)) + exp(-2 * y)) / 3 + exp(-2 * y)) / (1 - exp(-2 * y)) ** 2,
        by=use("root", b=exp(-2 * y)))
    .eq("(cosh(y) + 2)/(6*sinh(y)^2)")
    .conclude(le(Staircase(2 * y).variance_form, (cosh(y) + 2) / (6 * sinh(y) ** 2)), label="hyperbolic")
    .conclude("y^2*(cosh(y) + 2) <= 3*sinh(y)^2", "so it is at most 1/(2y^2)",
              by=use("polynomials", y=y, s="sinh(y)", p="cosh(y)"), label="quotient")
)
#: The same for any sensitivity, and at the steps of Corollary 4.1.
at_the_steps = (
    below_laplacian_noise
    .lemma("divided", "p/(6*s^2) <= 1/(2*y^2)", ["y > 0", "s > 0", "y^2*p <= 3*s^2"])
    .state("(cosh(y) + 2)/(6*sinh(y)^2) <= 1/(2*y^2)",
           by=["quotient", use("divided", y=y, s="sinh(y)", p="cosh(y) + 2")], label="below")
    .state(le(Staircase(2 * y).variance_form, 1 / (2 * y**2)), by=["hyperbolic", "below"], label="unit")
    .state(gt(step_epsilon, 0), label="positive")
    .state(le(step_epsilon, 1), label="small")
    .start(composed_staircase_variance)
    .le(2 * Delta**2 / step_epsilon**2, "the variance grows with the square of the sensitivity",
        by=["positive", "small", use("unit", y=step_epsilon / 2)])
    .eq(8 * new_variance, "Laplacian noise at the steps of Corollary 4.1, where eps_0 <= 0.9/2")
)


def noise_of_variance(variance: Expr, name: str, says: str, **more: object) -> Guarantee:
    """That Gaussian noise of this variance is enough for k queries."""
    return Guarantee(name, says, epsilon=eps, delta=delta, fold=k,
                     subject=Gaussian(variance=variance, sensitivity=Delta),
                     **more)  # type: ignore[arg-type]


#: a point at which the variance for one query is too small
beyond = {eps_0: Rational("6.37"), delta_0: Rational("0.6")}

gaussian_claims = (
    Asymptotic(
        "known-gaussian",
        r"Gaussian noise of variance $O(k\Delta^2\log(1/\delta)/\varepsilon^2)$ is enough; for "
        r"$\varepsilon\ge1/2$ and $\delta\le1/8$ less than $k\Delta^2/(2\varepsilon)$ is never enough, so "
        r"that must be of this order",
        k * Delta**2 / (2 * eps), "O", known_variance,
        where=(ge(eps, half), le(delta, Rational(1, 8))),
    ),
    Inequality(
        "known-gaussian.necessary",
        r"at variance $k\Delta^2/(2\varepsilon)$ Gaussian noise needs $\delta>0.238$, for every "
        r"$\varepsilon\ge1/2$: its curve there, where $\mu=\sqrt{2\varepsilon}$",
        gt(half - exp(eps) * Phi(-sqrt(2 * eps)), Rational("0.238")),
        where=(ge(eps, half),),
        role="sharper",
        improves="known-gaussian",
        because=(
            r"it is the lower bound on the variance that the printed order is held against; the curve "
            r"grows with $\varepsilon$"
        ),
    ),
    noise_of_variance(
        4 * known_variance, "known-gaussian.corrected",
        r"variance $4k\Delta^2\log(1/\delta)/\varepsilon^2$ is enough for $\varepsilon\le1$ and "
        r"$\delta\le1/2$",
        where=(le(eps, 1), le(delta, half)),
        derivation=four_times_the_known,
        role="corrected",
        improves="known-gaussian",
        because=(
            r"two missing conditions: no constant is enough for all $\varepsilon$, since the mean of the "
            r"loss asks for $k\Delta^2/(2\varepsilon)$, nor as $\delta\to1$, where the variance vanishes"
        ),
    ),
    noise_of_variance(
        2 * known_variance, "known-gaussian.sharper",
        r"variance $2k\Delta^2\log(1/\delta)/\varepsilon^2$ is enough for $\varepsilon\le3.5$ and "
        r"$\delta\le1/2$",
        where=(le(eps, Rational("3.5")), le(delta, half)),
        derivation=curve_of_gaussian_noise(
            Gaussian(variance=2 * known_variance, sensitivity=Delta), k, sqrt(2 * log(1 / delta)), "3.5", 1,
            ["0 < eps <= 3.5", "0 < delta <= 1/2", "k >= 1", "Delta > 0"]),
        role="sharper",
        improves="known-gaussian",
        because=(
            r"the exact curve of Gaussian noise takes the place of a bound on its tail"
        ),
    ),
    Guarantee(
        "gaussian-single",
        r"for one query $2\Delta^2\log(2/\delta_0)/\varepsilon_0^2$ is enough, at any $\varepsilon_0$",
        epsilon=eps_0, delta=delta_0,
        subject=Gaussian(variance=gaussian_single_variance, sensitivity=Delta),
    ),
    Guarantee(
        "gaussian-single.corrected",
        r"one query: that variance is enough for $\varepsilon_0\le6.3$",
        epsilon=eps_0, delta=delta_0,
        subject=Gaussian(variance=gaussian_single_variance, sensitivity=Delta),
        where=(le(eps_0, Rational("6.3")),),
        derivation=curve_of_gaussian_noise(
            Gaussian(variance=gaussian_single_variance, sensitivity=Delta), Integer(1),
            sqrt(2 * log(2 / delta_0)), "6.3", 2,
            ["0 < eps_0 <= 6.3", "0 < delta_0 <= 1", "k >= 1", "Delta > 0"]),
        role="corrected",
        improves="gaussian-single",
        because=(
            r"a missing condition: the variance falls like $1/\varepsilon_0^2$, while large "
            r"$\varepsilon_0$ asks for about $\Delta^2/(2\varepsilon_0)$; the cited result has "
            r"$\varepsilon_0\le1$, and Theorem 4.3 does not rest on it"
        ),
    ),
    Inequality(
        "gaussian-single.beyond",
        r"at $\varepsilon_0=6.37$ and $\delta_0=0.6$ noise of that variance needs more than $\delta_0$",
        gt(needed_delta(Gaussian(variance=gaussian_single_variance.subs(beyond), sensitivity=Delta), Integer(1),
                        beyond[eps_0]).subs(Delta, 1), beyond[delta_0]),
        role="sharper",
        improves="gaussian-single",
        because="so the range of the correction cannot be much larger",
    ),
    Asymptotic(
        "gaussian-via-corollary",
        r"the single variance at the steps of Corollary 4.1 is of the order of "
        r"$k\Delta^2\log(1/\delta)\log(e+\varepsilon/\delta)/\varepsilon^2$",
        via_corollary, "O", new_variance * log(1 / delta),
        where=(le(eps, nine_tenths), le(delta, half)),
    ),
    Asymptotic(
        "gaussian-via-corollary.corrected",
        r"the single variance at these steps is of that order with $\log(4k/\delta)$ for $\log(1/\delta)$",
        via_corollary, "Theta", new_variance * log(4 * k / delta),
        where=(le(eps, nine_tenths),),
        role="corrected",
        improves="gaussian-via-corollary",
        because=(
            r"with $\delta_0=\delta/2k$ the corollary gives $\log(2/\delta_0)=\log(4k/\delta)$, growing "
            r"with $k$; Theorem 4.3 does without it"
        ),
    ),
    Asymptotic(
        "gaussian-gain",
        r"with $\delta=c\,\varepsilon$ the variance known before is larger than that of Theorem 4.3 by a "
        r"factor of the order of $\log(1/\delta)$, as $\varepsilon\to0$",
        known_variance / new_variance, "Theta", log(1 / delta),
        regime=Regime(moving={eps: Integer(0)}, following={delta: c * eps}, fixed=frozenset({c})),
    ),
)

class Private(Guarantee):
    """That another noise is as private at the same variance."""

    kind: ClassVar[str] = "comparison"


other_noise: tuple[Claim, ...] = (
    Private(
        "same-variance",
        r"Laplacian noise of the variance that Theorem 4.3 takes for Gaussian noise, "
        r"$8k\Delta^2\log(e+\varepsilon/\delta)/"
        r"\varepsilon^2$, is $(\varepsilon,\delta)$-DP under $k$-fold composition, in the range of Corollary 4.2; "
        r"so is staircase noise, "
        r"whose variance is smaller still",
        epsilon=eps, delta=delta, fold=k,
        subject=laplace_noise,
        where=(le(eps, nine_tenths),),
        derivation=noise_suffices("Laplacian noise of that variance", laplace_noise, 4, nine_tenths),
    ),
    Identity(
        "same-variance.equal",
        r"the variance of Laplacian noise at the steps of Corollary 4.1 is the one of Theorem 4.3",
        parse_relation("2*Delta^2/sqrt(eps^2/(4*k*log(e + eps/delta)))^2 == 8*k*Delta^2*log(e + eps/delta)/eps^2"),
        role="sharper",
        improves="same-variance",
        because="it is what *the same variance* means",
    ),
    Comparison(
        "same-variance.sharper",
        r"for every $\varepsilon_0=2y$ staircase noise has at most the variance of Laplacian noise of "
        r"equal privacy: $(\cosh y+2)/(6\sinh^2y)\le2/\varepsilon_0^2$",
        le(y**2 * (cosh(y) + 2), 3 * sinh(y) ** 2),
        role="sharper",
        improves="same-variance",
        because=r"$\varepsilon_0$ need not be small",
    ),
    Guarantee(
        "laplace-density",
        r"noise of that density makes a query of sensitivity $\Delta$ $(\varepsilon_0,0)$-DP",
        epsilon=eps_0, delta=Integer(0),
        subject=Laplace(scale=Delta / eps_0, sensitivity=Delta),
    ),
    Identity(
        "laplace-variance",
        r"the second moment of the density with rate $\varepsilon_0/\Delta$: twice the integral over the "
        r"positive side, $\Gamma(3)$ over the cube of the rate",
        parse_relation("2*(eps_0/(2*Delta))*gamma(3)/(eps_0/Delta)^3 == 2*Delta^2/eps_0^2"),
    ),
    Asymptotic(
        "staircase-variance",
        r"staircase noise of variance $O(\min\{1/\varepsilon^2,1/\delta^2\})$ is $(\varepsilon,\delta)$-DP",
        sigma**2, "O", Min(1 / eps**2, 1 / delta**2),
        task="cite",
    ),
    Asymptotic(
        "staircase-composed",
        r"at the steps of Corollary 4.1, where staircase noise is $(\varepsilon,\delta)$-DP under $k$-fold "
        r"composition, its "
        r"variance is of the order of $k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$",
        Staircase(eps_0, Delta).variance_form, "O", new_variance,
        regime=Regime(following={eps_0: step_epsilon}),
        where=(le(eps, nine_tenths),),
        constants=(Integer(8),),
        derivation=at_the_steps,
    ),
    Guarantee(
        "staircase-composed.private",
        r"mechanisms that are $(\varepsilon_0,0)$-DP with the $\varepsilon_0$ of these steps, as staircase noise is "
        r"by its "
        r"construction, are $(\varepsilon,\delta)$-DP under $k$-fold composition",
        epsilon=eps, delta=delta, fold=k,
        subject=AnyPrivate(step_epsilon, Integer(0)),
        where=(le(eps, nine_tenths),),
        derivation=steps_suffice("Staircase noise at the steps of Corollary 4.1", step_epsilon, Integer(0),
                                 Budget(4, Integer(1)), nine_tenths),
        role="sharper",
        improves="staircase-composed",
        because="the order of the variance says nothing of privacy; this is the other half of the sentence",
    ),
)

noise_variance = Statement(
    place=kov.section("4.1"),
    title="The variance of noise under composition",
    hypotheses=r"Each of $k$ adaptively chosen real queries has sensitivity $\Delta$.",
    variables={
        eps: positive, delta: unit_positive, eps_0: positive, delta_0: unit_positive, slack: unit_positive,
        k: positive_integer, Delta: positive, c: positive, y: positive,
        sigma: positive,
    },
    formulas={"variance before": known_variance, "variance now": new_variance},
    claims=(
        Guarantee(
            "composed",
            r"steps with $\varepsilon_0\le0.9$ compose to the printed guarantee, with "
            r"$\sqrt{k\varepsilon_0^2/\tilde{\delta}}$ in the logarithm",
            epsilon=composed_epsilon, delta=k * delta_0 + slack, subject=AnyPrivate(eps_0, delta_0), fold=k,
            where=(le(eps_0, nine_tenths),),
            variables={delta_0: unit},
        ),
        Guarantee(
            "composed.corrected",
            r"the same with $\sqrt{k\varepsilon_0^2}/\tilde{\delta}$, for any $\varepsilon_0$",
            epsilon=repaired_epsilon, delta=k * delta_0 + slack, subject=AnyPrivate(eps_0, delta_0), fold=k,
            variables={delta_0: unit},
            derivation=composed_steps,
            role="corrected",
            improves="composed",
            because=(
                r"a misprint: the root of (7) ends before $\tilde{\delta}$; the condition "
                r"$\varepsilon_0\le0.9$ is not needed, since $\tanh(\varepsilon_0/2)\le\varepsilon_0/2$"
            ),
        ),
        Inequality(
            "choice-delta",
            r"with $\delta_0=\delta/2k$ and $\tilde{\delta}=\delta/\sqrt2$ the total is at most $\delta$",
            le(k * (delta / (2 * k)) + chosen_slack, delta),
            fails_at={delta: Rational(1, 10)},
        ),
        Inequality(
            "choice-delta.corrected",
            r"with $\tilde{\delta}=\delta/2$ the total is at most $\delta$",
            parse_relation("k*(delta/(2*k)) + delta/2 <= delta"),
            role="corrected",
            improves="choice-delta",
            because=(
                r"a misprint: $1/2+1/\sqrt2>1$; $\tilde{\delta}=\delta/2$ is what Corollary 4.1 needs, "
                r"and with it the choice of $\varepsilon_0$ survives"
            ),
        ),
        Inequality(
            "choice-epsilon",
            r"with the chosen $\varepsilon_0$ and $\tilde{\delta}=\delta/\sqrt2$ the composed epsilon, as "
            r"printed, is at most $\varepsilon\le0.9$",
            le(chosen_epsilon, eps),
            where=(le(eps, nine_tenths),),
            derivation=enough_room
            .state(le(sqrt(chosen_squares / chosen_slack), eps / delta), label="smaller")
            .start(chosen_epsilon)
            .le(eps, by=["smaller", use("room", eps=eps, l=logarithm,
                                        m=log(E + sqrt(chosen_squares / chosen_slack)))]),
        ),
        Inequality(
            "choice-epsilon.sharper",
            r"so it is with the logarithm of (7) and $\tilde{\delta}=\delta/2$, for "
            r"$\varepsilon\le1.915$",
            le(right_epsilon, eps),
            where=(le(eps, Rational("1.915")),),
            derivation=all_the_room,
            role="sharper",
            improves="choice-epsilon",
            because=(
                r"it is the form that Corollary 4.1 needs, after both misprints are repaired"
            ),
        ),
        Inequality(
            "choice-epsilon.beyond",
            r"at $\varepsilon=1.916$ and $\delta=1$ it is more than $\varepsilon$",
            gt(right_epsilon.subs({eps: Rational("1.916"), delta: 1}), Rational("1.916")),
            role="sharper",
            improves="choice-epsilon",
            because="so the range is right in its first three places",
        ),
        Guarantee(
            "composed.sharper",
            r"half of $k\varepsilon_0^2$ is enough for the mean, for any $\varepsilon_0$",
            epsilon=repaired_epsilon - squares / 2, delta=k * delta_0 + slack,
            subject=AnyPrivate(eps_0, delta_0), fold=k,
            variables={delta_0: unit},
            role="sharper",
            improves="composed",
            because=(
                r"the mean of a loss is $\varepsilon_0\tanh(\varepsilon_0/2)\le\varepsilon_0^2/2$"
            ),
        ),
        *gaussian_claims,
        *other_noise,
    ),
    cites=("geng2012optimal", "geng2013optimal", "hardt2010geometry", "dwork2006ourdata"),
)
