"""In a text a_i looks the same whether one number or each member of a family is meant: it is never read as both."""

import pytest

from symdp.arguments.reading.text_file import DerivationFileError, derivation_from
from symdp.papers.lint import lint

ASSUMED = r"integer: n" "\n" r"assume: n \ge 1, %s" "\n" r"state: \sum_{i=1}^n a_i = 1"


@pytest.mark.parametrize("condition", [r"a_i = 1/n", r"a_i \ge 0", r"a_1 = 1", r"a_j \le 1", r"a_\ell \le 1"])
def test_a_derivation_that_mixes_them_is_refused(condition):
    with pytest.raises(DerivationFileError, match="is one number here, and a member of a family"):
        derivation_from(ASSUMED % condition)


def test_said_of_each_it_is_read():
    report = derivation_from("index: i\n" + ASSUMED % r"a_i = 1/n").check()
    assert report.first_wrong is None  # true; a proof of it is another matter


def test_a_name_that_only_begins_alike_is_another():
    derivation_from(ASSUMED % r"b_i = 1/n")
    derivation_from(ASSUMED % r"a = 1/n")


@pytest.mark.parametrize(("said", "right"), [
    (r"let $a_i = 1/n$ for each $i$", {"proved"}), (r"suppose that $a_i \ge 1/n$ for all $i$", {"proved", "argued"}),
    (r"let $a_i = 1/n$", {"undecided"}), ("", {"undecided"}),
])
def test_a_paper_that_speaks_of_each_member_is_used_and_one_that_does_not_is_not_refuted(tmp_path, said, right):
    paper = tmp_path / "paper.tex"
    paper.write_text(r"\documentclass{article}\begin{document}Let $n\ge 1$ be an integer" + f", {said}" * bool(said)
                     + r". Then \[ \sum_{i=1}^n a_i \ge 1 .\]\end{document}")
    found = [f for f in lint([paper]) if "sum" in f.tex]
    assert len(found) == 1
    assert found[0].verdict in right
