"""The bot's memory of a match, from one decision to the next.

Each decision of the protocol shows the table and the last cards, but not which seat took which row. The memory derives
who took which row: the rows of the next decision show which row was chosen, and all other cards can be placed in only
one way. If this is not certain, the memory omits it. For example, a deal that the bot joined midway, or that has
contradictory messages, gets no log. Those cards of the deal that are known to be out of play are then set aside.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import Card, Row
from faceup.games.nimmt.codingame.messages import ARENA, CHOOSE_ROW, NO_CARD, OUT_SCORE, DecisionMessage, check_decision
from faceup.games.nimmt.placing import row_for

EMPTY_BY_SEAT: Final[tuple[Row, ...]] = ((),) * ARENA.seats


class Played(NamedTuple):
    """A turn, with the fields of `faceup.games.nimmt.state.Turn`."""

    plays: tuple[Card, ...]
    row: int = -1


class Knowledge(NamedTuple):
    """A seat's knowledge, with the field names of `faceup.games.nimmt.state.View`."""

    seat: Seat
    to_act: tuple[Seat, ...]
    legal: tuple[Action, ...]
    hand: Row
    sizes: tuple[int, ...]
    rows: tuple[Row, ...]
    taken: tuple[Row, ...]
    heads: tuple[int, ...]
    waiting: tuple[tuple[Card, Seat], ...]
    out: tuple[tuple[Seat, ...], ...]
    aside: tuple[Card, ...]
    earlier: tuple[tuple[int, ...], ...]
    opening: tuple[Card, ...]
    log: tuple[Played, ...]


class MatchMemory:
    """The memory of one seat in one match.

    Args:
        seat: the bot's seat.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.heads = (0,) * ARENA.seats
        self.earlier: tuple[tuple[int, ...], ...] = ()
        self.out: tuple[tuple[Seat, ...], ...] = ()
        self.before: Knowledge | None = None
        """The knowledge at the previous decision of this match; None if there was none, or if it was contradictory."""

    def observe(self, message: DecisionMessage) -> Knowledge:
        """Update the memory with a decision and return the seat's knowledge.

        Raises:
            Malformed: the decision is contradictory. The memory is unchanged; call `observe_alone` with this decision.
        """
        check_decision(message, self.seat)
        heads, out = self._standing(message)
        before = self.before
        if before is None or not _is_same_deal(before, message):
            knowledge = self._new_deal(message, heads, out)
        elif before.waiting:
            knowledge = _next_turn(before, message, heads, out)
        elif message.phase == CHOOSE_ROW:
            knowledge = _same_turn(before, message, heads, out)
        else:
            knowledge = _next_turn(before, message, heads, out)
        self.heads, self.out, self.earlier, self.before = heads, out, knowledge.earlier, knowledge
        return knowledge

    def observe_alone(self, message: DecisionMessage) -> Knowledge:
        """Return the knowledge from this decision alone, even if it is contradictory, and forget the current deal."""
        self.heads, self.out = self._standing(message)
        self.before = None
        return _from_message(self.seat, message, self.heads, self.out, self.earlier)

    def record_answer(self, action: Action) -> None:
        """Record the row that this seat chose to take; ignore an action that plays a card."""
        if self.before is not None and self.before.waiting and action >= TAKE and self.before.log:
            log = (*self.before.log[:-1], self.before.log[-1]._replace(row=action - TAKE))
            self.before = self.before._replace(log=log)

    def _standing(self, message: DecisionMessage) -> tuple[tuple[int, ...], tuple[tuple[Seat, ...], ...]]:
        """Return each seat's heads, or its last known heads if it is out, and the groups of seats that are out."""
        heads = tuple(
            [old if score == OUT_SCORE else abs(score) for old, score in zip(self.heads, message.scores, strict=True)]
        )
        earlier = {seat for group in self.out for seat in group}
        newly_out = tuple(
            [seat for seat, score in enumerate(message.scores) if score == OUT_SCORE and seat not in earlier]
        )
        return heads, (*self.out, newly_out) if newly_out else self.out

    def _new_deal(
        self, message: DecisionMessage, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]
    ) -> Knowledge:
        earlier = self.earlier
        if self.before is not None:
            earlier = (*earlier, tuple([now - sum(deal) for now, *deal in zip(heads, *earlier, strict=True)]))
        knowledge = _from_message(self.seat, message, heads, out, earlier)
        if len(message.hand) == ARENA.hand and all(len(row) == 1 for row in message.rows):
            # The first decision of a deal leaves nothing to derive. The last cards may belong to the previous deal.
            return knowledge._replace(aside=(), opening=tuple([row[0] for row in message.rows]))
        return knowledge


def _is_same_deal(before: Knowledge, message: DecisionMessage) -> bool:
    """Return whether the decision belongs to the same deal as the previous one."""
    if before.waiting:
        return message.phase != CHOOSE_ROW and message.hand == before.hand
    card = message.last[before.seat]
    return card in before.hand and message.hand == tuple(
        [card_in_hand for card_in_hand in before.hand if card_in_hand != card]
    )


def _from_message(
    seat: Seat,
    message: DecisionMessage,
    heads: tuple[int, ...],
    out: tuple[tuple[Seat, ...], ...],
    earlier: tuple[tuple[int, ...], ...],
) -> Knowledge:
    """Return the knowledge from one decision alone."""
    out_seats = {seat_out for group in out for seat_out in group} - {seat}
    size = len(message.hand)
    shown = {*message.hand, *(card for row in message.rows for card in row)}
    knowledge = Knowledge(
        seat=seat,
        to_act=tuple([other for other in range(ARENA.seats) if other not in out_seats]),
        legal=tuple([play(card) for card in message.hand]),
        hand=message.hand,
        sizes=tuple([ARENA.hand if other in out_seats else size for other in range(ARENA.seats)]),
        rows=message.rows,
        taken=EMPTY_BY_SEAT,
        heads=heads,
        waiting=(),
        out=out,
        aside=tuple([card for card in message.last if card != NO_CARD and card not in shown]),
        earlier=earlier,
        opening=(),
        log=(),
    )
    return _waiting(knowledge, message)._replace(aside=()) if message.phase == CHOOSE_ROW else knowledge


def _waiting(knowledge: Knowledge, message: DecisionMessage) -> Knowledge:
    """Return the knowledge while this seat must take a row."""
    waiting = tuple(sorted([(card, seat) for seat, card in enumerate(message.last) if card != NO_CARD]))
    legal = tuple([take(row) for row in range(ARENA.rows)])
    return knowledge._replace(to_act=(knowledge.seat,), legal=legal, waiting=waiting)


def _same_turn(
    before: Knowledge, message: DecisionMessage, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]
) -> Knowledge:
    """Return the knowledge after the cards are revealed and this seat must take a row."""
    if message.rows != before.rows:
        return _from_message(before.seat, message, heads, out, before.earlier)
    knowledge = _waiting(
        before._replace(hand=message.hand, sizes=_sizes(before, message), heads=heads, out=out), message
    )
    return knowledge._replace(log=(*before.log, Played(_plays(message)))) if before.opening else knowledge


def _next_turn(
    before: Knowledge, message: DecisionMessage, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]
) -> Knowledge:
    """Return the knowledge after a turn ended and the seat must choose a card again."""
    plays = _plays(message)
    cards = sorted([(card, seat) for seat, card in enumerate(plays) if card])
    chosen = [before.log[-1].row] if before.waiting and before.log else range(-1, ARENA.rows)
    for row in chosen:
        settled = _settle(before.rows, cards, row)
        if settled is not None and settled[0] == message.rows:
            break
    else:
        unaccounted = {*before.aside, *plays, *(card for row in before.rows for card in row)}
        unaccounted -= {0, *(card for row in message.rows for card in row)}
        knowledge = _from_message(before.seat, message, heads, out, before.earlier)
        return knowledge._replace(taken=before.taken, aside=tuple(sorted(unaccounted)))
    taken = tuple([old + new for old, new in zip(before.taken, settled[1], strict=True)])
    log = (*(before.log[:-1] if before.waiting else before.log), Played(plays, row)) if before.opening else ()
    knowledge = _from_message(before.seat, message, heads, out, before.earlier)
    sizes = before.sizes if before.waiting else _sizes(before, message)
    return knowledge._replace(sizes=sizes, taken=taken, aside=before.aside, opening=before.opening, log=log)


def _plays(message: DecisionMessage) -> tuple[Card, ...]:
    return tuple([0 if card == NO_CARD else card for card in message.last])


def _sizes(before: Knowledge, message: DecisionMessage) -> tuple[int, ...]:
    """Return the hand sizes after the turn; a seat that is out keeps its size."""
    return tuple([size - (card != NO_CARD) for size, card in zip(before.sizes, message.last, strict=True)])


def _settle(
    rows: Sequence[Row], cards: Sequence[tuple[Card, Seat]], chosen: int
) -> tuple[tuple[Row, ...], list[Row]] | None:
    """Place the cards of a turn; return the rows after the turn, and the cards that each seat took.

    Return None if `chosen` contradicts the cards.

    Args:
        rows: the rows before the turn.
        cards: the cards with their seats, ascending.
        chosen: the row that the seat of the first card chose to take; -1 if it did not choose a row.
    """
    after, taken = list(rows), list(EMPTY_BY_SEAT)
    for number, (card, seat) in enumerate(cards):
        index = row_for(after, card)
        if (index < 0) != (number == 0 and chosen >= 0):
            return None
        index = chosen if index < 0 else index
        if (number == 0 and chosen >= 0) or len(after[index]) >= ARENA.capacity:
            taken[seat] += after[index]
            after[index] = ()
        after[index] += (card,)
    return tuple(after), taken
