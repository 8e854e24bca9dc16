"""The names of the environments: `faceup/GAME-SETTING-REWARD-vN`, the setting a variant or one of the small ones."""

from collections.abc import Iterator
from typing import Final

from faceup.core import AnyRules, list_games
from faceup.core.numbers import Numbers

VERSION: Final = 0
"""Moves when what is learned in an environment of the same name is no longer worth the same."""


def env_id(rules: AnyRules, reward: str) -> str:
    """The name of an environment with these rules and this reward, whatever its options.

    >>> from faceup.core import make
    >>> env_id(make("nimmt:classic", seats=5), "heads")
    'faceup/nimmt-classic-heads-v0'
    """
    return f"faceup/{rules.game}-{rules.variant}-{reward}-v{VERSION}"


def settings() -> Iterator[tuple[str, str, str]]:
    """Every game, setting and the words for `faceup.core.make`, of all games that have an observation in numbers."""
    for game in list_games():
        numbers = game.formats.get("numbers")
        if isinstance(numbers, Numbers):
            yield from ((game.name, variant.name, f"{game.name}:{variant.name}") for variant in game.variants)
            yield from ((game.name, name, spec) for name, spec in numbers.small.items())
