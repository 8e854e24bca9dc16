"""The rules of War: both seats turn up their top card, and the higher card takes both."""

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
    Outcome,
    Seat,
    Step,
    WrongSeatError,
    check_move,
    check_seat,
    places,
    plural,
    win_shares,
    write,
)
from faceup.core.arguments import check_text, wrong_state
from faceup.core.notation import viewer
from faceup.core.whole_numbers import to_int
from faceup.games.shuffle import apply_shuffle, shuffle_choices
from faceup.games.war.cards import Pile, check_cards, deck
from faceup.games.war.notation import describe, parse, read_state, read_view, to_text
from faceup.games.war.parameters import WarParameters
from faceup.games.war.public_knowledge import guess, view_of
from faceup.games.war.state import TO_ACT, Collect, Reshuffle, WarDeal, WarState, WarView
from faceup.games.war.transitions import REDEALS, collect, collection, deal, flip, reshuffle

_BOTH_FLIP: Final = {0: 0, 1: 0}


class War(WarParameters, frozen=True):
    """War with given settings (see `WarParameters`); implements `faceup.core.Rules`.

    >>> from faceup.core import SeededGenerator, draw
    >>> rules = War()
    >>> state = rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(7))).state
    >>> for event in rules.apply(state, {0: 0, 1: 0}).events:
    ...     print(event.words(("Ann", "Bob")))
    Ann turns up the ace of diamonds; Bob turns up the 7 of hearts.
    Ann collects 2 cards.
    """

    game: ClassVar[str] = "war"
    forfeits: ClassVar[bool] = False

    @property
    def bounds(self) -> Bounds:
        """Return the limits. There is one action, and the utility is the share of the win.

        The number of decisions assumes the most possible wars.
        """
        cards = self.per_suit * self.suits
        flips = 1 + -(-(cards - 2) // (self.down + 1))
        rounds = self.cap + (1 + REDEALS if self.sudden_death else 0)
        return Bounds(utility=(0.0, 1.0), actions=1, decisions=rounds * flips, outcomes=cards)

    def start(self) -> WarState:
        """Return the state before the deal."""
        return WarState("deal")

    def to_act(self, state: WarState) -> tuple[Seat, ...]:
        """Return both seats, unless chance is due or the game is over."""
        if state.__class__ is not WarState:
            raise wrong_state(state, WarState)
        return TO_ACT[state.due]

    def legal(self, state: WarState, seat: Seat) -> tuple[Action, ...]:
        """Return action 0, which flips the next card, if the seat is to act; otherwise no action."""
        if state.__class__ is not WarState:
            raise wrong_state(state, WarState)
        if seat.__class__ is not int:
            seat = to_int("a seat", seat)
        return (0,) if state.due == "flip" and seat in (0, 1) else ()

    def chance(self, state: WarState, so_far: list[int] | tuple[int, ...]) -> int:
        """Return the number of options of the next choice, or `DONE`.

        The choices are Fisher-Yates shuffles (`faceup.games.shuffle`) of the piles that chance orders.

        A deal shuffles the deck, sorted by rank from 2C and 2D on; its first half goes to seat 0. A reshuffle shuffles
        seat 0's draw pile, then seat 1's draw pile. If chance orders the collected cards, it shuffles the winner's
        played cards followed by the loser's played cards.
        """
        made = len(so_far)
        for pile in self._shuffled(state):
            if made < len(pile) - 1:
                return len(pile) - made
            made -= len(pile) - 1
        return DONE

    def _shuffled(self, state: WarState) -> tuple[Pile, ...]:
        """Return the piles that chance orders now."""
        if state.due == "deal":
            return (deck(self.per_suit, self.suits),)
        if state.due == "reshuffle":
            return state.cards
        return (collection(self, state),) if state.due == "collect" else ()

    def outcome(self, state: WarState, choices: list[int] | tuple[int, ...]) -> Outcome:
        """Build the deal, reshuffle or collecting order from its choices."""
        piles = self._shuffled(state)
        count = sum(len(pile) - 1 for pile in piles)
        if len(choices) != count:
            raise Malformed(f"this outcome must have {plural(count, 'choice')}; got {len(choices)}", what=choices)
        orders, at = [], 0
        for pile in piles:
            orders.append(apply_shuffle(pile, choices[at : at + len(pile) - 1]))
            at += len(pile) - 1
        if state.due == "deal":
            half = len(orders[0]) // 2
            return WarDeal((orders[0][:half], orders[0][half:]))
        if state.due == "reshuffle":
            return Reshuffle((orders[0], orders[1]))
        return Collect(orders[0])

    def choices(self, state: WarState, outcome: Outcome) -> tuple[int, ...]:
        """Return the choices that produce this outcome."""
        orders = self._orders(state, outcome)
        pairs = zip(self._shuffled(state), orders, strict=True)
        return tuple(choice for pile, order in pairs for choice in shuffle_choices(pile, order[:-1]))

    def _orders(self, state: WarState, outcome: Outcome) -> tuple[Pile, ...]:
        """Return the orders in the outcome, one for each pile of `_shuffled`, after checking them."""
        if self.to_act(state) != (CHANCE,):
            raise WrongSeatError(
                "no outcome of chance is due now", to_act=self.to_act(state), position=write(self, state)
            )
        if isinstance(outcome, WarDeal) and state.due == "deal":
            if len(outcome.piles[0]) != len(outcome.piles[1]):
                raise Malformed(
                    f"a deal must have two equal halves; got {plural(len(outcome.piles[0]), 'card')} "
                    f"and {len(outcome.piles[1])}"
                )
            check_cards(outcome.piles[0] + outcome.piles[1], deck(self.per_suit, self.suits), "the deck")
            return (outcome.piles[0] + outcome.piles[1],)
        if isinstance(outcome, Reshuffle) and state.due == "reshuffle":
            for seat, (pile, order) in enumerate(zip(state.cards, outcome.piles, strict=True)):
                check_cards(order, pile, f"seat {seat}'s draw pile")
            return outcome.piles
        if isinstance(outcome, Collect) and state.due == "collect":
            check_cards(outcome.cards, collection(self, state), "the collected pile")
            return (outcome.cards,)
        raise Malformed(f"the next outcome must be a {state.due}; got {type(outcome).__name__}", what=outcome)

    def apply(self, state: WarState, move: Move | Outcome) -> Step[WarState]:
        """Flip for both seats, or apply an outcome of chance."""
        if state.__class__ is not WarState:
            raise wrong_state(state, WarState)
        if state.due == "flip" and move == _BOTH_FLIP and move[0].__class__ is move[1].__class__ is int:
            return flip(self, state)
        if not isinstance(move, Outcome):
            check_move(self, state, move)
            return flip(self, state)
        try:
            orders = self._orders(state, move)
        except Malformed as error:
            raise Malformed(error.message, what=error.what, where=error.where, position=write(self, state)) from None
        if isinstance(move, WarDeal):
            return deal(self, state, move.piles)
        if isinstance(move, Reshuffle):
            return reshuffle(state, move.piles)
        return collect(self, state, orders[0])

    def view(self, state: WarState, seat: Seat | None) -> WarView:
        """Return the public knowledge and the seat's legal actions; both seats have the same knowledge."""
        if seat is not None:
            check_seat(self, seat)
        if state.__class__ is not WarState:
            raise wrong_state(state, WarState)
        return view_of(state, seat)

    def guess(self, view: WarView, rng: Generator) -> WarState:
        """Return one of the states that the view allows, all equally likely."""
        return guess(self, view, rng)

    def scores(self, state: WarState) -> tuple[int, ...]:
        """Return the number of cards in each draw pile."""
        return tuple(len(state.cards[seat]) - state.played[seat] for seat in (0, 1))

    def ranks(self, state: WarState) -> tuple[int, ...]:
        """Return the ranks by the size of the draw piles, the larger one first; after a draw, the piles are equal."""
        return places([-score for score in self.scores(state)])

    def utilities(self, state: WarState) -> tuple[float, ...]:
        """Return each seat's share of the win."""
        return win_shares(self.ranks(state))

    def position(self, state: WarState) -> WarState:
        """Return the state without the log of rounds."""
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | Outcome) -> str:
        """Return the text of an action or an outcome, such as `flip`, `deal 2C KD / 9H 2S` or `collect 2C KD`."""
        return describe(what)

    def parse(self, text: str) -> Action | Outcome:
        """Parse an action or an outcome, ignoring case and extra spaces; the inverse of `describe`."""
        return parse(text)

    def to_text(self, what: WarState | WarView) -> str:
        """Return a state or a view as one line of `name=value` pairs.

        A card has two letters: capitals if everyone knows the card (`9C`), otherwise not (`9c`). In a view, `??` is
        an unknown card. On the table, a card in parentheses is face down.
        """
        return to_text(what)

    def from_text(self, text: str) -> WarState | WarView:
        """Parse a state or a view; the inverse of `to_text`."""
        check_text("a position", text, "deck=52")
        is_view, seat, rest = viewer(text, self.seats)
        return read_view(self, rest, seat) if is_view else read_state(self, rest)
