"""Lineups of contests, and invalid contests."""

from collections import Counter

import pytest
from tests.arena.synthetic_log import FIVE, TWO

from faceup.arena import MatchTerms
from faceup.arena.run.pairings import ContestBot, contest, lineups
from faceup.core import Malformed


def seatings(
    kind: str, bots: tuple[ContestBot, ...], game: str = "nimmt:arena", field: tuple[str, ...] = ()
) -> list[str]:
    """Return the bot in each seat, for each match of one block."""
    assert kind in {"round-robin", "gauntlet", "compare"}
    schedule = contest(kind, MatchTerms(game), bots, seed=1, field=field)  # type: ignore[arg-type]  # checked above
    return [
        "".join(lineup.names[(seat - turn) % schedule.seats][0] for seat in range(schedule.seats))
        for lineup in lineups(schedule)
        for turn in range(lineup.rotations)
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_comparison_without_field_plays_all_distinct_seatings(seats: int) -> None:
    lineups = seatings("compare", TWO, f"nimmt seats={seats}")
    assert len(lineups) == len(set(lineups)) == 2**seats - 2
    swapped = str.maketrans("no", "on")
    assert {seating.translate(swapped) for seating in lineups} == set(lineups)  # they take each other's place


def test_comparison_with_field_seats_both_bots_everywhere() -> None:
    bots = (*TWO, *FIVE[:2])
    lineups = seatings("compare", bots, field=("a", "b"))
    assert Counter(lineups) == Counter(["nabb", "bnab", "bbna", "abbn", "oabb", "boab", "bboa", "abbo"])


def test_new_bot_can_be_in_the_field() -> None:
    assert Counter(seatings("compare", TWO, field=("new",))) == {"nnnn": 4, "onnn": 1, "nonn": 1, "nnon": 1, "nnno": 1}


def test_round_robin_plays_every_set_in_every_rotation() -> None:
    lineups = seatings("round-robin", FIVE)
    assert len(lineups) == len(set(lineups)) == 5 * 4
    assert Counter("".join(sorted(seating)) for seating in lineups) == dict.fromkeys(
        ["abcd", "abce", "abde", "acde", "bcde"], 4
    )


def test_fewer_bots_than_seats_fill_every_table() -> None:
    lineups = seatings("round-robin", FIVE[:3])
    assert {"".join(sorted(seating)) for seating in lineups} == {"aabc", "abbc", "abcc"}
    assert len(lineups) == len(set(lineups)) == 12


def test_gauntlet_pairs_the_first_bot_with_all_others() -> None:
    lineups = seatings("gauntlet", FIVE)
    assert all("a" in seating for seating in lineups)
    assert {"".join(sorted(seating)) for seating in lineups} == {"abcd", "abce", "abde", "acde"}
    assert {"".join(sorted(seating)) for seating in seatings("gauntlet", FIVE[:2])} == {"abbb"}


def test_unit_deal_uses_rules_of_one_deal() -> None:
    assert contest("compare", MatchTerms(), TWO, seed=1, unit="deal").terms.game == "nimmt:arena seats=4 deals=1"
    assert contest("compare", MatchTerms(), TWO, seed=1).terms.game == "nimmt:arena seats=4"


def test_contests_compare_by_value() -> None:
    schedule = contest("compare", MatchTerms("nimmt:arena deals=5"), TWO, seed=1)
    assert schedule == contest("compare", MatchTerms("nimmt:arena"), TWO, seed=1)
    assert schedule != contest("compare", MatchTerms("nimmt:arena"), TWO, seed=2)


@pytest.mark.parametrize(
    ("kind", "bots", "field", "game", "seed", "message"),
    [
        ("round-robin", TWO[:1], (), "nimmt:arena", 1, "must have 2 or more bots; got 1"),
        ("round-robin", (*TWO, TWO[0]), (), "nimmt:arena", 1, "'new' is named twice"),
        ("ladder", FIVE[:3], (), "nimmt:arena", 1, "must have 4 or more bots; got 3; play a round-robin"),
        ("compare", FIVE[:3], (), "nimmt:arena", 1, "a comparison must have 2 bots; got 3"),
        ("compare", FIVE, ("a", "b", "c", "d"), "nimmt:arena", 1, "must be at most 3 in a game with 4 seats; got 4"),
        ("compare", TWO, ("x",), "nimmt:arena", 1, "'x' is not one of the bots"),
        ("compare", TWO, (), "nimmt:arena", -1, "seed must be 0 to"),
        ("compare", TWO, (), "niuniu seats=1", 1, "the game of a contest must have 2 or more seats; got 1"),
        (
            "round-robin",
            tuple(ContestBot(f"b{n}", "") for n in range(60)),
            (),
            "nimmt:arena",
            1,
            "487,635 different tables",
        ),
    ],
)
def test_invalid_contest_is_refused(  # noqa: PLR0917 -- a case has as many parts
    kind: str, bots: tuple[ContestBot, ...], field: tuple[str, ...], game: str, seed: int, message: str
) -> None:
    with pytest.raises(Malformed, match=message):
        contest(kind, MatchTerms(game), bots, seed=seed, field=field)  # type: ignore[arg-type]  # a parametrised word
