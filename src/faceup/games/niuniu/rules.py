"""The rules of Niu Niu with five dice: all seats throw at the same time, and the best hand wins the throw."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

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
from faceup.core.options import check_ranges
from faceup.core.whole_numbers import to_int
from faceup.games.niuniu.hand import DICE, check_dice, score
from faceup.games.niuniu.notation import describe_dice, parse_words, position_from_text, position_to_text
from faceup.games.niuniu.state import (
    DiceShow,
    DiceThrown,
    MatchWon,
    NiuNiuState,
    NiuNiuView,
    Throw,
    ThrowDrawn,
    ThrowWon,
)


class NiuNiu(msgspec.Struct, frozen=True):
    """Niu Niu with given settings; implements `faceup.core.Rules`.

    >>> from faceup.core import SeededGenerator, draw
    >>> rules = NiuNiu()
    >>> state = rules.apply(rules.start(), {0: 0, 1: 0}).state
    >>> rules.apply(state, draw(rules, state, SeededGenerator(7))).events[-1].words(("Ann", "Bob"))
    'Bob wins the match with 1 throw.'
    """

    variant: Annotated[str, Meta(description='"battle"')] = "battle"
    seats: Annotated[int, Meta(ge=1, le=10, description="seats")] = 2
    throws: Annotated[int, Meta(ge=1, le=1000, description="throws in a match")] = 1
    faces: Annotated[int, Meta(ge=2, le=100, description="the highest number on a die")] = 6
    baozi: Annotated[
        int,
        Meta(ge=3, le=5, description="number of equal dice that make a baozi, which counts 5 in the statistics"),
    ] = 3

    game: ClassVar[str] = "niuniu"
    forfeits: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check that the settings are in range."""
        check_ranges(self)
        if self.variant != "battle":
            raise Malformed(f"Niu Niu has no variant {self.variant!r}; its only variant is battle", what=self.variant)

    @property
    def bounds(self) -> Bounds:
        """Return the limits: one action, one decision in each throw, and a share of the win (0 to 1) as utility."""
        return Bounds(utility=(0.0, 1.0), actions=1, decisions=self.throws, outcomes=self.faces)

    def start(self) -> NiuNiuState:
        """Return the state before the first throw."""
        return NiuNiuState(0, *(((0,) * self.seats,) * 3))

    def to_act(self, state: NiuNiuState) -> tuple[Seat, ...]:
        """Return all seats before a throw, chance while the dice are in the air, and no one after the last throw."""
        if state.__class__ is not NiuNiuState:
            raise wrong_state(state, NiuNiuState)
        if state.in_air:
            return (CHANCE,)
        return () if state.played == self.throws else tuple(range(self.seats))

    def legal(self, state: NiuNiuState, seat: Seat) -> tuple[Action, ...]:
        """Return action 0, which throws the dice, if the seat is to act; otherwise no action."""
        return (0,) if seat in self.to_act(state) and seat != CHANCE else ()

    def chance(self, state: NiuNiuState, so_far: list[int] | tuple[int, ...]) -> int:
        """Return the number of faces of the next die, or `DONE` if each seat has five dice.

        Choice c means that the die shows c + 1. The first five choices are the dice of seat 0, the next five of seat 1.
        """
        del state  # all throws have the same choices
        return self.faces if len(so_far) < DICE * self.seats else DONE

    def outcome(self, state: NiuNiuState, choices: list[int] | tuple[int, ...]) -> DiceShow:
        """Build the throw that these choices produce."""
        del state
        if len(choices) != DICE * self.seats:
            raise Malformed(f"a throw must have {DICE * self.seats} choices; got {len(choices)}", what=choices)
        dice = tuple(choice + 1 for choice in choices)
        shown = DiceShow(tuple(dice[i : i + DICE] for i in range(0, len(dice), DICE)))
        self._check(shown)
        return shown

    def choices(self, state: NiuNiuState, outcome: DiceShow) -> tuple[int, ...]:
        """Return the choices that produce this throw."""
        del state
        return tuple(die - 1 for dice in outcome.dice for die in dice)

    def apply(self, state: NiuNiuState, move: Move | Outcome) -> Step[NiuNiuState]:
        """Put everyone's dice in the air, or apply the outcome of the throw."""
        if state.__class__ is not NiuNiuState:
            raise wrong_state(state, NiuNiuState)
        if not isinstance(move, Outcome):
            check_move(self, state, move)
            return Step(msgspec.structs.replace(state, in_air=True), ())
        if not state.in_air:
            raise WrongSeatError(
                "no dice are in the air to land", to_act=self.to_act(state), position=write(self, state)
            )
        try:
            return self._land(state, self._check(move))
        except Malformed as error:
            raise Malformed(error.message, what=error.what, where=error.where, position=write(self, state)) from None

    def _land(self, state: NiuNiuState, throw: Throw) -> Step[NiuNiuState]:
        hands = [score(dice, self.faces, self.baozi) for dice in throw]
        most = max(hand.points for hand in hands)
        best = tuple(seat for seat, hand in enumerate(hands) if hand.points == most)
        alone = len(best) == 1
        won = tuple(count + (alone and seat in best) for seat, count in enumerate(state.won))
        drawn = tuple(count + (not alone and seat in best) for seat, count in enumerate(state.drawn))
        after = NiuNiuState(
            played=state.played + 1,
            won=won,
            drawn=drawn,
            statistics=tuple(sum_ + hand.statistics for sum_, hand in zip(state.statistics, hands, strict=True)),
            log=(*state.log, throw),
        )
        name = hands[best[0]].name
        decided = ThrowWon(best[0], name) if alone else ThrowDrawn(best, name)
        threw = (DiceThrown(seat, dice, hand) for seat, (dice, hand) in enumerate(zip(throw, hands, strict=True)))
        if after.played < self.throws:
            return Step(after, (*threw, decided))
        winners = tuple(seat for seat, rank in enumerate(self.ranks(after)) if rank == 1)
        return Step(after, (*threw, decided, MatchWon(winners, won[winners[0]], drawn[winners[0]])))

    def _check(self, shown: Outcome) -> Throw:
        """Return the dice of an outcome after checking them."""
        if not isinstance(shown, DiceShow):
            raise Malformed(f"the outcome must be a throw of dice; got {type(shown).__name__}", what=shown)
        if len(shown.dice) != self.seats:
            raise Malformed(
                f"a throw must have {self.seats} hands, one for each seat; got {len(shown.dice)}", what=shown.dice
            )
        for seat, dice in enumerate(shown.dice):
            try:
                check_dice(dice, self.faces)
            except Malformed as error:
                raise Malformed(f"seat {seat}: {error.message}", what=error.what, where=f"seat {seat}") from None
        return shown.dice

    def view(self, state: NiuNiuState, seat: Seat | None) -> NiuNiuView:
        """Return the view, which shows the complete state, since nothing is secret."""
        if seat is not None:
            check_seat(self, seat)
        legal = () if seat is None else self.legal(state, seat)
        return NiuNiuView(seat, self.to_act(state), legal, *msgspec.structs.astuple(state))

    def guess(self, view: NiuNiuView, rng: Generator) -> NiuNiuState:
        """Return the state that the view shows, since nothing is hidden."""
        del rng
        return NiuNiuState(view.played, view.won, view.drawn, view.statistics, view.in_air, view.log)

    def scores(self, state: NiuNiuState) -> tuple[int, ...]:
        """Return the throws won by each seat."""
        return state.won

    def ranks(self, state: NiuNiuState) -> tuple[int, ...]:
        """Return the ranks by the number of throws won and, among equals, by the number of throws drawn."""
        return places([(-won, -drawn) for won, drawn in zip(state.won, state.drawn, strict=True)])

    def utilities(self, state: NiuNiuState) -> tuple[float, ...]:
        """Return each seat's share of the win."""
        return win_shares(self.ranks(state))

    def position(self, state: NiuNiuState) -> NiuNiuState:
        """Return the state without the log of throws."""
        return msgspec.structs.replace(state, log=())

    def describe(self, what: Action | DiceShow) -> str:
        """Return the text of an action or an outcome: `throw`, or for example `dice 5 2 4 6 3 / 4 5 5 4 1`."""
        if isinstance(what, DiceShow):
            return describe_dice(what)
        if to_int("an action", what) == 0:
            return "throw"
        raise Malformed(f"{what} is not an action of Niu Niu: the only action is 0, to throw", what=what)

    def parse(self, text: str) -> Action | DiceShow:
        """Parse an action or an outcome, ignoring case and extra spaces; the inverse of `describe`."""
        what = parse_words(text)
        if isinstance(what, DiceShow):
            self._check(what)
        return what

    def to_text(self, what: NiuNiuState | NiuNiuView) -> str:
        """Return a state or a view as one line; a view starts with `view`.

        For example: `played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1`.
        """
        return position_to_text(what)

    def from_text(self, text: str) -> NiuNiuState | NiuNiuView:
        """Parse a state or a view; the inverse of `to_text`."""
        check_text("a position", text, "played=0")
        is_view, seat, rest = viewer(text, self.seats)
        state = position_from_text(rest, self.seats)
        self._check_state(state)
        return self.view(state, seat) if is_view else state

    def _check_state(self, state: NiuNiuState) -> None:
        if not 0 <= state.played <= self.throws or (state.in_air and state.played == self.throws):
            air = " with dice in the air" if state.in_air else ""
            limit = plural(self.throws, "throw")
            raise Malformed(f"played={state.played}{air} exceeds a match of {limit}", where="played")
        if not state.log:
            if not self._is_possible(state):
                raise Malformed(
                    f"won, drawn or statistics are impossible after {plural(state.played, 'throw')}", where="won"
                )
            return
        replayed = self.start()
        for throw in state.log:
            self._check(DiceShow(throw))
            replayed = self._land(replayed, throw).state
        if replayed != msgspec.structs.replace(state, in_air=False):
            raise Malformed(
                f"the position must agree with its log, which leads to played={replayed.played} won={replayed.won} "
                f"drawn={replayed.drawn} statistics={replayed.statistics}",
                where="log",
            )

    def _is_possible(self, state: NiuNiuState) -> bool:
        """Return whether the sums are possible if one seat wins each throw, or two or more seats draw it."""
        ties = state.played - sum(state.won)
        return ties >= max(state.drawn) and sum(state.drawn) >= 2 * ties and max(state.statistics) <= 5 * state.played
