"""Test modules share the generators in `expressions`; no property depends on how fast it is tried."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("symdp", deadline=None)
settings.load_profile("symdp")
