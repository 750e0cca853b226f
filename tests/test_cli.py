"""The command line: one JSON document, exit codes, one clear line for bad input."""

import json
import subprocess
import sys

import pytest

from symdp.cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_help_answers_without_sympy():
    code = (
        "import sys; from symdp.cli import main\n"
        "try: main(['--help'])\nfinally: print('sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")


def test_python_dash_m_is_the_same_program():
    done = subprocess.run(
        [sys.executable, "-m", "symdp", "--help"], capture_output=True, text=True, check=True
    )
    assert "audit" in done.stdout


def test_check_ends_with_0_when_proved(capsys):
    code, out, _ = run(capsys, "check", "eps*tanh(eps/2) <= eps^2", "--where", "1/10 <= eps <= 0.9")
    assert code == 0
    assert "proved" in out


def test_check_ends_with_1_when_refuted_and_says_where(capsys):
    claim = ["exp(x) <= 1+x+x^2/2", "--where", "x >= 0"]
    code, out, _ = run(capsys, "check", *claim, "--format", "json")
    answer = json.loads(out)
    assert code == 1
    assert answer["verdict"] == "refuted"
    assert set(answer["witness"]) == {"x", "left", "right", "violation"}
    assert {"claim", "domain", "method", "trust", "seconds", "boxes", "certificate"} <= set(answer)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "__import__('os') <= 1"],
        ["check", "x.y <= 1"],
        ["check", "10^10^10 <= x"],
        ["check", "(" * 5000 + "x <= 1"],
        ["check", "9" * 20_000 + " <= x"],
        ["check", "foo(x) <= 1"],
        ["check", "exp(x <= 1"],
        ["check", ""],
        ["check"],
        ["check", "x <= 1", "--where", "x >"],
        ["check", "x <= 1", "--where", "x > 2", "--where", "x < 1"],
        ["check", "x <= 1", "--let", "x"],
        ["check", "x <= 1", "--integer", "2"],
        ["check", "log(x) <= x"],
        ["check", "--file", "no/such/file.toml"],
        ["check", "x <= 1", "--budget", "-1"],
        ["check", "x <= 1", "--precision", "3"],
        ["check", "x <= 1", "--format", "yaml"],
        ["show", "kov/thm-99"],
        ["audit", "kov/thm-99"],
        ["latex", "kov/thm-99"],
        ["list", "--source", "nobody"],
        ["list", "--kind", "theorem"],
        ["audit", "kov/thm-3.1", "--out", "/proc/nowhere"],
        ["no-such-command"],
        ["check", "--no-such-option"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments):
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert len(err) < 500
    assert err.startswith("symdp: ")


def test_bad_input_as_json_is_still_one_document(capsys):
    code, out, _ = run(capsys, "check", "foo(x) <= 1", "--format", "json")
    assert code == 2
    assert json.loads(out)["verdict"] == "error"


def test_a_malformed_problem_does_not_spoil_the_others(capsys, tmp_path):
    path = tmp_path / "problems.toml"
    path.write_text(
        '[[problem]]\nname = "good"\nclaim = "x^2 + 1 > 0"\nwhere = ["0 <= x <= 1"]\n'
        '[[problem]]\nname = "bad"\nclaim = "x <= "\n'
        '[[problem]]\nname = "worse"\nclaim = 3\n'
        '[[problem]]\nname = "empty"\nclaim = "x <= 1"\nwhere = ["x > 1", "x < 0"]\n'
    )
    code, out, _ = run(capsys, "check", "--file", str(path), "--format", "json")
    answer = json.loads(out)
    assert code == 2
    assert [c["verdict"] for c in answer["claims"]] == ["proved", "error", "error", "error"]
    assert answer["claims"][1]["message"].startswith("column")
    assert answer["summary"] == {"total": 4, "proved": 1, "error": 3}


@pytest.mark.parametrize("text", ["", "x = [", "[[problem]", "problem = 3", "\x00"])
def test_a_broken_file_is_one_line(capsys, tmp_path, text):
    path = tmp_path / "problems.toml"
    path.write_text(text)
    code, out, err = run(capsys, "check", "--file", str(path))
    assert (code, out) == (2, "")
    assert str(path) in err


def test_list_has_the_shape_of_the_contract(capsys):
    code, out, _ = run(capsys, "list", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert {"id", "statement", "kind", "task", "where"} <= set(answer["claims"][0])
    assert "kov/thm-3.4" in {s["id"] for s in answer["statements"]}


def test_show_prints_formulas_claims_and_reference(capsys):
    code, out, _ = run(capsys, "show", "kov/thm-3.1")
    assert code == 0
    assert "Basic composition" in out
    assert "Kairouz" in out
    assert "eps*k" in out


def test_audit_ends_with_0_whatever_the_verdicts_and_strictly_only_when_settled(capsys):
    ids = ["kov/sec-7.mgf-bound", "kov/thm-3.1"]
    code, out, _ = run(capsys, "audit", *ids, "--format", "json", "--budget", "0.5")
    answer = json.loads(out)
    assert code == 0
    assert [c["id"] for c in answer["claims"]] == ids
    assert answer["summary"]["total"] == 2
    code, _, _ = run(capsys, "audit", "kov/sec-7.mgf-bound", "--strict", "--budget", "0.5")
    assert code == 1  # refuted, and its correction is not among what was audited


def test_the_verdicts_do_not_depend_on_the_number_of_jobs(capsys):
    outcomes = []
    for jobs in ("1", "2"):
        _, out, _ = run(capsys, "audit", "kov/sec-7.mgf-bound", "kov/sec-7.mgf-identity",
                        "--jobs", jobs, "--format", "json")
        outcomes.append([(c["id"], c["verdict"], c["witness"]) for c in json.loads(out)["claims"]])
    assert outcomes[0] == outcomes[1]


def test_an_audit_is_written_where_it_is_asked_for(capsys, tmp_path):
    run(capsys, "audit", "kov/sec-7.mgf-bound", "--out", str(tmp_path / "new"))
    assert json.loads((tmp_path / "new" / "audit.json").read_text())["summary"]["refuted"] == 1
