"""Decisions of rooms: seats, permissions, leaving and rematches."""

import pytest
from tests.server.rooms.room_log import CLOCK, IDS, NAMES, Play, events, nimmt, patched, view_of

from faceup.core import IllegalActionError, Malformed, WrongSeatError, generator
from faceup.core.record import Autoplayed, Joined, Left, TimedOut
from faceup.server.rooms import Choose, Sit, Start, TableConfig, create_entries, fold_log
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
from faceup.server.rooms.entries import HostSet
from faceup.server.rooms.errors import ConfusableNameError, TableClosedError, TableFullError
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import ProcessedCommands, acting_player, viewer_of
from faceup.table import ExpireDeadline
from faceup.table.commands import Autoplay, Leave, Mark, Pace, Pause, Resume, Return, Unchoose
from faceup.table.errors import GamePausedError, StaleCommandError


def test_the_creator_of_a_room_is_its_host_in_the_first_seat() -> None:
    room = Play(nimmt(3)).room
    assert (room.host, viewer_of(room, IDS[0]), room.status, room.version) == (IDS[0], 0, "pending", 1)


def test_a_host_can_create_a_room_without_playing() -> None:
    room = fold_log([(create_entries(nimmt(3), IDS[0], None, generator(1)), None)])
    assert (room.host, viewer_of(room, IDS[0])) == (IDS[0], None)


def test_the_game_starts_when_the_last_seat_is_taken() -> None:
    play = Play(nimmt(3))
    statuses = [play.room.status]
    for seat in (1, 2):
        play.send(Sit(NAMES[seat]), IDS[seat])
        statuses.append(play.room.status)
    assert statuses == ["pending", "pending", "active"]
    assert play.legal(0)


def test_the_host_starts_with_bots_in_the_empty_seats() -> None:
    play = Play(nimmt(4, bots=("greedy", "random")))
    play.send(Start(), IDS[0])
    assert [(player.name, player.kind) for player in play.room.table.players if player] == [
        ("Ada", "person"),
        ("Penny", "greedy"),
        ("Lucky", "random"),
        ("Pixel", "random"),
    ]
    assert play.room.status == "active"
    assert play.room.owners == (IDS[0], None, None, None)


def test_a_person_starts_war_against_the_computer() -> None:
    play = Play(TableConfig(game="war", terms=CLOCK))
    play.send(Start(), IDS[0])
    assert play.room.table.names == ("Ada", "Computer")
    play.send(Choose(0, "flip", 0), IDS[0])
    play.send(ChooseForBot(1, "flip", 0))
    assert play.room.table.decision == 1


def test_the_host_adds_bots_and_removes_players() -> None:
    play = Play(nimmt(3))
    play.send(AddBot("greedy", 2), IDS[0])
    assert play.room.table.names == ("Ada", "Seat 2", "Penny")
    play.send(Remove(2), IDS[0])
    assert play.room.table.names == ("Ada", "Seat 2", "Seat 3")


def test_a_removed_player_is_barred() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Remove(1), IDS[0])
    assert b"The host removed Bo from the table." in play.streams[None][-1]
    assert events(play.streams[1][-1]) == ["player_removed", "player_left"]
    with pytest.raises(WrongSeatError, match="the host removed you from this table"):
        play.send(Sit("Bo again"), IDS[1])
    play.send(Sit("Cy"), IDS[2])
    play.send(TransferHost(1), IDS[0])
    with pytest.raises(WrongSeatError, match="the host removed you from this table"):
        play.send(Sit("Bo again"), IDS[1])
    assert acting_player(play.room, ["account", IDS[1]], Sit("Bo")) == IDS[1]
    assert play.rebuilt() == play.room


def test_a_removed_bot_or_host_is_not_barred() -> None:
    play = Play(nimmt(3))
    play.send(AddBot("random", 1), IDS[0])
    play.send(Remove(1), IDS[0])
    play.send(Remove(0), IDS[0])
    play.send(Sit("Ada"), IDS[0])
    assert (viewer_of(play.room, IDS[0]), play.room.host) == (0, IDS[0])


def test_a_removed_player_becomes_a_spectator() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Remove(1), IDS[0])
    assert viewer_of(play.room, IDS[1]) is None


def test_a_repeated_name_gets_a_number() -> None:
    play = Play(nimmt(3))
    play.send(Sit("ada"), IDS[1])
    assert play.room.table.names[1] == "ada 2"


def test_a_name_that_looks_like_one_at_the_table_is_refused() -> None:
    play = Play(nimmt(3))
    alike = NAMES[0].replace("a", "\u0430")  # Cyrillic
    assert alike != NAMES[0]
    with pytest.raises(ConfusableNameError, match=f"could be mistaken for {NAMES[0]!r}"):
        play.send(Sit(alike), IDS[1])
    play.send(Sit(NAMES[1]), IDS[1])
    with pytest.raises(ConfusableNameError):
        play.send(Rename(1, alike), IDS[1])


def test_a_renamed_player_keeps_seat_and_host() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Rename(0, "Ann"), IDS[0])
    assert [event.words(("Ann", "Bo", "")) for event in play.room.events] == ["Ada is now called Ann."]
    play.send(Rename(1, "ann"), IDS[1])
    assert [player and player.name for player in play.room.table.players] == ["Ann", "ann 2", None]
    assert (play.room.owners[0], play.room.host) == (IDS[0], IDS[0])


# Each before a game of two has started, or in its first decision; then why it is refused.
REFUSED: list[tuple[RoomCommand, str | None, bool, type[Exception], str]] = [
    (Sit("Ada again"), IDS[0], False, StaleCommandError, "you already have seat 0"),
    (Sit("Cy"), IDS[2], True, TableFullError, "every seat is taken"),
    (Sit("Cy", 0), IDS[2], False, WrongSeatError, "seat 0 is taken"),
    (Sit("Cy", 7), IDS[2], False, WrongSeatError, "there is no seat 7"),
    (Sit("Cy"), None, False, Malformed, "a player is required"),
    (Sit("\u202eyC"), IDS[2], False, Malformed, "printable"),
    (Rename(0, "Cy"), IDS[1], False, WrongSeatError, "seat 0 is not yours"),
    (Rename(0, " "), IDS[0], False, Malformed, "printable"),
    (Rename(0, "Cy"), IDS[0], True, StaleCommandError, "has already started"),
    (Start(), IDS[1], False, WrongSeatError, "only the host"),
    (Start(), IDS[0], True, StaleCommandError, "has already started"),
    (AddBot("nobody"), IDS[0], False, Malformed, "no policy"),
    (AddBot("greedy"), IDS[1], False, WrongSeatError, "only the host"),
    (Remove(1), IDS[0], True, StaleCommandError, "has already started"),
    (Remove(1), IDS[0], False, WrongSeatError, "seat 1 is empty"),
    (Choose(0, "play 1", 0), IDS[1], True, WrongSeatError, "seat 0 is not yours"),
    (Choose(0, "play 1", 0), None, True, WrongSeatError, "seat 0 is not yours"),
    (Choose(9, "play 1", 0), IDS[0], True, WrongSeatError, "there is no seat 9"),
    (Choose(0, "play 1", 0), IDS[0], False, WrongSeatError, "still waiting"),
    (Choose(0, "play 104", 0), IDS[0], True, IllegalActionError, "play 104"),
    (Choose(0, "win", 0), IDS[0], True, Malformed, "win"),
    (Choose(0, "play 1", 1), IDS[0], True, WrongSeatError, "decision 1 is not open yet"),
    (Leave(0), IDS[1], True, WrongSeatError, "seat 0 is not yours"),
    (Return(0), IDS[0], True, StaleCommandError, "because it is not away"),
    (Pause(), IDS[1], True, WrongSeatError, "only the host"),
    (Pause(), IDS[0], False, WrongSeatError, "cannot be paused while the table is still waiting"),
    (Resume(), IDS[0], True, StaleCommandError, "not paused"),
    (Pace(0, None), IDS[1], True, WrongSeatError, "only the host"),
    (Pace(1, None), IDS[1], True, WrongSeatError, "only the host"),
    (Pace(0, 1), IDS[0], True, StaleCommandError, "already"),
    (React(0, "ouch"), IDS[1], True, WrongSeatError, "not yours"),
    (TransferHost(7), IDS[0], True, WrongSeatError, "seat 7 has no player"),
    (TransferHost(0), IDS[0], True, StaleCommandError, "is already the host"),
    (Close("operator"), IDS[0], True, Malformed, "reason 'host'"),
    (Close(), IDS[1], True, WrongSeatError, "only the host"),
    (Rematch("t"), IDS[0], True, WrongSeatError, "only after the game is over"),
    (Rematch("t"), IDS[3], True, WrongSeatError, "only the players"),
    (ChooseForBot(0, "play 1", 0), None, True, WrongSeatError, "seat 0 has no bot"),
    (ChooseForBot(0, "play 1", 0), IDS[0], True, WrongSeatError, "only the server"),
    (
        Autoplay(0, decision=0),
        None,
        True,
        StaleCommandError,
        "autoplay cannot choose for seat 0, because it is not away",
    ),
    (ExpireDeadline(), IDS[0], True, WrongSeatError, "only the server"),
    (Extend(5), IDS[0], True, WrongSeatError, "only the server"),
]


@pytest.mark.parametrize(("command", "player", "started", "kind", "why"), REFUSED)
def test_a_rejected_command_has_a_message_and_no_effect(
    command: RoomCommand, player: str | None, started: bool, kind: type[Exception], why: str
) -> None:
    play = Play(nimmt(2))
    if started:
        play.seated()
    before = play.room
    with pytest.raises(kind, match=why):
        play.send(command, player)
    assert play.room is before
    assert play.rebuilt() == before


def test_forfeit_cannot_be_chosen() -> None:
    play = Play(TableConfig(game="nimmt", variant="arena")).seated()
    with pytest.raises(IllegalActionError, match="forfeit"):
        play.send(Choose(0, "forfeit", 0), IDS[0])


def test_a_leaving_host_hands_over_to_a_present_player() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(1), None)
    append = play.send(Leave(0), None)
    assert [type(entry) for entry in append] == [Left, HostSet]
    assert play.room.host == IDS[2]
    assert events(play.streams[None][-1]) == ["player_left", "host_changed"]
    assert patched(play.streams[None][-1])["host"] == 2


def test_a_game_without_present_players_keeps_its_host() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Leave(1), None)
    play.send(Leave(0), None)
    assert play.room.host == IDS[0]


def test_the_next_player_of_an_empty_room_becomes_its_host() -> None:
    play = Play(nimmt(3))
    play.send(Leave(0), IDS[0])
    assert (play.room.host, play.room.owners) == (None, (None, None, None))
    play.send(Sit("Bo"), IDS[1])
    assert play.room.host == IDS[1]


def test_the_host_can_transfer_its_role() -> None:
    play = Play(nimmt(3)).seated()
    play.send(TransferHost(2), IDS[0])
    assert view_of(play.room, 1)["host"] == 2
    with pytest.raises(WrongSeatError, match="only the host"):
        play.send(Pause(), IDS[0])


def test_autoplay_plays_for_an_absent_seat_until_it_returns() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    assert view_of(play.room, 0)["away"] == [2]
    (entry,) = play.send(Autoplay(2, decision=0))
    assert isinstance(entry, Autoplayed)
    assert play.legal(2)[0] == entry.action
    assert events(play.streams[0][-1]) == ["autoplay_chose"]
    play.send(Return(2), IDS[2])
    play.choose(2, -1)
    assert view_of(play.room, 2)["choice"] == play.legal(2)[-1]
    assert view_of(play.room, 0)["away"] == []


def test_repeating_a_choice_has_no_effect() -> None:
    """Autoplay may already have played the card that a returning player chooses."""
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    play.send(Autoplay(2, decision=0))
    play.send(Return(2), IDS[2])
    before, card = play.room, play.legal(2)[0]
    assert play.choose(2) == ()
    play.send(Mark(1, play.legal(1)[0], 0), IDS[1])
    assert play.send(Mark(1, play.legal(1)[0], 0), IDS[1]) == play.send(Unchoose(1, 0), IDS[1]) == ()
    assert play.room.version == before.version + 1
    play.choose(0)
    play.choose(1)
    with pytest.raises(StaleCommandError, match="decision 0 is over"):
        play.send(Choose(2, card, 0), IDS[2])
    with pytest.raises(WrongSeatError, match="is not yours"):
        play.send(Unchoose(2, 1), IDS[1])


def test_the_last_choice_by_autoplay_triggers_the_reveal() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    play.choose(0)
    play.choose(1)
    append = play.send(Autoplay(2, decision=0))
    assert len(append) > 1
    assert play.room.table.decision == 1


def test_leaving_a_finished_game_has_no_effect() -> None:
    play = Play(nimmt(2, 1)).seated()
    while play.room.status == "active":
        play.turn()
    assert play.send(Leave(0), IDS[0]) == play.send(Return(0), IDS[0]) == ()


def test_a_pause_stops_the_clock_and_rejects_choices() -> None:
    play = Play(nimmt(2)).seated()
    play.now = 10_000
    play.send(Pause(), IDS[0])
    assert view_of(play.room, 1)["paused"] == 10_000
    assert play.room.due is None
    with pytest.raises(GamePausedError, match="the game is paused"):
        play.choose(1)
    play.now = 100_000
    assert play.send(ExpireDeadline()) == ()
    assert play.send(Extend(5_000)) == ()
    play.send(Resume(), IDS[0])
    assert play.room.due == 120_000
    assert view_of(play.room, 1)["due"] == 120_000


def test_an_outage_extends_deadlines() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Extend(7_000))
    assert play.room.due == 37_000
    while play.room.status == "active":
        play.turn()
    assert play.send(Extend(7_000)) == play.send(ExpireDeadline()) == ()


def test_each_seat_times_out_by_its_own_pace() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Pace(1, 2), IDS[1])
    play.send(Pace(2, None), IDS[0])
    play.now = 30_000
    (entry,) = play.send(ExpireDeadline())
    assert isinstance(entry, TimedOut)
    assert entry.seat == 0
    assert play.room.due == 60_000
    play.now = 59_999
    play.choose(1)
    assert play.room.due is None
    play.now = 900_000
    play.choose(2)
    assert play.room.table.decision == 1


def test_the_next_player_of_a_seat_has_the_normal_time() -> None:
    play = Play(nimmt(3))
    play.send(Pace(0, 2), IDS[0])
    play.send(Leave(0), IDS[0])
    assert view_of(play.room, None)["times"] == [1, 1, 1]


def test_a_closed_room_rejects_commands() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Close(), IDS[0])
    assert (play.room.status, play.room.due) == ("closed", None)
    assert view_of(play.room, 1)["closed"] == "host"
    assert "due" not in view_of(play.room, 1)
    assert patched(play.streams[1][-1])["due"] is None
    assert play.send(ExpireDeadline()) == play.send(Extend(1)) == ()
    for command in (Choose(0, "play 1", 0), Leave(0), React(0, "ouch"), Sit("Cy"), Autoplay(0, decision=0)):
        with pytest.raises(TableClosedError, match="is closed"):
            play.send(command, IDS[0])


def test_the_host_can_release_a_reserved_seat() -> None:
    play = Play(nimmt(2, reserved=("", handle_of(IDS[1]))))
    with pytest.raises(TableFullError, match="reserved for another player"):
        play.send(Sit("Cy"), IDS[2])
    play.send(Remove(1), IDS[0])
    assert events(play.streams[0][-1]) == ["seat_released"]
    append = play.send(Sit("Cy"), IDS[2])
    assert any(isinstance(entry, Joined) for entry in append)
    assert play.room.status == "active"


def test_the_room_knows_every_command_in_its_log() -> None:
    seen = ProcessedCommands()
    for number in range(300):
        assert f"{number}" not in seen
        seen = seen.add(f"{number}", number)
    assert [seen.get(f"{number}") for number in range(300)] == [(number, "") for number in range(300)]
    assert seen.get("300") is None
    assert len(seen.older) < 10
