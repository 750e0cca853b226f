"""Known vulnerabilities of the packages in requirements.lock, as PyPI lists them for each version.

Where PyPI cannot be asked, or its answer has no such list, nothing is known, and that is what is said: no data is not
the same as no vulnerability.

    python .ci/vulnerabilities.py     exit code 0: all answered for, none known; 1: some are known; 2: no data on some
"""

import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"
ADDRESS = "https://pypi.org/pypi/{name}/{version}/json"
SECONDS, LARGEST = 30, 20_000_000


def pinned(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE)


def answer_of(name: str, version: str) -> object:
    with urllib.request.urlopen(ADDRESS.format(name=name, version=version), timeout=SECONDS) as answer:
        return json.loads(answer.read(LARGEST))


def known(name: str, version: str, ask: Callable[[str, str], object] = answer_of) -> list[str] | None:
    """The vulnerabilities of one version, in words; None if there is no telling."""
    try:
        answer = ask(name, version)
    except (OSError, ValueError, urllib.error.URLError):
        return None
    listed = answer.get("vulnerabilities") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        return None
    return [f"{name} {version}: {_words(v)}" for v in listed if isinstance(v, dict) and not v.get("withdrawn")]


def _words(found: dict[str, object]) -> str:
    fixed = found.get("fixed_in")
    where = ", ".join(map(str, fixed)) if isinstance(fixed, list) and fixed else "no version yet"
    about = " ".join(str(found.get("summary") or found.get("details") or "").split())[:100]
    return f"{found.get('id')} {about} (mended in {where})"


def main(text: str, ask: Callable[[str, str], object] = answer_of) -> int:
    pins = pinned(text)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pin: known(*pin, ask), pins))
    for line in (line for listed in found for line in listed or ()):
        print(line)
    silent = [f"{name} {version}" for (name, version), listed in zip(pins, found, strict=True) if listed is None]
    count = sum(len(listed or ()) for listed in found)
    print(f"{len(pins) - len(silent)} of {len(pins)} packages answered for, {count} vulnerabilities known")
    if silent:
        print(f"no data on {len(silent)}: {', '.join([*silent[:5], '...'][:len(silent)])}", file=sys.stderr)
    return 1 if count else 2 if silent else 0


if __name__ == "__main__":
    sys.exit(main(LOCK.read_text(encoding="utf-8")))
