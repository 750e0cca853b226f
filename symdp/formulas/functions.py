r"""The kernel's functions as SymPy sees them: for each record of :mod:`symdp.kernel.functions` a function of SymPy's.

SymPy's own functions are used where :mod:`symdp.formulas.building` knows how to keep their evaluation in bounds.
Every other one gets a class that never evaluates but at 0 and 1, made from its record.

>>> x = sympy.Symbol("x")
>>> SYMPY["atan"](x).diff(x), SYMPY["atan"](0), NAMES[sympy.atan]
(1/(x**2 + 1), 0, 'atan')
>>> unfolded(SYMPY["log1p"](x) - x)
-x + log(x + 1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy import Add, Expr, Float, Function, Mul, Pow, Product, Rational, S, Sum
from sympy.core.function import ArgumentIndexError

from symdp.formulas import notation
from symdp.kernel.terms import (
    BINDERS,
    CONSTANTS,
    FUNCTIONS,
    Term,
    apply,
    fresh,
    instantiate,
    number,
    variable,
)
from symdp.kernel.values.enclosure import constant_value

#: SymPy's own functions whose evaluation is kept in bounds.
_NATIVE: dict[str, Any] = {
    name: getattr(sympy, name) for name in (
        "exp", "log", "sqrt", "sinh", "cosh", "tanh", "sin", "cos", "erf", "erfc", "gamma", "loggamma", "floor",
        "binomial")
} | {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "Phi": notation.Phi}


class Plain(Function):  # type: ignore[misc]
    """A function that SymPy does not rewrite: its derivative and its values come from the record."""

    @classmethod
    def eval(cls, *arguments: Expr) -> Expr | None:
        if not all(a in (-1, 0, 1) for a in arguments):
            return None
        try:
            value = constant_value(apply(cls.__name__, *(number(int(a)) for a in arguments))).exact
        except ArithmeticError:
            return None
        return None if value is None else Rational(int(value.p), int(value.q))

    def fdiff(self, argindex: int = 1) -> Expr:
        record, names = FUNCTIONS[self.func.__name__], [f"#{i}" for i in range(len(self.args))]
        here = apply(record.name, *map(variable, names))
        if record.slopes and (slope := record.slopes[argindex - 1]) is not None:
            found = expr_of(slope(here, *here.args), dict(zip(names, self.args, strict=True)))
        elif not record.slopes and (same := record.by_others(*here.args)) is not None:
            found = expr_of(same).diff(notation.symbol(names[argindex - 1])).subs(
                {notation.symbol(n): a for n, a in zip(names, self.args, strict=True)})
        else:
            raise ArgumentIndexError(self, argindex)
        return found

    def _eval_evalf(self, prec: int) -> Expr | None:
        values = [a._eval_evalf(prec + 30) for a in self.args]
        if not all(isinstance(v, Float) for v in values):
            return None
        with ctx.workprec(prec + 30):
            found = ball_function(self.func.__name__)(*(exactly(v._mpf_) for v in values))
        return Float(found.mid().str(prec // 3 + 5, radius=False), precision=prec) if found.is_finite() else None


def exactly(parts: tuple[int, int, int, int]) -> arb:
    """A number of mpmath's as a ball without a radius."""
    sign, mantissa, exponent, _ = map(int, parts)
    return arb(-mantissa if sign else mantissa) * arb(2) ** exponent


def _made(name: str) -> Any:
    arity = FUNCTIONS[name].arity
    return type(name, (Plain,), {"nargs": arity, "__module__": __name__, "__doc__": f"The kernel's {name}."})


#: The kernel's names and SymPy's functions.
SYMPY: dict[str, Any] = {name: _NATIVE[name] if name in _NATIVE else _made(name) for name in FUNCTIONS}
globals().update({name: kind for name, kind in SYMPY.items() if isinstance(kind, type) and issubclass(kind, Plain)})
#: SymPy's functions and the kernel's names for them; those that SymPy has, too, though they are not used here.
NAMES: dict[Any, str] = {
    kind: name for name in FUNCTIONS if name != "sqrt"
    for kind in (SYMPY[name], getattr(sympy, name, None)) if isinstance(kind, type)}
#: What may be written in text: every name, and which function it is.
BY_TEXT: dict[str, str] = {word: name for name, f in FUNCTIONS.items() for word in (name, *f.aliases)}
if len(BY_TEXT) < sum(1 + len(f.aliases) for f in FUNCTIONS.values()):
    raise ImportError("two functions have the same name")


def is_partial(expr: Expr) -> bool:
    """Whether it is a function that may be undefined."""
    return expr.func in NAMES and not FUNCTIONS[NAMES[expr.func]].is_total


def unfolded(expr: Expr) -> Expr:
    """The expression with functions that are nothing but others, such as log1p, written out: for the search."""
    folded = [SYMPY[name] for name, f in FUNCTIONS.items() if name not in _NATIVE and not f.slopes]
    if not expr.has(*folded):
        return expr
    names = ("#0", "#1")

    def written(*arguments: Expr, name: str) -> Expr:
        term = FUNCTIONS[name].by_others(*map(variable, names[:len(arguments)]))
        return SYMPY[name](*arguments) if term is None else expr_of(term, dict(zip(names, arguments, strict=False)))

    for kind in folded:
        expr = expr.replace(kind, lambda *a, name=kind.__name__: written(*a, name=name))
    return expr


#: SymPy decides these by rounding, so they are built as they are written.
_AS_WRITTEN = ("abs", "floor", "min", "max")


# --- terms to SymPy -----------------------------------------------------------------------------


def expr_of(term: Term, names: Mapping[str, Expr] | None = None) -> Expr:
    """SymPy's view of a term; it may simplify, so it is never evidence."""
    return _View(dict(names or {})).of(term)


class _View:
    def __init__(self, names: dict[str, Expr]) -> None:
        self.names = names

    def of(self, term: Term) -> Expr:
        head = term.head
        if head == "number":
            return Rational(int(term.value.p), int(term.value.q))
        if head == "variable":
            return self.names.get(term.value, notation.symbol(term.value))
        if head in CONSTANTS:
            return S.Exp1 if head == "e" else S.Pi
        if head in BINDERS:
            return self._binder(term)
        arguments = [self.of(a) for a in term.args]
        if head == "member":
            return sympy.IndexedBase(term.value)[arguments[0]]
        if head in _AS_WRITTEN:
            return SYMPY[head](*arguments, evaluate=False)
        return _OPERATIONS[head](*arguments) if head in _OPERATIONS else SYMPY[head](*arguments)

    def _binder(self, term: Term) -> Expr:
        low, high, body = term.args
        name = fresh(term.hint or "i", term.variables | low.variables | high.variables)
        inside = self.of(instantiate(body, variable(name)))
        kind = Sum if term.head == "sum" else Product
        return kind(inside, (notation.symbol(name), self.of(low), self.of(high)))


_OPERATIONS: dict[str, Callable[..., Expr]] = {
    "+": lambda *a: Add(*a), "*": lambda *a: Mul(*a), "-": lambda a, b: a - b, "/": lambda a, b: a / b,
    "^": lambda a, b: Pow(a, b), "neg": lambda a: -a,
}


# --- LaTeX ----------------------------------------------------------------------------------------


def operator(name: str) -> str:
    r"""How it is set: by its command, or by the first of its other names.

    >>> operator("atan"), operator("atanh"), operator("digamma")
    ('\\arctan', '\\operatorname{artanh}', '\\operatorname{digamma}')
    """
    f = FUNCTIONS[name]
    return f.tex or rf"\operatorname{{{(*f.aliases, name)[0]}}}"


def is_bare(name: str) -> bool:
    """Whether a lone letter may follow without brackets: after a word that TeX knows, but for exp."""
    return FUNCTIONS[name].tex[1:].islower() and name != "exp"


#: What LaTeX has a notation for that is no word.
_SIGNS = ("abs", "floor", "sqrt", "binomial", "min", "max", "loggamma")


def always_bracketed(name: str) -> bool:
    """Whether its argument always stands in brackets, so that what follows these is clear."""
    return not (FUNCTIONS[name].tex[1:].islower() or name in _SIGNS)


#: What may be written in LaTeX: commands, and words inside of \operatorname; several functions may share a command,
#: and differ in how many arguments they have.
COMMANDS: dict[str, dict[int, str]] = {}
OPERATORS: dict[str, str] = {"min": "min", "max": "max"}
for _name, _f in FUNCTIONS.items():
    if _f.tex:
        COMMANDS.setdefault(_f.tex, {})[_f.arity or 2] = _name
    if _f.tex[1:].islower():
        COMMANDS |= {rf"\{alias}": {_f.arity or 2: _name} for alias in _f.aliases}
    if _name not in _SIGNS and not _f.tex[1:2].isupper():
        OPERATORS |= dict.fromkeys((_name, *_f.aliases), _name)
OPERATORS["uppergamma"] = "uppergamma"


# --- values ---------------------------------------------------------------------------------------


def _binomial(n: arb, m: arb) -> arb:
    whole = m.unique_fmpz() if m.is_exact() else None
    if whole is not None and whole >= 0:
        return n.bin(int(whole))
    return (n + 1).gamma() * (m + 1).rgamma() * (n - m + 1).rgamma()


def _extreme(two: Callable[[arb, arb], arb]) -> Callable[..., arb]:
    def of(first: arb, *others: arb) -> arb:
        for other in others:
            first = two(first, other)
        return first

    return of


_BALLS: dict[str, Callable[..., arb]] = {
    "abs": abs, "min": _extreme(arb.min), "max": _extreme(arb.max), "binomial": _binomial}


def ball_function(name: str) -> Callable[..., arb]:
    """The function of that name on Arb's balls.

    >>> print(ball_function("acosh")(arb(2)).str(5, radius=False))
    1.3170
    """
    record = FUNCTIONS[name]
    found = record.ball or _BALLS.get(name) or getattr(arb, name, None)
    return found or (lambda *balls: _ball_of(record.by_others(*map(variable, "#0 #1".split()[:len(balls)])), balls))


def _ball_of(term: Term | None, balls: tuple[arb, ...]) -> arb:
    """The value of a term in the variables #0 and #1."""
    if term is None:
        return arb.nan()
    if term.head == "variable":
        return balls[int(term.value[1:])]
    if term.head == "number":
        return arb(fmpq(term.value))
    if not term.args:
        return arb.pi() if term.head == "pi" else arb.const_e()
    parts = [_ball_of(a, balls) for a in term.args]
    if term.head in FUNCTIONS:
        return ball_function(term.head)(*parts)
    result = parts[0]
    for part in parts[1:]:
        result = {"+": arb.__add__, "*": arb.__mul__, "-": arb.__sub__, "/": arb.__truediv__, "^": arb.__pow__}[
            term.head](result, part)
    return -result if term.head == "neg" else result
