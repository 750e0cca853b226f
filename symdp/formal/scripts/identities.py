r"""Equalities by exact algebra, as proofs for Coq.

The kernel sees that two terms are the same by their normal forms: sums of monomials over atoms, an exponential split
into those of monomials, a logarithm into those of factors, a root into powers. Coq's ``field`` knows none of that. So
every part that is no rational operation gets an equation between what is written and its normal form over atoms,
proved by a law of its kind; then both sides are rational expressions of the same atoms, and ``field`` does the rest,
with the squares of roots as rules.

*Written* is a term as it stands; *resolved* is the same text with normal forms in the place of functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import count

from flint import fmpq

from symdp.formal.printing import NAMES, argument, coq, half_exponent, whole_exponent
from symdp.formal.refusals import NotExportable
from symdp.formal.scripts.atoms import opaque_parts, over_atoms
from symdp.kernel.algebra.identity import identical
from symdp.kernel.algebra.normal_form import E_TERM, ONE_TERM, Algebra
from symdp.kernel.algebra.polynomial import Monomial, Poly
from symdp.kernel.goals import Goal
from symdp.kernel.terms import (
    FUNCTIONS,
    Term,
    add,
    apply,
    mul,
    number,
    subterms,
    transform,
    variable,
)
from symdp.kernel.values.enclosure import range_on

MOST_ATOMS = 80
#: The equation between a function and others, by which it is written out.
LAWS = {"tanh": "tanh_by_exp", "sinh": "sinh_by_exp", "cosh": "cosh_by_exp", "erf": "erf_by_erfc",
        "Phi": "Phi_by_tail"}


def is_rational(t: Term) -> bool:
    """Whether it is a number, a variable, or an operation of fields on its arguments."""
    return t.head in ("number", "variable", "+", "-", "*", "/", "neg") or (
        t.head == "^" and whole_exponent(t) is not None)


def is_plain(term: Term) -> bool:
    return all(map(is_rational, subterms(term)))


class IdentityInCoq:
    """The equations that bring terms to their normal forms over one set of atoms."""

    def __init__(self, goal: Goal, positive: Iterable[Term], *terms: Term) -> None:
        self.goal = goal
        self._signs: dict[Term, bool] = {}
        self.algebra = Algebra((), goal.whole)
        self.algebra = Algebra([p for p in positive if isinstance(p, Term)] + self._seen_positive(terms), goal.whole)
        self.names: dict[Term, str] = {}
        self.lines: list[str] = []
        self._forms: dict[Term, str] = {}
        self._open: set[Term] = set()
        self._roots: dict[int, int] = {}
        self._numbers = count(1)
        parts = self._functions(terms)
        if len(parts) > MOST_ATOMS:
            raise NotExportable("identity", "too many functions in one equality")
        for t in parts:
            self._gather(self.algebra.normal(t))
        self.rules: list[str] = []
        self._written_roots = [t for t in parts if t.head == "sqrt"]
        #: squares of roots, and denominators: used once what stands in them has its equations
        self._pending = {g: self._fresh("h") for g, q in self._roots.items()
                         if q > 1 and self.algebra.atoms[g].head not in ("exp", "e", "^")}
        self._nonzero(*terms, *parts)
        for t in parts:
            self._name(t)

    def _seen_positive(self, terms: Iterable[Term]) -> list[Term]:
        """Variables, and what stands in logarithms, roots and powers, where an enclosure shows that it is positive;
        without powers that have no numbers for exponents, nothing has to be known of these."""
        if all(is_rational(s) or s.head != "^" for t in terms for s in subterms(t)):
            return []
        asked = dict.fromkeys(part for t in terms for s in subterms(t) for part in (
            [s] if s.head == "variable" else s.args[:1] if s.head in ("log", "sqrt", "^") else []))
        return [t for t in asked if t.head != "number" and self._is_positive(t)]

    # --- which parts --------------------------------------------------------------------------

    def _functions(self, terms: Iterable[Term]) -> list[Term]:
        """The parts that are no rational operations, and those of what they are written by; inner ones first."""
        found: dict[Term, None] = {}
        stack = list(terms)
        while stack:
            for t in subterms(stack.pop()):
                if is_rational(t) or t in found:
                    continue
                found[t] = None
                stack += self._behind(t)
        return sorted(found, key=lambda t: (self._rank(t), t.depth))

    def _behind(self, t: Term) -> list[Term]:
        """Terms whose normal forms are needed for that of a part."""
        needed: list[Term] = []
        if t.head in LAWS:
            needed.append(self._other(t))
        if t.head == "^" and half_exponent(t) is not None:
            needed.append(self._by_root(t))
        elif t.head == "^" and self._is_positive(t.args[0]) and not (
                t.args[1].head == "number" and self._is_single(t.args[0])):
            needed.append(self._as_exponential(t))
        p = self.algebra.normal(t)
        for g in {g for m in p for g, _ in m}:
            needed += [self.algebra.base(g), self.algebra.exponent(g)]
            needed += [self.algebra.atoms[g]] if self.algebra.atoms[g].head not in ("^", "exp") else []
        for g in {g for m in p for g, e in m if Fraction(e).denominator == 2}:
            above, below = self._quotient(self.algebra.atoms[g])
            needed += [above, below]
        if t.head == "exp" and (apart := self._apart(t)) is not None:
            needed += apart
        elif t.head == "exp":
            needed += [self._logarithm(p)] if len(p) == 1 else [self._logarithm(p), self._product_of(p)]
        if t.head == "log":
            needed += [self._factors(t), self.algebra.term_of(self.algebra.normal(t.args[0])), self._sum_of_logs(t)]
        return needed

    def _is_single(self, base: Term) -> bool:
        p = self.algebra.normal(base)
        return len(p) == 1 and next(iter(p.values())) == 1 and len(next(iter(p))) == 1

    def _rank(self, t: Term) -> int:
        """How many laws stand between a part and the exponential, the logarithm and the root."""
        inner = max([self._rank(a) for s in t.args for a in subterms(s) if not is_rational(a)], default=0)
        further = 2 if t.head == "^" else 1 if t.head in LAWS else 0
        return inner + 1 + 10 * further if further else inner + 1

    # --- atoms and normal forms as text ---------------------------------------------------------

    def _gather(self, p: Poly) -> None:
        for m in p:
            for g, e in m:
                q = Fraction(e).denominator
                self._roots[g] = math.lcm(self._roots.get(g, 1), q)

    def _atom(self, g: int) -> str:
        """An atom, or the root of it that all of its powers are powers of, as text that may be a factor."""
        t, q = self.algebra.atoms[g], self._roots.get(g, 1)
        if self._is_exponential(g):
            return f"(exp {argument(self._exponent(g))})"
        if q == 1:
            return self._itself(g)
        if q > 2:
            return f"(power {argument(t)} (1 / {q}))"
        above, below = self._quotient(t)
        if below is ONE_TERM:
            return f"(sqrt {argument(t)})"
        return f"(sqrt {argument(above * below)} / ({self.resolved(below)}))"

    def _quotient(self, base: Term) -> tuple[Term, Term]:
        """What stands under a root, over a denominator that is positive: rules of squares have none."""
        p = self.algebra.normal(base)
        lowest: dict[int, Fraction] = {}
        for m in p:
            for g, e in m:
                lowest[g] = min(lowest.get(g, Fraction(0)), Fraction(e))
        below = tuple((g, math.ceil(-e)) for g, e in sorted(lowest.items()) if e < 0 and not self._is_exponential(g))
        if not below or not is_rational(base):
            return base, ONE_TERM
        term = mul(*(self.algebra.atoms[g] ** number(n) if n > 1 else self.algebra.atoms[g] for g, n in below))
        above = self.algebra.term_of(self.algebra.product(p, {below: fmpq(1)}))
        turned = sum(n for g, n in below if self._is_positive(-self.algebra.atoms[g])) % 2
        return (-above, -term) if turned else (above, term)

    def _is_exponential(self, g: int) -> bool:
        t = self.algebra.atoms[g]
        return t.head in ("exp", "e") or (t.head == "^" and self._is_positive(t.args[0]))

    def _itself(self, g: int) -> str:
        t = self.algebra.atoms[g]
        return f"({self.resolved(t)})" if is_rational(t) else f"({coq(t)})"

    def _form(self, t: Term) -> str:
        if t not in self._forms:
            self._forms[t] = self._poly(self.algebra.normal(t))
        return self._forms[t]

    def _name(self, t: Term) -> str:
        """The equation between a function as written and its normal form."""
        if t not in self.names:
            if t in self._open:
                raise NotExportable("identity", "equations that need each other")
            self._open.add(t)
            self._equation(t)
        return self.names[t]

    def _exponent(self, g: int) -> Term:
        """T for an atom that is exp(T), roots taken."""
        exponent, q = self._plain_exponent(g), self._roots.get(g, 1)
        return exponent if q == 1 else exponent / number(q)

    def _monomial(self, m: Monomial) -> str:
        factors = []
        for g, e in m:
            exponential = self._is_exponential(g)
            plain = Fraction(e).denominator == 1 and not exponential
            n = Fraction(e) if plain else Fraction(e) * self._roots.get(g, 1)
            power = (self._itself(g) if plain else self._atom(g)) + (f" ^ {abs(n)}" if abs(n) != 1 else "")
            factors.append(power if n > 0 else f"/ ({power})" if abs(n) != 1 else f"/ {power}")
        return " * ".join(f"({f})" if f[0] == "/" else f for f in factors)

    def _poly(self, p: Poly) -> str:
        if not p:
            return "0"
        parts = []
        for m, c in p.items():
            text = self._monomial(m)
            parts.append(f"({coq(number(c))})" + (f" * {text}" if text else "") if c != 1 or not text else text)
        return " + ".join(parts)

    def resolved(self, term: Term) -> str:
        return coq(term, lambda t: None if is_rational(t) else self._form(t))

    def _congruence(self, t: Term) -> str:
        """A proof that a term as written equals it as resolved."""
        if not is_rational(t):
            return self._name(t)
        if is_plain(t):
            return "eq_refl"
        args = [self._congruence(a) for a in t.args]
        if all(a == "eq_refl" for a in args):
            return "eq_refl"
        if t.head in ("+", "*"):
            word, proof = "Rplus" if t.head == "+" else "Rmult", args[0]
            for a in args[1:]:
                proof = f"(f_equal2 {word} {proof} {a})"
            return proof
        if t.head in ("-", "/"):
            return f"(f_equal2 {'Rminus' if t.head == '-' else 'Rdiv'} {args[0]} {args[1]})"
        if t.head == "neg":
            return f"(f_equal Ropp {args[0]})"
        n = whole_exponent(t) or 0
        power = f"(f_equal (fun y => y ^ {abs(n)}) {args[0]})"
        return power if n >= 0 else f"(f_equal Rinv {power})"

    # --- signs ----------------------------------------------------------------------------------

    def _is_positive(self, t: Term) -> bool:
        if t not in self._signs:
            try:
                self._signs[t] = self.algebra.positive_base(t) or bool(range_on(t, self.goal).is_positive())
            except ArithmeticError:
                self._signs[t] = False
        return self._signs[t]

    # --- rules and equations ----------------------------------------------------------------------

    def _fresh(self, letter: str) -> str:
        return f"{letter}{next(self._numbers)}"

    def _ready_rules(self) -> None:
        for g, name in list(self._pending.items()):
            above, below = self._quotient(self.algebra.atoms[g])
            base, q = above if below is ONE_TERM else above * below, self._roots[g]
            if q > 2 and below is not ONE_TERM:
                raise NotExportable("identity", f"a root of order {q} of a quotient")
            if q > 2 and all(t in self.names for t in subterms(base) if not is_rational(t)):
                del self._pending[g]
                self.lines.append(f"assert ({name} : {self._atom(g)} ^ {q} = {self.resolved(base)}) by (rewrite "
                                  f"power_of_root by first [settle | (simpl; field)]; "
                                  f"exact {self._congruence(base)}).")
                self.rules.append(name)
            elif all(t in self.names for t in subterms(base) if not is_rational(t)):
                del self._pending[g]
                seen = self._not_negative(base)
                self.lines.append(f"assert ({name} : (sqrt {argument(base)}) ^ 2 = {self.resolved(base)}) "
                                  f"by (rewrite square_of_sqrt by {seen}; exact {self._congruence(base)}).")
                self.rules.append(name)

    def _not_negative(self, base: Term) -> str:
        """How what stands under a root is seen to be not negative: as it is, or as it was written."""
        form, ways = self.algebra.normal(base), ["solve [settle]"]
        for t in self._written_roots:
            u = t.args[0]
            if u is not base and self.algebra.normal(u) == form and all(
                    s in self.names for s in subterms(u) if not is_rational(s)):
                same = f"refine (eq_trans {self._congruence(base)} (eq_trans _ (eq_sym {self._congruence(u)})))"
                ways.append(f"(replace ({coq(base)}) with ({coq(u)}); [settle|symmetry; {same}; {self._field()}])")
        if (product := self._common_factor(form)) is not None:
            ways.append(f"(replace ({coq(base)}) with ({coq(product)}) by (first [ring | field; sides]); settle)")
        return f"first [{' | '.join(ways)}]" if len(ways) > 1 else "settle"

    def _common_factor(self, p: Poly) -> Term | None:
        """A sum whose terms have a factor in common, as a product."""
        common = None
        for m in p:
            own = {g: e for g, e in m if Fraction(e).denominator == 1 and e > 0}
            common = own if common is None else {g: min(e, own[g]) for g, e in common.items() if g in own}
        if len(p) < 2 or not common:
            return None
        rest = {tuple((g, e - common.get(g, 0)) for g, e in m if e != common.get(g, 0)): c for m, c in p.items()}
        powers = (self.algebra.atoms[g] ** number(int(e)) if e != 1 else self.algebra.atoms[g]
                  for g, e in common.items())
        return mul(*powers, self.algebra.term_of(rest))

    def _nonzero(self, *terms: Term) -> None:
        self._denominators = list(dict.fromkeys(
            d for t in terms for s in subterms(t)
            for d in ([s.args[1]] if s.head == "/" and s.args[1].head != "number" else
                      [s.args[0]] if s.head == "^" and (whole_exponent(s) or 0) < 0 else [])))

    def _ready_denominators(self) -> None:
        for d in list(self._denominators):
            if all(t in self.names for t in subterms(d) if not is_rational(t)):
                self._denominators.remove(d)
                if d.head == "variable":
                    continue
                proof = self._congruence(d)
                first = f"rewrite <- {proof}; " if proof != "eq_refl" else ""
                self.lines.append(f"assert ({self._fresh('n')} : {self.resolved(d)} <> 0) by ({first}nonzero).")

    def _field(self) -> str:
        rules = f" [{' '.join(self.rules)}]" if self.rules else ""
        return f"(field{rules}; sides)"

    def same(self, a: Term, b: Term) -> list[str]:
        """Lines that show ``a = b``, as written."""
        self._ready_rules()
        self._ready_denominators()
        if a is b:
            return ["reflexivity."]
        return [
            f"refine (eq_trans {self._congruence(a)} (eq_trans _ (eq_sym {self._congruence(b)}))).",
            f"{self._field()}."]

    def _equation(self, t: Term) -> None:
        self._ready_rules()
        self._ready_denominators()
        form, name = self._form(t), self._fresh("q")
        if coq(t) == form or f"({coq(t)})" == form:
            self.names[t] = "eq_refl"
            return
        proof = self._proof(t, form)
        self.lines.append(f"assert ({name} : {coq(t)} = {form}).")
        self.lines += ["{ " + " ".join(proof) + " }"]
        self.names[t] = name

    def _proof(self, t: Term, form: str) -> list[str]:
        if t.head in LAWS:
            by_others = self._congruence(self._other(t))
            return [f"rewrite {LAWS[t.head]}.", f"refine (eq_trans {by_others} _).", f"{self._field()}."]
        if t.head == "^" and half_exponent(t) is not None:
            return [f"refine (eq_trans {self._congruence(self._by_root(t))} _).", f"{self._field()}."]
        if t.head == "^" and t.args[1].head == "number":
            return self._fraction(t)
        if t.head == "^":
            if self._is_positive(t.args[0]):
                return ["rewrite power_of_pos by settle.",
                        f"refine (eq_trans {self._name(self._as_exponential(t))} _).", f"{self._field()}."]
            return ["f_equal; " + self._field() + "."]
        if t.head == "exp" and (apart := self._apart(t)) is not None:
            v, product = apart
            return [f"transitivity (exp {argument(v)}).", "{ apply f_equal.", *self.same(t.args[0], v), "}",
                    f"transitivity ({coq(product)}).", "{ apply exp_is; [settle|]. ln_apart. field; sides. }",
                    f"refine (eq_trans {self._congruence(product)} _).", f"{self._field()}."]
        if t.head == "exp":
            p = self.algebra.normal(t)
            v = self._logarithm(p)
            if len(p) > 1:
                m = self._product_of(p)
                return [f"transitivity (exp {argument(v)}).", "{ apply f_equal.", *self.same(t.args[0], v), "}",
                        f"transitivity ({coq(m)}).", "{ apply exp_is; [settle|]. ln_apart. field; sides. }",
                        f"refine (eq_trans {self._congruence(m)} _).", f"{self._field()}."]
            return [f"transitivity (exp {argument(v)}).", "{ apply f_equal.", *self.same(t.args[0], v), "}",
                    "apply exp_is; [settle|]. ln_apart. field; sides."]
        if t.head == "log":
            m, v = self._factors(t), self._sum_of_logs(t)
            return [f"transitivity (ln {argument(m)}).", "{ apply f_equal.", *self.same(t.args[0], m), "}",
                    f"transitivity ({coq(v)}).", "{ ln_apart. field; sides. }",
                    f"refine (eq_trans {self._congruence(v)} _).", f"{self._field()}."]
        if t.head == "sqrt":
            return [f"transitivity (sqrt ({self.resolved(t.args[0])})).",
                    f"{{ apply f_equal. exact {self._congruence(t.args[0])}. }}",
                    f"apply sqrt_is; [settle|{self._field()}]."]
        if t.head == "e":  # which may be a power of one of its roots
            return [f"first [{self._field()} | apply exp_is; [settle|ln_apart; field; sides]]."]
        if t.head == "pi":
            return [f"{self._field()}."]
        return self._opaque(t)

    def _extreme(self, t: Term) -> list[str]:
        """A minimum or maximum, whose arguments come in another order or form, or are equal."""
        p, word = self.algebra.normal(t), f"R{t.head}"
        atoms = {self.algebra.atoms[g] for m in p for g, _ in m}
        forms = {self._key(b): b for atom in atoms if atom.head == t.head for b in atom.args}
        lines, proof = [], ""
        for a in t.args:
            b, name = forms.get(self._key(a), self.algebra.term_of(self.algebra.normal(a))), self._fresh("q")
            lines += [f"assert ({name} : {coq(a)} = {coq(b)}).", "{ " + " ".join(self.same(a, b)) + " }"]
            proof = f"(f_equal2 {word} {proof} {name})" if proof else name
        return [*lines, f"refine (eq_trans {proof} _).", "by_branches."]

    def _key(self, t: Term) -> frozenset[tuple[Monomial, str]]:
        return frozenset((m, str(c)) for m, c in self.algebra.normal(t).items())

    def _opaque(self, t: Term) -> list[str]:
        p = self.algebra.normal(t)
        if t.head in ("min", "max"):
            return self._extreme(t)
        if t.head == "erfc" and len(p) == 2:  # the constant 2, and the opposite of the value at the opposite
            (atom,) = (self.algebra.atoms[m[0][0]] for m in p if m)
            return [f"transitivity (2 - {coq(atom)}).", "{ rewrite <- erfc_neg. apply f_equal.",
                    *self.same(t.args[0], -atom.args[0]), "}", f"{self._field()}."]
        if len(p) != 1 or t.head not in NAMES:
            return [f"first [{self._field()} | f_equal; {self._field()}]."]
        ((m, c),) = p.items()
        if len(m) != 1 or m[0][1] != 1 or self.algebra.atoms[m[0][0]].head != t.head:
            return [f"first [{self._field()} | f_equal; {self._field()}]."]
        atom, inner = self.algebra.atoms[m[0][0]], t.args[0]
        if t.head == "abs":
            scaled = mul(number(c), atom.args[0])
            turned = self.algebra.normal(inner) != self.algebra.normal(scaled)
            return [f"transitivity (Rabs ({coq(scaled)})).",
                    "{ " + ("rewrite <- Rabs_Ropp. " if turned else "") + "apply f_equal.",
                    *self.same(-inner if turned else inner, scaled), "}",
                    f"rewrite Rabs_mult, (Rabs_right ({coq(number(c))})) by lra. reflexivity || {self._field()}."]
        return [f"transitivity ({coq(atom)}).", "{ apply f_equal.", *self.same(inner, atom.args[0]), "}",
                f"reflexivity || {self._field()}."]

    # --- what terms stand for -----------------------------------------------------------------------

    def _other(self, t: Term) -> Term:
        other = FUNCTIONS[t.head].by_others(*t.args)
        if other is None:
            raise NotExportable(t.head, "not written by other functions")
        return other

    def _fraction(self, t: Term) -> list[str]:
        """A power with a fraction for an exponent, by the root of its base."""
        base, r = t.args[0], t.args[1].value
        q = int(r.q)
        law = "power_by_root" if r > 0 else "power_by_root_below"
        atom = self.algebra.normal(base)
        if not self._is_single(base):
            return ["rewrite power_of_pos by settle.", f"refine (eq_trans {self._name(self._as_exponential(t))} _).",
                    f"{self._field()}."]
        (((g, e),),) = atom
        canonical, order = self.algebra.atoms[g], self._roots.get(g, 1)
        if e != 1 or order % q:
            raise NotExportable("identity", "a root of a power")
        n, root = abs(int(r.p)) * (order // q), ""
        if canonical.head in ("exp", "e"):  # whose root is an exponential again
            root = (f"replace (power {argument(canonical)} (1 / {order})) with {self._atom(g)} by "
                    "(rewrite power_of_pos by apply exp_pos; rewrite ln_exp; f_equal; unfold Rdiv; ring). ")
        return [f"transitivity (power {argument(canonical)} ({coq(number(r))})).",
                "{ apply (f_equal (fun y => power y _)).", *self.same(base, canonical), "}",
                f"rewrite ({law} _ _ (1 / {order}) {n}) by first [settle | (simpl; field)]. {root}{self._field()}."]

    def _by_root(self, t: Term) -> Term:
        root, n = apply("sqrt", t.args[0]), half_exponent(t)
        return root if n == 1 else root ** number(n or 1)

    def _as_exponential(self, t: Term) -> Term:
        return apply("exp", t.args[1] * apply("log", t.args[0]))

    def _logarithm(self, p: Poly) -> Term:
        """The logarithm of a product of powers, as it is read off."""
        if len(p) != 1:
            return self._sum([], self.algebra.factored(p, False))
        ((m, c),) = p.items()
        parts = [apply("log", number(c))] if c != 1 else []
        return self._sum(parts, m)

    def _sum(self, parts: list[Term], m: Monomial) -> Term:
        for g, e in m:
            t, n = self.algebra.atoms[g], Fraction(e)
            inside = self._plain_exponent(g) if t.head in ("exp", "e", "^") else apply("log", t)
            parts.append(mul(number(fmpq(n.numerator, n.denominator)), inside))
        return add(*parts) if parts else number(0)

    def _apart(self, t: Term) -> tuple[Term, Term] | None:
        """An exponential with logarithms of sums in its exponent: the exponent so that they stand by themselves, and
        their arguments as powers, times the rest."""
        powers, logs, rest = [], [], {}
        for m, c in self.algebra.normal(t.args[0]).items():
            atom = self.algebra.atoms[m[0][0]] if len(m) == 1 and m[0][1] == 1 else None
            if atom is None or atom.head != "log" or atom.args[0].head not in ("+", "-") or c.q != 1 or abs(c.p) > 20:
                rest[m] = c
                continue
            powers.append(atom.args[0] ** number(int(c.p)))
            logs.append(number(c) * atom)
        if not powers:
            return None
        others = [self.algebra.term_of(rest)] if rest else []
        return add(*others, *logs), mul(*(apply("exp", o) for o in others), *powers)

    def _plain_exponent(self, g: int) -> Term:
        t = self.algebra.atoms[g]
        return ONE_TERM if t is E_TERM else t.args[0] if t.head == "exp" else t.args[1] * apply("log", t.args[0])

    def _factored(self, t: Term) -> Monomial:
        return self.algebra.factored(self.algebra.normal(t.args[0]), False)

    def _factors(self, t: Term) -> Term:
        """The argument of a logarithm as a product of positive powers."""
        return self._product_of(self.algebra.normal(t.args[0]))

    def _product_of(self, p: Poly) -> Term:
        factors: list[Term] = []
        for g, e in self.algebra.factored(p, False):
            atom, n = self.algebra.atoms[g], Fraction(e)
            if n.denominator == 2:
                atom, n = apply("sqrt", atom), 2 * n
            factors.append(atom if n == 1 else atom ** number(fmpq(n.numerator, n.denominator)))
        return mul(*factors) if factors else number(1)

    def _sum_of_logs(self, t: Term) -> Term:
        return self._sum([], self._factored(t))


def _log_under_root(t: Term) -> bool:
    return any(s.head == "sqrt" and any(u.head == "log" for u in subterms(s)) for s in subterms(t))


def same_outside(a: Term, b: Term, *, quotients: bool = False) -> bool:
    """Whether two terms are the same polynomial of the functions and quotients in them, whatever these are; or the
    same quotient of functions.

    >>> x = variable("x")
    >>> root = apply("sqrt", apply("log", x))
    >>> same_outside(root + x * x - x * x, root), same_outside(root * root, apply("log", x))
    (True, False)
    """
    names: dict[Term, Term] = {}

    def part(t: Term, _: int) -> Term | None:
        divides = (t.head == "/" and t.args[1].head != "number") or (t.head == "^" and (whole_exponent(t) or 0) < 0)
        whole = is_rational(t) and (quotients or not divides)
        return None if whole else names.setdefault(t, variable(f"part {len(names)}"))

    return identical(transform(a, part), transform(b, part))


def equal(a: Term, b: Term, goal: Goal, positive: Iterable[Term] = ()) -> Iterator[str]:
    """Lines that show ``a = b``, both as written, where the hypotheses of the goal hold."""
    if a is b:
        yield "reflexivity."
        return
    if is_plain(a) and is_plain(b):
        yield "(field; sides) || ring."
        return
    if same_outside(a, b) or (_log_under_root(a) and same_outside(a, b, quotients=True)):
        yield "first [ring | field; sides]."
        return
    if opaque_parts(a, b):
        yield from over_atoms(a, b, goal, positive, equal)
        return
    if identical(a, b, (), goal.whole):  # less is split then
        positive = ()
    try:
        identity = IdentityInCoq(goal, positive, a, b)
    except ArithmeticError as reason:
        raise NotExportable("identity", str(reason)) from reason
    found = identity.same(a, b)
    yield from identity.lines
    yield from found
