r"""What the simplified theorem gains over the advanced one: a logarithm, where the slack is large."""

from sympy import E, Min, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import eq, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.composition.advanced_composition import deviation
from symdp.literature.kov.composition.advanced_composition import printed as advanced
from symdp.literature.kov.simplified_composition.theorem import (
    bound,
    classic,
    log_deviation,
    logarithmic,
    total_delta,
)
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Comparison,
    Identity,
    Statement,
    positive,
    positive_integer,
    unit,
    unit_positive,
)

a, b, c = (symbol(name) for name in ("a", "b", "c"))
classic_root = sqrt(k * eps**2 * log(1 / slack))
printed_order = k * eps**2 + Min(classic_root, eps * log(eps / slack))
log_root = eps * sqrt(k * log(E + eps * sqrt(k) / slack))
order = k * eps**2 + Min(classic_root, log_root)
usual = ["eps > 0", "k >= 1", "0 < slack <= 1"]

below_advanced = (
    Derivation("The third entry is below (4)", where=usual, integer=["k"])
    .start(bound)
    .le(classic, "one of the three entries")
    .lt(advanced, "2 tanh(eps/2) <= exp(eps) - 1")
)
halved = k * eps * (exp(eps) - 1) / 2 + deviation
below_half = (
    Derivation("The third entry is below (4) with half of its first term", where=usual, integer=["k"])
    .start(bound)
    .le(classic, "one of the three entries")
    .lt(halved, "2 tanh(eps/2) < exp(eps) - 1")
)
#: The minimum is at most each of its entries; the two ends together are twice the corrected order.
order_of_the_minimum = (
    Derivation("Two entries of the minimum", where=usual, integer=["k"])
    .start(bound)
    .le(logarithmic, "one of the three entries")
    .le(k * eps**2 / 2 + log_deviation, "tanh(x) <= x")
    .eq(k * eps**2 / 2 + sqrt(2) * log_root)
    .le(2 * (k * eps**2 + log_root), "sqrt(2) <= 2")
    .conclude(le(bound, 2 * (k * eps**2 + log_root)))
    .start(bound)
    .le(classic, "one of the three entries")
    .le(k * eps**2 / 2 + deviation, "tanh(x) <= x")
    .eq(k * eps**2 / 2 + sqrt(2) * classic_root)
    .le(2 * (k * eps**2 + classic_root), "sqrt(2) <= 2")
    .conclude(le(bound, 2 * (k * eps**2 + classic_root)))
    .cite("what is at most each of two numbers is at most the less of them", "the definition of a minimum",
          claim=le(bound, 2 * order))
)
below_earlier = lt(total_delta, k * delta + slack)
strictly_below = (
    Derivation("Bernoulli's inequality, "
               "strict", where=["0 < delta <= 1", "0 <= slack <= 1", "k >= 1", "k - 1 + slack > 0"],
               integer=["k"])
    .cases(
        below_earlier,
        ("k >= 2", lambda d: d.induction("k", below_earlier, first=2)),
        ("k <= 1", lambda d: d.state("k == 1", label="one").state("slack > 0", by="one", label="slack")
         .start(total_delta).eq("1 - (1 - delta)*(1 - slack)", by="one").lt("delta + slack", by="slack")
         .eq(k * delta + slack, by="one").conclude(below_earlier)),
    )
)
equal_to_earlier = eq(total_delta, k * delta + slack)
equal_where = (
    Derivation("Where the two deltas are equal", integer=["k"], where=[
        "0 <= delta <= 1", "0 <= slack <= 1", "k >= 1", eq(delta * (k - 1 + slack), 0)])
    .cases(
        equal_to_earlier,
        ("delta <= 0", lambda d: d.state("delta == 0", label="none").start(total_delta)
         .eq("1 - 1^k*(1 - slack)", by="none").eq(slack).eq(k * delta + slack, by="none").conclude(equal_to_earlier)),
        ("delta > 0", lambda d: d.state("k - 1 + slack == 0", label="sum").state("k == 1", by="sum", label="one")
         .state("slack == 0", by=["sum", "one"], label="no slack").start(total_delta)
         .eq("1 - (1 - delta)*(1 - 0)", by=["one", "no slack"]).eq(delta)
         .eq(k * delta + slack, by=["one", "no slack"])
         .conclude(equal_to_earlier)),
    )
)
slack_is_enough = (
    Derivation("The logarithm is a constant", where=[
        "eps > 0", "k >= 1", "c > 0", "k*eps^2 <= 1", "c*sqrt(k)*eps <= 1"], integer=["k"])
    .start(k * eps**2 / 2 + eps * sqrt(2 * k * log(E + 1 / c)))
    .le((1 + sqrt(2 * log(E + 1 / c))) * sqrt(k) * eps, "k eps^2 <= sqrt(k) eps")
)

what_the_simplification_gains = Statement(
    place=kov.section("3.2"),
    title="What the simplification gains",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon,\delta)$-DP.",
    variables={
        eps: positive, delta: unit, slack: unit_positive, k: positive_integer, a: positive,
        b: positive, c: positive,
    },
    formulas={"order": order},
    claims=(
        Asymptotic(
            "order",
            r"the bound (7) is of the order of $k\varepsilon^2$ and the least of a root and "
            r"$\varepsilon\log(\varepsilon/\tilde{\delta})$",
            bound, "O", printed_order,
        ),
        Asymptotic(
            "order.corrected",
            r"the bound (7) is of the order of $k\varepsilon^2$ and the least of two roots",
            bound, "O", order,
            derivation=order_of_the_minimum,
            role="corrected",
            improves="order",
            because=(
                r"$\varepsilon\log(\varepsilon/\tilde{\delta})$ is a misprint for "
                r"$\varepsilon\sqrt{k\log(e+\varepsilon\sqrt k/\tilde{\delta})}$, as in (7): it "
                r"vanishes at $\varepsilon=\tilde{\delta}$ and is negative below"
            ),
        ),
        Comparison(
            "strictly-smaller",
            r"the total $\delta$ is strictly below the earlier $k\delta+\tilde{\delta}$",
            lt(total_delta, k * delta + slack),
            variables={slack: unit},
        ),
        Comparison(
            "strictly-smaller.corrected",
            r"it is strictly below where $\delta>0$, and with one mechanism also $\tilde{\delta}>0$",
            lt(total_delta, k * delta + slack),
            variables={delta: unit_positive, slack: unit},
            where=(gt(k - 1 + slack, 0),),
            derivation=strictly_below,
            role="corrected",
            improves="strictly-smaller",
            because=r"for pure privacy, $\delta=0$, the two are equal; so they are at $k=1$ without slack, and "
                    r"nowhere "
                    r"else",
        ),
        Identity(
            "strictly-smaller.equal",
            r"where $\delta=0$, or $k=1$ and $\tilde{\delta}=0$, the two are equal",
            eq(total_delta, k * delta + slack),
            variables={slack: unit},
            where=(eq(delta * (k - 1 + slack), 0),),
            derivation=equal_where,
            role="sharper",
            improves="strictly-smaller",
            because="so the correction leaves out nothing that could be kept",
        ),
        Comparison(
            "strictly-smaller.sharper",
            r"it is never above, whatever $\delta$ and $\tilde{\delta}$ are",
            le(total_delta, k * delta + slack),
            variables={slack: unit},
            derivation=Derivation(
                "Bernoulli's inequality",
                where=["0 <= delta <= 1", "0 <= slack <= 1", "k >= 1"], integer=["k"])
            .induction("k", "1 - (1 - delta)^k*(1 - slack) <= k*delta + slack"),
            role="sharper",
            improves="strictly-smaller",
            because="without strictness no condition is needed",
        ),
        Comparison(
            "improves",
            r"the bound (7) is below (4) where $\tilde{\delta}=\Theta(\sqrt{k\varepsilon^2})$",
            lt(bound, advanced),
            where=(le(a * sqrt(k * eps**2), slack), le(slack, b * sqrt(k * eps**2))),
            derivation=below_advanced,
        ),
        Comparison(
            "improves.sharper",
            r"the bound (7) is below (4) for every slack, and so it is with half of the first term of (4)",
            lt(bound, halved),
            derivation=below_half,
            role="sharper",
            improves="improves",
            because=(
                r"the third entry is always below (4); the regime only says where the second one gains "
                r"a logarithm"
            ),
        ),
        Asymptotic(
            "slack",
            r"with a slack of the order of $\sqrt{k\varepsilon^2}\le1$ the bound (7) is of that order too",
            logarithmic, "O", sqrt(k) * eps,
            regime=Regime(following={slack: c * sqrt(k) * eps}, fixed=frozenset({c})),
            where=(le(k * eps**2, 1),),
            derivation=slack_is_enough,
        ),
    ),
    cites=("dwork2010boosting",),
)
