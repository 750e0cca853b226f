"""Papers whose relations are searched for by the workers of a cluster, and by workers that lie."""

from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path

import pytest

from symdp.arguments.derivations import obligations
from symdp.papers.elsewhere import Sent, judged_there
from symdp.papers.lint import lint
from symdp.workers.cluster import executor_of

PAPER = r"""Let $x > 0$. Then
\[ x \le x + 1 < e^x + x . \]
Moreover, \[ e^x \le 1 + x . \]
Also $y \le 1$.
"""


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "paper.tex"
    path.write_text(PAPER)
    return path


def plain(findings):
    return [replace(f, seconds=0.0, certificate=None) for f in findings]


class Liar(Executor):
    """Sends what it likes, whatever it is asked for."""

    def __init__(self, lie):
        self.lie = lie

    def submit(self, fn, work, given, *named, **more):
        future = Future()
        future.set_result(self.lie(*given))
        return future


@pytest.mark.long
def test_a_cluster_finds_what_this_machine_finds(paper, tmp_path):
    distributed = pytest.importorskip("distributed")
    here = list(lint([paper]))
    assert {"proved", "refuted"} <= {f.verdict for f in here}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  silence_logs=50) as cluster, \
            executor_of(cluster.scheduler_address.replace("tcp://", "dask://")) as executor:
        there = list(lint([paper], executor=executor, out=tmp_path / "out"))
    assert plain(there) == plain(here)
    settled = [f for f in there if f.verdict in ("proved", "refuted")]
    assert all(f.certificate and Path(f.certificate).exists() for f in settled)


def test_certificates_are_used_in_place_of_a_search(tmp_path, monkeypatch):
    path = tmp_path / "paper.tex"
    path.write_text("Let $x > 0$. Then $$1 + x < e^x.$$")
    asked = []
    inner = obligations.decide_relation
    monkeypatch.setattr(obligations, "decide_relation", lambda r, *a, **n: (asked.append(r), inner(r, *a, **n))[1])

    def honest(work, budget, memory):
        sent = judged_there(work, budget, None)
        assert asked
        asked.clear()
        return sent

    assert [f.verdict for f in lint([path], memory=None, executor=Liar(honest))][-1] == "proved"
    assert asked == []


def saying(verdict, work, certificates):
    return Sent(tuple(replace(f, verdict=verdict, witness=None) for f in work.findings), certificates)


def others(work):
    """The certificates of a worker, each under the digest of another goal."""
    found = judged_there(work, 2.0, None).certificates
    return dict(zip(found, [*list(found.values())[1:], '{"format": '], strict=True))


LIES = {
    "all is proved": lambda work, *_: saying("proved", work, {}),
    "all is refuted": lambda work, *_: saying("refuted", work, {}),
    "all is argued": lambda work, *_: saying("argued", work, {}),
    "other proofs": lambda work, *_: saying("proved", work, others(work)),
    "too few": lambda work, *_: Sent((), {}),
    "no texts": lambda work, *_: saying("proved", work, {1: 2}),
    "something else": lambda *_: "proved",
}


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_of_a_worker_changes_a_verdict(lie, paper):
    assert plain(lint([paper], executor=Liar(LIES[lie]))) == plain(lint([paper]))


def test_what_a_worker_leaves_open_is_open_and_not_kept(paper):
    class Kept:
        def recall(self, work, budget):
            return None

        def remember(self, work, budget, findings):
            raise AssertionError("the word of a worker is not kept")

    found = list(lint([paper], kept=Kept(), executor=Liar(lambda work, *_: saying("undecided", work, {}))))
    assert not {"proved", "refuted", "argued", "gap"} & {f.verdict for f in found}
