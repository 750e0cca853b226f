"""The audit page: self-contained, escaped, every formula set."""

import re
from html.parser import HTMLParser

import pytest

from symdp.audit.campaign import Options, audit_all
from symdp.report.page.mathml import RawFormula, mathml, prose
from symdp.report.page.page import anchor, page
from symdp.sources.registry import claims, select

#: quick ones, of several kinds
SHOWN = [
    "kov/thm-3.1", "kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound", "kov/sec-7.mgf-identity",
    "kov/sec-7.mgf-identity.corrected", "kov/sec-7.alon-spencer", "kov/fig-1.region", "kov/eq-9.definition",
]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    options = Options(budget=5, out=tmp_path_factory.mktemp("audit"), explain=True)
    return page(audit_all(select(SHOWN), options))


def test_it_starts_with_the_numbers_and_what_changes_a_theorem(text):
    order = [text.index(words) for words in (
        "settled by machine", "corrected</li>", "Findings that change a theorem", "All claims")]
    assert order == sorted(order)


def test_a_finding_says_what_is_printed_why_it_is_false_and_what_is_true(text):
    found = text[text.index('<li class="erratum">'):]
    found = found[:found.index("</li>")]
    # the display of the moment is one that the text extraction may have made
    order = [found.index(words) for words in ("✗ printed", "false because", "likely original")]
    assert order == sorted(order)
    assert text.index("What the text extraction may have made") < text.index('<li class="erratum">')
    assert found.count("<math") >= 3


def test_a_refuted_claim_contains_its_correction(text):
    claim = text[text.index('id="kov-sec-7.mgf-identity"'):]
    claim = claim[:claim.index("</article>")]
    assert "left side is" in claim
    assert 'href="#kov-sec-7.mgf-identity.corrected">corrected</a>' in claim
    assert "✓ proved" in claim


def test_proofs_are_set_and_trust_is_in_plain_words(text):
    claim = text[text.index('id="kov-thm-3.2.centring-helps"'):]
    claim = claim[:claim.index("</article>")]
    steps = re.findall(r'<ol class="steps">.*?</ol>', claim, re.DOTALL)
    assert len(steps) == 1
    assert "<math" in steps[0]
    assert "<code" not in steps[0]
    assert "What you have to believe." in claim
    assert "a small program that checked every step" in claim


def test_the_search_stands_before_the_findings(text):
    assert text.index('name="text"') < text.index("Findings that change a theorem")
    assert text.count('id="filters"') == 1


def test_figures_are_in_the_page_with_names_of_their_own(text):
    assert text.count("<figure") >= 3
    assert text.count("<svg") == text.count("<figure")
    assert "<image" not in text


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.sources, self.depth = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        self.sources += [found[k] for k in ("src", "srcset", "data", "action") if k in found]


def test_links_resolve_and_nothing_is_fetched(text):
    reader = Reader()
    reader.feed(text)
    assert len(reader.ids) == len(set(reader.ids))
    for link in reader.links:
        assert link.startswith("data:") or link[1:] in reader.ids, link
    assert not reader.sources
    assert "http" not in re.sub(r'xmlns="[^"]*"|http-equiv', "", re.sub(r'href="data:[^"]*"', "", text))


def test_no_tex_is_left(text):
    shown = re.sub(r"<(script|style|pre)>.*?</\1>|<code>.*?</code>|href=\"[^\"]*\"", "", text,
                   flags=re.DOTALL)
    assert not re.search(r"\\[a-zA-Z]+|\$", shown)


@pytest.mark.long
def test_every_formula_of_the_literature_can_be_set():
    for claim in claims():
        words, formula = claim.display(72)
        assert "<code" not in prose(claim.says) + prose(claim.because) + prose(claim.leading(words)), claim.id
        if formula:
            assert "<math" in mathml(formula, display=True), claim.id


def test_what_comes_in_is_escaped():
    assert "<script" not in prose("<script>alert(1)</script> for $x$")
    with pytest.raises(RawFormula):
        mathml(r"\unknowncommand{x}")


def test_names_in_addresses_are_permanent_and_different():
    names = [anchor(c.id) for c in claims()]
    assert len(set(names)) == len(names)
    assert anchor("kov/thm-3.4.log-branch") == "kov-thm-3.4.log-branch"
