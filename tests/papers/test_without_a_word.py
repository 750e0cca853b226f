"""What authors do without saying so: induction, the union bound, a variance that defines its root, the same range."""

from __future__ import annotations

import pytest
from sympy import Integer

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.papers.finding import Finding
from symdp.papers.formulas.induction import induction
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources


def findings(text: str) -> list[Finding]:
    sources = Sources()
    found: list[Finding] = []
    for entry in read_document(sources, sources.add("paper.tex", text)):
        found += [entry] if isinstance(entry, Finding) else judge(entry, 2.0)
    return found


def last(text: str) -> Finding:
    return findings(text)[-1]


# --- induction


@pytest.mark.parametrize("claim", [
    r"\sum_{k=1}^n \ln k \ge n \ln n - n", r"n! \ge \left(\frac{n}{e}\right)^n", r"(2n)! \ge 2^n n!",
    r"\binom{2n}{n} \le 4^n",
])
def test_sums_and_factorials_are_argued_by_induction(claim):
    found = last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]")
    assert (found.verdict, "by induction on n" in found.message) == ("argued", True)


@pytest.mark.parametrize("claim", [
    r"\sum_{k=1}^n \ln k \ge n \ln n", r"n! \ge \left(\frac{n}{2}\right)^n", r"\binom{2n}{n} \le 3^n", r"n! \ge 2^n",
])
def test_what_fails_somewhere_is_not_argued(claim):
    found = last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]")
    assert found.verdict == "refuted"
    assert found.witness is not None
    smaller = ("left", "right") if r"\ge" in claim else ("right", "left")
    assert float(found.witness[smaller[0]]) < float(found.witness[smaller[1]])  # as they were written


def test_a_step_without_a_beginning_is_no_induction():
    n, x = symbol("n"), symbol("x")
    assert induction(Relation(n, "<=", 2 * n), (Relation(n, ">=", x),), frozenset([n])) is None
    assert induction(Relation(n, "<=", 2 * n), (Relation(n, ">=", Integer(1)),), frozenset()) is None


@pytest.mark.parametrize("claim", [
    r"\prod_{k=1}^n \left(1 + \frac1k\right) = n + 1", r"\prod_{k=1}^n \frac{k}{k+1} \ge \frac{1}{n+1}",
    r"\sum_{i=1}^n \frac1i > \ln n",
])
def test_products_and_stronger_bounds_are_argued_by_induction(claim):
    found = last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]")
    assert (found.verdict, "by induction on n" in found.message) == ("argued", True)


@pytest.mark.parametrize("claim", [
    r"\prod_{k=1}^n \left(1 + \frac1k\right) = n", r"\prod_{k=1}^n (k - 5) \le 24", r"\prod_{k=1}^n (-2) \le 1",
    r"\prod_{k=1}^n \frac{k}{k+1} \ge \frac1n", r"\sum_{i=1}^n \frac1i > \ln n + \frac{6}{10}",
])
def test_products_with_a_wrong_bound_or_sign_are_not_argued(claim):
    assert last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]").verdict in ("refuted", "undecided")


def test_what_fails_for_all_integers_is_refuted_for_large_ones_too():
    text = r"Let $n \ge 1$ be an integer. Write $H_n = \sum_{i=1}^n \frac1i$. For large $n$ we have $H_n \le \ln n$."
    assert last(text).verdict == "refuted"
    assert last(text.replace(r"\le \ln n", r"\le 1")).verdict == "undecided"


def test_notation_with_an_index_and_a_sign_of_its_own_reaches_the_next_section():
    text = r"\section{A} Define $g_0 \triangleq 1 + \gamma$. \section{B} Let $\gamma > 0$. Then $g_0 \ge 1$."
    assert last(text).verdict == "proved"


# --- unions


@pytest.mark.parametrize("claim", [
    r"\Pr[A \cup B] \le \Pr[A] + \Pr[B]", r"\Pr[A \text{ or } B] \le \Pr[A] + \Pr[B]",
    r"\Pr\Bigl[\bigcup_{i=1}^n E_i\Bigr] \le \sum_{i=1}^n \Pr[E_i]", r"\Pr[A \cup B] \ge \Pr[B]",
    r"\Pr[\exists i \in [n]: |X_i| > t] \le \sum_{i=1}^n \Pr[|X_i| > t]", r"\Pr[A \cup B] \le 2\Pr[A] + \Pr[B]",
])
def test_the_union_bound_is_argued(claim):
    found = last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]")
    assert (found.verdict, "union bound" in found.message) == ("argued", True)


@pytest.mark.parametrize("claim", [
    r"\Pr[A \cup B] = \Pr[A] + \Pr[B]", r"\Pr[A \cup B] \le \Pr[A]",
    r"\Pr[A \mid C \cup B] \le \Pr[A \mid C] + \Pr[B]",
    r"\Pr[\bigcup_{i=1}^n E_i] \le \sum_{i=2}^n \Pr[E_i]", r"\Pr[\bigcup_{i=1}^n E_i] \ge \sum_{i=1}^n \Pr[E_i]",
    r"\Pr_X[A \cup B] \le \Pr_Y[A] + \Pr_Y[B]", r"\Pr[A \cup B \cap C] \le \Pr[A] + \Pr[B \cap C]",
    r"\Pr[\exists i \in [n]: X_i > t] \le \sum_{i=1}^n \Pr[X_i > s]",
])
def test_what_is_no_union_bound_is_left_open(claim):
    assert last(rf"Let $n \ge 1$ be an integer. Then \[ {claim}. \]").verdict == "undecided"


# --- a square that defines


@pytest.mark.parametrize("words", [
    r"Set $\sigma^2 = 4L$.", r"The choice $\sigma^2 = 4L$ is ours.", r"Let $\sigma > 0$ and put $\sigma^2 = 4L$.",
    r"Choose $\sigma > 0$ with $\sigma^2 = 4L$.",
])
def test_a_variance_defines_its_root(words):
    claims = r"Then $\frac{1}{2\sigma^2} = \frac{1}{8L}$ and $\sigma \le \sqrt{L}$."
    found = findings(rf"Let $L > 0$. {words} {claims}")
    assert [f.verdict for f in found][-3:] == ["definition", "proved", "refuted"]


def test_which_root_is_meant_is_not_guessed():
    assert last(r"Let $y > 0$ and put $x^2 = y$. Then $x = \sqrt{y}$.").verdict == "undecided"


# --- where a name lives


def test_bounded_by_says_nothing_of_the_bounds():
    assert last(r"For records that are bounded by $L \le U$, we have $|L| \le U - L$.").verdict == "refuted"
    assert last(r"For bounded $L \le U$, we have $|L| \le U - L$.").verdict == "undecided"


def test_the_same_range_is_the_one_before():
    text = r"Let $z > 0$. For $z < 2$ we have $z^2 \le 2z$, and even $z^2 \le z$ in the same range."
    assert last(text).verdict == "refuted"
    assert last(text.replace("For $z < 2$", "In the low-noise regime")).verdict == "undecided"


@pytest.mark.parametrize(("words", "verdict"), [
    ("For small $z$ all is well. Suppose $z \\le 1$.", "refuted"),
    ("Suppose $z \\le 1$. For small $z$ all is well.", "undecided"),
])
def test_a_bound_makes_precise_what_stands_before_it(words, verdict):
    assert last(rf"Let $z \ge 0$. {words} Then $z^2 \le z/2$.").verdict == verdict


_REMARK = r"""\begin{theorem} Let $x > 0$. Then $\log x \le x - 1$. \end{theorem}
\begin{remark} %s $\log x \le \sqrt x - 1$. \end{remark}"""


def test_a_remark_speaks_of_the_names_of_its_theorem():
    assert last(_REMARK % "Similarly").verdict == "refuted"
    assert last(_REMARK.replace("Let $x > 0$", r"Let $x \ge 20$") % "Similarly").verdict == "undecided"
    assert last(r"\section{Next}".join(_REMARK.split("\n")) % "Similarly").verdict == "undecided"


def test_what_a_remark_proves_is_not_proved_by_the_theorem():
    text = _REMARK.replace("Let $x > 0$", r"Let $x \ge 20$").replace(r"\sqrt x - 1", "x") % "Also"
    assert "20" not in " ".join(h for h, _ in last(text).hypotheses)
    assert last(_REMARK.replace(r"\log x \le \sqrt x - 1", r"x^2 \ge x").replace("x > 0", r"x \ge 20") % "Also"
                ).verdict == "undecided"


def test_a_letter_that_is_bound_here_is_not_that_of_another_theorem():
    text = (r"\section{One} For $x \in \mathbb{R}$ we have $e^x \ge 1 + x$. Also $e^x \ge 1 + x + x^2/2$. %s"
            r"\section{Two} Let $x > 0$. Then $x \le 2x$.")
    found = [f for f in findings(text % "") if "x^2" in f.tex]
    assert [f.verdict for f in found] == ["refuted"]
    for elsewhere in (r"Throughout, $x > 0$.", r"\section{Notation} Let $x > 0$.",
                      r"\section{Z} All our $x$ satisfy $x > 0$."):
        found = [f for f in findings(text % elsewhere) if "x^2" in f.tex]
        assert [f.verdict for f in found] == ["undecided"], elsewhere


# --- values that change


def test_a_name_may_have_another_value_in_a_sentence():
    text = r"Let $p = 0.1$. With $p = 0.2$ we get $2p = 0.4$. The value $p = 0.3$ gives $2p = 0.5$."
    assert [f.verdict for f in findings(text)] == ["definition", "assumption", "proved", "assumption", "refuted"]
    assert last(r"Set $c = 2$. Doubling the constant, $c = 4$. Then $c + 1 = 5$.").verdict == "undecided"
    assert last(r"Set $c = 2$. Then $c + 1 = 5$.").verdict == "refuted"


@pytest.mark.parametrize("claim", [r"r \ge 1", r"r \le 1"])
def test_a_condition_on_what_has_a_meaning_may_be_another_meaning(claim):
    said = r"Let $x \ge 1$ and $r = 1/x$. For the other case $r = x$ we have"
    assert last(f"{said} ${claim}$.").verdict == "undecided"


# --- exceptions


@pytest.mark.parametrize("text", [
    r"Unless $t = 0$, $e^{-t} > 1 - t$.", r"We have $e^{-t} > 1 - t$ except for $t = 0$.",
    r"We have $t^2(1-t)^2 > 0$ except at $t = 0$ and $t = 1$.", r"Then $t^2 > 0$ with the exception of $t = 0$.",
    r"Unless $t \le 1$, we have $t^2 > t$.",
])
def test_what_is_excepted_is_left_out(text):
    found = [f.verdict for f in findings(f"Let $t$ be a real number. {text}") if f.verdict != "assumption"]
    assert found == ["proved"]


@pytest.mark.parametrize("text", [
    r"We have $e^{-t} > 1 - t$ apart from $t = 1$.", r"Then $t^2(1-t)^2 > 0$ except at $t = 0$.",
    r"Unless $t \le 1$, we have $t^2 > 2t$.",
])
def test_what_fails_elsewhere_is_refuted(text):
    found = [f.verdict for f in findings(f"Let $t$ be a real number. {text}") if f.verdict != "assumption"]
    assert found == ["refuted"]


def test_an_exception_ends_with_its_sentence():
    text = r"Let $t$ be a real number. Unless $t = 0$ we have $t^2 > 0$. Then $e^{-t} > 1 - t$."
    assert last(text).verdict != "proved"


def test_a_case_that_cannot_be_is_none():
    assert findings(r"Let $p \ge 0$ be real. We have $p^2 > 0$ except at $p = 0$.")[1].verdict == "proved"
    assert findings(r"Let $p \ge 0$ be real. We have $p^2 > p$ except at $p = 0$.")[1].verdict == "refuted"


def test_a_name_within_bars_is_declared():
    assert last(r"For $|z| < 1$ we have $z^2 \le z$.").verdict == "refuted"


def test_in_this_range_assumes_nothing():
    text = r"Let $0 < t < 1$. Then $t^2 \le t$; in this range $t \le t^2$."
    assert [f.verdict for f in findings(text)][-2:] == ["proved", "refuted"]


def test_what_is_clear_somewhere_may_be_claimed_there():
    text = r"For $x \in \mathbb{R}$ we have $e^x \ge 1 + x$. For $x \ge 0$ the next is clear:"
    assert last(rf"{text} $e^x \ge 1 + x + x^2/2$.").verdict == "undecided"
