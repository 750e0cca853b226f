"""What the theorems are about, computable: mechanisms, regions, composition, calibration.

Nothing here knows a prover or a source. Numbers go in exact (:mod:`~symdp.numbers.quantity`) and
come out as enclosures (:mod:`~symdp.numbers.decimals`).
"""
