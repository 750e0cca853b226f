r"""What numerical accountants lose by rounding privacy losses to multiples of $h$.

A loss is rounded by at most $h$; the errors of $k$ losses add up to $kh$ at worst, and to about $h\sqrt k$ where the
rounding keeps means.
"""

from sympy import exp, log, sqrt

from symdp.formulas.notation import delta, eps, k, symbol, x
from symdp.formulas.relation import ge, le
from symdp.literature.notions import notions
from symdp.sources.statement import (
    Comparison,
    Inequality,
    Statement,
    Structural,
    positive,
    positive_integer,
    real,
    unit_open,
)

h, s, y = symbol("h"), symbol("s"), symbol("y")
w = h / (1 - exp(-h))
risen = w * (1 - exp(-s)) - s

rounding_of_losses = Statement(
    place=notions.at("rounding", "Rounding privacy losses"),
    title="What rounding privacy losses costs",
    hypotheses=r"Each of $k$ privacy losses is rounded to a multiple of $h$; $\delta$ is a probability of failure.",
    variables={eps: positive, h: positive, x: real, y: real, k: positive_integer, delta: unit_open, s: positive},
    formulas={"error at worst": k * h / 2, "error with means kept": h * sqrt(k * log(2 / delta) / 2)},
    claims=(
        Inequality(
            "moved",
            r"where the sum of the losses, $x$, is at most $h$ above that of the rounded ones, $y$, what counts "
            r"towards $\delta(\varepsilon)$ is at most what counts for $y$ at $\varepsilon-h$",
            le(1 - exp(eps - x), 1 - exp(eps - h - y)),
            where=(le(x, y + h),),
        ),
        Structural(
            "means-kept",
            r"if every loss is rounded to the nearest multiple and all are moved so that the mean is kept, then with "
            r"probability $1-\delta$ the sums differ by at most $h\sqrt{k\log(2/\delta)/2}$: Hoeffding's inequality, "
            r"as in the accountant of Gopi, Lee and Wutschitz",
            task="cite",
        ),
        Comparison(
            "square-root",
            r"for an error of $h/2$ in each loss, Hoeffding's $h\sqrt{k\log(2/\delta)/2}$ is at most the $kh/2$ of "
            r"the worst case as soon as $k\ge2\log(2/\delta)$",
            le(h * sqrt(k * log(2 / delta) / 2), k * h / 2),
            where=(ge(k, 2 * log(2 / delta)),),
        ),
        Inequality(
            "spread-rises",
            r"a loss that is $s$ above the lower of its two neighbours, spread over both so that its masses under "
            r"both laws are kept, has a mean that does not fall",
            le(0, risen),
            where=(le(s, h),),
        ),
        Inequality(
            "spread-most",
            r"it rises by at most $w-1-\log w$ with $w=h/(1-e^{-h})$, wherever in its cell the loss is",
            le(risen, w - 1 - log(w)),
        ),
        Inequality(
            "spread-square",
            r"and by at most $hs$: the error of spreading is of second order in $h$",
            le(risen, h * s),
        ),
    ),
    cites=("gopi2021numerical",),
)
