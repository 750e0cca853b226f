r"""Differential privacy as hypothesis testing: no test of two neighbours has two small errors."""

from sympy import IndexedBase, Integer, Sum, exp

from symdp.formulas.notation import delta, eps, symbol
from symdp.formulas.relation import eq, le
from symdp.literature.kov import kov
from symdp.sources.beyond import LAWS
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.example import Example
from symdp.sources.statement import Inequality, Statement, Structural, nonnegative, unit

#: a set is accepted with probability a under D_0 and b under D_1; the errors of its complement
a, b = symbol("a"), symbol("b")
missed, false_alarm = symbol("P_MD"), symbol("P_FA")
parameters = ["eps >= 0", "0 <= delta <= 1"]
#: The errors of the rule that rejects outside of the set.
errors = ["P_FA == 1 - a", "P_MD == b"]

by_complements = (
    Derivation("The complement of a rejection set; a and b are its masses under the two databases",
               where=[*parameters, "0 <= a <= 1", "0 <= b <= 1"])
    .lemma("first", "P_FA + exp(eps)*P_MD >= 1 - delta", [*errors, "a <= exp(eps)*b + delta"])
    .lemma("first, back", "a <= exp(eps)*b + delta", [*errors, "P_FA + exp(eps)*P_MD >= 1 - delta"])
    .lemma("second", "exp(eps)*P_FA + P_MD >= 1 - delta", [*errors, "1 - b <= exp(eps)*(1 - a) + delta"])
    .lemma("second, back", "1 - b <= exp(eps)*(1 - a) + delta",
           [*errors, "exp(eps)*P_FA + P_MD >= 1 - delta"])
    .state("exp(eps)*(1 - a) + b - (1 - delta) == exp(eps)*(1 - a) + delta - (1 - b)",
           "every set is the complement of a rejection set, so the two conditions for all of them are the "
           "definition for all sets, in both orders of the databases")
)

one_is_enough = (
    Derivation("Exchange the databases and take the complement: the errors, here f and m, change places",
               where=["0 <= a <= 1", "0 <= b <= 1"])
    .lemma("exchanged", "exp(eps)*P_FA + P_MD >= 1 - delta",
           ["f == P_MD", "m == P_FA", "f + exp(eps)*m >= 1 - delta"])
    .lemma("definition", "a <= exp(eps)*b + delta",
           [*errors, "P_FA + exp(eps)*P_MD >= 1 - delta"])
)

instances = (
    Example("definition-beside-tests", {"p": ("1/2", "1/4", "1/4"), "q": ("1/4", "1/4", "1/2"),
                                        "exponential": "2", "delta": "0"}),
    Example("definition-beside-tests", {"p": ("1/2", "1/3", "1/6"), "q": ("1/3", "1/6", "1/2"),
                                        "exponential": "2", "delta": "1/10"}),
    Example("definition-beside-tests", {"p": ("1", "0"), "q": ("0", "1"),
                                        "exponential": "1", "delta": "1"}),
)

theorem_2_1 = Statement(
    place=kov.theorem("2.1"),
    title="Privacy is a bound on the errors of tests",
    beyond=LAWS,
    hypotheses=(
        r"$P_{\mathrm{FA}}$ is the probability of rejecting under $D_0$, $P_{\mathrm{MD}}$ that of "
        r"accepting under $D_1$."
    ),
    variables={eps: nonnegative, delta: unit},
    claims=(
        Structural(
            "",
            r"a mechanism is $(\varepsilon,\delta)$-DP if and only if, for all neighbours and all "
            r"rejection sets, $P_{\mathrm{FA}}+e^\varepsilon P_{\mathrm{MD}}\ge1-\delta$ and "
            r"$e^\varepsilon P_{\mathrm{FA}}+P_{\mathrm{MD}}\ge1-\delta$",
            examples=instances,
            derivation=by_complements,
        ),
        Structural(
            "sharper",
            r"the first of the two conditions is enough, for all ordered pairs of neighbours and all "
            r"rejection sets, whatever real $\varepsilon$ and $\delta$",
            derivation=one_is_enough,
            role="sharper",
            improves="",
            because=(
                r"the second condition for $(D_0,D_1,S)$ is the first for $(D_1,D_0,\bar S)$, and the "
                r"ranges of $\varepsilon$ and $\delta$ are not used"
            ),
        ),
    ),
    cites=("wasserman2010framework",),
)

equation_2 = Statement(
    place=kov.equation("2"),
    title=r"The region of a guarantee",
    claims=(
        Structural(
            "definition",
            r"$\mathcal{R}(\varepsilon,\delta)$ is what the two conditions of (1) leave of the plane of "
            r"$(P_{\mathrm{MD}},P_{\mathrm{FA}})$; there is no bound from above",
            task="cite",
        ),
    ),
)

equation_3 = Statement(
    place=kov.equation("3"),
    title="The region of a mechanism",
    claims=(
        Structural(
            "definition",
            r"the convex hull of the pairs $(P_{\mathrm{MD}},P_{\mathrm{FA}})$ of all rejection sets",
            task="cite",
        ),
    ),
)

p = IndexedBase("p")
i, n = symbol("i"), symbol("n")
step = p[i - 1] - p[i]

layers = (
    Derivation("A soft rule is a mixture of hard ones", integer=["n"],
               where=["n >= 1", eq(p[0], Integer(1))])
    .cite("rejecting with probability p_i on S_i, with falling p_i, has the errors of a mixture: with "
          "weight p_(i-1) - p_i the union of the first i - 1 sets is rejected",
          "kov/sec-9.3.convex")
    .induction("n", eq(Sum(step, (i, 1, n)) + p[n], Integer(1)),
               because="the weights, none of them negative, add up to 1, with p_(n+1) = 0")
    .cite("a rule with infinitely many values is a mean of hard rules, one for each threshold, and a mean "
          "of points of the plane lies in their convex hull", "Caratheodory; Rockafellar, Convex Analysis")
)

remark_2_2 = Statement(
    place=kov.remark("2.2"),
    title="Soft rules stay in the region",
    beyond=LAWS,
    claims=(
        Structural(
            "",
            r"for every decision rule, randomised ones included, the pair of its errors lies in the "
            r"region (3)",
            examples=(
                Example("soft-rule-is-inside", {"p": ("1/2", "1/3", "1/6"), "q": ("1/3", "1/6", "1/2"),
                                                "reject": ("1/5", "0", "9/10")}),
                Example("soft-rule-is-inside", {"p": ("1", "0"), "q": ("0", "1"),
                                                "reject": ("1/2", "1/3")}),
            ),
            derivation=layers,
        ),
    ),
)

convexity = (
    Derivation("A mixture of two points of R(eps, delta) is in it",
               where=[*parameters, "0 <= t <= 1", "x + exp(eps)*y >= 1 - delta",
                      "u + exp(eps)*v >= 1 - delta", "exp(eps)*x + y >= 1 - delta",
                      "exp(eps)*u + v >= 1 - delta"])
    .state("t*(x + exp(eps)*y - (1 - delta)) + (1 - t)*(u + exp(eps)*v - (1 - delta)) >= 0",
           "the first condition of (2)")
    .state("t*(exp(eps)*x + y - (1 - delta)) + (1 - t)*(exp(eps)*u + v - (1 - delta)) >= 0",
           "and the second")
    .cite("so the hull of the points of all rejection sets lies in R(eps, delta) exactly if these points "
          "do, that is if (1) holds; for all neighbours, if and only if the mechanism is private",
          "kov/thm-2.1")
)

corollary_2_3 = Statement(
    place=kov.corollary("2.3"),
    title="Private means: the region is inside",
    beyond=LAWS,
    claims=(
        Structural(
            "",
            r"a mechanism is $(\varepsilon,\delta)$-DP if and only if the union of its regions (3) over "
            r"all neighbours lies in the region (2)",
            derivation=convexity,
        ),
    ),
)

forward = le(1 - false_alarm, exp(eps) * missed + delta)

printed_forward = (
    Derivation("Section 9.2, as printed: from sets to tests", where=[
        *parameters, "0 <= a <= 1", "0 <= b <= 1", "a <= exp(eps)*b + delta",
        "1 - b <= exp(eps)*(1 - a) + delta"])
    .let(false_alarm, "1 - a")
    .let(missed, "b")
    .state("a <= exp(eps)*b + delta", "the definition, for the complement of the rejection set")
    .implies(forward)
    .implies("P_FA + exp(eps)*P_MD >= 1 - delta", "the first inequality of (1)")
    .state("exp(eps)*P_FA + P_MD >= 1 - delta", "the second, from the rejection set and the other order")
)
back_to_sets = (
    Derivation("Back to sets", where=[*parameters, "0 <= a <= 1", "0 <= b <= 1"])
    .lemma("one order", "a <= exp(eps)*b + delta",
           [*errors, "1 - P_FA <= exp(eps)*P_MD + delta"])
    .lemma("the other", "b <= exp(eps)*a + delta",
           ["P_FA == 1 - b", "P_MD == a", "1 - P_FA <= exp(eps)*P_MD + delta"])
    .state("1 - (1 - a) == a", "the complement of a complement is the set: none is missed")
)

proof_of_theorem_2_1 = Statement(
    place=kov.section("9.2"),
    title="Privacy for all sets, and for all tests",
    beyond=LAWS,
    hypotheses=(
        r"Outside of the rejection set there is mass $a$ under $D_0$ and $b$ under $D_1$; so "
        r"$P_{\mathrm{FA}}=1-a$ and $P_{\mathrm{MD}}=b$."
    ),
    variables={eps: nonnegative, delta: unit, a: unit, b: unit, false_alarm: unit, missed: unit},
    claims=(
        Inequality(
            "forward",
            r"where the complement of the rejection set satisfies the definition, the errors satisfy "
            r"$1-P_{\mathrm{FA}}\le e^\varepsilon P_{\mathrm{MD}}+\delta$",
            forward,
            where=(le(a, exp(eps) * b + delta), eq(false_alarm, 1 - a), eq(missed, b)),
            printed_at="Section 9.2, first paragraph",
        ),
        Structural(
            "converse",
            r"if the inequality holds for every rejection set, and likewise with the databases exchanged, "
            r"the mechanism is $(\varepsilon,\delta)$-DP",
            printed_at="Section 9.2, second paragraph",
            derivation=back_to_sets,
        ),
    ),
)

proof = SourceProof(
    kov.section("9.2"), "The proof that privacy is a bound on tests",
    (printed_forward, back_to_sets), (by_complements, one_is_enough),
    supports=("kov/sec-9.2.converse", "kov/thm-2.1", "kov/thm-2.1.sharper"))
