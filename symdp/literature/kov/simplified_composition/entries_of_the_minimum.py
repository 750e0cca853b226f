r"""The three entries of the minimum, line by line from the moment bound to the delta that is needed."""

from sympy import E, Expr, Integer, Symbol, log, sqrt

from symdp.formulas.notation import slack
from symdp.formulas.relation import ge, gt, le, lt
from symdp.literature.kov.simplified_composition.moment_bound import Steps
from symdp.sources.derivations.derivation import Derivation, use


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


def pure_within_slack(steps: Steps, title: str, slack: Symbol = slack) -> Derivation:
    """With the logarithm of 1/slack, the pure part is at most the slack; at a slack of 1 it always is."""
    epsilon, logarithm = steps.mean + sqrt(2 * steps.square * log(1 / slack)), log(1 / slack)
    pure = steps.pure(epsilon)

    def below(proof: Derivation) -> Derivation:
        return (steps.tail(proof, epsilon, logarithm)
                .le(slack, "the root is positive").conclude(le(pure, slack)))

    def at_one(proof: Derivation) -> Derivation:
        return (proof.state(le(pure, 1), by=use("at most 1", eps_total=epsilon))
                .conclude(le(pure, slack)))

    zero, one = Integer(0), Integer(1)
    return steps.at_most_one(steps.continued(title, gt(slack, zero), le(slack, one))).cases(
        le(pure, slack), (lt(slack, one), below), (ge(slack, one), at_one), label="pure part")


def classic(steps: Steps, title: str, epsilon: Expr, slack: Symbol = slack) -> Derivation:
    """The guarantee with that epsilon, which is the mean and the deviation, perhaps written otherwise."""
    needed, total = steps.needed(epsilon), 1 - steps.kept * (1 - slack)
    return (
        pure_within_slack(steps, title, slack)
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="pure part")
        .conclude(le(needed, total), label="in total")
    )


def classic_with_half_the_squares(
    steps: Steps, title: str, epsilon: Expr, slack: Symbol = slack
) -> Derivation:
    """The same with half the sum of the squares in the place of the mean, which is never larger."""
    centred = steps.mean + sqrt(2 * steps.square * log(1 / slack))
    pure, needed, total = steps.pure(epsilon), steps.needed(epsilon), 1 - steps.kept * (1 - slack)
    return (
        pure_within_slack(steps, title, slack)
        .start(pure)
        .le(steps.pure(centred), "the mean of a loss is at most half its square",
            by=use("falling", eps_total=centred, t=epsilon - centred))
        .le(slack, by="pure part")
        .conclude(le(pure, slack), label="half")
        .start(needed)
        .le(total, "the pure part, where no delta strikes", by="half")
        .conclude(le(needed, total), label="in total")
    )
