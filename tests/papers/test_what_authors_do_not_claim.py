"""Texts that are false and want to be called proved, and texts that are right and want to be called wrong.

They play with rows that go on, columns, side conditions, primes, scopes, quantifiers, letters with two meanings,
macros and assumptions that contradict each other. What is judged last in a false text is its false relation.
"""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work

pytestmark = pytest.mark.long
#: A verdict that would be a lie about a false relation.
RIGHT = {"proved", "argued"}

FALSE = [
    r"Let $x\ge 0$. \begin{align*} x + 1 &\le 2x + 1 \\ &\quad - 2x. \end{align*}",
    r"Let $x\in(0,1)$. \begin{align*} x^2 &\le x \\ &\phantom{\le} \cdot (1-x). \end{align*}",
    r"Let $x\in(0,1)$. \begin{align*} x &\le x \\ &\qquad \times x. \end{align*}",
    r"Let $x>0$. \begin{align*} x &\le \Bigl( 1 + x \\ &\qquad + x^2 \Bigr) \\ &\qquad {}- 1 - x^2 - x/2. "
    r"\end{align*}",
    r"Let $x>0$. \begin{multline*} e^x \ge 1 + x + \frac{x^2}{2} \\ + \frac{x^3}{2}. \end{multline*}",
    r"Let $x>0$. \begin{multline*} 1 + x \\ + x^2 \le \\ 1 + x. \end{multline*}",
    r"Let $x>1$. \[ \begin{split} \ln x &\le x - 1 \\ &\quad\mathbin{-} 1. \end{split} \]",
    r"Let $x>0$. \begin{eqnarray*} x & \le & x^2 + 1 \\ & & {} - x^2. \end{eqnarray*}",
    r"For $x$ real we have \[ x^2 \ge x \qquad (x \in \mathbb{R}). \]",
    r"Let $x \ge 1$ in what follows unless said otherwise. \begin{align*} x^2 &\ge x && \text{for all } x \ge "
    r"0. \end{align*}",
    r"\begin{align*} e^{x} &\le 1 + 2x && \text{for } 0 \le x \le 2. \end{align*}",
    r"Let $x\ge 1$. Then $x \le x^2$. Now let $x > 0$ be arbitrary. Then $x \le x^2$.",
    r"If $x \ge 1$, then $x^2 \ge x$; and for $0<x<1$ also $x^2 \ge x$.",
    r"Let $x>0$. Then \[ \ln x \le 0 \quad\text{unless } x < 1. \]",
    r"Let $x>0$. Except for $x \le 1$ we have $x^2 \le x$.",
    r"Let $x > 0$. Then $x^2 \ge x$, at least for $x \le 1$.",
    r"Let $x > 0$. Then $\sqrt{x} \le x$ for all but large $x$.",
    r"Let $f(x) = x^2$ for real $x$. Then $f'(x) = x$.",
    r"Let $f(x) = x^2$ for real $x$. Then $f''(x) = 2x$.",
    r"Let $f(x) = e^{2x}$ for real $x$. Then $f'(x) = f(x)$.",
    r"Let $x' = x + 1$ with $x > 0$. Then $x' \le x$.",
    r"Let $g(x) = \ln x$ for $x > 0$. Then $\frac{dg}{dx} = \frac{1}{x^2}$.",
    r"Let $f(x) = \sin x$ for real $x$. Then $f^{(2)}(x) = \sin^2 x$.",
    r"Let $f(x) = x + 1$ for real $x$. Then $f^{-1}(x) = \frac{1}{x+1}$.",
    r"Let $f(x) = x + 1$ for $x > 0$. Then $f^2(x) = (x+1)^2$ and $f(f(x)) = (x+1)^2$.",
    r"Let $x>0$. Then $\sin^{-1}(x) \sin(x) = 1$.",
    r"Let $x \in (0,1)$. \begin{align*} x &\le 1, & x^2 &\le x^3. \end{align*}",
    r"Let $x \in (0,1)$. \begin{alignat*}{2} x &\le 1 &\quad x^2 &\le x \\ &\le 2 & &\le x^2. \end{alignat*}",
    r"Let $a,b>0$. \begin{tabular}{cc} $a \le a+b$ & $b \le a + b$ \end{tabular} Thus $a+b \le a$.",
    r"Let $x>0$. \begin{gather*} x \le x + 1, \quad x + 1 \le x + 2 \\ \le x. \end{gather*}",
    r"\begin{lemma} Let $x \ge 1$. Then $x \le x^2$. \end{lemma} \begin{lemma} Let $x > 0$. Then $x \le x^2$. "
    r"\end{lemma}",
    r"\section{A} Let $x \ge 1$. \section{B} For every $x > 0$ we have $x \le x^2$.",
    r"Let $x>0$. Suppose first that $x\ge 1$. Then $x\le x^2$. Otherwise $x \le x^2$ too.",
    r"Case 1: $x\ge 1$. Then $x\le x^2$. Case 2: $0<x<1$. Then $x \le x^2$.",
    r"Let $x > 0$. Assume for contradiction that $x > x + 1$. Then $x = x^2$. So this is impossible. Hence "
    r"$x^2 \le x$.",
    r"Let $x>0$. If $x \geq 2$ then $x^2 \geq 4$. In general, $x^2 \ge 4$.",
    r"Let $x>0$. (For $x\ge 1$ the claim is trivial.) We show that $x^2 \ge x$.",
    r"\begin{theorem} Let $x \ge 1$. Then $x^2\ge x$. \end{theorem} \begin{remark} The theorem stays true for "
    r"every $x > 0$: indeed $x^2 \ge x$. \end{remark}",
    r"\footnote{Here $x \ge 1$.} Let $x > 0$. Then $x^2 \ge x$.",
    r"There is $x > 0$ with $x \ge 5$. For every $x > 0$ we get $x \ge 5$.",
    r"Choose $c$ such that $c \ge x$ for all $x > 0$. Then $c \ge c + 1$.",
    r"For some $x > 1$ we have $x^2 \le 2$. For all $x>1$ it follows that $x^2 \le 2$.",
    r"Let $n$ be an integer. Then for every real $n \ge 1$, $\lfloor n \rfloor = n$.",
    r"Let $n\ge1$ be an integer. For real $n \geq 1$ one has $\lceil n \rceil = n$.",
    r"Let $x = 3$. Let $x > 0$ be arbitrary. Then $x \le 3$.",
    r"Let $c = 2$. In the next section, $c$ denotes a number in $(0,1)$. Then $c \ge 1$.",
    r"Write $y$ for $x^2$ where $x \in (0,1)$. From now on $y$ is any real number. Then $y \ge 0$.",
    r"Let $a = 1$. For all $a > 0$: $a^2 \le 1$.",
    r"Let $S = \sum_{i=1}^{n} i$ with $n \ge 1$ an integer. Then $S = \frac{n(n-1)}{2}$.",
    r"Let $e$ be an edge of the graph, $e \in (0,1)$. Then $e \ge 2$.",
    r"Let $\pi \in (0,1)$ be the stationary probability. Then $\pi \ge 3$.",
    r"Let $i \ge 1$ be an index. Then $i^2 = -1$.",
    r"\newcommand{\half}{1/2}Let $x>0$. Then $x^\half \le x/2 + 1/4$.",
    r"\newcommand{\s}{x+1}Let $x>0$. Then $2\s = 2x+2$.",
    r"\def\f#1{#1^2}Let $x>0$. Then $\f{x+1} = x^2 + 2x + 1$.",
    r"\newcommand{\sqr}[1]{#1\cdot#1}Let $x>0$. Then $\sqr{x+1} = (x+1)^2$.",
    r"\newcommand{\m}{-x}Let $x>0$. Then $1\m^2 = 1 + x^2$.",
    r"\renewcommand{\le}{\geq}Let $x>0$. Then $x \le x+1$.",
    r"{\def\y{x}Let $x>0$.} \def\y{2x} Then $\y = x$.",
    r"Let $x>0$. Assume $x < 0$. Then $x = 5$.",
    r"Let $x > 1$. Since $x < 0$, we get $x \ge 10$.",
    r"Let $x>0$. As $x^2 = x + 1$ and $x = 1$, we have $x = 7$.",
    r"Define $f(x) = x+1$ for $x > 0$. Let $f(x) = x$. Then $f(3) = 3$ and $f(3) = 4$.",
    r"Let $x\in\emptyset$. Then $x = x+1$.",
    r"Let $0 < x < y < z < x$. Then $x = 2$.",
    r"Let $n$ be an integer with $1 < n < 2$. Then $n = 7$.",
    r"Let $x>0$. Then $x = 5$. Hence $x^2 = 25$.",
    r"Let $x>0$. Then $x = 5$.",
    r"Let $x>0$. Hence $x = 5$ and $x^2=25$.",
    r"Let $x>0$. It follows that \[ x = 5. \] So $x^2 = 25$.",
    r"Let $x\in(0,1)$. We have $x = 2$. Therefore $x \ge 1$.",
    r"Let $c = 2$. Now $c$ denotes a number in $(0,1)$. Then $c \ge 1$.",
    r"Let $c = 2$. From now on $c$ is any positive number. Then $c \ge 1$.",
    r"Let $c = 2$. In this section, $c$ stands for a constant. Then $c \ge 1$.",
    r"Let $c = 2$. Here $c$ may be any constant. Then $c \ge 1$.",
    r"Let $c = 2$. Consider now a different $c$. Then $c \ge 1$.",
    r"Let $c = 2$. Let $c$ be a constant. Then $c \ge 1$.",
    r"Let $c = 2$. \section{Next} In this section, $c$ is a positive constant. Then $c \ge 1$.",
    r"Let $c \ge 2$. We now drop the assumption on $c$. Then $c \ge 1$.",
    r"Let $c \ge 2$. From here on $c$ is arbitrary. Then $c \ge 1$.",
    r"Let $c \ge 2$. Now let $c$ be a real number. Then $c \ge 1$.",
    r"Let $c \ge 2$. We no longer assume this. Then $c \ge 1$.",
    r"Let $f(x) = x^2$ for $x > 0$. Then $f'(x) = x$ and $f'(3) = 3$.",
    r"Let $f(x) = x^2$ for $x>0$. Its derivative is $f'(x) = x$.",
    r"Let $x \in (0,1)$. \begin{align*} x &\le 2 \\ &= 1. \end{align*}",
    r"Let $p\in(0,1)$. Then \[ \frac{\ln 2}{-\ln(1-p)} \ge \frac{(1-p)\ln 2}{p} = \frac{\ln 2}{p} - 1.\]",
    r"Let $q>0$. If $0<q<1$ then $q \le 1$. Finite ones, for $n\ge 1$ again: $$\sum_{j=0}^{n} q^j = "
    r"\frac{1-q^n}{1-q} .$$",
    r"Let $q>0$ and let $n\ge 1$ be an integer. Then $$\sum_{j=0}^{n} q^j = \frac{1-q^n}{1-q} .$$",
    r"Let $n\ge 1$ be an integer. Then $$\frac{1-q^n}{1-q} \le \frac{1}{1-q} .$$",
    r"Let $x>0$. Taking logarithms, $x \le 1$. Hence $x^2 \le 1$.",
    r"Let $x>0$. Taking square roots on both sides, $x \le 1$. Hence $x^2 \le 1$.",
    r"Let $n \ge 1$ be an integer. The central coefficient satisfies $\binom{2n}{n} \le 3^n$. Hence "
    r"$\binom{2n}{n} \le 3^n$.",
    r"Let $x > 0$. This is at most one, for $e^x \le 1$. Hence $x \le 0$.",
    r"Let $x>0$. If $x \ge 1$, then $x^2 \ge x$; and for $0<x<1$ also $x^2 \ge x$.",
    r"\newcommand{\m}{-x}Let $x>0$. Then $e^\m = \frac{1}{e^x}$ and $e^\m \ge 1$.",
    r"Then $\int_1^\infty \frac{dx}{x^2} = 2$.",
    r"Then $\int_0^1 \frac{x\,dx}{1+x^2} = \ln 2$.",
    r"Let $f(x) = x^3$ for $x>0$. Since $f$ is increasing, $f'(x) \ge 3x$.",
    r"Let $t\ge 1$ be real. Then $\lceil t \rceil \le t$.",
    r"Let $t\ge 1$ be real. Then $\lfloor t \rfloor \ge t - \frac12$.",
    r"Then $\int_0^\infty \frac{dx}{x^2} = 1$.",
    r"Then $\int_{-1}^{1} \frac{dx}{x} = 0$.",
    r"For every $x>0$: $x \le 1$. Hence $x \le 2$.",
    r"Let $x>0$. If $x > 1$: $x \ge 2$. Hence $x \ge 2$.",
    r"Let $x > 0$. Note: $x \le 1$. Therefore $x^2 \le 1$.",
    r"Let $x > 0$. By convexity, $x \le 1$. Therefore $x^2 \le 1$.",
    r"Let $x > 0$. Using $x \le 1$, we get $x^2 \le 1$. Hence $x^2 \le 1$.",
    r"Let $x > 0$. Recall that $x \le 1$. Therefore $x^2 \le 1$.",
    r"Let $x > 0$. We know $x \le 1$; so $x^2 \le 1$.",
    r"Let $x > 0$. The quantity $x^2$ satisfies $x^2 \le x$. Hence $x \le 1$.",
    r"Let $x > 0$. The function satisfies $x^2 \le x$. Hence $x^2 \le x$.",
    r"Let $x > 0$ and $y = 2$. With $y$ now denoting any positive number, $y \le 2$.",
    r"Let $x > 0$. Given that $x \le 1$, $x^2\le 1$. Without that, $x^2 \le 1$ still.",
    r"Let $x > 0$. Writing $y = x^2$, $y \ge x$.",
    r"Let $n \ge 1$ be an integer. Setting $n = 1$ gives $n^2 \le 1$. For all $n$, $n^2 \le 1$.",
    r"Let $n \ge 1$ be an integer. Setting $n = 1$ gives $n^2 \le 1$. Hence $n^2 \le 1$.",
    r"\begin{theorem} If $x \ge 1$ then $x^2 \ge x$. \end{theorem} \begin{proof} Let $x > 0$. Then $x^2 \ge "
    r"x$. \end{proof}",
    r"Assume $p \in [0,1]$. Let $q = 1 - p$. Let $p = 3$. Then $q \ge 0$.",
    r"Let $x > 0$, $y > 0$. Replacing $y$ by $-y$ we get $y > 0$.",
    r"Let $a > b > 0$. By symmetry we may exchange $a$ and $b$. Hence $b \ge a$.",
    r"Let $x>0$. \begin{align} x &\le 1 && \text{(to be shown)} \\ x^2 &\le x. \end{align}",
    r"Let $x>0$. It is not the case that $x \le 0$. So $x \le 0$.",
    r"Let $x \ge 0$. Then \[ x \le x^2 \quad \text{for } x \in \{0\} \cup [1,\infty), \] and in particular $x "
    r"\le x^2$.",
    r"Let $x>0$. Then $\max_{x} x \ge 1$ and $x \ge 1$.",
    r"Let $x > 0$. In all cases $x \le 1$. Hence $x^2 \le 1$.",
    r"Let $x > 0$. Writing $y = x^2$, $y \ge x$. Hence $x^2 \ge x$.",
    r"Let $x > 0$. It is not the case that $x \le 1$. So $x \le 2$.",
    r"Let $x > 0$. Since $x \ge 0$, $x \ge 1$. Hence $x \ge 1$.",
    r"Let $x \in \mathbb{R}\setminus\{0\}$. Then $x^2 \ge 1$.",
    r"Let $n\ge 1$ be an integer. \begin{alignat*}{3} &\sum_{t=1}^n \frac{1}{t(t+1)} &&\le 1, && \\ "
    r"&\sum_{t=1}^n t &&= \frac{n(n-1)}{2}. && \end{alignat*}",
    r"Let $x>0$. \begin{alignat*}{2} & x &&\le 2x \\ & &&\le x. \end{alignat*}",
    r"Let $x>0$. \begin{align*} & x && \le 2x \\ &&& \le 3x \\ & 4x && \le 3x. \end{align*}",
    r"Let $x \in (0,1)$. \begin{align*} x &\le 2 & x^2 &\le 1 \\ & +1 & &\le x. \end{align*}",
    r"Let $x>0$. \begin{align*} & f(x) && = x \\ & g(x) &&= 2x.\end{align*} Then $f(x) \ge g(x)$.",
    r"We know \[ 1-x \ge e^{-x-x^2} \qquad (0\le x\le 1/2) \] and more.\footnote{A sharper form is $1-x \ge "
    r"e^{-x-x^2/2}$ on the same interval.}",
    r"Let $0<p<1$ and set $q = 1-p$. Then \[\sum_{k=1}^{\infty} k p q^{k-1}  = \frac{1}{p^2}.\]",
    r"Throughout $n \ge 2$ is an integer, the sample size, while $\sigma > 0$ is the standard deviation of one "
    r"observation. Let $\theta \ne 0$ be real. Then \[ \frac{\sigma^2}{n\theta^2 + \sigma^2} \le "
    r"\frac{\sigma^2}{n\theta^2 + n\sigma^2}.\]",
    r"Let $x > 0$. Then $x \ge 1$ is the claim. Hence $x \ge 1$.",
]
TRUE = [
    r"Let $x\ge 0$. \begin{align*} x + 1 &\le 2x + 1 \\ &\quad + x^2. \end{align*}",
    r"Let $x\in(0,1)$. \begin{align*} x^2 &\ge x \\ &\quad \cdot x^2. \end{align*}",
    r"Let $x>0$. \begin{multline*} e^x \ge 1 + x + \frac{x^2}{2} \\ + \frac{x^3}{6}. \end{multline*}",
    r"Let $x>0$. \begin{eqnarray*} x & \le & x^2 + 1 \\ & & {} + x^2. \end{eqnarray*}",
    r"\begin{align*} e^{x} &\le 1 + 2x && \text{for } 0 \le x \le 1. \end{align*}",
    r"Let $x\ge 1$. Then $x \le x^2$. Now let $0<x<1$. Then $x \ge x^2$.",
    r"If $x \ge 1$, then $x^2 \ge x$; and for $0<x<1$ we have $x^2 \le x$.",
    r"Let $x>0$. Then \[ \ln x \ge 0 \quad\text{if } x \ge 1. \]",
    r"Let $x>0$. Unless $x > 1$ we have $x^2 \le x$.",
    r"Let $f(x) = x^2$ for real $x$. Then $f'(x) = 2x$.",
    r"Let $f(x) = x^2$ for real $x$. Then $f''(x) = 2$.",
    r"Let $x' = x + 1$ with $x > 0$. Then $x' \ge x$.",
    r"Let $g(x) = \ln x$ for $x > 0$. Then $\frac{dg}{dx} = \frac{1}{x}$.",
    r"Let $f(x) = \sin x$ for real $x$. Then $f^{(2)}(x) = -\sin x$.",
    r"Let $f(x) = x + 1$ for real $x$. Then $f^{-1}(x) = x-1$.",
    r"Let $f(x) = x + 1$ for $x > 0$. Then $f^2(x) = x+2$ and $f(f(x)) = x+2$.",
    r"Let $x \in (0,1)$. \begin{align*} x &\le 1, & x^3 &\le x^2. \end{align*}",
    r"Let $x \in (0,1)$. \begin{alignat*}{2} x &\le 1 &\quad x^2 &\le x \\ &\le 2 & &\le 1. \end{alignat*}",
    r"\begin{lemma} Let $x \ge 1$. Then $x \le x^2$. \end{lemma} \begin{lemma} Let $0<x\le 1$. Then $x \ge "
    r"x^2$. \end{lemma}",
    r"Case 1: $x\ge 1$. Then $x\le x^2$. Case 2: $0<x<1$. Then $x \ge x^2$.",
    r"Let $x>0$. Suppose first that $x\ge 1$. Then $x\le x^2$. Otherwise $x \ge x^2$.",
    r"Let $x>0$. If $x \geq 2$ then $x^2 \geq 4$. In general, $x^2 \ge 0$.",
    r"There is $x > 0$ with $x \ge 5$. For every $x > 0$ we get $x^2 > 0$.",
    r"For some $x > 1$ we have $x^2 \le 2$.",
    r"Let $n\ge1$ be an integer. For real $t \geq 1$ one has $\lceil t \rceil \ge t$.",
    r"Let $x = 3$. Let $x > 0$ be arbitrary. Then $x \le x+1$.",
    r"Let $e$ be an edge of the graph, $e \in (0,1)$. Then $e \le 1$.",
    r"Let $\pi \in (0,1)$ be the stationary probability. Then $\pi \le 1$.",
    r"Let $i \ge 1$ be an index. Then $i^2 \ge 1$.",
    r"\newcommand{\half}{1/2}Let $x>0$. Then $x^{\half} \le x + 1/4$.",
    r"\newcommand{\s}{x+1}Let $x>0$. Then $2\s = 2x+1$.",
    r"\newcommand{\m}{-x}Let $x>0$. Then $1\m^2 = 1 - x^2$.",
    r"\renewcommand{\le}{\geq}Let $x>0$. Then $x \le x-1$.",
    r"\def\f#1{(#1)^2}Let $x>0$. Then $\f{x+1} = x^2 + 2x + 1$.",
    r"Let $x>0$. Suppose not, so that $x^2 < 0$. Then $x < 0$, a contradiction.",
    r"Let $p\in[0,1]$ and write $\bar p = 1-p$. Then $p\bar p \le \frac14$.",
    r"Let $x,y>0$. Then $\min(x,y) \le \sqrt{xy} \le \max(x,y)$.",
    r"Let $x \in (0,1)$. Then $x \overset{(a)}{\le} \sqrt{x} \overset{(b)}{\le} 1$.",
    r"Let $x,y \in \mathbb{R}$. Then $xy \le \frac{x^2+y^2}{2}$, with equality iff $x = y$.",
    r"Let $S = \sum_{i=1}^{n} i$ with $n \ge 1$ an integer. Then $S = \frac{n(n+1)}{2}$.",
    r"Let $q>0$ and let $n\ge 1$ be an integer. Then $$\sum_{j=0}^{n-1} q^j = \frac{1-q^n}{1-q} .$$",
    r"Let $q>0$ be a number. For $0<q<1$ we have $1-q>0$. Now $$\frac{1-q^2}{1-q} \le \frac{1}{1-q} .$$",
    r"Let $x>0$. Then $$\frac{x^2-1}{x-1} = x+1.$$",
    r"We have $x^2 \ge x$ for $x \ge 1$, while for $0 < x < 1$ we have $x^2 \le x$.",
    r"Let $x>0$. Then $x \le y$ for $y \ge x$ and for $y \ge 2x$.",
    r"For $x \ge 0$, is $\ln(1+x) \ge x - \frac{x^2}{2}$? Is $\ln(1+x) \le x - \frac{x^2}{4}$?",
    r"Let $x\in(0,1)$. Then \[ 1-x \ge e^{-x-x^2} \quad (0\le x\le 1/2). \] A sharper form is $1-x \ge "
    r"e^{-x-4x^2/5}$ on the same interval.",
    r"\newcommand{\eps}{\varepsilon}\newcommand{\RR}{\mathbb{R}}Let $\eps > 0$. Then $e^\eps \ge 1 + \eps$.",
    r"Then $\int_1^\infty \frac{dx}{x^2} = 1$ and $\int_1^\infty \frac{\mathrm{d}x}{x^3} = \frac12$.",
    r"Then $\int_0^1 \frac{x\,dx}{1+x^2} = \frac{\ln 2}{2}$.",
    r"Let $f(x) = x^3$ for $x>0$. Its derivative is $f'(x) = 3x^2$, and $f''(x) = 6x$.",
    r"Let $n \ge 1$ be an integer. The central coefficient satisfies $\binom{2n}{n} \le 4^n$.",
    r"Let $m\ge 2$ be an integer. If we throw $k = \lceil 2 m \ln m \rceil$ balls, then $e^{-k/m} \le m^{-2}$.",
    r"Let $t \ge 1$ be real. Then $\lceil t \rceil \ge t$ and $\lceil t \rceil \le 2t$.",
    r"Then $\int_1^\infty \frac{dx}{x^2} = 1$.",
    r"Then $\int_0^1 \frac{x}{1+x^2}\, dx = \frac{\ln 2}{2}$.",
    r"Then $\int_0^1 \frac{1}{1+x}\, dx = \ln 2$ and $\int_0^1 \frac{\mathrm{d}x}{1+x^2} = \frac{\pi}{4}$.",
    r"Let $n \ge 1$ be an integer. Then $2^{\lceil \log_2 n\rceil} < 2^{\log_2 n + 1} = 2n$.",
    r"Let $t \ge 1$ be real. Then $\frac{1}{\lfloor t \rfloor} \le \frac{2}{t}$.",
    r"Let $x \ge 0$. Then \[ x \le x^2 \quad \text{for } x \in \{0\} \cup [1,\infty), \] and so on.",
    r"Let $x \ge 0$. Then $x \le x^2$ for $x \in \{0\} \cup [1,\infty)$.",
    r"Let $x \ge 0$. For $x \in A$ we have $x \le x^2$.",
    r"Let $x \in \mathbb{R}\setminus\{0\}$. Then $x^2 > 0$.",
    r"Let $\sigma > 0$ and $\delta \in (0,1)$. Suppose the noise satisfies $\sigma \ge \sqrt{2\ln(2/\delta)}$. "
    r"Then $\sigma^2 \ge 2\ln(2/\delta)$.",
    r"Let $a,b>0$ satisfy $a + b \le 1$. Then $ab \le \frac14$.",
    r"where $a > 0$, $b > 0$. Then $ab > 0$.",
    r"Given $a > 0$, $b > 0$, we have $ab > 0$.",
    r"Let the pair $(a,b)$ of positive numbers satisfy $a + b \le 1$. Then it is small.",
    r"Given $x \ge 1$, $x^2 \ge 1$ holds. In what follows $x \ge 0$.",
    r"Let $n\ge 1$ be an integer. \begin{alignat}{3} &\sum_{t=1}^{n} \frac{1}{\sqrt{t}} &&\le 2\sqrt{n} ,      "
    r"&& \label{eq:sqrt}\\ &\sum_{t=1}^{n} \frac{1}{t}        &&\le 1 + \ln n ,    && \end{alignat}",
    r"Let $x>0$. \begin{alignat*}{2} & x &&\le 2x \\ & &&\le 3x. \end{alignat*}",
    r"Let $x>0$. \begin{flalign*} & x \le 2x && \\ & x\ge 0. && \end{flalign*}",
    r"Let $x \in (0,1)$. \begin{align*} x &\le 2 & x^2 &\le 1 \\ & (1-x) & &\le 2. \end{align*}",
    r"We know \[ 1-x \ge e^{-x-x^2} \qquad (0\le x\le 1/2) \] and more.\footnote{A sharper form is $1-x \ge "
    r"e^{-x-4x^2/5}$ on the same interval.}",
    r"Let $0<p<1$ and set $q = 1-p$. Then \[\sum_{k=1}^{\infty} k p q^{k-1}  = \frac{p}{(1-q)^2} = \frac{1}{p}.\]",
    r"Let $n\ge 2$ be an integer. Then \[ \int_0^1 n x^n \,\mathrm{d}x = \frac{n}{n+1} \qquad\text{and}\qquad "
    r"\int_0^1 n x^{n+1} \,dx = \frac{n}{n+2} .\]",
]


def findings(text: str) -> list[Finding]:
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    return [f for e in entries for f in (judge(e, 1.0) if isinstance(e, Work) else [e])]


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_not_called_right(text):
    judged = [f for f in findings(text) if f.verdict != "assumption"]
    assert judged[-1].verdict not in RIGHT, (judged[-1].tex, judged[-1].reading)


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_not_called_wrong(text):
    assert not {f.tex: f.message for f in findings(text) if f.verdict in ("refuted", "gap")}
