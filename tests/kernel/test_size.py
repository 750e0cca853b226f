"""How much has to be believed: the lines of the kernel that are code."""

import ast
import io
import re
import tokenize

from places import ROOT

KERNEL = ROOT / "symdp" / "kernel"
#: It only ever goes down.
MOST = 4_000
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def lines_of_code(text: str) -> int:
    """Lines that are neither blank nor comments nor docstrings."""
    words = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            words.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    spoken = {line for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in SILENT
              for line in range(token.start[0], token.end[0] + 1)}
    return len(spoken - words)


def test_lines_are_counted():
    assert lines_of_code('"""Words."""\n\n# why\nx = [\n    1,\n]  # a list\n') == 3


def test_the_kernel_is_small():
    assert sum(lines_of_code(path.read_text()) for path in KERNEL.rglob("*.py")) <= MOST


def test_the_page_lists_every_file_and_no_other():
    """Whoever reads the kernel by its page reads all of it."""
    page = (KERNEL / "README.md").read_text()
    named = set(re.findall(r"`([\w/]+\.(?:py|json))`", page))
    here = {str(path.relative_to(KERNEL)) for path in KERNEL.rglob("*") if path.suffix in (".py", ".json")}
    assert named - {"__init__.py"} >= {name for name in here if not name.endswith("__init__.py")}
    assert {name for name in named if not name.startswith("symdp/")} <= here
