r"""The recipe: which parameters to give to $k$ sub-mechanisms for a privacy in total."""

from dataclasses import dataclass
from typing import ClassVar

from sympy import Expr, Integer, Rational, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import eq, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.noise.calibrated_steps import (
    QUARTER_OF_SQUARES,
    logarithm,
    step_delta,
    steps_suffice,
)
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Guarantee,
    Identity,
    Inequality,
    Optimality,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate

step_epsilon = eps / (2 * sqrt(k * logarithm))
old_step_epsilon = eps / (2 * sqrt(k * log(2 / delta)))


#: the epsilon up to which Theorem 3.2 is enough for those steps, at delta = k = 1
largest = 2 * sqrt(log(2)) * log(1 + (2 - sqrt(2)) * sqrt(log(2)))


@dataclass(frozen=True)
class GivenBy(Inequality):
    """A guarantee that a named theorem is said to give: its bound is small enough."""

    kind: ClassVar[str] = "guarantee"


def by_advanced_composition(step: Expr) -> Expr:
    """What Theorem 3.2 promises for k such steps, with half of delta as slack."""
    return k * step * (exp(step) - 1) + step * sqrt(2 * k * log(2 / delta))


recipe = Statement(
    place=kov.section("4"),
    title="The recipe",
    hypotheses=r"There are $k$ sub-mechanisms; in total $(\varepsilon,\delta)$-DP is wanted.",
    variables={eps: positive, delta: unit_positive, k: positive_integer},
    formulas={"epsilon of a step": step_epsilon, "delta of a step": step_delta},
    claims=(
        Guarantee(
            "recipe",
            r"steps with these parameters compose to $(\varepsilon,\delta)$-DP, with no range attached",
            epsilon=eps, delta=delta, subject=AnyPrivate(step_epsilon, step_delta), fold=k,
        ),
        Guarantee(
            "recipe.corrected",
            r"steps with these parameters compose to $(\varepsilon,\delta)$-DP for $\varepsilon\le15$",
            epsilon=eps, delta=delta, subject=AnyPrivate(step_epsilon, step_delta), fold=k,
            where=(le(eps, 15),),
            derivation=steps_suffice(
                "The recipe, up to 15", step_epsilon, step_delta, QUARTER_OF_SQUARES, 15),
            role="corrected",
            improves="recipe",
            because=(
                r"a missing condition: for many steps the mean of the loss alone, near "
                r"$\varepsilon^2/(8\log(e+\varepsilon/\delta))$, passes $\varepsilon$ when $\varepsilon$ "
                r"is large; Corollary 4.1 has the condition $\varepsilon\le0.9$. These are its steps, and how "
                r"far such "
                r"a condition may go, for all $k$ and $\delta$ at once, is `kov/cor-4.1.range`: 15 is enough, "
                r"and not "
                r"shown to be needed"
            ),
        ),
        GivenBy(
            "existing",
            r"Theorem 3.2, with half of $\delta$ as slack, gives at most $\varepsilon$ for these steps",
            le(by_advanced_composition(step_epsilon), eps),
            fails_at={eps: Rational(1, 100), delta: Rational(1, 100), k: Integer(100)},
        ),
        GivenBy(
            "existing.corrected",
            r"Theorem 3.2 gives at most $\varepsilon\le0.4$ for steps with $2/\delta$ in the place of "
            r"$e+\varepsilon/\delta$",
            le(by_advanced_composition(old_step_epsilon), eps),
            where=(le(eps, Rational("0.4")),),
            derivation=Derivation(
                "Advanced composition for smaller steps",
                where=["0 < eps <= 0.4", "0 < delta <= 1", "k >= 1"], integer=["k"])
            .lemma("chord", "exp(x) - 1 <= 2*x", ["0 <= x <= 1"])
            .lemma("rest", "eps^2/(2*m) + eps/sqrt(2) <= eps", ["0 < eps <= 0.4", "m >= log(2)"])
            .let("s", old_step_epsilon)
            .start(by_advanced_composition(old_step_epsilon))
            .le("k*s*2*s + s*sqrt(2*k*log(2/delta))", by=use("chord", x=old_step_epsilon))
            .eq("eps^2/(2*log(2/delta)) + eps/sqrt(2)")
            .le(eps, by=use("rest", eps=eps, m=log(2 / delta))),
            role="corrected",
            improves="existing",
            because=(
                r"Theorem 3.2 needs $\log(2/\delta)$ where the recipe has $\log(e+\varepsilon/\delta)$, "
                r"which is smaller when $\varepsilon$ is of the order of $\delta$: the recipe rests on the "
                r"new Theorem 3.4"
            ),
        ),
        GivenBy(
            "existing.sharper",
            r"Theorem 3.2 gives at most $\varepsilon$ for these steps, whatever $\delta$ and $k$ are, as long as "
            r"$\varepsilon$ is at most a constant near $0.6614$",
            le(by_advanced_composition(old_step_epsilon), eps),
            where=(le(eps, largest),),
            derivation=Derivation(
                "One step at delta = 1 is the worst",
                where=["0 < eps", le(eps, largest), "0 < delta <= 1", "k >= 1"], integer=["k"])
            .lemma("fewer", "y*(exp(x/y) - 1) <= exp(x) - 1", ["x > 0", "y >= 1"])
            .lemma("inverse", "exp(x) <= 1 + w", ["w > 0", "x <= log(1 + w)"])
            .let("x", eps / (2 * sqrt(log(2))))
            .let("y", sqrt(k * log(2 / delta)) / sqrt(log(2)))
            .state("y >= 1", label="many")
            .start(by_advanced_composition(old_step_epsilon))
            .eq("eps*(k/(2*y*sqrt(log(2)))*(exp(x/y) - 1) + 1/sqrt(2))")
            .le(eps, by=["many", use("fewer", x="x", y="y"),
                         use("inverse", x="x", w=(2 - sqrt(2)) * sqrt(log(2)))]),
            role="sharper",
            improves="existing",
            because=(
                r"at $\delta=k=1$ both sides agree there, as `existing.agree` says; more steps, or a smaller "
                r"$\delta$, only leave more room"
            ),
        ),
        Identity(
            "existing.agree",
            r"at $\delta=k=1$ and that constant Theorem 3.2 gives $\varepsilon$ itself",
            eq(by_advanced_composition(old_step_epsilon).subs({delta: 1, k: 1}).subs(eps, largest), largest),
            role="sharper",
            improves="existing",
            because=r"so that the constant is named in full",
        ),
        Inequality(
            "existing.constant",
            r"the constant lies between $0.6614$ and $0.6615$",
            lt((largest - Rational("0.6614")) * (largest - Rational("0.6615")), 0),
            role="sharper",
            improves="existing",
            because="it is the number that is named beside it",
        ),
        Optimality(
            "geometric-universal",
            "for counting queries geometric noise is optimal for every user, Bayesian or worst-case",
            task="cite",
        ),
    ),
    cites=("ghosh2012universally", "geng2012optimal"),
)
