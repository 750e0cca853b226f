"""Where an argument turns, what was in force may be so no more: nothing is proved by it, nothing refuted with it."""

from __future__ import annotations

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources


def findings(text: str) -> list[Finding]:
    sources = Sources()
    found: list[Finding] = []
    for entry in read_document(sources, sources.add("paper.tex", text)):
        found += [entry] if isinstance(entry, Finding) else judge(entry, 1.0)
    return found


#: The last relation of each text is false, or nobody knows of which values it speaks.
SUBSTITUTED = [
    r"Let $x \ge 1$. Set $x$ to $-x$. Then $x^2 \ge x$ and $x^3 \ge x$.",
    r"Let $x \ge 1$. Let $x$ denote $x - 1$ from here on. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. We abbreviate $x - 1$ to $x$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Flip the sign of $x$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Take (1) with $x$ replaced by $-x$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. The same with $-x$ for $x$ gives $x^3 \ge x$.",
    r"Let $x \ge 1$ and $y \ge 0$. With $x$ and $y$ interchanged, $x^3 \ge x$.",
    r"Let $x \ge 1$. Multiply $x$ by $-1$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Subtract $1$ from $x$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Pass from $x$ to $-x$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Normalise $x$ so that its mean is zero. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. By rescaling $x$ we get $x^3 \ge x$.",
    r"Let $n \ge 2$ be an integer. Replace $n$ everywhere by $n - 2$. Then $n \ge 1$.",
    r"Let $a > 1$, and let $b = 2a$. Now let $a = 0.5$. Then $b > 2$.",
    r"Let $c = 3$. Later we take $c = 1$. Then $c > 2$.",
    r"Let $x > 0$, $y = x^2$. Let $x = -1$. Then $y > x^2$.",
    r"Let $c = 1$. Throughout the rest, $c$ is a different constant. Then $c = 1$.",
    r"Let $C = 1$. Here $C$ denotes a constant that may change from line to line. Then $C \le 1$.",
    r"Let $x \ge 1$. In what follows we write $x$ instead of $x-1$. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Denote $\log x$ by $x$ again. Then $x^3 \ge x$.",
    r"Let $x \ge 1$. Reusing the letter $x$ for the difference, $x^3 \ge x$.",
    r"Let $x \ge 1$. Overloading notation, let $x$ be the difference. Then $x^3 \ge x$.",
    r"Let $n \ge 1$ be an integer and $a_i \ge 0$ for all $i$. Replace $a_i$ by $-a_i$. Then $\sum_{i=1}^n "
    r"a_i \ge 0$.",
    r"Let $x \ge 0$. Then $e^x \ge 1$. Replace $x$ by $-x$. Then $e^{x} \ge 1$.",
    r"Let $x > 0$. Replacing $x$ by $1/x$, we get $x \ge 0$. Hence $x^2 + x > 0$.",
    r"Let $0 < x \le 1$. Now replace $x$ with $x+1$. Then $x \le 1$.",
    r"Let $x \ge 1$. We substitute $x - 1$ for $x$. Then $x^2 \ge x$.",
    r"Let $x \ge 1$. Write $x$ for $x - 1$ from now on. Then $x^2 \ge x$.",
    r"Let $x \ge 1$. After the substitution $x \mapsto x - 1$ we have $x^2 \ge x$.",
    r"Let $x \ge 1$. With the change of variables $x \to x - 1$ it becomes $x^2 \ge x$.",
    r"Let $x \ge 1$. By abuse of notation we write $x$ for its logarithm. Then $x^2 \ge x$.",
    r"Let $x \ge 1$. Rename $x$ to $y$ and $y$ to $x$. Then $x^2 \ge x$.",
    r"Let $x \ge 1$ and $y > 0$. Interchanging $x$ and $y$ we get $x^2 \ge x$.",
    r"Let $x \ge 1$ and $y > 0$. Swap the roles of $x$ and $y$. Then $x^2 \ge x$.",
    r"Let $n \ge 2$ be an integer. Replace $n$ by $n-1$. We get $n \ge 2$.",
    r"Let $x \ge 1$. Apply this to $-x$ in place of $x$. We find $x^2 \ge x$.",
    r"Let $x \ge 1$. Substituting $x = -t$, we have $t \ge 1$.",
    r"Let $0<x\le1$. Set $x := x+1$. Then $x \le 1$.",
    r"Let $0<x\le1$. Let $x = x+1$. Then $x^2 \le 1$.",
    r"Let $x \ge 1$. Under $x \mapsto 1/x$ this becomes $x^2 \ge x$.",
    r"Let $x \ge 1$. We make the substitution $x = 1/u$. Then $u \ge 1$.",
    r"Let $x \ge 2$ and put $y = x - 1$. Now rename $y$ as $x$. Then $x \ge 2$.",
]
QUANTIFIED_ANEW = [
    r"For $x \ge 1$ we have $x^2 \ge x$. Let $x$ be real. Then $x^3 \ge x$.",
    r"For $x \ge 1$ we have $x^2 \ge x$. Let $x$ be any number. Then $x^3 \ge x$.",
    r"For $x \ge 1$ we have $x^2 \ge x$. Let $x \in \mathbb{R}$. Then $x^3 \ge x$.",
    r"For $x \ge 1$ we have $x^2 \ge x$. Let $x$ be given. Then $x^3 \ge x$.",
    r"If $x \ge 1$ then $x^2 \ge x$. Now fix $x$. Then $x^3 \ge x$.",
    r"If $x \ge 1$ then $x^2 \ge x$. Therefore, $x^3 \ge x$ for real $x$.",
    r"Let $x > 0$. Choose $y = x + 1$. Then $y > x$. For all $y$ we have $y > x$.",
    r"Set $y = 1$. For all $y$, $y^2 = 1$.",
    r"Let $c = 2$. Then $c > 1$. For every $c$ we have $c > 1$.",
    r"Let $x \ge 1$. Then $x^2 \ge x$. For every $x$, $x^2 \ge x$.",
    r"Let $x \ge 1$. For every real $x$ we have $x^2 \ge x$.",
    r"Let $x \ge 1$. Then \[ x^2 \ge x \quad\forall x. \]",
    r"Let $x \ge 1$. Then \[ x^2 \ge x \quad\text{for all } x \in \mathbb{R}. \]",
    r"Choose $y = 1$. Then $y^2 \le y$ for any $y$.",
    r"Choose $y = 1$. The inequality $y^2 \le y$ holds for all real numbers $y$.",
    r"Choose $y = 1$. No matter what $y$ is, $y^2 \le y$.",
    r"Choose $y = 1$. Whatever $y$, we have $y^2 \le y$.",
    r"Choose $y = 1$. Now let $y$ vary. Then $y^2 \le y$.",
    r"Choose $y = 1$. Independently of $y$, we have $y^2 \le y$.",
    r"Put $y = 1$. Let $y \in \mathbb{R}$. Then $y^2 \le y$.",
    r"Put $y = 1$. For arbitrary $y$ we have $y^2 \le y$.",
    r"Put $y = 1$. We claim that, uniformly in $y$, $y^2 \le y$.",
    r"Let $x \ge 1$. Then $x^2 \ge x$ holds for all $x$.",
    r"Let $x \ge 1$. For all $x, y$ we have $x^2 + y^2 \ge x$.",
    r"Set $y = 1$. Then $\forall y: y^2 \le y$.",
    r"Put $y = 1$. Let $y > 0$. Then $y^2 \le y$.",
    r"Let $x > 0$. For every real $x$ we have $x^3 \ge 0$.",
    r"Let $x > 0$. For all $x \in \mathbb{R}$ we have $x^3 \ge 0$.",
    r"Let $x \ge 1$. Then $x^2 \ge x$ for every choice of $x$.",
    r"Let $\lambda = 2$. Then for every $\lambda$ we have $\lambda \ge 2$.",
]
ENDED = [
    r"\begin{lemma} Let $x \ge 1$. \end{lemma}\begin{lemma} $x^3 \ge x$. \end{lemma}",
    r"\begin{lemma} Let $x \ge 1$. Then $x^2 \ge x$.\end{lemma}\begin{proof} Clear. \end{proof} For real "
    r"$x$, $x^3 \ge x$.",
    r"\section{A} Let $x \ge 1$. \section{B} Let $x$ be real. Then $x^3 \ge x$.",
    r"\section{A} Suppose $x \ge 1$. Then $x^2 \ge x$. \section{B} Let $x$ be real. Then $x^3 \ge x$.",
    r"\section{A} Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. \section{B} Let $\lambda$ be real. "
    r"Then $\lambda^3 \ge \lambda$.",
    r"\subsection{The case $\lambda \ge 1$} Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. "
    r"\subsection{The general case} Then $\lambda^3 \ge \lambda$.",
    r"\paragraph{Large $\lambda$.} Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. \paragraph{Small "
    r"$\lambda$.} Then $\lambda^3 \ge \lambda$.",
    r"\paragraph{Case 1.} Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. \paragraph{Case 2.} We "
    r"have $\lambda^3 \ge \lambda$.",
    r"\begin{example} Let $\lambda = 2$. \end{example} Then $\lambda^2 = 4$.",
    r"Let $\lambda$ be real. \begin{quote} Suppose $\lambda \ge 1$. Then $\lambda \ge 0$. \end{quote} Then "
    r"$\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. Step 1. Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. Step 2. We show "
    r"$\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. First, suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. Second, "
    r"$\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. For the upper bound suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. For "
    r"the lower bound, $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. ($\Rightarrow$) Suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. "
    r"($\Leftarrow$) We have $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. Necessity: suppose $\lambda \ge 1$. Then $\lambda^2 \ge \lambda$. Sufficiency: "
    r"$\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. \begin{align} \lambda^2 &\ge \lambda && \text{if } \lambda \ge 1, \\ \lambda^3 "
    r"&\ge \lambda. \end{align}",
    r"Let $\lambda$ be real. If $\lambda \ge 1$, then $\lambda^2 \ge \lambda$; $\lambda^3 \ge \lambda$ always.",
    r"Let $\lambda$ be real. If $\lambda \ge 1$, then $\lambda^2 \ge \lambda$, but in general only "
    r"$\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. The inequality $\lambda^2 \ge \lambda$ holds for $\lambda \ge 1$. The "
    r"inequality $\lambda^3 \ge \lambda$ holds everywhere.",
    r"Let $\lambda$ be real (we usually think of $\lambda \ge 1$). Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real; typical values are $\lambda \ge 1$. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. In Section 3 we will assume $\lambda \ge 1$. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. Previously we assumed $\lambda \ge 1$. Now $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. Our old paper assumes $\lambda \ge 1$. We have $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. We want $\lambda \ge 1$. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. We need $\lambda \ge 1$ only later. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. The reader may check the case $\lambda \ge 1$. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. We do not know $\lambda \ge 1$. Then $\lambda^3 \ge \lambda$.",
    r"Let $\lambda$ be real. We will show that $\lambda \ge 1$. It follows that $\lambda^3 \ge \lambda$.",
    r"Let $n \ge 1$ be an integer. Suppose $a_i \ge 0$ for all $i$. This is a contradiction. So "
    r"$\sum_{i=1}^n a_i \ge 0$.",
    r"Let $n \ge 1$ be an integer. If $a_i \ge 0$ for all $i$, we are done. Hence $\sum_{i=1}^n a_i \ge 0$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > x$, a contradiction. Hence $x + 1 > 2$.",
    r"Let $x$ be real. Suppose that $x > 1$. This is a contradiction. We have $x^2 > x$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > x$, which is impossible. So $x^2 \ge x$.",
    r"Let $x$ be real. Assume to the contrary that $x > 1$. Then $x > 0$, which is absurd. Thus $x^2 \ge x$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > 1$. This contradicts the choice of $x$. So $x \ge 0$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > 1$, a contradiction. Hence $x \le 1$, and $x^3 > x$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > 1$, contrary to assumption. Then $x > 0$.",
    r"Let $x$ be real. If $x > 1$ then $x^2 > 1$, a contradiction." "\n\n" r"So $x^2 > x$.",
    r"Let $x$ be real. Suppose $x > 1$. Contradiction. $x^2 > x$.",
    r"Let $x$ be real. Suppose $x > 1$. Then $x^2 > 1$. So $x \le 1$ after all, and $x^3 > x$.",
    r"Let $x > 0$. Suppose not. Then $x^2 \le 0$. Contradiction. So $x \ge 1$.",
    r"Let $x$ be real. Suppose $x > 1$; then $x^2 > 1$, a contradiction, hence $x^3 > x$.",
    r"Let $x$ be real. If $x > 1$ then $x^2 > 1$, which is absurd, so $x^3 > x$.",
    r"Assume $x \ge 1$ for the moment. Then $x^2 \ge x$. Dropping this assumption, $x^3 \ge x$.",
    r"Let $x$ be real. Assume for the moment that $x \ge 1$. Then $x^2 \ge x$." "\n\n" r"We return to "
    r"general $x$. Then $x^3 \ge x$.",
    r"Let $x$ be real. The assumption $x > 1$ leads to $x^2 > 1$. Hence $x^3 > x$.",
    r"Let $x$ be real. Were $x > 1$, we would have $x^2 > 1$. So $x^3 > x$.",
    r"Let $x$ be real. For example, let $x \ge 1$. Then $x \ge 0$." "\n\n" r"We always have $x^2 \ge x$.",
    r"Let $x$ be real. With $x \ge 1$ we get $x > 0$." "\n\n" r"It follows that $x^2 \ge x$.",
]
CLOSED = [
    r"Let $x$ be real. If $x \ge 1$, we are done. Then $x^2 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$, we are happy. Then $x^2 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$, stop. Now $x^2 \ge x$.",
    r"Let $x$ be real. Suppose first that $x \ge 1$. Then we are done. Next, $x^2 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$ the claim follows. Otherwise $x^2 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$, then $x \ge 0$. Otherwise, $x \ge 0$.",
    r"Let $x$ be real. Suppose $x \ge 1$. Then $x \ge 0$. Otherwise $x \ge 0$.",
    r"Let $x$ be real. Suppose $x \ge 1$. Then $x \ge 0$. In the other case, $x \ge 0$.",
    r"Let $x$ be real. Suppose $x \ge 1$. Then $x \ge 0$. If not, $x \ge 0$.",
    r"Let $x$ be real. Suppose $x \ge 1$. Then $x \ge 0$. Conversely, $x \ge 0$.",
    r"Let $x$ be real. When $x \ge 1$ there is nothing left to prove. Therefore $x^2 \ge x$.",
    r"Let $x$ be real. Assume $x \ge 1$; this finishes the proof. Hence $x^2 \ge x$.",
    r"Let $x$ be real. Suppose $x \ge 1$. The result is trivial. Else, $x^2 \ge x$.",
    r"Let $x$ be real. \textbf{Case 1}: $x \ge 1$. Then $x^2 \ge x$. \textbf{Case 2}. Then $x^2 \ge x$.",
    r"Let $x$ be real. Case 1: $x \ge 1$. Then $x^2 \ge x$. In both cases $x^2 \ge x$.",
    r"Let $x$ be real. Suppose $x \ge 1$. Then $x^2 \ge x$. In any case $x^2 \ge x$.",
    r"Let $x$ be real. In the case $x \ge 1$ we have $x^2 \ge x$. We now treat the remaining case. Then "
    r"$x^2 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$ then $x^2 \ge x$. Hence $x^3 \ge x$.",
    r"Let $x$ be real. If $x \ge 1$ we are done. Otherwise $x \ge 0$, so $x^2 + x \ge 0$.",
    r"Let $x$ be real. \begin{itemize}\item Suppose $x \ge 1$. Then $x^2 \ge x$. \item Suppose $x < 1$. "
    r"Then $x < 2$. \end{itemize} Hence $x^3 < 1$.",
    r"Let $x$ be real. \begin{enumerate}\item If $x \ge 1$, then $x^2 \ge x$. \item $x^3 \ge x$. \end{enumerate}",
    r"\begin{proof} Let $x$ be real. Suppose first that $x \ge 1$. Then $x^2 \ge x$. Suppose now the "
    r"opposite. Then $x^3 \ge x$. \end{proof}",
    r"Let $x$ be real. (i) Suppose $x \ge 1$. Then $x^2 \ge x$. (ii) $x^3 \ge x$.",
    r"Let $x$ be real. On the one hand, if $x \ge 1$, then $x^2 \ge x$. On the other, $x^3 \ge x$.",
    r"Let $x$ be real. The case $x > 1$ was treated above. Hence $x^3 > x$.",
    r"Let $x$ be real. As soon as $x > 1$ we have $x^2 > 1$. So $x^3 > x$.",
    r"Let $x$ be real. If $x \ge 1$ and $y \ge 1$, we are done. Otherwise $x + 1 < 2$.",
    r"Let $x$ be real. If $x \ge 1$, we are done. If the coin shows heads, stop. Otherwise $x + 1 < 2$.",
    r"Let $x$ be real. If $x \ge 1$, we are done. Otherwise $x < 0$, and $x^2 > 0$.",
    r"Let $x$ be real. If $0 \le x \le 1$, we are done. Otherwise $x + 1 > 2$.",
    r"Let $x$ be real. Suppose $x \ge 1$ or $x \le -1$. Otherwise $x + 1 < 2$, so $x + 1 < 1$.",
    r"Let $x$ be real. If $x \ge 1$, then either we stop or go on. Otherwise $x + 1 < 2$, so $x+1 < 1$.",
]
NOT_SAID = [
    r"Let $x$ be real. Surprisingly, $x > 1$. Hence $x^2 > x$.",
    r"Let $x$ be real. Suppose that $x \ge 1$ for some $x$. Then $x^2 \ge x$.",
    r"Let $x$ be real. Sometimes $x \ge 1$. Then $x^2 \ge x$.",
    r"Let $x$ be real. Perhaps $x \ge 1$. Then $x^2 \ge x$.",
    r"Let $x$ be real. It might be that $x \ge 1$. Then $x^2 \ge x$.",
    r"Let $x$ be real. It would be nice if $x \ge 1$. Then $x^2 \ge x$.",
    r"Let $x$ and $y$ be a positive and a negative number. Then $y > 0$.",
    r"Let $a > 1$ and $0 < b < 1$, respectively. Then $b > 1$.",
]
DENIED = [
    r"For no $x \ge 1$ do we have $x^2 \ge x$.",
    r"For hardly any $x \ge 1$ is $x^2 \ge x$.",
    r"Let $x \ge 1$. We claim that $x^2 \ge x$ is false.",
    r"Let $x \ge 1$. The bound $x^2 \ge x$ fails.",
    r"Let $x \ge 1$. Beware: $x^2 \ge x$ need not hold.",
    r"Let $x \ge 1$. We disprove $x^2 \ge x$.",
    r"Let $x \ge 1$. It is a myth that $x^2 \ge x$.",
    r"Let $x \ge 1$. We have $x^2 \ge x$ nowhere.",
    r"Let $x \ge 1$. There is no $x$ with $x^2 \ge x$.",
    r"Let $x \ge 1$. The opposite of $x^2 \ge x$ holds.",
    r"Let $x \ge 1$. Contrary to popular belief, $x^2 \ge x$ does not hold.",
    r"Let $x \ge 1$. It is unknown whether $x^2 \ge x$.",
    r"Let $x \ge 1$. Nobody has shown $x^2 \ge x$.",
    r"Let $x \ge 1$. Hardly ever $x^2 \ge x$.",
]
TWO_READINGS = [
    r"Let $f(x) = \sqrt{x}$ for $x \ge 0$. Then $f(-1) = 1$.",
    r"Let $f(x) = x$ for $x \ge 0$ and $f(x) = -x$ otherwise. Then $f(-2) = -2$.",
    r"Let $f(x) = x$ for $x \ge 0$. Let $y$ be real. Then $f(y) = y$.",
    r"Define $f(n) = n$ for even $n$. Then $f(3) = 3$.",
    r"Let $e \ge 3$ be the number of edges. Then $e < 3$.",
    r"Let $e > 0$ be the number of edges. Then $e \ge 2.7$.",
    r"Let $\pi$ be a permutation. Then $\pi > 3$.",
    r"Let $0 \le \pi \le 1$ be the prior. Then $\pi > 3$.",
    r"Let $x > 0$. Then $[x] = x$.",
    r"Let $x > 0$. Then $\{x\} = x$.",
    r"Let $x > 0$. Is $x \stackrel{?}{\le} x + 1$? We have $x^2 \overset{?}{\ge} 0$.",
    r"Let $x > 0$. Then $x \stackrel{d}{=} x$.",
]


@pytest.mark.parametrize("text", [*SUBSTITUTED, *QUANTIFIED_ANEW, *ENDED, *CLOSED, *NOT_SAID, *DENIED, *TWO_READINGS])
def test_nothing_is_proved_in_another_sense(text):
    found = findings(text)[-1]
    assert found.verdict not in ("proved", "argued"), (found.tex, found.hypotheses)


#: Each is right as its author means it.
MEANT = [
    r"Let $a, b > 0$. Set $s = a + b$ and $p = ab$. Then $s^2 \ge 4p$. Swapping $a$ and $b$ changes "
    r"nothing, so $s^2 - 4p = (a-b)^2$.",
    r"\begin{theorem} For all $x > -1$, $\log(1+x) \le x$. \end{theorem}\begin{proof} Let $g(x) = x - "
    r"\log(1+x)$. Then $g(0) = 0$. If $x \ge 0$, then $\log(1+x) \le x$. Otherwise, $-1 < x < 0$, and "
    r"still $\log(1+x) \le x$. \end{proof}",
    r"Let $n \ge 1$. Suppose that $n$ is even. Then $n \ge 2$.",
    r"Let $0 < \delta < 1$. Assume $\delta \le 1/2$; the other case is symmetric. Then $1 - \delta \ge 1/2$.",
    r"Let $\varepsilon > 0$. We choose $\delta = \varepsilon/2$. Then $\delta < \varepsilon$. For every "
    r"$\varepsilon > 0$ such a $\delta$ exists.",
    r"Let $x, y \ge 0$. Interchanging $x$ and $y$ if necessary, we may assume $x \le y$. Then $x^2 \le y^2$.",
    r"If $t = 0$ there is nothing to prove. Suppose $t > 0$. Then $\frac{1}{t} > 0$.",
    r"Let $p$ be a probability. In case $p = 0$ the claim is trivial, so let $p > 0$. Then $\ln p \le p - 1$.",
    r"Let $k \ge 1$ be an integer. Then $2^k \ge 2$. Replacing $k$ by $k+1$ we obtain $2^{k+1} \ge 4$.",
    r"Let $x \ge 0$. We claim $e^x \ge 1 + x$. Indeed, if not, then $e^x < 1 + x$, which is absurd.",
    r"Suppose $a > b$. Then $a - b > 0$, contradicting $a \le b$. Therefore $a \le b$.",
    r"Let $m$ denote the minimum of $a > 0$ and $b > 0$. Either $m = a$ or $m = b$. In either case $m > 0$.",
    r"Let $\alpha > 1$. On the one hand $\alpha^2 > \alpha$. On the other hand $\alpha^2 - \alpha = "
    r"\alpha(\alpha - 1)$.",
    r"We have $|x| \le 1$ iff $-1 \le x \le 1$.",
    r"Let $n\ge 2$ and let $x \in [0,1]$. Then $x^n \le x$. Here $n$ is arbitrary. For $n = 2$ this is $x^2 "
    r"\le x$.",
    r"Let $r = 0.05$. Then $2r = 0.1$. For comparison, with $r = 0.1$ one gets $2r = 0.2$.",
    r"Consider $0<x<\pi/2$. Then $\sin x < x$. For $x \in (\pi/2, \pi)$ we have $\sin x < 1$.",
    r"Fix $a > 0$. For every $b$ we have $(a-b)^2 \ge 0$, hence $a^2 + b^2 \ge 2ab$.",
    r"Let $X = [0,1]$ and $x \in X$. Then $x \le 1$.",
    r"Let $e$ be the error, $0 \le e \le 1$. Then $e^2 \le e$.",
    r"Let $\pi = (\pi_1, \dots, \pi_k)$ be a distribution. Then $\pi_1 \le 1$.",
    r"Let $\lfloor x \rfloor$ be the integer part of $x$. Then $[x] \le x$.",
    r"Let $h > 0$. As $h \to 0$, $\frac{(x+h)^2 - x^2}{h} = 2x + h$.",
    r"Suppose $x = 1$. Then $x^2 = 1$. Suppose $x = 2$. Then $x^2 = 4$.",
    r"Let $a=3$ and $b=4$. Then $a^2+b^2=25$. Now double both. Then $a^2 + b^2 = 100$.",
    r"Put $u = \sqrt{x}$ for $x \ge 0$. Then $u^2 = x$. Undoing the substitution, $x = u^2$.",
    r"Let $n$ be a positive integer. If $n = 1$ then $2^n = 2$. Let now $n \ge 2$. Then $2^n \ge 4$.",
    r"Let $x$ be real, $x \ne 1$. Then $\frac{x^2 - 1}{x - 1} = x + 1$. If $x = 1$ the right side is $2$.",
    r"Assume without loss of generality that $a \ge b$ (otherwise swap $a$ and $b$). Then $a - b \ge 0$.",
    r"Let $\beta > 0$. The minimum over $\beta$ of $\beta + 1/\beta$ is attained at $\beta = 1$. Hence "
    r"$\beta + 1/\beta \ge 2$.",
    r"Let $x > 0$. Suppose $x > 1$. Then $x^2 > x$, a contradiction to $x^2 \le x$. Hence $x \le 1$, and "
    r"$x^2 \le x$.",
    r"Let $x$ be real. If $x < 0$, we are done. Otherwise $x + 1 \ge 1$.",
    r"Let $x \ge 0$. Then $e^x \ge 1 + x$. Replace $x$ by $-x$. Then $e^{-x} \ge 1 - x$.",
    r"Let $x > 0$. Choose $y = x+1$. Then $y > x$. For all $y$ with $y > 0$ we have $y^2 > 0$.",
    r"Let $x > 0$. If $x < 1$, we are happy. Then $x^2 \ge x$.",
    r"Let $x > 0$. Replacing $x$ by $1/x$ we get $x \ge 1$.",
    r"\begin{lemma} If $x > 1$, then $x^2 > x$. \end{lemma}\begin{proof} Suppose not. Then $x^2 \le x$, so "
    r"$x \le 1$, a contradiction. Hence $x^2 > x$. \end{proof}",
    r"Let $x > 0$. Suppose not. Then $x^2 < 0$, which is absurd.",
    r"Let $0 < x < 1$. If $x \ge 1/2$, we are done. Otherwise $x < 1/2$, and $2x < 1$.",
    r"Let $n \ge 1$ be an integer. The bound holds for every $n$: $2^n \ge n$.",
    r"Let $0<x\le1$. Replacing $x$ by $x - 1$ we get $x \le 0$.",
    r"Let $x > 0$. For all $x$ we have $x^2 > 0$.",
    r"Let $p \in (0,1)$ and $q = 1-p$. Then $pq \le 1/4$. If $p = 1/2$ then equality holds: $pq = 1/4$.",
    r"For $0 \le x \le 1$ we have $x^2 \le x$, while for $x \ge 1$ it is the other way round, $x^2 \ge x$.",
    r"Let $x > 0$. Assume first that $x \le 1$. Then $x^2 \le x \le 1$. Now assume $x > 1$. Then $x^2 > x$.",
    r"\begin{proof} We distinguish two cases. \emph{Case 1: $x \le 1$.} Then $x^2 \le x$ for $x \ge 0$. "
    r"\emph{Case 2: $x > 1$.} Then $x^2 > x$. \end{proof}",
    r"Let $a, b > 0$. Without loss of generality, $a \le b$. Then $\frac{a}{b} \le 1$ and $a^2 \le ab$.",
    r"Let $n \ge 1$. Since $n + 1 > n$, we get $\frac{1}{n+1} < \frac1n$. Consequently $\frac1n - "
    r"\frac{1}{n+1} = \frac{1}{n(n+1)}$.",
    r"By AM--GM, $\sqrt{ab} \le \frac{a+b}{2}$ for all $a, b \ge 0$.",
    r"Fix $\delta \in (0, 1/2)$. Then $\ln(1/\delta) > \ln 2 > 1/2$.",
    r"Let $x \in \mathbb{R}$. Then $x^2 \ge 0$, with equality iff $x = 0$.",
    r"If $x < 0$ then $|x| = -x$. If $x \ge 0$ then $|x| = x$. In both cases $|x| \ge x$.",
    r"Let $f(x) = x \ln x$ for $x > 0$. Then $f(x) \ge x - 1$.",
    r"Suppose, towards a contradiction, that $\sqrt2 = a/b$ with integers $a, b \ge 1$. Then $a^2 = 2b^2$.",
    r"For every $n \ge 1$ there is $m$ with $m > n$; take $m = n + 1$. Then $m > n$.",
    r"Let $t > 0$. Choosing $t = 1$ gives $t^2 = t$. For general $t$ we only have $t^2 + 1 \ge 2t$.",
    r"Let $x, y$ be real. Expanding, $(x+y)^2 = x^2 + 2xy + y^2$. Replacing $y$ by $-y$ gives $(x-y)^2 = "
    r"x^2 - 2xy + y^2$.",
    r"Let $\varepsilon > 0$. If $\varepsilon \ge 1$ the bound is trivial. So assume $\varepsilon < 1$. Then "
    r"$\varepsilon^2 < \varepsilon$.",
    r"Let $x > 0$. Put $y = 1/x$. As $x$ ranges over $(0,1]$, $y \ge 1$.",
    r"Let $k$ be odd. Then $(-1)^k = -1$.",
    r"Let $0 < q < 1$. Then $\sum_{k=0}^{\infty} q^k = \frac{1}{1-q}$. In particular, for $q = 1/2$ the "
    r"value is $2$.",
    r"Let $a < b$. Then $\frac{a+b}{2} < b$ and $a < \frac{a+b}{2}$.",
    r"For $|x| \le 1$ we have $1 - x^2 \ge 0$, and for $|x| > 1$ we have $1 - x^2 < 0$.",
    r"Let $x \ge 0$. Clearly $1 + x \le e^x$. Applying this with $-x$ in place of $x$ yields $1 - x \le e^{-x}$.",
    r"Let $n \ge 2$ be an integer. Assume that the claim holds for $n - 1$. Then $\frac{(n-1)n}{2} + n = "
    r"\frac{n(n+1)}{2}$.",
    r"Let $a \ne 0$. The roots of $ax^2 + bx + c = 0$ satisfy $x_1 + x_2 = -b/a$.",
    r"The function $x \mapsto x^2$ is increasing on $[0,\infty)$; hence $a^2 \le b^2$ for $0 \le a \le b$.",
    r"Let $m = \min(a,b)$ and $M = \max(a,b)$. Then $m \le M$.",
    r"Let $X \ge 0$ be a random variable and $a > 0$. Then $\Pr[X \ge a] \le \frac{\mathbb{E}[X]}{a}$.",
    r"Let $\sigma > 0$. The density is at most $\frac{1}{\sigma\sqrt{2\pi}} \le \frac{1}{2\sigma}$.",
    r"Let $x>1$. Suppose $x^2 \le 1$. Then $x \le 1$, contradicting $x > 1$. Thus $x^2 > 1$.",
    r"Let $0<\alpha<1$. Either $\alpha \le 1/2$, in which case $1 - \alpha \ge 1/2$, or $\alpha > 1/2$, in "
    r"which case $1-\alpha < 1/2$.",
    r"Let $x \ge 0$ be real. Otherwise stated, $x + 1 \ge 1$.",
    r"Let $n \ge 1$ be an integer and $N = 2n$. We now double $n$. Then $N = 4n$.",
]


@pytest.mark.parametrize("text", MEANT)
def test_what_is_right_is_no_alarm(text):
    assert not {f.tex: f.message for f in findings(text) if f.verdict in ("refuted", "gap")}


@pytest.mark.parametrize(("text", "verdict"), [
    (r"Let $x$ be real. If $x < 0$, we are done. Otherwise $x + 1 \ge 1$.", "proved"),
    (r"Let $x$ be real. If $x < 0$, we are done. Otherwise $x + 1 \ge 2$.", "refuted"),
    (r"Let $0 < x < 1$. If $x \ge 1/2$, stop. Otherwise $x < 1/2$, and $2x < 1$.", "proved"),
    (r"Let $x$ be real. Suppose $x < 0$. Then $x < 1$. Otherwise, $x^3 \ge 0$.", "proved"),
])
def test_otherwise_is_the_other_case(text, verdict):
    assert findings(text)[-1].verdict == verdict


@pytest.mark.parametrize(("text", "verdict"), [
    # what a proof supposes of its own ends, what its theorem supposes does not
    (r"\begin{lemma} Suppose $x > 1$. Then $x^2 > x$. \end{lemma} \begin{proof} Suppose $x > 5$. Then $x > 4$, a "
     r"contradiction. Hence $x^3 > x$. \end{proof}", "proved"),
    (r"\begin{lemma} Let $x$ be real. \end{lemma} \begin{proof} Suppose $x > 1$. Then $x > 0$, a "
     r"contradiction. Hence $x^3 > x$. \end{proof}", "undecided"),
    (r"Let $x$ be real. Suppose, for contradiction, that $x > 1$. Then $x^3 > x$.", "proved"),
    (r"Let $x$ be real. Suppose $x > 1$. The first claim is plain. Then $x^3 > x$.", "proved"),
    (r"Throughout, suppose that $x > 1$. Then $x > 0$. This contradicts nothing. Hence $x^3 > x$.", "proved"),
])
def test_only_what_was_supposed_for_a_while_ends(text, verdict):
    assert findings(text)[-1].verdict == verdict


def test_a_list_of_suppositions_goes_on_behind_it():
    text = r"\begin{enumerate} \item Suppose $x > 0$. \item Suppose $x \le 1$. \end{enumerate} Then $x^2 \le x$."
    assert findings(text)[-1].verdict == "proved"


@pytest.mark.parametrize(("text", "verdict"), [
    (r"Let $\lambda > 0$. For every $\lambda$ we have $\lambda^3 > 0$.", "proved"),  # a parameter keeps its sign
    (r"Let $x > 0$. For $x \le 1$ we have $x^3 \le x$.", "proved"),
    (r"Choose $y = 1$. Then $y^2 \le y$.", "proved"),
    (r"Let $x \ge 1$. For all $x$ with $x \ge 2$ we have $x^2 \ge 2x$.", "proved"),
])
def test_a_quantifier_takes_back_no_more_than_it_says(text, verdict):
    assert findings(text)[-1].verdict == verdict


@pytest.mark.parametrize(("sign", "verdict"), [
    (r"\stackrel{(a)}{\le}", "proved"), (r"\overset{\text{(i)}}{\le}", "proved"),
    (r"\stackrel{?}{\le}", "unread"),
    (r"\overset{!}{\le}", "unread"), (r"\stackrel{d}{=}", "unread"), (r"\overset{\mathrm{def}}{=}", "definition"),
    (r"\stackrel{\triangle}{=}", "definition"),
])
def test_what_stands_over_a_sign_may_make_another_of_it(sign, verdict):
    left = "y" if "=" in sign else "x"
    assert findings(rf"Let $x > 0$. Then ${left} {sign} x + 1$.")[-1].verdict == verdict


@pytest.mark.parametrize(("text", "verdict"), [
    (r"The constant $e$ is irrational. Then $e > 2$.", "proved"), (r"Then $3 < \pi < 4$.", "proved"),
    (r"For every policy $\pi$ and $x > 0$ we have $\sqrt{2\pi} > 2$.", "proved"),
    (r"Let $e$ be an edge. For $x > 0$ we have $e^x > 1$.", "proved"),
    (r"Let $e$ be an edge. Then $e > 2$.", "unread"),
    (r"Let $x, y > 0$. Then $2[x + y] = 2x + 2y$.", "proved"), (r"Let $x > 0$. Then $2[x] = 2x$.", "unread"),
])
def test_constants_and_brackets_with_two_readings_are_refused(text, verdict):
    assert findings(text)[-1].verdict == verdict


def test_a_reason_that_nothing_says_before_is_named():
    found = findings(r"Let $\lambda$ be real. Since $\lambda \ge 1$, we get $\lambda^3 \ge \lambda$.")[-1]
    assert (found.verdict, "nothing before it says" in found.message) == ("undecided", True)
    for known in (r"Let $t \ge 2$. Since $t \ge 1$, we get $t^3 \ge t$.", r"Since $t \ge 1$, $t^2 \ge t$."):
        assert findings(known)[-1].verdict == "proved"


@pytest.mark.parametrize(("text", "verdict"), [
    (r"Let $f(x) = \sqrt{2} x$ for $x \ge 0$. Then $f(4) = 4\sqrt{2}$.", "proved"),
    (r"Let $f(x) = x^2$ for all $x$. Let $y$ be real. Then $f(y) = y^2$.", "proved"),
    (r"Let $f(x) = x^2$ for $x > 0$. Let $y > 1$. Then $f(y) > y$.", "proved"),
])
def test_a_function_is_known_where_it_is_defined(text, verdict):
    assert findings(text)[-1].verdict == verdict


@pytest.mark.parametrize(("text", "verdict"), [
    (r"Let $x, y \ge 0$. Interchanging $x$ and $y$ if necessary, we may assume $x \le y$. Then $x^2 \le y^2$.",
     "proved"),
    (r"Let $x \ge 1$ and $y \ge 0$. Interchanging $x$ and $y$ if necessary, assume $x \le y$. Then $x + 1 \ge 2$.",
     "undecided"),
])
def test_names_may_be_exchanged_where_all_that_is_known_is_symmetric(text, verdict):
    assert findings(text)[-1].verdict == verdict
