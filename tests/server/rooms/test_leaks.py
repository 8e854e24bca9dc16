"""What a viewer is sent does not depend on what is hidden from it: the same bytes, as many lines, in the same order."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.server.rooms.play import CLOCK, IDS, Play, nimmt, with_state

from faceup.core import RulesError, generator
from faceup.core.record import Applied, Terms
from faceup.server.rooms import (
    Change,
    Choose,
    Close,
    Leave,
    Mark,
    Opening,
    Pause,
    React,
    Resume,
    Return,
    Room,
    RoomCommand,
    Sit,
    StandIn,
    Tick,
    Unchoose,
    Viewer,
    decide,
    evolve,
    sight_for,
    whole,
)

OPENINGS = (
    nimmt(3, 3),
    Opening(game="nimmt", variant="tactical", options={"seats": 3, "hand": 3, "deals": 2}, terms=CLOCK),
    Opening(game="niuniu", options={"seats": 3, "throws": 3}, terms=CLOCK),
    Opening(game="war", options={"per_suit": 5}, terms=CLOCK),
)


class World:
    """A room, and all that one viewer is sent and answered.

    In the world of index 1 another seat marks and thinks again where in that of index 0 it does not, and chooses
    otherwise.
    """

    def __init__(self, room: Room, viewer: Viewer, index: int) -> None:
        self.room = room
        self.viewer = viewer
        self.index = index
        self.decision = room.table.decision
        self.told = [whole(room, viewer)]
        self.now = room.at

    def send(self, command: RoomCommand, player: str | None) -> None:
        """Send a command; if it is the viewer's own, an answer is among what it is told."""
        waiting = [seat for seat in self.room.table.deciders if self.room.table.choices[seat] is None]
        if isinstance(command, Choose | StandIn) and waiting in ([command.seat], []):
            return  # the last choice turns everything up
        try:
            append = decide(self.room, command, player, self.now, generator(1))
        except RulesError as error:
            if player is not None and player == self.me:
                self.told.append(f"{error.kind} {error} {getattr(error, 'legal', ())}".encode())
            return
        after = evolve(self.room, append) if append else self.room
        if (line := Change(self.room, after).line(self.viewer)) is not None:
            self.told.append(line)
        self.room = after

    @property
    def me(self) -> str | None:
        return None if self.viewer is None else IDS[self.viewer]

    def words(self, seat: int, which: int) -> str:
        """One of the seat's actions; where it has none, one that nobody may play."""
        rules = self.room.table.rules
        legal = rules.legal(self.room.table.state, seat)
        return rules.describe(legal[-which]) if legal else "play 104"

    def choose(self, seat: int) -> None:
        if self.room.table.choices[seat] is not None:
            self.send(Unchoose(seat, self.decision), IDS[seat])
        else:
            self.send(Choose(seat, self.words(seat, self.index), self.decision), IDS[seat])
            if self.index:
                self.send(Choose(seat, self.words(seat, 0), self.decision), IDS[seat])

    def mark(self, seat: int) -> None:
        if self.index:
            self.send(Mark(seat, self.words(seat, 0), self.decision), IDS[seat])

    def leave(self, seat: int) -> None:
        player = self.room.table.players[seat]
        if player is not None and not player.here:
            self.send(Return(seat), None)
        else:
            self.send(Leave(seat), None)
            self.send(StandIn(seat, self.decision), None)

    def react(self, seat: int) -> None:
        self.send(React(seat, "ouch"), IDS[seat])

    def pause(self, seat: int) -> None:
        del seat
        self.send(Resume() if self.room.table.paused is not None else Pause(), None)

    def ask(self, seat: int) -> None:
        """The viewer tries whatever it may, and what it may not."""
        if self.viewer is None:
            return
        mine = self.words(self.viewer, 0)
        self.send(Mark(self.viewer, mine, self.decision), self.me)
        self.send(Choose(self.viewer, "play 104", self.decision), self.me)
        self.send(Choose(self.viewer, mine, self.decision), self.me)
        self.send(Choose(seat, mine, self.decision), self.me)
        self.send(Unchoose(self.viewer, self.decision), self.me)
        self.send(Unchoose(seat, self.decision), self.me)


STEPS = (World.choose, World.mark, World.leave, World.react, World.pause, World.ask)


@settings(deadline=None, max_examples=120)
@given(
    opening=st.sampled_from(OPENINGS),
    viewer=st.sampled_from([0, 1, None]),
    turns=st.integers(0, 2),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_a_viewer_is_sent_the_same_bytes_whatever_is_hidden_from_it(
    opening: Opening, viewer: Viewer, turns: int, seed: int, data: st.DataObject
) -> None:
    """Other hands, and other seats that mark and choose otherwise, behind what the viewer sees alike."""
    play = Play(opening, seed=seed).seated()
    for _ in range(turns):
        play.turn(-1)
    room = play.room
    if room.status != "active":
        return
    rules, state = room.table.rules, room.table.state
    guess = rules.guess(rules.view(state, viewer), generator(seed + 1))
    worlds = [World(room, viewer, 0), World(with_state(room, guess), viewer, 1)]
    others = [seat for seat in range(rules.seats) if seat != viewer]
    for step in data.draw(st.lists(st.sampled_from(STEPS), max_size=8)):
        seat = data.draw(st.sampled_from(others))
        for world in worlds:
            world.now += 10
            step(world, seat)
    assert worlds[0].told == worlds[1].told
    assert whole(worlds[0].room, viewer) == whole(worlds[1].room, viewer)
    if viewer is None:
        hosts = [whole(replace(world.room, host="host"), None, None, "host") for world in worlds]
        assert hosts[0] == hosts[1]


def test_a_host_without_a_seat_sees_what_a_spectator_does_and_that_it_is_the_host() -> None:
    room = replace(Play(nimmt(3, 2)).seated().room, host="host")
    spectator = json.loads(whole(room, None))["sight"]
    assert "host" not in spectator
    assert json.loads(whole(room, None, None, "host"))["sight"] == {**spectator, "hosting": True}
    assert json.loads(whole(room, None, None, "another"))["sight"] == spectator
    assert "hosting" not in json.loads(whole(room, 1, None, "host"))["sight"]  # a seat's sight is the seat's


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("marked", [True, False])
def test_nobody_is_told_whether_the_clock_played_a_mark(viewer: Viewer, marked: bool) -> None:
    play = Play(nimmt(3, 2)).seated()
    first = play.legal(0)[0]  # what the stand-in would play as well
    if marked:
        play.send(Mark(0, first, 0), IDS[0])
    for seat in (1, 2):
        play.choose(seat)
    play.now = 30_000
    play.send(Tick())
    alone = Play(nimmt(3, 2)).seated()
    for seat in (1, 2):
        alone.choose(seat)
    alone.now = 30_000
    alone.send(Tick())
    assert play.streams[viewer] == alone.streams[viewer]


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_deal_tells_each_seat_of_its_own_cards_whatever_the_others_are(viewer: Viewer) -> None:
    """The deal that begins the game, and another of which this viewer sees the same."""
    play = Play(nimmt(3, 4))
    play.send(Sit("Bo"), IDS[1])
    before = play.room
    append = play.send(Sit("Cy"), IDS[2])
    rules, state = play.room.table.rules, play.room.table.state
    told = Change(before, play.room).line(viewer)
    for seed in range(5):
        guess = rules.guess(rules.view(state, viewer), generator(seed))
        cards = [card for hand in guess.hands for card in hand] + [*guess.opening]
        dealt = Applied(append[-1].at, outcome="deal " + " ".join(map(str, cards)))
        assert dealt != append[-1]
        assert Change(before, evolve(before, (*append[:-1], dealt))).line(viewer) == told


def test_a_deal_of_war_tells_nobody_anything_of_the_cards() -> None:
    lines = []
    for seed in range(5):
        play = Play(Opening(game="war", terms=CLOCK), seed=seed).seated()
        lines.append(play.streams)
    assert all(streams == lines[0] for streams in lines)


SECRETS: list[tuple[str, Callable[[Play], object]]] = [
    ("a mark", lambda play: play.send(Mark(0, play.legal(0)[1], 0), IDS[0])),
    ("a mark taken away", lambda play: play.send(Mark(0, None, 0), IDS[0])),
    ("another choice in place of one", lambda play: play.choose(0, 1)),
]


@pytest.mark.parametrize(("what", "secret"), SECRETS)
def test_what_concerns_one_seat_alone_is_a_message_to_it_alone(what: str, secret: Callable[[Play], object]) -> None:
    play = Play(nimmt(3, 3)).seated()
    play.choose(0)
    if what == "a mark taken away":
        play.send(Mark(0, play.legal(0)[2], 0), IDS[0])
    before = {viewer: len(lines) for viewer, lines in play.streams.items()}
    secret(play)
    assert {viewer: len(lines) - before[viewer] for viewer, lines in play.streams.items()} == {
        0: 1,
        1: 0,
        2: 0,
        None: 0,
    }


def test_no_line_names_a_player_by_the_id_that_its_session_is_bound_to() -> None:
    play = Play(nimmt(3, 1)).seated()
    play.turn()
    for lines in play.streams.values():
        for line in lines:
            assert not any(player.encode() in line for player in IDS)


def test_a_closed_room_turns_nothing_up() -> None:
    play = Play(Opening(game="nimmt", options={"seats": 2, "hand": 3}, terms=Terms())).seated()
    theirs = [word.removeprefix("play ") for word in play.legal(1)]
    play.room = evolve(play.room, decide(play.room, Close("operator"), None, 9, play.rng))
    view = sight_for(play.room, 0).view
    assert not {str(card) for card in getattr(view, "hand", ())} & set(theirs)
    assert sight_for(play.room, 0).result is None
