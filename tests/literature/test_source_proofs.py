"""The proofs of the sources: which printed lines the kernel finds wrong, and that the repairs go through.

Sections 7 and 8 and Appendix B have their own tests, since they take long.
"""

import os
from functools import cache

import pytest

from symdp.arguments.derivations.standing import Standing
from symdp.sources.registry import claim, proof, proofs

#: Derivations take minutes, and some are not yet what they were: `make verdicts` runs these.
pytestmark = pytest.mark.skipif(not os.environ.get("SYMDP_CAMPAIGN"), reason="takes minutes: `make verdicts`")

TESTED_ELSEWHERE = {"kov/sec-7", "kov/sec-8", "kov/app-b"}
HERE = [p.id for p in proofs() if p.id not in TESTED_ELSEWHERE]

#: The printed lines that are not right, by part and number; in all other lines nothing is wrong.
FOUND = {
    "kov/sec-6.1": {
        (1, "3"): "false",  # the region (3) is bounded from above, R(eps, delta) is not
        (2, "7"): "false",  # one equation for the renaming is not enough for Remark 6.1
        (3, "1"): "false",  # a letter that neither law shows has every ratio
        (4, "2"): "false",  # E has the exponents as its elements
        (4, "6"): "false",  # the deltas of (6) leave out that a letter may give the database away
    },
    "kov/sec-6.2": {(7, "1"): "false"},  # the letters dominate the answers, not the other way round
    "kov/sec-9.3": {(1, "2"): "false"},  # p_i is the probability of rejecting
    "kov/app-c.1": {
        (2, "1"): "false",  # eta, not nu
        (2, "2"): "false",  # a factor of the root of 2
        (2, "3"): "false",  # the 1/r of line 4 of the box
        (2, "4"): "false",  # w has to be at most n/2
        (3, "2"): "false",  # delta must not be near 1
        (3, "3"): "false",  # nor epsilon
    },
    # privacy on average over the responses is not privacy given them
    "kov/app-d": {(4, "2"): "false"},
    "note/thm-3.20": {(4, "3"): "false"},  # epsilon belongs before the root
}


@cache
def reports(id):
    """The printed reports and the repaired ones; a part that is in several proofs is checked once."""
    p = proof(id)
    return [checked(d) for d in p.printed], [checked(d) for d in p.repaired]


@cache
def checked(derivation):
    return derivation.check(budget=10)


@pytest.mark.parametrize("id", HERE)
def test_the_printed_lines_stand_as_found(id):
    wrong = {(part, line.number): line.standing.value
             for part, report in enumerate(reports(id)[0], start=1)
             for line in report.walk()
             if line.standing in (Standing.FALSE, Standing.GAP, Standing.UNDECIDED)}
    assert wrong == FOUND.get(id, {})


@pytest.mark.parametrize("id", HERE)
def test_every_repaired_part_goes_through(id):
    printed, repaired = reports(id)
    if not repaired:
        repaired = printed
    for report in repaired:
        assert report.standing in (Standing.PROVED, Standing.CITED), str(report)


@pytest.mark.parametrize("id", [p.id for p in proofs()])
def test_what_a_proof_supports_rests_on_it(id):
    p = proof(id)
    assert p.supports or id not in HERE
    for supported in p.supports:
        assert claim(supported).derivation in p.derivations, supported


def test_where_a_printed_line_is_wrong_there_is_a_repair():
    for id in FOUND:
        assert proof(id).repaired, id


def test_neyman_and_pearson_are_proved_and_not_cited():
    """For all k, no rule has a larger shift than the set of the theorem; not one line is on trust."""
    parts = {report.derivation.title: report for report in reports("kov/sec-6.1")[1]}
    assert parts["No rule has more than the best set"].standing is Standing.PROVED
    assert parts["Other slopes add nothing"].standing is Standing.PROVED
    cited = [line.text for report in parts.values() for line in report.walk()
             if line.standing is Standing.CITED]
    assert not any("Neyman" in text for text in cited)


def test_a_proof_shows_its_printed_lines_typeset():
    shown = proof("note/thm-3.20")._repr_markdown_()
    assert shown.startswith("### The proof of advanced composition (Theorem 3.20)")
    places = [shown.index(text) for text in ("#### As printed", "As printed: the tail", "#### Repaired")]
    assert places == sorted(places)
    assert r"\sum_{i=1}^{k}" in shown
