r"""What objects show of themselves in a notebook: formulas that fit, domains, reasons that stay."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational
from sympy.core.cache import clear_cache

from symdp.audit.record import Record
from symdp.formulas.notation import eps, lam, symbol, x
from symdp.formulas.relation import le
from symdp.report.page.summary import statement_as_json
from symdp.report.terminal.statements import print_statement
from symdp.search.prove import check
from symdp.search.verdict import Status, Verdict
from symdp.sources.bibliography import fields, reference
from symdp.sources.contents import listed
from symdp.sources.registry import claim, statements
from symdp.sources.statement import Asymptotic, Claim, Source, Statement, Structural, positive
from symdp.typeset.line_breaks import SCREEN, width
from symdp.typeset.numerals import decimal_latex, point_latex
from symdp.typeset.prose import formula_lines, markdown, pieces, plain

CLAIMS = [c for s in statements() for c in s.claims]


@pytest.mark.parametrize("c", CLAIMS, ids=lambda c: c.id)
def test_a_claim_shows_its_domain_and_a_formula_that_fits(c: Claim) -> None:
    shown = c._repr_markdown_()
    assert c.id in shown
    if not c.display(SCREEN)[1]:  # it is said in words alone
        assert "$$" not in shown
        return
    words, formula = shown.split("$$")[:2]
    for v in c.domain.variables:
        assert re.search(r"\nFor .*\$", words), v
    for line in formula.splitlines():
        assert width(line.replace(r"\begin{aligned}", "")) <= SCREEN


def test_variables_come_in_the_order_of_the_statement() -> None:
    shown = claim("kov/thm-3.4.simplified")._repr_markdown_()
    assert shown.index(r"<\varepsilon") < shown.index(r"\le\tilde{\delta}") < shown.index(r"k\in")


def test_the_latex_of_a_claim_keeps_its_words() -> None:
    tex = claim("kov/thm-3.2.centring-helps")._repr_latex_()
    assert tex.startswith(r"$\displaystyle")
    assert r"\text{The mean of the privacy loss" in tex
    assert r"\text{For }\varepsilon>0" in tex
    assert r"\tanh(\varepsilon/2) \le e^{\varepsilon}-1" in tex


def test_a_claim_without_a_formula_is_shown_in_words() -> None:
    book = Source("book", "A book", "nobody2026book")
    s = Statement(book.remark("1"), "Shapes", {x: positive}, claims=(
        Structural("shape", "a*b*c is no emphasis"),
        Asymptotic("order", "it is small", x, "O", x**2, "as $x$ grows"),
    ))
    assert s.claims[0]._repr_markdown_().endswith(r"a\*b\*c is no emphasis")
    assert "For $x>0$, in the regime as $x$ grows," in s.claims[1]._repr_markdown_()


# --- verdicts -------------------------------------------------------------------------------------


def test_a_refutation_is_typeset_with_its_point_and_the_size_of_the_violation() -> None:
    verdict = check("lam*eps_total <= 1/2", where=["eps_total == 1/2", "lam == 3"])
    assert verdict.status is Status.REFUTED
    shown = verdict._repr_markdown_()
    assert r"$\tilde{\varepsilon} = 1/2$ and $\lambda = 3$ by $1$" in shown
    assert "left side is $1.5$, the right side $0.5$" in shown
    assert r"\lambda = 3" in verdict._repr_latex_()


def test_numbers_have_at_most_six_digits() -> None:
    shown = check("exp(x) <= 2", where=["1 <= x <= 2"])._repr_markdown_()
    for number in re.findall(r"\d[\d.]*", shown):
        assert len(number.lstrip("0.").replace(".", "")) <= 6


def test_the_latex_of_a_verdict_keeps_the_reason() -> None:
    verdict = Verdict(Status.UNDECIDED, "the search got stuck at 50% of a_b & more, " * 3)
    tex = verdict._repr_latex_()
    assert r"\text{undecided: the search" in tex
    assert r"50\% of a\_b \& more" in tex
    assert tex.count(r"\begin{aligned}") == 1


def test_a_verdict_has_no_accidental_markdown() -> None:
    assert r"the entry a\*b\*c \<= 1" in Verdict(
        Status.UNDECIDED, "the entry a*b*c <= 1")._repr_markdown_()


# --- numbers and words ----------------------------------------------------------------------------


def test_a_point_is_exact_or_says_that_it_is_not() -> None:
    point = {eps: Rational(1, 10**9), lam: Rational(-7, 2), x: Rational(1, 3**20)}
    assert point_latex(point) == [
        r"\varepsilon = 10^{-9}", r"\lambda = -7/2", r"x \approx 2.86797\cdot 10^{-10}",
    ]


@pytest.mark.parametrize(("printed", "expected"), [
    ("1.00500", "1.005"), ("100", "100"), ("1.0", "1"), ("-2.0e+3", r"-2\cdot 10^{3}"),
    ("3e-12", r"3\cdot 10^{-12}"), ("0", "0"),
])
def test_decimals(printed: str, expected: str) -> None:
    assert decimal_latex(printed) == expected


def test_the_terminal_shows_letters() -> None:
    for text in (s for c in CLAIMS for s in (c.says, c.because)):
        assert not re.search(r"[\\${}]", plain(text))


@given(st.text(max_size=80))
def test_any_text_can_be_shown(text: str) -> None:
    assert "".join(f"${p}$" if math else p for p, math in pieces(text)) == text
    assert plain(text) is not None
    assert markdown(text).count("$") >= text.count("$")
    for line in formula_lines(text.replace("$", ""), 30):
        bare = re.sub(r"\\[{}]", "", line)
        assert bare.count("{") == bare.count("}")


# --- third parties --------------------------------------------------------------------------------


def test_an_unknown_reference_is_shown_by_its_key() -> None:
    assert reference("nobody2026book") == "nobody2026book"
    assert fields("nobody2026book") == {}
    assert fields("kairouz2013composition")["year"] == "2013"


def test_a_symbol_is_one_object_whatever_the_cache_forgets() -> None:
    clear_cache()
    assert symbol("eps") is eps
    assert symbol("ε") is eps
    assert le(symbol("lambda"), 1).left is lam


@pytest.mark.parametrize("statement", statements(), ids=lambda s: s.id)
def test_every_statement_can_be_shown(statement, capsys):
    """The sums of Theorem 3.3 once ended in a traceback."""
    print_statement(listed(statement), ())
    out = "".join(capsys.readouterr().out.split())
    assert all("".join(name.split()) in out for name in (statement.id, *statement.formulas))


def failed(id):
    data = {"verdict": "refuted", "method": "it fails at a point", "boxes": 0, "seconds": 0.0, "trust": [],
            "witness": None, "rules": [], "certificate": None}
    return Record("id", id, "a claim", "", data, None)


def test_charity_stands_beside_the_verdict(capsys):
    """True as meant, and lost on the way to the text: not sold as a refutation of the authors."""
    note = listed(next(s for s in statements() if s.id == "note/thm-3.20"))
    print_statement(note, [failed("note/thm-3.20.monotone"), failed("note/thm-3.20.tight")])
    out = " ".join(capsys.readouterr().out.split())
    meant, counts = out.split("note/thm-3.20.tight: ")
    assert "as meant it holds: degenerate: it fails at ε=0 alone" in meant
    assert "as meant" not in counts
    chain = listed(next(s for s in statements() if s.id == "kov/sec-7"))
    print_statement(chain, [failed("kov/sec-7.square-free")])
    assert "the text extraction may have made it: the completed square" in " ".join(capsys.readouterr().out.split())
    told = {c["id"]: c for c in statement_as_json(note, [failed("note/thm-3.20.monotone")])["claims"]}
    assert told["note/thm-3.20.monotone"]["slip"] == "monotone-at-zero"
    assert told["note/thm-3.20.monotone"]["meant"]
