"""Step-by-step batch engine of 6 nimmt!: many matches in parallel, with actions chosen by the caller."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.values import FORFEIT
from faceup.games.batch_base import BatchEngine, check_engine_rules
from faceup.games.lanes import ArrayPiece, StepResult, check_array, locate_error
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import step_kernels
from faceup.games.nimmt.batch.layout import ANYONE, ASIDE, ROW, TAKEN, WAITING, internal, observations
from faceup.games.nimmt.cards import MOST_CARDS, Row
from faceup.games.nimmt.observation import CHANCE_DUE, CHOOSE, OVER, TAKE_ROW
from faceup.games.nimmt.parameters import check_supported
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal, State
from faceup.games.nimmt.validation import check_distinct, check_position

_STEP: Final = (
    "phase", "held", "hands", "cards", "rows", "lengths", "sizes", "plays", "revealed", "gone", "acts",
    "heads", "finished",
)  # fmt: skip
_DEAL: Final = (
    "phase", "numbers", "fresh", "held", "hands", "cards", "rows", "lengths", "sizes", "plays", "revealed", "gone",
    "acts",
)  # fmt: skip
_RESTART: Final = ("phase", "ended", "final", "heads", "gone", "finished")


class NimmtEngine(BatchEngine[Rules, State]):
    """A batch of matches of 6 nimmt!."""

    RULES = Rules

    def __init__(self, rules: Rules, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False) -> None:
        check_engine_rules(rules, Rules)
        check_supported(rules, "batch")
        super().__init__(rules, lanes, seed, first=first, auto_reset=auto_reset)
        self._arrays["held"][:, TAKE : TAKE + rules.rows] = ANYONE

    @classmethod
    def pieces(cls, rules: Rules) -> tuple[Sequence[ArrayPiece], Sequence[ArrayPiece]]:
        """List the arrays that `observe` returns, and the other arrays."""
        return observations(rules), internal(rules)

    def _of(self, names: tuple[str, ...]) -> list[npt.NDArray[Any]]:
        return [self._arrays[name] for name in names]

    def deal(self, cards: npt.NDArray[np.uint8] | None = None) -> None:
        """Deal in every lane that waits for a deal.

        Args:
            cards: uint8 [B, seats * hand + rows]: the cards of each lane's deal in the order of `Deal.cards`; ignored
                in lanes that do not wait for a deal. If None, the deals are drawn from the seed.

        Raises:
            Malformed: there are neither cards nor a seed, the array has the wrong shape or type, or a deal has a card
                that is out of range or occurs twice; the message names the lane of a wrong deal.
        """
        arrays = self._arrays
        if cards is None:
            self._require_seed("cards")
            step_kernels.shuffle_lanes(
                self._seed, self._first, self.rules.cards, arrays["phase"], arrays["numbers"], arrays["dealt"]
            )
        else:
            check_array("cards", cards, arrays["dealt"].shape, (np.uint8,))
            due = np.flatnonzero(arrays["phase"] == CHANCE_DUE)
            self._check_deals(cards, due)
            arrays["dealt"][due] = cards[due]
        step_kernels.open_deals(arrays["dealt"], self.rules.hand, *self._of(_DEAL))

    def _check_deals(self, cards: npt.NDArray[np.uint8], due: npt.NDArray[np.intp]) -> None:
        sorted_cards = np.sort(cards[due], axis=1)
        wrong = (sorted_cards[:, 1:] == sorted_cards[:, :-1]).any(axis=1)
        wrong |= (sorted_cards[:, 0] < 1) | (sorted_cards[:, -1] > self.rules.cards)
        if wrong.any():
            lane = int(due[np.flatnonzero(wrong)[0]])
            try:
                check_distinct(cards[lane].tolist(), self.rules.cards)
            except Malformed as error:
                raise locate_error(lane, error) from None

    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int16]) -> StepResult:
        """Play one action for each seat to act; then deal where a deal is due, if the engine has a seed.

        Args:
            actions: int16 or int32 [B, seats]; -1 for a seat that is not to act, and for a forfeit where the rules
                allow forfeits.

        Raises:
            Malformed: the array has the wrong shape or type.
            WrongSeatError: there is an action for a seat that is not to act; the message names the lane.
            IllegalActionError: an action is illegal; the message names the lane, the seat and the legal actions.

        If an error is raised, no lane has changed.
        """
        arrays, rules = self._arrays, self.rules
        check_array("actions", actions, arrays["acts"].shape, (np.int16, np.int32))
        actions = actions.astype(np.int32, copy=False)
        lane = step_kernels.first_wrong(actions, rules.forfeits, arrays["phase"], arrays["acts"], arrays["held"])
        if lane >= 0:
            acts = arrays["acts"][lane]
            chosen = enumerate(actions[lane].tolist())
            raise self._action_error(lane, {seat: action for seat, action in chosen if acts[seat] or action != FORFEIT})
        before = self._over()
        step_kernels.step_lanes(actions, rules.deals, rules.target, *self._of(_STEP))
        if self.auto_reset:
            step_kernels.restart(self._over(), *self._of(_RESTART))
        else:
            arrays["ended"][:] = self._over() & ~before
            arrays["final"][:] = arrays["heads"]
        if self.seed is None:
            arrays["fresh"][:] = False
        else:
            self.deal()
        return self._result()

    def _start(self) -> None:
        if self.seed is not None:
            self.deal()

    def _over(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._arrays["phase"] == OVER
        return over

    def _restart(self, lanes: npt.NDArray[np.bool_]) -> None:
        step_kernels.restart(lanes, *self._of(_RESTART))
        self.deal()

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return whether each action is legal for each seat: bool [B, seats, 104 + rows].

        A seat that is not to act has no legal actions.
        """
        arrays = self._arrays
        step_kernels.fill_mask(arrays["phase"], arrays["acts"], arrays["held"], arrays["mask"])
        return self._shown["mask"]

    def scores(self) -> npt.NDArray[np.int32]:
        """Return each seat's heads in all deals so far: int32 [B, seats]."""
        return self._shown["heads"]

    def outcomes(self, lane: int) -> tuple[Deal, ...]:
        """Return the deal that the last call of `step`, `deal` or a reset made in this lane, or an empty tuple."""
        if not self._arrays["fresh"][self._checked(lane)]:
            return ()
        return (Deal(tuple(self._arrays["dealt"][lane].tolist())),)

    def to_state(self, lane: int) -> State:
        """Return the lane as a state of the scalar rules.

        The lane has no history, so the log, the opening cards and the heads of each earlier deal are empty, and the
        cards taken are in ascending order.
        """
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

    def _put(self, lane: int, state: State) -> None:
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
