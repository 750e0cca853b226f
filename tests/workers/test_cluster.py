"""Work on executors: a dask cluster of real processes, threads, and workers that lie."""

import json
import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from difficult_work import once_killed, raises

import symdp
from symdp.audit.campaign import Options, audit_all, deliver
from symdp.audit.delivered import Delivered
from symdp.audit.record import path_of
from symdp.sources.problems import Problem
from symdp.sources.registry import claim
from symdp.watched import OutOfBounds
from symdp.workers.cluster import NoCluster, each_on, executor_of
from symdp.workers.processes import each

SUPPORT = str(Path(__file__).resolve().parent.parent / "support")
TRUE, FALSE = Problem("true", "exp(x) >= 1 + x"), Problem("false", "exp(x) >= 1 + x + x^2")
BROKEN = Problem("no", "x +")
WITH_LET = Problem("let", "sin(m) <= m", ("x >= 0",), ("m = x^2",))
PROBLEMS = [TRUE, FALSE, BROKEN, WITH_LET, *(Problem(f"p {n}", f"exp({n}*x) >= 1 + {n}*x") for n in range(2, 8))]
OPTIONS = Options(budget=5.0)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = SUPPORT
    try:
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                      silence_logs=50) as made:
            yield made
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@pytest.fixture
def address(cluster):
    return cluster.scheduler_address.replace("tcp://", "dask://")


def plain(records):
    """What must not depend on who did the work: all but how long it took, and where the certificate lies."""
    return [replace(r, data={**r.data, "seconds": 0, "certificate": None}) for r in records]


@pytest.mark.long
def test_a_cluster_finds_what_this_machine_finds(address, tmp_path):
    here = audit_all(PROBLEMS, OPTIONS)
    with executor_of(address) as executor:
        there = audit_all(PROBLEMS, replace(OPTIONS, out=tmp_path), executor=executor)
    assert plain(there) == plain(here)
    assert [r.verdict for r in there[:4]] == ["proved", "refuted", "error", "proved"]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        path_of(tmp_path, p.name).name for p in PROBLEMS if p is not BROKEN)


@pytest.mark.long
def test_claims_of_the_literature_travel_as_ids_and_what_is_in_words_stays_here(address, tmp_path):
    claims = [claim("kov/thm-3.1"), claim("kov/sec-5.prior-work"), claim("kov/sec-1.log-gain")]
    with executor_of(address) as executor:
        first = audit_all(claims, replace(OPTIONS, out=tmp_path), executor=executor)
    assert [r.verdict for r in first] == ["proved", "cited", "refuted"]
    assert plain(first) == plain(audit_all(claims, OPTIONS))

    class Nobody(Executor):
        def submit(self, *given, **named):
            raise AssertionError("what is known is not asked again")

    again = audit_all(claims, replace(OPTIONS, out=tmp_path, fresh=False), executor=Nobody())
    assert plain(again) == plain(first)


@pytest.mark.long
def test_a_worker_that_dies_in_the_middle_loses_no_claim(cluster, address, tmp_path):
    with executor_of(address) as executor:
        victim = next(iter(cluster.workers.values()))
        threading.Timer(1.0, lambda: os.kill(victim.process.pid, signal.SIGKILL)).start()
        many = [Problem(f"n {n}", f"cosh({n}*x) >= 1 + {n}^2*x^2/2") for n in range(1, 13)]
        records = audit_all(many, replace(OPTIONS, out=tmp_path), executor=executor)
    assert {r.verdict for r in records} == {"proved"}


@pytest.mark.long
def test_work_that_kills_its_process_or_raises_is_one_line_and_the_others_go_on(address, tmp_path):
    items = {text: (str(tmp_path / "mark"), text) for text in ("once", "never", "always")}
    with executor_of(address) as executor:
        found = dict(each_on(executor, once_killed, items))
        raised = dict(each_on(executor, raises, {"good": ("good",), "bad": ("bad",)}))
    assert (found["once"], found["never"], raised["good"]) == ("once", "never", "good")
    assert isinstance(found["always"], OutOfBounds)
    assert str(raised["bad"]) == "it raised ZeroDivisionError: over and out"
    assert str(dict(each(raises, [("bad",)], 1))[0]) == str(raised["bad"])


@pytest.mark.long
def test_threads_are_safe_since_each_has_a_process(tmp_path):
    with ThreadPoolExecutor(2) as threads:
        there = audit_all(PROBLEMS[:4], replace(OPTIONS, out=tmp_path), executor=threads)
    assert plain(there) == plain(audit_all(PROBLEMS[:4], OPTIONS))


def test_what_is_no_cluster_is_one_line(symdp, address):
    for wrong in ("foo", "dask://", "dask://host", "dask://a b:1", "tcp://localhost:8786"):
        code, _, err = symdp("check", "x >= x", "--executor", wrong)
        assert (code, err.count("\n")) == (2, 1)
        assert "write dask://host:port" in err


def test_a_cluster_without_workers_or_with_another_version_is_refused(address, monkeypatch):
    monkeypatch.setattr(symdp, "__version__", "9.9")
    with pytest.raises(NoCluster, match=r"and this is 9\.9"), executor_of(address):
        pass


# --- workers that lie -------------------------------------------------------------------------------


class Liar(Executor):
    """Sends what it likes, whatever it is asked for."""

    def __init__(self, lie):
        self.lie = lie

    def submit(self, fn, work, given, *named, **more):
        future = Future()
        future.set_result(self.lie(*given))
        return future


def honest(problem):
    return deliver(problem, OPTIONS)


def saying(verdict, name, certificate):
    record = honest(TRUE).record
    return Delivered(replace(record, name=name, data={**record.data, "verdict": verdict}), certificate)


LIES = {
    "another claim's proof": lambda item, options: saying("proved", item.name, honest(TRUE).certificate),
    "a refutation called a proof": lambda item, options: saying("proved", item.name, honest(FALSE).certificate),
    "no certificate": lambda item, options: saying("proved", item.name, None),
    "words": lambda item, options: saying("argued", item.name, None),
    "noise": lambda item, options: saying("proved", item.name, b'{"format": '),
    "a later format": lambda item, options: saying("proved", item.name, json.dumps({"format": 99}).encode()),
    "another record": lambda item, options: honest(TRUE),
    "a record alone": lambda item, options: saying("proved", item.name, None).record,
    "something else": lambda item, options: "proved",
}


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_of_a_worker_makes_a_false_claim_proved(lie, tmp_path):
    records = audit_all([FALSE], replace(OPTIONS, out=tmp_path), executor=Liar(LIES[lie]))
    assert records[0].verdict in ("error", "refuted")  # refuted: it was settled here
    assert records[0].verdict == "refuted" or not list(tmp_path.glob("*.json"))


def test_what_a_worker_says_of_its_trust_is_what_the_kernel_found():
    def lie(item, options):
        sent = honest(item)
        return replace(sent, record=replace(sent.record, claim="1 = 2", data={
            **sent.record.data, "trust": ["cited: me"], "rules": ["none"], "witness": {"x": "7"}}))

    (record,) = audit_all([TRUE], OPTIONS, executor=Liar(lie))
    (local,) = audit_all([TRUE], OPTIONS)
    assert plain([record]) == plain([local])


def test_the_lost_cluster_ends_in_errors_and_not_in_a_hang(monkeypatch):
    class Silent(Executor):
        def submit(self, *given, **named):
            future = Future()
            threading.Timer(0.2, future.cancel).start()
            return future

    begun = time.monotonic()
    (record,) = audit_all([TRUE], OPTIONS, executor=Silent())
    assert record.verdict == "error"
    assert time.monotonic() - begun < 60
