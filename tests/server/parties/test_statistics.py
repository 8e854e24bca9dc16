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
    (statistics,) = party_statistics(played)
    assert (statistics.games, statistics.low_wins) == (4, True)
    assert [
        (standing.who.name, standing.games, standing.wins, standing.places, standing.score)
        for standing in statistics.standings
    ] == [
        ("Ann", 4, 2.5, (3, 1), 13),
        ("Cy", 1, 0.5, (1,), 3),
        ("Bo", 4, 0.0, (0, 2, 2), 28),
    ]
    assert {standing.who.name: standing.streak for standing in statistics.standings} == {"Ann": 3, "Bo": 0, "Cy": 1}
    duels = {(duel.one, duel.other): (duel.games, duel.one_ahead, duel.other_ahead) for duel in statistics.duels}
    assert duels == {("ann", "bo"): (4, 4, 0), ("ann", "cy"): (1, 0, 0), ("bo", "cy"): (1, 0, 1)}
    assert statistics.lowest is not None
    assert statistics.highest is not None
    assert (statistics.lowest.who.name, statistics.lowest.score, statistics.lowest.table) == ("Ann", 1, "t4")
    assert (statistics.highest.who.name, statistics.highest.score) == ("Bo", 9)


def test_bots_and_erased_players_are_left_out() -> None:
    (statistics,) = party_statistics([game(1, Ann=4, Gone=1, Bot=9)])
    assert [standing.who.name for standing in statistics.standings] == ["Ann"]
    assert statistics.duels == ()
    assert statistics.lowest is not None
    assert statistics.lowest.who.name == "Ann"


def test_each_variant_has_its_own_standings() -> None:
    groups = party_statistics([game(1, Ann=1, Bo=2), game(2, "classic", Ann=9, Bo=2), game(3, "classic", Ann=1, Bo=2)])
    assert [(statistics.variant, statistics.games) for statistics in groups] == [("classic", 2), ("cowheadking", 1)]
    assert party_statistics([]) == ()


@pytest.mark.parametrize("seats", [(3, 9), (9, 3)])
def test_a_person_with_several_seats_counts_once_with_the_best(seats: tuple[int, int]) -> None:
    sides = tuple(PartySide(who=PEOPLE["Ann"], score=score, place=1 if score == 3 else 2) for score in seats)
    played = PartyGame(number=1, table="t", game="nimmt", variant="classic", ended_at=1, sides=sides)
    (statistics,) = party_statistics([played])
    assert [(standing.games, standing.wins, standing.score) for standing in statistics.standings] == [(1, 1.0, 3)]
