r"""A certificate as a file of Coq: one theorem, its proof, and what it assumes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symdp.formal.claims import conditions_first
from symdp.formal.printing import coq, name_of
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts import calculus, guarantees, sums  # noqa: F401 - their writers register themselves
from symdp.formal.scripts.enclosures import defined
from symdp.formal.scripts.proofs import Lines, Script, indented, stated
from symdp.formal.statements import negation, premises, proposition
from symdp.kernel.certificate import (
    FORMAT,
    BadCertificate,
    Reader,
    name_from,
    rational_from,
    read_document,
)
from symdp.kernel.goals import Each, Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules.privacy import Private
from symdp.kernel.terms import BINDERS, number, subterms
from symdp.outgoing import MARK

HEADER = """From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From SymDP Require Import RulesCalculus RulesFunctions RulesGauss Positivity RulesDerivatives RulesLimits.
From SymDP Require Import Certificates Ranges Guarantees.
From SymDP Require Lemmas.
Open Scope R_scope.
"""
#: Files of the library that few theorems need, and the words by which one knows.
FURTHER = {"From SymDP Require Gamma.": ("Gamma.",), "From SymDP Require Import Points.": ("floor ", "fails_here")}


@dataclass(frozen=True)
class Exported:
    """A certificate and its Coq file, or the reason why there is none."""

    file: Path
    claim: str
    verdict: str
    #: what it says it proves or refutes, in words
    statement: str
    text: str | None
    #: where it is not exported: the rule or kind of formula, and the reason
    rule: str = ""
    message: str = ""


def theorem_name(claim: str) -> str:
    """A name that Coq accepts, and a file can have.

    >>> theorem_name("kov/thm-3.4.range"), len(theorem_name("n" * 10_000))
    ('claim_kov_thm_3_4_range', 119)
    """
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in claim)
    if len(name) > 100:
        name = f"{name[:80]}_{hashlib.sha256(claim.encode('utf-8', 'replace')).hexdigest()[:32]}"
    return f"claim_{name}"


def exported(path: Path) -> Exported:
    """The Coq file of a certificate; BadCertificate if it is none."""
    document = read_document(path)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadCertificate(f"this is no certificate of format {FORMAT}; write it anew with this version")
    given = document.get("name")
    claim, verdict = given if isinstance(given, str) else path.stem, "refuted" if "witness" in document else "proved"
    try:
        statement, text = coq_file(document, claim)
        return Exported(path, claim, verdict, statement, text)
    except NotExportable as reason:
        return Exported(path, claim, verdict, "", None, reason.rule, reason.reason)
    except RecursionError:
        return Exported(path, claim, verdict, "", None, "size", "a term or proof is nested too deeply")


def coq_file(document: dict[str, Any], claim: str) -> tuple[str, str]:
    """What is proved or refuted, in words, and the text of the file."""
    if ("steps" in document) == ("witness" in document):
        raise NotExportable("certificate", "it has neither steps nor a witness, or both")
    try:
        reader = Reader(document.get("terms"))
        goal = reader.goal(document["goal"])
        step = reader.steps(document["steps"]) if "steps" in document else None
        theorem = theorem_of(theorem_name(claim), goal, step, document.get("witness"), claim)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as reason:
        if isinstance(reason, BadCertificate):
            raise
        raise BadCertificate(f"malformed: {type(reason).__name__}: {str(reason)[:120]}") from reason
    return str(goal), f"(* {MARK} *)\n{HEADER}\n{theorem}\nPrint Assumptions {theorem_name(claim)}.\n"


def theorem_of(name: str, goal: Goal, step: Step | None, witness: Mapping[str, Any] | None = None,
               claim: str = "") -> str:
    """A goal as a theorem, with the proof that a step describes, or refuted at a witness."""
    if step is not None:
        promises = not uses_void(step)
        statement, proof = proposition(goal, promises), _proved(goal, step, promises)
    else:
        statement, proof = negation(goal), _refuted(goal, witness or {})
    words = f"{claim}: {goal!s}" if claim else str(goal)
    words = words.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
    theorem = "\n".join([f"Theorem {name} :\n  {statement}.", "Proof.", *indented(proof), "Qed.", ""])
    needed = [file for file, words in FURTHER.items() if any(word in theorem for word in words)]
    return "\n".join([*needed, f"(** {words} *)", theorem])


def uses_void(step: Step) -> bool:
    """Whether a delta of 1 or more is read as no promise, even where something else has no meaning."""
    return step.rule == "void" or any(map(uses_void, step.premises))


def _proved(goal: Goal, step: Step, promises: bool) -> Lines:
    script = Script()
    script.promises, script.due = promises, isinstance(goal.claim, Private)
    known: dict[Formula, str] = {}
    variables = " ".join(name_of(n) for n, _ in (*goal.sorts, *goal.families))
    lines = [f"intros {variables}."] if variables else []
    for p in premises(goal):
        name = script.fresh()
        how = "well_defined" if "has_binomial" in p.text else "defined"
        lines += [f"assert ({name} : {p.text}) by {how}. split; [exact {name}|]."] if p.concluded else [
            f"intros {name}. relations."]
        if isinstance(p.hypothesis, Each):  # its relations in their normal form
            given, name = name, script.fresh()
            lines += [f"assert ({name} : {stated(p.hypothesis)}) by (intros; relations; "
                      f"first [apply {given} | apply Rge_le; apply {given}]; assumption).", f"clear {given}."]
        if p.hypothesis is not None:
            known[p.hypothesis] = name
    plain = isinstance(goal.claim, Relation) and not goal.families
    for text in conditions_first(goal.claim, promises):
        how = defined(text, goal.claim, goal) if plain else "well_defined"
        lines.append(f"split; [{how}|].")
    return [*lines, "relations.", *script.prove(goal, step, known)]


def _refuted(goal: Goal, witness: Mapping[str, Any]) -> Lines:
    values = {name_from(n): rational_from(v) for n, v in witness["values"].items()}
    lines = [f"exists ({coq(number(values[n]))})." for n, _ in goal.sorts]
    ranges = any(s.head in ("floor", *BINDERS) for f in (*goal.hypotheses, goal.claim) for t in f.terms()
                 for s in subterms(t)) or any(isinstance(h, Each) for h in goal.hypotheses)
    shown = "fails_here" if ranges else "refuted_here"
    return [*lines, "repeat match goal with |- _ /\\ _ => split end.", f"all: {shown}."]
