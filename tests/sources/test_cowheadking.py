"""cowheadking: its rules one by one, and both of its example turns."""

import pytest

from faceup.core import CHANCE, IllegalActionError, Malformed, draw, find_game, generator, make
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.cards import heads, total
from faceup.games.nimmt.events import Took
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State
from faceup.table import Choose, ExpireDeadline, Join, decide, evolve, open_table
from faceup.table.table import default_terms

RULES = make("nimmt:cowheadking", seats=4)
FIRST_ROWS = "5/6/88/29"
SECOND_ROWS = "5/6,7/88,104/29,37,44"


def position(rows: str, hands: str) -> State:
    state = RULES.from_text(f"rows={rows} hands={hands}")
    assert isinstance(state, State)
    return state


def test_there_are_104_cards_numbered_1_to_104() -> None:
    deal = make("nimmt:cowheadking", seats=10)
    state, _ = deal.apply(deal.start(), draw(deal, deal.start(), generator(1)))
    dealt = sorted([*(card for hand in state.hands for card in hand), *(row[0] for row in state.rows)])
    assert dealt == list(range(1, 105))


@pytest.mark.parametrize("seats", [1, 11, 0, -1])
def test_it_is_for_2_to_10_players(seats: int) -> None:
    with pytest.raises(Malformed, match="2 to 10 seats"):
        make("nimmt:cowheadking", seats=seats)


@pytest.mark.parametrize("hand", range(1, 11))
def test_each_player_gets_a_hand_10_unless_set(hand: int) -> None:
    assert Rules(seats=2).hand == 10
    rules = make("nimmt:cowheadking", seats=2, hand=hand)
    state, _ = rules.apply(rules.start(), draw(rules, rules.start(), generator(3)))
    assert [len(hand) for hand in state.hands] == [hand, hand]


def test_four_cards_open_one_row_each() -> None:
    state, _ = RULES.apply(RULES.start(), draw(RULES, RULES.start(), generator(1)))
    assert [len(row) for row in state.rows] == [1, 1, 1, 1]


def test_players_have_30_seconds_to_choose() -> None:
    assert find_game("nimmt").variant("cowheadking").clock == 30
    assert default_terms(RULES).clock == 30_000


def test_all_choose_at_once_and_are_revealed_together() -> None:
    state = position(FIRST_ROWS, "7/44/104/37")
    assert RULES.to_act(state) == (0, 1, 2, 3)
    for seat in range(4):
        assert RULES.view(state, seat).hand == state.hands[seat]
        assert sum(RULES.view(state, seat).sizes) == 4


def test_we_reveal_when_the_last_choice_is_in_or_at_the_deadline_if_the_table_says_so() -> None:
    """The text reveals when time is up; waiting for the clock is a setting of the table."""
    import msgspec

    rng = generator(5)
    rules = make("nimmt:cowheadking", seats=2, hand=2)
    for reveal, after_last_choice in (("when_all_in", 1), ("at_deadline", 0)):
        terms = msgspec.convert({"clock": 30_000, "reveal": reveal, "autoplay": "lowest"}, type(default_terms(rules)))
        table = open_table(rules, find_game("nimmt").policies["lowest"], terms)
        for command in (Join(0, "Ann"), Join(1, "Bo")):
            for entry in decide(table, command, 0, rng):
                table = evolve(table, entry)
        for seat in (0, 1):
            for entry in decide(table, Choose(seat, rules.legal(table.state, seat)[0]), 10, rng):
                table = evolve(table, entry)
        assert table.decision == after_last_choice, reveal
        for entry in decide(table, ExpireDeadline(), 30_000, rng):
            table = evolve(table, entry)
        assert table.decision >= 1


def test_rule_1_a_card_goes_to_the_row_with_the_smallest_positive_difference() -> None:
    rows = [(5,), (6,), (88,), (29,)]
    assert row_for(rows, 7) == 1  # 7 - 6 is less than 7 - 5; 88 and 29 would give a negative difference
    assert row_for(rows, 37) == 3
    assert row_for(rows, 104) == 2


def test_rule_2_a_card_below_all_tails_lets_its_player_take_any_row() -> None:
    state = position(FIRST_ROWS, "4/44/104/37")
    state, _ = RULES.apply(state, {0: play(4), 1: play(44), 2: play(104), 3: play(37)})
    assert RULES.to_act(state) == (0,)
    assert RULES.legal(state, 0) == tuple(take(row) for row in range(4))
    for row, cards in enumerate(((5,), (6,), (88,), (29,))):
        after, _ = RULES.apply(state, {0: take(row)})
        assert after.taken[0] == cards
        assert 4 in {row[0] for row in after.rows}


def test_rule_2_the_cleared_cards_are_kept_and_never_return_to_a_hand() -> None:
    state = position(FIRST_ROWS, "4,50/44,51/52,104/37,53")
    state, _ = RULES.apply(state, {0: play(4), 1: play(44), 2: play(104), 3: play(37)})
    state, _ = RULES.apply(state, {0: take(2)})
    assert state.taken[0] == (88,)
    assert state.hands == ((50,), (51,), (52,), (53,))


def test_rule_3_the_sixth_card_of_a_row_clears_it() -> None:
    rules = make("nimmt:cowheadking", seats=2)
    state = rules.from_text("rows=5/6/88/29,37,44,45,46 hands=47/7")
    state, events = rules.apply(state, {0: play(47), 1: play(7)})
    assert state.rows[3] == (47,)
    assert state.taken[0] == (29, 37, 44, 45, 46)
    assert any(isinstance(event, Took) and not event.chosen for event in events)


def test_cow_heads_of_each_card() -> None:
    for card in range(1, 105):
        expected = 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1
        assert heads(card) == expected
    assert total(tuple(range(1, 105))) == 171
    counts = [heads(card) for card in range(1, 105)]
    assert {points: counts.count(points) for points in (1, 2, 3, 5, 7)} == {1: 76, 2: 9, 3: 10, 5: 8, 7: 1}


def test_first_example_turn() -> None:
    state = position(FIRST_ROWS, "7/44/104/37")
    state, events = RULES.apply(state, {0: play(7), 1: play(44), 2: play(104), 3: play(37)})
    assert state.rows == ((5,), (6, 7), (88, 104), (29, 37, 44))
    order = [getattr(event, "seat", None) for event in events if type(event).__name__ == "Placed"]
    assert order == [0, 3, 1, 2]
    assert state.heads == (0, 0, 0, 0)


def test_second_example_turn_played_out_where_the_text_is_cut_short() -> None:
    state = position(SECOND_ROWS, "3/45/46/47")
    state, _ = RULES.apply(state, {0: play(3), 1: play(45), 2: play(46), 3: play(47)})
    assert RULES.to_act(state) == (0,)
    state, _ = RULES.apply(state, {0: take(0)})
    assert state.rows == ((3,), (6, 7), (88, 104), (47,))
    assert state.taken == ((5,), (), (), (29, 37, 44, 45, 46))
    assert state.heads == (2, 0, 0, 10)


def test_fewest_heads_at_the_end_wins() -> None:
    state = position(SECOND_ROWS, "3/45/46/47")
    state, _ = RULES.apply(state, {0: play(3), 1: play(45), 2: play(46), 3: play(47)})
    state, events = RULES.apply(state, {0: take(0)})
    assert RULES.to_act(state) == ()
    assert RULES.ranks(state) == (3, 1, 1, 4)
    assert events[-1].words(["Ann", "Bo", "Cy", "Di"]) == "Bo and Cy share the win."


def test_a_card_that_is_not_held_is_refused_and_changes_nothing() -> None:
    state = position(FIRST_ROWS, "7/44/104/37")
    with pytest.raises(IllegalActionError, match="'play 8' is not legal for seat 0 now; legal: play 7"):
        RULES.apply(state, {0: play(8), 1: play(44), 2: play(104), 3: play(37)})
    assert RULES.to_act(state) == (0, 1, 2, 3)
    assert RULES.to_act(RULES.start()) == (CHANCE,)
