r"""Cut queries of a graph: the Johnson-Lindenstrauss mechanism under two composition theorems."""

from dataclasses import dataclass
from typing import ClassVar

from sympy import E, Expr, Integer, Rational, Sum, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, symbol, y
from symdp.formulas.parsing import parse_relation
from symdp.formulas.relation import eq, ge, gt, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.noise.calibrated_steps import HALF, Budget, steps_suffice
from symdp.literature.kov.noise.proof_of_lemma_1 import private, private_with_half, useful
from symdp.privacy.johnson_lindenstrauss.parameters import (
    TOTALS,
    delta_0,
    eps_0,
    error_bound,
    eta,
    lemma_noise,
    new_choice,
    noise,
    nu,
    old_choice,
    printed_box,
    r,
    sharper_noise,
    size,
)
from symdp.privacy.johnson_lindenstrauss.two_variances import TwoVariances
from symdp.sources.approximation import Approximation
from symdp.sources.beyond import CHANCE
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.lines import Use
from symdp.sources.example import Example
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
    Statement,
    Structural,
    positive,
    positive_integer,
    unit_open,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate

a, n, w, q, s = (symbol(name) for name in ("a", "n", "w", "q", "s"))
error, other_error = symbol("tau"), symbol("tau_other")

#: where (4) is no longer enough for the old choice
just_beyond = {delta: Rational("0.67"), eps: Rational("0.9999"), r: Integer(1)}
old_order = size * sqrt(log(1 / delta) * log(k / nu)) / eps * log(log(k / nu) / (eta**2 * delta))
new_order = size * sqrt(log(E + eps / delta) * log(k / nu)) / eps * log(log(k / nu) / (eta**2 * delta))
old_variance_order = (log(1 / delta) * log(k / nu) / (eps**2 * eta)
                      * log(log(k / nu) / (eta**2 * delta)) ** 2)
new_variance_order = (log(E + eps / delta) * log(k / nu) / (eps**2 * eta)
                      * log(log(k / nu) / (eta**2 * delta)) ** 2)
#: epsilon is a multiple of delta, and delta tends to 0
proportional = Regime(
    moving={delta: Integer(0)}, following={eps: a * delta}, fixed=frozenset({a, k, nu, eta, size}),
)

#: The cut of the reweighted graph, and what the query makes of it if N^T N is the identity.
reweighted_cut = w / n * s * (n - s) + (1 - w / n) * q
pairs = n * (n - 1) / 2
answer_of_identity = (reweighted_cut / pairs - w * s * (n - s) / n) / (1 - w / n)

#: Lemma 1's w with the choice for (32), and the w that is printed for it
noise_of_new_choice = "4/(eps/sqrt(4*r*log(e + 2*eps/delta)))*log(2/(delta/(2*r)))"
noise_of_32 = "4*sqrt(4*r*log(e + 2*eps/delta))*log(4*r/delta)/eps"

old_total = TOTALS["3.2"].subs(eps_0, old_choice[0])
old_derivation = (
    Derivation("The old choice in (4)", where=["0 < eps < 1", "0 < delta <= 1/2", "r >= 1"],
               integer=["r"])
    .lemma("chord", "exp(x) - 1 <= 5/4*x", ["0 <= x <= 43/100"])
    .start(old_total)
    .le(r * Rational(5, 4) * old_choice[0] ** 2 + old_choice[0] * sqrt(2 * r * log(2 / delta)),
        by=use("chord", x=old_choice[0]))
    .eq(5 * eps**2 / (16 * log(2 / delta)) + eps / sqrt(2))
    .le(eps, "log(2/delta) >= log(4)")
)
old_derivation_at_its_limit = (
    Derivation("The old choice in (4), for delta as large as it may be",
               where=["0 < eps < 1", "0 < delta <= 0.6695", "r >= 1"], integer=["r"])
    .lemma("fewer", "y*(exp(x/y) - 1) <= exp(x) - 1", ["x > 0", "y >= 1"])
    .lemma("rest", "y*(exp(y) - 1) <= 1 - sqrt(2)/2", ["0 < y <= 0.47796"])
    .lemma("smaller", "y*(exp(eps*y) - 1) <= y*(exp(y) - 1)", ["0 < eps <= 1", "y > 0"])
    .let("y", 1 / (2 * sqrt(log(2 / delta))))
    .state("y <= 0.47796", label="small")
    .start(old_total)
    .eq(eps * (sqrt(2) / 2 + y * sqrt(r) * (exp(eps * y / sqrt(r)) - 1)))
    .le(eps * (sqrt(2) / 2 + y * (exp(eps * y) - 1)), by=use("fewer", x=eps * y, y=sqrt(r)))
    .le(eps * (sqrt(2) / 2 + y * (exp(y) - 1)), by=use("smaller", eps=eps, y=y))
    .le(eps, by=["small", use("rest", y=y)])
)


#: the two logarithms of the new choice: that of the theorem is at most that of the choice
level, logarithm = new_choice[0], log(E + 2 * eps / delta)
second_entry = r * level * (exp(level) - 1) / (exp(level) + 1) + level * sqrt(
    2 * r * log(E + sqrt(r) * level / (delta / 2)))
new_derivation = (
    Derivation("The new choice in (7)", where=["0 < eps < 1", "0 < delta <= 1", "r >= 1"], integer=["r"])
    .cite("r rows that are (eps_0, delta_0)-DP each are (E, 1 - (1 - delta_0)^r (1 - delta/2))-DP, with E "
          "the second entry of (7) at the slack delta/2", "kov/thm-3.4")
    .lemma("mean", "x*(exp(x) - 1)/(exp(x) + 1) <= x^2/2", ["x > 0"])
    .lemma("root", "sqrt(r)*(eps/sqrt(4*r*y))/(delta/2) <= 2*eps/delta",
           ["eps > 0", "delta > 0", "r >= 1", "y >= 1"])
    .lemma("deviation", "(eps/sqrt(4*r*y))*sqrt(2*r*z) <= eps/sqrt(2)",
           ["eps > 0", "r >= 1", "z > 0", "y >= z"])
    .lemma("logarithms", "log(e + x) <= log(e + y)", ["0 <= x", "x <= y"])
    .state(ge(logarithm, 1), label="at least one")
    .state(le(log(E + sqrt(r) * level / (delta / 2)), logarithm), label="logarithms compared",
           by=["at least one", use("root", y=logarithm),
               use("logarithms", x=sqrt(r) * level / (delta / 2), y=2 * eps / delta)])
    .state(le(level * sqrt(2 * r * log(E + sqrt(r) * level / (delta / 2))), eps / sqrt(2)), label="spread",
           by=["logarithms compared",
               use("deviation", y=logarithm, z=log(E + sqrt(r) * level / (delta / 2)))])
    .start(second_entry)
    .le(r * (level**2 / 2) + eps / sqrt(2), by=["spread", use("mean", x=level)])
    .eq(eps**2 / (8 * logarithm) + eps / sqrt(2))
    .le(eps, "the logarithm is at least 1", by="at least one")
    .lemma("powers", "1 - (1 - x)^r <= r*x", ["0 <= x", "x <= 1", "r >= 1"], integer=["r"])
    .start(1 - (1 - delta / (2 * r)) ** r * (1 - delta / 2))
    .le((1 - (1 - delta / (2 * r)) ** r) + delta / 2)
    .le(r * (delta / (2 * r)) + delta / 2, by=use("powers", x=delta / (2 * r)))
    .eq(delta, "and so is the total delta")
)

where_larger = (
    Derivation("Where the new level is larger", where=[
        "eps > 0", "0 < delta <= 1", "r >= 1", lt(eps, 1 - E * delta / 2)], integer=["r"])
    .lemma("roots", "eps/sqrt(4*r*y) < eps/sqrt(4*r*x)", ["eps > 0", "r >= 1", "x > 0", "y > x"])
    .state(lt(E + 2 * eps / delta, 2 / delta), label="inside")
    .state(lt(logarithm, log(2 / delta)), by="inside", label="logarithms")
    .state(gt(logarithm, 0), label="positive")
    .conclude(lt(old_choice[0], new_choice[0]),
              by=["logarithms", "positive", use("roots", x=logarithm, y=log(2 / delta))])
)


def order_of(choice: str, small: Expr, large: Expr, order: Expr, doubling: Use) -> Derivation:
    """The explicit error is of the printed order, with a constant."""
    inner = log(k / nu) / (eta**2 * delta)
    scale = 32 * sqrt(2) * size / eps
    return (
        Derivation(f"The order of the {choice} error",
                   where=["eps > 0", "0 < delta <= 1/2", "0 < nu <= 1/2", "0 < eta <= 1", "k >= 1",
                          "S >= 1"], integer=["k", "S"])
        .lemma("double", "log(2*x) <= 2*log(x)", ["x >= 2"])
        .lemma("shifted", "log(e + 2*x) <= 2*log(e + x)", ["x >= 0"])
        .lemma("inner", "log(64*x) <= 16*log(x)", ["x >= 4/3"])
        .start(error_bound(choice))
        .le(scale * sqrt(2 * log(k / nu) * large) * log(32 * log(2 * k / nu) / (delta * eta**2)),
            by=use("double", x=k / nu))
        .le(scale * sqrt(2 * log(k / nu) * large) * log(64 * inner), by=use("double", x=k / nu))
        .le(scale * sqrt(4 * log(k / nu) * small) * log(64 * inner), by=doubling)
        .le(scale * sqrt(4 * log(k / nu) * small) * 16 * log(inner), by=use("inner", x=inner))
        .eq(1024 * sqrt(2) * order)
    )


order_of_old = order_of("old", log(1 / delta), log(2 / delta), old_order, use("double", x=1 / delta))
order_of_new = order_of("new", log(E + eps / delta), log(E + 2 * eps / delta), new_order,
                        use("shifted", x=eps / delta))

mechanism = (
    r"The weights of a graph lie in $[0,1]$; each pair of nodes gets $w/n$ more, and the Laplacian is "
    r"sketched by $r$ normal vectors."
)

cut_queries = Statement(
    place=kov.at("app-c.1", "Appendix C.1"),
    title="Cut queries and variance queries",
    beyond=CHANCE,
    hypotheses=mechanism,
    variables={
        eps: positive, delta: unit_positive, r: positive_integer, nu: unit_open, eta: positive,
        k: positive_integer, a: positive, size: positive_integer, error: positive,
        other_error: positive, n: positive_integer, s: positive_integer, w: positive, q: positive,
    },
    formulas={"level of a row, old": old_choice[0], "level of a row, new": new_choice[0]},
    claims=(
        Comparison(
            "best-tradeoff",
            "the mechanism has the smallest additive error among those that were known",
            le(error, other_error),
            task="cite",
        ),
        Asymptotic(
            "variance-new",
            "the error of variance queries under the new analysis",
            error, "O", new_variance_order,
            task="cite",
        ),
        Asymptotic(
            "variance-gain",
            r"for $\varepsilon=\Theta(\delta)$ variance queries gain a logarithmic factor",
            old_variance_order, "Theta", new_variance_order * log(1 / delta),
            regime=proportional,
        ),
        Approximation(
            "box-r",
            r"with $r=8\log(2/\nu)/\nu^2$ rows the answers are accurate as in (30)",
            examples=(Example("printed-rows", {"eta": "1/10", "nu": "1/2"}),),
        ),
        Approximation(
            "box-r.corrected",
            r"with $r=8\log(2/\nu)/\eta^2$ rows, rounded up, they are, for $\eta\le 3/2$ and $w\le n/2$",
            derivation=useful,
            role="corrected",
            improves="box-r",
            because=r"a misprint: Lemma 1 has $\eta^2$ below the bar",
        ),
        Identity(
            "box-w",
            r"the $w$ of the box is that of Lemma 1 with the choice for (31)",
            eq(printed_box["w"], noise("old")),
            fails_at={delta: Rational(1, 10), eps: Integer(1), r: Integer(1)},
        ),
        Identity(
            "box-w.corrected",
            r"it is smaller by $\sqrt2$",
            parse_relation("sqrt(2)*(sqrt(32*r*log(2/delta))*log(4*r/delta)/eps)"
                           " == 4/(eps/sqrt(4*r*log(2/delta)))*log(2/(delta/(2*r)))"),
            role="corrected",
            improves="box-w",
            because=r"$4\sqrt{4r}$ is $\sqrt{64r}$, not $\sqrt{32r}$; the box belongs to another constant",
        ),
        Structural("box-weights", "each pair of nodes gets a new weight", task="cite"),
        Identity(
            "identity-cut",
            "if $N$ is an identity matrix, the query returns the cut",
            eq(answer_of_identity, q),
            where=(ge(n, 3), lt(s, n), lt(w, n)),
        ),
        Identity(
            "identity-cut.corrected",
            r"it does if $N^TN/r$ is the identity",
            parse_relation("(w/n*s*(n - s) + (1 - w/n)*q - w*s*(n - s)/n)/((n - w)/n) == q"),
            where=(ge(n, 3), lt(s, n), lt(w, n)),
            role="corrected",
            improves="identity-cut",
            because=r"an identity matrix has $r=\binom n2$ rows, and line 4 divides by $r$",
        ),
        Guarantee(
            "old-choice",
            r"with the choice for (31) and $\varepsilon<1$ the $r$ rows are $(\varepsilon,\delta)$-DP",
            subject=AnyPrivate(*old_choice),
            fold=r,
            epsilon=eps,
            delta=delta,
            where=(lt(eps, 1),),
        ),
        Guarantee(
            "old-choice.sharper",
            r"steps larger by a factor of $\sqrt2$ do as well: $\varepsilon/\sqrt{2r\log(2/\delta)}$",
            subject=AnyPrivate(sqrt(2) * old_choice[0], old_choice[1]),
            fold=r,
            epsilon=eps,
            delta=delta,
            where=(lt(eps, 1),),
            role="sharper",
            improves="old-choice",
            because=r"the factor that Theorem 3.2 gives away is kept",
        ),
        Inequality(
            "old-choice-derivation",
            r"that follows from (4) with half of $\delta$ as the slack",
            le(TOTALS["3.2"].subs(eps_0, old_choice[0]), eps),
            where=(lt(eps, 1),),
        ),
        Inequality(
            "old-choice-derivation.corrected",
            r"it does for $\delta\le 1/2$",
            le(TOTALS["3.2"].subs(eps_0, old_choice[0]), eps),
            where=(lt(eps, 1), le(delta, Rational(1, 2))),
            derivation=old_derivation,
            role="corrected",
            improves="old-choice-derivation",
            because=r"for $\delta$ near 1 the logarithm is too small for the first term of (4)",
        ),
        Inequality(
            "old-choice-derivation.sharper",
            r"it does for $\delta\le0.6695$",
            le(TOTALS["3.2"].subs(eps_0, old_choice[0]), eps),
            where=(lt(eps, 1), le(delta, Rational("0.6695"))),
            derivation=old_derivation_at_its_limit,
            role="sharper",
            improves="old-choice-derivation",
            because=r"the derivation goes through that far",
        ),
        Inequality(
            "old-choice-derivation.beyond",
            r"at $\delta=0.67$, $\varepsilon=0.9999$ and one row (4) gives more than $\varepsilon$",
            gt(TOTALS["3.2"].subs(eps_0, old_choice[0]).subs(just_beyond), just_beyond[eps]),
            role="sharper",
            improves="old-choice-derivation",
            because=r"so the range is right in its first three places",
        ),
        Comparison(
            "not-as-small",
            r"the new $\varepsilon_0$ is larger than the old one",
            lt(old_choice[0], new_choice[0]),
        ),
        Comparison(
            "not-as-small.corrected",
            r"it is where $\varepsilon<1-e\delta/2$",
            lt(old_choice[0], new_choice[0]),
            where=(lt(eps, 1 - E * delta / 2),),
            derivation=where_larger,
            role="corrected",
            improves="not-as-small",
            because=r"there $e+2\varepsilon/\delta<2/\delta$",
        ),
        Guarantee(
            "new-choice",
            r"with the choice for (32) and $\varepsilon<1$ the $r$ rows are $(\varepsilon,\delta)$-DP",
            subject=AnyPrivate(*new_choice),
            fold=r,
            epsilon=eps,
            delta=delta,
            where=(lt(eps, 1),),
            derivation=steps_suffice(
                "The choice for (32)", *new_choice, Budget(4, HALF, 2), 1, "r >= 1", fold=r),
        ),
        Guarantee(
            "new-choice.sharper",
            r"steps larger by a factor of $\sqrt2$ do as well: "
            r"$\varepsilon/\sqrt{2r\log(e+2\varepsilon/\delta)}$",
            subject=AnyPrivate(sqrt(2) * new_choice[0], new_choice[1]),
            fold=r,
            epsilon=eps,
            delta=delta,
            where=(lt(eps, 1),),
            derivation=steps_suffice("The choice for (32), larger", sqrt(2) * new_choice[0], new_choice[1],
                                     Budget(2, HALF, 2), 1, "r >= 1", fold=r),
            role="sharper",
            improves="new-choice",
            because=(
                r"the mean of the loss is half of what (7) allows for it, and the factor that Section 7 "
                r"drops is kept; larger steps need less noise"
            ),
        ),
        Inequality(
            "noise-bound.sharper",
            r"the two are equal, for every $\varepsilon$",
            parse_relation(f"{noise_of_new_choice} == {noise_of_32}"),
            role="sharper",
            improves="noise-bound",
            because=r"$\log(2/\delta_0)=\log(4r/\delta)$; nothing is rounded",
        ),
        Inequality(
            "noise-bound",
            r"the resulting $w$, with equality",
            parse_relation(f"{noise_of_new_choice} <= {noise_of_32}"),
        ),
    ),
    cites=("blocki2012johnson", "dwork2010boosting"),
)

approximation = Statement(
    place=kov.equation("30"),
    title="Approximation of a cut",
    claims=(Structural("definition", "within a factor and a term, except rarely", task="cite"),),
)

_range = {
    eps: positive, delta: unit_open, nu: unit_open, eta: positive, k: positive_integer,
    size: positive_integer, a: positive,
}
old_error = Statement(
    place=kov.equation("31"),
    title="Additive error under the old analysis",
    hypotheses=mechanism,
    variables=_range,
    formulas={"additive error, explicitly": error_bound("old")},
    claims=(
        Asymptotic(
            "order",
            r"the explicit error of Lemma 1 with the old choice, and its order",
            error_bound("old"), "O", old_order, constants=(1024 * sqrt(2),),
            where=(le(delta, Rational(1, 2)), le(nu, Rational(1, 2)), le(eta, 1)),
            derivation=order_of_old,
            task="derive",
        ),
    ),
)
new_error = Statement(
    place=kov.equation("32"),
    title="Additive error under the new analysis",
    hypotheses=mechanism,
    variables=_range,
    formulas={"additive error, explicitly": error_bound("new")},
    claims=(
        Asymptotic(
            "order",
            r"the explicit error of Lemma 1 with the new choice, and its order",
            error_bound("new"), "O", new_order, constants=(1024 * sqrt(2),),
            where=(le(delta, Rational(1, 2)), le(nu, Rational(1, 2)), le(eta, 1)),
            derivation=order_of_new,
            task="derive",
        ),
        Asymptotic(
            "gain",
            r"(32) is smaller than (31) by the root of a logarithm if $\varepsilon=\Theta(\delta)$",
            old_order, "Theta", new_order * sqrt(log(1 / delta)),
            regime=proportional,
        ),
    ),
)

failures_add_up = (
    Derivation("The failures of k queries", where=["k >= 1", "0 < nu < 1"], integer=["k"])
    .cite("one of k answers is off with at most the sum of their probabilities to be off", "the union bound")
    .start(Sum(nu / k, (symbol("j"), 1, k)))
    .eq("nu", "with nu/k for each of them")
)
footnote = Statement(
    place=kov.at("fn-1", "Footnote 1"),
    title="Many queries",
    beyond=CHANCE,
    claims=(
        Structural(
            "union-bound",
            r"for $k$ queries $\nu$ is divided by $k$",
            examples=(Example("union-bound", {"queries": 10, "nu": "1/20"}),),
            derivation=failures_add_up,
        ),
    ),
)


@dataclass(frozen=True)
class RowsArePrivate(Structural):
    """A guarantee about all graphs, in words here: a row is a normal vector, whose variance is what tells."""

    kind: ClassVar[str] = "guarantee"


lemma = Statement(
    place=kov.lemma("1"),
    title="One row, and one query",
    beyond=CHANCE,
    hypotheses=mechanism,
    variables={eps_0: positive, delta_0: unit_positive},
    formulas={"noise": lemma_noise, "half of it is enough": sharper_noise},
    claims=(
        RowsArePrivate(
            "privacy",
            r"each row is $(\varepsilon_0,\delta_0)$-DP, whatever the graph and the edge in which its neighbour "
            r"differs",
            derivation=private,
        ),
        Guarantee(
            "privacy.two-variances",
            r"the pair of neighbours that is easiest to tell apart, of variances $1+2/w$ and $1$, is "
            r"$(\varepsilon_0,\delta_0)$-DP",
            subject=TwoVariances(1 + 2 / lemma_noise),
            epsilon=eps_0,
            delta=delta_0,
            derivation=private,
            role="sharper",
            improves="privacy",
            because="it is the formula behind the lemma; that this pair is the worst is said in words",
        ),
        Guarantee(
            "privacy.sharper",
            r"for $\delta_0\le e^{-1/2}$ less than half of that is enough for this pair, a $w$ of "
            r"$(2/\varepsilon_0)\log(1/\delta_0)$",
            subject=TwoVariances(1 + 2 / sharper_noise),
            epsilon=eps_0,
            delta=delta_0,
            where=(le(delta_0, exp(-Rational(1, 2))),),
            derivation=private_with_half,
            role="sharper",
            improves="privacy",
            because=r"the row that Lemma 1 makes is $(\varepsilon_0,\delta_0^2/4)$-DP",
        ),
        Approximation(
            "utility",
            r"the answers satisfy (30) with $\tau=2|S|\eta w$, with no condition on $w$ and $n$",
            examples=(Example("lemma-1-utility", {
                "n": 100, "w": "90", "side": 10, "eta": "1/2", "nu": "1/20"}),),
        ),
        Approximation(
            "utility.corrected",
            r"they do if $w\le n/2$ and $\eta\le 3/2$, with $r$ rounded up",
            derivation=useful,
            role="corrected",
            improves="utility",
            because=(
                r"missing conditions: the added weight blurs a cut by $w|S|(n-|S|)/(n-w)$, which is at "
                r"most $2w|S|$ only for $w\le(n+|S|)/2$; and $r$ must be an integer"
            ),
        ),
    ),
    cites=("blocki2012johnson",),
)
