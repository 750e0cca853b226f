r"""Gaussian noise on a sample without replacement: DP-SGD with batches of fixed size, neighbours by substitution.

>>> step = GaussianWithoutReplacement(variance=1, rate="0.01", sensitivity=2)
>>> print(step.delta(epsilon=1, digits=12), step.epsilon(delta="1e-6", digits=12))
0.00027363749224934 4.2854231371839
"""

from __future__ import annotations

from typing import Any

from flint import acb, arb, ctx

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.truncated_gaussian import below
from symdp.privacy.mechanisms.sampled.without_replacement import WithoutReplacement

#: Half as many bits again as are asked for are lost by no integral here.
MARGIN = 16
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

    $p_0$ is the mass at zero. On a line $\operatorname{Re} s = c > 0$, with $u = \log w$ and
    $f = \varphi/u'$, which falls for $y > 0$ (its logarithm has the slope $-y - \mu + u'$, and
    $u' \le \mu$), integration in parts of $\int \varphi\,e^{pu}\,dy$ from $y_0 = \mu/2$ on, where
    $w = 1$ and $f_0 = \varphi(\mu/2)/(q\mu)$, gives at most $2 f_0/|p|$ for
    $\operatorname{Re} p \le 0$, and $(2 f_0 + g \int \varphi\,w^g)/|p|$ for
    $\operatorname{Re} p = g > 0$. Nearer to the real line, with $D$ the difference of two losses
    under the law tilted by $e^{cL}$, $|M(c+it)|^2 \le M(c)^2\,E(1 - t^2D^2/2 + t^4D^4/24)$ as long as that
    falls, and in between boxes: $|M|$ changes by no more than $M(c)$ times the deviation of the loss
    times the distance. Beyond a point Y the integrand falls at least like $e^{-(Y - g^+\mu)y}$.
    """

    dear = True

    def __init__(self, mechanism: GaussianWithoutReplacement) -> None:
        self.mechanism = mechanism
        self._covers: dict[str, tuple[Any, Any, Any, Any, list[tuple[Any, Any]]]] = {}

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
        last = (g * (1 - q + q * (mu * end - mu * mu / 2).exp()).log() - end * end / 2).exp() / (end - g * mu)
        rest = arb(0, last.upper())
        whole = (found + acb(rest, rest)) / (2 * arb.pi()).sqrt()
        return acb(whole.real) if p.imag == 0 else whole

    def _at_zero(self) -> Any:
        p, q = self.mechanism.tails(arb(0), False)
        return 1 - p - q

    def at(self, s: Any) -> Any:
        return self._integral(s + 1) + self._integral(-s) + self._at_zero()

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
        whole = self._integral(acb(c + 1)).real
        return self._at_zero() + (2 * first + (c + 1) * whole) / up + 2 * first / down

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
