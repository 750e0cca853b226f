"""Ask one library about many compositions: a program that runs in the environment of that library.

    python asking.py ADAPTER.py < question.json

The question is ``{"seconds": S, "cases": [...]}``. An adapter is a file with the name of its ``DISTRIBUTION`` and a
function ``ways(case)`` that yields, for each way in which the library can answer, its name, the call as a person
would write it, and a function that makes it; ``prepare()``, if there is one, is called first.
Answers come as one JSON document in each line, the first of them the version.
"""

from __future__ import annotations

import importlib.util
import json
import signal
import sys
import time
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import Any


class TooLong(Exception):
    """The answer did not come in time."""


def stop(*_: object) -> None:
    raise TooLong


def answer(call: Any, seconds: int) -> dict[str, Any]:
    """The number, or why there is none."""
    start = time.perf_counter()
    signal.alarm(seconds)
    try:
        found = {"returned": repr(float(call()))}
    except TooLong:
        found = {"error": f"no answer within {seconds} s"}
    except BaseException as reason:  # whatever a library of others throws is its answer
        found = {"error": f"{type(reason).__name__}: {reason}"[:200].replace("\n", " ")}
    finally:
        signal.alarm(0)
    return {**found, "seconds": time.perf_counter() - start}


def main() -> None:
    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    spec = importlib.util.spec_from_file_location("adapter", sys.argv[1])
    if spec is None or spec.loader is None:
        raise SystemExit(f"{sys.argv[1]} cannot be read")
    adapter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(adapter)

    def say(document: dict[str, Any]) -> None:
        print(json.dumps(document), file=out, flush=True)

    try:
        say({"version": version(adapter.DISTRIBUTION)})
    except PackageNotFoundError:
        say({"version": None})
        return
    getattr(adapter, "prepare", lambda: None)()  # what takes long to load is loaded before the clock starts
    signal.signal(signal.SIGALRM, stop)
    question = json.load(sys.stdin)
    for case in question["cases"]:
        for way, text, call in adapter.ways(case):
            say({"case": case["name"], "way": way, "call": text, **answer(call, question["seconds"])})
        say({"case": case["name"], "done": True})


if __name__ == "__main__":
    main()
