"""Other accountants beside our enclosures: verdicts, environments, answers that are none."""

import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from symdp.cli.app import main
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accountants import asking
from symdp.privacy.accountants.asking import adapters, ask, chosen, judged, python_of, summary
from symdp.privacy.accountants.cases import CASES, Case, CasePart

#: A library that is right once, too low, far too high, no number, in trouble, silent too long, and noisy.
ADAPTER = '''
import time
DISTRIBUTION = "pytest"

def ways(case):
    assert case["parts"][0]["count"] == 100 and case["delta"] == "1e-6"
    print("noise on standard output")
    yield "right", "right()", lambda: 4.7746
    yield "low", "low()", lambda: 4.7
    yield "high", "high()", lambda: 9
    yield "infinite", "infinite()", lambda: float("inf")
    yield "trouble", "trouble()", lambda: 1 / 0
    yield "slow", "slow()", lambda: time.sleep(60)
'''


@pytest.fixture
def adapter(tmp_path, monkeypatch):
    path = tmp_path / "with_fake.py"
    path.write_text(ADAPTER)
    monkeypatch.setattr(asking, "adapters", lambda: {"fake": path})
    return path


def test_each_verdict_with_its_call(adapter):
    case = CASES[0]
    answers = list(ask("fake", adapter, Path(sys.executable), [case], {case.name: case.truth()}, seconds=1))
    assert [(a.way, a.verdict) for a in answers] == [
        ("right", "sound"), ("low", "unsound"), ("high", "loose"), ("infinite", "fails"), ("trouble", "fails"),
        ("slow", "fails")]
    low = answers[1]
    assert low.call == "low()"
    assert Decimal("0.0745") < Decimal(low.by) < Decimal("0.0746")
    assert "ZeroDivisionError" in answers[4].returned
    assert "within 1 s" in answers[5].returned
    assert next(iter(summary(answers).values())) == {"sound": 1, "loose": 1, "unsound": 1, "fails": 3}


def test_the_command_prints_one_document_and_a_page(adapter, tmp_path, capsys):
    page = tmp_path / "answers.html"
    with pytest.raises(SystemExit) as stop:
        main(["accountants", "fake", "--case", "epsilon = 0.1, k = 100, delta = 1e-6", "--seconds", "1", "--format",
              "json", "-o", str(page)])
    assert stop.value.code == 0
    document = json.loads(capsys.readouterr().out)
    asked_for = {"case", "accountant", "version", "returned", "lower", "upper", "verdict", "by"}
    assert set(document["cases"][0]) >= asked_for
    assert page.read_text().count("<tr>") == 9


def test_the_ends_decide():
    truth = Enclosure(Decimal("1.0"), Decimal("1.1"))
    assert judged("0.9999", truth)[0] == "unsound"
    assert judged("1.0", truth)[0] == "sound"
    assert judged("1.111", truth)[0] == "sound"
    assert judged("1.1111", truth)[0] == "loose"
    assert judged("nan", truth)[0] == judged("ValueError: 3", truth)[0] == "fails"
    assert judged("inf", Enclosure.exactly(Decimal("Infinity")))[0] == "sound"


def test_the_grid_reaches_far():
    names = " ".join(case.name for case in CASES)
    for text in ("1e-15", "1e-30", "10^9", "rate", " and "):
        assert text in names
    assert len({case.name for case in CASES}) == len(CASES)


def test_an_accountant_that_is_not_there_is_a_line(adapter, capsys, tmp_path):
    adapter.write_text(ADAPTER.replace('"pytest"', '"no-such-distribution"'))
    with pytest.raises(SystemExit) as stop:
        main(["accountants", "fake", "--case", "epsilon = 0.1, k = 100, delta = 1e-6"])
    assert stop.value.code == 2
    assert "no accountant was asked" in capsys.readouterr().err


def test_bad_names_and_paths_are_lines(tmp_path):
    with pytest.raises(BadQuantity, match="there is no accountant 'abacus'"):
        chosen(["abacus"])
    with pytest.raises(BadQuantity, match="cannot be run"):
        list(ask("fake", tmp_path, tmp_path / "no-python", [], {}))
    with pytest.raises(BadQuantity, match="no kind"):
        Case((CasePart("abacus", 1),), "1e-6").truth()


def test_where_an_interpreter_is_looked_for(tmp_path):
    python = tmp_path / "dp-accounting" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert python_of("dp-accounting", {}, tmp_path) == python
    assert python_of("autodp", {}, tmp_path) == Path(sys.executable)
    assert python_of("autodp", {"autodp": python}, None) == python
    assert {"dp-accounting", "prv-accountant", "autodp", "diffprivlib", "fourier-accountant"} <= set(adapters())
