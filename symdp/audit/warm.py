"""Imported before workers are made from a process: what every one of them starts with."""

from symdp.sources.registry import claims

claims()
