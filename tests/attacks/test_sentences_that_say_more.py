"""A sentence of a paper that is no plain implication: half of it is not taken for the whole.

Each of these was once *proved* although it is false, or *refuted* although it is true.
"""

import pytest

from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work


def verdicts(text: str) -> list[str]:
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    return [f.verdict for e in entries for f in (judge(e, 0.7) if isinstance(e, Work) else [e])]


#: The last relation is the one that was taken for proved; there are points at which the sentence is wrong.
FALSE = [
    r"Let $x>0$. Then $x \ge 5 \iff x \ge 1$.",
    r"Let $x>0$. Then $x \ge 5 \Longleftrightarrow x \ge 1$.",
    r"Let $x, y$ be real. Then $x = y \iff x^2 = y^2$.",
    r"Let $x>0$. If and only if $x \ge 5$, we have $x \ge 1$.",
    r"Let $x>0$. Only for $x \ge 5$ do we have $x \ge 1$.",
    r"Let $x \ge 2$ if $n$ is even. Then $x \ge 2$.",
    r"Let $x \ge 2$ whenever $y \ge 0$. Then $x \ge 2$.",
    r"Suppose $x \ge 2$ unless $y \ge 0$. Then $x \ge 2$.",
    r"We do not assume $x \ge 2$. Then $x \ge 1$.",
    r"Let $x$ be real. We no longer assume $x \ge 2$. Then $x \ge 1$.",
    r"Let $x$ be real. Without assuming $x \ge 2$, we get $x \ge 1$.",
    r"Let $x$ be real. Do not suppose that $x \ge 2$. Then $x \ge 1$.",
    r"Let $f(x) = x$ for $x \ge 0$ and $f(x) = -x$ otherwise. Then $f(-1) = -1$.",
    r"Let $f(x) = x$ if $x \ge 0$. Let $x = -2$. Then $f(x) = -2$.",
    r"Let $x>0$. Either $c = 1$ or $c = x$. Hence $c \le 1$.",
    r"Let $x$ be real. One cannot assume $x \ge 1$. Then $x \ge 0$.",
    r"Let $x$ be real. It is wrong to assume that $x \ge 1$. Then $x \ge 0$.",
    r"Let $x$ be real. It is tempting to assume $x \ge 1$. Then $x \ge 0$.",
    r"Let $x$ be real. In contrast to those who assume $x \ge 1$, we get $x \ge 0$.",
    r"Let $x$ be real. Assuming $x \ge 1$ would be too strong. Then $x \ge 0$.",
    r"Let $x$ be real. Assume that $x \ge 1$ is false. Then $x \ge 0$.",
    r"Let $x$ be real. Assume that $x \ge 1$ fails. Then $x \ge 0$.",
    r"Let $x$ be real. Assume that $x \ge 1$ does not hold. Then $x \ge 0$.",
    r"Let $x,y$ be real. Suppose neither $x \ge 1$ nor $y \ge 1$. Then $x \ge 1$.",
    r"Let $x,y$ be real. Suppose one of $x \ge 1$ and $y \ge 1$ holds. Then $x \ge 1$.",
    r"Let $x,y$ be real with $x \ge 1$ or $y \ge 1$. Then $x \ge 1$.",
    r"Let $x,y$ be real such that $x \ge 1$ or both are zero. Then $x \ge 1$.",
    r"Let $x \ge 1$ with probability $1/2$. Then $x \ge 1$.",
    r"Let $x \ge 1$ eventually. Then $x \ge 1$.",
    r"Let $x \ge 0$. Now let $x$ be arbitrary. Then $x \ge 0$.",
    r"Let $x \ge 0$. From now on $x$ is any real number. Then $x \ge 0$.",
    r"Let $\alpha \ge 1$. Now drop the condition on $\alpha$. Then $\alpha \ge 1$.",
]


@pytest.mark.parametrize("text", FALSE)
def test_a_sentence_that_is_wrong_is_not_proved(text):
    assert verdicts(text)[-1] in ("undecided", "refuted", "gap")


@pytest.mark.parametrize("words", [
    "iff", "only if", "exactly when", "only when", "precisely for", "only for", "if and only if", "if, and only if,",
])
@pytest.mark.parametrize("text", [r"Then $x \ge 1$ {} $x \ge 5$.", r"Then \[ x \ge 1 \quad\text{{ {} }} x \ge 5. \]"])
def test_a_condition_that_is_said_to_be_needed_is_more_than_enough(words, text):
    assert "proved" not in verdicts("Let $x>0$. " + text.format(words))


#: Nothing in these is wrong.
TRUE = [
    r"Let $x>0$. Then $x^2 \le x^3$ unless $x < 1$.",
    r"Let $x>0$. We have $x \ge 1$ except for $x < 1$.",
    r"Let $x>0$. Except when $x < 1$, we have $x \ge 1$.",
    r"Let $x>0$. We have $x \ge 1$ but not if $x < 1$.",
    r"Let $x>0$. Apart from $x < 1$ we have $x \ge 1$.",
    r"Let $x>0$. Then $x \le 1$ or $x^2 \ge 1$.",
    r"Let $x>0$. We never have $x \ge x+1$.",
    r"Let $x>0$. Nowhere is $x \ge x+1$.",
    r"Let $x>0$. We can rule out $x \ge x+1$.",
    r"Let $x>0$. For no $x$ is $x \ge x+1$.",
    r"Let $x>0$. Then $x^3 \le x^2 \implies x^4 \le x^2$.",
    r"Let $x>0$. Then $x^3 \le x^2 \iff x^4 \le x^2$.",
    r"Let $a = 1$ if $n$ is even and $a = 2$ otherwise. Then $a \le 2$.",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_sentence_that_is_right_is_not_refuted(text):
    assert not {"refuted", "gap"} & set(verdicts(text))


@pytest.mark.parametrize("text", [
    r"Let $x,y>0$. Then $x^3 \le y^3 \Leftrightarrow x \le y$.",
    r"Let $x, y \ge 0$. Then $x \le y \iff x^2 \le y^2$.",
    r"Let $x>0$. Then $x \le x^2 + 1$, with equality if and only if $x = 1$.",
    r"Unless stated otherwise, $x > 0$. Then $x \le x + 1$.",
    r"Let $h(x) = x^2$ for $x > 0$. Then $h(2) = 4$.",
    r"Let $x \ge 1$ be arbitrary. Then $x \ge 0$.",
    r"Let $x \ge 1$. Let $y$ be arbitrary. Then $x \ge 0$.",
    r"Suppose that $x \ge 1$ is given. Then $x \ge 0$.",
    r"Let $x>0$. Without loss of generality assume $x \ge 1$. Then $x^2 \ge x$.",
    r"Let $n \ge 1$ be an integer that is not prime. Then $n^2 \ge n$.",
    r"Let $x$ be real, not zero, with $x \ge 1$. Then $x \ge 0$.",
    r"Let $x \ge 0$ or, equivalently, $-x \le 0$. Then $x + 1 \ge 1$.",
])
def test_what_is_shown_in_both_directions_or_does_not_say_more_is_proved(text):
    assert "proved" in verdicts(text)
