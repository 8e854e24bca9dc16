"""Messages to a viewer do not depend on hidden information (non-interference)."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.server.rooms.room_log import CLOCK, IDS, Play, nimmt, with_state

from faceup.core import RulesError, generator
from faceup.core.record import Applied, Terms
from faceup.server.rooms import (
    Choose,
    Room,
    Sit,
    TableConfig,
    UpdateEncoder,
    decide,
    evolve,
    room_view_for,
    snapshot_line,
)
from faceup.server.rooms.commands import Close, React, RoomCommand
from faceup.server.rooms.room import Viewer
from faceup.table import ExpireDeadline
from faceup.table.commands import Autoplay, Leave, Mark, Pause, Resume, Return, Unchoose

OPENINGS = (
    nimmt(3, 3),
    TableConfig(game="nimmt", variant="tactical", options={"seats": 3, "hand": 3, "deals": 2}, terms=CLOCK),
    TableConfig(game="niuniu", options={"seats": 3, "throws": 3}, terms=CLOCK),
    TableConfig(game="war", options={"per_suit": 5}, terms=CLOCK),
)


class World:
    """A room, and everything that one viewer receives.

    In the world of index 1 another seat marks and thinks again where in that of index 0 it does not, and chooses
    otherwise.
    """

    def __init__(self, room: Room, viewer: Viewer, index: int) -> None:
        self.room = room
        self.viewer = viewer
        self.index = index
        self.decision = room.table.decision
        self.lines = [snapshot_line(room, viewer)]
        self.now = room.at

    def send(self, command: RoomCommand, player: str | None) -> None:
        """Send a command; an error of the viewer's own command is recorded, too."""
        waiting = [seat for seat in self.room.table.deciders if self.room.table.choices[seat] is None]
        if isinstance(command, Choose | Autoplay) and waiting in ([command.seat], []):
            return  # the last choice turns everything up
        try:
            append = decide(self.room, command, player, self.now, generator(1))
        except RulesError as error:
            if player is not None and player == self.me:
                self.lines.append(f"{error.kind} {error} {getattr(error, 'legal', ())}".encode())
            return
        after = evolve(self.room, append) if append else self.room
        if (line := UpdateEncoder(self.room, after).line(self.viewer)) is not None:
            self.lines.append(line)
        self.room = after

    @property
    def me(self) -> str | None:
        return None if self.viewer is None else IDS[self.viewer]

    def words(self, seat: int, which: int) -> str:
        """Return an action of the seat, or an illegal one if it has none."""
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
            self.send(Autoplay(seat, decision=self.decision), None)

    def react(self, seat: int) -> None:
        rows = getattr(self.room.table.rules.view(self.room.table.state, None), "rows", ())
        self.send(React(seat, "ouch", card=rows[0][0] if rows else None), IDS[seat])

    def pause(self, seat: int) -> None:
        del seat
        self.send(Resume() if self.room.table.paused is not None else Pause(), None)

    def ask(self, seat: int) -> None:
        """Try legal and illegal commands of the viewer."""
        if self.viewer is None:
            return
        for card in range(1, 105, 8):
            self.send(React(self.viewer, "ouch", card=card), self.me)
        own_words = self.words(self.viewer, 0)
        self.send(Mark(self.viewer, own_words, self.decision), self.me)
        self.send(Choose(self.viewer, "play 104", self.decision), self.me)
        self.send(Choose(self.viewer, own_words, self.decision), self.me)
        self.send(Choose(seat, own_words, self.decision), self.me)
        self.send(Unchoose(self.viewer, self.decision), self.me)
        self.send(Unchoose(seat, self.decision), self.me)


STEPS = (World.choose, World.mark, World.leave, World.react, World.pause, World.ask)


@given(
    config=st.sampled_from(OPENINGS),
    viewer=st.sampled_from([0, 1, None]),
    turns=st.integers(0, 2),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_messages_do_not_depend_on_hidden_information(
    config: TableConfig, viewer: Viewer, turns: int, seed: int, data: st.DataObject
) -> None:
    """Play two games with other hidden hands, marks and choices, and the same public information."""
    play = Play(config, seed=seed).seated()
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
    assert worlds[0].lines == worlds[1].lines
    assert snapshot_line(worlds[0].room, viewer) == snapshot_line(worlds[1].room, viewer)
    if viewer is None:
        hosts = [snapshot_line(replace(world.room, host="host"), None, None, "host") for world in worlds]
        assert hosts[0] == hosts[1]


def test_a_host_without_a_seat_sees_the_spectators_view_and_is_host() -> None:
    room = replace(Play(nimmt(3, 2)).seated().room, host="host")
    spectator = json.loads(snapshot_line(room, None))["room"]
    assert "host" not in spectator
    assert json.loads(snapshot_line(room, None, None, "host"))["room"] == {**spectator, "is_host": True}
    assert json.loads(snapshot_line(room, None, None, "another"))["room"] == spectator
    for other, is_host in ("host", True), ("another", None):  # a person may be the host by another id than the seat's
        ids = (room.owners[1] or "", other)
        assert json.loads(snapshot_line(room, 1, None, ids))["room"].get("is_host") is is_host


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("marked", [True, False])
def test_played_marks_are_not_revealed(viewer: Viewer, marked: bool) -> None:
    play = Play(nimmt(3, 2)).seated()
    first = play.legal(0)[0]  # autoplay would choose it, too
    if marked:
        play.send(Mark(0, first, 0), IDS[0])
    for seat in (1, 2):
        play.choose(seat)
    play.now = 30_000
    play.send(ExpireDeadline())
    alone = Play(nimmt(3, 2)).seated()
    for seat in (1, 2):
        alone.choose(seat)
    alone.now = 30_000
    alone.send(ExpireDeadline())
    assert play.streams[viewer] == alone.streams[viewer]


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_updates_of_a_deal_depend_only_on_the_viewers_own_cards(viewer: Viewer) -> None:
    """Compare the first deal with another one that looks the same to this viewer."""
    play = Play(nimmt(3, 4))
    play.send(Sit("Bo"), IDS[1])
    before = play.room
    append = play.send(Sit("Cy"), IDS[2])
    rules, state = play.room.table.rules, play.room.table.state
    line = UpdateEncoder(before, play.room).line(viewer)
    for seed in range(5):
        guess = rules.guess(rules.view(state, viewer), generator(seed))
        cards = [card for hand in guess.hands for card in hand] + [*guess.opening]
        dealt = Applied(append[-1].at, outcome="deal " + " ".join(map(str, cards)))
        assert dealt != append[-1]
        assert UpdateEncoder(before, evolve(before, (*append[:-1], dealt))).line(viewer) == line


def test_a_deal_of_war_reveals_no_cards() -> None:
    lines = []
    for seed in range(5):
        play = Play(TableConfig(game="war", terms=CLOCK), seed=seed).seated()
        lines.append(play.streams)
    assert all(streams == lines[0] for streams in lines)


SECRETS: list[tuple[str, Callable[[Play], object]]] = [
    ("a mark", lambda play: play.send(Mark(0, play.legal(0)[1], 0), IDS[0])),
    ("a mark taken away", lambda play: play.send(Mark(0, None, 0), IDS[0])),
    ("another choice in place of one", lambda play: play.choose(0, 1)),
]


@pytest.mark.parametrize(("what", "secret"), SECRETS)
def test_private_changes_are_sent_only_to_their_seat(what: str, secret: Callable[[Play], object]) -> None:
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


def test_no_message_contains_a_players_id() -> None:
    play = Play(nimmt(3, 1)).seated()
    play.turn()
    for lines in play.streams.values():
        for line in lines:
            assert not any(player.encode() in line for player in IDS)


def test_closing_a_room_reveals_no_choices() -> None:
    play = Play(TableConfig(game="nimmt", options={"seats": 2, "hand": 3}, terms=Terms())).seated()
    other_words = [word.removeprefix("play ") for word in play.legal(1)]
    play.room = evolve(play.room, decide(play.room, Close("operator"), None, 9, play.rng))
    view = room_view_for(play.room, 0).view
    assert not {str(card) for card in getattr(view, "hand", ())} & set(other_words)
    assert room_view_for(play.room, 0).result is None
