"""All rules there are: importing this registers them. **Trusted.**"""

from symdp.kernel import analysis, logic, paving, privacy

__all__ = ["analysis", "logic", "paving", "privacy"]
