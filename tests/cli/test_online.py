"""`faceup bot --table` and `faceup arena bridge`: players as subprocesses at tables of a real server."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli
from tests.server.app_server import ListeningServer, listening_server

from faceup.server.client import Client
from faceup.server.rooms import Start

ROOT = Path(__file__).parents[2]
STATEMENT = ROOT / "tests" / "arena" / "bots" / "statement.py"
ARENA = {"game": "nimmt", "variant": "arena", "options": {"deals": 1}, "terms": {"clock": None, "autoplay": "lowest"}}
TWO = {"game": "nimmt", "options": {"seats": 2}, "terms": {"clock": None, "autoplay": "lowest"}}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ListeningServer]:
    async with listening_server(tmp_path / "tables.sqlite") as running:
        yield running


@asynccontextmanager
async def command(*words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "faceup", *words, stdout=pipe, stderr=pipe, stdin=asyncio.subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def answer(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    out, err = await asyncio.wait_for(process.communicate(), 50)
    return process.returncode, out.decode(), err.decode()


@pytest.mark.slow
async def test_a_bot_and_a_program_play_a_whole_game_online(server: ListeningServer) -> None:
    async with Client(server.base) as host:
        await host.join("Ann")
        place = await host.make({**ARENA, "bots": ["lowest"]}, sit=False)
        async with (
            command("bot", "greedy", "--table", f"{server.base}/{place.code}") as bot,
            command("arena", "bridge", place.link, "--phase-last", "--", sys.executable, str(STATEMENT)) as program,
            host.live(place.id) as live,
        ):
            await live.until(lambda: len([seat for seat in live.room["seats"] if seat]) == 2)
            await host.do(place.id, Start())
            (bot_status, bot_output, _), (status, output, log) = await asyncio.gather(answer(bot), answer(program))
        assert (bot_status, status) == (0, 0), log
        assert "Greedy sits in seat" in bot_output
        assert "statement sits in seat" in output
        assert bot_output.splitlines()[-1].split(";")[0] == output.splitlines()[-1].split(";")[0]  # who won


@pytest.mark.slow
async def test_ctrl_c_leaves_the_table_and_prints_how_to_rejoin(server: ListeningServer) -> None:
    async with Client(server.base) as host:
        await host.join("Ann")
        place = await host.make(TWO)
        async with command("bot", "lowest", "--table", place.link) as bot, host.live(place.id) as live:
            await live.until(lambda: live.status == "active")
            assert bot.stdout is not None
            await bot.stdout.readline()
            bot.send_signal(signal.SIGINT)
            status, _, log = await answer(bot)
            await live.until(lambda: live.room["away"] == [1])
        assert status == 130
        label, _, rejoin = log.strip().splitlines()[-1].partition("To rejoin: faceup ")
        assert label == "Left the table. "
        async with command(*rejoin.split()) as back, host.live(place.id) as live:
            await live.until(lambda: live.room["away"] == [])
            assert back.returncode is None


@pytest.mark.slow
async def test_a_program_that_breaks_the_terms_leaves_its_seat_to_the_table(server: ListeningServer) -> None:
    async with Client(server.base) as host:
        await host.join("Ann")
        place = await host.make(TWO)
        program = (sys.executable, "-c", "input(); print('nonsense')")
        async with command("arena", "bridge", place.link, "--", *program) as bridge, host.live(place.id) as live:
            status, _, log = await answer(bridge)
            await live.until(lambda: live.room["away"] == [1])
        assert status == 0
        assert "was disqualified (malformed)" in log


def test_an_address_without_a_table_is_rejected_before_any_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = InProcessCli(monkeypatch, capsys)
    for words in (("bot", "greedy", "--table"), ("arena", "bridge")):
        done = inside(*words, "http://127.0.0.1:9", *(("--", "./mine") if words[0] == "arena" else ()))
        assert done.status == 2
        assert "--table must be a link" in done.err or "URL must be a table's link" in done.err
