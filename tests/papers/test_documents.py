"""Papers in the habits of different authors: what is right in them is written beside them, and lint is held to it.

The whole of it is `python benchmarks/papers.py --documents tests/papers/open`, and the same for `held_out`; here is
what takes no time: the truths speak of what stands in the documents, and the scorer counts what it says it counts.
"""

from pathlib import Path

import papers
import pytest

from symdp.papers.finding import Finding
from symdp.papers.lint import lint

HERE = Path(__file__).parent
DOCUMENTS = sorted(d for name in ("open", "held_out", "strangers") for d in papers.documents(HERE / name))
SETTLED_BY = {"true": "proved", "false": "refuted", "definition": "definition", "assumption": "assumption",
              "needs-condition": "undecided", "not checkable": "unread"}


def findings(document, changed=lambda truth, verdict: verdict):
    return [Finding(str(document.parent / t.file), t.line, 1, t.row, "", changed(t, SETTLED_BY[t.truth]))
            for t in papers.truths(document)]


def test_there_are_twenty_in_three_sets():
    assert len(DOCUMENTS) == 20
    assert len(papers.documents(HERE / "open")) == 5


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_truths_speak_of_the_document_and_there_is_something_wrong_in_it(document):
    known = papers.truths(document)
    assert sum(t.truth == "false" and bool(t.planted) for t in known) >= 5
    assert sum(t.truth == "true" for t in known) >= 20


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_scorer_is_content_with_the_truth_and_with_nothing_else(document):
    known = papers.truths(document)
    right = papers.score(document, findings(document), known)
    assert (right.share, right.found, right.false_alarms, right.wrong_proofs) == (1.0, right.planted, [], [])

    alarmed = papers.score(document, findings(document, lambda t, v: "refuted"), known)
    assert len(alarmed.false_alarms) == sum(t.truth != "false" for t in known)

    blind = papers.score(document, findings(document, lambda t, v: "proved" if t.truth == "false" else v), known)
    assert blind.found == 0
    assert len(blind.missed) == blind.planted
    assert blind.wrong_proofs

    silent = papers.score(document, [], known)
    assert silent.settled == silent.found == 0


def test_errors_of_a_page_are_found_and_placed(tmp_path):
    r"""A page of the first document: what is wrong is refuted on its line, and nothing else is."""
    path = tmp_path / "page.tex"
    path.write_text(r"""Throughout, $\varepsilon > 0$.
If $0 \le x \le 1$ then
\begin{align*}
  e^{x} &\le 1 + x + x^{2},
  \\
  e^{x} &\le 1 + x + \frac{x^{2}}{2} .
\end{align*}
\[ \frac{e^{\varepsilon}}{(e^{\varepsilon} - 1)^{2}} \le \frac{1}{\varepsilon^{2}} . \]
""")
    found = [(f.line, f.verdict) for f in lint([path], memory=None) if f.verdict != "assumption"]
    assert found == [(4, "proved"), (6, "refuted"), (8, "proved")]
