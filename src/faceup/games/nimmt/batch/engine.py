"""Many games of 6 nimmt! step by step, with the caller's actions: the second way into the batch engine."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from faceup.core.check import check_move
from faceup.core.errors import Malformed, NotYours, RulesError
from faceup.core.values import FORFEIT
from faceup.games.lane_arrays import Stepped, allocate, check_array, in_lane, read_only
from faceup.games.lanes import check_batch
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import steps
from faceup.games.nimmt.batch.layout import (
    ANYONE,
    ASIDE,
    CHANCE_DUE,
    CHOOSE,
    OVER,
    ROW,
    TAKE_ROW,
    TAKEN,
    WAITING,
    inner,
    observations,
)  # fmt: skip
from faceup.games.nimmt.cards import MOST_CARDS, Row
from faceup.games.nimmt.position import check_different, check_position
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal, State

_STEP: Final = (
    "phase", "held", "hands", "cards", "rows", "lengths", "sizes", "plays", "revealed", "gone", "acts",
    "heads", "finished",
)  # fmt: skip
_DEAL: Final = (
    "phase", "numbers", "fresh", "held", "hands", "cards", "rows", "lengths", "sizes", "plays", "revealed", "gone",
    "acts",
)  # fmt: skip
_RESTART: Final = ("phase", "ended", "final", "heads", "gone", "finished")


class Engine:
    """A batch of matches. Make one with `reset` or `from_states`.

    All arrays that it gives are its own: they may be read, not written, and change with the next step. Copy what is to
    stay.

    Attributes:
        rules: of all lanes.
        lanes: the number of matches, B.
        seed: of the deals; None if the caller deals.
        auto_reset: whether a lane whose match ends begins another in the same step; else it stays as it ended.
    """

    def __init__(self, rules: Rules, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False) -> None:
        check_batch(seed or 0, lanes, first)
        self.rules = rules
        self.lanes = lanes
        self.seed = seed
        self.auto_reset = auto_reset
        self._first = np.uint64(first)
        self._arrays = allocate((*observations(rules), *inner(rules)), lanes)
        self._arrays["held"][:, TAKE : TAKE + rules.rows] = ANYONE
        self._shown = read_only(self._arrays)

    def _of(self, names: tuple[str, ...]) -> list[npt.NDArray[Any]]:
        return [self._arrays[name] for name in names]

    def deal(self, cards: npt.NDArray[np.uint8] | None = None) -> None:
        """Deal in every lane that waits for it.

        Args:
            cards: uint8 [B, seats * hand + rows]: each lane's deal in the order of `Deal.cards`; lanes that wait for
                none may hold anything. None deals from the seed.

        Raises:
            Malformed: no cards and no seed; the wrong shape or type; or, naming the lane, a deal that is not so many
                different cards.
        """
        arrays = self._arrays
        if cards is None:
            if self.seed is None:
                raise Malformed("an engine without a seed is to be given the cards", what=cards, where="cards")
            steps.shuffle_lanes(
                np.uint64(self.seed), self._first, self.rules.cards, arrays["phase"], arrays["numbers"], arrays["dealt"]
            )
        else:
            check_array("cards", cards, arrays["dealt"].shape, (np.uint8,))
            due = np.flatnonzero(arrays["phase"] == CHANCE_DUE)
            self._check_deals(cards, due)
            arrays["dealt"][due] = cards[due]
        steps.open_deals(arrays["dealt"], self.rules.hand, *self._of(_DEAL))

    def _check_deals(self, cards: npt.NDArray[np.uint8], due: npt.NDArray[np.intp]) -> None:
        sorted_cards = np.sort(cards[due], axis=1)
        wrong = (sorted_cards[:, 1:] == sorted_cards[:, :-1]).any(axis=1)
        wrong |= (sorted_cards[:, 0] < 1) | (sorted_cards[:, -1] > self.rules.cards)
        if wrong.any():
            lane = int(due[np.flatnonzero(wrong)[0]])
            try:
                check_different(cards[lane].tolist(), self.rules.cards)
            except Malformed as error:
                raise in_lane(lane, error) from None

    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int16]) -> Stepped:
        """Play one action for every seat that is to act; then, unless there is no seed, deal where that is due.

        Args:
            actions: int16 or int32 [B, seats]; -1 for a seat that is not to act (and, where the rules know forfeits,
                for one that forfeits).

        Raises:
            Malformed: the wrong shape or type.
            NotYours: an action for a seat that is not to act, with the lane.
            NotLegal: an action that is not legal now, with the lane, the seat, and what would be legal.

        In each case no lane has changed.
        """
        arrays, rules = self._arrays, self.rules
        check_array("actions", actions, arrays["acts"].shape, (np.int16, np.int32))
        actions = actions.astype(np.int32, copy=False)
        lane = steps.first_wrong(actions, rules.forfeits, arrays["phase"], arrays["acts"], arrays["held"])
        if lane >= 0:
            raise self._wrong(lane, actions[lane].tolist())
        before = arrays["phase"] == OVER
        steps.step_lanes(actions, rules.deals, rules.target, *self._of(_STEP))
        if self.auto_reset:
            steps.restart(*self._of(_RESTART))
        else:
            arrays["ended"][:] = (arrays["phase"] == OVER) & ~before
            arrays["final"][:] = arrays["heads"]
        if self.seed is None:
            arrays["fresh"][:] = False
        else:
            self.deal()
        return Stepped(self._shown["ended"], self._shown["final"])

    def restart(self) -> None:
        """Begin another match in every lane that is over, as `auto_reset` does, but when the caller has seen the end.

        Raises:
            Malformed: an engine without a seed.
        """
        if self.seed is None:
            raise Malformed("an engine without a seed does not begin games itself", what=self.seed, where="seed")
        steps.restart(*self._of(_RESTART))
        self.deal()

    def _wrong(self, lane: int, actions: list[int]) -> RulesError:
        """The scalar rules' own error for this lane's actions, with the lane's number."""
        state, acts = self.to_state(lane), self._arrays["acts"][lane]
        move = {seat: action for seat, action in enumerate(actions) if acts[seat] or action != FORFEIT}
        try:
            check_move(self.rules, state, move)
        except RulesError as error:
            return in_lane(lane, error)
        return NotYours(f"lane {lane}: nobody decides now")

    def to_act(self) -> npt.NDArray[np.bool_]:
        """Whose decisions are awaited: bool [B, seats]."""
        return self._shown["acts"]

    def mask(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every seat: bool [B, seats, 104 + rows]; none for a seat that is not to act."""
        arrays = self._arrays
        steps.fill_mask(arrays["phase"], arrays["acts"], arrays["held"], arrays["mask"])
        return self._shown["mask"]

    def observe(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """What there is to see, piece by piece, as `observations(rules)` lists it; of `hands`, row s is for seat s."""
        return {piece.name: self._shown[piece.name] for piece in observations(self.rules)}

    def scores(self) -> npt.NDArray[np.int32]:
        """Each seat's heads, of all deals so far: int32 [B, seats]."""
        return self._shown["heads"]

    def outcomes(self, lane: int) -> tuple[Deal, ...]:
        """The deal that the last step, `deal` or reset made in this lane, if it did."""
        if not self._arrays["fresh"][self._checked(lane)]:
            return ()
        return (Deal(tuple(self._arrays["dealt"][lane].tolist())),)

    def to_state(self, lane: int) -> State:
        """The lane as a state of the scalar rules; its log, and the order of what was taken, are not kept."""
        part = {name: array[self._checked(lane)].tolist() for name, array in self._arrays.items()}
        seats = range(self.rules.seats)

        def at(name: str, code: int) -> Row:
            return tuple(card + 1 for card in range(MOST_CARDS) if part[name][card] == code)

        return State(
            hands=tuple(at("held", seat + 1) for seat in seats),
            rows=tuple(
                tuple(row[:length]) for row, length in zip(part["rows"], part["lengths"], strict=True) if length
            ),
            taken=tuple(at("cards", TAKEN + seat) for seat in seats),
            heads=tuple(part["heads"]),
            waiting=tuple(sorted((card, seat) for seat, card in enumerate(part["plays"]) if card)),
            out=tuple(
                tuple(seat for seat in seats if part["gone"][seat] == group + 1) for group in range(max(part["gone"]))
            ),
            aside=at("cards", ASIDE),
            earlier=((),) * part["finished"],
        )

    def _checked(self, lane: int) -> int:
        if not 0 <= lane < self.lanes:
            raise Malformed(f"lanes are 0 to {self.lanes - 1}, not {lane}", what=lane, where="lane")
        return lane

    def _put(self, lane: int, state: State) -> None:
        """The inverse of `to_state`."""
        rules, part = self.rules, {name: array[lane : lane + 1] for name, array in self._arrays.items()}
        check_position(rules, state, state.hands, [len(hand) for hand in state.hands])
        for seat, hand in enumerate(state.hands):
            part["held"][0, [card - 1 for card in hand]] = seat + 1
            part["hands"][0, seat, [card - 1 for card in hand]] = not any(seat in group for group in state.out)
        place = part["cards"][0]
        for codes, groups in ((ROW, state.rows), (TAKEN, state.taken), (ASIDE, (state.aside,))):
            for index, cards in enumerate(groups):
                place[[card - 1 for card in cards]] = codes + index
        for row, cards in enumerate(state.rows):
            part["rows"][0, row, : len(cards)] = cards
            part["lengths"][0, row] = len(cards)
        for card, seat in state.waiting:
            place[card - 1] = WAITING + seat
            part["plays"][0, seat] = card
        if state.log:
            part["revealed"][0] = state.log[-1].plays
        for group, seats in enumerate(state.out):
            part["gone"][0, list(seats)] = group + 1
        part["sizes"][0] = [len(hand) for hand in state.hands]
        part["heads"][0] = state.heads
        part["finished"][0] = len(state.earlier)
        due = rules.to_act(state)
        part["acts"][0] = [seat in due for seat in range(rules.seats)]
        part["numbers"][0] = len(state.earlier) + any(map(len, state.hands))
        deciding = TAKE_ROW if state.waiting else CHOOSE
        part["phase"][0] = OVER if not due else CHANCE_DUE if due[0] < 0 else deciding


def reset(rules: Rules, *, lanes: int, seed: int | None, first: int = 0, auto_reset: bool = False) -> Engine:
    """New matches.

    Args:
        rules: any rules of 6 nimmt!.
        lanes: how many, 1 or more; `memory(rules, lanes)` says what they take.
        seed: 0 to 2**64 - 1: lane i gets the deals of lane `first + i` of the seed, the same as in `playouts`. None
            leaves it to the caller to `deal`, at first and whenever nobody is to act.
        first: the number of the first lane.
        auto_reset: whether a lane whose match ends begins another in the same step.

    Raises:
        Malformed: an argument out of range.
    """
    engine = Engine(rules, lanes, seed, first=first, auto_reset=auto_reset)
    if seed is not None:
        engine.deal()
    return engine


def from_states(
    rules: Rules, states: Sequence[State], *, seed: int | None, first: int = 0, auto_reset: bool = False
) -> Engine:
    """Matches that go on from these states, one a lane; where a deal is due, it is made, unless there is no seed.

    Raises:
        Malformed: no states, or one that no game under these rules could show, with its lane.
    """
    engine = Engine(rules, len(states), seed, first=first, auto_reset=auto_reset)
    for lane, state in enumerate(states):
        try:
            engine._put(lane, state)  # noqa: SLF001 -- of this module's own
        except Malformed as error:
            raise in_lane(lane, error) from None
    if seed is not None:
        engine.deal()
    return engine
