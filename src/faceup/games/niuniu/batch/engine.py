"""Step-by-step batch engine of Niu Niu, and its adapter for learning environments."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.values import Outcome
from faceup.games.batch_base import ChanceEngine
from faceup.games.env_adapter import ChanceEnvAdapter
from faceup.games.lanes import ArrayPiece, StepResult, check_array
from faceup.games.niuniu.batch import kernels
from faceup.games.niuniu.hand import DICE
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import DiceShow, NiuNiuState


def observations(rules: NiuNiu) -> tuple[ArrayPiece, ...]:
    """List the arrays of `NiuNiuEngine.observe`; all seats see the same arrays."""
    seats = (rules.seats,)
    return (
        ArrayPiece("dice", (*seats, DICE), np.uint8, "each seat's dice in the last throw, 0 before the first"),
        ArrayPiece("scores", seats, np.int32, "throws won in this match"),
        ArrayPiece("drawn", seats, np.int32, "throws drawn in this match"),
        ArrayPiece("statistics", seats, np.int32, "sums of the hands' statistics points in this match"),
        ArrayPiece("played", (), np.int32, "throws made in this match"),
        ArrayPiece("in_air", (), np.bool_, "whether the dice have been thrown and have not landed"),
        ArrayPiece("acts", seats, np.bool_, "whether a decision of the seat is due"),
    )


def _internal(rules: NiuNiu) -> tuple[ArrayPiece, ...]:
    return (
        ArrayPiece("words", (), np.uint64, "random words used"),
        ArrayPiece("landed", (), np.bool_, "whether dice landed in the last step"),
        ArrayPiece("ended", (), np.bool_, "whether the last step ended a match"),
        ArrayPiece("final", (rules.seats,), np.int32, "the scores at the end of that match"),
    )


@lru_cache
def table(faces: int, baozi: int) -> npt.NDArray[np.uint8]:
    """Return the table of hand values of `faceup.games.niuniu.batch.kernels`; read-only."""
    base = min(faces, 10)
    entries = np.empty(base**DICE, np.uint8)
    kernels.fill_table(base, baozi, entries)
    return entries


class NiuNiuEngine(ChanceEngine[NiuNiu, NiuNiuState]):
    """A batch of matches of Niu Niu.

    >>> from faceup.core import make
    >>> engine = NiuNiuEngine.reset(make("niuniu"), lanes=2, seed=7)
    >>> engine.step(np.zeros((2, 2), np.int32)).ended.tolist(), engine.scores().tolist()
    ([True, True], [[0, 1], [1, 0]])
    """

    RULES = NiuNiu

    @classmethod
    def pieces(cls, rules: NiuNiu) -> tuple[Sequence[ArrayPiece], Sequence[ArrayPiece]]:
        """List the arrays that `observe` returns, and the other arrays."""
        return observations(rules), _internal(rules)

    def land(self, dice: npt.NDArray[np.uint8] | None = None) -> StepResult:
        """Let the dice land in every lane in which they are in the air.

        Args:
            dice: uint8 [B, seats, 5]: the dice; lanes with no dice in the air ignore them. None throws dice from
                the seed.

        Returns:
            The matches that ended.

        Raises:
            Malformed: there are neither dice nor a seed, the array has the wrong shape or type, or a die is out of
                range (the message has its lane).
        """
        return self._apply("dice", dice)

    def _check_outcomes(self, outcomes: npt.NDArray[np.uint8]) -> None:
        arrays, faces = self._arrays, self.rules.faces
        check_array("dice", outcomes, arrays["dice"].shape, (np.uint8,))
        wrong = arrays["in_air"] & ((outcomes < 1) | (outcomes > faces)).any(axis=(1, 2))
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            dice = outcomes[lane].tolist()
            raise Malformed(f"lane {lane}: each die must be 1 to {faces}; got {dice}", what=dice, where=f"lane {lane}")

    def _settle(self, outcomes: npt.NDArray[np.uint8] | None) -> None:
        arrays, rules = self._arrays, self.rules
        arrays["landed"][:] = arrays["in_air"]
        kernels.land_lanes(
            rules.throws, rules.faces, rules.baozi, table(rules.faces, rules.baozi),
            self._seed, self._first, outcomes, self.auto_reset,
            arrays["in_air"], arrays["words"], arrays["dice"], arrays["played"], arrays["scores"], arrays["drawn"],
            arrays["statistics"], arrays["ended"], arrays["final"],
        )  # fmt: skip

    def _close(self, before: npt.NDArray[np.bool_]) -> None:
        del before
        arrays = self._arrays
        arrays["acts"][:] = (~self._over() & ~arrays["in_air"])[:, np.newaxis]

    def _over(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._arrays["played"] >= self.rules.throws
        return over

    def _clear(self, lanes: npt.NDArray[np.bool_]) -> None:
        for name in ("played", "scores", "drawn", "statistics", "dice"):
            self._arrays[name][lanes] = 0

    def _choose(self) -> None:
        arrays = self._arrays
        arrays["in_air"] |= arrays["acts"][:, 0]
        arrays["landed"][:] = False
        arrays["ended"][:] = False

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """Return the throw that landed in this lane in the last call of `step` or `land`, if any."""
        return (self._throw(lane),) if self._arrays["landed"][self._checked(lane)] else ()

    def _throw(self, lane: int) -> DiceShow:
        return DiceShow(tuple(tuple(dice) for dice in self._arrays["dice"][lane].tolist()))

    def to_state(self, lane: int) -> NiuNiuState:
        """Return the lane as a state of the scalar rules, without its log."""
        arrays, lane = self._arrays, self._checked(lane)
        return NiuNiuState(
            played=int(arrays["played"][lane]),
            won=tuple(arrays["scores"][lane].tolist()),
            drawn=tuple(arrays["drawn"][lane].tolist()),
            statistics=tuple(arrays["statistics"][lane].tolist()),
            in_air=bool(arrays["in_air"][lane]),
        )

    def _put(self, lane: int, state: NiuNiuState) -> None:
        arrays = self._arrays
        self.rules.from_text(self.rules.to_text(state))  # raises if the state is impossible
        arrays["played"][lane] = state.played
        arrays["scores"][lane] = state.won
        arrays["drawn"][lane] = state.drawn
        arrays["statistics"][lane] = state.statistics
        arrays["in_air"][lane] = state.in_air
        if state.log:
            arrays["dice"][lane] = state.log[-1]


class NiuNiuEnvAdapter(ChanceEnvAdapter[NiuNiuEngine]):
    """Adapter between the engine and learning environments."""

    def numbers(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """Return the pieces of `faceup.games.niuniu.observation`, [B, ...] each."""
        seen = self.engine.observe()
        return {
            "choosing": seen["acts"],
            "dice": seen["dice"],
            "won": seen["scores"],
            "drawn": seen["drawn"],
            "statistics": seen["statistics"],
            "played": seen["played"],
        }

    def ranked(self) -> npt.NDArray[np.int64]:
        """Return numbers that rank the seats by throws won and then by throws drawn, the lowest first."""
        seen = self.engine.observe()
        return -(seen["scores"].astype(np.int64) * (self.engine.rules.throws + 1) + seen["drawn"])
