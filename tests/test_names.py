"""One name for one thing: a class name is defined twice only where the kernel and a later room mean the same."""

import ast
from collections import defaultdict
from pathlib import Path

import symdp

ROOT = Path(symdp.__file__).parent

#: What the kernel says in terms, and a later room in SymPy's expressions or in numbers: the same thing twice, because
#: the kernel imports nothing of ours.
IN_THE_KERNEL_AND_OUTSIDE = {
    "AnyPrivate", "Gaussian", "Interval", "Laplace", "Relation", "Tape", "TwoVariances",
}
#: The kernel's own: of indices in normal forms, and of sums in rules.
TWICE_IN_THE_KERNEL = {"Span"}


def doubled() -> dict[str, list[str]]:
    found = defaultdict(list)
    for file in sorted(ROOT.rglob("*.py")):
        if file.is_relative_to(ROOT / "literature"):
            continue  # a class there is a claim of one statement's own, and of nobody else
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(file.relative_to(ROOT).as_posix())
    return {name: files for name, files in found.items() if len(files) > 1}


def test_a_class_name_means_one_thing():
    found = doubled()
    assert set(found) == IN_THE_KERNEL_AND_OUTSIDE | TWICE_IN_THE_KERNEL, {
        name: files for name, files in found.items() if name not in IN_THE_KERNEL_AND_OUTSIDE | TWICE_IN_THE_KERNEL}
    for name in IN_THE_KERNEL_AND_OUTSIDE:
        assert len(found[name]) == 2
        assert sum(file.startswith("kernel/") for file in found[name]) == 1, found[name]
