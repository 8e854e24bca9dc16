"""Cards that the kernels place on one table go where the rules put them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faceup.games.nimmt.batch.kernels import NO_ROW, row_word
from faceup.games.nimmt.batch.table_kernels import ascending, cheapest_row, place_cards, row_below
from faceup.games.nimmt.cards import Row
from faceup.games.nimmt.placing import PlacingTable, row_for
from faceup.games.nimmt.placing import cheapest_row as cheapest_row_of


@st.composite
def turns(draw: st.DrawFn) -> tuple[int, list[Row], list[int]]:
    """Draw the most cards in a row, rows, and the cards of a turn."""
    capacity = draw(st.integers(2, 5))
    deck = draw(st.permutations(range(1, 105)))
    sizes = draw(st.lists(st.integers(1, capacity), min_size=1, max_size=8))
    rows = [tuple(sorted(deck[sum(sizes[:index]) : sum(sizes[: index + 1])])) for index in range(len(sizes))]
    return capacity, rows, list(deck[-draw(st.integers(2, 10)) :])


@given(turns(), st.integers(-1, 7), st.integers(0, 2))
def test_cards_are_placed_by_the_rules(turn: tuple[int, list[Row], list[int]], choice: int, missing: int) -> None:
    capacity, rows, cards = turn
    choice = min(choice, len(rows) - 1)
    numbers, heads = np.array([*map(row_word, rows)], np.uint16), np.zeros(len(cards) + missing, np.int16)
    low = min(cards)
    assert row_below(low, numbers) == row_for(rows, low)
    assert cheapest_row(np.append(numbers, NO_ROW)) == cheapest_row_of(rows)
    place_cards(capacity, np.array([0] * missing + cards, np.uint8), choice, numbers, heads)
    table = PlacingTable(tuple(rows), capacity, [()] * len(cards), [0] * len(cards), [])
    order = sorted((card, seat) for seat, card in enumerate(cards))
    if row_for(rows, low) < 0:
        card, seat = order.pop(0)
        table.take(seat, card, choice if choice >= 0 else cheapest_row_of(rows), chosen=True)
    assert table.place(order) == len(order)
    assert numbers.tolist() == [*map(row_word, table.rows)]
    assert heads.tolist() == [0] * missing + table.heads


@given(st.lists(st.integers(0, 60_000), max_size=12))
def test_indexes_are_in_ascending_order_of_the_numbers(numbers: list[int]) -> None:
    expected = sorted(range(len(numbers)), key=numbers.__getitem__)
    assert ascending(np.array(numbers, np.uint16)).tolist() == expected
