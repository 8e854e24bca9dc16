"""The awards of an evening, on constructed games."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from faceup.core import Event, make
from faceup.games.nimmt.events import DealOver, Dealt, Opened, Placed, Revealed, Took
from faceup.games.niuniu.hand import score
from faceup.games.niuniu.state import DiceThrown, MatchWon, ThrowDrawn, ThrowWon
from faceup.games.war.events import Collected, Turned, Undecided, WarDeclared
from faceup.server.parties.awards import Award, AwardKind, PlayedGame, awards_of
from faceup.server.pictures.words import award_titles

HEADS_OF_55 = 7


def played(game: str, events: Sequence[Event], who: str = "ann bo", table: str = "t") -> PlayedGame:
    handles = tuple(None if handle == "bot" else handle for handle in who.split())
    rules = make(game if game == "war" else f"{game} seats={len(handles)}")
    return PlayedGame(table, rules, handles, events)


def found(*games: PlayedGame) -> dict[str, Award]:
    return {award.kind: award for award in awards_of(games)}


def test_the_ox_of_the_night_has_the_most_heads_of_all_games() -> None:
    opened = Opened(1, (55, 10, 20, 30))
    first = played("nimmt", [opened, Revealed((5, 6)), Took(0, 5, 0, (55,), chosen=True)])
    second = played("nimmt", [opened, Revealed((6, 5)), Took(1, 5, 1, (10,), chosen=True)], table="u")
    assert found(first, second)["ox"] == Award(kind="ox", who=("ann",), value=HEADS_OF_55)


def test_the_luckiest_escape_is_a_card_for_a_full_row_that_another_card_took_first() -> None:
    row = (50, 51, 52, 53, 54)
    start = [Opened(1, (50, 70, 80, 90)), *(Placed(0, card, 0) for card in row[1:])]
    turn = [Revealed((56, 57)), Took(0, 56, 0, row, chosen=False), Placed(1, 57, 0)]
    assert found(played("nimmt", [*start, *turn]))["escape"] == Award(kind="escape", who=("bo",), value=7, table="t")
    # A card for a row with space was in no danger.
    assert "escape" not in found(played("nimmt", [Opened(1, (50, 70, 80, 90)), Revealed((56, 57)), Placed(1, 57, 0)]))


def test_the_bravest_104_was_placed_on_the_row_with_the_most_heads() -> None:
    rich = [Opened(1, (88, 55, 3, 4)), Revealed((104, 2)), Placed(0, 104, 0)]
    poor = [Opened(1, (88, 91, 3, 4)), Revealed((2, 104)), Placed(1, 104, 1)]
    taken = [Opened(1, (88, 55, 3, 4)), Revealed((2, 104)), Took(1, 104, 0, (88,), chosen=False)]
    award = found(played("nimmt", poor), played("nimmt", rich, table="rich"), played("nimmt", taken))["brave"]
    assert award == Award(kind="brave", who=("ann",), value=5, table="rich")


def test_a_streak_without_a_head_goes_from_one_game_to_the_next() -> None:
    over = DealOver((0, 0), (0, 0))
    first = [Opened(1, (1, 2, 3, 4)), Revealed((5, 6)), Took(1, 6, 0, (1,), chosen=True), Revealed((7, 8)), over]
    second = [Opened(1, (1, 2, 3, 4)), Revealed((9, 10)), Took(1, 10, 0, (1,), chosen=True), over]
    award = found(played("nimmt", first), played("nimmt", second))["unhurt"]
    assert award == Award(kind="unhurt", who=("ann",), value=3)


def test_the_coolest_head_takes_nothing_in_a_last_turn_in_which_someone_else_does() -> None:
    over = DealOver((0, 1, 0), (0, 1, 0))
    hot = [Opened(1, (9, 20, 30, 40)), Revealed((5, 8, 50)), Took(1, 8, 0, (9,), chosen=True), over]
    quiet = [Opened(1, (9, 20, 30, 40)), Revealed((10, 21, 31)), over]
    award = found(played("nimmt", [*hot, *quiet], "ann bo cy"), played("nimmt", hot, "ann cy bo"))["cool"]
    assert award == Award(kind="cool", who=("ann",), value=2)


def test_the_awards_of_niu_niu() -> None:
    niu, none, nine = (5, 2, 4, 6, 3), (1, 1, 1, 2, 2), (5, 3, 2, 4, 5)

    def throw(first: tuple[int, ...], second: tuple[int, ...], *result: Event) -> list[Event]:
        return [DiceThrown(seat, dice, score(dice)) for seat, dice in enumerate((first, second))] + [*result]

    games = [
        *throw(niu, none, ThrowWon(0, "Niu Niu")),
        *throw(niu, nine, ThrowWon(0, "Niu Niu")),
        *throw(none, none, ThrowDrawn((0, 1), "No Niu")),
        *throw(none, niu, ThrowWon(1, "Niu Niu")),
        MatchWon((0,), 2, 1),
    ]
    assert found(played("niuniu", games)) == {
        "niu_niu": Award(kind="niu_niu", who=("ann",), value=2),
        "throw_streak": Award(kind="throw_streak", who=("ann",), value=2),
        "last_throw": Award(kind="last_throw", who=("bo",), value=1),
        "throws_lost": Award(kind="throws_lost", who=("bo",), value=2),
    }  # both had two hands without Niu


def test_the_awards_of_war() -> None:
    rounds = [
        *(Turned((1, 2), (1, 1)), Collected(1, 2)),
        *(Turned((1, 2), (1, 1)), WarDeclared(1), Turned((3, 2), (4, 4)), Collected(1, 10)),
        *(Turned((3, 2), (1, 1)), Collected(0, 2)),
        *(Turned((3, 2), (1, 1)), Undecided()),
        *(Turned((3, 2), (1, 1)), Collected(0, 2)),
    ]
    assert found(played("war", rounds, table="w")) == {
        "wars": Award(kind="wars", who=("bo",), value=1),
        "pile": Award(kind="pile", who=("bo",), value=10, table="w"),
        "round_streak": Award(kind="round_streak", who=("bo",), value=2),
        "cards_lost": Award(kind="cards_lost", who=("ann",), value=6),
    }


@pytest.mark.parametrize("who", ["ann bo", "bot bot", "ann bot"])
def test_no_award_for_what_everyone_did_and_none_for_a_bot(who: str) -> None:
    events = [Opened(1, (9, 8, 20, 30)), Revealed((1, 2))]
    events += [Took(0, 1, 0, (9,), chosen=True), Took(1, 2, 1, (8,), chosen=True), DealOver((1, 1), (1, 1))]
    assert found(played("nimmt", events, who)) == {}


def test_the_documentation_defines_every_award() -> None:
    page = Path("docs/how-to/parties.md").read_text("utf-8")
    defined = re.findall(r"^\| ([^|]+) \| (?:6 nimmt!|Niu Niu|War) \|", page, re.MULTILINE)
    assert defined == list(award_titles("en").values())
    assert set(award_titles("en")) == set(get_args(AwardKind))


def test_a_hand_that_was_dealt_gives_no_award() -> None:
    events = [Dealt(0, (104, 55)), Opened(1, (9, 8, 20, 30))]
    assert found(played("nimmt", events)) == {}
