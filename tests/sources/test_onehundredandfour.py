"""onehundredandfour: its rules one by one."""

from collections import Counter

import pytest

from faceup.core import CHANCE, Malformed, draw, find_game, generator, make
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.cards import HEADS
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State
from faceup.table import Choose, Join, decide, evolve, open_table

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")


def dealt(seats: int, seed: int = 1) -> tuple[Rules, State]:
    rules = make("nimmt:onehundredandfour", seats=seats)
    assert isinstance(rules, Rules)
    return rules, rules.apply(rules.start(), draw(rules, rules.start(), generator(seed))).state


@pytest.mark.parametrize("seats", range(2, 11))
def test_up_to_ten_players_get_ten_cards_each_and_the_rest_of_the_deck_remains_unused(seats: int) -> None:
    rules, state = dealt(seats)
    assert [len(hand) for hand in state.hands] == [10] * seats
    used = {card for hand in state.hands for card in hand} | {row[0] for row in state.rows}
    assert len(used) == 10 * seats + 4
    assert rules.cards - len(used) == 100 - 10 * seats
    with pytest.raises(Malformed):
        make("nimmt:onehundredandfour", seats=11)


def test_the_penalty_points_are_1_2_3_5_or_7() -> None:
    assert set(HEADS[1:]) == {1, 2, 3, 5, 7}


def test_a_random_card_from_the_deck_opens_each_of_four_rows() -> None:
    openers = Counter(row[0] for seed in range(300) for row in dealt(2, seed)[1].rows)
    assert len(openers) > 95  # of 104, in 1,200 draws


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_the_game_is_ten_rounds_each_with_an_action_of_every_player(seats: int) -> None:
    rules, state = dealt(seats)
    rounds = 0
    while to_act := rules.to_act(state):
        rounds += to_act == tuple(range(seats))
        state, _ = rules.apply(state, {seat: rules.legal(state, seat)[-1] for seat in to_act})
    assert rounds == 10
    assert not any(state.hands)


def test_cards_are_applied_in_ascending_order_and_the_lowest_acts_first() -> None:
    rules = make("nimmt:onehundredandfour", seats=3)
    state = rules.from_text("rows=10/20/30/40 hands=44/12/25")
    _, events = rules.apply(state, {0: play(44), 1: play(12), 2: play(25)})
    assert [event.words(NAMES) for event in events[1:4]] == [
        "Bo's 12 goes to row 1.",
        "Cy's 25 goes to row 2.",
        "Ann's 44 goes to row 4.",
    ]


def test_a_row_has_a_capacity_of_five_and_the_sixth_card_clears_it_for_its_points() -> None:
    rules = make("nimmt:onehundredandfour", seats=2)
    state = rules.from_text("rows=10,11,12,13,55/20/30/40 hands=56/21")
    state, _ = rules.apply(state, {0: play(56), 1: play(21)})
    assert state.rows[0] == (56,)
    assert rules.scores(state) == (3 + 5 + 1 + 1 + 7, 0)


def test_only_the_first_player_of_a_round_can_have_to_replace_a_row_of_choice() -> None:
    rules = make("nimmt:onehundredandfour", seats=3)
    state = rules.from_text("rows=10/20/30/40 hands=5/3/4")
    state, _ = rules.apply(state, {0: play(5), 1: play(3), 2: play(4)})
    assert rules.to_act(state) == (1,)
    state, _ = rules.apply(state, {1: take(3)})
    assert state.rows[3] == (3, 4, 5)  # 4 and 5 are above 3: nobody else chooses
    assert rules.scores(state) == (0, 3, 0)


def test_the_least_penalty_points_win() -> None:
    rules = make("nimmt:onehundredandfour", seats=3)
    state = rules.from_text("rows=10/20/30/40 hands=5/3/4")
    state, _ = rules.apply(state, {0: play(5), 1: play(3), 2: play(4)})
    state, events = rules.apply(state, {1: take(3)})
    assert rules.to_act(state) == ()
    assert rules.ranks(state) == (1, 3, 1)
    assert events[-1].words(NAMES) == "Ann and Cy share the win."


def test_there_is_no_clock_unless_the_table_sets_one() -> None:
    assert find_game("nimmt").variant("onehundredandfour").clock is None


def test_a_game_is_pending_then_active_then_finished() -> None:
    rules = make("nimmt:onehundredandfour", seats=2, hand=1)
    rng = generator(2)
    table = open_table(rules, find_game("nimmt").policies["lowest"])
    statuses = [table.status]
    for seat in range(2):
        for entry in decide(table, Join(seat, NAMES[seat]), 0, rng):
            table = evolve(table, entry)
        statuses.append(table.status)
    assert rules.to_act(table.state) != (CHANCE,)
    while table.waiting:
        seat = table.waiting[0]
        for entry in decide(table, Choose(seat, rules.legal(table.state, seat)[0]), 1, rng):
            table = evolve(table, entry)
    assert [*statuses, table.status] == ["pending", "pending", "active", "finished"]
