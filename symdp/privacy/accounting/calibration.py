r"""How much noise is really enough: the largest eps_0 whose k-fold composition meets a target.

The exact composition grows with $\varepsilon_0$: a randomised response, a Gaussian or Laplace noise with
more noise is one with less noise, processed further (Laplace noise of a larger scale is that of a
smaller one, plus independent noise that is zero or Laplace again). So
the largest one that is enough lies between two
numbers, the lower of which certainly is enough and the upper certainly not. Beside it stands what
Corollaries 4.1 and 4.2 and Theorem 4.3 of Kairouz, Oh and Viswanath prescribe.

>>> print(largest_epsilon(1, "1e-6", 100))
0.02401108039715981902
>>> found = calibrate("0.5", "1e-6", 100, mechanism="laplace", digits=8)
>>> print(found.variance, found.prescribed.variance, found.ratio)
12595.22580 41991.58020 3.333928337
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, ctx
from sympy import E, Expr, Rational, log, sqrt

from symdp.formulas.balls import ball
from symdp.formulas.notation import delta as delta_symbol
from symdp.formulas.notation import eps, k, symbol
from symdp.formulas.printing import to_text
from symdp.numbers import quantity
from symdp.numbers.crossing import crossing_from_below
from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.quantity import BadQuantity, Quantity, count, digits_wanted
from symdp.privacy.composition.composed import DIGITS, enclose_exactly
from symdp.privacy.composition.homogeneous import THEOREM, BinomialProfile, is_power
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise
from symdp.privacy.mechanisms.registry import mechanism as named
from symdp.privacy.mechanisms.registry import mechanisms

KOV = "of Kairouz, Oh and Viswanath"

sensitivity_symbol = symbol("Delta")
#: What the paper prescribes: per query for Corollary 4.1, as a variance for the other two.
per_query = sqrt(eps**2 / (4 * k * log(E + eps / delta_symbol)))
variance_of_noise = 8 * k * sensitivity_symbol**2 * log(E + eps / delta_symbol) / eps**2


@dataclass(frozen=True)
class Prescription:
    """What a theorem says is enough, as printed."""

    theorem: str
    closed_form: Expr
    variance: Enclosure
    #: why the theorem does not speak of this target, if it does not
    outside: str = ""
    #: the epsilon of each query, where the theorem prescribes that
    epsilon_0: Enclosure | None = None


@dataclass(frozen=True)
class Calibration:
    """Noise that is really enough for a total (epsilon, delta) over k queries."""

    mechanism: str
    #: each query is (epsilon_0, 0)-private; infinite for Gaussian noise, which has no such epsilon_0
    epsilon_0: Enclosure
    #: its upper end is certainly enough
    variance: Enclosure
    prescribed: Prescription | None = None

    @property
    def ratio(self) -> Enclosure | None:
        """How many times the variance prescribed is the one that is enough."""
        if self.prescribed is None:
            return None
        over, under = self.prescribed.variance, self.variance
        digits = max(1, min(over.digits, under.digits, 30))

        def compute() -> Any:
            low, high = (arb(str(under.lower)), arb(str(under.upper)))
            return arb(str(over.lower)).union(arb(str(over.upper))) / low.union(high)

        with ctx.workprec(4 * digits + 64):
            return Enclosure.of_ball(compute(), digits, "prescribed over needed")

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "mechanism": self.mechanism, "epsilon_0": self.epsilon_0.as_json(),
            "variance": self.variance.as_json(), "theorem": self.variance.theorem,
        }
        if self.prescribed is not None:
            document["prescribed"] = {
                "theorem": self.prescribed.theorem,
                "variance": self.prescribed.variance.as_json(),
                "ratio": self.ratio.as_json() if self.ratio else None,
            }
            if self.prescribed.outside:
                document["prescribed"]["outside"] = self.prescribed.outside
        return document


def largest_epsilon(epsilon: Quantity, delta: Quantity, k: Quantity, delta_0: Quantity = 0,
                    digits: int = DIGITS) -> Enclosure:
    """The largest epsilon_0 for which k mechanisms that are (epsilon_0, delta_0)-private are enough.

    Exact, by Theorem 3.3: with more, some mechanisms would violate (epsilon, delta).

    >>> print(largest_epsilon(1, 0, 10))
    0.1
    >>> largest_epsilon(1, "1e-6", 100, delta_0="1e-6")
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: delta_0 = 1/1000000 is too much: 100 mechanisms leak more than
    delta = 1/1000000 by themselves
    """
    digits = digits_wanted(digits)
    total, level = _target(epsilon, delta)
    many, leak = count(k), quantity.probability(delta_0, "delta_0")
    if level == 1:
        return Enclosure.exactly(INFINITY, THEOREM, "every mechanism is (0, 1)-private")
    over = _sign_of_slack(level, leak, many)
    if over < 0:
        raise BadQuantity(f"delta_0 = {to_text(leak)} is too much: {many} mechanisms leak more than "
                          f"delta = {to_text(level)} by themselves")
    if over == 0:
        return enclose_exactly(total / many, digits, THEOREM, "all of delta is used up by the leaks")

    def curve(x: Any) -> Any:
        gone = -((-ball(leak)).log1p() * many).expm1()
        return gone + (1 - gone) * BinomialProfile(many, x).height(ball(total))

    # The total variation is at most k eps_0 / 2, so that this start is enough, also for epsilon = 0.
    return crossing_from_below(curve, lambda: ball(level), lambda: (ball(total) + ball(level)) / many,
                               digits, THEOREM)


def calibrate(epsilon: Quantity, delta: Quantity, k: Quantity,
              mechanism: str | type[AdditiveNoise] = "laplace", sensitivity: Quantity = 1,
              digits: int = DIGITS) -> Calibration:
    """The noise that is really enough, beside what the paper prescribes.

    epsilon, delta: the total that is wanted, exact: ``"0.5"``, not 0.5.
    k: how many queries there are.
    mechanism: a name of the command line, or a kind of noise such as ``Laplace``.
    sensitivity: how far one record moves an answer.
    digits: how many digits of the answer are certain.

    >>> print(calibrate("0.5", "1e-6", 100, mechanism="laplace", digits=8).variance)
    12595.22580
    """
    total, level = _target(epsilon, delta)
    kind = named(mechanism) if isinstance(mechanism, str) else mechanism
    if not issubclass(kind, AdditiveNoise):
        noises = [name for name, known in mechanisms().items() if issubclass(known, AdditiveNoise)]
        raise BadQuantity(f"{mechanism} adds no noise to a number; what does is {', '.join(noises)}")
    if level == 0 and not kind.pure:
        raise BadQuantity(f"no {kind.name} is enough for delta = 0")
    if level == 1:
        raise BadQuantity("delta = 1 needs no noise at all")
    if total == 0:
        raise BadQuantity("epsilon must be greater than 0")
    distance = quantity.sensitivity(sensitivity)
    many, digits = count(k), digits_wanted(digits)
    found = _strongest(kind, total, level, many, digits)
    epsilon_0 = found if kind.pure else Enclosure.exactly(
        INFINITY, found.theorem, f"{kind.name} is not (epsilon_0, 0)-private")
    return Calibration(kind.names[0] if kind.names else kind.__name__, epsilon_0,
                       _variance(kind, found, distance, digits),
                       _prescribed(kind, total, level, many, distance, digits))


def _strongest(kind: type[AdditiveNoise], total: Expr, level: Expr, many: int, digits: int) -> Enclosure:
    """The largest strength that is enough: by what is known of this noise, else as any private mechanism."""
    strength = kind.strength(many) if level != 0 else None
    if strength is None:
        return largest_epsilon(total, level, many, 0, digits)
    return crossing_from_below(lambda x: strength.delta(x, ball(total)), lambda: ball(level),
                               lambda: strength.start(ball(total)), digits, strength.theorem)


def _variance(kind: type[AdditiveNoise], strength: Enclosure, distance: Expr, digits: int) -> Enclosure:
    """It falls with the strength, so that its upper end comes from the lower one."""
    low, high = (kind.of_strength(str(end), distance).variance(digits=digits)
                 for end in (strength.upper, strength.lower))
    return Enclosure(low.lower, high.upper, strength.theorem)


def _prescribed(kind: type[AdditiveNoise], total: Expr, level: Expr, many: int, distance: Expr,
                digits: int) -> Prescription | None:
    """Corollary 4.1 prescribes an epsilon_0 for each query, the others a variance."""
    if level == 0:
        return None
    last, theorem = kind.prescribed_up_to, f"{kind.prescribed_by} {KOV}"
    over = last is not None and quantity.sign(total - last, "epsilon") > 0
    outside = f"it is printed for epsilon up to {to_text(last)}" if over else ""
    per_step = kind.prescribed_by == AdditiveNoise.prescribed_by
    form = (per_query if per_step else variance_of_noise).subs(
        {k: many, eps: total, delta_symbol: level, sensitivity_symbol: distance}, simultaneous=True)
    found = enclose(lambda: ball(form), digits, theorem)
    if not per_step:
        return Prescription(theorem, variance_of_noise, found, outside)
    return Prescription(theorem, per_query, _variance(kind, found, distance, digits), outside, found)


# --- the target ------------------------------------------------------------------------------


def _target(epsilon: Quantity, delta: Quantity) -> tuple[Expr, Expr]:
    return quantity.epsilon(epsilon), quantity.probability(delta)


def _sign_of_slack(level: Expr, leak: Expr, many: int) -> int:
    """The sign of delta less what many mechanisms leak."""
    if leak == 0:
        return 1 if level != 0 else 0
    if isinstance(level, Rational) and isinstance(leak, Rational) and is_power(1 - level, 1 - leak, many):
        return 0
    if leak == 1:
        return -1
    bits = 128
    while bits <= quantity.MOST_BITS:
        with ctx.workprec(bits):
            over = ball(level) + ((-ball(leak)).log1p() * many).expm1()
        if over > 0 or over < 0:
            return 1 if over > 0 else -1
        bits *= 2
    raise BadQuantity("delta cannot be told from what the mechanisms leak")
