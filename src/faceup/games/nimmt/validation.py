"""Validation of 6 nimmt! positions, and the cards seen in them."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from faceup.core import plural
from faceup.core.errors import Malformed
from faceup.games.nimmt.cards import Card, Row
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import State, Turn, View


def seen_cards(what: State | View) -> list[Card]:
    """Return every card that has been face up in this deal."""
    cards = [*chain(*what.rows, *what.taken, what.aside)]
    cards += [card for card, _ in what.waiting]
    return cards


def known_turns(what: State | View) -> tuple[Turn, ...]:
    """Return the turns of this deal, oldest first; none if the position lacks the opening, before which more may be.

    A position can be written without `opening`. The turns after it are then logged, but not the rows before them.
    """
    return what.log if what.opening else ()


def unseen_cards(parameters: Parameters, view: View) -> list[Card]:
    """Return every card that this seat has not seen in this deal, ascending."""
    return sorted({*range(1, parameters.cards + 1)} - {*seen_cards(view), *view.hand})


def check_position(parameters: Parameters, state: State, hands: tuple[Row, ...], sizes: Sequence[int]) -> None:
    """Raise `Malformed` if no game could reach this position.

    Args:
        parameters: the parameters of the game.
        state: the position; its own hands are ignored.
        hands: the known hands.
        sizes: the number of cards in every hand.

    Raises:
        Malformed: the position is impossible; the error names the field that contradicts the others.
    """
    _check_counts(parameters, state, sizes)
    check_rows(state.rows, parameters.rows if state.rows or any(sizes) else 0, parameters.capacity, parameters.cards)
    _check_cards(parameters, state, hands)
    _check_seats(parameters, state)
    _check_turn(parameters, state, sizes)


def _check_counts(parameters: Parameters, state: State, sizes: Sequence[int]) -> None:
    for name, size in (("hands", len(sizes)), ("taken", len(state.taken)), ("heads", len(state.heads))):
        if size != parameters.seats:
            raise Malformed(
                f"{name} must have {parameters.seats} entries, one for each seat; got {size}", what=size, where=name
            )
    if max(sizes) > parameters.hand:
        raise Malformed(
            f"a hand must have at most {plural(parameters.hand, 'card')}; got {max(sizes)}",
            what=max(sizes),
            where="hands",
        )
    if any(len(deal) not in {0, parameters.seats} for deal in state.earlier):
        raise Malformed(
            f"each earlier deal must have {parameters.seats} head counts, one for each seat",
            what=state.earlier,
            where="earlier",
        )
    if any(len(turn.plays) != parameters.seats or turn.row >= parameters.rows for turn in state.log):
        raise Malformed(
            f"each turn in the log must have {parameters.seats} cards, one for each seat, and may have a row",
            what=state.log,
            where="log",
        )


def check_rows(rows: tuple[Row, ...], count: int, capacity: int, cards: int) -> None:
    """Raise `Malformed` unless there are `count` rows, each with 1 to `capacity` ascending cards from 1 to `cards`.

    Raises:
        Malformed: there are too few or too many rows, or a row is invalid; the message has the number of the row.
    """
    if len(rows) != count:
        raise Malformed(f"the table must have {count} rows; got {len(rows)}", what=rows, where="rows")
    for index, row in enumerate(rows):
        where = f"row {index}"
        if not 1 <= len(row) <= capacity:
            raise Malformed(f"{where} must have 1 to {capacity} cards; got {len(row)}", what=row, where=where)
        if list(row) != sorted(set(row)):
            raise Malformed(f"the cards of {where} must ascend; got {','.join(map(str, row))}", what=row, where=where)
        if row[0] < 1 or row[-1] > cards:
            raise Malformed(
                f"the cards of {where} must be 1 to {cards}; got {','.join(map(str, row))}", what=row, where=where
            )


def check_distinct(cards: Sequence[Card], most: int) -> None:
    """Raise `Malformed` if a card is not 1 to `most`, or occurs twice."""
    for card, count in Counter(cards).items():
        if not 1 <= card <= most:
            raise Malformed(f"a card must be 1 to {most}; got {card}", what=card, where="cards")
        if count > 1:
            raise Malformed(f"card {card} occurs twice", what=card, where="cards")


def _check_cards(parameters: Parameters, state: State, hands: tuple[Row, ...]) -> None:
    visible = seen_cards(state)
    check_distinct([*chain(*hands), *visible], parameters.cards)
    waiting = tuple(card for card, _ in state.waiting)
    for name, cards in (*(("a hand", hand) for hand in hands), ("waiting", waiting)):
        if list(cards) != sorted(cards):
            raise Malformed(f"the cards of {name} must ascend; got {','.join(map(str, cards))}", what=cards, where=name)
    logged = {*state.opening, *(card for turn in state.log for card in turn.plays if card)}
    if logged != set(visible) if known_turns(state) else not logged <= set(visible):
        raise Malformed(
            "`opening` and `log` must have exactly the cards that are face up in the other fields; without `opening`, "
            "`log` may have fewer",
            what=state.log,
            where="log",
        )


def _check_seats(parameters: Parameters, state: State) -> None:
    for name, seats in (("out", list(chain(*state.out))), ("waiting", [seat for _, seat in state.waiting])):
        if len(set(seats)) != len(seats) or any(not 0 <= seat < parameters.seats for seat in seats):
            raise Malformed(
                f"the seats of `{name}` must be 0 to {parameters.seats - 1}, each at most once", what=seats, where=name
            )


def _check_turn(parameters: Parameters, state: State, sizes: Sequence[int]) -> None:
    """Check that seats in the match have hands of equal size, and that cards wait only while one is below all tails."""
    out_seats = set(chain(*state.out))
    if (out_seats or state.aside) and not parameters.forfeits:
        raise Malformed(
            f"no seat can be out in {parameters.variant}, because these rules do not allow forfeits",
            what=state.out,
            where="out",
        )
    if len({size for seat, size in enumerate(sizes) if seat not in out_seats}) > 1:
        raise Malformed(
            f"all hands must have the same size; got {','.join(map(str, sizes))}", what=tuple(sizes), where="hands"
        )
    if not state.waiting:
        return
    if {seat for _, seat in state.waiting} != set(range(parameters.seats)) - out_seats:
        raise Malformed(
            "`waiting` must have one card for each seat that is in the match", what=state.waiting, where="waiting"
        )
    low = state.waiting[0][0]
    if any(row[-1] < low for row in state.rows):
        raise Malformed(
            f"the first card of `waiting` must be below all rows; got {low}, which fits a row",
            what=low,
            where="waiting",
        )
