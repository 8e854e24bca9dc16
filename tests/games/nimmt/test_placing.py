"""In a turn without a forfeit only the lowest card can be below all tails, and it is placed first: all cases.

Placing compares cards and asks whether a row is full; nothing else of the cards or the rows matters. So a case is: in
which order the tails and the cards played follow one another, which rows are full, and which row is taken. All cases
of four rows and two to ten seats are tried, about 50,000. (Which seat plays which card, and the order of the rows, make
no difference: they are names.)
"""

from itertools import combinations, product

import pytest

from faceup.core import make
from faceup.games.nimmt.events import Placed, Took
from faceup.games.nimmt.state import State

ROWS = 4


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "seats", [*range(2, 8), *(pytest.param(seats, marks=pytest.mark.long) for seats in range(8, 11))]
)
def test_only_the_lowest_card_can_be_below_all_tails_and_it_is_placed_first(seats: int) -> None:
    rules = make("nimmt", seats=seats, hand=1, capacity=2)
    places = range(3, 3 * (seats + ROWS) + 1, 3)  # far enough apart for a first card below each tail in a full row
    for tails in combinations(places, ROWS):
        played = [card for card in places if card not in tails]
        for full in product((False, True), repeat=ROWS):
            rows = tuple((tail - 1, tail) if two else (tail,) for tail, two in zip(tails, full, strict=True))
            state = State(hands=tuple((card,) for card in played), rows=rows, taken=((),) * seats, heads=(0,) * seats)
            after, events = rules.apply(state, {seat: card - 1 for seat, card in enumerate(played)})
            if played[0] > tails[0]:
                assert not after.waiting
                assert rules.to_act(after) == ()
                continue
            assert not any(isinstance(event, Placed | Took) for event in events), "nothing is placed before it"
            assert after.waiting[0] == (played[0], 0)
            assert rules.to_act(after) == (0,)
            for row in rules.legal(after, 0):
                end, events = rules.apply(after, {0: row})
                assert not end.waiting, "no other card is below all tails"
                assert rules.to_act(end) == ()
                first, *others = [event for event in events if isinstance(event, Placed | Took)]
                assert (first.seat, first.card) == (0, played[0])
                assert [other.card for other in others] == played[1:]
