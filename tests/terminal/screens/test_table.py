"""The live table: games are played to their end, choices change, and hands stay hidden."""

from typing import Any

import pytest
from tests.terminal.pilot import Hand, asked, running, session_of, shown, table_screen, until

from faceup.core.record import Chosen, Terms, TimedOut
from faceup.games.nimmt.state import State
from faceup.table import view_for
from faceup.terminal.app import FaceupApp
from faceup.terminal.boards.nimmt import NimmtBoard
from faceup.terminal.screens.dialogs import GameOverDialog, HintDialog, RulesDialog
from faceup.terminal.screens.hand_over_screen import HandOverScreen


@pytest.mark.slow
async def test_a_game_of_6_nimmt_is_played_to_its_end_by_keys_alone() -> None:
    session, app = session_of("nimmt seats=3 hand=4")
    async with running(app) as pilot:
        while not session.over:
            await until(pilot, lambda: asked(app) or session.over)
            if not session.over:
                await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        assert "Game over" in shown(app)


@pytest.mark.slow
async def test_h_shows_a_hint_and_the_prompt_returns() -> None:
    session, app = session_of("nimmt seats=3")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        before = shown(app).splitlines()[-2]
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HintDialog))
        assert "Hint for Ann" in shown(app)
        assert shown(app).count("%") >= 10
        await pilot.press("escape")
        await until(pilot, lambda: asked(app))
        assert shown(app).splitlines()[-2] == before
        assert session.table.decision == 0


async def test_a_table_without_hints_has_no_key_for_them() -> None:
    _, app = session_of("nimmt seats=3", terms=Terms(hints=False))
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        assert "Hint" not in shown(app)
        await pilot.press("h")
        await pilot.pause()
        assert asked(app)


def timers(app: FaceupApp) -> list[float]:
    """Return the intervals in seconds of all timers that will wake the app."""
    nodes = [app, *(node for screen in app.screen_stack for node in screen.walk_children(with_self=True))]
    timers: set[Any] = {timer for node in nodes for timer in node._timers}
    return [timer._interval for timer in timers if timer._task and not timer._task.done() and timer._active.is_set()]


@pytest.mark.sample(1)
@pytest.mark.parametrize("clock", [None, 30_000])
async def test_an_idle_table_wakes_at_most_once_a_second(clock: int | None) -> None:
    now = Hand()
    session, app = session_of("nimmt seats=3 hand=2", terms=Terms(clock=clock), time=now)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        assert timers(app) == ([1.0] if clock else [])
        now.at += 250
        table_screen(app)._tick()
        await pilot.pause()
        assert timers(app) == ([0.75] if clock else []), "the seconds change in time"
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, RulesDialog) and not timers(app))
        await pilot.press("escape")
        await until(pilot, lambda: asked(app))
        assert len(timers(app)) == bool(clock)
        while not session.over:
            await pilot.press("enter")
            await until(pilot, lambda: asked(app) or session.over)
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        assert timers(app) == []


@pytest.mark.slow
async def test_niu_niu_is_played_to_its_end() -> None:
    session, app = session_of("niuniu throws=3")
    async with running(app) as pilot:
        for played in range(3):
            await until(pilot, lambda: asked(app))
            assert f"throw {played + 1} of 3" in shown(app)
            await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        assert session.over


@pytest.mark.slow
async def test_war_plays_itself_to_its_end() -> None:
    session, app = session_of("war per_suit=4 down=1")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog), seconds=20)
        assert session.over


@pytest.mark.slow
async def test_bots_play_to_the_end_without_prompts() -> None:
    session, app = session_of("nimmt seats=10", people=(), bots="greedy")
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
        assert session.over


@pytest.mark.slow
async def test_a_number_typed_finds_the_card_and_a_click_on_it_plays_it() -> None:
    session, app = session_of("nimmt seats=2")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        board = table_screen(app).board
        assert isinstance(board, NimmtBoard)
        card = board.hand.cards[6]
        await pilot.press(*str(card))
        assert board.hand.cursor == 6
        assert f"{card} " in shown(app).splitlines()[22]
        await pilot.click(board.hand, offset=(6 * 6 + 2, 1))
        await until(pilot, lambda: session.table.decision == 1)
        assert any(isinstance(entry, Chosen) and entry.action == f"play {card}" for entry in session.table.entries)


@pytest.mark.slow
async def test_a_click_on_another_card_lifts_it_first() -> None:
    session, app = session_of("nimmt seats=2")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        board = table_screen(app).board
        assert isinstance(board, NimmtBoard)
        await pilot.click(board.hand, offset=(3 * 6 + 2, 1))
        assert board.hand.cursor == 3
        assert session.table.decision == 0


def too_low_seed() -> int:
    """Return a seed with which the lowest card of seat 0 is lower than all rows in the first turn."""
    for seed in range(200):
        session, _ = session_of("nimmt seats=2", seed=seed)
        state = session.table.state
        assert isinstance(state, State)
        if state.hands[0][0] < min(row[0] for row in state.rows) and state.hands[0][0] < state.hands[1][0]:
            return seed
    raise AssertionError("no such deal")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "way", ["key", pytest.param("click", marks=pytest.mark.slow), pytest.param("arrows", marks=pytest.mark.slow)]
)
async def test_a_player_with_a_low_card_takes_the_chosen_row(way: str) -> None:
    session, app = session_of("nimmt seats=2", seed=too_low_seed())
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: asked(app) and session.table.decision == 1)
        assert "Lower than every row" in shown(app)
        board = table_screen(app).board
        assert isinstance(board, NimmtBoard)
        if way == "key":
            await pilot.press("3")
        elif way == "click":
            await pilot.click(board.rows, offset=(5, 2 * 3 + 1))
        else:
            await pilot.press("down", "down", "enter")
        await until(pilot, lambda: session.table.decision == 2)
        assert any(isinstance(entry, Chosen) and entry.action == "take row 2" for entry in session.table.entries)


@pytest.mark.slow
async def test_a_reveal_is_shown_card_by_card_and_can_be_skipped() -> None:
    session, app = session_of("nimmt seats=3")
    app.playback.change(-2)  # slow
    async with running(app) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        board = table_screen(app).board
        assert isinstance(board, NimmtBoard)
        await until(pilot, lambda: len(board.face_up.plays) == 3)
        assert session.table.decision == 1
        assert not board.face_up.gone, "the cards lie face up before the first is placed"
        assert not asked(app)
        await pilot.press("space")
        await until(pilot, lambda: asked(app))
        assert board.rows.rows == view_for(session.table, 0).view.rows  # type: ignore[attr-defined]  # a nimmt view


def hands_on_screen(text: str, session_hand: tuple[int, ...]) -> int:
    """Return how many cards of a hand are visible in the text."""
    return sum(f" {card} " in text or f"│{card} " in text for card in session_hand)


async def test_the_hand_over_screen_hides_every_hand() -> None:
    session, app = session_of("nimmt seats=2", people=("Ann", "Bo"))
    async with running(app) as pilot:
        state = session.table.state
        assert isinstance(state, State)
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        assert "Pass the keyboard to Ann" in shown(app)
        board = table_screen(app).board
        assert isinstance(board, NimmtBoard)
        assert board.hand.cards == ()
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        assert board.hand.cards == state.hands[0]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        assert "Pass the keyboard to Bo" in shown(app)
        assert board.hand.cards == ()
        assert not any(" gets " in sentence for sentence in table_screen(app).side.sentences)


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("spec", ["nimmt seats=2", "highcard seats=2"])
async def test_the_last_to_choose_does_not_show_their_hand_during_the_reveal(spec: str) -> None:
    session, app = session_of(spec, people=("Ann", "Bo"))
    async with running(app) as pilot:
        for _ in range(2):
            await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
            await pilot.press("enter")
            await until(pilot, lambda: asked(app))
            text = shown(app)
            app.playback.change(-3)  # slow
            await pilot.press("enter")
        await until(pilot, lambda: session.table.decision == 1)
        assert "Bo gets" not in shown(app)
        hand = getattr(view_for(session.table, 1).view, "hand")  # noqa: B009 -- both games' views have one
        assert hands_on_screen(text, hand) > hands_on_screen(shown(app), hand) == 0


@pytest.mark.slow
async def test_a_choice_can_be_changed_until_everyone_has_chosen() -> None:
    session, app = session_of("nimmt seats=2", people=("Ann", "Bo"))
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        first = session.table.choices[0]
        await pilot.press("1")
        await until(pilot, lambda: asked(app))
        await pilot.press("right", "enter")
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        assert session.table.choices[0] not in {None, first}
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: session.table.decision == 1)


CLOCK = Terms(clock=30_000, autoplay="lowest")


@pytest.mark.slow
async def test_a_timeout_chooses_for_the_player() -> None:
    time = Hand()
    session, app = session_of("nimmt seats=2", terms=CLOCK, time=time)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        time.at += 29_000
        await until(pilot, lambda: " 1 s" in shown(app))
        assert session.table.choices[0] is None
        time.at += 1_000
        await until(pilot, lambda: session.table.decision >= 1)
        assert any(isinstance(entry, TimedOut) and entry.seat == 0 for entry in session.table.entries)


@pytest.mark.slow
async def test_at_one_keyboard_a_timeout_affects_only_the_current_player() -> None:
    time = Hand()
    session, app = session_of("nimmt seats=2", people=("Ann", "Bo"), terms=CLOCK, time=time)
    async with running(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen) and session.time_left == 30_000)
        time.at += 60_000
        await pilot.pause(0.3)
        assert session.table.choices == (None, None), "the clock is paused while the hand-over screen is shown"
        await pilot.press("enter")
        await until(pilot, lambda: asked(app))
        time.at += 30_000
        await until(pilot, lambda: isinstance(app.screen, HandOverScreen))
        assert session.table.choices[0] is not None
        assert session.table.choices[1] is None
        assert "Pass the keyboard to Bo" in shown(app)


@pytest.mark.slow
async def test_with_a_reveal_at_the_deadline_one_may_choose_again_until_then() -> None:
    time = Hand()
    terms = Terms(clock=30_000, autoplay="lowest", reveal="at_deadline")
    session, app = session_of("nimmt seats=2", terms=terms, time=time)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: session.table.choices[0] is not None and asked(app))
        first = session.table.choices[0]
        await pilot.press("right", "enter")
        await until(pilot, lambda: session.table.choices[0] not in {None, first})
        assert session.table.decision == 0
        time.at += 30_000
        await until(pilot, lambda: session.table.decision == 1)


@pytest.mark.slow
async def test_several_people_who_have_chosen_wait_for_the_deadline_together() -> None:
    time = Hand()
    terms = Terms(clock=30_000, autoplay="lowest", reveal="at_deadline")
    session, app = session_of("nimmt seats=2", people=("Ann", "Bo"), terms=terms, time=time)
    async with running(app) as pilot:
        for name in ("Ann", "Bo"):
            await until(pilot, lambda name=name: f"Pass the keyboard to {name}" in shown(app))  # type: ignore[misc]  # bound now
            await pilot.press("enter")
            await until(pilot, lambda: asked(app))
            await pilot.press("enter")
        await until(pilot, lambda: "Everyone here has chosen" in shown(app))
        assert session.table.decision == 0
        time.at += 30_000
        await until(pilot, lambda: session.table.decision == 1)


@pytest.mark.slow
async def test_a_match_of_several_deals_waits_between_them() -> None:
    _, app = session_of("nimmt:classic seats=2 hand=2 deals=2")
    async with running(app) as pilot:
        while "Press Space to continue" not in shown(app):
            await until(pilot, lambda: asked(app) or "Press Space to continue" in shown(app))
            await pilot.press("enter")
        await pilot.press("space")
        await until(pilot, lambda: asked(app))
        assert "deal 2" in shown(app)


@pytest.mark.slow
async def test_the_rules_open_with_a_question_mark_and_stop_the_clock() -> None:
    time = Hand()
    session, app = session_of("nimmt seats=2", terms=CLOCK, time=time)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, RulesDialog) and "Rules of 6 nimmt!" in shown(app))
        time.at += 60_000
        await pilot.pause(0.3)
        assert session.table.decision == 0
        await pilot.press("escape")
        await until(pilot, lambda: asked(app))
        assert session.time_left == 30_000


@pytest.mark.slow
async def test_scores_and_taken_cards_can_be_seen() -> None:
    session, app = session_of("nimmt seats=2", seed=too_low_seed())
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        await pilot.press("enter")
        await until(pilot, lambda: asked(app) and session.table.decision == 1)
        state = session.table.state
        assert isinstance(state, State)
        (card,) = state.rows[1]
        await pilot.press("1")
        await until(pilot, lambda: asked(app) and session.table.decision == 2)
        await pilot.press("t")
        await pilot.pause(0.1)
        assert "Cards taken" in shown(app)
        assert f"{card} " in shown(app)


@pytest.mark.slow
async def test_spectators_are_offered_only_their_keys() -> None:
    session, app = session_of("nimmt seats=2", people=())
    app.playback.change(-3)  # slow
    async with running(app) as pilot:
        await until(pilot, lambda: "p pauses" in shown(app) and "Skip" in shown(app))
        assert "Choose" not in shown(app)
        assert "Auto" not in shown(app)
        await pilot.press("p")
        await pilot.press("space")
        at = len(session.table.entries)
        await pilot.pause(0.4)
        assert len(session.table.entries) <= at + 1, "a pause lets nothing happen but what was on its way"
        await pilot.press("p", "plus", "plus", "plus")
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog))
