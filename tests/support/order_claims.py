"""The order relations of the sources, as data: for the tests and for `benchmarks/orders.py`."""

from sympy import Integer, oo

from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.parsing import parse_expression
from symdp.sources.regime import Regime

ZERO = Integer(0)
c = symbol("c")


def followed(**meanings):
    return {symbol(v): parse_expression(e) for v, e in meanings.items()}


def fixed(*names):
    return frozenset(symbol(n) for n in names)


ALL = ["eps > 0", "k >= 1", "0 < slack < 1"]
old = "k*eps*(exp(eps)-1) + eps*sqrt(2*k*log(1/slack))"
old_order = "k*eps^2 + eps*sqrt(k*log(1/slack))"
new = "k*eps*tanh(eps/2) + eps*sqrt(2*k*log(e+eps*sqrt(k)/slack))"
new_simple = "k*eps^2 + eps*sqrt(2*k*log(e+eps*sqrt(k)/slack))"
new_order = "k*eps^2 + eps*sqrt(k*log(e+eps*sqrt(k)/slack))"
typical = [*ALL, "0 < delta < 1", "1/4 <= a <= 4", "1/4 <= b <= 4"]
proportional = ["eps > 0", "0 < delta < 1", "k >= 1", "0 < nu < 1", "1/4 <= c <= 4"]

#: Lemma 1 with the choices of Appendix C.1: 2 |S| eta w with w = 4 log(2/delta_0)/eps_0.
old_error = "2*S*eta*4*sqrt(4*r*log(2/delta))/eps*log(4*r/delta)"
new_error = "2*S*eta*4*sqrt(4*r*log(e+2*eps/delta))/eps*log(4*r/delta)"
old_error_order = "S*sqrt(log(1/delta)*log(k/nu))/eps*log(log(k/nu)/(eta^2*delta))"
new_error_order = "S*sqrt(log(e+eps/delta)*log(k/nu))/eps*log(log(k/nu)/(eta^2*delta))"
rows = Regime({}, followed(r="8*log(2/nu)/eta^2"))
johnson = ["eps > 0", "0 < delta < 1", "0 < nu < 1", "0 < eta < 1", "S > 0", "r > 0", "k >= 1"]
away = ["delta <= 1/2", "nu <= 1/2", "eta <= 1/2"]

#: The order relations of the sources: id, left, order, right, regime, domain, verdict.
CLAIMS = [
    ("kov/sec-1.drv-order", old, "O", old_order, Regime(), ALL, "refuted"),
    ("kov/sec-1.drv-order.corrected", old, "O", old_order, Regime(), [*ALL, "eps <= 1"], "proved"),
    ("kov/sec-1.new-order", new, "O", new_order, Regime(), ALL, "proved"),
    ("kov/sec-1.new-order, simplified", new_simple, "O", new_order, Regime(), ALL, "proved"),
    ("kov/sec-1.log-gain", old_order, "Theta", f"({new_order})*sqrt(log(1/slack))",
     Regime({delta: ZERO}, followed(slack="a*k*delta", eps="b*sqrt(k*delta)"), fixed("k")),
     typical, "refuted"),
    ("kov/sec-1.log-gain.corrected", "eps*sqrt(k*log(1/slack))", "Theta",
     "eps*sqrt(k*log(e+eps*sqrt(k)/slack))*sqrt(log(1/slack))",
     Regime({slack: ZERO}, followed(delta="slack/(a*k)", eps="b*slack/sqrt(k)"), fixed("k")),
     typical, "proved"),
    ("kov/sec-1.small-gain", "sqrt(k*log(e+eps*sqrt(k)/slack))*eps", "o", "eps*sqrt(k*log(1/slack))",
     Regime({slack: ZERO}, followed(eps="b*slack/sqrt(k)"), fixed("k")),
     [*ALL, "1/4 <= b <= 4"], "proved"),
    ("kov/sec-3.1.slack-order, uniformly", new_simple, "O", "k*eps^2 + sqrt(k*eps^2)", Regime(), ALL,
     "refuted"),
    ("kov/sec-3.2.order", new_simple, "O",
     "k*eps^2 + min(sqrt(k*eps^2*log(1/slack)), eps*log(eps/slack))", Regime(), [*ALL, "eps <= 1"],
     "refuted"),
    ("kov/sec-3.2.slack", "log(e + sqrt(k*eps^2)/slack)", "O", "1",
     Regime({}, followed(slack="a*sqrt(k*eps^2)")), [*ALL, "1/4 <= a <= 4"], "proved"),
    ("kov/sec-4.1.gaussian-gain", "k*log(1/delta)/eps^2", "Theta",
     "log(1/delta)*k*log(e+eps/delta)/eps^2", Regime({eps: ZERO}, {delta: c * eps}, fixed("k")),
     proportional, "proved"),
    ("kov/app-b.only-need", "8*k*log(e + eps/delta)/eps^2", "O", "k*log(e + eps/delta)/eps^2",
     Regime(), ["eps > 0", "0 < delta <= 1", "k >= 1"], "proved"),
    ("kov/eq-31.order", old_error, "O", old_error_order, rows, johnson, "refuted"),
    ("kov/eq-31.order.corrected, k = 2", old_error, "O", old_error_order.replace("k/nu", "2/nu"), rows,
     [*johnson, *away], "proved"),
    ("kov/eq-32.gain", "sqrt(log(1/delta)*log(k/nu))/eps", "Theta",
     "sqrt(log(1/delta))*sqrt(log(e+eps/delta)*log(k/nu))/eps",
     Regime({delta: ZERO}, {eps: c * delta}, fixed("k", "nu")), proportional, "proved"),
    ("kov/app-c.1.variance-gain", "log(1/delta)/eps^2", "Theta", "log(1/delta)*log(e+eps/delta)/eps^2",
     Regime({delta: ZERO}, {eps: c * delta}), ["eps > 0", "0 < delta < 1", "1/4 <= c <= 4"], "proved"),
    ("icml/cor-4.2.mse", "k*8*k*log(e+eps/delta)/eps^2", "O", "k^2*log(e+eps/delta)/eps^2",
     Regime(), ["eps > 0", "0 < delta <= 1", "k >= 1"], "proved"),
    ("note/thm-3.20.growth", old, "O", "sqrt(k)", Regime({k: oo}, {}, fixed("eps", "slack")), ALL,
     "refuted"),
    ("note/thm-3.20.growth.corrected", old, "Theta", "k", Regime({k: oo}, {}, fixed("eps", "slack")),
     ALL, "proved"),
    ("note/thm-3.20.small-epsilon", old, "~", "2*eps*sqrt(k*log(1/slack))",
     Regime({eps: ZERO}, {}, fixed("k", "slack")), ALL, "refuted"),
    ("note/thm-3.20.small-epsilon.corrected", old, "~", "eps*sqrt(2*k*log(1/slack))",
     Regime({eps: ZERO}, {}, fixed("k", "slack")), ALL, "proved"),
    ("blog/sec-advanced.asymptotic", "sqrt(k*(4*log(1/delta)+4*eps)/(2*eps^2))", "o", "k/eps",
     Regime({k: oo}, {}, fixed("eps", "delta")), ["eps > 0", "0 < delta < 1", "k >= 1"], "proved"),
    ("blog/sec-advanced.sqrt-noise", "sqrt(k*(4*log(1/delta)+4*eps)/(2*eps^2))", "Theta", "sqrt(k)",
     Regime({k: oo}, {}, fixed("eps", "delta")), ["eps > 0", "0 < delta < 1", "k >= 1"], "proved"),
    ("blog/sec-advanced.linear-noise", "k/eps", "Theta", "k", Regime({k: oo}, {}, fixed("eps")),
     ["eps > 0", "k >= 1"], "proved"),
]

#: Those that take the prover longer; `benchmarks/orders.py` settles them as well.
SLOW = [
    ("kov/eq-31.order.corrected", old_error, "O", old_error_order, rows, [*johnson, *away], "proved"),
    ("kov/eq-32.order.corrected", new_error, "O", new_error_order, rows, [*johnson, *away], "proved"),
    ("kov/sec-3.1.slack-order", new_simple, "O", "k*eps^2 + sqrt(k*eps^2)",
     Regime({}, followed(eps="u/sqrt(k)"), fixed("slack")), [*ALL, "u > 0"], "proved"),
]
