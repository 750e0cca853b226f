r"""What exports promise: pages that need nothing, papers that compile, and notebooks that are checked."""

from __future__ import annotations

import base64
import json
import re
import shutil
from io import BytesIO
from pathlib import Path

import jupytext
import matplotlib.image
import nbformat
import numpy
import pytest
from places import NOTEBOOKS

from symdp.cli.app import app
from symdp.cli.console import BadInput
from symdp.report.notebooks.execution import executed
from symdp.report.notebooks.own_claims import narrative_of
from symdp.report.notebooks.published import exports
from symdp.report.notebooks.published.exports import Kind, NoExport, able, exported
from symdp.report.notebooks.published.on_pages import formula_html
from symdp.report.notebooks.stored import differences, same_sources
from symdp.report.notebooks.weaving import weave
from symdp.report.notebooks.writing import series
from symdp.sources.problems import Problem

NARRATIVE = """# A small notebook

Words with $\\varepsilon\\le1$, and

$$e^{x}\\ge 1+x .$$

## A heading

| $k$ | value |
|--:|:--|
| 1 | ✓ |

```python
from matplotlib import pyplot
from IPython.display import Latex, Markdown, display

display(Latex(r"$\\displaystyle \\frac{a}{b}$"))
ax = pyplot.subplots()[1]
line = ax.plot([0, 1], [0, 1])
```

<!-- exercises best-advantage -->
"""


@pytest.fixture(scope="module")
def notebook() -> str:
    text = weave(NARRATIVE).replace("feedback = ", "from symdp.report.exercises import exercise\nfeedback = ")
    return executed(text, "small")


# --- pages ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(notebook: str) -> str:
    return exported(notebook, Kind.HTML).decode()


@pytest.mark.long
def test_a_page_needs_no_network_and_no_script(page: str) -> None:
    assert "<script" not in page
    assert not re.findall(r"""(?:src|href)=["']?(?!data:|#)[^"'> ]+""", page)
    assert "<title>A small notebook</title>" in page


def test_formulas_of_a_page_are_mathml(page: str) -> None:
    assert page.count("<math") >= 5
    assert re.search(r'<math [^>]*display="block"[^>]*><msup><mi>e</mi>', page)
    fraction = "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"
    assert fraction in page, "an output that is LaTeX alone"
    assert "$" not in re.sub(r"(?s)<style.*?</style>|<pre.*?</pre>", "", page)


def test_a_page_folds_solutions(page: str) -> None:
    folded = re.findall(r'(?s)<details class="folded"><summary>(.*?)</summary>(.*?)</details>', page)
    assert [summary for summary, _ in folded] == ["Code of the figure", "Solution"]
    assert "pyplot" in folded[0][1]
    assert "BEGIN SOLUTION" in folded[1][1]
    assert page.count("BEGIN SOLUTION") == 1


def test_the_figure_of_a_page_is_in_it(page: str) -> None:
    assert page.count('src="data:image/png;base64,') == 1


def test_every_formula_of_the_series_can_be_set() -> None:
    for plan in series():
        stored = nbformat.read(NOTEBOOKS / f"{plan.name}.ipynb", as_version=4)
        texts = [c.source for c in stored.cells if c.cell_type == "markdown"]
        texts += [o.data["text/markdown"] for c in stored.cells for o in c.get("outputs", ())
                  if "text/markdown" in o.get("data", ())]
        texts += [o.data["text/latex"] for c in stored.cells for o in c.get("outputs", ())
                  if "text/latex" in o.get("data", ())]
        for text in texts:
            plain = re.sub(r"`[^`]*`", "", text)
            for block, inline in re.findall(r"(?s)\$\$(.+?)\$\$|(?<!\\)\$(.+?)(?<!\\)\$", plain):
                made = formula_html(block or inline, display=bool(block))
                assert made.startswith("<math"), (plan.name, block or inline)


def test_the_words_of_a_stranger_are_words() -> None:
    draft = narrative_of("draft", [Problem("<script>x</script> <img src=x onerror=y>", "exp(x) >= 1+x")])
    notebook = jupytext.reads(weave(draft), fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = cell.source.replace("%", "# %")
    page = exported(nbformat.writes(notebook), Kind.HTML).decode()
    assert "<script" not in page
    assert not re.search(r"<img src=x", page)


# --- papers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ["pandoc", "xelatex"])
def test_what_a_paper_needs_is_said_in_one_line(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports.shutil, "which", lambda name: None if name == program else name)
    able((Kind.HTML,))
    with pytest.raises(NoExport, match=f"a PDF needs {program}, which is not there: install"):
        able((Kind.HTML, Kind.PDF))


def test_the_command_says_it_before_anything_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(exports.shutil, "which", lambda name: None)
    with pytest.raises(BadInput):
        app(["notebook", "01", "--to", "pdf", "--out", str(tmp_path / "new")], standalone_mode=False)
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(not all(map(shutil.which, exports.PROGRAMS)), reason="there is no TeX here")
def test_a_paper_compiles(notebook: str) -> None:
    made = exported(notebook, Kind.PDF)
    assert made.startswith(b"%PDF")


# --- a stored notebook that is checked ------------------------------------------------------------


def test_a_notebook_is_as_stored(notebook: str) -> None:
    assert list(differences(notebook, notebook)) == []


def test_a_changed_output_is_found(notebook: str) -> None:
    stale = notebook.replace("right: the same as the solution", "right: nearly the solution")
    assert stale != notebook
    (found,) = differences(stale, notebook)
    assert "shows something else" in found


def test_a_warning_is_found(notebook: str) -> None:
    stored = json.loads(notebook)
    cell = next(c for c in stored["cells"] if c["cell_type"] == "code")
    cell["outputs"].insert(0, {"name": "stderr", "output_type": "stream", "text": ["a warning"]})
    assert len(list(differences(json.dumps(stored), notebook))) == 1


def test_changed_cells_and_metadata_are_found(notebook: str) -> None:
    assert list(differences(notebook.replace("A heading", "A title"), notebook)) == [
        "its cells are not those that are woven"]
    assert list(differences(notebook.replace('"display_name": "Python 3"', '"display_name": "R"'),
                            notebook)) == ["its metadata differ"]
    for broken in ("", "{", "[]", "{}", '{"cells": 3}', '{"cells": [3]}'):
        assert list(differences(broken, notebook)) == ["it cannot be read as a notebook"]


def with_picture(notebook: str, change) -> str:
    stored = json.loads(notebook)
    for cell in stored["cells"]:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", ()):
                pixels = matplotlib.image.imread(BytesIO(base64.b64decode(
                    "".join(output["data"]["image/png"]))))
                buffer = BytesIO()
                matplotlib.image.imsave(buffer, change(pixels.copy()))
                output["data"]["image/png"] = base64.b64encode(buffer.getvalue()).decode()
    return json.dumps(stored)


def test_pictures_are_compared_as_an_eye_would(notebook: str) -> None:
    def rounded(pixels):
        pixels[::7, ::5, :3] = numpy.clip(pixels[::7, ::5, :3] + 0.02, 0, 1)
        return pixels

    def without_the_line(pixels):
        blue = (pixels[..., 2] > pixels[..., 0] + 0.2)
        pixels[blue] = 1
        return pixels

    assert list(differences(with_picture(notebook, rounded), notebook)) == []
    assert len(list(differences(with_picture(notebook, without_the_line), notebook))) == 1
    assert len(list(differences(with_picture(notebook, lambda p: p[:-2]), notebook))) == 1


def test_an_export_runs_again_only_what_has_changed(notebook: str) -> None:
    text = jupytext.writes(nbformat.reads(notebook, as_version=4), fmt="py:percent")
    assert same_sources(notebook, text)
    assert not same_sources(notebook, text.replace("A heading", "A title"))
    assert not same_sources("no notebook", text)
    never_ran = jupytext.reads(text, fmt="py:percent")
    assert not same_sources(nbformat.writes(never_ran), text)
