"""Rematches: everyone and the same bots in the same seats, with the running score of the series."""

import msgspec
import pytest
from tests.server.rooms.room_log import CLOCK, IDS, NAMES, Play, events, nimmt, view_of

from faceup.core import WrongSeatError
from faceup.core.record import Extended, Result, Terms
from faceup.server.rooms import Sit, Start, TableConfig
from faceup.server.rooms.commands import AddBot, Rematch, Remove
from faceup.server.rooms.errors import TableFullError
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import COUNTDOWN, viewer_of
from faceup.server.rooms.series import MAX_GAMES, MAX_PLAYERS, Series, SeriesPlayer, add_game
from faceup.table.commands import Pace
from faceup.table.errors import StaleCommandError


def evening(seats: int = 4, **config: object) -> Play:
    """Play a game of Ada and Bo in the first seats, and bots of two kinds."""
    play = Play(nimmt(seats, 2, bots=("greedy",), **config))
    play.send(Sit("Bo"), IDS[1])
    play.send(AddBot("random", 3), IDS[0])
    play.send(Start(), IDS[0])
    return play.finish()


def result_of(play: Play) -> Result:
    assert play.room.table.record.result is not None
    return play.room.table.record.result


def players(play: Play) -> list[tuple[str, str] | None]:
    return [None if player is None else (player.name, player.kind) for player in play.room.table.players]


def test_a_rematch_has_the_same_bots_and_reserved_seats() -> None:
    first = evening()
    again = first.rematch(IDS[1])
    assert players(again) == [None, ("Bo", "person"), ("Penny", "greedy"), ("Lucky", "random")]
    assert again.room.reserved == (handle_of(IDS[0]), "", "", "")
    assert (again.room.host, viewer_of(again.room, IDS[1]), again.room.status) == (IDS[1], 1, "pending")
    with pytest.raises(TableFullError):
        again.send(Sit("Di"), IDS[3])
    again.send(Sit("Ada"), IDS[0])
    assert players(again) == players(first)
    assert again.room.config.rated == first.room.config.rated


def test_only_players_and_the_host_can_ask_for_a_rematch_and_only_once() -> None:
    play = evening()
    with pytest.raises(WrongSeatError, match="only the players"):
        play.send(Rematch("next"), IDS[3])
    play.send(Rematch("next"), IDS[1])
    assert view_of(play.room, None)["rematch"] == "next"
    assert events(play.streams[0][-1]) == ["rematch_created"]
    assert b'"text":"Bo wants to play again."' in play.streams[0][-1]
    with pytest.raises(StaleCommandError, match="already created"):
        play.send(Rematch("other"), IDS[0])


@pytest.mark.parametrize("clock", [5_000, None])
def test_a_rematch_of_several_people_starts_with_a_countdown_that_costs_no_time(clock: int | None) -> None:
    again = evening(terms=Terms(clock=clock)).rematch(IDS[0])
    again.now = 1_000
    append = again.send(Sit("Bo"), IDS[1])
    assert (again.room.status, again.room.countdown_ends) == ("active", 1_000 + COUNTDOWN)
    assert view_of(again.room, None)["countdown_ends"] == 1_000 + COUNTDOWN
    assert again.room.due == (None if clock is None else 1_000 + COUNTDOWN + clock)
    assert isinstance(append[-1], Extended) == (clock is not None)
    assert "deadline_extended" not in events(again.streams[0][-1])
    assert again.rebuilt() == again.room


def test_a_rematch_against_bots_alone_starts_at_once_without_a_countdown() -> None:
    play = Play(nimmt(3, 2, bots=("greedy",)))
    play.send(Start(), IDS[0])
    again = play.finish().rematch(IDS[0])
    assert (again.room.status, again.room.countdown_ends, again.room.due) == ("active", None, CLOCK.clock)
    assert players(again) == players(play)


def test_a_player_without_a_time_limit_has_none_in_the_rematch() -> None:
    play = Play(nimmt(2, 2, bots=("greedy",)))
    play.send(Pace(0, None), IDS[0])
    play.send(Start(), IDS[0])
    again = play.finish().rematch(IDS[0])
    assert (again.room.status, again.room.table.paces) == ("active", (None, 1))
    assert "due" not in view_of(again.room, 0)


def test_the_host_can_start_without_a_player_who_does_not_come_back() -> None:
    again = evening().rematch(IDS[0])
    again.send(Start(), IDS[0])
    assert players(again)[1] == ("Magpie", "greedy")
    assert (again.room.status, again.room.countdown_ends) == ("active", None)
    third = again.finish().rematch(IDS[0])
    series = third.room.series
    assert series is not None
    assert [(player.name, player.games, player.seat) for player in series.players] == [
        ("Ada", 2, 0), ("Bo", 1, 1), ("Penny", 2, 2), ("Lucky", 2, 3), ("Magpie", 1, 1),
    ]  # fmt: skip
    assert [player.places[0] is None for player in series.players] == [False] * 4 + [True]
    assert [player.places[1] is None for player in series.players] == [False, True, False, False, False]


def test_a_host_without_a_seat_can_ask_and_is_not_seated() -> None:
    play = Play(nimmt(2, 2), host=None)
    assert play.room.host is None
    play.send(Sit("Ada"), IDS[0])
    play.send(Sit("Bo"), IDS[1])
    play.finish()
    play.room = msgspec.structs.replace(play.room, host=IDS[3])
    again = play.rematch(IDS[3])
    assert (again.room.host, players(again), again.room.status) == (IDS[3], [None, None], "pending")


def test_a_removed_player_cannot_sit_down_in_the_rematch() -> None:
    play = Play(nimmt(3, 2))
    play.send(Sit("Cy"), IDS[2])
    play.send(Remove(1), IDS[0])
    play.send(Sit("Bo"), IDS[1])
    play.send(Start(), IDS[0])
    again = play.finish().rematch(IDS[0])
    again.send(Remove(1), IDS[0])
    with pytest.raises(WrongSeatError, match="removed you"):
        again.send(Sit("Cy"), IDS[2])
    again.send(Sit("Bo"), IDS[1])
    assert again.room.status == "active"


def test_a_fair_rematch_deals_together_before_its_first_deadline() -> None:
    play = Play(nimmt(2, 2, terms=Terms(clock=30_000, fair=True)))
    play.send(Sit("Bo"), IDS[1])
    for _ in range(2):
        for seat in range(2):
            play.answer(seat)
    again = play.finish().rematch(IDS[0])
    append = again.send(Sit("Bo"), IDS[1])
    assert again.room.countdown_ends == COUNTDOWN
    assert again.room.table.committing
    assert not any(isinstance(entry, Extended) for entry in append)


def test_the_series_is_null_in_a_first_game_and_includes_a_finished_rematch() -> None:
    first = evening()
    assert "series" not in view_of(first.room, 0)
    again = first.rematch(IDS[0])
    before = view_of(again.room, None)["series"]
    results = [result_of(first)]
    assert (before["games"], [player["scores"] for player in before["players"]]) == (
        1, [[score] for score in results[0].scores],
    )  # fmt: skip
    again.send(Sit("Bo"), IDS[1])
    again.finish()
    results.append(result_of(again))
    after = view_of(again.room, None)["series"]
    assert after["games"] == 2
    for seat, player in enumerate(after["players"]):
        assert player["scores"] == [result.scores[seat] for result in results]
        assert player["places"] == [result.ranks[seat] for result in results]
        assert player["score"] == sum(player["scores"])
    assert sum(player["wins"] for player in after["players"]) == pytest.approx(2)
    assert all(client.room_view == view_of(again.room, viewer) for viewer, client in again.clients.items())
    assert [again.rematch(IDS[1]).room.series] == [msgspec.convert(after, Series)]


def test_a_long_series_lists_the_last_games_and_counts_all() -> None:
    series: Series | None = None
    for number in range(MAX_GAMES + 5):
        ann = SeriesPlayer(name="Ann", kind="person", handle="ann", seat=0)
        guest = SeriesPlayer(name=f"Guest {number}", kind="person", handle=f"guest {number}", seat=1)
        series = add_game(series, (ann, guest), Result((number, 0), (2, 1)))
    assert series is not None
    assert (series.games, len(series.players)) == (MAX_GAMES + 5, MAX_PLAYERS)
    ann = series.players[0]
    assert (ann.games, ann.score) == (MAX_GAMES + 5, sum(range(MAX_GAMES + 5)))
    assert ann.scores == tuple(range(5, MAX_GAMES + 5))
    assert series.players[-1].scores == (*[None] * (MAX_GAMES - 1), 0)
    assert len(msgspec.json.encode(series)) < 10_000


def test_a_player_keeps_the_score_under_another_name_and_in_another_seat() -> None:
    ann = SeriesPlayer(name="Ann", kind="person", handle="ann", seat=0)
    bo = SeriesPlayer(name="Bo", kind="person", handle="bo", seat=1)
    series = add_game(None, (ann, bo), Result((3, 9), (1, 2)))
    moved = msgspec.structs.replace(ann, name="Anna", seat=1), msgspec.structs.replace(bo, seat=0)
    series = add_game(series, (moved[1], moved[0]), Result((5, 5), (1, 1)))
    assert [(player.name, player.seat, player.score, player.wins) for player in series.players] == [
        ("Anna", 1, 8, 1.5), ("Bo", 0, 14, 0.5),
    ]  # fmt: skip


def test_a_first_game_with_reserved_seats_has_no_countdown() -> None:
    play = Play(nimmt(2, reserved=("", handle_of(IDS[1]))))
    play.send(Sit(NAMES[1]), IDS[1])
    assert (play.room.status, play.room.countdown_ends, play.room.due) == ("active", None, CLOCK.clock)


def test_niu_niu_has_a_series_too() -> None:
    play = Play(TableConfig(game="niuniu", options={"seats": 2, "throws": 3}, terms=Terms()))
    play.send(Sit("Bo"), IDS[1])
    again = play.finish().rematch(IDS[1])
    series = again.room.series
    assert series is not None
    assert [player.games for player in series.players] == [1, 1]
