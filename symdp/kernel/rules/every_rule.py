"""All rules there are: importing this registers them. **Trusted.**"""

from symdp.kernel.rules import analysis, failing, logic, orders, paving, privacy, readings, sums

__all__ = ["analysis", "failing", "logic", "orders", "paving", "privacy", "readings", "sums"]
