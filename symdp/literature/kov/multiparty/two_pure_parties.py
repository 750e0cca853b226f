r"""Two parties without $\delta$: the best accuracy of an observer for XOR and AND in the worst case, as formulas.

Each party answers by randomised response, truly with probability $q=e^\varepsilon/(1+e^\varepsilon)$. A rule says 1
with probability $a$ after two answers 1, $b$ and $c$ after one of them, $d$ after none. Theorem 5.1 without $\delta$
says that no conversation does better than the best of these rules.
"""

from sympy import Expr, Min, Rational, exp

from symdp.formulas.notation import eps, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.statement import Identity, Inequality, positive, unit, unit_open

a, b, c, d, q = (symbol(name) for name in "abcdq")
likely = exp(eps) / (1 + exp(eps))


def said_one(first: int, second: int) -> Expr:
    """How often the rule says 1, if these are the bits."""
    one, two = (q if first else 1 - q), (q if second else 1 - q)
    return one * two * a + one * (1 - two) * b + (1 - one) * two * c + (1 - one) * (1 - two) * d


def right(values: tuple[int, int, int, int]) -> tuple[Expr, ...]:
    """How often the rule is right, for the inputs 00, 01, 10, 11 of a function with these values."""
    bits = ((0, 0), (0, 1), (1, 0), (1, 1))
    return tuple(said_one(*x) if value else 1 - said_one(*x) for x, value in zip(bits, values, strict=True))


of_xor, of_and = right((0, 1, 1, 0)), right((0, 0, 0, 1))
best_xor = q**2 + (1 - q) ** 2
best_and = q**2 + 2 * q * (1 - q) ** 2
inside = ["1/2 <= q", "q < 1", *(f"{bound}" for v in "abcd" for bound in (f"0 <= {v}", f"{v} <= 1"))]

mean_for_xor = sum(of_xor, start=Rational(0)) / 4
#: the prior that makes a single 1 say nothing
mean_for_and = (1 - 2 * q * (1 - q)) * of_and[3] + q * (1 - q) * (of_and[1] + of_and[2])


def against_a_prior(title: str, accuracies: tuple[Expr, ...], prior: str, mean: Expr, most: Expr) -> Derivation:
    """Against these weights of the inputs no rule is right more often."""
    at = dict(zip("uvwz", accuracies, strict=True))
    return (
        Derivation(title, where=inside)
        .lemma("least", f"min(u, v, w, z) <= {prior}", ["0 <= s", "s <= 1/2"])
        .start(Min(*accuracies))
        .le(mean, "the least is at most any mean", by=use("least", s=q * (1 - q), **at))
        .le(most, "the best answer to each pair")
    )


#: say 1 after two answers 1, with probability 1 - q after one, and 0 after none
with_a_coin = {a: 1, b: 1 - q, c: 1 - q, d: 0}
by_the_coin = tuple(accuracy.subs(with_a_coin).subs(q, likely) for accuracy in of_and)
formula_for_and = exp(eps) * (exp(2 * eps) + exp(eps) + 2) / (1 + exp(eps)) ** 3
reaches = (
    Derivation("The rule for AND", where=["eps > 0"])
    .lemma("three alike", "min(u, v, w, z) == t", ["u >= t", "v == t", "w == t", "z == t"])
    .state(ge(by_the_coin[0], formula_for_and), "two zeros: it is right more often", label="zeros")
    .state(eq(by_the_coin[1], formula_for_and), label="first")
    .state(eq(by_the_coin[2], formula_for_and), label="second")
    .state(eq(by_the_coin[3], formula_for_and), label="ones")
    .conclude(eq(Min(*by_the_coin), formula_for_and), by=["zeros", "first", "second", "ones", use(
        "three alike", t=formula_for_and, **dict(zip("uvwz", by_the_coin, strict=True)))])
)

claims = (
    Inequality(
        "prior-work.xor",
        r"two parties, pure, an observer: whatever the rule, its worst accuracy for XOR is at most "
        r"$q^2+(1-q)^2$ with "
        r"$q=e^\varepsilon/(1+e^\varepsilon)$",
        le(Min(*of_xor), best_xor),
        where=(ge(q, Rational(1, 2)),),
        variables={q: unit_open, a: unit, b: unit, c: unit, d: unit},
        derivation=against_a_prior("XOR of two answers", of_xor, "(u + v + w + z)/4", mean_for_xor, best_xor),
        role="sharper",
        improves="prior-work",
        because="it is what the cited work has for XOR, computed here",
    ),
    Identity(
        "prior-work.xor-reached",
        r"the XOR of the two answers reaches it, which is $(1+e^{2\varepsilon})/(1+e^\varepsilon)^2$",
        eq(Min(*of_xor).subs({a: 0, b: 1, c: 1, d: 0}).subs(q, likely), (1 + exp(2 * eps)) / (1 + exp(eps)) ** 2),
        variables={eps: positive},
        role="sharper",
        improves="prior-work",
        because="so that for two pure parties no protocol has more in its worst case, by Theorem 5.1",
    ),
    Inequality(
        "prior-work.and",
        r"two parties, pure, an observer: whatever the rule, its worst accuracy for AND is at most $q^2+2q(1-q)^2$",
        le(Min(*of_and), best_and),
        where=(ge(q, Rational(1, 2)),),
        variables={q: unit_open, a: unit, b: unit, c: unit, d: unit},
        derivation=against_a_prior("AND of two answers", of_and, "(1 - 2*s)*z + s*(v + w)", mean_for_and, best_and),
        role="sharper",
        improves="prior-work",
        because=r"against the prior with $1-2q(1-q)$ on two ones, and the rest on one of them",
    ),
    Identity(
        "prior-work.and-reached",
        r"it is reached by saying 1 after two answers 1, and with probability $1/(1+e^\varepsilon)$ after one; it is "
        r"$e^\varepsilon(e^{2\varepsilon}+e^\varepsilon+2)/(1+e^\varepsilon)^3$",
        eq(Min(*by_the_coin), formula_for_and),
        variables={eps: positive},
        derivation=reaches,
        role="sharper",
        improves="prior-work",
        because="so that for two pure parties no protocol has more in its worst case, by Theorem 5.1",
    ),
)
