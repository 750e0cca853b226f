r"""Two corrected guarantees of Section 4.1, line by line: Gaussian noise, and the composed steps."""

from sympy import E, Integer, exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import le
from symdp.literature.kov.appendices.derivation_of_gaussian_composition import (
    Delta,
    apart,
    by_mills,
    density,
    normal_noise,
    w,
)
from symdp.literature.kov.simplified_composition.entries_of_the_minimum import pure_below_slack
from symdp.literature.kov.simplified_composition.moment_bound import equal_steps
from symdp.literature.kov.simplified_composition.theorem import logarithmic
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.sources.derivations.derivation import use
from symdp.sources.subject import AnyPrivate
from symdp.sources.worst_case import needed_delta, pure_part

eps_0, delta_0 = symbol("eps_0"), symbol("delta_0")
known_variance = k * Delta**2 * log(1 / delta) / eps**2
squares = k * eps_0**2
repaired_epsilon = squares + sqrt(2 * squares * log(E + sqrt(squares) / slack))

four_times_known = needed_delta(Gaussian(variance=4 * known_variance, sensitivity=Delta), k, eps)
known_root = sqrt(4 * log(1 / delta))
four_times_the_known = (
    by_mills(
        normal_noise("Four times the known variance, for eps <= 1 and delta <= 1/2", [
            "0 < eps <= 1", "0 < delta <= 1/2", "k >= 1", "Delta > 0"], four_times_known, known_root)
        .lemma("four times", le(eps * exp(w**2 / 4) * density(w), w**2 + eps / 2),
               where=["0 < eps <= 1", "w > 0", "w^2 >= 4*log(2)"]),
        known_root, "four times", Integer(0), label="small enough")
    .start(four_times_known).eq(apart(known_root), by="apart").le(delta, by="small enough")
    .conclude(le(four_times_known, delta))
)

#: the second entry of (7) with k eps_0^2 in the place of the mean
second = logarithmic.subs(eps, eps_0)
composed_needed = needed_delta(AnyPrivate(eps_0, delta_0), k, repaired_epsilon)
in_total = 1 - (1 - delta_0) ** k * (1 - slack)
composed_steps = (
    pure_below_slack(equal_steps, "From the second entry of (7)", logarithmic)
    .suppose("eps_0 > 0", "0 <= delta_0 <= 1")
    .start(pure_part(eps_0, k, repaired_epsilon))
    .le(pure_part(eps_0, k, second), "the mean is at most the sum of the squares",
        by=use("falling", eps=eps_0, eps_total=second, t=repaired_epsilon - second))
    .le(slack, by=use("pure part", eps=eps_0))
    .conclude(le(pure_part(eps_0, k, repaired_epsilon), slack), label="composed")
    .induction("k", le(in_total, k * delta_0 + slack), because="the deltas add up", label="total")
    .start(composed_needed)
    .le(in_total, by="composed")
    .le(k * delta_0 + slack, by="total")
    .conclude(le(composed_needed, k * delta_0 + slack))
)
