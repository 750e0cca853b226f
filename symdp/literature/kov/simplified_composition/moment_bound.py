r"""The moment bound: at $m+v\lambda$ the pure part is at most $e^{-v\lambda^2/2}/(1+\lambda)$.

Line by line, with $m$ the mean of the loss and $v$ the sum of the $\varepsilon_\ell^2$, for $k$ equal steps
and for steps with parameters of their own. Every guarantee of the sources that goes through moments
continues from here to the delta that the worst case needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, Integer, Product, Sum, exp, log, sqrt

from symdp.formulas.notation import delta, eps, eps_total, k, lam, p, symbol, x
from symdp.formulas.relation import eq, ge, gt, le
from symdp.literature.kov.simplified_composition.chain_to_delta import first_exponent, mean, size
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    entropy,
    exponent,
    loss,
    mean_of_tilted,
    mgf,
    moment,
    normaliser,
    tilted,
    two_point,
    weight,
)
from symdp.sources.derivations.derivation import Condition, Derivation, use
from symdp.sources.subject import loss_sum, mean_sum, square_sum, survival
from symdp.sources.worst_case import (
    MEANING,
    deltas,
    epsilons,
    excess,
    l_,
    mass,
    n,
    pure_part,
    pure_part_of_sequence,
    value,
)

y, j, t = symbol("y"), symbol("j"), symbol("t")
decay = exp(-size * lam**2 / 2) / (1 + lam)

below_the_exponential = "max(0, 1 - exp(-y)) <= exp(lam*y + lam*log(lam) - (lam+1)*log(lam+1))"


def falling(proof: Derivation, pure: Callable[[Expr], Expr], loss: Expr) -> Derivation:
    """A larger epsilon needs no larger delta: what is needed falls, outcome by outcome."""
    return (
        proof.lemma("farther", le(excess(y, eps_total + t), excess(y, eps_total)), where=["t >= 0"])
        .start(pure(eps_total + t))
        .le(pure(eps_total), "outcome by outcome", by=use("farther", y=loss))
        .conclude(le(pure(eps_total + t), pure(eps_total)), label="falling")
    )


def equal_steps_bounded(pure: Callable[[Expr], Expr]) -> Derivation:
    """Chernoff's bound on k equal steps, and its value at the lambda that makes it least."""
    at, tilt = mean + size * lam, exp(entropy - lam * eps_total)
    bounded = (
        Derivation("The moment bound", where=["eps > 0", "k >= 1", "lam > 0", "t >= 0"], integer=["k"])
        .cite("every composition of (eps, delta)-DP mechanisms is dominated by randomised responses that "
              "fail with probability delta", "kov/thm-3.3")
        .lemma("centred", below_the_exponential, where=["lam > 0"])
        .lemma("two-point", le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)), where=["0 <= p <= 1"])
        .lemma("powers", "x^k*y <= z^k*y", where=["x > 0", "z >= x", "y > 0", "k >= 1"], integer=["k"])
        .state(le(mgf(eps), exp(exponent(eps))), "one step", label="one step",
               by=use("two-point", p=exp(eps) / (exp(eps) + 1), x=lam * eps))
        .start(pure(eps_total))
        .le(mean_of_tilted, "the lemma at each value of the loss less its threshold",
            by=use("centred", y=loss - eps_total))
        .eq(moment, "the binomial theorem")
        .le(exp(exponent(eps)) ** k * tilt, "the steps are independent",
            by=["one step", use("powers", x=mgf(eps), z=exp(exponent(eps)), y=tilt)])
        .eq(exp(first_exponent))
        .conclude(le(pure(eps_total), exp(first_exponent)), label="chernoff")
        .start(pure(at))
        .le(exp(first_exponent.subs(eps_total, at)), by=use("chernoff", eps_total=at))
        .eq(exp(-size * lam**2 / 2 + lam * log(lam / (lam + 1)) - log(lam + 1)), "the completed square")
        .le(decay, "a negative term is dropped")
        .conclude(le(pure(at), decay), label="bound")
    )
    return falling(bounded, pure, loss)


def different_steps_bounded(pure: Callable[[Expr], Expr]) -> Derivation:
    """The same for steps with parameters of their own; outcomes x have masses w_x and losses z_x."""
    each = epsilons[l_]
    moments = Product(mgf(each), (l_, 1, k))
    m, v = MEANING[mean_sum], MEANING[square_sum]
    tilt, raised = exp(entropy - lam * eps_total), exp(lam * m + lam**2 / 2 * v)
    at = m + v * lam
    z, after = symbol("z"), symbol("a")
    up, down = exp(lam * (z + after)), exp(lam * (z - after))
    bounded = (
        Derivation("The moment bound for different steps", integer=["k", "n"], where=[
            "k >= 1", "n >= 1", "lam > 0", "t >= 0", gt(each, Integer(0)), ge(mass[x], Integer(0))])
        .cite("every composition of (eps_l, delta_l)-DP mechanisms is dominated by randomised responses "
              "that fail with probability delta_l", "kov/thm-3.3, step by step")
        .lemma("one more step", eq(exp(after) / (exp(after) + 1) * up + 1 / (exp(after) + 1) * down,
                                   mgf(after) * exp(lam * z)), where=["a > 0"])
        .cite("so the moments of independent steps multiply", "induction over the steps, by that lemma",
              claim=eq(Sum(mass[x] * exp(lam * value[x]), (x, 1, n)), moments), label="moments")
        .lemma("centred", below_the_exponential, where=["lam > 0"])
        .start(moments)
        .le(Product(exp(exponent(each)), (l_, 1, k)), "the moment of each step")
        .eq(exp(Sum(exponent(each), (l_, 1, k))))
        .eq(raised)
        .conclude(le(moments, raised), label="product")
        .start(pure(eps_total))
        .le(Sum(mass[x] * tilted(value[x]), (x, 1, n)), "the lemma at each of the n outcomes",
            by=use("centred", y=value[x] - eps_total))
        .eq(tilt * Sum(mass[x] * exp(lam * value[x]), (x, 1, n)))
        .eq(tilt * moments, by="moments")
        .le(tilt * raised, by="product")
        .conclude(le(pure(eps_total), tilt * raised), label="chernoff")
        .start(pure(at))
        .le(exp(entropy - lam * at) * raised, by=use("chernoff", eps_total=at))
        .eq(exp(-v * lam**2 / 2 + lam * log(lam / (lam + 1)) - log(lam + 1)), "the completed square")
        .le(exp(-v * lam**2 / 2) / (1 + lam), "a negative term is dropped")
        .conclude(le(pure(at), exp(-v * lam**2 / 2) / (1 + lam)), label="bound")
    )
    return falling(bounded, pure, value[x])


@dataclass(frozen=True)
class Steps:
    """Steps of one kind: what they need at an epsilon, their mean and squares, and the bound on them."""

    pure: Callable[[Expr], Expr]
    #: the largest loss, its mean, the sum of the squares, the probability that no delta strikes
    most: Expr
    mean: Expr
    square: Expr
    kept: Expr
    bounded: Derivation
    #: what is known of the deltas
    leaks: tuple[Condition, ...]
    at_most_one: Callable[[Derivation], Derivation]
    nothing_above: Callable[[Derivation], Derivation]

    def needed(self, epsilon: Expr) -> Expr:
        """The delta that the worst case needs at epsilon."""
        return 1 - self.kept * (1 - self.pure(epsilon))

    def continued(self, title: str, *where: Condition) -> Derivation:
        """The bound, to be continued under further assumptions."""
        found = Derivation(title, self.bounded.where, self.bounded.integers, self.bounded.steps)
        return found.suppose(*self.leaks, *where)

    def tail(self, proof: Derivation, epsilon: Expr, logarithm: Expr) -> Derivation:
        """The pure part at that epsilon, which is sqrt(2 v L) above the mean: the bound at its lambda."""
        at = sqrt(2 * logarithm / self.square)
        return proof.start(self.pure(epsilon)).le(
            exp(-logarithm) / (1 + at), "lambda is the root of 2L/v", by=use("bound", lam=at))


def _masses_add_up(proof: Derivation) -> Derivation:
    whole = Sum(weight, (j, 0, k)) / normaliser
    return (proof.start(pure_part(eps, k, eps_total)).le(whole, "no outcome adds more than its mass")
            .eq(Integer(1), "the binomial theorem")
            .conclude(le(pure_part(eps, k, eps_total), 1), label="at most 1"))


def _no_larger_loss(proof: Derivation) -> Derivation:
    return proof.state(le(pure_part(eps, k, k * eps), 0), "no loss is above the sum", label="nothing above")


equal_steps = Steps(
    lambda epsilon: pure_part(eps, k, epsilon), k * eps, mean, size, (1 - delta) ** k,
    equal_steps_bounded(lambda epsilon: pure_part(eps, k, epsilon)), ("0 <= delta <= 1",),
    _masses_add_up, _no_larger_loss,
)


def _masses_of_sequence_add_up(proof: Derivation) -> Derivation:
    pure = pure_part_of_sequence(eps_total)
    whole = Sum(mass[x], (x, 1, n))
    return (proof.cite("the masses of the outcomes add up", "probabilities", eq(whole, 1), "masses")
            .start(pure).le(whole, "no outcome adds more than its mass").eq(Integer(1), by="masses")
            .conclude(le(pure, 1), label="at most 1"))


def _no_larger_loss_of_sequence(proof: Derivation) -> Derivation:
    most = MEANING[loss_sum]
    return (proof.cite("each step adds eps_l to the loss or takes it away",
                       "the letters of randomised response", le(value[x], most), "losses")
            .state(le(pure_part_of_sequence(most), 0), "no loss is above the sum", by="losses",
                   label="nothing above"))


different_steps = Steps(
    pure_part_of_sequence, MEANING[loss_sum], MEANING[mean_sum], MEANING[square_sum], MEANING[survival],
    different_steps_bounded(pure_part_of_sequence),
    (ge(deltas[l_], Integer(0)), le(deltas[l_], Integer(1))),
    _masses_of_sequence_add_up, _no_larger_loss_of_sequence,
)


def with_half_the_squares(steps: Steps, title: str, *where: Condition) -> Derivation:
    """The bound with v/2 in the place of the mean, which is never larger."""
    at, half = steps.mean + steps.square * lam, steps.square / 2 + steps.square * lam
    found = Derivation(title, steps.bounded.where, steps.bounded.integers, steps.bounded.steps)
    decay = exp(-steps.square * lam**2 / 2) / (1 + lam)
    return (
        found.start(steps.pure(half))
        .le(steps.pure(at), "the mean of a loss is at most half its square",
            by=use("falling", eps_total=at, t=half - at))
        .le(decay, by="bound")
        .conclude(le(steps.pure(half), decay), label="half")
        .suppose(*where)
    )
