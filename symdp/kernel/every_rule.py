"""All rules there are: importing this registers them. **Trusted.**"""

from symdp.kernel import analysis, logic, paving

__all__ = ["analysis", "logic", "paving"]
