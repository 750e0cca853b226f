"""What the search found, as steps of the kernel, and derived rules as steps of basic ones."""

from symdp.search.elaboration import derived_order_rules  # noqa: F401 - its rules register themselves
