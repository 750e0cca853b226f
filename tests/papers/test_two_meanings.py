"""A name that is defined and then quantified has two meanings: it is neither of them in what follows."""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work


def last(text: str) -> Finding:
    """The finding on the last relation that is claimed."""
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    found = [f for e in entries for f in (judge(e, 1.0) if isinstance(e, Work) else [e])]
    return [f for f in found if f.verdict not in ("assumption", "definition")][-1]


@pytest.mark.parametrize("quantified", [
    r"For all $a > 0$: $a + 1 > 1$.", r"For every $a > 0$ we have $a + 1 > 1$.", r"Given any $a > 0$, $a + 1 > 1$.",
    r"For each $a > 0$, $$a + 1 > 1.$$", r"For $a > 0$ we have $a + 1 > 1$.", r"Whenever $a > 0$, $a + 1 > 1$.",
    r"We have $a + 1 > 1$ whenever $a > 0$.", r"Then $$a + 1 > 1 \qquad \forall a > 0.$$", r"Pick any $a > 0$.",
    r"Then $$a + 1 > 1 \qquad \text{for all } a > 0.$$", r"Then $$a + 1 > 1, \quad a > 0.$$",
    r"For any real number $a > 0$ we have $a + 1 > 1$.", r"For arbitrary $a > 0$ we have $a + 1 > 1$.",
])
def test_neither_meaning_is_used_behind_the_quantifier(quantified):
    found = last(rf"Let $a = 1$. {quantified} Hence $a^2 \le 2$.")
    assert found.verdict == "undecided"


def test_both_meanings_are_shown():
    found = last(r"Let $a = 1$. For all $a > 0$: $a + 1 > 1$. Hence $a^2 \le 2$.")
    assert any("a = 1 (line 1) and a > 0" in said for said in found.missing)


@pytest.mark.parametrize("text", [
    r"Let $a = 1$. Then $$a^2 \le 2, \quad a > 0.$$", r"Let $a = 1$. Then $a \le 2$ whenever $a > 0$.",
    r"Let $a = 1$ and $b = 2a$. For all $a > 0$ we have $a + 1 > 1$. Hence $b \le 2$.",
    r"Let $x > 0$ and $c = x + 1$. For every $c > 0$ we have $c + 1 > 1$. Hence $c > 1$.",
])
def test_nothing_rests_on_what_was_bound_anew(text):
    assert last(text).verdict not in ("proved", "argued")


@pytest.mark.parametrize("text", [
    r"Let $a = 1$. For all $x > 0$ we have $x + 1 > 1$. Hence $a^2 \le 2$.",
    r"Let $a = 1$. For all $x > a$ we have $x^2 > 1$.",
    r"Let $a = 1$. If $a > 0$, then $a^2 \le 2$.",
    r"Let $a = 1$. For all $a > 0$ we have $a + 1 > 1$. Hence $a^2 + 1 \ge 1$.",
    r"Let $a = 1$. For all $a > 0$ we have $a + 1 > 1$. Now let $a = 1$. Hence $a^2 \le 2$.",
    r"Let $x > 0$ and $c = x + 1$. For every $x > 0$ we have $x + 1 > 1$. Hence $c > 1$.",
])
def test_true_relatives_stay_proved(text):
    assert last(text).verdict == "proved"
