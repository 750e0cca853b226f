"""Terms and relations of the kernel, written briefly."""

from symdp.kernel.goals import Relation
from symdp.kernel.terms import Term, apply


def le(a: Term, b: Term) -> Relation:
    return Relation(a, "<=", b)


def lt(a: Term, b: Term) -> Relation:
    return Relation(a, "<", b)


def eq(a: Term, b: Term) -> Relation:
    return Relation(a, "==", b)


def exp(u: Term) -> Term:
    return apply("exp", u)


def log(u: Term) -> Term:
    return apply("log", u)
