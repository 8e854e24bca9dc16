"""What a viewer was told so far: the lines of its stream, whoever makes them and whenever."""

import json
from collections.abc import Callable

import pytest
from tests.server.rooms.play import CLOCK, IDS, Folded, Play, nimmt

from faceup.server.rooms import Mark, Opening, React, loads, past


def halfway(opening: Opening) -> Play:
    """A game that has begun: some turns, a mark that nobody else hears of, and a reaction."""
    play = Play(opening, seed=3).seated()
    play.turn()
    waiting = play.room.table.deciders[0]
    play.send(Mark(waiting, play.legal(waiting)[0], play.room.table.decision), IDS[waiting])
    play.send(React(1, "ouch"), IDS[1])
    play.turn(-1)
    return play


def finished(opening: Opening) -> Play:
    play = halfway(opening)
    while play.room.status == "active":
        play.turn()
    return play


OPENINGS = (
    nimmt(3, 4),
    Opening(game="niuniu", options={"seats": 3, "throws": 4}, terms=CLOCK),
    Opening(game="war", options={"per_suit": 5}, terms=CLOCK),
)


@pytest.mark.parametrize("opening", OPENINGS, ids=lambda opening: opening.game)
@pytest.mark.parametrize("so_far", [halfway, finished])
def test_whoever_comes_late_is_told_what_it_would_have_been_told(
    opening: Opening, so_far: Callable[[Opening], Play]
) -> None:
    play = so_far(opening)
    log = [loads(text) for text, _ in play.log]
    for viewer, stream in play.streams.items():
        lines = list(past(log, viewer))
        assert json.loads(lines[0])["sight"]["decision"] == 0
        assert lines[1:] == stream[-(len(lines) - 1) :]
        assert Folded(lines).sight == play.told[viewer].sight


def test_nothing_is_told_of_a_table_at_which_nobody_has_chosen_yet() -> None:
    play = Play(nimmt(3, 3))
    assert list(past([loads(text) for text, _ in play.log], 0)) == []
    play.seated()
    lines = list(past([loads(text) for text, _ in play.log], 0))
    assert [sorted(json.loads(line)) for line in lines] == [["at", "sight", "v"]]


def test_where_nobody_may_look_on_a_spectator_is_told_how_it_ended_and_no_more() -> None:
    private = nimmt(3, 4, watch="nobody")
    for so_far, sights in ((halfway, []), (finished, ["finished"])):
        log = [loads(text) for text, _ in so_far(private).log]
        assert [json.loads(line)["sight"]["status"] for line in past(log, None)] == sights
        assert len(list(past(log, 0))) > 1
