"""Expansions with certified remainders, and orders of growth decided."""

from symdp.expansions.expanding import expand as expand
from symdp.expansions.expansion import Expansion as Expansion
from symdp.expansions.setting import NoExpansion as NoExpansion
from symdp.expansions.settling import order_of as order_of
