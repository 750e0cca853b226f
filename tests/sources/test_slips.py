"""Slips: every claim that fails has one, each claim one at most, and what the text may have lost has its original."""

import json
import zipfile

import pytest

from symdp.audit import shipped
from symdp.audit.record import SUFFIX, path_of
from symdp.audit.settling.dispatch import settle
from symdp.search.verdict import Status
from symdp.sources.registry import claims, statement
from symdp.sources.slips import slip_of, slips
from symdp.sources.statement import Comparison, Identity, Inequality

KNOWN = {c.id: c for c in claims()}
FORMULAS = (Inequality, Comparison, Identity)


def test_each_claim_has_one_slip_at_most_and_is_printed():
    named = [id for slip in slips() for id in slip.claims]
    assert len(named) == len(set(named))
    assert len({slip.name for slip in slips()}) == len(slips())
    for id in named:
        assert KNOWN[id].role == "printed", id


def test_the_fields_of_a_claim_say_it():
    for slip in slips():
        assert slip.provenance in ("authors", "extraction")
        for id in slip.claims:
            assert KNOWN[id].provenance == slip.provenance
    assert KNOWN["kov/thm-3.4.log-branch"].page == "8"
    assert KNOWN["icml/thm-3.3.region"].page == "4"
    assert KNOWN["kov/thm-3.1"].provenance == "authors"


@pytest.mark.parametrize("slip", [s for s in slips() if s.provenance == "extraction"], ids=lambda s: s.name)
def test_what_the_text_may_have_lost_has_the_likely_original_beside_it(slip):
    assert not slip.counts
    for id in slip.claims:
        assert statement(id).improvement_of(KNOWN[id], "corrected") is not None, id


def test_everything_that_failed_in_the_last_audit_has_a_slip():
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        names = set(archive.namelist())
        for id, claim in KNOWN.items():
            name = path_of(shipped.ARCHIVE.parent, id).with_suffix(SUFFIX).name
            if name not in names or claim.role != "printed":
                continue
            data = json.loads(archive.read(name))["data"]
            if data["verdict"] == "refuted" or data.get("against"):
                assert slip_of(id) is not None, id


NAMED = [c for c in KNOWN.values() if c.fails_at and c.task == "decide" and isinstance(c, FORMULAS)]


@pytest.mark.parametrize("claim", NAMED, ids=lambda c: c.id)
def test_a_claim_fails_at_the_point_that_is_named(claim):
    verdict = settle(claim)
    assert verdict.status is Status.REFUTED
    assert dict(verdict.witness.point) == dict(claim.fails_at)


def degenerate(point):
    """A delta or a slack of 1, an epsilon of 0: points of which no sentence speaks."""
    return any((value == "1" and name in ("delta", "delta_0", "slack")) or (value == "0" and name in ("eps", "eps_0"))
               for name, value in point.items())


def test_no_degenerate_point_is_sold_as_a_refutation():
    """Where a claim fails elsewhere too, the witness is such a point; where it does not, its slip says so."""
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        names = set(archive.namelist())
        for id, claim in KNOWN.items():
            name = path_of(shipped.ARCHIVE.parent, id).with_suffix(SUFFIX).name
            data = json.loads(archive.read(name))["data"] if name in names else {}
            if data.get("verdict") != "refuted" or "ratio" in data["witness"]:  # a regime has no point
                continue
            point = {str(v): str(e) for v, e in claim.fails_at.items()} or data["witness"]
            assert not degenerate(point) or slip_of(id).meant.startswith("degenerate"), id


def test_one_slip_with_its_consequences_is_one_finding():
    coin = slip_of("kov/thm-5.1.simultaneous")
    assert coin is slip_of("kov/eq-40.dp")
    assert coin.counts
    assert len(coin.claims) == 9
    assert not slip_of("note/thm-3.20.monotone").counts  # degenerate, and true as meant
    assert not slip_of("note/thm-3.20.tail").counts
