"""A mechanism is one file: the command line, composition and guarantees find it, in a folder of one's own too."""

import json
from decimal import Decimal

import pytest
from sympy import S

from symdp import folders
from symdp.audit.settling.dispatch import settle
from symdp.cli.app import main
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting.calibration import calibrate
from symdp.privacy.composition.compose import compose
from symdp.privacy.mechanisms.registry import mechanism, mechanisms, read_mechanism
from symdp.sources import registry

#: A die with three faces, one of which is likely under one database, and another one under its neighbour.
NOISE = '''
from sympy import Rational
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair


class Die(FinitePair):
    """Three faces, the first or the last of which is likely."""

    name = "a loaded die"
    names = ("die", "dice")

    def __init__(self, likely="3/4"):
        self.likely = Rational(likely)
        rest = (1 - self.likely) / 2
        super().__init__([self.likely, rest, rest], [rest, rest, self.likely])

    @property
    def parameters(self):
        return {"likely": self.likely}
'''
#: At epsilon = 1 the first face shows 3/4 - e/8 = 0.41....
THEOREM = '''
from sympy import Integer, Rational
from noise import Die
from symdp.sources.statement import Guarantee, Source, Statement

die = Statement(place=Source("die", "A die", "kairouz2013composition").lemma("1"), title="A die", claims=(
    Guarantee("", "it is private", Die(), Integer(1), Rational(1, 2)),
    Guarantee("less", "as private as this it is not", Die(), Integer(1), Rational(2, 5)),
    Guarantee("twice", "two of them", Die(), Integer(1), Rational(4, 5), fold=Integer(2)),
))
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "noise.py").write_text(NOISE)
    monkeypatch.setenv(folders.FOLDERS, str(tmp_path))
    return tmp_path


def test_the_folder_of_mechanisms_is_scanned():
    assert {"gaussian", "geometric", "laplace", "randomised-response", "staircase"} <= set(mechanisms())
    for kind in mechanisms().values():
        assert kind.names
        assert kind.name != "the pair"


def test_one_of_ones_own_composes_by_both_of_its_names(folder, capsys):
    listed = mechanism("die")("3/4").power(2).delta(1)  # by all outcomes of the product
    for name in ("die", "dice"):
        with pytest.raises(SystemExit):
            main(["compose", "--mechanism", f"{name} likely=3/4 count=2", "--target-epsilon", "1",
                  "--format", "json"])
        found = json.loads(capsys.readouterr().out)["delta"]
        assert Decimal(found["lower"]) <= listed.upper
        assert listed.lower <= Decimal(found["upper"])
    alone, mixed = mechanism("die")().delta(1), compose([mechanism("die")(), ("0.01", 0)]).delta(1)
    assert alone.lower < mixed.upper < alone.upper + Decimal("0.01")


def test_guarantees_of_one_of_ones_own_are_settled(folder):
    (folder / "theorem.py").write_text(THEOREM)
    verdicts = {c.name: settle(c).status.value for c in registry.select(["die"])}
    assert verdicts[""] == "proved"
    assert verdicts["less"] == "refuted"
    assert verdicts["twice"] not in ("proved", "error")  # the kernel has finite laws once; nothing is guessed


@pytest.mark.parametrize(("text", "line"), [
    (NOISE.replace('"dice"', '"laplace"'), "noise.py:6: there is a mechanism laplace already; give it another name"),
    (NOISE.replace("FinitePair", "Mechanism").replace("mechanisms.finite_laws.finite import", "pairs.pair import"),
     "noise.py:6: Die does not say its _epsilon, _false_alarm, _hockey_stick, _renyi, closed_forms, "
     "privacy_loss, symmetric; define them"),
])
def test_a_mechanism_that_cannot_be_is_one_line(folder, capsys, text, line):
    (folder / "noise.py").write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["compose", "--mechanism", "laplace scale=10", "--target-delta", "1e-6"])
    assert stop.value.code == 0
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_what_is_written_in_a_line_is_read_or_refused():
    noise, many = read_mechanism("staircase epsilon=1 count=10^3")
    assert (noise.epsilon_0, many) == (S.One, 1000)
    for text, says in [("laplace", "needs more parameters; write laplace scale=... sensitivity=..."),
                       ("laplace 3", "has no parameter '3'"), ("", "there is no mechanism ''"),
                       ("laplace scale=-1", "scale must be greater than 0"),
                       ("laplace scale=1 count=0", "count must be")]:
        with pytest.raises(BadQuantity, match=says.replace("(", r"\(").replace(".", r"\.")):
            read_mechanism(text)


def test_only_noise_is_calibrated():
    with pytest.raises(BadQuantity, match="adds no noise to a number; what does is discrete-laplace, gaussian"):
        calibrate(1, "1e-6", 10, "randomised-response")
