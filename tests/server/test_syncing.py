import subprocess
import sys
from pathlib import Path

import httpx
import msgspec
import pytest
import websockets
from tests.server.inside import Wire
from tests.server.serving import free_port
from tests.server.tracing import Call


def check(calls: list[Call], word: bytes) -> None:
    """What was read with this word was written to the log and synced before anything was sent to anybody."""
    reading, sending = {"read", "recvfrom", "recvmsg"}, {"write", "writev", "sendto", "sendmsg"}
    asked = next(n for n, call in enumerate(calls) if call.name in reading and word in call.data)
    said = [
        n
        for n, call in enumerate(calls)
        if n > asked
        and call.name in sending
        and call.path.startswith("socket:")
        and len(call.data) > 1  # a thread that wakes the loop
        and b'"ping"' not in call.data
    ]
    answer = next(n for n in said if b"200 OK" in calls[n].data)
    line = next(n for n in said if b'"patch"' in calls[n].data)
    log = [n for n, call in enumerate(calls) if call.path.endswith("-wal") and asked < n < min(answer, line)]
    kept = [n for n in log if word in calls[n].data]
    synced = [n for n in log if calls[n].name in {"fsync", "fdatasync"}]
    assert kept
    assert synced
    assert asked < max(kept) < max(synced) < min(said)


@pytest.mark.slow
async def test_a_choice_is_on_the_disk_before_it_is_acknowledged_or_shown(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "trace"
    program = (sys.executable, "-m", "tests.server.kills.serving", str(port), f"sqlite:///{tmp_path / 'tables.db'}")
    with subprocess.Popen(  # noqa: ASYNC220 -- asyncio's would watch for its end, which is the tracer's own affair
        (sys.executable, "-m", "tests.server.tracing", str(out), *program),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as tracer:
        assert tracer.stdin is not None
        assert tracer.stdout is not None
        assert tracer.stderr is not None
        assert tracer.stdout.readline() == "ready\n"
        address = f"127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=f"http://{address}") as ann:
            (await ann.post("/api/session", json={"name": "Ann"})).raise_for_status()
            opening = {"game": "nimmt", "options": {"seats": 2}}
            table = (await ann.post("/api/tables", json={"opening": opening})).json()["id"]
            async with websockets.connect(f"ws://{address}/api/tables/{table}/live") as connection:
                onlooker = Wire(connection)
                await onlooker.until("sight")
                print("go", file=tracer.stdin, flush=True)
                assert tracer.stderr.readline() == "tracing\n"
                for word in ("thanks", "bravo"):
                    command = {"id": f"say-{word}", "do": "react", "seat": 0, "reaction": word}
                    answer = await ann.post(f"/api/tables/{table}/commands", json=command)
                    assert answer.status_code == 200, answer.text
                    await onlooker.until("patch")
            tracer.terminate()
    calls = [msgspec.json.decode(line, type=Call) for line in out.read_bytes().splitlines()]
    check(calls, b"say-thanks")
    check(calls, b"say-bravo")
