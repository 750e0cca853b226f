r"""Advanced composition as the note states it, with $\varepsilon$ under the root."""

from typing import ClassVar

from sympy import E, Integer, Min, exp, log, oo, sqrt, tanh

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import ge, gt, le, lt
from symdp.literature.kov.simplified_composition.concentrated_loss import concentrated_classic
from symdp.literature.note import note
from symdp.literature.note.derivation_of_advanced_composition import (
    deviation,
    m,
    smallest,
    survives,
    tail,
    z_printed,
)
from symdp.literature.note.tightness import classic, printed, tightness
from symdp.privacy.accounting import bounds
from symdp.sources.beyond import SOME
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Comparison,
    Guarantee,
    Inequality,
    Space,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    unit,
    unit_open,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate

#: a second, larger slack
more = symbol("t")

with_delta = printed.subs(slack, delta)
centred = bounds.classic.closed_form()  # k eps (e^eps - 1)/(e^eps + 1) + eps sqrt(2k log(1/slack))
by_renyi = bounds.blog.closed_form()  # k eps^2/2 + eps sqrt(2k log(1/slack))

natural = Space(nonnegative.interval, integer=True)
#: where everything that the note prints has a value and says something
sensible = {eps: positive, delta: unit, slack: unit_positive}
growth = (
    Derivation("Where the root dominates", integer=["k"],
               where=["0 < eps <= 1", "0 < slack <= 1", "k >= 1", "eps*sqrt(k) <= 1"])
    .state("exp(eps) - 1 <= 2*eps", label="exponential")
    .start(classic)
    .le("eps*sqrt(2*k*log(1/slack)) + k*eps*(2*eps)", by="exponential")
    .eq("eps*sqrt(k)*sqrt(2*log(1/slack)) + 2*(eps*sqrt(k))*(eps*sqrt(k))")
    .le("eps*sqrt(k)*sqrt(2*log(1/slack)) + 2*(eps*sqrt(k))", "eps*sqrt(k) is at most 1")
)
growth_at_its_best = (
    Derivation("The chord of the exponential", integer=["k"],
               where=["eps > 0", "0 < slack <= 1", "k >= 1", "eps*sqrt(k) <= 1"])
    .lemma("chord", "exp(x) - 1 <= (e - 1)*x", ["0 <= x <= 1"])
    .state("eps <= 1", label="small")
    .start(classic)
    .le("eps*sqrt(2*k*log(1/slack)) + k*eps*((e - 1)*eps)", by=["small", use("chord", x=eps)])
    .eq("eps*sqrt(k)*sqrt(2*log(1/slack)) + (e - 1)*(eps*sqrt(k))*(eps*sqrt(k))")
    .le("eps*sqrt(k)*sqrt(2*log(1/slack)) + (e - 1)*(eps*sqrt(k))", "eps*sqrt(k) is at most 1")
)

monotone = (
    Derivation("A smaller slack costs more", integer=["k"],
               where=["eps > 0", "k >= 1", "0 < slack", "slack < t", "t <= 1"])
    .lemma("roots", "sqrt(c*a) < sqrt(c*b)", where=["c > 0", "a >= 0", "b > a"])
    .state("log(1/t) < log(1/slack)", label="logarithms")
    .state(lt(deviation.subs(slack, more), deviation),
           by=use("roots", a="log(1/t)", b="log(1/slack)", c="2*k*eps"), label="deviations")
    .conclude(lt(printed.subs(slack, more), printed), by="deviations")
)

z = symbol("z")
least = Min(k * eps, centred)
never_more = (
    Derivation("The least of the two", integer=["k"], where=["eps > 0", "0 < slack <= 1", "k >= 1"])
    .state("0 <= log(1/slack)", label="logarithm")
    .cases(
        le(least, printed),
        ("eps <= 1", lambda d: d
         .lemma("roots", "x*sqrt(y) <= sqrt(x*y)", where=["0 <= x <= 1", "y >= 0"])
         .lemma("means", "x*(exp(x) - 1)/(exp(x) + 1) <= x*(exp(x) - 1)", where=["x >= 0"])
         .state("eps*sqrt(2*k*log(1/slack)) <= sqrt(eps*(2*k*log(1/slack)))",
                by=["logarithm", use("roots", x=eps, y="2*k*log(1/slack)")], label="deviations")
         .start(least).le(centred)
         .le(k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / slack)), by=use("means", x=eps))
         .le(printed, by="deviations")),
        ("eps > 1", lambda d: d
         .start(least).le(k * eps).le(k * eps * (exp(eps) - 1)).le(printed, by="logarithm")),
    )
)


class Adaptive(Guarantee):
    """A guarantee as a remark on how the mechanisms of a composition may be chosen."""

    kind: ClassVar[str] = "structural"


advanced_composition = Statement(
    place=note.theorem("3.20"),
    title="Advanced composition",
    beyond=SOME,
    hypotheses=(
        r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP; $\tilde{\delta}$ is "
        r"what the note calls $\delta'$."
    ),
    variables={
        eps: nonnegative, delta: nonnegative, slack: nonnegative, more: unit_positive,
        k: positive_integer,
    },
    formulas={"epsilon in total": printed, "in the textbook": classic, "delta in total": k * delta + slack},
    claims=(
        Structural("source", "due to Dwork, Rothblum and Vadhan; Theorem 3.20 of the textbook of Dwork "
                             "and Roth", task="cite"),
        Guarantee(
            "bound",
            r"for all $\varepsilon,\delta,\tilde{\delta}\ge0$, with $\varepsilon$ under the root; at "
            r"$\varepsilon=0$ it is the line below",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=printed,
            delta=k * delta + slack,
            variables={eps: positive},
        ),
        Guarantee(
            "bound.at-zero",
            r"at $\varepsilon=0$, where the printed $\varepsilon'$ is 0, the $\delta$ add up without any "
            r"slack",
            subject=AnyPrivate(Integer(0), delta),
            fold=k,
            epsilon=Integer(0),
            delta=k * delta,
            variables={delta: unit},
            role="sharper",
            improves="bound",
            because=(
                r"no $\tilde{\delta}$ is needed there; and for $\varepsilon>0$ the misplaced "
                r"$\varepsilon$ does no harm: below 1 the root is larger for it, and from $\log 2$ on "
                r"$k\varepsilon(e^\varepsilon-1)\ge k\varepsilon$ is enough by itself"
            ),
        ),
        Guarantee(
            "bound.textbook",
            r"with $\varepsilon$ before the root, as in the textbook",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=classic,
            delta=k * delta + slack,
            variables=sensible,
            role="sharper",
            improves="bound",
            because=r"for $\varepsilon<1$, $\varepsilon$ is less than its root: the $\varepsilon$ "
                    r"under the root is a misprint",
        ),
        Inequality(
            "bound.least",
            r"the sum $k\varepsilon$, or the centred bound where that is less, is never more than printed",
            le(least, printed),
            variables=sensible,
            derivation=never_more,
            role="sharper",
            improves="bound",
            because=r"both are guarantees (Theorem 3.4 of Kairouz, Oh and Viswanath)",
        ),
        Guarantee(
            "bound.concentrated",
            r"the mean $m$ of the loss is enough, with a deviation whose variance is twice that mean",
            epsilon=concentrated_classic(k * eps * (exp(eps) - 1) / (exp(eps) + 1)),
            delta=1 - (1 - delta) ** k * (1 - slack),
            subject=AnyPrivate(eps, delta),
            fold=k,
            variables=sensible,
            role="sharper",
            improves="bound",
            because=(
                r"$m\le k\varepsilon^2/2$, so it is below the textbook's bound in both terms; the variance of the "
                r"loss, "
                r"which is less than twice the mean, would do as well"
            ),
        ),
        Asymptotic(
            "growth",
            r"the cumulative privacy loss grows no faster than $\sqrt k$, for a fixed $\varepsilon$; so does then "
            r"its mean, "
            r"which is $k\varepsilon\tanh(\varepsilon/2)$ for randomised responses, the worst case",
            k * eps * tanh(eps / 2), "O", sqrt(k), Regime(moving={k: oo}, fixed=frozenset({eps})),
            variables={eps: positive},
        ),
        Asymptotic(
            "growth.bound",
            r"for fixed $\varepsilon$ and $\tilde{\delta}$ the bound $\varepsilon'$ is at least of the order of $k$",
            k, "O", printed, Regime(moving={k: oo}, fixed=frozenset({eps, slack})),
            variables=sensible,
            role="sharper",
            improves="growth",
            because=r"its second term is $k\varepsilon(e^\varepsilon-1)$; the $\sqrt k$ is that of the deviation "
                    r"alone",
        ),
        Inequality(
            "growth.corrected",
            r"as long as $\varepsilon\sqrt k\le1$, the textbook's bound on the loss is at most a constant, which "
            r"depends on $\tilde{\delta}$ alone, times $\varepsilon\sqrt k$",
            le(classic, eps * sqrt(k) * sqrt(2 * log(1 / slack)) + 2 * (eps * sqrt(k))),
            variables=sensible,
            where=(le(eps, 1), le(eps * sqrt(k), 1)),
            role="corrected",
            improves="growth",
            because=(
                r"for a fixed $\varepsilon$ the mean of the loss is linear in $k$, and so is the second term of the "
                r"bound; "
                r"a condition on $\varepsilon$ is missing, such as $\varepsilon\le1/\sqrt k$"
            ),
            derivation=growth,
        ),
        Inequality(
            "growth.sharper",
            r"$e-1$ takes the place of the constant 2 in that",
            le(classic, eps * sqrt(k) * sqrt(2 * log(1 / slack)) + (E - 1) * (eps * sqrt(k))),
            variables=sensible,
            where=(le(eps * sqrt(k), 1),),
            role="sharper",
            improves="growth",
            because=r"at $k=\varepsilon=1$ both sides are equal; that $\varepsilon\le1$ follows",
            derivation=growth_at_its_best,
        ),
        Inequality(
            "tail",
            r"Azuma's bound $e^{-z^2/2}$ on the probability of more than $\varepsilon'$ is no more "
            r"than $\tilde{\delta}$, where $z\varepsilon\sqrt k$ is the deviation in "
            r"the printed $\varepsilon'$",
            le(exp(-(z_printed**2) / 2), slack),
            variables=sensible,
        ),
        Inequality(
            "tail.corrected",
            r"it is at most $\tilde{\delta}$ from the deviation of the textbook on, which is "
            r"$z=\sqrt{2\log(1/\tilde{\delta})}$",
            le(exp(-(z**2) / 2), slack),
            variables={**sensible, z: nonnegative},
            where=(ge(z, sqrt(2 * log(1 / slack))),),
            role="corrected",
            improves="tail",
            because=(
                r"with $\varepsilon$ under the root Azuma's bound is $\tilde{\delta}^{1/\varepsilon}$, "
                r"which is more than $\tilde{\delta}$ for $\varepsilon>1$; the probability itself is "
                r"then 0, so that the theorem survives"
            ),
        ),
        Inequality(
            "tail.survives",
            r"the probability that $k$ randomised responses have a loss of more than the printed $\varepsilon'$ is "
            r"at most $\tilde{\delta}$ all the same, for every $\varepsilon$: on the left is that of the losses from "
            r"$(k-2m)\varepsilon$ on, where $(k-2m)\varepsilon>\varepsilon'$",
            le(tail, slack),
            variables={**sensible, m: natural},
            where=(le(m, k), gt(smallest, printed)),
            role="sharper",
            improves="tail",
            because=r"up to $\varepsilon=1$ the printed deviation is the larger one, and beyond, no "
                    r"loss is more than $\varepsilon'$",
            derivation=survives,
        ),
        Comparison(
            "rdp",
            r"composition by Renyi divergences: for pure steps $k\varepsilon^2/2$ in the place of "
            r"$k\varepsilon(e^\varepsilon-1)$",
            le(by_renyi, classic),
            variables=sensible,
            task="cite",
        ),
        Comparison(
            "rdp.pure",
            r"that much is so for every $\varepsilon$, and with half of the textbook's second term too",
            lt(by_renyi, classic - k * eps * (exp(eps) - 1) / 2),
            variables=sensible,
            role="sharper",
            improves="rdp",
            because=(
                r"$\varepsilon$ is less than $e^\varepsilon-1$"
            ),
        ),
        Asymptotic(
            "small-epsilon",
            r"for small $\varepsilon$ the bound is $2\varepsilon\sqrt{k\log(1/\tilde{\delta})}$",
            printed, "~", 2 * eps * sqrt(k * log(1 / slack)),
            Regime(moving={eps: Integer(0)}, fixed=frozenset({k, slack})),
            variables={eps: positive, slack: unit_open},
        ),
        Asymptotic(
            "small-epsilon.corrected",
            r"the bound of the textbook is $\varepsilon\sqrt{2k\log(1/\tilde{\delta})}$ for small "
            r"$\varepsilon$",
            classic, "~", eps * sqrt(2 * k * log(1 / slack)),
            Regime(moving={eps: Integer(0)}, fixed=frozenset({k, slack})),
            variables={eps: positive, slack: unit_open},
            role="corrected",
            improves="small-epsilon",
            because=(
                r"as printed the bound is of the order $\sqrt\varepsilon$, and with $\varepsilon$ "
                r"before the root the factor is $\sqrt2$; 2 is only an upper bound"
            ),
        ),
        Inequality(
            "small-epsilon.upper",
            r"the factor 2 is an upper bound as long as "
            r"$\sqrt k(e^\varepsilon-1)\le(2-\sqrt2)\sqrt{\log(1/\tilde{\delta})}$",
            le(classic, 2 * eps * sqrt(k * log(1 / slack))),
            variables=sensible,
            where=(le(sqrt(k) * (exp(eps) - 1), (2 - sqrt(2)) * sqrt(log(1 / slack))),),
            role="sharper",
            improves="small-epsilon",
            because="it says how small is small enough",
        ),
        Adaptive(
            "adaptive",
            r"the next mechanism, and the databases that it is asked about, may be chosen by all that was seen "
            r"before: that is what the bound is about",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=printed,
            delta=k * delta + slack,
            variables={eps: positive},
        ),
        Inequality(
            "monotone",
            r"a smaller $\tilde{\delta}$ makes $\varepsilon'$ larger",
            lt(printed.subs(slack, more), printed),
            variables={slack: unit_positive},
            where=(lt(slack, more),),
        ),
        Inequality(
            "monotone.corrected",
            r"the same for $\varepsilon>0$",
            lt(printed.subs(slack, more), printed),
            variables=sensible,
            where=(lt(slack, more),),
            role="corrected",
            improves="monotone",
            because=r"at $\varepsilon=0$, which is allowed, $\varepsilon'$ is 0 for every $\tilde{\delta}$",
            derivation=monotone,
        ),
        Guarantee(
            "delta-choice",
            r"with $\tilde{\delta}=\delta$ the total is $(\varepsilon',(k+1)\delta)$; at "
            r"$\varepsilon=0$ this too is less than the sum of the $\delta$",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=with_delta,
            delta=(k + 1) * delta,
            variables={eps: positive},
        ),
        Guarantee(
            "delta-choice.sharper",
            r"so it is with the mean of the loss, a deviation whose variance is twice that mean, and "
            r"$1-(1-\delta)^{k+1}$",
            subject=AnyPrivate(eps, delta),
            fold=k,
            epsilon=concentrated_classic(k * eps * (exp(eps) - 1) / (exp(eps) + 1)).subs(slack, delta),
            delta=1 - (1 - delta) ** k * (1 - slack).subs(slack, delta),
            variables={eps: positive, delta: unit_positive},
            role="sharper",
            improves="delta-choice",
            because=r"the probabilities that nothing leaks multiply, and the loss is concentrated",
        ),
        *tightness,
    ),
    cites=("dwork2010boosting", "dwork2014foundations", "mironov2017renyi", "kairouz2013composition",
           "shevtsova2011absolute"),
)
