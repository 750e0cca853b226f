"""`%load_ext symdp` in a real IPython shell."""

import pytest
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def shell():
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "symdp")
    yield shell
    InteractiveShell.clear_instance()


def run(shell, cell):
    found = shell.run_cell(cell)
    found.raise_error()
    return found.result


def test_a_claim_is_settled_in_a_line(shell):
    assert run(shell, "%check exp(x) >= 1 + x").status.value == "proved"
    assert run(shell, "%check x^2 >= x --where 'x > 0'").status.value == "refuted"
    assert run(shell, "%check n >= 1 --where 'n > 0' --integer n").status.value == "proved"
    assert run(shell, "%check m <= 1 --where '0 <= x <= 2' --let 'm = x/2'").status.value == "proved"


def test_a_derivation_is_a_cell(shell):
    right = r"""%%derive --budget 5
assume: x \ge 0
\begin{align}
  1 + x &\le e^{x} \\
        &< 2 e^{x}
\end{align}
"""
    assert run(shell, right)
    wrong = right.replace("2 e^{x}", r"\tfrac12 e^{x}")
    assert not run(shell, wrong)


def test_what_is_wrong_is_said_in_a_line(shell, capsys):
    for cell, said in (("%check", "give a claim"), ("%check x <= 1 --were 'x > 0'", "unrecognized"),
                       ("%check x <= 1 --budget soon", "budget")):
        found = shell.run_cell(cell)
        assert found.error_in_exec is not None
        assert said in str(found.error_in_exec)
