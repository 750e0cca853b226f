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
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Rational, S, log, sqrt

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

    def _cost(self, squares: Expr) -> Expr:
        return sqrt(2 * log(1 / self.slack) * squares) + squares * Rational(1, 2)

    def may(self, epsilon: Quantity, delta: Quantity = 0) -> bool:
        """Whether an (epsilon, delta)-private mechanism may still run."""
        squares = self.squares + quantity.epsilon(epsilon) ** 2
        deltas = self.deltas + quantity.probability(delta)
        if quantity.sign(self.delta - self.slack - deltas) < 0:
            return False
        return quantity.sign(self.epsilon - self._cost(squares)) >= 0

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
        self.epsilon += quantity.epsilon(epsilon)
        self.delta += quantity.probability(delta)
        return self.epsilon, self.delta
