"""What the parser promises: exact reading, a text that reads back, and no harm from strangers."""

from __future__ import annotations

import pickle
import sys

import pytest
import sympy
from campaign import tries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import Abs, Expr, Max, Min, Rational, Symbol, binomial, cosh, exp, floor, log, pi, sqrt

from symdp.formulas.notation import Phi, delta, eps, k, lam, x, y
from symdp.formulas.parsing import (
    MAX_DEPTH,
    MAX_TEXT,
    ParseError,
    parse_conditions,
    parse_definition,
    parse_expression,
    parse_name,
    parse_relation,
    to_text,
)
from symdp.formulas.relation import Relation
from symdp.formulas.vocabulary import KNOWN

d, z = Symbol("d"), Symbol("z")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-x^2", -(x**2)),
        ("2^-x", 2 ** (-x)),
        ("x^y^z", x ** (y**z)),
        ("x**2", x**2),
        ("2^3^2", sympy.Integer(512)),
        ("x - y - z", x - y - z),
        ("x/y/z", x / y / z),
        ("x/y*z", x * z / y),
        ("x*-y", -x * y),
        ("--x", x),
        ("+x", x),
        ("-(x + 1)*y", -y * (x + 1)),
        ("2*(x + y)/(x + y)", sympy.Integer(2)),
        (" x\t+\n1 ", x + 1),
        ("0.9", Rational(9, 10)),
        ("1e-6", Rational(1, 10**6)),
        ("2.50E+1", sympy.Integer(25)),
        (".5", Rational(1, 2)),
        ("e", sympy.E),
        ("e^x", exp(x)),
        ("e^-(x^2)", exp(-(x**2))),
        ("π*pi", pi**2),
        ("ln(x)", log(x)),
        ("sqrt(x)", sqrt(x)),
        ("exp(1)", sympy.E),
        ("abs(log(1+x)-x)", Abs(log(1 + x) - x, evaluate=False)),
        ("max(x, y, 1)", Max(x, y, 1)),
        ("min(x, x)", x),
        ("max(1/3, 0.3)", Rational(1, 3)),
        ("max(e, pi, 3)", pi),
        ("abs(e - pi)", pi - sympy.E),
        ("abs(-7/2)", Rational(7, 2)),
        ("floor(-7/2)", sympy.Integer(-4)),
        ("floor(exp(100))", sympy.Integer(26881171418161354484126255515800135873611118)),
        ("floor(x + 1/2)", floor(x + Rational(1, 2), evaluate=False)),
        ("binomial(k, 2)", binomial(k, 2)),
        ("binomial(10^9, 10^9 - 1)", sympy.Integer(10**9)),
        ("Phi(0)", Rational(1, 2)),
        ("Φ(x)", Phi(x)),
        ("x^(10^9)", x ** (10**9)),
        ("1^(x^(10^9)/(x + y))", sympy.Integer(1)),
        ("(1 - 1/1000)^1000", Rational(999, 1000) ** 1000),
        ("exp(-eps*log(1e6))", exp(-eps * log(10**6))),
        ("tanh(eps*sqrt(2*k*log(1/d)))", sympy.tanh(eps * sqrt(2 * k * log(1 / d)))),
    ],
)
def test_reads_what_a_mathematician_means(text: str, expected: Expr) -> None:
    assert parse_expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("epsilon", eps),
        ("ε", eps),
        ("ϵ", eps),
        ("lambda", lam),
        ("λ", lam),
        ("δ", delta),
        ("gamma", Symbol("gamma")),
        ("γ", Symbol("gamma")),
        ("beta", Symbol("beta")),
        ("ε_total", Symbol("eps_total")),
        ("δ1", Symbol("delta1")),
        *((name, Symbol(name)) for name in ("S", "I", "E", "N", "O", "Q", "_a", "x_1", "Lambda")),
    ],
)
def test_names_are_plain_symbols(text: str, expected: Symbol) -> None:
    assert parse_name(text) == expected == parse_expression(text)


def test_gamma_is_a_function_only_before_a_bracket() -> None:
    g = Symbol("gamma")
    assert parse_expression("gamma(x) + gamma*(x)") == sympy.gamma(x) + g * x


def test_relations_keep_both_sides() -> None:
    assert parse_relation("x <= x + 1") == Relation(x, "<=", x + 1)
    assert parse_relation("x ≥ y").op == ">="
    assert parse_relation("x ≤ y").op == "<="
    assert parse_relation("x == y").op == "=="


def test_chains_become_several_conditions() -> None:
    one = sympy.Integer(1)
    assert parse_conditions("0 < d <= 1") == (
        Relation(sympy.Integer(0), "<", d),
        Relation(d, "<=", one),
    )
    assert parse_conditions("x > y") == (Relation(x, ">", y),)


def test_definitions_use_a_single_sign() -> None:
    name, view, term = parse_definition("m = eps/2")
    assert (name, view) == (Symbol("m"), eps / 2)
    assert str(term) == "eps/2"  # as it was written
    assert str(parse_definition("m = x/x").term) == "x/x"


NINES = "9" * 1001
HOSTILE = [
    ("", 1, "empty"),
    ("   ", 4, "empty"),
    ("__import__('os')", 1, "unknown function '__import__'"),
    ("x.y", 2, "unexpected character '.'"),
    ("'x'", 1, "unexpected character"),
    ('"x"', 1, "unexpected character"),
    ("2 + foo(x)", 5, "unknown function 'foo'; known functions: abs, acos, "),
    ("epsilon(3)", 1, "for a product write epsilon*(...)"),
    ("e(3)", 1, "unknown function 'e'"),
    ("exp", 1, "write exp(...)"),
    ("1 + sqrt x", 5, "write sqrt(...)"),
    ("2x", 2, "write 2*x"),
    ("x y", 3, "write x*y"),
    ("2(3)", 2, "write 2*(...)"),
    ("(x)(y)", 4, "operator is missing"),
    ("2e", 2, "write 2*e"),
    ("0x10", 2, "operator is missing"),
    ("(x", 1, "never closed"),
    ("exp(x", 4, "never closed"),
    ("x)", 2, "unexpected ')'"),
    ("[x]", 1, "round brackets"),
    ("{x}", 1, "round brackets"),
    ("x +", 4, "ends"),
    ("x , y", 3, "unexpected ','"),
    ("a***b", 4, "unexpected '*'"),
    ("x = y", 3, "unexpected '='"),
    ("x < y", 3, "unexpected relation"),
    ("min(x)", 1, "min takes 2 to 32 arguments, not 1"),
    ("binomial(3)", 1, "binomial takes 2 arguments, not 1"),
    ("exp(1, 2)", 1, "exp takes 1 argument, not 2"),
    ("exp()", 5, "unexpected ')'"),
    *((f"1+{name}", 3, "not a real number")
      for name in ("oo", "zoo", "inf", "Infinity", "nan", "NaN")),
    ("x\x07", 2, "U+0007"),
    ("x\x00y", 2, "U+0000"),
    ("x\x1b[31m", 2, "U+001B"),
    ("x\u2028y", 2, "U+2028"),
    ("\ud800", 1, "U+D800"),
    ("٣", 1, "unexpected character"),
    ("x²", 2, "unexpected character"),
    ("9" * 10**6, MAX_TEXT + 1, "longer than"),
    (NINES, 1, "digits"),
    ("1e1001", 1, "exponent"),
    ("1e" + "9" * 900, 1, "exponent"),
    ("(" * 5000 + "x", MAX_DEPTH + 1, "deep"),
    ("(" * 5000 + "x" + ")" * 5000, MAX_TEXT + 1, "longer than"),
    ("-" * 5000 + "x", MAX_DEPTH + 2, "deep"),
    ("x" + "^x" * 3000, 2 * MAX_DEPTH + 2, "deep"),
    ("exp(" * 2000, 4 * (MAX_DEPTH + 1), "deep"),
    ("10^10^10", 3, "too large"),
    ("2^(10^9)", 2, "too large"),
    ("(2*x)^(10^9)", 6, "too large"),
    ("sqrt(2)^(10^12)", 8, "too large"),
    ("(2^5000)^5000", 9, "too large"),
    ("2^(x+10^11)/2^x", 2, "too large"),
    ("exp(10^12*log(2))", 1, "too large"),
    ("exp(x + 10^9*log(2))/exp(x)", 1, "too large"),
    ("exp(y*sin(10^12*log(2)))", 1, "too large"),
    ("2^(10^6*log(3)/log(2))", 2, "too large"),
    ("binomial(10^9, 5*10^8)", 1, "too large"),
    ("gamma(10^7)", 1, "too large"),
    ("loggamma(10^7)", 1, "too large"),
    ("gamma(10^7+1/2)", 1, "too large"),
    ("floor(exp(10^6))", 7, "too large"),
    ("max(exp(10^9), 3)", 5, "too large"),
    ("abs(exp(10^9)-1)", 5, "too large"),
    ("exp(exp(exp(100)))", 5, "too large"),
    ("log(1 + exp(-10^6))", 9, "too small"),
    ("sqrt(7^6000 + 1)", 1, "too large"),
    ("*".join(["7^(x+5000)"] * 100), 1, "too large"),
    ("*".join(["7^5000"] * 100), 1, "too large"),
    ("+".join(f"1/7^{n}" for n in range(3000, 3100)), 1, "too large"),
    ("+".join(f"sqrt(10^500+{n})" for n in range(500)), 231, "too involved"),
    ("2^(y+" * 48 + "x" + ")" * 48, 62, "too involved"),
    ("max(" + ",".join(f"x{n}" for n in range(1000)) + ")", 1, "not 1000"),
    # SymPy takes these apart into real and imaginary part, and multiplies the powers out.
    ("(x^(10^6) + y)^(1/(a + b))", 15, "too involved"),
    ("((x + 1)^(10^9))^(1/2)", 17, "too involved"),
    ("tanh(x^(10^9))", 1, "too involved"),
    ("1/(y + cosh(exp(x - 10^300)))", 8, "too involved"),
    ("tanh(log(3)^(x + 10^12))", 1, "too involved"),
    ("sinh(log(3)^(x + 1e-300))", 1, "too involved"),
    ("x^(y/(2*k + 4)^(2^5000))", 2, "too large"),
    ("1/(z - 2^(-exp(k^(10^12))))", 9, "too involved"),
    # It writes out 2^200002 * 3^600001 here,
    ("12^0.600001", 3, "too large"),
    ("(10^9 + 8)^-1e-300", 11, "too large"),
    # and looks for the minimal polynomial of this one.
    ("(7^1e-300 - x)^(1/3)", 3, "whole number"),
    ("1/0", 2, "division by zero"),
    ("1/(2-2)", 2, "division by zero"),
    ("x/(y-y)", 2, "division by zero"),
    ("0^-1", 2, "division by zero"),
    ("0^-x", 2, "not a real number"),
    ("log(0)", 1, "not a real number"),
    ("1 + sqrt(-1)", 5, "not a real number"),
    ("log(-1)", 1, "not a real number"),
    ("(-8)^(1/3)", 5, "not a real number"),
    ("(-pi)^0.5", 6, "not a real number"),
    ("gamma(-1)", 1, "not a real number"),
    ("1/(log(4) - 2*log(2))", 2, "not a real number"),
    ("max(log(4), 2*log(2))", 1, "cannot decide"),
]


@pytest.mark.parametrize(("text", "column", "reason"), HOSTILE,
                         ids=[ascii(text[:25]) for text, _, _ in HOSTILE])
def test_hostile_text_ends_in_one_line_that_points_at_the_cause(
    text: str, column: int, reason: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse_expression(text)
    error = caught.value
    assert reason in error.reason
    assert error.column == column
    assert error.text is text
    assert str(error) == f"column {column}: {error.reason}"
    assert str(error).isprintable()
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("parse", "text", "column", "reason"),
    [
        (parse_relation, "0 < x < 1", 7, "chain"),
        (parse_relation, "x + 1", 6, "relation is missing"),
        (parse_relation, "x = 1", 3, "unexpected '='"),
        (parse_relation, "x < ", 5, "ends"),
        (parse_relation, "x =< 1", 3, "unexpected '='"),
        (parse_relation, "(x < 1)", 4, "unexpected relation"),
        (parse_conditions, "d", 2, "relation is missing"),
        (parse_conditions, "x > 0, y > 0", 6, "unexpected ','"),
        (parse_definition, "m == 1", 3, "single ="),
        (parse_definition, "2 = m", 1, "name is missing"),
        (parse_definition, "exp = 1", 1, "function"),
        (parse_definition, "m = 1 = 2", 7, "unexpected '='"),
        (parse_name, "pi", 1, "constant"),
        (parse_name, "x+1", 2, "unexpected '+'"),
        (parse_name, "", 1, "name is missing"),
    ],
)
def test_each_reader_says_what_it_wanted(parse, text: str, column: int, reason: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParseError, match=f"column {column}: ") as caught:
        parse(text)
    assert reason in caught.value.reason


def test_a_long_name_is_quoted_in_part() -> None:
    with pytest.raises(ParseError) as caught:
        parse_expression("a" * 9000 + "(x)")
    assert len(str(caught.value)) < len(KNOWN) + 120


def test_an_error_crosses_processes() -> None:
    error = pickle.loads(pickle.dumps(ParseError("2x", 2, "write 2*x")))
    assert (error.text, error.column, error.reason) == ("2x", 2, "write 2*x")


def test_a_caller_with_little_stack_left_gets_an_error_of_ours() -> None:
    def descend(levels: int) -> Expr:
        return descend(levels - 1) if levels else parse_expression("(" * 90 + "x" + ")" * 90)

    frames, frame = 0, sys._getframe()
    while frame is not None:
        frames, frame = frames + 1, frame.f_back  # type: ignore[assignment]
    with pytest.raises(ParseError, match="nested too deeply"):
        descend(sys.getrecursionlimit() - frames - 150)


CLAIMS = [
    "eps*tanh(eps/2) <= eps^2/2",
    "p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)",
    "1-exp(-u) <= exp(lam*u + lam*log(lam) - (lam+1)*log(lam+1))",
    "s/(s+sqrt(2*log(e+s/d)))*d/(e*d+s) < d",
    "eps^2/(4*log(e+eps/d)) + sqrt(eps^2/(2*log(e+eps/d))"
    "*log(e+eps/(sqrt(log(e+eps/d))*d))) <= eps",
    "abs(log(1+x)-x) <= 2*x^2",
    "log(x/y)/2 > (x-y)/(x+y)",
    "cosh(x) <= exp(0.499*x^2)",
    "(1+x)^r >= 1+r*x",
    "erfc(x) <= exp(-x^2)",
    "1-(1-d)^k*(1-g) <= k*d+g",
    "log(1+x) <= x^(1/3)",
    "(p^a*(1-p)^(1-a) + (1-p)^a*p^(1-a))^(1/(a-1)) >= 1",
    "-1/2 <= x",
    "1/2 <= p",
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_claims_of_the_trade_read_back(claim: str) -> None:
    relation = parse_relation(claim)
    assert parse_relation(str(relation)) == relation


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (1 - x, "1 - x"),
        (x - 1, "x - 1"),
        (-x - 1, "-x - 1"),
        (x / 2 / y, "x/(2*y)"),
        (1 / x**2, "1/x^2"),
        (1 / sqrt(x), "1/sqrt(x)"),
        (exp(-x), "exp(-x)"),
        (sympy.E, "e"),
        (Rational(-1, 3), "-1/3"),
        (Rational(1, 2) ** x, "(1/2)^x"),
        ((-2) ** x, "(-2)^x"),
        ((x**y) ** z, "(x^y)^z"),
        (Min(x, y) * Abs(x), "abs(x)*min(x, y)"),
        (cosh(x) ** 2, "cosh(x)^2"),
        (sympy.Mul(Rational(1, 2), 1 / (x + y), z), "z/(x + y)/2"),
    ],
)
def test_prints_as_a_person_would_type(expr: Expr, text: str) -> None:
    assert to_text(expr) == text
    assert parse_expression(text) == expr


def test_numbers_of_thousands_of_digits_read_back() -> None:
    number = sympy.Integer(7) ** 6000 / sympy.Integer(3) ** 1000
    assert parse_expression(to_text(number)) == number
    assert parse_expression(to_text(number * x + y)) == number * x + y


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.1, r"0\.1 is a float; write Rational\('0\.1'\)"),
        (x + sympy.Float("0.5"), "is a float"),
        (sympy.I * x, "outside the grammar"),
        (sympy.oo, "outside the grammar"),
        (sympy.zoo, "outside the grammar"),
        (sympy.cot(x), "outside the grammar"),
        (sympy.Integral(x, x), "outside the grammar"),
        (Symbol("x", positive=True), "cannot be written"),
        (Symbol("epsilon"), "cannot be written"),
        (Symbol("exp"), "cannot be written"),
        (Symbol("a b"), "cannot be written"),
    ],
)
def test_refuses_to_print_what_it_could_not_read(value: Expr, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        to_text(value)


# --- laws ------------------------------------------------------------------------------------

QUIET = settings(deadline=None, max_examples=tries(150), suppress_health_check=list(HealthCheck))
TOKENS = (
    "x y eps ε e pi 0 1 2 7 0.5 1e-6 10 10^9 1e300 + - * / ^ ** ( ) ( ) , < <= == = exp log sqrt "
    "abs( min( max( sinh( cosh( tanh( sin( erf( erfc( Phi( gamma( loggamma( binomial( floor( oo S"
).split()


def parses_or_complains(text: str) -> None:
    for parse in (parse_expression, parse_relation, parse_conditions, parse_definition, parse_name):
        error = None
        try:
            parse(text)
        except ParseError as caught:
            error = caught
        if error is not None:
            assert str(error).isprintable()
            assert 1 <= error.column <= len(text) + 1


@QUIET
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_any_row_of_tokens_parses_or_complains(text: str) -> None:
    parses_or_complains(text)


@QUIET
@given(st.text(st.characters(), max_size=40))  # lone surrogates and control characters included
def test_any_text_parses_or_complains(text: str) -> None:
    parses_or_complains(text)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    one = "exp log sqrt abs sinh cosh tanh sin cos erf erfc Phi gamma loggamma floor".split()
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/^"), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        inner.map(lambda text: f"(-{text})"),
        st.tuples(st.sampled_from(one), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(st.sampled_from(["min", "max", "binomial"]), inner, inner).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]})"
        ),
    )


LEAVES = st.sampled_from(
    ["x", "y", "ε", "k", "gamma", "e", "pi", "0", "1", "2", "3", "12", "0.25", "1/3", "1e-3", "2/7"]
)
EXPRESSIONS = st.recursive(LEAVES, grown, max_leaves=9)


@QUIET
@given(EXPRESSIONS)
def test_printing_and_reading_is_the_identity(text: str) -> None:
    try:
        expr = parse_expression(text)
    except ParseError:
        return
    assert parse_expression(to_text(expr)) == expr


@QUIET
@given(EXPRESSIONS, EXPRESSIONS)
def test_what_sympy_computes_from_it_reads_back_too(left: str, right: str) -> None:
    try:
        one, other = parse_expression(left), parse_expression(right)
    except ParseError:
        return
    for expr in (one + other, one - other, one * other, -one, one / 3, one**2, 1 / (one + z)):
        try:
            text = to_text(expr)
        except TypeError:  # 1 - 1 in a denominator
            assert expr.has(sympy.zoo, sympy.nan)
            continue
        again = parse_expression(text)
        # SymPy is of two minds about (1/4)^x: it turns it into 4^(-x) in some products only.
        if not any(power.base.is_Rational and power.base.p == 1 for power in expr.atoms(sympy.Pow)):
            assert again == expr
        assert parse_expression(to_text(again)) == again


# --- signs that look like others ------------------------------------------------------------------


@pytest.mark.parametrize(("text", "column", "named", "cure"), [
    ("\u0430 <= a + 1", 1, "CYRILLIC SMALL LETTER A", "write the letter 'a'"),
    ("x\u0430 <= 1", 2, "CYRILLIC SMALL LETTER A", "write the letter 'a'"),
    ("\u03bf <= o", 1, "GREEK SMALL LETTER OMICRON", "write the letter 'o'"),
    ("\u0391 <= A", 1, "GREEK CAPITAL LETTER ALPHA", "write the letter 'A'"),
    ("\uff58 <= x", 1, "FULLWIDTH LATIN SMALL LETTER X", "write the letter 'x'"),
    ("x\u00b2 <= 1", 2, "SUPERSCRIPT TWO", "write '^2'"),
    ("1 \u2212 x <= 1", 3, "MINUS SIGN", "write '-'"),
    ("x\u200b <= 1", 2, "ZERO WIDTH SPACE", "leave it out"),
])
def test_a_sign_that_looks_like_another_is_named(text, column, named, cure):
    with pytest.raises(ParseError) as error:
        parse_relation(text)
    assert error.value.column == column
    assert named in str(error.value)
    assert cure in str(error.value)
    assert "\n" not in str(error.value)
