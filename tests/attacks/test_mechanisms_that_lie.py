"""A mechanism of one's own whose words disagree with its laws: no number and no proof rests on the words alone."""

import json

import pytest
from sympy import Integer, Rational

from symdp.arguments.guarantees.kernel_goals import NotFormal, formal
from symdp.cli.app import main
from symdp.formulas.notation import eps
from symdp.privacy.mechanisms.every import FinitePair, Laplace, RandomisedResponse
from symdp.sources.statement import Guarantee

LOPSIDED = '''"""A coin."""
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair

class Lopsided(FinitePair):
    name = "lopsided"
    names = ("lopsided",)

    def __init__(self):
        super().__init__(("9/10", "1/10"), ("1/2", "1/2"))

    @property
    def parameters(self):
        return {}
'''
SAYING = '''
    @property
    def symmetric(self):
        return True
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SYMDP_LITERATURE", str(tmp_path))
    return tmp_path


def composed(*further):
    with pytest.raises(SystemExit) as stop:
        main(["compose", "--mechanism", "lopsided count=3", "--target-epsilon", "1", *further])
    return stop.value.code


def test_whether_a_pair_is_symmetric_is_seen_from_its_laws(folder, capsys):
    # With a word of the class for it, delta was 0.389, shown with eighteen digits; it is 0.424.
    (folder / "lopsided.py").write_text(LOPSIDED + SAYING)
    assert composed() == 2
    assert "leave symmetric out" in capsys.readouterr().err


def test_a_number_says_on_whose_word_it_rests(folder, capsys):
    (folder / "lopsided.py").write_text(LOPSIDED)
    assert composed() == 0
    out = capsys.readouterr().out
    assert "0.4238881088" in out
    assert "if the mechanism is as lopsided.py says" in out
    assert composed("--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["rests_on"] == ["lopsided.py"]


def test_a_number_for_our_own_mechanisms_rests_on_no_word(capsys):
    with pytest.raises(SystemExit):
        main(["compose", "--mechanism", "laplace scale=10", "--target-delta", "1e-6", "--format", "json"])
    assert "rests_on" not in json.loads(capsys.readouterr().out)


def test_the_laws_of_a_kind_are_not_those_of_the_kind_it_is_made_from():
    class Louder(Laplace):
        """It adds half of the noise that its scale says."""

    class Blunt(RandomisedResponse):
        def __init__(self, epsilon):
            super().__init__(epsilon)
            self.p, self.q = (Rational(9, 10), Rational(1, 10)), (Rational(1, 10), Rational(9, 10))

    with pytest.raises(NotFormal):
        formal(Guarantee("", "it is private", Louder(1), Integer(1), Integer(0)))
    assert "(9/10, 1/10)" in str(formal(Guarantee("", "it is private", Blunt(1), Integer(1), Integer(0))))


def test_a_pair_without_words_is_symmetric_or_not():
    assert RandomisedResponse("1/2", "1/10").symmetric
    assert RandomisedResponse(eps).symmetric
    assert not FinitePair(["9/10", "1/10"], ["1/2", "1/2"]).symmetric
