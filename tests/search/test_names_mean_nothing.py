"""A claim is proved, refuted or open whatever its variables are called: each other's names, or ours."""

import re
from itertools import cycle, islice

import pytest
from places import SHARED
from sympy import exp

from symdp.arguments.derivations.standing import Standing
from symdp.arguments.guarantees.search import decide_guarantee
from symdp.formulas.notation import symbol
from symdp.formulas.relation import ge, gt, le
from symdp.numbers.domain import Domain
from symdp.search.prove import check, pose
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.problems import Problem, read_problems
from symdp.sources.statement import Guarantee
from symdp.sources.subject import AnyPrivate

#: Names that the toolkit uses itself: symbols of statements, indices, new variables of the search, functions.
OURS = ["eps_total", "square_sum", "loss_sum", "i", "j", "k", "w", "t", "s", "line_0", "place_", "e_1", "x_1",
        "sum_", "gamma", "t1", "z", "survival", "l", "n", "shown_0_", "power_1", "delta", "mean_sum"]
PRACTICE = SHARED / "problems.toml"

#: (claim, where, integer, verdict): what is settled soon
CLAIMS = [
    ("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ["0 <= p <= 1"], [], "proved"),
    ("1-(1-d)^k <= k*d", ["0 <= d <= 1", "k >= 1"], ["k"], "proved"),
    ("log(x/y)/2 > (x-y)/(x+y)", ["y > 0", "x > y"], [], "proved"),
    ("x*y <= exp(x-1) + y*log(y)", ["y > 0"], [], "proved"),
    ("(x+y)^2 == x^2+2*x*y+y^2", [], [], "proved"),
    ("min(x, y) <= (x + y)/2", ["x >= 0", "y >= 0"], [], "proved"),
    ("x + y >= 2", ["x*y == 1", "x > 0", "y > 0"], [], "proved"),
    ("k*(d/(2*k)) + d/sqrt(2) <= d", ["0 < d <= 1", "k >= 1"], ["k"], "refuted"),
    ("x*y <= 1", ["x > y", "0 <= y <= 1"], [], "refuted"),
    ("p*exp(x)+(1-p)*exp(-x) <= (2*p-1)*x + x^2/2", ["1/2 <= p <= 1"], [], "refuted"),
]


def names_in(problem: Problem) -> list[str]:
    """The variables, and the names that are defined."""
    goal = pose(problem.claim, problem.where, let=problem.let, integer=problem.integer).goal
    defined = [text.partition("=")[0].strip() for text in problem.let]
    return [*goal.variables, *defined]


def renamed(problem: Problem, names: dict[str, str]) -> Problem:
    """All names at once, so that they may change places."""
    pattern = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

    def swap(text: str) -> str:
        return pattern.sub(lambda m: names.get(m.group(), m.group()), text)

    return Problem(problem.name, swap(problem.claim), *(tuple(map(swap, texts)) for texts in (
        problem.where, problem.let, problem.integer)))


def renamings(problem: Problem, shift: int) -> list[dict[str, str]]:
    """To each other, and to names of ours from some place on."""
    own = names_in(problem)
    ours = islice((n for n in cycle(OURS)), shift, shift + len(own))
    return [dict(zip(own, [*own[1:], own[0]], strict=True)), dict(zip(own, ours, strict=True))]


def verdict_of(problem: Problem, budget: float) -> str:
    found = check(problem.claim, problem.where, let=problem.let, integer=problem.integer, budget=budget)
    return found.status.value


@pytest.mark.long
@pytest.mark.parametrize(("shift", "claim", "where", "integer", "verdict"),
                         [(i, *row) for i, row in enumerate(CLAIMS)], ids=[row[0] for row in CLAIMS])
def test_a_verdict_does_not_depend_on_names(shift, claim, where, integer, verdict):
    problem = Problem("", claim, tuple(where), (), tuple(integer))
    for names in ({}, *renamings(problem, 5 * shift), *renamings(problem, 5 * shift + 13)[1:]):
        assert verdict_of(renamed(problem, names), 20) == verdict, names


@pytest.mark.parametrize("name", OURS)
def test_one_variable_may_have_any_of_our_names(name):
    tangent = Problem("", "exp(q) >= 1 + q", (), (), ())
    assert verdict_of(renamed(tangent, {"q": name}), 5) == "proved"
    assert verdict_of(Problem("", f"{name}^2 <= {name}", (f"0 <= {name} <= 1",)), 5) == "proved"
    assert verdict_of(Problem("", f"{name}^2 < {name}", (f"0 <= {name} <= 1",)), 5) == "refuted"
    assert verdict_of(Problem("", f"m + {name} == 2*{name}", (), (f"m = {name}",)), 5) == "proved"


def test_what_has_a_meaning_of_its_own_is_no_variable():
    """It is refused when it is read, so that it never means two things; gamma alone is a letter as well."""
    for name in ("exp", "Phi", "binomial", "pi", "e"):
        with pytest.raises(ValueError, match=name):
            check("m >= 0", let=[f"{name} = x"], where=[])
    assert check("gamma(gamma) > 0", ["gamma > 0"], budget=5)
    assert check("gamma*x <= (gamma^2 + x^2)/2", budget=5)


def test_an_index_of_ours_is_a_variable_like_any_other():
    assert check("i*j <= (i^2 + j^2)/2", integer=["i", "j"], budget=5)
    assert check("t*s <= (t^2 + s^2)/2", budget=5)
    assert check("t1 + t2 >= 2*sqrt(t1*t2)", ["t1 > 0", "t2 > 0"], budget=5)


@pytest.mark.long
@pytest.mark.skipif(not PRACTICE.exists(), reason="the practice problems are not here")
@pytest.mark.parametrize("place", range(24))
def test_practice_problems_with_other_names(place):
    problem = read_problems(PRACTICE)[place]
    expected = verdict_of(problem, 20)
    assert expected in ("proved", "refuted")
    for names in renamings(problem, place):
        assert verdict_of(renamed(problem, names), 20) == expected, names


# --- guarantees and derivations -------------------------------------------------------------------

#: eps, delta, k and slack change places, and get names of ours that guarantees and derivations use inside.
QUARTETS = [("eps", "delta", "k", "slack"), ("delta", "eps", "slack", "k"), ("k", "slack", "eps", "delta"),
            ("square_sum", "survival", "i", "loss_sum"), ("eps_total", "mean_sum", "l", "t"),
            ("line_0", "shown_0_", "n", "power_1")]


@pytest.mark.long
@pytest.mark.parametrize("names", QUARTETS, ids=" ".join)
def test_a_guarantee_does_not_depend_on_names(names):
    e, d, n, s = map(symbol, names)
    where = Domain.of([gt(e, 0), ge(d, 0), le(d, 1), ge(n, 1), gt(s, 0), le(s, 1)], [n])
    for epsilon, delta, verdict in ((n * e, n * d + s, "proved"), (n * e / 2, n * d, "refuted")):
        guarantee = Guarantee.of(AnyPrivate(e, d), n, epsilon, delta, where)
        assert decide_guarantee(guarantee, budget=10).status.value == verdict, (epsilon, delta)


@pytest.mark.parametrize("names", QUARTETS, ids=" ".join)
def test_a_derivation_does_not_depend_on_names(names):
    e, d, n, s = map(symbol, names)

    def chain(last):
        return (Derivation("", where=[gt(e, 0), gt(d, 0), le(d, 1), ge(n, 1)], integer=[n])
                .lemma("tangent", ge(exp(s), 1 + s))
                .let("m", n * e)
                .start(1 + n * e * d).le(1 + n * e).le(exp(n * e), by=use("tangent", **{names[3]: n * e})).le(last))

    assert chain(exp(2 * n * e)).check(budget=5).standing is Standing.PROVED
    report = chain(exp(n * e / 2)).check(budget=5)
    assert [line.number for line in report.lines if line.blamed] == [str(len(report.lines))]
