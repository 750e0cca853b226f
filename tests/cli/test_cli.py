"""The command line: one JSON document, exit codes, one clear line for bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symdp.cli.app import COMMANDS, main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_help_answers_without_sympy():
    code = (
        "import sys; from symdp.cli.app import main\n"
        "try: main(['--help'])\nfinally: print('sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
def test_the_help_page_says_of_a_command_what_it_says_of_itself(command):
    assert command.command.help.splitlines()[0] == command.help


def test_without_a_command_there_is_the_help_page(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert "Settle a claim of your own:" in out
    assert all(f"\n  {command.name} " in out for command in COMMANDS)
    assert "..." not in out.replace("[ARGS]...", "")  # no line is cut


@pytest.mark.long
def test_a_shell_completes_commands_options_and_ids():
    def completed(*words):
        done = subprocess.run([sys.executable, "-m", "symdp"], capture_output=True, text=True, check=True,
                              env=os.environ | {"_SYMDP_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words),
                                                "COMP_CWORD": str(len(words) - 1)})
        return done.stdout.split()

    assert completed("symdp", "comp") == ["compose"]
    assert "--target-delta" in completed("symdp", "compose", "--ta")
    assert "kov/thm-3.4.log-branch" in completed("symdp", "show", "kov/thm-3.4.log")


def test_a_reader_who_closes_the_pipe_is_no_error():
    command = f"'{sys.executable}' -m symdp compose --epsilon 0.1 --count 30 --target-delta 0.05 --bounds | head -n 1"
    done = subprocess.run(command, capture_output=True, text=True, check=True, shell=True)
    assert done.stderr == ""
    assert done.stdout.startswith("epsilon = ")


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


@pytest.mark.long
def test_audit_ends_with_0_whatever_the_verdicts_and_strictly_only_when_settled(capsys):
    ids = ["kov/sec-7.mgf-bound", "kov/eq-26.split"]
    code, out, _ = run(capsys, "audit", *ids, "--format", "json", "--budget", "0.5")
    answer = json.loads(out)
    assert code == 0
    assert [c["id"] for c in answer["claims"]] == ids
    assert answer["summary"]["total"] == 2
    code, _, _ = run(capsys, "audit", "kov/sec-7.mgf-bound", "--strict", "--budget", "0.5")
    assert code == 1  # refuted, and its correction is not among what was audited


@pytest.mark.long
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


def test_certificates_are_written_and_accepted_again(capsys, tmp_path):
    claim = ["p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", "--where", "0 <= p <= 1"]
    code, out, _ = run(capsys, "check", *claim, "--out", str(tmp_path), "--format", "json",
                       "--budget", "30")
    answer = json.loads(out)
    assert (code, answer["verdict"]) == (0, "proved")
    code, out, _ = run(capsys, "recheck", answer["certificate"], "--format", "json")
    assert code == 0
    assert json.loads(out)["summary"] == {"total": 1, "accepted": 1, "proved": 1, "refuted": 0, "rejected": 0}
    path = tmp_path / "forged.json"
    path.write_text(Path(answer["certificate"]).read_text().replace('"convex"', '"concave"'))
    code, out, _ = run(capsys, "recheck", str(tmp_path))
    assert code == 1
    assert "rejected" in out


def test_a_missing_or_broken_certificate_is_bad_input(capsys, tmp_path):
    code, out, err = run(capsys, "recheck", str(tmp_path / "none.json"))
    assert (code, out) == (2, "")
    assert "does not exist" in err
    broken = tmp_path / "broken.json"
    broken.write_text("[" * 50_000)
    code, out, err = run(capsys, "recheck", str(broken))
    assert code == 2
    assert "not JSON" in out + err


def test_a_proof_is_explained(capsys):
    code, out, _ = run(capsys, "check", "cosh(x) <= exp(x^2/2)", "--explain")
    assert code == 0
    assert "because: logarithms of both sides" in out
    assert "the gap is least at x = 0" in out

@pytest.mark.long
def test_a_claim_that_fails_is_repaired_with_a_certificate(capsys, tmp_path):
    code, out, _ = run(capsys, "suggest", "tanh(x) <= x/2", "--where", "x >= 0", "--budget", "2", "--out",
                       str(tmp_path), "--format", "json")
    found = json.loads(out)
    assert (code, found["verdict"]) == (0, "refuted")
    assert "an added factor" in [r["kind"] for r in found["repairs"]]
    code, _, _ = run(capsys, "recheck", *(r["certificate"] for r in found["repairs"]))
    assert code == 0
    assert run(capsys, "suggest", "exp(x) >= 1 + x")[0] == 0
    code, out, _ = run(capsys, "suggest", "x == x + 1")
    assert (code, "no repair was found" in out) == (1, True)



@pytest.mark.long
@pytest.mark.parametrize(
    ("claim", "over", "where", "form"),
    [
        ("eps*tanh(eps/2) <= c*eps^2", "c", "eps > 0", "1/2"),
        ("log(x) <= c*sqrt(x)", "c", "x > 0", "2*exp(-1)"),
        ("exp(x) - 1 <= 2*x", "x", "x > 0", None),
    ],
)
def test_the_sharpest_constant_is_certified_in_both_directions(capsys, claim, over, where, form):
    code, out, _ = run(capsys, "sharpest", claim, "--over", over, "--where", where,
                       "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["certain"]
    assert answer["closed_form"] == form
    assert abs(float(answer["upper"]) - float(answer["lower"])) < 1e-12
    assert {p["verdict"] for p in answer["pieces"]} == {"holds", "fails"}


def test_what_is_not_monotone_is_shown_as_intervals(capsys):
    claim = ["c*(c-1)*(c-2) >= -x", "--over", "c", "--where", "x >= 0"]
    code, out, _ = run(capsys, "sharpest", *claim, "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["holds"] == ["0 <= c <= 1", "c >= 2"]
    assert answer["fails"] == ["c < 0", "1 < c < 2"]
    assert answer["closed_form"] is None
    _, out, _ = run(capsys, "sharpest", *claim)
    assert "holds for 0 <= c <= 1" in out
    assert "fails for each c < 0" in out


@pytest.mark.parametrize("over", ["z", "2", ""])
def test_a_threshold_over_nothing_is_bad_input(capsys, over):
    code, out, err = run(capsys, "sharpest", "x <= c", "--over", over)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_a_budget_ends_in_an_honest_undecided(capsys):
    claim = ["x^y + y^x > 1", "--where", "x > 0", "--where", "y > 0"]
    code, out, _ = run(capsys, "check", *claim, "--budget", "1", "--format", "json")
    answer = json.loads(out)
    assert code == 1
    assert answer["verdict"] == "undecided"
    assert answer["method"]
    assert answer["seconds"] < 10
