r"""Privacy filters and odometers: budgets for mechanisms that are chosen one by one, seeing what came before.

A *filter* is given a budget, is asked before each mechanism, and refuses what would exceed it; whatever it has let
through is then private as the budget says, although parameters and the moment to stop were chosen adaptively. An
*odometer* has no budget, and says at any time what has been spent; what it says holds at the time it is read, also if
that time was chosen in view of the answers.

>>> budget = PureFilter(epsilon=1)
>>> budget.spend("1/2"), budget.spend("3/10"), budget.may("1/4")
(1/2, 1/5, False)
>>> budget.spend("1/4")
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: this mechanism would exceed the budget: epsilon 1/4 with 1/5 left
>>> advanced = ApproximateFilter(epsilon=1, delta="1e-6", slack="9e-7")
>>> sum(advanced.try_to_spend("0.01", 0) for _ in range(400))
346
>>> int(1 / 0.01)  # what basic composition would allow
100
>>> so_far = ConcentratedOdometer(delta="1e-6", best_at="1/100")
>>> _ = [so_far.add("1/10000") for _ in range(100)]
>>> round(float(so_far.epsilon), 4), round(float(ConcentratedFilter("1/100").epsilon("1e-6")), 4)
(0.7534, 0.7534)

Odometers for concentrated, Renyi and approximate privacy read a line that no loss crosses, at any time, but with
probability $\delta$: for a fixed order $1 + \lambda$ the process
$\exp(\lambda L_t - \lambda \sum_{i \le t} r_i)$, with $L_t$ the loss so far and $r_i$ the divergence of that order
that step i may have, given all before it, is a supermartingale that starts at one, and Ville's inequality bounds
the probability that it ever reaches $1/\delta$ (Whitehouse, Ramdas, Rogers and Wu). The order is fixed in advance, so
that such an odometer is as sharp as a filter at one total, and true at all.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Rational, S, log, oo, sqrt

from symdp.numbers import quantity
from symdp.numbers.quantity import BadQuantity, Quantity, shown, within


class _Filter:
    """A budget from which costs are taken, which are of one kind and add up."""

    #: what a cost is called
    unit = ""

    def __init__(self, budget: Quantity) -> None:
        self.left: Expr = self.cost(budget)

    @staticmethod
    def cost(given: Quantity) -> Expr:
        """A cost, exactly; it is no less than 0."""
        return quantity.epsilon(given)

    @property
    def exhausted(self) -> bool:
        """Whether it is time to stop: nothing is left for a mechanism that costs anything."""
        return quantity.sign(self.left) == 0

    def may(self, cost: Quantity) -> bool:
        """Whether a mechanism of that cost may still run."""
        return quantity.sign(self.left - self.cost(cost)) >= 0

    def spend(self, cost: Quantity) -> Expr:
        """Take it from the budget; what is left. Refused, and nothing is taken, if it is too much."""
        exactly = self.cost(cost)
        if not self.may(exactly):
            raise BadQuantity("this mechanism would exceed the budget: "
                              f"{self.unit} {shown(exactly)} with {shown(self.left)} left")
        self.left -= exactly
        return self.left


class PureFilter(_Filter):
    r"""Pure privacy: epsilons add up, and a budget is kept if their sum is at most it."""

    theorem = "the losses of adaptively chosen (epsilon_i, 0)-private mechanisms are at most the sum of the epsilon_i"
    unit = "epsilon"

    def __init__(self, epsilon: Quantity) -> None:
        super().__init__(epsilon)


class ConcentratedFilter(_Filter):
    r"""Concentrated privacy: the budget is rho, and costs add up (Feldman and Zrnic; Whitehouse and others).

    >>> budget = ConcentratedFilter(rho="1/10")
    >>> budget.spend("1/20"), budget.may("1/10")
    (1/20, False)
    >>> budget.epsilon(delta="1e-6")
    1/10 + sqrt(10)*sqrt(log(1000000))/5
    """

    theorem = ("a filter for concentrated privacy: adaptively chosen rho_i with a sum of at most rho are rho-zCDP "
               "(Feldman and Zrnic 2021; Whitehouse, Ramdas, Rogers and Wu 2023)")

    unit = "rho"

    def __init__(self, rho: Quantity) -> None:
        super().__init__(rho)
        self.budget = self.left

    @staticmethod
    def cost(given: Quantity) -> Expr:
        """A rho, exactly."""
        return within(given, "rho", 0, None)

    def epsilon(self, delta: Quantity) -> Expr:
        """An epsilon that the whole budget costs: rho + 2 sqrt(rho log(1/delta)) (Bun and Steinke)."""
        level = within(delta, "delta", 0, 1, open_below=True)
        return self.budget + 2 * sqrt(self.budget * log(1 / level))


class RenyiFilter(_Filter):
    r"""Renyi privacy at one order: costs of that order add up (Feldman and Zrnic).

    >>> budget = RenyiFilter(alpha=8, epsilon=1)
    >>> budget.spend("3/4"), budget.may("1/2")
    (1/4, False)
    """

    theorem = ("a filter for Renyi privacy: adaptively chosen mechanisms whose Renyi divergences of one order add up "
               "to at most the budget have it together (Feldman and Zrnic 2021)")

    unit = "divergence"

    def __init__(self, alpha: Quantity, epsilon: Quantity) -> None:
        super().__init__(epsilon)
        self.alpha = within(alpha, "alpha", 1, None, open_below=True)


class ApproximateFilter:
    r"""Approximate privacy at the rate of advanced composition, with the parameters chosen adaptively.

    With $\delta = \delta' + \delta''$, where $\delta'$ is the ``slack``, mechanisms may run while
    $\sqrt{2 \log(1/\delta') \sum \varepsilon_i^2} + \tfrac12 \sum \varepsilon_i^2 \le \varepsilon$ and
    $\sum \delta_i \le \delta''$. Why: such a mechanism is $\delta_i$-approximately $\varepsilon_i^2/2$-concentrated,
    for which there is a filter that adds both up, and $\rho$ costs $\rho + 2\sqrt{\rho \log(1/\delta')}$.

    >>> budget = ApproximateFilter(epsilon=1, delta="1e-6", slack="9e-7")
    >>> budget.spend("1/10", "5e-8")[1], budget.may("1/10", "6e-8"), budget.exhausted
    (1/20000000, False, False)
    >>> round(float(budget.left[0]), 4)  # the largest epsilon that may still run
    0.1571
    """

    theorem = ("a filter for approximate privacy at the rate of advanced composition "
               "(Whitehouse, Ramdas, Rogers and Wu 2023)")

    def __init__(self, epsilon: Quantity, delta: Quantity, slack: Quantity) -> None:
        self.epsilon, self.delta = quantity.epsilon(epsilon), quantity.probability(delta)
        self.slack = within(slack, "slack", 0, 1, open_below=True)
        if quantity.sign(self.delta - self.slack) < 0:
            raise BadQuantity(f"slack is a part of delta: at most {shown(self.delta)}, not {shown(self.slack)}")
        self.squares: Expr = S.Zero
        self.deltas: Expr = S.Zero

    def spent(self) -> Expr:
        """The epsilon of what has run."""
        return self._cost(self.squares)

    @property
    def left(self) -> tuple[Expr, Expr]:
        """The largest epsilon that one more mechanism may have, and the largest delta."""
        rate = 2 * log(1 / self.slack)
        most = (sqrt(rate + 2 * self.epsilon) - sqrt(rate)) ** 2  # of the sum of the squares
        return sqrt(most - self.squares), self.delta - self.slack - self.deltas

    @property
    def exhausted(self) -> bool:
        """Whether it is time to stop: nothing is left for a mechanism with an epsilon."""
        return quantity.sign(self.epsilon - self.spent()) == 0

    def _cost(self, squares: Expr) -> Expr:
        return sqrt(2 * log(1 / self.slack) * squares) + squares * Rational(1, 2)

    def may(self, epsilon: Quantity, delta: Quantity = 0) -> bool:
        """Whether an (epsilon, delta)-private mechanism may still run."""
        squares = self.squares + quantity.epsilon(epsilon) ** 2
        deltas = self.deltas + quantity.probability(delta)
        if quantity.sign(self.delta - self.slack - deltas) < 0:
            return False
        return quantity.sign(self.epsilon - self._cost(squares)) >= 0

    def spend(self, epsilon: Quantity, delta: Quantity = 0) -> tuple[Expr, Expr]:
        """Take it from the budget; what is left. Refused, and nothing is taken, if it is too much."""
        if not self.try_to_spend(epsilon, delta):
            most, rest = self.left
            raise BadQuantity("this mechanism would exceed the budget: "
                              f"epsilon {shown(quantity.epsilon(epsilon))} and delta "
                              f"{shown(quantity.probability(delta))} with {float(most):.6g} and {shown(rest)} left")
        return self.left

    def try_to_spend(self, epsilon: Quantity, delta: Quantity = 0) -> bool:
        """Take it from the budget if that allows it, and say whether it did."""
        if not self.may(epsilon, delta):
            return False
        self.squares += quantity.epsilon(epsilon) ** 2
        self.deltas += quantity.probability(delta)
        return True


class Odometer:
    r"""What has been spent so far, by basic composition: right at every time, however that time was chosen.

    >>> so_far = Odometer()
    >>> so_far.add("1/2"), so_far.add("1/4", "1e-6")
    ((1/2, 0), (3/4, 1/1000000))
    """

    theorem = "epsilons and deltas of adaptively chosen mechanisms add up, at every time (Rogers and others 2016)"

    def __init__(self) -> None:
        self.epsilon: Expr = S.Zero
        self.delta: Expr = S.Zero

    def add(self, epsilon: Quantity, delta: Quantity = 0) -> tuple[Any, Any]:
        """One more mechanism has run; what all of them have spent."""
        more, leak = quantity.epsilon(epsilon), quantity.probability(delta)
        self.epsilon, self.delta = self.epsilon + more, self.delta + leak
        return self.epsilon, self.delta


class PureOdometer:
    r"""Pure privacy: at every time the loss is at most the sum of the epsilons so far, without exception.

    >>> so_far = PureOdometer()
    >>> so_far.add("1/2"), so_far.add("1/4")
    (1/2, 3/4)
    """

    theorem = PureFilter.theorem

    def __init__(self) -> None:
        self.epsilon: Expr = S.Zero

    def add(self, epsilon: Quantity) -> Expr:
        """One more mechanism has run; what all of them have spent."""
        self.epsilon += quantity.epsilon(epsilon)
        return self.epsilon


class RenyiOdometer:
    r"""Renyi privacy at one order: but with probability delta no loss is ever above what is read at its time.

    >>> so_far = RenyiOdometer(alpha=11, delta="exp(-10)")
    >>> so_far.add("1/5"), so_far.add("1/10")
    (6/5, 13/10)
    """

    theorem = ("an odometer of one order: the losses of adaptively chosen mechanisms stay below a line at all times, "
               "by Ville's inequality (Whitehouse, Ramdas, Rogers and Wu 2023)")

    def __init__(self, alpha: Quantity, delta: Quantity) -> None:
        self.alpha = within(alpha, "alpha", 1, None, open_below=True)
        self.delta = within(delta, "delta", 0, 1, open_below=True)
        self.divergence: Expr = S.Zero

    @property
    def epsilon(self) -> Expr:
        r"""What is read now: $\sum r_i + \log(1/\delta)/(\alpha - 1)$."""
        return self.divergence + log(1 / self.delta) / (self.alpha - 1)

    def add(self, divergence: Quantity) -> Expr:
        """One more mechanism has run, with that Renyi divergence of the order; what is read now."""
        self.divergence += quantity.epsilon(divergence, "divergence")
        return self.epsilon


class ConcentratedOdometer:
    r"""Concentrated privacy: the same at the order that is best where the rhos add up to ``best_at``.

    There it reads what the whole of a filter's budget costs, $\rho + 2\sqrt{\rho \log(1/\delta)}$.
    """

    theorem = RenyiOdometer.theorem

    def __init__(self, delta: Quantity, best_at: Quantity) -> None:
        self.delta = within(delta, "delta", 0, 1, open_below=True)
        self.best_at = within(best_at, "best_at", 0, None, open_below=True)
        self.rho: Expr = S.Zero

    @property
    def epsilon(self) -> Expr:
        r"""What is read now: $\rho + \lambda\rho + \log(1/\delta)/\lambda$ with
        $\lambda = \sqrt{\log(1/\delta)/\rho_0}$."""
        level = log(1 / self.delta)
        return self.rho + sqrt(level / self.best_at) * self.rho + sqrt(level * self.best_at)

    def add(self, rho: Quantity) -> Expr:
        """One more mechanism has run; what is read now."""
        self.rho += within(rho, "rho", 0, None)
        return self.epsilon


class ApproximateOdometer:
    r"""Approximate privacy at the rate of advanced composition around one total, and never above basic composition.

    With $\delta = \delta' + \delta''$, where $\delta'$ is the ``slack``: no mechanism tells more than randomised
    response with its parameters, which gives all away with probability $\delta_i$ and else is
    $\varepsilon_i^2/2$-concentrated. While $\sum \delta_i \le \delta''$, the loss is at all times at most what is
    read, but with probability $\delta$; beyond, infinity is read.

    >>> so_far = ApproximateOdometer(delta="1e-6", slack="9e-7", best_at="1/2")
    >>> so_far.add("1/10")  # one alone costs what it costs
    1/10
    >>> _ = [so_far.add("1/10") for _ in range(99)]
    >>> round(float(so_far.epsilon), 4)
    5.7765
    >>> so_far.add("1/10", "2e-7")
    oo
    """

    theorem = ("an odometer for approximate privacy: deltas add up, and but for them the losses stay below a line at "
               "all times, by Ville's inequality (Rogers and others 2016; Whitehouse, Ramdas, Rogers and Wu 2023)")

    def __init__(self, delta: Quantity, slack: Quantity, best_at: Quantity) -> None:
        self.delta = quantity.probability(delta)
        self._line = ConcentratedOdometer(slack, best_at)
        if quantity.sign(self.delta - self._line.delta) < 0:
            raise BadQuantity(f"slack is a part of delta: at most {shown(self.delta)}, not {shown(self._line.delta)}")
        self._plainly = Odometer()

    @property
    def epsilon(self) -> Expr:
        """What is read now."""
        if quantity.sign(self.delta - self._line.delta - self._plainly.delta) < 0:
            return oo
        line, plainly = self._line.epsilon, self._plainly.epsilon
        return line if quantity.sign(plainly - line) > 0 else plainly

    def add(self, epsilon: Quantity, delta: Quantity = 0) -> Expr:
        """One more mechanism has run; what is read now."""
        each, leak = quantity.epsilon(epsilon), quantity.probability(delta)
        self._plainly.add(each, leak)
        self._line.add(each**2 / 2)
        return self.epsilon
