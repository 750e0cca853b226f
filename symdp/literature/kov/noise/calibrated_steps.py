r"""Calibrated steps: how private each of $k$ steps must be for $(\varepsilon,\delta)$-DP in total."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import E, Expr, Integer, Rational, Symbol, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.relation import eq, gt, le
from symdp.literature.kov import kov
from symdp.literature.kov.simplified_composition.moment_bound import (
    equal_steps,
    with_half_the_squares,
)
from symdp.sources.derivations.derivation import Condition, Derivation, use
from symdp.sources.derivations.lines import Use
from symdp.sources.statement import (
    Guarantee,
    Statement,
    positive,
    positive_integer,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import needed_delta, pure_part

level = symbol("l")
logarithm = log(E + eps / delta)
step_epsilon = sqrt(eps**2 / (4 * k * logarithm))
step_delta = delta / (2 * k)
small = le(eps, Rational("0.9"))


@dataclass(frozen=True)
class Budget:
    r"""How steps share a delta: their squares add up to $\varepsilon^2/(c\ell)$, with a logarithm $\ell$.

    $\ell=\log(e+s\,\varepsilon/\delta)$ for a ``scale`` $s$; the pure part gets this ``share`` of delta.
    """

    factor: int
    share: Expr
    scale: int = 1

    @property
    def logarithm(self) -> Expr:
        return log(E + self.scale * eps / delta)

    def squares(self, level: Expr) -> Expr:
        return eps**2 / (self.factor * level)

    def above(self, level: Expr) -> Expr:
        """How far epsilon lies above half the squares."""
        return eps - self.squares(level) / 2

    def bound(self, level: Expr) -> Expr:
        v, u = self.squares(level), self.above(level)
        return exp(-(u**2) / (2 * v)) / (1 + u / v)

    def rate(self, level: Expr) -> Expr:
        return eps / 2 - self.factor * level / 2 - eps**2 / (8 * self.factor * level)

    def steepness(self, level: Expr) -> Expr:
        return eps / 2 + self.factor * level

    def formed(self, level: Expr) -> Expr:
        return exp(self.rate(level)) * eps / self.steepness(level)

    def enough(self, proof: Derivation, inside: list[Condition], l_: Expr) -> tuple[Derivation, list[Use]]:
        """The lemma that the exponent is small enough, and how it is used."""
        whole = le(self.rate(level) - log(self.steepness(level)), log(self.share * self.scale) - level)
        return proof.lemma("rest", whole, inside), [use("rest", l=l_)]


def steps_suffice(
    title: str, epsilon: Expr, leak: Expr, budget: Budget, most: Expr | int, *where: Condition,
    fold: Symbol = k,
) -> Derivation:
    """That so many steps with this epsilon, which leak with that probability each, need at most delta."""
    pure = pure_part(epsilon, fold, eps)
    needed = needed_delta(AnyPrivate(epsilon, leak), fold, eps)
    share, b, logarithm = budget.share, budget, budget.logarithm
    total, target = 1 - (1 - leak) ** fold * (1 - share * delta), share * budget.scale
    proof, uses = budget.enough(
        with_half_the_squares(equal_steps, title, f"0 < eps <= {most}", "0 < delta <= 1", *where),
        [f"0 < eps <= {most}", "l >= log(e + eps)"], logarithm)
    return (
        Derivation(title, proof.where, proof.integers | {fold}, proof.steps)
        .lemma("formed", le(b.bound(level), b.formed(level)),
               ["eps > 0", "l >= 1", gt(b.above(level), 0)])
        .lemma("in logarithms", "exp(a)*x/b <= s*x*exp(-l)",
               ["b > 0", "x > 0", "s > 0", "a - log(b) <= log(s) - l"])
        .state(eq(fold * epsilon**2, b.squares(logarithm)), "the squares of the steps", label="squares")
        .state(gt(b.above(logarithm), 0), "the mean of the loss is below epsilon", label="above")
        .start(pure)
        .le(b.bound(logarithm), "the moment bound", by=[
            "squares", "above",
            use("half", eps=epsilon, k=fold, lam=b.above(logarithm) / b.squares(logarithm))])
        .le(b.formed(logarithm), by=["above", use("formed", l=logarithm)])
        .le(target * eps * exp(-logarithm), by=[*uses, use(
            "in logarithms", a=b.rate(logarithm), b=b.steepness(logarithm), s=target, l=logarithm, x=eps)])
        .le(share * delta, "what the logarithm is for")
        .conclude(le(pure, share * delta), label="pure part")
        .state(le(total, delta), "what the steps leak, and that share", label="total")
        .start(needed)
        .le(total, by="pure part")
        .le(delta, by="total")
        .conclude(le(needed, delta))
    )


HALF = Rational(1, 2)
QUARTER_OF_SQUARES, HALF_OF_SQUARES = Budget(4, HALF), Budget(2, HALF)
up_to_15 = steps_suffice("Corollary 4.1, up to 15", step_epsilon, step_delta, QUARTER_OF_SQUARES, 15)
larger_steps = sqrt(eps**2 / (2 * k * logarithm))


def calibrated(name: str, says: str, **more: object) -> Guarantee:
    return Guarantee(
        name, says, epsilon=eps, delta=delta, subject=AnyPrivate(step_epsilon, step_delta), fold=k,
        **more,  # type: ignore[arg-type]
    )


calibrated_steps = Statement(
    place=kov.corollary("4.1"),
    title="Calibrated steps",
    hypotheses=r"Each of $k$ adaptively chosen mechanisms is $(\varepsilon_0,\delta/2k)$-DP.",
    variables={eps: positive, delta: unit_positive, k: positive_integer},
    formulas={"epsilon of a step": step_epsilon, "delta of a step": step_delta},
    claims=(
        calibrated(
            "",
            r"for $\varepsilon\le0.9$ the steps compose to $(\varepsilon,\delta)$-DP",
            where=(small,),
            derivation=steps_suffice(
                "Corollary 4.1", step_epsilon, step_delta, QUARTER_OF_SQUARES, Rational("0.9")),
        ),
        calibrated(
            "range",
            r"the largest $E$ such that this holds for all $\varepsilon<E$, every $k$ and $\delta$ lies between $15$ "
            r"and $30.688$",
            task="derive",
            over=eps,
            up_to=Integer(15),
            fails_at={eps: Rational("30.688"), delta: Rational("0.2888314"), k: Integer(10**7)},
            derivation=up_to_15,
        ),
        calibrated(
            "sharper",
            r"the steps compose to $(\varepsilon,\delta)$-DP for $\varepsilon\le15$ too",
            where=(le(eps, 15),),
            derivation=up_to_15,
            role="sharper",
            improves="",
            because=(
                r"the mean of the loss is half of what the paper takes for it, and a factor that its "
                r"last step drops is kept; 0.9 belongs to the simplification in Theorem 3.4, not here"
            ),
        ),
        Guarantee(
            "larger-steps",
            r"steps larger by a factor of $\sqrt2$ compose to $(\varepsilon,\delta)$-DP as well, for "
            r"$\varepsilon\le0.9$",
            epsilon=eps, delta=delta, subject=AnyPrivate(larger_steps, step_delta), fold=k,
            where=(small,),
            derivation=steps_suffice(
                "Corollary 4.1, with larger steps", larger_steps, step_delta, HALF_OF_SQUARES,
                Rational("0.9")),
            role="sharper",
            improves="",
            because=r"the 4 under the root may be 2: that much the proof of Section 7 gives away",
        ),
    ),
)
