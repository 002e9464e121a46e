"""Open pages of the built book in headless Chromium with every other host cut off."""

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    TimeoutError,  # noqa: A004 - Playwright's own, under its name
    sync_playwright,
)

from chromium import find_chromium

WIDTHS = {1280: 900, 390: 844}  # width: height; a desktop and a phone
THEMES = ("light", "dark")
TIMEOUT = 600_000  # milliseconds; only for a page that never ends
# Two pages that Chromium loads for the address bar of every window, before anyone types into it,
# cost more than the pages that are tested. Of two such arguments Chromium reads the last alone, so
# what Playwright switches off is named again.
FEATURES_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "AimEnabled"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)

SHOW_CHARTS = """async () => {
    await document.fonts.ready;
    const waiting = '.at-chart:not([data-state="drawn"], [data-state="picture"])';
    for (const chart of document.querySelectorAll(waiting)) {
        chart.scrollIntoView();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    window.scrollTo(0, 0);
}"""
PICTURES_SEEN = """() => [...document.images].filter((image) =>
    image.checkVisibility() && image.getBoundingClientRect().top < window.innerHeight
).map(({src}) => src)"""
CHARTS_DRAWN = """() => [...document.querySelectorAll('.at-chart')].every(
    (chart) => ['drawn', 'picture'].includes(chart.dataset.state) || !chart.checkVisibility())"""
AWAIT_IMAGES = """async () => {
    const images = [...document.images];
    images.forEach((image) => { image.loading = 'eager'; });
    await Promise.allSettled(images.map((image) => image.decode()));
}"""


@dataclass
class Visit:
    """One page in the browser, what was loaded for its first view, and what went wrong."""

    page: Page
    requests: list[str] = field(default_factory=list)
    first_view: list[str] = field(default_factory=list)
    foreign_requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def evaluate(self, script: str) -> Any:
        """Run JavaScript in the page and return its value."""
        return self.page.evaluate(script)

    def evaluate_in_time(self, script: str) -> None:
        """Run an asynchronous function in the page, with the limit that `evaluate` has not.

        Raises
        ------
        TimeoutError
            If its promise is not kept within the limit.
        """
        at_the_end = "() => { window.ended = true; }"
        self.page.evaluate(f"() => {{ window.ended = false; ({script})().then({at_the_end}); }}")
        self.page.wait_for_function("() => window.ended", polling=20)  # no frames may come

    def theme(self) -> str:
        """What the page is shown in: "light" or "dark"."""
        return str(self.evaluate("() => document.documentElement.dataset.theme"))

    def show_charts(self) -> None:
        """Scroll to every chart that is not drawn, and wait until all that can be seen are."""
        self.evaluate_in_time(SHOW_CHARTS)
        self.page.wait_for_function(CHARTS_DRAWN)

    def switch_theme(self) -> None:
        """Press the page's own button until it is shown in the other theme, as a reader does."""
        before = self.theme()
        for _ in range(len(THEMES)):  # besides the themes there is "as the system has it"
            self.page.locator(".theme-switch-button:visible").first.click()
            if self.theme() != before:
                break
        self.page.wait_for_function(CHARTS_DRAWN)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Do not log requests into the test report."""


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    # Seconds after which it looks whether to end: the usual half is most of a short visit.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def launch() -> Iterator[Browser]:
    """Start the installed Chromium; names of other hosts do not resolve in it.

    One at a time: Playwright keeps an event loop running until it ends.
    """
    arguments = [
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        f"--disable-features={','.join(FEATURES_OFF)}",
    ]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses its sandbox to root
    path = find_chromium()  # before Playwright runs: it may ask Playwright itself
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@contextlib.contextmanager
def visit(browser: Browser, address: str, *, width: int, theme: str) -> Iterator[Visit]:
    """Open one page and wait until its charts and pictures are drawn.

    Now and then a window of Chromium stops drawing for good: after the limit for a page that never
    ends, the page is opened once more, in another window.
    """
    settings: dict[str, Any] = {
        "viewport": {"width": width, "height": WIDTHS.get(width, 900)},
        "color_scheme": "dark" if theme == "dark" else "light",
    }
    with contextlib.ExitStack() as at_the_end:

        def window() -> BrowserContext:
            context = browser.new_context(**settings)
            at_the_end.callback(context.close)
            return context

        try:
            result = _open(window(), address)
        except TimeoutError:
            result = _open(window(), address)
        yield result


def _open(context: BrowserContext, address: str) -> Visit:
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    result = Visit(page)
    _listen(page, "/".join(address.split("/")[:3]) + "/", result)
    page.goto(address, wait_until="load")
    result.first_view = first_view(page, result.requests)
    result.show_charts()
    result.evaluate_in_time(AWAIT_IMAGES)
    return result


def first_view(page: Page, requests: list[str]) -> list[str]:
    """Return what a page has asked for by now, of the pictures only those in the window."""
    files = [at for at in requests if at.startswith(("http", "file:")) and not at.endswith(".png")]
    return list(dict.fromkeys([*files, *page.evaluate(PICTURES_SEEN)]))


def _listen(page: Page, host: str, result: Visit) -> None:
    def on_request(request: Request) -> None:
        result.requests.append(request.url)
        if request.url.startswith("http") and not request.url.startswith(host):
            result.foreign_requests.append(request.url)

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            result.errors.append(f"console: {message.text}")

    page.on("request", on_request)
    page.on("requestfailed", lambda request: result.failed.append(f"cannot load {request.url}"))
    page.on("console", on_console)
    page.on("pageerror", lambda error: result.errors.append(f"script: {error}"))
    page.on(
        "response",
        lambda r: r.status >= 400 and result.errors.append(f"{r.status} for {r.url}"),
    )
