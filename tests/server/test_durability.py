import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
import websockets
from tests.server.app_server import TIMEOUT, WebSocketClient
from tests.server.server_process import free_port
from tests.server.syscall_trace import Call

REACTIONS = ("thanks", "bravo")
IRRELEVANT = re.compile(rb'.?|(\x81.\{"ping":\d+\}\n)+', re.DOTALL)
"""Data that shows nothing of a command: the byte that wakes the event loop, and WebSocket frames with pings."""


def check_order(calls: list[Call], reaction: bytes) -> None:
    """Check that the command was written to the log and synced before any data was sent."""
    reading, sending = {"read", "recvfrom", "recvmsg"}, {"write", "writev", "sendto", "sendmsg"}
    command = b"say-" + reaction
    received = next(n for n, call in enumerate(calls) if call.name in reading and command in call.data)
    sent = [
        n
        for n, call in enumerate(calls)
        if n > received
        and call.name in sending
        and call.path.startswith("socket:")
        and not IRRELEVANT.fullmatch(call.data)
    ]
    answer = next(n for n in sent if b"200 OK" in calls[n].data)
    line = next(n for n in sent if b'"patch"' in calls[n].data and reaction in calls[n].data)
    log = [n for n, call in enumerate(calls) if call.path.endswith("-wal") and received < n < min(answer, line)]
    written = [n for n in log if command in calls[n].data]
    synced = [n for n in log if calls[n].name in {"fsync", "fdatasync"}]
    assert written
    assert synced
    assert received < max(written) < max(synced) < min(sent)


@contextmanager
def traced(out: Path, *program: str) -> Iterator[Callable[[], None]]:
    """Run a server that is ready, and kill it at the end. Yields a function that starts the trace."""
    with subprocess.Popen(
        (sys.executable, "-m", "tests.server.syscall_trace", str(out), *program),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as tracer:
        assert tracer.stdin is not None
        assert tracer.stdout is not None
        assert tracer.stderr is not None
        errors = tracer.stderr

        def start_trace() -> None:
            print("go", file=tracer.stdin, flush=True)
            assert "tracing\n" in errors  # the server may have written a warning before it

        try:
            assert tracer.stdout.readline() == "ready\n"
            yield start_trace
        finally:
            tracer.terminate()


@pytest.mark.slow
async def test_a_choice_is_on_the_disk_before_it_is_acknowledged_or_shown(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "trace"
    program = (sys.executable, "-m", "tests.server.kills.fork_server", str(port), f"sqlite:///{tmp_path / 'tables.db'}")
    with traced(out, *program) as start_trace:
        address = f"127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=TIMEOUT) as ann:
            (await ann.post("/api/session", json={"name": "Ann"})).raise_for_status()
            config = {"game": "nimmt", "options": {"seats": 2}}
            table = (await ann.post("/api/tables", json={"config": config})).json()["id"]
            live = f"ws://{address}/api/tables/{table}/live"
            async with websockets.connect(live, open_timeout=TIMEOUT, ping_interval=None) as connection:
                spectator = WebSocketClient(connection)
                await spectator.until("room")
                start_trace()
                for reaction in REACTIONS:
                    command = {"id": f"say-{reaction}", "command": "react", "seat": 0, "reaction": reaction}
                    answer = await ann.post(f"/api/tables/{table}/commands", json=command)
                    assert answer.status_code == 200, answer.text
                    while reaction not in str(await spectator.until("patch")):
                        pass
    calls = [msgspec.json.decode(line, type=Call) for line in out.read_bytes().splitlines()]
    for reaction in REACTIONS:
        check_order(calls, reaction.encode())
