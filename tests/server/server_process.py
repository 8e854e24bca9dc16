"""A server as a separate process: started by the command, reached over its port, stopped by signals."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any, Final, NamedTuple

from tests.server.migrated import create_file

from faceup.server.process.settings import Settings


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.body)


class Server:
    """A running `faceup serve`."""

    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self.process = process
        self.address = address
        self._log = log
        self.cookie = ""
        """The session cookie of the last response."""

    @property
    def data(self) -> Path:
        """The folder of its data."""
        return self._log.parent

    @property
    def log(self) -> str:
        """Everything written to standard error so far."""
        return self._log.read_text("utf-8")

    def ask(self, path: str, body: object = None, *, method: str | None = None, **headers: str) -> Answer:
        """Send a request with the cookie of the last response."""
        all_headers = {"Cookie": self.cookie, "Content-Type": "application/json", "Origin": self.address}
        all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, all_headers, method=method)  # noqa: S310 -- the server of this test
        try:
            with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310 -- as above
                answer = Answer(response.status, {k.lower(): v for k, v in response.headers.items()}, response.read())
        except urllib.error.HTTPError as error:
            with error:
                answer = Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())
        self.cookie = answer.headers.get("set-cookie", self.cookie).partition(";")[0]
        return answer

    def visitor(self) -> "Server":
        """Return a client of the same server without cookies."""
        return Server(self.process, self.address, self._log)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the exit status."""
        self.process.send_signal(number)
        return self.process.wait(30)


def free_port() -> int:
    """Return a free port that the system does not assign automatically.

    A client that keeps reconnecting to an ephemeral port without a server can be assigned that port itself, and then
    connects to itself.
    """
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def environment(data: Path, **settings: str) -> dict[str, str]:
    """Return the environment variables of a server with its data in `data`, without limits for an address."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FACEUP_")}
    unlimited = {name: "0" for name in Settings.__struct_fields__ if name.endswith(("_per_player", "_per_address"))}
    chosen = {f"FACEUP_{name.upper()}": value for name, value in (unlimited | settings).items()}
    return inherited | {"FACEUP_DATA": str(data)} | chosen


_SOCKET_STARTER: Final = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ |= {'LISTEN_FDS': '1', 'LISTEN_PID': str(os.getpid())};"
    "os.execv(sys.argv[2], sys.argv[2:])"
)
"""The program that starts a server as systemd does with a socket unit."""


@contextmanager
def serving(
    data: Path,
    *arguments: str,
    python: str = sys.executable,
    listener: socket.socket | None = None,
    empty: bool = False,
    **settings: str,
) -> Iterator[Server]:
    """Run a server with its database in `data` on any free port, or on a listening socket; kill it at the end.

    Unless `data` shall stay empty before its start, it has a database already, because migrations take a second.
    """
    data.mkdir(exist_ok=True)
    if "database" not in settings and not empty:
        create_file(f"sqlite:///{data / 'online' / 'tables.sqlite'}")
    log = data / "stderr.txt"
    passed = () if listener is None else (listener.fileno(),)
    starter = [python, "-c", _SOCKET_STARTER, *map(str, passed)] if passed else []
    with log.open("a", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [*starter, python, "-m", "faceup", "serve", "--port", "0", "--json", *arguments],
            pass_fds=passed,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment(data, **settings),
        )
    assert process.stdout is not None
    timeout = Timer(90, process.kill)  # a server that hangs prints nothing
    try:
        timeout.start()
        line = process.stdout.readline()
        timeout.cancel()
        assert line, log.read_text("utf-8")
        yield Server(process, json.loads(line)["addresses"][0], log)
    finally:
        timeout.cancel()
        if process.poll() is None:
            process.kill()
            process.wait(30)
        process.stdout.close()
