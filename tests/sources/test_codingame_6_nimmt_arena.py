"""codingame-6-nimmt-arena: its rules one by one, its worked example, and forfeits as we read them.

The text protocol of the arena belongs to the referee and is tested there.
"""

import pytest

from faceup.core import CHANCE, FORFEIT, IllegalActionError, Malformed, draw, generator, make
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.events import Out, SetAside
from faceup.games.nimmt.state import State

RULES = make("nimmt:arena")
ALICE, BOB, CELIA, DAVID = range(4)
ROWS = "9,12,21/19,24/33,42,50,57/69,72,81"


def position(hands: str, extra: str = "") -> State:
    state = RULES.from_text(f"rows={ROWS} hands={hands} {extra}")
    assert isinstance(state, State)
    return state


def turn(state: State, *cards: int) -> State:
    after: State = RULES.apply(state, {seat: play(card) for seat, card in enumerate(cards) if card}).state
    return after


def to_the_end(state: State, seed: int) -> State:
    rng = generator(seed)
    while to_act := RULES.to_act(state):
        if to_act == (CHANCE,):
            state, _ = RULES.apply(state, draw(RULES, state, rng))
        else:
            legal = {seat: RULES.legal(state, seat) for seat in to_act}
            state, _ = RULES.apply(state, {seat: options[rng.below(len(options))] for seat, options in legal.items()})
    return state


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_there_are_exactly_four_players(seats: int) -> None:
    with pytest.raises(Malformed, match="exactly 4 seats"):
        make("nimmt:arena", seats=seats)


def test_a_deal_is_ten_cards_each_and_ten_turns_and_the_match_is_five_deals() -> None:
    rng, state = generator(9), RULES.start()
    deals = turns = 0
    while to_act := RULES.to_act(state):
        if to_act == (CHANCE,):
            state, _ = RULES.apply(state, draw(RULES, state, rng))
            deals += 1
        else:
            turns += len(to_act) == 4
            state, _ = RULES.apply(state, {seat: RULES.legal(state, seat)[0] for seat in to_act})
    assert (deals, turns) == (5, 50)


def test_the_heads_of_the_deals_add_up_and_the_fewest_win() -> None:
    state = to_the_end(RULES.start(), 2)
    assert state.heads == tuple(map(sum, zip(*state.earlier, strict=True)))
    assert RULES.ranks(state)[state.heads.index(min(state.heads))] == 1


def test_the_worked_example_where_the_text_swaps_bob_and_david_and_the_cards_decide() -> None:
    state = position("23/88/7/64")
    state = turn(state, 23, 88, 7, 64)
    assert RULES.to_act(state) == (CELIA,)  # 7 is below 21, 24, 57 and 81
    state, events = RULES.apply(state, {CELIA: take(3)})
    assert [event.words(["Alice", "Bob", "Celia", "David"]) for event in events[:4]] == [
        "Celia's 7 is below every row: Celia takes 69 72 81 (3 heads).",
        "Alice's 23 goes to row 1.",
        "David's 64 goes to row 3.",
        "Bob's 88 finds row 3 full: Bob takes 33 42 50 57 64 (11 heads).",
    ]
    assert state.rows == ((9, 12, 21, 23), (19, 24), (88,), (7,))
    assert state.heads == (0, 11, 3, 0)


def test_the_card_that_starts_a_new_row_can_be_used_right_away() -> None:
    state = turn(position("8/88/7/64"), 8, 88, 7, 64)
    state, _ = RULES.apply(state, {CELIA: take(3)})
    assert state.rows[3] == (7, 8)


def test_whoever_picks_a_row_sees_all_revealed_cards() -> None:
    state = turn(position("23/88/7/64"), 23, 88, 7, 64)
    for viewer in (CELIA, ALICE, None):
        assert RULES.view(state, viewer).waiting == ((7, CELIA), (23, ALICE), (64, DAVID), (88, BOB))


def test_equal_heads_share_a_rank() -> None:
    state = position("-/-/-/-", "heads=4,2,4,2 earlier=4,2,4,2/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
    assert RULES.to_act(state) == ()
    assert RULES.ranks(state) == (3, 1, 3, 1)


def test_a_forfeit_puts_the_seat_out_and_its_hand_stays_unseen() -> None:
    state = position("23,30/88,90/7,8/64,65")
    state, events = RULES.apply(state, {ALICE: FORFEIT, BOB: play(88), CELIA: play(7), DAVID: play(64)})
    assert events[0] == Out((ALICE,))
    assert state.hands[ALICE] == (23, 30)
    for viewer in (ALICE, BOB, None):
        view = RULES.view(state, viewer)
        assert view.sizes[ALICE] == 2
        assert 23 not in view.hand
    state, _ = RULES.apply(state, {CELIA: take(0)})
    assert RULES.to_act(state) == (BOB, CELIA, DAVID)  # it is never asked again


def test_a_forfeit_instead_of_a_row_sets_the_card_aside_and_looks_at_the_next_lowest_afresh() -> None:
    state = turn(position("8/88/7/64"), 8, 88, 7, 64)
    state, events = RULES.apply(state, {CELIA: FORFEIT})
    assert list(events[:2]) == [Out((CELIA,)), SetAside(CELIA, 7)]
    assert state.rows == ((9, 12, 21), (19, 24), (33, 42, 50, 57), (69, 72, 81))  # the rows stay
    assert RULES.to_act(state) == (ALICE,)  # 8 is below all tails as well
    state, _ = RULES.apply(state, {ALICE: take(1)})
    assert state.rows == ((9, 12, 21), (8,), (33, 42, 50, 57, 64), (69, 72, 81, 88))
    assert state.heads == (2, 0, 0, 0)  # 19 and 24 for Alice, nothing for the 7
    assert 7 not in {card for cards in (*state.rows, *state.taken) for card in cards}


def test_a_seat_that_is_out_is_still_dealt_cards_so_that_the_deals_of_a_seed_do_not_change() -> None:
    rng, other = generator(4), generator(4)
    state, same = RULES.start(), RULES.start()
    first, _ = RULES.apply(state, draw(RULES, state, rng))
    second, _ = RULES.apply(same, draw(RULES, same, other))
    forfeited = {seat: RULES.legal(first, seat)[0] for seat in range(4)} | {2: FORFEIT}
    first, _ = RULES.apply(first, forfeited)
    for_both = []
    for state, source in ((first, rng), (second, other)):
        now = state
        while RULES.to_act(now) != (CHANCE,):
            now, _ = RULES.apply(now, {seat: RULES.legal(now, seat)[0] for seat in RULES.to_act(now)})
        now, _ = RULES.apply(now, draw(RULES, now, source))
        for_both.append(now)
    assert for_both[0].hands == for_both[1].hands
    assert RULES.to_act(for_both[0]) == (0, 1, 3)
    assert RULES.view(for_both[0], 2).hand == ()


def test_seats_that_are_out_rank_last_the_earlier_below_the_later_those_of_one_decision_alike() -> None:
    state = position("1,2/3,4/5,6/7,8", "heads=50,0,0,0")
    state, _ = RULES.apply(state, {0: play(1), 1: play(3), 2: FORFEIT, 3: play(7)})
    assert RULES.ranks(state)[2] == 4
    state, _ = RULES.apply(state, {0: take(0)})
    state, _ = RULES.apply(state, {0: play(2), 1: FORFEIT, 3: FORFEIT})
    assert RULES.to_act(state) == ()
    assert RULES.ranks(state) == (1, 2, 4, 2)  # whatever their heads


def test_the_match_ends_when_fewer_than_two_seats_are_left() -> None:
    state = position("23,30/88,90/7,8/64,65")
    state, events = RULES.apply(state, {ALICE: play(23), BOB: FORFEIT, CELIA: FORFEIT, DAVID: FORFEIT})
    assert RULES.to_act(state) == ()
    assert RULES.ranks(state) == (1, 2, 2, 2)
    assert events[-1].words(["Alice", "Bob", "Celia", "David"]) == "Alice wins."
    everybody, _ = RULES.apply(position("23/88/7/64"), dict.fromkeys(range(4), FORFEIT))
    assert RULES.to_act(everybody) == ()
    assert RULES.ranks(everybody) == (1, 1, 1, 1)


@pytest.mark.parametrize("variant", ["cowheadking", "onehundredandfour", "classic", "tactical"])
def test_no_other_variant_knows_forfeits(variant: str) -> None:
    rules = make(f"nimmt:{variant}", seats=4)
    state, _ = rules.apply(rules.start(), draw(rules, rules.start(), generator(1)))
    with pytest.raises(IllegalActionError):
        rules.apply(state, {0: FORFEIT, **{seat: rules.legal(state, seat)[0] for seat in (1, 2, 3)}})
