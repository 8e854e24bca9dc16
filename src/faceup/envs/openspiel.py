"""OpenSpiel games in Python. Importing this module registers a game for each variant and each small setting.

If several seats act together, the node is a simultaneous node. If a single seat acts, it is a decision node. With
`dynamics=sequential`, the seats of a simultaneous node choose one after another instead, in secret. With
`chance=explicit`, an outcome of chance is a sequence of chance nodes, and nodes with a single outcome are skipped. With
`chance=sampled`, it is one chance node with the next outcome of lane 0 of the seed `rng_seed`, as in the other
environments.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, TypeAlias

import msgspec
import numpy as np

from faceup.core import CHANCE, DONE, Action, AnyRules, Malformed, Seat, State, illegal_action_error, make, write
from faceup.core.arguments import check_type
from faceup.core.whole_numbers import whole_number
from faceup.envs.episode import check_word, create_chance
from faceup.envs.observation import Floats, Observer, observer
from faceup.envs.openspiel_games import OWN, REGISTERED, RegisteredGame
from faceup.envs.openspiel_structs import ActionFields, ObservationFields, StateFields
from faceup.envs.rewards import Reward, reward
from faceup.extras import needs
from faceup.games.lane_chance import LaneChance

with needs("openspiel", __name__):
    import pyspiel

Params: TypeAlias = Mapping[str, Any]  # Any: OpenSpiel's parameters are numbers, booleans and strings


class GameNode(msgspec.Struct, frozen=True):
    """The content of an OpenSpiel state as one frozen value, which clones share.

    Attributes:
        rules: the rules of the game.
        state: the state before the pending outcome of chance.
        choices: the choices of the pending outcome so far.
        chosen: with `dynamics=sequential`, the secret actions of the seats that have chosen before the player.
        player: the player to act, in OpenSpiel's numbering.
        first: the state before the first decision; None until the first decision is due.
        before: the state before the last decision; None until the first decision is due.
    """

    rules: Any  # Any: the rules and states of any game
    state: Any
    choices: tuple[int, ...]
    player: int
    first: Any = None
    before: Any = None
    chosen: tuple[Action, ...] = ()

    def __deepcopy__(self, memo: object) -> "GameNode":
        """Return the object itself, since it is immutable."""
        return self


_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)


def _make_node(
    rules: AnyRules, state: State, first: State | None, before: State | None, *, sequential: bool
) -> GameNode:
    to_act = rules.to_act(state)
    player = _TERMINAL if not to_act else to_act[0] if sequential or len(to_act) == 1 else _SIMULTANEOUS
    if player == CHANCE:
        return GameNode(rules, state, _forced(rules, state, ()), CHANCE, first, before)
    return GameNode(rules, state, (), player, first or state, before or state)


def _forced(rules: AnyRules, state: State, choices: tuple[int, ...]) -> tuple[int, ...]:
    """Append choices of chance as long as there is only one possibility for the next choice."""
    while rules.chance(state, choices) == 1:
        choices = (*choices, 0)
    return choices


def _chosen_by_seat(node: GameNode) -> dict[Seat, Action]:
    """Return the secret actions of the seats that have chosen in this decision."""
    return dict(zip(node.rules.to_act(node.state), node.chosen, strict=False))


class FaceupState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """An OpenSpiel state.

    >>> game = pyspiel.load_game("faceup_nimmt_tiny_v0(chance=sampled,dynamics=sequential)")
    >>> state = game.new_initial_state()
    >>> state.is_chance_node(), state.chance_outcomes()
    (True, [(0, 1.0)])
    >>> state.apply_action(0)
    >>> state.current_player(), state.is_simultaneous_node(), state.is_terminal()
    (0, False, False)
    >>> action = state.legal_actions()[0]
    >>> state.action_to_struct(action).text[:4], state.struct_to_actions(state.action_to_struct(action)) == [action]
    ('play', True)
    >>> state.to_observation_struct(0).player, state.to_struct().is_terminal
    (0, False)
    >>> state.resample_from_infostate(0, lambda: 0.5).to_observation_struct(0) == state.to_observation_struct(0)
    True
    >>> state.rewards(), state.returns()
    ([0.0, 0.0], [0.0, 0.0])
    """

    def __init__(self, game: "FaceupGame") -> None:
        super().__init__(game)
        self.node: GameNode = game.initial

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for chance, a simultaneous node or a terminal state."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.player == _TERMINAL

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        node = self.node
        if node.player not in {player, _SIMULTANEOUS}:
            return ()
        legal: tuple[Action, ...] = node.rules.legal(node.state, player)
        return legal

    # OpenSpiel's defaults of these three methods are slower, because each one calls the methods above several times.

    def is_chance_node(self) -> bool:
        """Return whether chance is due."""
        return self.node.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Return whether several seats decide together."""
        return self.node.player == _SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[Action]:
        """Return the legal actions of a player, by default the player to act; empty if it is not their turn."""
        node = self.node
        acting = node.player
        if acting == CHANCE:
            return [choice for choice, _ in self.chance_outcomes()]
        if player is None:
            player = acting
        elif acting != _SIMULTANEOUS and acting != player:  # noqa: PLR1714 -- twice as fast as a set
            return []
        return list(node.rules.legal(node.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the next choices of chance with their probabilities; a single choice if chance is sampled."""
        n = self._chance_choices()
        return [(choice, 1 / n) for choice in range(n)]

    def _chance_choices(self) -> int:
        """Return the number of possibilities for the next choice of chance."""
        return 1 if self.get_game().samples else self.node.rules.chance(self.node.state, self.node.choices)

    # OpenSpiel's C++ code checks no action before it calls the next two methods.

    def _apply_action(self, action: int) -> None:
        node = self.node
        rules, state = node.rules, node.state
        if node.player == CHANCE:
            self._apply_choice(whole_number("a choice of chance", action, 0, self._chance_choices() - 1))
            return
        if node.player in {_SIMULTANEOUS, _TERMINAL}:
            due = "several players are to act together: use apply_actions"
            raise Malformed(due if node.player == _SIMULTANEOUS else "the game is over", where="apply_action")
        if action not in rules.legal(state, node.player):
            raise illegal_action_error(rules, state, node.player, action)
        to_act, chosen = rules.to_act(state), (*node.chosen, action)
        if len(chosen) < len(to_act):
            self.node = msgspec.structs.replace(node, player=to_act[len(chosen)], chosen=chosen)
            return
        after = rules.apply(state, dict(zip(to_act, chosen, strict=True))).state
        self.node = _make_node(rules, after, node.first, state, sequential=self.get_game().sequential)

    def _apply_choice(self, action: int) -> None:
        node = self.node
        rules, state = node.rules, node.state
        game = self.get_game()
        if game.samples:
            outcome = game.chance.draw(state)
        else:
            choices = _forced(rules, state, (*node.choices, action))
            if rules.chance(state, choices) != DONE:
                self.node = msgspec.structs.replace(node, choices=choices)
                return
            outcome = rules.outcome(state, choices)
        after = rules.apply(state, outcome).state
        self.node = _make_node(rules, after, node.first, node.before, sequential=game.sequential)

    def _apply_actions(self, actions: list[int]) -> None:
        node = self.node
        rules, state = node.rules, node.state
        if node.player != _SIMULTANEOUS:
            raise Malformed("this is no simultaneous node: use apply_action", what=actions, where="apply_actions")
        if len(actions) != rules.seats:
            raise Malformed(
                f"there must be {rules.seats} actions, one for each player; got {len(actions)}",
                what=actions,
                where="actions",
            )
        after = rules.apply(state, {seat: actions[seat] for seat in rules.to_act(state)}).state
        self.node = _make_node(rules, after, node.first, state, sequential=False)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"choice {action}"
        text: str = self.node.rules.describe(action)
        return text

    def to_struct(self) -> StateFields:
        """Return the full state as named fields."""
        seats = range(self.node.rules.seats)
        legal = tuple(tuple(self._legal_actions(seat)) for seat in seats)
        return StateFields(str(self), self.node.player, self.is_terminal(), legal, tuple(self.returns()))

    def to_observation_struct(self, player: int | None = None) -> ObservationFields:
        """Return what a player may know as named fields, by default the player to act.

        Raises:
            Malformed: no player is given, and not exactly one is to act; or there is no such player.
        """
        seats = self.node.rules.seats
        seat = whole_number("player", self.node.player if player is None else player, 0, seats - 1)
        text = self.get_game().make_py_observer().string_from(self, seat)
        return ObservationFields(text, seat, tuple(self._legal_actions(seat)))

    def action_to_struct(self, *arguments: int) -> ActionFields:
        """Return an action as named fields. The arguments are the action, or a player and the action."""
        action = arguments[-1]
        return ActionFields(action, self._action_to_string(self.node.player, action))

    def struct_to_actions(self, fields: ActionFields) -> list[Action]:
        """Return the actions of an action's fields, of which there is one."""
        check_type("fields", fields, ActionFields, "fields of `action_to_struct`")
        return [fields.action]

    def rewards(self) -> list[float]:
        """Return each seat's reward for the last decision and the outcomes of chance after it.

        While seats still choose one after another, all rewards are 0.
        """
        return self._between(None if self.node.chosen else self.node.before)

    def returns(self) -> list[float]:
        """Return the sum of each seat's rewards so far."""
        return self._between(self.node.first)

    def _between(self, before: State | None) -> list[float]:
        node = self.node
        if before is None:
            return [0.0] * int(node.rules.seats)
        between: Callable[[State, State], tuple[float, ...]] = self.get_game().reward.between
        return list(between(before, node.state))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "FaceupState":
        """Return a sampled state of the player's information state, in which everything hidden is drawn again.

        All states that the player's view allows are equally likely, and so are the secret actions of the other seats
        that have chosen in this decision. The history of the new state is empty, since the true history would leak
        hidden information. Only algorithms in Python can call this method, because OpenSpiel does not offer it to C++
        for games in Python.

        Args:
            player: the player; the new state has the same information state of this player.
            sampler: a function that returns a random float in [0, 1).
        """
        node, rng = self.node, _Sampled(sampler)
        rules = node.rules
        drawn = {
            id(state): rules.guess(rules.view(state, player), rng)
            for state in (node.state, node.first, node.before)
            if state
        }
        state = drawn[id(node.state)]
        chosen = _chosen_by_seat(node)
        for seat in chosen.keys() - {player}:
            legal = rules.legal(state, seat)
            chosen[seat] = legal[rng.below(len(legal))]
        resampled: FaceupState = self.get_game().new_initial_state()
        resampled.node = GameNode(
            rules,
            state,
            _forced(rules, state, ()) if node.player == CHANCE else (),
            node.player,
            drawn.get(id(node.first)),
            drawn.get(id(node.before)),
            tuple(chosen.values()),
        )
        return resampled

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Return the game and the serialized state for `pickle` and `copy`.

        OpenSpiel's own pickling fails for games that sample chance.
        """
        return _load_state, (self.get_game(), self.serialize())

    def __str__(self) -> str:
        """Return the full state in text notation, the choices of the pending outcome, and the secret actions."""
        node = self.node
        made = f" | choices {','.join(map(str, node.choices))}" if node.choices else ""
        secret = f" | chosen {_secret(_chosen_by_seat(node))}" if node.chosen else ""
        return write(node.rules, node.state) + made + secret


def _secret(chosen: Mapping[Seat, Action]) -> str:
    return ",".join(f"{seat}:{action}" for seat, action in chosen.items())


def _load_state(game: "FaceupGame", serialized: str) -> FaceupState:
    state: FaceupState = game.deserialize_state(serialized)
    return state


def _load_game(text: str, chance: LaneChance) -> "FaceupGame":
    game: FaceupGame = pyspiel.load_game(text)
    game.chance = chance
    return game


class _Sampled:
    """A generator that uses OpenSpiel's sampler of floats in [0, 1)."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        self._sampler = sampler

    def below(self, n: int) -> int:
        return min(int(self._sampler() * n), n - 1)


class FaceupGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """An OpenSpiel game with its parameters. Each registered setting has its own subclass.

    Attributes:
        setting: the registered setting.
        rules: the rules of the game.
        reward: the reward that `rewards` and `returns` use.
        samples: whether outcomes of chance are sampled.
        sequential: whether seats choose one after another instead of in a simultaneous node.
        chance: the outcomes of chance that are sampled, those of lane 0 of the seed `rng_seed`.
        initial: the node of the initial state.

    >>> game = pyspiel.load_game("faceup_nimmt_tiny_v0(chance=sampled)")
    >>> state = game.new_initial_state()
    >>> state.is_chance_node(), state.chance_outcomes()
    (True, [(0, 1.0)])
    >>> type(game.make_py_observer()).__name__
    'FaceupObserver'
    """

    setting: ClassVar[RegisteredGame]

    def __init__(self, params: Params) -> None:
        options = {name: value for name, value in params.items() if name not in {*OWN, "players", "reward"}}
        self.rules = make(self.setting.variant, seats=params["players"], **options)
        self.reward: Reward = reward(self.rules, params["reward"])
        check_word("chance", params["chance"], ("explicit", "sampled"))
        check_word("dynamics", params["dynamics"], ("simultaneous", "sequential"))
        self.samples = params["chance"] == "sampled"
        self.sequential = params["dynamics"] == "sequential"
        self.chance = create_chance(self.rules, None if params["rng_seed"] < 0 else params["rng_seed"])
        start = self.rules.start()
        self.initial = _make_node(self.rules, start, None, None, sequential=self.sequential)
        bounds = self.rules.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=bounds.actions,
            max_chance_outcomes=1 if self.samples else bounds.outcomes,
            num_players=self.rules.seats,
            min_utility=self.reward.total[0],
            max_utility=self.reward.total[1],
            utility_sum=0.0 if self.reward.zero_sum else None,
            max_game_length=bounds.decisions * (self.rules.seats if self.sequential else 1),
        )
        kind = self.setting.game_type(samples=self.samples, sequential=self.sequential, reward=self.reward)
        super().__init__(kind, info, dict(params))

    def new_initial_state(self) -> FaceupState:
        """Return the initial state."""
        return FaceupState(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Return the parameters and the chance for `pickle` and `copy`.

        OpenSpiel's own pickling fails for games that sample chance.
        """
        return _load_game, (str(self), self.chance)

    def make_py_observer(self, kind: Any = None, params: Params | None = None) -> "FaceupObserver":  # noqa: ANN401 -- of OpenSpiel
        """Return an observer of OpenSpiel's type `kind`.

        An observer shows a seat's view, only the public or the private part of this view, or the full state.
        """
        if params:
            raise Malformed(f"observers must have no parameters; got {params!r}", what=params, where="observer")
        if kind is None:
            kind = pyspiel.IIGObservationType(perfect_recall=False)
        check_type("kind", kind, pyspiel.IIGObservationType, "a pyspiel.IIGObservationType")
        return FaceupObserver(self, kind)


class FaceupObserver:
    """An OpenSpiel observer, which has `tensor`, its named parts in `dict`, `set_from` and `string_from`.

    A seat's view is the same with and without perfect recall, because it always contains the history of the deal and
    the scores. With `dynamics=sequential`, a seat that has chosen also knows its own action, `chosen`.

    >>> game = pyspiel.load_game("faceup_nimmt_tiny_v0(chance=sampled)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(0)
    >>> observer = game.make_py_observer()
    >>> observer.set_from(state, 0)
    >>> observer.tensor.shape, observer.string_from(state, 0).split()[0]
    ((33,), 'nimmt:cowheadking')
    """

    def __init__(self, game: FaceupGame, kind: Any) -> None:  # noqa: ANN401 -- a type of OpenSpiel's
        self._rules = rules = game.rules
        self._public = bool(kind.public_info)
        self._everyone = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._observer: Observer = observer(rules)
        space = self._observer.state_space if self._everyone else self._observer.space
        self._size = space.shape[0]
        actions = rules.bounds.actions if game.sequential else 0
        knowing = rules.seats if self._everyone else 1
        self.tensor: Floats = np.zeros(self._size + knowing * actions, np.float32)
        self._chosen = self.tensor[self._size :].reshape(knowing, actions)
        self.dict: dict[str, Floats] = {"state": self.tensor}
        if not self._everyone:
            self.dict = {
                piece.name: self.tensor[at].reshape(piece.shape)
                for (piece, at), own in self._observer.private_parts()
                if (self._own if own else self._public)
            }
            if self._own and actions:
                self.dict["chosen"] = self._chosen[0]

    def set_from(self, state: FaceupState, player: Seat) -> None:
        """Write the player's observation to `tensor`; the arrays in `dict` are views of it."""
        check_type("state", state, FaceupState, "a state of this game")
        node, tensor = state.node, self.tensor[: self._size]
        self._chosen[:] = 0
        if self._everyone:
            tensor[:] = self._observer.state(node.state)
            for seat, action in _chosen_by_seat(node).items():
                self._chosen[seat, action] = 1
        else:
            tensor[:] = self._observer.seat(node.state, player, own=self._own, public=self._public)
            chosen = _chosen_by_seat(node)
            if self._own and player in chosen:
                self._chosen[0, chosen[player]] = 1

    def string_from(self, state: FaceupState, player: Seat) -> str:
        """Return the player's observation in text notation, or only its private pieces if it shows nothing else."""
        check_type("state", state, FaceupState, "a state of this game")
        rules, full_state, chosen = self._rules, state.node.state, _chosen_by_seat(state.node)
        if not self._everyone:
            chosen = {seat: action for seat, action in chosen.items() if self._own and seat == player}
        secret = f" | chosen {_secret(chosen)}" if chosen else ""
        if self._everyone:
            return write(rules, full_state) + secret
        if self._public:
            return write(rules, rules.view(full_state, player if self._own else None)) + secret
        if not self._own:
            return ""
        seen = self._observer.seat(full_state, player, public=False)
        own = [(piece, seen[at]) for (piece, at), own in self._observer.private_parts() if own]
        return " ".join(f"{piece.name}={_digits(numbers * piece.high)}" for piece, numbers in own) + secret


def _digits(numbers: Floats) -> str:
    return ",".join(f"{index}:{number:.0f}" for index, number in enumerate(numbers.tolist()) if number)


SETTINGS: Final = REGISTERED
"""The registered settings."""

for _setting in SETTINGS:
    # OpenSpiel releases registered objects after the interpreter has shut down. A class survives this, but an object
    # does not.
    _game = type(_setting.name, (FaceupGame,), {"setting": _setting})
    pyspiel.register_game(_setting.game_type(), _game)
