r"""What a derivation of a guarantee has to end in: *the worst case needs at most this delta*.

The worst case is a formula (:mod:`symdp.sources.worst_case`); the kernel's rule ``worst-case`` makes the guarantee
from it, so that a derivation about another formula, a smaller domain or other mechanisms is of no use.

>>> from symdp.sources.registry import claim
>>> print(conclusion(claim("kov/thm-3.1")).right)
delta*k
"""

from __future__ import annotations

from symdp.formulas.relation import Relation
from symdp.privacy.mechanisms.gaussian import Gaussian
from symdp.privacy.mechanisms.laplace import Laplace
from symdp.sources.scope import insert
from symdp.sources.statement import Claim, Guarantee
from symdp.sources.subject import AnyPrivate, AnySequence
from symdp.sources.worst_case import MEANING, needed_delta


def has_worst_case(claim: Claim) -> bool:
    """Whether the claim is a guarantee whose worst case is a formula."""
    return isinstance(claim, Guarantee) and isinstance(
        claim.subject, AnyPrivate | AnySequence | Gaussian | Laplace)


def conclusion(claim: Guarantee) -> Relation:
    """What a derivation of the guarantee has to end in; NoClosedForm where its worst case is no formula."""
    needed = needed_delta(claim.subject, claim.fold, claim.epsilon)
    return Relation(insert(needed, MEANING), "<=", insert(claim.delta, MEANING))
