"""Properties of rooms under random commands."""

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.server.rooms.room_log import IDS, NAMES, Play, view_of

from faceup.core import RulesError
from faceup.core.record import Terms
from faceup.server.rooms import Choose, Sit, Start, TableConfig
from faceup.server.rooms.commands import (
    AddBot,
    ChooseForBot,
    Close,
    Extend,
    React,
    Rematch,
    Remove,
    Rename,
    RoomCommand,
    TransferHost,
)
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import may_watch, viewer_of
from faceup.table import ExpireDeadline
from faceup.table.commands import Autoplay, Leave, Mark, Pace, Pause, Resume, Return, Unchoose

CLOCK = Terms(clock=30_000)
AT_DEADLINE = Terms(clock=30_000, reveal="at_deadline")
OPENINGS = (
    TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=CLOCK),
    TableConfig(game="nimmt", options={"seats": 3, "hand": 1, "deals": 2}, terms=AT_DEADLINE, bots=("greedy",)),
    TableConfig(game="nimmt", options={"seats": 3, "hand": 2}, spectators="nobody"),
    TableConfig(game="nimmt", options={"seats": 2, "hand": 1}, terms=Terms(clock=5_000, fair=True)),
    TableConfig(game="nimmt", options={"seats": 3, "hand": 1}, reserved=("", handle_of(IDS[1]), handle_of(IDS[0]))),
    TableConfig(game="niuniu", options={"seats": 2, "throws": 2}, terms=Terms(clock=500)),
    TableConfig(game="war", options={"per_suit": 2, "suits": 2, "cap": 6}, terms=Terms(clock=500)),
)
seats = st.integers(-1, 3)
words = st.sampled_from(["play 1", "play 57", "take row 0", "throw", "flip", "forfeit", "deal 1 2 3", "nonsense", ""])
decisions = st.integers(0, 3)
players = st.none() | st.sampled_from(IDS)
commands: st.SearchStrategy[RoomCommand] = st.one_of(
    st.builds(Sit, st.sampled_from(["Ada", "Guest", "", "a\nb", "\u202eoB"]), st.none() | seats),
    st.builds(Rename, seats, st.sampled_from(["Bo", "Guest", "", "\u202eoB"])),
    st.builds(AddBot, st.sampled_from(["random", "greedy", "nobody"]), st.none() | seats),
    st.builds(Remove, seats),
    st.builds(Start),
    st.builds(Mark, seats, st.none() | words, decisions),
    st.builds(Choose, seats, words, decisions),
    st.builds(Unchoose, seats, decisions),
    st.builds(Leave, seats),
    st.builds(Return, seats),
    st.builds(Pause),
    st.builds(Resume),
    st.builds(Pace, seats, st.sampled_from([1, 2, None])),
    st.builds(React, seats, st.sampled_from(["ouch", "moo"]), st.none() | seats, st.none() | st.integers(0, 104)),
    st.builds(TransferHost, seats),
    st.builds(Rematch, st.just("another")),
    st.builds(Autoplay, seats, st.none() | words, decisions),
    st.builds(ChooseForBot, seats, words, decisions),
    st.builds(Extend, st.integers(-5, 5_000)),
)
KINDS = {"", "malformed", "illegal_action", "wrong_seat", "stale", "full", "closed", "paused", "rate_limited"}
RANK = {"pending": 0, "active": 1, "finished": 2, "closed": 2}


class AnyCommands(RuleBasedStateMachine):
    play: Play

    @initialize(config=st.sampled_from(OPENINGS), seed=st.integers(0, 9), seated=st.booleans())
    def open(self, config: TableConfig, seed: int, seated: bool) -> None:
        self.play = Play(config, seed=seed)
        if seated:
            self.play.seated()

    def send(self, command: RoomCommand, player: str | None) -> None:
        before = self.play.room
        copy = msgspec.structs.replace(before)
        try:
            self.play.send(command, player)
        except RulesError as error:
            refused = error.kind
        else:
            refused = ""
            assert RANK[before.status] <= RANK[self.play.room.status]
        assert before == copy
        assert refused in KINDS
        assert not refused or self.play.room is before

    @rule(command=commands, player=players)
    def any_command_from_any_player(self, command: RoomCommand, player: str | None) -> None:
        self.send(command, player)

    @rule(data=st.data(), kind=st.sampled_from(["choose", "choose", "mark", "unchoose"]))
    def a_seat_decides(self, data: st.DataObject, kind: str) -> None:
        table = self.play.room.table
        if not table.deciders:
            return
        seat = data.draw(st.sampled_from(table.deciders))
        action = data.draw(st.sampled_from(self.play.legal(seat)))
        owner = self.play.room.owners[seat]
        if owner is None:
            self.send(ChooseForBot(seat, action, table.decision), None)
        elif kind == "unchoose":
            self.send(Unchoose(seat, table.decision), owner)
        else:
            self.send((Choose if kind == "choose" else Mark)(seat, action, table.decision), owner)

    @rule(seat=st.integers(0, 2))
    def a_player_leaves_and_autoplay_chooses(self, seat: int) -> None:
        room = self.play.room
        if seat < len(room.owners) and room.owners[seat] is not None:
            self.send(Leave(seat), room.owners[seat])
            self.send(Autoplay(seat, decision=self.play.room.table.decision), None)

    @rule(seat=st.integers(0, 2))
    def a_player_sits_or_returns(self, seat: int) -> None:
        room = self.play.room
        if seat < len(room.owners) and room.owners[seat] is not None:
            self.send(Return(seat), None)
        else:
            self.send(Sit(NAMES[seat]), IDS[seat])

    @rule(seat=st.integers(0, 2))
    def a_client_contributes_to_the_fair_deal(self, seat: int) -> None:
        if seat < len(self.play.room.owners) and (command := self.play.due_command(seat)) is not None:
            self.send(command, self.play.room.owners[seat])

    @rule(by=st.integers(-50, 40_000))
    def time_passes(self, by: int) -> None:
        self.play.now += by
        self.send(ExpireDeadline(), None)
        room = self.play.room
        assert room.due is None or self.play.now < room.due or room.at > self.play.now

    @rule()
    def the_host_starts(self) -> None:
        self.send(Start(), self.play.room.host)

    @rule(chance=st.integers(0, 9))
    def the_room_is_closed(self, chance: int) -> None:
        if chance == 0:
            self.send(Close("abandoned"), None)

    @rule()
    def the_server_restarts(self) -> None:
        assert self.play.rebuilt() == self.play.room
        self.play.room = self.play.rebuilt()

    @invariant()
    def the_messages_of_every_viewer_fold_to_its_room_view(self) -> None:
        for viewer, client in self.play.clients.items():
            if viewer is not None or may_watch(self.play.room):
                assert client.room_view == view_of(self.play.room, viewer)

    @invariant()
    def owners_match_seats(self) -> None:
        room = self.play.room
        owners = [owner for owner in room.owners if owner is not None]
        assert len(set(owners)) == len(owners)
        for owner, player in zip(room.owners, room.table.players, strict=True):
            assert (owner is not None) == (player is not None and player.kind == "person")
        for owner in owners:
            assert viewer_of(room, owner) is not None

    @invariant()
    def only_empty_seats_are_reserved(self) -> None:
        room = self.play.room
        assert all(player is None for player, kept in zip(room.table.players, room.reserved, strict=True) if kept)

    @invariant()
    def the_game_never_stalls(self) -> None:
        table = self.play.room.table
        if self.play.room.status == "active" and table.paused is None:
            assert None in [table.choices[seat] for seat in table.deciders] or table.due is not None


TestAnyCommands = AnyCommands.TestCase
TestAnyCommands.settings = settings(stateful_step_count=25)
