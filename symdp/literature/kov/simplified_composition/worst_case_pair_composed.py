r"""The worst pair, $k$ times: its tangents, its largest set, and how $\delta$ splits off."""

from sympy import Expr, Integer, Max, Rational, S, Sum, binomial, exp

from symdp.formulas.notation import delta, eps, eps_total, k, symbol
from symdp.formulas.relation import eq, ge, le
from symdp.literature.kov import kov
from symdp.literature.kov.optimal_composition.tangents_of_a_region import (
    any_laws,
    lines_and_sets,
    n,
)
from symdp.literature.kov.simplified_composition.chernoff_bound_on_the_loss import count, j
from symdp.numbers.domain import Interval
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.statement import (
    Claim,
    Identity,
    Space,
    Statement,
    Structural,
    nonnegative,
    positive,
    positive_integer,
    real,
    unit,
)
from symdp.sources.worst_case import excess as worst_excess
from symdp.sources.worst_case import pure_part

high, low = (1 - delta) * exp(eps) / (1 + exp(eps)), (1 - delta) / (1 + exp(eps))
null = (delta, high, low, S.Zero)

#: P_0 of two steps as displayed, row by row
displayed: tuple[tuple[Expr, ...], ...] = (
    (delta**2, delta * high, delta * low, S.Zero),
    (delta * high, high**2, low**2 * exp(eps), S.Zero),
    (delta * low, low**2 * exp(eps), low**2, S.Zero),
    (S.Zero,) * 4,
)
rows = tuple(symbol(f"x_{i}") for i in range(4))
columns = tuple(symbol(f"y_{i}") for i in range(4))


def combined(coefficients: tuple[Expr, ...], variables: tuple[Expr, ...]) -> Expr:
    return sum((c * v for c, v in zip(coefficients, variables, strict=True)), S.Zero)


two_steps = combined(null, rows) * combined(null, columns)
matrix_form = sum((row * combined(entries, columns)
                   for row, entries in zip(rows, displayed, strict=True)), S.Zero)

# --- sets of outcomes -------------------------------------------------------------------------------

#: the masses of one outcome, and whether it is in B
p, q, member = symbol("p"), symbol("q"), symbol("s")
advantage = p - exp(eps_total) * q

largest_set = (
    Derivation("B attains the maximum", where=[
        "p >= 0", "q >= 0", "0 <= s", "s <= 1", ge(member * advantage, Integer(0)),
        le((1 - member) * advantage, Integer(0))])
    .cases(
        eq(member * advantage, Max(0, advantage)),
        (ge(advantage, Integer(0)), None),
        ("p < exp(eps_total)*q", None),
    )
)

w_0, w_1, w_2 = (symbol(f"w_{i}") for i in range(3))
both_letters = (high + low) ** k
masses_of_parts = (
    w_0 * (1 - both_letters) + w_1 * high ** (k - j) * low**j + w_2 * low ** (k - j) * high**j
)
printed_parts = w_0 * (1 - (1 - delta) ** k) + (1 - delta) ** k * (
    w_1 * exp(eps * (k - j)) + w_2 * exp(eps * j)) / (1 + exp(eps)) ** k
three_identities = (
    Derivation("The masses of the parts",
               where=["eps > 0", "0 <= delta", "delta < 1", "k >= 1", "j >= 0", "j <= k"],
               integer=["k", "j"])
    .lemma("powers", "x^k <= y^k", where=["x > 0", "y >= x", "k >= 1"], integer=["k"])
    .state(eq(both_letters, (1 - delta) ** k), "one letter at a time",
           by=[use("powers", x=high + low, y=1 - delta), use("powers", x=1 - delta, y=high + low)],
           label="none strikes")
    .start(masses_of_parts)
    .eq(w_0 * (1 - (1 - delta) ** k) + w_1 * high ** (k - j) * low**j + w_2 * low ** (k - j) * high**j,
        by="none strikes")
    .eq(printed_parts)
)
conditional = high ** (k - j) * low**j / (high + low) ** k

unit_but_one = Space(Interval(Integer(0), Integer(1), upper_open=True))

sets_of_outcomes: tuple[Claim, ...] = (
    Structural(
        "alphabet",
        r"the letters are called 1, 2, 3, 4, and $\{1,2\}$ are those that both laws show, "
        r"$\{1,2,3\}$ those that the second law may show",
        printed_at="Section 7, first paragraph",
        examples=(
            Example("letters-carry-their-sets",
                    {"labels": (1, 2, 3, 4), "exponential": 2, "delta": Rational(1, 10)}),
        ),
    ),
    Structural(
        "alphabet.corrected",
        r"the letters are called 0, 1, 2, 3, as in (17)",
        role="corrected",
        improves="alphabet",
        because=(
            r"a slip in the names of the letters: the sets formed later are right for the labels 0 to 3 "
            r"of (17), which the paper uses elsewhere; the theorem is not touched"
        ),
        examples=(Example("letters-carry-their-sets", {"labels": (0, 1, 2, 3)}),),
    ),
    Identity(
        "two-fold-matrix",
        r"the law of two steps is the displayed matrix: both have the same bilinear form",
        eq(two_steps, matrix_form),
        variables=dict.fromkeys((*rows, *columns), real),
        printed_at="Section 7, displays for P_0, P_1, P_0^2",
    ),
    Identity(
        "maximiser",
        r"taking an outcome exactly if it is in $B$ gives the larger of taking and leaving it; here $s$ "
        r"is 1 inside of $B$ and 0 outside, and $p$, $q$ are the masses of the outcome",
        eq(member * advantage, Max(0, advantage)),
        variables={p: nonnegative, q: nonnegative, eps_total: real, member: unit},
        where=(ge(member * advantage, Integer(0)), le((1 - member) * advantage, Integer(0))),
        printed_at="Section 7, set B",
        derivation=largest_set,
    ),
    Identity(
        "singular-part",
        r"the mass of $B_0$, and that of an outcome of $B_1$ with $j$ letters 2 under either law: "
        r"three identities, with free weights $w_i$ in one; conditional masses ask for $\delta<1$",
        eq(masses_of_parts, printed_parts),
        variables={w_0: real, w_1: real, w_2: real, j: count, delta: unit_but_one},
        where=(le(j, k),),
        printed_at="Section 7, sets B_0 and B_1",
        derivation=three_identities,
    ),
)

equation_23 = Statement(
    place=kov.equation("23"),
    title="A tangent of the composed region",
    hypotheses=any_laws + r" Here they are $P_0^k$ and $P_1^k$, whose $n=4^k$ outcomes are words of $k$ letters.",
    variables={eps_total: real, n: positive_integer},
    claims=lines_and_sets("the region of $k$ steps", "tangent"),
)

#: no letter 0 or 3, and given that: the masses of a word with j letters 2, by singular-part
none_strikes = (1 - delta) ** k
told, told_otherwise = exp(eps * (k - j)) / (1 + exp(eps)) ** k, exp(eps * j) / (1 + exp(eps)) ** k
#: the words with a letter 0 are those that the first law alone shows
shift_of_words = 1 - none_strikes + Sum(
    binomial(k, j) * Max(0, none_strikes * told - exp(eps_total) * (none_strikes * told_otherwise)), (j, 0, k))
split_shift = 1 - none_strikes + none_strikes * pure_part(eps, k, eps_total)
a, b, c, m = (symbol(name) for name in "abcm")
split_by_words = (
    Derivation("The shift of all words of k letters", integer=["k"],
               where=["eps > 0", "0 <= delta", "delta <= 1", "k >= 1"])
    .lemma("one word", eq(Max(0, c * (exp(a) / m) - exp(eps_total) * (c * (exp(b) / m))),
                          c * (exp(a) / m * Max(0, 1 - exp(eps_total - (a - b))))), where=["c >= 0", "m > 0"])
    .start(shift_of_words)
    .eq(1 - none_strikes + Sum(binomial(k, j) * (none_strikes * (told * worst_excess((k - 2 * j) * eps, eps_total))),
                               (j, 0, k)),
        "word by word, given that no delta strikes",
        by=use("one word", a=eps * (k - j), b=eps * j, c=none_strikes, m=(1 + exp(eps)) ** k))
    .eq(split_shift)
    .conclude(eq(shift_of_words, split_shift))
)

equation_24 = Statement(
    place=kov.equation("24"),
    title="The shift splits into the singular and the pure part",
    hypotheses=(
        r"The words of $k$ letters have the masses that (17) and (18) give them: $\binom kj$ words have $j$ letters "
        r"2 and "
        r"otherwise letters 1, and the words with a letter 0 have under the first law what is left of 1."
    ),
    variables={eps: positive, delta: unit, eps_total: real, k: positive_integer},
    claims=(
        Identity(
            "split",
            r"$d_{\tilde\varepsilon}(P_0^k,P_1^k)$, the sum of the positive parts over all words, is "
            r"$1-(1-\delta)^k$ and "
            r"$(1-\delta)^k$ times the same for $k$ responses given that no $\delta$ strikes",
            eq(shift_of_words, split_shift),
            derivation=split_by_words,
        ),
    ),
)
