"""The rules of 6 nimmt!, for every variant: who acts, what is legal, and what follows.

Sources: cowheadking, codingame-6-nimmt-arena, onehundredandfour. The life of a match: chance deals; all seats choose;
the revealed cards are placed, and the lowest card's seat may have to choose a row first; turn after turn until the
hands are empty; deal after deal until the match is over.
"""

from typing import ClassVar, Final

import msgspec

from faceup.core.check import check_move
from faceup.core.errors import Malformed, NotYours
from faceup.core.generator import Generator
from faceup.core.notation import write
from faceup.core.values import CHANCE, DONE, FORFEIT, Action, Bounds, Event, Move, Outcome, Seat, Step, places
from faceup.games.nimmt import notation, words
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import Card, Row, total
from faceup.games.nimmt.events import DealOver, Dealt, Opened, Out, Revealed, SetAside, Won
from faceup.games.nimmt.parameters import MOST_SEATS, Parameters
from faceup.games.nimmt.placing import Table
from faceup.games.nimmt.position import check_different, unseen_by
from faceup.games.nimmt.state import Deal, State, Turn, View

_EVERYONE: Final = tuple(tuple(range(seats)) for seats in range(MOST_SEATS + 1))


class Rules(Parameters, frozen=True, kw_only=True):
    """6 nimmt! under these parameters, as `faceup.core.Rules` asks."""

    game: ClassVar[str] = "nimmt"

    @property
    def bounds(self) -> Bounds:
        """Utilities from -1 (every head that a seat could have) to 0; each turn is one decision, or two with a row."""
        decisions = self.most_deals * self.hand * 2 + (self.seats if self.forfeits else 0)
        return Bounds(utility=(-1.0, 0.0), actions=TAKE + self.rows, decisions=decisions, outcomes=self.cards)

    def start(self) -> State:
        """Before the first deal."""
        nobody = ((),) * self.seats
        return State(hands=nobody, rows=(), taken=nobody, heads=(0,) * self.seats)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """All seats with cards, in one set; or the one that must take a row; or chance; or nobody."""
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
        """The seats that are still in, where `out` lists those that are not, as states and views have them."""
        gone = {seat for group in out for seat in group}
        return tuple(seat for seat in range(self.seats) if seat not in gone)

    def is_last_deal(self, view: View) -> bool:
        """Whether the match ends with the deal that this view is of, whatever happens in it.

        So it does when no more are to be played, or a seat has reached the target already.

        >>> rules = Rules(deals=0, target=66)
        >>> dealt = rules.apply(rules.start(), Deal(tuple(range(1, rules.dealt + 1)))).state
        >>> ahead = msgspec.structs.replace(dealt, heads=(70, 8, 0, 31))
        >>> rules.is_last_deal(rules.view(dealt, 0)), rules.is_last_deal(rules.view(ahead, 0))
        (False, True)
        """
        return self._over((*view.earlier, view.heads), view.heads)

    def _over(self, earlier: tuple[tuple[int, ...], ...], heads: tuple[int, ...] | list[int]) -> bool:
        """Whether no further deal follows the finished ones."""
        if self.deals and len(earlier) >= self.deals:
            return True
        return bool(self.target) and max(heads) >= self.target

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """The cards of the seat's hand, or the rows if it has to take one."""
        if state.waiting:
            return tuple(range(TAKE, TAKE + self.rows)) if state.waiting[0][1] == seat else ()
        if state.out and seat not in self.to_act(state):
            return ()
        return tuple([card - 1 for card in state.hands[seat]])

    def chance(self, state: State, so_far: list[int] | tuple[int, ...]) -> int:
        """A partial Fisher-Yates shuffle of the cards in order: choice i picks one of the cards i.. to stand at i."""
        del state
        done = len(so_far)
        return self.cards - done if done < self.seats * self.hand + self.rows else DONE

    def outcome(self, state: State, choices: list[int] | tuple[int, ...]) -> Deal:
        """The deal that the choices make.

        Raises:
            Malformed: too few or too many choices, or one off its range.
        """
        del state
        size = self.dealt
        if len(choices) != size:
            raise Malformed(f"a deal is made of {size} choices, not {len(choices)}", what=choices, where="choices")
        deck = list(range(1, self.cards + 1))
        for index, choice in enumerate(choices):
            if not 0 <= choice < self.cards - index:
                raise Malformed(
                    f"choice {index} is one of {self.cards - index}, not {choice}", what=choice, where="choices"
                )
            other = index + choice
            deck[index], deck[other] = deck[other], deck[index]
        return Deal(tuple(deck[:size]))

    def choices(self, state: State, outcome: Deal) -> tuple[int, ...]:
        """The choices that make this deal."""
        self._check_deal(state, outcome)
        deck = list(range(1, self.cards + 1))
        found = []
        for index, card in enumerate(outcome.cards):
            other = deck.index(card, index)
            found.append(other - index)
            deck[index], deck[other] = deck[other], deck[index]
        return tuple(found)

    def apply(self, state: State, move: Move | Outcome) -> Step[State]:
        """Deal, play the chosen cards, or take a row.

        Raises:
            NotYours: the move is not by exactly the seats to act.
            NotLegal: a card that is not held, or not a row.
            Malformed: a deal that is not so many different cards.
        """
        if isinstance(move, Outcome):
            return self._deal(state, move)
        if state.waiting:
            return self._take(state, move)
        return self._play(state, move)

    def _check_deal(self, state: State, deal: Outcome) -> None:
        if self.to_act(state) != (CHANCE,):
            raise NotYours("no deal is due", seats=(CHANCE,), to_act=self.to_act(state), position=write(self, state))
        cards = deal.cards if isinstance(deal, Deal) else ()
        if len(cards) != self.dealt:
            raise Malformed(f"a deal is {self.dealt} cards, not {len(cards)}", what=deal, where="deal")
        if len(set(cards)) != len(cards) or min(cards) < 1 or max(cards) > self.cards:
            check_different(cards, self.cards)

    def _deal(self, state: State, outcome: Outcome) -> Step[State]:
        self._check_deal(state, outcome)
        assert isinstance(outcome, Deal)  # noqa: S101 -- checked above, for the type checker
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
                check_move(
                    self, state, move
                )  # raises, unless it is a forfeit that these rules know, or another integer
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
        table = Table(state.rows, self.capacity, state.taken, state.heads, events)
        return self._place(state, table, cards, hands=tuple(hands), out=out, log=(*state.log, turn))

    def _take(self, state: State, move: Move) -> Step[State]:
        (card, seat), *cards = state.waiting
        if len(move) != 1 or move.get(seat).__class__ is not int or not TAKE <= move[seat] < TAKE + self.rows:
            check_move(self, state, move)  # raises, unless it is a forfeit that these rules know, or another integer
        events: list[Event] = []
        table = Table(state.rows, self.capacity, state.taken, state.heads, events)
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
        table: Table,
        cards: list[tuple[Card, Seat]],
        *,
        hands: tuple[Row, ...],
        out: tuple[tuple[Seat, ...], ...],
        log: tuple[Turn, ...],
    ) -> Step[State]:
        """Place what is revealed as far as it goes; close the deal and the match where they end."""
        events, aside, earlier = table.events, state.aside, state.earlier
        seats = self.seats_in(out) if out else _EVERYONE[self.seats]
        waiting: tuple[tuple[Card, Seat], ...] = ()
        if len(seats) < 2:
            # The match ends as it stands: what is revealed stays off the rows.
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
        ranks = self._ranks(heads, out)
        return Won(tuple(seat for seat, rank in enumerate(ranks) if rank == 1))

    def view(self, state: State, seat: Seat | None) -> View:
        """What the seat, or a spectator, may know. The hand of a seat that is out stays unseen, by itself as well."""
        hands, out = state.hands, state.out
        legal: tuple[Action, ...] = ()
        hand: Row = ()
        if seat is not None:
            legal = self.legal(state, seat)
            if not out or not any(seat in group for group in out):
                hand = hands[seat]
        return View(
            seat, self.to_act(state), legal, hand, tuple(map(len, hands)), state.rows, state.taken, state.heads,
            state.waiting, out, state.aside, state.earlier, state.opening, state.log,
        )  # fmt: skip

    def guess(self, view: View, rng: Generator) -> State:
        """A state that the view allows: the other hands drawn from the cards that this seat has not seen."""
        unseen = unseen_by(self, view)
        hands = []
        for seat, size in enumerate(view.sizes):
            if seat == view.seat and len(view.hand) == size:
                hands.append(view.hand)
                continue
            drawn = [unseen.pop(rng.below(len(unseen))) for _ in range(size)]
            hands.append(tuple(sorted(drawn)))
        return State(
            hands=tuple(hands),
            rows=view.rows,
            taken=view.taken,
            heads=view.heads,
            waiting=view.waiting,
            out=view.out,
            aside=view.aside,
            earlier=view.earlier,
            opening=view.opening,
            log=view.log,
        )

    def scores(self, state: State) -> tuple[int, ...]:
        """The heads per seat, of all deals so far."""
        return state.heads

    def ranks(self, state: State) -> tuple[int, ...]:
        """Fewest heads first; seats that are out rank last whatever their heads, the earlier below the later."""
        return self._ranks(state.heads, state.out)

    def _ranks(self, heads: tuple[int, ...] | list[int], out: tuple[tuple[Seat, ...], ...]) -> tuple[int, ...]:
        keys = [(0, count) for count in heads]
        for order, group in enumerate(out):
            for seat in group:
                keys[seat] = (len(out) - order, 0)
        return places(keys)

    def utilities(self, state: State) -> tuple[float, ...]:
        """Minus the heads, over the most possible."""
        return tuple(-count / self.most_heads for count in state.heads)

    def position(self, state: State) -> State:
        """Without what no longer matters: the log, the cards taken and set aside, the heads of each earlier deal."""
        nothing = ((),) * self.seats
        return msgspec.structs.replace(
            state, taken=nothing, aside=(), opening=(), log=(), earlier=((),) * len(state.earlier)
        )

    def describe(self, what: Action | Deal) -> str:
        """An action or a deal in words: "play 57", "take row 2", "deal 12 4 ..."."""
        return words.describe(self, what)

    def parse(self, text: str) -> Action | Deal:
        """The inverse of `describe`. Raises `Malformed`."""
        return words.parse(self, text)

    def to_text(self, what: State | View) -> str:
        """A state or a view in one line. The fields are explained in `faceup.games.nimmt.notation`."""
        return notation.to_text(what)

    def from_text(self, text: str) -> State | View:
        """The inverse of `to_text`. Raises `Malformed`."""
        return notation.from_text(self, text)
