r"""Without slack the parameters add up, and that is tight for pure privacy alone."""

from sympy import IndexedBase, Integer, Product, Rational, Sum, binomial, exp, log

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import eq, ge, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.composition.advanced_composition import printed as advanced
from symdp.literature.kov.composition.basic_composition import basic
from symdp.sources.beyond import SOME
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
    Optimality,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate, AnySequence, delta_sum, loss_sum
from symdp.sources.worst_case import needed_delta, pure_part

slack_order = k * eps**2 + (k * eps**2) ** Rational(1, 2)
#: The mass that k randomised responses put on the outcomes of the largest loss, under both hypotheses.
likely = (exp(eps) / (1 + exp(eps))) ** k
unlikely = (1 / (1 + exp(eps))) ** k
struck = 1 - (1 - delta) ** k
#: The largest P(S) - e^{k eps} Q(S): all outcomes of infinite loss, and those of the largest finite one.
worst_excess = struck + (1 - delta) ** k * (likely - exp(k * eps) * unlikely)

#: the steps with their own epsilons; one of them gives the database away with probability delta, the others never
epsilons, l_, b, E = IndexedBase("eps"), symbol("l"), symbol("b"), symbol("E")
j, t = symbol("j"), symbol("t")
told = binomial(k, j) * exp(eps * (k - j))
each_likely = Product(exp(epsilons[l_]) / (1 + exp(epsilons[l_])), (l_, 1, k))
each_unlikely = Product(1 / (1 + exp(epsilons[l_])), (l_, 1, k))
one_delta = (
    Derivation("The outcomes that give the database away, and the one on which all answers are the likely ones",
               where=["k >= 1", gt(epsilons[l_], 0)], integer=["k"])
    .state(eq(each_likely, exp(Sum(epsilons[l_], (l_, 1, k))) * each_unlikely),
           "the probabilities of independent answers, under both hypotheses")
    .lemma("more than delta", "delta + (1 - delta)*(exp(s)*b) - exp(E)*((1 - delta)*b) > delta",
           ["0 <= delta", "delta < 1", "b > 0", "E < s"])
    # So with s for the sum and b for the product, this set breaks any epsilon E below the sum.
)

#: with two positive deltas their sum is a slack, which allows an epsilon that is smaller by t
need = needed_delta(AnyPrivate(eps, delta), k, k * eps - t)
left_over = k * delta - struck
less_is_enough = (
    Derivation("What is left of the sum", integer=["k"], where=[
        "eps > 0", "0 <= delta <= 1", "k >= 1", "t >= 0", le(1 - exp(-t), left_over)])
    .start(pure_part(eps, k, k * eps - t))
    .le(Sum(told * (1 - exp(-t)), (j, 0, k)) / (1 + exp(eps)) ** k,
        "no loss is above the sum, so that no outcome adds more than this share of its mass")
    .eq(1 - exp(-t), "the binomial theorem")
    .conclude(le(pure_part(eps, k, k * eps - t), 1 - exp(-t)), label="pure part")
    .start(need)
    .le(1 - (1 - delta) ** k * exp(-t), by="pure part")
    .le(struck + 1 - exp(-t))
    .le(k * delta)
    .conclude(le(need, k * delta))
)

sums_without_slack = Statement(
    place=kov.section("3.1"),
    title="The sums of the parameters",
    beyond=SOME,
    hypotheses=(
        r"The $\ell$-th of $k$ adaptively chosen mechanisms is $(\varepsilon_\ell,\delta_\ell)$-DP."
    ),
    variables={eps: positive, delta: unit, slack: unit_positive, k: positive_integer},
    formulas={"epsilon in total": loss_sum, "delta in total": delta_sum},
    claims=(
        Guarantee(
            "heterogeneous-sum",
            "the parameters add up, also when they differ",
            epsilon=loss_sum,
            delta=delta_sum,
            subject=AnySequence(),
        ),
        Optimality(
            "no-slack-tight",
            r"whatever the parameters, some mechanisms with these parameters violate "
            r"$(\varepsilon,\sum\delta_\ell)$-DP for every $\varepsilon<\sum\varepsilon_\ell$",
            examples=(
                Example("sum-is-needed", {"parameters": (("log(2)", "0"), ("log(3)", "0"))}),
                Example("sum-is-needed", {"parameters": (("log(2)", "1/10"),)}),
                Example("sum-is-needed", {"parameters": (("log(2)", "1/10"), ("log(2)", "1/10"))}),
            ),
        ),
        Optimality(
            "no-slack-tight.corrected",
            r"whatever the $\varepsilon_\ell$, if at most one $\delta_\ell$ is positive, and less than 1, "
            r"randomised responses "
            r"violate $(\varepsilon,\delta_\ell)$-DP for every $\varepsilon<\sum\varepsilon_\ell$",
            derivation=one_delta,
            role="corrected",
            improves="no-slack-tight",
            because=(
                r"two positive $\delta_\ell$ cost $1-\prod(1-\delta_\ell)$, which is less than their sum: "
                r"the difference is a slack that allows a smaller $\varepsilon$, as `no-slack-tight.otherwise` has "
                r"it for equal steps; nothing in the paper rests on more"
            ),
        ),
        Inequality(
            "no-slack-tight.otherwise",
            r"at $k\varepsilon-t$ the responses, which are the worst, need at most $k\delta$, if $1-e^{-t}\le "
            r"k\delta-1+(1-\delta)^k$: for $k\ge2$ and $0<\delta<1$ there is such a $t>0$, as "
            r"`equality-set.sharper` says",
            le(need, k * delta),
            where=(le(1 - exp(-t), left_over),),
            variables={t: nonnegative},
            derivation=less_is_enough,
            role="sharper",
            improves="no-slack-tight",
            because=r"so with equal steps the correction leaves out nothing that could be kept",
        ),
        Identity(
            "equality-set",
            r"some set meets the composed condition with equality: the largest excess of one probability "
            r"over $e^{k\varepsilon}$ times the other, that of $k$ randomised responses, is $k\delta$",
            eq(worst_excess, k * delta),
            fails_at={delta: Rational(1, 10), eps: Integer(1), k: Integer(2)},
        ),
        Identity(
            "equality-set.corrected",
            r"equality holds with the probability that some $\delta$ strikes, in the place of their sum",
            eq(worst_excess, 1 - (1 - delta) ** k),
            role="corrected",
            improves="equality-set",
            because=(
                r"the excess is $1-(1-\delta)^k$, which is less than $k\delta$ for $k\ge2$ and $\delta>0$; "
                r"Theorem 3.3 has it right"
            ),
        ),
        Inequality(
            "equality-set.sharper",
            r"from two mechanisms on, and for any positive $\delta$, equality is out of reach",
            lt(struck, k * delta),
            where=(ge(k, 2),),
            variables={delta: unit_positive},
            derivation=Derivation(
                "Bernoulli's inequality, strict", where=["0 < delta <= 1", "k >= 2"], integer=["k"])
            .induction("k", "1 - (1 - delta)^k < k*delta", first=2),
            role="sharper",
            improves="equality-set",
            because="it says on which parameters the printed equality fails: on all that are not trivial",
        ),
        Asymptotic(
            "slack-order",
            r"for any fixed slack the bound (4) is of the order of $k\varepsilon^2+\sqrt{k\varepsilon^2}$",
            advanced, "O", slack_order,
            regime=Regime(fixed=frozenset({slack})),
        ),
        Asymptotic(
            "slack-order.corrected",
            r"for any fixed slack, and $\varepsilon\le1$, the bound (4) is of that order",
            advanced, "O", slack_order,
            regime=Regime(fixed=frozenset({slack})),
            where=(le(eps, 1),),
            derivation=Derivation(
                "The order of (4) for a fixed slack",
                where=["0 < eps <= 1", "k >= 1", "0 < slack <= 1"], integer=["k"])
            .lemma("chord", "exp(x) - 1 <= 2*x", ["0 <= x <= 1"])
            .start(advanced)
            .le("2*k*eps^2 + eps*sqrt(2*k*log(1/slack))", by=use("chord", x=eps))
            .eq("2*k*eps^2 + sqrt(2*log(1/slack))*sqrt(k*eps^2)")
            .le("(2 + sqrt(2*log(1/slack)))*(k*eps^2 + sqrt(k*eps^2))"),
            role="corrected",
            improves="slack-order",
            because=(
                r"a missing condition: $k\varepsilon(e^\varepsilon-1)$ outgrows $k\varepsilon^2$; and the "
                r"constant depends on the slack, by $\sqrt{2\log(1/\tilde{\delta})}$"
            ),
        ),
        Comparison(
            "slack-smaller",
            r"with a slack, the bound (4) is below $k\varepsilon$",
            lt(advanced, basic),
            fails_at={eps: Rational(1, 10), k: Integer(10), slack: Rational(1, 10**6)},
        ),
        Comparison(
            "slack-smaller.corrected",
            r"with a slack, the bound (4) is below $k\varepsilon$ once $k$ is large enough: "
            r"$k(2-e^\varepsilon)^2>2\log(1/\tilde{\delta})$ with $e^\varepsilon<2$",
            lt(advanced, basic),
            where=(
                lt(exp(eps), 2), lt(2 * log(1 / slack), k * (2 - exp(eps)) ** 2),
            ),
            derivation=Derivation(
                "Where advanced composition beats the sum",
                where=["eps > 0", "exp(eps) < 2", "k >= 1", "0 < slack <= 1",
                       "2*log(1/slack) < k*(2 - exp(eps))^2"], integer=["k"])
            .lemma("roots", "sqrt(k*u) < k*z", ["k >= 1", "z > 0", "u >= 0", "u < k*z^2"])
            .state("sqrt(k*2*log(1/slack)) < k*(2 - exp(eps))",
                   by=use("roots", u="2*log(1/slack)", z="2 - exp(eps)"))
            .implies("eps*sqrt(2*k*log(1/slack)) < eps*k*(2 - exp(eps))")
            .implies("k*eps*(exp(eps) - 1) + eps*sqrt(2*k*log(1/slack)) < k*eps"),
            role="corrected",
            improves="slack-smaller",
            because=(
                r"for few mechanisms, a tiny slack or $\varepsilon\ge\log 2$ the bound (4) is above "
                r"$k\varepsilon$; Theorem 3.4 repairs this with a minimum"
            ),
        ),
    ),
    cites=("dwork2010boosting",),
)
