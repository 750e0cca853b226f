"""Imported before workers are made from a process: what every one of them starts with.

Each claim is settled in a new process. What is imported here is imported once, and not by each of them.
"""

import gc
import os
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads is not one to fork from

import highspy  # noqa: F401 - what linear programs need, and NumPy with it

import symdp.audit.campaign  # noqa: F401 - the work that they are asked to do
from symdp.audit.seal import seal_of_code
from symdp.folders import BrokenFile
from symdp.sources.registry import claims

warnings.simplefilter("ignore", BrokenFile)  # the process that asked for workers has said so
claims()
seal_of_code()
gc.freeze()  # what is here stays: no process has to look through it, or to copy it when it does
