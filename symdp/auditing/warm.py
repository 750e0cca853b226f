"""Imported before workers are made from a process: what every one of them starts with."""

from symdp.auditing import campaign as campaign
from symdp.registry import claims

claims()
