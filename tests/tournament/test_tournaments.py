"""Whole tournaments: everyone plays every round, no one meets twice if it can be avoided, byes and seats are shared."""

from collections import Counter
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tournament.simulated import (
    byes,
    entered,
    most_meetings,
    people,
    play_round,
    played,
    rules,
    seats_had,
)

from faceup.core import Malformed, SeededGenerator
from faceup.tournament import (
    TableResult,
    Tournament,
    add_entrant,
    admit_entrant,
    next_number,
    record_result,
    set_status,
    standings,
    start_round,
)
from faceup.tournament.pairing import cost, meetings, pair
from faceup.tournament.tournament import MAX_PLAYERS

KINDS = (
    {"seats": 4},
    {"seats": 4, "format": "mixed"},
    {"seats": 2},
    {"seats": 3, "fewest": 3, "most": 3},
    {"seats": 5, "bots": True},
    {"seats": 6},
)


def check(tournament: Tournament) -> None:
    """Check what holds for every tournament without leavers."""
    everyone = set(range(1, len(tournament.entrants) + 1))
    for round_ in tournament.rounds:
        seated = [number for table in round_.tables for number in table.seats if number]
        assert Counter([*seated, *round_.byes]) == Counter(everyone)
        sizes = {len(table.seats) for table in round_.tables}
        assert max(sizes) - min(sizes) <= 1
    counts = byes(tournament).values()
    assert max(counts) - min(counts) <= 1
    for had in seats_had(tournament).values():
        seats = range(min(len(table.seats) for round_ in tournament.rounds for table in round_.tables))
        assert max(had.values()) - min(had[seat] for seat in seats) <= 4


@settings(max_examples=8, deadline=None)
@given(players=st.integers(5, 60), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_everyone_plays_every_round_and_byes_are_at_most_one_apart(
    players: int, kind: dict[str, object], seed: int
) -> None:
    check(played(players, rules(**kind), seed))


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", [{"seats": 4, "rounds": 5}, {"seats": 2, "rounds": 7}])
def test_two_hundred_players_play_to_the_end_and_no_one_meets_twice(kind: dict[str, object]) -> None:
    tournament = played(200, rules(**kind))
    check(tournament)
    assert most_meetings(tournament) == 1


@pytest.mark.long
@pytest.mark.parametrize("kind", [{**KINDS[0], "rounds": 4}, *KINDS[1:]])
def test_every_number_of_players_from_5_to_200(kind: dict[str, object]) -> None:
    for players in range(5, 201):
        tournament = played(players, rules(**{"rounds": 3, **kind}))
        check(tournament)
        if players >= 50:
            assert most_meetings(tournament) == 1


def can_avoid(numbers: range, met: dict[int, Counter[int]]) -> bool:
    """Return whether there are tables for two at which no two meet who have met before."""
    new = [(first, other) for first, other in combinations(numbers, 2) if not met.get(first, Counter())[other]]
    return 2 * len(nx.max_weight_matching(nx.Graph(new), maxcardinality=True)) == len(numbers)


@settings(max_examples=15, deadline=None)
@given(half=st.integers(2, 8), seed=st.integers(0, 999))
def test_at_tables_for_two_no_one_meets_twice_if_any_pairing_avoids_it(half: int, seed: int) -> None:
    players, rng = 2 * half, SeededGenerator(seed)
    tournament = entered(players, rules(seats=2, rounds=min(20, players)), seed)
    while not tournament.over:
        met = meetings([table for tables in people(tournament) for table in tables])
        avoidable = can_avoid(range(1, players + 1), met)
        tournament = play_round(tournament, rng)
        repeats = sum(met.get(first, Counter())[other] for first, other in people(tournament)[-1])
        assert not (avoidable and repeats)


def every_round_of_threes(numbers: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """Return all ways to share out the numbers over tables of three."""
    if not numbers:
        return [[]]
    first, rest = numbers[0], numbers[1:]
    return [
        [(first, *two), *others]
        for two in combinations(rest, 2)
        for others in every_round_of_threes(tuple(number for number in rest if number not in two))
    ]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 999))
def test_the_search_for_larger_tables_finds_the_fewest_repeated_meetings(seed: int) -> None:
    """The first three rounds of nine players are drawn, and all 280 ways to draw the next one are tried."""
    tournament, rng = entered(9, rules(seats=3), seed), SeededGenerator(seed)
    for _ in range(3):
        tournament = play_round(tournament, rng)
    met, points = (
        meetings([table for tables in people(tournament) for table in tables]),
        dict.fromkeys(range(1, 10), 0.0),
    )
    pairs = pair(tuple(range(1, 10)), (3, 3, 3), met, points, rng)
    best = min(cost(tables, met, points) for tables in every_round_of_threes(tuple(range(1, 10))))
    assert cost(pairs, met, points) == best


def test_players_of_similar_points_meet() -> None:
    tournament, rng = entered(60, rules()), SeededGenerator(3)
    for _ in range(3):
        tournament = play_round(tournament, rng)
    points = {row.number: float(row.points) for row in standings(tournament)}
    drawn = [[points[number] for number in table] for table in people(start_round(tournament))[-1]]
    gaps = [max(table) - min(table) for table in drawn]
    assert sum(gaps) / len(gaps) < 0.3 * (max(points.values()) - min(points.values()))


def test_the_same_history_gives_the_same_pairings() -> None:
    assert played(23, rules()) == played(23, rules())


def test_who_left_is_not_drawn_and_who_returns_is() -> None:
    rng = SeededGenerator(1)
    tournament = play_round(entered(8, rules()), rng)
    tournament = play_round(set_status(tournament, 3, "left"), rng)
    assert all(3 not in table for table in people(tournament)[-1])
    tournament = play_round(set_status(tournament, 3, "active"), rng)
    assert any(3 in table for table in people(tournament)[-1])


def test_who_misses_a_whole_round_is_not_drawn_for_the_next() -> None:
    tournament = start_round(entered(8, rules()))
    first, second = tournament.rounds[0].tables
    tournament = record_result(tournament, 0, TableResult((1, 2, 3, 4), missed=(2,)))
    tournament = record_result(tournament, 1, TableResult((1, 2, 3, 4)))
    assert tournament.entrants[first.seats[2] - 1].status == "absent"
    assert len(tournament.active) == 7
    assert second.seats[2] in tournament.active


def test_latecomers_join_until_the_stated_round() -> None:
    tournament, rng = entered(8, rules(join_until=2)), SeededGenerator(1)
    tournament = add_entrant(play_round(tournament, rng))
    assert tournament.entrants[8].joined == 2
    tournament = play_round(tournament, rng)
    with pytest.raises(Malformed, match="earlier round"):
        add_entrant(tournament)


def test_who_left_or_was_removed_keeps_no_place() -> None:
    full = entered(MAX_PLAYERS, rules(join_until=2))
    with pytest.raises(Malformed, match="at most 200 players"):
        add_entrant(full, number=next_number(full))
    waiting = add_entrant(full, waiting=True)
    with pytest.raises(Malformed, match="at most 200 players"):
        admit_entrant(waiting, 201)
    left = set_status(set_status(waiting, 7, "left"), 9, "removed")
    assert (set(left.hidden), next_number(left), next_number(left, {3})) == ({9, 201}, 7, 3)
    assert {9, 201}.isdisjoint(row.number for row in standings(left))
    again = admit_entrant(add_entrant(left, number=7), 201)
    assert (again.entrants[6].status, len(again.entrants)) == ("active", 201)
    with pytest.raises(Malformed, match="at most 200 players"):  # the place went to another
        set_status(add_entrant(set_status(again, 1, "left"), number=9), 1, "active")


def test_an_entrant_who_has_played_keeps_the_number() -> None:
    tournament = play_round(entered(MAX_PLAYERS, rules(join_until=2)), SeededGenerator(1))
    removed = set_status(tournament, 5, "removed")
    assert (removed.hidden, next_number(removed)) == (frozenset(), 201)
    assert add_entrant(removed).entrants[200].joined == 2


def test_a_result_counts_once() -> None:
    tournament = start_round(entered(5, rules()))
    first = record_result(tournament, 0, TableResult((1, 2, 3, 4, 5)))
    assert record_result(first, 0, TableResult((5, 4, 3, 2, 1))) is first
    assert first.rounds[-1].over


def test_a_round_needs_enough_players() -> None:
    with pytest.raises(Malformed, match="too few players"):
        start_round(entered(2, rules(seats=3, fewest=3, most=3)))
    with pytest.raises(Malformed, match="too few players"):
        start_round(entered(1, rules(bots=True)))


def test_a_tournament_is_limited() -> None:
    with pytest.raises(Malformed, match="at most 200 players"):
        entered(201, rules())
    with pytest.raises(Malformed, match="1 to 20 rounds"):
        rules(rounds=21)
    with pytest.raises(Malformed, match="2 to 10 in this game"):
        rules(seats=11)
    with pytest.raises(Malformed, match="round from 1 to 5"):
        rules(join_until=6)
    with pytest.raises(Malformed, match="the entrants are 1 to 5"):
        set_status(entered(5, rules()), 6, "left")


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (TableResult((1, 1, 2, 4)), "places must be ranks from 1"),
        (TableResult((0, 1, 2, 3)), "places must be ranks from 1"),
        (TableResult((1, 2, 3, 4), missed=(4,)), "there is no seat 4 at this table"),
        (TableResult((1, 2, 3, 4), missed=(-1,)), "there is no seat -1 at this table"),
    ],
)
def test_a_result_that_does_not_fit_its_table_is_refused(result: TableResult, message: str) -> None:
    started = start_round(entered(4, rules(seats=4)))
    with pytest.raises(Malformed, match=message):
        record_result(started, 0, result)


def test_an_entrant_has_a_known_status_and_the_next_number_or_one_that_is_taken() -> None:
    cup = entered(4, rules())
    for number in (-1, 0, 6):
        with pytest.raises(Malformed, match=f"the number of an entrant must be 1 to 5; got {number}"):
            add_entrant(cup, number=number)
    status: Any = "late"
    with pytest.raises(Malformed, match="an entrant is active, left, absent, removed, waiting; got 'late'"):
        set_status(cup, 1, status)
