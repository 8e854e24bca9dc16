"""High Card, a fourth game from another package: one module and an entry point, without changes in faceup.

Each seat is dealt a hand. Every turn chance turns up a prize, all seats play a card in secret, and the highest card
takes the prize. It is there to use every member of the protocol, and so that laws can be broken on purpose.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar, TypeAlias

import msgspec

from faceup.core import (
    CHANCE,
    DONE,
    FORFEIT,
    Action,
    AnyRules,
    Bounds,
    Event,
    Game,
    Generator,
    Malformed,
    Move,
    Outcome,
    Seat,
    State,
    Step,
    Variant,
    View,
    WrongSeatError,
    check_move,
    check_seat,
    places,
    write,
)

IN = -1
Cards: TypeAlias = tuple[int, ...]


class Deal(Outcome, frozen=True):
    """The hands, in the order in which the cards were drawn."""

    hands: tuple[Cards, ...]


class Prize(Outcome, frozen=True):
    """What the turn is worth."""

    worth: int


class Turn(msgspec.Struct, frozen=True):
    """A finished turn; card 0 is a seat that played none."""

    prize: int
    cards: Cards


class Table(State, frozen=True, tag="state"):
    """`hands` is empty before the deal, `prize` is 0 before it is turned up, `out` is the turn a seat forfeited in."""

    hands: tuple[Cards, ...]
    prize: int
    turn: int
    points: tuple[int, ...]
    out: tuple[int, ...]
    log: tuple[Turn, ...] = ()


class Seen(View, frozen=True, tag="view"):
    """All but the others' hands."""

    dealt: bool
    hand: Cards
    prize: int
    turn: int
    points: tuple[int, ...]
    out: tuple[int, ...]
    log: tuple[Turn, ...]


class Dealt(Event, frozen=True, tag="dealt"):
    seat: Seat
    cards: Cards

    @property
    def audience(self) -> tuple[Seat, ...]:
        return (self.seat,)

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is dealt {_spaced(self.cards)}."


class TurnedUp(Event, frozen=True, tag="turned_up"):
    prize: int

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- a prize concerns no seat
        return f"The prize is {self.prize}."


class Played(Event, frozen=True, tag="played"):
    """Card 0 is a forfeit."""

    seat: Seat
    card: int

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} plays {self.card}." if self.card else f"{names[self.seat]} is out."


class Won(Event, frozen=True, tag="won"):
    seat: Seat
    prize: int

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes the prize of {self.prize}."


class HighCard(msgspec.Struct, frozen=True):
    """The rules: `cards` in the deck, `hand` cards a seat, prizes of 1 to `prize`; action n plays card n + 1."""

    variant: str = "open"
    seats: int = 2
    cards: int = 9
    hand: int = 2
    prize: int = 2
    forfeits: bool = False
    game: ClassVar[str] = "highcard"

    def __post_init__(self) -> None:
        if not (self.hand >= 1 and self.seats * self.hand <= self.cards and self.prize >= 1):
            raise Malformed(f"{self.cards} cards do not give {self.seats} seats hands of {self.hand}", where="options")

    @property
    def bounds(self) -> Bounds:
        return Bounds(utility=(0.0, 1.0), actions=self.cards, decisions=self.hand, outcomes=max(self.cards, self.prize))

    def start(self) -> Table:
        return Table(hands=(), prize=0, turn=0, points=(0,) * self.seats, out=(IN,) * self.seats)

    def to_act(self, state: Table) -> tuple[Seat, ...]:
        playing = tuple(seat for seat in range(self.seats) if state.out[seat] == IN)
        if len(playing) < 2 or state.turn == self.hand:
            return ()
        return playing if state.prize else (CHANCE,)

    def legal(self, state: Table, seat: Seat) -> tuple[Action, ...]:
        acts = seat != CHANCE and seat in self.to_act(state)
        return tuple(card - 1 for card in state.hands[seat]) if acts else ()

    def chance(self, state: Table, so_far: Sequence[int]) -> int:
        if state.hands:
            return DONE if so_far else self.prize
        return DONE if len(so_far) == self.seats * self.hand else self.cards - len(so_far)

    def outcome(self, state: Table, choices: Sequence[int]) -> Deal | Prize:
        for place, choice in enumerate(choices):
            if not 0 <= choice < self.chance(state, choices[:place]):
                raise Malformed(f"choice {place} is off: {choice}", what=choices, position=write(self, state))
        if self.to_act(state) != (CHANCE,) or self.chance(state, choices) != DONE:
            raise Malformed("these choices make no outcome", what=choices, position=write(self, state))
        if state.hands:
            return Prize(choices[0] + 1)
        deck = list(range(1, self.cards + 1))
        drawn = [deck.pop(choice) for choice in choices]
        return Deal(tuple(tuple(drawn[at : at + self.hand]) for at in range(0, len(drawn), self.hand)))

    def choices(self, state: Table, outcome: Deal | Prize) -> tuple[int, ...]:
        fits = isinstance(outcome, Prize) == bool(state.hands)
        if self.to_act(state) != (CHANCE,) or not fits:
            raise WrongSeatError("this is not the outcome that is due", to_act=(CHANCE,), position=write(self, state))
        if isinstance(outcome, Prize):
            cards = [outcome.worth - 1]
        else:
            deck, cards = list(range(1, self.cards + 1)), []
            for card in chain(*outcome.hands):
                if card not in deck:
                    raise Malformed(f"{card} is not in the deck", what=outcome, position=write(self, state))
                cards.append(deck.index(card))
                deck.remove(card)
        if self.outcome(state, cards) != outcome:
            raise Malformed("the hands are not of the right size", what=outcome, position=write(self, state))
        return tuple(cards)

    def apply(self, state: Table, move: Move | Deal | Prize) -> Step[Table]:
        if isinstance(move, Outcome):
            self.choices(state, move)
        if isinstance(move, Deal):
            hands = tuple(tuple(sorted(hand)) for hand in move.hands)
            dealt = tuple(Dealt(seat, hand) for seat, hand in enumerate(hands))
            return Step(msgspec.structs.replace(state, hands=hands), dealt)
        if isinstance(move, Prize):
            return Step(msgspec.structs.replace(state, prize=move.worth), (TurnedUp(move.worth),))
        check_move(self, state, move)
        cards = tuple(move.get(seat, FORFEIT) + 1 for seat in range(self.seats))
        events: list[Event] = [Played(seat, cards[seat]) for seat in sorted(move)]
        points = list(state.points)
        if any(cards):
            winner = cards.index(max(cards))
            points[winner] += state.prize
            events.append(Won(winner, state.prize))
        return Step(
            Table(
                hands=tuple(
                    tuple(card for card in hand if card != played)
                    for hand, played in zip(state.hands, cards, strict=True)
                ),
                prize=0,
                turn=state.turn + 1,
                points=tuple(points),
                out=tuple(state.turn if move.get(seat) == FORFEIT else was for seat, was in enumerate(state.out)),
                log=(*state.log, Turn(state.prize, cards)),
            ),
            tuple(events),
        )

    def view(self, state: Table, seat: Seat | None) -> Seen:
        if seat is not None:
            check_seat(self, seat)
        return Seen(
            seat=seat,
            to_act=self.to_act(state),
            legal=() if seat is None else self.legal(state, seat),
            dealt=bool(state.hands),
            hand=state.hands[seat] if state.hands and seat is not None else (),
            prize=state.prize,
            turn=state.turn,
            points=state.points,
            out=state.out,
            log=state.log,
        )

    def guess(self, view: Seen, rng: Generator) -> Table:
        played = set(chain(*(turn.cards for turn in view.log)))
        unseen = [card for card in range(1, self.cards + 1) if card not in played and card not in view.hand]
        hands = []
        for seat in range(self.seats) if view.dealt else ():
            left = self.hand - (view.turn if view.out[seat] == IN else view.out[seat])
            drawn = view.hand if seat == view.seat else [unseen.pop(rng.below(len(unseen))) for _ in range(left)]
            hands.append(tuple(sorted(drawn)))
        return Table(tuple(hands), view.prize, view.turn, view.points, view.out, view.log)

    def scores(self, state: Table) -> tuple[int, ...]:
        return state.points

    def ranks(self, state: Table) -> tuple[int, ...]:
        return places(
            [(0, -points) if out == IN else (1, -out) for points, out in zip(state.points, state.out, strict=True)]
        )

    def utilities(self, state: Table) -> tuple[float, ...]:
        return tuple(points / (self.prize * self.hand) for points in state.points)

    def position(self, state: Table) -> Table:
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | Outcome) -> str:
        if isinstance(what, Deal):
            return "deal " + " / ".join(_spaced(hand) for hand in what.hands)
        if isinstance(what, Prize):
            return f"prize {what.worth}"
        if not isinstance(what, int) or not FORFEIT <= what < self.cards:
            raise Malformed(f"{what!r} is no action", what=what)
        return "forfeit" if what == FORFEIT else f"play {what + 1}"

    def parse(self, text: str) -> Action | Deal | Prize:
        verb, *words = text.lower().split() or [""]
        try:
            if verb == "deal":
                hands = " ".join(words).split("/")
                return Deal(tuple(tuple(map(int, hand.split())) for hand in hands))
            if verb == "prize":
                (worth,) = words
                return Prize(int(worth))
            if verb == "forfeit" and self.forfeits and not words:
                return FORFEIT
            (card,) = words
            if verb == "play" and 1 <= int(card) <= self.cards:
                return int(card) - 1
        except ValueError:
            pass
        raise Malformed(f"{text!r} is neither a decision nor an outcome of High Card", what=text)

    def to_text(self, what: Table | Seen) -> str:
        return msgspec.json.encode(what).decode()

    def from_text(self, text: str) -> Table | Seen:
        try:
            return msgspec.json.decode(text, type=Table | Seen)
        except msgspec.DecodeError as error:
            raise Malformed(f"not a position of High Card: {error}", what=text) from None


def _spaced(cards: Cards) -> str:
    return " ".join(map(str, cards))


def highest(rules: AnyRules, view: Any, rng: Generator) -> Action:  # noqa: ARG001 -- a policy takes all three
    """Always the highest card."""
    return int(view.legal[-1])


def draw_text(view: Seen, names: Sequence[str] = (), rules: HighCard | None = None) -> str:  # noqa: ARG001 -- as called
    """The table in words."""
    who = [names[seat] if seat < len(names) else f"Seat {seat}" for seat in range(len(view.points))]
    lines = [f"Turn {view.turn + 1}. " + (f"The prize is {view.prize}." if view.prize else "No prize is up.")]
    lines += [
        f"{name}: {points} points{'' if out == IN else ', out'}"
        for name, points, out in zip(who, view.points, view.out, strict=True)
    ]
    return "\n".join([*lines, f"Hand: {_spaced(view.hand)}"] if view.hand else lines)


def draw_svg(view: Seen, names: Sequence[str] = (), rules: HighCard | None = None) -> str:
    """The same words as a picture."""
    lines = draw_text(view, names, rules).splitlines()
    rows = "".join(f'<text x="8" y="{24 * at + 24}">{line}</text>' for at, line in enumerate(lines))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 {24 * len(lines) + 16}">{rows}</svg>'


GAME = Game(
    name="highcard",
    title="High Card",
    summary="The highest card takes the prize.",
    rules=HighCard,
    variants=(
        Variant("open", "High Card", "Two to four seats.", {"seats": 2}, (2, 4)),
        Variant(
            "strict",
            "Strict High Card",
            "For programs: who breaks the terms is out.",
            {"seats": 3, "forfeits": True},
            (2, 4),
        ),
    ),
    options={"cards": "Cards in the deck.", "hand": "Cards dealt to each seat.", "prize": "The greatest prize."},
    guide="# High Card\n\nEach turn a prize is turned up, everyone plays a card in secret, the highest takes it.\n",
    policies={"highest": highest},
    autoplay="highest",
    drawings={"text": draw_text, "svg": draw_svg},
)
