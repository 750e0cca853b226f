"""A relation that holds under a condition, and the many ways to say it: none of them is an alarm."""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work


def findings(text: str) -> list[Finding]:
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    return [f for e in entries for f in (judge(e, 1.0) if isinstance(e, Work) else [e])]


#: Each is true as its author means it.
MEANT = {
    "throughout-list": (
        r"Throughout, $n \ge 2$ is an integer and $0<\varepsilon\le 1$. Then $\varepsilon^n \le "
        r"\varepsilon$."
    ),
    "throughout-list2": (
        r"Throughout, $m$ is a positive integer, $0<t\le 1$, and $s \ge 1$ is real. Then $t^2 \le s$."
    ),
    "moreover-list": r"Assume that $a \ge 1$; moreover $0 \le b \le 1$. Then $b^2 \le a$.",
    "let-and": r"Let $a > 0$ be a real number and $0 \le b \le 1$. Then $a b \le a$.",
    "other-section": (
        r"\section{Scales} Every proof assumes a scale $s > 0$." "\n\n"
        r"\section{Bounds} Let $d > 0$. Suppose that $v \ge d/s$. Then $v \ge 0$ and $s + d \ge d$."
    ),
    "substitution": (
        r"Let $0 < a < b$. Put $b/a = e^{2u}$ with $u > 0$. Then $b \ge a$ and $\frac{b-a}{b+a} = "
        r"\frac{e^{2u}-1}{e^{2u}+1}$."
    ),
    "substitution2": r"Let $0 < a < b$ and $u > 0$. We set $b - a = u$. Hence $b = a + u$.",
    "footnote": (
        r"Let $x > 0$. We have\footnote{Here $x \le 1$, as everywhere in this note.} $x^2 \le x$." "\n\n"
        r"Next."
    ),
    "footnote-thm": (
        r"\begin{theorem} Let $x > 0$. Then\footnote{We only need $x \le 1$.} $x^2 \le x$.\end{theorem}"
    ),
    "abstract": (
        r"\begin{abstract} We study rates $0 < r < 1$. \end{abstract} \section{A} Let $r > 0$ be the "
        r"rate. Then $r^2 \le r$."
    ),
    "later-section": (
        r"\section{A} Let $y > 0$. Then $y^3 \le y$." "\n\n"
        r"\section{Notation} All our $y$ satisfy $y \le 1$."
    ),
    "where-behind": r"Let $x>0$ and $y>0$. Then \[ xy \le x, \] where $y \le 1$ by construction.",
    "where-next": r"Let $x>0$ and $y>0$. Then \[ xy \le x. \] Here $y$ is at most $1$.",
    "here-next": r"Let $x>0$ and $y>0$. Then \[ xy \le x. \] Here, $y \le 1$.",
    "as-above": r"Let $z > 0$. With $z \le 1$ as above, $z^2 \le z$.",
    "regime": r"Let $z > 0$. In the regime $z \ll 1$ we have $z^2 \le z$.",
    "regime2": r"Let $z > 0$. In the low-noise regime we have $z^2 \le z$.",
    "small": r"Let $x > 0$. For small $x$ we get $x^2 \le x$.",
    "large": r"Let $x > 0$. If $x$ is large enough, then $x \le x^2$.",
    "large2": r"Let $x > 0$. Then $x \le x^2$ for all sufficiently large $x$.",
    "wlog": r"Let $x > 0$. Assuming without loss of generality that $x \le 1$, we get $x^2 \le x$.",
    "wlog2": (
        r"Let $x > 0$. By scaling we may assume $x \le 1$." "\n\n"
        r"Now $x^2 \le x$."
    ),
    "by3": (
        r"Let $x > 0$. By (3) we may take $x \le 1$." "\n\n"
        r"This gives $x^2 \le x$."
    ),
    "behind-row": r"Let $x > 0$. Then \[ x \le x^2 \quad (x \ge 1). \]",
    "behind-row2": (
        r"Let $x > 0$. Then \begin{align} x &\le x^2, & x \ge 1, \\ x^2 &\le x, & x \le 1. \end{align}"
    ),
    "forall": r"Let $x > 0$. Then \[ x \le x^2 \quad \forall x \ge 1. \]",
    "forall2": r"Let $x > 0$. Then \[ \forall x \ge 1 : \quad x \le x^2. \]",
    "text-words": r"Let $x > 0$. Then \[ x^2 \le x \quad\text{for small } x. \]",
    "text-words2": r"Let $x > 0$. Then \[ x^2 \le x \quad\text{(small noise)}. \]",
    "nonneg": r"Take nonnegative reals $a$ and $b$. Then $(a+b)^2 \ge a^2 + b^2$.",
    "probs": r"Let $p, q$ be probabilities. Then $pq \le p$.",
    "probs2": r"For probabilities $p$ and $q$ we have $p q \le p$.",
    "fraction": r"Let $f \ge 0$ denote the fraction of records that are kept. Then $f^2 \le f$.",
    "even": (
        r"Let $n \ge 1$ be an integer. For $n$ odd, $\frac{1}{n} \le \frac{2}{n} - \frac{1}{n^2} + "
        r"\frac{1}{n^2}$ and $n^2 \ge 5n - 6$ unless $n$ is even."
    ),
    "words-between": r"Let $x$ be a real number between $0$ and $1$. Then $x^2 \le x$.",
    "words-atmost": r"Let $x > 0$ be at most one. Then $x^2 \le x$.",
    "words-unit": r"Let $x \ge 0$. Recall that $x$ never exceeds one. So $x^2 \le x$.",
    "case-explicit": r"Let $x > 0$. In the second case we have $x \le 1$, hence $x^2 \le x$.",
    "neq": r"Let $x$ be real with $x \neq 0$. Then $x^2 > 0$.",
    "neq2": r"Let $x \in \mathbb{R}$, $x \ne 1$. Then $\frac{x^2-1}{x-1} = x+1$ and $(x-1)^2 > 0$.",
    "item": (
        r"Suppose the following. \begin{itemize}\item $x > 0$; \item $x \le 1$. \end{itemize} Then $x^2 "
        r"\le x$."
    ),
    "enum-ass": (
        r"\begin{assumption} $0 < \gamma \le 1$. \end{assumption}" "\n"
        r"\begin{theorem} Let $\gamma > 0$. Then $\gamma^2 \le \gamma$. \end{theorem}"
    ),
    "thm-ref": (
        r"\begin{theorem}\label{t} Let $0<x\le 1$. Then $x^2 \le x$. \end{theorem} \begin{lemma} Let "
        r"$y>0$. Then $y \le 2y$. \end{lemma} Now under the assumptions of Theorem~\ref{t}, $x^3 \le x$."
    ),
    "eq-defs": r"Let $a>0$, $b > 0$. Suppose $a$ and $b$ add up to one. Then $ab \le a$.",
    "increasing": (
        r"Let $a, b > 0$. Assume further that the pair $(a,b)$ is ordered increasingly. Then $a \le b$."
    ),
    "remark-after": r"Let $x > 0$. Then $x^2 \le x$. Note that we have used $x \le 1$.",
    "title-cond": r"\paragraph{The case $x \le 1$.} Let $x > 0$. Then $x^2 \le x$.",
    "sec-cond": r"\section{Small arguments: $x \le 1$} Let $x > 0$. Then $x^2 \le x$.",
    "thm-title": r"\begin{theorem}[small $x$] Let $x > 0$. Then $x^2 \le x$.\end{theorem}",
    "units": (
        r"Let $L > 0$ denote the length; we normalize so that $L$ is below one. Then $L^2 \le L$."
    ),
    "iff": r"Let $x>0$. Note that $x^2 \le x$ precisely when $x \le 1$.",
    "order": r"Let $x > 0$. We prove $x^2 \le x$ first for $x\le 1$.",
    "provided": r"Let $x > 0$. Then $x^2 \le x$, provided that $x$ stays below the threshold.",
    "as-long": r"Let $x > 0$. Then $x^2 \le x$ as long as the step size is small.",
    "sub-eq": r"Let $x > 0$ and $y > 0$. At the optimum, $y = 1/x$. Thus $xy = 1$.",
    "sub-eq2": r"Let $x > 0$ and $y > 0$ with $xy = 1$. Thus $y = 1/x$.",
    "hyp-eq": r"Let $a,b,c>0$ be the sides of a right triangle. Then $a^2+b^2=c^2$.",
    "triangle": r"Let $a,b,c>0$ be the sides of a triangle. Then $a \le b + c$.",
    "contr": (
        r"Let $x > 0$. Suppose for contradiction that $x^2 > 1$ but $x \le 1$. Then $x^2 \le x$."
    ),
    "table": r"Let $c > 0$. The constant $c$ is chosen in Table 1. Then $c \le 2$.",
    "induct": r"Let $n \ge 4$ be an integer. By induction $2^n \ge n^2$.",
    "induct2": r"Let $n \ge 1$ be an integer. We show $2^n \ge n^2$ by induction, starting at $n = 4$.",
    "max": r"Let $x, y > 0$. By symmetry, $x \le y$. Hence $x^2 \le y^2$.",
    "ordered": (
        r"Let $x, y > 0$. We order them so that $x \le y$." "\n\n"
        r"Hence $x^2 \le y^2$."
    ),
    "bold-R": r"Let $x \in \mathbf{R}$ with $x > 1$. Then $x \le x^2$.",
    "every-proof": (
        r"\section{A} Every proof assumes a scale $s > 0$." "\n\n"
        r"\section{B} Let $d > 0$. Suppose that $v \ge d/s$. Then $v \ge 0$."
    ),
    "paren": r"Let $x > 0$. Then (recall $x \le 1$) $x^2 \le x$.",
    "dash": (
        r"Let $x > 0$. Then --- since our inputs are clipped to the unit interval --- $x^2 \le x$."
    ),
    "clipped": r"Inputs are clipped to $[0,1]$. Let $x \ge 0$ be an input. Then $x^2 \le x$.",
    "loss": r"Let $L, \mu > 0$ be the smoothness and strong convexity constants. Then $\mu \le L$.",
    "eigen": (
        r"Let $\lambda_1, \lambda_2 > 0$ be the eigenvalues in decreasing order. Then $\lambda_1 \ge "
        r"\lambda_2$."
    ),
    "respect": (
        r"Let $a, b > 0$. Write $a$ and $b$ for the smaller and the larger of the two numbers, "
        r"respectively. Then $a \le b$."
    ),
    "min": r"Let $a, b > 0$ and assume $a$ is the minimum. Then $a \le b$.",
    "subset": (
        r"Let $k \ge 0$ and $n \ge 0$ be integers such that $k$ items are drawn from $n$. Then $k \le n$."
    ),
    "among": r"There are $n \ge 1$ records, of which $m \ge 0$ are missing. Then $m \le n$.",
    "pct": r"A proportion $w > 0$ of the mass is moved. Then $w^2 \le w$.",
    "dist": r"Let $p_1, p_2 > 0$ form a probability distribution. Then $p_1 + p_2 = 1$.",
    "dist2": r"Let $(p, 1-p)$ be a distribution. Then $p(1-p) \ge 0$.",
    "angle": r"Let $\theta > 0$ be an acute angle. Then $\sin \theta \ge \frac{2}{\pi}\theta$.",
    "corr": r"Let $\rho$ be a correlation coefficient. Then $\rho^2 \le 1$.",
    "std": (
        r"Let $\varepsilon > 0$ be a privacy budget below one. Then $\varepsilon^2 \le \varepsilon$."
    ),
    "subjto": r"Let $x,y > 0$. We minimise subject to $x + y \le 1$. Then $xy \le x$.",
    "stp": r"Let $x > 0$. It suffices to treat $x \le 1$. Then $x^2 \le x$.",
    "remains": r"Let $x > 0$. It remains to consider $x \le 1$. Then $x^2 \le x$.",
    "now-let": (
        r"Let $x > 0$. The case $x > 1$ is trivial." "\n\n"
        r"Now $x^2 \le x$."
    ),
    "excl": r"Let $x > 0$. We exclude $x > 1$ from now on. Then $x^2 \le x$.",
    "otherwise": r"Let $x > 0$. If $x > 1$ there is nothing to show. Otherwise $x^2 \le x$.",
    "otherwise2": r"Let $x > 0$. We are done if $x > 1$. So $x^2 \le x$ may be used.",
    "claim-chain": (
        r"Let $x > 0$. Then \begin{align} x^3 &\le x^2 \\ &\le x \qquad\text{as } x \le 1. \end{align}"
    ),
    "reason-brace": r"Let $x > 0$. Then \[ x^3 \le \underbrace{x^2}_{x \le 1} \le x. \]",
    "overset": r"Let $x > 0$. Then \[ x^2 \overset{x \le 1}{\le} x. \]",
    "stackrel": r"Let $x > 0$. Then \[ x^2 \stackrel{(a)}{\le} x, \] where (a) uses $x \le 1$.",
    "where-a": r"Let $x > 0$. Then \[ x^2 \le x, \] where the last step uses that $x$ is at most one.",
    "intertext": (
        r"Let $x > 0$. Then \begin{align} x &\le x + 1 \\ \intertext{and, as $x \le 1$,} x^2 &\le x. "
        r"\end{align}"
    ),
    "tag": r"Let $x > 0$. Then \[ x^2 \le x \tag{$x \le 1$}. \]",
    "cases-env": (
        r"Let $x > 0$. Then $f(x) = \begin{cases} x^2 & x \le 1 \\ x & x > 1\end{cases}$. Thus $x^2 \le "
        r"x$ on the first branch."
    ),
    "on-first": r"Let $x > 0$. On the unit interval $x^2 \le x$.",
    "on-int": r"Let $x > 0$. On $[0,1]$ we have $x^2 \le x$.",
    "over-int": r"Let $x > 0$. Over the interval $(0,1]$ the bound $x^2 \le x$ holds.",
    "inverse": r"Let $N \ge 1$ be an integer and $h = 1/N$. Then $h^2 \le h$.",
    "mod": (
        r"Let $n \ge 1$ be an integer with $n \equiv 1 \pmod 2$. Then $n \ne 2$ and $(n-2)^2 > 0$."
    ),
    "positive-part": r"Suppose $a \ge b$ and all quantities are positive. Then $a^2 \ge b^2$.",
    "all-positive": (
        r"All variables are positive. Let $a, b$ be real numbers with $a \ge b$. Then $a^2 \ge b^2$."
    ),
    "all-nonneg": (
        r"Unless stated otherwise, every number in this note is at most one and nonnegative. Let $a \ge "
        r"0$. Then $a^2 \le a$."
    ),
    "convention": (
        r"By convention all probabilities and rates lie in the unit interval. Let $r > 0$ be a rate. "
        r"Then $r^2 \le r$."
    ),
    "abs": r"Let $x$ be real, $|x| < 1$. Then $x^2 \le 1$.",
    "abs2": r"We work with $|z| \le 1$. Let $z$ be a real number. Then $z^2 \le 1$.",
    "norm": r"Let $x > 0$ with $\|x\| \le 1$. Then $x^2 \le x$.",
    "inline-quant": r"Let $x > 0$. There is $c > 0$ such that $x \le c$.",
    "exists": r"Let $x > 0$. We can choose $c > 0$ so that $c \ge x^2$. Then $c + 1 \ge x^2$.",
    "exists2": r"Let $x > 0$. For some $c > 0$, $x^2 \le c x$.",
    "exists3": r"Let $x \ge 0$ be arbitrary. There exists a constant $C > 0$ with \[ x^2 \le C x. \]",
    "indicator": r"Let $b \ge 0$ be $1$ if the test passes and $0$ otherwise. Then $b^2 = b$.",
    "bit": r"Let $b \ge 0$ be a bit. Then $b^2 = b$.",
    "asympt": r"As $n \to \infty$, where $n \ge 1$ is an integer, $n^2 \ge 100 n$.",
    "eventually": r"Let $n \ge 1$ be an integer. Eventually $n^2 \ge 100 n$.",
}


@pytest.mark.parametrize("text", MEANT.values(), ids=MEANT.keys())
def test_a_condition_that_is_given_in_an_unusual_way_is_no_alarm(text):
    assert not {f.tex: f.message for f in findings(text) if f.verdict in ("refuted", "gap")}


@pytest.mark.parametrize("text", [MEANT[name] for name in (
    "throughout-list", "throughout-list2", "moreover-list", "let-and")])
def test_conditions_in_a_list_are_assumed(text):
    assert {f.verdict for f in findings(text)} == {"assumption", "proved"}


#: The same habits with everything said: the last relation is wrong, whatever else is meant.
WRONG = {
    "a list": r"Throughout, $n \ge 2$ is an integer and $0<\varepsilon\le 1$. Then $\varepsilon \le \varepsilon^n$.",
    "a footnote": r"Let $x > 0$. We have\footnote{Here $x \le 1$.} $x + 1 \le x^2$." "\n\n" "Next.",
    "another section": r"\section{A} All our $y$ satisfy $y \le 1$. \section{B} Let $y > 0$. Then $y + 1 \le y$.",
    "a bound that is claimed": r"Let $x > 0$. By (3) we may take $x \le 1$. This gives $2x \le x$.",
    "a share": r"Let $q \in [0,1]$ be the share of the rows that are kept. Then $q \le q^2$.",
    "a new name": r"Let $x > 0$. Choose $t = \ln(1+x)$. Then $1 + x \le x$.",
    "words of another paragraph": r"Let $x > 0$. For small $x$ this is easy." "\n\n" r"Then $x^2 \le x$.",
    "praise": r"Let $x > 0$. Then \[ x^2 \le x, \] which is what one uses for large $x$.",
    "a story": r"Let $x > 0$. If the person is counted, then $2x \le x$.",
    "another theorem": r"\begin{lemma} Let $0<x\le 1$. Then $x^2 \le x$. \end{lemma}"
    r"\begin{lemma} Let $x>0$. Then $x^3 \le x$. \end{lemma}",
    "cases that exclude each other": r"Let $x > 0$. If $x \le 1$, then $x^2 \le x$. If $x > 1$, then $x \le x^2$. "
    r"Hence $2x \le x$.",
    "a contradiction": r"Let $x > 0$. Then $x \le 0$.",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_in_any_case_is_refuted(text):
    claims = [f for f in findings(text) if f.verdict not in ("assumption", "definition")]
    wrong = [f for f in claims if f.verdict == "refuted"]
    assert len(wrong) == 1, [(f.tex, f.verdict, f.message, f.missing) for f in claims]


def test_a_point_names_the_variables_of_the_relation_and_no_others():
    found = findings(
        r"Let $t > 0$ and $0 < x < 1$. Let $n \ge 1$ be an integer. Then \[ \sum_{i=1}^n i = \frac{n(n-1)}{2}. \]"
    )[-1]
    assert found.verdict == "refuted"
    assert set(found.witness or {}) - {"left", "right", "violation"} == {"n"}
    assert "t =" not in found.message
    assert "x =" not in found.message


def test_a_substitution_is_a_definition():
    found = {f.tex: f.verdict for f in findings(MEANT["substitution"])}
    assert found["b/a = e^{2u}"] == "definition"


def test_where_a_name_lives_is_asked_for_if_it_is_mentioned_in_passing():
    text = r"\section{A} A scale $s > 0$ occurs. \section{B} Let $d > 0$. Suppose that $v \ge d/s$. Then $v \ge 0$."
    found = findings(text)[-1]
    assert (found.verdict, found.missing) == ("undecided", ("where s lives",))


def test_what_every_proof_assumes_is_in_force():
    assert findings(MEANT["other-section"])[-1].verdict == "proved"


@pytest.mark.parametrize("words", ["A fluctuation of $N$ independent spins is small.", "We draw $N$ samples.",
                                   "Each of the $N$ records is bounded."])
def test_what_is_counted_again_is_what_it_was(words):
    text = rf"Let $N \ge 1$ be an integer. {words} We have $\frac{{\sqrt{{N}}}}{{N}} = \frac{{1}}{{\sqrt{{N}}}}$."
    assert findings(text)[-1].verdict == "proved"
