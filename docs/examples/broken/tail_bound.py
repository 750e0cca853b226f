"""A claim that does not say where its variable lives: what `symdp` says about a broken file."""

from sympy import exp

from symdp.formulas.notation import x
from symdp.formulas.relation import ge
from symdp.sources.statement import Inequality, Source, Statement

draft = Source("draft", "A draft", "kairouz2013composition")
tangent = Statement(
    place=draft.lemma("1"),
    title="The tangent",
    claims=(Inequality("above", "exp lies above its tangent", ge(exp(x), 1 + x)),),
)
