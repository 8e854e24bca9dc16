"""The time that a reveal takes is granted before the thinking time of the next decision."""

import pytest
from tests.server.rooms.room_log import CLOCK, IDS, Play, nimmt

from faceup.core import find_game
from faceup.core.record import Applied, Terms
from faceup.server.rooms import Choose, TableConfig, fold_log, loads
from faceup.table import ExpireDeadline


def play_turns(play: Play, thinking: int) -> list[tuple[int, int, int | None]]:
    """Play to the end; return for each move when it was made, its reveal time, and the deadline that follows."""
    moves = []
    while play.room.status == "active":
        play.now += thinking
        for seat in play.room.table.waiting:
            before = len(play.room.table.entries)
            batch = play.send(Choose(seat, play.legal(seat)[0]), IDS[seat])
            if any(isinstance(entry, Applied) for entry in batch):
                assert before < len(play.room.table.entries)
                moves.append((play.now, find_game(play.room.config.game).reveal_time(play.room.events), play.room.due))
    return moves


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_a_deadline_is_the_end_of_the_turn_plus_its_reveal_time_plus_the_limit(game: str) -> None:
    options = {"nimmt": {"seats": 2, "deals": 2, "hand": 4}, "niuniu": {"throws": 3}, "war": {"cap": 20}}
    play = Play(TableConfig(game=game, options={**options[game]}, terms=CLOCK)).seated()
    moves = play_turns(play, thinking=20_000)
    assert len(moves) >= 3
    assert all(reveal > 0 for _, reveal, _ in moves)
    for at, reveal, due in moves[:-1]:
        assert due == at + reveal + 30_000
    assert moves[-1][2] is None


def test_a_row_choice_during_the_reveal_does_not_cost_the_others_the_rest_of_it() -> None:
    for seed in range(50):
        play = Play(nimmt(3, hand=4), seed=seed).seated()
        while play.room.status == "active":
            seats = play.room.table.waiting
            started = play.room.due or 0
            play.now += 100
            for seat in seats:
                play.send(Choose(seat, play.legal(seat)[0]), IDS[seat])
            if len(seats) == 1 and play.room.status == "active":  # a row was chosen
                reveal = find_game("nimmt").reveal_time(play.room.events)
                assert play.room.due == started + reveal  # what was left of the reveal is kept
                return
    raise AssertionError


def test_a_choice_of_everyone_keeps_nothing_of_the_reveal_before() -> None:
    play = Play(TableConfig(game="niuniu", options={"throws": 4}, terms=CLOCK)).seated()
    for at, reveal, due in play_turns(play, thinking=10)[:-1]:
        assert due == at + reveal + 30_000


def test_the_log_holds_the_reveal_time_and_replays_to_the_same_deadlines() -> None:
    play = Play(nimmt(3)).seated()
    play.now = play.room.due or 0
    play.send(ExpireDeadline())
    assert any(b'"reveal_time":' in batch for batch, _ in play.log)
    replayed = fold_log([(loads(batch), command) for batch, command in play.log])
    assert (replayed.due, replayed.table.shown_at) == (play.room.due, play.room.table.shown_at)


def test_a_table_without_a_clock_has_no_reveal_time() -> None:
    play = Play(nimmt(3, terms=Terms())).seated()
    for seat in range(3):
        play.send(Choose(seat, play.legal(seat)[0]), IDS[seat])
    assert not any(b'"reveal_time":' in batch for batch, _ in play.log)
