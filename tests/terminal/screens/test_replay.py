"""The replay screen steps in both directions and shows only information that is allowed."""

import pytest
from tests.terminal.pilot import SEED, running, until

from faceup.core import generator, make
from faceup.core.record import Record, Terms
from faceup.games.nimmt.state import State
from faceup.terminal.app import FaceupApp
from faceup.terminal.boards.nimmt import NimmtBoard
from faceup.terminal.playback import Playback
from faceup.terminal.replay_frames import replay_frames
from faceup.terminal.screens.replay import ReplayScreen
from faceup.terminal.session import TerminalSession


def finished(decisions: int = 1000) -> Record:
    """Return the record of a small game, or of its first decisions."""
    rules = make("nimmt seats=2 hand=3")
    players = [("Ann", "greedy"), ("Bo", "greedy")]
    session, _ = TerminalSession.start(rules, players, generator(SEED), terms=Terms(), keep=False)
    while not session.over and session.table.decision < decisions:
        for _ in session.play_bots():
            pass
    return session.table.record


def replaying(app: FaceupApp) -> ReplayScreen:
    assert isinstance(app.screen, ReplayScreen)
    return app.screen


async def test_steps_go_forwards_and_backwards_and_to_both_ends() -> None:
    answer = replay_frames(finished())
    app = FaceupApp(replay=(answer, None), playback=Playback("instant"))
    async with running(app) as pilot:
        screen = replaying(app)
        board = screen.board
        assert isinstance(board, NimmtBoard)
        await pilot.press("right")
        opening = board.rows.rows
        await pilot.press("right")
        assert screen.at == 2
        assert board.rows.rows != opening
        await pilot.press("left")
        assert board.rows.rows == opening
        await pilot.press("end")
        assert screen.at == len(answer.frames) - 1
        assert "wins" in screen.side.sentences[-1] or "share the win" in screen.side.sentences[-1]
        await pilot.press("home")
        assert screen.at == 0
        assert screen.side.sentences == ()


@pytest.mark.slow
async def test_it_plays_by_itself_to_the_end() -> None:
    answer = replay_frames(finished())
    app = FaceupApp(replay=(answer, None), playback=Playback("instant"))
    async with running(app) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: replaying(app).at == len(answer.frames) - 1)


@pytest.mark.slow
async def test_a_finished_game_can_be_seen_from_any_seat() -> None:
    answer = replay_frames(finished())
    app = FaceupApp(replay=(answer, None), playback=Playback("instant"))
    async with running(app) as pilot:
        await pilot.press("right", "v")
        state = answer.frames[1].state
        assert isinstance(state, State)
        board = replaying(app).board
        assert isinstance(board, NimmtBoard)
        assert board.hand.cards == state.hands[0]


async def test_hands_stay_hidden_in_an_unfinished_game() -> None:
    answer = replay_frames(finished(decisions=1))
    app = FaceupApp(replay=(answer, None), playback=Playback("instant"))
    async with running(app) as pilot:
        await pilot.press("right", "v")
        board = replaying(app).board
        assert isinstance(board, NimmtBoard)
        assert board.hand.cards == ()


@pytest.mark.slow
async def test_escape_leaves() -> None:
    app = FaceupApp(replay=(replay_frames(finished()), None), playback=Playback("instant"))
    async with running(app) as pilot:
        await pilot.press("escape")
        await pilot.pause()
    assert app.return_code == 0


async def test_the_cards_of_the_last_turn_are_face_up() -> None:
    answer = replay_frames(finished())
    app = FaceupApp(replay=(answer, None), playback=Playback("instant"))
    async with running(app) as pilot:
        board = replaying(app).board
        assert isinstance(board, NimmtBoard)
        await pilot.press("right")
        assert board.face_up.plays == {}
        await pilot.press("end")
        state = answer.frames[-1].state
        assert isinstance(state, State)
        assert board.face_up.plays == dict(enumerate(state.log[-1].plays))
        assert not board.face_up.gone
