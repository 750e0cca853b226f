"""Benchmarks and campaigns are run by hand: what they import of ours is still there."""

import ast
from importlib import import_module

import pytest
from places import BENCHMARKS


@pytest.mark.parametrize("path", sorted(BENCHMARKS.glob("*.py")), ids=lambda path: path.stem)
def test_what_it_imports_is_there(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "symdp":
            module = import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")


@pytest.mark.long
def test_the_way_of_a_claim_is_counted():
    found = import_module("claim_trace").trace("kov/sec-7.alon-spencer")
    assert {"kernel.proof", "search.prove", "report.page.page"} <= found.modules
    assert "symdp.kernel.proof.Proof" in found.types
