"""Reactions: their targets, their limit, and pins, which stay until the next reveal."""

from pathlib import Path
from typing import Any, get_args

import pytest
from tests.server.rooms.room_log import IDS, Play, nimmt, patched, view_of

from faceup.core import Malformed, RulesError, WrongSeatError
from faceup.server.rooms import Sit, TableConfig, loads
from faceup.server.rooms.commands import React
from faceup.server.rooms.entries import _REACTION_TEXT, Emote, Phrase, Reaction, ReactionShown
from faceup.server.rooms.errors import TooManyReactionsError
from faceup.server.rooms.reactions import MAX_REACTIONS
from faceup.table.commands import Leave
from faceup.table.errors import StaleCommandError


def face_up(play: Play) -> list[int]:
    """Return the cards in the rows."""
    return [card for row in view_of(play.room, None)["view"]["rows"] for card in row]


def refuse(play: Play, command: React, error: type[RulesError], match: str) -> None:
    """Check that a reaction of seat 0 is refused and changes nothing."""
    before, log = play.room, len(play.log)
    with pytest.raises(error, match=match):
        play.send(command, IDS[0])
    assert (play.room, len(play.log)) == (before, log)


def test_there_are_six_emotes_and_twelve_phrases_each_with_a_text() -> None:
    assert (len(get_args(Emote)), len(get_args(Phrase))) == (6, 12)
    assert get_args(Reaction) == (*get_args(Emote), *get_args(Phrase)) == tuple(_REACTION_TEXT)


def test_the_documentation_lists_all_reactions() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "online-tables.md").read_text("utf-8")
    for kind, ids in (("emotes", Emote), ("phrases", Phrase)):
        assert f"| {kind} | {', '.join(f'`{reaction}`' for reaction in get_args(ids))} |" in page


def test_an_emote_or_phrase_can_be_addressed_to_a_player() -> None:
    play = Play(nimmt(3)).seated()
    play.send(React(0, "ouch", to=2), IDS[0])
    play.send(React(0, "close", to=2), IDS[0])
    assert play.room.events == (ReactionShown(0, "close", to=2),)
    assert play.room.events[0].words(("Ada", "Bo", "Cy")) == "Ada to Cy: That was close!"
    assert "pins" not in view_of(play.room, 1)
    assert play.rebuilt() == play.room


@pytest.mark.parametrize(("seat", "match"), [(3, "no player"), (-1, "no player"), (0, "is your own")])
def test_a_target_is_another_players_seat(seat: int, match: str) -> None:
    refuse(Play(nimmt(3)).seated(), React(0, "bravo", to=seat), WrongSeatError, match)


def test_an_empty_seat_is_no_target() -> None:
    refuse(Play(nimmt(3)), React(0, "hello", to=1), WrongSeatError, "no player")


def test_a_reaction_has_one_target() -> None:
    play = Play(nimmt(3)).seated()
    refuse(play, React(0, "ouch", to=1, card=face_up(play)[0]), Malformed, "not both")


def test_only_emotes_are_pinned_to_cards() -> None:
    play = Play(nimmt(3)).seated()
    refuse(play, React(0, "moo", card=face_up(play)[0]), Malformed, "only an emote")


def test_everyone_sees_a_pin_until_the_next_reveal() -> None:
    play = Play(nimmt(3)).seated()
    card = face_up(play)[0]
    play.send(React(0, "ouch", card=card), IDS[0])
    pin = {"seat": 0, "reaction": "ouch", "card": card}
    for viewer in (0, 1, 2, None):
        assert view_of(play.room, viewer)["pins"] == [pin]
        assert patched(play.streams[viewer][-1]) == {"pins": [pin]}
    play.choose(1)
    assert view_of(play.room, 0)["pins"] == [pin]
    for seat in (0, 2):
        play.choose(seat)
    assert patched(play.streams[0][-1])["pins"] is None
    assert "pins" not in view_of(play.room, None)
    assert play.rebuilt() == play.room


def test_a_hidden_card_is_refused_as_one_that_does_not_exist() -> None:
    """Try all numbers: the cards in all hands, also chosen ones, and those that no one has."""
    play = Play(nimmt(3)).seated()
    play.choose(1)
    play.choose(2, -1)
    visible = face_up(play)
    for card in range(-1, 110):
        if card not in visible:
            refuse(play, React(0, "ouch", card=card), StaleCommandError, f"card {card} does not lie face up")
    play.send(React(0, "ouch", card=visible[-1]), IDS[0])


def test_a_revealed_card_that_waits_for_its_row_can_be_named() -> None:
    for seed in range(99):
        play = Play(nimmt(3), seed=seed).seated()
        play.turn()
        if waiting := view_of(play.room, None)["view"]["waiting"]:
            break
    play.send(React(0, "phew", card=waiting[-1][0]), IDS[0])
    assert view_of(play.room, 1)["pins"][0]["card"] == waiting[-1][0]


@pytest.mark.parametrize("game", ["niuniu", "war"])
def test_games_without_cards_in_rows_have_no_pins(game: str) -> None:
    play = Play(TableConfig(game=game)).seated()
    for card in range(60):
        refuse(play, React(0, "ouch", card=card), StaleCommandError, "face up")
    play.send(React(0, "ouch", to=1), IDS[0])


def test_reactions_are_limited_until_the_next_reveal() -> None:
    play = Play(nimmt(2)).seated()
    targets: tuple[dict[str, Any], ...] = ({}, {"to": 0}, {"card": face_up(play)[0]})
    for target in targets:
        play.send(React(1, "hurry", **target), IDS[1])
    assert len(targets) == MAX_REACTIONS
    for target in targets:
        with pytest.raises(TooManyReactionsError, match="3 reactions"):
            play.send(React(1, "hurry", **target), IDS[1])
    play.send(React(0, "ouch"), IDS[0])
    play.turn(-1)
    play.send(React(1, "thanks"), IDS[1])
    assert play.rebuilt() == play.room


def test_the_limit_follows_the_person_and_not_the_seat() -> None:
    play = Play(nimmt(3))
    play.send(Sit("Bo", seat=1), IDS[1])
    for _ in range(MAX_REACTIONS):
        play.send(React(1, "moo"), IDS[1])
    play.send(Leave(1), IDS[1])
    play.send(Sit("Cy", seat=1), IDS[2])
    play.send(React(1, "hello"), IDS[2])  # not the one who used the seat before
    play.send(Leave(1), IDS[2])
    play.send(Sit("Bo", seat=1), IDS[1])
    with pytest.raises(TooManyReactionsError):
        play.send(React(1, "moo"), IDS[1])


def test_logs_from_before_targets_still_load() -> None:
    (entry,) = loads('[{"entry":"reacted","at":5,"seat":1,"reaction":"hmm"}]')
    play = Play(nimmt(2)).seated()
    play.now = 5
    assert play.send(React(1, "hmm"), IDS[1]) == (entry,)
