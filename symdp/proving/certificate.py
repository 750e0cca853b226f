r"""Certificates: a proof or a witness on disk, that a stranger can check again. **Trusted.**

A certificate is JSON: the claim and its domain as text, a digest of both, and either a point or a
proof as a list of steps, each naming its premises by their place in the list. Reading one runs no
code: every expression goes through the parser or a table of known functions, sizes are bounded, and
the steps are verified by the kernel like any others.

>>> from symdp.proving import check
>>> verdict = check("exp(x) >= 1 + x")
>>> document = certificate_of(verdict.proof)
>>> recheck(document).goal == verdict.proof.goal
True
>>> recheck({**document, "claim": "exp(x) >= 2 + x"})
Traceback (most recent call last):
...
symdp.proving.certificate.BadCertificate: the digest does not belong to this claim and domain
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import sympy
from sympy import Expr, Integer, Rational, Symbol

from symdp.domain import Domain, DomainError, Interval
from symdp.insertion import MOST_BITS, Overgrown, bits_of, put
from symdp.notation import Phi, symbol
from symdp.parsing import ParseError, parse_expression, parse_name, parse_relation, to_text
from symdp.proving.kernel import Goal, Proof, Rejected, Step, Witness, refute, verify
from symdp.relation import Relation

FORMAT = 1
LARGEST_FILE = 50_000_000
MOST_STEPS = 200_000
DEEPEST = 200


class BadCertificate(ValueError):
    """The certificate is malformed, or does not prove what it claims; the reason is one line."""


# --- writing ----------------------------------------------------------------------------------------


def certificate_of(found: Proof | Witness, name: str = "") -> dict[str, Any]:
    """The certificate of a proof or a witness, as a JSON document."""
    goal = found.goal
    statement = _statement(goal)
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        **statement,
        "digest": _digest(statement),
        "versions": versions(),
    }
    if isinstance(found, Witness):
        document["trust"] = ["Arb"]
        document["witness"] = {str(v): to_text(u) for v, u in found.point.items()}
    else:
        document["trust"] = sorted(found.trust)
        document["steps"] = rows_of(found.step)
    return document


def versions() -> dict[str, str]:
    return {p: version(p) for p in ("symdp", "sympy", "python-flint", "z3-solver")}


def write_document(document: dict[str, Any], path: Path) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False)
    partial = path.with_suffix(".partial")
    partial.write_text(text + "\n", encoding="utf-8")
    partial.replace(path)  # nothing half-written is ever seen under the final name


def _statement(goal: Goal) -> dict[str, Any]:
    return {
        "claim": f"{to_text(goal.left)} {goal.op} {to_text(goal.right)}",
        "where": [str(r) for r in goal.domain.relations()],
        "variables": [str(v) for v in goal.domain.variables],
        "integer": sorted(str(v) for v in goal.domain.integers),
    }


def _digest(statement: dict[str, Any]) -> str:
    text = json.dumps({k: statement[k] for k in ("claim", "where", "variables", "integer")})
    return hashlib.sha256(text.encode()).hexdigest()


def rows_of(root: Step) -> list[dict[str, Any]]:
    """The steps with every premise before what it supports; the root comes last."""
    rows: list[dict[str, Any]] = []
    # (step, the places of its premises so far); one object may support two others, hence a tree walk
    stack: list[tuple[Step, list[int]]] = [(root, [])]
    while stack:
        step, places = stack[-1]
        if len(places) < len(step.premises):
            stack.append((step.premises[len(places)], []))
            continue
        stack.pop()
        parameters = {k: encode(v) for k, v in step.parameters.items()}
        rows.append({"rule": step.rule, "parameters": parameters, "premises": places})
        if stack:
            stack[-1][1].append(len(rows) - 1)
    return rows


def encode(value: Any) -> Any:
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if isinstance(value, Interval):
        return {"interval": [encode(value.lower), encode(value.upper),
                             value.lower_open, value.upper_open]}
    if isinstance(value, Relation):
        return {"relation": [encode(value.left), value.op, encode(value.right)]}
    if isinstance(value, Domain):
        return {
            "domain": {
                "intervals": [[str(v), encode(i)] for v, i in value.intervals.items()],
                "integers": sorted(str(v) for v in value.integers),
                "conditions": [encode(c) for c in value.conditions],
            }
        }
    if isinstance(value, Expr):
        return _encode_expression(value)
    raise TypeError(f"{value!r} cannot be written to a certificate")


def _encode_expression(expr: Expr) -> Any:
    if expr in (sympy.oo, -sympy.oo):
        return {"infinity": 1 if expr == sympy.oo else -1}
    try:
        text = to_text(expr)
        if parse_expression(text) == expr:
            return {"e": text}
    except (ParseError, TypeError):
        pass
    return {"tree": _tree(expr)}


# --- reading ----------------------------------------------------------------------------------------

_BUILDERS: dict[str, Callable[..., Expr]] = {
    "Add": sympy.Add, "Mul": sympy.Mul, "Pow": sympy.Pow, "exp": sympy.exp, "log": sympy.log,
    "sinh": sympy.sinh, "cosh": sympy.cosh, "tanh": sympy.tanh, "sin": sympy.sin, "cos": sympy.cos,
    "erf": sympy.erf, "erfc": sympy.erfc, "Phi": Phi, "gamma": sympy.gamma,
    "loggamma": sympy.loggamma, "binomial": sympy.binomial,
    "Abs": lambda u: sympy.Abs(u, evaluate=False),
    "floor": lambda u: sympy.floor(u, evaluate=False),
    "Min": lambda *us: sympy.Min(*us, evaluate=False),
    "Max": lambda *us: sympy.Max(*us, evaluate=False),
}


def _tree(expr: Expr) -> Any:
    if expr.is_Symbol:
        return {"v": str(expr.name)}
    if expr.is_Rational:
        return f"{expr.p}/{expr.q}"
    if expr in (sympy.E, sympy.pi):
        return "e" if expr is sympy.E else "pi"
    name = type(expr).__name__
    if name not in _BUILDERS:
        raise TypeError(f"{expr} cannot be written to a certificate")
    return [name, *(_tree(a) for a in expr.args)]


def _from_tree(tree: Any, depth: int = 0) -> Expr:
    if depth > DEEPEST:
        raise BadCertificate("an expression is nested too deeply")
    if isinstance(tree, dict) and set(tree) == {"v"}:
        return name_of(tree["v"])
    if tree == "e":
        return sympy.E
    if tree == "pi":
        return sympy.pi
    if isinstance(tree, str):
        p, _, q = tree.partition("/")
        if len(tree) > 5000 or not p.lstrip("-").isascii() or not q.isascii():
            raise BadCertificate("a number is malformed")
        if int(q) == 0:
            raise BadCertificate("a number is malformed")
        return Rational(int(p), int(q))
    if isinstance(tree, list) and tree and tree[0] in _BUILDERS and len(tree) <= 1000:
        arguments = [_from_tree(t, depth + 1) for t in tree[1:]]
        places = sympy.symbols(f"place0:{len(arguments)}")
        try:  # SymPy evaluates what it builds, so its size is looked at first
            if tree[0] in ("Add", "Mul", "Abs", "floor", "Min", "Max"):
                if bits_of(arguments) > MOST_BITS:
                    raise Overgrown
                built = _BUILDERS[tree[0]](*arguments)
            else:
                built = put(_BUILDERS[tree[0]](*places), dict(zip(places, arguments, strict=True)))
            if built.has(sympy.I, sympy.zoo, sympy.nan, sympy.oo):
                raise BadCertificate("a part of an expression is not a real number")
            return built
        except Overgrown as reason:
            raise BadCertificate("a number is too large to be written out") from reason
    raise BadCertificate("an expression is malformed")


def name_of(text: Any) -> Symbol:
    if not isinstance(text, str):
        raise BadCertificate("a variable is not text")
    found = parse_name(text)
    return symbol(str(found.name))


def decode(value: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise BadCertificate("a parameter is nested too deeply")
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, list):
        return [decode(v, depth + 1) for v in value]
    if not isinstance(value, dict) or len(value) != 1:
        raise BadCertificate("a parameter is malformed")
    ((kind, content),) = value.items()
    if kind == "e" and isinstance(content, str):
        return parse_expression(content)
    if kind == "tree":
        return _from_tree(content)
    if kind == "infinity" and content in (1, -1):
        return sympy.oo if content == 1 else -sympy.oo
    if kind == "interval" and isinstance(content, list) and len(content) == 4:
        lower, upper = decode(content[0]), decode(content[1])
        return Interval(lower, upper, content[2] is True, content[3] is True)
    if kind == "relation" and isinstance(content, list) and len(content) == 3:
        return Relation(decode(content[0]), content[1], decode(content[2]))
    if kind == "domain" and isinstance(content, dict):
        return Domain(
            {name_of(v): decode(i) for v, i in content["intervals"]},
            frozenset(name_of(v) for v in content["integers"]),
            tuple(decode(c) for c in content["conditions"]),
        )
    raise BadCertificate(f"a parameter of the unknown kind {str(kind)[:40]!r}")


def steps_from(rows: Any) -> Step:
    """The step that a list of rows stands for, its premises built first."""
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_STEPS:
        raise BadCertificate(f"there must be between 1 and {MOST_STEPS} steps")
    built: list[Step] = []
    used: set[int] = set()
    for row in rows:
        if not isinstance(row, dict) or set(row) != {"rule", "parameters", "premises"}:
            raise BadCertificate(f"step {len(built)} is malformed")
        rule, parameters, premises = row["rule"], row["parameters"], row["premises"]
        if not isinstance(rule, str) or not isinstance(parameters, dict):
            raise BadCertificate(f"step {len(built)} is malformed")
        if not isinstance(premises, list) or any(
            type(i) is not int or not 0 <= i < len(built) or i in used for i in premises
        ):
            raise BadCertificate(f"step {len(built)} names a premise that is not an earlier step")
        used.update(premises)  # each step supports one other: a tree cannot explode
        values = {k: decode(v) for k, v in parameters.items()}
        built.append(Step(rule, values, tuple(built[i] for i in premises)))
    if len(used) != len(built) - 1:
        raise BadCertificate("a step supports nothing")
    return built[-1]


def _goal(document: dict[str, Any]) -> Goal:
    for key, kind in (("claim", str), ("where", list), ("variables", list), ("integer", list)):
        if not isinstance(document.get(key), kind):
            raise BadCertificate(f"{key!r} is missing or malformed")
    if document.get("digest") != _digest(document):
        raise BadCertificate("the digest does not belong to this claim and domain")
    relation = parse_relation(document["claim"])
    conditions = [parse_relation(text) for text in document["where"]]
    names = [name_of(v) for v in document["variables"]]
    integers = [name_of(v) for v in document["integer"]]
    return Goal.of(relation, Domain.of(conditions, integers, names))


def recheck(document: Any) -> Proof | Witness:
    """The proof or witness of a certificate, verified from scratch; BadCertificate otherwise."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadCertificate(f"this is no certificate of format {FORMAT}")
    if ("steps" in document) == ("witness" in document):
        raise BadCertificate("a certificate has either steps or a witness")
    try:
        goal = _goal(document)
        if "witness" in document:
            return refute(goal, point_from(document["witness"]))
        return verify(goal, steps_from(document["steps"]))
    except BadCertificate:
        raise
    except (ParseError, DomainError, Rejected) as reason:
        raise BadCertificate(str(reason)) from reason
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as reason:
        raise BadCertificate(f"malformed: {type(reason).__name__}: {str(reason)[:120]}") from reason


def point_from(witness: Any) -> dict[Symbol, Expr]:
    if not isinstance(witness, dict):
        raise BadCertificate("the witness is malformed")
    point = {}
    for name, text in witness.items():
        value = parse_expression(text) if isinstance(text, str) else Integer(0)
        if not value.is_Rational or not isinstance(text, str):
            raise BadCertificate(f"the witness for {str(name)[:40]} is not a rational number")
        point[name_of(name)] = value
    return point


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two claims, another reader may show the other one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def read_certificate(path: Path) -> Any:
    """The JSON document in a file, with its size bounded."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadCertificate(f"larger than {LARGEST_FILE} bytes")
        return json.loads(path.read_bytes(), object_pairs_hook=_once)
    except OSError as reason:
        raise BadCertificate(f"cannot be read: {reason.strerror}") from reason
    except (ValueError, RecursionError) as reason:
        raise BadCertificate(f"not JSON: {str(reason)[:120]}") from reason
