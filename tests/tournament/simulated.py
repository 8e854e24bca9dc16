"""Tournaments that are played to the end with random results."""

from collections import Counter
from typing import Any

from faceup.core import SeededGenerator, places
from faceup.tournament import TableResult, Tournament, TournamentRules, add_entrant, record_result, start_round
from faceup.tournament.pairing import meetings
from faceup.tournament.tournament import BOT


def entered(players: int, rules: TournamentRules, seed: int = 1) -> Tournament:
    """Return a tournament that has not started."""
    tournament = Tournament(rules=rules, seed=seed)
    for _ in range(players):
        tournament = add_entrant(tournament)
    return tournament


def play_round(tournament: Tournament, rng: SeededGenerator) -> Tournament:
    """Draw a round, and give its tables random results, in which players with low numbers are better."""
    tournament = start_round(tournament)
    for index, table in enumerate(tournament.rounds[-1].tables):
        scores = tuple(number // 10 + rng.below(30) for number in table.seats)
        tournament = record_result(tournament, index, TableResult(places(scores), scores))
    return tournament


def played(players: int, rules: TournamentRules, seed: int = 1) -> Tournament:
    """Return a tournament that was played to the end."""
    tournament, rng = entered(players, rules, seed), SeededGenerator(seed, 77)
    while not tournament.over:
        tournament = play_round(tournament, rng)
    return tournament


def people(tournament: Tournament) -> list[list[tuple[int, ...]]]:
    """Return the entrants at each table of each round."""
    return [
        [tuple(number for number in table.seats if number != BOT) for table in round_.tables]
        for round_ in tournament.rounds
    ]


def most_meetings(tournament: Tournament) -> int:
    """Return how often the two entrants who met most often have met."""
    met = meetings([table for tables in people(tournament) for table in tables])
    return max((count for others in met.values() for count in others.values()), default=0)


def byes(tournament: Tournament) -> Counter[int]:
    """Return the number of byes of each entrant, also of those without one."""
    counts = Counter(dict.fromkeys(range(1, len(tournament.entrants) + 1), 0))
    for round_ in tournament.rounds:
        counts.update(round_.byes)
    return counts


def seats_had(tournament: Tournament) -> dict[int, Counter[int]]:
    """Return how often each entrant had each seat."""
    had = {number: Counter[int]() for number in range(1, len(tournament.entrants) + 1)}
    for round_ in tournament.rounds:
        for table in round_.tables:
            for seat, number in enumerate(table.seats):
                if number != BOT:
                    had[number][seat] += 1
    return had


def rules(**fields: Any) -> TournamentRules:  # Any: fields of all types
    """Return rules for tables of four in a game for 2 to 10, with changes."""
    return TournamentRules(**{"rounds": 5, "seats": 4, "fewest": 2, "most": 10, **fields})
