r"""What a formula does where its words alone do not tell: it depends on what its names are, and on what follows."""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work


def entries(text):
    sources = Sources()
    return read_document(sources, sources.add("p.tex", text))


def stated(text):
    """What needs no judge: typed -> verdict."""
    return {e.tex: e.verdict for e in entries(text) if isinstance(e, Finding)}


def claims(text):
    """What is for the judge: reading -> its context."""
    works = [e for e in entries(text) if isinstance(e, Work)]
    return {f.reading: c for e in works for f, c in zip(e.findings, e.contexts, strict=True)}


def bounds(text, reading):
    return {str(r) for r in claims(text)[reading].relations}


def verdicts(text):
    return [(f.tex, f.verdict) for e in entries(text) if isinstance(e, Work) for f in judge(e, 2.0)]


STATED = {
    r"The sample size is $n \ge 2$.": {r"n \ge 2": "assumption"},
    r"Recall that $L > 0$ denotes the smoothness.": {"L > 0": "assumption"},
    r"It changes by a factor $\theta = \sqrt{2}$.": {r"\theta = \sqrt{2}": "definition"},
    r"Let $a > 0$ and $b > 0$; $r := a/b$.": {
        "a > 0": "assumption", "b > 0": "assumption", r"r \coloneqq a/b": "definition"},
    r"Let $b > 0$. So $k = 8 \ln b$ groups suffice.": {"b > 0": "assumption", r"k = 8 \ln b": "definition"},
    r"Taking $a = 1$ is best; the last two are the cases $a = 0$ and $a = -1$.": {
        "a = 1": "definition", "a = 0": "assumption", "a = -1": "assumption"},
    r"The number of steps is denoted by $n \in \mathbb{N}$.": {r"n \in \mathbb{N}": "assumption"},
    r"Suppose $\mu \neq 0$.": {r"\mu \neq 0": "assumption"},
}


@pytest.mark.parametrize(("text", "expected"), STATED.items(), ids=list(STATED))
def test_what_is_stated_is_no_claim(text, expected):
    assert stated(text) == expected
    assert not claims(text)


CLAIMED = {
    r"Let $c > 0$. We are done, and if we put this back in, \[ (c+1)^2 - c^2 - 2c - 1 + c - c \le 1 . \]": 1,
    r"Let $s$ be real, where \begin{align*} \frac{1+e^s}{2} &\le e^{s} + 1 \\ &\le 2 e^s + 2 . \end{align*}": 2,
    r"Let $u, v > 0$. This holds, and for a sum of two numbers $(u+v)^2 \le 2u^2 + 2v^2$.": 1,
    r"Let $0 < p < 1$. The odds $\theta = \frac{p}{1-p}$ satisfy $\theta > 0$.": 1,
}


@pytest.mark.parametrize(("text", "count"), CLAIMED.items(), ids=list(CLAIMED))
def test_what_is_claimed_is_not_assumed(text, count):
    assert len(claims(text)) == count


def test_a_value_in_passing_is_not_in_force_behind_its_sentence():
    text = r"Let $x > 0$ and $y > 0$. At $y = 1$ we have $xy = x$. Hence $xy \le 2x$." "\n\n" r"Then $xy \le x$."
    assert "y == 1" in bounds(text, "x*y == x")
    assert "y == 1" not in bounds(text, "x*y <= 2*x")
    assert [v for _, v in verdicts(text)] == ["proved", "undecided", "refuted"]


def test_a_case_that_is_mentioned_does_not_last_and_one_that_is_opened_does():
    mentioned = r"Let $n \ge 1$. Now $2n \ge n$, which is the case $n = 2$; the rest is the same. Then $n^2 \ge n$."
    assert "n == 2" not in bounds(mentioned, "n^2 >= n")
    opened = r"Let $n \ge 1$. Consider the case $n = 2$. Then $n^2 \ge n$."
    assert "n == 2" in bounds(opened, "n^2 >= n")


def test_parameters_of_an_earlier_section_are_those_of_the_next_and_dummies_are_not():
    text = r"\section{A} Let $0 < p < 1/2$ and $0 < x < 1$. \section{B} Then $p^2 \le p$ and $x^2 \le x$."
    assert bounds(text, "p^2 <= p") >= {"0 < p", "p < 1/2"}
    assert "x < 1" not in bounds(text, "x^2 <= x")
    anew = text.replace(r"\section{B}", r"\section{B} Let $p \ge 0$.")
    assert "p < 1/2" not in bounds(anew, "p^2 <= p")


def test_a_bound_of_a_name_with_a_meaning_leaves_it_its_meaning():
    text = r"Let $h > 0$ and set $z = 2h$. For $z < 2$ we have $z^2 \le 2z$."
    assert [str(v) for v in claims(text)["z^2 <= 2*z"].meanings] == ["z"]
    assert verdicts(text) == [(r"z^2 \le 2z", "proved")]


def test_a_numbered_assumption_is_in_force_behind_it():
    text = (r"\newtheorem{assumption}{Assumption} Let $L > 0$. \begin{assumption} We have $0 < h \le 1/L$. "
            r"\end{assumption} Then $hL \le 1$.")
    assert verdicts(text) == [(r"hL \le 1", "proved")]


def test_a_proof_has_the_hypotheses_of_its_theorem_whatever_its_environment_is_called():
    text = (r"\newenvironment{beleg}{\par\textit{Proof.}}{\par} \newtheorem{satz}{Satz} \begin{satz} "
            r"If $0 \le x \le 1$, then $x^2 \le x$. \end{satz} \begin{beleg} Indeed $x^3 \le x^2$. \end{beleg}")
    assert [v for _, v in verdicts(text)] == ["proved", "proved"]


def test_a_reason_has_to_be_right_and_a_wrong_one_proves_nothing():
    text = r"Let $x > 0$ and $y > 0$. Since $(x+y)^2 = x^2 + y^2$, we have $(x+y)^2 \le x^2 + y^2$."
    assert [v for _, v in verdicts(text)] == ["refuted", "refuted"]
    right = r"Let $x > 0$ and $y > 0$. Since $(x+y)^2 = x^2 + 2xy + y^2$, we have $(x+y)^2 \ge x^2$."
    assert [v for _, v in verdicts(right)] == ["proved", "proved"]


def test_what_differs_is_smaller_or_larger():
    text = r"Let $r \ne 1$ be real. Then $\frac{1-r^2}{1-r} = 1 + r$ and $\frac{1}{1-r} \le 1 + r$."
    assert [v for _, v in verdicts(text)] == ["proved", "refuted"]
    assert [v for _, v in verdicts(text.replace(r"r \ne 1", "r > 2"))] == ["proved", "proved"]
    (without, _) = verdicts(text.replace(r"Let $r \ne 1$ be real. ", ""))
    assert without[1] == "undecided"


def test_a_value_at_a_number_is_no_product():
    assert stated(r"The equation $y' = -y$, $y(0) = 1$ is solved.")["y(0) = 1"] == "unread"


def test_marks_of_a_society_say_nothing():
    text = (r"Let $x > 0$. \begin{IEEEeqnarray}{rCl} x & \le & x + 1 \IEEEnonumber \\ & \le & x + 2 . "
            r"\IEEEyessubnumber \end{IEEEeqnarray}")
    assert list(claims(text)) == ["x <= x + 1", "x + 1 <= x + 2"]


@pytest.mark.parametrize("words", ["be the clipping threshold", "be the tolerance"])
def test_what_a_name_with_a_bound_stands_for_restricts_it_no_further(words):
    assert [v for _, v in verdicts(rf"Let $C > 0$ {words}. Then $C^2 \le C$.")] == ["refuted"]


@pytest.mark.parametrize("words", ["be the root of it", "be a bit", "be the smallest one"])
def test_what_says_more_than_a_bound_keeps_from_refuting(words):
    assert [v for _, v in verdicts(rf"Let $C > 0$ {words}. Then $C^2 \le C$.")] == ["undecided"]


def test_a_definition_says_what_is_defined():
    (found,) = [e for e in entries(r"Let $f(x) = 2x + 1$.") if isinstance(e, Finding)]
    assert found.reading == "f(x) is 2*x + 1"


def test_a_side_that_is_not_read_is_no_trouble_for_the_others():
    assert stated(r"Let $x > 0$. Then $x \le \partial x \le x + 1$.")[r"x \le \partial x"] == "unread"
    assert [v for _, v in verdicts(r"Let $x > 0$. Then $\partial x \le x \le x + 1$.")] == ["unread", "proved"]


def test_a_list_of_names_with_what_they_stand_for_is_all_assumed():
    text = (r"Throughout, $\alpha > 1$ denotes the order of it, $\sigma > 0$ the noise multiplier, "
            r"$T \geq 1$ the number of steps, which is an integer, and $q \in (0, 1)$ the sampling rate.")
    assert list(stated(text).values()) == ["assumption"] * 4


def test_what_counts_is_an_integer():
    text = r"Each of $n \ge 1$ symbols is wrong. Let $0 < p < 1/2$. Then $1 - (1-p)^n \ge np - \frac{n(n-1)}{2}p^2$."
    assert [v for _, v in verdicts(text)] == ["proved"]
    unsaid = text.replace(r"Each of $n \ge 1$ symbols is wrong.", r"Let $n \ge 1$.")
    assert [v for _, v in verdicts(unsaid)] == ["undecided"]


@pytest.mark.parametrize(("claim", "verdict"), [
    (r"\sum_{t=1}^T \frac{1}{t} \le 1 + \ln T", "proved"),
    (r"\sum_{t=1}^T \frac{1}{t} \le \ln(T+1)", "refuted"),
    (r"T \binom{2T}{T} = 2T \binom{2T-1}{T-1}", "argued"),
    (r"T \binom{2T}{T} = T \binom{2T-1}{T-1}", "refuted"),
])
def test_bounds_of_sums_and_what_binomials_count_are_integers(claim, verdict):
    assert [v for _, v in verdicts(rf"Let $T \ge 1$. Then ${claim}$.")] == [verdict]


def test_a_number_of_things_that_is_a_formula_makes_no_integers_of_its_names():
    text = (r"Let $n \ge 1$ be an integer and $0 < p < 1/2$. The mean number of errors is $\sum_{k=1}^{n} p = np$. "
            r"Then $p^2 = p$.")
    assert verdicts(text)[-1] == ("p^2 = p", "refuted")


def test_nothing_follows_from_hypotheses_that_contradict_each_other():
    assert verdicts(r"Let $p$ be an integer. Suppose $0 < p < 1/2$. Then $p^2 = 2p$.") == [("p^2 = 2p", "undecided")]


def test_a_star_between_names_may_be_a_convolution():
    assert stated(r"Let $0 < p < 1$. Errors compose as $p * p = 2p(1-p)$.")["p * p = 2p(1-p)"] == "unread"
    assert [v for _, v in verdicts(r"Let $x > 0$. Then $2 * x = x + x$.")] == ["proved"]
