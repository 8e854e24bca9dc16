"""Which tables a contest has, and which contests there cannot be."""

from collections import Counter

import pytest
from tests.arena.unplayed import FIVE, TWO

from faceup.arena import Terms
from faceup.arena.contests import Named, contest, lineups
from faceup.core import Malformed


def seatings(kind: str, bots: tuple[Named, ...], game: str = "nimmt:arena", field: tuple[str, ...] = ()) -> list[str]:
    """Who sits in each seat, match by match of one block."""
    assert kind in {"round-robin", "gauntlet", "compare"}
    found = contest(kind, Terms(game), bots, seed=1, field=field)  # type: ignore[arg-type]  # checked above
    return [
        "".join(lineup.names[(seat - turn) % found.seats][0] for seat in range(found.seats))
        for lineup in lineups(found)
        for turn in range(lineup.rotations)
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_comparison_without_a_field_plays_all_distinct_seatings_of_the_two(seats: int) -> None:
    found = seatings("compare", TWO, f"nimmt seats={seats}")
    assert len(found) == len(set(found)) == 2**seats - 2
    swapped = str.maketrans("no", "on")
    assert {seating.translate(swapped) for seating in found} == set(found)  # they take each other's place


def test_a_comparison_with_a_field_seats_both_in_every_seat_against_the_same_others() -> None:
    bots = (*TWO, *FIVE[:2])
    found = seatings("compare", bots, field=("a", "b"))
    assert Counter(found) == Counter(["nabb", "bnab", "bbna", "abbn", "oabb", "boab", "bboa", "abbo"])


def test_the_new_one_may_sit_in_the_field_too() -> None:
    assert Counter(seatings("compare", TWO, field=("new",))) == {"nnnn": 4, "onnn": 1, "nonn": 1, "nnon": 1, "nnno": 1}


def test_a_round_robin_seats_every_set_of_bots_once_in_every_rotation() -> None:
    found = seatings("round-robin", FIVE)
    assert len(found) == len(set(found)) == 5 * 4
    assert Counter("".join(sorted(seating)) for seating in found) == dict.fromkeys(
        ["abcd", "abce", "abde", "acde", "bcde"], 4
    )


def test_with_fewer_bots_than_seats_all_are_at_every_table() -> None:
    found = seatings("round-robin", FIVE[:3])
    assert {"".join(sorted(seating)) for seating in found} == {"aabc", "abbc", "abcc"}
    assert len(found) == len(set(found)) == 12


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    found = seatings("gauntlet", FIVE)
    assert all("a" in seating for seating in found)
    assert {"".join(sorted(seating)) for seating in found} == {"abcd", "abce", "abde", "acde"}
    assert {"".join(sorted(seating)) for seating in seatings("gauntlet", FIVE[:2])} == {"abbb"}


def test_a_unit_of_one_deal_is_played_by_the_rules_of_one_deal() -> None:
    assert contest("compare", Terms(), TWO, seed=1, unit="deal").terms.game == "nimmt:arena seats=4 deals=1"
    assert contest("compare", Terms(), TWO, seed=1).terms.game == "nimmt:arena seats=4"


def test_equal_words_make_equal_contests() -> None:
    one = contest("compare", Terms("nimmt:arena deals=5"), TWO, seed=1)
    assert one == contest("compare", Terms("nimmt:arena"), TWO, seed=1)
    assert one != contest("compare", Terms("nimmt:arena"), TWO, seed=2)


@pytest.mark.parametrize(
    ("kind", "bots", "field", "game", "seed", "message"),
    [
        ("round-robin", TWO[:1], (), "nimmt:arena", 1, "between two bots at least, not 1"),
        ("round-robin", (*TWO, TWO[0]), (), "nimmt:arena", 1, "'new' is named twice"),
        ("ladder", FIVE[:3], (), "nimmt:arena", 1, "between 4 bots at least, not 3: play a round-robin"),
        ("compare", FIVE[:3], (), "nimmt:arena", 1, "between two bots, not 3"),
        ("compare", FIVE, ("a", "b", "c", "d"), "nimmt:arena", 1, "room for 3 against"),
        ("compare", TWO, ("x",), "nimmt:arena", 1, "'x' is none of the bots"),
        ("compare", TWO, (), "nimmt:arena", -1, "seed is 0 to"),
        ("compare", TWO, (), "niuniu seats=1", 1, "nobody plays against anybody at a table of 1"),
        ("round-robin", tuple(Named(f"b{n}", "") for n in range(60)), (), "nimmt:arena", 1, "487,635 different tables"),
    ],
)
def test_what_cannot_be_played_is_refused(  # noqa: PLR0917 -- a case has as many parts
    kind: str, bots: tuple[Named, ...], field: tuple[str, ...], game: str, seed: int, message: str
) -> None:
    with pytest.raises(Malformed, match=message):
        contest(kind, Terms(game), bots, seed=seed, field=field)  # type: ignore[arg-type]  # a parametrised word
