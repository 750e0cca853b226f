r"""Routes to a guarantee of privacy as scripts: what a route leaves open, then one theorem.

The theorems are those of ``formal/theories/Guarantees.v``, which rest on domination as it is proved there, for all
mechanisms with finitely many outcomes. In these scripts nothing is cited.
"""

from __future__ import annotations

from collections.abc import Callable

from symdp.formal.claims import law, meaning, steps, subject_in_coq
from symdp.formal.printing import argument, coq, name_of
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.proofs import Known, Lines, Script, Writer, block, stated, writes
from symdp.kernel.goals import Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules.privacy import AnyPrivate, Finite, Private, Sequence, losses_of
from symdp.kernel.terms import ZERO, Term

#: By what an argument of a theorem is given: an assertion made before, or what follows from one at once.
GIVEN = "first [assumption | whole | lra | solve [intros ? ? ? ?; cbv beta; lra] | solve [ranges_here; settle]]"


def route(rule: str) -> Callable[[Writer], Writer]:
    """A writer for a route, which shows all that a guarantee says unless that was done further up."""

    def register(writer: Writer) -> Writer:
        @writes(rule)
        def write(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
            before = script.due
            lines = writer(script, goal, step, left, known)
            script.due = before
            return lines

        return write

    return register


def _meaning(script: Script, claim: Private) -> Lines:
    """That the guarantee has a meaning, from what the route left open: once."""
    if not script.due:
        return []
    script.due = False
    splits = ["split; [first [assumption | well_defined | solve [ranges_here; settle]]|]." for _ in meaning(claim)]
    return [*([] if script.promises else ["right."]), *splits]


def _claim(goal: Goal) -> Private:
    claim = need_private(goal.claim)
    subject_in_coq(claim)
    return claim


def need_private(claim: Formula) -> Private:
    if not isinstance(claim, Private):
        raise NotExportable("private", "the claim is no guarantee")
    return claim


def _left(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """What a route leaves open, as assertions; then, that the guarantee has a meaning."""
    lines: Lines = []
    for g, below in zip(left, step.premises, strict=True):
        new = [h for h in g.hypotheses if h not in known]
        there = {**known}
        for h in new:  # shown among the assertions before
            there[h] = script.fresh()
            lines.append(f"assert ({there[h]} : {stated(h)}) by assumption.")
        _, more = script.premise(g, below, there)
        lines += more
    return [*lines, *_meaning(script, _claim(goal))]


def _subject(claim: Private) -> str:
    """The arguments of a theorem about the mechanisms of a guarantee."""
    subject = claim.subject
    if isinstance(subject, AnyPrivate):
        return f"{argument(claim.fold)} {argument(subject.epsilon)} {argument(subject.delta)}"
    if isinstance(subject, Sequence):
        i, epsilon, delta = steps(subject)
        return (f"{argument(subject.count)} (fun {name_of(i)} => {coq(epsilon)}) "
                f"(fun {name_of(i)} => {coq(delta)})")
    raise NotExportable("private", "a mechanism given by its laws has no such route")


def _kind(claim: Private) -> str:
    return "fold" if isinstance(claim.subject, AnyPrivate) else "sequence"


def _ends(claim: Private) -> str:
    return f"{argument(claim.epsilon)} {argument(claim.delta)}"


def _pure(claim: Private) -> bool:
    """Whether there is no delta, so that what leaks is written without it."""
    return claim.subject.delta is ZERO  # type: ignore[attr-defined]


def _no_delta(script: Script, claim: Private, share: Term | None = None) -> Lines:
    """That nothing leaks, in the form in which the theorem has it."""
    if not _pure(claim):
        return []
    name = script.fresh()
    deltas = f"{coq(losses_of(claim).deltas)}"
    text = deltas if share is None else f"{deltas} + {argument(share)}"
    subject = claim.subject
    zero = f"rewrite (sum_of_zero 1 {argument(subject.count)}); " if isinstance(subject, Sequence) else ""
    return [f"assert ({name} : {text} <= {coq(claim.delta)}) by ({zero}lra)."]


@route("certain")
def _certain(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    if isinstance(claim.subject, Finite):
        raise NotExportable("certain", "two laws with a delta of 1")
    return [*_left(script, goal, step, left, known),
            f"apply (certain_{_kind(claim)} {_subject(claim)} {_ends(claim)}); {GIVEN}."]


@route("linear")
def _linear(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    union = "_union" if step.parameters.get("union") or _pure(claim) else ""
    return [*_left(script, goal, step, left, known), *_no_delta(script, claim),
            f"apply (linear_{_kind(claim)}{union} {_subject(claim)} {_ends(claim)}); {GIVEN}."]


def _by_moments(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known, theorem: str,
                spread: Term) -> Lines:
    claim, share = _claim(goal), step.parameters["share"]
    union = "_union" if step.parameters.get("union") or _pure(claim) else ""
    half = "_half" if step.parameters.get("half") else ""
    name = script.fresh()
    lines = _left(script, goal, step, left, known)
    lines += [f"assert ({name} : 0 < {coq(spread)}).", *block(["ranges_here.", "settle."])]
    theorem = f"{theorem}_{_kind(claim)}{half}{union}"
    return [*lines, *_no_delta(script, claim, share),
            f"apply ({theorem} {_subject(claim)} {_ends(claim)}) with (share := {coq(share)}); {GIVEN}."]


@route("moments")
def _moments(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    return _by_moments(script, goal, step, left, known, "moments", losses_of(_claim(goal)).squares)


@route("concentrated")
def _concentrated(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    return _by_moments(script, goal, step, left, known, "concentrated", losses_of(_claim(goal)).mean)


@route("tilted")
def _tilted(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    return _by_moments(script, goal, step, left, known, "tilted", losses_of(_claim(goal)).variance)


@route("worst-case")
def _worst_case(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    lines = _left(script, goal, step, left, known)
    if _pure(claim):
        fold, epsilon = argument(claim.fold), argument(claim.subject.epsilon)  # type: ignore[attr-defined]
        return [*lines, f"apply (worst_fold_pure {fold} {epsilon} {_ends(claim)}); {GIVEN}."]
    return [*lines, f"apply (worst_fold {_subject(claim)} {_ends(claim)}); {GIVEN}."]


@route("one-step")
def _one_step(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    epsilon, delta = (argument(t) for t in claim.subject.terms())
    return [*_left(script, goal, step, left, known),
            f"apply (one_step_fold {epsilon} {delta} {_ends(claim)}); {GIVEN}."]


@route("relax")
def _relax(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    smaller = need_private(left[2].claim)
    one, first = script.premise(left[0], step.premises[0], known)
    two, second = script.premise(left[1], step.premises[1], known)
    theorem = f"relax_{_kind(claim)} {_subject(claim)} {_ends(smaller)} {_ends(claim)}"
    return [*first, *second, *_meaning(script, claim), f"apply ({theorem} {one} {two}).",
            *script.prove(left[2], step.premises[2], known)]


@writes("opened")
def _opened(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """The theorem does not speak of the point at which epsilon is infinity."""
    claim = _claim(goal)
    v, at = claim.ends[0]
    beyond, name = Relation(at, "<", v), script.fresh()
    below = script.fresh()
    return [f"assert ({below} : {coq(at)} <= {coq(v)}) by settle.",
            f"assert ({name} : {stated(beyond)}) by (destruct (Req_dec {argument(v)} {argument(at)}); "
            "[contradiction|lra]).",
            *script.prove(left[0], step.premises[0], {**known, beyond: name})]


@route("finite-laws")
def _finite_laws(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    claim = _claim(goal)
    masses = claim.subject.one, claim.subject.other  # type: ignore[attr-defined]
    one, other = map(law, masses)
    return [*_left(script, goal, step, left, known), f"apply (laws_by_excess {one} {other} {_ends(claim)}).",
            "all: laws_apart.", "all: first [reflexivity | solve [two_laws]]."]



@writes("void")
def _void(script: Script, goal: Goal, step: Step, left: list[Goal], known: Known) -> Lines:
    """A delta of 1 promises nothing."""
    if not script.due or script.promises:
        raise NotExportable("void", "inside of another guarantee")
    return ["left.", *script.prove(left[0], step.premises[0], known)]
