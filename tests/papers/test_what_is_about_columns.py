"""What stands behind the beginning of a display, or behind a row, may be about columns and space: no formula then."""

import pytest

from symdp.papers.lint import lint

DISPLAYS = {
    "IEEEeqnarray": r"\begin{IEEEeqnarray}{rCl} e^x &\ge& 1+x \end{IEEEeqnarray}",
    "placed": r"\begin{IEEEeqnarray*}[t]{rCl} e^x &\ge& 1+x \end{IEEEeqnarray*}",
    "alignat": r"\begin{alignat}{2} e^x &\ge 1+x \end{alignat}",
    "alignedat": r"\[\begin{alignedat}{2} e^x &\ge 1+x \end{alignedat}\]",
    "array": r"\[\begin{array}{rcl} e^x &\ge& 1+x \end{array}\]",
    "aligned": r"\[\begin{aligned}[t] e^x &\ge 1+x \end{aligned}\]",
    "a brace that is no argument": r"\[\begin{aligned}{e^x} &\ge 1+x \end{aligned}\]",
    "a space behind a row": r"\begin{align} e^x &\ge 1+x \\[2pt] e^x &\ge 1+x \end{align}",
}


def read(tmp_path, display):
    paper = tmp_path / "paper.tex"
    paper.write_text(r"\documentclass{article}\begin{document}Let $x$ be a real number. Then" + "\n" + display
                     + "\n" + r"\end{document}")
    return [f for f in lint([paper]) if r"\ge" in f.tex]


@pytest.mark.parametrize("name", DISPLAYS)
def test_columns_are_no_factors(tmp_path, name):
    found = read(tmp_path, DISPLAYS[name])
    assert found
    assert {(f.verdict, f.reading) for f in found} == {("proved", "exp(x) >= x + 1")}


def test_a_bracket_that_is_no_length_belongs_to_the_row(tmp_path):
    found = read(tmp_path, r"\begin{align} e^x &\ge 1+x \\ [1+x] &\ge e^x \end{align}")
    first, second = (f.verdict for f in found)
    assert first == "proved"
    assert second not in ("proved", "argued")
