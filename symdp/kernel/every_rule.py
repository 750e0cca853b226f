"""All rules there are: importing this registers them. **Trusted.**"""

from symdp.kernel import analysis, logic, paving, sums

__all__ = ["analysis", "logic", "paving", "sums"]
