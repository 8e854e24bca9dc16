"""The odds of a card equal an enumeration of all other cards, placed by the rules."""

from collections import Counter
from itertools import combinations

import pytest

from faceup.core import Malformed, SeededGenerator
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import PlacingTable, cheapest_row
from faceup.odds.nimmt import odds, report


def shuffled(rng: SeededGenerator, cards: int) -> list[int]:
    deck = list(range(1, cards + 1))
    return [deck.pop(rng.below(len(deck))) for _ in range(cards)]


@pytest.mark.parametrize("seed", range(24))
def test_odds_match_an_enumeration_of_all_sets_of_cards(seed: int) -> None:
    rng = SeededGenerator(seed)
    seats, rows, capacity = 2 + rng.below(4), 1 + rng.below(4), 1 + rng.below(4)
    parameters = Parameters(seats=seats, rows=rows, capacity=capacity, cards=24, hand=2)
    deck = shuffled(rng, 24)
    table = tuple(tuple(sorted(deck.pop() for _ in range(1 + rng.below(capacity)))) for _ in range(rows))
    hand, seen = (deck.pop(), deck.pop()), (deck.pop(),)
    for card_odds in odds(parameters, table, hand, seen):
        heads: Counter[int] = Counter()
        low = 0
        for others in combinations(deck, seats - 1):
            order = sorted([(card_odds.card, 0), *((card, seat) for seat, card in enumerate(others, 1))])
            placing = PlacingTable(table, capacity, [()] * seats, [0] * seats, [])
            if placing.place(order[:1]) == 0:
                low += order[0][1] == 0
                placing.take(order[0][1], order[0][0], cheapest_row(table), chosen=True)
            placing.place(order[1:])
            heads[placing.heads[0]] += 1
        assert {number: chance.count for number, chance in card_odds.heads.items()} == dict(heads)
        assert card_odds.low.count == low
        assert card_odds.full.count == sum(heads.values()) - heads[0] - low


def test_odds_of_a_full_hand_and_all_seats_are_exact() -> None:
    rows = ((5,), (6, 7, 8, 9, 10), (88,), (29, 44))
    chances = odds(Parameters(seats=10), rows, (3, 11, 12, 13, 50, 60, 70, 80, 90, 104))
    assert [card.card for card in chances] == [3, 11, 12, 13, 50, 60, 70, 80, 90, 104]
    for card in chances:
        assert sum(chance.count for chance in card.heads.values()) == card.full.total
    result = report(Parameters(seats=10), rows, chances, 85)
    assert result["best"] == min(chances, key=lambda card: card.mean).card
    assert result["cards"][0]["low"]["fraction"].endswith(f"/{chances[0].low.total}")


@pytest.mark.parametrize(
    ("rows", "hand", "seen", "message"),
    [
        (((5,), (6,), (88,)), (3,), (), "the table must have 4 rows; got 3"),
        (((9, 5), (6,), (88,), (29,)), (3,), (), "must ascend"),
        (((5,), (6,), (88,), (29,)), (5,), (), "card 5 occurs twice"),
        (((5,), (6,), (88,), (29,)), (105,), (), "a card must be 1 to 104; got 105"),
        (((5,), (6,), (88,), (29,)), (), (), "a hand must have 1 to 10 cards; got 0"),
        (
            ((5,), (6,), (88,), (29,)),
            (3,),
            tuple(range(7, 29)) + tuple(range(30, 88)) + tuple(range(89, 105)),
            "must be left for the others",
        ),
    ],
)
def test_invalid_positions_raise(
    rows: tuple[tuple[int, ...], ...], hand: tuple[int, ...], seen: tuple[int, ...], message: str
) -> None:
    with pytest.raises(Malformed, match=message):
        odds(Parameters(seats=5), rows, hand, seen)
