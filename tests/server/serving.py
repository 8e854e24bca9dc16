"""A server as a process of its own: started by the command, asked over its port, stopped by signals."""

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
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What a request got."""

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
        """The session that the last answer gave."""

    @property
    def log(self) -> str:
        """All that it has said on standard error."""
        return self._log.read_text("utf-8")

    def ask(self, path: str, body: object = None, *, method: str | None = None, **headers: str) -> Answer:
        """A request, with the cookie of an earlier answer."""
        sent = {"Cookie": self.cookie, "Content-Type": "application/json", "Origin": self.address}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, sent, method=method)  # noqa: S310 -- our own server
        try:
            with urllib.request.urlopen(request, timeout=20) as found:  # noqa: S310 -- likewise
                answer = Answer(found.status, {k.lower(): v for k, v in found.headers.items()}, found.read())
        except urllib.error.HTTPError as error:
            with error:
                answer = Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())
        self.cookie = answer.headers.get("set-cookie", self.cookie).partition(";")[0]
        return answer

    def visitor(self) -> "Server":
        """The same server, as somebody sees it who has never been there."""
        return Server(self.process, self.address, self._log)

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Send a signal, and wait for the end; its status."""
        self.process.send_signal(how)
        return self.process.wait(30)


def free_port() -> int:
    """A port that nobody has, and that the system gives to nobody by itself.

    Whoever connects again and again to one of those while no server is there is in the end given it as its own, and is
    connected to itself.
    """
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as door, suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def environment(data: Path, **settings: str) -> dict[str, str]:
    """The variables of a server that keeps its things in `data`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FACEUP_")}
    return kept | {"FACEUP_DATA": str(data)} | {f"FACEUP_{name.upper()}": value for name, value in settings.items()}


@contextmanager
def serving(data: Path, *words: str, **settings: str) -> Iterator[Server]:
    """A server with its database in `data`, on any free port; killed at the end if it still runs."""
    data.mkdir(exist_ok=True)
    log = data / "stderr.txt"
    with log.open("a", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "faceup", "serve", "--port", "0", "--json", *words],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment(data, **settings),
        )
    assert process.stdout is not None
    patience = Timer(90, process.kill)  # a server that hangs says nothing, and nobody would wait for ever
    try:
        patience.start()
        line = process.stdout.readline()
        patience.cancel()
        assert line, log.read_text("utf-8")
        yield Server(process, json.loads(line)["addresses"][0], log)
    finally:
        patience.cancel()
        if process.poll() is None:
            process.kill()
            process.wait(30)
        process.stdout.close()
