"""Points and tie-breaks, by worked examples."""

from fractions import Fraction

import pytest
from tests.tournament.simulated import entered, rules

from faceup.tournament import Round, RoundTable, TableResult, Tournament, add_entrant, points_at_table, standings

HALF = Fraction(1, 2)


def tournament(players: int, *tables: tuple[tuple[int, ...], tuple[int, ...]], **fields: object) -> Tournament:
    """Return a tournament with one table for each round, given its seats and scores, of which lower ones are better."""
    rounds = []
    for seats, scores in tables:
        ranks = tuple(1 + sum(other < score for other in scores) for score in scores)
        rounds.append(Round((RoundTable(seats, TableResult(ranks, scores)),)))
    made = entered(players, rules(better=-1, **fields))
    return Tournament(rules=made.rules, seed=1, entrants=made.entrants, rounds=tuple(rounds))


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), "1 0"),
        ((1, 1), "1/2 1/2"),
        ((1, 2, 3), "1 1/2 0"),
        ((1, 2, 2, 4), "1 1/2 1/2 0"),
        ((2, 1, 3), "1/2 1 0"),
    ],
)
def test_points_are_the_share_of_opponents_beaten(places: tuple[int, ...], points: str) -> None:
    assert " ".join(map(str, points_at_table(places))) == points


def test_a_table_gives_half_a_point_for_each_seat_whatever_the_places() -> None:
    for places in ((1, 2, 3, 4), (1, 1, 1, 4), (1, 2, 2, 4), (1, 1, 1, 1)):
        assert sum(points_at_table(places)) == 2


def test_buchholz_breaks_ties_first() -> None:
    """1, 2 and 4 win once, and only the opponent of 1 has a point."""
    rows = standings(tournament(5, ((1, 2), (0, 9)), ((2, 3), (0, 9)), ((4, 5), (0, 9)), seats=2))
    assert [(row.number, int(row.buchholz)) for row in rows][:3] == [(1, 3), (4, 2), (2, 2)]


def test_direct_encounter_breaks_ties_that_are_left() -> None:
    """In two games each wins once against an equal opponent; 2 was better than 1 at their table."""
    played = tournament(4, ((1, 3), (0, 5)), ((2, 4), (0, 5)), ((1, 2, 3, 4), (2, 1, 9, 8)))
    first, second = standings(played)[:2]
    assert (first.number, second.number) == (2, 1)
    equal = tournament(4, ((1, 3), (0, 5)), ((2, 4), (0, 5)), ((1, 2), (3, 3)), seats=2)
    assert [row.direct for row in standings(equal)[:2]] == [HALF, HALF]


def test_the_mean_score_breaks_ties_that_are_left_and_others_share_the_place() -> None:
    rows = standings(tournament(6, ((1, 2), (3, 9)), ((3, 4), (2, 9)), ((5, 6), (3, 9)), seats=2))
    assert [(row.number, row.place) for row in rows[:3]] == [(3, 1), (1, 2), (5, 2)]


def test_a_bye_is_a_point_at_tables_for_two_and_half_a_point_at_larger_ones() -> None:
    for seats, points in ((2, 1), (4, HALF)):
        made = entered(1, rules(seats=seats))
        [row] = standings(Tournament(rules=made.rules, seed=1, entrants=made.entrants, rounds=(Round((), (1,)),)))
        assert (row.points, row.buchholz) == (points, points)


@pytest.mark.parametrize(("late_half", "points"), [(True, HALF), (False, 0)])
def test_latecomers_get_the_stated_points_for_rounds_before_they_joined(late_half: bool, points: Fraction) -> None:
    made = tournament(4, ((1, 2, 3, 4), (1, 2, 3, 4)), join_until=2, late_half=late_half)
    row = next(row for row in standings(add_entrant(made)) if row.number == 5)
    assert row.rounds == (points,)


def test_a_missed_round_gives_no_points() -> None:
    rows = standings(tournament(5, ((1, 2, 3, 4), (1, 2, 3, 4))))
    assert rows[-1].number == 5 or rows[-2].number == 5
    assert next(row for row in rows if row.number == 5).points == 0


def test_bots_take_points_but_are_not_listed_and_do_not_count_for_buchholz() -> None:
    rows = standings(tournament(2, ((1, 2, 0), (5, 7, 1)), bots=True))
    assert [(row.number, row.points) for row in rows] == [(1, HALF), (2, 0)]
    assert [row.buchholz for row in rows] == [0, HALF]


def test_a_table_without_a_game_to_count_is_a_tie() -> None:
    table = RoundTable((1, 2), TableResult((1, 1)))
    made = entered(2, rules(seats=2))
    rows = standings(Tournament(rules=made.rules, seed=1, entrants=made.entrants, rounds=(Round((table,)),)))
    assert [(row.place, row.points, row.score, row.wins) for row in rows] == [(1, HALF, None, 0)] * 2
