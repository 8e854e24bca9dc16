"""The statistics of a party follow from the results of its games."""

import pytest

from faceup.server.parties.statistics import PartyGame, PartySide, party_statistics
from faceup.server.results.history import PlayerName

PEOPLE = {name: PlayerName(name=name, handle=name.lower()) for name in ("Ann", "Bo", "Cy")}
BOT = PlayerName(name="mc", bot="mc")
ERASED = PlayerName(name="Deleted player")


def game(number: int, variant: str = "cowheadking", **heads: int) -> PartyGame:
    """Return a game of 6 nimmt! with these heads, in which the fewest win."""
    who = PEOPLE | {"Bot": BOT, "Gone": ERASED}
    scores = sorted(heads.values())
    sides = tuple(PartySide(who=who[name], score=score, place=1 + scores.index(score)) for name, score in heads.items())
    return PartyGame(number=number, table=f"t{number}", game="nimmt", variant=variant, ended_at=number, sides=sides)


def test_games_wins_places_heads_and_streaks_of_each_person() -> None:
    played = [game(3, Ann=5, Bo=9), game(1, Ann=4, Bo=9, Bot=1), game(2, Ann=3, Cy=3, Bo=8), game(4, Ann=1, Bo=2)]
    (found,) = party_statistics(played)
    assert (found.games, found.low_wins) == (4, True)
    assert [(each.who.name, each.games, each.wins, each.places, each.score) for each in found.standings] == [
        ("Ann", 4, 2.5, (3, 1), 13),
        ("Cy", 1, 0.5, (1,), 3),
        ("Bo", 4, 0.0, (0, 2, 2), 28),
    ]
    assert {each.who.name: each.streak for each in found.standings} == {"Ann": 3, "Bo": 0, "Cy": 1}
    duels = {(each.one, each.other): (each.games, each.one_ahead, each.other_ahead) for each in found.duels}
    assert duels == {("ann", "bo"): (4, 4, 0), ("ann", "cy"): (1, 0, 0), ("bo", "cy"): (1, 0, 1)}
    assert found.lowest is not None
    assert found.highest is not None
    assert (found.lowest.who.name, found.lowest.score, found.lowest.table) == ("Ann", 1, "t4")
    assert (found.highest.who.name, found.highest.score) == ("Bo", 9)


def test_bots_and_erased_players_are_left_out() -> None:
    (found,) = party_statistics([game(1, Ann=4, Gone=1, Bot=9)])
    assert [each.who.name for each in found.standings] == ["Ann"]
    assert found.duels == ()
    assert found.lowest is not None
    assert found.lowest.who.name == "Ann"


def test_each_variant_has_its_own_standings() -> None:
    found = party_statistics([game(1, Ann=1, Bo=2), game(2, "classic", Ann=9, Bo=2), game(3, "classic", Ann=1, Bo=2)])
    assert [(each.variant, each.games) for each in found] == [("classic", 2), ("cowheadking", 1)]
    assert party_statistics([]) == ()


@pytest.mark.parametrize("seats", [(3, 9), (9, 3)])
def test_a_person_with_several_seats_counts_once_with_the_best(seats: tuple[int, int]) -> None:
    sides = tuple(PartySide(who=PEOPLE["Ann"], score=score, place=1 if score == 3 else 2) for score in seats)
    played = PartyGame(number=1, table="t", game="nimmt", variant="classic", ended_at=1, sides=sides)
    (found,) = party_statistics([played])
    assert [(each.games, each.wins, each.score) for each in found.standings] == [(1, 1.0, 3)]
