"""The pictures of the documentation: the audit page, a theorem on paper, a notebook; `make pictures` takes them anew.

They need chromium, pdflatex and pdftoppm, and the site of `make docs` for the notebook.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
COURSE = "generated/course/01_privacy_as_hypothesis_testing.html"


def theorem(folder: Path) -> None:
    """A theorem as TeX sets it, without the white around it."""
    subprocess.run([sys.executable, "-m", "symdp", "latex", "kov/thm-3.4", "--theorem", "--document", "-o",
                    str(folder / "theorem.pdf")], check=True)
    subprocess.run(["pdftoppm", "-r", "110", "-l", "1", "-x", "190", "-y", "180", "-W", "560", "-H", "262", "-gray",
                    "-png", "-singlefile", str(folder / "theorem.pdf"), str(PICTURES / "theorem")], check=True)


def pages(report: Path, site: Path) -> None:
    """The first screens of the audit page and of a notebook."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, page, top in (("audit", report, 362), ("course", site / COURSE, 1700)):
            tab = browser.new_context(viewport={"width": 1000, "height": 700}).new_page()
            tab.goto(page.resolve().as_uri(), timeout=180_000)
            tab.wait_for_timeout(1000)
            tab.evaluate(f"window.scrollTo(0, {top})")
            tab.wait_for_timeout(500)
            tab.screenshot(path=str(PICTURES / f"{name}.png"))
        browser.close()


def main(report: str, site: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        theorem(Path(folder))
    pages(Path(report), Path(site))


if __name__ == "__main__":
    main(*sys.argv[1:3])
