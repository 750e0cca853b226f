r"""Certificates: a goal with its proof or its counterexample, on disk. **Trusted.**

A certificate is JSON. Terms stand in one table, each row naming its arguments by their place further up, so
that nothing is nested deeply and nothing is written twice. ``statement`` is the goal as text; a reader
compares it with what the table says before anything else, so that what is shown is what is proved. Reading
runs no code and evaluates nothing; every size is bounded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flint import fmpq

from symdp.kernel import terms as t
from symdp.kernel.goals import DEEPEST, LARGEST, SORTS, Each, Formula, Goal, IllFormed, Relation
from symdp.kernel.points import Members, Point
from symdp.kernel.privacy import SUBJECTS, Private
from symdp.kernel.proof import Proof, Rejected, Step, verify
from symdp.kernel.terms import Term
from symdp.kernel.witness import Witness, refute

FORMAT = 2
LARGEST_FILE = 50_000_000
MOST_ROWS = 500_000
MOST_DIGITS = 4000
LONGEST_NAME = 200
#: How many names all rows together may use, each counted as often as it is used.
MOST_NAMES = 5_000_000


class BadCertificate(ValueError):
    """The certificate is malformed, or does not prove what it claims; the reason is one line."""


# --- writing ------------------------------------------------------------------------------------


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

    def formula(self, formula: Formula) -> Any:
        kind = formula_kind(formula)
        return {"is": kind.name, **kind.write(self, formula)}

    def value(self, value: Any) -> Any:
        """A parameter of a step."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, Term):
            return {"term": self.term(value)}
        if isinstance(value, Formula):
            return {"formula": self.formula(value)}
        if isinstance(value, (list, tuple)):
            return [self.value(v) for v in value]
        if isinstance(value, Mapping):
            return {"map": [[str(k), self.value(v)] for k, v in value.items()]}
        raise TypeError(f"{value!r} cannot be written to a certificate")

    def goal(self, goal: Goal) -> dict[str, Any]:
        return {
            "variables": [list(pair) for pair in goal.sorts],
            "families": [list(pair) for pair in goal.families],
            "hypotheses": [self.formula(h) for h in goal.hypotheses],
            "claim": self.formula(goal.claim),
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
        return ["number", rational_text(term.value)]
    if term.head in ("variable", "bound"):
        return [term.head, term.value]
    if term.head == "member":
        return ["member", term.value, *args]
    if term.head in t.BINDERS:
        return [term.head, term.hint, *args]
    return [term.head, *args]


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
            "values": {n: rational_text(v) for n, v in found.point.values.items()},
            "families": {n: {"table": [[i, rational_text(v)] for i, v in m.table.items()],
                             "default": rational_text(m.default)} for n, m in found.point.families.items()},
            "indices": list(found.point.indices),
        }
    else:
        document["steps"] = writer.steps(found.step)
        document["uses"] = {used: digest_of(g) for used, g in found.uses.items()}
        document["trust"] = trust_of(found)
    document["terms"] = writer.rows
    return document


def trust_of(proof: Proof) -> dict[str, list[str]]:
    """What a proof relies on, as it stands in its file."""
    return {"rules": sorted(proof.rules), "cites": sorted(map(str, proof.trust))}


def digest_of(goal: Goal) -> str:
    """A digest of the goal itself: equal goals have one, whatever file they stand in."""
    writer = Writer()
    said = writer.goal(goal)
    rows = [[row[0], *row[2:]] if row[0] in t.BINDERS else row for row in writer.rows]  # without hints
    return hashlib.sha256(json.dumps([said, rows]).encode()).hexdigest()


# --- kinds of formulas --------------------------------------------------------------------------


class RelationKind:
    name = "relation"

    @staticmethod
    def write(writer: Writer, formula: Any) -> dict[str, Any]:
        return {"left": writer.term(formula.left), "op": formula.op, "right": writer.term(formula.right)}

    @staticmethod
    def read(reader: Reader, row: Mapping[str, Any]) -> Formula:
        return Relation(reader.term(row["left"]), str(row["op"]), reader.term(row["right"]))


class EachKind:
    name = "each"

    @staticmethod
    def write(writer: Writer, formula: Any) -> dict[str, Any]:
        low, high = (None if e is None else writer.term(e) for e in (formula.low, formula.high))
        return {"low": low, "high": high, "body": writer.formula(formula.body)}

    @staticmethod
    def read(reader: Reader, row: Mapping[str, Any]) -> Formula:
        low, high = (None if row[key] is None else reader.term(row[key]) for key in ("low", "high"))
        body = reader.formula(row["body"])
        if not isinstance(body, Relation | Each):
            raise BadCertificate("a formula about every integer is malformed")
        return Each(low, high, body)


class PrivateKind:
    name = "private"

    @staticmethod
    def write(writer: Writer, formula: Any) -> dict[str, Any]:
        return {
            "subject": type(formula.subject).__name__,
            "parameters": {n: writer.value(v) for n, v in vars(formula.subject).items()},
            "totals": [writer.term(e) for e in (formula.fold, formula.epsilon, formula.delta)],
            "ends": [[writer.term(e) for e in end] for end in formula.ends],
        }

    @staticmethod
    def read(reader: Reader, row: Mapping[str, Any]) -> Formula:
        kind = SUBJECTS[str(row["subject"])]
        given = {str(n): reader.value(v) for n, v in row["parameters"].items()}
        subject = kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in given.items()})
        fold, epsilon, delta = (reader.term(e) for e in row["totals"])
        ends = tuple((reader.term(v), reader.term(a)) for v, a in row["ends"])
        return Private(subject, fold, epsilon, delta, ends)


#: class of formula -> how it is written and read; rooms with formulas of their own add to it
KINDS: dict[type, Any] = {Relation: RelationKind, Each: EachKind, Private: PrivateKind}


def formula_kind(formula: Formula) -> Any:
    return KINDS[type(formula)]


# --- reading ------------------------------------------------------------------------------------


class Reader:
    """Terms, formulas, goals and steps from the parts of a document."""

    def __init__(self, rows: Any) -> None:
        if not isinstance(rows, list) or len(rows) > MOST_ROWS:
            raise BadCertificate(f"the terms are no list of at most {MOST_ROWS} rows")
        self._terms: list[Term] = []
        self.nodes = names = 0
        for row in rows:
            found = self._read(row)
            names += len(found.variables) + len(found.families)
            if found.depth > DEEPEST or found.size > LARGEST or names > MOST_NAMES:
                raise BadCertificate("a term is nested too deeply or too large, or there are too many names")
            self._terms.append(found)
        #: how many nodes the terms have that were asked for since
        self.nodes = 0

    def _read(self, row: Any) -> Term:
        if not isinstance(row, list) or not row or not isinstance(row[0], str):
            raise BadCertificate("a row of the terms is malformed")
        head, *rest = row
        if head == "number":
            return t.number(rational_from(rest[0]))
        if head == "variable":
            return t.variable(name_from(rest[0]))
        if head == "bound":
            if type(rest[0]) is not int or not 0 <= rest[0] < DEEPEST:
                raise BadCertificate("an index is malformed")
            return t.bound(rest[0])
        if head in t.CONSTANTS:
            return t.constant(head)
        if head == "member":
            return t.member(name_from(rest[0]), *(self.term(i) for i in rest[1:]))
        if head in t.BINDERS:
            low, high, body = (self.term(i) for i in rest[1:])
            return t.binder(head, low, high, body, name_from(rest[0]))
        if head in t.OPERATIONS or head in t.FUNCTIONS:
            return t.apply(head, *(self.term(i) for i in rest))
        raise BadCertificate(f"there is no operation {head[:40]!r}")

    def term(self, place: Any) -> Term:
        if type(place) is not int or not 0 <= place < len(self._terms):
            raise BadCertificate("a term refers to a row that does not stand above it")
        self.nodes += self._terms[place].size
        return self._terms[place]

    def formula(self, row: Any, depth: int = 0) -> Formula:
        if not isinstance(row, dict) or depth > DEEPEST:
            raise BadCertificate("a formula is malformed")
        for kind in KINDS.values():
            if kind.name == row.get("is"):
                return kind.read(self, row)  # type: ignore[no-any-return]
        raise BadCertificate(f"there is no formula of the kind {str(row.get('is'))[:40]!r}")

    def goal(self, row: Any) -> Goal:
        pairs = [tuple((name_from(n), sort_from(s)) for n, s in row[key]) for key in ("variables", "families")]
        hypotheses = tuple(self.formula(h) for h in row["hypotheses"])
        return Goal(pairs[0], hypotheses, self.formula(row["claim"]), pairs[1])

    def value(self, value: Any, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise BadCertificate("a parameter is nested too deeply")
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, list):
            return [self.value(v, depth + 1) for v in value]
        if isinstance(value, dict) and len(value) == 1:
            ((kind, content),) = value.items()
            if kind == "term":
                return self.term(content)
            if kind == "formula":
                return self.formula(content)
            if kind == "map":
                return {str(k): self.value(v, depth + 1) for k, v in content}
        raise BadCertificate("a parameter is malformed")

    def steps(self, rows: Any) -> Step:
        """The step that a list of rows stands for; each supports one other, so that no tree explodes."""
        if not isinstance(rows, list) or not 0 < len(rows) <= MOST_ROWS:
            raise BadCertificate(f"there must be between 1 and {MOST_ROWS} steps")
        built: list[Step] = []
        used: set[int] = set()
        for row in rows:
            if not isinstance(row, list) or len(row) != 3 or not isinstance(row[1], dict):
                raise BadCertificate(f"step {len(built)} is malformed")
            rule, parameters, premises = row
            if not isinstance(rule, str) or not isinstance(premises, list) or any(
                    type(i) is not int or not 0 <= i < len(built) or i in used for i in premises):
                raise BadCertificate(f"step {len(built)} names a premise that is not an earlier step")
            used.update(premises)
            values = {str(k): self.value(v) for k, v in parameters.items()}
            built.append(Step(rule, values, tuple(built[i] for i in premises)))
        if len(used) != len(built) - 1:
            raise BadCertificate("a step supports nothing")
        return built[-1]


def rational_text(value: fmpq) -> str:
    return f"{int(value.p)}/{int(value.q)}"


def rational_from(text: Any) -> fmpq:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not text.isascii():
        raise BadCertificate("a number is malformed")
    p, _, q = text.partition("/")
    if not p.removeprefix("-").isdigit() or not (q or "1").isdigit() or int(q or "1") == 0:
        raise BadCertificate("a number is malformed")
    return fmpq(int(p), int(q or "1"))


def name_from(text: Any) -> str:
    """A name, of signs that a reader can tell from the rest of a formula."""
    if not isinstance(text, str) or not text.isidentifier() or len(text) > LONGEST_NAME:
        raise BadCertificate(f"{str(text)[:40]!r} is no name")
    for sign in text:
        if not sign.isascii():  # it may look like another one
            raise BadCertificate(f"the name {text!r} has the sign U+{ord(sign):04X} in it; write letters a to z")
    if text in t.CONSTANTS:
        raise BadCertificate(f"{text!r} is the name of something else")
    return text


def sort_from(text: Any) -> str:
    if text not in SORTS:
        raise BadCertificate(f"{str(text)[:40]!r} is neither real nor integer")
    return str(text)


def recheck(document: Any, claims: Mapping[str, Goal] | None = None) -> Proof | Witness:
    """The proof or counterexample of a certificate, verified from scratch; BadCertificate otherwise.

    ``claims`` are the goals, already proved, that the proof may use by their ids.
    """
    from symdp.kernel import every_rule  # noqa: F401 - kinds of formulas register themselves with their rules

    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadCertificate(f"this is no certificate of format {FORMAT}; write it anew with this version")
    if ("steps" in document) == ("witness" in document):
        raise BadCertificate("a certificate has either steps or a witness")
    try:
        reader = Reader(document.get("terms"))
        goal, statement = reader.goal(document["goal"]), document.get("statement")
        if not isinstance(statement, str) or reader.nodes > 2 * len(statement) + 1000:
            raise BadCertificate("the statement does not show all of its goal")  # every node has a sign of its own
        if statement != str(goal) or document.get("digest") != digest_of(goal):
            raise BadCertificate("the statement or the digest is not that of its goal")
        if "witness" in document:
            at = document["witness"]
            values = {name_from(n): rational_from(v) for n, v in at["values"].items()}
            families = {name_from(n): Members({int(i): rational_from(v) for i, v in m["table"]},
                                              rational_from(m["default"]))
                        for n, m in at.get("families", {}).items()}
            return refute(goal, Point(values, families, indices=tuple(at.get("indices", ()))))
        uses, known = document.get("uses", {}), claims or {}
        if not isinstance(uses, dict):
            raise BadCertificate("what is used is malformed")
        for used, digest in uses.items():
            if used in known and digest_of(known[used]) != digest:
                raise BadCertificate(f"{used[:80]} says something else now")
        proof = verify(goal, reader.steps(document["steps"]), {u: known[u] for u in uses if u in known})
        if document.get("trust", trust_of(proof)) != trust_of(proof):
            raise BadCertificate("what it says it relies on is not what its steps use")
        return proof
    except (Rejected, IllFormed) as reason:
        raise BadCertificate(str(reason)) from reason
    except BadCertificate:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError,
            RecursionError) as reason:
        raise BadCertificate(f"malformed: {type(reason).__name__}: {str(reason)[:120]}") from reason


# --- files --------------------------------------------------------------------------------------


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two claims, another reader may show the other one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def read_document(path: Path) -> Any:
    """The JSON document in a file, with its size bounded."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadCertificate(f"larger than {LARGEST_FILE} bytes")
        return json.loads(path.read_bytes(), object_pairs_hook=_once)
    except OSError as reason:
        raise BadCertificate(f"cannot be read: {reason.strerror}") from reason
    except (ValueError, RecursionError) as reason:
        raise BadCertificate(f"not JSON: {str(reason)[:120]}") from reason


def write_document(document: Mapping[str, Any], path: Path) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(document, indent=None, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(path)  # nothing half-written is ever seen under the final name
