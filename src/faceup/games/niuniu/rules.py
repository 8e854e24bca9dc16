"""The rules of Niu Niu with five dice: everyone throws at once, and the best hand wins the throw."""

from typing import ClassVar

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
from faceup.games.niuniu.hand import DICE, check_dice, score
from faceup.games.niuniu.notation import describe_dice, parse_words, position_from_text, position_to_text
from faceup.games.niuniu.state import (
    DiceShow,
    MatchWon,
    NiuNiuState,
    NiuNiuView,
    Threw,
    Throw,
    ThrowDrawn,
    ThrowWon,
)


class NiuNiu(msgspec.Struct, frozen=True):
    """One setting of the game; implements `faceup.core.Rules`.

    Attributes:
        variant: "battle".
        seats: 1 to 10.
        throws: throws in a match, 1 to 1000.
        faces: the highest number on a die, 2 to 100.
        baozi: how many dice alike make a baozi, 3 to 5; only the statistics ask.

    >>> from faceup.core import Seeded, draw
    >>> rules = NiuNiu()
    >>> state = rules.apply(rules.start(), {0: 0, 1: 0}).state
    >>> rules.apply(state, draw(rules, state, Seeded(7))).events[-1].words(("Ann", "Bob"))
    'Bob wins the match with 1 throw.'
    """

    variant: str = "battle"
    seats: int = 2
    throws: int = 1
    faces: int = 6
    baozi: int = 3

    game: ClassVar[str] = "niuniu"
    forfeits: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        for name, low, high in (("seats", 1, 10), ("throws", 1, 1000), ("faces", 2, 100), ("baozi", 3, 5)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise Malformed(f"{name} is {low} to {high} in Niu Niu, not {value}", what=value, where=name)
        if self.variant != "battle":
            raise Malformed(f"Niu Niu has no variant {self.variant!r}; there is: battle", what=self.variant)

    @property
    def bounds(self) -> Bounds:
        """One action, one decision a throw; utility is the part in the win."""
        return Bounds(utility=(0.0, 1.0), actions=1, decisions=self.throws, outcomes=self.faces)

    def start(self) -> NiuNiuState:
        """No throw made."""
        return NiuNiuState(0, (0,) * self.seats, (0,) * self.seats)

    def to_act(self, state: NiuNiuState) -> tuple[Seat, ...]:
        """Everyone, then chance, until all throws are made."""
        if state.in_air:
            return (CHANCE,)
        return () if state.played == self.throws else tuple(range(self.seats))

    def legal(self, state: NiuNiuState, seat: Seat) -> tuple[Action, ...]:
        """To throw is all there is to do."""
        return (0,) if seat in self.to_act(state) and seat != CHANCE else ()

    def chance(self, state: NiuNiuState, so_far: list[int] | tuple[int, ...]) -> int:
        """Five choices among the faces for each seat, seat by seat; choice c is a die that shows c + 1."""
        del state  # every throw is alike
        return self.faces if len(so_far) < DICE * self.seats else DONE

    def outcome(self, state: NiuNiuState, choices: list[int] | tuple[int, ...]) -> DiceShow:
        """The throw that the choices make."""
        del state
        if len(choices) != DICE * self.seats:
            raise Malformed(f"a throw is {DICE * self.seats} choices, not {len(choices)}", what=choices)
        dice = tuple(choice + 1 for choice in choices)
        shown = DiceShow(tuple(dice[i : i + DICE] for i in range(0, len(dice), DICE)))
        self._check(shown)
        return shown

    def choices(self, state: NiuNiuState, outcome: DiceShow) -> tuple[int, ...]:
        """The choices that make this throw."""
        del state
        return tuple(die - 1 for dice in outcome.dice for die in dice)

    def apply(self, state: NiuNiuState, move: Move | Outcome) -> Step[NiuNiuState]:
        """Everyone throws; or, after that, the dice show what they show."""
        if not isinstance(move, Outcome):
            check_move(self, state, move)
            return Step(msgspec.structs.replace(state, in_air=True), ())
        if not state.in_air:
            raise NotYours("no dice are in the air", to_act=self.to_act(state), position=write(self, state))
        try:
            return self._landed(state, self._check(move))
        except Malformed as error:
            raise Malformed(error.message, what=error.what, where=error.where, position=write(self, state)) from None

    def _landed(self, state: NiuNiuState, throw: Throw) -> Step[NiuNiuState]:
        hands = [score(dice, self.faces, self.baozi) for dice in throw]
        most = max(hand.points for hand in hands)
        best = tuple(seat for seat, hand in enumerate(hands) if hand.points == most)
        won = tuple(count + (best == (seat,)) for seat, count in enumerate(state.won))
        after = NiuNiuState(
            played=state.played + 1,
            won=won,
            statistics=tuple(sum_ + hand.statistics for sum_, hand in zip(state.statistics, hands, strict=True)),
            log=(*state.log, throw),
        )
        name = hands[best[0]].name
        decided = ThrowWon(best[0], name) if len(best) == 1 else ThrowDrawn(best, name)
        threw = (Threw(seat, dice, hand) for seat, (dice, hand) in enumerate(zip(throw, hands, strict=True)))
        if after.played < self.throws:
            return Step(after, (*threw, decided))
        winners = tuple(seat for seat, count in enumerate(won) if count == max(won))
        return Step(after, (*threw, decided, MatchWon(winners, max(won))))

    def _check(self, shown: Outcome) -> Throw:
        """The dice of an outcome, once it is sure that they can be."""
        if not isinstance(shown, DiceShow):
            raise Malformed(f"{type(shown).__name__} is not a throw of dice", what=shown)
        if len(shown.dice) != self.seats:
            raise Malformed(f"a throw is {self.seats} hands, one a seat, not {len(shown.dice)}", what=shown.dice)
        for seat, dice in enumerate(shown.dice):
            try:
                check_dice(dice, self.faces)
            except Malformed as error:
                raise Malformed(f"seat {seat}: {error.message}", what=error.what, where=f"seat {seat}") from None
        return shown.dice

    def view(self, state: NiuNiuState, seat: Seat | None) -> NiuNiuView:
        """Everything: nothing is secret."""
        legal = () if seat is None else self.legal(state, seat)
        return NiuNiuView(seat, self.to_act(state), legal, *msgspec.structs.astuple(state))

    def guess(self, view: NiuNiuView, rng: Generator) -> NiuNiuState:
        """The state itself: there is nothing to guess."""
        del rng
        return NiuNiuState(view.played, view.won, view.statistics, view.in_air, view.log)

    def scores(self, state: NiuNiuState) -> tuple[int, ...]:
        """Throws won."""
        return state.won

    def ranks(self, state: NiuNiuState) -> tuple[int, ...]:
        """Most throws won is first."""
        return places([-won for won in state.won])

    def utilities(self, state: NiuNiuState) -> tuple[float, ...]:
        """Each seat's part in the win."""
        return win_shares(self.ranks(state))

    def position(self, state: NiuNiuState) -> NiuNiuState:
        """The state without the throws' log."""
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | DiceShow) -> str:
        """`throw`, or `dice 5 2 4 6 3 / 4 5 5 4 1`."""
        if isinstance(what, DiceShow):
            return describe_dice(what)
        if what == 0:
            return "throw"
        raise Malformed(f"{what} is not an action of Niu Niu: 0 is to throw", what=what)

    def parse(self, text: str) -> Action | DiceShow:
        """The inverse of `describe`; small and capital letters and spaces make no difference."""
        what = parse_words(text)
        if isinstance(what, DiceShow):
            self._check(what)
        return what

    def to_text(self, what: NiuNiuState | NiuNiuView) -> str:
        """`played=1 won=1,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1`; a view begins with whose it is."""
        return position_to_text(what)

    def from_text(self, text: str) -> NiuNiuState | NiuNiuView:
        """The inverse of `to_text`."""
        is_view, seat, rest = viewer(text, self.seats)
        state = position_from_text(rest, self.seats)
        self._check_state(state)
        return self.view(state, seat) if is_view else state

    def _check_state(self, state: NiuNiuState) -> None:
        if not 0 <= state.played <= self.throws or (state.in_air and state.played == self.throws):
            raise Malformed(f"{state.played} throws cannot have been made of {self.throws}", where="played")
        if not state.log:
            if sum(state.won) > state.played or max(state.statistics) > 5 * state.played:
                raise Malformed(f"{state.played} throws cannot have given these sums", where="won")
            return
        told = self.start()
        for throw in state.log:
            self._check(DiceShow(throw))
            told = self._landed(told, throw).state
        if told != msgspec.structs.replace(state, in_air=False):
            raise Malformed(
                f"the log leads to played={told.played} won={told.won} statistics={told.statistics}", where="log"
            )
