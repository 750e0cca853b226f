r"""The three entries of the minimum, line by line from the moment bound to the delta that is needed."""

from sympy import E, Expr, log, sqrt

from symdp.derivation import Derivation, use
from symdp.literature.kov.moment_bound import Steps
from symdp.notation import slack
from symdp.relation import le, lt


def linear(steps: Steps, title: str, epsilon: Expr) -> Derivation:
    """The losses add up: at their sum nothing is left but what the deltas give away."""
    needed, total = steps.needed(epsilon), 1 - steps.kept * (1 - slack)
    start = Derivation(title, steps.bounded.where, steps.bounded.integers).suppose(
        *steps.leaks, "0 <= slack <= 1")
    return (
        steps.nothing_above(start)
        .start(needed)
        .le(1 - steps.kept, by="nothing above")
        .le(total, "the slack is not negative")
        .conclude(le(needed, total))
    )


def pure_below_slack(steps: Steps, title: str, epsilon: Expr) -> Derivation:
    """With the logarithm of e + sqrt(v)/slack, the pure part is less than the slack."""
    spread = sqrt(steps.square)
    logarithm = log(E + spread / slack)
    return (
        steps.tail(steps.continued(title, "0 < slack <= 1"), epsilon, logarithm)
        .eq(1 / (1 + sqrt(2 * logarithm / steps.square)) * (1 / (E + spread / slack)))
        .lt(slack, "the denominators multiply to more than 1/slack")
        .conclude(lt(steps.pure(epsilon), slack), label="pure part")
    )


def logarithmic(steps: Steps, title: str, epsilon: Expr) -> Derivation:
    needed, total = steps.needed(epsilon), 1 - steps.kept * (1 - slack)
    return (
        pure_below_slack(steps, title, epsilon)
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="pure part")
        .conclude(le(needed, total))
    )


def classic(steps: Steps, title: str, epsilon: Expr, total: Expr | None = None) -> Derivation:
    """With the logarithm of 1/slack; at a slack of 1 nothing is promised."""
    pure, logarithm = steps.pure(epsilon), log(1 / slack)
    needed = steps.needed(epsilon)
    total = 1 - steps.kept * (1 - slack) if total is None else total

    def below(proof: Derivation) -> Derivation:
        return (steps.tail(proof, epsilon, logarithm)
                .le(slack, "the root is positive").conclude(le(pure, slack)))

    def at_one(proof: Derivation) -> Derivation:
        return (proof.state(le(pure, 1), by=use("at most 1", eps_total=epsilon))
                .conclude(le(pure, slack)))

    return (
        steps.at_most_one(steps.continued(title, "0 < slack <= 1"))
        .cases(le(pure, slack), ("slack < 1", below), ("slack >= 1", at_one), label="pure part")
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="pure part")
        .conclude(le(needed, total))
    )


