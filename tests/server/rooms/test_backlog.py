"""The backlog of a viewer equals the live messages."""

import json
from collections.abc import Callable

import pytest
from tests.server.rooms.room_log import CLOCK, IDS, Folded, Play, nimmt

from faceup.server.rooms import TableConfig, loads
from faceup.server.rooms.commands import React
from faceup.server.rooms.updates import backlog_lines
from faceup.table.commands import Mark


def halfway(config: TableConfig) -> Play:
    """Play some turns, with a mark and a reaction."""
    play = Play(config, seed=3).seated()
    play.turn()
    waiting = play.room.table.deciders[0]
    play.send(Mark(waiting, play.legal(waiting)[0], play.room.table.decision), IDS[waiting])
    play.send(React(1, "ouch"), IDS[1])
    play.turn(-1)
    return play


def finished(config: TableConfig) -> Play:
    play = halfway(config)
    while play.room.status == "active":
        play.turn()
    return play


OPENINGS = (
    nimmt(3, 4),
    TableConfig(game="niuniu", options={"seats": 3, "throws": 4}, terms=CLOCK),
    TableConfig(game="war", options={"per_suit": 5}, terms=CLOCK),
)


@pytest.mark.parametrize("config", OPENINGS, ids=lambda config: config.game)
@pytest.mark.parametrize("so_far", [halfway, finished])
def test_the_backlog_equals_the_live_messages(config: TableConfig, so_far: Callable[[TableConfig], Play]) -> None:
    play = so_far(config)
    log = [loads(text) for text, _ in play.log]
    for viewer, stream in play.streams.items():
        lines = list(backlog_lines(log, viewer))
        assert json.loads(lines[0])["room"]["decision"] == 0
        assert lines[1:] == stream[-(len(lines) - 1) :]
        assert Folded(lines).room_view == play.clients[viewer].room_view


def test_the_backlog_is_empty_before_the_game_starts() -> None:
    play = Play(nimmt(3, 3))
    assert list(backlog_lines([loads(text) for text, _ in play.log], 0)) == []
    play.seated()
    lines = list(backlog_lines([loads(text) for text, _ in play.log], 0))
    assert [sorted(json.loads(line)) for line in lines] == [["at", "room", "v"]]


def test_without_spectators_the_backlog_has_only_the_result() -> None:
    private = nimmt(3, 4, spectators="nobody")
    for so_far, views in ((halfway, []), (finished, ["finished"])):
        log = [loads(text) for text, _ in so_far(private).log]
        assert [json.loads(line)["room"]["status"] for line in backlog_lines(log, None)] == views
        assert len(list(backlog_lines(log, 0))) > 1
