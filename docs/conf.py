"""The documentation site: `make docs` builds it into build/docs; it needs no network, neither to build nor to read.

The pages are Markdown. What can be derived is written into docs/generated before the build: the page of every command
from its own help, and the course from the stored notebooks, whose outputs are shown as they are.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from symdp import __version__  # noqa: E402 - the checkout that is documented
from symdp.cli.reference import commands_page  # noqa: E402

project = "symdp"
author = "the symdp authors"
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
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type", "myst.xref_missing"]
exclude_patterns = ["examples"]

GENERATED = HERE / "generated"


def write_generated(app: object) -> None:
    """What follows from the code and the notebooks."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    (GENERATED / "course").mkdir(parents=True)
    (GENERATED / "commands.md").write_text(commands_page(), encoding="utf-8")
    names = []
    for notebook in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        shutil.copy(notebook, GENERATED / "course" / notebook.name)
        names.append(f"course/{notebook.stem}")
    lines = ["# The course", "", "Notebooks with their outputs; each runs as it stands, and asserts the claims it shows. "
             "`make notebooks` writes and runs them.", "", "```{toctree}", ":maxdepth: 1", "", *names, "```", ""]
    (GENERATED / "course.md").write_text("\n".join(lines), encoding="utf-8")


def setup(app: object) -> None:
    app.connect("builder-inited", write_generated, priority=1)  # type: ignore[attr-defined]
