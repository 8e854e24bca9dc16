"""Boards animate events and end at the position of the view."""

from collections.abc import Iterator

import pytest
from tests.terminal.pilot import SEED, asked, running, session_of, shown, table_screen, until

from faceup.core import Event, generator, make, play_game
from faceup.games.niuniu import score
from faceup.terminal.boards import BOARDS
from faceup.terminal.boards.niuniu import triple_marks
from faceup.terminal.boards.war import WarBoard
from faceup.terminal.screens.dialogs import GameOverDialog


def steps(spec: str) -> Iterator[tuple[tuple[Event, ...], object]]:
    """Yield each move's events and the spectator's view after it, for a game of first legal actions."""
    rules = make(spec)
    for _, step in play_game(rules, [lambda _, view, __: view.legal[0]] * rules.seats, generator(SEED)):
        yield step.events, rules.view(step.state, None)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["nimmt seats=3", "nimmt:classic seats=4 deals=2 hand=4", "niuniu seats=4 throws=5"])
async def test_after_its_events_a_board_matches_the_view(spec: str) -> None:
    _, app = session_of(spec)
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        board = table_screen(app).board
        board.show(make(spec).view(make(spec).start(), None))
        for events, view in steps(spec):
            for event in events:
                list(board.play(event))
            played = (board.notes(), getattr(getattr(board, "rows", None), "rows", ()))
            board.show(view)  # type: ignore[arg-type]  # a view
            assert played == (board.notes(), getattr(getattr(board, "rows", None), "rows", ()))


@pytest.mark.slow
async def test_piles_of_war_match_the_view_after_every_flip() -> None:
    _, app = session_of("war")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        board = table_screen(app).board
        for events, view in steps("war cap=300"):
            for event in events:
                list(board.play(event))
            played = board.notes()
            board.show(view)  # type: ignore[arg-type]  # a view
            assert played == board.notes()


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(BOARDS))
@pytest.mark.parametrize("size", [(80, 22), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_a_board_of_bots_fits_the_terminal_at_its_end(game: str, size: tuple[int, int]) -> None:
    seats = {"nimmt": " seats=10", "niuniu": " seats=10 throws=2", "war": " per_suit=3 down=1"}[game]
    _, app = session_of(game + seats, people=())
    async with running(app, size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, GameOverDialog), seconds=20)
        await pilot.press("l")
        await pilot.pause()
        text = shown(app)
        assert "The game is over" in text
        assert all(name in text for name in table_screen(app).names[:2])


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["Bartholomew Featherstonehaugh", "十二个汉字的名字很长很长"])
@pytest.mark.parametrize(
    ("game", "score", "seats"),
    [("nimmt", " 0∀", 4), ("nimmt", " 0∀", 10), ("niuniu", "★0", 3), ("niuniu", "★0", 10), ("war", "26 cards", 2)],
)
async def test_a_long_name_hides_no_score(game: str, score: str, seats: int, name: str) -> None:
    _, app = session_of(f"{game} seats={seats}", people=[name])
    async with running(app, size=(80, 22)) as pilot:
        await until(pilot, lambda: asked(app))
        text = shown(app)
        assert text.count(score) >= seats
        assert name[:5] in text


@pytest.mark.parametrize(
    ("dice", "marked"),
    [((5, 2, 4, 6, 3), [0, 1, 4]), ((3, 3, 4, 1, 2), [0, 1, 2]), ((6, 6, 6, 6, 5), [])],
)
def test_the_triple_is_marked_where_it_lies(dice: tuple[int, ...], marked: list[int]) -> None:
    marks = triple_marks(dice, score(dice))
    assert [place for place, mark in enumerate(marks) if mark == "triple"] == marked


@pytest.mark.slow
async def test_a_long_war_fits_and_counts_the_cards_that_do_not() -> None:
    _, app = session_of("war")
    async with running(app) as pilot:
        await until(pilot, lambda: asked(app))
        board = table_screen(app).board
        assert isinstance(board, WarBoard)
        lane = board.lanes[0]
        lane.played = [12 * 4, *([None, None, None, 8] * 4)]
        lane.redraw()
        await pilot.pause(0.05)
        assert all(line.cell_length <= 52 for line in lane.lines())
        assert "+" in lane.lines()[3].plain
