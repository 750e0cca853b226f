r"""Whatever a text mentions must have a value, even where it cancels on reading or on inserting.

Every text is read twice: on a domain on which something that it mentions has no value, where it must not be proved
(nor argued, nor called wrong); and on one on which everything has a value, where it must be proved.
"""

import pytest

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.arguments.reading.text_file import derivation_from
from symdp.papers.lint import lint
from symdp.search.prove import NotDefined, check
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.expressions import DerivationError

LOGARITHM = r"let: m = \log x" + "\n"

#: what stands behind ``assume: -1 \le x \le 2`` in a file
TEXTS = {
    "a name minus itself": LOGARITHM + "state: m - m = 0",
    "a name times zero": LOGARITHM + r"state: 0 \cdot m = 0",
    "a name to the power zero": LOGARITHM + "state: m^0 = 1",
    "a name in a chain": LOGARITHM + r"\begin{align} m - m + x &= x \\ &\le 2 \end{align}",
    "a name of a name": LOGARITHM + "let: n = e^{m}\nstate: n = x",
    "inside of absolute values": LOGARITHM + "state: |m| - |m| = 0",
    "inside of a minimum": LOGARITHM + r"state: \min\{m, m\} - m + x \le 2",
    "a name that is zero": "let: z = 0\n" + r"state: z \log x = 0",
    "a name that is zero, of a name": LOGARITHM + "let: z = 0\nstate: z m = 0",
    "a quotient of the same": "let: z = x\n" + r"state: \frac{z}{x} = 1",
    "zero over something": r"state: \frac{0}{x} = 0",
    "zero over a name": "let: z = x\n" + r"state: \frac{0}{z} = 0",
    "a case distinction": r"cases: \frac{x}{x} = 1" + "\ncase: x \\ge 3/2\ncase: x < 3/2\nend",
    "a case distinction about names": LOGARITHM + "cases: m - m + x \\le 2\ncase: x \\ge 3/2\ncase: x < 3/2\nend",
    "an induction": "integer: k\nassume: k \\ge 1\n" + r"induction k from 1: k \frac{x}{x} \ge 1" + "\nend",
    "the terms of a sum": "integer: k\nassume: k \\ge 1\n" + LOGARITHM
                          + r"state: \sum_{i=1}^{k} (m - m + i) = \frac{k(k+1)}{2}",
    "a sum minus itself": "integer: k\nassume: k \\ge 1\n"
                          + r"state: \sum_{i=1}^{k} \log x - \sum_{i=1}^{k} \log x = 0",
    "a product minus itself": "integer: k\nassume: k \\ge 1\n"
                              + r"state: \prod_{i=1}^{k} \log x - \prod_{i=1}^{k} \log x = 0",
    "an atom that nothing depends on": r"distribution Z: \log x with 1/2; 1 with 1/2" + "\n"
                                       + r"state: \mathbb{E}[1] = 1",
    "an atom without mass": r"distribution Z: 1 with 1; x with 0" + "\n" + r"state: \mathbb{E}[\log Z] = 0",
    "a mean of what cancels": r"distribution Z: 1 with 1/2; x with 1/2" + "\n"
                              + r"state: \mathbb{E}[0 \cdot \log Z] = 0",
    "an atom that is a name": LOGARITHM + "distribution Z: m with 1/2; 1 with 1/2\n" + r"state: \mathbb{E}[1] = 1",
    "what follows": LOGARITHM + "state: x \\le 2\nimplies: x + m - m \\le 3",
    "what is equivalent": LOGARITHM + "state: x \\le 2\niff: x + m - m \\le 2",
    "a conclusion": LOGARITHM + "state: x \\le 2\nconclude: x + m - m \\le 2",
    "a value of a lemma": "lemma L: y - y + z \\le z + 1\n"
                          + r"use: L with y = \log x, z = x" + "\nstate: x \\le x + 1",
    "a chosen value": LOGARITHM
                      + "let: z = 0\nassume: y \\ge 0\nstate: y \\ge 0\nwith: y = z m + 1\nconclude: y \\ge 0",
}


def standing(text):
    report = derivation_from(text).check(budget=2)
    return report.standing.value, report.proof is not None


@pytest.mark.parametrize("name", TEXTS)
def test_what_cancels_in_a_file_must_have_a_value(name):
    assert standing("assume: -1 \\le x \\le 2\n" + TEXTS[name]) == ("undecided", False)


@pytest.mark.parametrize("name", TEXTS)
def test_where_it_has_a_value_the_same_text_is_proved(name):
    assert standing("assume: 1 \\le x \\le 2\n" + TEXTS[name]) == ("proved", True)


@pytest.mark.parametrize("text", [
    "let: n = m - m + 1\nstate: n = 1",
    "assume: y \\ge 0\nstate: y \\ge 0\nwith: y = m - m + 1\nconclude: 1 \\ge 0",
    "distribution Z: 1 with 1/2 + m - m; 0 with 1/2\n" + r"state: \mathbb{E}[Z] = 1/2",
    "lemma L: y^2 \\ge 0\nuse: L with y = m - m\nstate: x \\le x + 1",
])
def test_a_definition_of_which_a_part_cancels_is_refused(text):
    with pytest.raises(LatexError, match="m cancels here; write what is left"):
        derivation_from("assume: -1 \\le x \\le 2\n" + LOGARITHM + text)


@pytest.mark.parametrize("text", [
    "let: z = -1\nlet: n = \\log z\nstate: n - n + x \\le 2",
    "let: z = x\nlet: n = \\frac{1}{z - x}\nstate: n - n + x \\le 2",
    "let: z = 0\nlet: n = \\Gamma(z)\nstate: 0 \\cdot n + x \\le 2",
])
def test_a_name_that_never_has_a_value_is_an_error(text):
    with pytest.raises(DerivationError, match="has no value"):
        standing("assume: 1 \\le x \\le 2\n" + text)


@pytest.mark.parametrize("text", [
    r"state: \sum_{i=1}^{x} i - \sum_{i=1}^{x} i = 0",
    r"state: 0 \cdot \sum_{i=1}^{x} i = 0",
    "let: z = 0\n" + r"state: z \sum_{i=1}^{x} i = 0",
])
def test_a_sum_that_cancels_must_have_integers_as_its_ends(text):
    assert standing("assume: 1 \\le x \\le 2\n" + text) == ("undecided", False)
    assert standing("integer: x\nassume: 1 \\le x \\le 2\n" + text) == ("proved", True)


def test_the_index_of_a_sum_is_not_the_variable_of_that_name():
    """log(i) under a sum says nothing of log(i) beside it."""
    text = "integer: k, i\nassume: k \\ge 1\nlet: z = 0\n" + r"state: z \log i + \sum_{j=1}^{k} \log j \ge 0"
    assert standing(text)[1] is False


IN_PYTHON = {
    "a name minus itself": lambda d: d.let("m", "log(x)").state("m - m == 0"),
    "a name in a chain": lambda d: d.let("m", "log(x)").start("m - m + x").le("2"),
    "a name of a name": lambda d: d.let("m", "log(x)").let("n", "exp(m)").state("n == x"),
    "a name that is zero": lambda d: d.let("z", 0).state("z*log(x) == 0"),
    "a case distinction": lambda d: d.cases("x/x == 1", ("x >= 3/2", None), ("x < 3/2", None)),
    "an atom without mass": lambda d: d.state("Z^2 >= 0").expect("Z", [(1, 1), ("1/x", 0)], "1 >= 0"),
    "an atom that is a name": lambda d: d.let("m", "1/x").state("Z^2 >= 0").expect("Z", [(1, 1), ("m", 0)], "1 >= 0"),
    "a value of a lemma": lambda d: d.lemma("L", "y^2 >= 0").let("z", 0).let("m", "log(x)").state(
        "x <= 3", by=use("L", y="z*m")),
    "a conclusion": lambda d: d.let("m", "log(x)").state("x <= 2").conclude("x + 0*m <= 2"),
    "a chosen value": lambda d: d.suppose("y >= 0").let("m", "log(x)").let("z", 0).state("y >= 0").choose(
        "y", "z*m + 1").conclude("y >= 0"),
    "an expectation": lambda d: d.let("m", "log(x)").state("Z^2 >= 0").expect("Z", [(1, 1)], "1 + 0*m >= 0"),
}


@pytest.mark.parametrize("name", IN_PYTHON)
def test_what_cancels_in_a_derivation_must_have_a_value(name):
    open_end = IN_PYTHON[name](Derivation(where=["-1 <= x <= 2"])).check(budget=2)
    assert (open_end.standing.value, open_end.proof) == ("undecided", None)
    assert IN_PYTHON[name](Derivation(where=["1 <= x <= 2"])).check(budget=2).proof is not None


#: new functions at their poles and at the ends of where they are defined: (function, where it has no value)
ENDS = [("tan", "0 <= x <= 2"), ("asin", "0 <= x <= 2"), ("acos", "-2 <= x <= 0"), ("acosh", "0 <= x <= 2"),
        ("atanh", "0 <= x <= 1"), ("atanh", "-1 <= x <= 0"), ("digamma", "0 <= x <= 1"),
        ("trigamma", "-1/2 <= x <= 1"),
        ("log1p", "-1 <= x <= 1"), ("gamma", "0 <= x <= 1"), ("loggamma", "0 <= x <= 1"), ("log", "0 <= x <= 1"),
        ("sqrt", "-1 <= x <= 1")]


@pytest.mark.parametrize(("function", "where"), ENDS)
def test_a_function_beyond_its_domain_proves_nothing(function, where):
    for claim in (f"0*{function}(x) == 0", f"{function}(x) <= {function}(x)", f"{function}(x)^2 >= 0"):
        try:
            verdict = check(claim, [where], budget=1)
        except NotDefined:
            continue
        assert verdict.status.value not in ("proved", "refuted")
    report = Derivation(where=[where]).let("m", f"{function}(x)").state("m - m == 0").check(budget=1)
    assert report.proof is None
    assert report.standing.value == "undecided"


@pytest.mark.parametrize("text", [
    "assume: x > 1, x < 0", "assume: x > y, y > x", "index: i\nassume: a_i > 0, a_i < 0",
    "state: 1 = 1\nassume: x > y, y > x", "assume: \\sqrt{x} \\ge 0, x < 0",
])
def test_assumptions_that_nothing_satisfies_are_refused(text):
    """Under them everything would hold, and nothing could be wrong."""
    with pytest.raises(DerivationError, match="the assumptions: no point"):
        standing(text + "\nstate: 1 = 0")


@pytest.mark.parametrize("text", [
    "let: Z = 3\ndistribution Z: 1 with 1/2; 0 with 1/2\nstate: \\mathbb{E}[Z] = 1/2",
    "distribution Z: 1 with 1/2; 0 with 1/2\nlet: Z = 3\nstate: \\mathbb{E}[Z] = 1/2",
    "integer: k\nassume: k \\ge 1\nlet: i = 5\nstate: \\sum_{i=1}^{k} i = \\frac{k(k+1)}{2}",
    "integer: k\nassume: k \\ge 1\nlet: i = 5\nstate: \\prod_{i=1}^{k} i \\ge 1",
])
def test_a_name_with_a_meaning_is_no_index_and_no_random_variable(text):
    with pytest.raises(LatexError, match="take another"):
        derivation_from(text)


def test_a_lemma_about_nothing_is_refused():
    with pytest.raises(DerivationError, match="the conditions of the lemma: no point"):
        standing("lemma L: 1 = 0 where x > y, y > x\nstate: 2 = 2")


@pytest.mark.parametrize(("low", "verdict"), [(-1, "undecided"), (1, "proved")])
def test_what_cancels_in_a_paper_must_have_a_value(tmp_path, low, verdict):
    paper = tmp_path / "paper.tex"
    paper.write_text(rf"Let $x \in [{low}, 2]$ and define $f(t) := \log t$. Then \[ f(x) - f(x) = 0. \]"
                     "\nLet $m = \\log x$. Then \\[ m - m = 0. \\]\n")
    found = [finding.verdict for finding in lint([paper], memory=None)]
    assert [v for v in found if v not in ("assumption", "definition")] == [verdict, verdict]
