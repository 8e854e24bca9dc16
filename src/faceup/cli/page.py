"""`faceup page`: serve the web page on this machine; keys open the game in the terminal, or let phones play, too."""

import os
import subprocess
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_language, command, interrupt_on
from faceup.cli.words import text
from faceup.interpreter import PYTHON

if TYPE_CHECKING:
    from faceup.server.process.settings import Settings

_NEXT: Final = 20
"""The number of ports to try after the default one before using any free port."""

_START_TIMEOUT: Final = 60.0
"""Seconds to wait for the server process to start."""


def register(commands: Commands) -> None:
    """Add the command `page`."""
    parser: ArgumentParser = command(
        commands,
        "page",
        "play in a browser on this machine",
        page,
        examples=(
            "faceup page                 start the server, or find the running one, and open its page",
            "faceup page --no-browser    only print the address",
            "faceup serve --lan          serve phones and others on the network",
        ),
    )
    parser.add_argument(
        "--port", type=int, metavar="N", help="port to listen on (default: 8000, or the next free port)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    add_language(parser)


def page(arguments: Namespace) -> None:
    """Serve on this machine until Ctrl-C, or open the page of a running server."""
    from faceup.cli.output import is_terminal

    browser = not arguments.no_browser and has_desktop(dict(os.environ), sys.platform)
    address = running()
    if address is not None:
        print(text("page.already_running", address=address), flush=True)
        _open(address, enabled=browser)
        if is_terminal() and not browser:
            print(text("page.open"))
            _wait_for_key(address, stops=False)
    elif is_terminal():
        _serve_until_key(arguments.port, browser=browser)
        print(text("page.stopped"))
    else:
        _serve(arguments.port, browser=browser)


def has_desktop(environ: dict[str, str], platform: str) -> bool:
    """Return whether a browser window can be opened for this user.

    >>> has_desktop({"DISPLAY": ":0"}, "linux"), has_desktop({"DISPLAY": ":10", "SSH_CONNECTION": "..."}, "linux")
    (True, False)
    >>> has_desktop({}, "darwin"), has_desktop({}, "linux")
    (True, False)
    """
    if environ.get("SSH_CONNECTION") or environ.get("CI"):
        return False
    return platform in {"darwin", "win32"} or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def running() -> str | None:
    """Return the address of this user's running `faceup page` server, or None."""
    import json
    import urllib.request

    try:
        address = str(json.loads(_address_file().read_text("utf-8"))["address"])
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{address}/api/version", timeout=5) as answer:
            return address if "record_format" in json.load(answer) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _address_file() -> Path:
    """Return the file that holds the address of the running server."""
    from faceup.paths import data_folder

    return data_folder("online") / "page.json"


@contextmanager
def _write_address_file(address: str) -> Iterator[None]:
    import json

    path = _address_file()
    with suppress(OSError):  # without the file, a second `faceup page` starts another server on the next port
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(json.dumps({"address": address}), "utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()


def _settings(port: int | None) -> "Settings":
    """Return the settings of `faceup serve`, with a free port if `port` is None."""
    import msgspec

    from faceup.core import Malformed
    from faceup.server.process.bind import listen
    from faceup.server.process.settings import load_settings

    gathered = load_settings({"port": port}, os.environ, None)
    settings = gathered.settings
    if gathered.sources["port"] != "default":
        return settings
    for free_port in [*range(settings.port, settings.port + _NEXT), 0]:
        candidate = msgspec.structs.replace(settings, port=free_port)
        try:
            listen(candidate).close()
        except Malformed as error:
            if error.where != "port":
                raise
        else:
            return candidate
    return settings


def _serve(port: int | None, *, browser: bool) -> None:
    """Run the server in this process until it is stopped."""
    from contextlib import ExitStack

    from faceup.server.process.logs import setup_logging
    from faceup.server.process.serve import opened
    from faceup.server.process.uvicorn_server import run

    settings = _settings(port)
    setup_logging(settings.log, "warning")
    with ExitStack() as until_the_end:

        def ready(taken: int) -> None:
            address = settings.address(taken)
            until_the_end.enter_context(_write_address_file(address))
            print(text("page.running", address=address), flush=True)
            print(text("page.open_until_stopped"), flush=True)
            print(text("page.for_phones"), flush=True)
            _open(address, enabled=browser)

        run(settings, opened(settings), ready)


def _serve_until_key(port: int | None, *, browser: bool) -> None:
    """Run the server in a subprocess until Q or Ctrl-C. L restarts it on the same port, for phones in the network."""
    from faceup.cli.serve import print_lan_addresses
    from faceup.server.process.lan import lan_addresses

    settings = _settings(port)
    with _server_subprocess(settings.port) as (taken, (address, *_)):
        print(f"{text('page.running', address=address)}\n{text('page.open')}", flush=True)
        _open(address, enabled=browser)
        key = _wait_for_key(address, phones=not settings.lan and not settings.public_url)
    if key == "l":
        with _server_subprocess(taken, "--lan") as (_, addresses):
            print(text("page.running", address=addresses[0]))
            print_lan_addresses([network.interface for network in lan_addresses()], addresses)
            _wait_for_key(address)


@contextmanager
def _server_subprocess(port: int, *options: str) -> Iterator[tuple[int, list[str]]]:
    """Run the server in a subprocess, so that the terminal is free; yield its port and its addresses."""
    import json

    from faceup.core import Malformed

    log = _address_file().with_name("page.log")
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    words = [*PYTHON, "-m", "faceup", "serve", "--json", "--log-level", "warning", "--port", str(port)]
    words += [
        *options,
        "--until-input-ends",
    ]  # the last makes the server stop when this process ends, even if it is killed
    with log.open("w", encoding="utf-8") as errors:
        server = subprocess.Popen(  # noqa: S603 -- our own interpreter
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,  # Ctrl-C then reaches only this process, which stops the server
        )
    assert server.stdin is not None  # noqa: S101 -- it is a pipe
    assert server.stdout is not None  # noqa: S101 -- it is a pipe
    timeout = threading.Timer(_START_TIMEOUT, server.kill)
    try:
        timeout.start()
        line = server.stdout.readline()
        timeout.cancel()
        answer = json.loads(line) if line.startswith("{") else {}
        if "addresses" not in answer:
            last_line = (log.read_text("utf-8").strip().splitlines() or ["?"])[-1]
            reason = answer.get("error", {}).get("message") or last_line
            raise Malformed(f"the server did not start: {reason}", where="server")
        with _write_address_file(answer["addresses"][0]):
            yield answer["port"], answer["addresses"]
    finally:
        timeout.cancel()
        if server.poll() is None:
            server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(20)
        if server.poll() is None:
            server.kill()
        server.stdin.close()
        server.stdout.close()


def _open(address: str, *, enabled: bool) -> None:
    """Open the address in the user's browser, if wanted, without waiting for the browser."""
    if enabled:
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _wait_for_key(address: str, *, stops: bool = True, phones: bool = False) -> str:
    """Handle keys until Q or Ctrl-C, or L if phones are offered, and return the last key.

    T plays in the terminal. Q and Ctrl-C stop the server if `stops` is set.
    """
    from faceup.terminal.app import run_menu

    interrupt_on("SIGTERM", "SIGHUP")
    with suppress(KeyboardInterrupt):
        while True:
            if phones:
                print(text("page.key_phones"))
            print(text("page.keys", context="" if stops else "leave"), flush=True)
            while (key := read_key()) not in {"t", "q", "", *("l" * phones)}:
                pass
            if key != "t":
                return key
            run_menu()
            print(text("page.still_running", address=address), flush=True)
    return ""


def read_key() -> str:
    """Return the next key in lower case, or "" at the end of the input. Ctrl-C raises `KeyboardInterrupt`."""
    try:
        import termios
        import tty
    except ImportError:  # Windows does not have these modules, so read a line instead
        return sys.stdin.readline()[:1].lower()
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)  # keep input that was typed before
        return os.read(descriptor, 1).decode("ascii", "replace").lower()
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
