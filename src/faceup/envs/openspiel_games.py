"""The games that are registered with OpenSpiel: one for each variant and each small setting."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from faceup.core import find_game, make
from faceup.core.registry import OptionValue
from faceup.envs.registration import VERSION, settings
from faceup.envs.rewards import Reward, reward_names
from faceup.extras import needs

with needs("openspiel", __name__):
    import pyspiel

OWN: Final[Mapping[str, OptionValue]] = {"chance": "explicit", "dynamics": "simultaneous", "rng_seed": -1}
"""The parameters of every game besides its options, `players` and `reward`. A negative seed means a random seed."""


class RegisteredGame(msgspec.Struct, frozen=True):
    """A registered game.

    Attributes:
        name: the name for `pyspiel.load_game`.
        variant: the game and its variant, for `faceup.core.make`.
        title: the display name.
        seats: the least and greatest number of seats.
        defaults: the default parameters.

    >>> REGISTERED[0].name, REGISTERED[0].game_type().short_name
    ('faceup_nimmt_cowheadking_v0', 'faceup_nimmt_cowheadking_v0')
    """

    name: str
    variant: str
    title: str
    seats: tuple[int, int]
    defaults: Mapping[str, OptionValue]

    def game_type(self, *, samples: bool = False, sequential: bool = False, reward: Reward | None = None) -> Any:  # noqa: ANN401 -- a type of OpenSpiel's
        """Return OpenSpiel's description of the game, by default for its default parameters."""
        zero_sum = reward is not None and reward.zero_sum
        at_end = reward is not None and reward.name in {"place", "win"}
        kind = pyspiel.GameType
        return kind(
            short_name=self.name,
            long_name=self.title,
            dynamics=kind.Dynamics.SEQUENTIAL if sequential else kind.Dynamics.SIMULTANEOUS,
            chance_mode=kind.ChanceMode.SAMPLED_STOCHASTIC if samples else kind.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kind.Information.IMPERFECT_INFORMATION,
            utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
            reward_model=kind.RewardModel.TERMINAL if at_end else kind.RewardModel.REWARDS,
            min_num_players=self.seats[0],
            max_num_players=self.seats[1],
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=True,
            parameter_specification=dict(self.defaults),
        )


def _settings() -> list[RegisteredGame]:
    groups = []
    for name, setting, spec in settings():
        game, rules = find_game(name), make(spec)
        variant = game.variant(rules.variant)
        set_options = {word.partition("=")[0] for word in spec.split()[1:]}
        options: dict[str, OptionValue] = {
            option: variant.preset[option]
            if option in variant.preset and option not in set_options
            else getattr(rules, option)
            for option in game.options
        }
        defaults: dict[str, OptionValue] = {"players": rules.seats, **options, "reward": reward_names(rules)[0], **OWN}
        title = f"{game.title}: {setting}"
        groups.append(
            RegisteredGame(
                f"faceup_{name}_{setting}_v{VERSION}", f"{name}:{variant.name}", title, variant.seats, defaults
            )
        )
    return groups


REGISTERED: Final = tuple(_settings())
"""The registered settings."""
