"""The audit page in a real browser: Debian's chromium, driven by playwright.

`make browser` installs both and runs this; elsewhere it is skipped. Screenshots go to build/screenshots,
to be looked at.
"""

import os
import shutil
from pathlib import Path

import pytest
from places import ROOT

pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]

SHOTS = ROOT / "build" / "screenshots"


#: quick ones, of several kinds
SHOWN = [
    "kov/thm-3.1", "kov/thm-3.2.centring-helps", "kov/sec-7.mgf-bound", "kov/sec-7.mgf-identity",
    "kov/sec-7.mgf-identity.corrected", "kov/sec-7.alon-spencer", "kov/fig-1.region", "kov/eq-9.definition",
    "kov/app-b.less", "kov/app-b.less.corrected", "kov/thm-4.3",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A small page; or, with SYMDP_PAGE, one that was made before, such as that of the whole audit."""
    if os.environ.get("SYMDP_PAGE"):
        return Path(os.environ["SYMDP_PAGE"]).resolve().as_uri()
    from symdp.audit.campaign import Options, audit_all
    from symdp.report.page.page import page
    from symdp.sources.registry import select

    folder = tmp_path_factory.mktemp("page")
    records = audit_all(select(SHOWN),
                         Options(budget=5, out=folder, explain=True))
    path = folder / "audit.html"
    path.write_text(page(records), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tab(browser, address):
    """A page that remembers its requests and complaints."""
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    opened.requests, opened.complaints = [], []
    opened.on("request", lambda request: opened.requests.append(request.url))
    opened.on("console", lambda message: opened.complaints.append(message.text))
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.goto(address)
    yield opened
    opened.close()


def test_nothing_is_requested_and_nothing_complains(tab, address):
    assert tab.requests == [address]
    assert tab.complaints == []


def test_every_formula_is_rendered(tab):
    sizes = tab.eval_on_selector_all(
        "math", "nodes => nodes.filter(n => n.checkVisibility()).map(n => n.getBoundingClientRect().width)")
    assert len(sizes) > 20
    assert min(sizes) > 0
    shown = tab.inner_text("main")
    assert "\\frac" not in shown
    assert "$" not in shown


def visible(tab):
    return tab.eval_on_selector_all(".claim", "nodes => nodes.filter(n => n.checkVisibility()).length")


def test_filters_and_search(tab):
    everything = visible(tab)
    tab.select_option("select[name=verdict]", "refuted")
    refuted = visible(tab)
    assert 0 < refuted < everything
    assert f"{refuted} of {everything}" in tab.inner_text("#shown")
    tab.select_option("select[name=verdict]", "")
    tab.keyboard.press("Escape")
    tab.locator("body").press("/")
    tab.keyboard.type("alon-spencer")
    assert visible(tab) == 1
    tab.keyboard.press("Escape")
    assert visible(tab) == everything


def test_links_resolve(tab):
    missing = tab.evaluate("""[...document.querySelectorAll("a")].map(a => a.getAttribute("href"))
        .filter(h => !h.startsWith("data:") && !document.getElementById(decodeURIComponent(h.slice(1))))""")
    assert missing == []


def test_downloads_are_what_they_say(tab):
    tab.goto(tab.url.split("#")[0] + "#kov-sec-7.mgf-bound")
    claim = tab.locator("[id='kov-sec-7.mgf-bound']")
    for words, ending in (("certificate", ".json.gz"), ("LaTeX", ".tex"), ("BibTeX", ".bib")):
        with tab.expect_download() as waiting:
            claim.get_by_role("link", name=words, exact=True).click()
        assert waiting.value.suggested_filename.endswith(ending)
        assert Path(waiting.value.path()).stat().st_size > 100


def test_figures_are_inside_of_the_page(tab):
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    widths = "nodes => nodes.map(n => n.getBoundingClientRect().width)"
    sizes = tab.eval_on_selector_all("figure svg", widths)
    assert len(sizes) >= 3
    assert min(sizes) > 200
    assert tab.locator("figure image").count() == 0


def test_the_keyboard_is_enough(tab):
    tab.locator("body").press("j")
    first = tab.evaluate("document.activeElement.id")
    tab.keyboard.press("j")
    second = tab.evaluate("document.activeElement.id")
    assert first
    assert second
    assert first != second
    tab.keyboard.press("o")
    assert tab.evaluate("document.activeElement.querySelector('details').open")
    tab.keyboard.press("k")
    assert tab.evaluate("document.activeElement.id") == first


def test_it_starts_with_the_numbers_and_what_changes_a_theorem(tab):
    said = tab.inner_text("body")
    places = [said.index(words) for words in ("proved", "refuted", "corrected",
                                              "Findings that change a theorem", "All claims")]
    assert places[-2] < places[-1]
    assert max(places[:3]) < places[-2]


def test_on_paper_it_is_dark_on_white_and_without_controls(browser, address):
    opened = browser.new_page(color_scheme="dark")
    opened.goto(address)
    opened.emulate_media(media="print", color_scheme="dark")
    assert opened.is_hidden("#filters")
    paper = opened.eval_on_selector("body", "node => getComputedStyle(node).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    SHOTS.mkdir(parents=True, exist_ok=True)
    opened.pdf(path=SHOTS / "page.pdf", format="A4")
    opened.close()


def test_a_permanent_link_opens_its_claim(browser, address):
    opened = browser.new_page()
    opened.goto(f"{address}#kov-sec-7.mgf-bound")
    assert opened.eval_on_selector("[id='kov-sec-7.mgf-bound'] details", "node => node.open")
    opened.close()


def test_it_reads_without_a_script(browser, address):
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(address)
    assert opened.is_hidden("#filters")
    assert opened.locator(".claim").count() > 5
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_it_fits_narrow_and_wide(browser, address, width, scheme):
    opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened.goto(address)
    inside = opened.evaluate("document.documentElement.scrollWidth")
    SHOTS.mkdir(parents=True, exist_ok=True)
    opened.screenshot(path=SHOTS / f"page-{width}-{scheme}.png")
    opened.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    unfolded = opened.evaluate("document.documentElement.scrollWidth")
    opened.goto(f"{address}#kov-app-b.less")
    opened.screenshot(path=SHOTS / f"claim-{width}-{scheme}.png")
    opened.close()
    assert inside <= width
    assert unfolded <= width


def test_it_answers_within_a_second(browser, address):
    opened = browser.new_page()
    opened.goto(address)
    spent = opened.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    opened.close()
    assert spent < 5000  # a noisy machine; benchmarks measure, this only notices a catastrophe
