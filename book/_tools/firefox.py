"""Open pages in headless Firefox, by the protocol it speaks itself: WebDriver BiDi.

Playwright drives only a Firefox of its own build. Here is what the tests need of one that is
installed: pages, scripts in them, and the errors that they log. Every other host is cut off.
"""

import contextlib
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websocket import WebSocket, create_connection

NAMES = ("firefox-esr", "firefox")
MISSING = "no Firefox was found to open the pages with; install the package firefox-esr (Debian)"
# Firefox says it of a formula that it draws before the rest of the page has arrived; the page tests
# count the children of every formula in the whole page.
HALF_READ = re.compile(r"Invalid markup: Incorrect number of children for <m\w+/> tag")
TIMEOUT = 120  # seconds for an answer: until a page has loaded, or a script has ended
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Requests to other hosts go to a proxy that is not there.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 1,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 1,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
}


def find_firefox() -> str:
    """Return the path of an installed Firefox. Raises FileNotFoundError, naming the package."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise FileNotFoundError(MISSING)


@dataclass
class Firefox:
    """A running Firefox: commands go out, answers and events come in."""

    socket: WebSocket
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    errors: list[str] = field(default_factory=list)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; errors that pages logged meanwhile are kept."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                if entry["level"] == "error" and not HALF_READ.match(entry["text"]):
                    self.errors.append(entry["text"])
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return dict(message["result"])

    def new_page(self) -> "Page":
        """Open an empty tab."""
        return Page(self, self.call("browsingContext.create", type="tab")["context"])


@dataclass
class Page:
    """A tab; its methods are named as those of Playwright's pages."""

    firefox: Firefox
    context: str

    def goto(self, address: str) -> None:
        """Open an address and wait until it has loaded."""
        self.firefox.call(
            "browsingContext.navigate", context=self.context, url=address, wait="complete"
        )

    def evaluate(self, function: str, argument: object = None) -> Any:
        """Call a function in the page, wait for what it promises, and return it."""
        called = f"Promise.resolve(({function})({json.dumps(argument)}))"
        result = self.firefox.call(
            "script.evaluate",
            expression=f"{called}.then((value) => JSON.stringify(value ?? null))",
            target={"context": self.context},
            awaitPromise=True,
            userActivation=True,
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])


@contextlib.contextmanager
def launch_firefox() -> Iterator[Firefox]:
    """Start Firefox with a profile of its own, and end it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        options = ("--headless", "--no-remote", "--profile", profile)
        command = [find_firefox(), *options, "--remote-debugging-port", "0"]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **streams) as process:
            try:
                address = f"{_address(process)}/session"
                connected = create_connection(address, timeout=TIMEOUT, suppress_origin=True)
                with contextlib.closing(connected) as socket:
                    firefox = Firefox(socket)
                    firefox.call("session.new", capabilities={})
                    firefox.call("session.subscribe", events=["log.entryAdded"])
                    yield firefox
            finally:
                process.terminate()


def _address(process: subprocess.Popen[str]) -> str:
    """Read where Firefox listens, and let a thread read the rest of what it prints."""
    stream = process.stderr
    assert stream is not None
    for line in stream:
        if found := LISTENS.search(line):
            threading.Thread(target=stream.read, daemon=True).start()
            return found[1]
    raise RuntimeError("Firefox ended before it listened")


if __name__ == "__main__":
    try:
        find_firefox()
    except FileNotFoundError as error:
        sys.exit(f"make test: {error}")
