"""The ideas, in the order in which they are tried."""

from symdp.search.reductions import telescoping, trigonometric_polynomials
from symdp.search.reductions.detour import Idea

IDEAS: tuple[Idea, ...] = (trigonometric_polynomials.reductions, telescoping.reductions)
