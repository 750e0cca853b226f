"""Claims about which exact finite constructions say something: instances, computed.

A construction is code that the kernel does not check, and that it is an instance of the claim is said in
words. So what it shows is argued, for the claim or against it, and never more.
"""

from __future__ import annotations

from symdp.arguments.constructions import Observation, run
from symdp.search.reasons import Reason
from symdp.search.verdict import Status, Verdict
from symdp.sources.example import Example
from symdp.sources.statement import Claim


def argue_from_examples(claim: Claim) -> Verdict:
    """One instance speaks against a claim about all, and for a claim about some."""
    said = []
    for example in claim.examples:
        seen = run(example)
        said.append(seen.says)
        if claim.quantifier == "all" and not seen.holds:
            return _argued(example, seen, against=True)
        if seen.holds and (claim.quantifier == "some" or seen.covers_all):
            return _argued(example, seen, against=False)
    return Verdict(Status.UNDECIDED, "instances agree, which proves nothing: " + "; ".join(said))


def _argued(example: Example, seen: Observation, *, against: bool) -> Verdict:
    whole = ", and that it covers all cases" if seen.covers_all and not against else ""
    words = (f"that {example} is an instance of the claim{whole}",
             f"the code of the construction {example.construction}, which the kernel does not check",
             *sorted(seen.trust))
    exact = [f"{name} = {value}" for name, value in seen.exact.items()]
    return Verdict(Status.ARGUED, Reason.joined([seen.says, *exact]), words=words, against=against)
