"""Every claim of the catalogue is in the literature, with its kind and its task."""

import tomllib
from importlib.resources import files

import pytest
from places import SHARED

from symdp.sources.registry import claims

CATALOGUE = SHARED / "claims.toml"


def catalogue() -> dict[str, tuple[str, str]]:
    text = files("symdp.literature").joinpath("catalogue.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {id: (kind, task) for id, kind, task in rows}


def test_the_copy_is_the_catalogue():
    if not CATALOGUE.exists():
        pytest.skip("the shared folder is not here")
    shared = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))["claim"]
    assert {c["id"]: (c["kind"], c["task"]) for c in shared} == catalogue()


def test_every_claim_is_encoded():
    known = {c.id for c in claims()}
    assert sorted(set(catalogue()) - known) == []


def test_kinds_and_tasks_are_those_of_the_catalogue():
    listed = catalogue()
    for c in claims():
        if c.id in listed:
            assert (c.kind, c.task) == listed[c.id], c.id


def test_what_is_corrected_or_sharper_says_why():
    for c in claims():
        if c.role != "printed":
            assert c.because, c.id
            assert c.improves is not None, c.id
