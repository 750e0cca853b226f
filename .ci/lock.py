"""requirements.lock: the packages of constraints.txt, each with the digests of the files that may be installed.

pip takes digests from requirements alone, not from constraints, and not for a package that is installed in place. So
the lock is installed first (``pip install --require-hashes -r requirements.lock``) and this package after it, without
its dependencies (``pip install --no-deps -e .``); ``make locked`` does both.

    python .ci/lock.py write    download the packages that are not locked yet, for each Python that has all of them,
                                and write their digests beside those that are
    python .ci/lock.py check    say whether the lock and constraints.txt name the same versions
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK, CONSTRAINTS = ROOT / "requirements.lock", ROOT / "constraints.txt"
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTHONS = tuple(dict.fromkeys((HERE, "3.11", "3.12", "3.13")))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(path: Path) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {normal(name): version for name, version in found}


def locked() -> dict[tuple[str, str], set[str]]:
    """The digests in the lock, of the versions that constraints.txt still names."""
    wanted = pinned(CONSTRAINTS)
    entries = re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8")) if LOCK.exists() else []
    found = {}
    for entry in entries:
        pin = re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", entry)
        if pin and wanted.get(normal(pin[1])) == pin[2]:
            found[normal(pin[1]), pin[2]] = set(re.findall(r"sha256:([0-9a-f]{64})", entry))
    return found


def write() -> int:
    digests = locked()
    new = [f"{name}=={version}" for name, version in pinned(CONSTRAINTS).items() if (name, version) not in digests]
    for python in PYTHONS if new else ():
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", folder,
                 "--no-deps", *(() if python == HERE else ("--only-binary=:all:", "--python-version", python)),
                 *new],
                capture_output=True, text=True, check=False)
            if done.returncode:
                why = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
                print(f"not for Python {python}: {why}", file=sys.stderr)
                continue
            for path in Path(folder).iterdir():
                name, version = path.name.split("-")[:2]
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                digests.setdefault((normal(name), version), set()).add(digest)
    if not digests:
        return 1
    lines = ["# Written by `make lock`. Install with: pip install --require-hashes -r requirements.lock"]
    for (name, version), found in sorted(digests.items()):
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{d}" for d in sorted(found))]))
    LOCK.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return check()


def check() -> int:
    known, locked = pinned(CONSTRAINTS), pinned(LOCK)
    wrong = [f"{name} is {version} in the lock and {known[name]} in constraints.txt"
             for name, version in locked.items() if known.get(name, version) != version]
    wrong += [f"{name} is in only one of the two" for name in sorted(locked.keys() ^ known.keys())]
    entries = re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8").strip())
    wrong += [f"no digest: {e.split()[0]}" for e in entries if "==" in e and "--hash=sha256:" not in e]
    print("\n".join(wrong) or f"{len(locked)} packages, each with its digests, as in constraints.txt")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit({"write": write, "check": check}[sys.argv[1]]())
