r"""The introduction: what composition costs, before and after the optimal theorem."""

from typing import ClassVar

from sympy import E, Expr, Integer, Rational, log, sqrt

from symdp.formulas.notation import delta, eps, k, slack, symbol, x
from symdp.formulas.relation import eq, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.composition.advanced_composition import deviation
from symdp.literature.kov.composition.advanced_composition import printed as advanced
from symdp.literature.kov.composition.basic_composition import basic
from symdp.literature.kov.simplified_composition.gains import below_half, halved
from symdp.literature.kov.simplified_composition.theorem import bound as simplified
from symdp.literature.kov.simplified_composition.theorem import (
    classic,
    log_deviation,
    logarithmic,
)
from symdp.privacy.mechanisms.noise.staircase import Staircase
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Comparison,
    Guarantee,
    Inequality,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate

a, b, r, q, w, y = (symbol(name) for name in ("a", "b", "r", "q", "w", "y"))
eps_0 = symbol("eps_0")

earlier_order = k * eps**2 + eps * sqrt(k * log(1 / slack))
new_order = k * eps**2 + eps * sqrt(k * log(E + eps * sqrt(k) / slack))
gained = new_order * sqrt(log(1 / slack))



def in_the_regime(bound: Expr) -> Expr:
    """A bound at slack = a k delta and eps = b sqrt(k) delta."""
    return bound.subs({slack: a * k * delta, eps: b * sqrt(k) * delta}, simultaneous=True)


#: For sensitivity one; both grow with its square.
laplace_variance = 2 / eps_0**2
staircase_variance = Staircase(eps_0).variance_form

usual = ["eps > 0", "k >= 1", "0 < slack <= 1"]


def near_and_far(factor: Expr, most: Expr) -> Derivation:
    """That the variance of Laplacian noise is at most that factor above the staircase's."""
    return Derivation("Near 0 and away from it", where=["eps_0 > 0", le(eps_0, most)]).cases(
        le(laplace_variance, factor * staircase_variance), ("eps_0 <= 1/10", None), ("eps_0 >= 1/10", None))



order_of_the_earlier_bound = (
    Derivation("The order of (4)", where=[*usual, "eps <= 1"], integer=["k"])
    .lemma("chord", "exp(x) - 1 <= 2*x", ["0 <= x <= 1"])
    .start(advanced)
    .le(2 * k * eps**2 + deviation, by=use("chord", x=eps))
    .le(2 * earlier_order, "sqrt(2) <= 2")
)
order_of_the_new_bound = (
    Derivation("The second entry is enough", where=usual, integer=["k"])
    .start(simplified)
    .le(logarithmic, "one of the three entries")
    .le(k * eps**2 / 2 + log_deviation, "tanh(x) <= x")
    .eq(k * eps**2 / 2 + sqrt(2) * eps * sqrt(k * log(E + eps * sqrt(k) / slack)))
    .le(2 * new_order, "sqrt(2) <= 2")
)
#: In the regime: y for eps*sqrt(k), which is b/a of slack; q and w for the two roots.
gain_in_the_regime = (
    Derivation("The two orders in the regime, where slack <= 1/3", integer=["k"],
               where=["a > 0", "b > 0", "k >= 1", "0 < delta", "a*k*delta <= 1/3"])
    .lemma("products", "y^2 + y*q <= (y^2 + y*w)*q", ["y >= 0", "q >= 1", "w >= 1"])
    .lemma("shares", "(y^2 + y*w)*q <= (r + w)*(y^2 + y*q)", ["0 <= y", "y <= r", "q >= 0", "w >= 0"])
    .let("y", b * k * delta).let("q", sqrt(log(1 / (a * k * delta)))).let("w", sqrt(log(E + b / a)))
    .state("q >= 1", "slack is at most 1/3", label="q")
    .state("w >= 1", label="w")
    .state("y <= b/a", label="small")
    .state(eq(in_the_regime(earlier_order), y**2 + y * q), "y for eps sqrt(k), q for the root", label="before")
    .state(eq(in_the_regime(gained), (y**2 + y * w) * q), "and w for the new root", label="after")
    .state("y^2 + y*q <= (y^2 + y*w)*q", "both roots are at least 1",
           by=["q", "w", use("products", y="y", q="q", w="w")], label="above")
    .state("(y^2 + y*w)*q <= (b/a + w)*(y^2 + y*q)", "so the quotient stays between constants",
           by=["q", "w", "small", use("shares", y="y", q="q", w="w", r="b/a")], label="below")
    .state(le(in_the_regime(earlier_order), in_the_regime(gained)), by=["before", "after", "above"])
    .state(le(in_the_regime(gained), (b / a + sqrt(log(E + b / a))) * in_the_regime(earlier_order)),
           by=["before", "after", "below"])
)
#: What is gained under the root.
gain = log(1 / slack) / log(E + eps * sqrt(k) / slack)
size_of_the_gain = (
    Derivation("The gain under the root, where eps*sqrt(k) is at most slack", integer=["k"],
               where=["eps > 0", "k >= 1", "0 < slack <= 1", "eps*sqrt(k) <= slack"])
    .lemma("above", "z/w <= z", ["z >= 0", "w >= 1"])
    .lemma("below", "z <= v*(z/w)", ["z >= 0", "0 < w", "w <= v"])
    .state("log(1/slack) >= 0", label="logarithm")
    .state("eps*sqrt(k)/slack <= 1", label="quotient")
    .state("log(e + eps*sqrt(k)/slack) >= 1", label="at least one")
    .state("log(e + eps*sqrt(k)/slack) <= log(e + 1)", by="quotient", label="at most")
    .state(le(gain, log(1 / slack)),
           by=["logarithm", "at least one", use("above", z=log(1 / slack), w=log(E + eps * sqrt(k) / slack))])
    .state(le(log(1 / slack), log(E + 1) * gain),
           by=["logarithm", "at least one", "at most",
               use("below", z=log(1 / slack), w=log(E + eps * sqrt(k) / slack), v=log(E + 1))])
)
gain_at_powers = (
    Derivation("The gain where eps*sqrt(k) is slack^x", where=["0 < slack <= 1", "x < 1"])
    .lemma("quotients", "z/w <= 1/(1 - x)", ["x < 1", "w > 0", "(1 - x)*z <= w"])
    .start((1 - x) * log(1 / slack)).eq("log(slack^x/slack)").le("log(e + slack^x/slack)")
    .conclude(le((1 - x) * log(1 / slack), log(E + slack**x / slack)), label="logarithms")
    .state("log(e + slack^x/slack) > 0", label="positive")
    .state(le(log(1 / slack) / log(E + slack**x / slack), 1 / (1 - x)),
           by=["logarithms", "positive", use("quotients", z=log(1 / slack), w=log(E + slack**x / slack))])
)

class Similar(Asymptotic):
    """Two quantities of the same order: a comparison without a number."""

    kind: ClassVar[str] = "comparison"


introduction = Statement(
    place=kov.section("1"),
    title="What composition costs, before and after",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={
        eps: positive, delta: unit, slack: unit_positive, k: positive_integer, a: positive,
        b: positive, eps_0: positive,
    },
    formulas={"order before": earlier_order, "order now": new_order},
    claims=(
        Guarantee(
            "basic",
            "the parameters add up, whatever they are",
            epsilon=basic,
            delta=k * delta,
            subject=AnyPrivate(eps, delta),
            fold=k,
            variables={eps: nonnegative},
        ),
        Asymptotic(
            "drv-order",
            r"the order of the bound (4), with no range attached",
            advanced, "O", earlier_order,
        ),
        Asymptotic(
            "drv-order.corrected",
            r"the order of the bound (4) for $\varepsilon\le 1$",
            advanced, "O", earlier_order,
            where=(le(eps, 1),),
            derivation=order_of_the_earlier_bound,
            role="corrected",
            improves="drv-order",
            because=(
                r"the bound (4) holds $k\varepsilon(e^\varepsilon-1)$, which is of the order of "
                r"$k\varepsilon^2$ for bounded $\varepsilon$ only; a missing condition, which later "
                r"sections have as $\varepsilon\le 0.9$"
            ),
        ),
        Asymptotic(
            "new-order",
            r"the order of the new bound, the least of the three entries of (7)",
            simplified, "O", new_order,
            derivation=order_of_the_new_bound,
        ),
        Comparison(
            "strict-improvement",
            r"the new bound is below the bound (4), strictly, at the same $\varepsilon$, $k$ and "
            r"$\tilde{\delta}$",
            lt(simplified, advanced),
            derivation=Derivation("The third entry is below (4)", where=usual, integer=["k"])
            .start(simplified)
            .le(classic, "one of the three entries")
            .lt(advanced, "2 tanh(eps/2) <= exp(eps) - 1"),
        ),
        Comparison(
            "strict-improvement.sharper",
            r"the new bound is below (4) even with half of the first term of (4)",
            lt(simplified, halved),
            derivation=below_half,
            role="sharper",
            improves="strict-improvement",
            because=(
                r"$\tanh(\varepsilon/2)<(e^\varepsilon-1)/2$"
            ),
        ),
        Asymptotic(
            "log-gain",
            r"with $\tilde{\delta}=ak\delta$ and $\varepsilon=b\sqrt{k\delta}$ the earlier bound is "
            r"larger by the root of a logarithm, as $\delta\to0$",
            earlier_order, "Theta", gained,
            regime=Regime(
                moving={delta: Integer(0)},
                following={slack: a * k * delta, eps: b * sqrt(k * delta)},
                fixed=frozenset({a, b, k}),
            ),
        ),
        Asymptotic(
            "log-gain.corrected",
            r"with $\tilde{\delta}=ak\delta$ and $\varepsilon=b\sqrt{k}\,\delta$ the earlier bound is "
            r"larger by the root of a logarithm, as $\delta\to0$",
            earlier_order, "Theta", gained,
            regime=Regime(
                moving={delta: Integer(0)},
                following={slack: a * k * delta, eps: b * sqrt(k) * delta},
                fixed=frozenset({a, b, k}),
            ),
            constants=(Integer(1), b / a + sqrt(log(E + b / a))),
            derivation=gain_in_the_regime,
            role="corrected",
            improves="log-gain",
            because=(
                r"the root in the printed regime reaches too far: with $\varepsilon=b\sqrt{k\delta}$ "
                r"the new logarithm is about $\tfrac12\log(1/\delta)$, so that only a constant is "
                r"gained; $\varepsilon\sqrt k=\Theta(\tilde{\delta})$, as in Section 3.2, is what is meant"
            ),
        ),
        Asymptotic(
            "small-gain",
            r"where $\varepsilon\sqrt{k}\le\tilde{\delta}$, the gain "
            r"$\log(1/\tilde{\delta})/\log(e+\varepsilon\sqrt{k}/\tilde{\delta})$ under the root is "
            r"$\log(1/\tilde{\delta})$, up to a factor of $\log(e+1)$",
            gain, "Theta", log(1 / slack), constants=(Integer(1), log(E + 1)),
            where=(le(eps * sqrt(k), slack),),
            task="derive",
            derivation=size_of_the_gain,
        ),
        Inequality(
            "small-gain.everywhere",
            r"the gain is never more than $\log(1/\tilde{\delta})$",
            le(gain, log(1 / slack)),
            role="sharper",
            improves="small-gain",
            because=r"the logarithm below is at least 1, whatever $\varepsilon$ and $k$ are",
        ),
        Inequality(
            "small-gain.powers",
            r"it is at most $1/(1-x)$ where $\varepsilon\sqrt{k}=\tilde{\delta}^x$ with $x<1$: a constant",
            le(log(1 / slack) / log(E + slack**x / slack), 1 / (1 - x)),
            variables={x: real},
            where=(lt(x, 1),),
            role="sharper",
            improves="small-gain",
            because=r"it says how small $\varepsilon\sqrt{k}$ has to be: like $\tilde{\delta}$ itself, and not a "
                    r"smaller power of it",
            derivation=gain_at_powers,
        ),
        Inequality(
            "small-gain.none",
            r"there is none where $\varepsilon\sqrt{k}\ge1$",
            le(gain, 1),
            where=(le(1, eps * sqrt(k)),),
            role="sharper",
            improves="small-gain",
            because=r"then $e+\varepsilon\sqrt{k}/\tilde{\delta}$ is more than $1/\tilde{\delta}$",
        ),
        Similar(
            "similar-variances",
            r"at the same privacy $\varepsilon_0\le0.9$ of each step, the variances of Laplacian noise, which is "
            r"that of "
            r"Gaussian noise in Theorem 4.3 where $\varepsilon_0$ is that of Corollary 4.1, and of staircase noise "
            r"are of "
            r"the same order; the text has no number",
            laplace_variance, "Theta", staircase_variance,
            where=(le(eps_0, Rational("0.9")),),
        ),
        Comparison(
            "similar-variances.sharper",
            r"for $\varepsilon_0\le0.9$ it is at most $1.03443$ times that of the staircase",
            le(laplace_variance, Rational("1.03443") * staircase_variance),
            where=(le(eps_0, Rational("0.9")),),
            role="sharper",
            improves="similar-variances",
            derivation=near_and_far(Rational("1.03443"), Rational("0.9")),
            because=r"the quotient grows with $\varepsilon_0$",
        ),
        Comparison(
            "similar-variances.at-the-end",
            r"at $\varepsilon_0=0.9$ it is more than $1.03442$ times that of the staircase",
            gt(laplace_variance.subs(eps_0, Rational("0.9")),
               Rational("1.03442") * staircase_variance.subs(eps_0, Rational("0.9"))),
            role="sharper",
            improves="similar-variances",
            because="so the factor is right in its first five places",
        ),
        Comparison(
            "similar-variances.range",
            r"it is at most a tenth above that of the staircase for $\varepsilon_0\le1.5078$",
            le(laplace_variance, Rational(11, 10) * staircase_variance),
            where=(le(eps_0, Rational("1.5078")),),
            role="sharper",
            improves="similar-variances",
            derivation=near_and_far(Rational(11, 10), Rational("1.5078")),
            because=r"the quotient reaches $1.1$ far above $0.9$",
        ),
        Comparison(
            "similar-variances.beyond",
            r"at $\varepsilon_0=1.5079$ it is more than a tenth above",
            gt(laplace_variance.subs(eps_0, Rational("1.5079")),
               Rational(11, 10) * staircase_variance.subs(eps_0, Rational("1.5079"))),
            role="sharper",
            improves="similar-variances",
            because="so the range is right in its first four places",
        ),
    ),
    cites=("dwork2010boosting", "dwork2006calibrating", "dwork2006ourdata", "dwork2009robust"),
)
