"""The app around the table: menu, saving and resuming, small terminals, exit."""

import json
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.terminal.pilot import Hand, asked, running, session_of, shown, table_screen, until
from textual.widgets import OptionList

from faceup.core import generator, spec
from faceup.core.record import loads
from faceup.terminal import TerminalSession, list_saved, load_record
from faceup.terminal.app import FaceupApp
from faceup.terminal.playback import Playback
from faceup.terminal.screens.dialogs import GameOverDialog, TooSmall
from faceup.terminal.screens.home import HomeScreen
from faceup.terminal.screens.setup import SetupScreen
from faceup.terminal.screens.table import TableScreen


async def test_the_menu_leads_to_a_game_in_two_keys() -> None:
    app = FaceupApp(playback=Playback("instant"))
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert "6 nimmt!" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        assert "Cow Head King" in shown(app)


@pytest.mark.slow
async def test_the_menu_sets_variant_seats_who_sits_where_and_options() -> None:
    app = FaceupApp(playback=Playback("instant"))
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press(
            "right", "right", "down", "left", *["down"] * 3, "right", "down", *["backspace"] * 12, "Z", "o", "e"
        )
        await pilot.press("down", *["right"] * 4, *["down"] * 4, "left")
        await until(pilot, lambda: "Zoe" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
        assert app.session is not None
        table = app.session.table
        assert spec(table.rules) == "nimmt:onehundredandfour seats=3 hand=9"
        assert table.names[0] == "Zoe"
        assert table.players[1] is not None
        assert table.players[1].kind == "person"
        assert not table.terms.hints


@pytest.mark.slow
async def test_a_setting_that_cannot_be_played_says_why_and_does_not_start() -> None:
    app = FaceupApp()
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press(*["down"] * 4, "right", "down", *["backspace"] * 12)
        await until(pilot, lambda: "Every seat needs a name." in shown(app))
        await pilot.press("enter")
        assert isinstance(app.screen, SetupScreen)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "key", [pytest.param("q", marks=pytest.mark.slow), "ctrl+c", pytest.param("ctrl+q", marks=pytest.mark.slow)]
)
async def test_leaving_saves_the_game_and_it_can_be_resumed(key: str) -> None:
    session, app = session_of("nimmt seats=2", keep=True)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: session.table.decision >= 1)
        await pilot.press(key)
        await pilot.pause()
    assert app.return_code == 0
    (path,) = list_saved()
    record = load_record(path)
    assert record.entries[-1] == session.table.entries[-1]

    again, answer = TerminalSession.resume(record, generator(None), path=path)
    assert again.table.state == session.table.state
    app = FaceupApp(again, answer, playback=Playback("instant"))
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        assert any("Revealed" in sentence for sentence in table_screen(app).side.sentences), "the log is shown again"


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("keys", [(), ("question_mark",), ("t",), ("n",)])
async def test_ctrl_c_exits_cleanly_from_every_screen(keys: tuple[str, ...]) -> None:
    session, app = session_of("nimmt seats=2 hand=1", keep=True)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        if keys == ("n",):
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GameOverDialog) or asked(app))
            if asked(app):
                await pilot.press("0")
                await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        else:
            await pilot.press(*keys)
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_code == 0
    assert session.over or list_saved()


@pytest.mark.slow
async def test_ctrl_c_at_the_hand_over_screen_saves() -> None:
    _, app = session_of("nimmt seats=2", people=("Ann", "Bo"), keep=True)
    async with running(app) as pilot:
        await until(pilot, lambda: "Pass the keyboard to Ann" in shown(app))
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_code == 0
    assert len(list_saved()) == 1


@pytest.mark.slow
async def test_the_menu_lists_saved_games_including_a_broken_one(data: Path) -> None:
    session, _ = session_of("nimmt seats=2", keep=True)
    session.save()
    (data / "saved" / "2020-01-01-broken.json").write_text("{", encoding="utf-8")
    app = FaceupApp(playback=Playback("instant"))
    async with running(app) as pilot:
        await until(pilot, lambda: "Resume" in shown(app))
        menu = app.screen.query_one(OptionList)
        broken = next(
            index for index in range(menu.option_count) if "incomplete or not JSON" in str(menu.options[index].prompt)
        )
        menu.highlighted = broken
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        menu = app.screen.query_one(OptionList)
        menu.highlighted = next(
            index for index in range(menu.option_count) if "6 nimmt!, Cow Head King" in str(menu.options[index].prompt)
        )
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        assert app.session is not None
        assert app.session.table.state == session.table.state


@pytest.mark.slow
async def test_back_to_the_menu_keeps_the_game_and_a_finished_one_is_a_record(data: Path) -> None:
    session, app = session_of("niuniu", keep=True)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert len(list_saved()) == 1
        menu = app.screen.query_one(OptionList)
        menu.highlighted = menu.option_count - 1
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        assert not list_saved()
        session.save()  # as the caller of the app does
        assert not list_saved(), "the session that was left writes nothing any more"
        (record,) = (data / "records").glob("*.json")
        assert loads(record.read_text(encoding="utf-8")).result is not None
        await pilot.press("n")
        await until(pilot, lambda: asked(app))
        assert app.session is not None
        assert not app.session.over


@pytest.mark.slow
async def test_a_small_terminal_shows_a_notice_and_pauses_the_game() -> None:
    session, app = session_of("nimmt seats=2")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: isinstance(app.screen, TooSmall))
        assert "60 x 20" in shown(app)
        await pilot.resize_terminal(50, 18)
        await until(pilot, lambda: "50 x 18" in shown(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: session.table.decision >= 1)


async def test_a_terminal_too_small_from_the_start_shows_the_game_when_it_grows() -> None:
    _, app = session_of("nimmt seats=2")
    async with running(app, size=(40, 10)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TooSmall))
        await pilot.resize_terminal(100, 30)
        await until(pilot, lambda: asked(app))


async def test_the_clock_is_paused_while_ctrl_z_stops_the_process() -> None:
    hand = Hand()
    session, app = session_of("nimmt seats=2", time=hand)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        app.app_suspend_signal.publish(app)
        stopped = session.now
        hand.at += 60_000
        assert session.now == stopped
        app.app_resume_signal.publish(app)
        await pilot.pause()
        assert session.now == stopped
        hand.at += 1_000
        assert session.now == stopped + 1_000


async def test_the_notice_that_the_terminal_is_too_small_names_the_key_that_quits() -> None:
    session, app = session_of("nimmt seats=2")
    async with running(app, size=(40, 10)) as pilot:
        await until(pilot, lambda: "Press q to quit." in shown(app))
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)
    assert not session.over


SIZES = ((80, 24), (100, 30), (140, 40))


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 22), *(pytest.param(size, marks=pytest.mark.long) for size in SIZES), (200, 60)])
async def test_every_card_of_a_full_hand_is_on_the_screen_in_any_size(size: tuple[int, int]) -> None:
    session, app = session_of("nimmt seats=10")
    async with running(app, size=size) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.pause(0.05)
        screen = table_screen(app)
        region = screen.board.query_one("HandWidget").region
        assert region.right <= size[0]
        assert region.bottom <= size[1] - 2
        hand = session.table.state.hands[0]  # type: ignore[attr-defined]  # nimmt's state
        for card in hand:
            assert f"{card} " in shown(app)


@pytest.mark.slow
async def test_dark_and_light() -> None:
    _, app = session_of("nimmt seats=2")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        before = app.theme
        await pilot.press("d")
        assert app.theme != before


@pytest.mark.slow
async def test_everything_is_readable_without_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    _, app = session_of("nimmt seats=2")
    assert app.no_color
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        assert "∀" in shown(app)
        assert "┏━━━━┓" in shown(app), "the lifted card has its own frame"


async def test_an_unknown_game_is_played_on_the_generic_board() -> None:
    session, app = session_of("highcard")
    async with running(app) as pilot:
        while not session.over:
            await until(pilot, lambda: asked(app) or session.over)
            if not session.over:
                await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no hang-up")
@pytest.mark.parametrize("stuck", [False, True])
def test_a_closed_terminal_saves_the_game(data: Path, stuck: bool) -> None:
    import os
    import pty

    pid, terminal = pty.fork()
    if not pid:
        os.environ.update(COLUMNS="80", LINES="24", TERM="xterm-256color", FACEUP_DATA=str(data))
        os.execv(sys.executable, [sys.executable, "-m", "faceup", "play", "nimmt", "-p", "Ann"])  # noqa: S606
    drawn = b""
    while b"follow" not in drawn and b"Ann" not in drawn:
        drawn += os.read(terminal, 65536)
    time.sleep(1)
    if stuck:  # nothing reads what the app draws, until the app waits for the terminal
        for _ in range(20):
            os.write(terminal, b"d")
            time.sleep(0.02)
    os.kill(pid, signal.SIGHUP)
    os.close(terminal)
    os.waitpid(pid, 0)
    (path,) = (data / "saved").glob("*.json")
    assert json.loads(path.read_text(encoding="utf-8"))["result"] is None
