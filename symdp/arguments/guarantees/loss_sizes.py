r"""What is known about the privacy loss of a guarantee's mechanisms, on SymPy's side: its mean and its size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr, oo

from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.functions.record import TWO
from symdp.kernel.goals import Goal
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.privacy import (
    AnyPrivate,
    Gaussian,
    Laplace,
    Losses,
    Private,
    Sequence,
    losses_of,
)
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    fresh,
    replace_part,
    substitute,
    variable,
)
from symdp.search.elaboration.goal_views import sums_in


@dataclass(frozen=True)
class Sizes:
    """The guarantee and the loss of its worst case as SymPy sees them, with names for sums."""

    epsilon: Expr
    delta: Expr
    total: Expr
    mean: Expr
    squares: Expr
    variance: Expr
    survival: Expr
    #: the sum of the deltas
    leak: Expr
    #: what the names stand for
    names: Mapping[str, Term] = field(default_factory=dict)

    def term(self, expr: Expr) -> Term:
        """The term of the kernel that an expression in these names stands for."""
        return substitute(term_of(expr), self.names)


def sizes_of(claim: Private, goal: Goal) -> Sizes | None:
    """None where nothing is known about the loss."""
    subject = claim.subject
    if isinstance(subject, Gaussian):
        squared = claim.fold * subject.sensitivity ** TWO / subject.variance
        losses = Losses(ZERO, squared / TWO, squared, squared, None, ZERO)
    elif isinstance(subject, Laplace):
        pure = AnyPrivate(subject.sensitivity / subject.scale, ZERO)
        losses = losses_of(replace(claim, subject=pure))
    elif isinstance(subject, AnyPrivate | Sequence):
        losses = losses_of(claim)
    else:
        return None
    parts = [claim.epsilon, claim.delta, losses.total, losses.mean, losses.squares, losses.variance,
             losses.survival or ONE, losses.deltas]
    names: dict[str, Term] = {}
    for part in sums_in(iter(parts)):
        name = fresh("s", goal.taken | names.keys())
        names[name] = part
        parts = [replace_part(t, part, variable(name)) for t in parts]
    epsilon, delta, total, mean, squares, variance, survival, leak = map(expr_of, parts)
    sizes = Sizes(epsilon, delta, total, mean, squares, variance, survival, leak, names)
    return replace(sizes, total=oo) if isinstance(subject, Gaussian) else sizes


def in_the_mean(sizes: Sizes, claim: Private, goal: Goal) -> Sizes | None:
    """The same with names for the mean and for the survival, if epsilon depends on nothing else of the steps."""
    if not isinstance(claim.subject, AnyPrivate):
        return None
    losses = losses_of(claim)
    names = {fresh("m", goal.taken): losses.mean}
    m = symbol(next(iter(names)))
    changes: list[dict[Expr, Expr]] = [{sizes.mean: m}]
    fold = expr_of(claim.fold)
    if fold.is_Symbol and not (each := sizes.mean / fold).has(fold):
        changes.append({fold: m / each})
    kept = sizes.survival
    if losses.survival is not None:
        name = fresh("p", goal.taken | names.keys())
        names[name], kept = losses.survival, symbol(name)
    for change in changes:
        epsilon, delta = (e.subs(sizes.survival, kept).subs(change) if sizes.survival != 1 else e.subs(change)
                          for e in (sizes.epsilon, sizes.delta))
        if not (epsilon.free_symbols | delta.free_symbols) & sizes.mean.free_symbols:
            return replace(sizes, epsilon=epsilon, delta=delta, mean=m, survival=kept, names=names)
    return None
