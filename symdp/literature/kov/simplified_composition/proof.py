r"""The proof of simplified composition: sets of outcomes, Chernoff's bound, moments, and a chain."""

from sympy import Integer, Max, diff, exp, log

from symdp.formulas.notation import delta, eps, eps_total, k, lam, p, slack, x, y
from symdp.formulas.relation import eq, ge, le, lt
from symdp.literature.kov import kov
from symdp.literature.kov.simplified_composition.chain_to_delta import chain, logarithmic
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import (
    entropy,
    excess,
    exponent,
    mgf,
    tilted,
    two_point,
)
from symdp.literature.kov.simplified_composition.concentrated_loss import sharper_moments
from symdp.literature.kov.simplified_composition.derivation import repaired
from symdp.literature.kov.simplified_composition.variance_of_the_loss import moments_by_variance
from symdp.literature.kov.simplified_composition.worst_case_pair_composed import sets_of_outcomes
from symdp.sources.beyond import NAMES
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import (
    Identity,
    Inequality,
    Statement,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit,
    unit_positive,
)
from symdp.sources.worst_case import pure_part

#: the function that is shown to be nonnegative, and the point at which it vanishes
gap = exp(lam * (x - eps_total) + entropy) + exp(eps_total - x) - 1
touching = eps_total + log((lam + 1) / lam)
#: the tangent there, at the distance y
tangent = gap.subs(x, touching) + diff(gap, x).subs(x, touching) * y
below_the_exponential = (
    Derivation("Below the exponential", where=["lam > 0"])
    .lemma("centred", le(Max(0, 1 - exp(-y)), exp(lam * y + entropy)), where=["lam > 0"])
    .start(excess(x))
    .le(tilted(x), by=use("centred", y=x - eps_total))
)
convex_and_touching = (
    Derivation("f is convex and touches the axis", where=["lam > 0"])
    .state(ge(diff(gap, x, 2), 0), "a sum of two convex exponentials")
    .state(eq(gap.subs(x, touching), 0), "its value")
    .state(eq(diff(gap, x).subs(x, touching), 0), "its slope")
    .state(eq(tangent, 0), "its tangent")
)

proof_of_simplified_composition = Statement(
    place=kov.section("7"),
    title="The proof of simplified composition",
    beyond=NAMES,
    hypotheses=(
        r"The privacy loss of randomised response is $\varepsilon$ with probability "
        r"$e^\varepsilon/(e^\varepsilon+1)$ and $-\varepsilon$ otherwise."
    ),
    variables={
        eps: positive, eps_total: positive, lam: positive, p: unit, x: real, delta: unit,
        slack: unit_positive, k: positive_integer, y: real,
    },
    formulas={"moment generating function": mgf(eps), "its bound": exp(exponent(eps))},
    claims=(
        *sets_of_outcomes,
        Inequality(
            "pointwise",
            r"what an outcome of loss $x$ adds lies below an exponential, for every $\lambda\ge0$; the "
            r"indicator is written as a maximum with 0",
            le(excess(x), tilted(x)),
            variables={lam: nonnegative, eps_total: real},
            printed_at="Section 7, inequality used in (25)",
            limit_at=eq(lam, 0),
            derivation=below_the_exponential,
        ),
        Identity(
            "tangency",
            r"$f$ is convex, $f(x^*)=0$ and $f'(x^*)=0$, that is: its tangent at $x^*$ is the axis; for "
            r"$\lambda\to0$ that happens at infinity",
            eq(tangent, 0),
            variables={lam: nonnegative, eps_total: real},
            printed_at="Section 7, function f",
            limit_at=eq(lam, 0),
            derivation=convex_and_touching,
        ),
        Identity(
            "mgf-identity",
            r"the value of the moment generating function, printed with $\tilde{\varepsilon}$",
            eq(mgf(eps), mgf(eps_total)),
            variables={lam: nonnegative},
            printed_at="Section 7, moment generating function, first line",
        ),
        Identity(
            "mgf-identity.corrected",
            r"the value with $\varepsilon$, that of a single step: two atoms, weighted by their masses",
            eq(
                two_point(exp(eps) / (exp(eps) + 1), lam * eps),
                mgf(eps),
            ),
            variables={lam: real},
            role="corrected",
            improves="mgf-identity",
            because=(
                r"the printed $\tilde{\varepsilon}$ is that of the whole composition, where "
                r"$\varepsilon$ of one step belongs"
            ),
        ),
        Inequality(
            "mgf-bound",
            r"the printed bound on the moment generating function, for any $\lambda$",
            le(mgf(eps_total), exponent(eps_total)),
            variables={lam: real},
            printed_at="Section 7, moment generating function, second line",
            fails_at={eps_total: Integer(1), lam: Integer(1)},
        ),
        Inequality(
            "mgf-bound.corrected",
            r"the bound with its exponential, at $\varepsilon$, that of a single step",
            le(mgf(eps), exp(exponent(eps))),
            variables={lam: real},
            role="corrected",
            improves="mgf-bound",
            because="the exponential was left out in print, and the tilde is a misprint",
        ),
        Inequality(
            "alon-spencer",
            "the two-point exponential inequality behind the bound",
            le(two_point(p, x), exp((2 * p - 1) * x + x**2 / 2)),
            printed_at="Section 7, [AS04, Lemma A.1.5]",
        ),
        *chain,
        Inequality(
            "chain-substitution.sharper",
            r"the whole chain at once: at the chosen $\tilde\varepsilon$ the exact pure part is less than "
            r"$\tilde\delta$, for every $k$",
            lt(pure_part(eps, k, logarithmic), slack),
            role="sharper",
            improves="chain-substitution",
            because="the repaired lines, put together, lead from the laws themselves to Theorem 3.4",
            derivation=repaired,
        ),
        *sharper_moments,
        *moments_by_variance,
    ),
    cites=("alon2004probabilistic",),
)
