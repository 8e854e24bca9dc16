"""Sizes of tables for every number of players."""

import pytest
from tests.tournament.simulated import rules

from faceup.core import Malformed
from faceup.tournament import table_sizes


@pytest.mark.parametrize("seats", range(3, 8))
def test_tables_have_nearly_the_wanted_size_and_no_one_has_a_bye(seats: int) -> None:
    for players in range(5, 201):
        people, bots, byes = table_sizes(players, rules(seats=seats))
        assert sum(people) == players
        assert byes == sum(bots) == 0
        assert max(people) - min(people) <= 1
        if players >= seats * (seats - 1):
            assert {seats - 1, seats} >= set(people) or {seats, seats + 1} >= set(people)


@pytest.mark.parametrize("seats", range(2, 6))
def test_games_for_one_number_of_seats_have_byes(seats: int) -> None:
    for players in range(5, 201):
        people, _, byes = table_sizes(players, rules(seats=seats, fewest=seats, most=seats))
        assert set(people) == {seats}
        assert byes == players % seats


@pytest.mark.parametrize("seats", range(2, 8))
def test_with_bots_all_tables_have_the_wanted_size(seats: int) -> None:
    for players in range(1, 201):
        people, bots, byes = table_sizes(players, rules(seats=seats, bots=True))
        assert sum(people) == players
        assert {more + size for more, size in zip(bots, people, strict=True)} == {seats}
        assert byes == 0
        assert max(people) - min(people) <= 1


@pytest.mark.parametrize("players", [-1, 401, 10**30])
def test_a_round_has_a_possible_number_of_players(players: int) -> None:
    with pytest.raises(Malformed, match="a round can have 0 to 400 players; got "):
        table_sizes(players, rules(seats=4))
