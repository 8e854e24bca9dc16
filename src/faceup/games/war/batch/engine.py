"""Many games of War step by step: the second way into the batch engine."""

from collections.abc import Sequence
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.values import Outcome
from faceup.games.lane_arrays import Piece, Stepped, check_array, in_lane, memory_of
from faceup.games.pure_chance import ChanceEngine
from faceup.games.war.batch import kernels
from faceup.games.war.batch.kernels import ARRANGED, BY, COLLECTED, DUE, PLAYED, RING, ROUNDS, SIZE, TOP
from faceup.games.war.cards import Pile
from faceup.games.war.check import check_state, check_view
from faceup.games.war.knowledge import view_of
from faceup.games.war.rules import War
from faceup.games.war.state import By, Collect, Deal, Due, Reshuffle, WarState

DUES: Final[tuple[Due, ...]] = ("flip", "deal", "collect", "reshuffle", "over")
"""What comes next, by the number that kernels have for it."""

ENDINGS: Final[tuple[By, ...]] = get_args(By)
"""How a game ended, by the number that kernels have for it; number 0 is a game that has not."""

_ORDERS: Final = ("winner_first", "loser_first", "shuffled")

_OBSERVED: Final = (
    Piece("places", (2, 52), np.uint8, "each side from the first card played to the pile's bottom: card + 1, 0 unseen"),
    Piece("members", (2, 52), np.bool_, "whether all know that card c is on this side, but not where"),
    Piece("sizes", (2,), np.int32, "each side's cards"),
    Piece("played", (2,), np.int32, "how many of them, the first, lie on the table"),
    Piece("scores", (2,), np.int32, "the others: each seat's draw pile"),
    Piece("rounds", (), np.int32, "rounds finished, undecided ones too"),
    Piece("wars", (), np.int32, "times that the compared cards were equal"),
    Piece("redeals", (), np.int32, "times that the cards were dealt anew"),
    Piece("by", (), np.uint8, "how the game ended: 0 it has not, 1 all cards, 2 cap, 3 sudden death, 4 draw"),
    Piece("acts", (2,), np.bool_, "whose decision is awaited"),
)
_KEPT: Final = (
    Piece("cards", (2 * RING,), np.uint8, "both sides, each a ring: `faceup.games.war.batch.kernels`"),
    Piece("game", (kernels.COLUMNS,), np.int64, "all else that is to be remembered"),
    Piece("known", (4,), np.uint64, "known places as a mask, seat by seat, then known members as a set"),
    Piece("collected", (52,), np.uint8, "the order in which the last step had cards collected, if by chance"),
    Piece("ended", (), np.bool_, "whether the last step ended a game"),
    Piece("final", (2,), np.int32, "the scores at the end of that game"),
)

_PAIRS: Final = {"sizes": SIZE, "played": PLAYED}
_COLUMNS: Final = {"rounds": ROUNDS, "wars": kernels.WARS, "redeals": kernels.REDEALS_MADE, "by": BY}


def observations(rules: War) -> tuple[Piece, ...]:
    """What `Engine.observe` shows, to all alike."""
    del rules
    return _OBSERVED


def memory(rules: War, lanes: int) -> int:
    """The bytes that an engine of so many lanes takes.

    >>> from faceup.core import make
    >>> memory(make("war"), 4096) < 3_000_000
    True
    """
    del rules
    return memory_of((*_OBSERVED, *_KEPT), lanes)


def settings(rules: War) -> tuple[int, ...]:
    """The rules as kernels have them."""
    return (
        _ORDERS.index(rules.collect),
        rules.reshuffle,
        rules.cap,
        int(rules.sudden_death),
        int(rules.redeal),
        rules.down,
        rules.per_suit,
        rules.suits,
    )


class Engine(ChanceEngine[War, WarState]):
    """A batch of games of War. Make one with `reset` or `from_states`."""

    def __init__(self, rules: War, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False) -> None:
        super().__init__(rules, lanes, seed, first=first, auto_reset=auto_reset, shown=_OBSERVED, kept=_KEPT)
        self._arrays["game"][:, DUE] = kernels.DEAL

    def arrange(self, cards: npt.NDArray[np.uint8] | None = None) -> Stepped:
        """Do in every lane what is due from chance: a deal, a reshuffle, or the order of what is collected.

        Args:
            cards: uint8 [B, 52]: in each lane the cards that are to be put in order, in their order, then anything: the
                deck, its first half seat 0's; seat 0's draw pile and then seat 1's; or the round's cards. What comes
                due after that waits for another call. None does all that is due from the seed.

        Returns:
            The games that this ended.

        Raises:
            Malformed: no cards and no seed; the wrong shape or type; or, naming the lane, other cards than are due.
        """
        if cards is None:
            if self.seed is None:
                raise Malformed("an engine without a seed is to be given the cards", what=cards, where="cards")
        else:
            check_array("cards", cards, (self.lanes, 52), (np.uint8,))
            self._check_orders(cards)
        before = self._over()
        self._settle(cards)
        return self._close(before)

    def _over(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._arrays["game"][:, DUE] == kernels.OVER
        return over

    def _settle(self, cards: npt.NDArray[np.uint8] | None) -> None:
        arrays = self._arrays
        kernels.settle_lanes(
            settings(self.rules), self._seed, self._first, cards,
            arrays["cards"], arrays["game"], arrays["known"], arrays["collected"],
        )  # fmt: skip

    def _close(self, before: npt.NDArray[np.bool_]) -> Stepped:
        arrays, game = self._arrays, self._arrays["game"]
        kernels.close_lanes(
            settings(self.rules), self._seed, self._first, self.auto_reset, self.seed is not None, before,
            arrays["cards"], game, arrays["known"], arrays["ended"], arrays["final"],
        )  # fmt: skip
        arrays["acts"][:] = game[:, DUE, np.newaxis] == kernels.FLIP
        arrays["scores"][:] = game[:, SIZE : SIZE + 2] - game[:, PLAYED : PLAYED + 2]
        return Stepped(self._shown["ended"], self._shown["final"])

    def restart(self) -> None:
        """Begin another game in every lane that is over, as `auto_reset` does, but when the caller has seen the end.

        Raises:
            Malformed: an engine without a seed.
        """
        if self.seed is None:
            raise Malformed("an engine without a seed does not begin games itself", what=self.seed, where="seed")
        over, game = self._over(), self._arrays["game"]
        game[over, : kernels.DRAWN] = 0
        self._arrays["known"][over] = 0
        game[over, DUE] = kernels.DEAL
        self._settle(None)
        self._close(self._over())

    def _check_orders(self, cards: npt.NDArray[np.uint8]) -> None:
        dues = self._arrays["game"][:, DUE]
        for lane in np.flatnonzero((dues != kernels.FLIP) & (dues != kernels.OVER)).tolist():
            state = self.to_state(lane)
            on_table = sum(state.played)
            try:
                self.rules.choices(state, self._outcome(state.due, tuple(cards[lane].tolist()), state, on_table))
            except Malformed as error:
                raise in_lane(lane, error) from None

    def _outcome(self, due: Due, cards: Pile, state: WarState, on_table: int) -> Outcome:
        """The outcome that puts these cards, and then any others, in order."""
        if due == "collect":
            return Collect(cards[:on_table])
        count = self.rules.per_suit * self.rules.suits
        half = len(state.cards[0]) if due == "reshuffle" else count // 2
        piles = cards[:half], cards[half:count]
        return Deal(piles) if due == "deal" else Reshuffle(piles)

    def _go_on(self) -> Stepped:
        arrays, before = self._arrays, self._over()
        kernels.flip_lanes(settings(self.rules), arrays["cards"], arrays["game"], arrays["known"])
        if self.seed is not None:
            self._settle(None)
        return self._close(before)

    def observe(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """What all know, piece by piece, as `observations(rules)` lists it."""
        arrays, game = self._arrays, self._arrays["game"]
        kernels.show_lanes(arrays["cards"], game, arrays["known"], arrays["places"], arrays["members"])
        for name, column in _PAIRS.items():
            arrays[name][:] = game[:, column : column + 2]
        for name, column in _COLUMNS.items():
            arrays[name][:] = game[:, column]
        return super().observe()

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """What chance did in this lane in the last step or `arrange`, in order; after a reset, the deal."""
        game = self._arrays["game"][self._checked(lane)]
        state = self.to_state(lane)
        made: list[Outcome] = []
        if game[COLLECTED]:
            made.append(Collect(tuple(self._arrays["collected"][lane, : game[COLLECTED]].tolist())))
        if game[ARRANGED]:
            made.append(self._outcome(DUES[game[ARRANGED]], state.cards[0] + state.cards[1], state, 0))
        return tuple(made)

    def to_state(self, lane: int) -> WarState:
        """The lane as a state of the scalar rules; its log is not kept."""
        game = self._arrays["game"][self._checked(lane)].tolist()
        known = self._arrays["known"][lane].tolist()
        both = [
            tuple(
                int(self._arrays["cards"][lane, seat * RING + (game[TOP + seat] + place) % RING])
                for place in range(game[SIZE + seat])
            )
            for seat in (0, 1)
        ]
        played0, played1 = game[PLAYED : PLAYED + 2]
        add = self.rules.down + 1
        # The seat that has played more has had enough cards for every flip, the last of them aside.
        flips = -(-(max(played0, played1) - 1) // add) + 1 if played0 else 0
        turned = (both[seat][min(flip * add, game[PLAYED + seat] - 1)] for flip in range(flips) for seat in (0, 1))
        return WarState(
            due=DUES[game[DUE]],
            cards=(both[0], both[1]),
            played=(played0, played1),
            turned=tuple(turned),
            known=(known[0], known[1]),
            members=(known[2], known[3]),
            rounds=game[ROUNDS],
            wars=game[kernels.WARS],
            redeals=game[kernels.REDEALS_MADE],
            by=ENDINGS[game[BY]],
        )

    def _put(self, lane: int, state: WarState) -> None:
        check_view(self.rules, view_of(state, None))
        check_state(self.rules, state)
        game, cards = self._arrays["game"][lane], self._arrays["cards"][lane]
        for seat in (0, 1):
            cards[seat * RING : seat * RING + len(state.cards[seat])] = state.cards[seat]
            game[SIZE + seat] = len(state.cards[seat])
            game[PLAYED + seat] = state.played[seat]
        game[ROUNDS], game[kernels.WARS], game[kernels.REDEALS_MADE] = state.rounds, state.wars, state.redeals
        game[DUE], game[BY] = DUES.index(state.due), ENDINGS.index(state.by)
        self._arrays["known"][lane] = (*state.known, *state.members)


def reset(rules: War, *, lanes: int, seed: int | None, first: int = 0, auto_reset: bool = False) -> Engine:
    """New games.

    Args:
        rules: any rules of War.
        lanes: how many, 1 or more; `memory(rules, lanes)` says what they take.
        seed: 0 to 2**64 - 1: lane i is the game of lane `first + i` of the seed, the same as in `playouts`. None leaves
            it to the caller to `arrange`, at first and whenever nobody is to act in a game that is not over.
        first: the number of the first lane.
        auto_reset: whether a lane whose game ends begins another in the same step.

    Raises:
        Malformed: an argument out of range.

    >>> from faceup.core import make
    >>> engine = reset(make("war"), lanes=2, seed=7)
    >>> engine.step(np.zeros((2, 2), np.int32)).ended.tolist(), engine.scores().tolist()
    ([False, False], [[27, 25], [27, 25]])
    """
    return _begun(Engine(rules, lanes, seed, first=first, auto_reset=auto_reset))


def from_states(
    rules: War, states: Sequence[WarState], *, seed: int | None, first: int = 0, auto_reset: bool = False
) -> Engine:
    """Games that go on from these states, one a lane; what is due from chance is done, unless there is no seed.

    Raises:
        Malformed: no states, or one that no game under these rules could show, with its lane.
    """
    engine = Engine(rules, len(states), seed, first=first, auto_reset=auto_reset)
    engine.put(states)
    return _begun(engine)


def _begun(engine: Engine) -> Engine:
    before = engine._over()  # noqa: SLF001 -- of this module's own, as below
    if engine.seed is not None:
        engine._settle(None)  # noqa: SLF001
    engine._close(before)  # noqa: SLF001
    return engine
