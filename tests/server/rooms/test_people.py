"""Who sits where, who may do what, and what happens when they go: in a room, whoever serves it."""

import pytest
from tests.server.rooms.play import CLOCK, IDS, NAMES, Play, events, nimmt, patched, sight_of

from faceup.core import Malformed, NotLegal, NotYours, generator
from faceup.core.record import Joined, Left, StoodIn, TimedOut
from faceup.server.rooms import (
    MOST_REACTIONS,
    AddBot,
    Bot,
    Choose,
    Close,
    Closed,
    Extend,
    Full,
    HandOver,
    Hosted,
    Leave,
    Mark,
    Opening,
    Pace,
    Pause,
    React,
    Rematch,
    Remove,
    Rename,
    Resume,
    Return,
    RoomCommand,
    Seen,
    Sit,
    StandIn,
    Start,
    Tick,
    TooMany,
    Unchoose,
    handle_of,
    opened,
    rematch_opening,
    room_from,
    speaker,
    viewer_of,
)
from faceup.table import OnPause, Stale


def test_whoever_opens_a_room_is_its_host_and_sits_in_the_first_seat() -> None:
    room = Play(nimmt(3)).room
    assert (room.host, viewer_of(room, IDS[0]), room.status, room.version) == (IDS[0], 0, "pending", 1)


def test_a_room_can_be_opened_by_somebody_who_does_not_play() -> None:
    room = room_from([(opened(nimmt(3), IDS[0], None, generator(1)), None)])
    assert (room.host, viewer_of(room, IDS[0])) == (IDS[0], None)


def test_the_game_begins_when_the_last_seat_is_taken() -> None:
    play = Play(nimmt(3))
    statuses = [play.room.status]
    for seat in (1, 2):
        play.send(Sit(NAMES[seat]), IDS[seat])
        statuses.append(play.room.status)
    assert statuses == ["pending", "pending", "active"]
    assert play.legal(0)


def test_the_host_begins_with_bots_in_the_empty_seats() -> None:
    play = Play(nimmt(4, bots=("greedy", "random")))
    play.send(Start(), IDS[0])
    assert [(player.name, player.kind) for player in play.room.table.players if player] == [
        ("Ada", "person"),
        ("Greedy", "greedy"),
        ("Random", "random"),
        ("Random 2", "random"),
    ]
    assert play.room.status == "active"
    assert play.room.owners == (IDS[0], None, None, None)


def test_in_war_a_person_begins_against_the_computer() -> None:
    play = Play(Opening(game="war", terms=CLOCK))
    play.send(Start(), IDS[0])
    assert play.room.table.names == ("Ada", "Computer")
    play.send(Choose(0, "flip", 0), IDS[0])
    play.send(Bot(1, "flip", 0))
    assert play.room.table.decision == 1


def test_the_host_puts_bots_where_it_likes_and_removes_whom_it_likes() -> None:
    play = Play(nimmt(3))
    play.send(AddBot("greedy", 2), IDS[0])
    assert play.room.table.names == ("Ada", "Seat 1", "Greedy")
    play.send(Remove(2), IDS[0])
    assert play.room.table.names == ("Ada", "Seat 1", "Seat 2")


def test_whoever_was_removed_cannot_sit_down_in_this_room_again() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Remove(1), IDS[0])
    assert b"The host takes Bo from the table." in play.streams[None][-1]
    assert events(play.streams[1][-1]) == ["put_out", "went_away"]
    with pytest.raises(NotYours, match="the host took you from this table"):
        play.send(Sit("Bo again"), IDS[1])
    play.send(Sit("Cy"), IDS[2])
    play.send(HandOver(1), IDS[0])
    with pytest.raises(NotYours, match="the host took you from this table"):
        play.send(Sit("Bo again"), IDS[1])
    assert speaker(play.room, ["account", IDS[1]], Sit("Bo")) == IDS[1]
    assert play.again() == play.room


def test_a_bot_and_the_host_itself_are_only_removed() -> None:
    play = Play(nimmt(3))
    play.send(AddBot("random", 1), IDS[0])
    play.send(Remove(1), IDS[0])
    play.send(Remove(0), IDS[0])
    play.send(Sit("Ada"), IDS[0])
    assert (viewer_of(play.room, IDS[0]), play.room.host) == (0, IDS[0])


def test_whoever_was_removed_is_a_spectator_again() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Remove(1), IDS[0])
    assert viewer_of(play.room, IDS[1]) is None


def test_a_second_of_the_same_name_gets_a_number() -> None:
    play = Play(nimmt(3))
    play.send(Sit("ada"), IDS[1])
    assert play.room.table.names[1] == "ada 2"


def test_a_player_takes_another_name_before_the_start_and_keeps_seat_and_host() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo"), IDS[1])
    play.send(Rename(0, "Ann"), IDS[0])
    assert [event.words(("Ann", "Bo", "")) for event in play.room.events] == ["Ada is called Ann now."]
    play.send(Rename(1, "ann"), IDS[1])
    assert [player and player.name for player in play.room.table.players] == ["Ann", "ann 2", None]
    assert (play.room.owners[0], play.room.host) == (IDS[0], IDS[0])


# Each before a game of two has begun, or in its first decision; then why it is refused.
REFUSED: list[tuple[RoomCommand, str | None, bool, type[Exception], str]] = [
    (Sit("Ada again"), IDS[0], False, Stale, "you have seat 0 already"),
    (Sit("Cy"), IDS[2], True, Full, "every seat is taken"),
    (Sit("Cy", 0), IDS[2], False, NotYours, "seat 0 is taken"),
    (Sit("Cy", 7), IDS[2], False, NotYours, "there is no seat 7"),
    (Sit("Cy"), None, False, Malformed, "nobody is named"),
    (Sit("\u202eyC"), IDS[2], False, Malformed, "printable"),
    (Rename(0, "Cy"), IDS[1], False, NotYours, "seat 0 is not yours"),
    (Rename(0, " "), IDS[0], False, Malformed, "printable"),
    (Rename(0, "Cy"), IDS[0], True, Stale, "has begun already"),
    (Start(), IDS[1], False, NotYours, "for the host"),
    (Start(), IDS[0], True, Stale, "has begun already"),
    (AddBot("nobody"), IDS[0], False, Malformed, "no policy"),
    (AddBot("greedy"), IDS[1], False, NotYours, "for the host"),
    (Remove(1), IDS[0], True, Stale, "has begun already"),
    (Remove(1), IDS[0], False, NotYours, "nobody has taken seat 1"),
    (Choose(0, "play 1", 0), IDS[1], True, NotYours, "seat 0 is not yours"),
    (Choose(0, "play 1", 0), None, True, NotYours, "seat 0 is not yours"),
    (Choose(9, "play 1", 0), IDS[0], True, NotYours, "there is no seat 9"),
    (Choose(0, "play 1", 0), IDS[0], False, NotYours, "still waiting"),
    (Choose(0, "play 104", 0), IDS[0], True, NotLegal, "play 104"),
    (Choose(0, "win", 0), IDS[0], True, Malformed, "win"),
    (Choose(0, "play 1", 1), IDS[0], True, NotYours, "decision 1 is yet to come"),
    (Leave(0), IDS[1], True, NotYours, "seat 0 is not yours"),
    (Return(0), IDS[0], True, Stale, "here already"),
    (Pause(), IDS[1], True, NotYours, "for the host"),
    (Pause(), IDS[0], False, NotYours, "nothing to pause"),
    (Resume(), IDS[0], True, Stale, "not paused"),
    (Pace(0, None), IDS[1], True, NotYours, "for the host"),
    (Pace(1, None), IDS[1], True, NotYours, "for the host"),
    (Pace(0, 1), IDS[0], True, Stale, "already"),
    (React(0, "ouch"), IDS[1], True, NotYours, "not yours"),
    (HandOver(7), IDS[0], True, NotYours, "nobody sits in seat 7"),
    (HandOver(0), IDS[0], True, Stale, "is the host already"),
    (Close("operator"), IDS[0], True, Malformed, "as its host"),
    (Close(), IDS[1], True, NotYours, "for the host"),
    (Rematch("t"), IDS[0], True, NotYours, "when the game is over"),
    (Rematch("t"), IDS[3], True, NotYours, "for those who played"),
    (Bot(0, "play 1", 0), None, True, NotYours, "no bot sits in seat 0"),
    (Bot(0, "play 1", 0), IDS[0], True, NotYours, "for the server alone"),
    (StandIn(0, 0), None, True, Stale, "is here, and chooses for itself"),
    (Tick(), IDS[0], True, NotYours, "for the server alone"),
    (Extend(5), IDS[0], True, NotYours, "for the server alone"),
]


@pytest.mark.parametrize(("command", "player", "begun", "kind", "why"), REFUSED)
def test_what_is_refused_says_why_and_leaves_the_room_as_it_was(
    command: RoomCommand, player: str | None, begun: bool, kind: type[Exception], why: str
) -> None:
    play = Play(nimmt(2))
    if begun:
        play.seated()
    before = play.room
    with pytest.raises(kind, match=why):
        play.send(command, player)
    assert play.room is before
    assert play.again() == before


def test_nobody_forfeits_by_choosing_to() -> None:
    play = Play(Opening(game="nimmt", variant="arena")).seated()
    with pytest.raises(NotLegal, match="forfeit"):
        play.send(Choose(0, "forfeit", 0), IDS[0])


def test_the_host_that_leaves_hands_over_to_somebody_who_is_there() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(1), None)
    append = play.send(Leave(0), None)
    assert [type(entry) for entry in append] == [Left, Hosted]
    assert play.room.host == IDS[2]
    assert events(play.streams[None][-1]) == ["went_away", "new_host"]
    assert patched(play.streams[None][-1])["host"] == 2


def test_the_last_host_stays_host_of_a_game_that_is_on() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Leave(1), None)
    play.send(Leave(0), None)
    assert play.room.host == IDS[0]


def test_an_empty_room_is_taken_over_by_whoever_sits_down_next() -> None:
    play = Play(nimmt(3))
    play.send(Leave(0), IDS[0])
    assert (play.room.host, play.room.owners) == (None, (None, None, None))
    play.send(Sit("Bo"), IDS[1])
    assert play.room.host == IDS[1]


def test_the_host_may_make_another_the_host() -> None:
    play = Play(nimmt(3)).seated()
    play.send(HandOver(2), IDS[0])
    assert sight_of(play.room, 1)["host"] == 2
    with pytest.raises(NotYours, match="for the host"):
        play.send(Pause(), IDS[0])


def test_a_seat_that_is_away_is_played_for_and_handed_back_at_once() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    assert sight_of(play.room, 0)["away"] == [2]
    (entry,) = play.send(StandIn(2, 0))
    assert isinstance(entry, StoodIn)
    assert play.legal(2)[0] == entry.action
    assert events(play.streams[0][-1]) == ["stand_in_chose"]
    play.send(Return(2), IDS[2])
    play.choose(2, -1)
    assert sight_of(play.room, 2)["choice"] == play.legal(2)[-1]
    assert sight_of(play.room, 0)["away"] == []


def test_what_is_sealed_may_be_sent_again_and_is_nothing_new() -> None:
    """The stand-in may have played the very card that somebody comes back to play."""
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    play.send(StandIn(2, 0))
    play.send(Return(2), IDS[2])
    before, card = play.room, play.legal(2)[0]
    assert play.choose(2) == ()
    play.send(Mark(1, play.legal(1)[0], 0), IDS[1])
    assert play.send(Mark(1, play.legal(1)[0], 0), IDS[1]) == play.send(Unchoose(1, 0), IDS[1]) == ()
    assert play.room.version == before.version + 1
    play.choose(0)
    play.choose(1)
    with pytest.raises(Stale, match="decision 0 is over"):
        play.send(Choose(2, card, 0), IDS[2])
    with pytest.raises(NotYours, match="is not yours"):
        play.send(Unchoose(2, 1), IDS[1])


def test_the_stand_ins_choice_turns_everything_up_if_it_is_the_last() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Leave(2), None)
    play.choose(0)
    play.choose(1)
    append = play.send(StandIn(2, 0))
    assert len(append) > 1
    assert play.room.table.decision == 1


def test_leaving_a_game_that_is_over_is_nothing_to_anybody() -> None:
    play = Play(nimmt(2, 1)).seated()
    while play.room.status == "active":
        play.turn()
    assert play.send(Leave(0), IDS[0]) == play.send(Return(0), IDS[0]) == ()


def test_in_a_pause_the_clock_stands_still_and_nothing_can_be_chosen() -> None:
    play = Play(nimmt(2)).seated()
    play.now = 10_000
    play.send(Pause(), IDS[0])
    assert sight_of(play.room, 1)["paused"] == 10_000
    assert play.room.due is None
    with pytest.raises(OnPause, match="the game is paused"):
        play.choose(1)
    play.now = 100_000
    assert play.send(Tick()) == ()
    assert play.send(Extend(5_000)) == ()
    play.send(Resume(), IDS[0])
    assert play.room.due == 120_000
    assert sight_of(play.room, 1)["due"] == 120_000


def test_the_server_gives_the_time_back_that_it_was_away() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Extend(7_000))
    assert play.room.due == 37_000
    while play.room.status == "active":
        play.turn()
    assert play.send(Extend(7_000)) == play.send(Tick()) == ()


def test_time_that_is_up_is_up_for_each_seat_by_its_own_pace() -> None:
    play = Play(nimmt(3)).seated()
    play.send(Pace(1, 2), IDS[1])
    play.send(Pace(2, None), IDS[0])
    play.now = 30_000
    (entry,) = play.send(Tick())
    assert isinstance(entry, TimedOut)
    assert entry.seat == 0
    assert play.room.due == 60_000
    play.now = 59_999
    play.choose(1)
    assert play.room.due is None
    play.now = 900_000
    play.choose(2)
    assert play.room.table.decision == 1


def test_a_seat_that_is_left_before_the_start_has_the_usual_time_for_the_next() -> None:
    play = Play(nimmt(3))
    play.send(Pace(0, 2), IDS[0])
    play.send(Leave(0), IDS[0])
    assert sight_of(play.room, None)["times"] == [1, 1, 1]


def test_reactions_are_few_until_the_next_reveal() -> None:
    play = Play(nimmt(2)).seated()
    for _ in range(MOST_REACTIONS):
        play.send(React(1, "hurry"), IDS[1])
    with pytest.raises(TooMany, match="3 reactions"):
        play.send(React(1, "hurry"), IDS[1])
    play.send(React(0, "ouch"), IDS[0])
    play.turn(-1)
    play.send(React(1, "thanks"), IDS[1])
    assert play.again() == play.room


def test_after_it_was_closed_nothing_happens_in_a_room() -> None:
    play = Play(nimmt(2)).seated()
    play.send(Close(), IDS[0])
    assert (play.room.status, play.room.due) == ("closed", None)
    assert sight_of(play.room, 1)["closed"] == "host"
    assert "due" not in sight_of(play.room, 1)
    assert patched(play.streams[1][-1])["due"] is None
    assert play.send(Tick()) == play.send(Extend(1)) == ()
    for command in (Choose(0, "play 1", 0), Leave(0), React(0, "ouch"), Sit("Cy"), StandIn(0, 0)):
        with pytest.raises(Closed, match="was closed"):
            play.send(command, IDS[0])


def test_in_a_rematch_everybody_moves_on_by_a_seat_that_is_kept_for_them() -> None:
    play = Play(nimmt(4, 1, bots=("greedy",)))
    play.send(Sit("Bo"), IDS[1])
    play.send(Start(), IDS[0])
    while play.room.status == "active":
        table = play.room.table
        for seat in table.deciders:
            if play.room.table.decision == table.decision:
                if seat < 2:
                    play.choose(seat)
                else:
                    play.send(Bot(seat, play.legal(seat)[0], table.decision))
    next_opening = rematch_opening(play.room)
    assert next_opening.kept == ("", handle_of(IDS[0]), handle_of(IDS[1]), "")
    assert next_opening.bots == ("greedy", "greedy")
    play.send(Rematch("next"), IDS[1])
    assert sight_of(play.room, None)["rematch"] == "next"
    with pytest.raises(Stale, match="a rematch already"):
        play.send(Rematch("other"), IDS[0])

    again = Play(next_opening, host=IDS[0])
    assert viewer_of(again.room, IDS[0]) == 1
    with pytest.raises(Full, match="kept for somebody else"):
        again.send(Sit("Di", 2), IDS[3])
    again.send(Sit(NAMES[1]), IDS[1])
    assert viewer_of(again.room, IDS[1]) == 2
    assert again.room.status == "active"


def test_a_kept_seat_can_be_freed_by_the_host() -> None:
    play = Play(nimmt(2, kept=("", handle_of(IDS[1]))))
    with pytest.raises(Full, match="kept for somebody else"):
        play.send(Sit("Cy"), IDS[2])
    play.send(Remove(1), IDS[0])
    assert events(play.streams[0][-1]) == ["seat_free"]
    append = play.send(Sit("Cy"), IDS[2])
    assert any(isinstance(entry, Joined) for entry in append)
    assert play.room.status == "active"


def test_the_room_knows_every_command_that_is_in_its_log() -> None:
    seen = Seen()
    for number in range(300):
        assert f"{number}" not in seen
        seen = seen.add(f"{number}", number)
    assert [seen.get(f"{number}") for number in range(300)] == list(range(300))
    assert seen.get("300") is None
    assert len(seen.older) < 10
