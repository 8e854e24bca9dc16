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
from tests.server.inside import PATIENCE, Wire
from tests.server.serving import free_port
from tests.server.tracing import Call

REACTIONS = ("thanks", "bravo")
SILENT = re.compile(rb'.?|(\x81.\{"ping":\d+\}\n)+', re.DOTALL)
"""What tells nobody anything: a byte by which a thread wakes the loop, and pings, each a frame of a WebSocket."""


def check(calls: list[Call], reaction: bytes) -> None:
    """The command was written to the log and synced before anything was sent to anybody."""
    reading, sending = {"read", "recvfrom", "recvmsg"}, {"write", "writev", "sendto", "sendmsg"}
    command = b"say-" + reaction
    asked = next(n for n, call in enumerate(calls) if call.name in reading and command in call.data)
    said = [
        n
        for n, call in enumerate(calls)
        if n > asked and call.name in sending and call.path.startswith("socket:") and not SILENT.fullmatch(call.data)
    ]
    answer = next(n for n in said if b"200 OK" in calls[n].data)
    line = next(n for n in said if b'"patch"' in calls[n].data and reaction in calls[n].data)
    log = [n for n, call in enumerate(calls) if call.path.endswith("-wal") and asked < n < min(answer, line)]
    kept = [n for n in log if command in calls[n].data]
    synced = [n for n in log if calls[n].name in {"fsync", "fdatasync"}]
    assert kept
    assert synced
    assert asked < max(kept) < max(synced) < min(said)


@contextmanager
def traced(out: Path, *program: str) -> Iterator[Callable[[], None]]:
    """A server that answers; what is given back is called when its trace is to begin. At the end it is killed."""
    with subprocess.Popen(
        (sys.executable, "-m", "tests.server.tracing", str(out), *program),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as tracer:
        assert tracer.stdin is not None
        assert tracer.stdout is not None
        assert tracer.stderr is not None
        errors = tracer.stderr

        def begin() -> None:
            print("go", file=tracer.stdin, flush=True)
            assert "tracing\n" in errors  # the server writes there as well, when it has stood still for one

        try:
            assert tracer.stdout.readline() == "ready\n"
            yield begin
        finally:
            tracer.terminate()


@pytest.mark.slow
async def test_a_choice_is_on_the_disk_before_it_is_acknowledged_or_shown(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "trace"
    program = (sys.executable, "-m", "tests.server.kills.serving", str(port), f"sqlite:///{tmp_path / 'tables.db'}")
    with traced(out, *program) as begin:
        address = f"127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=PATIENCE) as ann:
            (await ann.post("/api/session", json={"name": "Ann"})).raise_for_status()
            opening = {"game": "nimmt", "options": {"seats": 2}}
            table = (await ann.post("/api/tables", json={"opening": opening})).json()["id"]
            live = f"ws://{address}/api/tables/{table}/live"
            async with websockets.connect(live, open_timeout=PATIENCE, ping_interval=None) as connection:
                onlooker = Wire(connection)
                await onlooker.until("sight")
                begin()
                for reaction in REACTIONS:
                    command = {"id": f"say-{reaction}", "do": "react", "seat": 0, "reaction": reaction}
                    answer = await ann.post(f"/api/tables/{table}/commands", json=command)
                    assert answer.status_code == 200, answer.text
                    while reaction not in str(await onlooker.until("patch")):
                        pass
    calls = [msgspec.json.decode(line, type=Call) for line in out.read_bytes().splitlines()]
    for reaction in REACTIONS:
        check(calls, reaction.encode())
