"""The opponents of one learner in many games: compiled policies, functions of batches, bots, and pools of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from faceup.bots import policy
from faceup.core import AnyRules, IllegalActionError, Malformed, Policy, Seat, SeededGenerator
from faceup.envs.episode import illegal_action
from faceup.envs.observation import Numbers, observer

BatchPolicy: TypeAlias = Callable[[Numbers, NDArray[np.int8]], NDArray[np.integer[Any]]]
"""A function from observations `[K, size]` and masks `[K, actions]` of K seats to one action for each seat."""

Lanes: TypeAlias = NDArray[np.uint64]


class Pool(list[str | BatchPolicy]):
    """Opponents of which every game draws one when it starts, all with equal probability.

    Seats that have the same pool get the same opponent. You can add opponents during training, such as the latest
    checkpoint: games that start later may draw them.

    >>> from faceup.envs import vector_env
    >>> pool = Pool(["greedy", "lowest"])
    >>> envs = vector_env("nimmt", num_envs=8, opponents=pool)
    >>> _ = envs.reset(seed=7)
    >>> pool.append("highest")  # for games that start from now on
    """

    def __init__(self, opponents: Iterable[str | BatchPolicy] = ()) -> None:
        given: object = opponents  # from callers that no type checker has seen
        if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
            raise TypeError(f"opponents must be a list of names of bots and functions; got {opponents!r:.200}")
        super().__init__(opponents)


Opponent: TypeAlias = str | BatchPolicy | Pool


class Players(NamedTuple):
    """Lanes in which one opponent, the name of a bot or a function, plays the seats of a group."""

    opponent: str | BatchPolicy
    lanes: Lanes


class Group:
    """The seats that have the same opponent or pool.

    Args:
        opponent: the opponent.
        seats: the seats.
        lanes: the number of games.

    >>> import numpy as np
    >>> group = Group(Pool(["greedy", "lowest"]), seats=[1, 2], lanes=4)
    >>> group.draw(np.ones(4, bool), np.random.default_rng(7))
    >>> sum(len(lanes) for _, lanes in group.players())
    4
    """

    def __init__(self, opponent: Opponent, seats: Sequence[Seat], lanes: int) -> None:
        self.opponent = opponent
        self.seats = np.array(seats, np.uint64)
        self._everywhere: Lanes = np.arange(lanes, dtype=np.uint64)
        self._members: list[str | BatchPolicy] = []
        self._drawn = np.zeros(lanes, np.int64)

    def draw(self, lanes: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw an opponent for the games that start in these lanes, bool [B]."""
        if isinstance(self.opponent, Pool):
            for member in self.opponent:
                if not any(member is listed for listed in self._members):
                    self._members.append(member)
            places = [
                next(at for at, member in enumerate(self._members) if member is opponent) for opponent in self.opponent
            ]
            self._drawn[lanes] = np.array(places)[rng.integers(len(places), size=int(lanes.sum()))]

    def players(self) -> Iterator[Players]:
        """Yield each opponent of the group with the lanes in which it plays."""
        if not isinstance(self.opponent, Pool):
            yield Players(self.opponent, self._everywhere)
            return
        for number, member in enumerate(self._members):
            lanes = np.flatnonzero(self._drawn == number).astype(np.uint64)
            if len(lanes):
                yield Players(member, lanes)


class Opponents:
    """The opponents in all seats but the learner's.

    Args:
        rules: the rules of the game.
        batch: the game's batch module; its `POLICIES` are compiled.
        opponents: the opponent of each other seat.
        seats: the other seats, in the same order.
        lanes: the number of games.
        encoding: the encoding of the observations that functions get, unless they have an attribute `encoding`.
        strict: whether an illegal action of an opponent raises an error; otherwise the lowest legal action replaces it.

    Attributes:
        pooled: whether a pool plays.
        members: the opponent in each lane and other seat, an array of objects [lanes, other seats].

    Raises:
        Malformed: there is no policy of a name, or a pool is empty.

    >>> from faceup.core import find_game, make
    >>> from faceup.games.batch_engines import load_batch_engine
    >>> def first_legal(observations, masks):
    ...     return masks.argmax(axis=1)
    >>> rules, batch = make("nimmt seats=2"), load_batch_engine(find_game("nimmt"))
    >>> opponents = Opponents(rules, batch, [first_legal], seats=[1], lanes=2, encoding="ids")
    >>> opponents.start(np.ones(2, bool), np.random.default_rng(7))
    >>> moves = np.full((2, 2), -1, np.int32)
    >>> opponents.choose(batch.EnvAdapter(batch.reset(rules, lanes=2, seed=7)), moves)
    >>> (moves[:, 1] >= 0).tolist()
    [True, True]
    """

    def __init__(
        self,
        rules: AnyRules,
        batch: Any,  # noqa: ANN401 -- a module, see `faceup.games.batch_law`
        opponents: Sequence[Opponent],
        *,
        seats: Sequence[Seat],
        lanes: int,
        encoding: str,
        strict: bool = False,
    ) -> None:
        self._rules, self._lanes, self._encoding, self._strict = rules, lanes, encoding, strict
        self.pooled = any(isinstance(opponent, Pool) for opponent in opponents)
        self._columns = {seat: column for column, seat in enumerate(seats)}
        self.members = np.empty((lanes, len(seats)), object)
        self._kernels: dict[str, int] = dict(batch.POLICIES)
        self._by_caller: int = batch.EnvAdapter.BY_CALLER
        self._bots: dict[str, Policy] = {}
        self._groups: list[Group] = []
        for opponent in opponents:
            for member in opponent if isinstance(opponent, Pool) else [opponent]:
                self._find_bot(member)
            if isinstance(opponent, Pool) and not opponent:
                raise Malformed("a pool must have at least one opponent", what=opponent, where="opponents")
            if not any(_same(opponent, group.opponent) for group in self._groups):
                shared = [seat for seat, other in zip(seats, opponents, strict=True) if _same(other, opponent)]
                self._groups.append(Group(opponent, shared, lanes))
        self.policies = np.full((lanes, rules.seats), self._by_caller, np.uint8)
        self._rng = SeededGenerator(0)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for `pickle` and `copy`, with only the names of the bots, which may be closures."""
        return {**vars(self), "_bots": dict.fromkeys(self._bots)}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self._bots = {name: policy(self._rules.game, name, files=True) for name in attributes["_bots"]}

    def _find_bot(self, opponent: object) -> None:
        if isinstance(opponent, str):
            if opponent not in self._kernels:
                self._bots[opponent] = policy(self._rules.game, opponent, files=True)
        elif not callable(opponent):
            raise Malformed(
                f"an opponent must be the name of a bot, a function or a Pool; got {opponent!r}",
                what=opponent,
                where="opponents",
            )

    def start(self, lanes: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Prepare the games that start in these lanes, bool [B]. The generator also seeds the bots."""
        if lanes.all():
            self._rng = SeededGenerator(int(rng.integers(2**63)))
        for group in self._groups:
            if isinstance(group.opponent, Pool):
                for member in group.opponent:
                    self._find_bot(member)
                group.draw(lanes, rng)
            for opponent, drawn_lanes in group.players():
                number = self._kernels.get(opponent, self._by_caller) if isinstance(opponent, str) else self._by_caller
                self.policies[np.ix_(drawn_lanes, group.seats)] = number
                alone = np.empty((), object)  # because numpy would spread an opponent that has a length
                alone[()] = opponent
                columns = np.array([self._columns[seat] for seat in group.seats.tolist()], np.intp)
                self.members[np.ix_(drawn_lanes.astype(np.intp), columns)] = alone

    def choose(self, adapter: Any, moves: NDArray[np.int32]) -> None:  # noqa: ANN401 -- of the batch module
        """Write the actions of functions and bots. Those of compiled policies are written by the adapter's `choose`."""
        for group in self._groups:
            actions: NDArray[np.int64] | None = None
            for opponent, lanes in group.players():
                if isinstance(opponent, str) and opponent in self._kernels:
                    continue
                if actions is None:
                    actions = np.zeros((self._lanes, len(group.seats)), np.int64)
                if isinstance(opponent, str):
                    self._ask_bot(self._bots[opponent], group.seats, lanes, adapter, actions)
                else:
                    actions[lanes] = self._ask_function(opponent, group.seats, lanes, adapter)
            if actions is not None:
                played = np.empty_like(actions)
                wrong = adapter.fit(actions, group.seats, moves, played)
                if self._strict and wrong < 0 and (played != actions).any():
                    lane, place = np.argwhere(played != actions)[0].tolist()
                    raise illegal_in_lane(adapter, lane, int(group.seats[place]), int(actions[lane, place]))
                if wrong >= 0:
                    raise Malformed(
                        f"an opponent chose action {actions.reshape(-1)[wrong]}, which is not in the action space",
                        what=int(actions.reshape(-1)[wrong]),
                        where=f"game {wrong // len(group.seats)}",
                    )

    def _ask_function(self, function: BatchPolicy, seats: Lanes, lanes: Lanes, adapter: Any) -> NDArray[np.int64]:  # noqa: ANN401 -- as above
        watching = observer(self._rules, getattr(function, "encoding", self._encoding))
        seen = np.empty((len(lanes), len(seats), watching.size), watching.dtype)
        adapter.write(watching.encoding, seats, lanes, np.arange(len(lanes), dtype=np.uint64), seen)
        masks = np.empty((self._lanes, len(seats), self._rules.bounds.actions + 1), np.int8)
        adapter.masks(seats, masks)
        if len(lanes) < self._lanes:
            masks = masks[lanes]
        rows = len(lanes) * len(seats)
        chosen = np.asarray(function(seen.reshape(rows, -1), masks.reshape(rows, -1)))
        if chosen.shape != (rows,) or chosen.dtype.kind not in "iu":
            raise Malformed(
                f"an opponent must return {rows} whole numbers; got {chosen.dtype} {list(chosen.shape)}",
                what=chosen,
                where="opponents",
            )
        return chosen.astype(np.int64).reshape(len(lanes), len(seats))

    def _ask_bot(self, bot: Policy, seats: Lanes, lanes: Lanes, adapter: Any, actions: NDArray[np.int64]) -> None:  # noqa: ANN401 -- as above
        rules, acts = self._rules, adapter.engine.to_act()
        for lane in lanes.tolist():
            due = [(place, seat) for place, seat in enumerate(seats.tolist()) if acts[lane, seat]]
            state = adapter.state(lane) if due else None
            for place, seat in due:
                actions[lane, place] = bot(rules, rules.view(state, seat), self._rng)
        actions[lanes[:, None], np.arange(len(seats))] = np.where(
            acts[lanes[:, None], seats], actions[lanes], self._rules.bounds.actions
        )


def illegal_in_lane(adapter: Any, lane: int, seat: Seat, action: int) -> IllegalActionError:  # noqa: ANN401 -- of a batch module
    """Return the error for an action that a seat may not choose now in this game of a batch.

    >>> from faceup.core import find_game, make
    >>> from faceup.games.batch_engines import load_batch_engine
    >>> batch = load_batch_engine(find_game("nimmt"))
    >>> adapter = batch.EnvAdapter(batch.reset(make("nimmt seats=2"), lanes=2, seed=7))
    >>> illegal_in_lane(adapter, 1, 0, 105).message.partition(";")[0]
    "game 1: 'take row 1' is not legal for seat 0 now"
    """
    error = illegal_action(adapter.engine.rules, adapter.state(lane), seat, action)
    return IllegalActionError(
        f"game {lane}: {error.message}", seat=seat, action=action, legal=error.legal, position=error.position
    )


def _same(first: Opponent, other: Opponent) -> bool:
    return first == other if isinstance(first, str) and isinstance(other, str) else first is other
