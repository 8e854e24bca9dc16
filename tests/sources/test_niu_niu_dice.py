"""The rules text "Niu Niu Game Rules": every rule and worked example, and what stands where it is silent."""

from itertools import combinations, product

import pytest

from faceup.core import CHANCE, Malformed
from faceup.games.niuniu import DiceShow, NiuNiu, score

HANDS = list(product(range(1, 7), repeat=5))


def working_triples(dice: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [places for places in combinations(range(5), 3) if sum(dice[place] for place in places) % 10 == 0]


def throw(rules: NiuNiu, *dice: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...], list[str]]:
    """Ranks, throws won, and the names of the events after one throw of a match of one."""
    state = rules.apply(rules.start(), dict.fromkeys(range(rules.seats), 0)).state
    after, events = rules.apply(state, DiceShow(dice))
    return rules.ranks(after), rules.scores(after), [type(event).__name__ for event in events]


# Setup


def test_everyone_throws_five_dice_that_show_1_to_6() -> None:
    rules = NiuNiu(seats=3)
    state = rules.apply(rules.start(), {0: 0, 1: 0, 2: 0}).state
    assert rules.to_act(state) == (CHANCE,)
    choices: list[int] = []
    while n := rules.chance(state, choices):
        assert n == 6
        choices.append(len(choices) % 6)
    assert rules.outcome(state, choices) == DiceShow(((1, 2, 3, 4, 5), (6, 1, 2, 3, 4), (5, 6, 1, 2, 3)))


# Step 1: find Niu


def test_a_hand_has_niu_if_three_dice_add_up_to_a_multiple_of_ten() -> None:
    for dice in HANDS:
        assert (score(dice).triple is not None) == bool(working_triples(dice))


def test_without_niu_a_hand_has_no_points() -> None:
    for dice in HANDS:
        assert (score(dice).points == 0) == (not working_triples(dice))


# Step 2: points


@pytest.mark.parametrize(
    ("rest", "points", "name"),
    [
        ((5, 5), 10, "Niu Niu"),
        ((4, 5), 9, "Niu 9"),
        ((6, 2), 8, "Niu 8"),
        ((3, 4), 7, "Niu 7"),
        ((1, 5), 6, "Niu 6"),
        ((4, 1), 5, "Niu 5"),
        ((1, 3), 4, "Niu 4"),
        ((2, 1), 3, "Niu 3"),
        ((1, 1), 2, "Niu 2"),
        ((6, 6), 2, "Niu 2"),
        ((5, 6), 1, "Niu 1"),
    ],
)
def test_the_points_are_the_units_digit_of_the_other_two(rest: tuple[int, int], points: int, name: str) -> None:
    hand = score((2, 3, 5, *rest))
    assert (hand.points, hand.name) == (points, name)


@pytest.mark.parametrize(
    ("dice", "points", "name"),
    [
        ((10, 10, 10, 10, 10), 10, "Niu Niu"),  # rest 20
        ((10, 10, 10, 10, 9), 9, "Niu 9"),  # rest 19
        ((10, 10, 10, 9, 9), 8, "Niu 8"),
        ((10, 10, 10, 9, 8), 7, "Niu 7"),
        ((10, 10, 10, 8, 8), 6, "Niu 6"),
        ((10, 10, 10, 8, 7), 5, "Niu 5"),
        ((10, 10, 10, 7, 7), 4, "Niu 4"),
        ((10, 10, 10, 7, 6), 3, "Niu 3"),
        ((10, 10, 10, 6, 6), 2, "Niu 2"),
        ((10, 10, 10, 6, 5), 1, "Niu 1"),
    ],
)
def test_with_more_faces_the_tens_count_the_same(dice: tuple[int, ...], points: int, name: str) -> None:
    hand = score(dice, faces=10)
    assert (hand.points, hand.name) == (points, name)


# Examples


def test_example_1_is_niu_niu() -> None:
    hand = score((5, 2, 4, 6, 3))
    assert (hand.points, hand.name, hand.triple, hand.rest) == (10, "Niu Niu", (5, 2, 3), (4, 6))
    assert hand.statistics == 3


def test_example_2_is_niu_9() -> None:
    # By positions 0, 1, 4: the text's three numbers, in the order of the throw.
    hand = score((4, 5, 5, 4, 1))
    assert (hand.points, hand.name, hand.triple, hand.rest) == (9, "Niu 9", (4, 5, 1), (5, 4))
    assert hand.statistics == 2


def test_example_3_has_no_niu() -> None:
    hand = score((3, 3, 3, 5, 1))
    assert (hand.points, hand.name, hand.triple, hand.rest) == (0, "No Niu", None, None)


def test_example_3_is_a_baozi_all_the_same() -> None:
    """The text's two sections, side by side: no points in battle, and five in the statistics."""
    assert score((3, 3, 3, 5, 1)).statistics == 5


# Battle


def test_the_most_points_win_the_throw() -> None:
    rules = NiuNiu(seats=3)
    assert throw(rules, (3, 3, 3, 5, 1), (4, 5, 5, 4, 1), (5, 2, 4, 6, 3)) == (
        (2, 2, 1),
        (0, 0, 1),
        ["DiceThrown", "DiceThrown", "DiceThrown", "ThrowWon", "MatchWon"],
    )


def test_equal_points_are_a_draw_between_the_tied_best_hands_alone() -> None:
    rules = NiuNiu(seats=3)
    assert throw(rules, (5, 2, 4, 6, 3), (3, 3, 3, 5, 1), (6, 4, 5, 2, 3)) == (
        (1, 3, 1),
        (0, 0, 0),
        ["DiceThrown", "DiceThrown", "DiceThrown", "ThrowDrawn", "MatchWon"],
    )


def test_niu_niu_beats_niu_9_and_so_on_down_to_no_niu() -> None:
    ladder = [
        (2, 3, 5, *rest) for rest in ((5, 5), (4, 5), (6, 2), (3, 4), (1, 5), (4, 1), (1, 3), (2, 1), (1, 1), (5, 6))
    ]
    for better, worse in zip(ladder, [*ladder[1:], (1, 1, 2, 2, 3)], strict=True):
        assert throw(NiuNiu(), better, worse)[1] == (1, 0)
        assert throw(NiuNiu(), worse, better)[1] == (0, 1)


def test_the_statistics_score_never_decides_a_throw() -> None:
    """A baozi without Niu (5 in the statistics) loses to Niu 1 (1 in the statistics)."""
    assert score((3, 3, 3, 5, 1)).statistics > score((2, 3, 5, 5, 6)).statistics
    assert throw(NiuNiu(), (3, 3, 3, 5, 1), (2, 3, 5, 5, 6))[1] == (0, 1)


def test_most_throws_won_wins_the_match_and_equal_numbers_share_it() -> None:
    rules = NiuNiu(seats=3, throws=3)
    state = rules.start()
    won = (2, 3, 5, 5, 5)
    for winner in (0, 1, 0):
        state = rules.apply(state, {0: 0, 1: 0, 2: 0}).state
        dice = tuple(won if seat == winner else (1, 1, 2, 2, 3) for seat in range(3))
        state = rules.apply(state, DiceShow(dice)).state
    assert (rules.to_act(state), rules.scores(state), rules.ranks(state)) == ((), (2, 1, 0), (1, 2, 3))
    assert rules.utilities(state) == (1.0, 0.0, 0.0)
    assert state.statistics == (5 + 0 + 5, 0 + 5 + 0, 0)


def test_points_of_5_10_and_10_rank_3_1_1() -> None:
    rules = NiuNiu(seats=3)
    ranks, _, _ = throw(rules, (2, 3, 5, 4, 1), (5, 2, 4, 6, 3), (6, 4, 5, 2, 3))
    assert ranks == (3, 1, 1)


def test_throws_drawn_rank_seats_that_have_won_equally_many() -> None:
    rules = NiuNiu(seats=4, throws=4)
    state = rules.start()
    niu, none = (2, 3, 5, 5, 5), (1, 1, 2, 2, 3)
    for best in ((0, 1), (0,), (1,), (2, 3)):
        state = rules.apply(state, dict.fromkeys(range(4), 0)).state
        state = rules.apply(state, DiceShow(tuple(niu if seat in best else none for seat in range(4)))).state
    assert (state.won, state.drawn) == ((1, 1, 0, 0), (1, 1, 1, 1))
    assert rules.ranks(state) == (1, 1, 3, 3)
    assert rules.utilities(state) == (0.5, 0.5, 0.0, 0.0)


def test_one_throw_drawn_more_is_worth_less_than_one_throw_won_more() -> None:
    rules = NiuNiu(seats=3, throws=5)
    niu, none = (2, 3, 5, 5, 5), (1, 1, 2, 2, 3)
    state = rules.start()
    for best in ((0, 1), (0, 1), (0, 1), (1, 0), (2,)):
        state = rules.apply(state, dict.fromkeys(range(3), 0)).state
        state = rules.apply(state, DiceShow(tuple(niu if seat in best else none for seat in range(3)))).state
    assert rules.ranks(state) == (2, 2, 1)


# Special cases


def test_fact_with_six_faces_only_ten_can_be_the_sum_of_such_a_triple() -> None:
    """With dice up to 6 the sums 20 and 30 of the text cannot come up."""
    for dice in HANDS:
        assert all(sum(dice[place] for place in triple) == 10 for triple in working_triples(dice))


def test_fact_every_working_triple_leaves_the_same_sum() -> None:
    for dice in HANDS:
        rests = {sum(dice) - sum(dice[place] for place in triple) for triple in working_triples(dice)}
        assert rests <= {sum(dice) - 10}


def test_of_several_triples_the_one_that_leaves_the_highest_sum_is_shown() -> None:
    # 1 + 9 + 10 and 1 + 9 + 20 both work; the first leaves 30, the second 20.
    hand = score((1, 9, 20, 10, 10), faces=20)
    assert (hand.triple, hand.rest) == ((1, 9, 10), (20, 10))


def test_among_equals_the_first_by_positions_is_shown() -> None:
    # Positions 0 1 2, 0 1 3 and 0 1 4 leave the same sum.
    hand = score((4, 1, 5, 5, 5))
    assert (hand.triple, hand.rest) == ((4, 1, 5), (5, 5))
    hand = score((5, 5, 4, 1, 4))
    assert (hand.triple, hand.rest) == ((5, 4, 1), (5, 4))


def test_triple_and_rest_keep_the_order_of_the_throw() -> None:
    hand = score((6, 3, 4, 2, 5))
    assert (hand.triple, hand.rest) == ((3, 2, 5), (6, 4))


@pytest.mark.parametrize("bad", [0, 7, -1])
def test_a_die_off_1_to_6_is_refused(bad: int) -> None:
    with pytest.raises(Malformed, match=f"die 4 must be 1 to 6; got {bad}"):
        score((1, 2, 3, bad, 5))


@pytest.mark.parametrize("dice", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6)])
def test_a_hand_that_is_not_five_dice_is_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(Malformed, match=f"a hand must have five dice; got {len(dice)}"):
        score(dice)


# Statistics


@pytest.mark.parametrize(
    ("dice", "statistics"),
    [
        ((6, 6, 6, 6, 6), 5),  # baozi
        ((5, 5, 5, 1, 4), 5),  # baozi and Niu Niu at once: the first that applies
        ((5, 2, 4, 6, 3), 3),  # Niu Niu
        ((2, 3, 5, 4, 5), 2),  # Niu 9
        ((2, 3, 5, 6, 2), 2),  # Niu 8
        ((2, 3, 5, 3, 4), 2),  # Niu 7
        ((2, 3, 5, 1, 5), 1),  # Niu 6
        ((2, 3, 5, 5, 6), 1),  # Niu 1
        ((1, 1, 2, 2, 3), 0),  # no Niu
    ],
)
def test_the_statistics_score_is_the_first_that_applies(dice: tuple[int, ...], statistics: int) -> None:
    assert score(dice).statistics == statistics


def test_how_many_alike_make_a_baozi_can_be_set() -> None:
    three, four = (3, 3, 3, 5, 1), (3, 3, 3, 3, 4)
    assert [score(three, baozi=n).statistics for n in (3, 4, 5)] == [5, 0, 0]
    assert [score(four, baozi=n).statistics for n in (3, 4, 5)] == [5, 5, 1]
