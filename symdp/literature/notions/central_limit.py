r"""The central limit of composition, with its error: $k$ steps are about one Gaussian test.

What the theorem says of randomised response is computed here: its separation and its error have short forms.
"""

from sympy import Rational, cosh, exp, sinh, sqrt, tanh

from symdp.formulas.notation import eps, k
from symdp.formulas.relation import eq, le
from symdp.literature.notions import notions
from symdp.sources.statement import (
    Identity,
    Inequality,
    Statement,
    Structural,
    positive,
    positive_integer,
)

t = tanh(eps / 2)
truth = exp(eps) / (1 + exp(eps))
third = truth * (1 - t) ** 3 + (1 - truth) * (1 + t) ** 3
constant = Rational(56, 100)
gamma = constant * cosh(eps / 2) * (1 + t**2) / sqrt(k)
separation = 2 * sqrt(k) * sinh(eps / 2)

central_limit = Statement(
    place=notions.at("clt", "The central limit of composition"),
    title="The central limit of composition, with its error",
    hypotheses=r"Of $k$ mechanisms with symmetric trade-offs, $\mathrm{kl}$, $\kappa_2$ and $\bar\kappa_3$ are the "
               r"mean, the second moment and the third absolute central moment of each loss; "
               r"$\mu=2\sum\mathrm{kl}/s$ and $\gamma=0.56\sum\bar\kappa_3/s^3<1/2$, where "
               r"$s^2=\sum(\kappa_2-\mathrm{kl}^2)$.",
    variables={eps: positive, k: positive_integer},
    formulas={"separation of k randomised responses": separation, "their error": gamma},
    claims=(
        Structural(
            "two-sided",
            r"the trade-off of the composition is between $G_\mu(\alpha+\gamma)-\gamma$ and "
            r"$G_\mu(\alpha-\gamma)+\gamma$ for $\gamma\le\alpha\le1-\gamma$, where $G_\mu$ is that of "
            r"$N(0,1)$ against $N(\mu,1)$",
            task="cite",
        ),
        Identity(
            "third-moment",
            r"of randomised response, $\bar\kappa_3/\varepsilon^3=1-\tanh^4(\varepsilon/2)$",
            eq(third, 1 - t**4),
        ),
        Identity(
            "separation",
            r"of $k$ randomised responses, $\mu^2=4k\sinh^2(\varepsilon/2)$",
            eq((2 * k * eps * t) ** 2 / (k * eps**2 * (1 - t**2)), 4 * k * sinh(eps / 2) ** 2),
        ),
        Identity(
            "error",
            r"of $k$ randomised responses, "
            r"$\gamma^2=(0.56\cosh(\varepsilon/2)(1+\tanh^2(\varepsilon/2)))^2/k$",
            eq((constant * k * eps**3 * (1 - t**4)) ** 2 / (k * eps**2 * (1 - t**2)) ** 3,
               (constant * cosh(eps / 2) * (1 + t**2)) ** 2 / k),
        ),
        Inequality(
            "error-floor",
            r"however private they are, this error is at least $0.56/\sqrt k$: of a smaller $\delta$ it says nothing",
            le(constant / sqrt(k), gamma),
        ),
    ),
    cites=("dong2022gaussian",),
)
