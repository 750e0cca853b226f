"""Test modules share the generators in `expressions`; no property depends on how fast it is tried."""

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("symdp", deadline=None)
settings.load_profile("symdp")


# In CI the same examples are tried every time; elsewhere new ones are looked for.
if os.environ.get("CI"):
    settings.register_profile("ci", derandomize=True, deadline=None)
    settings.load_profile("ci")
