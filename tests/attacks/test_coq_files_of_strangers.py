"""``symdp formal`` on what strangers send: nothing stored is believed, nothing is written through a link."""

import json

import pytest

from symdp.cli.app import main
from symdp.formal import compiling
from symdp.formal.compiling import check_all, digest, library_digest, written_all
from symdp.formal.export import exported, theorem_of
from symdp.formal.refusals import NotExportable
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import bound, member, number, variable
from symdp.search.certificates import document_of
from symdp.search.prove import check


@pytest.fixture
def certificate(tmp_path):
    def make(name, claim="exp(x) >= 1 + x", file="a.json"):
        path = tmp_path / file
        path.write_text(json.dumps(document_of(check(claim).formal, name)))
        return path
    return make


@pytest.fixture
def coq(monkeypatch):
    """A Coq that refuses everything, and counts; without a library."""
    calls = []

    def run(command, folder, budget):
        calls.append(folder)
        (folder / command[-1]).with_suffix(".vo").write_bytes(b"compiled")
        return 1, "", 'File "x.v", line 1:\nError: No.'

    monkeypatch.setattr(compiling, "_run", run)
    monkeypatch.setattr(compiling, "need_coq", lambda: None)
    return calls


def test_a_forged_seal_is_not_believed(certificate, coq, tmp_path):
    """Once a seal beside matching digests was enough to show anything as accepted by Coq."""
    found, out = exported(certificate("a")), tmp_path / "out"
    (row,) = check_all([found], out)
    assert not row.accepted
    assert len(coq) == 1
    seal = out / "claim_a.seal"
    said = json.loads(seal.read_text())
    forged = {**said, "result": {"accepted": True, "axioms": [], "seconds": 1, "message": "accepted by Coq"}}
    for text in (json.dumps(forged), json.dumps({**forged, "mark": None}), json.dumps({**forged, "mark": "0" * 64}),
                 "[1]", "{", "[" * 10_000, json.dumps({"mark": said["mark"]})):
        seal.write_text(text)
        assert not check_all([found], out)[0].accepted
    assert said["certificate"] == digest(found.file)
    assert said["library"] == library_digest()
    # ours is used again
    before = len(coq)
    assert not check_all([found], out)[0].accepted
    assert len(coq) == before


def test_coq_and_we_write_through_no_link_and_over_nobodys_file(certificate, coq, tmp_path):
    out, victim = tmp_path / "out", tmp_path / "victim"
    out.mkdir()
    victim.write_text("precious")
    for ending in ("vo", "seal", "glob", "vos", "vok"):
        (out / f"claim_a.{ending}").symlink_to(victim)
    check_all([exported(certificate("a"))], out)
    assert victim.read_text() == "precious"
    assert all(folder != out for folder in coq)
    for name in ("claim_b.v", "claim_c.v"):
        (out / name).write_text("Theorem mine : True.") if name == "claim_b.v" else (out / name).symlink_to(victim)
    rows = check_all([exported(certificate(n, file=f"{n}.json")) for n in "bc"], out)
    assert [row.rule for row in rows] == ["file", "file"]
    assert (out / "claim_b.v").read_text() == "Theorem mine : True."
    assert victim.read_text() == "precious"


SENTENCES = [
    "i. Abort. Theorem claim_a : True. Proof. exact I", "i. Admitted. (*", "i *) (*", 'i "', "i\n", "i i", "", "é",
    "1", "i. Unset Guard Checking", "i|-", None, 7, ["i"],
]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_name_in_a_step_is_no_sentence_of_coq(name):
    """The kernel takes any new name for an index. Written as it is, it ended our theorem, and put another one of that
    name in its place, which Coq accepted."""
    k = variable("k")
    claim = Each(number(1), k, Relation(number(0), "<=", k * k), "i")
    goal = Goal((("k", INTEGER),), (), claim)
    with pytest.raises((NotExportable, Rejected)) as refused:
        theorem_of("claim_a", goal, Step("each", {"name": name}, (Step("enclosure"),)))
    assert "name" in str(refused.value)


@pytest.mark.parametrize("name", SENTENCES[:-3])
@pytest.mark.parametrize("key", ["sorts", "given"])
@pytest.mark.parametrize("sort", ["real", "integer"])
def test_a_variable_of_what_is_shown_aside_is_no_sentence_of_coq(name, key, sort):
    """A goal within a proof has variables of its own, of which no formula has to speak."""
    fact = Relation(number(0), "<=", number(1))
    given = {"sorts": [], "given": [], "hypotheses": [], "claim": fact, "at": {}, "families": {},
             key: [[name, sort]], ("at" if key == "sorts" else "families"): {name: number(0)}}
    goal = Goal((("x", REAL),), (), fact)
    with pytest.raises((NotExportable, Rejected, IllFormed)):
        theorem_of("claim_a", goal, Step("aside", given, (Step("enclosure"), Step("assumption"))))


def test_a_family_of_which_nothing_speaks_is_any():
    """A piece of a proof is a theorem without the families around it; a goal aside may still have them."""
    fact, x = Relation(number(0), "<=", number(1)), variable("x")
    given = {"sorts": [["x", "real"]], "given": [["P", "real"]], "hypotheses": [], "claim": fact, "at": {"x": x},
             "families": {"P": member("P", bound(0))}}
    step = Step("aside", given, (Step("enclosure"), Step("assumption")))
    assert "(fun i => 0)" in theorem_of("claim_a", Goal((("x", REAL),), (), fact), step)
    assert "(fun i => P i)" in theorem_of("claim_a", Goal((("x", REAL),), (), fact, (("P", REAL),)), step)


def test_a_plain_name_in_a_step_is_one():
    k = variable("k")
    goal = Goal((("k", INTEGER),), (), Each(number(1), k, Relation(number(0), "<=", number(1)), "i"))
    assert "intros i h" in theorem_of("claim_a", goal, Step("each", {"name": "i"}, (Step("enclosure"),)))


@pytest.mark.parametrize("name", ["*)", "(*", '"', "(*)", "*", "**)", "*) Qed. (*", "\ud800", "\0", "\n*)\n"])
def test_what_a_certificate_is_called_stays_in_a_comment(certificate, name):
    found = exported(certificate(f"a {name} Axiom evil : False. {name}"))
    code, depth, place = "", 0, 0
    while place < len(found.text):  # Coq's comments are nested
        pair = found.text[place:place + 2]
        if pair in ("(*", "*)"):
            depth += 1 if pair == "(*" else -1
            place += 2
            continue
        code += "" if depth else found.text[place]
        place += 1
    assert depth == 0
    assert "evil :" not in code
    assert '"' not in found.text


def test_two_names_never_have_one_file(certificate, tmp_path):
    files = [exported(certificate(name, claim, f"{i}.json")) for i, (name, claim) in enumerate(
        [("α", "exp(x) >= x"), ("β", "exp(x) >= 1 + x"), ("a/b", "x^2 >= 0"), ("a_b", "x^4 >= 0"),
         ("n" * 9000, "x >= x")])]
    rows = written_all(files, tmp_path / "out")
    assert [row.rule for row in rows] == ["", "name", "", "name", ""]
    assert "exp(x) >= x for" in (tmp_path / "out" / "claim__.v").read_text()


def test_a_bad_file_spoils_no_other_and_a_name_says_nothing(certificate, tmp_path, capsys):
    certificate("kov/thm-3.1", "x^2 >= 0")
    document = json.loads((tmp_path / "a.json").read_text())
    terms = [["variable", "x"], *(["+", i, i] for i in range(190))]
    (tmp_path / "bomb.json").write_text(json.dumps({**document, "terms": terms}))
    (tmp_path / "name.json").write_text(json.dumps({**document, "name": ["a", {"b": 1}]}))
    (tmp_path / "none.json").write_text("{")
    with pytest.raises(SystemExit) as stop:
        main(["formal", *(str(tmp_path / f"{n}.json") for n in ("bomb", "none", "a", "name")),
              "--out", str(tmp_path / "out")])
    assert stop.value.code == 2
    lines = capsys.readouterr().out.splitlines()
    assert "bomb.json" in lines[0]
    assert "none.json" in lines[1]
    assert "kov/thm-3.1  said to be proved: x^2 >= 0 for every real x" in lines[2]
    assert lines[-1].startswith("total: 4, exported: 2")
