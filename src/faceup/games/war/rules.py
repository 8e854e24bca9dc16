"""The rules of War: both seats turn up their top card, and the higher one takes both."""

from typing import ClassVar, Final

import msgspec

from faceup.core import (
    CHANCE,
    DONE,
    Action,
    Bounds,
    Generator,
    Malformed,
    Move,
    NotYours,
    Outcome,
    Seat,
    Step,
    check_move,
    places,
    win_shares,
    write,
)
from faceup.core.notation import viewer
from faceup.games.war.cards import Pile, check_cards, deck
from faceup.games.war.knowledge import guess, view_of
from faceup.games.war.notation import describe, parse, read_state, read_view, to_text
from faceup.games.war.options import WarOptions
from faceup.games.war.play import REDEALS, collect, collection, deal, flip, reshuffle
from faceup.games.war.shuffle import arranged, choices_of
from faceup.games.war.state import TO_ACT, Collect, Deal, Reshuffle, WarState, WarView

_BOTH_FLIP: Final = {0: 0, 1: 0}


class War(WarOptions, frozen=True):
    """One setting of the game; implements `faceup.core.Rules`. `WarOptions` says what can be set.

    >>> from faceup.core import Seeded, draw
    >>> rules = War()
    >>> state = rules.apply(rules.start(), draw(rules, rules.start(), Seeded(7))).state
    >>> for event in rules.apply(state, {0: 0, 1: 0}).events:
    ...     print(event.words(("Ann", "Bob")))
    Ann turns up the ace of diamonds; Bob turns up the 7 of hearts.
    Ann collects 2 cards.
    """

    game: ClassVar[str] = "war"
    forfeits: ClassVar[bool] = False

    @property
    def bounds(self) -> Bounds:
        """One action; utility is the part in the win; decisions as if every round took as many wars as it can."""
        cards = self.per_suit * self.suits
        flips = 1 + -(-(cards - 2) // (self.down + 1))
        rounds = self.cap + (1 + REDEALS if self.sudden_death else 0)
        return Bounds(utility=(0.0, 1.0), actions=1, decisions=rounds * flips, outcomes=cards)

    def start(self) -> WarState:
        """Nothing dealt."""
        return WarState("deal")

    def to_act(self, state: WarState) -> tuple[Seat, ...]:
        """Both seats, unless chance is due or the game is over."""
        return TO_ACT[state.due]

    def legal(self, state: WarState, seat: Seat) -> tuple[Action, ...]:
        """To flip is all there is to do."""
        return (0,) if state.due == "flip" and seat in (0, 1) else ()

    def chance(self, state: WarState, so_far: list[int] | tuple[int, ...]) -> int:
        """Fisher and Yates's choices (`faceup.games.war.shuffle`) for each pile of cards that chance orders.

        A deal orders the deck rank by rank from 2C, 2D, and the first half of it is seat 0's; a reshuffle orders seat
        0's draw pile as it lies, then seat 1's; collecting orders the winner's cards followed by the loser's.
        """
        made = len(so_far)
        for pile in self._shuffled(state):
            if made < len(pile) - 1:
                return len(pile) - made
            made -= len(pile) - 1
        return DONE

    def _shuffled(self, state: WarState) -> tuple[Pile, ...]:
        """What chance is to order now."""
        if state.due == "deal":
            return (deck(self.per_suit, self.suits),)
        if state.due == "reshuffle":
            return state.cards
        return (collection(self, state),) if state.due == "collect" else ()

    def outcome(self, state: WarState, choices: list[int] | tuple[int, ...]) -> Outcome:
        """The deal, reshuffle or order of collecting that the choices make."""
        whole = self._shuffled(state)
        count = sum(len(pile) - 1 for pile in whole)
        if len(choices) != count:
            raise Malformed(f"this is {count} choices, not {len(choices)}", what=choices)
        orders, at = [], 0
        for pile in whole:
            chosen = choices[at : at + len(pile) - 1]
            at += len(pile) - 1
            for place, choice in enumerate(chosen):
                if not 0 <= choice < len(pile) - place:
                    raise Malformed(f"choice {choice} is not one of {len(pile) - place}", what=choice)
            orders.append(arranged(pile, chosen))
        if state.due == "deal":
            half = len(orders[0]) // 2
            return Deal((orders[0][:half], orders[0][half:]))
        if state.due == "reshuffle":
            return Reshuffle((orders[0], orders[1]))
        return Collect(orders[0])

    def choices(self, state: WarState, outcome: Outcome) -> tuple[int, ...]:
        """The choices that make this outcome."""
        orders = self._orders(state, outcome)
        pairs = zip(self._shuffled(state), orders, strict=True)
        return tuple(choice for pile, order in pairs for choice in choices_of(pile, order))

    def _orders(self, state: WarState, outcome: Outcome) -> tuple[Pile, ...]:
        """The orders that the outcome holds, one for each of `_shuffled`, once it is sure that they are that."""
        if self.to_act(state) != (CHANCE,):
            raise NotYours("nothing is left to chance now", to_act=self.to_act(state), position=write(self, state))
        if isinstance(outcome, Deal) and state.due == "deal":
            if len(outcome.piles[0]) != len(outcome.piles[1]):
                raise Malformed(f"a deal is two halves, not {len(outcome.piles[0])} cards and {len(outcome.piles[1])}")
            check_cards(outcome.piles[0] + outcome.piles[1], deck(self.per_suit, self.suits), "the deck")
            return (outcome.piles[0] + outcome.piles[1],)
        if isinstance(outcome, Reshuffle) and state.due == "reshuffle":
            for seat, (pile, order) in enumerate(zip(state.cards, outcome.piles, strict=True)):
                check_cards(order, pile, f"seat {seat}'s draw pile")
            return outcome.piles
        if isinstance(outcome, Collect) and state.due == "collect":
            check_cards(outcome.cards, collection(self, state), "what is collected")
            return (outcome.cards,)
        raise Malformed(f"chance is to {state.due} now, which {type(outcome).__name__} is not", what=outcome)

    def apply(self, state: WarState, move: Move | Outcome) -> Step[WarState]:
        """Both seats flip, or chance orders cards."""
        if state.due == "flip" and move == _BOTH_FLIP:
            return flip(self, state)
        if not isinstance(move, Outcome):
            check_move(self, state, move)
            return flip(self, state)
        try:
            orders = self._orders(state, move)
        except Malformed as error:
            raise Malformed(error.message, what=error.what, where=error.where, position=write(self, state)) from None
        if isinstance(move, Deal):
            return deal(self, state, move.piles)
        if isinstance(move, Reshuffle):
            return reshuffle(state, move.piles)
        return collect(self, state, orders[0])

    def view(self, state: WarState, seat: Seat | None) -> WarView:
        """What all know, and what the seat may do; the seats know alike."""
        return view_of(state, seat)

    def guess(self, view: WarView, rng: Generator) -> WarState:
        """One of the states that the view allows, all equally likely."""
        return guess(self, view, rng)

    def scores(self, state: WarState) -> tuple[int, ...]:
        """Cards in the draw pile."""
        return tuple(len(state.cards[seat]) - state.played[seat] for seat in (0, 1))

    def ranks(self, state: WarState) -> tuple[int, ...]:
        """The larger draw pile is first; whatever ends the game leaves it with the winner, and a draw leaves equals."""
        return places([-score for score in self.scores(state)])

    def utilities(self, state: WarState) -> tuple[float, ...]:
        """Each seat's part in the win."""
        return win_shares(self.ranks(state))

    def position(self, state: WarState) -> WarState:
        """The state without the log of rounds."""
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | Outcome) -> str:
        """`flip`, `deal 2C KD / 9H 2S`, `reshuffle 2C / KD`, `collect 2C KD`."""
        return describe(what)

    def parse(self, text: str) -> Action | Outcome:
        """The inverse of `describe`; small and capital letters and spaces make no difference."""
        return parse(text)

    def to_text(self, what: WarState | WarView) -> str:
        """One line of `name=value`, its cards in two letters: `9C` where all know it, `9c` where nobody does.

        In a view `??` stands for a card that nobody knows. On the table, a card in brackets lies face down.
        """
        return to_text(what)

    def from_text(self, text: str) -> WarState | WarView:
        """The inverse of `to_text`."""
        is_view, seat, rest = viewer(text, self.seats)
        return read_view(self, rest, seat) if is_view else read_state(self, rest)
