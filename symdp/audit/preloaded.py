"""Imported before workers are made from a process: what every one of them starts with."""

import warnings

from symdp.folders import BrokenFile
from symdp.sources.registry import claims

warnings.simplefilter("ignore", BrokenFile)  # the process that asked for workers has said so
claims()
