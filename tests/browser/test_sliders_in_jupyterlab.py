"""The course in a real JupyterLab: every notebook is opened and run, its slider is moved, and the figure is another.

`make browser` installs JupyterLab and runs this; elsewhere it is skipped. Screenshots go to build/screenshots.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from places import ROOT

pytest.importorskip("playwright.sync_api")
pytest.importorskip("jupyterlab")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]

SHOTS = ROOT / "build" / "screenshots"
COURSE = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
#: Seconds for a notebook to run from its first cell to its last.
PATIENCE = 240
_FIGURE = ".jupyter-widgets img"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab in a folder with the course."""
    folder = tmp_path_factory.mktemp("course")
    for path in COURSE:
        shutil.copy(path, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    settings = home / ".jupyter" / "lab" / "user-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    # a cell that is out of sight is there all the same, so that it can be found
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}', encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--ServerApp.ip=127.0.0.1",
         "--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}", "--allow-root"],
        env={**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            urllib.request.urlopen(f"{address}/api", timeout=5).close()
            break
        except OSError:
            time.sleep(0.5)
    yield address
    server.terminate()
    server.wait(30)


@pytest.mark.parametrize("notebook", COURSE, ids=lambda path: path.stem[:2])
def test_a_moved_slider_draws_another_figure(browser, lab, notebook):
    tab = browser.new_page(viewport={"width": 1300, "height": 1000})
    tab.goto(f"{lab}/lab/tree/{notebook.name}?reset")
    tab.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    tab.wait_for_selector(".jp-KernelName >> text=Python 3", timeout=60_000)
    tab.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000, state="attached")
    tab.click("text=Run >> nth=0")
    tab.click("[data-command='runmenu:run-all'] >> nth=0")
    slider = tab.wait_for_selector(".jupyter-widgets .noUi-handle, .jupyter-widgets input[type=range]",
                                   timeout=PATIENCE * 1000, state="attached")
    slider.scroll_into_view_if_needed()
    tab.wait_for_selector(_FIGURE, timeout=PATIENCE * 1000)
    before = tab.get_attribute(_FIGURE, "src")
    slider.focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("([where, seen]) => { const found = document.querySelector(where);"
                          " return found && found.src !== seen; }", arg=[_FIGURE, before], timeout=60_000)
    SHOTS.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=SHOTS / f"lab-{notebook.stem[:2]}.png")
    assert not tab.locator("[data-mime-type='application/vnd.jupyter.stderr'] >> text=Error").count()
    tab.click("text=Kernel >> nth=0")
    tab.click("[data-command='kernelmenu:shutdown'] >> nth=0")
    tab.close()
