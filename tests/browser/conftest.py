"""A headless Chromium for the tests, and pages to open in it.

After each test the browser's log must hold no error, so that every test also checks that.
"""

import shutil
import time
from pathlib import Path

import pytest
from make_page import write_page

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
]
WAIT_SECONDS = 30


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    if not CHROMIUM or not CHROMEDRIVER:
        pytest.skip("chromium and chromedriver are not installed")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
    yield browser
    browser.quit()


class Page:
    """An opened flame graph page, as a reader sees and uses it."""

    def __init__(self, driver):
        self.driver = driver

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def hook(self, expression):
        return self.run(f"return window.jfrtree.{expression}")

    @property
    def state(self):
        return self.hook("state")

    @property
    def width(self):
        return self.hook("width")

    def boxes(self):
        """{name: box}; for frames that occur once in what is drawn."""
        found = {}
        for box in self.hook("boxes"):
            assert box["name"] not in found, f"{box['name']} is drawn twice"
            found[box["name"]] = box
        return found

    def element(self, selector):
        return self.driver.find_element("css selector", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def click(self, selector):
        self.element(selector).click()

    def choose(self, select, text):
        for option in self.element(select).find_elements("tag name", "option"):
            if option.text == text:
                option.click()
                return
        raise AssertionError(f"{select} has no option {text}")

    def pointer(self, box, click):
        """Moves the real pointer to the middle of a bar, and clicks there."""
        corner = self.run("const r = document.getElementById('canvas').getBoundingClientRect();"
                          "return [r.x, r.y]")
        x = corner[0] + box["x"] + box["w"] / 2
        y = corner[1] + box["y"] + 9
        for kind in ["mouseMoved"] + (["mousePressed", "mouseReleased"] if click else []):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "clickCount": 0 if kind == "mouseMoved" else 1,
                "button": "none" if kind == "mouseMoved" else "left"})

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        actions = ActionChains(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def rows(self):
        """Texts of the table of methods, row by row."""
        return self.run("return [...document.querySelectorAll('#rows tr')].map("
                        "row => [...row.cells].map(cell => cell.textContent))")


def complaints(driver):
    return [entry for entry in driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")]


@pytest.fixture
def open_file(driver):
    """open_file(path, fragment, size, ratio, dark): opens a page from disk."""

    def open_it(path, fragment="", size=(1280, 800), ratio=1, dark=False):
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": ratio, "mobile": False})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        driver.get("about:blank")
        driver.get_log("browser")
        driver.get(Path(path).as_uri() + fragment)
        deadline = time.monotonic() + WAIT_SECONDS
        while not driver.execute_script("return window.jfrtree?.ready === true"):
            message = driver.execute_script("return document.getElementById('message').textContent")
            assert time.monotonic() < deadline, f"the page is not ready: {message}"
            time.sleep(0.01)
        page = Page(driver)
        page.settle()
        return page

    yield open_it
    assert complaints(driver) == []


@pytest.fixture
def open_page(open_file, tmp_path):
    """open_page(profiles, title, notes, diff, **how): makes a page from data and opens it."""

    def open_it(profiles, title="test", notes=(), diff=None, **how):
        return open_file(write_page(tmp_path / "page.html", title, profiles, notes, diff), **how)

    return open_it
