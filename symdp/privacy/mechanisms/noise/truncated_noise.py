"""Noise that is cut off at a bound: some outputs are possible for one of the databases only."""

from __future__ import annotations

from sympy import Expr

from symdp.numbers import quantity
from symdp.numbers.exact import number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.pairs.known_by_loss import KnownByLoss
from symdp.privacy.pairs.pair import parameter, positive


class TruncatedNoise(KnownByLoss):
    """Noise between -bound and bound, at least the sensitivity; the law of the noise is log-concave."""

    log_concave = True

    bound: Expr
    sensitivity: Expr

    def __init__(self, bound: Quantity, sensitivity: Quantity) -> None:
        self.bound = parameter(bound, "bound", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", quantity.sensitivity)
        wide = self.bound - self.sensitivity
        if not wide.free_symbols and sign(number(wide)) < 0:
            raise BadQuantity("the bound of truncated noise must be at least the sensitivity")
