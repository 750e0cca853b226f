r"""What a claim says in Coq, by its kind, as parts that are joined by *and*: the last is the claim itself, those
before it say that it has a meaning.

A guarantee of privacy says that its terms are defined, that its parameters are those of a mechanism, and that the
composition is private, in the sense of ``formal/theories/Guarantees.v``. Mechanisms with infinitely many outcomes,
Gaussian and Laplace noise among them, have no theorem.

>>> from symdp.kernel.rules.privacy import AnyPrivate
>>> from symdp.kernel.terms import variable
>>> e, d, k = variable("e"), variable("d"), variable("k")
>>> print(" /\\ ".join(conclusion(Private(AnyPrivate(e, d), k, k * e, k * d))))
1 <= k /\ 0 <= e /\ 0 <= d /\ d <= 1 /\ private_fold k e d (k * e) (k * d)
"""

from collections.abc import Iterable

from symdp.formal.printing import argument, conditions, coq, every_index, formula, name_of
from symdp.formal.refusals import NotExportable
from symdp.kernel.goals import Each, Formula, Relation
from symdp.kernel.rules.privacy import AnyPrivate, Finite, Private, Sequence
from symdp.kernel.terms import ONE, Term, fresh, instantiate, variable


def conclusion(claim: Formula, promises: bool = True) -> list[str]:
    """What makes a claim meaningful, and the claim.

    Without ``promises``, a guarantee is read as in the kernel: it holds also where its delta is at least 1, and then
    even where its epsilon or a parameter means nothing.
    """
    if isinstance(claim, Private) and not promises:
        whole = " /\\ ".join([*meaning(claim), spoken(claim)])
        return [*conditions(claim.delta), f"(1 <= {coq(claim.delta)} \\/ {whole})"]
    return [*meaning(claim), spoken(claim)]


def conditions_first(claim: Formula, promises: bool) -> list[str]:
    """The parts of the conclusion that are shown before its proof begins; the route of a guarantee shows its own."""
    if isinstance(claim, Private):
        return [] if promises else conditions(claim.delta)
    return conclusion(claim)[:-1]


def spoken(claim: Formula) -> str:
    return guarantee(claim) if isinstance(claim, Private) else formula(claim)


def meaning(claim: Formula) -> list[str]:
    """That all terms are defined, and that parameters are those of a mechanism."""
    if isinstance(claim, Private):
        parts = conditions_of_guarantee(claim)
        return list(dict.fromkeys([*parts, *(formula(f) for f in claim.sensible())]))
    return conditions_of(claim)


def conditions_of(claim: Formula) -> list[str]:
    """What makes a relation, or one for every integer of a range, defined."""
    if isinstance(claim, Relation):
        return conditions(*claim.terms())
    if isinstance(claim, Each):
        i = fresh(claim.hint, claim.variables | claim.families)
        inside = conditions_of(claim.at(variable(i)))
        bounds = conditions(*(t for t in (claim.low, claim.high) if t is not None))
        return [*bounds, *(every_index(i, claim.low, claim.high, c) for c in inside)]
    raise NotExportable(type(claim).__name__.lower(), "no word for it in the exported language")


def conditions_of_guarantee(claim: Private) -> list[str]:
    subject = claim.subject
    if isinstance(subject, Sequence):
        i, epsilon, delta = steps(subject)
        inside = [every_index(i, ONE, subject.count, c) for c in conditions(epsilon, delta)]
        return [*conditions(subject.count), *inside, *conditions(claim.epsilon, claim.delta)]
    return conditions(*subject.terms(), claim.fold, claim.epsilon, claim.delta)


def steps(subject: Sequence) -> tuple[str, Term, Term]:
    """A name for the number of a step, and its parameters with that name."""
    i = fresh("l", subject.epsilon.variables | subject.delta.variables | subject.epsilon.families
              | subject.delta.families)
    return i, instantiate(subject.epsilon, variable(i)), instantiate(subject.delta, variable(i))


def subject_in_coq(claim: Private) -> str:
    """The word for a composition, and the mechanisms in it."""
    subject = claim.subject
    if isinstance(subject, AnyPrivate):
        return f"private_fold {argument(claim.fold)} {argument(subject.epsilon)} {argument(subject.delta)}"
    if isinstance(subject, Sequence):
        i, epsilon, delta = steps(subject)
        each = f"fun {name_of(i)} =>"
        return f"private_sequence {argument(subject.count)} ({each} {coq(epsilon)}) ({each} {coq(delta)})"
    if isinstance(subject, Finite):
        return f"private_laws {law(subject.one)} {law(subject.other)}"
    raise NotExportable("private", f"{type(subject).__name__} noise has infinitely many outcomes")


def law(masses: Iterable[Term]) -> str:
    return f"({''.join(f'{argument(p)} :: ' for p in masses)}nil)"


def guarantee(claim: Private) -> str:
    return f"{subject_in_coq(claim)} {argument(claim.epsilon)} {argument(claim.delta)}"


def ends(claim: Formula) -> list[str]:
    """Points at which an epsilon is read as infinity, and nothing is promised; the theorem does not speak of them."""
    return [f"{coq(v)} <> {coq(a)}" for v, a in claim.ends] if isinstance(claim, Private) else []
