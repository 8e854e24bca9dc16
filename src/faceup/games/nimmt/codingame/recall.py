"""What a bot remembers of a match, from one decision asked of it to the next.

The protocol tells of each decision the table as it stands and the last cards, never who took what. That follows, as far
as it can be derived: the cards of a turn have one way to be placed, and where a row was chosen, the rows afterwards
show which. What cannot be derived is left out, so that no bot relies on a guess: a deal that was joined midway, or told
in contradictions, has no log, and its cards that are known to be gone are set aside.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import Card, Row
from faceup.games.nimmt.codingame.asks import ARENA, CHOOSE_ROW, NO_CARD, OUT_SCORE, Ask, check_ask
from faceup.games.nimmt.placing import row_for

NOBODY: Final[tuple[Row, ...]] = ((),) * ARENA.seats


class Played(NamedTuple):
    """A turn, as `faceup.games.nimmt.state.Turn`."""

    plays: tuple[Card, ...]
    row: int = -1


class Known(NamedTuple):
    """What a seat may know, under the names that `faceup.games.nimmt.state.View` has for it."""

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


class Recall:
    """The memory of one seat in one match.

    Args:
        seat: whose it is.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.heads = (0,) * ARENA.seats
        self.earlier: tuple[tuple[int, ...], ...] = ()
        self.out: tuple[tuple[Seat, ...], ...] = ()
        self.before: Known | None = None
        """The decision before this one, if it was of this match and made sense."""

    def hear(self, ask: Ask) -> Known:
        """What the seat knows now that it is asked this.

        Raises:
            Malformed: the decision contradicts itself; the memory is as it was. `told` then gives what it says.
        """
        check_ask(ask, self.seat)
        heads, out = self._standing(ask)
        before = self.before
        if before is None or not _goes_on(before, ask):
            known = self._new_deal(ask, heads, out)
        elif before.waiting:
            known = _next_turn(before, ask, heads, out)
        elif ask.phase == CHOOSE_ROW:
            known = _same_turn(before, ask, heads, out)
        else:
            known = _next_turn(before, ask, heads, out)
        self.heads, self.out, self.earlier, self.before = heads, out, known.earlier, known
        return known

    def told(self, ask: Ask) -> Known:
        """What the decision says by itself, contradictions and all; what was remembered of the deal is forgotten."""
        self.heads, self.out = self._standing(ask)
        self.before = None
        return _alone(self.seat, ask, self.heads, self.out, self.earlier)

    def answered(self, action: Action) -> None:
        """Remember which row the seat has taken itself."""
        if self.before is not None and self.before.waiting and action >= TAKE and self.before.log:
            log = (*self.before.log[:-1], self.before.log[-1]._replace(row=action - TAKE))
            self.before = self.before._replace(log=log)

    def _standing(self, ask: Ask) -> tuple[tuple[int, ...], tuple[tuple[Seat, ...], ...]]:
        """The heads of each seat, those of a seat that is out as they last were, and who is out since when."""
        heads = tuple(
            [old if score == OUT_SCORE else abs(score) for old, score in zip(self.heads, ask.scores, strict=True)]
        )
        known = {seat for group in self.out for seat in group}
        gone = tuple([seat for seat, score in enumerate(ask.scores) if score == OUT_SCORE and seat not in known])
        return heads, (*self.out, gone) if gone else self.out

    def _new_deal(self, ask: Ask, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]) -> Known:
        earlier = self.earlier
        if self.before is not None:
            earlier = (*earlier, tuple([now - sum(deal) for now, *deal in zip(heads, *earlier, strict=True)]))
        known = _alone(self.seat, ask, heads, out, earlier)
        if len(ask.hand) == ARENA.hand and all(len(row) == 1 for row in ask.rows):
            # From its beginning, so that there is nothing to derive; the last cards may still be of the deal before.
            return known._replace(aside=(), opening=tuple([row[0] for row in ask.rows]))
        return known


def _goes_on(before: Known, ask: Ask) -> bool:
    """Whether the decision is of the same deal as the one before."""
    if before.waiting:
        return ask.phase != CHOOSE_ROW and ask.hand == before.hand
    card = ask.last[before.seat]
    return card in before.hand and ask.hand == tuple([each for each in before.hand if each != card])


def _alone(
    seat: Seat,
    ask: Ask,
    heads: tuple[int, ...],
    out: tuple[tuple[Seat, ...], ...],
    earlier: tuple[tuple[int, ...], ...],
) -> Known:
    """What one decision says by itself."""
    gone = {each for group in out for each in group} - {seat}
    size = len(ask.hand)
    shown = {*ask.hand, *(card for row in ask.rows for card in row)}
    known = Known(
        seat=seat,
        to_act=tuple([each for each in range(ARENA.seats) if each not in gone]),
        legal=tuple([play(card) for card in ask.hand]),
        hand=ask.hand,
        sizes=tuple([ARENA.hand if each in gone else size for each in range(ARENA.seats)]),
        rows=ask.rows,
        taken=NOBODY,
        heads=heads,
        waiting=(),
        out=out,
        aside=tuple([card for card in ask.last if card != NO_CARD and card not in shown]),
        earlier=earlier,
        opening=(),
        log=(),
    )
    return _waiting(known, ask)._replace(aside=()) if ask.phase == CHOOSE_ROW else known


def _waiting(known: Known, ask: Ask) -> Known:
    """The same, while this seat has to take a row."""
    waiting = tuple(sorted([(card, seat) for seat, card in enumerate(ask.last) if card != NO_CARD]))
    legal = tuple([take(row) for row in range(ARENA.rows)])
    return known._replace(to_act=(known.seat,), legal=legal, waiting=waiting)


def _same_turn(before: Known, ask: Ask, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]) -> Known:
    """The cards are revealed, and this seat has to take a row."""
    if ask.rows != before.rows:
        return _alone(before.seat, ask, heads, out, before.earlier)
    known = _waiting(before._replace(hand=ask.hand, sizes=_sizes(before, ask), heads=heads, out=out), ask)
    return known._replace(log=(*before.log, Played(_plays(ask)))) if before.opening else known


def _next_turn(before: Known, ask: Ask, heads: tuple[int, ...], out: tuple[tuple[Seat, ...], ...]) -> Known:
    """The turn of the decision before is over, and the seat has to choose a card again."""
    plays = _plays(ask)
    cards = sorted([(card, seat) for seat, card in enumerate(plays) if card])
    chosen = [before.log[-1].row] if before.waiting and before.log else range(-1, ARENA.rows)
    for row in chosen:
        settled = _settle(before.rows, cards, row)
        if settled is not None and settled[0] == ask.rows:
            break
    else:
        gone = {*before.aside, *plays, *(card for row in before.rows for card in row)}
        gone -= {0, *(card for row in ask.rows for card in row)}
        known = _alone(before.seat, ask, heads, out, before.earlier)
        return known._replace(taken=before.taken, aside=tuple(sorted(gone)))
    taken = tuple([old + new for old, new in zip(before.taken, settled[1], strict=True)])
    log = (*(before.log[:-1] if before.waiting else before.log), Played(plays, row)) if before.opening else ()
    known = _alone(before.seat, ask, heads, out, before.earlier)
    sizes = before.sizes if before.waiting else _sizes(before, ask)
    return known._replace(sizes=sizes, taken=taken, aside=before.aside, opening=before.opening, log=log)


def _plays(ask: Ask) -> tuple[Card, ...]:
    return tuple([0 if card == NO_CARD else card for card in ask.last])


def _sizes(before: Known, ask: Ask) -> tuple[int, ...]:
    """The hands after the turn; the hand of a seat that is out stays as it was."""
    return tuple([size - (card != NO_CARD) for size, card in zip(before.sizes, ask.last, strict=True)])


def _settle(
    rows: Sequence[Row], cards: Sequence[tuple[Card, Seat]], chosen: int
) -> tuple[tuple[Row, ...], list[Row]] | None:
    """The rows after these cards, and what each seat took; None if a row is chosen in vain, or none where one must be.

    Args:
        rows: before.
        cards: with their seats, ascending.
        chosen: the row that the seat of the first card takes; -1 if it need not.
    """
    after, taken = list(rows), list(NOBODY)
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
