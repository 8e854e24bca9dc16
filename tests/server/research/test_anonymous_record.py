"""Records for research: they replay to the same result, and say nothing about people."""

from collections import Counter
from typing import Annotated

import msgspec
import pytest
from tests.server.results.played_games import niuniu_game, play_game
from tests.server.rooms.room_log import IDS, NAMES, Play, nimmt

from faceup.bots import policy
from faceup.core.options import option_fields
from faceup.core.record import (
    Applied,
    Autoplayed,
    Chosen,
    Joined,
    Left,
    Record,
    Returned,
    Terms,
    TimedOut,
    dumps,
    replay,
)
from faceup.server.research.anonymous_record import AnonymousPlayer, anonymous_record
from faceup.server.rooms import TableConfig, loads, replay_lines
from faceup.server.rooms.commands import React
from faceup.table import ExpireDeadline
from faceup.table.commands import Autoplay, Leave, Mark, Pace, Pause, Resume, Return, Unchoose
from faceup.table.evolve import table_from

PLAYERS = tuple(AnonymousPlayer(f"person-{number}", "person") for number in range(3))
CLOCK = 30_000


def anonymized(play: Play, players: tuple[AnonymousPlayer, ...] = PLAYERS) -> Record | None:
    return anonymous_record((loads(entries) for entries, _ in play.log), players)


def checked(play: Play, players: tuple[AnonymousPlayer, ...] = PLAYERS) -> Record:
    """Return the record of a game, after checks that tables and replays accept it, with the same moves and result."""
    record = anonymized(play, players)
    assert record is not None
    table = table_from(record, policy(record.game, "random"))
    original = play.room.table.record
    assert table.status == "finished"
    assert record.result == original.result
    moves = [
        [(entry.actions, entry.outcome) for entry in game.entries if isinstance(entry, Applied)]
        for game in (record, original)
    ]
    assert moves[0] == moves[1]
    assert [frame.state for frame in replay(record)][-1] == play.room.table.state
    assert list(replay_lines(record))
    assert {type(entry) for entry in record.entries} <= {Joined, Chosen, TimedOut, Autoplayed, Applied, Left, Returned}
    assert all(entry.at % CLOCK == 0 for entry in record.entries)
    assert not any(name in dumps(record) for name in (*NAMES, *IDS))
    return record


def choose_all(play: Play) -> None:
    """Let everyone choose for the open decision; the table chooses for those who are away."""
    table = play.room.table
    for seat in table.deciders:
        player = play.room.table.players[seat]
        if play.room.table.decision == table.decision and play.room.table.choices[seat] is None and player is not None:
            play.now += 1_234
            if player.here:
                play.choose(seat)
            else:
                play.send(Autoplay(seat, decision=table.decision))


def a_long_game(config: TableConfig) -> Play:
    """Play a game with a mark, a timeout, someone who is away, a withdrawn choice, a pause, and another pace."""
    play = Play(config).seated()
    play.now += 777
    play.send(React(1, "bravo"), IDS[1])
    play.send(Pace(2, 2), IDS[2])
    play.choose(0, 1)
    play.send(Unchoose(0, play.room.table.decision), IDS[0])
    play.choose(0)
    play.send(Mark(1, play.legal(1)[1], play.room.table.decision), IDS[1])
    play.now += 3 * CLOCK
    play.send(ExpireDeadline())
    assert play.room.table.decision > 0
    while len(play.room.table.deciders) < len(PLAYERS):
        choose_all(play)
    play.send(Leave(2), IDS[2])
    choose_all(play)
    play.send(Pause(), IDS[0])
    play.now += 12_345
    play.send(Resume(), IDS[0])
    while len(play.room.table.deciders) < len(PLAYERS):
        choose_all(play)
    choose_all(play)
    if play.room.status == "active":
        play.send(Return(2), IDS[2])
    while play.room.status == "active":
        choose_all(play)
    return play


def test_a_record_has_the_moves_and_who_made_them() -> None:
    play = a_long_game(nimmt(hand=6))
    record = checked(play)
    own, late, away = (
        Counter(entry.seat for entry in record.entries if isinstance(entry, kind))
        for kind in (Chosen, TimedOut, Autoplayed)
    )
    assert late == {2: 1}  # the mark of seat 1 is its own choice
    assert away[2] >= 2
    assert set(away) == {2}
    assert set(own) == {0, 1, 2}
    assert [entry.at for entry in record.entries if isinstance(entry, TimedOut)] == [CLOCK]
    assert max(entry.at for entry in record.entries) == CLOCK
    assert [type(entry) for entry in record.entries if isinstance(entry, Left | Returned)] == [Left, Returned]


def test_a_record_of_a_table_that_reveals_at_the_deadline_counts_whole_clocks() -> None:
    play = Play(nimmt(hand=2, terms=Terms(clock=CLOCK, reveal="at_deadline"))).seated()
    while play.room.status == "active":
        choose_all(play)
        play.now += 2 * CLOCK
        play.send(ExpireDeadline())
    record = checked(play)
    assert max(entry.at for entry in record.entries) == play.room.table.decision * CLOCK


def test_a_record_of_a_fair_deal_has_no_proofs() -> None:
    play = Play(nimmt(hand=2, terms=Terms(clock=CLOCK, fair=True))).seated()
    for _ in range(2):
        for seat in range(3):
            play.answer(seat)
    while play.room.status == "active":
        choose_all(play)
    record = checked(play)
    assert not record.terms.fair
    assert "pledge" not in dumps(record)


def test_records_of_other_games_and_of_bots() -> None:
    bots = (*PLAYERS[:2], AnonymousPlayer("random", "random"))
    checked(play_game(2, away=(1,)), bots)
    record = checked(niuniu_game(1), bots)
    assert [entry.name for entry in record.entries if isinstance(entry, Joined)][-1] == "random"


def test_a_table_without_spectators_and_an_option_with_any_text_give_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    assert anonymized(play_game(3, config=nimmt(spectators="nobody"))) is None
    play = play_game(3)
    assert anonymized(play) is not None

    class Titled(msgspec.Struct):
        seats: int = 3
        hand: Annotated[str, "a title"] = ""

    monkeypatch.setattr("faceup.server.research.anonymous_record.option_fields", lambda _: option_fields(Titled))
    assert anonymized(play) is None
