"""Compare what can serve WebSocket and HTTP: uvicorn's own protocols, our classes for it, Granian and picows.

The application, its tables and its clients are those of `benchmarks.online`. `web_server_variants` adapts the
application.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from statistics import median

from tests.server.server_process import free_port

from benchmarks import online_faceup
from benchmarks.arena import on_core
from benchmarks.interleave import Row
from benchmarks.online import MANY, STEADY, Measured, measure, run_in_loop, serving
from benchmarks.online_processes import Server
from benchmarks.web_server_variants import OURS, PICOWS, UVICORN, VARIANTS

REQUESTS = 1_000
"""HTTP requests of a run."""


class Variant:
    """A side of `benchmarks.online`: our application on one of the web servers.

    Args:
        name: the variant, as `web_server_variants` names it.
    """

    READY = online_faceup.READY

    def __init__(self, name: str) -> None:
        self.name = name

    def serve(self, core: int | None, folder: Path) -> Server:
        """Start the server on a new SQLite file in the folder."""
        port = free_port()
        url = str(folder / f"{port}.sqlite")
        command = (sys.executable, "-m", "benchmarks.web_server_variants", self.name, str(port), url)
        return Server(command, port, core, folder, {"PYTHONPATH": os.pathsep.join(sys.path)})

    def tables(self, port: int, count: int, deals: int) -> list[list[online_faceup.Client]]:
        """Create tables. The WebSocket of picows has the next port."""
        made = online_faceup.tables(port, count, deals)
        for client in (client for clients in made for client in clients):
            client.port += self.name == PICOWS
        return made


def rows(times: int) -> list[Row]:
    """Measure the cost of a choice and how long it takes, alone and at load, and the cost of an HTTP request."""
    measurements: dict[tuple[str, float], list[Measured]] = {}
    requests: dict[str, list[float]] = {}
    with ExitStack() as stack:
        servers = {name: stack.enter_context(serving(Variant(name))) for name in VARIANTS}
        with on_core(1):
            for number in range(max(3, times // 3) + 1):
                for name, server in servers.items():
                    for rate in (STEADY, 0.0):
                        measured = run_in_loop(measure(Variant(name), server, MANY, rate))
                        if number:
                            measurements.setdefault((name, rate), []).append(measured)
                    if number:
                        requests.setdefault(name, []).append(_request_cost(server))
    return [*_alone(measurements), *_at_load(measurements), *_requests(requests)]


def _alone(measurements: dict[tuple[str, float], list[Measured]]) -> Iterator[Row]:
    for name in VARIANTS:
        figures = measurements[name, STEADY]
        peer = None if name == OURS else (OURS, median(run.cost for run in measurements[OURS, STEADY]))
        yield Row(f"{_label(name)}: processor for a choice at 200/s", "us", [run.cost for run in figures], peer)
        yield Row("  half of them answered within", "ms", [run.half for run in figures])
        yield Row("  99 of 100 answered within", "ms", [run.late for run in figures])


def _at_load(measurements: dict[tuple[str, float], list[Measured]]) -> Iterator[Row]:
    for name in VARIANTS:
        figures = measurements[name, 0.0]
        peer = None if name == OURS else (OURS, median(run.rate for run in measurements[OURS, 0.0]))
        yield Row(f"{_label(name)}: choices at load", "/s", [run.rate for run in figures], peer)
        yield Row("  processor for a choice", "us", [run.cost for run in figures])


def _requests(rates: dict[str, list[float]]) -> Iterator[Row]:
    for name in VARIANTS:
        if name != PICOWS:  # uvicorn answers its HTTP
            peer = None if name == OURS else (OURS, median(rates[OURS]))
            yield Row(f"{_label(name)}: processor for an HTTP request", "us", rates[name], peer)


def _label(name: str) -> str:
    if name == OURS:
        return "uvicorn, our classes"
    if name in UVICORN:
        package = name.removesuffix("-sansio")
        return f"uvicorn, {name} ({version(package)})"
    return f"{name} {version(name)}"


def _request_cost(server: Server) -> float:
    """Return the microseconds of the server's CPU time for a small request on an open connection."""
    wire = HTTPConnection("127.0.0.1", server.port)
    used = server.cpu()
    for _ in range(REQUESTS):
        wire.request("GET", online_faceup.READY)
        wire.getresponse().read()
    wire.close()
    return (server.cpu() - used) / REQUESTS * 1e6
