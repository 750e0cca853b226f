r"""Lemmas that may be used by name, each proved by the kernel when it is first needed. **Trusted.**

They stand beside this file as certificates, which ``make lemmas`` writes anew.

>>> print(proved("exp-tangent").goal)
z + 1 <= exp(z) for every real z
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from symdp.kernel.certificate import BadCertificate, recheck
from symdp.kernel.proof import Proof, Rejected

FILE = "lemmas.json"


@cache
def documents() -> dict[str, Any]:
    text = files("symdp.kernel").joinpath(FILE).read_text(encoding="utf-8")
    return {str(d["name"]): d for d in json.loads(text)}


_underway: set[str] = set()


@cache
def proved(name: str) -> Proof:
    """The proof of a lemma, verified when it is first asked for."""
    Rejected.unless(name in documents() and name not in _underway, f"there is no lemma called {name[:40]!r}")
    _underway.add(name)
    try:
        found = recheck(documents()[name])
    except BadCertificate as reason:
        raise Rejected(f"the lemma {name!r} is not proved: {reason}") from reason
    finally:
        _underway.discard(name)
    if not isinstance(found, Proof):  # which uses no claim, since none was given to it
        raise Rejected(f"the lemma {name!r} is not proved")
    return found
