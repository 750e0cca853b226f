r"""What the typesetting promises: the formulas of the paper as the paper prints them, LaTeX that
compiles, and text that still means the expression it came from."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

import mpmath
import pytest
import sympy
from campaign import tries
from hypothesis import assume, example, given, reject, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    E,
    Expr,
    Function,
    IndexedBase,
    Max,
    Min,
    Product,
    Rational,
    Sum,
    Symbol,
    binomial,
    cosh,
    erf,
    erfc,
    exp,
    floor,
    gamma,
    log,
    loggamma,
    pi,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from symdp.formulas.notation import Phi, delta, eps, eps_total, k, lam, p, slack, t, x, y
from symdp.formulas.relation import Relation
from symdp.typeset.order import merged_roots, split_factors
from symdp.typeset.typesetting import Style, display, inline, latex

i, ell, n, sigma, Delta = symbols("i ell n sigma Delta")
eps_, delta_ = IndexedBase("eps"), IndexedBase("delta")

size = sqrt(k * eps**2)
mean = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
means = Sum((exp(eps_[ell]) - 1) * eps_[ell] / (exp(eps_[ell]) + 1), (ell, 1, k))
squares = Sum(eps_[ell] ** 2, (ell, 1, k))
exponent = lam * (x - eps_total) + lam * log(lam) - (lam + 1) * log(lam + 1)

ROOT = r"\varepsilon\sqrt{2k\log(1/\tilde{\delta})}"
TALL_ROOT = (r"\varepsilon\sqrt{2k\log\left(e+\frac{\sqrt{k\varepsilon^{2}}}{\tilde{\delta}}"
             r"\right)}")
MEAN = r"k\varepsilon\,\frac{e^{\varepsilon}-1}{e^{\varepsilon}+1}"
MEANS = (r"\sum_{\ell=1}^{k}\varepsilon_{\ell}\,"
         r"\frac{e^{\varepsilon_{\ell}}-1}{e^{\varepsilon_{\ell}}+1}")
SQUARES = r"\sum_{\ell=1}^{k}\varepsilon_{\ell}^{2}"
SQUARE = rf"\left(\tilde{{\varepsilon}}-{MEAN}\right)^{{2}}"

PAPER = {
    # Theorem 3.1
    k * eps: r"k\varepsilon",
    k * delta: r"k\delta",
    # Theorem 3.2
    k * delta + slack: r"k\delta+\tilde{\delta}",
    k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / slack)):
        rf"k\varepsilon(e^{{\varepsilon}}-1)+{ROOT}",
    # Theorem 3.3
    (k - 2 * i) * eps: r"(k-2i)\varepsilon",
    1 - (1 - delta) ** k * (1 - Symbol("delta_i")): r"1-(1-\delta)^{k}(1-\delta_{i})",
    floor(k / 2): r"\lfloor k/2\rfloor",
    Sum(binomial(k, ell) * (exp((k - ell) * eps) - exp((k - 2 * i + ell) * eps)),
        (ell, 0, i - 1)) / (1 + exp(eps)) ** k:
        r"\frac{1}{(1+e^{\varepsilon})^{k}}\sum_{\ell=0}^{i-1}\binom{k}{\ell}"
        r"(e^{(k-\ell)\varepsilon}-e^{(k-2i+\ell)\varepsilon})",
    # Theorem 3.4
    1 - (1 - delta) ** k * (1 - slack): r"1-(1-\delta)^{k}(1-\tilde{\delta})",
    Min(k * eps, mean + eps * sqrt(2 * k * log(E + size / slack)),
        mean + eps * sqrt(2 * k * log(1 / slack))):
        rf"\min\left\{{k\varepsilon,\; {MEAN}+{ROOT},\; {MEAN}+{TALL_ROOT}\right\}}",
    Relation(eps_total, "<=", Min(k * eps, k * eps**2 + eps * sqrt(2 * k * log(E + size / slack)),
                                  k * eps**2 + eps * sqrt(2 * k * log(1 / slack)))):
        rf"\tilde{{\varepsilon}} \le \min\left\{{k\varepsilon,\; k\varepsilon^{{2}}+{ROOT},\; "
        rf"k\varepsilon^{{2}}+{TALL_ROOT}\right\}}",
    size: r"\sqrt{k\varepsilon^{2}}",
    # Theorem 3.5
    1 - (1 - slack) * Product(1 - delta_[ell], (ell, 1, k)):
        r"1-(1-\tilde{\delta})\prod_{\ell=1}^{k}(1-\delta_{\ell})",
    Sum(eps_[ell], (ell, 1, k)): r"\sum_{\ell=1}^{k}\varepsilon_{\ell}",
    means + sqrt(2 * squares * log(E + sqrt(squares) / slack)):
        rf"{MEANS}+\sqrt{{2\log\left(e+\frac{{1}}{{\tilde{{\delta}}}}\sqrt{{{SQUARES}}}\right)"
        rf"{SQUARES}}}",
    means + sqrt(2 * squares * log(1 / slack)):
        rf"{MEANS}+\sqrt{{2\log(1/\tilde{{\delta}}){SQUARES}}}",
    # Section 4
    eps / (2 * sqrt(k * log(E + eps / delta))):
        r"\frac{\varepsilon}{2\sqrt{k\log(e+\varepsilon/\delta)}}",
    8 * k * Delta**2 * log(E + eps / delta) / eps**2:
        r"\frac{8k\Delta^{2}\log(e+\varepsilon/\delta)}{\varepsilon^{2}}",
    # Section 7: the moment generating function and the chain
    Relation(p * exp(x) + (1 - p) * exp(-x), "<=", exp((2 * p - 1) * x + x**2 / 2)):
        r"pe^{x}+(1-p)e^{-x} \le e^{x^{2}/2+(2p-1)x}",
    exp(eps) / (exp(eps) + 1) * exp(lam * eps) + exp(-lam * eps) / (exp(eps) + 1):
        r"\frac{e^{\varepsilon}e^{\lambda\varepsilon}}{e^{\varepsilon}+1}"
        r"+\frac{e^{-\lambda\varepsilon}}{e^{\varepsilon}+1}",
    Relation(1 - exp(eps_total - x), "<=", exp(exponent, evaluate=False)):
        r"1-e^{\tilde{\varepsilon}-x} \le "
        r"\exp(\lambda(x-\tilde{\varepsilon})+\lambda\log\lambda-(\lambda+1)\log(\lambda+1))",
    eps_total + log((lam + 1) / lam):
        r"\tilde{\varepsilon}+\log\left(\frac{\lambda+1}{\lambda}\right)",
    Relation(lam, "==", (eps_total - mean) / (k * eps**2)):
        r"\lambda = \frac{\tilde{\varepsilon}-k\varepsilon(e^{\varepsilon}-1)"
        r"/(e^{\varepsilon}+1)}{k\varepsilon^{2}}",
    exp(mean * lam + k * lam**2 * eps**2 / 2 - lam * eps_total + lam * log(lam)
        - (lam + 1) * log(lam + 1), evaluate=False):
        r"\exp\left(\frac{k\lambda^{2}\varepsilon^{2}}{2}-\lambda\tilde{\varepsilon}"
        r"+k\lambda\varepsilon\,\frac{e^{\varepsilon}-1}{e^{\varepsilon}+1}"
        r"+\lambda\log\lambda-(\lambda+1)\log(\lambda+1)\right)",
    exp(-((eps_total - mean) ** 2) / (2 * k * eps**2) - log(lam + 1), evaluate=False):
        rf"\exp\left(-\frac{{1}}{{2k\varepsilon^{{2}}}}{SQUARE}-\log(\lambda+1)\right)",
    exp(-((eps_total - mean) ** 2) / (2 * k * eps**2)) / (1 + (eps_total - mean) / (k * eps**2)):
        r"\frac{1}{1+(\tilde{\varepsilon}-k\varepsilon(e^{\varepsilon}-1)/(e^{\varepsilon}+1))"
        rf"/(k\varepsilon^{{2}})}}\exp\left(-\frac{{1}}{{2k\varepsilon^{{2}}}}{SQUARE}\right)",
    slack / ((size + sqrt(2 * log(E + size / slack))) * (1 + E * slack / size)):
        r"\frac{\tilde{\delta}}{(1+e\tilde{\delta}/\sqrt{k\varepsilon^{2}})(\sqrt{k\varepsilon^{2}}"
        r"+\sqrt{2\log(e+\sqrt{k\varepsilon^{2}}/\tilde{\delta})})}",
}

HOUSE = {
    # numbers
    Rational(1, 2): r"\frac{1}{2}",
    -Rational(1, 3): r"-\frac{1}{3}",
    exp(Rational(1, 2)): r"e^{1/2}",
    sympy.Integer(0): "0",
    sympy.oo: r"\infty",
    # sums
    1 + x: "1+x",
    k + 1: "k+1",
    exp(eps) - 1: r"e^{\varepsilon}-1",
    1 + x + x**2 / 2: r"1+x+\frac{x^{2}}{2}",
    E + size / slack: r"e+\frac{\sqrt{k\varepsilon^{2}}}{\tilde{\delta}}",
    (1 + x) / 2: r"\frac{1+x}{2}",
    -x / 2 - y / 2: r"-\frac{x+y}{2}",
    # products and roots
    sqrt(k) * sqrt(log(1 / slack)): r"\sqrt{k\log(1/\tilde{\delta})}",
    sqrt(k / 2): r"\sqrt{k/2}",
    sqrt(2) / 2: r"\frac{1}{\sqrt{2}}",
    sqrt(2) * sqrt(1 + x): r"\sqrt{2(1+x)}",
    sqrt(-x) * sqrt(-y) * sqrt(2): r"\sqrt{-2x}\,\sqrt{-y}",
    sqrt(x) * sqrt(x * y): r"\sqrt{x}\,\sqrt{xy}",
    binomial(n, k) * p**k * (1 - p) ** (n - k): r"\binom{n}{k}p^{k}(1-p)^{n-k}",
    2 * 3**x: r"2\cdot 3^{x}",
    lam * x: r"\lambda x",
    # powers
    Rational(2, 3) ** x: r"\left(\frac{2}{3}\right)^{x}",
    x ** Rational(3, 2): "x^{3/2}",
    x**-k: r"\frac{1}{x^{k}}",
    exp(-(x**2) / 2) / sqrt(2 * pi): r"\frac{e^{-x^{2}/2}}{\sqrt{2\pi}}",
    exp(exp(x)): r"\exp(e^{x})",
    Symbol("x_star") ** 2: r"(x^{*})^{2}",
    # functions
    k * eps * tanh(eps / 2): r"k\varepsilon\tanh(\varepsilon/2)",
    log(x) * sqrt(k): r"\log(x)\sqrt{k}",
    x * log(x) ** 2: r"x\log^{2}x",
    Abs(x) ** 3: "|x|^{3}",
    Phi(x): r"\Phi(x)",
    Phi(-x).rewrite(erfc): r"\frac{1}{2}\operatorname{erfc}(x/\sqrt{2})",
    loggamma(x): r"\log\Gamma(x)",
    gamma(x) ** 2: r"\Gamma(x)^{2}",
    cosh(x) + p * sinh(x): r"\cosh x+p\sinh x",
    Max(0, 1 - exp(eps_total - x)): r"\max\{0, 1-e^{\tilde{\varepsilon}-x}\}",
    Function("f")(x): "f(x)",
    sympy.Derivative(Function("f")(x), x): r"\frac{d}{d x} f(x)",
    2 * Sum(x, (x, 1, k)) ** 2 / y: r"\frac{2}{y}\left(\sum_{x=1}^{k}x\right)^{2}",
    # names
    Symbol("eps_0") ** 2: r"\varepsilon_{0}^{2}",
    Symbol("x1") + Symbol("delta_i"): r"\delta_{i}+x_{1}",
    Symbol("slope") * x: r"\mathit{slope}\,x",
    # relations
    Relation(x, ">=", y): r"x \ge y",
    Relation(x, "<", y): "x < y",
    Relation(x, ">", y): "x > y",
}


@pytest.mark.parametrize(("formula", "expected"), [*PAPER.items(), *HOUSE.items()])
def test_prints_as_a_mathematician_writes(formula: Expr | Relation, expected: str) -> None:
    assert latex(formula) == expected


@pytest.mark.parametrize(("options", "expected"), [
    ({}, r"\varepsilon\log x"),
    ({"log": "ln"}, r"\varepsilon\ln x"),
    ({"epsilon": "epsilon"}, r"\epsilon\log x"),
    ({"names": {x: r"\xi"}}, r"\varepsilon\log\xi"),
    ({"names": {"eps": r"\varepsilon'"}, "epsilon": "epsilon"}, r"\epsilon'\log x"),
])
def test_options(options: dict[str, object], expected: str) -> None:
    assert latex(eps * log(x), **options) == expected
    assert inline(eps * log(x), **options) == f"${expected}$"
    assert display(eps * log(x), **options) == f"$${expected}$$"


def test_options_reach_every_corner() -> None:
    tex = latex(eps_total + eps_[ell] + loggamma(Symbol("eps_0")), log="ln", epsilon="epsilon")
    assert "varepsilon" not in tex
    assert r"\ln\Gamma" in tex


@pytest.mark.parametrize(("option", "choices"), [
    ({"log": "lg"}, "log, ln"), ({"epsilon": "eps"}, "varepsilon, epsilon")])
def test_a_wrong_option_names_the_choices(option: dict[str, str], choices: str) -> None:
    with pytest.raises(ValueError, match=choices):
        Style(**option)


def test_no_decimals() -> None:
    with pytest.raises(TypeError, match="Rational"):
        latex(0.5 * x)


# -- Laws -----------------------------------------------------------------------------------------

# Far from each other and from simple fractions, so that rounding decides no floor.
POINT = {eps: Rational(31, 73), k: Rational(127, 71), slack: Rational(17, 97),
         x: Rational(167, 101), t: Rational(89, 103)}
ONE = [exp, log, sqrt, Abs, sinh, cosh, tanh, erf, erfc, Phi, gamma, loggamma, floor]
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
TWO = [Min, Max, binomial, operator.pow, *ARITHMETIC]

leaves = st.sampled_from([*POINT, *map(sympy.Integer, (1, 2, 3, -1)), Rational(1, 2),
                          Rational(-2, 3), E, pi])


def applied(function: Callable[..., Expr], *args: Expr) -> Expr:
    try:
        return function(*args)
    except ValueError:  # SymPy will not compare complex or unknown numbers in Min and Max
        return args[0]


expressions = st.recursive(leaves, lambda inner: st.one_of(
    st.builds(applied, st.sampled_from(ONE), inner),
    st.builds(applied, st.sampled_from(TWO), inner, inner),
    st.builds(applied, st.sampled_from(ARITHMETIC), inner, inner)), max_leaves=9)


def value(expr: Expr) -> mpmath.mpc:
    """The expression at POINT; examples that leave the reals are not what a formula means."""
    assume(not expr.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I, sympy.re, sympy.im, sympy.arg))
    try:
        at_point = (expr.rewrite(erfc) if expr.has(Phi) else expr).subs(POINT)
    except ValueError:  # a complex number in Min or Max
        reject()
    assume(not at_point.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I))
    number = at_point.evalf(40)
    assume(number.is_real and 1e-20 < abs(number) < 1e20)
    return mpmath.mpf(str(number))


def roots_are_real(expr: Expr) -> bool:
    radicands = {power.base for power in expr.atoms(sympy.Pow) if power.exp in (
        Rational(1, 2), Rational(-1, 2))}
    return all(value(base) >= 0 for base in radicands if base.free_symbols)


@settings(max_examples=tries(200), deadline=None)
@given(expressions)
def test_the_text_is_balanced(expr: Expr) -> None:
    assume(not expr.has(sympy.zoo, sympy.nan))
    tex = latex(expr)
    depth = 0
    for sign in re.findall(r"\\[{}]|[{}]", tex):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left(?![a-z])", tex)) == len(re.findall(r"\\right(?![a-z])", tex))
    assert not re.search(r"\d\.\d|\+-|--|\+\+", tex)


@settings(max_examples=tries(200), deadline=None)
@given(expressions)
@example(sqrt(2) * sqrt(k) / (2 * sqrt(eps)))
@example(sqrt(6) * sqrt(1 + x) / 2 / sqrt(pi * k))
def test_taking_a_product_apart_keeps_its_value(expr: Expr) -> None:
    expected = value(expr)
    assume(roots_are_real(expr))
    assert mpmath.almosteq(value(split_factors(expr).value), expected, 1e-12)


@given(st.integers(1, 30), st.lists(st.sampled_from([k, x, eps * k, 1 + x, log(x)]), max_size=4,
                                    unique=True))
def test_merged_roots_have_the_value_of_the_product(number: int, radicands: list[Expr]) -> None:
    merged = sympy.Mul(*merged_roots(sympy.Integer(number), radicands))
    product = sqrt(number) * sympy.Mul(*map(sqrt, radicands))
    assert mpmath.almosteq(value(merged), value(product), 1e-12)


@settings(max_examples=tries(400), deadline=None)
@given(expressions)
@example(mean.subs(delta, slack) + eps * sqrt(2 * k * log(E + size / slack)))
@example(1 / (1 + (x - mean) / (k * eps**2)) * exp(-((x - mean) ** 2) / (2 * k * eps**2)))
@example(log(x) * sqrt(k) / 2 + exp(-log(x) / 2 * k, evaluate=False))
def test_the_text_means_the_expression(expr: Expr) -> None:
    expected = value(expr)
    assume(roots_are_real(expr))
    read = Reader(latex(expr)).value()
    assert mpmath.almosteq(read, expected, 1e-9, 1e-15), latex(expr)


LETTERS = {r"\varepsilon": eps, "k": k, r"\tilde{\delta}": slack, "x": x, "t": t}
FUNCTIONS = {r"\exp": mpmath.exp, r"\log": mpmath.log, r"\sinh": mpmath.sinh,
             r"\cosh": mpmath.cosh, r"\tanh": mpmath.tanh, r"\Gamma": mpmath.gamma,
             r"\Phi": mpmath.ncdf, r"\operatorname{erf}": mpmath.erf,
             r"\operatorname{erfc}": mpmath.erfc, r"\log\Gamma": mpmath.loggamma}


class Reader:
    """Reads the printed text back as a person would, and evaluates it at POINT.

    It knows nothing of the printer: juxtaposition multiplies, a slash divides what is left of it
    by the one factor right of it, a function without brackets takes one letter.
    """

    TOKEN = re.compile(r"\\log\\Gamma|\\operatorname\{\w+\}|\\tilde\{\\delta\}|\\[a-zA-Z]+|\\[{}]"
                       r"|\d+|[^\s\\]")
    CLOSERS = ("}", ")", r"\}", r"\rfloor", ",", "+", "-", "/", "")

    def __init__(self, tex: str) -> None:
        text = re.sub(r"\\left(?![a-z])|\\right(?![a-z])|\\[,;]|\\cdot", " ", tex)
        self.tokens = self.TOKEN.findall(text)
        self.in_bars = 0

    def value(self) -> mpmath.mpf:
        with mpmath.workdps(40):
            result = self.sum()
        assert not self.tokens, self.tokens
        return result

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, expected: str | None = None) -> str:
        token = self.tokens.pop(0)
        assert expected in (None, token), (expected, token, self.tokens)
        return str(token)

    def group(self, left: str = "{", right: str = "}") -> mpmath.mpf:
        self.take(left)
        outer, self.in_bars = self.in_bars, int(left == "|")
        result = self.sum()
        self.in_bars = outer
        self.take(right)
        return result

    def sum(self) -> mpmath.mpf:
        total = -self.product() if self.next() == "-" and self.take() else self.product()
        while self.next() in ("+", "-"):
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self) -> mpmath.mpf:
        result = self.power()
        while not (self.next() in self.CLOSERS or (self.next() == "|" and self.in_bars)):
            result *= self.power()
        if self.next() == "/":
            self.take()
            result /= self.power()
        return result

    def power(self) -> mpmath.mpf:
        base = self.atom()
        return base ** self.exponent() if self.next() == "^" else base

    def exponent(self) -> mpmath.mpf:
        self.take("^")
        return self.group()

    def atom(self) -> mpmath.mpf:
        brackets = {"(": ")", "|": "|", r"\lfloor": r"\rfloor"}
        if self.next() in brackets:
            left = self.next()
            inner = self.group(left, brackets[left])
            return {"|": abs, r"\lfloor": mpmath.floor}.get(left, mpmath.mpmathify)(inner)
        token = self.take()
        if token in LETTERS:
            number = POINT[LETTERS[token]]
            return mpmath.mpf(number.p) / number.q
        if token in FUNCTIONS:
            power = self.exponent() if self.next() == "^" else 1
            argument = self.group("(", ")") if self.next() == "(" else self.atom()
            return FUNCTIONS[token](argument) ** power
        if token == r"\frac":
            return self.group() / self.group()
        if token == r"\binom":
            return mpmath.binomial(self.group(), self.group())
        if token == r"\sqrt":
            return mpmath.sqrt(self.group())
        if token in (r"\min", r"\max"):
            return (min if token == r"\min" else max)(self.items())
        return {"e": mpmath.e, r"\pi": mpmath.pi}.get(token) or mpmath.mpf(int(token))

    def items(self) -> list[mpmath.mpf]:
        self.take(r"\{")
        found = [self.sum()]
        while self.next() == ",":
            self.take()
            found.append(self.sum())
        self.take(r"\}")
        return found
