r"""Forms that twelve papers written by strangers had, and that were misread, unread, or a false alarm."""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.lint import BUDGET
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources


def findings(text):
    sources = Sources()
    found = []
    for entry in read_document(sources, sources.add("paper.tex", text)):
        found += [entry] if isinstance(entry, Finding) else judge(entry, BUDGET)
    return found


def verdicts(text):
    return [f.verdict for f in findings(text)]


#: e or \pi is a name of the text: what is said of it is not said of the constant.
TAKEN = (
    "Let $x, y > 0$. Put $e = x - y$. Then $e \\ge 2$.",
    "The error is $e = x-y$ with $x > y$. Then $e > 2$.",
    "Let $e = |E|$ be the number of edges. Then $e > 2$.",
    "The graph has $n$ vertices and $e$ edges. Then $e > 2$.",
    "Let $G$ be a graph with $n \\ge 3$ vertices and $e \\ge 1$ edges. Then $e^2 \\ge 4$.",
    "A graph without triangles has $e \\le \\frac{n^2}{4}$ edges, where $n \\ge 1$.",
    "Let $x$ be real. Put\n\\[ e = x + 1. \\]\nThen $e > 2$.",
    "Let $x$ be real and $\\pi = x^2$. Then $\\pi \\ge 3$.",
)


@pytest.mark.parametrize("text", TAKEN)
def test_a_letter_with_a_value_of_its_own_is_not_the_constant(text):
    assert not {"proved", "argued", "refuted"} & set(verdicts(text))


@pytest.mark.parametrize("text", [
    "Let $n \\ge 1$ be an integer. Then $(1 + 1/n)^n \\le e$.",
    "Recall that $e = 2.718\\dots$, so $e > 2$.",
    "Let $n \\ge 1$. Then $n \\le e n$ since $e > 1$.",
])
def test_the_constant_is_still_the_constant(text):
    assert verdicts(text)[-1] in ("proved", "assumption")


#: Each is right, and every relation of it is settled.
RIGHT = (
    # commands of packages
    r"Let $x>0$. Then $\ln\qty(1+x) \le x$ and $\exp\qty[x] \ge 1+x$.",
    r"Let $x>0$. Then $\abs{x} = x$, $\nicefrac{x}{2} \le x$, $\num{1.5e-1} x \le x$.",
    r"Let $x>0$. Then $\mleft(1+x\mright)^2 \ge 1$.",
    r"Let $x>0$. Put $c \vcentcolon= x+1$ and $b \colonequals 2c$. Then $b \ge 2$.",
    r"Let $x>0$. Then $\int_0^x t \dd{t} = x^2/2$.",
    r"\newcommand{\n}[1]{\left\lvert#1\right\rvert} Let $x$ be real. Then $\n{x} \ge x$.",
    # what is written at a brace is about the formula
    r"Let $x > 0$. Then $\underbrace{x + 1}_{=: A} \le 2(x+1)$ and $\overbrace{x+1}^{A} \ge 1$.",
    # sets of numbers with a bound
    r"Let $n\in\mathbb{Z}_{\geq 2}$ and $x \in \mathbb{R}_{<0}$. Then $1/n \le 1/2$ and $1/x < 0$.",
    # a list of conditions, of the same names
    r"Let $d\ge1$ be the dimension and $m\geq d$. Then $d/m \le 1$.",
    r"Let $d \ge 1$. Let $m \ge d$. Then $d/m \le 1$.",
    r"Let $x>-1$, $x \ne 0$. Then $\frac{x^2}{1+x} > 0$.",
    r"Let $p, q > 0$ with $p+q=1$. Then $pq \le 1/4$.",
    r"Suppose $x > 0$ and $y > 0$ satisfy $x + y = 2$. Then $xy \le 1$.",
    r"Let $a_1,\dots,a_n$ be positive numbers. Then $\sum_{i=1}^n a_i > 0$.",
    r"Let $X_1,\dots,X_n$ be independent and $p \in (0,1)$. Then $(1-p)^n \le 1 - p$.",
    r"The noise has variance $\sigma^2$, $\sigma > 0$. Then $1/\sigma > 0$.",
    r"There are $K\ge2$ arms and a horizon $T\ge K$. Then $\ln T \ge \ln K \geq 1/2$.",
    # where the sentence before was
    r"Let $\rho>0$ and $x > 0$. The function $x\rho+\frac{1}{x}$ is minimal at $x=\sqrt{1/\rho}$. There"
    "\n" r"\[ x\rho+\frac{1}{x}=2\sqrt{\rho}. \]",
    # a reason that the text has said
    r"\newtheorem{lemma}{Lemma}\begin{lemma} Let $a<0<b$ and $t := \frac{-a}{b-a}$. Then $t > 0$. \end{lemma}"
    r"\begin{proof} We have $t>0$ since $a<0$. \end{proof}",
    # a parameter of an earlier section keeps its domain where a reason speaks of it
    r"Fix $\delta\in(0,1/2)$. \section{A} Because $\delta < 1/2$, we have $\ln\frac1\delta \ge \frac12$.",
    # a function behind an argument without brackets
    r"Let $x > 0$. Then $2\sin\frac x2\cos\frac x2 = \sin x$ and $\sin x\cos x \le \frac12$.",
    # C_1 says nothing of C(P)
    r"Let $P, N > 0$. We have $C_1 = P$. The capacity is $C(P) = \frac12\ln(1+\frac PN)$. Then $\ln(1+P) \le P$.",
    r"The class is finite with $N := |\mathcal{H}|$. Then $N \ge 0$.",
)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_read_and_settled(text):
    assert not {(f.tex, f.verdict, f.message) for f in findings(text)
                if f.verdict not in ("proved", "argued", "assumption", "definition")}


#: The last relation of each is wrong, under hypotheses that were lost before.
WRONG = (
    r"Let $v, c, t>0$. If $t\le\frac vc$ then $v+ct\leq2v$; if on the other hand $t\geq\frac vc$, then "
    r"$v + ct \ge 3v$.",
    r"Let $v, c>0$. For $t>0$, the choice $\lambda=\frac{t}{v+ct}$ satisfies $\lambda > \frac1c$.",
    r"Let $v, c>0$. For $t>0$, the choice $\lambda=\frac{t}{v+ct}$ satisfies $\lambda<\frac1c$ and "
    r"$\lambda > \frac1c$.",
    r"Let $p, q > 0$ such that $p+q=1$. Then $pq \le 1/5$.",
    r"Let $a_1,\dots,a_n$ be positive numbers. Then $\sum_{i=1}^n a_i \le 1$.",
)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_refuted(text):
    assert verdicts(text)[-1] == "refuted"


@pytest.mark.parametrize("words", [
    "it is enough that", "it suffices to have", "it is sufficient that", "it is enough to have", "it suffices that",
])
def test_what_is_enough_is_no_claim(words):
    assert "refuted" not in verdicts(rf"Let $x > 0$ and $y > 0$. To win, {words} $x \le y/2$.")


@pytest.mark.parametrize("text", [
    r"Let $x > 0$. Then $2\underbrace{x+1}_{A} \ge 3$.",
    r"Let $x > 0$. Then $\underbrace{x+1}_{A} x \ge 0$.",
    r"Let $x > 0$. Then $\underbrace{x}_{\le 3} + 1 \ge x$.",
    r"Let $x > 0$ and $y > 0$. Then $\ln x \exp y \ge 0$.",
    r"Let $x > 0$. Then $\qty{5}{\meter} \ge x$.",
])
def test_two_readings_are_none(text):
    assert verdicts(text)[-1] == "unread"


def test_what_is_said_of_other_values_is_no_list():
    """For x >= 1 and for x >= 2: the second does not speak of the first."""
    assert verdicts(r"For $x \ge 1$ and for $x \ge -2$ we have $x \ge 1$.")[-1] != "proved"


#: The last relation of each is false as it stands there.
FALSE = (
    r"Let $c = 2$. We redefine $c = 1$. Then $c \ge 2$.",
    r"\newcommand{\a}{1} {\renewcommand{\a}{2} $\a \ge 2$.} Then $\a \ge 2$.",
    r"\newcommand{\a}{1} $\a \ge 2$. \renewcommand{\a}{2} Then $\a \ge 3$.",
    r"Let $x > 0$. If $x \ge 1$, then $x^2 \ge x$. In any case $x^2 \ge x$.",
    r"Logarithms are binary. Let $x > 0$. Then $\log x \le x - 1$.",
    r"Let $X_1,\dots,X_n$ be independent. For every $n \ge 0$ we have $n \ge 1$.",
    r"Let $n \ge 1$ be an integer. For every $n \ge 0$ we have $n \ge 1$.",
    r"Let $a_1,\dots,a_n$ be numbers with $\sum_{i=1}^n a_i = 1$. For all $a_1,\dots,a_n$ we have "
    r"$\sum_{i=1}^n a_i = 1$.",
    r"Let $x > 0$. If not $x \ge 1$, then $x \ge 1$.",
    r"Let $x$ be real. Where $x \ge 0$ fails, $|x| = x$.",
    r"Let $x > 0$. Since $x \ge 1$, we have $x^2 \ge x$.",
    r"Let $x > 2$. Now $1 > 0$. For all $x > 0$, $x \ge 1$.",
    r"Let $p, q > 0$ with $p+q=1$. Then $pq \le 1/4$. For all $p, q > 0$ we have $pq \le 1/4$.",
)


@pytest.mark.parametrize("text", FALSE)
def test_nothing_false_is_proved_or_taken_for_granted(text):
    assert verdicts(text)[-1] in ("refuted", "undecided", "unread")


def test_a_macro_with_two_meanings_is_no_alarm():
    text = r"\newcommand{\a}{1} $\a \le 1$. \renewcommand{\a}{2} Then $\a \ge 2$."
    assert verdicts(text) == ["unread", "unread"]


def test_a_mean_that_has_a_name_is_still_unknown():
    text = r"Let $\mu = \mathbb{E}[X]$ and $\delta > 0$. Then $\mu \le \mu(1 + \delta)$."
    assert verdicts(text)[-1] == "undecided"


def test_a_number_of_siunitx_is_one_number():
    from symdp import lint

    true = r"Let $x > 0$. Then $x/\num{2e3} \le x/1000$ and $x - \num{-3} \ge 3$."
    assert [f.verdict for f in lint(true)] == ["assumption", "proved", "proved"]
    assert "proved" not in [f.verdict for f in lint(r"Let $x > 0$. Then $x/\num{2e3} \ge x/1000$.")]
