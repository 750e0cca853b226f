r"""Why a claim is false, in a sentence with mathematics: the point, both sides there, and by how much it fails.

>>> print(why_false({"method": "it fails at x = 1", "witness": {
...     "x": "1", "left": "2.71828182846", "right": "2", "violation": "0.718281828459"}}))
at $x = 1$ the left side is $2.71828182846$ and the right side is $2$, off by $0.718281828459$
>>> print(why_false({"method": "along eps = t, k = 1 the ratio of the two sides is (exp(t) - 1)/t",
...                  "witness": {"eps": "t", "k": "1", "ratio": ""}}))
along $\varepsilon = t$, $k = 1$ the ratio of the two sides is $\frac{e^{t}-1}{t}$
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from symdp.typeset.numerals import decimal_latex
from symdp.typeset.written import expression_latex, values_told

#: Of a witness, what is no coordinate.
_OTHER = ("left", "right", "violation", "ratio", "sequence")
_RATIO = re.compile(r"(.* the ratio of the two sides (?:is|outgrows)) (.*)")


def why_false(data: Mapping[str, Any]) -> str:
    """What a verdict says against a claim, with formulas between dollar signs."""
    witness, method = data.get("witness") or {}, str(data["method"])
    point = {name: str(value) for name, value in witness.items() if name not in _OTHER}
    if "ratio" in witness:
        found = _RATIO.fullmatch(method)
        ratio = found and expression_latex(found[2])
        if found is None or ratio is None:
            return method
        return f"along {values_told(point)} the ratio of the two sides {found[1].rsplit(' ', 1)[1]} ${ratio}$"
    if not point or not {"left", "right"} <= set(witness) or "sequence" in witness:
        return method
    left, right = (_number(str(witness[side])) for side in ("left", "right"))
    if "is promised" in method:
        return rf"at {values_told(point)} the worst case needs $\delta = {left}$, and ${right}$ is promised"
    if left == right:
        return f"at {values_told(point)} both sides are ${left}$"
    gap = _number(str(witness.get("violation", "0")))
    return f"at {values_told(point)} the left side is ${left}$ and the right side is ${right}$, off by ${gap}$"


def _number(text: str) -> str:
    return decimal_latex(text) if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text) else text
