"""Certificates survive the journey; whatever is changed on the way is noticed."""

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from symdp.proving.certificate import (
    BadCertificate,
    certificate_of,
    decode,
    read_certificate,
    recheck,
)
from sympy import Integer, exp

from symdp.auditing.rechecking import certificates_in, recheck_file
from symdp.domain import Domain
from symdp.notation import x
from symdp.parsing import parse_conditions, parse_relation
from symdp.proving import check
from symdp.proving.kernel import Goal, Proof, Step, Witness, verify

#: Claims whose proofs use every rule that the search uses, by name of the rule looked for.
CLAIMS = {
    "enclosure": ("exp(-x) > 0", []),
    "split": ("exp(-x)*sin(x) <= 2/5", ["x >= 0"]),
    "paving": ("x*exp(-x) <= 2/5", ["1/10 <= x <= 3"]),
    "identity": ("tanh(x/2) == (exp(x)-1)/(exp(x)+1)", []),
    "algebraic": (
        "eps^2/(4*l+4*eps) + sqrt(4*eps^2/(4*l+4*eps)*l) <= eps", ["eps > 0", "l > 0"],
    ),
    "lemma": ("exp(x) >= 1 + x", []),
    "combine": ("eps*tanh(eps/2) <= eps^2/2", ["eps >= 0"]),
    "increasing": ("cosh(x) <= exp(x^2/2)", []),
    "convex": ("(1+x)^r >= 1+r*x", ["x >= -1", "r >= 1"]),
    "concave": ("tanh(x/2) >= 0.4621*x", ["0 <= x <= 1"]),
    "monotone": ("log(x/y)/2 > (x-y)/(x+y)", ["y > 0", "x > y"]),
    "substitute": ("log(x/y)/2 > (x-y)/(x+y)", ["y > 0", "x > y"]),
    "cut": ("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ["0 <= p <= 1"]),
    "cases": ("abs(log(1+x)-x) <= x^2", ["x >= 0"]),
    "every": ("x - 1 <= min(x, x + y^2)", []),
    "some": ("min(x, y) <= x + 1", []),
    "weaken": ("1-(1-d)^k <= k*d", ["0 <= d <= 1", "k >= 1"]),
}


def rules_of(step: Step) -> set[str]:
    found, stack = set(), [step]
    while stack:
        s = stack.pop()
        found.add(s.rule)
        stack.extend(s.premises)
    return found


@pytest.fixture(scope="module")
def documents():
    made = {}
    for rule, (claim, where) in CLAIMS.items():
        verdict = check(claim, where, integer=["k"] if rule == "weaken" else [], budget=20)
        assert verdict, (claim, str(verdict))
        made[rule] = json.loads(json.dumps(certificate_of(verdict.proof, rule)))
    return made


def test_every_certificate_is_accepted(documents):
    for document in documents.values():
        assert isinstance(recheck(document), Proof)


def test_the_proofs_use_the_rules_that_they_stand_for(documents):
    used = {row["rule"] for document in documents.values() for row in document["steps"]}
    assert used >= set(CLAIMS)


def test_a_witness_is_accepted_and_a_changed_one_is_not():
    verdict = check("exp(x) <= 1+x+x^2/2", ["x >= 0"])
    document = certificate_of(verdict.witness)
    assert isinstance(recheck(document), Witness)
    for value in ("0", "-1", "1/0", "pi", "2^", 3, None):
        with pytest.raises(BadCertificate):
            recheck({**document, "witness": {"x": value}})


def rejected(document) -> bool:
    try:
        recheck(document)
    except BadCertificate:
        return True
    return False


def redigested(document):
    """As a forger would do it: the digest is made to fit the changed claim."""
    from symdp.proving.certificate import _digest

    return {**document, "digest": _digest(document)}


@pytest.mark.parametrize("rule", [r for r in CLAIMS if r not in ("enclosure", "identity")])
def test_a_changed_statement_is_rejected(documents, rule):
    document = documents[rule]
    assert rejected({**document, "claim": document["claim"].replace("<", "<= 0 -").replace("=", "")})
    assert rejected({**document, "where": []}) or not document["where"]
    left, op, right = document["claim"].partition(" <= " if " <= " in document["claim"] else " < ")
    swapped = redigested({**document, "claim": f"{right}{op}{left} - 1/7"})
    assert rejected(swapped)


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_a_dropped_leaf_is_rejected(documents, rule):
    document = copy.deepcopy(documents[rule])
    if len(document["steps"]) == 1:
        document["steps"] = []
    else:
        parent = next(s for s in document["steps"] if s["premises"])
        parent["premises"] = parent["premises"][:-1]
    assert rejected(document)


def test_a_dropped_piece_of_a_paving_is_rejected(documents):
    document = copy.deepcopy(documents["paving"])
    cuts = document["steps"][-1]["parameters"]["cuts"]
    assert cuts.count(-1) > 2
    del cuts[cuts.index(-1)]
    assert rejected(document)


@pytest.mark.parametrize("rule", list(CLAIMS))
def test_a_lemma_that_does_not_exist_is_rejected(documents, rule):
    document = copy.deepcopy(documents[rule])
    document["steps"][-1] = {"rule": "lemma", "parameters": {"name": "wishful", "at": []}, "premises": []}
    document["steps"] = document["steps"][-1:]
    assert rejected(document)
    document["steps"][-1]["rule"] = "no-such-rule"
    assert rejected(document)


def mutate(document, old, new):
    """Replace text inside the parameters of the steps."""
    steps = json.loads(json.dumps(document["steps"]).replace(old, new))
    return {**document, "steps": steps}


def test_a_widened_box_is_rejected(documents):
    wide = {**documents["paving"], "where": ["x >= 1/10", "x <= 300"]}
    assert rejected(wide)
    assert rejected(redigested({**wide, "claim": "x*exp(-x) <= 1/5"}))


def by_factors():
    """x*(exp(x) - 1) >= 0 on x >= 0, as a product of two factors."""
    domain = Domain.of(parse_conditions("x >= 0"))
    goal = Goal.of(parse_relation("x*(exp(x) - 1) >= 0"), domain)
    factors = [(x, 1, ">="), (exp(x) - 1, 1, ">=")]
    step = Step("combine", {"terms": [(Integer(1), factors)]}, (Step("enclosure"), Step("enclosure")))
    return json.loads(json.dumps(certificate_of(verify(goal, step))))


def test_a_swapped_sign_is_rejected(documents):
    product = by_factors()
    assert not rejected(product)
    assert rejected(mutate(product, '">="', '""'))
    assert rejected(mutate(product, '{"e": "exp(x) - 1"}', '{"e": "1 - exp(x)"}'))
    assert rejected(mutate(product, '{"e": "1"}', '{"e": "-1"}'))
    assert rejected(mutate(documents["increasing"], '"log"', '"sqrt"'))
    assert rejected(mutate(documents["convex"], '{"e": "0"}', '{"e": "1"}'))
    assert rejected(mutate(documents["monotone"], '"lower"', '"upper"'))
    assert rejected(mutate(documents["cut"], '">"', '"<"'))


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"format": 1}, {"format": 2, "steps": []}, {"format": 1, "steps": [], "witness": {}},
     {"format": 1, "claim": "x <= 1", "where": 3, "variables": [], "integer": [], "steps": []}],
)
def test_what_is_no_certificate_is_rejected(document):
    with pytest.raises(BadCertificate):
        recheck(document)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_damage_never_crashes_and_never_changes_what_is_proved(documents, rng):
    """Whatever is still accepted after damage to the steps proves the same statement."""
    document = copy.deepcopy(documents[rng.choice(sorted(documents))])
    target = rng.choice(document["steps"])
    kind = rng.randrange(5)
    if kind == 0:
        target["rule"] = rng.choice(sorted(CLAIMS))
    elif kind == 1 and target["parameters"]:
        key = rng.choice(sorted(target["parameters"]))
        target["parameters"][key] = rng.choice([None, -1, "x", [], {}, {"e": "x"}, {"e": "1/0"}, 10**30])
    elif kind == 2:
        target["premises"] = [rng.randrange(-2, len(document["steps"]) + 2)]
    elif kind == 3:
        rng.shuffle(document["steps"])
    else:
        del target[rng.choice(sorted(target))]
    try:
        found = recheck(document)
    except BadCertificate:
        return
    assert str(found.goal) == str(recheck(documents[document["name"]]).goal)


def test_files_are_rechecked_and_bad_ones_named(tmp_path, documents):
    (tmp_path / "good.json").write_text(json.dumps(documents["split"]))
    bad = {**documents["split"], "claim": "x*exp(-x) <= 1/5"}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    accepted = {p.name: recheck_file(p).accepted for p in certificates_in([tmp_path])}
    assert accepted == {"good.json": True, "bad.json": False}
    (tmp_path / "noise.json").write_text("{" * 100_000)
    with pytest.raises(BadCertificate, match="not JSON"):
        recheck_file(tmp_path / "noise.json")
    with pytest.raises(BadCertificate, match="does not exist"):
        certificates_in([tmp_path / "absent.json"])


def test_a_claim_of_the_literature_that_changed_makes_its_certificate_out_of_date(tmp_path, documents):
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**documents["combine"], "name": "kov/sec-7.alon-spencer"}))
    row = recheck_file(path)
    assert not row.accepted
    assert "out of date" in row.reason


@pytest.mark.parametrize("tree", [
    ["exp", ["Mul", "1000000000/1", ["log", "2/1"]]],
    ["Pow", ["Mul", "2/1", {"v": "x"}], "1000000000/1"],
    ["Pow", ["Pow", "10/1", "4000/1"], ["Pow", "10/1", "4000/1"]],
    ["gamma", ["Add", "1000000000/1", "1/2"]],
    ["binomial", "1000000000/1", "500000000/1"],
    ["Mul", *[["Pow", "3/1", "6000/1"]] * 999],
], ids=lambda tree: tree[0])
def test_a_tree_that_would_not_fit_into_the_memory_is_refused(tree):
    with pytest.raises(BadCertificate, match="too large"):
        decode({"tree": tree})


@pytest.mark.parametrize("tree", ["1/0", ["Pow", "0/1", "-1/1"], ["Pow", "-1/1", "1/2"], ["log", "0/1"]])
def test_a_tree_that_is_no_real_number_is_refused(tree):
    with pytest.raises(BadCertificate):
        decode({"tree": tree})


def test_a_key_that_is_given_twice_is_refused(tmp_path):
    path = tmp_path / "twice.json"
    document = certificate_of(check("exp(x) >= 1+x").proof)
    path.write_text('{"claim": "exp(x) >= 2+x", ' + json.dumps(document)[1:])
    with pytest.raises(BadCertificate, match="given twice"):
        read_certificate(path)


@pytest.mark.parametrize("poison", ["NaN", "Infinity", "1e400", "9" * 5000])
def test_numbers_that_are_none_are_refused(tmp_path, poison):
    path = tmp_path / "poison.json"
    document = certificate_of(check("exp(x) >= 1+x").proof)
    text = json.dumps(document).replace('"premises": []', f'"premises": [{poison}]')
    assert poison in text
    path.write_text(text)
    with pytest.raises(BadCertificate):
        recheck(read_certificate(path))
