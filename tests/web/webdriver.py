"""Firefox and WebKit, driven by the WebDriver protocol, because Playwright drives only builds of its own.

Firefox takes the protocol's commands over a socket (Marionette), and WebKitGTK has a program that takes them over HTTP.
"""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tests.server.server_process import free_port

Send = Callable[[str, dict[str, Any]], Any]
"""Sends a command, such as "Navigate", with its parameters; returns the value of the answer."""

_TIMEOUT: Final = 180.0
"""Seconds for which a browser may take to start or to answer, on a busy machine."""

_FIND: Final = """
const [selector, words] = arguments;
const visit = (root) => {
  for (const each of root.querySelectorAll("*")) {
    const text = [each.getAttribute("aria-label"), each.textContent].some((one) => one?.trim().includes(words));
    const box = each.getBoundingClientRect();
    if (each.matches(selector) && (!words || text) && box.width && box.height) return each;
    const inside = each.shadowRoot && visit(each.shadowRoot);
    if (inside) return inside;
  }
  return null;
};
const found = visit(document);
found?.scrollIntoView({ block: "center", behavior: "instant" });
"""

_KEYS: Final = {"ArrowRight": "\ue014", "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}


class WebDriverError(Exception):
    """The browser could not carry out a command."""


class BrowserPage:
    """A page in a browser.

    Args:
        send: sends a command to the browser.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def goto(self, url: str) -> None:
        """Open an address, and wait until it has loaded."""
        self._send("Navigate", {"url": url})

    def reload(self) -> None:
        """Load the page again."""
        self._send("Refresh", {})

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window."""
        self._send("SetWindowRect", {"width": width, "height": height})

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a JavaScript function with `arguments`, and return its result."""
        return self._send("ExecuteScript", {"script": script, "args": arguments})

    def run_async(self, script: str) -> Any:
        """Run the body of an asynchronous JavaScript function, and return its result."""
        done = "const done = arguments[arguments.length - 1];"
        body = f"{done} (async () => {{{script}}})().then(done, (error) => done(`${{error}}`));"
        return self._send("ExecuteAsyncScript", {"script": body, "args": []})

    def wait(self, script: str, *arguments: object) -> Any:
        """Wait until a script returns a true value, and return the value.

        Raises:
            AssertionError: it does not, for three minutes.
        """
        end = time.monotonic() + _TIMEOUT
        while not (value := self.run(script, *arguments)):
            assert time.monotonic() < end, f"no result: {script[-300:]} {arguments}"
            time.sleep(0.05)
        return value

    def click(self, selector: str, words: str = "") -> None:
        """Click the first visible element that matches, in any shadow root, with the mouse."""
        x, y = self.wait(
            f"{_FIND} if (!found) return null; const box = found.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);",
            selector,
            words,
        )
        press = [{"type": action, "button": 0} for action in ("pointerDown", "pointerUp")]
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport"}
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move, *press]}
        self._send("PerformActions", {"actions": [pointer]})

    def select(self, selector: str, value: str) -> None:
        """Choose a value in the first visible select element that matches."""
        chosen = "found.value = arguments[2]; found.dispatchEvent(new Event('change', { bubbles: true })); return true;"
        self.wait(f"{_FIND} if (!found) return false; {chosen}", selector, "", value)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        codes = [_KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]
        self._send("PerformActions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def see(self, selector: str, words: str = "") -> None:
        """Wait until an element that matches is visible."""
        self.wait(f"{_FIND} return Boolean(found);", selector, words)

    def role_and_name(self, selector: str, words: str = "") -> tuple[str, str]:
        """Return the role and the name that assistive technology gets of an element."""
        element = self.wait(f"{_FIND} return found;", selector, words)
        identifier = next(iter(element.values()))
        role, name = (self._send(command, {"id": identifier}) for command in ("GetComputedRole", "GetComputedLabel"))
        return str(role), str(name)


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[BrowserPage]:
    """Start Firefox with a new profile in `folder`."""
    port = free_port()
    (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n', "utf-8")
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    running = _running(command, {"HOME": str(folder)})
    with running, _connection(port) as connection, connection.makefile("rb") as answers:

        def receive() -> Any:
            length = b"".join(iter(lambda: answers.read(1), b":"))
            return json.loads(answers.read(int(length)))

        def send(command: str, parameters: dict[str, Any]) -> Any:
            message = json.dumps([0, 0, f"WebDriver:{command}", parameters]).encode()
            connection.sendall(b"%d:%b" % (len(message), message))
            *_, error, answer = receive()
            if error:
                raise WebDriverError(f"{command}: {error['message']}")
            return answer.get("value")

        receive()  # the greeting
        send("NewSession", {})
        yield BrowserPage(send)


@contextmanager
def webkit(program: str, folder: Path) -> Iterator[BrowserPage]:
    """Start WebKitGTK's small browser on a display of its own."""
    port = free_port()
    browser = max(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    with ExitStack() as started:
        reading, writing = os.pipe()
        display = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
        started.enter_context(_running(display, {}, (writing,)))
        os.close(writing)
        with os.fdopen(reading) as number:
            name = f":{number.readline().strip()}"
        # Its sandbox needs rights that containers lack; it loads only our own pages here.
        settings = {"DISPLAY": name, "HOME": str(folder), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        started.enter_context(_running([program, f"--port={port}"], settings))
        _connection(port).close()
        base = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(browser), "args": ["--automation"]}
        capabilities = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        session = f"{base}/{_ask('POST', base, capabilities)['sessionId']}"
        started.callback(lambda: _ask("DELETE", session))

        def send(command: str, parameters: dict[str, Any]) -> Any:
            method, path = _ROUTES[command]
            path = path.format(**parameters)
            return _ask(method, f"{session}/{path}", parameters if method == "POST" else None)

        yield BrowserPage(send)


_ROUTES: Final = {
    "ExecuteAsyncScript": ("POST", "execute/async"),
    "ExecuteScript": ("POST", "execute/sync"),
    "GetComputedLabel": ("GET", "element/{id}/computedlabel"),
    "GetComputedRole": ("GET", "element/{id}/computedrole"),
    "Navigate": ("POST", "url"),
    "PerformActions": ("POST", "actions"),
    "Refresh": ("POST", "refresh"),
    "SetWindowRect": ("POST", "window/rect"),
}
"""The methods and paths of commands over HTTP."""

BROWSERS: Final[dict[str, Callable[[str, Path], AbstractContextManager[BrowserPage]]]] = {
    "firefox": firefox,
    "webkit": webkit,
}


def _ask(method: str, url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)  # noqa: S310 -- the driver of this test
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:  # noqa: S310 -- as above
            return json.loads(answer.read())["value"]
    except urllib.error.HTTPError as error:
        with error:
            raise WebDriverError(f"{method} {url}: {json.loads(error.read())['value']['message']}") from None


@contextmanager
def _running(command: list[str], settings: dict[str, str], pass_fds: tuple[int, ...] = ()) -> Iterator[None]:
    """Run a program, and stop it at the end."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | settings, pass_fds=pass_fds
    )
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


def _connection(port: int) -> socket.socket:
    """Connect to a program that has just been started."""
    end = time.monotonic() + _TIMEOUT
    while True:
        with suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.settimeout(_TIMEOUT)
            return connection
        assert time.monotonic() < end, "the browser did not start"
        time.sleep(0.1)
