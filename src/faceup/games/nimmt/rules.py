"""The rules of 6 nimmt! for every variant.

A match repeats deals until it is over. A deal starts when chance deals the cards, and repeats turns until the hands are
empty. In a turn, all seats choose a card, and the revealed cards are placed. If the lowest card is below all rows, its
seat must first choose a row to take.

Sources: cowheadking, codingame-6-nimmt-arena, onehundredandfour.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import msgspec

from faceup.core import plural
from faceup.core.arguments import wrong_state
from faceup.core.errors import Malformed, WrongSeatError
from faceup.core.generator import Generator
from faceup.core.moves import check_move, check_seat
from faceup.core.notation import write
from faceup.core.values import CHANCE, DONE, FORFEIT, Action, Bounds, Event, Move, Outcome, Seat, Step, places
from faceup.core.whole_numbers import to_int
from faceup.games.nimmt import notation
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import Card, Row, total
from faceup.games.nimmt.events import DealOver, Dealt, Opened, Out, Revealed, SetAside, Won
from faceup.games.nimmt.parameters import MOST_SEATS, Parameters
from faceup.games.nimmt.placing import PlacingTable
from faceup.games.nimmt.state import Deal, State, Turn, View, shared_fields
from faceup.games.nimmt.validation import check_distinct, unseen_cards
from faceup.games.shuffle import apply_shuffle, shuffle_choices

_EVERYONE: Final = tuple(tuple(range(seats)) for seats in range(MOST_SEATS + 1))


class Rules(Parameters, frozen=True, kw_only=True):
    """The rules of 6 nimmt! with given parameters, as an implementation of `faceup.core.Rules`."""

    game: ClassVar[str] = "nimmt"

    @property
    def bounds(self) -> Bounds:
        """Return the limits of utilities, actions, decisions and outcomes.

        Utilities are from -1, for as many heads as a seat could have, to 0. A turn has one or two decisions.
        """
        decisions = self.most_deals * self.hand * 2 + (self.seats if self.forfeits else 0)
        return Bounds(utility=(-1.0, 0.0), actions=TAKE + self.rows, decisions=decisions, outcomes=self.cards)

    def start(self) -> State:
        """Return the state before the first deal."""
        empty = ((),) * self.seats
        return State(hands=empty, rows=(), taken=empty, heads=(0,) * self.seats)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return who must act: all seats that choose cards, or the seat that must take a row, or chance before a deal.

        After the match, return an empty tuple.
        """
        if state.__class__ is not State:
            raise wrong_state(state, State)
        if state.waiting:
            return (state.waiting[0][1],)
        if not state.out:
            if state.hands[0]:
                return _EVERYONE[self.seats]
        else:
            seats = self.seats_in(state.out)
            if len(seats) < 2:
                return ()
            if state.hands[seats[0]]:
                return seats
        return () if self._over(state.earlier, state.heads) else (CHANCE,)

    def seats_in(self, out: tuple[tuple[Seat, ...], ...]) -> tuple[Seat, ...]:
        """Return the seats that are still in the match; `out` is the field of this name in a state or view."""
        out_seats = {seat for group in out for seat in group}
        return tuple(seat for seat in range(self.seats) if seat not in out_seats)

    def is_last_deal(self, view: View) -> bool:
        """Return whether the match is certain to end with the deal of this view.

        The end is certain if no further deals are to be played, or if a seat has already reached the target.

        >>> rules = Rules(deals=0, target=66)
        >>> dealt = rules.apply(rules.start(), Deal(tuple(range(1, rules.dealt + 1)))).state
        >>> ahead = msgspec.structs.replace(dealt, heads=(70, 8, 0, 31))
        >>> rules.is_last_deal(rules.view(dealt, 0)), rules.is_last_deal(rules.view(ahead, 0))
        (False, True)
        """
        return self._over((*view.earlier, view.heads), view.heads)

    def _over(self, earlier: tuple[tuple[int, ...], ...], heads: tuple[int, ...] | list[int]) -> bool:
        """Return whether the match is over, given the heads of the finished deals and the total heads."""
        if self.deals and len(earlier) >= self.deals:
            return True
        return bool(self.target) and max(heads) >= self.target

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return the actions that play a card of the seat's hand, or the actions that take a row if the seat must."""
        if state.__class__ is not State:
            raise wrong_state(state, State)
        if seat.__class__ is not int:
            seat = to_int("a seat", seat)
        if state.waiting:
            return tuple(range(TAKE, TAKE + self.rows)) if state.waiting[0][1] == seat else ()
        if not 0 <= seat < self.seats or (state.out and seat not in self.to_act(state)):
            return ()
        return tuple([card - 1 for card in state.hands[seat]])

    def chance(self, state: State, so_far: list[int] | tuple[int, ...]) -> int:
        """Return the number of options of the next choice of the deal; `DONE` if the deal is complete.

        The choices are those of a partial Fisher-Yates shuffle, in which choice i picks the card at place i.
        """
        del state
        done = len(so_far)
        return self.cards - done if done < self.seats * self.hand + self.rows else DONE

    def outcome(self, state: State, choices: list[int] | tuple[int, ...]) -> Deal:
        """Return the deal that these choices produce.

        Raises:
            Malformed: there are too few or too many choices, or a choice is out of range.
        """
        del state
        size = self.dealt
        if len(choices) != size:
            raise Malformed(
                f"a deal must have {plural(size, 'choice')}; got {len(choices)}", what=choices, where="choices"
            )
        return Deal(apply_shuffle(range(1, self.cards + 1), choices)[:size])

    def choices(self, state: State, outcome: Deal) -> tuple[int, ...]:
        """Return the choices that produce this deal."""
        self._check_deal(state, outcome)
        return shuffle_choices(range(1, self.cards + 1), outcome.cards)

    def apply(self, state: State, move: Move | Outcome) -> Step[State]:
        """Apply a deal, the cards that the seats chose, or the row that a seat chose.

        Raises:
            WrongSeatError: the move does not have an action for exactly the seats to act.
            IllegalActionError: a seat plays a card that is not in its hand, or takes a row that does not exist.
            Malformed: a deal has the wrong number of cards, or has duplicates.
        """
        if state.__class__ is not State:
            raise wrong_state(state, State)
        if isinstance(move, Outcome):
            return self._deal(state, move)
        if move.__class__ is not dict and not isinstance(move, Mapping):  # the first test takes less time
            check_move(self, state, move)
        if state.waiting:
            return self._take(state, move)
        return self._play(state, move)

    def _check_deal(self, state: State, deal: Outcome) -> None:
        if self.to_act(state) != (CHANCE,):
            raise WrongSeatError(
                "no deal is due", seats=(CHANCE,), to_act=self.to_act(state), position=write(self, state)
            )
        cards = deal.cards if isinstance(deal, Deal) else ()
        if len(cards) != self.dealt:
            raise Malformed(f"a deal must have {plural(self.dealt, 'card')}; got {len(cards)}", what=deal, where="deal")
        if len(set(cards)) != len(cards) or min(cards) < 1 or max(cards) > self.cards:
            check_distinct(cards, self.cards)

    def _deal(self, state: State, outcome: Outcome) -> Step[State]:
        self._check_deal(state, outcome)
        assert isinstance(outcome, Deal)  # noqa: S101 -- `_check_deal` ensures it; the type checker needs it
        cards, size = outcome.cards, self.hand
        hands = tuple([tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(self.seats)])
        opening = cards[self.seats * size :]
        new = State(
            hands=hands,
            rows=tuple([(card,) for card in opening]),
            taken=((),) * self.seats,
            heads=state.heads,
            out=state.out,
            earlier=state.earlier,
            opening=opening,
        )
        dealt = [Dealt(seat, hands[seat]) for seat in self.seats_in(state.out)]
        return Step(new, (*dealt, Opened(len(state.earlier) + 1, opening)))

    def _play(self, state: State, move: Move) -> Step[State]:
        to_act = self.to_act(state)
        hands = list(state.hands)
        cards: list[tuple[Card, Seat]] = []
        plays = [0] * self.seats
        forfeited: list[Seat] = []
        if len(move) != len(to_act) or to_act in ((), (CHANCE,)):
            check_move(self, state, move)
        for seat in to_act:
            action = move.get(seat, FORFEIT)
            hand = hands[seat]
            if action.__class__ is not int or action + 1 not in hand:
                # Raises an error, unless the action is a forfeit that the rules allow, or has another integer type.
                check_move(self, state, move)
                if action == FORFEIT:
                    forfeited.append(seat)
                    continue
                action = int(action)
            card = action + 1
            index = hand.index(card)
            hands[seat] = hand[:index] + hand[index + 1 :]
            cards.append((card, seat))
            plays[seat] = card
        events: list[Event] = []
        out = state.out
        if forfeited:
            out = (*out, tuple(forfeited))
            events.append(Out(tuple(forfeited)))
        cards.sort()
        turn = Turn(tuple(plays))
        events.append(Revealed(turn.plays))
        table = PlacingTable(state.rows, self.capacity, state.taken, state.heads, events)
        return self._place(state, table, cards, hands=tuple(hands), out=out, log=(*state.log, turn))

    def _take(self, state: State, move: Move) -> Step[State]:
        (card, seat), *cards = state.waiting
        if len(move) != 1 or move.get(seat).__class__ is not int or not TAKE <= move[seat] < TAKE + self.rows:
            # Raises an error, unless the action is a forfeit that the rules allow, or has another integer type.
            check_move(self, state, move)
        events: list[Event] = []
        table = PlacingTable(state.rows, self.capacity, state.taken, state.heads, events)
        action = int(move[seat])
        if action == FORFEIT:
            events += [Out((seat,)), SetAside(seat, card)]
            aside = msgspec.structs.replace(state, aside=(*state.aside, card))
            return self._place(aside, table, cards, hands=state.hands, out=(*state.out, (seat,)), log=state.log)
        row = action - TAKE
        table.take(seat, card, row, chosen=True)
        log = (*state.log[:-1], Turn(state.log[-1].plays, row)) if state.log else ()
        return self._place(state, table, cards, hands=state.hands, out=state.out, log=log)

    def _place(
        self,
        state: State,
        table: PlacingTable,
        cards: list[tuple[Card, Seat]],
        *,
        hands: tuple[Row, ...],
        out: tuple[tuple[Seat, ...], ...],
        log: tuple[Turn, ...],
    ) -> Step[State]:
        """Place the revealed cards until one is below all rows; then end the deal and the match if they are over."""
        events, aside, earlier = table.events, state.aside, state.earlier
        seats = self.seats_in(out) if out else _EVERYONE[self.seats]
        waiting: tuple[tuple[Card, Seat], ...] = ()
        if len(seats) < 2:
            # The match ends immediately, so the revealed cards are not placed.
            events += [SetAside(seat, card) for card, seat in cards]
            aside += tuple([card for card, _ in cards])
            events.append(self._won(table.heads, out))
        else:
            done = table.place(cards)
            waiting = tuple(cards[done:])
            if not waiting and not hands[seats[0]]:
                earlier = (*earlier, tuple([total(cards) for cards in table.taken]))
                events.append(DealOver(earlier[-1], tuple(table.heads)))
                if self._over(earlier, table.heads):
                    events.append(self._won(table.heads, out))
        new = State(
            hands, tuple(table.rows), tuple(table.taken), tuple(table.heads), waiting, out, aside, earlier,
            state.opening, log,
        )  # fmt: skip
        return Step(new, tuple(events))

    def _won(self, heads: list[int], out: tuple[tuple[Seat, ...], ...]) -> Won:
        ranks = final_ranks(heads, out)
        return Won(tuple(seat for seat, rank in enumerate(ranks) if rank == 1))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return what the seat, or a spectator, may know. A seat that is out no longer sees its own hand."""
        if state.__class__ is not State:
            raise wrong_state(state, State)
        hands, out = state.hands, state.out
        legal: tuple[Action, ...] = ()
        hand: Row = ()
        if seat is not None:
            check_seat(self, seat)
            legal = self.legal(state, seat)
            if not out or not any(seat in group for group in out):
                hand = hands[seat]
        return View(
            seat, self.to_act(state), legal, hand, tuple(map(len, hands)), state.rows, state.taken, state.heads,
            state.waiting, out, state.aside, state.earlier, state.opening, state.log,
        )  # fmt: skip

    def guess(self, view: View, rng: Generator) -> State:
        """Return a random state that the view allows.

        The hands of the other seats are drawn from the cards that the view's seat has not seen.
        """
        unseen = unseen_cards(self, view)
        hands = []
        for seat, size in enumerate(view.sizes):
            if seat == view.seat and len(view.hand) == size:
                hands.append(view.hand)
                continue
            drawn = [unseen.pop(rng.below(len(unseen))) for _ in range(size)]
            hands.append(tuple(sorted(drawn)))
        return State(hands=tuple(hands), **shared_fields(view))

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's heads in the match so far."""
        return state.heads

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return each seat's rank, from 1 for the fewest heads.

        Seats that are out rank below all other seats; the earlier a seat went out, the lower it ranks.
        """
        return final_ranks(state.heads, state.out)

    def utilities(self, state: State) -> tuple[float, ...]:
        """Return each seat's heads, divided by the most heads possible, and negated."""
        return tuple(-count / self.most_heads for count in state.heads)

    def position(self, state: State) -> State:
        """Return the state without its history.

        The history is the log, the opening cards, the cards taken or set aside, and the heads of each earlier deal.
        """
        nothing = ((),) * self.seats
        return msgspec.structs.replace(
            state, taken=nothing, aside=(), opening=(), log=(), earlier=((),) * len(state.earlier)
        )

    def describe(self, what: Action | Deal) -> str:
        """Return an action or a deal in words, for example "play 57", "take row 2" or "deal 12 4 ..."."""
        return notation.describe(self, what)

    def parse(self, text: str) -> Action | Deal:
        """Parse an action or a deal from the words that `describe` returns. Raises `Malformed`."""
        return notation.parse(self, text)

    def to_text(self, what: State | View) -> str:
        """Return a state or a view as one line. The fields are explained in `faceup.games.nimmt.notation`."""
        return notation.to_text(what)

    def from_text(self, text: str) -> State | View:
        """Parse a state or a view from the line that `to_text` returns. Raises `Malformed`."""
        return notation.from_text(self, text, self.view)


def final_ranks(heads: Sequence[int], out: tuple[tuple[Seat, ...], ...]) -> tuple[int, ...]:
    """Return each seat's rank, from 1 for the fewest heads.

    Seats that are out rank below all other seats; the earlier a seat went out, the lower it ranks.
    """
    keys = [(0, count) for count in heads]
    for order, group in enumerate(out):
        for seat in group:
            keys[seat] = (len(out) - order, 0)
    return places(keys)
