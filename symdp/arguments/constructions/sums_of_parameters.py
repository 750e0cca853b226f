r"""Is the sum of the parameters needed? Exact composition of randomised responses decides.

>>> from symdp.arguments.constructions import run
>>> from symdp.sources.example import Example
>>> print(run(Example("sum-is-needed", {"parameters": (("1", "0"), ("1/2", "0"))})).says)
no epsilon below 3/2 is enough with delta 0
>>> run(Example("sum-is-needed", {"parameters": (("1", "1/10"), ("1", "1/10"))})).holds
False
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Add, Expr, Mul

from symdp.arguments.constructions import Observation, construction
from symdp.formulas.parsing import parse_expression
from symdp.formulas.printing import to_text
from symdp.privacy.composition.heterogeneous import Heterogeneous


@construction
def sum_is_needed(parameters: Sequence[tuple[str, str]]) -> Observation:
    r"""Whether randomised responses with these parameters need the whole sum of the epsilons.

    Below the sum, but above the next loss, the exact delta is $1-\prod(1-\delta_\ell)$ and a positive
    part that vanishes at the sum. So the sum is needed exactly where this product rule gives the sum of
    the deltas; where it gives less, the smallest epsilon is computed.
    """
    pairs: list[tuple[Expr, Expr]] = [
        (parse_expression(e), parse_expression(d)) for e, d in parameters
    ]
    loss, total = Add(*(e for e, _ in pairs)), Add(*(d for _, d in pairs))
    leak = 1 - Mul(*(1 - d for _, d in pairs))
    exact = {"sum of the deltas": total, "delta at the sum of the epsilons": leak}
    if leak == total:
        says = f"no epsilon below {to_text(loss)} is enough with delta {to_text(total)}"
        return Observation(True, says, exact)
    enough = Heterogeneous(pairs).epsilon(total)
    limit = Heterogeneous([(e, 0) for e, _ in pairs]).epsilon(0)
    if not enough.upper < limit.lower:
        raise ArithmeticError(f"{enough} was not seen to be below {limit}")
    return Observation(
        False,
        f"with delta {to_text(total)}, the sum, epsilon = {enough} is enough for all mechanisms with the "
        f"parameters {', '.join(f'({e}, {d})' for e, d in parameters)}, below {to_text(loss)}",
        {**exact, "epsilon that is enough": enough},
        trust=frozenset({"exact arithmetic", "Arb",
                         "domination by randomised response (KOV, Section 6)"}),
    )
