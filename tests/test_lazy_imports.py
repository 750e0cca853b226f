"""An import inside a function is there for start-up time, or for a package that few have, and its line says so."""

import re
from pathlib import Path

import symdp

HOUSE = Path(symdp.__file__).parent
LAZY = re.compile(r"# noqa: [\w, ]*PLC0415\b(.*)")


def test_every_lazy_import_says_what_it_buys():
    lines = [(path, line) for path in HOUSE.rglob("*.py") for line in path.read_text().splitlines()]
    reasons = {(path.relative_to(HOUSE), found[1]) for path, line in lines if (found := LAZY.search(line))}
    assert reasons, "the rule is in force: ruff's PLC0415"
    assert not {r for r in reasons if not re.match(r" - (start-up|an extra): \w", r[1])}
