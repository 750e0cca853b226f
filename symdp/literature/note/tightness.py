r"""How tight advanced composition is: the exact $\varepsilon$ of $k$ randomised responses, from below.

Both derivations speak of the loss $Z$ of $k$ randomised responses: of mean
$k\varepsilon\tanh(\varepsilon/2)$, of a variance of at most $k\varepsilon^2$, and with
$\delta(E)=\mathbb{E}(1-e^{E-Z})_+$.
"""

from sympy import exp, log, oo, sqrt, tanh

from symdp.formulas.notation import eps, k, slack, symbol
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.example import Example
from symdp.sources.regime import Regime
from symdp.sources.statement import Asymptotic, Optimality, Structural, positive

C = symbol("C")

drift = k * eps * (exp(eps) - 1)
#: the bound as the note prints it, and as it stands in the textbook, with epsilon before the root
printed = sqrt(2 * k * log(1 / slack) * eps) + drift
classic = eps * sqrt(2 * k * log(1 / slack)) + drift
mean = k * eps * tanh(eps / 2)
least = mean - 2 * eps * sqrt(k) - 1


def from_below(title: str, *where: str) -> Derivation:
    """The lines that show: for a delta of at most 1/2, ``least`` is not more than the exact epsilon."""
    return (
        Derivation(title, where=["k >= 1", "0 < slack <= 1/2", "z >= x", *where], integer=["k"])
        .cite("the worst case is that of k independent randomised responses",
              "Kairouz, Oh and Viswanath, Theorem 3.3")
        .state("k*eps^2*(1 - tanh(eps/2)^2) <= k*eps^2", "the variance of their loss")
        .cite("a variable is below its mean by T with probability at most v/(v + T^2), for a variance "
              "of at most v", "Cantelli's inequality")
        .start("1 - k*eps^2/(k*eps^2 + (2*eps*sqrt(k))^2)").eq("4/5", "T = 2 eps sqrt(k)")
        .state("1 - exp((x - 1) - z) >= 1 - exp(-1)", "what a loss z >= x adds to delta at x - 1")
        .state("(1 - exp(-1))*(4/5) > slack", "so delta is not reached at the mean less T and 1")
    )


growth = (
    from_below("The exact epsilon grows linearly", "eps > 0")
    .start(least / k).ge("eps*tanh(eps/2) - (2*eps + 1)/sqrt(k)", "from below, for each step")
    .cite("the mean and the deviation eps sqrt(2 k log(1/slack)) are enough",
          "Kairouz, Oh and Viswanath, Theorem 3.4")
    .start("(k*eps*tanh(eps/2) + eps*sqrt(2*k*log(1/slack)))/k")
    .eq("eps*tanh(eps/2) + eps*sqrt(2*log(1/slack))/sqrt(k)", "from above, for each step")
)

up_to_a_factor = (
    from_below("Up to a factor of 18", "0 < eps <= 1", "k*eps^2 >= 64", "log(1/slack) <= k*eps^2")
    .state("exp(eps) - 1 <= 2*eps", label="exponential")
    .state("tanh(eps/2) >= 46/100*eps", label="mean")
    .state("eps*sqrt(2*k*log(1/slack)) <= sqrt(2)*k*eps^2", label="deviation")
    .lemma("large", "sqrt(2)*x^2 + 2*x^2 <= 18*(46/100*x^2 - 2*x - 1)", where=["x >= 8"])
    .state("eps*sqrt(k) >= 8", "k*eps^2 is at least 64", label="root")
    .start(classic)
    .le("sqrt(2)*k*eps^2 + 2*k*eps^2", by=["exponential", "deviation"])
    .le("18*(46/100*k*eps^2 - 2*eps*sqrt(k) - 1)", by=["root", use("large", x="eps*sqrt(k)")])
    .le(18 * least, by="mean")
)

#: w is the product of the two probabilities of an answer
square_root = (
    Derivation("The deviation is of the order of the root", integer=["k"],
               where=["0 < eps <= 1", "k >= 1", "1/6 <= w <= 1/4"])
    .state("exp(eps)/(1 + exp(eps))^2 >= 1/6").state("exp(eps)/(1 + exp(eps))^2 <= 1/4")
    .state("16*k*eps^4*w*(1 - 3*w) + 3*k*(k - 1)*(4*w*eps^2)^2 <= 3*(4*w*eps^2*k)^2",
           "the fourth central moment is at most three times the squared variance")
    .cite("a centred variable with such a fourth moment exceeds a tenth of its deviation with "
          "probability at least (1/(2 sqrt(3)) - 1/10)^2", "Hoelder, then Paley and Zygmund")
    .state("(1/(2*sqrt(3)) - 1/10)^2 >= 7/200")
    .suppose("s > 0", "z >= x")
    .state("1 - exp((x - s/20) - z) >= 1 - exp(-s/20)",
           "what such a loss adds to delta at s/20 over the mean")
)

tightness = (
    Optimality(
        "tight",
        r"up to a constant factor, no bound on the $\varepsilon$ of $k$ steps is better",
        examples=(
            Example("some-constant-suffices", {
                "bound": printed,
                "enough": k * eps,
                "along": {"k": 1, "eps": 1, "slack": exp(-(C**2))},
            }),
        ),
    ),
    Optimality(
        "tight.corrected",
        r"for $\varepsilon\le1$, $k\varepsilon^2\ge64$ and "
        r"$e^{-k\varepsilon^2}\le\tilde{\delta}\le1/2$ the textbook's bound is at most 18 times "
        r"the exact $\varepsilon$",
        role="corrected",
        improves="tight",
        because=(
            r"a condition is missing: for a fixed $k$ the bound grows like "
            r"$\sqrt{\log(1/\tilde{\delta})}$, where $k\varepsilon$ is always enough, and "
            r"$e^\varepsilon-1$ has no limit; where the mean of the loss dominates, the claim holds"
        ),
        derivation=up_to_a_factor,
    ),
    Asymptotic(
        "lower",
        r"the exact $\varepsilon$ of $k$ randomised responses divided by $k$ differs from "
        r"$\varepsilon\tanh(\varepsilon/2)$ by $O(1/\sqrt k)$: for a fixed $\varepsilon$ the growth "
        r"is linear",
        mean, "Theta", k, Regime(moving={k: oo}, fixed=frozenset({eps})),
        variables={eps: positive},
        task="derive",
        derivation=growth,
    ),
    Structural(
        "lower.square-root",
        r"for $\varepsilon\le1$ and $\tilde{\delta}\le\frac{7}{200}(1-e^{-s/20})$, where $s$ is the "
        r"deviation $\varepsilon\sqrt k/\cosh(\varepsilon/2)$ of the loss, the exact $\varepsilon$ is "
        r"at least $s/20$: a growth with $\sqrt k$ is unavoidable",
        role="sharper",
        improves="lower",
        because="it names how large $\\tilde{\\delta}$ may be for the root to be seen",
        derivation=square_root,
    ),
)

