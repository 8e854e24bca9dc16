"""`faceup page`: the page on this machine, from which one click plays; the game in the terminal beside it."""

import os
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, command

if TYPE_CHECKING:
    from faceup.server.settings import Settings

_NEXT: Final = 20
"""Ports that are tried after the usual one, before any that is free is taken."""

_PATIENCE: Final = 60.0
"""Seconds in which a server of ours says that it is there."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser: ArgumentParser = command(
        commands,
        "page",
        "play in a browser on this machine",
        page,
        examples=(
            "faceup page                 starts the server, or finds the one that runs, and opens its page",
            "faceup page --no-browser    only says where it is",
            "faceup serve --lan          is for phones and others in the network",
        ),
    )
    parser.add_argument("--port", type=int, metavar="N", help="listen on this port (8000, or the next that is free)")
    parser.add_argument("--no-browser", action="store_true", help="open no browser, even where there is a desktop")


def page(arguments: Namespace) -> None:
    """Serve on this machine until Ctrl-C, or show the way to the server that does."""
    from faceup.cli.playing import is_terminal

    browser = not arguments.no_browser and has_desktop(dict(os.environ), sys.platform)
    address = running()
    if address is not None:
        print(f"faceup is at {address} already.", flush=True)
        _open(address, wanted=browser)
        if is_terminal() and not browser:
            _offer(address, end="leaves, and the server goes on")
    elif is_terminal():
        with _served_beside(arguments.port) as address:
            print(f"faceup is at {address}", flush=True)
            _open(address, wanted=browser)
            _offer(address, end="stops the server")
        print("Stopped. Every table is kept.")
    else:
        _serve(arguments.port, browser=browser)


def has_desktop(environ: dict[str, str], platform: str) -> bool:
    """Whether a browser with windows can be opened where the person sits.

    >>> has_desktop({"DISPLAY": ":0"}, "linux"), has_desktop({"DISPLAY": ":10", "SSH_CONNECTION": "..."}, "linux")
    (True, False)
    >>> has_desktop({}, "darwin"), has_desktop({}, "linux")
    (True, False)
    """
    if environ.get("SSH_CONNECTION") or environ.get("CI"):
        return False
    return platform in {"darwin", "win32"} or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def running() -> str | None:
    """The address of the server that a `faceup page` of this user runs; None if there is none that answers."""
    import json
    import urllib.request

    try:
        address = str(json.loads(_note().read_text("utf-8"))["address"])
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{address}/api/version", timeout=5) as answer:
            return address if "record_format" in json.load(answer) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _note() -> Path:
    """Where it is written down which server runs."""
    from faceup.terminal.saves import folder

    return folder("online") / "page.json"


@contextmanager
def _noted(address: str) -> Iterator[None]:
    import json

    note = _note()
    with suppress(OSError):  # then a second start finds no first one, and takes the next port
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        note.write_text(json.dumps({"address": address}), "utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            note.unlink()


def _settings(port: int | None) -> "Settings":
    """As for `faceup serve`, on a port that is free unless one was named."""
    import msgspec

    from faceup.core import Malformed
    from faceup.server.gathering import gather
    from faceup.server.listening import listen

    gathered = gather({"port": port}, os.environ, None)
    settings = gathered.settings
    if gathered.sources["port"] != "default":
        return settings
    for each in [*range(settings.port, settings.port + _NEXT), 0]:
        found = msgspec.structs.replace(settings, port=each)
        try:
            listen(found).close()
        except Malformed as error:
            if error.where != "port":
                raise
        else:
            return found
    return settings


def _serve(port: int | None, *, browser: bool) -> None:
    """Serve in this process."""
    from contextlib import ExitStack

    from faceup.server.logs import begin
    from faceup.server.running import run
    from faceup.server.serving import opened

    settings = _settings(port)
    begin(settings.log, "warning")
    with ExitStack() as until_the_end:

        def ready(taken: int) -> None:
            address = settings.address(taken)
            until_the_end.enter_context(_noted(address))
            print(f"faceup is at {address}", flush=True)
            print("Open it in a browser: one click there plays against bots. Ctrl-C stops it.", flush=True)
            _open(address, wanted=browser)

        run(settings, opened(settings), ready)


@contextmanager
def _served_beside(port: int | None) -> Iterator[str]:
    """Serve in a process beside this one, which has the terminal for itself."""
    import json

    from faceup.core import Malformed

    settings = _settings(port)
    log = _note().with_name("page.log")
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    words = [sys.executable, "-m", "faceup", "serve", "--json", "--log-level", "warning", "--port", str(settings.port)]
    words.append("--until-input-ends")  # so that it never outlives us, not even if we are killed
    with log.open("w", encoding="utf-8") as errors:
        server = subprocess.Popen(  # noqa: S603 -- ourselves
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,  # Ctrl-C is for us; we stop it
        )
    assert server.stdin is not None  # noqa: S101 -- it is a pipe
    assert server.stdout is not None  # noqa: S101 -- likewise
    patience = threading.Timer(_PATIENCE, server.kill)
    try:
        patience.start()
        line = server.stdout.readline()
        patience.cancel()
        told = json.loads(line) if line.startswith("{") else {}
        if "addresses" not in told:
            said = told.get("error", {}).get("message") or (log.read_text("utf-8").strip().splitlines() or ["?"])[-1]
            raise Malformed(f"the server does not start: {said}", where="server")
        with _noted(told["addresses"][0]):
            yield told["addresses"][0]
    finally:
        patience.cancel()
        if server.poll() is None:
            server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(20)
        if server.poll() is None:
            server.kill()
        server.stdin.close()
        server.stdout.close()


def _open(address: str, *, wanted: bool) -> None:
    """Show it in the person's browser, without waiting for that."""
    if wanted:
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _offer(address: str, *, end: str) -> None:
    """Wait, and play in the terminal whenever T is pressed; Q or Ctrl-C ends it, and `end` says what that does."""
    from faceup.cli.keypress import next_key
    from faceup.terminal.app import run_menu

    for name in ("SIGTERM", "SIGHUP"):  # as Ctrl-C
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        while True:
            print("Open it in a browser: one click there plays against bots.")
            print(f"T plays here, in the terminal. Q or Ctrl-C {end}.", flush=True)
            while (key := next_key()) not in {"t", "q", ""}:
                pass
            if key != "t":
                return
            run_menu()
            print(f"faceup is still at {address}", flush=True)
