r"""Folders of one's own: read as packages, and whatever is broken in them is one line each.

Theorems and mechanisms of a user lie in plain folders, which the environment variable ``SYMDP_LITERATURE`` names
(several with the separator of ``PATH`` between them), or ``symdp --literature DIR``. The files of a folder may
import each other, relatively (``from .definitions import mine``) or by name (``from definitions import mine``). One
that cannot be read is left out, and a :class:`BrokenFile` says where, why, and what mends it.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "first.py").write_text("answer = 42\n")
>>> _ = (folder / "second.py").write_text("from first import answer\nfrom . import first\n")
>>> _ = (folder / "third.py").write_text("def broken(:\n")
>>> with warnings.catch_warnings(record=True) as warned:
...     found = read(folder)
>>> len(warned)
1
>>> [(file.path.name, file.module.answer) for file in found.files if hasattr(file.module, "answer")]
[('first.py', 42), ('second.py', 42)]
>>> [str(broken).removeprefix(f"{folder}/") for broken in found.broken]
['third.py:1: invalid syntax; mend that line']
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

FOLDERS = "SYMDP_LITERATURE"


class BrokenFile(UserWarning):
    """A file of the user's that is left out: where the fault is, what it is, and what mends it."""

    def __init__(self, path: Path, line: int, what: str, cure: str) -> None:
        super().__init__(path, line, what, cure)
        self.path, self.line, self.what, self.cure = path, line, what, cure

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}; {self.cure}"


@dataclass(frozen=True)
class File:
    """A file that was read, and the module that it is."""

    path: Path
    module: ModuleType

    def line_of(self, name: str) -> int | None:
        """Where the file assigns that name; None if it comes from elsewhere."""
        return _assignments(self.path).get(name)


@dataclass(frozen=True)
class FolderContents:
    """What lies in a folder."""

    files: tuple[File, ...]
    broken: tuple[BrokenFile, ...]


def own() -> tuple[Path, ...]:
    """The folders that the user named."""
    return tuple(Path(name).expanduser().absolute()
                 for name in os.environ.get(FOLDERS, "").split(os.pathsep) if name)


@cache
def read(folder: Path) -> FolderContents:
    """The files of a folder, its subfolders included, as modules of one package; no tests or notebooks.

    What is broken is left out, and warned of, once.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder; {FOLDERS} and --literature name folders of statements")
    package = _package_of(folder)
    files, broken = [], []
    with _by_name(folder, package):
        for path in _paths(folder):
            inside = path.relative_to(folder).with_suffix("").parts
            odd = [part for part in inside if "." in part]
            try:
                if odd:
                    raise ImportError(f"a file called {path.name} cannot be imported")
                names = inside[:-1] if inside[-1] == "__init__" else inside
                files.append(File(path, import_module(".".join((package, *names)))))
            except (Exception, SystemExit) as reason:
                broken.append(_complaint(path, folder, reason))
    for fault in broken:
        warnings.warn(fault, stacklevel=2)
    return FolderContents(tuple(files), tuple(broken))


@cache
def read_package(name: str) -> FolderContents:
    """The same for a package that is installed."""
    files: list[File] = []
    broken: list[BrokenFile] = []
    spec = _spec(name)
    root = Path(next(iter(spec.submodule_search_locations or ()), name)) if spec else Path(name)
    names = [name]
    while names:
        at = names.pop(0)
        try:
            module = import_module(at)
        except (Exception, SystemExit) as reason:
            inside = _spec(at) if at != name else spec
            path = Path(inside.origin) if inside is not None and inside.origin else root
            broken.append(_complaint(path, root, reason))
            continue
        files.append(File(Path(module.__file__ or root), module))
        if at == name:
            found = walk_packages(module.__path__, f"{name}.", onerror=lambda _: None)
            names = sorted(info.name for info in found)
    for fault in broken:
        warnings.warn(fault, stacklevel=2)
    return FolderContents(tuple(files), tuple(broken))


def digest_of(module: str) -> str:
    """A digest of the folder of one's own that a module lies in; nothing for a module from elsewhere.

    >>> digest_of("symdp.folders")
    ''
    """
    for folder in own():
        if module.split(".")[0] == _package_of(folder):
            found = hashlib.sha256()
            for path in _paths(folder):
                found.update(path.read_bytes())
            return found.hexdigest()
    return ""


# --- how ---------------------------------------------------------------------------------------


def _paths(folder: Path) -> Iterator[Path]:
    for path in sorted(p for p in folder.rglob("*.py") if p.is_file()):
        hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(folder).parts)
        if not hidden and not path.name.startswith("test_") and path.name != "conftest.py" \
                and not _is_notebook(path):
            yield path


def _is_notebook(path: Path) -> bool:
    """Whether it is a notebook kept as text, such as `symdp notebook` writes."""
    with path.open("rb") as file:
        return file.read(64).startswith((b"# ---\n# jupyter:", b"# %%"))


@cache
def _package_of(folder: Path) -> str:
    """An empty package whose modules are the files of the folder."""
    word = re.sub(r"\W", "_", folder.name)
    name = f"own_{word}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    package = ModuleType(name, f"The folder {folder}.")
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    return name


class _Alias(Loader):
    """A second name for a module of a folder: the same module, not a copy."""

    def __init__(self, target: str) -> None:
        self.target = target

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.module = import_module(self.target)
        self.spec = self.module.__spec__
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # it was executed under its first name


class _Siblings(MetaPathFinder):
    """Finds the files of a folder by their bare names, unless something installed is called so."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder, self.package = folder, package
        self.names: set[str] = set()

    def find_spec(self, fullname: str, path: Sequence[str] | None,
                  target: ModuleType | None = None) -> ModuleSpec | None:
        first, *rest = fullname.split(".")
        if not self._here(first):
            return None
        self.names.add(fullname)
        return ModuleSpec(fullname, _Alias(".".join((self.package, first, *rest))))

    def _here(self, name: str) -> bool:
        if not any((self.folder / place).exists() for place in (f"{name}.py", name)):
            return False
        if name in sys.stdlib_module_names:
            return False
        installed = PathFinder.find_spec(name)
        at = installed.origin if installed is not None else None
        return at is None or Path(at).is_relative_to(self.folder)


@contextmanager
def _by_name(folder: Path, package: str) -> Iterator[None]:
    """While a folder is read, its files are found by their bare names; another folder may use them too."""
    finder = _Siblings(folder, package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in finder.names:
            sys.modules.pop(name, None)


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _complaint(path: Path, folder: Path, reason: BaseException) -> BrokenFile:
    frames = [(Path(frame.filename), frame.lineno or 1)
              for frame in traceback.extract_tb(reason.__traceback__)]
    if isinstance(reason, SyntaxError) and reason.filename:
        frames.append((Path(reason.filename), reason.lineno or 1))
    inside = [(at, line) for at, line in frames if at.is_relative_to(folder)]
    line = next((line for at, line in reversed(inside) if at == path), 1)
    if inside and inside[-1][0] != path:
        other = inside[-1][0].relative_to(folder)
        return BrokenFile(path, line, f"it needs {other}, which is broken", f"mend {other}")
    said = (str(reason).strip() or type(reason).__name__).splitlines()[0]
    if isinstance(reason, SyntaxError):
        return BrokenFile(path, line, reason.msg, "mend that line")
    if isinstance(reason, ModuleNotFoundError):
        return BrokenFile(path, line, said, "install it, or put it beside the file")
    if isinstance(reason, ImportError):
        cure = "use letters, digits and _" if not inside and "cannot be imported" in said else "mend that line"
        return BrokenFile(path, line, said, cure)
    if type(reason).__module__.startswith("symdp.") or isinstance(reason, ValueError):
        return BrokenFile(path, line, said, "mend that line")
    return BrokenFile(path, line, f"{type(reason).__name__}: {said}", "mend that line")


@cache
def _assignments(path: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    try:
        body = ast.parse(path.read_text(encoding="utf-8")).body
    except (OSError, SyntaxError, UnicodeDecodeError):
        return found
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else \
            [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            found |= {t.id: node.lineno for t in ast.walk(target) if isinstance(t, ast.Name)}
        if isinstance(node, ast.ClassDef):
            found[node.name] = node.lineno
    return found
