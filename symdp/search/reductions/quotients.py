r"""A sum whose sign is asked for, divided by what is positive in it.

The sign stays the same, and the slope becomes simpler: $A + B\log u$ over $B$ has a slope without a logarithm, and
a sum over one of its terms has one term less after it was differentiated.

>>> x = Symbol("x")
>>> positive = lambda e: 1 if e in (x, x**2) else None
>>> for weight, core in quotients(x**2 * sympy.log(x) + x**3, x, positive):
...     print(weight, "|", core)
x**2 | x + log(x)
x**3 | 1 + log(x)/x
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

import sympy
from sympy import Dummy, Expr, Rational, Symbol

#: Sums that are longer, or have more functions in them, are left as they are.
LONGEST, MOST_ATOMS, MOST_TERMS = 260, 6, 8
#: The same of sums with a higher power of a letter: SymPy writes polynomials out, term by term.
HIGHEST = 64
Sign = Callable[[Expr], int | None]


class Atoms:
    """The functions and roots of a sum, each as a letter: what is left is a quotient of polynomials."""

    def __init__(self, e: Expr, v: Symbol) -> None:
        self.v = v
        self._letters: dict[Expr, Expr] = {}
        self.meaning: dict[Dummy, Expr] = {}
        self.squares: dict[Dummy, Expr] = {}
        parts = [p for p in sympy.preorder_traversal(e) if _is_atom(p)]
        outer = sorted(dict.fromkeys(parts), key=lambda p: (-p.count_ops(), sympy.default_sort_key(p)))
        rates = _rates([p.args[0] for p in outer if isinstance(p, sympy.exp) and p.has(v)])
        for part in outer:
            if isinstance(part, sympy.exp) and part.has(v):
                unit, times = rates[part.args[0]]
                self._letters[part] = self._letter(sympy.exp(unit)) ** times
            elif isinstance(part, sympy.Pow) and not part.exp.is_Rational:
                whole, rest = part.exp.as_coeff_Add()
                self._letters[part] = self._letter(part.base**rest) * part.base**whole
            elif isinstance(part, sympy.Pow):
                root = self._letter(part.base ** Rational(1, part.exp.q))
                self._letters[part] = root**part.exp.p
                if part.exp.q == 2:
                    self.squares[root] = part.base
            else:
                self._letters[part] = self._letter(part)
        if sum(m.has(v) for m in self.meaning.values()) > MOST_ATOMS:
            raise ValueError("too many functions")
        powers = [p.exp for q in (e, *self._letters.values()) for p in q.atoms(sympy.Pow)]
        if any(n.is_Integer and abs(n) > HIGHEST for n in powers):
            raise ValueError("too high a power")
        self.squares = {r: self.hidden(u) for r, u in self.squares.items()}

    def _letter(self, meaning: Expr) -> Dummy:
        for letter, known in self.meaning.items():
            if known == meaning:
                return letter
        letter = Dummy("f", positive=isinstance(meaning, sympy.exp | sympy.Pow) or meaning.is_positive or None)
        self.meaning[letter] = meaning
        return letter

    def hidden(self, e: Expr) -> Expr:
        return e.xreplace(self._letters)

    def shown(self, e: Expr) -> Expr:
        # a letter may stand for what has others inside
        for _ in range(3):
            e = e.xreplace(self.meaning)
        return e

    def reduced(self, p: Expr) -> Expr:
        """Squares of square roots as what they are."""
        p = sympy.expand(p)
        for root, square in self.squares.items():
            if p.has(root) and p.is_polynomial(root):
                p = sympy.expand(sympy.rem(p, root**2 - square, root))
        return p


def _is_atom(p: Expr) -> bool:
    if p.is_Pow:
        return bool(p.exp.is_Rational and p.exp.q > 1) or not p.exp.is_Rational
    return bool(p.is_Function or p.is_NumberSymbol)


def _rates(exponents: list[Expr]) -> dict[Expr, tuple[Expr, int]]:
    """Exponents as whole multiples of common units, so that exp(2x) is the square of exp(x)."""
    groups: dict[Expr, list[tuple[Expr, Rational]]] = {}
    for u in exponents:
        c, unit = u.as_coeff_Mul()
        if unit.is_Add:
            content, unit = unit.primitive()
            c *= content
        if unit.could_extract_minus_sign():
            c, unit = -c, -unit
        groups.setdefault(unit, []).append((u, c if c.is_Rational else None))
    found: dict[Expr, tuple[Expr, int]] = {}
    for unit, members in groups.items():
        if any(c is None for _, c in members):
            found |= {u: (u, 1) for u, _ in members}
            continue
        step = Rational(math.gcd(*(int(c.p) for _, c in members)), math.lcm(*(int(c.q) for _, c in members)))
        found |= {u: (step * unit, int(c / step)) for u, c in members}
    return found


@lru_cache(maxsize=500)
def factors_of(e: Expr, v: Symbol) -> tuple[Rational, list[tuple[Expr, int]]]:
    """A sum as a number times factors with their exponents; ValueError if it is too long for that."""
    if e.count_ops() > LONGEST:
        raise ValueError("too long")
    atoms = Atoms(e, v)
    above, below = sympy.fraction(sympy.together(atoms.hidden(e)))
    coefficient, found = Rational(1), []
    for part, way in ((atoms.reduced(above), 1), (atoms.reduced(below), -1)):
        if part == 0:
            return Rational(0), []
        constant, bases = sympy.factor_list(part)
        if not constant.is_Rational:
            bases, constant = [(constant, 1), *bases], Rational(1)
        coefficient *= constant**way
        found += [(atoms.shown(b), way * int(k)) for b, k in bases]
    return coefficient, found


def quotients(e: Expr, v: Symbol, sign: Sign = lambda _: 1) -> Iterator[tuple[Expr, Expr]]:
    """Positive weights, and what is left of the sum when it is divided by them; ``sign`` says what is positive."""
    e = with_roots_apart(e, v, sign)
    try:
        coefficient, found = factors_of(e, v)
        weight, rest = abs(coefficient), Rational(1 if coefficient >= 0 else -1)
        for base, exponent in found:
            known = sign(base) if len(found) > 1 or exponent < 0 else None
            if known:
                weight *= (known * base) ** exponent
                rest *= Rational(known) ** exponent
            else:
                rest *= base**exponent
        if (pair := _without_a_root(rest, v, sign)) is not None:
            yield weight / pair[0], pair[1]
        core = _gathered(rest, v)
        yield weight, rest if rest.is_Add else core
    except (ValueError, sympy.PolynomialError):
        yield sympy.Integer(1), e
        core, weight = e, sympy.Integer(1)
    if not core.is_Add or len(core.args) > MOST_TERMS:
        return
    seen = set()
    for term in core.args:
        functions = (p for p in term.atoms(sympy.Function, sympy.Pow) if p.has(v) and _is_atom(p))
        for divisor in (term.as_independent(*functions)[0], term):
            known = sign(divisor) if divisor.has(v) else None
            divisor = divisor if known is None else known * divisor
            if known and divisor not in seen:
                seen.add(divisor)
                yield weight * divisor, sympy.Add(*(_simply(t / divisor) for t in core.args))


def with_roots_apart(e: Expr, v: Symbol, sign: Sign) -> Expr:
    """Roots of products as products of roots, where the factors are positive."""
    found = {}
    for power in e.atoms(sympy.Pow):
        if power.exp.is_Rational and power.exp.q > 1 and power.base.is_polynomial(v) and power.base.has(v):
            constant, bases = sympy.factor_list(power.base)
            ways = [sign(b) for b, _ in bases]
            if len(bases) + (constant not in (1, -1)) < 2 or None in ways:
                continue
            constant *= sympy.Mul(*(Rational(w) ** k for w, (_, k) in zip(ways, bases, strict=True) if w))
            if constant > 0:
                found[power] = constant**power.exp * sympy.Mul(
                    *((w * b) ** (k * power.exp) for w, (b, k) in zip(ways, bases, strict=True)))
    return e.xreplace(found) if found else e


def _without_a_root(e: Expr, v: Symbol, sign: Sign) -> tuple[Expr, Expr] | None:
    """For a - b*sqrt(c), of which a and b are positive: a + b*sqrt(c), and the product of the two."""
    roots = [p for p in e.atoms(sympy.Pow) if p.has(v) and p.exp.is_Rational and p.exp.q > 1]
    if any(p.exp.q != 2 for p in roots):
        return None
    if any(p.has(v) for p in e.atoms(sympy.Function)):  # worth it only for a root of such functions
        roots = [p for p in roots if any(q.has(v) for q in p.base.atoms(sympy.Function))]
    for base in sorted({p.base for p in roots}, key=sympy.default_sort_key):
        letter = Dummy()
        inside = sympy.expand(e).xreplace({p: letter**p.exp.p for p in roots if p.base == base})
        if not inside.is_polynomial(letter):
            continue
        linear = sympy.Poly(sympy.rem(sympy.expand(inside), letter**2 - base, letter), letter)
        plain, times = (linear.coeff_monomial(m) for m in (1, letter))
        way, other = sign(plain), sign(times)
        if way and other and way == -other:
            return way * (plain - times * sympy.sqrt(base)), way * sympy.expand(plain**2 - times**2 * base)
    return None


@lru_cache(maxsize=500)
def _gathered(e: Expr, v: Symbol) -> Expr:
    """As a sum over the functions in it, whose coefficients are products."""
    try:
        atoms = Atoms(e, v)
        above, below = sympy.fraction(sympy.together(atoms.hidden(e)))
        letters = [d for d in atoms.meaning if above.has(d)]
        if not letters or not above.is_polynomial(*letters):
            return e
        parts = sympy.Poly(above, *letters).terms()
        whole = [sympy.factor(c) / below * sympy.Mul(*(d**k for d, k in zip(letters, powers, strict=True)))
                 for powers, c in parts]
        return sympy.Add(*(atoms.shown(t) for t in whole))
    except (ValueError, sympy.PolynomialError):
        return e


def _simply(t: Expr) -> Expr:
    return sympy.powsimp(sympy.cancel(t) if t.count_ops() < 20 and not t.has(sympy.Pow) else t)
