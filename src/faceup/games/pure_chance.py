"""What batch engines share of games in which nobody has a choice: each seat's one action, 0, lets the game go on."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from faceup.core.check import check_move
from faceup.core.errors import Malformed, NotYours, RulesError
from faceup.core.registry import nearest
from faceup.core.rules import AnyRules
from faceup.core.values import Outcome, State
from faceup.games.lane_arrays import AnyArray, Piece, Stepped, allocate, check_array, in_lane, read_only
from faceup.games.lanes import check_batch

POLICIES: Final = ("random",)
"""The policies that kernels play: with one legal action, all are alike."""

R = TypeVar("R", bound=AnyRules)
S = TypeVar("S", bound=State)


def check_policies(seats: int, policies: str | Sequence[str]) -> None:
    """Refuse policies that are not known, and other than one, or one for each seat. Raises `Malformed`."""
    names = [policies] if isinstance(policies, str) else list(policies)
    if len(names) not in {1, seats}:
        raise Malformed(f"there are {seats} seats, and {len(names)} policies", what=len(names), where="policies")
    for name in names:
        if name not in POLICIES:
            raise Malformed(f"no kernel plays policy {name!r}{nearest(name, [*POLICIES])}", what=name, where="policies")


class ChanceEngine(ABC, Generic[R, S]):
    """A batch of games that are played step by step.

    All arrays that it gives are its own: they may be read, not written, and change with the next step. Copy what is to
    stay.

    Attributes:
        rules: of all lanes.
        lanes: the number of games, B.
        seed: of what chance does; None if the caller says that.
        auto_reset: whether a lane whose game ends begins another in the same step; else it stays as it ended.
    """

    def __init__(
        self,
        rules: R,
        lanes: int,
        seed: int | None,
        *,
        first: int,
        auto_reset: bool,
        shown: Sequence[Piece],
        kept: Sequence[Piece],
    ) -> None:
        check_batch(seed or 0, lanes, first)
        self.rules = rules
        self.lanes = lanes
        self.seed = seed
        self.auto_reset = auto_reset
        self._first = np.uint64(first)
        self._seed = np.uint64(seed or 0)
        self._observed = [piece.name for piece in shown]
        self._arrays = allocate((*shown, *kept), lanes)
        self._shown = read_only(self._arrays)

    @abstractmethod
    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """What chance did in this lane in the last step, or call for outcomes, in order."""

    @abstractmethod
    def to_state(self, lane: int) -> S:
        """The lane as a state of the scalar rules, without its log."""

    @abstractmethod
    def _go_on(self) -> Stepped:
        """Play the step in every lane that is to act, and, with a seed, what is due from chance."""

    @abstractmethod
    def _put(self, lane: int, state: S) -> None:
        """The inverse of `to_state`, once it is sure that the state can be."""

    def put(self, states: Sequence[S]) -> None:
        """Set every lane to its state. Raises `Malformed`, naming the lane, at one that no such game could show."""
        for lane, state in enumerate(states):
            try:
                self._put(lane, state)
            except Malformed as error:
                raise in_lane(lane, error) from None

    @abstractmethod
    def restart(self) -> None:
        """Begin another game in every lane that is over. Raises `Malformed` if the engine has no seed."""

    def to_act(self) -> npt.NDArray[np.bool_]:
        """Whose decisions are awaited: bool [B, seats]."""
        return self._shown["acts"]

    def mask(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every seat: bool [B, seats, 1]; none for a seat that is not to act."""
        return self._shown["acts"][:, :, np.newaxis]

    def scores(self) -> npt.NDArray[np.int32]:
        """The game's own points: int32 [B, seats]."""
        return self._shown["scores"]

    def observe(self) -> dict[str, AnyArray]:
        """What there is to see, piece by piece, as the game's `observations(rules)` lists it."""
        return {name: self._shown[name] for name in self._observed}

    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int16]) -> Stepped:
        """Play action 0 for every seat that is to act; then, unless there is no seed, what chance does.

        Args:
            actions: int16 or int32 [B, seats]; -1 for a seat that is not to act.

        Raises:
            Malformed: the wrong shape or type.
            NotYours: an action for a seat that is not to act, or none for one that is, with the lane.
            NotLegal: another action than 0, with the lane, the seat, and what would be legal.

        In each case no lane has changed.
        """
        acts = self._arrays["acts"]
        check_array("actions", actions, acts.shape, (np.int16, np.int32))
        wrong = (actions != acts - np.int16(1)).any(axis=1)
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            raise self._wrong(lane, actions[lane].tolist())
        return self._go_on()

    def _wrong(self, lane: int, actions: list[int]) -> RulesError:
        """The scalar rules' own error for this lane's actions, with the lane's number."""
        move = {seat: action for seat, action in enumerate(actions) if action != -1}
        try:
            check_move(self.rules, self.to_state(lane), move)
        except RulesError as error:
            return in_lane(lane, error)
        return NotYours(f"lane {lane}: nobody decides now")

    def _checked(self, lane: int) -> int:
        if not 0 <= lane < self.lanes:
            raise Malformed(f"lanes are 0 to {self.lanes - 1}, not {lane}", what=lane, where="lane")
        return lane


E_co = TypeVar("E_co", bound=ChanceEngine[Any, Any], covariant=True)  # Any: the engine of any such game


class ChanceLearning(ABC, Generic[E_co]):
    """What a learner's environment asks of an engine beside it. With one action, there is nothing to choose or note.

    Args:
        engine: which starts its games itself, from a seed.
        policies: names of policies, one for each seat.

    Raises:
        Malformed: a policy that kernels do not know, or too few or many.
    """

    def __init__(self, engine: E_co, policies: Sequence[str]) -> None:
        check_policies(engine.rules.seats, policies)
        self.engine = engine

    def choices(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """What the policies do now, -1 where a seat is not to act: int32 [B, seats], which may be written to."""
        del words
        return self.engine.to_act().astype(np.int32) - 1

    def note_moves(self, actions: npt.NDArray[np.int32]) -> None:
        """Nothing is to be remembered of the actions."""

    def note_deals(self) -> None:
        """Nor of what chance did."""

    @abstractmethod
    def numbers(self) -> dict[str, AnyArray]:
        """The pieces that the game registers as numbers, [B, ...] each."""
