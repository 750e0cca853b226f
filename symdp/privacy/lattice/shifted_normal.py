r"""Moments of the loss between a normal law and its mixture with a shifted one, by a sum with a proved error.

With $Y$ standard normal and $w(y) = 1 - q + q\,e^{\mu y - \mu^2/2}$, the density of the mixture
$(1-q)\,N(0,1) + q\,N(\mu,1)$ over that of $N(0,1)$, the loss is $\log w$ under the mixture, or $-\log w$ under
$N(0,1)$: its moments are $E\,w(Y)^p$ at $p = s + 1$, or at $p = -s$.

**On lines beside the real one.** For $0 < b < \pi/\mu$, $w(y + ib)$ is a positive combination of $1$ and
$e^{i\mu b}$: its argument lies in $[0, \mu b]$, and $\cos(\mu b/2)\,w(y) \le |w(y+ib)| \le w(y)$ (the real part of
$e^{-i\mu b/2}\,w(y+ib)$ is the lower bound). So with $g = \operatorname{Re} p$ and $t = |\operatorname{Im} p|$,
$$|\varphi(y+ib)\,w(y+ib)^p| \le \varphi(y)\,e^{b^2/2}\,C\,w(y)^g\,e^{t\mu b}, \qquad
  C = 1 \text{ for } g \ge 0,\quad C = \cos(\mu b/2)^{g} \text{ for } g < 0.$$

**The sum.** For $f$ analytic in $|\operatorname{Im} y| \le b$ and small at both ends,
$\eta \sum_n f(n\eta)$ differs from $\int f$ by at most
$\bigl(\int |f(x+ib)|\,dx + \int |f(x-ib)|\,dx\bigr)/(e^{2\pi b/\eta} - 1)$
(residues of $1/(1 - e^{-2\pi i y/\eta})$). Here that is at most
$2\,C\,e^{b^2/2 + t\mu b}\,E\,w^g / (e^{2\pi b/\eta} - 1)$; applied to $p = g$, it bounds $E\,w^g$ itself.

**The ends of the sum.** Beyond the last node $Y > 0$ the terms fall at least like $e^{-(Y - g^+\mu)x}$, because
$\log w$ has a slope between 0 and $\mu$; before the first node $-Y$ at least like $e^{-Yx}$, of $\varphi\,w^g$ for
$g \ge 0$, and of $\varphi\,(1-q)^g$ for $g < 0$: geometric series.

**How fast it falls.** Moving the line of integration to where $w^{it}$ is small,
$$|E\,w^{g+it}| \le e^{a^2/2}\,E\bigl[\,|w(Y+ia)|^g\,e^{-t \arg w(Y+ia)}\bigr] \qquad (0 < a < \pi/\mu),$$
and the right side falls with $t$, so that it bounds everything from $t$ on. Its integrand is
$\varphi(y)\,w(y+ia)^{p/2}\,w(y-ia)^{\bar p/2}$ on the real line, analytic for
$|\operatorname{Im} y| < \pi/\mu - a$, and at most $\varphi(y)\,e^{b^2/2}\,C\,w(y)^g\,e^{t\mu (b-a)^+/2}$ on its
lines $\pm ib$, now with $C = \cos(\mu(a+b)/2)^g$ for $g < 0$.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Any

from flint import acb, arb, ctx

from symdp.privacy.lattice.moments import Moments, TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants

#: The largest part of the strip of analyticity that is used, for powers that are positive or negative.
PART_OF_STRIP, PART_OF_STRIP_BELOW = 0.95, 0.8
#: More would take seconds.
MOST_NODES, MOST_PRODUCTS = 20_000, 3_000_000
#: So often a term is turned before it is computed anew.
BLOCK = 16
#: Nodes of the sums in floating point, which are hints.
HINT_STEP = 0.1
#: How far the line of integration is moved for a bound, at most, in parts of the strip.
MOST_MOVED = 0.7


@dataclass(frozen=True)
class _Nodes:
    """The points of a sum, with log w and the weight of the normal law at each."""

    step: Any
    first: Any
    last: Any
    logs: list[Any]
    weights: list[Any]
    points: list[Any]


class ShiftedNormal(Moments):
    """Of the mixture against the normal law, or reversed of the normal law against the mixture.

    ``distance`` is mu > 0, and ``rate`` is q, strictly between 0 and 1; each gives a ball at the working precision.
    """

    def __init__(self, distance: Callable[[], Any], rate: Callable[[], Any], reverse: bool) -> None:
        self.distance, self.rate, self.reverse = distance, rate, reverse
        with ctx.workprec(64):
            self._mu, self._q = float(distance().mid()), float(rate().mid())

    # --- what is asked of moments -------------------------------------------------------------

    def at(self, s: Any) -> Any:
        return self._powers([s])[0]

    def along(self, c: Any, h: Any, many: int) -> list[Any]:
        return self._powers([acb(c, h * n) for n in range(many)])

    def beyond(self, c: Any, t: Any) -> Any:
        g = self._power(acb(c)).real
        a = self._best_move(float(g.mid()), float(t.mid()))
        return self._bound_on_line(g, t, arb(a)).min(self.real(c).upper())

    def cumulants(self, many: int) -> Cumulants:
        """By a sum in floating point."""

        def cumulants(tilt: float) -> tuple[float, float, float]:
            power = -tilt if self.reverse else tilt + 1
            sign = -1 if self.reverse else 1
            value, first, second = self._float_moments(power)
            return many * value, many * sign * first, many * second

        return cumulants

    def _float_moments(self, power: float) -> tuple[float, float, float]:
        """log E w^p, and the mean and variance of log w under the law weighted by w^p."""
        low, high = -9.0, 9.0 + max(power, 0.0) * self._mu
        step = max(HINT_STEP, (high - low) / 2000)
        terms = []
        for n in range(int((high - low) / step) + 1):
            y = low + n * step
            log_w = self._float_log(y)
            terms.append((power * log_w - y * y / 2, log_w))
        top = max(log_term for log_term, _ in terms)
        weights = [(math.exp(log_term - top), log_w) for log_term, log_w in terms]
        norm = sum(weight for weight, _ in weights)
        mean = sum(weight * log_w for weight, log_w in weights) / norm
        variance = sum(weight * (log_w - mean) ** 2 for weight, log_w in weights) / norm
        return top + math.log(norm * step / math.sqrt(2 * math.pi)), mean, variance

    def _float_log(self, y: float) -> float:
        odds = math.log(self._q / (1 - self._q)) + self._mu * y - self._mu**2 / 2
        return math.log1p(-self._q) + (odds + math.log1p(math.exp(-odds)) if odds > 0 else math.log1p(math.exp(odds)))

    def _best_move(self, power: float, t: float) -> float:
        """The move of the line that makes the bound about least: by thirds, on a sum in floating point."""
        step = max(HINT_STEP, (18 + max(power, 0.0) * self._mu) / 400)
        grid = [-9.0 + n * step for n in range(int((18 + max(power, 0.0) * self._mu) / step) + 1)]
        terms = [(power * self._float_log(y) - y * y / 2, y) for y in grid]
        top = max(log_term for log_term, _ in terms)
        kept = [(-y * y / 2 - top, math.exp(min(self._mu * y - self._mu**2 / 2, 300.0)))
                for log_term, y in terms if log_term > top - 40]

        def bound(a: float) -> float:
            turn, rest = self._mu * a, 1 - self._q
            total = 0.0
            for weight, ratio in kept:
                across, along = self._q * ratio * math.sin(turn), rest + self._q * ratio * math.cos(turn)
                log_size = math.log(math.hypot(across, along))
                total += math.exp(min(weight + power * log_size - t * math.atan2(across, along), 300.0))
            return a * a / 2 + math.log(total) if total > 0 else -math.inf

        low, high = 0.0, MOST_MOVED * math.pi / self._mu
        for _ in range(14):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, other) if bound(one) <= bound(other) else (one, high)
        return (low + high) / 2

    def _power(self, s: Any) -> Any:
        return -s if self.reverse else s + 1

    # --- the sums ------------------------------------------------------------------------------

    def _powers(self, orders: list[Any]) -> list[Any]:
        """E w^p for several orders of one real part, equally far apart."""
        powers = [self._power(s) for s in orders]
        g, t = powers[0].real, max((abs(p.imag).upper() for p in powers), key=lambda x: float(x.mid()))
        strip, step = self._strip(g, float(t.mid()), 0.0)
        nodes = self._nodes(g, step)
        if len(nodes.points) * len(powers) > MOST_PRODUCTS:
            raise TooSlow(f"more than {MOST_PRODUCTS} products would be needed for the moments")
        ends = self._ends(nodes, g, arb(1))
        real = sum((weight * (g * log).exp() for log, weight in zip(nodes.logs, nodes.weights, strict=True)), arb(0))
        relative = self._relative_error(g, strip, step, t * strip * self.distance(), strip)
        if not relative < 0.5:
            raise TooSlow("the sum for a moment is too coarse")
        # E w^g <= (sum + ends) / (1 - error of the sum in parts of E w^g)
        error = (ends + relative * (real + ends) / (1 - relative)).upper()
        around = acb((-error).union(error), (-error).union(error))
        found = [acb(real + around.real) if powers[0].imag == 0 else self._sum(nodes, powers[0]) + around]
        if len(powers) > 1:
            # The orders are equally far apart: from one to the next each term is turned by the same factor.
            turns = [((powers[1] - powers[0]) * log).exp() for log in nodes.logs]
            terms: list[Any] = []
            for n, p in enumerate(powers):
                if n % BLOCK == 0:  # rectangles grow as they are turned: begin anew
                    terms = [(p * log).exp() * weight for log, weight in zip(nodes.logs, nodes.weights, strict=True)]
                else:
                    terms = list(map(mul, terms, turns))
                if n > 0:
                    found.append(sum(terms, acb(0)) + around)
        return found

    @staticmethod
    def _sum(nodes: _Nodes, p: Any) -> Any:
        return sum(((p * log).exp() * weight for log, weight in zip(nodes.logs, nodes.weights, strict=True)), acb(0))

    def _relative_error(self, g: Any, strip: Any, step: Any, log_growth: Any, widest: Any) -> Any:
        """Of a sum with that step, in parts of E w^g: 2 C e^(b^2/2 + growth) / (e^(2 pi b/eta) - 1)."""
        log_most = strip**2 / 2 + log_growth
        if not g >= 0:
            log_most += g.min(arb(0)) * (self.distance() * widest / 2).cos().log()
        return 2 * log_most.exp() / (2 * arb.pi() * strip / step).expm1()

    def _strip(self, g: Any, t: float, moved: float) -> tuple[Any, Any]:
        """Half the width of a strip, and a step whose error in it is below the working precision."""
        wanted = (ctx.prec + 4) * math.log(2)
        power = float(g.mid())
        part = PART_OF_STRIP if power >= 0 else PART_OF_STRIP_BELOW
        b = min(math.sqrt(2 * wanted), part * (math.pi / self._mu - moved))
        most = wanted + b * b / 2 + t * self._mu * b
        if power < 0:
            most += power * math.log(math.cos(self._mu * (b + moved) / 2))
        return arb(b), arb(2 * math.pi * b / most)

    def _nodes(self, g: Any, step: Any) -> _Nodes:
        """All multiples of the step that matter, and a few more."""
        power, size = float(g.mid()), float(step.mid())
        small = (ctx.prec + 6) * math.log(2)
        low, high = self._where(power, small)
        first, last = math.floor(low / size), math.ceil(high / size)
        if last - first > MOST_NODES:
            raise TooSlow(f"a sum of more than {MOST_NODES} terms would be needed for one moment")
        mu, q = self.distance(), self.rate()
        norm = step / (2 * arb.pi()).sqrt()
        points = [step * n for n in range(first, last + 1)]
        logs = [(1 - q + q * (mu * y - mu * mu / 2).exp()).log() for y in points]
        weights = [norm * (-y * y / 2).exp() for y in points]
        return _Nodes(step, points[0], points[-1], logs, weights, points)

    def _where(self, power: float, small: float) -> tuple[float, float]:
        """Between which points the terms are not negligible: hints."""
        quarters = range(-8, 9 + int(4 * max(power, 0) * self._mu))
        top = max(power * self._float_log(y / 4) - y * y / 32 for y in quarters)
        low, high = -2.0, 2.0 + max(power, 0.0) * self._mu
        while power * self._float_log(low) - low * low / 2 > top - small:
            low -= 0.25
        while power * self._float_log(high) - high * high / 2 > top - small:
            high += 0.25
        return low, high

    def _ends(self, nodes: _Nodes, g: Any, widened: Any) -> Any:
        """The terms outside of the nodes, of phi w^g times a constant."""
        above = nodes.last - g.max(arb(0)) * self.distance()
        below = -nodes.first
        if not (above > 0 and below > 0):
            return arb.pos_inf()
        last = nodes.weights[-1] * (g * nodes.logs[-1]).exp()
        floor = nodes.logs[0] if g >= 0 else (1 - self.rate()).log()
        first = nodes.weights[0] * (g * floor).exp()
        return (last / (above * nodes.step).expm1() + first / (below * nodes.step).expm1()) * widened

    def _bound_on_line(self, g: Any, t: Any, a: Any) -> Any:
        """At least |E w^(g + iu)| for all |u| >= t, by the line of integration moved by a."""
        mu, q = self.distance(), self.rate()
        strip, step = self._strip(g, float(t.mid()) / 2, float(a.mid()))
        nodes = self._nodes(g, step)
        turn = acb(0, mu * a).exp()
        total = arb(0)
        for y, weight in zip(nodes.points, nodes.weights, strict=True):
            log = (1 - q + turn * (q * (mu * y - mu * mu / 2).exp())).log()
            total += weight * (g * log.real - t * log.imag).exp()
        widened = arb(1) if g >= 0 else (mu * a / 2).cos() ** g
        growth = t * mu * (strip - a).max(arb(0)) / 2
        error = self._relative_error(g, strip, step, growth, strip + a)
        most = self._real(g).upper()
        return ((total + self._ends(nodes, g, widened) + error * most) * (a * a / 2).exp()).upper()

    def _real(self, g: Any) -> Any:
        return self.real(-g if self.reverse else g - 1)
