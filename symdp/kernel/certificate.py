r"""Certificates: a goal with its proof or its counterexample, on disk. **Trusted.**

A certificate is JSON. Terms stand in one table, each row naming its arguments by their place further up, so
that nothing is nested deeply and nothing is written twice. ``statement`` is the goal as text; a reader
compares it with what the table says before anything else, so that what is shown is what is proved. Reading
runs no code and evaluates nothing; every size is bounded. Who writes certificates is not trusted
(:mod:`symdp.search.certificates`).
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from flint import fmpq

from symdp.kernel import goals
from symdp.kernel import terms as t
from symdp.kernel.goals import DEEPEST, LARGEST, MIRROR, STATED, Formula, Goal, Stated
from symdp.kernel.proof import Proof, Step, verify
from symdp.kernel.terms import Term
from symdp.kernel.values.points import Members, Point
from symdp.kernel.witness import Witness, refute

FORMAT = 4
LARGEST_FILE, MOST_ROWS, MOST_DIGITS, LONGEST_NAME = 50_000_000, 500_000, 4000, 200
#: How many names all rows together may use, each counted as often as it is used.
MOST_NAMES = 5_000_000


class BadCertificate(goals.Refusal, ValueError):
    """The certificate is malformed, or does not prove what it claims; the reason is one line."""


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
        BadCertificate.unless(isinstance(row, list) and row and isinstance(row[0], str), "a row is malformed")
        head, *rest = row
        if head == "number":
            return t.number(rational_from(rest[0]))
        if head == "variable":
            return t.variable(name_from(rest[0]))
        if head == "bound":
            BadCertificate.unless(type(rest[0]) is int and 0 <= rest[0] < DEEPEST, "an index is malformed")
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

    def stated(self, row: Any, depth: int = 0) -> Stated:
        """A formula, or a part of one: the name of its kind, and what its fields are declared to hold."""
        BadCertificate.unless(isinstance(row, dict) and depth <= DEEPEST, "a formula is malformed")
        kind = STATED.get(row.get("is", ""))
        if kind is None:
            raise BadCertificate(f"there is no formula of the kind {str(row.get('is'))[:40]!r}")
        hints, names = get_type_hints(kind), [f.name for f in fields(kind) if f.compare]  # type: ignore[arg-type]
        BadCertificate.unless(row.keys() == {"is", *names}, "a formula has other parts than its kind")
        return kind(**{n: self._declared(hints[n], row[n], depth + 1) for n in names})

    def _declared(self, hint: Any, value: Any, depth: int) -> Any:
        """A value of the type that a field is declared to have."""
        allowed = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if get_origin(hint) is tuple and isinstance(value, list):
            inner = get_args(hint)
            each = inner[:1] * len(value) if inner[1:] == (...,) else inner
            return tuple(self._declared(h, v, depth) for h, v in zip(each, value, strict=True))
        if hint is Goal:
            return self.goal(value, depth)
        if hint is str:
            return word_from(value)
        if value is None and NoneType in allowed:
            return None
        found = self.term(value) if Term in allowed else self.stated(value, depth)
        BadCertificate.unless(isinstance(found, allowed), "a part of a formula is of another kind than it should be")
        return found

    def goal(self, row: Any, depth: int = 0) -> Goal:
        pairs = [tuple((name_from(n), str(s)) for n, s in row[key]) for key in ("variables", "families")]
        hypotheses = self._declared(tuple[Formula, ...], row["hypotheses"], depth)
        return Goal(pairs[0], hypotheses, self._declared(Formula, row["claim"], depth), pairs[1])

    def value(self, value: Any, depth: int = 0) -> Any:
        BadCertificate.unless(depth <= DEEPEST, "a parameter is nested too deeply")
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, list):
            return [self.value(v, depth + 1) for v in value]
        if isinstance(value, dict) and len(value) == 1:
            ((kind, content),) = value.items()
            if kind == "term":
                return self.term(content)
            if kind == "formula":
                return self.stated(content)
            if kind == "map":
                return {str(k): self.value(v, depth + 1) for k, v in content}
        raise BadCertificate("a parameter is malformed")

    def steps(self, rows: Any) -> Step:
        """The step that a list of rows stands for; each supports one other, so that no tree explodes."""
        BadCertificate.unless(isinstance(rows, list) and 0 < len(rows) <= MOST_ROWS, f"not 1 to {MOST_ROWS} steps")
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
        BadCertificate.unless(len(used) == len(built) - 1, "a step supports nothing")
        return built[-1]


def rational_from(text: Any) -> fmpq:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", text):
        raise BadCertificate("a number is malformed")
    return fmpq(*map(int, text.split("/")))


def name_from(text: Any) -> str:
    """A name, of signs that a reader can tell from the rest of a formula."""
    if not isinstance(text, str) or not text.isidentifier() or len(text) > LONGEST_NAME:
        raise BadCertificate(f"{str(text)[:40]!r} is no name")
    for sign in text:
        if not sign.isascii():  # it may look like another one
            raise BadCertificate(f"the name {text!r} has the sign U+{ord(sign):04X} in it; write letters a to z")
    BadCertificate.unless(text not in t.CONSTANTS, f"{text!r} is the name of something else")
    return text


def word_from(text: Any) -> str:
    """A name, or the sign of a relation."""
    return text if isinstance(text, str) and text in (*MIRROR, "~") else name_from(text)


def digest_of(goal: Goal) -> str:
    """A digest of what is shown of the goal, which is all that it says."""
    return hashlib.sha256(str(goal).encode()).hexdigest()


def trust_of(proof: Proof) -> dict[str, list[str]]:
    """What a proof relies on, as it stands in its file."""
    return {"rules": sorted(proof.rules), "cites": sorted(map(str, proof.trust))}


def recheck(document: Any, claims: Mapping[str, Goal] | None = None) -> Proof | Witness:
    """The proof or counterexample of a certificate, verified from scratch; BadCertificate otherwise.

    ``claims`` are the goals, already proved, that the proof may use by their ids.
    """
    from symdp.kernel.rules import every_rule  # noqa: F401 - kinds of formulas are known with their rules

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
                                              rational_from(m["default"])) for n, m in at.get("families", {}).items()}
            return refute(goal, Point(values, families, indices=tuple(at.get("indices", ()))))
        uses, known = document.get("uses", {}), claims or {}
        BadCertificate.unless(isinstance(uses, dict), "what is used is malformed")
        for used, digest in uses.items():
            if used in known and digest_of(known[used]) != digest:
                raise BadCertificate(f"{used[:80]} says something else now")
        proof = verify(goal, reader.steps(document["steps"]), {u: known[u] for u in uses if u in known})
        if document.get("trust", trust_of(proof)) != trust_of(proof):
            raise BadCertificate("what it says it relies on is not what its steps use")
        return proof
    except goals.Refusal as reason:
        raise BadCertificate(str(reason)) from reason
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as reason:
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
        # a pipe has no end
        BadCertificate.unless(path.stat().st_size <= LARGEST_FILE and path.is_file(), "no file, or one too large")
        return json.loads(path.read_bytes(), object_pairs_hook=_once)
    except OSError as reason:
        raise BadCertificate(f"cannot be read: {reason.strerror}") from reason
    except (ValueError, RecursionError) as reason:
        raise BadCertificate(f"not JSON: {str(reason)[:120]}") from reason
