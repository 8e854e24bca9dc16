"""What every position of 6 nimmt! keeps to, and which cards have been seen in it."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from faceup.core.errors import Malformed
from faceup.games.nimmt.cards import Card, Row
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import State, View


def seen(what: State | View) -> list[Card]:
    """Every card that has been face up in this deal."""
    cards = [*chain(*what.rows, *what.taken, what.aside)]
    cards += [card for card, _ in what.waiting]
    return cards


def unseen_by(parameters: Parameters, view: View) -> list[Card]:
    """Every card that this seat has not seen in this deal, ascending."""
    return sorted({*range(1, parameters.cards + 1)} - {*seen(view), *view.hand})


def check_position(parameters: Parameters, state: State, hands: tuple[Row, ...], sizes: Sequence[int]) -> None:
    """Refuse what no game could show.

    Args:
        parameters: that hold.
        state: the position, whatever its own hands are.
        hands: the hands that are known.
        sizes: the number of cards in every hand.

    Raises:
        Malformed: what is wrong, and where.
    """
    _check_counts(parameters, state, sizes)
    check_rows(state.rows, parameters.rows if state.rows or any(sizes) else 0, parameters.capacity, parameters.cards)
    _check_cards(parameters, state, hands)
    _check_seats(parameters, state)
    _check_turn(parameters, state, sizes)


def _check_counts(parameters: Parameters, state: State, sizes: Sequence[int]) -> None:
    for name, size in (("hands", len(sizes)), ("taken", len(state.taken)), ("heads", len(state.heads))):
        if size != parameters.seats:
            raise Malformed(f"{name} are {parameters.seats}, one for each seat, not {size}", what=size, where=name)
    if max(sizes) > parameters.hand:
        raise Malformed(f"a hand is at most {parameters.hand} cards, not {max(sizes)}", what=max(sizes), where="hands")
    if any(len(deal) not in {0, parameters.seats} for deal in state.earlier):
        raise Malformed(
            f"each earlier deal has {parameters.seats} numbers of heads", what=state.earlier, where="earlier"
        )
    if any(len(turn.plays) != parameters.seats or turn.row >= parameters.rows for turn in state.log):
        raise Malformed(f"each turn has {parameters.seats} cards, and perhaps a row", what=state.log, where="log")


def check_rows(rows: tuple[Row, ...], count: int, capacity: int, cards: int) -> None:
    """Refuse rows that are not `count` ascending runs of 1 to `capacity` cards of 1 to `cards`.

    Raises:
        Malformed: which row, and what is wrong with it.
    """
    if len(rows) != count:
        raise Malformed(f"there are {count} rows, not {len(rows)}", what=rows, where="rows")
    for index, row in enumerate(rows):
        where = f"row {index}"
        if not 1 <= len(row) <= capacity:
            raise Malformed(f"{where} has 1 to {capacity} cards, not {len(row)}", what=row, where=where)
        if list(row) != sorted(set(row)):
            raise Malformed(f"the cards of {where} do not ascend: {','.join(map(str, row))}", what=row, where=where)
        if row[0] < 1 or row[-1] > cards:
            raise Malformed(f"{where} has a card that is not 1 to {cards}", what=row, where=where)


def check_different(cards: Sequence[Card], most: int) -> None:
    """Refuse a card off 1 to `most`, and one that is there twice. Raises `Malformed`."""
    for card, count in Counter(cards).items():
        if not 1 <= card <= most:
            raise Malformed(f"card {card} is not one of 1 to {most}", what=card, where="cards")
        if count > 1:
            raise Malformed(f"card {card} is there twice", what=card, where="cards")


def _check_cards(parameters: Parameters, state: State, hands: tuple[Row, ...]) -> None:
    visible = seen(state)
    check_different([*chain(*hands), *visible], parameters.cards)
    waiting = tuple(card for card, _ in state.waiting)
    for name, cards in (*(("a hand", hand) for hand in hands), ("waiting", waiting)):
        if list(cards) != sorted(cards):
            raise Malformed(f"the cards of {name} do not ascend: {cards}", what=cards, where=name)
    told = {*state.opening, *(card for turn in state.log for card in turn.plays if card)}
    if state.log and told != set(visible):
        raise Malformed("the log and the cards on the table tell different stories", what=state.log, where="log")


def _check_seats(parameters: Parameters, state: State) -> None:
    for name, seats in (("out", list(chain(*state.out))), ("waiting", [seat for _, seat in state.waiting])):
        if len(set(seats)) != len(seats) or any(not 0 <= seat < parameters.seats for seat in seats):
            raise Malformed(f"seats are 0 to {parameters.seats - 1}, each at most once", what=seats, where=name)


def _check_turn(parameters: Parameters, state: State, sizes: Sequence[int]) -> None:
    """Who is in the match has equally many cards, and its revealed card waits while somebody's is below all tails."""
    gone = set(chain(*state.out))
    if (gone or state.aside) and not parameters.forfeits:
        raise Malformed(f"nobody can be out in {parameters.variant}", what=state.out, where="out")
    if len({size for seat, size in enumerate(sizes) if seat not in gone}) > 1:
        raise Malformed(f"hands are equally large, not {','.join(map(str, sizes))}", what=tuple(sizes), where="hands")
    if not state.waiting:
        return
    if {seat for _, seat in state.waiting} != set(range(parameters.seats)) - gone:
        raise Malformed("a card waits for each seat that is in the match", what=state.waiting, where="waiting")
    low = state.waiting[0][0]
    if any(row[-1] < low for row in state.rows):
        raise Malformed(f"no card waits for a row: {low} has one to go to", what=low, where="waiting")
