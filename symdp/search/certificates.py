r"""Certificates, as they are written: nothing here is trusted, since whoever reads one checks it.

>>> from symdp.kernel.certificate import recheck
>>> from symdp.search.prove import check
>>> print(recheck(document_of(check("exp(x) >= 1 + x").formal)).goal)
exp(x) >= 1 + x for every real x
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from flint import fmpq

from symdp.kernel.certificate import FORMAT, digest_of, trust_of
from symdp.kernel.goals import Goal, Stated
from symdp.kernel.proof import Proof, Step
from symdp.kernel.terms import BINDERS, Term
from symdp.kernel.witness import Witness
from symdp.outgoing import begins, write


class Writer:
    """Puts terms into the table, and everything else into JSON that refers to it."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._places: dict[Term, int] = {}

    def term(self, term: Term) -> int:
        stack = [term]
        while stack:
            current = stack[-1]
            missing = [a for a in current.args if a not in self._places]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if current not in self._places:
                self._places[current] = len(self.rows)
                self.rows.append(_row(current, [self._places[a] for a in current.args]))
        return self._places[term]

    def stated(self, stated: Stated) -> Any:
        """A formula, or a part of one, field by field."""
        held = {f.name: getattr(stated, f.name) for f in fields(stated) if f.compare}  # type: ignore[arg-type]
        return {"is": type(stated).__name__.lower(), **{n: self._held(v) for n, v in held.items()}}

    def _held(self, value: Any) -> Any:
        if isinstance(value, Term):
            return self.term(value)
        if isinstance(value, Stated):
            return self.stated(value)
        if isinstance(value, Goal):
            return self.goal(value)
        return [self._held(v) for v in value] if isinstance(value, tuple) else value

    def value(self, value: Any) -> Any:
        """A parameter of a step."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, Term):
            return {"term": self.term(value)}
        if isinstance(value, Stated):
            return {"formula": self.stated(value)}
        if isinstance(value, (list, tuple)):
            return [self.value(v) for v in value]
        if isinstance(value, Mapping):
            return {"map": [[str(k), self.value(v)] for k, v in value.items()]}
        raise TypeError(f"{value!r} cannot be written to a certificate")

    def goal(self, goal: Goal) -> dict[str, Any]:
        return {
            "variables": [list(pair) for pair in goal.sorts],
            "families": [list(pair) for pair in goal.families],
            "hypotheses": [self.stated(h) for h in goal.hypotheses],
            "claim": self.stated(goal.claim),
        }

    def steps(self, root: Step) -> list[list[Any]]:
        """``[rule, parameters, premises]`` with every premise before what it supports; the root is last."""
        rows: list[list[Any]] = []
        stack: list[tuple[Step, list[int]]] = [(root, [])]
        while stack:
            step, places = stack[-1]
            if len(places) < len(step.premises):
                stack.append((step.premises[len(places)], []))
                continue
            stack.pop()
            rows.append([step.rule, {k: self.value(v) for k, v in step.parameters.items()}, places])
            if stack:
                stack[-1][1].append(len(rows) - 1)
        return rows


def _row(term: Term, args: list[int]) -> list[Any]:
    if term.head == "number":
        return ["number", _rational_text(term.value)]
    if term.head in ("variable", "bound"):
        return [term.head, term.value]
    if term.head == "member":
        return ["member", term.value, *args]
    if term.head in BINDERS:
        return [term.head, term.hint, *args]
    return [term.head, *args]


def _rational_text(value: fmpq) -> str:
    return f"{int(value.p)}/{int(value.q)}"


def document_of(found: Proof | Witness, name: str = "", **further: Any) -> dict[str, Any]:
    """The certificate of a proof or of a counterexample, as a JSON document."""
    writer = Writer()
    goal = writer.goal(found.goal)
    document: dict[str, Any] = {
        "format": FORMAT, "name": name, "statement": str(found.goal), "digest": digest_of(found.goal),
        **further, "goal": goal,
    }
    if isinstance(found, Witness):
        document["witness"] = {
            "values": {n: _rational_text(v) for n, v in found.point.values.items()},
            "families": {n: {"table": [[i, _rational_text(v)] for i, v in m.table.items()],
                             "default": _rational_text(m.default)} for n, m in found.point.families.items()},
            "indices": list(found.point.indices),
        }
    else:
        document["steps"] = writer.steps(found.step)
        document["uses"] = {used: digest_of(g) for used, g in found.uses.items()}
        document["trust"] = trust_of(found)
    document["terms"] = writer.rows
    return document


def write_document(document: Mapping[str, Any], path: Path) -> None:
    """Write a certificate; what lies there already is replaced if it is one."""
    write(path, json.dumps(document, indent=None, ensure_ascii=False) + "\n", ours=begins('{"format": '))
