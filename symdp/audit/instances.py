"""Claims about which exact finite constructions say something: instances, computed.

A construction is code that the kernel does not check, and that it is an instance of the claim is said in
words. So what it shows is argued, for the claim or against it, and never more.
"""

from __future__ import annotations

from symdp.arguments.constructions import Finding, run
from symdp.search.verdict import Status, Verdict
from symdp.sources.example import Example
from symdp.sources.statement import Claim


def settle_examples(claim: Claim) -> Verdict:
    """One instance speaks against a claim about all, and for a claim about some."""
    seen = []
    for example in claim.examples:
        finding = run(example)
        seen.append(finding.says)
        if claim.quantifier == "all" and not finding.holds:
            return _argued(example, finding, against=True)
        if finding.holds and (claim.quantifier == "some" or finding.covers_all):
            return _argued(example, finding, against=False)
    return Verdict(Status.UNDECIDED, "instances agree, which proves nothing: " + "; ".join(seen))


def _argued(example: Example, finding: Finding, *, against: bool) -> Verdict:
    whole = ", and that it covers all cases" if finding.covers_all and not against else ""
    words = (f"that {example} is an instance of the claim{whole}",
             f"the code of the construction {example.construction}, which the kernel does not check",
             *sorted(finding.trust))
    exact = "".join(f"; {name} = {value}" for name, value in finding.exact.items())
    return Verdict(Status.ARGUED, f"{finding.says}{exact}", words=words, against=against)
