"""Step-by-step batch engine of War, and its adapter for learning environments."""

from collections.abc import Sequence
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.values import Outcome
from faceup.games.batch_base import ChanceEngine
from faceup.games.env_adapter import ChanceEnvAdapter
from faceup.games.lanes import ArrayPiece, StepResult, check_array, locate_error
from faceup.games.war.batch import kernels
from faceup.games.war.batch.kernels import ARRANGED, BY, COLLECTED, DUE, PLAYED, RING, ROUNDS, SIZE, TOP
from faceup.games.war.cards import Pile, deck
from faceup.games.war.public_knowledge import view_of
from faceup.games.war.rules import War
from faceup.games.war.state import Collect, Due, Ending, Reshuffle, WarDeal, WarState
from faceup.games.war.validation import check_state, check_view

DUES: Final[tuple[Due, ...]] = ("flip", "deal", "collect", "reshuffle", "over")
"""The possible next steps of a game, indexed by their numbers in the kernels."""

ENDINGS: Final[tuple[Ending, ...]] = get_args(Ending)
"""The ways in which a game can end, indexed by their numbers in the kernels; 0 is a game in progress."""

_ORDERS: Final = ("winner_first", "loser_first", "shuffled")

_OBSERVED: Final = (
    ArrayPiece(
        "places",
        (2, 52),
        np.uint8,
        "each side's cards from the first played to the bottom of the pile: card + 1, 0 unknown",
    ),
    ArrayPiece("members", (2, 52), np.bool_, "whether everyone knows that card c is on this side, but not where"),
    ArrayPiece("sizes", (2,), np.int32, "number of cards on each side"),
    ArrayPiece("played", (2,), np.int32, "number of cards on the table, which come first in `places`"),
    ArrayPiece("scores", (2,), np.int32, "number of cards in each draw pile"),
    ArrayPiece("rounds", (), np.int32, "rounds finished, including undecided ones"),
    ArrayPiece("wars", (), np.int32, "number of wars: how often the compared cards were equal"),
    ArrayPiece("redeals", (), np.int32, "number of redeals"),
    ArrayPiece("by", (), np.uint8, "how the game ended: 0 not ended, 1 all cards, 2 cap, 3 sudden death, 4 draw"),
    ArrayPiece("acts", (2,), np.bool_, "whether a decision of the seat is due"),
)
_INTERNAL: Final = (
    ArrayPiece("cards", (2 * RING,), np.uint8, "both sides, each a ring: `faceup.games.war.batch.kernels`"),
    ArrayPiece(
        "game", (kernels.COLUMNS,), np.int64, "the rest of the state: columns of `faceup.games.war.batch.kernels`"
    ),
    ArrayPiece("known", (4,), np.uint64, "known places as a mask, seat by seat, then known members as a set"),
    ArrayPiece("collected", (52,), np.uint8, "the order of the cards collected in the last step, if by chance"),
    ArrayPiece("ended", (), np.bool_, "whether the last step ended a game"),
    ArrayPiece("final", (2,), np.int32, "the scores at the end of that game"),
)

_PAIRS: Final = {"sizes": SIZE, "played": PLAYED}
_COLUMNS: Final = {"rounds": ROUNDS, "wars": kernels.WARS, "redeals": kernels.REDEALS_MADE, "by": BY}


def observations(rules: War) -> tuple[ArrayPiece, ...]:
    """List the arrays of `WarEngine.observe`; both seats see the same arrays."""
    del rules
    return _OBSERVED


def settings(rules: War) -> tuple[int, ...]:
    """Return the rules as kernel settings."""
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


class WarEngine(ChanceEngine[War, WarState]):
    """A batch of games of War.

    >>> from faceup.core import make
    >>> engine = WarEngine.reset(make("war"), lanes=2, seed=7)
    >>> engine.step(np.zeros((2, 2), np.int32)).ended.tolist(), engine.scores().tolist()
    ([False, False], [[27, 25], [27, 25]])
    """

    RULES = War

    def __init__(self, rules: War, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False) -> None:
        super().__init__(rules, lanes, seed, first=first, auto_reset=auto_reset)
        self._arrays["game"][:, DUE] = kernels.DEAL

    @classmethod
    def pieces(cls, rules: War) -> tuple[Sequence[ArrayPiece], Sequence[ArrayPiece]]:
        """List the arrays that `observe` returns, and the other arrays."""
        return observations(rules), _INTERNAL

    def arrange(self, cards: npt.NDArray[np.uint8] | None = None) -> StepResult:
        """Apply the chance outcome due in every lane: a deal, a reshuffle, or the order of the collected cards.

        Args:
            cards: uint8 [B, 52]: in each lane the cards in their new order, padded with any values. For a deal, these
                are the deck, whose first half goes to seat 0; for a reshuffle, seat 0's draw pile followed by seat 1's
                draw pile; otherwise the round's cards. An outcome that becomes due afterwards needs another call. If
                `cards` is None, all outcomes that are due are drawn from the seed.

        Returns:
            The games that ended.

        Raises:
            Malformed: there are neither cards nor a seed, the array has the wrong shape or type, or a lane has other
                cards than those due (the message has the lane).
        """
        return self._apply("cards", cards)

    def _over(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._arrays["game"][:, DUE] == kernels.OVER
        return over

    def _settle(self, outcomes: npt.NDArray[np.uint8] | None) -> None:
        arrays = self._arrays
        kernels.settle_lanes(
            settings(self.rules), self._seed, self._first, outcomes,
            arrays["cards"], arrays["game"], arrays["known"], arrays["collected"],
        )  # fmt: skip

    def _close(self, before: npt.NDArray[np.bool_]) -> None:
        arrays, game = self._arrays, self._arrays["game"]
        kernels.close_lanes(
            settings(self.rules), self._seed, self._first, self.auto_reset, self.seed is not None, before,
            arrays["cards"], game, arrays["known"], arrays["ended"], arrays["final"],
        )  # fmt: skip
        arrays["acts"][:] = game[:, DUE, np.newaxis] == kernels.FLIP
        arrays["scores"][:] = game[:, SIZE : SIZE + 2] - game[:, PLAYED : PLAYED + 2]

    def _clear(self, lanes: npt.NDArray[np.bool_]) -> None:
        game = self._arrays["game"]
        game[lanes, : kernels.DRAWN] = 0
        self._arrays["known"][lanes] = 0
        game[lanes, DUE] = kernels.DEAL

    def _check_outcomes(self, outcomes: npt.NDArray[np.uint8]) -> None:
        check_array("cards", outcomes, (self.lanes, 52), (np.uint8,))
        dues = self._arrays["game"][:, DUE]
        for lane in np.flatnonzero((dues != kernels.FLIP) & (dues != kernels.OVER)).tolist():
            state = self.to_state(lane)
            on_table = sum(state.played)
            try:
                self.rules.choices(state, self._outcome(state.due, tuple(outcomes[lane].tolist()), state, on_table))
            except Malformed as error:
                raise locate_error(lane, error) from None

    def _outcome(self, due: Due, cards: Pile, state: WarState, on_table: int) -> Outcome:
        """Return the outcome with this order of cards; cards beyond those that it orders are ignored."""
        if due == "collect":
            return Collect(cards[:on_table])
        count = self.rules.per_suit * self.rules.suits
        half = len(state.cards[0]) if due == "reshuffle" else count // 2
        piles = cards[:half], cards[half:count]
        return WarDeal(piles) if due == "deal" else Reshuffle(piles)

    def _choose(self) -> None:
        arrays = self._arrays
        kernels.flip_lanes(settings(self.rules), arrays["cards"], arrays["game"], arrays["known"])

    def observe(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """Return the public knowledge by name, as listed by `observations(rules)`."""
        arrays, game = self._arrays, self._arrays["game"]
        kernels.show_lanes(arrays["cards"], game, arrays["known"], arrays["places"], arrays["members"])
        for name, column in _PAIRS.items():
            arrays[name][:] = game[:, column : column + 2]
        for name, column in _COLUMNS.items():
            arrays[name][:] = game[:, column]
        return super().observe()

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """Return the chance outcomes of this lane's last `step` or `arrange`, in order; after a reset, the deal."""
        game = self._arrays["game"][self._checked(lane)]
        state = self.to_state(lane)
        made: list[Outcome] = []
        if game[COLLECTED]:
            made.append(Collect(tuple(self._arrays["collected"][lane, : game[COLLECTED]].tolist())))
        if game[ARRANGED]:
            made.append(self._outcome(DUES[game[ARRANGED]], state.cards[0] + state.cards[1], state, 0))
        return tuple(made)

    def to_state(self, lane: int) -> WarState:
        """Return the lane as a state of the scalar rules, without its log."""
        game = self._arrays["game"][self._checked(lane)].tolist()
        known_cards = self._arrays["known"][lane].tolist()
        both = [
            tuple(
                int(self._arrays["cards"][lane, seat * RING + (game[TOP + seat] + place) % RING])
                for place in range(game[SIZE + seat])
            )
            for seat in (0, 1)
        ]
        played0, played1 = game[PLAYED : PLAYED + 2]
        add = self.rules.down + 1
        # The seat that has played more had enough cards for every flip except perhaps the last.
        flips = -(-(max(played0, played1) - 1) // add) + 1 if played0 else 0
        turned = (both[seat][min(flip * add, game[PLAYED + seat] - 1)] for flip in range(flips) for seat in (0, 1))
        return WarState(
            due=DUES[game[DUE]],
            cards=(both[0], both[1]),
            played=(played0, played1),
            turned=tuple(turned),
            known=(known_cards[0], known_cards[1]),
            members=(known_cards[2], known_cards[3]),
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


class WarEnvAdapter(ChanceEnvAdapter[WarEngine]):
    """Adapter between the engine and learning environments."""

    def numbers(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """Return the pieces of `faceup.games.war.observation`, [B, ...] each."""
        seen, rules = self.engine.observe(), self.engine.rules
        count = rules.per_suit * rules.suits
        unknown = 2 + deck(rules.per_suit, rules.suits)[-1]
        place = np.arange(52)
        sizes, played = seen["sizes"][:, :, np.newaxis], seen["played"][:, :, np.newaxis]
        side = np.where(place < sizes, np.where(seen["places"] == 0, unknown, seen["places"]), 0)
        drawn = np.take_along_axis(side, np.minimum(place + played, 51), axis=2)
        return {
            "choosing": seen["acts"],
            "draw": np.where(place < sizes - played, drawn, 0)[:, :, :count],
            "table": np.where(place < played, side, 0)[:, :, :count],
            "members": seen["members"][:, :, : 4 * rules.per_suit],
            "rounds": seen["rounds"],
            "wars": seen["wars"],
            "redeals": seen["redeals"],
        }
