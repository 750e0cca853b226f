r"""What `symdp latex` promises: LaTeX for every statement, that compiles, in the letters asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Min, Rational, exp, sqrt

from symdp.formulas.notation import eps, k, x, y
from symdp.formulas.relation import Relation, le
from symdp.numbers.domain import Domain, Interval
from symdp.report.paper.latex import bare_formulas, render, set_apart
from symdp.sources.registry import UnknownId, statements
from symdp.sources.statement import Asymptotic, Inequality, Source, Statement, Structural, real
from symdp.typeset.line_breaks import LINE, break_lines, width
from symdp.typeset.prose import domain_latex, text_latex
from symdp.typeset.typesetting import latex

EVERY = [s.id for s in statements()]
PDFLATEX = shutil.which("pdflatex")


def braces(tex: str) -> int:
    depth = 0
    for sign in re.sub(r"\\[\\{}]", "", tex):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0, "a brace is closed that was not opened"
    return depth


def environments(tex: str) -> None:
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", tex):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack


@pytest.mark.parametrize("id", EVERY)
@pytest.mark.parametrize("document", [False, True])
def test_every_statement_renders_with_balanced_braces_and_environments(
    id: str, document: bool
) -> None:
    tex = render([id], document=document)
    assert braces(tex) == 0
    environments(tex)
    assert tex.count(r"\left") == tex.count(r"\right")
    assert f"\\label{{symdp:{id}}}" in tex


@pytest.mark.long
def test_every_claim_renders_alone() -> None:
    for s in statements():
        for claim in s.claims:
            tex = render([claim.id])
            assert f"\\label{{symdp:{claim.id}}}" in tex
            assert tex.count(r"\item") == 0 or claim.id == s.id


@pytest.mark.long
def test_labels_are_unique_also_when_something_is_named_twice() -> None:
    claim = statements()[0].claims[-1].id
    tex = render([*EVERY, claim, EVERY[0]], document=True)
    labels = Counter(re.findall(r"\\label\{(.*?)\}", tex))
    assert set(labels.values()) == {1}
    assert set(re.findall(r"\\ref\{(.*?)\}", tex)) <= set(labels)


def test_a_source_stands_for_all_its_statements() -> None:
    assert render(["note"]) == render([s.id for s in statements() if s.source.key == "note"])


def test_an_unknown_id_is_named() -> None:
    with pytest.raises(UnknownId, match=r"kov/thm-99"):
        render(["kov/thm-99"])


@pytest.mark.long
@pytest.mark.parametrize(("document", "ids"), [(False, EVERY), (True, EVERY[::10])], ids=["piece", "document"])
def test_the_letters_are_those_asked_for_everywhere(document: bool, ids: list[str]) -> None:
    tex = render(ids, document=document, log="ln", epsilon="epsilon")
    assert r"\varepsilon" not in tex
    assert not re.search(r"\\log(?![A-Za-z])", tex)
    assert r"\epsilon" in tex
    assert r"\ln" in tex
    assert r"\epsilon" not in render(ids, document=document)


def test_a_letter_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of log, ln"):
        render(EVERY[:1], log="lg")


def test_a_document_cites_what_it_lists_and_nothing_else() -> None:
    tex = render(["kov/thm-3.4", "kov/sec-7"], document=True)
    keys = {key for keys in re.findall(r"\\cite(?:\[.*?\])?\{(.*?)\}", tex) for key in keys.split(",")}
    assert keys == set(re.findall(r"\\bibitem\{(.*?)\}", tex))
    assert "dwork2009robust" not in keys


# --- words ----------------------------------------------------------------------------------------


def test_special_signs_are_escaped_and_math_is_kept() -> None:
    assert text_latex(r"a_b ^ & % # {} ~ \ $x_1$") == (
        r"a\_b \textasciicircum{} \& \% \# \{\} \textasciitilde{} \textbackslash{} $x_1$"
    )


@given(st.text(max_size=60))
def test_no_text_can_break_the_page(text: str) -> None:
    tex = text_latex(text.replace("$", ""))
    bare = re.sub(r"\$[^$]*\$", "", tex)
    assert braces(tex) == 0
    assert not re.search(r"(?<!\\)[&%#_^~]", re.sub(r"\\text\w+\{\}", "", bare).replace("~", ""))
    assert "$" not in bare


BOOK = Source("book", "100% of R&D_1", "nobody2026book")
ODD = Statement(
    place=BOOK.lemma("1"),
    title="50% & more_of # it",
    variables={x: real, y: real},
    hypotheses=r"For 10% of $\varepsilon^2 & \log x$ {sic}.".replace("&", "+"),
    formulas={"the_sum": x + y},
    claims=(
        Inequality("", "x_1 & 5% ≥ ε", le(x, y), where=(le(x, y),)),
        Asymptotic("order", "it is small", x, "O", y, "as $x$ grows"),
        Structural("shape", "no formula at all"),
    ),
)


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("symdp.report.paper.latex.registry.named", lambda id: (ODD,))
    return render([ODD.id], document=True, epsilon="epsilon", log="ln")


def test_text_of_a_statement_is_escaped_and_its_math_follows_the_style(odd: str) -> None:
    assert r"50\% \& more\_of \# it" in odd
    assert r"$\epsilon^2 + \ln x$ \{sic\}" in odd
    assert r"x\_1 \& 5\% $\ge$" in odd
    assert r"\begin{lemma}" in odd
    assert r"x = O\left(y\right)" in odd


def test_a_source_without_bibtex_is_listed_by_its_title(odd: str) -> None:
    assert "\\bibitem{nobody2026book}\n100\\% of R\\&D\\_1." in odd


def test_a_theorem_is_one_theorem_with_its_totals_in_one_display() -> None:
    tex = render(["kov/thm-3.4"], theorem=True)
    assert tex.count(r"\[") == 1
    assert r"\varepsilon_{\mathrm{total}} &= \min" in tex
    assert r"\delta_{\mathrm{total}} &= " in tex
    assert r"\item" not in tex
    assert "Corrected form" not in render(["kov/thm-4.3"], theorem=True)


@pytest.mark.parametrize("id", EVERY)
def test_every_statement_is_a_theorem(id: str) -> None:
    tex = render([id], theorem=True)
    assert braces(tex) == 0
    environments(tex)


def test_bare_formulas_have_nothing_around_them() -> None:
    lines = [line for line in bare_formulas(["kov/thm-3.5"]).splitlines() if not line.startswith("%")]
    assert len(lines) == 2
    assert all("begin" not in line and "$" not in line and r"\[" not in line for line in lines)
    assert r"\sum_\ell" in lines[0]
    assert r"\prod_\ell" in lines[1]
    assert r"\left(\sum_\ell\varepsilon_\ell^2\right)\log" in lines[0]  # or the logarithm would be summed too


# --- formulas -------------------------------------------------------------------------------------


def test_a_domain_reads_as_mathematics() -> None:
    domain = Domain(
        {
            eps: Interval(Integer(0), Rational("0.9"), lower_open=True),
            k: Interval(Integer(1)),
            x: Interval(),
            y: Interval(Integer(2), Integer(2)),
        },
        frozenset({k}),
        (Relation(x, ">", eps),),
    )
    assert domain_latex(domain, [k, eps]) == [
        r"k\in\mathbb{N},\ k\ge 1", r"0<\varepsilon\le\frac{9}{10}", r"x\in\mathbb{R}", "y=2",
        r"x > \varepsilon",
    ]
    assert domain_latex(Domain({k: Interval()}, frozenset({k}))) == [r"k\in\mathbb{Z}"]
    assert domain_latex(Domain({x: Interval(upper=Integer(0))})) == [r"x\le 0"]


def test_short_formulas_stay_on_one_line() -> None:
    assert break_lines(r"2x \le e^{x}") == r"2x \le e^{x}"


def test_a_line_on_paper_is_never_a_lone_number_or_name() -> None:
    total = (r"1-(1-\delta)^{k}\left(1-\frac{\tilde{\delta}}{1+\sqrt{2\cosh^{2}(\varepsilon/2)"
             r"\log(1/\tilde{\delta})/(k\varepsilon^{2})}}\right)")
    assert break_lines(total, LINE - 8) == total
    wide = "+".join(["aaaa(bbbb)"] * 6)
    assert "\n&1-" in break_lines(f"1-{wide}")
    assert break_lines(rf"\varepsilon_{{\mathrm{{total}}}} = {wide}").startswith(
        "\\varepsilon_{\\mathrm{total}} = \\begin{aligned}\n&aaaa")


def test_no_line_of_a_broken_formula_is_too_wide() -> None:
    long = sum(k**i * exp(i * eps) for i in range(2, 12))
    wide = le(Min(k * eps, long, sqrt(long)), 2 * long)
    for tex in (latex(long), latex(wide), latex(Min(k * eps, long))):
        broken = break_lines(tex)
        environments(broken)
        for line in broken.splitlines():
            visible = re.sub(r"\\(begin|end)\{aligned\}(\[t\])?|\\\\|\\left\\{|\\right\\}", "", line)
            assert width(visible) <= LINE + 4 or r"\sqrt" in line


def test_a_formula_that_a_sentence_cannot_carry_stands_apart_and_keeps_its_stop() -> None:
    long = r"\Phi\left(" + "+".join(["aaaa"] * 8) + r"\right)"
    text = set_apart(rf"For $x>0$ and ${long} \le \delta$, the $k$-fold composition.")
    environments(text)
    assert "\\[" in text
    assert r"\delta," in text
    assert text.endswith("\nthe $k$-fold composition.")
    assert "For $x>0$ and\n" in text
    short = r"For $x>0$ and $a+b \le c$, it costs \$5 and \$6."
    assert set_apart(short) == short


@pytest.mark.long
def test_breaking_changes_only_the_layout() -> None:
    def essence(tex: str) -> str:
        layout = r"\\(begin|end)\{aligned\}(\[t\])?|\\\\\n|\\quad|\{\}|\\left|\\right|\\;|[&\s]"
        return re.sub(layout, "", tex)

    for s in statements():
        for claim in s.claims:
            tex = claim.formula()
            for room in (10, 25, LINE):
                assert essence(break_lines(tex, room)) == essence(tex)


# --- the press ------------------------------------------------------------------------------------


def compile_twice(tex: str, folder: Path) -> str:
    """The log of the second run, in which the references are known."""
    (folder / "page.tex").write_text(tex, encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(
            [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
            cwd=folder, capture_output=True, text=True, timeout=120, errors="replace", check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


needs_latex = pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not on this machine")


@pytest.mark.long
@needs_latex
@pytest.mark.parametrize("style", [{}, {"log": "ln", "epsilon": "epsilon"}])
def test_the_document_compiles_without_warnings(style: dict[str, str], tmp_path: Path) -> None:
    log = compile_twice(render(EVERY, document=True, **style), tmp_path)
    assert "Overfull" not in log
    assert "undefined" not in log
    assert "multiply" not in log


@pytest.mark.long
@needs_latex
def test_theorems_compile_without_warnings(tmp_path: Path) -> None:
    log = compile_twice(render(EVERY, document=True, theorem=True), tmp_path)
    assert "Overfull" not in log
    assert "undefined" not in log


@needs_latex
def test_odd_text_compiles(odd: str, tmp_path: Path) -> None:
    compile_twice(odd, tmp_path)
