"""Registration with Gymnasium and PettingZoo, as `faceup/GAME-SETTING-REWARD-vN`.

A setting is a variant or one of the game's small settings.
"""

from collections.abc import Iterator
from typing import Final

import gymnasium
import pettingzoo

from faceup.core import AnyRules, list_games, make
from faceup.core.observation import ObservationSpec
from faceup.envs.rewards import reward_names

VERSION: Final = 0
"""The version of all environments. It increases when results are not comparable with those of the last version."""


def env_id(rules: AnyRules, reward: str) -> str:
    """Return the registered name for the variant of these rules and this reward. Options do not change the name.

    >>> from faceup.core import make
    >>> env_id(make("nimmt:classic", seats=5), "heads")
    'faceup/nimmt-classic-heads-v0'
    """
    return f"faceup/{rules.game}-{rules.variant}-{reward}-v{VERSION}"


def settings() -> Iterator[tuple[str, str, str]]:
    """Yield (game, setting, spec for `faceup.core.make`) for each setting of each game with observations.

    >>> next(settings())
    ('nimmt', 'cowheadking', 'nimmt:cowheadking')
    """
    for game in list_games():
        numbers = game.formats.get("observation")
        if isinstance(numbers, ObservationSpec):
            yield from ((game.name, variant.name, f"{game.name}:{variant.name}") for variant in game.variants)
            yield from ((game.name, name, spec) for name, spec in numbers.small.items())


def register() -> None:
    """Register all kinds of environments for each game, setting and reward. `faceup.envs` calls this when imported.

    >>> gymnasium.make("faceup/nimmt-small-relative-v0").unwrapped.rules.cards
    12
    >>> pettingzoo.make("parallel", "faceup/nimmt-arena-heads-v0").rules.deals
    5
    """
    for game, setting, spec in settings():
        for reward in reward_names(make(spec)):
            name = f"faceup/{game}-{setting}-{reward}-v{VERSION}"
            arguments = {"spec": spec, "reward": reward}
            gymnasium.register(
                name,
                entry_point="faceup.envs.single:single_env",
                vector_entry_point="faceup.envs.vector:vector_env",
                kwargs=arguments,
            )
            pettingzoo.register("parallel", name, "faceup.envs.parallel:parallel_env", kwargs=arguments)
            pettingzoo.register("aec", name, "faceup.envs.parallel:aec_env", kwargs=arguments)
