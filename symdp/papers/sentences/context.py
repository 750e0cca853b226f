r"""What is in force at a relation of a paper: hypotheses with their places, names with their meanings, and scopes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count

from sympy import Expr, Symbol

from symdp.formulas.relation import Relation
from symdp.numbers.domain import DomainError, Interval, bounds_one_variable
from symdp.papers.formulas.conditions import Condition
from symdp.papers.formulas.members import Member, Span, members_of

#: They speak of all values of their names, whatever was said of these before.
REBINDING = ("let", "for", "noun")
#: They may be taken back by the opposite.
PASSING = ("suppose", "case", "if")
#: Of names for all of whose values a sentence speaks: nothing else is said of them.
ANEW = "anew"
_NUMBERS = count()


@dataclass(frozen=True)
class Hypothesis:
    """A condition of the text, as it was typed, and the line it stands on."""

    condition: Condition
    text: str
    line: int
    kind: str
    #: letters in it, where it could not be read
    vague: frozenset[str] = frozenset()
    #: names that the same list has declared before it (let d >= 1 and m >= d), which it does not bind anew
    keeps: frozenset[Symbol] = frozenset()


@dataclass(frozen=True)
class Meaning:
    """What a name stands for."""

    value: Expr
    text: str
    line: int
    #: the paragraph in which it is a conclusion (hence $a = 0$), which may be that of one case only
    concluded: int | None = None


@dataclass
class Frame:
    """A section, a theorem, a proof: what is said in it holds to its end."""

    kind: str
    level: int = 99
    hypotheses: list[Hypothesis] = field(default_factory=list)
    meanings: dict[Symbol, Meaning] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    #: what it defines is meant for the text behind it, as a numbered definition is
    lasting: bool = False
    #: what stands in it is assumed
    supposes: bool = False
    #: by which it is told from others, and the theorem that a proof belongs to
    number: int = field(default_factory=lambda: next(_NUMBERS))
    of: int | None = None
    #: of a remark: what the theorem before it says of its names
    told: tuple[Hypothesis, ...] = ()
    #: of a proof: what its theorem supposes, which ends with it
    given: tuple[Hypothesis, ...] = ()


@dataclass(frozen=True)
class InForce:
    """All that is in force at one relation."""

    hypotheses: tuple[Hypothesis, ...] = ()
    meanings: Mapping[Symbol, Meaning] = field(default_factory=dict)
    #: what an author may also have in mind: said elsewhere, or of a narrower reading
    perhaps: tuple[Relation, ...] = ()
    vague: tuple[Hypothesis, ...] = ()
    #: names that are not declared here, and that the theorem before a remark declares
    presumed: frozenset[Symbol] = frozenset()

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(dict.fromkeys(r for h in self.hypotheses for r in h.condition.relations))

    @property
    def members(self) -> tuple[Member, ...]:
        """What is said of members of families; a family that is spoken of anew is another one."""
        found: list[Member] = []
        for h in self.hypotheses:
            if h.condition.members and h.kind in REBINDING:
                spoken_of = frozenset().union(*(m.families for m in h.condition.members))
                found = [m for m in found if not m.families & spoken_of]
            found += h.condition.members
        return tuple(found)

    @property
    def unequal(self) -> tuple[tuple[Expr, Expr], ...]:
        return tuple(dict.fromkeys(pair for h in self.hypotheses for pair in h.condition.unequal))

    def supposing(self, relation: Relation) -> InForce:
        """The context in the case that a relation holds, in place of that its sides differ."""
        pair = (relation.left, relation.right)
        kept = tuple(
            replace(h, condition=replace(h.condition, unequal=tuple(p for p in h.condition.unequal if p != pair)))
            for h in self.hypotheses
        )
        case = Hypothesis(Condition((relation,), names=frozenset(relation.symbols)), str(relation), 0, "case")
        return replace(self, hypotheses=(*kept, case))

    @property
    def integers(self) -> frozenset[Symbol]:
        return frozenset().union(*(h.condition.integers for h in self.hypotheses))

    @property
    def domains(self) -> frozenset[Symbol]:
        """Names of which it is said where they live, in other words than as a reason."""
        named = (h.condition.spoken_of for h in self.hypotheses if h.kind != "since")
        return frozenset().union(*named) | frozenset(self.meanings)

    @property
    def declared(self) -> frozenset[Symbol]:
        """Names of which something is said: v >= d/s speaks of v, and of d and s only in passing."""
        named: frozenset[Symbol] = frozenset().union(*(h.condition.spoken_of for h in self.hypotheses))
        return named | frozenset(self.meanings)


#: Letters that are bound anew wherever they are used; others are parameters, which an author declares once.
_DUMMIES = frozenset({"x", "y", "z", "w", "u", "v", "s", "t", "i", "j", "a", "b", "c", "f", "g"})


def is_parameter(name: Symbol) -> bool:
    """Whether a name is no letter that is bound anew wherever it is used."""
    return str(name).partition("_")[0] not in _DUMMIES


def in_force(
    frames: Iterable[Frame],
    local: Iterable[Hypothesis],
    own: Mapping[Symbol, Meaning],
    softly: Iterable[Relation] = (),
) -> InForce:
    """The context of a relation: later frames and its own sentence come last, and prevail."""
    frames, local = tuple(frames), tuple(local)
    kept: list[Hypothesis] = []
    meanings: dict[Symbol, Meaning] = {}
    perhaps = list(softly)
    vague: list[Hypothesis] = []

    def speak_anew(names: frozenset[Symbol]) -> None:
        """For all y: of a parameter, the domain that was declared is still meant; of a letter, perhaps."""
        for name in names & meanings.keys():
            del meanings[name]
        for old in [h for h in kept if h.condition.names & names]:
            parameter = all(map(is_parameter, old.condition.names & names))
            left = None if not parameter else _signs_of(old) if old.kind in PASSING else old
            if left is not old:
                known = () if left is None else left.condition.relations
                perhaps.extend(r for r in old.condition.relations if r not in known)
                place = kept.index(old)
                kept[place : place + 1] = [] if left is None else [left]

    def take(hypothesis: Hypothesis) -> None:
        if hypothesis.vague:
            vague.append(hypothesis)
            return
        perhaps.extend(hypothesis.condition.perhaps)
        if hypothesis.kind == ANEW:
            speak_anew(hypothesis.condition.names)
            return
        equation = any(r.op == "==" for r in hypothesis.condition.relations)
        if hypothesis.kind in REBINDING and not equation:
            declared = frozenset().union(*(h.condition.spoken_of for h in kept)) | meanings.keys()
            bound = subjects(hypothesis.condition, declared) - hypothesis.keeps
            for name in bound & meanings.keys():
                del meanings[name]
            for old in [h for h in kept if h.condition.names & bound]:
                # let x > 0; for x <= 1: it is still positive; for every real x: it is not
                all_of_them = not hypothesis.condition.relations and not any(map(is_parameter, bound))
                left = None if all_of_them else _without_ends(_signs_of(old), hypothesis)
                if left is not old:
                    perhaps.extend(
                        r for r in old.condition.relations if left is None or r not in left.condition.relations
                    )
                    place = kept.index(old)
                    kept[place : place + 1] = [] if left is None else [left]
        for old in [h for h in kept if h.kind in PASSING and contradict(h.condition, hypothesis.condition)]:
            kept.remove(old)
        # what is said again is in force once, as it was said last
        said = next((h for h in kept if h.kind == hypothesis.kind and h.condition == hypothesis.condition), None)
        if said is not None:
            kept.remove(said)
        kept.append(hypothesis)

    def values(hypotheses: Iterable[Hypothesis], *, behind: bool) -> None:
        """Let p = 0.1. With p = 0.2 we get ...: p has another value here."""
        for h in hypotheses:
            for name in other_values(h, meanings):
                if not behind and h.line <= meanings[name].line:
                    continue
                equal = Relation(name, "==", meanings.pop(name).value)
                kept[:] = [k for k in kept if k.kind != "let" or equal not in k.condition.relations]

    def doubts(hypotheses: Iterable[Hypothesis]) -> None:
        """Let r = 1/x. For r = x we have ...: a condition on x, or another r; so it is not read."""
        for h in hypotheses:
            for name in {v for r in h.condition.relations for v in _equated(r) if v in meanings}:
                value = meanings[name].value
                pairs = {frozenset((r.left, r.right)) for r in h.condition.relations}
                if h.kind in ("where", "case", "if", "noun", "for") and frozenset((name, value)) not in pairs:
                    equal = Relation(name, "==", meanings.pop(name).value)
                    kept[:] = [k for k in kept if k != h and (k.kind != "let" or equal not in k.condition.relations)]
                    typed = frozenset(re.findall(r"\\[a-zA-Z]+|[A-Za-z]", h.text))
                    vague.append(Hypothesis(Condition(), h.text, h.line, "words", typed))

    for frame in frames:
        for hypothesis in frame.hypotheses:
            take(hypothesis)
        meanings.update(frame.meanings)
        values(frame.hypotheses, behind=False)
    for hypothesis in local:
        take(hypothesis)
    values(local, behind=True)
    doubts(local)
    meanings.update(own)
    found = InForce(tuple(dict.fromkeys(kept)), meanings, tuple(dict.fromkeys(perhaps)), tuple(vague))
    told = [h for frame in frames for h in frame.told]
    return _presuming(found, told) if told else found


def other_values(hypothesis: Hypothesis, meanings: Mapping[Symbol, Meaning]) -> list[Symbol]:
    """Names that stand for a number, and of which a condition says that they are another number."""
    if hypothesis.kind not in ("suppose", "where", "case", "if", "noun", "for"):
        return []
    return [name for r in hypothesis.condition.relations for name in differs(r, meanings)]


def _equated(r: Relation) -> list[Symbol]:
    return [side for side in (r.left, r.right) if isinstance(side, Symbol)] if r.op == "==" else []


def differs(r: Relation, meanings: Mapping[Symbol, Meaning]) -> list[Symbol]:
    """The name of which an equation says another number than it stands for."""
    sides = ((r.left, r.right), (r.right, r.left)) if r.op == "==" else ()
    return [
        name for name, value in sides
        if isinstance(name, Symbol) and name in meanings
        and meanings[name].value.is_Rational and value.is_Rational and meanings[name].value != value
    ]


def _presuming(context: InForce, told: Iterable[Hypothesis]) -> InForce:
    """With what the theorem before a remark says of names that the remark does not declare.

    That is no hypothesis of the remark, which may be wider than the theorem: nothing is proved by it. What is refuted
    must fail where it holds, too.
    """
    declared = context.declared
    more = [h for h in told if not h.condition.names & declared]
    presumed = frozenset().union(*(h.condition.spoken_of for h in more))
    perhaps = dict.fromkeys((*context.perhaps, *(r for h in more for r in h.condition.relations)))
    return replace(context, perhaps=tuple(perhaps), presumed=presumed)


def subjects(condition: Condition, declared: frozenset[Symbol] = frozenset()) -> frozenset[Symbol]:
    """The names that a condition binds: those it bounds by numbers, or puts into a set.

    Of m >= d, where d is declared and m is not, it is m.
    """
    found: set[Symbol] = set(condition.integers)
    for relation in condition.relations:
        with suppress(DomainError):
            if (bound := _bound(relation)) is not None:
                found.add(bound[0])
                continue
        alone = [side for side in (relation.left, relation.right) if isinstance(side, Symbol)]
        if len(alone) == 1:
            found.add(alone[0])  # let d >= ln(p/(1-p)): it binds d, and p is what it was
        elif len(set(alone) - declared) == 1:
            found |= set(alone) - declared
    return frozenset(found) or condition.names


def _without_ends(kept: Hypothesis | None, anew: Hypothesis) -> Hypothesis | None:
    """Let n >= 1. For every n >= 0: a lower end that is said anew is the one that is meant."""
    if kept is None:
        return None
    ends = {b[0]: b[1].lower for r in anew.condition.relations if (b := _lower(r)) is not None}
    gone = [r for r in kept.condition.relations if (b := _lower(r)) is not None and b[0] in ends
            and (b[1].lower > ends[b[0]])]
    if not gone:
        return kept
    left = tuple(r for r in kept.condition.relations if r not in gone)
    return replace(kept, condition=replace(kept.condition, relations=left))


def _lower(relation: Relation) -> tuple[Symbol, Interval] | None:
    """The name that a relation bounds from below by a rational number."""
    with suppress(DomainError):
        found = _bound(relation)
        if found is not None and found[1].lower.is_Rational:
            return found
    return None


def _signs_of(hypothesis: Hypothesis) -> Hypothesis | None:
    """What stays of a hypothesis when its names are bound anew: their signs, and that they are integers."""
    condition = hypothesis.condition
    signs = tuple(r for r in condition.relations if r.left.is_Symbol and r.right == 0 and r.op in (">", ">="))
    signs += tuple(r for r in condition.relations if r.right.is_Symbol and r.left == 0 and r.op in ("<", "<="))
    whole = tuple(
        r
        for r in condition.relations
        if condition.integers and r.left.is_Symbol and r.right.is_Integer and r.op in (">", ">=")
    )
    kept = tuple(r for r in condition.relations if r in signs or r in whole)
    if kept == condition.relations:
        return hypothesis
    if not kept and not condition.integers:
        return None
    return Hypothesis(
        Condition(kept, condition.integers, condition.names), hypothesis.text, hypothesis.line, hypothesis.kind
    )


@lru_cache(maxsize=4096)
def _bound(relation: Relation) -> tuple[Symbol, Interval] | None:
    """A relation that bounds one name is asked for its interval at every relation of its scope."""
    return bounds_one_variable(relation)


@lru_cache(maxsize=65536)
def contradict(one: Condition, other: Condition) -> bool:
    """Whether two conditions bound a name so that nothing is left, as two cases do."""
    bounds: dict[Symbol, Interval] = {}
    try:
        for relation in one.relations:
            if (found := _bound(relation)) is not None:
                name, interval = found
                bounds[name] = bounds[name].meet(interval) if name in bounds else interval
        for relation in other.relations:
            found = _bound(relation)
            if found is not None and found[0] in bounds and bounds[found[0]].meet(found[1]).is_empty():
                return True
    except DomainError:
        return False
    mirrored = {(r.right, r.op, r.left) for r in one.relations}
    flipped = {"<": ("<", "<="), "<=": ("<",), ">": (">", ">="), ">=": (">",)}
    return any((r.left, op, r.right) in mirrored for r in other.relations for op in flipped.get(r.op, ()))


def of_each(said: Hypothesis, every: Mapping[Symbol, Span | None]) -> list[Hypothesis]:
    """What a condition on a_i says of each member, in a sentence that speaks of all i."""
    found = []
    for index, span in every.items():
        members = members_of(said.condition.relations, index, span)
        if members:
            found.append(replace(said, condition=Condition(members=members)))
    return found
