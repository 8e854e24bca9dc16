"""The games as OpenSpiel's Python games: importing this registers one for each variant and each small setting.

Seats that decide together are a simultaneous node; a seat that decides alone is an ordinary one. Chance is either one
choice after the other, each with its probabilities (`chance=explicit`; a choice among one is made without asking), or a
single outcome that is sampled when it is applied (`chance=sampled`), from the game's own generator (`rng_seed`).
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, TypeAlias

import msgspec
import numpy as np
import pyspiel

from faceup.core import CHANCE, DONE, Action, AnyRules, Generator, Malformed, Seat, State, draw, find_game, make, write
from faceup.core.registry import OptionValue
from faceup.envs.chance import seeded
from faceup.envs.names import VERSION, settings
from faceup.envs.observing import Floats, Observer, observer
from faceup.envs.rewards import Reward, reward, reward_names

Params: TypeAlias = Mapping[str, Any]  # Any: OpenSpiel's parameters are numbers, truths and strings

OWN: Final[Mapping[str, OptionValue]] = {"chance": "explicit", "rng_seed": -1}
"""Parameters of every game beside its own options, `players` and `reward`; a negative seed is a fresh one."""


class Held(msgspec.Struct, frozen=True):
    """All that a state of OpenSpiel holds of ours, in one frozen value, so that a clone shares it.

    Attributes:
        rules: what is played.
        state: the state, before the outcome of chance that is being chosen.
        choices: those of that outcome made so far.
        player: whose turn it is, as OpenSpiel numbers players.
        first: the state before the first decision; None before it is due.
        before: the state before the last decision.
    """

    rules: Any  # Any: the rules and states of any game
    state: Any
    choices: tuple[int, ...]
    player: int
    first: Any = None
    before: Any = None

    def __deepcopy__(self, memo: object) -> "Held":
        """Itself: nothing in it can change."""
        return self


_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)


def _hold(rules: AnyRules, state: State, first: State | None, before: State | None) -> Held:
    to_act = rules.to_act(state)
    player = to_act[0] if len(to_act) == 1 else _SIMULTANEOUS if to_act else _TERMINAL
    if player == CHANCE:
        return Held(rules, state, _forced(rules, state, ()), CHANCE, first, before)
    return Held(rules, state, (), player, first or state, before or state)


def _forced(rules: AnyRules, state: State, choices: tuple[int, ...]) -> tuple[int, ...]:
    """The choices, and after them those that are among one."""
    while rules.chance(state, choices) == 1:
        choices = (*choices, 0)
    return choices


class FaceupState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state as OpenSpiel's algorithms walk it."""

    def __init__(self, game: "FaceupGame") -> None:
        super().__init__(game)
        self.held: Held = game.initial

    def current_player(self) -> int:
        """A seat, or OpenSpiel's number for chance, for a simultaneous node, or for the end."""
        return self.held.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.held.player == _TERMINAL

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        held = self.held
        legal: tuple[Action, ...] = held.rules.legal(held.state, player)
        return legal

    # OpenSpiel would answer these three as well, by several calls of the methods above for each of its own.

    def is_chance_node(self) -> bool:
        """Whether chance is due."""
        return self.held.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether several seats decide together."""
        return self.held.player == _SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[Action]:
        """What the player may do, or if none is named whoever's turn it is; nothing if it is not the player's turn."""
        held = self.held
        if held.player == CHANCE:
            return [choice for choice, _ in self.chance_outcomes()]
        return list(held.rules.legal(held.state, held.player if player is None else player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next choice of chance, each as likely; one alone where the game samples."""
        held = self.held
        n = 1 if self.get_game().samples else held.rules.chance(held.state, held.choices)
        return [(choice, 1 / n) for choice in range(n)]

    def _apply_action(self, action: int) -> None:
        held = self.held
        rules, state = held.rules, held.state
        if held.player != CHANCE:
            after = rules.apply(state, {held.player: action}).state
            self.held = _hold(rules, after, held.first, state)
            return
        game = self.get_game()
        if game.samples:
            outcome = draw(rules, state, game.rng)
        else:
            choices = _forced(rules, state, (*held.choices, action))
            if rules.chance(state, choices) != DONE:
                self.held = msgspec.structs.replace(held, choices=choices)
                return
            outcome = rules.outcome(state, choices)
        self.held = _hold(rules, rules.apply(state, outcome).state, held.first, held.before)

    def _apply_actions(self, actions: list[int]) -> None:
        held = self.held
        rules, state = held.rules, held.state
        after = rules.apply(state, {seat: actions[seat] for seat in rules.to_act(state)}).state
        self.held = _hold(rules, after, held.first, state)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"choice {action}"
        words: str = self.held.rules.describe(action)
        return words

    def rewards(self) -> list[float]:
        """Each seat's reward for the last decision and the chance after it."""
        return self._between(self.held.before)

    def returns(self) -> list[float]:
        """Each seat's rewards so far, added up."""
        return self._between(self.held.first)

    def _between(self, before: State | None) -> list[float]:
        held = self.held
        if before is None:
            return [0.0] * int(held.rules.seats)
        between: Callable[[State, State], tuple[float, ...]] = self.get_game().reward.between
        return list(between(before, held.state))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "FaceupState":
        """A state that the player cannot tell from this one, what it has not seen being drawn anew.

        Its history is empty, for the true one would tell what is hidden. Algorithms written in Python reach this;
        those in C++ do not, for OpenSpiel hands them no resampling by a Python game.
        """
        held = self.held
        guessed = held.rules.guess(held.rules.view(held.state, player), _Sampled(sampler))
        resampled: FaceupState = self.get_game().new_initial_state()
        resampled.held = msgspec.structs.replace(held, state=guessed, choices=())
        return resampled

    def __str__(self) -> str:
        """The whole truth in text notation, and how far chance has come."""
        held = self.held
        made = f" | choices {','.join(map(str, held.choices))}" if held.choices else ""
        return write(held.rules, held.state) + made


class _Sampled:
    """A generator from OpenSpiel's source of numbers from 0 up to 1."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        self._sampler = sampler

    def below(self, n: int) -> int:
        return min(int(self._sampler() * n), n - 1)


class FaceupGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with its parameters, as `pyspiel.load_game` makes it. Each registered setting has a class of its own.

    Attributes:
        setting: what is registered.
        rules: what is played.
        reward: what `rewards` and `returns` give.
        samples: whether chance is sampled.
        rng: what it is sampled from.
        initial: what a state begins with.
    """

    setting: ClassVar["Setting"]

    def __init__(self, params: Params) -> None:
        options = {name: value for name, value in params.items() if name not in {*OWN, "players", "reward"}}
        self.rules = make(self.setting.variant, seats=params["players"], **options)
        self.reward: Reward = reward(self.rules, params["reward"])
        if params["chance"] not in {"explicit", "sampled"}:
            raise Malformed(f"chance is explicit or sampled, not {params['chance']!r}", what=params["chance"])
        self.samples = params["chance"] == "sampled"
        self.rng: Generator = seeded(None if params["rng_seed"] < 0 else params["rng_seed"])
        start = self.rules.start()
        self.initial = _hold(self.rules, start, None, None)
        bounds = self.rules.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=bounds.actions,
            max_chance_outcomes=1 if self.samples else bounds.outcomes,
            num_players=self.rules.seats,
            min_utility=self.reward.total[0],
            max_utility=self.reward.total[1],
            utility_sum=0.0 if self.reward.zero_sum else None,
            max_game_length=bounds.decisions,
        )
        super().__init__(
            self.setting.game_type(samples=self.samples, zero_sum=self.reward.zero_sum), info, dict(params)
        )

    def new_initial_state(self) -> FaceupState:
        """Before anything has happened."""
        return FaceupState(self)

    def make_py_observer(self, kind: Any = None, params: Params | None = None) -> "FaceupObserver":  # noqa: ANN401 -- of OpenSpiel
        """An observer of the kind: a seat's view, or its public or private part alone, or the whole truth."""
        if params:
            raise Malformed(f"observers have no parameters; given: {dict(params)}", what=params, where="observer")
        return FaceupObserver(self.rules, kind or pyspiel.IIGObservationType(perfect_recall=False))


class FaceupObserver:
    """What OpenSpiel asks of an observer: `tensor`, its named parts in `dict`, `set_from` and `string_from`.

    With perfect recall or without, a seat's view is the same: it recalls the deal, and the scores of earlier ones.
    """

    def __init__(self, rules: AnyRules, kind: Any) -> None:  # noqa: ANN401 -- a type of OpenSpiel's
        self._rules = rules
        self._public = bool(kind.public_info)
        self._everyone = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._observer: Observer = observer(rules)
        space = self._observer.state_space if self._everyone else self._observer.space
        self.tensor: Floats = np.zeros(space.shape, np.float32)
        self.dict: dict[str, Floats] = {"state": self.tensor}
        if not self._everyone:
            self.dict = {
                piece.name: self.tensor[at].reshape(piece.shape)
                for (piece, at), own in self._observer.owned()
                if (self._own if own else self._public)
            }

    def set_from(self, state: FaceupState, player: Seat) -> None:
        """Write what the player sees into `tensor`, and so into `dict`."""
        if self._everyone:
            self.tensor[:] = self._observer.state(state.held.state)
        else:
            self.tensor[:] = self._observer.seat(state.held.state, player, own=self._own, public=self._public)

    def string_from(self, state: FaceupState, player: Seat) -> str:
        """What the player sees, in text notation; if it is the private part alone, its own pieces."""
        rules, truth = self._rules, state.held.state
        if self._everyone:
            return write(rules, truth)
        if self._public:
            return write(rules, rules.view(truth, player if self._own else None))
        if not self._own:
            return ""
        seen = self._observer.seat(truth, player, public=False)
        own = [(piece, seen[at]) for (piece, at), own in self._observer.owned() if own]
        return " ".join(f"{piece.name}={_digits(numbers * piece.high)}" for piece, numbers in own)


def _digits(numbers: Floats) -> str:
    return ",".join(f"{index}:{number:.0f}" for index, number in enumerate(numbers.tolist()) if number)


class Setting(msgspec.Struct, frozen=True):
    """One registered game.

    Attributes:
        name: as `pyspiel.load_game` knows it.
        variant: the game and its variant, for `faceup.core.make`.
        title: for people.
        seats: the fewest and the most.
        defaults: the parameters as they are unless given.
    """

    name: str
    variant: str
    title: str
    seats: tuple[int, int]
    defaults: Mapping[str, OptionValue]

    def game_type(self, *, samples: bool, zero_sum: bool) -> Any:  # noqa: ANN401 -- a type of OpenSpiel's
        """What OpenSpiel knows of the game."""
        kind = pyspiel.GameType
        return kind(
            short_name=self.name,
            long_name=self.title,
            dynamics=kind.Dynamics.SIMULTANEOUS,
            chance_mode=kind.ChanceMode.SAMPLED_STOCHASTIC if samples else kind.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kind.Information.IMPERFECT_INFORMATION,
            utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
            reward_model=kind.RewardModel.REWARDS,
            min_num_players=self.seats[0],
            max_num_players=self.seats[1],
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=True,
            parameter_specification=dict(self.defaults),
        )


def _settings() -> list[Setting]:
    found = []
    for name, setting, spec in settings():
        game, rules = find_game(name), make(spec)
        variant = game.variant(rules.variant)
        given = {word.partition("=")[0] for word in spec.split()[1:]}
        options: dict[str, OptionValue] = {
            option: variant.preset[option]
            if option in variant.preset and option not in given
            else getattr(rules, option)
            for option in game.options
        }
        defaults: dict[str, OptionValue] = {"players": rules.seats, **options, "reward": reward_names(rules)[0], **OWN}
        title = f"{game.title}: {setting}"
        found.append(
            Setting(f"faceup_{name}_{setting}_v{VERSION}", f"{name}:{variant.name}", title, variant.seats, defaults)
        )
    return found


SETTINGS: Final = tuple(_settings())
"""What is registered."""

for _setting in SETTINGS:
    # A class, since OpenSpiel lets go of what is registered after Python has ended, which only a class survives.
    _game = type(_setting.name, (FaceupGame,), {"setting": _setting})
    pyspiel.register_game(_setting.game_type(samples=False, zero_sum=False), _game)
