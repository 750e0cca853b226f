r"""What the text says of a relation, and what it does not: hypotheses used, reasons, names without a domain."""

from __future__ import annotations

from dataclasses import replace

from sympy import Indexed, Symbol

from symdp.formulas.relation import Relation
from symdp.papers.sentences.elsewhere import letter_of
from symdp.papers.verdicts.question import LinkQuestion
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import families_of, relation_variables
from symdp.sources.derivations.scope import related

#: How a hypothesis that was not read is listed among what is missing.
UNREAD = "the hypothesis"


def used(q: LinkQuestion) -> tuple[tuple[str, int], ...]:
    """The hypotheses that say something about the relation, and the definitions of its names."""
    near = related(q.scope.where, q.names)
    names = q.names.union(*(relation_variables(r) for r in near))
    names |= relation_variables(q.relation)
    found = [(h.text, h.line) for h in q.context.hypotheses if h.condition.names & names]
    found += [(m.text, m.line) for name, m in q.context.meanings.items() if name in relation_variables(q.relation)]
    return tuple(dict.fromkeys(found))


def unfounded(q: LinkQuestion) -> tuple[tuple[Relation, ...], bool]:
    """Bounds that a sentence gives as reasons (since x >= 1), that matter, and do not follow from the rest;
    whether one of them fails at a point that the rest allows."""
    context, scope = q.context, q.scope
    said = {r for h in context.hypotheses if h.kind != "since" for r in h.condition.relations}
    reasons = [
        r for h in context.hypotheses if h.kind == "since" for r in h.condition.relations
        if r not in said and r.op != "=="
        and relation_variables(r) <= context.domains and relation_variables(r) & q.names
    ]
    if not reasons:
        return (), False
    expanded = [scope.expand_relation(r) for r in reasons]
    others = replace(scope, where=tuple(r for r in scope.where if r not in expanded))
    if q.is_proved(q.expanded, others, part=0.5):
        return (), False
    status = {r: q.status(scope.expand_relation(r), others, part=0.5) for r in reasons}
    known = context.perhaps  # what else the author may have in mind may say it
    wrong = any(
        s is Status.REFUTED and not any(relation_variables(p) & relation_variables(r) for p in known if p != r)
        for r, s in status.items()
    )
    return tuple(r for r, s in status.items() if s is not Status.PROVED), wrong


def missing(q: LinkQuestion) -> tuple[str, ...]:
    """Names of which the text says nothing, and hypotheses that could not be read."""
    names = q.names.union(*(relation_variables(r) for r in related(q.scope.where, q.names)))
    known = [side for r in q.scope.where for side in (r.left, r.right)]
    indices = {i for side in known for m in side.atoms(Indexed) for i in m.indices}
    declared = q.context.declared | q.context.presumed
    bare = [v for v in sorted(names, key=str) if v not in declared and str(v) not in q.typed and v not in indices]
    families = families_of(q.relation.left, q.relation.right)
    letters = {letter_of(v) for v in relation_variables(q.relation) | names | {Symbol(f) for f in families}}
    vague = [h for h in q.context.vague if {x.lstrip("\\") for x in h.vague} & letters]
    unknown = sorted(families - families_of(*known))
    return (
        *(f"where {v} lives" for v in bare),
        *(f"what is known of each member of {family}" for family in unknown),
        *(f"{UNREAD} of line {h.line}, which is not read: {h.text}" for h in vague),
    )
