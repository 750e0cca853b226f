"""The documentation site: `make docs` builds it into build/docs; it needs no network, neither to build nor to read.

The pages are Markdown. What can be derived is written into docs/generated before the build: the page of every command
from its own help, the keys of JSON from documents just printed, the rules of certificates from the kernel, and the
course from the stored notebooks, whose outputs are shown as they are.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from symdp import __version__  # noqa: E402 - the checkout that is documented
from symdp.cli.reference import certificates_page, commands_page, json_page  # noqa: E402

project = "symdp"
author = copyright = "the symdp authors"
release = version = __version__
extensions = [
    "myst_nb",                    # Markdown, and the notebooks of the course with their stored outputs
    "sphinx.ext.autodoc",         # the Python reference, from docstrings
    "sphinx-mathjax-offline",     # formulas without a network
    "sphinx_copybutton",          # commands without their prompt
]
html_theme = "furo"
html_title = "symdp"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_theme_options = {"source_repository": "", "navigation_with_keys": True}
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_merge_streams = True
nb_render_markdown_format = "myst"  # formulas and tables in outputs
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]
exclude_patterns = ["examples"]

GENERATED = HERE / "generated"


def write_generated(app: object) -> None:
    """What follows from the code and the notebooks."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    (GENERATED / "course").mkdir(parents=True)
    written = {"commands": commands_page, "json-keys": json_page, "certificate-rules": certificates_page}
    for name, made in written.items():
        (GENERATED / f"{name}.md").write_text(made(), encoding="utf-8")
    for outside, name in OUTSIDE.items():
        page = ROOT / outside
        if page.is_file():
            text = on_the_site(page.read_text(encoding="utf-8"), page.parent)
            (GENERATED / f"{name}.md").write_text(text, encoding="utf-8")
    names = []
    for notebook in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        shutil.copy(notebook, GENERATED / "course" / notebook.name)
        names.append(f"course/{notebook.stem}")
    lines = ["# The course", "", "Notebooks with their outputs; each runs as it stands, and asserts the claims it "
             "shows. `make notebooks` writes and runs them.", "",
             "```{toctree}", ":maxdepth: 1", "", *names, "```", ""]
    (GENERATED / "course.md").write_text("\n".join(lines), encoding="utf-8")


#: Pages that stand outside of docs, where one looks for them in a repository; and their place on the site.
OUTSIDE = {"CONTRIBUTING.md": "contributing", "SECURITY.md": "security", "CHANGELOG.md": "changelog",
           "symdp/kernel/README.md": "kernel", "formal/README.md": "formal"}


def on_the_site(text: str, folder: Path) -> str:
    """The page with its links to files of the repository turned into links to pages of the site."""
    def moved(match: re.Match[str]) -> str:
        target = (folder / match[1]).resolve()
        if not target.is_relative_to(ROOT):
            return match[0]
        inside = target.relative_to(ROOT).as_posix()
        if inside in OUTSIDE:
            return f"](/generated/{OUTSIDE[inside]}.md{match[2] or ''})"
        if target.is_relative_to(HERE) and target.suffix == ".md":
            return f"](/{target.relative_to(HERE).as_posix()}{match[2] or ''})"
        return match[0]

    return re.sub(r"\]\(([^)#\s:]+)(#[^)\s]*)?\)", moved, text)


def rewrite_links(app: object, name: str, source: list[str]) -> None:
    if not name.startswith("generated/course/"):
        source[0] = on_the_site(source[0], (HERE / name).parent)


def parameters_apart(app: object, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Parameters, which docstrings here name at the beginning of a line (``where: ...``), as a list of their own."""
    names = set(getattr(getattr(obj, "__code__", None), "co_varnames", ()))
    made: list[str] = []
    for line in lines:
        found = re.match(r"((?:\w+, )*\w+): (?=\S)", line)
        if found and set(found[1].split(", ")) <= names:
            made += ["", f"* **{found[1]}**: {line[found.end():]}"]
        elif made and line.strip() and any(m.startswith("* **") for m in made[-1:]):
            made[-1] += f" {line.strip()}"
        else:
            made.append(line)
    lines[:] = made


def setup(app: object) -> None:
    app.connect("autodoc-process-docstring", parameters_apart)  # type: ignore[attr-defined]
    app.connect("source-read", rewrite_links)  # type: ignore[attr-defined]
    app.connect("builder-inited", write_generated, priority=1)  # type: ignore[attr-defined]
