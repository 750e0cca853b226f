r"""Gaussian noise on a sample without replacement: DP-SGD with batches of fixed size, neighbours by substitution.

>>> step = GaussianWithoutReplacement(variance=1, rate="0.01", sensitivity=2)
>>> print(step.delta(epsilon=1, digits=12), step.epsilon(delta="1e-6", digits=12))
0.00027363749224934 4.2854231371839
"""

from __future__ import annotations

import math
from typing import Any

from flint import acb, acb_mat, arb, ctx

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.gauss_legendre import Rule
from symdp.privacy.lattice.moments import Moments, TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.truncated_gaussian import below
from symdp.privacy.mechanisms.sampled.without_replacement import WithoutReplacement

#: Half as many bits again as are asked for are lost by no integral here.
MARGIN = 16
#: How far an ellipse may turn the integrand, below pi; rules of more points would take seconds.
WIDEST_TURN, MOST_POINTS = 2.4, 6000
#: With so many bits it is seen how the moments fall; more boxes than this are not looked at.
NEAR_BITS, MOST_BOXES, ROUGH = 64, 400, 16


class GaussianWithoutReplacement(WithoutReplacement):
    """Normal noise of that variance; the sensitivity is that of substitution, in a sample of that rate."""

    name = "Gaussian noise on a sample without replacement"
    names = ("gaussian-without-replacement",)
    noise: Gaussian

    def __init__(self, variance: Quantity, rate: Quantity, sensitivity: Quantity = 1) -> None:
        super().__init__(Gaussian(variance, sensitivity), rate)

    def noise_tails(self, loss: Any) -> tuple[Any, Any]:
        mu = ball(self.noise.separation)
        return below(mu / 2 - loss / mu), below(-mu / 2 - loss / mu)

    def moments(self) -> Moments:
        return HalfNormal(self)


class HalfNormal(Moments):
    r"""$M(s) = p_0 + \int_{\mu/2}^\infty \varphi(y)\,(w^{s+1} + w^{-s})\,dy$ for
    $w = 1 - q + q\,e^{\mu y - \mu^2/2} \ge 1$.

    $p_0$ is the mass at zero. On a line $\operatorname{Re} s = c > -1$, with $u = \log w$ and
    $f = \varphi/u'$, which falls for $y > 0$ (its logarithm has the slope $-y - \mu + u'$, and
    $u' \le \mu$), integration in parts of $\int \varphi\,e^{pu}\,dy$ from $y_0 = \mu/2$ on, where
    $w = 1$ and $f_0 = \varphi(\mu/2)/(q\mu)$, gives at most $2 f_0/|p|$ for
    $\operatorname{Re} p \le 0$, and $(2 f_0 + g \int \varphi\,w^g)/|p|$ for
    $\operatorname{Re} p = g > 0$. Nearer to the real line, with $D$ the difference of two losses
    under the law tilted by $e^{cL}$, $|M(c+it)|^2 \le M(c)^2\,E(1 - t^2D^2/2 + t^4D^4/24)$ as long as that
    falls, and in between boxes: $|M|$ changes by no more than $M(c)$ times the deviation of the loss
    times the distance. Beyond a point Y the integrand falls at least like $e^{-(Y - g^+\mu)y}$.

    For many orders at once, one rule of Gauss and Legendre serves both integrals. At $y = x + ib$ with
    $|b| < \pi/\mu$, $w(y)$ is a positive combination of $1$ and $e^{i\mu b}$, so that
    $\cos(\mu b/2)\,w(x) \le |w(y)| \le w(x)$ and $|\arg w(y)| \le \mu|b|$: with $t = |\operatorname{Im} p|$,
    $|w^p| \le |w|^g\,e^{t\mu|b|}$, and $|\varphi(y)| = \varphi(x)\,e^{b^2/2}$.
    """

    def __init__(self, mechanism: GaussianWithoutReplacement) -> None:
        self.mechanism = mechanism
        self._covers: dict[str, tuple[Any, Any, Any, Any, list[tuple[Any, Any]]]] = {}
        self._wholes: dict[tuple[str, int], Any] = {}

    def _numbers(self) -> tuple[Any, Any]:
        return ball(self.mechanism.noise.separation), ball(self.mechanism.rate)

    def _integral(self, p: Any, power: int = 0, tolerance: int | None = None) -> Any:
        r"""Of $\varphi\,w^p (\log w)^j$; the power of the loss is at most e^(j loss)."""
        mu, q = self._numbers()
        g = p.real.max(arb(0)) + power
        end = (g * mu + (2 * (ctx.prec + MARGIN) * arb(2).log()).sqrt() + mu).upper()

        def inside(y: Any, _: Any) -> Any:
            w = 1 - q + q * (mu * y - mu * mu / 2).exp()
            return (p * w.log() - y * y / 2).exp() * w.log() ** power

        small = None if tolerance is None else arb(2) ** -tolerance
        rough: dict[str, Any] = {} if small is None else {"rel_tol": small, "abs_tol": small}
        found = acb.integral(inside, acb(mu / 2), acb(end), **rough)
        rest = arb(0, self._rest(g, end).upper())
        whole = (found + acb(rest, rest)) / (2 * arb.pi()).sqrt()
        return acb(whole.real) if p.imag == 0 else whole

    def _at_zero(self) -> Any:
        p, q = self.mechanism.tails(arb(0), False)
        return 1 - p - q

    def at(self, s: Any) -> Any:
        return self._integral(s + 1) + self._integral(-s) + self._at_zero()

    def along(self, c: Any, h: Any, many: int) -> list[Any]:
        mu, q = self._numbers()
        rule, rho = self._rule(float(c.mid()), float((h * many).mid()))
        logs = [(1 - q + q * (mu * y - mu * mu / 2).exp()).log() for y in rule.points]
        sizes = [weight * (-y * y / 2).exp() for y, weight in zip(rule.points, rule.weights, strict=True)]
        up = [size * ((c + 1) * log).exp() for size, log in zip(sizes, logs, strict=True)]
        down = [size * (-c * log).exp() for size, log in zip(sizes, logs, strict=True)]
        # n = a side + b: both factors of each turn are computed once, and what is left is a product of matrices.
        side = math.isqrt(many) + 1
        turns = acb_mat([[acb(0, h * b * log).exp() for b in range(side)] for log in logs]
                        + [[acb(0, -h * b * log).exp() for b in range(side)] for log in logs])
        strides = acb_mat([[acb(0, h * (a * side) * log).exp() * x for log, x in zip(logs, up, strict=True)]
                           + [acb(0, -h * (a * side) * log).exp() * x for log, x in zip(logs, down, strict=True)]
                           for a in range(-(-many // side))])
        sums = strides * turns
        end = (rule.middles[-1] + rule.half).lower()  # the end of the last panel
        rest = self._rest(c.max(arb(0)) + 1, end) + self._rest((-c).max(arb(0)), end)
        error = rule.error(self._bounds(rule, rho, c, h * many), rho) + arb(0, rest.upper())
        norm, least = (2 * arb.pi()).sqrt(), self._at_zero()
        found = [(sums[n // side, n % side] + acb(error, error)) / norm + least for n in range(many)]
        return [acb(found[0].real), *found[1:]]

    def _rule(self, c: float, t: float) -> tuple[Rule, Any]:
        """A rule, and the size of its ellipses; whether they suffice shows in the error."""
        mu = float(ball(self.mechanism.noise.separation).mid())
        g, wanted = max(c, 0.0) + 1, (ctx.prec + MARGIN) * math.log(2)
        end = g * mu + math.sqrt(2 * wanted) + mu
        best = math.inf, 1, 1, 2.0
        for panels in (2, 4, 8, 16, 32, 64):
            half = (end - mu / 2) / (2 * panels)
            for rho in (1.5, 2.0, 3.0, 4.0, 6.0):
                b, a = half * (rho - 1 / rho) / 2, half * (rho + 1 / rho) / 2
                if mu * b > WIDEST_TURN:
                    continue
                # In floats, the least number of points for which the error is small beside one.
                over = b * b / 2 + t * mu * b + g * mu * a + g * g * mu * mu / 2 + wanted
                points = math.ceil(over / (2 * math.log(rho))) + 2
                if points * panels < best[0]:
                    best = points * panels, panels, points, rho
        if best[0] > MOST_POINTS:
            raise TooSlow(f"a rule of more than {MOST_POINTS} points would be needed for the moments")
        low = ball(self.mechanism.noise.separation) / 2
        return Rule(low, arb(end), best[1], best[2]), arb(best[3])

    def _bounds(self, rule: Rule, rho: Any, c: Any, t: Any) -> list[Any]:
        """At least the modulus of both integrands together in each ellipse, without the factor of the normal law."""
        mu, q = self._numbers()
        a, b = rule.half * (rho + 1 / rho) / 2, rule.half * (rho - 1 / rho) / 2
        least = (mu * b / 2).cos()
        if not (least > 0 and mu * b < arb.pi()):
            raise TooSlow("an ellipse reaches beyond where the integrand is analytic")
        found = []
        for middle in rule.middles:
            low, high = middle - a, middle + a
            nearest = low.max(arb(0))  # where the density is largest
            w_high = 1 - q + q * (mu * high - mu * mu / 2).exp()
            w_low = least * (1 - q + q * (mu * low - mu * mu / 2).exp())
            sizes = ((w_high.log() * g).max(w_low.log() * g) for g in (c + 1, -c))
            found.append(sum((x.exp() for x in sizes), arb(0)) * (b * b / 2 + t * mu * b - nearest**2 / 2).exp())
        return found

    def _rest(self, g: Any, end: Any) -> Any:
        """At least the integral of e^(-y^2/2) w^g from there on, for g >= 0."""
        mu, q = self._numbers()
        if not end > g * mu:
            return arb.pos_inf()
        return (g * (1 - q + q * (mu * end - mu * mu / 2).exp()).log() - end * end / 2).exp() / (end - g * mu)

    def _whole(self, g: Any) -> Any:
        key = str(g), ctx.prec
        if key not in self._wholes:
            self._wholes[key] = self._integral(acb(g)).real
        return self._wholes[key]

    def beyond(self, c: Any, t: Any) -> Any:
        far = self._far(c, t)
        with ctx.workprec(NEAR_BITS):
            total, second, fourth, turn, boxes = self._cover(c)
            if not boxes or t >= boxes[-1][0]:
                return far
            near = max((bound for end, bound in boxes if not end < t), key=lambda one: float(one.upper()))
            if t < turn:
                square = t * t
                near = near.max((1 - second * square + fourth * square * square / 24).sqrt())
            return (near.upper() * total).upper().min(far)

    def _far(self, c: Any, t: Any) -> Any:
        mu, q = self._numbers()
        first = (-mu * mu / 8).exp() / ((2 * arb.pi()).sqrt() * q * mu)
        up, down = ((c + 1) ** 2 + t * t).sqrt(), (c * c + t * t).sqrt()
        whole = self._whole(c + 1)
        other = arb(0) if c >= 0 else -c * self._whole(-c)
        return self._at_zero() + (2 * first + (c + 1) * whole) / up + (2 * first + other) / down

    def _cover(self, c: Any) -> tuple[Any, Any, Any, Any, list[tuple[Any, Any]]]:
        """M(c), the variance of the loss and E D^4 under the tilted law, up to where they say
        something, and from there on boxes: their ends, and what bounds the modulus in each, as a
        part of M(c). In the last one the far bound holds."""
        key = str(c)
        if key not in self._covers:
            total = self.real(c)
            means = []
            for power in (1, 2, 4):
                up, down = self._integral(acb(c + 1), power).real, self._integral(acb(-c), power).real
                means.append((up + (-1) ** power * down) / total)
            second = means[1] - means[0] ** 2
            fourth = 2 * means[2] + 6 * means[1] ** 2 + 8 * abs(means[0]) * (means[1] * means[2]).sqrt()
            turn = ((12 * second / fourth).sqrt() * 0.99).lower()
            deviation = second.sqrt().upper()
            boxes: list[tuple[Any, Any]] = []
            at, half = turn, (second * turn**2 / 8 / deviation).mid()
            for _ in range(MOST_BOXES):
                far = self._far(c, at) / total
                if far < arb("0.9"):
                    boxes.append((at, far))
                    break
                size = abs(self._roughly(acb(c, (at + half).mid()))) / total
                bound = (size + deviation * half * 1.01).upper()
                end = (at + 2 * half).lower()
                boxes.append((end, bound))
                at, half = end, ((1 - size) / 3 / deviation).mid().max(half / 2).min(half * 3)
            else:
                boxes = []
            self._covers[key] = total, second, fourth, turn, boxes
        return self._covers[key]

    def _roughly(self, s: Any) -> Any:
        return self._integral(s + 1, 0, ROUGH) + self._integral(-s, 0, ROUGH) + self._at_zero()

    def cumulants(self, many: int) -> Cumulants:
        """By a sum in floating point."""
        return self.mechanism.loss().cumulants(many)
