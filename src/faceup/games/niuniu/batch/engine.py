"""Many matches of Niu Niu step by step: the second way into the batch engine."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.values import Outcome
from faceup.games.lane_arrays import Piece, Stepped, check_array, memory_of
from faceup.games.niuniu.batch import kernels
from faceup.games.niuniu.hand import DICE
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import DiceShow, NiuNiuState
from faceup.games.pure_chance import ChanceEngine


def observations(rules: NiuNiu) -> tuple[Piece, ...]:
    """What `Engine.observe` shows, to all alike."""
    seats = (rules.seats,)
    return (
        Piece("dice", (*seats, DICE), np.uint8, "each seat's dice in the last throw, 0 before the first"),
        Piece("scores", seats, np.int32, "throws won in this match"),
        Piece("statistics", seats, np.int32, "sums of the hands' statistics scores in this match"),
        Piece("played", (), np.int32, "throws made in this match"),
        Piece("in_air", (), np.bool_, "whether the dice have been thrown and are still to come to rest"),
        Piece("acts", seats, np.bool_, "whose decision is awaited"),
    )


def _kept(rules: NiuNiu) -> tuple[Piece, ...]:
    return (
        Piece("drawn", (), np.uint64, "random words used"),
        Piece("landed", (), np.bool_, "whether dice came to rest in the last step"),
        Piece("ended", (), np.bool_, "whether the last step ended a match"),
        Piece("final", (rules.seats,), np.int32, "the scores at the end of that match"),
    )


def memory(rules: NiuNiu, lanes: int) -> int:
    """The bytes that an engine of so many lanes takes.

    >>> from faceup.core import make
    >>> memory(make("niuniu"), 4096) < 300_000
    True
    """
    return memory_of((*observations(rules), *_kept(rules)), lanes)


@lru_cache
def table(faces: int, baozi: int) -> npt.NDArray[np.uint8]:
    """What each hand is worth, as `faceup.games.niuniu.batch.kernels` has it; not to be written to."""
    base = min(faces, 10)
    entries = np.empty(base**DICE, np.uint8)
    kernels.fill_table(base, baozi, entries)
    return entries


class Engine(ChanceEngine[NiuNiu, NiuNiuState]):
    """A batch of matches of Niu Niu. Make one with `reset` or `from_states`."""

    def __init__(
        self, rules: NiuNiu, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False
    ) -> None:
        shown, kept = observations(rules), _kept(rules)
        super().__init__(rules, lanes, seed, first=first, auto_reset=auto_reset, shown=shown, kept=kept)
        self._arrays["acts"][:] = True

    def land(self, dice: npt.NDArray[np.uint8] | None = None) -> Stepped:
        """Let the dice come to rest in every lane in which they are in the air.

        Args:
            dice: uint8 [B, seats, 5]: what they show; in other lanes, anything. None throws them from the seed.

        Returns:
            The matches that this ended.

        Raises:
            Malformed: no dice and no seed; the wrong shape or type; or, naming the lane, a die out of range.
        """
        arrays, rules = self._arrays, self.rules
        if dice is None:
            if self.seed is None:
                raise Malformed("an engine without a seed is to be given the dice", what=dice, where="dice")
        else:
            check_array("dice", dice, arrays["dice"].shape, (np.uint8,))
            wrong = arrays["in_air"] & ((dice < 1) | (dice > rules.faces)).any(axis=(1, 2))
            if wrong.any():
                lane = int(np.flatnonzero(wrong)[0])
                raise Malformed(
                    f"lane {lane}: a die shows 1 to {rules.faces}: {dice[lane].tolist()}",
                    what=dice[lane].tolist(),
                    where=f"lane {lane}",
                )
        arrays["landed"][:] = arrays["in_air"]
        kernels.land_lanes(
            rules.throws, rules.faces, rules.baozi, table(rules.faces, rules.baozi),
            self._seed, self._first, dice, self.auto_reset,
            arrays["in_air"], arrays["drawn"], arrays["dice"], arrays["played"], arrays["scores"],
            arrays["statistics"], arrays["ended"], arrays["final"],
        )  # fmt: skip
        self._ask()
        return Stepped(self._shown["ended"], self._shown["final"])

    def _ask(self) -> None:
        arrays = self._arrays
        arrays["acts"][:] = ((arrays["played"] < self.rules.throws) & ~arrays["in_air"])[:, np.newaxis]

    def _go_on(self) -> Stepped:
        arrays = self._arrays
        arrays["in_air"] |= arrays["acts"][:, 0]
        if self.seed is not None:
            return self.land()
        arrays["landed"][:] = False
        arrays["ended"][:] = False
        self._ask()
        return Stepped(self._shown["ended"], self._shown["final"])

    def restart(self) -> None:
        """Begin another match in every lane that is over, as `auto_reset` does, but when the caller has seen the end.

        Raises:
            Malformed: an engine without a seed.
        """
        if self.seed is None:
            raise Malformed("an engine without a seed does not begin games itself", what=self.seed, where="seed")
        over = self._arrays["played"] >= self.rules.throws
        for name in ("played", "scores", "statistics", "dice"):
            self._arrays[name][over] = 0
        self._ask()

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """The throw that came to rest in this lane in the last step or `land`, if one did."""
        return (self._throw(lane),) if self._arrays["landed"][self._checked(lane)] else ()

    def _throw(self, lane: int) -> DiceShow:
        return DiceShow(tuple(tuple(dice) for dice in self._arrays["dice"][lane].tolist()))

    def to_state(self, lane: int) -> NiuNiuState:
        """The lane as a state of the scalar rules; its log is not kept."""
        arrays, lane = self._arrays, self._checked(lane)
        return NiuNiuState(
            played=int(arrays["played"][lane]),
            won=tuple(arrays["scores"][lane].tolist()),
            statistics=tuple(arrays["statistics"][lane].tolist()),
            in_air=bool(arrays["in_air"][lane]),
        )

    def _put(self, lane: int, state: NiuNiuState) -> None:
        arrays = self._arrays
        self.rules.from_text(self.rules.to_text(state))  # which refuses what cannot be
        arrays["played"][lane] = state.played
        arrays["scores"][lane] = state.won
        arrays["statistics"][lane] = state.statistics
        arrays["in_air"][lane] = state.in_air
        if state.log:
            arrays["dice"][lane] = state.log[-1]


def reset(rules: NiuNiu, *, lanes: int, seed: int | None, first: int = 0, auto_reset: bool = False) -> Engine:
    """New matches.

    Args:
        rules: any rules of Niu Niu.
        lanes: how many, 1 or more; `memory(rules, lanes)` says what they take.
        seed: 0 to 2**64 - 1: lane i has the dice of lane `first + i` of the seed, the same as in `playouts`. None
            leaves it to the caller to `land` them after every step.
        first: the number of the first lane.
        auto_reset: whether a lane whose match ends begins another in the same step.

    Raises:
        Malformed: an argument out of range.

    >>> from faceup.core import make
    >>> engine = reset(make("niuniu"), lanes=2, seed=7)
    >>> engine.step(np.zeros((2, 2), np.int32)).ended.tolist(), engine.scores().tolist()
    ([True, True], [[0, 1], [1, 0]])
    """
    return Engine(rules, lanes, seed, first=first, auto_reset=auto_reset)


def from_states(
    rules: NiuNiu, states: Sequence[NiuNiuState], *, seed: int | None, first: int = 0, auto_reset: bool = False
) -> Engine:
    """Matches that go on from these states, one a lane; dice in the air come to rest, unless there is no seed.

    Raises:
        Malformed: no states, or one that no match under these rules could show, with its lane.
    """
    engine = Engine(rules, len(states), seed, first=first, auto_reset=auto_reset)
    engine.put(states)
    if seed is not None:
        engine.land()
    else:
        engine._ask()  # noqa: SLF001 -- of this module's own
    return engine
