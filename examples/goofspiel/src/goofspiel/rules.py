"""The rules of Goofspiel with dealt hands."""

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

import msgspec

from faceup.core import (
    CHANCE,
    DONE,
    Action,
    Bounds,
    Event,
    Generator,
    Malformed,
    Move,
    Outcome,
    Seat,
    Step,
    WrongSeatError,
    check_move,
    check_seat,
    places,
    win_shares,
    write,
)
from goofspiel import notation
from goofspiel.state import Bid, Cards, Deal, Dealt, Offered, Round, Seen, Table, Won


class Goofspiel(msgspec.Struct, frozen=True):
    """The rules for a number of seats; action n bids card n + 1.

    Attributes:
        variant: the name of the variant.
        seats: 2 to 6.
        hand: the number of cards in each hand, and of prizes, which are worth 1 to `hand`.
        cards: the highest card of the deck, from which the hands are dealt.
    """

    variant: str = "dealt"
    seats: int = 3
    hand: int = 5
    cards: int = 30

    game: ClassVar[str] = "goofspiel"
    forfeits: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the settings."""
        dealt = self.seats * self.hand
        if not (2 <= self.seats <= 6 and self.hand >= 1 and dealt <= self.cards <= 100):
            raise Malformed(
                f"cards must be {dealt} to 100 for {self.seats} hands of {self.hand}; got {self.cards}",
                what=self.cards,
                where="cards",
            )

    @property
    def bounds(self) -> Bounds:
        """Return the bounds of a complete game."""
        return Bounds(utility=(0.0, 1.0), actions=self.cards, decisions=self.hand, outcomes=self.cards)

    def start(self) -> Table:
        """Return the table before the deal."""
        return Table(hands=(), prizes=(), points=(0,) * self.seats)

    def to_act(self, state: Table) -> tuple[Seat, ...]:
        """Return chance before the deal, then all seats in every round."""
        if not state.hands:
            return (CHANCE,)
        return tuple(range(self.seats)) if state.prizes else ()

    def legal(self, state: Table, seat: Seat) -> tuple[Action, ...]:
        """Return an action for each card of the seat's hand."""
        acts = seat != CHANCE and seat in self.to_act(state)
        return tuple(card - 1 for card in state.hands[seat]) if acts else ()

    def chance(self, state: Table, so_far: Sequence[int]) -> int:
        """Return how many cards or prizes are left to draw from."""
        hands = self.seats * self.hand
        if len(so_far) < hands:
            return self.cards - len(so_far)
        return hands + self.hand - len(so_far) if len(so_far) < hands + self.hand else DONE

    def outcome(self, state: Table, choices: Sequence[int]) -> Deal:
        """Draw the cards of each hand, and then the prizes: choice n draws card n of those that are left."""
        deck, prizes = self._decks()
        drawn: list[int] = []
        for place, choice in enumerate(choices):
            if not 0 <= choice < self.chance(state, choices[:place]):
                raise Malformed(f"choice {place} of a deal is out of range: {choice}", what=choices)
            drawn.append((deck if place < self.seats * self.hand else prizes).pop(choice))
        if self.chance(state, choices) != DONE:
            raise Malformed(f"a deal has more than {len(choices)} choices", what=choices)
        parts = [tuple(drawn[at : at + self.hand]) for at in range(0, len(drawn), self.hand)]
        return Deal(hands=tuple(parts[:-1]), prizes=parts[-1])

    def choices(self, state: Table, outcome: Deal) -> tuple[int, ...]:
        """Find the choice that drew each card: its place among the cards that were left."""
        deck, prizes = self._decks()
        drawn = [*((card, deck) for card in chain(*outcome.hands)), *((prize, prizes) for prize in outcome.prizes)]
        found = []
        for card, cards in drawn:
            if card not in cards:
                raise Malformed(f"{card} cannot be dealt, or is dealt twice", what=outcome)
            found.append(cards.index(card))
            cards.remove(card)
        if [*map(len, outcome.hands), len(outcome.prizes)] != [self.hand] * (self.seats + 1):
            raise Malformed(f"a deal has {self.seats} hands of {self.hand} and {self.hand} prizes", what=outcome)
        return tuple(found)

    def _decks(self) -> tuple[list[int], list[int]]:
        return list(range(1, self.cards + 1)), list(range(1, self.hand + 1))

    def apply(self, state: Table, move: Move | Deal) -> Step[Table]:
        """Deal, or play a round."""
        if isinstance(move, Outcome):
            return self._deal(state, move)
        check_move(self, state, move)
        bids = tuple(move[seat] + 1 for seat in range(self.seats))
        prize, *rest = state.prizes
        winner = bids.index(max(bids))
        events: list[Event] = [*(Bid(seat, bid) for seat, bid in enumerate(bids)), Won(winner, prize)]
        events += [Offered(rest[0])] if rest else []
        after = Table(
            hands=tuple(
                tuple(card for card in hand if card != bid) for hand, bid in zip(state.hands, bids, strict=True)
            ),
            prizes=tuple(rest),
            points=tuple(points + prize * (seat == winner) for seat, points in enumerate(state.points)),
            log=(*state.log, Round(prize, bids)),
        )
        return Step(after, tuple(events))

    def _deal(self, state: Table, deal: Deal) -> Step[Table]:
        if state.hands:
            raise WrongSeatError("the cards are dealt already", to_act=self.to_act(state), position=write(self, state))
        self.choices(state, deal)  # raises an error for a deal that is not possible
        hands = tuple(tuple(sorted(hand)) for hand in deal.hands)
        dealt = (Dealt(seat, hand) for seat, hand in enumerate(hands))
        return Step(Table(hands, deal.prizes, state.points), (*dealt, Offered(deal.prizes[0])))

    def view(self, state: Table, seat: Seat | None) -> Seen:
        """Return the public part of the table, and the seat's own hand."""
        if seat is not None:
            check_seat(self, seat)
        return Seen(
            seat=seat,
            to_act=self.to_act(state),
            legal=() if seat is None else self.legal(state, seat),
            hand=state.hands[seat] if state.hands and seat is not None else (),
            prize=state.prizes[0] if state.prizes else 0,
            points=state.points,
            log=state.log,
        )

    def guess(self, view: Seen, rng: Generator) -> Table:
        """Deal the cards that the viewer has not seen to the other hands, and shuffle the prizes that are face down."""
        if view.to_act == (CHANCE,):
            return self.start()
        left = self.hand - len(view.log)
        deck, prizes = self._decks()
        seen = {*view.hand, *chain(*(past.bids for past in view.log))}
        offered = {view.prize, *(past.prize for past in view.log)}
        unseen = [card for card in deck if card not in seen]
        hidden = [prize for prize in prizes if prize not in offered]

        def drawn(cards: list[int], count: int) -> Cards:
            return tuple(cards.pop(rng.below(len(cards))) for _ in range(count))

        hands = (view.hand if seat == view.seat else drawn(unseen, left) for seat in range(self.seats))
        return Table(
            hands=tuple(tuple(sorted(hand)) for hand in hands),
            prizes=(view.prize, *drawn(hidden, len(hidden))) if view.prize else (),
            points=view.points,
            log=view.log,
        )

    def scores(self, state: Table) -> tuple[int, ...]:
        """Return the points of each seat."""
        return state.points

    def ranks(self, state: Table) -> tuple[int, ...]:
        """Return the ranks: the most points win."""
        return places([-points for points in state.points])

    def utilities(self, state: Table) -> tuple[float, ...]:
        """Return each seat's share of the win."""
        return win_shares(self.ranks(state))

    def position(self, state: Table) -> Table:
        """Return the table without its log."""
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | Deal) -> str:
        """Return an action or a deal in words."""
        return notation.describe(self, what)

    def parse(self, text: str) -> Action | Deal:
        """Parse an action or a deal."""
        return notation.parse(self, text)

    def to_text(self, what: Table | Seen) -> str:
        """Return a state or a view as one line."""
        return notation.to_text(what)

    def from_text(self, text: str) -> Table | Seen:
        """Parse a state or a view."""
        return notation.from_text(self, text)
